/* Actions of the grammar that make statements, see lex.h. */
#include "lang/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The largest index accepted: larger than any register number, and small enough for int16_t. */
enum { INDEX_LIMIT = 30000 };

bool parse_in_program(struct parser *p, srcpos at)
{
	if (p->program)
		return true;
	if (!p->skipping && !p->told_no_version) {
		p->told_no_version = true;
		diag_add(p->diags, DIAG_ERROR, "syntax", p->source, at,
		         "a program starts with its version token, such as vs_1_1 or ps_2_0%s",
		         at != SRCPOS_NONE && strncasecmp(p->source->text + at, "preshader", strlen("preshader")) == 0
		                 ? "; this listing starts with a preshader, which is not supported: remove it" : "");
	}
	return false;
}

void parse_error(struct parser *p, srcpos at, const char *format, ...)
{
	if (!parse_in_program(p, at))
		return;
	va_list args;
	va_start(args, format);
	diag_vadd(p->diags, DIAG_ERROR, "syntax", p->source, at, format, args);
	va_end(args);
}

void parse_garbage(struct parser *p, srcpos at, const char *format, ...)
{
	if (!p->program && (p->skipping || p->told_no_version))
		return;
	p->told_no_version = true;
	va_list args;
	va_start(args, format);
	diag_vadd(p->diags, DIAG_ERROR, "syntax", p->source, at, format, args);
	va_end(args);
}

struct comment_list *parse_comments(struct parser *p)
{
	struct comment_list *list = arena_zero(p->arena, sizeof *list);
	list->last = &list->first;
	return list;
}

struct comment_list *parse_open(struct parser *p)
{
	p->current = p->pending;
	p->current->blank = p->newlines > 1;
	p->pending = parse_comments(p);
	return p->current;
}

/* ---- numbers ------------------------------------------------------------- */

/* Passes strtod digits and an exponent without a decimal point, since the character of the decimal point depends on the locale. */
double parse_decimal(const char *text, size_t length)
{
	enum { MOST = 780 }; /* numbers half-way between doubles have up to 767 digits; one digit 1 replaces further digits other than 0 */
	char copy[MOST + 32];
	int n = 0;
	long long scale = 0; /* power of ten of the last digit that is kept */
	bool fraction = false, more = false;
	size_t i = 0;
	for (; i < length && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); i++) {
		if (text[i] == '.') {
			fraction = true;
		} else if (n < MOST) {
			n += n || text[i] != '0';
			copy[n ? n - 1 : 0] = text[i];
			scale -= fraction;
		} else {
			more |= text[i] != '0';
			scale += !fraction;
		}
	}
	if (i < length && (text[i] == 'e' || text[i] == 'E')) {
		bool const down = text[++i] == '-';
		int e = 0;
		i += text[i] == '-' || text[i] == '+';
		for (; i < length && text[i] >= '0' && text[i] <= '9'; i++)
			e = e < 10000 ? e * 10 + (text[i] - '0') : e;
		scale += down ? -e : e;
	}
	if (more) {
		copy[n++] = '1';
		scale--;
	}
	scale = scale > 99999 ? 99999 : scale < -99999 ? -99999 : scale;
	snprintf(copy + n, sizeof copy - (size_t)n, "%se%d", n ? "" : "0", (int)scale);
	return strtod(copy, NULL);
}

struct index_sum parse_index(struct parser *p, const struct literal *l)
{
	if (l->integer && l->value <= (double)INDEX_LIMIT)
		return (struct index_sum){.value = (int32_t)l->value};
	parse_error(p, l->at, "a register index must be a whole number");
	return (struct index_sum){0};
}

struct index_sum parse_address(struct parser *p, const struct operand *o)
{
	if (o->file == REG_LOOP && !o->letters)
		return (struct index_sum){.relative = RELATIVE_LOOP};
	if (o->file == REG_ADDRESS && o->index == 0 && o->letters == 0)
		parse_error(p, o->at, "the lane is missing: write a0.x");
	else if (o->file != REG_ADDRESS || o->index != 0 || o->letters != 1 || o->absolute)
		parse_error(p, o->at, "only one lane of a0, such as a0.x, can index registers");
	return (struct index_sum){.relative = (uint8_t)(1 + o->lane[0])};
}

/* Clamps a sum or product of indices, so that it cannot overflow.  index_fits() reports indices above INDEX_LIMIT. */
static int32_t clamp_index(int64_t value)
{
	int64_t const limit = 2 * INDEX_LIMIT;
	return (int32_t)(value > limit ? limit : value < -limit ? -limit : value);
}

