/* Programs with flow control as straight ones, and back.
 *
 * A region is an if with all up to its endif, a rep or loop with all up to its end, or all from the first setp or predicate to the last.
 * What is in it stays as it is.  In the straight program there stand in its place
 *
 *   REGION1 to 3  for each of its instructions that reads something from outside: those operands, as they are there.  Which of their
 *                 lanes count, `region_reads` says.  Where a register may hold what it held before or what the region wrote, another
 *                 REGION1 reads that at the begin, so that it is in this very register
 *   REGION_OUT    for each register that it writes: all lanes that it may write.  What it leaves there is a function of all that it
 *                 reads.  Of an output it is a temporary, which a mov behind brings there
 *
 * Of v[aL + n] these are all inputs that it may be.  In the program such an operand stays as it is.
 *
 * Further REGION1 to 3, which stand for nothing (REGION_FENCE), read some of that again: so no value takes the register of another that the
 * region still needs, and constants that the region addresses by aL are taken.
 *
 * An output that a region may leave as it was is a temporary in all of the program, and a mov at the end brings it there.
 *
 * So the mover and the proof, which know straight programs alone, move what is outside, and change what the operands read. */
#ifndef FPMOVE_LANG_OUTLINE_H
#define FPMOVE_LANG_OUTLINE_H

#include "lang/blocks.h"

enum { REGION_SOURCES = 3, REGION_FENCE = UINT16_MAX /* the number of reads that only keep registers apart */ };

/* Operands of an instruction that a REGION# stands for. */
struct region_read {
	uint32_t instr;                  /* of the program; NO_INSTR: what a register holds at the begin */
	uint8_t region;
	uint8_t source[REGION_SOURCES];  /* which operand each source is */
	uint8_t n, row;                  /* row: of an operand that is several registers, the one that is read; of v[aL + n] the number of an input */
	bool own;                        /* the operand stays as it is: the region may have written the a0 of it, and what is read is by the a0 before;
	                                  * or aL addresses it */
	uint16_t lanes;                  /* `region_reads` of the straight form */
	uint16_t write;                  /* without an instruction: of which of the region's registers */
};

/* A register that a region writes. */
struct region_write {
	uint8_t region, file;            /* as the program has it, also an output */
	int16_t index;
	lanes mask, kept;                /* lanes that it may write; those of them in which what was there before may be left */
	lanes claimed;                   /* of the register: all lanes through which nothing is brought past the region */
};

struct region {
	uint32_t first, end;             /* instructions number first to end - 1 */
	uint32_t reads, writes;          /* of the lists below: those before its own */
};

struct regions {
	VEC(struct region);
};

struct outline {
	const struct program *given;
	struct program *straight;
	struct regions regions;
	struct { VEC(struct region_read); } reads;   /* numbered as `region` of struct instr */
	struct { VEC(struct region_write); } writes;
	const uint32_t *origin;          /* for each instruction of `straight`: the one that it is; NO_INSTR: none */
};

/* Finds the regions of a program, in order; without their reads and writes. */
void regions_find(struct arena *, const struct program *, const uint32_t *partner, struct regions *);

/* Returns whether a part of a region, an instruction of these opcodes, is its first.  `last` is the part before it, NULL if there is none. */
static inline bool outline_begins_region(const struct instr *last, const struct instr *part)
{
	return !last || (part->op != OP_REGION_OUT && part->region != REGION_FENCE && (last->op == OP_REGION_OUT || last->region == REGION_FENCE));
}

/* Returns the number of a region's write of that register in the program, or -1. */
int outline_write(const struct outline *, uint8_t region, unsigned file, int index);

/* Returns what a read of an operand that stays as it is has in the straight form of a program. */
struct src outline_own(const struct program *, const struct src *, unsigned row);

/* Returns NULL, or why the program has no straight form.  `like`: the outline of one that this was made of, which says for each read
 * which lanes count; NULL: what the instructions say, and of coordinates .z where a texture of depths may be compared with it.
 * requires: the program keeps its model's rules. */
const char *outline(struct arena *, const struct program *, const struct outline *like, struct outline *);

/* Returns the program with the regions put back into `moved`, which was made of `o->straight`; NULL: something stands in the way. */
struct program *outline_restore(struct arena *, const struct outline *o, const struct program *moved);

/* Returns NULL, or what differs in the regions of two programs, if equal operands are read where `straight` of both has them. */
const char *outline_differs(struct arena *, const struct outline *old, const struct outline *new);

#endif
