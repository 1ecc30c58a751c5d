/* Allocates registers to webs (sets of definitions that have to share a register), lane by lane, see registers.h.  Programs have at most some hundred
 * instructions, so the live ranges in a register are a plain list. */
#include "move/graph/registers.h"

#include <string.h>

/* A definition: one instruction, with all lanes that it writes to a temporary.  The first definition of a web is its leader, which stands for the
 * web. */
struct web {
	uint32_t leader; /* union-find parent: an earlier definition of the same web, or this one itself if it is the leader */
	int reg;         /* the register in the program; -1 if the instruction writes no temporary */
	lanes mask;
	bool pinned;     /* the web of this definition must keep the register that it has in the program */
	uint32_t last[LANES]; /* for each lane, the time of the last read, or `time` if it is never read */
	uint32_t until;  /* the latest time in `last`, when the live range ends */
	uint32_t time;   /* time of the write, 2 * instruction + 1; reads happen at 2 * instruction */
	int to;          /* in the leader: the register that was allocated to the web, or -1 if none was yet */
	uint32_t reads[MAX_SOURCES]; /* for each source of the instruction, one definition that it reads, or UINT32_MAX if it reads none */
	uint32_t member; /* the next definition of the same web, or UINT32_MAX at the end */
	uint32_t first;  /* in the leader: the first definition of the web, where the list of members begins */
	uint32_t beside; /* the next definition to which the same register was allocated, or UINT32_MAX at the end of the list */
};

static uint32_t leader_of(struct web *w, uint32_t k)
{
	while (w[k].leader != k) {
		w[k].leader = w[w[k].leader].leader;
		k = w[k].leader;
	}
	return k;
}

static void join_webs(struct web *w, uint32_t a, uint32_t b)
{
	a = leader_of(w, a);
	b = leader_of(w, b);
	w[a > b ? a : b].leader = a > b ? b : a;
}

/* The state of the walk through the program that finds the webs. */
struct walk {
	uint32_t def[MOST_REGS][LANES]; /* [r#][lane]: the last definition so far, or UINT32_MAX if there is none; set only if met[r#] */
	bool met[MOST_REGS];       /* registers that instructions read or wrote so far */
	bool unwritten[MOST_REGS]; /* registers with a lane that was read before it was written */
	bool modifiers;            /* an instruction so far is a modifier: an abs that will become part of the operands that read it */
};

static void meet_register(struct walk *st, int reg)
{
	if (!st->met[reg])
		memset(st->def[reg], 0xff, sizeof st->def[reg]);
	st->met[reg] = true;
}

/* Records that an operand reads lanes of a register at `time`, and unites the definitions that it reads in one web.  With `pin`, the web must keep
 * its register.  Returns one of the definitions, or UINT32_MAX if no instruction wrote these lanes. */
static uint32_t read_register(struct web *w, struct walk *st, int reg, lanes read, uint32_t time, bool pin)
{
	uint32_t first = UINT32_MAX;
	meet_register(st, reg);
	EACH_LANE(lane, read) {
		uint32_t d = st->def[reg][lane];
		if (d == UINT32_MAX) {
			st->unwritten[reg] = true;
			continue;
		}
		w[d].last[lane] = time;
		w[d].pinned |= pin;
		if (first != UINT32_MAX)
			join_webs(w, first, d);
		first = d;
	}
	return first;
}

/* If a modifier (an abs that will become part of the operands that read it) wrote lanes that are read, extends the live range of the modifier's own
 * operand up to this read. */
static void read_through_modifiers(const struct program *p, struct web *w, const struct walk *st, int reg, lanes read, uint32_t time)
{
	for (unsigned lane = 0; lane < LANES; lane++) {
		uint32_t const k = read >> lane & 1 ? st->def[reg][lane] : UINT32_MAX;
		const struct instr *abs = k != UINT32_MAX && instr_is_modifier(&p->instrs.at[k]) ? &p->instrs.at[k] : NULL;
		if (!abs || abs->src[0].file != REG_TEMP)
			continue;
		unsigned const from = swizzle_lane(abs->src[0].swizzle, lane);
		uint32_t const d = st->def[abs->src[0].index][from];
		if (d < k) /* else the modifier's operand was overwritten, and the abs stays an instruction */
			w[d].last[from] = time;
	}
}

