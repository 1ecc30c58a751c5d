/* Draws pairs in scenes and compares them, see drawn_pair.h. */
#include "gpu/drawn_pair.h"

#include <epoxy/gl.h>

/* ---- programs -------------------------------------------------------------------------- */

/* Adds the outputs that a program of the pair writes to `writes` and `colours`. */
static void note_outputs(struct drawn_pair *s, const struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (!instr_writes(i))
			continue;
		if (i->dst.file == REG_PIXEL_OUT && (unsigned)i->dst.index >= s->colours)
			s->colours = (unsigned)i->dst.index + 1;
		s->writes[SCENE_DEPTH] |= i->dst.file == REG_DEPTH_OUT;
		s->writes[SCENE_FOG] |= i->dst.file == REG_FOG_OUT;
		s->writes[SCENE_POINT_SIZE] |= i->dst.file == REG_SIZE_OUT;
	}
}

const char *drawn_pair_make(struct drawn_pair *s, const struct program *vs, const struct program *ps, const struct needs *needs)
{
	*s = (struct drawn_pair){.vs = vs, .ps = ps, .needs = needs, .flat = true};
	for (uint32_t k = 0; k < ps->decls.n; k++)
		s->flat &= ps->decls.at[k].kind != DECL_PIXEL_INPUT;
	for (uint32_t k = 0; k < vs->instrs.n; k++)
		if (instr_samples(&vs->instrs.at[k]))
			return "its vertex program reads textures, but only pixel programs have textures here";
	note_outputs(s, vs);
	note_outputs(s, ps);
	for (uint32_t k = 0; k < needs->folds.n; k++)
		if (needs->folds.at[k].preset)
			return "it needs constants that its application computes";
	return s->colours && s->colours <= PAIR_COLOURS ? NULL : "no oC# is written";
}

/* Returns a copy of the program whose defs are changed as scene->shift says. */
static const struct program *shifted_copy(struct arena *a, const struct program *p, const struct scene *scene)
{
	struct program *copy = arena_alloc(a, sizeof *copy);
	*copy = *p;
	copy->decls.at = arena_alloc(a, (p->decls.n + 1) * sizeof *copy->decls.at);
	for (uint32_t d = 0; d < p->decls.n; d++) {
		struct decl *to = &copy->decls.at[d];
		*to = p->decls.at[d];
		for (unsigned l = 0; to->kind == DECL_DEF && l < LANES; l++)
			to->value[l] = scene_shifted(scene, 0x3000 + (uint32_t)program_stage(p), (uint32_t)to->reg.index, l, to->value[l]);
	}
	return copy;
}

const char *drawn_pair_compile(struct arena *a, const struct context *gpu, const struct drawn_pair *s, const struct shader_options *how,
                            const struct scene *scene, struct shader *made)
{
	return shader_compile(a, gpu, shifted_copy(a, s->vs, scene), shifted_copy(a, s->ps, scene), how, made);
}

void drawn_pair_use(const struct shader *made, const struct drawn_pair *s, const struct scene *scene)
{
	float c[2][SCENE_MAX_CONSTS][LANES];
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned reg = 0; reg < SCENE_MAX_CONSTS; reg++)
			for (unsigned l = 0; l < LANES; l++)
				c[stage][reg][l] = scene_constant(scene, stage, reg, l);
	for (uint32_t k = 0; k < s->needs->consts.n; k++)
		memcpy(c[0][s->needs->consts.at[k].vs], c[1][s->needs->consts.at[k].ps], sizeof c[0][0]);
	shader_use(made);
	for (unsigned stage = 0; stage < 2; stage++)
		shader_constants(made, (enum stage)stage, 0, models[(stage ? s->ps : s->vs)->model].consts, (const float (*)[LANES])c[stage]);
}

/* ---- textures -------------------------------------------------------------------------- */

