/* Reads --device, see option_files.h. */
#include "cli/option_files.h"

#include "cli/files.h"
#include "cli/message.h"

#include <string.h>

/* Returns true if the value begins with the name of a limit and a colon.  Otherwise it is the name of a file. */
static bool is_list(const char *value)
{
	size_t const n = strcspn(value, ":");
	bool found = false;
	for (unsigned k = 0; value[n] && k < DEVICE_LIMITS; k++)
		found |= strlen(device_limits[k].name) == n && strncmp(device_limits[k].name, value, n) == 0;
	return found;
}

bool device_option(struct arena *a, const char *value, struct device *d, struct names *also_read, struct text *decides)
{
	const char *wrong, *why;
	if (is_list(value)) {
		wrong = device_read(a, value, strlen(value), d);
		if (wrong)
			message_error("--device: %s", wrong);
		return !wrong;
	}
	struct source file = {.name = value};
	if (!file_read(a, value, &file, &why))
		return message_error("--device wants a list such as ps30-slots:2048,vs30-slots:2048,vs-consts:256, or a file: %s", why);
	VEC_PUSH(a, also_read) = value;
	wrong = device_read(a, file.text, file.size, d);
	if (wrong)
		message_error("%s: %s", value, wrong);
	for (unsigned k = 0; k < DEVICE_LIMITS; k++)
		text_printf(decides, "%c%u", k ? ',' : ' ', d->has[k]);
	return !wrong;
}
