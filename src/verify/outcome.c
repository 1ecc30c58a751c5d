/* Finds the outcome of each instruction of a pixel program, see outcome.h.  A place "holds" a value if an instruction of the new pair
 * computes or reads the value there.  The origin of a new instruction is the old one from which the mover made it. */
#include "verify/kills.h"
#include "verify/outcome_held.h"

#include <math.h>
#include <string.h>

const char *const outcome_names[OUTCOMES] = {"kept", "recomputed", "moved", "merged", "folded", "dead", "regrouped", "part"};

/* --- judging ------------------------------------------------------------------------------ */

/* A result lane of an instruction of the FP; lane 0 stands for a texkill. */
struct result { uint32_t instr, lane; };
struct results { VEC(struct result); };

struct judge {
	struct arena *arena;
	struct trace old, ps, vs;
	const struct proof_context *context;
	const uint32_t *origins;       /* for each new instruction the old one from which the mover made it, see find_outcomes(), or NULL */
	struct held_list held;         /* all places of the new pair that hold values, sorted by value */
	struct results (*user)[LANES]; /* for each result lane of the old FP, the results that are computed from it and needed */
	uint32_t (*taken)[LANES];      /* for each result lane of the new FP, the old instruction that is kept as this one, or UINT32_MAX */
	lanes *literal;                /* result lanes of the old FP that are computed from its literals alone */
	uint32_t (*visited)[LANES];    /* for each result lane of the old FP, the last search (by number) in which made_from() visited it */
	uint32_t search;               /* the number of the current search of made_from() */
	struct outcomes *out;
};

/* Returns true if a place of the new pair, of one of the two kinds, holds the value or its negative. */
static bool is_held(const struct judge *g, const struct value_at *x, enum holder by, enum holder or)
{
	bool any = false;
	EACH_HELD(h, &g->held, x)
		any |= h->by == by || h->by == or;
	return any;
}

void outcome_add_instr(struct arena *arena, struct outcome_instrs *to, uint32_t instr)
{
	uint32_t at = to->n;
	while (at > 0 && to->at[at - 1] > instr)
		at--;
	if (at > 0 && to->at[at - 1] == instr)
		return;
	VEC_PUSH(arena, to) = instr;
	memmove(to->at + at + 1, to->at + at, (to->n - 1 - at) * sizeof *to->at);
	to->at[at] = instr;
}

static void add_instrs(const struct judge *g, struct outcome_instrs *to, const struct outcome_instrs *from)
{
	for (uint32_t k = 0; k < from->n; k++)
		outcome_add_instr(g->arena, to, from->at[k]);
}

static int place_order(const struct outcome_place *a, const struct outcome_place *b)
{
	return a->file != b->file ? a->file - b->file : a->index != b->index ? a->index - b->index : a->lane - b->lane;
}

void outcome_add_place(struct arena *arena, struct outcome_places *to, struct outcome_place place)
{
	uint32_t at = to->n;
	place.negated = false;
	while (at > 0 && place_order(&to->at[at - 1], &place) > 0)
		at--;
	if (at > 0 && place_order(&to->at[at - 1], &place) == 0)
		return;
	VEC_PUSH(arena, to) = place;
	memmove(to->at + at + 1, to->at + at, (to->n - 1 - at) * sizeof *to->at);
	to->at[at] = place;
}

static bool is_value_among(const struct value_at *x, const struct trace_read *reads, unsigned n)
{
	bool found = false;
	for (unsigned r = 0; r < n && !found; r++)
		found = value_same(&reads[r].value, x);
	return found;
}

