/* Checks constants that are computed before the programs run.  A literal must be the float nearest to its expression's value: the exact
 * number if it is known, else the result in long double.  A preset, which the application computes, must be in a register
 * that the application may set. */
#include "lang/print_c.h"
#include "verify/checks.h"

#include <float.h>
#include <tgmath.h>

#define REAL long double
#define NAME(x) x##_long
#define BLOCK 1
#include "verify/machine_body.h"
#undef REAL
#undef NAME
#undef BLOCK

/* Returns true if an expression (a program) is arithmetic in its own temporaries, without texture reads and flow control, and reads only these
 * and its literals; with `preset`, it may read other constants, too. */
static bool has_closed_operands(struct arena *arena, const struct program *p, bool preset)
{
	bool closed = !field_malformed(arena, p, STAGE_PIXEL);
	for (uint32_t k = 0; k < p->instrs.n && closed; k++) {
		const struct instr *i = &p->instrs.at[k];
		closed = !(ops[i->op].flags & OPF_TEX || instr_flows(i) || i->dst.file != REG_TEMP);
		EACH_SOURCE(s, i) {
			const struct src *src = &i->src[s];
			closed = closed && (src->file == REG_TEMP || (src->file == REG_CONST && !src->relative));
			for (int row = 0; closed && !preset && src->file == REG_CONST && row < (int)instr_rows(i, s); row++)
				closed = program_decl(p, REG_CONST, src->index + row);
		}
	}
	for (uint32_t k = 0; k < p->decls.n && closed; k++) {
		const struct decl *d = &p->decls.at[k];
		closed = d->kind == DECL_DEF && d->reg.index >= 0 && d->reg.index < MACHINE_CONSTS;
	}
	return closed;
}

/* Returns the value of a folded constant's expression; NaN if the expression does not write the constant's lane. */
static long double run_expression(struct arena *arena, const struct folded *f)
{
	struct machine_long *m = arena_alloc(arena, sizeof *m);
	m->flow = NULL;
	m->fp24 = false;
	m->truth = NULL;
	m->shaken[0] = NULL;
	m->texture = NULL;
	load_long(m, f->expr);
	run_long(m, (long double)NAN);
	return (unsigned)f->temp < m->temps ? m->temp[f->temp][f->temp_lane][0] : (long double)NAN;
}

/* The largest error of a folded literal, in units of its last place: half a unit for rounding, and a hundredth, since folds are computed in
 * double. */
static const float most_apart = 0.51f;

/* Returns the exponent of a float's unit in the last place.  For 0 and denormal floats, returns that of the smallest normal float. */
static int unit_exponent(float literal)
{
	int exponent;
	frexp(literal, &exponent);
	return (literal == 0 || exponent < FLT_MIN_EXP ? FLT_MIN_EXP : exponent) - FLT_MANT_DIG;
}

static bool is_nearest(float literal, const struct rational *exact)
{
	struct rational from = *exact, number, apart, most;
	int sign;
	from.negative = !from.negative;
	if (!rational_float(&number, literal) || !rational_sum(&apart, &number, &from) || !rational_float(&most, most_apart))
		return false;
	apart.negative = false;
	most.exponent += unit_exponent(literal);
	return rational_order(&apart, &most, &sign) && sign <= 0;
}

static const struct decl *literal_of(struct pair new, const struct folded *f)
{
	return program_decl(f->stage == STAGE_VERTEX ? new.vs : new.ps, REG_CONST, f->index);
}

static const char *check_literal(struct arena *arena, struct pair new, const struct folded *f)
{
	const struct decl *d = literal_of(new, f);
	if (!d || d->kind != DECL_DEF || !has_closed_operands(arena, f->expr, false))
		return arena_printf(arena, "c%d was folded from an expression that uses more than literals and temporaries", f->index);
	return NULL;
}

