/* --compare: shows two reports pair by pair, the worst first, so that a build can watch its slots from commit to commit. */
#include "cli/csv.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/outputs.h"
#include "cli/report_read.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS, COST, ARITH, TEX, ORDER, INTERPOLATORS, VS_SLOTS, CONSTANTS, MEASURES };

/* The compared figures of a pair.  Two changed pairs of one kind are ordered by the first figure in which their changes differ. */
static const struct {
	const char *shown, *fail_on, *column;
	const char *part, *key; /* key in the report, within the object `part` unless that is NULL */
} measures[MEASURES] = {
	[SLOTS] = {"FP slots", "hurt", "ps_slots", "ps", "slots"},
	[COST] = {"cost of a pixel", "cost", "cost", "plan", "cost"},
	[ARITH] = {"FP arithmetic", "arith", "arith", "ps", "arith"},
	[TEX] = {"FP texture", "tex", "tex", "ps", "tex"},
	[ORDER] = {"dependent read order", "dependent-reads", "dependent_reads", "ps", "dependent_reads"},
	[INTERPOLATORS] = {"interpolators", "interpolators", "interpolators", NULL, "interpolators"},
	[VS_SLOTS] = {"VP slots", "vs-slots", "vs_slots", "vs", "slots"},
	[CONSTANTS] = {"constants to set", "constants", "constants", NULL, "constants"},
};

enum kind { HURT, LOST, OTHERWISE, HELPED, GAINED, ONLY_OLD, ONLY_NEW, SAME, KINDS };

static const struct {
	const char *heading, *column;
} kinds[KINDS] = {
	[HURT] = {"hurt", "hurt"},
	[LOST] = {"lost (done before, rejected or failed now)", "lost"},
	[OTHERWISE] = {"changed otherwise (as many FP slots as before)", "otherwise"},
	[HELPED] = {"helped", "helped"},
	[GAINED] = {"gained (rejected or failed before, done now)", "gained"},
	[ONLY_OLD] = {"only in the old report", "only_old"},
	[ONLY_NEW] = {"only in the new report", "only_new"},
	[SAME] = {"the same", "same"},
};

/* The conditions of --fail-on, by number: one for each measure, then these two. */
enum { LOST_PAIR = MEASURES, MISSING_PAIR, CONDITIONS };

static const char *condition_word(unsigned k)
{
	return k < MEASURES ? measures[k].fail_on : k == LOST_PAIR ? "lost" : "missing";
}

/* The figures of a pair in one of the two reports. */
struct figures {
	const char *vs, *ps, *status;
	uint32_t order;      /* index in the report, which orders pairs of equal names */
	bool done;
	double at[MEASURES]; /* figures of the new programs; negative if unknown or not to be compared */
	double before[2];    /* slots of the given programs: FP, VP */
};
struct figures_list {
	VEC(struct figures);
};

struct change {
	const struct figures *old, *new; /* NULL if the pair is not in that report */
	enum kind kind;
};
struct changes {
	VEC(struct change);
};

bool compare_fail_on(const char *value, unsigned *bits)
{
	for (const char *at = value; at; at = *at ? at + 1 : NULL) {
		size_t n = strcspn(at, ",");
		unsigned k = 0;
		while (k < CONDITIONS && (strlen(condition_word(k)) != n || strncmp(at, condition_word(k), n) != 0))
			k++;
		if (k == CONDITIONS)
			return message_error("--fail-on wants hurt, lost, missing or a measure of --help, not \"%.*s\"", (int)n, at);
		*bits |= 1u << k;
		at += n;
	}
	return true;
}

/* --- reading ----------------------------------------------------------------------------- */

/* Returns measure m of a pair's new programs: the second number of a list [before, after], or for CONSTANTS the number of constants.  Returns -1
 * if the measure is missing or wrong. */
static double figure(const json_t *pair, unsigned m)
{
	const json_t *in = measures[m].part ? json_object_get(pair, measures[m].part) : pair;
	const json_t *value = json_object_get(in, measures[m].key), *after = json_array_get(value, 1);
	if (m == CONSTANTS)
		return json_is_array(value) ? (double)json_array_size(value) : -1;
	if (m == COST)
		return json_is_number(after) && json_number_value(after) >= 0 && json_number_value(after) < 1e15 ? json_number_value(after) : -1;
	return report_two_counts(value) ? (double)json_integer_value(after) : -1;
}

