/* Fuzz target: any bytes through the parser, the checker and the printer.  An accepted program must print as text that reads back and
 * prints the same. */
#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static _Noreturn void broken(const char *what, const struct text *before, const struct text *after)
{
	fprintf(stderr, "%s\n--- first print\n%s\n--- then\n%s\n", what, before->at ? before->at : "", after->at ? after->at : "");
	abort();
}

static struct program_list parse(struct arena *arena, const char *text, size_t size, struct diags *diags)
{
	struct source *source = arena_zero(arena, sizeof *source);
	*source = (struct source){.name = "fuzz", .text = arena_copy(arena, text, size), .size = size};
	diag_init(diags, arena);
	return parse_programs(arena, source, diags);
}

static void print_all(struct text *text, const struct program_list *list)
{
	for (uint32_t k = 0; k < list->n; k++)
		print_program(text, list->at[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	arena_init(&arena, NULL);
	struct diags diags;
	struct program_list list = parse(&arena, (const char *)data, size, &diags);
	for (uint32_t k = 0; k < diags.n; k++)
		if (diags.at[k].source && diags.at[k].at != SRCPOS_NONE)
			source_place(diags.at[k].source, diags.at[k].at);
	if (!diags.errors) {
		for (uint32_t k = 0; k < list.n; k++)
			check_program(list.at[k], &(struct check_options){.unwritten_warns = true}, &diags);
		struct text first = {.arena = &arena}, second = {.arena = &arena};
		print_all(&first, &list);
		struct diags again;
		struct program_list reread = parse(&arena, first.at ? first.at : "", first.n, &again);
		print_all(&second, &reread);
		if (again.errors)
			broken(again.at[0].text, &first, &second);
		if (reread.n != list.n || first.n != second.n || (first.n && memcmp(first.at, second.at, first.n) != 0))
			broken("printing is no fixed point", &first, &second);
	}
	arena_free(&arena);
	return 0;
}
