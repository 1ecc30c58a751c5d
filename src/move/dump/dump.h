/* Writes how the planner came to a result, as text. */
#ifndef FPMOVE_MOVE_DUMP_DUMP_H
#define FPMOVE_MOVE_DUMP_DUMP_H

#include "move/story.h"

/* Used among the files of this room: */
/* Writes "t0.x", or the name that the FP's text has for it. */
void dump_input(struct text *, const struct program *ps, unsigned reg, unsigned lane);
/* Writes "#12 affine: 2*t0.x + c3.y", and sets named[] of each value that it calls by its number alone. */
void dump_form(struct text *, const struct values *, value_id, bool *named);
/* Writes the source line of an instruction of p, `before`, and the instruction.  p is `given`, or a variant of it. */
void dump_instr(struct text *, const struct program *given, const struct program *p, uint32_t k, const char *before);

/* Writes the rules that wrote a variant, such as "project, lrp", or "as given".  requires: an FP with a history. */
void way_name(struct text *, const struct planning *, const struct program *ps);

/* Writes the alternatives of each instruction that has any, with the rules that wrote them. */
void dump_sites(struct text *, const struct planning *, const struct way_tried *);
/* Writes the value of each lane of the FP, with the numbers that the other texts use.  Without a story, those with which planning the
 * pair would begin. */
void dump_values(struct text *, const struct program *vs, const struct program *ps, const struct move_options *,
                 const struct story *);
/* Writes how each operand that stays is supplied, and what was searched.  `ps` is the new FP, whose text names the interpolators. */
void dump_plan(struct text *, const struct program *ps, const struct story *);
/* Writes the value in each lane of each interpolator, in the given pair and in the new one. */
void dump_layout(struct text *, const struct program *vs, const struct program *ps, const struct program *new_vs,
                 const struct program *new_ps, const struct story *);

#endif
