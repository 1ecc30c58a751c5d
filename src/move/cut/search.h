/* Declares what the files of this room share.  The files are listed in the order in which a search runs through them:
 *
 *   plan.c     chooses which searches are made for a group of FPs, and in which order; entry: plan_search_all()
 *   may_move.c finds which constant and affine values may move at all
 *   facts.c    finds what else is known of each FP before it is searched
 *   guess.c    guesses the time it takes to have a value in the FP, which puts choices in order
 *   search.c   decides operand after operand, from the last instruction to the first, then what open new instructions read (make.c, with
 *              line.c for factors that the application sets), and goes on to the next FP
 *   judge.c    search_leaf(): judges the complete plan, and writes and keeps it if it is the best so far
 *
 * Each step of search.c calls the next one for every choice that may be the best, takes the choice back when that call returns, and
 * makes the next choice.  So the state of the search is on the call stack, and these calls return nothing.  On the way they ask
 * bound.c whether a branch can still be better than the best plan, choose.c for alternatives, supply.c what a register can bring, and
 * pack.c whether all requests fit into the interpolators.  state.c stands below all of them.
 *
 * A movable lane is a constant or affine one, which may move.  An interpolator brings a value, or the value rides in it, if the VP
 * writes the value to a lane of an oT#.  One FP is current at a time (search_turn): `fp`, state.plan and state.demand belong to it. */
#ifndef FPMOVE_MOVE_CUT_SEARCH_H
#define FPMOVE_MOVE_CUT_SEARCH_H

#include "move/cut/cut.h"
#include "move/graph/flow.h"

/* ---- facts: what does not change while plans are searched -------------------------------------------------------- */

/* A distinct 2D (or wider) coordinate that texture reads need. */
struct coord {
	value_id x, y;
	int last;   /* the last instruction that reads it, which is the first to be decided */
	int def;    /* an instruction that stays if the operand is kept as written, and that counts for no other coordinate; -1 if the
	             * operand cannot be kept */
	bool rides; /* an interpolator can bring it, as far as is known */
};
struct coords {
	VEC(struct coord);
};

/* An operand that reads movable and pixel lanes of one register, in an instruction that stays whatever is planned.  Supplying it
 * takes an instruction that counts for no other struct mixed, nor for a coordinate unless `shares` is set. */
struct mixed {
	int instr;
	unsigned operand;
	struct pattern pattern;
	uint64_t arith; /* least arithmetic work of that instruction, in the unit of struct work */
	bool shares;    /* the instruction may also make a coordinate */
};
struct mixeds {
	VEC(struct mixed);
};

struct requests {
	VEC(struct request);
};

/* Guesses of the time it takes to have a lane in the FP, divided among all operands that read it. */
struct guesses {
	uint64_t (*lane)[LANES]; /* of each instruction's result; NULL if the target does not charge for interpolated scalars */
	uint64_t input[MOST_TEXCOORDS * LANES]; /* of each t# lane */
	uint64_t *operands;      /* of each instruction: the sum over the lanes that its operands read */
};

/* Holds what is known of one FP. */
struct fp_facts {
	const struct program *ps;
	const struct sites *sites; /* NULL if there are none */
	uint8_t *choice;         /* of each site: the number of the chosen alternative, or OPEN_SITE while none is chosen */
	lanes *pixel;            /* of each instruction: lanes of its result that stay whatever is planned, since an output depends on them and
	                          * they may not move; lanes that one alternative alone needs are included only while that is chosen */
	struct coords coords;    /* read by bound.c alone, like mixeds and scalars */
	struct mixeds mixeds;
	unsigned scalars;        /* interpolated scalars that every plan reads at least; 0 where the target does not count them */
	struct requests guards;  /* requests that the FP makes of the interpolators if all of it stays as it is */
	struct work fixed;       /* work of the instructions that stay whatever is planned */
	unsigned colours;        /* lanes of v# that are read whatever is planned */
	uint64_t least;          /* time that no plan can avoid, as far as is known */
	uint64_t most;           /* time of the FP as it is, which a plan for several FPs must not exceed */
	double gain;             /* time saved for each interpolator when the FP is planned alone */
	bool *grounded;          /* of each instruction: it is a texture read whose coordinate no interpolator brings, as far as is known */
	unsigned least_order;    /* dependent reads have at least this order, whatever is planned */
	struct guesses guesses;
	uint8_t (*reads)[LANES]; /* scratch memory of search_order_after(): the order of each instruction's lanes */
};

