/* Lanes as sums of registers times numbers, for vertex_program.c.
 *
 * What a lane adds to its inputs is taken apart into constants that must be computed (atoms), each times
 * a number.  Lanes of one oT line up in columns: one register, read through any swizzle, times a vector of
 * numbers, 0 where a lane has nothing of it.  A column is one mad, so (v1.x, v1.y - 3 c1.x) and
 * (v1.x + c1.y, v1.y) need a mov of c1 and a mad each, instead of two built vectors.  A lane by itself may be a dot product. */
#include "move/cover/vertex.h"

#include <limits.h>
#include <string.h>

enum { MOST_ATOMS = 8, MOST_COLUMNS = INTERPOLATORS * LANES + MOST_ATOMS }; /* a lane has no more of either */

/* A constant as a sum of atoms times numbers, plus a number. */
struct linear {
	unsigned n;
	value_id atom[MOST_ATOMS], factor[MOST_ATOMS], rest;
};

static bool known(const struct values *v, value_id id)
{
	return value_at(v, id)->known;
}

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

static bool add_linear(struct values *v, struct linear *sum, value_id id, value_id factor)
{
	struct value const x = *value_at(v, id);
	if (!known(v, factor)) /* beyond what a float holds */
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

/* Not infinite, unless the application's numbers are: 0 times it is 0. */
static bool is_finite(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	bool finite = x->op != CONST_RCP && x->op != CONST_RSQ && x->op != CONST_EXP && x->op != CONST_LOG && x->op != CONST_POW;
	for (unsigned k = 0; k < x->nargs && finite; k++)
		finite = is_finite(v, x->args[k]);
	return finite;
}

/* The same of the values of the old oT lanes. */
void linear_find_finite(struct vertex_start *w)
{
	lanes wild[VALUE_TEMPS] = {0};
	for (uint32_t k = 0; k < w->old->instrs.n; k++) {
		const struct instr *i = &w->old->instrs.at[k];
		enum op_shape shape = ops[i->op].shape;
		bool may = shape == SHAPE_SCALAR || shape == SHAPE_EXPP || shape == SHAPE_LOGP || shape == SHAPE_LIT ||
		           shape == SHAPE_NRM;
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				may |= (wild[i->src[s].index + (int)row] & instr_reads(w->old, i, s)) != 0;
		if (i->dst.file != REG_TEMP && i->dst.file != REG_TEX_OUT)
			continue;
		lanes *to = i->dst.file == REG_TEMP ? &wild[i->dst.index] : &w->finite[i->dst.index];
		bool set = may == (i->dst.file == REG_TEMP);
		*to = (lanes)(set ? *to | instr_writes(i) : *to & ~instr_writes(i));
	}
}

/* ---- columns ---------------------------------------------------------------------------- */

enum origin { PLACE_INPUT, PLACE_RAW, PLACE_MADE };

/* One summand of a lane. */
struct summand {
	uint8_t place; /* enum origin */
	bool finite;
	struct vs_lane at; /* PLACE_INPUT; of PLACE_RAW the constant, as values number it, and its lane */
	value_id atom;     /* PLACE_RAW, PLACE_MADE */
	value_id factor;
};

struct lane_sum {
	unsigned n;
	struct summand of[MOST_COLUMNS];
	value_id rest;
};

struct column {
	const struct summand *first; /* all are of its register */
	const struct summand *fill;  /* one that is finite; NULL: none is */
	lanes has;                   /* lanes that have a summand; the others of the group have 0 times one, or 0 */
	bool number, plain, minus;   /* factors that are all known; all 1; all -1 */
	uint8_t lane[LANES];         /* of that register; */
	value_id atom[LANES];        /* ... or what it is to hold */
	value_id factor[LANES];
};

struct columns {
	unsigned n;
	struct column at[MOST_COLUMNS];
	value_id rest[LANES];
	bool offset;
};

static struct summand input_lane(const struct vertex_writer *w, unsigned input, value_id factor)
{
	bool finite = w->start->finite[input / LANES] >> input % LANES & 1;
	return (struct summand){PLACE_INPUT, finite, w->input[input].place, NO_VALUE, factor};
}

/* As it is, where the application sets it, no register has room for the numbers, or it has too many parts. */
static struct linear linear_of(const struct vertex_writer *w, value_id id)
{
	struct values *v = w->values;
	struct linear parts = {.rest = v->zero};
	if (w->options->preshader && vertex_settable(w, id))
		return (struct linear){.rest = id};
	return w->start->has_constant && add_linear(v, &parts, id, v->one) ? parts : (struct linear){.n = 1, .atom = {id}, .factor = {v->one}, .rest = v->zero};
}

/* The lane as a sum.  `raw`: the old lane that it is, or -1.  `same`: left if it is so, gathered or not. */
static void lane_of(struct vertex_writer *w, value_id id, int raw, bool gather, bool *same, struct lane_sum *sum)
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
		struct summand s = {PLACE_MADE, is_finite(v, constant.atom[k]), {0}, constant.atom[k], constant.factor[k]};
		*same &= a.op != CONST_RAW;
		if (a.op == CONST_RAW && !gather)
			s.place = PLACE_RAW;
		if (s.place == PLACE_RAW)
			s.at = (struct vs_lane){REG_CONST, a.reg, a.lane, false};
		sum->of[sum->n++] = s;
	}
	sum->rest = constant.rest;
}

