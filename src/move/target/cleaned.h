/* Counts the operations of an FP that a driver's compiler leaves after it has cleaned the FP.
 *
 * Copies, arithmetic on literals, repeated computations and dead code are removed, and a product that only one sum reads becomes a mad with
 * that sum.  Most chips of targets.def charge a weight for each of these counts. */
#ifndef FPMOVE_MOVE_TARGET_CLEANED_H
#define FPMOVE_MOVE_TARGET_CLEANED_H

#include "lang/ir.h"

#define CLEANED_COUNTS(X)                                                                              \
	X(instrs)         /* slots of the arithmetic instructions that compute `lanes` or `specials` */ \
	X(lanes)          /* scalar operations on varying values, except specials; a mad is one */     \
	X(specials)       /* reciprocals, roots, exponents, logarithms, sines, cosines, fractions */   \
	X(chain)          /* length of the longest chain of dependent lanes, specials and reads */     \
	X(reads)          /* texture reads that are neither direct nor constant reads */               \
	X(direct_reads)   /* texture reads at lanes x, y, ... of one interpolator in this order */     \
	X(constant_reads) /* texture reads at coordinates computed from constants alone */             \
	X(projected)      /* texldp instructions among the reads, direct reads and constant reads */   \
	X(row)            /* number of `reads` in the longest chain of dependent ones */               \
	X(varyings)       /* interpolated scalars that arithmetic, outputs or `reads` read */          \
	X(carried)        /* interpolated scalars that only direct reads read */                       \
	X(halves)         /* halves (xy, zw) of interpolators with a scalar in `varyings` */           \
	X(constant_lanes) /* scalar operations on constants alone, except sums and products of literals */ \
	X(outputs)        /* lanes of oC# and oDepth that the FP writes */                             \
	X(copies)         /* lanes in `outputs` that are an input or computed from constants alone */  \
	X(kills)          /* texkills */                                                               \
	X(programs)       /* always 1: a charge for each FP */

struct cleaned {
#define COUNT(name) unsigned name;
	CLEANED_COUNTS(COUNT)
#undef COUNT
};

/* Counts a checked FP.  Blocks are counted as if each ran once.  The .z that a read of a depth texture (INSTR_DEPTH) compares does not count as
 * read, since no text tells which textures are depth textures. */
struct cleaned cleaned_count(const struct program *fp);

#endif
