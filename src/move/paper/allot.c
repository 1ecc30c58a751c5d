/* Plans steps M1, M2 and M3: assigns VP registers to the moved instructions, and interpolators to the bundles (lanes that share one). */
#include "lang/listing.h"
#include "move/graph/free_constants.h"
#include "move/paper/paper.h"

#include <string.h>

/* --- interpolators ---------------------------------------------------------------- */

static bool reads_input(const struct program *p, enum reg_file file, int index)
{
	for (uint32_t k = 0; k < p->instrs.n; k++)
		EACH_SOURCE(s, &p->instrs.at[k])
			if (p->instrs.at[k].src[s].file == file && p->instrs.at[k].src[s].index == index)
				return true;
	return false;
}

/* Assigns to the bundles the lowest oT# that the VP does not write, without gaps, since a VP that writes oTn must write oT0 to oT(n-1), too (isa
 * notes).  Returns false if there are too few, or the FP reads or declares one of them. */
static bool allot_texcoords(struct rewrite *rw)
{
	uint32_t next = 0;
	for (int t = 0; next < rw->bundles.n; t++) {
		if (t >= CHANNEL_COLOUR || t >= (int)rw->options->budget.texcoords)
			return rewrite_fails(rw, MOVE_BUDGET_INTERP);
		bool written = false;
		for (unsigned lane = 0; lane < LANES; lane++)
			written |= channel_writer(rw->vs, t, lane) != FLOW_UNWRITTEN;
		if (written)
			continue;
		if (program_decl(rw->ps->program, REG_TEXCOORD, t) ||
		    reads_input(rw->ps->program, REG_TEXCOORD, t))
			return rewrite_fails(rw, MOVE_BUDGET_INTERP);
		rw->bundles.at[next++].texcoord = t;
	}
	return true;
}

/* --- inputs: by M3, or otherwise by M2 -------------------------------------------- */

bool allot_direct(const struct rewrite *rw, uint32_t k, unsigned s, struct src *out)
{
	const struct src *src = &rw->ps->program->instrs.at[k].src[s];
	int channel = channel_of((enum reg_file)src->file, src->index);
	if (channel >= CHANNEL_COLOUR) /* a colour must be clamped first */
		return false;
	const struct src *from = NULL;
	swizzle composed = 0;
	for (uint32_t r = rw->ps->first[k]; r < rw->ps->first[k + 1]; r++) {
		const struct flow_read *read = &rw->ps->read[r];
		if (read->source != s)
			continue;
		uint32_t w = channel_writer(rw->vs, channel, read->from);
		const struct instr *writer = &rw->vs->program->instrs.at[w];
		const struct src *mov = &writer->src[0];
		if (writer->op != OP_MOV || mov->relative)
			return false;
		if (!from) {
			from = mov;
			composed = swizzle_after(src->swizzle, mov->swizzle);
		} else if (from->file != mov->file || from->index != mov->index ||
		           from->negate != mov->negate) {
			return false;
		}
		unsigned lane = swizzle_lane(mov->swizzle, read->from);
		if (flow_def(rw->vs, w, 0, read->from) !=
		            flow_last(rw->vs, (enum reg_file)mov->file, mov->index, lane) &&
		    !is_planted(rw->options, PLANT_M3_OVERWRITTEN))
			return false; /* the source of the mov is overwritten before the end of the VP */
		composed = (swizzle)((composed & ~(3u << 2 * read->lane)) | lane << 2 * read->lane);
	}
	if (!from)
		return false;
	*out = *from;
	out->swizzle = is_planted(rw->options, PLANT_M3_SWIZZLE) ? src->swizzle : composed;
	out->letters = 0;
	out->negate = src->negate != (from->negate && !is_planted(rw->options, PLANT_M3_SIGN));
	return true;
}

/* Uses of the VP's temporaries. */
struct temps {
	bool pinned[MODEL_TEMPS];  /* a moved instruction or a copy (step M2) writes it, or a moved instruction reads what the VP has in it (M3) */
	int last_use[MODEL_TEMPS]; /* the last instruction of the old VP that uses it; -1 if none does */
};

static void find_last_uses(const struct rewrite *rw, struct temps *t)
{
	for (unsigned r = 0; r < MODEL_TEMPS; r++)
		t->last_use[r] = -1;
	const struct program *p = rw->vs->program;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP)
			t->last_use[i->dst.index] = (int)k;
		EACH_SOURCE(s, i)
			for (unsigned row = 0; row < instr_rows(i, s); row++)
				if (i->src[s].file == REG_TEMP && i->src[s].index + (int)row < MODEL_TEMPS)
					t->last_use[i->src[s].index + (int)row] = (int)k;
	}
}

