/* Copies: operands read what was copied, and what is only moved on is computed where it
 * is wanted. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

/* --- forwards --------------------------------------------------------------------- */

/* What a temporary lane is a copy of. */
struct copy {
	bool valid, negate;
	bool pp; /* the mov that made it is _pp */
	uint8_t file, lane;
	int16_t index;
};

struct copies {
	struct copy of[MODEL_TEMPS][LANES];
	uint32_t holders; /* bit r: some lane of r is a copy, or was */
	uint32_t copied;  /* ... of some lane of r there is, or was, a copy */
};

static void forget(struct copies *c, int index, lanes lost)
{
	if (!lost)
		return;
	for (unsigned r = 0; c->copied >> index & 1 && r < MODEL_TEMPS && c->holders >> r; r++) {
		for (unsigned lane = 0; c->holders >> r & 1 && lane < LANES; lane++) {
			struct copy *copy = &c->of[r][lane];
			if (copy->file == REG_TEMP && copy->index == index && lost >> copy->lane & 1)
				copy->valid = false;
		}
	}
	EACH_LANE(lane, c->holders >> index & 1 ? lost : 0)
		c->of[index][lane].valid = false;
}

/* After the instruction: what it copies is known, what it overwrites is not. */
static void note(struct copies *c, const struct instr *i)
{
	struct copy made[LANES] = {{0}};
	bool is_copy = i->op == OP_MOV && i->dst.file == REG_TEMP && !(i->flags & INSTR_SAT) && !i->src[0].relative;
	for (unsigned lane = 0; is_copy && lane < LANES; lane++) {
		const struct src *src = &i->src[0];
		unsigned from = swizzle_lane(src->swizzle, lane);
		if (!(i->dst.mask >> lane & 1) || (src->file == REG_TEMP && flow_clobbers(i, src->index) >> from & 1))
			continue;
		made[lane] = (struct copy){true, src->negate, i->flags & INSTR_PP, src->file, (uint8_t)from, src->index};
	}
	if (instr_writes(i) && i->dst.file == REG_TEMP)
		forget(c, i->dst.index, flow_clobbers(i, i->dst.index));
	for (unsigned s = 1; i->op == OP_SGN && s < 3; s++)
		if (i->src[s].file == REG_TEMP)
			forget(c, i->src[s].index, MASK_XYZW);
	for (unsigned lane = 0; is_copy && lane < LANES; lane++)
		if (made[lane].valid) {
			c->of[i->dst.index][lane] = made[lane];
			c->holders |= UINT32_C(1) << i->dst.index;
			c->copied |= made[lane].file == REG_TEMP ? UINT32_C(1) << made[lane].index : 0;
		}
}

/* Operand `s` reading what its lanes are copies of; false if they are not of one register. */
static bool resolve(const struct tidy *t, const struct copies *c, const struct instr *i, unsigned s, struct src *out)
{
	const struct src *src = &i->src[s];
	if (src->file != REG_TEMP || !(c->holders >> src->index & 1) || instr_rows(i, s) > 1 || (i->op == OP_SGN && s > 0))
		return false;
	lanes read = instr_operand_lanes(t->p, i, s, instr_writes(i));
	const struct copy *first = NULL;
	unsigned from[LANES] = {0};
	EACH_LANE(lane, read) {
		const struct copy *copy = &c->of[src->index][swizzle_lane(src->swizzle, lane)];
		if (!first)
			first = copy;
		if (!copy->valid || copy->file != first->file || copy->index != first->index ||
		    copy->negate != first->negate)
			return false;
		from[lane] = copy->lane;
	}
	if (!first)
		return false;
	*out = *src;
	out->file = first->file;
	out->index = first->index;
	out->negate = src->negate != first->negate;
	out->letters = 0;
	return tidy_swizzle(t, i, s, from, read, &out->swizzle);
}

/* Returns the lanes of a mov that hold already what it brings, at no less precision. */
static lanes held(const struct copies *c, const struct instr *i)
{
	lanes there = 0;
	if (i->op != OP_MOV || i->dst.file != REG_TEMP || i->flags & INSTR_SAT || i->src[0].relative)
		return 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		const struct copy *copy = &c->of[i->dst.index][lane];
		bool itself = i->src[0].file == REG_TEMP && i->src[0].index == i->dst.index && !i->src[0].negate &&
		              swizzle_lane(i->src[0].swizzle, lane) == lane;
		if (i->dst.mask >> lane & 1 && itself)
			there |= (lanes)(1u << lane);
		if (i->dst.mask >> lane & 1 && copy->valid && copy->file == i->src[0].file && copy->index == i->src[0].index &&
		    copy->negate == i->src[0].negate && copy->lane == swizzle_lane(i->src[0].swizzle, lane) &&
		    (!copy->pp || i->flags & INSTR_PP))
			there |= (lanes)(1u << lane);
	}
	return there;
}

