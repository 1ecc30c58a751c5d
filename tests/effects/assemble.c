/* See assemble.h. */
#include "assemble.h"

#include "lang/bytecode.h"
#include "lang/parse.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	BASE_INT = 2, BASE_FLOAT = 3, BASE_TEXTURE = 5, BASE_SAMPLER_2D = 12, BASE_PIXEL_SHADER = 15, BASE_VERTEX_SHADER = 16,
	CLASS_SCALAR = 0, CLASS_VECTOR = 1, CLASS_ROWS = 2, CLASS_COLUMNS = 3, CLASS_OBJECT = 4,
	SETS_VERTEX_SHADER = 146, SETS_PIXEL_SHADER = 147, SETS_TEXTURE = 164,
	FLOAT_REGISTERS = 2, SAMPLER_REGISTERS = 3, MOST_WORDS = 80, WORD_BYTES = 64
};
#define NONE UINT32_MAX

struct parameter {
	const char *name;
	uint32_t base, class, rows, columns, elements; /* 0 if it is no array */
	uint32_t type, value; /* offsets */
};

struct program_bytes {
	const char *name;
	struct text bytes;
};

/* An object, whose bytes stand at the end of the file. */
struct object {
	uint32_t technique, index, state, use; /* technique is NONE if index is that of a parameter or sampler */
	uint32_t number; /* of a variable */
	struct text bytes;
};

struct assembler {
	struct arena *arena;
	const char *at;
	char word[MOST_WORDS][WORD_BYTES];
	unsigned words;
	bool wrap;
	char platform, version; /* of the .xnb, or 0 if there is none */
	struct text data, techniques, states;
	const char *technique_name, *pass_name;
	uint32_t ntechniques, npasses, nstates, objects;
	struct text technique_passes;
	struct { VEC(struct parameter); } parameters;
	struct { VEC(struct program_bytes); } programs;
	struct { VEC(struct object); } of_variables, of_states;
};

static _Noreturn void give_up(const struct assembler *a, const char *why)
{
	fprintf(stderr, "assemble: %s: %s %s\n", why, a->word[0], a->words > 1 ? a->word[1] : "");
	exit(2);
}

static void put(struct text *t, uint32_t word)
{
	for (unsigned k = 0; k < 4; k++)
		text_char(t, (char)(word >> 8 * k));
}

static void put_float(struct text *t, float number)
{
	uint32_t bits;
	memcpy(&bits, &number, sizeof bits);
	put(t, bits);
}

static void fill(struct text *t)
{
	while (t->n % 4)
		text_char(t, '\0');
}

static void put_sized(struct text *t, const struct text *bytes)
{
	put(t, (uint32_t)bytes->n);
	text_bytes(t, bytes->n ? bytes->at : "", bytes->n);
	fill(t);
}

static struct text string(struct assembler *a, const char *s)
{
	struct text t = {.arena = a->arena};
	text_bytes(&t, s, strlen(s) + 1);
	return t;
}

/* Writes a name into the data and returns its offset. */
static uint32_t name_of(struct assembler *a, const char *name)
{
	uint32_t const at = (uint32_t)a->data.n;
	struct text const s = string(a, name);
	put_sized(&a->data, &s);
	return at;
}

static const char *keep(struct assembler *a, const char *word)
{
	return arena_copy(a->arena, word, strlen(word));
}

/* --- lines --- */

static bool next_line(struct assembler *a, const char **line, size_t *n)
{
	if (!*a->at)
		return false;
	*line = a->at;
	*n = strcspn(a->at, "\n");
	a->at += *n + (a->at[*n] == '\n');
	return true;
}

static void split(struct assembler *a, const char *line, size_t n)
{
	a->words = 0;
	for (size_t k = 0; k < n;) {
		size_t length = 0;
		while (k < n && (line[k] == ' ' || line[k] == '\t'))
			k++;
		while (k + length < n && line[k + length] != ' ' && line[k + length] != '\t')
			length++;
		if (length == 0)
			continue;
		if (a->words == MOST_WORDS || length >= WORD_BYTES)
			give_up(a, "a line too long");
		snprintf(a->word[a->words++], WORD_BYTES, "%.*s", (int)length, line + k);
		k += length;
	}
}

