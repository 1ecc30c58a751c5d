/* draw: draws pairs of programs with OpenGL and writes the pixels down as tests/wine/render.c does,
 * for tests/render/compare.c and interpret.c to judge.
 *
 *     draw LIST INDEX PIXELS
 *
 * The lines of a group in LIST stand together; its first decides which scenes are drawn and is also
 * drawn with its inputs shifted, to see how much a rounding error matters.  A line with `glsl` in the
 * name of its group, or in its own, is drawn by way of GLSL, any other by way of assembly programs. */
#include "gl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOOD_SCENES = 1, SHIFTS = 4, PIXELS = SCENE_SIZE * SCENE_SIZE };

static const struct gl_sizes sizes = {SCENE_TEXELS, SCENE_TEXELS, SCENE_VOXELS};

typedef float image[PIXELS][4];

struct output {
	FILE *index, *pixels;
	unsigned images;
	struct context gpu;
	GLuint frame, target[GL_COLOURS];
};

static void make_targets(struct output *out)
{
	glGenFramebuffers(1, &out->frame);
	glBindFramebuffer(GL_FRAMEBUFFER, out->frame);
	glGenTextures(GL_COLOURS, out->target);
	for (unsigned k = 0; k < GL_COLOURS; k++) {
		glBindTexture(GL_TEXTURE_2D, out->target[k]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, SCENE_SIZE, SCENE_SIZE, 0, GL_RGBA, GL_FLOAT, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
		glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + k, GL_TEXTURE_2D, out->target[k], 0);
	}
	glViewport(0, 0, SCENE_SIZE, SCENE_SIZE);
	glClampColorARB(GL_CLAMP_FRAGMENT_COLOR_ARB, GL_FALSE);
}

static enum language language_of(const struct gl_job *job)
{
	return strstr(job->group, "glsl") || strstr(job->name, "glsl") ? LANGUAGE_GLSL : LANGUAGE_ARB;
}

/* One draw, of the colours or of another output as if it were one; images are left from out[0] on. */
static const char *draw_once(struct arena *arena, const struct output *out, const struct gl_pair *pair,
                             const struct scene *scene, enum scene_target what, image *pixels)
{
	struct shader programs;
	struct shader_options how = {(enum shown)what, POSITION_D3D, SCENE_SIZE, SCENE_SIZE};
	const char *wrong = gl_compile(arena, &out->gpu, pair, &how, scene, &programs);
	if (wrong)
		return wrong;
	gl_use(&programs, pair, scene);
	unsigned targets = what == SCENE_COLOUR ? pair->colours : 1;
	glBindFramebuffer(GL_FRAMEBUFFER, out->frame);
	GLenum const buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2, GL_COLOR_ATTACHMENT3};
	glDrawBuffers((GLsizei)targets, buffers);
	glClearColor(SCENE_CLEARED, SCENE_CLEARED, SCENE_CLEARED, SCENE_CLEARED);
	glClear(GL_COLOR_BUFFER_BIT);
	glBegin(GL_TRIANGLES);
	for (unsigned k = 0; k < SCENE_TRIANGLES * 3; k++) {
		unsigned vertex = scene_corner(k / 3, k % 3), attribute = SHADER_FIRST_INPUT;
		for (uint32_t n = 0; n < pair->vs->decls.n; n++) {
			const struct decl *d = &pair->vs->decls.at[n];
			GLfloat v[LANES];
			for (unsigned l = 0; l < LANES; l++)
				v[l] = scene_attribute(scene, d->usage, d->usage_index, vertex, l);
			if (d->kind == DECL_VERTEX_INPUT)
				glVertexAttrib4fvARB(attribute++, v);
		}
		glVertexAttrib4fARB(SHADER_CORNER, 0, 0, 0, 1); /* ends the vertex */
	}
	glEnd();
	for (unsigned t = 0; t < targets; t++) {
		glReadBuffer(GL_COLOR_ATTACHMENT0 + t);
		glReadPixels(0, 0, SCENE_SIZE, SCENE_SIZE, GL_RGBA, GL_FLOAT, pixels[t]);
	}
	shader_delete(&programs);
	return glGetError() == GL_NO_ERROR ? NULL : "an OpenGL error";
}

/* All that the pair writes, each to the image of its target. */
static const char *draw(struct arena *arena, const struct output *out, const struct gl_pair *pair,
                        const struct scene *scene, image pixels[SCENE_TARGETS])
{
	const char *wrong = draw_once(arena, out, pair, scene, SCENE_COLOUR, pixels);
	for (enum scene_target t = SCENE_DEPTH; !wrong && t < SCENE_TARGETS; t++)
		if (pair->writes[t])
			wrong = draw_once(arena, out, pair, scene, t, pixels + t);
	return wrong;
}

/* Does the scene show something: pixels drawn, numbers finite, and not all the same? */
static bool shows_something(image pixels, bool flat)
{
	unsigned drawn = 0, finite = 0;
	float low[4] = {0}, high[4] = {0};
	for (unsigned i = 0; i < PIXELS; i++) {
		const float *p = pixels[i];
		drawn += p[0] != SCENE_CLEARED || p[1] != SCENE_CLEARED;
		if (p[0] == SCENE_CLEARED || !isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !isfinite(p[3]))
			continue;
		for (unsigned l = 0; l < LANES; l++) {
			low[l] = finite ? fminf(low[l], p[l]) : p[l];
			high[l] = finite ? fmaxf(high[l], p[l]) : p[l];
		}
		finite++;
	}
	bool varied = flat;
	for (unsigned l = 0; l < LANES; l++)
		varied |= high[l] - low[l] > 1e-2f * fmaxf(fabsf(high[l]), fabsf(low[l]));
	return drawn > PIXELS / 4 && finite > drawn / 10 * 9 && varied;
}

