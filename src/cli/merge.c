/* --merge-reports: the reports of slices become the report of the whole. */
#include "cli/batch.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/report.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct entry {
	json_int_t index;
	uint32_t order; /* among equal indices: as they were read */
	json_t *pair;
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

static void add_numbers(json_t *to, const json_t *from)
{
	const char *key;
	json_t *value;
	json_object_foreach(to, key, value) {
		const json_t *more = json_object_get(from, key);
		if (json_is_integer(value))
			json_integer_set(value, json_integer_value(value) + json_integer_value(more));
		for (size_t i = 0; i < json_array_size(value); i++) {
			json_t *element = json_array_get(value, i);
			json_integer_set(element, json_integer_value(element) + json_integer_value(json_array_get(more, i)));
		}
	}
}

/* False: `*why`.  Entries are borrowed from `report`. */
static bool take(struct arena *a, json_t *report, const char *path, json_t **whole, struct entries *to,
                 const char **why)
{
	json_t *pairs = json_object_get(report, "pairs"), *totals = json_object_get(report, "totals");
	if (!json_is_array(pairs) || !json_is_object(totals)) {
		*why = arena_printf(a, "%s is no report of fpmove", path);
		return false;
	}
	static const char *const same[] = {"fpmove", "schema", "target", "level"};
	for (unsigned i = 0; *whole && i < sizeof same / sizeof *same; i++)
		if (!json_equal(json_object_get(*whole, same[i]), json_object_get(report, same[i]))) {
			*why = arena_printf(a, "%s was made with another %s", path, i ? same[i] : "version of fpmove");
			return false;
		}
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		json_t *pair = json_array_get(pairs, i);
		json_t *index = json_object_get(pair, "index");
		VEC_PUSH(a, to) = (struct entry){json_is_integer(index) ? json_integer_value(index) : (json_int_t)to->n, to->n, pair};
	}
	if (*whole) {
		add_numbers(json_object_get(*whole, "totals"), totals);
		return true;
	}
	*whole = json_object();
	for (unsigned i = 0; i < sizeof same / sizeof *same; i++)
		json_object_set(*whole, same[i], json_object_get(report, same[i]));
	json_object_set_new(*whole, "totals", json_deep_copy(totals));
	return true;
}

static void quote(struct text *t, const json_t *string)
{
	const char *s = json_string_value(string);
	report_quote(t, s ? s : "");
}

static bool merge(struct arena *a, const struct options *o, json_t **reports, const char **why)
{
	struct entries entries = {0};
	json_t *whole = NULL;
	for (uint32_t i = 0; i < o->files.n; i++) {
		struct source s;
		json_error_t error;
		const char *path = shown_name(o->files.at[i]);
		if (!file_read_any(a, o->files.at[i], &s, why))
			goto wrong;
		reports[i] = json_loadb(s.text, s.size, 0, &error);
		if (!reports[i]) {
			*why = arena_printf(a, "%s is no report of fpmove: %s", path, error.text);
			goto wrong;
		}
		if (!take(a, reports[i], path, &whole, &entries, why))
			goto wrong;
	}
	if (entries.n)
		qsort(entries.at, entries.n, sizeof *entries.at, by_index);
	struct text t = {.arena = a};
	text_string(&t, "{\"fpmove\": ");
	quote(&t, json_object_get(whole, "fpmove"));
	text_printf(&t, ", \"schema\": %d, \"target\": ", (int)json_integer_value(json_object_get(whole, "schema")));
	quote(&t, json_object_get(whole, "target"));
	text_printf(&t, ", \"level\": %d,\n\"pairs\": [", (int)json_integer_value(json_object_get(whole, "level")));
	for (uint32_t i = 0; i < entries.n; i++) {
		text_string(&t, i ? ",\n" : "\n");
		report_line(&t, json_incref(entries.at[i].pair));
	}
	text_string(&t, "\n],\n\"totals\": ");
	report_line(&t, json_incref(json_object_get(whole, "totals")));
	text_string(&t, "}\n");
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
	bool done = merge(a, o, reports, &why);
	for (uint32_t i = 0; i < o->files.n; i++)
		json_decref(reports[i]);
	if (!done)
		message_error("%s", why);
	return done ? EXIT_DONE : EXIT_USAGE;
}
