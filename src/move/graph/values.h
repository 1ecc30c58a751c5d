/* What the FP's lanes are worth: constant, affine in the interpolated inputs, or pixel.
 *
 * Every lane that an instruction writes gets a value number.  Equal numbers mean equal
 * values of real arithmetic: a constant or affine value is known by its fingerprint, its
 * value at a random point of two prime fields, so it does not matter how it was written.
 * The mover's own arithmetic; the proof in src/verify does not rely on it. */
#ifndef FPMOVE_MOVE_GRAPH_VALUES_H
#define FPMOVE_MOVE_GRAPH_VALUES_H

#include "move/graph/evaluate.h"

typedef worth value_id;
#define NO_VALUE NO_WORTH

/* Constant, affine or pixel, which decides whether it may move: see class.c. */
enum value_class { VALUE_CONST, VALUE_AFFINE, VALUE_PIXEL };
/* Numbers the lanes of the FP at hand, each by its class; a pixel value equals no other. */
extern const struct domain value_numbers;

/* How a constant is made.  The sources of a CONST_DP3 are a.x b.x a.y b.y a.z b.z. */
enum const_op {
	CONST_LITERAL, /* a def's lane */
	CONST_RAW,     /* a lane of an application constant, or of one that the VP has */
	CONST_ADD, CONST_MUL, CONST_MAD, CONST_NEG, CONST_DP3, CONST_DP4,
	CONST_RCP, CONST_RSQ, CONST_EXP, CONST_LOG, CONST_FRC, CONST_MAX, CONST_MIN, CONST_ABS,
	CONST_CMP,     /* a >= 0 ? b : c */
	CONST_POW, CONST_SAT,
	CONST_COS, CONST_SIN /* sincos by the defs of c`reg` and c`lane` */
};

struct fingerprint {
	uint32_t a, b;
};

/* In the field of `a`: x / y, x y, x - y, x - y z. */
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
	uint16_t input; /* 4 * t# + lane of one of the independent inputs; vertex_inputs.c numbers others behind */
	value_id coef;  /* VALUE_CONST */
};

/* The kind of interpolation: INSTR_PP and INSTR_CENTROID of the t# dcls below; KIND_MIXED + t# where the
 * programs declare that t# in several ways; a constant rides in any. */
enum { KIND_MIXED = 8, KIND_ANY = 0x80 };
/* May values of both kinds ride in one register? */
static inline bool kinds_share(uint8_t a, uint8_t b)
{
	return a == b || a == KIND_ANY || b == KIND_ANY;
}

/* Why a digit more or less would show: an exact number decides (ties.h), or an affine value divides another (quotients.c). */
enum tied { NOT_TIED, TIED_EXACT, TIED_QUOTIENT };

/* In four parts: what it is, why it may stay all the same (class.c), and how a constant and an affine value are made. */
struct value {
	uint8_t class;   /* enum value_class */
	uint8_t kind;    /* of an affine value; KIND_ANY for constants */
	struct fingerprint print;
	value_id minus;  /* 1 + its negation; 0: not asked for yet */
	struct {
		bool app;    /* needs a constant that the application sets for the FP */
		bool withheld; /* ... and that the VP cannot have, see program.withheld */
		bool sent;   /* made of constants that the VP has and the FP has not, which came through an interpolator: no number is
		              * exact behind that, and only the VP can compute it */
		bool beyond; /* needs a constant of the FP that no expression for the application names, see needs.h */
		bool wild;   /* made of something that no float can hold, such as 1 / 0: never moved */
		uint8_t tied; /* enum tied: no interpolator may bring it */
		bool rounds; /* float arithmetic rounds it, or sums with it, see lang/rounding.h: no interpolator brings it */
		bool stuck;  /* nothing but the FP's own instructions can bring it, as the planner found */
	};
	struct { /* of a constant; offset and scale also of an affine value */
		bool known;         /* a number: made of literals only */
		bool infinite;      /* may be infinite although the application's numbers are not, so that 0 times it may not be 0 */
		uint8_t op;         /* enum const_op, which makes it of these: */
		uint8_t nargs;
		uint8_t lane;
		int32_t reg;        /* CONST_COS, CONST_SIN: see there; CONST_RAW: PROGRAM_CONSTS * program + c#, behind those of all
		                     * programs the VP's own c# */
		value_id *args;
		long double number; /* if known */
		float rounded;      /* ... as float arithmetic has it */
		double offset, scale; /* unless it is known: scale times what is of size 1, plus a number */
	};
	struct { /* of an affine value: the sum of its terms and a constant */
		struct term *terms; /* by input; never empty */
		uint32_t nterms;
		value_id constant;
	};
};

