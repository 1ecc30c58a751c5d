/* draw: draws pairs of programs with OpenGL and writes the pixels in the format of src/d3d9/images.c, for tests/render/compare.c and
 * interpret.c to judge.  usage: draw LIST INDEX PIXELS.  The lines of a group in LIST stand together; its first line decides which
 * scenes are drawn and is also drawn with its inputs shifted, to see how much a rounding error matters.  A line with `glsl` in its
 * name or the name of its group is drawn by GLSL, any other by assembly programs. */
#include "gl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHIFTS = 4 };

static const struct texture_sizes sizes = {SCENE_TEXELS, SCENE_TEXELS, SCENE_VOXELS};

struct output {
	FILE *index, *pixels;
	unsigned images;
	struct context gpu;
	struct canvas canvas;
};

static enum language language_of(const struct gl_job *job)
{
	return strstr(job->group, "glsl") || strstr(job->name, "glsl") ? LANGUAGE_GLSL : LANGUAGE_ARB;
}

/* Draws the scene with one shift, and with both filters if there are textures. */
static const char *draw_filters(struct arena *arena, struct output *out, const struct gl_job *job,
                                const struct drawn_pair *pair, const struct scene *scene, const unsigned texture[PAIR_SAMPLERS])
{
	static scene_image pixels[SCENE_TARGETS];
	bool textured = false;
	out->gpu.language = language_of(job);
	for (unsigned s = 0; s < PAIR_SAMPLERS; s++)
		textured |= texture[s] != 0;
	for (enum scene_filter filter = SCENE_POINT; filter <= (textured ? SCENE_LINEAR : SCENE_POINT); filter++) {
		drawn_pair_filter(texture, pair->ps->samplers, filter == SCENE_LINEAR);
		const char *wrong = canvas_draw(arena, &out->gpu, &out->canvas, pair, scene, pixels);
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

static void draw_scene(struct arena *arena, struct output *out, const struct gl_job *job, const struct drawn_pair *pair,
                       unsigned n, struct scene scene)
{
	unsigned texture[PAIR_SAMPLERS];
	drawn_pair_textures(arena, pair[0].ps->samplers, &scene, &sizes, IMAGE_RGBA32F, texture);
	for (unsigned k = 0; k < n + SHIFTS; k++) {
		unsigned which = k < n ? k : 0;
		scene.shift = k < n ? 0 : k - n + 1;
		const char *wrong = pair[which].vs && pair[which].ps ? draw_filters(arena, out, &job[which], &pair[which], &scene, texture)
		                                                     : "the pair cannot be read";
		if (wrong)
			fprintf(out->index, "fail\t%s\t%s\t%.*s\n", job[which].group, job[which].name, (int)strcspn(wrong, "\n"), wrong);
	}
	drawn_pair_textures_delete(texture);
}

static void draw_group(struct output *out, const struct gl_job *job, unsigned n)
{
	struct arena arena;
	arena_init(&arena, NULL);
	struct drawn_pair *pair = arena_zero(&arena, n * sizeof *pair);
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
	bool shows;
	wrong = wrong ? wrong : canvas_choose(&arena, &out->gpu, &out->canvas, &pair[0], &scene, &sizes, &shows);
	if (wrong)
		fprintf(out->index, "fail\t%s\t%s\t%.*s\n", job->group, job->name, (int)strcspn(wrong, "\n"), wrong);
	else
		draw_scene(&arena, out, job, pair, n, scene);
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
	if ((wrong = canvas_make(&out.canvas))) {
		fprintf(stderr, "%s\n", wrong);
		return 2;
	}
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
