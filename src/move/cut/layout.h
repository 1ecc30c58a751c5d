/* What the interpolators carry: packing what operands ask for into registers of four lanes.  All rules of packing are here and
 * in pack.c, whose comments begin with the letter of the rule; joining lanes to instructions is not packing (cover/).
 *
 * In: requests, each the patterns that one instruction reads, and registers that must stay as they are.  Out: a layout in
 * which one register delivers each request, or that there is none.  The rules:
 *   A  a lane carries one value, or none;
 *   B  all patterns of a request come from one register, since an instruction has one port for t#;
 *   C  a pattern is read through the swizzles and the sign that its operand has (enum reach): a texture read's coordinate
 *      stands where it is read;
 *   D  values that are interpolated in different ways (_pp, _centroid: `kind`) never share a register; constants ride in any;
 *   E  a pinned register keeps its number, and the lanes that it had;
 *   F  a register is named as the t# whose lanes it carries on (`home`), where that costs nothing.
 * A to E are exact, F is taste.  A new rule: say here what it asks, test it where a value is put (place) or a register chosen
 * (place_item), and let layout_least and is_too_full, which are only bounds, go on without it. */
#ifndef FPMOVE_MOVE_CUT_LAYOUT_H
#define FPMOVE_MOVE_CUT_LAYOUT_H

#include "move/graph/values.h"

enum { INTERPOLATORS = TEXCOORDS, PATTERN_VIEWS = 8 };

/* C: through which swizzles an operand can be read. */
enum reach {
	REACH_ANY,    /* any of the eight of ps_2_0, negated or not */
	REACH_SCALAR, /* a replicate swizzle, negated or not; the value stands at position x */
	REACH_LANE,   /* a replicate swizzle, not negated */
	REACH_PLAIN   /* neither swizzle nor modifier */
};

/* What an operand needs: these values at these positions. */
struct pattern {
	lanes positions;
	uint8_t reach;           /* enum reach */
	value_id value[LANES];   /* at each position */
	value_id negated[LANES]; /* its negation, or NO_VALUE where that has no number */
};

/* How a register delivers a pattern. */
struct view {
	swizzle swizzle;
	bool negate;
};

/* The interpolators: what each lane of each t# carries. */
struct layout {
	value_id lane[INTERPOLATORS][LANES]; /* NO_VALUE: free */
	uint8_t kind[INTERPOLATORS];         /* D: INSTR_PP | INSTR_CENTROID, or KIND_ANY while only constants ride */
	bool pinned[INTERPOLATORS];          /* E: keeps its number: it has lanes that the VP never writes */
	int8_t home[INTERPOLATORS];          /* F: the t# whose inputs it carries unchanged, or -1 */
};

/* B: patterns that one register must deliver together, for they meet in one instruction. */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind; /* or KIND_ANY */
};

/* Does the register deliver the pattern as it is? */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct view *);
/* Views of the pattern, by number from 0; false: there are no more. */
bool pattern_view(const struct pattern *, unsigned which, struct view *);
/* Puts its values into the lanes that the view reads; false, with some put: others are there. */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct view *);
/* Places all requests into `n` registers of `start`, the pinned ones and the lowest others.
 * Exact unless `*work`, which counts search steps down, reaches 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *work);
bool layout_used(const struct layout *, unsigned reg);
/* What packing so many requests takes, in steps of as much time each, when `work` steps of its search were made. */
uint64_t layout_steps(uint32_t count, uint32_t work);
/* No packing of the requests takes fewer registers than this. */
unsigned layout_least(const struct request *, uint32_t count);

#endif
