/* Counts the operations of a cleaned FP, see cleaned.h: builds a graph of scalar operations in which equal operations are one node. */
#include "move/target/cleaned.h"

#include "move/graph/evaluate.h"

#include <string.h>

enum node_kind { NODE_LITERAL, NODE_CONSTANT, NODE_INPUT, NODE_SUM, NODE_PRODUCT, NODE_FUNCTION, NODE_READ, NODE_TEXEL, NODE_JOIN };
enum { NEGATED = 1 }; /* a worth (the value of a lane) is 2 * index of its node, plus this bit if the value is the node's negation */
enum { OUTPUTS = 5, OUTPUT_DEPTH = OUTPUTS - 1, COLOUR_INPUTS = 16, INPUTS = 32, BUCKETS = 256 };

struct node {
	uint8_t kind;   /* enum node_kind */
	uint8_t op;     /* enum op of a function or read */
	uint8_t lane;   /* register lane of a constant or input, lane of a texel, or function_lane() of a function */
	uint8_t file;   /* enum reg_file of a constant or an input */
	int32_t index;  /* register number of a constant or input, sampler of a read, or index of the instruction of a join or flow-control opcode */
	float value;    /* the number of a literal, never negative; for c[a0.x + n], the current number of a0's contents */
	uint8_t n;      /* number of operands */
	uint32_t first; /* index of the first operand in graph.operands */
	uint32_t instr; /* index of the first instruction that computes this node */
	uint32_t next;  /* the next node in the same hash bucket, or UINT32_MAX if this is the last one */
	uint32_t uses;  /* number of live nodes, outputs, texkills and conditions that read this node; 0 if the node is dead */
	uint32_t chain, row; /* lengths of the longest chains of dependent operations, and of dependent texture reads, that end at this node */
	bool uniform;   /* the node depends on constants and literals alone */
};

struct graph {
	struct arena *arena;
	struct { VEC(struct node); } nodes; /* operands stand before the nodes that use them */
	struct { VEC(worth); } operands;
	uint32_t bucket[BUCKETS];
	worth output[OUTPUTS][LANES];
	lanes written[OUTPUTS];
	unsigned depth; /* number of blocks of flow control around the current instruction */
	uint32_t seen;  /* number of instructions, from the first on, that `depth` has been updated for */
};

static struct graph *graph_of(const struct evaluation *e)
{
	return e->self;
}

static struct node *operand(const struct graph *g, const struct node *n, unsigned k)
{
	return &g->nodes.at[g->operands.at[n->first + k] >> 1];
}

static bool is_same_node(const struct graph *g, const struct node *a, const struct node *b, const worth *operands)
{
	return a->kind == b->kind && a->op == b->op && a->lane == b->lane && a->file == b->file && a->index == b->index && a->n == b->n &&
	       memcmp(&a->value, &b->value, sizeof a->value) == 0 &&
	       (a->n == 0 || memcmp(&g->operands.at[a->first], operands, a->n * sizeof *operands) == 0);
}

/* Returns the worth of the node that equals n and has these operands.  Adds the node if there is none. */
static worth find_node(struct evaluation *e, struct node n, const worth *operands)
{
	enum { PRIME = 16777619 };
	struct graph *g = graph_of(e);
	uint32_t hash;
	memcpy(&hash, &n.value, sizeof hash);
	hash = (((hash ^ hash >> 16 ^ n.kind) * PRIME ^ n.op) * PRIME ^ n.lane ^ (uint32_t)n.index << 2) * PRIME;
	for (unsigned k = 0; k < n.n; k++)
		hash = (hash ^ operands[k]) * PRIME;
	uint32_t *bucket = &g->bucket[(hash ^ hash >> 16) % BUCKETS];
	for (uint32_t k = *bucket; k != UINT32_MAX; k = g->nodes.at[k].next)
		if (is_same_node(g, &g->nodes.at[k], &n, operands))
			return k << 1;
	n.uniform = n.kind == NODE_LITERAL || n.kind == NODE_CONSTANT || n.n > 0;
	n.first = g->operands.n;
	for (unsigned k = 0; k < n.n; k++) {
		n.uniform &= g->nodes.at[operands[k] >> 1].uniform;
		VEC_PUSH(g->arena, &g->operands) = operands[k];
	}
	n.instr = e->at;
	n.next = *bucket;
	*bucket = g->nodes.n;
	VEC_PUSH(g->arena, &g->nodes) = n;
	return *bucket << 1;
}

