/* Writes the text of --dump about values: the normal form of each lane of the FP, for example 2*t0.x + c3.y, see dump.h. */
#include "lang/history.h"
#include "lang/print.h"
#include "move/dump/dump.h"

#include <math.h>

void dump_input(struct text *t, const struct program *ps, unsigned reg, unsigned lane)
{
	print_register_of(t, ps, REG_TEXCOORD, (int)reg, (lanes)(1u << lane));
	text_printf(t, ".%c", "xyzw"[lane]);
}

/* ---- normal forms ----------------------------------------------------------------------- */

/* A constant is written with at most this many operations.  Further operands are written by their value numbers, as #12; write_named() writes a line
 * for each of them that is not the value of a lane. */
enum { MOST_OPERATIONS = 8 };

/* How tightly the operator around an expression binds.  An expression that binds less tightly is put in brackets. */
enum binding { LOOSE, IN_SUM, IN_PRODUCT, TIGHT };

struct writer {
	struct text *t;
	const struct values *v;
	bool *named;   /* for each value, true if it was written by its number */
	unsigned left; /* operations that may still be written */
};

static void write_constant(struct writer *w, value_id, enum binding around);

/* Appends a summand to the sum that begins at `from`, with a plus unless it is the first; a minus sign replaces the plus. */
static void append_summand(struct text *t, size_t from, const struct text *summand)
{
	if (t->n == from)
		text_string(t, summand->at);
	else if (summand->at[0] == '-')
		text_printf(t, " - %s", summand->at + 1);
	else
		text_printf(t, " + %s", summand->at);
}

static void write_number(struct text *t, long double number)
{
	text_printf(t, "%.9Lg", number);
}

/* Writes a * b, or only a if b is NO_VALUE. */
static void write_product(struct writer *w, value_id a, value_id b)
{
	write_constant(w, a, b == NO_VALUE ? IN_SUM : IN_PRODUCT);
	if (b == NO_VALUE)
		return;
	text_char(w->t, '*');
	write_constant(w, b, TIGHT);
}

/* Writes the sum of the arguments, or if `products`, of the products of two consecutive ones and of the last one if it is left over. */
static void write_const_sum(struct writer *w, const value_id *args, unsigned n, bool products)
{
	size_t const from = w->t->n;
	for (unsigned k = 0; k < n; k += products ? 2 : 1) {
		struct text one = {.arena = w->t->arena};
		struct writer inner = *w;
		inner.t = &one;
		write_product(&inner, args[k], products && k + 1 < n ? args[k + 1] : NO_VALUE);
		w->left = inner.left;
		append_summand(w->t, from, &one);
	}
}

static const struct {
	const char *function; /* NULL if it is written with operators */
	enum binding binding;
} operations[] = {
	[CONST_LITERAL] = {NULL, TIGHT}, [CONST_RAW] = {NULL, TIGHT}, [CONST_ADD] = {NULL, IN_SUM},   [CONST_MUL] = {NULL, IN_PRODUCT},
	[CONST_MAD] = {NULL, IN_SUM},    [CONST_DP3] = {NULL, IN_SUM}, [CONST_DP4] = {NULL, IN_SUM},  [CONST_NEG] = {NULL, IN_PRODUCT},
	[CONST_RCP] = {"rcp", TIGHT},    [CONST_RSQ] = {"rsq", TIGHT}, [CONST_EXP] = {"exp", TIGHT},  [CONST_LOG] = {"log", TIGHT},
	[CONST_FRC] = {"frc", TIGHT},    [CONST_MAX] = {"max", TIGHT}, [CONST_MIN] = {"min", TIGHT},  [CONST_ABS] = {"abs", TIGHT},
	[CONST_CMP] = {"cmp", TIGHT},    [CONST_POW] = {"pow", TIGHT}, [CONST_SAT] = {"sat", TIGHT},  [CONST_COS] = {"cos", TIGHT},
	[CONST_SIN] = {"sin", TIGHT},
};

static void write_operation(struct writer *w, const struct value *x)
{
	const char *name = operations[x->op].function;
	switch ((enum const_op)x->op) {
	case CONST_ADD: write_const_sum(w, x->args, x->nargs, false); return;
	case CONST_MAD: case CONST_DP3: case CONST_DP4: write_const_sum(w, x->args, x->nargs, true); return;
	case CONST_MUL: write_product(w, x->args[0], x->args[1]); return;
	case CONST_NEG:
		text_char(w->t, '-');
		write_constant(w, x->args[0], TIGHT);
		return;
	default: break;
	}
	text_printf(w->t, "%s(", name ? name : "");
	for (unsigned k = 0; k < x->nargs; k++) {
		text_string(w->t, k ? ", " : "");
		write_constant(w, x->args[k], LOOSE);
	}
	text_char(w->t, ')');
}