static bool same_place(const struct summand *a, const struct summand *b)
{
	return a->place == b->place && a->at.file == b->at.file && a->at.index == b->at.index && a->at.negate == b->at.negate;
}

static void set_lane(struct column *c, unsigned l, const struct summand *s, value_id factor)
{
	c->lane[l] = s->at.lane;
	c->atom[l] = s->atom;
	c->factor[l] = factor;
}

/* Lines the lanes up; false: not to be had. */
static bool line_up(const struct vertex_writer *w, const struct lane_sum *sums, lanes group, struct columns *c)
{
	struct values *v = w->values;
	value_id const minus = value_find_negated(v, v->one);
	c->n = 0;
	c->offset = false;
	for (unsigned l = 0; l < LANES; l++) {
		c->rest[l] = group >> l & 1 ? sums[l].rest : v->zero;
		c->offset |= c->rest[l] != v->zero;
		/* What needs no factor comes first, so that it shares columns that need none. */
		for (unsigned k = 0; group >> l & 1 && k < 2 * sums[l].n; k++) {
			const struct summand *s = &sums[l].of[k % sums[l].n];
			unsigned n = 0;
			if ((s->factor == v->one) != (k < sums[l].n))
				continue;
			while (n < c->n && (c->at[n].has >> l & 1 || !same_place(c->at[n].first, s)))
				n++;
			if (n == MOST_COLUMNS)
				return false;
			struct column *column = &c->at[n];
			if (n == c->n) {
				*column = (struct column){.first = s, .number = true, .plain = true, .minus = true};
				c->n++;
			}
			set_lane(column, l, s, s->factor);
			column->has |= (lanes)(1u << l);
			column->fill = s->finite ? s : column->fill;
			column->number &= known(v, s->factor);
			column->plain &= s->factor == v->one;
			column->minus &= s->factor == minus;
		}
	}
	c->offset |= c->n == 0;
	for (unsigned n = 0; n < c->n; n++) {
		struct column *column = &c->at[n];
		lanes const absent = group & (lanes)~column->has;
		if (!absent)
			continue;
		const struct summand *fill = column->fill;
		bool const made = column->first->place == PLACE_MADE;
		if (!fill && !made)
			return false;
		for (unsigned l = 0; l < LANES; l++) {
			if (!(absent >> l & 1))
				continue;
			set_lane(column, l, fill ? fill : column->first, fill ? v->zero : column->first->factor);
			if (!fill)
				column->atom[l] = v->zero;
		}
		column->plain &= !fill;
		column->minus &= !fill;
	}
	return true;
}

static void factors_of(const struct column *c, lanes group, value_id factor[LANES])
{
	for (unsigned l = 0; l < LANES; l++)
		factor[l] = group >> l & 1 ? c->factor[l] : NO_VALUE;
}

