/* What the files of the planner share.  They are listed here in the order in which a search runs through them:
 *
 *   plan.c     which searches are made for a group of FPs, and in what order; entry: plan_search_all()
 *   may_move.c which constant and affine values may move at all
 *   facts.c    what else is known of each FP before it is searched
 *   guess.c    what it may take to have a value in the FP, by which choices are put in order
 *   search.c   decides operand after operand, from the last instruction to the first, then calls
 *   make.c     search_decide_open(): what new instructions read, with line.c for factors that the application sets; then
 *   several.c  search_next(): on to the next FP, back in search.c; after the last one
 *   judge.c    search_leaf(): judges the complete plan, and writes and keeps it if it is the best so far
 *
 * Each of these calls the next one for every choice that may be the best, takes the choice back when that returns, and
 * makes another: the search is all in the calls that have not returned yet, and nothing is returned but that it is done.
 * On the way they ask bound.c, whether it can still pay; supply.c, what a register can bring; and pack.c, whether what is
 * asked of the interpolators fits. */
#ifndef FPMOVE_MOVE_CUT_SEARCH_H
#define FPMOVE_MOVE_CUT_SEARCH_H

#include "move/cut/cut.h"
#include "move/graph/flow.h"

/* ---- facts: what does not change while plans are searched -------------------------------------------------------- */

/* A distinct 2D (or wider) coordinate that texture reads need. */
struct coord {
	value_id x, y;
	int last; /* the last instruction that reads it, which is the first to be decided */
	int def;  /* an instruction that stays if the coordinate is kept, and that no other one has; -1: it cannot be kept */
	bool rides; /* an interpolator can bring it, as far as is known */
};
struct coords {
	VEC(struct coord);
};

/* An operand of movable and pixel lanes, of an instruction that stays whatever is planned: it takes an instruction
 * that is no other's of these, nor a coordinate's, unless it shares. */
struct mixed {
	int instr;
	unsigned operand;
	struct pattern pattern;
	uint64_t arith; /* what that instruction takes at least, as struct work has it */
	bool shares;    /* the instruction may be a coordinate's */
};
struct mixeds {
	VEC(struct mixed);
};

struct requests {
	VEC(struct request);
};

/* What it may take to have a lane in the FP, shared by all operands that read it. */
struct guesses {
	uint64_t (*lane)[LANES]; /* of each instruction's result; NULL if the target does not charge for interpolated scalars */
	uint64_t input[MOST_TEXCOORDS * LANES]; /* of each t# lane */
	uint64_t *operands;      /* of each instruction: the lanes that its operands read, together */
};

/* What is known of one FP. */
struct fp_facts {
	const struct program *ps;
	const struct sites *sites; /* NULL: none */
	uint8_t *choice;         /* of each site: the alternative, or OPEN_SITE while none is chosen */
	lanes *pixel;            /* of each instruction: lanes of its result that stay in any case: what an output depends on and may
	                          * not move.  What an alternative needs of such is among them only while it is chosen */
	struct coords coords;    /* for the bound, as mixeds and scalars are */
	struct mixeds mixeds;
	unsigned scalars;        /* interpolated ones that every plan reads at least; 0 where the target does not count them */
	struct requests guards;  /* what it asks of the interpolators if all of it stays as it is */
	struct work fixed;       /* what the instructions take that stay in any case */
	unsigned colours;        /* lanes of v# that are read in any case */
	uint64_t least;          /* time that no plan can avoid, as far as is known */
	uint64_t most;           /* time of the FP as it is, which a plan for several must not exceed */
	double gain;             /* time saved when it is planned alone, for each interpolator */
	bool *grounded;          /* of each instruction: a read whose coordinate no interpolator brings, as far as is known */
	unsigned least_order;    /* dependent reads have at least this order, whatever is planned */
	struct guesses guesses;
	uint8_t (*reads)[LANES]; /* room to count the orders of each instruction's lanes in */
};

/* A way to make a lane from another: base * factor + offset. */
struct relation {
	value_id base, factor, offset;
};
enum { RELATIONS = 6 };
struct relations {
	uint32_t n;
	struct relation at[RELATIONS]; /* whose offset is a constant */
	struct relation by_app;          /* whose offset an interpolator brings, as it does the base; NO_VALUE: there is none */
};

