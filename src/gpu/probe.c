/* Drawing, see probe.h. */
#include "gpu/probe.h"

#include "gpu/picture.h"

#include <epoxy/gl.h>
#include <time.h>

enum { VERTICES_PER_CELL = 6, BLOCKS = 16, VOLUME = 64 };

/* ---- what is read ---------------------------------------------------------------------- */

static unsigned kind_of(const struct program *ps, unsigned sampler)
{
	return ps->samplers[sampler] == TEXTURE_CUBE ? 1 : ps->samplers[sampler] == TEXTURE_VOLUME ? 2 : 0;
}

static GLenum kind_target(unsigned kind)
{
	static const GLenum bound[] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D};
	return bound[kind];
}

/* Blocks of one value each, so that reads at addresses that were read are near to each other, too. */
static float *blocks(struct arena *a, uint64_t seed, size_t edge, size_t depth)
{
	float value[BLOCKS * BLOCKS * 4], *texels = arena_alloc(a, edge * edge * depth * 4 * sizeof *texels), *at = texels;
	for (size_t k = 0; k < sizeof value / sizeof *value; k++)
		value[k] = (float)random_unit(&seed);
	for (size_t z = 0; z < depth; z++)
		for (size_t y = 0; y < edge; y++)
			for (size_t x = 0; x < edge; x++, at += 4)
				memcpy(at, value + (y * BLOCKS / edge * BLOCKS + x * BLOCKS / edge) * 4, 4 * sizeof *at);
	return texels;
}

static void make_texture(struct arena *a, GLint inside, unsigned sampler, unsigned kind, int edge, GLuint *made)
{
	GLenum const target = kind_target(kind);
	struct arena_mark const mark = arena_mark(a);
	const float *texels = blocks(a, sampler + 1, (size_t)edge, kind == 2 ? (size_t)edge : 1);
	glActiveTexture(GL_TEXTURE0 + sampler);
	glGenTextures(1, made);
	glBindTexture(target, *made);
	glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	if (kind == 2)
		glTexImage3D(target, 0, inside, edge, edge, edge, 0, GL_RGBA, GL_FLOAT, texels);
	GLenum const first = kind == 1 ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
	for (unsigned face = 0; face < (kind == 2 ? 0 : kind == 1 ? 6 : 1); face++)
		glTexImage2D(first + face, 0, inside, edge, edge, 0, GL_RGBA, GL_FLOAT, texels);
	arena_release(a, mark);
}

/* Made when a program first reads them. */
static void need_textures(struct booth *b, const struct program *ps)
{
	static const GLint formats[IMAGE_FORMATS] = {GL_RGBA8, GL_RGBA16F, GL_RGBA32F, GL_R32F};
	int const edge = b->size / 2 < 2 * BLOCKS ? 2 * BLOCKS : b->size / 2, edges[3] = {edge, edge / 4 + BLOCKS, VOLUME};
	for (unsigned s = 0; s < PROBE_SAMPLERS; s++) {
		unsigned const kind = kind_of(ps, s);
		if (ps->samplers[s] != TEXTURE_NONE && !b->texture[s][kind])
			make_texture(b->lab.arena, formats[b->format], s, kind, edges[kind], &b->texture[s][kind]);
	}
}

const char *booth_open(struct arena *a, const struct context *gpu, int size, enum image_format format, struct booth *b)
{
	*b = (struct booth){.lab = {.arena = a, .gpu = gpu, .position = POSITION_CORNER}, .size = size, .format = format};
	for (unsigned k = 0; k < PROBE_TARGETS; k++) {
		const char *wrong = image_make(&b->target[k], size, size, format, IMAGE_CLAMP);
		if (wrong)
			return wrong;
	}
	glBindFramebuffer(GL_FRAMEBUFFER, b->target[0].frame);
	for (unsigned k = 1; k < PROBE_TARGETS; k++)
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + k, GL_TEXTURE_2D, b->target[k].texture, 0);
	return context_error();
}

