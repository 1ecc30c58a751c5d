/* Predicted times, of invented machines with known figures, and of invented records. */
#include "pairs.h"

#include "gpu/model.h"

#define VERTEX "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n"
#define READ "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n"
/* 4 lanes 10 times: 40 units of h200, and 5 for each lane of the output. */
#define TEN "mul r0, r0, c0\nmul r0, r0, c1\nmul r0, r0, c0\nmul r0, r0, c1\nmul r0, r0, c0\n" \
	"mul r0, r0, c1\nmul r0, r0, c0\nmul r0, r0, c1\nmul r0, r0, c0\nmul r0, r0, c1\n"
#define CHAIN "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\n" TEN TEN TEN TEN TEN "mov oC0, r0\n"

/* Returns a machine for RGBA8: a read takes 2 ns, a pixel 1 ns, and a unit of h200 0.01 ns. */
static struct machine simple(void)
{
	return (struct machine){.of[IMAGE_RGBA8] = {.up = {4, 500}, .down = {1, 700}, .copy = {8, 300}, .bandwidth = 2, .gpu = {300, 10, 250},
	                                            .alone = {1000, 400, 600}, .cpu = {200, 50, 80}, .start = 1500, .fill = 1, .arith = 0.04}};
}

static struct record one_kind(struct arena *a, const char *fp, double passes, double pixels)
{
	struct record r = {.arena = a};
	struct kind *k = &VEC_PUSH(a, &r.kinds);
	*k = (struct kind){.format = IMAGE_RGBA8, .vs = parse_one(a, VERTEX), .ps = parse_one(a, fp), .passes = passes, .pixels = pixels,
	                   .switches = passes};
	k->reads = k->reads_of[IMAGE_RGBA8] = program_slots(k->ps).tex;
	return r;
}

static void near(double a, double b)
{
	assert_true(a > b * 0.999 && a < b * 1.001);
}

TEST(points_give_back_the_path_that_made_them)
{
	double const bytes[] = {1000, 2000, 4000, 8000};
	double ns[4];
	(void)state;
	for (unsigned k = 0; k < 4; k++)
		ns[k] = bytes[k] / 3.5 + 250;
	struct path const p = model_path(77, bytes, ns, 4);
	near(p.bandwidth, 3.5);
	near(p.latency, 77);
}

TEST(times_that_do_not_grow_are_no_bandwidth)
{
	assert_true(model_path(1, (double[]){1, 2, 3}, (double[]){9, 8, 7}, 3).bandwidth == 0);
}

ARENA_TEST(reads_alone_make_the_plain_model)
{
	struct machine const m = simple();
	struct record const read = one_kind(*state, READ, 10, 4000), chain = one_kind(*state, CHAIN, 10, 4000);
	struct predictor const p = {MODEL_PAPER, &m, &targets[TARGET_H200]};
	near(model_passes(&p, &read, NULL), 10 * 300 + 4000 * 2);
	near(model_passes(&p, &chain, NULL), 10 * 300 + 4000 * 2);
	near(model_kind(&p, read.kinds.at, read.kinds.at->vs, read.kinds.at->ps), 10 * 300 + 4000 * 2);
}

/* Checks the extended model, in which the longest part counts in full and the others for a 32nd: 50 products of 4 lanes and the
 * output, 220 units, take 2.2 ns beside the read's 2 ns and the 24 units of the interpolated scalars. */
ARENA_TEST(what_takes_longest_makes_the_extended_model)
{
	struct machine const m = simple();
	struct record const read = one_kind(*state, READ, 10, 1e6), chain = one_kind(*state, CHAIN, 10, 1e6);
	struct predictor const p = {MODEL_EXTENDED, &m, &targets[TARGET_H200]};
	double const vertices = 10 * 4 * (1900 + 2) * 0.01; /* alone, a pass takes 1000 ns */
	near(model_kind(&p, read.kinds.at, read.kinds.at->vs, read.kinds.at->ps), 10 * 1000 + vertices + 1e6 * (2 + (0.22 + 0.24) / 32));
	near(model_kind(&p, chain.kinds.at, chain.kinds.at->vs, chain.kinds.at->ps), 10 * 1000 + vertices + 1e6 * (2.22 + (2 + 0.24) / 32));
}

