/* What programs cost under a profile of targets.def. */
#ifndef FPMOVE_MOVE_TARGET_H
#define FPMOVE_MOVE_TARGET_H

#include "lang/ir.h"

struct target {
	const char *name;
	uint32_t instr, lane, special, tex, order, varying, vertex, interpolator, pixel, overlap; /* see targets.def; at most 65535 */
};

enum target_id {
#define TARGET(id, ...) id,
#include "move/targets.def"
#undef TARGET
	TARGETS
};
extern const struct target targets[TARGETS];

/* Times are in 1/1024 of the profile's unit, for one pixel. */
enum { TARGET_UNIT = 1024 };

/* What each part of the hardware that works beside the others has to do; pixel: writing the colours; kills: instructions that
 * drop pixels. */
struct work {
	uint64_t arith, special, tex, varying, pixel, kills;
};
/* What writing hides: nothing where pixels may be dropped, as those are not written, and nobody knows how many they are. */
static inline uint64_t work_hides(const struct work *w)
{
	return w->kills ? 0 : w->pixel;
}
void work_add(struct work *, struct work);
void work_remove(struct work *, struct work);

/* One FP instruction that writes the lanes `mask`. */
struct work target_instr(const struct target *, const struct instr *, enum model, lanes mask);
/* n interpolated scalars. */
struct work target_varyings(const struct target *, unsigned n);
/* The pixel's time; never less for more work. */
uint64_t target_time(const struct target *, const struct work *);
/* All that a pixel asks for, and what a vertex takes. */
struct work target_pixel(const struct target *, const struct program *ps);
uint64_t target_vertex(const struct target *, const struct program *vs, const struct program *ps);
/* The whole pair, when each vertex is there for that many pixels. */
uint64_t target_pair(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);

#endif
