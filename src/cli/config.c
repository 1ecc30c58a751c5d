/* Reads the options of a project, see option_files.h. */
#include "cli/option_files.h"

#include "cli/files.h"
#include "cli/message.h"
#include "system/files.h"

#include <string.h>

static const char config_name[] = ".fpmove";

/* Returns true if `path` is not a file of options but a record of --newer: versions up to 0.1.0 left these in output folders under the same
 * name. */
static bool is_old_record(const char *path)
{
	static const char head[] = "fpmove ";
	char text[sizeof head - 1];
	FILE *f = os_open_stream(path);
	size_t const n = f ? fread(text, 1, sizeof text, f) : 0;
	if (f)
		fclose(f);
	return n == sizeof text && memcmp(text, head, n) == 0;
}

/* Returns true if `path` is a file of options.  Counts a link that leads nowhere, so that reading it reports an error. */
static bool is_config(const char *path)
{
	struct os_facts facts;
	if (!os_facts(path, &facts))
		return os_facts_of_link(path, &facts);
	return facts.kind != OS_FOLDER && !(facts.kind == OS_REGULAR && is_old_record(path));
}

/* Returns the path relative to the current folder if it leads into that folder; otherwise returns `path`. */
static const char *relative_path(struct arena *a, const char *path)
{
	const char *here = os_real_path(a, ".");
	size_t const n = here ? strlen(here) : 0;
	bool const below = n > os_root(here ? here : "") && strncmp(path, here, n) == 0 && path[n] == '/';
	return below ? path + n + 1 : path;
}

/* Returns the nearest file of options in `folder` or above, or NULL if there is none. */
static const char *find_above(struct arena *a, const char *folder)
{
	char *at = os_real_path(a, folder);
	size_t const root = at ? os_root(at) : 0;
	for (size_t n = at ? strlen(at) : 0; at;) {
		const char *path = file_join(a, at, config_name);
		if (is_config(path))
			return relative_path(a, path);
		while (n > root && at[n - 1] != '/')
			n--;
		if (n <= root && !at[root])
			break;
		n -= n > root;
		at[n] = '\0';
	}
	return NULL;
}

/* Returns the folder in which the search for a file of options begins: `path` if it is a folder, else the folder of the file. */
static const char *search_start(struct arena *a, const char *path)
{
	struct os_facts facts;
	if (strcmp(path, "-") == 0)
		return ".";
	return os_facts(path, &facts) && facts.kind == OS_FOLDER ? path : file_folder(a, path);
}

bool config_find(struct arena *a, const struct names *files, const char **config)
{
	*config = NULL;
	for (uint32_t i = 0; i < files->n; i++) {
		bool seen = false;
		for (uint32_t k = 0; k < i && !seen; k++)
			seen = file_same_folder(files->at[i], files->at[k]);
		const char *found = seen ? *config : find_above(a, search_start(a, files->at[i]));
		if (i && (!found != !*config || (found && strcmp(found, *config) != 0)))
			return message_error("%s takes its options from %s, but %s from %s; --no-config ignores such files", shown_name(files->at[0]),
			                     *config ? *config : "no file", shown_name(files->at[i]), found ? found : "no file");
		*config = found;
	}
	return true;
}

bool config_read(struct arguments *to, const char *config)
{
	struct arena *a = to->arena;
	struct response all;
	struct os_facts facts;
	if (os_facts(config, &facts) && facts.kind != OS_REGULAR)
		return message_error("cannot read options from %s: not a regular file", config);
	if (!response_read(a, config, true, &all))
		return false;
	char **argv = arena_alloc(a, (all.n + 1) * sizeof *argv);
	argv[0] = arena_copy(a, "", 0);
	if (all.n)
		memcpy(argv + 1, all.at, all.n * sizeof *argv);
	to->file = config;
	to->lines = all.lines.at;
	to->folder = file_folder(a, config);
	if (arguments_read(to, (int)all.n + 1, argv))
		return true;
	if (!to->placed)
		message_note("the error is on line %u of %s", arguments_line(to), config);
	return false;
}
