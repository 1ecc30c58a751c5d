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

/* The first two values of a coordinate that texture reads need.  Reads at the same two values share one struct coord. */
struct coord {
	value_id x, y;
	int last;   /* index of the last instruction that reads a texture at this coordinate */
	int def;    /* index of an instruction that computes x or y and is the `def` of no other struct coord; it stays if the texture read keeps
	             * its operand as written; -1 if there is none, as the operand is a t# */
	bool rides; /* as far as is known, an interpolator can bring both values */
};
struct coords {
	VEC(struct coord);
};

/* An operand that reads movable and pixel lanes of one register, in an instruction that stays whatever is planned.  Its movable lanes cost
 * an instruction: the one that computes them, or a new one.  No instruction can bring the lanes of two structs mixed, so that bound.c
 * adds up the work for all of them. */
struct mixed {
	int instr;
	unsigned operand;
	struct pattern pattern;
	uint64_t arith; /* least arithmetic work of an instruction that brings the movable lanes, in the unit of struct work */
	bool shares;    /* the instruction that brings the movable lanes may also make a coordinate (struct coord) */
};
struct mixeds {
	VEC(struct mixed);
};

struct requests {
	VEC(struct request);
};

/* Guessed times to have values in the FP, each by an interpolator or by the instructions that compute it, whichever takes less.  The time of
 * a value is divided by the number of operands that read it. */
struct guesses {
	uint64_t (*lane)[LANES]; /* [instruction][lane]: time of its result; NULL if the target does not charge for interpolated scalars */
	uint64_t input[MOST_TEXCOORDS * LANES]; /* [4 * t# + lane]: time of an interpolated scalar */
	uint64_t *operands;      /* [instruction]: the sum of the times of all lanes that its operands read */
};

/* Holds the facts about one FP. */
struct fp_facts {
	const struct program *ps;
	const struct sites *sites; /* the instructions that may be written in several ways (struct site of values.h); NULL if there are none */
	uint8_t *choice;         /* [site]: the number of the chosen alternative, or OPEN_SITE while none is chosen */
	lanes *pixel;            /* [instruction]: lanes of its result that stay whatever is planned, since an output depends on them and
	                          * they may not move; lanes that one alternative alone needs are included only while that is chosen */
	struct coords coords;    /* coordinates of texture reads that stay whatever is planned, for the bound of the time (bound.c) */
	struct mixeds mixeds;
	unsigned scalars;        /* least number of interpolated scalars that the FP reads in any plan; 0 if the target does not charge for them */
	struct requests guards;  /* the requests that the FP makes of the interpolators if all of it stays as it is */
	struct work fixed;       /* work of the instructions that stay whatever is planned */
	unsigned colours;        /* number of lanes of v0 and v1 that are read whatever is planned */
	uint64_t least;          /* a lower bound of the FP's time in any plan */
	uint64_t most;           /* time of the FP as given, which a plan for several FPs must not exceed */
	double gain;             /* time that the best plan for this FP alone saves, divided by its number of interpolators */
	bool *grounded;          /* [instruction]: it reads a texture at an r# whose movable lanes, as far as is known, no interpolator can bring */
	unsigned least_order;    /* in every plan some chain of dependent texture reads is at least this long */
	struct guesses guesses;
	uint8_t (*reads)[LANES]; /* scratch of search_order_after(): [instruction][lane]: length of the longest chain of dependent texture reads behind it */
};

/* A way to compute a value by one new FP instruction: base * factor + offset. */
struct relation {
	value_id base, factor, offset;
};
enum { RELATIONS = 6 };
struct relations {
	uint32_t n;
	struct relation at[RELATIONS]; /* ways in which factor and offset are constants, and an interpolator brings the base */
	struct relation by_app;        /* the way in which the factor is a constant of the application, and an interpolator brings base and
	                                * offset; all fields are NO_VALUE if there is none */
};

#define MANY_VALUES (NO_VALUE - 1)
#define OPEN_SITE UINT8_MAX

