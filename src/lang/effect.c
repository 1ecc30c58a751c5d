/* Effect files, see effect.h.
 *
 * An effect file is mostly HLSL and render states.  Only as much of it is read as tells where
 * programs are and who uses them: braces, `technique` and `pass`, assignments to vertexshader
 * and pixelshader, and variables of these types.  Keywords come in any letter case. */
#include "lang/effect.h"

#include "lang/encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A pass that names a variable, until all are known. */
struct reference {
	uint32_t pass;
	enum stage stage;
	const char *name;
	uint32_t element;
	srcpos at;
};

/* The statement being read. */
struct statement {
	bool shader;       /* it has the word vertexshader or pixelshader */
	enum stage stage;
	const char *name;  /* of the variable, or what is assigned */
	bool assigned;     /* '=' was seen */
	bool compiled;     /* HLSL */
	bool filled;       /* a block stood there */
	uint32_t element;  /* of the array that is initialised, or in [] behind the name */
	srcpos at;
};

struct reader {
	struct arena *arena;
	struct diags *diags;
	const struct source *file;
	struct effect *effect;
	struct { VEC(struct reference); } references;
	size_t at, end;
	bool line_start;     /* only blanks before `at` on its line */
	bool directives;     /* a line starts with # */
	unsigned depth;      /* of braces */
	unsigned pass_depth; /* inside the braces of the pass; 0: in no pass */
	const char *technique;
	bool opens_pass;     /* `pass` was read and its brace is still to come */
	struct statement statement;
};

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_OTHER };

static bool word_start(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool same_word(const char *text, size_t n, const char *lower_case)
{
	for (size_t i = 0; i < n; i++) {
		char c = text[i];
		if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != lower_case[i])
			return false; /* also at the end of a shorter one */
	}
	return lower_case[n] == '\0';
}

/* ---- tokens ---------------------------------------------------------------- */

static size_t line_end(const struct reader *r, size_t at)
{
	const char *newline = memchr(r->file->text + at, '\n', r->end - at);
	return newline ? (size_t)(newline - r->file->text) : r->end;
}

/* Past the line at `at` and those that backslashes join to it. */
static size_t logical_line_end(const struct reader *r, size_t at)
{
	for (;;) {
		size_t stop = line_end(r, at), last = stop;
		while (last > at && r->file->text[last - 1] == '\r')
			last--;
		if (stop == r->end || last == at || r->file->text[last - 1] != '\\')
			return stop;
		at = stop + 1;
	}
}

/* Past a comment at `at`, or `at`.  `assembly`: `;` starts one, too. */
static size_t skip_comment(const struct reader *r, size_t at, bool assembly)
{
	const char *text = r->file->text;
	if ((assembly && text[at] == ';') || (text[at] == '/' && text[at + 1] == '/'))
		return line_end(r, at);
	if (text[at] == '/' && text[at + 1] == '*') {
		for (at += 2; at < r->end; at++)
			if (text[at] == '*' && text[at + 1] == '/')
				return at + 2;
	}
	return at;
}

/* Past a string of one line; without its closing mark it is no string. */
static size_t skip_string(const struct reader *r, size_t at)
{
	const char *text = r->file->text;
	char mark = text[at];
	for (size_t i = at + 1; i < r->end && text[i] != '\n'; i++) {
		if (text[i] == '\\' && i + 1 < r->end)
			i++;
		else if (text[i] == mark)
			return i + 1;
	}
	return at + 1;
}

