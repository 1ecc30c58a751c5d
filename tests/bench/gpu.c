/* gpu: how long a GPU takes to draw pairs of programs, beside what a cost profile says.
 *
 *     gpu [-s SIZE] [-f rgba8|rgba16f|rgba32f] [-g GRID] [-n SAMPLES] [-t TARGET] [-p] LIST
 *
 * LIST is as for tests/opengl/draw: the lines of a group stand together, and are compared with its
 * first.  Each is drawn to a square of SIZE pixels (2048) through GRID x GRID cells of two triangles
 * (1), where its own position is computed but the grid's taken; textures are of the same format, and
 * filtered linearly or, with -p, not at all.  A sample is the time that the GPU
 * itself gives for some draws in a row, about 2 ms; the lines of a group take turns; the median of
 * SAMPLES (51) is printed, in CSV:
 *
 *     group,name,us,spread,ratio,model,predicted
 *
 * us: microseconds a draw; spread: half of the samples lie within that part of it; ratio: to the
 * group's first; model: the pair's cost under the target (h200); predicted: its ratio. */
#include "../opengl/gl.h"
#include "move/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_GROUP = 64, MAX_SAMPLES = 501, MAX_GRID = 1024 };
static const double SAMPLE_NS = 2e6;
static const struct gl_sizes sizes = {1024, 256, 128};

struct settings {
	int size, grid;
	unsigned samples;
	GLenum format;
	GLint filter;
	const struct target *target;
	const struct context *gpu;
};

struct subject {
	struct gl_pair pair;
	struct shader programs;
	GLuint vertices, query[MAX_SAMPLES];
	unsigned draws;
	double time[MAX_SAMPLES]; /* ns a draw */
};

/* ---- geometry -------------------------------------------------------------------------- */

/* Attributes are affine over the target, so that texture reads are as near to each other as
 * pixels are, and differ from each other by a little. */
static float attribute(const struct scene *scene, const struct decl *d, float x, float y, unsigned lane)
{
	float own = scene_unit(scene, 0x4000u + d->usage * 16u + d->usage_index, 0, lane);
	switch (lane) {
	case LANE_X: return x + 0.1f * own;
	case LANE_Y: return y + 0.1f * own;
	default: return 0.2f + 0.5f * own + 0.2f * (x - y);
	}
}