/* Finds the webs of the program.  Returns one entry for each instruction; entries of instructions that write no temporary are unused. */
static struct web *find_webs(struct arena *a, const struct program *p, struct walk *st)
{
	struct web *w = arena_zero(a, (p->instrs.n + 1) * sizeof *w);
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		w[k].leader = k;
		w[k].to = -1;
		w[k].reg = -1;
		EACH_SOURCE(s, i) {
			w[k].reads[s] = UINT32_MAX;
			if (i->src[s].file != REG_TEMP)
				continue;
			lanes read = instr_reads(p, i, s);
			unsigned rows = instr_rows(i, s);
			if (i->op == OP_SGN && s > 0)
				read = MASK_XYZW; /* sgn clobbers all lanes of these sources; the call below pins their web */
			for (unsigned row = 0; row < rows; row++) {
				w[k].reads[s] = read_register(w, st, i->src[s].index + (int)row, read, 2 * k, rows > 1 || (i->op == OP_SGN && s > 0));
				if (st->modifiers)
					read_through_modifiers(p, w, st, i->src[s].index + (int)row, read, 2 * k);
			}
		}
		if (!instr_writes(i) || i->dst.file != REG_TEMP)
			continue;
		st->modifiers |= instr_is_modifier(i);
		meet_register(st, i->dst.index);
		w[k].reg = i->dst.index;
		w[k].mask = i->dst.mask;
		if (i->op == OP_SINCOS)
			w[k].mask |= MASK_XYZ; /* sincos clobbers lanes that it does not write, so no other web may have them */
		w[k].time = 2 * k + 1;
		for (unsigned lane = 0; lane < LANES; lane++) {
			w[k].last[lane] = w[k].time;
			if (i->dst.mask >> lane & 1)
				st->def[i->dst.index][lane] = k;
		}
	}
	return w;
}

/* Returns true if the live ranges of two definitions overlap in a lane that both write. */
static bool overlap(const struct web *x, const struct web *y)
{
	if (x->time > y->until || y->time > x->until)
		return false;
	EACH_LANE(lane, x->mask & y->mask)
		if (x->time <= y->last[lane] && y->time <= x->last[lane])
			return true;
	return false;
}

/* Returns true for macros (opcodes of several slots) that may write a lane before they have read all sources, so that their destination must not
 * share a register with a source. */
static bool writes_early(const struct instr *i)
{
	enum op_shape shape = ops[i->op].shape;
	return shape == SHAPE_CROSS || shape == SHAPE_NRM || shape == SHAPE_MATRIX || shape == SHAPE_SINCOS ||
	       i->op == OP_POW;
}

struct macros { /* indices of the instructions that write a temporary and for which writes_early() is true */
	VEC(uint32_t);
};

/* Returns true if a macro in the list would have a source and its destination in one register if `web` got register `reg`. */
static bool would_overwrite_source(struct web *w, const struct program *p, const struct macros *macros, uint32_t web, int reg)
{
	for (uint32_t m = 0; m < macros->n; m++) {
		uint32_t const k = macros->at[m], to = leader_of(w, k);
		EACH_SOURCE(s, &p->instrs.at[k]) {
			uint32_t from = w[k].reads[s] == UINT32_MAX ? UINT32_MAX : leader_of(w, w[k].reads[s]);
			if (from == UINT32_MAX || from == to)
				continue;
			if ((web == to && w[from].to == reg) || (web == from && w[to].to == reg))
				return true;
		}
	}
	return false;
}

/* Options of an allocation. */
struct rules {
	unsigned limit;      /* webs that are not pinned get registers below this number */
	unsigned registers;  /* number of registers to track: `limit`, or more if pinned webs have higher ones */
	const bool *taken;   /* [register]: only pinned webs may have it */
	enum { KEEP_NONE, KEEP_IN_ORDER, KEEP_MOST } keep; /* KEEP_NONE ignores `home`.  KEEP_IN_ORDER gives each web its home if free, else another
	                      * register at once.  KEEP_MOST gives another register only after all webs whose home is free got it */
	const int16_t *home; /* [register in the program]: the register that its webs prefer, or -1 for any; NULL if they prefer that register itself */
	bool fresh;          /* a texture read must not write a register that was written before, since it might count as a dependent read */
	bool spread;         /* a texture read gets the register to which the fewest other texture reads write */
	struct macros early; /* macros that write before they have read all sources */
};

