/* The planner: an exact search for the cheapest way to give every operand that stays in the FP
 * its constant and affine lanes.  requires: values; builds: struct plan, both programs.
 *
 * Pixel instructions stay.  Walking from the last instruction to the first, each operand of an
 * instruction that stays chooses how its movable lanes come: straight from an interpolator, straight
 * from a constant, from a temporary that one new instruction writes, or as before, which keeps the
 * instructions that define them.  Depth first with a bound; the interpolators' packing is a search of
 * its own (pack.c), asked at each step, since what does not fit never fits again. */
#include "move/plan.h"

#include <limits.h>
#include <string.h>

enum {
	PACK_WORK = 20000, /* search steps of one packing */
	WORK_PER_NODE = 20, /* ... and of all of them, for each node of the search that is allowed */
	LEAVES = 400,       /* complete plans that are written out */
	RELATIONS = 3, AFFINE_CHOICES = 16, /* of bases from which one instruction can make a lane, or a pattern */
	ARRANGEMENTS = 8, /* orders of the lanes of a new instruction that are tried */
	TIES = 24          /* plans of equal cost that are looked at for the VP's sake */
};

/* A distinct 2D (or wider) coordinate that texture reads need. */
struct coord {
	value_id x, y;
	int last; /* the last instruction that reads it: the first to be decided */
	int def;  /* an instruction that stays if it is kept, and that no other coordinate has; -1: it cannot be kept */
};

/* What undo restores, besides what struct mark holds. */
struct change {
	lanes *at;
	lanes old;
};

struct search {
	struct arena *arena;
	struct values *values;
	const struct program *vs, *ps;
	const struct move_options *options;
	lanes *pixel;   /* per instruction: pixel lanes that an output needs */
	lanes *demand;  /* movable lanes that stay because an operand keeps them */
	struct plan plan; /* being built */
	struct { VEC(struct request); } requests;
	struct { VEC(struct change); } trail;
	struct { VEC(struct coord); } coords;
	struct layout start;
	uint64_t base, cost; /* time of what stays in any case; of what was chosen to stay or made */
	uint64_t limit;      /* time of the pair as it is */
	unsigned direct;     /* coordinates that ride in an interpolator */
	uint32_t nodes, ties, leaves;
	uint32_t work;       /* packing steps left */
	bool wide;           /* try new instructions of which several operands read different lanes, and other bases */
	bool gave_up;
	struct planned *best;
};

/* ---- what stays, and what it reads ---------------------------------------------- */

static bool is_root(const struct instr *i)
{
	return i->op == OP_TEXKILL ||
	       (instr_writes(i) && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT));
}

/* Texture reads, matrices and outputs write all they write; so does nrm, of which Direct3D 9 on
 * Wine sums only the squares of the lanes that it writes. */
static lanes mask_for(const struct instr *i, lanes wanted)
{
	bool fixed = ops[i->op].flags & OPF_TEX || ops[i->op].shape == SHAPE_MATRIX || i->op == OP_NRM ||
	             i->dst.file != REG_TEMP;
	return fixed ? instr_writes(i) : wanted;
}

static bool stays_anyway(const struct search *s, int i)
{
	return s->pixel[i] || is_root(&s->ps->instrs.at[i]);
}

static bool stays(const struct search *s, int i)
{
	return s->demand[i] || stays_anyway(s, i);
}

/* Pixel lanes that reach an output stay whatever is planned. */
static void find_live_pixels(struct search *s)
{
	for (int i = (int)s->ps->instrs.n - 1; i >= 0; i--) {
		if (!stays_anyway(s, i))
			continue;
		const struct instr *instr = &s->ps->instrs.at[i];
		lanes mask = mask_for(instr, s->pixel[i]);
		s->base += target_instr(&s->options->target, instr, s->ps->model, mask);
		for (unsigned k = 0; k < ops[instr->op].sources; k++) {
			const struct use *u = &s->values->use[i][k];
			lanes read = instr_operand_lanes(s->ps, instr, k, mask);
			for (unsigned p = 0; p < LANES; p++)
				if (read >> p & 1 && u->def[p] >= 0 && !value_is_movable(s->values, u->value[p]))
					s->pixel[u->def[p]] |= (lanes)(1u << swizzle_lane(instr->src[k].swizzle, p));
		}
	}
}

static enum reach reach_of(const struct instr *i, unsigned s)
{
	switch (ops[i->op].shape) {
	case SHAPE_SCALAR: return REACH_SCALAR;
	case SHAPE_DP2ADD: return s == 2 ? REACH_SCALAR : REACH_ANY;
	case SHAPE_SINCOS: return s == 0 ? REACH_SCALAR : REACH_PLAIN;
	case SHAPE_CROSS:
	case SHAPE_NRM:
	case SHAPE_KILL:
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_MATRIX: return REACH_PLAIN;
	case SHAPE_LANES:
		return i->dst.file == REG_PIXEL_OUT ? REACH_PLAIN : i->dst.file == REG_DEPTH_OUT ? REACH_LANE : REACH_ANY;
	case SHAPE_NONE:
	case SHAPE_DP3:
	case SHAPE_DP4:
	case SHAPE_DST:
	case SHAPE_EXPP:
	case SHAPE_LOGP:
	case SHAPE_LIT:
	case SHAPE_SGN: break;
	}
	return REACH_ANY;
}

static void set_lane(const struct values *v, struct pattern *p, unsigned position, value_id value)
{
	p->positions |= (lanes)(1u << position);
	p->value[position] = value;
	p->negated[position] = value_find_negated(v, value);
}