struct facts {
	const struct program *const *vs; /* the VPs, several only if there is one FP */
	unsigned nvs;
	const struct move_options *options; /* one for each VP */
	const struct vertex_start **vertex; /* [VP]: the given VP, prepared for the writing of new VPs (cover/delivery.h) */
	unsigned least_vertex;     /* slots that the VP of a single pair takes in any plan, besides one for each interpolator; 0 for a group */
	bool vs_full;              /* one of the VPs has no free constant register */
	bool app_stays;            /* a value needs a constant of the application that no VP can have (search_needs_unavailable_const()) */
	bool slots_only;           /* the target counts FP slots and nothing else */
	struct fp_facts *fps;      /* one for each FP, by number */
	unsigned *sequence, count; /* numbers of the FPs that are planned together, in the order in which they are decided, and their count */
	struct layout start;       /* the interpolators that must stay as they are; all others are empty */
	uint32_t numbered;         /* number of values (struct values) before any search; the arrays below are about these */
	value_id *app_constant_of; /* [value]: the one constant of the application that it needs and no VP can have; NO_VALUE if there is none,
	                            * MANY_VALUES if there are several, or it needs one in another way than as a factor */
	struct relations *relations; /* cache of search_relations() in make.c, with room for 2 * numbered values, as opposites mostly follow;
	                              * the last entry is scratch for any other value */
	uint32_t *related;           /* key of each entry of `relations`: the FP and the kind of search that it is valid for; 0 if it is empty */
};

/* ---- state: what a choice changes, and search_undo() restores ---------------------------------------------------- */

/* Records a change of the lanes that an instruction keeps, so that search_undo() can take it back. */
struct change {
	lanes *at;
	lanes old;
};
/* Records that a constant register of the plan got new values, and its values before. */
struct taken {
	int reg;
	value_id old[LANES];
};

/* Records a request that does not fit into the interpolators beside the first `behind` entries of state.requests. */
struct refused {
	uint32_t behind;
	uint64_t hash;
};

struct state {
	unsigned at;               /* place of the current FP in facts.sequence */
	struct plan *plans, *plan; /* the unfinished plan of each FP by number, and the current FP's plan; their `layout` is not used */
	lanes **demands, *demand;  /* [FP][instruction]: movable lanes that stay because an operand reads them as before; and the current FP's */
	struct layout layout;      /* values that the interpolators carry, for all FPs */
	struct requests requests;  /* all requests to the interpolators: guards, then those of decided FPs, then those of the current FP */
	uint32_t guards;           /* number of guards, which keep room for FPs that are not decided yet, as given; those of the next FP are last */
	uint32_t own_from;         /* index in `requests` of the first request of the current FP that is no guard */
	struct { VEC(struct refused); } refused; /* requests that do not fit beside the present ones, in the order of `behind`; only of a single FP */
	uint32_t undeliverable;    /* if not 0, the VP cannot deliver the first `undeliverable` requests together */
	struct work work;          /* work of the current FP's instructions that the choices so far keep or add */
	unsigned coords_riding;    /* number of the current FP's coordinates (struct coord) that interpolators bring by the choices so far */
	uint64_t others_time;      /* lower bound of the time of all other FPs, decided or to come */
	struct { VEC(struct change); } trail; /* changes of kept lanes, the latest last */
	struct { VEC(struct taken); } taken;  /* changes of the plan's constants, the latest last */
};

/* ---- effort: how much is searched -------------------------------------------------------------------------------- */

