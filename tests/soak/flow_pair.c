/* Generates pairs with blocks, see gen.h: their models, declarations and outputs; flow.h writes the statements. */
#include "flow.h"
#include "gen.h"

/* The interpolators on which both programs agree. */
struct interface {
	lanes texcoord[FLOW_TEXCOORDS], colour[2];
	enum model vs, ps;
	bool vs_flows, ps_flows;
};

static struct interface draw_interface(uint64_t *state)
{
	static const struct { uint8_t vs, ps; } models_of[] = {
		{VS_3_0, PS_3_0}, {VS_3_0, PS_3_0}, {VS_3_0, PS_3_0}, {VS_3_0, PS_3_0}, {VS_3_0, PS_3_0}, {VS_2_X, PS_2_X}, {VS_2_X, PS_2_X},
		{VS_2_0, PS_2_X}, {VS_2_0, PS_2_0}, {VS_2_A, PS_2_A}, {VS_1_1, PS_2_X},
	};
	static const lanes prefixes[] = {MASK_X, MASK_XY, MASK_XY, MASK_XY, MASK_XYZ, MASK_XYZW, MASK_XYZW};
	int const n = gen_below(state, sizeof models_of / sizeof *models_of), which = gen_below(state, 10);
	struct interface between = {.vs = (enum model)models_of[n].vs, .ps = (enum model)models_of[n].ps};
	bool const may_vs = models[between.vs].flow, may_ps = models[between.ps].flow;
	between.vs_flows = may_vs && (!may_ps || which < 5);
	between.ps_flows = may_ps && (!may_vs || which >= 3);
	if (may_ps && !between.ps_flows && between.ps != PS_3_0 && gen_below(state, 4))
		between.ps = PS_2_0;
	bool const whole = between.ps == PS_3_0 && gen_below(state, 100) < 35; /* four lanes each, so that aL may address them */
	for (int t = 0, used = 1 + gen_below(state, 5); t < used; t++)
		between.texcoord[t] = whole ? MASK_XYZW : prefixes[gen_below(state, sizeof prefixes)];
	for (int c = 0; c < 2; c++)
		between.colour[c] = gen_below(state, 100) < 20 ? MASK_XYZW : 0;
	return between;
}

/* --- declarations -------------------------------------------------------------------- */

static struct decl *declare(struct flow *f, enum decl_kind kind, enum reg_file file, int index, lanes mask)
{
	struct decl *d = &VEC_PUSH(f->arena, &f->p->decls);
	*d = (struct decl){.kind = (uint8_t)kind, .at = SRCPOS_NONE};
	d->reg = dst_lanes(file, index, mask);
	return d;
}

/* Defines literals, and those i# and b# that the application does not set. */
static void define(struct flow *f)
{
	static const float common[LANES] = {0.5f, 1, 0, 2};
	for (int c = 0; c <= f->consts; c++) {
		if (c < f->consts && !flow_chance(f, 30))
			continue;
		struct decl *d = declare(f, DECL_DEF, REG_CONST, c, MASK_XYZW);
		for (unsigned l = 0; l < LANES; l++)
			d->value[l] = c == f->consts ? common[l] : flow_chance(f, 50) ? common[flow_below(f, LANES)] : (float)(flow_below(f, 801) - 400) / 128;
	}
	if (!(models[f->p->model].flow & OPF_STATIC))
		return;
	for (int k = 0; f->flows && k < FLOW_INTS; k++)
		if (flow_chance(f, 60)) {
			struct decl *d = declare(f, DECL_INT, REG_INT, k, MASK_XYZW);
			d->integer[LANE_X] = flow_below(f, 6);
			d->integer[LANE_Y] = flow_below(f, 4);
			d->integer[LANE_Z] = 1 + (flow_chance(f, 15) ? 1 : 0);
		}
	for (int k = 0; f->flows && k < FLOW_BOOLS; k++)
		if (flow_chance(f, 15))
			declare(f, DECL_BOOL, REG_BOOL, k, MASK_XYZW)->integer[0] = flow_below(f, 2);
}

/* --- vertex program ------------------------------------------------------------------ */

static void position(struct flow *f)
{
	struct src const v = flow_whole(REG_INPUT, 0);
	if (flow_chance(f, 50)) {
		flow_put(f, OP_M4X4, dst_lanes(REG_POS_OUT, 0, MASK_XYZW), v, flow_whole(REG_CONST, 0), v);
		return;
	}
	for (int row = 0; row < LANES; row++)
		flow_put(f, OP_DP4, dst_lanes(REG_POS_OUT, 0, (lanes)(1u << row)), v, flow_whole(REG_CONST, row), v);
}

