/* Removes dead instructions and dead mask lanes from a program with any r# below MOST_REGS, see registers.h. */
#include "move/graph/flow.h"
#include "move/graph/registers.h"

#include <string.h>

bool regs_remove_dead(struct arena *a, struct program *p)
{
	lanes *need = arena_zero(a, MOST_REGS);
	bool address = false, changed = false;
	struct instr *kept = p->instrs.at + p->instrs.n;
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		struct instr *i = &p->instrs.at[k];
		lanes wanted = instr_writes(i);
		if (i->op == OP_NOP) {
			wanted = 0;
		} else if (!(ops[i->op].flags & OPF_NO_DST)) {
			if (i->dst.file == REG_TEMP)
				wanted &= need[i->dst.index];
			else if (i->dst.file == REG_ADDRESS)
				wanted = address ? wanted : 0;
		}
		if (op_is_region(i->op))
			wanted = instr_writes(i);
		if (!wanted && !instr_acts(i)) {
			changed = true;
			continue;
		}
		if (wanted != instr_writes(i) && !mask_is_fixed(p, i)) {
			instr_set_mask(i, wanted);
			changed = true;
		}
		if (instr_writes(i) && i->dst.file == REG_TEMP)
			need[i->dst.index] &= (lanes)~i->dst.mask;
		EACH_SOURCE(s, i) {
			address |= i->src[s].relative != 0;
			if (i->src[s].file != REG_TEMP)
				continue;
			for (unsigned row = 0; row < instr_rows(i, s); row++)
				need[i->src[s].index + (int)row] |= instr_reads(p, i, s);
		}
		*--kept = *i;
	}
	uint32_t n = (uint32_t)(p->instrs.at + p->instrs.n - kept);
	memmove(p->instrs.at, kept, n * sizeof *kept);
	p->instrs.n = n;
	return changed;
}
