/* Writes the JSON report; scripts rely on its keys. */
#include "cli/report.h"

#include "cli/explain.h"
#include "cli/message.h"
#include "cli/validate.h"
#include "fpmove.h"
#include "hints.h"
#include "lang/print.h"
#include "verify/interp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *two(unsigned before, unsigned after)
{
	return json_pack("[i,i]", (int)before, (int)after);
}

const char *report_status(enum run_status s)
{
	static const char *const names[] = {[RUN_IMPROVED] = "improved", [RUN_UNCHANGED] = "unchanged", [RUN_REJECTED] = "rejected",
	                                    [RUN_FAILED] = "failed", [RUN_NO_MEMORY] = "failed"};
	return names[s];
}

static json_t *lanes_text(struct arena *a, lanes l)
{
	struct text t = {.arena = a};
	print_lanes(&t, l);
	return json_string(t.at ? t.at : "");
}

static void add_text(json_t *to, const char *key, const struct text *t)
{
	json_object_set_new(to, key, json_stringn(t->n ? t->at : "", t->n));
}

static void add_new_lines(const struct run *r, json_t *to, const char *key, enum stage stage, const struct outcome_instrs *instrs)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < instrs->n; k++)
		json_array_append_new(list, json_integer(explain_new_line(r, stage, instrs->at[k])));
	if (instrs->n)
		json_object_set(to, key, list);
	json_decref(list);
}

static void add_places(const struct run *r, json_t *to, uint32_t instr, const struct said *s)
{
	struct text place = {.arena = r->arena};
	json_t *parts = json_array();
	if (said_place(&place, r, instr, s))
		add_text(to, "at", &place);
	if (s->at.file != REG_FILES && s->at.negated)
		json_object_set_new(to, "negated", json_true());
	for (unsigned k = 0; place.n = 0, said_part(&place, r, s, k); k++)
		json_array_append_new(parts, json_stringn(place.at, place.n));
	if (json_array_size(parts))
		json_object_set(to, "part_of", parts);
	json_decref(parts);
}

static void add_reason(const struct run *r, json_t *to, uint32_t instr, const struct said *s)
{
	json_object_set_new(to, "rule", json_string(said_rule(s)));
	json_object_set_new(to, "why", json_string(said_why(r, s)));
	if (said_because(r, instr, s))
		json_object_set_new(to, "because", json_integer(said_because(r, instr, s)));
}

static json_t *lanes_entry(const struct run *r, uint32_t instr, const struct said *s)
{
	json_t *entry = json_object();
	if (s->lanes)
		json_object_set_new(entry, "lanes", lanes_text(r->arena, s->lanes));
	json_object_set_new(entry, "outcome", json_string(outcome_names[s->outcome]));
	add_places(r, entry, instr, s);
	if (s->application)
		json_object_set_new(entry, "preshader", json_true());
	if (s->outcome == OUTCOME_FOLDED && isfinite(s->number))
		json_object_set_new(entry, "value", json_real(s->number));
	add_new_lines(r, entry, "vs_lines", STAGE_VERTEX, &s->vs);
	add_new_lines(r, entry, "ps_lines", STAGE_PIXEL, &s->ps);
	if (said_stays(s))
		add_reason(r, entry, instr, s);
	return entry;
}

/* Returns the list `lines` of a pair: the outcome of each instruction of the given pixel program. */
static json_t *lines_of(const struct run *r)
{
	json_t *list = json_array();
	struct text text = {.arena = r->arena};
	for (uint32_t k = 0; r->outcomes && k < r->ps->instrs.n; k++, text.n = 0) {
		struct said said[LANES];
		unsigned const n = explain_lanes(r, k, said);
		json_t *entries = json_array();
		for (unsigned i = 0; i < n; i++)
			json_array_append_new(entries, lanes_entry(r, k, &said[i]));
		print_instr(&text, r->ps, &r->ps->instrs.at[k]);
		json_array_append_new(list, json_pack("{s:i,s:s,s:s,s:o}", "line", (int)source_line(r->ps->source, r->ps->instrs.at[k].at),
		                                      "text", text.at, "outcome", outcome_names[r->outcomes->at[k].outcome], "lanes",
		                                      entries));
	}
	return list;
}

/* Adds an entry for those lanes of instruction k that the VP or the application now computes, if there are any. */
static void add_moved(const struct run *r, uint32_t k, json_t *moved)
{
	const struct instr_outcome *i = &r->outcomes->at[k];
	struct text text = {.arena = r->arena};
	lanes all = 0, presets = 0;
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (!(i->written >> lane & 1) || i->lane[lane].outcome != OUTCOME_MOVED)
			continue;
		all |= (lanes)(1u << lane);
		presets |= i->lane[lane].application ? (lanes)(1u << lane) : 0;
	}
	if (!all)
		return;
	print_instr(&text, r->ps, &r->ps->instrs.at[k]);
	json_t *entry = json_pack("{s:i,s:s,s:o}", "line", (int)source_line(r->ps->source, r->ps->instrs.at[k].at), "text", text.at,
	                          "lanes", lanes_text(r->arena, all));
	if (presets)
		json_object_set_new(entry, "preshader", lanes_text(r->arena, presets));
	json_array_append_new(moved, entry);
}

