/* fpmove-d3d9 assemble: reports which programs D3DX assembles, and its messages on the others. */
#include "d3d9/assemble.h"
#include "d3d9/modes.h"

struct assembling {
	struct arena *arena; /* emptied after each file */
	const struct d3d9_options *options;
	struct text lines, tokens;
	struct json json;
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

static void put_messages(struct json *j, struct arena *a, const char *messages)
{
	char *rest = arena_printf(a, "%s", messages), *line;
	json_open(j, "messages", '[');
	while ((line = next_line(&rest)))
		json_string(j, NULL, line);
	json_close(j, ']');
}

static void put_json(struct assembling *as, const struct code *code)
{
	struct json *j = &as->json;
	json_open(j, NULL, '{');
	json_string(j, "status", code->token ? "ok" : "refused");
	json_string(j, "file", code->name);
	if (code->token) {
		json_string(j, "model", code_model(as->arena, code));
		json_count(j, "tokens", (unsigned)code->tokens);
	} else {
		json_string(j, "result", arena_printf(as->arena, "%08lx", (unsigned long)code->result));
		put_messages(j, as->arena, code->messages);
	}
	json_close(j, '}');
}

static void put_lines(struct assembling *as, const struct code *code)
{
	if (code->token && !as->options->quiet)
		text_printf(&as->lines, "%s: ok: %s, %u tokens\n", code->name, code_model(as->arena, code), (unsigned)code->tokens);
	if (code->token)
		return;
	char *rest = arena_printf(as->arena, "%s", code->messages), *line;
	text_printf(&as->lines, "%s: refused: %08lx\n", code->name, (unsigned long)code->result);
	while ((line = next_line(&rest)))
		text_printf(&as->lines, "  %s\n", line);
}

static void report_file(struct assembling *as, const struct runtime *r, const char *name)
{
	struct arena_mark const mark = arena_mark(as->arena);
	struct code const code = code_read(as->arena, r, name);
	as->files++;
	as->good += code.token != NULL;
	as->unread |= !code.token && !code.text;
	if (as->options->tokens)
		put_tokens(as, &code);
	put_json(as, &code);
	put_lines(as, &code);
	arena_release(as->arena, mark);
}

enum exit_status assemble_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct arena files;
	size_t size;
	char *rest = o->list ? file_read(a, o->list, &size) : NULL, *line;
	if (o->list && !rest) {
		say_error("%s cannot be read", o->list);
		return EXIT_TROUBLE;
	}
	arena_init(&files, NULL);
	struct assembling as = {.arena = &files, .options = o, .lines = {.arena = a}, .tokens = {.arena = a}, .json = {.text = {.arena = a}}};
	report_begin(&as.json, r, NULL);
	json_open(&as.json, "files", '[');
	for (uint32_t k = 0; k < o->words.n; k++)
		report_file(&as, r, o->words.at[k]);
	while (rest && (line = next_line(&rest)))
		report_file(&as, r, line);
	json_close(&as.json, ']');
	arena_free(&files);
	text_printf(&as.tokens, "summary\t%u\t%u\n", as.files, as.good);
	enum exit_status status = as.unread ? EXIT_TROUBLE : as.good < as.files ? EXIT_DIFFERENT : EXIT_SAME;
	if (o->tokens && !file_write(a, o->tokens, &as.tokens))
		status = EXIT_TROUBLE;
	return report_end(a, o, &as.json, &as.lines, status);
}
