/* Movs that go because two registers can be one, and instructions that become one wherever they stand, what they read being brought
 * together.  While this is done each web (definitions that some operand reads together) has a register of its own, so that only what
 * depends on each other is in the way; registers are given when all is done, as in Chaitin's allocator, but lane by lane.
 *
 * A copy: mul r1.xyz, r0, t0 and mov r1.w, r0.w are mul r0.xyz, r0, t0, with what read r1 reading r0.
 * Two movs of constants: mov r0.z, c0.y for a normal and mov r9.w, c0.y for the colour that is made when the normal is read no
 * more are mov r0.zw, c0.y.
 * Scalars: rsq and dp3 for two lights are a dp3 each, and one max that reads both in lanes of one register.  As Larsen and
 * Amarasinghe pack superword statements, but for swizzles. */
#include "move/graph/registers.h"
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

enum { TURNS = 24, WAYS = TURNS + 1, LEVELS = 3, NONE = -1 };

/* Tells of what an instruction writes. */
struct made {
	uint32_t last[LANES]; /* where each lane is read last; itself: nowhere */
	int kind;             /* those of one kind can perhaps be one; NONE: it can be one with no other */
	uint32_t next;        /* the next instruction whose kind has the same opcode; the number of instructions if there is none */
};

/* Holds all that is known of the program as it is. */
struct state {
	struct instr *at;      /* the instructions, of one that is kept */
	struct made *made;
	lanes used[MOST_REGS]; /* lanes of each register */
};

struct weaver {
	struct tidy *t;
	struct state now, kept[LEVELS];
	bool known;              /* `now` */
	uint32_t gone;           /* an instruction that is about to go, whose lanes others have; UINT32_MAX: none */
	uint32_t pair;           /* it and the next one are about to be one; UINT32_MAX: none are */
	int16_t home[MOST_REGS]; /* the number that each register had */
	bool *waits;             /* of the instructions behind one: must they stay there? */
	/* Names the instructions that become one: those that do the same to the same registers, in lanes of one; scalars, which vectors
	 * would keep from each other; all of them; movs, by literals */
	enum { LANES_OF_ONE, SCALARS, VECTORS, CHOICES } phase;
	bool careful;            /* registers are given after each step, as there were too few after all of them */
};

static void changed(struct weaver *w)
{
	w->t->stale = true;
	w->known = false;
}

static int kind_of(const struct instr *i)
{
	bool const temp = i->dst.file == REG_TEMP;
	if (!tidy_can_join(i) || (temp && i->dst.index < VIRTUAL_REGS))
		return NONE;
	int const output = temp ? 0 : flow_reg((enum reg_file)i->dst.file, i->dst.index), op = tidy_is_sum(i) ? OP_MOV : i->op;
	return output << 2 * CHAR_BIT | op << CHAR_BIT | i->flags;
}

/* Links the instructions whose kinds have the same opcode. */
static void link_kinds(struct weaver *w)
{
	uint32_t const n = w->t->p->instrs.n;
	uint32_t next[UCHAR_MAX + 1];
	for (unsigned op = 0; op <= UCHAR_MAX; op++)
		next[op] = n;
	for (uint32_t k = n; k-- > 0;) {
		struct made *made = &w->now.made[k];
		uint32_t *first = &next[made->kind >> CHAR_BIT & UCHAR_MAX];
		made->next = *first;
		*first = made->kind == NONE ? *first : k;
	}
}

static void find_use(struct weaver *w)
{
	const struct program *p = w->t->p;
	if (w->known)
		return;
	const struct flow *f = tidy_flow(w->t);
	w->known = true;
	memset(w->now.used, 0, sizeof w->now.used);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		w->now.made[k] = (struct made){.last = {k, k, k, k}, .kind = kind_of(i)};
		if (i->dst.file == REG_TEMP)
			w->now.used[i->dst.index] |= flow_clobbers(i, i->dst.index);
		for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++)
			if (f->read[r].def < FLOW_INPUT)
				w->now.made[f->read[r].def].last[f->read[r].from] = k;
	}
	link_kinds(w);
}