/* Returns true if instructions k and o must not write one register, because the later one is a texture read and rules->fresh is set. */
static bool is_forbidden_rewrite(const struct program *p, uint32_t k, uint32_t o, const struct rules *rules)
{
	uint32_t const later = k > o ? k : o;
	return rules->fresh && ops[p->instrs.at[later].op].flags & OPF_TEX;
}

/* Returns true if `web` may get register `reg`. given[reg] is the first definition to which the register is allocated (linked by `beside`), or
 * UINT32_MAX if there is none. */
static bool can_be_given(struct web *w, const struct program *p, uint32_t web, int reg, const struct rules *rules,
                 const uint32_t given[MOST_REGS])
{
	if (rules->taken[reg])
		return false;
	for (uint32_t k = w[web].first; k != UINT32_MAX; k = w[k].member)
		for (uint32_t o = given[reg]; o != UINT32_MAX; o = w[o].beside)
			if (overlap(&w[k], &w[o]) || is_forbidden_rewrite(p, k, o, rules))
				return false;
	return !would_overwrite_source(w, p, &rules->early, web, reg);
}

static void give_one(struct web *w, uint32_t web, int reg, uint32_t given[MOST_REGS])
{
	w[web].to = reg;
	for (uint32_t k = w[web].first; k != UINT32_MAX; k = w[k].member) {
		w[k].beside = given[reg];
		given[reg] = k;
	}
}

/* Counts the texture reads in the list of definitions from k on: the list of a web (`member`) if `web`, else that of a register (`beside`). */
static unsigned count_texture_reads(const struct web *w, const struct program *p, uint32_t k, bool web)
{
	unsigned n = 0;
	for (; k != UINT32_MAX; k = web ? w[k].member : w[k].beside)
		n += (ops[p->instrs.at[k].op].flags & OPF_TEX) != 0;
	return n;
}

/* Begins a new allocation: lists the definitions of each web, and allocates to webs with a pinned definition the register that they have. */
static void give_pinned(struct web *w, uint32_t n, const struct rules *rules, uint32_t given[MOST_REGS])
{
	memset(given, 0xff, rules->registers * sizeof *given);
	for (uint32_t k = 0; k < n; k++) {
		w[k].to = -1;
		w[k].first = UINT32_MAX;
	}
	for (uint32_t k = n; k-- > 0;) {
		if (w[k].reg < 0)
			continue;
		struct web *leader = &w[leader_of(w, k)];
		w[k].member = leader->first;
		leader->first = k;
	}
	for (uint32_t k = 0; k < n; k++)
		if (w[k].reg >= 0 && w[k].pinned && w[leader_of(w, k)].to < 0)
			give_one(w, leader_of(w, k), w[k].reg, given);
}

/* Allocates a register to every web: first to pinned webs, then to webs with a home (rules->keep), then to the others.  Returns false if the
 * registers do not suffice. */
static bool give_registers(struct web *w, const struct program *p, const struct rules *rules)
{
	uint32_t n = p->instrs.n, given[MOST_REGS];
	give_pinned(w, n, rules, given);
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t k = 0; k < n; k++) {
			if (w[k].reg < 0 || w[k].leader != k || w[k].to >= 0)
				continue;
			bool const spread = rules->spread && count_texture_reads(w, p, w[k].first, true);
			int const home = rules->home ? rules->home[w[k].reg] : w[k].reg;
			bool const own = rules->keep != KEEP_NONE && !spread && home >= 0 && home < (int)rules->limit;
			if (pass == 0 && !own)
				continue;
			int to = own && can_be_given(w, p, k, home, rules, given) ? home : -1;
			if (pass == 0 && to < 0 && rules->keep == KEEP_MOST)
				continue;
			for (int r = 0; (to < 0 || spread) && r < (int)rules->limit; r++)
				if ((to < 0 || count_texture_reads(w, p, given[r], false) < count_texture_reads(w, p, given[to], false)) &&
				    can_be_given(w, p, k, r, rules, given))
					to = r;
			if (to < 0)
				return false;
			give_one(w, k, to, given);
		}
	}
	return true;
}

/* Finds the webs of a program, and fills the fields of the rules that depend on them.  Returns false if a register not below the limit has a lane
 * that is read before it is written. */
