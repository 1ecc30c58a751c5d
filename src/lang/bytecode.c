/* Bytecode, see bytecode.h: tokens of operands, then the writer, the reader, and listings. */
#include "lang/bytecode.h"

#include "lang/link.h"
#include "lang/modifier.h"
#include "lang/needs.h"
#include "lang/print.h"

#include <math.h>

#define TOKEN_PARAMETER 0x80000000u /* this bit is set in the token of every operand */

enum token {
	TOKEN_RELATIVE = 1 << 13,
	TOKEN_NUMBER = 0x7ff,       /* mask of the register's number */
	TOKEN_CODE = 0xffff,
	TOKEN_COMMENT = 0xfffe, LONGEST_COMMENT = 0x7fff /* the most tokens of a comment, whose length field has 15 bits */,
	TOKEN_END = 0xffff,
	TOKEN_DCL = 31,
	TOKEN_DEF = 81,
	TOKEN_DEFB = 47, TOKEN_DEFI = 48,
	TOKEN_PREDICATED = 1 << 28,
	TOKEN_NEGATE = 1, TOKEN_ABSOLUTE = 11, /* source modifiers; their sum, 12, stands for both */
	TOKEN_NOT = 13,             /* the source modifier ! of a b# or p0 */
	COMPARISON_BITS = 7,
	SHIFT_SWIZZLE = 16, SHIFT_MODIFIER = 24, SHIFT_MASK = 16, SHIFT_FLAGS = 20,
	SHIFT_COMPARISON = 16,
	SHIFT_LENGTH = 24,          /* the first bit of the number of operand tokens in an opcode token, from model 2 on */
	SHIFT_USAGE_INDEX = 16, SHIFT_TEXTURE = 27,
	FIRST_TEXTURE = 1           /* bytecode numbers texture types by enum texture plus this */
};

/* For each register file: the register type in operand tokens, and the number of its first register.  oPos, oFog and oPts share a type, and so do
 * vPos and vFace. */
static const struct {
	uint8_t type, number;
} file_codes[REG_FILES] = {
	[REG_TEMP] = {0, 0}, [REG_INPUT] = {1, 0}, [REG_CONST] = {2, 0}, [REG_ADDRESS] = {3, 0}, [REG_TEXCOORD] = {3, 0},
	[REG_POS_OUT] = {4, 0}, [REG_FOG_OUT] = {4, 1}, [REG_SIZE_OUT] = {4, 2}, [REG_COLOUR_OUT] = {5, 0},
	[REG_TEX_OUT] = {6, 0}, [REG_PIXEL_OUT] = {8, 0}, [REG_DEPTH_OUT] = {9, 0}, [REG_SAMPLER] = {10, 0},
	[REG_LINKED] = {6, 0}, [REG_INT] = {7, 0}, [REG_BOOL] = {14, 0}, [REG_LOOP] = {15, 0},
	[REG_PIXEL_POS] = {17, 0}, [REG_FACE] = {17, 1}, [REG_LABEL] = {18, 0}, [REG_PREDICATE] = {19, 0},
};

/* Returns the token of a register, without mask, swizzle and modifiers.  In model 3, the token names the v# or o# that the text of `p` declares
 * for the lanes `of` of the register.  If `p` is NULL, it names the register itself. */
static uint32_t operand_token(const struct program *p, enum reg_file file, int index, lanes of)
{
	const struct decl *named = link_named(p, file, index, of);
	if (named) {
		file = named->kind == DECL_OUTPUT ? REG_LINKED : REG_INPUT;
		index = named->number;
	}
	uint32_t const type = file_codes[file].type;
	return TOKEN_PARAMETER | (type & 7) << 28 | type >> 3 << 11 |
	       (((unsigned)index + file_codes[file].number) & TOKEN_NUMBER);
}

static void put_token(struct text *t, uint32_t token)
{
	char const bytes[4] = {(char)token, (char)(token >> 8), (char)(token >> 16), (char)(token >> 24)};
	text_bytes(t, bytes, sizeof bytes);
}


static unsigned major(uint32_t version)
{
	return version >> 8 & 0xff;
}

/* --- writing --- */

