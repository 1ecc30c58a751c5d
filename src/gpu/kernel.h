/* A kernel: a pair of programs that a workload draws with, as given or after fpmove moved work to its VP. */
#ifndef FPMOVE_GPU_KERNEL_H
#define FPMOVE_GPU_KERNEL_H

#include "gpu/image.h"
#include "gpu/shader.h"
#include "pipeline.h"

/* Texels in the CPU's memory, and the rectangle of an image that they are written to or read from. */
struct texels {
	const struct image *image;
	struct rect rect;
	const float *from; /* texels to write to the image */
	float *to;         /* memory that receives the texels read */
};

/* A computation on the GPU, such as one workload with one user's choices: its settings, the kernels and images that it has made, and how
 * much it computes. */
struct lab {
	struct arena *arena; /* lives as long as the computation does */
	const struct context *gpu;
	const struct run_options *plan;           /* how kernels are moved, or NULL if they stay as given */
	const struct wanted *wanted;              /* the user's choices, see workload.h; NULL if this is no workload */
	void *state;                              /* the workload's own data */
	struct record *record;                    /* counts all passes that are drawn, see pass.h; NULL if none is kept */
	struct { VEC(struct kernel *); } kernels; /* all that were opened; lab_close deletes them */
	struct { VEC(struct image *); } images;   /* all that lab_image made; lab_close deletes them */
	struct { VEC(struct texels); } input, output; /* texels to write to images before the passes, and to read from images after them */
	double operations, traffic;               /* operations, and bytes read and written, of a computation; 0 if they are not counted */
	double published;                         /* operations as the method's paper counts them; 0 if it lacks this workload */
};

struct kernel {
	const char *name;
	struct run *run;               /* what fpmove did to the pair: slots, constants, proof */
	const struct program *vs, *ps; /* the programs that are drawn */
	struct shader shader;
	float constants[2][SHADER_MAX_CONSTS][LANES]; /* values of c# by stage */
	unsigned first[2], last[2];    /* by stage: constants from first to below last were set since the last draw */
};

/* Opens the kernel examples/NAME, of which this program holds a copy.  Returns NULL, or one sentence in the lab's arena on what is
 * wrong. */
const char *kernel_open(struct lab *, const char *name, struct kernel *);
/* A def of the FP: constant c#`constant` and its value. */
struct definition {
	unsigned constant;
	float value[LANES];
};
/* Opens the kernel examples/NAME with these defs in place of its own, as an application does that compiles its programs for one size. */
const char *kernel_open_defined(struct lab *, const char *name, const struct definition *, unsigned n, struct kernel *);
/* Opens a kernel that the caller wrote as two texts.  Programs of model 3 go to the driver as GLSL, whatever the context's language. */
const char *kernel_from_text(struct lab *, const char *name, const char *vp, const char *fp, struct kernel *);
/* Opens a kernel from its FP alone; a VP is added that passes on the position, and TEXCOORD0 as t0.xy. */
const char *kernel_from_pixel_text(struct lab *, const char *name, const char *fp, struct kernel *);
/* Opens a pair of the user's files as a kernel; the caller has read them.  Passes draw their rectangle whatever the VP writes to oPos. */
const char *kernel_of_pair(struct lab *, const char *name, const struct run *as_given, struct kernel *);
/* Sets c#`constant` of a stage.  If it is a pixel constant, also sets the VP constants that must hold the same value after moving. */
void kernel_set(struct kernel *, enum stage, unsigned constant, float x, float y, float z, float w);
/* Binds programs and constants for the next draw. */
void kernel_use(struct kernel *);

/* Returns the error because of which a run moved nothing. */
const char *kernel_error(const struct run *);
/* Return the number of examples, of which this program holds copies, and the name of example k. */
unsigned example_count(void);
const char *example_name(unsigned k);
/* Moves example k by `plan`, without a GPU, or only reads it if `plan` is NULL.  Returns NULL if that fails. */
const struct run *example_run(struct arena *, unsigned k, const struct run_options *plan);

#endif
