/* Grammar of Direct3D 9 shader assembly.  Operands are generic: what an opcode takes is in
 * src/lang/ops.def, what a model allows in src/lang/check.c.  A statement starts with a word
 * that no operand can be, so statements need no line end and errors recover at the next one. */
%code requires {
#include "lang/lex.h"
}
%code {
#include <string.h>

int yylex(YYSTYPE *value, srcpos *at, struct parser *p);
static void yyerror(const srcpos *at, struct parser *p, const char *message);

/* The stacks are as deep as the grammar and never grow: memory is the arena's business. */
#define YYSTACK_USE_ALLOCA 0
#define YYMALLOC(size) ((void)(size), (void *)0)
#define YYFREE(pointer) ((void)(pointer))
#define YYLLOC_DEFAULT(current, rhs, n) ((current) = (n) ? YYRHSLOC(rhs, 1) : YYRHSLOC(rhs, 0))
}
%define api.pure full
%define api.location.type {srcpos}
%define parse.error detailed
%define parse.lac full
%locations
%expect 0
%param { struct parser *p }

%union {
	struct opening opening;
	struct operand operand;
	struct literal literal;
	struct index_sum index;
}
%token <opening> VERSION "version token" MNEMONIC "opcode" DCL "dcl" DEF "def" UNKNOWN_OPCODE "unknown opcode"
%token <opening> UNKNOWN_WORD "word"
%token <operand> REGISTER "register" LANES_WORD "lanes"
%token <literal> NUMBER "number"
%token END 0 "end of file"
%type <opening> mnemonic dcl def unknown
%type <operand> reg operand
%type <index> index term factor

%%
input: %empty | input item;

item:
	  VERSION                   { yyerrok; parse_version(p, &$1); }
	| mnemonic operands         { parse_instr(p, &$1); }
	| dcl reg                   { parse_dcl(p, &$1, &$2); }
	| def reg separator numbers { parse_def(p, &$1, &$2); }
	| unknown operands          { parse_unknown(p, &$1); }
	| '+'                       { parse_error(p, @1, "instructions are paired with '+' in ps_1_x only"); }
	| error;

mnemonic: MNEMONIC { yyerrok; parse_begin(p, &$1, true); $$ = $1; };
dcl: DCL { yyerrok; parse_begin(p, &$1, true); $$ = $1; };
def: DEF { yyerrok; parse_begin(p, &$1, true); $$ = $1; };
unknown: UNKNOWN_OPCODE { yyerrok; parse_begin(p, &$1, false); $$ = $1; };

operands: %empty | operand_list;
operand_list:
	  operand                  { parse_operand(p, &$1); }
	| operand_list ',' operand { parse_operand(p, &$3); };

operand:
	  reg
	| '-' reg       { $$ = $2; $$.negate = true; $$.at = @1; }
	| UNKNOWN_WORD  { parse_not_register(p, @1); $$ = (struct operand){.file = REG_FILES, .at = @1}; }
	| NUMBER        { parse_not_operand(p, @1);
	                  $$ = (struct operand){.file = REG_FILES, .at = @1}; };

reg:
	  REGISTER
	| REGISTER LANES_WORD
		{ $$ = $1; $$.letters = $2.letters; memcpy($$.lane, $2.lane, sizeof $$.lane); }
	| REGISTER '[' index ']'
		{ $$ = $1; $$.index += $3.value; $$.relative = $3.relative; $$.indexed = true; }
	| REGISTER '[' index ']' LANES_WORD
		{ $$ = $1; $$.index += $3.value; $$.relative = $3.relative; $$.indexed = true;
		  $$.letters = $5.letters; memcpy($$.lane, $5.lane, sizeof $$.lane); };

index:
	  term
	| index '+' term { $$ = parse_sum(p, @3, &$1, &$3, 1); }
	| index '-' term { $$ = parse_sum(p, @3, &$1, &$3, -1); };
term:
	  factor
	| term '*' factor { $$ = parse_product(p, @2, &$1, &$3); };
factor:
	  NUMBER        { $$ = (struct index_sum){.value = parse_index(p, &$1)}; }
	| '-' factor    { $$ = parse_sum(p, @1, &(struct index_sum){0}, &$2, -1); }
	| '(' index ')' { $$ = $2; }
	| REGISTER      { $$ = (struct index_sum){.relative = true};
	                  parse_error(p, @1, $1.file == REG_ADDRESS ? "the lane is missing: write a0.x"
	                                                            : "only a0.x can index registers"); }
	| REGISTER LANES_WORD
	                { $$ = (struct index_sum){.relative = true};
	                  if ($1.file != REG_ADDRESS || $1.index != 0 || $2.letters != 1 || $2.lane[0] != LANE_X)
				parse_error(p, @1, "only a0.x can index registers"); };

separator: ',' | '=';
numbers: signed | numbers ',' signed;
signed:
	  NUMBER     { parse_number(p, &$1, false); }
	| '+' NUMBER { parse_number(p, &$2, false); }
	| '-' NUMBER { parse_number(p, &$2, true); };
%%

static void yyerror(const srcpos *at, struct parser *p, const char *message)
{
	if (strcmp(message, "memory exhausted") == 0)
		message = "this is nested too deeply to be read";
	static const char prefix[] = "syntax error, ";
	if (strncmp(message, prefix, sizeof prefix - 1) == 0)
		message += sizeof prefix - 1;
	parse_error(p, *at, "%s%s", message,
	            strcmp(message, "unexpected register") == 0 ? ": is a comma missing before it?" : "");
}
