/* Prints statements, see print.h.  Wine's assembler accepts the output, if it accepts the source's spellings of numbers. */
#include "lang/print.h"

#include "lang/lex.h"
#include "lang/link.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

void print_register_of(struct text *t, const struct program *p, enum reg_file file, int index, lanes of)
{
	const struct decl *named = link_named(p, file, index, of);
	if (named) {
		text_char(t, named->kind == DECL_OUTPUT ? 'o' : 'v');
		text_unsigned(t, named->number);
		return;
	}
	text_string(t, reg_files[file].name);
	if (reg_files[file].numbered)
		text_unsigned(t, (unsigned long)index);
}

void print_register(struct text *t, const struct program *p, enum reg_file file, int index)
{
	print_register_of(t, p, file, index, 0);
}

void print_lanes(struct text *t, lanes mask)
{
	EACH_LANE(lane, mask)
		text_char(t, "xyzw"[lane]);
}

static void print_dst_mask(struct text *t, const struct dst *d)
{
	if (d->mask != MASK_XYZW && !(reg_files[d->file].scalar && !d->masked)) {
		text_char(t, '.');
		print_lanes(t, d->mask);
	}
}

/* Prints a register with relative addressing, as c[a0.x + 4] or v[aL]. */
static void print_addressed(struct text *t, unsigned file, unsigned relative, int index)
{
	text_string(t, reg_files[file].name);
	if (relative == RELATIVE_LOOP) {
		text_string(t, "[aL");
	} else {
		text_string(t, "[a0.");
		text_char(t, "xyzw"[relative - 1]);
	}
	if (index != 0) /* "- 4" would be a syntax error to Wine */
		text_string(t, index < 0 ? " + -" : " + ");
	if (index != 0)
		text_unsigned(t, (unsigned long)(index < 0 ? -index : index));
	text_char(t, ']');
}

static void print_dst(struct text *t, const struct program *p, const struct dst *d)
{
	if (d->relative)
		print_addressed(t, d->file, d->relative, d->index);
	else
		print_register(t, p, (enum reg_file)d->file, d->index);
	print_dst_mask(t, d);
}

static void print_swizzle(struct text *t, swizzle s)
{
	if (s == SWIZZLE_XYZW)
		return;
	unsigned letters = LANES;
	while (letters > 1 && swizzle_lane(s, letters - 1) == swizzle_lane(s, letters - 2))
		letters--;
	text_char(t, '.');
	for (unsigned l = 0; l < letters; l++)
		text_char(t, "xyzw"[swizzle_lane(s, l)]);
}

static void print_src(struct text *t, const struct program *p, const struct instr *i, unsigned k)
{
	const struct src *s = &i->src[k];
	if (s->negate)
		text_char(t, s->file == REG_BOOL || s->file == REG_PREDICATE ? '!' : '-');
	if (s->relative)
		print_addressed(t, s->file, s->relative, s->index);
	else
		print_register_of(t, p, (enum reg_file)s->file, s->index, instr_reads(p, i, k));
	if (s->absolute)
		text_string(t, "_abs");
	print_swizzle(t, s->swizzle);
}

void print_instr(struct text *t, const struct program *p, const struct instr *i)
{
	const struct op_info *op = &ops[i->op];
	if (i->predicate) {
		text_string(t, i->predicate == PREDICATE_FALSE ? "(!p0" : "(p0");
		print_swizzle(t, i->predicate_swizzle);
		text_string(t, ") ");
	}
	text_string(t, op->name);
	if (i->comparison) {
		text_char(t, '_');
		text_string(t, comparison_names[i->comparison]);
	}
	if (i->flags & INSTR_PP)
		text_string(t, "_pp");
	if (i->flags & INSTR_SAT)
		text_string(t, "_sat");
	if (!(op->flags & OPF_NO_DST)) {
		text_char(t, ' ');
		print_dst(t, p, &i->dst);
	}
	for (unsigned s = 0; s < op->sources; s++) {
		text_string(t, s == 0 && op->flags & OPF_NO_DST ? " " : ", ");
		print_src(t, p, i, s);
	}
}

/* Returns as an integer the fewest digits, but at least six, that read back as the same float, and sets *scale: the value is about
 * digits / 10^scale. */
static uint64_t shortest_digits(float value, int *scale)
{
	char buffer[32];
	int precision = value < FLT_MIN ? 0 : 5; /* fewer than six digits may do for a denormal */
	do
		snprintf(buffer, sizeof buffer, "%.*e", precision, (double)value);
	while ((float)strtod(buffer, NULL) != value && precision++ < 8);
	const char *c = buffer;
	uint64_t digits = 0;
	for (; *c && *c != 'e'; c++)
		if (*c >= '0' && *c <= '9')
			digits = digits * 10 + (uint64_t)(*c - '0');
	*scale = precision - (*c ? atoi(c + 1) : 0);
	return digits;
}

