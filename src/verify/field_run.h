/* One program run on field elements, for all vertices side by side.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FIELD_RUN_H
#define FPMOVE_VERIFY_FIELD_RUN_H

#include "verify/known.h"
#include "verify/machine.h"
#include "verify/verify.h"

/* What the hashes are keyed by. */
enum field_tag {
	TAG_INPUT, TAG_CONST, TAG_RELATIVE, TAG_WEIGHT, TAG_UNWRITTEN_TEMP, TAG_UNWRITTEN_CARRIER,
	TAG_UNWRITTEN_ADDRESS, TAG_GE0, TAG_MAX, TAG_RSQ, TAG_EXP, TAG_LOG, TAG_FRC, TAG_EXP_LOW,
	TAG_LOG_EXPONENT, TAG_LOG_MANTISSA, TAG_LOG_LOW, TAG_LIT, TAG_SIN, TAG_COS, TAG_ADDRESS,
	TAG_ADDRESS_MOVA, TAG_TEXTURE, TAG_TEXTURE_BIAS, TAG_TEXTURE_LEVEL, TAG_TEXTURE_GRADIENT, TAG_DSX, TAG_DSY, TAG_PIXEL, TAG_INFINITY, TAG_CLAMP, TAG_DEPTH, TAG_NO_DEPTH, TAG_ROUNDED, TAG_COARSE, TAG_UNNAMED_LANE, TAG_REGION
};

/* A value's columns: column FIELDS * v + f is vertex v in field f. */
enum { VERTICES = 3, COLUMNS = VERTICES * FIELDS };

/* An interpolated input as programs know it: by number, in model 3 by usage, so that it is one and the same in two pairs. */
enum { CARRIER_NAMES = MACHINE_CARRIERS + 16 * USAGES };

/* Lanes read although nothing wrote them. */
struct unwritten {
	lanes temp[2][MACHINE_TEMPS];      /* by stage */
	lanes carrier[CARRIER_NAMES];      /* see field_run.carrier_name */
	lanes address[2];
};

/* Where a read that the old pair did not make was seen first. */
struct stray {
	bool found;
	enum stage stage;
	uint32_t instr;
	enum reg_file file;
	int index;
	unsigned lane;
};

enum { MOST_UNDECIDED = 6 }; /* more of a new pair's reads that can be of either kind are all taken for one */
/* Where a 2D read of the old pair is. */
struct plane_place {
	uint64_t place[FIELDS]; /* sampler, x, y and a bias */
	felt z[FIELDS];         /* 0 if it does not count */
};

/* One program and what it is run on.  A value is one element for each column: of a pixel program
 * only vertex 0's, so to speak. */
struct field_run {
	const struct program *program;
	enum stage stage;
	unsigned columns;
	uint64_t key;                  /* of the trial: decides every hash */
	bool small;                    /* inputs and functions give small numbers, so that what becomes of them is known */
	struct known *known;           /* of the trial, which all its runs share */

	int16_t def[MACHINE_CONSTS];           /* index into decls, or -1: set by the application */
	int16_t set_from[MACHINE_CONSTS];      /* the FP constant that this VP constant holds a copy of, or -1 */
	uint8_t known_lanes[MACHINE_CONSTS];   /* the lanes of `constant` that are valid in this trial */
	felt constant[MACHINE_CONSTS][LANES][FIELDS];
	/* Hash of what is fixed among the constants that c[a0.x + n] may reach: literals, and copies
	 * of FP constants.  The run that a proof compares with another must have the same. */
	uint64_t reachable;
	const struct decl *input[MACHINE_INPUTS]; /* the declaration of v#, or NULL */
	lanes input_known[MACHINE_INPUTS];
	felt input_value[MACHINE_INPUTS][LANES][COLUMNS];

	felt carrier[MACHINE_CARRIERS][LANES][COLUMNS]; /* interpolated inputs of a pixel program */
	uint16_t carrier_name[MACHINE_CARRIERS][LANES];
	lanes declared[MACHINE_CARRIERS];      /* lanes of it that the program takes; all without a dcl */
	lanes carried[MACHINE_CARRIERS];       /* ... of these, the ones that the VP wrote */
	lanes carried_number[MACHINE_CARRIERS]; /* ... numbers made of literals to, at the first vertex */
	unsigned centroid;                     /* a bit for each that comes centroid-sampled: v# always do */
	unsigned partial;                      /* a bit for each that is interpolated _pp */

	uint32_t at;                   /* the instruction that is running */
	felt temp[MACHINE_TEMPS][LANES][COLUMNS];
	felt regions[COLUMNS]; /* what regions have read so far, see lang/outline.h */
	lanes temp_written[MACHINE_TEMPS];
	lanes temp_number[MACHINE_TEMPS];      /* whose exact number is known, in the first column */
	const float (*rounding)[LANES];       /* of each instruction, as find_rounding says; NULL: of none */
	bool follows;                          /* of the new pair: rounds nothing but what the old one did, which has run */
	bool roots;                            /* it takes roots, out of which numbers are taken */
	bool scales;                           /* the instruction may multiply by a number: its results are noted as multiples */
	bool coarse;                           /* each result of a _pp instruction is a hash of itself, see precision.c */
	bool literal;                          /* the instruction's operands are such: its results become known */
	felt address[LANES][COLUMNS];
	lanes address_written;
	felt scratch[MAX_SOURCES * LANES][COLUMNS]; /* operands that stand nowhere as they are read */

	felt (*trace)[LANES][COLUMNS]; /* gets what each instruction made of each lane that it writes; NULL: it is not wanted */

	felt out[MACHINE_OUTPUTS][LANES][COLUMNS];
	lanes out_written[MACHINE_OUTPUTS];
	lanes out_number[MACHINE_OUTPUTS];
	uint32_t writer[MACHINE_OUTPUTS][LANES];
	felt (*kill)[LANES][COLUMNS];  /* each texkill's operand, in order; w too, for drivers that test it; NULL: there is none */
	uint32_t *killer;              /* the texkill */
	uint32_t kills;

	/* What plane_reads says: given for the old pair, and found by the run of the new one, which is `like` that of the
	 * old one.  NULL: .z of 2D reads counts nowhere. */
	uint8_t *plane;
	struct plane_place *places;    /* of the old pair's */
	const struct field_run *like;
	unsigned undecided;            /* reads of the new pair that can be PLANE_AT or PLANE_ANY, */
	unsigned choice;               /* ... and a bit for each, in their order, that is PLANE_ANY */
	struct unwritten *unwritten;   /* gets every such read */
	const struct unwritten *allowed; /* the reads the old pair makes; NULL: all are */
	struct stray *stray;
};

/* Sets the program and all that goes with it but the trial, known, unwritten, allowed and stray; no .z of 2D reads counts. */
void field_run_load(struct arena *, struct field_run *, const struct program *);
/* Makes the next run one with this key. */
void field_run_trial(struct field_run *, uint64_t key);
/* From the inputs to `out` and `kill`. */
void field_run(struct field_run *);
/* NULL, or what is wrong with a program that no parser or checker would let through;
 * such a program must not be run. */
const char *field_malformed(struct arena *, const struct program *, enum stage);

static inline uint64_t keyed(uint64_t key, enum field_tag tag, uint64_t value)
{
	return field_mix(key + (uint64_t)tag, value);
}

#endif