/* Writes an output, from the values gathered in r#from unless that is -1. */
static void write_output(struct flow *f, enum reg_file file, int index, lanes mask, int from)
{
	struct src const v = flow_whole(REG_INPUT, flow_below(f, f->inputs)), c = flow_whole(REG_CONST, flow_below(f, f->consts));
	int const r = flow_below(f, f->temps);
	if (from >= 0 && flow_chance(f, 60))
		flow_put(f, OP_MAD, dst_lanes(file, index, mask), flow_whole(REG_TEMP, from), c, v);
	else if (flow_chance(f, 40) && (mask & (lanes)~f->now.temp[r]) == 0)
		flow_move(f, file, index, mask, flow_whole(REG_TEMP, r));
	else if (flow_chance(f, 40))
		flow_move(f, file, index, mask, v);
	else
		flow_write(f, file, index, mask);
}

/* Writes the outputs that are not written on every way, or some of them if `some`. */
static void write_outputs(struct flow *f, const struct interface *between, bool some, int from)
{
	for (int t = 0; t < FLOW_TEXCOORDS; t++) {
		lanes const missing = between->texcoord[t] & (lanes)~flow_written(f, REG_TEX_OUT, t);
		if (missing && !(some && flow_chance(f, 50)))
			write_output(f, REG_TEX_OUT, t, missing, from);
	}
	for (int c = 0; c < 2; c++)
		if (between->colour[c] && flow_written(f, REG_COLOUR_OUT, c) != MASK_XYZW && !(some && flow_chance(f, 50)))
			write_output(f, REG_COLOUR_OUT, c, MASK_XYZW, from);
}

