/* Reads, prints and extends tables of constants, see constant_table.h. */
#include "lang/constant_table.h"

#include "lang/listing.h"

#include <stdio.h>

enum { /* offsets of fields */
	HEAD_SIZE = 0, HEAD_CREATOR = 4, HEAD_VERSION = 8, HEAD_CONSTANTS = 12, HEAD_INFO = 16, HEAD_TARGET = 24, HEAD_BYTES = 28,
	INFO_NAME = 0, INFO_KIND = 4, INFO_INDEX = 6, INFO_COUNT = 8, INFO_TYPE = 12, INFO_VALUE = 16, INFO_BYTES = 20,
	TYPE_CLASS = 0, TYPE_BASE = 2, TYPE_ROWS = 4, TYPE_COLUMNS = 6, TYPE_ELEMENTS = 8, TYPE_MEMBERS = 10, TYPE_MEMBER = 12,
	TYPE_BYTES = 16, MEMBER_NAME = 0, MEMBER_TYPE = 4, MEMBER_BYTES = 8,
	DEEPEST = 16, MOST_MEMBERS = 256 /* limits of nested structures, since a hostile table can nest a structure in itself */
};

static uint32_t word(const struct constant_table *t, size_t at)
{
	const unsigned char *b = (const unsigned char *)t->bytes + at;
	return b[0] | (uint32_t)b[1] << 8;
}

static uint32_t dword(const struct constant_table *t, size_t at)
{
	return word(t, at) | word(t, at + 2) << 16;
}

static bool in_table(const struct constant_table *t, size_t at, size_t bytes)
{
	return at <= t->size && bytes <= t->size - at;
}

/* Returns the string at an offset, or NULL if the offset is 0, or the string is empty or does not end within the table. */
static const char *string(const struct constant_table *t, size_t at)
{
	return at && at < t->size && t->bytes[at] && memchr(t->bytes + at, 0, t->size - at) ? t->bytes + at : NULL;
}

/* Returns true if the type at `at` and the types of its members lie within the table, and do not exceed DEEPEST and MOST_MEMBERS. Adds the number
 * of all members to *members. */
static bool type_is_whole(const struct constant_table *t, size_t at, unsigned depth, unsigned *members)
{
	if (depth == DEEPEST || !in_table(t, at, TYPE_BYTES))
		return false;
	size_t const n = word(t, at + TYPE_MEMBERS), first = dword(t, at + TYPE_MEMBER);
	if (n && !in_table(t, first, n * MEMBER_BYTES))
		return false;
	for (size_t k = 0; k < n; k++) {
		size_t const member = first + k * MEMBER_BYTES;
		if (++*members > MOST_MEMBERS || !string(t, dword(t, member + MEMBER_NAME)) ||
		    !type_is_whole(t, dword(t, member + MEMBER_TYPE), depth + 1, members))
			return false;
	}
	return true;
}

static bool read_constant(const struct constant_table *t, size_t at, struct table_constant *c)
{
	unsigned members = 0;
	*c = (struct table_constant){.name = string(t, dword(t, at + INFO_NAME)),
	                             .kind = (uint8_t)word(t, at + INFO_KIND),
	                             .index = (uint16_t)word(t, at + INFO_INDEX),
	                             .count = (uint16_t)word(t, at + INFO_COUNT),
	                             .type = dword(t, at + INFO_TYPE),
	                             .value = dword(t, at + INFO_VALUE)};
	return c->name && word(t, at + INFO_KIND) < KINDS && c->count && type_is_whole(t, c->type, 0, &members);
}

bool constant_table_read(struct arena *arena, const char *bytes, uint32_t size, struct constant_table *t)
{
	*t = (struct constant_table){.bytes = bytes, .size = size};
	if (size < HEAD_BYTES || dword(t, HEAD_SIZE) != HEAD_BYTES)
		return false;
	t->creator = string(t, dword(t, HEAD_CREATOR));
	t->target = string(t, dword(t, HEAD_TARGET));
	t->version = dword(t, HEAD_VERSION);
	size_t const n = dword(t, HEAD_CONSTANTS), first = dword(t, HEAD_INFO);
	if (n > size / INFO_BYTES || !in_table(t, first, n * INFO_BYTES))
		return false;
	for (size_t k = 0; k < n; k++)
		if (!read_constant(t, first + k * INFO_BYTES, &VEC_PUSH(arena, &t->constants)))
			return false;
	return true;
}

const struct table_constant *constant_table_find(const struct constant_table *t, enum register_kind kind, int index)
{
	for (uint32_t k = 0; k < t->constants.n; k++) {
		const struct table_constant *c = &t->constants.at[k];
		if (c->kind == kind && index >= c->index && index < c->index + c->count)
			return c;
	}
	return NULL;
}

