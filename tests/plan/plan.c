/* The planner against the exhaustive one, over random small pairs: plan [-s SEED] [-e EFFORT] N.
 * For each pair the FP slots of both plans must be equal; the mover's result must be proved and
 * have no more of them; and made twice, in arenas of different history, it must be the same both
 * times.  One TAP line for each hundred pairs; a pair that differs is printed.  -v prints all. */
#include "brute.h"

#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "move/plan.h"
#include "verify/verify.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- random pairs -------------------------------------------------------------------- */

struct gen {
	uint64_t state;
	struct text vs, ps;
	lanes input[3], temp[6], fetched[6]; /* readable lanes; of them, those that a texture read made */
	unsigned inputs, consts;
};

static unsigned below(struct gen *g, unsigned n)
{
	g->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = (g->state ^ g->state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)(((x ^ x >> 31) >> 32) * n >> 32);
}

static const struct {
	const char *text;
	swizzle swizzle;
} swizzles[] = {
	{"", SWIZZLE_XYZW}, {"", SWIZZLE_XYZW}, {"", SWIZZLE_XYZW}, {".yzxw", SWIZZLE(1, 2, 0, 3)},
	{".zxyw", SWIZZLE(2, 0, 1, 3)}, {".wzyx", SWIZZLE(3, 2, 1, 0)}, {".x", SWIZZLE(0, 0, 0, 0)},
	{".y", SWIZZLE(1, 1, 1, 1)}, {".z", SWIZZLE(2, 2, 2, 2)}, {".w", SWIZZLE(3, 3, 3, 3)},
};
enum { SWIZZLES = sizeof swizzles / sizeof *swizzles };

static lanes mask_of(struct gen *g)
{
	static const lanes common[] = {3, 3, 3, 1, 2, 7, 12, 15, 4, 8};
	return common[below(g, sizeof common)];
}

/* One operand that reads the positions `read`; `file`: r, t or c; 0 when nothing fits. */
static bool operand(struct gen *g, struct text *to, lanes read, char file, unsigned index, lanes readable, bool scalar)
{
	for (unsigned attempt = 0; attempt < 8; attempt++) {
		unsigned s = scalar ? 6 + below(g, 4) : below(g, SWIZZLES);
		if (swizzle_lanes(swizzles[s].swizzle, read) & (lanes)~readable)
			continue;
		text_printf(to, ", %s%c%u%s", below(g, 8) ? "" : "-", file, index, swizzles[s].text);
		return true;
	}
	return false;
}

static bool any_operand(struct gen *g, struct text *to, lanes read, bool *t, bool *c, bool only_fetched, bool scalar)
{
	for (unsigned attempt = 0; attempt < 12; attempt++) {
		unsigned what = below(g, 10);
		if (only_fetched || what < 5) {
			unsigned r = below(g, 6);
			lanes there = only_fetched ? g->fetched[r] : g->temp[r];
			if (there && operand(g, to, read, 'r', r, there, scalar))
				return true;
		} else if (what < 8 && !*t) {
			unsigned r = below(g, g->inputs);
			if (operand(g, to, read, 't', r, g->input[r], scalar)) {
				*t = true;
				return true;
			}
		} else if (what >= 8 && !*c) {
			*c = true;
			return operand(g, to, read, 'c', below(g, g->consts), MASK_XYZW, scalar);
		}
	}
	return false;
}