/* What the operand of an instruction behind k reads, past an _abs. */
static const struct src *reads_past_abs(const struct tidy *t, uint32_t k, const struct src *s)
{
	while (s->file == REG_TEMP && k-- > 0) {
		const struct instr *i = &t->p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == s->index)
			return instr_is_modifier(i) ? &i->src[0] : s;
	}
	return s;
}

/* Would an _abs have to become an instruction, as its operand is of a kind of which the instruction reads another one? */
static bool parts_abs(const struct tidy *t, uint32_t k, const struct instr *with, unsigned s)
{
	const struct src *of = reads_past_abs(t, k, &with->src[s]);
	bool other = false;
	for (unsigned o = 0; of != &with->src[s] && of->file != REG_TEMP && o < ops[with->op].sources; o++) {
		const struct src *beside = reads_past_abs(t, k, &with->src[o]);
		other |= beside->file == of->file && beside->index != of->index;
	}
	return other;
}

bool tidy_copies(struct tidy *t)
{
	struct copies copies;
	bool changed = false, any = false;
	for (uint32_t k = 0; k < t->p->instrs.n && !any; k++)
		any = t->p->instrs.at[k].op == OP_MOV && t->p->instrs.at[k].dst.file == REG_TEMP;
	if (!any)
		return false;
	memset(&copies, 0, sizeof copies);
	for (uint32_t k = 0; k < t->p->instrs.n; k++) {
		const struct instr *i = &t->p->instrs.at[k];
		for (unsigned s = 0; i->dst.file != REG_ADDRESS && s < ops[i->op].sources; s++) {
			struct src copied;
			if (!resolve(t, &copies, i, s, &copied))
				continue;
			struct instr with = *i;
			with.src[s] = copied;
			changed |= !parts_abs(t, k, &with, s) && tidy_replace(t, k, &with);
		}
		if (i->dst.mask && held(&copies, i) == i->dst.mask) {
			tidy_remove(t, k--);
			changed = true;
			continue;
		}
		note(&copies, i);
	}
	return changed;
}

/* --- backwards -------------------------------------------------------------------- */

/* The instruction with its result negated, exactly; false: not this opcode.  Not rcp: what
 * 1 / 0 is, and of which sign, differs between implementations. */
static bool negated(struct instr *i)
{
	if (i->flags & INSTR_SAT)
		return false;
	switch ((enum op)i->op) {
	case OP_ADD:
	case OP_DP2ADD:
	case OP_MAD: {
		i->src[0].negate = !i->src[0].negate;
		unsigned last = i->op == OP_ADD ? 1 : 2;
		i->src[last].negate = !i->src[last].negate;
		return true;
	}
	case OP_MOV:
	case OP_MUL:
	case OP_DP3:
	case OP_DP4: i->src[0].negate = !i->src[0].negate; return true;
	case OP_SUB: {
		struct src first = i->src[0];
		i->src[0] = i->src[1];
		i->src[1] = first;
		return true;
	}
	default: return false;
	}
}

/* The instruction `def` writing lanes `mask` of d, lane l what it wrote to from[l]. */
static bool retargeted(const struct tidy *t, struct instr *i, const struct dst *d, lanes mask, const unsigned *from)
{
	bool straight = true;
	EACH_LANE(lane, mask)
		if (from[lane] != lane)
			straight = false;
	if ((!straight && !tidy_moves_lanes(i)) || least_mask(t->p, i, mask) & (lanes)~mask)
		return false;
	i->dst.file = d->file;
	i->dst.index = d->index;
	i->dst.at = d->at;
	instr_set_mask(i, mask);
	return ops[i->op].shape != SHAPE_LANES || tidy_turn_sources(t, i, from);
}

/* How an instruction comes to write what a mov brings. */
struct taking {
	uint32_t k, def;      /* the mov, and one of the instructions whose values it moves on */
	lanes mask;           /* lanes that the mov brings of `def` */
	lanes left;           /* lanes that it brings of others */
	unsigned from[LANES]; /* where the lanes were */
};

/* In the place of `def` there is `changed`; the mov keeps what it brings of others. */
static bool take_over(struct tidy *t, const struct taking *x, struct instr *changed)
{
	const struct instr *mov = &t->p->instrs.at[x->k];
	instr_keep_precision(changed, mov);
	if (!tidy_replace(t, x->def, changed))
		return false;
	if (!x->left)
		tidy_remove(t, x->k);
	else
		instr_set_mask(&t->p->instrs.at[x->k], x->left); /* stale since the replacement */
	return true;
}