struct index_sum parse_sum(struct parser *p, srcpos at, const struct index_sum *a, const struct index_sum *b,
                           int sign)
{
	if (b->relative && (a->relative || sign < 0))
		parse_error(p, at, "a0 can be added only, and once");
	return (struct index_sum){clamp_index((int64_t)a->value + sign * b->value), a->relative ? a->relative : b->relative};
}

struct index_sum parse_product(struct parser *p, srcpos at, const struct index_sum *a, const struct index_sum *b)
{
	if (a->relative || b->relative)
		parse_error(p, at, "a0 cannot be multiplied");
	return (struct index_sum){clamp_index((int64_t)a->value * b->value), 0};
}

void parse_number(struct parser *p, const struct literal *l, bool negative)
{
	if (l->value >= 0x1.ffffffp127) /* half-way between FLT_MAX and the next power of two */
		parse_error(p, l->at, "this number is too large for a 32-bit float");
	p->truth |= l->truth;
	if (p->nnumbers < LANES)
		p->numbers[p->nnumbers] = negative ? -l->value : l->value;
	p->nnumbers++;
}

/* ---- statements ---------------------------------------------------------- */

void parse_version(struct parser *p, const struct opening *o)
{
	const char *word = p->source->text + o->at;
	p->program = NULL;
	for (unsigned m = 0; m < MODEL_COUNT; m++) {
		const char *name = models[m].name;
		size_t i = 0;
		while (i < o->length && (to_lower(word[i]) == name[i] || (word[i] == '.' && name[i] == '_')))
			i++;
		if (i != o->length || name[i])
			continue;
		struct program *program = arena_zero(p->arena, sizeof *program);
		program->model = (enum model)m;
		program->source = p->source;
		program->at = o->at;
		program->head = &o->comments->first;
		p->program = program;
		p->skipping = false;
		VEC_PUSH(p->arena, &p->list) = program;
		return;
	}
	p->skipping = true;
	diag_add(p->diags, DIAG_ERROR, "model", p->source, o->at, "%.*s is not supported; supported: %s", (int)o->length, word,
	         model_names);
}

void parse_begin(struct parser *p, const struct opening *o, bool known)
{
	p->operands.n = 0;
	p->nnumbers = 0;
	p->known = known;
	p->truth = false;
	parse_in_program(p, o->at);
}

void parse_operand(struct parser *p, const struct operand *o)
{
	if (p->operands.n < MAX_OPERANDS)
		p->operands.at[p->operands.n] = *o;
	p->operands.n++;
}

struct operand parse_lanes(const struct operand *reg, const struct operand *word)
{
	struct operand o = *reg;
	o.letters = word->letters;
	o.absolute = o.absolute || word->absolute;
	memcpy(o.lane, word->lane, sizeof o.lane);
	return o;
}

struct operand parse_indexed(const struct operand *reg, const struct index_sum *index)
{
	struct operand o = *reg;
	o.index += index->value;
	o.relative = index->relative;
	o.indexed = true;
	return o;
}

static bool index_fits(struct parser *p, const struct operand *o)
{
	if (o->index < -INDEX_LIMIT || o->index > INDEX_LIMIT || (o->index < 0 && !o->relative)) {
		parse_error(p, o->at, "there is no register of this number");
		return false;
	}
	bool const links = p->program && model_links(p->program->model);
	if (o->indexed && o->file != REG_CONST && !(links && (o->file == REG_INPUT || o->file == REG_LINKED))) {
		parse_error(p, o->at, links ? "only c#, v# and o# can be indexed with []" : "only c# can be indexed with []");
		return false;
	}
	if (o->absolute && p->program && !links) {
		parse_error(p, o->at, "the source modifier _abs does not exist before model 3: only '-' does");
		return false;
	}
	return true;
}

/* Fills `dst` from an operand that is a destination, or the register of a dcl or def.  Returns false if it cannot be one; an error says so. */
static bool operand_to_dst(struct parser *p, const struct operand *o, struct dst *dst)
{
	if (o->file == REG_FILES || !index_fits(p, o))
		return false;
	*dst = (struct dst){.file = o->file, .index = (int16_t)o->index, .at = o->at, .mask = MASK_XYZW};
	dst->relative = o->relative;
	if (o->negate || o->absolute || (o->relative && o->file != REG_LINKED)) {
		parse_error(p, o->at, o->negate     ? "a destination cannot be negated"
		                : o->absolute ? "a destination takes no _abs"
		                                : "a destination cannot be addressed through a0");
		return false;
	}
	if (o->letters == 0)
		return true;
	dst->masked = true;
	dst->mask = 0;
	for (unsigned i = 0; i < o->letters; i++) {
		lanes bit = (lanes)(1u << o->lane[i]);
		if (dst->mask >= bit) {
			parse_error(p, o->at, "the lanes of a write mask stand in the order x, y, z, w, each once");
			return false;
		}
		dst->mask |= bit;
	}
	return true;
}

