/* Runs one program on field elements, for all vertices side by side.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FIELD_RUN_H
#define FPMOVE_VERIFY_FIELD_RUN_H

#include "verify/known.h"
#include "verify/machine.h"
#include "verify/verify.h"

/* Kinds of hashed values.  The kind is part of each hash's key. */
enum field_tag {
	TAG_INPUT, TAG_CONST, TAG_RELATIVE, TAG_WEIGHT, TAG_UNWRITTEN_TEMP, TAG_UNWRITTEN_CARRIER,
	TAG_UNWRITTEN_ADDRESS, TAG_GE0, TAG_MAX, TAG_RSQ, TAG_EXP, TAG_LOG, TAG_FRC, TAG_EXP_LOW,
	TAG_LOG_EXPONENT, TAG_LOG_MANTISSA, TAG_LOG_LOW, TAG_LIT, TAG_SIN, TAG_COS, TAG_ADDRESS,
	TAG_ADDRESS_MOVA, TAG_TEXTURE, TAG_TEXTURE_BIAS, TAG_TEXTURE_LEVEL, TAG_TEXTURE_GRADIENT, TAG_DSX, TAG_DSY,
	TAG_PIXEL, TAG_INFINITY, TAG_CLAMP, TAG_DEPTH, TAG_NO_DEPTH, TAG_ROUNDED, TAG_COARSE, TAG_UNNAMED_LANE, TAG_REGION
};

/* The columns of a value: column FIELDS * v + f holds vertex v in field f. */
enum { VERTICES = 3, COLUMNS = VERTICES * FIELDS };

/* Names of interpolated inputs that mean the same in two pairs: the register's number, or in model 3 the usage. */
enum { CARRIER_NAMES = MACHINE_CARRIERS + 16 * USAGES };

/* The lanes that a pair reads although nothing wrote them. */
struct unwritten {
	lanes temp[2][MACHINE_TEMPS];      /* r#, by stage */
	lanes carrier[CARRIER_NAMES];      /* interpolated inputs, by field_run.carrier_name */
	lanes address[2];                  /* a0, by stage */
};

/* The first read of an unwritten lane in the new pair that the old pair does not have. */
struct stray {
	bool found;
	enum stage stage;
	uint32_t instr;
	enum reg_file file;
	int index;
	unsigned lane;
};

/* The number of the new pair's 2D reads for which both PLANE_AT and PLANE_ANY are tried; further ones are taken for PLANE_AT. */
enum { MOST_UNDECIDED = 6 };

/* The coordinate of a 2D read of the old pair. */
struct plane_place {
	uint64_t place[FIELDS]; /* a hash of sampler, x, y and bias */
	felt z[FIELDS];         /* 0 if no texel is compared with it */
};

/* A run of one program.  A value has one element for each column; in a pixel program it has the columns of one vertex. */
struct field_run {
	const struct program *program;
	enum stage stage;
	unsigned columns;
	uint64_t key;                  /* the trial's key, which decides every hash */
	bool small;                    /* inputs and functions are small known numbers, so that all results are known exactly */
	struct known *known;           /* the facts of the trial, which all its runs share */

	int16_t def[MACHINE_CONSTS];           /* index of the constant's def in decls, or -1 if the application sets it */
	int16_t set_from[MACHINE_CONSTS];      /* the constant of the FP that this constant of the VP is a copy of, or -1 */
	uint8_t known_lanes[MACHINE_CONSTS];   /* the lanes of `constant` that are valid in this trial */
	felt constant[MACHINE_CONSTS][LANES][FIELDS];
	/* A hash of the literals and copies of FP constants that c[a0.x + n] may reach.  If it differs in two runs, so do all of these
	 * operands. */
	uint64_t reachable;
	const struct decl *input[MACHINE_INPUTS]; /* the declaration of v#, or NULL */
	lanes input_known[MACHINE_INPUTS];        /* the lanes of `input_value` that are valid in this trial */
	felt input_value[MACHINE_INPUTS][LANES][COLUMNS];

