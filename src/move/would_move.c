/* What could move of an FP that cannot be moved from, as parts of it are not one straight line. */
#include "move/graph/flow.h"
#include "move/graph/values.h"
#include "move/passes.h"

/* Lanes of the temporaries of which nothing is known, as they hang on what stands between. */
struct unknown {
	const struct program *ps;
	lanes temp[MODEL_TEMPS];
};

static bool reads_unknown(const struct unknown *u, const struct instr *i)
{
	bool any = false;
	EACH_SOURCE(s, i)
		any |= i->src[s].absolute; /* the values have it as if it were not there */
	for (int r = 0; r < MODEL_TEMPS; r++)
		any |= flow_reads(u->ps, i, REG_TEMP, r) & u->temp[r];
	return any;
}

static void note_writes(struct unknown *u, const struct instr *i, bool unknown)
{
	for (int r = 0; r < MODEL_TEMPS; r++) {
		lanes const written = flow_clobbers(i, r);
		u->temp[r] = unknown ? u->temp[r] | written : u->temp[r] & (lanes)~written;
	}
}

static bool all_may_move(const struct values *v, uint32_t k, const struct instr *i)
{
	bool all = i->dst.file == REG_TEMP && instr_writes(i);
	EACH_LANE(lane, instr_writes(i))
		all &= value_may_move(v, v->def[k][lane]);
	return all;
}

unsigned would_move(struct arena *arena, const struct program *vs, const struct program *ps)
{
	const struct flow_control *f = &ps->flow;
	const struct values *v = values_number(arena, vs, ps);
	struct unknown u = {.ps = ps};
	unsigned n = 0;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		for (int r = 0; k == f->first && r < MODEL_TEMPS; r++)
			u.temp[r] |= f->lost >> r & 1 ? MASK_XYZW : 0;
		bool const between = k >= f->first && k < f->last, unknown = between || reads_unknown(&u, i);
		n += !unknown && all_may_move(v, k, i);
		note_writes(&u, i, unknown);
	}
	return n;
}
