/* Reads compiled effects, see effect_binary.h: only the parts that show shaders and their uses. */
#include "lang/effect_binary.h"

#include "lang/bytecode.h"
#include "lang/effect_text.h"
#include "lang/parse.h"
#include "lang/xnb.h"

#include <string.h>

#define TOKEN_EFFECT UINT32_C(0xfeff0901)
#define TOKEN_WRAP UINT32_C(0xbcf00bcf)
#define NO_TECHNIQUE UINT32_MAX /* stands for the number of a technique if the state belongs to a sampler */

enum {
	WORD = 4, HEAD_BYTES = 8, PARAMETER_BYTES = 16, ANNOTATION_BYTES = 8, STATE_BYTES = 16,
	TYPE_BASE = 0, TYPE_CLASS = 4, TYPE_NAME = 8, TYPE_ELEMENTS = 16, TYPE_BYTES = 20,
	STATE_OPERATION = 0, STATE_TYPE = 8, STATE_VALUE = 12,
	BASE_PIXEL_SHADER = 15, BASE_VERTEX_SHADER = 16, CLASS_OBJECT = 4,
	SETS_VERTEX_SHADER = 146, SETS_PIXEL_SHADER = 147,
	SETS_VERTEX_FLOATS = 148, SETS_VERTEX_CONSTANT = 151, SETS_PIXEL_FLOATS = 156, SETS_PIXEL_CONSTANT = 159,
	LAST_TYPE = 18, LAST_CLASS = 5, LAST_OPERATION = 178 /* the highest values that D3DX is known to have; none of these belongs to a state
	                                                      * block */,
	NUMBERED = 4 /* the operations SETS_*_CONSTANT + n for n from 1 to NUMBERED set constants of n rows */,
	STATE_INDEX = 4, TYPE_ROWS = 20, TYPE_COLUMNS = 24, CLASS_SCALAR = 0, CLASS_COLUMNS = 3, MATRIX_ROWS = 4,
	USE_ITSELF = 0, USE_PARAMETER = 1, USE_CHOICE = 2 /* the `use` of a state's object: it is a shader or numbers, the name of a
	                                                   * parameter, or an expression */
};

struct name {
	const char *at;
	size_t n;
};

/* A variable that holds shaders. */
struct variable {
	struct name name;
	uint32_t elements; /* number of elements, or 0 if it is no array */
	size_t objects;    /* offset in the file of the list of its object numbers */
};

struct state {
	uint32_t pass;     /* index of the state's pass in effect.passes */
	uint32_t operation, object;
	uint32_t index;    /* number of the constant register that the state sets */
};

/* A variable of numbers. */
struct numbers {
	struct name name;
	uint32_t registers; /* number of constant registers that the variable takes */
};

/* The use of an object of the file.  The number of the object is its index in `objects`. */
struct object {
	int block;         /* index of the block of the object's shader; EFFECT_NONE if no shader was read yet */
	uint32_t variable, element; /* the variable or array element that holds the object; `variable` is UINT32_MAX if there is none */
};

struct technique {
	uint32_t first, n; /* index of its first pass, and number of its passes */
};

struct pass_states {
	uint32_t first, n;
};

struct reader {
	struct arena *arena;
	struct diags *diags;
	const struct source *file;
	struct effect *effect;
	size_t start;      /* offset in the file of the effect's first byte */
	size_t at;         /* offset in the file of the next byte to read */
	size_t base;       /* offset in the file of the byte from which the effect's offsets count */
	bool failed;       /* an error was added */
	struct { VEC(struct variable); } variables;
	struct { VEC(struct numbers); } numbers;
	struct { VEC(struct technique); } techniques;
	struct { VEC(struct pass_states); } passes;
	struct { VEC(struct state); } states;
	struct object *objects;
	uint32_t nobjects;
};

