/* Computes the lanes of a program in the arithmetic of a domain, see evaluate.h. requires: a checked program. */
#include "move/graph/evaluate.h"

#include <string.h>

static worth worth_negated(struct evaluation *e, worth x)
{
	return x == NO_WORTH ? NO_WORTH : e->domain->minus(e, x);
}

static worth add_worths(struct evaluation *e, worth x, worth y)
{
	return x == NO_WORTH || y == NO_WORTH ? NO_WORTH : e->domain->sum(e, x, y);
}

static worth multiply_worths(struct evaluation *e, worth x, worth y)
{
	return x == NO_WORTH || y == NO_WORTH ? NO_WORTH : e->domain->product(e, x, y);
}

static worth worth_of_mad(struct evaluation *e, worth x, worth y, worth z)
{
	bool const known = x != NO_WORTH && y != NO_WORTH && z != NO_WORTH;
	worth const whole = known && e->domain->mad ? e->domain->mad(e, x, y, z) : NO_WORTH;
	return whole != NO_WORTH || !known ? whole : add_worths(e, multiply_worths(e, x, y), z);
}

static worth worth_of_dot(struct evaluation *e, const worth *x, const worth *y, unsigned n)
{
	bool known = true;
	for (unsigned k = 0; k < n; k++)
		known &= x[k] != NO_WORTH && y[k] != NO_WORTH;
	worth all = known && e->domain->dot ? e->domain->dot(e, x, y, n) : NO_WORTH;
	if (all != NO_WORTH || !known)
		return all;
	all = multiply_worths(e, x[0], y[0]);
	for (unsigned k = 1; k < n && all != NO_WORTH; k++)
		all = add_worths(e, all, multiply_worths(e, x[k], y[k]));
	return all;
}

/* Returns the worth of the lane that an operand reads at position `position`, in row `row` if it is a matrix.  Sets *def to the instruction that
 * wrote the lane, -1 for an input, a constant or an r# that is not tracked, or -2 if none wrote it. */
static worth worth_at_position(struct evaluation *e, const struct src *s, unsigned position, int row, int32_t *def)
{
	unsigned const lane = swizzle_lane(s->swizzle, position);
	int const index = s->index + row;
	worth x = NO_WORTH;
	*def = s->file == REG_TEMP && index < EVALUATE_TEMPS ? -2 : -1;
	if (s->file == REG_TEMP && index < e->temps) {
		x = e->temp[index][lane];
		*def = e->def[index][lane];
	} else if (s->file == REG_CONST && !s->relative && index < e->literals && e->literal[index]) {
		x = e->domain->literal(e, e->literal[index]->value[lane]);
	}
	if (x == NO_WORTH)
		x = e->domain->given(e, (enum reg_file)s->file, index, lane, s->relative ? e->address[s->relative - 1] : NO_WORTH);
	return s->negate ? worth_negated(e, x) : x;
}

/* Returns the worth of an opcode whose algebra in ops.def is ITSELF, not sums and products.  It is a function of all operand lanes that the current
 * lane of the result is computed from. */
static worth worth_of_opcode(struct evaluation *e)
{
	const struct instr *i = instr_at_hand(e);
	worth x[MAX_SOURCES * LANES];
	unsigned n = 0;
	EACH_SOURCE(s, i) {
		lanes const read = instr_operand_lanes(e->program, i, s, (lanes)(1u << e->lane));
		EACH_LANE(p, read)
			x[n++] = e->use[s].value[p];
	}
	return e->domain->function(e, (enum op)i->op, x, n);
}

/* Returns the worths of all lanes of source `s`.  If it is a matrix, returns those of the row that makes the current lane of the result. */
static const worth *source_lanes(struct evaluation *e, unsigned s, worth row[LANES])
{
	const struct instr *i = instr_at_hand(e);
	int32_t def;
	if (s == 0 || ops[i->op].shape != SHAPE_MATRIX)
		return e->use[s].value;
	for (unsigned k = 0; k < LANES; k++)
		row[k] = e->use[s].read >> k & 1 ? worth_at_position(e, &i->src[s], k, (int)e->lane, &def) : NO_WORTH;
	return row;
}

