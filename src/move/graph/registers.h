/* Registers for a program whose temporaries may have any number. */
#ifndef FPMOVE_MOVE_GRAPH_REGISTERS_H
#define FPMOVE_MOVE_GRAPH_REGISTERS_H

#include "lang/ir.h"

enum {
	VIRTUAL_REGS = 64, /* first number that is no register of the model */
	RULE_REGS = 128,   /* first number that what rules write takes */
	MOST_REGS = 1160   /* of a VP: 900 of its own, and as many as value numbering follows in an FP */
};

/* Gives every web (definitions that some read joins) a register r0 .. r(limit-1), two webs
 * the same one where their lanes never hold a value at the same time.  Webs keep their number
 * where it is below the limit and free.  False: they do not fit; the program is as it was.
 * Texture reads get registers that nobody wrote before if that makes the program's dependent reads
 * fewer in order, where the model limits that.  A register with a lane that is read although nobody wrote it stays as it is. */
bool regs_allocate(struct arena *, struct program *, unsigned limit);
/* The same, but that the webs of register r keep the number home[r]. */
bool regs_allocate_at(struct arena *, struct program *, unsigned limit, const int16_t *home);

/* Gives every web a number of its own, from VIRTUAL_REGS on, but for those that have to stay.  False: there are not so many
 * numbers; the program is as it was. */
bool regs_separate(struct arena *, struct program *);

/* Ways to give registers so that lines are those of an older program. */
enum liking {
	LIKE_BY_WEB,       /* each web gets the register that its lines had there, where that is free */
	LIKE_BY_WEB_FRESH, /* the same, and texture reads get registers that nobody wrote before */
	LIKE_BY_NUMBER     /* each register gets another number, so that as many are needed as before */
};
/* `old`: for each instruction the one of the older program that it is to look like, or NULL.  False: they do not fit. */
bool regs_allocate_like(struct arena *, struct program *, unsigned limit, const struct instr *const *old, enum liking);

/* Removes instructions and mask lanes whose results no output needs: what tidy_dead does, for temporaries
 * of any number and all outputs.  True if anything went. */
bool regs_remove_dead(struct arena *, struct program *);

#endif
