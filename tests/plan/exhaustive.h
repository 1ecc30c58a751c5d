/* Between the files of the exhaustive planner: vertex.c says what the FP gets, facts.c what it computes
 * and reads, layout.c what registers can show, supply.c what a new instruction can make, search.c tries
 * everything, told.c says what was found. */
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
	number input[8][LANES];                      /* what the interpolators carry; PIXEL: nothing */
	number use[MOST_INSTRS][MAX_SOURCES][LANES]; /* what arrives in each position */
	int def[MOST_INSTRS][MAX_SOURCES][LANES];    /* the instruction that wrote it; -1: none */
	number value[MOST_INSTRS][LANES];            /* what it writes */
	lanes pixel[MOST_INSTRS];                    /* pixel lanes that an output needs */
};
/* False: the program uses what is not modelled here. */
bool facts_find(struct facts *, struct numbers *, const struct program *vs, const struct program *ps);
/* Its effect is what the program is for. */
bool facts_output(const struct instr *);
/* Lanes that it writes if these are wanted. */
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
/* Adds to the register what the operand must see through view v; false if something else is there. */
bool put_through(const struct numbers *, struct bundle *reg, const struct bundle *want, unsigned v);
bool bundle_same(const struct bundle *, const struct bundle *);
bool one_kind(const struct numbers *, const struct bundle *);

/* What one instruction, or one new instruction, reads straight from one register. */
struct request {
	unsigned n;
	struct bundle part[MAX_SOURCES];
	enum freedom freedom[MAX_SOURCES];
};
/* Does the register show all that?  `add`: its free lanes may be filled for that. */
bool request_shown(const struct numbers *, const struct request *, struct bundle *reg, bool add);

/* ---- the search ---- */
enum how { FROM_INPUT, FROM_CONST, FROM_LINE };
struct making {
	enum how how;
	bool beside;         /* pixel lanes: it writes lanes of `reg`, after instruction `after` */
	int reg, after;
	unsigned request;    /* FROM_INPUT: whose part 0 it reads */
	struct bundle made;  /* what it writes */
	struct bundle factor, offset; /* ... and what it does with that, unless one or zero; FROM_LINE: part 1, times the factor, added */
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
	number base[MOST_BASES];     /* what a new instruction may start from */
	unsigned bases;
	number factor[MOST_FACTORS]; /* of what it adds from an interpolator */
	unsigned factors;
	struct relations *relations, *lines; /* by number */

	/* What was chosen so far. */
	lanes kept[MOST_INSTRS];     /* movable lanes that stay */
	bool straight[MOST_INSTRS];  /* texture reads whose coordinate is no r# */
	struct request request[MOST_REQUESTS];
	unsigned requests;
	struct making making[MOST_MAKINGS];
	unsigned makings;
	struct request inputs, consts; /* of the instruction being looked at */
	unsigned inputs_at;            /* `inputs` among the requests */
	unsigned cost;
	struct choice choice[MOST_CHOICES];
	unsigned choices;

	int at;                      /* the instruction being looked at */

	number one, zero;
	uint64_t asked[ANSWERS];     /* sets of requests that were packed, as they fell, */
	bool answer[ANSWERS];        /* ... and whether they could be */
	uint64_t visited[VISITS];    /* what was chosen when an instruction's turn came, as it fell */
};

/* Of the requests, whatever their order.  (layout.c) */
uint64_t requests_print(const struct brute *);
uint64_t mix(uint64_t print, uint64_t with);
uint64_t bundle_print(uint64_t print, const struct bundle *);
/* Can n interpolators deliver all requests? */
bool packs(struct brute *, unsigned n);
/* Fewer cannot. */
unsigned fewest_registers(const struct brute *);

/* ---- told.c ---- */
/* The plan, in words. */
const char *told(const struct brute *);

/* ---- supply.c ---- */
bool deliverable(const struct brute *, const struct bundle *);
/* Can one constant register, old or new, show all that?  */
bool const_has(const struct brute *, const struct request *);
/* May operands of the instruction read a constant register that they did not? */
bool port_is_free(const struct instr *);
/* Is the making possible that reads `base`?  Asks for it. */
bool making_possible(struct brute *, struct making *, const struct bundle *base);
/* Is there a base for each lane by itself? */
bool lanes_possible(struct brute *, const struct making *);
/* Is the making possible while lanes are to come? */
bool lane_possible(struct brute *, struct making *, const struct bundle *base);
const struct relations *relations_of(struct brute *, number);
/* base + factor * offset, where one interpolator carries both. */
const struct relations *lines_of(struct brute *, number);
void find_supplies(struct brute *);

#endif
