/* One representation for both programs: instructions over registers of four lanes, and the declarations
 * before them.  Nothing here is in SSA form; src/move/graph/flow finds definitions and uses per lane.
 * Flow control is instructions, too, which stand where the text has them. */
#ifndef FPMOVE_LANG_IR_H
#define FPMOVE_LANG_IR_H

#include "base/diag.h"
#include "lang/ops.h"

enum { LANE_X, LANE_Y, LANE_Z, LANE_W, LANES };

/* A set of lanes, bit 0 is x. */
typedef uint8_t lanes;
enum { MASK_X = 1, MASK_Y = 2, MASK_Z = 4, MASK_W = 8, MASK_XY = 3, MASK_XYZ = 7, MASK_XYZW = 15 };

/* For each lane of the set, x first.  (The else takes what follows, and no other else of it.) */
#define EACH_LANE(l, mask) for (unsigned l = 0, l##_all = (mask); l < LANES; l++) if (!(l##_all >> l & 1)) continue; else

/* Four source lanes, two bits each, lowest bits first: the lane that ends up in x, y, z, w. */
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
	REG_LINKED,    /* o# of vs_3_0 as the text has it: until link.h has found what it is */
	REG_INT,       /* i# */
	REG_BOOL,      /* b# */
	REG_LOOP,      /* aL */
	REG_PREDICATE, /* p0 */
	REG_LABEL,     /* l# */
	REG_FILES
};

/* Labels of a switch over all files: those of flow control. */
#define FLOW_FILES REG_INT: case REG_BOOL: case REG_LOOP: case REG_PREDICATE: case REG_LABEL

/* t#s, oT#s and c#s of any model; further oT#s of vs_3_0 feed nothing. */
enum { MOST_TEXCOORDS = 10, MOST_TEX_OUTS = 12, MOST_CONSTS = 256 };

/* r#s that any model has. */
enum { MODEL_TEMPS = 32 };

struct reg_file_info {
	const char *name; /* as printed, without the number */
	bool numbered;    /* false: a register of which there is one, printed without a number */
	bool output;      /* write only */
	bool scalar;      /* one lane */
};
extern const struct reg_file_info reg_files[REG_FILES];

enum { RELATIVE_LOOP = 1 + LANES };

struct src {
	uint8_t file;     /* enum reg_file */
	uint8_t letters;  /* swizzle letters as written, 0: none; the printer does not need it, rules do */
	swizzle swizzle;  /* short forms already filled up: last letter repeats */
	bool negate;      /* of a b# or p0: '!' */
	bool absolute;    /* _abs, as it is written; in straight programs an instruction of its own does that, see modifier.h */
	uint8_t relative; /* c[a0.L + index]: 1 + L, the lane of a0; RELATIVE_LOOP: c[aL + index]; 0: a register by itself */
	int16_t index;    /* negative only if relative */
	srcpos at;
};

/* r#, that no text has. */
static inline struct src src_temp(int reg)
{
	return (struct src){.file = REG_TEMP, .index = (int16_t)reg, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
}

struct dst {
	uint8_t file;
	lanes mask;       /* MASK_XYZW if none was written */
	bool masked;      /* a mask was written */
	uint8_t relative; /* of an o# of vs_3_0, as of struct src */
	int16_t index;
	srcpos at;
};

/* Lanes of a register, that no text has. */
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
	bool behind;   /* on the line of the statement, after it */
	bool blank;    /* an empty line stood before it */
};

enum instr_flag {
	INSTR_SAT = 1, INSTR_PP = 2, INSTR_CENTROID = 4,
	INSTR_MODIFIER = 16, /* an abs that stands for the modifier _abs of what reads it, and takes no slot */
	INSTR_DEPTH = 8 /* a 2D read whose texture may be of depths, so that .z counts: no text says that, see mark_depth_reads */
};

enum { MAX_SOURCES = 4 };

/* Stands for no instruction, where instructions of a program are numbered. */
#define NO_INSTR UINT32_MAX

enum { REGION_TEMP = 1 << 15 };
enum predicate { PREDICATE_NONE, PREDICATE_TRUE, PREDICATE_FALSE };

