/* compare INDEX PIXELS: compares the images that fpmove-d3d9 drew after a rewrite with those before it.  Prints TAP.  The tolerance of
 * a pixel is measured: the original pair was also drawn with inputs off by SCENE_SHIFT of themselves, and the change of a pixel or its
 * neighbours is the gain there (gpu/image_compare.h).  A pair that shows the same colour everywhere, nothing, or no numbers proves nothing,
 * and is a failure.  Names that start with `damaged` test this test: they must differ; groups that start with `blank` must be found to
 * prove nothing.  A quarter of the groups that start with `random` must show something. */
#include "images.h"

/* Returns NULL, or why the image proves nothing. */
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

static unsigned tests, randoms, telling_randoms;
static bool all_fine = true;

static void result(bool fine, const char *group, const char *name, const char *text)
{
	all_fine &= fine;
	tests++;
	printf("%s - %s %s: %s\n", fine ? "ok" : "not ok", group, name, text);
}

static void compare_name(const struct group *g, const char *name)
{
	static float gain[PIXELS][4];
	struct difference d = { 0 };
	bool missing = false;
	for (const struct image *before = g->image; before < g->image + g->n; before++) {
		if (before->shift != 0 || strcmp(before->name, "before") != 0)
			continue;
		const struct image *after = find(g, before, name, 0);
		missing |= !after;
		if (!after)
			continue;
		find_gain(g, before, gain);
		difference_add(before->pixel, after->pixel, (const float (*)[4])gain, strcmp(before->filter, "point") == 0, &d);
	}
	char text[256];
	snprintf(text, sizeof text, "%u images, largest error %.2g (%.2g of what is allowed), %u of %u pixels beyond, %u flips",
	         d.images, (double)d.largest, (double)d.worst, d.beyond, d.total, d.flips);
	bool differs = missing || d.images == 0 || d.beyond > 0;
	if (strncmp(name, "damaged", 7) == 0)
		result(d.images > 0 && !missing && d.beyond > 0, g->image->group, name, text);
	else
		result(!differs, g->image->group, name, missing ? "an image is missing" : text);
}

/* Compares a group.  Every scene must show something with at least one of the two filters. */
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
	if (strncmp(group, "random", 6) == 0)
		randoms++, telling_randoms += nothing == NULL;
	else if (strncmp(group, "blank", 5) == 0)
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
		puts("not ok - the images can be read");
		return 1;
	}
	for (unsigned i = 0; i < f.nfailed; i++)
		result(false, "drawing", f.failed[i], "failed");
	for (unsigned from = 0, to; from < f.n; from = to) {
		for (to = from + 1; to < f.n && strcmp(f.image[to].group, f.image[from].group) == 0; to++)
			;
		compare_group(&f, &(struct group){ f.image + from, to - from });
	}
	if (randoms) {
		char text[64];
		snprintf(text, sizeof text, "%u of %u", telling_randoms, randoms);
		result(4 * telling_randoms >= randoms, "random pairs", "that show something", text);
	}
	free(f.image);
	free(f.failed);
	free(f.flat);
	free(f.pixels);
	return all_fine && tests ? 0 : 1;
}
