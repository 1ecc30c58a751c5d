/* Finds what the VP writes to the interpolators, so that FP inputs with equal contents get equal values.
 *
 * The VP's lanes are affine forms like the FP's (values.h), in unknowns: its own inputs, the constants that the application sets, and
 * each product or function that is not affine; equal arguments make the same unknown.  Gaussian elimination then leaves the inputs of the FP
 * that are independent; the others are affine in these, with coefficients from defs, or are numbers themselves.  Elimination treats each
 * kind of interpolation separately.  An input that the VP computes from constants of the application is a constant, too.
 * requires: checked programs; fills: values.inputs. */
#include "move/graph/values.h"

#include <math.h>
#include <string.h>

enum { INPUTS = MOST_TEXCOORDS * LANES, MOST_UNKNOWNS = 4096, FIRST_TABLE = 256 };

/* An unknown.  Two are the same if all fields are equal. */
struct unknown {
	uint16_t what; /* enum op or SATURATED for a function; OP_COUNT + REG_INPUT or REG_CONST for a register lane */
	uint16_t lane; /* lane of the function, see function_lane(), or of the register */
	value_id arg[MAX_SOURCES * LANES]; /* for a function, its operands; for a register lane, the register's number, and a number for the contents
	                                    * of a0 or NO_VALUE if that is not read.  Unused entries are 0, the number of values->zero */
};

/* The facts that are known of an unknown (an input of the VP, a constant that the application sets, or a function that is not affine). */
struct fact {
	value_id value; /* the value that consists of this unknown alone */
	bool flat;   /* computed from constants alone, so that it is the same at all vertices */
	bool chosen; /* the result of a comparison (sge, slt), 0 or 1, or a product with such a result */
};

struct vertex_values {
	struct values *values;
	const struct program *vs;
	struct { VEC(struct unknown); } unknowns; /* unknown k is input INPUTS + k of struct term */
	struct { VEC(struct fact); } facts;       /* one for each unknown */
	uint16_t *table;                          /* open-addressing hash table of unknowns: 1 + index of the unknown, or 0 if the slot is free */
	uint32_t table_size;
	value_id out[INPUTS];                     /* the value that the VP writes to each t# lane; NO_VALUE if none or not known */
	bool moved[INPUTS];                       /* the last write of the t# lane is a mov */
};

/* Returns the unknown's slot in the hash table, or the free slot where it belongs. */
static uint16_t *unknown_slot(const struct vertex_values *v, const struct unknown *u)
{
	uint64_t h = u->what * UINT64_C(0x9e3779b97f4a7c15) + u->lane, two;
	for (unsigned k = 0; k < MAX_SOURCES * LANES; k += 2) {
		memcpy(&two, &u->arg[k], sizeof two);
		h = (h ^ h >> 29 ^ two) * UINT64_C(0xd6e8feb86659fd93);
	}
	uint32_t slot = (uint32_t)(h >> 32) % v->table_size;
	while (v->table[slot] && memcmp(&v->unknowns.at[v->table[slot] - 1], u, sizeof *u) != 0)
		slot = (slot + 1) % v->table_size;
	return &v->table[slot];
}

static void make_unknown_table(struct vertex_values *v, uint32_t size)
{
	v->table_size = size;
	v->table = arena_zero(v->values->arena, size * sizeof *v->table);
	for (uint32_t k = 0; k < v->unknowns.n; k++)
		*unknown_slot(v, &v->unknowns.at[k]) = (uint16_t)(k + 1);
}

/* Returns true if all terms of the value are computed from constants alone, so that it is the same at all vertices. */
static bool is_flat(const struct vertex_values *v, value_id id)
{
	const struct value *x = value_at(v->values, id);
	bool flat = true;
	for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++)
		flat &= v->facts.at[x->terms[t].input - INPUTS].flat;
	return flat;
}

/* Returns true if the value is a constant times a 0 or 1 that a comparison chooses. */
static bool is_chosen_by_vp(const struct vertex_values *v, value_id id)
{
	const struct value *x = value_at(v->values, id);
	return x->class == VALUE_AFFINE && x->nterms == 1 && x->constant == v->values->zero && v->facts.at[x->terms->input - INPUTS].chosen;
}

static struct fact find_fact(const struct vertex_values *v, const struct unknown *u, value_id id)
{
	if (u->what >= OP_COUNT)
		return (struct fact){.value = id, .flat = u->what == OP_COUNT + (int)REG_CONST && u->arg[1] == NO_VALUE};
	struct fact all = {.value = id, .flat = true, .chosen = u->what == OP_SGE || u->what == OP_SLT};
	for (unsigned k = 0; k < MAX_SOURCES * LANES; k++) {
		all.flat &= is_flat(v, u->arg[k]);
		all.chosen |= u->what == OP_MUL && is_chosen_by_vp(v, u->arg[k]);
	}
	return all;
}

