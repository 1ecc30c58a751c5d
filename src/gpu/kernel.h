/* A pair of programs that a workload draws with, as it is or after fpmove moved what it could. */
#ifndef FPMOVE_GPU_KERNEL_H
#define FPMOVE_GPU_KERNEL_H

#include "gpu/shader.h"
#include "pipeline.h"

/* What a workload computes with.  `plan` decides how its kernels are moved; NULL: they stay as given. */
struct lab {
	struct arena *arena; /* for what lives as long as the workload does */
	const struct context *gpu;
	const struct run_options *plan;
	struct record *record; /* of all passes that are drawn, see pass.h; NULL: none is kept */
};

struct kernel {
	const char *name;
	struct run *run;              /* how it was moved: slots, constants, proof */
	const struct program *vs, *ps; /* what is drawn */
	struct shader shader;
	float constants[2][SHADER_MAX_CONSTS][LANES]; /* by stage, as the application sets them */
	unsigned first[2], last[2];   /* of each stage, those from first to below last were set since the last draw */
};

/* The kernel examples/NAME, of which this program holds a copy.  NULL, or one sentence in the lab's arena on what is wrong. */
const char *kernel_open(struct lab *, const char *name, struct kernel *);
/* The same, whose pixel program defines some constants by itself, in place of what it defines them as: like an application that
 * compiles its programs for one size. */
struct definition {
	unsigned constant;
	float value[LANES];
};
const char *kernel_open_defined(struct lab *, const char *name, const struct definition *, unsigned n, struct kernel *);
/* One that the caller wrote as two texts.  Programs of model 3 go to the driver as GLSL, whatever the others do. */
const char *kernel_from_text(struct lab *, const char *name, const char *vp, const char *fp, struct kernel *);
/* The same beside a VP that brings the position, and TEXCOORD0 as t0.xy. */
const char *kernel_from_pixel_text(struct lab *, const char *name, const char *fp, struct kernel *);
/* A pair that the user wrote; the caller has read it.  Its rectangle is drawn whatever its oPos is. */
const char *kernel_of_pair(struct lab *, const char *name, const struct run *as_given, struct kernel *);
void kernel_close(struct kernel *);
/* Sets a constant that the programs as given have.  After moving, VP constants that must hold the same follow. */
void kernel_set(struct kernel *, enum stage, unsigned constant, float x, float y, float z, float w);
/* Binds programs and constants for the next draw. */
void kernel_use(struct kernel *);

/* The first error of a run that moved nothing because of it. */
const char *kernel_error(const struct run *);
/* All examples, of which this program holds copies; and number k planned, NULL for none, without a GPU.  NULL: that fails. */
unsigned example_count(void);
const char *example_name(unsigned k);
const struct run *example_run(struct arena *, unsigned k, const struct run_options *plan);

#endif