/* Adds an error at a byte of the file, unless an error was added before.  Sets r->failed. */
static void fail_at_byte(struct reader *r, size_t at, const char *what, ...) PRINTF_LIKE(3, 4);
static void fail_at_byte(struct reader *r, size_t at, const char *what, ...)
{
	va_list list;
	va_start(list, what);
	const char *text = arena_vprintf(r->arena, what, list);
	va_end(list);
	if (!r->failed)
		diag_add(r->diags, DIAG_ERROR, "effect", r->file, SRCPOS_NONE, "byte %zu: %s", at, text);
	r->failed = true;
}


static bool is_in_file(const struct reader *r, size_t at, size_t bytes)
{
	return at <= r->file->size && bytes <= r->file->size - at;
}

/* Returns the 32-bit number at offset `at` of the file, or 0 after an error.  Adds an error if the number does not lie within the file. */
static uint32_t word_at(struct reader *r, size_t at)
{
	if (!is_in_file(r, at, WORD))
		fail_at_byte(r, r->file->size, "the effect ends here, but a number belongs at byte %zu", at);
	return r->failed ? 0 : bytecode_token(r->file->text + at);
}

static uint32_t next_word(struct reader *r)
{
	uint32_t const word = word_at(r, r->at);
	r->at += WORD;
	return word;
}

/* Reads and returns the count of a list whose entries take at least `each` bytes.  If the rest of the file cannot hold them, adds an error and
 * returns 0. */
static uint32_t next_count(struct reader *r, const char *what, size_t each)
{
	uint32_t const n = next_word(r);
	if (!r->failed && n > (r->file->size - r->at) / each)
		fail_at_byte(r, r->at - WORD, "%u %s, which the %zu bytes behind it cannot hold", (unsigned)n, what, r->file->size - r->at);
	return r->failed ? 0 : n;
}

/* Returns the bytes whose 32-bit count stands before them, at `at`.  If the file is too short, adds an error and returns none. */
static struct name bytes_at(struct reader *r, size_t at)
{
	uint32_t const n = word_at(r, at);
	if (!r->failed && !is_in_file(r, at + WORD, n))
		fail_at_byte(r, at, "%u bytes belong here, but the effect ends before", (unsigned)n);
	return r->failed ? (struct name){0} : (struct name){r->file->text + at + WORD, n};
}

/* Returns the name at an offset from r->base, without the zero at its end. */
static struct name name_at(struct reader *r, uint32_t offset)
{
	struct name s = bytes_at(r, r->base + offset);
	const char *end = s.n ? memchr(s.at, 0, s.n) : NULL;
	if (end)
		s.n = (size_t)(end - s.at);
	return s;
}

static const char *copy_name(struct reader *r, uint32_t offset)
{
	struct name const s = name_at(r, offset);
	return s.n ? arena_copy(r->arena, s.at, s.n) : "";
}

/* --- the lists --- */

static void skip_annotations(struct reader *r, uint32_t n)
{
	if (!is_in_file(r, r->at, (size_t)n * ANNOTATION_BYTES))
		fail_at_byte(r, r->at, "%u annotations belong here, but the effect ends before", (unsigned)n);
	r->at += (size_t)n * ANNOTATION_BYTES;
}

static bool is_shader(struct reader *r, size_t type)
{
	uint32_t const base = word_at(r, type + TYPE_BASE);
	return (base == BASE_PIXEL_SHADER || base == BASE_VERTEX_SHADER) && word_at(r, type + TYPE_CLASS) == CLASS_OBJECT;
}

/* Returns the object number that stands at `at`.  If there is no object of that number, adds an error and returns 0. */
static uint32_t object_at(struct reader *r, size_t at)
{
	uint32_t const number = word_at(r, at);
	if (!r->failed && number >= r->nobjects)
		fail_at_byte(r, at, "object %u does not exist: the effect has %u objects", (unsigned)number, (unsigned)r->nobjects);
	return r->failed ? 0 : number;
}

/* Returns the number of registers that a value of this type takes, or at least MOST_STATE_CONSTS for a type that is not numeric. */
static uint32_t registers_of_type(struct reader *r, size_t type)
{
	uint32_t const class = word_at(r, type + TYPE_CLASS), elements = word_at(r, type + TYPE_ELEMENTS);
	uint32_t const rows = class > CLASS_COLUMNS ? MOST_STATE_CONSTS
	                      : word_at(r, type + TYPE_ROWS) > 1 && word_at(r, type + TYPE_COLUMNS) > 1 ? MATRIX_ROWS : 1;
	return elements > MOST_STATE_CONSTS ? MOST_STATE_CONSTS : rows * (elements ? elements : 1);
}

