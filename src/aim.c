/* Reads targets, and computes costs under one target or several, see aim.h. */
#include "pipeline.h"

#include <string.h>

bool aim_read(struct run_options *o, const char *names, const char **wrong, size_t *n)
{
	uint32_t set = 0, told = 0;
	for (const char *at = names;; at += *n + 1) {
		*wrong = at;
		*n = strcspn(at, ",");
		bool const all = *n == strlen("all") && strncmp(at, "all", *n) == 0;
		uint32_t const named = all ? ~(1u << TARGET_SLOTS) & ((1u << TARGETS) - 1) : targets_named(at, *n);
		if (!named)
			return false;
		set |= all ? 0 : named;
		told |= named;
		if (!at[*n])
			break;
	}
	o->several = set & (set - 1) ? set : 0;
	o->told = told & ~(1u << TARGET_SLOTS); /* every report shows slots anyway */
	o->target_name = names;
	o->given &= ~(unsigned)GIVEN_TARGET;
	o->given |= set ? GIVEN_TARGET : 0;
	for (unsigned k = 0; k < TARGETS; k++)
		if (set == 1u << k)
			o->move.target = targets[k];
	return true;
}

/* The weight of a VP slot in FP slots if vertices outnumber pixels: as many as the longest FP of ps_2_0 has (64 + 32). */
enum { VERTICES_OF_A_PIXEL = 96 };

struct target aim_all_slots(unsigned pixels_per_vertex)
{
	struct target t = targets[TARGET_SLOTS];
	t.name = "all slots";
	t.vertex = pixels_per_vertex ? 1 : VERTICES_OF_A_PIXEL;
	return t;
}

struct target aim_joint(uint32_t set, struct pair p, unsigned pixels_per_vertex)
{
	uint64_t given[TARGETS];
	for (unsigned k = 0; k < TARGETS; k++) {
		struct target one = targets[k];
		one.overlap = 1;
		one.pixel = 0;
		given[k] = target_written(&one, p.vs, p.ps, pixels_per_vertex);
	}
	return target_joint(set, given);
}

struct costs aim_shares(uint32_t set, struct pair before, struct pair after, unsigned pixels_per_vertex)
{
	double sum = 0;
	unsigned n = 0;
	for (unsigned k = 0; k < TARGETS; k++) {
		if (!(set >> k & 1))
			continue;
		sum += target_share(target_written(&targets[k], before.vs, before.ps, pixels_per_vertex),
		             target_written(&targets[k], after.vs, after.ps, pixels_per_vertex));
		n++;
	}
	return (struct costs){100, 100 * sum / n};
}
