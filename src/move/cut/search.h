/* Between the files of the planner: facts.c says what stays and what it reads, supply.c how that can come,
 * affine.c and line.c what a new instruction can make of an interpolator; search.c searches,
 * judge.c judges what was found; several.c leads through several FPs. */
#ifndef FPMOVE_MOVE_CUT_SEARCH_H
#define FPMOVE_MOVE_CUT_SEARCH_H

#include "move/cut/plan.h"

enum {
	PACK_WORK = 20000, /* search steps of one packing, */
	SHARED_PACK_WORK = 1000, /* ... of one for several FPs */
	WORK_PER_NODE = 20, /* ... and of all of them, for each node of the search that is allowed */
	LEAVES = 400,       /* complete plans that are written out */
	MOST_FAILED = 8,    /* FPs whose ways to compute give no shorter VP, before those of the others are not tried */
	RELATIONS = 6, /* of bases from which one instruction can make a lane */
	REFUSED = 64,
	FEW_LANES = 12,    /* that can move: the search may go on for as long each time, */
	FEW_MORE = 3,      /* ... and by this factor longer the last time */
	TIE_WORK = 5000,  /* where more can move, plans of equal time are searched for so many steps of packing */
	VISITS = 4096,     /* a power of 2 */
	REFUSALS = 1024,
	TIES = 24,         /* plans of equal cost that are looked at for the VP's sake */
	/* What is paid from a group's allowance, besides a step of packing for each item that is placed: */
	NODE_STEPS = 8,    /* a node of the search, */
	PIXEL_STEPS = 300, /* an FP that is written, */
	VERTEX_STEPS = 2000 /* a VP; both in judging a complete plan */
};

/* A distinct 2D (or wider) coordinate that texture reads need. */
struct coord {
	value_id x, y;
	int last; /* the last instruction that reads it: the first to be decided */
	int def;  /* an instruction that stays if it is kept, and that no other coordinate has; -1: it cannot be kept */
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
	uint64_t arith; /* what that takes at least */
	bool shares;    /* that may be a coordinate's */
};
struct mixeds {
	VEC(struct mixed);
};
struct requests {
	VEC(struct request);
};

/* A way to make a lane from another: base * factor + offset. */
struct relation {
	value_id base, factor, offset;
};
struct relations {
	uint32_t when; /* they were found: of which FP, and in which search; 0: not yet */
	uint32_t n;
	struct relation at[RELATIONS]; /* whose offset is a constant */
	struct relation line;          /* whose offset an interpolator brings, as it does the base; NO_VALUE: there is none */
};

#define MANY_VALUES (NO_VALUE - 1)

/* One FP of those that are planned together. */
struct part {
	lanes *pixel, *demand; /* as in struct search while it is at hand, all down to rank */
	struct plan plan;      /* without the layout, which all share */
	struct coords coords;
	struct mixeds mixeds;
	unsigned rank, least_order;
	uint8_t (*reads)[LANES]; /* this and the next as in struct search */
	bool *grounded;
	bool roomy;
	struct requests guards; /* that hold if it stays as it is */
	struct work base; /* of what stays in any case */
	unsigned colours;
	uint64_t least; /* time that no plan can avoid, as far as is known */
	uint64_t most;  /* time as it is, which must not grow */
	double gain;    /* time saved when planned alone, for each interpolator */
};

/* Which plans of the best one's time are looked for. */
enum aim {
	AIM_VERTEX,   /* those found first, for the sake of the VP */
	AIM_ORDER,    /* whose reads have a lower order */
	AIM_REGISTERS /* with fewer interpolators, the order not being higher */
};

/* What search_undo() restores, besides what struct search_mark holds. */
struct change {
	lanes *at;
	lanes old;
};
struct taken { /* a constant register took something */
	int reg;
	value_id old[LANES];
};

/* Requests that do not go into so many interpolators, and the work that it took to see that. */
struct refusal {
	uint64_t print; /* of both */
	uint32_t work;
};