/* Adds all constants to the effect's `sets`, since a part of the file that is not read may be a state block that sets any of them. */
static void note_all_set(struct reader *r)
{
	effect_sets(r->effect, STAGE_VERTEX, 0, MOST_STATE_CONSTS);
	effect_sets(r->effect, STAGE_PIXEL, 0, MOST_STATE_CONSTS);
}

static void read_parameter(struct reader *r)
{
	size_t const type = r->base + next_word(r), value = r->base + next_word(r);
	next_word(r); /* skip the parameter's flags */
	skip_annotations(r, next_word(r));
	VEC_PUSH(r->arena, &r->effect->parameters) = copy_name(r, word_at(r, type + TYPE_NAME));
	if (word_at(r, type + TYPE_BASE) > LAST_TYPE || word_at(r, type + TYPE_CLASS) > LAST_CLASS)
		note_all_set(r);
	if (!r->failed && word_at(r, type + TYPE_CLASS) <= CLASS_COLUMNS)
		VEC_PUSH(r->arena, &r->numbers) = (struct numbers){name_at(r, word_at(r, type + TYPE_NAME)), registers_of_type(r, type)};
	if (r->failed || !is_shader(r, type))
		return;
	struct variable v = {.name = name_at(r, word_at(r, type + TYPE_NAME)), .elements = word_at(r, type + TYPE_ELEMENTS), .objects = value};
	uint32_t const n = v.elements ? v.elements : 1;
	if (!r->failed && !is_in_file(r, value, (size_t)n * WORD))
		fail_at_byte(r, type + TYPE_ELEMENTS, "%u shaders belong here, but the effect ends before", (unsigned)n);
	for (uint32_t k = 0; k < n && !r->failed; k++) {
		struct object *o = &r->objects[object_at(r, value + (size_t)k * WORD)];
		o->variable = r->variables.n;
		o->element = k;
	}
	VEC_PUSH(r->arena, &r->variables) = v;
}

/* Returns the stage whose float constants an operation sets, or -1 if it sets none.  Sets *rows to the number of rows that the operation names, or
 * 1. */
static int sets_constants(uint32_t operation, uint32_t *rows)
{
	*rows = 1;
	if (operation == SETS_VERTEX_FLOATS || operation == SETS_PIXEL_FLOATS)
		return operation == SETS_VERTEX_FLOATS ? STAGE_VERTEX : STAGE_PIXEL;
	bool const vertex = operation < SETS_PIXEL_CONSTANT;
	uint32_t const first = vertex ? SETS_VERTEX_CONSTANT : SETS_PIXEL_CONSTANT;
	if (operation < first || operation > first + NUMBERED)
		return -1;
	*rows = operation > first ? operation - first : 1;
	return vertex ? STAGE_VERTEX : STAGE_PIXEL;
}

static void read_state(struct reader *r, uint32_t pass)
{
	size_t const at = r->at;
	struct state s = {.pass = pass, .operation = word_at(r, at + STATE_OPERATION), .index = word_at(r, at + STATE_INDEX)};
	uint32_t rows;
	size_t const type = r->base + word_at(r, at + STATE_TYPE), value = r->base + word_at(r, at + STATE_VALUE);
	bool const shader = s.operation == SETS_VERTEX_SHADER || s.operation == SETS_PIXEL_SHADER;
	if (shader && is_shader(r, type))
		s.object = object_at(r, value);
	else if (shader)
		fail_at_byte(r, at, "the value for a pass's shader is not a shader");
	int const stage = sets_constants(s.operation, &rows);
	if (stage >= 0 && !r->failed) {
		uint32_t const n = registers_of_type(r, type);
		effect_sets(r->effect, (enum stage)stage, s.index, n > rows ? n : rows);
	}
	if (s.operation > LAST_OPERATION)
		note_all_set(r);
	VEC_PUSH(r->arena, &r->states) = s;
	r->at += STATE_BYTES;
}

