/* fpmove-d3d9 assemble: the verdict of D3DX on programs. */
#include "cli/files.h"
#include "d3d9/assemble.h"
#include "d3d9/modes.h"

struct assembling {
	struct arena *arena; /* emptied after each file */
	const struct d3d9_options *options;
	struct text lines, tokens;
	json_t *codes;
	unsigned files, good;
	bool unread;
};

/* Writes a line of --tokens, fields parted by tabs: `ok NAME HEX` (eight digits a token), or `fail NAME MESSAGES` (a line end is written "
 * | "). */
static void put_tokens(struct assembling *as, const struct code *code)
{
	text_printf(&as->tokens, "%s\t%s\t", code->token ? "ok" : "fail", code->name);
	for (size_t i = 0; i < code->tokens; i++)
		text_printf(&as->tokens, "%08lx", (unsigned long)code->token[i]);
	text_printf(&as->tokens, "%s\n", code->token ? "" : code_messages_line(as->arena, code));
}

static json_t *messages_json(struct arena *a, const char *messages)
{
	char *rest = arena_printf(a, "%s", messages), *line;
	json_t *list = json_array();
	while (list_next(&rest, &line, 1))
		json_array_append_new(list, report_string(a, line));
	return list;
}

static json_t *code_json(struct arena *a, const struct code *code)
{
	if (code->token)
		return json_pack("{s:s,s:o,s:s,s:i}", "status", "ok", "file", report_name(a, code->name), "model", code_model(a, code), "tokens",
		                 (int)code->tokens);
	return json_pack("{s:s,s:o,s:s,s:o}", "status", "refused", "file", report_name(a, code->name), "result",
	                 arena_printf(a, "%08lx", (unsigned long)code->result), "messages", messages_json(a, code->messages));
}

static void put_lines(struct assembling *as, const struct code *code)
{
	if (code->token && !as->options->quiet)
		text_printf(&as->lines, "%s: ok: %s, %u tokens\n", code->name, code_model(as->arena, code), (unsigned)code->tokens);
	if (code->token)
		return;
	char *rest = arena_printf(as->arena, "%s", code->messages), *line;
	text_printf(&as->lines, "%s: refused: %08lx\n", code->name, (unsigned long)code->result);
	while (list_next(&rest, &line, 1))
		text_printf(&as->lines, "  %s\n", line);
}

static void one_file(struct assembling *as, const struct runtime *r, const char *name)
{
	struct arena_mark const mark = arena_mark(as->arena);
	struct code const code = code_read(as->arena, r, name);
	as->files++;
	as->good += code.token != NULL;
	as->unread |= !code.token && !code.text;
	if (as->options->tokens)
		put_tokens(as, &code);
	json_array_append_new(as->codes, code_json(as->arena, &code));
	put_lines(as, &code);
	arena_release(as->arena, mark);
}

int assemble_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct arena files;
	char *rest = o->list ? list_read(a, o->list) : NULL, *line;
	if (o->list && !rest)
		return EXIT_USAGE;
	arena_init(&files, a->on_failure);
	struct assembling as = {.arena = &files, .options = o, .lines = {.arena = a}, .tokens = {.arena = a}, .codes = json_array()};
	for (uint32_t k = 0; k < o->words.n; k++)
		one_file(&as, r, o->words.at[k]);
	while (rest && list_next(&rest, &line, 1))
		one_file(&as, r, line);
	arena_free(&files);
	text_printf(&as.tokens, "summary\t%u\t%u\n", as.files, as.good);
	int status = as.unread ? EXIT_USAGE : as.good < as.files ? EXIT_REJECTED : EXIT_DONE;
	if (o->tokens && !file_write(a, o->tokens, &as.tokens))
		status = EXIT_USAGE;
	json_t *json = report_head(a, r, NULL);
	json_object_set_new(json, "files", as.codes);
	return report_end(a, o, json, &as.lines, status);
}