/* The paper's steps by which the method of -O1 inserts an instruction, see fpmove-method(7). */
enum method_step { METHOD_MOVED = 1, METHOD_M1 = 2, METHOD_M2 = 4, METHOD_M3 = 8, METHOD_M4 = 16 };

struct instr {
	uint8_t op;       /* enum op */
	uint8_t flags;    /* INSTR_SAT, INSTR_PP, INSTR_DEPTH */
	uint8_t method;   /* enum method_step: the steps by which -O1 inserted it; 0 if it was given */
	bool blank;       /* an empty line stood before it */
	uint8_t comparison; /* enum compare, of OPF_COMPARES */
	uint8_t predicate;  /* enum predicate: is it done only in lanes where p0 is true? */
	swizzle predicate_swizzle;
	uint16_t region;       /* of an opcode of regions: number of the read or write among those of the program, see outline.h */
	uint16_t region_reads; /* of these, too: operand lanes of each source that count, four bits a source;
	                        * REGION_TEMP: the operand is to be a temporary */
	struct dst dst;   /* unless OPF_NO_DST */
	struct src src[MAX_SOURCES];
	srcpos at;        /* of the mnemonic, in program.source; SRCPOS_NONE: made by fpmove */
	struct comment *comments;
};

/* For each operand of the instruction. */
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
	uint8_t usage, usage_index; /* DECL_VERTEX_INPUT, DECL_OUTPUT, DECL_PIXEL_INPUT of ps_3_0; USAGES: none */
	uint8_t number;   /* of v# or o# in the text of model 3, where `reg` is what it links to, see link.h; NO_NUMBER: none yet */
	uint8_t texture;  /* DECL_SAMPLER */
	bool blank;
	bool lone_pp;     /* the text says _pp, and `flags` do not, as another dcl of the same t# does not say it; see link.c */
	struct dst reg;   /* what is declared; its mask: the lanes */
	union {
		float value[LANES];     /* DECL_DEF */
		int32_t integer[LANES]; /* DECL_INT; of DECL_BOOL the first, 1: true */
	};
	uint32_t before;  /* number of instructions that stood before it in the text; 0 as the rules want it */
	srcpos at;
	struct comment *comments;
};

struct program;

/* The same constant on both sides: VP constant `vs` must hold, when the pair is
 * drawn, what the application sets FP constant `ps` to. */
struct const_map {
	int vs, ps;
	const char *name; /* of the FP constant in a compiler's listing, see listing.h; NULL: not known */
	bool by_name;     /* the new VP's table of constants has it under that name, so that who sets constants by names sets it */
};

/* A constant that was computed ahead: lane `lane` of c`index` in the new program of `stage` is
 * temporary lane r`temp`.`temp_lane` after `expr`, a program of arithmetic on constants alone,
 * which may read several of them in one instruction.
 *
 * A literal: the lane is a def's, and `expr` reads defs of its own only.  A preset: the
 * application computes it, and `expr` reads FP constants that the application sets, too. */
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

/* Is that lane of c`index` one of them? */
bool folds_have(const struct folds *, enum stage, int index, unsigned lane);

/* Numbers of registers. */
struct register_set {
	uint64_t word[4];
};

/* What the application sets for a program or a pair that fpmove rewrote. */
struct needs {
	struct register_set own; /* of a program: constants that it read once, which the application goes on to set */
	struct { VEC(struct const_map); } consts;
	struct folds folds;
};

/* Lanes of a VP's interpolated outputs that FPs read. */
struct outputs_read {
	lanes texcoord[MOST_TEXCOORDS], colour[2];
};

struct program {
	enum model model;
	const struct source *source; /* what the positions point into; NULL: made by fpmove */
	srcpos at;                   /* of the version token */
	struct comment *head;        /* before the version token and behind it */
	struct comment *intro;       /* below it, before the first statement: compilers' tables stand here */
	struct comment *tail;        /* after the last statement */
	struct { VEC(struct decl); } decls;   /* in the order of the text */
	struct { VEC(struct instr); } instrs;
	uint8_t samplers[16];        /* enum texture of each s#, from decls */
	struct needs needs;          /* of a program that fpmove wrote, see needs.h: of a VP copies and presets, of an FP presets */
	struct register_set withheld; /* of an FP: constants that no VP can have, too, as nobody would set them there */
	struct register_set reserved; /* constants that nothing may be put into although no instruction reads them; filled by needs_of_pair() */
	struct outputs_read promised; /* of a VP: what it also has for FPs that stay as they are, in the same lanes */
	const struct program *text;  /* of a program of model 3 that was read: as its text has it, with o#, v# and _abs; NULL of others, and of copies */
	const struct given_names *named; /* the user's names of constants, see given_names.h; NULL if there are none */
	const struct history *history; /* what passes made of it, see history.h; NULL: nobody wants to know */
};