struct need plan_need(const struct values *v, uint32_t i, unsigned k, lanes mask)
{
	const struct instr *instr = &v->ps->instrs.at[i];
	const struct use *u = &v->use[i][k];
	struct need need = {.pattern = {.reach = (uint8_t)reach_of(instr, k)}};
	if (k >= ops[instr->op].sources ||
	    (instr->src[k].file != REG_TEMP && instr->src[k].file != REG_TEXCOORD))
		return need;
	lanes read = instr_operand_lanes(v->ps, instr, k, mask);
	for (unsigned p = 0; p < LANES; p++) {
		if (!(read >> p & 1))
			continue;
		if (value_is_movable(v, u->value[p]))
			set_lane(v, &need.pattern, p, u->value[p]);
		else
			need.pixel |= (lanes)(1u << p);
	}
	return need;
}

/* An operand that reads a t# lane which the VP never writes stays as it is, and so does the place of
 * every lane of that register that the same instruction reads. */
static bool reads_opaque(const struct search *s, int i, int *reg)
{
	const struct instr *instr = &s->ps->instrs.at[i];
	for (unsigned k = 0; k < ops[instr->op].sources; k++) {
		const struct src *src = &instr->src[k];
		if (src->file == REG_TEXCOORD && src->index < INTERPOLATORS &&
		    instr_reads(s->ps, instr, k) & s->values->opaque[src->index]) {
			*reg = src->index;
			return true;
		}
	}
	return false;
}

static void find_start(struct search *s)
{
	memset(&s->start, 0, sizeof s->start);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		s->start.kind[r] = KIND_ANY;
		s->start.home[r] = -1;
		for (unsigned k = 0; k < LANES; k++)
			s->start.lane[r][k] = NO_VALUE;
	}
	for (int i = 0; i < (int)s->ps->instrs.n; i++) {
		int reg;
		if (!reads_opaque(s, i, &reg))
			continue;
		const struct decl *d = program_decl(s->ps, REG_TEXCOORD, reg);
		s->start.pinned[reg] = true;
		s->start.home[reg] = (int8_t)reg;
		s->start.kind[reg] = d ? d->flags : 0;
		for (unsigned k = 0; k < LANES; k++)
			s->start.lane[reg][k] = !d || s->values->opaque[reg] >> k & 1
			                                ? s->values->unknown
			                                : value_of_input(s->values, (unsigned)reg * LANES + k, d->flags);
	}
	s->plan.layout = s->start;
}

/* The constants the FP has; free registers can take new literals. */
static void find_consts(struct search *s)
{
	memset(s->plan.consts, 0xff, sizeof s->plan.consts);
	for (uint32_t k = 0; k < s->ps->decls.n; k++) {
		const struct decl *d = &s->ps->decls.at[k];
		if (d->kind == DECL_DEF && d->reg.index < PS_CONSTS) {
			s->plan.old_consts |= 1u << d->reg.index;
			for (unsigned lane = 0; lane < LANES; lane++)
				s->plan.consts[d->reg.index][lane] = value_of_literal(s->values, d->value[lane]);
		}
	}
	for (uint32_t i = 0; i < s->ps->instrs.n; i++) {
		const struct instr *instr = &s->ps->instrs.at[i];
		for (unsigned k = 0; k < ops[instr->op].sources; k++) {
			for (unsigned row = 0; instr->src[k].file == REG_CONST && row < instr_rows(instr, k); row++) {
				int reg = instr->src[k].index + (int)row;
				if (reg >= PS_CONSTS || s->plan.old_consts >> reg & 1)
					continue;
				s->plan.old_consts |= 1u << reg;
				for (unsigned lane = 0; lane < LANES; lane++)
					s->plan.consts[reg][lane] = value_of_constant(s->values, reg, lane);
			}
		}
	}
}

/* Coordinates for the bound: of reads that stay, whose definitions do not stay anyway. */
static void find_coords(struct search *s)
{
	for (int i = (int)s->ps->instrs.n - 1; i >= 0; i--) {
		const struct instr *instr = &s->ps->instrs.at[i];
		const struct use *u = &s->values->use[i][0];
		if (!(ops[instr->op].flags & OPF_TEX) || !stays_anyway(s, i) || instr->op == OP_TEXKILL)
			continue;
		bool counts = true;
		for (unsigned p = 0; p < 2; p++)
			counts &= value_is_movable(s->values, u->value[p]) && !(u->def[p] >= 0 && s->pixel[u->def[p]]);
		for (uint32_t c = 0; counts && c < s->coords.n; c++)
			counts = s->coords.at[c].x != u->value[0] || s->coords.at[c].y != u->value[1];
		int def = -1;
		for (unsigned p = 0; p < 2 && def < 0 && u->def[p] >= 0; p++) {
			def = u->def[p];
			for (uint32_t c = 0; c < s->coords.n; c++)
				def = s->coords.at[c].def == u->def[p] ? -1 : def;
		}
		if (counts && (def >= 0 || u->def[0] < 0))
			VEC_PUSH(s->arena, &s->coords) = (struct coord){u->value[0], u->value[1], i, def};
	}
}

/* ---- what the VP can compute ------------------------------------------------------ */

static bool deliverable_const(const struct search *s, value_id id)
{
	const struct value *x = value_at(s->values, id);
	if (x->known || x->wild)
		return x->known;
	if (x->op == CONST_RAW)
		return !s->options->drop_in;
	for (unsigned k = 0; k < x->nargs; k++)
		if (!deliverable_const(s, x->args[k]))
			return false;
	return true;
}

