/* Declares what the files share that write the new VP: vertex_program.c writes the VP, vertex_clone.c and vertex_column.c the lanes of interpolators,
 * vertex_const.c and vertex_compute.c the constants that these read, vertex_put.c writes or counts an instruction, and vertex_estimate.c adds up the
 * counts. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_H
#define FPMOVE_MOVE_COVER_VERTEX_H

#include "move/cover/delivery.h"
#include "move/graph/free_constants.h"
#include "move/graph/registers.h"

enum {
	/* Limit of the r# that new instructions of the VP use before registers are allocated, except clones: the clone of an FP instruction that
	 * writes r# writes r(MOST_TEMPS + #). */
	MOST_TEMPS = 900
};

/* One lane of a VP register. */
struct vs_lane {
	uint8_t file;
	int32_t index;
	uint8_t lane;
	bool negate;
};

/* One oT lane of the old VP, which is an input of the old FP, and how the new VP uses its value. */
struct input {
	bool needed;          /* a lane that the new VP delivers depends on this input */
	bool expression;      /* new instructions that compute a value read this input, not only movs */
	bool survives;        /* another register still holds this input at the end of the old VP, so that no copy is needed */
	bool stays;           /* the old instruction that computes this input writes it directly to the lane `to` of the new VP */
	uint8_t copies;       /* number of oT lanes of the new VP that have the value of this input */
	uint8_t to;           /* the first of these oT lanes: 4 * oT# + lane */
	struct vs_lane place; /* the register lane where new instructions, which follow the old ones, read this input */
};

/* A VP constant register with known contents: a def, old or new, or a register that the application has to set. */
struct pool {
	int reg;
	bool old;             /* the old VP has this def */
	bool preset;          /* the application sets it, so that the VP has no def for it */
	value_id lane[LANES]; /* the value of each lane, or NO_VALUE if the lane is free */
};

/* A temporary that holds constants, which are computed after the VP's own instructions. */
struct made {
	int reg;
	value_id lane[LANES]; /* each lane's value, or NO_VALUE for a free lane */
	lanes ready;          /* lanes that an instruction has written already; the other lanes are only reserved */
};

/* The lanes of one FP instruction that are computed in the VP by a clone (a copy) of it. */
struct clone {
	lanes need; /* lanes of its result that the clone computes */
	lanes used; /* lanes in `need` that other clones read */
};

/* Holds facts of the old VP that hold for every plan. */
struct vertex_start {
	struct values *values;
	const struct program *old;
	const struct move_options *options;
	uint32_t writer[INTERPOLATORS][LANES]; /* for each oT lane, the instruction of `old` that writes it, or UINT32_MAX if none does */
	struct register_set taken;             /* constant registers of the VP that must not be overwritten */
	bool has_constant;                     /* at least one constant register of the VP is free */
	struct { VEC(struct pool); } pool;
	int *const_of;                         /* [constant, numbered as `reg` of struct value]: the VP constant that holds it, or -1 if none does */
	lanes finite[INTERPOLATORS];           /* oT lanes that are never infinite, if attributes and constants are finite */
	lanes placed[INTERPOLATORS];           /* oT lanes whose value another register still holds at the end of `old` */
	struct vs_lane place[INTERPOLATORS][LANES]; /* for each lane in `placed`, the register lane that holds its value */
	struct estimates *estimates;           /* caches of vertex_estimate.c */
	struct seen_layouts *seen;             /* caches of vertex_delivery.c */
};

/* Returns true if the old VP does not write oT lane `raw` (4 * oT# + lane).  A layout has such a lane if only other VPs write it, for FPs that stay
 * as they are. */
static inline bool vertex_lacks(const struct vertex_start *start, int raw)
{
	return start->writer[raw / LANES][raw % LANES] == UINT32_MAX;
}

/* For each lane of a layout, where the old programs compute its value. */
struct sources {
	int32_t of[INTERPOLATORS][LANES]; /* LANES * FP instruction that computes the value + lane of its result; -1 if there is none, or the old VP
	                                   * delivers an affine value already */
	int8_t raw[INTERPOLATORS][LANES]; /* the old oT lane that has the value, 4 * oT# + lane, or -1 if there is none */
};