/* Returns true if the old and the new instruction compute these result lanes from the same operand values, in any order. */
static bool read_same_values(const struct judge *g, uint32_t old, lanes of_old, uint32_t new, lanes of_new)
{
	struct trace_read a[MOST_READS], b[MOST_READS];
	unsigned const na = trace_reads(&g->old, old, of_old, WEIGHT_CENTRE, a), nb = trace_reads(&g->ps, new, of_new, WEIGHT_CENTRE, b);
	bool same = true;
	for (unsigned r = 0; r < na && same; r++)
		same = is_value_among(&a[r].value, b, nb);
	for (unsigned r = 0; r < nb && same; r++)
		same = is_value_among(&b[r].value, a, na);
	return same;
}

/* Returns true if the result lane has the same value as one of its operands, as the result of a mov does. */
static bool is_operand_value(const struct trace *t, uint32_t k, unsigned lane)
{
	struct trace_read reads[MOST_READS];
	unsigned const n = trace_reads(t, k, (lanes)(1u << lane), WEIGHT_CENTRE, reads);
	struct value_at const x = trace_value(t, k, lane, WEIGHT_CENTRE);
	return is_value_among(&x, reads, n);
}

/* Returns true if new instruction j was made not from old instruction k, but from another old one that also computes the value x. */
static bool is_of_another(const struct judge *g, uint32_t j, uint32_t k, const struct value_at *x)
{
	uint32_t const m = g->origins ? g->origins[j] : UINT32_MAX;
	bool same = false;
	for (unsigned l = 0; l < LANES && m != k && m < g->out->n; l++) {
		struct value_at const there = trace_value(&g->old, m, l, WEIGHT_CENTRE);
		same |= g->out->at[m].written >> l & 1 && value_same(&there, x);
	}
	return same;
}

/* Returns true if new instruction j should not count as the one that old instruction k is kept as, since j was made from another old
 * instruction, which also computes the value x, and which is not yet found to be kept as j. */
static bool is_reserved(const struct judge *g, uint32_t j, uint32_t k, const struct value_at *x)
{
	bool took = false;
	for (unsigned l = 0; l < LANES && g->origins; l++) {
		struct value_at const here = trace_value(&g->ps, j, l, WEIGHT_CENTRE);
		took |= g->taken[j][l] == g->origins[j] && value_same(&here, x);
	}
	return !took && is_of_another(g, j, k, x);
}

/* Returns true if new instruction j is written as the modifier _abs in the line of its reader, and old instruction k is not. */
static bool is_folded_into_reader(const struct judge *g, uint32_t j, uint32_t k)
{
	return instr_is_modifier(&g->ps.program->instrs.at[j]) && !instr_is_modifier(&g->old.program->instrs.at[k]);
}

/* Finds the result lane of the new FP as which a lane of old instruction k is kept.  Sets `*taken` if another old instruction is or
 * should be kept as that result.  With `own`, accepts only new instructions that the mover made from k.  Returns false if there is none. */
static bool find_kept_lane(const struct judge *g, uint32_t k, unsigned lane, bool own, struct result *to, bool *taken)
{
	struct value_at const x = trace_value(&g->old, k, lane, WEIGHT_CENTRE);
	bool const used = g->old.used[k] >> lane & 1;
	bool found = false;
	*taken = true;
	EACH_HELD(h, &g->held, &x) {
		if (h->by != BY_PS || g->ps.program->instrs.at[h->instr].op != g->old.program->instrs.at[k].op ||
		    (!used && g->ps.used[h->instr] >> h->lane & 1) || (own && g->origins[h->instr] != k) ||
		    is_folded_into_reader(g, h->instr, k) ||
		    !read_same_values(g, k, (lanes)(1u << lane), h->instr, (lanes)(1u << h->lane)))
			continue;
		uint32_t const by = g->taken[h->instr][h->lane];
		bool const of_another = (by != UINT32_MAX && by != k) || (!own && is_reserved(g, h->instr, k, &x));
		if (found && of_another)
			continue;
		found = true;
		*taken = of_another;
		*to = (struct result){h->instr, h->lane};
		if (by == UINT32_MAX && !of_another) /* no lane is kept as this one yet, so it is preferred */
			break;
	}
	return found;
}

