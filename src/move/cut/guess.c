/* Guesses the time it takes to have a value in the FP, so that the search first tries the likely cheaper of two ways to supply an operand:
 * an interpolator, or the instructions that compute the value.  This is only for targets that charge for interpolated scalars; for others
 * an interpolator is never dearer.  A branch of the search also ends if the guess for all undecided operands is too high (bound.c).
 * requires: facts of the FP; changes: the order of choices. */
#include "move/cut/search.h"

/* Returns the time of some work if no part of it goes on beside another. */
static uint64_t time_one_after_another(struct work w)
{
	return w.arith + w.special + w.tex + w.varying;
}

/* Returns the time of an interpolated scalar with this value: 0 for a constant, and NEVER for one that may not move. */
static uint64_t time_of_scalar(const struct search *s, value_id id)
{
	const struct target *t = &s->facts.options->target;
	enum { NEVER = 1 << 30 };
	if (!value_may_move(s->values, id))
		return NEVER;
	return value_at(s->values, id)->class == VALUE_CONST ? 0 : (uint64_t)(t->varying + t->lane) * TARGET_UNIT;
}

/* Returns the guessed time to have the value that an operand reads at this position, divided by the number of operands that read it. */
static uint64_t guess_of_lane(const struct guesses *g, const struct use *u, const struct src *src, unsigned position)
{
	int const def = u->def[position];
	unsigned const lane = swizzle_lane(src->swizzle, position);
	if (def >= 0)
		return g->lane[def][lane];
	return src->file == REG_TEXCOORD && src->index < MOST_TEXCOORDS ? g->input[(unsigned)src->index * LANES + lane] : 0;
}

/* Returns the sum of the guessed times of all values that instruction i reads to compute its lanes `mask`. */
static uint64_t all_operands(const struct search *s, const struct guesses *g, int i, lanes mask)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	uint64_t sum = 0;
	EACH_SOURCE(k, instr) {
		const struct use *u = &s->values->use[i][k];
		EACH_LANE(p, instr_operand_lanes(s->fp->ps, instr, k, mask))
			sum += guess_of_lane(g, u, &instr->src[k], p);
	}
	return sum;
}

/* Returns the time of an instruction, divided by the number of lanes that it writes. */
static uint64_t instr_of_a_lane(const struct search *s, const struct instr *instr)
{
	unsigned n = 0;
	EACH_LANE(l, instr_writes(instr))
		n++;
	return time_one_after_another(target_instr(&s->facts.options->target, instr, s->fp->ps->model, instr_writes(instr))) / n;
}

/* Counts the operands that read each lane of an instruction's result (of[]) or of a t# (inputs[]). */
static void count_lane_readers(const struct search *s, uint32_t (*of)[LANES], uint32_t inputs[MOST_TEXCOORDS * LANES])
{
	for (uint32_t i = 0; i < s->fp->ps->instrs.n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		EACH_SOURCE(k, instr) {
			const struct use *u = &s->values->use[i][k];
			EACH_LANE(p, u->read) {
				unsigned const lane = swizzle_lane(instr->src[k].swizzle, p);
				if (u->def[p] >= 0)
					of[u->def[p]][lane]++;
				else if (instr->src[k].file == REG_TEXCOORD && instr->src[k].index < MOST_TEXCOORDS)
					inputs[(unsigned)instr->src[k].index * LANES + lane]++;
			}
		}
	}
}

void search_guess(struct search *s)
{
	uint32_t const n = s->fp->ps->instrs.n;
	struct guesses *g = &s->fp->guesses;
	uint32_t (*readers)[LANES] = arena_zero(s->arena, (n + 1) * sizeof *readers), inputs[MOST_TEXCOORDS * LANES] = {0};
	g->lane = arena_zero(s->arena, (n + 1) * sizeof *g->lane);
	g->operands = arena_zero(s->arena, (n + 1) * sizeof *g->operands);
	count_lane_readers(s, readers, inputs);
	for (unsigned k = 0; k < MOST_TEXCOORDS * LANES; k++)
		g->input[k] = (uint64_t)(s->facts.options->target.varying + s->facts.options->target.lane) * TARGET_UNIT / (inputs[k] ? inputs[k] : 1);
	for (int i = 0; i < (int)n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		lanes const written = instr_writes(instr);
		g->operands[i] = all_operands(s, g, i, s->fp->pixel[i] ? least_mask(s->fp->ps, instr, s->fp->pixel[i]) : written);
		EACH_LANE(l, written) {
			if (search_stays_anyway(s, i) && s->fp->pixel[i] >> l & 1)
				continue;
			uint64_t const bring = time_of_scalar(s, s->values->def[i][l]);
			uint64_t const made = instr_of_a_lane(s, instr) + all_operands(s, g, i, (lanes)(1u << l));
			g->lane[i][l] = (made < bring ? made : bring) / (readers[i][l] ? readers[i][l] : 1);
		}
	}
}

/* Returns true if a request asks an interpolator for the value already. */
static bool is_asked(const struct search *s, value_id id)
{
	for (uint32_t q = s->state.guards; q < s->state.requests.n; q++)
		for (unsigned k = 0; k < s->state.requests.at[q].n; k++) {
			const struct pattern *p = &s->state.requests.at[q].pattern[k];
			EACH_LANE(l, p->positions)
				if (p->value[l] == id)
					return true;
		}
	return false;
}

/* Returns true if that lane of an instruction's result stays by the choices so far. */
static bool stays_so_far(const struct search *s, int def, unsigned lane)
{
	return def >= 0 && (s->fp->pixel[def] | s->state.demand[def]) >> lane & 1;
}

/* Returns the guessed time to compute one lane of an instruction's result, and the values that it reads for that, unless they are in the FP
 * anyway by the choices so far. */
static uint64_t lane_computed(const struct search *s, int def, unsigned lane)
{
	const struct instr *instr = &s->fp->ps->instrs.at[def];
	uint64_t sum = instr_of_a_lane(s, instr);
	EACH_SOURCE(k, instr) {
		const struct use *u = &s->values->use[def][k];
		EACH_LANE(p, instr_operand_lanes(s->fp->ps, instr, k, (lanes)(1u << lane)))
			if (!stays_so_far(s, u->def[p], swizzle_lane(instr->src[k].swizzle, p)) && !is_asked(s, u->value[p]))
				sum += guess_of_lane(&s->fp->guesses, u, &instr->src[k], p);
	}
	return sum;
}

bool search_keeps_first(const struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct src *src = &s->fp->ps->instrs.at[i].src[k];
	if (!s->fp->guesses.lane || src->file != REG_TEMP)
		return false;
	uint64_t bring = 0, made = 0;
	lanes seen = 0;
	EACH_LANE(l, p->positions) {
		unsigned const lane = swizzle_lane(src->swizzle, l);
		int const def = s->values->use[i][k].def[l];
		if (seen >> lane & 1)
			continue;
		seen |= (lanes)(1u << lane);
		bring += is_asked(s, p->value[l]) ? 0 : time_of_scalar(s, p->value[l]);
		made += stays_so_far(s, def, lane) ? 0 : lane_computed(s, def, lane);
	}
	return made < bring;
}

uint64_t search_guess_to_come(const struct search *s, int i)
{
	enum { PARTS = 4, TRUSTED = 3 }; /* of the guess, 3/4 count: a larger part makes the search faster, but it misses more plans */
	uint64_t sum = 0;
	for (int j = 0; j <= i; j++)
		sum += search_stays(s, j) && search_chosen(s, j) == j ? s->fp->guesses.operands[j] : 0;
	return sum / PARTS * TRUSTED;
}
