/* Costs of programs under the profiles of targets.def. */
#ifndef FPMOVE_MOVE_TARGET_TARGET_H
#define FPMOVE_MOVE_TARGET_TARGET_H

#include "lang/ir.h"
#include "move/target/cleaned.h"

/* Lists the weights (costs) of a profile, see targets.def.  Each is at most 65535. */
#define TARGET_WEIGHTS(X) \
	X(instr) X(lane) X(special) X(tex) X(order) X(varying) X(output) X(vertex) X(interpolator) X(pixel) X(overlap)

/* How finished FPs are counted: by the weights that guide the search, after cleaning (cleaned.h), or as R300's pairs of operations (r300.h). */
enum target_machine { MACHINE_WEIGHTS, MACHINE_CLEANED, MACHINE_R300 };

struct target {
	const char *name;
	const char *chip, *unit;
	uint32_t parts, error;
	enum target_machine machine;
#define WEIGHT(name) uint32_t name;
	TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	struct cleaned charges; /* for MACHINE_CLEANED: the charge for each of these counts of a finished FP */
};

enum target_id {
#define TARGET(id, ...) id,
#include "move/target/targets.def"
#undef TARGET
	TARGETS
};
extern const struct target targets[TARGETS];

/* A name of one target or of several. */
struct target_set {
	const char *name;
	uint32_t members; /* bit mask of enum target_id */
};
extern const struct target_set target_sets[];
extern const unsigned target_set_count;
/* Returns the targets of this name of n characters, as a bit mask of enum target_id, or 0 if no target has that name. */
uint32_t targets_named(const char *name, size_t n);

/* Returns true if the target is the built-in `slots`, the default.  Returns false for a profile from a file, even if that is named slots. */
static inline bool target_is_slots(const struct target *t)
{
	return t->name == targets[TARGET_SLOTS].name;
}

/* Times are in 1/1024 of a weight, for one pixel. */
enum { TARGET_UNIT = 1024 };
/* Returns the time of one unit (target.unit), in which the chip's costs are printed. */
static inline uint64_t target_unit(const struct target *t)
{
	return TARGET_UNIT * (uint64_t)(t->parts ? t->parts : 1);
}
/* A profile from a file that has no weight `output` charges this many scalar operations for each colour lane, as many as an H200 takes. */
enum { TARGET_OUTPUT_LANES = 5 };

/* Time of each part of the hardware; the parts work in parallel. */
struct work {
	uint64_t arith, special, tex, varying;
	uint64_t pixel; /* writing the colours */
	uint64_t kills; /* number of texkills */
};
/* Returns the time of writing the colours, which run in parallel with other work.  Returns 0 if the FP has a texkill, since it is not known how many
 * pixels are written then. */
static inline uint64_t work_hides(const struct work *w)
{
	return w->kills ? 0 : w->pixel;
}
void work_add(struct work *, struct work);
void work_remove(struct work *, struct work);

/* Returns the work of one FP instruction that writes the lanes `mask`. */
struct work target_instr(const struct target *, const struct instr *, enum model, lanes mask);
/* Returns the work of interpolating n scalars and 1/w. */
struct work target_varyings(const struct target *, unsigned n);
/* Returns the time of a pixel.  More work never takes less time. */
uint64_t target_time(const struct target *, const struct work *);
/* Return the work of one run of the FP, and the time of one run of the VP and of setting up the interpolators that the FP reads. */
struct work target_pixel(const struct target *, const struct program *ps);
uint64_t target_vertex(const struct target *, const struct program *vs, const struct program *ps);
/* Returns the time of one run of the FP plus that of one run of the VP divided by `pixels_per_vertex`, by the weights. */
uint64_t target_pair(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);
/* Returns the time of finished programs like target_pair(), but counts the FP as target.machine says.  Results are compared by this time.  The .z
 * that a read of a depth texture (INSTR_DEPTH) compares does not count as read, since no text tells which textures are depth textures. */
uint64_t target_written(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);
/* Returns the FP's part of target_written(). */
uint64_t target_written_pixel(const struct target *, const struct program *ps);
/* Returns one profile for all targets of `set` (bits of enum target_id).  Each of its weights is the scaled sum of the targets' weights, each divided
 * by given[], the time of the given pair on that target.  It has no weight `pixel`, and adds up work that a chip does in parallel. */
struct target target_joint(uint32_t set, const uint64_t given[TARGETS]);
/* Returns after / before; 2 if `before` is 0 and `after` is not, 1 if both are 0. */
static inline double target_share(uint64_t before, uint64_t after)
{
	return before ? (double)after / (double)before : after ? 2 : 1;
}

#endif
