/* bench: how fast the pipeline is and what it gains, over pairs of programs.
 *
 *     bench slots DIR...      slots of each pair before and after, at every level
 *     bench speed DIR...      pairs a second, time of each step, memory; one process, one core
 *     bench plan DIR...       planning time and search steps of each pair, and of longer programs
 *     bench front DIR...      MB/s from text to checked programs, beside libmojoshader
 *     bench verify DIR...     the interpreter's pixels a second
 *     bench image DIR...      the interpreter's time for 512 x 512 pixels of each old pair
 *     bench cost COMMAND...   of a command that prints to nowhere: ms on the clock, ms of processor time in the
 *                             program and in the system, MB of memory at most
 *
 * Each DIR holds vp.vsh and fp.psh.  Times are processor time of this process; every figure is
 * the median of several rounds over all pairs. */
#include "lang/check.h"
#include "lang/parse.h"
#include "lang/preprocess.h"
#include "pipeline.h"
#include "verify/interp.h"

#include <mojoshader/mojoshader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 15, LEVELS = 4 };

struct input {
	const char *name;
	struct source sources[2];
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *values, unsigned n)
{
	qsort(values, n, sizeof *values, by_size);
	return values[n / 2];
}

static struct source slurp(const char *dir, const char *file)
{
	char *path = malloc(strlen(dir) + strlen(file) + 2);
	sprintf(path, "%s/%s", dir, file);
	FILE *f = fopen(path, "rb");
	if (!f) {
		perror(path);
		exit(2);
	}
	char *text = malloc(1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	struct source s = {.name = path, .text = text, .size = n};
	struct preprocess_options none = {0};
	if (preprocess_wanted(&s, &none)) {
		/* Read once; what the steps take from there on is plain text. */
		static struct arena arena;
		struct source raw = s;
		struct diags d;
		diag_init(&d, &arena);
		preprocess(&arena, &raw, &none, &s, &d);
	}
	return s;
}

static unsigned row(struct run *r, const struct input *in, int level, struct arena *a)
{
	struct run_options o = {.move.level = level};
	arena_reset(a);
	run_init(r, a, in->sources, 2, &o);
	run_all(r);
	return r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
}

static int slots(const struct input *in, int n, struct arena *a)
{
	printf("%-24s%9s%9s%9s%9s   (FP slots, VP slots)  interpolators, reads at -O0 -> -O2\n", "", "-O0", "-O1", "-O2",
	       "-O3");
	for (int i = 0; i < n; i++) {
		struct measure p[LEVELS];
		const char *base = strrchr(in[i].name, '/');
		printf("%-24s", base ? base + 1 : in[i].name);
		for (int level = 0; level < LEVELS; level++) {
			struct run r;
			if (!row(&r, &in[i], level, a)) {
				printf("%9s", "rejected");
				p[level] = (struct measure){0};
				continue;
			}
			p[level] = r.ps_after;
			printf("  %3u,%3u", r.ps_after.slots, r.vs_after.slots);
		}
		printf("   %u -> %u, %u -> %u\n", p[0].inputs, p[2].inputs, p[0].order, p[2].order);
	}
	return 0;
}

static void speed_of(const struct input *in, int n, int level, struct arena *a)
{
	double total[ROUNDS], step[STEPS][ROUNDS];
	memset(step, 0, sizeof step);
	struct run_options o = {.move.level = level};
	unsigned repeats = level < 2 ? 20 : 3;
	for (unsigned round = 0; round < ROUNDS; round++) {
		double from = now();
		for (unsigned k = 0; k < repeats; k++)
			for (int i = 0; i < n; i++) {
				struct run r;
				arena_reset(a);
				run_init(&r, a, in[i].sources, 2, &o);
				run_all(&r);
			}
		total[round] = (now() - from) / repeats;
		for (int i = 0; i < n; i++) {
			struct run r;
			arena_reset(a);
			run_init(&r, a, in[i].sources, 2, &o);
			for (unsigned s = 0; s < STEPS; s++) {
				double at = now();
				bool on = pipeline[s].run(&r);
				step[s][round] += now() - at;
				if (!on)
					break;
			}
		}
	}
	double all = median(total, ROUNDS), sum = 0, each[STEPS];
	for (unsigned s = 0; s < STEPS; s++)
		sum += each[s] = median(step[s], ROUNDS);
	printf("-O%d: %.0f pairs/s, %.1f us a pair:", level, n / all, 1e6 * all / n);
	for (unsigned s = 0; s < STEPS; s++)
		printf(" %s %.0f%%", pipeline[s].name, 100 * each[s] / sum);
	printf("\n");
}

static int speed(const struct input *in, int n, struct arena *a)
{
	for (int level = 0; level < LEVELS; level++)
		speed_of(in, n, level, a);
	struct rusage use;
	getrusage(RUSAGE_SELF, &use);
	printf("peak memory: %.1f MB\n", (double)use.ru_maxrss / 1024);
	return 0;
}

static double plan_time(const struct input *in, struct arena *a, uint32_t *steps, bool *optimal)
{
	struct run r;
	struct run_options o = {.move.level = 2};
	double time[5];
	for (unsigned k = 0; k < 5; k++) {
		arena_reset(a);
		run_init(&r, a, in->sources, 2, &o);
		for (unsigned s = 0; s < STEPS; s++) {
			double from = now();
			if (!pipeline[s].run(&r))
				return -1;
			if (strcmp(pipeline[s].name, "move") == 0) {
				time[k] = now() - from;
				break;
			}
		}
	}
	*steps = r.moved->nodes;
	*optimal = r.moved->optimal;
	return median(time, 5);
}

/* Writes a filter of `taps` reads whose addresses are a chain of additions: 3 slots each. */
static void grow(struct arena *a, unsigned taps)
{
	static const char vs[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n";
	struct arena text_arena;
	arena_init(&text_arena, NULL);
	struct text t = {.arena = &text_arena};
	text_string(&t, "ps_2_a\ndcl t0.xy\ndcl_2d s0\nadd r1.xy, t0, c0\ntexld r0, r1, s0\n");
	for (unsigned k = 1; k < taps; k++)
		text_string(&t, "add r1.xy, r1, c0\ntexld r2, r1, s0\nadd r0, r0, r2\n");
	text_string(&t, "mov oC0, r0\n");
	struct input in = {"", {{.name = "vs", .text = vs, .size = sizeof vs - 1}, {.name = "ps", .text = t.at, .size = t.n}}};
	uint32_t steps = 0;
	bool optimal = false;
	double time = plan_time(&in, a, &steps, &optimal);
	printf("%4u slots: %9.1f us, %u steps%s\n", 3 * taps, 1e6 * time, (unsigned)steps, optimal ? ", optimal" : "");
	arena_free(&text_arena);
}

static int plan(const struct input *in, int n, struct arena *a)
{
	double *times = calloc((size_t)n, sizeof *times), worst = 0;
	int worst_pair = 0, planned = 0, best = 0;
	uint32_t most = 0;
	for (int i = 0; i < n; i++) {
		uint32_t steps = 0;
		bool optimal = false;
		double time = plan_time(&in[i], a, &steps, &optimal);
		if (time < 0)
			continue;
		times[planned++] = time;
		best += optimal;
		most = steps > most ? steps : most;
		if (time > worst) {
			worst = time;
			worst_pair = i;
		}
	}
	printf("%d pairs: median %.1f us, worst %.1f us (%s), most steps %u, %d known to be optimal\n", planned,
	       1e6 * median(times, (unsigned)planned), 1e6 * worst, in[worst_pair].name, (unsigned)most, best);
	for (unsigned taps = 3; taps <= 171; taps *= 2)
		grow(a, taps);
	free(times);
	return 0;
}

static int front(const struct input *in, int n, struct arena *a)
{
	double ours[ROUNDS], theirs[ROUNDS];
	size_t bytes = 0;
	unsigned refused = 0, again = 50;
	for (int i = 0; i < n; i++)
		bytes += in[i].sources[0].size + in[i].sources[1].size;
	for (unsigned round = 0; round < ROUNDS; round++) {
		double from = now();
		for (unsigned k = 0; k < again; k++)
			for (int i = 0; i < 2 * n; i++) {
				struct diags d;
				arena_reset(a);
				diag_init(&d, a);
				struct program_list list = parse_programs(a, &in[i / 2].sources[i % 2], &d);
				for (uint32_t p = 0; p < list.n; p++)
					check_program(list.at[p], &(struct check_options){0}, &d);
			}
		ours[round] = (now() - from) / again;
		from = now();
		refused = 0;
		for (int i = 0; i < 2 * n; i++) {
			const struct source *s = &in[i / 2].sources[i % 2];
			const MOJOSHADER_parseData *d = MOJOSHADER_assemble(s->name, s->text, (unsigned)s->size, NULL, 0, NULL, 0,
			                                                    NULL, 0, NULL, NULL, NULL, NULL, NULL);
			refused += d->error_count > 0;
			MOJOSHADER_freeParseData(d);
		}
		theirs[round] = now() - from;
	}
	double us = median(ours, ROUNDS), moj = median(theirs, ROUNDS);
	printf("fpmove: %.1f MB/s, %.2f us a file (read and checked, %d files of %zu bytes)\n", 1e-6 * (double)bytes / us,
	       1e6 * us / (2 * n), 2 * n, bytes);
	printf("libmojoshader: %.1f MB/s, %.2f us a file (assembled, %u refused): %.1f times as long\n",
	       1e-6 * (double)bytes / moj, 1e6 * moj / (2 * n), refused, moj / us);
	return 0;
}

static int verify(const struct input *in, int n, struct arena *a)
{
	uint64_t pixels = 0;
	double time = 0;
	for (int i = 0; i < n; i++) {
		struct run r;
		if (!row(&r, &in[i], 1, a))
			continue;
		struct measure_options m = {.primitives = 64, .context = run_context(&r)};
		double from = now();
		pixels += measure(a, (struct pair){r.vs, r.ps}, (struct pair){r.vs_new, r.ps_new}, &m).pixels;
		time += now() - from;
	}
	printf("--verify: %.2f million pixels/s, each through both pairs in float and in double\n",
	       1e-6 * (double)pixels / time);
	return 0;
}

/* Draws one triangle over the whole image, under perspective; textures of 256 x 256. */
static int image(const struct input *in, int n, struct arena *a)
{
	enum { SIDE = 512, TEXTURE = 256 };
	static float texels[TEXTURE * TEXTURE * LANES], weight[2][SIDE * SIDE], colour[LANES][SIDE * SIDE], consts[INTERP_CONSTS][LANES];
	for (unsigned k = 0; k < TEXTURE * TEXTURE * LANES; k++)
		texels[k] = (float)(k * 2654435761u >> 8) * 0x1p-24f;
	for (unsigned k = 0; k < SIDE * SIDE; k++) {
		weight[0][k] = ((float)(k % SIDE) + 0.5f) / SIDE / 2;
		weight[1][k] = ((float)k / SIDE + 0.5f) / SIDE / 2;
	}
	for (unsigned k = 0; k < INTERP_CONSTS * LANES; k++)
		consts[k / LANES][k % LANES] = 0.01f * (float)(k % 100);
	for (int i = 0; i < n; i++) {
		struct run r;
		if (!row(&r, &in[i], 0, a))
			continue;
		printf("%s, %u slots:", in[i].name, r.ps_before.slots);
		for (unsigned linear = 0; linear < 2; linear++) {
			struct interp_texture textures[INTERP_SAMPLERS];
			struct interp_scene scene = {.vs_const = (const float (*)[LANES])consts, .ps_const = (const float (*)[LANES])consts,
			                             .texture = textures, .flat_w = true, .w = {1, 2, 3}};
			for (unsigned s = 0; s < INTERP_SAMPLERS; s++)
				textures[s] = (struct interp_texture){.kind = (enum texture)r.ps->samplers[s] == TEXTURE_2D ? TEXTURE_2D : TEXTURE_NONE,
				                                      .width = TEXTURE, .height = TEXTURE, .depth = 1, .linear = linear, .texels = texels};
			for (unsigned v = 0; v < 3; v++)
				for (unsigned k = 0; k < INTERP_INPUTS * LANES; k++)
					scene.vertex[v][k / LANES][k % LANES] = (float)((v + 1) * (k + 1) % 7) / 3;
			struct interp_pixels pixels = {.n = SIDE * SIDE, .weight = {weight[0], weight[1]},
			                               .colour = {{colour[0], colour[1], colour[2], colour[3]}}};
			double time[ROUNDS];
			for (unsigned round = 0; round < ROUNDS; round++) {
				double from = now();
				interp_draw(a, (struct pair){r.vs, r.ps}, &scene, &pixels);
				time[round] = now() - from;
			}
			printf(" %.1f ms with %s filtering", 1e3 * median(time, ROUNDS), linear ? "linear" : "point");
		}
		printf("\n");
	}
	return 0;
}

static double ms(struct timeval t)
{
	return 1e3 * (double)t.tv_sec + 1e-3 * (double)t.tv_usec;
}

/* Measures a command.  Memory that this process had before it became the command counts as the command's, so this one is small. */
static int cost(char **command)
{
	struct timespec from, to;
	struct rusage use;
	int status = 0;
	clock_gettime(CLOCK_MONOTONIC, &from);
	pid_t pid = fork();
	if (pid == 0) {
		if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
			execvp(command[0], command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 2;
	clock_gettime(CLOCK_MONOTONIC, &to);
	getrusage(RUSAGE_CHILDREN, &use);
	printf("%.1f %.1f %.1f %.1f\n", 1e3 * (double)(to.tv_sec - from.tv_sec) + 1e-6 * (double)(to.tv_nsec - from.tv_nsec),
	       ms(use.ru_utime), ms(use.ru_stime), (double)use.ru_maxrss / 1024);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

int main(int argc, char **argv)
{
	if (argc > 2 && strcmp(argv[1], "cost") == 0)
		return cost(argv + 2);
	static const struct {
		const char *name;
		int (*run)(const struct input *, int, struct arena *);
	} modes[] = {{"slots", slots}, {"speed", speed}, {"plan", plan}, {"front", front}, {"verify", verify}, {"image", image}};
	struct arena arena;
	arena_init(&arena, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	struct input *in = calloc((size_t)argc, sizeof *in);
	for (int i = 2; i < argc; i++)
		in[i - 2] = (struct input){argv[i], {slurp(argv[i], "vp.vsh"), slurp(argv[i], "fp.psh")}};
	for (unsigned m = 0; m < sizeof modes / sizeof *modes; m++)
		if (argc > 2 && strcmp(argv[1], modes[m].name) == 0)
			return modes[m].run(in, argc - 2, &arena);
	fprintf(stderr, "usage: bench slots|speed|plan|front|verify|image DIR..., or bench cost COMMAND...\n");
	return 2;
}