static void keep(struct weaver *w, unsigned level)
{
	uint32_t const n = w->t->p->instrs.n;
	struct state *kept = &w->kept[level];
	find_use(w);
	memcpy(kept->at, w->t->p->instrs.at, n * sizeof *kept->at);
	memcpy(kept->made, w->now.made, n * sizeof *kept->made);
	memcpy(kept->used, w->now.used, sizeof kept->used);
}

static void restore(struct weaver *w, unsigned level)
{
	uint32_t const n = w->t->p->instrs.n;
	const struct state *kept = &w->kept[level];
	memcpy(w->t->p->instrs.at, kept->at, n * sizeof *kept->at);
	memcpy(w->now.made, kept->made, n * sizeof *kept->made);
	memcpy(w->now.used, kept->used, sizeof kept->used);
	w->t->stale = true;
	w->known = true;
	w->gone = w->pair = UINT32_MAX;
}

/* ---- what registers hold --------------------------------------------------------------- */

static bool is_web(const struct src *s)
{
	return s->file == REG_TEMP && s->index >= VIRTUAL_REGS;
}

static lanes held(const struct weaver *w, uint32_t k, int reg)
{
	return k == w->gone ? 0 : flow_clobbers(&w->t->p->instrs.at[k], reg);
}

/* Would lane map[l] of register a hold two values at a time, if it held what lane l of b does, too? */
static bool collide(const struct weaver *w, int b, int a, const unsigned map[LANES])
{
	uint32_t const n = w->t->p->instrs.n;
	for (uint32_t k = 0; k < n; k++) {
		EACH_LANE(l, held(w, k, b))
			for (uint32_t m = 0; m < n; m++)
				if (held(w, m, a) >> map[l] & 1 && (m < k ? w->now.made[m].last[map[l]] > k : w->now.made[k].last[l] > m) &&
				    !((m < k ? m : k) == w->pair && (m < k ? k : m) == w->pair + 1))
					return true;
	}
	return false;
}

/* ---- one register for two --------------------------------------------------------------- */

/* Lets an operand read from[l]; false: no swizzle does.  *turns: it is another than before. */
static bool reread(const struct tidy *t, struct instr *i, unsigned s, const unsigned from[LANES], bool *turns)
{
	lanes const read = instr_operand_lanes(t->p, i, s, instr_writes(i));
	bool same = true;
	EACH_LANE(l, read)
		same &= swizzle_lane(i->src[s].swizzle, l) == from[l];
	*turns |= !same;
	if (same)
		return true;
	i->src[s].letters = 0;
	return instr_rows(i, s) == 1 && !(i->op == OP_SGN && s > 0) && tidy_swizzle(t, i, s, from, read, &i->src[s].swizzle);
}

static bool does_read(const struct instr *i, int reg)
{
	bool any = false;
	EACH_SOURCE(s, i)
		any |= i->src[s].file == REG_TEMP && i->src[s].index == reg;
	return any;
}

/* The instruction with register a, lane map[l], for lane l of register b. */
static bool renamed(const struct tidy *t, struct instr *i, int b, int a, const unsigned map[LANES])
{
	struct instr const old = *i;
	lanes mask = 0;
	unsigned lane_of[LANES] = {0, 1, 2, 3};
	bool turns = false;
	EACH_LANE(l, flow_clobbers(&old, b)) {
		mask |= (lanes)((old.dst.mask >> l & 1u) << map[l]);
		lane_of[map[l]] = l;
		turns |= map[l] != l;
		i->dst.index = (int16_t)a;
	}
	if (turns && (!tidy_moves_lanes(i) || least_mask(t->p, i, mask) != mask))
		return false;
	if (turns)
		instr_set_mask(i, mask);
	bool const by_lane = turns && ops[i->op].shape == SHAPE_LANES;
	EACH_SOURCE(s, i) {
		bool const reads = old.src[s].file == REG_TEMP && old.src[s].index == b;
		unsigned from[LANES];
		for (unsigned l = 0; l < LANES; l++) {
			from[l] = swizzle_lane(old.src[s].swizzle, by_lane ? lane_of[l] : l);
			from[l] = reads ? map[from[l]] : from[l];
		}
		if (reads)
			i->src[s].index = (int16_t)a;
		if ((reads || by_lane) && !reread(t, i, s, from, &turns))
			return false;
	}
	bool const aliases = i->dst.file == REG_TEMP && i->dst.index == a && does_read(i, a); /* which some macros may not */
	return (!turns && !aliases) || check_instr_alone(t->p, i) <= check_instr_alone(t->p, &old);
}

