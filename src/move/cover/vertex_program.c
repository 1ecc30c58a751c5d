/* The vertex program of a plan.  requires: a complete plan; builds: a legal vertex program.
 *
 * The VP's own instructions stay, but for what fed only inputs that are gone; their oT writes go to
 * where the plan wants the inputs, or into temporaries where expressions need them.  Behind them come
 * the lanes that the plan delivers, one vector instruction for all lanes of an oT that have the same
 * shape, and before each what it needs of constants. */
#include "move/cover/vertex.h"

#include "lang/history.h"

#include <limits.h>
#include <string.h>

/* ---- the VP's own outputs --------------------------------------------------------- */

/* The value of an oT lane, where the end of the program finds it without a copy: a mov's source that
 * is not written any more. */
static bool find_place(const struct vertex_writer *w, unsigned k, unsigned lane, struct vs_lane *place)
{
	uint32_t writer = w->start->writer[k][lane];
	const struct instr *i = &w->old->instrs.at[writer];
	if (i->op != OP_MOV || i->flags & INSTR_SAT || i->src[0].relative)
		return false;
	const struct src *s = &i->src[0];
	unsigned from = swizzle_lane(s->swizzle, lane);
	if (s->file == REG_TEMP) {
		for (uint32_t j = writer + 1; j < w->old->instrs.n; j++) {
			const struct instr *later = &w->old->instrs.at[j];
			if (instr_writes(later) && later->dst.file == REG_TEMP && later->dst.index == s->index &&
			    later->dst.mask >> from & 1)
				return false;
			if (later->op == OP_SGN)
				return false; /* its scratch registers */
		}
	} else if (s->file != REG_INPUT && s->file != REG_CONST) {
		return false;
	}
	*place = (struct vs_lane){s->file, s->index, (uint8_t)from, s->negate};
	return true;
}

/* Can it write fewer lanes than it does? */
static bool can_shrink(const struct program *p, const struct instr *i)
{
	return ops[i->op].shape != SHAPE_MATRIX && i->op != OP_SGN && (i->op != OP_FRC || p->model != VS_1_1);
}

/* Lanes of the new oT `r` that the old oT `k` has in the same place. */
static unsigned lanes_in_common(const struct values *v, const struct layout *layout, unsigned r, unsigned k)
{
	unsigned n = 0;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = layout->lane[r][l];
		n += id != NO_VALUE && v->input[k * LANES + l] == id && value_at(v, id)->class == VALUE_AFFINE;
	}
	return n;
}

/* Of several old lanes with one value, those of the oT that has most in common with the new one are taken, and
 * not twice if there are others.  A constant is one only beside them: elsewhere it is made as constants are. */
void vertex_find_raw(const struct values *v, const struct layout *layout, struct sources *sources)
{
	bool used[INTERPOLATORS] = {false};
	memset(sources->raw, -1, sizeof sources->raw);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		unsigned best = 0, most = 0;
		for (unsigned k = 0; k < INTERPOLATORS; k++) {
			unsigned n = 2 * lanes_in_common(v, layout, r, k);
			n += n && !used[k];
			if (n > most) {
				best = k;
				most = n;
			}
		}
		used[best] |= most != 0;
		for (unsigned l = 0; l < LANES; l++) {
			value_id id = layout->lane[r][l];
			if (id == NO_VALUE || value_at(v, id)->class == VALUE_PIXEL)
				continue;
			bool same = most && v->input[best * LANES + l] == id;
			sources->raw[r][l] = (int8_t)(same ? (int)(best * LANES + l) : value_raw_input(v, id));
		}
	}
}

