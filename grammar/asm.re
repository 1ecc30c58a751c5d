/* Lexer of Direct3D 9 shader assembly.  The whole text lies in memory and ends with a NUL.  Line ends are white space, since macros put
 * several statements on one line.  But `at_line_start` is kept: an unknown word is a misspelt opcode if it is the first of its line, and
 * a misspelt register otherwise. */
#include "lang/lex.h"

#include "asm_parse.h"

#include <string.h>

int yylex(YYSTYPE *value, srcpos *at, struct parser *p);

static void add_comment(struct parser *p, const char *from, const char *to)
{
	while (to > from && (to[-1] == '\r' || to[-1] == ' ' || to[-1] == '\t'))
		to--;
	struct comment *c = arena_zero(p->arena, sizeof *c);
	c->text = from;
	c->length = (uint32_t)(to - from);
	c->behind = !p->at_line_start && p->current;
	c->blank = p->newlines > 1;
	struct comment_list *list = c->behind ? p->current : p->pending;
	list->last->next = c;
	list->last = c;
	p->newlines = 0;
}

static void count_newlines(struct parser *p, const char *from, const char *to)
{
	for (; from < to; from++) {
		if (*from == '\n') {
			p->newlines++;
			p->at_line_start = true;
		}
	}
}

/* Returns the register number of digits.  A number too large for any register becomes 30000, which the checker reports. */
static int32_t number_of(const char *digits, const char *end)
{
	int32_t n = 0;
	for (; digits < end; digits++)
		if (n < 100000)
			n = n * 10 + (*digits - '0');
	return n > 30000 ? 30000 : n;
}

/* The tables are indexed by a letter's number in the alphabet. */
enum { LETTER = 31 };
static const uint8_t lane_of[LETTER + 1] = {
	['x' & LETTER] = LANE_X, ['y' & LETTER] = LANE_Y, ['z' & LETTER] = LANE_Z, ['w' & LETTER] = LANE_W,
	['r' & LETTER] = LANE_X, ['g' & LETTER] = LANE_Y, ['b' & LETTER] = LANE_Z, ['a' & LETTER] = LANE_W,
};
static const uint8_t file_of[LETTER + 1] = {
	['r' & LETTER] = REG_TEMP,  ['v' & LETTER] = REG_INPUT,   ['t' & LETTER] = REG_TEXCOORD,
	['c' & LETTER] = REG_CONST, ['s' & LETTER] = REG_SAMPLER, ['a' & LETTER] = REG_ADDRESS,
	['i' & LETTER] = REG_INT,   ['b' & LETTER] = REG_BOOL,    ['p' & LETTER] = REG_PREDICATE, ['l' & LETTER] = REG_LABEL,
};

static void set_lanes(struct operand *o, const char *from, const char *to)
{
	o->letters = (uint8_t)(to - from);
	for (unsigned i = 0; i < o->letters; i++)
		o->lane[i] = lane_of[from[i] & LETTER];
}

/* Returns the operand of a register's name, with or without lanes. */
static struct operand operand_of(const char *start, const char *end)
{
	struct operand o = {0};
	const char *c = start + 1;
	if ((*start | 0x20) == 'o' && start[1] >= '0' && start[1] <= '9') {
		o.file = REG_LINKED;
	} else if ((*start | 0x20) == 'o') {
		switch (start[1] | 0x20) {
		case 't': o.file = REG_TEX_OUT; break;
		case 'c': o.file = REG_PIXEL_OUT; break;
		case 'd': o.file = (start[2] | 0x20) == 'e' ? REG_DEPTH_OUT : REG_COLOUR_OUT; break;
		case 'f': o.file = REG_FOG_OUT; break;
		default: o.file = (start[2] | 0x20) == 'o' ? REG_POS_OUT : REG_SIZE_OUT; break;
		}
		while (c < end && *c > '9')
			c++;
	} else {
		o.file = file_of[*start & LETTER];
	}
	const char *dot = c;
	while (dot < end && *dot != '.')
		dot++;
	o.index = number_of(c, dot);
	if (dot < end)
		set_lanes(&o, dot + 1, end);
	return o;
}

