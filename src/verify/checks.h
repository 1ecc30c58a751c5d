/* The checks that prove() makes beside running both pairs in the proof's fields.  Those that return a string return NULL if all is well, else a
 * sentence on what is wrong.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_CHECKS_H
#define FPMOVE_VERIFY_CHECKS_H

#include "verify/side.h"

/* --- before the run ------------------------------------------------------------------- */

/* Checks that the programs of model 3 on which the proof runs link outputs and inputs as the usages in their texts say (linked.c).  Returns NULL
 * also for pairs of other models or without texts. */
const char *linked_wrong(struct arena *, struct pair);
/* Checks that each folded literal of the new pair has an expression made of literals alone, and that each preset (a constant lane that the
 * application computes) is in a register that the application may set for the new pair (fold.c). */
const char *check_folds(struct arena *, struct pair old, struct pair new, const struct proof_context *);
/* Checks that a folded literal is the float nearest to `exact`, the value of its expression.  If `exact` is NULL, since the value is not
 * rational or has too many digits, computes it in long double.  check_folds() must have accepted the literal. */
const char *check_folded(struct arena *, struct pair new, const struct folded *, const struct rational *exact);

/* --- after the first run: values that would lose digits ------------------------------- */

/* Returns true if an instruction or an input of the pixel program is declared _pp (partial precision). */
bool precision_is_partial(const struct program *ps);
/* Looks for a value that the old pair computes at full precision and the new one with _pp (precision.c).  If there is one, sets the index of the
 * instruction that computes it in each pair.  Both sides must have run the same trial with equal outputs, with traces of their FPs. */
const char *precision_lost(struct arena *, const struct side *old, const struct side *new, uint32_t *old_instr, uint32_t *new_instr);
/* Looks for an interpolated input of the new pair by which a number computed from constants decides a cmp, a texkill or the like (ties.c).
 * Interpolation may change the last digit of a number that is equal at all vertices, so a comparison that met its limit exactly becomes noise.
 * Ignores decisions that are as noisy in the old pair, whose FP must have run with a trace.  Sets `*decider` to the index of the instruction that
 * decides. */
const char *ties_newcomer(struct arena *, const struct side *old, const struct side *new, uint32_t *decider);
/* Looks in the new pair for two carriers (interpolated inputs) that are proportional at all vertices, and of which the FP divides one by the
 * other, or normalises a vector of both (quotients.c).  Each carrier has an error of its own, so near 0 the quotient is noise; if the FP computed
 * both from one carrier, it would be exact.  Sets `*decider` to the index of the instruction that divides.  Returns NULL also if the old pair has
 * such a quotient. */
const char *quotients_newcomer(struct arena *, const struct side *old, const struct side *new, uint32_t *decider);

/* --- the position ---------------------------------------------------------------------- */

/* The first lane of the position, or of an address, that differs between two vertex programs. */
struct position_change {
	enum reg_file file;            /* REG_POS_OUT or REG_ADDRESS */
	unsigned lane;
	uint32_t old_instr, new_instr; /* the instruction that last wrote the lane in each program; UINT32_MAX if there is none, or more than one */
};
/* Returns true if both vertex programs compute oPos by the same float operations, and the new one uses only addresses that the old one computes,
 * too (position.c).  Else sets the change to the first lane that differs.  A VP constant that the context calls a copy of an FP constant counts
 * as that FP constant.  field_malformed() must accept both programs. */
bool position_as_written(struct arena *, const struct program *old, const struct program *new,
                         const struct proof_context *, struct position_change *);

#endif