static void find_inputs(struct vertex_writer *w)
{
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			value_id id = w->plan->layout.lane[r][lane];
			if (id == NO_VALUE || value_at(w->values, id)->class == VALUE_PIXEL || w->clone_of[r][lane] >= 0)
				continue;
			const struct value *x = value_at(w->values, id);
			if (w->sources->raw[r][lane] >= 0) {
				struct input *in = &w->input[w->sources->raw[r][lane]];
				in->needed = true;
				if (in->places++ == 0)
					in->to = (uint8_t)(r * LANES + lane);
				continue;
			}
			for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++)
				w->input[x->terms[t].input].needed = w->input[x->terms[t].input].expression = true;
		}
	}
}

/* Which oT the VP's code keeps writing, and which it must leave in a temporary. */
static void find_exposed(struct vertex_writer *w)
{
	for (unsigned k = 0; k < INTERPOLATORS; k++) {
		bool expose = false;
		for (unsigned lane = 0; lane < LANES; lane++) {
			struct input *in = &w->input[k * LANES + lane];
			if (!in->needed)
				continue;
			in->free = find_place(w, k, lane, &in->place);
			expose |= !in->free && (in->expression || in->places > 1);
		}
		/* An instruction whose lanes part, or go where it cannot write them. */
		for (unsigned lane = 0; lane < LANES; lane++) {
			struct input *in = &w->input[k * LANES + lane];
			if (!in->needed || in->places != 1)
				continue;
			const struct instr *i = &w->old->instrs.at[w->start->writer[k][lane]];
			bool together = true, same = in->to % LANES == lane;
			for (unsigned other = 0; other < LANES; other++) {
				struct input *o = &w->input[k * LANES + other];
				if (!o->needed || w->start->writer[k][other] != w->start->writer[k][lane])
					continue;
				together &= o->places == 1 && o->to / LANES == in->to / LANES;
				same &= o->to % LANES == other;
			}
			/* Lanes that it writes besides must not be anybody else's. */
			for (unsigned other = 0; other < LANES; other++) {
				const struct input *o = &w->input[k * LANES + other];
				bool mine = o->needed && w->start->writer[k][other] == w->start->writer[k][lane];
				same &= mine || !(i->dst.mask >> other & 1) || can_shrink(w->old, i) ||
				        w->plan->layout.lane[in->to / LANES][other] == NO_VALUE;
			}
			in->stays = together && (same || instr_lanes_interchange(w->old, i));
			w->beside[in->to / LANES] |= in->stays && in->free;
			in->stays &= !(in->free && w->how->share);
			expose |= !in->stays && !in->free;
		}
		for (unsigned lane = 0; expose && lane < LANES; lane++) {
			struct input *in = &w->input[k * LANES + lane];
			if (!in->needed)
				continue;
			if (w->temp_of[k] == 0)
				w->temp_of[k] = w->next_temp++;
			in->stays = in->free = false;
			in->place = (struct vs_lane){REG_TEMP, (int16_t)w->temp_of[k], (uint8_t)lane, false};
		}
	}
}

/* One of the VP's own instructions that writes an oT. */
static void put_output(struct vertex_writer *w, uint32_t k)
{
	struct instr i = w->old->instrs.at[k];
	unsigned from = (unsigned)i.dst.index;
	lanes mask = 0;
	unsigned lane_of[LANES] = {0, 0, 0, 0};
	int reg = -1;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct input *in = &w->input[from * LANES + lane];
		if (!(i.dst.mask >> lane & 1) || w->start->writer[from][lane] != k || !in->needed)
			continue;
		if (w->temp_of[from]) {
			mask |= (lanes)(1u << lane);
		} else if (in->stays) {
			unsigned to = in->to % LANES;
			mask |= (lanes)(1u << to);
			lane_of[to] = lane;
			reg = in->to / LANES;
			w->done[reg] |= (lanes)(1u << to);
		}
	}
	if (!mask)
		return;
	if (w->temp_of[from]) {
		i.dst.file = REG_TEMP;
		i.dst.index = (int16_t)w->temp_of[from];
		if (can_shrink(w->old, &i)) {
			i.dst.mask = mask;
			i.dst.masked = true;
		}
		VEC_PUSH(w->values->arena, &w->new->instrs) = i;
		return;
	}
	i.dst.index = (int16_t)reg;
	if (instr_lanes_interchange(w->old, &i)) {
		for (unsigned s = 0; ops[i.op].shape == SHAPE_LANES && s < ops[i.op].sources; s++) {
			unsigned lane[LANES] = {0};
			for (unsigned l = 0; l < LANES; l++)
				if (mask >> l & 1)
					lane[l] = swizzle_lane(i.src[s].swizzle, lane_of[l]);
			bool same = mask == i.dst.mask;
			for (unsigned l = 0; l < LANES; l++)
				same &= !(mask >> l & 1) || lane_of[l] == l;
			if (!same)
				i.src[s].swizzle = vertex_swizzle(lane, mask);
		}
	}
	if (can_shrink(w->old, &i) && i.dst.mask != mask) {
		i.dst.mask = mask;
		i.dst.masked = true;
	}
	VEC_PUSH(w->values->arena, &w->new->instrs) = i;
}