enum {
	PACK_STEPS = 20000,       /* most steps of one packing of interpolators (layout_pack()) */
	FIRST_PACK_STEPS = 400,   /* most steps of one packing before a plan is found, lest a few packings that are hard to refute take all steps */
	SHARED_PACK_STEPS = 1000, /* most steps of one packing for several FPs */
	SHARE_OF_FEWER = 8,       /* PACK_STEPS is divided by this to pack a complete plan in fewer interpolators than it has */
	STEPS_PER_NODE = 25,      /* steps that the packings of a search may take together, for each node that it may visit */
	PRICE = 50,               /* packing steps that the wide search is charged for each new instruction that it tries */
	MANY_INSTRS = 64,         /* FPs of more instructions have more plans than can be looked at, so that PATIENCE limits their search */
	PATIENCE = 4,             /* nodes for each FP instruction after which the simple search, or a breadth of the wide one, ends if none of
	                           * them brought a better plan */
	TARGET_PATIENCE = 100,    /* nodes added to those of PATIENCE for another target than slots, where both limit FPs of any length */
	SHARE_OF_SEQUENCE = 4,    /* a search that decides the FPs of a group in another sequence gets the nodes divided by this */
	LEAVES = 400,            /* most complete plans that one search judges (judge.c) */
	TARGET_LEAVES = 30,      /* most complete plans that a search for another target than slots judges; its first plans are nearly the cheapest */
	MOST_FAILED = 8,         /* number of FPs of a group whose values gave no shorter VP, after which no other FP's values are tried */
	FEW_LANES = 12,          /* with at most so many movable lanes each breadth of the wide search (plan.c) has the steps for itself */
	FEW_MORE = 3,            /* with few movable lanes, the last breadth of the wide search gets so many times the steps */
	EQUALS = 8,              /* plans of the best plan's time that are judged after it, as they may have a shorter VP */
	VISITS = 4096,           /* entries of seen.visited, a power of 2 */
	REFUSALS = 1024,         /* entries of seen.unpacked */
	UNDELIVERED = 64,        /* entries of seen.undelivered */
	/* Steps charged to a group's allowance, besides a step of packing for each item that is placed: */
	NODE_STEPS = 8,     /* steps for each node of the search */
	PIXEL_STEPS = 300,  /* steps for each FP that is written to judge a complete plan */
	VERTEX_STEPS = 2000 /* steps for each VP that is written to judge a complete plan */
};

struct effort {
	bool wide;         /* this is the wide search: new instructions may serve operands that read different lanes, and have any base */
	bool all_arrangements; /* the wide search tries the lanes of a new instruction in every arrangement, not only in the first */
	bool guarded;      /* the guards of the current FP are also kept, so that its own requests as given fit */
	bool few_lanes;    /* at most FEW_LANES lanes can move, so that the search may take longer */
	uint32_t nodes, most_nodes; /* nodes of the search tree that were visited, and their limit */
	uint32_t patience; /* nodes without a better plan after which a part of the search ends; also bounds its steps of packing */
	uint32_t until;    /* number of the node with which the current part of the search ends */
	uint32_t reserve;  /* steps of packing that the current part of the search gets only when it finds a better plan */
	uint32_t leaves, most_leaves; /* complete plans that were judged, and their limit */
	uint32_t equals_left; /* number of plans with the best one's time that are still judged */
	uint32_t steps;    /* steps left for packing the requests of unfinished plans */
	uint32_t leaf_steps; /* steps left for packing complete plans anew */
	struct allowance *allowance; /* limits the steps of the group's searches together; NULL if they are not limited */
	uint64_t spare;    /* steps of the allowance that this search must leave for later ones */
	bool gave_up;      /* a limit left out some plans, so that a better one may exist */
};

/* ---- seen: caches of what the search found out ------------------------------------------------------------------- */

/* The requests of an FP that do not fit into the interpolators, and the steps it took to find that out. */
struct refusal {
	uint64_t hash; /* hash of all these requests */
	uint32_t steps;
};

struct seen {
	uint64_t *visited;        /* hashes of all choices so far, at each instruction that the wide search reached, so that it repeats none */
	struct refusal *unpacked; /* hash table of requests that did not fit into the interpolators in the wide search */
	uint32_t opposites;       /* values of lower numbers than this have had their opposites numbered */
	value_id undelivered[UNDELIVERED]; /* values that the VP cannot deliver */
	unsigned nundelivered;
};

