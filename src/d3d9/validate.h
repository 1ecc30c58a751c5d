/* Validates two pairs: draws them with Direct3D 9 and compares the images. */
#ifndef FPMOVE_D3D9_VALIDATE_H
#define FPMOVE_D3D9_VALIDATE_H

#include "d3d9/draw.h"
#include "d3d9/modes.h"

enum verdict { VERDICT_SAME, VERDICT_DIFFERENT, VERDICT_UNKNOWN, VERDICTS };

struct files {
	const char *name[4];                   /* names of both pairs' files: VP FP VP2 FP2 */
	const char *text[4];                   /* contents of these files, or NULL if they are to be read */
	size_t size[4];
	const char *map;                       /* value of --constants-map; NULL for `names` if a pair's programs have tables, else `comments` */
	const struct pair_constants *given[2]; /* constants of the first and the second pair; NULL to find them by `map` */
	unsigned depths;                       /* bit n: the texture of s#n may be a depth texture */
	bool free_ties;                        /* values that a comparison reads may differ in the last digit */
};

struct images {
	VEC(struct image);
};

struct validation {
	struct arena *arena; /* the caller empties it after these two pairs */
	enum verdict verdict;
	const char *why;     /* an error, or why the verdict is not `same`; NULL if the compared pixels decide it */
	bool bare;           /* true if the first pair showed nothing, so that both were drawn again as pair_bare makes them */
	bool one_colour;     /* the first pair shows one colour in each scene */
	struct images images;
	struct difference of;
	struct image worst;  /* if of.excess > 0: the first pair's image in which the pixel with that excess lies */
	float before[4], after[4], allowed;
};

struct validating {
	const struct d3d9_options *options;
	struct drawer drawer;
	struct text lines;
	json_t *pairs;
	int status;
	unsigned verdicts[VERDICTS];
};

/* Reads the first or `second` pair of the files and makes it on the device.  Returns NULL, or an error. */
const char *pair_of_files(struct arena *, const struct drawer *, const struct d3d9_options *, const struct files *, struct pair *, bool second);
/* Draws both pairs of the files, compares the images, and sets the verdict. */
void validate_pairs(struct drawer *, const struct d3d9_options *, const struct files *, struct validation *);
/* Validates both pairs of the files, and adds the verdict to lines, JSON, counts and exit status. */
void validate_files(struct validating *, const struct files *);
/* Write the verdict as lines for people, and as JSON. */
void verdict_lines(struct text *, const struct files *, const struct validation *);
json_t *verdict_json(const struct files *, const struct validation *);
/* Writes the verdict as the line that --stream answers, parted by tabs: same, different or unknown; the numbers of images, of pixels, of
 * pixels beyond the tolerance, and of pixels accepted as flips; an error, or the worst pixel. */
void verdict_answer(struct text *, const struct validation *);
/* Validates each pair that standard input holds, and answers with one line, see stream.c.  Returns true at the end of the input, false after an
 * error message if a pair is malformed. */
bool validate_stream(struct validating *);

#endif