/* Are its factors in a temporary, so that the constant can be read where it is? */
static bool is_selected(const struct vertex_writer *w, const struct column *c)
{
	return w->how->select && c->first->place == PLACE_RAW && c->number && !c->plain && !c->minus;
}

/* A column whose factors stand in one register with the offset. */
static int partner(const struct vertex_writer *w, const struct columns *c, lanes group)
{
	for (unsigned n = 0; n < c->n; n++) {
		value_id factor[LANES];
		factors_of(&c->at[n], group, factor);
		if (c->at[n].number && !c->at[n].plain && !c->at[n].minus && !is_selected(w, &c->at[n]) && vertex_literals_fit(factor, c->rest, group))
			return (int)n;
	}
	return -1;
}

/* Is the sum a dot product of one register with these lanes of one constant, and the rest? */
static bool is_dot(const struct vertex_writer *w, const struct lane_sum *sum, value_id by[LANES])
{
	bool dot = sum->n == 3 || sum->n == 4;
	for (unsigned k = 0; dot && k < sum->n; k++) {
		const struct value *x = value_at(w->values, sum->of[k].factor), *first = value_at(w->values, sum->of[0].factor);
		bool const one_register = x->op == CONST_RAW && first->op == CONST_RAW && x->reg == first->reg;
		dot = sum->of[k].place == PLACE_INPUT && same_place(&sum->of[k], &sum->of[0]) &&
		      (one_register || (x->known && first->known) || (w->options->preshader && vertex_settable(w, sum->of[k].factor)));
		by[k] = sum->of[k].factor;
	}
	return dot;
}

/* Instructions, but for the movs of constants that others may share. */
static unsigned cost(const struct vertex_writer *w, const struct lane_sum *sums, lanes group)
{
	struct columns c;
	value_id by[LANES];
	const struct lane_sum *one = &sums[first_lane(group)];
	if (!(group & (group - 1)) && is_dot(w, one, by))
		return one->rest == w->values->zero ? 1 : 2;
	if (!line_up(w, sums, group, &c))
		return UINT_MAX;
	unsigned n = c.n + c.offset, plain = 0, scaled = 0;
	for (unsigned k = 0; k < c.n; k++) {
		value_id factor[LANES];
		factors_of(&c.at[k], group, factor);
		if (!c.at[k].number)
			n += vertex_constant_cost(w, factor, group);
		plain += c.at[k].plain || c.at[k].minus;
		scaled += c.at[k].number && !c.at[k].plain && !c.at[k].minus;
	}
	if (scaled && !w->start->has_constant && group & (group - 1))
		return UINT_MAX; /* a lane alone may need no numbers */
	if (n > 1 && (plain || c.offset))
		n--;
	if (c.offset && scaled && !plain && partner(w, &c, group) < 0)
		n++;
	return n;
}

/* ---- code --------------------------------------------------------------------------------- */