static bool is(const struct assembler *a, unsigned word, const char *text)
{
	return word < a->words && strcmp(a->word[word], text) == 0;
}

/* --- parameters --- */

static uint32_t put_type(struct assembler *a, const struct parameter *p)
{
	uint32_t const name = name_of(a, p->name), at = (uint32_t)a->data.n;
	put(&a->data, p->base);
	put(&a->data, p->class);
	put(&a->data, name);
	put(&a->data, 0); /* no semantic: an empty name stands at 0 */
	put(&a->data, p->elements);
	if (p->class != CLASS_OBJECT) {
		put(&a->data, p->class == CLASS_VECTOR ? p->columns : p->rows);
		put(&a->data, p->class == CLASS_VECTOR ? p->rows : p->columns);
	}
	return at;
}

static uint32_t add_parameter(struct assembler *a, struct parameter p)
{
	p.type = put_type(a, &p);
	p.value = (uint32_t)a->data.n;
	VEC_PUSH(a->arena, &a->parameters) = p;
	return a->parameters.n - 1;
}

static const struct parameter *find_parameter(const struct assembler *a, const char *name)
{
	for (uint32_t k = 0; k < a->parameters.n; k++)
		if (strcmp(a->parameters.at[k].name, name) == 0)
			return &a->parameters.at[k];
	give_up(a, "no such parameter");
}

/* Reads NAME or NAME[N]. */
static void name_parameter(struct assembler *a, unsigned word, struct parameter *p)
{
	char *bracket = strchr(a->word[word], '[');
	if (bracket) {
		p->elements = (uint32_t)strtoul(bracket + 1, NULL, 10);
		*bracket = '\0';
	}
	p->name = keep(a, a->word[word]);
}

static void take_numbers(struct assembler *a)
{
	bool const is_int = strcmp(a->word[0], "int") == 0;
	const char *size = a->word[0] + (is_int ? 3 : 5);
	struct parameter p = {.base = is_int ? BASE_INT : BASE_FLOAT, .class = CLASS_VECTOR, .rows = 1, .columns = 1};
	if (!*size)
		p.class = CLASS_SCALAR;
	else if (size[1] == 'x')
		p.class = CLASS_ROWS, p.rows = (uint32_t)(size[0] - '0'), p.columns = (uint32_t)(size[2] - '0');
	else
		p.columns = (uint32_t)(size[0] - '0');
	name_parameter(a, 1, &p);
	uint32_t const n = p.rows * p.columns * (p.elements ? p.elements : 1);
	add_parameter(a, p);
	for (uint32_t k = 0; k < n; k++) {
		const char *number = 2 + k < a->words ? a->word[2 + k] : "0";
		if (is_int)
			put(&a->data, (uint32_t)strtol(number, NULL, 10));
		else
			put_float(&a->data, strtof(number, NULL));
	}
}

static uint32_t new_object(struct assembler *a)
{
	return ++a->objects;
}

static void take_texture(struct assembler *a)
{
	add_parameter(a, (struct parameter){.name = keep(a, a->word[1]), .base = BASE_TEXTURE, .class = CLASS_OBJECT});
	uint32_t const number = new_object(a);
	put(&a->data, number);
	VEC_PUSH(a->arena, &a->of_variables) = (struct object){.number = number, .bytes = {.arena = a->arena}};
}

static void take_sampler(struct assembler *a)
{
	struct parameter const texture = {.name = "", .base = BASE_TEXTURE, .class = CLASS_OBJECT};
	uint32_t const type = put_type(a, &texture), value = (uint32_t)a->data.n;
	put(&a->data, new_object(a));
	uint32_t const index =
		add_parameter(a, (struct parameter){.name = keep(a, a->word[1]), .base = BASE_SAMPLER_2D, .class = CLASS_OBJECT});
	put(&a->data, 1);
	put(&a->data, SETS_TEXTURE);
	put(&a->data, 0);
	put(&a->data, type);
	put(&a->data, value);
	VEC_PUSH(a->arena, &a->of_states) = (struct object){.technique = NONE, .index = index, .use = 1, .bytes = string(a, a->word[2])};
}