/* Returns the number of operands that follow the word `word` in a formula of ops.def, such as 2 for SUM. */
static unsigned operand_count(unsigned word)
{
	if (word >= ALGEBRA_OP)
		return ops[word - ALGEBRA_OP].sources;
	if (word == ALGEBRA_MAD)
		return 3;
	return word == ALGEBRA_MINUS ? 1 : word >= ALGEBRA_SUM && word <= ALGEBRA_DOT4 ? 2 : 0;
}

static const uint8_t *skip_formula(const uint8_t *formula)
{
	for (unsigned open = 1; open > 0; formula++)
		open += operand_count(*formula) - 1;
	return formula;
}

/* Computes lane e->lane of the formula at *formula, and moves *formula to the word after that formula. */
static worth worth_of_formula(struct evaluation *e, const uint8_t **formula)
{
	const struct domain *d = e->domain;
	unsigned const word = *(*formula)++, next = (e->lane + 1) % 3, last = (e->lane + 2) % 3, n = operand_count(word);
	worth x[MAX_SOURCES], row[LANES];
	if (word >= ALGEBRA_DOT2 && word <= ALGEBRA_DOT4) {
		const worth *a = source_lanes(e, *(*formula)++, row), *b = source_lanes(e, *(*formula)++, row);
		return worth_of_dot(e, a, b, word - ALGEBRA_DOT2 + 2);
	}
	for (unsigned k = 0; k < n; k++) {
		unsigned const next_word = **formula;
		x[k] = next_word <= ALGEBRA_C ? e->use[next_word - ALGEBRA_A].value[e->lane] : worth_of_formula(e, formula);
		*formula += next_word <= ALGEBRA_C;
	}
	if (word >= ALGEBRA_OP)
		return d->function(e, (enum op)(word - ALGEBRA_OP), x, n);
	switch ((enum algebra)word) {
	case ALGEBRA_A:
	case ALGEBRA_B:
	case ALGEBRA_C: return e->use[word - ALGEBRA_A].value[e->lane];
	case ALGEBRA_A_X: return e->use[0].value[LANE_X];
	case ALGEBRA_C_X: return e->use[2].value[LANE_X];
	case ALGEBRA_A_NEXT: return e->use[0].value[next];
	case ALGEBRA_B_NEXT: return e->use[1].value[next];
	case ALGEBRA_A_LAST: return e->use[0].value[last];
	case ALGEBRA_B_LAST: return e->use[1].value[last];
	case ALGEBRA_ZERO: return d->literal(e, 0);
	case ALGEBRA_ONE: return d->literal(e, 1);
	case ALGEBRA_MINUS: return worth_negated(e, x[0]);
	case ALGEBRA_SUM: return add_worths(e, x[0], x[1]);
	case ALGEBRA_PRODUCT: return multiply_worths(e, x[0], x[1]);
	case ALGEBRA_MAD: return worth_of_mad(e, x[0], x[1], x[2]);
	case ALGEBRA_BY_LANE:
		for (unsigned before = e->lane; before > 0; before--)
			*formula = skip_formula(*formula);
		return worth_of_formula(e, formula);
	case ALGEBRA_ITSELF: return worth_of_opcode(e);
	case ALGEBRA_DOT2:
	case ALGEBRA_DOT3:
	case ALGEBRA_DOT4:
	case ALGEBRA_OP: break; /* handled above */
	}
	return NO_WORTH;
}

worth evaluate_lane(struct evaluation *e)
{
	const uint8_t *formula = ops[instr_at_hand(e)->op].algebra;
	return worth_of_formula(e, &formula);
}

static void read_uses(struct evaluation *e, lanes written)
{
	const struct instr *i = instr_at_hand(e);
	struct use *use = e->uses[e->at];
	memset(use, 0xff, sizeof e->uses[e->at]); /* sets `value` to NO_WORTH and `def` to -1 */
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		struct use *u = &use[s];
		bool const reads = s < ops[i->op].sources && i->src[s].file != REG_SAMPLER;
		u->read = reads ? instr_operand_lanes(e->program, i, s, written) : 0;
		EACH_LANE(p, u->read)
			u->value[p] = worth_at_position(e, &i->src[s], p, 0, &u->def[p]);
	}
	e->use = use;
}

