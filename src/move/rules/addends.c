/* Products and sums as mad, see addends.h.  requires: a checked program; builds: a program. */
#include "move/rules/addends.h"

#include "move/graph/registers.h"
#include "move/cover/tidy.h"

#include <string.h>

/* Does a product that operand `s` of instruction k reads read another register of the file of `with`?  Quickly, and not quite. */
static bool clashes(const struct program *p, uint32_t k, unsigned s, const struct src *with)
{
	const struct src *src = &p->instrs.at[k].src[s];
	if (src->file != REG_TEMP || (with->file != REG_CONST && with->file != REG_TEXCOORD))
		return false;
	lanes const read = instr_reads(p, &p->instrs.at[k], s);
	uint32_t j = k;
	while (j > 0 && !(flow_clobbers(&p->instrs.at[j - 1], src->index) & read))
		j--;
	const struct instr *product = j > 0 ? &p->instrs.at[j - 1] : NULL;
	bool clash = false;
	for (unsigned f = 0; product && product->op == OP_MUL && f < 2; f++)
		clash |= product->src[f].file == with->file && product->src[f].index != with->index;
	return clash;
}

static int unused_temp(const struct program *p)
{
	int reg = WAY_TEMPS - 1;
	while (reg >= 0 && tidy_uses_temp(p, reg))
		reg--;
	return reg;
}

/* mul and add that are no mad because each reads a constant, or a t#: the sum's comes by a mov, which can leave. */
static bool fuse(struct tidy *t, uint32_t k, unsigned s, bool drop_in)
{
	struct program *p = t->p;
	struct src const added = p->instrs.at[k].src[1 - s];
	if (added.file == REG_CONST && drop_in && !program_decl(p, REG_CONST, added.index))
		return false;
	int const reg = unused_temp(p);
	if (reg < 0)
		return false;
	struct instr mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .index = (int16_t)reg, .at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	mov.src[0] = (struct src){.file = added.file, .index = added.index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	tidy_mask(&mov, instr_reads(p, &p->instrs.at[k], 1 - s));
	p->instrs.at[k].src[1 - s].file = REG_TEMP;
	p->instrs.at[k].src[1 - s].index = (int16_t)reg;
	t->flow = flow_find(t->arena, p);
	t->stale = false;
	if (!tidy_fuse(t, k, s)) {
		p->instrs.at[k].src[1 - s] = added;
		return false;
	}
	k--; /* the product is gone */
	(void)VEC_PUSH(t->arena, &p->instrs);
	memmove(&p->instrs.at[k + 1], &p->instrs.at[k], (p->instrs.n - 1 - k) * sizeof *p->instrs.at);
	p->instrs.at[k] = mov;
	return true;
}

struct program *gather_addends(struct arena *arena, const struct program *ps, bool drop_in)
{
	struct tidy t = {.arena = arena};
	bool changed = false;
	for (uint32_t k = 1; k < (t.p ? t.p : ps)->instrs.n; k++) {
		const struct program *now = t.p ? t.p : ps;
		const struct instr *sum = &now->instrs.at[k];
		for (unsigned s = 0; (sum->op == OP_ADD || sum->op == OP_SUB) && s < 2; s++) {
			if (!clashes(now, k, s, &sum->src[1 - s]))
				continue;
			if (!t.p) {
				t.p = program_copy(arena, ps);
				for (uint32_t n = 0; n < ps->instrs.n; n++)
					t.p->instrs.at[n].at = n;
			}
			changed |= fuse(&t, k, s, drop_in);
			break;
		}
	}
	return changed ? t.p : NULL;
}
