/* Which samplers may have textures of depths: see verify.h. */
#include "verify/machine.h"

enum { TEXCOORDS = MACHINE_CARRIERS - MACHINE_COLOURS };

/* Lanes of registers. */
struct lanes_of {
	lanes temp[MACHINE_TEMPS], texcoord[TEXCOORDS];
};

/* The lanes of t# that arrive: written by the one program, declared by the other. */
static void find_carried(struct pair pair, struct lanes_of *written)
{
	for (int t = 0; t < TEXCOORDS; t++) {
		const struct decl *d = program_decl(pair.ps, REG_TEXCOORD, t);
		for (uint32_t k = 0; d && k < pair.vs->instrs.n; k++) {
			const struct instr *i = &pair.vs->instrs.at[k];
			if (i->dst.file == REG_TEX_OUT && i->dst.index == t)
				written->texcoord[t] |= d->reg.mask & instr_writes(i);
		}
	}
}

/* The sampler of a 2D read, as a bit; else 0. */
static unsigned plane_sampler(const struct program *ps, const struct instr *i)
{
	if (i->op != OP_TEXLD && i->op != OP_TEXLDB && i->op != OP_TEXLDP)
		return 0;
	return ps->samplers[i->src[1].index] == TEXTURE_2D ? 1u << i->src[1].index : 0;
}

/* Of each instruction, forwards: is it a 2D read with a .z that was written? */
static bool *find_depths(struct arena *arena, struct pair pair)
{
	bool *depth = arena_zero(arena, pair.ps->instrs.n + 1);
	struct lanes_of written = {{0}, {0}};
	find_carried(pair, &written);
	for (uint32_t k = 0; k < pair.ps->instrs.n; k++) {
		const struct instr *i = &pair.ps->instrs.at[k];
		const struct src *at = &i->src[0];
		if (plane_sampler(pair.ps, i) && (at->file == REG_TEMP || at->file == REG_TEXCOORD))
			depth[k] = (at->file == REG_TEMP ? written.temp : written.texcoord)[at->index] >> swizzle_lane(at->swizzle, LANE_Z) & 1;
		if (i->dst.file != REG_TEMP)
			continue;
		if (i->op == OP_SINCOS) /* it clobbers the lanes of xyz that it is not asked for */
			written.temp[i->dst.index] &= MASK_W;
		written.temp[i->dst.index] |= instr_writes(i);
	}
	return depth;
}

/* Backwards, past what comes to nothing. */
unsigned depth_samplers(struct arena *arena, struct pair pair, unsigned plain)
{
	const bool *depth = find_depths(arena, pair);
	lanes wanted[MACHINE_TEMPS] = {0};
	unsigned with = 0, without = plain;
	for (uint32_t k = pair.ps->instrs.n; k-- > 0;) {
		const struct instr *i = &pair.ps->instrs.at[k];
		lanes writes = instr_writes(i);
		if (i->dst.file == REG_TEMP && writes) {
			bool dead = !(wanted[i->dst.index] & writes);
			wanted[i->dst.index] &= (lanes)~writes;
			if (dead)
				continue;
		}
		unsigned sampler = plane_sampler(pair.ps, i);
		*(depth[k] ? &with : &without) |= sampler;
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				wanted[i->src[s].index + (int)row] |=
					(lanes)(instr_reads(pair.ps, i, s) | (sampler ? 1u << swizzle_lane(i->src[s].swizzle, LANE_Z) : 0));
	}
	return with & ~without;
}