static const char *mask_text(lanes m)
{
	static const char *const text[16] = {"", ".x", ".y", ".xy", ".z", ".xz", ".yz", ".xyz", ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw", ""};
	return text[m];
}

/* One arithmetic instruction; of `fetched` values if so wanted. */
static void arithmetic(struct gen *g, bool pixel)
{
	static const char *const names[] = {"mov", "add", "add", "sub", "mul", "mad", "dp3", "lrp", "rcp"};
	static const uint8_t sources[] = {1, 2, 2, 2, 2, 3, 2, 3, 1};
	struct text line = {.arena = g->ps.arena};
	unsigned op = below(g, pixel ? 9 : 8), r = below(g, 6);
	if (!pixel && below(g, 4) == 0)
		op = 0;
	lanes mask = mask_of(g), read = op == 6 ? MASK_XYZ : op == 8 ? MASK_X : mask;
	bool t = false, c = false;
	text_printf(&line, "%s r%u%s", names[op], r, mask_text(mask));
	for (unsigned s = 0; s < sources[op]; s++)
		if (!any_operand(g, &line, read, &t, &c, pixel && s == 0, op == 8))
			return;
	text_printf(&g->ps, "%s\n", line.at);
	g->temp[r] |= mask;
	g->fetched[r] = pixel ? g->fetched[r] | mask : g->fetched[r] & (lanes)~mask;
}

static void fetch(struct gen *g)
{
	unsigned to = below(g, 6);
	for (unsigned attempt = 0; attempt < 8; attempt++) {
		bool raw = below(g, 4) == 0;
		unsigned from = below(g, raw ? g->inputs : 6);
		lanes there = raw ? g->input[from] : g->temp[from];
		if (MASK_XY & (lanes)~there || (!raw && g->fetched[from] & MASK_XY && below(g, 4)))
			continue;
		text_printf(&g->ps, "texld r%u, %c%u, s0\n", to, raw ? 't' : 'r', from);
		g->temp[to] = g->fetched[to] = MASK_XYZW;
		return;
	}
}

static void generate(struct gen *g, struct arena *arena, uint64_t seed)
{
	*g = (struct gen){.state = seed * UINT64_C(0xd1342543de82ef95), .vs.arena = arena, .ps.arena = arena};
	static const char *const numbers[] = {"0", "1", "-1", "0.5", "2", "0.25", "-0.5", "3"};
	static const lanes widths[] = {MASK_XY, MASK_XY, MASK_XYZ, MASK_XYZW};
	g->inputs = 1 + below(g, 2);
	g->consts = 1 + below(g, 3);
	text_string(&g->vs, "vs_1_1\ndcl_position v0\n");
	text_string(&g->ps, "ps_2_0\n");
	for (unsigned c = 0; c < g->consts; c++)
		if (below(g, 2))
			text_printf(&g->ps, "def c%u, %s, %s, %s, %s\n", c, numbers[below(g, 8)], numbers[below(g, 8)],
			            numbers[below(g, 8)], numbers[below(g, 8)]);
	for (unsigned t = 0; t < g->inputs; t++) {
		g->input[t] = widths[below(g, 4)];
		text_printf(&g->vs, "dcl_texcoord%u v%u\n", t, t + 1);
		text_printf(&g->ps, "dcl%s t%u%s\n", t && below(g, 6) == 0 ? "_centroid" : "", t, mask_text(g->input[t]));
	}
	text_string(&g->vs, "mov oPos, v0\n");
	for (unsigned t = 0; t < g->inputs; t++)
		text_printf(&g->vs, "mov oT%u%s, v%u\n", t, mask_text(g->input[t]), t + 1);
	text_string(&g->ps, "dcl_2d s0\n");
	unsigned moves = 1 + below(g, 6), fetches = 1 + below(g, 3);
	for (unsigned k = 0; k < moves; k++)
		arithmetic(g, false);
	for (unsigned k = 0; k < fetches; k++) {
		fetch(g);
		if (below(g, 3) == 0)
			arithmetic(g, false);
		arithmetic(g, true);
	}
	for (unsigned k = below(g, 3); k > 0; k--)
		arithmetic(g, below(g, 3) > 0);
	for (unsigned r = 0; r < 6; r++) {
		if (g->fetched[r] == MASK_XYZW) {
			/* All that was fetched counts. */
			for (unsigned o = r + 1; o < 6; o++)
				if (g->fetched[o])
					text_printf(&g->ps, "mul r%u%s, r%u, r%u\n", r, mask_text(g->fetched[o]), r, o);
			text_printf(&g->ps, "mov oC0, r%u\n", r);
			return;
		}
	}
}

static const struct program *legal(struct arena *arena, const struct text *text, const char *name)
{
	struct diags diags;
	diag_init(&diags, arena);
	struct source *source = arena_zero(arena, sizeof *source);
	*source = (struct source){.name = name, .text = text->at, .size = text->n};
	struct program_list list = parse_programs(arena, source, &diags);
	if (diags.errors || list.n != 1)
		return NULL;
	check_program(list.at[0], &(struct check_options){.any_length = false}, &diags);
	return diags.errors ? NULL : list.at[0];
}

/* ---- one pair ------------------------------------------------------------------------- */

struct outcome {
	enum { SKIPPED, UNFINISHED, EQUAL, WORSE, BETTER, UNPROVED, UNSTEADY } what;
	unsigned planned;
	bool same_registers;
	struct brute_result least;
};

static const char *text_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

static unsigned interpolators(const struct program *ps)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < ps->decls.n; k++)
		n += ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].reg.file == REG_TEXCOORD;
	return n;
}

struct pair_options {
	unsigned texcoords;
	bool drop_in;
	uint64_t effort;
};