/* Two triangles a cell; the corner and then the inputs, four floats each. */
static void make_vertices(const struct settings *s, const struct scene *scene, struct subject *to)
{
	const struct program *vs = to->pair.vs;
	unsigned inputs = 1;
	for (uint32_t n = 0; n < vs->decls.n; n++)
		inputs += vs->decls.at[n].kind == DECL_VERTEX_INPUT;
	size_t count = (size_t)s->grid * (size_t)s->grid * 6, size = count * inputs * LANES * sizeof(float);
	float *data = malloc(size), *at = data;
	if (!data)
		abort();
	for (size_t k = 0; k < count; k++) {
		static const unsigned char square[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
		size_t cell = k / 6, edge = (size_t)s->grid;
		float x = (float)(cell % edge + square[k % 6][0]) / (float)edge, y = (float)(cell / edge + square[k % 6][1]) / (float)edge;
		float w = 1 + 0.25f * x;
		float const corner[] = {(2 * x - 1) * w, (2 * y - 1) * w, 0, w};
		memcpy(at, corner, sizeof corner);
		at += LANES;
		for (uint32_t n = 0; n < vs->decls.n; n++)
			for (unsigned l = 0; l < LANES && vs->decls.at[n].kind == DECL_VERTEX_INPUT; l++)
				*at++ = attribute(scene, &vs->decls.at[n], x, y, l);
	}
	glGenBuffers(1, &to->vertices);
	glBindBuffer(GL_ARRAY_BUFFER, to->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
	free(data);
}

static void use(const struct subject *s, const struct scene *scene)
{
	unsigned inputs = 1;
	for (uint32_t n = 0; n < s->pair.vs->decls.n; n++)
		inputs += s->pair.vs->decls.at[n].kind == DECL_VERTEX_INPUT;
	gl_use(&s->programs, &s->pair, scene);
	glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
	for (unsigned k = 0; k < 16; k++) {
		if (k < inputs) {
			glEnableVertexAttribArrayARB(k);
			glVertexAttribPointerARB(k, LANES, GL_FLOAT, GL_FALSE, (GLsizei)(inputs * 16), (const char *)NULL + 16 * k);
		} else {
			glDisableVertexAttribArrayARB(k);
		}
	}
	GLenum const buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};
	glDrawBuffers((GLsizei)s->pair.colours, buffers);
}

static void draw(const struct settings *s, unsigned times)
{
	for (unsigned k = 0; k < times; k++)
		glDrawArrays(GL_TRIANGLES, 0, s->grid * s->grid * 6);
}

/* ---- time ------------------------------------------------------------------------------ */

static double elapsed(GLuint query)
{
	GLuint64 ns = 0;
	glGetQueryObjectui64v(query, GL_QUERY_RESULT, &ns);
	return (double)ns;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void sample(const struct settings *s, struct subject *subject, const struct scene *scene, unsigned k)
{
	use(subject, scene);
	draw(s, 1); /* what the change of programs costs comes before */
	glBeginQuery(GL_TIME_ELAPSED, subject->query[k]);
	draw(s, subject->draws);
	glEndQuery(GL_TIME_ELAPSED);
}

static void measure(const struct settings *s, struct subject *subject, unsigned n, const struct scene *scene)
{
	for (unsigned k = 0; k < n; k++) {
		glGenQueries((GLsizei)s->samples, subject[k].query);
		subject[k].draws = 1;
		for (unsigned round = 0; round < 3; round++) { /* warm up, and see how long it takes */
			sample(s, &subject[k], scene, 0);
			double draws = SAMPLE_NS / (elapsed(subject[k].query[0]) / subject[k].draws + 1);
			subject[k].draws = draws < 1 ? 1 : draws > 1000 ? 1000 : (unsigned)draws;
		}
	}
	for (unsigned round = 0; round < s->samples; round++)
		for (unsigned k = 0; k < n; k++)
			sample(s, &subject[k], scene, round);
	for (unsigned k = 0; k < n; k++) {
		for (unsigned round = 0; round < s->samples; round++)
			subject[k].time[round] = elapsed(subject[k].query[round]) / subject[k].draws;
		qsort(subject[k].time, s->samples, sizeof *subject[k].time, by_size);
		glDeleteQueries((GLsizei)s->samples, subject[k].query);
	}
}

/* ---- groups ---------------------------------------------------------------------------- */

/* Constants under which the pixels are not all alike, if there are such. */
static void choose_constants(const struct settings *s, struct subject *first, struct scene *scene)
{
	enum { EDGE = 32 };
	static float pixel[EDGE * EDGE][4];
	for (unsigned v = 0; v < 16; v++) {
		scene->variant = 17 * v % SCENE_VARIANTS;
		use(first, scene);
		glClearColor(0, 0, 0, 0);
		glClear(GL_COLOR_BUFFER_BIT);
		draw(s, 1);
		glReadPixels(s->size / 2, s->size / 2, EDGE, EDGE, GL_RGBA, GL_FLOAT, pixel);
		for (unsigned k = 1; k < EDGE * EDGE; k++)
			if (memcmp(pixel[0], pixel[k], sizeof *pixel) != 0)
				return;
	}
	scene->variant = 0;
}

static bool time_group(const struct settings *s, const struct gl_job *job, unsigned n)
{
	static struct subject subject[MAX_GROUP];
	struct arena arena;
	struct scene scene = {.seed = 1};
	GLuint texture[GL_SAMPLERS] = {0};
	uint8_t kinds[GL_SAMPLERS] = {0};
	const char *wrong = n <= MAX_GROUP ? NULL : "too many lines in a group";
	arena_init(&arena, NULL);
	memset(subject, 0, sizeof subject);
	for (unsigned k = 0; !wrong && k < n; k++) {
		struct shader_options how = {.position = POSITION_CORNER};
		wrong = gl_read_pair(&arena, &job[k], &subject[k].pair);
		wrong = wrong ? wrong : gl_compile(&arena, s->gpu, &subject[k].pair, &how, &scene, &subject[k].programs);
		if (wrong) {
			fprintf(stderr, "%s %s: %s\n", job[k].group, job[k].name, wrong);
			break;
		}
		make_vertices(s, &scene, &subject[k]);
		for (unsigned t = 0; t < GL_SAMPLERS; t++)
			kinds[t] = kinds[t] ? kinds[t] : subject[k].pair.ps->samplers[t];
	}
	if (!wrong) {
		gl_textures(kinds, &scene, &sizes, s->format, texture);
		gl_filter(texture, kinds, s->filter);
		choose_constants(s, &subject[0], &scene);
		measure(s, subject, n, &scene);
		double pixels = (double)s->size * s->size, vertices = 6.0 * s->grid * s->grid;
		double first = 0, model_first = 0;
		for (unsigned k = 0; k < n; k++) {
			const double *t = subject[k].time;
			double median = t[s->samples / 2];
			double model = (double)target_pair(s->target, subject[k].pair.vs, subject[k].pair.ps, (unsigned)(pixels / vertices)) / TARGET_UNIT;
			first = k ? first : median;
			model_first = k ? model_first : model;
			printf("%s,%s,%.2f,%.4f,%.4f,%.2f,%.4f\n", job[k].group, job[k].name, median / 1e3,
			       (t[s->samples * 3 / 4] - t[s->samples / 4]) / median, median / first, model, model / model_first);
		}
		fflush(stdout);
	}
	glDeleteTextures(GL_SAMPLERS, texture);
	for (unsigned k = 0; k < n && k < MAX_GROUP; k++) {
		glDeleteBuffers(1, &subject[k].vertices);
		shader_delete(&subject[k].programs);
	}
	arena_free(&arena);
	return !wrong;
}

static void make_targets(const struct settings *s)
{
	GLuint frame, target[GL_COLOURS];
	glGenFramebuffers(1, &frame);
	glBindFramebuffer(GL_FRAMEBUFFER, frame);
	glGenTextures(GL_COLOURS, target);
	for (unsigned k = 0; k < GL_COLOURS; k++) {
		glBindTexture(GL_TEXTURE_2D, target[k]);
		glTexImage2D(GL_TEXTURE_2D, 0, (GLint)s->format, s->size, s->size, 0, GL_RGBA, GL_FLOAT, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + k, GL_TEXTURE_2D, target[k], 0);
	}
	glViewport(0, 0, s->size, s->size);
}

static bool read_option(struct settings *s, int option)
{
	int number = optarg ? atoi(optarg) : 0;
	switch (option) {
	case 's': s->size = number; return number >= 64;
	case 'g': s->grid = number; return number >= 1 && number <= MAX_GRID;
	case 'n': s->samples = (unsigned)number; return number >= 1 && number <= MAX_SAMPLES;
	case 'p': s->filter = GL_NEAREST; return true;
	case 'f':
		s->format = strcmp(optarg, "rgba8") == 0     ? GL_RGBA8
		            : strcmp(optarg, "rgba16f") == 0 ? GL_RGBA16F_ARB
		            : strcmp(optarg, "rgba32f") == 0 ? GL_RGBA32F_ARB
		                                             : 0;
		return s->format != 0;
	case 't':
		for (unsigned t = 0; t < TARGETS; t++) {
			if (strcmp(targets[t].name, optarg) == 0) {
				s->target = &targets[t];
				return true;
			}
		}
		return false;
	default: return false;
	}
}

int main(int argc, char **argv)
{
	struct settings s = {.size = 2048, .grid = 1, .samples = 51, 
	                     .format = GL_RGBA8, .filter = GL_LINEAR, .target = &targets[TARGET_H200]};
	struct arena arena;
	struct gl_job *job = NULL;
	bool fine = true;
	for (int option; (option = getopt(argc, argv, "s:f:g:n:t:p")) != -1;)
		fine &= read_option(&s, option);
	arena_init(&arena, NULL);
	unsigned n = fine && optind == argc - 1 ? gl_read_list(&arena, argv[optind], &job) : 0;
	if (!n) {
		fprintf(stderr, "gpu [-s SIZE] [-f rgba8|rgba16f|rgba32f] [-g GRID] [-n SAMPLES] [-t TARGET] [-p] LIST\n");
		return 2;
	}
	struct context gpu;
	const char *wrong = context_open(&arena, -1, -1, &gpu);
	s.gpu = &gpu;
	if (wrong) {
		fprintf(stderr, "no OpenGL: %s\n", wrong);
		return 2;
	}
	printf("# %s; %d x %d, %u samples\n", gpu.renderer, s.size, s.size, s.samples);
	puts("group,name,us,spread,ratio,model,predicted");
	make_targets(&s);
	for (unsigned from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && strcmp(job[to].group, job[from].group) == 0; to++)
			;
		fine &= time_group(&s, job + from, to - from);
	}
	arena_free(&arena);
	return fine ? 0 : 1;
}