/* Describes one way in which the VP computes what interpolators carry. */
struct delivery {
	bool clone[INTERPOLATORS]; /* for each oT#: compute its lanes by clones of the FP's instructions; lanes that no clone computes, and all other
	                            * registers, are sums */
	bool deep;                 /* also clone the FP's instructions that compute constants */
	bool gather;               /* in sums: collect constants with one factor in one register, instead of reading each from the c# that the
	                            * application sets */
	bool select;               /* in sums: put the factor of a constant into a temporary, not the constant itself */
};

/* Kinds of instructions that may serve several interpolators.  Such an instruction has a name, by which estimates count it only once: a clone of an
 * FP instruction, a mov of a constant that the application sets, or the computation of a constant. */
enum named { NAMED_CLONE = 1, NAMED_RAW, NAMED_MADE };
struct name {
	uint64_t of;   /* the name, or 0 if the instruction serves one interpolator only */
	unsigned part; /* the number of the next instruction with this name */
};
static inline struct name name_of(enum named what, uint32_t number)
{
	return (struct name){(uint64_t)what << 32 | number, 0};
}

/* Says which fields of struct delivery can change the VP that is written: `deep` matters to constants that instructions of the FP compute; `gather`
 * and `select` (together called way) matter to constants in a sum. */
enum dependence { DEPENDS_ON_DEEP = 1, DEPENDS_ON_WAY = 2 };

enum {
	NAMED_WORDS = 8,               /* size in words of a bit set of slots that have a name */
	NAMED_SLOTS = 64 * NAMED_WORDS /* bits of this set; at most three quarters of them are used */
};
struct named_slots {
	uint64_t slot[NAMED_SLOTS]; /* for each bit of the set, the hash of the slot that it stands for, or 0 if it is free */
	unsigned n;                 /* number of entries of `slot` that are used */
};
/* The slots of instructions that are counted, not written. */
struct tally {
	struct named_slots *names;
	unsigned own;                /* number of slots without a name, which serve one interpolator only */
	uint64_t named[NAMED_WORDS]; /* the bit set of the slots with a name */
};

