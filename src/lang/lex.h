/* The interface between the lexer (grammar/asm.re), the grammar (grammar/asm.y) and their actions in parse_statement.c and
 * parse_words.c. */
#ifndef FPMOVE_LANG_LEX_H
#define FPMOVE_LANG_LEX_H

#include "base/letters.h"
#include "lang/parse.h"

/* The comments of a statement that the parser reads; the list begins at `first.next`. */
struct comment_list {
	struct comment first; /* a dummy list head */
	struct comment *last;
	bool blank;           /* an empty line precedes the statement */
};

/* The first word of a statement, a mnemonic, dcl or def, and its suffixes. */
struct opening {
	uint8_t op;      /* enum op of a mnemonic; enum decl_kind of a def */
	uint8_t comparison; /* enum compare, of a mnemonic */
	uint8_t flags;   /* INSTR_* */
	uint8_t usage, usage_index; /* the usage and its index in a dcl such as dcl_texcoord3; USAGES if there is none */
	uint8_t texture; /* enum texture, of dcl_2d, dcl_cube and dcl_volume */
	srcpos at;
	uint32_t length; /* length of the word in bytes */
	struct comment_list *comments;
};

/* One operand as written, which may become a source or a destination. */
struct operand {
	uint8_t file;    /* enum reg_file, or REG_FILES for a number or any other word */
	bool negate, absolute, indexed;
	uint8_t relative; /* kind of relative addressing, as in struct src */
	int32_t index;
	uint8_t letters;     /* number of letters behind the dot */
	uint8_t lane[LANES]; /* the lane that each letter names */
	srcpos at;
};

struct literal {
	double value;
	bool integer;
	bool truth; /* the literal is the word true or false */
	srcpos at;
};

/* The value of the part of an index in brackets that was read so far. */
struct index_sum {
	int32_t value;
	uint8_t relative; /* kind of relative addressing, as in struct src */
};

enum { MAX_OPERANDS = 6 };

struct operands {
	struct operand at[MAX_OPERANDS];
	unsigned n; /* number of operands in the text; those beyond MAX_OPERANDS are counted but not kept */
};

struct parser {
	struct arena *arena;
	const struct source *source;
	struct diags *diags;
	struct program_list list;
	struct program *program;   /* the program being read; NULL before the first version token, and if `skipping` */
	bool skipping;             /* the program being read is of a model that is not supported */
	bool known;                /* the statement being read has a known opcode */
	bool told_no_version;      /* an error said that the text does not start with a version token */
	struct operands operands;  /* operands of the statement being read */
	double numbers[LANES];     /* numbers of the def being read */
	unsigned nnumbers;
	bool truth;                /* the def being read has the word true or false among its numbers */
	struct operand predicate;  /* predicate of the next instruction */
	bool predicated;           /* the next instruction has a predicate */
	/* The fields below belong to the lexer. */
	const char *cursor;
	bool at_line_start;        /* no token was read yet on this line */
	unsigned newlines;         /* line ends since the last token or comment */
	struct comment_list *current; /* comments of the statement being read */
	struct comment_list *pending; /* comments before the next statement */
};

/* Returns true inside a program of a supported model.  Before the first version token, adds an error that it is missing, but only once. */
bool parse_in_program(struct parser *, srcpos at);

/* ---- actions of the grammar, in parse_statement.c and parse_words.c ---- */

void parse_version(struct parser *, const struct opening *);
/* Begins a statement whose first word was read, other than a version token. */
void parse_begin(struct parser *, const struct opening *, bool known);
void parse_instr(struct parser *, const struct opening *, const struct operands *);
void parse_unknown(struct parser *, const struct opening *);
void parse_dcl(struct parser *, const struct opening *, const struct operand *);
void parse_def(struct parser *, const struct opening *, const struct operand *);
void parse_operand(struct parser *, const struct operand *);
void parse_number(struct parser *, const struct literal *, bool negative);
/* Return an operand that is no register, and add an error, if the opcode is known: parse_not_register() for a word that names no register,
 * parse_not_operand() for a number. */
struct operand parse_not_register(struct parser *, srcpos at);
struct operand parse_not_operand(struct parser *, srcpos at);
/* Stores a predicate in the parser, for the next instruction. */
void parse_predicate(struct parser *, const struct operand *);
/* Returns the operand negated by !, as !b0; adds an error unless it is a b# or p0. */
struct operand parse_not(struct parser *, srcpos at, const struct operand *reg);
struct operand parse_negated(const struct operand *, srcpos at);
struct operand parse_absolute(const struct operand *reg);
/* Returns true if a suffix of a source, `length` letters with the underscore, is _abs.  Otherwise adds an error and returns false. */
bool parse_is_absolute(struct parser *, const char *modifier, size_t length);
/* Returns the operand with the lanes that `word`, the word behind its dot, names. */
struct operand parse_lanes(const struct operand *, const struct operand *word);
struct operand parse_indexed(const struct operand *, const struct index_sum *);
struct index_sum parse_index(struct parser *, const struct literal *);
/* Returns the index sum for a register in brackets, a lane of a0 or aL; adds an error for any other operand. */
struct index_sum parse_address(struct parser *, const struct operand *);
struct index_sum parse_sum(struct parser *, srcpos, const struct index_sum *, const struct index_sum *, int sign);
struct index_sum parse_product(struct parser *, srcpos, const struct index_sum *, const struct index_sum *);
/* Adds an error in the program being read.  Adds none in a program of an unsupported model.  Before the first version token, adds only the
 * error that the token is missing, and that once. */
void parse_error(struct parser *, srcpos at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Adds an error about bytes that cannot stand in a text; outside of a program of a supported model, only as the first error. */
void parse_garbage(struct parser *, srcpos at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Returns an empty list of comments. */
struct comment_list *parse_comments(struct parser *);
/* Opens a statement: makes the pending comments its own and returns their list. */
struct comment_list *parse_open(struct parser *);
/* Splits a statement's first word into opcode and suffixes, with errors for unknown suffixes.  Returns the kind of token (asm_parse.h). */
int parse_word(struct parser *, const char *word, size_t length, struct opening *);
/* Returns the value of a decimal number, as strtod does in the C locale. */
double parse_decimal(const char *text, size_t length);

#endif