/* ---- the lanes that are delivered ------------------------------------------------------ */

/* A lane of an oT as a sum: terms from VP registers, and a constant. */
struct sum {
	uint32_t n;
	struct vs_lane place[32];
	value_id coef[32];
	value_id constant;
};

static bool same_register(const struct vs_lane *a, const struct vs_lane *b)
{
	return a->file == b->file && a->index == b->index && a->negate == b->negate;
}

static void sum_of(const struct vertex_writer *w, value_id id, int raw, struct sum *sum)
{
	const struct value *x = value_at(w->values, id);
	if (raw >= 0) {
		*sum = (struct sum){.n = 1, .place = {w->input[raw].place}, .coef = {w->values->one}, .constant = w->values->zero};
		return;
	}
	sum->n = 0;
	sum->constant = x->class == VALUE_CONST ? id : x->constant;
	for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++) {
		sum->place[sum->n] = w->input[x->terms[t].input].place;
		sum->coef[sum->n++] = x->terms[t].coef;
	}
}

/* Brings b's terms into an order in which each stands in the register of a's. */
static bool align(const struct sum *a, struct sum *b)
{
	if (a->n != b->n)
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		uint32_t j = i;
		while (j < b->n && !same_register(&a->place[i], &b->place[j]))
			j++;
		if (j == b->n)
			return false;
		struct vs_lane place = b->place[i];
		value_id coef = b->coef[i];
		b->place[i] = b->place[j];
		b->coef[i] = b->coef[j];
		b->place[j] = place;
		b->coef[j] = coef;
	}
	return true;
}

/* One and other factors, or zero and other offsets, go into one vector if that is free, or wanted. */
static bool alike(struct vertex_writer *w, value_id a, value_id b, value_id plain)
{
	if ((a == plain) == (b == plain) || (vertex_settable(w, a) && vertex_settable(w, b)))
		return true;
	w->asked.join = true;
	return w->how->join;
}

static struct src places_source(const struct sum *sums, lanes group, uint32_t term)
{
	unsigned lane[LANES] = {0}, first = 0;
	while (!(group >> first & 1))
		first++;
	for (unsigned l = 0; l < LANES; l++)
		if (group >> l & 1)
			lane[l] = sums[l].place[term].lane;
	const struct vs_lane *p = &sums[first].place[term];
	return (struct src){.file = p->file, .index = p->index, .negate = p->negate, .at = SRCPOS_NONE,
	                    .swizzle = vertex_swizzle(lane, group)};
}