void print_float(struct text *t, float value)
{
	if (!isfinite(value)) { /* the parser refuses inf in a def */
		text_string(t, "inf");
		return;
	}
	if (signbit(value)) {
		text_char(t, '-');
		value = -value;
	}
	if (value == truncf(value) && value < 1e7f) {
		text_unsigned(t, (unsigned long)value);
		return;
	}
	int scale;
	uint64_t number = shortest_digits(value, &scale);
	while (number % 10 == 0) {
		number /= 10;
		scale--;
	}
	char digits[24], *first = digits + sizeof digits;
	for (; number; number /= 10)
		*--first = (char)('0' + number % 10);
	int n = (int)(digits + sizeof digits - first), point = n - scale; /* digits before the decimal point */
	if (point <= 0) {
		text_string(t, "0.");
		for (int i = point; i < 0; i++)
			text_char(t, '0');
	} else if (point < n) {
		text_bytes(t, first, (size_t)point);
		text_char(t, '.');
		first += point;
	}
	text_bytes(t, first, (size_t)(digits + sizeof digits - first));
	for (int i = n; i < point; i++)
		text_char(t, '0');
}

enum { LONGEST_SPELLING = 31 };

/* Returns the spelling of number `lane` of a def in its source, and sets *length to its length.  Returns NULL if it is not found there, or if
 * it has another value, as after fpmove changed the def. */
static const char *spelling_of_number(const struct source *s, const struct decl *d, unsigned lane, size_t *length)
{
	if (!s || d->at >= s->size)
		return NULL;
	const char *c = s->text + d->at;
	for (unsigned commas = 0; commas <= lane; c++) {
		c += strcspn(c, ",;/\n");
		if (*c != ',')
			return NULL;
		commas++;
	}
	c += strspn(c, " \t");
	bool const negative = *c == '-';
	const char *number = c + negative, *end = number + strspn(number, ".0123456789");
	if (end == number)
		return NULL;
	if (*end == 'e' || *end == 'E')
		end += 1 + (end[1] == '-' || end[1] == '+');
	end += strspn(end, "0123456789");
	float const magnitude = (float)parse_decimal(number, (size_t)(end - number)), value = negative ? -magnitude : magnitude;
	end += *end == 'f' || *end == 'F';
	*length = (size_t)(end - c);
	bool const whole = *length <= LONGEST_SPELLING && !strspn(end, "+-.eEfF");
	return whole && memcmp(&value, &d->value[lane], sizeof value) == 0 ? c : NULL;
}

/* Prints the register of a declaration; in model 3 with d->number, as the declarations of one t# may have different v#. */
static void print_linked(struct text *t, const struct program *p, const struct decl *d)
{
	if (link_named(p, (enum reg_file)d->reg.file, d->reg.index, 0) && d->number != NO_NUMBER) {
		text_char(t, d->kind == DECL_OUTPUT ? 'o' : 'v');
		text_unsigned(t, d->number);
		print_dst_mask(t, &d->reg);
	} else {
		print_dst(t, p, &d->reg);
	}
}

/* Returns true if the declaration in the source spells the usage index 0, as dcl_texcoord0. */
static bool spells_zero(const struct source *s, const struct decl *d)
{
	if (!s || d->at >= s->size || d->usage_index)
		return false;
	const char *word = s->text + d->at, *end = word + strcspn(word, " \t\r\n");
	size_t const n = strlen(usage_names[d->usage]);
	for (; word < end; word++)
		if (*word == '_' && strncasecmp(word + 1, usage_names[d->usage], n) == 0)
			return word[n + 1] == '0' && strspn(word + n + 1, "0123456789") == 1;
	return false;
}

static void print_usage(struct text *t, const struct decl *d, const struct source *source)
{
	text_char(t, '_');
	text_string(t, usage_names[d->usage]);
	if (d->usage_index || spells_zero(source, d))
		text_unsigned(t, d->usage_index);
}

void print_declared(struct text *t, const struct program *p, const struct decl *d, const struct source *source)
{
	text_string(t, d->kind == DECL_DEF ? "def" : d->kind == DECL_INT ? "defi" : d->kind == DECL_BOOL ? "defb" : "dcl");
	switch ((enum decl_kind)d->kind) {
	case DECL_DEF:
	case DECL_INT:
	case DECL_BOOL: break;
	case DECL_VERTEX_INPUT:
	case DECL_OUTPUT: print_usage(t, d, source); break;
	case DECL_PIXEL_INPUT:
		if (p && model_links(p->model) && d->usage < USAGES)
			print_usage(t, d, source);
		if (d->flags & INSTR_PP || d->lone_pp)
			text_string(t, "_pp");
		if (d->flags & INSTR_CENTROID)
			text_string(t, "_centroid");
		break;
	case DECL_SAMPLER:
		text_char(t, '_');
		text_string(t, texture_names[d->texture]);
		break;
	}
	text_char(t, ' ');
	print_linked(t, p, d);
	for (unsigned lane = 0; d->kind == DECL_INT && lane < LANES; lane++)
		text_printf(t, ", %d", (int)d->integer[lane]);
	if (d->kind == DECL_BOOL)
		text_string(t, d->integer[0] ? ", true" : ", false");
	if (d->kind == DECL_DEF) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			size_t length;
			const char *number = spelling_of_number(source, d, lane, &length);
			text_string(t, ", ");
			if (number)
				text_bytes(t, number, length);
			else
				print_float(t, d->value[lane]);
		}
	}
}
