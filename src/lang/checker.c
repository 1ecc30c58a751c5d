/* The messages of the checker, and its test of a register, see checker.h. */
#include "lang/checker.h"
#include "lang/link.h"

#include <stdlib.h>
#include <string.h>

/* Writes a number and a NUL.  Returns the address of the NUL. */
static char *put_number(char *to, int number)
{
	char digits[12], *first = digits + sizeof digits;
	unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
	do
		*--first = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*--first = '-';
	size_t const n = (size_t)(digits + sizeof digits - first);
	memcpy(to, first, n);
	to[n] = '\0';
	return to + n;
}

/* Copies a string as stpcpy does, which not every system has. */
static char *append_string(char *to, const char *s)
{
	size_t const n = strlen(s);
	memcpy(to, s, n + 1);
	return to + n;
}

/* Writes the register's name without printf: the passes of tidy check many instructions that break a rule, and drop the messages. */
static char *put_register(char *to, const struct program *p, unsigned file, int index, lanes of)
{
	const struct decl *named = link_named(p, (enum reg_file)file, index, of);
	if (named)
		return put_number(append_string(to, named->kind == DECL_OUTPUT ? "o" : "v"), named->number);
	to = append_string(to, reg_files[file].name);
	if (!reg_files[file].numbered && file != REG_ADDRESS)
		return to;
	return put_number(to, index);
}

struct piece register_piece(const struct program *p, unsigned file, int index)
{
	struct piece piece;
	put_register(piece.text, p, file, index, 0);
	return piece;
}

struct piece src_piece(const struct program *p, const struct src *s)
{
	struct piece piece;
	bool const truth = s->file == REG_BOOL || s->file == REG_PREDICATE;
	char *to = append_string(piece.text, !s->negate ? "" : truth ? "!" : "-");
	if (!s->relative) {
		put_register(to, p, s->file, s->index, swizzle_lanes(s->swizzle, MASK_XYZW));
		return piece;
	}
	to = append_string(to, reg_files[s->file].name);
	to = append_string(to, s->relative == RELATIVE_LOOP ? "[aL" : "[a0.");
	if (s->relative != RELATIVE_LOOP)
		*to++ = "xyzw"[s->relative - 1];
	to = put_number(append_string(to, s->index < 0 ? " - " : " + "), abs(s->index));
	append_string(to, "]");
	return piece;
}

/* Returns true for a rule that a program seems to break if a statement is missing. */
static bool needs_other_statements(enum rule rule)
{
	return rule == RULE_UNWRITTEN || rule == RULE_VS_ADDRESS_UNWRITTEN || rule == RULE_VS_INPUT_DCL ||
	       rule == RULE_PS_INPUT_DCL || rule == RULE_VS_OUTPUT_LANES || rule == RULE_PS_SAMPLER_DCL || rule == RULE_PS_DCL_LANES ||
	       rule == RULE_VS_POSITION || rule == RULE_PS_COLOUR || rule == RULE_PS_OUTPUT_GAP ||
	       rule == RULE_VS_TEXCOORD_GAP || rule == RULE_VS_TEXCOORD_MASK || rule == RULE_PREDICATE || rule == RULE_LOOP_ADDRESS;
}

void breach(struct checker *c, enum rule rule, srcpos at, const char *format, ...)
{
	if (c->options->incomplete && needs_other_statements(rule))
		return;
	enum severity severity = rules[rule].severity;
	if (rule == RULE_UNWRITTEN && c->options->unwritten_warns)
		severity = DIAG_WARNING;
	va_list args;
	va_start(args, format);
	diag_vadd(c->diags, severity, rules[rule].id, c->p->source, at, format, args);
	va_end(args);
}

/* Warns once of a constant of vs_1_1 that not every device has, if the user did not give the device's number of constants. */
static void warn_of_constant(struct checker *c, int index, unsigned rows, srcpos at)
{
	static const struct device any;
	unsigned const least = device_consts(&any, c->p->model);
	if (c->told_device || (c->options->device && c->options->device->has[DEVICE_VS_CONSTS]) || (unsigned)index + rows <= least)
		return;
	c->told_device = true;
	breach(c, RULE_DEVICE, at, "not every device has c%u: of %s all have c0 to c%u, and --device says what yours has",
	       (unsigned)index + rows - 1, c->m->name, least - 1);
}

bool check_register(struct checker *c, unsigned file, int index, unsigned rows, bool relative, srcpos at)
{
	unsigned count = c->count[file];
	const char *name = reg_files[file].name;
	if (file == REG_LINKED && model_links(c->p->model) && c->stage == STAGE_VERTEX)
		return false; /* the o# does not exist: the linker reports it */
	if (file == REG_INPUT && model_links(c->p->model) && c->stage == STAGE_PIXEL && index >= (int)count)
		return false; /* the v# does not exist: the linker reports it (existing v# are colours or t# by now) */
	if (count == 0) {
		if (!c->told_file[file])
			breach(c, RULE_REGISTER_MODEL, at, "%s has no %s%s", c->m->name, name, reg_files[file].numbered ? "#" : "");
		c->told_file[file] = true;
		return false;
	}
	if (index >= 0 && (unsigned)index + rows <= count) {
		if (file == REG_CONST && c->p->model == VS_1_1)
			warn_of_constant(c, index, rows, at);
		return true;
	}
	if (c->told_range[file])
		return false;
	c->told_range[file] = true;
	if (relative && index < 0)
		breach(c, RULE_REGISTER_RANGE, at, "the offset from a0 or aL cannot be negative");
	else if (rows > 1 && (unsigned)index < count)
		breach(c, RULE_REGISTER_RANGE, at, "the matrix takes %s%d to %s%u; the last that %s has is %s%u", name, index, name,
		       (unsigned)index + rows - 1, c->m->name, name, count - 1);
	else
		breach(c, RULE_REGISTER_RANGE, at, "there is no %s: %s has %s0 to %s%u", register_piece(c->p, file, index).text,
		       c->m->name, name, name, count - 1);
	return false;
}