/* Are the terms of one lane lanes of one register times lanes of one constant? */
static bool is_dot(struct vertex_writer *w, const struct sum *sum, struct instr *dot)
{
	if (sum->n != 3 && sum->n != 4)
		return false;
	unsigned place[LANES] = {0}, coef[LANES] = {0};
	for (uint32_t t = 0; t < sum->n; t++) {
		const struct value *x = value_at(w->values, sum->coef[t]), *first = value_at(w->values, sum->coef[0]);
		bool one_register = x->op == CONST_RAW && first->op == CONST_RAW && x->reg == first->reg;
		bool literals = x->known && x->op == first->op;
		if (!same_register(&sum->place[t], &sum->place[0]) ||
		    (!one_register && !literals && !(w->options->preshader && vertex_settable(w, sum->coef[t]))))
			return false;
		place[t] = sum->place[t].lane;
		coef[t] = t;
	}
	if (sum->n == 3)
		place[3] = place[2], coef[3] = coef[2];
	value_id values[LANES];
	for (unsigned l = 0; l < LANES; l++)
		values[l] = sum->coef[coef[l]];
	*dot = (struct instr){.op = sum->n == 3 ? OP_DP3 : OP_DP4, .at = SRCPOS_NONE};
	dot->src[0] = (struct src){.file = sum->place[0].file, .index = sum->place[0].index, .at = SRCPOS_NONE,
	                           .negate = sum->place[0].negate,
	                           .swizzle = SWIZZLE(place[0], place[1], place[2], place[3])};
	dot->src[1] = vertex_constant(w, values, sum->n == 3 ? MASK_XYZ : MASK_XYZW, false);
	return true;
}

static void put_dots(struct vertex_writer *w, int reg, lanes group, const struct sum *sums)
{
	unsigned const first = first_lane(group);
	bool offset = false;
	value_id constants[LANES];
	for (unsigned l = 0; l < LANES; l++) {
		constants[l] = sums[group >> l & 1 ? l : first].constant;
		offset |= constants[l] != w->values->zero;
	}
	int to = offset ? w->next_temp++ : reg;
	for (unsigned l = 0; l < LANES; l++) {
		struct instr dot;
		if (!(group >> l & 1))
			continue;
		if (!is_dot(w, &sums[l], &dot)) {
			w->failed = true;
			return;
		}
		vertex_put(w, &dot, offset ? REG_TEMP : REG_TEX_OUT, to, (lanes)(1u << l));
	}
	if (offset) {
		struct instr add = {.op = OP_ADD, .at = SRCPOS_NONE};
		add.src[0] = src_temp(to);
		add.src[1] = vertex_constant(w, constants, group, false);
		vertex_put(w, &add, REG_TEX_OUT, reg, group);
	}
}

/* factor_j * place_j summed up, plus the constant: one instruction a term, the last into oT. */
static void put_sum(struct vertex_writer *w, int reg, lanes group, struct sum *sums)
{
	unsigned const first = first_lane(group);
	uint32_t n = sums[first].n;
	value_id constants[LANES], factors[32][LANES];
	bool offset = false, plain[32];
	for (uint32_t t = 0; t < n; t++)
		plain[t] = true;
	for (unsigned l = 0; l < LANES; l++) {
		const struct sum *s = &sums[group >> l & 1 ? l : first];
		constants[l] = s->constant;
		offset |= s->constant != w->values->zero;
		for (uint32_t t = 0; t < n; t++) {
			factors[t][l] = s->coef[t];
			plain[t] &= s->coef[t] == w->values->one;
		}
	}
	if (n == 0) {
		vertex_constant_into(w, constants, group, REG_TEX_OUT, reg);
		return;
	}
	/* Without a constant the sum starts with a term; a plain one costs nothing there. */
	struct src acc = {.file = REG_TEMP, .at = SRCPOS_NONE};
	bool started = offset;
	uint32_t start = n;
	uint32_t with = 0; /* a plain term that can share a mad with the constant */
	while (with < n && (!plain[with] || sums[first].place[with].file == REG_CONST))
		with++;
	struct instr scaled = {.op = OP_MAD, .at = SRCPOS_NONE};
	bool scale = offset && with < n &&
	             vertex_scaled_constant(w, constants, group, &scaled.src[0], &scaled.src[1]);
	if (scale) {
		start = with;
	} else if (offset) {
		acc = vertex_constant(w, constants, group, false);
	} else {
		for (uint32_t t = 0; t < n && start == n; t++)
			if (plain[t])
				start = t;
		if (start < n && n > 1) {
			acc = places_source(sums, group, start);
			started = true;
		} else {
			start = n;
		}
	}
	uint32_t left = n - (start < n);
	int temp = left > 1 || (scale && left) ? w->next_temp++ : 0;
	if (scale) {
		scaled.src[2] = places_source(sums, group, start);
		vertex_put(w, &scaled, left ? REG_TEMP : REG_TEX_OUT, left ? temp : reg, group);
		acc = src_temp(temp);
	}
	for (uint32_t t = 0; t < n; t++) {
		if (t == start)
			continue;
		struct instr i = {.at = SRCPOS_NONE};
		i.src[0] = places_source(sums, group, t);
		if (plain[t]) {
			i.op = started ? OP_ADD : OP_MOV;
			i.src[1] = acc;
		} else {
			i.op = started ? OP_MAD : OP_MUL;
			i.src[1] = vertex_constant(w, factors[t], group, false);
			i.src[2] = acc;
		}
		started = true;
		left--;
		vertex_put(w, &i, left ? REG_TEMP : REG_TEX_OUT, left ? temp : reg, group);
		acc = src_temp(temp);
	}
}