static bool prepare_allocation(struct arena *a, const struct program *p, struct walk *st, struct web **webs, struct rules *rules)
{
	unsigned const limit = rules->limit;
	memset(st->met, 0, sizeof st->met);
	memset(st->unwritten, 0, sizeof st->unwritten);
	st->modifiers = false;
	struct web *w = *webs = find_webs(a, p, st);
	/* If a lane of a register is read before it is written, no other web may get the register, because the contents that are read must not
	 * change. */
	if (memchr(st->unwritten + limit, true, MOST_REGS - limit))
		return false;
	rules->registers = limit;
	rules->taken = st->unwritten;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (w[k].reg < 0)
			continue;
		for (unsigned lane = 0; lane < LANES; lane++)
			w[k].until = w[k].last[lane] > w[k].until ? w[k].last[lane] : w[k].until;
		w[k].pinned |= st->unwritten[w[k].reg];
		if (w[k].pinned && (unsigned)w[k].reg >= rules->registers)
			rules->registers = (unsigned)w[k].reg + 1;
		if (writes_early(&p->instrs.at[k]))
			VEC_PUSH(a, &rules->early) = k;
	}
	return true;
}

/* Replaces the register numbers in the program by those that the webs were given. */
static void name_registers(struct web *w, struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i)
			if (w[k].reads[s] != UINT32_MAX && instr_rows(i, s) == 1)
				i->src[s].index = (int16_t)w[leader_of(w, w[k].reads[s])].to;
			else if (i->src[s].file == REG_TEMP && i->src[s].index >= VIRTUAL_REGS && !instr_reads(p, i, s))
				i->src[s].index = 0; /* no lane of this operand is read, as in lit with mask .xw, so that any register will do */
		if (w[k].reg >= 0)
			i->dst.index = (int16_t)w[leader_of(w, k)].to;
	}
}

static bool allocate_registers(struct arena *a, struct program *p, unsigned limit, const int16_t *home, bool fresh, bool spread)
{
	struct walk st;
	struct web *w;
	struct rules rules = {.limit = limit, .keep = KEEP_MOST, .home = home, .fresh = fresh, .spread = spread};
	if (!prepare_allocation(a, p, &st, &w, &rules))
		return false;
	while (!give_registers(w, p, &rules))
		if (rules.keep-- == KEEP_NONE)
			return false;
	name_registers(w, p);
	return true;
}

/* Returns true if a texture read writes a register that was written before. */
static bool has_rewrites(const struct program *p)
{
	bool written[MOST_REGS] = {false};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (!instr_writes(i) || i->dst.file != REG_TEMP)
			continue;
		if (ops[i->op].flags & OPF_TEX && written[i->dst.index])
			return true;
		written[i->dst.index] = true;
	}
	return false;
}

bool regs_allocate(struct arena *a, struct program *p, unsigned limit)
{
	return regs_allocate_at(a, p, limit, NULL);
}

bool regs_allocate_at(struct arena *a, struct program *p, unsigned limit, const int16_t *home)
{
	bool const counted = program_stage(p) == STAGE_PIXEL && model_order(p->model) < UINT_MAX;
	struct program *other = counted ? program_copy(a, p) : NULL;
	if (!allocate_registers(a, p, limit, home, false, false))
		return false;
	if (!other || !has_rewrites(p))
		return true;
	unsigned order = program_dependent_reads(p);
	bool done = allocate_registers(a, other, limit, home, true, false);
	if (!done && order > model_order(p->model))
		done = allocate_registers(a, other, limit, home, false, true);
	if (done && program_dependent_reads(other) < order)
		memcpy(p->instrs.at, other->instrs.at, p->instrs.n * sizeof *p->instrs.at);
	return true;
}

bool regs_separate(struct arena *a, struct program *p)
{
	struct walk st;
	struct web *w;
	struct rules rules = {.limit = VIRTUAL_REGS};
	if (p->instrs.n > MOST_REGS - VIRTUAL_REGS || !prepare_allocation(a, p, &st, &w, &rules) || rules.registers > VIRTUAL_REGS)
		return false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (w[k].reg >= 0)
			w[leader_of(w, k)].to = w[k].pinned || w[leader_of(w, k)].pinned ? w[k].reg : w[leader_of(w, k)].to;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (w[k].reg >= 0 && w[leader_of(w, k)].to < 0)
			w[leader_of(w, k)].to = VIRTUAL_REGS + (int)leader_of(w, k);
	name_registers(w, p);
	return true;
}
