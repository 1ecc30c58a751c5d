/* Turns programs with flow control into straight programs, and back.
 *
 * A region is an if up to its endif, a rep or loop up to its end, or all instructions from the first setp or predicate to the last.
 * The straight program has these REGION opcodes in place of a region:
 *
 *   REGION1 to 3  for each of its instructions with operands from outside: these operands.  `region_reads` lists the lanes of them that
 *                 are read.  If a read in the region may find either the value from before or one that the region wrote in a
 *                 register, another REGION1 reads the value from before, so that it is kept in this very register
 *   REGION_OUT    for each register that the region writes: all lanes that it may write.  The value left there is a function of
 *                 everything that the region reads.  For an output, it is a temporary, which a mov behind copies to the output
 *
 * For an operand v[aL + n], there is a REGION1 for each input that it may be; the operand itself stays as it is.
 *
 * Further REGION1 to 3 with the number REGION_FENCE stand for no operand.  They read some of the registers again, so that no value takes
 * the register of another one that the region still needs, and constants that the region addresses by aL count as taken.
 *
 * An output that a region may leave as it was becomes a temporary in the whole program, and a mov at the end copies it to the output.
 *
 * So the mover and the proof need no flow control to move instructions outside of regions and to change the operands that regions
 * read. */
#ifndef FPMOVE_LANG_OUTLINE_H
#define FPMOVE_LANG_OUTLINE_H

#include "lang/blocks.h"

enum { REGION_SOURCES = 3, REGION_FENCE = UINT16_MAX /* `region` of a REGION1 to 3 that stands for no operand */ };

/* The operands of an instruction that one REGION1 to 3 stands for. */
struct region_read {
	uint32_t instr;                  /* index of the instruction in `given`; NO_INSTR for a read that keeps a register's old value */
	uint8_t region;
	uint8_t source[REGION_SOURCES];  /* for each source of the REGION1 to 3: which operand of the instruction it stands for */
	uint8_t n;                       /* number of operands in `source` */
	uint8_t row;                     /* of a matrix: offset of the register that is read; of v[aL + n]: number of the v# that is read */
	bool own;                        /* the operand in the region must not change, since aL or an a0 that the region may have written addresses
	                                  * it; in the latter case, the REGION1 uses the a0 from before the region */
	uint16_t lanes;                  /* lanes that are read, `region_reads` of the REGION1 to 3 */
	uint16_t write;                  /* if `instr` is NO_INSTR: index in outline.writes of the region's write to the same register */
};

/* One register that a region writes. */
struct region_write {
	uint8_t region, file;            /* file of the register in the program, which may be an output */
	int16_t index;
	lanes mask;                      /* lanes that the region may write */
	lanes kept;                      /* lanes whose old value the region may read or leave in the register, so that it must be there */
	lanes claimed;                   /* lanes that REGION_OUT writes: all but lanes outside of `mask` that hold a live value from before */
};

struct region {
	uint32_t first, end;             /* the region is instructions first to end - 1 */
	uint32_t reads, writes;          /* indices of the region's first read and first write in outline.reads and outline.writes */
};

struct regions {
	VEC(struct region);
};

struct outline {
	const struct program *given;
	struct program *straight;
	struct regions regions;
	struct { VEC(struct region_read); } reads;   /* indexed by instr.region of a REGION1 to 3 */
	struct { VEC(struct region_write); } writes;
	const uint32_t *origin;          /* for each instruction of `straight`, its number in `given`; NO_INSTR if it is not from there */
};

/* Fills `regions` with the regions of a program, in the order of the text, without `reads` and `writes`.  `partner`: blocks_partners(). */
void regions_find(struct arena *, const struct program *, const uint32_t *partner, struct regions *);

/* Returns true if `part`, an instruction of a REGION opcode, is the first of its region.  `last` is the instruction of a REGION opcode
 * before it, or NULL if there is none. */
static inline bool outline_begins_region(const struct instr *last, const struct instr *part)
{
	return !last || (part->op != OP_REGION_OUT && part->region != REGION_FENCE && (last->op == OP_REGION_OUT || last->region == REGION_FENCE));
}

/* Returns the index in o->writes of the region's write to a register of the given program; -1 if there is none. */
int outline_write(const struct outline *, uint8_t region, unsigned file, int index);

/* Returns the source, without _abs, by which the straight form reads an operand with `own` set: the operand's register number `row` or, for
 * v[aL + n], the input number `row`. */
struct src outline_own(const struct program *, const struct src *, unsigned row);

/* Fills in the outline of a program.  Returns NULL, or the reason why the program has no straight form.  `like` is NULL, or the outline of a
 * program that this one was made of; each read then gets the lanes that it has there.  Otherwise a read has the lanes that the instruction
 * reads, with .z of coordinates that may be compared with a depth.
 * requires: the program keeps its model's rules. */
const char *outline(struct arena *, const struct program *, const struct outline *like, struct outline *);

/* Returns a copy of `moved`, a changed `o->straight`, with the regions in place of their REGION opcodes; NULL if that is not possible. */
struct program *outline_restore(struct arena *, const struct outline *o, const struct program *moved);

/* Returns NULL if the regions of two programs compute the same results from the same values of their reads, else the first difference. */
const char *outline_differs(struct arena *, const struct outline *old, const struct outline *new);

#endif
