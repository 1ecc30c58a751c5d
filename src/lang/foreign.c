/* Files of other languages, see foreign.h.
 *
 * A program begins with its version token, behind comments and preprocessor lines.  A text that begins with a word of another
 * language is read on for words that tell which.  One that begins with any other word may begin with a macro: it is let pass, but
 * for C that includes a system's header and has a program in a string, and for GLSL and HLSL without a version token anywhere. */
#include "lang/foreign.h"

#include "lang/effect_text.h"
#include "lang/encoding.h"
#include "lang/trace.h"

#include <string.h>

/* What a text has. */
enum trait {
	HAS_PAGE = 1,     /* a tag at its beginning */
	HAS_OPENGL = 2,   /* the first line of an assembly program of OpenGL */
	HAS_EFFECT = 4,   /* a technique, or asm { */
	HAS_PROGRAM = 8,  /* a version token in a string literal, or behind one */
	HAS_GLSL = 16,
	HAS_HLSL = 32,
	HAS_C = 64,
	HAS_QUOTES = 128
};

/* Words of which a program can begin with none. */
static const struct { const char *word; enum trait trait; } words[] = {
	{"technique", HAS_EFFECT}, {"Technique", HAS_EFFECT}, {"technique10", HAS_EFFECT}, {"technique11", HAS_EFFECT},
	{"precision", HAS_GLSL}, {"varying", HAS_GLSL}, {"attribute", HAS_GLSL}, {"vec2", HAS_GLSL}, {"vec3", HAS_GLSL}, {"vec4", HAS_GLSL},
	{"mat3", HAS_GLSL}, {"mat4", HAS_GLSL}, {"gl_Position", HAS_GLSL}, {"gl_FragColor", HAS_GLSL},
	{"gl_FragData", HAS_GLSL}, {"gl_FragCoord", HAS_GLSL}, {"gl_TexCoord", HAS_GLSL}, {"gl_Vertex", HAS_GLSL}, {"ftransform", HAS_GLSL},
	{"mat2", HAS_GLSL}, {"ivec2", HAS_GLSL}, {"ivec3", HAS_GLSL}, {"ivec4", HAS_GLSL}, {"bvec4", HAS_GLSL}, {"layout", HAS_GLSL},
	{"highp", HAS_GLSL}, {"mediump", HAS_GLSL}, {"lowp", HAS_GLSL}, {"samplerCube", HAS_GLSL}, {"sampler2DRect", HAS_GLSL},
	{"sampler2DShadow", HAS_GLSL},
	{"float2", HAS_HLSL}, {"float3", HAS_HLSL}, {"float4", HAS_HLSL}, {"float3x3", HAS_HLSL}, {"float4x3", HAS_HLSL},
	{"float4x4", HAS_HLSL}, {"half", HAS_HLSL}, {"half2", HAS_HLSL}, {"half3", HAS_HLSL}, {"half4", HAS_HLSL}, {"matrix", HAS_HLSL},
	{"row_major", HAS_HLSL}, {"cbuffer", HAS_HLSL}, {"sampler", HAS_HLSL}, {"SamplerState", HAS_HLSL}, {"texture", HAS_HLSL},
	{"Texture2D", HAS_HLSL}, {"tex2D", HAS_HLSL},
	{"sampler1D", HAS_HLSL}, {"sampler2D", HAS_HLSL}, {"sampler3D", HAS_HLSL}, {"samplerCUBE", HAS_HLSL}, {"sampler_state", HAS_HLSL},
	{"texture2D", HAS_HLSL}, {"Texture3D", HAS_HLSL}, {"TextureCube", HAS_HLSL}, {"texCUBE", HAS_HLSL}, {"tex2Dlod", HAS_HLSL},
	{"tex2Dproj", HAS_HLSL}, {"fixed", HAS_HLSL}, {"fixed2", HAS_HLSL}, {"fixed3", HAS_HLSL}, {"fixed4", HAS_HLSL}, {"float1", HAS_HLSL},
	{"float2x2", HAS_HLSL}, {"half3x3", HAS_HLSL}, {"half4x4", HAS_HLSL}, {"tbuffer", HAS_HLSL}, {"column_major", HAS_HLSL},
	{"StructuredBuffer", HAS_HLSL}, {"RWTexture2D", HAS_HLSL}, {"numthreads", HAS_HLSL}, {"maxvertexcount", HAS_HLSL},
	{"static", HAS_C}, {"const", HAS_C}, {"extern", HAS_C}, {"namespace", HAS_C}, {"using", HAS_C}, {"class", HAS_C}, {"typedef", HAS_C},
	{"template", HAS_C}, {"struct", HAS_C}, {"enum", HAS_C}, {"inline", HAS_C}, {"unsigned", HAS_C}, {"char", HAS_C}, {"int", HAS_C},
	{"float", HAS_C}, {"void", HAS_C}, {"bool", HAS_C}, {"uniform", HAS_C},
	{"in", HAS_C}, {"out", HAS_C}, {"flat", HAS_C}, {"smooth", HAS_C},
};

/* Commands that make assembly of HLSL. */
#define COMMAND "fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)"

