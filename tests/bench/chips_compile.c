/* Gives pairs of OpenGL assembly programs to OpenGL, for tests/bench/chips: chips_compile VP FP VP FP ...  What the driver says of each pair
 * stands on stderr between "@@@ FP" and "@@@ end" or "@@@ bad" with the reason: counts of Mesa's drivers are debug messages of OpenGL. */
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8, TEXTURES = 16, MOST = 1 << 20 };

static bool open_context(void)
{
	EGLDeviceEXT device;
	EGLint n = 0, major, minor;
	EGLConfig config;
	eglQueryDevicesEXT(1, &device, &n);
	EGLDisplay display = n ? eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL) : EGL_NO_DISPLAY;
	EGLint const wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	EGLint const debug[] = {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR, EGL_NONE};
	if (!display || !eglInitialize(display, &major, &minor) || !eglBindAPI(EGL_OPENGL_API) ||
	    !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
		return false;
	EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, debug);
	return context && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
}

static void tell_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei n, const GLchar *text, const void *data)
{
	(void)source, (void)type, (void)id, (void)severity, (void)n, (void)data;
	fprintf(stderr, "says %s\n", text);
}

/* Binds textures to read and one to draw to. */
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
	glEnable(GL_DEBUG_OUTPUT);
	glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
	glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
	glDebugMessageCallback(tell_message, NULL);
}

/* Binds the program in the file.  Returns NULL, or why it cannot be used. */
static const char *use(const char *name, GLenum target)
{
	static char text[MOST];
	FILE *f = fopen(name, "rb");
	if (!f)
		return "no such file";
	size_t const n = fread(text, 1, MOST, f);
	fclose(f);
	GLuint program;
	glGenProgramsARB(1, &program);
	glBindProgramARB(target, program);
	glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)n, text);
	return glGetError() ? (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB) : NULL;
}

int main(int argc, char **argv)
{
	if (!open_context()) {
		fputs("no OpenGL\n", stderr);
		return 2;
	}
	fprintf(stderr, "OpenGL %s, %s\n", (const char *)glGetString(GL_VERSION), (const char *)glGetString(GL_RENDERER));
	set_scene();
	while (glGetError()) /* some have fewer than TEXTURES units */
		;
	for (int k = 1; k + 1 < argc; k += 2) {
		fprintf(stderr, "@@@ %s\n", argv[k + 1]);
		const char *wrong = use(argv[k], GL_VERTEX_PROGRAM_ARB);
		wrong = wrong ? wrong : use(argv[k + 1], GL_FRAGMENT_PROGRAM_ARB);
		if (!wrong) {
			glDrawArrays(GL_TRIANGLES, 0, 3); /* drivers compile what is drawn */
			glFlush();
		}
		fflush(stdout);
		fprintf(stderr, "@@@ %s%s\n", wrong ? "bad " : "end", wrong ? wrong : "");
	}
	fflush(stderr);
	_Exit(0); /* some drivers wait for the chip when they end */
}
