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

/* The source lanes that a swizzle brings to x, y, z and w, two bits each, x in the lowest bits. */
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
	REG_LINKED,    /* o# of vs_3_0 as in the text, until link_registers() has replaced it by the output that it is */
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
	uint8_t letters;  /* number of swizzle letters in the text, 0 if there is no swizzle; the checker needs it */
	swizzle swizzle;  /* the four lanes that are read; if the text has fewer letters, the last one repeats */
	bool negate;      /* minus, or ! before a b# or p0 */
	bool absolute;    /* _abs as in the text; straight programs have an abs instruction instead, see modifier.h */
	uint8_t relative; /* 1 + L for c[a0.L + index], RELATIVE_LOOP for c[aL + index], 0 without relative addressing */
	int16_t index;    /* negative only if relative */
	srcpos at;
};

/* Returns an operand r# without a position in a text. */
static inline struct src src_temp(int reg)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)reg, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

struct dst {
	uint8_t file;
	lanes mask;       /* lanes that are written; without a mask in the text, MASK_XYZW or a matrix's rows */
	bool masked;      /* the text has a mask */
	uint8_t relative; /* relative addressing of an o# of vs_3_0, in the values of struct src, `relative` */
	int16_t index;
	srcpos at;
};

/* Returns a destination, lanes of a register, without a position in a text. */
static inline struct dst dst_lanes(enum reg_file file, int reg, lanes mask)
{
	return (struct dst){.file = (uint8_t)file, .index = (int16_t)reg, .mask = mask, .masked = mask != MASK_XYZW, .at = SRCPOS_NONE};
}

/* A comment, with its marks (`//`, `;` or the slash-star pair) and without the line end.
 * A statement owns the comments before it and those behind it on its line. */
struct comment {
	struct comment *next;
	const char *text;
	uint32_t length;
	bool behind;   /* the comment stands on the line of its statement, behind it */
	bool blank;    /* an empty line stood before it */
};

enum instr_flag {
	INSTR_SAT = 1, INSTR_PP = 2, INSTR_CENTROID = 4,
	INSTR_MODIFIER = 16, /* an abs that stands for the modifier _abs of the operands that read it, and takes no slot */
	INSTR_DEPTH = 8 /* a read of a 2D texture that may hold depths, so that the coordinate's .z counts; set by mark_depth_reads() */
};

enum { MAX_SOURCES = 4 };

/* Stands in place of an instruction's index if there is no instruction. */
#define NO_INSTR UINT32_MAX

enum { REGION_TEMP = 1 << 15 };
enum predicate { PREDICATE_NONE, PREDICATE_TRUE, PREDICATE_FALSE };

/* The steps of the paper's method (-O1) that insert instructions, see fpmove-method(7). */
enum method_step { METHOD_MOVED = 1, METHOD_M1 = 2, METHOD_M2 = 4, METHOD_M3 = 8, METHOD_M4 = 16 };

struct instr {
	uint8_t op;       /* enum op */
	uint8_t flags;    /* of enum instr_flag */
	uint8_t method;   /* of enum method_step: the steps by which -O1 inserted it; 0 if it was given */
	bool blank;       /* an empty line stood before it */
	uint8_t comparison; /* enum compare, for an opcode with OPF_COMPARES */
	uint8_t predicate;  /* enum predicate: whether lanes are written only where p0 is true, or only where it is false */
	swizzle predicate_swizzle;
	uint16_t region;       /* in a REGION opcode, the index of its read or write in the lists of struct outline, see outline.h */
	uint16_t region_reads; /* in a REGION opcode, the operand lanes that it reads, four bits for each source;
	                        * REGION_TEMP is set if the operand must be a temporary */
	struct dst dst;   /* not used by opcodes with OPF_NO_DST */
	struct src src[MAX_SOURCES];
	srcpos at;        /* position of the mnemonic in program.source, or SRCPOS_NONE if fpmove made the instruction */
	struct comment *comments;
};

/* Loops over the operands of the instruction. */
#define EACH_SOURCE(s, i) for (unsigned s = 0, s##_all = ops[(i)->op].sources; s < s##_all; s++)

enum decl_kind { DECL_DEF, DECL_VERTEX_INPUT, DECL_PIXEL_INPUT, DECL_SAMPLER, DECL_OUTPUT /* of vs_3_0 */, DECL_INT, DECL_BOOL /* defi, defb */ };

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
	uint8_t usage, usage_index; /* the usage of a DECL_VERTEX_INPUT, DECL_OUTPUT or, in ps_3_0, DECL_PIXEL_INPUT; USAGES if there is none */
	uint8_t number;   /* number of v# or o# in the text of model 3, while `reg` is the linked register (link.h); NO_NUMBER if not yet known */
	uint8_t texture;  /* enum texture, of DECL_SAMPLER */
	bool blank;       /* an empty line stood before it */
	bool lone_pp;     /* the text has _pp here but not on another dcl of the same t#, so `flags` lack INSTR_PP; see link.c */
	struct dst reg;   /* the declared register and its lanes */
	union {
		float value[LANES];     /* of DECL_DEF */
		int32_t integer[LANES]; /* values of a DECL_INT; the first also of a DECL_BOOL, 1 for true */
	};
	uint32_t before;  /* number of instructions that stood before it in the text; the rules allow only 0 */
	srcpos at;
	struct comment *comments;
};

