/* Reads the options that choose what is moved, see moving.h. */
#include "cli/moving.h"

#include "cli/message.h"
#include "cli/option_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* Sets `*number` to the argument of an option, a number up to `most`, and sets `bit` in the options to record that the user gave it.  Returns
 * false after a message if the argument is wrong. */
static bool budget(const struct moving *to, const struct option_row *row, const char *value, unsigned most, enum run_given bit,
                   unsigned *number)
{
	to->run->given |= (unsigned)bit;
	return argument_number(row, value, 0, most, number);
}

bool moving_range(const struct option_row *row, const char *value, int most, struct range *to)
{
	int first, last, n = 0;
	const char *p = value + (*value == 'c');
	if (*p < '0' || *p > '9' || sscanf(p, "%3d%n", &first, &n) != 1)
		goto wrong;
	p += n;
	last = first;
	if (*p == '-') {
		p += 1 + (p[1] == 'c');
		if (*p < '0' || *p > '9' || sscanf(p, "%3d%n", &last, &n) != 1)
			goto wrong;
		p += n;
	}
	if (*p || first > last || last > most)
		goto wrong;
	*to = (struct range){first, last};
	return true;
wrong:
	return message_error("--%s wants a range such as c20-c%d, not \"%s\"", row->name, most < 95 ? most : 95, value);
}

/* Reads a list of registers such as s0,s2 and sets bit n of `*set` for s#n, or all bits if `value` is NULL.  Returns false after a message if
 * the list is wrong. */
static bool registers(const struct option_row *row, const char *value, char letter, const char *what, unsigned *set)
{
	for (const char *at = value; at; at = *at ? at + 1 : NULL) {
		char *end = NULL;
		bool digit = at[0] == letter && at[1] >= '0' && at[1] <= '9';
		unsigned long n = digit ? strtoul(at + 1, &end, 10) : 0;
		if (!digit || n > 15 || (*end && *end != ',') || (*end && !end[1]))
			return message_error("--%s wants %s such as %c0,%c2, not \"%s\"", row->name, what, letter, letter, value);
		*set |= 1u << n;
		at = end;
	}
	*set = value ? *set : UINT_MAX;
	return true;
}

static bool target_file(struct arena *a, const struct moving *to, const char *path)
{
	struct target *t = &to->run->move.target;
	VEC_PUSH(a, to->also_read) = path;
	to->run->given |= GIVEN_TARGET;
	if (!target_from_file(a, path, t))
		return false;
	to->run->several = to->run->told = 0;
	const char *before = " (";
#define WEIGHT(name) text_printf(to->weights, "%s%u", before, t->name), before = " ";
	TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	text_string(to->weights, ")");
	return true;
}

static bool targets_by_name(struct arena *a, struct run_options *run, const char *names)
{
	const char *wrong;
	size_t n;
	if (aim_read(run, names, &wrong, &n))
		return true;
	struct text all = {.arena = a};
	for (unsigned k = 0; k < target_set_count; k++)
		text_printf(&all, "%s, ", target_sets[k].name);
	return message_error("there is no target \"%.*s\"; there are %sall, or several with commas between, and --target-file for another", (int)n,
	                     wrong, all.at);
}

bool moving_apply(struct arguments *given, const struct moving *to, enum moving_option option, const struct option_row *row, const char *value)
{
	struct run_options *run = to->run;
	struct move_options *m = &run->move;
	switch (option) {
	case MOVING_TARGET: return targets_by_name(given->arena, run, value);
	case MOVING_TARGET_FILE: return target_file(given->arena, to, value);
	case MOVING_PIXELS_PER_VERTEX: return budget(to, row, value, 100000000, GIVEN_PIXELS, &m->pixels_per_vertex);
	case MOVING_DROP_IN: m->drop_in = true; return true;
	case MOVING_KEEP_INPUTS: return registers(row, value, 't', "interpolators", &run->keep_inputs);
	case MOVING_COLOUR_INPUTS: m->colour_inputs = true; return true;
	case MOVING_FREE_POSITION: m->free_position = true; return true;
	case MOVING_PLAIN_TEXTURES: return registers(row, value, 's', "samplers", &m->plain_textures);
	case MOVING_FINITE_TEXTURES: return registers(row, value, 's', "samplers", &m->finite_textures);
	case MOVING_FREE_TIES: m->free_ties = true; return true;
	case MOVING_AS_PUBLISHED: move_as_published(m); return true;
	case MOVING_MAX_MOVES: return budget(to, row, value, 100000, GIVEN_MAX_MOVES, &m->max_moves);
	case MOVING_PS_SLOTS: return budget(to, row, value, 100000, GIVEN_STOP_AT, &m->ps_slots);
	case MOVING_VS_SLOTS: return budget(to, row, value, 256, GIVEN_VS_SLOTS, &m->budget.vs_slots);
	case MOVING_VS_TEMPS: return budget(to, row, value, 12, GIVEN_VS_TEMPS, &m->budget.vs_temps);
	case MOVING_VS_CONSTS: run->given |= GIVEN_VS_CONSTS; return moving_range(row, value, 255, &m->budget.vs_consts);
	case MOVING_TEXCOORDS: return budget(to, row, value, 8, GIVEN_TEXCOORDS, &m->budget.texcoords);
	case MOVING_PS_ARITH: return budget(to, row, value, 64, GIVEN_PS_ARITH, &m->budget.ps_arith);
	case MOVING_PS_TEX: return budget(to, row, value, 32, GIVEN_PS_TEX, &m->budget.ps_tex);
	case MOVING_EFFORT: return budget(to, row, value, 1000000000, GIVEN_EFFORT, &m->effort);
	case MOVING_OPTIONS: break;
	}
	return false;
}