static double slots_before(const json_t *pair, const char *stage)
{
	return (double)json_integer_value(json_array_get(json_object_get(json_object_get(pair, stage), "slots"), 0));
}

static bool read_pairs(struct arena *a, const json_t *report, const char *path, struct figures_list *to, const char **why)
{
	const json_t *pairs = json_object_get(report, "pairs");
	for (uint32_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);
		const char *vs = report_pair_file(pair, "vs"), *ps = report_pair_file(pair, "ps"), *status = report_pair_status(pair);
		struct figures *f = &VEC_PUSH(a, to);
		*f = (struct figures){.vs = arena_copy(a, vs, strlen(vs)), .ps = arena_copy(a, ps, strlen(ps)), .order = i,
		                      .status = arena_copy(a, status, strlen(status)),
		                      .done = strcmp(status, "improved") == 0 || strcmp(status, "unchanged") == 0,
		                      .before = {slots_before(pair, "ps"), slots_before(pair, "vs")}};
		for (unsigned m = 0; m < MEASURES; m++) {
			f->at[m] = figure(pair, m);
			if (f->at[m] >= 0 || m == COST)
				continue;
			return reason_for(a, why, "%s is no report of fpmove: the key %s%s%s of its pair %u is missing or wrong", shown_name(path),
			                  measures[m].part ? measures[m].part : "", measures[m].part ? "." : "", measures[m].key, (unsigned)i + 1);
		}
	}
	return true;
}

/* --- which pair is which ------------------------------------------------------------------- */

/* Orders pairs by the names of their two files, sorted, since a pair that was rejected before its stages were known may have VP and FP swapped. */
static int compare_names(const struct figures *x, const struct figures *y)
{
	bool const x_swapped = strcmp(x->vs, x->ps) > 0, y_swapped = strcmp(y->vs, y->ps) > 0;
	int first = strcmp(x_swapped ? x->ps : x->vs, y_swapped ? y->ps : y->vs);
	return first ? first : strcmp(x_swapped ? x->vs : x->ps, y_swapped ? y->vs : y->ps);
}

static int order_by_names(const void *a, const void *b)
{
	const struct figures *x = a, *y = b;
	int names = compare_names(x, y);
	return names ? names : (x->order > y->order) - (x->order < y->order);
}

/* Returns the increase of a measure from the old report to the new one, negative for a decrease.  Returns 0 if either report lacks the measure,
 * or if the change is less than 0.005. */
static double increase(const struct change *c, unsigned m)
{
	bool known = c->old && c->new && c->old->done && c->new->done && c->old->at[m] >= 0 && c->new->at[m] >= 0;
	double by = known ? c->new->at[m] - c->old->at[m] : 0;
	return by > 0.005 || by < -0.005 ? by : 0;
}

static enum kind classify_change(const struct change *c)
{
	if (!c->new || !c->old)
		return c->old ? ONLY_OLD : ONLY_NEW;
	if (c->old->done != c->new->done)
		return c->old->done ? LOST : GAINED;
	if (increase(c, SLOTS) > 0 || increase(c, SLOTS) < 0)
		return increase(c, SLOTS) > 0 ? HURT : HELPED;
	for (unsigned m = 0; m < MEASURES; m++)
		if (increase(c, m) > 0 || increase(c, m) < 0)
			return OTHERWISE;
	return SAME;
}

static void sort_names(struct figures_list *l)
{
	if (l->n)
		qsort(l->at, l->n, sizeof *l->at, order_by_names);
}

/* Lists the changes of all pairs of both reports, whose lists are sorted by names.  Returns the number of pairs that are in both. */
static uint32_t match_pairs(struct arena *a, const struct figures_list *old, const struct figures_list *new, struct changes *to)
{
	uint32_t both = 0;
	to->n = 0;
	for (uint32_t i = 0, k = 0; i < old->n || k < new->n;) {
		int order = i == old->n ? 1 : k == new->n ? -1 : compare_names(&old->at[i], &new->at[k]);
		struct change c = {order <= 0 ? &old->at[i++] : NULL, order >= 0 ? &new->at[k++] : NULL, SAME};
		c.kind = classify_change(&c);
		both += order == 0;
		VEC_PUSH(a, to) = c;
	}
	return both;
}

