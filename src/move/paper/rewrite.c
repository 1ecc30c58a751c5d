/* Writes the instructions and declarations of both new programs by M1 to M4, with the registers that bundle.c and allot.c chose. */
#include "move/paper/paper.h"

#include "move/graph/registers.h"

#include <string.h>

/* Returns the swizzle by which each lane of `mask` reads lane_of[lane], with the other lanes chosen so that it can be written shortest. */
static swizzle lanes_from(const unsigned *lane_of, lanes mask)
{
	unsigned from[LANES], last = 0;
	bool same = true, kept = true, prefix = (mask & (mask + 1u)) == 0;
	int first = -1;
	EACH_LANE(lane, mask) {
		if (first < 0)
			first = (int)lane_of[lane];
		same &= lane_of[lane] == (unsigned)first;
		kept &= lane_of[lane] == lane;
	}
	if (same)
		return swizzle_replicate((unsigned)first);
	if (kept && !prefix)
		return SWIZZLE_XYZW;
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (mask >> lane & 1)
			last = lane_of[lane];
		from[lane] = mask >> lane & 1 || prefix ? last : lane;
	}
	return SWIZZLE(from[0], from[1], from[2], from[3]);
}

static struct instr new_instr(enum op op, enum method_step method, enum reg_file file, int index, lanes mask)
{
	return (struct instr){
		.op = (uint8_t)op,
		.method = (uint8_t)method,
		.dst = dst_lanes(file, index, mask),
		.at = SRCPOS_NONE,
	};
}

static struct src new_source(enum reg_file file, int index, swizzle lanes_read)
{
	return (struct src){
		.file = (uint8_t)file, .swizzle = lanes_read, .index = (int16_t)index, .at = SRCPOS_NONE};
}

static void append_to_vs(struct rewrite *rw, struct instr i)
{
	VEC_PUSH(rw->arena, &rw->vs_out) = i;
}

/* --- the VP ----------------------------------------------------------------------- */

/* Writes the VP's own instructions.  Repeats each one that writes an output which moved instructions read, with a temporary as the destination
 * (step M2). */
static void put_vs(struct rewrite *rw)
{
	const struct program *p = rw->vs->program;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		append_to_vs(rw, p->instrs.at[k]);
		if (!rw->vp.copies[k] || is_planted(rw->options, PLANT_M2_SKIPPED))
			continue;
		if (memchr(rw->vp.copies, rw->vp.copies[k], k) && is_planted(rw->options, PLANT_M2_PART))
			continue;
		struct instr copy = p->instrs.at[k];
		copy.comments = NULL;
		copy.blank = false;
		copy.method = METHOD_M2;
		copy.at = SRCPOS_NONE;
		copy.dst.file = REG_TEMP;
		copy.dst.index = (int16_t)rw->vp.copy_of[rw->vp.copies[k] - 1];
		copy.dst.at = SRCPOS_NONE;
		append_to_vs(rw, copy);
	}
}

/* Clamps the copies of colours to [0,1], as the rasterizer does to the colours. */
static void put_clamps(struct rewrite *rw)
{
	for (int channel = CHANNEL_COLOUR; channel < CHANNELS; channel++) {
		if (!rw->vp.copied[channel] || is_planted(rw->options, PLANT_CLAMP))
			continue;
		int temp = rw->vp.copy_of[channel];
		struct instr clamp = new_instr(OP_MAX, METHOD_M2, REG_TEMP, temp, rw->vp.copied[channel]);
		clamp.src[0] = new_source(REG_TEMP, temp, SWIZZLE_XYZW);
		clamp.src[1] = new_source(REG_CONST, rw->vp.clamp, swizzle_replicate(rw->vp.clamp_zero));
		append_to_vs(rw, clamp);
		clamp.op = OP_MIN;
		clamp.src[1].swizzle = swizzle_replicate(rw->vp.clamp_one);
		append_to_vs(rw, clamp);
	}
}

