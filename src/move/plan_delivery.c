/* The shortest vertex program that delivers a plan's lanes, over the ways to compute them.
 * requires: a complete plan; builds: a legal vertex program.
 *
 * A way that differs from one that was tried only in what that one was never asked for gives the same
 * program, and is left out. */
#include "move/vertex.h"

#include <limits.h>
#include <string.h>

struct vertex_start *plan_vertex_start(struct values *v, const struct program *vs, const struct move_options *options)
{
	struct vertex_start *start = arena_zero(v->arena, sizeof *start);
	start->values = v;
	start->old = vs;
	start->options = options;
	memset(start->writer, 0xff, sizeof start->writer);
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (!instr_writes(i) || i->dst.file != REG_TEX_OUT || i->dst.index >= INTERPOLATORS)
			continue;
		for (unsigned lane = 0; lane < LANES; lane++)
			if (i->dst.mask >> lane & 1)
				start->writer[i->dst.index][lane] = k;
	}
	vertex_find_constants(start);
	return start;
}

struct trial {
	const struct vertex_start *start;
	const struct plan *plan;
	struct sources sources;
	unsigned at_most;    /* slots of a program that is of use */
	struct delivery how; /* the shortest way so far, */
	unsigned slots;      /* ... its slots, */
	struct program *best; /* ... and the program, if it is of use */
	struct move_result *result;
};

/* Is this way shorter than what was tried before?  The notes of a way that is not taken are dropped. */
static bool try_way(struct trial *t, const struct delivery *how, struct asked *asked)
{
	struct move_result notes = {0};
	unsigned at_most = t->slots - 1 < t->at_most ? t->slots - 1 : t->at_most; /* a VP has at least the mov to oPos */
	struct delivered d = vertex_program(t->start, t->plan, how, &t->sources, at_most, &notes);
	*asked = d.asked;
	if (d.slots >= t->slots)
		return false;
	t->how = *how;
	t->slots = d.slots;
	if (d.program) {
		t->best = d.program;
		t->result->consts.at = notes.consts.at;
		t->result->consts.n = t->result->consts.cap = notes.consts.n;
		t->result->folds = notes.folds;
	}
	return true;
}

struct program *plan_vertex_program(const struct vertex_start *start, const struct plan *plan, unsigned at_most,
                                    unsigned *least, struct move_result *result)
{
	struct trial t = {.start = start, .plan = plan, .sources = clone_sources(start->values, &plan->layout),
	                  .at_most = at_most, .slots = UINT_MAX, .result = result};
	struct folds const kept = result->folds;
	bool clones[INTERPOLATORS] = {false}, any = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		for (unsigned l = 0; l < LANES; l++)
			clones[r] |= t.sources.of[r][l] >= 0;
		any |= clones[r];
	}
	/* By normal forms, by clones, by clones that reach through the constants; each with lanes joined or not. */
	struct asked asked = {.deep = true}, scale = {.scale = false};
	for (unsigned way = 0; way < 3; way++) {
		if ((way > 0 && !any) || (way == 2 && (!asked.deep || start->options->preshader)))
			break; /* what lies behind constants is the application's, if it does any of that */
		struct delivery how = {.deep = way == 2};
		memset(how.clone, way ? MASK_XYZW : 0, sizeof how.clone);
		if (try_way(&t, &how, &asked))
			scale = asked;
		if (!asked.join)
			continue;
		struct asked joined;
		how.join = true;
		if (try_way(&t, &how, &joined))
			scale = joined;
	}
	struct asked unused;
	if (scale.scale) {
		struct delivery scaled = t.how;
		scaled.scale = true;
		try_way(&t, &scaled, &unused);
	}
	/* One interpolator at a time, as long as that shortens the program. */
	for (bool progress = t.slots != UINT_MAX && any; progress;) {
		progress = false;
		for (unsigned r = 0; r < INTERPOLATORS; r++) {
			struct delivery other = t.how;
			if (!clones[r])
				continue;
			other.clone[r] = other.clone[r] ? 0 : MASK_XYZW;
			progress |= try_way(&t, &other, &unused);
		}
	}
	if (t.slots == UINT_MAX && start->options->preshader) {
		/* Constants may have run out: then the VP computes what it needs. */
		struct move_options options = *start->options;
		struct vertex_start plain = *start;
		options.preshader = false;
		plain.options = &options;
		return plan_vertex_program(&plain, plan, at_most, least, result);
	}
	/* The pixel program's folds stand before the vertex program's. */
	for (uint32_t k = 0; k < kept.n; k++)
		VEC_PUSH(start->values->arena, &result->folds) = kept.at[k];
	*least = t.slots;
	return t.best;
}