static bool deliverable(const struct search *s, const struct pattern *p, uint8_t *kind)
{
	*kind = KIND_ANY;
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->positions >> k & 1))
			continue;
		const struct value *x = value_at(s->values, p->value[k]);
		if (x->class == VALUE_CONST) {
			if (!deliverable_const(s, p->value[k]))
				return false;
			continue;
		}
		if (*kind != KIND_ANY && *kind != x->kind)
			return false;
		*kind = x->kind;
		if (!deliverable_const(s, x->constant))
			return false;
		for (uint32_t t = 0; t < x->nterms; t++)
			if (!deliverable_const(s, x->terms[t].coef))
				return false;
	}
	return true;
}

/* ---- supplies ------------------------------------------------------------------------ */

static bool is_scalar(const struct pattern *p)
{
	return (p->positions & (p->positions - 1)) == 0;
}

/* Can the register show all patterns?  `add`: new values may take its free lanes. */
static bool shows(value_id reg[LANES], const struct pattern *p, unsigned n, bool add)
{
	if (n == 0)
		return true;
	struct pattern first = *p;
	if (is_scalar(p) && p->reach == REACH_ANY)
		first.reach = REACH_SCALAR; /* any lane will do: the lowest first */
	struct way way;
	for (unsigned view = 0; pattern_way(&first, view, &way); view++) {
		value_id lane[LANES];
		memcpy(lane, reg, sizeof lane);
		if (pattern_place(lane, &first, &way) && (add || memcmp(lane, reg, sizeof lane) == 0) &&
		    shows(lane, p + 1, n - 1, add)) {
			memcpy(reg, lane, sizeof lane);
			return true;
		}
	}
	return false;
}

/* An FP constant register that delivers all these patterns, taking free lanes for new literals; -1: none.
 * `only`: that register, or -1. */
static int const_register(struct search *s, const struct pattern *p, unsigned n, int only)
{
	for (int r = 0; r < PS_CONSTS; r++)
		if ((only < 0 || r == only) && shows(s->plan.consts[r], p, n, false))
			return r;
	for (unsigned k = 0; k < n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (p[k].positions >> lane & 1 && !value_at(s->values, p[k].value[lane])->known)
				return -1;
	for (int r = 0; r < PS_CONSTS; r++)
		if ((only < 0 || r == only) && !(s->plan.old_consts >> r & 1) && shows(s->plan.consts[r], p, n, true))
			return r;
	return -1;
}

/* May operand k of the instruction read a constant register?  `only`: the one that it must be, or -1. */
static bool const_port(const struct search *s, int i, unsigned k, int *only)
{
	const struct instr *instr = &s->ps->instrs.at[i];
	*only = -1;
	if (ops[instr->op].flags & OPF_TEX || ops[instr->op].shape == SHAPE_MATRIX ||
	    ops[instr->op].shape == SHAPE_SINCOS)
		return false;
	for (unsigned o = 0; o < ops[instr->op].sources; o++) {
		if (instr->src[o].file == REG_CONST)
			*only = instr->src[o].index;
		else if (o < k && s->plan.supply[i][o] == SUPPLY_CONST)
			*only = (int)s->plan.temp[i][o];
	}
	return true;
}

static bool same_request(const struct request *a, const struct request *b)
{
	if (a->n != b->n)
		return false;
	for (unsigned k = 0; k < a->n; k++) {
		const struct pattern *p = &a->pattern[k], *q = &b->pattern[k];
		if (p->positions != q->positions || p->reach != q->reach)
			return false;
		for (unsigned lane = 0; lane < LANES; lane++)
			if (p->positions >> lane & 1 && p->value[lane] != q->value[lane])
				return false;
	}
	return true;
}

/* Asks for one more pattern, in the same register as those that the instruction asked for already
 * (`here`, to which it is added). */
static bool ask(struct search *s, const struct pattern *p, struct request *here)
{
	uint8_t kind;
	if (here->n == MAX_SOURCES || !deliverable(s, p, &kind))
		return false;
	if (here->n == 0)
		here->kind = KIND_ANY;
	if (here->kind != KIND_ANY && kind != KIND_ANY && here->kind != kind)
		return false;
	here->pattern[here->n++] = *p;
	if (here->kind == KIND_ANY)
		here->kind = kind;
	for (uint32_t q = 0; q < s->requests.n; q++)
		if (same_request(&s->requests.at[q], here))
			return true;
	VEC_PUSH(s->arena, &s->requests) = *here;
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		struct way way;
		bool there = here->kind == KIND_ANY || here->kind == s->plan.layout.kind[r];
		for (unsigned k = 0; there && k < here->n; k++)
			there = pattern_match(s->plan.layout.lane[r], &here->pattern[k], &way);
		if (there)
			return true;
	}
	uint32_t work = s->work < PACK_WORK ? s->work : PACK_WORK, before = work;
	bool packed = layout_pack(s->values, s->requests.at, s->requests.n, s->options->texcoords, &s->start,
	                          &s->plan.layout, &work);
	s->work -= before - work;
	if (!packed && work == 0)
		s->gave_up = true;
	return packed;
}

static void change(struct search *s, lanes *at, lanes more)
{
	VEC_PUSH(s->arena, &s->trail) = (struct change){at, *at};
	*at |= more;
}

static uint64_t making_cost(const struct search *s, const struct pattern *p)
{
	struct instr const mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .mask = p->positions}};
	return target_instr(&s->options->target, &mov, s->ps->model, p->positions);
}