/* Returns the VP operand that stands for operand `s` of moved FP instruction `k`.  Adds the step that gave it, M1, M2 or M3, to *method. */
static struct src vs_source(const struct rewrite *rw, uint32_t k, unsigned s, uint8_t *method)
{
	struct src src = rw->ps->program->instrs.at[k].src[s];
	int channel = channel_of((enum reg_file)src.file, src.index);
	src.at = SRCPOS_NONE;
	if (channel >= 0) {
		struct src direct;
		if (allot_direct(rw, k, s, &direct)) {
			direct.at = SRCPOS_NONE;
			*method |= METHOD_M3;
			return direct;
		}
		*method |= METHOD_M2;
		src.file = REG_TEMP;
		src.index = (int16_t)rw->vp.copy_of[channel];
	} else if (src.file == REG_TEMP) {
		if (rw->vp.temp_of[src.index] < 0 && is_planted(rw->options, PLANT_C4))
			return src;
		src.index = (int16_t)rw->vp.temp_of[src.index];
	} else {
		*method |= METHOD_M1;
		src.index = (int16_t)rw->vp.const_of[src.index];
	}
	return src;
}

/* Replaces all constants of the instruction but one by scratch temporaries, with a mov for each: a VP instruction can read only one c# (isa
 * notes, "Ports").  sincos is an exception, since it names two constants by definition.  Returns false if too few temporaries are free. */
static bool split_ports(struct rewrite *rw, struct instr *i)
{
	unsigned sources = ops[i->op].sources, scratch = 0;
	int kept = -1;
	if (i->op == OP_SINCOS)
		return true;
	if (instr_rows(i, 1) > 1)
		kept = i->src[1].index;
	for (unsigned s = 0; s < sources; s++) {
		struct src *src = &i->src[s];
		if (src->file != REG_CONST)
			continue;
		if (kept < 0)
			kept = src->index;
		if (src->index == kept)
			continue;
		if (rw->vp.scratch[scratch] < 0)
			return rewrite_fails(rw, MOVE_BUDGET_TEMPS);
		lanes read = instr_reads(rw->vs->program, i, s);
		struct instr mov = new_instr(OP_MOV, METHOD_M1, REG_TEMP, rw->vp.scratch[scratch++], read);
		mov.src[0] = new_source(REG_CONST, src->index, SWIZZLE_XYZW);
		append_to_vs(rw, mov);
		src->file = REG_TEMP;
		src->index = mov.dst.index;
	}
	return true;
}

/* Writes the mov that sends the lanes of bundle `b` which instruction `k` defines (step M4), unless `k` writes the bundle's oT# itself. */
static void put_delivery(struct rewrite *rw, const struct bundle *b, uint32_t k)
{
	unsigned from[LANES] = {0};
	lanes const mask = bundle_lanes_sent(b, k, from);
	if (!mask || rw->sends[k])
		return;
	struct instr mov = new_instr(OP_MOV, METHOD_M4, REG_TEX_OUT, b->texcoord, mask);
	mov.src[0] = new_source(REG_TEMP, rw->vp.temp_of[b->temp], lanes_from(from, mask));
	append_to_vs(rw, mov);
}

static void put_deliveries(struct rewrite *rw, uint32_t k)
{
	for (uint32_t b = 0; b < rw->bundles.n; b++)
		put_delivery(rw, &rw->bundles.at[b], k);
}

static bool put_moved(struct rewrite *rw, uint32_t k)
{
	struct instr i = rw->ps->program->instrs.at[k];
	i.flags = 0; /* _pp means nothing in a VP */
	i.blank = false;
	i.at = i.dst.at = SRCPOS_NONE;
	i.method = METHOD_MOVED | (rw->sends[k] ? METHOD_M4 : 0);
	EACH_SOURCE(s, &i)
		i.src[s] = vs_source(rw, k, s, &i.method);
	if (rw->sends[k])
		i.dst = dst_lanes(REG_TEX_OUT, rw->sends[k]->texcoord, bundle_lanes_sent(rw->sends[k], k, (unsigned[LANES]){0}));
	else if (instr_writes(&i))
		i.dst.index = (int16_t)rw->vp.temp_of[i.dst.index];
	if (!split_ports(rw, &i))
		return false;
	append_to_vs(rw, i);
	if (!is_planted(rw->options, PLANT_M4_LATE))
		put_deliveries(rw, k);
	return true;
}

