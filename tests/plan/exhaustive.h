/* Declarations shared by the files of the exhaustive planner: vertex.c finds the FP's inputs, facts.c the values that it computes and
 * reads, layout.c the contents of registers, supply.c the results of new instructions; search.c tries everything, and told.c prints
 * the plan found. */
#ifndef FPMOVE_TESTS_EXHAUSTIVE_H
#define FPMOVE_TESTS_EXHAUSTIVE_H

#include "brute.h"
#include "number.h"

enum { MOST_INSTRS = 64, MOST_REQUESTS = 64, MOST_MAKINGS = 16, MOST_BASES = 2 * 8 * LANES, MOST_FACTORS = 32 * LANES, MOST_CHOICES = 128, ANSWERS = 1 << 15, VISITS = 1 << 16 };

/* ---- vertex.c ---- */
void vertex_inputs(struct numbers *, const struct program *vs, const struct program *ps, number input[8][LANES]);

/* ---- facts.c ---- */
struct facts {
	const struct program *ps;
	unsigned n;
	number input[8][LANES];                      /* values of the interpolators, PIXEL if none */
	number use[MOST_INSTRS][MAX_SOURCES][LANES]; /* value of each position of an operand */
	int def[MOST_INSTRS][MAX_SOURCES][LANES];    /* the instruction that wrote it, or -1 */
	number value[MOST_INSTRS][LANES];            /* values that it writes */
	lanes pixel[MOST_INSTRS];                    /* pixel lanes that an output needs */
};
/* Returns false if the program uses features that this planner does not model. */
bool facts_find(struct facts *, struct numbers *, const struct program *vs, const struct program *ps);
/* Returns whether the instruction writes an output or kills. */
bool facts_output(const struct instr *);
/* Returns the lanes that it must write if these are wanted. */
lanes facts_whole(const struct instr *, lanes wanted);

/* ---- layout.c ---- */
/* Up to four numbers, at the positions in `at`. */
struct bundle {
	lanes at;
	number n[LANES];
};
enum freedom {
	FREE,        /* the eight swizzles, negated or not */
	FREE_SCALAR, /* any lane, negated or not */
	FREE_LANE,   /* any lane */
	FIXED        /* as it stands */
};
enum { VIEWS = 16 }; /* view v of an operand: swizzle v % 8, negated from 8 on */
bool view_allowed(enum freedom, unsigned v);
/* Adds to the register the values that the operand must see through view v.  Returns false if it holds others. */
bool put_through(const struct numbers *, struct bundle *reg, const struct bundle *want, unsigned v);
bool bundle_same(const struct bundle *, const struct bundle *);
bool one_kind(const struct numbers *, const struct bundle *);

/* The operands by which one instruction, or one new instruction, reads one register directly. */
struct request {
	unsigned n;
	struct bundle part[MAX_SOURCES];
	enum freedom freedom[MAX_SOURCES];
};
/* Returns whether the register delivers all of them.  With `add` its free lanes may be filled for that. */
bool request_shown(const struct numbers *, const struct request *, struct bundle *reg, bool add);

/* ---- the search ---- */
enum how { FROM_INPUT, FROM_CONST, FROM_LINE };
struct making {
	enum how how;
	bool beside;         /* for an operand with pixel lanes: it writes lanes of `reg`, after instruction `after` */
	int reg, after;
	unsigned request;    /* FROM_INPUT: it reads part 0 of this request */
	struct bundle made;  /* values that it writes */
	struct bundle factor, offset; /* applied to that unless one or zero; FROM_LINE adds part 1 times the factor */
};

struct relation {
	number base, factor, offset;
};
struct relations {
	bool known;
	unsigned n;
	struct relation *at;
};

enum { STRAIGHT, CONSTANT, SHARE, WIDEN, KEEP, NEW_INPUT, NEW_CONST, NEW_LINE, BESIDE_INPUT, BESIDE_CONST };
struct choice {
	int8_t i, k, making;
	uint8_t what;
};

struct brute {
	struct numbers *t;
	struct facts *f;
	const struct brute_options *options;
	struct brute_result *best;
	struct arena *arena;
	struct bundle old_const[32]; /* registers the program has */
	number base[MOST_BASES];     /* values from which a new instruction may start */
	unsigned bases;
	number factor[MOST_FACTORS]; /* factors of a value that it adds from an interpolator */
	unsigned factors;
	struct relations *relations, *lines; /* by number */

	/* The choices so far. */
	lanes kept[MOST_INSTRS];     /* movable lanes that stay */
	bool straight[MOST_INSTRS];  /* texture reads whose coordinate is not r# */
	struct request request[MOST_REQUESTS];
	unsigned requests;
	struct making making[MOST_MAKINGS];
	unsigned makings;
	struct request inputs, consts; /* of the instruction being looked at */
	unsigned inputs_at;            /* index of `inputs` in `request` */
	unsigned cost;
	struct choice choice[MOST_CHOICES];
	unsigned choices;

	int at;                      /* the instruction being looked at */

	number one, zero;
	uint64_t asked[ANSWERS];     /* hashes of packed sets of requests, by slot */
	bool answer[ANSWERS];        /* whether they can be packed */
	uint64_t visited[VISITS];    /* hashes of the choices made when an instruction's turn came, by slot */
};

/* Returns a hash of the requests, whatever their order.  (layout.c) */
uint64_t requests_print(const struct brute *);
uint64_t mix(uint64_t print, uint64_t with);
uint64_t bundle_print(uint64_t print, const struct bundle *);
/* Returns whether n interpolators can deliver all requests. */
bool packs(struct brute *, unsigned n);
/* Returns a lower bound of the interpolators needed. */
unsigned fewest_registers(const struct brute *);

/* ---- told.c ---- */
/* Returns the plan, in words. */
const char *told(const struct brute *);

/* ---- supply.c ---- */
bool deliverable(const struct brute *, const struct bundle *);
/* Returns whether one constant register, old or new, can deliver the request. */
bool const_has(const struct brute *, const struct request *);
/* Returns whether the instruction can read one more constant register. */
bool port_is_free(const struct instr *);
/* Returns whether the making that reads `base` is possible, and adds its request. */
bool making_possible(struct brute *, struct making *, const struct bundle *base);
/* Returns whether each lane by itself has a base. */
bool lanes_possible(struct brute *, const struct making *);
/* Returns whether the making is possible while more lanes may join. */
bool lane_possible(struct brute *, struct making *, const struct bundle *base);
const struct relations *relations_of(struct brute *, number);
/* Returns the ways to write a number as base + factor * offset, where one interpolator carries both. */
const struct relations *lines_of(struct brute *, number);
void find_supplies(struct brute *);

#endif
