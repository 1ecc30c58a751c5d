/* Reads the table of --names, see option_files.h. */
#include "cli/option_files.h"

#include "cli/csv_read.h"
#include "cli/files.h"
#include "cli/kinds.h"
#include "cli/message.h"
#include "lang/listing.h"

#include <string.h>

struct columns {
	int name, reg, size, program, stage;
};

/* Returns the number that the digits stand for, or -1 if there are other characters or it is larger than LISTING_MOST. */
static int number_in(const char *at)
{
	int n = *at ? 0 : -1;
	for (; *at && n >= 0; at++)
		n = *at >= '0' && *at <= '9' && n <= LISTING_MOST ? n * 10 + (*at - '0') : -1;
	return n <= LISTING_MOST ? n : -1;
}

/* Reads the stage that a row's name is for; an empty field (NULL) stands for both.  Returns false if the word is unknown. */
static bool read_stage(const char *field, struct given_name *to)
{
	to->of[STAGE_VERTEX] = !field || is_word_of(field, "vs vp vertex");
	to->of[STAGE_PIXEL] = !field || is_word_of(field, "ps fp pixel");
	return to->of[STAGE_VERTEX] || to->of[STAGE_PIXEL];
}

/* Reads the fields of a row of the table.  Returns a message if one is wrong, else NULL.  `*is_const` is false for registers other than c#. */
static const char *read_record(const struct csv_reader *c, const struct columns *at, bool *is_const, struct given_name *to)
{
	const char *name = csv_field_at(c, at->name), *reg = csv_field_at(c, at->reg), *size = csv_field_at(c, at->size);
	*to = (struct given_name){.name = name, .program = csv_field_at(c, at->program), .line = c->record};
	if (c->open)
		return "a quote is not closed";
	if (!name || listing_name_length(name, name + strlen(name)) != strlen(name))
		return "a name is of letters, digits and _ $ . [ ], at most 64 of them";
	if (!reg || !read_stage(csv_field_at(c, at->stage), to))
		return reg ? "a stage is vs, vp, vertex, ps, fp or pixel, or empty for both" : "there is no register";
	*is_const = !strchr("sib", *reg);
	to->reg = number_in(reg + (*is_const && *reg != 'c' && *reg != 'C' ? 0 : 1));
	to->size = size ? number_in(size) : 1;
	if (to->reg < 0 || to->size < 1 || to->reg + to->size > LISTING_MOST)
		return "a register is c0 to c255, or a number to 255, and the size a number of registers that are there";
	return NULL;
}

/* Returns an earlier row that contradicts this one: for the same stages and program, its range of registers overlaps, and range or name differ.
 * Returns NULL if there is none. */
static const struct given_name *find_clash(const struct given_names *names, const struct given_name *row)
{
	for (uint32_t k = 0; k < names->n; k++) {
		const struct given_name *old = &names->at[k];
		bool const meets = old->reg < row->reg + row->size && row->reg < old->reg + old->size;
		bool const same_stages = old->of[0] == row->of[0] && old->of[1] == row->of[1];
		bool const same_program = !old->program == !row->program && (!row->program || strcmp(old->program, row->program) == 0);
		if (meets && same_stages && same_program && (old->reg != row->reg || old->size != row->size || strcmp(old->name, row->name) != 0))
			return old;
	}
	return NULL;
}

static bool read_rows(struct arena *a, const char *path, struct csv_reader *c, const struct columns *at, struct given_names *names)
{
	while (csv_next(c)) {
		struct given_name row;
		bool is_const = false;
		const char *wrong = read_record(c, at, &is_const, &row);
		const struct given_name *clash = !wrong && is_const ? find_clash(names, &row) : NULL;
		if (wrong)
			return message_error("%s:%u: %s", shown_name(path), (unsigned)c->record, wrong);
		if (clash)
			return message_error("%s:%u: line %u says that c%d is %s", shown_name(path), (unsigned)c->record, (unsigned)clash->line, clash->reg, clash->name);
		if (is_const)
			VEC_PUSH(a, names) = row;
	}
	return true;
}

const struct given_names *names_from_file(struct arena *a, const char *path, struct text *all)
{
	struct given_names *names = arena_zero(a, sizeof *names);
	struct source s;
	const char *why;
	if (!file_read(a, path, &s, &why)) {
		message_error("%s", why);
		return NULL;
	}
	struct csv_reader c = csv_open(a, &s);
	struct columns const at = {csv_column(&c, "name"), csv_column(&c, "register reg"), csv_column(&c, "size"), csv_column(&c, "program file"),
	                           csv_column(&c, "stage")};
	if (at.name < 0 || at.reg < 0) {
		message_error("%s: its first line names the columns: name, register, and perhaps size, program, stage", shown_name(path));
		return NULL;
	}
	if (!read_rows(a, path, &c, &at, names))
		return NULL;
	for (uint32_t k = 0; k < names->n; k++) {
		const struct given_name *n = &names->at[k];
		text_printf(all, " %s c%d %d %s %u%u", n->name, n->reg, n->size, n->program ? n->program : "", n->of[0], n->of[1]);
	}
	return names;
}
