/* --merge-reports: joins the reports of slices of a batch to one.  A pair that several reports have, because a slice was run again, counts once. */
#include "cli/files.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/report.h"
#include "cli/report_read.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	json_int_t index;
	uint32_t order;   /* number in the order of reading, which orders entries of one index */
	json_t *pair;     /* the pair's JSON object; NULL if it was dropped as a repeated pair */
	const char *path; /* name of the report that has the pair */
	bool indexed;     /* true if `index` is the pair's key "index"; false if it has none, and `index` counts the pairs before it */
};
struct entries {
	VEC(struct entry);
};

static int by_index(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->index != y->index)
		return (x->index > y->index) - (x->index < y->index);
	return (x->order > y->order) - (x->order < y->order);
}

static const char *const slots[] = {"ps_slots", "vs_slots"};

/* Adds `sign` times `by` to `to`: a number to a number, or the elements of a list to those of a list. */
static void add_json(json_t *to, const json_t *by, int sign)
{
	for (size_t i = 0; i < json_array_size(to); i++)
		add_json(json_array_get(to, i), json_array_get(by, i), sign);
	if (json_is_integer(to))
		json_integer_set(to, json_integer_value(to) + sign * json_integer_value(by));
}

static void add_totals(json_t *to, const json_t *from)
{
	for (unsigned k = 0; k < REPORT_COUNTS; k++)
		add_json(json_object_get(to, report_counts[k]), json_object_get(from, report_counts[k]), 1);
	for (unsigned k = 0; k < 2; k++)
		add_json(json_object_get(to, slots[k]), json_object_get(from, slots[k]), 1);
}

/* Adds the pairs of a report to the entries, which point into the report, and its totals and passed-over files to `*whole`, the report to be
 * written.  The first report makes `*whole`.  Returns false and sets `*why` if version, schema, target or level differ from the first report's. */
static bool take_report(struct arena *a, json_t *report, const char *path, json_t **whole, struct entries *to,
                 const char **why)
{
	json_t *pairs = json_object_get(report, "pairs"), *totals = json_object_get(report, "totals");
	static const char *const same[] = {"fpmove", "schema", "target", "level"};
	for (unsigned i = 0; *whole && i < sizeof same / sizeof *same; i++)
		if (!json_equal(json_object_get(*whole, same[i]), json_object_get(report, same[i])))
			return reason_for(a, why, "%s was made with another %s", path, i ? same[i] : "version of fpmove");
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		json_t *pair = json_array_get(pairs, i);
		json_t *index = json_object_get(pair, "index");
		bool indexed = json_is_integer(index);
		struct entry const entry = {.index = indexed ? json_integer_value(index) : (json_int_t)to->n, .order = to->n, .pair = pair,
		                            .path = path, .indexed = indexed};
		VEC_PUSH(a, to) = entry;
	}
	if (!*whole) {
		*whole = json_copy(report);
		json_object_del(*whole, "pairs");
		json_object_set_new(*whole, "totals", json_deep_copy(totals));
		return true;
	}
	json_t *passed = json_object_get(report, "passed_over"), *known = json_object_get(*whole, "passed_over");
	if (passed && !known)
		json_object_set(*whole, "passed_over", passed);
	else if (passed && !json_equal(passed, known))
		json_array_extend(known, passed);
	add_totals(json_object_get(*whole, "totals"), totals);
	if (!json_equal(json_object_get(*whole, "options"), json_object_get(report, "options")))
		json_object_del(*whole, "options");
	return true;
}

static bool same_pair(const struct entry *x, const struct entry *y)
{
	return x->indexed && y->indexed && x->index == y->index && strcmp(report_pair_file(x->pair, "vs"), report_pair_file(y->pair, "vs")) == 0 &&
	       strcmp(report_pair_file(x->pair, "ps"), report_pair_file(y->pair, "ps")) == 0;
}

/* Drops an entry, and subtracts its pair from the totals. */
static void drop_entry(struct entry *e, json_t *totals)
{
	const char *const less[] = {"pairs", report_pair_status(e->pair)}, *const stages[] = {"ps", "vs"};
	for (unsigned k = 0; k < 2; k++) {
		json_t *n = json_object_get(totals, less[k]);
		json_integer_set(n, json_integer_value(n) - 1);
		add_json(json_object_get(totals, slots[k]), json_object_get(json_object_get(e->pair, stages[k]), "slots"), -1);
	}
	e->pair = NULL;
}

/* Drops repeated pairs from the sorted entries: keeps the first entry for each pair, or the first that did not fail.  Returns false and sets
 * `*why` if two entries for one pair differ and neither failed. */
static bool drop_repeated(struct arena *a, struct entries *all, json_t *totals, const char **why)
{
	for (uint32_t i = 1; i < all->n; i++) {
		struct entry *later = &all->at[i];
		for (uint32_t k = i; later->pair && k-- > 0 && all->at[k].index == later->index;) {
			struct entry *earlier = &all->at[k];
			if (!earlier->pair || !same_pair(earlier, later))
				continue;
			if (strcmp(report_pair_status(earlier->pair), "failed") == 0) {
				drop_entry(earlier, totals);
			} else if (json_equal(earlier->pair, later->pair) || strcmp(report_pair_status(later->pair), "failed") == 0) {
				drop_entry(later, totals);
			} else {
				return reason_for(a, why, "%s and %s tell different things of %s and %s: give the newer one only", earlier->path,
				                  later->path, report_pair_file(later->pair, "vs"), report_pair_file(later->pair, "ps"));
			}
		}
	}
	return true;
}

static void copy_member(struct text *t, const json_t *whole, const char *key, const char *behind)
{
	report_member(t, key, json_incref(json_object_get(whole, key)), behind);
}

static bool merge_files(struct arena *a, const struct options *o, json_t **reports, const char **why)
{
	struct entries entries = {0};
	json_t *whole = NULL;
	for (uint32_t i = 0; i < o->files.n; i++) {
		reports[i] = report_read(a, o->files.at[i], why);
		if (!reports[i] || !take_report(a, reports[i], shown_name(o->files.at[i]), &whole, &entries, why))
			goto wrong;
	}
	if (entries.n)
		qsort(entries.at, entries.n, sizeof *entries.at, by_index);
	if (!drop_repeated(a, &entries, json_object_get(whole, "totals"), why))
		goto wrong;
	struct text t = {.arena = a};
	text_string(&t, "{");
	copy_member(&t, whole, "fpmove", ", \"schema\": 1, ");
	copy_member(&t, whole, "target", ", ");
	copy_member(&t, whole, "level", ",\n");
	copy_member(&t, whole, "options", ",\n");
	text_string(&t, "\"pairs\": [");
	bool first = true;
	for (uint32_t i = 0; i < entries.n; i++) {
		if (!entries.at[i].pair)
			continue;
		text_string(&t, first ? "\n" : ",\n");
		first = false;
		report_line(&t, json_incref(entries.at[i].pair));
	}
	text_string(&t, "\n],\n");
	copy_member(&t, whole, "passed_over", ",\n");
	copy_member(&t, whole, "totals", "}\n");
	json_decref(whole);
	return files_write(a, &(struct output){.path = o->report, .text = t.at, .n = t.n}, 1, why);
wrong:
	json_decref(whole);
	return false;
}

int merge_reports(struct arena *a, const struct options *o)
{
	json_t **reports = arena_zero(a, o->files.n * sizeof *reports);
	const char *why;
	bool done = merge_files(a, o, reports, &why);
	for (uint32_t i = 0; i < o->files.n; i++)
		json_decref(reports[i]);
	return done ? EXIT_DONE : message_usage("%s", why);
}
