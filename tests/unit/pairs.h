/* Text in, text out: what the tests of the mover share. */
#ifndef FPMOVE_TESTS_PAIRS_H
#define FPMOVE_TESTS_PAIRS_H

#include <limits.h>
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

/* The instructions alone, a line each */
static inline const char *instrs_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	text_string(&t, "");
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		print_instr(&t, p, &p->instrs.at[k]);
		text_char(&t, '\n');
	}
	return t.at;
}

static inline int arena_setup(void **state)
{
	static struct arena arena;
	arena_init(&arena, NULL);
	*state = &arena;
	return 0;
}

static inline int arena_teardown(void **state)
{
	arena_free(*state);
	return 0;
}

#define ARENA_TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)

#endif