static value_id unknown_value(struct vertex_values *v, const struct unknown *u)
{
	uint16_t *place = unknown_slot(v, u);
	if (*place)
		return v->facts.at[*place - 1].value;
	if (v->unknowns.n == MOST_UNKNOWNS)
		return NO_VALUE;
	value_id const id = value_of_input(v->values, INPUTS + v->unknowns.n, 0);
	VEC_PUSH(v->values->arena, &v->unknowns) = *u;
	VEC_PUSH(v->values->arena, &v->facts) = find_fact(v, u, id);
	*place = (uint16_t)v->unknowns.n;
	if (v->unknowns.n * 2 == v->table_size)
		make_unknown_table(v, v->table_size * 2);
	return id;
}

static value_id register_lane(struct vertex_values *v, enum reg_file file, int index, unsigned lane, value_id address)
{
	struct unknown u = {(uint16_t)(OP_COUNT + (int)file), (uint16_t)lane, {(value_id)index, address}};
	return unknown_value(v, &u);
}

static worth vertex_given(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	return file == REG_CONST || file == REG_INPUT ? register_lane(e->self, file, index, lane, by) : NO_VALUE;
}

static worth vertex_literal(struct evaluation *e, float number)
{
	const struct vertex_values *v = e->self;
	return value_of_literal(v->values, number);
}

static worth vertex_minus(struct evaluation *e, worth x)
{
	const struct vertex_values *v = e->self;
	return value_negated(v->values, x);
}

/* If the value is one input times a coefficient, returns the value of that input and multiplies *factor by the coefficient.  Returns any other value
 * unchanged. */
static value_id without_factor(struct vertex_values *v, value_id id, value_id *factor)
{
	const struct value *x = value_at(v->values, id);
	if (x->class != VALUE_AFFINE || x->nterms != 1 || x->constant != v->values->zero)
		return id;
	unsigned input = x->terms[0].input;
	*factor = value_product(v->values, *factor, x->terms[0].coef);
	return value_of_input(v->values, input, 0);
}

static worth vertex_product(struct evaluation *e, worth a, worth b)
{
	struct vertex_values *v = e->self;
	value_id p = value_product(v->values, a, b);
	if (p != NO_VALUE)
		return p;
	value_id factor = v->values->one;
	a = without_factor(v, a, &factor);
	b = without_factor(v, b, &factor);
	struct unknown u = {OP_MUL, 0, {a < b ? a : b, a < b ? b : a}};
	p = unknown_value(v, &u);
	return p == NO_VALUE ? NO_VALUE : value_product(v->values, p, factor);
}

static value_id sum_if_known(struct values *v, value_id a, value_id b)
{
	return a == NO_VALUE || b == NO_VALUE ? NO_VALUE : value_sum(v, a, b);
}

static worth vertex_sum(struct evaluation *e, worth a, worth b)
{
	const struct vertex_values *v = e->self;
	return value_sum(v->values, a, b);
}

/* Returns true if the number has so few binary digits (26) that its computation surely did not round it. */
static bool is_certain(long double x)
{
	enum { DIGITS = 26 };
	int exponent;
	long double m = ldexpl(frexpl(x, &exponent), DIGITS);
	return m == truncl(m);
}

/* Returns the result of max, min, sge or slt if both operands are equal or known numbers, else NO_VALUE.  So the FP's division by a lane that is
 * always 0 is found.  `same` is set if both operands read the same register lane. */
static value_id known_selection(struct vertex_values *v, enum op op, value_id a, value_id b, bool same)
{
	struct values *all = v->values;
	bool below = false;
	if (!same && (a != b || a == NO_VALUE)) {
		if (a == NO_VALUE || b == NO_VALUE || !value_at(all, a)->known || !value_at(all, b)->known)
			return NO_VALUE;
		long double difference = value_at(all, a)->number - value_at(all, b)->number;
		if (!is_certain(difference))
			return NO_VALUE;
		below = difference < 0;
	}
	if (op == OP_MAX || op == OP_MIN)
		return below == (op == OP_MAX) ? b : a;
	if (op == OP_SGE || op == OP_SLT)
		return below == (op == OP_SLT) ? all->one : all->zero;
	return NO_VALUE;
}

