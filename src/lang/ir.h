/* The representation of vertex and pixel programs: instructions over registers of four lanes, and the declarations
 * before them.  It is not in SSA form; src/move/graph/flow finds definitions and uses per lane.
 * Flow control is instructions, too, in the order of the text. */
#ifndef FPMOVE_LANG_IR_H
#define FPMOVE_LANG_IR_H

#include "base/diag.h"
#include "lang/ops.h"

enum { LANE_X, LANE_Y, LANE_Z, LANE_W, LANES };

/* A set of lanes, bit 0 is x. */
typedef uint8_t lanes;
enum { MASK_X = 1, MASK_Y = 2, MASK_Z = 4, MASK_W = 8, MASK_XY = 3, MASK_XYZ = 7, MASK_XYZW = 15 };

/* Loops over the lanes of the set, x first.  The macro ends in `else`, so the statement that follows it is the body of the loop. */
#define EACH_LANE(l, mask) for (unsigned l = 0, l##_all = (mask); l < LANES; l++) if (!(l##_all >> l & 1)) continue; else

/* For each operand lane x, y, z and w, the register lane that it reads: two bits each, x in the lowest bits. */
typedef uint8_t swizzle;
#define SWIZZLE(x, y, z, w) ((swizzle)((x) | (y) << 2 | (z) << 4 | (w) << 6))
#define SWIZZLE_XYZW SWIZZLE(LANE_X, LANE_Y, LANE_Z, LANE_W)

enum reg_file {
	REG_TEMP,      /* r# */
	REG_INPUT,     /* v#: vertex data, or colours in a pixel program */
	REG_TEXCOORD,  /* t# */
	REG_CONST,     /* c# */
	REG_ADDRESS,   /* a0 */
	REG_SAMPLER,   /* s# */
	REG_POS_OUT,   /* oPos */
	REG_FOG_OUT,   /* oFog */
	REG_SIZE_OUT,  /* oPts */
	REG_COLOUR_OUT, /* oD#, feeds v# */
	REG_TEX_OUT,   /* oT#, feeds t# */
	REG_PIXEL_OUT, /* oC# */
	REG_DEPTH_OUT, /* oDepth */
	REG_PIXEL_POS, /* vPos of ps_3_0 */
	REG_FACE,      /* vFace of ps_3_0 */
	REG_LINKED,    /* o# of vs_3_0 in the text; link_registers() replaces it by an output above, except in o[aL + n] */
	REG_INT,       /* i# */
	REG_BOOL,      /* b# */
	REG_LOOP,      /* aL */
	REG_PREDICATE, /* p0 */
	REG_LABEL,     /* l# */
	REG_FILES
};

/* Case labels for a switch over all register files: the files of flow control. */
#define FLOW_FILES REG_INT: case REG_BOOL: case REG_LOOP: case REG_PREDICATE: case REG_LABEL

/* The most t#, oT# and c# that any model has.  The last two oT#, which only vs_3_0 has, feed no t#. */
enum { MOST_TEXCOORDS = 10, MOST_TEX_OUTS = 12, MOST_CONSTS = 256 };

/* The most r# that any model has. */
enum { MODEL_TEMPS = 32 };

struct reg_file_info {
	const char *name; /* as printed, without the number */
	bool numbered;    /* false if the file has one register, printed without a number */
	bool output;      /* write only */
	bool scalar;      /* registers have one lane */
};
extern const struct reg_file_info reg_files[REG_FILES];

enum { RELATIVE_LOOP = 1 + LANES };

struct src {
	uint8_t file;     /* enum reg_file */
	uint8_t letters;  /* number of swizzle letters in the text; 0 if it has no swizzle */
	swizzle swizzle;  /* the register lanes read; if the text has fewer than four letters, the last one repeats */
	bool negate;      /* minus, or ! before a b# or p0 */
	bool absolute;    /* the operand has _abs; in programs without flow control, an abs instruction replaces it, see modifier.h */
	uint8_t relative; /* 1 + L for c[a0.L + index], RELATIVE_LOOP for c[aL + index], 0 without relative addressing */
	int16_t index;    /* negative only if relative */
	srcpos at;
};

/* Returns the operand r`reg`, with no swizzle. */
static inline struct src src_temp(int reg)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)reg, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

struct dst {
	uint8_t file;
	lanes mask;       /* lanes that are written; without a mask in the text, MASK_XYZW or a matrix's rows */
	bool masked;      /* the text has a mask */
	uint8_t relative; /* relative addressing of an o# of vs_3_0, with the values of src.relative */
	int16_t index;
	srcpos at;
};