/* Returns the length of the folder, with its slash, that all file names of a report share. */
static size_t shared_folder(const struct figures_list *l)
{
	const char *first = l->n ? l->at[0].vs : "";
	size_t n = (size_t)(file_base(first) - first);
	for (uint32_t i = 0; i < l->n; i++) {
		const char *const names[2] = {l->at[i].vs, l->at[i].ps};
		for (unsigned k = 0; k < 2; k++)
			while (n && strncmp(first, names[k], n) != 0)
				for (n--; n && first[n - 1] != '/';)
					n--;
	}
	return n;
}

static void strip_names(struct figures_list *l, size_t n)
{
	for (uint32_t i = 0; i < l->n; i++) {
		l->at[i].vs += n;
		l->at[i].ps += n;
	}
}

/* Lists the changes between the pairs of two reports, matched by name.  If no name is in both, as when the reports were made in different
 * folders, compares the names without the folder that all names of a report share, and notes that. */
static void pair_up(struct arena *a, struct figures_list *old, struct figures_list *new, struct changes *to, struct text *notes)
{
	sort_names(old);
	sort_names(new);
	if (match_pairs(a, old, new, to) || !old->n || !new->n)
		return;
	size_t const n[2] = {shared_folder(old), shared_folder(new)};
	text_string(notes, "no name is in both reports; names are compared below ");
	text_visible(notes, n[0] ? old->at[0].vs : "./", n[0] ? n[0] : 2);
	text_string(notes, " and ");
	text_visible(notes, n[1] ? new->at[0].vs : "./", n[1] ? n[1] : 2);
	text_char(notes, '\n');
	strip_names(old, n[0]);
	strip_names(new, n[1]);
	sort_names(old);
	sort_names(new);
	if (!match_pairs(a, old, new, to))
		text_string(notes, "no pair is in both reports\n");
}

static int order_worst_first(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	for (unsigned m = 0; m < MEASURES; m++) {
		double const by = x->kind == HELPED ? increase(x, m) - increase(y, m) : increase(y, m) - increase(x, m);
		if (by > 0 || by < 0)
			return by > 0 ? 1 : -1;
	}
	return order_by_names(x->new ? x->new : x->old, y->new ? y->new : y->old);
}

/* --- how the reports differ ----------------------------------------------------------------- */

static void list_options_only_in(struct text *t, const char *where, const json_t *options, const json_t *others)
{
	bool first = true;
	for (size_t i = 0; i < json_array_size(options); i++) {
		const char *option = json_string_value(json_array_get(options, i));
		bool there = false;
		for (size_t k = 0; k < json_array_size(others); k++)
			there |= json_equal(json_array_get(options, i), json_array_get(others, k));
		if (there || !option)
			continue;
		text_string(t, first ? arena_printf(t->arena, "different options, only in the %s report: ", where) : " ");
		text_visible(t, option, strlen(option));
		first = false;
	}
	text_string(t, first ? "" : "\n");
}

static void note_value(struct text *t, const json_t *value)
{
	char *s = value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	const char *shown = json_is_string(value) ? json_string_value(value) : s ? s : "none";
	text_visible(t, shown, strlen(shown));
	free(s);
}

/* Writes how the reports differ in version, target, level, slice and options.  Returns false if their targets differ, so that their costs cannot
 * be compared. */
static bool note_differences(struct text *t, const json_t *old, const json_t *new)
{
	static const struct {
		const char *key, *shown;
	} heads[] = {{"fpmove", "versions of fpmove"}, {"target", "targets"}, {"level", "levels"}, {"shard", "slices"}};
	for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++) {
		const json_t *x = json_object_get(old, heads[i].key), *y = json_object_get(new, heads[i].key);
		if ((!x && !y) || json_equal(x, y))
			continue;
		text_printf(t, "different %s: ", heads[i].shown);
		note_value(t, x);
		text_string(t, " -> ");
		note_value(t, y);
		text_char(t, '\n');
	}
	const json_t *x = json_object_get(old, "options"), *y = json_object_get(new, "options");
	if (x && y) {
		list_options_only_in(t, "old", x, y);
		list_options_only_in(t, "new", y, x);
	} else {
		text_string(t, x || y ? "one of the reports does not list its options, so they are not compared\n" : "");
	}
	return json_equal(json_object_get(old, "target"), json_object_get(new, "target"));
}

