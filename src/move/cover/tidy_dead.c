/* Dead instructions and dead lanes: one walk backwards over what is still wanted. */
#include "move/cover/tidy.h"

#include <string.h>

enum { OUTPUTS = MOST_TEX_OUTS, COLOURS = 2 };

/* What is wanted of the registers behind the instruction looked at. */
struct wanted {
	lanes reg[FLOW_REGS]; /* by flow_reg */
	/* The masks written to one oT must join to .x, .xy, .xyz or .xyzw (isa notes).  A lane that
	 * nobody reads is written along with the next higher one that somebody does: rider[] is
	 * that lane, LANES if it is no such lane. */
	uint8_t rider[OUTPUTS][LANES];
	uint32_t writer[OUTPUTS][LANES]; /* the last one of each oT; FLOW_UNWRITTEN: none */
};

static void find_writers(const struct program *p, struct wanted *w)
{
	memset(w->writer, 0xff, sizeof w->writer); /* FLOW_UNWRITTEN */
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_LANE(lane, i->dst.file == REG_TEX_OUT ? instr_writes(i) : 0)
			w->writer[i->dst.index][lane] = k;
	}
}

static void want_texcoord(const struct tidy *t, struct wanted *w, int n)
{
	lanes read = t->read->texcoord[n];
	int above = -1;
	for (int lane = LANES - 1; lane >= 0; lane--) {
		uint32_t writer = above < 0 ? FLOW_UNWRITTEN : w->writer[n][above];
		if (read >> lane & 1)
			above = lane;
		else if (writer < FLOW_INPUT && instr_lanes_interchange(t->p, &t->p->instrs.at[writer]))
			w->rider[n][lane] = (uint8_t)above;
		else if (above >= 0)
			read |= (lanes)(1u << lane);
	}
	w->reg[flow_reg(REG_TEX_OUT, n)] = read;
}

static int first_input(const struct program *p)
{
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_VERTEX_INPUT)
			return p->decls.at[k].reg.index;
	return -1;
}

/* oT0 to oT(n-1) must be written if oTn is.  One lane of an unread oT below a read one is
 * kept if it is an input as it is; else replace_unread puts that in its place. */
static bool is_cheap(const struct tidy *t, const struct wanted *w, int n)
{
	uint32_t writer = w->writer[n][LANE_X];
	const struct instr *i = writer < FLOW_INPUT ? &t->p->instrs.at[writer] : NULL;
	return first_input(t->p) < 0 || (i && i->op == OP_MOV && i->src[0].file == REG_INPUT);
}

static int highest_read(const struct tidy *t)
{
	int n = MOST_TEXCOORDS - 1;
	while (n >= 0 && !t->read->texcoord[n])
		n--;
	return n;
}

static void find_wanted(const struct tidy *t, struct wanted *w)
{
	memset(w->reg, 0, sizeof w->reg);
	memset(w->rider, LANES, sizeof w->rider);
	memset(&w->reg[MODEL_TEMPS], MASK_XYZW, FLOW_REGS - MODEL_TEMPS);
	w->reg[flow_reg(REG_ADDRESS, 0)] = 0;
	for (int n = 0; t->read && n < MOST_TEXCOORDS; n++) {
		want_texcoord(t, w, n);
		if (!t->read->texcoord[n] && n < highest_read(t) && is_cheap(t, w, n))
			w->reg[flow_reg(REG_TEX_OUT, n)] = MASK_X;
	}
	for (int n = 0; t->read && n < COLOURS; n++)
		w->reg[flow_reg(REG_COLOUR_OUT, n)] = t->read->colour[n];
}

static bool set_mask(struct instr *i, lanes mask)
{
	if (mask == i->dst.mask)
		return false;
	instr_set_mask(i, mask);
	return true;
}

/* Lets the lanes that ride along take the values of those they ride with. */
static bool add_riders(struct instr *i, const uint8_t *rider, lanes needed)
{
	struct instr old = *i;
	lanes mask = needed;
	unsigned with[LANES];
	for (unsigned lane = 0; lane < LANES; lane++) {
		with[lane] = lane;
		if (rider[lane] < LANES && needed >> rider[lane] & 1) {
			with[lane] = rider[lane];
			mask |= (lanes)(1u << lane);
		}
	}
	if (mask == needed)
		return false;
	instr_turn(i, with, mask); /* a VP takes any swizzle */
	set_mask(i, mask);
	return memcmp(&old, i, sizeof old) != 0;
}

/* m4x4 and its like as single products, when fewer lanes are wanted than it has rows. */
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
			if (i->src[s].index + row < MODEL_TEMPS)
				w->reg[i->src[s].index + row] |= read;
		if (i->src[s].relative)
			w->reg[flow_reg(REG_ADDRESS, 0)] |= (lanes)(1u << (i->src[s].relative - 1));
	}
}

/* An unread oT below a read one that lost its last writer gets the cheapest there is. */
static void replace_unread(struct tidy *t, const struct wanted *before)
{
	struct wanted now;
	find_writers(t->p, &now);
	for (int n = 0; n < highest_read(t); n++) {
		if (before->writer[n][LANE_X] == FLOW_UNWRITTEN || now.writer[n][LANE_X] != FLOW_UNWRITTEN)
			continue;
		VEC_PUSH(t->arena, &t->p->instrs) = (struct instr){
			.op = OP_MOV,
			.dst = dst_lanes(REG_TEX_OUT, n, MASK_X),
			.src = {{.file = REG_INPUT,
			         .swizzle = swizzle_replicate(LANE_X),
			         .index = (int16_t)first_input(t->p),
			         .at = SRCPOS_NONE}},
			.at = SRCPOS_NONE,
		};
		t->stale = true;
	}
}

/* Instruction `k`, some of whose lanes are wanted; what it needs is wanted then. */
static bool narrow(struct tidy *t, uint32_t k, struct wanted *w)
{
	struct instr *i = &t->p->instrs.at[k];
	lanes written = instr_writes(i);
	bool changed = false;
	if (written) {
		lanes *wanted = &w->reg[flow_reg((enum reg_file)i->dst.file, i->dst.index)];
		lanes needed = *wanted & written;
		*wanted &= (lanes)~written;
		if (i->dst.file == REG_TEX_OUT) {
			const uint8_t *rider = w->rider[i->dst.index];
			changed = add_riders(i, rider, needed);
			for (unsigned lane = 0; lane < LANES; lane++)
				if (rider[lane] < LANES && needed >> rider[lane] & 1)
					needed |= (lanes)(1u << lane);
		}
		lanes const least = least_mask(t->p, i, needed);
		changed |= least != instr_writes(i) && set_mask(i, least);
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
	if (t->read)
		find_writers(p, &w);
	find_wanted(t, &w);
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
			break; /* the next round looks at the rows */
		} else {
			changed |= narrow(t, k, &w);
		}
	}
	t->stale |= changed;
	if (t->read && changed)
		replace_unread(t, &w);
	return changed;
}
