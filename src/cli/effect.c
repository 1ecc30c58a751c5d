/* Finding and replacing asm { } blocks, see effect.h.  The rest of the effect language
 * is stepped over: comments, strings, and braces to know where a pass ends. */
#include "cli/effect.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct scan {
	struct arena *arena;
	const char *p, *end;
	struct effect *effect;
};

struct word {
	const char *at;
	size_t n;
};

static bool is(struct word w, const char *name)
{
	return w.n == strlen(name) && strncasecmp(w.at, name, w.n) == 0;
}

/* Behind white space and comments; `;` starts one in assembly only. */
static const char *skip_blank(const char *p, const char *end, bool assembly)
{
	while (p < end) {
		if (isspace((unsigned char)*p)) {
			p++;
		} else if ((end - p > 1 && p[0] == '/' && p[1] == '/') || (assembly && *p == ';')) {
			const char *stop = memchr(p, '\n', (size_t)(end - p));
			p = stop ? stop : end;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			for (p += 2; p < end && !(p[0] == '*' && end - p > 1 && p[1] == '/'); p++)
				;
			p = p < end ? p + 2 : end;
		} else {
			break;
		}
	}
	return p;
}

static struct word take_word(struct scan *s)
{
	struct word w = {s->p, 0};
	while (s->p < s->end && (isalnum((unsigned char)*s->p) || *s->p == '_'))
		s->p++;
	w.n = (size_t)(s->p - w.at);
	return w;
}

/* At the brace of `asm {`; returns the block's number, or NO_BLOCK when it does not end. */
static int take_block(struct scan *s)
{
	const char *from = s->p + 1, *p = from;
	while (p < s->end && *p != '}') {
		const char *next = skip_blank(p, s->end, true);
		p = next > p ? next : p + 1;
	}
	if (p >= s->end) {
		s->p = s->end;
		return NO_BLOCK;
	}
	const struct source *file = s->effect->source;
	struct asm_block *b = &VEC_PUSH(s->arena, &s->effect->blocks);
	b->from = (size_t)(from - file->text);
	b->to = (size_t)(p - file->text);
	b->source = (struct source){.name = file->name, .text = arena_copy(s->arena, from, (size_t)(p - from)),
	                            .size = (size_t)(p - from), .first_line = source_line(file, (srcpos)b->from)};
	s->p = p + 1;
	return (int)s->effect->blocks.n - 1;
}

static int find_name(const struct effect *e, struct word w)
{
	for (uint32_t i = 0; i < e->blocks.n; i++)
		if (e->blocks.at[i].name && strlen(e->blocks.at[i].name) == w.n &&
		    memcmp(e->blocks.at[i].name, w.at, w.n) == 0)
			return (int)i;
	return NO_BLOCK;
}

/* Behind `vertexshader` or `pixelshader`: an assignment of a block, to a state of the
 * pass or to a variable, or the use of a variable. */
static void take_assignment(struct scan *s, bool vertex, struct effect_pass *pass)
{
	struct word name = {NULL, 0};
	s->p = skip_blank(s->p, s->end, false);
	if (s->p < s->end && (isalpha((unsigned char)*s->p) || *s->p == '_')) {
		name = take_word(s);
		s->p = skip_blank(s->p, s->end, false);
	}
	if (s->p >= s->end || *s->p != '=')
		return;
	s->p = skip_blank(s->p + 1, s->end, false);
	bool closed = s->p < s->end && (*s->p == '<' || *s->p == '(');
	if (closed)
		s->p = skip_blank(s->p + 1, s->end, false);
	struct word value = take_word(s);
	int block;
	if (is(value, "asm")) {
		s->p = skip_blank(s->p, s->end, false);
		block = s->p < s->end && *s->p == '{' ? take_block(s) : NO_BLOCK;
		if (block != NO_BLOCK && name.n)
			s->effect->blocks.at[block].name = arena_copy(s->arena, name.at, name.n);
	} else {
		block = find_name(s->effect, value);
	}
	if (pass && !name.n && block != NO_BLOCK) {
		*(vertex ? &pass->vs : &pass->ps) = block;
		s->effect->blocks.at[block].passes++;
	}
}