/* --- programs --- */

struct row {
	const struct parameter *p;
	uint32_t kind, index, count;
};
struct rows {
	VEC(struct row);
};

static void put_table(struct assembler *a, struct text *to, uint32_t version, const struct rows *rows)
{
	enum { HEAD = 28, INFO = 20, TYPE = 16 };
	struct text t = {.arena = a->arena};
	uint32_t const types = HEAD + INFO * rows->n, names = types + TYPE * rows->n;
	uint32_t name = names;
	put(&t, BYTECODE_TABLE);
	uint32_t const head[] = {HEAD, 0, version, rows->n, HEAD, 0, 0};
	for (unsigned k = 0; k < sizeof head / sizeof *head; k++)
		put(&t, head[k]);
	for (uint32_t k = 0; k < rows->n; k++) {
		const struct row *r = &rows->at[k];
		put(&t, name);
		put(&t, r->kind | r->index << 16);
		put(&t, r->count);
		put(&t, types + TYPE * k);
		put(&t, 0);
		name += (uint32_t)strlen(r->p->name) + 1;
	}
	for (uint32_t k = 0; k < rows->n; k++) {
		const struct parameter *p = rows->at[k].p;
		put(&t, (p->class == CLASS_ROWS ? CLASS_COLUMNS : p->class) | p->base << 16);
		put(&t, (p->rows ? p->rows : 1) | (p->columns ? p->columns : 1) << 16);
		put(&t, (p->elements ? p->elements : 1));
		put(&t, 0);
	}
	for (uint32_t k = 0; k < rows->n; k++)
		text_bytes(&t, rows->at[k].p->name, strlen(rows->at[k].p->name) + 1);
	fill(&t);
	put(to, 0xfffe | (uint32_t)(t.n / 4) << 16);
	text_bytes(to, t.at, t.n);
}

static void put_comment(struct text *to, uint32_t letters, const struct text *bytes)
{
	put(to, 0xfffe | (uint32_t)(bytes->n / 4 + 1) << 16);
	put(to, letters);
	text_bytes(to, bytes->at, bytes->n);
}

/* Returns an expression that multiplies as many lanes as the parameter has by a number and writes an output; `version` is its first
 * token. */
static struct text expression(struct assembler *a, uint32_t version, const struct parameter *p, double factor, uint32_t table, uint32_t offset)
{
	enum { OPCODE_MUL = 0x205, TABLE_LITERALS = 1, TABLE_PARAMETERS = 2 };
	struct text t = {.arena = a->arena}, literals = {.arena = a->arena}, code = {.arena = a->arena};
	struct rows rows = {0};
	VEC_PUSH(a->arena, &rows) = (struct row){p, FLOAT_REGISTERS, 0, p->rows};
	put(&t, version);
	put_table(a, &t, version, &rows);
	put(&literals, 4);
	for (unsigned k = 0; k < 4; k++) {
		uint64_t bits;
		memcpy(&bits, &factor, sizeof bits);
		put(&literals, (uint32_t)bits);
		put(&literals, (uint32_t)(bits >> 32));
	}
	put_comment(&t, FOUR_LETTERS('C', 'L', 'I', 'T'), &literals);
	uint32_t const words[] = {1, OPCODE_MUL << 20 | p->columns, 2, 0, TABLE_LITERALS, 0, 0, TABLE_PARAMETERS, 0, 0, table, offset};
	for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
		put(&code, words[k]);
	put_comment(&t, FOUR_LETTERS('F', 'X', 'L', 'C'), &code);
	put(&t, 0xffff);
	return t;
}