/* Finds, among the input operands of moved instructions, those for which the VP needs no copy of what it sends (step M3), and the outputs that
 * it must copy for the others (step M2). */
static void find_feeds(struct rewrite *rw, struct temps *t)
{
	memset(rw->vp.copies, 0, rw->vs->program->instrs.n);
	memset(rw->vp.copied, 0, sizeof rw->vp.copied);
	const struct program *p = rw->ps->program;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		for (unsigned s = 0; rw->moves[k] && s < ops[p->instrs.at[k].op].sources; s++) {
			const struct src *src = &p->instrs.at[k].src[s];
			int channel = channel_of((enum reg_file)src->file, src->index);
			if (channel < 0)
				continue;
			struct src direct;
			if (allot_direct(rw, k, s, &direct)) {
				if (direct.file == REG_TEMP && !is_planted(rw->options, PLANT_M3_UNPINNED))
					t->pinned[direct.index] = true;
				continue;
			}
			lanes read = instr_reads(p, &p->instrs.at[k], s);
			rw->vp.copied[channel] |= read;
			EACH_LANE(lane, read)
				rw->vp.copies[channel_writer(rw->vs, channel, lane)] = (uint8_t)(1 + channel);
		}
	}
}

/* --- temporaries ------------------------------------------------------------------ */

static bool is_free_temp(const struct rewrite *rw, const struct temps *t, int reg, int from)
{
	return reg < (int)rw->options->budget.vs_temps && !t->pinned[reg] && t->last_use[reg] < from;
}

/* Pins and returns the lowest temporary that is free from VP instruction `from` on; -1 if there is none.  Prefers one that is not
 * `wanted`, so that FP temporaries which moved instructions write can keep their numbers. */
static int pin_free_temp(const struct rewrite *rw, struct temps *t, int from, const bool *wanted)
{
	for (int again = 0; again < 2; again++) {
		for (int r = 0; r < MODEL_TEMPS; r++) {
			if (is_free_temp(rw, t, r, from) && (again || !wanted[r])) {
				t->pinned[r] = true;
				return r;
			}
		}
	}
	return -1;
}

static bool allot_temps(struct rewrite *rw, struct temps *t)
{
	const struct program *p = rw->ps->program;
	int const end = (int)rw->vs->program->instrs.n;
	bool wanted[MODEL_TEMPS] = {false};
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (rw->moves[k] && instr_writes(&p->instrs.at[k]))
			wanted[p->instrs.at[k].dst.index] = true;
	for (int channel = 0; channel < CHANNELS; channel++) {
		rw->vp.copy_of[channel] = -1;
		if (!rw->vp.copied[channel])
			continue;
		int first = 0;
		while (rw->vp.copies[first] != 1 + channel)
			first++;
		rw->vp.copy_of[channel] = pin_free_temp(rw, t, first, wanted);
		if (rw->vp.copy_of[channel] < 0)
			return rewrite_fails(rw, MOVE_BUDGET_TEMPS);
	}
	for (int r = 0; r < MODEL_TEMPS; r++) {
		rw->vp.temp_of[r] = -1;
		if (wanted[r] && is_free_temp(rw, t, r, end)) {
			t->pinned[r] = true;
			rw->vp.temp_of[r] = r;
		}
	}
	for (int r = 0; r < MODEL_TEMPS; r++) {
		if (!wanted[r] || rw->vp.temp_of[r] >= 0)
			continue;
		rw->vp.temp_of[r] = pin_free_temp(rw, t, end, wanted);
		if (rw->vp.temp_of[r] < 0)
			return rewrite_fails(rw, MOVE_BUDGET_TEMPS);
	}
	for (unsigned s = 0; s < MAX_SOURCES; s++)
		rw->vp.scratch[s] = pin_free_temp(rw, t, end, wanted);
	return true;
}

/* --- constants: M1 ---------------------------------------------------------------- */

struct constants {
	struct register_set taken; /* VP constants that are not free */
	bool needed[MOST_CONSTS];  /* FP constants that moved instructions read */
	int end;                   /* 1 + the last needed FP constant */
	bool joined[MOST_CONSTS];  /* the FP constant is a row of a matrix, and must directly follow the one before it */
	const struct decl *vs_def[MOST_CONSTS], *ps_def[MOST_CONSTS]; /* [c#]: its def in the VP, or in the FP; NULL if there is none */
};

static void collect_defs(const struct program *p, const struct decl **def)
{
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].kind == DECL_DEF)
			def[p->decls.at[k].reg.index] = &p->decls.at[k];
}