/* Reads a plain operand: a register with or without a sign and lanes.  Returns its end, or NULL if the operand has any other form. */
static const unsigned char *plain_operand(const unsigned char *cursor, struct operand *o, const char *text)
{
	const unsigned char *YYMARKER, *YYCTXMARKER;
	const char *start = (const char *)cursor;
	/*!re2c
	re2c:define:YYCTYPE = "unsigned char";
	re2c:define:YYCURSOR = "cursor";
	re2c:yyfill:enable = 0;
	digit = [0-9];
	blank = [ \t];
	lane = [xyzwrgbaXYZWRGBA];
	plain = [rvtcsaibplRVTCSAIBPL] digit+; /* a register of one letter and a number */
	output = 'o' [TDC]? digit+ | 'oPos' | 'oFog' | 'oPts' | 'oDepth';
	"-"? (plain | output) ("." lane{1,4})? / blank* ([,;\r\n] | "//") {
		bool negate = *start == '-';
		*o = operand_of(start + negate, (const char *)cursor);
		o->negate = negate;
		o->at = (srcpos)(start - text);
		return cursor;
	}
	* { return NULL; }
	*/
}

static const unsigned char *past_blanks(const unsigned char *cursor)
{
	while (*cursor == ' ' || *cursor == '\t')
		cursor++;
	return cursor;
}

/* Reads the operands of a statement into p->plain if all are plain: registers with or without a sign and lanes.  Returns their end, or NULL
 * if they are not.  Nearly all statements are plain.  The lexer adds them to the program by itself, but for one that
 * follows a statement of another kind: that one is a token for the grammar. */
static const unsigned char *plain_operands(struct parser *p, const unsigned char *cursor)
{
	unsigned n = 0;
	for (;; cursor++) {
		if (n == MAX_OPERANDS)
			return NULL;
		cursor = plain_operand(past_blanks(cursor), &p->plain.at[n], p->source->text);
		if (!cursor)
			return NULL;
		n++;
		cursor = past_blanks(cursor);
		if (*cursor != ',')
			break;
	}
	p->plain.n = n;
	return cursor;
}

/* Reads the register and four numbers of a def.  Returns their end, or NULL if they have a form that only the grammar reads. */
static const unsigned char *plain_def(struct parser *p, const unsigned char *cursor)
{
	const unsigned char *YYMARKER, *YYCTXMARKER;
	cursor = plain_operand(past_blanks(cursor), &p->plain.at[0], p->source->text);
	if (!cursor || p->plain.at[0].negate)
		return NULL;
	p->truth = false;
	for (p->nnumbers = 0; p->nnumbers < LANES; p->nnumbers++) {
		cursor = past_blanks(cursor);
		if (*cursor++ != ',')
			return NULL;
		cursor = past_blanks(cursor);
		bool negative = *cursor == '-';
		cursor += negative;
		const char *start = (const char *)cursor;
		/*!re2c
		re2c:define:YYCTYPE = "unsigned char";
		re2c:define:YYCURSOR = "cursor";
		re2c:yyfill:enable = 0;
		number = (digit+ ("." digit*)? | "." digit+) ([eE] [+-]? digit+)? [fF]?;
		number / blank* ([,;\r\n] | "//") { goto found; }
		* { return NULL; }
		*/
	found:;
		double value = parse_decimal(start, (size_t)((const char *)cursor - start));
		if (value > 1e38) /* it may be above FLT_MAX: let the grammar read it, which reports that */
			return NULL;
		p->numbers[p->nnumbers] = negative ? -value : value;
	}
	cursor = past_blanks(cursor);
	return *cursor == ',' ? NULL : cursor;
}

/* Reads the operands behind the first word of a statement.  Returns their end, or NULL if only the grammar can read them.  A def is read so
 * only between statements: otherwise its numbers would overwrite those of a def that the grammar has not finished. */
static const unsigned char *plain_statement(struct parser *p, const unsigned char *cursor, int word)
{
	if (word == DEF)
		return p->between ? plain_def(p, cursor) : NULL;
	const unsigned char *behind = plain_operands(p, cursor);
	return behind && word == DCL && (p->plain.n != 1 || p->plain.at[0].negate) ? NULL : behind;
}

/* Adds the statement whose operands plain_statement() has read to the program, as the grammar does with others. */
static void parse_plain(struct parser *p, const struct opening *o, int word)
{
	if (word == MNEMONIC)
		parse_instr(p, o, &p->plain);
	else if (word == DCL)
		parse_dcl(p, o, &p->plain.at[0]);
	else
		parse_def(p, o, &p->plain.at[0]);
}