/* ---- best: what a plan has to be better than --------------------------------------------------------------------- */

struct best {
	struct planned *plan; /* the best plan so far; NULL if none was found yet */
	uint64_t limit;       /* most time that a plan may take: first the less of the given pairs' time and scope->most, then the best plan's time */
};

struct search {
	struct arena *arena;
	struct values *values;
	struct facts facts;
	struct fp_facts *fp; /* facts about the current FP */
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
/* Returns a hash of the request.  With `signs` it also depends on which of its values have a numbered opposite. */
uint64_t search_hash_of_request(const struct request *, bool signs);
/* Returns a hash of all requests of the current FP, whatever their order.  With `signs` it also depends on which values have a numbered
 * opposite. */
uint64_t search_hash_of_requests(const struct search *, bool signs);
/* Makes the FP at that place of facts.sequence the current one. */
void search_turn(struct search *s, unsigned at);
/* Adds an FP's guards (requests that keep room for the FP as it is) behind the other guards, before all other requests. */
void search_add_guards(struct search *s, const struct requests *);
/* Returns true if the instruction stays whatever is planned. */
bool search_stays_anyway(const struct search *s, int i);
/* Returns true if the instruction stays because of the choices so far, or whatever is planned. */
bool search_stays(const struct search *s, int i);
/* Returns the t# of which the instruction reads a lane that the VP never writes, or -1 if there is none.  An operand that reads it stays
 * as it is, and every lane of that t# which the instruction reads keeps its place. */
int search_opaque_register(const struct search *s, int i);
/* Returns true if the instruction stays whatever is planned and is written as it is: no alternative was or can be chosen in its place. */
bool search_reads_anyway(const struct search *s, int i);
/* Returns the site to which the instruction belongs: a given instruction (its root) and other ways to write it.  Returns NULL if it belongs
 * to none. */
static inline const struct site *search_site(const struct search *s, int i)
{
	return s->fp->sites && s->fp->sites->of[i] ? &s->fp->sites->at[s->fp->sites->of[i] - 1] : NULL;
}
/* Returns true if the instruction is the root of a site: a given instruction that may be written in other ways. */
static inline bool search_is_root(const struct search *s, int i)
{
	return search_site(s, i) && search_site(s, i)->at[0] == (uint32_t)i;
}
/* Returns true if the instruction may be written in several ways (it is the root of a site), and none of them is chosen yet. */
bool search_is_open(const struct search *s, int i);
/* Returns the index of the instruction that is written for this one: the chosen alternative of a root, else i itself. */
int search_chosen(const struct search *s, int i);
/* Returns the work of instruction i with the lanes that stay: 0 if an alternative was chosen in its place.  If none is chosen yet, each kind of work
 * (arithmetic, texture reads and so on) is the least that any way to write it takes. */
struct work search_work_of(const struct search *s, int i);
/* Returns true if a new instruction writes this lane of r`reg` again, between instruction `def`, which wrote it, and instruction i, which
 * reads it beside pixel lanes. */
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

/* Marks as stuck the values of all FPs that neither an interpolator nor a new instruction can bring, so that their instructions stay.  Also
 * fills facts.app_constant_of. */
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

/* Fills facts.start with the interpolators that must stay as they are, for all FPs. */
void search_find_start(struct search *s);
/* Fills struct fp_facts of the current FP. */
void search_find_facts(struct search *s);
/* Finds anew which coordinates of texture reads an interpolator can bring, after judge.c learned that the VP cannot deliver some values. */
void search_find_riding(struct search *s);

/* ---- guess.c ----------------------------------------------------------------------------------------------------- */

/* Fills fp->guesses: how long it takes to have each value in the current FP. */
void search_guess(struct search *s);
/* Returns true if it is likely cheaper that the FP computes the values p of operand k of instruction i than that an interpolator brings
 * them. */
bool search_keeps_first(const struct search *, int i, unsigned k, const struct pattern *p);

/* Returns 3/4 of the guessed time for all values that staying instructions up to i read; the search has not decided these yet. */
uint64_t search_guess_to_come(const struct search *s, int i);

/* ---- choose.c ---------------------------------------------------------------------------------------------------- */

/* Adds to fp->pixel the lanes that all ways to write the root (itself and its alternatives) need. */
void search_keep_common_lanes(struct search *s, int root);
/* Chooses alternative a of the root; 0 is the root itself.  search_undo() takes back all but fp->choice, which the caller must reset. */
void search_choose_alternative(struct search *s, int root, unsigned a);

/* ---- bound.c ----------------------------------------------------------------------------------------------------- */

/* Returns a lower bound of the time of all plans that have the choices so far.  The instructions of the current FP after i are decided. */
uint64_t search_bound(const struct search *, int i);
/* Returns true if a plan with the choices so far and `more` further new instructions can be better than the best plan or, with `equal`, only
 * as good as that, while such plans are still judged.  The operands of instruction i and all after it are decided. */
bool search_may_improve(const struct search *s, int i, unsigned more, bool equal);
/* Counts a node of the search.  Returns true if the branch ends here: no plan with the choices so far can be better than the best one (or as
 * good, while equal plans are judged), the VP cannot deliver the requests, or a limit of effort is reached, which sets gave_up. */
bool search_is_hopeless(struct search *s, int i);
/* Returns a lower bound of the length of the longest chain of dependent texture reads, where the instructions after `from` are decided.  A
 * read is a dependent one if its coordinate has pixel lanes, or comes from a temporary. */
unsigned search_order_after(const struct search *s, int from);
/* Returns a lower bound of the number of interpolators of any plan, and sets `scalars` to a lower bound of the number of their scalars.  Counts
 * the linearly independent values among those that staying instructions read, each kind of interpolation in registers of its own. */
unsigned search_least_registers(const struct search *s, unsigned *scalars);
/* Allows the simple search, or a breadth of the wide one, more nodes and steps of packing: when it begins, and when it found a better plan. */
void search_extend_part(struct search *s);
/* Ends the simple search, or a breadth of the wide one: the steps of packing that were held back from it are left for the next. */
void search_end_part(struct search *s);
/* Takes steps from the group's allowance, if there is one.  Returns false if no more is left than later searches
 * need, or the allowance's `tell` asked to stop. */
bool search_spend(struct search *s, uint64_t steps);
/* In the wide search, takes PRICE of the steps left for packing.  Returns false, and notes that the search gave up, if none are left (in the
 * simple search, too). */
bool search_charge_try(struct search *s);

/* ---- supply.c ---------------------------------------------------------------------------------------------------- */

/* Returns the swizzles and signs (enum reach) that an ordinary operand may have in the model in which the FP is written. */
static inline uint8_t search_reach(const struct search *s)
{
	return model_links(s->fp->ps->model) ? REACH_FREE : REACH_ANY;
}
/* Returns the lowest number in a set of registers, which is not empty. */
static inline unsigned first_bit(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}
/* Returns an FP constant register, as an index into plan.consts, that delivers all `n` patterns, or -1 if there is none.  It may get new
 * constants in free lanes, which search_undo() frees again.  If `only` is not -1, no other register will do. */
int search_supply_constant(struct search *s, const struct pattern *p, unsigned n, int only);
/* Returns true if operand k of the instruction may read a constant register.  Sets `only` to the one register that the instruction can read
 * (an index into plan.consts, or PS_CONSTS if the plan lacks it), since other operands read it, or to -1 if they read none. */
bool search_const_port(const struct search *s, int i, unsigned k, int *only);
/* Finds one constant register that delivers the values p of operand k, and those of all other operands of the instruction that read
 * constants.  Returns its index in plan.consts, or -1 if there is none.  joins[o] is set for each of these operands. */
int search_joint_register(struct search *s, int i, unsigned k, const struct pattern *p, bool joins[MAX_SOURCES]);
/* Returns the pattern, reduced to its first position if all positions want the same value, so that one lane serves them all; unchanged
 * if the operand can be read only without a swizzle (REACH_PLAIN). */
struct pattern search_without_repetition(const struct pattern *p);
/* Adds a pattern to `here`, the values that one interpolator must bring together.  Returns false, and leaves `here` as it is, if no interpolator
 * can bring it together with them. */
bool search_add_pattern(const struct search *s, const struct pattern *p, struct request *here);
/* Adds a pattern to `here`, the values that one instruction reads from an interpolator.  Unless the same request is listed already, adds `here`
 * to state.requests and finds a layout for all of them.  Returns false if no interpolator can bring the pattern, or the requests do not fit
 * or were not made to fit within the steps; the caller must then call search_undo(). */
bool search_request_pattern(struct search *s, const struct pattern *p, struct request *here);
/* Returns the work of a new instruction that writes the lanes of p. */
struct work search_making_work(const struct search *s, const struct pattern *p);
struct making *search_new_making(struct search *s, const struct pattern *p, enum make make, int i);
/* Adds a new instruction that copies the values p from a constant register for instruction i.  Returns false if no register can bring them. */
bool search_make_constant(struct search *s, const struct pattern *p, int i);
/* Adds a new instruction that copies the values p from an interpolator for instruction i.  Returns false if none can bring them; the caller
 * must then call search_undo(). */
bool search_make_mov(struct search *s, const struct pattern *p, int i);
/* ---- make.c ------------------------------------------------------------------------------------------------------ */

/* Adds a new instruction base * factor + offset that makes the values p for instruction i, each in the first way that is known for it.
 * Returns false if the registers cannot bring what that reads, or if it would be a plain mov. */
bool search_make_mad(struct search *s, const struct pattern *p, int i);
/* Returns false if no new instruction of this kind (MAKE_OPEN or MAKE_MOV_CONST) can bring the values p.  The test is quick and not exact:
 * it may return true although none can. */
bool search_may_make(struct search *s, const struct pattern *p, enum make make);
/* The sources of a new instruction base * factor + offset, with the lanes that are decided so far. */
struct mad {
	struct pattern base, factor, offset;
	bool factors, offsets; /* `factors`: a lane has a factor other than 1; `offsets`: a lane has an offset other than 0 */
	bool offset_rides;     /* an interpolator brings the offset, together with the base */
};
struct mad search_empty_mad(const struct search *);
void search_add_to_mad(struct search *, struct mad *, unsigned lane, const struct relation *);
/* Requests the sources of one constant register and one interpolator.  Returns false if these cannot bring them. */
bool search_request_mad(struct search *, const struct mad *);
void search_write_mad(const struct search *, struct making *, const struct mad *);
/* Returns the ways to compute the value by one new instruction (struct relations).  They are cached; an entry holds for one FP and one kind of
 * search, the simple or the wide one.  Nothing is cached with --preshader, as they then depend on the plan's constants, nor for values that
 * were numbered during the search: the next call may overwrite those results. */
const struct relations *search_relations(struct search *, value_id);

/* ---- line.c ------------------------------------------------------------------------------------------------------ */

/* Finds a way to write the value as base * factor + offset, with a constant of the application as the factor, and base and offset that an
 * interpolator can bring.  Its fields are NO_VALUE if none is known, or the value needs none, since a VP can have all that it depends on. */
struct relation search_find_app_relation(struct search *s, value_id);

/* ---- search.c ---------------------------------------------------------------------------------------------------- */

/* Decides the current FP, then those after it, in each way that may be the best. */
void search_program(struct search *s);

/* ---- judge.c ----------------------------------------------------------------------------------------------------- */

/* Judges the complete plan, in which every operand is decided, and keeps it if it is the best so far. */
void search_leaf(struct search *s);

#endif
