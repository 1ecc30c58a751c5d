/* Times a pass or copy by itself, see deed.h. */
#include "gpu/deed.h"

#include "gpu/stats.h"

#include <epoxy/gl.h>

void deed_add_reads(struct text *t, const char *base, unsigned reads)
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

static void perform(struct lab *lab, const struct deed *d)
{
	if (d->pass)
		pass_draw(lab, d->pass);
	else
		image_copy(d->from, d->to, d->rect);
}

/* If the device is a CPU, takes the time until all is drawn by the CPU's clock: the driver's timer misses what is drawn after the calls. */
double deed_ns(struct lab *lab, const struct deed *d, unsigned samples)
{
	double values[DEED_MOST_SAMPLES];
	GLuint query;
	glGenQueries(1, &query);
	perform(lab, d);
	for (unsigned k = 0; k < samples; k++) {
		GLuint64 ns = 0;
		glFinish();
		double const begun = stats_now_ns();
		glBeginQuery(GL_TIME_ELAPSED, query);
		perform(lab, d);
		glEndQuery(GL_TIME_ELAPSED);
		glFinish();
		double const done = stats_now_ns();
		glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
		values[k] = lab->gpu->software ? done - begun : (double)ns;
	}
	glDeleteQueries(1, &query);
	return stats_quartiles(values, samples).median;
}