/* Writes the address register of an operand, a lane of a0 or aL. */
static void put_address(struct text *t, unsigned relative)
{
	if (relative == RELATIVE_LOOP)
		put_token(t, operand_token(NULL, REG_LOOP, 0, 0) | (uint32_t)SWIZZLE_XYZW << SHIFT_SWIZZLE);
	else
		put_token(t, operand_token(NULL, REG_ADDRESS, 0, 0) | (uint32_t)swizzle_replicate(relative - 1u) << SHIFT_SWIZZLE);
}

/* Writes a destination operand, in model 3 as the v# or o# that the text declares for the lanes `of` of its register. */
static void put_dst(struct text *t, const struct program *p, const struct dst *d, lanes of, unsigned flags)
{
	put_token(t, operand_token(d->relative ? NULL : p, (enum reg_file)d->file, d->index, of) | (uint32_t)d->mask << SHIFT_MASK |
	       flags << SHIFT_FLAGS | (d->relative ? TOKEN_RELATIVE : 0));
	if (d->relative)
		put_address(t, d->relative);
}

/* Writes source operand k.  `addressed` is true from model 2 on, where the address register has a token of its own.  In model 1, it is always
 * a0.x. */
static void put_src(struct text *t, const struct program *p, const struct instr *i, unsigned k, bool addressed)
{
	const struct src *s = &i->src[k];
	bool const truth = s->file == REG_BOOL || s->file == REG_PREDICATE;
	uint32_t const modifier = truth ? (s->negate ? TOKEN_NOT : 0u) : (s->negate ? TOKEN_NEGATE : 0u) + (s->absolute ? TOKEN_ABSOLUTE : 0u);
	put_token(t, operand_token(s->relative ? NULL : p, (enum reg_file)s->file, s->index, instr_reads(p, i, k)) |
	       (uint32_t)s->swizzle << SHIFT_SWIZZLE | modifier << SHIFT_MODIFIER | (s->relative ? TOKEN_RELATIVE : 0));
	if (s->relative && addressed)
		put_address(t, s->relative);
}

static void put_predicate(struct text *t, const struct instr *i)
{
	if (i->predicate)
		put_token(t, operand_token(NULL, REG_PREDICATE, 0, 0) | (uint32_t)i->predicate_swizzle << SHIFT_SWIZZLE |
		       (i->predicate == PREDICATE_FALSE ? (uint32_t)TOKEN_NOT << SHIFT_MODIFIER : 0));
}

/* Writes the opcode token of a statement.  Returns the offset behind it, which finish_statement() takes. */
static size_t begin_statement(struct text *t, uint32_t code)
{
	put_token(t, code);
	return t->n;
}

/* From model 2 on, puts the number of operand tokens behind offset `from` into the opcode token before it. */
static void finish_statement(struct text *t, size_t from, uint32_t version)
{
	if (major(version) > 1)
		t->at[from - 1] = (char)((unsigned char)t->at[from - 1] | ((t->n - from) / 4 << (SHIFT_LENGTH - 24)));
}

static void write_decl(struct text *t, const struct program *p, const struct decl *d, uint32_t version)
{
	bool const defines = d->kind == DECL_DEF || d->kind == DECL_INT || d->kind == DECL_BOOL;
	uint32_t const code = d->kind == DECL_DEF ? TOKEN_DEF : d->kind == DECL_INT ? TOKEN_DEFI : d->kind == DECL_BOOL ? TOKEN_DEFB : TOKEN_DCL;
	size_t const from = begin_statement(t, code);
	uint32_t what = TOKEN_PARAMETER;
	switch ((enum decl_kind)d->kind) {
	case DECL_DEF:
	case DECL_INT:
	case DECL_BOOL: break;
	case DECL_PIXEL_INPUT:
		if (!model_links(p->model) || d->usage >= USAGES)
			break;
		what |= d->usage | (uint32_t)d->usage_index << SHIFT_USAGE_INDEX;
		break;
	case DECL_OUTPUT:
	case DECL_VERTEX_INPUT: what |= d->usage | (uint32_t)d->usage_index << SHIFT_USAGE_INDEX; break;
	case DECL_SAMPLER: what |= (uint32_t)(d->texture + FIRST_TEXTURE) << SHIFT_TEXTURE; break;
	}
	struct dst reg = d->reg;
	if (link_named(p, (enum reg_file)reg.file, reg.index, 0)) { /* name the v# or o# of this declaration in the text, as the printer does */
		reg.file = d->kind == DECL_OUTPUT ? REG_LINKED : REG_INPUT;
		reg.index = d->number;
		p = NULL;
	}
	if (!defines)
		put_token(t, what);
	put_dst(t, p, &reg, 0, (d->flags & (INSTR_PP | INSTR_CENTROID)) | (d->lone_pp ? INSTR_PP : 0));
	for (unsigned lane = 0; defines && lane < (d->kind == DECL_BOOL ? 1 : LANES); lane++) {
		uint32_t bits;
		memcpy(&bits, &d->value[lane], sizeof bits);
		put_token(t, bits);
	}
	finish_statement(t, from, version);
}