/* A way to compute a lane: base * factor + offset. */
struct relation {
	value_id base, factor, offset;
};
enum { RELATIONS = 6 };
struct relations {
	uint32_t n;
	struct relation at[RELATIONS]; /* whose offset is a constant */
	struct relation by_app;        /* whose factor the application sets, while an interpolator brings base and offset; NO_VALUE if
	                                * there is none */
};

#define MANY_VALUES (NO_VALUE - 1)
#define OPEN_SITE UINT8_MAX

struct facts {
	const struct program *const *vs; /* the VPs, several only if there is one FP */
	unsigned nvs;
	const struct move_options *options; /* of each VP */
	const struct vertex_start **vertex; /* of each VP: what is known of it before it gets values to deliver */
	unsigned least_vertex;     /* of a single pair: slots that the VP takes whatever is planned, besides one for each interpolator; else 0 */
	bool vs_full;              /* a VP has no constant register left */
	bool app_stays;            /* some constant of the application reaches no VP, see search_needs_unavailable_const() */
	bool slots_only;           /* the target counts FP slots and nothing else */
	struct fp_facts *fps;      /* of each FP, by number */
	unsigned *sequence, count; /* numbers of the FPs that are planned together, in the order in which they are decided */
	struct layout start;       /* interpolators that must stay where they are */
	uint32_t numbered;         /* number of values before any search; the fields below are about these */
	value_id *app_constant_of; /* the one constant of the application on which the value depends; NO_VALUE if there is none, MANY_VALUES
	                            * if there are several */
	struct relations *relations; /* cache of search_relations() in make.c, with room for 2 * numbered values, as opposites mostly follow;
	                              * the last entry is scratch for any other value */
	uint32_t *related;           /* key of each cache entry: the FP and the search that it is valid for; 0 if it is empty */
};

/* ---- state: what a choice changes, and search_undo() restores ---------------------------------------------------- */

/* Records a change of the lanes that an instruction keeps. */
struct change {
	lanes *at;
	lanes old;
};
/* Records that a constant register got new values. */
struct taken {
	int reg;
	value_id old[LANES];
};

/* A request that does not fit into the interpolators beside the first `behind` requests. */
struct refused {
	uint32_t behind;
	uint64_t hash;
};

struct state {
	unsigned at;               /* place of the current FP in facts.sequence */
	struct plan *plans, *plan; /* unfinished plans of each FP by number, and that of the current FP; their layout is not used */
	lanes **demands, *demand;  /* likewise, of each instruction: movable lanes that stay because an operand keeps them */
	struct layout layout;      /* what the interpolators carry, for all FPs */
	struct requests requests;  /* all requests to the interpolators: guards, then those of decided FPs, then those of the current FP */
	uint32_t guards;           /* number of guards: of FPs to come, the next FP's last, and of the current FP if `guarded` */
	uint32_t own_from;         /* index of the current FP's first request behind the guards */
	struct { VEC(struct refused); } refused; /* of a single FP: requests that do not fit beside the present ones, by `behind` */
	uint32_t undeliverable;    /* the VP cannot deliver the first so many requests together; 0 if that is not known */
	struct work work;          /* of the current FP: work of the instructions that choices keep or add */
	unsigned coords_riding;    /* of the current FP: coordinates that an interpolator brings */
	uint64_t others_time;      /* lower bound of the time of all other FPs, decided or to come */
	struct { VEC(struct change); } trail; /* changes of kept lanes, the latest last */
	struct { VEC(struct taken); } taken;  /* changes of the plan's constants, the latest last */
};

