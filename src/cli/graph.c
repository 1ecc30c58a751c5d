/* Who reads what was written where, see graph.h. */
#include "cli/graph.h"

enum { TEMPS = 32 };

/* Is the lane in the new pixel program no more, since the vertex program or the application has it? */
static bool has_moved(const struct run *r, uint32_t k, unsigned lane)
{
	return r->outcomes->at[k].written >> lane & 1 && r->outcomes->at[k].lane[lane].outcome == OUTCOME_MOVED;
}

/* Does an interpolator bring one of the lanes now? */
static bool is_delivered(const struct run *r, uint32_t k, lanes carried)
{
	bool delivered = false;
	for (unsigned lane = 0; lane < LANES; lane++)
		delivered |= carried >> lane & 1 && has_moved(r, k, lane) && r->outcomes->at[k].lane[lane].at.file != REG_FILES &&
		             r->outcomes->at[k].lane[lane].at.file != REG_CONST;
	return delivered;
}

/* What the lanes `into` of an instruction read; lanes that came from one instruction are one edge. */
static void add_edges(struct arena *a, struct graph *g, const struct run *r, uint32_t to, const struct src *src,
                      lanes into, lanes read, int (*writer)[LANES])
{
	bool temp = src->file == REG_TEMP && src->index >= 0 && src->index < TEMPS;
	if (src->file == REG_TEXCOORD || src->file == REG_INPUT || src->file == REG_CONST)
		VEC_PUSH(a, g) = (struct graph_edge){GRAPH_REGISTER, to, src->file, src->index, read, into, false};
	if (!temp)
		return;
	for (lanes left = read; left;) {
		unsigned first = 0;
		while (!(left >> first & 1))
			first++;
		int from = writer[src->index][first];
		lanes carried = 0;
		for (unsigned lane = first; lane < LANES; lane++)
			if (left >> lane & 1 && writer[src->index][lane] == from)
				carried |= (lanes)(1u << lane);
		left &= (lanes)~carried;
		if (from == GRAPH_REGISTER)
			continue;
		bool const crosses = r->outcomes->at[to].outcome != OUTCOME_MOVED && is_delivered(r, (uint32_t)from, carried);
		VEC_PUSH(a, g) = (struct graph_edge){from, to, REG_TEMP, src->index, carried, into, crosses};
	}
}

struct graph graph_find(struct arena *a, const struct run *r, bool by_lane)
{
	const struct program *p = r->ps;
	struct graph g = {0};
	int writer[TEMPS][LANES];
	for (unsigned i = 0; i < TEMPS; i++)
		for (unsigned lane = 0; lane < LANES; lane++)
			writer[i][lane] = GRAPH_REGISTER;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		lanes written = instr_writes(i), left = written;
		do {
			lanes into = by_lane ? left & (lanes)-left : left;
			for (unsigned s = 0; s < ops[i->op].sources; s++) {
				lanes read = swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, into));
				add_edges(a, &g, r, k, &i->src[s], into, read, writer);
			}
			left &= (lanes)~into;
		} while (left);
		if (i->dst.file == REG_TEMP && i->dst.index < TEMPS)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (written >> lane & 1)
					writer[i->dst.index][lane] = (int)k;
	}
	return g;
}
