/* Rewrites programs as Wine's assembler takes them, see spelling.h. */
#include "d3d9/spelling.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <windows.h>

#include <d3d9.h>

static size_t comment(const char *text)
{
	if (text[0] == '/' && text[1] == '*') {
		const char *end = strstr(text + 2, "*/");
		return end ? (size_t)(end + 2 - text) : strlen(text);
	}
	return text[0] == ';' || (text[0] == '/' && text[1] == '/') ? strcspn(text, "\n") : 0;
}

/* Appends a word in the case that Wine's assembler knows: capitals in names such as oPos, small letters elsewhere. */
static void add_word(struct text *t, const char *from, size_t n)
{
	static const char *const capital[] = {"oPos", "oFog", "oPts", "oDepth", "vPos", "vFace", "oC", "oD", "oT"};
	size_t const start = t->n;
	for (size_t i = 0; i < n; i++)
		text_char(t, (char)tolower((unsigned char)from[i]));
	char *to = t->at + start;
	for (size_t i = 0; i < sizeof capital / sizeof *capital; i++) {
		size_t const len = strlen(capital[i]);
		bool const whole = len > 2 ? n == len || from[len] == '_' : n > 2 && isdigit((unsigned char)to[2]);
		if (n >= len && _strnicmp(to, capital[i], len) == 0 && whole)
			memcpy(to, capital[i], len);
	}
}

/* Appends a number without exponent and without an F behind it.  Returns the number's length in `text`, with its F. */
static size_t spell_number(struct text *t, const char *text)
{
	char *behind;
	double const value = strtod(text, &behind);
	size_t const n = (size_t)(behind - text);
	if (memchr(text, 'e', n) || memchr(text, 'E', n))
		text_printf(t, "%.80f", value);
	else
		text_bytes(t, text, n);
	return n + (*behind == 'f' || *behind == 'F');
}

static struct text respelled(struct arena *a, const char *text, size_t size)
{
	struct text t = {.arena = a};
	const char *end = text + size;
	text_grow(&t, size);
	if (text[0] == '#' || strstr(text, "\n#")) {
		text_bytes(&t, text, size);
		return t;
	}
	while (text < end) {
		size_t n = comment(text);
		if (n == 0 && (isalpha((unsigned char)*text) || *text == '_')) {
			while (isalnum((unsigned char)text[n]) || text[n] == '_')
				n++;
			add_word(&t, text, n);
		} else if (n == 0 && isdigit((unsigned char)text[*text == '.'])) {
			n = spell_number(&t, text);
		} else {
			n = n ? n : 1;
			text_bytes(&t, text, n);
		}
		text += n;
	}
	return t;
}

static void respell_profile(char *text)
{
	static const char *const profile[] = {"ps_2_a", "ps_2_b", "ps_2_sw", "vs_2_a", "vs_2_sw"};
	for (size_t i = 0; i < sizeof profile / sizeof *profile; i++) {
		size_t const n = strlen(profile[i]);
		for (char *at = text; (at = strstr(at, profile[i])); at += n)
			if (at == text || at[-1] == '\n') {
				memset(at + 5, ' ', n - 5);
				at[5] = 'x';
			}
	}
}

/* Returns the second comma of the sincos at `sincos`, or NULL unless it has four operands and is the first word of its line. */
static const char *sincos_constants(const char *text, const char *sincos)
{
	const char *line = sincos, *second = NULL;
	size_t commas = 0;
	while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
		line--;
	if (line > text && line[-1] != '\n')
		return NULL;
	for (const char *p = sincos; *p && !strchr("\r\n;/", *p); p++)
		if (*p == ',' && ++commas == 2)
			second = p;
	return commas == 3 ? second : NULL;
}

/* Splits each `sincos d, s, c, c` behind the ps_2_* version into `sincos d, s` and `add r0, c, c`. */
static struct text without_sincos(struct arena *a, const struct text *from)
{
	struct text t = {.arena = a};
	const char *rest = from->at, *start = strstr(rest, "ps_2_");
	if (!start)
		start = strstr(rest, "ps.2.");
	for (const char *at = start; at && (at = strstr(at, "sincos")); at += 6) {
		const char *second = sincos_constants(from->at, at);
		if (!second)
			continue;
		text_bytes(&t, rest, (size_t)(second - rest));
		text_string(&t, " add r0,");
		rest = second + 1;
	}
	text_bytes(&t, rest, from->n - (size_t)(rest - from->at));
	return t;
}

