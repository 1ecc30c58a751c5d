/* Numbers the values of an FP's lanes.  A value is constant, affine (constants times interpolated inputs, plus a constant), or pixel (anything else).
 *
 * Every lane that an instruction writes gets a value number.  Equal numbers mean equal values in real arithmetic: constant or affine
 * values are equal if their fingerprints are, which are their values at a random point in two prime fields.  So it does not matter how the
 * program computes them.  The proof in src/verify does not rely on this arithmetic. */
#ifndef FPMOVE_MOVE_GRAPH_VALUES_H
#define FPMOVE_MOVE_GRAPH_VALUES_H

#include "move/graph/evaluate.h"

typedef worth value_id;
#define NO_VALUE NO_WORTH

/* The class of a value.  Pixel values cannot move to the VP; the others can, with exceptions, see class.c. */
enum value_class { VALUE_CONST, VALUE_AFFINE, VALUE_PIXEL };
/* The functions by which evaluate() numbers the lanes of the current FP; each pixel value gets a number of its own. */
extern const struct domain value_numbers;

/* The function by which a constant is computed.  The sources of a CONST_DP3 are a.x b.x a.y b.y a.z b.z. */
enum const_op {
	CONST_LITERAL, /* a number, such as a lane of a def */
	CONST_RAW,     /* a lane of a constant register of the FP or the VP that the application sets */
	CONST_ADD, CONST_MUL, CONST_MAD, CONST_NEG, CONST_DP3, CONST_DP4,
	CONST_RCP, CONST_RSQ, CONST_EXP, CONST_LOG, CONST_FRC, CONST_MAX, CONST_MIN, CONST_ABS,
	CONST_CMP,     /* a >= 0 ? b : c */
	CONST_POW, CONST_SAT,
	CONST_COS, CONST_SIN /* cosine and sine as sincos computes them with the defs of two c#, `reg` and `lane` of struct value */
};

struct fingerprint {
	uint32_t a, b;
};

/* Return x / y, x y, x - y and x - y z in the prime field of fingerprint.a. */
#define FINGERPRINT_PRIME 2147483647u
uint32_t fingerprint_quotient(uint32_t x, uint32_t y);
static inline uint32_t fingerprint_product(uint32_t x, uint32_t y)
{
	return (uint32_t)((uint64_t)x * y % FINGERPRINT_PRIME);
}
static inline uint32_t fingerprint_difference(uint32_t x, uint32_t y)
{
	return x >= y ? x - y : x + (FINGERPRINT_PRIME - y);
}
static inline uint32_t fingerprint_minus(uint32_t x, uint32_t y, uint32_t z)
{
	return fingerprint_difference(x, fingerprint_product(y, z));
}

struct term {
	uint16_t input; /* 4 * t# + lane of an independent input; in vertex_inputs.c, higher numbers are inputs, constants and functions of the VP */
	value_id coef;  /* a value of class VALUE_CONST */
};

/* Kinds of interpolation.  A kind below KIND_MIXED consists of the flags INSTR_PP and INSTR_CENTROID of the t#'s dcl.  If FPs that are planned
 * together declare a t# with different flags, its kind is KIND_MIXED + n, where t#n has the same flags in each FP.  Constants have KIND_ANY. */
enum { KIND_MIXED = 8, KIND_ANY = 0x80 };
/* Returns true if values of both kinds may share an interpolator. */
static inline bool kinds_share(uint8_t a, uint8_t b)
{
	return a == b || a == KIND_ANY || b == KIND_ANY;
}

/* Why a wrong last digit would be visible: a decision depends on the exact number (ties.h), or the value is divided by a proportional
 * one, or divides it (quotients.c). */
enum tied { NOT_TIED, TIED_EXACT, TIED_QUOTIENT };

/* A value: its identity, reasons why it may have to stay in the FP although its class may move (class.c), the computation of a constant,
 * and the terms of an affine value. */
