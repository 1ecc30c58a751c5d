/* Values that lose precision: what the old pair computes in full, the new pair must not compute with _pp.  Private to
 * src/verify. */
#ifndef FPMOVE_VERIFY_PRECISION_H
#define FPMOVE_VERIFY_PRECISION_H

#include "verify/side.h"

/* Returns true if an instruction or an input of the pixel program is _pp. */
bool precision_is_partial(const struct program *ps);

/* Compares two sides that ran one trial with equal outputs, the pixel programs with traces.  Returns NULL if no value loses
 * precision; else a sentence that names the lane, with the instructions that compute it. */
const char *precision_lost(struct arena *, const struct side *old, const struct side *new, uint32_t *old_instr,
                           uint32_t *new_instr);

#endif
