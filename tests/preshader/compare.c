/* compare LIBRARY NAME VP FP [NAME VP FP ...]: compares the C functions of --preshader with the interpreter.  It draws random
 * constants, calls NAME in the shared library, evaluates the pair's own expressions and prints differences. */
#include "pipeline.h"
#include "verify/interp.h"

#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 200, ROWS = INTERP_CONSTS };

typedef void function(float ps[][4], float vs[][4]);

static uint32_t draw(uint64_t *state, uint32_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*state >> 33) * below >> 31);
}

/* Returns a number of any size, or one at which functions jump. */
static float some_number(uint64_t *state)
{
	static const float special[] = {0, 1, -1, 0.5f, 2, -0.0f, 1e-30f, -1e30f, FLT_MAX, FLT_MIN};
	if (draw(state, 8) == 0)
		return special[draw(state, sizeof special / sizeof *special)];
	float part = (float)draw(state, 1 << 24) / (float)(1 << 23) - 1;
	return draw(state, 4) ? part : part * 100;
}

static bool is_set(const struct needs *m, enum stage stage, int row, unsigned lane, bool *preset)
{
	bool set = false;
	*preset = false;
	for (uint32_t k = 0; k < m->folds.n; k++) {
		const struct folded *f = &m->folds.at[k];
		if (f->preset && f->stage == stage && f->index == row) {
			set = true;
			*preset |= f->lane == lane;
		}
	}
	return set;
}

/* Returns whether the numbers agree to a part in a million, or are as small as the rounding errors of a cancelling sum in double. */
static bool close_enough(float got, float want)
{
	if (isnan(want))
		return true; /* 0^0, for which the function gives 1 */
	double wide = fabs((double)want), gap = fabs((double)got - (double)want);
	return gap <= 1e-6 * wide + 1e-12;
}

static unsigned compare_rows(const char *name, const struct needs *m, enum stage stage, float (*got)[4],
                             float (*want)[4], float (*before)[4], float (*ps)[4])
{
	unsigned apart = 0;
	for (int row = 0; row < ROWS; row++) {
		const struct const_map *copy = NULL;
		for (uint32_t k = 0; k < m->consts.n; k++)
			if (stage == STAGE_VERTEX && m->consts.at[k].vs == row)
				copy = &m->consts.at[k];
		for (unsigned lane = 0; lane < LANES; lane++) {
			bool preset, set = is_set(m, stage, row, lane, &preset);
			float g = got[row][lane];
			bool fine = preset ? close_enough(g, want[row][lane])
			            : set  ? g == 0
			            : copy ? memcmp(&g, &ps[copy->ps][lane], sizeof g) == 0
			                   : memcmp(&g, &before[row][lane], sizeof g) == 0;
			if (!fine && apart++ == 0)
				printf("# %s: %s c%d.%c is %.9g, not %.9g\n", name, stage == STAGE_VERTEX ? "VP" : "FP", row,
				       "xyzw"[lane], (double)g, (double)want[row][lane]);
		}
	}
	return apart;
}

static unsigned compare(struct arena *a, const struct needs *m, function *f, const char *name)
{
	static float before[2][ROWS][4], want[2][ROWS][4], got[2][ROWS][4];
	uint64_t state = 1;
	for (unsigned n = 0; n < DRAWS; n++) {
		for (unsigned k = 0; k < 2 * ROWS * LANES; k++)
			(&before[0][0][0])[k] = some_number(&state);
		memcpy(want, before, sizeof want);
		memcpy(got, before, sizeof got);
		interp_set_presets(a, m->folds.at, m->folds.n, (const float (*)[LANES])before[1], want[0], want[1]);
		/* Fill it twice: the function must not read its output. */
		f(got[1], got[0]);
		f(got[1], got[0]);
		unsigned apart = compare_rows(name, m, STAGE_VERTEX, got[0], want[0], before[0], before[1]) +
		                 compare_rows(name, m, STAGE_PIXEL, got[1], want[1], before[1], before[1]);
		if (apart)
			return apart;
	}
	return 0;
}

static char *read_file(struct arena *a, const char *path, size_t *n)
{
	FILE *f = fopen(path, "rb");
	static char buffer[1 << 16];
	*n = f ? fread(buffer, 1, sizeof buffer, f) : 0;
	if (f)
		fclose(f);
	return arena_copy(a, buffer, *n);
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library) {
		fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "usage: compare LIBRARY NAME VP FP ...");
		return 2;
	}
	unsigned apart = 0, compared = 0, presets = 0;
	for (int i = 2; i + 2 < argc; i += 3) {
		struct arena arena;
		arena_init(&arena, NULL);
		struct run_options o = {.move.level = 2, .move.preshader = true};
		struct source sources[2] = {{.name = argv[i + 1]}, {.name = argv[i + 2]}};
		for (unsigned s = 0; s < 2; s++)
			sources[s].text = read_file(&arena, sources[s].name, &sources[s].size);
		struct run r;
		run_init(&r, &arena, sources, 2, &o);
		run_all(&r);
		function *f = NULL;
		*(void **)&f = dlsym(library, argv[i]);
		bool done = r.status == RUN_IMPROVED || r.status == RUN_UNCHANGED;
		if (done != (f != NULL)) {
			printf("# %s is %sin the library\n", argv[i], f ? "" : "not ");
			apart++;
		} else if (done) {
			apart += compare(&arena, &r.needs, f, argv[i]);
			compared++;
			for (uint32_t k = 0; k < r.needs.folds.n; k++)
				presets += r.needs.folds.at[k].preset;
		}
		arena_free(&arena);
	}
	printf("# %u functions, %u lanes, each on %d sets of constants\n", compared, presets, DRAWS);
	dlclose(library);
	return apart || !presets ? 1 : 0;
}
