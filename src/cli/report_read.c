/* Reads reports back, see report_read.h. */
#include "cli/report_read.h"

#include "cli/files.h"
#include "cli/message.h"

#include <string.h>

const char *const report_counts[REPORT_COUNTS] = {"pairs", "improved", "unchanged", "rejected", "failed"};

static bool is_json_count(const json_t *j)
{
	return json_is_integer(j) && json_integer_value(j) >= 0 && json_integer_value(j) <= UINT32_MAX;
}

bool report_two_counts(const json_t *j)
{
	return json_array_size(j) == 2 && is_json_count(json_array_get(j, 0)) && is_json_count(json_array_get(j, 1));
}

const char *report_pair_file(const json_t *pair, const char *stage)
{
	const char *file = json_string_value(json_object_get(json_object_get(pair, stage), "file"));
	return file ? file : "";
}

const char *report_pair_status(const json_t *pair)
{
	return json_string_value(json_object_get(pair, "status"));
}

/* Returns the first key of a pair that is missing or wrong, or NULL if there is none. */
static const char *wrong_in_pair(const json_t *pair)
{
	const char *status = report_pair_status(pair);
	bool known = false;
	for (unsigned k = 1; status && k < REPORT_COUNTS; k++)
		known |= strcmp(status, report_counts[k]) == 0;
	if (!known)
		return "status";
	if (!report_two_counts(json_object_get(json_object_get(pair, "ps"), "slots")))
		return "ps.slots";
	return report_two_counts(json_object_get(json_object_get(pair, "vs"), "slots")) ? NULL : "vs.slots";
}

/* Returns the first key of the report outside of its pairs that is missing or wrong, or NULL if there is none. */
static const char *wrong_in_head(struct arena *a, const json_t *report)
{
	const json_t *level = json_object_get(report, "level"), *totals = json_object_get(report, "totals");
	if (!json_is_string(json_object_get(report, "fpmove")))
		return "fpmove";
	if (!json_is_string(json_object_get(report, "target")))
		return "target";
	if (!is_json_count(level) || json_integer_value(level) > 3)
		return "level";
	if (!json_is_array(json_object_get(report, "pairs")))
		return "pairs";
	for (unsigned k = 0; k < REPORT_COUNTS; k++)
		if (!is_json_count(json_object_get(totals, report_counts[k])))
			return arena_printf(a, "totals.%s", report_counts[k]);
	if (!report_two_counts(json_object_get(totals, "ps_slots")))
		return "totals.ps_slots";
	return report_two_counts(json_object_get(totals, "vs_slots")) ? NULL : "totals.vs_slots";
}

/* Returns a clause that says what is wrong with the report, or NULL if it is right. */
static const char *wrong_in(struct arena *a, const json_t *report)
{
	const json_t *schema = json_object_get(report, "schema"), *pairs = json_object_get(report, "pairs");
	if (json_is_integer(schema) && json_integer_value(schema) != 1)
		return arena_printf(a, "it has schema %lld, and this fpmove reads schema 1", (long long)json_integer_value(schema));
	const char *key = schema ? wrong_in_head(a, report) : "schema";
	if (key)
		return arena_printf(a, "its key %s is missing or wrong", key);
	for (size_t i = 0; i < json_array_size(pairs); i++)
		if ((key = wrong_in_pair(json_array_get(pairs, i))))
			return arena_printf(a, "the key %s of its pair %zu is missing or wrong", key, i + 1);
	return NULL;
}

json_t *report_read(struct arena *a, const char *path, const char **why)
{
	struct source s;
	json_error_t error;
	struct arena_mark const mark = arena_mark(a);
	if (!file_read_any(a, path, &s, why))
		return NULL;
	json_t *report = json_loadb(s.text, s.size, 0, &error);
	arena_release(a, mark);
	if (!report) {
		*why = arena_printf(a, "%s is no report of fpmove: %s", shown_name(path), error.text);
		return NULL;
	}
	const char *wrong = wrong_in(a, report);
	if (!wrong)
		return report;
	*why = arena_printf(a, "%s is no report of fpmove: %s", shown_name(path), wrong);
	json_decref(report);
	return NULL;
}