/* The next token starts at *from and ends at r->at. */
static enum token next_token(struct reader *r, size_t *from)
{
	const char *text = r->file->text;
	while (r->at < r->end) {
		char c = text[r->at];
		size_t past = skip_comment(r, r->at, false);
		if (past > r->at) {
			r->at = past;
		} else if (c == '\n') {
			r->line_start = true;
			r->at++;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
			r->at++;
		} else if (c == '#' && r->line_start) {
			r->directives = true;
			r->at = logical_line_end(r, r->at);
		} else if (c == '"' || c == '\'') {
			r->at = skip_string(r, r->at);
		} else {
			break;
		}
	}
	r->line_start = false;
	*from = r->at;
	if (r->at >= r->end)
		return TOKEN_END;
	if (word_start(text[r->at])) {
		while (r->at < r->end && (word_start(text[r->at]) || digit(text[r->at])))
			r->at++;
		return TOKEN_WORD;
	}
	if (digit(text[r->at])) {
		while (r->at < r->end && (word_start(text[r->at]) || digit(text[r->at]) || text[r->at] == '.'))
			r->at++;
		return TOKEN_NUMBER;
	}
	r->at++;
	return TOKEN_OTHER;
}

/* ---- blocks and passes ------------------------------------------------------- */

static void use_block(struct reader *r, int block)
{
	struct effect_pass *pass = &r->effect->passes.at[r->effect->passes.n - 1];
	if (r->statement.stage == STAGE_VERTEX)
		pass->vs = block;
	else
		pass->ps = block;
}

/* `asm` was read; if a brace follows, all up to the closing one is a program. */
static void read_block(struct reader *r, size_t at)
{
	const char *text = r->file->text;
	size_t from;
	struct reader before = *r;
	if (next_token(r, &from) != TOKEN_OTHER || text[from] != '{') {
		*r = before;
		return;
	}
	size_t to = from + 1;
	while (to < r->end && text[to] != '}') {
		size_t past = skip_comment(r, to, true);
		if (to == 0 || text[to - 1] == '\n') {
			size_t blank = to;
			while (blank < r->end && (text[blank] == ' ' || text[blank] == '\t'))
				blank++;
			r->directives |= blank < r->end && text[blank] == '#';
		}
		to = past > to ? past : to + 1;
	}
	if (to >= r->end) {
		diag_add(r->diags, DIAG_ERROR, "effect", r->file, (srcpos)at, "this asm block is never closed");
		r->at = r->end;
		return;
	}
	r->at = to + 1;
	bool variable = r->statement.shader && !r->pass_depth;
	VEC_PUSH(r->arena, &r->effect->blocks) =
		(struct effect_block){.at = (srcpos)at, .from = (srcpos)from + 1, .to = (srcpos)to, .model = MODEL_COUNT,
	                              .name = variable ? r->statement.name : NULL, .element = r->statement.element};
	if (r->statement.shader && r->pass_depth)
		use_block(r, (int)r->effect->blocks.n - 1);
	r->statement.filled = true;
}

/* `vertexshader = ( name[2] )` in a pass is a reference; the block may come later. */
static void end_statement(struct reader *r)
{
	struct statement *s = &r->statement;
	if (s->shader && r->pass_depth && s->assigned && !s->filled && !s->compiled && s->name)
		VEC_PUSH(r->arena, &r->references) =
			(struct reference){r->effect->passes.n - 1, s->stage, s->name, s->element, s->at};
	*s = (struct statement){0};
}

static const char *copy_word(struct reader *r, size_t from)
{
	return arena_copy(r->arena, r->file->text + from, r->at - from);
}

/* The name behind `technique` or `pass`, if there is one. */
static const char *optional_name(struct reader *r)
{
	struct reader before = *r;
	size_t from;
	if (next_token(r, &from) == TOKEN_WORD)
		return copy_word(r, from);
	*r = before;
	return "";
}

static void take_word(struct reader *r, size_t from)
{
	const char *word = r->file->text + from;
	size_t n = r->at - from;
	struct statement *s = &r->statement;
	if (same_word(word, n, "asm")) {
		read_block(r, from);
	} else if (!s->shader && same_word(word, n, "technique") && r->depth == 0) {
		r->technique = optional_name(r);
	} else if (!s->shader && same_word(word, n, "pass") && r->technique && !r->pass_depth) {
		VEC_PUSH(r->arena, &r->effect->passes) = (struct effect_pass){
			.technique = r->technique, .at = (srcpos)from, .vs = EFFECT_NONE, .ps = EFFECT_NONE};
		const char *name = optional_name(r);
		r->effect->passes.at[r->effect->passes.n - 1].name = name;
		r->opens_pass = true;
	} else if (same_word(word, n, "vertexshader") || same_word(word, n, "pixelshader")) {
		*s = (struct statement){.shader = true, .at = (srcpos)from,
		                        .stage = *word == 'v' || *word == 'V' ? STAGE_VERTEX : STAGE_PIXEL};
	} else if (s->shader && s->assigned && same_word(word, n, "compile")) {
		s->compiled = true;
	} else if (s->shader && (r->pass_depth ? s->assigned && !s->name && !same_word(word, n, "null") : !s->assigned)) {
		s->name = copy_word(r, from);
	}
}

