/* Finds the instructions that stay in an FP whatever is planned, see passes.h. */
#include "move/passes.h"
#include "move/graph/values.h"

void move_find_staying(struct arena *arena, const struct program *vs, const struct program *ps, const struct move_options *o, bool *stays)
{
	const struct values *v = values_number_all(arena, &vs, 1, &ps, 1, o);
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		stays[k] = false;
		EACH_LANE(l, instr_writes(&ps->instrs.at[k]))
			stays[k] |= v->def[k][l] == NO_VALUE || !value_may_move(v, v->def[k][l]);
	}
}