static struct src column_source(struct vertex_writer *w, const struct column *c, lanes group)
{
	unsigned lane[LANES] = {0};
	value_id atom[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	const struct summand *first = c->first;
	for (unsigned l = 0; l < LANES; l++) {
		lane[l] = c->lane[l];
		atom[l] = c->atom[l];
	}
	bool scaled = !c->plain && !c->minus;
	w->asked.select |= first->place == PLACE_RAW && scaled;
	if (first->place == PLACE_INPUT)
		return (struct src){.file = first->at.file, .index = first->at.index, .negate = first->at.negate,
		                    .swizzle = vertex_swizzle(lane, group), .at = SRCPOS_NONE};
	if (first->place == PLACE_RAW && scaled && !w->how->select) {
		/* All of the register that is wanted anywhere comes along. */
		value_id all[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
		for (unsigned l = 0; l < LANES; l++)
			if (w->raw_lanes[first->at.index] >> l & 1)
				all[l] = value_of_raw(w->values, first->at.index, l);
		vertex_constant(w, all, w->raw_lanes[first->at.index], true);
	}
	return vertex_constant(w, atom, group, scaled && !is_selected(w, c));
}

/* The column's register times its factors, plus `acc` if there is a sum already. */
static void put_column(struct vertex_writer *w, const struct column *c, struct src source, const struct src *factor,
                       const struct src *acc, enum reg_file file, int index, lanes group)
{
	struct instr i = {.op = OP_MOV, .src = {source}};
	if (c->plain || c->minus) {
		unsigned const at = acc && c->first->place != PLACE_INPUT; /* inputs stand first, as people write it */
		source.negate = source.negate != c->minus;
		i.op = acc ? OP_ADD : OP_MOV;
		i.src[at] = source;
		if (acc)
			i.src[1 - at] = *acc;
	} else {
		i.op = acc ? OP_MAD : OP_MUL;
		i.src[1] = *factor;
		if (acc)
			i.src[2] = *acc;
	}
	vertex_put(w, &i, file, index, group);
}

static void put_dot(struct vertex_writer *w, enum reg_file file, int reg, const struct lane_sum *sum, const value_id by[LANES], lanes lane)
{
	bool const alone = sum->rest == w->values->zero;
	lanes const read = sum->n == 3 ? MASK_XYZ : MASK_XYZW;
	const struct vs_lane *at = &sum->of[0].at;
	unsigned from[LANES] = {0};
	for (unsigned k = 0; k < sum->n; k++)
		from[k] = sum->of[k].at.lane;
	struct instr dot = {.op = sum->n == 3 ? OP_DP3 : OP_DP4};
	dot.src[0] = (struct src){.file = at->file, .index = at->index, .negate = at->negate, .swizzle = vertex_swizzle(from, read), .at = SRCPOS_NONE};
	dot.src[1] = vertex_constant(w, by, read, false);
	int const temp = alone ? 0 : w->next_temp++;
	vertex_put(w, &dot, alone ? file : REG_TEMP, alone ? reg : temp, lane);
	if (alone)
		return;
	value_id const rest[LANES] = {sum->rest, sum->rest, sum->rest, sum->rest};
	struct instr add = {.op = OP_ADD, .src = {src_temp(temp), vertex_constant(w, rest, lane, false)}};
	vertex_put(w, &add, file, reg, lane);
}

static void put_group(struct vertex_writer *w, enum reg_file file, int reg, const struct lane_sum *sums, lanes group)
{
	value_id by[LANES];
	if (!(group & (group - 1)) && is_dot(w, &sums[first_lane(group)], by)) {
		put_dot(w, file, reg, &sums[first_lane(group)], by, group);
		return;
	}
	struct columns c;
	struct src source[MOST_COLUMNS], factor[MOST_COLUMNS], acc = {.file = REG_TEMP};
	bool done[MOST_COLUMNS] = {false}, started = false;
	if (!line_up(w, sums, group, &c)) {
		w->failed = true;
		return;
	}
	int with = c.offset ? partner(w, &c, group) : -1;
	/* Scaled constants are in temporaries, where the others then find theirs. */
	for (unsigned n = 0; n < 2 * c.n; n++) {
		unsigned k = n % c.n;
		const struct column *column = &c.at[k];
		value_id factors[LANES];
		if ((column->plain || column->minus) != (n >= c.n))
			continue;
		factors_of(column, group, factors);
		source[k] = column_source(w, column, group);
		if ((int)k == with)
			vertex_literals(w, factors, c.rest, group, &factor[k], &acc);
		else if (!column->plain && !column->minus)
			factor[k] = vertex_constant(w, factors, group, is_selected(w, column));
	}
	unsigned left = c.n;
	int next = with;
	if (c.offset) {
		if (with < 0)
			acc = vertex_constant(w, c.rest, group, false);
		started = true;
	}
	for (unsigned k = 0; k < c.n && c.n > 1 && !started; k++) {
		if (!c.at[k].plain && !c.at[k].minus)
			continue;
		/* The port for constants may be for factors. */
		for (unsigned o = 0; o < c.n && source[k].file == REG_CONST && next < 0; o++)
			if (o != k && !c.at[o].plain && !c.at[o].minus && (factor[o].file != REG_CONST || factor[o].index == source[k].index))
				next = (int)o;
		if (source[k].file == REG_CONST && next < 0)
			continue;
		acc = source[k];
		acc.negate = acc.negate != c.at[k].minus;
		done[k] = started = true;
		left--;
	}
	if (left == 0) {
		struct instr mov = {.op = OP_MOV, .src = {acc}};
		vertex_put(w, &mov, file, reg, group);
		return;
	}
	int temp = left > 1 ? w->next_temp++ : 0;
	for (; left; left--) {
		/* Scaled ones first; a sum with a constant register waits for what needs none. */
		for (unsigned pass = 0; pass < 3 && next < 0; pass++)
			for (unsigned k = 0; k < c.n && next < 0; k++) {
				bool plain = c.at[k].plain || c.at[k].minus;
				if (!done[k] && (pass == 0 ? !plain : pass == 1 ? plain && source[k].file != REG_CONST : plain))
					next = (int)k;
			}
		put_column(w, &c.at[next], source[next], &factor[next], started ? &acc : NULL, left > 1 ? REG_TEMP : file,
		           left > 1 ? temp : reg, group);
		done[next] = started = true;
		next = -1;
		acc = src_temp(temp);
	}
}

/* The best way to part the lanes into groups: its cost, and for each set of lanes the first of them. */
static unsigned best_parts(const struct vertex_writer *w, const struct lane_sum *sums, lanes todo, lanes part[MASK_XYZW + 1])
{
	unsigned best[MASK_XYZW + 1] = {0}, alone[MASK_XYZW + 1];
	for (unsigned all = 1; all <= todo; all++) {
		if (all & ~(unsigned)todo)
			continue;
		best[all] = UINT_MAX;
		part[all] = 0;
		alone[all] = cost(w, sums, (lanes)all);
		for (unsigned sub = all & -all; sub; sub = (sub - all) & all) {
			unsigned n = sub & all & -all ? alone[sub] : UINT_MAX;
			if (n == UINT_MAX || best[all & ~sub] == UINT_MAX || n + best[all & ~sub] >= best[all])
				continue;
			best[all] = n + best[all & ~sub];
			part[all] = (lanes)sub;
		}
	}
	return best[todo];
}

/* The instructions that it takes, constants apart. */
static unsigned put_sums(struct vertex_writer *w, enum reg_file file, int reg, const struct lane_sum *sums, lanes todo)
{
	lanes part[MASK_XYZW + 1];
	unsigned const n = best_parts(w, sums, todo, part);
	w->failed |= n == UINT_MAX;
	for (lanes left = todo; left && !w->failed; left &= (lanes)~part[left])
		put_group(w, file, reg, sums, part[left]);
	return n;
}

/* ---- a register that several oT begin with --------------------------------------------------- */

struct shared {
	int reg; /* temporary */
	unsigned n;
	struct lane_sum lane[LANES];
};

enum { MOST_SHARED = 6 };

static bool same_summand(const struct summand *a, const struct summand *b)
{
	return same_place(a, b) && a->at.lane == b->at.lane && a->atom == b->atom && a->factor == b->factor;
}

static bool has_summand(const struct lane_sum *sum, const struct summand *s)
{
	unsigned k = 0;
	while (k < sum->n && !same_summand(&sum->of[k], s))
		k++;
	return k < sum->n;
}

static bool contains(const struct lane_sum *sum, const struct lane_sum *part)
{
	unsigned k = 0;
	while (k < part->n && has_summand(sum, &part->of[k]))
		k++;
	return k == part->n;
}

/* The lane with its largest part that is shared read from there. */
static void begin_with(const struct shared *shared, value_id one, struct lane_sum *sum)
{
	int best = -1;
	for (unsigned k = 0; k < shared->n; k++)
		if (contains(sum, &shared->lane[k]) && (best < 0 || shared->lane[k].n > shared->lane[best].n))
			best = (int)k;
	if (best < 0)
		return;
	struct summand at = {PLACE_INPUT, true, {REG_TEMP, (int16_t)shared->reg, (uint8_t)best, false}, NO_VALUE, one};
	unsigned n = 0;
	for (unsigned k = 0; k < sum->n; k++) {
		at.finite &= sum->of[k].finite || !has_summand(&shared->lane[best], &sum->of[k]);
		if (!has_summand(&shared->lane[best], &sum->of[k]))
			sum->of[n++] = sum->of[k];
	}
	sum->of[n] = at;
	sum->n = n + 1;
}

/* What is to be computed of all oT as sums. */
struct all_sums {
	lanes todo[INTERPOLATORS];
	struct lane_sum sum[INTERPOLATORS][LANES];
};

/* The lanes of an oT that are to be computed. */
static lanes find_sums(struct vertex_writer *w, int reg, struct lane_sum sums[LANES])
{
	lanes todo = 0;
	bool same = true;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = w->layout->lane[reg][l];
		if (id == NO_VALUE || w->done[reg] >> l & 1 || value_at(w->values, id)->class == VALUE_PIXEL)
			continue;
		lane_of(w, id, w->sources->raw[reg][l], w->how->mode[reg] == DELIVER_GATHERED, &same, &sums[l]);
		todo |= (lanes)(1u << l);
	}
	if (same)
		w->asked.same |= (uint8_t)(1u << reg);
	return todo;
}

/* What two lanes have in common, if anything. */
static struct lane_sum in_common(const struct vertex_writer *w, const struct lane_sum *a, const struct lane_sum *b)
{
	struct lane_sum both = {.n = 0, .rest = w->values->zero};
	for (unsigned k = 0; k < a->n; k++)
		if (has_summand(b, &a->of[k]))
			both.of[both.n++] = a->of[k];
	return both;
}

/* Parts that most lanes have in common. */
static unsigned find_parts(const struct vertex_writer *w, const struct all_sums *all, struct lane_sum parts[MOST_SHARED])
{
	unsigned n = 0, times[MOST_SHARED];
	for (unsigned a = 0; a < INTERPOLATORS * LANES; a++) {
		for (unsigned b = a + 1; b < INTERPOLATORS * LANES; b++) {
			if (!(all->todo[a / LANES] >> a % LANES & 1) || !(all->todo[b / LANES] >> b % LANES & 1))
				continue;
			struct lane_sum both = in_common(w, &all->sum[a / LANES][a % LANES], &all->sum[b / LANES][b % LANES]);
			unsigned k = 0, count = 0;
			while (k < n && (parts[k].n != both.n || !contains(&parts[k], &both)))
				k++;
			if (both.n == 0 || k < n)
				continue;
			for (unsigned c = 0; c < INTERPOLATORS * LANES; c++)
				count += all->todo[c / LANES] >> c % LANES & 1 && contains(&all->sum[c / LANES][c % LANES], &both);
			for (k = 0; k < n && times[k] >= count; k++)
				;
			if (k == MOST_SHARED)
				continue;
			n += n < MOST_SHARED;
			memmove(&parts[k + 1], &parts[k], (n - k - 1) * sizeof *parts);
			memmove(&times[k + 1], &times[k], (n - k - 1) * sizeof *times);
			parts[k] = both;
			times[k] = count;
		}
	}
	return n;
}

/* Registers that must be in temporaries for these sums, one mov each: as a set of FP constants. */
static void note_movs(const struct vertex_writer *w, const struct lane_sum *sums, lanes todo, uint64_t *movs)
{
	value_id const one = w->values->one, minus = value_find_negated(w->values, one);
	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned k = 0; todo >> l & 1 && k < sums[l].n; k++) {
			const struct summand *s = &sums[l].of[k];
			if (s->place == PLACE_RAW && s->factor != one && s->factor != minus)
				*movs |= UINT64_C(1) << s->at.index % 64;
		}
	}
}

