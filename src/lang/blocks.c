/* Basic blocks, their edges and the data flow along them, see blocks.h. */
#include "lang/blocks.h"

/* ---- partners of instructions ---------------------------------------------------------------- */

/* The flow control around one instruction. */
struct nest {
	struct { VEC(uint32_t); } open; /* each if, else, rep and loop that is not closed yet, innermost last */
	uint32_t label;   /* the label of the subroutine, or NO_INSTR in the main program */
	bool ended;       /* the ret of the main program or subroutine was passed */
};

static bool is_if(unsigned op)
{
	return op == OP_IF || op == OP_IFC;
}

static bool is_loop(unsigned op)
{
	return op == OP_REP || op == OP_LOOP;
}

static bool is_break(unsigned op)
{
	return op == OP_BREAK || op == OP_BREAKC || op == OP_BREAKP;
}

static bool is_call_op(unsigned op)
{
	return op == OP_CALL || op == OP_CALLNZ;
}

/* Makes instruction k, an else, endif, endrep or endloop, the partner of the innermost open instruction.  An else then takes the place of its if
 * as the open instruction.  The others close the open instruction, and get it as partner, or its if if it is an else.  Returns NULL, or the error
 * if k does not fit. */
static const char *pair_with_open(struct nest *n, const struct program *p, uint32_t k, uint32_t *partner)
{
	enum op const op = (enum op)p->instrs.at[k].op;
	uint32_t const last = n->open.n ? n->open.at[n->open.n - 1] : NO_INSTR;
	unsigned const opened = last == NO_INSTR ? OP_NOP : p->instrs.at[last].op;
	bool const fits = op == OP_ELSE    ? is_if(opened)
	                  : op == OP_ENDIF ? is_if(opened) || opened == OP_ELSE
	                                   : opened == (op == OP_ENDREP ? OP_REP : OP_LOOP);
	if (!fits)
		return op == OP_ELSE || op == OP_ENDIF ? "is not inside an if" : op == OP_ENDREP ? "ends no rep" : "ends no loop";
	partner[last] = k;
	if (op == OP_ELSE) {
		n->open.at[n->open.n - 1] = k;
		return NULL;
	}
	partner[k] = last;
	if (opened == OP_ELSE) /* the if is the one whose partner was set to the else */
		for (uint32_t j = 0; j < last; j++)
			if (is_if(p->instrs.at[j].op) && partner[j] == last)
				partner[k] = j;
	n->open.n--;
	return NULL;
}

/* Updates the nesting by instruction k.  Sets the partners that are known so far: of an instruction that closes another, and of that one; of a
 * label and its ret; of a break, the start of its loop, which blocks_partners() replaces by the end.  Returns NULL,
 * or the error. */
static const char *pair_instr(struct arena *arena, struct nest *n, const struct program *p, uint32_t k, uint32_t *partner)
{
	enum op const op = (enum op)p->instrs.at[k].op;
	if (n->ended && op != OP_LABEL)
		return "stands behind a ret, where only a label is allowed";
	if (is_if(op) || is_loop(op)) {
		VEC_PUSH(arena, &n->open) = k;
	} else if (op == OP_ELSE || op == OP_ENDIF || op == OP_ENDREP || op == OP_ENDLOOP) {
		return pair_with_open(n, p, k, partner);
	} else if (is_break(op)) {
		for (uint32_t j = n->open.n; j-- > 0 && partner[k] == NO_INSTR;)
			if (is_loop(p->instrs.at[n->open.at[j]].op))
				partner[k] = n->open.at[j]; /* blocks_partners() replaces it by the end of the loop, which is not known yet */
		return partner[k] == NO_INSTR ? "is not inside a rep or loop" : NULL;
	} else if (op == OP_RET) {
		if (n->open.n)
			return "stands in an if, a rep or a loop";
		n->ended = true;
		partner[k] = n->label;
		if (n->label != NO_INSTR)
			partner[n->label] = k;
	} else if (op == OP_LABEL) {
		if (!n->ended)
			return "stands before the ret of the code above it";
		n->ended = false;
		n->label = k;
	}
	return NULL;
}

/* Makes the label that call k names its partner.  The label must stand behind the call, so that no subroutine can call itself.  Returns NULL, or
 * the error if there is no such label, or more than one. */
static const char *find_label(const struct program *p, uint32_t k, uint32_t *partner)
{
	const struct src *wanted = &p->instrs.at[k].src[0];
	unsigned found = 0;
	for (uint32_t j = 0; j < p->instrs.n; j++) {
		const struct instr *i = &p->instrs.at[j];
		if (i->op != OP_LABEL || i->src[0].index != wanted->index)
			continue;
		if (j < k)
			return "calls a label that stands before it";
		partner[k] = j;
		found++;
	}
	return found == 0 ? "calls a label that does not exist" : found > 1 ? "calls a label that exists twice" : NULL;
}

