/* Finds the pairs to validate, and validates them, see validate.h and modes.h. */
#include "d3d9/constants.h"
#include "d3d9/validate.h"

/* Validates the pairs of lines VP FP VP2 FP2 [MAP], separated by tabs.  Returns false after an error if the lines cannot be read. */
static bool validate_list(struct validating *all, struct arena *a, const char *list)
{
	size_t size;
	char *rest = file_read(a, list, &size), *line;
	if (!rest) {
		say_error("%s cannot be read", list);
		return false;
	}
	while ((line = next_line(&rest))) {
		struct files f = {.map = all->options->constants_map};
		unsigned n = 0;
		for (char *at = line; at && n < 5; n++) {
			char *tab = strchr(at, '\t');
			if (tab)
				*tab++ = '\0';
			if (n < 4)
				f.name[n] = at;
			else
				f.map = at;
			at = tab;
		}
		if (n < 4) {
			say_error("%s: a line has no four files parted by tabs: %s", list, line);
			return false;
		}
		validate_files(all, &f);
	}
	return true;
}

/* ---- what fpmove wrote, by its report ---------------------------------------------------- */

static bool file_exists_here(struct arena *a, const char *name)
{
	FILE *f = file_open(a, name, "rb");
	if (f)
		fclose(f);
	return f != NULL;
}

static const char *without_first_folder(const char *name)
{
	size_t const n = strcspn(name, "/\\");
	return name[n] ? name + n + 1 : NULL;
}

/* Finds the new files of both programs below `folder`: tries the names of the old files, then these names without their first folder, and
 * so on. */
static bool find_moved(struct arena *a, struct files *f, const char *folder)
{
	const char *vs = f->name[0], *ps = f->name[1];
	while (vs && ps) {
		f->name[2] = arena_printf(a, "%s/%s", folder, vs);
		f->name[3] = arena_printf(a, "%s/%s", folder, ps);
		if (file_exists_here(a, f->name[2]) && file_exists_here(a, f->name[3]))
			return true;
		vs = without_first_folder(vs);
		ps = without_first_folder(ps);
	}
	return false;
}

/* Returns true if the report has --free-ties among its options. */
static bool has_free_ties(struct arena *a, json_at report)
{
	bool found = false;
	for (json_at at = json_first(json_member(report, "options")); at; at = json_next(at)) {
		const char *option = json_text(a, at);
		found |= option && strcmp(option, "--free-ties") == 0;
	}
	return found;
}

/* Returns the samplers that the report lists in "depth", as bits: their textures may be depth textures. */
static unsigned depth_samplers(json_at pair)
{
	unsigned bits = 0;
	for (json_at at = json_first(json_member(json_member(pair, "depth"), "samplers")); at; at = json_next(at))
		bits |= 1u << (json_unsigned(at) & 15);
	return bits;
}

/* Validates one pair of a report if its status is "improved".  Returns false after an error message. */
static bool validate_reported(struct validating *all, struct arena *a, json_at pair, struct files f, const char *folder)
{
	struct pair_constants constants = {.by_name = false};
	const char *status = json_text(a, json_member(pair, "status"));
	f.depths = depth_samplers(pair);
	f.name[0] = json_text(a, json_member(json_member(pair, "vs"), "file"));
	f.name[1] = json_text(a, json_member(json_member(pair, "ps"), "file"));
	if (!status || !f.name[0] || !f.name[1]) {
		say_error("the report has a pair without status and files");
		return false;
	}
	if (strcmp(status, "improved") != 0)
		return true;
	if (!find_moved(a, &f, folder)) {
		say_error("below %s there is nothing that fpmove made of %s and %s", folder, f.name[0], f.name[1]);
		return false;
	}
	const char *wrong = f.map ? NULL : constants_of_pair(a, pair, &constants);
	f.given[1] = f.map || constants_are_named(pair) ? NULL : &constants;
	if (wrong) {
		say_error("%s: %s", f.name[0], wrong);
		return false;
	}
	validate_files(all, &f);
	return true;
}

/* Validates the pairs of a report with what fpmove wrote below `folder`.  Returns false after an error if they cannot be read. */
static bool validate_batch(struct validating *all, struct arena *a, const char *report, const char *folder)
{
	size_t size;
	const char *text = file_read(a, report, &size);
	struct files f = {.map = all->options->constants_map};
	json_at const whole = text ? json_begin(text) : NULL, pairs = json_first(json_member(whole, "pairs"));
	f.free_ties = has_free_ties(a, whole);
	if (!pairs)
		say_error(text ? "%s is no report of fpmove with pairs" : "%s cannot be read", report);
	bool good = pairs != NULL;
	for (json_at at = pairs; at; at = json_next(at))
		good = validate_reported(all, a, at, f, folder) && good;
	return good;
}

enum exit_status validate_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct arena own;
	struct validating all = {.options = o, .drawer = {.arena = &own, .runtime = r, .scenes = o->scenes, .all_kinds = true}, .lines = {.arena = a},
	                         .json = {.text = {.arena = a}}};
	const char *wrong = device_open(&all.drawer.device, r);
	if (wrong) {
		say_error("%s", wrong);
		return EXIT_TROUBLE;
	}
	arena_init(&own, NULL);
	if (o->stream)
		return validate_stream(&all) ? EXIT_SAME : EXIT_TROUBLE;
	report_begin(&all.json, r, &all.drawer.device);
	json_open(&all.json, "pairs", '[');
	bool good = true;
	if (o->batch)
		good = validate_batch(&all, a, o->batch, o->words.at[0]);
	else if (o->words.n)
		validate_files(&all, &(struct files){.name = {o->words.at[0], o->words.at[1], o->words.at[2], o->words.at[3]}, .map = o->constants_map});
	else
		good = validate_list(&all, a, o->list);
	json_close(&all.json, ']');
	arena_free(&own);
	if (!o->words.n || o->batch)
		text_printf(&all.lines, "%u same, %u different, %u unknown\n", all.verdicts[VERDICT_SAME], all.verdicts[VERDICT_DIFFERENT],
		            all.verdicts[VERDICT_UNKNOWN]);
	return report_end(a, o, &all.json, &all.lines, good ? all.status : EXIT_TROUBLE);
}