/* Instructions for all of it with that shared; UINT_MAX: not to be had. */
static unsigned shared_cost(const struct vertex_writer *w, const struct all_sums *all, const struct shared *shared)
{
	lanes part[MASK_XYZW + 1];
	uint64_t movs = 0;
	lanes const mine = (lanes)((1u << shared->n) - 1);
	unsigned n = shared->n ? best_parts(w, shared->lane, mine, part) : 0;
	note_movs(w, shared->lane, mine, &movs);
	for (int r = 0; r < INTERPOLATORS && n != UINT_MAX; r++) {
		struct lane_sum sums[LANES];
		if (!all->todo[r])
			continue;
		memcpy(sums, all->sum[r], sizeof sums);
		for (unsigned l = 0; l < LANES; l++)
			if (all->todo[r] >> l & 1)
				begin_with(shared, w->values->one, &sums[l]);
		note_movs(w, sums, all->todo[r], &movs);
		unsigned more = best_parts(w, sums, all->todo[r], part);
		n = more == UINT_MAX ? UINT_MAX : n + more;
	}
	for (; movs && n != UINT_MAX && !w->how->select; movs &= movs - 1)
		n++;
	return n;
}

/* Would lanes begin with the same, or stand beside sums of their oT instead of in the VP's own mov? */
static bool can_share(const struct vertex_writer *w)
{
	const struct all_sums *all = w->all;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (all->todo[r] && w->beside[r])
			return true;
	for (unsigned a = 0; a < INTERPOLATORS * LANES; a++) {
		const struct lane_sum *sum = &all->sum[a / LANES][a % LANES];
		for (unsigned b = a + 1; all->todo[a / LANES] >> a % LANES & 1 && b < INTERPOLATORS * LANES; b++)
			for (unsigned k = 0; all->todo[b / LANES] >> b % LANES & 1 && k < sum->n; k++)
				if (has_summand(&all->sum[b / LANES][b % LANES], &sum->of[k]))
					return true;
	}
	return false;
}

