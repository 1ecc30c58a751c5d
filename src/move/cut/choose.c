/* Chooses an alternative (struct site) to be written for an instruction, such as a sum that -O3 regroups.
 *
 * A root and the alternatives that rules/ wrote for it are tried when all readers of the root are decided.  All alternatives compute the
 * same values.  search.c tries them in the order of their bounds; where bounds are equal, the instruction as given comes last.
 * The alternative in the best complete plan (judge.c) is written.  It need not be the one that moves the most.  rules/regroup.c lists the other
 * places where -O3 regroups.  `--dump=plan` says which rule wrote a root, how many of its instructions leave, and the work of the root
 * before and after.
 *
 * Lanes that every alternative needs stay whatever is chosen, and count in every bound; an open site adds the least work of its
 * alternatives.  Lanes that only a chosen alternative needs stay once it is chosen. */
#include "move/cut/search.h"

#include <string.h>

/* ---- what is needed ------------------------------------------------------------------------- */

/* A function that adds a lane to of[def].  of[k] is the set of needed lanes of instruction k. */
typedef void need_lane(struct search *, lanes *of, int def, lanes lane);

/* Calls `need` for each lane that instruction i reads to compute its lanes of[i], if neither an interpolator nor a new instruction can bring
 * that lane. */
static void need_operands(struct search *s, lanes *of, int i, need_lane *need)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	lanes const mask = least_mask(s->fp->ps, instr, of[i]);
	EACH_SOURCE(k, instr) {
		const struct use *u = &s->values->use[i][k];
		lanes const read = instr_operand_lanes(s->fp->ps, instr, k, mask);
		EACH_LANE(p, read)
			if (u->def[p] >= 0 && !value_may_move(s->values, u->value[p]))
				need(s, of, u->def[p], (lanes)(1u << swizzle_lane(instr->src[k].swizzle, p)));
	}
}

/* Adds lanes of instruction i to of[], and all lanes that these depend on, except through an instruction for which no alternative is chosen yet. */
static void note_needed_lanes(struct search *s, lanes *of, int i, lanes more)
{
	if (!(more & (lanes)~of[i]))
		return;
	of[i] |= more;
	if (!search_is_open(s, i))
		need_operands(s, of, i, note_needed_lanes);
}

/* Adds lanes of instruction i to of[], which is fp->pixel, and those that these depend on, as note_needed_lanes() does.  Also counts their
 * work, and records the changes for search_undo(). */
static void keep_needed_lanes(struct search *s, lanes *of, int i, lanes more)
{
	if (!(more & (lanes)~of[i]))
		return;
	if (search_stays(s, i))
		work_remove(&s->state.work, search_work_of(s, i));
	search_change(s, &of[i], more);
	work_add(&s->state.work, search_work_of(s, i));
	if (!search_is_open(s, i))
		need_operands(s, of, i, keep_needed_lanes);
}

void search_keep_common_lanes(struct search *s, int root)
{
	const struct site *site = search_site(s, root);
	uint32_t const n = s->fp->ps->instrs.n;
	lanes *all = arena_alloc(s->arena, n), *of = arena_alloc(s->arena, n);
	for (unsigned a = 0; a < site->n; a++) {
		memcpy(of, s->fp->pixel, n);
		of[site->at[a]] |= s->fp->pixel[root];
		need_operands(s, of, (int)site->at[a], note_needed_lanes);
		for (uint32_t i = 0; i < n; i++)
			all[i] = a ? all[i] & of[i] : of[i];
	}
	memcpy(s->fp->pixel, all, n);
}

/* ---- choosing ---------------------------------------------------------------------------------- */

void search_choose_alternative(struct search *s, int root, unsigned a)
{
	const struct site *site = search_site(s, root);
	int const chosen = (int)site->at[a];
	work_remove(&s->state.work, search_work_of(s, root));
	s->fp->choice[s->fp->sites->of[root] - 1] = (uint8_t)a;
	if (a) {
		search_change(s, &s->fp->pixel[chosen], s->fp->pixel[root]);
		search_change(s, &s->state.demand[chosen], s->state.demand[root]);
	}
	work_add(&s->state.work, search_work_of(s, chosen));
	need_operands(s, s->fp->pixel, chosen, keep_needed_lanes);
}
