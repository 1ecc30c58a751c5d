/* Makes the parameters of the fluid workload from the user's choices, see fluid.h. */
#include "gpu/fluid.h"

enum { CHANNELS = 4 };

static void make_splats(struct lab *lab, struct fluid *f, unsigned seed)
{
	struct splat *s = arena_alloc(lab->arena, f->steps * sizeof *s);
	uint64_t random = seed;
	f->splats = s;
	for (unsigned k = 0; k < f->steps; k++, s++) {
		double const turn = 6.283185307179586 * random_unit(&random), speed = 0.01 * f->size;
		s->x = (float)(0.15 + 0.7 * random_unit(&random));
		s->y = (float)(0.15 + 0.7 * random_unit(&random));
		s->force[0] = (float)(speed * cos(turn));
		s->force[1] = (float)(speed * sin(turn));
		for (unsigned c = 0; c < FLUID_INKS; c++)
			s->ink[c] = (float)(0.2 + 0.6 * random_unit(&random));
	}
}

/* Makes a relief that is lit from the left and the top, and seen from straight above. */
static void make_relief(struct lab *lab, struct fluid *f)
{
	float *ramp = arena_alloc(lab->arena, FLUID_RAMP * CHANNELS * sizeof *ramp);
	f->relief = (struct relief){.height = 1, .light = {-0.64f, -0.48f, 0.6f}, .half_way = {-0.357771f, -0.268328f, 0.894427f},
	                            .ambient = 0.25f, .lit = 0.75f, .shininess = 16, .scale = 0.6f, .bias = 0.02f};
	f->ramp = ramp;
	for (unsigned k = 0; k < FLUID_RAMP; k++)
		for (unsigned c = 0; c < CHANNELS; c++)
			*ramp++ = (float)(0.5 - 0.5 * cos(3.5 * (k + 0.5) / (double)FLUID_RAMP * (1 + 0.35 * (2 - (double)c))));
}

/* Makes wind that blows along x, in waves over y, and an inflow of ink in waves over x and y. */
static void make_stream(struct lab *lab, struct fluid *f)
{
	size_t const n = f->size, floats = n * n * CHANNELS;
	float *wind = arena_zero(lab->arena, floats * sizeof *wind), *inflow = arena_zero(lab->arena, floats * sizeof *inflow);
	double const turn = 6.283185307179586 / (double)n;
	for (size_t k = 0; k < n * n; k++) {
		double const x = (double)(k % n) * turn, y = (double)(k / n) * turn;
		wind[k * CHANNELS] = (float)(0.0005 * (double)n * sin(2 * y));
		for (unsigned c = 0; c < FLUID_INKS; c++)
			inflow[k * CHANNELS + c] = (float)(0.005 * (1 + sin((c + 1) * x) * cos((3 - c) * y)));
	}
	f->wind = wind;
	f->inflow = inflow;
}

void fluid_make(struct lab *lab, const struct wanted *wanted, struct fluid *f)
{
	*f = (struct fluid){.walls = strcmp(wanted->form, "walls") == 0, .size = wanted->number[0], .steps = wanted->number[1],
	                    .iterations = wanted->number[2], .sharpness = -250, .swirl = 0.02f, .slowing = 0.995f, .fading = 0.99f};
	f->lift = -0.0005f * (float)f->size;
	make_splats(lab, f, wanted->seed);
	make_relief(lab, f);
	if (strcmp(wanted->form, "scrolling") == 0)
		make_stream(lab, f);
}