struct program;

/* A copy of a constant: when the pair is drawn, constant `vs` of the VP must hold the value that the application sets constant `ps` of
 * the FP to. */
struct const_map {
	int vs, ps;
	const char *name; /* name of the FP constant in a compiler's listing, see listing.h; NULL if it is not known */
	bool by_name;     /* the new VP's table of constants lists the copy under that name, so an application that sets constants by name sets it */
};

/* A constant lane whose value is computed before the program runs: lane `lane` of c`index` in the new program of `stage`.  Its value is
 * the one that r`temp`.`temp_lane` has after `expr`, a program of arithmetic on constants alone, whose instructions may read several constants.
 *
 * For a literal, the lane is in a def of the new program, and `expr` reads only its own defs.  For a preset, the application computes
 * the lane, and `expr` also reads FP constants that the application sets. */
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

/* Returns true if the list has an entry for lane `lane` of c`index` in the program of that stage. */
bool folds_have(const struct folds *, enum stage, int index, unsigned lane);

/* A set of register numbers, up to 255. */
struct register_set {
	uint64_t word[4];
};

/* The constants that the application has to set for a program or a pair that fpmove rewrote. */
struct needs {
	struct register_set own; /* of a program: constants that it no longer reads, but that the application still sets */
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
	struct needs needs;          /* constants to be set for a program that fpmove wrote: copies and presets of a VP, presets of an FP */
	struct register_set withheld; /* of an FP: constants that must not be copied to a VP, as the application would not set them there */
	struct register_set reserved; /* constants that must keep their values although no instruction reads them; filled by needs_of_pair() */
	struct outputs_read promised; /* of a VP: outputs that it must go on writing for other FPs, which stay as they are */
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
	return UINT64_C(0x4332322132212110) >> 4 * (mask & MASK_XYZW) & 7u; /* digit number `mask` is its number of lanes */
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
/* Returns a swizzle that brings lane from[l] to each operand lane l of `read`.  The other lanes repeat their neighbours, so that it is
 * printed with few letters. */
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
/* Returns true if `s` brings the same lanes as `like` to the operand lanes `read`. */
bool swizzles_agree(swizzle s, swizzle like, lanes read);
/* The eight swizzles of ps_2_0: the first four permute the lanes, the others replicate x, y, z and w. */
enum { TURNING_SWIZZLES = 4, PS_2_0_SWIZZLES = 8 };
extern const swizzle ps_2_0_swizzles[PS_2_0_SWIZZLES];
bool swizzle_in_ps_2_0(swizzle);
/* Returns a swizzle of ps_2_0 that brings the same lanes to the operand lanes `read`, or the swizzle itself if there is none. */
swizzle swizzle_for_ps_2_0(swizzle, lanes read);
/* Works like swizzle_for_ps_2_0() for the model in which programs of a model are written.  If that has all swizzles, as model 3 does,
 * returns the swizzle itself. */
swizzle swizzle_for(enum model, swizzle, lanes read);
bool swizzle_is_for(enum model, swizzle);
/* Returns the swizzle with the fewest letters that brings the same lanes to the operand lanes `read`. */
swizzle swizzle_shortest(swizzle, lanes read);

/* Returns the lanes of operand `s`, as positions that its swizzle maps to register lanes, on which the result lanes `written` of the
 * instruction depend.  The shape must not be SHAPE_LANES.  For s1 of a matrix, these are the lanes of each row.  Texture reads look up the
 * sampler in `p`. */
lanes instr_shape_lanes(const struct program *p, const struct instr *, unsigned s, lanes written);
/* Works like instr_shape_lanes() for all shapes.  This is the one place that maps write masks to reads. */
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
/* Returns the lanes that the instruction writes; 0 without a destination.  A register with one lane has only .x, also without a mask.
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
/* Takes _pp off `i`, which is to replace the instruction `part`, too, if `part` has no _pp. */
static inline void instr_keep_precision(struct instr *i, const struct instr *part)
{
	i->flags &= (uint8_t)(part->flags | (uint8_t)~INSTR_PP);
}
/* Permutes the operands of an instruction of SHAPE_LANES: each lane l of `mask` then computes the former lane from[l]. */
void instr_turn(struct instr *, const unsigned from[LANES], lanes mask);
/* Returns true if operand s must be one lane, which a replicate swizzle names. */
bool instr_reads_scalar(const struct instr *, unsigned s);
/* Returns true if an operand that must be one lane names none.  Only bytecode can have that.  As drivers and tools disagree on the lane
 * that is then read, all four count as read. */
bool instr_names_no_lane(const struct instr *);
/* Returns true if an instruction of the program names no lane.  fpmove leaves such a program as it is. */
bool program_names_no_lane(const struct program *);
/* Returns true if the instruction adds a value to itself. */
bool instr_is_doubling(const struct instr *);
/* Returns the operand of a mul whose other operand is, in all lanes, the same power of two from a def, *factor; MAX_SOURCES if there is
 * none. */
unsigned instr_scaled_operand(const struct program *, const struct instr *, float *factor);
/* Returns the lanes of r`index` that instruction `i` writes or leaves undefined: sincos leaves the rest of .xyz undefined, sgn its
 * second and third source. */
lanes instr_clobbers(const struct instr *i, int index);
/* Returns the register lanes that source s reads, for the instruction's whole mask. */
static inline lanes instr_reads(const struct program *p, const struct instr *i, unsigned s)
{
	return swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, instr_writes(i)));
}

