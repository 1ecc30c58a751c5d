/* Draws passes and records them.  A pass draws a rectangle of a target with a kernel that reads textures. */
#ifndef FPMOVE_GPU_PASS_H
#define FPMOVE_GPU_PASS_H

#include "gpu/kernel.h"

enum { PASS_TEXTURES = 16, PASS_TARGETS = 4, PASS_COORDINATES = 8 };

/* The values of an input of the VP at the rectangle's corners: x runs from x0 at the left edge to x1 at the right, y from y0 at the lower edge to
 * y1 at the upper; z and w are the same everywhere. */
struct span {
	float x0, y0, x1, y1, z, w;
	bool transposed; /* true if x runs from the lower edge to the upper, and y from left to right */
};

struct pass {
	struct kernel *kernel;
	const struct image *texture[PASS_TEXTURES]; /* by sampler; NULL if the sampler reads none */
	const struct image *target[PASS_TARGETS];   /* by oC#; all of one size */
	struct rect to;                             /* the part of the target that is drawn; all of it if the width is 0 */
	const struct span *texcoord[PASS_COORDINATES]; /* of TEXCOORD0 and on.  NULL stands for 0 to 1 over the target, so that the
	                                             * centre of a pixel is the centre of the texel at its place */
	const struct span *attribute;               /* of NORMAL, COLOR and all other inputs; NULL stands for (0, 0, 0, 1) */
};

/* Draws a pass.  The input POSITION is the rectangle in clip coordinates. */
void pass_draw(struct lab *, const struct pass *);

/* Counts of those passes of a record that have one FP and one format of the first target. */
struct kind {
	const char *name;        /* name of the kernel */
	enum image_format format; /* format of the first target */
	unsigned reads;          /* texture reads of a pixel */
	unsigned reads_of[IMAGE_FORMATS]; /* texture reads of a pixel by format of the texture, as in the first of these passes */
	const struct program *vs, *ps; /* they live as long as the lab's arena */
	const struct run *run;   /* the run that made the programs; lives as long as they do */
	double passes, pixels;   /* number of passes and pixels that were drawn */
	double switches;         /* of the passes that followed no copy, those that were the first or drew to another target than the pass before */
	double behind;           /* passes right after a copy */
	double ns;               /* total time, if the record times passes */
};

/* Returns the bytes that all passes of a kind read from textures. */
static inline double kind_bytes(const struct kind *k)
{
	double bytes = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		bytes += (double)k->reads_of[f] * image_formats[f].bytes;
	return k->pixels * bytes;
}

/* Number and bytes of writes to images, of reads from them, or of copies between them. */
struct transfers {
	double n, bytes;
	double ns; /* wall-clock time of writes and reads */
};

struct record {
	struct arena *arena;
	struct { VEC(struct kind); } kinds;
	bool timed;              /* true if each pass is timed by itself */
	struct transfers written[IMAGE_FORMATS], read[IMAGE_FORMATS], copied[IMAGE_FORMATS]; /* by format, for pass_write, _read and _copy */
	bool computing;          /* set by run.c while it calls the workload's `compute` */
	struct transfers asked[IMAGE_FORMATS]; /* reads during `compute`, which stall the GPU and are not in `read` */
	const struct image *target; /* target of the last pass, or NULL if there is none yet */
	bool behind;             /* true if something was copied since the last pass */
	double copy_ns;          /* total time of copies */
	double begun;            /* when the current pass began, if the device is a CPU */
	struct { VEC(unsigned); } queries, timed_kinds; /* timer queries, and the kinds of the passes that they time */
	uint32_t used;           /* number of queries whose times are not added up yet */
};

/* Numbers of passes and pixels that were drawn, in all kinds together. */
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
/* Waits for the GPU, and adds the times of pending queries to their kinds. */
void record_finish(struct record *);
void record_free(struct record *);

/* Call image_copy, image_write and image_read.  If lab->record is set, they count the transfer there, and pass_write waits until it is done. */
void pass_copy(struct lab *, const struct image *from, const struct image *to, struct rect);
void pass_write(struct lab *, const struct image *, struct rect, const float *);
void pass_read(struct lab *, const struct image *, struct rect, float *);

/* Makes an image of zeros, as image_make does; lab_close deletes it.  Returns NULL, or a sentence on why that fails. */
const char *lab_image(struct lab *, struct image *, unsigned width, unsigned height, enum image_format, enum image_wrap);
/* Add texels that each computation writes to a rectangle of the image at its beginning, or reads from it at its end.  NULL stands for the whole
 * image. */
void lab_input(struct lab *, const struct image *, const struct rect *, const float *texels);
void lab_output(struct lab *, const struct image *, const struct rect *, float *texels);
/* Write all texels of lab_input, and read those of lab_output. */
void lab_upload(struct lab *);
void lab_download(struct lab *);
/* Deletes all kernels and images. */
void lab_close(struct lab *);

#endif