/* Looks for a register of partial sums that makes all sums shorter. */
static void find_shared(struct vertex_writer *w)
{
	const struct all_sums *all = w->all;
	struct lane_sum parts[MOST_SHARED];
	unsigned nparts = w->failed ? 0 : find_parts(w, all, parts), least = UINT_MAX, registers = 0;
	int const reg = w->next_temp;
	for (int r = 0; r < INTERPOLATORS; r++)
		registers += all->todo[r] != 0;
	/* What is shared takes an instruction, and one for each oT stays. */
	for (unsigned set = 0; set < 1u << nparts && least > registers + 1; set++) {
		struct shared some = {.reg = reg};
		bool fits = true;
		for (unsigned k = 0; k < nparts; k++) {
			if (!(set >> k & 1))
				continue;
			fits &= some.n < LANES;
			if (fits)
				some.lane[some.n++] = parts[k];
		}
		unsigned n = fits ? shared_cost(w, all, &some) : UINT_MAX;
		if (n >= least)
			continue;
		least = n;
		if (set) {
			w->shared = arena_alloc(w->values->arena, sizeof *w->shared);
			*w->shared = some;
			w->next_temp = reg + 1;
		}
	}
}

static void want_raw(struct vertex_writer *w, const struct lane_sum *sums, lanes todo)
{
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned k = 0; todo >> l & 1 && k < sums[l].n; k++)
			if (sums[l].of[k].place == PLACE_RAW)
				w->raw_lanes[sums[l].of[k].at.index] |= (lanes)(1u << sums[l].of[k].at.lane);
}

