/* Finds exact numbers on which decisions (comparisons, the choice of a texel) depend, see ties.h.  A forward walk finds what each lane is computed
 * from, a backward walk the instruction that decides by it. requires: a checked pixel program. */
#include "move/graph/ties.h"

#include "move/graph/evaluate.h"
#include "move/graph/values.h"

#include <string.h>

/* A lattice of what a lane is computed from.  A result gets the maximum of its operands, but OF_PIXEL for a texture read, a product of two inputs,
 * and any other function of inputs that is not affine.  A t# lane that the VP sets to 0 or 1 by a comparison counts as a literal, because adding its
 * 0 to a number leaves that exact. */
enum origin { OF_LITERALS, OF_CONSTANTS, OF_INPUTS /* affine in interpolated values */, OF_PIXEL };

struct finder {
	const struct program *ps;
	const struct values *values;
	const struct sites *sites;         /* instructions that have alternatives (values.h), or NULL if there are none */
	uint8_t (*origin)[LANES];          /* [instruction][lane]: enum origin of the lane of its result */
	int temps;                         /* number of r#, from r0 on, whose contents are tracked */
	uint32_t (*by[TIE_KINDS])[LANES];  /* [kind][r#][lane]: in the backward walk, an instruction that decides by the present contents of the
	                                    * lane, or NO_TIE */
};

static worth origin_given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	(void)by;
	const struct finder *f = e->self;
	bool const texcoord = file == REG_TEXCOORD && index < MOST_TEXCOORDS;
	if (texcoord && f && f->values->inputs.chosen[index * LANES + (int)lane])
		return OF_LITERALS;
	return file == REG_CONST ? OF_CONSTANTS : file == REG_INPUT || file == REG_TEXCOORD ? OF_INPUTS : OF_PIXEL;
}

static worth origin_literal(struct evaluation *e, float number)
{
	(void)e, (void)number;
	return OF_LITERALS;
}

static worth origin_minus(struct evaluation *e, worth x)
{
	(void)e;
	return x;
}

static worth origin_sum(struct evaluation *e, worth x, worth y)
{
	(void)e;
	return x > y ? x : y;
}

static worth origin_product(struct evaluation *e, worth x, worth y)
{
	return x == OF_INPUTS && y == OF_INPUTS ? OF_PIXEL : origin_sum(e, x, y);
}

static worth origin_function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	worth worst = op != SATURATED && ops[op].flags & OPF_TEX ? OF_PIXEL : OF_LITERALS;
	for (unsigned k = 0; k < n; k++)
		worst = origin_sum(e, worst, x[k]);
	return worst == OF_INPUTS ? OF_PIXEL : worst;
}

/* Records for a lane the lower of two origins: `plain`, which is found from its operands, and one from its value number.  The value number knows what
 * cancels, but some functions of constants have none. */
static worth origin_result(struct evaluation *e, worth plain)
{
	const struct finder *f = e->self;
	const struct value *x = value_at(f->values, f->values->def[e->at][e->lane]);
	enum origin const numbered = x->class == VALUE_AFFINE              ? OF_INPUTS
	                             : x->class == VALUE_PIXEL || x->sent ? OF_PIXEL
	                             : x->known                            ? OF_LITERALS : OF_CONSTANTS;
	worth const best = numbered < plain ? numbered : plain;
	f->origin[e->at][e->lane] = (uint8_t)best;
	return best;
}

static const struct domain origins = {
	.given = origin_given, .literal = origin_literal, .minus = origin_minus, .sum = origin_sum, .product = origin_product,
	.function = origin_function, .result = origin_result,
};

bool is_affine_in(const struct program *p, uint32_t k, unsigned lane, const bool constant[MAX_SOURCES])
{
	struct use use[MAX_SOURCES];
	struct evaluation e = {.domain = &origins, .program = p, .at = k, .lane = lane, .use = use};
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		use[s].read = MASK_XYZW;
		for (unsigned l = 0; l < LANES; l++)
			use[s].value[l] = constant[s] ? OF_CONSTANTS : OF_INPUTS;
	}
	return evaluate_lane(&e) <= OF_INPUTS;
}

/* Returns true if the instruction itself decides by lane `p` of operand `s`: compares it (TIE_LIMIT), or chooses a texel by it (TIE_TEXEL).  A block
 * of flow control counts as deciding in both ways by all that it reads.  A texture read chooses the texel and its mip level by all its operands:
 * coordinates, the divisor of texldp, the bias of texldb, the level of texldl, the gradients of texldd. */
static bool operand_decides(const struct instr *i, enum tie_kind kind, unsigned s, unsigned p)
{
	if ((instr_samples(i) && kind == TIE_TEXEL) || op_is_region(i->op))
		return true;
	if (s > 0 || kind == TIE_TEXEL)
		return false;
	if (!instr_samples(i))
		return ops[i->op].flags & OPF_LIMIT;
	return i->flags & INSTR_DEPTH && (p == LANE_Z || (p == LANE_W && i->op == OP_TEXLDP));
}

/* Returns an instruction that decides by a lane that instruction k writes, or NO_TIE if none does.  Returns k itself if the lane is oC0.w or oDepth,
 * which the alpha or depth test compares. */
static uint32_t decider_of_result(const struct finder *f, const struct instr *i, enum tie_kind kind, uint32_t k, unsigned lane)
{
	if (i->dst.file == REG_TEMP)
		return i->dst.index < f->temps ? f->by[kind][i->dst.index][lane] : NO_TIE;
	bool const tested = i->dst.file == REG_DEPTH_OUT || (i->dst.file == REG_PIXEL_OUT && i->dst.index == 0 && lane == LANE_W);
	return tested && kind == TIE_LIMIT ? k : NO_TIE;
}