/* Returns the destination that writes the lanes `mask` of a register. */
static inline struct dst dst_lanes(enum reg_file file, int reg, lanes mask)
{
	return (struct dst){.file = (uint8_t)file, .index = (int16_t)reg, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE};
}

/* A comment, with its marks (`//`, `;` or the slash-star pair) and without the line end.
 * A statement owns the comments before it and the comments that follow it on its line. */
struct comment {
	struct comment *next;
	const char *text;
	uint32_t length;
	bool behind;   /* the comment follows its statement on the same line */
	bool blank;    /* an empty line precedes the comment */
};

enum instr_flag {
	INSTR_SAT = 1, INSTR_PP = 2, INSTR_CENTROID = 4,
	INSTR_MODIFIER = 16, /* an abs that stands for the modifier _abs of the operands that read it, and takes no slot */
	INSTR_DEPTH = 8 /* a read of a 2D texture that may hold depths, so that it also reads the coordinate's .z; never set by a text */
};

enum { MAX_SOURCES = 4 };

/* The index that stands for no instruction. */
#define NO_INSTR UINT32_MAX

enum { REGION_TEMP = 1 << 15 };
enum predicate { PREDICATE_NONE, PREDICATE_TRUE, PREDICATE_FALSE };

/* The steps of the paper's method (-O1) that insert instructions, see fpmove-method(7). */
enum method_step { METHOD_MOVED = 1, METHOD_M1 = 2, METHOD_M2 = 4, METHOD_M3 = 8, METHOD_M4 = 16 };

struct instr {
	uint8_t op;       /* enum op */
	uint8_t flags;    /* of enum instr_flag */
	uint8_t method;   /* of enum method_step: the steps by which -O1 inserted the instruction; 0 if none did */
	bool blank;       /* an empty line precedes the instruction */
	uint8_t comparison; /* enum compare, for an opcode with OPF_COMPARES */
	uint8_t predicate;  /* enum predicate: lanes are written everywhere, only where p0 is true, or only where p0 is false */
	swizzle predicate_swizzle;
	uint16_t region;       /* in a REGION opcode: its index in outline.reads or outline.writes, or REGION_FENCE, see outline.h */
	uint16_t region_reads; /* in a REGION opcode, the operand lanes that it reads, four bits for each source;
	                        * REGION_TEMP is set if the operand must be a temporary */
	struct dst dst;   /* not used by opcodes with OPF_NO_DST */
	struct src src[MAX_SOURCES];
	srcpos at;        /* position of the mnemonic in program.source, or SRCPOS_NONE if fpmove made the instruction */
	struct comment *comments;
};

/* Loops over the operands of the instruction. */
#define EACH_SOURCE(s, i) for (unsigned s = 0, s##_all = ops[(i)->op].sources; s < s##_all; s++)

enum decl_kind { DECL_DEF, DECL_VERTEX_INPUT, DECL_PIXEL_INPUT, DECL_SAMPLER, DECL_OUTPUT /* dcl of an o# */, DECL_INT, DECL_BOOL /* defi, defb */ };

/* The 14 vertex usages, in the order of D3DDECLUSAGE. */
enum usage {
	USAGE_POSITION, USAGE_BLENDWEIGHT, USAGE_BLENDINDICES, USAGE_NORMAL, USAGE_PSIZE, USAGE_TEXCOORD,
	USAGE_TANGENT, USAGE_BINORMAL, USAGE_TESSFACTOR, USAGE_POSITIONT, USAGE_COLOR, USAGE_FOG,
	USAGE_DEPTH, USAGE_SAMPLE, USAGES
};
extern const char *const usage_names[USAGES];

enum texture {
	TEXTURE_NONE, TEXTURE_2D, TEXTURE_CUBE, TEXTURE_VOLUME
};
extern const char *const texture_names[4];

enum { NO_NUMBER = 255 };

