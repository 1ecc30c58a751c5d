/* Says what became of each line, see explain.h. */
#include "cli/explain.h"

#include "cli/fit.h"
#include "lang/print.h"

#include <math.h>
#include <string.h>

bool explain_counts_slots(const struct run *r)
{
	return strcmp(run_target_name(r->options), targets[TARGET_SLOTS].name) == 0;
}

/* Returns one of three clauses why a move does not pay: `unknown` if the plan is not known to be optimal, else `slots` if the target counts
 * slots, else `target` with the target's name. */
static const char *why_of_cost(const struct run *r, const char *slots, const char *target, const char *unknown)
{
	if (!r->moved->optimal)
		return arena_printf(r->arena, "%s%s", unknown, r->moved->nodes ? " (see --effort)" : "");
	return explain_counts_slots(r) ? slots : arena_printf(r->arena, "%s for %s", target, run_target_name(r->options));
}

/* Returns a clause that says why lanes with that verdict (enum verdict) stay in the pixel program. */
static const char *why_verdict(const struct run *r, unsigned verdict)
{
	return verdict != MOVE_COST ? verdicts[verdict].why
	                            : why_of_cost(r, "moving it takes as many pixel slots as it saves",
	                                          "moving it makes no pixel cheaper", "no cheaper plan that moves it was found");
}

static const char *no_move_pays(const struct run *r)
{
	return why_of_cost(r, "every move takes as many pixel slots as it saves", "no move makes a pixel cheaper",
	                   "no cheaper plan was found");
}