/* False: in part. */
static bool embed(struct weaver *w, int b, int a, const unsigned map[LANES])
{
	struct program *p = w->t->p;
	find_use(w);
	if (collide(w, b, a, map))
		return false;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		struct instr *i = &p->instrs.at[k];
		lanes const made = flow_clobbers(i, b);
		uint32_t old[LANES];
		if (!made && !does_read(i, b))
			continue;
		if (!renamed(w->t, i, b, a, map))
			return false;
		memcpy(old, w->now.made[k].last, sizeof old);
		EACH_LANE(l, made)
			w->now.made[k].last[map[l]] = old[l];
		EACH_LANE(l, made)
			w->now.used[a] |= (lanes)(1u << map[l]);
	}
	w->now.used[b] = 0;
	w->t->stale = true;
	return true;
}

/* The n-th way to turn lanes; the first leaves them where they are.  False: it is like another one for these lanes. */
static bool turn(unsigned n, lanes used, unsigned map[LANES])
{
	unsigned left[LANES] = {0, 1, 2, 3};
	for (unsigned l = 0, radix = TURNS / LANES, size = LANES; l < LANES; l++, size--) {
		unsigned const at = n / radix;
		map[l] = left[at];
		memmove(&left[at], &left[at + 1], (size - 1 - at) * sizeof *left);
		n %= radix;
		radix = size > 2 ? radix / (size - 1) : 1;
	}
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned o = 0; o < l; o++)
			if (!(used >> l & 1) && !(used >> o & 1) && map[l] < map[o])
				return false;
	return true;
}

static lanes turned(const unsigned map[LANES], lanes mask)
{
	lanes to = 0;
	EACH_LANE(l, mask)
		to |= (lanes)(1u << map[l]);
	return to;
}

/* ---- copies --------------------------------------------------------------------------- */

/* Completes a map of some lanes; false: it brings two lanes to one. */
static bool complete(unsigned map[LANES], lanes known)
{
	lanes taken = 0;
	EACH_LANE(l, known) {
		if (taken >> map[l] & 1)
			return false;
		taken |= (lanes)(1u << map[l]);
	}
	for (unsigned pass = 0; pass < 2; pass++)
		EACH_LANE(l, (lanes)~known) {
			unsigned const to = pass ? first_lane((lanes)~taken & MASK_XYZW) : l;
			if (taken >> to & 1)
				continue;
			map[l] = to;
			known |= (lanes)(1u << l);
			taken |= (lanes)(1u << to);
		}
	return true;
}

/* The registers of copy k become one, the copied one's or the copy's.  False: in part. */
static bool unite(struct weaver *w, uint32_t k, bool backwards)
{
	const struct instr *mov = &w->t->p->instrs.at[k];
	int const copy = mov->dst.index, of = mov->src[0].index;
	unsigned map[LANES];
	lanes known = 0;
	for (unsigned l = 0; l < LANES; l++) {
		unsigned const from = swizzle_lane(mov->src[0].swizzle, l);
		if (!(mov->dst.mask >> l & 1))
			continue;
		if (backwards && known >> from & 1)
			return false;
		map[backwards ? from : l] = backwards ? l : from;
		known |= (lanes)(1u << (backwards ? from : l));
	}
	if (!complete(map, known))
		return false;
	find_use(w);
	w->gone = k;
	EACH_LANE(l, mov->dst.mask) {
		uint32_t const def = flow_def(tidy_flow(w->t), k, 0, l);
		unsigned const from = swizzle_lane(mov->src[0].swizzle, l);
		uint32_t *last = &w->now.made[def].last[from];
		if (!flow_keeps(w->t->p, of, (lanes)(1u << from), k + 1, w->now.made[k].last[l]))
			return false;
		*last = w->now.made[k].last[l] > *last ? w->now.made[k].last[l] : *last;
	}
	return backwards ? embed(w, of, copy, map) : embed(w, copy, of, map);
}

