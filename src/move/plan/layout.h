/* A layout tells which value each lane of each interpolator (t#, four lanes) carries.  Packing finds a layout for the values that
 * operands read.  layout.c implements the rules of packing; the comments of its functions below begin with the letter of their rule.
 * pack.c searches by these rules.  (cover/ joins lanes to instructions, which is not packing.)
 *
 * The input of packing is a list of requests, each with the patterns that one instruction reads, and a layout with registers that must
 * stay as they are.  The output is a layout in which each request is delivered by one register, or the answer that there is none.
 * The rules:
 *   A  A lane carries at most one value.
 *   B  All patterns of a request come from one register, since an instruction has only one port for t#.
 *   C  An operand reads its pattern only through the swizzles and the sign that it may have (enum reach).  For example, the coordinate
 *      of a texture read has no swizzle, so that its values must be in the lanes where it is read.
 *   D  Values that are interpolated in different ways (_pp, _centroid: `kind`) never share a register.  Constants may be in any.
 *   E  A pinned register keeps its number and the values that it had.
 *   F  A register that carries lanes of an old t# unchanged gets the number of that t# (`home`), if this costs nothing.
 * A to E are necessary; F keeps programs readable.
 *
 * To add a rule, describe it here.  If it forbids something, test it
 *   in pattern_kind, if it can be expressed by kinds.  Two kinds share a register only if they are equal or one is KIND_ANY
 *   (kinds_share of graph/values.h): sums (graph/class.c), fix_item and least_by_kinds in pack.c, and
 *   search_least_registers in cut/bound.c rely on that;
 *   in request_add, if it is about the operands of one instruction;
 *   otherwise in two places: where pack.c puts values into a register (fill_register, behind pattern_place) and in layout_shows,
 *   which finds the register again.  Do not test it in pattern_place or pattern_match, which also serve constant registers and
 *   temporaries.
 * -O1 packs by its own code (paper/bundle.c has rules B and D, paper/allot.c takes whole registers), and -O2 may return the result of
 * -O1.  So a rule that forbids something must be added there, too.
 * The search takes shortcuts that a new rule may make wrong:
 *   layout_alike and request_is_negatable tell which registers and signs make no difference; they look only at lanes, kinds and pinned
 *   registers, so a rule that depends on anything else must be added to them;
 *   layout_registers chooses numbers of t#, and layout_number changes them at the end: a rule about numbers must be added to both;
 *   the bounds in pack.c (layout_least, is_too_full, has_room, are_apart) assume that a lane delivers only its value and the opposite. */
#ifndef FPMOVE_MOVE_PLAN_LAYOUT_H
#define FPMOVE_MOVE_PLAN_LAYOUT_H

#include "move/graph/values.h"

enum { INTERPOLATORS = MOST_TEXCOORDS, PATTERN_VIEWS = 24 };

/* C: the swizzles and signs by which an operand can read a register. */
enum reach {
	REACH_ANY,    /* any of the eight swizzles of ps_2_0, negated or not */
	REACH_SCALAR, /* a replicate swizzle, negated or not; the pattern has its value at position x */
	REACH_LANE,   /* a replicate swizzle, not negated */
	REACH_PLAIN,  /* neither swizzle nor negation */
	REACH_FREE,   /* any swizzle, as in model 3, negated or not */
	REACH_TURNED  /* any swizzle, not negated */
};

/* The values that an operand reads, each at a position x, y, z or w of the operand. */
struct pattern {
	lanes positions;         /* the positions that the instruction reads */
	uint8_t reach;           /* enum reach */
	value_id value[LANES];   /* at each position */
	value_id negated[LANES]; /* the negation of each value, or NO_VALUE if no number is known for it */
};

/* The swizzle and sign by which a register delivers a pattern. */
struct view {
	swizzle swizzle;
	bool negate;
};

/* The contents of all interpolators. */
struct layout {
	value_id lane[INTERPOLATORS][LANES]; /* the value that each lane carries; NO_VALUE if the lane is free */
	uint8_t kind[INTERPOLATORS];         /* D: INSTR_PP | INSTR_CENTROID, or KIND_ANY while the register has only constants */
	bool pinned[INTERPOLATORS];          /* E: has lanes that the VP never writes, or that FPs read which do not change */
	int8_t home[INTERPOLATORS];          /* F: the t# whose inputs it carries unchanged, or -1 */
};