const char *blocks_partners(struct arena *arena, const struct program *p, const uint32_t **found, uint32_t *at)
{
	uint32_t *partner = arena_alloc(arena, (p->instrs.n + 1) * sizeof *partner);
	struct nest n = {.label = NO_INSTR};
	const char *wrong = NULL;
	*found = partner;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		partner[k] = NO_INSTR;
	for (*at = 0; *at < p->instrs.n; ++*at)
		if ((wrong = pair_instr(arena, &n, p, *at, partner)))
			return wrong;
	if (n.open.n) {
		*at = n.open.at[n.open.n - 1];
		unsigned const op = p->instrs.at[*at].op;
		return op == OP_REP ? "has no endrep" : op == OP_LOOP ? "has no endloop" : "has no endif";
	}
	if (n.label != NO_INSTR && !n.ended) {
		*at = n.label;
		return "begins a subroutine without a ret";
	}
	for (*at = 0; *at < p->instrs.n; ++*at) {
		unsigned const op = p->instrs.at[*at].op;
		if (is_break(op))
			partner[*at] = partner[partner[*at]];
		if (is_call_op(op) && (wrong = find_label(p, *at, partner)))
			return wrong;
	}
	return NULL;
}

void blocks_next(const struct program *p, const uint32_t *partner, uint32_t k, uint32_t next[BLOCK_SUCCESSORS])
{
	unsigned const op = p->instrs.at[k].op;
	uint32_t const to = partner[k];
	next[0] = op == OP_ELSE || op == OP_BREAK ? NO_INSTR : k + 1;
	next[1] = NO_INSTR;
	if (is_if(op))
		next[1] = p->instrs.at[to].op == OP_ELSE ? to + 1 : to;
	else if (op == OP_ELSE)
		next[1] = to;
	else if (to != NO_INSTR && op != OP_ENDIF)
		next[1] = to + 1;
}

/* ---- blocks and edges ----------------------------------------------------------------------- */

static bool ends_block(const struct instr *i)
{
	return op_is_flow(i->op) && i->op != OP_SETP && i->op != OP_ENDIF && i->op != OP_LABEL;
}

static bool begins_block(const struct instr *i)
{
	return i->op == OP_ENDIF || i->op == OP_LABEL;
}

static uint32_t block_at(const struct blocks *b, uint32_t k)
{
	uint32_t low = 0, high = b->list.n;
	while (high - low > 1) {
		uint32_t const middle = (low + high) / 2;
		if (b->list.at[middle].first <= k)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Adds an edge from block `from` to the block of instruction k, unless k is NO_INSTR or past the last instruction. */
static void add_edge(struct arena *arena, const struct program *p, struct blocks *b, uint32_t from, uint32_t k)
{
	if (k < p->instrs.n)
		VEC_PUSH(arena, &b->edges) = (struct block_edge){from, block_at(b, k)};
}

/* Adds the edges from block `from` to all blocks that may be run directly after it. */
static void add_block_edges(struct arena *arena, const struct program *p, struct blocks *b, uint32_t from)
{
	uint32_t const k = b->list.at[from].end - 1, partner = b->partner[k];
	enum op const op = (enum op)p->instrs.at[k].op;
	uint32_t next[BLOCK_SUCCESSORS] = {op == OP_CALLNZ ? k + 1 : NO_INSTR, partner};
	if (op == OP_RET) {
		for (uint32_t j = 0; partner != NO_INSTR && j < p->instrs.n; j++)
			if (is_call_op(p->instrs.at[j].op) && b->partner[j] == partner)
				add_edge(arena, p, b, from, j + 1);
		return;
	}
	if (!is_call_op(op))
		blocks_next(p, b->partner, k, next);
	for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
		add_edge(arena, p, b, from, next[n]);
}

void blocks_find(struct arena *arena, const struct program *p, const uint32_t *partner, struct blocks *b)
{
	*b = (struct blocks){.partner = partner};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (k == 0 || begins_block(&p->instrs.at[k]) || ends_block(&p->instrs.at[k - 1]))
			VEC_PUSH(arena, &b->list) = (struct block){.first = k};
		b->list.at[b->list.n - 1].end = k + 1;
	}
	for (uint32_t k = 0; k < b->list.n; k++)
		add_block_edges(arena, p, b, k);
}

/* ---- data flow --------------------------------------------------------------------------------- */

bool block_state_varies(const struct block_state *state, const struct program *p, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	lanes const reads = instr_reads(p, i, s);
	if (src->file == REG_PREDICATE)
		return state->varying[BLOCK_PREDICATE] & swizzle_lanes(src->swizzle, MASK_XYZW);
	for (unsigned row = 0; src->file == REG_TEMP && row < instr_rows(i, s); row++)
		if (state->varying[(src->index + (int)row) & (MODEL_TEMPS - 1)] & reads)
			return true;
	return src->file == REG_INPUT || src->file == REG_TEXCOORD || src->file == REG_PIXEL_POS || src->file == REG_FACE;
}

void block_state_step(struct block_state *state, const struct program *p, const struct instr *i, bool varying)
{
	lanes const writes = instr_writes(i);
	bool const temp = i->dst.file == REG_TEMP && i->dst.index < MODEL_TEMPS;
	if (!writes || (!temp && i->dst.file != REG_PREDICATE))
		return;
	unsigned const reg = temp ? (unsigned)i->dst.index : BLOCK_PREDICATE;
	EACH_SOURCE(s, i)
		varying |= block_state_varies(state, p, i, s);
	if (i->predicate)
		varying |= (state->varying[BLOCK_PREDICATE] & swizzle_lanes(i->predicate_swizzle, writes)) != 0;
	state->sometimes[reg] |= writes;
	if (varying)
		state->varying[reg] |= writes;
	else if (!i->predicate)
		state->varying[reg] &= (lanes)~writes;
	if (!i->predicate)
		state->always[reg] |= writes;
}

/* Merges `from`, the state at the end of a block, into `to`, the state at the beginning of a block that may be run after it.  `first` is
 * true if `to` has no state yet.  Returns true if `to` changed. */
static bool merge_states(struct block_state *to, const struct block_state *from, bool first)
{
	bool changed = first;
	for (unsigned reg = 0; reg < BLOCK_REGISTERS; reg++) {
		lanes const always = first ? from->always[reg] : to->always[reg] & from->always[reg];
		lanes const sometimes = to->sometimes[reg] | from->sometimes[reg], varying = to->varying[reg] | from->varying[reg];
		changed |= always != to->always[reg] || sometimes != to->sometimes[reg] || varying != to->varying[reg];
		to->always[reg] = always;
		to->sometimes[reg] = sometimes;
		to->varying[reg] = varying;
	}
	return changed;
}

/* Propagates states from the end of each reached block to the beginnings of its successors, until no state changes.  Sets `reached` of these. */
static void flow_states(const struct program *p, const struct blocks *b, struct block_state *states, bool *reached)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t from = 0; from < b->list.n; from++) {
			struct block_state state = states[from];
			if (!reached[from])
				continue;
			for (uint32_t k = b->list.at[from].first; k < b->list.at[from].end; k++)
				block_state_step(&state, p, &p->instrs.at[k], b->list.at[from].varying);
			for (uint32_t e = 0; e < b->edges.n; e++) {
				if (b->edges.at[e].from != from)
					continue;
				uint32_t const to = b->edges.at[e].to;
				changed |= merge_states(&states[to], &state, !reached[to]);
				reached[to] = true;
			}
		}
	}
}

