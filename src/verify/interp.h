/* The reference interpreter: runs a pair on triangles in float, or in double as the
 * yardstick, and measures how far rounding takes two equal pairs apart. */
#ifndef FPMOVE_VERIFY_INTERP_H
#define FPMOVE_VERIFY_INTERP_H

#include "verify/verify.h"

enum { INTERP_CONSTS = 256, INTERP_INPUTS = 16, INTERP_SAMPLERS = 16, INTERP_TARGETS = 4, INTERP_CARRIERS = 2 + MOST_TEX_OUTS };
enum { INTERP_SWITCHES = 16 };

/* Texels are four floats; x varies fastest, then y, then the slice of a volume or the
 * face of a cube (+x -x +y -y +z -z).  One level, no mipmaps. */
struct interp_texture {
	enum texture kind;     /* TEXTURE_NONE: reads give 0, 0, 0, 1 */
	int32_t width, height, depth;
	bool linear;           /* else the texel at floor(u * width) */
	bool clamp;            /* else the coordinates wrap */
	bool compares;         /* 2D, of depths: all lanes are 1 where the coordinate's .z is at most the texel's .x, else 0 */
	const float *texels;
};

/* The i# and b# of a program; a defi or defb beats them. */
struct interp_switches {
	int32_t integer[INTERP_SWITCHES][LANES];
	bool truth[INTERP_SWITCHES];
};

/* What is set when a pair is drawn. */
struct interp_scene {
	const float (*vs_const)[LANES], (*ps_const)[LANES]; /* INTERP_CONSTS each; a def beats them */
	const struct interp_switches *vs_switches, *ps_switches; /* NULL: all are 0 and false */
	const struct interp_texture *texture;               /* INTERP_SAMPLERS */
	float vertex[3][INTERP_INPUTS][LANES];              /* of v0 ... v15 */
	bool fp24;        /* round the pixel program's float results to 16 bits of mantissa, as R300 does */
	bool flat_w;      /* interpolate with `w` below instead of oPos.w */
	float w[3];
	float off;        /* interpolated values come off by up to this share of themselves, */
	uint32_t draw;    /* ... by another one for each such number; */
	lanes are_off[INTERP_CARRIERS]; /* ... those of v0, v1 and the t# */
};

/* Where a triangle is shaded, and what came out: n pixels, and for each lane NULL (not
 * wanted) or room for n values.  Weights are the screen's, before perspective. */
struct interp_pixels {
	uint32_t n;
	const float *weight[2];        /* of vertices 1 and 2; vertex 0 has the rest */
	float *colour[INTERP_TARGETS][LANES];
	float *depth;
	bool *killed;                  /* or NULL */
	bool *undefined;               /* something was divided by 0; or NULL */
};

/* Draws in float32.  Lanes that the program does not write are left alone. */
void interp_draw(struct arena *, struct pair, const struct interp_scene *, const struct interp_pixels *);

/* Gives the preset lanes of both stages the values that the application's function computes from the FP constants
 * `ps`: in double, rounded to float once. */
void interp_set_presets(struct arena *, const struct folded *, uint32_t n, const float (*ps)[LANES], float (*vs_to)[LANES],
                        float (*ps_to)[LANES]);

/* --- measuring -------------------------------------------------------------------- */

struct measure_options {
	unsigned primitives;       /* 0: 64; each is shaded at 128 places */
	uint64_t seed;
	double tolerance;          /* new error allowed, in old errors or what roundings can do to the old pair; 0: 16 */
	bool fp24;
	struct proof_context context; /* as in the proof, but for its trials and seed; of its folds the presets are set */
};

/* One output lane.  Errors are the largest seen, against the old pair in double;
 * pixels that count as flips are left out. */
struct lane_error {
	enum reg_file file;        /* REG_PIXEL_OUT, REG_DEPTH_OUT; of the vertices: REG_POS_OUT, REG_FOG_OUT, REG_SIZE_OUT */
	int index;
	unsigned lane;
	double old_abs, old_rel, new_abs, new_rel;
	double apart;              /* the new pair in double against the old one in double, where both are defined */
	double noise;              /* what random errors of a float's rounding in each operand do to the old pair */
	double gain;               /* largest magnitude, times the texture's size if one is filtered */
	bool within;
};

/* An output lane; of a texkill REG_FILES. */
struct measured_lane {
	enum reg_file file;
	int index;
	unsigned lane;
};

/* The option that lets a pair beyond the tolerance pass. */
enum measured_remedy {
	REMEDY_NONE, /* nothing: the pairs are not the same function, or positions not the same operations */
	REMEDY_TOLERANCE,
	REMEDY_FREE_TIES
};

enum { MEASURED_LANES = INTERP_TARGETS * LANES + 1 + LANES + 2 };
struct measured {
	struct lane_error lane[MEASURED_LANES];
	unsigned lanes;
	uint64_t pixels;           /* shaded */
	/* Pixels where rounding took another texel, or another side of a cmp, frc,
	 * texkill ..., than the same program does in double. */
	uint64_t old_texel_flips, new_texel_flips, old_flips, new_flips;
	/* Pixels with one of these, or on the brink of it; or whose values came through infinity, or through a
	 * division by what rounding left no digit of.  All of a triangle, where that is so for nearly all. */
	uint64_t left_out;
	/* Pixels of which all colours and depths were compared, and those that the old pair kills (in double). */
	uint64_t compared, killed;
	uint64_t wild;             /* values left out for the latter reasons, or because they are not finite themselves */
	uint64_t undefined;        /* pixels where in double the new pair divides by 0 and the old one does not */
	uint64_t kills_apart;      /* pixels that one pair kills in double and the other does not */
	uint64_t ties_lost;        /* pixels that depend on how interpolation rounds in the new pair only, see steady.h */
	uint64_t positions_apart;  /* vertices whose oPos is not bit for bit the same in float; they are to be unless they are free */
	uint64_t rounded;          /* pixels where float arithmetic of the old pair rounds to less than 14 of 24 digits */
	uint32_t rounded_at;       /* the first instruction of the old FP where that is so of many pixels; UINT32_MAX: of none */
	bool within;
	const char *why;           /* not within: one sentence */
	struct measured_lane at;   /* not within, with a remedy: the output that it is about */
	enum measured_remedy remedy; /* not within */
};

enum measured_verdict {
	MEASURED_WITHIN,
	MEASURED_PARTLY,  /* within the tolerance, but more than 1/100 of the pixels was not compared */
	MEASURED_TOO_FEW, /* less than 1/16 of them was compared: that says nothing */
	MEASURED_TOO_FAR
};
enum measured_verdict measured_verdict(const struct measured *);

struct measured measure(struct arena *, struct pair old, struct pair new, const struct measure_options *);

#endif