struct decl {
	uint8_t kind;     /* enum decl_kind */
	uint8_t flags;    /* INSTR_PP, INSTR_CENTROID of a pixel input */
	uint8_t usage, usage_index; /* the usage and its index in a dcl of an input or output; USAGES if it has none */
	uint8_t number;   /* number of the v# or o# in a text of model 3, for which `reg` stands (link.h); NO_NUMBER if it has none */
	uint8_t texture;  /* enum texture, of DECL_SAMPLER */
	bool blank;       /* an empty line precedes the declaration */
	bool lone_pp;     /* the text has _pp here but not on another dcl of the same register, so `flags` lacks INSTR_PP; see link.c */
	struct dst reg;   /* the declared register and its lanes */
	union {
		float value[LANES];     /* of DECL_DEF */
		int32_t integer[LANES]; /* values of a DECL_INT; the first also of a DECL_BOOL, 1 for true */
	};
	uint32_t before;  /* number of instructions that precede the declaration in the text; the rules allow only 0 */
	srcpos at;
	struct comment *comments;
};

struct program;

/* A copy of a constant: when the pair is drawn, c`vs` of the VP must hold the value that the application gives c`ps` of the FP. */
struct const_map {
	int vs, ps;
	const char *name; /* name of the FP constant in a compiler's listing, see listing.h; NULL if it is not known */
	bool by_name;     /* the new VP's table of constants lists c`vs` as `name`, so that applications that set constants by name set the copy */
};

/* A constant lane whose value is computed before the program runs: lane `lane` of c`index` in the new program of `stage`.  Its value is
 * in r`temp`.`temp_lane` at the end of `expr`, a program that only computes on constants.
 *
 * If `preset`, the application computes the lane, and `expr` reads FP constants that the application sets, and defs of its own.
 * Otherwise, the lane is a number in a def of the new program, and `expr` reads only its own defs. */
struct folded {
	enum stage stage;
	int index;
	unsigned lane;
	const struct program *expr;
	int temp;
	unsigned temp_lane;
	bool preset;
};

struct folds {
	VEC(struct folded);
};

/* Returns true if the list, which may be NULL, has an entry for lane `lane` of c`index` in the program of that stage. */
bool folds_have(const struct folds *, enum stage, int index, unsigned lane);

/* A set of register numbers, up to 255. */
struct register_set {
	uint64_t word[4];
};

/* The constants that the application has to set for a program or a pair that fpmove rewrote. */
struct needs {
	struct register_set own; /* of one program: constants that the application still sets, though the program no longer reads them */
	struct { VEC(struct const_map); } consts;
	struct folds folds;
};

/* Lanes of a VP's interpolated outputs that FPs read. */
struct outputs_read {
	lanes texcoord[MOST_TEXCOORDS], colour[2];
};

struct program {
	enum model model;
	const struct source *source; /* the text that the positions point into; NULL if fpmove made the program */
	srcpos at;                   /* position of the version token */
	struct comment *head;        /* comments before the version token, and behind it on its line */
	struct comment *intro;       /* comments between the version token's line and the first statement, such as compilers' tables */
	struct comment *tail;        /* comments after the last statement */
	struct { VEC(struct decl); } decls;   /* in the order of the text */
	struct { VEC(struct instr); } instrs;
	uint8_t samplers[16];        /* enum texture of each s#, from decls */
	struct needs needs;          /* constants that the application must set for the program: copies and presets in a VP, presets in an FP */
	struct register_set withheld; /* of an FP: constants that no VP may get a copy of, as the application would not set that copy */
	struct register_set reserved; /* constants that must keep their values even if no instruction reads them; see needs_of_pair() */
	struct outputs_read promised; /* of a VP: outputs that it must still write, as FPs that fpmove does not change read them */
	const struct program *text;  /* the program as it was read, with o#, v# and _abs; NULL in copies, in new programs and in models before 3 */
	const struct given_names *named; /* the user's names of constants, see given_names.h; NULL if there are none */
	const struct history *history; /* the program after each pass, see history.h; NULL if it is not recorded */
};

/* Returns the first of the lanes, or LANES if there is none. */
static inline unsigned first_lane(lanes mask)
{
	unsigned lane = 0;
	while (lane < LANES && !(mask >> lane & 1))
		lane++;
	return lane;
}

static inline unsigned count_lanes(lanes mask)
{
	return UINT64_C(0x4332322132212110) >> 4 * (mask & MASK_XYZW) & 7u; /* hexadecimal digit number `mask` */
}

/* Returns all lanes from x to the last lane of the mask. */
static inline lanes lanes_up_to(lanes mask)
{
	return mask & MASK_W ? MASK_XYZW : mask & MASK_Z ? MASK_XYZ : mask & MASK_Y ? MASK_XY : mask;
}

/* Returns the register lane that arrives in lane `lane` of an operand. */
static inline unsigned swizzle_lane(swizzle s, unsigned lane)
{
	return s >> 2 * lane & 3u;
}

