/* Recognises files of other languages, see foreign.h.
 *
 * A program begins with its version token, behind comments and preprocessor lines.  A text whose first code is a word of another
 * language is read to its end for words that tell which language.  A text that begins with any other word may begin with a macro and
 * is taken for a program, with two exceptions: C with #include <...> or #pragma once before that word and a program in a string, and GLSL,
 * HLSL or an effect with braces and no version token anywhere. */
#include "lang/foreign.h"

#include "lang/effect_text.h"
#include "lang/encoding.h"
#include "lang/trace.h"

#include <stdio.h>
#include <string.h>

/* Clues to the language of a text, as bits. */
enum trait {
	HAS_PAGE = 1,     /* the text begins with a tag of HTML or XML */
	HAS_OPENGL = 2,   /* the text has the first line of an assembly program of OpenGL */
	HAS_EFFECT = 4,   /* a technique, or asm { */
	HAS_PROGRAM = 8,  /* a version token in a string literal, or behind one */
	HAS_GLSL = 16,
	HAS_HLSL = 32,
	HAS_C = 64,
	HAS_QUOTES = 128  /* a string literal */
};

/* Words with which no program can begin, with a blank before and behind each. */
static const struct { enum trait trait; const char *words; } words[] = {
	{HAS_EFFECT, " technique Technique technique10 technique11 "},
	{HAS_GLSL, " precision varying attribute vec2 vec3 vec4 mat3 mat4 gl_Position gl_FragColor gl_FragData gl_FragCoord"
	           " gl_TexCoord gl_Vertex ftransform mat2 ivec2 ivec3 ivec4 bvec4 layout highp mediump lowp samplerCube"
	           " sampler2DRect sampler2DShadow "},
	{HAS_HLSL, " float2 float3 float4 float3x3 float4x3 float4x4 half half2 half3 half4 matrix row_major cbuffer sampler"
	           " SamplerState texture Texture2D tex2D sampler1D sampler2D sampler3D samplerCUBE sampler_state texture2D Texture3D"
	           " TextureCube texCUBE tex2Dlod tex2Dproj fixed fixed2 fixed3 fixed4 float1 float2x2 half3x3 half4x4 tbuffer"
	           " column_major StructuredBuffer RWTexture2D numthreads maxvertexcount "},
	{HAS_C, " static const extern namespace using class typedef template struct enum inline unsigned char int float void bool"
	        " uniform in out flat smooth "},
};

/* The command that compiles HLSL to assembly. */
#define COMMAND "fxc /T ps_2_0 /E main /Fc out.psh FILE (/T vs_2_0 for a vertex program)"

/* The trait of each language, and the message about it.  If a text has several of these traits, the first row counts. */
static const struct { enum trait trait; const char *what; } kinds[] = {
	{HAS_PAGE, "an HTML or XML page, not a program: save the program's own text"},
	{HAS_OPENGL, "an assembly program of OpenGL; only those of Direct3D 9 are supported"},
	{HAS_EFFECT, "an effect file, which --effect takes"},
	{HAS_PROGRAM, "C or C++ with programs in its strings, which --effect takes"},
	{HAS_GLSL, "GLSL, which is not read: written as HLSL, it becomes assembly by " COMMAND},
	{HAS_HLSL, "HLSL, which is not read: it becomes assembly by " COMMAND},
	{HAS_C, "C or C++ without a program in it; --effect takes programs in string literals"},
};

struct scan {
	const struct source *file;
	unsigned traits;  /* of enum trait: the traits that were found so far */
	bool code;        /* text other than comments and preprocessor lines was read */
	bool other;       /* the first code is one with which no program can begin */
	bool macro;       /* directives of C precede the first code, which may be a macro */
	bool bare;        /* the first code may be a macro; the text has a brace, and no version token anywhere */
	size_t at;        /* offset that is read next */
	size_t first;     /* offset of the first trait, which the error points to */
};

static bool is_version_token(const char *at)
{
	return (at[0] == 'v' || at[0] == 'p') && at[1] == 's' && (at[2] == '_' || at[2] == '.') && at[3] >= '1' && at[3] <= '9';
}

static unsigned trait_of(const char *word, size_t n)
{
	char part[32]; /* the word with a blank before and behind it */
	if (!n || n + 3 > sizeof part)
		return 0;
	snprintf(part, sizeof part, " %.*s ", (int)n, word);
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (strstr(words[k].words, part))
			return words[k].trait;
	return 0;
}

