/* Turns a pair of models 1 and 2 into one of model 3: usages declare its outputs and inputs under other numbers, and some instructions
 * get features that only model 3 has.  The new pair need not be the same function. */
#include "gen.h"

#include <string.h>

/* t# of a colour with a usage other than color, and a t# that is declared and not read. */
enum { FIRST_COLOUR = 8, UNREAD = 10 };

struct dialect {
	struct arena *arena;
	uint64_t state;
	struct program *vs, *ps;
	uint8_t usage[MOST_TEX_OUTS][2], usage_index[MOST_TEX_OUTS][2]; /* usages of each oT# and t#: of the first and of the other lanes */
	uint8_t output[MOST_TEX_OUTS], input[MOST_TEX_OUTS]; /* numbers in a random order */
	unsigned outputs, inputs;         /* how many of these are in use */
	lanes split[MOST_TEX_OUTS];       /* lanes of the first of two usages that share the register, or 0 if it has one usage */
	bool coordinates;                 /* colours have other usages than color */
	bool flows;                       /* one of the programs has blocks: every way writes the lanes that are read */
	lanes packed;                     /* lanes of color0 where both colours share an o# and a v#, or 0 if they do not */
};

static int below(struct dialect *d, int n)
{
	return gen_below(&d->state, n);
}

static bool chance(struct dialect *d, int percent)
{
	return below(d, 100) < percent;
}

static void shuffle(struct dialect *d, uint8_t *at, int n)
{
	for (int k = n - 1; k > 0; k--) {
		int const other = below(d, k + 1);
		uint8_t const moved = at[k];
		at[k] = at[other];
		at[other] = moved;
	}
}

/* Draws usages for coordinates, each of them once. */
static void draw_usages(struct dialect *d)
{
	static const uint8_t usages[] = {USAGE_TEXCOORD, USAGE_TEXCOORD, USAGE_TEXCOORD, USAGE_NORMAL, USAGE_TANGENT, USAGE_BINORMAL,
	                                 USAGE_COLOR, USAGE_POSITION, USAGE_BLENDWEIGHT, USAGE_DEPTH};
	enum { TEXCOORD_KINDS = 3, KINDS = sizeof usages, INDICES = 5 };
	uint8_t deck[KINDS * INDICES];
	for (uint8_t k = 0; k < KINDS * INDICES; k++)
		deck[k] = k;
	shuffle(d, deck, KINDS * INDICES);
	unsigned next = 0;
	for (unsigned t = 0; t < MOST_TEX_OUTS; t++)
		for (unsigned half = 0; half < 2; half++) {
			unsigned const card = deck[next++], kind = card % KINDS;
			d->usage[t][half] = usages[kind];
			/* The three texcoords have indices of their own; color0, color1 and position0 are no coordinates. */
			d->usage_index[t][half] = (uint8_t)(kind < TEXCOORD_KINDS ? card / KINDS * TEXCOORD_KINDS + kind : card / KINDS + 2);
		}
}

static struct decl *declare(struct dialect *d, struct program *p, enum decl_kind kind, enum reg_file file, int index, lanes mask)
{
	struct decl *to = &VEC_PUSH(d->arena, &p->decls);
	*to = (struct decl){.kind = (uint8_t)kind, .usage = USAGES, .number = NO_NUMBER, .at = SRCPOS_NONE};
	to->reg = (struct dst){.file = (uint8_t)file, .index = (int16_t)index, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE};
	return to;
}

/* Writes one declaration, or one for each usage of the register. */
static void declare_coordinate(struct dialect *d, struct program *p, int t, lanes mask, uint8_t number, uint8_t flags)
{
	enum decl_kind const kind = p == d->vs ? DECL_OUTPUT : DECL_PIXEL_INPUT;
	enum reg_file const file = p == d->vs ? REG_TEX_OUT : REG_TEXCOORD;
	for (unsigned half = 0; half < 2; half++) {
		lanes const first = d->split[t] ? d->split[t] : MASK_XYZW, part = mask & (half ? (lanes)~first : first);
		if (!part)
			continue;
		struct decl *to = declare(d, p, kind, file, t, part);
		to->usage = d->usage[t][half];
		to->usage_index = d->usage_index[t][half];
		to->number = number;
		to->flags = flags;
	}
}

static void declare_plain(struct dialect *d, struct program *p, enum reg_file file, int index, enum usage usage, uint8_t number)
{
	lanes const of[2] = {d->packed && usage == USAGE_COLOR ? d->packed : MASK_XYZW, MASK_XYZW};
	for (int k = 0; k < (of[0] != MASK_XYZW ? 2 : 1); k++) {
		struct decl *to = declare(d, p, p == d->vs ? DECL_OUTPUT : DECL_PIXEL_INPUT, file, index, k ? (lanes)(of[1] & ~of[0]) : of[0]);
		to->usage = (uint8_t)usage;
		to->usage_index = (uint8_t)(index + k);
		to->number = number;
	}
}