static struct making *new_making(struct search *s, const struct pattern *p, enum make make, int i)
{
	struct making *m = &VEC_PUSH(s->arena, &s->plan.makings);
	*m = (struct making){.pattern = *p, .make = (uint8_t)make, .first = (uint32_t)i, .after = -1, .reg = -1};
	m->pattern.reach = REACH_ANY;
	s->cost += making_cost(s, p);
	return m;
}

/* Is the value in a constant register, or can it be put there? */
static bool is_in_constants(const struct search *s, value_id id)
{
	if (value_at(s->values, id)->known)
		return true;
	for (unsigned r = 0; r < PS_CONSTS; r++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (s->plan.consts[r][lane] != NO_VALUE && (s->plan.consts[r][lane] == id ||
			                                            value_find_negated(s->values, s->plan.consts[r][lane]) == id))
				return true;
	return false;
}

/* factor such that value - base * factor is constant; NO_VALUE: there is none, or none known. */
static value_id factor_between(struct search *s, value_id value, value_id base)
{
	struct term const have = value_at(s->values, base)->terms[0], want = value_at(s->values, value)->terms[0];
	if (have.input != want.input || value_at(s->values, value)->nterms != value_at(s->values, base)->nterms ||
	    value_at(s->values, value)->kind != value_at(s->values, base)->kind)
		return NO_VALUE;
	if (have.coef == want.coef)
		return s->values->one;
	if (have.coef == s->values->one)
		return want.coef;
	if (have.coef == value_negated(s->values, want.coef))
		return value_negated(s->values, s->values->one);
	const struct value *x = value_at(s->values, want.coef), *y = value_at(s->values, have.coef);
	return x->known && y->known ? value_of_literal(s->values, (float)(x->number / y->number)) : NO_VALUE;
}

struct relation {
	value_id base, factor, offset;
};

/* value = base * factor + offset? */
static bool relate(struct search *s, value_id value, value_id base, struct relation *r)
{
	value_id factor = factor_between(s, value, base);
	if (factor == NO_VALUE)
		return false;
	value_id offset = value_sum(s->values, value, value_negated(s->values, value_product(s->values, base, factor)));
	*r = (struct relation){base, factor, offset};
	return offset != NO_VALUE && value_at(s->values, offset)->class == VALUE_CONST && is_in_constants(s, factor) &&
	       is_in_constants(s, offset);
}

/* Ways to make one lane from another: an input as it is or negated, itself. */
static unsigned relations(struct search *s, value_id value, struct relation r[RELATIONS])
{
	unsigned n = 0;
	if (value_at(s->values, value)->class != VALUE_AFFINE) {
		r[0] = (struct relation){value, s->values->one, s->values->zero};
		return 1;
	}
	value_id input = NO_VALUE;
	if (value_at(s->values, value)->nterms == 1) {
		input = value_of_input(s->values, value_at(s->values, value)->terms[0].input,
		                       value_at(s->values, value)->kind);
		n += relate(s, value, input, &r[n]);
		n += relate(s, value, value_negated(s->values, input), &r[n]);
	}
	if (value != input)
		r[n++] = (struct relation){value, s->values->one, s->values->zero};
	return n;
}

/* One instruction base * factor + offset, if one constant register can hold factor and offset.
 * `choice` counts the bases through, from inputs as they are; false with `*more`: try the next. */
static bool make_affine(struct search *s, const struct pattern *p, int i, unsigned choice, bool *more)
{
	struct pattern base = {.reach = REACH_ANY}, constants[2] = {{.reach = REACH_ANY}, {.reach = REACH_ANY}};
	bool factors = false, offsets = false;
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->positions >> k & 1))
			continue;
		struct relation all[RELATIONS];
		unsigned n = relations(s, p->value[k], all);
		*more = n > 0;
		if (n == 0)
			return false;
		const struct relation *r = &all[choice % n];
		choice /= n;
		factors |= r->factor != s->values->one;
		offsets |= r->offset != s->values->zero;
		set_lane(s->values, &base, k, r->base);
		set_lane(s->values, &constants[0], k, r->factor);
		set_lane(s->values, &constants[1], k, r->offset);
	}
	*more = choice == 0;
	if (choice || (!factors && !offsets) ||
	    const_register(s, factors ? constants : constants + 1, factors + offsets, -1) < 0)
		return false;
	struct request here = {.n = 0};
	if (!ask(s, &base, &here))
		return false;
	struct making *m = new_making(s, p, MAKE_AFFINE, i);
	m->base = base;
	if (factors)
		m->factor = constants[0];
	if (offsets)
		m->offset = constants[1];
	return true;
}

static bool make_constant(struct search *s, const struct pattern *p, int i)
{
	struct pattern any = *p;
	any.reach = REACH_ANY;
	if (const_register(s, &any, 1, -1) < 0)
		return false;
	new_making(s, p, MAKE_MOV_CONST, i);
	return true;
}

static bool make_mov(struct search *s, const struct pattern *p, int i)
{
	struct pattern any = *p;
	struct request here = {.n = 0};
	any.reach = REACH_ANY;
	if (!ask(s, &any, &here))
		return false;
	new_making(s, p, MAKE_MOV_INPUT, i);
	return true;
}

/* What is tried in the wide search is paid for, as packing is; false: nothing is left. */
static bool pay(struct search *s)
{
	enum { PRICE = 50 };
	if (s->wide)
		s->work -= s->work < PRICE ? s->work : PRICE;
	s->gave_up |= s->work == 0;
	return s->work > 0;
}