bool constant_table_is_unique(const struct constant_table *t, const struct table_constant *c)
{
	bool alone = true;
	for (uint32_t k = 0; k < t->constants.n; k++) {
		const struct table_constant *d = &t->constants.at[k];
		bool const overlaps = d->index < c->index + c->count && c->index < d->index + d->count;
		alone &= d == c || d->kind != c->kind || (!overlaps && strcmp(d->name, c->name) != 0);
	}
	return alone;
}

static bool same_type(const struct constant_table *t, size_t at, const struct constant_table *u, size_t with)
{
	if (memcmp(t->bytes + at, u->bytes + with, TYPE_MEMBER) != 0)
		return false;
	size_t const n = word(t, at + TYPE_MEMBERS);
	for (size_t k = 0; k < n; k++) {
		size_t const member = dword(t, at + TYPE_MEMBER) + k * MEMBER_BYTES, other = dword(u, with + TYPE_MEMBER) + k * MEMBER_BYTES;
		if (strcmp(t->bytes + dword(t, member + MEMBER_NAME), u->bytes + dword(u, other + MEMBER_NAME)) != 0 ||
		    !same_type(t, dword(t, member + MEMBER_TYPE), u, dword(u, other + MEMBER_TYPE)))
			return false;
	}
	return true;
}

bool constant_table_same_type(const struct constant_table *t, const struct table_constant *c, const struct constant_table *u,
                              const struct table_constant *d)
{
	return same_type(t, c->type, u, d->type);
}

/* --- printing --- */

/* Prints the type as HLSL writes it, such as "float4x3" or "sampler2D", or "struct". */
static void print_type(struct text *to, const struct constant_table *t, const struct table_constant *c)
{
	static const char *const bases[] = {"void", "bool", "int", "float", "string", "texture", "texture1D", "texture2D",
	                                    "texture3D", "textureCUBE", "sampler", "sampler1D", "sampler2D", "sampler3D", "samplerCUBE"};
	enum { CLASS_SCALAR, CLASS_VECTOR, CLASS_ROWS, CLASS_COLUMNS, CLASS_OBJECT, CLASS_STRUCT };
	uint32_t const class = word(t, c->type + TYPE_CLASS), base = word(t, c->type + TYPE_BASE);
	unsigned const rows = word(t, c->type + TYPE_ROWS), columns = word(t, c->type + TYPE_COLUMNS);
	if (class == CLASS_STRUCT) {
		text_string(to, "struct");
		return;
	}
	text_string(to, class == CLASS_ROWS ? "row_major " : "");
	text_string(to, base < sizeof bases / sizeof *bases ? bases[base] : "void");
	if (class == CLASS_VECTOR)
		text_printf(to, "%u", columns);
	else if (class == CLASS_ROWS || class == CLASS_COLUMNS)
		text_printf(to, "%ux%u", rows, columns);
}

void constant_table_print_name(struct text *to, const char *name)
{
	for (unsigned k = 0; k < LISTING_NAME && name[k]; k++)
		text_char(to, listing_name_length(name + k, name + k + 1) ? name[k] : '_');
}

static void print_register_row(struct text *to, const struct table_constant *c, size_t column)
{
	size_t const from = to->n;
	text_string(to, "//   ");
	constant_table_print_name(to, c->name);
	while (to->n < from + 5 + column)
		text_char(to, ' ');
	char reg[8];
	snprintf(reg, sizeof reg, "%c%u", "bics"[c->kind], c->index < LISTING_MOST ? c->index : LISTING_MOST);
	text_printf(to, " %-5s %4u\n", reg, c->count < LISTING_MOST ? c->count : LISTING_MOST);
}

void constant_table_print(struct text *to, const struct constant_table *t)
{
	enum { NAME_COLUMN = 12 };
	size_t column = NAME_COLUMN;
	if (t->creator) {
		text_string(to, "//\n// Generated by ");
		for (const char *c = t->creator; *c; c++)
			text_char(to, *c >= ' ' && *c <= '~' ? *c : '?');
		text_char(to, '\n');
	}
	if (!t->constants.n)
		return;
	text_string(to, "//\n// Parameters:\n//\n");
	for (uint32_t k = 0; k < t->constants.n; k++) {
		const struct table_constant *c = &t->constants.at[k];
		unsigned const elements = word(t, c->type + TYPE_ELEMENTS);
		text_string(to, "//   ");
		print_type(to, t, c);
		text_char(to, ' ');
		constant_table_print_name(to, c->name);
		if (elements > 1)
			text_printf(to, "[%u]", elements);
		text_string(to, ";\n");
		size_t const length = strnlen(c->name, LISTING_NAME);
		column = length > column ? length : column;
	}
	text_printf(to, "//\n//\n// Registers:\n//\n//   %-*s Reg   Size\n//   ", (int)column, "Name");
	for (size_t k = 0; k < column; k++)
		text_char(to, '-');
	text_string(to, " ----- ----\n");
	for (uint32_t k = 0; k < t->constants.n; k++)
		print_register_row(to, &t->constants.at[k], column);
	text_string(to, "//\n");
}