/* Returns the number of interpolated lanes with this value that the FP reads. */
static unsigned count_carriers(const struct trace *t, const struct value_at *x)
{
	unsigned n = 0;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		for (unsigned l = 0; l < LANES; l++) {
			struct value_at there;
			memcpy(there.of, t->run->carrier[c][l], sizeof there.of);
			n += t->carrier[c] & t->run->carried[c] & 1u << l && value_same(&there, x);
		}
	return n;
}

static bool copies_carrier(const struct judge *g, uint32_t k, unsigned lane, const struct value_at *x)
{
	struct trace_read reads[MOST_READS];
	unsigned const n = trace_reads(&g->old, k, (lanes)(1u << lane), WEIGHT_CENTRE, reads);
	bool copies = false;
	for (unsigned r = 0; r < n; r++)
		copies |= (reads[r].file == REG_TEXCOORD || reads[r].file == REG_INPUT) && value_same(&reads[r].value, x);
	return copies;
}

/* Finds a register from which the new FP reads the value: an interpolator, or if `constant` is set, a constant, with a def if `literal` is
 * set and without one if it is not. */
static bool find_read_place(const struct judge *g, const struct value_at *x, bool constant, bool literal, struct outcome_place *to)
{
	EACH_HELD(h, &g->held, x) {
		if (h->by != BY_PS_READ || (h->file == REG_CONST) != constant)
			continue;
		if (constant && (program_decl(g->ps.program, REG_CONST, h->index) != NULL) != literal)
			continue;
		*to = held_place(h, x);
		return true;
	}
	return false;
}

/* Returns true if the constant lane of the FP is a preset: the application computes it. */
static bool is_preset(const struct judge *g, const struct outcome_place *at)
{
	bool preset = false;
	for (uint32_t k = 0; k < g->context->nfolds; k++) {
		const struct folded *f = &g->context->folds[k];
		preset |= f->preset && f->stage == STAGE_PIXEL && f->index == at->index && f->lane == at->lane;
	}
	return preset;
}

static void add_computers(const struct judge *g, const struct value_at *x, struct outcome_instrs *to)
{
	EACH_HELD(h, &g->held, x)
		if (h->by == BY_VS)
			outcome_add_instr(g->arena, to, h->instr);
}

static bool judge_number(const struct judge *g, const struct value_at *x, struct lane_outcome *o)
{
	bool const number = trace_is_number(&g->old, x, &o->number);
	if (find_read_place(g, x, true, true, &o->at))
		o->number = (double)program_decl(g->ps.program, REG_CONST, o->at.index)->value[o->at.lane] * (o->at.negated ? -1 : 1);
	else if (!number || !find_read_place(g, x, false, false, &o->at))
		o->at.file = REG_FILES;
	o->outcome = OUTCOME_FOLDED;
	return number || o->at.file != REG_FILES;
}

/* Sets the outcome OUTCOME_RECOMPUTED, and returns true if that is right: the new FP computes the value by another opcode or from other
 * values.  Only with `any`, counts new instructions that the mover made from another old instruction of the same value. */
static bool judge_recomputed(const struct judge *g, uint32_t k, unsigned lane, const struct value_at *x, bool any, struct lane_outcome *o)
{
	EACH_HELD(h, &g->held, x)
		if (h->by == BY_PS && g->ps.used[h->instr] >> h->lane & 1 && !is_operand_value(&g->ps, h->instr, h->lane) &&
		    !is_folded_into_reader(g, h->instr, k) &&
		    (any || !is_of_another(g, h->instr, k, x)))
			outcome_add_instr(g->arena, &o->ps, h->instr);
	o->outcome = OUTCOME_RECOMPUTED;
	bool const recomputed = o->ps.n && !is_operand_value(&g->old, k, lane);
	o->ps.n = recomputed ? o->ps.n : 0;
	return recomputed;
}