/* --- the vertex program ------------------------------------------------------------ */

static void change_outputs(struct dialect *d, int fog)
{
	for (uint32_t k = 0; k < d->vs->instrs.n; k++) {
		struct instr *i = &d->vs->instrs.at[k];
		if (ops[i->op].flags & OPF_NO_DST)
			continue;
		if (i->op == OP_MOV && i->dst.file == REG_ADDRESS)
			i->op = OP_MOVA;
		if (d->coordinates && i->dst.file == REG_COLOUR_OUT) {
			i->dst.file = REG_TEX_OUT;
			i->dst.index = (int16_t)(FIRST_COLOUR + i->dst.index);
		} else if (d->packed && i->dst.file == REG_COLOUR_OUT) {
			i->dst.index = 0;
		} else if (i->dst.file == REG_FOG_OUT) {
			i->dst = (struct dst){.file = REG_TEX_OUT, .index = (int16_t)fog, .mask = MASK_X, .masked = true, .at = SRCPOS_NONE};
		}
	}
}

static bool declare_outputs(struct dialect *d)
{
	lanes written[REG_FILES][MOST_TEX_OUTS] = {{0}};
	unsigned n = 0;
	for (uint32_t k = 0; k < d->vs->instrs.n; k++) {
		const struct instr *i = &d->vs->instrs.at[k];
		if (instr_writes(i) && i->dst.index < MOST_TEX_OUTS)
			written[i->dst.file][i->dst.index] |= instr_writes(i);
	}
	for (int t = 0; t < MOST_TEX_OUTS; t++)
		n += written[REG_TEX_OUT][t] != 0;
	if (n > MOST_TEXCOORDS)
		return false;
	for (int c = 0; c < 2; c++)
		n += written[REG_COLOUR_OUT][c] != 0;
	if (n + (written[REG_POS_OUT][0] != 0) + (written[REG_SIZE_OUT][0] != 0) > MOST_TEX_OUTS)
		return false;
	for (int t = 0; t < MOST_TEX_OUTS; t++)
		if (written[REG_TEX_OUT][t])
			declare_coordinate(d, d->vs, t, written[REG_TEX_OUT][t], d->output[d->outputs++], 0);
	for (int c = 0; c < 2; c++)
		if (written[REG_COLOUR_OUT][c])
			declare_plain(d, d->vs, REG_COLOUR_OUT, c, USAGE_COLOR, d->output[d->outputs++]);
	if (written[REG_POS_OUT][0])
		declare_plain(d, d->vs, REG_POS_OUT, 0, USAGE_POSITION, d->output[d->outputs++]);
	if (written[REG_SIZE_OUT][0])
		declare_plain(d, d->vs, REG_SIZE_OUT, 0, USAGE_PSIZE, d->output[d->outputs++]);
	return true;
}

/* --- the pixel program ------------------------------------------------------------- */

static void change_inputs(struct dialect *d)
{
	struct program *ps = d->ps;
	struct decl *old = ps->decls.at;
	uint32_t const n = ps->decls.n;
	bool packed = false;
	ps->decls.at = NULL;
	ps->decls.n = ps->decls.cap = 0;
	for (uint32_t k = 0; k < n; k++) {
		bool const colour = old[k].kind == DECL_PIXEL_INPUT && old[k].reg.file == REG_INPUT;
		if (old[k].kind != DECL_PIXEL_INPUT)
			VEC_PUSH(d->arena, &ps->decls) = old[k];
		else if (colour && packed)
			continue;
		else if (colour && !d->coordinates)
			declare_plain(d, ps, REG_INPUT, d->packed ? 0 : old[k].reg.index, USAGE_COLOR, d->input[d->inputs++]);
		else
			declare_coordinate(d, ps, colour ? FIRST_COLOUR + old[k].reg.index : old[k].reg.index, old[k].reg.mask,
			                   d->input[d->inputs++], old[k].flags);
		packed |= colour && d->packed;
	}
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		for (unsigned s = 0; s < ops[ps->instrs.at[k].op].sources; s++) {
			struct src *src = &ps->instrs.at[k].src[s];
			if (d->coordinates && src->file == REG_INPUT) {
				src->file = REG_TEXCOORD;
				src->index = (int16_t)(FIRST_COLOUR + src->index);
			} else if (d->packed && src->file == REG_INPUT) {
				src->index = 0;
			}
		}
}