/* ---- effort: how much is searched -------------------------------------------------------------------------------- */

enum {
	PACK_STEPS = 20000,       /* most steps of one packing */
	FIRST_PACK_STEPS = 400,   /* the same while there is no plan: a few packings that are hard to refute would take all steps */
	SHARED_PACK_STEPS = 1000, /* the same for several FPs */
	SHARE_OF_FEWER = 8,       /* PACK_STEPS is divided by this to pack a complete plan in fewer interpolators than it has */
	STEPS_PER_NODE = 25,      /* steps of all packings together, for each node that the search may visit */
	PRICE = 50,               /* steps that each trial of the wide search is charged */
	MANY_INSTRS = 64,         /* FPs of more instructions have more plans than can be looked at */
	PATIENCE = 4,             /* of those FPs: nodes for each instruction after which a part of the search ends without a better plan */
	TARGET_PATIENCE = 100,    /* nodes more than that by another target than slots, where this limit holds for FPs of any length */
	SHARE_OF_SEQUENCE = 4,    /* the nodes are divided by this to decide the FPs of a group in another sequence */
	LEAVES = 400,            /* most complete plans that are judged */
	TARGET_LEAVES = 30,      /* the same for another target than slots, whose first plans are nearly the cheapest */
	MOST_FAILED = 8,         /* FPs whose values gave no shorter VP, after which the other FPs' values are not tried */
	FEW_LANES = 12,          /* with at most so many movable lanes each breadth of the wide search (plan.c) has the steps for itself */
	FEW_MORE = 3,            /* factor of the steps of the last breadth then */
	EQUALS = 8,              /* plans of equal time that are judged, as they may have a shorter VP */
	VISITS = 4096,           /* entries of seen.visited, a power of 2 */
	REFUSALS = 1024,         /* entries of seen.unpacked */
	UNDELIVERED = 64,        /* entries of seen.undelivered */
	/* Steps charged to a group's allowance, besides a step of packing for each item that is placed: */
	NODE_STEPS = 8,     /* for a node of the search */
	PIXEL_STEPS = 300,  /* for an FP that is written to judge a complete plan */
	VERTEX_STEPS = 2000 /* for a VP that is written to judge a complete plan */
};

struct effort {
	bool wide;         /* also tries new instructions that serve operands reading different lanes, and other bases than the first */
	bool all_arrangements; /* in the wide search: also tries their lanes in every arrangement */
	bool guarded;      /* the current FP has guards, too */
	bool few_lanes;    /* at most FEW_LANES lanes can move, so that the search may take longer */
	uint32_t nodes, most_nodes; /* operands that were looked at, and the most that may be */
	uint32_t patience; /* nodes after which a part of the search ends without a better plan; also bounds its steps of packing */
	uint32_t until;    /* number of the node with which this part ends */
	uint32_t reserve;  /* steps that this part gets when it finds a better plan */
	uint32_t leaves, most_leaves; /* complete plans that were judged, and the most that may be */
	uint32_t equals_left; /* so many more plans of the best one's time are judged */
	uint32_t steps;    /* steps left for packing */
	uint32_t leaf_steps; /* steps left for packing complete plans anew */
	struct allowance *allowance; /* of the group; NULL if it is unlimited */
	uint64_t spare;    /* steps of the allowance that later plans need */
	bool gave_up;      /* a limit left out some plans, so that a better one may exist */
};

/* ---- seen: caches of what the search found out ------------------------------------------------------------------- */

/* Requests that do not fit into the interpolators, and the steps it took to find that out. */
struct refusal {
	uint64_t hash; /* of the requests */
	uint32_t steps;
};

struct seen {
	uint64_t *visited;        /* in the wide search: hashes of the choices made when an instruction's turn came */
	struct refusal *unpacked; /* in the wide search: requests that did not fit into the interpolators */
	uint32_t opposites;       /* values below this have their opposites numbered */
	value_id undelivered[UNDELIVERED]; /* values that the VP cannot deliver */
	unsigned nundelivered;
};

