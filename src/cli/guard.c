/* Protects input files, see guard.h. */
#include "cli/guard.h"

#include "cli/files.h"
#include "cli/kinds.h"
#include "cli/message.h"
#include "cli/record.h"
#include "system/files.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Identity of a file.  A file that does not exist is identified by an existing folder and the path below that. */
struct file_id {
	bool is_special;  /* true for standard output, devices and folders, which no output replaces */
	uint64_t device, number;
	const char *rest; /* path below the folder, or NULL if the file exists */
};

/* Returns the path without ".", ".." and double slashes, and without a slash at its start. */
static const char *normal_path(struct arena *a, const char *path)
{
	char *tidy = arena_alloc(a, strlen(path) + 1);
	size_t n = 0;
	while (*path) {
		size_t part = strcspn(path, "/");
		if (part == 2 && memcmp(path, "..", 2) == 0) {
			while (n && tidy[--n] != '/')
				continue;
		} else if (part && !(part == 1 && *path == '.')) {
			if (n)
				tidy[n++] = '/';
			memcpy(tidy + n, path, part);
			n += part;
		}
		path += part;
		path += *path == '/';
	}
	tidy[n] = '\0';
	return tidy;
}

/* Returns the identity of the file that `path` names or would make.  Standard output and paths below /dev are special. */
static struct file_id identify(struct arena *a, const char *path)
{
	struct os_facts there;
	struct file_id id = {.is_special = true};
	if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0)
		return id;
	if (os_facts(path, &there))
		return (struct file_id){.is_special = there.kind != OS_REGULAR, .device = there.device, .number = there.number};
	size_t const root = os_root(path);
	for (size_t n = strlen(path); n-- > 0;) {
		if (path[n] != '/' || !os_facts(arena_copy(a, path, n > root ? n : root), &there))
			continue;
		return (struct file_id){.device = there.device, .number = there.number, .rest = normal_path(a, path + n)};
	}
	if (os_facts(".", &there))
		id = (struct file_id){.device = there.device, .number = there.number, .rest = normal_path(a, path)};
	return id;
}

static bool is_same_file(const struct file_id *x, const struct file_id *y)
{
	return !x->is_special && !y->is_special && x->device == y->device && x->number == y->number && !x->rest == !y->rest &&
	       (!x->rest || os_compare_names(x->rest, y->rest, SIZE_MAX) == 0);
}

/* An output that is going to be written. */
struct planned {
	const char *option;   /* option that names the output, or NULL if it is the new text of a program */
	const char *path;
	const char *replaces; /* input that it may replace, or NULL if there is none */
};

struct plan {
	struct arena *arena;
	struct { VEC(struct planned); } outputs;
	struct names inputs;
	bool early; /* true before any program is read: checks that an option's output is no shader, and lets two programs have one output path */
};

/* Adds the outputs that options such as --report name. */
static void add_sides(struct plan *p, const struct options *o)
{
	const struct planned sides[] = {
		{"--report", o->report, NULL}, {"--html", o->html, NULL}, {"--csv", o->csv, NULL}, {"--dot", o->dot, NULL},
		{"--constants", o->constants, NULL}, {"--preshader", o->preshader, NULL}, {"-MF", o->dep_file, NULL},
	};
	for (unsigned k = 0; k < sizeof sides / sizeof *sides; k++)
		if (sides[k].path)
			VEC_PUSH(p->arena, &p->outputs) = sides[k];
}

/* Adds the input files that options name: response files, a target's file, the list or folder of a batch. */
static void add_read_by_options(struct plan *p, const struct options *o)
{
	for (uint32_t k = 0; k < o->also_read.n; k++)
		VEC_PUSH(p->arena, &p->inputs) = o->also_read.at[k];
	if (o->batch)
		VEC_PUSH(p->arena, &p->inputs) = o->batch;
}