void linear_find(struct vertex_writer *w)
{
	value_negated(w->values, w->values->one); /* so that it is found among the factors */
	struct all_sums *all = w->all = arena_alloc(w->values->arena, sizeof *all);
	for (int r = 0; r < INTERPOLATORS; r++)
		all->todo[r] = find_sums(w, r, all->sum[r]);
	if (w->how->share)
		find_shared(w);
	else
		w->asked.share = can_share(w);
	for (int r = 0; r < INTERPOLATORS; r++) {
		for (unsigned l = 0; w->shared && l < LANES; l++)
			if (all->todo[r] >> l & 1)
				begin_with(w->shared, w->values->one, &all->sum[r][l]);
		if (w->how->mode[r] != DELIVER_GATHERED)
			want_raw(w, all->sum[r], all->todo[r]);
	}
	lanes const mine = w->shared ? (lanes)((1u << w->shared->n) - 1) : 0;
	if (mine)
		want_raw(w, w->shared->lane, mine);
	if (mine)
		put_sums(w, REG_TEMP, w->shared->reg, w->shared->lane, mine);
}

void linear_put(struct vertex_writer *w, int reg)
{
	unsigned const n = put_sums(w, REG_TEX_OUT, reg, w->all->sum[reg], w->all->todo[reg]);
	w->asked.slots[reg] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	w->done[reg] |= w->all->todo[reg];
}
