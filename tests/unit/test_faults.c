/* Memory that runs out: whole runs, each with one request for memory refused. */
#include "tests.h"

#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Returns the run's outcome when the request for memory of this number is refused, with the texts copied to `keep`. */
static enum run_status run_refused(unsigned long refuse, const struct source sources[2], int level, struct arena *keep,
                                   const char **text)
{
	struct arena arena;
	struct run r;
	arena_init(&arena, NULL);
	arena.refuse = refuse;
	struct run_options o = {.move.level = level};
	run_init(&r, &arena, sources, 2, &o);
	run_all(&r);
	assert_null(arena.on_failure);
	*text = NULL;
	if (r.status != RUN_NO_MEMORY) {
		assert_non_null(r.vs_text.at);
		*text = arena_printf(keep, "%s%s", r.vs_text.at, r.ps_text.at);
	}
	enum run_status status = r.status;
	arena_free(&arena);
	return status;
}

/* Refuses the requests 1, 1 + step, 1 + 2 step ..., a run for each, and returns their number. */
static unsigned long memory_runs_out(const char *name, int level, unsigned long step)
{
	struct arena keep;
	arena_init(&keep, NULL);
	struct source sources[2] = {read_example(&keep, name, "vp.vsh"), read_example(&keep, name, "fp.psh")};
	const char *want, *got;
	enum run_status good = run_refused(0, sources, level, &keep, &want), status = RUN_NO_MEMORY;
	assert_true(good == RUN_IMPROVED || good == RUN_UNCHANGED);
	unsigned long refused = 0;
	while ((status = run_refused(refused * step + 1, sources, level, &keep, &got)) == RUN_NO_MEMORY)
		refused++;
	assert_int_equal(status, good);
	assert_string_equal(got, want);
	assert_true(refused * step > 10);
	arena_free(&keep);
	return refused;
}

TEST(every_level)
{
	/* The small pairs make the rarest requests; the large ones make hundreds from the same places. */
	static const struct {
		const char *name;
		unsigned long step;
	} pairs[] = {{"clear", 1}, {"convolution3", 3}, {"toon", 11}, {"phong", 11}, {"sort_bitonic", 11}};
	unsigned long refused = 0;
	unsigned runs = 0;
	for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
		for (int level = 0; level <= 3; level++, runs++)
			refused += memory_runs_out(pairs[n].name, level, pairs[n].step);
	printf("# memory refused at %lu of the times that %u runs ask for it: no result or the whole one\n", refused, runs);
}

TEST(a_limit_is_kept)
{
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
