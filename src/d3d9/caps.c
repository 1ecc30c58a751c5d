/* fpmove-d3d9 caps: prints the graphics adapter, its limits for programs, and which formats of targets and textures it has. */
#include "cli/files.h"
#include "d3d9/modes.h"

struct cap {
	const char *name, *what;
	unsigned value;
};

static json_t *put_caps(struct text *t, const D3DCAPS9 *c)
{
	struct cap const caps[] = {
		{"targets", "targets in a draw", c->NumSimultaneousRTs},
		{"vs_constants", "constants of vertex programs", c->MaxVertexShaderConst},
		{"ps_slots", "slots of pixel programs, of 2_x", (unsigned)c->PS20Caps.NumInstructionSlots},
		{"ps_temps", "temporaries of pixel programs, of 2_x", (unsigned)c->PS20Caps.NumTemps},
		{"vs3_slots", "slots of vs_3_0", c->MaxVertexShader30InstructionSlots},
		{"ps3_slots", "slots of ps_3_0", c->MaxPixelShader30InstructionSlots},
		{"texture_size", "texels along an edge", c->MaxTextureWidth},
		{"texture_repeat", "MaxTextureRepeat", c->MaxTextureRepeat},
	};
	json_t *j = json_object();
	for (unsigned k = 0; k < sizeof caps / sizeof *caps; k++) {
		text_printf(t, "%-16s%u %s\n", k ? "" : "limits", caps[k].value, caps[k].what);
		json_object_set_new(j, caps[k].name, json_integer(caps[k].value));
	}
	return j;
}

struct format {
	const char *name;
	D3DFORMAT format;
	DWORD usage;
};

static json_t *put_formats(struct text *t, const struct device *dev)
{
	static const struct format formats[] = {
		{"target A8R8G8B8", D3DFMT_A8R8G8B8, D3DUSAGE_RENDERTARGET},
		{"target A16B16G16R16F", D3DFMT_A16B16G16R16F, D3DUSAGE_RENDERTARGET},
		{"target A32B32G32R32F", D3DFMT_A32B32G32R32F, D3DUSAGE_RENDERTARGET},
		{"texture A32B32G32R32F", D3DFMT_A32B32G32R32F, 0},
		{"filter A32B32G32R32F", D3DFMT_A32B32G32R32F, D3DUSAGE_QUERY_FILTER},
		{"depth texture D24X8", D3DFMT_D24X8, D3DUSAGE_DEPTHSTENCIL},
		{"depth texture D16", D3DFMT_D16, D3DUSAGE_DEPTHSTENCIL},
		{"depth texture INTZ", (D3DFORMAT)MAKEFOURCC('I', 'N', 'T', 'Z'), D3DUSAGE_DEPTHSTENCIL},
	};
	json_t *j = json_object();
	for (unsigned k = 0; k < sizeof formats / sizeof *formats; k++) {
		bool const has = device_has(dev, formats[k].usage, D3DRTYPE_TEXTURE, formats[k].format);
		text_printf(t, "%-16s%s%s\n", k ? "" : "formats", formats[k].name, has ? "" : ": not here");
		json_object_set_new(j, formats[k].name, json_boolean(has));
	}
	return j;
}

/* Writes the adapter's limits as a file for fpmove --device.  A limit outside the range that lang/device.def has for it becomes the nearer
 * end of that range. */
static bool write_limits(struct arena *a, const struct d3d9_options *o, const struct device *dev)
{
	struct text t = {.arena = a};
	struct {
		const char *name;
		unsigned value, least, most;
	} const limits[] = {
#define LIMIT(id, name, cap, least, most, used) {name, dev->caps.cap, least, most},
#include "lang/device.def"
#undef LIMIT
	};
	text_printf(&t, "# %s\n", dev->adapter.Description);
	for (unsigned k = 0; k < sizeof limits / sizeof *limits; k++) {
		unsigned const n = limits[k].value < limits[k].most ? limits[k].value : limits[k].most;
		text_printf(&t, "%s:%u\n", limits[k].name, n > limits[k].least ? n : limits[k].least);
	}
	return file_write(a, o->output, &t);
}

int caps_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct device dev = {.d3d9 = NULL};
	struct text t = {.arena = a};
	const char *wrong = device_look(&dev, r);
	if (wrong)
		return message_usage("%s", wrong);
	json_t *j = report_head(a, r, &dev);
	text_printf(&t, "%-16s%s\n%-16s%s\n", "adapter", dev.adapter.Description, "driver", dev.adapter.Driver);
	text_printf(&t, "%-16s%s%s\n", "Direct3D 9", r->wine ? "of Wine " : "of Windows", r->wine ? r->wine : "");
	text_printf(&t, "%-16s%s\n", "D3DX", r->assemble ? r->d3dx : "none");
	text_printf(&t, "%-16svs_%u_%u, ps_%u_%u\n", "models", (unsigned)(dev.caps.VertexShaderVersion >> 8 & 0xff),
	            (unsigned)(dev.caps.VertexShaderVersion & 0xff), (unsigned)(dev.caps.PixelShaderVersion >> 8 & 0xff),
	            (unsigned)(dev.caps.PixelShaderVersion & 0xff));
	json_object_set_new(j, "caps", put_caps(&t, &dev.caps));
	json_object_set_new(j, "formats", put_formats(&t, &dev));
	if (o->output && !write_limits(a, o, &dev))
		return EXIT_USAGE;
	if (dev.caps.PixelShaderVersion < D3DPS_VERSION(2, 0))
		message_error("the graphics adapter has no ps_2_0");
	return report_end(a, o, j, &t, dev.caps.PixelShaderVersion < D3DPS_VERSION(2, 0) ? EXIT_USAGE : EXIT_DONE);
}
