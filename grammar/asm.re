/* Lexer of Direct3D 9 shader assembly.  The whole text lies in memory and ends with a NUL.  Line ends are white space, since macros put
 * several statements on one line.  Only unknown words need lines: the first word of a line is taken for a misspelt opcode, any other for a
 * misspelt register. */
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

/* Returns the number that the digits spell.  Returns 30000 for any larger one, which is no register and which the checker reports. */
static int32_t number_of(const char *digits, const char *end)
{
	int32_t n = 0;
	for (; digits < end; digits++)
		if (n < 100000)
			n = n * 10 + (*digits - '0');
	return n > 30000 ? 30000 : n;
}

/* Both tables are indexed by the low five bits of a letter, which are the same in both cases. */
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

/* Returns the operand for a register's name, such as r3 or oPos, without lanes. */
static struct operand operand_of(const char *name, const char *end)
{
	struct operand o = {.file = file_of[*name & LETTER]};
	char const second = (char)(name + 1 < end ? name[1] | 0x20 : 0), third = (char)(name + 2 < end ? name[2] | 0x20 : 0);
	if ((*name | 0x20) == 'v' && second > '9') {
		o.file = second == 'p' ? REG_PIXEL_POS : REG_FACE;
	} else if ((*name | 0x20) == 'a' && second == 'l') {
		o.file = REG_LOOP;
	} else if ((*name | 0x20) == 'o') {
		switch (second) {
		case 't': o.file = REG_TEX_OUT; break;
		case 'c': o.file = REG_PIXEL_OUT; break;
		case 'd': o.file = third == 'e' ? REG_DEPTH_OUT : REG_COLOUR_OUT; break;
		case 'f': o.file = REG_FOG_OUT; break;
		case 'p': o.file = third == 'o' ? REG_POS_OUT : REG_SIZE_OUT; break;
		default: o.file = REG_LINKED; break;
		}
	}
	while (name < end && (*name < '0' || *name > '9'))
		name++;
	o.index = number_of(name, end);
	return o;
}

int yylex(YYSTYPE *value, srcpos *at, struct parser *p)
{
	const unsigned char *cursor = (const unsigned char *)p->cursor, *YYMARKER, *YYCTXMARKER;
	const char *start;
	const char *const text = p->source->text;
	const char *const end = text + p->source->size;
	int token;
	/*!re2c
	re2c:define:YYCTYPE = "unsigned char";
	re2c:define:YYCURSOR = "cursor";
	re2c:yyfill:enable = 0;
	digit = [0-9];
	blank = [ \t];
	lane = [xyzwrgbaXYZWRGBA];
	readable = [rvtcsaibplRVTCSAIBPL] digit+ | 'vPos' | 'vFace';
	register = readable | 'aL' | 'o' [tdcTDC]? digit+ | 'oPos' | 'oFog' | 'oPts' | 'oDepth';
	number = (digit+ ("." digit*)? | "." digit+) ([eE] [+-]? digit+)? [fF]?;
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
		const char *close = strstr((const char *)cursor, "*" "/"); /* strstr also stops at a NUL byte in the text */
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
	register { goto reg; }
	/* The modifier _abs, as in r0_abs.x, stands between the register and its lanes. */
	readable / '_abs' { goto reg; }
	'_abs' {
		token = ABS;
		goto plain;
	}
	[cvoCVO] / blank* "[" { goto reg; }
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
		value->literal = (struct literal){.at = (srcpos)(start - text), .truth = true, .value = to_lower(*start) == 't'};
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
		goto opening;
	}
	* {
		unsigned byte = (unsigned char)*start;
		while (*cursor == byte || (byte >= 0x80 && *cursor >= 0x80)) /* one error for the whole run */
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
	value->operand = operand_of(start, (const char *)cursor);
	value->operand.at = (srcpos)(start - text);
	token = REGISTER;
plain:
	p->cursor = (const char *)cursor;
	*at = (srcpos)(start - text);
	p->at_line_start = false;
	p->newlines = 0;
	return token;
}