static bool has_all_lanes(const struct program *p, const struct src *s)
{
	lanes all = s->file == REG_TEMP ? MASK_XYZW : 0;
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_PIXEL_INPUT && p->decls.at[k].reg.file == s->file && p->decls.at[k].reg.index == s->index)
			all |= p->decls.at[k].reg.mask;
	return all == MASK_XYZW;
}

/* Replaces a constant by the pixel's position or face. */
static void read_pixel(struct dialect *d, struct src *s)
{
	bool const face = chance(d, 30);
	bool declared = false;
	s->file = face ? REG_FACE : REG_PIXEL_POS;
	s->index = 0;
	s->swizzle = (swizzle)(face ? 0 : s->swizzle & SWIZZLE(1, 1, 1, 1));
	for (uint32_t k = 0; k < d->ps->decls.n; k++)
		declared |= d->ps->decls.at[k].reg.file == s->file;
	if (!declared)
		declare(d, d->ps, DECL_PIXEL_INPUT, (enum reg_file)s->file, 0, face ? MASK_XYZW : MASK_XY);
}

static void change_read(struct dialect *d, struct instr *i)
{
	if (i->op == OP_TEXLDB && chance(d, 50))
		i->op = OP_TEXLDL;
	if (has_all_lanes(d->ps, &i->src[0]) && chance(d, 25))
		i->src[0].swizzle = (swizzle)below(d, 256);
	if (chance(d, 15))
		i->src[1].swizzle = (swizzle)below(d, 256);
	if (chance(d, 10)) {
		i->dst.mask = (lanes)(1 + below(d, 15));
		i->dst.masked = i->dst.mask != MASK_XYZW;
	}
}

static void change_instr(struct dialect *d, const struct program *p, struct instr *i)
{
	if (i->op == OP_SINCOS)
		i->op = OP_SINCOS3;
	if (!d->flows && instr_samples(i) && i->dst.file == REG_TEMP)
		change_read(d, i);
	bool const plain = ops[i->op].shape == SHAPE_LANES && i->op != OP_MOVA && i->dst.file == REG_TEMP;
	if (!d->flows && plain && p == d->ps && (i->op == OP_FRC || i->op == OP_ABS) && i->src[0].file == REG_TEMP && chance(d, 10))
		i->op = chance(d, 50) ? OP_DSX : OP_DSY;
	for (unsigned s = 0; plain && s < ops[i->op].sources; s++)
		i->src[s].absolute = i->op != OP_DSX && i->op != OP_DSY && chance(d, 4);
}

