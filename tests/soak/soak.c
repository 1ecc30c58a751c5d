/* Runs random pairs through the mover: soak [-c|-f] [-m SHARE] [-s SEED] [-j JOBS] [-k KEEP] [-v VARIANTS] N.  It checks the pairs of
 * N seeds from SEED on, each with every variant of the options or with the variants whose digits are given.  SHARE percent of the
 * pairs are of model 3 (25, or 0 with -w).  With -c the pairs look like output of compilers; with -f they have blocks, in models of
 * their own.  `soak -w DIR N` only writes the pairs.  `soak -g MEMBERS -w DIR N` writes groups: for each seed a VP with MEMBERS FPs
 * and an FP with MEMBERS VPs, with the lists shared-vp and shared-fp.  A pair that fails is reduced and printed, and ends the process
 * with status 1 (after KEEP of them). */
#include "trial.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum variant {
	PLAIN_1, PLAIN_2, PLAIN_3, /* -O1, -O2, -O3 */
	TARGETED,                  /* -O2 or -O3, a hardware target, some number of pixels per vertex, mostly little effort */
	SCARCE,                    /* any level and target, tight budgets */
	PRESHADER,                 /* -O2 or -O3, work on constants only goes to the application; budgets of constants are sometimes tight */
	VARIANTS
};
static const char *const variant_names[VARIANTS] = {"-O1", "-O2", "-O3", "--target", "scarce", "--preshader"};

enum { DAMAGES_EACH = 3, SLOW = 1 /* seconds of processor time */ };

struct counts {
	unsigned long outcome[TRIAL_COUNT];
	unsigned long illegal, improved, wide, trials, damaged, refuted;
	uint64_t pixels, left_out;
	double seconds[VARIANTS];
};

static volatile unsigned long seed_at;

static void crashed(int signal)
{
	char text[64];
	int n = snprintf(text, sizeof text, "not ok - signal %d at seed %lu\n", signal, seed_at);
	if (write(STDOUT_FILENO, text, (size_t)n) < 0)
		_exit(3);
	_exit(2);
}

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) * below >> 31);
}

static void some_target(struct run_options *o, uint64_t *state)
{
	static const unsigned pixels[] = {1, 2, 16, 500, 4096, 1000000};
	o->given |= GIVEN_TARGET | GIVEN_PIXELS;
	o->move.target = targets[draw(state, TARGETS)];
	if (draw(state, 4) == 0) {
		uint32_t const set = draw(state, 1u << TARGETS);
		o->several = set & (set - 1) ? set : 0;
		o->target_name = "several";
	}
	o->move.pixels_per_vertex = pixels[draw(state, sizeof pixels / sizeof *pixels)];
}

/* Limits half of the budgets to little more than the pair needs. */
static void some_budgets(struct run_options *o, uint64_t *state, struct gen_pair pair)
{
	struct slots ps = program_slots(pair.ps);
	o->given |= draw(state, 1024) & draw(state, 1024) & (GIVEN_TARGET - 1);
	o->given |= draw(state, 4) ? 0 : GIVEN_EFFORT;
	o->move.max_moves = draw(state, 8);
	o->move.ps_slots = 1 + draw(state, 16);
	o->move.budget.vs_slots = program_total_slots(pair.vs) + draw(state, 12);
	o->move.budget.vs_temps = 12 - draw(state, 4);
	/* No generated program addresses constants this high by a0. */
	o->move.budget.vs_consts = (struct range){60 + (int)draw(state, 16), 80 + (int)draw(state, 16)};
	o->move.budget.texcoords = 8 - draw(state, 4);
	o->move.budget.ps_arith = ps.arith > 4 ? ps.arith - draw(state, 4) : ps.arith;
	o->move.budget.ps_tex = ps.tex;
	o->move.effort = 1u << draw(state, 20);
}

