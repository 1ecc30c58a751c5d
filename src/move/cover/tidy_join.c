/* Removes movs by putting two webs (sets of definitions that have to share a register) into one register.  Joins two instructions, perhaps far apart,
 * after putting their operands into one register.  Each web has a register of its own (webs.h), so that there are only true dependences.
 *
 * A copy: mul r1.xyz, r0, t0 and mov r1.w, r0.w become mul r0.xyz, r0, t0, and the readers of r1 read r0.
 * Two movs of constants: mov r0.z, c0.y for a normal, and mov r9.w, c0.y for a colour that is computed when the normal is dead, become
 * mov r0.zw, c0.y.
 * Scalars: each of two lights has a dp3 and a max.  The dp3s write two lanes of one register, and one max reads both.  This is the
 * superword parallelism of Larsen and Amarasinghe, with swizzles. */
#include "move/cover/webs.h"

#include "lang/check.h"
#include "lang/outline.h"

#include <string.h>

enum { WAYS = TURNS + 1, NONE = -1 };

/* The lanes of each register (indexed by flow_reg()) that a set of instructions reads and writes. */
struct touched {
	lanes *read, *written;
	size_t size;
};

struct joiner {
	struct webs webs;
	struct tidy *t;
	int *kind;         /* for each instruction, its kind: only instructions of one kind can be joined; NONE if it cannot be joined at all */
	uint32_t *next;    /* for each instruction, the next one of its kind, or NO_INSTR */
	uint32_t *head;    /* for each kind, its first instruction among those that were visited */
	bool *waits;       /* for each instruction after the one that is to be joined: it depends on that one, so that it must stay after it */
	struct instr *old; /* scratch: instructions that change their order */
	struct touched touched;
	bool any;          /* some instructions were joined, so that more pairs of scalars may be joined now */
	/* SCALARS joins instructions that write one lane, before vectors take the lanes that they need; VECTORS joins all; CHOICES makes a cmp of
	 * two movs. */
	enum { SCALARS, VECTORS, CHOICES } phase;
};

static int find_join_kind(const struct instr *i)
{
	bool const temp = i->dst.file == REG_TEMP;
	if (!tidy_can_join(i) || (temp && i->dst.index < VIRTUAL_REGS))
		return NONE;
	int const output = temp ? 0 : flow_reg((enum reg_file)i->dst.file, i->dst.index), op = tidy_is_mad_form(i) ? OP_MOV : i->op;
	return output << 2 * CHAR_BIT | op << CHAR_BIT | (i->flags & ~INSTR_PP);
}

/* Finds the users of each web, and which instructions are of one kind and may be joined, unless that is known for the present program. */
static void find_webs_and_kinds(struct joiner *w)
{
	if (w->webs.known)
		return;
	webs_find(&w->webs);
	unsigned kinds = 0;
	for (uint32_t k = w->t->p->instrs.n; k-- > 0;) {
		unsigned n = 0;
		w->kind[k] = find_join_kind(&w->t->p->instrs.at[k]);
		while (n < kinds && w->kind[w->head[n]] != w->kind[k])
			n++;
		w->next[k] = n < kinds ? w->head[n] : NO_INSTR;
		w->head[n] = k;
		kinds += n == kinds;
	}
}

static bool is_web(const struct src *s)
{
	return s->file == REG_TEMP && s->index >= VIRTUAL_REGS;
}

/* ---- copies --------------------------------------------------------------------------- */

/* Completes a map of lanes to lanes, which is set for the lanes in `known`, to a permutation of all four.  Returns false if it maps two lanes to
 * one. */
static bool complete_map(unsigned map[LANES], lanes known)
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

/* Puts the destination register of copy k into its source register, or if `backwards`, the source register into the destination register, so that
 * the copy can be removed.  Returns false if that is impossible; it may then be done in part. */
static bool embed_copy(struct joiner *w, uint32_t k, bool backwards)
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
	if (!complete_map(map, known))
		return false;
	w->webs.gone = k;
	return backwards ? webs_embed(&w->webs, of, copy, map) : webs_embed(&w->webs, copy, of, map);
}