#define MANY_VALUES (NO_VALUE - 1)
#define OPEN_SITE UINT8_MAX

struct facts {
	const struct program *const *vs; /* several only if there is one FP */
	unsigned nvs;
	const struct move_options *options; /* of each VP */
	const struct vertex_start **vertex; /* of each VP: what is known of it before it gets anything to deliver */
	unsigned least_vertex;     /* slots that the VP of a pair has in any case, beside one for each interpolator; else 0 */
	bool vs_full;              /* a VP has no constant register left */
	bool app_stays;            /* no interpolator brings some of what the application sets, see search_needs_unavailable_const */
	bool slots_only;           /* the target counts FP slots and nothing else */
	struct fp_facts *fps;      /* of each FP, by number */
	unsigned *sequence, count; /* numbers of those that are planned together, as they are decided */
	struct layout start;       /* interpolators that must stay where they are */
	/* Of values below `numbered`, those that there are before any search: */
	uint32_t numbered;
	value_id *app_constant_of;   /* the one constant of the application on which it depends; NO_VALUE: none; MANY_VALUES: several */
	struct relations *relations; /* found when asked for, of these values, of as many that are mostly their opposites; the
	                              * last is room for any other */
	uint32_t *related;   /* ... and when they were found: of which FP, and in which search; 0: not yet */
};

/* ---- state: what a choice changes, and search_undo() restores ---------------------------------------------------- */

struct change { /* of the lanes that an instruction keeps */
	lanes *at;
	lanes old;
};
struct taken { /* a constant register took something */
	int reg;
	value_id old[LANES];
};

struct refused { /* a request that does not go into the interpolators with so many of those that are asked */
	uint32_t behind;
	uint64_t hash;
};

struct state {
	unsigned at;               /* which FP in facts.sequence is at hand */
	struct plan *plans, *plan; /* being built, of each FP by number; that of the FP at hand.  Their layout is not used */
	lanes **demands, *demand;  /* likewise, of each instruction: movable lanes that stay because an operand keeps them */
	struct layout layout;      /* what the interpolators carry, for all FPs */
	struct requests requests;  /* what is asked of the interpolators, in this order: */
	uint32_t guards;           /* number of guards: of FPs to come, those of the next one last, and of the one at hand if `guarded`; what
	                            * decided FPs ask follows */
	uint32_t own_from;         /* ... from here on what the FP at hand asks */
	struct { VEC(struct refused); } refused; /* of one FP: requests that do not fit beside those of now, in the order of `behind` */
	uint32_t undeliverable;    /* the VP cannot deliver the first so many of them together; 0: that is not known */
	struct work work;          /* of the FP at hand: what was chosen to stay, or is new */
	unsigned coords_riding;    /* of the FP at hand: coordinates that an interpolator brings */
	uint64_t others_time;      /* of the FPs that are decided and that are to come, at least */
	struct { VEC(struct change); } trail; /* changes of demand, the latest last */
	struct { VEC(struct taken); } taken;  /* ... of the plan's constants */
};

/* ---- effort: how much is searched -------------------------------------------------------------------------------- */