static bool is_copy(const struct instr *i)
{
	return i->op == OP_MOV && i->dst.file == REG_TEMP && i->dst.index >= VIRTUAL_REGS && is_web(&i->src[0]) && !(i->flags & INSTR_SAT) &&
	       !i->src[0].negate && i->dst.index != i->src[0].index;
}

/* ---- two as one ------------------------------------------------------------------------- */

/* The numbers that operand s of an operation lane by lane reads; false: not all are. */
static bool numbers_of(const struct tidy *t, const struct instr *i, unsigned s, float number[LANES])
{
	const struct src *src = &i->src[s];
	const struct decl *def = tidy_def(t, src);
	EACH_LANE(lane, def ? i->dst.mask : 0) {
		unsigned const from = swizzle_lane(src->swizzle, lane);
		if (tidy_is_noted(t, src->index, from))
			return false;
		number[lane] = src->negate ? -def->value[from] : def->value[from];
	}
	return def != NULL;
}

/* Operand s of both, which are numbers, as numbers. */
static bool join_numbers(const struct tidy *t, const struct instr *a, const struct instr *b, unsigned s, struct instr *both,
                         struct literal_place *where)
{
	float of_a[LANES] = {0}, of_b[LANES] = {0};
	if (where->decl != UINT32_MAX || ops[a->op].shape != SHAPE_LANES || !numbers_of(t, a, s, of_a) || !numbers_of(t, b, s, of_b))
		return false;
	EACH_LANE(l, b->dst.mask) {
		if (a->dst.mask >> l & 1 && of_a[l] != of_b[l])
			return false;
		of_a[l] = of_b[l];
	}
	return tidy_numbers(t, both, s, of_a, where);
}

/* Operand s of both, from one register. */
static bool join_operand(const struct tidy *t, const struct instr *a, const struct instr *b, unsigned s, struct instr *both)
{
	const struct src *x = &a->src[s], *y = &b->src[s];
	lanes const of_a = instr_operand_lanes(t->p, a, s, a->dst.mask), of_b = instr_operand_lanes(t->p, b, s, b->dst.mask);
	unsigned from[LANES] = {0};
	bool same = x->file == y->file && x->index == y->index && x->negate == y->negate && x->relative == y->relative &&
	            (x->file != REG_SAMPLER || x->swizzle == y->swizzle);
	EACH_LANE(l, of_a | of_b) {
		from[l] = swizzle_lane(of_a >> l & 1 ? x->swizzle : y->swizzle, l);
		same &= !(of_b >> l & 1) || from[l] == swizzle_lane(y->swizzle, l);
	}
	both->src[s] = *x;
	both->src[s].letters = 0;
	return same && tidy_swizzle(t, both, s, from, of_a | of_b, &both->src[s].swizzle);
}

/* Both as one, if they do the same to the same registers, or to numbers. */
static bool as_one(const struct tidy *t, const struct instr *a, const struct instr *b, struct instr *both, struct literal_place *where)
{
	bool same = a->op == b->op;
	*both = *a;
	instr_set_mask(both, a->dst.mask | b->dst.mask);
	for (unsigned s = 0; same && s < ops[a->op].sources; s++)
		same = join_operand(t, a, b, s, both) || join_numbers(t, a, b, s, both, where);
	return same;
}

/* Instructions j and k, of one register by now, as one. */
static bool one_of(struct weaver *w, uint32_t j, uint32_t k, struct instr *both, struct literal_place *where)
{
	struct tidy *t = w->t;
	const struct instr *a = &t->p->instrs.at[j], *b = &t->p->instrs.at[k];
	where->decl = UINT32_MAX;
	if (w->phase == CHOICES)
		return !(a->dst.mask & b->dst.mask) && tidy_as_choice(t, a, b, j < k ? j : k, j < k ? k : j, both, where) &&
		       check_instr_alone(t->p, both) <= check_instr_alone(t->p, a);
	bool const same = as_one(t, a, b, both, where) && check_instr_alone(t->p, both) <= check_instr_alone(t->p, a) &&
	       (!tidy_is_exact(t, j) || tidy_does_the_same(t, a, both, where)) && (!tidy_is_exact(t, k) || tidy_does_the_same(t, b, both, where));
	return same || (w->phase > LANES_OF_ONE && !(a->dst.mask & b->dst.mask) && tidy_may_be_mad(t, a, b) &&
	                tidy_as_mad(t, a, j, b, k, both, where));
}