/* Writes an instruction.  If the program is unchanged (`whole`), an m3x2 to m4x4 without a mask in the text gets the full mask, which it had in
 * the bytecode. */
static void write_instr_tokens(struct text *t, const struct program *p, const struct instr *i, uint32_t version, bool whole)
{
	size_t const from = begin_statement(t, ops[i->op].code | (uint32_t)i->comparison << SHIFT_COMPARISON | (i->predicate ? TOKEN_PREDICATED : 0));
	struct dst dst = i->dst;
	if (whole && ops[i->op].shape == SHAPE_MATRIX && !dst.masked)
		dst.mask = MASK_XYZW;
	if (!(ops[i->op].flags & OPF_NO_DST))
		put_dst(t, p, &dst, 0, i->flags & (INSTR_SAT | INSTR_PP | INSTR_CENTROID));
	if (ops[i->op].shape != SHAPE_KILL)
		put_predicate(t, i);
	EACH_SOURCE(s, i) {
		if (ops[i->op].shape == SHAPE_KILL) /* in bytecode, the source of texkill is a destination token */
			put_dst(t, p, &(struct dst){.file = i->src[s].file, .index = i->src[s].index, .mask = MASK_XYZW},
			        MASK_XYZW, 0);
		else
			put_src(t, p, i, s, major(version) > 1);
	}
	if (ops[i->op].shape == SHAPE_KILL)
		put_predicate(t, i);
	finish_statement(t, from, version);
}

static void put_comment(struct text *t, const char *bytes, size_t size)
{
	put_token(t, TOKEN_COMMENT | (uint32_t)(size / 4) << 16);
	text_bytes(t, bytes, size);
}

static uint32_t letters_of(const struct bytecode_comment *c)
{
	return c->size >= 4 ? bytecode_token(c->bytes) : 0;
}

/* Returns the first comment before all statements that holds a table of constants, or NULL if there is none, or `b` is NULL. */
static const struct bytecode_comment *table_comment(const struct bytecode *b)
{
	for (uint32_t k = 0; b && k < b->comments.n; k++)
		if (!b->comments.at[k].before && letters_of(&b->comments.at[k]) == BYTECODE_TABLE)
			return &b->comments.at[k];
	return NULL;
}

static void write_needs(struct text *t, const struct needs *needs)
{
	struct text said = {.arena = t->arena};
	put_token(&said, BYTECODE_NEEDS);
	needs_print(&said, needs);
	while (said.n % 4)
		text_char(&said, '\n');
	if (said.n > 4)
		put_comment(t, said.at, said.n);
}

static bool has_name(const struct constant_table *t, const char *name)
{
	for (uint32_t k = 0; t && k < t->constants.n; k++)
		if (strcmp(t->constants.at[k].name, name) == 0)
			return true;
	return false;
}

/* Returns true if the registers of the added row include one that the program reads, and that is not the copy of its FP constant: an application
 * that sets the row would overwrite that register. */
static bool addition_clobbers(const struct program *p, const struct table_addition *a)
{
	for (int k = 0; k < a->count; k++) {
		bool own = false;
		for (uint32_t j = 0; j < p->needs.consts.n; j++)
			own |= p->needs.consts.at[j].vs == a->index + k && p->needs.consts.at[j].ps == a->constant->index + k;
		if (!own && program_reads(p, REG_CONST, a->index + k))
			return true;
	}
	return false;
}