ARENA_TEST(another_pair_takes_the_place_of_a_kind)
{
	struct machine const m = simple();
	struct record const read = one_kind(*state, READ, 1, 1e6), chain = one_kind(*state, CHAIN, 1, 1e6);
	struct predictor const p = {MODEL_EXTENDED, &m, &targets[TARGET_H200]};
	struct model_pair const moved = {read.kinds.at->vs, read.kinds.at->ps};
	assert_true(model_passes(&p, &chain, NULL) > model_passes(&p, &read, NULL));
	assert_true(model_passes(&p, &chain, &moved) == model_passes(&p, &read, NULL));
}

/* Checks that the writing of a pixel hides shorter work, other than a 64th of it. */
ARENA_TEST(writing_hides_what_is_shorter)
{
	struct machine m = simple();
	struct record const r = one_kind(*state, CHAIN, 10, 1e6);
	struct predictor const p = {MODEL_EXTENDED, &m, &targets[TARGET_H200]};
	m.of[IMAGE_RGBA8].fill = 10;
	double const ns = model_passes(&p, &r, NULL) / 1e6;
	assert_true(ns > 9.8 && ns < 10.01);
}

ARENA_TEST(small_passes_wait_for_the_slower_of_cpu_and_gpu)
{
	struct machine m = simple();
	struct record r = one_kind(*state, READ, 1000, 1000);
	struct predictor const p = {MODEL_EXTENDED, &m, &targets[TARGET_H200]};
	double const work = 1000 * (2 + (0.22 + 0.24) / 32) + 1000 * 4 * (1900 + 2) * 0.01;
	near(model_passes(&p, &r, NULL), 1500 + 300 * 1000 + work);
	r.kinds.at->switches = 400;
	near(model_passes(&p, &r, NULL), 1500 + 300 * 400 + 10 * 600 + work);
	near(model_kind(&p, r.kinds.at, r.kinds.at->vs, r.kinds.at->ps), 1000 * 400 + 400 * 600 + work);
	r.kinds.at->behind = 100;
	near(model_passes(&p, &r, NULL), 1500 + 300 * 400 + 250 * 100 + 10 * 500 + work);
	m.of[IMAGE_RGBA8].cpu = (struct pass_costs){5000, 1000, 2000};
	near(model_passes(&p, &r, NULL), 5000 * 400 + 2000 * 100 + 1000 * 500);
}

/* Checks that times add up if the program waits for a texel. */
ARENA_TEST(waiting_for_a_texel_adds_up_both_sides)
{
	struct machine const m = simple();
	struct record r = one_kind(*state, READ, 100, 100);
	struct predictor const p = {MODEL_EXTENDED, &m, &targets[TARGET_H200]};
	double const free = model_passes(&p, &r, NULL);
	r.asked[IMAGE_RGBA8] = (struct transfers){5, 20, 0};
	near(model_passes(&p, &r, NULL), free + 200 * 100 + 5 * 700 + 20);
}

ARENA_TEST(transfers_and_copies_count_bytes_and_calls)
{
	struct machine const m = simple();
	struct record const r = {.arena = *state, .written[IMAGE_RGBA8] = {2, 4000, 0}, .read[IMAGE_RGBA8] = {1, 4000, 0},
	                         .copied[IMAGE_RGBA8] = {3, 8000, 0}};
	struct predictor const p = {MODEL_PAPER, &m, &targets[TARGET_H200]};
	near(model_up(&p, &r), 2 * 500 + 1000);
	near(model_down(&p, &r), 700 + 4000);
	near(model_passes(&p, &r, NULL), 3 * 300 + 1000);
	assert_int_equal(model_formats(&r), 1 << IMAGE_RGBA8);
}
