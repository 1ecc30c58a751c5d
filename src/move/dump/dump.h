/* Declares the functions that write the texts of --dump: the values, alternatives and plans by which the planner came to a result. */
#ifndef FPMOVE_MOVE_DUMP_DUMP_H
#define FPMOVE_MOVE_DUMP_DUMP_H

#include "move/story.h"

/* Writes an interpolator lane as "t0.x", or by the name that it has in the FP's text.  This and the next two are only for this folder. */
void dump_input(struct text *, const struct program *ps, unsigned reg, unsigned lane);
/* Writes a value as "#12 affine: 2*t0.x + c3.y".  Sets named[id] for each other value that it mentions as #id only. */
void dump_form(struct text *, const struct values *, value_id, bool *named);
/* Writes a line with the number of the source line that instruction k comes from, the text `before`, and the instruction.  `p` is the given FP
 * or a variant of it. */
void dump_instr(struct text *, const struct program *given, const struct program *p, uint32_t k, const char *before);

/* Writes the rules by which a variant of the FP was written, "project, lrp", or "as given".  The FPs must have a history. */
void way_name(struct text *, const struct planning *, const struct program *ps);

/* Writes the alternatives of each instruction that has any, with the rules that wrote them. */
void dump_sites(struct text *, const struct planning *, const struct way_tried *);
/* Writes the value of each lane of the FP, with the numbers by which the other texts name values.  Without a story, the values are those
 * with which planning the pair would begin. */
void dump_values(struct text *, const struct program *vs, const struct program *ps, const struct move_options *,
                 const struct story *);
/* Writes the result of each search, and what the plan does with each instruction and the operands of those that stay.  `ps` is the new FP,
 * which has the names of the interpolators. */
void dump_plan(struct text *, const struct program *ps, const struct story *);
/* Writes the value that each lane of each interpolator carries, in the pair as given and in the new one. */
void dump_layout(struct text *, const struct program *vs, const struct program *ps, const struct program *new_vs,
                 const struct program *new_ps, const struct story *);

#endif
