/* Pairs, constants and textures, see gl.h. */
#include "gl.h"

#include "lang/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- input ----------------------------------------------------------------------------- */

static char *slurp(struct arena *arena, const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *text = arena_alloc(arena, 1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

unsigned gl_read_list(struct arena *arena, const char *path, struct gl_job **jobs)
{
	char *text = slurp(arena, path), *rest = NULL;
	unsigned lines = 0, n = 0;
	for (const char *c = text; c && *c; c++)
		lines += *c == '\n';
	*jobs = arena_zero(arena, (lines + 1) * sizeof **jobs);
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		char *field[5] = {line};
		for (unsigned k = 1; k < 5; k++) {
			field[k] = strchr(field[k - 1], '\t');
			if (!field[k])
				return 0;
			*field[k]++ = '\0';
		}
		(*jobs)[n++] = (struct gl_job){field[0], field[1], field[2], field[3], field[4]};
	}
	return n;
}

static const struct program *parse(struct arena *arena, const char *path, enum stage stage)
{
	struct source *source = arena_zero(arena, sizeof *source);
	const char *text = slurp(arena, path);
	if (!text)
		return NULL;
	*source = (struct source){.name = path, .text = text, .size = strlen(text)};
	struct diags diags;
	diag_init(&diags, arena);
	struct program_list list = parse_programs(arena, source, &diags);
	return list.n == 1 && !diags.errors && program_stage(list.at[0]) == stage ? list.at[0] : NULL;
}

const char *gl_read_pair(struct arena *arena, const struct gl_job *job, struct gl_pair *pair)
{
	*pair = (struct gl_pair){parse(arena, job->vp, STAGE_VERTEX), parse(arena, job->fp, STAGE_PIXEL), job->constants,
	                         .flat = true};
	if (!pair->vs || !pair->ps)
		return "the pair cannot be read";
	for (uint32_t k = 0; k < pair->ps->decls.n; k++)
		pair->flat &= pair->ps->decls.at[k].kind != DECL_PIXEL_INPUT;
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct program *p = stage ? pair->ps : pair->vs;
		for (uint32_t k = 0; k < p->instrs.n; k++) {
			const struct instr *i = &p->instrs.at[k];
			if (!instr_writes(i))
				continue;
			if (i->dst.file == REG_PIXEL_OUT && (unsigned)i->dst.index >= pair->colours)
				pair->colours = (unsigned)i->dst.index + 1;
			pair->writes[SCENE_DEPTH] |= i->dst.file == REG_DEPTH_OUT;
			pair->writes[SCENE_FOG] |= i->dst.file == REG_FOG_OUT;
			pair->writes[SCENE_POINT_SIZE] |= i->dst.file == REG_SIZE_OUT;
		}
	}
	return pair->colours && pair->colours <= GL_COLOURS ? NULL : "no oC# is written";
}

/* ---- programs -------------------------------------------------------------------------- */

/* A copy whose defs are shifted. */
static const struct program *shifted(struct arena *arena, const struct program *p, const struct scene *scene)
{
	struct program *copy = arena_alloc(arena, sizeof *copy);
	*copy = *p;
	copy->decls.at = arena_alloc(arena, (p->decls.n + 1) * sizeof *copy->decls.at);
	for (uint32_t d = 0; d < p->decls.n; d++) {
		struct decl *to = &copy->decls.at[d];
		*to = p->decls.at[d];
		for (unsigned l = 0; to->kind == DECL_DEF && l < LANES; l++)
			to->value[l] = scene_shifted(scene, 0x3000 + (uint32_t)program_stage(p), (uint32_t)to->reg.index, l, to->value[l]);
	}
	return copy;
}

const char *gl_compile(struct arena *arena, const struct context *gpu, const struct gl_pair *pair, const struct shader_options *how,
                       const struct scene *scene, struct shader *made)
{
	return shader_compile(arena, gpu, shifted(arena, pair->vs, scene), shifted(arena, pair->ps, scene), how, made);
}