const char *check_folded(struct arena *arena, struct pair new, const struct folded *f, const struct rational *exact)
{
	float const literal = literal_of(new, f)->value[f->lane];
	if (exact && is_nearest(literal, exact))
		return NULL;
	long double const value = run_expression(arena, f);
	if (!isfinite(literal) || !isfinite(value))
		return arena_printf(arena, "c%d.%c was folded to a value that is not finite", f->index, "xyzw"[f->lane]);
	if (exact || fabs((long double)literal - value) > ldexp((long double)most_apart, unit_exponent(literal)))
		return arena_printf(arena, "c%d.%c is not what its expression gives (%.9g instead of %.12Lg)", f->index,
		                    "xyzw"[f->lane], (double)literal, value);
	return NULL;
}

/* Returns true if the constant is a preset of the old pair, too: the application already computes it. */
static bool old_pair_has_preset(const struct needs *given, enum stage stage, int index)
{
	for (uint32_t k = 0; given && k < given->folds.n; k++)
		if (given->folds.at[k].preset && given->folds.at[k].stage == stage && given->folds.at[k].index == index)
			return true;
	return false;
}

/* Returns true if the value that the application itself sets in this constant is read: by the old pair, by a copy for the new VP, or by a
 * preset's expression.  Then no preset may overwrite the constant, since the application may compute presets any number of times. */
static bool is_set_value_read(struct pair old, const struct proof_context *c, enum stage stage, int index)
{
	const struct program *p = stage == STAGE_VERTEX ? old.vs : old.ps;
	struct register_set named = program_reads_all(p, REG_CONST, true); /* for reads of c[a0.x + n] see find_reachable() in prove.c */
	if (register_is_in(&named, index) && !program_decl(p, REG_CONST, index) && !old_pair_has_preset(c->given, stage, index))
		return true;
	for (uint32_t k = 0; k < c->nconsts; k++)
		if ((stage == STAGE_VERTEX ? c->consts[k].vs : c->consts[k].ps) == index)
			return true;
	for (uint32_t k = 0; k < c->nfolds; k++)
		if (stage == STAGE_PIXEL && c->folds[k].preset && program_reads_from_outside(c->folds[k].expr, index))
			return true;
	return false;
}

static const char *check_preset(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c,
                                const struct folded *f)
{
	const struct program *p = f->stage == STAGE_VERTEX ? new.vs : new.ps;
	if (f->index < 0 || !has_closed_operands(arena, f->expr, true))
		return arena_printf(arena, "c%d is computed by an expression that uses more than constants and temporaries", f->index);
	if (program_decl(p, REG_CONST, f->index))
		return arena_printf(arena, "the application is to compute c%d, but a def overrides it", f->index);
	if (is_set_value_read(old, c, f->stage, f->index))
		return arena_printf(arena, "the application is to compute c%d, but the value that it has set there is still read", f->index);
	for (uint32_t k = 0; k < f->expr->instrs.n; k++)
		if (!print_c_knows(&f->expr->instrs.at[k]))
			return arena_printf(arena, "c%d is computed by an instruction that is not supported in C", f->index);
	return NULL;
}

static const char no_register[] = "a computed constant names a register that does not exist";

static bool fold_is_in_range(const struct folded *f)
{
	return f->index >= 0 && f->index < MACHINE_CONSTS && f->lane < LANES && f->temp >= 0 && f->temp < MACHINE_TEMPS &&
	       f->temp_lane < LANES;
}

const char *check_folds(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	const char *wrong = NULL;
	for (uint32_t k = 0; c->given && k < c->given->folds.n && !wrong; k++) {
		const struct folded *f = &c->given->folds.at[k];
		if (!fold_is_in_range(f))
			return no_register;
		if (!has_closed_operands(arena, f->expr, true))
			return arena_printf(arena, "c%d of the old pair is computed by an expression that uses more than constants and temporaries",
			                    f->index);
	}
	for (uint32_t k = 0; k < c->nfolds && !wrong; k++) {
		const struct folded *f = &c->folds[k];
		if (!fold_is_in_range(f))
			return no_register;
		wrong = f->preset ? check_preset(arena, old, new, c, f) : check_literal(arena, new, f);
	}
	return wrong;
}
