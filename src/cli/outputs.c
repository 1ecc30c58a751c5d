/* Collects and writes what a command puts out, see outputs.h. */
#include "cli/outputs.h"

#include "cli/kinds.h"
#include "cli/message.h"
#include "system/files.h"

#include <string.h>

void add_output(struct arena *a, struct outputs *to, const char *path, const struct text *t)
{
	VEC_PUSH(a, to) = (struct output){.path = path, .text = t->at ? t->at : "", .n = t->n};
}

void add_program(struct arena *a, struct outputs *to, const char *path, const struct text *t, const struct source *of)
{
	add_output(a, to, path, t);
	to->at[to->n - 1].replaces = of->name;
}

/* Writes a path as GNU make reads it: escapes its special characters by backslashes, and $ by $$.  A backslash in the path is doubled only
 * before such a character. */
static void make_escaped(struct text *t, const char *path, bool target)
{
	size_t slashes = 0;
	if (*path == '~')
		text_string(t, "./");
	for (; *path; path++) {
		if (strchr(target ? " #:%" : " #:*?[", *path))
			for (size_t k = 0; k <= slashes; k++)
				text_char(t, '\\');
		if (*path == '$')
			text_char(t, '$');
		slashes = *path == '\\' ? slashes + 1 : 0;
		text_char(t, *path);
	}
}

bool make_can_name(const char *path, bool target)
{
	size_t n = strlen(path);
	return n && !path[strcspn(path, target ? "=;|\t\r\n*?[" : "=;|\t\r\n")] && path[n - 1] != '\\' && path[n - 1] != ')';
}

/* Returns true if the file is an include of a source before sources[k], or one of the first `n` includes of sources[k]. */
static bool named_before(const struct source *sources, uint32_t k, uint32_t n, const char *file)
{
	for (uint32_t i = 0; i <= k; i++) {
		const struct source *s = &sources[i];
		for (uint32_t j = 0; j < (i < k ? s->nincludes : n); j++)
			if (strcmp(s->includes[j], file) == 0)
				return true;
	}
	return false;
}

void add_dependencies(struct text *t, const struct options *o, const struct source *sources, uint32_t n, const struct outputs *outputs)
{
	for (uint32_t i = 0; i < outputs->n; i++) {
		text_string(t, i ? " " : "");
		make_escaped(t, outputs->at[i].path, true);
	}
	text_char(t, ':');
	for (uint32_t i = 0; i < n; i++) {
		const struct source *s = &sources[i];
		if (strcmp(s->name, "-") != 0) {
			text_string(t, " ");
			make_escaped(t, s->name, false);
		}
		for (uint32_t k = 0; k < s->nincludes; k++) {
			if (!named_before(sources, i, k, s->includes[k])) {
				text_string(t, " ");
				make_escaped(t, s->includes[k], false);
			}
		}
	}
	for (uint32_t k = 0; k < o->also_read.n; k++) {
		const char *const also = o->also_read.at[k];
		bool is_source = strcmp(also, "-") == 0;
		for (uint32_t i = 0; i < n; i++)
			is_source |= strcmp(also, sources[i].name) == 0;
		text_string(t, is_source ? "" : " ");
		make_escaped(t, is_source ? "" : also, false);
	}
	text_char(t, '\n');
}

const char *dependency_path(struct arena *a, const struct options *o, const char *name)
{
	return o->dep_file ? o->dep_file : file_join(a, o->output, dependency_name(a, name));
}

bool make_report_folders(struct arena *a, const struct options *o, const char **why)
{
	const char *const reports[] = {o->report, o->html, o->csv, o->mode == MODE_BATCH ? o->preshader : NULL};
	size_t n = o->output ? strlen(o->output) : 0;
	while (n && o->output[n - 1] == '/')
		n--;
	for (unsigned k = 0; n && k < sizeof reports / sizeof *reports; k++)
		if (reports[k] && os_compare_names(reports[k], o->output, n) == 0 && reports[k][n] == '/' &&
		    !directory_make_for(a, reports[k], why))
			return false;
	return true;
}

void say(const struct text *t)
{
	if (t->n)
		fwrite(t->at, 1, t->n, stderr);
}

int finish(const struct text *shown, bool beside, int status)
{
	if (beside)
		say(shown);
	else if (!print_out(shown))
		return EXIT_USAGE;
	return status;
}