static struct run_options variant(enum variant which, uint64_t seed, struct gen_pair pair)
{
	struct run_options o = {.move.level = (int)which + 1};
	uint64_t state = seed;
	switch (which) {
	case PLAIN_1:
	case PLAIN_2:
	case PLAIN_3: break;
	case TARGETED:
		o.move.level = 2 + (int)draw(&state, 2);
		some_target(&o, &state);
		if (!o.several && o.move.target.order == 0 && o.move.target.vertex == 0)
			o.move.target = targets[TARGET_R300 + draw(&state, TARGETS - TARGET_R300)]; /* slots is covered by the PLAIN variants */
		if (draw(&state, 4)) { /* their search takes longest */
			o.given |= GIVEN_EFFORT;
			o.move.effort = 1u << draw(&state, 12);
		}
		o.keep_inputs = draw(&state, 3) ? 0 : draw(&state, 256);
		break;
	case SCARCE:
		o.move.level = 1 + (int)draw(&state, 3);
		o.move.drop_in = draw(&state, 2);
		o.move.colour_inputs = draw(&state, 2);
		if (draw(&state, 2))
			some_target(&o, &state);
		some_budgets(&o, &state, pair);
		o.move.free_position = draw(&state, 4) == 0;
		o.move.free_ties = draw(&state, 4) == 0;
		o.keep_inputs = draw(&state, 3) ? 0 : draw(&state, 256);
		break;
	case PRESHADER: {
		int first = (int)draw(&state, 28);
		o.move.level = 2 + (int)draw(&state, 2);
		o.move.preshader = true;
		if (draw(&state, 2))
			some_target(&o, &state);
		o.given |= draw(&state, 256) & (GIVEN_VS_CONSTS | GIVEN_TEXCOORDS | GIVEN_VS_SLOTS);
		o.given |= draw(&state, 2) ? GIVEN_PS_CONSTS : 0;
		o.move.ps_consts = (struct range){first, first + (int)draw(&state, 4)};
		o.move.budget.vs_consts = (struct range){60 + first, 60 + first + (int)draw(&state, 8)};
		o.move.budget.texcoords = 8 - draw(&state, 4);
		o.move.budget.vs_slots = program_total_slots(pair.vs) + draw(&state, 12);
		break;
	}
	case VARIANTS: break;
	}
	return o;
}

static void print_options(const struct run_options *o)
{
	const struct move_options *m = &o->move;
	printf("-O%d%s%s%s%s", m->level, m->drop_in ? " --drop-in" : "", m->colour_inputs ? " --colour-inputs" : "",
	       m->free_position ? " --free-position" : "", m->free_ties ? " --free-ties" : "");
	struct { enum run_given bit; const char *name; unsigned value; } const budgets[] = {
		{GIVEN_MAX_MOVES, "max-moves", m->max_moves}, {GIVEN_STOP_AT, "ps-slots", m->ps_slots},
		{GIVEN_VS_SLOTS, "vs-slots", m->budget.vs_slots}, {GIVEN_VS_TEMPS, "vs-temps", m->budget.vs_temps},
		{GIVEN_TEXCOORDS, "texcoords", m->budget.texcoords}, {GIVEN_PS_ARITH, "ps-arith", m->budget.ps_arith},
		{GIVEN_PS_TEX, "ps-tex", m->budget.ps_tex}, {GIVEN_PIXELS, "pixels-per-vertex", m->pixels_per_vertex},
		{GIVEN_EFFORT, "effort", m->effort},
	};
	for (size_t k = 0; k < sizeof budgets / sizeof *budgets; k++)
		if (o->given & budgets[k].bit)
			printf(" --%s=%u", budgets[k].name, budgets[k].value);
	if (o->given & GIVEN_VS_CONSTS)
		printf(" --vs-consts=c%d-c%d", m->budget.vs_consts.first, m->budget.vs_consts.last);
	for (unsigned k = 0; k < 8; k++)
		if (o->keep_inputs >> k & 1)
			printf("%st%u", o->keep_inputs & ((1u << k) - 1) ? "," : " --keep-inputs=", k);
	if (m->preshader)
		printf(" --preshader=-");
	if (o->given & GIVEN_PS_CONSTS)
		printf(" --ps-consts=c%d-c%d", m->ps_consts.first, m->ps_consts.last);
	if (o->given & GIVEN_TARGET)
		printf(" --target=%s", o->several ? "" : m->target.name);
	for (unsigned k = 0; k < TARGETS; k++)
		if (o->several >> k & 1)
			printf("%s,", targets[k].name);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(uint64_t seed, unsigned which, struct gen_pair pair, const struct run_options *o,
                   const struct trial *t, double took)
{
	struct arena keep;
	arena_init(&keep, NULL);
	struct gen_pair small = pair;
	if (took < (double)SLOW) /* reducing tries it hundreds of times */
		small = reduce_pair(pair, o, t->outcome, DAMAGES_EACH, seed, &keep);
	struct trial again = try_pair(&keep, small, o, DAMAGES_EACH, seed);
	printf("# seed %llu, variant %u: %s: %s\n# ", (unsigned long long)seed, which, trial_names[t->outcome],
	       again.why ? again.why : "");
	print_options(o);
	printf("\n");
	printf("%s%s", pair_text(&keep, small.vs), pair_text(&keep, small.ps));
	if (again.vs_out && again.ps_out)
		printf("# becomes\n%s%s", again.vs_out, again.ps_out);
	printf("# end\n");
	fflush(stdout);
	arena_free(&keep);
}

struct pairs_of {
	struct gen_pair (*pair)(struct arena *, uint64_t seed);
	unsigned model3; /* percent of pairs of model 3 */
};

static bool is_model3(uint64_t seed, unsigned share)
{
	uint64_t state = seed ^ UINT64_C(0x1234567);
	return gen_below(&state, 100) < (int)share;
}

static struct gen_pair pair_of(struct arena *arena, const struct pairs_of *of, uint64_t seed)
{
	struct gen_pair const pair = of->pair(arena, seed);
	return is_model3(seed, of->model3) ? gen_model3(arena, seed, pair) : pair;
}

static int soak(const struct pairs_of *pairs, uint64_t seed, uint64_t step, unsigned long n, unsigned keep, const bool chosen[VARIANTS], struct counts *c)
{
	struct arena arena;
	arena_init(&arena, NULL);
	/* Allocates one block for all memory of a trial, so that resetting the arena frees nothing. */
	arena_alloc(&arena, (size_t)48 << 20);
	arena.limit = (size_t)1 << 30; /* a pair for many targets that is moved twice takes most of it */
	unsigned reported = 0;
	for (unsigned long k = 0; k < n; k++, seed += step) {
		arena_reset(&arena);
		seed_at = (unsigned long)seed;
		struct gen_pair pair = pair_of(&arena, pairs, seed);
		if (!is_legal(&arena, pair)) {
			c->illegal++;
			continue;
		}
		struct arena_mark mark = arena_mark(&arena);
		for (unsigned which = 0; which < VARIANTS; which++) {
			if (!chosen[which])
				continue;
			arena_release(&arena, mark);
			struct run_options o = variant((enum variant)which, seed, pair);
			double from = now();
			struct trial t = try_pair(&arena, pair, &o, DAMAGES_EACH, seed);
			double took = now() - from;
			c->seconds[which] += took;
			if (took > (double)SLOW)
				printf("# seed %llu, variant %u: %.1f s\n", (unsigned long long)seed, which, took);
			c->trials++;
			c->outcome[t.outcome]++;
			c->improved += t.improved;
			c->wide += t.wide != NULL;
			if (t.wide)
				printf("# seed %llu, variant %u: %s\n", (unsigned long long)seed, which, t.wide);
			c->pixels += t.pixels;
			c->left_out += t.left_out;
			c->damaged += t.damaged;
			c->refuted += t.refuted;
			if (t.outcome == TRIAL_GOOD || t.outcome == TRIAL_TOO_LONG)
				continue;
			report(seed, which, pair, &o, &t, took);
			if (++reported >= keep)
				goto end;
			break;
		}
	}
end:
	arena_free(&arena);
	return reported ? 1 : 0;
}

static int write_text(const char *folder, unsigned long k, const char *ending, const char *text)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/pair%06lu.%s", folder, k, ending);
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0) {
		perror(path);
		return 2;
	}
	return 0;
}