/* The first of the lanes; LANES: none. */
static inline unsigned first_lane(lanes mask)
{
	unsigned lane = 0;
	while (lane < LANES && !(mask >> lane & 1))
		lane++;
	return lane;
}

static inline unsigned count_lanes(lanes mask)
{
	return UINT64_C(0x4332322132212110) >> 4 * (mask & MASK_XYZW) & 7u; /* a digit for each mask */
}

/* All lanes up to the last of them. */
static inline lanes lanes_up_to(lanes mask)
{
	return mask & MASK_W ? MASK_XYZW : mask & MASK_Z ? MASK_XYZ : mask & MASK_Y ? MASK_XY : mask;
}

/* The lane that arrives in `lane` of an operand. */
static inline unsigned swizzle_lane(swizzle s, unsigned lane)
{
	return s >> 2 * lane & 3u;
}

/* The register lanes that arrive in the operand lanes `read`. */
static inline lanes swizzle_lanes(swizzle s, lanes read)
{
	return (lanes)((read & 1u) << (s & 3u) | (read >> 1 & 1u) << (s >> 2 & 3u) | (read >> 2 & 1u) << (s >> 4 & 3u) |
	               (read >> 3 & 1u) << (s >> 6 & 3u));
}
/* Brings lane from[l] to each operand lane l of `read`; the others follow their neighbours, so that it prints short. */
swizzle swizzle_of_lanes(const unsigned from[LANES], lanes read);
/* First through `inner`, then through `outer`: operand lane i of the result is inner[outer[i]]. */
swizzle swizzle_after(swizzle outer, swizzle inner);
static inline swizzle swizzle_replicate(unsigned lane)
{
	return SWIZZLE(lane, lane, lane, lane);
}
/* Returns true if the operands read one register with one sign, whatever lanes of it. */
static inline bool src_is_alike(const struct src *a, const struct src *b)
{
	return a->file == b->file && a->index == b->index && a->negate == b->negate && a->absolute == b->absolute && a->relative == b->relative;
}
static inline bool src_is_same(const struct src *a, const struct src *b)
{
	return src_is_alike(a, b) && a->swizzle == b->swizzle;
}
/* Returns the operand with what it has in a position in all of them. */
static inline struct src src_of_lane(const struct src *s, unsigned position)
{
	struct src of = *s;
	of.swizzle = swizzle_replicate(swizzle_lane(s->swizzle, position));
	of.letters = 0;
	of.at = SRCPOS_NONE;
	return of;
}
/* Returns whether `s` brings one lane to all lanes of the operand. */
static inline bool swizzle_is_lane(swizzle s)
{
	return s == swizzle_replicate(swizzle_lane(s, 0));
}
/* Does `s` bring the same lanes as `like` to the operand lanes `read`? */
bool swizzles_agree(swizzle s, swizzle like, lanes read);
/* The eight that ps_2_0 has; the first of them turn the lanes, the others replicate x to w. */
enum { TURNING_SWIZZLES = 4, PS_2_0_SWIZZLES = 8 };
extern const swizzle ps_2_0_swizzles[PS_2_0_SWIZZLES];
bool swizzle_in_ps_2_0(swizzle);
/* The one of them that brings the same to the operand lanes `read`; the swizzle itself if there is none. */
swizzle swizzle_for_ps_2_0(swizzle, lanes read);
/* The same for what programs of a model are written as: in model 3 any swizzle is itself. */
swizzle swizzle_for(enum model, swizzle, lanes read);
bool swizzle_is_for(enum model, swizzle);
/* The one that is written with the fewest letters, of all that bring the same to the operand lanes `read`. */
swizzle swizzle_shortest(swizzle, lanes read);

