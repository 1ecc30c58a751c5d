/* Compiles and binds programs, see shader.h. */
#include "gpu/shader.h"

#include "gpu/arb.h"
#include "gpu/glsl.h"

#include <epoxy/gl.h>
#include <stdio.h>

static const struct program *program_of(const struct shader *s, enum stage stage)
{
	return stage == STAGE_PIXEL ? s->ps : s->vs;
}

static const char *driver_error(struct arena *arena, const char *log)
{
	return arena_printf(arena, "the driver cannot compile the translated program: %s", log);
}

/* ---- assembly -------------------------------------------------------------------------- */

static GLenum arb_stage(enum stage stage)
{
	return stage == STAGE_PIXEL ? GL_FRAGMENT_PROGRAM_ARB : GL_VERTEX_PROGRAM_ARB;
}

static const char *compile_arb(struct arena *arena, const struct program *p, const struct shader_options *how, unsigned *made)
{
	const char *why, *text = arb_program(arena, p, how, &why);
	if (!text)
		return arena_printf(arena, "OpenGL's assembly cannot express %s; try --language=glsl", why);
	glGenProgramsARB(1, made);
	glBindProgramARB(arb_stage(program_stage(p)), *made);
	glProgramStringARB(arb_stage(program_stage(p)), GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
	return glGetError() == GL_NO_ERROR ? NULL : driver_error(arena, (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
}

/* ---- GLSL ------------------------------------------------------------------------------ */

enum { LOG_SIZE = 1024 };

static const char *compile_glsl(struct arena *arena, const struct program *p, const struct shader_options *how, unsigned *made)
{
	const char *text = glsl_program(arena, p, how);
	*made = glCreateShader(program_stage(p) == STAGE_PIXEL ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
	glShaderSource(*made, 1, &text, NULL);
	glCompileShader(*made);
	GLint fine = 0;
	GLchar log[LOG_SIZE] = "";
	glGetShaderiv(*made, GL_COMPILE_STATUS, &fine);
	glGetShaderInfoLog(*made, sizeof log, NULL, log);
	return fine ? NULL : driver_error(arena, log);
}

/* Finds the locations of constants, and binds sampler s# to texture unit #. */
static void find_uniforms(struct shader *s)
{
	char name[16];
	glUseProgram(s->linked);
	for (unsigned k = 0; k < models[s->ps->model].samplers; k++) {
		snprintf(name, sizeof name, "s%u", k);
		glUniform1i(glGetUniformLocation(s->linked, name), (GLint)k);
	}
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned c = 0; c < SHADER_MAX_CONSTS; c++) {
			snprintf(name, sizeof name, "%s[%u]", stage == STAGE_PIXEL ? "pc" : "vc", c);
			s->constants[stage][c] = glGetUniformLocation(s->linked, name);
		}
}

static const char *link_glsl(struct arena *arena, struct shader *s)
{
	s->linked = glCreateProgram();
	glAttachShader(s->linked, s->vs_object);
	glAttachShader(s->linked, s->ps_object);
	for (unsigned a = SHADER_CORNER; a < SHADER_FIRST_INPUT + SHADER_INPUTS; a++)
		glBindAttribLocation(s->linked, a, arena_printf(arena, "a%u", a));
	glLinkProgram(s->linked);
	GLint fine = 0;
	GLchar log[LOG_SIZE] = "";
	glGetProgramiv(s->linked, GL_LINK_STATUS, &fine);
	glGetProgramInfoLog(s->linked, sizeof log, NULL, log);
	if (!fine)
		return driver_error(arena, log);
	find_uniforms(s);
	return NULL;
}

/* ---- both ------------------------------------------------------------------------------ */

unsigned shader_inputs(const struct program *vs)
{
	unsigned n = 0;
	for (uint32_t d = 0; d < vs->decls.n; d++)
		n += vs->decls.at[d].kind == DECL_VERTEX_INPUT;
	return n;
}

static void set_constant(const struct shader *s, enum stage stage, unsigned c, const float value[LANES])
{
	if (s->language == LANGUAGE_ARB)
		glProgramLocalParameter4fvARB(arb_stage(stage), c, value);
	else
		glUniform4fv(s->constants[stage][c], 1, value);
}

const char *shader_compile(struct arena *arena, const struct context *c, const struct program *vs, const struct program *ps,
                           const struct shader_options *how, struct shader *made)
{
	bool const arb = c->language == LANGUAGE_ARB;
	*made = (struct shader){.language = c->language, .vs = vs, .ps = ps};
	if (shader_inputs(vs) > SHADER_INPUTS)
		return arena_printf(arena, "the vertex program has more than the %d inputs that OpenGL leaves it", SHADER_INPUTS);
	if (program_flows(vs) || program_flows(ps))
		return "flow control cannot be translated to OpenGL";
	const char *wrong = (arb ? compile_arb : compile_glsl)(arena, vs, how, &made->vs_object);
	wrong = wrong ? wrong : (arb ? compile_arb : compile_glsl)(arena, ps, how, &made->ps_object);
	wrong = wrong || arb ? wrong : link_glsl(arena, made);
	if (wrong) {
		shader_delete(made);
		return wrong;
	}
	shader_use(made);
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct program *p = program_of(made, stage);
		for (uint32_t d = 0; d < p->decls.n; d++)
			if (p->decls.at[d].kind == DECL_DEF)
				set_constant(made, stage, (unsigned)p->decls.at[d].reg.index, p->decls.at[d].value);
	}
	return NULL;
}

/* Unbinds all GLSL programs first: OpenGL keeps a deleted one as long as it is bound, and it would override assembly programs. */
void shader_delete(struct shader *s)
{
	if (!s->vs_object)
		return;
	if (s->language == LANGUAGE_ARB) {
		glDeleteProgramsARB(1, &s->vs_object);
		glDeleteProgramsARB(1, &s->ps_object);
	} else {
		glUseProgram(0);
		glDeleteProgram(s->linked);
		glDeleteShader(s->vs_object);
		glDeleteShader(s->ps_object);
	}
	*s = (struct shader){.vs = NULL};
}

void shader_use(const struct shader *s)
{
	if (s->language == LANGUAGE_GLSL) {
		glUseProgram(s->linked);
		return;
	}
	for (unsigned stage = 0; stage < 2; stage++) {
		glEnable(arb_stage(stage));
		glBindProgramARB(arb_stage(stage), stage == STAGE_PIXEL ? s->ps_object : s->vs_object);
	}
}

void shader_release(const struct shader *s)
{
	if (s->language == LANGUAGE_GLSL)
		glUseProgram(0);
}

void shader_constants(const struct shader *s, enum stage stage, unsigned first, unsigned n, const float (*value)[LANES])
{
	for (unsigned c = first; c < first + n; c++)
		if (!program_decl(program_of(s, stage), REG_CONST, (int)c))
			set_constant(s, stage, c, value[c - first]);
}