static void take_constant(struct assembler *a, struct rows *rows)
{
	struct row r = {.p = find_parameter(a, a->word[1]), .count = (uint32_t)strtoul(a->word[3], NULL, 10)};
	r.kind = a->word[2][0] == 's' ? SAMPLER_REGISTERS : FLOAT_REGISTERS;
	r.index = (uint32_t)strtoul(a->word[2] + 1, NULL, 10);
	VEC_PUSH(a->arena, rows) = r;
}

static struct text take_preshader(struct assembler *a)
{
	enum { VERSION = 0x46580200, TABLE_REGISTERS = 4 };
	struct text const e = expression(a, VERSION, find_parameter(a, a->word[2]), strtod(a->word[3], NULL), TABLE_REGISTERS,
	                                 4 * (uint32_t)strtoul(a->word[1] + 1, NULL, 10));
	struct text t = {.arena = a->arena};
	put_comment(&t, FOUR_LETTERS('P', 'R', 'E', 'S'), &e);
	return t;
}

static void take_program(struct assembler *a)
{
	struct text text = {.arena = a->arena}, all = {.arena = a->arena}, bytes = {.arena = a->arena}, preshader = {.arena = a->arena};
	struct rows rows = {0};
	const char *line, *name = keep(a, a->word[1]);
	size_t n;
	while (next_line(a, &line, &n)) {
		split(a, line, n);
		if (is(a, 0, "end"))
			break;
		if (is(a, 0, "//constant"))
			take_constant(a, &rows);
		else if (is(a, 0, "//preshader"))
			preshader = take_preshader(a);
		else
			text_bytes(&text, line, n), text_char(&text, '\n');
	}
	struct diags said;
	diag_init(&said, a->arena);
	struct source const source = {.name = name, .text = text.at, .size = text.n};
	struct program_list const list = parse_programs(a->arena, &source, &said);
	if (said.errors || list.n != 1)
		give_up(a, said.n ? said.at[0].text : "no program");
	bytecode_print(&bytes, list.at[0], false, NULL);
	text_bytes(&all, bytes.at, 4);
	if (rows.n)
		put_table(a, &all, models[list.at[0]->model].code, &rows);
	text_bytes(&all, preshader.n ? preshader.at : "", preshader.n);
	text_bytes(&all, bytes.at + 4, bytes.n - 4);
	VEC_PUSH(a->arena, &a->programs) = (struct program_bytes){name, all};
}

static struct text find_program(const struct assembler *a, const char *name)
{
	for (uint32_t k = 0; k < a->programs.n; k++)
		if (strcmp(a->programs.at[k].name, name) == 0)
			return a->programs.at[k].bytes;
	give_up(a, "no such program");
}

static uint32_t shader_base(const struct assembler *a, unsigned word)
{
	return is(a, word, "vertex") ? BASE_VERTEX_SHADER : BASE_PIXEL_SHADER;
}

static void take_shader(struct assembler *a)
{
	uint32_t const n = a->words - 3;
	add_parameter(a, (struct parameter){.name = keep(a, a->word[2]), .base = shader_base(a, 1), .class = CLASS_OBJECT, .elements = n > 1 ? n : 0});
	for (uint32_t k = 0; k < n; k++) {
		uint32_t const number = new_object(a);
		put(&a->data, number);
		VEC_PUSH(a->arena, &a->of_variables) = (struct object){.number = number, .bytes = find_program(a, a->word[3 + k])};
	}
}

/* --- techniques --- */

static void put_state(struct assembler *a, uint32_t operation, uint32_t type, uint32_t value)
{
	put(&a->states, operation);
	put(&a->states, 0);
	put(&a->states, type);
	put(&a->states, value);
	a->nstates++;
}