/* Returns the register lanes that arrive in the operand lanes `read`. */
static inline lanes swizzle_lanes(swizzle s, lanes read)
{
	return (lanes)((read & 1u) << (s & 3u) | (read >> 1 & 1u) << (s >> 2 & 3u) | (read >> 2 & 1u) << (s >> 4 & 3u) |
	               (read >> 3 & 1u) << (s >> 6 & 3u));
}
/* Returns a swizzle by which each operand lane l of `read` reads register lane from[l]: SWIZZLE_XYZW if it does, else one in which each
 * lane outside of `read` repeats the lane before it, so that it needs few letters. */
swizzle swizzle_of_lanes(const unsigned from[LANES], lanes read);
/* Returns the composition of two swizzles, `inner` first: lane i of the result is inner[outer[i]]. */
swizzle swizzle_after(swizzle outer, swizzle inner);
static inline swizzle swizzle_replicate(unsigned lane)
{
	return SWIZZLE(lane, lane, lane, lane);
}
/* Returns true if the operands differ at most in their swizzles. */
static inline bool src_is_alike(const struct src *a, const struct src *b)
{
	return a->file == b->file && a->index == b->index && a->negate == b->negate && a->absolute == b->absolute && a->relative == b->relative;
}
static inline bool src_is_same(const struct src *a, const struct src *b)
{
	return src_is_alike(a, b) && a->swizzle == b->swizzle;
}
/* Returns the operand with its lane at `position` replicated to all lanes. */
static inline struct src src_of_lane(const struct src *s, unsigned position)
{
	struct src of = *s;
	of.swizzle = swizzle_replicate(swizzle_lane(s->swizzle, position));
	of.letters = 0;
	of.at = SRCPOS_NONE;
	return of;
}
/* Returns true if `s` is a replicate swizzle. */
static inline bool swizzle_is_lane(swizzle s)
{
	return s == swizzle_replicate(swizzle_lane(s, 0));
}
/* Returns true if the operand lanes `read` read the same register lanes by `s` as by `like`. */
bool swizzles_agree(swizzle s, swizzle like, lanes read);
/* The eight swizzles of ps_2_0: the first four permute the lanes, the others replicate x, y, z and w. */
enum { TURNING_SWIZZLES = 4, PS_2_0_SWIZZLES = 8 };
extern const swizzle ps_2_0_swizzles[PS_2_0_SWIZZLES];
bool swizzle_in_ps_2_0(swizzle);
/* Returns a swizzle of ps_2_0 by which the operand lanes `read` read the same register lanes, or the swizzle itself if there is none. */
swizzle swizzle_for_ps_2_0(swizzle, lanes read);
/* Returns the swizzle itself if model_written() has all swizzles, else the result of swizzle_for_ps_2_0(). */
swizzle swizzle_for(enum model, swizzle, lanes read);
bool swizzle_is_for(enum model, swizzle);
/* Returns the swizzle with the fewest letters by which the operand lanes `read` read the same register lanes. */
swizzle swizzle_shortest(swizzle, lanes read);

/* Returns the operand lanes (before the swizzle) of operand `s` on which the result lanes `written` depend.  For s1 of a matrix, these are
 * the lanes of each row; for texkill, comparisons and REGION opcodes, `written` does not matter.  Texture reads look up the sampler in `p`. */
lanes instr_shape_lanes(const struct program *p, const struct instr *, unsigned s, lanes written);
/* Returns the same as instr_shape_lanes(), faster for SHAPE_LANES. */
static inline lanes instr_operand_lanes(const struct program *p, const struct instr *i, unsigned s, lanes written)
{
	return ops[i->op].shape == SHAPE_LANES ? written : instr_shape_lanes(p, i, s, written);
}
/* Returns the number of rows of a matrix opcode; 1 for other opcodes. */
unsigned instr_matrix_rows(const struct instr *);
/* Returns the number of consecutive registers that source `s` reads: the rows for s1 of a matrix, otherwise 1. */
static inline unsigned instr_rows(const struct instr *i, unsigned s)
{
	return s == 1 && ops[i->op].shape == SHAPE_MATRIX ? instr_matrix_rows(i) : 1;
}
/* Returns the lanes that the instruction writes; 0 without a destination, at most .x of a register with one lane.
 * sgn also clobbers the temporaries that its s1 and s2 name, which are not among these lanes. */
