/* Grammar of Direct3D 9 shader assembly.  Operands are generic: src/lang/ops.def lists the operands of each opcode, and src/lang/check.c
 * checks which ones a model allows.  A statement starts with a word that cannot be an operand, so statements need no line end, and after an
 * error the parser goes on at the next statement. */
%code requires {
#include "lang/lex.h"
}
%code {
#include <ctype.h>
#include <string.h>

int yylex(YYSTYPE *value, srcpos *at, struct parser *p);
static void yyerror(const srcpos *at, struct parser *p, const char *message);

/* Actions assign only the whole of $$, never a member: compilers would keep such a member apart from the rest of yyval, and each reduction
 * would wait for the stores.  The stacks have a fixed size, since only the arena allocates memory: deeper nesting is an error. */
#define YYSTACK_USE_ALLOCA 0
#define YYMALLOC(size) ((void)(size), (void *)0)
#define YYFREE(pointer) ((void)(pointer))
#define YYLLOC_DEFAULT(current, rhs, n) ((current) = (n) ? YYRHSLOC(rhs, 1) : YYRHSLOC(rhs, 0))
}
%define api.pure full
%define api.location.type {srcpos}
%define parse.error custom
%define parse.lac full
%locations
/* Bison counts syntax errors in a variable that only actions can read.  No action needs it. */
%initial-action { (void)yynerrs; }
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
%token <operand> PREDICATE "predicate"
%token ABS "_abs"
%token <literal> NUMBER "number" TRUTH "true or false"
%token END 0 "end of file"
%type <opening> mnemonic dcl def unknown
%type <operand> named reg operand no_register
%type <index> index term factor

%%
input: %empty | input item;

item:
	  VERSION                   { yyerrok; parse_version(p, &$1); }
	| mnemonic operands         { parse_instr(p, &$1, &p->operands); }
	| dcl reg                   { parse_dcl(p, &$1, &$2); }
	| def reg separator numbers { parse_def(p, &$1, &$2); }
	| unknown operands          { parse_unknown(p, &$1); }
	| PREDICATE                 { yyerrok; parse_predicate(p, &$1); }
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
	| '-' reg       { $$ = parse_negated(&$2, @1); }
	| '!' reg       { $$ = parse_not(p, @1, &$2); }
	| no_register
	| no_register LANES_WORD
	| NUMBER        { $$ = parse_not_operand(p, @1); };

no_register: UNKNOWN_WORD { $$ = parse_not_register(p, @1); };

reg:
	  named
	| named LANES_WORD     { $$ = parse_lanes(&$1, &$2); }
	| named ABS            { $$ = parse_absolute(&$1); }
	| named ABS LANES_WORD { struct operand o = parse_absolute(&$1); $$ = parse_lanes(&o, &$3); };

named:
	  REGISTER
	| REGISTER '[' index ']' { $$ = parse_indexed(&$1, &$3); };

index:
	  term
	| index '+' term { $$ = parse_sum(p, @3, &$1, &$3, 1); }
	| index '-' term { $$ = parse_sum(p, @3, &$1, &$3, -1); };
term:
	  factor
	| term '*' factor { $$ = parse_product(p, @2, &$1, &$3); };
factor:
	  NUMBER        { $$ = parse_index(p, &$1); }
	| '-' factor    { $$ = parse_sum(p, @1, &(struct index_sum){0}, &$2, -1); }
	| '(' index ')' { $$ = $2; }
	| REGISTER      { $$ = parse_address(p, &$1); }
	| REGISTER LANES_WORD
	                { struct operand o = parse_lanes(&$1, &$2); $$ = parse_address(p, &o); };

separator: ',' | '=';
numbers: signed | numbers ',' signed;
signed:
	  NUMBER     { parse_number(p, &$1, false); }
	| TRUTH      { parse_number(p, &$1, false); }
	| '+' NUMBER { parse_number(p, &$2, false); }
	| '-' NUMBER { parse_number(p, &$2, true); };
%%

/* Reports that the stacks are full.  yyreport_syntax_error() reports syntax errors. */
static void yyerror(const srcpos *at, struct parser *p, const char *message)
{
	(void)message;
	parse_error(p, *at, "this is nested too deeply to be read");
}

/* Reports "unexpected A, expecting B, C or D", without the list if it has more than MOST_NAMED names.  The list leaves out words, numbers
 * and !, which the grammar takes as operands only to report them, and _abs. */
static int yyreport_syntax_error(const yypcontext_t *context, struct parser *p)
{
	enum { MOST_KINDS = 12, MOST_NAMED = 5 };
	srcpos const at = *yypcontext_location(context);
	yysymbol_kind_t const got = yypcontext_token(context);
	if (got == YYSYMBOL_REGISTER) {
		parse_error(p, at, "unexpected register: is a comma missing before it?");
		return 0;
	}
	yysymbol_kind_t kinds[MOST_KINDS];
	int n = p->diags->errors < DIAGS_KEPT ? yypcontext_expected_tokens(context, kinds, MOST_KINDS) : 0;
	const char *names[MOST_NAMED + 1];
	int named = 0;
	bool operand = false, number = false;
	for (int i = 0; i < n; i++) {
		operand |= kinds[i] == YYSYMBOL_UNKNOWN_WORD;
		number |= kinds[i] == YYSYMBOL_NUMBER;
	}
	if (got == YYSYMBOL_UNKNOWN_WORD) {
		const char *word = p->source->text + at;
		int shown = 0;
		while (shown < 40 && (isalnum((unsigned char)word[shown]) || word[shown] == '_'))
			shown++;
		parse_error(p, at, "unexpected word '%.*s'%s", shown, word, number ? ": is its #define missing?" : "");
		return 0;
	}
	for (int i = 0; i < n && named <= MOST_NAMED; i++) {
		bool taken_only = kinds[i] == YYSYMBOL_UNKNOWN_WORD || (operand && kinds[i] == YYSYMBOL_NUMBER) || kinds[i] == YYSYMBOL_TRUTH ||
		                  strcmp(yysymbol_name(kinds[i]), "'!'") == 0;
		if (!taken_only && kinds[i] != YYSYMBOL_ABS)
			names[named++] = yysymbol_name(kinds[i]);
	}
	struct text list = {.arena = p->arena};
	if (named <= MOST_NAMED)
		for (int i = 0; i < named; i++)
			text_printf(&list, "%s%s", i == 0 ? ", expecting " : i + 1 == named ? " or " : ", ", names[i]);
	parse_error(p, at, "unexpected %s%s", yysymbol_name(got), list.n ? list.at : "");
	return 0;
}
