/* What programs cost under a profile of targets.def. */
#ifndef FPMOVE_MOVE_TARGET_H
#define FPMOVE_MOVE_TARGET_H

#include "lang/ir.h"

struct target {
	const char *name;
	uint32_t instr, lane, tex, order, varying, vertex; /* see targets.def; each at most 65535 */
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

/* One FP instruction that writes the lanes `mask`. */
uint64_t target_instr(const struct target *, const struct instr *, enum model, lanes mask);
/* The whole pair, when each vertex is there for that many pixels. */
uint64_t target_pair(const struct target *, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex);

#endif
