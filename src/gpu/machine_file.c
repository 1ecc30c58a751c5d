/* Caches the measurements of machines in a JSON file, see machine.h. */
#include "gpu/machine.h"

#include "cli/files.h"
#include "cli/json.h"

#include <stdlib.h>
#include <unistd.h>

static const struct number {
	const char *name;
	size_t at; /* offset in struct rates */
} numbers[] = {
	{"B1", offsetof(struct rates, up.bandwidth)},       {"L1", offsetof(struct rates, up.latency)},
	{"B2", offsetof(struct rates, bandwidth)},          {"L2", offsetof(struct rates, gpu.other)},
	{"B3", offsetof(struct rates, down.bandwidth)},     {"L3", offsetof(struct rates, down.latency)},
	{"copy_B", offsetof(struct rates, copy.bandwidth)}, {"copy_L", offsetof(struct rates, copy.latency)},
	{"same", offsetof(struct rates, gpu.same)},         {"start", offsetof(struct rates, start)},
	{"cpu", offsetof(struct rates, cpu.other)},         {"cpu_same", offsetof(struct rates, cpu.same)},
	{"alone", offsetof(struct rates, alone.other)},     {"alone_same", offsetof(struct rates, alone.same)},
	{"cpu_behind", offsetof(struct rates, cpu.behind)}, {"alone_behind", offsetof(struct rates, alone.behind)},
	{"gpu_behind", offsetof(struct rates, gpu.behind)},
	{"E1", offsetof(struct rates, error.up)},           {"E2", offsetof(struct rates, error.reads)},
	{"E3", offsetof(struct rates, error.down)},         {"E_work", offsetof(struct rates, error.work)},
	{"fill", offsetof(struct rates, fill)},             {"arith", offsetof(struct rates, arith)},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

const char *machine_cache(struct arena *a)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	if (cache && *cache == '/')
		return arena_printf(a, "%s/fpmove/gpu.json", cache);
	return home && *home ? arena_printf(a, "%s/.cache/fpmove/gpu.json", home) : NULL;
}

/* Returns the key of a machine and format in the file.  Old builds timed a CPU before it had finished drawing; their entries lack
 * "finished", and so are not found. */
static const char *key_of(struct arena *a, const struct context *gpu, enum image_format format)
{
	return arena_printf(a, "%s; %s; %s; %s%s", gpu->renderer, gpu->version, language_names[gpu->language], image_formats[format].name,
	                    gpu->software ? "; finished" : "");
}

/* Reads all numbers of an entry.  Returns false if one is missing, not a number, or negative. */
static bool read_rates(const json_t *entry, struct rates *r)
{
	for (unsigned k = 0; k < NUMBERS; k++) {
		const json_t *value = json_object_get(entry, numbers[k].name);
		double const number = json_number_value(value);
		if (!json_is_number(value) || number < 0)
			return false;
		memcpy((char *)r + numbers[k].at, &number, sizeof number);
	}
	return true;
}

bool machine_load(struct arena *a, const char *path, const struct context *gpu, enum image_format format,
                  struct rates *r, const char **note)
{
	json_error_t error;
	*note = NULL;
	if (access(path, F_OK) != 0)
		return false;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	const json_t *entry = json_object_get(file, key_of(a, gpu, format));
	bool const found = read_rates(entry, r);
	if (!json_is_object(file))
		*note = arena_printf(a, "%s is not a cache of measurements: %s", path, file ? "it must be a JSON object" : error.text);
	else if (entry && !found)
		*note = arena_printf(a, "%s: its entry for this GPU is damaged or of an older fpmove-gpu", path);
	json_decref(file);
	return found;
}

static json_t *write_rates(const struct rates *r)
{
	json_t *entry = json_object();
	for (unsigned k = 0; k < NUMBERS; k++) {
		double number;
		memcpy(&number, (const char *)r + numbers[k].at, sizeof number);
		json_object_set_new(entry, numbers[k].name, json_real(number));
	}
	return entry;
}

const char *machine_store(struct arena *a, const char *path, const struct context *gpu, enum image_format format, const struct rates *r)
{
	struct text t = {.arena = a};
	const char *why;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	if (!json_is_object(file)) {
		json_decref(file);
		file = json_object();
	}
	json_object_set_new(file, key_of(a, gpu, format), write_rates(r));
	report_text(&t, file, 0);
	return files_write(a, &(struct output){.path = path, .text = t.at, .n = t.n, .make_folder = true}, 1, &why) ? NULL : why;
}
