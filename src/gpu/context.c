/* Finds devices and opens contexts, see context.h. */
#include "gpu/context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <string.h>

enum { MAX_DEVICES = 16 };

const char *const language_names[2] = {"arb", "glsl"};

/* ---- devices --------------------------------------------------------------------------- */

static unsigned list_devices(EGLDeviceEXT device[MAX_DEVICES])
{
	EGLint n = 0;
	if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration"))
		eglQueryDevicesEXT(MAX_DEVICES, device, &n);
	return n > 0 ? (unsigned)n : 0;
}

static bool device_has(EGLDeviceEXT device, const char *extension)
{
	const char *all = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
	return all && strstr(all, extension);
}

unsigned context_devices(struct arena *a, const char ***lines)
{
	EGLDeviceEXT device[MAX_DEVICES];
	unsigned n = list_devices(device);
	*lines = arena_zero(a, (n + 1) * sizeof **lines);
	for (unsigned k = 0; k < n; k++) {
		const char *file = device_has(device[k], "EGL_EXT_device_drm") ? eglQueryDeviceStringEXT(device[k], EGL_DRM_DEVICE_FILE_EXT) : NULL;
		bool const mesa = device_has(device[k], "EGL_MESA_device_software"), cuda = device_has(device[k], "EGL_NV_device_cuda");
		(*lines)[k] = arena_printf(a, "%s%s%s", mesa ? "software (Mesa)" : cuda ? "NVIDIA GPU" : "GPU", file ? " at " : "", file ? file : "");
	}
	return n;
}

/* ---- abilities of the driver ------------------------------------------------------------ */

static bool drawn_by_cpu(const char *renderer)
{
	static const char *const names[] = {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer"};
	for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
		if (strstr(renderer, names[k]))
			return true;
	return false;
}

static const char *gl_string(struct arena *a, GLenum name)
{
	const char *text = (const char *)glGetString(name);
	return arena_printf(a, "%s", text ? text : "?");
}

/* Sets what the context can do.  Returns NULL, or one sentence on what the driver lacks. */
static const char *inspect_driver(struct arena *a, int language, struct context *c)
{
	c->renderer = gl_string(a, GL_RENDERER);
	c->vendor = gl_string(a, GL_VENDOR);
	c->version = gl_string(a, GL_VERSION);
	c->software = drawn_by_cpu(c->renderer);
	int const version = epoxy_gl_version();
	bool const assembly = epoxy_has_gl_extension("GL_ARB_vertex_program") && epoxy_has_gl_extension("GL_ARB_fragment_program");
	c->language = language < 0 ? assembly ? LANGUAGE_ARB : LANGUAGE_GLSL : (enum language)language;
	c->timer = version >= 33 || epoxy_has_gl_extension("GL_ARB_timer_query");
	c->floats = version >= 30 || (epoxy_has_gl_extension("GL_ARB_texture_float") && epoxy_has_gl_extension("GL_ARB_color_buffer_float"));
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &c->largest);
	glGetIntegerv(GL_MAX_DRAW_BUFFERS, &c->colours);
	if (c->language == LANGUAGE_ARB && !assembly)
		return "the driver takes no assembly programs (GL_ARB_vertex_program, GL_ARB_fragment_program)";
	if (c->language == LANGUAGE_GLSL && version < 20)
		return "the driver takes neither assembly programs nor GLSL";
	if (version < 30 && !epoxy_has_gl_extension("GL_ARB_framebuffer_object"))
		return "the driver cannot draw to textures (GL_ARB_framebuffer_object)";
	if (!c->floats)
		return "the driver cannot draw to targets of floats (GL_ARB_texture_float)";
	if (!c->timer)
		return "the driver cannot time draws (GL_ARB_timer_query)";
	return NULL;
}

/* ---- opening --------------------------------------------------------------------------- */

static const char *egl_failed(struct arena *a, const char *call)
{
	return arena_printf(a, "%s fails (EGL error 0x%x)", call, (unsigned)eglGetError());
}

static const char *open_display(struct arena *a, EGLDisplay display, int language, struct context *c)
{
	EGLint major, minor;
	if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor))
		return egl_failed(a, "eglInitialize");
	c->display = display;
	if (!eglBindAPI(EGL_OPENGL_API))
		return egl_failed(a, "eglBindAPI for OpenGL");
	EGLint const wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	EGLConfig config;
	EGLint n = 0;
	if (!eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
		return egl_failed(a, "eglChooseConfig");
	EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, NULL);
	if (context == EGL_NO_CONTEXT)
		return egl_failed(a, "eglCreateContext");
	c->handle = context;
	if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
		return egl_failed(a, "eglMakeCurrent without a surface");
	return inspect_driver(a, language, c);
}

void context_close(struct context *c)
{
	if (!c->display)
		return;
	eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	if (c->handle)
		eglDestroyContext(c->display, c->handle);
	eglTerminate(c->display);
	*c = (struct context){.display = NULL};
}

static const char *try_open(struct arena *a, EGLDisplay display, int language, struct context *c)
{
	const char *wrong = open_display(a, display, language, c);
	if (wrong)
		context_close(c);
	return wrong;
}

/* Also tries Mesa's surfaceless platform, if EGL lists no device (on a machine without a GPU), or if any device would do and none works. */
const char *context_open(struct arena *a, int device, int language, struct context *c)
{
	EGLDeviceEXT devices[MAX_DEVICES];
	unsigned n = list_devices(devices);
	const char *wrong = NULL;
	*c = (struct context){.display = NULL};
	if (device >= 0 && (unsigned)device >= (n ? n : 1))
		return arena_printf(a, "there is no device %d: EGL lists %u, see fpmove-gpu info", device, n);
	for (unsigned k = 0; k < n; k++) {
		if (device >= 0 && (unsigned)device != k)
			continue;
		wrong = try_open(a, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[k], NULL), language, c);
		if (!wrong)
			return NULL;
	}
	if (device < 0 || !n) {
		if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
			wrong = try_open(a, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL), language, c);
		else if (!wrong)
			wrong = "EGL lists no device";
	}
	return wrong;
}

static const char *error_name(GLenum error)
{
	switch (error) {
	case GL_INVALID_ENUM: return "GL_INVALID_ENUM";
	case GL_INVALID_VALUE: return "GL_INVALID_VALUE";
	case GL_INVALID_OPERATION: return "GL_INVALID_OPERATION";
	case GL_INVALID_FRAMEBUFFER_OPERATION: return "GL_INVALID_FRAMEBUFFER_OPERATION";
	case GL_OUT_OF_MEMORY: return "GL_OUT_OF_MEMORY";
	default: return "an unknown OpenGL error";
	}
}

const char *context_error(void)
{
	GLenum first = glGetError();
	while (first != GL_NO_ERROR && glGetError() != GL_NO_ERROR)
		;
	return first == GL_NO_ERROR ? NULL : error_name(first);
}