static void find_moved_constants(const struct rewrite *rw, struct constants *c)
{
	const struct program *p = rw->ps->program;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		for (unsigned s = 0; rw->moves[k] && s < ops[i->op].sources; s++) {
			for (int row = 0; i->src[s].file == REG_CONST && row < (int)instr_rows(i, s); row++) {
				c->needed[i->src[s].index + row] = true;
				c->end = i->src[s].index + row >= c->end ? i->src[s].index + row + 1 : c->end;
				if (row > 0)
					c->joined[i->src[s].index + row] = true;
			}
		}
	}
}

/* Returns true if FP constant `from` can become VP constant `to`, because that has an equal def or, unless `equal_only`, is free. */
static bool may_be(const struct rewrite *rw, const struct constants *c, int from, int to, bool equal_only)
{
	const struct decl *ours = c->ps_def[from], *theirs = to < MOST_CONSTS ? c->vs_def[to] : NULL;
	if (ours && theirs && memcmp(ours->value, theirs->value, sizeof ours->value) == 0)
		return true;
	return !equal_only && to <= rw->options->budget.vs_consts.last && to >= rw->options->budget.vs_consts.first &&
	       to < models[rw->vs->program->model].consts &&
	       (!register_is_in(&c->taken, to) || is_planted(rw->options, PLANT_M1_TAKEN));
}

/* Makes FP constants from .. from+n-1 VP constants to .. to+n-1; returns false if it cannot.  Registers between them that no moved
 * instruction reads are only reserved. */
static bool try_constants(struct rewrite *rw, struct constants *c, int from, int n, int to, bool equal_only)
{
	for (int j = 0; j < n; j++)
		if (!may_be(rw, c, from + j, to + j, equal_only))
			return false;
	for (int j = 0; j < n; j++) {
		const struct decl *def = c->ps_def[from + j];
		rw->vp.const_of[from + j] = to + j;
		if (may_be(rw, c, from + j, to + j, true))
			continue; /* the VP has an equal def */
		register_put_in(&c->taken, to + j);
		if (!c->needed[from + j])
			continue;
		if (!def && is_planted(rw->options, PLANT_M1_UNTOLD))
			continue;
		if (!def) {
			VEC_PUSH(rw->arena, &rw->vp.consts) = (struct const_map){.vs = to + j, .ps = from + j};
			continue;
		}
		struct decl *made = &VEC_PUSH(rw->arena, &rw->vp.defs);
		*made = *def;
		made->reg.index = (int16_t)(to + j);
		made->reg.at = made->at = SRCPOS_NONE;
		made->comments = NULL;
		made->blank = false;
		made->before = 0;
		c->vs_def[to + j] = def; /* the new VP def has the same value */
	}
	return true;
}

static int last_constant(const struct rewrite *rw)
{
	int last = rw->options->budget.vs_consts.last, most = models[rw->vs->program->model].consts - 1;
	return last < most ? last : most;
}

/* Finds a def with 0 in one lane and 1 in another, for clamping a colour, or adds one.  Returns false if no constant register is free for it. */
static bool allot_clamp(struct rewrite *rw, struct constants *c)
{
	const struct program *p = rw->vs->program;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		int zero = -1, one = -1;
		for (int lane = 0; d->kind == DECL_DEF && lane < LANES; lane++) {
			if (d->value[lane] == 0.0f)
				zero = lane;
			if (d->value[lane] == 1.0f)
				one = lane;
		}
		if (zero >= 0 && one >= 0) {
			rw->vp.clamp = d->reg.index;
			rw->vp.clamp_zero = (unsigned)zero;
			rw->vp.clamp_one = (unsigned)one;
			return true;
		}
	}
	int const to = constants_take(&c->taken, (struct range){rw->options->budget.vs_consts.first, last_constant(rw)});
	if (to < 0)
		return rewrite_fails(rw, MOVE_BUDGET_CONSTS);
	rw->vp.clamp = to;
	rw->vp.clamp_zero = LANE_X;
	rw->vp.clamp_one = LANE_Y;
	VEC_PUSH(rw->arena, &rw->vp.defs) = (struct decl){
		.kind = DECL_DEF,
		.reg = {.file = REG_CONST, .mask = MASK_XYZW, .index = (int16_t)to, .at = SRCPOS_NONE},
		.value = {0.0f, 1.0f, 0.0f, 0.0f},
		.at = SRCPOS_NONE,
	};
	return true;
}

/* Sorts the list of constants by VP register, since people read it. */
static void sort_consts(struct rewrite *rw)
{
	for (uint32_t k = 1; k < rw->vp.consts.n; k++) {
		struct const_map it = rw->vp.consts.at[k];
		uint32_t to = k;
		for (; to > 0 && rw->vp.consts.at[to - 1].vs > it.vs; to--)
			rw->vp.consts.at[to] = rw->vp.consts.at[to - 1];
		rw->vp.consts.at[to] = it;
	}
}