static void read_pass(struct reader *r, const char *technique)
{
	struct effect_pass pass = {.technique = technique, .name = copy_name(r, next_word(r)), .at = SRCPOS_NONE, .to = SRCPOS_NONE,
	                           .vs = EFFECT_NONE, .ps = EFFECT_NONE};
	uint32_t const annotations = next_word(r), states = next_count(r, "states", STATE_BYTES), number = r->effect->passes.n;
	VEC_PUSH(r->arena, &r->effect->passes) = pass;
	VEC_PUSH(r->arena, &r->passes) = (struct pass_states){r->states.n, states};
	skip_annotations(r, annotations);
	for (uint32_t k = 0; k < states && !r->failed; k++)
		read_state(r, number);
}

static void read_technique(struct reader *r)
{
	enum { PASS_BYTES = 12 };
	const char *name = copy_name(r, next_word(r));
	/* Techniques are told apart by the address of the name, so a technique without a name gets a string of its own. */
	name = *name ? name : arena_copy(r->arena, name, 0);
	uint32_t const annotations = next_word(r), passes = next_count(r, "passes", PASS_BYTES);
	VEC_PUSH(r->arena, &r->techniques) = (struct technique){r->effect->passes.n, passes};
	skip_annotations(r, annotations);
	for (uint32_t k = 0; k < passes && !r->failed; k++)
		read_pass(r, name);
}

static void read_lists(struct reader *r)
{
	enum { TECHNIQUE_BYTES = 12 };
	uint32_t const parameters = next_count(r, "parameters", PARAMETER_BYTES);
	uint32_t const techniques = next_count(r, "techniques", TECHNIQUE_BYTES);
	next_word(r);
	r->nobjects = next_word(r);
	/* Each object but the first has a 32-bit number in the file, which limits how many objects there can be. */
	if (!r->failed && r->nobjects > r->file->size / WORD)
		fail_at_byte(r, r->at - WORD, "%u objects, which the %zu bytes of the file cannot hold", (unsigned)r->nobjects, r->file->size);
	if (r->failed)
		return;
	r->objects = arena_alloc(r->arena, (r->nobjects + 1) * sizeof *r->objects);
	for (uint32_t k = 0; k <= r->nobjects; k++)
		r->objects[k] = (struct object){EFFECT_NONE, UINT32_MAX, 0};
	for (uint32_t k = 0; k < parameters && !r->failed; k++)
		read_parameter(r);
	for (uint32_t k = 0; k < techniques && !r->failed; k++)
		read_technique(r);
}

/* --- objects --- */

/* Returns the number of bytes rounded up to a multiple of 4, as objects are padded. */
static size_t whole_words(size_t bytes)
{
	return (bytes + WORD - 1) / WORD * WORD;
}

/* Sets `stays` of a block to `why`, unless `block` is no index or the block has a reason already. */
static void keep_block(struct effect *e, int block, const char *why)
{
	if (block >= 0 && !e->blocks.at[block].stays)
		e->blocks.at[block].stays = why;
}

/* Returns the reason why a shader must stay, judged by its code alone: it is not read, or an instruction names no lane.  Returns NULL if there is
 * none. */
static const char *why_unreadable(struct reader *r, const struct source *s)
{
	struct diags said;
	diag_init(&said, r->arena);
	struct program_list const list = parse_programs(r->arena, s, &said);
	return said.errors && said.n ? arena_printf(r->arena, "it is not read: %s", said.at[said.n - 1].text)
	       : list.n != 1         ? "it is not read"
	       : program_names_no_lane(list.at[0]) ? "an instruction of it reads one lane and does not name it"
	                                           : NULL;
}

/* Adds the shader in `bytes` as a block, and returns the index of the block.  Returns EFFECT_NONE if there are no bytes, since the variable or
 * state is NULL.  Sets `stays` if the object has a block already. */