/* All lanes of one oT that the VP's own code does not write. */
static void put_register(struct vertex_writer *w, int reg, bool constants)
{
	struct sum *sums = w->sums;
	lanes todo = 0;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = w->plan->layout.lane[reg][l];
		if (id == NO_VALUE || w->done[reg] >> l & 1 || value_at(w->values, id)->class == VALUE_PIXEL)
			continue;
		sum_of(w, id, w->sources->raw[reg][l], &sums[l]);
		if ((sums[l].n == 0) == constants)
			todo |= (lanes)(1u << l);
	}
	while (todo) {
		unsigned const first = first_lane(todo);
		lanes group = (lanes)(1u << first);
		for (unsigned l = first + 1; l < LANES; l++) {
			if (!(todo >> l & 1) || !align(&sums[first], &sums[l]))
				continue;
			bool fits = alike(w, sums[first].constant, sums[l].constant, w->values->zero);
			for (uint32_t t = 0; t < sums[first].n; t++)
				fits &= alike(w, sums[first].coef[t], sums[l].coef[t], w->values->one);
			if (fits)
				group |= (lanes)(1u << l);
		}
		todo &= (lanes)~group;
		w->done[reg] |= group;
		bool dots = sums[first].n >= 3;
		unsigned gather = 0, size = 0;
		for (unsigned l = 0; l < LANES; l++) {
			struct instr dot;
			if (group >> l & 1) {
				dots = dots && is_dot(w, &sums[l], &dot);
				size++;
			}
		}
		for (uint32_t t = 0; dots && t < sums[first].n; t++) {
			value_id column[LANES];
			for (unsigned l = 0; l < LANES; l++)
				column[l] = sums[group >> l & 1 ? l : first].coef[t];
			gather += vertex_constant_cost(w, column, group);
		}
		if (dots && size < sums[first].n + gather)
			put_dots(w, reg, group, sums);
		else
			put_sum(w, reg, group, sums);
	}
}

/* The union of an oT's masks must be .x, .xy, .xyz or .xyzw: what is missing below is written
 * along with lanes beside it. */