/* Returns true if the file is a shader.  If the argument of an option such as --csv was forgotten, the option takes the shader's name behind it. */
static bool is_shader_text(const char *path)
{
	char text[1 << 14];
	FILE *f = os_open_stream(path);
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	return starts_a_program(text);
}

/* Returns the name of an output in messages: its option, or else its path. */
static const char *shown_output(const struct planned *out)
{
	return out->option ? out->option : shown_name(out->path);
}

/* Returns an input that the output `out` would replace, other than `out->replaces`; NULL if there is none. */
static const char *find_input(const struct plan *p, const struct planned *out, const struct file_id *id,
                              const struct file_id *inputs)
{
	struct file_id own = {.is_special = true};
	if (out->replaces)
		own = identify(p->arena, out->replaces);
	for (uint32_t k = 0; k < p->inputs.n; k++)
		if (is_same_file(id, &inputs[k]) && !is_same_file(&own, &inputs[k]))
			return p->inputs.at[k];
	return NULL;
}

/* Returns false and sets `*why` if an output would replace an input, another output or, if `early` is set, a shader. */
static bool check_planned_outputs(const struct plan *p, const char **why)
{
	struct arena *a = p->arena;
	struct file_id *ids = arena_alloc(a, (p->outputs.n + 1) * sizeof *ids), *inputs = arena_alloc(a, (p->inputs.n + 1) * sizeof *ids);
	for (uint32_t k = 0; p->outputs.n && k < p->inputs.n; k++)
		inputs[k] = identify(a, p->inputs.at[k]);
	for (uint32_t k = 0; k < p->outputs.n; k++) {
		const struct planned *out = &p->outputs.at[k];
		ids[k] = identify(a, out->path);
		const char *input = find_input(p, out, &ids[k], inputs);
		if (input)
			return reason_for(a, why, "%s would replace the input %s", shown_output(out), shown_name(input));
		if (out->option && p->early && !ids[k].is_special && !ids[k].rest && is_shader_text(out->path))
			return reason_for(a, why, "%s would replace the program %s; is the argument of %s missing?", out->option,
			                  shown_name(out->path), out->option);
		for (uint32_t j = 0; j < k; j++) {
			/* Two new programs may go to hard links of one file, since each link is replaced by itself. */
			bool const programs = !out->option && !p->outputs.at[j].option;
			if (!is_same_file(&ids[j], &ids[k]) || (programs && (p->early || os_compare_names(out->path, p->outputs.at[j].path, SIZE_MAX) != 0)))
				continue;
			return reason_for(a, why, "two different outputs would be written to %s", shown_name(out->path));
		}
	}
	return true;
}

bool guard_options(struct arena *a, const struct options *o, const char **why)
{
	struct plan p = {.arena = a, .early = true};
	if (o->mode != MODE_MOVE && o->mode != MODE_MERGE && o->mode != MODE_COMPARE)
		return true;
	add_sides(&p, o);
	add_read_by_options(&p, o);
	bool programs = o->mode == MODE_MOVE && o->output && strcmp(o->output, "-") != 0;
	for (uint32_t k = 0; k < o->files.n; k++) {
		const char *file = o->files.at[k];
		if (strcmp(file, "-") == 0)
			continue;
		VEC_PUSH(a, &p.inputs) = file;
		if (!programs)
			continue;
		const char *out = file_join(a, o->output, file_base(file));
		VEC_PUSH(a, &p.outputs) = (struct planned){NULL, out, file};
		if (o->deps && !o->dep_file && k + 1 == o->files.n)
			VEC_PUSH(a, &p.outputs) = (struct planned){"-MD", dependency_name(a, out), NULL};
	}
	return check_planned_outputs(&p, why);
}

