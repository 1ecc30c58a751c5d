/* The scores by which plans and finished pairs are compared. */
#ifndef FPMOVE_MOVE_PLAN_SCORE_H
#define FPMOVE_MOVE_PLAN_SCORE_H

#include <stdint.h>

/* The score of a plan or a finished pair; of several pairs each field is the sum.  Scores are compared by the first field in which they
 * differ; less is better. */
struct score {
	unsigned unfit; /* pairs that exceed a limit of their model or budget; 0 for plans, which keep the limits */
	uint64_t time;  /* cost of a pixel by the target, with its share of a vertex (target.h) */
	unsigned ps_slots;
	unsigned order; /* how many texture reads, in a row, depend on each other */
	unsigned asked; /* constants that the application has to set; 0 for plans */
	unsigned interpolators, vs_slots;
};

/* Returns less than 0 if `a` is better, more than 0 if `b` is better, 0 if they are equal. */
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
