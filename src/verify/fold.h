/* The numeric check of literals that were computed at compile time.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FOLD_H
#define FPMOVE_VERIFY_FOLD_H

#include "verify/verify.h"

/* NULL if each literal in the new pair is the float nearest to its expression, and the
 * expressions are made of literals only; else what is wrong. */
const char *check_folds(struct arena *, struct pair new, const struct folded *, uint32_t n);

#endif