/* Makes the row for the VP's table that names a copy as the FPs' tables name its FP constant.  The row covers the constant's array or matrix from
 * its first register to the last one that is needed.  Returns false if there can be no row: no name sets the FP constant alone in all FPs, the
 * copies are not in the array's order, setting the row would clobber other registers, or the VP's table already has that name, which may be a
 * different constant. */
static bool find_addition(const struct program *p, const struct constant_types *types, const struct const_map *map,
                          struct table_addition *to)
{
	const struct bytecode *b = p->source ? p->source->bytecode : NULL;
	const struct constant_table *own = b ? b->table : NULL;
	const struct table_constant *c = NULL;
	const struct constant_table *from = NULL;
	for (uint32_t k = 0; types && !register_is_in(&types->apart, map->ps) && k < types->n; k++) {
		const struct table_constant *found = constant_table_find(types->at[k], KIND_FLOAT, map->ps);
		/* Take the longest row of all tables: a compiler's table has an array only as far as the program reads it. */
		if (found && (!c || found->count > c->count)) {
			c = found;
			from = types->at[k];
		}
	}
	int const index = c ? map->vs - (map->ps - c->index) : -1;
	if (index < 0 || has_name(own, c->name) || !constant_table_is_unique(from, c))
		return false;
	*to = (struct table_addition){.from = from, .constant = c, .index = (uint16_t)index};
	for (uint32_t k = 0; k < p->needs.consts.n; k++) {
		const struct const_map *other = &p->needs.consts.at[k];
		int const row = other->ps - c->index;
		if (row < 0 || row >= c->count)
			continue;
		if (other->vs != index + row)
			return false;
		to->count = row >= to->count ? (uint16_t)(row + 1) : to->count;
	}
	return !addition_clobbers(p, to);
}

/* Writes the program's table of constants, with the model of the new program: comment `c` of its source, with added rows for the copies that a VP
 * needs.  Copies comment `c` as it is if no change is needed, or if the new table would be too long.  If `c` is NULL, as the source has no table,
 * writes the rows as a table only if `types` says so (adds_table). */
static void write_constant_table(struct text *t, const struct program *p, const struct constant_types *types, const struct bytecode_comment *c)
{
	const struct constant_table *own = c ? p->source->bytecode->table : NULL;
	struct { VEC(struct table_addition); } more = {0};
	bool const extends = c ? own != NULL : types && types->adds_table;
	for (uint32_t k = 0; extends && program_stage(p) == STAGE_VERTEX && k < p->needs.consts.n; k++) {
		struct table_addition a;
		bool known = !find_addition(p, types, &p->needs.consts.at[k], &a);
		for (uint32_t j = 0; !known && j < more.n; j++)
			known = strcmp(more.at[j].constant->name, a.constant->name) == 0;
		if (!known)
			VEC_PUSH(t->arena, &more) = a;
	}
	uint32_t const version = models[p->model].code;
	struct text table = {.arena = t->arena};
	if (more.n || (own && own->version != version)) {
		put_token(&table, BYTECODE_TABLE);
		constant_table_extend(&table, own, version, more.at, more.n);
	}
	if (table.n && table.n / 4 <= LONGEST_COMMENT) {
		put_comment(t, table.at, table.n);
	} else if (c) {
		put_comment(t, c->bytes, c->size);
	}
}

void bytecode_print(struct text *t, const struct program *p, bool whole, const struct constant_types *types)
{
	p = modifier_contracted(t->arena, p);
	uint32_t const version = models[p->model].code, statements = p->decls.n + p->instrs.n;
	const struct bytecode *b = p->source ? p->source->bytecode : NULL;
	uint32_t c = 0, n = b ? b->comments.n : 0;
	put_token(t, version);
	if (!whole)
		write_needs(t, &p->needs);
	if (!whole && !table_comment(b))
		write_constant_table(t, p, types, NULL);
	for (uint32_t k = 0; k <= statements; k++) {
		for (; c < n && b->comments.at[c].before <= k; c++) {
			const struct bytecode_comment *comment = &b->comments.at[c];
			if (whole || (!k && letters_of(comment) != BYTECODE_NEEDS && letters_of(comment) != BYTECODE_TABLE))
				put_comment(t, comment->bytes, comment->size);
			else if (comment == table_comment(b))
				write_constant_table(t, p, types, comment);
		}
		if (k < p->decls.n)
			write_decl(t, p, &p->decls.at[k], version);
		else if (k < statements)
			write_instr_tokens(t, p, &p->instrs.at[k - p->decls.n], version, whole);
	}
	put_token(t, TOKEN_END);
}

