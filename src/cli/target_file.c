/* Reads cost profiles for --target-file, see option_files.h. */
#include "cli/option_files.h"

#include "cli/message.h"

#include <jansson.h>
#include <string.h>

static bool read_weights(struct arena *a, const char *path, json_t *json, struct target *t)
{
	struct {
		const char *key;
		uint32_t *to;
	} const weights[] = {
#define WEIGHT(name) {#name, &t->name},
		TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	};
	const char *key;
	json_t *value;
	json_object_foreach(json, key, value) {
		if (strcmp(key, "name") == 0 && json_is_string(value)) {
			static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
			t->name = arena_copy(a, json_string_value(value), json_string_length(value));
			if (!*t->name || t->name[strspn(t->name, letters)])
				return message_error("%s: a name has letters, digits, '_', '.' and '-' only", path);
			continue;
		}
		uint32_t *to = NULL;
		for (size_t k = 0; k < sizeof weights / sizeof *weights; k++)
			if (strcmp(weights[k].key, key) == 0)
				to = weights[k].to;
		if (!to || !json_is_integer(value) || json_integer_value(value) < 0 || json_integer_value(value) > 65535)
			return message_error("%s: \"%s\" must be name or a weight (instr, lane, special, tex, order, varying, output, "
			                     "vertex, interpolator, pixel, overlap), a whole number up to 65535", path, key);
		*to = (uint32_t)json_integer_value(value);
	}
	return true;
}

bool target_from_file(struct arena *a, const char *path, struct target *t)
{
	json_error_t error;
	json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!json || !json_is_object(json)) {
		message_error("%s: this is no cost profile: %s", path, json ? "it must be a JSON object" : error.text);
		json_decref(json);
		return false;
	}
	*t = (struct target){.name = "custom"};
	bool good = read_weights(a, path, json, t);
	if (!json_object_get(json, "output"))
		t->output = TARGET_OUTPUT_LANES * t->lane;
	json_decref(json);
	return good;
}