/* Sets `varying` of all blocks that hold some of the instructions first to end - 1.  Returns true if one of them was not varying before. */
static bool mark_varying(struct blocks *b, uint32_t first, uint32_t end)
{
	bool changed = false;
	for (uint32_t n = 0; n < b->list.n; n++) {
		struct block *block = &b->list.at[n];
		if (block->varying || block->first >= end || block->end <= first)
			continue;
		changed = block->varying = true;
	}
	return changed;
}

/* Sets `varying` of the blocks that only some pixels run because of the last instruction of block n: an if, break or call.  `state` is the
 * state before that instruction.  Returns true if one of these blocks was not varying before. */
static bool mark_dependent_blocks(struct blocks *b, const struct program *p, const struct block_state *state, uint32_t n)
{
	uint32_t const k = b->list.at[n].end - 1, partner = b->partner[k];
	const struct instr *i = &p->instrs.at[k];
	bool varies = false;
	EACH_SOURCE(s, i)
		varies |= block_state_varies(state, p, i, s);
	if (is_if(i->op) && varies) {
		uint32_t const end = p->instrs.at[partner].op == OP_ELSE ? b->partner[partner] : partner;
		return mark_varying(b, k + 1, end);
	}
	if (is_break(i->op) && (varies || b->list.at[n].varying))
		return mark_varying(b, b->partner[partner] + 1, partner + 1);
	if (is_call_op(i->op) && (varies || b->list.at[n].varying))
		return mark_varying(b, partner, b->partner[partner] + 1);
	return false;
}

const struct block_state *blocks_states(struct arena *arena, const struct program *p, struct blocks *b)
{
	struct block_state *states = arena_zero(arena, (b->list.n + 1) * sizeof *states);
	bool *reached = arena_zero(arena, (b->list.n + 1) * sizeof *reached);
	reached[0] = true;
	for (bool changed = true; changed;) {
		flow_states(p, b, states, reached);
		changed = false;
		for (uint32_t n = 0; n < b->list.n; n++) {
			struct block_state state = states[n];
			for (uint32_t k = b->list.at[n].first; k + 1 < b->list.at[n].end; k++)
				block_state_step(&state, p, &p->instrs.at[k], b->list.at[n].varying);
			changed |= mark_dependent_blocks(b, p, &state, n);
		}
	}
	return states;
}
