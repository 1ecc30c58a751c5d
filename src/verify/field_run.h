/* Runs one program on field elements (field.h), for all vertices side by side.  A carrier is an interpolated input of a pixel program: v#
 * or t#.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_FIELD_RUN_H
#define FPMOVE_VERIFY_FIELD_RUN_H

#include "verify/known.h"
#include "verify/machine.h"
#include "verify/verify.h"

/* Kinds of values that the proof represents by hashes.  The kind is part of each hash's key. */
enum field_tag {
	TAG_INPUT, TAG_CONST, TAG_RELATIVE, TAG_WEIGHT, TAG_UNWRITTEN_TEMP, TAG_UNWRITTEN_CARRIER,
	TAG_UNWRITTEN_ADDRESS, TAG_GE0, TAG_MAX, TAG_RSQ, TAG_EXP, TAG_LOG, TAG_FRC, TAG_EXP_LOW,
	TAG_LOG_EXPONENT, TAG_LOG_MANTISSA, TAG_LOG_LOW, TAG_LIT, TAG_SIN, TAG_COS, TAG_ADDRESS,
	TAG_ADDRESS_MOVA, TAG_TEXTURE, TAG_TEXTURE_BIAS, TAG_TEXTURE_LEVEL, TAG_TEXTURE_GRADIENT, TAG_DSX, TAG_DSY,
	TAG_PIXEL, TAG_INFINITY, TAG_CLAMP, TAG_DEPTH, TAG_NO_DEPTH, TAG_ROUNDED, TAG_COARSE, TAG_UNNAMED_LANE, TAG_REGION
};

/* The number of columns of a value.  Column FIELDS * v + f has the value at vertex v as an element of field f. */
enum { VERTICES = 3, COLUMNS = VERTICES * FIELDS };

/* The number of names for interpolated inputs.  A name means the same in both pairs: it is the register's number, or in model 3 the usage. */
enum { CARRIER_NAMES = MACHINE_CARRIERS + 16 * USAGES };

/* Lanes that a pair reads before anything wrote them. */
struct unwritten {
	lanes temp[2][MACHINE_TEMPS];      /* by stage, the unwritten lanes of each r# that the program reads */
	lanes carrier[CARRIER_NAMES];      /* lanes of interpolated inputs, by their names in field_run.carrier_name */
	lanes address[2];                  /* lanes of a0, by stage */
};

/* The new pair's first read of an unwritten lane that the old pair does not read unwritten. */
struct stray {
	bool found;
	enum stage stage;
	uint32_t instr;
	enum reg_file file;
	int index;
	unsigned lane;
};

/* The most 2D reads of the new pair for which the proof tries both kinds, PLANE_AT (compares .z with a depth texture) and PLANE_ANY (does not
 * compare .z).  Further reads count as PLANE_AT. */
enum { MOST_UNDECIDED = 6 };

/* A 2D texture read of the old pair, to be compared with reads of the new pair. */
struct plane_place {
	uint64_t place[FIELDS]; /* a hash of the read's sampler, the coordinate's x and y, and the bias */
	felt z[FIELDS];         /* the coordinate's .z; 0 if no texel is compared with it */
};

/* A run of one program.  A value has one element for each column: that of a vertex program has COLUMNS (vertices times fields), that of a
 * pixel program FIELDS. */
struct field_run {
	const struct program *program;
	enum stage stage;
	unsigned columns;
	uint64_t key;                  /* the trial's key, which is part of every hash */
	bool small;                    /* true if inputs and results of unknown functions are small known numbers, so that all results are known */
	struct known *known;           /* the facts about elements (known.h), which all runs of a trial share */

	int16_t def[MACHINE_CONSTS];           /* for each constant, the index of its def in `decls`, or -1 if the application sets it */
	int16_t set_from[MACHINE_CONSTS];      /* for each VP constant, the FP constant that it is a copy of, or -1 */
	uint8_t known_lanes[MACHINE_CONSTS];   /* the lanes of `constant` that are already computed in this trial */
	felt constant[MACHINE_CONSTS][LANES][FIELDS];
	/* A hash of the literals, copies of FP constants and presets (computed by the application) that c[a0.x + n] may reach.  If it differs in
	 * two runs, the values of c[a0.x + n] differ, too. */
	uint64_t reachable;
	const struct decl *input[MACHINE_INPUTS]; /* the declaration of each v#, or NULL */
	lanes input_known[MACHINE_INPUTS];        /* the lanes of `input_value` that are already computed in this trial */
	felt input_value[MACHINE_INPUTS][LANES][COLUMNS];

