/* Reads and writes compiled shaders: Direct3D 9's bytecode.
 *
 * Bytecode is a sequence of 32-bit tokens, lowest byte first: the model, then declarations and instructions, each an opcode and its
 * operands, then an end token.  Between statements stand comments, in which compilers keep tables.  Source: "Direct3D Shader Codes"
 * and "Shader Code Format" of Microsoft's driver documentation. */
#ifndef FPMOVE_LANG_BYTECODE_H
#define FPMOVE_LANG_BYTECODE_H

#include "lang/constant_table.h"
#include "lang/ir.h"

/* The kind of a comment: its first four letters as a number. */
#define FOUR_LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
enum {
	BYTECODE_TABLE = FOUR_LETTERS('C', 'T', 'A', 'B'), /* a table of constants, see constant_table.h */
	BYTECODE_NEEDS = FOUR_LETTERS('F', 'P', 'M', 'V')  /* the comments of needs.h as text, padded with line ends */
};

struct bytecode_comment {
	uint32_t before;     /* number of declarations and instructions before the comment */
	const char *bytes;   /* the comment's bytes behind its token; the first four are letters, see FOUR_LETTERS */
	uint32_t size;       /* number of `bytes`, a multiple of 4 */
};

/* The parts of a shader's bytecode that struct program does not hold. */
struct bytecode {
	const char *bytes;
	size_t size;
	struct { VEC(struct bytecode_comment); } comments;
	const struct constant_table *table; /* the shader's table of constants, or NULL if it has none that can be read */
};

/* Returns the token in four bytes, lowest byte first. */
static inline uint32_t bytecode_token(const char *bytes)
{
	const unsigned char *b = (const unsigned char *)bytes;
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Returns true if the first token names a model of Direct3D 9, whether models.def has it or not.  No text begins with these bytes. */
static inline bool bytecode_is(const char *bytes, size_t size)
{
	uint32_t const version = size >= 4 ? bytecode_token(bytes) : 0;
	unsigned const major = version >> 8 & 0xff;
	return (version >> 16 == 0xffff || version >> 16 == 0xfffe) && major >= 1 && major <= 3;
}
/* Returns the model that the first token names, or MODEL_COUNT if models.def does not have it. */
enum model bytecode_model(const char *bytes, size_t size);

/* Returns the program in `bytes`, and fills `rest` with the remaining parts.  Its statements have no positions.  If the bytes are no
 * program, or one that fpmove does not read, returns NULL and reports an error that names the token.  Nothing beyond `size` is read,
 * whatever lengths the tokens claim. */
struct program *bytecode_read(struct arena *, const struct source *bytes, struct bytecode *rest, struct diags *);

/* The tables of constants of the FPs that a VP is drawn with.
 *
 * The copies of FP constants that the VP needs are added to the VP's table, with the names and types from the FPs' tables.  So an
 * application that sets constants by name sets the copies, too.  A VP without a table gets none, as its application sets registers.  In an
 * effect, which reads every table, it gets one: `adds_table` is true. */
struct constant_types {
	VEC(const struct constant_table *);
	bool adds_table;           /* a VP without a table gets one */
	struct register_set apart; /* FP constants that are not the same parameter in all of these programs, and get no name */
};
/* Appends the program as bytecode, with its needs as a comment.  If its source was bytecode, the comments of that are kept: all of them,
 * at their places, if the program is `whole`, that is unchanged; otherwise only those before the first statement, since the others may be
 * about statements that are gone.  `types` is NULL if no program has a table. */
void bytecode_print(struct text *, const struct program *, bool whole, const struct constant_types *types);

/* Returns a source whose text is the program in `bytes`, printed below comments with the names of its constants, as in a compiler's
 * listing (listing.h), and its needs (needs.h).  Reports the errors of bytecode_read(), and then returns NULL. */
const struct source *bytecode_listing(struct arena *, const struct source *bytes, struct diags *);
/* Returns true if `p`, which was read from such a listing, would be written as exactly the bytes that the listing was made from.
 * Reports an error otherwise. */
bool bytecode_is_kept(struct arena *, const struct program *p, struct diags *);

#endif