/* Adds an entry with the reason for each group of lanes of instruction k that the FP still computes. */
static void add_lanes_that_stay(const struct run *r, uint32_t k, json_t *kept)
{
	struct said said[LANES];
	unsigned const n = explain_lanes(r, k, said);
	for (unsigned i = 0; i < n; i++) {
		if (!said_stays(&said[i]))
			continue;
		json_t *entry = json_pack("{s:i}", "line", (int)source_line(r->ps->source, r->ps->instrs.at[k].at));
		add_reason(r, entry, k, &said[i]);
		if (said[i].lanes != r->outcomes->at[k].written)
			json_object_set_new(entry, "lanes", lanes_text(r->arena, said[i].lanes));
		json_array_append_new(kept, entry);
	}
}

static json_t *diagnostics(const struct run *r)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < r->diags.n; k++) {
		const struct diag *d = &r->diags.at[k];
		json_t *j = json_pack("{s:s,s:o}", "severity", severity_names[d->severity], "text", report_string(r->arena, d->text));
		if (d->rule)
			json_object_set_new(j, "rule", report_string(r->arena, d->rule));
		if (d->source)
			json_object_set_new(j, "file", report_name(r->arena, shown_name(d->source->name)));
		if (d->source && d->at != SRCPOS_NONE) {
			struct place p = source_place(d->source, d->at);
			json_object_set_new(j, "file", report_name(r->arena, shown_name(p.file)));
			json_object_set_new(j, "line", json_integer(p.line));
			json_object_set_new(j, "column", json_integer(p.column));
		}
		json_array_append_new(list, j);
	}
	return list;
}

/* Returns the file name of program `p` or, if that is NULL, as for a file that could not be parsed, of source number `fallback`. */
static json_t *program_file_name(const struct run *r, const struct program *p, uint32_t fallback)
{
	const struct source *s = p ? p->source : fallback < r->nsources ? &r->sources[fallback] : NULL;
	return s ? report_name(r->arena, shown_name(s->name)) : json_null();
}

/* Lists the constants that the application computes if `preset`, else the new literals that fpmove computed from constants.  Each has its
 * expression as assembly that writes r0. */
static json_t *computed(const struct run *r, bool preset)
{
	json_t *list = json_array();
	for (uint32_t k = 0, past; k < r->needs.folds.n; k = past) {
		const struct folded *f = &r->needs.folds.at[k];
		lanes l = 0;
		for (past = k; past < r->needs.folds.n && f[past - k].expr == f->expr && f[past - k].index == f->index &&
		               f[past - k].stage == f->stage; past++)
			l |= (lanes)(1u << f[past - k].lane);
		if (f->preset != preset)
			continue;
		struct text code = {.arena = r->arena};
		print_program(&code, f->expr);
		json_array_append_new(list, json_pack("{s:i,s:o,s:s}", f->stage == STAGE_VERTEX ? "vs" : "ps", f->index, "lanes",
		                                      lanes_text(r->arena, l), "code", code.at));
	}
	return list;
}

/* Lists the samplers of which a hardware depth texture may be read, so that the .z of the coordinates must keep its value. */
static json_t *depth_samplers_of(const struct run *r)
{
	json_t *list = json_array();
	for (int s = 0; s < 16; s++)
		if (r->drawn_depths >> s & 1)
			json_array_append_new(list, json_integer(s));
	return list;
}

static json_t *measured(const struct measured *m)
{
	static const char *const results[] = {[MEASURED_WITHIN] = "within", [MEASURED_PARTLY] = "partly",
	                                      [MEASURED_TOO_FEW] = "too few", [MEASURED_TOO_FAR] = "too far"};
	return json_pack("{s:s,s:I,s:I}", "result", results[measured_verdict(m)], "pixels", (json_int_t)m->pixels, "compared",
	                 (json_int_t)m->compared);
}

static json_t *validated(struct arena *a, const struct validated *v)
{
	json_t *j = json_pack("{s:s,s:o,s:I,s:I,s:I,s:I}", "result", v->result, "adapter", report_string(a, v->adapter), "images", (json_int_t)v->images,
	                      "pixels", (json_int_t)v->pixels, "beyond", (json_int_t)v->beyond, "flips", (json_int_t)v->flips);
	if (*v->why)
		json_object_set_new(j, strcmp(v->result, "same") == 0 ? "worst" : "why", report_string(a, v->why));
	return j;
}