static bool operand_to_src(struct parser *p, const struct operand *o, struct src *src)
{
	if (o->file == REG_FILES || !index_fits(p, o))
		return false;
	*src = (struct src){.file = o->file, .letters = o->letters, .swizzle = SWIZZLE_XYZW, .negate = o->negate,
	                    .absolute = o->absolute, .relative = o->relative, .index = (int16_t)o->index, .at = o->at};
	if (o->letters) {
		unsigned lane[LANES];
		for (unsigned i = 0; i < LANES; i++)
			lane[i] = o->lane[i < o->letters ? i : o->letters - 1u];
		src->swizzle = SWIZZLE(lane[0], lane[1], lane[2], lane[3]);
	}
	return true;
}

void parse_predicate(struct parser *p, const struct operand *o)
{
	if (!parse_in_program(p, o->at))
		return;
	p->predicate = *o;
	p->predicated = true;
}

/* Gives the instruction the predicate before it, if there is one; adds an error if that is not p0. */
static void attach_predicate(struct parser *p, struct instr *i)
{
	struct src src = {.index = 0};
	if (!p->predicated)
		return;
	p->predicated = false;
	if (!operand_to_src(p, &p->predicate, &src) || src.index)
		parse_error(p, p->predicate.at, "the predicate is p0");
	else
		i->predicate = src.negate ? PREDICATE_FALSE : PREDICATE_TRUE;
	i->predicate_swizzle = i->predicate ? src.swizzle : SWIZZLE_XYZW;
}

void parse_instr(struct parser *p, const struct opening *o, const struct operands *operands)
{
	if (!parse_in_program(p, o->at))
		return;
	struct instr instr = {.flags = o->flags, .at = o->at, .comments = &o->comments->first, .blank = o->comments->blank,
	                      .comparison = o->comparison};
	attach_predicate(p, &instr);
	enum op const id = o->op == OP_SINCOS && model_links(p->program->model) ? OP_SINCOS3 : (enum op)o->op;
	const struct op_info *op = &ops[id];
	unsigned first = op->flags & OPF_NO_DST ? 0 : 1;
	unsigned want = first + op->sources;
	if (operands->n != want) {
		parse_error(p, o->at, "%s takes %u operand%s%s, not %u", op->name, want, want == 1 ? "" : "s",
		            first ? " (the destination first)" : "", operands->n);
		return;
	}
	if (op->flags & OPF_COMPARES && !o->comparison) {
		parse_error(p, o->at, "%s says how it compares: write %s_lt, for example", op->name, op->name);
		return;
	}
	instr.op = (uint8_t)id;
	bool good = !first || operand_to_dst(p, &operands->at[0], &instr.dst);
	for (unsigned s = 0; s < op->sources; s++)
		good &= operand_to_src(p, &operands->at[first + s], &instr.src[s]);
	/* A matrix opcode without a mask writes as many lanes as the matrix has rows, see RULE_MATRIX_UNMASKED. */
	if (good && op->shape == SHAPE_MATRIX && !instr.dst.masked)
		instr.dst.mask = (lanes)((1u << instr_matrix_rows(&instr)) - 1u);
	if (good)
		VEC_PUSH(p->arena, &p->program->instrs) = instr;
}

static struct decl *add_parsed_decl(struct parser *p, const struct opening *o, const struct operand *reg)
{
	struct decl d = {.at = o->at, .comments = &o->comments->first, .blank = o->comments->blank};
	if (p->predicated)
		parse_error(p, p->predicate.at, "a predicate stands before an instruction");
	p->predicated = false;
	if (!parse_in_program(p, o->at) || !operand_to_dst(p, reg, &d.reg))
		return NULL;
	d.before = p->program->instrs.n;
	struct decl *added = &VEC_PUSH(p->arena, &p->program->decls);
	*added = d;
	return added;
}

