/* D3DXAssembleShader for the programs of this folder, with what Wine's lacks:
 * - letters of the wrong case, exponents and a capital F behind numbers, all of which the
 *   language has, are written its way (in texts without preprocessor lines);
 * - the profiles ps_2_a, ps_2_b, ps_2_sw, vs_2_a and vs_2_sw are read as _2_x;
 * - dcl of vPos and vFace is refused: they pass it as v9 and v8 without a usage, and are put back;
 * - a pixel program's sincos of model 2 is refused with its two constants: they pass it as an add that
 *   follows the sincos, and are put back into the bytecode. */
#ifndef FPMOVE_TESTS_WINE_ASM_H
#define FPMOVE_TESTS_WINE_ASM_H

#define __USE_MINGW_ANSI_STDIO 1
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <d3dx9.h>

/* The bytecode without comment tokens; `token` is null if there were messages or an error, and
 * `messages` then says what, line ends as " | ". `whole` is what the file holds if that is bytecode, with
 * its comments. All are malloc's. */
struct code {
	DWORD *token, *whole;
	size_t tokens;
	char *messages;
};

/* The whole file, NUL-terminated, or null; *size without the NUL. */
static char *asm_slurp(const char *name, size_t *size)
{
	FILE *f = fopen(name, "rb");
	if (!f)
		return NULL;
	char *text = NULL;
	long end;
	if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0 &&
	    (text = malloc((size_t)end + 1))) {
		*size = fread(text, 1, (size_t)end, f);
		text[*size] = '\0';
	}
	fclose(f);
	return text;
}

static size_t asm_comment(const char *text)
{
	if (text[0] == '/' && text[1] == '*') {
		const char *end = strstr(text + 2, "*/");
		return end ? (size_t)(end + 2 - text) : strlen(text);
	}
	return text[0] == ';' || (text[0] == '/' && text[1] == '/') ? strcspn(text, "\n") : 0;
}

/* A word in the spelling that Wine knows. */
static char *asm_word(char *to, const char *from, size_t n)
{
	static const char *const capital[] = { "oPos", "oFog", "oPts", "oDepth", "vPos", "vFace", "oC", "oD", "oT" };
	for (size_t i = 0; i < n; i++)
		to[i] = (char)tolower((unsigned char)from[i]);
	for (size_t i = 0; i < sizeof capital / sizeof *capital; i++) {
		size_t len = strlen(capital[i]);
		if (n >= len && _strnicmp(to, capital[i], len) == 0 && (len > 2 ? n == len || from[len] == '_' : n > 2 && isdigit((unsigned char)to[2])))
			memcpy(to, capital[i], len);
	}
	return to + n;
}

/* A new text, malloc's, with its size without the NUL; null if memory is out. */
static char *asm_spelling(const char *text, size_t *size)
{
	enum { NUMBER = 128 }; /* digits of the longest number, of which each takes two characters at least */
	char *out = malloc((*size + 1) * NUMBER), *to = out;
	if (!out)
		return NULL;
	if (text[0] == '#' || strstr(text, "\n#")) {
		memcpy(out, text, *size + 1);
		return out;
	}
	const char *end = text + *size;
	while (text < end) {
		size_t n = asm_comment(text);
		if (n == 0 && (isalpha((unsigned char)*text) || *text == '_')) {
			while (isalnum((unsigned char)text[n]) || text[n] == '_')
				n++;
			to = asm_word(to, text, n);
		} else if (n == 0 && isdigit((unsigned char)text[*text == '.'])) {
			char *behind;
			double value = strtod(text, &behind);
			n = (size_t)(behind - text);
			if (memchr(text, 'e', n) || memchr(text, 'E', n)) {
				to += sprintf(to, "%.80f", value);
			} else {
				memcpy(to, text, n);
				to += n;
			}
			n += *behind == 'f' || *behind == 'F';
		} else {
			n = n ? n : 1;
			memcpy(to, text, n);
			to += n;
		}
		text += n;
	}
	*to = '\0';
	*size = (size_t)(to - out);
	return out;
}