struct value {
	uint8_t class;   /* enum value_class */
	uint8_t kind;    /* kind of interpolation of an affine value; KIND_ANY for constants */
	struct fingerprint print;
	value_id minus;  /* 1 + the number of its negation, or 0 if that was not computed yet */
	struct {
		bool app;    /* computed from a constant that the application sets for the FP */
		bool withheld; /* computed from a constant of the FP that the VP cannot have, see program.withheld */
		bool sent;   /* computed from constants of the VP that came through an interpolator: it is no exact number, and only the VP
		              * can compute it */
		bool beyond; /* computed from a constant c# of the FP with # >= NEEDS_CONSTS, so that an expression for the application cannot
		              * name it, see needs.h */
		bool wild;   /* never moved: no normal float holds it or an operand of it (1 / 0, say), or float arithmetic rounds it by too much */
		uint8_t tied; /* enum tied; unless NOT_TIED, no interpolator may deliver it */
		bool rounds; /* no interpolator delivers it: float arithmetic rounds it, an operand of it, or sums with it, see lang/rounding.h */
		bool stuck;  /* never moved: the planner found that only the FP's own instructions can compute it */
	};
	struct { /* fields of a constant; `offset` and `scale` are set for affine values, too */
		bool known;         /* its number is known, because it is computed from literals only */
		bool infinite;      /* may be infinite although the application's constants are finite, so that 0 times it may be NaN */
		uint8_t op;         /* enum const_op: the function that computes it from `args` */
		uint8_t nargs;
		uint8_t lane;       /* CONST_RAW: lane of the constant register; CONST_COS, CONST_SIN: register of the second def */
		int32_t reg;        /* CONST_RAW: PROGRAM_CONSTS * number of the FP + c#, or values_own() + c# for constants of the VP; CONST_COS, CONST_SIN:
		                     * register of the first def */
		value_id *args;
		long double number; /* the number, if it is known */
		float rounded;      /* the same number as float arithmetic computes it */
		double offset, scale; /* unless `known`, its assumed size: `offset` plus `scale` times a number of size 1 */
	};
	struct { /* fields of an affine value: the sum of its terms and a constant */
		struct term *terms; /* in the order of their inputs; never empty */
		uint32_t nterms;
		value_id constant;
	};
};

enum { PROGRAM_CONSTS = 224 /* number of c# of ps_3_0 */ };

/* A site: an instruction of the FP for which rules found alternatives, which compute the same values in the same lanes.  The search chooses one of
 * them. */
enum { MOST_ALTERNATIVES = 8 };
struct site {
	unsigned n;
	const char *rule[MOST_ALTERNATIVES]; /* the rule that wrote each alternative; NULL for the given instruction */
	uint32_t at[MOST_ALTERNATIVES]; /* at[0] is the given instruction (the root), whose register all readers read; the others are its
	                                 * alternatives, which stand right before it in the program */
};
struct sites {
	VEC(struct site);
	uint32_t *of; /* [instruction]: 1 + the number of its site, or 0 if it belongs to none */
	bool *added;  /* [instruction]: it is not of the given FP, but an alternative, or computes an operand of alternatives */
};

/* The value numbers of one FP. */
struct numbering {
	const struct program *ps;
	const struct sites *sites; /* NULL if there are no alternatives */
	const struct program *given; /* at -O3, the FP that `ps` was made from; the application sets the constants that only `given` reads, too */
	struct use (*use)[MAX_SOURCES];
	value_id (*def)[LANES];
	uint8_t flags[MOST_TEXCOORDS]; /* the flags INSTR_PP and INSTR_CENTROID of each t#'s dcl */
};

