/* Finds values that lose precision: the new pair must not compute with _pp a value that the old pair computes at full
 * precision.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_PRECISION_H
#define FPMOVE_VERIFY_PRECISION_H

#include "verify/side.h"

/* Returns true if an instruction or an input of the pixel program is declared _pp (partial precision). */
bool precision_is_partial(const struct program *ps);

/* Returns NULL if no value loses precision from the old to the new pair.  Else returns a sentence that names the lane, and sets the
 * instructions that compute it in each pair.  Both sides must have run the same trial with equal outputs, with traces of their FPs. */
const char *precision_lost(struct arena *, const struct side *old, const struct side *new, uint32_t *old_instr,
                           uint32_t *new_instr);

#endif