enum {
	PACK_STEPS = 20000,       /* steps of one packing, at most, */
	FIRST_PACK_STEPS = 400,   /* ... of one while there is no plan: a few that are hard to refute would take all steps that there are */
	SHARED_PACK_STEPS = 1000, /* ... of one for several FPs */
	SHARE_OF_FEWER = 8,       /* PACK_STEPS divided by this, to pack a complete plan in fewer interpolators than it has */
	STEPS_PER_NODE = 25,      /* steps of all packings, for each node of the search that is allowed */
	PRICE = 50,               /* ... of which each thing that the wide search tries takes so many */
	MANY_INSTRS = 64,         /* FPs of more instructions have more plans than can be looked at */
	PATIENCE = 4,             /* nodes for each instruction of such an FP after which a part of the search that found nothing better ends, */
	TARGET_PATIENCE = 100,    /* ... and so many more by another target than slots, where that holds for any FP */
	SHARE_OF_SEQUENCE = 4,    /* the nodes divided by this, to decide the FPs of a group in another sequence */
	LEAVES = 400,            /* complete plans that are judged */
	TARGET_LEAVES = 30,      /* ... for another target than slots, of whose plans the first are hardly dearer than all */
	MOST_FAILED = 8,         /* FPs by whose values no shorter VP is found, before those of the others are not tried */
	FEW_LANES = 12,          /* so many can move: the search may go on for as long each time, */
	FEW_MORE = 3,            /* ... and by this factor longer the last time */
	EQUALS = 8,              /* plans of equal time that are judged for the VP's sake */
	VISITS = 4096,           /* of `visited`, a power of 2, */
	REFUSALS = 1024,         /* ... of `unpacked`, and */
	UNDELIVERED = 64,        /* ... of `undelivered`, so many are remembered */
	/* What is paid from a group's allowance, besides a step of packing for each item that is placed: */
	NODE_STEPS = 8,     /* a node of the search, */
	PIXEL_STEPS = 300,  /* an FP that is written, */
	VERTEX_STEPS = 2000 /* a VP; both in judging a complete plan */
};

struct effort {
	bool wide;         /* new instructions are tried of which several operands read different lanes, and other bases, */
	bool all_arrangements;   /* ... with their lanes in every arrangement */
	bool guarded;      /* the FP at hand has guards, too */
	bool few_lanes;    /* so few lanes can move that it may take longer */
	uint32_t nodes, most_nodes; /* operands that were looked at, and how many may be */
	uint32_t patience; /* nodes that a part of the search looks at without a better plan before it ends; so many for packing likewise */
	uint32_t until;    /* number of the node with which this part ends */
	uint32_t reserve;     /* steps that this part gets when a better plan is found */
	uint32_t leaves, most_leaves; /* complete plans that were judged, and how many may be */
	uint32_t equals_left; /* so many more plans of the best one's time are judged */
	uint32_t steps;    /* left for packing, */
	uint32_t leaf_steps; /* ... and for complete plans, which are packed anew */
	struct allowance *allowance; /* of the group; NULL: there is no end to it */
	uint64_t spare;    /* so much of the allowance is for what comes later */
	bool gave_up;      /* something was left out, so that the best plan may not be the best there is */
};

/* ---- seen: what was found on the way, so that it is not looked at again ------------------------------------------ */

/* Requests that do not go into the interpolators, and the steps that it took to see that. */
struct refusal {
	uint64_t hash; /* of the requests */
	uint32_t steps;
};

struct seen {
	uint64_t *visited;        /* in the wide search: what was chosen when an instruction's turn came, the latest */
	struct refusal *unpacked; /* likewise, requests that the interpolators did not take */
	uint32_t opposites;       /* values below this have their opposites numbered */
	value_id undelivered[UNDELIVERED]; /* values that the VP cannot deliver, */
	unsigned nundelivered;             /* ... so many are known */
};

/* ---- best: what a plan has to be better than --------------------------------------------------------------------- */

struct best {
	struct planned *plan; /* NULL: none was found yet */
	uint64_t limit;       /* time of the pairs as they are, then of the best plan */
};

struct search {
	struct arena *arena;
	struct values *values;
	struct facts facts;
	struct fp_facts *fp; /* of the FP at hand */
	struct state state;
	struct effort effort;
	struct seen seen;
	struct best best;
};

/* ---- may_move.c -------------------------------------------------------------------------------------------------- */

/* Values that neither the VP nor a new instruction can bring are marked as stuck.  And facts.app_constant_of. */
void search_find_stuck(struct search *s); /* for all FPs */
/* Can the VP deliver these values in one interpolator, as far as is known?  `kind`: of which kind that is. */
bool search_delivers_as(const struct search *s, const struct pattern *, uint8_t *kind);
bool search_delivers(const struct search *s, const struct pattern *);
/* Does a constant, or what is affine by it, hang on what the application sets and no VP can have? */
bool search_needs_unavailable_const(const struct search *, const struct value *);
/* Can an interpolator bring these two as the coordinate of a read? */
bool search_coord_rides(const struct search *s, value_id x, value_id y);

/* ---- facts.c ----------------------------------------------------------------------------------------------------- */

