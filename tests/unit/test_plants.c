/* Mistakes planted in the mover: the proof refutes each result, and accepts the same move without the mistake. */
#include "pairs.h"

#include "verify/verify.h"

#include <stdio.h>

#define VERTEX "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\n"
#define PIXEL "ps_2_0\ndcl t0.xy\ndcl_2d s0\n"
#define READ "texld r0, r0, s0\nmov oC0, r0\n"
#define PLAIN VERTEX "mov oT0.xy, v1\n"

/* The pair in which each mistake shows. */
static const struct planted {
	const char *name, *vs, *ps, *other; /* another FP of the VP, planned together with the first at -O2, or NULL for -O1 */
} planted[PLANTS] = {
	[PLANT_C3] = {"c3", PLAIN, PIXEL "mul r0.xy, t0, t0.yxzw\n" READ, NULL},
	[PLANT_C4] = {"c4", PLAIN, PIXEL "mul r0.xy, t0, t0\nadd r0.xy, r0, c0\n" READ, NULL},
	[PLANT_SATURATION] = {"saturation", PLAIN, PIXEL "mov_sat r0.xy, t0\n" READ, NULL},
	[PLANT_CLAMP] = {"clamp", VERTEX "mov oD0, v1\n",
	                 "ps_2_0\ndcl v0\ndcl_2d s0\nadd r0.xy, v0, c0\n" READ, NULL},
	[PLANT_M1_TAKEN] = {"m1-taken", VERTEX "mul oT0.xy, v1, c3\n",
                            PIXEL "def c3, 1, 2, 3, 4\nadd r0.xy, t0, c3\n" READ, NULL},
	[PLANT_M1_UNTOLD] = {"m1-untold", PLAIN, PIXEL "add r0.xy, t0, c3\n" READ, NULL},
	[PLANT_M2_SKIPPED] = {"m2-skipped", VERTEX "mul oT0.xy, v1, c3\n", PIXEL "mov r0.xy, t0.yxzw\n" READ, NULL},
	[PLANT_M2_PART] = {"m2-part", VERTEX "mul oT0.x, v1, c3\ndp3 oT0.y, v1, c4\n",
                           PIXEL "mov r0.xy, t0.yxzw\n" READ, NULL},
	[PLANT_M3_OVERWRITTEN] = {"m3-overwritten", VERTEX "mul r0.xy, v1, c3\nmov oT0.xy, r0\nmov r0.x, v0\nmov oFog, r0.x\n",
                                  PIXEL "mov r0.x, t0.y\nadd r0.y, t0.x, c0\n" READ, NULL},
	[PLANT_M3_UNPINNED] = {"m3-unpinned", VERTEX "mul r0.xy, v1, c3\nmov oT0.xy, r0\n",
                               PIXEL "mov r0.x, t0.y\nmov r0.y, t0.x\n" READ, NULL},
	[PLANT_M3_SIGN] = {"m3-sign", VERTEX "mov oT0.xy, -v1\n", PIXEL "add r0.xy, t0, c0\n" READ, NULL},
	[PLANT_M3_SWIZZLE] = {"m3-swizzle", VERTEX "mov oT0.xy, v1.zwzw\n", PIXEL "add r0.xy, t0, c0\n" READ, NULL},
	[PLANT_M4_STALE] = {"m4-stale", PLAIN,
                            PIXEL "add r0.xy, t0, c0\ntexld r1, r0, s0\nadd r0.xy, t0, c1\ntexld r0, r0, s0\n"
                                  "mul r0, r0, r1\nmov oC0, r0\n", NULL},
	[PLANT_M4_LATE] = {"m4-late", PLAIN,
                           PIXEL "add r0.xy, t0, c0\ntexld r1, r0, s0\nadd r0.xy, t0, c1\ntexld r0, r0, s0\n"
                                 "mul r0, r0, r1\nmov oC0, r0\n", NULL},
	[PLANT_M4_KIND] = {"m4-kind", VERTEX "mov oT0.xy, v1\nmov oT1.xy, v1.zwzw\n",
                           "ps_2_0\ndcl t0.xy\ndcl_centroid t1.xy\ndcl_2d s0\nadd r0.x, t0, c0\nadd r0.y, t1, c0\n" READ, NULL},
	[PLANT_SHARED_CUT] = {"shared-cut", VERTEX "mov oT0, v1\nmov oT1, v2\n", "ps_2_0\ndcl t0\nmov oC0, t0\n",
	                      "ps_2_0\ndcl t1\nmov oC0, t1\n"},
	[PLANT_POSITION] = {"position", "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmul r0, v0, c0\nadd oPos, r0, v0\nmov oT0.xy, v1\n",
                            PIXEL "add r0.xy, t0, c0\n" READ, PIXEL "add r0.xy, t0, c1\n" READ},
	[PLANT_TIE] = {"tie", PLAIN, PIXEL "texld r1, t0, s0\nrcp r0.w, c0.x\nsub r1.w, r1, r0\ntexkill r1.w\nmov r0, r1\nmov oC0, r0\n", NULL},
	[PLANT_ROUNDING] = {"rounding", VERTEX "mov oT0, v1\n", "ps_2_0\ndef c0, 49152, -49152, 0, 0\ndcl t0\n"
	                                       "add r0, t0, c0.x\nadd r0, r0, c0.y\nmov oC0, r0\n", NULL},
};

static bool moves_equal(struct arena *arena, const struct planted *p, unsigned mistakes)
{
	const struct program *vs = parse_one(arena, p->vs), *ps[2] = {parse_one(arena, p->ps)};
	struct move_options options = move_options_default(vs->model, ps[0]->model);
	struct move_result *r[2];
	unsigned const n = p->other ? 2 : 1;
	bool equal = true;
	if (p->other)
		ps[1] = parse_one(arena, p->other);
	options.planted = mistakes;
	options.colour_inputs = options.as_published = true;
	options.level = (int)n;
	move_together(arena, &(struct group){.vs = &vs, .ps = ps, .nvs = 1, .nps = n, .options = &options}, r);
	for (unsigned k = 0; k < n; k++) {
		struct proof_context context = {.consts = r[k]->consts.at, .nconsts = r[k]->consts.n};
		struct pair const old = {vs, ps[k]}, new = {r[0]->vs, r[k]->ps};
		equal &= prove(arena, old, new, &context).equal;
	}
	return equal;
}

ARENA_TEST(the_proof_refutes_every_mistake)
{
	static const char *const names[PLANTS] = {
#define PLANT(id, name, what) [id] = name,
#include "move/plants.def"
#undef PLANT
	};
	for (unsigned k = 0; k < PLANTS; k++) {
		assert_non_null(planted[k].name);
		assert_string_equal(planted[k].name, names[k]);
		if (!moves_equal(*state, &planted[k], 0))
			fail_msg("%s: refuted without the mistake", names[k]);
		if (moves_equal(*state, &planted[k], 1u << k))
			fail_msg("%s: proved in spite of the mistake", names[k]);
	}
	printf("# %d mistakes planted in the mover, one at a time: %d refuted; without them %d of %d proven\n", PLANTS, PLANTS, PLANTS, PLANTS);
}