/* --- reading --- */

struct reader {
	struct arena *arena;
	const struct source *source;
	struct diags *diags;
	size_t at, n;      /* index of the next token, and number of all tokens */
	uint32_t version;
	struct program *p;
	bool failed;       /* an error was reported */
};

/* Reports an error at a token, unless an error was reported before.  Sets r->failed. */
static void fail_at_token(struct reader *r, size_t token, const char *what, ...) PRINTF_LIKE(3, 4);
static void fail_at_token(struct reader *r, size_t token, const char *what, ...)
{
	va_list list;
	va_start(list, what);
	const char *text = arena_vprintf(r->arena, what, list);
	va_end(list);
	if (!r->failed)
		diag_add(r->diags, DIAG_ERROR, "bytecode", r->source, SRCPOS_NONE, "token %zu: %s", token, text);
	r->failed = true;
}

/* Returns the next token.  If none is left, returns 0 and reports an error. */
static uint32_t take_token(struct reader *r)
{
	if (r->at == r->n)
		fail_at_token(r, r->n, "the bytecode ends here, within a statement or before its end token (0x0000ffff)");
	return r->failed ? 0 : bytecode_token(r->source->text + 4 * r->at++);
}

static uint32_t operand_type(uint32_t token)
{
	return (token >> 28 & 7) | (token >> 8 & 0x18);
}

/* Returns the register file that an operand's token names, and sets *index to the register's number.  If there is no such register, reports an
 * error and returns REG_TEMP. */
static enum reg_file take_register(struct reader *r, uint32_t token, int16_t *index)
{
	uint32_t const type = operand_type(token), number = token & TOKEN_NUMBER;
	enum stage const stage = program_stage(r->p);
	for (unsigned file = 0; file < REG_FILES; file++) {
		if (file_codes[file].type != type || (file == REG_ADDRESS && stage == STAGE_PIXEL) ||
		    (file == REG_TEXCOORD && stage == STAGE_VERTEX))
			continue;
		bool const links = model_links(r->p->model);
		if (links ? file == REG_TEXCOORD || (reg_files[file].output && stage == STAGE_VERTEX && file != REG_LINKED)
		          : file == REG_LINKED)
			continue;
		if (!reg_files[file].numbered && number != file_codes[file].number)
			continue;
		*index = (int16_t)(number - file_codes[file].number);
		return (enum reg_file)file;
	}
	static const char *const others[32] = {[11] = "a constant above c2047", [12] = "a constant above c2047",
	                                       [13] = "a constant above c2047", [17] = "neither vPos nor vFace"};
	fail_at_token(r, r->at - 1, "a register of type %u%s%s%s is not supported", (unsigned)type, others[type] ? " (" : "",
	     others[type] ? others[type] : "", others[type] ? ")" : "");
	return REG_TEMP;
}

static bool is_operand(struct reader *r, uint32_t token)
{
	if (!(token & TOKEN_PARAMETER))
		fail_at_token(r, r->at - 1, "0x%08x where an operand belongs", (unsigned)token);
	return !r->failed;
}

/* Reads the address register of an operand.  Returns its value for the field `relative` of struct src.  Reports an error for any but a0 and aL. */
static uint8_t take_address(struct reader *r)
{
	int16_t number = 0;
	uint32_t const address = major(r->version) > 1 ? take_token(r) : operand_token(NULL, REG_ADDRESS, 0, 0);
	enum reg_file const file = take_register(r, address, &number);
	if (file == REG_LOOP && !number)
		return RELATIVE_LOOP;
	if (file != REG_ADDRESS || number)
		fail_at_token(r, r->at - 1, "a register is addressed by something other than a0 or aL");
	return (uint8_t)(1 + (address >> SHIFT_SWIZZLE & 3));
}