void booth_close(struct booth *b)
{
	for (unsigned k = 0; k < PROBE_TARGETS; k++)
		image_delete(&b->target[k]);
	for (uint32_t k = 0; k < b->grids.n; k++)
		glDeleteBuffers(1, &b->grids.at[k].buffer);
	glDeleteTextures(sizeof b->texture / sizeof **b->texture, *b->texture);
	for (unsigned k = 0; k <= SHADER_INPUTS; k++)
		glDisableVertexAttribArrayARB(k);
}

/* ---- what is drawn --------------------------------------------------------------------- */

static unsigned count_inputs(const struct program *vs)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < vs->decls.n; k++)
		n += vs->decls.at[k].kind == DECL_VERTEX_INPUT;
	return n;
}

/* Inputs are affine over the target and lie between 0 and 1, so that neighbours read neighbouring texels. */
static float attribute(uint64_t seed, float x, float y, unsigned lane)
{
	float const own = (float)random_unit(&seed);
	switch (lane) {
	case LANE_X: return 0.9f * x + 0.1f * own;
	case LANE_Y: return 0.9f * y + 0.1f * own;
	default: return 0.3f + 0.3f * own + 0.2f * (x - y);
	}
}

/* The corner and then the inputs, four floats each. */
static void make_grid(struct arena *a, struct grid *g)
{
	static const unsigned char square[VERTICES_PER_CELL][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
	size_t const n = (size_t)g->edge * g->edge * VERTICES_PER_CELL, size = n * (g->inputs + 1) * LANES * sizeof(float);
	struct arena_mark const mark = arena_mark(a);
	float *data = arena_alloc(a, size), *at = data;
	for (size_t k = 0; k < n; k++) {
		size_t const cell = k / VERTICES_PER_CELL;
		const unsigned char *corner = square[k % VERTICES_PER_CELL];
		float const edge = (float)g->edge, x = (float)(cell % g->edge + corner[0]) / edge, y = (float)(cell / g->edge + corner[1]) / edge;
		float const w = 1 + 0.25f * x, place[LANES] = {(2 * x - 1) * w, (2 * y - 1) * w, 0, w};
		memcpy(at, place, sizeof place);
		at += LANES;
		for (unsigned i = 0; i < g->inputs; i++)
			for (unsigned l = 0; l < LANES; l++)
				*at++ = attribute(i * LANES + l, x, y, l);
	}
	glGenBuffers(1, &g->buffer);
	glBindBuffer(GL_ARRAY_BUFFER, g->buffer);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
	arena_release(a, mark);
}

static struct grid find_grid(struct booth *b, unsigned edge, unsigned inputs)
{
	for (uint32_t k = 0; k < b->grids.n; k++)
		if (b->grids.at[k].edge == edge && b->grids.at[k].inputs == inputs)
			return b->grids.at[k];
	struct grid made = {edge, inputs, 0};
	make_grid(b->lab.arena, &made);
	VEC_PUSH(b->lab.arena, &b->grids) = made;
	return made;
}

/* Numbers near a third, and rows of a unit matrix as well: sums and products neither grow nor vanish. */
static void set_constants(struct kernel *k)
{
	uint64_t seed = 1;
	for (unsigned stage = 0; stage < 2; stage++) {
		for (unsigned c = 0; c < models[(stage ? k->ps : k->vs)->model].consts; c++) {
			float v[LANES];
			for (unsigned l = 0; l < LANES; l++)
				v[l] = 0.2f + 0.2f * (float)random_unit(&seed) + (l == c % LANES ? 0.3f : 0);
			kernel_set(k, (enum stage)stage, c, v[0], v[1], v[2], v[3]);
		}
	}
}

const char *probe_open(struct booth *b, unsigned grid, struct probe *p)
{
	p->draws = 1;
	if (p->kernel.colours > PROBE_TARGETS || (int)p->kernel.colours > b->lab.gpu->colours)
		return "the driver draws to fewer targets at a time";
	p->ns = arena_alloc(b->lab.arena, PROBE_MOST_SAMPLES * sizeof *p->ns);
	p->grid = find_grid(b, grid, count_inputs(p->kernel.vs));
	need_textures(b, p->kernel.ps);
	set_constants(&p->kernel);
	kernel_use(&p->kernel);
	glGenQueries(1, &p->query);
	return context_error();
}

void probe_close(struct probe *p)
{
	if (p->query)
		glDeleteQueries(1, &p->query);
	kernel_close(&p->kernel);
}

double probe_pixels_per_vertex(const struct booth *b, const struct probe *p)
{
	return (double)b->size * b->size / ((double)p->grid.edge * p->grid.edge * VERTICES_PER_CELL);
}

/* ---- time ------------------------------------------------------------------------------ */

static void bind(const struct booth *b, const struct probe *p)
{
	GLenum const buffers[PROBE_TARGETS] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};
	unsigned const attributes = p->grid.inputs + 1;
	shader_use(&p->kernel.shader);
	for (unsigned s = 0; s < PROBE_SAMPLERS; s++) {
		unsigned const kind = kind_of(p->kernel.ps, s);
		glActiveTexture(GL_TEXTURE0 + s);
		if (p->kernel.ps->samplers[s] != TEXTURE_NONE)
			glBindTexture(kind_target(kind), b->texture[s][kind]);
	}
	glBindBuffer(GL_ARRAY_BUFFER, p->grid.buffer);
	for (unsigned k = 0; k <= SHADER_INPUTS; k++) {
		if (k >= attributes) {
			glDisableVertexAttribArrayARB(k);
			continue;
		}
		glEnableVertexAttribArrayARB(k);
		glVertexAttribPointerARB(k, LANES, GL_FLOAT, GL_FALSE, (GLsizei)(attributes * LANES * sizeof(float)),
		                         (const char *)NULL + k * LANES * sizeof(float));
	}
	glBindFramebuffer(GL_FRAMEBUFFER, b->target[0].frame);
	glDrawBuffers((GLsizei)p->kernel.colours, buffers);
	glViewport(0, 0, b->size, b->size);
}

