/* Kinds of binary files, see binary_kind.h. */
#include "lang/binary_kind.h"

#include "lang/bytecode.h"
#include "lang/xnb.h"

#include <string.h>

#define FOR_FXC "compile its HLSL with fxc /T vs_3_0 and /T ps_3_0 (or vs_2_0 and ps_2_0)"
#define IMAGE ", an image"
#define ARCHIVE ", an archive: unpack it"

static const struct {
	unsigned n;        /* number of `bytes` with which the file begins */
	const char *bytes;
	const char *what;  /* the kind of file and the remedy, as in the error message */
} kinds[] = {
	{4, "\x03\x02\x23\x07", "SPIR-V, bytecode of Vulkan and OpenGL: spirv-cross --hlsl --shader-model 30 makes HLSL of it, which fxc compiles"},
	{4, "\x07\x23\x02\x03", "SPIR-V, bytecode of Vulkan and OpenGL: spirv-cross --hlsl --shader-model 30 makes HLSL of it, which fxc compiles"},
	{4, "BC\xc0\xde", "LLVM bitcode (as in DXIL): " FOR_FXC},
	{4, "\x01\x10\xff\xfe", "an effect of Direct3D 10 (fx_4_0): compile its source with fxc /T fx_2_0"},
	{4, "\x11\x10\xff\xfe", "an effect of Direct3D 10 (fx_4_1): compile its source with fxc /T fx_2_0"},
	{3, "\x10\x2a\x11", "a shader of the Xbox 360: " FOR_FXC " for Direct3D 9"},
	{4, "\xfe\xff\x09\x01", "an effect of the Xbox 360: compile its source with fxc /T fx_2_0 for Direct3D 9"},
	{4, "MGFX", "MGFX, an effect of MonoGame for DirectX 11 or OpenGL: compile its source with fxc /T fx_2_0"},
	{4, "KNIF", "KNIFX, an effect of KNI for DirectX 11 or OpenGL: compile its source with fxc /T fx_2_0"},
	{4, "VCS2", "VCS of the Source 2 engine: compile its source with fxc /T vs_3_0 and /T ps_3_0"},
	{4, "RDOC", "a RenderDoc capture: save the assembly of its programs"},
	{4, "MTLB", "a library of Metal: " FOR_FXC},
	{8, "\x89PNG\r\n\x1a\n", "PNG" IMAGE},
	{4, "DDS ", "DDS" IMAGE},
	{3, "\xff\xd8\xff", "JPEG" IMAGE},
	{4, "PK\x03\x04", "ZIP" ARCHIVE},
	{2, "\x1f\x8b", "gzip" ARCHIVE " (of an old apitrace: apitrace dump prints what --unpack takes)"},
	{2, "MZ", "EXE or DLL: give the programs in it as files of their own"},
	{4, "\x7f" "ELF", "ELF: give the programs in it as files of their own"},
};

/* Returns the 32-bit number at an offset, lowest byte first, or 0 if it does not lie within the file. */
static uint32_t file_word(const struct source *s, size_t at)
{
	return at + 4 <= s->size ? bytecode_token(s->text + at) : 0;
}

/* Returns the kind of a DXBC container by its chunks: with DXIL or ILDB a shader of Direct3D 12, with FX10 an effect of Direct3D 10 or 11,
 * otherwise a shader of these. */
static const char *container_kind(const struct source *s)
{
	uint32_t const chunks = file_word(s, 28);
	for (uint32_t k = 0; k < chunks && 36 + 4 * (size_t)k <= s->size; k++) {
		uint32_t const chunk = file_word(s, file_word(s, 32 + 4 * (size_t)k));
		if (chunk == FOUR_LETTERS('D', 'X', 'I', 'L') || chunk == FOUR_LETTERS('I', 'L', 'D', 'B'))
			return "DXIL, bytecode of Direct3D 12: " FOR_FXC ", since dxc makes none of Direct3D 9";
		if (chunk == FOUR_LETTERS('F', 'X', '1', '0'))
			return "DXBC with an effect of Direct3D 10 or 11: compile its source with fxc /T fx_2_0, not /T fx_4_0 or fx_5_0";
	}
	return "DXBC, bytecode of Direct3D 10 and 11: " FOR_FXC ", not /T vs_4_0, ps_4_0 or newer";
}

/* Returns the kind of an .xnb that holds no Direct3D 9 effect.  If it holds another effect, the first bytes of that effect tell its kind. */
static const char *xnb_kind(const struct source *s, enum xnb_content content, size_t size_at)
{
	switch (content) {
	case XNB_COMPRESSED: return "XNB of XNA, compressed: decompress it, and give that .xnb, or the compiled effect in it, to --effect";
	case XNB_CUT: return "XNB of XNA, cut off before its content begins";
	case XNB_OTHER: return "XNB of XNA without an effect: only effects have programs";
	case XNB_EFFECT: break;
	case XNB_NONE: return "XNB of a version other than 4 and 5";
	}
	size_t const from = size_at + 4;
	struct source const inside = {.name = "", .text = s->text + from, .size = s->size - from};
	const char *kind = binary_kind(&inside);
	return kind ? kind : "XNB with an effect that is not of Direct3D 9";
}

/* Returns true if the file seems to be a .vcs of the Source engine, a shader compiled in many combinations.  It begins with numbers: version,
 * number of all combinations, number of dynamic ones, flags, and a mask of centroids. */
static bool is_source_vcs(const struct source *s)
{
	uint32_t const version = file_word(s, 0), all = file_word(s, 4), dynamic = file_word(s, 8);
	return s->size >= 28 && version >= 2 && version <= 6 && dynamic >= 1 && dynamic < 1 << 20 && all >= dynamic && all % dynamic == 0 &&
	       file_word(s, 12) <= 0xffff && file_word(s, 16) <= 0xffff;
}

/* Returns true if the file begins as a binary trace of apitrace, compressed by Snappy: with the letters "at" and the size of the first
 * chunk. */
static bool is_apitrace(const struct source *s)
{
	return s->size >= 6 && memcmp(s->text, "at", 2) == 0 && file_word(s, 2) > 0 && file_word(s, 2) < 4 << 20;
}

/* Returns true if the file's name ends like that of a PIX capture.  (The first bytes of such files are not known.) */
static bool is_pix_name(const char *name)
{
	static const char *const suffixes[] = {".PIXRun", ".pixrun", ".wpix"};
	bool any = false;
	for (unsigned k = 0; k < sizeof suffixes / sizeof *suffixes; k++) {
		size_t const n = strlen(name), m = strlen(suffixes[k]);
		any |= n > m && strcmp(name + n - m, suffixes[k]) == 0;
	}
	return any;
}

const char *binary_kind(const struct source *s)
{
	if (s->size >= 32 && memcmp(s->text, "DXBC", 4) == 0)
		return container_kind(s);
	size_t size_at = 0;
	enum xnb_content const content = xnb_content(s->text, s->size, &size_at);
	if (content || (s->size >= 3 && memcmp(s->text, "XNB", 3) == 0))
		return xnb_kind(s, content, size_at);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		if (s->size >= kinds[k].n && memcmp(s->text, kinds[k].bytes, kinds[k].n) == 0)
			return kinds[k].what;
	if (is_apitrace(s))
		return "an apitrace: apitrace dump prints what --unpack takes";
	if (is_source_vcs(s))
		return "VCS of the Source engine: take the programs out of it, and give each as a file of its own";
	if (is_pix_name(s->name))
		return "a PIX capture: save the assembly of its programs";
	return NULL;
}