static struct dst take_dst(struct reader *r, uint8_t *flags)
{
	uint32_t const token = take_token(r);
	struct dst d = {.at = SRCPOS_NONE, .mask = (lanes)(token >> SHIFT_MASK & MASK_XYZW)};
	if (!is_operand(r, token))
		return d;
	d.masked = d.mask != MASK_XYZW;
	d.file = (uint8_t)take_register(r, token, &d.index);
	if (token & TOKEN_RELATIVE)
		d.relative = take_address(r);
	if (d.relative && d.file != REG_LINKED)
		fail_at_token(r, r->at - 1, "only an o# can be a destination that is addressed through a register");
	*flags = (uint8_t)(token >> SHIFT_FLAGS & (INSTR_SAT | INSTR_PP | INSTR_CENTROID));
	return d;
}

static struct src take_src(struct reader *r)
{
	uint32_t const token = take_token(r);
	struct src s = {.at = SRCPOS_NONE, .swizzle = (swizzle)(token >> SHIFT_SWIZZLE & 0xff)};
	if (!is_operand(r, token))
		return s;
	uint32_t const modifier = token >> SHIFT_MODIFIER & 15;
	s.file = (uint8_t)take_register(r, token, &s.index);
	bool const truth = s.file == REG_BOOL || s.file == REG_PREDICATE, links = model_links(r->p->model);
	s.absolute = links && (modifier == TOKEN_ABSOLUTE || modifier == TOKEN_ABSOLUTE + TOKEN_NEGATE);
	s.negate = modifier == (truth ? TOKEN_NOT : TOKEN_NEGATE + (s.absolute ? TOKEN_ABSOLUTE : 0));
	if (modifier && !s.negate && !s.absolute)
		fail_at_token(r, r->at - 1, "source modifier %u, which %s lacks", (unsigned)modifier, models[r->p->model].name);
	if (token & TOKEN_RELATIVE) {
		s.relative = take_address(r);
		if (s.file != REG_CONST && !(links && s.file == REG_INPUT))
			fail_at_token(r, r->at - 1, "%s# is addressed through a register, which only c# can be", reg_files[s.file].name);
	}
	return s;
}

/* Reads the operands of a def, defi or defb into `d`, whose `kind` is set. */
static void take_def(struct reader *r, struct decl *d)
{
	uint8_t none;
	d->reg = take_dst(r, &none);
	for (unsigned lane = 0; lane < (d->kind == DECL_BOOL ? 1 : LANES); lane++) {
		uint32_t const bits = take_token(r);
		memcpy(&d->value[lane], &bits, sizeof bits);
		if (d->kind == DECL_DEF && !isfinite(d->value[lane]))
			fail_at_token(r, r->at - 1, "a def of a number that is not finite");
	}
}

static void take_dcl(struct reader *r, struct decl *d)
{
	uint32_t const what = take_token(r), usage = what & 31;
	uint32_t const texture = (what >> SHIFT_TEXTURE & 15) - FIRST_TEXTURE;
	size_t const at = r->at - 1;
	d->reg = take_dst(r, &d->flags);
	if (d->reg.file == REG_SAMPLER) {
		d->kind = DECL_SAMPLER;
		if (texture < TEXTURE_2D || texture > TEXTURE_VOLUME)
			fail_at_token(r, at, "a sampler for textures of unknown type %u", (unsigned)(what >> SHIFT_TEXTURE & 15));
		if (r->failed)
			return;
		d->texture = (uint8_t)texture;
		r->p->samplers[d->reg.index & 15] = d->texture;
		return;
	}
	bool const links = model_links(r->p->model);
	d->kind = program_stage(r->p) == STAGE_PIXEL ? DECL_PIXEL_INPUT : d->reg.file == REG_LINKED ? DECL_OUTPUT : DECL_VERTEX_INPUT;
	d->usage = USAGES;
	if (d->kind == DECL_PIXEL_INPUT && (!links || d->reg.file != REG_INPUT))
		return;
	if (usage >= USAGES)
		fail_at_token(r, at, "a register for unknown usage %u", (unsigned)usage);
	d->usage = (uint8_t)usage;
	d->usage_index = (uint8_t)(what >> SHIFT_USAGE_INDEX & 15);
	if (links)
		d->number = (uint8_t)d->reg.index;
}

