/* --unpack: writes the programs of a trace to files, and a table of the pairs that are drawn together. */
#include "cli/files.h"
#include "cli/guard.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/pairs.h"
#include "lang/trace.h"

#include <string.h>

static const char *unpacked_name(struct arena *a, const struct trace_program *p)
{
	return arena_printf(a, "%s%s", p->name, p->stage == STAGE_VERTEX ? ".vsh" : ".psh");
}

static void put_name(struct text *t, struct arena *a, const struct trace *trace, int program)
{
	if (program >= 0)
		text_string(t, unpacked_name(a, &trace->programs.at[program]));
}

static void put_row(struct text *t, struct arena *a, const struct trace *trace, struct trace_pair pair)
{
	put_name(t, a, trace, pair.vs);
	text_char(t, ',');
	put_name(t, a, trace, pair.ps);
	text_char(t, '\n');
}

/* Writes the table of --pairs: a row for each pair of the trace, and one for each program that no pair has. */
static void put_table(struct text *t, struct arena *a, const struct trace *trace)
{
	bool *met = arena_zero(a, trace->programs.n * sizeof *met);
	text_string(t, "vp,fp\n");
	for (uint32_t k = 0; k < trace->pairs.n; k++) {
		struct trace_pair const pair = trace->pairs.at[k];
		put_row(t, a, trace, pair);
		if (pair.vs >= 0)
			met[pair.vs] = true;
		if (pair.ps >= 0)
			met[pair.ps] = true;
	}
	for (uint32_t k = 0; k < trace->programs.n; k++) {
		bool const vertex = trace->programs.at[k].stage == STAGE_VERTEX;
		if (!met[k])
			put_row(t, a, trace, (struct trace_pair){vertex ? (int)k : TRACE_NONE, vertex ? TRACE_NONE : (int)k});
	}
}

/* Prints the numbers of programs and pairs that were written, and notes about programs without text and draws with unknown programs. */
static void tell_unpacked(struct arena *a, const struct options *o, const struct trace *trace, const char *table)
{
	struct text t = {.arena = a};
	unsigned of[2] = {0}, pairs = 0;
	for (uint32_t k = 0; k < trace->programs.n; k++)
		of[trace->programs.at[k].stage]++;
	for (uint32_t k = 0; k < trace->pairs.n; k++)
		pairs += trace->pairs.at[k].vs >= 0 && trace->pairs.at[k].ps >= 0;
	text_printf(&t, "%u vertex program%s, %u pixel program%s, %u pair%s: fpmove --pairs=%s -o OUT moves them\n", of[STAGE_VERTEX],
	            of[STAGE_VERTEX] == 1 ? "" : "s", of[STAGE_PIXEL], of[STAGE_PIXEL] == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s", table);
	if (trace->bare)
		message_note("%u programs have no text: dump the trace without --blobs", (unsigned)trace->bare);
	if (trace->unknown)
		message_note("%u draws are of programs that the trace does not tell, as behind a state block", (unsigned)trace->unknown);
	if (!o->quiet)
		finish(&t, false, EXIT_DONE);
}

static bool write_all(struct arena *a, const struct options *o, const struct source *s, const struct trace *trace, const char *table,
                      const char **why)
{
	struct outputs outputs = {0};
	struct text *rows = arena_alloc(a, sizeof *rows);
	*rows = (struct text){.arena = a};
	put_table(rows, a, trace);
	for (uint32_t k = 0; k < trace->programs.n; k++) {
		const struct trace_program *p = &trace->programs.at[k];
		VEC_PUSH(a, &outputs) = (struct output){.path = file_join(a, o->output, unpacked_name(a, p)), .text = p->text, .n = p->n};
	}
	add_output(a, &outputs, table, rows);
	if (!directory_make(a, o->output, why))
		return false;
	return guard_outputs(a, o, &outputs, s, 1, why) && files_write(a, outputs.at, outputs.n, why);
}

int unpack_trace(struct arena *a, const struct options *o)
{
	struct source s;
	struct trace trace;
	struct diags d;
	struct text said = {.arena = a};
	const char *why, *table = file_join(a, o->output, "pairs.csv");
	diag_init(&d, a);
	if (!file_read_any(a, o->unpack, &s, &why))
		return message_usage("%s", why);
	if (s.size >= SRCPOS_NONE)
		diag_add(&d, DIAG_ERROR, NULL, &s, SRCPOS_NONE, "longer than 4 GiB: dump it in parts, with --calls");
	else if (!trace_is(&s))
		diag_add(&d, DIAG_ERROR, NULL, &s, SRCPOS_NONE, "no text of a trace, as apitrace dump prints it");
	else if (trace_read(a, &s, &trace, &d) && !trace.programs.n)
		diag_add(&d, DIAG_ERROR, NULL, &s, SRCPOS_NONE, "no program of Direct3D 9 is created in this trace%s",
		         trace.bare ? ", but by its bytes: dump it without --blobs" : "");
	message_diags(&said, &d, o->colour_err, o->quiet);
	say(&said);
	if (d.errors)
		return EXIT_REJECTED;
	if (!write_all(a, o, &s, &trace, table, &why))
		return message_usage("%s", why);
	tell_unpacked(a, o, &trace, table);
	return EXIT_DONE;
}
