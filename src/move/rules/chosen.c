/* What conditions choose, see chosen.h.  Forwards through the program, a table of numbers for each lane. */
#include "move/rules/chosen.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Sums and products that float arithmetic does not round. */
static bool exact_sum(float a, float b, float *to)
{
	double const sum = (double)a + (double)b;
	*to = (float)sum;
	return !(fabs((double)*to - sum) > 0) && !(fabs(sum - (double)a - (double)b) > 0) && !(fabs(sum - (double)b - (double)a) > 0);
}

static bool exact_product(float a, float b, float *to)
{
	double const product = (double)a * (double)b;
	*to = (float)product;
	return !(fabs((double)*to - product) > 0);
}

/* What a lane of the instruction is for these operands; false: it is not followed, or would be rounded. */
static bool result_of(const struct instr *i, const float x[MAX_SOURCES], float *to)
{
	float part = 0;
	bool known = true;
	switch ((enum op)i->op) {
	case OP_MOV: *to = x[0]; break;
	case OP_ABS: *to = fabsf(x[0]); break;
	case OP_ADD: known = exact_sum(x[0], x[1], to); break;
	case OP_SUB: known = exact_sum(x[0], -x[1], to); break;
	case OP_MUL: known = exact_product(x[0], x[1], to); break;
	case OP_MAD: known = exact_product(x[0], x[1], &part) && exact_sum(part, x[2], to); break;
	case OP_LRP:
		known = exact_sum(x[1], -x[2], &part) && exact_product(x[0], part, &part) && exact_sum(part, x[2], to);
		break;
	case OP_MAX: *to = x[0] >= x[1] ? x[0] : x[1]; break;
	case OP_MIN: *to = x[0] < x[1] ? x[0] : x[1]; break;
	case OP_CMP: *to = x[0] >= 0 ? x[1] : x[2]; break;
	default: return false;
	}
	if (known && i->flags & INSTR_SAT)
		*to = *to > 0 ? fminf(*to, 1) : 0;
	return known && isfinite(*to);
}

/* ---- tables ----------------------------------------------------------------------------------- */

struct chosen chosen_given(const struct chosen *c, unsigned k, bool holds)
{
	struct chosen rest = {.known = true, .n = (uint8_t)(c->n - 1)};
	unsigned const low = (1u << k) - 1;
	for (unsigned i = 0; i < rest.n; i++)
		rest.by[i] = c->by[i + (i >= k)];
	for (unsigned i = 0; i < 1u << rest.n; i++)
		rest.number[i] = c->number[(i & low) | (i & ~low) << 1 | (unsigned)holds << k];
	return rest;
}

struct chosen chosen_negated(struct chosen c, bool negate)
{
	for (unsigned i = 0; negate && i < 1u << c.n; i++)
		c.number[i] = -c.number[i];
	return c;
}

bool chosen_all_below(const struct chosen *c)
{
	bool all = c->known;
	for (unsigned i = 0; all && i < 1u << c->n; i++)
		all = c->number[i] < 0;
	return all;
}

bool chosen_none_below(const struct chosen *c)
{
	bool none = c->known;
	for (unsigned i = 0; none && i < 1u << c->n; i++)
		none = !(c->number[i] < 0);
	return none;
}

bool chosen_sign(const struct chosen *c, unsigned *condition, bool *negated)
{
	for (unsigned k = 0; c->known && k < c->n; k++) {
		struct chosen const without = chosen_given(c, k, false), with = chosen_given(c, k, true);
		bool const plain = chosen_all_below(&without) && chosen_none_below(&with);
		*negated = !plain;
		*condition = c->by[k];
		if (plain || (chosen_none_below(&without) && chosen_all_below(&with)))
			return true;
	}
	return false;
}