/* --- what is shown -------------------------------------------------------------------------- */

static const char bold[] = "\033[1m", red[] = "\033[31m", green[] = "\033[32m", off[] = "\033[m";

static const char *figure_text(struct arena *a, unsigned m, double value)
{
	return arena_printf(a, "%.*f", m == COST && value < 100000 ? 1 : 0, value);
}

/* Returns a measure as text: "7 -> 9", or "7" if both reports have the same or only one has the pair.  A pair that was not done has "-" as its
 * number. */
static const char *from_to(struct arena *a, const struct change *c, unsigned m)
{
	const struct figures *old = c->old && c->old->done ? c->old : NULL, *new = c->new && c->new->done ? c->new : NULL;
	const char *before = old ? figure_text(a, m, old->at[m]) : "-", *after = new ? figure_text(a, m, new->at[m]) : "-";
	bool one = !c->old || !c->new || strcmp(before, after) == 0;
	return one ? c->new ? after : before : arena_printf(a, "%s -> %s", before, after);
}

/* Writes, below the line of the pair, the changed measures that the table has no column for, and changes of the programs as given. */
static void list_other_measures(struct text *t, const struct change *c, unsigned columns)
{
	struct text rest = {.arena = t->arena};
	for (unsigned m = 0; m < MEASURES; m++)
		if (m != SLOTS && m != INTERPOLATORS && m != VS_SLOTS && (increase(c, m) > 0 || increase(c, m) < 0))
			text_printf(&rest, "%s%s %s", rest.n ? ", " : "", measures[m].shown, from_to(t->arena, c, m));
	const char *const programs[2] = {"FP", "VP"};
	for (unsigned k = 0; c->old && c->new && k < 2; k++)
		if (c->old->before[k] < c->new->before[k] || c->old->before[k] > c->new->before[k])
			text_printf(&rest, "%sthe %s itself changed: %.0f -> %.0f slots before moving", rest.n ? ", " : "", programs[k],
			            c->old->before[k], c->new->before[k]);
	if (!rest.n)
		return;
	text_printf(t, "%*s", 10, "");
	fit_wrap(t, rest.at, 10, 10, columns);
	text_char(t, '\n');
}

static void list_change(struct text *t, const struct change *c, unsigned columns)
{
	enum { NAME_AT = 38 };
	const struct figures *f = c->new ? c->new : c->old;
	struct arena *a = t->arena;
	text_printf(t, "%12s%12s%12s  ", from_to(a, c, SLOTS), from_to(a, c, INTERPOLATORS), from_to(a, c, VS_SLOTS));
	fit_pair(t, f->vs, f->ps, columns > NAME_AT + 8 ? columns - NAME_AT : columns ? 8 : 0);
	text_char(t, '\n');
	list_other_measures(t, c, columns);
}

static void list_kind(struct text *t, const struct options *o, const struct changes *all, uint32_t first, uint32_t n)
{
	enum { MOST_LISTED = 20 };
	enum kind const kind = all->at[first].kind;
	uint32_t const listed = o->verbose || n <= MOST_LISTED ? n : MOST_LISTED;
	const char *colour = kind == HURT || kind == LOST ? red : kind == HELPED || kind == GAINED ? green : bold;
	text_printf(t, "%s%s: %u pair%s%s\n", o->colour_out ? colour : "", kinds[kind].heading, (unsigned)n, n == 1 ? "" : "s",
	            o->colour_out ? off : "");
	for (uint32_t i = 0; i < listed; i++)
		list_change(t, &all->at[first + i], o->columns);
	if (listed < n)
		text_printf(t, "%12s and %u more; -v lists them, --csv=FILE all pairs\n", "...", (unsigned)(n - listed));
}

struct sums {
	double old, new;
	unsigned pairs, helped, hurt;
};

