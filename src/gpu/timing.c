/* Measuring draws, see timing.h. */
#include "gpu/timing.h"

#include <epoxy/gl.h>

enum { LEAST_SAMPLES = 5, MOST_SAMPLES = 501, WARM_UPS = 3, MOST_DRAWS = 1000 };
static const double SAMPLE_NS = 2e6; /* about how long one is */
static const struct texture_sizes sizes = {1024, 256, 128};

/* ---- geometry -------------------------------------------------------------------------- */

/* Attributes are affine over the target, so that texture reads are as near to each other as pixels are, and differ from each
 * other by a little. */
static float attribute(const struct scene *scene, const struct decl *d, float x, float y, unsigned lane)
{
	float own = scene_unit(scene, 0x4000u + d->usage * 16u + d->usage_index, 0, lane);
	switch (lane) {
	case LANE_X: return x + 0.1f * own;
	case LANE_Y: return y + 0.1f * own;
	default: return 0.2f + 0.5f * own + 0.2f * (x - y);
	}
}

static unsigned count_inputs(const struct program *vs)
{
	unsigned n = 1;
	for (uint32_t d = 0; d < vs->decls.n; d++)
		n += vs->decls.at[d].kind == DECL_VERTEX_INPUT;
	return n;
}

static float *fill_vertex(const struct scene *scene, const struct program *vs, float x, float y, float *at)
{
	float const w = 1 + 0.25f * x, corner[LANES] = {(2 * x - 1) * w, (2 * y - 1) * w, 0, w};
	memcpy(at, corner, sizeof corner);
	at += LANES;
	for (uint32_t n = 0; n < vs->decls.n; n++)
		for (unsigned l = 0; l < LANES && vs->decls.at[n].kind == DECL_VERTEX_INPUT; l++)
			*at++ = attribute(scene, &vs->decls.at[n], x, y, l);
	return at;
}