/* Flips a coordinate under a condition, as Unity does where the render target is upside down. */
static void turn_over(struct flow *f, const struct interface *between)
{
	if (!(models[f->p->model].flow & OPF_DYNAMIC) || !(between->texcoord[0] & MASK_Y))
		return;
	int const r = f->live, s = f->live + 1;
	struct src const one = flow_whole(REG_CONST, f->consts), v = flow_whole(REG_INPUT, 1 % f->inputs);
	struct src y = v, sign = flow_whole(REG_CONST, flow_below(f, f->consts)), zero = one;
	y.swizzle = sign.swizzle = swizzle_replicate(LANE_Y);
	zero.swizzle = swizzle_replicate(LANE_Z);
	y.negate = true;
	flow_move(f, REG_TEMP, r, between->texcoord[0], v);
	flow_move(f, REG_TEMP, s, MASK_X, zero);
	struct instr i = {.op = OP_IFC, .comparison = COMPARE_LT, .dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	i.src[0] = sign;
	i.src[1] = flow_whole(REG_TEMP, s);
	i.src[1].swizzle = swizzle_replicate(LANE_X);
	VEC_PUSH(f->arena, &f->p->instrs) = i;
	zero.swizzle = swizzle_replicate(LANE_Y);
	flow_put(f, OP_ADD, dst_lanes(REG_TEMP, r, MASK_Y), zero, y, y);
	VEC_PUSH(f->arena, &f->p->instrs) = (struct instr){.op = OP_ENDIF, .dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	flow_move(f, REG_TEX_OUT, 0, between->texcoord[0], flow_whole(REG_TEMP, r));
}

void flow_change_output(struct flow *f)
{
	int const n = flow_below(f, f->vertex ? FLOW_TEXCOORDS : 1);
	enum reg_file const file = f->vertex ? REG_TEX_OUT : REG_PIXEL_OUT;
	lanes const mask = flow_written(f, file, n);
	int const r = flow_below(f, f->temps);
	if (!mask)
		return;
	if (f->vertex || f->p->model == PS_3_0)
		flow_write(f, file, n, mask);
	else if (f->now.temp[r] == MASK_XYZW)
		flow_move(f, file, n, mask, flow_whole(REG_TEMP, r));
}

static void vertex_program(struct flow *f, const struct interface *between)
{
	static const uint8_t usages[] = {USAGE_POSITION, USAGE_TEXCOORD, USAGE_NORMAL, USAGE_COLOR, USAGE_TEXCOORD, USAGE_BLENDWEIGHT};
	f->vertex = true;
	f->flows = between->vs_flows;
	f->inputs = 2 + flow_below(f, 4);
	for (int v = 0; v < f->inputs; v++) {
		struct decl *d = declare(f, DECL_VERTEX_INPUT, REG_INPUT, v, MASK_XYZW);
		d->usage = usages[v];
		d->usage_index = v == 4;
	}
	define(f);
	f->may_write_outputs = true;
	bool const early = flow_chance(f, 50);
	if (early)
		position(f);
	if (flow_chance(f, 35))
		write_outputs(f, between, flow_chance(f, 50), -1);
	if (f->p->model != VS_1_1 && flow_chance(f, 10)) {
		struct src x = flow_whole(REG_INPUT, f->inputs - 1);
		x.swizzle = swizzle_replicate(LANE_X);
		flow_put(f, OP_MOVA, dst_lanes(REG_ADDRESS, 0, MASK_X), x, x, x);
	}
	if (f->flows && flow_chance(f, 25))
		turn_over(f, between);
	if (!f->flows || !program_flows(f->p) || flow_chance(f, 50))
		flow_statements(f, f->flows ? 4 + flow_below(f, 14) : flow_below(f, 12));
	write_outputs(f, between, false, f->slots > 8 ? flow_gather(f) : -1);
	if (!early)
		position(f);
	flow_finish(f);
}

/* --- pixel program ------------------------------------------------------------------- */

static void declare_pixel(struct flow *f, const struct interface *between)
{
	for (int t = 0; t < FLOW_TEXCOORDS; t++)
		if (between->texcoord[t]) {
			declare(f, DECL_PIXEL_INPUT, REG_TEXCOORD, t, between->texcoord[t])->flags = flow_chance(f, 5) ? INSTR_CENTROID : 0;
			f->texcoord[t] = between->texcoord[t];
		}
	for (int c = 0; c < 2; c++)
		if (between->colour[c]) {
			declare(f, DECL_PIXEL_INPUT, REG_INPUT, c, MASK_XYZW);
			f->colour[c] = MASK_XYZW;
		}
	f->samplers = 1 + flow_below(f, 3);
	for (int s = 0; s < f->samplers; s++) {
		enum texture const texture = flow_chance(f, 85) ? TEXTURE_2D : TEXTURE_CUBE;
		declare(f, DECL_SAMPLER, REG_SAMPLER, s, MASK_XYZW)->texture = (uint8_t)texture;
		f->p->samplers[s] = (uint8_t)texture;
	}
}

/* Declares vFace, which has no usage. */
static void declare_face(struct flow *f, struct program *ps)
{
	f->p = ps;
	struct decl *d = declare(f, DECL_PIXEL_INPUT, REG_FACE, 0, MASK_XYZW);
	d->usage = USAGES;
	d->number = NO_NUMBER;
}

static struct src plain_condition(struct flow *f)
{
	struct src s = flow_whole(REG_BOOL, flow_below(f, FLOW_BOOLS));
	s.negate = flow_chance(f, 20);
	return s;
}

/* Writes the colour: at the end, in both branches of an if, or again in one where it was written early. */
static void write_colour(struct flow *f, int r)
{
	struct instr plain = {.dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE}, begin = plain;
	bool const parted = f->early || (f->p->model == PS_3_0 && f->flows && flow_chance(f, 25));
	begin.op = OP_IF;
	begin.src[0] = plain_condition(f);
	if (parted)
		VEC_PUSH(f->arena, &f->p->instrs) = begin;
	if (parted && !f->early) {
		flow_write(f, REG_PIXEL_OUT, 0, MASK_XYZW);
		plain.op = OP_ELSE;
		VEC_PUSH(f->arena, &f->p->instrs) = plain;
	}
	flow_move(f, REG_PIXEL_OUT, 0, MASK_XYZW, flow_whole(REG_TEMP, r));
	plain.op = OP_ENDIF;
	if (parted)
		VEC_PUSH(f->arena, &f->p->instrs) = plain;
}

static void pixel_program(struct flow *f, const struct interface *between)
{
	f->flows = between->ps_flows;
	declare_pixel(f, between);
	define(f);
	f->may_write_outputs = f->p->model != PS_2_0;
	f->early = models[f->p->model].flow & OPF_STATIC && f->flows && flow_chance(f, 8);
	if (f->early)
		flow_move(f, REG_PIXEL_OUT, 0, MASK_XYZW, flow_whole(REG_CONST, flow_below(f, f->consts)));
	flow_statements(f, !f->flows && f->p->model != PS_3_0 ? 3 + flow_below(f, 8) : 4 + flow_below(f, 20));
	int const r = flow_gather(f);
	write_colour(f, r);
	if (flow_chance(f, 8)) {
		struct src z = flow_whole(REG_TEMP, r);
		z.swizzle = swizzle_replicate((unsigned)flow_below(f, LANES));
		flow_move(f, REG_DEPTH_OUT, 0, MASK_XYZW, z);
	}
	flow_finish(f);
}

/* --- inputs that aL counts to -------------------------------------------------------- */

enum { NUMBERS = 16 };

static bool is_whole(const struct program *ps, const struct decl *d)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < ps->decls.n; k++)
		n += ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].number == d->number;
	return n == 1 && d->reg.mask == MASK_XYZW;
}