/* If the application already copies FP constants to the VP, since an earlier run of fpmove asked for it, uses these copies, except for rows of
 * a matrix. */
static void reuse_copies(struct rewrite *rw, const struct constants *c)
{
	for (uint32_t k = 0; k < rw->vs->program->needs.consts.n; k++) {
		struct const_map const copy = rw->vs->program->needs.consts.at[k];
		if (!c->joined[copy.ps] && !c->joined[copy.ps + 1])
			rw->vp.const_of[copy.ps] = copy.vs;
	}
}

/* Finds the array or matrix of which FP constant c`of` is part by the comments of the compiler: its first register, and the number of registers
 * up to the last needed one.  Returns false if there is none, or if a part of it has its place already. */
static bool find_array(const struct rewrite *rw, const struct constants *c, int of, int *first, int *n)
{
	int const size = listing_extent(rw->ps->program, of, first), end = *first + size;
	*n = 0;
	if (size < 2 || end > MOST_CONSTS || c->joined[*first] || (end < MOST_CONSTS && c->joined[end]))
		return false;
	for (int k = *first; k < end; k++) {
		if (c->ps_def[k] || rw->vp.const_of[k] >= 0)
			return false;
		*n = c->needed[k] ? k - *first + 1 : *n;
	}
	return true;
}

/* The rounds of allot_constants().  Each assigns some of the constants: */
enum round {
	ROUND_KEEP,   /* constants of which the VP has an equal def, or, below -O2, which can keep their numbers */
	ROUND_OTHERS, /* other constants that are not part of an array */
	ROUND_ARRAYS,
	ROUNDS
};

/* Assigns FP constants from .. from+n-1 to the first place that suits in this round.  Returns false if there is none. */
static bool place_constants(struct rewrite *rw, struct constants *c, int from, int n, enum round round)
{
	bool done = false;
	for (int to = 0; round == ROUND_KEEP && c->ps_def[from] && !done && to < MOST_CONSTS; to++)
		done = c->vs_def[to] && try_constants(rw, c, from, n, to, true);
	if (round == ROUND_KEEP && !done)
		done = try_constants(rw, c, from, n, from, rw->options->level >= 2);
	for (int to = last_constant(rw) - n + 1; round != ROUND_KEEP && !done && to >= rw->options->budget.vs_consts.first; to--)
		done = try_constants(rw, c, from, n, to, false);
	return done;
}

/* Assigns VP constants to the FP constants that moved instructions read.  First, each constant that has an equal def in the VP uses that,
 * and at -O1, each that can keep its number does, as in the paper's figures.  The others take free registers from the last one down,
 * since applications keep the constants that many programs share in the first ones.  The needed part of an array stays contiguous if
 * there is a place for it, so that the application can set it as a whole, by its name. */
static bool allot_constants(struct rewrite *rw)
{
	struct constants c = {0};
	c.taken = constants_taken(rw->vs->program, rw->options->budget.vs_consts_given);
	find_moved_constants(rw, &c);
	collect_defs(rw->vs->program, c.vs_def);
	collect_defs(rw->ps->program, c.ps_def);
	for (int k = 0; k < MOST_CONSTS; k++)
		rw->vp.const_of[k] = -1;
	reuse_copies(rw, &c);
	rw->vp.clamp = -1;
	rw->vp.defs.n = rw->vp.consts.n = 0;
	for (enum round round = ROUND_KEEP; round < ROUNDS; round++) {
		for (int from = 0, n; from < c.end; from += n) {
			int first, rows;
			n = 1;
			if (!c.needed[from] || rw->vp.const_of[from] >= 0)
				continue;
			bool const array = find_array(rw, &c, from, &first, &rows);
			if (array && (round == ROUND_OTHERS || place_constants(rw, &c, first, rows, round) || round == ROUND_KEEP))
				continue;
			while (from + n < MOST_CONSTS && c.joined[from + n])
				n++;
			bool const done = (array && place_constants(rw, &c, from, n, ROUND_KEEP)) || place_constants(rw, &c, from, n, round);
			if (round != ROUND_KEEP && !done)
				return rewrite_fails(rw, MOVE_BUDGET_CONSTS);
		}
	}
	sort_consts(rw);
	if (rw->vp.copied[CHANNEL_COLOUR] || rw->vp.copied[CHANNEL_COLOUR + 1])
		return allot_clamp(rw, &c);
	return true;
}

bool allot_registers(struct rewrite *rw)
{
	struct temps temps = {0};
	if (!allot_texcoords(rw))
		return false;
	find_last_uses(rw, &temps);
	find_feeds(rw, &temps);
	return allot_constants(rw) && allot_temps(rw, &temps);
}