static worth literal_node(struct evaluation *e, float value)
{
	return find_node(e, (struct node){.kind = NODE_LITERAL, .value = value < 0 ? -value : value + 0.0f}, NULL) | (value < 0);
}

static bool is_literal_node(const struct evaluation *e, worth x, float *value)
{
	const struct node *n = &graph_of(e)->nodes.at[x >> 1];
	*value = x & NEGATED ? -n->value : n->value;
	return n->kind == NODE_LITERAL;
}

static worth register_node(struct evaluation *e, enum reg_file file, int index, unsigned lane, worth by)
{
	bool const constant = file == REG_CONST || file == REG_TEMP;
	return find_node(e, (struct node){.kind = constant ? NODE_CONSTANT : NODE_INPUT, .file = (uint8_t)file, .index = index,
	                                  .lane = (uint8_t)lane, .value = by == NO_WORTH ? 0 : (float)by}, NULL);
}

static worth negated_node(struct evaluation *e, worth x)
{
	(void)e;
	return x ^ NEGATED;
}

static worth sum_node(struct evaluation *e, worth x, worth y)
{
	float a, b;
	bool const x_known = is_literal_node(e, x, &a), y_known = is_literal_node(e, y, &b);
	if (x_known && y_known)
		return literal_node(e, a + b);
	if ((x_known && a == 0) || (y_known && b == 0))
		return x_known && a == 0 ? y : x;
	worth const both[] = {x < y ? x : y, x < y ? y : x};
	return find_node(e, (struct node){.kind = NODE_SUM, .n = 2}, both);
}

static worth product_node(struct evaluation *e, worth x, worth y)
{
	float a, b;
	bool const x_known = is_literal_node(e, x, &a), y_known = is_literal_node(e, y, &b);
	if ((x_known && y_known) || (x_known && a == 0) || (y_known && b == 0))
		return literal_node(e, x_known && y_known ? a * b : 0);
	worth const sign = (x ^ y) & NEGATED, size[] = {x & ~(worth)NEGATED, y & ~(worth)NEGATED};
	if ((x_known && (a == 1 || a == -1)) || (y_known && (b == 1 || b == -1)))
		return size[x_known] ^ sign;
	worth const both[] = {size[size[0] > size[1]], size[size[0] <= size[1]]};
	return find_node(e, (struct node){.kind = NODE_PRODUCT, .n = 2}, both) ^ sign;
}

static worth function_node(struct evaluation *e, enum op op, const worth *x, unsigned n)
{
	const struct instr *i = instr_at_hand(e);
	worth operands[MAX_SOURCES * LANES];
	struct node f = {.kind = NODE_FUNCTION, .op = (uint8_t)op, .n = (uint8_t)n};
	for (unsigned k = 0; k < n; k++)
		operands[k] = x[k] == NO_WORTH ? literal_node(e, 0) : x[k];
	if (op == OP_POW) {
		worth const log = function_node(e, OP_LOG, operands, 1), product = product_node(e, log, operands[1]);
		return function_node(e, OP_EXP, &product, 1);
	}
	if (op == OP_ABS || op == OP_LOG || op == OP_RSQ)
		operands[0] &= ~(worth)NEGATED;
	if (op == i->op && instr_samples(i)) {
		f.kind = NODE_READ;
		f.index = i->src[1].index;
		worth const read = find_node(e, f, operands);
		return find_node(e, (struct node){.kind = NODE_TEXEL, .lane = (uint8_t)e->lane, .n = 1}, &read);
	}
	f.lane = (uint8_t)function_lane(e, op);
	f.index = op != SATURATED && op_is_flow(op) ? (int32_t)e->at : 0;
	return find_node(e, f, operands);
}

/* Updates `depth` by the instructions before the current one. */
static void enter_blocks(struct graph *g, const struct evaluation *e)
{
	for (; g->seen < e->at; g->seen++)
		switch ((int)e->program->instrs.at[g->seen].op) {
		case OP_IF: case OP_IFC: case OP_LOOP: case OP_REP: g->depth++; break;
		case OP_ENDIF: case OP_ENDLOOP: case OP_ENDREP: g->depth--; break;
		}
}