/* Returns whether a register has lanes for what both hold. */
static bool fit_beside(const struct weaver *w, int a, int b)
{
	return count_lanes(w->now.used[a]) + count_lanes(w->now.used[b]) <= LANES;
}

/* Returns whether what operand s of both reads may be in one register: a quick look, which lets too much pass. */
static bool may_gather(const struct weaver *w, const struct instr *a, const struct instr *b, unsigned s)
{
	const struct src *x = &a->src[s], *y = &b->src[s];
	if (x->negate == y->negate && x->file == y->file && x->index == y->index && x->relative == y->relative)
		return true;
	if (x->file == REG_TEMP && y->file == REG_TEMP)
		return x->negate == y->negate && is_web(x) && is_web(y) && fit_beside(w, x->index, y->index);
	return tidy_def(w->t, x) && tidy_def(w->t, y);
}

/* Returns whether the n-th way brings the lanes used_b beside used_a. */
static bool turn_beside(unsigned way, lanes used_a, lanes used_b, unsigned map[LANES])
{
	return turn(way, used_b, map) && !(turned(map, used_b) & used_a);
}

/* Brings what operand s of h and of g reads into one register.  False: it cannot be, perhaps in part. */
static bool gather(struct weaver *w, uint32_t h, uint32_t g, unsigned s)
{
	struct program *p = w->t->p;
	struct src const of[2] = {p->instrs.at[h].src[s], p->instrs.at[g].src[s]};
	if (of[0].file != REG_TEMP || of[1].file != REG_TEMP || of[0].index == of[1].index)
		return true;
	struct instr both = p->instrs.at[h];
	lanes const of_h = instr_operand_lanes(p, &both, s, both.dst.mask);
	lanes const read = of_h | instr_operand_lanes(p, &p->instrs.at[g], s, p->instrs.at[g].dst.mask);
	instr_set_mask(&both, both.dst.mask | p->instrs.at[g].dst.mask);
	keep(w, 2);
	for (unsigned way = 0; way < 4 * TURNS; way++) {
		unsigned const moved = way / TURNS % 2; /* which of both registers goes into the other */
		bool const straight = way < 2 * TURNS;
		unsigned map[LANES], from[LANES];
		swizzle any;
		bool is_straight = true;
		if (!turn_beside(way % TURNS, w->now.used[of[!moved].index], w->now.used[of[moved].index], map))
			continue;
		EACH_LANE(l, read) {
			unsigned const side = !(of_h >> l & 1);
			from[l] = swizzle_lane(of[side].swizzle, l);
			from[l] = side == moved ? map[from[l]] : from[l];
			is_straight &= from[l] == l;
		}
		if (is_straight != straight || !tidy_swizzle(w->t, &both, s, from, read, &any))
			continue;
		if (embed(w, of[moved].index, of[!moved].index, map))
			return true;
		restore(w, 2);
	}
	return false;
}

/* The lane of a that is what lane l of b is; LANES: none. */
static unsigned lane_like(const struct instr *a, const struct instr *b, unsigned l)
{
	for (unsigned o = 0; o < LANES; o++) {
		bool same = a->dst.mask >> o & 1;
		EACH_SOURCE(s, a)
			same &= swizzle_lane(a->src[s].swizzle, o) == swizzle_lane(b->src[s].swizzle, l);
		if (same)
			return o;
	}
	return LANES;
}

/* Maps lanes of the guest's register to those of the host that are the same; false: there are none, or no lanes for the others. */
static bool share(const struct weaver *w, const struct instr *host, const struct instr *guest, unsigned map[LANES])
{
	lanes taken = w->now.used[host->dst.index];
	bool any = false;
	if (host->op != guest->op || ops[host->op].shape != SHAPE_LANES || w->now.used[guest->dst.index] != guest->dst.mask ||
	    !tidy_operands_agree(host, guest))
		return false;
	for (unsigned l = 0; l < LANES; l++)
		map[l] = guest->dst.mask >> l & 1 ? lane_like(host, guest, l) : l;
	EACH_LANE(l, guest->dst.mask) {
		any |= map[l] < LANES;
		if (map[l] < LANES)
			continue;
		map[l] = taken >> l & 1 ? first_lane((lanes)~taken & MASK_XYZW) : l;
		if (map[l] == LANES)
			return false;
		taken |= (lanes)(1u << map[l]);
	}
	return any;
}

