/* Computes nbody in single precision on one core of the CPU, for comparison with the GPU's time, see nbody.h. */
#include "gpu/nbody.h"

#include <math.h>

/* Returns the table's g at x, interpolated as on the GPU. */
static float table_at(const struct force_table *t, float x)
{
	float const cells = (float)(t->n - 1), at = (x - (float)t->first) / (float)(t->last - t->first) * cells;
	float const inside = fminf(fmaxf(at, 0), cells);
	unsigned const cell = inside < cells ? (unsigned)inside : t->n - 2;
	return t->g[cell] + (inside - (float)cell) * (t->g[cell + 1] - t->g[cell]);
}

static float table_factor(const struct nbody *s, const float *one, const float *other, float r2)
{
	unsigned const i = nbody_kind(s, (double)one[NBODY_WEIGHT]), j = nbody_kind(s, (double)other[NBODY_WEIGHT]);
	return s->table.b[i][j] * table_at(&s->table, s->table.a[i][j] * r2);
}

/* Returns the factor by which the difference of two bodies' positions is multiplied to give the pull. */
static inline float pull_factor(const struct nbody *s, const float *one, const float *other, float r2)
{
	float const q = 1 / r2, q3 = q * q * q;
	switch (s->law->shape) {
	case NBODY_INVERSE_SQUARE: return other[NBODY_WEIGHT] / (r2 * sqrtf(r2));
	case NBODY_LENNARD_JONES: return q3 * q * (24 - 48 * q3);
	case NBODY_TABLE: return table_factor(s, one, other, r2);
	}
	return 0;
}

/* Adds up the pulls of all bodies on the body `one`. */
static void pull_one(const struct nbody *s, const float *position, const float *one, float *pull)
{
	float const softening2 = (float)s->softening2, cutoff2 = (float)s->cutoff2;
	float sum[3] = {0};
	for (const float *other = position; other < position + (size_t)s->n * LANES; other += LANES) {
		float const x = other[0] - one[0], y = other[1] - one[1], z = other[2] - one[2];
		float const r2 = x * x + y * y + z * z + softening2;
		float const f = r2 <= cutoff2 ? pull_factor(s, one, other, r2) : 0;
		sum[0] += f * x;
		sum[1] += f * y;
		sum[2] += f * z;
	}
	memcpy(pull, sum, sizeof sum);
}

static void leap_in_single(const struct nbody *s, double kick, double drift)
{
	float *position = s->end[0], *velocity = s->end[1];
	float const plain = (float)(kick * s->law->own_plain), weight = (float)(kick * s->law->own_weight);
	for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES) {
		float const f = plain + weight * position[b + NBODY_WEIGHT];
		for (size_t l = b; l < b + 3; l++) {
			velocity[l] += f * s->sum[l];
			position[l] += (float)drift * velocity[l];
		}
	}
}

void nbody_on_cpu(struct lab *lab, void *state)
{
	struct nbody *s = state;
	unsigned const steps = s->wanted.number[NBODY_STEPS];
	(void)lab;
	for (unsigned k = 0; k < 2; k++)
		memcpy(s->end[k], s->start[k], (size_t)s->n * sizeof(float[LANES]));
	for (unsigned k = 0; k <= steps; k++) {
		for (size_t b = 0; b < (size_t)s->n * LANES; b += LANES)
			pull_one(s, s->end[0], s->end[0] + b, s->sum + b);
		leap_in_single(s, k == 0 || k == steps ? s->step / 2 : s->step, k == steps ? 0 : s->step);
	}
}
