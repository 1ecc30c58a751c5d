/* Draws only to keep the GPU busy, see wake.h. */
#include "gpu/wake.h"

#include "gpu/pass.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>

static const char vertex[] = "vs_1_1\ndcl_position v0\nmov oPos, v0\nmov oT0, v0\n";

const char *waker_open(const struct lab *lab, struct waker *w)
{
	enum { EDGE = 512, LINKS = 60 };
	*w = (struct waker){.lab = {.arena = lab->arena, .gpu = lab->gpu}};
	if (lab->gpu->software)
		return NULL;
	struct text t = {.arena = lab->arena};
	text_string(&t, "ps_2_0\ndcl t0\nmov r0, t0\n");
	for (unsigned n = 0; n < LINKS; n++)
		text_string(&t, "mad r0, r0, r0, c1\n");
	text_string(&t, "mov oC0, r0\n");
	const char *wrong = image_make(&w->target, EDGE, EDGE, IMAGE_RGBA8, IMAGE_CLAMP);
	return wrong ? wrong : kernel_from_text(&w->lab, "wake", vertex, t.at, &w->kernel);
}

void waker_close(struct waker *w)
{
	kernel_close(&w->kernel);
	image_delete(&w->target);
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
