/* Reads and writes compiled shaders: Direct3D 9's bytecode.
 *
 * Bytecode is a sequence of 32-bit tokens, lowest byte first: the model, then declarations and instructions, each an opcode and its
 * operands, then an end token.  Between statements stand comments, in which compilers keep tables.  Source: "Direct3D Shader Codes"
 * and "Shader Code Format" of Microsoft's driver documentation. */
#ifndef FPMOVE_LANG_BYTECODE_H
#define FPMOVE_LANG_BYTECODE_H

#include "lang/constant_table.h"
#include "lang/ir.h"

/* The kind of a comment in bytecode: the number of its first four letters. */
#define FOUR_LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
enum {
	BYTECODE_TABLE = FOUR_LETTERS('C', 'T', 'A', 'B'), /* a table of constants, see constant_table.h */
	BYTECODE_NEEDS = FOUR_LETTERS('F', 'P', 'M', 'V')  /* text: the comments that needs_print() writes, padded with line ends */
};

struct bytecode_comment {
	uint32_t before;     /* number of declarations and instructions before the comment */
	const char *bytes;   /* the comment's bytes behind its token; the first four may be one of the kinds above */
	uint32_t size;       /* number of `bytes`, a multiple of 4 */
};

/* The parts of a shader's bytecode that struct program does not hold. */
struct bytecode {
	const char *bytes;
	size_t size;
	struct { VEC(struct bytecode_comment); } comments;
	const struct constant_table *table; /* the shader's table of constants, set by bytecode_listing(); NULL if there is none that can be read */
};

/* Returns the token that four bytes hold, lowest byte first. */
static inline uint32_t bytecode_token(const char *bytes)
{
	const unsigned char *b = (const unsigned char *)bytes;
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Returns true if the first token names a model 1, 2 or 3, also one that models.def lacks.  No text begins with such a token. */
static inline bool bytecode_is(const char *bytes, size_t size)
{
	uint32_t const version = size >= 4 ? bytecode_token(bytes) : 0;
	unsigned const major = version >> 8 & 0xff;
	return (version >> 16 == 0xffff || version >> 16 == 0xfffe) && major >= 1 && major <= 3;
}
/* Returns the model that the first token names, or MODEL_COUNT if models.def lacks it. */
enum model bytecode_model(const char *bytes, size_t size);

/* Returns the program in `bytes`, and fills `rest` with its bytes and comments, but not with `table`.  Its statements have no positions.  If the
 * bytes are no program, or one that fpmove does not read, reports an error that names the token, and returns NULL.  Reads nothing beyond `size`,
 * whatever lengths the tokens claim. */
struct program *bytecode_read(struct arena *, const struct source *bytes, struct bytecode *rest, struct diags *);

/* The tables of constants of the FPs with which a VP is drawn.  The copies of FP constants that the VP needs are added to the VP's table, with the
 * names and types from the FPs' tables, so that an application that sets constants by name also sets the copies.  A VP without a table gets one
 * only if `adds_table`: effects read every table, but the application of any other such VP sets registers. */
struct constant_types {
	VEC(const struct constant_table *);
	bool adds_table;           /* a VP without a table gets one for its copies */
	struct register_set apart; /* FP constants that are different parameters in two of the FPs, so that their copies get no name */
};
/* Appends the program as bytecode.  If the program is `whole`, that is unchanged, keeps all comments of its bytecode at their places.  Otherwise
 * writes its needs as a comment, its table of constants with rows for the copies, and of the other comments only those before the first statement,
 * since the rest may be about statements that are gone.  If `types` is NULL, adds no rows to the table. */
void bytecode_print(struct text *, const struct program *, bool whole, const struct constant_types *types);

/* Returns a source whose text is the program in `bytes` as a compiler lists it (listing.h): first the names of its constants in comments, then the
 * program with its needs (needs.h).  If bytecode_read() reports an error, returns NULL. */
const struct source *bytecode_listing(struct arena *, const struct source *bytes, struct diags *);
/* Returns true if `p`, which was read from a text of bytecode_listing(), would be written as exactly the bytes that were listed.  Otherwise
 * reports an error. */
bool bytecode_is_kept(struct arena *, const struct program *p, struct diags *);

#endif
