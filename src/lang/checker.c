/* The messages of the checker, and its test of a register, see checker.h. */
#include "lang/checker.h"
#include "lang/link.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the name that the text has for the lanes `of` of a register, such as v2 in model 3, behind `sign`. */
static struct piece signed_piece(const struct program *p, const char *sign, unsigned file, int index, lanes of)
{
	struct piece piece;
	const struct decl *named = link_named(p, (enum reg_file)file, index, of);
	if (named)
		snprintf(piece.text, sizeof piece.text, "%s%c%u", sign, named->kind == DECL_OUTPUT ? 'o' : 'v', named->number);
	else if (reg_files[file].numbered || file == REG_ADDRESS)
		snprintf(piece.text, sizeof piece.text, "%s%s%d", sign, reg_files[file].name, index);
	else
		snprintf(piece.text, sizeof piece.text, "%s%s", sign, reg_files[file].name);
	return piece;
}

struct piece register_piece(const struct program *p, unsigned file, int index)
{
	return signed_piece(p, "", file, index, 0);
}

struct piece src_piece(const struct program *p, const struct src *s)
{
	bool const truth = s->file == REG_BOOL || s->file == REG_PREDICATE;
	const char *sign = !s->negate ? "" : truth ? "!" : "-";
	if (!s->relative)
		return signed_piece(p, sign, s->file, s->index, swizzle_lanes(s->swizzle, MASK_XYZW));
	static const char *const addresses[] = {"", "a0.x", "a0.y", "a0.z", "a0.w", "aL"};
	struct piece piece;
	snprintf(piece.text, sizeof piece.text, "%s%s[%s %c %d]", sign, reg_files[s->file].name, addresses[s->relative],
	         s->index < 0 ? '-' : '+', abs(s->index));
	return piece;
}

/* Returns true for a rule that a program may seem to break only because another statement is missing. */
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

/* Warns of a constant of vs_1_1 that not every device has: only once, and not if the user gave the number of constants of the device. */
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