static GLenum target_of(unsigned kind)
{
	return kind == TEXTURE_CUBE ? GL_TEXTURE_CUBE_MAP : kind == TEXTURE_VOLUME ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

/* Makes layers `from` to `to` - 1 (faces of a cube, or slices of a volume) of a texture of `edge` texels a side.  Each of the scene's `of`
 * x `of` texels fills a square of it, so that dependent reads of neighbouring pixels are close to each other, too. */
static float *make_layers(struct arena *a, const struct scene *scene, unsigned sampler, int edge, int of, int from, int to)
{
	float *made = arena_alloc(a, (size_t)(to - from) * (size_t)edge * (size_t)edge * LANES * sizeof *made), *at = made;
	int const texel = edge / of;
	for (int z = from; z < to; z++)
		for (int y = 0; y < edge; y++)
			for (int x = 0; x < edge; x++)
				for (unsigned l = 0; l < LANES; l++)
					*at++ = scene_texel(scene, sampler, (unsigned)(x / texel), (unsigned)(y / texel), (unsigned)z, l);
	return made;
}

static void fill_texture(struct arena *a, unsigned kind, const struct scene *scene, unsigned s,
                         const struct texture_sizes *size, GLint inside)
{
	GLenum const target = target_of(kind);
	if (kind == TEXTURE_VOLUME) {
		glTexImage3D(target, 0, inside, size->volume, size->volume, SCENE_VOXELS, 0, GL_RGBA, GL_FLOAT,
		             make_layers(a, scene, s, size->volume, SCENE_VOXELS, 0, SCENE_VOXELS));
		return;
	}
	int const edge = kind == TEXTURE_CUBE ? size->cube : size->square;
	for (int face = 0; face < (kind == TEXTURE_CUBE ? 6 : 1); face++)
		glTexImage2D(kind == TEXTURE_CUBE ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face : target, 0, inside, edge, edge, 0, GL_RGBA, GL_FLOAT,
		             make_layers(a, scene, s, edge, SCENE_TEXELS, face, face + 1));
}

void drawn_pair_textures(struct arena *a, const uint8_t kinds[PAIR_SAMPLERS], const struct scene *scene, const struct texture_sizes *size,
                      enum image_format format, unsigned made[PAIR_SAMPLERS])
{
	memset(made, 0, PAIR_SAMPLERS * sizeof *made);
	for (unsigned s = 0; s < PAIR_SAMPLERS; s++) {
		GLenum const target = target_of(kinds[s]);
		GLint const wrap = kinds[s] == TEXTURE_CUBE ? GL_CLAMP_TO_EDGE : GL_REPEAT;
		struct arena_mark const mark = arena_mark(a);
		if (!kinds[s])
			continue;
		glActiveTexture(GL_TEXTURE0 + s);
		glGenTextures(1, &made[s]);
		glBindTexture(target, made[s]);
		glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
		glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
		glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
		glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
		fill_texture(a, kinds[s], scene, s, size, (GLint)image_internal_format(format));
		arena_release(a, mark);
	}
}

void drawn_pair_filter(const unsigned made[PAIR_SAMPLERS], const uint8_t kinds[PAIR_SAMPLERS], bool linear)
{
	for (unsigned s = 0; s < PAIR_SAMPLERS; s++) {
		if (!made[s])
			continue;
		glActiveTexture(GL_TEXTURE0 + s);
		glTexParameteri(target_of(kinds[s]), GL_TEXTURE_MIN_FILTER, linear ? GL_LINEAR : GL_NEAREST);
		glTexParameteri(target_of(kinds[s]), GL_TEXTURE_MAG_FILTER, linear ? GL_LINEAR : GL_NEAREST);
	}
}

void drawn_pair_textures_delete(unsigned made[PAIR_SAMPLERS])
{
	glDeleteTextures(PAIR_SAMPLERS, made);
	memset(made, 0, PAIR_SAMPLERS * sizeof *made);
}

/* ---- triangles ------------------------------------------------------------------------- */

const char *canvas_make(struct canvas *c)
{
	const char *wrong = NULL;
	memset(c, 0, sizeof *c);
	for (unsigned k = 0; k < PAIR_COLOURS && !wrong; k++)
		wrong = image_make(&c->target[k], SCENE_SIZE, SCENE_SIZE, IMAGE_RGBA32F, IMAGE_CLAMP);
	glClampColorARB(GL_CLAMP_FRAGMENT_COLOR_ARB, GL_FALSE);
	if (wrong)
		canvas_delete(c);
	return wrong;
}

void canvas_delete(struct canvas *c)
{
	for (unsigned k = 0; k < PAIR_COLOURS; k++)
		if (c->target[k].width)
			image_delete(&c->target[k]);
}

static void draw_triangles(const struct program *vs, const struct scene *scene)
{
	glBegin(GL_TRIANGLES);
	for (unsigned k = 0; k < SCENE_TRIANGLES * 3; k++) {
		unsigned vertex = scene_corner(k / 3, k % 3), attribute = SHADER_FIRST_INPUT;
		for (uint32_t n = 0; n < vs->decls.n; n++) {
			const struct decl *d = &vs->decls.at[n];
			GLfloat v[LANES];
			for (unsigned l = 0; l < LANES; l++)
				v[l] = scene_attribute(scene, d->usage, d->usage_index, vertex, l);
			if (d->kind == DECL_VERTEX_INPUT)
				glVertexAttrib4fv(attribute++, v);
		}
		glVertexAttrib4f(SHADER_CORNER, 0, 0, 0, 1); /* ends the vertex */
	}
	glEnd();
}

/* Draws the colours, or another output as if it were a colour, and reads the images to pixels[0] and on. */
static const char *draw_output(struct arena *a, const struct context *gpu, const struct canvas *c, const struct drawn_pair *s,
                             const struct scene *scene, enum scene_target what, scene_image *pixels)
{
	struct shader shader;
	struct shader_options const how = {.show = (enum shown)what, .position = POSITION_D3D, .width = SCENE_SIZE, .height = SCENE_SIZE};
	const char *wrong = drawn_pair_compile(a, gpu, s, &how, scene, &shader);
	if (wrong)
		return wrong;
	unsigned const targets = what == SCENE_COLOUR ? s->colours : 1;
	const struct image *const target[PAIR_COLOURS] = {&c->target[0], &c->target[1], &c->target[2], &c->target[3]};
	drawn_pair_use(&shader, s, scene);
	image_bind_targets(target, targets);
	glClearColor(SCENE_CLEARED, SCENE_CLEARED, SCENE_CLEARED, SCENE_CLEARED);
	glClear(GL_COLOR_BUFFER_BIT);
	draw_triangles(s->vs, scene);
	image_release_targets(targets);
	for (unsigned t = 0; t < targets; t++)
		image_read(&c->target[t], image_whole(&c->target[t]), &pixels[t][0][0]);
	shader_delete(&shader);
	return context_error();
}

const char *canvas_draw(struct arena *a, const struct context *gpu, const struct canvas *c, const struct drawn_pair *s,
                        const struct scene *scene, scene_image pixels[SCENE_TARGETS])
{
	struct arena_mark const mark = arena_mark(a);
	const char *wrong = draw_output(a, gpu, c, s, scene, SCENE_COLOUR, pixels);
	for (enum scene_target t = SCENE_DEPTH; !wrong && t < SCENE_TARGETS; t++)
		if (s->writes[t])
			wrong = draw_output(a, gpu, c, s, scene, t, pixels + t);
	if (!wrong)
		arena_release(a, mark);
	return wrong;
}

/* Tries variants in steps of 17, so that the ways to make constants alternate. */
const char *canvas_choose(struct arena *a, const struct context *gpu, const struct canvas *c, const struct drawn_pair *s, struct scene *scene,
                          const struct texture_sizes *size, bool *shows)
{
	scene_image *pixels = arena_alloc(a, SCENE_TARGETS * sizeof *pixels);
	const char *wrong = NULL;
	*shows = false;
	for (unsigned k = 0; k < SCENE_VARIANTS && !*shows && !wrong; k++) {
		unsigned texture[PAIR_SAMPLERS];
		scene->variant = 17 * k % SCENE_VARIANTS;
		drawn_pair_textures(a, s->ps->samplers, scene, size, IMAGE_RGBA32F, texture);
		drawn_pair_filter(texture, s->ps->samplers, true);
		wrong = canvas_draw(a, gpu, c, s, scene, pixels);
		*shows = !wrong && image_shows((const float (*)[4])pixels[0], s->flat);
		drawn_pair_textures_delete(texture);
	}
	scene->variant = *shows ? scene->variant : 0;
	return wrong;
}

/* ---- comparing ------------------------------------------------------------------------- */

enum { SHIFTS = 4 };
static const struct texture_sizes scene_sizes = {SCENE_TEXELS, SCENE_TEXELS, SCENE_VOXELS};

static bool writes_target(const struct drawn_pair *s, unsigned target)
{
	return target < SCENE_DEPTH ? target < s->colours : s->writes[target];
}

/* The images of both pairs, and of the first pair with shifted inputs; images of outputs that are not written are zeros. */
struct drawings {
	scene_image before[SCENE_TARGETS], after[SCENE_TARGETS], shifted[SCENE_TARGETS];
	scene_image own[SCENE_TARGETS]; /* how much the shifts change each pixel, see gain_add */
	scene_image gain;               /* the same for a pixel and its neighbours, see gain_spread */
};

static const char *draw_all(struct arena *a, const struct context *gpu, const struct canvas *c, const struct drawn_pair *before,
                            const struct drawn_pair *after, struct scene scene, struct drawings *d)
{
	memset(d, 0, sizeof *d);
	const char *wrong = canvas_draw(a, gpu, c, before, &scene, d->before);
	wrong = wrong ? wrong : canvas_draw(a, gpu, c, after, &scene, d->after);
	for (scene.shift = 1; scene.shift <= SHIFTS && !wrong; scene.shift++) {
		wrong = canvas_draw(a, gpu, c, before, &scene, d->shifted);
		for (unsigned t = 0; t < SCENE_TARGETS && !wrong; t++)
			if (writes_target(before, t))
				gain_add((const float (*)[4])d->before[t], (const float (*)[4])d->shifted[t], d->own[t]);
	}
	return wrong;
}

static void compare_all(const struct drawn_pair *before, const struct drawn_pair *after, bool steps, struct drawings *d, struct comparison *found)
{
	for (unsigned t = 0; t < SCENE_TARGETS; t++) {
		if (!writes_target(before, t) && !writes_target(after, t))
			continue;
		gain_spread((const float (*)[4])d->own[t], d->gain);
		difference_add((const float (*)[4])d->before[t], (const float (*)[4])d->after[t], (const float (*)[4])d->gain, steps, &found->of[t]);
	}
}

static const char *compare_scene(struct arena *a, const struct context *gpu, const struct canvas *c, const struct drawn_pair *before,
                                 const struct drawn_pair *after, const struct scene *scene, struct comparison *found)
{
	struct drawings *d = arena_alloc(a, sizeof *d);
	unsigned texture[PAIR_SAMPLERS];
	uint8_t kinds[PAIR_SAMPLERS];
	const char *wrong = NULL;
	for (unsigned s = 0; s < PAIR_SAMPLERS; s++)
		kinds[s] = before->ps->samplers[s] ? before->ps->samplers[s] : after->ps->samplers[s];
	drawn_pair_textures(a, kinds, scene, &scene_sizes, IMAGE_RGBA32F, texture);
	for (unsigned linear = 0; linear < 2 && !wrong; linear++) {
		drawn_pair_filter(texture, kinds, linear);
		wrong = draw_all(a, gpu, c, before, after, *scene, d);
		if (!wrong)
			compare_all(before, after, !linear || !gpu->software, d, found);
	}
	drawn_pair_textures_delete(texture);
	return wrong;
}

const char *drawn_pair_compare(struct arena *a, const struct context *gpu, const struct drawn_pair *before,
                            const struct drawn_pair *after, uint32_t seed, struct comparison *found)
{
	struct scene scene = {.seed = seed};
	struct canvas c;
	*found = (struct comparison){0};
	const char *wrong = canvas_make(&c);
	if (wrong)
		return wrong;
	wrong = canvas_choose(a, gpu, &c, before, &scene, &scene_sizes, &found->shows);
	wrong = wrong ? wrong : compare_scene(a, gpu, &c, before, after, &scene, found);
	for (unsigned t = 0; t < SCENE_TARGETS; t++) {
		found->beyond += found->of[t].beyond;
		found->largest = fmax(found->largest, (double)found->of[t].farthest);
	}
	canvas_delete(&c);
	return wrong;
}
