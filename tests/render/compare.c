/* compare: are the images that render.c drew after a rewrite those from before it?  Prints TAP.
 *
 *     compare INDEX PIXELS
 *
 * How far a pixel may be off is measured, not guessed: the original pair was also drawn with
 * inputs off by SCENE_SHIFT of themselves, and what that does to a pixel or its neighbours is
 * the gain there.  With point sampling a coordinate near a texel's edge may fall on either side,
 * which no neighbour need show: a few such pixels are let pass, and counted.
 *
 * A pair that shows the same colour everywhere, nothing, or no numbers proves nothing, and is
 * a failure.  Names that start with `damaged` are the tests of this test: they must differ;
 * groups that start with `blank` must be found to prove nothing.
 */
#include "scene.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIXELS = SCENE_SIZE * SCENE_SIZE, NAME = 128 };

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

struct difference {
	unsigned images, beyond, flips, total; /* pixels */
	float largest, worst;           /* absolute; in tolerances */
	bool missing;
};

static bool read_index(const char *index, struct file *f)
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

static bool read_pixels(const char *name, struct file *f)
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

/* The images of one group stand together. */
struct group {
	const struct image *image;
	unsigned n;
};

static const struct image *find(const struct group *g, const struct image *like, const char *name, unsigned shift)
{
	for (const struct image *at = g->image; at < g->image + g->n; at++)
		if (at->variant == like->variant && at->shift == shift && at->target == like->target &&
		    strcmp(at->filter, like->filter) == 0 && strcmp(at->name, name) == 0)
			return at;
	return NULL;
}

static bool drawn(const float pixel[4])
{
	return pixel[0] != SCENE_CLEARED || pixel[1] != SCENE_CLEARED || pixel[2] != SCENE_CLEARED ||
	       pixel[3] != SCENE_CLEARED;
}

/* 0 for equal values of any kind, infinite if only one is a number. */
static float distance(float a, float b)
{
	if (memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)))
		return 0;
	float d = fabsf(a - b);
	return isnan(d) ? INFINITY : d;
}

/* gain[i][lane]: how far a shift of the inputs throws lane `lane` of pixel i. */
static void find_gain(const struct group *g, const struct image *before, float (*gain)[4])
{
	static float own[PIXELS][4];
	memset(own, 0, sizeof own);
	const struct image *shifted;
	for (unsigned shift = 1; (shifted = find(g, before, before->name, shift)); shift++)
		for (unsigned i = 0; i < PIXELS; i++)
			for (unsigned lane = 0; lane < 4; lane++)
				own[i][lane] = fmaxf(own[i][lane], distance(before->pixel[i][lane], shifted->pixel[i][lane]));
	for (int y = 0; y < SCENE_SIZE; y++)
		for (int x = 0; x < SCENE_SIZE; x++)
			for (unsigned lane = 0; lane < 4; lane++) {
				float most = 0;
				for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < SCENE_SIZE; ny++)
					for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < SCENE_SIZE; nx++)
						most = fmaxf(most, own[ny * SCENE_SIZE + nx][lane]);
				gain[y * SCENE_SIZE + x][lane] = most;
			}
}

static void compare_image(const struct group *g, const struct image *before, const struct image *after,
                          struct difference *d)
{
	static float gain[PIXELS][4];
	find_gain(g, before, gain);
	unsigned beyond = 0;
	for (unsigned i = 0; i < PIXELS; i++) {
		bool off = false;
		for (unsigned lane = 0; lane < 4; lane++) {
			float apart = distance(before->pixel[i][lane], after->pixel[i][lane]);
			float allowed = 2 * gain[i][lane] + 2e-6f * fabsf(before->pixel[i][lane]);
			if (apart != 0 && !(apart <= allowed))
				off = true;
			else if (apart > 0)
				d->worst = fmaxf(d->worst, apart / allowed);
			if (!off)
				d->largest = fmaxf(d->largest, apart);
		}
		beyond += off;
	}
	d->images++;
	d->total += PIXELS;
	if (strcmp(before->filter, "point") == 0 && beyond <= PIXELS / 200)
		d->flips += beyond;
	else
		d->beyond += beyond;
}