void parse_dcl(struct parser *p, const struct opening *o, const struct operand *reg)
{
	struct decl *d = add_parsed_decl(p, o, reg);
	if (!d)
		return;
	d->flags = o->flags;
	d->usage = o->usage;
	d->usage_index = o->usage_index;
	d->texture = o->texture;
	d->number = NO_NUMBER;
	bool const links = model_links(p->program->model);
	switch ((enum reg_file)d->reg.file) {
	case REG_SAMPLER:
		d->kind = DECL_SAMPLER;
		if (d->texture == TEXTURE_NONE)
			parse_error(p, o->at, "a sampler's dcl names its texture: dcl_2d, dcl_cube or dcl_volume");
		if (d->reg.masked)
			parse_error(p, reg->at, "a sampler has no lanes to declare");
		if (o->usage != USAGES || o->flags)
			parse_error(p, o->at, "a sampler's dcl takes _2d, _cube or _volume only");
		if (d->reg.index < 16)
			p->program->samplers[d->reg.index] = d->texture;
		return;
	case REG_LINKED:
		d->kind = DECL_OUTPUT;
		if (!links)
			parse_error(p, o->at, "%s has no o#", models[p->program->model].name);
		else if (d->reg.relative)
			parse_error(p, reg->at, "a dcl names one o#");
		else if (o->usage == USAGES)
			parse_error(p, o->at, "an output's dcl names its usage, such as dcl_position or dcl_texcoord0");
		else if (d->texture != TEXTURE_NONE || o->flags)
			parse_error(p, o->at, "an output's dcl takes a usage only");
		return;
	case REG_PIXEL_POS:
	case REG_FACE:
		d->kind = DECL_PIXEL_INPUT;
		if (d->texture != TEXTURE_NONE || o->usage != USAGES || o->flags)
			parse_error(p, o->at, "%s is declared by a plain dcl", reg_files[d->reg.file].name);
		d->usage = USAGES;
		return;
	case REG_INPUT:
	case REG_TEXCOORD:
		d->kind = program_stage(p->program) == STAGE_VERTEX ? DECL_VERTEX_INPUT : DECL_PIXEL_INPUT;
		if (d->texture != TEXTURE_NONE)
			parse_error(p, o->at, "dcl_%s declares a sampler, s#", texture_names[d->texture]);
		else if (d->kind == DECL_VERTEX_INPUT && o->usage == USAGES)
			parse_error(p, o->at, "a vertex input's dcl names its usage, such as dcl_position or dcl_texcoord0");
		else if (d->kind == DECL_VERTEX_INPUT && o->flags)
			parse_error(p, o->at, "_pp and _centroid belong to pixel inputs");
		else if (d->kind == DECL_PIXEL_INPUT && o->usage != USAGES && !links)
			parse_error(p, o->at, "a pixel input before model 3 has no usage: write dcl t# or dcl v#");
		else if (d->kind == DECL_PIXEL_INPUT && o->usage == USAGES && links && d->reg.file == REG_INPUT)
			parse_error(p, o->at, "a pixel input of model 3 names its usage, such as dcl_texcoord0 or dcl_color");
		return;
	default: break;
	}
	parse_error(p, reg->at, "only v#, t# and s# are declared with dcl, in vs_3_0 o# too");
	p->program->decls.n--;
}

/* Returns true if a defi or defb has the numbers that it takes; adds an error if not. */
static bool has_numbers_of_kind(struct parser *p, const struct opening *o)
{
	bool whole = true;
	for (unsigned k = 0; k < p->nnumbers && k < LANES; k++)
		whole &= p->numbers[k] >= INT32_MIN && p->numbers[k] <= INT32_MAX && p->numbers[k] == (double)(int32_t)p->numbers[k];
	if (o->op == DECL_BOOL && (p->nnumbers != 1 || !p->truth))
		parse_error(p, o->at, "defb takes a register and true or false");
	else if (o->op == DECL_INT && (p->nnumbers != LANES || p->truth || !whole))
		parse_error(p, o->at, "defi takes a register and four whole numbers of 32 bits");
	else
		return true;
	return false;
}

static void parse_def_float(struct parser *p, const struct opening *o, const struct operand *reg)
{
	if (p->program && (p->nnumbers != LANES || p->truth))
		parse_error(p, o->at, "def takes a register and four numbers, not %u", p->nnumbers);
	struct decl *d = add_parsed_decl(p, o, reg);
	if (!d)
		return;
	d->kind = DECL_DEF;
	if (d->reg.file != REG_CONST || d->reg.masked) {
		parse_error(p, reg->at, "def sets a whole constant register, c#");
		p->program->decls.n--;
		return;
	}
	for (unsigned i = 0; i < LANES; i++)
		d->value[i] = i < p->nnumbers ? (float)p->numbers[i] : 0.0f;
}

void parse_def(struct parser *p, const struct opening *o, const struct operand *reg)
{
	if (o->op == DECL_DEF) {
		parse_def_float(p, o, reg);
		return;
	}
	bool const good = !p->program || has_numbers_of_kind(p, o);
	struct decl *d = good ? add_parsed_decl(p, o, reg) : NULL;
	if (!d)
		return;
	d->kind = o->op;
	if (d->reg.file != (o->op == DECL_INT ? REG_INT : REG_BOOL) || d->reg.masked) {
		parse_error(p, reg->at, o->op == DECL_INT ? "defi sets a constant register i#" : "defb sets a constant register b#");
		p->program->decls.n--;
		return;
	}
	for (unsigned i = 0; i < LANES; i++)
		d->integer[i] = i < p->nnumbers ? (int32_t)p->numbers[i] : 0;
}