/* The values that interpolators deliver.  Arrays of MOST_TEXCOORDS are indexed by t#, the others by 4 * t# + lane. */
struct inputs {
	value_id value[MOST_TEXCOORDS * LANES]; /* value of a t# lane that an FP reads: an independent input, affine in others, or a constant; NO_VALUE
	                                         * if the lane is not read or nothing is known of it */
	value_id last; /* the highest value number in `value` */
	struct { double offset, scale; } size[MOST_TEXCOORDS * LANES]; /* assumed size, as in struct value; scale is 0 if it is not known */
	bool chosen[MOST_TEXCOORDS * LANES]; /* the VP computes it by comparing constants (sge, slt), so that it may be exactly 0 */
	uint8_t kind[MOST_TEXCOORDS];
	uint32_t opaque[MOST_TEXCOORDS]; /* lanes that some VP does not write, so that they are pixel values */
	bool uneven;                /* some FP reads a t# lane that one VP writes and another does not */
};

struct value_table; /* the hash table and caches of values.c, see values_inside.h */

/* The values of one FP, or of several FPs that are planned together; the application sets the constants of each FP separately.
 * One FP at a time is the current one, first FP 0; values_turn() chooses another. */
struct values {
	struct arena *arena;
	struct { VEC(struct value); } all;
	struct value_table *table;
	struct inputs inputs;
	struct numbering *numbering;    /* the value numbers of each FP */
	unsigned program, programs;     /* the number of the current FP, and how many FPs there are */
	const struct program *ps;       /* the current FP */
	struct use (*use)[MAX_SOURCES]; /* [instruction][source] of the current FP */
	value_id (*def)[LANES];         /* [instruction][lane] of the current FP; NO_VALUE if the lane is not written */
	bool rounds;         /* float arithmetic rounds a sum or number that was requested */
	bool refused;        /* float arithmetic rounds a sum or product of the current lane, or one of its operands, so that it has no number */
	bool careful;        /* float arithmetic rounds a sum of the programs.  Then no value moves in which a summand is FAR_APART times another,
	                      * and no interpolator delivers a constant, since its last digit might be wrong */
	bool sincos;         /* sincos of a constant counts as a constant, since the application can compute it (move_options.preshader), while
	                      * a vs_1_1 cannot */
	bool apart;          /* a t# lane to which the VP writes a literal other than 0 counts as an independent input, not as that literal */
	value_id zero, one;
	value_id unknown;    /* a pixel value that equals nothing */
};

/* Returns a table with the values 0, 1 and `unknown` only. */
struct values *values_new(struct arena *, const struct program *, bool careful);

/* Numbers all lanes of the FPs.  The values of t# lanes follow from what the VPs write.  If `options` is NULL, sincos gives a pixel value and no
 * value is tied. */
struct move_options;
struct values *values_number_all(struct arena *, const struct program *const *vs, unsigned nvs,
                                 const struct program *const *ps, unsigned nps, const struct move_options *options);
/* Numbers all lanes of FPs that contain alternatives; sites[k] lists those of FP k.  `sites` is NULL if there are none. */
struct values *values_number_sites(struct arena *, const struct program *const *vs, unsigned nvs,
                                   const struct program *const *ps, const struct sites *sites, unsigned nps,
                                   const struct move_options *options);
struct values *values_number(struct arena *, const struct program *vs, const struct program *ps);
/* Numbers the lanes of one FP with values.apart set and values.careful not set.  `known` is the result of values_number() or NULL; it is returned if
 * it would be the same, since the VP delivers no literals and it is not careful. */
struct values *values_number_apart(struct arena *, const struct program *vs, const struct program *ps, struct values *known);
/* Fills inputs.value, inputs.size and inputs.chosen from what the VP computes.  `read` holds the lanes of each t# that an FP reads. */
void values_find_inputs(struct values *, const struct program *vs, const lanes read[MOST_TEXCOORDS]);
/* Makes FP number `program` the current one. */
void values_turn(struct values *, unsigned program);
/* Returns the flags INSTR_PP and INSTR_CENTROID with which the current FP declares a t# of this kind. */
uint8_t value_kind_flags(const struct values *, uint8_t kind);