const char *explain_why_unchanged(const struct run *r)
{
	static const char ties[] = "work that could move feeds a comparison that must stay exact (see --free-ties)";
	if (!r->moved)
		return r->stays ? r->stays : r->options->move.level ? ties : "nothing moves at -O0";
	/* Verdicts of work that could move but does not, which explain more than those of work that cannot move.  The first one that some lane
	 * has decides. */
	static const uint8_t telling[] = {MOVE_BUDGET_MOVES, MOVE_BUDGET_SLOTS, MOVE_BUDGET_TEMPS, MOVE_BUDGET_CONSTS,
	                                  MOVE_BUDGET_INDEXED, MOVE_BUDGET_PRESETS, MOVE_BUDGET_MODEL, MOVE_BUDGET_EFFORT,
	                                  MOVE_BUDGET_INTERP, MOVE_DROP_IN, MOVE_WITHHELD, MOVE_DEPTH, MOVE_KIND, MOVE_VP_STAYS, MOVE_COST, MOVE_REMADE,
	                                  MOVE_NOT_A3, MOVE_COLOUR, MOVE_TIE, MOVE_QUOTIENT};
	for (unsigned v = 0; v < sizeof telling; v++)
		for (uint32_t k = 0; k < r->ps->instrs.n; k++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (r->moved->fates[k].lane[lane] == telling[v] && instr_writes(&r->ps->instrs.at[k]) >> lane & 1)
					return telling[v] == MOVE_COST || telling[v] == MOVE_REMADE ? no_move_pays(r)
					       : telling[v] == MOVE_TIE ? ties : verdicts[telling[v]].why;
	return "nothing in the pixel program can move, and all of it is needed";
}

/* Returns true if two lanes of an instruction share outcome, reason, register and sign, and for folded lanes the number. */
static bool belongs_to_group(const struct said *a, const struct said *b)
{
	bool const both = isnan(a->number) == isnan(b->number) && !(a->number < b->number) && !(a->number > b->number);
	bool const number = a->outcome != OUTCOME_FOLDED || both;
	return a->outcome == b->outcome && a->verdict == b->verdict && a->at.file == b->at.file && a->at.index == b->at.index &&
	       a->at.negated == b->at.negated && a->application == b->application && number;
}

static void add_to_group(struct arena *a, struct said *s, lanes lane, const struct lane_outcome *o)
{
	s->lanes |= lane;
	for (uint32_t k = 0; k < o->vs.n; k++)
		outcome_add_instr(a, &s->vs, o->vs.at[k]);
	for (uint32_t k = 0; k < o->ps.n; k++)
		outcome_add_instr(a, &s->ps, o->ps.at[k]);
	for (uint32_t k = 0; k < o->part.n; k++)
		outcome_add_place(a, &s->part, o->part.at[k]);
}

/* Returns true if an interpolator carries the lane although a budget keeps its instruction in the FP; at -O1, if this is true of all lanes of
 * the instruction. */
static bool is_delivered_over_budget(const struct run *r, uint32_t instr, unsigned lane)
{
	const struct instr_outcome *i = &r->outcomes->at[instr];
	bool delivered = i->lane[lane].delivered;
	for (unsigned l = 0; l < LANES && run_plan_level(r) == 1; l++)
		delivered &= !(i->written >> l & 1) || i->lane[l].delivered;
	return delivered;
}

static uint8_t verdict_of(const struct run *r, uint32_t instr, unsigned lane)
{
	const struct fate *f = &r->moved->fates[instr];
	uint8_t const verdict = r->outcomes->at[instr].written ? f->lane[lane] : f->verdict;
	bool const budget = verdict >= MOVE_BUDGET_SLOTS && verdict <= MOVE_BUDGET_MOVES;
	return verdict == MOVE_MOVED || (budget && is_delivered_over_budget(r, instr, lane)) ? MOVE_REMADE : verdict;
}

unsigned explain_lanes(const struct run *r, uint32_t instr, struct said to[LANES])
{
	const struct instr_outcome *i = &r->outcomes->at[instr];
	unsigned n = 0;
	for (unsigned lane = 0; lane < (i->written ? LANES : 1); lane++) {
		const struct lane_outcome *o = &i->lane[lane];
		struct said const one = {.outcome = o->outcome, .verdict = VERDICTS, .at = o->at, .application = o->application,
		                         .number = o->number};
		if (i->written && !(i->written >> lane & 1))
			continue;
		to[n] = one;
		if (r->moved && said_stays(&one))
			to[n].verdict = verdict_of(r, instr, lane);
		unsigned k = 0;
		while (!belongs_to_group(&to[k], &to[n]))
			k++;
		n += k == n;
		add_to_group(r->arena, &to[k], (lanes)(i->written & 1u << lane), o);
	}
	return n;
}

const char *said_rule(const struct said *s)
{
	return s->verdict < VERDICTS ? verdicts[s->verdict].rule : "unchanged";
}

const char *said_why(const struct run *r, const struct said *s)
{
	return s->verdict < VERDICTS ? why_verdict(r, s->verdict) : explain_why_unchanged(r);
}

unsigned said_because(const struct run *r, uint32_t instr, const struct said *s)
{
	if (s->verdict != MOVE_DEPENDS || r->moved->fates[instr].because >= r->ps->instrs.n)
		return 0;
	return source_line(r->ps->source, r->ps->instrs.at[r->moved->fates[instr].because].at);
}

bool said_place(struct text *t, const struct run *r, uint32_t instr, const struct said *s)
{
	if (s->at.file == REG_FILES)
		return false;
	print_register(t, r->ps_new, (enum reg_file)s->at.file, s->at.index);
	text_char(t, '.');
	for (unsigned lane = 0; lane < LANES; lane++)
		if (s->lanes >> lane & 1)
			text_char(t, "xyzw"[r->outcomes->at[instr].lane[lane].at.lane]);
	return true;
}

bool said_part(struct text *t, const struct run *r, const struct said *s, unsigned k)
{
	const struct outcome_places *part = &s->part;
	for (uint32_t i = 0; i < part->n; i++) {
		bool const next = i > 0 && part->at[i].file == part->at[i - 1].file && part->at[i].index == part->at[i - 1].index;
		if (!next && k-- == 0) {
			print_register(t, r->ps_new, (enum reg_file)part->at[i].file, part->at[i].index);
			text_char(t, '.');
			for (uint32_t j = i; j < part->n && part->at[j].file == part->at[i].file && part->at[j].index == part->at[i].index; j++)
				text_char(t, "xyzw"[part->at[j].lane]);
			return true;
		}
	}
	return false;
}

static unsigned count_lines(const struct text *t)
{
	unsigned n = 0;
	for (size_t i = 0; i < t->n; i++)
		n += t->at[i] == '\n';
	return n;
}

unsigned explain_first_line(const struct run *r, enum stage stage)
{
	bool const pixel = stage == STAGE_PIXEL, vertex_first = r->vs->at <= r->ps->at;
	const struct source *written = pixel ? r->ps_written : r->vs_written;
	bool const one_file = r->vs->source == r->ps->source && strcmp(r->vs->source->name, "-") != 0;
	if (written)
		return source_line(written, (srcpos)strspn(written->text, " \t\r\n"));
	return (one_file || r->options->one_text) && pixel == vertex_first ? count_lines(pixel ? &r->vs_text : &r->ps_text) + 2 : 1;
}

unsigned explain_new_line(const struct run *r, enum stage stage, uint32_t instr)
{
	bool const pixel = stage == STAGE_PIXEL;
	const struct program *p = pixel ? r->ps_new : r->vs_new;
	const struct source *written = pixel ? r->ps_written : r->vs_written;
	/* A program that was parsed alone has lines counted from its own start; otherwise they are lines of the file with both programs. */
	bool const alone = p->source->size == (pixel ? r->ps_text : r->vs_text).n;
	if (written)
		return source_line(written, p->instrs.at[instr].at);
	return source_line(p->source, p->instrs.at[instr].at) + (alone ? explain_first_line(r, stage) - 1 : 0);
}

/* Writes the line numbers of instructions in a new program: " FP 3, 7". */
static void new_lines(struct text *t, const struct run *r, enum stage stage, const struct outcome_instrs *instrs)
{
	for (uint32_t k = 0; k < instrs->n; k++)
		text_printf(t, "%s%u", k ? ", " : stage == STAGE_PIXEL ? " FP " : " VP ", explain_new_line(r, stage, instrs->at[k]));
}

static void explain_parts(struct text *t, const struct run *r, const struct said *s)
{
	struct text one = {.arena = t->arena};
	for (unsigned k = 0; said_part(&one, r, s, k); k++, one.n = 0)
		text_printf(t, "%s%s", k ? ", " : " part of ", one.at);
}

static void explain_moved(struct text *t, const struct run *r, uint32_t instr, const struct said *s)
{
	if (s->at.file == REG_FILES) {
		explain_parts(t, r, s);
	} else {
		text_string(t, s->at.negated ? " to -" : " to ");
		said_place(t, r, instr, s);
	}
	text_string(t, s->application ? " by the preshader" : "");
	text_string(t, s->vs.n ? "," : "");
	new_lines(t, r, STAGE_VERTEX, &s->vs);
}

static void explain_folded(struct text *t, const struct run *r, uint32_t instr, const struct said *s)
{
	if (isfinite((float)s->number)) {
		text_char(t, ' ');
		print_float(t, (float)s->number);
	}
	if (s->at.file == REG_FILES)
		return;
	text_string(t, s->at.negated ? " in -" : " in ");
	said_place(t, r, instr, s);
}

static void explain_stays(struct text *t, const struct run *r, uint32_t instr, const struct said *s)
{
	new_lines(t, r, STAGE_PIXEL, &s->ps);
	unsigned const needed = said_because(r, instr, s);
	text_string(t, r->moved ? arena_printf(t->arena, ", %s: ", said_rule(s)) : ", ");
	text_string(t, needed ? arena_printf(t->arena, "needs line %u", needed) : said_why(r, s));
}

/* Writes the rest of an explanation, which follows the name of the outcome: " to t1.xy, VP 12" after "moved". */
static void explain_said(struct text *t, const struct run *r, uint32_t instr, const struct said *s)
{
	switch ((enum outcome)s->outcome) {
	case OUTCOME_KEPT:
	case OUTCOME_RECOMPUTED: explain_stays(t, r, instr, s); break;
	case OUTCOME_MOVED: explain_moved(t, r, instr, s); break;
	case OUTCOME_FOLDED: explain_folded(t, r, instr, s); break;
	case OUTCOME_MERGED:
	case OUTCOME_REGROUPED:
		new_lines(t, r, STAGE_PIXEL, &s->ps);
		text_string(t, s->ps.n && s->vs.n ? "," : "");
		new_lines(t, r, STAGE_VERTEX, &s->vs);
		break;
	case OUTCOME_DEAD:
	case OUTCOME_PART:
	case OUTCOMES: break;
	}
}

void explain_instr(struct text *t, const struct run *r, uint32_t instr)
{
	struct said said[LANES];
	unsigned const n = explain_lanes(r, instr, said);
	text_printf(t, n == 1 ? "%s" : "%-10s", outcome_names[r->outcomes->at[instr].outcome]);
	if (n == 1 && r->outcomes->at[instr].outcome != OUTCOME_DEAD)
		text_printf(t, "%*s", 10 - (int)strlen(outcome_names[r->outcomes->at[instr].outcome]), "");
	for (unsigned k = 0; k < n; k++) {
		if (n > 1) {
			text_string(t, k ? "; ." : " .");
			print_lanes(t, said[k].lanes);
			text_printf(t, " %s", outcome_names[said[k].outcome]);
		}
		explain_said(t, r, instr, &said[k]);
	}
}

void explain_legend(struct text *t, const struct run *r)
{
	struct said said[LANES];
	bool any = false;
	for (uint32_t k = 0; k < r->ps->instrs.n && !any; k++)
		for (unsigned n = explain_lanes(r, k, said); n > 0; n--)
			any |= said_stays(&said[n - 1]) && said_because(r, k, &said[n - 1]);
	if (any)
		text_string(t, "needs line N: " FIT_HANG "the line uses a value of line N, which stays in the pixel program\n");
}