static worth result_lane(struct evaluation *e)
{
	worth x = !e->domain->follows || e->domain->follows(e) ? evaluate_lane(e) : NO_WORTH;
	if (x != NO_WORTH && instr_at_hand(e)->flags & INSTR_SAT)
		x = e->domain->function(e, SATURATED, &x, 1);
	return e->domain->result(e, x);
}

static void store_result(struct evaluation *e, lanes written)
{
	const struct instr *i = instr_at_hand(e);
	worth to[LANES];
	for (e->lane = 0; e->lane < LANES; e->lane++)
		if (written >> e->lane & 1)
			to[e->lane] = result_lane(e);
	for (unsigned s = 1; s < ops[i->op].sources && i->op == OP_SGN; s++) /* sgn clobbers its second and third source */
		for (unsigned l = 0; l < LANES && i->src[s].index < e->temps; l++)
			e->temp[i->src[s].index][l] = NO_WORTH, e->def[i->src[s].index][l] = -2;
	EACH_LANE(l, written) {
		if (i->dst.file == REG_ADDRESS)
			e->address[l] = e->at * LANES + l; /* a new number for each write of a0 */
		if (i->dst.file == REG_TEMP && i->dst.index < e->temps) {
			e->temp[i->dst.index][l] = to[l];
			e->def[i->dst.index][l] = (int32_t)e->at;
		}
	}
}

static void find_defs_by_register(struct arena *arena, struct evaluation *e)
{
	const struct program *p = e->program;
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_DEF && p->decls.at[k].reg.index >= e->literals)
			e->literals = p->decls.at[k].reg.index + 1;
	e->literal = arena_zero(arena, (size_t)e->literals * sizeof *e->literal);
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_DEF)
			e->literal[p->decls.at[k].reg.index] = &p->decls.at[k];
}

static void begin_walk(struct arena *arena, struct evaluation *e)
{
	const struct program *p = e->program;
	e->uses = arena_alloc(arena, (p->instrs.n + 1) * sizeof *e->uses);
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (p->instrs.at[k].dst.file == REG_TEMP && p->instrs.at[k].dst.index >= e->temps)
			e->temps = p->instrs.at[k].dst.index < EVALUATE_TEMPS ? p->instrs.at[k].dst.index + 1 : EVALUATE_TEMPS;
	e->temp = arena_alloc(arena, (size_t)e->temps * sizeof *e->temp);
	e->def = arena_alloc(arena, (size_t)e->temps * sizeof *e->def);
	memset(e->temp, 0xff, (size_t)e->temps * sizeof *e->temp); /* sets all to NO_WORTH */
	memset(e->address, 0xff, sizeof e->address);
	for (int r = 0; r < e->temps; r++)
		for (unsigned l = 0; l < LANES; l++)
			e->def[r][l] = -2;
	find_defs_by_register(arena, e);
}

void evaluate(struct arena *arena, struct evaluation *e, const lanes *needed)
{
	begin_walk(arena, e);
	for (e->at = 0; e->at < e->program->instrs.n; e->at++) {
		lanes const written = needed ? needed[e->at] : instr_writes(instr_at_hand(e));
		if (needed && !written)
			continue;
		read_uses(e, written);
		store_result(e, written);
	}
}

bool as_product_sum(enum op op, struct product_sum *as)
{
	enum { A = ALGEBRA_A, B = ALGEBRA_B, C = ALGEBRA_C, WORDS = 4 };
	static const struct {
		uint8_t formula[WORDS];
		struct product_sum as;
	} known[] = {
		{{A}, {A, NO_TERM, NO_TERM, false}},
		{{ALGEBRA_SUM, A, B}, {A, NO_TERM, B, false}},
		{{ALGEBRA_SUM, A, ALGEBRA_MINUS, B}, {A, NO_TERM, B, true}},
		{{ALGEBRA_PRODUCT, A, B}, {A, B, NO_TERM, false}},
		{{ALGEBRA_MAD, A, B, C}, {A, B, C, false}},
	};
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		if (memcmp(ops[op].algebra, known[k].formula, WORDS) != 0)
			continue;
		*as = known[k].as;
		return true;
	}
	return false;
}
