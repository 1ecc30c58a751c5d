/* Random legal pairs, see gen.h.  Both programs use every opcode of their models, all masks and swizzles, with registers reused, lanes
 * written in parts, dead code and several outputs.  Much of the pixel program computes texture coordinates from interpolated inputs
 * and constants, which the mover can move. */
#include "gen.h"

#include <string.h>

struct gen {
	struct arena *arena;
	uint64_t state;
	struct program *p;
	bool vertex;
	lanes temp[32];          /* written so far */
	int temps;               /* r0 .. r(temps-1) are used */
	int inputs;              /* v0 .. v(inputs-1) of a vertex program */
	lanes texcoord[8];       /* t# */
	lanes colour[2];         /* v# (pixel) */
	int consts;              /* c0 .. c(consts-1) are read */
	lanes address;           /* lanes of a0 that were written */
	bool careless;           /* the program may read lanes that nothing wrote */
	int samplers;
};

int gen_below(uint64_t *state, int n)
{
	*state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = (*state ^ *state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	x = (x ^ x >> 31) >> 32;
	return (int)((x * (uint64_t)n) >> 32);
}

static int below(struct gen *g, int n)
{
	return gen_below(&g->state, n);
}

static bool chance(struct gen *g, int percent)
{
	return below(g, 100) < percent;
}

static lanes some_mask(struct gen *g)
{
	static const lanes common[] = {15, 15, 15, 7, 7, 3, 3, 1, 1, 2, 4, 8, 12};
	return chance(g, 70) ? common[below(g, sizeof common)] : (lanes)(1 + below(g, 15));
}

static swizzle some_swizzle(struct gen *g)
{
	if (models[g->p->model].any_swizzle && chance(g, 40))
		return (swizzle)below(g, 256);
	static const swizzle few[] = {SWIZZLE_XYZW, SWIZZLE_XYZW, SWIZZLE_XYZW, SWIZZLE_XYZW, SWIZZLE(0, 0, 0, 0),
	                              SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
	                              SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0)};
	return few[below(g, sizeof few)];
}

static float some_value(struct gen *g)
{
	static const float plain[] = {0, 1, -1, 0.5f, 2, -0.5f, 0.25f, 4, 0.1f, 0.333333343f, 3.14159274f, 0.0078125f, -0.0f};
	if (chance(g, 60))
		return plain[below(g, sizeof plain / sizeof *plain)];
	return (float)(below(g, 20001) - 10000) / 2500.0f;
}

/* --- declarations ----------------------------------------------------------------- */

static struct decl *declare(struct gen *g, enum decl_kind kind, enum reg_file file, int index, lanes mask)
{
	struct decl *d = &VEC_PUSH(g->arena, &g->p->decls);
	*d = (struct decl){.kind = (uint8_t)kind, .at = SRCPOS_NONE};
	d->reg = (struct dst){.file = (uint8_t)file, .mask = mask, .masked = mask != MASK_XYZW,
	                      .index = (int16_t)index, .at = SRCPOS_NONE};
	return d;
}

static void define(struct gen *g, int index)
{
	struct decl *d = declare(g, DECL_DEF, REG_CONST, index, MASK_XYZW);
	for (unsigned l = 0; l < LANES; l++)
		d->value[l] = some_value(g);
}

static void define_some(struct gen *g)
{
	for (int c = 0; c < g->consts; c++)
		if (chance(g, 35) && !program_decl(g->p, REG_CONST, c))
			define(g, c);
}

/* Constants that sincos needs: D3DSINCOSCONST1 and 2. */
enum { SINCOS1 = 30, SINCOS2 = 31 };

static void define_sincos(struct gen *g)
{
	static const float values[2][LANES] = {{-1.5500992e-006f, -2.1701389e-005f, 0.0026041667f, 0.00026041668f},
	                                       {-0.020833334f, -0.125f, 1, 0.5f}};
	define(g, SINCOS1);
	memcpy(g->p->decls.at[g->p->decls.n - 1].value, values[0], sizeof values[0]);
	define(g, SINCOS2);
	memcpy(g->p->decls.at[g->p->decls.n - 1].value, values[1], sizeof values[1]);
}

/* --- one instruction -------------------------------------------------------------- */

static lanes readable(struct gen *g, enum reg_file file, int index)
{
	switch (file) {
	case REG_TEMP: return g->careless && chance(g, 10) ? MASK_XYZW : g->temp[index];
	case REG_INPUT: return g->vertex ? MASK_XYZW : g->colour[index];
	case REG_TEXCOORD: return g->texcoord[index];
	case REG_CONST: return MASK_XYZW;
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_POS_OUT:
	case REG_FOG_OUT:
	case REG_SIZE_OUT:
	case REG_COLOUR_OUT:
	case REG_TEX_OUT:
	case REG_PIXEL_OUT:
	case REG_DEPTH_OUT:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: break;
	}
	return 0;
}

/* Returns whether the instruction still reads at most one v#, one t# and one c#, each at most twice. */
static bool port_free(const struct instr *i, unsigned s, const struct src *src)
{
	if (src->file == REG_TEMP)
		return true;
	unsigned reads = 0;
	for (unsigned k = 0; k < s; k++) {
		const struct src *other = &i->src[k];
		if (other->file != src->file)
			continue;
		if (other->index != src->index || other->relative != src->relative || ++reads == 2)
			return false;
	}
	return true;
}

