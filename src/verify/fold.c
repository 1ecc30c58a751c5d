/* The numeric check of literals that were computed at compile time: their expression
 * runs in long double, and the literal must be the float nearest to the result. */
#include "verify/fold.h"
#include "verify/machine.h"

#include <float.h>
#include <string.h>
#include <tgmath.h>

#define REAL long double
#define NAME(x) x##_long
#define BLOCK 1
#include "verify/machine_body.h"
#undef REAL
#undef NAME
#undef BLOCK

/* Are all operands literals of the expression or temporaries? */
static bool closed(const struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (ops[i->op].flags & OPF_TEX || i->dst.file != REG_TEMP || i->dst.index < 0 ||
		    i->dst.index >= MACHINE_TEMPS || !i->dst.mask)
			return false;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct src *src = &i->src[s];
			if (src->file == REG_TEMP && src->index >= 0 && src->index < MACHINE_TEMPS)
				continue;
			if (src->file != REG_CONST || src->relative)
				return false;
			for (int row = 0; row < (int)instr_rows(i, s); row++) {
				const struct decl *d = program_decl(p, REG_CONST, src->index + row);
				if (!d || d->kind != DECL_DEF)
					return false;
			}
		}
	}
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind != DECL_DEF || d->reg.index < 0 || d->reg.index >= MACHINE_CONSTS)
			return false;
	}
	return true;
}

static const char *check_one(struct arena *arena, struct machine_long *m, struct pair new, const struct folded *f)
{
	const struct program *p = f->stage == STAGE_VERTEX ? new.vs : new.ps;
	const struct decl *d = program_decl(p, REG_CONST, f->index);
	if (!d || d->kind != DECL_DEF || f->index >= MACHINE_CONSTS || f->lane >= LANES || f->temp < 0 ||
	    f->temp >= MACHINE_TEMPS || f->temp_lane >= LANES || !closed(f->expr))
		return arena_printf(arena, "c%d was folded from something that is not made of literals", f->index);
	load_long(m, f->expr);
	if ((unsigned)f->temp >= m->temps)
		return arena_printf(arena, "c%d was folded from a register that nothing writes", f->index);
	/* An unwritten lane makes the result NaN, which is refused. */
	run_long(m, (long double)NAN);
	long double value = m->temp[f->temp][f->temp_lane][0];
	float literal = d->value[f->lane];
	if (!isfinite(value) || !isfinite(literal))
		return arena_printf(arena, "c%d.%c was folded to something that is not a number", f->index,
		                    "xyzw"[f->lane]);
	/* Half a unit in the last place, and a hundredth of one for a folding done in double. */
	float nearest = fabs((float)value);
	long double unit = (long double)nextafterf(nearest, FLT_MAX) - (long double)nearest;
	if (fabs((long double)literal - value) > unit * 0.51L)
		return arena_printf(arena, "c%d.%c is not what its expression gives (%.9g instead of %.12Lg)", f->index,
		                    "xyzw"[f->lane], (double)literal, value);
	return NULL;
}

const char *check_folds(struct arena *arena, struct pair new, const struct folded *folds, uint32_t n)
{
	struct machine_long *m = n ? arena_alloc(arena, sizeof *m) : NULL;
	if (m) {
		m->fp24 = false;
		m->jitter = 0;
		m->texture = NULL;
	}
	const char *wrong = NULL;
	for (uint32_t k = 0; k < n && !wrong; k++)
		wrong = check_one(arena, m, new, &folds[k]);
	return wrong;
}