static int add_shader(struct reader *r, uint32_t object, struct name bytes, const char *name, uint32_t element, const char *shown)
{
	if (!bytes.n)
		return EFFECT_NONE;
	struct effect *e = r->effect;
	int const block = (int)e->blocks.n;
	struct effect_block *b = &VEC_PUSH(r->arena, &e->blocks);
	size_t const from = (size_t)(bytes.at - r->file->text);
	*b = (struct effect_block){.kind = EFFECT_COMPILED, .at = SRCPOS_NONE, .from = (srcpos)(from - WORD), .to = (srcpos)(from + whole_words(bytes.n)),
	                           .name = name, .element = element, .live = true, .whole = true};
	b->source = (struct source){.name = shown, .text = bytes.at, .size = bytes.n};
	b->model = bytecode_model(bytes.at, bytes.n);
	b->stays = b->model == MODEL_COUNT ? NULL : why_unreadable(r, &b->source);
	int const before = r->objects[object].block;
	if (before != EFFECT_NONE) {
		keep_block(e, before, "another object has its number");
		keep_block(e, block, "another object has its number");
	}
	r->objects[object].block = block;
	return block;
}

/* Reads the size and bytes of an object, and returns the bytes without their padding. */
static struct name next_object(struct reader *r)
{
	struct name const bytes = bytes_at(r, r->at);
	if (!r->failed && !is_in_file(r, r->at + WORD, whole_words(bytes.n)))
		fail_at_byte(r, r->at, "%zu bytes of an object belong here, but the effect ends before", bytes.n);
	r->at += WORD + whole_words(bytes.n);
	return bytes;
}

static void read_variable_object(struct reader *r)
{
	uint32_t const number = object_at(r, r->at);
	r->at += WORD;
	struct name const bytes = next_object(r);
	const struct object *o = r->failed ? NULL : &r->objects[number];
	if (!o || o->variable == UINT32_MAX)
		return;
	const struct variable *v = &r->variables.at[o->variable];
	const char *name = arena_copy(r->arena, v->name.n ? v->name.at : "", v->name.n), *file = r->file->name;
	add_shader(r, number, bytes, name, o->element,
	          v->elements ? arena_printf(r->arena, "%s#%s[%u]", file, name, (unsigned)o->element) : arena_printf(r->arena, "%s#%s", file, name));
}

/* Returns the index of the block of the variable or element that `s` names, as "name" or "name[2]", EFFECT_NONE if its value is NULL, or
 * EFFECT_UNCLEAR if there is no such variable. */
static int variable_block(const struct reader *r, struct name s)
{
	const char *bracket = memchr(s.at, '[', s.n);
	size_t const n = bracket ? (size_t)(bracket - s.at) : s.n;
	uint32_t element = 0;
	for (const char *c = bracket ? bracket + 1 : s.at + s.n; c < s.at + s.n && *c >= '0' && *c <= '9' && element < UINT16_MAX; c++)
		element = element * 10 + (uint32_t)(*c - '0');
	for (uint32_t k = 0; k < r->variables.n; k++) {
		const struct variable *v = &r->variables.at[k];
		if (v->name.n == n && memcmp(v->name.at, s.at, n) == 0 && element < (v->elements ? v->elements : 1))
			return r->objects[bytecode_token(r->file->text + v->objects + (size_t)element * WORD)].block;
	}
	return EFFECT_UNCLEAR;
}

/* Sets `stays` of all shaders of the array from which an expression chooses, since the pass may draw with any of them.  `bytes` has a number, then
 * the name of the array.  Without a name, sets `stays` of the shaders of all variables. */
static void keep_chosen(struct reader *r, struct name bytes)
{
	const char *name = bytes.n > WORD ? bytes.at + WORD : NULL, *end = name ? memchr(name, 0, bytes.n - WORD) : NULL;
	for (uint32_t k = 0; k < r->variables.n; k++) {
		const struct variable *v = &r->variables.at[k];
		if (end && (v->name.n != (size_t)(end - name) || memcmp(v->name.at, name, v->name.n) != 0))
			continue;
		for (uint32_t j = 0; j < (v->elements ? v->elements : 1); j++)
			keep_block(r->effect, r->objects[bytecode_token(r->file->text + v->objects + (size_t)j * WORD)].block,
			     "a pass chooses it by an expression");
	}
}