bool guard_files(struct arena *a, const struct guarded *out, uint32_t n, const struct names *inputs, const char **why)
{
	struct plan p = {.arena = a, .early = true};
	for (uint32_t k = 0; k < n; k++)
		if (out[k].path && strcmp(out[k].path, "-") != 0)
			VEC_PUSH(a, &p.outputs) = (struct planned){out[k].option, out[k].path, NULL};
	for (uint32_t k = 0; k < inputs->n; k++)
		if (strcmp(inputs->at[k], "-") != 0)
			VEC_PUSH(a, &p.inputs) = inputs->at[k];
	return check_planned_outputs(&p, why);
}

/* Returns false, without looking at the disk, if the file names of two paths differ even without regard to case: then they name different files,
 * unless one is a link. */
static bool may_be_one_file(const char *x, const char *y)
{
	return strcasecmp(file_base(x), file_base(y)) == 0 || os_compare_names(file_base(x), file_base(y), SIZE_MAX) == 0;
}

bool guard_batch(struct arena *a, const struct options *o, const struct collected *c, const char **why)
{
	struct plan p = {.arena = a, .early = true};
	add_sides(&p, o);
	uint32_t const sides = p.outputs.n;
	if (o->newer)
		VEC_PUSH(a, &p.outputs) = (struct planned){"--newer", file_join(a, o->output, record_name), NULL};
	add_read_by_options(&p, o);
	for (uint32_t k = 0; k < c->pairs.n; k++) {
		const struct batch_pair *pair = &c->pairs.at[k];
		const char *const in[2] = {pair->vs, pair->ps}, *const out[2] = {pair->vs_out, pair->ps_out};
		for (unsigned s = 0; s < 2; s++) {
			VEC_PUSH(a, &p.inputs) = in[s];
			for (uint32_t j = 0; j < sides && !pair->refused; j++) {
				if (may_be_one_file(p.outputs.at[j].path, out[s]))
					VEC_PUSH(a, &p.outputs) = (struct planned){NULL, file_join(a, o->output, out[s]), in[s]};
				else if (o->deps && may_be_one_file(p.outputs.at[j].path, dependency_name(a, out[s])))
					VEC_PUSH(a, &p.outputs) = (struct planned){"-MD", dependency_name(a, file_join(a, o->output, out[s])), NULL};
			}
		}
	}
	return check_planned_outputs(&p, why);
}

bool guard_outputs(struct arena *a, const struct options *o, const struct outputs *outputs, const struct source *sources,
                   uint32_t n, const char **why)
{
	struct plan p = {.arena = a};
	if (o->mode == MODE_BATCH)
		add_sides(&p, o);
	for (uint32_t k = 0; k < outputs->n; k++) {
		const struct output *out = &outputs->at[k];
		VEC_PUSH(a, &p.outputs) = (struct planned){out->replaces ? NULL : shown_name(out->path), out->path, out->replaces};
	}
	for (uint32_t k = 0; k < n; k++) {
		if (strcmp(sources[k].name, "-") != 0)
			VEC_PUSH(a, &p.inputs) = sources[k].name;
		for (uint32_t j = 0; j < sources[k].nincludes; j++)
			VEC_PUSH(a, &p.inputs) = sources[k].includes[j];
	}
	const char *odd = NULL;
	for (uint32_t k = 0; o->deps && k < outputs->n; k++)
		if (outputs->at[k].replaces && !make_can_name(outputs->at[k].path, true))
			odd = outputs->at[k].path;
	for (uint32_t k = 0; o->deps && outputs->n && k < p.inputs.n; k++)
		if (!make_can_name(p.inputs.at[k], false))
			odd = p.inputs.at[k];
	const char *const also[] = {o->config, o->names};
	for (unsigned k = 0; k < sizeof also / sizeof *also; k++)
		odd = o->deps && also[k] && !make_can_name(also[k], false) ? also[k] : odd;
	if (odd)
		*why = arena_printf(a, "-MD: a make rule cannot hold the name %s", shown_name(odd));
	add_read_by_options(&p, o);
	return !odd && check_planned_outputs(&p, why);
}
