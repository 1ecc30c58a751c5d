/* Splits the value of a delivered lane into a sum: inputs times factors, constants that must be computed (atoms) times literals, and a literal. */
#include "move/cover/vertex_sum.h"

/* ---- constants ----------------------------------------------------------------------------- */

/* A constant as a sum of atoms (constants that are not split further) times literals, plus a rest: a literal, or a constant that the application
 * sets. */
struct linear {
	unsigned n;
	value_id atom[MOST_ATOMS], factor[MOST_ATOMS], rest;
};

static bool known(const struct values *v, value_id id)
{
	return value_at(v, id)->known;
}

/* Adds an atom (a constant that is not split further) times a factor to the sum.  Returns false if there are too many atoms, or the sum of its
 * factors is beyond what a float holds. */
static bool add_atom(struct values *v, struct linear *sum, value_id atom, value_id factor)
{
	unsigned k = 0;
	while (k < sum->n && sum->atom[k] != atom)
		k++;
	if (k == MOST_ATOMS)
		return false;
	if (k == sum->n) {
		sum->atom[k] = atom;
		sum->factor[k] = v->zero;
		sum->n++;
	}
	sum->factor[k] = value_sum(v, sum->factor[k], factor);
	if (sum->factor[k] == v->zero) {
		sum->n--;
		sum->atom[k] = sum->atom[sum->n];
		sum->factor[k] = sum->factor[sum->n];
		return true;
	}
	return known(v, sum->factor[k]);
}

/* Splits a constant into atoms and a literal, and adds these times `factor` to the sum.  Returns false if there are too many atoms, or a number is
 * beyond what a float holds. */
static bool add_linear(struct values *v, struct linear *sum, value_id id, value_id factor)
{
	struct value const x = *value_at(v, id);
	if (!known(v, factor))
		return false;
	if (x.known) {
		sum->rest = value_sum(v, sum->rest, value_product(v, id, factor));
		return known(v, sum->rest);
	}
	bool pairs = x.op == CONST_MUL || x.op == CONST_MAD || x.op == CONST_DP3 || x.op == CONST_DP4;
	unsigned products = x.op == CONST_MAD ? 2 : x.nargs;
	for (unsigned k = 0; pairs && k < products; k += 2)
		pairs &= known(v, x.args[k]) || known(v, x.args[k + 1]);
	if (x.op == CONST_NEG)
		return add_linear(v, sum, x.args[0], value_negated(v, factor));
	if (x.op == CONST_ADD)
		return add_linear(v, sum, x.args[0], factor) && add_linear(v, sum, x.args[1], factor);
	if (!pairs)
		return add_atom(v, sum, id, factor);
	for (unsigned k = 0; k < products; k += 2) {
		unsigned number = known(v, x.args[k]) ? 0 : 1;
		if (!add_linear(v, sum, x.args[k + 1 - number], value_product(v, factor, x.args[k + number])))
			return false;
	}
	return x.op != CONST_MAD || add_linear(v, sum, x.args[2], factor);
}

void sums_find_finite(struct vertex_start *w)
{
	lanes wild[EVALUATE_TEMPS] = {0}; /* lanes of r# that may be infinite */
	for (uint32_t k = 0; k < w->old->instrs.n; k++) {
		const struct instr *i = &w->old->instrs.at[k];
		enum op_shape shape = ops[i->op].shape;
		bool may = shape == SHAPE_SCALAR || shape == SHAPE_EXPP || shape == SHAPE_LOGP || shape == SHAPE_LIT ||
		           shape == SHAPE_NRM;
		EACH_SOURCE(s, i)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				may |= (wild[i->src[s].index + (int)row] & instr_reads(w->old, i, s)) != 0;
		if (i->dst.file != REG_TEMP && (i->dst.file != REG_TEX_OUT || i->dst.index >= INTERPOLATORS))
			continue;
		lanes *to = i->dst.file == REG_TEMP ? &wild[i->dst.index] : &w->finite[i->dst.index];
		bool set = may == (i->dst.file == REG_TEMP);
		*to = (lanes)(set ? *to | instr_writes(i) : *to & ~instr_writes(i));
	}
}

/* ---- lanes --------------------------------------------------------------------------------- */

static struct summand input_lane(const struct vertex_writer *w, unsigned input, value_id factor)
{
	bool finite = w->start->finite[input / LANES] >> input % LANES & 1;
	return (struct summand){.place = PLACE_INPUT, .finite = finite, .at = w->input[input].place, .atom = NO_VALUE, .factor = factor};
}

/* Splits a constant into atoms times literals, plus a literal.  Keeps it whole if the application can set it, no constant register is free for
 * literals, or it has too many atoms. */
static struct linear linear_of(const struct vertex_writer *w, value_id id)
{
	struct values *v = w->values;
	struct linear parts = {.rest = v->zero};
	if (w->options->preshader && vertex_settable(w, id))
		return (struct linear){.rest = id};
	if (w->start->has_constant && add_linear(v, &parts, id, v->one))
		return parts;
	return (struct linear){.n = 1, .atom = {id}, .factor = {v->one}, .rest = v->zero};
}

void sum_of_lane(struct vertex_writer *w, value_id id, int raw, struct lane_sum *sum)
{
	struct values *v = w->values;
	sum->n = 0;
	sum->rest = v->zero;
	if (raw >= 0) {
		sum->of[sum->n++] = input_lane(w, (unsigned)raw, v->one);
		return;
	}
	struct value const x = *value_at(v, id);
	for (uint32_t t = 0; x.class == VALUE_AFFINE && t < x.nterms; t++) {
		struct summand s = input_lane(w, x.terms[t].input, x.terms[t].coef);
		if (s.at.negate && known(v, s.factor)) {
			s.factor = value_negated(v, s.factor);
			s.at.negate = false;
		}
		sum->of[sum->n++] = s;
	}
	struct linear const constant = linear_of(w, x.class == VALUE_CONST ? id : x.constant);
	for (unsigned k = 0; k < constant.n; k++) {
		struct value const a = *value_at(v, constant.atom[k]);
		struct summand s = {.place = PLACE_MADE, .finite = !a.infinite, .atom = constant.atom[k], .factor = constant.factor[k]};
		if (a.op == CONST_RAW)
			w->depends_on |= DEPENDS_ON_WAY;
		if (a.op == CONST_RAW && !w->how->gather) {
			s.place = PLACE_RAW;
			s.at = (struct vs_lane){.file = REG_CONST, .index = a.reg, .lane = a.lane};
		}
		sum->of[sum->n++] = s;
	}
	sum->rest = constant.rest;
}
