/* Between vertex_program.c, which delivers lanes, vertex_const.c and vertex_compute.c, which make the constants they need, and
 * vertex_estimate.c, which counts what those would write. */
#ifndef FPMOVE_MOVE_COVER_VERTEX_H
#define FPMOVE_MOVE_COVER_VERTEX_H

#include "move/cover/delivery.h"
#include "move/graph/free_constants.h"
#include "move/graph/registers.h"

enum {
	/* Virtual temporaries that vertex_constant and others may take; register r# of an FP is MOST_TEMPS + # while instructions are cloned. */
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
	bool needed;      /* a lane that the VP delivers depends on it */
	bool expression;  /* one that depends on it is an expression, not a copy of it */
	bool survives;    /* a register still holds it at the end of the VP, so that no copy is needed */
	bool stays;       /* the instruction that wrote it writes it still, to `to` */
	uint8_t copies;   /* so many delivered lanes are copies of it */
	uint8_t to;       /* the first of them: 4 * oT# + lane */
	struct vs_lane place; /* where expressions find it at the end of the program */
};

/* A VP constant register with known contents: a def, old or new, or one that the application sets. */
struct pool {
	int reg;
	bool old;
	bool preset;
	value_id lane[LANES]; /* NO_VALUE: free, if new */
};

/* A temporary of constants, computed behind the VP's own code. */
struct made {
	int reg;
	value_id lane[LANES]; /* NO_VALUE: free */
	lanes ready;          /* lanes that an instruction has written already; the others are reserved */
};

/* An FP instruction taken over into the VP. */
struct clone {
	lanes need; /* lanes that are computed */
	lanes used; /* those of them that other clones read */
};

/* What does not depend on the plan. */
struct vertex_start {
	struct values *values;
	const struct program *old;
	const struct move_options *options;
	uint32_t writer[INTERPOLATORS][LANES]; /* instruction of `old` that writes the oT lane; UINT32_MAX: none */
	struct register_set taken;             /* VP constants that mean something to the VP */
	bool has_constant;                     /* one is free */
	struct { VEC(struct pool); } pool;
	int *const_of;                         /* of each constant, as values number it, the VP constant that has it; -1: none */
	lanes finite[INTERPOLATORS];           /* oT lanes that are never infinite, unless what the application gives is */
	lanes placed[INTERPOLATORS];           /* oT lanes whose values a register holds at the end of `old`: */
	struct vs_lane place[INTERPOLATORS][LANES]; /* ... that one */
	struct estimates *estimates;           /* see vertex_estimate.c */
	struct seen_layouts *seen;             /* see vertex_delivery.c */
};

/* What a layout's lanes are to the programs, however they are computed. */
struct sources {
	int32_t of[INTERPOLATORS][LANES]; /* FP instruction * LANES + lane that computes it; -1: none, or not needed */
	int8_t raw[INTERPOLATORS][LANES]; /* the old lane, 4 * oT# + lane, that it is; -1: none */
};

/* How the VP computes what interpolators carry. */
struct delivery {
	bool clone[INTERPOLATORS]; /* by the FP's own instructions, where they have it; the others as sums of registers times numbers */
	bool deep;                 /* constants are computed by clones of the FP's instructions, too */
	bool gather;               /* sums: constants with the same factor are gathered in a register, not read where the application sets them */
	bool select;               /* sums: of a product of constants, the factor is in a temporary, not the constant */
};

/* Tells instructions that may serve several registers: the same name is given to what is written once for all of them. */
enum named { NAMED_CLONE = 1, NAMED_RAW, NAMED_MADE };
struct name {
	uint64_t of;   /* 0: what is put serves one register */
	unsigned part; /* number of the next instruction of that name */
};
static inline struct name name_of(enum named what, uint32_t number)
{
	return (struct name){(uint64_t)what << 32 | number, 0};
}

/* What delivery.deep is about: constants that instructions of the FP compute; and .gather and .select: constants in a sum. */
enum asked { ASKS_DEEP = 1, ASKS_WAY = 2 };

