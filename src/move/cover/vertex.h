/* Declares what the writers of a VP share: vertex_program.c delivers lanes, vertex_const.c and vertex_compute.c make the constants that
 * lanes need, vertex_put.c writes or counts an instruction, and vertex_estimate.c sums up what is counted. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_H
#define FPMOVE_MOVE_COVER_VERTEX_H

#include "move/cover/delivery.h"
#include "move/graph/free_constants.h"
#include "move/graph/registers.h"

enum {
	/* Limit of the virtual temporaries that vertex_constant and others take; a clone's register is the FP's r#, as r(MOST_TEMPS + #). */
	MOST_TEMPS = 900
};

/* One lane of a VP register. */
struct vs_lane {
	uint8_t file;
	int32_t index;
	uint8_t lane;
	bool negate;
};

/* An interpolated input of the old pair. */
struct input {
	bool needed;          /* a lane that the VP delivers depends on it */
	bool expression;      /* an expression, not only a copy, depends on it */
	bool survives;        /* a register still holds it at the end of the VP, so that no copy is needed */
	bool stays;           /* the instruction that wrote it still writes it, to `to` */
	uint8_t copies;       /* number of delivered lanes that are copies of it */
	uint8_t to;           /* the first of these copies: 4 * oT# + lane */
	struct vs_lane place; /* the register lane where expressions find it at the end of the program */
};

/* A VP constant register with known contents: a def, old or new, or a register that the application has to set. */
struct pool {
	int reg;
	bool old;             /* a def of the old VP */
	bool preset;          /* the application sets it, so that it is no def */
	value_id lane[LANES]; /* each lane's value, or NO_VALUE for a free lane of a new register */
};

/* A temporary that holds constants, which are computed behind the VP's own code. */
struct made {
	int reg;
	value_id lane[LANES]; /* each lane's value, or NO_VALUE for a free lane */
	lanes ready;          /* lanes that an instruction has written already; the others are reserved */
};

/* Says which lanes of one FP instruction are cloned into the VP. */
struct clone {
	lanes need; /* lanes that the clone computes */
	lanes used; /* lanes of these that other clones read */
};

/* Holds what is known before there is a plan. */
struct vertex_start {
	struct values *values;
	const struct program *old;
	const struct move_options *options;
	uint32_t writer[INTERPOLATORS][LANES]; /* for each oT lane, the instruction of `old` that writes it, or UINT32_MAX if none does */
	struct register_set taken;             /* VP constants that may not be overwritten */
	bool has_constant;                     /* a VP constant is free */
	struct { VEC(struct pool); } pool;
	int *const_of;                         /* for each constant, as values number it, the VP constant that holds it, or -1 if none does */
	lanes finite[INTERPOLATORS];           /* oT lanes that are never infinite, if attributes and constants are finite */
	lanes placed[INTERPOLATORS];           /* oT lanes whose value a register still holds at the end of `old` */
	struct vs_lane place[INTERPOLATORS][LANES]; /* for each lane in `placed`, that register's lane */
	struct estimates *estimates;           /* caches of vertex_estimate.c */
	struct seen_layouts *seen;             /* caches of vertex_delivery.c */
};

/* Returns true if the old VP does not write an oT lane that a layout has (raw = 4 * oT# + lane): only other VPs write it, for FPs that
 * stay. */
static inline bool vertex_lacks(const struct vertex_start *start, int raw)
{
	return start->writer[raw / LANES][raw % LANES] == UINT32_MAX;
}

/* Says where the old programs have the values of a layout's lanes. */
struct sources {
	int32_t of[INTERPOLATORS][LANES]; /* FP instruction * LANES + lane that computes the value, or -1 if none does or has to */
	int8_t raw[INTERPOLATORS][LANES]; /* old oT lane with the value, 4 * oT# + lane, or -1 if there is none */
};

/* Chooses one way for the VP to compute what interpolators carry. */
struct delivery {
	bool clone[INTERPOLATORS]; /* clone the FP's instructions for this register; lanes that none computes are sums, as in all others */
	bool deep;                 /* clone the FP's instructions that compute constants, too */
	bool gather;               /* in sums: gather constants with one factor in a register, instead of reading them from the application's */
	bool select;               /* in sums: put the factor of a constant into a temporary, and not the constant */
};

/* Names an instruction that is written once and may serve several interpolators, so that estimates count it once. */
enum named { NAMED_CLONE = 1, NAMED_RAW, NAMED_MADE };
struct name {
	uint64_t of;   /* the name, or 0 if the instruction serves one interpolator only */
	unsigned part; /* the number of the next instruction with this name */
};
static inline struct name name_of(enum named what, uint32_t number)
{
	return (struct name){(uint64_t)what << 32 | number, 0};
}

/* Says which fields of struct delivery can change what is written: `deep` matters to constants that instructions of the FP compute,
 * `gather` and `select` (together: way) to constants in a sum. */
enum dependence { DEPENDS_ON_DEEP = 1, DEPENDS_ON_WAY = 2 };