/* Ways to make a pattern, by number from 0; false with `*more`: not this way, try the next. */
static bool make(struct search *s, unsigned number, const struct pattern *p, int i, bool *more)
{
	*more = pay(s);
	if (!*more)
		return false;
	switch (number) {
	case 0: return make_affine(s, p, i, 0, more) || !(*more = true);
	case 1: return make_constant(s, p, i);
	case 2: return make_mov(s, p, i);
	default: return s->wide && number - 2 < AFFINE_CHOICES ? make_affine(s, p, i, number - 2, more) : (*more = false);
	}
}

/* Does a new instruction beside pixel lanes write, before instruction i, what `def` wrote to the lane? */
static bool written_beside(const struct search *s, int i, int reg, unsigned lane, int def)
{
	for (uint32_t t = 0; t < s->plan.makings.n; t++) {
		const struct making *m = &s->plan.makings.at[t];
		if (m->reg == reg && m->pattern.positions >> lane & 1 && m->after >= def && m->after < i)
			return true;
	}
	return false;
}

/* ---- bound ----------------------------------------------------------------------------- */

/* Different values that interpolators must carry; a value and its negation are one. */
static unsigned varyings(const struct search *s)
{
	value_id seen[INTERPOLATORS * LANES];
	unsigned n = 0;
	for (uint32_t q = 0; q < s->requests.n; q++) {
		for (unsigned p = 0; p < s->requests.at[q].n; p++) {
			const struct pattern *pattern = &s->requests.at[q].pattern[p];
			for (unsigned l = 0; l < LANES; l++) {
				unsigned k = 0;
				while (k < n && seen[k] != pattern->value[l] && seen[k] != pattern->negated[l])
					k++;
				if (pattern->positions >> l & 1 && k == n && n < INTERPOLATORS * LANES)
					seen[n++] = pattern->value[l];
			}
		}
	}
	return n;
}

/* Does a temporary bring the coordinate that is there in any case? */
static bool coord_is_there(const struct search *s, const struct coord *c)
{
	bool there = c->def >= 0 && stays(s, c->def);
	for (uint32_t t = 0; t < s->plan.makings.n && !there; t++) {
		const struct making *m = &s->plan.makings.at[t];
		there = m->reg < 0 && (m->pattern.positions & MASK_XY) == MASK_XY && m->pattern.value[LANE_X] == c->x &&
		        m->pattern.value[LANE_Y] == c->y;
	}
	return there;
}

/* Time that no plan below this node can avoid.  Coordinates still to come need registers whose .xy is
 * theirs, and what finds none costs an instruction.  `coming`: new instructions not among those of the plan. */
static uint64_t bound(const struct search *s, int i, unsigned coming)
{
	const struct target *t = &s->options->target;
	unsigned later = 0, spare = s->wide ? coming : 0;
	for (uint32_t c = 0; c < s->coords.n; c++)
		later += s->coords.at[c].last <= i && !coord_is_there(s, &s->coords.at[c]);
	for (uint32_t k = 0; s->wide && k < s->plan.makings.n; k++) /* temporaries that one more coordinate could widen */
		spare += s->plan.makings.at[k].reg < 0 && (s->plan.makings.at[k].pattern.positions & MASK_XY) != MASK_XY;
	later -= spare < later ? spare : later;
	unsigned room = s->options->texcoords > s->direct ? s->options->texcoords - s->direct : 0;
	uint64_t time = s->base + s->cost + (later > room ? later - room : 0) * (uint64_t)t->instr * TARGET_UNIT;
	return t->varying ? time + (uint64_t)t->varying * varyings(s) * TARGET_UNIT : time;
}

static bool hopeless(struct search *s, int i)
{
	if (++s->nodes > s->options->effort || s->work == 0 || s->leaves > LEAVES) {
		s->gave_up = true;
		return true;
	}
	uint64_t least = bound(s, i, 0);
	return least > s->limit || (s->best && least == s->best->time && s->ties == 0);
}

/* ---- a complete plan ----------------------------------------------------------------------- */

static unsigned used_registers(const struct layout *l)
{
	unsigned n = 0;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(l, r);
	return n;
}

/* Numbers of the new interpolators: inputs keep theirs where they can, and none is left out. */
static void number_registers(struct layout *l)
{
	struct layout const old = *l;
	int count = (int)used_registers(l), to[INTERPOLATORS];
	bool taken[INTERPOLATORS] = {false};
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		to[r] = old.pinned[r] ? (int)r : -1;
		taken[r] = old.pinned[r];
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		int home = old.home[r];
		if (to[r] < 0 && layout_used(&old, r) && home >= 0 && home < count && !taken[home]) {
			to[r] = home;
			taken[home] = true;
		}
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		l->kind[r] = KIND_ANY;
		l->home[r] = -1;
		l->pinned[r] = false;
		for (unsigned k = 0; k < LANES; k++)
			l->lane[r][k] = NO_VALUE;
	}
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (!layout_used(&old, r))
			continue;
		for (int free = 0; to[r] < 0; free++) {
			if (!taken[free]) {
				to[r] = free;
				taken[free] = true;
			}
		}
		l->kind[to[r]] = old.kind[r];
		l->home[to[r]] = old.home[r];
		l->pinned[to[r]] = old.pinned[r];
		memcpy(l->lane[to[r]], old.lane[r], sizeof old.lane[r]);
	}
}

/* By time, then FP slots, then dependent reads, then interpolators, then VP slots. */
static bool better(const struct planned *a, const struct planned *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->ps_slots != b->ps_slots)
		return a->ps_slots < b->ps_slots;
	if (a->order != b->order)
		return a->order < b->order;
	if (a->registers != b->registers)
		return a->registers < b->registers;
	return a->vs_slots < b->vs_slots;
}

