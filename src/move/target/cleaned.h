/* Counts an FP as a driver's compiler sees it once it has cleaned it.
 *
 * Copies, literals and equal values are gone, nothing is computed that no output needs, and a product that one sum alone reads is part
 * of that sum.  Most chips of targets.def charge a weight for each of these counts. */
#ifndef FPMOVE_MOVE_TARGET_CLEANED_H
#define FPMOVE_MOVE_TARGET_CLEANED_H

#include "lang/ir.h"

#define CLEANED_COUNTS(X)                                                                              \
	X(instrs)         /* arithmetic slots of instructions that compute a lane counted below */     \
	X(lanes)          /* scalar operations on varying values, but for specials */                  \
	X(specials)       /* reciprocals, roots, exponents, logarithms, sines, cosines, fractions */   \
	X(chain)          /* operations in the longest chain of them, specials and reads included */   \
	X(reads)          /* texture reads at coordinates that operations or reads made, */            \
	X(direct_reads)   /* at interpolated lanes of one register in their order, */                  \
	X(constant_reads) /* and at coordinates made of constants alone */                             \
	X(projected)      /* of all these, reads that divide the coordinate by its w */                      \
	X(row)            /* texture reads in the longest row of them, each at a coordinate that an operation or a read made */ \
	X(varyings)       /* interpolated scalars that arithmetic or outputs read */                   \
	X(carried)        /* interpolated scalars that only texture reads take, as they arrive */      \
	X(halves)         /* halves (xy, zw) of interpolators that arithmetic or outputs read */       \
	X(constant_lanes) /* scalar operations on constants alone, but for what literals give */       \
	X(outputs)        /* lanes of colours and depth */                                             \
	X(copies)         /* of these, lanes that an input or constants give */                        \
	X(kills)          /* texkills */                                                               \
	X(programs)       /* 1 */

struct cleaned {
#define COUNT(name) unsigned name;
	CLEANED_COUNTS(COUNT)
#undef COUNT
};

/* Counts a checked FP.  Blocks are counted as if each were run once.  Marks of depth textures (INSTR_DEPTH) do not count, since no
 * text has them. */
struct cleaned cleaned_count(const struct program *fp);

#endif