static bool is_web_copy(const struct instr *i)
{
	return i->op == OP_MOV && i->dst.file == REG_TEMP && i->dst.index >= VIRTUAL_REGS && is_web(&i->src[0]) && !(i->flags & INSTR_SAT) &&
	       !i->src[0].negate && i->dst.index != i->src[0].index;
}

/* ---- joined instructions ---------------------------------------------------------------- */

/* Finds the literals that operand s of `i` reads, in the lanes that `i` writes.  Returns false if it does not read literals only. */
static bool read_operand_literals(const struct tidy *t, const struct instr *i, unsigned s, float number[LANES])
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

/* Lets operand s of `both` read the literals that operands s of a and b read.  Returns false if these are no literals, or no def can hold them. */
static bool join_numbers(const struct tidy *t, const struct instr *a, const struct instr *b, unsigned s, struct instr *both,
                         struct literal_place *where)
{
	float of_a[LANES] = {0}, of_b[LANES] = {0};
	if (where->decl != UINT32_MAX || ops[a->op].shape != SHAPE_LANES || !read_operand_literals(t, a, s, of_a) || !read_operand_literals(t, b, s, of_b))
		return false;
	EACH_LANE(l, b->dst.mask) {
		if (a->dst.mask >> l & 1 && of_a[l] != of_b[l])
			return false;
		of_a[l] = of_b[l];
	}
	return tidy_numbers(t, both, s, of_a, where);
}

/* Lets operand s of `both` read what operands s of a and b read.  Returns false if these read different registers, or no swizzle fits. */
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

/* Writes a and b as one instruction, `both`.  Returns false unless they have one opcode and read the same registers, or literals. */
static bool write_with_same_op(const struct tidy *t, const struct instr *a, const struct instr *b, struct instr *both, struct literal_place *where)
{
	bool same = a->op == b->op;
	*both = *a;
	instr_keep_precision(both, b);
	instr_set_mask(both, a->dst.mask | b->dst.mask);
	for (unsigned s = 0; same && s < ops[a->op].sources; s++)
		same = join_operand(t, a, b, s, both) || join_numbers(t, a, b, s, both, where);
	return same;
}

/* Writes instructions j and k, which now write one register, as one instruction, `both`.  Returns false if that is impossible. */
static bool write_joined(struct joiner *w, uint32_t j, uint32_t k, struct instr *both, struct literal_place *where)
{
	struct tidy *t = w->t;
	const struct instr *a = &t->p->instrs.at[j], *b = &t->p->instrs.at[k];
	where->decl = UINT32_MAX;
	if (w->phase == CHOICES)
		return !(a->dst.mask & b->dst.mask) && tidy_as_choice(t, a, b, j < k ? j : k, j < k ? k : j, both, where) &&
		       check_instr_alone(t->p, both) <= check_instr_alone(t->p, a);
	bool const same = write_with_same_op(t, a, b, both, where) && check_instr_alone(t->p, both) <= check_instr_alone(t->p, a) &&
	       (!tidy_is_exact(t, j) || tidy_does_the_same(t, a, both, where)) && (!tidy_is_exact(t, k) || tidy_does_the_same(t, b, both, where));
	return same || (!(a->dst.mask & b->dst.mask) && tidy_may_be_mad(t, a, b) &&
	                tidy_as_mad(t, a, j, b, k, both, where));
}

/* Returns true if one register has enough lanes for all lanes that registers a and b use. */
static bool fit_beside(const struct joiner *w, int a, int b)
{
	return count_lanes(w->webs.used[a]) + count_lanes(w->webs.used[b]) <= LANES;
}

/* Returns true if operands s of a and b might be put into one register: a cheap test, which may be wrong only if it returns true. */
static bool may_gather(const struct joiner *w, const struct instr *a, const struct instr *b, unsigned s)
{
	const struct src *x = &a->src[s], *y = &b->src[s];
	if (x->negate == y->negate && x->file == y->file && x->index == y->index && x->relative == y->relative)
		return true;
	if (x->file == REG_TEMP && y->file == REG_TEMP)
		return x->negate == y->negate && is_web(x) && is_web(y) && fit_beside(w, x->index, y->index);
	return tidy_def(w->t, x) && tidy_def(w->t, y);
}

