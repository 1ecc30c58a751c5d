/* A layout tells which value each lane of each interpolator (t#, four lanes) carries.  Packing finds a layout for the values that
 * operands read.  layout.c implements the rules of packing; the comments of its functions below name the rule that each implements.
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

/* The swizzles and signs by which an operand can read a register (rule C). */
enum reach {
	REACH_ANY,    /* any of the eight swizzles of ps_2_0, negated or not */
	REACH_SCALAR, /* a replicate swizzle (.x to .w), negated or not; the one value of the pattern is at position x */
	REACH_LANE,   /* a replicate swizzle (.x to .w), not negated */
	REACH_PLAIN,  /* neither swizzle nor negation */
	REACH_FREE,   /* any swizzle, as in model 3, negated or not */
	REACH_TURNED  /* any swizzle, not negated */
};

/* The values that an operand reads, each at a position x, y, z or w of the operand. */
struct pattern {
	lanes positions;         /* the positions that the instruction reads */
	uint8_t reach;           /* enum reach */
	value_id value[LANES];   /* the value that is read at each position */
	value_id negated[LANES]; /* the opposite of each value, or NO_VALUE if the opposite was not numbered so far */
};

/* The swizzle and sign by which a register delivers a pattern. */
struct view {
	swizzle swizzle;
	bool negate;
};

/* The values that each interpolator carries. */
struct layout {
	value_id lane[INTERPOLATORS][LANES]; /* the value that each lane carries; NO_VALUE if the lane is free */
	uint8_t kind[INTERPOLATORS];         /* how its values are interpolated (rule D), see KIND_MIXED; KIND_ANY while it has only constants */
	bool pinned[INTERPOLATORS];          /* the register must stay as it is (rule E), for example since a VP leaves lanes of it unwritten */
	int8_t home[INTERPOLATORS];          /* number of the old t# of which it carries lanes unchanged (rule F), or -1 */
};

/* Patterns that one register must deliver together, since one instruction reads them (rule B). */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind;    /* how its values are interpolated; KIND_ANY if all are constants */
	uint8_t scalars; /* for cut/supply.c: number of different values in this request and those before it of the same FP; set only if the target
	                  * charges for interpolated scalars */
};

/* Adds a value, and its opposite if that has a number, at a position of the pattern. */
void pattern_set(const struct values *, struct pattern *, unsigned position, value_id);
/* Returns the first position that the operand reads. */
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

/* Finds number `which`, from 0, of the swizzles with a sign by which the operand may read a register.  Returns false if there are no more
 * (rule C). */
bool pattern_view(const struct pattern *, unsigned which, struct view *);
/* Swizzles with a sign by which an operand may read a register. */
struct views {
	unsigned n;
	struct view view[2 * PATTERN_VIEWS];
};
/* Lists the swizzles with a sign by which the operand may read a register, leaving out those that want the same values in the same lanes as
 * an earlier one.  Includes those that negate only if `negated` (rule C). */
void pattern_find_views(const struct pattern *, bool negated, struct views *);
/* Returns true if the operand can read its values from a register with these lanes, and sets the swizzle and sign by which it does (rules A
 * and C). */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct view *);
/* Puts the values into the lanes of the register in which an operand with this swizzle and sign reads them.  Returns false if such a lane
 * has another value; some lanes are changed then (rule A). */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct view *);
/* For an operand that may have any swizzle, puts each value that the register lacks, or its opposite if `negate`, into the lowest free lane.
 * Returns false if there are too few lanes, or if the operand cannot be negated; some lanes may be changed then (rules A and C). */
bool pattern_put(value_id reg[LANES], const struct pattern *, bool negate);
/* Returns true if all operands of the request may have any swizzle (rule C). */
bool request_is_anywhere(const struct request *);
/* Returns true if all operands can be negated, so that in an empty register their values are as good as the opposites (rule C). */
bool request_is_negatable(const struct request *);

/* Finds how the pattern's values are interpolated.  Returns false if in several ways, so that no one register can carry them (rule D). */
bool pattern_kind(const struct values *, const struct pattern *, uint8_t *kind);
/* Adds a pattern, whose values are interpolated as `kind`, to the request.  Returns false if no register could deliver it together with the
 * other patterns (rules B and D). */
bool request_add(struct request *, const struct pattern *, uint8_t kind);
/* Returns true if the register, as it is, delivers the whole request, and sets the swizzle and sign for each pattern (rules A to D). */
bool layout_shows(const struct layout *, unsigned reg, const struct request *, struct view view[MAX_SOURCES]);
/* Returns the first register that delivers the whole request, or -1 if there is none, and sets the swizzle and sign for each pattern. */
int layout_find(const struct layout *, const struct request *, struct view view[MAX_SOURCES]);

/* Returns true if a request that does not fit into `reg` cannot fit into `other` either.  That is so if both are empty.  It is also so if
 * the request is `loose`, a single value that any lane can bring, and both have the same kind and a free lane; the caller checks for the
 * lane. */
bool layout_alike(const struct layout *, unsigned reg, unsigned other, bool loose);
/* Lists the registers in which to pack values if `n` may be used: all pinned ones, which must stay as they are, then the lowest others.
 * Returns their number, which is more than `n` if more are pinned (rule E). */
unsigned layout_registers(const struct layout *start, unsigned n, uint8_t registers[INTERPOLATORS]);
/* Returns the old t# of which the request's first value is a lane, unchanged, or -1 if there is none (rule F). */
int request_home(const struct values *, const struct request *);
/* Gives the used registers new numbers, without gaps where possible: pinned ones keep theirs, and a register with lanes of an old t# gets
 * that number if it is free and not too high (rules E and F). */
void layout_number(struct layout *);
void layout_clear(struct layout *);
/* Returns true if the register is pinned or carries a value. */
bool layout_used(const struct layout *, unsigned reg);
unsigned layout_count(const struct layout *);

/* ---- pack.c: the search -------------------------------------------------------------------------------------------- */

/* Finds a layout of `n` registers, the pinned and the lowest others, that has the values of `start` and delivers all requests.  Returns
 * false if there is none, if there are more than 512 requests, or if `*steps`, the number of steps left to the search, has reached 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *steps);
/* Returns the steps that a call of layout_pack() is charged: the `made` steps of its search, and more for preparing `count` requests. */
uint64_t layout_steps(uint32_t count, uint32_t made);
/* Returns a lower bound of the number of registers that the requests need; INTERPOLATORS + 1 if they need too many. */
unsigned layout_least(const struct request *, uint32_t count);

#endif