static void add_readers(const struct judge *g, const struct value_at *x, const struct outcome_place *at, struct outcome_instrs *to)
{
	EACH_HELD(h, &g->held, x)
		if (h->by == BY_PS_READ && h->file == at->file && h->index == at->index && h->lane == at->lane)
			outcome_add_instr(g->arena, to, h->instr);
}

/* Returns true if the application computes the value on the way to a preset, and no program of the new pair computes it. */
static bool only_application_computes(const struct judge *g, const struct value_at *x)
{
	return is_held(g, x, BY_APP, BY_APP) && !is_held(g, x, BY_VS, BY_PS);
}

/* Fills the lists of a moved lane: the VP instructions that compute the value x and write it to the interpolator `at`, and the FP
 * instructions that read it there. */
static void name_carrier(const struct judge *g, const struct value_at *x, struct lane_outcome *o)
{
	unsigned const c = machine_carrier(o->at.file, o->at.index);
	o->vs.n = o->ps.n = 0;
	add_computers(g, x, &o->vs);
	outcome_add_instr(g->arena, &o->vs, g->vs.run->writer[MACHINE_CARRIER + c][o->at.lane]);
	add_readers(g, x, &o->at, &o->ps);
}

static bool judge_delivered(const struct judge *g, uint32_t k, unsigned lane, const struct value_at *x, struct lane_outcome *o)
{
	o->outcome = OUTCOME_MOVED;
	bool found = find_read_place(g, x, false, false, &o->at) &&
	             (!copies_carrier(g, k, lane, x) || count_carriers(&g->ps, x) > count_carriers(&g->old, x));
	bool const carried = found;
	found = found || (find_read_place(g, x, true, false, &o->at) && is_preset(g, &o->at));
	o->application = found && (o->at.file == REG_CONST || only_application_computes(g, x));
	if (carried)
		name_carrier(g, x, o);
	else if (found)
		add_readers(g, x, &o->at, &o->ps);
	else
		o->at.file = REG_FILES;
	return found;
}

/* Returns what the readers of the lane became in the new FP, for those readers that have not moved. */
static struct outcome_instrs find_readers(const struct judge *g, uint32_t k, unsigned lane)
{
	struct outcome_instrs to = {0};
	for (uint32_t u = 0; u < g->user[k][lane].n; u++) {
		struct result const user = g->user[k][lane].at[u];
		const struct lane_outcome *o = &g->out->at[user.instr].lane[user.lane];
		if (o->outcome != OUTCOME_MOVED)
			add_instrs(g, &to, &o->ps);
	}
	return to;
}

/* If several interpolators hold the value of a moved lane, chooses the one that the lane's readers read in the new FP. */
static void prefer_readers(const struct judge *g, uint32_t k, unsigned lane)
{
	struct lane_outcome *o = &g->out->at[k].lane[lane];
	struct value_at const x = trace_value(&g->old, k, lane, WEIGHT_CENTRE);
	bool const found = o->outcome == OUTCOME_MOVED && (o->at.file == REG_TEXCOORD || o->at.file == REG_INPUT);
	struct outcome_instrs const readers = found ? find_readers(g, k, lane) : (struct outcome_instrs){0};
	for (uint32_t r = 0; r < readers.n; r++)
		EACH_HELD(h, &g->held, &x)
			if (h->by == BY_PS_READ && h->instr == readers.at[r] && h->file != REG_CONST) {
				o->at = held_place(h, &x);
				name_carrier(g, &x, o);
				return;
			}
}

/* --- values that no place of the new pair holds ------------------------------------------ */

/* Returns true if one of `reads` has a value from which the old lane `of` was computed: the value of an operand, or, for an operand that no
 * place of the kinds `by` and `or` holds, of that operand's operands, and so on. */
