/* Computes sums that are lanes of one oT# together.  Their summands form columns: a column is one register with a swizzle, times a vector of
 * factors, which are 0 in lanes that have no summand in that register.  A column takes one mad.  So (v1.x, v1.y - 3 c1.x) and
 * (v1.x + c1.y, v1.y) take one mov of c1 for both and a mad each, instead of two vectors that are computed lane by lane. */
#include "move/cover/vertex_sum.h"

#include <limits.h>
#include <string.h>

/* ---- two vectors of literals in one register ------------------------------------------------ */

/* Adds the values of the lanes in `group` to a list without duplicates.  Returns false if the list would have more than four. */
static bool merge_values(const value_id value[LANES], lanes group, value_id list[LANES], unsigned *n)
{
	for (unsigned l = 0; l < LANES; l++) {
		unsigned k = 0;
		while (k < *n && (!(group >> l & 1) || list[k] != value[l]))
			k++;
		if (!(group >> l & 1) || k < *n)
			continue;
		if (*n == LANES)
			return false;
		list[(*n)++] = value[l];
	}
	return true;
}

static bool literals_fit(const value_id a[LANES], const value_id b[LANES], lanes group)
{
	value_id list[LANES];
	unsigned n = 0;
	return merge_values(a, group, list, &n) && merge_values(b, group, list, &n);
}