/* Returns true if instruction i is `op` and both its operands read the same register lane with the same sign, even if nothing is known of the
 * lane. */
static bool has_equal_operands(const struct instr *i, enum op op, unsigned lane)
{
	const struct src *a = &i->src[0], *b = &i->src[1];
	return i->op == op && ops[op].sources == 2 && a->file == b->file && a->index == b->index && a->relative == b->relative &&
	       a->negate == b->negate && swizzle_lane(a->swizzle, lane) == swizzle_lane(b->swizzle, lane);
}

/* Returns the value of a function that is not affine: its result if known_selection() finds it, else an unknown that stands for it.  Returns NO_VALUE
 * if an operand is NO_VALUE or there are too many unknowns. */
static worth vertex_function(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	struct vertex_values *v = e->self;
	struct unknown u = {(uint16_t)op, (uint16_t)function_lane(e, op), {0}};
	value_id picked = NO_VALUE;
	if (op == OP_ABS)
		picked = known_selection(v, OP_MAX, x[0], x[0] == NO_VALUE ? NO_VALUE : vertex_minus(e, x[0]), false);
	else if (op != SATURATED && ops[op].shape == SHAPE_LANES && n == 2)
		picked = known_selection(v, op, x[0], x[1], has_equal_operands(instr_at_hand(e), op, e->lane));
	for (unsigned k = 0; k < n && picked == NO_VALUE; k++) {
		if (x[k] == NO_VALUE)
			return NO_VALUE;
		u.arg[k] = x[k];
	}
	return picked != NO_VALUE ? picked : unknown_value(v, &u);
}

static worth vertex_result(struct evaluation *e, worth x)
{
	const struct instr *i = instr_at_hand(e);
	struct vertex_values *v = e->self;
	if (i->dst.file == REG_TEX_OUT && i->dst.index < MOST_TEXCOORDS) {
		v->out[i->dst.index * LANES + (int)e->lane] = x;
		v->moved[i->dst.index * LANES + (int)e->lane] = i->op == OP_MOV;
	}
	return x;
}

static const struct domain vertex_numbers = {
	.given = vertex_given, .literal = vertex_literal, .minus = vertex_minus, .sum = vertex_sum, .product = vertex_product,
	.function = vertex_function, .result = vertex_result,
};

/* Returns for each instruction the lanes of its result from which the t# lanes in `read` are computed; for writes of a0, and for sgn, which clobbers
 * registers, all lanes that it writes. */
static lanes *find_lanes_needed(const struct vertex_values *v, const lanes read[MOST_TEXCOORDS])
{
	uint32_t const n = v->vs->instrs.n;
	lanes *needed = arena_zero(v->values->arena, n + 1), temp[MODEL_TEMPS] = {0};
	for (uint32_t k = n; k-- > 0;) {
		const struct instr *i = &v->vs->instrs.at[k];
		bool const to_temp = i->dst.file == REG_TEMP && i->dst.index < MODEL_TEMPS;
		needed[k] = i->dst.file == REG_ADDRESS || i->op == OP_SGN ? MASK_XYZW
		            : to_temp                                                ? temp[i->dst.index]
		            : i->dst.file == REG_TEX_OUT && i->dst.index < MOST_TEXCOORDS ? read[i->dst.index]
		                                                                     : 0;
		needed[k] &= instr_writes(i);
		if (to_temp)
			temp[i->dst.index] &= (lanes)~instr_writes(i);
		for (unsigned s = 0; needed[k] && s < ops[i->op].sources; s++)
			for (int row = i->src[s].index; row < i->src[s].index + (int)instr_rows(i, s); row++)
				if (i->src[s].file == REG_TEMP && row < MODEL_TEMPS)
					temp[row] |= swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(v->vs, i, s, needed[k]));
	}
	return needed;
}

/* Copies the constant `id` of table `from` into table `to`, and returns its number there. */
static value_id constant_in(struct values *to, const struct values *from, value_id id)
{
	const struct value *x = value_at(from, id);
	if (x->op == CONST_LITERAL)
		return value_of_literal(to, (float)x->number);
	value_id args[8];
	for (unsigned k = 0; k < x->nargs; k++)
		args[k] = constant_in(to, from, x->args[k]);
	return value_make(to, (enum const_op)x->op, args, x->nargs);
}

/* If the unknown `input` is a lane of a VP constant that the application sets, returns its value in table `to`.  Returns NO_VALUE if it is not, or
 * if float arithmetic rounds a sum in these programs (values.careful). */