/* NULL, or why the image says nothing. */
static const char *no_evidence(const struct image *image, bool flat)
{
	unsigned ndrawn = 0, finite = 0;
	float low[4], high[4];
	for (unsigned i = 0; i < PIXELS; i++) {
		const float *p = image->pixel[i];
		if (!drawn(p))
			continue;
		ndrawn++;
		if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !isfinite(p[3]))
			continue;
		for (unsigned lane = 0; lane < 4; lane++) {
			low[lane] = finite ? fminf(low[lane], p[lane]) : p[lane];
			high[lane] = finite ? fmaxf(high[lane], p[lane]) : p[lane];
		}
		finite++;
	}
	if (ndrawn < PIXELS / 8)
		return "hardly a pixel is drawn";
	if (finite < ndrawn / 10 * 9)
		return "too many pixels are not numbers";
	if (flat)
		return NULL;
	for (unsigned lane = 0; lane < 4; lane++)
		if (high[lane] - low[lane] > 1e-2f * fmaxf(fabsf(low[lane]), fabsf(high[lane])))
			return NULL;
	return "the image is constant";
}

static unsigned tests;
static bool all_fine = true;

static void result(bool fine, const char *group, const char *name, const char *text)
{
	all_fine &= fine;
	printf("%s %u - %s %s: %s\n", fine ? "ok" : "not ok", ++tests, group, name, text);
}

static void compare_name(const struct group *g, const char *name)
{
	struct difference d = { 0 };
	for (const struct image *before = g->image; before < g->image + g->n; before++) {
		if (before->shift != 0 || strcmp(before->name, "before") != 0)
			continue;
		const struct image *after = find(g, before, name, 0);
		if (after)
			compare_image(g, before, after, &d);
		else
			d.missing = true;
	}
	char text[256];
	snprintf(text, sizeof text, "%u images, largest error %.2g (%.2g of what is allowed), %u of %u pixels beyond, %u flips",
	         d.images, (double)d.largest, (double)d.worst, d.beyond, d.total, d.flips);
	bool differs = d.missing || d.images == 0 || d.beyond > 0;
	if (strncmp(name, "damaged", 7) == 0)
		result(d.images > 0 && !d.missing && d.beyond > 0, g->image->group, name, text);
	else
		result(!differs, g->image->group, name, d.missing ? "an image is missing" : text);
}

/* Every scene must show something, if not with the coarser of the two filters. */
static void compare_group(const struct file *f, const struct group *g)
{
	const char *group = g->image->group, *nothing = "nothing was drawn";
	bool flat = false;
	for (unsigned i = 0; i < f->nflat; i++)
		flat |= strcmp(f->flat[i], group) == 0;
	for (const struct image *at = g->image; at < g->image + g->n; at++) {
		struct image linear = *at;
		memcpy(linear.filter, "linear", sizeof "linear");
		if (at->shift != 0 || at->target != 0 || strcmp(at->name, "before") != 0 ||
		    (strcmp(at->filter, "point") == 0 && find(g, &linear, "before", 0)))
			continue;
		if ((nothing = no_evidence(at, flat)))
			break;
	}
	if (strncmp(group, "blank", 5) == 0)
		result(nothing != NULL, group, "is no evidence", nothing ? nothing : "not noticed");
	else
		result(nothing == NULL, group, "is evidence", nothing ? nothing : flat ? "it reads no input" : "the image varies");
	for (const struct image *at = g->image; at < g->image + g->n; at++) {
		bool seen = strcmp(at->name, "before") == 0;
		for (const struct image *k = g->image; k < at && !seen; k++)
			seen = strcmp(k->name, at->name) == 0;
		if (!seen)
			compare_name(g, at->name);
	}
}

int main(int argc, char **argv)
{
	struct file f = { 0 };
	if (argc != 3 || !read_index(argv[1], &f) || !read_pixels(argv[2], &f)) {
		puts("not ok 1 - the images can be read");
		return 1;
	}
	for (unsigned i = 0; i < f.nfailed; i++)
		result(false, "drawing", f.failed[i], "failed");
	for (unsigned from = 0, to; from < f.n; from = to) {
		for (to = from + 1; to < f.n && strcmp(f.image[to].group, f.image[from].group) == 0; to++)
			;
		compare_group(&f, &(struct group){ f.image + from, to - from });
	}
	printf("1..%u\n", tests);
	free(f.image);
	free(f.failed);
	free(f.flat);
	free(f.pixels);
	return all_fine && tests ? 0 : 1;
}