static void asm_version(char *text)
{
	static const char *const profile[] = { "ps_2_a", "ps_2_b", "ps_2_sw", "vs_2_a", "vs_2_sw" };
	for (size_t i = 0; i < sizeof profile / sizeof *profile; i++) {
		size_t n = strlen(profile[i]);
		for (char *at = text; (at = strstr(at, profile[i])); at += n)
			if (at == text || at[-1] == '\n') {
				memset(at + 5, ' ', n - 5);
				at[5] = 'x';
			}
	}
}

/* `sincos d, s, c, c` of a pixel program becomes `sincos d, s add r0, c, c`.  The result is
 * malloc's; `text` must be.  Only for a sincos that is the first word of its line. */
static char *asm_sincos(char *text, size_t *size)
{
	static const char add[] = " add r0,";
	char *start = strstr(text, "ps_2_");
	if (!start)
		start = strstr(text, "ps.2.");
	for (char *at = start; at && (at = strstr(at, "sincos")); at += 6) {
		const char *line = at;
		while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if (line > text && line[-1] != '\n')
			continue;
		size_t commas = 0;
		char *second = NULL;
		for (char *p = at; *p && !strchr("\r\n;/", *p); p++)
			if (*p == ',' && ++commas == 2)
				second = p;
		if (commas != 3)
			continue;
		size_t head = (size_t)(second - text), from = (size_t)(at - text);
		char *wider = realloc(text, *size + sizeof add);
		if (!wider)
			return text;
		text = wider;
		memmove(text + head + sizeof add - 1, text + head + 1, *size - head);
		memcpy(text + head, add, sizeof add - 1);
		*size += sizeof add - 2;
		at = text + from;
	}
	return text;
}

enum { VPOS = 1, VFACE = 2 };

/* `dcl vPos` becomes `dcl v9`, `dcl vFace` `dcl v8`, in as many characters.  Says which of them there were. */
static unsigned asm_misc(char *text)
{
	unsigned found = 0;
	for (char *at = text; (at = strstr(at, "dcl")); at += 3) {
		char *name = at + 3 + strspn(at + 3, " \t");
		unsigned which = strncmp(name, "vPos", 4) == 0 ? VPOS : strncmp(name, "vFace", 5) == 0 ? VFACE : 0;
		if (name == at + 3 || !which)
			continue;
		memcpy(name, which == VPOS ? "  v9" : "   v8", which == VPOS ? 4 : 5);
		found |= which;
	}
	return found;
}

/* The register of such a dcl, whose usage is 0, as those of the model are. */
static DWORD asm_misc_token(const DWORD *dcl, unsigned misc)
{
	enum { INPUT = 0x10000000, MISCTYPE = 0x10001000, NAME = 0x700018ff };
	DWORD name = dcl[2] & NAME, others = dcl[2] & ~(DWORD)NAME;
	if (dcl[1] != 0x80000000)
		return dcl[2];
	if (misc & VPOS && name == (INPUT | 9))
		return others | MISCTYPE | D3DSMO_POSITION;
	return misc & VFACE && name == (INPUT | 8) ? others | MISCTYPE | D3DSMO_FACE : dcl[2];
}

/* Instructions of models below 2 carry no length; but every parameter token has its top bit set
 * except the numbers of def and defi, and those two always have five parameters. */
