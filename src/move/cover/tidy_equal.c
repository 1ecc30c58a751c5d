/* What was computed before is copied. */
#include "move/cover/tidy.h"

#include <string.h>

/* The flow_reads of instruction `k`, operand `s`, all of the same definitions as those of `j`? */
static bool reads_agree(const struct flow *f, uint32_t k, uint32_t j)
{
	uint32_t a = f->first[k], b = f->first[j];
	if (f->first[k + 1] - a != f->first[j + 1] - b)
		return false;
	for (; a < f->first[k + 1]; a++, b++) {
		const struct flow_read *x = &f->read[a], *y = &f->read[b];
		if (x->def != y->def || x->source != y->source || x->file != y->file || x->index != y->index ||
		    x->lane != y->lane || x->from != y->from || x->def == FLOW_UNWRITTEN)
			return false;
	}
	return true;
}

/* Returns true if each operand that reads what instruction `k` writes reads nothing else, so that a copy in its place can go. */
static bool has_whole_readers(const struct flow *f, uint32_t k)
{
	for (uint32_t n = k + 1; n < f->program->instrs.n; n++)
		for (uint32_t r = f->first[n]; r < f->first[n + 1]; r++)
			if (f->read[r].def == k && flow_sole_def(f, n, f->read[r].source) != k)
				return false;
	return true;
}

/* Turns instruction k into a mov from the register of the earlier j that computes the same. */
static bool reuse(struct tidy *t, uint32_t k, uint32_t j)
{
	struct program *p = t->p;
	const struct instr *later = &p->instrs.at[k], *earlier = &p->instrs.at[j];
	if (later->op != earlier->op || later->flags != earlier->flags || earlier->dst.file != REG_TEMP ||
	    !tidy_operands_agree(later, earlier) || !reads_agree(tidy_flow(t), k, j) || !has_whole_readers(tidy_flow(t), k))
		return false;
	lanes mask = later->dst.mask, source = mask;
	unsigned from[LANES] = {0, 1, 2, 3};
	if (tidy_is_uniform(later)) {
		unsigned const lane = first_lane(earlier->dst.mask);
		for (unsigned l = 0; l < LANES; l++)
			from[l] = lane;
		source = (lanes)(1u << lane);
	} else if (mask & ~earlier->dst.mask) {
		return false;
	}
	if (!flow_keeps(p, earlier->dst.index, source, j + 1, k))
		return false;
	struct instr mov = *later;
	mov.op = OP_MOV;
	mov.flags = 0;
	memset(mov.src, 0, sizeof mov.src);
	mov.src[0] = (struct src){.file = REG_TEMP, .index = earlier->dst.index, .at = SRCPOS_NONE};
	return tidy_swizzle(t, &mov, 0, from, mask, &mov.src[0].swizzle) && tidy_replace(t, k, &mov);
}

bool tidy_equal(struct tidy *t)
{
	struct program *p = t->p;
	bool changed = false;
	for (uint32_t k = 1; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (!instr_writes(i) || i->op == OP_MOV || i->dst.file == REG_ADDRESS ||
		    i->op == OP_SGN || i->op == OP_SINCOS)
			continue;
		for (uint32_t j = 0; j < k; j++) {
			if (p->instrs.at[j].op == i->op && reuse(t, k, j)) {
				changed = true;
				break;
			}
		}
	}
	return changed;
}
