/* Straight forms of two pairs with flow control, see side.h. */
#include "verify/side.h"

#include "lang/blocks.h"

/* ---- which instructions the new pixel program has no longer in its blocks -------------------- */

enum { ALIGN_STEPS = 20000 };

/* Compares the regions of two programs: those of the new one have the instructions of the old one, in their order, but for some of those
 * that can be hoisted. */
struct aligner {
	const struct program *old, *new;
	const bool *may_go; /* instructions of the old program that can be hoisted */
	bool *gone;         /* those of them that the new one does not have there */
	int to[MODEL_TEMPS]; /* for each temporary that the region at hand writes: the new program's; -1: not known yet */
	uint32_t old_end, new_end;
	unsigned steps;     /* left */
};

/* Returns whether `b` may be what `a` became. */
static bool is_alike(const struct instr *a, const struct instr *b)
{
	bool alike = a->op == b->op && (a->flags | INSTR_DEPTH) == (b->flags | INSTR_DEPTH) && a->comparison == b->comparison &&
	             a->predicate == b->predicate && instr_writes(a) == instr_writes(b);
	EACH_SOURCE(s, a)
		alike = alike && (a->src[s].file == REG_SAMPLER) == (b->src[s].file == REG_SAMPLER) &&
		        (a->src[s].file != REG_SAMPLER || a->src[s].index == b->src[s].index);
	return alike;
}

/* Aligns the rest of a region, from instruction i of the old program and j of the new one on. */
static bool align(struct aligner *a, uint32_t i, uint32_t j)
{
	if (i == a->old_end)
		return j == a->new_end;
	if (!a->steps)
		return false;
	a->steps--;
	const struct instr *was = &a->old->instrs.at[i];
	if (j < a->new_end && is_alike(was, &a->new->instrs.at[j])) {
		bool const writes = instr_writes(was) && was->dst.file == REG_TEMP && a->new->instrs.at[j].dst.file == REG_TEMP;
		int *to = writes ? &a->to[was->dst.index] : NULL, before = to ? *to : 0, now = a->new->instrs.at[j].dst.index;
		if (!to || before < 0 || before == now) {
			if (to)
				*to = now;
			if (align(a, i + 1, j + 1))
				return true;
			if (to)
				*to = before;
		}
	}
	a->gone[i] = a->may_go[i] && a->old_end - i > a->new_end - j;
	if (a->gone[i] && align(a, i + 1, j))
		return true;
	a->gone[i] = false;
	return false;
}

/* Returns the instructions of the old program that left the regions of the new one; NULL: none left, or nothing tells which. */
static const bool *find_gone(struct arena *arena, const struct program *old, const struct program *new)
{
	const uint32_t *partner[2];
	struct regions regions[2] = {0};
	const struct program *p[2] = {old, new};
	uint32_t at, n[2] = {0};
	for (unsigned s = 0; s < 2; s++) {
		if (blocks_partners(arena, p[s], &partner[s], &at))
			return NULL;
		regions_find(arena, p[s], partner[s], &regions[s]);
		for (uint32_t r = 0; r < regions[s].n; r++)
			n[s] += regions[s].at[r].end - regions[s].at[r].first;
	}
	if (regions[0].n != regions[1].n || n[0] <= n[1])
		return NULL;
	struct hoisted all;
	hoist(arena, old, NULL, &all);
	bool *may_go = arena_zero(arena, old->instrs.n + 1);
	for (uint32_t k = 0; all.n && k < all.program->instrs.n; k++)
		may_go[all.origin[k]] = all.moved[k];
	struct aligner a = {.old = old, .new = new, .may_go = may_go, .gone = arena_zero(arena, old->instrs.n + 1), .steps = ALIGN_STEPS};
	for (uint32_t r = 0; r < regions[0].n; r++) {
		memset(a.to, -1, sizeof a.to);
		a.old_end = regions[0].at[r].end;
		a.new_end = regions[1].at[r].end;
		if (!align(&a, regions[0].at[r].first, regions[1].at[r].first))
			return NULL;
	}
	return a.gone;
}

/* ---- the forms -------------------------------------------------------------------------------- */

/* Finds the straight form of a program, and returns NULL or why it has none.  `like`: of the program as it was given. */
static const char *straighten(struct arena *arena, const struct program *p, const struct outline *like, struct outline *o, const struct program **to)
{
	*to = p;
	*o = (struct outline){.given = p};
	if (!program_flows(p))
		return like ? "only the given one has flow control" : NULL;
	const char *wrong = outline(arena, p, like, o);
	*to = o->straight;
	return wrong;
}

const char *straighten_pairs(struct arena *arena, struct pair old, struct pair new, struct straightened *s)
{
	resolve(arena, old.vs, &s->known[STAGE_VERTEX][0]);
	resolve(arena, new.vs, &s->known[STAGE_VERTEX][1]);
	resolve(arena, old.ps, &s->known[STAGE_PIXEL][0]);
	resolve(arena, new.ps, &s->known[STAGE_PIXEL][1]);
	const struct program *const ps[2] = {s->known[STAGE_PIXEL][0].program, s->known[STAGE_PIXEL][1].program};
	const bool *gone = find_gone(arena, ps[0], ps[1]);
	s->hoisted = (struct hoisted){.program = ps[0]};
	if (gone)
		hoist(arena, ps[0], gone, &s->hoisted);
	const struct program *const given[2][2] = {{s->known[STAGE_VERTEX][0].program, s->known[STAGE_VERTEX][1].program}, {s->hoisted.program, ps[1]}};
	const struct program *to[2][2];
	const char *wrong = NULL;
	for (unsigned stage = 0; stage < 2 && !wrong; stage++) {
		struct outline *o = s->of[stage];
		bool const flows = program_flows(given[stage][0]);
		s->stage = stage ? STAGE_PIXEL : STAGE_VERTEX;
		wrong = straighten(arena, given[stage][0], NULL, &o[0], &to[stage][0]);
		wrong = wrong ? wrong : straighten(arena, given[stage][1], flows ? &o[0] : NULL, &o[1], &to[stage][1]);
		wrong = wrong || !flows ? wrong : outline_differs(arena, &o[0], &o[1]);
	}
	s->was = (struct pair){to[0][0], to[1][0]};
	s->is = (struct pair){to[0][1], to[1][1]};
	return wrong;
}