	felt carrier[MACHINE_CARRIERS][LANES][COLUMNS]; /* the values of the carriers, the interpolated inputs of a pixel program */
	uint16_t carrier_name[MACHINE_CARRIERS][LANES]; /* the carrier's name, below CARRIER_NAMES: its number, or in model 3 its usage */
	lanes declared[MACHINE_CARRIERS];      /* the lanes of each carrier that a dcl names; all lanes if it has no dcl */
	lanes carried[MACHINE_CARRIERS];       /* the declared lanes of each carrier that the VP wrote */
	lanes carried_number[MACHINE_CARRIERS]; /* lanes of each carrier to which the VP wrote a known number, as judged at the first vertex */
	unsigned centroid;                     /* a bit for each carrier that is sampled at the centroid, as v# always is */
	unsigned partial;                      /* a bit for each carrier that is interpolated _pp */

	uint32_t at;                   /* index of the current instruction */
	felt temp[MACHINE_TEMPS][LANES][COLUMNS];
	felt regions[COLUMNS];                 /* a hash of all operands that regions (stand-ins of blocks, lang/outline.h) have read so far */
	lanes temp_written[MACHINE_TEMPS];
	lanes temp_number[MACHINE_TEMPS];      /* lanes of each r# whose element in the first column is a known number */
	/* For each result lane, the step to which float arithmetic rounds it, or 0, see find_rounding().  NULL if no lane is rounded. */
	const float (*rounding)[LANES];
	bool follows;                          /* true in a run of the new pair, which rounds only values that the old pair rounded */
	bool roots;                            /* true if the program has nrm or rsq, which take known factors out of the root: notes multiples */
	bool scales;                           /* true if the current instruction may multiply by a known number: notes its results as multiples */
	bool coarse;                           /* true to replace each result of a _pp instruction by a hash of itself, see precision.c */
	bool literal;                          /* true if operands of the current instruction may be known numbers: computes numbers of results */
	felt address[LANES][COLUMNS];
	lanes address_written;
	felt scratch[MAX_SOURCES * LANES][COLUMNS]; /* operands whose value is in no register, such as negated ones */

	felt (*trace)[LANES][COLUMNS]; /* receives the result lanes of each instruction; NULL if they are not wanted */

	felt out[MACHINE_OUTPUTS][LANES][COLUMNS];
	lanes out_written[MACHINE_OUTPUTS];
	lanes out_number[MACHINE_OUTPUTS];     /* lanes of each output whose element in the first column is a known number */
	uint32_t writer[MACHINE_OUTPUTS][LANES]; /* for each output lane, the instruction that last wrote it */
	/* For each texkill, all four lanes of its operand, since some drivers also test .w; NULL if there is no texkill. */
	felt (*kill)[LANES][COLUMNS];
	uint32_t *killer;              /* the index of the instruction of each texkill */
	uint32_t kills;

	/* The enum plane_read of each instruction: whether a 2D read may compare .z with a depth texture.  The caller sets it for the old pair
	 * (plane_reads), and the run for the new pair.  NULL if no 2D read compares .z. */
	uint8_t *plane;
	struct plane_place *places;    /* in a run of the old pair's FP, its 2D reads, by instruction */
	const struct field_run *like;  /* in a run of the new pair's FP, the run of the old pair's FP; else NULL */
	unsigned undecided;            /* the number of the new pair's 2D reads whose kind may be PLANE_AT or PLANE_ANY */
	unsigned choice;               /* a bit for each of the `undecided` reads, in their order: set if this run treats the read as PLANE_ANY */
	struct unwritten *unwritten;   /* receives the unwritten lanes that the program reads */
	const struct unwritten *allowed; /* for the new pair, the unwritten lanes that it may read: those that the old pair reads; else NULL */
	struct stray *stray;           /* receives the first read of an unwritten lane that is not `allowed` */
};

/* Loads the program and resets the run; `plane` is NULL then: no 2D read compares .z.  The caller must then call field_run_trial(), and set the
 * fields `known`, `unwritten`, `allowed` and `stray`. */
void field_run_load(struct arena *, struct field_run *, const struct program *);
/* Prepares the next trial, whose random values are hashes with this key. */
void field_run_trial(struct field_run *, uint64_t key);
/* Runs the program on the inputs: sets `out`, the outputs, and `kill`, the operands of texkills, and notes unwritten lanes that are read. */
void field_run(struct field_run *);
/* Returns a message if the program breaks a rule that every parsed and checked program keeps, so that it must not be run; else NULL. */
const char *field_malformed(struct arena *, const struct program *, enum stage);

static inline uint64_t keyed(uint64_t key, enum field_tag tag, uint64_t value)
{
	return field_mix(key + (uint64_t)tag, value);
}

#endif