static bool made_from(struct judge *g, struct result of, const struct trace_read *reads, unsigned n, enum holder by, enum holder or)
{
	struct trace_read old[MOST_READS];
	double number;
	if (g->visited[of.instr][of.lane] == g->search)
		return false;
	g->visited[of.instr][of.lane] = g->search;
	unsigned const nold = trace_reads(&g->old, of.instr, (lanes)(1u << of.lane), WEIGHT_CENTRE, old);
	bool found = false;
	for (unsigned r = 0; r < nold && !found; r++) {
		if (trace_is_number(&g->old, &old[r].value, &number))
			continue;
		found = is_value_among(&old[r].value, reads, n) ||
		        (old[r].def != UINT32_MAX && !is_held(g, &old[r].value, by, or) &&
		         made_from(g, (struct result){old[r].def, old[r].lane}, reads, n, by, or));
	}
	return found;
}

/* Returns the instructions among `from` that compute the value of the old lane `of`, or read a value from which the lane was computed. */
static struct outcome_instrs find_successors(struct judge *g, struct result of, const struct trace *t, const struct outcome_instrs *from)
{
	bool const pixel = t->run->stage == STAGE_PIXEL;
	struct outcome_instrs to = {0};
	struct value_at const x = trace_value(&g->old, of.instr, of.lane, WEIGHT_CENTRE);
	for (uint32_t k = 0; k < from->n; k++) {
		bool succeeds = false;
		EACH_HELD(h, &g->held, &x)
			succeeds |= h->by == (pixel ? BY_PS : BY_VS) && h->instr == from->at[k];
		for (unsigned weight = 0; weight < WEIGHTS && !succeeds; weight++) {
			if (!side_weighs(t->side, weight))
				continue;
			struct trace_read reads[MOST_READS];
			unsigned const nreads = trace_reads(t, from->at[k], t->used[from->at[k]], weight, reads);
			g->search++;
			succeeds = made_from(g, of, reads, nreads, pixel ? BY_PS : BY_VS, pixel ? BY_PS_READ : BY_VS_READ);
		}
		if (succeeds)
			outcome_add_instr(g->arena, &to, from->at[k]);
	}
	return to;
}

/* The instructions and places that the readers of an old lane became in the new pair. */
struct followers {
	struct outcome_instrs ps, vs;
	struct outcome_places part;
};

static void add_follower(const struct judge *g, struct followers *f, const struct lane_outcome *o)
{
	if (o->outcome == OUTCOME_DEAD || o->outcome == OUTCOME_FOLDED)
		return;
	if (o->outcome != OUTCOME_MOVED)
		add_instrs(g, &f->ps, &o->ps);
	add_instrs(g, &f->vs, &o->vs);
	for (uint32_t k = 0; k < o->part.n; k++)
		outcome_add_place(g->arena, &f->part, o->part.at[k]);
	if (o->outcome == OUTCOME_MOVED && o->at.file != REG_FILES)
		outcome_add_place(g->arena, &f->part, o->at);
}

static struct followers find_followers(const struct judge *g, uint32_t k, unsigned lane)
{
	const struct instr *i = &g->old.program->instrs.at[k];
	struct followers f = {0};
	for (uint32_t u = 0; u < g->user[k][lane].n; u++) {
		struct result const user = g->user[k][lane].at[u];
		add_follower(g, &f, &g->out->at[user.instr].lane[user.lane]);
	}
	if (i->dst.file != REG_TEMP)
		outcome_add_instr(g->arena, &f.ps, g->ps.run->writer[machine_output((enum reg_file)i->dst.file, i->dst.index)][lane]);
	return f;
}

/* Returns true if the lane has moved as part of its readers, which `f` lists.  If VP instructions compute the value x itself, makes them the
 * VP instructions of `f`. */
static bool has_moved_with_readers(const struct judge *g, const struct value_at *x, struct followers *f)
{
	if (f->ps.n || !f->part.n || !(is_held(g, x, BY_VS, BY_VS_READ) || is_held(g, x, BY_APP, BY_APP)))
		return false;
	struct outcome_instrs computers = {0};
	add_computers(g, x, &computers);
	f->vs = computers.n ? computers : f->vs;
	return true;
}

