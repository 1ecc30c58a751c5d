/* Prints the application's computation for a pair in C, see print_c.h.
 *
 * Runs the expressions symbolically: each lane of a temporary is a node of a graph in which equal operations are one node.  Each
 * operation becomes a variable of type double, in the order in which the nodes were made.  The C function reads constants for operations
 * before it writes any, and rounds results to float once. */
#include "lang/print_c.h"

#include "lang/listing.h"
#include "lang/print.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { TEMPS = 32 };

struct operand {
	uint32_t node;
	bool negate;
};

enum node_kind { NODE_INPUT, NODE_LITERAL, NODE_OPERATION, NODE_SATURATED };
struct node {
	uint8_t kind, op;
	uint8_t nargs;
	int16_t reg, lane; /* constant register and lane of a NODE_INPUT; `lane` is also the result lane of sincos */
	float literal;     /* value of a NODE_LITERAL */
	struct operand arg[MAX_SOURCES];
	uint32_t variable; /* number of the C variable that holds the result of an operation */
};

struct graph {
	struct arena *arena;
	struct { VEC(struct node); } nodes;
	uint32_t variables;
	struct operand temp[TEMPS][LANES];
};

static bool same_float(float a, float b)
{
	return memcmp(&a, &b, sizeof a) == 0;
}

/* Returns the node equal to `n` as an operand; adds it to the graph if there is none. */
static struct operand find_or_add_node(struct graph *g, const struct node *n)
{
	for (uint32_t k = 0; k < g->nodes.n; k++) {
		const struct node *x = &g->nodes.at[k];
		bool same = x->kind == n->kind && x->op == n->op && x->nargs == n->nargs && x->reg == n->reg &&
		            x->lane == n->lane && same_float(x->literal, n->literal);
		for (unsigned a = 0; same && a < n->nargs; a++)
			same = x->arg[a].node == n->arg[a].node && x->arg[a].negate == n->arg[a].negate;
		if (same)
			return (struct operand){k, false};
	}
	struct node *added = &VEC_PUSH(g->arena, &g->nodes);
	*added = *n;
	if (n->kind == NODE_OPERATION || n->kind == NODE_SATURATED)
		added->variable = g->variables++;
	return (struct operand){g->nodes.n - 1, false};
}

static struct operand node_of_operand(struct graph *g, const struct program *p, const struct src *s, unsigned position)
{
	unsigned lane = swizzle_lane(s->swizzle, position);
	struct operand o;
	const struct decl *d = program_decl(p, REG_CONST, s->index);
	if (s->file == REG_TEMP)
		o = g->temp[s->index][lane];
	else if (d)
		o = find_or_add_node(g, &(struct node){.kind = NODE_LITERAL, .literal = d->value[lane]});
	else
		o = find_or_add_node(g, &(struct node){.kind = NODE_INPUT, .reg = s->index, .lane = (int16_t)lane});
	o.negate = o.negate != s->negate;
	return o;
}

/* Returns the operation in C with %a, %b and %c for its operands, or NULL if this file has no C for it. */
static const char *c_form_of(const struct node *n)
{
	static const char *const forms[OP_COUNT] = {
		[OP_ADD] = "%a + %b", [OP_MUL] = "%a * %b", [OP_MAD] = "%a * %b + %c", [OP_RCP] = "1.0 / %a",
		[OP_RSQ] = "1.0 / sqrt(fabs(%a))", [OP_EXP] = "pow(2.0, %a)", [OP_LOG] = "fpmove_log2(%a)",
		[OP_FRC] = "%a - floor(%a)", [OP_MAX] = "%a >= %b ? %a : %b", [OP_MIN] = "%a < %b ? %a : %b",
		[OP_ABS] = "fabs(%a)", [OP_CMP] = "%a >= 0.0 ? %b : %c", [OP_POW] = "pow(fabs(%a), %b)",
	};
	if (n->op == OP_SINCOS && n->kind == NODE_OPERATION)
		return n->lane == LANE_X ? "cos(%a)" : "sin(%a)";
	return n->kind == NODE_SATURATED ? "%a > 0.0 ? %a < 1.0 ? %a : 1.0 : 0.0" : forms[n->op];
}

