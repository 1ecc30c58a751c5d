/* Finds the pairs to validate, see validate.h. */
#include "cli/report_read.h"
#include "d3d9/constants.h"
#include "d3d9/validate.h"
#include "system/files.h"

/* Validates the pairs that the lines of a list name: VP FP VP2 FP2 [MAP], parted by tabs.  MAP replaces --constants-map.  Returns false after
 * a message if the list cannot be read or a line has fewer than four fields. */
static bool validate_list(struct validating *all, struct arena *a, const char *list)
{
	char *rest = list_read(a, list), *field[5];
	for (unsigned n; rest && (n = list_next(&rest, field, 5));) {
		if (n < 4)
			return message_error("%s: a line has no four files parted by tabs: %s", list, field[0]);
		validate_files(all, &(struct files){.name = {field[0], field[1], field[2], field[3]}, .map = n > 4 ? field[4] : all->options->constants_map});
	}
	return rest;
}

/* ---- the pairs of a report --------------------------------------------------------------- */

static const char *without_first(const char *name)
{
	size_t const n = strcspn(name, "/\\");
	return name[n] ? name + n + 1 : NULL;
}

/* Sets f->name[2] and [3] to the new files of both programs below `folder`: tries the names of the old files, then these names without their first
 * folder, and so on.  Returns false if no try finds both. */
static bool find_moved(struct arena *a, struct files *f, const char *folder)
{
	const char *vs = f->name[0], *ps = f->name[1];
	while (vs && ps) {
		f->name[2] = arena_printf(a, "%s/%s", folder, vs);
		f->name[3] = arena_printf(a, "%s/%s", folder, ps);
		if (os_is_there(f->name[2]) && os_is_there(f->name[3]))
			return true;
		vs = without_first(vs);
		ps = without_first(ps);
	}
	return false;
}

/* Returns true if the report has --free-ties among its options. */
static bool has_free_ties(const json_t *report)
{
	const json_t *options = json_object_get(report, "options");
	bool found = false;
	for (size_t k = 0; k < json_array_size(options); k++) {
		const char *option = json_string_value(json_array_get(options, k));
		found |= option && strcmp(option, "--free-ties") == 0;
	}
	return found;
}

/* Returns the samplers that the report lists as perhaps reading depth textures: bit n for s#n. */
static unsigned depth_samplers(const json_t *pair)
{
	const json_t *samplers = json_object_get(json_object_get(pair, "depth"), "samplers");
	unsigned bits = 0;
	for (size_t k = 0; k < json_array_size(samplers); k++)
		bits |= 1u << (json_integer_value(json_array_get(samplers, k)) & 15);
	return bits;
}

/* Validates a pair of a report, if fpmove improved it.  Returns false after a message if its new programs are not below the folder or, without
 * --constants-map, if the application computes constants. */
static bool validate_reported(struct validating *all, struct arena *a, const json_t *pair, struct files f, const char *folder)
{
	struct pair_constants constants = {.by_name = false};
	if (strcmp(report_pair_status(pair), "improved") != 0)
		return true;
	f.depths = depth_samplers(pair);
	f.name[0] = report_pair_file(pair, "vs");
	f.name[1] = report_pair_file(pair, "ps");
	if (!find_moved(a, &f, folder))
		return message_error("below %s there is nothing that fpmove made of %s and %s", folder, f.name[0], f.name[1]);
	const char *wrong = f.map ? NULL : constants_of_pair(a, pair, &constants);
	f.given[1] = f.map || constants_are_named(pair) ? NULL : &constants;
	if (wrong)
		return message_error("%s: %s", f.name[0], wrong);
	validate_files(all, &f);
	return true;
}

static bool validate_batch(struct validating *all, struct arena *a, const char *path, const char *folder)
{
	const char *why;
	json_t *report = report_read(a, path, &why);
	if (!report)
		return message_error("%s", why);
	struct files const f = {.map = all->options->constants_map, .free_ties = has_free_ties(report)};
	const json_t *pairs = json_object_get(report, "pairs");
	bool good = true;
	for (size_t k = 0; k < json_array_size(pairs); k++)
		good = validate_reported(all, a, json_array_get(pairs, k), f, folder) && good;
	json_decref(report);
	return good;
}

int validate_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct arena own;
	struct validating all = {.options = o, .drawer = {.arena = &own, .runtime = r, .scenes = o->scenes, .all_kinds = true}, .lines = {.arena = a},
	                         .pairs = json_array()};
	const char *wrong = device_open(&all.drawer.device, r);
	if (wrong)
		return message_usage("%s", wrong);
	arena_init(&own, a->on_failure);
	if (o->stream)
		return validate_stream(&all) ? EXIT_DONE : EXIT_USAGE;
	bool good = true;
	if (o->batch)
		good = validate_batch(&all, a, o->batch, o->words.at[0]);
	else if (o->words.n)
		validate_files(&all, &(struct files){.name = {o->words.at[0], o->words.at[1], o->words.at[2], o->words.at[3]}, .map = o->constants_map});
	else
		good = validate_list(&all, a, o->list);
	arena_free(&own);
	if (!o->words.n || o->batch)
		text_printf(&all.lines, "%u same, %u different, %u unknown\n", all.verdicts[VERDICT_SAME], all.verdicts[VERDICT_DIFFERENT],
		            all.verdicts[VERDICT_UNKNOWN]);
	json_t *json = report_head(a, r, &all.drawer.device);
	json_object_set_new(json, "pairs", all.pairs);
	return report_end(a, o, json, &all.lines, good ? all.status : EXIT_USAGE);
}
