/* Validates two pairs: draws them with Direct3D 9 and compares the images. */
#ifndef FPMOVE_D3D9_VALIDATE_H
#define FPMOVE_D3D9_VALIDATE_H

#include "d3d9/draw.h"
#include "d3d9/modes.h"

enum verdict { VERDICT_SAME, VERDICT_DIFFERENT, VERDICT_UNKNOWN, VERDICTS };

struct files {
	const char *name[4];                   /* VP FP VP2 FP2 */
	const char *text[4];                   /* their contents, or NULL if the files are to be read */
	size_t size[4];
	const char *map;                       /* as --constants-map, or NULL to go by the kind of the files */
	const struct pair_constants *given[2]; /* for the first and second pair, in place of the map, or NULL */
	unsigned depths;                       /* bit n: the texture of s#n may be a depth texture */
	bool free_ties;                        /* values that a comparison reads may be a digit off */
};

struct images {
	VEC(struct image);
};

struct validation {
	struct arena *arena; /* freed with these two pairs */
	enum verdict verdict;
	const char *why;     /* why the verdict is unknown, or the device rejected the second pair */
	bool bare;           /* they showed nothing, and were drawn again as pair_bare makes them */
	bool one_colour;     /* the first pair shows one colour in each scene */
	struct images images;
	struct difference of;
	struct image worst;  /* where of.excess is above zero: of the first pair */
	float before[4], after[4], allowed;
};

struct validating {
	const struct d3d9_options *options;
	struct drawer drawer;
	struct text lines;
	struct json json;
	enum exit_status status;
	unsigned verdicts[VERDICTS];
};

/* The first or second pair of the files, on the device.  NULL, or what is wrong. */
const char *pair_of_files(struct arena *, const struct drawer *, const struct d3d9_options *, const struct files *, struct pair *, bool second);
/* Draws and compares. */
void validate_pairs(struct drawer *, const struct d3d9_options *, const struct files *, struct validation *);
/* The same, and notes the verdict. */
void validate_files(struct validating *, const struct files *);
/* The verdict, as lines and as JSON. */
void verdict_lines(struct text *, const struct files *, const struct validation *);
void verdict_json(struct json *, const struct files *, const struct validation *);
/* The verdict on one line: a word and, parted by tabs, how many images, pixels, pixels beyond the tolerance and at steps there were, and
 * what there is to say about it. */
void verdict_answer(struct text *, const struct validation *);
/* Validates what comes over standard input, see stream.c. */
bool validate_stream(struct validating *);

#endif
