/* Costs of programs under the profiles of targets.def. */
#ifndef FPMOVE_MOVE_TARGET_TARGET_H
#define FPMOVE_MOVE_TARGET_TARGET_H

#include "lang/ir.h"
#include "move/target/cleaned.h"

/* The weights of a profile, see targets.def; each is at most 65535. */
#define TARGET_WEIGHTS(X) \
	X(instr) X(lane) X(special) X(tex) X(order) X(varying) X(output) X(vertex) X(interpolator) X(pixel) X(overlap)

/* Counts finished FPs: by the weights that guide the search, cleaned (cleaned.h), or as pairs of operations (r300.h). */
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

/* A name for one target or several, whose members are bits of enum target_id. */
struct target_set {
	const char *name;
	uint32_t members;
};
extern const struct target_set target_sets[];
extern const unsigned target_set_count;
/* Returns the targets of this name of n characters, or 0 if there are none. */
uint32_t targets_named(const char *name, size_t n);

/* Returns true for the default, and false for a profile of a file that has its name. */
static inline bool target_is_slots(const struct target *t)
{
	return t->name == targets[TARGET_SLOTS].name;
}

/* Times are in 1/1024 of a weight, for one pixel. */
enum { TARGET_UNIT = 1024 };
/* Returns a chip's own unit as a time. */
static inline uint64_t target_unit(const struct target *t)
{
	return TARGET_UNIT * (uint64_t)(t->parts ? t->parts : 1);
}
/* A file that does not say what a lane of a colour takes charges this many scalar operations, as an H200 does. */
enum { TARGET_OUTPUT_LANES = 5 };

/* Work of each part of the hardware, which works beside the others. */
struct work {
	uint64_t arith, special, tex, varying;
	uint64_t pixel; /* writing the colours */
	uint64_t kills; /* instructions that drop pixels */
};
/* Returns the work that writing hides.  It hides none where pixels may be dropped: those are not written, and their number is unknown. */
static inline uint64_t work_hides(const struct work *w)
{
	return w->kills ? 0 : w->pixel;
}
void work_add(struct work *, struct work);
void work_remove(struct work *, struct work);

/* Returns the work of one FP instruction that writes the lanes `mask`. */
struct work target_instr(const struct target *, const struct instr *, enum model, lanes mask);
/* Returns the work of n interpolated scalars. */
struct work target_varyings(const struct target *, unsigned n);
/* Returns the time of a pixel.  More work never takes less time. */
uint64_t target_time(const struct target *, const struct work *);
/* Return the work of a pixel, and the time of a vertex. */
struct work target_pixel(const struct target *, const struct program *ps);
uint64_t target_vertex(const struct target *, const struct program *vs, const struct program *ps);
/* Returns the time of a pixel and its share of a vertex, if each vertex serves that many pixels. */
uint64_t target_pair(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);
/* Returns the same as the target's machine counts it.  Results are compared by this.  Reads of textures that may be of depths
 * (INSTR_DEPTH) take no further scalar, since no text tells which these are. */
uint64_t target_written(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);
/* Returns the pixel's part of it. */
uint64_t target_written_pixel(const struct target *, const struct program *ps);
/* Returns one profile for the targets of `set`, under which a pixel of the given pair takes given[].  It charges the sum of their shares
 * of that.  Work that goes on beside other work, or is hidden by writing, adds up here. */
struct target target_joint(uint32_t set, const uint64_t given[TARGETS]);
/* Returns the part of a time that is left; 1 is all of it. */
static inline double target_share(uint64_t before, uint64_t after)
{
	return before ? (double)after / (double)before : after ? 2 : 1;
}

#endif