static void take_pass_shader(struct assembler *a)
{
	enum { VERSION = 0x46580100, TABLE_RESULT = 4 };
	struct object o = {.technique = a->ntechniques, .index = a->npasses, .state = a->nstates};
	struct parameter const nameless = {.name = "", .base = shader_base(a, 0), .class = CLASS_OBJECT};
	uint32_t const type = put_type(a, &nameless), value = (uint32_t)a->data.n;
	put(&a->data, new_object(a));
	put_state(a, is(a, 0, "vertex") ? SETS_VERTEX_SHADER : SETS_PIXEL_SHADER, type, value);
	if (is(a, 1, "=")) {
		o.use = 1;
		o.bytes = string(a, a->word[2]);
	} else if (is(a, 1, "?")) {
		struct text const name = string(a, a->word[2]);
		o.use = 2;
		o.bytes.arena = a->arena;
		put(&o.bytes, (uint32_t)(name.n + 3) / 4 * 4 + 4);
		text_bytes(&o.bytes, name.at, name.n);
		fill(&o.bytes);
		put(&o.bytes, 0);
		struct text const e = expression(a, VERSION, find_parameter(a, a->word[3]), 1, TABLE_RESULT, 0);
		text_bytes(&o.bytes, e.at, e.n);
	} else {
		o.bytes = is(a, 1, "NULL") ? (struct text){.arena = a->arena} : find_program(a, a->word[1]);
	}
	VEC_PUSH(a->arena, &a->of_states) = o;
}

static void take_state(struct assembler *a)
{
	struct parameter const number = {.name = "", .base = BASE_INT, .class = CLASS_SCALAR, .rows = 1, .columns = 1};
	uint32_t const type = put_type(a, &number), value = (uint32_t)a->data.n;
	put(&a->data, (uint32_t)strtoul(a->word[2], NULL, 10));
	put_state(a, (uint32_t)strtoul(a->word[1], NULL, 10), type, value);
}

/* Reads a state that sets the constants from an index on to a parameter's value. */
static void take_sets(struct assembler *a)
{
	const struct parameter *p = find_parameter(a, a->word[3]);
	put_state(a, (uint32_t)strtoul(a->word[1], NULL, 10), p->type, p->value);
	for (unsigned k = 0; k < 4; k++)
		a->states.at[a->states.n - 12 + k] = (char)(strtoul(a->word[2], NULL, 10) >> 8 * k);
}

static void end_pass(struct assembler *a)
{
	if (!a->pass_name)
		return;
	put(&a->technique_passes, name_of(a, a->pass_name));
	put(&a->technique_passes, 0);
	put(&a->technique_passes, a->nstates);
	text_bytes(&a->technique_passes, a->nstates ? a->states.at : "", a->states.n);
	a->npasses++;
	a->pass_name = NULL;
	a->states.n = 0;
	a->nstates = 0;
}

static void end_technique(struct assembler *a)
{
	end_pass(a);
	if (!a->technique_name)
		return;
	put(&a->techniques, name_of(a, a->technique_name));
	put(&a->techniques, 0);
	put(&a->techniques, a->npasses);
	text_bytes(&a->techniques, a->npasses ? a->technique_passes.at : "", a->technique_passes.n);
	a->ntechniques++;
	a->technique_name = NULL;
	a->technique_passes.n = 0;
	a->npasses = 0;
}

/* --- all of it --- */

static void take_line(struct assembler *a)
{
	if (!a->words || a->word[0][0] == '#')
		return;
	if (is(a, 0, "wrap")) {
		a->wrap = true;
	} else if (is(a, 0, "xnb") && a->words == 3) {
		a->platform = a->word[1][0];
		a->version = (char)atoi(a->word[2]);
	} else if (is(a, 0, "texture")) {
		take_texture(a);
	} else if (is(a, 0, "sampler")) {
		take_sampler(a);
	} else if (is(a, 0, "program")) {
		take_program(a);
	} else if (is(a, 0, "shader")) {
		take_shader(a);
	} else if (is(a, 0, "technique")) {
		end_technique(a);
		a->technique_name = keep(a, a->words > 1 ? a->word[1] : "");
	} else if (is(a, 0, "pass")) {
		end_pass(a);
		a->pass_name = keep(a, a->words > 1 ? a->word[1] : "");
	} else if (is(a, 0, "vertex") || is(a, 0, "pixel")) {
		take_pass_shader(a);
	} else if (is(a, 0, "state")) {
		take_state(a);
	} else if (is(a, 0, "sets")) {
		take_sets(a);
	} else if (strncmp(a->word[0], "float", 5) == 0 || is(a, 0, "int")) {
		take_numbers(a);
	} else {
		give_up(a, "not understood");
	}
}