static value_id own_constant(struct values *to, const struct vertex_values *w, unsigned input)
{
	const struct unknown *u = input >= INPUTS ? &w->unknowns.at[input - INPUTS] : NULL;
	bool const plain = u && !to->careful && u->what == OP_COUNT + (int)REG_CONST && u->arg[1] == NO_VALUE && u->arg[0] < MOST_CONSTS;
	return plain ? value_of_raw(to, values_own(to) + (int)u->arg[0], u->lane) : NO_VALUE;
}

static value_id value_of_own_constants(struct values *to, const struct vertex_values *w, value_id id);

/* If the unknown `input` is a lane of a VP constant, or a product of values computed from VP constants, returns its value in table `to`, else
 * NO_VALUE. */
static value_id unknown_of_constants(struct values *to, const struct vertex_values *w, unsigned input)
{
	value_id const own = own_constant(to, w, input);
	if (own != NO_VALUE || input < INPUTS || w->unknowns.at[input - INPUTS].what != OP_MUL)
		return own;
	const struct unknown *u = &w->unknowns.at[input - INPUTS];
	/* Compute the factor of a square only once, or each square in a chain of squares would double the time. */
	value_id const a = value_of_own_constants(to, w, u->arg[0]);
	value_id const b = a == NO_VALUE || u->arg[1] == u->arg[0] ? a : value_of_own_constants(to, w, u->arg[1]);
	return a == NO_VALUE || b == NO_VALUE ? NO_VALUE : value_product(to, a, b);
}

/* If the value is a sum of at most TERMS constants of the VP, or products of such values, each times a literal, plus a literal, returns it as a
 * value of table `to`, else NO_VALUE.  TERMS is so small that the VP needs no more instructions to compute it again. */
static value_id value_of_own_constants(struct values *to, const struct vertex_values *w, value_id id)
{
	enum { TERMS = 2 };
	const struct value *x = value_at(w->values, id);
	if (x->class != VALUE_AFFINE || x->nterms > TERMS || !value_at(w->values, x->constant)->known)
		return NO_VALUE;
	value_id all = constant_in(to, w->values, x->constant);
	for (uint32_t t = 0; t < x->nterms && all != NO_VALUE; t++) {
		value_id const of = unknown_of_constants(to, w, x->terms[t].input);
		if (of == NO_VALUE || !value_at(w->values, x->terms[t].coef)->known)
			return NO_VALUE;
		all = sum_if_known(to, all, value_product(to, of, constant_in(to, w->values, x->terms[t].coef)));
	}
	return all;
}

/* Returns the value, as one of table `to`, if it is a sum of t# lanes and constants of the VP, each times a literal, plus a literal.  Returns
 * NO_VALUE otherwise. */
static value_id in_inputs(struct values *to, const struct vertex_values *w, value_id id, uint8_t kind)
{
	const struct values *from = w->values;
	const struct value *x = value_at(from, id);
	value_id constant = x->class == VALUE_CONST ? id : x->constant;
	if (!value_at(from, constant)->known)
		return NO_VALUE;
	value_id all = constant_in(to, from, constant);
	for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms && all != NO_VALUE; t++) {
		unsigned const input = x->terms[t].input;
		value_id const of = input < INPUTS ? value_of_input(to, input, kind) : own_constant(to, w, input);
		if (of == NO_VALUE || !value_at(from, x->terms[t].coef)->known)
			return NO_VALUE;
		all = sum_if_known(to, all, value_product(to, of, constant_in(to, from, x->terms[t].coef)));
	}
	return all;
}

/* A row of the elimination of unknowns, for one independent input (t# lane): what the VP writes there, minus the input, is 0. */
struct row {
	value_id sum;     /* the value that the VP writes, in unknowns and earlier inputs, minus the input: its value is 0 */
	unsigned unknown; /* the term (`input` of struct term) that the row eliminates from later inputs */
	value_id inverse; /* -1 divided by the coefficient that `unknown` has in the sum */
	uint8_t kind;     /* kind of interpolation of the input */
};

static value_id coefficient(const struct values *v, value_id id, unsigned input)
{
	const struct value *x = value_at(v, id);
	for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++)
		if (x->terms[t].input == input)
			return x->terms[t].coef;
	return NO_VALUE;
}