/* Operand lanes (before the swizzle) of source `s` that decide the result lanes
 * `written` of the instruction.  This is the one place that maps write masks to
 * reads.  Texture reads look up the sampler in `p`.  For a matrix's s1: the
 * lanes of each of its rows.  instr_shape_lanes: of the shapes but lane by lane. */
lanes instr_shape_lanes(const struct program *p, const struct instr *, unsigned s, lanes written);
static inline lanes instr_operand_lanes(const struct program *p, const struct instr *i, unsigned s, lanes written)
{
	return ops[i->op].shape == SHAPE_LANES ? written : instr_shape_lanes(p, i, s, written);
}
/* Rows of a matrix's s1. */
unsigned instr_matrix_rows(const struct instr *);
/* Registers that source `s` names: 1, or those rows. */
static inline unsigned instr_rows(const struct instr *i, unsigned s)
{
	return s == 1 && ops[i->op].shape == SHAPE_MATRIX ? instr_matrix_rows(i) : 1;
}
/* Lanes written; 0 for no destination.  Of a register with one lane that is .x, also without a mask. */
static inline lanes instr_writes(const struct instr *i)
{
	return (lanes)(ops[i->op].flags & OPF_NO_DST ? 0 : reg_files[i->dst.file].scalar ? i->dst.mask & MASK_X : i->dst.mask);
}
static inline void instr_set_mask(struct instr *i, lanes mask)
{
	i->dst.mask = mask;
	i->dst.masked = mask != MASK_XYZW;
}
/* Returns true if both have the same flags, but for _pp. */
static inline bool instr_flags_agree(const struct instr *a, const struct instr *b)
{
	return ((a->flags ^ b->flags) & ~INSTR_PP) == 0;
}
/* Full precision, where a part of what it does had that. */
static inline void instr_keep_precision(struct instr *i, const struct instr *part)
{
	i->flags &= (uint8_t)(part->flags | (uint8_t)~INSTR_PP);
}
/* Of an operation lane by lane: each lane l of `mask` is computed as lane from[l] was. */
void instr_turn(struct instr *, const unsigned from[LANES], lanes mask);
/* Returns true if operand s has to bring one lane alone, by a replicate swizzle. */
bool instr_reads_scalar(const struct instr *, unsigned s);
/* Returns whether such an operand names no lane.  Only bytecode has that.  Readers disagree on the lane, so all four are read. */
bool instr_names_no_lane(const struct instr *);
/* Returns whether an instruction of the program names no lane.  Its program stays as it is. */
bool program_names_no_lane(const struct program *);
/* x + x? */
bool instr_is_doubling(const struct instr *);
/* The operand of a mul that a def multiplies by one power of two, *factor, in all lanes; MAX_SOURCES: there is none. */
unsigned instr_scaled_operand(const struct program *, const struct instr *, float *factor);
/* instr_operand_lanes as register lanes, for the instruction's whole mask. */
static inline lanes instr_reads(const struct program *p, const struct instr *i, unsigned s)
{
	return swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, instr_writes(i)));
}
/* sgn also clobbers the temporaries that its s1 and s2 name; they are not in instr_writes. */

/* Does each lane of the result depend on its own lanes of the operands, or on none in particular, so that it
 * can be computed in any other lane, or in several? */
bool instr_lanes_interchange(const struct program *, const struct instr *);

/* Does it read a texture, whose sampler is then its second source? */
static inline bool instr_samples(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW || ops[i->op].shape == SHAPE_TEXD;
}

/* Returns whether the instruction decides which others are run, or may not be done itself. */
static inline bool instr_flows(const struct instr *i)
{
	return op_is_flow(i->op) || i->predicate;
}
/* Returns whether an instruction of the program does.  Its program stays as it is. */
bool program_flows(const struct program *);

/* Does it do something beside its result, so that it stays whoever reads that? */
static inline bool instr_acts(const struct instr *i)
{
	return i->op == OP_TEXKILL || op_is_region(i->op);
}

/* Does it stand for the modifier _abs?  One that saturates, or writes an output, as it took over from the mov that did, is an
 * instruction. */
