/* Is the position made of the same float operations in two vertex programs?  Private to src/verify. */
#ifndef FPMOVE_VERIFY_POSITION_H
#define FPMOVE_VERIFY_POSITION_H

#include "verify/verify.h"

/* A lane that is not. */
struct position_change {
	enum reg_file file;            /* REG_POS_OUT or REG_ADDRESS */
	unsigned lane;
	uint32_t old_instr, new_instr; /* that last wrote it; UINT32_MAX: none did, or many */
};

/* Both programs run with numbers for expressions: what they did, not what came out.  True if each lane of oPos is the
 * same expression of inputs, constants and literals in both, and each address that the new program reads by is one
 * that the old one reads by.  Such values are equal bit for bit, however they are rounded, as long as one operation
 * rounds alike wherever it stands.  Same are expressions but for moves, sharing and lanes, the order and the signs of the
 * two factors of a product and the order of the two terms of a sum, a difference and the sum with what is negated, a
 * factor 1 and a term -0 (a term 0 makes 0 of -0), an input times 0 plus a literal and the literal, as what a vertex
 * holds is finite, and a matrix product and its rows (Direct3D 9 defines m4x4 as four dp4).
 * Of the context the constants map counts.  Both programs are as field_malformed wants them. */
bool position_as_written(struct arena *, const struct program *old, const struct program *new,
                         const struct proof_context *, struct position_change *);

#endif