static bool same_number(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* Without the conditions that change nothing. */
static struct chosen reduced(struct chosen c)
{
	for (unsigned k = c.n; k-- > 0;) {
		struct chosen const without = chosen_given(&c, k, false), with = chosen_given(&c, k, true);
		bool same = true;
		for (unsigned i = 0; i < 1u << with.n; i++)
			same &= same_number(without.number[i], with.number[i]);
		c = same ? with : c;
	}
	return c;
}

static bool add_condition(struct chosen *c, uint8_t by)
{
	unsigned at = 0;
	while (at < c->n && c->by[at] < by)
		at++;
	if (at < c->n && c->by[at] == by)
		return true;
	if (c->n == MOST_CONDITIONS)
		return false;
	memmove(&c->by[at + 1], &c->by[at], c->n - at);
	c->by[at] = by;
	c->n++;
	return true;
}

/* The number of `c` where the conditions of `all` come out so. */
static float number_at(const struct chosen *c, const struct chosen *all, unsigned outcome)
{
	unsigned own = 0;
	for (unsigned k = 0; k < c->n; k++)
		for (unsigned i = 0; i < all->n; i++)
			own |= all->by[i] == c->by[k] && outcome >> i & 1 ? 1u << k : 0;
	return c->number[own];
}

/* ---- lanes ------------------------------------------------------------------------------------ */

struct read_lane read_lane_of(const struct conditions *c, uint32_t k, unsigned s, unsigned lane)
{
	const struct src *src = &c->program->instrs.at[k].src[s];
	uint32_t const def = src->file == REG_TEMP ? flow_def(c->flow, k, s, lane) : FLOW_INPUT;
	return (struct read_lane){src->file, (uint8_t)swizzle_lane(src->swizzle, lane), src->negate, src->index, def, k};
}

struct chosen chosen_read(const struct conditions *c, uint32_t k, unsigned s, unsigned lane)
{
	const struct src *src = &c->program->instrs.at[k].src[s];
	struct read_lane const read = read_lane_of(c, k, s, lane);
	const struct decl *def = program_def(c->program, src);
	struct chosen x = {.known = false};
	if (def && !folds_have(c->noted, STAGE_PIXEL, src->index, read.lane))
		x = (struct chosen){.known = isfinite(def->value[read.lane]), .number = {def->value[read.lane]}};
	else if (src->file == REG_TEMP && read.def < FLOW_INPUT)
		x = c->of[read.def][read.lane];
	return chosen_negated(x, src->negate);
}

/* What cmp's first operand decides by, as 1 or -1. */
static struct chosen condition(struct conditions *c, uint32_t k, unsigned lane)
{
	struct read_lane const read = read_lane_of(c, k, 0, lane);
	uint32_t at = 0;
	while (at < c->list.n && !same_read_lane(&c->list.at[at], &read))
		at++;
	if (at == UINT8_MAX || read.def == FLOW_UNWRITTEN)
		return (struct chosen){.known = false};
	if (at == c->list.n)
		VEC_PUSH(c->arena, &c->list) = read;
	return (struct chosen){.known = true, .n = 1, .by = {(uint8_t)at}, .number = {-1, 1}};
}

static bool share_condition(const struct chosen *a, const struct chosen *b)
{
	for (unsigned i = 0; i < a->n; i++)
		for (unsigned k = 0; k < b->n; k++)
			if (a->by[i] == b->by[k])
				return true;
	return false;
}

/* Is what one condition chooses multiplied with what it chooses, which the proof takes for a square? */
static bool is_squared(const struct instr *i, const struct chosen of[MAX_SOURCES])
{
	if (i->op == OP_MUL || i->op == OP_MAD)
		return share_condition(&of[0], &of[1]);
	return (i->op == OP_CMP || i->op == OP_LRP) && (share_condition(&of[0], &of[1]) || share_condition(&of[0], &of[2]));
}

static struct chosen evaluate(struct conditions *c, uint32_t k, unsigned lane)
{
	const struct instr *i = &c->program->instrs.at[k];
	struct chosen of[MAX_SOURCES], all = {.known = ops[i->op].shape == SHAPE_LANES};
	for (unsigned s = 0; all.known && s < ops[i->op].sources; s++) {
		of[s] = chosen_read(c, k, s, lane);
		if (!of[s].known && i->op == OP_CMP && s == 0)
			of[s] = condition(c, k, lane);
		all.known = of[s].known;
		for (unsigned n = 0; all.known && n < of[s].n; n++)
			all.known = add_condition(&all, of[s].by[n]);
	}
	all.known = all.known && !is_squared(i, of);
	for (unsigned n = 0; all.known && n < 1u << all.n; n++) {
		float x[MAX_SOURCES] = {0};
		EACH_SOURCE(s, i)
			x[s] = number_at(&of[s], &all, n);
		all.known = result_of(i, x, &all.number[n]);
	}
	return all.known ? reduced(all) : (struct chosen){.known = false};
}

struct conditions conditions_find(struct arena *arena, const struct program *p, const struct folds *noted)
{
	struct conditions c = {.program = p, .noted = noted, .flow = flow_find(arena, p), .arena = arena};
	c.of = arena_zero(arena, (p->instrs.n + 1) * sizeof *c.of);
	for (uint32_t k = 0; k < p->instrs.n; k++)
		EACH_LANE(l, instr_writes(&p->instrs.at[k]))
			if (p->instrs.at[k].dst.file == REG_TEMP)
				c.of[k][l] = evaluate(&c, k, l);
	return c;
}