static void draw(const struct probe *p, unsigned times)
{
	for (unsigned k = 0; k < times; k++)
		glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(p->grid.edge * p->grid.edge * VERTICES_PER_CELL));
}

/* A CPU that draws counts by itself what it works for this process, whatever else it has to do; Mesa's timer counts the last
 * part of the target alone. */
static double time_by_cpu(const struct probe *p)
{
	struct timespec from, to;
	glFinish();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	draw(p, p->draws);
	glFinish();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	return (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
}

static double time_by_gpu(const struct probe *p)
{
	GLuint64 ns = 0;
	glBeginQuery(GL_TIME_ELAPSED, p->query);
	draw(p, p->draws);
	glEndQuery(GL_TIME_ELAPSED);
	glGetQueryObjectui64v(p->query, GL_QUERY_RESULT, &ns);
	return (double)ns;
}

/* ns of one draw; what the change of programs costs comes before. */
static double time_draws(const struct booth *b, const struct probe *p)
{
	bind(b, p);
	draw(p, 1);
	return (b->lab.gpu->software ? time_by_cpu(p) : time_by_gpu(p)) / p->draws;
}

/* 2 ms are a sample; a CPU that draws takes as long for one draw. */
double probe_warm(const struct booth *b, struct probe *p)
{
	enum { MOST_DRAWS = 1000 };
	double const enough = b->lab.gpu->software ? 0 : 2e6;
	double once = 0;
	for (unsigned round = 0; round < 2; round++) {
		once = time_draws(b, p);
		double const draws = enough / (once + 1);
		p->draws = draws < 1 ? 1 : draws > MOST_DRAWS ? MOST_DRAWS : (unsigned)draws;
	}
	return once;
}

double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void probes_sample(const struct booth *b, struct probe *const *p, uint32_t n, double seconds)
{
	double const until = seconds_now() + seconds, pixels = (double)b->size * b->size;
	for (uint32_t k = 0; k < n; k++)
		probe_warm(b, p[k]);
	for (unsigned round = 0; round < PROBE_MOST_SAMPLES && (round < PROBE_LEAST_SAMPLES || seconds_now() < until); round++)
		for (uint32_t k = 0; k < n; k++)
			p[k]->ns[p[k]->samples++] = time_draws(b, p[k]) / pixels;
}