/* The scene with both filters, if there are textures, with one shift. */
static const char *draw_filters(struct arena *arena, struct output *out, const struct gl_job *job,
                                const struct gl_pair *pair, const struct scene *scene, const GLuint texture[GL_SAMPLERS])
{
	static image pixels[SCENE_TARGETS + 1];
	bool textured = false;
	out->gpu.language = language_of(job);
	for (unsigned s = 0; s < GL_SAMPLERS; s++)
		textured |= texture[s] != 0;
	for (enum scene_filter filter = SCENE_POINT; filter <= (textured ? SCENE_LINEAR : SCENE_POINT); filter++) {
		gl_filter(texture, pair->ps->samplers, filter == SCENE_POINT ? GL_NEAREST : GL_LINEAR);
		const char *wrong = draw(arena, out, pair, scene, pixels);
		for (unsigned t = 0; !wrong && t < SCENE_TARGETS; t++) {
			if (t < SCENE_DEPTH ? t >= pair->colours : !pair->writes[t])
				continue;
			fprintf(out->index, "image\t%s\t%s\t%u\t%s\t%u\t%u\t%u\n", job->group, job->name, scene->variant,
			        filter == SCENE_POINT ? "point" : "linear", scene->shift, t, out->images++);
			if (fwrite(pixels[t], sizeof *pixels, 1, out->pixels) != 1)
				wrong = "writing";
		}
		if (wrong)
			return wrong;
	}
	return NULL;
}

static void draw_scene(struct arena *arena, struct output *out, const struct gl_job *job, const struct gl_pair *pair,
                       unsigned n, struct scene scene)
{
	GLuint texture[GL_SAMPLERS];
	gl_textures(pair[0].ps->samplers, &scene, &sizes, GL_RGBA32F, texture);
	for (unsigned k = 0; k < n + SHIFTS; k++) {
		unsigned which = k < n ? k : 0;
		scene.shift = k < n ? 0 : k - n + 1;
		const char *wrong = pair[which].vs && pair[which].ps ? draw_filters(arena, out, &job[which], &pair[which], &scene, texture)
		                                                     : "the pair cannot be read";
		if (wrong)
			fprintf(out->index, "fail\t%s\t%s\t%.*s\n", job[which].group, job[which].name, (int)strcspn(wrong, "\n"), wrong);
	}
	glDeleteTextures(GL_SAMPLERS, texture);
}

static void draw_group(struct output *out, const struct gl_job *job, unsigned n)
{
	static image pixels[SCENE_TARGETS + 1];
	struct arena arena;
	arena_init(&arena, NULL);
	struct gl_pair *pair = arena_zero(&arena, n * sizeof *pair);
	const char *wrong = NULL;
	for (unsigned k = 0; k < n; k++) {
		const char *unread = gl_read_pair(&arena, &job[k], &pair[k]);
		wrong = wrong ? wrong : unread;
	}
	out->gpu.language = language_of(job);
	if (pair[0].flat)
		fprintf(out->index, "flat\t%s\n", job->group);
	struct scene scene = {.seed = 1};
	for (const char *c = job->group; *c; c++)
		scene.seed = scene_hash(scene.seed, (unsigned char)*c);
	unsigned good[GOOD_SCENES] = {0}, found = 0;
	/* Steps of 17: each way to make constants in turn. */
	for (unsigned k = 0; !wrong && k < SCENE_VARIANTS && found < GOOD_SCENES; k++) {
		GLuint texture[GL_SAMPLERS];
		scene.variant = 17 * k % SCENE_VARIANTS;
		gl_textures(pair[0].ps->samplers, &scene, &sizes, GL_RGBA32F, texture);
		gl_filter(texture, pair[0].ps->samplers, GL_LINEAR);
		wrong = draw(&arena, out, &pair[0], &scene, pixels);
		if (!wrong && shows_something(pixels[0], pair[0].flat))
			good[found++] = scene.variant;
		glDeleteTextures(GL_SAMPLERS, texture);
	}
	if (wrong)
		fprintf(out->index, "fail\t%s\t%s\t%.*s\n", job->group, job->name, (int)strcspn(wrong, "\n"), wrong);
	for (unsigned k = 0; !wrong && (k < found || k == 0); k++) {
		scene.variant = good[k];
		draw_scene(&arena, out, job, pair, n, scene);
	}
	arena_free(&arena);
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct gl_job *job = NULL;
	struct output out = {0};
	arena_init(&arena, NULL);
	unsigned n = argc == 4 ? gl_read_list(&arena, argv[1], &job) : 0;
	if (!n || !(out.index = fopen(argv[2], "wb")) || !(out.pixels = fopen(argv[3], "wb"))) {
		fprintf(stderr, "draw LIST INDEX PIXELS\n");
		return 2;
	}
	const char *wrong = context_open(&arena, -1, LANGUAGE_ARB, &out.gpu);
	if (wrong) {
		fprintf(stderr, "no OpenGL: %s\n", wrong);
		return 2;
	}
	printf("# %s\n", out.gpu.renderer);
	make_targets(&out);
	for (unsigned from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && strcmp(job[to].group, job[from].group) == 0; to++)
			;
		draw_group(&out, job + from, to - from);
	}
	arena_free(&arena);
	if (fclose(out.pixels) != 0)
		return 2;
	fprintf(out.index, "summary\t%u\t%u\n", n, out.images);
	return fclose(out.index) == 0 ? 0 : 2;
}