enum { PROGRAM_CONSTS = 224 /* of ps_3_0 */ };

/* Instructions that leave the same values in the same lanes, of which one is to be chosen. */
enum { MOST_ALTERNATIVES = 8 };
struct site {
	unsigned n;
	const char *rule[MOST_ALTERNATIVES]; /* that wrote it; NULL: the root */
	uint32_t at[MOST_ALTERNATIVES]; /* the root, which is as given and which all readers name; then others, right before it */
};
struct sites {
	VEC(struct site);
	uint32_t *of; /* of each instruction: 1 + the number of the site that it belongs to; 0: none */
	bool *added;  /* it is an alternative, or serves one: the FP as given does without */
};

/* The lanes of one FP. */
struct numbering {
	const struct program *ps;
	const struct sites *sites; /* NULL: there are no alternatives */
	const struct program *given; /* what it was made of, at -O3: constants that this alone reads are the application's, too */
	struct use (*use)[MAX_SOURCES];
	value_id (*def)[LANES];
	uint8_t flags[MOST_TEXCOORDS]; /* of each t#'s dcl */
};

/* What interpolators bring: of each t#, or of each t# lane, 4 * t# + lane. */
struct inputs {
	value_id value[MOST_TEXCOORDS * LANES]; /* of a lane that an FP reads, in independent inputs; NO_VALUE: not followed */
	value_id last; /* the highest number among them */
	struct { double offset, scale; } size[MOST_TEXCOORDS * LANES]; /* as in a value; scale 0: nothing is known */
	bool chosen[MOST_TEXCOORDS * LANES]; /* the VP compares constants for it (sge, slt), so that it may be exactly 0 */
	uint8_t kind[MOST_TEXCOORDS];
	uint32_t opaque[MOST_TEXCOORDS]; /* lanes that a VP does not write, which are pixel values */
	bool uneven;                /* an FP reads a lane that one VP writes and another does not */
};

struct value_table; /* finds what was made before, see values_inside.h */

/* Of one FP, or of several that are planned together: then the constants that the application
 * sets for one are not those of another.  One is at hand at a time, the first to begin with. */
struct values {
	struct arena *arena;
	struct { VEC(struct value); } all;
	struct value_table *table;
	struct inputs inputs;
	struct numbering *numbering;    /* of each FP; */
	unsigned program, programs;     /* the number of the one at hand, and how many there are; */
	const struct program *ps;       /* ... its program, */
	struct use (*use)[MAX_SOURCES]; /* ... [instruction][source] */
	value_id (*def)[LANES];         /* ... and [instruction][lane]: NO_VALUE if not written */
	bool rounds;         /* a sum was asked for that float arithmetic rounds */
	bool refused;        /* a sum or product was not made for that reason, or since it is of such */
	bool careful;        /* the programs round: no number that is FAR_APART of what it is added to is in a value that moves, nor is a
	                      * constant brought by an interpolator, which may be a little off */
	bool sincos;         /* sincos of constants is one, which no vs_1_1 can compute */
	bool apart;          /* what a VP makes of literals, but for 0, is an input like others, not the FP's literal that it equals */
	value_id zero, one;
	value_id unknown;    /* a pixel value that equals nothing */
};

/* No values yet.  `careful`: see there. */
struct values *values_new(struct arena *, const struct program *, bool careful);

/* The VPs tell what the interpolators carry.  `options`: of all VPs; NULL: sincos is no value, and nothing is tied. */
struct move_options;
struct values *values_number_all(struct arena *, const struct program *const *vs, unsigned nvs,
                                 const struct program *const *ps, unsigned nps, const struct move_options *options);
/* The same of FPs with alternatives; `sites`: of each FP. */
struct values *values_number_sites(struct arena *, const struct program *const *vs, unsigned nvs,
                                   const struct program *const *ps, const struct sites *sites, unsigned nps,
                                   const struct move_options *options);
