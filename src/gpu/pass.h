/* A pass: a rectangle of a target is drawn with a kernel, which reads textures.  And the record of passes. */
#ifndef FPMOVE_GPU_PASS_H
#define FPMOVE_GPU_PASS_H

#include "gpu/image.h"
#include "gpu/kernel.h"

enum { PASS_TEXTURES = 16, PASS_TARGETS = 4, PASS_COORDINATES = 8 };

/* What an input of the VP is at the rectangle's corners: x runs from x0 to x1 along the lines, y from y0 to y1 across. */
struct span {
	float x0, y0, x1, y1, z, w;
	bool transposed; /* x runs across, y along */
};

struct pass {
	struct kernel *kernel;
	const struct image *texture[PASS_TEXTURES]; /* by sampler; NULL: not read */
	const struct image *target[PASS_TARGETS];   /* oC0 ...; all of one size */
	struct rect to;                             /* what is drawn of the target; no width: all */
	const struct span *texcoord[PASS_COORDINATES]; /* TEXCOORD0 ...; NULL: 0 to 1 over the target, so that the
	                                             * centre of a pixel is the centre of the texel at its place */
	const struct span *attribute;               /* NORMAL, COLOR and all others; NULL: zeros, w = 1 */
};

/* POSITION is the rectangle in clip coordinates. */
void pass_draw(struct lab *, const struct pass *);

/* Passes that differ in neither kernel nor format. */
struct kind {
	const char *name;        /* the kernel's */
	enum image_format format; /* of the first target */
	unsigned reads;          /* texture reads of a pixel */
	unsigned reads_of[IMAGE_FORMATS]; /* ... from textures of each format, as the first of these passes had them */
	const struct program *vs, *ps; /* they live as long as the lab's arena */
	const struct run *run;   /* how they came about; lives as long */
	double passes, pixels;   /* counted */
	double switches, behind; /* passes that drew to another target than the one before, or came first; or behind a copy */
	double ns;               /* measured, where the record times passes */
};

/* Returns the bytes that these passes read. */
static inline double kind_bytes(const struct kind *k)
{
	double bytes = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		bytes += (double)k->reads_of[f] * image_formats[f].bytes;
	return k->pixels * bytes;
}

/* What was written to images, read from them, or copied. */
struct transfers {
	double n, bytes;
	double ns; /* by a clock on the wall, of writing and reading */
};

struct record {
	struct arena *arena;
	struct { VEC(struct kind); } kinds;
	bool timed;              /* each pass is timed by itself */
	struct transfers written[IMAGE_FORMATS], read[IMAGE_FORMATS], copied[IMAGE_FORMATS]; /* by pass_write, pass_read, pass_copy */
	bool computing;          /* as the driver of a workload says: passes are under way */
	struct transfers asked[IMAGE_FORMATS]; /* read while computing, and waited for; they are not among `read` */
	const struct image *target; /* of the last pass; NULL: none yet */
	bool behind;             /* something was copied since */
	double copy_ns, begun;   /* when the pass under way began, where a CPU draws */
	struct { VEC(unsigned); } queries, timed_kinds; /* of the passes whose times are not added up yet */
	uint32_t used;           /* of the queries */
};

/* Of all kinds together. */
struct drawn {
	double passes, pixels;
};
static inline struct drawn record_drawn(const struct record *r)
{
	struct drawn all = {0, 0};
	for (uint32_t k = 0; k < r->kinds.n; k++)
		all = (struct drawn){all.passes + r->kinds.at[k].passes, all.pixels + r->kinds.at[k].pixels};
	return all;
}
static inline struct transfers transfers_all(const struct transfers by_format[IMAGE_FORMATS])
{
	struct transfers all = {0, 0, 0};
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		all = (struct transfers){all.n + by_format[f].n, all.bytes + by_format[f].bytes, all.ns + by_format[f].ns};
	return all;
}

void record_start(struct record *, struct arena *, bool timed);
/* Waits for the GPU, and adds up the times. */
void record_finish(struct record *);
void record_free(struct record *);

/* image_copy, image_write and image_read, recorded. */
void pass_copy(struct lab *, const struct image *from, const struct image *to, struct rect);
void pass_write(struct lab *, const struct image *, struct rect, const float *);
void pass_read(struct lab *, const struct image *, struct rect, float *);

#endif
