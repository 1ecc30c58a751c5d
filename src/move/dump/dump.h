/* What the planner thought on the way to a result, as text for who wants to see it. */
#ifndef FPMOVE_MOVE_DUMP_DUMP_H
#define FPMOVE_MOVE_DUMP_DUMP_H

#include "move/story.h"

/* Between the files of this: */
/* "t0.x", or as the FP's text calls it. */
void dump_input(struct text *, const struct program *ps, unsigned reg, unsigned lane);
/* "#12 affine: 2*t0.x + c3.y".  `named`: of each value, set if it is called by its number alone. */
void dump_form(struct text *, const struct values *, value_id, bool *named);
/* The line of the source that the instruction stands for, `before`, and the instruction; `p`: `given`, or a way of writing it. */
void dump_instr(struct text *, const struct program *given, const struct program *p, uint32_t k, const char *before);

/* The rules by which a way was written, "project, lrp", or "as given"; of FPs with a history. */
void way_name(struct text *, const struct planning *, const struct program *ps);

/* The alternatives of each instruction that has some, with the rules that wrote them. */
void dump_sites(struct text *, const struct planning *, const struct way_tried *);
/* What each lane of the FP is worth, with the numbers by which the other texts call values; without a story, as planning
 * the pair would begin. */
void dump_values(struct text *, const struct program *vs, const struct program *ps, const struct move_options *,
                 const struct story *);
/* How each operand of what stays is supplied, and what was searched; `ps`: the new FP, which has the names of its interpolators. */
void dump_plan(struct text *, const struct program *ps, const struct story *);
/* What each lane of each interpolator carries, in the pair as given and in the new one. */
void dump_layout(struct text *, const struct program *vs, const struct program *ps, const struct program *new_vs,
                 const struct program *new_ps, const struct story *);

#endif