value_id value_negated(struct values *, value_id);
value_id value_sum(struct values *, value_id, value_id);
value_id value_product(struct values *, value_id, value_id); /* NO_VALUE unless one factor is constant and the other one constant or affine */
/* Returns true if a lane of a constant register can hold the value: a def if its number is known or, with `preshader`, one that the application
 * computes. */
static inline bool value_is_settable(const struct value *x, bool preshader)
{
	return x->known || (preshader && x->class == VALUE_CONST && !x->wild && !x->sent && !x->beyond);
}
/* Returns the negation of the value if it has a number already, else NO_VALUE. */
value_id value_find_negated(const struct values *, value_id);
/* Return the value of a function of constants. value_function() takes up to three arguments; the others are NO_VALUE. */
value_id value_make(struct values *, enum const_op, const value_id *args, unsigned n);
value_id value_function(struct values *, enum const_op, value_id a, value_id b, value_id c);
/* Returns the cosine (lane x) or sine (lane y) of a constant, as sincos computes them with these two defs. */
value_id value_of_sincos(struct values *, value_id angle, unsigned lane, const struct decl *, const struct decl *);
value_id value_new_pixel(struct values *); /* a pixel value that equals no other value */
value_id value_of_input(struct values *, unsigned input, uint8_t kind);
value_id value_of_literal(struct values *, float);
/* Return the value of lane `lane` of a constant that has no def: of the current FP's c`reg`, or of any program's constant, with `reg` as in struct
 * value. */
value_id value_of_constant(struct values *, int reg, unsigned lane);
value_id value_of_raw(struct values *, int reg, unsigned lane);
/* Returns the number that stands for the VP's c0 in `reg` of struct value. */
static inline int values_own(const struct values *v)
{
	return PROGRAM_CONSTS * (int)v->programs;
}
static inline const struct value *value_at(const struct values *v, value_id id)
{
	return &v->all.at[id];
}
/* Returns true if the value is neither constant nor affine, and for NO_VALUE, of which nothing is known. */
static inline bool value_is_pixel(const struct values *v, value_id id)
{
	return id == NO_VALUE || v->all.at[id].class == VALUE_PIXEL;
}
/* Returns true if the value is constant or affine and neither wild nor stuck, so that an instruction that computes it may leave the FP. */
static inline bool value_may_move(const struct values *v, value_id id)
{
	return !value_is_pixel(v, id) && !v->all.at[id].wild && !v->all.at[id].stuck;
}
/* Operand `s` of instruction `at` of the current FP. */
struct operand {
	uint32_t at;
	unsigned s;
};
/* Returns the positions at which the operand reads a result of instruction `def`. */
lanes operand_reads(const struct values *, struct operand, uint32_t def);
/* Advances *o to the first operand, from *o on, that reads a result of instruction `def`.  Returns false if there is none. */
bool next_reader(const struct values *, uint32_t def, struct operand *o);
/* Returns true if no other operand reads a result of instruction `def`. */
bool is_sole_reader(const struct values *, uint32_t def, struct operand);

/* Returns true if an interpolator may deliver the value to the FP.  Does not ask if the VP has registers and slots left. */
bool value_rides(const struct values *, value_id, const struct move_options *);
/* Puts value[lane] into each lane of constant register `reg` of the new program, except lanes with NO_VALUE.  Adds a def, and to `folds` an
 * expression for each lane that is no literal.  If `preset`, adds no def, but an expression for each lane, which the application has to compute.
 * Returns false if an expression needs too many temporaries. */
struct folds;
bool value_add_constant(struct values *, const value_id value[LANES], bool preset, int reg, struct program *new, struct folds *);
/* Returns the first t# lane, as 4 * t# + lane, in which the VP delivers this affine value, or -1 if there is none. */
int value_raw_input(const struct values *, value_id);
/* Marks the value and its negation as tied, so that no interpolator may deliver them.  Does nothing if the VP delivers the value already, and does
 * not mark a negation that the VP delivers already. */
void value_tie(struct values *, value_id, enum tied why);

#endif
