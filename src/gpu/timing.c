/* Times draws, see timing.h. */
#include "gpu/timing.h"

#include "gpu/stats.h"

#include <epoxy/gl.h>
#include <time.h>

/* ---- geometry -------------------------------------------------------------------------- */

/* Returns the number of vertex attributes: the corner and the inputs. */
static unsigned count_attributes(const struct program *vs)
{
	return SHADER_FIRST_INPUT + shader_inputs(vs);
}

static float *fill_vertex(const struct scene *scene, const struct program *vs, const float place[2], float *at)
{
	for (unsigned l = 0; l < LANES; l++)
		*at++ = mesh_position(place, l);
	for (uint32_t n = 0; n < vs->decls.n; n++)
		for (unsigned l = 0; l < LANES && vs->decls.at[n].kind == DECL_VERTEX_INPUT; l++)
			*at++ = mesh_attribute(scene, vs->decls.at[n].usage, vs->decls.at[n].usage_index, place, l);
	return at;
}

/* Makes a vertex buffer with two triangles for each cell.  A vertex has four floats for the corner and then for each input. */
static void make_vertex_buffer(struct arena *a, const struct ground *g, const struct scene *scene, struct timed *to)
{
	size_t const edge = (size_t)g->grid, count = edge * edge * GROUND_CELL_VERTICES;
	size_t const size = count * count_attributes(to->drawn.vs) * LANES * sizeof(float);
	struct arena_mark const mark = arena_mark(a);
	float *data = arena_alloc(a, size), *at = data;
	for (size_t k = 0; k < count; k++) {
		float place[2];
		mesh_place(edge, k, place);
		at = fill_vertex(scene, to->drawn.vs, place, at);
	}
	glGenBuffers(1, &to->vertices);
	glBindBuffer(GL_ARRAY_BUFFER, to->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	arena_release(a, mark);
}

static bool have_same_inputs(const struct program *a, const struct program *b)
{
	uint32_t k = 0, l = 0;
	for (;; k++, l++) {
		while (k < a->decls.n && a->decls.at[k].kind != DECL_VERTEX_INPUT)
			k++;
		while (l < b->decls.n && b->decls.at[l].kind != DECL_VERTEX_INPUT)
			l++;
		if (k == a->decls.n || l == b->decls.n)
			return k == a->decls.n && l == b->decls.n;
		if (a->decls.at[k].usage != b->decls.at[l].usage || a->decls.at[k].usage_index != b->decls.at[l].usage_index)
			return false;
	}
}

/* Gives pair number k a vertex buffer: that of an earlier pair with the same inputs, or a new one. */
static void find_vertices(struct arena *a, struct timing *t, const struct scene *scene, unsigned k)
{
	for (unsigned other = 0; other < k; other++) {
		if (have_same_inputs(t->pair[other].drawn.vs, t->pair[k].drawn.vs)) {
			t->pair[k].vertices = t->pair[other].vertices;
			return;
		}
	}
	make_vertex_buffer(a, &t->ground, scene, &t->pair[k]);
}

/* ---- drawing --------------------------------------------------------------------------- */

static void bind_pair(const struct timing *t, const struct timed *p, const struct scene *scene)
{
	const struct image *const target[PAIR_COLOURS] = {&t->target[0], &t->target[1], &t->target[2], &t->target[3]};
	unsigned const attributes = count_attributes(p->drawn.vs);
	drawn_pair_use(&p->shader, &p->drawn, scene);
	image_bind_targets(target, p->drawn.colours);
	glBindBuffer(GL_ARRAY_BUFFER, p->vertices);
	for (unsigned k = 0; k < attributes; k++) {
		glEnableVertexAttribArray(k);
		glVertexAttribPointer(k, LANES, GL_FLOAT, GL_FALSE, (GLsizei)(attributes * LANES * sizeof(float)),
		                      (const void *)(LANES * sizeof(float) * k));
	}
}

static void unbind_pair(const struct timed *p)
{
	for (unsigned k = 0; k < count_attributes(p->drawn.vs); k++)
		glDisableVertexAttribArray(k);
	glBindBuffer(GL_ARRAY_BUFFER, 0);
	image_release_targets(p->drawn.colours);
}

static void draw_mesh(const struct ground *g, unsigned times)
{
	for (unsigned k = 0; k < times; k++)
		glDrawArrays(GL_TRIANGLES, 0, g->grid * g->grid * GROUND_CELL_VERTICES);
}

/* ---- time ------------------------------------------------------------------------------ */

/* Returns the CPU time of this process for draws, for a device that is a CPU; other processes do not disturb it.  (Mesa's timer query counts only
 * the last part of the target there.) */
static double time_by_cpu(const struct ground *g, unsigned draws)
{
	struct timespec from, to;
	glFinish();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	draw_mesh(g, draws);
	glFinish();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	return (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
}

static double time_by_gpu(const struct ground *g, unsigned draws, GLuint query)
{
	GLuint64 ns = 0;
	glBeginQuery(GL_TIME_ELAPSED, query);
	draw_mesh(g, draws);
	glEndQuery(GL_TIME_ELAPSED);
	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
	return (double)ns;
}

struct sampling {
	const struct timing *timing;
	const struct scene *scene;
	GLuint query;
};

/* Returns the time in ns of a draw, over `draws` draws of pair `which` (a turn_sample).  Draws once before, so that the cost of changing programs
 * is not measured. */
static double sample_pair(void *drawer, unsigned which, unsigned draws)
{
	const struct sampling *s = drawer;
	const struct timing *t = s->timing;
	const struct timed *p = &t->pair[which];
	bind_pair(t, p, s->scene);
	draw_mesh(&t->ground, 1);
	double const ns = t->software ? time_by_cpu(&t->ground, draws) : time_by_gpu(&t->ground, draws, s->query);
	unbind_pair(p);
	return ns / draws;
}

static void measure_pairs(struct arena *a, struct timing *t, const struct scene *scene, double seconds)
{
	struct sampling s = {.timing = t, .scene = scene};
	struct turn *turn = arena_zero(a, t->n * sizeof *turn);
	glGenQueries(1, &s.query);
	t->samples = turns_run(a, sample_pair, &s, turn, t->n, seconds);
	for (unsigned k = 0; k < t->n; k++)
		t->pair[k].ns = turn[k].ns;
	glDeleteQueries(1, &s.query);
}

/* ---- opening --------------------------------------------------------------------------- */

/* Returns true if all pixels of a square of edge `edge` of the target are equal.  `pixels` has room for them. */
static bool all_alike(const struct image *i, float *pixels, int edge)
{
	unsigned const channels = image_formats[i->format].channels;
	image_read(i, (struct rect){.x = i->width / 2, .y = i->height / 2, .width = edge, .height = edge}, pixels);
	for (unsigned k = 1; k < (unsigned)(edge * edge); k++)
		if (memcmp(pixels, pixels + k * channels, channels * sizeof *pixels) != 0)
			return false;
	return true;
}

/* Sets the first variant of the scene under which the pixels of the first pair are not all alike; variant 0 if it finds none. */
static void choose_constants(struct arena *a, const struct timing *t, struct scene *scene)
{
	enum { EDGE = 32, TRIES = 16 };
	int const edge = t->ground.size / 2 < EDGE ? t->ground.size / 2 : EDGE;
	float *pixels = arena_alloc(a, EDGE * EDGE * LANES * sizeof *pixels);
	for (unsigned v = 0; v < TRIES; v++) {
		scene->variant = 17 * v % SCENE_VARIANTS;
		bind_pair(t, &t->pair[0], scene);
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
		draw_mesh(&t->ground, 1);
		unbind_pair(&t->pair[0]);
		if (!all_alike(&t->target[0], pixels, edge))
			return;
	}
	scene->variant = 0;
}

/* Returns sizes of textures: multiples of the scene's sizes, at least these, else not larger than the target nor than 1024 (2D), 256 (cubes) and
 * 128 (volumes). */
static struct texture_sizes texture_sizes(int size)
{
	int const square = size > 1024 ? 1024 : size / SCENE_TEXELS * SCENE_TEXELS;
	int const edge = square > SCENE_TEXELS ? square : SCENE_TEXELS;
	return (struct texture_sizes){edge, edge < 256 ? edge : 256, edge < 128 ? edge : 128};
}

static const char *open_all(struct arena *a, const struct context *gpu, struct timing *t, const struct scene *scene)
{
	struct shader_options const how = {.position = POSITION_CORNER};
	struct texture_sizes const sizes = texture_sizes(t->ground.size);
	uint8_t kinds[PAIR_SAMPLERS] = {0};
	unsigned colours = 1;
	const char *wrong = NULL;
	for (unsigned k = 0; k < t->n && !wrong; k++) {
		struct timed *p = &t->pair[k];
		colours = p->drawn.colours > colours ? p->drawn.colours : colours;
		wrong = drawn_pair_compile(a, gpu, &p->drawn, &how, scene, &p->shader);
		find_vertices(a, t, scene, k);
		for (unsigned s = 0; s < PAIR_SAMPLERS; s++)
			kinds[s] = kinds[s] ? kinds[s] : p->drawn.ps->samplers[s];
	}
	for (unsigned k = 0; k < colours && !wrong; k++)
		wrong = image_make(&t->target[k], t->ground.size, t->ground.size, t->ground.plain ? IMAGE_RGBA8 : t->ground.format, IMAGE_CLAMP);
	drawn_pair_textures(a, kinds, scene, &sizes, t->ground.format, t->texture);
	drawn_pair_filter(t->texture, kinds, t->ground.linear);
	return wrong;
}

const char *timing_run(struct arena *a, const struct context *gpu, struct timing *t, double seconds)
{
	struct scene scene = {.seed = 1};
	t->software = gpu->software;
	const char *wrong = open_all(a, gpu, t, &scene);
	if (wrong)
		return wrong;
	choose_constants(a, t, &scene);
	measure_pairs(a, t, &scene, seconds);
	return context_error();
}

void timing_close(struct timing *t)
{
	drawn_pair_textures_delete(t->texture);
	for (unsigned k = 0; k < PAIR_COLOURS; k++)
		if (t->target[k].width)
			image_delete(&t->target[k]);
	for (unsigned k = 0; k < t->n; k++) {
		glDeleteBuffers(1, &t->pair[k].vertices);
		shader_delete(&t->pair[k].shader);
	}
}