/* True if this plan is the best so far, and noted as that. */
static bool try_leaf(struct search *s)
{
	struct plan plan = s->plan;
	for (unsigned n = 1; n < used_registers(&s->plan.layout); n++) {
		uint32_t work = PACK_WORK / 8;
		if (layout_pack(s->values, s->requests.at, s->requests.n, n, &s->start, &plan.layout, &work))
			break;
	}
	number_registers(&plan.layout);
	struct planned p = {.registers = used_registers(&plan.layout)};
	p.result = arena_zero(s->arena, sizeof *p.result);
	p.result->ps = plan_pixel_program(s->values, &plan, p.result);
	if (!p.result->ps)
		return false;
	p.ps_slots = program_total_slots(p.result->ps);
	p.order = program_dependent_reads(p.result->ps);
	if (p.order > models[PS_2_0].order)
		return false; /* new registers for old values can make reads overwrite what depends */
	p.time = target_pair(&s->options->target, s->vs, p.result->ps, UINT_MAX);
	if (s->best && s->ties)
		s->ties--;
	if (s->best && !better(&p, s->best))
		return false;
	p.result->vs = plan_short_vertex_program(s->values, s->vs, &plan, s->options, p.result);
	if (!p.result->vs)
		return false;
	p.vs_slots = program_total_slots(p.result->vs);
	p.time = target_pair(&s->options->target, p.result->vs, p.result->ps, s->options->pixels_per_vertex);
	if (p.time > s->limit || (s->best && !better(&p, s->best)))
		return false;
	if (!s->best || p.time < s->best->time)
		s->ties = TIES;
	s->limit = p.time;
	uint32_t n = s->ps->instrs.n;
	p.mask = (lanes *)(void *)arena_copy(s->arena, plan.mask, n);
	s->best = arena_alloc(s->arena, sizeof *s->best);
	*s->best = p;
	return true;
}

/* What a plan that is not taken allocated is freed again, unless new values were numbered for it. */
static void leaf(struct search *s)
{
	struct arena_mark before = arena_mark(s->arena);
	uint32_t values = s->values->all.n;
	s->leaves++;
	if (!try_leaf(s) && s->values->all.n == values)
		arena_release(s->arena, before);
}

/* ---- the search ---------------------------------------------------------------------------- */

static void search(struct search *s, int i, unsigned k, const struct request *here);

struct mark {
	uint32_t requests, makings, trail;
	uint64_t cost;
	unsigned direct;
	struct layout layout;
	value_id consts[PS_CONSTS][LANES];
};

static void set_mark(const struct search *s, struct mark *m)
{
	m->requests = s->requests.n;
	m->makings = s->plan.makings.n;
	m->trail = s->trail.n;
	m->cost = s->cost;
	m->direct = s->direct;
	m->layout = s->plan.layout;
	memcpy(m->consts, s->plan.consts, sizeof m->consts);
}

static void undo(struct search *s, const struct mark *m)
{
	while (s->trail.n > m->trail) {
		const struct change *c = &s->trail.at[--s->trail.n];
		*c->at = c->old;
	}
	s->requests.n = m->requests;
	s->plan.makings.n = m->makings;
	s->cost = m->cost;
	s->direct = m->direct;
	s->plan.layout = m->layout;
	memcpy(s->plan.consts, m->consts, sizeof s->plan.consts);
}

static void supply(struct search *s, int i, unsigned k, enum supply how, uint32_t which)
{
	s->plan.supply[i][k] = (uint8_t)how;
	s->plan.temp[i][k] = which;
}

/* Keeps the definitions of the operand's movable lanes. */
static void keep(struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct src *src = &s->ps->instrs.at[i].src[k];
	for (unsigned position = 0; position < LANES; position++) {
		if (!(p->positions >> position & 1))
			continue;
		int def = s->values->use[i][k].def[position];
		unsigned lane = swizzle_lane(src->swizzle, position);
		if (s->demand[def] >> lane & 1 || written_beside(s, i, src->index, lane, def))
			continue;
		const struct instr *instr = &s->ps->instrs.at[def];
		if (stays(s, def))
			s->cost -= target_instr(&s->options->target, instr, s->ps->model, mask_for(instr, s->pixel[def] | s->demand[def]));
		change(s, &s->demand[def], (lanes)(1u << lane));
		s->cost += target_instr(&s->options->target, instr, s->ps->model, mask_for(instr, s->pixel[def] | s->demand[def]));
	}
	supply(s, i, k, SUPPLY_KEEP, 0);
}

/* One new instruction writes the movable lanes beside the pixel lanes, where the last of their
 * definitions stood. */
static bool make_beside(struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct src *src = &s->ps->instrs.at[i].src[k];
	struct pattern lanes_of_reg = {.reach = REACH_ANY};
	int after = -1;
	for (unsigned position = 0; position < LANES; position++) {
		if (!(p->positions >> position & 1))
			continue;
		unsigned lane = swizzle_lane(src->swizzle, position);
		int def = s->values->use[i][k].def[position];
		if (s->demand[def] >> lane & 1 || written_beside(s, i, src->index, lane, def))
			continue;
		set_lane(s->values, &lanes_of_reg, lane, s->values->def[def][lane]);
		after = def > after ? def : after;
	}
	if (!lanes_of_reg.positions || (!make_constant(s, &lanes_of_reg, i) && !make_mov(s, &lanes_of_reg, i)))
		return false;
	struct making *m = &s->plan.makings.at[s->plan.makings.n - 1];
	m->after = after;
	m->reg = src->index;
	supply(s, i, k, SUPPLY_KEEP, 0);
	return true;
}