struct search {
	struct arena *arena;
	struct values *values;
	const struct program *const *vs; /* one, or several if there is one FP */
	unsigned nvs;
	const struct move_options *options; /* of each */
	struct part *part;   /* of each FP */
	unsigned *order, count, at; /* FPs that are planned, in the order in which they are decided; the one at hand */
	const struct program *ps; /* of the one at hand, as are the next three, coords, mixeds and rank */
	lanes *pixel;   /* per instruction: pixel lanes that an output needs */
	lanes *demand;  /* movable lanes that stay because an operand keeps them */
	struct plan plan; /* being built */
	struct requests requests; /* first the guards of FPs to come, the next one's last */
	uint32_t guards, own; /* how many are guards; the first of the FP at hand */
	struct { VEC(struct change); } trail;
	struct { VEC(struct taken); } taken;
	struct coords coords;
	struct mixeds mixeds;
	struct layout start;
	const struct vertex_start **vertex; /* of each VP */
	unsigned colours;       /* scalars of v# that are read in any case */
	struct work base, cost; /* of what stays in any case; of what was chosen to stay or made */
	uint64_t others;        /* time of the FPs that are decided and that are to come, at least */
	uint64_t limit;         /* time of the pairs as they are, then of the best plan */
	unsigned direct;     /* coordinates that ride in an interpolator */
	unsigned rank;       /* interpolated scalars that all plans need at least; 0: not asked for */
	uint32_t nodes, last_node, ties, leaves;
	uint32_t work;       /* packing steps left */
	uint32_t leaf_work;  /* ... for complete plans, which are packed anew */
	bool roomy;          /* of the FP at hand: interpolators suffice for whatever its operands may ask for */
	bool wide;           /* try new instructions of which several operands read different lanes, and other bases */
	bool few;            /* lanes that can move */
	bool orders;         /* ... in all orders of their lanes */
	uint64_t *visited;   /* in the wide search: what was chosen when an instruction's turn came, as it fell */
	uint32_t negated;    /* ... values below this have opposites */
	struct refusal *refusals; /* ... which requests the interpolators did not take, as it fell */
	bool gave_up;
	uint16_t *chain;     /* of each value that an FP computes: instructions of the FP in a row that lead to it */
	uint32_t chains;     /* ... of values below this number */
	struct relations *relations; /* of as many and their opposites, mostly; the last, of others */
	bool full;           /* a VP has no constant register left */
	bool app_stays;      /* no interpolator brings what the application sets */
	value_id *line;      /* of values below `chains`: the constant that the application sets on which it depends; NO_VALUE, MANY_VALUES */
	unsigned least_vertex; /* slots that the VP of a pair has in any case, for no interpolator */
	bool slots_only;     /* the target's time is FP slots and nothing else */
	unsigned least_order; /* of dependent reads, whatever is planned */
	uint8_t (*reads)[LANES]; /* orders of each instruction of the FP at hand, while they are counted */
	bool *grounded;      /* reads of the FP at hand whose coordinate no interpolator brings, as far as is known */
	enum aim aim;        /* beyond time */
	unsigned deepest_order; /* that any plan has; known while fewer interpolators are looked for */
	unsigned texcoords;  /* interpolators that a plan may take */
	uint32_t dead;       /* the VP cannot deliver the first so many requests; 0: that is not known */
	value_id refused[REFUSED]; /* values that the VP cannot deliver, */
	unsigned nrefused;         /* ... as far as it was found out */
	struct planned *best;
	struct allowance *allowance; /* NULL: there is no end to it */
	uint64_t spare;      /* ... of which so much is for what comes later */
};

/* ---- facts.c ---- */
/* Texture reads, matrices and outputs write all they write; so does nrm, of which Direct3D 9 on
 * Wine sums only the squares of the lanes that it writes: w alone, which does not belong to those, may go. */
lanes search_mask_for(const struct instr *i, lanes wanted);
bool search_stays(const struct search *s, int i);
/* Pixel lanes that reach an output stay whatever is planned. */
void search_find_live_pixels(struct search *s);
void search_set_lane(const struct values *v, struct pattern *p, unsigned position, value_id value);
/* An operand that reads a t# lane which the VP never writes stays as it is, and so does the place of
 * every lane of that register that the same instruction reads. */
bool search_reads_opaque(const struct search *s, int i, int *reg);
void search_find_start(struct search *s); /* for all FPs */
/* Values that neither the VP nor a new instruction can bring: what computes them stays as pixel lanes do; and all lines. */
void search_find_stuck(struct search *s); /* for all FPs */
/* The constants the FP has; free registers can take new literals. */
void search_find_consts(struct search *s);
/* What must be in the interpolators if the FP at hand stays as it is. */
void search_find_guards(struct search *s, struct requests *);
/* Coordinates for the bound: of reads that stay, whose definitions do not stay anyway. */
void search_find_coords(struct search *s);
/* requires: coordinates. */
void search_find_mixeds(struct search *s);
/* How long the FP takes to the values that it computes: the least that taking its instructions over takes. */
void search_find_chains(struct search *s);
void search_find_grounded(struct search *s);
/* Dependent reads have at least this order, where what follows instruction `from` is decided; coordinates of pixel
 * lanes make one, and those in temporaries. */