static bool has_version(const struct source *s)
{
	for (size_t at = 0; at + 4 < s->size; at++) {
		char const first[] = {(char)(s->text[at] | 0x20), (char)(s->text[at + 1] | 0x20), s->text[at + 2], s->text[at + 3]};
		if (is_version_token(first))
			return true;
	}
	return false;
}

/* Judges the first code (text other than comments and preprocessor lines), at `at`.  Returns true if the rest must be read for words of a
 * language, false if the file is to be taken for a program. */
static bool judge_first_code(struct scan *l, const char *at, unsigned trait)
{
	l->code = true;
	if (is_version_token(at))
		return false;
	if (*at == '<')
		trait = HAS_PAGE;
	if (*at == '[') /* an attribute of HLSL */
		trait = trait_of(at + 1, effect_word_length(l->file, l->at + 1));
	if (at[0] == '!' && at[1] == '!')
		trait = HAS_OPENGL;
	l->other = trait != 0 || strncmp(at, "asm", 3) == 0 || l->traits & HAS_GLSL;
	/* Require a brace, since prose has words of HLSL, too. */
	l->bare = !l->other && !has_version(l->file) && memchr(l->file->text, '{', l->file->size);
	l->macro = !l->other && l->traits & HAS_C;
	l->first = l->traits ? l->first : l->at;
	l->traits |= trait;
	return l->other || l->macro || l->bare;
}

static void note_directive(struct scan *l)
{
	const char *at = l->file->text + l->at + 1;
	at += strspn(at, " \t");
	bool const c = strncmp(at, "include <", 9) == 0 || strncmp(at, "pragma once", 11) == 0;
	unsigned const trait = strncmp(at, "version", 7) == 0 ? HAS_GLSL : c ? HAS_C : 0;
	l->first = trait && !l->traits ? l->at : l->first;
	l->traits |= trait;
	l->at = scan_logical_line_end(l->file, l->at);
}

static void note_string(struct scan *l)
{
	size_t const to = scan_string(l->file, l->at);
	for (; l->at < to; l->at++)
		if (is_version_token(l->file->text + l->at))
			l->traits |= HAS_PROGRAM;
	l->traits |= HAS_QUOTES;
}

static void note_word(struct scan *l, size_t n, unsigned trait)
{
	const char *at = l->file->text + l->at;
	l->traits |= trait;
	if (n == 3 && memcmp(at, "asm", n) == 0 && at[n + strspn(at + n, " \t\r\n")] == '{')
		l->traits |= HAS_EFFECT;
	if (l->traits & HAS_QUOTES && is_version_token(at))
		l->traits |= HAS_PROGRAM;
	l->at += n;
}

static unsigned traits_of(struct scan *l)
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
			note_directive(l);
		} else if (!l->code && !judge_first_code(l, at, trait)) {
			return 0;
		} else if (n) {
			note_word(l, n, trait);
		} else if (*at == '"') {
			note_string(l);
		} else {
			l->at++;
		}
	}
	return l->bare ? l->traits & (HAS_GLSL | HAS_HLSL | HAS_EFFECT) : l->macro ? l->traits & HAS_PROGRAM : l->traits;
}

static bool report_foreign(const struct source *s, struct diags *diags, const char *rule, unsigned not_for)
{
	struct scan scan = {.file = s};
	if (trace_is(s)) {
		diag_add(diags, DIAG_ERROR, rule, s, SRCPOS_NONE,
		         "this looks like the text of a trace; --unpack takes the programs and pairs out of it");
		return true;
	}
	unsigned const traits = traits_of(&scan);
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !(traits & not_for); k++) {
		if (!(traits & kinds[k].trait))
			continue;
		diag_add(diags, DIAG_ERROR, rule, s, (srcpos)scan.first, "this looks like %s", kinds[k].what);
		return true;
	}
	return false;
}

bool foreign_tell(const struct source *s, struct diags *diags)
{
	return report_foreign(s, diags, "syntax", 0);
}

bool foreign_tell_of_effect(const struct source *s, struct diags *diags)
{
	return report_foreign(s, diags, "effect", HAS_EFFECT | HAS_PROGRAM);
}