/* An operand of movable and pixel lanes. */
static void decide_mixed(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct mark m;
	set_mark(s, &m);
	if (make_beside(s, i, k, p))
		search(s, i, k + 1, here);
	undo(s, &m);
	keep(s, i, k, p);
	search(s, i, k + 1, here);
	undo(s, &m);
}

/* A temporary that a new instruction writes already. */
static int find_making(const struct search *s, const struct pattern *p)
{
	for (uint32_t t = 0; t < s->plan.makings.n; t++) {
		const struct making *made = &s->plan.makings.at[t];
		value_id lane[LANES];
		struct way way;
		for (unsigned n = 0; n < LANES; n++)
			lane[n] = made->pattern.positions >> n & 1 ? made->pattern.value[n] : NO_VALUE;
		if (made->reg < 0 && pattern_match(lane, p, &way))
			return (int)t;
	}
	return -1;
}

/* A pattern of one value needs one lane only. */
static struct pattern without_repetition(const struct pattern *p)
{
	struct pattern one = *p;
	for (unsigned k = 0; k < LANES && p->reach != REACH_PLAIN; k++) {
		lanes others = (lanes)(p->positions & ~(1u << k));
		if (!(p->positions >> k & 1))
			continue;
		for (unsigned o = k + 1; o < LANES; o++)
			if (p->positions >> o & 1 && p->value[o] == p->value[k])
				others &= (lanes)~(1u << o);
		if (!others)
			one.positions = (lanes)(1u << k);
		break;
	}
	return one;
}

/* Can a plan with `more` new instructions above what is chosen be better than the best so far?  `tie`: or as
 * good, while such plans are looked at. */
static bool pays(const struct search *s, int i, unsigned more, bool tie)
{
	uint64_t least = bound(s, i - 1, more) + more * (uint64_t)s->options->target.instr * TARGET_UNIT;
	return least < s->limit || (least == s->limit && (!s->best || (tie && s->ties)));
}

/* Patterns that one new instruction is to bring, and the orders of lanes that were tried for it. */
struct arrangement {
	struct pattern want[8];
	unsigned n;
	value_id tried[ARRANGEMENTS][LANES];
	unsigned ntried;
};

/* The next order of lanes in which all patterns from the k-th on find their values; `lane`: those before. */
static bool next_arrangement(struct arrangement *a, unsigned k, value_id lane[LANES])
{
	if (k == a->n) {
		for (unsigned t = 0; t < a->ntried; t++)
			if (memcmp(a->tried[t], lane, LANES * sizeof *lane) == 0)
				return false;
		memcpy(a->tried[a->ntried++], lane, LANES * sizeof *lane);
		return true;
	}
	struct way way;
	for (unsigned view = 0; pattern_way(&a->want[k], view, &way); view++) {
		value_id now[LANES];
		memcpy(now, lane, sizeof now);
		if (pattern_place(now, &a->want[k], &way) && next_arrangement(a, k + 1, now)) {
			memcpy(lane, now, sizeof now);
			return true;
		}
	}
	return false;
}

