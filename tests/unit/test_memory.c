/* Limits of memory: long chains at -O3, and effects of many passes. */
#include "tests.h"

#include "effects.h"

enum { MEGABYTE = 1 << 20 };

static const char vertex[] = "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_texcoord1 v2\ndcl_position o0\ndcl_texcoord o1\n"
                             "dcl_texcoord1 o2\nmov o0, v0\nmov o1, v1\nmov o2, v2\n";

/* Moves a texel through `n` instructions of this text, whose %d is the number of a constant, within `megabytes`. */
static void moves_within(const char *line, int n, size_t megabytes)
{
	struct arena arena;
	arena_init(&arena, NULL);
	arena.limit = megabytes * MEGABYTE;
	struct text t = {.arena = &arena};
	text_string(&t, "ps_3_0\ndcl_texcoord v0\ndcl_texcoord1 v1\ndcl_2d s0\ntexld r0, v0, s0\n");
	for (int k = 0; k < n; k++) {
		const char *at = strstr(line, "%d");
		text_printf(&t, "%.*s%d%s\n", (int)(at - line), line, k % 200, at + 2);
	}
	text_string(&t, "mov oC0, r0\n");
	struct source const sources[2] = {{.name = "vp.vsh", .text = vertex, .size = sizeof vertex - 1}, {.name = "fp.psh", .text = t.at, .size = t.n}};
	struct run_options const o = {.move.level = 3};
	struct run r;
	run_init(&r, &arena, sources, 2, &o);
	run_all(&r);
	assert_true(r.status == RUN_IMPROVED || r.status == RUN_UNCHANGED);
	arena_free(&arena);
}

TEST(long_chains_are_taken_apart_within_bounds)
{
	moves_within("lrp r0, c%d, r0, v1", 250, 100);
	moves_within("lrp r0, c%d, r0, r0.wzyx", 250, 150);
	moves_within("mad r0, r0, c%d, r0.yzxw", 500, 150);
	moves_within("mad r0, r0, c%d, v1", 500, 150);
}

static bool go_on(void *who, const struct allowance *allowance)
{
	(void)who;
	(void)allowance;
	return true;
}

TEST(passes_of_an_effect_leave_only_their_results)
{
	enum { PASSES = 200 };
	struct arena arena;
	arena_init(&arena, NULL);
	arena.limit = 16 * MEGABYTE;
	struct text t = {.arena = &arena};
	for (int k = 0; k < PASSES; k++)
		text_printf(&t, "technique t%d { pass p {\nVertexShader = asm { vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n};\n"
		                "PixelShader = asm { ps_2_0\ndcl t0\ndcl_2d s0\nadd r0.xy, t0, c%d\ntexld r0, r0, s0\nmul r1, t0, c1\n"
		                "mad r1, r1, c2, c2\nadd r0, r0, r1\nmov oC0, r0\n};\n} }\n", k, k % 8 + 3);
	struct source const file = {.name = "e.fx", .text = t.at, .size = t.n};
	struct run_options const o = {.move.level = 2};
	struct effect_job job;
	effect_job_init(&job, &arena, &file, NULL, &o);
	assert_true(effect_job_read(&job));
	assert_true(effect_job_move(&job, go_on, NULL));
	assert_int_equal(job.runs.n, PASSES);
	assert_int_equal(effect_job_status(&job), RUN_IMPROVED);
	arena_free(&arena);
}

static const char shared_vertex[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\n";

/* Moves groups in one arena, one after the other, each of a vertex program and `EACH` pixel programs. */
TEST(groups_leave_only_their_results)
{
	enum { GROUPS = 40, EACH = 3 };
	struct arena arena;
	arena_init(&arena, NULL);
	arena.limit = 8 * MEGABYTE;
	struct run_options const o = {.move.level = 2};
	for (int group = 0; group < GROUPS; group++) {
		struct source sources[EACH][2];
		struct run runs[EACH];
		for (int k = 0; k < EACH; k++) {
			struct text t = {.arena = &arena};
			text_printf(&t, "ps_2_0\ndcl t0\ndcl_2d s0\nadd r0.xy, t0, c%d\ntexld r0, r0, s0\nmul r1, t0, c1\nmad r1, r1, c2, c2\n"
			                "add r0, r0, r1\nmov oC0, r0\n", k + 3);
			sources[k][0] = (struct source){.name = "vp.vsh", .text = shared_vertex, .size = sizeof shared_vertex - 1};
			sources[k][1] = (struct source){.name = "fp.psh", .text = t.at, .size = t.n};
			run_init(&runs[k], &arena, sources[k], 2, &o);
		}
		assert_true(job_run(&(struct job){.runs = runs, .n = EACH, .same_vs = true, .tell = go_on}));
		for (int k = 0; k < EACH; k++)
			assert_int_equal(runs[k].status, RUN_IMPROVED);
	}
	arena_free(&arena);
}
