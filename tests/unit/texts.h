/* Helpers for tests of the language: from text to a program or message.  A test works in an arena of its own, which `text_setup` and
 * `text_teardown` make and free. */
#ifndef FPMOVE_TESTS_TEXTS_H
#define FPMOVE_TESTS_TEXTS_H

#include "tests.h"

#include <stdio.h>
#include <string.h>

#include "lang/parse.h"
#include "lang/print.h"

struct texts {
	struct arena arena;
	struct diags diags;
	struct source source;
	struct program_list list;
};

static inline int text_setup(void **state)
{
	static struct texts t;
	arena_init(&t.arena, NULL);
	*state = &t;
	return 0;
}

static inline int text_teardown(void **state)
{
	struct texts *t = *state;
	arena_free(&t->arena);
	return 0;
}

#define TEXT_TEST(name) TEST_BETWEEN(name, text_setup, text_teardown)

static inline struct program_list read_bytes(struct texts *t, const char *text, size_t size)
{
	/* A copy without spare bytes, so that sanitizers see reads past the end. */
	t->source = (struct source){.name = "in", .text = arena_copy(&t->arena, text, size), .size = size};
	diag_init(&t->diags, &t->arena);
	t->list = parse_programs(&t->arena, &t->source, &t->diags);
	return t->list;
}

/* Returns "line:column: text\n" for each diagnostic. */
static inline const char *said(struct texts *t)
{
	struct text out = {.arena = &t->arena};
	text_string(&out, "");
	for (uint32_t i = 0; i < t->diags.n; i++) {
		const struct diag *d = &t->diags.at[i];
		if (d->at == SRCPOS_NONE) {
			text_printf(&out, "-: %s\n", d->text);
		} else {
			struct place p = source_place(d->source, d->at);
			text_printf(&out, "%u:%u: %s\n", p.line, p.column, d->text);
		}
	}
	return out.at;
}

/* Returns the first program of a text that must be without an error. */
static inline const struct program *read_good(struct texts *t, const char *text)
{
	read_bytes(t, text, strlen(text));
	assert_string_equal(said(t), "");
	assert_true(t->list.n > 0);
	return t->list.at[0];
}

static inline const char *printed(struct texts *t, const struct program *p)
{
	struct text out = {.arena = &t->arena};
	print_program(&out, p);
	return out.at;
}

/* Returns a good text as printed, and checks that this reads and prints as itself. */
static inline const char *round_trip(struct texts *t, const char *text)
{
	const char *once = printed(t, read_good(t, text));
	const char *twice = printed(t, read_good(t, once));
	assert_string_equal(twice, once);
	return once;
}

/* Returns the diagnostics of a text. */
static inline const char *errors_of(struct texts *t, const char *text)
{
	read_bytes(t, text, strlen(text));
	return said(t);
}

#endif
