/* Removes movs: the instruction that computes a value writes it to the destination of the mov that copies it. */
#include "move/cover/tidy.h"

#include "lang/check.h"
#include "move/graph/evaluate.h"

#include <string.h>

/* Changes signs of operands so that the instruction's result is exactly negated.  Returns false if the instruction clamps, or is no mov, add,
 * sub, mul, mad or dot product.  (Of rcp, implementations differ in the value and sign of 1 / 0.) */
static bool negate_result(struct instr *i)
{
	struct product_sum as = {.p = 0, .q = i->op == OP_DP2ADD ? 2 : NO_TERM};
	bool const is_dot = tidy_is_uniform(i) && ops[i->op].shape != SHAPE_SCALAR;
	if (i->flags & INSTR_SAT || (!is_dot && !as_product_sum((enum op)i->op, &as)))
		return false;
	i->src[as.p].negate = !i->src[as.p].negate;
	if (as.q != NO_TERM)
		i->src[as.q].negate = !i->src[as.q].negate;
	return true;
}

/* Lets the instruction write lanes `mask` of register d: lane l gets what it wrote to lane from[l].  Returns false if it cannot. */
static bool retarget(const struct tidy *t, struct instr *i, const struct dst *d, lanes mask, const unsigned *from)
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

/* The lanes that a mov copies from the result of one instruction. */
struct taking {
	uint32_t k;           /* the index of the mov */
	uint32_t def;         /* the instruction whose result it copies */
	lanes mask;           /* lanes of the mov's result that it copies from the result of `def` */
	lanes left;           /* the other lanes that the mov writes */
	unsigned from[LANES]; /* for each lane of the mov's result, the lane of its source that it reads */
};

/* Replaces instruction `def` by `changed`, and removes the mov, or its lanes that come from `def`.  Returns false, with nothing changed, if
 * `changed` breaks more rules of the model than `def`. */
static bool take_over(struct tidy *t, const struct taking *x, struct instr *changed)
{
	const struct instr *mov = &t->p->instrs.at[x->k];
	instr_keep_precision(changed, mov);
	if (!tidy_replace(t, x->def, changed))
		return false;
	if (!x->left)
		tidy_remove(t, x->k);
	else
		instr_set_mask(&t->p->instrs.at[x->k], x->left); /* t->stale need not be set: tidy_replace() set it above */
	return true;
}

/* Lets instruction `def` write the mov's destination, so that the mov is not needed.  Returns false if it cannot, or something else reads its
 * result. */
static bool write_there(struct tidy *t, const struct flow *f, const struct taking *x)
{
	struct program *p = t->p;
	const struct instr *mov = &p->instrs.at[x->k];
	const struct src *src = &mov->src[0];
	struct instr changed = p->instrs.at[x->def];
	/* The lanes that stay in the mov must not read what `def` would overwrite. */
	if (mov->dst.file == REG_TEMP && mov->dst.index == src->index && swizzle_lanes(src->swizzle, x->left) & x->mask)
		return false;
	if (ops[changed.op].flags & OPF_TEX || changed.op == OP_SINCOS || changed.op == OP_SGN ||
	    !flow_is_sole_reader(f, x->def, x->k, MAX_SOURCES) || !flow_untouched(p, &mov->dst, x->mask, x->def + 1, x->k) ||
	    (src->negate && (tidy_is_exact(t, x->k) || !negate_result(&changed))) || !retarget(t, &changed, &mov->dst, x->mask, x->from))
		return false;
	changed.flags |= mov->flags & INSTR_SAT; /* the instruction now clamps if the mov did */
	return take_over(t, x, &changed);
}

/* Finds the lanes that the mov `k` copies from the instruction whose result it copies to lane `lane`.  Returns false if there is no such
 * instruction. */
static bool find_taking(const struct program *p, const struct flow *f, uint32_t k, unsigned lane, struct taking *x)
{
	const struct instr *mov = &p->instrs.at[k];
	lanes const written = instr_writes(mov); /* of oFog and oPts only x, even if the mov has no mask */
	*x = (struct taking){.k = k, .def = written >> lane & 1 ? flow_def(f, k, 0, lane) : FLOW_UNWRITTEN};
	for (unsigned l = 0; l < LANES; l++) {
		x->from[l] = swizzle_lane(mov->src[0].swizzle, l);
		if (written >> l & 1 && flow_def(f, k, 0, l) == x->def)
			x->mask |= (lanes)(1u << l);
	}
	x->left = written & (lanes)~x->mask;
	return x->def < FLOW_INPUT;
}