unsigned search_order_after(const struct search *s, int from);
/* ... and no higher one in any plan. */
unsigned search_deepest_order(const struct search *s);
/* No plan asks for more registers than there are. */
void search_find_roomy(struct search *s);
/* Interpolators that all plans need at least, and scalars in them: independent values among those that what stays
 * reads, those of each kind in registers of their own. */
unsigned search_least_registers(const struct search *s, unsigned *scalars);

/* ---- supply.c ---- */
/* An FP constant register that delivers all these patterns, taking free lanes for new constants; -1: none.
 * `only`: that register, or -1. */
int search_const_register(struct search *s, const struct pattern *p, unsigned n, int only);
/* May operand k of the instruction read a constant register?  `only`: the one that it must be, or -1. */
bool search_const_port(const struct search *s, int i, unsigned k, int *only);
/* Can an interpolator bring this coordinate, as far as is known? */
bool search_rides(const struct search *s, value_id x, value_id y);
/* Can the VP deliver these values in one interpolator, as far as is known? */
bool search_delivers(const struct search *s, const struct pattern *);
/* Are there values among them that no one interpolator carries, nor one instruction makes of what one does? */
bool search_mixes_kinds(const struct search *s, const struct pattern *);
/* A pattern of one value needs one lane only. */
struct pattern search_without_repetition(const struct pattern *p);
bool search_same_request(const struct request *, const struct request *);
/* One register for operand k, which wants p, and all others of the instruction that read constants;
 * -1: there is none. */
int search_joint_register(struct search *s, int i, unsigned k, const struct pattern *p, bool joins[MAX_SOURCES]);
/* Adds to what is to be asked of one register; false: no interpolator can bring it. */
bool search_add(const struct search *s, const struct pattern *p, struct request *here);
/* Asks for one more pattern, in the same register as those that the instruction asked for already
 * (`here`, to which it is added). */
bool search_ask(struct search *s, const struct pattern *p, struct request *here);
void search_change(struct search *s, lanes *at, lanes more);
struct work search_making_cost(const struct search *s, const struct pattern *p);
struct making *search_new_making(struct search *s, const struct pattern *p, enum make make, int i);
bool search_make_constant(struct search *s, const struct pattern *p, int i);
bool search_make_mov(struct search *s, const struct pattern *p, int i);
/* What is tried in the wide search is paid for, as packing is; false: nothing is left. */
bool search_pay(struct search *s);
/* Does a new instruction beside pixel lanes write, before instruction i, what `def` wrote to the lane? */
bool search_written_beside(const struct search *s, int i, int reg, unsigned lane, int def);

/* ---- affine.c ---- */
/* One instruction base * factor + offset, from the first base of each lane. */
bool search_make_affine(struct search *s, const struct pattern *p, int i);
/* A new instruction from an interpolator, in whatever way; false: there is none, as far as is known. */
bool search_make_open(struct search *s, const struct pattern *p, int i);
/* Could an instruction of this kind, open or of constants, bring the pattern?  Quickly, and not quite. */
bool search_may_make(struct search *s, const struct pattern *p, enum make make);
/* All operands of the FP at hand are decided: decides what is open, then on to the next FP. */
void search_close(struct search *s);

/* ---- line.c ---- */
/* The value as base * factor + offset, with a constant that the application sets as the factor; NO_VALUE: it is not known
 * to be such, or the VP can deliver it. */
struct relation search_find_line(struct search *s, value_id);

/* ---- search.c ---- */
/* What a choice changes, to come back to it. */
struct search_mark {
	uint32_t requests, makings, trail, taken;
	struct work cost;
	unsigned direct;
	struct layout layout;
};
void search_mark(const struct search *s, struct search_mark *);
void search_undo(struct search *s, const struct search_mark *);
/* Takes steps from the allowance, if there is one; false: it has come to its end. */
bool search_spend(struct search *s, uint64_t steps);
/* Can a plan with `more` new instructions above what is chosen be better than the best so far?  `tie`: or as
 * good, while such plans are looked at.  Operands down to instruction i are decided. */
bool search_pays(const struct search *s, int i, unsigned more, bool tie);
/* A number for what the FP at hand asks of interpolators; with `signs`, and for which opposites are known. */
uint64_t search_print_of_requests(const struct search *, bool signs);
/* Decides the FP at hand, then those after it, in each way that may be the best. */
void search_program(struct search *s);
/* Time that no plan can avoid, where of the FP at hand what follows instruction i is decided. */
uint64_t search_bound(const struct search *, int i);

/* ---- several.c ---- */
/* The FP at hand is decided: on to the next, if it pays for what it got. */
void search_next(struct search *s);

/* ---- judge.c ---- */
/* Every operand is decided: notes the plan if it is the best so far. */
void search_leaf(struct search *s);

#endif