bool print_c_knows(const struct instr *i)
{
	struct node const n = {.kind = NODE_OPERATION, .op = i->op};
	return i->op == OP_MOV || c_form_of(&n);
}

static void run_symbolically(struct graph *g, const struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		struct operand result[LANES];
		EACH_LANE(lane, i->dst.mask) {
			struct node n = {.kind = NODE_OPERATION, .op = i->op, .nargs = ops[i->op].sources};
			if (i->op == OP_SINCOS) { /* its operands D3DSINCOSCONST1 and 2 are not needed in C */
				n.nargs = 1;
				n.lane = (int16_t)lane;
			}
			bool scalar = ops[i->op].shape == SHAPE_SCALAR || i->op == OP_SINCOS;
			for (unsigned s = 0; s < n.nargs; s++)
				n.arg[s] = node_of_operand(g, p, &i->src[s], scalar ? LANE_X : lane);
			result[lane] = i->op == OP_MOV ? n.arg[0] : find_or_add_node(g, &n);
			if (i->flags & INSTR_SAT)
				result[lane] = find_or_add_node(g, &(struct node){.kind = NODE_SATURATED, .nargs = 1, .arg = {result[lane]}});
		}
		EACH_LANE(lane, i->dst.mask)
			g->temp[i->dst.index][lane] = result[lane];
	}
}

/* ---- text ------------------------------------------------------------------------------- */

/* Prints a double as a C literal with 17 digits, so that it reads back as the same value. */
static void print_double(struct text *t, double x)
{
	char digits[40];
	snprintf(digits, sizeof digits, "%.17g", x);
	bool whole = true;
	for (char *p = digits; *p; p++) {
		if (!strchr("+-0123456789e", *p))
			*p = '.'; /* in place of the locale's decimal point */
		whole &= *p != '.' && *p != 'e';
	}
	text_printf(t, "%s%s", digits, whole ? ".0" : "");
}

static void print_c_operand(struct text *t, const struct graph *g, struct operand o)
{
	const struct node *n = &g->nodes.at[o.node];
	if (n->kind == NODE_LITERAL) {
		print_double(t, o.negate ? -(double)n->literal : (double)n->literal);
		return;
	}
	if (o.negate)
		text_char(t, '-');
	if (n->kind == NODE_INPUT)
		text_printf(t, "(double)ps[%d][%d]", n->reg, n->lane);
	else
		text_printf(t, "t%lu", (unsigned long)n->variable);
}

static void print_form(struct text *t, const struct graph *g, const struct node *n, const char *form)
{
	for (; *form; form++) {
		if (*form == '%')
			print_c_operand(t, g, n->arg[*++form - 'a']);
		else
			text_char(t, *form);
	}
}

static void print_result(struct text *t, const struct graph *g, struct operand o)
{
	const struct node *n = &g->nodes.at[o.node];
	switch ((enum node_kind)n->kind) {
	case NODE_INPUT: text_printf(t, "%sps[%d][%d]", o.negate ? "-" : "", n->reg, n->lane); break;
	case NODE_LITERAL: {
		struct text digits = {.arena = t->arena};
		print_float(&digits, o.negate ? -n->literal : n->literal);
		text_printf(t, "%s%sf", digits.at, strchr(digits.at, '.') ? "" : ".0");
		break;
	}
	case NODE_OPERATION:
	case NODE_SATURATED:
		text_string(t, "fpmove_float(");
		print_c_operand(t, g, o);
		text_char(t, ')');
		break;
	}
}

/* Prints `between`, then the marked rows of an array as "ps[0] (g_scale), ps[2]", on several lines if there are many; nothing if none is
 * marked.  Names come from the program `of`, which may be NULL. */
static void print_rows(struct text *t, const char *array, const bool rows[256], const char *between, const struct program *of)
{
	enum { WIDEST = 96 };
	size_t column = 0;
	for (unsigned r = 0; r < 256; r++) {
		if (!rows[r])
			continue;
		const char *name = of ? listing_name(t->arena, of, (int)r) : NULL;
		const char *row = name ? arena_printf(t->arena, "%s[%u] (%s)", array, r, name) : arena_printf(t->arena, "%s[%u]", array, r);
		bool const next = column + strlen(row) > WIDEST;
		text_printf(t, "%s%s%s", !column ? between : ",", !column ? "" : next ? "\n *        " : " ", row);
		column = (next ? 0 : column) + strlen(row) + 2;
	}
}

