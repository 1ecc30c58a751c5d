/* One register for two webs, while each web of a program has a register of its own (registers.h). */
#ifndef FPMOVE_MOVE_COVER_WEBS_H
#define FPMOVE_MOVE_COVER_WEBS_H

#include "move/cover/tidy.h"
#include "move/graph/registers.h"

enum { TURNS = 24 };

struct undo {
	uint32_t at;      /* an instruction that was changed; NO_INSTR: a register was put into another */
	struct instr old; /* as it was */
	int into, tail;   /* the register that took the other, and the register of its chain behind which that was put */
	int from;         /* ... the other */
	lanes used[2];    /* of both, before */
};

struct webs {
	struct tidy *t;
	bool known;        /* what follows is of the program as it is */
	uint32_t *when;    /* the place of each instruction in the order that is tried */
	uint32_t *list;    /* scratch: users of two registers */
	uint32_t *first;   /* by register: where its users begin in `user`, in the order of the program */
	uint32_t *user;    /* instructions that read or write it */
	int16_t *chain;    /* by register: another one whose users are this one's, too; -1: none */
	lanes *used;       /* by register: lanes that are written */
	int registers;
	struct { VEC(struct undo); } log; /* what was changed since the program was known */
	uint32_t gone;     /* a copy that is about to go; NO_INSTR: none */
	uint32_t pair[2];  /* instructions that are about to be one, so that a lane that both write is the first one's; NO_INSTR: none */
};

void webs_begin(struct webs *, struct tidy *);
/* Finds who uses each register, unless that is known. */
void webs_find(struct webs *);
/* The program was changed for good. */
void webs_keep(struct webs *);
/* Takes back what was changed since the log had `mark` entries. */
void webs_undo(struct webs *, uint32_t mark);
/* Changes an instruction so that it can be taken back. */
struct instr *webs_change(struct webs *, uint32_t k);
/* Puts register b into a, lane l into map[l].  False: values would meet in one lane, or an instruction cannot be written so; then
 * in part. */
bool webs_embed(struct webs *, int b, int a, const unsigned map[LANES]);
/* The n-th way to turn lanes; the first leaves them where they are.  False: it is like another one for these lanes. */
bool lanes_turn(unsigned n, lanes used, unsigned map[LANES]);
static inline lanes lanes_turned(const unsigned map[LANES], lanes mask)
{
	lanes to = 0;
	EACH_LANE(l, mask)
		to |= (lanes)(1u << map[l]);
	return to;
}

#endif
