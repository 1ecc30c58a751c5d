/* Memory that runs out: whole runs in arenas of every size from nothing to enough. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 1500 };

static struct source read_example(struct arena *arena, const char *name, const char *file)
{
	const char *path = arena_printf(arena, "examples/%s/%s", name, file);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	char *text = arena_alloc(arena, 1 << 16);
	size_t n = fread(text, 1, (1 << 16) - 1, f);
	fclose(f);
	text[n] = '\0';
	return (struct source){.name = path, .text = text, .size = n};
}

/* The run's outcome in `room` bytes, the texts copied to `keep`. */
static enum run_status run_within(size_t room, const struct source sources[2], int level, struct arena *keep, const char **text)
{
	struct arena arena;
	struct run r;
	arena_init(&arena, NULL);
	if (room) {
		/* The first block is never small: fill it but for `room`. */
		arena_alloc(&arena, room);
		arena_reset(&arena);
		arena_alloc(&arena, (size_t)(arena.end - arena.next) - room);
	}
	arena.allow = room ? arena.mallocs : 0;
	struct run_options o = {.move.level = level};
	run_init(&r, &arena, sources, 2, &o);
	run_all(&r);
	*text = NULL;
	if (r.status != RUN_NO_MEMORY) {
		assert_non_null(r.vs_text.at);
		*text = arena_printf(keep, "%s%s", r.vs_text.at, r.ps_text.at);
	}
	enum run_status status = r.status;
	arena_free(&arena);
	return status;
}

static void memory_runs_out(const char *name, int level)
{
	struct arena keep;
	arena_init(&keep, NULL);
	struct source sources[2] = {read_example(&keep, name, "vp.vsh"), read_example(&keep, name, "fp.psh")};
	const char *want, *got;
	enum run_status good = run_within(0, sources, level, &keep, &want);
	assert_true(good == RUN_IMPROVED || good == RUN_UNCHANGED);
	/* Enough is somewhere below this. */
	size_t enough = 1024;
	while (run_within(enough, sources, level, &keep, &got) == RUN_NO_MEMORY)
		enough *= 2;
	unsigned failed = 0;
	for (unsigned k = 0; k < SIZES; k++) {
		size_t room = enough / SIZES * k + 16;
		enum run_status status = run_within(room, sources, level, &keep, &got);
		failed += status == RUN_NO_MEMORY;
		assert_true(status == RUN_NO_MEMORY || status == good);
		if (got)
			assert_string_equal(got, want); /* half a result is none */
	}
	assert_true(failed > SIZES / 4);
	arena_free(&keep);
}

static void every_level(void **state)
{
	(void)state;
	static const char *const names[] = {"convolution3", "gaussian13", "toon", "clear"};
	for (size_t n = 0; n < sizeof names / sizeof *names; n++)
		for (int level = 0; level <= 3; level++)
			memory_runs_out(names[n], level);
}

static void a_limit_is_kept(void **state)
{
	(void)state;
	struct arena keep, arena;
	arena_init(&keep, NULL);
	struct source sources[2] = {read_example(&keep, "toon", "vp.vsh"), read_example(&keep, "toon", "fp.psh")};
	struct run_options o = {.move.level = 1};
	struct run r;
	arena_init(&arena, NULL);
	arena.limit = 1000;
	run_init(&r, &arena, sources, 2, &o);
	run_all(&r);
	assert_int_equal(r.status, RUN_NO_MEMORY);
	assert_true(arena.total <= 1000);
	arena_free(&arena);
	arena_free(&keep);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_level), cmocka_unit_test(a_limit_is_kept)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
