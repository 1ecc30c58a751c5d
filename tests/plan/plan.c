/* Compares the planner with an exhaustive one over random small pairs: plan [-s SEED] [-e EFFORT] N.  For each pair both plans must
 * have the same cost: FP slots, then order of the deepest dependent read (interpolators do not count).  If the planner ran out of
 * effort, its gap must not be too small.  Pairs with too many plans for EFFORT steps are named and do not count among the N.  The
 * mover's result must be proved and have no more slots, and two runs in arenas of different history must give the same result.  Prints
 * one TAP line for each hundred pairs and the seeds of pairs that differ, and such a pair itself.  -v prints all. */
#include "brute.h"
#include "generate.h"

#include "lang/check.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "move/optimise.h"
#include "verify/verify.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LANES = 10 };

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

static const char *text_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

enum finding { SKIPPED, TOO_LARGE, EQUAL, WITHIN_GAP, DEARER, CHEAPER, GAP, UNPROVED, UNSTEADY, FINDINGS };
static const struct {
	const char *what;
	bool wrong;
} findings[FINDINGS] = {
	[SKIPPED] = {"skipped", false},
	[TOO_LARGE] = {"too large to try everything", false},
	[EQUAL] = {"equal", false},
	[WITHIN_GAP] = {"the planner gave up, within its gap", false},
	[DEARER] = {"the planner is dearer", true},
	[CHEAPER] = {"the planner is cheaper", true},
	[GAP] = {"the planner gave up, and its gap is too small", true},
	[UNPROVED] = {"not proved", true},
	[UNSTEADY] = {"two runs differ", true},
};

struct pair_options {
	unsigned texcoords;
	bool drop_in;
	uint64_t effort;
};

static struct brute_cost cost_of(const struct program *ps)
{
	struct brute_cost cost = {program_total_slots(ps), program_dependent_reads(ps), 0};
	for (uint32_t k = 0; k < ps->decls.n; k++)
		cost.registers += ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].reg.file == REG_TEXCOORD;
	return cost;
}

static enum finding judge(struct brute_cost planned, bool optimal, unsigned gap, const struct brute_result *least)
{
	int order = least->found ? brute_compare(least->cost, planned) : 1;
	if (order < 0 && least->cost.slots == planned.slots && least->cost.order == planned.order)
		order = 0; /* the planner looks at only a few plans that differ just in interpolators */
	if (order < 0 && optimal)
		return DEARER;
	if (order < 0 && planned.slots - least->cost.slots > gap)
		return GAP;
	if (!least->finished)
		return TOO_LARGE;
	return order < 0 ? WITHIN_GAP : order > 0 ? CHEAPER : EQUAL;
}

static enum finding compare(struct arena *arena, const struct gen *g, const struct pair_options *o, bool tell)
{
	const struct program *vs = legal(arena, &g->vs, "vs"), *ps = legal(arena, &g->ps, "ps");
	if (!vs || !ps)
		return SKIPPED;
	ps = mark_depth_reads(arena, ps, &vs, 1, 0);
	unsigned n = brute_lanes(arena, vs, ps);
	if (n == 0 || n > MOST_LANES)
		return SKIPPED;
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = 2;
	options.budget.texcoords = o->texcoords;
	options.free_ties = true; /* the exhaustive planner knows no ties */
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
	/* Compare the plan alone: tidying the program afterwards does not choose what crosses. */
	struct planned *p = plan_search(values_number(arena, vs, ps), vs, &options);
	const struct program *planned = p ? p->result->ps : ps;
	struct brute_cost cost = cost_of(planned);
	if (program_total_slots(r->ps) > cost.slots)
		steady = false;
	struct proof proof = prove(arena, (struct pair){vs, ps}, (struct pair){r->vs, r->ps},
	                           &(struct proof_context){.consts = r->consts.at, .nconsts = r->consts.n,
	                                                   .folds = r->folds.at, .nfolds = r->folds.n,
	                                                   .free_ties = true});
	struct brute_options b = {.texcoords = o->texcoords, .drop_in = o->drop_in, .most = cost, .effort = o->effort};
	struct brute_result least = brute_force(arena, vs, ps, &b);
	enum finding finding = !steady        ? UNSTEADY
	                       : !proof.equal ? UNPROVED
	                                      : judge(cost, r->optimal, r->gap, &least);
	if (tell) {
		printf("# %s\n# planned: %u slots, order %u, %u interpolators%s; least: %u, %u, %u%s%s\n",
		       findings[finding].what, cost.slots, cost.order, cost.registers, r->optimal ? "" : " (gave up)",
		       least.cost.slots, least.cost.order, least.cost.registers, least.found ? ":" : " (none)", least.plan ? least.plan : "");
		printf("# --texcoords=%u%s, %u lanes, %llu steps\n%s%s# becomes\n%s%s# end\n", o->texcoords, o->drop_in ? " --drop-in" : "",
		       n, (unsigned long long)least.steps, g->vs.at, g->ps.at, text_of(arena, r->vs), text_of(arena, planned));
	}
	return finding;
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
	unsigned long want = strtoul(argv[optind], NULL, 0), done = 0, bad = 0, bad_before = 0, tests = 0;
	unsigned long found[FINDINGS] = {0};
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
		enum finding finding = compare(&arena, &g, &o, verbose);
		found[finding]++;
		if (finding == SKIPPED)
			continue;
		done += finding != TOO_LARGE;
		if (finding != EQUAL || verbose) {
			printf("# seed %llu: %s\n", (unsigned long long)seed, findings[finding].what);
			if (findings[finding].wrong && !verbose)
				compare(&arena, &g, &o, true);
		}
		bad += findings[finding].wrong;
		if (finding != TOO_LARGE && (done % 100 == 0 || done == want)) {
			printf("%s %lu - %lu pairs up to seed %llu\n", bad > bad_before ? "not ok" : "ok", ++tests, done, (unsigned long long)seed);
			bad_before = bad;
			fflush(stdout);
		}
	}
	printf("# %lu pairs:", done);
	for (unsigned k = 0; k < FINDINGS; k++)
		if (found[k])
			printf(" %lu %s;", found[k], findings[k].what);
	printf("\n1..%lu\n", tests);
	arena_free(&arena);
	return bad ? 1 : 0;
}
