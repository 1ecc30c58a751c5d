/* Reads the images that fpmove-d3d9 draw wrote; shared by compare.c and interpret.c. */
#ifndef FPMOVE_TESTS_RENDER_IMAGES_H
#define FPMOVE_TESTS_RENDER_IMAGES_H

#include "gpu/image_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = SCENE_PIXELS, NAME = 128 };

struct image {
	char group[NAME], name[NAME], filter[NAME];
	unsigned variant, shift, target, offset;
	const float (*pixel)[4];
};

struct file {
	struct image *image;
	unsigned n;
	char (*failed)[3 * NAME]; /* GROUP NAME, why */
	unsigned nfailed;
	char (*flat)[NAME];       /* groups that may show one colour */
	unsigned nflat;
	float (*pixels)[4];
};

static inline bool read_index(const char *index, struct file *f)
{
	FILE *in = fopen(index, "r");
	if (!in)
		return false;
	static char line[4096];
	bool whole = false;
	while (!whole && fgets(line, sizeof line, in)) {
		struct image i = { 0 };
		unsigned lines, images;
		char *why = NULL;
		if (sscanf(line, "image\t%127[^\t]\t%127[^\t]\t%u\t%127[^\t]\t%u\t%u\t%u", i.group, i.name, &i.variant,
		           i.filter, &i.shift, &i.target, &i.offset) == 7) {
			f->image = realloc(f->image, (f->n + 1) * sizeof *f->image);
			f->image[f->n++] = i;
		} else if (sscanf(line, "flat\t%127[^\t\n]", i.group) == 1) {
			f->flat = realloc(f->flat, (f->nflat + 1) * sizeof *f->flat);
			memcpy(f->flat[f->nflat++], i.group, NAME);
		} else if (strncmp(line, "fail\t", 5) == 0 && (why = strchr(line + 5, '\t'))) {
			f->failed = realloc(f->failed, (f->nfailed + 1) * sizeof *f->failed);
			snprintf(f->failed[f->nfailed++], sizeof *f->failed, "%.*s", (int)strcspn(line + 5, "\n"), line + 5);
		} else {
			whole = sscanf(line, "summary\t%u\t%u", &lines, &images) == 2 && images == f->n;
			break;
		}
	}
	fclose(in);
	return whole;
}

static inline bool read_pixels(const char *name, struct file *f)
{
	FILE *in = fopen(name, "rb");
	if (!in)
		return false;
	f->pixels = malloc((size_t)f->n * PIXELS * sizeof *f->pixels + 1);
	bool whole = fread(f->pixels, PIXELS * sizeof *f->pixels, f->n, in) == f->n;
	fclose(in);
	for (unsigned i = 0; i < f->n; i++)
		f->image[i].pixel = (const float (*)[4])f->pixels + (size_t)f->image[i].offset * PIXELS;
	return whole;
}

/* The images of one group, which stand together. */
struct group {
	const struct image *image;
	unsigned n;
};

static inline const struct image *find(const struct group *g, const struct image *like, const char *name, unsigned shift)
{
	for (const struct image *at = g->image; at < g->image + g->n; at++)
		if (at->variant == like->variant && at->shift == shift && at->target == like->target &&
		    strcmp(at->filter, like->filter) == 0 && strcmp(at->name, name) == 0)
			return at;
	return NULL;
}

static inline bool drawn(const float pixel[4])
{
	return pixel[0] != SCENE_CLEARED || pixel[1] != SCENE_CLEARED || pixel[2] != SCENE_CLEARED ||
	       pixel[3] != SCENE_CLEARED;
}

/* Sets gain[i][lane] to the largest change of lane `lane` of pixel i or a neighbour by a shift of the inputs. */
static inline void find_gain(const struct group *g, const struct image *before, float (*gain)[4])
{
	static float own[PIXELS][4];
	memset(own, 0, sizeof own);
	const struct image *shifted;
	for (unsigned shift = 1; (shifted = find(g, before, before->name, shift)); shift++)
		gain_add(before->pixel, shifted->pixel, own);
	gain_spread((const float (*)[4])own, gain);
}

#endif