/* Joins movs from one register to another, if there are several for the same two, into the first of them, where the instructions between
 * allow that.  Looks at the VP's instructions from `from` on. */
static void join_movs(struct rewrite *rw, uint32_t from)
{
	struct program after = *rw->vs->program;
	after.instrs.at = rw->vs_out.at;
	after.instrs.n = rw->vs_out.n;
	for (uint32_t k = from; k < after.instrs.n; k++) {
		struct instr *first = &after.instrs.at[k];
		for (uint32_t j = k + 1; first->op == OP_MOV && j < after.instrs.n; j++) {
			const struct instr *mov = &after.instrs.at[j];
			const struct src *a = &first->src[0], *b = &mov->src[0];
			if (mov->op != OP_MOV || mov->comments || mov->dst.file != first->dst.file || mov->dst.index != first->dst.index ||
			    !src_is_alike(a, b) || a->relative ||
			    first->dst.mask & mov->dst.mask || !flow_untouched(&after, &mov->dst, mov->dst.mask, k + 1, j) ||
			    !flow_source_keeps(&after, mov, 0, k, j))
				continue;
			unsigned lane_of[LANES];
			for (unsigned lane = 0; lane < LANES; lane++)
				lane_of[lane] = swizzle_lane(mov->dst.mask >> lane & 1 ? b->swizzle : a->swizzle, lane);
			first->method |= mov->method;
			instr_set_mask(first, first->dst.mask | mov->dst.mask);
			first->src[0].swizzle = lanes_from(lane_of, first->dst.mask);
			first->src[0].letters = 0;
			memmove(&after.instrs.at[j], &after.instrs.at[j + 1], (after.instrs.n - j - 1) * sizeof *mov);
			after.instrs.n--;
			j--;
		}
	}
	rw->vs_out.n = after.instrs.n;
}

/* --- the FP ----------------------------------------------------------------------- */

/* Writes FP instruction `k` with its new operands if it stays, or otherwise the mov that copies its result from a t#. */
static void put_ps(struct rewrite *rw, uint32_t k)
{
	struct instr *i = &VEC_PUSH(rw->arena, &rw->ps_out);
	*i = rw->ps->program->instrs.at[k];
	if (!rw->stays[k]) {
		*i = new_instr(OP_MOV, METHOD_M4, REG_TEMP, i->dst.index, rw->brought[k]);
		i->src[0] = new_source(REG_TEMP, i->dst.index, SWIZZLE_XYZW);
	}
	EACH_SOURCE(s, i) {
		if (rw->bundle_of[k][s] < 0)
			continue;
		i->src[s].file = REG_TEXCOORD;
		i->src[s].index = (int16_t)rw->bundles.at[rw->bundle_of[k][s]].texcoord;
	}
}

/* Returns true if the new FP has no more dependent texture reads in a row than the model allows, or than the old FP had.  It may have more: if
 * an instruction that wrote a register between two texture reads has moved, the second may overwrite the result of the first, and then counts
 * as depending on it. */
static bool order_kept(const struct rewrite *rw)
{
	struct program after = *rw->ps->program;
	after.instrs.at = rw->ps_out.at;
	after.instrs.n = rw->ps_out.n;
	unsigned order = program_dependent_reads(&after);
	return order <= model_order(rw->ps->program->model) || order <= program_dependent_reads(rw->ps->program);
}