/* Reads the instruction's predicate, and reports an error if it is not p0. */
static void take_predicate_token(struct reader *r, struct instr *i)
{
	struct src const s = take_src(r);
	if (!r->failed && (s.file != REG_PREDICATE || s.index))
		fail_at_token(r, r->at - 1, "an instruction's predicate is not p0");
	i->predicate = s.negate ? PREDICATE_FALSE : PREDICATE_TRUE;
	i->predicate_swizzle = s.swizzle;
}

static void take_instr(struct reader *r, enum op op, uint32_t token)
{
	struct instr i = {.op = (uint8_t)op, .at = SRCPOS_NONE};
	bool const kills = ops[op].shape == SHAPE_KILL;
	if (ops[op].flags & OPF_COMPARES)
		i.comparison = (uint8_t)(token >> SHIFT_COMPARISON & COMPARISON_BITS);
	if (ops[op].flags & OPF_COMPARES && (!i.comparison || i.comparison >= COMPARISONS))
		fail_at_token(r, r->at - 1, "a comparison of unknown kind %u", i.comparison);
	if (!(ops[op].flags & OPF_NO_DST))
		i.dst = take_dst(r, &i.flags);
	if (token & TOKEN_PREDICATED && !kills)
		take_predicate_token(r, &i);
	for (unsigned s = 0; s < ops[op].sources; s++) {
		if (kills) {
			uint8_t none;
			struct dst const d = take_dst(r, &none);
			i.src[s] = (struct src){.file = d.file, .index = d.index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
		} else {
			i.src[s] = take_src(r);
		}
	}
	if (token & TOKEN_PREDICATED && kills)
		take_predicate_token(r, &i);
	if (!r->failed)
		VEC_PUSH(r->arena, &r->p->instrs) = i;
}

/* Returns the opcode that an instruction token names, or OP_COUNT if there is none. */
static enum op find_op(const struct reader *r, uint32_t token)
{
	uint32_t const code = token & 0xffffff;
	for (unsigned op = 0; op < OP_COUNT; op++) {
		uint32_t const bits = ops[op].flags & OPF_COMPARES ? (uint32_t)COMPARISON_BITS << SHIFT_COMPARISON : 0;
		if (ops[op].code == (code & ~bits) && !(op == OP_SINCOS && model_links(r->p->model)))
			return (enum op)op;
	}
	return OP_COUNT;
}

static void take_statement(struct reader *r, uint32_t token)
{
	size_t const at = r->at - 1;
	uint32_t const code = token & 0xffffff, length = token >> SHIFT_LENGTH & 15;
	if (code == TOKEN_DEF || code == TOKEN_DCL || code == TOKEN_DEFI || code == TOKEN_DEFB) {
		struct decl *d = &VEC_PUSH(r->arena, &r->p->decls);
		d->at = SRCPOS_NONE;
		d->before = r->p->instrs.n;
		d->kind = code == TOKEN_DEFI ? DECL_INT : code == TOKEN_DEFB ? DECL_BOOL : DECL_DEF;
		if (code == TOKEN_DCL)
			take_dcl(r, d);
		else
			take_def(r, d);
	} else {
		enum op const op = find_op(r, token);
		if (op < OP_COUNT)
			take_instr(r, op, token);
		else
			fail_at_token(r, at, "0x%08x is not an instruction", (unsigned)token);
	}
	if (!r->failed && major(r->version) > 1 && length != r->at - 1 - at)
		fail_at_token(r, at, "the instruction has %u operand tokens, but its length field says %u", (unsigned)(r->at - 1 - at), (unsigned)length);
}

static void take_comment(struct reader *r, uint32_t token, struct bytecode *rest)
{
	size_t const length = token >> 16 & 0x7fff;
	if (token >> 31 || length > r->n - r->at) {
		fail_at_token(r, r->at - 1, "the comment has %zu tokens, but only %zu are left", length, r->n - r->at);
		return;
	}
	VEC_PUSH(r->arena, &rest->comments) = (struct bytecode_comment){
		.before = r->p->decls.n + r->p->instrs.n, .bytes = r->source->text + 4 * r->at, .size = (uint32_t)(4 * length)};
	r->at += length;
}

static enum model model_of(uint32_t version)
{
	for (unsigned m = MODEL_COUNT; m-- > 0;)
		if (models[m].code == version)
			return (enum model)m;
	return MODEL_COUNT;
}

enum model bytecode_model(const char *bytes, size_t size)
{
	return model_of(size >= 4 ? bytecode_token(bytes) : 0);
}

/* Returns the model that the first token names.  If it is not supported, reports an error and returns MODEL_COUNT. */
static enum model find_model(struct reader *r)
{
	enum model const model = model_of(r->version);
	if (model != MODEL_COUNT)
		return model;
	fail_at_token(r, 0, "%cs_%u_%u is not supported; supported: %s", r->version >> 16 & 1 ? 'p' : 'v', major(r->version),
	     (unsigned)(r->version & 0xff), model_names);
	return MODEL_COUNT;
}

struct program *bytecode_read(struct arena *arena, const struct source *source, struct bytecode *rest, struct diags *diags)
{
	struct reader r = {.arena = arena, .source = source, .diags = diags, .n = source->size / 4};
	*rest = (struct bytecode){.bytes = source->text, .size = source->size};
	r.version = take_token(&r);
	enum model const model = find_model(&r);
	if (r.failed)
		return NULL;
	r.p = arena_zero(arena, sizeof *r.p);
	*r.p = (struct program){.model = model, .source = source};
	uint32_t token;
	while (token = take_token(&r), !r.failed && token != TOKEN_END) {
		if ((token & TOKEN_CODE) == TOKEN_COMMENT)
			take_comment(&r, token, rest);
		else
			take_statement(&r, token);
	}
	if (!r.failed && 4 * r.at != source->size)
		fail_at_token(&r, r.at, "%zu bytes behind the end token", source->size - 4 * r.at);
	return r.failed ? NULL : r.p;
}

/* --- as text --- */

/* Adds the lines of a comment of kind BYTECODE_NEEDS.  Drops its padding and each line that is not a // comment, since the parser would read such
 * a line as statements. */
static void add_needs_lines(struct text *t, const struct bytecode_comment *c)
{
	const char *at = c->bytes + 4, *end = c->bytes + c->size;
	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));
		size_t const n = (size_t)((line ? line : end) - at);
		if (n >= 2 && at[0] == '/' && at[1] == '/' && !memchr(at, '\r', n) && !memchr(at, '\0', n)) {
			if (t->n)
				text_char(t, '\n');
			text_bytes(t, at, n);
		}
		at += n + (line != NULL);
	}
}

