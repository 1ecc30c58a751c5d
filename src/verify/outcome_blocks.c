/* Finds the outcomes of a pair, see outcome.h.  A pair with flow control is judged by its straight forms, in which one instruction stands
 * for each block; any other pair is left to outcome.c. */
#include "verify/outcome.h"
#include "verify/side.h"

/* Returns the index in the given program of instruction k of the resolved one, which lacks the flow control that literals decide.  Returns
 * NO_INSTR for NO_INSTR. */
static uint32_t known_instr(const struct resolved *known, uint32_t k)
{
	return k == NO_INSTR || !known->origin ? k : known->origin[k];
}

/* Translates a list of instructions of a straight form into instructions of the program that it was made from. */
static struct outcome_instrs instrs_in_program(struct arena *arena, const struct outline *o, const struct resolved *known,
                                               const struct outcome_instrs *from)
{
	struct outcome_instrs to = {0};
	for (uint32_t k = 0; k < from->n; k++) {
		uint32_t const instr = known_instr(known, o->straight ? o->origin[from->at[k]] : from->at[k]);
		if (instr != NO_INSTR)
			outcome_add_instr(arena, &to, instr);
	}
	return to;
}

/* Returns the index in the given pixel program of instruction k of the program in which instructions were hoisted out of blocks. */
static uint32_t given_ps_instr(const struct straightened *s, uint32_t k)
{
	return known_instr(&s->known[STAGE_PIXEL][0], k == NO_INSTR || !s->hoisted.n ? k : s->hoisted.origin[k]);
}

/* Notes that instruction `was` of the old pixel program is kept as instruction `is` of the new one. */
static void set_kept(struct arena *arena, struct outcomes *all, struct pair old, uint32_t was, uint32_t is)
{
	struct instr_outcome *i = &all->at[was];
	i->outcome = OUTCOME_KEPT;
	i->written = instr_writes(&old.ps->instrs.at[was]);
	for (unsigned l = 0; l < LANES; l++) {
		i->lane[l] = (struct lane_outcome){.outcome = OUTCOME_KEPT, .at.file = REG_FILES};
		outcome_add_instr(arena, &i->lane[l].ps, is);
	}
}

/* Notes that instructions in blocks are kept, and that instructions which never run, since literals decide the flow control, are dead. */
static void set_block_outcomes(struct arena *arena, const struct straightened *s, struct pair old, struct outcomes *all)
{
	const struct outline *const was = &s->of[STAGE_PIXEL][0], *const is = &s->of[STAGE_PIXEL][1];
	bool *left = arena_zero(arena, old.ps->instrs.n + 1);
	for (uint32_t k = 0; k < s->known[STAGE_PIXEL][0].program->instrs.n; k++) {
		uint32_t const instr = known_instr(&s->known[STAGE_PIXEL][0], k);
		if (instr != NO_INSTR)
			left[instr] = true;
	}
	for (uint32_t k = 0; k < old.ps->instrs.n; k++) {
		if (left[k])
			continue;
		all->at[k] = (struct instr_outcome){.outcome = OUTCOME_DEAD, .written = instr_writes(&old.ps->instrs.at[k])};
		for (unsigned l = 0; l < LANES; l++)
			all->at[k].lane[l] = (struct lane_outcome){.outcome = OUTCOME_DEAD, .at.file = REG_FILES};
	}
	for (uint32_t r = 0; r < was->regions.n; r++)
		for (uint32_t n = 0; n < was->regions.at[r].end - was->regions.at[r].first; n++)
			set_kept(arena, all, old, given_ps_instr(s, was->regions.at[r].first + n),
			     known_instr(&s->known[STAGE_PIXEL][1], is->regions.at[r].first + n));
}

/* Finds the outcomes of a pair with flow control by its straight form. */
static const struct outcomes *by_straight_forms(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	struct straightened *s = arena_zero(arena, sizeof *s);
	const struct outline *const was = &s->of[STAGE_PIXEL][0], *const is = &s->of[STAGE_PIXEL][1];
	const struct outcomes *found = straighten_pairs(arena, old, new, s) ? NULL : outcomes_of_straight(arena, s->was, s->is, c, NULL);
	if (!found)
		return NULL;
	struct outcomes *all = arena_zero(arena, sizeof *all);
	*all = (struct outcomes){.n = old.ps->instrs.n, .at = arena_zero(arena, (old.ps->instrs.n + 1) * sizeof *all->at), .moved = found->moved};
	for (uint32_t j = 0; j < found->n; j++) {
		uint32_t const k = given_ps_instr(s, was->straight ? was->origin[j] : j);
		if (k == NO_INSTR)
			continue;
		all->at[k] = found->at[j];
		for (unsigned l = 0; l < LANES; l++) {
			all->at[k].lane[l].vs = instrs_in_program(arena, &s->of[STAGE_VERTEX][1], &s->known[STAGE_VERTEX][1],
			                                          &found->at[j].lane[l].vs);
			all->at[k].lane[l].ps = instrs_in_program(arena, is, &s->known[STAGE_PIXEL][1], &found->at[j].lane[l].ps);
		}
	}
	set_block_outcomes(arena, s, old, all);
	return all;
}

/* Returns outcomes in which every instruction is kept, for pairs that have no straight form and so stay as they are. */
static const struct outcomes *all_kept(struct arena *arena, struct pair old)
{
	struct outcomes *all = arena_zero(arena, sizeof *all);
	*all = (struct outcomes){.n = old.ps->instrs.n, .at = arena_zero(arena, (old.ps->instrs.n + 1) * sizeof *all->at)};
	for (uint32_t k = 0; k < all->n; k++)
		set_kept(arena, all, old, k, k);
	return all;
}

const struct outcomes *find_outcomes(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c,
                                     const uint32_t *origins)
{
	if (!pair_flows(old))
		return outcomes_of_straight(arena, old, new, c, origins);
	const struct outcomes *found = by_straight_forms(arena, old, new, c);
	return found || !program_same(old.vs, new.vs) || !program_same(old.ps, new.ps) ? found : all_kept(arena, old);
}