/* Finds the n-th way for what the guest's register holds to be between what the host's does; false: it is none. */
static bool find_room(const struct weaver *w, const struct instr *host, const struct instr *guest, unsigned way, unsigned map[LANES])
{
	int const a = host->dst.index, b = guest->dst.index;
	if (a == b)
		return way == 1;
	if (way == 0)
		return share(w, host, guest, map);
	return way == 1 ? turn(0, w->now.used[b], map) : turn_beside(way - 1, w->now.used[a], w->now.used[b], map);
}

/* Instructions `at` and the next one become one.  False: the program is as it was. */
static bool join(struct weaver *w, uint32_t at)
{
	struct tidy *t = w->t;
	struct program *p = t->p;
	struct instr both;
	struct literal_place where;
	bool const one = p->instrs.at[at].op == p->instrs.at[at + 1].op;
	keep(w, 1);
	for (unsigned way = 0; way < 2 * WAYS; way++) {
		uint32_t const guest = at + (way < WAYS), host = at + (way >= WAYS);
		int const a = p->instrs.at[host].dst.index, b = p->instrs.at[guest].dst.index;
		unsigned map[LANES];
		if (!find_room(w, &p->instrs.at[host], &p->instrs.at[guest], way % WAYS, map))
			continue;
		w->pair = way % WAYS == 0 ? at : UINT32_MAX;
		bool const lodged = a == b || embed(w, b, a, map);
		bool all = lodged;
		for (unsigned s = 0; all && one && w->phase < CHOICES && s < ops[p->instrs.at[at].op].sources; s++)
			all = gather(w, host, guest, s);
		if (all && one_of(w, host, guest, &both, &where)) {
			tidy_stand_for(&p->instrs.at[at], &both);
			p->instrs.at[at] = both;
			tidy_place(t, &where);
			tidy_remove(t, at + 1);
			w->pair = UINT32_MAX;
			changed(w);
			return true;
		}
		restore(w, 1);
		if (lodged && way % WAYS && models[p->model].any_swizzle)
			break; /* nothing else depends on where the lanes are */
	}
	return false;
}

/* ---- order ------------------------------------------------------------------------------- */

/* Holds the lanes that instructions read and write, by flow_reg. */
struct touched {
	lanes read[FLOW_ALL], written[FLOW_ALL];
};

static lanes clobbered(const struct instr *i)
{
	return i->dst.file == REG_TEMP ? flow_clobbers(i, i->dst.index) : instr_writes(i);
}

static void touch(struct touched *set, const struct program *p, const struct instr *i)
{
	EACH_SOURCE(s, i) {
		int const reg = flow_reg((enum reg_file)i->src[s].file, i->src[s].index);
		for (int row = 0; reg >= 0 && row < (int)instr_rows(i, s); row++)
			set->read[reg + row] |= instr_reads(p, i, s);
		if (i->src[s].relative)
			set->read[flow_reg(REG_ADDRESS, 0)] |= (lanes)(1u << (i->src[s].relative - 1));
	}
	if (instr_writes(i))
		set->written[flow_reg((enum reg_file)i->dst.file, i->dst.index)] |= clobbered(i);
}

/* Must it stay behind them? */
static bool must_follow(const struct touched *set, const struct program *p, const struct instr *i)
{
	int const to = instr_writes(i) ? flow_reg((enum reg_file)i->dst.file, i->dst.index) : -1;
	lanes met = to >= 0 ? (set->read[to] | set->written[to]) & clobbered(i) : 0;
	EACH_SOURCE(s, i) {
		int const reg = flow_reg((enum reg_file)i->src[s].file, i->src[s].index);
		for (int row = 0; reg >= 0 && row < (int)instr_rows(i, s); row++)
			met |= set->written[reg + row] & instr_reads(p, i, s);
		if (i->src[s].relative)
			met |= set->written[flow_reg(REG_ADDRESS, 0)] & (lanes)(1u << (i->src[s].relative - 1));
	}
	return met || i->op == OP_SGN;
}

