/* The reference interpreter: runs a pair on triangles in float, and in double for comparison,
 * and measures the difference that rounding makes between two equal pairs. */
#ifndef FPMOVE_VERIFY_INTERP_H
#define FPMOVE_VERIFY_INTERP_H

#include "verify/verify.h"

enum { INTERP_CONSTS = 256, INTERP_INPUTS = 16, INTERP_SAMPLERS = 16, INTERP_TARGETS = 4, INTERP_CARRIERS = 2 + MOST_TEX_OUTS };
enum { INTERP_SWITCHES = 16 };

/* A texture without mipmaps.  Each texel is four floats; in `texels` x varies fastest, then y, then the slice of a volume or the
 * face of a cube (+x -x +y -y +z -z). */
struct interp_texture {
	enum texture kind;     /* reads of TEXTURE_NONE give 0, 0, 0, 1 */
	int32_t width, height, depth;
	bool linear;           /* true to filter linearly, false to take the texel at floor(u * width) */
	bool clamp;            /* true to clamp coordinates, false to wrap them */
	bool compares;         /* true for a 2D depth texture: all lanes are 1 if the coordinate's .z is at most the texel's .x, else 0 */
	const float *texels;
};

/* The values of a program's i# and b#; a defi or defb in the program overrides them. */
struct interp_switches {
	int32_t integer[INTERP_SWITCHES][LANES];
	bool truth[INTERP_SWITCHES];
};

/* The inputs and the state with which a pair is drawn. */
struct interp_scene {
	const float (*vs_const)[LANES], (*ps_const)[LANES]; /* INTERP_CONSTS constants of each program; a def in the program overrides them */
	const struct interp_switches *vs_switches, *ps_switches; /* NULL if all i# are 0 and all b# false */
	const struct interp_texture *texture;               /* INTERP_SAMPLERS textures */
	int unreached_from, unreached_to; /* c[a0.x + n] reads 0 from these VP constants, which the user promised it not to reach */
	float vertex[3][INTERP_INPUTS][LANES];              /* v0 ... v15 of each vertex */
	bool fp24;        /* true to round the results of the pixel program to 16 bits of mantissa, as R300 does */
	bool flat_w;      /* true to interpolate with the field `w` instead of the oPos.w that the VP computes */
	float w[3];       /* the w of each vertex, if `flat_w` is set */
	float off;        /* the largest error that is added to interpolated values, relative to them */
	uint32_t draw;    /* the number of the draw; each number gives other random errors, see `off` */
	lanes are_off[INTERP_CARRIERS]; /* the lanes of v0, v1 and the t# to which errors are added, see `off` */
};

/* The pixels of a triangle to shade, and where to put their results: for each lane an array of n values, or NULL if it is not wanted. `weight`
 * has linear weights on the screen, before perspective. */
struct interp_pixels {
	uint32_t n;
	const float *weight[2];        /* the weights of vertices 1 and 2; vertex 0 has the rest */
	float *colour[INTERP_TARGETS][LANES];
	float *depth;
	bool *killed;                  /* receives true for killed pixels, else false; NULL if not wanted */
	bool *undefined;               /* receives true for pixels with a division by 0, in the FP or at a vertex; NULL if not wanted */
};

/* Draws the pixels in float arithmetic.  Leaves the arrays of lanes that the program never writes unchanged. */
void interp_draw(struct arena *, struct pair, const struct interp_scene *, const struct interp_pixels *);

/* Sets the presets, constant lanes that the application computes, of both stages.  Computes them from the FP constants `ps` as the
 * application does: in double, then rounded to float. */
void interp_set_presets(struct arena *, const struct folded *, uint32_t n, const float (*ps)[LANES], float (*vs_to)[LANES],
                        float (*ps_to)[LANES]);

/* --- measuring -------------------------------------------------------------------- */

struct measure_options {
	unsigned primitives;       /* the number of triangles, each shaded at 128 places; 0 for the default, 64 */
	uint64_t seed;
	/* The largest error of the new pair, as a multiple of the old pair's error or of `noise`, whichever is larger; 0 for the default, 16. */
	double tolerance;
	bool fp24;
	struct proof_context context; /* the assumptions of the proof; its trials, its seed and its folded literals are not used */
};

/* The largest errors of one output lane.  An error is the difference from the old pair's result in double.  Pixels where
 * rounding flips a decision (a cmp, a texel ...) are left out. */
struct lane_error {
	enum reg_file file;        /* REG_PIXEL_OUT or REG_DEPTH_OUT; for vertices REG_POS_OUT, REG_FOG_OUT or REG_SIZE_OUT */
	int index;
	unsigned lane;
	double old_abs, old_rel, new_abs, new_rel;
	double apart;              /* the largest difference between the two pairs when both run in double */
	double noise;              /* the error in double of the old pair if each operand has a random error as large as a float's rounding */
	double gain;               /* the largest magnitude of the lane; for a pixel's lane, times the texture's size if the FP reads a texture */
	bool within;               /* the new pair's error is within the tolerance */
};

/* An output lane; REG_FILES stands for a texkill. */
struct measured_lane {
	enum reg_file file;
	int index;
	unsigned lane;
};

/* The option that would accept a pair whose error is too large. */
enum measured_remedy {
	REMEDY_NONE, /* no option: the pairs are different functions, or compute positions by different operations */
	REMEDY_TOLERANCE,
	REMEDY_FREE_TIES
};

enum { MEASURED_LANES = INTERP_TARGETS * LANES + 1 + LANES + 2 };
struct measured {
	struct lane_error lane[MEASURED_LANES];
	unsigned lanes;
	uint64_t pixels;           /* shaded pixels */
	/* The numbers of flips: pixels where a pair in float took another texel, or another side of a cmp, frc, texkill ..., than in
	 * double. */
	uint64_t old_texel_flips, new_texel_flips, old_flips, new_flips;
	/* The number of pixels left out of the comparison: those with a flip or close to one, and those with an infinity or a divisor of which
	 * rounding leaves no digit.  If these are nearly all pixels of a triangle, all of them are left out. */
	uint64_t left_out;
	uint64_t compared;         /* pixels of which all colours and depths were compared */
	uint64_t killed;           /* pixels that the old pair kills in double */
	uint64_t wild;             /* values left out since they are not finite, or come after an infinity or a divisor close to 0 */
	uint64_t undefined;        /* pixels where in double the new pair divides by 0 and the old one does not */
	uint64_t kills_apart;      /* pixels that only one of the pairs kills in double */
	uint64_t ties_lost;        /* pixels that depend on how interpolation rounds in the new pair, but not in the old one */
	uint64_t positions_apart;  /* vertices whose oPos differs between the pairs in float, in any bit; an error unless `free_position` is set */
	bool within;               /* all lanes are within the tolerance, and nothing else is wrong */
	const char *why;           /* if not within, one sentence that says why */
	struct measured_lane at;   /* if `remedy` names an option, the output that is wrong */
	enum measured_remedy remedy; /* if not within, the option that would accept the pair */
};

enum measured_verdict {
	MEASURED_WITHIN,
	MEASURED_PARTLY,  /* within the tolerance, but more than 1/100 of the pixels was not compared */
	MEASURED_TOO_FEW, /* less than 1/16 of the pixels was compared, too few for a verdict */
	MEASURED_TOO_FAR
};
enum measured_verdict measured_verdict(const struct measured *);

struct measured measure(struct arena *, struct pair old, struct pair new, const struct measure_options *);

#endif