/* Lets `def` write the mov's destination. */
static bool write_there(struct tidy *t, const struct flow *f, const struct taking *x)
{
	struct program *p = t->p;
	const struct instr *mov = &p->instrs.at[x->k];
	const struct src *src = &mov->src[0];
	struct instr changed = p->instrs.at[x->def];
	/* The other lanes of the mov must not read what would be overwritten. */
	if (mov->dst.file == REG_TEMP && mov->dst.index == src->index && swizzle_lanes(src->swizzle, x->left) & x->mask)
		return false;
	if (ops[changed.op].flags & OPF_TEX || changed.op == OP_SINCOS || changed.op == OP_SGN ||
	    !flow_is_sole_reader(f, x->def, x->k, MAX_SOURCES) || !flow_untouched(p, &mov->dst, x->mask, x->def + 1, x->k) ||
	    (src->negate && (tidy_is_exact(t, x->k) || !negated(&changed))) || !retargeted(t, &changed, &mov->dst, x->mask, x->from))
		return false;
	changed.flags |= mov->flags & INSTR_SAT; /* what a mov_sat brings is saturated where it is made */
	return take_over(t, x, &changed);
}

/* Can `def` write what the mov copies beside, or in the place of, what it writes? */
static bool can_copy(const struct tidy *t, const struct taking *x)
{
	const struct instr *mov = &t->p->instrs.at[x->k], *def = &t->p->instrs.at[x->def];
	return mov->dst.file == REG_TEMP && !mov->src[0].negate && !(mov->flags & INSTR_SAT) && tidy_moves_lanes(def) &&
	       !(ops[def->op].flags & OPF_TEX) && flow_untouched(t->p, &mov->dst, x->mask, x->def + 1, x->k);
}

/* Lets `def` write, beside its own lanes, those of the same register that the mov copies one of them to. */
static bool widen(struct tidy *t, const struct taking *x)
{
	const struct instr *mov = &t->p->instrs.at[x->k];
	struct instr const old = t->p->instrs.at[x->def];
	struct instr changed = old;
	unsigned from[LANES];
	for (unsigned lane = 0; lane < LANES; lane++)
		from[lane] = x->mask >> lane & 1 ? x->from[lane] : lane;
	/* The other lanes of the mov must not read what would be overwritten. */
	return mov->dst.index == mov->src[0].index && !(swizzle_lanes(mov->src[0].swizzle, x->left) & x->mask) &&
	       !(x->mask & old.dst.mask) && can_copy(t, x) && retargeted(t, &changed, &old.dst, x->mask | old.dst.mask, from) &&
	       take_over(t, x, &changed);
}

/* The lanes that the mov `k` brings of what lane `lane` comes from; false: that is no instruction. */
static bool find_taking(const struct program *p, const struct flow *f, uint32_t k, unsigned lane, struct taking *x)
{
	const struct instr *mov = &p->instrs.at[k];
	lanes const written = instr_writes(mov); /* of oFog and oPts x alone, without a mask too */
	*x = (struct taking){.k = k, .def = written >> lane & 1 ? flow_def(f, k, 0, lane) : FLOW_UNWRITTEN};
	for (unsigned l = 0; l < LANES; l++) {
		x->from[l] = swizzle_lane(mov->src[0].swizzle, l);
		if (written >> l & 1 && flow_def(f, k, 0, l) == x->def)
			x->mask |= (lanes)(1u << l);
	}
	x->left = written & (lanes)~x->mask;
	return x->def < FLOW_INPUT;
}

bool tidy_targets(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = t->p->instrs.n; k-- > 0;) {
		const struct instr *mov = &t->p->instrs.at[k];
		if (mov->op != OP_MOV || mov->src[0].file != REG_TEMP ||
		    mov->dst.file == REG_ADDRESS || mov->dst.file == REG_PIXEL_OUT || mov->dst.file == REG_DEPTH_OUT)
			continue;
		const struct flow *f = tidy_flow(t);
		bool taken = false;
		struct taking x;
		for (unsigned lane = 0; lane < LANES && !taken; lane++)
			taken = find_taking(t->p, f, k, lane, &x) && (write_there(t, f, &x) || widen(t, &x));
		changed |= taken;
	}
	return changed;
}

/* Lets all instructions whose values the mov `k` brings to an oC# write that; else none, so that no lanes are parted for nothing. */
static bool write_output(struct tidy *t, uint32_t k)
{
	struct program *const as_it_was = program_copy(t->arena, t->p);
	uint32_t const n = t->p->instrs.n;
	for (unsigned lane = 0; lane < LANES && t->p->instrs.n == n; lane++) {
		const struct flow *f = tidy_flow(t);
		struct taking x;
		if (find_taking(t->p, f, k, lane, &x) && tidy_moves_lanes(&t->p->instrs.at[x.def])) /* nrm, crs, sincos and reads write r# alone */
			write_there(t, f, &x);
	}
	if (t->p->instrs.n < n)
		return true;
	*t->p = *as_it_was;
	t->stale = true;
	return false;
}

bool tidy_pixel_outputs(struct tidy *t)
{
	bool changed = false;
	for (uint32_t k = t->p->instrs.n; k-- > 0;) {
		const struct instr *mov = &t->p->instrs.at[k];
		if (mov->op == OP_MOV && mov->dst.file == REG_PIXEL_OUT && mov->src[0].file == REG_TEMP)
			changed |= write_output(t, k);
	}
	return changed;
}
