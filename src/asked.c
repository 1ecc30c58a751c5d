/* Follows through a VP what it makes of the constants that the application is to set for it, see asked.h. */
#include "asked.h"

enum { TEMPS = 32, MOST_FOLLOWED = 64 };

/* A bit for each of the result's constants, in their order. */
typedef uint64_t const_bits;

struct follower {
	const struct move_result *moved;
	const_bits temp[TEMPS][LANES], out[MOST_TEX_OUTS][LANES];
};

static const_bits read_lane(const struct follower *f, const struct src *s, int row, unsigned lane)
{
	const_bits bits = 0;
	if (s->file == REG_TEMP && s->index + row < TEMPS)
		return f->temp[s->index + row][lane];
	for (uint32_t c = 0; s->file == REG_CONST && !s->relative && c < f->moved->consts.n && c < MOST_FOLLOWED; c++)
		if (f->moved->consts.at[c].vs == s->index + row)
			bits |= (const_bits)1 << c;
	return bits;
}

static const_bits result_lane(const struct follower *f, const struct instr *i, unsigned lane)
{
	const_bits bits = 0;
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes const read = instr_operand_lanes(f->moved->vs, i, s, (lanes)(1u << lane));
		for (unsigned p = 0; p < LANES; p++)
			for (unsigned row = 0; read >> p & 1 && row < instr_rows(i, s); row++)
				bits |= read_lane(f, &i->src[s], (int)row, swizzle_lane(i->src[s].swizzle, p));
	}
	return bits;
}

static void follow(struct follower *f)
{
	for (uint32_t k = 0; k < f->moved->vs->instrs.n; k++) {
		const struct instr *i = &f->moved->vs->instrs.at[k];
		const_bits to[LANES];
		for (unsigned lane = 0; lane < LANES; lane++)
			to[lane] = instr_writes(i) >> lane & 1 ? result_lane(f, i, lane) : 0;
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(instr_writes(i) >> lane & 1))
				continue;
			if (i->dst.file == REG_TEMP && i->dst.index < TEMPS)
				f->temp[i->dst.index][lane] = to[lane];
			else if (i->dst.file == REG_TEX_OUT && i->dst.index < MOST_TEX_OUTS)
				f->out[i->dst.index][lane] = to[lane];
		}
	}
}

struct register_set asked_for_little(const struct move_result *moved)
{
	struct follower f = {.moved = moved};
	struct register_set set = {{0}};
	const_bits little = 0, much = 0;
	if (!moved->consts.n)
		return set;
	follow(&f);
	for (uint32_t k = 0; k < moved->ps->instrs.n; k++) {
		const struct instr *i = &moved->ps->instrs.at[k];
		bool const places = i->op == OP_MOV && i->dst.file == REG_TEMP;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			lanes const read = i->src[s].file == REG_TEXCOORD && i->src[s].index < MOST_TEX_OUTS ? instr_reads(moved->ps, i, s) : 0;
			for (unsigned lane = 0; lane < LANES; lane++)
				*(places ? &little : &much) |= read >> lane & 1 ? f.out[i->src[s].index][lane] : 0;
		}
	}
	for (uint32_t c = 0; c < moved->consts.n && c < MOST_FOLLOWED; c++)
		if ((little & ~much) >> c & 1)
			register_put_in(&set, moved->consts.at[c].ps);
	return set;
}
