/* Declares the functions that write the texts of --dump: the values, alternatives and plans by which the planner came to a result. */
#ifndef FPMOVE_MOVE_DUMP_DUMP_H
#define FPMOVE_MOVE_DUMP_DUMP_H

#include "move/story.h"

/* Writes an interpolator lane as "t0.x", or by the name that it has in the FP's text. */
void dump_input(struct text *, const struct program *ps, unsigned reg, unsigned lane);
/* Writes a value as "#12 affine: 2*t0.x + c3.y".  Sets named[id] for each other value that it mentions as #id only. */
void dump_form(struct text *, const struct values *, value_id, bool *named);
/* Writes a line with the source line number of instruction k of `p`, the text `before`, and the instruction.  `p` is the given FP or a variant of
 * it. */
void dump_instr(struct text *, const struct program *given, const struct program *p, uint32_t k, const char *before);

/* Writes the names of the rules that made the variant `ps` of the FP, as "project, lrp", or "as given" if there are none.  The FPs must have a
 * history. */
void way_name(struct text *, const struct planning *, const struct program *ps);

/* Writes each instruction of the variant that has alternatives, and its alternatives with the rules that wrote them. */
void dump_sites(struct text *, const struct planning *, const struct way_tried *);
/* Writes the value of each lane of the FP, with the numbers by which the other texts name values.  If `story` (how the planner came to the result) is
 * NULL, numbers the values of the given pair. */
void dump_values(struct text *, const struct program *vs, const struct program *ps, const struct move_options *,
                 const struct story *);
/* Writes the result of each search, whether each instruction leaves or stays in the plan, and where operands of those that stay come from.  `ps` is
 * the new FP, which names the interpolators; NULL if it is not known. */
void dump_plan(struct text *, const struct program *ps, const struct story *);
/* Writes the value that each lane of each interpolator carries, in the pair as given and in the new one. */
void dump_layout(struct text *, const struct program *vs, const struct program *ps, const struct program *new_vs,
                 const struct program *new_ps, const struct story *);

#endif
