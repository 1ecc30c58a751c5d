/* Compiled shaders: Direct3D 9's bytecode.
 *
 * Bytecode is tokens of 32 bits, lowest byte first: the model, then declarations and instructions, each an opcode and
 * its operands, between them comments, in which compilers keep tables, and an end token.  Source: "Direct3D Shader
 * Codes" and "Shader Code Format" of Microsoft's driver documentation. */
#ifndef FPMOVE_LANG_BYTECODE_H
#define FPMOVE_LANG_BYTECODE_H

#include "lang/constant_table.h"
#include "lang/ir.h"

/* The first four letters of a comment, which say what it is. */
#define FOUR_LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
enum {
	BYTECODE_TABLE = FOUR_LETTERS('C', 'T', 'A', 'B'), /* of constants, see constant_table.h */
	BYTECODE_NEEDS = FOUR_LETTERS('F', 'P', 'M', 'V')  /* the comments of needs.h as text, filled up with line ends */
};

struct bytecode_comment {
	uint32_t before;     /* number of statements, declarations and instructions, that stand before it */
	const char *bytes;   /* without its token; the first four are its letters */
	uint32_t size;       /* of them, a multiple of 4 */
};

/* A shader as it was read: what its program does not say. */
struct bytecode {
	const char *bytes;
	size_t size;
	struct { VEC(struct bytecode_comment); } comments;
	const struct constant_table *table; /* of its constants; NULL: none that can be read */
};

/* Does the first token name a model of Direct3D 9, whether it is one of models.def or not?  No text begins so. */
bool bytecode_is(const char *bytes, size_t size);
/* That model; MODEL_COUNT: it is none of models.def. */
enum model bytecode_model(const char *bytes, size_t size);

/* The program of `bytes`, with what it does not say in `rest`.  Its statements have no positions.  NULL, and an error
 * that names the token: bytes which are no program, or one of a kind that is not read.  Nothing beyond `size` is read,
 * whatever the tokens say. */
struct program *bytecode_read(struct arena *, const struct source *bytes, struct bytecode *rest, struct diags *);

/* Adds the program as bytecode, with the needs that it has.  Of a program whose source was bytecode its comments come
 * with it: of one that is `whole`, where they stood; of another those that stand before
 * all statements, as the others tell of statements that may be gone.
 *
 * The constants that a vertex program needs of its pixel program come into its table under the names and types that they
 * have in `types`, the tables of the programs that it is drawn with (NULL: none has one).  So an application that sets
 * constants by name sets these, too.  The application of a program without a table sets registers, unless it is an effect,
 * which reads each table that there is. */
struct constant_types {
	VEC(const struct constant_table *);
	bool adds_table;           /* a program without a table gets one */
	struct register_set apart; /* constants that are not the same in all of them */
};
void bytecode_print(struct text *, const struct program *, bool whole, const struct constant_types *types);

/* A source whose text is that program, as the printer writes it below what its comments say: constants as a compiler's
 * listing names them (listing.h), and needs (needs.h).  Errors are those of bytecode_read. */
const struct source *bytecode_listing(struct arena *, const struct source *bytes, struct diags *);
/* Is `p`, which was read from such a listing, written as the very bytes that this was made from?  An error if not. */
bool bytecode_is_kept(struct arena *, const struct program *p, struct diags *);

#endif
