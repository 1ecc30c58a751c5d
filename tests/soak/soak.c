/* Random pairs through the mover at each level: soak [-s SEED] [-j JOBS] [-k KEEP] N
 * checks the pairs of N seeds from SEED on; `soak -w DIR N` only writes them.  A pair that
 * fails is reduced, printed, and ends the process with status 1 (after KEEP of them). */
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

enum { VARIANTS = 4, DAMAGES_EACH = 3, SLOW = 1 /* seconds of processor time */ };

struct counts {
	unsigned long outcome[TRIAL_COUNT];
	unsigned long improved, wide, trials, damaged, refuted;
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

/* The options of a trial: the plain levels first, then one with scarce budgets. */
static struct run_options variant(unsigned which, uint64_t seed)
{
	struct run_options o = {.move.level = (int)which + 1};
	if (which < 3)
		return o;
	uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) >> 8;
	o.move.level = 1 + (int)(x % 3);
	o.move.drop_in = x >> 4 & 1;
	o.move.colour_inputs = x >> 5 & 1;
	o.given = (unsigned)(x >> 8 & 0xf9);
	if (o.given & GIVEN_MAX_MOVES)
		o.move.max_moves = (unsigned)(x >> 16 & 7);
	o.move.vs_slots = models[VS_1_1].arith;
	o.given &= ~(unsigned)(GIVEN_STOP_AT | GIVEN_VS_SLOTS | GIVEN_PS_ARITH | GIVEN_PS_TEX);
	/* No generated program comes this far by a0. */
	o.move.vs_consts = (struct range){60 + (int)(x >> 28 & 15), 80 + (int)(x >> 32 & 15)};
	if (o.given & GIVEN_VS_TEMPS)
		o.move.vs_temps = 12 - (unsigned)(x >> 20 & 3);
	if (o.given & GIVEN_TEXCOORDS)
		o.move.texcoords = 8 - (unsigned)(x >> 24 & 3);
	return o;
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
	if (took < SLOW) /* reducing tries it hundreds of times */
		small = reduce_pair(pair, o, t->outcome, DAMAGES_EACH, seed, &keep);
	struct trial again = try_pair(&keep, small, o, DAMAGES_EACH, seed);
	printf("# seed %llu, options %u (-O%d%s%s): %s: %s\n", (unsigned long long)seed, which, o->move.level,
	       o->move.drop_in ? " --drop-in" : "", o->move.colour_inputs ? " --colour-inputs" : "",
	       outcome_names[t->outcome], again.why ? again.why : "");
	if (o->given)
		printf("# given %x max_moves %u vs_temps %u texcoords %u\n", o->given, o->move.max_moves, o->move.vs_temps, o->move.texcoords);
	printf("%s%s", pair_text(&keep, small.vs), pair_text(&keep, small.ps));
	if (again.vs_out && again.ps_out)
		printf("# becomes\n%s%s", again.vs_out, again.ps_out);
	printf("# end\n");
	fflush(stdout);
	arena_free(&keep);
}

static int soak(uint64_t seed, uint64_t step, unsigned long n, unsigned keep, struct counts *c)
{
	struct arena arena;
	arena_init(&arena, NULL);
	/* One block for all that a seed takes, so that resetting gives none back. */
	arena_alloc(&arena, (size_t)48 << 20);
	arena.limit = (size_t)512 << 20;
	unsigned reported = 0;
	for (unsigned long k = 0; k < n; k++, seed += step) {
		arena_reset(&arena);
		seed_at = (unsigned long)seed;
		struct gen_pair pair = gen_pair(&arena, seed);
		for (unsigned which = 0; which < VARIANTS; which++) {
			struct run_options o = variant(which, seed);
			double from = now();
			struct trial t = try_pair(&arena, pair, &o, DAMAGES_EACH, seed);
			double took = now() - from;
			c->seconds[which] += took;
			if (took > SLOW)
				printf("# seed %llu, options %u: %.1f s\n", (unsigned long long)seed, which, took);
			c->trials++;
			c->outcome[t.outcome]++;
			c->improved += t.improved;
			c->wide += t.wide;
			c->damaged += t.damaged;
			c->refuted += t.refuted;
			if (t.outcome == TRIAL_GOOD || t.outcome == TRIAL_TOO_LONG)
				continue;
			if (t.outcome == TRIAL_ILLEGAL)
				break;
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

static int write_pairs(const char *folder, uint64_t seed, unsigned long n)
{
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		perror(folder);
		return 2;
	}
	int status = 0;
	for (unsigned long k = 0; k < n && !status; k++) {
		struct arena arena;
		arena_init(&arena, NULL);
		struct gen_pair pair = gen_pair(&arena, seed + k);
		status = write_text(folder, k, "vsh", pair_text(&arena, pair.vs));
		status = status ? status : write_text(folder, k, "psh", pair_text(&arena, pair.ps));
		arena_free(&arena);
	}
	return status;
}

static int usage(void)
{
	fprintf(stderr, "usage: soak [-s SEED] [-j JOBS] [-k KEEP] [-w DIR] N\n");
	return 2;
}

int main(int argc, char **argv)
{
	uint64_t seed = 0;
	unsigned jobs = 1, keep = 1;
	const char *folder = NULL;
	for (int c; (c = getopt(argc, argv, "s:j:k:w:")) != -1;) {
		switch (c) {
		case 's': seed = strtoull(optarg, NULL, 0); break;
		case 'j': jobs = (unsigned)strtoul(optarg, NULL, 0); break;
		case 'k': keep = (unsigned)strtoul(optarg, NULL, 0); break;
		case 'w': folder = optarg; break;
		default: return usage();
		}
	}
	if (optind + 1 != argc || jobs < 1 || jobs > 256)
		return usage();
	unsigned long n = strtoul(argv[optind], NULL, 0);
	if (folder)
		return write_pairs(folder, seed, n);
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
		status = soak(seed + j, jobs, (n + jobs - 1 - j) / jobs, keep, &c);
		printf("%s - %lu trials of seeds from %llu in steps of %u: %lu good (%lu improved), %lu too long, %lu illegal, "
		       "%lu rejected, %lu faults, %lu apart; %lu beyond the default tolerance; "
		       "%lu results damaged on purpose: %lu refuted, %lu the same function, %lu missed\n",
		       status ? "not ok" : "ok", c.trials, (unsigned long long)seed + j, jobs, c.outcome[TRIAL_GOOD], c.improved,
		       c.outcome[TRIAL_TOO_LONG], c.outcome[TRIAL_ILLEGAL], c.outcome[TRIAL_REJECTED], c.outcome[TRIAL_FAULT], c.outcome[TRIAL_APART], c.wide,
		       c.damaged, c.refuted, c.damaged - c.refuted - c.outcome[TRIAL_BLIND], c.outcome[TRIAL_BLIND]);
		printf("# seconds at -O1, -O2, -O3 and with scarce budgets:");
		for (unsigned which = 0; which < VARIANTS; which++)
			printf(" %.1f", c.seconds[which]);
		printf("\n");
		return status;
	}
	for (int child; wait(&child) > 0;)
		if (!WIFEXITED(child) || WEXITSTATUS(child))
			status = 1;
	return status;
}