/* Replaces `dcl vPos` by `dcl v9` and `dcl vFace` by `dcl v8`, with blanks that keep the length.  Returns which of them there were: bits
 * MISC_VPOS and MISC_VFACE. */
static unsigned respell_misc(char *text)
{
	unsigned found = 0;
	for (char *at = text; (at = strstr(at, "dcl")); at += 3) {
		char *name = at + 3 + strspn(at + 3, " \t");
		unsigned const which = strncmp(name, "vPos", 4) == 0 ? MISC_VPOS : strncmp(name, "vFace", 5) == 0 ? MISC_VFACE : 0;
		if (name == at + 3 || !which)
			continue;
		memcpy(name, which == MISC_VPOS ? "  v9" : "   v8", which == MISC_VPOS ? 4 : 5);
		found |= which;
	}
	return found;
}

struct text spelled(struct arena *a, const char *text, size_t size, unsigned *misc)
{
	struct text t = respelled(a, text, size);
	*misc = 0;
	if (!t.at)
		return t;
	respell_profile(t.at);
	if (strstr(t.at, "ps_3_"))
		*misc = respell_misc(t.at);
	return strstr(t.at, "sincos") ? without_sincos(a, &t) : t;
}

/* Returns the register token of a dcl, in which v9 and v8 become vPos and vFace again if respell_misc replaced these.  Only a dcl of usage
 * 0 is changed, which a dcl without a usage has. */
static uint32_t misc_token(const uint32_t *dcl, unsigned misc)
{
	enum { INPUT = 0x10000000, MISCTYPE = 0x10001000, NAME = 0x700018ff };
	uint32_t const name = dcl[2] & NAME, others = dcl[2] & ~(uint32_t)NAME;
	if (dcl[1] != 0x80000000)
		return dcl[2];
	if (misc & MISC_VPOS && name == (INPUT | 9))
		return others | MISCTYPE | D3DSMO_POSITION;
	return misc & MISC_VFACE && name == (INPUT | 8) ? others | MISCTYPE | D3DSMO_FACE : dcl[2];
}

/* Returns true if the tokens are a sincos that without_sincos split, and the add that follows it. */
static bool is_parted_sincos(const uint32_t *token, size_t n)
{
	static const uint32_t sincos = 0x02000025, add_r0[] = {0x03000002, 0x800f0000};
	return n >= 7 && token[0] == sincos && memcmp(token + 3, add_r0, sizeof add_r0) == 0;
}

/* Finds opcodes without using their lengths, which models below 2 lack: every parameter token has its top bit set except the numbers of def and
 * defi, and those two always have five parameters. */
size_t tokens_as_written(uint32_t *to, const uint32_t *token, size_t n, unsigned misc)
{
	enum { COMMENT = 0xfffe, SINCOS_FULL = 0x04000025 };
	uint32_t *const start = to;
	for (size_t i = 0; i < n;) {
		uint32_t const opcode = i > 0 && !(token[i] >> 31) ? token[i] & 0xffff : 0;
		if (opcode == COMMENT) {
			i += 1 + (token[i] >> 16);
		} else if (token[0] >> 16 == 0xffff && is_parted_sincos(token + i, n - i)) {
			uint32_t const whole[] = {SINCOS_FULL, token[i + 1], token[i + 2], token[i + 5], token[i + 6]};
			memcpy(to, whole, sizeof whole);
			to += 5;
			i += 7;
		} else if (misc && opcode == D3DSIO_DCL && i + 3 <= n) {
			uint32_t const whole[] = {token[i], token[i + 1], misc_token(token + i, misc)};
			memcpy(to, whole, sizeof whole);
			to += 3;
			i += 3;
		} else {
			for (size_t length = opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI ? 6 : 1; length && i < n; length--)
				*to++ = token[i++];
		}
	}
	return (size_t)(to - start);
}