static inline lanes instr_writes(const struct instr *i)
{
	return (lanes)(ops[i->op].flags & OPF_NO_DST ? 0 : reg_files[i->dst.file].scalar ? i->dst.mask & MASK_X : i->dst.mask);
}
static inline void instr_set_mask(struct instr *i, lanes mask)
{
	i->dst.mask = mask;
	i->dst.masked = mask != MASK_XYZW;
}
/* Returns true if both have the same flags except _pp. */
static inline bool instr_flags_agree(const struct instr *a, const struct instr *b)
{
	return ((a->flags ^ b->flags) & ~INSTR_PP) == 0;
}
/* Clears INSTR_PP of `i` if `part`, an instruction that `i` replaces, does not have it. */
static inline void instr_keep_precision(struct instr *i, const struct instr *part)
{
	i->flags &= (uint8_t)(part->flags | (uint8_t)~INSTR_PP);
}
/* Changes the swizzles of an instruction of SHAPE_LANES so that each result lane l of `mask` gets the value that lane from[l] had.
 * Leaves other shapes as they are. */
void instr_turn(struct instr *, const unsigned from[LANES], lanes mask);
/* Returns true if operand s must have a replicate swizzle (.x, .y, .z or .w), as the opcode reads one lane of it. */
bool instr_reads_scalar(const struct instr *, unsigned s);
/* Returns true if an operand that must have a replicate swizzle has another one.  Only bytecode can have that.  As drivers and tools
 * disagree on the lane that is then read, all four count as read. */
bool instr_names_no_lane(const struct instr *);
/* Returns true if instr_names_no_lane() holds for an instruction of the program.  fpmove leaves such a program as it is. */
bool program_names_no_lane(const struct program *);
/* Returns true for an add of two equal operands. */
bool instr_is_doubling(const struct instr *);
/* Returns the number of a mul's operand that a power of two from a def multiplies, the same one in all lanes; sets *factor to that
 * number, with its sign.  Returns MAX_SOURCES if there is no such operand. */
unsigned instr_scaled_operand(const struct program *, const struct instr *, float *factor);
/* Returns the lanes of r`index` that instruction `i` writes or leaves undefined: sincos before model 3 leaves the rest of .xyz undefined,
 * sgn its second and third source. */
lanes instr_clobbers(const struct instr *i, int index);
/* Returns the register lanes that source s reads, for the instruction's whole mask. */
static inline lanes instr_reads(const struct program *p, const struct instr *i, unsigned s)
{
	return swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, instr_writes(i)));
}

/* Returns true if a lane's result can be computed in any other lane: for lane-by-lane opcodes, dp3, dp4 and opcodes of one operand lane.
 * Returns false for frc of vs_1_1, whose mask must be .y or .xy. */
bool instr_lanes_interchange(const struct program *, const struct instr *);

/* Returns true if the instruction reads a texture; its second source is then the sampler. */
static inline bool instr_samples(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW || ops[i->op].shape == SHAPE_TEXD;
}

/* Returns true for flow control, setp and an instruction with a predicate. */
static inline bool instr_flows(const struct instr *i)
{
	return op_is_flow(i->op) || i->predicate;
}
/* Returns true if a program has flow control or predicates. */
bool program_flows(const struct program *);

/* Returns true if the instruction has a side effect, so that it stays even if nothing reads its result. */
static inline bool instr_acts(const struct instr *i)
{
	return i->op == OP_TEXKILL || op_is_region(i->op);
}

/* Returns true for an abs that stands for the modifier _abs: it has INSTR_MODIFIER, does not saturate and writes a temporary.  The flag alone
 * does not do, since it stays when a pass merges the abs with a mov_sat or a mov to an output. */
static inline bool instr_is_modifier(const struct instr *i)
{
	return i->flags & INSTR_MODIFIER && i->op == OP_ABS && !(i->flags & INSTR_SAT) && i->dst.file == REG_TEMP;
}

/* Returns the slots that the instruction takes in the model. */
static inline unsigned instr_slots(const struct instr *i, enum model model)
{
	return instr_is_modifier(i) ? 0 : op_slots((enum op)i->op, model);
}

/* Returns true if an instruction reads the register, also as a row of a matrix, or may read it by relative addressing. */
bool program_reads(const struct program *, enum reg_file, int index);
/* Returns true if the program reads constant c`index` and has no def for it. */
bool program_reads_from_outside(const struct program *, int index);
/* Returns the registers of a file that the program reads.  An operand with relative addressing reads every register, or none if `named`. */
struct register_set program_reads_all(const struct program *, enum reg_file, bool named);
static inline bool register_is_in(const struct register_set *set, int index)
{
	return set->word[index / 64 % 4] >> index % 64 & 1;
}
static inline void register_put_in(struct register_set *set, int index)
{
	set->word[index / 64 % 4] |= UINT64_C(1) << index % 64;
}

