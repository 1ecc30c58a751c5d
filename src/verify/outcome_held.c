/* Finds the places of a new pair that hold a value, see outcome_held.h. */
#include "verify/outcome_held.h"

#include <stdlib.h>
#include <string.h>

/* Returns x or -x, whichever is the one for which value_is_minus() is false, so that both have the same key. */
static struct value_at without_sign(const struct value_at *x)
{
	struct value_at to = *x;
	for (unsigned f = 0; f < FIELDS && value_is_minus(x); f++)
		to.of[f] = field_neg(f, x->of[f]);
	return to;
}

static int by_value(const void *a, const void *b)
{
	const struct held *x = a, *y = b;
	int const order = memcmp(&x->value, &y->value, sizeof x->value);
	if (order)
		return order;
	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	if (x->instr != y->instr)
		return x->instr < y->instr ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->index != y->index ? x->index - y->index : x->lane - y->lane;
}

/* Adds a place: a register lane that holds x, or -x if `negate` is set, since the operand that reads x there negates the register. */
static void hold(struct arena *a, struct held_list *to, const struct value_at *x, enum holder by, uint32_t instr,
                 enum reg_file file, int index, unsigned lane, bool negate)
{
	VEC_PUSH(a, to) = (struct held){.value = without_sign(x), .instr = instr, .by = (uint8_t)by, .file = (uint8_t)file,
	                                .lane = (uint8_t)lane, .minus = value_is_minus(x) != negate, .index = (int16_t)index};
}

static void hold_instr(struct arena *a, struct held_list *to, const struct trace *t, uint32_t k, unsigned weight)
{
	bool const pixel = t->run->stage == STAGE_PIXEL;
	const struct instr *i = &t->program->instrs.at[k];
	struct trace_read reads[MOST_READS];
	for (unsigned l = 0; l < LANES; l++) {
		if (!(instr_writes(i) >> l & 1))
			continue;
		struct value_at const x = trace_value(t, k, l, weight);
		hold(a, to, &x, pixel ? BY_PS : BY_VS, k, (enum reg_file)i->dst.file, i->dst.index, l, false);
	}
	unsigned const n = trace_reads(t, k, t->used[k], weight, reads);
	for (unsigned r = 0; r < n; r++)
		if (!pixel || reads[r].file == REG_TEXCOORD || reads[r].file == REG_INPUT || reads[r].file == REG_CONST)
			hold(a, to, &reads[r].value, pixel ? BY_PS_READ : BY_VS_READ, k, (enum reg_file)reads[r].file, reads[r].index,
			     reads[r].lane, reads[r].negate);
}

/* Adds the values that the application computes on the way to preset constants.  Runs each expression of a preset once. */
static void hold_presets(struct arena *arena, struct held_list *to, const struct side *new, const struct proof_context *c)
{
	struct side *side = arena_alloc(arena, sizeof *side);
	struct field_run *m = &side->ps;
	m->program = NULL;
	for (uint32_t k = 0; k < c->nfolds; k++) {
		const struct folded *f = &c->folds[k];
		if (!f->preset || f->expr == m->program)
			continue;
		field_run_load(arena, m, f->expr);
		field_run_trial(m, new->ps.key);
		m->small = false;
		m->known = new->ps.known;
		m->unwritten = new->ps.unwritten;
		m->allowed = NULL;
		m->trace = arena_zero(arena, (f->expr->instrs.n + 1) * sizeof *m->trace);
		field_run(m);
		for (uint32_t i = 0; i < f->expr->instrs.n; i++)
			for (unsigned l = 0; l < LANES; l++) {
				struct value_at x;
				memcpy(x.of, m->trace[i][l], sizeof x.of);
				if (instr_writes(&f->expr->instrs.at[i]) >> l & 1)
					hold(arena, to, &x, BY_APP, i, REG_FILES, 0, l, false);
			}
	}
}

struct held_list held_find_all(struct arena *arena, const struct trace *ps, const struct trace *vs, const struct proof_context *c)
{
	struct held_list all = {0};
	for (uint32_t k = 0; k < ps->program->instrs.n; k++)
		hold_instr(arena, &all, ps, k, WEIGHT_CENTRE);
	for (uint32_t k = 0; k < vs->program->instrs.n; k++)
		for (unsigned weight = 0; weight < WEIGHTS; weight++)
			if (side_weighs(vs->side, weight))
				hold_instr(arena, &all, vs, k, weight);
	hold_presets(arena, &all, vs->side, c);
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_value);
	for (uint32_t k = 0, first = 0; k < all.n; k++) {
		first = value_same(&all.at[first].value, &all.at[k].value) ? first : k;
		all.at[first].same++;
	}
	return all;
}

const struct held *held_find(const struct held_list *all, const struct value_at *x)
{
	static const struct held none;
	struct value_at const key = without_sign(x);
	uint32_t low = 0, high = all->n;
	while (low < high) {
		uint32_t const middle = low + (high - low) / 2;
		if (memcmp(&all->at[middle].value, &key, sizeof key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->n && memcmp(&all->at[low].value, &key, sizeof key) == 0 ? &all->at[low] : &none;
}

struct outcome_place held_place(const struct held *h, const struct value_at *x)
{
	return (struct outcome_place){.file = h->file, .lane = h->lane, .negated = h->minus != value_is_minus(x), .index = h->index};
}