const struct source *bytecode_listing(struct arena *arena, const struct source *bytes, struct diags *diags)
{
	struct bytecode *b = arena_alloc(arena, sizeof *b);
	struct program *p = bytecode_read(arena, bytes, b, diags);
	if (!p)
		return NULL;
	struct text listing = {.arena = arena}, needs = {.arena = arena};
	const struct bytecode_comment *c = table_comment(b);
	struct constant_table *table = arena_alloc(arena, sizeof *table);
	if (c && constant_table_read(arena, c->bytes + 4, c->size - 4, table)) {
		b->table = table;
		constant_table_print(&listing, table);
	}
	for (uint32_t k = 0; k < b->comments.n; k++)
		if (letters_of(&b->comments.at[k]) == BYTECODE_NEEDS)
			add_needs_lines(&needs, &b->comments.at[k]);
	struct comment intro = {.text = needs.at, .length = (uint32_t)needs.n};
	p->intro = needs.n ? &intro : NULL;
	print_program(&listing, p);
	struct source *s = arena_alloc(arena, sizeof *s);
	*s = (struct source){.name = bytes->name, .text = listing.at, .size = listing.n, .bytecode = b};
	return s;
}

bool bytecode_is_kept(struct arena *arena, const struct program *p, struct diags *diags)
{
	const struct bytecode *b = p->source->bytecode;
	struct text t = {.arena = arena};
	bytecode_print(&t, p, true, NULL);
	size_t token = 0;
	while (4 * token < t.n && 4 * token < b->size && memcmp(t.at + 4 * token, b->bytes + 4 * token, 4) == 0)
		token++;
	if (t.n == b->size && 4 * token == t.n)
		return true;
	diag_add(diags, DIAG_ERROR, "bytecode", p->source, SRCPOS_NONE,
	         "token %zu would not be written back unchanged: it has bits without a meaning, or statements are in an unusual order", token);
	return false;
}
