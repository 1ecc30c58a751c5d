/* Gives pairs VP FP VP FP ... to OpenGL, one after another, for tests/bench/chips.  The driver prints what it makes of each between two
 * lines of stderr: "@@@ FP", and "@@@ end" or "@@@ bad" with the reason. */
#include "gpu/arb.h"
#include "lang/parse.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 8, TEXTURES = 16 };

static bool open_context(void)
{
	EGLDeviceEXT device;
	EGLint n = 0, major, minor;
	EGLConfig config;
	eglQueryDevicesEXT(1, &device, &n);
	EGLDisplay display = n ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL) : EGL_NO_DISPLAY;
	EGLint const wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	if (!display || !eglInitialize(display, &major, &minor) || !eglBindAPI(EGL_OPENGL_API) ||
	    !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
		return false;
	EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
	return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

/* Textures to read and one to draw to. */
static void set_scene(void)
{
	GLuint texture[TEXTURES + 1], target;
	glGenTextures(TEXTURES + 1, texture);
	for (unsigned k = TEXTURES + 1; k-- > 0;) {
		glActiveTexture(GL_TEXTURE0 + k % TEXTURES);
		glBindTexture(GL_TEXTURE_2D, texture[k]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	}
	glGenFramebuffers(1, &target);
	glBindFramebuffer(GL_FRAMEBUFFER, target);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture[TEXTURES], 0);
	glViewport(0, 0, SIZE, SIZE);
	glEnable(GL_VERTEX_PROGRAM_ARB);
	glEnable(GL_FRAGMENT_PROGRAM_ARB);
}

/* NULL, or why the program in the file cannot be used. */
static const char *use(struct arena *arena, const char *name, GLenum target)
{
	enum { MOST = 1 << 20 };
	struct diags diags;
	struct source source = {.name = name};
	struct shader_options const how = {.show = SHOWN_COLOUR, .position = POSITION_AS_IS, .width = SIZE, .height = SIZE};
	const char *why = NULL;
	char *text = arena_alloc(arena, MOST);
	FILE *f = fopen(name, "rb");
	if (!f)
		return "no such file";
	source.size = fread(text, 1, MOST - 1, f);
	text[source.size] = 0;
	source.text = text;
	fclose(f);
	diag_init(&diags, arena);
	struct program_list const list = parse_programs(arena, &source, &diags);
	const char *assembly = list.n == 1 ? arb_program(arena, list.at[0], &how, &why) : NULL;
	if (!assembly)
		return why ? why : "not one program";
	GLuint program;
	glGenProgramsARB(1, &program);
	glBindProgramARB(target, program);
	glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(assembly), assembly);
	return glGetError() ? (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB) : NULL;
}

int main(int argc, char **argv)
{
	if (!open_context()) {
		fputs("no OpenGL\n", stderr);
		return 2;
	}
	set_scene();
	for (int k = 1; k + 1 < argc; k += 2) {
		struct arena arena;
		arena_init(&arena, NULL);
		fprintf(stderr, "@@@ %s\n", argv[k + 1]);
		const char *wrong = use(&arena, argv[k], GL_VERTEX_PROGRAM_ARB);
		wrong = wrong ? wrong : use(&arena, argv[k + 1], GL_FRAGMENT_PROGRAM_ARB);
		if (!wrong) {
			glDrawArrays(GL_TRIANGLES, 0, 3); /* drivers compile what is drawn */
			glFlush();
		}
		fflush(stdout);
		fprintf(stderr, "@@@ %s%s\n", wrong ? "bad " : "end", wrong ? wrong : "");
		arena_free(&arena);
	}
	return 0;
}
