/* Finds the values that the VP writes to the interpolators, for the programs that generate.c makes: inputs of the FP that are equal,
 * or affine in each other, are so at every point. */
#include "exhaustive.h"

#include <string.h>

static number read_lane(struct numbers *t, const struct program *vs, const struct src *s, unsigned p, number (*temp)[LANES])
{
	unsigned lane = swizzle_lane(s->swizzle, p);
	number n = s->file == REG_TEMP ? temp[s->index][lane]
	           : s->file == REG_CONST && program_decl(vs, REG_CONST, s->index)
	                   ? number_constant(t, vs, s->index, lane)
	                   : number_unknown(t, (unsigned)s->file * 1000 + (unsigned)s->index * LANES + lane);
	return s->negate ? number_minus(t, n) : n;
}

void vertex_inputs(struct numbers *t, const struct program *vs, const struct program *ps, number input[8][LANES])
{
	number temp[12][LANES];
	memset(temp, 0xff, sizeof temp);
	memset(input, 0xff, 8 * sizeof *input);
	for (unsigned k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		number to[LANES] = {PIXEL, PIXEL, PIXEL, PIXEL};
		for (unsigned lane = 0; lane < LANES; lane++) {
			number s[MAX_SOURCES] = {PIXEL, PIXEL, PIXEL};
			for (unsigned o = 0; o < ops[i->op].sources; o++)
				s[o] = read_lane(t, vs, &i->src[o], lane, temp);
			switch ((int)i->op) {
			case OP_MOV: to[lane] = s[0]; break;
			case OP_ADD: to[lane] = number_sum(t, s[0], s[1]); break;
			case OP_MUL: to[lane] = number_product(t, s[0], s[1]); break;
			case OP_MAD: to[lane] = number_sum(t, number_product(t, s[0], s[1]), s[2]); break;
			default: to[lane] = number_unknown(t, 100000 + k * LANES + lane); break;
			}
		}
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(instr_writes(i) >> lane & 1))
				continue;
			if (i->dst.file == REG_TEMP)
				temp[i->dst.index][lane] = to[lane];
			if (i->dst.file == REG_TEX_OUT) {
				const struct decl *d = program_decl(ps, REG_TEXCOORD, i->dst.index);
				input[i->dst.index][lane] = number_of_kind(t, to[lane], d ? d->flags : 0);
			}
		}
	}
}