struct slots {
	unsigned arith, tex;
};
struct slots program_slots(const struct program *);
unsigned program_total_slots(const struct program *);
static inline enum stage program_stage(const struct program *p)
{
	return models[p->model].stage;
}
/* Returns the last declaration of a register (a def, defi, defb or dcl), or NULL if there is none. */
const struct decl *program_decl(const struct program *, enum reg_file, int index);
/* Returns the def of the constant that an operand reads; NULL if there is none, or with relative addressing. */
static inline const struct decl *program_def(const struct program *p, const struct src *s)
{
	return s->file == REG_CONST && !s->relative ? program_decl(p, REG_CONST, s->index) : NULL;
}
/* Returns the lanes that any declaration of a register names; in model 3, a register has a declaration for each usage. */
lanes program_declared(const struct program *, enum reg_file, int index);
/* Returns the values from 0 to 15 that aL + n takes in the innermost loop around instruction k, a bit for each; UINT32_MAX if there is no
 * loop, or no defi of its i#. */
enum { ADDRESSED_NUMBERS = 16 };
uint32_t program_numbers_addressed(const struct program *, uint32_t k, int n);
/* Returns the t# or v# that the text of a ps_3_0 program calls v`number`, with all declared lanes; mask 0 if none is declared. */
struct dst program_input_of(const struct program *, unsigned number);
/* Returns the lanes of an FP's inputs that it may read as v[aL + n]; none before model 3. */
struct outputs_read program_inputs_addressed(const struct program *);
/* Returns the lanes of a t# or v# that the program's instructions read, or may read as v[aL + n]. */
lanes program_input_read(const struct program *, enum reg_file, int index);
/* The state of read_order() in its walk through an FP; starts as {0}.  The order of a texture read is the number of texture reads that
 * precede it in its longest chain of dependent reads. */
struct read_orders {
	uint32_t order[MODEL_TEMPS][LANES]; /* highest order of the reads that the lane's value depends on */
	lanes written[MODEL_TEMPS];
	bool deep[MODEL_TEMPS]; /* some lane of the register may have an order above 0 */
	bool any; /* the walk has passed a dependent read */
	bool by_value; /* if false, a read also depends on the old value of its destination, as the rule of the models says */
};
/* Updates the state for the next instruction.  Returns the instruction's order if it is a dependent texture read, else 0. */
unsigned read_order(struct read_orders *, const struct program *, const struct instr *);
/* Returns the highest order of the dependent texture reads by the rule of the models (ps-dependent-reads); 0 if there are none. */
unsigned program_dependent_reads(const struct program *);
/* Returns the highest order of the dependent texture reads if only values count, not what a destination held before. */
unsigned program_reads_in_a_row(const struct program *);
/* Returns program_dependent_reads() in a model that limits it, else program_reads_in_a_row(). */
unsigned program_order(const struct program *);

/* Returns the comments for the statement behind removed ones: copies of the removed statements' comments `gone`, as comments before it,
 * followed by its own comments, `own`. */
struct comment *comments_left(struct arena *, const struct comment *gone, struct comment *own);
/* Removes each def, defi, defb and dcl of a pixel input that `p` does not read, unless `old`, the program that `p` was made of, declared
 * the register and did not read it either. */
void program_drop_unread(struct arena *, struct program *p, const struct program *old);
/* Removes each dcl of a t# or v# of which `p` reads no lane, as its vertex program may no longer write that input. */
void program_drop_unread_inputs(struct arena *, struct program *p);

/* Returns a copy of the program with its own lists of statements; comments are shared. */
struct program *program_copy(struct arena *, const struct program *);
/* Returns true if the programs have the same model, instructions and declarations; comments and spelling do not count. */
bool program_same(const struct program *, const struct program *);
/* Returns a copy of the program without its instructions. */
struct program *program_head(struct arena *, const struct program *);
/* Returns a copy of the program as it is printed: in its own model if it has flow control, else in model_written().  Drops defi and defb if
 * that model has no flow control.  In ps_2_0, replaces swizzles that the model lacks; in model 3, shortens swizzles that fpmove made. */
struct program *program_as_written(struct arena *, const struct program *);

#endif