static void find_waiting(struct weaver *w, uint32_t j)
{
	const struct program *p = w->t->p;
	struct touched set;
	memset(&set, 0, sizeof set);
	touch(&set, p, &p->instrs.at[j]);
	bool region = false; /* the parts of regions keep their order */
	for (uint32_t n = j + 1; n < p->instrs.n; n++) {
		bool const part = op_is_region(p->instrs.at[n].op);
		w->waits[n] = must_follow(&set, p, &p->instrs.at[n]) || (part && region);
		if (w->waits[n])
			touch(&set, p, &p->instrs.at[n]);
		region |= part && w->waits[n];
	}
}

/* Puts j and k side by side, before what must follow j; returns where j is. */
static uint32_t bring_together(struct weaver *w, uint32_t j, uint32_t k)
{
	struct instr *at = w->t->p->instrs.at, *old = w->kept[1].at;
	uint32_t to = j, where;
	memcpy(old, &at[j], (k - j + 1) * sizeof *old);
	for (uint32_t n = j + 1; n < k; n++)
		if (!w->waits[n])
			at[to++] = old[n - j];
	where = to;
	at[to++] = old[0];
	at[to++] = old[k - j];
	for (uint32_t n = j + 1; n < k; n++)
		if (w->waits[n])
			at[to++] = old[n - j];
	if (where > j || k > j + 1)
		changed(w);
	return where;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static bool is_scalar(const struct instr *i)
{
	return (i->dst.mask & (i->dst.mask - 1)) == 0;
}

/* Could they be one?  Quickly, and not quite. */
static bool look_alike(const struct weaver *w, const struct instr *a, const struct instr *b)
{
	int const x = a->dst.index, y = b->dst.index;
	unsigned map[LANES];
	struct instr both;
	struct literal_place where = {.decl = UINT32_MAX};
	if (a->dst.mask & b->dst.mask &&
	    (x == y || (!fit_beside(w, x, y) && (!tidy_operands_agree(a, b) || (!share(w, a, b, map) && !share(w, b, a, map))))))
		return false;
	if (w->phase == CHOICES)
		return a->op == OP_MOV && b->op == OP_MOV;
	if (w->phase == LANES_OF_ONE)
		return a->op == b->op && tidy_operands_agree(a, b) && as_one(w->t, a, b, &both, &where);
	bool alike = a->op == b->op && (ops[a->op].shape == SHAPE_LANES || tidy_operands_agree(a, b));
	for (unsigned s = 0; alike && s < ops[a->op].sources; s++)
		alike = may_gather(w, a, b, s);
	return alike || tidy_may_be_mad(w->t, a, b);
}

/* Exchanges the first two operands.  Returns false if that is not the same number, to the last bit. */
static bool exchange(struct instr *i)
{
	struct src const first = i->src[0];
	if (i->op != OP_ADD && i->op != OP_MUL && i->op != OP_MAD)
		return false;
	i->src[0] = i->src[1];
	i->src[1] = first;
	return true;
}

/* Joins instruction j with k, which is written as `other`.  Returns false if they cannot be one: the program is as it was. */
static bool try_join(struct weaver *w, uint32_t j, uint32_t k, const struct instr *other)
{
	keep(w, 0);
	w->t->p->instrs.at[k] = *other;
	w->t->stale = true;
	uint32_t const at = bring_together(w, j, k);
	if (join(w, at))
		return true;
	restore(w, 0);
	return false;
}

/* Registers that the model has; false: the program is as it was. */
static bool settle(struct weaver *w, struct program *p, const struct program *old)
{
	struct tidy *t = w->t;
	return regs_allocate_at(t->arena, p, t->limits ? t->limits->temps : models[p->model].temps, w->home) &&
	       program_dependent_reads(p) <= program_dependent_reads(old);
}

/* Returns whether registers suffice, where that has to be looked at after each step; else the program is as it was before the step. */
static bool is_welcome(struct weaver *w, const struct program *before, const struct program *old)
{
	if (!before || settle(w, program_copy(w->t->arena, w->t->p), old))
		return true;
	*w->t->p = *before;
	changed(w);
	return false;
}

/* The program before a step; NULL: no step is taken back. */
static const struct program *before_step(const struct weaver *w)
{
	return w->careful ? program_copy(w->t->arena, w->t->p) : NULL;
}

/* Copy k goes; false: the program is as it was. */
static bool unite_copy(struct weaver *w, uint32_t k, const struct program *old)
{
	if (!is_copy(&w->t->p->instrs.at[k]))
		return false;
	const struct program *before = before_step(w);
	keep(w, 0);
	bool done = unite(w, k, false);
	if (!done) {
		restore(w, 0);
		done = unite(w, k, true);
	}
	if (!done) {
		restore(w, 0);
		return false;
	}
	w->gone = UINT32_MAX;
	tidy_remove(w->t, k);
	changed(w);
	return is_welcome(w, before, old);
}

static bool unite_copies(struct weaver *w, const struct program *old)
{
	bool any = false;
	for (uint32_t k = 0; k < w->t->p->instrs.n; k++)
		if (unite_copy(w, k, old)) {
			any = true;
			k--;
		}
	return any;
}

/* Instruction j becomes one with another behind it. */
static bool join_one(struct weaver *w, uint32_t j, const struct program *old)
{
	struct program *p = w->t->p;
	bool const in_one = w->phase == LANES_OF_ONE || w->phase == CHOICES;
	bool known = false;
	find_use(w);
	int const kind = w->now.made[j].kind;
	if (kind == NONE || (w->phase == SCALARS && !is_scalar(&p->instrs.at[j])))
		return false;
	for (uint32_t k = w->now.made[j].next; k < p->instrs.n; k = w->now.made[k].next) {
		if (w->now.made[k].kind != kind || (in_one && p->instrs.at[k].dst.index != p->instrs.at[j].dst.index) ||
		    (w->phase == SCALARS && !is_scalar(&p->instrs.at[k])))
			continue;
		struct instr b = p->instrs.at[k];
		if (!look_alike(w, &p->instrs.at[j], &b) && (!exchange(&b) || !look_alike(w, &p->instrs.at[j], &b)))
			continue;
		if (!known)
			find_waiting(w, j);
		known = true;
		if (w->waits[k])
			continue;
		const struct program *before = before_step(w);
		if (try_join(w, j, k, &b) && is_welcome(w, before, old))
			return true;
		find_use(w);
	}
	return false;
}

static bool join_all(struct weaver *w, const struct program *old)
{
	bool any = false;
	for (uint32_t j = 0; j < w->t->p->instrs.n; j++)
		while (join_one(w, j, old))
			any = true;
	return any;
}

static bool weave(struct tidy *t, bool joins, bool careful)
{
	struct program *p = t->p;
	bool const choices = program_stage(p) == STAGE_PIXEL && t->limits && t->limits->choices;
	uint32_t const n = p->instrs.n + 1;
	const struct program *old = program_copy(t->arena, p);
	struct weaver *w = arena_alloc(t->arena, sizeof *w);
	w->t = t;
	w->gone = w->pair = UINT32_MAX;
	w->careful = careful;
	w->now.made = arena_alloc(t->arena, n * sizeof *w->now.made);
	w->waits = arena_alloc(t->arena, n);
	for (unsigned k = 0; k < LEVELS; k++) {
		w->kept[k].at = arena_alloc(t->arena, n * sizeof *w->kept[k].at);
		w->kept[k].made = arena_alloc(t->arena, n * sizeof *w->kept[k].made);
	}
	if (!regs_separate(t->arena, p))
		return false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (p->instrs.at[k].dst.file == REG_TEMP)
			w->home[p->instrs.at[k].dst.index] = old->instrs.at[k].dst.index;
	changed(w);
	bool any = unite_copies(w, old);
	if (joins) {
		for (w->phase = LANES_OF_ONE; w->phase <= (choices ? CHOICES : VECTORS); w->phase++)
			any |= join_all(w, old);
	}
	if (any && settle(w, p, old)) {
		t->stale = true;
		return true;
	}
	*p = *old;
	t->stale = true;
	return any && !careful && weave(t, joins, true);
}

bool tidy_weave(struct tidy *t)
{
	return !t->woven && (t->limits || program_stage(t->p) == STAGE_PIXEL) && weave(t, t->limits && !t->limits->straight, false);
}