static bool arrange(struct search *s, struct arrangement *a, struct pattern *made)
{
	value_id lane[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	if (a->ntried == ARRANGEMENTS || !pay(s) || !next_arrangement(a, 0, lane))
		return false;
	*made = (struct pattern){.reach = REACH_ANY};
	for (unsigned k = 0; k < LANES; k++)
		if (lane[k] != NO_VALUE)
			set_lane(s->values, made, k, lane[k]);
	return true;
}

/* New instructions that write further lanes for p. */
static void widen_makings(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct mark m;
	set_mark(s, &m);
	for (uint32_t t = 0; t < m.makings && pays(s, i, 0, false); t++) {
		struct making const before = s->plan.makings.at[t];
		struct arrangement a = {.n = 0};
		a.want[a.n++] = without_repetition(p);
		for (uint32_t r = (uint32_t)i; before.reg < 0 && r < s->ps->instrs.n; r++)
			for (unsigned o = 0; o < (r == (uint32_t)i ? k : MAX_SOURCES) && a.n < 8; o++)
				if (s->plan.mask[r] && s->plan.supply[r][o] == SUPPLY_TEMP && s->plan.temp[r][o] == t) {
					struct need need = plan_need(s->values, r, o, s->plan.mask[r]);
					a.want[a.n++] = without_repetition(&need.pattern);
				}
		struct pattern wide;
		while (before.reg < 0 && a.n < 8 && arrange(s, &a, &wide)) {
			bool more = true;
			for (unsigned number = 0; more && pays(s, i, 0, false); number++) {
				if (make(s, number, &wide, i, &more)) {
					s->plan.makings.at[t] = s->plan.makings.at[--s->plan.makings.n];
					s->cost -= making_cost(s, &before.pattern);
					supply(s, i, k, SUPPLY_TEMP, t);
					search(s, i, k + 1, here);
				}
				s->plan.makings.at[t] = before;
				undo(s, &m);
			}
		}
	}
}

/* A new instruction for p; in another order of lanes only where it cannot be made in the first. */
static void make_new(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct mark m;
	set_mark(s, &m);
	bool more = true;
	for (unsigned number = 0; more && pays(s, i, 1, number < 3); number++) {
		struct arrangement a = {.n = 1, .want = {without_repetition(p)}};
		struct pattern made;
		bool possible = false;
		more = false; /* unless make() says so; without any order of lanes it is not asked */
		while (!possible && arrange(s, &a, &made)) {
			possible = make(s, number, &made, i, &more);
			if (possible) {
				supply(s, i, k, SUPPLY_TEMP, s->plan.makings.n - 1);
				search(s, i, k + 1, here);
			}
			undo(s, &m);
			if (!s->wide)
				break;
		}
	}
}

/* An operand of movable lanes only. */
static void decide(struct search *s, int i, unsigned k, const struct request *here, const struct pattern *p)
{
	struct mark m;
	set_mark(s, &m);

	/* A constant register, straight, costs nothing and takes no interpolator. */
	int only, reg;
	if (const_port(s, i, k, &only) && (reg = const_register(s, p, 1, only)) >= 0) {
		supply(s, i, k, SUPPLY_CONST, (uint32_t)reg);
		search(s, i, k + 1, here);
		undo(s, &m);
		return;
	}
	undo(s, &m);

	/* Beside an interpolator that must stay as it is, the one port is taken. */
	int opaque;
	struct request joint = *here;
	if (!reads_opaque(s, i, &opaque) && ask(s, p, &joint)) {
		for (uint32_t c = 0; k == 0 && c < s->coords.n; c++)
			s->direct += s->coords.at[c].last == i;
		supply(s, i, k, SUPPLY_INPUT, 0);
		bool free = here->n == 0 && s->requests.n == m.requests;
		search(s, i, k + 1, &joint);
		undo(s, &m);
		if (free)
			return; /* others asked for the same: nothing can be cheaper */
	}
	undo(s, &m);

	int made = find_making(s, p);
	if (made >= 0) {
		uint32_t first = s->plan.makings.at[made].first;
		supply(s, i, k, SUPPLY_TEMP, (uint32_t)made);
		s->plan.makings.at[made].first = (uint32_t)i;
		search(s, i, k + 1, here);
		s->plan.makings.at[made].first = first;
		undo(s, &m);
		return;
	}

	if (s->wide)
		widen_makings(s, i, k, here, p);
	make_new(s, i, k, here, p);
	if (s->ps->instrs.at[i].src[k].file == REG_TEMP) {
		keep(s, i, k, p);
		search(s, i, k + 1, here);
		undo(s, &m);
	}
}

static void search(struct search *s, int i, unsigned k, const struct request *here)
{
	static const struct request none = {.n = 0};
	for (;; i--, k = 0, here = &none) {
		while (i >= 0 && !stays(s, i)) {
			s->plan.mask[i] = 0;
			i--;
		}
		if (i < 0) {
			leaf(s);
			return;
		}
		const struct instr *instr = &s->ps->instrs.at[i];
		if (k == 0)
			s->plan.mask[i] = mask_for(instr, s->pixel[i] | s->demand[i]);
		int opaque;
		bool as_it_is = reads_opaque(s, i, &opaque);
		for (; k < ops[instr->op].sources; k++) {
			struct need need = plan_need(s->values, (uint32_t)i, k, s->plan.mask[i]);
			supply(s, i, k, SUPPLY_KEEP, 0);
			if (!need.pattern.positions || (as_it_is && instr->src[k].file == REG_TEXCOORD))
				continue;
			if (hopeless(s, i))
				return;
			if (need.pixel)
				decide_mixed(s, i, k, here, &need.pattern);
			else
				decide(s, i, k, here, &need.pattern);
			return;
		}
	}
}

static bool plannable(const struct program *ps)
{
	for (uint32_t i = 0; i < ps->instrs.n; i++)
		if (ops[ps->instrs.at[i].op].shape == SHAPE_MATRIX && ps->instrs.at[i].src[1].file != REG_CONST)
			return false; /* rows in temporaries: their lanes are not followed */
	return true;
}

struct planned *plan_search(struct values *v, const struct program *vs, const struct move_options *options)
{
	uint32_t n = v->ps->instrs.n;
	if (!plannable(v->ps))
		return NULL;
	struct search s = {.arena = v->arena, .values = v, .vs = vs, .ps = v->ps, .options = options};
	s.work = options->effort > UINT32_MAX / WORK_PER_NODE ? UINT32_MAX : options->effort * WORK_PER_NODE;
	s.pixel = arena_zero(s.arena, n + 1);
	s.demand = arena_zero(s.arena, n + 1);
	s.plan.mask = arena_zero(s.arena, n + 1);
	s.plan.supply = arena_zero(s.arena, (n + 1) * sizeof *s.plan.supply);
	s.plan.temp = arena_zero(s.arena, (n + 1) * sizeof *s.plan.temp);
	find_live_pixels(&s);
	find_consts(&s);
	find_start(&s);
	find_coords(&s);
	struct request none = {.n = 0};
	s.limit = target_pair(&options->target, vs, v->ps, options->pixels_per_vertex);
	uint64_t const least = bound(&s, (int)n - 1, 0);
	search(&s, (int)n - 1, 0, &none);
	/* What is rarely of use is tried when all else is done, for less time only. */
	if (!s.gave_up && least < (s.best ? s.best->time : s.limit)) {
		s.wide = true;
		s.ties = 0;
		for (uint32_t id = v->all.n; id-- > 0;)
			value_negated(v, id); /* so that operands may read interpolators that carry the opposite */
		search(&s, (int)n - 1, 0, &none);
	}
	if (s.best) {
		s.best->result->nodes = s.nodes;
		/* In slots, as the time is for the default target; rounded up for others. */
		s.best->result->optimal = !s.gave_up || s.best->time == least;
		s.best->result->gap = s.best->result->optimal ? 0 : (unsigned)((s.best->time - least + TARGET_UNIT - 1) / TARGET_UNIT);
	}
	return s.best;
}
