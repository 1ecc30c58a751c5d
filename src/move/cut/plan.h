/* A plan: which lanes cross from the vertex to the pixel program, where they ride, and
 * how each operand that stays gets its values. */
#ifndef FPMOVE_MOVE_CUT_PLAN_H
#define FPMOVE_MOVE_CUT_PLAN_H

#include "move/passes.h"
#include "move/graph/values.h"

enum { INTERPOLATORS = TEXCOORDS, PS_CONSTS = PROGRAM_CONSTS, PATTERN_WAYS = 8 };

/* Through which swizzles an operand can be read. */
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
struct way {
	swizzle swizzle;
	bool negate;
};

/* The interpolators: what each lane of each t# carries. */
struct layout {
	value_id lane[INTERPOLATORS][LANES]; /* NO_VALUE: free */
	uint8_t kind[INTERPOLATORS];         /* INSTR_PP | INSTR_CENTROID, or KIND_ANY while only constants ride */
	bool pinned[INTERPOLATORS];          /* keeps its number: it has lanes that the VP never writes */
	int8_t home[INTERPOLATORS];          /* the t# whose inputs it carries unchanged, or -1 */
};

/* Patterns that one register must deliver together, for they meet in one instruction. */
struct request {
	struct pattern pattern[MAX_SOURCES];
	unsigned n;
	uint8_t kind; /* or KIND_ANY */
};

/* Does the register deliver the pattern as it is? */
bool pattern_match(const value_id reg[LANES], const struct pattern *, struct way *);
/* Ways to read the pattern, by number from 0; false: there are no more. */
bool pattern_way(const struct pattern *, unsigned view, struct way *);
/* Puts its values into the lanes that the way reads; false, with some put: others are there. */
bool pattern_place(value_id reg[LANES], const struct pattern *, const struct way *);
/* Places all requests into `n` registers of `start`, the pinned ones and the lowest others.
 * Exact unless `*work`, which counts search steps down, reaches 0. */
bool layout_pack(const struct values *, const struct request *, uint32_t count, unsigned n,
                 const struct layout *start, struct layout *out, uint32_t *work);
bool layout_used(const struct layout *, unsigned reg);
/* What packing so many requests takes, in steps of as much time each, when `work` steps of its search were made. */
uint64_t layout_steps(uint32_t count, uint32_t work);
/* No packing of the requests takes fewer registers than this. */
unsigned layout_least(const struct request *, uint32_t count);

/* What operand k of FP instruction i reads when the instruction writes `mask`. */
struct need {
	struct pattern pattern; /* the movable lanes */
	lanes pixel;            /* positions that read pixel lanes */
};
struct need plan_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* The same of an operand that reads a constant register as it is. */
struct pattern plan_constant_need(const struct values *, uint32_t i, unsigned k, lanes mask);
/* Must the application set the lanes of a new constant register? */
bool plan_is_preset(const struct values *, const value_id reg[LANES]);

enum supply {
	SUPPLY_KEEP,  /* the operand stays as written */
	SUPPLY_INPUT, /* an interpolator, straight */
	SUPPLY_CONST, /* a constant register, straight */
	SUPPLY_TEMP   /* a temporary that one new instruction writes */
};

/* A new instruction that writes `pattern`, each value to the lane of its position, into a
 * temporary of its own or beside pixel lanes of an old one. */
enum make { MAKE_MOV_INPUT, MAKE_MOV_CONST, MAKE_AFFINE, MAKE_OPEN /* in the search: the first or third, not yet known */ };
struct making {
	struct pattern pattern;
	uint8_t make;    /* enum make */
	uint32_t first;  /* first instruction that reads it */
	int32_t after;   /* beside pixel lanes: right behind this instruction; -1: before `first` */
	int16_t reg;     /* beside pixel lanes: the register; else -1 */
	/* MAKE_AFFINE: base * factor + offset; a factor or offset without positions is left out. */
	struct pattern base, factor, offset;
	bool offset_rides; /* the offset comes from the same t# as the base, else from the same c# as the factor */
};

struct plan {
	lanes *mask;                        /* of each FP instruction; 0: it leaves */
	uint8_t (*supply)[MAX_SOURCES];     /* enum supply */
	uint32_t (*temp)[MAX_SOURCES];      /* SUPPLY_TEMP: index into makings */
	struct { VEC(struct making); } makings;
	struct layout layout;               /* by number of the new t# */
	value_id consts[PS_CONSTS][LANES];  /* FP constants: old and new ones */
	uint32_t old_consts;                /* bit set: registers that the program has already */
	unsigned registers;                 /* interpolators used */
};

/* The two programs under a plan.  NULL if a budget does not suffice: FP temporaries; VP slots,
 * temporaries or constants.  `folds` and `consts` of the result get what was made. */
struct program *plan_pixel_program(struct values *, const struct plan *, struct move_result *);
/* The shortest vertex program that was found, looking at several ways for each interpolator; NULL: none
 * with at most so many slots.  `least`: slots of the shortest; UINT_MAX: none fits the budgets.
 * `how`, if not NULL: the way it was made. */
struct vertex_start;
struct delivery;
struct vertex_start *plan_vertex_start(struct values *, const struct program *vs, const struct move_options *);
/* Is a constant register left that it may take? */
bool plan_vertex_has_constant(const struct vertex_start *);
/* Slots of what serves no interpolator. */
unsigned plan_vertex_least(const struct vertex_start *);
struct program *plan_vertex_program(const struct vertex_start *, const struct plan *, unsigned at_most, unsigned *least,
                                    struct move_result *, const struct delivery **how);
/* Replaces the VP of a pair, made as `how` says, if trying more ways finds one that is shorter when tidied. */
void plan_shorten_vertex_program(const struct vertex_start *, const struct layout *, const struct delivery *how,
                                 struct move_result *);

/* What the search found best. */
struct planned {
	struct move_result *result; /* of each pair: both programs, consts, folds, optimal, nodes, gap */
	struct plan *plan;          /* of each FP */
	struct layout layout;
	const struct delivery **how; /* of each VP */
	uint64_t time;              /* under the target: of all FPs, each with its share of the VPs */
	unsigned ps_slots, order, registers, vs_slots;
};
/* One plan for all FPs that are numbered, and all VPs, of which there is one if there are several
 * FPs; `options` are those of each VP.  Ends when no more than `spare` is left of the allowance, which may
 * be NULL.  NULL: no plan fits the budgets, or none was found in time. */
struct planned *plan_search_all(struct values *, const struct program *const *vs, unsigned nvs,
                                const struct move_options *, struct allowance *, uint64_t spare);
struct planned *plan_search(struct values *, const struct program *vs, const struct move_options *);

#endif