/* Sets by[p] for each operand lane p of source `s` of instruction k to k if that decides by the lane, else to an instruction that decides by a
 * result which k computes from the lane, or NO_TIE if there is none. */
static void find_by_position(const struct ties *ties, enum tie_kind kind, uint32_t k, unsigned s, uint32_t by[LANES])
{
	const struct instr *i = &ties->ps->instrs.at[k];
	for (unsigned p = 0; p < LANES; p++)
		by[p] = operand_decides(i, kind, s, p) ? k : NO_TIE;
	lanes const written = instr_samples(i) ? 0 : instr_writes(i);
	for (unsigned l = LANES; l-- > 0;) {
		uint32_t const then = ties->by[kind][k][l];
		lanes const read = then != NO_TIE && written >> l & 1 ? instr_operand_lanes(ties->ps, i, s, (lanes)(1u << l)) : 0;
		EACH_LANE(p, read)
			by[p] = by[p] == k ? k : then;
	}
}

static uint32_t decider_of_read(const struct ties *ties, enum tie_kind kind, uint32_t k, unsigned s, unsigned lane)
{
	uint32_t by[LANES];
	find_by_position(ties, kind, k, s, by);
	return by[lane];
}

uint32_t ties_of_def(const struct ties *ties, uint32_t def, unsigned lane)
{
	uint32_t const limit = ties->exact[def] >> lane & 1 ? ties->by[TIE_LIMIT][def][lane] : NO_TIE;
	return limit == NO_TIE && ties->literal[def] >> lane & 1 ? ties->by[TIE_TEXEL][def][lane] : limit;
}

uint32_t ties_of_read(const struct ties *ties, uint32_t def, unsigned from, uint32_t k, unsigned s, unsigned lane)
{
	uint32_t const limit = ties->exact[def] >> from & 1 ? decider_of_read(ties, TIE_LIMIT, k, s, lane) : NO_TIE;
	return limit == NO_TIE && ties->literal[def] >> from & 1 ? decider_of_read(ties, TIE_TEXEL, k, s, lane) : limit;
}

/* Records for each lane of an r# that instruction k reads an instruction that decides by it, if there is one: k, or one that decides by a result
 * that k computes from the lane. */
static void pass_deciders_on(struct finder *f, const struct ties *ties, enum tie_kind kind, uint32_t k)
{
	const struct instr *i = &f->ps->instrs.at[k];
	EACH_SOURCE(s, i) {
		const struct src *src = &i->src[s];
		uint32_t by[LANES];
		if (src->file != REG_TEMP)
			continue;
		lanes const read = instr_operand_lanes(f->ps, i, s, instr_writes(i));
		find_by_position(ties, kind, k, s, by);
		EACH_LANE(p, read)
			for (unsigned row = 0; by[p] != NO_TIE && row < instr_rows(i, s); row++)
				if (src->index + (int)row < f->temps)
					f->by[kind][src->index + (int)row][swizzle_lane(src->swizzle, p)] = by[p];
	}
}

static void find_deciders(struct finder *f, const struct ties *ties, enum tie_kind kind)
{
	for (uint32_t k = f->ps->instrs.n; k-- > 0;) {
		const struct instr *i = &f->ps->instrs.at[k];
		lanes const written = instr_writes(i);
		uint32_t const root = f->sites && f->sites->of[k] ? f->sites->at[f->sites->of[k] - 1].at[0] : k;
		for (unsigned l = 0; root != k && l < LANES; l++) /* k is an alternative: readers of the root read it */
			ties->by[kind][k][l] = ties->by[kind][root][l];
		for (unsigned l = 0; root == k && l < LANES; l++)
			ties->by[kind][k][l] = written >> l & 1 && f->origin[k][l] != OF_INPUTS ? decider_of_result(f, i, kind, k, l) : NO_TIE;
		for (unsigned l = 0; l < LANES && i->dst.file == REG_TEMP && i->dst.index < f->temps; l++)
			if (written >> l & 1)
				f->by[kind][i->dst.index][l] = NO_TIE;
		pass_deciders_on(f, ties, kind, k);
	}
}

struct ties ties_find(struct arena *arena, const struct program *ps, const struct values *values)
{
	uint32_t const n = ps->instrs.n;
	struct ties ties = {.ps = ps};
	struct finder *f = arena_alloc(arena, sizeof *f);
	ties.exact = arena_zero(arena, (n + 1) * sizeof *ties.exact);
	ties.literal = arena_zero(arena, (n + 1) * sizeof *ties.literal);
	f->ps = ps;
	f->sites = values ? values->numbering[values->program].sites : NULL;
	f->origin = arena_zero(arena, (n + 1) * sizeof *f->origin);
	f->values = values;
	struct evaluation e = {.domain = &origins, .self = f, .program = ps};
	evaluate(arena, &e, NULL);
	f->temps = e.temps;
	for (uint32_t k = 0; k < n; k++) {
		EACH_LANE(l, instr_writes(&ps->instrs.at[k])) {
			ties.exact[k] |= (lanes)((f->origin[k][l] <= OF_CONSTANTS) << l);
			ties.literal[k] |= (lanes)((f->origin[k][l] == OF_LITERALS) << l);
		}
	}
	for (unsigned kind = 0; kind < TIE_KINDS; kind++) {
		ties.by[kind] = arena_alloc(arena, (n + 1) * sizeof *ties.by[kind]);
		f->by[kind] = arena_alloc(arena, (size_t)f->temps * sizeof *f->by[kind]);
		memset(f->by[kind], 0xff, (size_t)f->temps * sizeof *f->by[kind]); /* sets all to NO_TIE */
		find_deciders(f, &ties, (enum tie_kind)kind);
	}
	return ties;
}