/* Returns true if each lane of the result depends on the same lane of the operands, or all on the same lanes, so that the result can be
 * computed in any other lane, or in several. */
bool instr_lanes_interchange(const struct program *, const struct instr *);

/* Returns true if the instruction reads a texture; its second source is then the sampler. */
static inline bool instr_samples(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW || ops[i->op].shape == SHAPE_TEXD;
}

/* Returns true if the instruction decides which others are run, or is itself run under a predicate. */
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

/* Returns true if the instruction stands for the modifier _abs.  It does not if it has come to saturate or to write an output, as after
 * it was merged with a mov that did. */
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
/* Returns the registers of a file that the program reads.  Relative addressing counts as a read of every register, or of none if `named`,
 * for callers that treat it otherwise. */
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
/* Returns the def that an operand reads, or NULL if it reads none. */
static inline const struct decl *program_def(const struct program *p, const struct src *s)
{
	return s->file == REG_CONST && !s->relative ? program_decl(p, REG_CONST, s->index) : NULL;
}
/* Returns the lanes that any declaration of a register names; in model 3, a register has a declaration for each usage. */
lanes program_declared(const struct program *, enum reg_file, int index);
/* Returns the values that aL + n takes in the loop around instruction k, a bit for each number that an input can have; all bits if no
 * defi gives them. */
enum { ADDRESSED_NUMBERS = 16 };
uint32_t program_numbers_addressed(const struct program *, uint32_t k, int n);
/* Returns the t# or v# that the text of an FP calls v`number`, with all declared lanes; mask 0 if none is declared. */
struct dst program_input_of(const struct program *, unsigned number);
/* Returns the lanes of an FP's inputs that it reads as v[aL + n]. */
struct outputs_read program_inputs_addressed(const struct program *);
/* Returns the lanes of a t# or v# that the program's instructions read. */
lanes program_input_read(const struct program *, enum reg_file, int index);
/* The state of read_order() in its walk through an FP: for each r#, the order of the deepest texture read so far; starts as {0}. */
struct read_orders {
	uint32_t order[MODEL_TEMPS][LANES]; /* order of the deepest read that the lane's value depends on */
	lanes written[MODEL_TEMPS];
	bool deep[MODEL_TEMPS]; /* some lane of the register may have an order above 0 */
	bool any; /* a dependent read was seen */
	bool by_value; /* follow values only: ignore what a read's destination held before, which the rule of the models counts */
};
/* Updates the state by the next instruction.  Returns the instruction's order if it is a dependent texture read, else 0. */
unsigned read_order(struct read_orders *, const struct program *, const struct instr *);
/* Returns the order of the deepest dependent texture read, by the rule of the models; 0 if there is none. */
unsigned program_dependent_reads(const struct program *);
/* Returns the length of the longest chain of dependent texture reads by their values, which is the chain that hardware waits for. */
unsigned program_reads_in_a_row(const struct program *);
/* Returns program_dependent_reads() in a model that limits it, else program_reads_in_a_row(). */
unsigned program_order(const struct program *);

/* Returns copies of the comments of removed statements, followed by the comments `own` of the statement behind them.  They are copied
 * because programs share comments. */
struct comment *comments_left(struct arena *, const struct comment *gone, struct comment *own);
/* Removes declarations of literals and interpolated inputs that `p` does not read, unless the program `old`, which it was made of,
 * declared and did not read them either. */
void program_drop_unread(struct arena *, struct program *p, const struct program *old);
/* Removes the declarations of interpolated inputs of which `p` reads no lane, also if none was read before: its vertex program
 * may no longer write them. */
void program_drop_unread_inputs(struct arena *, struct program *p);

/* Returns a copy of the program with its own lists of statements; comments are shared. */
struct program *program_copy(struct arena *, const struct program *);
/* Returns true if the programs have the same instructions and declarations, whatever their spelling. */
bool program_same(const struct program *, const struct program *);
/* Returns a copy of the program without its instructions. */
struct program *program_head(struct arena *, const struct program *);
/* Returns a copy of the program in the model in which it is written, without defi and defb if that has no flow control.  For
 * ps_2_0, swizzles that this model lacks are replaced by ones that bring the same lanes; for model 3, operands that fpmove made get swizzles
 * with the fewest letters. */
struct program *program_as_written(struct arena *, const struct program *);

#endif