/* --- writing --- */

/* Appends a number in `bytes` bytes, lowest byte first. */
static void append_number(struct text *t, uint32_t value, unsigned bytes)
{
	for (unsigned k = 0; k < bytes; k++)
		text_char(t, k < sizeof value ? (char)(value >> 8 * k) : '\0');
}

static void set_dword(struct text *t, size_t at, uint32_t value)
{
	for (unsigned k = 0; k < 4; k++)
		t->at[at + k] = (char)(value >> 8 * k);
}

/* Adds a string, padded with zeros to a multiple of 4 bytes.  Returns its offset. */
static uint32_t add_string(struct text *t, const char *string)
{
	uint32_t const at = (uint32_t)t->n;
	text_bytes(t, string, strlen(string) + 1);
	while (t->n % 4)
		text_char(t, '\0');
	return at;
}

/* Copies a type from the table `from`, with the types of its members.  type_is_whole() has accepted it.  Returns its new offset. */
static uint32_t add_type(struct text *t, const struct constant_table *from, uint32_t type)
{
	uint32_t const n = word(from, type + TYPE_MEMBERS), first = dword(from, type + TYPE_MEMBER);
	uint32_t const members = (uint32_t)t->n, at = members + n * MEMBER_BYTES;
	for (uint32_t k = 0; k < n; k++)
		append_number(t, 0, MEMBER_BYTES);
	text_bytes(t, from->bytes + type, TYPE_BYTES);
	set_dword(t, at + TYPE_MEMBER, n ? members : 0);
	for (uint32_t k = 0; k < n; k++) {
		size_t const member = first + k * MEMBER_BYTES;
		uint32_t const name = add_string(t, from->bytes + dword(from, member + MEMBER_NAME));
		uint32_t const inner = add_type(t, from, dword(from, member + MEMBER_TYPE));
		set_dword(t, members + k * MEMBER_BYTES + MEMBER_NAME, name);
		set_dword(t, members + k * MEMBER_BYTES + MEMBER_TYPE, inner);
	}
	return at;
}

enum { ROW_BYTES = 16 }; /* a default value has 16 bytes for each int or float register, whatever the type */

/* Copies the default values of the added registers, which D3DX's SetDefaults sets.  Returns their offset, or 0 if the constant is not of floats,
 * or its table has no default values for it. */
static uint32_t add_value(struct text *t, const struct table_addition *a)
{
	uint32_t const bytes = a->count * ROW_BYTES, at = (uint32_t)t->n;
	if (!a->constant->value || a->constant->kind != KIND_FLOAT || !in_table(a->from, a->constant->value, bytes))
		return 0;
	text_bytes(t, a->from->bytes + a->constant->value, bytes);
	return at;
}

/* Copies the old table at its offsets, updates its head, and appends a list of all constants in place of the old list. */
void constant_table_extend(struct text *to, const struct constant_table *old, uint32_t version,
                           const struct table_addition *more, uint32_t n)
{
	uint32_t const before = old ? old->constants.n : 0;
	struct text t = {.arena = to->arena}, list = {.arena = to->arena};
	if (old)
		text_bytes(&t, old->bytes, old->size);
	else
		for (unsigned k = 0; k < HEAD_BYTES; k++)
			text_char(&t, '\0');
	while (t.n % 4)
		text_char(&t, '\0');
	if (!old) {
		set_dword(&t, HEAD_SIZE, HEAD_BYTES);
		uint32_t const creator = add_string(&t, "fpmove");
		set_dword(&t, HEAD_CREATOR, creator);
	}
	set_dword(&t, HEAD_VERSION, version);
	if (before)
		text_bytes(&list, old->bytes + dword(old, HEAD_INFO), (size_t)before * INFO_BYTES);
	for (uint32_t k = 0; k < n; k++) {
		append_number(&list, add_string(&t, more[k].constant->name), 4);
		append_number(&list, more[k].constant->kind, 2);
		append_number(&list, more[k].index, 2);
		append_number(&list, more[k].count, 4); /* the count in two bytes, then two reserved bytes */
		append_number(&list, add_type(&t, more[k].from, more[k].constant->type), 4);
		append_number(&list, add_value(&t, &more[k]), 4);
	}
	set_dword(&t, HEAD_CONSTANTS, before + n);
	set_dword(&t, HEAD_INFO, (uint32_t)t.n);
	text_bytes(&t, list.at ? list.at : "", list.n);
	text_bytes(to, t.at, t.n);
}