/* ---- best: what a plan has to be better than --------------------------------------------------------------------- */

struct best {
	struct planned *plan; /* NULL if none was found yet */
	uint64_t limit;       /* time of the pairs as they are, then of the best plan */
};

struct search {
	struct arena *arena;
	struct values *values;
	struct facts facts;
	struct fp_facts *fp; /* of the current FP */
	struct state state;
	struct effort effort;
	struct seen seen;
	struct best best;
};

/* ---- state.c ----------------------------------------------------------------------------------------------------- */

/* Adds lanes to those at `at`; search_undo() takes them back. */
void search_change(struct search *s, lanes *at, lanes more);
/* Holds what a choice changes, so that search_undo() can restore it. */
struct search_mark {
	uint32_t requests, makings, trail, taken;
	struct work work;
	unsigned coords_riding;
	struct layout layout;
};
void search_mark(const struct search *s, struct search_mark *);
void search_undo(struct search *s, const struct search_mark *);
/* Returns a hash of the request; with `signs` it differs also by which values have their opposites numbered. */
uint64_t search_hash_of_request(const struct request *, bool signs);
/* Returns a hash of all requests of the current FP; `signs` as above. */
uint64_t search_hash_of_requests(const struct search *, bool signs);
/* Makes the FP at that place of facts.sequence the current one. */
void search_turn(struct search *s, unsigned at);
/* Adds the guards of an FP behind the other guards, before all other requests. */
void search_add_guards(struct search *s, const struct requests *);
/* Returns true if the instruction stays whatever is planned. */
bool search_stays_anyway(const struct search *s, int i);
/* Returns true if the instruction stays by the choices so far. */
bool search_stays(const struct search *s, int i);
/* Returns the t# of which the instruction reads a lane that the VP never writes, or -1 if there is none.  An operand that reads it stays
 * as it is, and every lane of that t# which the instruction reads keeps its place. */
