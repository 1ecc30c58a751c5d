/* Puts two webs (sets of definitions that have to share a register) into one register, in a program in which each web has a register of its own. */
#ifndef FPMOVE_MOVE_COVER_WEBS_H
#define FPMOVE_MOVE_COVER_WEBS_H

#include "move/cover/tidy.h"
#include "move/graph/registers.h"

enum { TURNS = 24 }; /* number of permutations of four lanes */

/* One change that can be undone: of an instruction, or of the lists of registers when one register was put into another. */
struct undo {
	uint32_t at;      /* the instruction that was changed, or NO_INSTR if a register was put into another */
	struct instr old; /* that instruction before the change */
	int into;         /* the register that now holds both webs */
	int tail;         /* the last register in the chain of `into` before the change */
	int from;         /* the register that was put into `into` */
	lanes used[2];    /* `used` of `into` and of `from` before the change */
};

struct webs {
	struct tidy *t;
	bool known;       /* the fields below are up to date with the program */
	uint32_t *when;   /* for each instruction, its index in the order that the caller tries */
	uint32_t *list;   /* scratch: the instructions that use two registers */
	uint32_t *first;  /* for each register, where its users begin in `user` */
	uint32_t *user;   /* for each register in turn, the instructions that read or write it, in the order of the program */
	int16_t *chain;   /* for each register, the next register that was put into it, or -1 if there is none */
	lanes *used;      /* for each register, the lanes that instructions write or clobber */
	int registers;
	struct { VEC(struct undo); } log; /* changes since webs_find(), the last one at the end */
	uint32_t gone;    /* the copy that is about to be removed, or NO_INSTR */
	uint32_t pair[2]; /* two instructions that compute the same in the lanes that both write, and are about to be joined, or NO_INSTR */
};

void webs_begin(struct webs *, struct tidy *);
/* Finds the instructions that use each register, unless they are known. */
void webs_find(struct webs *);
/* Accepts the changes since webs_find(), so that they cannot be undone.  The next webs_find() finds the users of registers again. */
void webs_keep(struct webs *);
/* Undoes all changes that were recorded after the first `mark` entries of the log. */
void webs_undo(struct webs *, uint32_t mark);
/* Records instruction k in the log and returns it, so that the caller can change it. */
struct instr *webs_change(struct webs *, uint32_t k);
/* Puts register b into register a: lane l of b becomes lane map[l] of a in all instructions.  Returns false if live ranges would overlap in one lane,
 * or an instruction cannot be rewritten; some instructions may be changed then, which the caller has to undo. */
bool webs_embed(struct webs *, int b, int a, const unsigned map[LANES]);
/* Sets `map` to permutation n of the lanes; permutation 0 leaves all in place.  Returns true for only one of the permutations that move the lanes in
 * `used` to the same lanes, so that a loop over n tries none twice. */
bool lanes_turn(unsigned n, lanes used, unsigned map[LANES]);
/* Returns the lanes to which `map` moves those of `mask`. */
static inline lanes lanes_turned(const unsigned map[LANES], lanes mask)
{
	lanes to = 0;
	EACH_LANE(l, mask)
		to |= (lanes)(1u << map[l]);
	return to;
}

#endif
