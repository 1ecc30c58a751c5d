/* Effect files, see effect.h.
 *
 * An effect file is mostly HLSL and render states.  Only as much of it is read as tells where
 * programs are and who uses them: braces, `technique` and `pass`, assignments to vertexshader
 * and pixelshader, and variables of these types.  Keywords come in any letter case. */
#include "lang/effect.h"

#include "lang/effect_text.h"
#include "lang/encoding.h"
#include "lang/scan.h"

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
	struct scan_line line; /* of the last literal */
	bool line_start;     /* only blanks before `at` on its line */
	bool directives;     /* a line starts with # */
	unsigned depth;      /* of braces */
	unsigned pass_depth; /* inside the braces of the pass; 0: in no pass */
	const char *technique;
	bool opens_pass;     /* `pass` was read and its brace is still to come */
	struct statement statement;
};

enum token { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_OTHER };

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

/* The next token starts at *from and ends at r->at. */
static enum token next_token(struct reader *r, size_t *from)
{
	const char *text = r->file->text;
	while (r->at < r->end) {
		char c = text[r->at];
		size_t past = scan_comment(r->file, r->at, false);
		if (past > r->at) {
			r->at = past;
		} else if (c == '\n') {
			r->line_start = true;
			r->at++;
		} else if (c == ' ' || c == '\t' || c == '\r' || c == '\0') {
			r->at++;
		} else if (c == '#' && r->line_start) {
			r->directives = true;
			r->at = scan_logical_line_end(r->file, r->at);
		} else if (c == '\'') {
			r->at = scan_string(r->file, r->at);
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
	if (text[r->at] == '"') {
		r->at = scan_string(r->file, r->at);
		return TOKEN_STRING;
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

static struct effect_block *add_block(struct reader *r, enum effect_kind kind, size_t at, size_t from, size_t to)
{
	struct effect_block *b = &VEC_PUSH(r->arena, &r->effect->blocks);
	*b = (struct effect_block){.kind = (uint8_t)kind, .at = (srcpos)at, .from = (srcpos)from, .to = (srcpos)to,
	                           .model = MODEL_COUNT, .live = kind != EFFECT_ASM};
	return b;
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
		size_t past = scan_comment(r->file, to, true);
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
	add_block(r, EFFECT_ASM, at, from + 1, to);
	struct effect_block *b = &r->effect->blocks.at[r->effect->blocks.n - 1];
	b->name = variable ? r->statement.name : NULL;
	b->element = r->statement.element;
	if (r->statement.shader && r->pass_depth)
		use_block(r, (int)r->effect->blocks.n - 1);
	r->statement.filled = true;
}

/* The literal that goes on behind preprocessor lines at `at`, as conditions choose; 0: none does. */
static size_t conditional_literal(const struct reader *r, size_t at)
{
	struct reader behind = *r;
	size_t from;
	behind.at = at;
	behind.directives = false;
	return next_token(&behind, &from) == TOKEN_STRING && behind.directives ? from : 0;
}

/* Literals that spell a program, such as D3DXAssembleShader takes. */
static void read_literals(struct reader *r, size_t at)
{
	size_t to = at;
	struct source s = effect_literals(r->arena, r->file, &to, NULL);
	if (to > r->at)
		r->at = to;
	if (!effect_is_program(&s))
		return;
	size_t const more = conditional_literal(r, to);
	if (more)
		diag_add(r->diags, DIAG_ERROR, "effect", r->file, (srcpos)more,
		         "preprocessor lines stand within the literals of a program: which of them are its text is not known here");
	to = at;
	s = effect_literals(r->arena, r->file, &to, &r->line);
	add_block(r, EFFECT_LITERALS, at, at, to)->source = s;
}

/* R"MARK( ... )MARK" behind the R at `at`. */
static void read_raw_literal(struct reader *r, size_t at)
{
	const char *text = r->file->text, *mark = text + r->at + 1;
	const char *open = memchr(mark, '(', r->end - r->at - 1 < 17 ? r->end - r->at - 1 : 17);
	if (!open)
		return;
	const char *close = arena_printf(r->arena, ")%.*s\"", (int)(open - mark), mark);
	const char *stop = strstr(open, close);
	if (!stop)
		return;
	size_t from = (size_t)(open + 1 - text), to = (size_t)(stop - text);
	r->at = to + strlen(close);
	if (effect_is_program(&(struct source){.text = text + from, .size = to - from}))
		add_block(r, EFFECT_RAW_LITERAL, at, from, to)->source = effect_slice(r->arena, r->file, from, to, &r->line);
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
	} else if (r->file->text[r->at] == '"' && word[n - 1] == 'R' && n <= 3) {
		read_raw_literal(r, from);
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

/* Behind the `<` of `< string s = "x"; int k = 1; >`: statements that are not the effect's. */
static void skip_annotation(struct reader *r)
{
	struct reader const before = *r;
	enum token token;
	size_t from;
	do
		token = next_token(r, &from);
	while (token != TOKEN_END && !(token == TOKEN_OTHER && r->file->text[from] == '>'));
	if (token == TOKEN_END)
		*r = before;
}

static void take_other(struct reader *r, char c)
{
	bool const heads = r->technique && r->depth == 0; /* between `technique` and its brace */
	switch (c) {
	case '<':
		if (r->statement.shader ? !r->statement.assigned : r->opens_pass || heads)
			skip_annotation(r);
		break;
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
		return effect_has_preshader(&e->blocks.at[pass->vs].source) ? "its vertex program has a preshader, which is not read"
		                                                            : "its vertex program is of a model that is not read here";
	if (!fits(e, pass->ps, STAGE_PIXEL))
		return effect_has_preshader(&e->blocks.at[pass->ps].source) ? "its pixel program has a preshader, which is not read"
		                                                            : "its pixel program is of a model that is not read here";
	if (partner[pass->vs] == MANY)
		return "its vertex program is drawn with other pixel programs, too";
	if (partner[pass->ps] == MANY)
		return "its pixel program is drawn with other vertex programs, too";
	return "";
}

/* Without passes: each two neighbours of different stages, if the whole file comes in such. */
static void pair_neighbours(struct arena *arena, struct effect *e)
{
	for (uint32_t k = 0; k + 1 < e->blocks.n; k += 2) {
		int first = (int)k, second = first + 1;
		bool vertex_first = fits(e, first, STAGE_VERTEX) && fits(e, second, STAGE_PIXEL);
		if (!vertex_first && !(fits(e, first, STAGE_PIXEL) && fits(e, second, STAGE_VERTEX))) {
			e->pairs.n = 0;
			return;
		}
		VEC_PUSH(arena, &e->pairs) = vertex_first ? (struct effect_pair){first, second, NULL}
		                                          : (struct effect_pair){second, first, NULL};
	}
	if (e->blocks.n % 2)
		e->pairs.n = 0;
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
	if (e->passes.n == 0)
		pair_neighbours(arena, e);
	/* Passes that stay as they are have been named: such a file is copied. */
	if (e->pairs.n || (e->passes.n && e->blocks.n))
		return true;
	diag_add(diags, DIAG_ERROR, "effect", e->file, SRCPOS_NONE, "%s",
	         e->blocks.n == 0 ? "no asm { } block or literal here that holds a program: HLSL is not read"
	                          : "without passes, programs must come as neighbours: a vertex and a pixel program each");
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
	scan_line_init(&r.line, file);
	enum token token;
	size_t from;
	while ((token = next_token(&r, &from)) != TOKEN_END) {
		if (token == TOKEN_WORD)
			take_word(&r, from);
		else if (token == TOKEN_NUMBER)
			take_number(&r, from);
		else if (token == TOKEN_STRING)
			read_literals(&r, from);
		else
			take_other(&r, file->text[from]);
	}
	resolve(&r);
	if (diags->errors != errors)
		return NULL;
	bool assembly = false;
	for (uint32_t k = 0; k < r.effect->blocks.n; k++) {
		struct effect_block *b = &r.effect->blocks.at[k];
		assembly |= b->kind == EFFECT_ASM;
		if (b->kind != EFFECT_ASM && !effect_expand_literal(arena, b, options, diags))
			return NULL;
	}
	/* What the C compiler does with literals is no concern of ours: only asm blocks have macros. */
	if (!assembly || (!r.directives && !(options && options->ndefines)))
		effect_cut(arena, r.effect);
	else if (!effect_expand(arena, r.effect, options, diags))
		return NULL;
	for (uint32_t k = 0; k < r.effect->blocks.n; k++)
		if (r.effect->blocks.at[k].live)
			r.effect->blocks.at[k].model = effect_model(&r.effect->blocks.at[k].source);
	return diags->errors == errors ? r.effect : NULL;
}