enum {
	NAMED_WORDS = 8,               /* words of a set of slots with a name */
	NAMED_SLOTS = 64 * NAMED_WORDS /* bits of such a set; three quarters of them are given to slots */
};
struct named_slots {
	uint64_t slot[NAMED_SLOTS]; /* for each bit of a set, the hash of its slot, or 0 if it has none yet */
	unsigned n;                 /* entries of `slot` that are used */
};
/* Counts the slots of instructions, which are then not written. */
struct tally {
	struct named_slots *names;
	unsigned own;                /* slots without a name */
	uint64_t named[NAMED_WORDS]; /* the set of slots with a name */
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
	int temp_of[INTERPOLATORS];            /* for each old oT, the virtual temporary that takes it, or 0 if none does */
	lanes done[INTERPOLATORS];             /* lanes of each new oT# that are written */
	int next_temp;                         /* the next free virtual temporary */
	uint32_t most;                         /* a program of more instructions is too long, however many of them are dead */
	struct register_set taken;             /* VP constants that may not be taken any more */
	struct register_set kept;              /* free VP constants that are kept for the rest of an array, and are taken last */
	int *const_of;                         /* for each constant, as values number it, its VP constant, or -1 if none holds it yet */
	struct { VEC(struct pool); } pool;
	struct { VEC(struct made); } made;
	const struct delivery *how;
	const struct sources *sources;
	struct clone *clones;                  /* for each FP instruction, its clone */
	int32_t clone_of[INTERPOLATORS][LANES]; /* for each lane, 4 * FP instruction + lane whose clone computes it, or -1 if none does */
	lanes *raw_lanes;                      /* for each constant, as values number it, the lanes that sums read */
	struct name name;                      /* the name of the instructions that are written now */
	struct tally *tally;                   /* NULL while a program is written */
	unsigned depends_on;                   /* bits of enum dependence, collected while lanes are written */
	bool failed;                           /* a budget does not suffice, or this way is impossible */
};

/* Finds the constants that the old VP has: the start's `taken` and `pool`. */
void vertex_find_constants(struct vertex_start *);
/* Fills the start's `const_of`. */
void vertex_number_constants(struct vertex_start *);
/* Finds a source that reads value[l] in each lane l of `group`, where some register holds these values already, negated or not.
 * Returns false if there is none.  With `temp` it is not a constant register. */
bool vertex_at_hand(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp, struct src *);
/* Puts constants into a register that this VP adds: one with enough free lanes, or another one.  Literals and constants that the
 * application has to set never share a register. */
struct src vertex_add_constants(struct vertex_writer *, const value_id value[LANES], lanes group);
/* Returns a source that reads value[l] in each lane l of `group`, after writing the instructions that compute the values.  With `temp`
 * it is not a constant register. */
struct src vertex_constant(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp);
/* Returns true if the value can stand in a constant register that the VP adds. */
static inline bool vertex_settable(const struct vertex_writer *w, value_id id)
{
	return value_is_settable(value_at(w->values, id), w->options->preshader);
}
/* Returns roughly how many instructions vertex_constant would write. */
unsigned vertex_constant_cost(const struct vertex_writer *, const value_id value[LANES], lanes group);
/* Appends an instruction with this destination, or counts it in the tally, after movs of the operands that it cannot read together. */
void vertex_put(struct vertex_writer *, const struct instr *, enum reg_file, int index, lanes mask);

/* Decides how each lane of the layout is delivered, and finds the clones and inputs that this needs.  The program is still empty.  With a
 * tally the layout has register 0 alone, and nothing is written. */
struct vertex_writer *vertex_begin(const struct vertex_start *, const struct layout *, const struct delivery *, const struct sources *,
                                   struct tally *);
/* Returns how many registers of the layout the writer delivers. */
static inline int vertex_registers(const struct vertex_writer *w)
{
	return w->tally ? 1 : INTERPOLATORS;
}
/* Decides which oT the VP's own instructions keep writing, and which they leave in a temporary. */
void vertex_find_exposed(struct vertex_writer *);
/* Fills the start's `placed` and `place`. */
void vertex_find_places(struct vertex_start *);

/* Estimates the slots of the VP that delivers a layout in one way, without writing it, or returns UINT_MAX if this way is impossible.
 * Adds the bits of enum dependence to *depends_on that say in which other ways the VP might be another. */
unsigned vertex_estimate(const struct vertex_start *, const struct layout *, const struct delivery *, const struct sources *,
                         unsigned *depends_on);
struct estimates *vertex_begin_estimates(const struct vertex_start *);

/* Finds the FP instructions that compute the lanes of a layout: `of` of the sources. */
void clone_find_sources(const struct values *, const struct layout *, struct sources *);
/* Finds the old oT lanes that have the values of a layout's lanes: `raw` of the sources. */
void vertex_find_raw(const struct values *, const struct layout *, struct sources *);
/* Finds the FP instructions that have to be cloned, and the inputs that they read. */
void clone_find(struct vertex_writer *);
/* Writes the clones and the lanes that they deliver. */
void clone_put(struct vertex_writer *);

/* Fills the start's `finite`. */
void sums_find_finite(struct vertex_start *);
/* Writes all lanes of oT# that neither the VP's own code nor clones write. */
void sums_put(struct vertex_writer *);

/* A VP that delivers the plan's layout in one way. */
struct delivered {
	struct program *program; /* NULL if it does not fit the budgets, or takes more slots than wanted */
	unsigned slots;          /* its slots, or UINT_MAX if it does not fit the budgets */
};
/* Writes the VP that delivers a layout in one way, if it takes `at_most` slots or fewer.  Adds its constants and folds to `result`. */
struct delivered vertex_program(const struct vertex_start *, const struct layout *, const struct delivery *,
                                const struct sources *, unsigned at_most, struct move_result *result);

#endif