/* Does the instruction stay whatever is planned?  By what is chosen so far? */
bool search_stays_anyway(const struct search *s, int i);
bool search_stays(const struct search *s, int i);
/* The t# of which the instruction reads a lane that the VP never writes; -1: there is none.  Such an operand stays as it is, and
 * so does the place of every lane of that register that the same instruction reads. */
int search_opaque_register(const struct search *s, int i);
void search_find_start(struct search *s); /* for all FPs */
/* All that is known of the FP at hand. */
void search_find_facts(struct search *s);
/* Again, where it was learned what the VP cannot deliver: which coordinates ride, and which reads are grounded. */
void search_find_riding(struct search *s);

/* Are its operands read whatever is planned, or as it was chosen? */
bool search_reads_anyway(const struct search *s, int i);

/* ---- guess.c ----------------------------------------------------------------------------------------------------- */

/* Guesses what the lanes of the FP at hand take. */
void search_guess(struct search *s);
/* Returns true if operand k of instruction i, which wants p, is likely cheaper by the instructions that compute it than by an
 * interpolator. */
bool search_keeps_first(const struct search *, int i, unsigned k, const struct pattern *p);

/* Returns a part of what the operands take of instructions that stay, down from instruction i. */
uint64_t search_guess_to_come(const struct search *s, int i);

/* ---- choose.c ---------------------------------------------------------------------------------------------------- */

/* The site that the instruction is an alternative of; NULL: none. */
static inline const struct site *search_site(const struct search *s, int i)
{
	return s->fp->sites && s->fp->sites->of[i] ? &s->fp->sites->at[s->fp->sites->of[i] - 1] : NULL;
}
/* Is it the root of a site? */
static inline bool search_is_root(const struct search *s, int i)
{
	return search_site(s, i) && search_site(s, i)->at[0] == (uint32_t)i;
}
/* ... whose alternative is not chosen yet? */
bool search_is_open(const struct search *s, int i);
/* The instruction that is written for this one: itself, or of a root the alternative that was chosen. */
int search_chosen(const struct search *s, int i);
/* What the instruction takes with the lanes that stay; of an open site what it takes at least. */
struct work search_work_of(const struct search *s, int i);
/* Pixel lanes that every alternative of the root needs stay in any case. */
void search_keep_common_lanes(struct search *s, int root);
/* Decides the root and all before it, in each way that may be the best. */
void search_choose(struct search *s, int root);

/* ---- search.c ---------------------------------------------------------------------------------------------------- */

/* Notes a change of lanes, which search_undo() takes back. */
void search_change(struct search *s, lanes *at, lanes more);
/* Decides what is left from instruction i on, down to the first. */
void search_from(struct search *s, int i);
/* Decides the FP at hand, then those after it, in each way that may be the best. */
void search_program(struct search *s);
/* What a choice changes, to come back to it. */
struct search_mark {
	uint32_t requests, makings, trail, taken;
	struct work work;
	unsigned coords_riding;
	struct layout layout;
};
void search_mark(const struct search *s, struct search_mark *);
void search_undo(struct search *s, const struct search_mark *);
/* A number for a request; with `signs`, and for which opposites are known. */
uint64_t search_hash_of_request(const struct request *, bool signs);
/* A number for what the FP at hand asks of interpolators; with `signs`, and for which opposites are known. */
uint64_t search_hash_of_requests(const struct search *, bool signs);

/* ---- bound.c ----------------------------------------------------------------------------------------------------- */

/* Time that no plan can avoid, where of the FP at hand what follows instruction i is decided. */
uint64_t search_bound(const struct search *, int i);
/* Can a plan with `more` new instructions above what is chosen be better than the best so far?  `equal`: or as
 * good, while such plans are looked at.  Operands down to instruction i are decided. */
bool search_may_improve(const struct search *s, int i, unsigned more, bool equal);
/* Counts a node of the search.  True: nothing better comes of it, or there is no effort left. */
bool search_is_hopeless(struct search *s, int i);
/* Dependent reads have at least this order, where what follows instruction `from` is decided; coordinates of pixel
 * lanes make one, and those in temporaries. */
unsigned search_order_after(const struct search *s, int from);
/* Interpolators that all plans need at least, and scalars in them: independent values among those that what stays
 * reads, those of each kind in registers of their own. */