bool rewrite_instrs(struct rewrite *rw)
{
	rw->vs_out.n = rw->ps_out.n = 0;
	put_vs(rw);
	put_clamps(rw);
	uint32_t const given = rw->vs_out.n;
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		if (rw->stays[k] || rw->brought[k])
			put_ps(rw, k);
		if (rw->moves[k] && !put_moved(rw, k))
			return false;
	}
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++)
		if (rw->moves[k] && is_planted(rw->options, PLANT_M4_LATE))
			put_deliveries(rw, k);
	if (!rw->options->as_published)
		join_movs(rw, given);
	unsigned slots = 0;
	for (uint32_t k = 0; k < rw->vs_out.n; k++)
		slots += op_slots((enum op)rw->vs_out.at[k].op, rw->vs->program->model);
	if (slots > rw->options->budget.vs_slots)
		return rewrite_fails(rw, MOVE_BUDGET_SLOTS);
	return order_kept(rw) || rewrite_fails(rw, MOVE_BUDGET_ORDER);
}

/* --- declarations ----------------------------------------------------------------- */

struct program *rewrite_vs(struct rewrite *rw)
{
	const struct program *old = rw->vs->program;
	struct program *p = arena_alloc(rw->arena, sizeof *p);
	*p = *old;
	p->decls.at = NULL;
	p->decls.n = p->decls.cap = 0;
	uint32_t behind = old->decls.n; /* index at which the new defs go: behind the last old def, or if there is none, at the end */
	for (uint32_t k = 0; k < old->decls.n; k++)
		if (old->decls.at[k].kind == DECL_DEF)
			behind = k + 1;
	for (uint32_t k = 0; k <= old->decls.n; k++) {
		for (uint32_t d = 0; k == behind && d < rw->vp.defs.n; d++)
			VEC_PUSH(rw->arena, &p->decls) = rw->vp.defs.at[d];
		if (k < old->decls.n) {
			struct decl *kept = &VEC_PUSH(rw->arena, &p->decls);
			*kept = old->decls.at[k];
			kept->before = 0;
		}
	}
	p->instrs.at = rw->vs_out.at;
	p->instrs.n = rw->vs_out.n;
	p->instrs.cap = rw->vs_out.cap;
	return p;
}

static void declare_bundles(struct rewrite *rw, struct program *p)
{
	for (uint32_t b = 0; b < rw->bundles.n; b++) {
		const struct bundle *bundle = &rw->bundles.at[b];
		lanes mask = bundle->mask;
		mask |= (lanes)(mask >> 1);
		mask |= (lanes)(mask >> 2);
		VEC_PUSH(rw->arena, &p->decls) = (struct decl){
			.kind = DECL_PIXEL_INPUT,
			.usage = USAGES,
			.number = NO_NUMBER,
			.flags = bundle->kind == KIND_ANY ? 0 : bundle->kind,
			.reg = dst_lanes(REG_TEXCOORD, bundle->texcoord, mask),
			.at = SRCPOS_NONE,
		};
	}
}

/* Returns the new FP: without declarations of registers that no instruction reads any more, and with those of the bundles behind the old
 * inputs. */
struct program *rewrite_ps(struct rewrite *rw)
{
	const struct program *old = rw->ps->program;
	struct program *p = arena_alloc(rw->arena, sizeof *p);
	*p = *old;
	p->decls.at = NULL;
	p->decls.n = p->decls.cap = 0;
	p->instrs.at = rw->ps_out.at;
	p->instrs.n = rw->ps_out.n;
	p->instrs.cap = rw->ps_out.cap;

	uint32_t behind = old->decls.n;
	for (uint32_t k = 0; k < old->decls.n; k++)
		if (old->decls.at[k].kind == DECL_PIXEL_INPUT)
			behind = k + 1;
	for (uint32_t k = 0; k <= old->decls.n; k++) {
		if (k == behind)
			declare_bundles(rw, p);
		if (k < old->decls.n) {
			struct decl *kept = &VEC_PUSH(rw->arena, &p->decls);
			*kept = old->decls.at[k];
			kept->before = 0;
		}
	}
	program_drop_unread(rw->arena, p, old);
	return p;
}