static void print_function_comment(struct text *t, const struct graph *g, const char *name, const char *about,
                          const struct const_map *consts, uint32_t nconsts, const struct folded *folds, uint32_t nfolds,
                          const struct program *ps)
{
	bool reads[256] = {false}, fills[2][256] = {{false}};
	for (uint32_t k = 0; k < g->nodes.n; k++)
		if (g->nodes.at[k].kind == NODE_INPUT)
			reads[g->nodes.at[k].reg & 255] = true;
	for (uint32_t k = 0; k < nconsts; k++)
		reads[consts[k].ps & 255] = fills[STAGE_VERTEX][consts[k].vs & 255] = true;
	for (uint32_t k = 0; k < nfolds; k++)
		fills[folds[k].stage][folds[k].index & 255] |= folds[k].preset;
	bool none = memchr(reads, true, sizeof reads) == NULL && memchr(fills, true, sizeof fills) == NULL;
	text_printf(t, "/* %s: for %s", name, about);
	if (none) {
		text_string(t, ", which need nothing.  */\n");
		return;
	}
	print_rows(t, "ps", reads, ".\n * Reads  ", ps);
	print_rows(t, "ps", fills[STAGE_PIXEL], ".\n * Fills  ", NULL);
	print_rows(t, "vs", fills[STAGE_VERTEX], ".\n * Fills  ", NULL);
	text_string(t, ". */\n");
}

static void print_copies(struct text *t, const struct const_map *c)
{
	text_char(t, '\t');
	for (unsigned lane = 0; lane < LANES; lane++)
		text_printf(t, "%svs[%d][%u] = ps[%d][%u];", lane ? " " : "", c->vs, lane, c->ps, lane);
	if (c->name)
		text_printf(t, " /* %s */", c->name);
	text_char(t, '\n');
}

/* Prints the helper functions that the operations of the graph need, with guards so that a file defines each once. */
static void print_helpers(struct text *t, const struct graph *g)
{
	bool logs = false;
	for (uint32_t k = 0; k < g->nodes.n; k++)
		logs |= g->nodes.at[k].kind == NODE_OPERATION && g->nodes.at[k].op == OP_LOG;
	if (g->variables)
		text_string(t, "#ifndef FPMOVE_FLOAT\n#define FPMOVE_FLOAT\n"
		               "/* No constant is infinite: the largest float stands for what is larger. */\n"
		               "static float fpmove_float(double x)\n{\n"
		               "\treturn x > (double)FLT_MAX ? FLT_MAX : x < -(double)FLT_MAX ? -FLT_MAX : (float)x;\n"
		               "}\n#endif\n\n");
	if (logs)
		text_string(t, "#ifndef FPMOVE_LOG2\n#define FPMOVE_LOG2\n"
		               "/* log2 |x|, exact for powers of two */\n"
		               "static double fpmove_log2(double x)\n{\n"
		               "\tint exponent;\n"
		               "\tconst double part = frexp(fabs(x), &exponent);\n"
		               "\treturn part > 0.0 ? (double)exponent + log(part) / log(2.0) : x >= 0.0 || x < 0.0 ? -HUGE_VAL : x;\n"
		               "}\n#endif\n\n");
}

void print_c_prototype(struct text *t, const char *name)
{
	text_printf(t, "void %s(float ps[][4], float vs[][4])", name);
}

void print_c_head(struct text *t)
{
	text_string(t, "/* Made by fpmove: constants of rewritten pairs that the application computes.\n"
	               " *\n"
	               " * Whenever it has changed pixel constants of a pair, it calls the pair's function and then hands\n"
	               " * both arrays to Direct3D.  `ps` holds all pixel constants, ps[0] is c0; `vs` the vertex constants.\n"
	               " * Only rows that the pair's own programs leave alone are filled, and only ps is read, so that the\n"
	               " * function may be called any number of times. */\n"
	               "#include <float.h>\n#include <math.h>\n");
}

