/* Chooses which of its alternatives (struct site) an instruction is written as, such as a sum that -O3 regroups.
 *
 * In: a root and the alternatives that rules/ wrote for it, when all its readers are decided.  Out: for each alternative that
 * may be the best, all plans below it.
 * Why an instruction was regrouped: rules write only equal alternatives, and all of them are tried here, in the order of their
 * bounds; where bounds are equal, the instruction as given comes last.  The alternative in the best complete plan (judge.c) is
 * written.  That is the cheapest one, which need not be the one that moves the most.  rules/regroup.c lists the other places
 * where -O3 regroups.  `--dump=plan` says which rule wrote a root, how many of its instructions leave, and the work of the root
 * before and after.
 *
 * Lanes that every alternative needs stay whatever is chosen, and count in every bound; an open site adds the least work of its
 * alternatives.  Lanes that only a chosen alternative needs stay once it is chosen. */
#include "move/cut/search.h"

#include <string.h>

bool search_is_open(const struct search *s, int i)
{
	return search_is_root(s, i) && s->fp->choice[s->fp->sites->of[i] - 1] == OPEN_SITE;
}

int search_chosen(const struct search *s, int i)
{
	return !search_is_root(s, i) || search_is_open(s, i) ? i : (int)search_site(s, i)->at[s->fp->choice[s->fp->sites->of[i] - 1]];
}

static struct work work_as(const struct search *s, uint32_t alternative, lanes wanted)
{
	const struct instr *instr = &s->fp->ps->instrs.at[alternative];
	return target_instr(&s->facts.options->target, instr, s->fp->ps->model, least_mask(s->fp->ps, instr, wanted));
}

static void lower_to(uint64_t *least, uint64_t to)
{
	*least = to < *least ? to : *least;
}

struct work search_work_of(const struct search *s, int i)
{
	lanes const wanted = s->fp->pixel[i] | s->state.demand[i];
	if (search_chosen(s, i) != i)
		return (struct work){0};
	struct work least = work_as(s, (uint32_t)i, wanted);
	for (unsigned a = 1; search_is_open(s, i) && a < search_site(s, i)->n; a++) {
		struct work const other = work_as(s, search_site(s, i)->at[a], wanted);
		lower_to(&least.arith, other.arith);
		lower_to(&least.special, other.special);
		lower_to(&least.tex, other.tex);
		lower_to(&least.varying, other.varying);
		lower_to(&least.pixel, other.pixel);
		lower_to(&least.kills, other.kills);
	}
	return least;
}

/* ---- what is needed ------------------------------------------------------------------------- */

/* Adds a needed lane of `def` to the lanes `of` each instruction. */
typedef void need_lane(struct search *, lanes *of, int def, lanes lane);

/* Calls `need` for each lane that operands of instruction i read and that neither an interpolator nor a new instruction can bring. */
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

/* Adds lanes of the instruction, and all lanes that it needs, up to open sites. */
static void note_needed_lanes(struct search *s, lanes *of, int i, lanes more)
{
	if (!(more & (lanes)~of[i]))
		return;
	of[i] |= more;
	if (!search_is_open(s, i))
		need_operands(s, of, i, note_needed_lanes);
}

/* Adds the same lanes, counts their work, and records the changes for search_undo(). */
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

/* Chooses alternative a of the root; 0 is the root itself. */
static void choose_alternative(struct search *s, int root, unsigned a)
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

void search_choose(struct search *s, int root)
{
	const struct site *site = search_site(s, root);
	uint8_t *choice = &s->fp->choice[s->fp->sites->of[root] - 1];
	uint64_t least[MOST_ALTERNATIVES];
	unsigned sequence[MOST_ALTERNATIVES];
	struct search_mark m;
	search_mark(s, &m);
	for (unsigned n = 0; n < site->n; n++) {
		unsigned const a = (n + 1) % site->n; /* the root itself comes last, as the FP as given is planned besides */
		choose_alternative(s, root, a);
		uint64_t const bound = search_bound(s, root - 1);
		search_undo(s, &m);
		*choice = OPEN_SITE;
		unsigned j = n; /* insertion sort by bound, stable */
		for (; j > 0 && least[j - 1] > bound; j--) {
			least[j] = least[j - 1];
			sequence[j] = sequence[j - 1];
		}
		least[j] = bound;
		sequence[j] = a;
	}
	for (unsigned j = 0; j < site->n; j++) {
		choose_alternative(s, root, sequence[j]);
		search_from(s, root);
		search_undo(s, &m);
		*choice = OPEN_SITE;
	}
}