struct effect effect_find(struct arena *a, const struct source *source)
{
	struct effect e = {.source = source};
	struct scan s = {a, source->text, source->text + source->size, &e};
	unsigned depth = 0, pass_depth = 0; /* of the pass's brace; 0: in no pass */
	bool pass_opens = false;
	while ((s.p = skip_blank(s.p, s.end, false)) < s.end) {
		char c = *s.p;
		if (c == '"') {
			for (s.p++; s.p < s.end && *s.p != '"' && *s.p != '\n'; s.p++)
				s.p += *s.p == '\\' && s.end - s.p > 1;
			s.p += s.p < s.end;
		} else if (c == '{') {
			depth++;
			if (pass_opens)
				pass_depth = depth;
			pass_opens = false;
			s.p++;
		} else if (c == '}') {
			if (pass_depth == depth)
				pass_depth = 0;
			depth -= depth > 0;
			s.p++;
		} else if (isalpha((unsigned char)c) || c == '_') {
			struct word w = take_word(&s);
			struct effect_pass *pass = pass_depth ? &e.passes.at[e.passes.n - 1] : NULL;
			if (is(w, "pass") && !pass) {
				srcpos at = (srcpos)(w.at - source->text);
				s.p = skip_blank(s.p, s.end, false);
				struct word name = take_word(&s);
				VEC_PUSH(a, &e.passes) = (struct effect_pass){
					name.n ? arena_copy(a, name.at, name.n) : NULL, at, NO_BLOCK, NO_BLOCK};
				pass_opens = true;
			} else if (is(w, "vertexshader") || is(w, "pixelshader")) {
				take_assignment(&s, is(w, "vertexshader"), pass);
			} else if (is(w, "asm")) {
				s.p = skip_blank(s.p, s.end, false);
				if (s.p < s.end && *s.p == '{')
					take_block(&s);
			}
		} else {
			s.p++;
		}
	}
	return e;
}

const char *effect_version(struct arena *a, const struct asm_block *b)
{
	const char *p = b->source.text, *end = p + b->source.size;
	p = skip_blank(p, end, true);
	size_t n = 0;
	while (p + n < end && (isalnum((unsigned char)p[n]) || p[n] == '_' || p[n] == '.'))
		n++;
	char *version = arena_copy(a, p, n);
	for (char *c = version; *c; c++)
		*c = *c == '.' ? '_' : (char)tolower((unsigned char)*c);
	return version;
}

/* Blanks at the start of the line that holds `at`. */
static struct word indent_at(const char *text, size_t at)
{
	size_t start = at;
	while (start > 0 && text[start - 1] != '\n')
		start--;
	return (struct word){text + start, strspn(text + start, " \t")};
}

void effect_print(struct text *t, const struct effect *e)
{
	const char *file = e->source->text;
	bool crlf = strstr(file, "\r\n") != NULL;
	size_t done = 0;
	for (uint32_t i = 0; i < e->blocks.n; i++) {
		const struct asm_block *b = &e->blocks.at[i];
		if (!b->rewritten)
			continue;
		text_bytes(t, file + done, b->from - done);
		const char *first = skip_blank(file + b->from, file + b->to, true);
		struct word outer = indent_at(file, b->from), inner = indent_at(file, (size_t)(first - file));
		bool deeper = inner.at > outer.at;
		for (const char *p = b->rewritten; *p;) {
			size_t n = strcspn(p, "\n");
			text_string(t, crlf ? "\r\n" : "\n");
			if (n) {
				struct word indent = deeper ? inner : outer;
				text_bytes(t, indent.at, indent.n);
				if (!deeper)
					text_char(t, '\t');
				text_bytes(t, p, n);
			}
			p += n + (p[n] == '\n');
		}
		text_string(t, crlf ? "\r\n" : "\n");
		text_bytes(t, outer.at, outer.n);
		done = b->to;
	}
	text_bytes(t, file + done, e->source->size - done);
}