int yylex(YYSTYPE *value, srcpos *at, struct parser *p)
{
	const unsigned char *cursor = (const unsigned char *)p->cursor, *YYMARKER, *YYCTXMARKER;
	const char *start;
	const char *const text = p->source->text;
	const char *const end = text + p->source->size;
	uint8_t file; /* enum reg_file */
	unsigned prefix; /* number of letters in a register's name before its number */
	int token;
	/*!re2c
	re2c:define:YYCTYPE = "unsigned char";
	re2c:define:YYCURSOR = "cursor";
	re2c:yyfill:enable = 0;
	word = [a-zA-Z_][a-zA-Z0-9_]*;
	line_rest = ("\\" "\r"? "\n" | [^\n\x00])*;
	*/
again:
	start = (const char *)cursor;
	/*!re2c
	"\x00" {
		if (start >= end) {
			cursor -= 1;
			*at = (srcpos)(start - text);
			parse_open(p);
			p->cursor = start;
			return END;
		}
		parse_garbage(p, (srcpos)(start - text), "a NUL byte: this is not shader text");
		cursor = (const unsigned char *)end;
		goto again;
	}
	[ \t\v\f\r\n]+ {
		count_newlines(p, start, (const char *)cursor);
		goto again;
	}
	"\\" "\r"? "\n" { goto again; }
	"\xEF\xBB\xBF" {
		if (start != text)
			parse_garbage(p, (srcpos)(start - text), "a byte order mark in the middle of the text");
		goto again;
	}
	("//" | ";") line_rest {
		add_comment(p, start, (const char *)cursor);
		goto again;
	}
	"/*" {
		const char *close = strstr((const char *)cursor, "*" "/"); /* ends at a NUL byte, too */
		if (!close) {
			parse_error(p, (srcpos)(start - text), "this comment is never closed");
			cursor = (const unsigned char *)end;
			goto again;
		}
		cursor = (const unsigned char *)close + 2;
		add_comment(p, start, (const char *)cursor);
		goto again;
	}
	'vs' [._] digit [._] (digit | 'x' | 'a' | 'sw') | 'ps' [._] digit [._] (digit | 'x' | 'a' | 'b' | 'sw') {
		value->opening = (struct opening){.length = (uint32_t)((const char *)cursor - start)};
		token = VERSION;
		goto opening;
	}
	'o' digit+  { file = REG_LINKED, prefix = 1; goto reg; }
	'vPos'      { file = REG_PIXEL_POS, prefix = 4; goto reg; }
	'vFace'     { file = REG_FACE, prefix = 5; goto reg; }
	'vPos' / '_abs'  { file = REG_PIXEL_POS, prefix = 4; goto reg; }
	'vFace' / '_abs' { file = REG_FACE, prefix = 5; goto reg; }
	'oT' digit+ { file = REG_TEX_OUT, prefix = 2; goto reg; }
	'oD' digit+ { file = REG_COLOUR_OUT, prefix = 2; goto reg; }
	'oC' digit+ { file = REG_PIXEL_OUT, prefix = 2; goto reg; }
	'oPos'      { file = REG_POS_OUT, prefix = 4; goto reg; }
	'oFog'      { file = REG_FOG_OUT, prefix = 4; goto reg; }
	'oPts'      { file = REG_SIZE_OUT, prefix = 4; goto reg; }
	'oDepth'    { file = REG_DEPTH_OUT, prefix = 6; goto reg; }
	plain       { file = file_of[*start & LETTER], prefix = 1; goto reg; }
	/* The modifier _abs stands between the register and its lanes.  A sign is a token of its own. */
	plain '_abs' ("." lane{1,4})? {
		const char *mark = start;
		while (*mark != '_')
			mark++;
		value->operand = operand_of(start, mark);
		if (mark + 4 < (const char *)cursor)
			set_lanes(&value->operand, mark + 5, (const char *)cursor);
		value->operand.absolute = true;
		value->operand.at = (srcpos)(start - text);
		token = OPERAND;
		goto plain;
	}
	'_abs' {
		token = ABS;
		goto plain;
	}
	/* Nearly all operands match here: a register and its lanes, which end before a comma, a line end or a comment. */
	(plain | output) ("." lane{1,4})? / blank* ([,;\r\n] | "//") {
		value->operand = operand_of(start, (const char *)cursor);
		value->operand.at = (srcpos)(start - text);
		token = OPERAND;
		goto plain;
	}
	[cvCV] / blank* "[" { file = file_of[*start & LETTER], prefix = 1; goto reg; }
	'o' / blank* "[" { file = REG_LINKED, prefix = 1; goto reg; }
	'aL' { file = REG_LOOP, prefix = 2; goto reg; }
	"." blank* lane{1,4} {
		const char *letter = start + 1;
		while (*letter == ' ' || *letter == '\t')
			letter++;
		set_lanes(&value->operand, letter, (const char *)cursor);
		value->operand.at = (srcpos)(start - text);
		value->operand.absolute = false;
		token = LANES_WORD;
		goto plain;
	}
	/* Listings of Wine and of some drivers have the modifier behind the lanes. */
	"." blank* lane{1,4} "_" [a-zA-Z0-9]+ {
		const char *letter = start + 1, *mark = letter;
		while (*letter == ' ' || *letter == '\t')
			letter++;
		while (*mark != '_')
			mark++;
		set_lanes(&value->operand, letter, mark);
		value->operand.at = (srcpos)(start - text);
		value->operand.absolute = parse_is_absolute(p, mark, (size_t)((const char *)cursor - mark));
		token = LANES_WORD;
		goto plain;
	}
	"." blank* word | "." {
		int shown = (int)((const char *)cursor - start < 40 ? (const char *)cursor - start : 40);
		parse_error(p, (srcpos)(start - text),
		            "'%.*s' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba",
		            shown, start);
		value->operand = (struct operand){.letters = 1, .lane = {LANE_X}, .at = (srcpos)(start - text)};
		token = LANES_WORD;
		goto plain;
	}
	number {
		value->literal = (struct literal){.at = (srcpos)(start - text), .integer = true};
		for (const char *c = start; c < (const char *)cursor; c++)
			value->literal.integer &= *c >= '0' && *c <= '9';
		value->literal.value = parse_decimal(start, (size_t)((const char *)cursor - start));
		token = NUMBER;
		goto plain;
	}
	digit+ "." digit* "#" word {
		value->literal = (struct literal){.at = (srcpos)(start - text)};
		parse_error(p, value->literal.at, "'%.*s' is how a C library prints infinity or no number: def takes finite numbers",
		            (int)((const char *)cursor - start < 40 ? (const char *)cursor - start : 40), start);
		token = NUMBER;
		goto plain;
	}
	"(" blank* "!"? blank* 'p' digit+ blank* ("." blank* lane{1,4})? blank* ")" {
		const char *c = start, *letters;
		while (*c != '!' && *c != 'p' && *c != 'P')
			c++;
		value->operand = (struct operand){.file = REG_PREDICATE, .negate = *c == '!', .at = (srcpos)(start - text)};
		c += strcspn(c, "pP") + 1;
		value->operand.index = number_of(c, c + strspn(c, "0123456789"));
		c += strcspn(c, ".)");
		letters = *c == '.' ? c + 1 + strspn(c + 1, " \t") : c;
		set_lanes(&value->operand, letters, letters + strcspn(letters, " \t)"));
		token = PREDICATE;
		goto plain;
	}
	'true' | 'false' {
		value->literal = (struct literal){.at = (srcpos)(start - text), .truth = true, .value = lower(*start) == 't'};
		token = TRUTH;
		goto plain;
	}
	[,+*=()[\]!-] {
		token = *start;
		goto plain;
	}
	word {
		value->opening = (struct opening){.length = (uint32_t)((const char *)cursor - start)};
		token = parse_word(p, start, (size_t)((const char *)cursor - start), &value->opening);
		if (token == UNKNOWN_WORD && p->at_line_start)
			token = UNKNOWN_OPCODE;
		if (token == UNKNOWN_WORD)
			goto plain;
		bool const plain = token != UNKNOWN_OPCODE && !(token == DEF && value->opening.op != DECL_DEF);
		const unsigned char *behind = plain ? plain_statement(p, cursor, token) : NULL;
		if (!behind)
			goto opening;
		cursor = behind;
		if (!p->between) {
			token = token == MNEMONIC ? PLAIN_INSTR : PLAIN_DCL;
			goto opening;
		}
		/* The grammar has finished all statements before (`between`), so the lexer adds this one by itself. */
		value->opening.at = (srcpos)(start - text);
		value->opening.comments = parse_open(p);
		parse_plain(p, &value->opening, token);
		p->at_line_start = false;
		p->newlines = 0;
		goto again;
	}
	* {
		unsigned byte = (unsigned char)*start;
		while (*cursor == byte || (byte >= 0x80 && *cursor >= 0x80)) /* skip the run of such bytes, which gets one error */
			cursor++;
		if (byte >= 0x80)
			parse_garbage(p, (srcpos)(start - text), "bytes that are not ASCII stand outside a comment");
		else if (byte < ' ' || byte == 0x7f)
			parse_garbage(p, (srcpos)(start - text), "the control character 0x%02x: this is not shader text", byte);
		else
			parse_error(p, (srcpos)(start - text), "'%c' means nothing here", *start);
		goto again;
	}
	*/
opening:
	value->opening.at = (srcpos)(start - text);
	value->opening.comments = parse_open(p);
	goto plain;
reg:
	value->operand = (struct operand){.file = file, .index = number_of(start + prefix, (const char *)cursor),
	                                  .at = (srcpos)(start - text)};
	token = REGISTER;
plain:
	p->cursor = (const char *)cursor;
	*at = (srcpos)(start - text);
	p->between = token == VERSION || token == PLAIN_INSTR || token == PLAIN_DCL;
	p->at_line_start = false;
	p->newlines = 0;
	return token;
}
