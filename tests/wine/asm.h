/* D3DXAssembleShader for the programs of this folder, with what Wine's lacks: the profiles
 * ps_2_a, ps_2_b, ps_2_sw, vs_2_a and vs_2_sw (read as _2_x), and the two constants of a pixel
 * program's sincos, which it refuses: they pass it as an add that follows the sincos, and are
 * put back into the bytecode. */
#ifndef FPMOVE_TESTS_WINE_ASM_H
#define FPMOVE_TESTS_WINE_ASM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <d3dx9.h>

/* The bytecode without comment tokens; `token` is null if there were messages or an error, and
 * `messages` then says what, line ends as " | ". Both are malloc's. */
struct code {
	DWORD *token;
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
	for (char *at = strstr(text, "ps_2_"); at && (at = strstr(at, "sincos")); at += 6) {
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

/* Instructions of models below 2 carry no length; but every parameter token has its top bit set
 * except the numbers of def and defi, and those two always have five parameters. */
static void asm_tokens(struct code *code, const DWORD *token, size_t n)
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
	asm_version(text);
	text = asm_sincos(text, &size);
	ID3DXBuffer *out = NULL, *said = NULL;
	HRESULT hr = D3DXAssembleShader(text, (UINT)size, NULL, NULL, 0, &out, &said);
	free(text);
	size_t bytes = out ? ID3DXBuffer_GetBufferSize(out) : 0;
	/* The assembler complains about some breaches and still returns S_OK. */
	if (SUCCEEDED(hr) && out && !said) {
		code.token = malloc(bytes);
		if (code.token)
			asm_tokens(&code, ID3DXBuffer_GetBufferPointer(out), bytes / sizeof(DWORD));
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

static void asm_free(struct code *code)
{
	free(code->token);
	free(code->messages);
	*code = (struct code){ 0 };
}

#endif