/* Returns the index of the block that a state sets as shader of its pass, EFFECT_NONE for NULL, or EFFECT_UNCLEAR if the block is not known. */
static int shader_of_state(struct reader *r, const struct state *s, uint32_t use, struct name bytes)
{
	const struct effect_pass *pass = &r->effect->passes.at[s->pass];
	const char *end = bytes.n ? memchr(bytes.at, 0, bytes.n) : NULL;
	switch (use) {
	case USE_ITSELF:
		return add_shader(r, s->object, bytes, NULL, 0, arena_printf(r->arena, "%s#%s/%s", r->file->name, pass->technique, pass->name));
	case USE_PARAMETER: return end ? variable_block(r, (struct name){bytes.at, (size_t)(end - bytes.at)}) : EFFECT_UNCLEAR;
	case USE_CHOICE: keep_chosen(r, bytes); return EFFECT_UNCLEAR;
	default: keep_chosen(r, (struct name){0}); return EFFECT_UNCLEAR;
	}
}

/* Adds to the effect's `sets` the constants that a state sets from its object: as many registers as a parameter has, 4 for numbers in place, or
 * all from the first on. */
static void set_from_object(struct reader *r, const struct state *s, uint32_t use, struct name bytes)
{
	uint32_t rows, n = use == USE_ITSELF ? MATRIX_ROWS : MOST_STATE_CONSTS;
	int const stage = sets_constants(s->operation, &rows);
	const char *end = bytes.n ? memchr(bytes.at, 0, bytes.n) : NULL;
	for (uint32_t k = 0; end && use == USE_PARAMETER && k < r->numbers.n; k++) {
		const struct numbers *v = &r->numbers.at[k];
		if (v->name.n == (size_t)(end - bytes.at) && memcmp(v->name.at, bytes.at, v->name.n) == 0)
			n = v->registers;
	}
	if (stage >= 0)
		effect_sets(r->effect, (enum stage)stage, s->index, n);
}

static void read_state_object(struct reader *r)
{
	size_t const at = r->at;
	uint32_t const technique = next_word(r), index = next_word(r);
	next_word(r); /* skip the number of an element of a sampler array */
	uint32_t const number = next_word(r), use = next_word(r);
	struct name const bytes = next_object(r);
	if (r->failed || technique == NO_TECHNIQUE)
		return;
	const struct technique *t = technique < r->techniques.n ? &r->techniques.at[technique] : NULL;
	const struct pass_states *states = t && index < t->n ? &r->passes.at[t->first + index] : NULL;
	if (!states || number >= states->n) {
		fail_at_byte(r, at, "an object for state %u of pass %u of technique %u, which does not exist", (unsigned)number, (unsigned)index,
		     (unsigned)technique);
		return;
	}
	const struct state *s = &r->states.at[states->first + number];
	set_from_object(r, s, use, bytes);
	if (s->operation != SETS_VERTEX_SHADER && s->operation != SETS_PIXEL_SHADER)
		return;
	int const block = shader_of_state(r, s, use, bytes);
	struct effect_pass *pass = &r->effect->passes.at[s->pass];
	enum stage const stage = s->operation == SETS_VERTEX_SHADER ? STAGE_VERTEX : STAGE_PIXEL;
	int *to = stage == STAGE_VERTEX ? &pass->vs : &pass->ps;
	bool const twice = *to != EFFECT_NONE;
	if (twice) {
		keep_block(r->effect, *to, "a pass sets another shader after it");
		keep_block(r->effect, block, "a pass sets another shader before it");
	}
	*to = twice ? EFFECT_UNCLEAR : block;
}

/* Sets `sets` of each pass: the stages whose shader one of its states sets, also to NULL. */
static void note_set_stages(struct reader *r)
{
	for (uint32_t k = 0; k < r->states.n; k++) {
		const struct state *s = &r->states.at[k];
		bool *sets = r->effect->passes.at[s->pass].sets;
		sets[STAGE_VERTEX] |= s->operation == SETS_VERTEX_SHADER;
		sets[STAGE_PIXEL] |= s->operation == SETS_PIXEL_SHADER;
	}
}

