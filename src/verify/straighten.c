/* Makes the straight forms of two pairs with flow control, see side.h.  A region is a block that one instruction of a straight form stands
 * for. */
#include "verify/side.h"

#include "lang/blocks.h"

/* ---- instructions that left the blocks of the new pixel program ------------------------------- */

/* ALIGN_MOST is the most cells of the table `least`, enough for two regions of 2,048 instructions.  APART is the distance of two instructions
 * that cannot match. */
enum { ALIGN_MOST = 1 << 22, APART = UINT16_MAX };

/* Aligns the same region (block) of the old and the new program: the new one has the instructions of the old one, in their order, except for
 * some that can be hoisted. */
struct aligner {
	const struct program *old, *new;
	const bool *may_go;   /* instructions of the old program that can be hoisted */
	bool *gone;           /* instructions of the old program that the new one no longer has in the region */
	uint32_t at[2], n[2]; /* the first instruction of the region in either program, and the number of its instructions */
	/* A table: element i * (n[1] + 1) + j is the least sum of distances for the rests of the two regions, from instruction i of the old
	 * region and instruction j of the new one on. */
	uint16_t *least;
};

/* Returns how much two operands differ: 2 for another register, plus 1 for another swizzle or modifier. */
static unsigned operand_distance(const struct src *a, const struct src *b)
{
	bool const view = a->swizzle != b->swizzle || a->negate != b->negate || a->absolute != b->absolute;
	return (a->file != b->file || a->index != b->index || a->relative != b->relative ? 2u : 0u) + (view ? 1u : 0u);
}

/* Returns how much two instructions differ, or APART if the old one cannot have become the new one. */
static unsigned instr_distance(const struct instr *a, const struct instr *b)
{
	bool alike = a->op == b->op && (a->flags | INSTR_DEPTH) == (b->flags | INSTR_DEPTH) && a->comparison == b->comparison &&
	             a->predicate == b->predicate && instr_writes(a) == instr_writes(b);
	unsigned sum = instr_writes(a) && (a->dst.file != b->dst.file || a->dst.index != b->dst.index) ? 1 : 0;
	EACH_SOURCE(s, a) {
		alike = alike && (a->src[s].file == REG_SAMPLER) == (b->src[s].file == REG_SAMPLER) &&
		        (a->src[s].file != REG_SAMPLER || a->src[s].index == b->src[s].index);
		sum += operand_distance(&a->src[s], &b->src[s]);
	}
	return alike ? sum : APART;
}

/* Finds the instructions that are gone from the region, such that the others differ least from the new region's instructions.  Returns false if
 * the new region cannot have been made from the old one. */
static bool align_region(struct arena *arena, struct aligner *a)
{
	uint32_t const n = a->n[0], m = a->n[1], width = m + 1;
	if (n < m || (uint64_t)(n + 1) * width > ALIGN_MOST)
		return false;
	a->least = arena_alloc(arena, (n + 1) * width * sizeof *a->least);
	memset(a->least, 0xff, (n + 1) * width * sizeof *a->least);
	a->least[n * width + m] = 0;
	for (uint32_t i = n; i-- > 0;)
		for (uint32_t j = m + 1; j-- > 0;) {
			unsigned const go = a->may_go[a->at[0] + i] ? a->least[(i + 1) * width + j] : APART;
			unsigned const stay = j == m || a->least[(i + 1) * width + j + 1] == APART ? APART :
				instr_distance(&a->old->instrs.at[a->at[0] + i], &a->new->instrs.at[a->at[1] + j]) +
				a->least[(i + 1) * width + j + 1];
			a->least[i * width + j] = (uint16_t)(stay < go ? stay < APART ? stay : APART : go);
		}
	for (uint32_t i = 0, j = 0; i < n && *a->least != APART; i++) {
		a->gone[a->at[0] + i] = a->may_go[a->at[0] + i] && a->least[i * width + j] == a->least[(i + 1) * width + j];
		j += !a->gone[a->at[0] + i];
	}
	return *a->least != APART;
}

/* Returns for each instruction of the old program whether it is in a region and gone from that region of the new program.  Returns NULL if
 * none is gone, or if that cannot be found out. */
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
	struct aligner a = {.old = old, .new = new, .may_go = hoist_find(arena, old), .gone = arena_zero(arena, old->instrs.n + 1)};
	for (uint32_t r = 0; r < regions[0].n; r++) {
		for (unsigned s = 0; s < 2; s++) {
			a.at[s] = regions[s].at[r].first;
			a.n[s] = regions[s].at[r].end - regions[s].at[r].first;
		}
		if (!align_region(arena, &a))
			return NULL;
	}
	return a.gone;
}

/* ---- the forms -------------------------------------------------------------------------------- */

/* Finds the straight form of a program.  For a new program, `like` is the outline of the old one if that has flow control; else NULL.
 * Returns NULL, or a message if there is no straight form. */
static const char *straighten(struct arena *arena, const struct program *p, const struct outline *like, struct outline *o, const struct program **to)
{
	*to = p;
	*o = (struct outline){.given = p};
	if (!program_flows(p))
		return like ? "only the old program has flow control" : NULL;
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
	const struct program *const given[2][2] = {{s->known[STAGE_VERTEX][0].program, s->known[STAGE_VERTEX][1].program},
	                                           {s->hoisted.program, ps[1]}};
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