static void show_sums(struct text *t, const struct sums *s, unsigned m)
{
	double percent = s->old > 0 ? 100 * (s->new - s->old) / s->old : 0;
	text_printf(t, " %7s %7s", figure_text(t->arena, m, s->old), figure_text(t->arena, m, s->new));
	if (percent > 0.05 || percent < -0.05)
		text_printf(t, " %+6.1f%%", percent);
	else
		text_printf(t, "%8s", "");
}

static void show_measure(struct text *t, const struct changes *c, unsigned m, bool colour)
{
	struct sums all = {0}, affected = {0};
	for (uint32_t i = 0; i < c->n; i++) {
		const struct figures *old = c->at[i].old, *new = c->at[i].new;
		double const by = increase(&c->at[i], m);
		if (!old || !new || !old->done || !new->done || old->at[m] < 0 || new->at[m] < 0)
			continue;
		struct sums *const to[2] = {&all, by > 0 || by < 0 ? &affected : NULL};
		for (unsigned k = 0; k < 2 && to[k]; k++) {
			to[k]->old += old->at[m];
			to[k]->new += new->at[m];
			to[k]->pairs++;
			to[k]->helped += by < 0;
			to[k]->hurt += by > 0;
		}
	}
	text_printf(t, "%-16s", measures[m].shown);
	show_sums(t, &all, m);
	show_sums(t, &affected, m);
	text_printf(t, "%s%8u%s", colour && all.helped ? green : "", all.helped, colour && all.helped ? off : "");
	text_printf(t, "%s%7u%s\n", colour && all.hurt ? red : "", all.hurt, colour && all.hurt ? off : "");
}

static void show_compared_totals(struct text *t, const struct changes *c, const uint32_t *of_kind, bool with_cost, bool colour)
{
	text_printf(t, "%s%-16s%16s%8s%16s%8s%8s%7s%s\n", colour ? bold : "", "", "all pairs", "", "changed pairs", "", "helped", "hurt",
	            colour ? off : "");
	for (unsigned m = 0; m < MEASURES; m++)
		if (m != COST || with_cost)
			show_measure(t, c, m, colour);
	text_printf(t, "%u pairs in both: %u hurt, %u helped, %u changed otherwise, %u the same,\n"
	               "%u gained, %u lost; %u only in the old report, %u only in the new one\n",
	            (unsigned)(c->n - of_kind[ONLY_OLD] - of_kind[ONLY_NEW]), (unsigned)of_kind[HURT], (unsigned)of_kind[HELPED],
	            (unsigned)of_kind[OTHERWISE], (unsigned)of_kind[SAME], (unsigned)of_kind[GAINED], (unsigned)of_kind[LOST],
	            (unsigned)of_kind[ONLY_OLD], (unsigned)of_kind[ONLY_NEW]);
}

/* Returns true if a done pair has a cost other than its number of FP slots.  By the default target both are equal. */
static bool costs_differ_from_slots(const struct figures_list *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		const struct figures *f = &l->at[i];
		if (f->done && f->at[COST] >= 0 && (f->at[COST] - f->at[SLOTS] > 0.01 || f->at[COST] - f->at[SLOTS] < -0.01))
			return true;
	}
	return false;
}

static void forget_costs(struct figures_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->at[i].at[COST] = -1;
}

static void show_compared_pairs(struct text *t, const struct options *o, const struct changes *c, bool with_cost)
{
	uint32_t of_kind[KINDS] = {0};
	for (uint32_t i = 0; i < c->n; i++)
		of_kind[c->at[i].kind]++;
	if (of_kind[SAME] < c->n)
		text_printf(t, "%s%12s%12s%12s  pair%s\n", o->colour_out ? bold : "", "FP slots", "interpol.", "VP slots", o->colour_out ? off : "");
	for (uint32_t i = 0; i < c->n && c->at[i].kind != SAME; i += of_kind[c->at[i].kind])
		list_kind(t, o, c, i, of_kind[c->at[i].kind]);
	text_string(t, of_kind[SAME] < c->n ? "\n" : "");
	show_compared_totals(t, c, of_kind, with_cost, o->colour_out);
}