unsigned search_least_registers(const struct search *s, unsigned *scalars);
/* A part of the search begins, or found a better plan: it gets nodes and steps to find another.  And it ends: what it left is for
 * other parts. */
void search_extend_part(struct search *s);
void search_end_part(struct search *s);
/* Takes steps from the allowance, if there is one; false: it has come to its end. */
bool search_spend(struct search *s, uint64_t steps);
/* What is tried in the wide search is paid for, as packing is; false: nothing is left. */
bool search_charge_try(struct search *s);

/* ---- supply.c ---------------------------------------------------------------------------------------------------- */

/* How operands are read in general in the model that is written. */
static inline uint8_t search_reach(const struct search *s)
{
	return model_links(s->fp->ps->model) ? REACH_FREE : REACH_ANY;
}
bool search_is_empty(const value_id reg[LANES]);
/* The lowest number in a set of registers, which is not empty. */
static inline unsigned first_bit(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}
/* An FP constant register that delivers all these patterns, if need be with new constants in free lanes, which search_undo()
 * frees again; -1: none.  `only`: that register, or -1. */
int search_supply_constant(struct search *s, const struct pattern *p, unsigned n, int only);
/* May operand k of the instruction read a constant register?  `only`: the one that it must be, or -1. */
bool search_const_port(const struct search *s, int i, unsigned k, int *only);
/* One register for operand k, which wants p, and all others of the instruction that read constants;
 * -1: there is none. */
int search_joint_register(struct search *s, int i, unsigned k, const struct pattern *p, bool joins[MAX_SOURCES]);
/* A pattern of one value needs one lane only. */
struct pattern search_without_repetition(const struct pattern *p);
bool search_same_request(const struct request *, const struct request *);
/* Adds to what is to be asked of one register; false: no interpolator can bring it. */
bool search_add_pattern(const struct search *s, const struct pattern *p, struct request *here);
/* Asks for one more pattern, in the same register as those that the instruction asked for already (`here`, to which it is
 * added).  False: no interpolator brings it, or not all that is asked for fits; the request stays asked, so that the caller
 * goes back by search_undo(). */
bool search_request_pattern(struct search *s, const struct pattern *p, struct request *here);
struct work search_making_work(const struct search *s, const struct pattern *p);
struct making *search_new_making(struct search *s, const struct pattern *p, enum make make, int i);
bool search_make_constant(struct search *s, const struct pattern *p, int i);
bool search_make_mov(struct search *s, const struct pattern *p, int i);
/* Does a new instruction beside pixel lanes write, before instruction i, what `def` wrote to the lane? */
bool search_written_beside(const struct search *s, int i, int reg, unsigned lane, int def);

/* ---- make.c ------------------------------------------------------------------------------------------------------ */

/* One instruction base * factor + offset, from the first base of each lane. */
bool search_make_mad(struct search *s, const struct pattern *p, int i);
/* A new instruction from an interpolator, in whatever way; false: there is none, as far as is known. */
bool search_make_open(struct search *s, const struct pattern *p, int i);
/* Could an instruction of this kind, open or of constants, bring the pattern?  Quickly, and not quite. */
bool search_may_make(struct search *s, const struct pattern *p, enum make make);
/* All operands of the FP at hand are decided: decides what is open, then on to the next FP. */
void search_decide_open(struct search *s);

/* ---- line.c ------------------------------------------------------------------------------------------------------ */

/* The value as base * factor + offset, with a constant that the application sets as the factor; NO_VALUE: it is not known
 * to be such, or the VP can deliver it. */
struct relation search_find_app_relation(struct search *s, value_id);

/* ---- several.c --------------------------------------------------------------------------------------------------- */

/* The FP at that place of facts.sequence comes to hand. */
void search_turn(struct search *s, unsigned at);
/* Before what is asked already: what an FP asks that comes later. */
void search_add_guards(struct search *s, const struct requests *);
/* The FP at hand is decided: on to the next, if it pays for what it got. */
void search_next(struct search *s);

/* ---- judge.c ----------------------------------------------------------------------------------------------------- */

/* Every operand is decided: notes the plan if it is the best so far. */
void search_leaf(struct search *s);

#endif
