/* Removes dead instructions and dead lanes in one walk backwards, which tracks the lanes that are live. */
#include "move/cover/tidy.h"

#include <string.h>

enum { COLOURS = 2 };

/* The lanes of each register that are live after the current instruction. */
struct wanted {
	lanes reg[FLOW_ALL]; /* indexed by flow_reg() */
};

/* Sets *w to the lanes that are live at the end of the program. */
static void find_live_outputs(const struct tidy *t, struct wanted *w)
{
	lanes below = 0; /* x if a higher oT# is live, since all lower oT# must be written then, too; else no lanes */
	memset(w->reg, 0, sizeof w->reg);
	memset(&w->reg[MODEL_TEMPS], MASK_XYZW, FLOW_REGS - MODEL_TEMPS);
	w->reg[flow_reg(REG_ADDRESS, 0)] = 0;
	for (int n = MOST_TEXCOORDS; t->read && n-- > 0;) {
		/* The masks written to one oT must join to .x, .xy, .xyz or .xyzw. */
		lanes const read = lanes_up_to(t->read->texcoord[n]);
		below = read ? MASK_X : below;
		w->reg[flow_reg(REG_TEX_OUT, n)] = read ? read : below;
	}
	for (int n = 0; t->read && n < COLOURS; n++)
		w->reg[flow_reg(REG_COLOUR_OUT, n)] = t->read->colour[n];
}

/* If instruction k is a matrix product, such as m4x4, of which not all lanes are live, replaces it by a dot product for each live lane.  Returns
 * false if it is not. */
static bool split_matrix(struct tidy *t, uint32_t k, lanes needed)
{
	struct program *p = t->p;
	struct instr whole = p->instrs.at[k];
	if (ops[whole.op].shape != SHAPE_MATRIX || (needed & whole.dst.mask) == whole.dst.mask)
		return false;
	uint32_t more = 0;
	for (unsigned lane = 0; lane < LANES; lane++)
		more += needed >> lane & 1;
	for (uint32_t n = 1; n < more; n++)
		(void)VEC_PUSH(t->arena, &p->instrs);
	memmove(&p->instrs.at[k + more], &p->instrs.at[k + 1], (p->instrs.n - k - more) * sizeof *p->instrs.at);
	EACH_LANE(lane, needed) {
		struct instr *row = &p->instrs.at[k++];
		*row = matrix_row(&whole, lane);
		whole.comments = NULL;
		whole.blank = false;
	}
	return true;
}

static void want_sources(const struct program *p, const struct instr *i, struct wanted *w)
{
	EACH_SOURCE(s, i) {
		lanes read = instr_reads(p, i, s);
		for (int row = 0; i->src[s].file == REG_TEMP && row < (int)instr_rows(i, s); row++)
			w->reg[flow_reg(REG_TEMP, i->src[s].index + row)] |= read;
		if (i->src[s].relative)
			w->reg[flow_reg(REG_ADDRESS, 0)] |= (lanes)(1u << (i->src[s].relative - 1));
	}
}

/* Narrows the mask of instruction `k` to its live lanes, and marks the lanes that it reads as live.  Returns true if the mask changed. */
static bool narrow_mask(struct tidy *t, uint32_t k, struct wanted *w)
{
	struct instr *i = &t->p->instrs.at[k];
	lanes const written = instr_writes(i);
	bool changed = false;
	if (written) {
		lanes *const wanted = &w->reg[flow_reg((enum reg_file)i->dst.file, i->dst.index)], least = least_mask(t->p, i, *wanted & written);
		*wanted &= (lanes)~written;
		changed = least != written && least != i->dst.mask;
		if (changed)
			instr_set_mask(i, least);
	}
	want_sources(t->p, i, w);
	return changed;
}

bool tidy_dead(struct tidy *t)
{
	struct program *p = t->p;
	struct wanted w;
	bool changed = false;
	t->settled = true;
	find_live_outputs(t, &w);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		struct instr *i = &p->instrs.at[k];
		lanes written = instr_writes(i);
		lanes needed = written ? w.reg[flow_reg((enum reg_file)i->dst.file, i->dst.index)] & written : 0;
		if (i->op == OP_NOP || (written && !needed && !instr_acts(i))) {
			tidy_remove(t, k);
			changed = true;
		} else if (written && split_matrix(t, k, needed)) {
			changed = true;
			t->settled = false;
			break; /* ends the walk here: the next run of this pass looks at the dot products */
		} else {
			changed |= narrow_mask(t, k, &w);
		}
	}
	t->stale |= changed;
	return changed;
}
