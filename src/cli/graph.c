/* Finds the dataflow of a pixel program, see graph.h. */
#include "cli/graph.h"

#include "lang/blocks.h"

/* Returns true if a lane of instruction k has moved: the vertex program or the application computes it now. */
static bool has_moved(const struct run *r, uint32_t k, unsigned lane)
{
	return r->outcomes->at[k].written >> lane & 1 && r->outcomes->at[k].lane[lane].outcome == OUTCOME_MOVED;
}

/* Returns true if the new FP reads a moved lane of instruction k, one of `carried`, from a register other than a constant: an interpolator. */
static bool is_delivered(const struct run *r, uint32_t k, lanes carried)
{
	bool delivered = false;
	for (unsigned lane = 0; lane < LANES; lane++)
		delivered |= carried >> lane & 1 && has_moved(r, k, lane) && r->outcomes->at[k].lane[lane].at.file != REG_FILES &&
		             r->outcomes->at[k].lane[lane].at.file != REG_CONST;
	return delivered;
}

/* The state of a search for the instructions that may have written (that reach) an operand. */
struct search {
	struct arena *arena;
	const struct program *program;
	struct blocks blocks;
	bool *seen;     /* for each block, true if the search has entered it from its end */
	lanes *carried; /* for each instruction, the lanes of the operand that it may have written */
	struct { VEC(uint32_t); } writers;
};

/* Adds to `writers` the instructions that may have written lane `lane` of `src` before instruction `end` of a block.  Searches the block
 * backwards and, unless an instruction without a predicate writes the lane there, its predecessors. */
static void add_writers(struct search *s, const struct src *src, unsigned lane, uint32_t block, uint32_t end)
{
	for (uint32_t k = end; k-- > s->blocks.list.at[block].first;) {
		const struct instr *i = &s->program->instrs.at[k];
		if (i->dst.file != src->file || i->dst.index != src->index || !(instr_writes(i) >> lane & 1))
			continue;
		if (!s->carried[k])
			VEC_PUSH(s->arena, &s->writers) = k;
		s->carried[k] |= (lanes)(1u << lane);
		if (!i->predicate)
			return;
	}
	for (uint32_t e = 0; e < s->blocks.edges.n; e++) {
		uint32_t const from = s->blocks.edges.at[e].from;
		if (s->blocks.edges.at[e].to != block || s->seen[from])
			continue;
		s->seen[from] = true;
		add_writers(s, src, lane, from, s->blocks.list.at[from].end);
	}
}

/* Adds edges for the lanes `read` of operand `src`, from which instruction `to` computes its lanes `into`: one from each instruction that may
 * have written some of them, or one from the register if it is an input or a constant. */
static void add_edges_of_operand(struct search *s, struct graph *g, const struct run *r, uint32_t block, uint32_t to, const struct src *src,
                                 lanes into, lanes read)
{
	if (src->file == REG_TEXCOORD || src->file == REG_INPUT || src->file == REG_CONST)
		VEC_PUSH(s->arena, g) = (struct graph_edge){.from = GRAPH_REGISTER, .to = to, .file = src->file, .index = src->index,
		                                            .carried = read, .into = into};
	if (src->file != REG_TEMP && src->file != REG_PREDICATE)
		return;
	s->writers.n = 0;
	EACH_LANE(lane, read) {
		memset(s->seen, 0, s->blocks.list.n);
		add_writers(s, src, lane, block, to);
	}
	for (uint32_t k = 0; k < s->writers.n; k++) {
		uint32_t const from = s->writers.at[k];
		bool const crosses = r->outcomes->at[to].outcome != OUTCOME_MOVED && is_delivered(r, from, s->carried[from]);
		VEC_PUSH(s->arena, g) = (struct graph_edge){.from = (int)from, .to = to, .file = src->file, .index = src->index,
		                                            .carried = s->carried[from], .into = into, .cut = crosses};
		s->carried[from] = 0;
	}
}

/* Adds the edges to instruction k from the instructions and registers that it reads. */
static void add_edges_to(struct search *search, struct graph *g, const struct run *r, uint32_t block, uint32_t k, bool by_lane)
{
	const struct program *p = search->program;
	const struct instr *i = &p->instrs.at[k];
	lanes left = instr_writes(i);
	do {
		lanes const into = by_lane ? left & (lanes)-left : left;
		EACH_SOURCE(s, i)
			add_edges_of_operand(search, g, r, block, k, &i->src[s], into,
			                     swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, into)));
		if (i->predicate)
			add_edges_of_operand(search, g, r, block, k, &(struct src){.file = REG_PREDICATE}, into,
			                     swizzle_lanes(i->predicate_swizzle, into));
		left &= (lanes)~into;
	} while (left);
}

struct graph graph_find(struct arena *a, const struct run *r, bool by_lane)
{
	struct search s = {.arena = a, .program = r->ps};
	struct graph g = {0};
	const uint32_t *partner = NULL;
	uint32_t at = 0;
	if (blocks_partners(a, r->ps, &partner, &at)) /* finds if ... endif and the like; fails only for a program that was not checked */
		return g;
	blocks_find(a, r->ps, partner, &s.blocks);
	s.seen = arena_alloc(a, s.blocks.list.n + 1);
	s.carried = arena_zero(a, r->ps->instrs.n + 1);
	for (uint32_t b = 0; b < s.blocks.list.n; b++)
		for (uint32_t k = s.blocks.list.at[b].first; k < s.blocks.list.at[b].end; k++)
			add_edges_to(&s, &g, r, b, k, by_lane);
	return g;
}

struct graph_frames graph_frames_find(struct arena *a, const struct program *p)
{
	struct graph_frames frames = {0};
	const uint32_t *partner = NULL;
	uint32_t at = 0;
	if (!program_flows(p) || blocks_partners(a, p, &partner, &at))
		return frames;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		enum op const op = (enum op)p->instrs.at[k].op;
		if (op == OP_IF || op == OP_IFC || op == OP_ELSE || op == OP_REP || op == OP_LOOP || op == OP_LABEL)
			VEC_PUSH(a, &frames) = (struct graph_frame){k, partner[k]};
	}
	return frames;
}
