/* Texts that the rules write for a pair, each of them proven. */
#ifndef FPMOVE_TESTS_UNIT_ALTERNATIVES_H
#define FPMOVE_TESTS_UNIT_ALTERNATIVES_H

#include "move/graph/registers.h"
#include "move/rules/rules.h"
#include "pairs.h"
#include "verify/verify.h"

/* Returns the FP with alternative `which` of each site, where 0 is the given one. */
static inline struct program *with_alternatives(struct arena *a, const struct program *all, const struct sites *sites,
                                                const unsigned *which)
{
	struct program *new = program_head(a, all);
	for (uint32_t k = 0; k < all->instrs.n; k++) {
		const struct site *of = sites->of[k] ? &sites->at[sites->of[k] - 1] : NULL;
		if (of && k != of->at[which[of - sites->at]])
			continue;
		struct instr *i = &VEC_PUSH(a, &new->instrs);
		*i = all->instrs.at[k];
		if (of)
			i->dst = all->instrs.at[of->at[0]].dst;
	}
	regs_remove_dead(a, new);
	assert_true(regs_allocate(a, new, models[PS_2_0].temps));
	return new;
}

/* Returns, for each site, "for", its root, and its alternatives with "or" between them, or "" if there is none.  With `rule` it
 * returns only the alternatives of that rule. */
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
			unsigned *chosen = arena_zero(a, sites->n * sizeof *chosen);
			chosen[n] = which;
			struct program *new = with_alternatives(a, v->ps, sites, chosen);
			struct proof_context const context = {.plain_textures = UINT_MAX};
			assert_true(prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &context).equal);
		}
	}
	return t.at;
}
/* Returns the FP with the alternatives that the rule wrote for each root, or NULL if it wrote none. */
static inline struct program *written_by(struct arena *a, const struct program *vs, const struct program *ps,
                                         const struct move_options *o, const char *rule)
{
	struct group const g = {.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = o};
	struct values *v = rules_extend(values_number_all(a, &vs, 1, &ps, 1, o), &g);
	const struct sites *sites = v ? v->numbering[0].sites : NULL;
	unsigned *chosen = arena_zero(a, (sites ? sites->n + 1 : 1) * sizeof *chosen);
	bool any = false;
	for (uint32_t n = 0; sites && n < sites->n; n++)
		for (unsigned which = 1; which < sites->at[n].n && !chosen[n]; which++)
			if (strcmp(sites->at[n].rule[which], rule) == 0)
				any = (chosen[n] = which);
	return any ? with_alternatives(a, v->ps, sites, chosen) : NULL;
}
static inline const char *alternatives_of(struct arena *a, const struct program *vs, struct program *ps, struct move_options *o)
{
	return alternatives_by(a, vs, ps, o, NULL);
}

#endif