static void take_other(struct reader *r, char c)
{
	switch (c) {
	case '{':
		r->depth++;
		if (r->opens_pass) {
			r->opens_pass = false;
			r->pass_depth = r->depth;
		}
		break;
	case '}':
		if (r->pass_depth && r->depth == r->pass_depth) {
			end_statement(r);
			r->pass_depth = 0;
		}
		if (r->depth)
			r->depth--;
		if (r->depth == 0 && !r->statement.assigned)
			r->technique = NULL;
		break;
	case ';': end_statement(r); break;
	case '=':
		r->statement.assigned = true;
		r->statement.element = 0;
		break;
	case ',': r->statement.element++; break;
	default: break;
	}
}

static void take_number(struct reader *r, size_t from)
{
	uint32_t value = 0;
	for (; from < r->at && digit(r->file->text[from]) && value < 100000; from++)
		value = value * 10 + (uint32_t)(r->file->text[from] - '0');
	if (r->statement.shader && r->pass_depth && r->statement.assigned)
		r->statement.element = value;
}

static void resolve(struct reader *r)
{
	struct effect *e = r->effect;
	for (uint32_t i = 0; i < r->references.n; i++) {
		const struct reference *ref = &r->references.at[i];
		for (uint32_t k = 0; k < e->blocks.n; k++) {
			const struct effect_block *b = &e->blocks.at[k];
			if (!b->name || b->element != ref->element || strcmp(b->name, ref->name) != 0)
				continue;
			if (ref->stage == STAGE_VERTEX)
				e->passes.at[ref->pass].vs = (int)k;
			else
				e->passes.at[ref->pass].ps = (int)k;
		}
	}
}

/* ---- the blocks' texts ---------------------------------------------------------- */

/* As much of the start of its line as is blank. */
static const char *line_of(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return text + at;
}

static void cut_blocks(struct reader *r)
{
	const char *text = r->file->text;
	uint32_t line = r->file->first_line ? r->file->first_line : 1;
	size_t counted = 0;
	for (uint32_t k = 0; k < r->effect->blocks.n; k++) {
		struct effect_block *b = &r->effect->blocks.at[k];
		for (; counted < b->from; counted++)
			line += text[counted] == '\n';
		struct line_mark *mark = arena_zero(r->arena, sizeof *mark);
		*mark = (struct line_mark){0, line, r->file->name, line_of(text, b->from)};
		b->source = (struct source){.name = r->file->name, .size = b->to - b->from, .marks = mark, .nmarks = 1,
		                            .text = arena_copy(r->arena, text + b->from, b->to - b->from)};
		b->live = true;
	}
}

static const char mark_word[] = "fpmove_block_";
static const char mark_format[] = " fpmove_block_%u_%s ";

/* The file for the preprocessor: directives and blocks, all else blank, every line in its
 * place; words mark where blocks begin and end. */