void gl_use(const struct shader *made, const struct gl_pair *pair, const struct scene *scene)
{
	float c[2][SCENE_MAX_CONSTS][LANES];
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned reg = 0; reg < SCENE_MAX_CONSTS; reg++)
			for (unsigned l = 0; l < LANES; l++)
				c[stage][reg][l] = scene_constant(scene, stage, reg, l);
	unsigned v, f;
	int n;
	for (const char *at = pair->constants; sscanf(at, "v%u=p%u%n", &v, &f, &n) == 2; at += n + (at[n] == ','))
		if (v < SCENE_MAX_CONSTS && f < SCENE_MAX_CONSTS)
			memcpy(c[0][v], c[1][f], sizeof c[0][v]);
	shader_use(made);
	for (unsigned stage = 0; stage < 2; stage++)
		shader_constants(made, (enum stage)stage, 0, models[(stage ? pair->ps : pair->vs)->model].consts, (const float (*)[LANES])c[stage]);
}

/* ---- textures -------------------------------------------------------------------------- */

static GLenum target_of(unsigned kind)
{
	return kind == TEXTURE_CUBE ? GL_TEXTURE_CUBE_MAP : kind == TEXTURE_VOLUME ? GL_TEXTURE_3D : GL_TEXTURE_2D;
}

/* Each texel of the scene fills a square, so that reads at addresses that were read are near to each other, too. */
static float *texels(const struct scene *scene, unsigned sampler, int edge, int of, int from, int to)
{
	float *made = malloc((size_t)(to - from) * (size_t)edge * (size_t)edge * 4 * sizeof *made), *at = made;
	int texel = edge / of;
	for (int z = from; made && z < to; z++)
		for (int y = 0; y < edge; y++)
			for (int x = 0; x < edge; x++)
				for (unsigned l = 0; l < LANES; l++)
					*at++ = scene_texel(scene, sampler, (unsigned)(x / texel), (unsigned)(y / texel), (unsigned)z, l);
	if (!made)
		abort();
	return made;
}

void gl_textures(const uint8_t kinds[GL_SAMPLERS], const struct scene *scene, const struct gl_sizes *size, GLenum format,
                 GLuint made[GL_SAMPLERS])
{
	GLint inside = (GLint)format;
	memset(made, 0, GL_SAMPLERS * sizeof *made);
	for (unsigned s = 0; s < GL_SAMPLERS; s++) {
		if (!kinds[s])
			continue;
		GLenum target = target_of(kinds[s]);
		glActiveTexture(GL_TEXTURE0 + s);
		glGenTextures(1, &made[s]);
		glBindTexture(target, made[s]);
		glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
		GLint wrap = target == GL_TEXTURE_CUBE_MAP ? GL_CLAMP_TO_EDGE : GL_REPEAT;
		glTexParameteri(target, GL_TEXTURE_WRAP_S, wrap);
		glTexParameteri(target, GL_TEXTURE_WRAP_T, wrap);
		glTexParameteri(target, GL_TEXTURE_WRAP_R, wrap);
		if (target == GL_TEXTURE_3D) {
			float *data = texels(scene, s, size->volume, SCENE_VOXELS, 0, SCENE_VOXELS);
			glTexImage3D(target, 0, inside, size->volume, size->volume, SCENE_VOXELS, 0, GL_RGBA, GL_FLOAT, data);
			free(data);
			continue;
		}
		int edge = target == GL_TEXTURE_2D ? size->square : size->cube;
		for (int face = 0; face < (target == GL_TEXTURE_2D ? 1 : 6); face++) {
			float *data = texels(scene, s, edge, SCENE_TEXELS, face, face + 1);
			glTexImage2D(target == GL_TEXTURE_2D ? target : GL_TEXTURE_CUBE_MAP_POSITIVE_X + (GLenum)face, 0, inside, edge,
			             edge, 0, GL_RGBA, GL_FLOAT, data);
			free(data);
		}
	}
}

void gl_filter(const GLuint made[GL_SAMPLERS], const uint8_t kinds[GL_SAMPLERS], GLint filter)
{
	for (unsigned s = 0; s < GL_SAMPLERS; s++) {
		if (!made[s])
			continue;
		glActiveTexture(GL_TEXTURE0 + s);
		glTexParameteri(target_of(kinds[s]), GL_TEXTURE_MIN_FILTER, filter);
		glTexParameteri(target_of(kinds[s]), GL_TEXTURE_MAG_FILTER, filter);
	}
}
