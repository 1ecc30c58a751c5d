/* A small code generator, see compiler.h. */
#include "compiler.h"
#include "gen.h"

#include <string.h>

int code_below(struct code *k, int n)
{
	return gen_below(&k->state, n);
}

bool code_chance(struct code *k, int percent)
{
	return code_below(k, 100) < percent;
}

/* --- values ----------------------------------------------------------------------- */

struct value code_value(enum reg_file file, int index, unsigned width)
{
	struct src const s = {.file = (uint8_t)file, .index = (int16_t)index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	struct value const v = {s, width};
	return width == 1 ? code_lane(v, LANE_X) : v;
}

struct value code_lane(struct value v, unsigned lane)
{
	v.src.swizzle = swizzle_replicate(lane);
	v.width = 1;
	return v;
}

struct value code_negated(struct value v)
{
	v.src.negate = !v.src.negate;
	return v;
}

struct value code_new(struct code *k, unsigned width)
{
	int const v = k->values < VALUES - 1 ? k->values++ : VALUES - 1;
	k->width[v] = width;
	return code_value(REG_TEMP, v, width);
}

struct value code_widened(struct code *k, struct value v)
{
	if (v.src.file == REG_TEMP && k->width[v.src.index] == 3 && !v.src.negate) {
		k->width[v.src.index] = LANES;
		return v;
	}
	struct value const wide = code_new(k, LANES);
	code_write(k, OP_MOV, wide.src, MASK_XYZ, v, v, v);
	return wide;
}

static struct decl *new_def(struct code *k, int index)
{
	struct decl *d = &VEC_PUSH(k->arena, &k->p->decls);
	*d = (struct decl){.kind = DECL_DEF, .at = SRCPOS_NONE};
	d->reg = (struct dst){.file = REG_CONST, .mask = MASK_XYZW, .index = (int16_t)index, .at = SRCPOS_NONE};
	return d;
}

/* Returns numbers in neighbouring lanes of one def: where they stand already, or in free lanes of the last def. */
static struct value packed(struct code *k, const float *numbers, unsigned n)
{
	struct decl *d = NULL;
	for (uint32_t at = 0; at < k->p->decls.n; at++) {
		unsigned const taken = at + 1 < k->p->decls.n ? LANES : k->filled;
		d = &k->p->decls.at[at];
		for (unsigned l = 0; l + n <= taken && d->kind == DECL_DEF && (n == 1 || l == 0); l++)
			if (memcmp(d->value + l, numbers, n * sizeof *numbers) == 0)
				return code_lane(code_value(REG_CONST, d->reg.index, n), l);
	}
	if (!d || k->filled + n > LANES || n > 1) {
		d = new_def(k, k->uniforms + k->defs++);
		k->filled = 0;
	}
	memcpy(d->value + k->filled, numbers, n * sizeof *numbers);
	k->filled += n;
	return code_lane(code_value(REG_CONST, d->reg.index, n), k->filled - n);
}

struct value literal(struct code *k, float number)
{
	return packed(k, &number, 1);
}

struct value literal3(struct code *k, float x, float y, float z)
{
	return code_value(REG_CONST, packed(k, (float[]){x, y, z}, 3).src.index, 3);
}

/* --- instructions ----------------------------------------------------------------- */

/* Returns whether the instruction already reads another register of that file, or this one twice. */
static bool port_taken(const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	for (unsigned t = 0; t < s; t++)
		if (src->file != REG_TEMP && i->src[t].file == src->file && i->src[t].index != src->index)
			return true;
	return false;
}

static void push(struct code *k, struct instr i)
{
	if (!k->vertex && !(ops[i.op].flags & (OPF_TEX | OPF_NO_DST)) && code_chance(k, k->short_floats))
		i.flags |= INSTR_PP;
	VEC_PUSH(k->arena, &k->p->instrs) = i;
}

void code_write(struct code *k, enum op op, struct src to, lanes mask, struct value a, struct value b, struct value c)
{
	struct instr i = {.op = (uint8_t)op, .src = {a.src, b.src, c.src}, .at = SRCPOS_NONE};
	unsigned const widths[MAX_SOURCES] = {a.width, b.width, c.width};
	for (unsigned s = 0; s < MAX_SOURCES; s++) {
		if (s >= ops[op].sources)
			i.src[s] = (struct src){0};
		else if (port_taken(&i, s))
			i.src[s] = code_1(k, OP_MOV, widths[s], (struct value){i.src[s], widths[s]}).src;
	}
	i.dst = (struct dst){.file = to.file, .index = to.index, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE};
	push(k, i);
}

void code_output(struct code *k, enum op op, enum reg_file file, int index, lanes mask, struct value a, struct value b, struct value c)
{
	code_write(k, op, code_value(file, index, LANES).src, mask, a, b, c);
}

struct value code_3(struct code *k, enum op op, unsigned width, struct value a, struct value b, struct value c)
{
	struct value const v = code_new(k, width);
	code_write(k, op, v.src, (lanes)((1u << width) - 1), a, b, c);
	return v;
}

struct value code_2(struct code *k, enum op op, unsigned width, struct value a, struct value b)
{
	return code_3(k, op, width, a, b, b);
}

struct value code_1(struct code *k, enum op op, unsigned width, struct value a)
{
	return code_3(k, op, width, a, a, a);
}

void code_saturate(struct code *k)
{
	k->p->instrs.at[k->p->instrs.n - 1].flags |= INSTR_SAT;
}

struct value code_sample(struct code *k, enum op op, int sampler, struct value at)
{
	return code_2(k, op, LANES, at, code_value(REG_SAMPLER, sampler, LANES));
}

void code_kill(struct code *k, struct value v)
{
	push(k, (struct instr){.op = OP_TEXKILL, .src = {v.src}, .dst = {.at = SRCPOS_NONE}, .at = SRCPOS_NONE});
}

/* --- what is dead, and order ------------------------------------------------------ */

static bool writes_value(const struct instr *i)
{
	return !(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP;
}

static bool reads_value(const struct instr *i, int value)
{
	for (unsigned s = 0; s < ops[i->op].sources; s++)
		if (i->src[s].file == REG_TEMP && i->src[s].index == value)
			return true;
	return false;
}

static void drop_dead(struct code *k)
{
	bool live[VALUES] = {false};
	uint32_t const n = k->p->instrs.n;
	uint32_t kept = n;
	for (uint32_t at = n; at-- > 0;) {
		struct instr const i = k->p->instrs.at[at];
		if (writes_value(&i) && !live[i.dst.index])
			continue;
		for (unsigned s = 0; s < ops[i.op].sources; s++)
			if (i.src[s].file == REG_TEMP)
				live[i.src[s].index] = true;
		k->p->instrs.at[--kept] = i;
	}
	memmove(k->p->instrs.at, k->p->instrs.at + kept, (n - kept) * sizeof *k->p->instrs.at);
	k->p->instrs.n = n - kept;
}

static bool may_swap(const struct instr *a, const struct instr *b)
{
	bool const apart = !writes_value(a) || (!reads_value(b, a->dst.index) && !(writes_value(b) && a->dst.index == b->dst.index));
	bool const outputs = !writes_value(a) && !writes_value(b);
	return apart && !outputs && !(writes_value(b) && reads_value(a, b->dst.index));
}

/* Moves texture reads up, to hide their latency, and other instructions a little. */
static void shuffle(struct code *k)
{
	uint32_t const n = k->p->instrs.n;
	bool const textures_first = code_chance(k, 50);
	for (uint32_t turn = 0; n > 1 && turn < 3 * n; turn++) {
		uint32_t const at = (uint32_t)code_below(k, (int)n - 1);
		struct instr *i = &k->p->instrs.at[at];
		bool const texture = ops[i[1].op].flags & OPF_TEX && !(ops[i[0].op].flags & OPF_TEX);
		if (!may_swap(&i[0], &i[1]) || !(textures_first ? texture : code_chance(k, 20)))
			continue;
		struct instr const first = i[0];
		i[0] = i[1];
		i[1] = first;
	}
}

/* --- registers -------------------------------------------------------------------- */

struct seat {
	int reg; /* -1 until it has one */
	unsigned lane;
};

struct allotment {
	struct seat seat[VALUES];
	uint32_t last[VALUES];       /* the last instruction that reads it */
	int holds[32][LANES];        /* the value in a lane, or -1 if it is free */
	int temps;
};

/* Allocates a register: a scalar takes a free lane, from x or from w; a vector starts at x. */
static bool give_register(struct allotment *a, struct code *k, int value)
{
	unsigned const width = k->width[value];
	bool const from_w = width == 1 && code_chance(k, 30);
	for (int r = 0; r < a->temps; r++)
		for (unsigned turn = 0; turn < (width == 1 ? LANES : 1); turn++) {
			unsigned const lane = from_w ? LANE_W - turn : turn;
			bool free = true;
			for (unsigned l = lane; l < lane + width; l++)
				free &= a->holds[r][l] < 0;
			if (!free)
				continue;
			for (unsigned l = lane; l < lane + width; l++)
				a->holds[r][l] = value;
			a->seat[value] = (struct seat){r, lane};
			return true;
		}
	return false;
}

static void release(struct allotment *a, uint32_t at)
{
	for (int r = 0; r < a->temps; r++)
		for (unsigned l = 0; l < LANES; l++)
			if (a->holds[r][l] >= 0 && a->last[a->holds[r][l]] <= at)
				a->holds[r][l] = -1;
}

/* Renames an operand; a scalar read in the lane that is written gets no swizzle. */
static void place_source(const struct allotment *a, const struct code *k, const struct instr *i, struct src *src)
{
	if (src->file == REG_TEMP) {
		struct seat const at = a->seat[src->index];
		if (k->width[src->index] == 1)
			src->swizzle = swizzle_replicate(at.lane);
		src->index = (int16_t)at.reg;
	}
	bool const alone = !(i->dst.mask & (i->dst.mask - 1));
	if (ops[i->op].shape == SHAPE_LANES && alone && src->swizzle == swizzle_replicate(first_lane(i->dst.mask)))
		src->swizzle = SWIZZLE_XYZW;
}

/* Returns whether the opcode's destination must differ from its sources. */
static bool keeps_sources(const struct instr *i)
{
	return i->op == OP_NRM || i->op == OP_POW || i->op == OP_CRS || ops[i->op].shape == SHAPE_MATRIX;
}

static bool give_registers(struct code *k, int temps)
{
	struct allotment *a = arena_zero(k->arena, sizeof *a);
	a->temps = temps;
	for (int v = 0; v < VALUES; v++)
		a->seat[v].reg = -1;
	memset(a->holds, -1, sizeof a->holds);
	for (uint32_t at = 0; at < k->p->instrs.n; at++)
		for (int v = 0; v < k->values; v++)
			if (reads_value(&k->p->instrs.at[at], v))
				a->last[v] = at;
	for (uint32_t at = 0; at < k->p->instrs.n; at++) {
		struct instr *i = &k->p->instrs.at[at];
		if (!keeps_sources(i))
			release(a, at);
		int const value = writes_value(i) ? i->dst.index : -1;
		if (value >= 0 && a->seat[value].reg < 0 && !give_register(a, k, value))
			return false;
		release(a, at);
		if (value >= 0) {
			i->dst.index = (int16_t)a->seat[value].reg;
			i->dst.mask = (lanes)(i->dst.mask << a->seat[value].lane);
		}
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			place_source(a, k, i, &i->src[s]);
	}
	return true;
}

bool code_finish(struct code *k, int temps)
{
	drop_dead(k);
	shuffle(k);
	return k->values < VALUES - 1 && give_registers(k, temps);
}