static struct outcome compare(struct arena *arena, const struct gen *g, const struct pair_options *o, bool tell)
{
	struct outcome out = {.what = SKIPPED};
	const struct program *vs = legal(arena, &g->vs, "vs"), *ps = legal(arena, &g->ps, "ps");
	if (!vs || !ps)
		return out;
	unsigned n = brute_lanes(arena, ps);
	if (n == 0 || n > 10)
		return out;
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	options.texcoords = o->texcoords;
	options.drop_in = o->drop_in;
	struct move_result *r = move_plan(arena, vs, ps, &options);
	struct arena other;
	arena_init(&other, NULL);
	for (unsigned k = 0; k < 1 + n; k++)
		memset(arena_alloc(&other, 100 + 777 * k), 0x5a, 100 + 777 * k);
	struct move_result *again = move_plan(&other, vs, ps, &options);
	bool steady = strcmp(text_of(arena, r->vs), text_of(&other, again->vs)) == 0 &&
	              strcmp(text_of(arena, r->ps), text_of(&other, again->ps)) == 0;
	arena_free(&other);
	/* The plan itself: tidying the program behind it is no choice of what crosses. */
	struct planned *p = plan_search(values_number(arena, vs, ps), vs, &options);
	const struct program *planned = p ? p->result->ps : ps;
	out.planned = program_total_slots(planned);
	if (program_total_slots(r->ps) > out.planned)
		steady = false;
	struct proof proof = prove(arena, (struct pair){vs, ps}, (struct pair){r->vs, r->ps},
	                           &(struct proof_context){.consts = r->consts.at, .nconsts = r->consts.n,
	                                                   .folds = r->folds.at, .nfolds = r->folds.n});
	struct brute_options b = {.texcoords = o->texcoords, .drop_in = o->drop_in, .most = out.planned, .effort = o->effort};
	out.least = brute_force(arena, ps, &b);
	if (!steady)
		out.what = UNSTEADY;
	else if (!proof.equal)
		out.what = UNPROVED;
	else if (out.least.found && out.least.slots < out.planned)
		out.what = WORSE;
	else if (!out.least.finished || !r->optimal)
		out.what = UNFINISHED;
	else
		out.what = out.least.found ? EQUAL : BETTER;
	out.same_registers = out.what == EQUAL && out.least.registers == interpolators(planned);
	if (tell) {
		static const char *const said[] = {"skipped", "unfinished", "equal", "the planner is worse", "the planner is better",
		                                   "not proved", "two runs differ"};
		printf("# %s: planned %u (%u interpolators), least %u (%u): %s\n# --texcoords %u%s, %u lanes, %llu steps\n%s%s# becomes\n%s%s# end\n",
		       said[out.what], out.planned, interpolators(planned), out.least.slots, out.least.registers,
		       out.least.plan ? out.least.plan : "", o->texcoords, o->drop_in ? " --drop-in" : "", n,
		       (unsigned long long)out.least.steps, g->vs.at, g->ps.at, text_of(arena, r->vs), text_of(arena, planned));
	}
	return out;
}

int main(int argc, char **argv)
{
	uint64_t seed = 0;
	struct pair_options o = {.effort = 2000000};
	bool verbose = false;
	for (int c; (c = getopt(argc, argv, "s:e:v")) != -1;) {
		switch (c) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'e': o.effort = strtoull(optarg, NULL, 0); break;
		case 'v': verbose = true; break;
		default: return 2;
		}
	}
	if (optind + 1 != argc)
		return 2;
	unsigned long want = strtoul(argv[optind], NULL, 0), done = 0, unfinished = 0, registers = 0, bad = 0, bad_before = 0, tests = 0;
	struct arena arena;
	arena_init(&arena, NULL);
	for (; done < want; seed++) {
		arena_reset(&arena);
		struct gen g;
		generate(&g, &arena, seed);
		o.texcoords = 1 + below(&g, 3);
		o.drop_in = below(&g, 4) == 0;
		if (o.texcoords < g.inputs)
			o.texcoords = g.inputs;
		struct outcome out = compare(&arena, &g, &o, verbose);
		if (out.what == SKIPPED)
			continue;
		done++;
		unfinished += out.what == UNFINISHED;
		registers += out.same_registers;
		if (out.what != EQUAL && out.what != UNFINISHED) {
			printf("# seed %llu\n", (unsigned long long)seed);
			if (!verbose)
				compare(&arena, &g, &o, true);
			bad++;
		}
		if (done % 100 == 0 || done == want) {
			printf("%s %lu - %lu pairs up to seed %llu\n", bad > bad_before ? "not ok" : "ok", ++tests, done, (unsigned long long)seed);
			bad_before = bad;
			fflush(stdout);
		}
	}
	printf("# %lu pairs: %lu differ, %lu too large to try everything, %lu with the fewest interpolators, too\n1..%lu\n", done, bad, unfinished, registers, tests);
	arena_free(&arena);
	return bad ? 1 : 0;
}