struct vertex_writer {
	const struct vertex_start *start;
	struct values *values;
	const struct layout *layout;
	const struct program *old;
	const struct move_options *options;
	struct program *new;
	struct input input[INTERPOLATORS * LANES];
	int temp_of[INTERPOLATORS];            /* virtual temporary that an old oT goes to; 0: none */
	lanes done[INTERPOLATORS];             /* lanes of the new oT# that are written */
	int next_temp;
	uint32_t most;                         /* with more instructions than this it is too long, however many of them are dead */
	struct register_set taken;             /* VP constants that cannot be had any more */
	struct register_set kept;              /* free ones that wait for the rest of an array, and are taken last */
	int *const_of;                         /* constant, as values number it, to VP constant; -1: not needed there */
	struct { VEC(struct pool); } pool;
	struct { VEC(struct made); } made;
	const struct delivery *how;
	const struct sources *sources;
	struct clone *clones;                  /* of each FP instruction */
	int32_t clone_of[INTERPOLATORS][LANES]; /* 4 * FP instruction + lane that computes the lane; -1: none */
	lanes *raw_lanes;                      /* lanes of each of these that sums want in a temporary */
	struct name name;                      /* of what is put now */
	struct tally *tally;                   /* counts instructions in place of writing them; NULL while a program is written */
	unsigned asks;                         /* bits of enum asked: what a delivery may say of which something depends */
	bool failed;                           /* a budget does not suffice */
};

/* The VP's constants; for struct vertex_start. */
void vertex_find_constants(struct vertex_start *);
/* Fills the start's `const_of`. */
void vertex_number_constants(struct vertex_start *);
/* A source that brings value[l] to each lane l of `group` and is there already, negated or not; false: none.
 * `temp`: not from a constant register. */
bool vertex_at_hand(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp, struct src *);
/* A source that brings value[l] to each lane l of `group`; instructions that make it are put first.
 * `temp`: not from a constant register. */
struct src vertex_constant(struct vertex_writer *, const value_id value[LANES], lanes group, bool temp);
/* Can the lane stand in a constant register of the VP's own? */
static inline bool vertex_settable(const struct vertex_writer *w, value_id id)
{
	return value_is_settable(value_at(w->values, id), w->options->preshader);
}
/* Sources that bring two vectors of literals out of one constant register; false: they have more than four. */
bool vertex_literals(struct vertex_writer *, const value_id a[LANES], const value_id b[LANES], lanes group, struct src *,
                     struct src *);
bool vertex_literals_fit(const value_id a[LANES], const value_id b[LANES], lanes group);
/* Computes the missing lanes into a register, those with the same operation together; `made`: which is that. */
void vertex_compute(struct vertex_writer *, const value_id value[LANES], lanes missing, enum reg_file, int index,
                    struct made *made);
/* Instructions that vertex_constant would put, roughly; 0: none. */
unsigned vertex_constant_cost(const struct vertex_writer *, const value_id value[LANES], lanes group);
/* Appends an instruction with this destination, after movs for what its ports cannot take. */
void vertex_put(struct vertex_writer *, const struct instr *, enum reg_file, int index, lanes mask);

/* Decides how each lane of the layout is delivered, and finds what that needs.  The program is still empty.  With a tally the layout has
 * register 0 alone, and nothing is written. */
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

/* Returns the slots of the VP that delivers a layout in one way, as far as they can be told without writing it; UINT_MAX if that
 * way cannot be taken.  Adds to *asks what a delivery may say of which that depends. */
unsigned vertex_estimate(const struct vertex_start *, const struct layout *, const struct delivery *, const struct sources *,
                         unsigned *asks);
struct estimates *vertex_begin_estimates(const struct vertex_start *);
/* Counts an instruction that vertex_put does not write, since there is a tally. */
void vertex_count(struct vertex_writer *, const struct instr *);

/* Which FP instructions compute the lanes of a layout, and which old lanes they are. */
void clone_find_sources(const struct values *, const struct layout *, struct sources *);
void vertex_find_raw(const struct values *, const struct layout *, struct sources *);
/* Finds what the instructions behind lanes that are cloned build on, and the inputs they read. */
void clone_find(struct vertex_writer *);
/* Puts them, and what they deliver. */
void clone_put(struct vertex_writer *);

/* The start's `finite`. */
void sums_find_finite(struct vertex_start *);
/* Puts all lanes of oT# that neither the VP's own code nor clones write. */
void sums_put(struct vertex_writer *);

/* A vertex program that delivers the plan's layout in one way. */
struct delivered {
	struct program *program; /* NULL: it does not fit, or is not short enough to be wanted */
	unsigned slots;          /* UINT_MAX: it does not fit */
};
/* `at_most`: slots of a program that is wanted; `result` gets its constants and folds. */
struct delivered vertex_program(const struct vertex_start *, const struct layout *, const struct delivery *,
                                const struct sources *, unsigned at_most, struct move_result *result);

#endif