static json_t *words(const char *some)
{
	json_t *list = json_array();
	for (size_t n; some && *some; some += n + (some[n] == ' ')) {
		n = strcspn(some, " ");
		json_array_append_new(list, json_stringn(some, n));
	}
	return list;
}

static json_t *budgets_of(const struct hint *h)
{
	json_t *names = json_array();
	for (unsigned kind = 0; kind < HINTS; kind++)
		if (h->kinds >> kind & 1)
			json_array_append_new(names, json_string(hint_infos[kind].name));
	return names;
}

static json_t *hints_of(const struct run *r)
{
	json_t *list = json_array();
	for (uint32_t k = 0; r->hints && k < r->hints->n; k++) {
		const struct hint *h = &r->hints->at[k];
		struct text what = {.arena = r->arena}, why = {.arena = r->arena};
		hint_text(&what, r, h);
		hint_why(&why, h);
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:b,s:i,s:f,s:i,s:i,s:s,s:s}", "budgets", budgets_of(h), "with",
		                                      words(h->with), "without", words(h->without), "vs_2_0", h->as_vs_2_0, "saves",
		                                      (int)h->saves, "saves_cost", h->saves_cost, "vs_slots", (int)h->vs_slots,
		                                      "pairs", (int)h->pairs, "text", what.at, "why", why.at));
	}
	return list;
}

/* Lists, for each target that --target names, the cost of a pixel before and after, and the pixels per vertex from which on the new pair is
 * cheaper. */
static json_t *estimates_of(const struct run *r)
{
	json_t *list = json_array();
	struct estimate of[TARGETS];
	unsigned const n = run_estimates(r, r->options->told, of);
	for (unsigned k = 0; k < n; k++) {
		const struct target *t = of[k].target;
		json_t *one = json_pack("{s:s,s:s,s:[f,f],s:o}", "target", t->name, "unit", t->unit, "pixel", of[k].pixel.before, of[k].pixel.after,
		                        "pays_from", isinf(of[k].pays_from) ? json_null() : json_real(of[k].pays_from));
		if (t->error)
			json_object_set_new(one, "error", json_integer(t->error));
		json_array_append_new(list, one);
	}
	return list;
}

json_t *report_pair(const struct run *r)
{
	bool done = run_is_done(r);
	const struct measure *v0 = &r->vs_before, *p0 = &r->ps_before;
	/* A pair that is not done is not written: its new figures are the old ones. */
	const struct measure *v1 = done ? &r->vs_after : v0, *p1 = done ? &r->ps_after : p0;
	json_t *moved = json_array(), *kept = json_array(), *consts = json_array();
	for (uint32_t k = 0; done && r->outcomes && k < r->outcomes->n; k++) {
		add_moved(r, k, moved);
		add_lanes_that_stay(r, k, kept);
	}
	for (uint32_t k = 0; done && k < r->needs.consts.n; k++) {
		const struct const_map *map = &r->needs.consts.at[k];
		json_t *entry = json_pack("{s:i,s:i,s:s*}", "vs", map->vs, "ps", map->ps, "name", map->name);
		if (map->by_name)
			json_object_set_new(entry, "by_name", json_true());
		json_array_append_new(consts, entry);
	}
	json_t *vs = json_pack("{s:o,s:o,s:o,s:o}", "file", program_file_name(r, r->vs, r->ps ? 1 : 0), "slots",
	                       two(v0->slots, v1->slots), "temps", two(v0->temps, v1->temps), "consts",
	                       two(v0->consts, v1->consts));
	json_t *ps = json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "file", program_file_name(r, r->ps, r->nsources - 1), "slots",
	                       two(p0->slots, p1->slots), "arith", two(p0->arith, p1->arith), "tex",
	                       two(p0->tex, p1->tex), "dependent_reads", two(p0->order, p1->order), "temps",
	                       two(p0->temps, p1->temps));
	json_t *proof = r->proved ? json_pack("{s:s,s:i}", "result", r->proof.equal ? "equal" : "different", "trials",
	                                      (int)r->proof.trials)
	                          : json_pack("{s:s,s:i}", "result", "none", "trials", 0);
	json_t *pair = json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "status", report_status(r->status), "vs", vs, "ps",
	                         ps, "interpolators", two(p0->inputs, p1->inputs), "moved", moved, "kept", kept,
	                         "constants", consts, "proof", proof);
	json_object_set_new(pair, "lines", lines_of(r));
	const struct move_result *result = r->moved;
	json_t *plan = json_pack("{s:b,s:i}", "optimal", result && result->optimal, "nodes", result ? (int)result->nodes : 0);
	if (result && result->gap)
		json_object_set_new(plan, "gap", json_integer((json_int_t)result->gap));
	if (done) {
		json_object_set_new(plan, "level", json_integer(run_plan_level(r)));
		struct costs const cost = r->ps ? run_costs(r) : (struct costs){0, 0};
		json_object_set_new(plan, "cost", json_pack("[f,f]", cost.before, cost.after));
		if (r->options->told && r->ps)
			json_object_set_new(plan, "targets", estimates_of(r));
	}
	json_object_set_new(pair, "plan", plan);
	if (r->measured)
		json_object_set_new(pair, "verify", measured(r->measured));
	if (r->validated)
		json_object_set_new(pair, "validate", validated(r->arena, r->validated));
	if (done && r->drawn_depths)
		json_object_set_new(pair, "depth", json_pack("{s:o,s:i}", "samplers", depth_samplers_of(r), "would_save", (int)hint_saves(r, HINT_PLAIN_TEXTURES)));
	if (done)
		json_object_set_new(pair, "hints", hints_of(r));
	if (r->status == RUN_UNCHANGED && r->ps)
		json_object_set_new(pair, "why", json_string(explain_why_unchanged(r)));
	json_object_set_new(pair, "diagnostics", diagnostics(r));
	json_t *presets = done ? computed(r, true) : json_array();
	if (r->options->move.preshader || json_array_size(presets))
		json_object_set(pair, "preshader", presets);
	json_decref(presets);
	json_t *folded = done ? computed(r, false) : NULL;
	if (json_array_size(folded))
		json_object_set(pair, "folded", folded);
	json_decref(folded);
	if (r->fault)
		json_object_set_new(pair, "fault", report_string(r->arena, r->fault));
	return pair;
}