static int write_pairs(const struct pairs_of *pairs, const char *folder, uint64_t seed, unsigned long n)
{
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		perror(folder);
		return 2;
	}
	int status = 0;
	for (unsigned long k = 0; k < n && !status; k++) {
		struct arena arena;
		arena_init(&arena, NULL);
		struct gen_pair pair = pair_of(&arena, pairs, seed + k);
		status = write_text(folder, k, "vsh", pair_text(&arena, pair.vs));
		status = status ? status : write_text(folder, k, "psh", pair_text(&arena, pair.ps));
		arena_free(&arena);
	}
	return status;
}

/* Writes a pair's line of a list and its two programs. */
static int write_member(const char *folder, FILE *list, uint64_t seed, unsigned vs, unsigned ps, bool model3, bool flows)
{
	char vertex[32], pixel[32];
	struct arena arena;
	arena_init(&arena, NULL);
	struct gen_pair pair = flows ? gen_flow_member(&arena, seed, vs, ps) : gen_member(&arena, seed, vs, ps);
	if (model3)
		pair = gen_model3_member(&arena, seed, vs, ps, pair);
	snprintf(vertex, sizeof vertex, "%u.vsh", vs);
	snprintf(pixel, sizeof pixel, "%u.psh", ps);
	int status = write_text(folder, (unsigned long)seed, vertex, pair_text(&arena, pair.vs));
	status = status ? status : write_text(folder, (unsigned long)seed, pixel, pair_text(&arena, pair.ps));
	fprintf(list, "%s/pair%06lu.%s %s/pair%06lu.%s\n", folder, (unsigned long)seed, vertex, folder,
	        (unsigned long)seed, pixel);
	arena_free(&arena);
	return status;
}

