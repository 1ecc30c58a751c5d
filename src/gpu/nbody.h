/* What the files of the workload nbody share: nbody.c has the passes, nbody_laws.c the forces, nbody_programs.c the
 * programs that compute them, nbody_table.c a force that a text tells, nbody_check.c the check, nbody_cpu.c the same work on the CPU,
 * and nbody_picture.c the picture. */
#ifndef FPMOVE_GPU_NBODY_H
#define FPMOVE_GPU_NBODY_H

#include "gpu/nbody_table.h"
#include "gpu/workload.h"

enum { NBODY_WEIGHT = 3, NBODY_OF_FILE = 8 };          /* the lane of a body's weight; floats of a body in a file */
enum { NBODY_SIZE, NBODY_STEPS, NBODY_SOFTENING, NBODY_BODIES, NBODY_CUTOFF, NBODY_RATE }; /* the workload's numbers */

enum { NBODY_MOST_BODIES = 9 }; /* of a pass */
enum { NBODY_NUMBERS = 9, NBODY_MORE_NUMBERS, NBODY_TABLE_NUMBERS }; /* the constants behind the coordinates of these */

/* How a pixel program computes a force. */
enum nbody_shape { NBODY_INVERSE_SQUARE, NBODY_LENNARD_JONES, NBODY_TABLE };

struct nbody;
/* A function of two bodies, given as four numbers each, and the softened square of their distance. */
typedef double nbody_function(const struct nbody *, const double *one, const double *other, double r2);

/* The acceleration of a body is own_plain + own_weight w times the sum of `pull` over the other bodies, each times its weight w. */
struct nbody_law {
	const char *kernel;              /* its name, but for the number of bodies */
	enum nbody_shape shape;
	unsigned most[2];                /* bodies that a pass holds, without a cut-off radius and with one */
	double own_plain, own_weight;
	unsigned rate;                   /* time steps in a unit of time, unless the user wants others */
	unsigned softening;              /* the least, in thousandths, for which a body's pull on itself is a finite float times 0 */
	bool weighted;                   /* else all bodies pull alike */
	/* The factor of the difference of positions; the sum of the absolute numbers that it is computed from, which bounds rounding; the
	 * potential.  Weights are left out. */
	nbody_function *pull, *size, *potential;
	void (*place)(const struct nbody *, float *bodies); /* NBODY_OF_FILE floats each: position, weight, velocity, 0 */
};
/* Each form has a law of the same index. */
extern const struct workload_form nbody_forms[];
extern const struct nbody_law nbody_laws[];

struct nbody {
	struct wanted wanted;
	const struct nbody_law *law;
	unsigned n, width, lines;      /* bodies; lines of texels that hold them, and one more with a filler */
	double step;                   /* in time */
	double softening2;
	double cutoff2;                /* bodies whose softened square of the distance is more do not pull; may be infinite */
	unsigned bodies;               /* that a pass does */
	bool in_line;                  /* as nbody4 does, which takes four neighbours of a line */
	struct kernel force, leap;
	struct force_table table;      /* of the law NBODY_TABLE; else it has no kinds */
	float filler[LANES];           /* a body that fills up a pass */
	struct image pairs, g;         /* a and b of each two kinds; g of the entries, and what it rises by from each to the next */
	struct image position[2], velocity[2], pull[2], nothing;
	float *start[2], *end[2];      /* positions and velocities before and after, four floats a texel */
	float *sum;                    /* of pulls, at the end */
};

static inline size_t nbody_texels(const struct nbody *s)
{
	return (size_t)s->width * s->lines;
}

/* With a table, a body's weight on the GPU is the coordinate of the centre of its kind's texels; kinds count from 0. */
static inline float nbody_of_kind(const struct nbody *s, unsigned kind)
{
	return ((float)kind + 0.5f) / (float)(s->table.kinds + 1);
}
static inline unsigned nbody_kind(const struct nbody *s, double weight)
{
	return (unsigned)(weight * (s->table.kinds + 1));
}

/* A body whose squared distance differs from that of the cut-off radius by this share may be on either side of it. */
static const double nbody_edge = 1 / 65536.0;

/* Opens the kernel of the force, which decides how many bodies a pass does.  NULL, or one sentence on what is wrong. */
const char *nbody_open_force(struct lab *, struct nbody *);
/* Writes the textures of the table. */
void nbody_write_table(struct lab *, struct nbody *);
/* Sets the constants of the force that stay; and those of a pass, which say where its bodies are. */
void nbody_set_numbers(struct nbody *);
void nbody_set_bodies(struct nbody *, unsigned pass);

/* The workload's functions of these names. */
void nbody_check(struct lab *, void *state, struct finding *);
void nbody_on_cpu(struct lab *, void *state);
void nbody_picture(struct lab *, void *state, struct picture *);

#endif
