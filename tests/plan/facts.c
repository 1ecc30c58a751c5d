/* Computes the values of the program lane by lane, and which of its pixel lanes reach an output. */
#include "exhaustive.h"

#include <limits.h>
#include <string.h>

static number dot(struct numbers *t, const number *a, const number *b, unsigned n)
{
	number s = number_product(t, a[0], b[0]);
	for (unsigned i = 1; i < n; i++)
		s = number_sum(t, s, number_product(t, a[i], b[i]));
	return s;
}

static number result(struct facts *f, struct numbers *t, const struct instr *i, number (*s)[LANES], unsigned lane)
{
	number a = s[0][lane], b = s[1][lane], c = s[2][lane];
	switch ((int)i->op) {
	case OP_MOV: return a;
	case OP_ADD: return number_sum(t, a, b);
	case OP_SUB: return number_sum(t, a, number_minus(t, b));
	case OP_MUL: return number_product(t, a, b);
	case OP_MAD: return number_sum(t, number_product(t, a, b), c);
	case OP_LRP: return number_sum(t, number_product(t, a, number_sum(t, b, number_minus(t, c))), c);
	case OP_DP3: return dot(t, s[0], s[1], 3);
	case OP_DP4: return dot(t, s[0], s[1], 4);
	case OP_DP2ADD: return number_sum(t, dot(t, s[0], s[1], 2), s[2][0]);
	case OP_CRS: {
		unsigned p = (lane + 1) % 3, q = (lane + 2) % 3;
		return number_sum(t, number_product(t, s[0][p], s[1][q]), number_minus(t, number_product(t, s[0][q], s[1][p])));
	}
	case OP_ABS: case OP_CMP: case OP_MAX: case OP_MIN: case OP_FRC: return number_function(t, (enum op)i->op, a, b, c);
	case OP_RCP: case OP_RSQ: case OP_EXP: case OP_LOG: case OP_POW:
		return number_function(t, (enum op)i->op, s[0][0], s[1][0], PIXEL);
	case OP_NRM:
		return number_product(t, a, number_function(t, OP_RSQ, dot(t, s[0], s[0], 3), PIXEL, PIXEL));
	case OP_M3X2: case OP_M3X3: case OP_M3X4: case OP_M4X3: case OP_M4X4: {
		number row[LANES];
		for (unsigned l = 0; l < LANES; l++)
			row[l] = number_constant(t, f->ps, i->src[1].index + (int)lane, swizzle_lane(i->src[1].swizzle, l));
		return dot(t, s[0], row, i->op == OP_M4X4 || i->op == OP_M4X3 ? 4 : 3);
	}
	default: return PIXEL; /* sincos, texture reads */
	}
}

bool facts_output(const struct instr *i)
{
	return i->op == OP_TEXKILL || (instr_writes(i) && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT));
}

/* Returns the lanes that count: nrm divides by the length of the lanes that it writes, at least on Wine. */
lanes facts_whole(const struct instr *i, lanes wanted)
{
	return ops[i->op].flags & OPF_TEX || ops[i->op].shape == SHAPE_MATRIX || i->op == OP_NRM || facts_output(i)
	               ? instr_writes(i)
	               : wanted;
}

/* Reads the lanes of one operand.  Returns false if one of them was never written. */
static bool read_operand(struct facts *f, struct numbers *t, unsigned k, unsigned s, number (*reg)[LANES], int (*def)[LANES])
{
	const struct instr *i = &f->ps->instrs.at[k];
	const struct src *src = &i->src[s];
	lanes read = src->file == REG_SAMPLER ? 0 : instr_operand_lanes(f->ps, i, s, instr_writes(i));
	for (unsigned p = 0; p < LANES; p++) {
		f->use[k][s][p] = PIXEL;
		f->def[k][s][p] = -1;
		if (!(read >> p & 1))
			continue;
		unsigned lane = swizzle_lane(src->swizzle, p);
		number n = PIXEL;
		if (src->file == REG_TEMP) {
			n = reg[src->index][lane];
			f->def[k][s][p] = def[src->index][lane];
			if (def[src->index][lane] < 0)
				return false;
		} else if (src->file == REG_TEXCOORD) {
			n = f->input[src->index][lane];
			if (n == PIXEL)
				return false; /* no instruction wrote it */
		} else if (src->file == REG_CONST) {
			n = number_constant(t, f->ps, src->index, lane);
		}
		f->use[k][s][p] = src->negate ? number_minus(t, n) : n;
	}
	return true;
}

static void find_live_pixels(struct facts *f)
{
	for (unsigned k = f->n; k-- > 0;) {
		const struct instr *i = &f->ps->instrs.at[k];
		if (!f->pixel[k] && !facts_output(i))
			continue;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			if (i->src[s].file != REG_TEMP)
				continue;
			lanes read = instr_operand_lanes(f->ps, i, s, facts_whole(i, f->pixel[k]));
			for (unsigned p = 0; p < LANES; p++)
				if (read >> p & 1 && f->use[k][s][p] == PIXEL)
					f->pixel[f->def[k][s][p]] |= (lanes)(1u << swizzle_lane(i->src[s].swizzle, p));
		}
	}
}

bool facts_find(struct facts *f, struct numbers *t, const struct program *vs, const struct program *ps)
{
	number reg[12][LANES];
	int def[12][LANES];
	memset(def, 0xff, sizeof def);
	memset(f, 0, sizeof *f);
	f->ps = ps;
	f->n = ps->instrs.n;
	if (f->n > MOST_INSTRS)
		return false;
	number_literal(t, 0);
	number_literal(t, 1);
	vertex_inputs(t, vs, ps, f->input);
	for (unsigned k = 0; k < f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		if (ops[i->op].shape == SHAPE_MATRIX && i->src[1].file != REG_CONST)
			return false;
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (!read_operand(f, t, k, s, reg, def))
				return false;
		for (unsigned lane = 0; lane < LANES; lane++) {
			f->value[k][lane] = PIXEL;
			if (!(instr_writes(i) >> lane & 1) || i->dst.file != REG_TEMP)
				continue;
			number n = result(f, t, i, f->use[k], lane);
			f->value[k][lane] = n != PIXEL && i->flags & INSTR_SAT ? number_saturated(t, n) : n;
		}
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (instr_writes(i) >> lane & 1 && i->dst.file == REG_TEMP) {
				reg[i->dst.index][lane] = f->value[k][lane];
				def[i->dst.index][lane] = (int)k;
			}
		}
	}
	find_live_pixels(f);
	return !t->full && !t->cancels;
}

unsigned brute_lanes(struct arena *arena, const struct program *vs, const struct program *ps)
{
	struct facts *f = arena_alloc(arena, sizeof *f);
	struct numbers *t = arena_zero(arena, sizeof *t);
	if (!facts_find(f, t, vs, ps))
		return UINT_MAX;
	unsigned n = 0;
	for (unsigned k = 0; k < f->n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			n += instr_writes(&ps->instrs.at[k]) >> lane & 1 && f->value[k][lane] != PIXEL;
	return n;
}
