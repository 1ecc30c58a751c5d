/* Compares the float operations that compute the position in two vertex programs.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_POSITION_H
#define FPMOVE_VERIFY_POSITION_H

#include "verify/verify.h"

/* The first lane of the position, or of an address, that differs between two vertex programs. */
struct position_change {
	enum reg_file file;            /* REG_POS_OUT or REG_ADDRESS */
	unsigned lane;
	uint32_t old_instr, new_instr; /* the instruction that last wrote the lane in each program; UINT32_MAX if there is none, or more than one */
};

/* Runs both programs on expressions instead of numbers.  Returns true if each lane of oPos is the same expression of inputs,
 * constants and literals in both, and if the old program also addresses constants by each address that the new one uses.
 * Equal expressions are equal bit for bit, however they are rounded, as long as an operation rounds alike wherever it
 * stands.  These differences do not count:
 *   - moves, sharing of results, and the lanes that are used;
 *   - the order and the signs of the two factors of a product, and the order of the two terms of a sum;
 *   - a difference, and the sum with the negated operand;
 *   - a factor 1, and a term -0 (but a term 0 turns -0 into 0);
 *   - an input times 0 plus a literal, and that literal: a vertex holds finite values;
 *   - a matrix product, and its rows (Direct3D 9 defines m4x4 as four dp4).
 * Takes a VP constant that the context says is a copy of an FP constant for that constant.  field_malformed() must accept both programs. */
bool position_as_written(struct arena *, const struct program *old, const struct program *new,
                         const struct proof_context *, struct position_change *);

#endif
