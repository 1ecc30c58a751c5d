/* What the rules write for a pair, as text, each of it proven. */
#ifndef FPMOVE_TESTS_UNIT_ALTERNATIVES_H
#define FPMOVE_TESTS_UNIT_ALTERNATIVES_H

#include "move/graph/registers.h"
#include "move/rules/rules.h"
#include "pairs.h"
#include "verify/verify.h"

/* The FP with that alternative of that site, everything else as given. */
static inline struct program *with_alternative(struct arena *a, const struct program *all, const struct sites *sites, uint32_t n,
                                               unsigned which)
{
	struct program *new = program_head(a, all);
	const struct site *site = &sites->at[n];
	for (uint32_t k = 0; k < all->instrs.n; k++) {
		const struct site *of = sites->of[k] ? &sites->at[sites->of[k] - 1] : NULL;
		if (of && k != (of == site ? site->at[which] : of->at[0]))
			continue;
		struct instr *i = &VEC_PUSH(a, &new->instrs);
		*i = all->instrs.at[k];
		if (of == site)
			i->dst = all->instrs.at[site->at[0]].dst;
	}
	regs_remove_dead(a, new);
	assert_true(regs_allocate(a, new, models[PS_2_0].temps));
	return new;
}

/* Of each site "for", the root, and its alternatives, with "or" between them; "" if there is none.  `rule`: only those that it
 * wrote; NULL: all. */
static inline const char *alternatives_by(struct arena *a, const struct program *vs, struct program *ps, struct move_options *o,
                                          const char *rule)
{
	const struct program *one = ps;
	struct group const g = {.vs = &vs, .ps = &one, .nvs = 1, .nps = 1, .options = o};
	struct values *v = rules_extend(values_number_all(a, &vs, 1, &one, 1, o), &g);
	struct text t = {.arena = a};
	text_string(&t, "");
	const struct sites *sites = v ? v->numbering[0].sites : NULL;
	for (uint32_t n = 0; sites && n < sites->n; n++) {
		const struct site *site = &sites->at[n];
		bool any = false;
		uint32_t k = site->at[1];
		while (k > 0 && sites->added[k - 1])
			k--;
		for (unsigned which = 1; which < site->n; which++) {
			if (rule && strcmp(site->rule[which], rule) != 0) {
				k = site->at[which] + 1;
				continue;
			}
			if (any) {
				text_string(&t, "or\n");
			} else {
				text_string(&t, "for ");
				print_instr(&t, v->ps, &v->ps->instrs.at[site->at[0]]);
				text_char(&t, '\n');
			}
			any = true;
			for (; k <= site->at[which]; k++) {
				print_instr(&t, v->ps, &v->ps->instrs.at[k]);
				text_char(&t, '\n');
			}
			struct program *new = with_alternative(a, v->ps, sites, n, which);
			struct proof_context const context = {.plain_textures = UINT_MAX};
			assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &context).equal);
		}
	}
	return t.at;
}
static inline const char *alternatives_of(struct arena *a, const struct program *vs, struct program *ps, struct move_options *o)
{
	return alternatives_by(a, vs, ps, o, NULL);
}

#endif
