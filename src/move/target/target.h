/* What programs cost under a profile of targets.def. */
#ifndef FPMOVE_MOVE_TARGET_TARGET_H
#define FPMOVE_MOVE_TARGET_TARGET_H

#include "lang/ir.h"
#include "move/target/cleaned.h"

/* Each in turn, see targets.def; at most 65535. */
#define TARGET_WEIGHTS(X) \
	X(instr) X(lane) X(special) X(tex) X(order) X(varying) X(output) X(vertex) X(interpolator) X(pixel) X(overlap)

/* Counts finished FPs: by the weights that guide the search, cleaned (cleaned.h), or by simulation (r300.h). */
enum target_machine { MACHINE_WEIGHTS, MACHINE_CLEANED, MACHINE_R300 };

struct target {
	const char *name;
	const char *chip, *unit;
	uint32_t parts, error;
	enum target_machine machine;
#define WEIGHT(name) uint32_t name;
	TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	struct cleaned charges; /* of MACHINE_CLEANED: for each of these counts of a finished FP */
};

enum target_id {
#define TARGET(id, ...) id,
#include "move/target/targets.def"
#undef TARGET
	TARGETS
};
extern const struct target targets[TARGETS];

/* Names that stand for targets, beside their own: bits of enum target_id. */
struct target_set {
	const char *name;
	uint32_t members;
};
extern const struct target_set target_sets[];
extern const unsigned target_set_count;
/* The targets of this name of n characters; 0: there are none. */
uint32_t targets_named(const char *name, size_t n);

/* The default itself, not a file's of that name. */
static inline bool target_is_slots(const struct target *t)
{
	return t->name == targets[TARGET_SLOTS].name;
}

/* Times are in 1/1024 of a weight, for one pixel. */
enum { TARGET_UNIT = 1024 };
/* What the chip's own unit is in times. */
static inline uint64_t target_unit(const struct target *t)
{
	return TARGET_UNIT * (uint64_t)(t->parts ? t->parts : 1);
}
/* Where nobody knows what writing a lane of a colour takes, it is as long as so many scalar operations, as on an H200. */
enum { TARGET_OUTPUT_LANES = 5 };

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
/* Returns the same as the target's machine counts it.  Results are compared by this.  Reads of textures that may be of depths
 * (INSTR_DEPTH) take no further scalar, since no text tells which these are. */
uint64_t target_written(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);
/* The part of it that is the pixel's alone. */
uint64_t target_written_pixel(const struct target *, const struct program *ps);
/* One profile for the targets of `set`, whose pixels take `given` each: what it counts is the sum of what they count, each as a share
 * of that.  What goes on beside each other, and what writing hides, adds up here. */
struct target target_joint(uint32_t set, const uint64_t given[TARGETS]);
/* What is left of a time: 1 is all of it. */
static inline double target_share(uint64_t before, uint64_t after)
{
	return before ? (double)after / (double)before : after ? 2 : 1;
}

#endif