/* Replaces a copy of vertex data by a texture read there; w is the level. */
static void read_texture(struct dialect *d, struct instr *i)
{
	int const sampler = below(d, 2);
	bool declared = false;
	for (uint32_t k = 0; k < d->vs->decls.n; k++)
		declared |= d->vs->decls.at[k].kind == DECL_SAMPLER && d->vs->decls.at[k].reg.index == sampler;
	if (!declared)
		declare(d, d->vs, DECL_SAMPLER, REG_SAMPLER, sampler, MASK_XYZW)->texture = TEXTURE_2D;
	d->vs->samplers[sampler] = TEXTURE_2D;
	i->op = OP_TEXLDL;
	i->flags = 0;
	i->src[0].negate = i->src[0].absolute = false;
	i->src[1] = (struct src){.file = REG_SAMPLER, .index = (int16_t)sampler, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

static void change_vertex_program(struct dialect *d)
{
	bool const textured = chance(d, 15);
	for (uint32_t k = 0; k < d->vs->instrs.n; k++) {
		struct instr *i = &d->vs->instrs.at[k];
		bool const place = (i->op == OP_MOV || i->op == OP_FRC) && i->dst.file == REG_TEMP && i->src[0].file == REG_INPUT;
		change_instr(d, d->vs, i);
		if (textured && place && chance(d, 40))
			read_texture(d, i);
	}
}

/* Reads a colour in two parts. */
static void part_colours(struct dialect *d)
{
	struct program *ps = d->ps;
	uint32_t const n = ps->instrs.n;
	for (uint32_t k = 0; k < n; k++) {
		struct instr i = ps->instrs.at[k];
		if (i.op != OP_MOV || i.dst.file != REG_PIXEL_OUT || i.dst.masked || !chance(d, 25))
			continue;
		i.dst.masked = true;
		i.dst.mask = (lanes)(1 + below(d, 14));
		ps->instrs.at[k].dst.masked = true;
		ps->instrs.at[k].dst.mask = (lanes)(MASK_XYZW & ~i.dst.mask);
		VEC_PUSH(d->arena, &ps->instrs) = i;
		/* Goes behind its other half, as the registers that it reads may change. */
		for (uint32_t j = ps->instrs.n - 1; j > k + 1; j--)
			ps->instrs.at[j] = ps->instrs.at[j - 1];
		ps->instrs.at[k + 1] = i;
	}
}

/* Uses FP constants above c31, which only model 3 has. */
static void spread_constants(struct dialect *d)
{
	uint64_t state = d->state; /* a copy, so that the rest of the seed's pair stays the same */
	int const by = gen_below(&state, 2) ? gen_below(&state, 150) : 0;
	for (uint32_t k = 0; k < d->ps->decls.n; k++)
		if (d->ps->decls.at[k].kind == DECL_DEF)
			d->ps->decls.at[k].reg.index = (int16_t)(d->ps->decls.at[k].reg.index + by);
	for (uint32_t k = 0; k < d->ps->instrs.n; k++)
		EACH_SOURCE(s, &d->ps->instrs.at[k])
			if (d->ps->instrs.at[k].src[s].file == REG_CONST)
				d->ps->instrs.at[k].src[s].index = (int16_t)(d->ps->instrs.at[k].src[s].index + by);
}

static void change_pixel_program(struct dialect *d)
{
	spread_constants(d);
	change_inputs(d);
	if (d->inputs < MOST_TEXCOORDS && chance(d, 15)) /* an input that the VP does not write and the FP does not read */
		declare_coordinate(d, d->ps, UNREAD, MASK_XYZW, d->input[d->inputs++], chance(d, 50) ? INSTR_CENTROID : 0);
	part_colours(d);
	bool const pixel = chance(d, 20) && !d->flows;
	for (uint32_t k = 0; k < d->ps->instrs.n; k++) {
		struct instr *i = &d->ps->instrs.at[k];
		change_instr(d, d->ps, i);
		for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && pixel && s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_CONST && !i->src[s].relative && !i->src[s].absolute && chance(d, 8))
				read_pixel(d, &i->src[s]);
	}
}

static bool has_all_ops(const struct program *p)
{
	bool all = true;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		all &= model_has_op(p->model, (enum op)p->instrs.at[k].op);
	return all;
}

/* Draws the usages and registers on which both programs of a pair, or all of a group, agree. */
static void draw_link(struct dialect *d)
{
	for (uint8_t k = 0; k < sizeof d->output; k++)
		d->output[k] = k;
	for (uint8_t k = 0; k < sizeof d->input; k++)
		d->input[k] = k;
	shuffle(d, d->output, MOST_TEX_OUTS);
	shuffle(d, d->input, MOST_TEXCOORDS);
	draw_usages(d);
	d->coordinates = chance(d, 50);
	d->packed = d->coordinates || d->state & 1 ? 0 : (lanes)(1 + (d->state >> 1) % (MASK_XYZW - 1));
	for (int t = 0; t < MOST_TEX_OUTS; t++)
		d->split[t] = chance(d, 25) ? (lanes)((2u << below(d, 3)) - 1) : 0;
}

static struct dialect begin(struct arena *arena, uint64_t seed, struct gen_pair pair)
{
	struct dialect d = {.arena = arena, .state = seed ^ UINT64_C(0x3333333333333333), .vs = program_copy(arena, pair.vs),
	                    .ps = program_copy(arena, pair.ps), .flows = program_flows(pair.vs) || program_flows(pair.ps)};
	draw_link(&d);
	return d;
}

static bool change_vertex_half(struct dialect *d)
{
	d->vs->model = VS_3_0;
	d->ps->model = PS_3_0;
	int const fog = MOST_TEX_OUTS - 1;
	d->usage[fog][0] = USAGE_FOG;
	d->usage_index[fog][0] = 0;
	change_outputs(d, fog);
	change_vertex_program(d);
	return declare_outputs(d);
}

static struct gen_pair end(struct dialect *d, struct gen_pair otherwise)
{
	change_pixel_program(d);
	return has_all_ops(d->vs) && has_all_ops(d->ps) ? (struct gen_pair){d->vs, d->ps} : otherwise;
}

struct gen_pair gen_model3(struct arena *arena, uint64_t seed, struct gen_pair pair)
{
	struct dialect d = begin(arena, seed, pair);
	return change_vertex_half(&d) ? end(&d, pair) : pair;
}

struct gen_pair gen_model3_member(struct arena *arena, uint64_t seed, unsigned vs, unsigned ps, struct gen_pair pair)
{
	struct dialect d = begin(arena, seed, pair);
	d.state ^= vs * UINT64_C(0xaef17502108ef2d9);
	if (vs)
		shuffle(&d, d.output, MOST_TEX_OUTS);
	bool const fits = change_vertex_half(&d);
	d.state = (seed + 1) * UINT64_C(0xd1342543de82ef95) ^ ps * UINT64_C(0xaef17502108ef2d9);
	return fits ? end(&d, pair) : pair;
}