static void fill_holes(struct vertex_writer *w)
{
	lanes written[INTERPOLATORS] = {0};
	for (uint32_t k = 0; k < w->new->instrs.n; k++)
		if (instr_writes(&w->new->instrs.at[k]) && w->new->instrs.at[k].dst.file == REG_TEX_OUT)
			written[w->new->instrs.at[k].dst.index] |= w->new->instrs.at[k].dst.mask;
	for (int r = 0; r < INTERPOLATORS; r++) {
		lanes all = written[r];
		lanes top = all & 8 ? 15 : all & 4 ? 7 : all & 2 ? 3 : all;
		lanes missing = top & (lanes)~all;
		if (!missing || w->plan->layout.pinned[r])
			continue;
		struct instr *last = NULL;
		uint32_t writer = 0;
		for (uint32_t k = 0; k < w->new->instrs.n; k++) {
			struct instr *i = &w->new->instrs.at[k];
			if (!instr_writes(i) || i->dst.file != REG_TEX_OUT || i->dst.index != r)
				continue;
			writer = k;
			if (instr_lanes_interchange(w->new, i))
				last = i;
		}
		if (!last) {
			/* The masks of what writes it, such as frc, are fixed: any value that one of them reads will do. */
			const struct instr *i = &w->new->instrs.at[writer];
			const struct src *any = NULL;
			unsigned lane = 0;
			for (unsigned s = 0; s < ops[i->op].sources && !any; s++) {
				lanes reads = instr_operand_lanes(w->new, i, s, i->dst.mask);
				for (lane = 0; lane < LANES && !(reads >> lane & 1); lane++)
					;
				any = lane < LANES ? &i->src[s] : NULL;
			}
			if (!any) {
				w->failed = true;
				continue;
			}
			struct instr mov = {.op = OP_MOV, .src = {*any}, .at = SRCPOS_NONE};
			mov.src[0].swizzle = swizzle_replicate(swizzle_lane(any->swizzle, lane));
			mov.dst = (struct dst){.file = REG_TEX_OUT, .index = (int16_t)r, .mask = missing, .masked = true, .at = SRCPOS_NONE};
			VEC_PUSH(w->values->arena, &w->new->instrs) = mov;
			continue;
		}
		unsigned const first = first_lane(last->dst.mask);
		for (unsigned s = 0; ops[last->op].shape == SHAPE_LANES && s < ops[last->op].sources; s++) {
			unsigned lane[LANES];
			for (unsigned l = 0; l < LANES; l++)
				lane[l] = swizzle_lane(last->src[s].swizzle, last->dst.mask >> l & 1 ? l : first);
			last->src[s].swizzle = SWIZZLE(lane[0], lane[1], lane[2], lane[3]);
		}
		last->dst.mask |= missing;
		last->dst.masked = last->dst.mask != MASK_XYZW;
	}
}

/* Did the application copy an FP constant there before? */
static bool is_copied(const struct program *vs, int index)
{
	for (uint32_t k = 0; k < vs->needs.consts.n; k++)
		if (vs->needs.consts.at[k].vs == index)
			return true;
	return false;
}

static void put_decls(struct vertex_writer *w, struct move_result *result)
{
	struct register_set const old = program_reads_all(w->old, REG_CONST), new = program_reads_all(w->new, REG_CONST);
	for (uint32_t k = 0; k < w->old->decls.n; k++) {
		const struct decl *d = &w->old->decls.at[k];
		if (d->kind != DECL_DEF || register_is_in(&new, d->reg.index) || !register_is_in(&old, d->reg.index))
			VEC_PUSH(w->values->arena, &w->new->decls) = *d;
	}
	for (uint32_t k = 0; k < w->pool.n; k++) {
		const struct pool *pool = &w->pool.at[k];
		if (pool->old || !register_is_in(&new, pool->reg))
			continue;
		if (pool->preset) {
			w->failed |= !value_add_presets(w->values, pool->lane, STAGE_VERTEX, pool->reg, &result->folds);
			continue;
		}
		struct decl d = {.kind = DECL_DEF, .at = SRCPOS_NONE};
		d.reg = (struct dst){.file = REG_CONST, .index = (int16_t)pool->reg, .mask = MASK_XYZW, .at = SRCPOS_NONE};
		for (unsigned l = 0; l < LANES; l++)
			if (pool->lane[l] != NO_VALUE)
				d.value[l] = (float)value_at(w->values, pool->lane[l])->number;
		w->failed |= !value_add_folds(w->values, pool->lane, STAGE_VERTEX, pool->reg, &result->folds);
		VEC_PUSH(w->values->arena, &w->new->decls) = d;
	}
	for (int ps = 0; ps < values_own(w->values); ps++)
		if (w->const_of[ps] >= 0 && register_is_in(&new, w->const_of[ps]) && !is_copied(w->old, w->const_of[ps]))
			VEC_PUSH(w->values->arena, &result->consts) = (struct const_map){.vs = w->const_of[ps], .ps = ps};
}

