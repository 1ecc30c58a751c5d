/* Times single passes, see pass_timing.h. */
#include "gpu/pass_timing.h"

#include "gpu/picture.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>

/* ---- keeping the GPU awake --------------------------------------------------------------- */

const char *waker_open(const struct lab *lab, struct waker *w)
{
	enum { EDGE = 512, LINKS = 60 };
	static const char vertex[] = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\n";
	*w = (struct waker){.lab = {.arena = lab->arena, .gpu = lab->gpu}};
	if (lab->gpu->software)
		return NULL;
	struct text t = {.arena = lab->arena};
	text_string(&t, "ps_2_0\ndcl t0\nmov r0, t0\n");
	for (unsigned n = 0; n < LINKS; n++)
		text_string(&t, "mad r0, r0, r0, c1\n");
	text_string(&t, "mov oC0, r0\n");
	const char *wrong = lab_image(&w->lab, &w->target, EDGE, EDGE, IMAGE_RGBA8, IMAGE_CLAMP);
	return wrong ? wrong : kernel_from_text(&w->lab, "wake", vertex, t.at, &w->kernel);
}

static double time_wake_draws(struct waker *w)
{
	enum { DRAWS = 16 };
	glFinish();
	double const begun = stats_now_ns();
	for (unsigned k = 0; k < DRAWS; k++)
		pass_draw(&w->lab, &(struct pass){.kernel = &w->kernel, .target = {&w->target}});
	glFinish();
	return stats_now_ns() - begun;
}

void waker_wake(struct waker *w)
{
	enum { ENOUGH = 3 };
	bool const first = w->least <= 0;
	double const slow = 1.15, until = stats_now_ns() + (first ? 500e6 : 200e6);
	for (unsigned good = 0; w->target.width && (first || good < ENOUGH) && stats_now_ns() < until;) {
		double const ns = time_wake_draws(w);
		w->least = w->least > 0 && w->least < ns ? w->least : ns;
		good = ns < slow * w->least ? good + 1 : 0;
	}
}

/* ---- a pass by itself -------------------------------------------------------------------- */

static void draw_or_copy(struct lab *lab, const struct pass *p, const struct rect *copied)
{
	if (copied)
		image_copy(p->texture[0], p->target[0], *copied);
	else
		pass_draw(lab, p);
}

/* The driver's timer of a CPU misses what is drawn after the calls, so the CPU's clock is used then. */
double pass_alone_ns(struct lab *lab, const struct pass *p, const struct rect *copied, unsigned samples)
{
	double values[MOST_PASS_SAMPLES];
	GLuint query;
	glGenQueries(1, &query);
	draw_or_copy(lab, p, copied);
	for (unsigned k = 0; k < samples; k++) {
		GLuint64 ns = 0;
		glFinish();
		double const begun = stats_now_ns();
		glBeginQuery(GL_TIME_ELAPSED, query);
		draw_or_copy(lab, p, copied);
		glEndQuery(GL_TIME_ELAPSED);
		glFinish();
		double const done = stats_now_ns();
		glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
		values[k] = lab->gpu->software ? done - begun : (double)ns;
	}
	glDeleteQueries(1, &query);
	return stats_quartiles(values, samples).median;
}

/* ---- programs and textures to time ------------------------------------------------------- */

void add_texture_sum(struct text *t, const char *base, unsigned reads)
{
	enum { BLOCK = 8 };
	for (unsigned first = 0; first < reads; first += BLOCK) {
		unsigned const n = reads - first < BLOCK ? reads - first : BLOCK;
		for (unsigned k = 1; k <= n; k++)
			text_printf(t, "add r%u.xy, %s, c%u\n", k, base, first + k);
		for (unsigned k = 1; k <= n; k++)
			text_printf(t, "texld r%u, r%u, s0\n", k, k);
		for (unsigned k = 1; k <= n; k++)
			text_printf(t, "add r0, r0, r%u\n", k);
	}
}

float *random_texels(struct lab *lab, size_t n)
{
	float *texels = arena_alloc(lab->arena, n * sizeof *texels);
	uint64_t seed = 1;
	for (size_t k = 0; k < n; k++)
		texels[k] = (float)random_unit(&seed);
	return texels;
}
