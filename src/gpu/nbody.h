/* Types that the files of the workload nbody share: nbody.c has the passes, the same work on the CPU, and the picture; nbody_laws.c has
 * the forces, nbody_programs.c the programs that compute them, nbody_table.c a force that is read from a file, and nbody_check.c the
 * check. */
#ifndef FPMOVE_GPU_NBODY_H
#define FPMOVE_GPU_NBODY_H

#include "gpu/workload.h"

enum { NBODY_WEIGHT = 3, NBODY_OF_FILE = 8 }; /* the lane of a body's weight; the floats of a body in a file */
enum { NBODY_SIZE, NBODY_STEPS, NBODY_SOFTENING, NBODY_BODIES, NBODY_CUTOFF, NBODY_RATE }; /* indices of the workload's parameters */

enum { NBODY_MOST_BODIES = 9 }; /* the most bodies that a pass adds up; c0 to c8 hold their coordinates */
enum { NBODY_NUMBERS = 9, NBODY_MORE_NUMBERS, NBODY_TABLE_NUMBERS }; /* c9, c10 and c11, which hold the numbers of the force, see nbody_set_numbers */

/* A force that is read from a text file: two bodies of kinds i and j at a distance r pull on each other by b g(a r^2) r.  a and b
 * depend on i and j; g is given by a table, and interpolated linearly between its entries. */
enum { TABLE_KINDS = 8, TABLE_ENTRIES = 8192 }; /* upper limits of the kinds of bodies and of the table's entries */

struct force_table {
	unsigned kinds, n;       /* the number of kinds of bodies, and of entries of g */
	double first, last;      /* x of the first entry and of the last; g is constant below and above these */
	float *g;
	double *integral;        /* integral of g from the last entry to each entry: negative where g is positive */
	float a[TABLE_KINDS + 1][TABLE_KINDS + 1], b[TABLE_KINDS + 1][TABLE_KINDS + 1]; /* kind number `kinds` is the filler, which does not pull */
};

/* Reads g, and a and b of all pairs of kinds, from a file.  If `path` is NULL, makes g = exp(-x) for two kinds instead: like bodies push and
 * unlike bodies pull.  Returns NULL, or one sentence on what is wrong with the file. */
const char *force_table_open(struct arena *, const char *path, struct force_table *);
double force_table_at(const struct force_table *, double x);
/* Returns the integral of g from the last entry to x. */
double force_table_integral(const struct force_table *, double x);
/* Returns the sum of the absolute values that g at x is computed from, which bounds the rounding of g. */
double force_table_size(const struct force_table *, double x);

/* How a pixel program computes a force. */
enum nbody_shape { NBODY_INVERSE_SQUARE, NBODY_LENNARD_JONES, NBODY_TABLE };

struct nbody;
/* A function of two bodies, given as four numbers each, and the softened square of their distance. */
typedef double nbody_function(const struct nbody *, const double *one, const double *other, double r2);

/* The acceleration of a body of weight w is (own_plain + own_weight w) times the sum, over all other bodies, of their weight times `pull`
 * times the difference of positions. */
struct nbody_law {
	const char *kernel;              /* the kernel's name without the number of bodies */
	enum nbody_shape shape;
	unsigned most[2];                /* the most bodies that a pass holds, without a cut-off radius and with one */
	double own_plain, own_weight;
	unsigned rate;                   /* default number of time steps in a unit of time */
	unsigned softening;              /* the least softening, in thousandths, for which a body's pull on itself is a finite float times 0 */
	bool weighted;                   /* false if all bodies pull as if their weight were 1 */
	nbody_function *pull;            /* the factor of the difference of positions, without weights */
	nbody_function *size;            /* the sum of the absolute values that `pull` is computed from, which bounds its rounding */
	nbody_function *potential;       /* the potential energy of both bodies, without weights */
	void (*place)(const struct nbody *, uint64_t seed, float *bodies); /* makes NBODY_OF_FILE floats for each body: position, weight, velocity, 0 */
};
/* Each form has a law of the same index. */
extern const struct workload_form nbody_forms[];
extern const struct nbody_law nbody_laws[];

struct nbody {
	const struct nbody_law *law;
	unsigned n, steps;             /* numbers of bodies and of time steps */
	unsigned width, lines;         /* texels of an image; its last line holds no bodies, but a filler in its last texel */
	double step;                   /* length of a time step */
	double softening2;
	double cutoff2;                /* bodies with a larger softened square of the distance do not pull; may be infinite */
	unsigned bodies;               /* bodies that a pass adds up */
	bool in_line;                  /* true if the kernel is nbody4, which reads four neighbours in x */
	struct kernel force, leap;
	struct force_table table;      /* the force of shape NBODY_TABLE; `kinds` is 0 for other shapes */
	float filler[LANES];           /* a body that pulls on none, for the free places of the last pass */
	struct image pairs, g;         /* the table as textures: a and b of each pair of kinds; each entry and its difference to the next */
	struct image position[2], velocity[2], pull[2], nothing;
	float *start[2], *end[2];      /* positions and velocities before and after, four floats a texel */
	float *sum;                    /* the sum of pulls on each body at the end, four floats a texel */
};

static inline size_t nbody_texels(const struct nbody *s)
{
	return (size_t)s->width * s->lines;
}

/* With a table, a body's weight on the GPU is the texture coordinate of its kind in `pairs`; kinds count from 0.  These two convert a kind
 * to a weight and back. */
static inline float nbody_of_kind(const struct nbody *s, unsigned kind)
{
	return ((float)kind + 0.5f) / (float)(s->table.kinds + 1);
}
static inline unsigned nbody_kind(const struct nbody *s, double weight)
{
	return (unsigned)(weight * (s->table.kinds + 1));
}

/* Rounding may put a body on either side of the cut-off radius if its squared distance differs from cutoff2 by less than this share. */
static const double nbody_edge = 1 / 65536.0;

/* Opens the kernel of the force and sets `bodies` and `in_line`.  Returns NULL, or one sentence on what is wrong. */
const char *nbody_open_force(struct lab *, struct nbody *);
/* Makes the texels of the images `pairs` and `g`, and adds them to the inputs of the lab. */
void nbody_input_table(struct lab *, struct nbody *);
/* Sets the constants of the force that are the same in all passes. */
void nbody_set_numbers(struct nbody *);
/* Sets the constants of one pass: the texture coordinates of its bodies. */
void nbody_set_bodies(struct nbody *, unsigned pass);

void nbody_check(struct lab *, struct finding *);

#endif