/* The VP's own constants are where they are. */
static void number_constants(struct vertex_writer *w)
{
	int const own = values_own(w->values), all = own + VERTEX_CONSTS;
	w->raw_lanes = arena_zero(w->values->arena, (size_t)all * sizeof *w->raw_lanes);
	w->const_of = arena_alloc(w->values->arena, (size_t)all * sizeof *w->const_of);
	for (int c = 0; c < all; c++)
		w->const_of[c] = c < own ? -1 : c - own;
}

struct delivered vertex_program(const struct vertex_start *start, const struct plan *plan, const struct delivery *how,
                                const struct sources *sources, unsigned at_most, struct move_result *result)
{
	const struct program *vs = start->old;
	struct arena *arena = start->values->arena;
	struct vertex_writer *w = arena_zero(arena, sizeof *w);
	w->start = start;
	w->values = start->values;
	w->plan = plan;
	w->old = vs;
	w->options = start->options;
	w->how = how;
	w->sources = sources;
	w->new = arena_alloc(arena, sizeof *w->new);
	*w->new = *vs;
	memset(&w->new->decls, 0, sizeof w->new->decls);
	memset(&w->new->instrs, 0, sizeof w->new->instrs);
	w->next_temp = VIRTUAL_REGS;
	w->most = vs->instrs.n + start->options->vs_slots + start->options->vs_slots / 2;
	w->sums = arena_alloc(arena, LANES * sizeof *w->sums);
	memcpy(w->taken, start->taken, sizeof w->taken);
	number_constants(w);
	/* What a VP of several FPs says of one may not be so for the others. */
	for (uint32_t k = 0; start->values->programs == 1 && k < vs->needs.consts.n; k++)
		w->const_of[vs->needs.consts.at[k].ps] = vs->needs.consts.at[k].vs;
	for (uint32_t k = 0; k < start->pool.n; k++)
		VEC_PUSH(arena, &w->pool) = start->pool.at[k];
	clone_find(w);
	if (!w->failed) {
		find_inputs(w);
		find_exposed(w);
		for (uint32_t k = 0; k < vs->instrs.n; k++) {
			const struct instr *i = &vs->instrs.at[k];
			if (instr_writes(i) && i->dst.file == REG_TEX_OUT && i->dst.index < INTERPOLATORS)
				put_output(w, k);
			else
				VEC_PUSH(arena, &w->new->instrs) = *i;
		}
		clone_put(w);
		linear_find(w);
		for (unsigned pass = 0; pass < 2; pass++)
			for (int r = 0; r < INTERPOLATORS; r++)
				if (how->mode[r] == DELIVER_FORM || how->mode[r] == DELIVER_CLONE)
					put_register(w, r, pass == 1);
				else if (pass == 0)
					linear_put(w, r);
	}
	struct delivered d = {.slots = UINT_MAX, .asked = w->asked};
	if (w->failed)
		return d;
	regs_remove_dead(arena, w->new);
	fill_holes(w);
	unsigned slots = program_total_slots(w->new);
	if (slots > start->options->vs_slots)
		return d;
	if (slots > at_most) {
		d.slots = slots;
		return d;
	}
	put_decls(w, result);
	if (w->failed || !regs_allocate(arena, w->new, start->options->vs_temps))
		return d;
	history_note(arena, w->new, "plan");
	d.program = w->new;
	d.slots = slots;
	return d;
}