struct values *values_number(struct arena *, const struct program *vs, const struct program *ps);
/* The same, but what the VP makes of literals, other than 0, is an input like others.  `known`: what values_number() found, which is
 * the same where the VP makes nothing of literals; or NULL. */
struct values *values_number_apart(struct arena *, const struct program *vs, const struct program *ps, struct values *known);
/* Fills `inputs.value` and `inputs.size`; `read`: of each t#. */
void values_find_inputs(struct values *, const struct program *vs, const lanes read[MOST_TEXCOORDS]);
/* Brings another program to hand. */
void values_turn(struct values *, unsigned program);
/* INSTR_PP and INSTR_CENTROID that a t# of this kind is declared with, in the program at hand. */
uint8_t value_kind_flags(const struct values *, uint8_t kind);

value_id value_negated(struct values *, value_id);
value_id value_sum(struct values *, value_id, value_id);
value_id value_product(struct values *, value_id, value_id); /* NO_VALUE unless one of them is constant */
/* Can it be a lane of a constant register: a def's or, with `preshader`, one that the application computes? */
static inline bool value_is_settable(const struct value *x, bool preshader)
{
	return x->known || (preshader && x->class == VALUE_CONST && !x->wild && !x->sent && !x->beyond);
}
/* -value, if it exists already; NO_VALUE otherwise. */
value_id value_find_negated(const struct values *, value_id);
/* A function of constants. */
value_id value_make(struct values *, enum const_op, const value_id *args, unsigned n);
value_id value_function(struct values *, enum const_op, value_id a, value_id b, value_id c); /* NO_VALUE: no such argument */
/* The cosine (lane x) or sine (y) of a constant, as sincos has them with these two defs. */
value_id value_of_sincos(struct values *, value_id angle, unsigned lane, const struct decl *, const struct decl *);
value_id value_new_pixel(struct values *); /* equals no other */
value_id value_of_input(struct values *, unsigned input, uint8_t kind);
value_id value_of_literal(struct values *, float);
value_id value_of_constant(struct values *, int reg, unsigned lane); /* not def'd, of the program at hand */
value_id value_of_raw(struct values *, int reg, unsigned lane);      /* the same by `reg` of a value */
/* `reg` of the VP's own c0. */
static inline int values_own(const struct values *v)
{
	return PROGRAM_CONSTS * (int)v->programs;
}
static inline const struct value *value_at(const struct values *v, value_id id)
{
	return &v->all.at[id];
}
/* Neither constant nor affine; also of NO_VALUE, of which nothing is known. */
static inline bool value_is_pixel(const struct values *v, value_id id)
{
	return id == NO_VALUE || v->all.at[id].class == VALUE_PIXEL;
}
/* Constant or affine, and nothing that was found so far keeps it in the FP, see class.c. */
static inline bool value_may_move(const struct values *v, value_id id)
{
	return !value_is_pixel(v, id) && !v->all.at[id].wild && !v->all.at[id].stuck;
}
/* Operand `s` of instruction `at` of the program at hand. */
struct operand {
	uint32_t at;
	unsigned s;
};
/* Its positions that read what instruction `def` writes. */
lanes operand_reads(const struct values *, struct operand, uint32_t def);
/* The next operand from *o on that reads something of what `def` writes; false: there is none. */
bool next_reader(const struct values *, uint32_t def, struct operand *o);
/* Does no other operand read anything of it? */
bool is_sole_reader(const struct values *, uint32_t def, struct operand);

/* Can an interpolator bring it, by what it is?  (Whether the VP has room for it the search knows, cut/may_move.c.) */
bool value_rides(const struct values *, value_id, const struct move_options *);
/* A constant of the new program has these values: by a def, of which is noted how its literals were folded (nothing of an old
 * one), or, if `preset`, by a note of what the application computes.  False: an expression is too large. */
struct folds;
bool value_add_constant(struct values *, const value_id value[LANES], bool preset, int reg, struct program *new, struct folds *);
/* An affine value that the VP delivers as it is: the first such lane, 4 * t# + lane, or -1. */
int value_raw_input(const struct values *, value_id);
/* Marks it and its opposite as tied.  What the VP sends as it is may go on to be sent. */
void value_tie(struct values *, value_id, enum tied why);

#endif