/* Of a text that has several of these, the first row tells. */
static const struct { enum trait trait; const char *what; } kinds[] = {
	{HAS_PAGE, "an HTML or XML page, not a program: save the program's own text"},
	{HAS_OPENGL, "an assembly program of OpenGL, and those of Direct3D 9 are read"},
	{HAS_EFFECT, "an effect file, which --effect takes"},
	{HAS_PROGRAM, "C or C++ with programs in its strings, which --effect takes"},
	{HAS_GLSL, "GLSL, which is not read: written as HLSL, it becomes assembly by " COMMAND},
	{HAS_HLSL, "HLSL, which is not read: it becomes assembly by " COMMAND},
	{HAS_C, "C or C++, and no program is in it: --effect takes those in strings"},
};

struct look {
	const struct source *file;
	unsigned traits;
	bool code;        /* something but comments and preprocessor lines was seen */
	bool other;       /* it began as no program does */
	bool macro;       /* it may have begun with a macro */
	bool bare;        /* it has blocks, and no version token anywhere */
	size_t at, first; /* `first`: what told */
};

static bool is_version(const char *at)
{
	return (at[0] == 'v' || at[0] == 'p') && at[1] == 's' && (at[2] == '_' || at[2] == '.') && at[3] >= '1' && at[3] <= '9';
}

static unsigned trait_of(const char *word, size_t n)
{
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (*words[k].word == *word && strlen(words[k].word) == n && memcmp(words[k].word, word, n) == 0)
			return words[k].trait;
	return 0;
}

static bool has_version(const struct source *s)
{
	for (size_t at = 0; at + 4 < s->size; at++) {
		char const first[] = {(char)(s->text[at] | 0x20), (char)(s->text[at + 1] | 0x20), s->text[at + 2], s->text[at + 3]};
		if (is_version(first))
			return true;
	}
	return false;
}

/* The text's first code; false: that is, or may be, a program's. */
static bool begin(struct look *l, const char *at, unsigned trait)
{
	l->code = true;
	if (is_version(at))
		return false;
	if (*at == '<')
		trait = HAS_PAGE;
	if (*at == '[') /* an attribute */
		trait = trait_of(at + 1, effect_word_length(l->file, l->at + 1));
	if (at[0] == '!' && at[1] == '!')
		trait = HAS_OPENGL;
	l->other = trait != 0 || strncmp(at, "asm", 3) == 0 || l->traits & HAS_GLSL;
	l->bare = !l->other && !has_version(l->file) && memchr(l->file->text, '{', l->file->size); /* prose has words of HLSL, too */
	l->macro = !l->other && l->traits & HAS_C;
	l->first = l->traits ? l->first : l->at;
	l->traits |= trait;
	return l->other || l->macro || l->bare;
}

static void take_directive(struct look *l)
{
	const char *at = l->file->text + l->at + 1;
	at += strspn(at, " \t");
	unsigned const trait = strncmp(at, "version", 7) == 0 ? HAS_GLSL : strncmp(at, "include <", 9) == 0 || strncmp(at, "pragma once", 11) == 0 ? HAS_C : 0;
	l->first = trait && !l->traits ? l->at : l->first;
	l->traits |= trait;
	l->at = scan_logical_line_end(l->file, l->at);
}

static void take_string(struct look *l)
{
	size_t const to = scan_string(l->file, l->at);
	for (; l->at < to; l->at++)
		if (is_version(l->file->text + l->at))
			l->traits |= HAS_PROGRAM;
	l->traits |= HAS_QUOTES;
}

static void take_word(struct look *l, size_t n, unsigned trait)
{
	const char *at = l->file->text + l->at;
	l->traits |= trait;
	if (n == 3 && memcmp(at, "asm", n) == 0 && at[n + strspn(at + n, " \t\r\n")] == '{')
		l->traits |= HAS_EFFECT;
	if (l->traits & HAS_QUOTES && is_version(at))
		l->traits |= HAS_PROGRAM;
	l->at += n;
}

static unsigned traits_of(struct look *l)
{
	const struct source *file = l->file;
	l->at = encoding_mark(file);
	while (l->at < file->size) {
		const char *at = file->text + l->at;
		size_t const past = scan_comment(file, l->at, !l->other), n = effect_word_length(file, l->at);
		unsigned const trait = n ? trait_of(at, n) : 0;
		if (past > l->at) {
			l->at = past;
		} else if (strchr(" \t\r\n\f\v", *at)) {
			l->at++;
		} else if (*at == '#') {
			take_directive(l);
		} else if (!l->code && !begin(l, at, trait)) {
			return 0;
		} else if (n) {
			take_word(l, n, trait);
		} else if (*at == '"') {
			take_string(l);
		} else {
			l->at++;
		}
	}
	return l->bare ? l->traits & (HAS_GLSL | HAS_HLSL | HAS_EFFECT) : l->macro ? l->traits & HAS_PROGRAM : l->traits;
}

static bool tell(const struct source *s, struct diags *diags, const char *rule, unsigned not_for)
{
	struct look look = {.file = s};
	if (trace_is(s)) {
		diag_add(diags, DIAG_ERROR, rule, s, SRCPOS_NONE, "this looks like the text of a trace, whose programs and pairs --unpack writes");
		return true;
	}
	unsigned const traits = traits_of(&look);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !(traits & not_for); k++) {
		if (!(traits & kinds[k].trait))
			continue;
		diag_add(diags, DIAG_ERROR, rule, s, (srcpos)look.first, "this looks like %s", kinds[k].what);
		return true;
	}
	return false;
}

bool foreign_tell(const struct source *s, struct diags *diags)
{
	return tell(s, diags, "syntax", 0);
}

bool foreign_tell_of_effect(const struct source *s, struct diags *diags)
{
	return tell(s, diags, "effect", HAS_EFFECT | HAS_PROGRAM);
}