static void read_objects(struct reader *r)
{
	enum { VARIABLE_OBJECT_BYTES = 8, STATE_OBJECT_BYTES = 24 };
	uint32_t const of_variables = next_count(r, "objects of parameters", VARIABLE_OBJECT_BYTES);
	uint32_t const of_states = next_count(r, "objects of states", STATE_OBJECT_BYTES);
	for (uint32_t k = 0; k < of_variables && !r->failed; k++)
		read_variable_object(r);
	for (uint32_t k = 0; k < of_states && !r->failed; k++)
		read_state_object(r);
}

/* --- the whole effect --- */

static bool begins_effect(const char *bytes, size_t size)
{
	uint32_t const token = size >= WORD ? bytecode_token(bytes) : 0;
	return token == TOKEN_EFFECT || token == TOKEN_WRAP;
}

bool effect_is_compiled(const char *bytes, size_t size)
{
	size_t at;
	bool const wrapped = xnb_content(bytes, size, &at) == XNB_EFFECT;
	return wrapped ? size < at + 2 * WORD || begins_effect(bytes + at + WORD, size - at - WORD) : begins_effect(bytes, size);
}

/* If the file is a .xnb, restricts the reader to the effect in it, and adds the two sizes in the .xnb to `lengths`.  Adds an error if these sizes
 * are wrong. */
static void unwrap(struct reader *r)
{
	size_t size_at;
	if (xnb_content(r->file->text, r->file->size, &size_at) != XNB_EFFECT)
		return;
	uint32_t const all = word_at(r, XNB_SIZE_AT), size = word_at(r, size_at);
	size_t const from = size_at + WORD;
	if (all != r->file->size)
		fail_at_byte(r, XNB_SIZE_AT, "the XNB should have %u bytes, but the file has %zu", (unsigned)all, r->file->size);
	else if (!is_in_file(r, from, size))
		fail_at_byte(r, size_at, "%u bytes of an effect belong here, but the file ends before", (unsigned)size);
	struct source *inside = arena_alloc(r->arena, sizeof *inside);
	*inside = *r->file;
	inside->size = r->failed ? 0 : from + size;
	r->file = inside;
	r->start = from;
	VEC_PUSH(r->arena, &r->effect->lengths) = XNB_SIZE_AT;
	VEC_PUSH(r->arena, &r->effect->lengths) = size_at;
}

struct effect *effect_read_compiled(struct arena *arena, const struct source *file, struct diags *diags)
{
	struct reader r = {.arena = arena, .diags = diags, .file = file, .effect = arena_zero(arena, sizeof *r.effect)};
	r.effect->file = file;
	r.effect->compiled = true;
	unwrap(&r);
	r.at = r.start;
	if (word_at(&r, r.start) == TOKEN_WRAP)
		r.at += word_at(&r, r.start + WORD);
	if (!r.failed && word_at(&r, r.at) != TOKEN_EFFECT)
		fail_at_byte(&r, r.at, "0x%08x stands in place of an effect's token 0xfeff0901", (unsigned)word_at(&r, r.at));
	r.base = r.at + HEAD_BYTES;
	r.at = r.base + word_at(&r, r.at + WORD);
	read_lists(&r);
	if (!r.failed)
		read_objects(&r);
	note_set_stages(&r);
	return r.failed ? NULL : r.effect;
}

void effect_put_lengths(struct text *to, size_t file_at, const struct effect *e)
{
	uint32_t const more = (uint32_t)(to->n - file_at - e->file->size);
	for (uint32_t k = 0; k < e->lengths.n; k++) {
		char *at = to->at + file_at + e->lengths.at[k];
		uint32_t const length = bytecode_token(at) + more;
		for (unsigned j = 0; j < WORD; j++)
			at[j] = (char)(length >> 8 * j);
	}
}

void effect_put_object(struct text *to, const struct text *program)
{
	for (unsigned k = 0; k < WORD; k++)
		text_char(to, (char)(program->n >> 8 * k));
	text_bytes(to, program->at, program->n);
}