static void mask_file(struct reader *r, struct text *out)
{
	const char *text = r->file->text;
	uint32_t k = 0;
	bool start = true;
	for (size_t i = 0; i < r->end; i++) {
		const struct effect_block *b = k < r->effect->blocks.n ? &r->effect->blocks.at[k] : NULL;
		if (b && i + 1 == b->from) {
			text_printf(out, mark_format, (unsigned)k, "from");
			text_bytes(out, text + b->from, b->to - b->from);
			text_printf(out, mark_format, (unsigned)k, "to");
			i = b->to;
			k++;
			start = false;
			continue;
		}
		size_t past = skip_comment(r, i, false);
		if (past == i && (text[i] == '"' || text[i] == '\''))
			past = skip_string(r, i);
		if (start && text[i] == '#') {
			past = logical_line_end(r, i);
			text_bytes(out, text + i, past - i);
			i = past - 1;
			continue;
		}
		if (past == i)
			past = i + 1;
		for (; i < past; i++) {
			start = text[i] == '\n' || (start && (text[i] == ' ' || text[i] == '\t'));
			text_char(out, text[i] == '\n' ? '\n' : ' ');
		}
		i--;
	}
}

/* Goes through a source's text once. */
struct cursor {
	const struct source *source;
	size_t at;
	uint32_t marks;        /* those at or before `at` */
	struct line_mark line; /* that `at` is on */
};

static void advance(struct cursor *c, size_t to)
{
	const struct source *s = c->source;
	for (; c->marks < s->nmarks && s->marks[c->marks].at <= to; c->marks++) {
		c->line = s->marks[c->marks];
		c->at = c->line.at;
	}
	for (; c->at < to; c->at++) {
		if (s->text[c->at] != '\n')
			continue;
		c->line.line++;
		c->line.text = line_after(c->line.text);
	}
}

/* [from, to) of the cursor's source, from its place on, as a source of its own. */
static struct source slice(struct arena *arena, struct cursor *c, size_t from, size_t to)
{
	const struct source *s = c->source;
	struct { VEC(struct line_mark); } marks = {0};
	advance(c, from);
	VEC_PUSH(arena, &marks) = c->line;
	marks.at[0].at = 0;
	for (uint32_t i = c->marks; i < s->nmarks && s->marks[i].at < to; i++) {
		struct line_mark mark = s->marks[i];
		mark.at -= (srcpos)from;
		VEC_PUSH(arena, &marks) = mark;
	}
	return (struct source){.name = s->name, .text = arena_copy(arena, s->text + from, to - from), .size = to - from,
	                       .marks = marks.at, .nmarks = marks.n};
}

static bool expand_blocks(struct reader *r, const struct preprocess_options *options)
{
	struct text masked = {.arena = r->arena};
	text_string(&masked, "");
	mask_file(r, &masked);
	uint32_t line = r->file->first_line ? r->file->first_line : 1;
	struct line_mark written = {0, line, r->file->name, r->file->text};
	struct source in = {.name = r->file->name, .text = masked.at, .size = masked.n, .marks = &written, .nmarks = 1};
	struct source *out = arena_zero(r->arena, sizeof *out);
	if (!preprocess(r->arena, &in, options, out, r->diags))
		return false;
	r->effect->includes = out->includes;
	r->effect->nincludes = out->nincludes;
	const char *at = out->text;
	struct cursor cursor = {.source = out, .line = {0, 1, out->name, NULL}};
	while ((at = strstr(at, mark_word)) != NULL) {
		char *rest, to_word[48];
		unsigned long k = strtoul(at + sizeof mark_word - 1, &rest, 10);
		at = rest;
		if (k >= r->effect->blocks.n || strncmp(rest, "_from", 5) != 0)
			continue;
		snprintf(to_word, sizeof to_word, "%s%lu_to", mark_word, k);
		struct effect_block *b = &r->effect->blocks.at[k];
		const char *from = rest + 5, *to = b->live ? NULL : strstr(from, to_word);
		if (!to)
			break; /* words of the user's that look like ours */
		b->source = slice(r->arena, &cursor, (size_t)(from - out->text), (size_t)(to - out->text));
		b->live = true;
		at = to;
	}
	return true;
}

