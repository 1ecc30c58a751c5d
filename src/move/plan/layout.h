/* What the interpolators carry: packing what operands ask for into registers of four lanes.  layout.c has the rules of it, each
 * in a function whose comment begins with its letter; pack.c searches by these.  Joining lanes to instructions is not packing
 * (cover/).
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
 * A to E are exact, F is taste.
 *
 * A new rule: say here what it asks.  If it forbids something, test it
 *   in pattern_kind, if a kind that values have can say it, as kinds share a register only if they are equal or one is
 *   KIND_ANY (kinds_share of graph/values.h): sums (graph/class.c), go_on and count_registers in pack.c, and
 *   search_least_registers in cut/bound.c count on just that;
 *   in request_add, if it is about what one instruction reads;
 *   else twice, where pack.c puts values into a register (fill, behind pattern_place) and in layout_shows, which finds the
 *   register again.  Not in pattern_place or pattern_match: constant registers and temporaries are filled by these, too.
 * -O1 packs by itself (paper/bundle.c has B and D, paper/allot.c takes whole registers), and what it makes may be the result of
 * -O2: a rule that forbids something is told to it, too.
 * The search relies on more: layout_alike and request_turns say which registers and signs make no difference, and pack.c
 * knows a state again by its lanes, kinds and pinned registers (state_of).  A rule that looks at anything else is told to
 * these.  One about numbers of t# is told to layout_registers, and to layout_number, which gives other numbers in the end.
 * One that lets a lane show more than its value and the opposite is told to the bounds in pack.c (layout_least,
 * is_too_full, has_room, are_apart). */
#ifndef FPMOVE_MOVE_PLAN_LAYOUT_H
#define FPMOVE_MOVE_PLAN_LAYOUT_H

#include "move/graph/values.h"

enum { INTERPOLATORS = MOST_TEXCOORDS, PATTERN_VIEWS = 24 };

/* C: through which swizzles an operand can be read. */
enum reach {
	REACH_ANY,    /* any of the eight of ps_2_0, negated or not */
	REACH_SCALAR, /* a replicate swizzle, negated or not; the value stands at position x */
	REACH_LANE,   /* a replicate swizzle, not negated */
	REACH_PLAIN,  /* neither swizzle nor modifier */
	REACH_FREE,   /* any swizzle, as model 3 has it, negated or not */
	REACH_TURNED  /* any swizzle, not negated */
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
	bool pinned[INTERPOLATORS];          /* E: keeps its number: it has lanes that the VP never writes, or that FPs read which stay as they are */
	int8_t home[INTERPOLATORS];          /* F: the t# whose inputs it carries unchanged, or -1 */
};

/* B: patterns that one register must deliver together, for they meet in one instruction. */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind; /* or KIND_ANY */
	uint8_t scalars; /* in a search: different values that this request and those before it ask for (cut/supply.c) */
};

/* The pattern wants the value at that position, too (operand.c). */
void pattern_set(const struct values *, struct pattern *, unsigned position, value_id);
/* The first position of those that count. */
static inline unsigned pattern_first(const struct pattern *p)
{
	unsigned k = 0;
	while (k < LANES - 1 && !(p->positions >> k & 1))
		k++;
	return k;
}

/* Each value in the lane of its position; NO_VALUE in the others. */
static inline void pattern_lanes(const struct pattern *p, value_id lane[LANES])
{
	for (unsigned k = 0; k < LANES; k++)
		lane[k] = p->positions >> k & 1 ? p->value[k] : NO_VALUE;
}

/* ---- layout.c: the rules ------------------------------------------------------------------------------------------- */

/* C: views of the pattern, by number from 0; false: there are no more. */
bool pattern_view(const struct pattern *, unsigned which, struct view *view);
/* C: those that differ in what they put where; without those that are `negated`: only as it is. */
struct views {
	unsigned n;
	struct view view[2 * PATTERN_VIEWS];
};
void pattern_find_views(const struct pattern *, bool negated, struct views *);
/* A and C: does the register show the pattern as it is? */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct view *);
/* A: puts its values into the lanes that the view reads; false, with some put: others are there. */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct view *);
/* A and C: puts the values of a pattern that is read by any swizzle, or their opposites, into the lowest free lanes if they are not there;
 * false, with some put: there are too few, or it is not read negated. */
bool pattern_put(value_id reg[LANES], const struct pattern *, bool negate);
/* C: are all its patterns read by any swizzle? */
bool request_is_anywhere(const struct request *);
/* C: can all its patterns be read negated?  Then in an empty register no sign is better than the other. */
bool request_turns(const struct request *);

/* D: the kind of the pattern's values; false: they have several, so that no register takes them. */
bool pattern_kind(const struct values *, const struct pattern *, uint8_t *kind);
/* B and D: one more pattern, whose values are of that kind; false: no register delivers it beside the others. */
bool request_add(struct request *, const struct pattern *, uint8_t kind);
/* A to D: does the register deliver all of the request as it is, in these views of its patterns? */
bool layout_shows(const struct layout *, unsigned reg, const struct request *, struct view view[MAX_SOURCES]);
/* The first that does; -1: none. */
int layout_find(const struct layout *, const struct request *, struct view view[MAX_SOURCES]);

/* Are two registers alike: does what does not go into one not go into the other?  Empty ones are; those of one kind with a free
 * lane are for a request of a single value that any lane brings (`loose`). */
bool layout_alike(const struct layout *, unsigned reg, unsigned other, bool loose);
/* E: the registers of which `n` may be used, the pinned ones first, then the lowest; how many these are. */
unsigned layout_registers(const struct layout *start, unsigned n, uint8_t registers[INTERPOLATORS]);
/* F: the t# whose lane the request reads unchanged; -1: none. */
int request_home(const struct values *, const struct request *);
/* E and F: numbers the registers that are used anew, so that none is left out. */
void layout_number(struct layout *);
/* Nothing rides yet. */
void layout_clear(struct layout *);
/* Does the register carry anything, or keep its place?  How many do? */
bool layout_used(const struct layout *, unsigned reg);
unsigned layout_count(const struct layout *);

/* ---- pack.c: the search -------------------------------------------------------------------------------------------- */

/* Places all requests into `n` registers of `start`, the pinned ones and the lowest others.
 * Exact unless `*steps`, which are the steps that it may make and then those that are left, reaches 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *steps);
/* What packing so many requests is paid with, when `made` steps of its search were made: those, and what comes before. */
uint64_t layout_steps(uint32_t count, uint32_t made);
/* No packing of the requests takes fewer registers than this. */
unsigned layout_least(const struct request *, uint32_t count);

#endif