json_t *report_effect(const struct effect_job *job, enum run_status status)
{
	struct run sum = effect_job_sum(job);
	sum.status = status;
	json_t *whole = report_pair(&sum), *passes = json_array(), *plan = json_object_get(whole, "plan");
	struct costs all = {0, 0};
	for (uint32_t k = 0; k < job->runs.n; k++) {
		const struct run *r = &job->runs.at[k];
		const struct effect_pass *pass = job->effect->pairs.at[k].pass;
		json_t *pair = report_pair(r);
		if (pass) {
			json_object_set_new(pair, "technique", report_string(job->arena, pass->technique));
			json_object_set_new(pair, "pass", report_string(job->arena, pass->name));
		}
		if (json_object_get(plan, "cost")) {
			struct costs const cost = run_costs(r);
			all.before += cost.before;
			all.after += cost.after;
		}
		json_array_append_new(passes, pair);
	}
	if (json_object_get(plan, "cost"))
		json_object_set_new(plan, "cost", json_pack("[f,f]", all.before, all.after));
	json_object_set_new(whole, "passes", passes);
	return whole;
}

json_t *report_totals(const struct totals *t)
{
	return json_pack("{s:i,s:i,s:i,s:i,s:i,s:[I,I],s:[I,I]}", "pairs", (int)t->pairs, "improved", (int)t->improved,
	                 "unchanged", (int)t->unchanged, "rejected", (int)t->rejected, "failed", (int)t->failed, "ps_slots",
	                 (json_int_t)t->ps_slots[0], (json_int_t)t->ps_slots[1], "vs_slots", (json_int_t)t->vs_slots[0],
	                 (json_int_t)t->vs_slots[1]);
}

void totals_add(struct totals *t, const struct run *r)
{
	bool done = run_is_done(r);
	t->pairs++;
	t->improved += r->status == RUN_IMPROVED;
	t->unchanged += r->status == RUN_UNCHANGED;
	t->rejected += r->status == RUN_REJECTED;
	t->failed += r->status == RUN_FAILED || r->status == RUN_NO_MEMORY;
	t->ps_slots[0] += r->ps_before.slots;
	t->vs_slots[0] += r->vs_before.slots;
	t->ps_slots[1] += done ? r->ps_after.slots : r->ps_before.slots;
	t->vs_slots[1] += done ? r->vs_after.slots : r->vs_before.slots;
}

void totals_join(struct totals *t, const struct totals *more)
{
	t->pairs += more->pairs;
	t->improved += more->improved;
	t->unchanged += more->unchanged;
	t->rejected += more->rejected;
	t->failed += more->failed;
	for (unsigned k = 0; k < 2; k++) {
		t->ps_slots[k] += more->ps_slots[k];
		t->vs_slots[k] += more->vs_slots[k];
	}
	hint_sums_join(&t->hints, &more->hints);
}

json_t *report_whole(json_t *pairs, const struct totals *totals, const struct run_options *o, json_t *options)
{
	return json_pack("{s:s,s:i,s:s,s:i,s:o,s:o,s:o}", "fpmove", FPMOVE_VERSION, "schema", 1, "target", run_target_name(o),
	                 "level", o->move.level, "options", options, "totals", report_totals(totals), "pairs", pairs);
}