/* Sets `map` to the permutation of lanes with number `way`.  Returns true if it moves the lanes in used_b to lanes that are not in used_a; of all
 * that move them in the same way, for one only. */
static bool turn_beside(unsigned way, lanes used_a, lanes used_b, unsigned map[LANES])
{
	return lanes_turn(way, used_b, map) && !(lanes_turned(map, used_b) & used_a);
}

/* If operands s of instructions h and g read two different r#, puts these into one register.  Returns false if that is impossible. */
static bool gather_operand(struct joiner *w, uint32_t h, uint32_t g, unsigned s)
{
	struct program *p = w->t->p;
	struct src const of[2] = {p->instrs.at[h].src[s], p->instrs.at[g].src[s]};
	if (of[0].file != REG_TEMP || of[1].file != REG_TEMP || of[0].index == of[1].index)
		return true;
	struct instr both = p->instrs.at[h];
	lanes const of_h = instr_operand_lanes(p, &both, s, both.dst.mask);
	lanes const read = of_h | instr_operand_lanes(p, &p->instrs.at[g], s, p->instrs.at[g].dst.mask);
	instr_set_mask(&both, both.dst.mask | p->instrs.at[g].dst.mask);
	uint32_t const mark = w->webs.log.n;
	for (unsigned way = 0; way < 4 * TURNS; way++) {
		unsigned const moved = way / TURNS % 2; /* index in `of`: whose register is put into the other one */
		bool const straight = way < 2 * TURNS;
		unsigned map[LANES], from[LANES];
		swizzle any;
		bool is_straight = true;
		if (!turn_beside(way % TURNS, w->webs.used[of[!moved].index], w->webs.used[of[moved].index], map))
			continue;
		EACH_LANE(l, read) {
			unsigned const side = !(of_h >> l & 1);
			from[l] = swizzle_lane(of[side].swizzle, l);
			from[l] = side == moved ? map[from[l]] : from[l];
			is_straight &= from[l] == l;
		}
		if (is_straight != straight || !tidy_swizzle(w->t, &both, s, from, read, &any))
			continue;
		if (webs_embed(&w->webs, of[moved].index, of[!moved].index, map))
			return true;
		webs_undo(&w->webs, mark);
	}
	return false;
}

/* Returns the lane of a's result that computes the same as lane l of b's result, or LANES if there is none.  Both have
 * one opcode and read the same registers. */
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

/* Maps each lane of the guest's result to the lane of the host's result that computes the same, or else to a free lane of the host's register.
 * Returns false if no lane computes the same, or too few lanes are free. */