static int write_groups(const char *folder, uint64_t seed, unsigned long n, unsigned members, unsigned model3, bool flows)
{
	static const char *const names[2] = {"shared-vp", "shared-fp"};
	int status = 0;
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		perror(folder);
		return 2;
	}
	for (unsigned which = 0; which < 2 && !status; which++) {
		char path[4096];
		snprintf(path, sizeof path, "%s/%s", folder, names[which]);
		FILE *list = fopen(path, "w");
		if (!list) {
			perror(path);
			return 2;
		}
		for (unsigned long k = 0; k < n && !status; k++)
			for (unsigned m = 0; m < members && !status; m++)
				status = write_member(folder, list, seed + k, which ? m : 0, which ? 0 : m, is_model3(seed + k, model3), flows);
		status = fclose(list) ? 2 : status;
	}
	return status;
}

static int usage(void)
{
	fprintf(stderr, "usage: soak [-c|-f] [-m SHARE] [-s SEED] [-j JOBS] [-k KEEP] [-v VARIANTS] [[-g MEMBERS] -w DIR] N\n");
	return 2;
}

int main(int argc, char **argv)
{
	uint64_t seed = 0;
	unsigned jobs = 1, keep = 1, members = 0;
	const char *folder = NULL, *digits = "012345";
	struct pairs_of pairs = {gen_pair, 25};
	bool share_given = false;
	for (int c; (c = getopt(argc, argv, "cfs:j:k:v:w:g:m:")) != -1;) {
		switch (c) {
		case 'c': pairs.pair = gen_compiled; break;
		case 'f': pairs.pair = gen_flow; break;
		case 'm':
			pairs.model3 = (unsigned)strtoul(optarg, NULL, 0);
			share_given = true;
			break;
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'j': jobs = (unsigned)strtoul(optarg, NULL, 0); break;
		case 'k': keep = (unsigned)strtoul(optarg, NULL, 0); break;
		case 'v': digits = optarg; break;
		case 'w': folder = optarg; break;
		case 'g': members = (unsigned)strtoul(optarg, NULL, 0); break;
		default: return usage();
		}
	}
	if (optind + 1 != argc || jobs < 1 || jobs > 256)
		return usage();
	unsigned long n = strtoul(argv[optind], NULL, 0);
	bool chosen[VARIANTS];
	for (unsigned which = 0; which < VARIANTS; which++)
		chosen[which] = strchr(digits, '0' + (int)which) != NULL;
	if ((folder && !share_given) || pairs.pair == gen_flow)
		pairs.model3 = 0; /* so that the written sets of pairs stay the same as before */
	if (folder && members)
		return write_groups(folder, seed, n, members, pairs.model3, pairs.pair == gen_flow);
	if (folder)
		return write_pairs(&pairs, folder, seed, n);
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGSEGV, crashed);
	signal(SIGABRT, crashed);
	signal(SIGTERM, crashed); /* so that a seed that takes too long is named */
	int status = 0;
	for (unsigned j = 0; j < jobs; j++) {
		pid_t pid = jobs > 1 ? fork() : 0;
		if (pid < 0) {
			perror("fork");
			return 2;
		}
		if (pid)
			continue;
		struct counts c = {.trials = 0};
		status = soak(&pairs, seed + j, jobs, (n + jobs - 1 - j) / jobs, keep, chosen, &c);
		printf("%s - %lu trials of seeds from %llu in steps of %u: %lu good (%lu improved), %lu too long; %lu rejected, "
		       "%lu faults, %lu apart, %lu dearer; %lu rounded beyond the default tolerance; %lu results damaged on purpose: %lu refuted, %lu the same function, %lu missed\n",
		       status ? "not ok" : "ok", c.trials, (unsigned long long)seed + j, jobs, c.outcome[TRIAL_GOOD], c.improved,
		       c.outcome[TRIAL_TOO_LONG], c.outcome[TRIAL_REJECTED], c.outcome[TRIAL_FAULT], c.outcome[TRIAL_APART],
		       c.outcome[TRIAL_DEARER], c.wide, c.damaged, c.refuted, c.damaged - c.refuted - c.outcome[TRIAL_BLIND], c.outcome[TRIAL_BLIND]);
		printf("# %lu seeds are illegal pairs; %.1f%% of %llu pixels could not be compared; seconds:", c.illegal,
		       100.0 * (double)c.left_out / (double)(c.pixels ? c.pixels : 1), (unsigned long long)c.pixels);
		for (unsigned which = 0; which < VARIANTS; which++)
			printf(" %s %.1f", variant_names[which], c.seconds[which]);
		printf("\n");
		return status;
	}
	for (int child; wait(&child) > 0;)
		if (!WIFEXITED(child) || WEXITSTATUS(child))
			status = 1;
	return status;
}