/* Finds two sources that read the vectors of literals a and b from one constant register.  Returns false if these are more than four literals. */
static bool find_literals(struct vertex_writer *w, const value_id a[LANES], const value_id b[LANES], lanes group, struct src *sa, struct src *sb)
{
	value_id list[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	unsigned n = 0, lane[2][LANES] = {{0}, {0}};
	if (!merge_values(a, group, list, &n) || !merge_values(b, group, list, &n))
		return false;
	struct src both = vertex_constant(w, list, (lanes)((1u << n) - 1), false);
	EACH_LANE(l, group) {
		for (unsigned k = 0; k < n; k++) {
			if (list[k] == a[l])
				lane[0][l] = swizzle_lane(both.swizzle, k);
			if (list[k] == b[l])
				lane[1][l] = swizzle_lane(both.swizzle, k);
		}
	}
	*sa = *sb = both;
	sa->swizzle = swizzle_of_lanes(lane[0], group);
	sb->swizzle = swizzle_of_lanes(lane[1], group);
	return true;
}

/* Returns true if both summands can be read from one register with one sign. */
static bool same_place(const struct summand *a, const struct summand *b)
{
	return a->place == b->place && a->at.file == b->at.file && a->at.index == b->at.index && a->at.negate == b->at.negate;
}

struct column {
	const struct summand *first; /* the first summand; all summands of the column are in its register */
	const struct summand *fill;  /* a finite summand, or NULL if there is none; lanes that have no summand read it times 0 */
	lanes has;                   /* lanes that have a summand; the other lanes read `fill` times 0, or the constant 0 if that is NULL */
	bool number;                 /* all factors are known numbers */
	bool plain;                  /* all factors are 1 */
	bool minus;                  /* all factors are -1 */
	uint8_t lane[LANES];         /* for each lane, the register lane that it reads, if the register holds an input */
	value_id atom[LANES];        /* for each lane, the constant that it reads, if the register holds constants */
	value_id factor[LANES];
};

struct columns {
	unsigned n;
	struct column at[MOST_COLUMNS];
	value_id rest[LANES];
	bool offset; /* some rest (the constant that is added to a lane) is not 0, or there is no column */
};

static void set_lane(struct column *c, unsigned l, const struct summand *s, value_id factor)
{
	c->lane[l] = s->at.lane;
	c->atom[l] = s->atom;
	c->factor[l] = factor;
}

/* Finds the columns (registers times factors) by which the sums of the lanes in `group` are written.  Returns false if there are too
 * many, or a lane without a summand in a column would read what may be infinite times 0. */
static bool line_up(const struct vertex_writer *w, const struct lane_sum *sums, lanes group, struct columns *c)
{
	struct values *v = w->values;
	value_id const minus = value_find_negated(v, v->one);
	c->n = 0;
	c->offset = false;
	for (unsigned l = 0; l < LANES; l++) {
		c->rest[l] = group >> l & 1 ? sums[l].rest : v->zero;
		c->offset |= c->rest[l] != v->zero;
		/* Take summands with factor 1 first, so that they share columns without factors. */
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
			column->number &= value_at(v, s->factor)->known;
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
		EACH_LANE(l, absent) {
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

/* Returns true if the column's factors shall be in a temporary, so that its constant can be read from the application's register. */
static bool is_selected(const struct vertex_writer *w, const struct column *c)
{
	return w->how->select && c->first->place == PLACE_RAW && c->number && !c->plain && !c->minus;
}

/* Returns the index of a column whose factors fit into one constant register with the constants that are added (the rest), or -1 if there is
 * none. */
static int find_partner(const struct vertex_writer *w, const struct columns *c, lanes group)
{
	for (unsigned n = 0; n < c->n; n++) {
		value_id factor[LANES];
		factors_of(&c->at[n], group, factor);
		if (c->at[n].number && !c->at[n].plain && !c->at[n].minus && !is_selected(w, &c->at[n]) && literals_fit(factor, c->rest, group))
			return (int)n;
	}
	return -1;
}

/* Returns how many instructions the sums of the lanes in `group` take together, without movs of constants that other groups may share, or UINT_MAX
 * if they cannot be written together. */
static unsigned group_cost(const struct vertex_writer *w, const struct lane_sum *sums, lanes group)
{
	struct columns c;
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
		return UINT_MAX; /* no register is free for the factors of several lanes; a single lane may be written without literals */
	if (n > 1 && (plain || c.offset))
		n--;
	if (c.offset && scaled && !plain && find_partner(w, &c, group) < 0)
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
	if (first->place == PLACE_INPUT)
		return (struct src){.file = first->at.file, .index = (int16_t)first->at.index, .negate = first->at.negate,
		                    .swizzle = swizzle_of_lanes(lane, group), .at = SRCPOS_NONE};
	if (first->place == PLACE_RAW && scaled && !w->how->select) {
		/* Copy to a temporary all lanes of this constant register that some sum reads. */
		value_id all[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
		EACH_LANE(l, w->raw_lanes[first->at.index])
			all[l] = value_of_raw(w->values, first->at.index, l);
		vertex_constant(w, all, w->raw_lanes[first->at.index], true);
	}
	return vertex_constant(w, atom, group, scaled && !is_selected(w, c));
}

/* Writes an instruction that multiplies the column's register by its factors and adds `acc`, unless that is NULL. */
static void put_column(struct vertex_writer *w, const struct column *c, struct src source, const struct src *factor,
                       const struct src *acc, enum reg_file file, int index, lanes group)
{
	struct instr i = {.op = OP_MOV, .src = {source}};
	if (c->plain || c->minus) {
		unsigned const at = acc && c->first->place != PLACE_INPUT; /* inputs are the first operand, as people write it */
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

static void put_group(struct vertex_writer *w, enum reg_file file, int reg, const struct lane_sum *sums, lanes group)
{
	struct columns c;
	struct src source[MOST_COLUMNS], factor[MOST_COLUMNS], acc = {.file = REG_TEMP};
	bool done[MOST_COLUMNS] = {false}, started = false;
	if (!line_up(w, sums, group, &c)) {
		w->failed = true;
		return;
	}
	int with = c.offset ? find_partner(w, &c, group) : -1;
	/* Take columns with factors first: they put constants into temporaries, where other columns may find the constants that they read. */
	for (unsigned n = 0; n < 2 * c.n; n++) {
		unsigned k = n % c.n;
		const struct column *column = &c.at[k];
		value_id factors[LANES];
		if ((column->plain || column->minus) != (n >= c.n))
			continue;
		factors_of(column, group, factors);
		source[k] = column_source(w, column, group);
		if ((int)k == with)
			find_literals(w, factors, c.rest, group, &factor[k], &acc);
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
		/* An instruction can read only one constant register.  So begin with this constant only if the factors of some other column are in
		 * the same register, or in no constant register. */
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
		/* Take columns with factors first, then those that read no constant register, then the others. */
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

/* Finds the cheapest partition of the lanes `todo` into groups that are written together.  For each set of lanes that is left to write, part[set] is
 * the group to write first.  Returns false if there is no partition. */
static bool find_groups(const struct vertex_writer *w, const struct lane_sum *sums, lanes todo, lanes part[MASK_XYZW + 1])
{
	unsigned best[MASK_XYZW + 1] = {0}, alone[MASK_XYZW + 1];
	if (todo && group_cost(w, sums, todo) == 1) { /* one instruction: two groups cannot take fewer */
		part[todo] = todo;
		return true;
	}
	for (unsigned all = 1; all <= todo; all++) {
		if (all & ~(unsigned)todo)
			continue;
		best[all] = UINT_MAX;
		part[all] = 0;
		alone[all] = group_cost(w, sums, (lanes)all);
		for (unsigned sub = all & -all; sub; sub = (sub - all) & all) {
			unsigned n = sub & all & -all ? alone[sub] : UINT_MAX;
			if (n == UINT_MAX || best[all & ~sub] == UINT_MAX || n + best[all & ~sub] >= best[all])
				continue;
			best[all] = n + best[all & ~sub];
			part[all] = (lanes)sub;
		}
	}
	return best[todo] != UINT_MAX;
}

/* ---- all interpolators ------------------------------------------------------------------- */

/* Returns the lanes of oT `reg` that are still to be computed, and splits each into a sum. */
static lanes find_sums(struct vertex_writer *w, int reg, struct lane_sum sums[LANES])
{
	lanes todo = 0;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = w->layout->lane[reg][l];
		if (id == NO_VALUE || w->done[reg] >> l & 1 || value_at(w->values, id)->class == VALUE_PIXEL)
			continue;
		sum_of_lane(w, id, w->sources->raw[reg][l], &sums[l]);
		todo |= (lanes)(1u << l);
		for (unsigned k = 0; k < sums[l].n; k++)
			if (sums[l].of[k].place == PLACE_RAW)
				w->raw_lanes[sums[l].of[k].at.index] |= (lanes)(1u << sums[l].of[k].at.lane);
	}
	return todo;
}

void sums_put(struct vertex_writer *w)
{
	struct lane_sum sums[INTERPOLATORS][LANES];
	lanes todo[INTERPOLATORS], part[MASK_XYZW + 1];
	value_negated(w->values, w->values->one); /* makes -1, so that value_find_negated() finds it later */
	int const n = vertex_registers(w);
	for (int r = 0; r < n; r++)
		todo[r] = find_sums(w, r, sums[r]);
	for (int r = 0; r < n; r++) {
		w->failed |= !find_groups(w, sums[r], todo[r], part);
		for (lanes left = todo[r]; left && !w->failed; left &= (lanes)~part[left])
			put_group(w, REG_TEX_OUT, r, sums[r], part[left]);
		w->done[r] |= todo[r];
	}
}