static bool share_lanes(const struct joiner *w, const struct instr *host, const struct instr *guest, unsigned map[LANES])
{
	lanes taken = w->webs.used[host->dst.index];
	bool any = false;
	if (host->op != guest->op || ops[host->op].shape != SHAPE_LANES || w->webs.used[guest->dst.index] != guest->dst.mask ||
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

/* Finds the map with number `way` of the lanes of the guest's register into the host's register: 0 shares lanes that compute the same, 1 leaves all
 * lanes in place, the others move them to free lanes.  Returns false if there is no such map. */
static bool place_guest(const struct joiner *w, const struct instr *host, const struct instr *guest, unsigned way, unsigned map[LANES])
{
	int const a = host->dst.index, b = guest->dst.index;
	if (a == b)
		return way == 1;
	if (way == 0)
		return share_lanes(w, host, guest, map);
	return way == 1 ? lanes_turn(0, w->webs.used[b], map) : turn_beside(way - 1, w->webs.used[a], w->webs.used[b], map);
}

/* Joins two neighbouring instructions, `pair`: the first one becomes an instruction that does what both do.  Returns false, with the webs as they
 * were, if that is impossible. */
static bool join_pair(struct joiner *w, const uint32_t pair[2])
{
	struct tidy *t = w->t;
	struct program *p = t->p;
	struct instr both;
	struct literal_place where;
	bool const one = p->instrs.at[pair[0]].op == p->instrs.at[pair[1]].op;
	uint32_t const mark = w->webs.log.n;
	for (unsigned way = 0; way < 2 * WAYS; way++) {
		uint32_t const guest = pair[way < WAYS], host = pair[way >= WAYS];
		int const a = p->instrs.at[host].dst.index, b = p->instrs.at[guest].dst.index;
		unsigned map[LANES];
		if (!place_guest(w, &p->instrs.at[host], &p->instrs.at[guest], way % WAYS, map))
			continue;
		bool const shared = way % WAYS == 0;
		w->webs.pair[0] = shared ? host : NO_INSTR;
		w->webs.pair[1] = shared ? guest : NO_INSTR;
		bool const lodged = a == b || webs_embed(&w->webs, b, a, map);
		bool all = lodged;
		for (unsigned s = 0; all && one && w->phase < CHOICES && s < ops[p->instrs.at[host].op].sources; s++)
			all = gather_operand(w, host, guest, s);
		if (all && write_joined(w, host, guest, &both, &where)) {
			tidy_stand_for(&p->instrs.at[pair[0]], &both);
			p->instrs.at[pair[0]] = both;
			tidy_place(t, &where);
			return true;
		}
		webs_undo(&w->webs, mark);
		if (lodged && !shared && models[p->model].any_swizzle)
			break; /* in a model with any swizzle, a map to other lanes would fail as well */
	}
	w->webs.pair[0] = w->webs.pair[1] = NO_INSTR;
	return false;
}

/* ---- order ------------------------------------------------------------------------------- */

static lanes clobbered(const struct instr *i)
{
	return i->dst.file == REG_TEMP ? instr_clobbers(i, i->dst.index) : instr_writes(i);
}

/* Returns true if instruction i must stay after the instructions whose registers are in `set`, because of a register that one side writes,
 * because it is a sgn, or because it is `forced` to.  If so, adds its own registers to `set`. */
static bool touch_if_behind(struct touched *set, const struct program *p, const struct instr *i, bool forced)
{
	int const to = instr_writes(i) ? flow_reg((enum reg_file)i->dst.file, i->dst.index) : -1, a0 = flow_reg(REG_ADDRESS, 0);
	bool follows = forced || i->op == OP_SGN || (to >= 0 && (set->read[to] | set->written[to]) & clobbered(i));
	for (unsigned touches = 0; touches < 2 && (!touches || follows); touches++)
		EACH_SOURCE(s, i) {
			lanes const by = (lanes)(i->src[s].relative ? 1u << (i->src[s].relative - 1) : 0), read = instr_reads(p, i, s);
			int const reg = flow_reg((enum reg_file)i->src[s].file, i->src[s].index);
			for (int row = 0; reg >= 0 && row < (int)instr_rows(i, s); row++) {
				follows |= (set->written[reg + row] & read) != 0;
				set->read[reg + row] |= touches ? read : 0;
			}
			follows |= (set->written[a0] & by) != 0;
			set->read[a0] |= touches ? by : 0;
		}
	if (follows && to >= 0)
		set->written[to] |= clobbered(i);
	return follows;
}

/* Marks in `waits` the instructions that must stay after j.  A block of flow control (region) consists of consecutive instructions, its parts.
 * All parts from instruction `parts` on must stay after j.  If a part of a region before `parts` must, too, returns the first part of that
 * region, else `parts`. */
static uint32_t find_behind(struct joiner *w, uint32_t j, uint32_t parts)
{
	const struct program *p = w->t->p;
	const struct instr *last = NULL;
	uint32_t begin = NO_INSTR;
	memset(w->touched.read, 0, 2 * w->touched.size);
	touch_if_behind(&w->touched, p, &p->instrs.at[j], true);
	for (uint32_t n = j + 1; n < p->instrs.n; n++) {
		const struct instr *i = &p->instrs.at[n];
		bool const part = op_is_region(i->op);
		w->waits[n] = touch_if_behind(&w->touched, p, i, part && n >= parts);
		if (!part)
			continue;
		begin = outline_begins_region(last, i) ? n : begin;
		if (w->waits[n] && n < parts)
			return begin;
		last = i;
	}
	return parts;
}

/* Marks in `waits` the instructions that must stay after j.  The instructions that stand for one block of flow control (region) stay together, and
 * the blocks keep their order. */
static void find_waiting(struct joiner *w, uint32_t j)
{
	for (uint32_t parts = NO_INSTR, first; (first = find_behind(w, j, parts)) != parts;)
		parts = first;
}

/* Makes j and k neighbours in the order that is tried (`when`): of the instructions between them, those that need not stay after j come before both,
 * the others after both. */
static void bring_together(struct joiner *w, uint32_t j, uint32_t k)
{
	uint32_t at = j;
	for (uint32_t n = j + 1; n < k; n++)
		if (!w->waits[n])
			w->webs.when[n] = at++;
	w->webs.when[j] = at++;
	w->webs.when[k] = at++;
	for (uint32_t n = j + 1; n < k; n++)
		if (w->waits[n])
			w->webs.when[n] = at++;
}

/* Sets the order that is tried (`when`) back to the order of the program from j to k. */
static void keep_apart(struct joiner *w, uint32_t j, uint32_t k)
{
	for (uint32_t n = j; n <= k; n++)
		w->webs.when[n] = n;
}

/* Puts the instructions from j to k into the order that was tried (`when`). */
static void put_in_order(struct joiner *w, uint32_t j, uint32_t k)
{
	struct instr *at = w->t->p->instrs.at, *old = w->old;
	memcpy(old, &at[j], (k - j + 1) * sizeof *old);
	for (uint32_t n = j; n <= k; n++)
		at[w->webs.when[n]] = old[n - j];
}

/* ---- all copies and pairs -------------------------------------------------------------------- */

static bool writes_one_lane(const struct instr *i)
{
	return (i->dst.mask & (i->dst.mask - 1)) == 0;
}

/* Returns true if a and b might be joined: a cheap test, which may be wrong only if it returns true. */
static bool look_alike(const struct joiner *w, const struct instr *a, const struct instr *b)
{
	int const x = a->dst.index, y = b->dst.index;
	unsigned map[LANES];
	if (a->dst.mask & b->dst.mask &&
	    (x == y || (!fit_beside(w, x, y) && (!tidy_operands_agree(a, b) || (!share_lanes(w, a, b, map) && !share_lanes(w, b, a, map))))))
		return false;
	if (w->phase == CHOICES)
		return a->op == OP_MOV && b->op == OP_MOV;
	bool alike = a->op == b->op && (ops[a->op].shape == SHAPE_LANES || tidy_operands_agree(a, b));
	for (unsigned s = 0; alike && s < ops[a->op].sources; s++)
		alike = may_gather(w, a, b, s);
	return alike || tidy_may_be_mad(w->t, a, b);
}

/* Copies `other` to *b.  If only that makes it possible to join it with a, exchanges its first two operands, which keeps the result of add, mul and
 * mad the same to the last bit.  Returns false if they cannot be joined either way. */
static bool make_alike(const struct joiner *w, const struct instr *a, const struct instr *other, struct instr *b)
{
	bool const alike = look_alike(w, a, other);
	if (!alike && other->op != OP_ADD && other->op != OP_MUL && other->op != OP_MAD)
		return false;
	*b = *other;
	if (alike)
		return true;
	b->src[0] = other->src[1];
	b->src[1] = other->src[0];
	return look_alike(w, a, b);
}

/* Joins instructions j and k, after k is replaced by `other`, which computes the same.  Returns false, with the program as it was, if they cannot be
 * joined. */
static bool try_join(struct joiner *w, uint32_t j, uint32_t k, const struct instr *other)
{
	uint32_t const mark = w->webs.log.n;
	tidy_flow(w->t); /* find the flow now, before the change, which leaves all definitions and uses as they are */
	*webs_change(&w->webs, k) = *other;
	bring_together(w, j, k);
	if (!join_pair(w, (const uint32_t[]){j, k})) {
		webs_undo(&w->webs, mark);
		keep_apart(w, j, k);
		return false;
	}
	uint32_t const gone = w->webs.when[k];
	put_in_order(w, j, k);
	tidy_remove(w->t, gone);
	webs_keep(&w->webs);
	w->any = true;
	return true;
}

/* If instruction k copies one web to another, puts both into one register and removes the copy.  Returns false, with the program as it was, if k
 * is no copy or they cannot share a register. */
static bool unite_copy(struct joiner *w, uint32_t k)
{
	if (!is_web_copy(&w->t->p->instrs.at[k]))
		return false;
	find_webs_and_kinds(w);
	uint32_t const mark = w->webs.log.n;
	bool done = false;
	for (unsigned backwards = 0; backwards < 2 && !done; backwards++) {
		done = embed_copy(w, k, backwards);
		if (!done)
			webs_undo(&w->webs, mark);
		w->webs.gone = NO_INSTR;
	}
	if (!done)
		return false;
	tidy_remove(w->t, k);
	webs_keep(&w->webs);
	return true;
}

static bool unite_copies(struct joiner *w)
{
	bool any = false;
	for (uint32_t k = 0; k < w->t->p->instrs.n; k++)
		if (unite_copy(w, k)) {
			any = true;
			k--;
		}
	return any;
}

/* Joins instruction j with a later one.  Returns false if there is none that it can be joined with. */
static bool join_with_later(struct joiner *w, uint32_t j)
{
	struct program *p = w->t->p;
	bool known = false;
	find_webs_and_kinds(w);
	if (w->kind[j] == NONE || (w->phase == SCALARS && !writes_one_lane(&p->instrs.at[j])))
		return false;
	for (uint32_t k = w->next[j]; k != NO_INSTR; k = w->next[k]) {
		const struct instr *a = &p->instrs.at[j], *other = &p->instrs.at[k];
		struct instr b;
		if ((w->phase == CHOICES && other->dst.index != a->dst.index) || (w->phase == SCALARS && !writes_one_lane(other)) ||
		    (w->phase == VECTORS && !w->any && writes_one_lane(a) && writes_one_lane(other)))
			continue;
		if (!make_alike(w, a, other, &b))
			continue;
		if (!known)
			find_waiting(w, j);
		known = true;
		if (!w->waits[k] && try_join(w, j, k, &b))
			return true;
	}
	return false;
}

static bool join_all(struct joiner *w)
{
	bool any = false;
	for (uint32_t j = 0; j < w->t->p->instrs.n; j++)
		while (join_with_later(w, j))
			any = true;
	return any;
}

bool tidy_join(struct tidy *t)
{
	if (t->joined || !t->home || (!t->limits && program_stage(t->p) == STAGE_VERTEX))
		return false;
	struct program *p = t->p;
	bool const choices = program_stage(p) == STAGE_PIXEL && t->limits && t->limits->choices;
	struct joiner w = {.t = t};
	webs_begin(&w.webs, t);
	w.kind = arena_alloc(t->arena, (p->instrs.n + 1) * sizeof *w.kind);
	w.next = arena_alloc(t->arena, (p->instrs.n + 1) * sizeof *w.next);
	w.head = arena_alloc(t->arena, (p->instrs.n + 1) * sizeof *w.head);
	w.touched.size = (size_t)(FLOW_REGS + t->fresh - MODEL_TEMPS);
	w.touched.read = arena_alloc(t->arena, 2 * w.touched.size);
	w.touched.written = w.touched.read + w.touched.size;
	w.waits = arena_alloc(t->arena, p->instrs.n + 1);
	w.old = arena_alloc(t->arena, (p->instrs.n + 1) * sizeof *w.old);
	bool any = unite_copies(&w);
	if (t->limits && !t->limits->straight)
		for (w.phase = SCALARS; w.phase <= (choices ? CHOICES : VECTORS); w.phase++)
			any |= join_all(&w);
	return any;
}