static inline uint64_t hash_word(uint64_t h, uint64_t with)
{
	h = (h ^ with) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

struct vertex_writer {
	const struct vertex_start *start;
	struct values *values;
	const struct layout *layout;
	const struct program *old;
	const struct move_options *options;
	struct program *new;
	struct input input[INTERPOLATORS * LANES];
	int temp_of[INTERPOLATORS];            /* for each oT# of the old VP, the temporary that its instructions write instead, or 0 if there is
	                                        * none */
	lanes done[INTERPOLATORS];             /* for each new oT#, the lanes that are written already */
	int next_temp;                         /* the next free r#; registers of the model are allocated later */
	uint32_t most;                         /* limit of the number of instructions that are written, dead ones included */
	struct register_set taken;             /* constant registers of the VP that are taken */
	struct register_set kept;              /* constant registers that are reserved for the rest of an array; others take them only if no other
	                                        * is free */
	int *const_of;                         /* [constant, numbered as `reg` of struct value]: the VP constant that holds it, or -1 if none does
	                                        * yet */
	struct { VEC(struct pool); } pool;
	struct { VEC(struct made); } made;
	const struct delivery *how;
	const struct sources *sources;
	struct clone *clones;                  /* for each FP instruction, the lanes that its clone computes */
	int32_t clone_of[INTERPOLATORS][LANES]; /* for each oT lane, 4 * FP instruction whose clone computes it + lane of its result, or -1 if no
	                                         * clone does */
	lanes *raw_lanes;                      /* [constant, numbered as `reg` of struct value]: the lanes of the constant that sums read */
	struct name name;                      /* the name of the instructions that are written or counted now */
	struct tally *tally;                   /* where instructions are counted; NULL if they are written */
	unsigned depends_on;                   /* bits of enum dependence, collected while lanes are written */
	bool failed;                           /* the VP does not fit a budget, or cannot be written in this way */
};

/* Fills the start's `taken` and `pool` with the constant registers that the old VP uses and the defs that it has. */
void vertex_find_constants(struct vertex_start *);
/* Fills the start's `const_of` with the VP's own constants, and with those to which the application copies FP constants already. */
void vertex_number_constants(struct vertex_start *);
/* Finds a source that reads value[l] in each lane l of `group` from one register that holds these values, or all their negations.  Takes a constant
 * register for a constant that the application sets, if it has none yet.  Returns false if there is none.  With `temp`, only temporaries count. */
bool vertex_at_hand(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp, struct src *);
/* Puts the values of the lanes in `group` into a constant register that the new VP adds, or added before if it has enough free lanes, and returns a
 * source that reads them.  If one of the values is no literal, the application sets the register, and no def does. */
struct src vertex_add_constants(struct vertex_writer *, const value_id value[LANES], lanes group);
/* Returns a source that reads value[l] in each lane l of `group`, after writing the instructions that compute the values.  With `temp`, it reads a
 * temporary, not a constant register. */
struct src vertex_constant(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp);
/* Returns true if the value can stand in a constant register that the VP adds. */
static inline bool vertex_settable(const struct vertex_writer *w, value_id id)
{
	return value_is_settable(value_at(w->values, id), w->options->preshader);
}
/* Returns roughly how many instructions vertex_constant would write. */
unsigned vertex_constant_cost(const struct vertex_writer *, const value_id value[LANES], lanes group);
/* Appends to the new VP an instruction that writes lanes `mask` of this register, or counts it in the tally.  Puts movs to temporaries before it for
 * operands that it cannot read together, such as two c#. */
void vertex_put(struct vertex_writer *, const struct instr *, enum reg_file, int index, lanes mask);

/* Starts a new VP without instructions: finds the clones and inputs that are needed to deliver each lane of the layout.  Sets `failed` of the result
 * if this way is impossible.  With a tally, the layout has only register 0, and instructions are counted, not written. */
struct vertex_writer *vertex_begin(const struct vertex_start *, const struct layout *, const struct delivery *, const struct sources *,
                                   struct tally *);
/* Returns how many oT# of the layout the writer delivers: all, or one if it only counts instructions. */
static inline int vertex_registers(const struct vertex_writer *w)
{
	return w->tally ? 1 : INTERPOLATORS;
}
/* Decides which oT lanes the old VP's instructions still write directly, and which oT# they write to a temporary instead. */
void vertex_find_exposed(struct vertex_writer *);
/* Fills the start's `placed` and `place`: the oT lanes whose value another register holds at the end of the old VP. */
void vertex_find_places(struct vertex_start *);

/* Estimates the slots of the VP that delivers a layout in one way, without writing it, or returns UINT_MAX if this way is impossible.  Adds to
 * *depends_on the bits of enum dependence for the fields of struct delivery that may change the result. */
unsigned vertex_estimate(const struct vertex_start *, const struct layout *, const struct delivery *, const struct sources *,
                         unsigned *depends_on);
struct estimates *vertex_begin_estimates(const struct vertex_start *);

/* Fills `of` of the sources: the FP instructions that compute the values of a layout's lanes. */
void clone_find_sources(const struct values *, const struct layout *, struct sources *);
/* Fills `raw` of the sources: for each lane of a layout, an oT lane of the old VP with the same value. */
void vertex_find_raw(const struct values *, const struct layout *, struct sources *);
/* Finds the FP instructions that have to be cloned into the VP, and the inputs that they read. */
void clone_find(struct vertex_writer *);
/* Writes the clones of FP instructions, and the oT lanes that they deliver. */
void clone_put(struct vertex_writer *);

/* Fills the start's `finite`: the oT lanes of the old VP that are never infinite. */
void sums_find_finite(struct vertex_start *);
/* Writes all oT lanes of the layout that neither the old VP's instructions nor clones write, as sums. */
void sums_put(struct vertex_writer *);

/* A VP that delivers the plan's layout in one way. */
struct delivered {
	struct program *program; /* the VP, or NULL if it does not fit the budgets or takes more slots than wanted */
	unsigned slots;          /* the slots of the VP, or UINT_MAX if it does not fit the budgets */
};
/* Writes the VP that delivers a layout in one way, and returns it if it fits the budgets and takes `at_most` slots or fewer.  Adds the constants that
 * the application must copy for it, and its constants that are computed from others, to `result`. */
struct delivered vertex_program(const struct vertex_start *, const struct layout *, const struct delivery *,
                                const struct sources *, unsigned at_most, struct move_result *result);

#endif