static void judge_rest(struct judge *g, uint32_t k, unsigned lane, const struct value_at *x, struct lane_outcome *o)
{
	struct followers f = find_followers(g, k, lane);
	bool const along = has_moved_with_readers(g, x, &f);
	struct result const here = {k, lane};
	struct outcome_instrs const ps = find_successors(g, here, &g->ps, &f.ps), vs = find_successors(g, here, &g->vs, &f.vs);
	o->part = f.part;
	o->application = along && only_application_computes(g, x);
	o->ps = along || ps.n || vs.n ? ps : f.ps;
	o->vs = along ? f.vs : ps.n || vs.n ? vs : f.vs;
	bool const none = !f.ps.n && !f.vs.n && !f.part.n;
	o->number = (double)NAN;
	o->outcome = along ? OUTCOME_MOVED
	             : none ? (g->literal[k] >> lane & 1 ? OUTCOME_FOLDED : OUTCOME_DEAD)
	                    : ps.n || vs.n ? OUTCOME_MERGED : OUTCOME_REGROUPED;
}

/* --- all together ------------------------------------------------------------------------ */

static void judge_lane(struct judge *g, uint32_t k, unsigned lane)
{
	struct lane_outcome *o = &g->out->at[k].lane[lane];
	struct value_at const x = trace_value(&g->old, k, lane, WEIGHT_CENTRE);
	if (o->ps.n) /* find_all_kept() has found the outcome */
		return;
	o->at.file = REG_FILES;
	if (!(g->old.used[k] >> lane & 1)) {
		o->outcome = OUTCOME_DEAD;
		return;
	}
	if (judge_number(g, &x, o))
		return;
	o->outcome = g->literal[k] >> lane & 1 ? OUTCOME_FOLDED : OUTCOME_DEAD;
	o->number = (double)NAN;
	if (g->old.needed[k] >> lane & 1 && !judge_recomputed(g, k, lane, &x, false, o) && !judge_delivered(g, k, lane, &x, o) &&
	    !judge_recomputed(g, k, lane, &x, true, o))
		judge_rest(g, k, lane, &x, o);
}

/* Returns true if texkill j of the new FP kills the same pixels as texkill k of the old one.  Two nops always have the same effect. */
static bool same_effect(const struct judge *g, uint32_t k, uint32_t j)
{
	uint32_t at[2] = {0, 0};
	if (g->old.program->instrs.at[k].op != OP_TEXKILL)
		return true;
	while (g->old.run->killer[at[0]] != k)
		at[0]++;
	while (g->ps.run->killer[at[1]] != j)
		at[1]++;
	return kill_is_same(g->old.run, at[0], g->ps.run, at[1]);
}

/* Returns the new instruction that the mover made from old texkill or nop k and that has the same effect; UINT32_MAX if there is none. */
static uint32_t find_own_effect(const struct judge *g, uint32_t k)
{
	uint32_t found = UINT32_MAX;
	for (uint32_t j = 0; j < g->ps.program->instrs.n && g->origins; j++)
		if (g->origins[j] == k && g->ps.program->instrs.at[j].op == g->old.program->instrs.at[k].op && same_effect(g, k, j))
			found = j;
	return found;
}

