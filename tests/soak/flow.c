/* Writes straight statements of programs with blocks and records their effect on the state, see flow.h. */
#include "flow.h"
#include "gen.h"

#include <string.h>

enum { PS_2_0_READS = 3 };

int flow_below(struct flow *f, int n)
{
	return gen_below(&f->state, n);
}

bool flow_chance(struct flow *f, int percent)
{
	return flow_below(f, 100) < percent;
}

bool flow_has(const struct flow *f, enum op op)
{
	return model_has_op(f->p->model, op);
}

bool flow_links(const struct flow *f)
{
	return f->p->model == VS_3_0 || f->p->model == PS_3_0;
}

/* --- what is known at a place ------------------------------------------------------ */

/* Returns the number under which the state keeps an output's lanes. */
static unsigned output_number(const struct dst *d)
{
	return d->file == REG_COLOUR_OUT  ? FLOW_COLOURS + (unsigned)d->index
	       : d->file == REG_DEPTH_OUT ? FLOW_DEPTH
	       : d->file == REG_POS_OUT   ? FLOW_POSITION
	                                  : (unsigned)d->index;
}

lanes flow_written(const struct flow *f, enum reg_file file, int index)
{
	struct dst const d = dst_lanes(file, index, MASK_XYZW);
	return f->now.output[output_number(&d)];
}

struct flow_state flow_join(const struct flow_state *a, const struct flow_state *b)
{
	struct flow_state both = *a;
	for (unsigned r = 0; r < MODEL_TEMPS; r++) {
		both.temp[r] &= b->temp[r];
		both.uniform[r] &= b->uniform[r];
	}
	for (unsigned k = 0; k < FLOW_OUTPUTS; k++)
		both.output[k] &= b->output[k];
	both.predicate &= b->predicate;
	both.uniform_predicate &= b->uniform_predicate;
	both.address &= b->address;
	return both;
}

void flow_forget_uniform(struct flow_state *s)
{
	memset(s->uniform, 0, sizeof s->uniform);
	s->uniform_predicate = 0;
}

bool flow_is_uniform(const struct flow *f, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if (src->file == REG_TEMP)
		return (instr_reads(f->p, i, s) & (lanes)~f->now.uniform[src->index]) == 0;
	return src->file == REG_CONST || src->file == REG_SAMPLER || src->file == REG_BOOL;
}

static bool are_uniform(const struct flow *f, const struct instr *i)
{
	bool all = true;
	EACH_SOURCE(s, i)
		all &= flow_is_uniform(f, i, s);
	if (i->predicate)
		all &= (swizzle_lanes(i->predicate_swizzle, MASK_XYZW) & (lanes)~f->now.uniform_predicate) == 0;
	return all;
}

void flow_emit(struct flow *f, const struct instr *i)
{
	struct flow_state *now = &f->now;
	lanes const writes = instr_writes(i);
	bool const uniform = are_uniform(f, i) && !now->varying;
	VEC_PUSH(f->arena, &f->p->instrs) = *i;
	f->slots += instr_slots(i, f->p->model);
	EACH_SOURCE(s, i)
		if (i->src[s].file == REG_TEMP)
			f->unread[i->src[s].index] &= (lanes)~instr_reads(f->p, i, s);
	if (!writes)
		return;
	if (i->dst.file == REG_TEMP) {
		now->uniform[i->dst.index] = (lanes)(uniform ? now->uniform[i->dst.index] | (i->predicate ? 0 : writes)
		                                             : now->uniform[i->dst.index] & ~writes);
		now->temp[i->dst.index] |= i->predicate ? 0 : writes;
		f->unread[i->dst.index] |= writes;
	} else if (i->dst.file == REG_PREDICATE) {
		now->predicate |= writes;
		now->uniform_predicate = (lanes)(uniform ? now->uniform_predicate | writes : now->uniform_predicate & ~writes);
	} else if (i->dst.file == REG_ADDRESS) {
		now->address = true;
	} else if (!i->predicate) {
		now->output[output_number(&i->dst)] |= writes;
	}
}

/* --- operands ----------------------------------------------------------------------- */