/* B: patterns that one register must deliver together, since one instruction reads them. */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind;    /* kind of its values; KIND_ANY if all are constants */
	uint8_t scalars; /* used in cut/supply.c: number of different values of this request and the earlier ones of its list */
};

/* Adds a value at a position to the pattern (operand.c). */
void pattern_set(const struct values *, struct pattern *, unsigned position, value_id);
/* Returns the first position that the pattern has. */
static inline unsigned pattern_first(const struct pattern *p)
{
	unsigned k = 0;
	while (k < LANES - 1 && !(p->positions >> k & 1))
		k++;
	return k;
}

/* Fills `lane` with each value in the lane of its position, and NO_VALUE in the other lanes. */
static inline void pattern_lanes(const struct pattern *p, value_id lane[LANES])
{
	for (unsigned k = 0; k < LANES; k++)
		lane[k] = p->positions >> k & 1 ? p->value[k] : NO_VALUE;
}

/* ---- layout.c: the rules ------------------------------------------------------------------------------------------- */

/* C: gives the view number `which` of all views that the operand may have, from 0; returns false if there are no more. */
bool pattern_view(const struct pattern *, unsigned which, struct view *);
/* C: lists views of which no two put the same values into the same lanes; views that negate only if `negated`. */
struct views {
	unsigned n;
	struct view view[2 * PATTERN_VIEWS];
};
void pattern_find_views(const struct pattern *, bool negated, struct views *);
/* A and C: returns true if the operand can read the pattern from the register as it is, and the view by which it does. */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct view *);
/* A: puts the values into the lanes that the view reads.  Returns false if a lane has another value; some lanes are changed then. */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct view *);
/* A and C: for an operand with any swizzle, puts each value, or its opposite if `negate`, into the lowest free lane unless a lane has it.
 * Returns false if there are too few lanes, or if the operand cannot be negated; some lanes may be changed then. */
bool pattern_put(value_id reg[LANES], const struct pattern *, bool negate);
/* C: returns true if all operands of the request may have any swizzle. */
bool request_is_anywhere(const struct request *);
/* C: returns true if all operands can be negated: in an empty register the values are then as good as their opposites. */
bool request_is_negatable(const struct request *);

/* D: finds the kind of the pattern's values; returns false if they are of several kinds, which no register can carry. */
bool pattern_kind(const struct values *, const struct pattern *, uint8_t *kind);
/* B and D: adds a pattern whose values are of that kind; returns false if no register could deliver it together with the others. */
bool request_add(struct request *, const struct pattern *, uint8_t kind);
/* A to D: returns true if the register delivers the whole request as it is, and the views of its patterns. */
bool layout_shows(const struct layout *, unsigned reg, const struct request *, struct view view[MAX_SOURCES]);
/* Returns the first register that does, and the views; -1 if there is none. */
int layout_find(const struct layout *, const struct request *, struct view view[MAX_SOURCES]);

/* Returns true if a request that does not fit into `reg` cannot fit into `other`: both are empty, or they have the same kind and a free lane
 * (which the caller checks) and the request is `loose`, a single value that any lane can bring. */
bool layout_alike(const struct layout *, unsigned reg, unsigned other, bool loose);
/* E: lists the registers for packing into `n` of them: all pinned ones first, then the lowest others.  Returns their number, which is
 * more than `n` if more are pinned. */
unsigned layout_registers(const struct layout *start, unsigned n, uint8_t registers[INTERPOLATORS]);
/* F: returns the t# of which the request's first value is a lane, unchanged; -1 if there is none. */
int request_home(const struct values *, const struct request *);
/* E and F: renumbers the used registers that are not pinned, without gaps where pinned ones allow. */
void layout_number(struct layout *);
/* Makes all registers empty. */
void layout_clear(struct layout *);
/* Returns true if the register is pinned or carries a value. */
bool layout_used(const struct layout *, unsigned reg);
/* Returns the number of used registers. */
unsigned layout_count(const struct layout *);

/* ---- pack.c: the search -------------------------------------------------------------------------------------------- */

/* Packs all requests into `n` registers, beside the values that `start` has: into the pinned registers and the lowest others.  Returns
 * false if there is no such layout, or if `*steps`, the number of steps that the search may still make, has reached 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *steps);
/* Returns the steps that a caller should count for packing `count` requests in a search of `made` steps: these, and the preparations. */
uint64_t layout_steps(uint32_t count, uint32_t made);
/* Returns a lower bound of the number of registers that the requests need; INTERPOLATORS + 1 if they need too many. */
unsigned layout_least(const struct request *, uint32_t count);

#endif