static void write_constant(struct writer *w, value_id id, enum binding around)
{
	const struct value *x = value_at(w->v, id);
	if (x->known) {
		bool const brackets = x->number < 0 && around == TIGHT;
		text_string(w->t, brackets ? "(" : "");
		write_number(w->t, x->number);
		text_string(w->t, brackets ? ")" : "");
		return;
	}
	if (x->op == CONST_RAW) {
		text_printf(w->t, "c%d.%c", x->reg % PROGRAM_CONSTS, "xyzw"[x->lane]);
		return;
	}
	if (w->left == 0) {
		w->named[id] = true;
		text_printf(w->t, "#%u", (unsigned)id);
		return;
	}
	w->left--;
	bool const brackets = operations[x->op].binding < around;
	text_string(w->t, brackets ? "(" : "");
	write_operation(w, x);
	text_string(w->t, brackets ? ")" : "");
}

/* Writes coefficient * input. */
static void write_affine_term(struct writer *w, const struct term *term)
{
	const struct value *coef = value_at(w->v, term->coef);
	bool const one = term->coef == w->v->one, minus = coef->known && coef->number >= -1 && coef->number <= -1;
	if (minus)
		text_char(w->t, '-');
	if (!one && !minus) {
		write_constant(w, term->coef, IN_PRODUCT);
		text_char(w->t, '*');
	}
	dump_input(w->t, w->v->ps, term->input / LANES, term->input % LANES);
}

/* Writes a constant or affine value as "2*t0.x + c3.y". */
static void write_normal_form(struct writer *w, value_id id)
{
	const struct value *x = value_at(w->v, id);
	size_t const from = w->t->n;
	w->left = MOST_OPERATIONS;
	if (x->class == VALUE_CONST) {
		write_constant(w, id, LOOSE);
		return;
	}
	for (uint32_t k = 0; k <= x->nterms; k++) {
		struct text one = {.arena = w->t->arena};
		struct writer inner = *w;
		inner.t = &one;
		inner.left = MOST_OPERATIONS;
		if (k < x->nterms)
			write_affine_term(&inner, &x->terms[k]);
		else if (x->constant != w->v->zero)
			write_constant(&inner, x->constant, IN_SUM);
		if (one.n)
			append_summand(w->t, from, &one);
	}
}

/* ---- lanes ------------------------------------------------------------------------------------- */

static const char *const class_names[] = {"constant", "affine", "pixel"};

/* Writes what else is known of a constant or affine value. */
static void write_notes(struct text *t, const struct value *x)
{
	if (x->app)
		text_string(t, "; needs a constant that the application sets");
	if (x->tied)
		text_string(t, "; stays: an interpolator may change its last digit, which matters here");
	if (x->wild)
		text_string(t, "; stays: no float holds it, as with 1/0");
	else if (x->rounds)
		text_string(t, "; stays: float arithmetic rounds it");
	if (x->class == VALUE_AFFINE && x->kind < KIND_MIXED && x->kind & INSTR_CENTROID)
		text_string(t, "; interpolated as _centroid");
	if (x->class == VALUE_AFFINE && x->kind < KIND_MIXED && x->kind & INSTR_PP)
		text_string(t, "; interpolated as _pp");
}

void dump_form(struct text *t, const struct values *v, value_id id, bool *named)
{
	struct writer w = {.t = t, .v = v, .named = named};
	const struct value *x = value_at(v, id);
	text_printf(t, "#%u %s", (unsigned)id, class_names[x->class]);
	if (x->class == VALUE_PIXEL)
		return;
	text_string(t, ": ");
	write_normal_form(&w, id);
	write_notes(t, x);
}

/* Returns the source line of instruction k; 0 if it has none.  In a variant, the instruction's `at` is the index of its given instruction. */
static unsigned given_line(const struct program *given, const struct program *p, uint32_t k)
{
	srcpos at = p->instrs.at[k].at;
	if (p != given)
		at = at < given->instrs.n ? given->instrs.at[at].at : SRCPOS_NONE;
	return at == SRCPOS_NONE ? 0 : (unsigned)source_line(given->source, at);
}

void dump_instr(struct text *t, const struct program *given, const struct program *p, uint32_t k, const char *before)
{
	unsigned const line = given_line(given, p, k);
	if (line)
		text_printf(t, "%5u  %s", line, before);
	else
		text_printf(t, "       %s", before);
	print_instr(t, p, &p->instrs.at[k]);
	text_char(t, '\n');
}

/* Writes why the pixel lanes of an instruction stay. */
static void write_why(struct text *t, const struct values *v, const struct program *given, const struct move_options *o, uint32_t k,
                      lanes pixel)
{
	struct fate f = {0};
	explain_stay(v, o, k, pixel, &f);
	text_printf(t, ": %s, %s", verdicts[f.verdict].rule, verdicts[f.verdict].why);
	if (f.because != UINT32_MAX && given_line(given, v->ps, f.because))
		text_printf(t, " (line %u)", given_line(given, v->ps, f.because));
}

