/* Between the lexer (grammar/asm.re), the grammar (grammar/asm.y) and parse.c. */
#ifndef FPMOVE_LANG_LEX_H
#define FPMOVE_LANG_LEX_H

#include "lang/parse.h"

/* A comment list that still grows while its statement is being read: `first.next` is the list. */
struct comment_list {
	struct comment first; /* a head that is no comment itself */
	struct comment *last;
	bool blank;           /* an empty line stood before the statement */
};

/* What a statement starts with: mnemonic or dcl or def, after its suffixes were taken off. */
struct opening {
	uint8_t op;      /* enum op, for a mnemonic; for a def, enum decl_kind */
	uint8_t comparison; /* enum compare, for a mnemonic */
	uint8_t flags;   /* INSTR_* */
	uint8_t usage, usage_index; /* dcl_usage; USAGES: none */
	uint8_t texture; /* dcl_2d ... */
	srcpos at;
	uint32_t length; /* bytes of the word */
	struct comment_list *comments;
};

/* One operand as written, before it is known to be a source or a destination. */
struct operand {
	uint8_t file;    /* REG_FILES: not a register (a number, or a word that is none) */
	bool negate, absolute, indexed;
	uint8_t relative; /* as of struct src */
	int32_t index;
	uint8_t letters;
	uint8_t lane[LANES]; /* of the letters */
	srcpos at;
};

struct literal {
	double value;
	bool integer;
	bool truth; /* it is the word true or false */
	srcpos at;
};

/* A bracketed index while it is added up. */
struct index_sum {
	int32_t value;
	uint8_t relative; /* as of struct src */
};

enum { MAX_OPERANDS = 6 };

struct operands {
	struct operand at[MAX_OPERANDS];
	unsigned n; /* may be larger than MAX_OPERANDS: counted, not kept */
};

struct parser {
	struct arena *arena;
	const struct source *source;
	struct diags *diags;
	struct program_list list;
	struct program *program;   /* the one being read; NULL before the first version token */
	bool skipping;             /* in a program of a model that is not read */
	bool known;                /* the statement being read has a known opcode */
	bool told_no_version;      /* said that the text does not start with a version token */
	struct operands operands;  /* of the statement being read */
	struct operands plain;     /* of a plain statement that comes next */
	double numbers[LANES];
	unsigned nnumbers;
	bool truth;                /* one of them is the word true or false */
	struct operand predicate;  /* of the instruction that comes next */
	bool predicated;           /* it has one */
	/* lexer */
	const char *cursor;
	bool between;              /* the last token was a whole statement, which the grammar is through with */
	bool at_line_start;        /* no token yet on this line */
	unsigned newlines;         /* since the last token or comment */
	struct comment_list *current; /* of the statement being read */
	struct comment_list *pending; /* comments that wait for the next statement */
};

/* True inside a program that is read; else says, once, that a version token is missing. */
bool parse_in_program(struct parser *, srcpos at);
static inline char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* parse.c and parse_words.c, called by the grammar */
void parse_version(struct parser *, const struct opening *);
/* The first word of a statement other than a version was read. */
void parse_begin(struct parser *, const struct opening *, bool known);
void parse_instr(struct parser *, const struct opening *, const struct operands *);
void parse_unknown(struct parser *, const struct opening *);
void parse_dcl(struct parser *, const struct opening *, const struct operand *);
void parse_def(struct parser *, const struct opening *, const struct operand *);
void parse_operand(struct parser *, const struct operand *);
void parse_number(struct parser *, const struct literal *, bool negative);
/* What stands where a register should, a word or a number. */
struct operand parse_not_register(struct parser *, srcpos at);
struct operand parse_not_operand(struct parser *, srcpos at);
/* A predicate before an instruction. */
void parse_predicate(struct parser *, const struct operand *);
/* Of `!b0`. */
struct operand parse_not(struct parser *, srcpos at, const struct operand *reg);
struct operand parse_negated(const struct operand *, srcpos at);
/* The same register with _abs. */
struct operand parse_absolute(const struct operand *reg);
/* Returns whether a modifier behind lanes, `length` letters from its underscore on, is _abs; adds an error if not. */
bool parse_is_absolute(struct parser *, const char *modifier, size_t length);
/* A register with the lanes that stand behind it. */
struct operand parse_lanes(const struct operand *, const struct operand *word);
struct operand parse_indexed(const struct operand *, const struct index_sum *);
struct index_sum parse_index(struct parser *, const struct literal *);
/* A register in an index. */
struct index_sum parse_address(struct parser *, const struct operand *);
struct index_sum parse_sum(struct parser *, srcpos, const struct index_sum *, const struct index_sum *, int sign);
struct index_sum parse_product(struct parser *, srcpos, const struct index_sum *, const struct index_sum *);
/* An error in the program being read.  Nothing is said about programs of other models, and
 * of what stands before the first version token only that it does. */
void parse_error(struct parser *, srcpos at, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same for what no text has: said before the first version token, too, but only once. */
void parse_garbage(struct parser *, srcpos at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Opens a statement: its comments are those that waited. */
struct comment_list *parse_open(struct parser *);
/* Takes the suffixes off the word; the value is the kind of token (asm_parse.h). */
int parse_word(struct parser *, const char *word, size_t length, struct opening *);
double parse_decimal(const char *text, size_t length);

#endif