/* The model of the version token that a block starts with. */
static enum model model_of(const struct source *s)
{
	struct reader r = {.file = s, .end = s->size};
	size_t at = 0;
	for (;;) {
		size_t past = skip_comment(&r, at, true);
		if (past > at)
			at = past;
		else if (at < s->size && strchr(" \t\r\n\f\v", s->text[at]) && s->text[at])
			at++;
		else
			break;
	}
	for (unsigned m = 0; m < MODEL_COUNT; m++) {
		size_t n = strlen(models[m].name);
		char name[16];
		if (s->size - at < n || (at + n < s->size && (word_start(s->text[at + n]) || digit(s->text[at + n]))))
			continue;
		for (size_t i = 0; i < n; i++)
			name[i] = s->text[at + i] == '.' ? '_' : s->text[at + i];
		if (same_word(name, n, models[m].name))
			return (enum model)m;
	}
	return MODEL_COUNT;
}

/* ---- pairs ---------------------------------------------------------------------- */

static bool fits(const struct effect *e, int block, enum stage stage)
{
	const struct effect_block *b = &e->blocks.at[block];
	return b->live && b->model != MODEL_COUNT && models[b->model].stage == stage;
}

/* Is a program of the pass left out by conditions? */
static bool left_out(const struct effect *e, const struct effect_pass *pass)
{
	return (pass->vs != EFFECT_NONE && !e->blocks.at[pass->vs].live) ||
	       (pass->ps != EFFECT_NONE && !e->blocks.at[pass->ps].live);
}

enum { MANY = -2 };

/* `partner` of each block: the one it is drawn with, EFFECT_NONE or MANY. */
static const char *why_not(const struct effect *e, const struct effect_pass *pass, const int *partner)
{
	if (pass->vs == EFFECT_NONE && pass->ps == EFFECT_NONE)
		return NULL; /* nothing to say about HLSL and fixed function */
	if (left_out(e, pass))
		return NULL;
	if (pass->vs == EFFECT_NONE || pass->ps == EFFECT_NONE)
		return pass->vs == EFFECT_NONE ? "it has no vertex program in assembly"
		                               : "it has no pixel program in assembly";
	if (!fits(e, pass->vs, STAGE_VERTEX))
		return "its vertex program is of a model that is not read here";
	if (!fits(e, pass->ps, STAGE_PIXEL))
		return "its pixel program is of a model that is not read here";
	if (partner[pass->vs] == MANY)
		return "its vertex program is drawn with other pixel programs, too";
	if (partner[pass->ps] == MANY)
		return "its pixel program is drawn with other vertex programs, too";
	return "";
}

bool effect_find_pairs(struct arena *arena, struct effect *e, struct diags *diags)
{
	int *partner = arena_alloc(arena, (e->blocks.n + 1) * sizeof *partner);
	bool *paired = arena_zero(arena, (e->blocks.n + 1) * sizeof *paired);
	for (uint32_t k = 0; k < e->blocks.n; k++)
		partner[k] = EFFECT_NONE;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		int vs = e->passes.at[k].vs, ps = e->passes.at[k].ps;
		if (left_out(e, &e->passes.at[k]))
			continue;
		/* Fixed function, and HLSL, are partners as well: a program that they use must stay. */
		if (vs != EFFECT_NONE)
			partner[vs] = partner[vs] == EFFECT_NONE || partner[vs] == ps ? ps : MANY;
		if (ps != EFFECT_NONE)
			partner[ps] = partner[ps] == EFFECT_NONE || partner[ps] == vs ? vs : MANY;
		if (vs != EFFECT_NONE && ps == EFFECT_NONE)
			partner[vs] = MANY;
		if (ps != EFFECT_NONE && vs == EFFECT_NONE)
			partner[ps] = MANY;
	}
	for (uint32_t k = 0; k < e->passes.n; k++) {
		const struct effect_pass *pass = &e->passes.at[k];
		const char *why = why_not(e, pass, partner);
		if (!why)
			continue;
		if (*why) {
			diag_add(diags, DIAG_NOTE, "effect", e->file, pass->at, "this pass stays as it is: %s", why);
			continue;
		}
		if (!paired[pass->vs])
			VEC_PUSH(arena, &e->pairs) = (struct effect_pair){pass->vs, pass->ps, pass};
		paired[pass->vs] = true;
	}
	if (e->passes.n == 0 && e->blocks.n == 2) {
		int vs = fits(e, 0, STAGE_VERTEX) ? 0 : 1;
		if (fits(e, vs, STAGE_VERTEX) && fits(e, 1 - vs, STAGE_PIXEL))
			VEC_PUSH(arena, &e->pairs) = (struct effect_pair){vs, 1 - vs, NULL};
	}
	if (e->pairs.n)
		return true;
	diag_add(diags, DIAG_ERROR, "effect", e->file, SRCPOS_NONE, "%s",
	         e->blocks.n == 0 ? "no asm { } block here: programs in HLSL are not read"
	                          : "no pass here has both a vertex and a pixel program in assembly that can be rewritten");
	return false;
}