int search_opaque_register(const struct search *s, int i);
/* Returns true if the instruction stays whatever is planned and is not replaced by an alternative, so that its operands are read. */
bool search_reads_anyway(const struct search *s, int i);
/* Returns the site that the instruction is an alternative of, or NULL if there is none. */
static inline const struct site *search_site(const struct search *s, int i)
{
	return s->fp->sites && s->fp->sites->of[i] ? &s->fp->sites->at[s->fp->sites->of[i] - 1] : NULL;
}
/* Returns true if the instruction is the root of a site. */
static inline bool search_is_root(const struct search *s, int i)
{
	return search_site(s, i) && search_site(s, i)->at[0] == (uint32_t)i;
}
/* Returns true if the instruction is the root of a site whose alternative is not chosen yet. */
bool search_is_open(const struct search *s, int i);
/* Returns the instruction that is written for this one: the chosen alternative of a root, else the instruction itself. */
int search_chosen(const struct search *s, int i);
/* Returns the work of the instruction with the lanes that stay; of an open site the least work of its alternatives. */
struct work search_work_of(const struct search *s, int i);
/* Returns true if a new instruction beside pixel lanes writes the lane of r#`reg`, which `def` wrote, again before instruction i. */
bool search_written_beside(const struct search *s, int i, int reg, unsigned lane, int def);
/* Returns true if no lane of the register has a value. */
bool search_is_empty(const value_id reg[LANES]);
bool search_same_request(const struct request *, const struct request *);
static inline uint64_t search_mix(uint64_t h, uint64_t with)
{
	h = (h ^ with) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

static inline uint64_t search_hash_of_lanes(uint64_t h, lanes positions, const value_id *value)
{
	h = search_mix(h, positions);
	EACH_LANE(l, positions)
		h = search_mix(h, value[l]);
	return h;
}

/* ---- may_move.c -------------------------------------------------------------------------------------------------- */

/* Marks values of all FPs as stuck that neither the VP nor a new instruction can bring, and fills facts.app_constant_of. */
void search_find_stuck(struct search *s);
/* Returns true if the VP can deliver these values in one interpolator, as far as is known, and sets `kind` to their kind of
 * interpolation. */
bool search_delivers_as(const struct search *s, const struct pattern *, uint8_t *kind);
bool search_delivers(const struct search *s, const struct pattern *);
/* Returns true if the value needs a constant that the application sets and that no VP can have. */
bool search_needs_unavailable_const(const struct search *, const struct value *);
/* Returns true if an interpolator can bring these two values as the coordinate of a texture read. */
bool search_coord_rides(const struct search *s, value_id x, value_id y);

/* ---- facts.c ----------------------------------------------------------------------------------------------------- */

/* Finds the interpolators that must stay where they are, for all FPs. */
void search_find_start(struct search *s);
/* Fills the facts of the current FP. */
void search_find_facts(struct search *s);
/* Finds again which coordinates ride and which reads are grounded, after judge.c learned that the VP cannot deliver some values. */
void search_find_riding(struct search *s);

/* ---- guess.c ----------------------------------------------------------------------------------------------------- */

/* Guesses the time that the lanes of the current FP take. */
void search_guess(struct search *s);
/* Returns true if operand k of instruction i, which wants p, is likely cheaper by the instructions that compute it than by an
 * interpolator. */
bool search_keeps_first(const struct search *, int i, unsigned k, const struct pattern *p);

/* Returns a part of the time that the operands of staying instructions up to instruction i are guessed to take. */
uint64_t search_guess_to_come(const struct search *s, int i);

/* ---- choose.c ---------------------------------------------------------------------------------------------------- */

/* Adds the pixel lanes that every alternative of the root needs to those that stay whatever is planned. */
void search_keep_common_lanes(struct search *s, int root);
/* Chooses alternative a of the root; 0 is the root itself. */
void search_choose_alternative(struct search *s, int root, unsigned a);

/* ---- bound.c ----------------------------------------------------------------------------------------------------- */

/* Returns a time that no plan can avoid, where the instructions of the current FP after i are decided. */
uint64_t search_bound(const struct search *, int i);
/* Returns true if a plan with `more` new instructions besides the chosen ones can be better than the best so far or, with `equal`, as good
 * while such plans are still looked at.  The operands of instruction i and all after it are decided. */
bool search_may_improve(const struct search *s, int i, unsigned more, bool equal);
/* Counts a node of the search.  Returns true if no better plan can follow, or no effort is left. */
bool search_is_hopeless(struct search *s, int i);
/* Returns a lower bound of the order of dependent reads, where the instructions after `from` are decided.  A coordinate made of pixel
 * lanes, or read from a temporary, makes its read a dependent one. */
unsigned search_order_after(const struct search *s, int from);
/* Returns the number of interpolators that every plan needs at least, and sets `scalars` to that of the scalars in them: it counts the
 * linearly independent values among those that staying instructions read, each kind of interpolation in registers of its own. */
unsigned search_least_registers(const struct search *s, unsigned *scalars);
/* Gives a part of the search nodes and steps to find a better plan: when it begins, and whenever it found one. */
void search_extend_part(struct search *s);
/* Ends a part of the search: other parts get its reserve. */
void search_end_part(struct search *s);
/* Takes steps from the allowance, if there is one.  Returns false if it is used up. */
bool search_spend(struct search *s, uint64_t steps);
/* Charges a trial of the wide search to the steps of packing.  Returns false if none are left. */
bool search_charge_try(struct search *s);

/* ---- supply.c ---------------------------------------------------------------------------------------------------- */

/* Returns the reach of an ordinary operand in the model that is written. */
static inline uint8_t search_reach(const struct search *s)
{
	return model_links(s->fp->ps->model) ? REACH_FREE : REACH_ANY;
}
/* Returns the lowest number in a set of registers, which is not empty. */
static inline unsigned first_bit(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}
/* Returns an FP constant register that delivers all these patterns, or -1 if there is none.  It may get new constants in free lanes, which
 * search_undo() frees again.  `only`: the register that it must be, or -1. */
int search_supply_constant(struct search *s, const struct pattern *p, unsigned n, int only);
/* Returns true if operand k of the instruction may read a constant register, and sets `only` to the one that it must be, or -1. */
bool search_const_port(const struct search *s, int i, unsigned k, int *only);
/* Returns a register for operand k, which wants p, and for all other operands of the instruction that read constants, or -1 if there is
 * none.  Sets `joins` for each of these operands. */
int search_joint_register(struct search *s, int i, unsigned k, const struct pattern *p, bool joins[MAX_SOURCES]);
/* Returns the pattern with one position if all its positions want the same value, which one lane then serves. */
struct pattern search_without_repetition(const struct pattern *p);
/* Adds a pattern to a request of one register.  Returns false if no interpolator can bring it. */
bool search_add_pattern(const struct search *s, const struct pattern *p, struct request *here);
/* Adds a pattern to `here`, what the instruction requested so far of its one register, and packs it.  Returns false if no interpolator
 * brings it, or not all requests fit; the request is then still listed, and the caller must call search_undo(). */
bool search_request_pattern(struct search *s, const struct pattern *p, struct request *here);
/* Returns the work of a new instruction that writes the lanes of p. */
struct work search_making_work(const struct search *s, const struct pattern *p);
struct making *search_new_making(struct search *s, const struct pattern *p, enum make make, int i);
/* Adds a new instruction that copies p from a constant register.  Returns false if none can bring it. */
bool search_make_constant(struct search *s, const struct pattern *p, int i);
/* Adds a new instruction that copies p from an interpolator.  Returns false, as search_request_pattern() does, if none can bring it. */
bool search_make_mov(struct search *s, const struct pattern *p, int i);
/* ---- make.c ------------------------------------------------------------------------------------------------------ */

/* Adds a new instruction base * factor + offset that makes p, from the first base of each lane. */
bool search_make_mad(struct search *s, const struct pattern *p, int i);
/* Returns false if no new instruction of this kind, open or of constants, can bring the pattern.  This test is quick, and passes some that
 * none can bring. */
bool search_may_make(struct search *s, const struct pattern *p, enum make make);
/* The sources of a new instruction, as far as its lanes are decided. */
struct mad {
	struct pattern base, factor, offset;
	bool factors, offsets; /* some factor is not 1, some offset is not 0 */
	bool offset_rides;     /* an interpolator brings the offset */
};
struct mad search_empty_mad(const struct search *);
void search_add_to_mad(struct search *, struct mad *, unsigned lane, const struct relation *);
/* Requests the sources of one constant register and one interpolator.  Returns false if these cannot bring them. */
bool search_request_mad(struct search *, const struct mad *);
void search_write_mad(const struct search *, struct making *, const struct mad *);
/* Returns the relations of a value from a cache, whose entries are valid for one FP, in either the simple or the wide search.  With
 * --preshader they depend on the plan's constants, too, so they are found anew. */
const struct relations *search_relations(struct search *, value_id);

/* ---- line.c ------------------------------------------------------------------------------------------------------ */

/* Returns the value as base * factor + offset, with a constant that the application sets as the factor, and base and offset that an
 * interpolator can bring.  Its fields are NO_VALUE if no such form is known, or the VP can deliver the value itself. */
struct relation search_find_app_relation(struct search *s, value_id);

/* ---- search.c ---------------------------------------------------------------------------------------------------- */

/* Decides the current FP, then those after it, in each way that may be the best. */
void search_program(struct search *s);

/* ---- judge.c ----------------------------------------------------------------------------------------------------- */

/* Judges the plan when every operand is decided, and keeps it if it is the best so far. */
void search_leaf(struct search *s);

#endif