	felt carrier[MACHINE_CARRIERS][LANES][COLUMNS]; /* carriers: the interpolated inputs of a pixel program */
	uint16_t carrier_name[MACHINE_CARRIERS][LANES]; /* one of CARRIER_NAMES */
	lanes declared[MACHINE_CARRIERS];      /* lanes that a dcl of the program names; all lanes without a dcl */
	lanes carried[MACHINE_CARRIERS];       /* lanes of `declared` that the VP wrote */
	lanes carried_number[MACHINE_CARRIERS]; /* lanes to which the VP wrote a known number, at the first vertex */
	unsigned centroid;                     /* a bit for each carrier that is sampled at the centroid, as v# always is */
	unsigned partial;                      /* a bit for each carrier that is interpolated _pp */

	uint32_t at;                   /* the instruction that is running */
	felt temp[MACHINE_TEMPS][LANES][COLUMNS];
	felt regions[COLUMNS];                 /* a hash of all that regions have read so far, see lang/outline.h */
	lanes temp_written[MACHINE_TEMPS];
	lanes temp_number[MACHINE_TEMPS];      /* lanes that hold a known number in the first column */
	const float (*rounding)[LANES];        /* for each instruction as find_rounding() finds it; NULL if none rounds */
	bool follows;                          /* it runs the new pair after the old one, and rounds only values that the old one rounds */
	bool roots;                            /* the program has nrm or rsq: known factors are taken out of roots */
	bool scales;                           /* the current instruction may multiply by a number: its results are noted as multiples */
	bool coarse;                           /* each result of a _pp instruction is replaced by a hash of itself, see precision.c */
	bool literal;                          /* operands of the current instruction may be numbers: results are computed exactly, too */
	felt address[LANES][COLUMNS];
	lanes address_written;
	felt scratch[MAX_SOURCES * LANES][COLUMNS]; /* operands that differ from any register, as negated ones do */

	felt (*trace)[LANES][COLUMNS]; /* gets the result lanes of each instruction; NULL if they are not wanted */

	felt out[MACHINE_OUTPUTS][LANES][COLUMNS];
	lanes out_written[MACHINE_OUTPUTS];
	lanes out_number[MACHINE_OUTPUTS];     /* lanes that hold a known number in the first column */
	uint32_t writer[MACHINE_OUTPUTS][LANES]; /* the instruction that last wrote the lane */
	felt (*kill)[LANES][COLUMNS];  /* the operand of each texkill, with .w, which some drivers test; NULL if there is no texkill */
	uint32_t *killer;              /* the instruction number of each texkill */
	uint32_t kills;

	/* The enum plane_read of each instruction: given by plane_reads() for the old pair, found by the run of the new pair.  NULL
	 * if no .z of a 2D read is compared. */
	uint8_t *plane;
	struct plane_place *places;    /* the 2D reads of the old pair, by instruction */
	const struct field_run *like;  /* for the new pair, the run of the old pair's FP; else NULL */
	unsigned undecided;            /* the number of the new pair's reads that may be PLANE_AT or PLANE_ANY */
	unsigned choice;               /* a bit for each undecided read, in their order: set if it is taken for PLANE_ANY */
	struct unwritten *unwritten;   /* gets the unwritten lanes that are read */
	const struct unwritten *allowed; /* the unwritten lanes that may be read, those of the old pair; NULL if all may */
	struct stray *stray;           /* gets the first read that is not allowed */
};

/* Loads the program and resets the run.  The caller sets the trial, known, unwritten, allowed and stray.  Compares no .z of 2D reads. */
void field_run_load(struct arena *, struct field_run *, const struct program *);
/* Prepares the next run, with this key. */
void field_run_trial(struct field_run *, uint64_t key);
/* Runs the program, from its inputs to `out` and `kill`. */
void field_run(struct field_run *);
/* Returns a message if the program breaks a rule that every parsed and checked program keeps, so that it must not be run; else NULL. */
const char *field_malformed(struct arena *, const struct program *, enum stage);

static inline uint64_t keyed(uint64_t key, enum field_tag tag, uint64_t value)
{
	return field_mix(key + (uint64_t)tag, value);
}

#endif