static struct src some_register(struct gen *g)
{
	struct src src = {.swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	int which = below(g, 100);
	if (which < 50) {
		src.file = REG_TEMP;
		src.index = (int16_t)below(g, g->temps);
	} else if (which < 72) {
		src.file = REG_CONST;
		src.index = (int16_t)below(g, g->consts);
		if (g->address && chance(g, 20))
			do
				src.relative = (uint8_t)(1 + below(g, LANES));
			while (!(g->address >> (src.relative - 1) & 1));
	} else if (g->vertex) {
		src.file = REG_INPUT;
		src.index = (int16_t)below(g, g->inputs);
	} else if (which < 95) {
		src.file = REG_TEXCOORD;
		src.index = (int16_t)below(g, 8);
	} else {
		src.file = REG_INPUT;
		src.index = (int16_t)below(g, 2);
	}
	return src;
}

/* Returns whether the operand must have no swizzle and no negation. */
static bool plain_source(const struct instr *i, unsigned s)
{
	enum op_shape shape = ops[i->op].shape;
	return shape == SHAPE_CROSS || shape == SHAPE_TEX || shape == SHAPE_TEXW || shape == SHAPE_KILL ||
	       (shape == SHAPE_MATRIX && s == 1);
}

static bool pick_source(struct gen *g, struct instr *i, unsigned s)
{
	for (unsigned attempt = 0; attempt < 12; attempt++) {
		struct src *src = &i->src[s];
		*src = some_register(g);
		if (ops[i->op].shape == SHAPE_MATRIX && s == 1) {
			if (src->file != REG_CONST || src->index + (int)instr_rows(i, 1) > g->consts)
				continue;
		}
		if (ops[i->op].shape == SHAPE_MATRIX && s == 0 && src->file == REG_CONST)
			continue; /* s1 has the port */
		if (ops[i->op].flags & OPF_TEX && (src->file == REG_CONST || src->file == REG_INPUT))
			continue;
		if (!port_free(i, s, src))
			continue;
		if (!plain_source(i, s)) {
			src->swizzle = instr_reads_scalar(i, s) ? swizzle_replicate((unsigned)below(g, 4)) : some_swizzle(g);
			src->negate = chance(g, 15);
		}
		bool ready = true;
		for (unsigned row = 0; row < instr_rows(i, s); row++) {
			lanes need = instr_reads(g->p, i, s);
			ready = ready && (need & (lanes)~readable(g, (enum reg_file)src->file, src->index + (int)row)) == 0;
		}
		if (ready)
			return true;
	}
	return false;
}

static enum op some_op(struct gen *g)
{
	/* Moves, sums and products are frequent; other opcodes are rare. */
	static const uint8_t vertex[] = {OP_MOV, OP_MOV, OP_MOV, OP_ADD, OP_ADD, OP_MUL, OP_MUL, OP_MAD, OP_MAD, OP_SUB, OP_DP3,
		OP_DP4, OP_MAX, OP_MIN, OP_SGE, OP_SLT, OP_RCP, OP_RSQ, OP_DST, OP_EXPP, OP_LOGP, OP_LIT, OP_FRC, OP_M3X2,
		OP_M3X3, OP_M3X4, OP_M4X3, OP_M4X4, OP_NOP, OP_EXP, OP_LOG};
	static const uint8_t vertex2[] = {OP_ABS, OP_CRS, OP_LRP, OP_NRM, OP_POW, OP_SGN, OP_SINCOS};
	static const uint8_t pixel[] = {OP_MOV, OP_MOV, OP_MOV, OP_MOV, OP_ADD, OP_ADD, OP_ADD, OP_ADD, OP_MUL, OP_MUL, OP_MAD,
		OP_MAD, OP_MAD, OP_SUB, OP_SUB, OP_TEXLD, OP_TEXLD, OP_TEXLD, OP_TEXLD, OP_DP3, OP_DP4, OP_DP2ADD, OP_LRP,
		OP_CMP, OP_MAX, OP_MIN, OP_ABS, OP_RCP, OP_RSQ, OP_EXP, OP_LOG, OP_FRC, OP_CRS, OP_NRM, OP_POW, OP_M3X2,
		OP_M3X3, OP_M3X4, OP_M4X3, OP_M4X4, OP_SINCOS, OP_TEXKILL, OP_TEXLDB, OP_TEXLDP, OP_NOP};
	if (g->vertex && g->p->model == VS_2_0 && chance(g, 25))
		return (enum op)vertex2[below(g, sizeof vertex2)];
	return (enum op)(g->vertex ? vertex[below(g, sizeof vertex)] : pixel[below(g, sizeof pixel)]);
}

/* Returns the lanes of `mask` that a macro may write. */
static lanes fitting_mask(struct gen *g, enum op op, lanes mask)
{
	switch (op) {
	case OP_M3X2: return MASK_XY;
	case OP_M3X3:
	case OP_M4X3: return MASK_XYZ;
	case OP_M3X4:
	case OP_M4X4:
	case OP_TEXLD:
	case OP_TEXLDB:
	case OP_TEXLDP: return MASK_XYZW;
	case OP_FRC: return !g->vertex || g->p->model == VS_2_0 ? mask : chance(g, 50) ? MASK_Y : MASK_XY;
	case OP_CRS: return mask & MASK_XYZ ? mask & MASK_XYZ : MASK_XYZ;
	case OP_NRM: return mask & MASK_W ? MASK_XYZW : MASK_XYZ;
	case OP_SINCOS: return (lanes)(1 + below(g, 3));
	default: return mask;
	}
}

static bool takes_saturate(enum op op)
{
	return op != OP_FRC && op != OP_SINCOS && !(ops[op].flags & (OPF_TEX | OPF_NO_DST));
}

static bool try_instr(struct gen *g, struct instr *i, enum reg_file file, int index, lanes mask)
{
	*i = (struct instr){.op = (uint8_t)some_op(g), .at = SRCPOS_NONE};
	enum op op = (enum op)i->op;
	bool temp = file == REG_TEMP;
	if (!temp && (ops[op].flags & (OPF_TEX | OPF_NO_DST) || op == OP_NRM || op == OP_POW || op == OP_CRS || op == OP_SINCOS || op == OP_SGN))
		return false;
	lanes fits = fitting_mask(g, op, mask);
	if (!temp && fits != mask)
		return false;
	i->dst = (struct dst){.file = (uint8_t)file, .mask = fits, .masked = fits != MASK_XYZW, .index = (int16_t)index, .at = SRCPOS_NONE};
	if (ops[op].flags & OPF_NO_DST)
		i->dst = (struct dst){.at = SRCPOS_NONE};
	if (op == OP_SINCOS) {
		if (g->consts <= SINCOS2)
			return false;
		for (unsigned s = 1; s < 3; s++)
			i->src[s] = (struct src){.file = REG_CONST, .swizzle = SWIZZLE_XYZW, .index = s == 1 ? SINCOS1 : SINCOS2, .at = SRCPOS_NONE};
		if (!pick_source(g, i, 0) || i->src[0].file == REG_CONST)
			return false;
		return !(i->src[0].file == REG_TEMP && i->src[0].index == index);
	}
	if (op == OP_SGN) {
		for (int s = 1; s < 3; s++)
			i->src[s] = (struct src){.file = REG_TEMP, .swizzle = SWIZZLE_XYZW, .index = (int16_t)((index + s) % 12), .at = SRCPOS_NONE};
		if (g->temps < 12 || !pick_source(g, i, 0))
			return false;
		if (i->src[0].file == REG_TEMP && (i->src[0].index == i->src[1].index || i->src[0].index == i->src[2].index))
			return false;
		g->temp[i->src[1].index] = g->temp[i->src[2].index] = 0;
		return true;
	}
	for (unsigned s = 0; s < ops[op].sources; s++) {
		if (s == 1 && (ops[op].shape == SHAPE_TEX || ops[op].shape == SHAPE_TEXW)) {
			i->src[1] = (struct src){.file = REG_SAMPLER, .swizzle = SWIZZLE_XYZW, .index = (int16_t)below(g, g->samplers), .at = SRCPOS_NONE};
			/* The lanes to read depend on the sampler, so check them again. */
			if (instr_reads(g->p, i, 0) & (lanes)~readable(g, (enum reg_file)i->src[0].file, i->src[0].index))
				return false;
			continue;
		}
		if (!pick_source(g, i, s))
			return false;
	}
	enum op_shape shape = ops[op].shape;
	bool apart = shape == SHAPE_MATRIX || shape == SHAPE_CROSS || shape == SHAPE_NRM || op == OP_POW;
	for (unsigned s = 0; apart && temp && s < ops[op].sources; s++)
		if (i->src[s].file == REG_TEMP && i->src[s].index == index)
			return false;
	if (!g->vertex && takes_saturate(op) && temp && chance(g, 8))
		i->flags |= INSTR_SAT;
	if (!g->vertex && !(ops[op].flags & OPF_NO_DST) && chance(g, 6))
		i->flags |= INSTR_PP;
	return true;
}

static void append(struct gen *g, const struct instr *i)
{
	VEC_PUSH(g->arena, &g->p->instrs) = *i;
	struct slots slots = program_slots(g->p);
	bool room = slots.arith + slots.tex + 40 < 128;
	if (!g->vertex && g->p->model == PS_2_0)
		room = slots.arith <= 56 && slots.tex <= 32 && program_dependent_reads(g->p) <= 3;
	/* Writes of outputs come last and may use the slots reserved for them. */
	if (!room && reg_files[i->dst.file].output && !(ops[i->op].flags & OPF_NO_DST))
		room = true;
	if (!room)
		g->p->instrs.n--;
	else if (!(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP)
		g->temp[i->dst.index] = (lanes)(i->dst.mask | (g->temp[i->dst.index] & (i->op == OP_SINCOS ? MASK_W : MASK_XYZW)));
}

/* Writes the lanes by some instruction.  Returns false if none was found. */
static bool write_with(struct gen *g, enum reg_file file, int index, lanes mask)
{
	struct instr i;
	for (unsigned attempt = 0; attempt < 20; attempt++) {
		if (try_instr(g, &i, file, index, mask)) {
			append(g, &i);
			return true;
		}
	}
	return false;
}

static struct src whole(enum reg_file file, int index)
{
	return (struct src){.file = (uint8_t)file, .swizzle = SWIZZLE_XYZW, .index = (int16_t)index, .at = SRCPOS_NONE};
}

static void move_to(struct gen *g, enum reg_file file, int index, lanes mask, struct src from)
{
	struct instr i = {.op = OP_MOV, .at = SRCPOS_NONE};
	i.dst = (struct dst){.file = (uint8_t)file, .mask = mask, .masked = mask != MASK_XYZW, .index = (int16_t)index, .at = SRCPOS_NONE};
	i.src[0] = from;
	append(g, &i);
}

static void body(struct gen *g, int length)
{
	while (length-- > 0) {
		struct instr i;
		if (try_instr(g, &i, REG_TEMP, below(g, g->temps), some_mask(g)))
			append(g, &i);
	}
}

/* Returns a temporary whose lanes `need` are written, or -1. */
static int ready_temp(struct gen *g, lanes need)
{
	int from = below(g, g->temps);
	for (int k = 0; k < g->temps; k++) {
		int r = (from + k) % g->temps;
		if ((need & (lanes)~g->temp[r]) == 0)
			return r;
	}
	return -1;
}

/* --- vertex program --------------------------------------------------------------- */

static void put(struct gen *g, enum op op, struct dst to, struct src a, struct src b, struct src c)
{
	append(g, &(struct instr){.op = (uint8_t)op, .dst = to, .src = {a, b, c}, .at = SRCPOS_NONE});
}

static struct dst part(enum reg_file file, int index, lanes mask)
{
	return (struct dst){.file = (uint8_t)file, .mask = mask, .masked = mask != MASK_XYZW, .index = (int16_t)index, .at = SRCPOS_NONE};
}

static struct src one_lane(struct src s, unsigned lane)
{
	s.swizzle = swizzle_replicate(lane);
	return s;
}

/* Multiplies a vector by four rows from c#, or from c[a0.x + #], one dot product each. */
static void rows(struct gen *g, int to, struct src v, struct src c)
{
	for (unsigned l = 0; l < LANES; l++, c.index++)
		put(g, OP_DP4, part(REG_TEMP, to, (lanes)(1u << l)), v, c, v);
}

/* Computes an address from vertex data by a product and a sum, and multiplies by the matrix there. */
static void skinning(struct gen *g, int to, struct src v, struct src c)
{
	struct src const index = whole(REG_INPUT, g->inputs - 1), sum = whole(REG_TEMP, to);
	put(g, OP_MUL, part(REG_TEMP, to, MASK_X), index, c, v);
	put(g, OP_ADD, part(REG_TEMP, to, MASK_X), sum, one_lane(index, LANE_Y), v);
	put(g, g->p->model == VS_2_0 ? OP_MOVA : OP_MOV, part(REG_ADDRESS, 0, MASK_X), one_lane(sum, LANE_X), v, v);
	g->address = MASK_X;
	c.relative = 1;
	rows(g, to, v, c);
}

/* Computes a position as shaders of the time do, in a temporary that other outputs may read too. */
static void position_chain(struct gen *g)
{
	int const to = below(g, g->temps), first = below(g, g->consts - 3);
	struct src const v = whole(REG_INPUT, 0), r = whole(REG_TEMP, to);
	struct src c = whole(REG_CONST, first);
	switch (below(g, 6)) {
	case 0: put(g, OP_M4X4, part(REG_TEMP, to, MASK_XYZW), v, c, v); break;
	case 1: rows(g, to, v, c); break;
	case 2: /* by columns */
		put(g, OP_MUL, part(REG_TEMP, to, MASK_XYZW), one_lane(v, LANE_X), c, v);
		for (unsigned l = LANE_Y; l < LANES; l++) {
			c.index++;
			put(g, OP_MAD, part(REG_TEMP, to, MASK_XYZW), one_lane(v, l), c, r);
		}
		break;
	case 3: skinning(g, to, v, c); break;
	case 4: /* (x, y, z, 1) if the constant holds 1 */
		put(g, OP_MOV, part(REG_TEMP, to, MASK_XYZ), v, v, v);
		put(g, OP_MOV, part(REG_TEMP, to, MASK_W), one_lane(whole(REG_CONST, below(g, g->consts)), (unsigned)below(g, LANES)), v, v);
		break;
	default: put(g, OP_MOV, part(REG_TEMP, to, MASK_XYZW), v, v, v); break;
	}
	for (int k = below(g, 4); k > 0; k--) { /* scaled, shifted, halved or doubled */
		c = whole(REG_CONST, below(g, g->consts));
		c.swizzle = some_swizzle(g);
		put(g, OP_MUL, part(REG_TEMP, to, chance(g, 70) ? MASK_XYZW : some_mask(g)), r, c, v);
		put(g, chance(g, 80) ? OP_ADD : OP_SUB, part(REG_TEMP, to, MASK_XYZW), r, chance(g, 50) ? v : chance(g, 30) ? r : whole(REG_CONST, first), v);
	}
	if (chance(g, 50))
		put(g, OP_ADD, part(REG_POS_OUT, 0, MASK_XYZW), r, whole(REG_CONST, first), v);
	else
		move_to(g, REG_POS_OUT, 0, MASK_XYZW, r);
}

static void rounding(struct gen *);

static void vertex_program(struct gen *g, const lanes texcoords[8], const lanes colours[2])
{
	g->vertex = true;
	g->p->model = chance(g, 15) ? VS_2_0 : VS_1_1;
	g->consts = 4 + below(g, 40);
	g->temps = 1 + below(g, 12);
	int inputs = g->inputs = 1 + below(g, 8);
	static const uint8_t usages[] = {USAGE_TEXCOORD, USAGE_NORMAL, USAGE_COLOR, USAGE_TANGENT, USAGE_BLENDWEIGHT};
	declare(g, DECL_VERTEX_INPUT, REG_INPUT, 0, MASK_XYZW)->usage = USAGE_POSITION;
	for (int v = 1; v < inputs; v++) {
		struct decl *d = declare(g, DECL_VERTEX_INPUT, REG_INPUT, v, MASK_XYZW);
		d->usage = usages[below(g, 5)];
		d->usage_index = (uint8_t)v;
	}
	if (g->p->model == VS_2_0 && g->consts > SINCOS2)
		define_sincos(g);
	define_some(g);
	bool early = chance(g, 40);
	if (early)
		move_to(g, REG_POS_OUT, 0, MASK_XYZW, whole(REG_INPUT, 0));
	if (chance(g, 15)) {
		g->address = g->p->model == VS_2_0 && chance(g, 50) ? (lanes)(1 + below(g, MASK_XYZW)) : MASK_X;
		move_to(g, REG_ADDRESS, 0, g->address, whole(REG_INPUT, below(g, inputs)));
		struct instr *writer = &g->p->instrs.at[g->p->instrs.n - 1];
		if (g->address == MASK_X)
			writer->src[0].swizzle = swizzle_replicate((unsigned)below(g, 4));
		writer->op = g->p->model == VS_2_0 ? OP_MOVA : OP_MOV;
	}
	body(g, below(g, 2) ? 0 : below(g, 30));
	if (chance(g, 6))
		rounding(g);
	if (!early && g->state >> 24 & 1)
		position_chain(g);
	else if (!early && !write_with(g, REG_POS_OUT, 0, MASK_XYZW))
		move_to(g, REG_POS_OUT, 0, MASK_XYZW, whole(REG_INPUT, 0));
	for (int t = 0; t < 8; t++) {
		if (!texcoords[t])
			continue;
		lanes left = texcoords[t];
		if (g->careless && chance(g, 20))
			left &= (lanes)below(g, 16);
		while (left) {
			lanes part = chance(g, 75) ? left : (lanes)(left & (1 + below(g, 15)));
			if (!part)
				continue;
			if (chance(g, 60) || !write_with(g, REG_TEX_OUT, t, part)) {
				struct src from = whole(REG_INPUT, below(g, inputs));
				from.swizzle = chance(g, 70) ? SWIZZLE_XYZW : some_swizzle(g);
				move_to(g, REG_TEX_OUT, t, part, from);
			}
			left &= (lanes)~part;
		}
		if (chance(g, 5)) /* a second write */
			move_to(g, REG_TEX_OUT, t, texcoords[t], whole(REG_CONST, below(g, g->consts)));
	}
	for (int c = 0; c < 2; c++)
		if (colours[c] && !write_with(g, REG_COLOUR_OUT, c, MASK_XYZW))
			move_to(g, REG_COLOUR_OUT, c, MASK_XYZW, whole(REG_INPUT, below(g, inputs)));
	if (chance(g, 10)) {
		struct src from = whole(REG_INPUT, below(g, inputs));
		from.swizzle = swizzle_replicate((unsigned)below(g, 4));
		bool odd = from.index & 1; /* half of the reads have no mask and read computed values */
		for (int r = 0; odd && r < g->temps; r++)
			if (swizzle_lanes(from.swizzle, MASK_X) & g->temp[r]) {
				from.file = REG_TEMP;
				from.index = (int16_t)r;
			}
		move_to(g, chance(g, 50) ? REG_FOG_OUT : REG_SIZE_OUT, 0, odd ? MASK_XYZW : MASK_X, from);
	}
}

/* --- pixel program ---------------------------------------------------------------- */

/* Computes a texture coordinate as compilers of the time do. */
static void address_chain(struct gen *g)
{
	int to = below(g, g->temps), from = below(g, 8);
	if (!g->texcoord[from] || !(g->texcoord[from] & MASK_Y))
		return;
	struct src c = whole(REG_CONST, below(g, g->consts));
	c.swizzle = swizzle_replicate((unsigned)below(g, 4));
	struct instr i = {.op = OP_ADD, .at = SRCPOS_NONE};
	switch (below(g, 4)) {
	case 0:
		move_to(g, REG_TEMP, to, MASK_Y, c);
		c.swizzle = swizzle_replicate((unsigned)below(g, 4));
		move_to(g, REG_TEMP, to, MASK_X, c);
		i.src[0] = whole(REG_TEMP, to);
		i.src[1] = whole(REG_TEXCOORD, from);
		break;
	case 1:
		i.src[0] = whole(REG_TEXCOORD, from);
		i.src[1] = whole(REG_CONST, below(g, g->consts));
		break;
	case 2: {
		struct instr r = {.op = OP_RCP, .at = SRCPOS_NONE};
		r.dst = (struct dst){.file = REG_TEMP, .mask = MASK_W, .masked = true, .index = (int16_t)to, .at = SRCPOS_NONE};
		r.src[0] = c;
		if (g->state >> 16 & 1) { /* a texture projected by a division */
			r.src[0] = whole(REG_TEXCOORD, from);
			r.src[0].swizzle = swizzle_replicate(g->texcoord[from] & MASK_W ? LANE_W : LANE_Y);
		}
		append(g, &r);
		i.op = OP_MAD;
		i.src[0] = whole(REG_TEXCOORD, from);
		i.src[1] = whole(REG_TEMP, to);
		i.src[1].swizzle = swizzle_replicate(LANE_W);
		i.src[2] = whole(REG_CONST, below(g, g->consts));
		break;
	}
	default:
		i.op = OP_MUL;
		i.src[0] = whole(REG_TEXCOORD, from);
		i.src[1] = whole(REG_CONST, below(g, g->consts));
		break;
	}
	i.dst = (struct dst){.file = REG_TEMP, .mask = MASK_XY, .masked = true, .index = (int16_t)to, .at = SRCPOS_NONE};
	append(g, &i);
	int sampler = below(g, g->samplers);
	if (g->p->samplers[sampler] != TEXTURE_2D)
		return;
	struct instr t = {.op = OP_TEXLD, .at = SRCPOS_NONE};
	t.dst = (struct dst){.file = REG_TEMP, .mask = MASK_XYZW, .index = (int16_t)below(g, g->temps), .at = SRCPOS_NONE};
	t.src[0] = whole(REG_TEMP, to);
	t.src[1] = whole(REG_SAMPLER, sampler);
	append(g, &t);
}

/* Returns a t# that may be read, or -1. */
static int some_texcoord(struct gen *g)
{
	int from = below(g, 8), t = -1;
	for (int k = 0; k < 8 && t < 0; k++)
		t = g->texcoord[(from + k) % 8] ? (from + k) % 8 : -1;
	return t;
}

/* Multiplies lanes and adds the products one by one, as a dot product written out. */
static void products(struct gen *g)
{
	int const to = below(g, g->temps), t = some_texcoord(g), full = ready_temp(g, MASK_XYZ);
	struct instr i = {.op = OP_MUL, .at = SRCPOS_NONE};
	i.dst = (struct dst){.file = REG_TEMP, .mask = (lanes)(1 << below(g, LANES)), .masked = true, .index = (int16_t)to, .at = SRCPOS_NONE};
	i.src[0] = t >= 0 && (full < 0 || chance(g, 50)) ? whole(REG_TEXCOORD, t) : full >= 0 ? whole(REG_TEMP, full) : some_register(g);
	i.src[1] = chance(g, 40) ? i.src[0] : some_register(g);
	if (!port_free(&i, 1, &i.src[1]))
		return;
	for (int k = 0, terms = 2 + below(g, LANES - 1); k < terms; k++) {
		bool ready = true;
		unsigned const lane = (unsigned)(chance(g, 90) ? k : below(g, LANES));
		for (unsigned s = 0; s < 2; s++) {
			i.src[s].swizzle = swizzle_replicate(chance(g, 90) ? lane : (unsigned)below(g, LANES));
			ready &= (instr_reads(g->p, &i, s) & (lanes)~readable(g, (enum reg_file)i.src[s].file, i.src[s].index)) == 0;
		}
		if (!ready)
			continue;
		append(g, &i);
		if (!(g->temp[to] & i.dst.mask))
			return; /* no slot was left */
		i.op = OP_MAD;
		i.src[2] = whole(REG_TEMP, to);
		i.src[2].swizzle = swizzle_replicate(first_lane(i.dst.mask));
		i.src[2].negate = chance(g, 8);
	}
}

/* Multiplies a t# by factors and doublings, as textures are modulated. */
static void doublings(struct gen *g)
{
	int const t = some_texcoord(g);
	lanes const mask = t >= 0 ? g->texcoord[t] : MASK_XYZ;
	int from = ready_temp(g, mask);
	for (int k = below(g, 4); k >= 0 && from >= 0; k--) {
		struct instr i = {.op = OP_MUL, .at = SRCPOS_NONE};
		i.dst = (struct dst){.file = REG_TEMP, .mask = mask, .masked = mask != MASK_XYZW, .index = (int16_t)below(g, g->temps), .at = SRCPOS_NONE};
		i.src[0] = i.src[1] = whole(REG_TEMP, from);
		if (k > 0 && chance(g, 60))
			i.op = OP_ADD;
		else
			i.src[1] = k == 0 && t >= 0 ? whole(REG_TEXCOORD, t) : some_register(g);
		if (mask & (lanes)~readable(g, (enum reg_file)i.src[1].file, i.src[1].index))
			continue;
		append(g, &i);
		if ((mask & (lanes)~g->temp[i.dst.index]) == 0)
			from = i.dst.index;
	}
}

/* Decides by a value that is made of constants alone, sometimes combined with another value. */
static void ties(struct gen *g)
{
	static const enum op ways[] = {OP_MOV, OP_RCP, OP_EXP, OP_FRC, OP_ADD, OP_MUL, OP_MAX};
	int const to = below(g, g->temps), other = ready_temp(g, MASK_X), result = below(g, g->temps);
	unsigned const lane = (unsigned)below(g, LANES);
	struct instr i = {.op = (uint8_t)ways[below(g, sizeof ways / sizeof *ways)], .at = SRCPOS_NONE};
	i.dst = (struct dst){.file = REG_TEMP, .mask = (lanes)(1u << lane), .masked = true, .index = (int16_t)to, .at = SRCPOS_NONE};
	i.src[0] = i.src[1] = whole(REG_CONST, below(g, g->consts));
	i.src[0].swizzle = swizzle_replicate((unsigned)below(g, LANES));
	append(g, &i);
	if (!(g->temp[to] >> lane & 1))
		return; /* no slot was left */
	i.op = (uint8_t)(other < 0 || chance(g, 20) ? OP_MOV : chance(g, 70) ? OP_SUB : OP_MUL);
	i.src[0] = whole(REG_TEMP, other < 0 || i.op == OP_MOV ? to : other);
	i.src[0].swizzle = swizzle_replicate(i.src[0].index == to ? lane : LANE_X);
	i.src[1] = whole(REG_TEMP, to);
	i.src[1].swizzle = swizzle_replicate(lane);
	i.dst.index = (int16_t)result;
	i.dst.mask = MASK_XYZW;
	i.dst.masked = false;
	append(g, &i);
	if (g->temp[result] != MASK_XYZW)
		return;
	struct instr decides = {.op = OP_TEXKILL, .at = SRCPOS_NONE, .dst = i.dst};
	decides.src[0] = whole(REG_TEMP, result);
	switch (below(g, 4)) {
	case 0: break;
	case 1: decides.op = OP_FRC; break;
	case 2:
		decides.op = OP_CMP;
		decides.src[1] = whole(REG_TEMP, result);
		decides.src[2] = whole(REG_CONST, below(g, g->consts));
		break;
	default:
		decides.op = OP_TEXLD;
		decides.src[1] = whole(REG_SAMPLER, below(g, g->samplers));
		break;
	}
	append(g, &decides);
}

/* Writes to r#to the .z that a depth texture compares: an interpolated lane, a biased, constant or scaled one, or one divided by w. */
static void depth_lane(struct gen *g, int to, struct src t, lanes has)
{
	struct src const c = one_lane(whole(REG_CONST, below(g, g->consts)), (unsigned)below(g, LANES)), r = whole(REG_TEMP, to);
	struct src const z = one_lane(t, has & MASK_Z ? LANE_Z : LANE_Y);
	struct dst const d = part(REG_TEMP, to, MASK_Z);
	switch (below(g, 5)) {
	case 0: put(g, OP_MOV, d, z, z, z); break;
	case 1: put(g, OP_ADD, d, z, c, c); break;
	case 2: put(g, OP_MOV, d, c, c, c); break;
	case 3: put(g, OP_MUL, d, z, c, c); break;
	default:
		put(g, OP_RCP, part(REG_TEMP, to, MASK_Z), one_lane(t, has & MASK_W ? LANE_W : LANE_X), c, c);
		put(g, OP_MUL, d, z, one_lane(r, LANE_Z), c);
		break;
	}
}

/* Reads a texture without a defined .z, which a depth texture would compare with anything. */
static void shadow_at_no_depth(struct gen *g, int sampler)
{
	int const t = some_texcoord(g);
	if (t >= 0 && (g->texcoord[t] & MASK_XYZ) == MASK_XY)
		put(g, OP_TEXLD, part(REG_TEMP, below(g, g->temps), MASK_XYZW), whole(REG_TEXCOORD, t), whole(REG_SAMPLER, sampler),
		    whole(REG_SAMPLER, sampler));
}

/* Reads a sampler that nothing else reads, as a shadow map: most reads have a .z that was written. */
static void shadows(struct gen *g, int sampler)
{
	if (chance(g, 40))
		shadow_at_no_depth(g, sampler);
	int const to = below(g, g->temps), from = some_texcoord(g);
	lanes const has = from < 0 ? 0 : g->texcoord[from];
	if (!(has & MASK_Y))
		return;
	struct src const t = whole(REG_TEXCOORD, from), s = whole(REG_SAMPLER, sampler);
	struct src at = t;
	lanes made = has;
	if (!(has & MASK_Z) || chance(g, 70)) {
		at = whole(REG_TEMP, to);
		made = MASK_XYZ;
		put(g, chance(g, 50) ? OP_ADD : OP_MUL, part(REG_TEMP, to, MASK_XY), t, whole(REG_CONST, below(g, g->consts)), t);
		depth_lane(g, to, t, has);
		if (has & MASK_W && chance(g, 60)) {
			move_to(g, REG_TEMP, to, MASK_W, t);
			made = MASK_XYZW;
		}
	}
	for (int k = below(g, 3); k >= 0; k--) {
		int const result = below(g, g->temps);
		enum op const op = !(made & MASK_W) || chance(g, 30) ? OP_TEXLD : chance(g, 75) ? OP_TEXLDP : OP_TEXLDB;
		if ((made & (lanes)~readable(g, (enum reg_file)at.file, at.index)))
			return; /* no slot was left */
		put(g, op, part(REG_TEMP, result, MASK_XYZW), at, s, s);
		if (at.file == REG_TEXCOORD || result == to)
			return;
		put(g, OP_ADD, part(REG_TEMP, to, MASK_X), at, whole(REG_CONST, below(g, g->consts)), s);
	}
}

/* Returns a def that sincos does not need, or NULL. */
static struct decl *some_def(struct gen *g)
{
	uint32_t const n = g->p->decls.n, from = n ? (uint32_t)below(g, (int)n) : 0;
	for (uint32_t k = 0; k < n; k++) {
		struct decl *d = &g->p->decls.at[(from + k) % n];
		if (d->kind == DECL_DEF && d->reg.index < SINCOS1)
			return d;
	}
	return NULL;
}

/* Writes literals near the limits of a float, some of which overflow when doubled or multiplied. */
static void far_literals(struct gen *g)
{
	static const float far[] = {3.4e38f, -3.4e38f, 1.2e-38f, -1.2e-38f, 1e-40f, 1e30f, 1e-30f, 0x1p100f, 0x1p-100f, 1e19f, 65536};
	struct decl *d = some_def(g);
	for (unsigned l = 0; d && l < LANES; l++)
		if (chance(g, 60))
			d->value[l] = far[below(g, sizeof far / sizeof *far)];
}

/* Adds a number and subtracts it again, in one piece or in two, sometimes with something in between. */
static void rounding(struct gen *g)
{
	static const float numbers[] = {12582912, 8388608, 49152, 12288, 805306368, 98304};
	struct decl *d = some_def(g);
	int const from = ready_temp(g, MASK_XYZW), t = g->vertex ? -1 : some_texcoord(g), to = below(g, g->temps);
	if (!d || (from < 0 && t < 0))
		return;
	float const number = numbers[below(g, sizeof numbers / sizeof *numbers)];
	bool const parts = chance(g, 30), texcoord = t >= 0 && (from < 0 || chance(g, 60));
	lanes const mask = texcoord ? g->texcoord[t] : MASK_XYZW;
	d->value[0] = number;
	d->value[1] = parts ? -number / 2 : -number;
	d->value[2] = chance(g, 50) ? 16 : 0.25f;
	struct src const c = whole(REG_CONST, d->reg.index), r = whole(REG_TEMP, to), x = texcoord ? whole(REG_TEXCOORD, t) : whole(REG_TEMP, from);
	bool const scaled = chance(g, 50);
	put(g, scaled ? OP_MUL : OP_MOV, part(REG_TEMP, to, mask), x, scaled ? one_lane(c, LANE_Z) : (struct src){0}, (struct src){0});
	put(g, OP_ADD, part(REG_TEMP, to, mask), r, one_lane(c, LANE_X), (struct src){0});
	if (chance(g, 20))
		put(g, OP_ADD, part(REG_TEMP, to, mask), r, x, (struct src){0});
	for (int k = parts ? 2 : 1; k > 0; k--)
		put(g, OP_ADD, part(REG_TEMP, to, mask), r, one_lane(c, LANE_Y), (struct src){0});
}

/* Adds the values of other temporaries to r#, so that less of the program is dead. */
static void gather(struct gen *g, int r)
{
	for (int k = 0; k < g->temps; k++) {
		if (k == r || !g->temp[k] || chance(g, 30))
			continue;
		struct instr i = {.op = OP_MAD, .at = SRCPOS_NONE};
		i.dst = (struct dst){.file = REG_TEMP, .mask = g->temp[k], .masked = g->temp[k] != MASK_XYZW, .index = (int16_t)r, .at = SRCPOS_NONE};
		i.src[0] = whole(REG_TEMP, k);
		i.src[1] = whole(REG_CONST, below(g, g->consts));
		i.src[2] = whole(REG_TEMP, r);
		append(g, &i);
	}
}

static void pixel_output(struct gen *g, int target)
{
	int r = ready_temp(g, MASK_XYZW);
	if (r >= 0 && chance(g, 60))
		gather(g, r);
	if (r < 0) {
		r = below(g, g->temps);
		move_to(g, REG_TEMP, r, MASK_XYZW, whole(REG_CONST, below(g, g->consts)));
	}
	move_to(g, REG_PIXEL_OUT, target, MASK_XYZW, whole(REG_TEMP, r));
}

static void pixel_program(struct gen *g, const lanes texcoords[8], const lanes colours[2])
{
	static const lanes prefixes[] = {MASK_X, MASK_XY, MASK_XYZ, MASK_XYZW};
	g->vertex = false;
	static const uint8_t longer[] = {PS_2_A, PS_2_B, PS_2_X, PS_2_SW};
	g->p->model = chance(g, 5) ? longer[below(g, 4)] : PS_2_0;
	g->consts = chance(g, 25) ? 32 : 2 + below(g, 20);
	g->temps = 1 + below(g, g->p->model != PS_2_0 && chance(g, 50) ? models[g->p->model].temps : 12);
	g->samplers = 1 + below(g, 4);
	for (int t = 0; t < 8; t++) {
		if (!texcoords[t] || chance(g, 8))
			continue;
		lanes mask = texcoords[t] & prefixes[below(g, 4)];
		if (chance(g, 60))
			mask = texcoords[t];
		struct decl *d = declare(g, DECL_PIXEL_INPUT, REG_TEXCOORD, t, mask);
		d->flags = (uint8_t)((chance(g, 8) ? INSTR_CENTROID : 0) | (chance(g, 8) ? INSTR_PP : 0));
		g->texcoord[t] = mask;
	}
	for (int v = 0; v < 2; v++)
		if (colours[v])
			declare(g, DECL_PIXEL_INPUT, REG_INPUT, v, MASK_XYZW), g->colour[v] = MASK_XYZW;
	for (int s = 0; s < g->samplers; s++) {
		enum texture texture = chance(g, 75) ? TEXTURE_2D : chance(g, 50) ? TEXTURE_CUBE : TEXTURE_VOLUME;
		declare(g, DECL_SAMPLER, REG_SAMPLER, s, MASK_XYZW)->texture = (uint8_t)texture;
		g->p->samplers[s] = (uint8_t)texture;
	}
	int const depth = g->state >> 12 & 3 ? -1 : g->samplers; /* in one pair of four */
	if (depth >= 0) {
		declare(g, DECL_SAMPLER, REG_SAMPLER, depth, MASK_XYZW)->texture = TEXTURE_2D;
		g->p->samplers[depth] = TEXTURE_2D;
	}
	if (g->consts > SINCOS2) {
		define_sincos(g);
		g->consts = SINCOS2 + 1;
	}
	define_some(g);
	int chains = chance(g, 60) ? below(g, 5) : 0;
	for (int k = 0; k < chains; k++) {
		address_chain(g);
		body(g, below(g, 4));
	}
	for (int k = g->state >> 20 & 3 ? 0 : 1 + below(g, 3); k > 0; k--) {
		if (chance(g, 60))
			products(g);
		else
			doublings(g);
	}
	if (depth >= 0)
		shadows(g, depth);
	body(g, chance(g, 80) ? below(g, 20) : below(g, 70));
	int targets = chance(g, 85) ? 1 : 1 + below(g, 4);
	if (chance(g, 25))
		ties(g);
	if (chance(g, 12))
		rounding(g);
	if (chance(g, 4))
		far_literals(g);
	for (int t = 0; t < targets; t++) {
		pixel_output(g, t);
		body(g, chance(g, 90) ? 0 : below(g, 3));
	}
	int r = ready_temp(g, MASK_X);
	if (chance(g, 6) && r >= 0) {
		struct src from = whole(REG_TEMP, r);
		from.swizzle = swizzle_replicate(LANE_X);
		move_to(g, REG_DEPTH_OUT, 0, MASK_XYZW, from);
	}
}

struct gen_pair gen_member(struct arena *arena, uint64_t seed, unsigned vs, unsigned ps)
{
	static const lanes prefixes[] = {MASK_X, MASK_XY, MASK_XY, MASK_XY, MASK_XYZ, MASK_XYZW};
	struct gen_pair pair = {arena_zero(arena, sizeof(struct program)), arena_zero(arena, sizeof(struct program))};
	struct gen g = {.arena = arena, .state = seed * UINT64_C(0xd1342543de82ef95) + 1, .p = pair.vs};
	pair.vs->at = pair.ps->at = SRCPOS_NONE;
	lanes texcoords[8] = {0}, colours[2] = {0};
	int used = chance(&g, 80) ? 1 + below(&g, 3) : below(&g, 9);
	for (int t = 0; t < used; t++)
		texcoords[t] = prefixes[below(&g, 6)];
	for (int c = 0; c < 2; c++)
		colours[c] = chance(&g, 10) ? MASK_XYZW : 0;
	g.careless = chance(&g, 4);
	struct gen other = g;
	vertex_program(&g, texcoords, colours);
	struct gen h = {.arena = arena, .state = g.state ^ UINT64_C(0x5555555555555555), .p = pair.ps, .careless = g.careless};
	h.state += ps * UINT64_C(0xaef17502108ef2d9);
	pixel_program(&h, texcoords, colours);
	if (vs) {
		other.state += vs * UINT64_C(0xaef17502108ef2d9);
		other.p = pair.vs = arena_zero(arena, sizeof *pair.vs);
		other.p->at = SRCPOS_NONE;
		vertex_program(&other, texcoords, colours);
	}
	return pair;
}

struct gen_pair gen_pair(struct arena *arena, uint64_t seed)
{
	return gen_member(arena, seed, 0, 0);
}