static struct text join(struct assembler *a)
{
	struct text t = {.arena = a->arena};
	if (a->wrap) {
		put(&t, 0xbcf00bcf);
		put(&t, 16);
		put(&t, 0);
		put(&t, 0);
	}
	put(&t, 0xfeff0901);
	put(&t, (uint32_t)a->data.n);
	text_bytes(&t, a->data.at, a->data.n);
	put(&t, a->parameters.n);
	put(&t, a->ntechniques);
	put(&t, 0);
	put(&t, a->objects + 1);
	for (uint32_t k = 0; k < a->parameters.n; k++) {
		put(&t, a->parameters.at[k].type);
		put(&t, a->parameters.at[k].value);
		put(&t, 0);
		put(&t, 0);
	}
	text_bytes(&t, a->techniques.n ? a->techniques.at : "", a->techniques.n);
	put(&t, a->of_variables.n);
	put(&t, a->of_states.n);
	for (uint32_t k = 0; k < a->of_variables.n; k++) {
		put(&t, a->of_variables.at[k].number);
		put_sized(&t, &a->of_variables.at[k].bytes);
	}
	for (uint32_t k = 0; k < a->of_states.n; k++) {
		const struct object *o = &a->of_states.at[k];
		uint32_t const words[] = {o->technique, o->index, NONE, o->state, o->use};
		for (unsigned j = 0; j < sizeof words / sizeof *words; j++)
			put(&t, words[j]);
		put_sized(&t, &o->bytes);
	}
	return t;
}

static void put_number_of_7_bits(struct text *t, size_t number)
{
	for (; number >= 0x80; number >>= 7)
		text_char(t, (char)(number | 0x80));
	text_char(t, (char)number);
}

static void put_reader(struct text *t, const char *name)
{
	put_number_of_7_bits(t, strlen(name));
	text_string(t, name);
	put(t, 0);
}

/* Wraps the effect as the content of the second of two readers, before a shared resource of the first. */
static struct text wrap_in_xnb(struct assembler *a, const struct text *effect)
{
	struct text t = {.arena = a->arena}, content = {.arena = a->arena};
	put_number_of_7_bits(&content, 2);
	put_reader(&content, "Microsoft.Xna.Framework.Content.StringReader");
	put_reader(&content, "Microsoft.Xna.Framework.Content.EffectReader, Microsoft.Xna.Framework.Graphics, Version=4.0.0.0, "
	                     "Culture=neutral, PublicKeyToken=842cf8be1de50553");
	put_number_of_7_bits(&content, 1);
	put_number_of_7_bits(&content, 2);
	put(&content, (uint32_t)effect->n);
	text_bytes(&content, effect->at, effect->n);
	put_number_of_7_bits(&content, 1);
	put_number_of_7_bits(&content, 4);
	text_string(&content, "kept");
	text_printf(&t, "XNB%c%c%c", a->platform, a->version, '\1');
	put(&t, (uint32_t)(t.n + 4 + content.n));
	text_bytes(&t, content.at, content.n);
	return t;
}

struct text effect_assemble(struct arena *arena, const char *description)
{
	struct assembler *a = arena_zero(arena, sizeof *a);
	a->arena = arena;
	a->at = description;
	a->data.arena = a->techniques.arena = a->technique_passes.arena = a->states.arena = arena;
	put(&a->data, 0);
	const char *line;
	size_t n;
	while (next_line(a, &line, &n)) {
		split(a, line, n);
		take_line(a);
	}
	end_technique(a);
	struct text const effect = join(a);
	return a->version ? wrap_in_xnb(a, &effect) : effect;
}