/* Gives v# of four lanes the first numbers, and returns how many they are. */
static int number_whole_first(struct program *ps)
{
	uint8_t number[NUMBERS];
	bool given[NUMBERS] = {false}, whole[NUMBERS] = {false};
	int next = 0, first = 0;
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		if (d->kind == DECL_PIXEL_INPUT && d->number < NUMBERS)
			whole[d->number] = is_whole(ps, d);
	}
	for (unsigned turn = 0; turn < 2; turn++) {
		for (uint32_t k = 0; k < ps->decls.n; k++) {
			const struct decl *d = &ps->decls.at[k];
			if (d->kind != DECL_PIXEL_INPUT || d->number >= NUMBERS || given[d->number] || whole[d->number] == (turn == 1))
				continue;
			given[d->number] = true;
			number[d->number] = (uint8_t)next++;
		}
		first = turn == 0 ? next : first;
	}
	for (uint32_t k = 0; k < ps->decls.n; k++)
		if (ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].number < NUMBERS)
			ps->decls.at[k].number = number[ps->decls.at[k].number];
	return first;
}

/* Changes a coordinate that an instruction reads to v[aL + n] if it reads no other; otherwise sometimes a temporary. */
static void address_input(struct flow *f, struct instr *i, int most)
{
	unsigned inputs = 0, temps = 0, at = 0;
	EACH_SOURCE(s, i) {
		bool const input = i->src[s].file == REG_TEXCOORD || i->src[s].file == REG_INPUT, temp = i->src[s].file == REG_TEMP;
		at = input || (temp && !inputs) ? s : at;
		inputs += input;
		temps += temp;
	}
	if (inputs > 1 || inputs + temps == 0 || instr_samples(i) || !flow_chance(f, inputs ? 75 : 30))
		return;
	i->src[at].file = REG_INPUT;
	i->src[at].relative = RELATIVE_LOOP;
	i->src[at].index = (int16_t)flow_below(f, most + 1);
}

/* Limits every defi to the v# of four lanes. */
static void count_within(struct program *ps, int whole)
{
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		struct decl *d = &ps->decls.at[k];
		if (d->kind != DECL_INT || d->integer[LANE_Y] + d->integer[LANE_X] * d->integer[LANE_Z] <= whole)
			continue;
		d->integer[LANE_X] = d->integer[LANE_X] < whole ? d->integer[LANE_X] : whole;
		d->integer[LANE_Y] = whole - d->integer[LANE_X];
		d->integer[LANE_Z] = 1;
	}
}

/* Reads v[aL + n] in loops whose defi stays within the v# of four lanes. */
static void address_inputs(struct flow *f, struct program *ps)
{
	int last[NUMBERS], depth = 0, whole = number_whole_first(ps);
	if (whole > 0)
		count_within(ps, whole);
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		struct instr *i = &ps->instrs.at[k];
		if (i->op == OP_LOOP && depth < NUMBERS) {
			const struct decl *d = program_decl(ps, REG_INT, i->src[1].index);
			last[depth++] = d && d->integer[LANE_X] ? d->integer[LANE_Y] + (d->integer[LANE_X] - 1) * d->integer[LANE_Z] : NUMBERS;
		}
		depth -= i->op == OP_ENDLOOP;
		if (depth > 0 && last[depth - 1] < whole)
			address_input(f, i, whole - 1 - last[depth - 1]);
	}
}

static struct flow start(struct arena *arena, uint64_t state, enum model model)
{
	struct flow f = {.arena = arena, .state = state, .p = arena_zero(arena, sizeof(struct program)), .statics = 14};
	f.p->model = model;
	f.p->at = SRCPOS_NONE;
	f.live = 2 + flow_below(&f, 3);
	f.temps = f.live + 2 + flow_below(&f, 5);
	f.consts = 6 + flow_below(&f, 12);
	f.most_loops = models[model].depth < 2 ? models[model].depth : 2;
	return f;
}

struct gen_pair gen_flow_member(struct arena *arena, uint64_t seed, unsigned vs_number, unsigned ps_number)
{
	uint64_t state = seed * UINT64_C(0xd1342543de82ef95) + 1;
	struct interface const between = draw_interface(&state);
	struct flow vs = start(arena, state + vs_number * UINT64_C(0xaef17502108ef2d9), between.vs);
	struct flow ps = start(arena, (state ^ UINT64_C(0x5555555555555555)) + ps_number * UINT64_C(0xaef17502108ef2d9), between.ps);
	vertex_program(&vs, &between);
	pixel_program(&ps, &between);
	struct gen_pair const pair = {vs.p, ps.p};
	if (between.vs != VS_3_0)
		return pair;
	struct gen_pair const linked = gen_model3_member(arena, seed, vs_number, ps_number, pair);
	if (between.ps_flows)
		address_inputs(&ps, linked.ps);
	if (ps.face)
		declare_face(&ps, linked.ps);
	return linked;
}

struct gen_pair gen_flow(struct arena *arena, uint64_t seed)
{
	return gen_flow_member(arena, seed, 0, 0);
}