static void asm_tokens(struct code *code, const DWORD *token, size_t n, unsigned misc)
{
	enum { COMMENT = 0xfffe, SINCOS = 0x02000025, SINCOS_FULL = 0x04000025, ADD = 0x03000002, R0 = 0x800f0000 };
	for (size_t i = 0; i < n;) {
		DWORD opcode = i > 0 && !(token[i] >> 31) ? token[i] & 0xffff : 0;
		if (opcode == COMMENT) {
			i += 1 + (token[i] >> 16);
			continue;
		}
		if (token[0] >> 16 == 0xffff && i + 7 <= n && token[i] == SINCOS && token[i + 3] == ADD &&
		    token[i + 4] == R0) {
			DWORD whole[] = { SINCOS_FULL, token[i + 1], token[i + 2], token[i + 5], token[i + 6] };
			memcpy(code->token + code->tokens, whole, sizeof whole);
			code->tokens += 5;
			i += 7;
			continue;
		}
		if (misc && opcode == D3DSIO_DCL && i + 3 <= n) {
			DWORD whole[] = { token[i], token[i + 1], asm_misc_token(token + i, misc) };
			memcpy(code->token + code->tokens, whole, sizeof whole);
			code->tokens += 3;
			i += 3;
			continue;
		}
		size_t length = opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI ? 6 : 1;
		for (; length && i < n; length--)
			code->token[code->tokens++] = token[i++];
	}
}

static char *asm_messages(HRESULT hr, const char *text, size_t n)
{
	char *line = malloc(3 * n + 16), *p = line;
	if (!line)
		return NULL;
	p += sprintf(p, "%08lx ", (unsigned long)hr);
	for (size_t i = 0; i < n && text[i]; i++) {
		if (text[i] == '\n')
			p += sprintf(p, "%s", i + 1 < n && text[i + 1] ? " | " : "");
		else if (text[i] != '\r')
			*p++ = text[i] == '\t' ? ' ' : text[i];
	}
	*p = '\0';
	return line;
}

static struct code asm_file(const char *name)
{
	struct code code = { 0 };
	size_t size;
	char *text = asm_slurp(name, &size);
	if (!text) {
		code.messages = _strdup("cannot be read");
		return code;
	}
	if (size >= 8 && (memcmp(text + 2, "\xfe\xff", 2) == 0 || memcmp(text + 2, "\xff\xff", 2) == 0)) {
		code.whole = (DWORD *)(void *)text;
		code.token = malloc(size);
		if (code.token)
			asm_tokens(&code, code.whole, size / sizeof(DWORD), 0);
		return code;
	}
	char *spelt = asm_spelling(text, &size);
	free(text);
	if (!spelt) {
		code.messages = _strdup("out of memory");
		return code;
	}
	text = spelt;
	asm_version(text);
	unsigned const misc = strstr(text, "ps_3_") ? asm_misc(text) : 0;
	text = asm_sincos(text, &size);
	ID3DXBuffer *out = NULL, *said = NULL;
	HRESULT hr = D3DXAssembleShader(text, (UINT)size, NULL, NULL, 0, &out, &said);
	free(text);
	size_t bytes = out ? ID3DXBuffer_GetBufferSize(out) : 0;
	/* The assembler complains about some breaches and still returns S_OK. */
	if (SUCCEEDED(hr) && out && !said) {
		code.token = malloc(bytes);
		if (code.token)
			asm_tokens(&code, ID3DXBuffer_GetBufferPointer(out), bytes / sizeof(DWORD), misc);
	} else {
		code.messages = said ? asm_messages(hr, ID3DXBuffer_GetBufferPointer(said),
		                                    ID3DXBuffer_GetBufferSize(said)) : asm_messages(hr, "", 0);
	}
	if (out)
		ID3DXBuffer_Release(out);
	if (said)
		ID3DXBuffer_Release(said);
	return code;
}

static inline struct code asm_copy(const struct code *from)
{
	struct code code = { .token = malloc(from->tokens * sizeof *code.token), .tokens = from->tokens };
	if (code.token)
		memcpy(code.token, from->token, from->tokens * sizeof *code.token);
	return code;
}

static void asm_free(struct code *code)
{
	free(code->token);
	free(code->whole);
	free(code->messages);
	*code = (struct code){ 0 };
}

#endif