struct effect *effect_read(struct arena *arena, const struct source *file, const struct preprocess_options *options,
                           struct diags *diags)
{
	uint32_t errors = diags->errors;
	if (!encoding_readable(file, diags))
		return NULL;
	struct reader r = {.arena = arena, .diags = diags, .file = file, .line_start = true, .at = encoding_mark(file),
	                   .end = file->size, .effect = arena_zero(arena, sizeof *r.effect)};
	r.effect->file = file;
	enum token token;
	size_t from;
	while ((token = next_token(&r, &from)) != TOKEN_END) {
		if (token == TOKEN_WORD)
			take_word(&r, from);
		else if (token == TOKEN_NUMBER)
			take_number(&r, from);
		else
			take_other(&r, file->text[from]);
	}
	resolve(&r);
	if (diags->errors != errors)
		return NULL;
	if (!r.directives && !(options && options->ndefines))
		cut_blocks(&r);
	else if (!expand_blocks(&r, options))
		return NULL;
	for (uint32_t k = 0; k < r.effect->blocks.n; k++)
		if (r.effect->blocks.at[k].live)
			r.effect->blocks.at[k].model = model_of(&r.effect->blocks.at[k].source);
	return diags->errors == errors ? r.effect : NULL;
}

/* ---- rewriting -------------------------------------------------------------------- */

/* The blanks at the start of the line at `at`. */
static size_t indent_of(const char *line)
{
	return strspn(line, " \t");
}

static void put_block(struct text *out, const struct effect *e, const struct effect_block *b, const struct text *program)
{
	const char *text = e->file->text;
	const char *newline = strchr(text, '\n');
	const char *end = newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
	/* As the first line in the block that has something on it, or one step in from `asm`. */
	const char *outer = line_of(text, b->at), *inner = NULL;
	size_t outer_n = indent_of(outer), inner_n = 0;
	for (const char *p = memchr(text + b->from, '\n', b->to - b->from); p && p < text + b->to && !inner;
	     p = memchr(p + 1, '\n', (size_t)(text + b->to - p - 1))) {
		size_t n = indent_of(p + 1);
		if (p + 1 + n < text + b->to && !strchr("\r\n", p[1 + n]))
			inner = p + 1, inner_n = n;
	}
	text_string(out, end);
	for (size_t i = 0; i < program->n;) {
		const char *line = program->at + i, *stop = memchr(line, '\n', program->n - i);
		size_t n = stop ? (size_t)(stop - line) : program->n - i;
		if (n) {
			text_bytes(out, inner ? inner : outer, inner ? inner_n : outer_n);
			if (!inner)
				text_char(out, '\t');
		}
		text_bytes(out, line, n);
		text_string(out, end);
		i += n + (stop != NULL);
	}
	/* The closing brace stays where it was, or goes below `asm`. */
	const char *last = line_of(text, b->to);
	if (indent_of(last) == (size_t)(text + b->to - last))
		text_bytes(out, last, indent_of(last));
	else
		text_bytes(out, outer, outer_n);
}

void effect_rewrite(struct text *out, const struct effect *e, const struct text *programs)
{
	size_t done = 0;
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		const struct effect_block *b = &e->blocks.at[k];
		if (!programs[k].n)
			continue;
		text_bytes(out, e->file->text + done, b->from - done);
		put_block(out, e, b, &programs[k]);
		done = b->to;
	}
	text_bytes(out, e->file->text + done, e->file->size - done);
}