/* Finds the outcome of a texkill or a nop. */
static void judge_effect(struct judge *g, uint32_t k)
{
	const struct program *new = g->ps.program;
	struct lane_outcome *o = &g->out->at[k].lane[0];
	struct trace_read reads[MOST_READS];
	unsigned const n = trace_reads(&g->old, k, 0, WEIGHT_CENTRE, reads);
	bool kept = false, kills = false;
	uint32_t const own = find_own_effect(g, k);
	o->at.file = REG_FILES;
	if (own != UINT32_MAX) {
		o->outcome = OUTCOME_KEPT;
		outcome_add_instr(g->arena, &o->ps, own);
		return;
	}
	for (uint32_t j = 0; j < new->instrs.n; j++) {
		struct trace_read there[MOST_READS];
		bool const of_another = g->origins && g->origins[j] != UINT32_MAX && g->origins[j] != k;
		if (new->instrs.at[j].op != g->old.program->instrs.at[k].op || (n == 0 && of_another))
			continue;
		unsigned const nthere = trace_reads(&g->ps, j, 0, WEIGHT_CENTRE, there);
		bool some = n == 0;
		for (unsigned r = 0; r < n; r++)
			some |= is_value_among(&reads[r].value, there, nthere);
		bool const same = same_effect(g, k, j);
		if (some || same)
			outcome_add_instr(g->arena, &o->ps, j);
		kept |= same && !of_another;
	}
	for (unsigned r = 0; r < n; r++)
		kills |= !kill_never(g->old.run, 0, reads[r].value.of[0]);
	o->outcome = kept ? OUTCOME_KEPT : !kills ? OUTCOME_DEAD : o->ps.n ? OUTCOME_MERGED : OUTCOME_REGROUPED;
	o->ps.n = o->outcome == OUTCOME_DEAD ? 0 : o->ps.n;
}

/* Notes the outcome of lane l of old instruction k if a new instruction computes it in the same way: kept as that one, or, if another old
 * instruction is kept as that one, moved or merged.  With `own`, accepts only new instructions that the mover made from k. */
static void note_kept(struct judge *g, uint32_t k, unsigned l, bool own)
{
	struct result there;
	struct lane_outcome *o = &g->out->at[k].lane[l];
	bool taken;
	if (!(g->out->at[k].written >> l & 1) || o->ps.n || !find_kept_lane(g, k, l, own, &there, &taken) || (own && taken))
		return;
	struct value_at const x = trace_value(&g->old, k, l, WEIGHT_CENTRE);
	if (taken && g->old.needed[k] >> l & 1 && judge_delivered(g, k, l, &x, o))
		return;
	o->outcome = taken ? OUTCOME_MERGED : OUTCOME_KEPT;
	o->at.file = REG_FILES;
	outcome_add_instr(g->arena, &o->ps, there.instr);
	if (!taken)
		g->taken[there.instr][there.lane] = k;
}

/* Finds the old lanes that are kept: first as new instructions that the mover made from them, then as any other. */
static void find_all_kept(struct judge *g)
{
	for (unsigned pass = g->origins ? 0 : 1; pass < 2; pass++)
		for (uint32_t k = 0; k < g->out->n; k++)
			for (unsigned l = 0; l < LANES; l++)
				note_kept(g, k, l, pass == 0);
}

static void find_users(struct judge *g)
{
	struct trace_read reads[MOST_READS];
	for (uint32_t k = 0; k < g->out->n; k++) {
		for (unsigned l = 0; l < LANES; l++) {
			lanes const lane = g->out->at[k].written & (lanes)(1u << l);
			bool const effect = l == 0 && !g->out->at[k].written;
			unsigned const n = g->old.needed[k] & lane || effect ? trace_reads(&g->old, k, lane, WEIGHT_CENTRE, reads) : 0;
			for (unsigned r = 0; r < n; r++)
				if (reads[r].def != UINT32_MAX)
					VEC_PUSH(g->arena, &g->user[reads[r].def][reads[r].lane]) = (struct result){k, l};
		}
	}
}

static void find_literal_lanes(struct judge *g)
{
	struct trace_read reads[MOST_READS];
	for (uint32_t k = 0; k < g->out->n; k++) {
		bool const texture = ops[g->old.program->instrs.at[k].op].flags & OPF_TEX;
		for (unsigned l = 0; l < LANES; l++) {
			lanes const lane = g->out->at[k].written & (lanes)(1u << l);
			unsigned const n = lane && !texture ? trace_reads(&g->old, k, lane, WEIGHT_CENTRE, reads) : 0;
			bool literal = n > 0;
			for (unsigned r = 0; r < n; r++)
				literal &= reads[r].def != UINT32_MAX
				                   ? g->literal[reads[r].def] >> reads[r].lane & 1
				                   : reads[r].file == REG_CONST && program_decl(g->old.program, REG_CONST, reads[r].index) != NULL;
			g->literal[k] |= literal ? lane : 0;
		}
	}
}

