/* Text in, text out: what the tests of the mover share. */
#ifndef FPMOVE_TESTS_PAIRS_H
#define FPMOVE_TESTS_PAIRS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lang/parse.h"
#include "lang/print.h"
#include "move/passes.h"

#include <string.h>

/* The one program of `text`, which must be free of syntax errors. */
static inline struct program *parse_one(struct arena *arena, const char *text)
{
	struct source *source = arena_zero(arena, sizeof *source);
	struct diags diags;
	diag_init(&diags, arena);
	source->name = "test";
	source->text = text;
	source->size = strlen(text);
	struct program_list list = parse_programs(arena, source, &diags);
	for (uint32_t k = 0; k < diags.n; k++)
		print_error("%s\n", diags.at[k].text);
	assert_int_equal(diags.errors, 0);
	assert_int_equal(list.n, 1);
	return list.at[0];
}

static inline const char *text_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

struct moved_pair {
	struct program *vs, *ps; /* as given */
	struct move_options options;
	struct move_result *result;
	const char *vs_text, *ps_text; /* after */
};

#endif