static lanes readable(const struct flow *f, const struct src *s)
{
	if (s->file == REG_TEMP)
		return f->now.temp[s->index];
	if (s->file == REG_TEXCOORD)
		return f->texcoord[s->index];
	if (s->file == REG_INPUT && !f->vertex)
		return f->colour[s->index];
	return MASK_XYZW;
}

struct src flow_whole(enum reg_file file, int index)
{
	return (struct src){.file = (uint8_t)file, .index = (int16_t)index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

static struct src some_input(struct flow *f)
{
	if (f->vertex)
		return flow_whole(REG_INPUT, flow_below(f, f->inputs));
	if (flow_chance(f, 20) && (f->colour[0] || f->colour[1]))
		return flow_whole(REG_INPUT, f->colour[1] && flow_chance(f, 50) ? 1 : 0);
	return flow_whole(REG_TEXCOORD, flow_below(f, FLOW_TEXCOORDS));
}

/* Returns a constant; in a vertex program sometimes one that aL or a0 addresses. */
static struct src some_constant(struct flow *f)
{
	struct src c = flow_whole(REG_CONST, flow_below(f, f->consts));
	bool const loop = f->counted && flow_chance(f, 40), address = f->now.address && flow_chance(f, 30);
	if (f->vertex && (loop || address)) {
		c.index = (int16_t)(FLOW_ARRAY + flow_below(f, 8));
		c.relative = loop ? RELATIVE_LOOP : 1;
	}
	return c;
}

/* Returns a temporary, mostly one that nothing has read since it was written. */
static struct src temporary(struct flow *f)
{
	int r = flow_below(f, f->temps);
	for (unsigned attempt = 0; attempt < 3 && !f->unread[r]; attempt++)
		r = flow_below(f, f->temps);
	return flow_whole(REG_TEMP, r);
}

static struct src some_source(struct flow *f)
{
	int const which = flow_below(f, 100);
	return which < 48 ? temporary(f) : which < 76 ? some_constant(f) : some_input(f);
}

static swizzle some_swizzle(struct flow *f, bool scalar)
{
	static const swizzle few[] = {SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0)};
	if (scalar || flow_chance(f, 25))
		return swizzle_replicate((unsigned)flow_below(f, LANES));
	if (flow_chance(f, 70))
		return SWIZZLE_XYZW;
	bool const any = models[f->p->model].any_swizzle && (f->vertex || f->flows || flow_links(f)); /* a straight ps_2_x is written as ps_2_0 */
	return any ? (swizzle)flow_below(f, 256) : few[flow_below(f, 3)];
}

/* Returns the port by which an instruction reads the operand: colours of ps_3_0 are v#, as coordinates are. */
static unsigned port_of(const struct flow *f, const struct src *s)
{
	return s->file == REG_INPUT && !f->vertex && flow_links(f) ? REG_TEXCOORD : s->file;
}

/* Returns whether the instruction, with operand s, still reads at most one v#, one t# and one c#, each at most twice. */
static bool port_free(const struct flow *f, const struct instr *i, unsigned s)
{
	unsigned consts = i->src[s].file == REG_CONST;
	for (unsigned k = 0; k < s; k++) {
		const struct src *other = &i->src[k];
		bool const same = other->file == i->src[s].file && other->index == i->src[s].index && other->relative == i->src[s].relative;
		if (i->src[s].file != REG_TEMP && port_of(f, other) == port_of(f, &i->src[s]) && !same)
			return false;
		consts += other->file == REG_CONST;
	}
	return consts <= 2;
}

/* Returns whether an operand that is 0, as a constant may be, can make the result infinite. */
static bool may_divide(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_SCALAR || i->op == OP_NRM;
}

static bool fits(struct flow *f, const struct instr *i, unsigned s)
{
	if (may_divide(i) && i->src[s].file == REG_CONST)
		return false;
	return port_free(f, i, s) && (instr_reads(f->p, i, s) & (lanes)~readable(f, &i->src[s])) == 0;
}

/* Chooses an operand: in one case of three the register that the instruction overwrites, so that less code is dead, and a constant if
 * no register fits. */
bool flow_pick(struct flow *f, struct instr *i, unsigned s)
{
	bool const writes = !(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP && flow_chance(f, 35);
	for (unsigned attempt = 0; attempt < 12; attempt++) {
		i->src[s] = attempt == 11 ? flow_whole(REG_CONST, 0) : writes && attempt < 2 ? flow_whole(REG_TEMP, i->dst.index) : some_source(f);
		i->src[s].swizzle = some_swizzle(f, instr_reads_scalar(i, s));
		i->src[s].negate = flow_chance(f, 15);
		if (fits(f, i, s))
			return true;
	}
	return false;
}

/* --- arithmetic --------------------------------------------------------------------- */

lanes flow_some_mask(struct flow *f)
{
	static const lanes common[] = {15, 15, 15, 7, 7, 7, 3, 3, 1, 2, 4, 8};
	return common[flow_below(f, sizeof common)];
}

static enum op some_op(struct flow *f)
{
	static const uint8_t affine[] = {OP_MOV, OP_ADD, OP_ADD, OP_SUB, OP_MUL, OP_MUL, OP_MAD, OP_MAD, OP_MAD, OP_DP3, OP_DP4, OP_LRP},
	                     others[] = {OP_MAX, OP_MIN, OP_RCP, OP_RSQ, OP_FRC, OP_ABS, OP_CMP, OP_SGE, OP_SLT, OP_NRM, OP_POW, OP_EXP, OP_LOG};
	for (;;) {
		enum op const op = (enum op)(flow_chance(f, 85) ? affine[flow_below(f, sizeof affine)] : others[flow_below(f, sizeof others)]);
		if (flow_has(f, op) && !(f->p->model == VS_1_1 && ops[op].vs_1_1 > 1))
			return op;
	}
}

static bool is_macro(enum op op)
{
	return op == OP_NRM || op == OP_POW;
}

bool flow_make(struct flow *f, struct instr *i, enum reg_file file, int index, lanes mask)
{
	enum op const op = some_op(f);
	*i = (struct instr){.op = (uint8_t)op, .at = SRCPOS_NONE};
	if (is_macro(op) && file != REG_TEMP)
		return false;
	i->dst = dst_lanes(file, index, mask);
	if (op == OP_NRM && mask != MASK_XYZ)
		return false;
	for (unsigned s = 0; s < ops[op].sources; s++) {
		if (!flow_pick(f, i, s))
			return false;
		if (is_macro(op) && i->src[s].file == REG_TEMP && i->src[s].index == index)
			return false;
	}
	if (!f->vertex && op != OP_FRC && flow_chance(f, 8))
		i->flags |= INSTR_SAT;
	if (!f->vertex && flow_chance(f, 5))
		i->flags |= INSTR_PP;
	return true;
}

void flow_write(struct flow *f, enum reg_file file, int index, lanes mask)
{
	struct instr i;
	for (unsigned attempt = 0; attempt < 20; attempt++)
		if (flow_make(f, &i, file, index, mask)) {
			flow_emit(f, &i);
			return;
		}
	flow_move(f, file, index, mask, flow_whole(REG_CONST, flow_below(f, f->consts)));
}

void flow_move(struct flow *f, enum reg_file file, int index, lanes mask, struct src from)
{
	flow_emit(f, &(struct instr){.op = OP_MOV, .dst = dst_lanes(file, index, mask), .src = {from}, .at = SRCPOS_NONE});
}

void flow_put(struct flow *f, enum op op, struct dst to, struct src a, struct src b, struct src c)
{
	struct instr i = {.op = (uint8_t)op, .dst = to, .at = SRCPOS_NONE};
	struct src const src[] = {a, b, c};
	memcpy(i.src, src, ops[op].sources * sizeof *src);
	flow_emit(f, &i);
}

int flow_some_temp(struct flow *f)
{
	int r = -1;
	for (unsigned attempt = 0; attempt < 4 && (r < 0 || f->unread[r]); attempt++)
		r = flow_chance(f, 45) ? flow_below(f, f->live) : f->live + flow_below(f, f->temps - f->live);
	return r;
}

/* Returns a temporary that holds these lanes, or -1. */
static int ready_temp(struct flow *f, lanes need)
{
	int const from = flow_below(f, f->temps);
	for (int k = 0; k < f->temps; k++)
		if ((need & (lanes)~f->now.temp[(from + k) % f->temps]) == 0)
			return (from + k) % f->temps;
	return -1;
}

/* --- textures ----------------------------------------------------------------------- */

/* Returns whether the operand's gradients are known here. */
static bool has_gradient(const struct flow *f, const struct src *s)
{
	return s->file != REG_TEMP || !f->now.varying;
}

static bool find_coordinate(struct flow *f, struct instr *i)
{
	static const enum op ways[] = {OP_TEXLD, OP_TEXLD, OP_TEXLD, OP_TEXLD, OP_TEXLDB, OP_TEXLDP, OP_TEXLDL, OP_TEXLDL, OP_TEXLDD};
	i->op = (uint8_t)ways[flow_below(f, sizeof ways / sizeof *ways)];
	if (!flow_has(f, (enum op)i->op))
		return false;
	bool const depends = flow_chance(f, 65);
	i->src[0] = depends ? temporary(f) : flow_whole(REG_TEXCOORD, flow_below(f, FLOW_TEXCOORDS));
	i->src[1] = flow_whole(REG_SAMPLER, flow_below(f, f->samplers));
	if (i->op == OP_TEXLDD) {
		i->src[2] = i->src[3] = flow_whole(REG_CONST, flow_below(f, f->consts));
		i->src[3].swizzle = SWIZZLE(2, 3, 2, 3);
	}
	if (flow_links(f) && flow_chance(f, 20))
		i->src[0].swizzle = (swizzle)flow_below(f, 256);
	if (i->op != OP_TEXLDL && i->op != OP_TEXLDD && !has_gradient(f, &i->src[0]))
		return false;
	return fits(f, i, 0);
}

static void texture(struct flow *f)
{
	struct instr i = {.at = SRCPOS_NONE};
	if (!f->flows && !flow_links(f) && f->reads == PS_2_0_READS)
		return;
	i.dst = dst_lanes(REG_TEMP, flow_some_temp(f), flow_links(f) && flow_chance(f, 15) ? flow_some_mask(f) : MASK_XYZW);
	for (unsigned attempt = 0; attempt < 12; attempt++)
		if (find_coordinate(f, &i)) {
			flow_emit(f, &i);
			f->reads++;
			return;
		}
}

/* Computes a coordinate and reads a texture there, as compilers do; the mover can move such work. */
static void address_chain(struct flow *f)
{
	int const t = flow_below(f, FLOW_TEXCOORDS), to = flow_some_temp(f);
	if ((f->texcoord[t] & MASK_XY) != MASK_XY)
		return;
	struct src c = flow_whole(REG_CONST, flow_below(f, f->consts));
	c.swizzle = flow_chance(f, 50) ? SWIZZLE_XYZW : swizzle_replicate((unsigned)flow_below(f, LANES));
	flow_put(f, flow_chance(f, 50) ? OP_ADD : OP_MUL, dst_lanes(REG_TEMP, to, MASK_XY), flow_whole(REG_TEXCOORD, t), c, c);
	if (!f->now.varying && (f->flows || flow_links(f)) && f->p->samplers[0] == TEXTURE_2D)
		flow_put(f, OP_TEXLD, dst_lanes(REG_TEMP, flow_some_temp(f), MASK_XYZW), flow_whole(REG_TEMP, to), flow_whole(REG_SAMPLER, 0), c);
}

static void kill(struct flow *f)
{
	int const r = ready_temp(f, MASK_XYZW);
	if (r >= 0)
		flow_emit(f, &(struct instr){.op = OP_TEXKILL, .src = {flow_whole(REG_TEMP, r)}, .dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE});
}

/* Writes a statement that is not a block. */
void flow_straight(struct flow *f)
{
	if (!f->vertex && flow_chance(f, 30))
		texture(f);
	else if (!f->vertex && flow_chance(f, 12))
		address_chain(f);
	else if (!f->vertex && flow_chance(f, 3))
		kill(f);
	else
		flow_write(f, REG_TEMP, flow_some_temp(f), flow_some_mask(f));
}