static void csv_changes(struct text *t, const struct changes *c)
{
	text_string(t, "vs,ps,change,status_old,status_new");
	for (unsigned m = 0; m < MEASURES; m++)
		text_printf(t, ",%s_old,%s_new", measures[m].column, measures[m].column);
	text_char(t, '\n');
	for (uint32_t i = 0; i < c->n; i++) {
		const struct figures *const both[2] = {c->at[i].old, c->at[i].new}, *f = both[1] ? both[1] : both[0];
		csv_field(t, f->vs);
		csv_field(t, f->ps);
		text_printf(t, "%s,%s,%s", kinds[c->at[i].kind].column, both[0] ? both[0]->status : "", both[1] ? both[1]->status : "");
		for (unsigned k = 0; k < 2 * MEASURES; k++) {
			const struct figures *g = both[k % 2];
			text_printf(t, ",%s", g && g->done && g->at[k / 2] >= 0 ? figure_text(t->arena, k / 2, g->at[k / 2]) : "");
		}
		text_char(t, '\n');
	}
}

/* --- the command ---------------------------------------------------------------------------- */

/* Prints a message for each condition of --fail-on that some pair meets.  Returns EXIT_REJECTED if there is one, else EXIT_DONE. */
static int fail_on_status(const struct options *o, const struct changes *c)
{
	unsigned found[CONDITIONS] = {0};
	bool fails = false;
	for (uint32_t i = 0; i < c->n; i++) {
		for (unsigned m = 0; m < MEASURES; m++)
			found[m] += increase(&c->at[i], m) > 0;
		found[LOST_PAIR] += c->at[i].kind == LOST;
		found[MISSING_PAIR] += c->at[i].kind == ONLY_OLD;
	}
	for (unsigned k = 0; k < CONDITIONS; k++) {
		if (!(o->fail_on >> k & 1) || !found[k])
			continue;
		message_error("--fail-on=%s: %u pair%s", condition_word(k), found[k], found[k] == 1 ? "" : "s");
		fails = true;
	}
	return fails ? EXIT_REJECTED : EXIT_DONE;
}

/* Reads a report and its figures, and frees the report's list of pairs, which may be large.  Returns false and sets `*why` on failure. */
static bool read_figures(struct arena *a, const char *path, json_t **report, struct figures_list *to, const char **why)
{
	*report = report_read(a, path, why);
	bool read = *report && read_pairs(a, *report, path, to, why);
	json_object_del(*report, "pairs");
	return read;
}

static bool compare_two(struct arena *a, const struct options *o, json_t *reports[2], struct changes *changes, struct text *shown,
                    const char **why)
{
	struct figures_list lists[2] = {0};
	for (unsigned k = 0; k < 2; k++)
		if (!read_figures(a, o->files.at[k], &reports[k], &lists[k], why))
			return false;
	bool with_cost = note_differences(shown, reports[0], reports[1]);
	if (!with_cost && o->fail_on >> COST & 1) {
		*why = "--fail-on=cost needs two reports of one target";
		return false;
	}
	text_string(shown, with_cost ? "" : "costs are not compared, since the reports are of different targets\n");
	with_cost = with_cost && (costs_differ_from_slots(&lists[0]) || costs_differ_from_slots(&lists[1]));
	for (unsigned k = 0; k < 2 && !with_cost; k++)
		forget_costs(&lists[k]);
	pair_up(a, &lists[0], &lists[1], changes, shown);
	if (changes->n)
		qsort(changes->at, changes->n, sizeof *changes->at, order_worst_first);
	show_compared_pairs(shown, o, changes, with_cost);
	return true;
}

int compare_reports(struct arena *a, const struct options *o)
{
	struct text shown = {.arena = a}, csv = {.arena = a};
	struct changes changes = {0};
	struct outputs outputs = {0};
	json_t *reports[2] = {NULL, NULL};
	const char *why;
	bool done = compare_two(a, o, reports, &changes, &shown, &why);
	json_decref(reports[0]);
	json_decref(reports[1]);
	if (done && o->csv) {
		csv_changes(&csv, &changes);
		add_output(a, &outputs, o->csv, &csv);
		done = files_write(a, outputs.at, outputs.n, &why);
	}
	if (!done)
		return message_usage("%s", why);
	if (o->quiet)
		shown.n = 0;
	int status = finish(&shown, o->csv && strcmp(o->csv, "-") == 0, EXIT_DONE);
	int judged = fail_on_status(o, &changes);
	return judged > status ? judged : status;
}