static inline bool instr_is_modifier(const struct instr *i)
{
	return i->flags & INSTR_MODIFIER && i->op == OP_ABS && !(i->flags & INSTR_SAT) && i->dst.file == REG_TEMP;
}

/* Slots that it takes in the model. */
static inline unsigned instr_slots(const struct instr *i, enum model model)
{
	return instr_is_modifier(i) ? 0 : op_slots((enum op)i->op, model);
}

/* Does an instruction read the register, as a row of a matrix or, for a constant, perhaps through a0? */
bool program_reads(const struct program *, enum reg_file, int index);
/* Does it read a constant that none of its own defs gives? */
bool program_reads_from_outside(const struct program *, int index);
/* All registers of a file that it reads.  c[a0.x + n] reads every one, or, where it is known of which it does not (`named`), none. */
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
/* arith + tex */
unsigned program_total_slots(const struct program *);
static inline enum stage program_stage(const struct program *p)
{
	return models[p->model].stage;
}
/* The declaration of a register (def of a c#, dcl of the others), or NULL. The last one counts. */
const struct decl *program_decl(const struct program *, enum reg_file, int index);
/* The def that gives what an operand reads; NULL: none does. */
static inline const struct decl *program_def(const struct program *p, const struct src *s)
{
	return s->file == REG_CONST && !s->relative ? program_decl(p, REG_CONST, s->index) : NULL;
}
/* The lanes that all declarations of a register name; in model 3, each names those of one usage. */
lanes program_declared(const struct program *, enum reg_file, int index);
/* Returns the numbers that aL + n has in the loop around instruction k, a bit for each that an input can have; all where no defi tells. */
enum { ADDRESSED_NUMBERS = 16 };
uint32_t program_numbers_addressed(const struct program *, uint32_t k, int n);
/* Finds the t# or v# that an FP's text calls v# of that number, with all lanes that it declares; mask 0: it declares none. */
struct dst program_input_of(const struct program *, unsigned number);
/* Returns the lanes of an FP's inputs that it reads as v[aL + n]. */
struct outputs_read program_inputs_addressed(const struct program *);
/* Returns the lanes of a t# or v# that the program's instructions read. */
lanes program_input_read(const struct program *, enum reg_file, int index);
/* The orders of texture reads, found going through a pixel program; starts as {0}. */
struct read_orders {
	uint32_t order[MODEL_TEMPS][LANES]; /* of the deepest read that the lane's value depends on */
	lanes written[MODEL_TEMPS];
	bool deep[MODEL_TEMPS]; /* a lane's order may be above 0 */
	bool any; /* a dependent read was seen */
	bool by_value; /* what a destination held before does not count */
};
/* Takes the next instruction; its order if it is a dependent texture read, else 0. */
unsigned read_order(struct read_orders *, const struct program *, const struct instr *);
/* Deepest dependent texture read: 0 none, 1 first order ... */
unsigned program_dependent_reads(const struct program *);
/* The same by values, as hardware waits for them: in whatever registers a program has them. */
unsigned program_reads_in_a_row(const struct program *);
/* The one of the two that programs are judged by: by registers where the model limits that, else by values. */
unsigned program_order(const struct program *);

/* Comments of what goes, before those of what follows it.  They are copied, since programs share them. */
struct comment *comments_left(struct arena *, const struct comment *gone, struct comment *own);
/* Literals and interpolated inputs that `p` does not read go, if the program that it was made of read them, or had none. */
void program_drop_unread(struct arena *, struct program *p, const struct program *old);
/* Removes the declarations of interpolated inputs of which `p` reads no lane, also if none was read before: its vertex program
 * may no longer write them. */
void program_drop_unread_inputs(struct arena *, struct program *p);

/* A deep copy of the statement lists; comments are shared. */
struct program *program_copy(struct arena *, const struct program *);
/* Are they the same instruction by instruction and declaration by declaration, but for how they are written down? */
bool program_same(const struct program *, const struct program *);
/* ... without its instructions. */
struct program *program_head(struct arena *, const struct program *);
/* A copy of a program in the model that it is written in.  As one of ps_2_0: swizzles which that model lacks become
 * those that bring the same; as one of model 3: swizzles that no text spells have the fewest letters. */
struct program *program_as_written(struct arena *, const struct program *);

#endif