/* Returns the entry of g->output that the current lane of the current instruction writes, and marks it in g->written.  Returns NULL if the
 * instruction writes no oC# or oDepth. */
static worth *output_lane(struct graph *g, const struct evaluation *e)
{
	const struct dst *d = &instr_at_hand(e)->dst;
	if (d->file != REG_PIXEL_OUT && d->file != REG_DEPTH_OUT)
		return NULL;
	unsigned const o = d->file == REG_DEPTH_OUT ? OUTPUT_DEPTH : (unsigned)d->index % OUTPUT_DEPTH;
	g->written[o] |= (lanes)(1u << e->lane);
	return &g->output[o][e->lane];
}

/* Returns the result x of the current lane, 0 if it is not known.  Within a block or under a predicate, returns a join of x and the lane's former
 * value, which may remain.  If the lane is of an output, records this as the output's value. */
static worth keep_result(struct evaluation *e, worth x)
{
	struct graph *g = graph_of(e);
	const struct instr *i = instr_at_hand(e);
	worth *out = output_lane(g, e);
	if (x == NO_WORTH)
		x = literal_node(e, 0);
	enter_blocks(g, e);
	if (g->depth > 0 || i->predicate) {
		bool const temp = i->dst.file == REG_TEMP && i->dst.index < e->temps;
		worth const old = out ? *out : temp ? e->temp[i->dst.index][e->lane] : NO_WORTH, both[] = {old, x};
		if (old != NO_WORTH && old != x)
			x = find_node(e, (struct node){.kind = NODE_JOIN, .n = 2, .index = (int32_t)e->at}, both);
	}
	if (out)
		*out = x;
	return x;
}

/* Counts the uses of each node by outputs, texkills, conditions and live nodes. */
static void find_uses(struct graph *g, const struct evaluation *e)
{
	for (unsigned o = 0; o < OUTPUTS; o++)
		EACH_LANE(l, g->written[o])
			g->nodes.at[g->output[o][l] >> 1].uses++;
	for (uint32_t k = 0; k < e->program->instrs.n; k++) {
		const struct instr *i = &e->program->instrs.at[k];
		for (unsigned s = 0; s < ops[i->op].sources && (ops[i->op].flags & OPF_NO_DST || i->op == OP_SETP); s++)
			EACH_LANE(p, e->uses[k][s].read)
				if (e->uses[k][s].value[p] != NO_WORTH)
					g->nodes.at[e->uses[k][s].value[p] >> 1].uses++;
	}
	for (uint32_t k = g->nodes.n; k-- > 0;)
		for (unsigned j = 0; j < g->nodes.at[k].n && g->nodes.at[k].uses > 0; j++)
			operand(g, &g->nodes.at[k], j)->uses++;
}

/* Returns true if an operand of the sum is a product that only this sum reads, and that does not depend on constants alone. */
static bool is_fused(const struct graph *g, const struct node *sum)
{
	bool fused = false;
	for (unsigned k = 0; k < sum->n; k++) {
		const struct node *p = operand(g, sum, k);
		fused |= p->kind == NODE_PRODUCT && p->uses == 1 && !p->uniform;
	}
	return fused;
}

/* Returns true if the coordinate of a texture read is lanes x, y, ... of one input in this order, not negated. */
static bool is_direct(const struct graph *g, const struct node *read)
{
	bool direct = true;
	for (unsigned k = 0; k < read->n; k++) {
		const struct node *x = operand(g, read, k);
		direct &= !(g->operands.at[read->first + k] & NEGATED) && x->kind == NODE_INPUT && x->lane == k && x->file == operand(g, read, 0)->file &&
		          x->index == operand(g, read, 0)->index;
	}
	return direct;
}

static bool is_special(enum op op)
{
	return op == OP_FRC || op == OP_SINCOS || op == OP_SINCOS3 || (ops[op].shape == SHAPE_SCALAR && op != OP_POW);
}

/* Counts a live sum, product, function or texture read.  Returns true if it takes time: any read, and any other operation that does not depend on
 * constants alone and is no _sat or abs. */
static bool count_operation(const struct node *n, bool direct, struct cleaned *c)
{
	if (n->kind == NODE_READ) {
		c->constant_reads += n->uniform;
		c->direct_reads += direct;
		c->reads += !n->uniform && !direct;
		c->projected += n->op == OP_TEXLDP;
		return true;
	}
	if (n->kind == NODE_FUNCTION && (n->op == SATURATED || n->op == OP_ABS)) /* they become modifiers of other operations */
		return false;
	if (n->uniform)
		c->constant_lanes++;
	else if (n->kind == NODE_FUNCTION && is_special((enum op)n->op))
		c->specials++;
	else
		c->lanes++;
	return !n->uniform;
}