/* Sets `delivered` of the lanes that the new FP computes although an interpolator brings the value. */
static void find_delivered(struct judge *g)
{
	struct outcome_place at;
	for (uint32_t k = 0; k < g->out->n; k++)
		for (unsigned l = 0; l < LANES; l++) {
			if (!(g->out->at[k].written >> l & 1))
				continue;
			struct lane_outcome *o = &g->out->at[k].lane[l];
			struct value_at const x = trace_value(&g->old, k, l, WEIGHT_CENTRE);
			o->delivered = (o->outcome == OUTCOME_KEPT || o->outcome == OUTCOME_RECOMPUTED) &&
			               (find_read_place(g, &x, false, false, &at) || copies_carrier(g, k, l, &x));
		}
}

/* Sets the outcome of each instruction: its lanes' outcome, or OUTCOME_PART if these differ.  Counts the instructions that moved. */
static void sum_up_lanes(struct outcomes *all)
{
	for (uint32_t k = 0; k < all->n; k++) {
		struct instr_outcome *i = &all->at[k];
		i->outcome = i->lane[first_lane(i->written ? i->written : MASK_X)].outcome;
		for (unsigned l = 0; l < LANES; l++)
			if (i->written >> l & 1 && i->lane[l].outcome != i->outcome)
				i->outcome = OUTCOME_PART;
		all->moved += i->outcome == OUTCOME_MOVED;
	}
}

static struct outcomes *judge_all(struct judge *g)
{
	uint32_t const n = g->old.program->instrs.n, nps = g->ps.program->instrs.n;
	g->out = arena_zero(g->arena, sizeof *g->out);
	*g->out = (struct outcomes){.n = n, .at = arena_zero(g->arena, (n + 1) * sizeof *g->out->at)};
	g->user = arena_zero(g->arena, (n + 1) * sizeof *g->user);
	g->visited = arena_zero(g->arena, (n + 1) * sizeof *g->visited);
	g->literal = arena_zero(g->arena, n + 1);
	g->taken = arena_alloc(g->arena, (nps + 1) * sizeof *g->taken);
	memset(g->taken, -1, (nps + 1) * sizeof *g->taken);
	for (uint32_t k = 0; k < n; k++)
		g->out->at[k].written = instr_writes(&g->old.program->instrs.at[k]);
	find_users(g);
	find_literal_lanes(g);
	find_all_kept(g);
	for (uint32_t k = n; k-- > 0;) {
		for (unsigned l = 0; l < LANES; l++)
			if (g->out->at[k].written >> l & 1) {
				judge_lane(g, k, l);
				prefer_readers(g, k, l);
			}
		if (!g->out->at[k].written)
			judge_effect(g, k);
	}
	find_delivered(g);
	sum_up_lanes(g->out);
	return g->out;
}

const struct outcomes *outcomes_of_straight(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c,
                                            const uint32_t *origins)
{
	struct side *sides = arena_alloc(arena, 2 * sizeof *sides);
	if (!prove_by(arena, old, new, c, sides, true).equal)
		return NULL;
	struct judge g = {.arena = arena, .context = c, .origins = origins, .old = trace_new(arena, old.ps, &sides[0], NULL),
	                  .ps = trace_new(arena, new.ps, &sides[1], NULL)};
	g.vs = trace_new(arena, new.vs, &sides[1], g.ps.carrier);
	g.held = held_find_all(arena, &g.ps, &g.vs, c);
	return judge_all(&g);
}
