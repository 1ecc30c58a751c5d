/* Finds the lanes that can be one of two numbers, in a walk forwards through the program, see chosen.h. */
#include "move/rules/chosen.h"

#include <math.h>
#include <string.h>

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Set *to to the sum, or the product, and return true if float arithmetic does not round it. */
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

/* Computes one lane of the instruction from the numbers x[s] of its operands.  Returns false for an opcode that is not in the list here, if
 * float arithmetic would round the result, and if it is not finite. */
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

/* ---- lanes ------------------------------------------------------------------------------------ */

struct read_lane read_lane_of(const struct conditions *c, uint32_t k, unsigned s, unsigned lane)
{
	const struct src *src = &c->program->instrs.at[k].src[s];
	uint32_t const def = src->file == REG_TEMP ? flow_def(c->flow, k, s, lane) : FLOW_INPUT;
	return (struct read_lane){.file = src->file, .lane = (uint8_t)swizzle_lane(src->swizzle, lane), .negate = src->negate,
	                          .index = src->index, .def = def, .at = k};
}

struct chosen chosen_read(const struct conditions *c, uint32_t k, unsigned s, unsigned lane)
{
	const struct src *src = &c->program->instrs.at[k].src[s];
	struct read_lane const read = read_lane_of(c, k, s, lane);
	const struct decl *def = program_def(c->program, src);
	struct chosen x = {.known = false};
	if (def && !folds_have(c->noted, STAGE_PIXEL, src->index, read.lane))
		x = (struct chosen){isfinite(def->value[read.lane]), 0, {def->value[read.lane], def->value[read.lane]}};
	else if (src->file == REG_TEMP && read.def < FLOW_INPUT)
		x = c->of[read.def][read.lane];
	for (unsigned n = 0; src->negate && n < 2; n++)
		x.number[n] = -x.number[n];
	return x;
}

/* Adds the lane that the cmp compares with 0 to the list of conditions, and returns it as if it were -1 where the condition fails, and 1 where
 * it holds.  The result is not known if the lane was never written, or the list is full. */
static struct chosen condition(struct conditions *c, uint32_t k, unsigned lane)
{
	struct read_lane const read = read_lane_of(c, k, 0, lane);
	uint32_t at = 0;
	while (at < c->list.n && !same_read_lane(&c->list.at[at], &read))
		at++;
	if (at + 1 >= UINT8_MAX || read.def == FLOW_UNWRITTEN)
		return (struct chosen){.known = false};
	if (at == c->list.n)
		VEC_PUSH(c->arena, &c->list) = read;
	return (struct chosen){true, (uint8_t)(at + 1), {-1, 1}};
}

/* Returns true if the instruction multiplies two numbers that one condition chooses, or chooses by a condition between numbers of which that
 * condition has chosen one.  The proof treats this as a square, so the caller counts such a lane as not known. */
static bool is_squared(enum op op, const struct chosen of[MAX_SOURCES])
{
	bool const product = op == OP_MUL || op == OP_MAD, choice = op == OP_CMP || op == OP_LRP;
	return of[0].by && (((product || choice) && of[1].by) || (choice && of[2].by));
}

/* Returns the two numbers that a result lane can be, if all its operands are numbers, or are chosen from two numbers by one condition.  Otherwise,
 * and if result_of() or is_squared() excludes the instruction, the result is not known. */
static struct chosen choices_of_lane(struct conditions *c, uint32_t k, unsigned lane)
{
	const struct instr *i = &c->program->instrs.at[k];
	struct chosen of[MAX_SOURCES] = {{0}}, all = {.known = ops[i->op].shape == SHAPE_LANES};
	EACH_SOURCE(s, i) {
		of[s] = chosen_read(c, k, s, lane);
		if (!of[s].known && i->op == OP_CMP && s == 0)
			of[s] = condition(c, k, lane);
		all.known = all.known && of[s].known && !(all.by && of[s].by && all.by != of[s].by);
		all.by = of[s].by ? of[s].by : all.by;
	}
	all.known = all.known && !is_squared((enum op)i->op, of);
	for (unsigned n = 0; all.known && n < 2; n++)
		all.known = result_of(i, (float const[MAX_SOURCES]){of[0].number[n], of[1].number[n], of[2].number[n]}, &all.number[n]);
	if (memcmp(&all.number[0], &all.number[1], sizeof *all.number) == 0)
		all.by = 0;
	return all.known ? all : (struct chosen){.known = false};
}

struct conditions conditions_find(struct arena *arena, const struct program *p, const struct folds *noted)
{
	struct conditions c = {.program = p, .noted = noted, .flow = flow_find(arena, p), .arena = arena};
	c.of = arena_zero(arena, (p->instrs.n + 1) * sizeof *c.of);
	for (uint32_t k = 0; k < p->instrs.n; k++)
		EACH_LANE(l, instr_writes(&p->instrs.at[k]))
			if (p->instrs.at[k].dst.file == REG_TEMP)
				c.of[k][l] = choices_of_lane(&c, k, l);
	return c;
}