static void note_input(lanes read[INPUTS], const struct node *n)
{
	if (n->kind == NODE_INPUT)
		read[(n->file == REG_TEXCOORD ? (unsigned)n->index : COLOUR_INPUTS + (unsigned)n->index) % INPUTS] |= (lanes)(1u << n->lane);
}

static void count_outputs(const struct graph *g, struct cleaned *c, lanes read[INPUTS])
{
	for (unsigned o = 0; o < OUTPUTS; o++)
		EACH_LANE(l, g->written[o]) {
			const struct node *n = &g->nodes.at[g->output[o][l] >> 1];
			c->outputs++;
			c->copies += n->kind == NODE_INPUT || n->uniform;
			note_input(read, n);
		}
}

static void count_graph(const struct graph *g, const struct program *fp, struct cleaned *c)
{
	lanes read[INPUTS] = {0}, carried[INPUTS] = {0};
	bool *counted = arena_zero(g->arena, fp->instrs.n + 1);
	for (uint32_t k = 0; k < g->nodes.n; k++) {
		struct node *n = &g->nodes.at[k];
		if (n->uses == 0)
			continue;
		bool const direct = n->kind == NODE_READ && is_direct(g, n);
		for (unsigned j = 0; j < n->n; j++) {
			const struct node *x = operand(g, n, j);
			n->chain = x->chain > n->chain ? x->chain : n->chain;
			n->row = x->row > n->row ? x->row : n->row;
			if (n->kind != NODE_JOIN)
				note_input(direct ? carried : read, x);
		}
		if (n->kind < NODE_SUM || n->kind == NODE_TEXEL || n->kind == NODE_JOIN)
			continue;
		bool const fused = n->kind == NODE_SUM && !n->uniform && is_fused(g, n);
		n->row += n->kind == NODE_READ && !n->uniform && !direct;
		c->row = n->row > c->row ? n->row : c->row;
		if (!count_operation(n, direct, c))
			continue;
		c->lanes -= fused;
		n->chain += !fused;
		c->chain = n->chain > c->chain ? n->chain : c->chain;
		if (n->kind != NODE_READ && !counted[n->instr])
			c->instrs += instr_slots(&fp->instrs.at[n->instr], fp->model);
		counted[n->instr] = true;
	}
	count_outputs(g, c, read);
	for (unsigned t = 0; t < INPUTS; t++) {
		c->varyings += count_lanes(read[t]);
		c->carried += count_lanes(carried[t] & (lanes)~read[t]);
		c->halves += (read[t] & MASK_XY ? 1u : 0) + (read[t] & (MASK_XYZW ^ MASK_XY) ? 1u : 0);
	}
}

struct cleaned cleaned_count(const struct program *fp)
{
	static const struct domain domain = {.given = register_node, .literal = literal_node, .minus = negated_node, .sum = sum_node, .product = product_node,
	                                     .function = function_node, .result = keep_result};
	struct cleaned c = {.programs = 1};
	struct arena arena;
	struct graph g = {.arena = &arena};
	struct program text = *fp;
	arena_init(&arena, NULL);
	memset(g.bucket, 0xff, sizeof g.bucket); /* sets all to UINT32_MAX, the end of a list */
	text.instrs.at = (struct instr *)(void *)arena_copy(&arena, fp->instrs.at, fp->instrs.n * sizeof *fp->instrs.at);
	for (uint32_t k = 0; k < text.instrs.n; k++) {
		text.instrs.at[k].flags &= (uint8_t)~INSTR_DEPTH;
		c.kills += text.instrs.at[k].op == OP_TEXKILL;
	}
	struct evaluation e = {.domain = &domain, .self = &g, .program = &text};
	for (unsigned o = 0; o < OUTPUTS; o++)
		for (unsigned l = 0; l < LANES; l++)
			g.output[o][l] = NO_WORTH;
	evaluate(&arena, &e, NULL);
	find_uses(&g, &e);
	count_graph(&g, &text, &c);
	arena_free(&arena);
	return c;
}