/* Sets x->k to the first instruction from `from` on that reads the result of `def`, or to instrs.n if none does.  Returns true if it is a mov to
 * an r# that copies no other instruction's result, and sets *x for it. */
static bool find_mov_of(const struct program *p, const struct flow *f, uint32_t def, uint32_t from, struct taking *x)
{
	uint32_t r = f->first[from];
	while (r < f->first[p->instrs.n] && f->read[r].def != def)
		r++;
	uint32_t k = from;
	while (k < p->instrs.n && f->first[k + 1] <= r)
		k++;
	x->k = k;
	return k < p->instrs.n && p->instrs.at[k].op == OP_MOV && p->instrs.at[k].dst.file == REG_TEMP &&
	       find_taking(p, f, k, f->read[r].lane, x) && !x->left;
}

/* If only movs of different lanes read the result of instruction `def`, replaces each mov by a copy of `def` that computes its lanes, and removes
 * `def`.  Returns false if nothing changes.
 *
 *     mad r3, r1.xyxy, r1.w, c0
 *     mov r2.xy, r3                  mad r2.xy, r1, r1.w, c0
 *     texldp r4, r2, s0              texldp r4, r2, s0
 *     mov r2.xy, r3.zwzw             mad r2.xy, r1, r1.w, c0.zwzw
 *     texldp r5, r2, s0              texldp r5, r2, s0 */
static bool write_in_all(struct tidy *t, uint32_t def)
{
	struct program *p = t->p;
	const struct flow *f = tidy_flow(t);
	const struct instr *old = &p->instrs.at[def];
	struct taking x;
	struct instr changed[LANES];
	uint32_t at[LANES];
	unsigned n = 0;
	if (old->dst.file != REG_TEMP || ops[old->op].shape != SHAPE_LANES || old->op == OP_MOV || instr_slots(old, p->model) != 1)
		return false;
	lanes brought = 0;
	while (find_mov_of(p, f, def, n ? at[n - 1] + 1 : def + 1, &x)) {
		const struct instr *mov = &p->instrs.at[x.k];
		lanes const from = swizzle_lanes(mov->src[0].swizzle, x.mask);
		if (brought & from)
			return false;
		brought |= from;
		at[n] = x.k;
		changed[n] = *old;
		if (!flow_sources_keep(p, old, def + 1, x.k) || (mov->src[0].negate && !negate_result(&changed[n])) ||
		    !retarget(t, &changed[n], &mov->dst, x.mask, x.from))
			return false;
		changed[n].flags |= mov->flags & INSTR_SAT;
		instr_keep_precision(&changed[n], mov);
		tidy_stand_for(mov, &changed[n]);
		if (check_instr_alone(p, &changed[n++]))
			return false;
	}
	if (n == 0 || x.k < p->instrs.n || tidy_is_exact(t, def))
		return false;
	for (unsigned m = 0; m < n; m++)
		p->instrs.at[at[m]] = changed[m];
	tidy_remove(t, def);
	return true;
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
			taken = find_taking(t->p, f, k, lane, &x) && write_there(t, f, &x);
		changed |= taken;
	}
	for (uint32_t def = t->p->instrs.n; def-- > 0;)
		changed |= write_in_all(t, def);
	return changed;
}

/* Lets all instructions whose results the mov `k` copies to an oC# write the oC#, and removes the mov.  If one of them cannot, leaves all as they
 * were, since the mov would stay. */
static bool write_output(struct tidy *t, uint32_t k)
{
	struct program *const as_it_was = program_copy(t->arena, t->p);
	uint32_t const n = t->p->instrs.n;
	for (unsigned lane = 0; lane < LANES && t->p->instrs.n == n; lane++) {
		const struct flow *f = tidy_flow(t);
		struct taking x;
		if (find_taking(t->p, f, k, lane, &x) && tidy_moves_lanes(&t->p->instrs.at[x.def])) /* nrm, crs, sincos and texture reads write only
		                                                                                     * r# */
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