static void write_pixel_lanes(struct text *t, const struct values *v, const struct program *given, const struct move_options *o,
                              uint32_t k, lanes pixel)
{
	text_string(t, "       .");
	print_lanes(t, pixel);
	EACH_LANE(lane, pixel)
		text_printf(t, " #%u", (unsigned)v->def[k][lane]);
	text_printf(t, " %s", class_names[VALUE_PIXEL]);
	write_why(t, v, given, o, k, pixel);
	text_char(t, '\n');
}

static void write_lane_values(struct text *t, const struct values *v, const struct program *given, const struct move_options *o, uint32_t k,
                        bool *named)
{
	lanes pixel = 0;
	lanes const written = instr_writes(&v->ps->instrs.at[k]);
	EACH_LANE(lane, written) {
		if (value_at(v, v->def[k][lane])->class == VALUE_PIXEL) {
			pixel |= (lanes)(1u << lane);
			continue;
		}
		text_printf(t, "       .%c ", "xyzw"[lane]);
		dump_form(t, v, v->def[k][lane], named);
		text_char(t, '\n');
	}
	if (pixel)
		write_pixel_lanes(t, v, given, o, k, pixel);
	if (written)
		return;
	text_string(t, "       stays");
	write_why(t, v, given, o, k, 0);
	text_char(t, '\n');
}

/* Writes the values of the interpolator lanes that the FP reads. */
static void write_inputs(struct text *t, const struct values *v, bool *named)
{
	struct outputs_read const read = outputs_read_by(v->ps);
	for (unsigned i = 0; i < MOST_TEXCOORDS * LANES; i++) {
		bool const opaque = read.texcoord[i / LANES] & v->inputs.opaque[i / LANES] & 1u << i % LANES;
		if (v->inputs.value[i] == NO_VALUE && !opaque)
			continue;
		text_string(t, "       ");
		dump_input(t, v->ps, i / LANES, i % LANES);
		text_char(t, ' ');
		if (v->inputs.value[i] == NO_VALUE)
			text_string(t, "stays: the vertex program never writes it");
		else
			dump_form(t, v, v->inputs.value[i], named);
		text_char(t, '\n');
	}
}

/* Writes a line with the normal form of each value that is `named`: that other lines mention by its number only. */
static void write_named(struct text *t, const struct values *v, bool *named, uint32_t n)
{
	for (uint32_t id = n; id-- > 0;) { /* downwards, since a normal form names only lower numbers */
		if (!named[id])
			continue;
		text_string(t, "       where ");
		dump_form(t, v, id, named);
		text_char(t, '\n');
	}
}

static void write_all_values(struct text *t, const struct values *v, const struct program *given, const struct move_options *o)
{
	uint32_t const n = v->all.n;
	bool *named = arena_zero(t->arena, n + 1);
	write_inputs(t, v, named);
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		dump_instr(t, given, v->ps, k, "");
		write_lane_values(t, v, given, o, k, named);
	}
	for (uint32_t k = 0; k < v->ps->instrs.n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (v->def[k][lane] != NO_VALUE)
				named[v->def[k][lane]] = false;
	write_named(t, v, named, n);
}

/* Writes the names of the rules that made the newest program of the history from the one of entry `given`, the oldest first. */
static void name_since(struct text *t, const struct history *h, const struct history *given)
{
	if (!h || h == given)
		return;
	name_since(t, h->before, given);
	if (rule_named(h->pass))
		text_printf(t, "%s%s", t->n ? ", " : "", h->pass);
}

void way_name(struct text *t, const struct planning *planning, const struct program *ps)
{
	const struct program *given = planning->given->ps;
	struct text name = {.arena = t->arena};
	if (ps != given)
		name_since(&name, ps->history, given->history);
	text_string(t, name.n ? name.at : "as given");
}

void dump_values(struct text *t, const struct program *vs, const struct program *ps, const struct move_options *o,
                 const struct story *story)
{
	if (!story) {
		write_all_values(t, values_number_all(t->arena, &vs, 1, &ps, 1, o), ps, o);
		return;
	}
	const struct values *given = story->planning->given;
	if (story->before) {
		dump_values(t, vs, ps, o, story->before);
		text_string(t, "moved again:\n");
	}
	write_all_values(t, given, given->ps, o);
	if (!story->plan || story->values->ps == given->ps)
		return;
	text_string(t, "the variant that was planned: ");
	way_name(t, story->planning, story->values->ps);
	text_char(t, '\n');
	write_all_values(t, story->values, given->ps, o);
}