static bool make_row(struct values *to, const struct vertex_values *w, value_id sum, unsigned input, struct row *row)
{
	struct values *v = w->values;
	const struct value *x = value_at(v, sum);
	if (x->class != VALUE_AFFINE)
		return false;
	value_id coef = NO_VALUE;
	if (!value_at(v, x->constant)->known)
		return false;
	for (uint32_t t = 0; t < x->nterms; t++) {
		if (!value_at(v, x->terms[t].coef)->known)
			return false;
		if (x->terms[t].input < INPUTS || own_constant(to, w, x->terms[t].input) != NO_VALUE)
			continue;
		/* Prefer a coefficient 1, since the division by it is exact. */
		if (coef == NO_VALUE || (coef != v->one && x->terms[t].coef == v->one)) {
			coef = x->terms[t].coef;
			row->unknown = x->terms[t].input;
		}
	}
	if (coef == NO_VALUE)
		return false;
	value_id minus = value_negated(v, v->one);
	value_id const divisor = value_negated(v, coef);
	row->inverse = coef == v->one ? minus : value_make(v, CONST_RCP, &divisor, 1);
	row->sum = sum_if_known(v, sum, value_product(v, value_of_input(v, input, 0), minus));
	return row->sum != NO_VALUE && value_at(v, row->inverse)->known;
}

/* Eliminates the unknowns of the rows of this kind of interpolation from the value, and returns the result, or NO_VALUE if float arithmetic might
 * round it. */
static value_id eliminate_unknowns(struct values *v, value_id form, const struct row *rows, unsigned n, uint8_t kind)
{
	for (unsigned k = 0; k < n && form != NO_VALUE; k++) {
		value_id const coef = rows[k].kind == kind ? coefficient(v, form, rows[k].unknown) : NO_VALUE;
		if (coef != NO_VALUE)
			form = sum_if_known(v, form, value_product(v, rows[k].sum, value_product(v, coef, rows[k].inverse)));
	}
	return form;
}

/* Records the assumed size of an independent input.  The number that the VP adds to it is part of the size, because the FP may subtract that
 * again. */
static void note_size(struct values *v, unsigned input, const struct value *x)
{
	v->inputs.size[input].offset = x->known ? (double)x->number : x->offset;
	v->inputs.size[input].scale = x->scale;
}

void values_find_inputs(struct values *v, const struct program *vs, const lanes read[MOST_TEXCOORDS])
{
	lanes asked[MOST_TEXCOORDS];
	bool any = false;
	for (unsigned t = 0; t < MOST_TEXCOORDS; t++) {
		/* If the FP reads a lane that the VP never writes, the t# stays as it is, so that all its other lanes count as read. */
		lanes found = (read[t] & v->inputs.opaque[t] ? MASK_XYZW : read[t]) & (lanes)~v->inputs.opaque[t];
		for (unsigned l = 0; l < LANES; l++)
			v->inputs.value[t * LANES + l] = found >> l & 1 ? value_of_input(v, t * LANES + l, v->inputs.kind[t]) : NO_VALUE;
		asked[t] = found;
		any |= found != 0;
	}
	if (!any)
		return;
	struct vertex_values *w = arena_zero(v->arena, sizeof *w);
	w->values = values_new(v->arena, vs, v->careful);
	w->vs = vs;
	make_unknown_table(w, FIRST_TABLE);
	memset(w->out, 0xff, sizeof w->out); /* sets all to NO_VALUE */
	struct evaluation e = {.domain = &vertex_numbers, .self = w, .program = vs};
	evaluate(v->arena, &e, find_lanes_needed(w, asked));
	v->rounds |= w->values->rounds;
	struct row rows[INPUTS];
	unsigned n = 0;
	/* First the inputs that a mov writes, so that others are expressed by values that the VP has in a register. */
	for (unsigned pass = 0; pass < 2; pass++) {
		for (unsigned i = 0; i < INPUTS; i++) {
			value_id form = w->out[i];
			if (v->inputs.value[i] == NO_VALUE || form == NO_VALUE || w->moved[i] != (pass == 0))
				continue;
			v->inputs.chosen[i] = is_chosen_by_vp(w, form) && is_flat(w, form);
			uint8_t const kind = v->inputs.kind[i / LANES];
			form = eliminate_unknowns(w->values, form, rows, n, kind);
			if (form == NO_VALUE)
				continue;
			value_id id = value_of_own_constants(v, w, form);
			if (id != NO_VALUE) {
				v->inputs.value[i] = id;
				continue;
			}
			id = in_inputs(v, w, form, kind);
			rows[n].kind = kind;
			if (id == NO_VALUE)
				note_size(v, i, value_at(w->values, form));
			if (id != NO_VALUE && !((v->careful || (v->apart && id != v->zero)) && value_at(v, id)->known))
				v->inputs.value[i] = id;
			else if (make_row(v, w, form, i, &rows[n]))
				n++;
		}
	}
}