/* Two triangles a cell; the corner and then the inputs, four floats each. */
static void make_vertices(struct arena *a, const struct ground *g, const struct scene *scene, struct timed *to)
{
	static const unsigned char square[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
	size_t const edge = (size_t)g->grid, count = edge * edge * 6, size = count * count_inputs(to->subject.vs) * LANES * sizeof(float);
	struct arena_mark const mark = arena_mark(a);
	float *data = arena_alloc(a, size), *at = data;
	for (size_t k = 0; k < count; k++) {
		size_t const cell = k / 6;
		at = fill_vertex(scene, to->subject.vs, (float)(cell % edge + square[k % 6][0]) / (float)edge,
		                 (float)(cell / edge + square[k % 6][1]) / (float)edge, at);
	}
	glGenBuffers(1, &to->vertices);
	glBindBuffer(GL_ARRAY_BUFFER, to->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	arena_release(a, mark);
}

/* ---- drawing --------------------------------------------------------------------------- */

static void use(const struct timing *t, const struct timed *p, const struct scene *scene)
{
	const struct image *const target[SUBJECT_COLOURS] = {&t->target[0], &t->target[1], &t->target[2], &t->target[3]};
	unsigned const inputs = count_inputs(p->subject.vs);
	subject_use(&p->shader, &p->subject, scene);
	image_bind_targets(target, p->subject.colours);
	glBindBuffer(GL_ARRAY_BUFFER, p->vertices);
	for (unsigned k = 0; k < inputs; k++) {
		glEnableVertexAttribArrayARB(k);
		glVertexAttribPointerARB(k, LANES, GL_FLOAT, GL_FALSE, (GLsizei)(inputs * LANES * sizeof(float)),
		                         (const char *)NULL + LANES * sizeof(float) * k);
	}
}

static void put_away(const struct timed *p)
{
	for (unsigned k = 0; k < count_inputs(p->subject.vs); k++)
		glDisableVertexAttribArrayARB(k);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	image_release_targets(p->subject.colours);
}

static void draw(const struct ground *g, unsigned times)
{
	for (unsigned k = 0; k < times; k++)
		glDrawArrays(GL_TRIANGLES, 0, g->grid * g->grid * 6);
}

/* ---- time ------------------------------------------------------------------------------ */

/* Of one draw, in ns.  What the change of programs costs comes before. */
static double sample(const struct timing *t, const struct timed *p, const struct scene *scene, GLuint query)
{
	GLuint64 ns = 0;
	use(t, p, scene);
	draw(&t->ground, 1);
	glBeginQuery(GL_TIME_ELAPSED, query);
	draw(&t->ground, p->draws);
	glEndQuery(GL_TIME_ELAPSED);
	put_away(p);
	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
	return (double)ns / p->draws;
}

/* Warms up, and finds how many draws make a sample; the value is how long one takes, with the draw before it. */
static double warm_up(const struct timing *t, struct timed *p, const struct scene *scene, GLuint query)
{
	double ns = 0;
	p->draws = 1;
	for (unsigned round = 0; round < WARM_UPS; round++) {
		ns = sample(t, p, scene, query);
		double const draws = SAMPLE_NS / (ns + 1);
		p->draws = draws < 1 ? 1 : draws > MOST_DRAWS ? MOST_DRAWS : (unsigned)draws;
	}
	return ns * (p->draws + 1);
}

static void measure(struct arena *a, struct timing *t, const struct scene *scene, double seconds)
{
	GLuint query;
	double once = 1;
	glGenQueries(1, &query);
	for (unsigned k = 0; k < t->n; k++)
		once += warm_up(t, &t->pair[k], scene, query);
	double const fit = seconds * 1e9 / once;
	t->samples = fit < LEAST_SAMPLES ? LEAST_SAMPLES : fit > MOST_SAMPLES ? MOST_SAMPLES : (unsigned)fit;
	for (unsigned k = 0; k < t->n; k++)
		t->pair[k].ns = arena_alloc(a, t->samples * sizeof(double));
	for (unsigned turn = 0; turn < t->samples; turn++)
		for (unsigned k = 0; k < t->n; k++)
			t->pair[k].ns[turn] = sample(t, &t->pair[k], scene, query);
	glDeleteQueries(1, &query);
}

/* ---- opening --------------------------------------------------------------------------- */

static bool all_alike(const struct image *i, float (*pixel)[4], int edge)
{
	image_read(i, (struct rect){i->width / 2, i->height / 2, edge, edge}, &pixel[0][0]);
	for (int k = 1; k < edge * edge; k++)
		if (memcmp(pixel[0], pixel[k], sizeof *pixel) != 0)
			return false;
	return true;
}

/* Constants under which the pixels of the first pair are not all alike, if there are such. */
static void choose_constants(struct arena *a, const struct timing *t, struct scene *scene)
{
	enum { EDGE = 32, TRIES = 16 };
	int const edge = t->ground.size / 2 < EDGE ? t->ground.size / 2 : EDGE;
	float(*pixel)[4] = arena_alloc(a, EDGE * EDGE * sizeof *pixel);
	for (unsigned v = 0; v < TRIES; v++) {
		scene->variant = 17 * v % SCENE_VARIANTS;
		use(t, &t->pair[0], scene);
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
		draw(&t->ground, 1);
		put_away(&t->pair[0]);
		if (!all_alike(&t->target[0], pixel, edge))
			return;
	}
	scene->variant = 0;
}

static const char *open_all(struct arena *a, const struct context *gpu, struct timing *t, const struct scene *scene)
{
	struct shader_options const how = {.position = POSITION_CORNER};
	uint8_t kinds[SUBJECT_SAMPLERS] = {0};
	unsigned colours = 1;
	const char *wrong = NULL;
	for (unsigned k = 0; k < t->n && !wrong; k++) {
		struct timed *p = &t->pair[k];
		colours = p->subject.colours > colours ? p->subject.colours : colours;
		wrong = subject_compile(a, gpu, &p->subject, &how, scene, &p->shader);
		make_vertices(a, &t->ground, scene, p);
		for (unsigned s = 0; s < SUBJECT_SAMPLERS; s++)
			kinds[s] = kinds[s] ? kinds[s] : p->subject.ps->samplers[s];
	}
	for (unsigned k = 0; k < colours && !wrong; k++)
		wrong = image_make(&t->target[k], t->ground.size, t->ground.size, t->ground.format, IMAGE_CLAMP);
	subject_textures(a, kinds, scene, &sizes, t->ground.format, t->texture);
	subject_filter(t->texture, kinds, t->ground.linear);
	return wrong;
}

const char *timing_run(struct arena *a, const struct context *gpu, struct timing *t, double seconds)
{
	struct scene scene = {.seed = 1};
	const char *wrong = open_all(a, gpu, t, &scene);
	if (wrong)
		return wrong;
	choose_constants(a, t, &scene);
	measure(a, t, &scene, seconds);
	return context_error();
}

void timing_close(struct timing *t)
{
	subject_textures_delete(t->texture);
	for (unsigned k = 0; k < SUBJECT_COLOURS; k++)
		if (t->target[k].width)
			image_delete(&t->target[k]);
	for (unsigned k = 0; k < t->n; k++) {
		glDeleteBuffers(1, &t->pair[k].vertices);
		shader_delete(&t->pair[k].shader);
	}
}
