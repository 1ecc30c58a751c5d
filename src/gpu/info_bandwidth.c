/* Measures the bandwidth of texture reads in several orders of places, see info.h. */
#include "gpu/info.h"

#include "gpu/deed.h"
#include "gpu/picture.h"
#include "gpu/stats.h"
#include "gpu/wake.h"

enum { POINTS = 5, FEWEST = 8, STRIDE = 16 };

/* A pattern of places that a pixel reads, in texture coordinates: its base, then base + c1, base + c2 ... */
struct pattern {
	const char *name, *what;
	const char *base; /* the instruction that puts the base into r11 */
	double scale;     /* value of c30, by which the base's instruction multiplies the pixel's own place */
	double step;      /* texels from a read to the next; below 0 if reads go to random places */
	bool down;        /* steps go along y, not along x */
	bool places;      /* the texture s1 holds the bases */
};

static const struct pattern patterns[] = {
	{"sequential", "a pixel reads its texel and those to the right of it", "mul r11.xy, t0, c30", 1, 1, .down = false},
	{"strided", "neighbouring pixels read 16 texels apart, then 16 lines on", "mul r11.xy, t0, c30", STRIDE, STRIDE, .down = true},
	{"random", "each read is at a place of its own", "texld r11, t0, s1", 0, -1, .places = true},
	{"same texel", "all pixels read one texel", "mul r11.xy, t0, c30", 0, 0, .down = false},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

struct measuring {
	struct lab lab;
	int edge;
	unsigned samples;
	struct image source, places, target;
	struct waker waker;
};

/* ---- programs -------------------------------------------------------------------------- */

static const char *open_reading_kernel(struct measuring *m, const struct pattern *p, unsigned reads, struct kernel *k)
{
	struct text t = {.arena = m->lab.arena};
	text_printf(&t, "ps_2_a\ndcl t0.xy\ndcl_2d s0\n%s%s\ntexld r0, r11, s0\n", p->places ? "dcl_2d s1\n" : "", p->base);
	deed_add_reads(&t, "r11", reads - 1);
	text_string(&t, "mov oC0, r0\n");
	return kernel_from_pixel_text(&m->lab, "reads", t.at, k);
}

/* Sets c30 (the factor of the pixel's place) and c1, c2 ... (the offsets: multiples of the step, or random ones).  A factor above 1, the
 * stride, is made a little larger, so that each time that the places go around the texture they move on by a texel, and all texels are
 * read. */
static void set_places(const struct measuring *m, const struct pattern *p, struct kernel *k)
{
	uint64_t seed = 1;
	float const texel = 1 / (float)m->edge;
	float const scale = (float)(p->scale > 1 ? p->scale + p->scale / m->edge : p->scale);
	kernel_set(k, STAGE_PIXEL, 30, scale, scale, 0, 0);
	for (unsigned n = 1; n < FEWEST + 2 * POINTS; n++) {
		float const along = p->step < 0 ? (float)random_unit(&seed) : (float)(n * p->step) * texel;
		float const across = p->step < 0 ? (float)random_unit(&seed) : 0;
		kernel_set(k, STAGE_PIXEL, n, p->down ? across : along, p->down ? along : across, 0, 0);
	}
}

/* ---- measuring ------------------------------------------------------------------------- */

/* Returns the bandwidth in bytes per ns, or 0 if the times do not rise with the reads or if *wrong is set, also by this function.  It is
 * the slope over 8 to 16 reads, as other costs of a pass do not change a slope. */
static double bandwidth_of(struct measuring *m, const struct pattern *p, const char **wrong)
{
	double bytes[POINTS], ns[POINTS];
	for (unsigned n = 0; n < POINTS && !*wrong; n++) {
		unsigned const reads = FEWEST + 2 * n;
		struct kernel k;
		*wrong = open_reading_kernel(m, p, reads, &k);
		if (!*wrong) {
			set_places(m, p, &k);
			bytes[n] = (double)reads * m->edge * m->edge * image_formats[m->source.format].bytes;
			struct pass const pass = {.kernel = &k, .texture = {&m->source, &m->places}, .target = {&m->target}};
			ns[n] = deed_ns(&m->lab, &(struct deed){.pass = &pass}, m->samples);
		}
		kernel_close(&k);
	}
	double const slope = *wrong ? 0 : stats_slope(bytes, ns, POINTS);
	return slope > 0 ? 1 / slope : 0;
}

static const char *prepare_textures(struct measuring *m, enum image_format format)
{
	size_t const floats = (size_t)m->edge * (size_t)m->edge * 4;
	float *texels = arena_alloc(m->lab.arena, floats * sizeof *texels);
	uint64_t seed = 1;
	for (size_t k = 0; k < floats; k++)
		texels[k] = (float)random_unit(&seed);
	const char *wrong = image_make(&m->source, m->edge, m->edge, format, IMAGE_REPEAT);
	wrong = wrong ? wrong : image_make(&m->places, m->edge, m->edge, IMAGE_RGBA32F, IMAGE_REPEAT);
	wrong = wrong ? wrong : image_make(&m->target, m->edge, m->edge, format, IMAGE_CLAMP);
	if (wrong)
		return wrong;
	image_write(&m->source, image_whole(&m->source), texels);
	image_write(&m->places, image_whole(&m->places), texels);
	wrong = waker_open(&m->lab, &m->waker);
	if (!wrong)
		waker_wake(&m->waker);
	return wrong;
}

static void print_pattern(const struct pattern *p, enum image_format format, double found, double first, struct text *t, struct text *csv)
{
	text_printf(csv, "bandwidth,%s,%s,,,,", p->name, image_formats[format].name);
	if (found > 0) {
		text_printf(csv, "%.4g\n", found);
		text_printf(t, "%-12s %9.2f %11.3f", p->name, found, found / image_formats[format].bytes);
	} else {
		text_string(csv, "\n");
		text_printf(t, "%-12s %9s %11s", p->name, "unsteady", "");
	}
	if (found > 0 && first > 0)
		text_printf(t, " %8.3f  %s\n", found / first, p->what);
	else
		text_printf(t, " %8s  %s\n", "", p->what);
}

const char *info_bandwidth(struct arena *a, const struct context *gpu, enum image_format format, struct text *t, struct text *csv)
{
	struct measuring m = {.lab = {.arena = a, .gpu = gpu}, .edge = gpu->software ? 256 : 2048,
	                      .samples = gpu->software ? 5 : DEED_MOST_SAMPLES};
	double found[PATTERNS] = {0};
	const char *wrong = prepare_textures(&m, format);
	for (unsigned k = 0; k < PATTERNS && !wrong; k++)
		found[k] = bandwidth_of(&m, &patterns[k], &wrong);
	wrong = wrong ? wrong : context_error();
	image_delete(&m.source);
	image_delete(&m.places);
	image_delete(&m.target);
	waker_close(&m.waker);
	if (wrong)
		return wrong;
	text_printf(t, "\ntexture reads of %s, %d x %d texels\n%-12s %9s %11s %8s\n", image_formats[format].name, m.edge, m.edge, "", "GB/s",
	            "Gtexels/s", "part");
	for (unsigned k = 0; k < PATTERNS; k++)
		print_pattern(&patterns[k], format, found[k], found[0], t, csv);
	return NULL;
}
