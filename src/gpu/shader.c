/* Compiling and binding, see shader.h. */
#include "gpu/shader.h"

#include "gpu/arb.h"

#include <epoxy/gl.h>

static GLenum arb_stage(enum stage stage)
{
	return stage == STAGE_PIXEL ? GL_FRAGMENT_PROGRAM_ARB : GL_VERTEX_PROGRAM_ARB;
}

static const char *compile_arb(struct arena *arena, const struct program *p, const struct shader_options *how, unsigned *made)
{
	const char *why, *text = arb_program(arena, p, how, &why);
	if (!text)
		return arena_printf(arena, "OpenGL has nothing for %s", why);
	glGenProgramsARB(1, made);
	glBindProgramARB(arb_stage(program_stage(p)), *made);
	glProgramStringARB(arb_stage(program_stage(p)), GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
	if (glGetError() == GL_NO_ERROR)
		return NULL;
	return arena_printf(arena, "the driver takes no program of this kind: %s", (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
}

const char *shader_compile(struct arena *arena, const struct context *c, const struct program *vs, const struct program *ps,
                           const struct shader_options *how, struct shader *made)
{
	*made = (struct shader){.language = c->language, .vs = vs, .ps = ps};
	const char *wrong = compile_arb(arena, vs, how, &made->vs_object);
	wrong = wrong ? wrong : compile_arb(arena, ps, how, &made->ps_object);
	if (wrong) {
		shader_delete(made);
		return wrong;
	}
	shader_use(made);
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct program *p = stage == STAGE_PIXEL ? ps : vs;
		for (uint32_t d = 0; d < p->decls.n; d++)
			if (p->decls.at[d].kind == DECL_DEF)
				glProgramLocalParameter4fvARB(arb_stage(stage), (GLuint)p->decls.at[d].reg.index, p->decls.at[d].value);
	}
	return NULL;
}

void shader_delete(struct shader *s)
{
	glDeleteProgramsARB(1, &s->vs_object);
	glDeleteProgramsARB(1, &s->ps_object);
	*s = (struct shader){.vs = NULL};
}

void shader_use(const struct shader *s)
{
	for (unsigned stage = 0; stage < 2; stage++) {
		glEnable(arb_stage(stage));
		glBindProgramARB(arb_stage(stage), stage == STAGE_PIXEL ? s->ps_object : s->vs_object);
	}
}

void shader_constants(const struct shader *s, enum stage stage, unsigned first, unsigned n, const float (*value)[LANES])
{
	const struct program *p = stage == STAGE_PIXEL ? s->ps : s->vs;
	for (unsigned c = first; c < first + n; c++)
		if (!program_decl(p, REG_CONST, (int)c))
			glProgramLocalParameter4fvARB(arb_stage(stage), c, value[c - first]);
}
