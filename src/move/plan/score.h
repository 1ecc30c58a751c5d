/* What plans and finished pairs are compared by. */
#ifndef FPMOVE_MOVE_PLAN_SCORE_H
#define FPMOVE_MOVE_PLAN_SCORE_H

#include <stdint.h>

/* The first of these in which two differ decides, and less is better.  Of several pairs each is a sum. */
struct score {
	unsigned unfit; /* pairs beyond their models or budgets; of a plan, which is none then, 0 */
	uint64_t time;  /* under the target */
	unsigned ps_slots, order, asked, interpolators, vs_slots; /* asked: constants, for which the application has to care; of a plan 0 */
};

/* Below 0: `a` is better; above 0: `b` is; 0: they are alike. */
static inline int score_compare(const struct score *a, const struct score *b)
{
	uint64_t const of_a[] = {a->unfit, a->time, a->ps_slots, a->order, a->asked, a->interpolators, a->vs_slots};
	uint64_t const of_b[] = {b->unfit, b->time, b->ps_slots, b->order, b->asked, b->interpolators, b->vs_slots};
	unsigned k = 0;
	while (k + 1 < sizeof of_a / sizeof *of_a && of_a[k] == of_b[k])
		k++;
	return (of_a[k] > of_b[k]) - (of_a[k] < of_b[k]);
}

#endif