void print_c_function(struct text *t, const char *name, const char *about, const struct const_map *consts, uint32_t nconsts,
                      const struct folded *folds, uint32_t nfolds, const struct program *ps)
{
	struct graph g = {.arena = t->arena};
	struct operand *results = arena_alloc(t->arena, (nfolds + 1) * sizeof *results);
	bool uses_vs = nconsts > 0, uses_ps = nconsts > 0;
	for (uint32_t k = 0; k < nfolds; k++) {
		const struct folded *f = &folds[k];
		if (!f->preset)
			continue;
		run_symbolically(&g, f->expr);
		results[k] = g.temp[f->temp][f->temp_lane];
		uses_vs |= f->stage == STAGE_VERTEX;
		uses_ps = true;
	}
	text_char(t, '\n');
	print_helpers(t, &g);
	print_function_comment(t, &g, name, about, consts, nconsts, folds, nfolds, ps);
	text_string(t, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
	print_c_prototype(t, name);
	text_string(t, ";\n\n");
	print_c_prototype(t, name);
	text_string(t, "\n{\n");
	for (uint32_t k = 0; k < g.nodes.n; k++) {
		const struct node *n = &g.nodes.at[k];
		if (n->kind != NODE_OPERATION && n->kind != NODE_SATURATED)
			continue;
		text_printf(t, "\tconst double t%lu = ", (unsigned long)n->variable);
		print_form(t, &g, n, c_form_of(n));
		text_string(t, ";\n");
	}
	if (g.variables)
		text_char(t, '\n');
	if (!uses_ps)
		text_string(t, "\t(void)ps;\n");
	if (!uses_vs)
		text_string(t, "\t(void)vs;\n");
	for (uint32_t k = 0; k < nfolds; k++) {
		const struct folded *f = &folds[k];
		bool first = f->preset;
		for (uint32_t o = 0; o < k; o++)
			first &= !(folds[o].preset && folds[o].stage == f->stage && folds[o].index == f->index);
		for (unsigned lane = 0; first && lane < LANES; lane++) {
			text_printf(t, "\t%s[%d][%u] = ", f->stage == STAGE_VERTEX ? "vs" : "ps", f->index, lane);
			uint32_t of = k;
			while (of < nfolds && !(folds[of].preset && folds[of].stage == f->stage && folds[of].index == f->index &&
			                        folds[of].lane == lane))
				of++;
			if (of < nfolds)
				print_result(t, &g, results[of]);
			else
				text_string(t, "0.0f");
			text_string(t, ";\n");
		}
	}
	for (uint32_t k = 0; k < nconsts; k++)
		print_copies(t, &consts[k]);
	text_string(t, "}\n");
}

/* Returns true for keywords of C and C++ and for names that the included headers declare. */
static bool is_taken(const char *from, size_t n)
{
	static const char words[] =
		" alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const const_cast "
		"consteval constexpr constinit continue co_await co_return co_yield decltype default delete do double dynamic_cast "
		"else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not "
		"not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return short "
		"signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef "
		"typeid typename typeof typeof_unqual union unsigned using virtual void volatile wchar_t while xor xor_eq linux unix "
		"main acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
		"fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround "
		"modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalb scalbn scalbln significand sin sinh "
		"sqrt tan tanh tgamma trunc y0 y1 yn signgam isnan isinf isfinite isnormal signbit fpclassify drem finite "
		"fpmove_float fpmove_log2 ";
	char word[24] = " ";
	if (n > sizeof word - 3)
		return false;
	memcpy(word + 1, from, n);
	word[n + 1] = ' ';
	word[n + 2] = '\0';
	return strstr(words, word) != NULL;
}

void print_c_name(struct text *t, const char *from, size_t n)
{
	if (!n || !isalpha((unsigned char)*from) || (unsigned char)*from > 127 || is_taken(from, n))
		text_string(t, "p_");
	for (size_t k = 0; k < n; k++) {
		unsigned char c = (unsigned char)from[k];
		text_char(t, c < 128 && isalnum(c) ? (char)c : '_');
	}
}
