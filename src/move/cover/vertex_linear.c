/* Delivers interpolators as sums (vertex_sum.h), for vertex_program.c: all lanes that neither the VP's own code nor clones write.
 * Where many lanes of several oT have a part of their sums in common, that part is computed first, in a temporary. */
#include "move/cover/vertex_sum.h"

#include <limits.h>
#include <string.h>

struct shared {
	int reg; /* temporary */
	unsigned n;
	struct lane_sum lane[LANES];
};

enum { MOST_SHARED = 6 };

static bool same_summand(const struct summand *a, const struct summand *b)
{
	return sum_same_place(a, b) && a->at.lane == b->at.lane && a->atom == b->atom && a->factor == b->factor;
}

static bool has_summand(const struct lane_sum *sum, const struct summand *s)
{
	unsigned k = 0;
	while (k < sum->n && !same_summand(&sum->of[k], s))
		k++;
	return k < sum->n;
}

static bool contains(const struct lane_sum *sum, const struct lane_sum *part)
{
	unsigned k = 0;
	while (k < part->n && has_summand(sum, &part->of[k]))
		k++;
	return k == part->n;
}

/* The lane with its largest part that is shared read from there. */
static void begin_with(const struct shared *shared, value_id one, struct lane_sum *sum)
{
	int best = -1;
	for (unsigned k = 0; k < shared->n; k++)
		if (contains(sum, &shared->lane[k]) && (best < 0 || shared->lane[k].n > shared->lane[best].n))
			best = (int)k;
	if (best < 0)
		return;
	struct summand at = {PLACE_INPUT, true, {REG_TEMP, (int16_t)shared->reg, (uint8_t)best, false}, NO_VALUE, one};
	unsigned n = 0;
	for (unsigned k = 0; k < sum->n; k++) {
		at.finite &= sum->of[k].finite || !has_summand(&shared->lane[best], &sum->of[k]);
		if (!has_summand(&shared->lane[best], &sum->of[k]))
			sum->of[n++] = sum->of[k];
	}
	sum->of[n] = at;
	sum->n = n + 1;
}

/* What is to be computed of all oT as sums. */
struct all_sums {
	lanes todo[INTERPOLATORS];
	struct lane_sum sum[INTERPOLATORS][LANES];
};

/* The lanes of an oT that are to be computed. */
static lanes find_sums(struct vertex_writer *w, int reg, struct lane_sum sums[LANES])
{
	lanes todo = 0;
	bool same = true;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = w->layout->lane[reg][l];
		if (id == NO_VALUE || w->done[reg] >> l & 1 || value_at(w->values, id)->class == VALUE_PIXEL)
			continue;
		sum_of_lane(w, id, w->sources->raw[reg][l], w->how->mode[reg] == DELIVER_GATHERED, &same, &sums[l]);
		todo |= (lanes)(1u << l);
	}
	if (same)
		w->asked.same |= (uint16_t)(1u << reg);
	return todo;
}

/* What two lanes have in common, if anything. */
static struct lane_sum in_common(const struct vertex_writer *w, const struct lane_sum *a, const struct lane_sum *b)
{
	struct lane_sum both = {.n = 0, .rest = w->values->zero};
	for (unsigned k = 0; k < a->n; k++)
		if (has_summand(b, &a->of[k]))
			both.of[both.n++] = a->of[k];
	return both;
}

/* Parts that most lanes have in common. */
static unsigned find_parts(const struct vertex_writer *w, const struct all_sums *all, struct lane_sum parts[MOST_SHARED])
{
	unsigned n = 0, times[MOST_SHARED];
	for (unsigned a = 0; a < INTERPOLATORS * LANES; a++) {
		for (unsigned b = a + 1; b < INTERPOLATORS * LANES; b++) {
			if (!(all->todo[a / LANES] >> a % LANES & 1) || !(all->todo[b / LANES] >> b % LANES & 1))
				continue;
			struct lane_sum both = in_common(w, &all->sum[a / LANES][a % LANES], &all->sum[b / LANES][b % LANES]);
			unsigned k = 0, count = 0;
			while (k < n && (parts[k].n != both.n || !contains(&parts[k], &both)))
				k++;
			if (both.n == 0 || k < n)
				continue;
			for (unsigned c = 0; c < INTERPOLATORS * LANES; c++)
				count += all->todo[c / LANES] >> c % LANES & 1 && contains(&all->sum[c / LANES][c % LANES], &both);
			for (k = 0; k < n && times[k] >= count; k++)
				;
			if (k == MOST_SHARED)
				continue;
			n += n < MOST_SHARED;
			memmove(&parts[k + 1], &parts[k], (n - k - 1) * sizeof *parts);
			memmove(&times[k + 1], &times[k], (n - k - 1) * sizeof *times);
			parts[k] = both;
			times[k] = count;
		}
	}
	return n;
}

/* Registers that must be in temporaries for these sums, one mov each: as a set of FP constants. */
static void note_movs(const struct vertex_writer *w, const struct lane_sum *sums, lanes todo, uint64_t *movs)
{
	value_id const one = w->values->one, minus = value_find_negated(w->values, one);
	for (unsigned l = 0; l < LANES; l++) {
		for (unsigned k = 0; todo >> l & 1 && k < sums[l].n; k++) {
			const struct summand *s = &sums[l].of[k];
			if (s->place == PLACE_RAW && s->factor != one && s->factor != minus)
				*movs |= UINT64_C(1) << s->at.index % 64;
		}
	}
}

/* Instructions for all of it with that shared; UINT_MAX: not to be had. */
static unsigned shared_cost(const struct vertex_writer *w, const struct all_sums *all, const struct shared *shared)
{
	lanes part[MASK_XYZW + 1];
	uint64_t movs = 0;
	lanes const mine = (lanes)((1u << shared->n) - 1);
	unsigned n = shared->n ? columns_best(w, shared->lane, mine, part) : 0;
	note_movs(w, shared->lane, mine, &movs);
	for (int r = 0; r < INTERPOLATORS && n != UINT_MAX; r++) {
		struct lane_sum sums[LANES];
		if (!all->todo[r])
			continue;
		memcpy(sums, all->sum[r], sizeof sums);
		for (unsigned l = 0; l < LANES; l++)
			if (all->todo[r] >> l & 1)
				begin_with(shared, w->values->one, &sums[l]);
		note_movs(w, sums, all->todo[r], &movs);
		unsigned more = columns_best(w, sums, all->todo[r], part);
		n = more == UINT_MAX ? UINT_MAX : n + more;
	}
	for (; movs && n != UINT_MAX && !w->how->select; movs &= movs - 1)
		n++;
	return n;
}

/* Would lanes begin with the same, or stand beside sums of their oT instead of in the VP's own mov? */
static bool can_share(const struct vertex_writer *w)
{
	const struct all_sums *all = w->all;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		if (all->todo[r] && w->beside[r])
			return true;
	for (unsigned a = 0; a < INTERPOLATORS * LANES; a++) {
		const struct lane_sum *sum = &all->sum[a / LANES][a % LANES];
		for (unsigned b = a + 1; all->todo[a / LANES] >> a % LANES & 1 && b < INTERPOLATORS * LANES; b++)
			for (unsigned k = 0; all->todo[b / LANES] >> b % LANES & 1 && k < sum->n; k++)
				if (has_summand(&all->sum[b / LANES][b % LANES], &sum->of[k]))
					return true;
	}
	return false;
}

/* Looks for a register of partial sums that makes all sums shorter. */
static void find_shared(struct vertex_writer *w)
{
	const struct all_sums *all = w->all;
	struct lane_sum parts[MOST_SHARED];
	unsigned nparts = w->failed ? 0 : find_parts(w, all, parts), least = UINT_MAX, registers = 0;
	int const reg = w->next_temp;
	for (int r = 0; r < INTERPOLATORS; r++)
		registers += all->todo[r] != 0;
	/* What is shared takes an instruction, and one for each oT stays. */
	for (unsigned set = 0; set < 1u << nparts && least > registers + 1; set++) {
		struct shared some = {.reg = reg};
		bool fits = true;
		for (unsigned k = 0; k < nparts; k++) {
			if (!(set >> k & 1))
				continue;
			fits &= some.n < LANES;
			if (fits)
				some.lane[some.n++] = parts[k];
		}
		unsigned n = fits ? shared_cost(w, all, &some) : UINT_MAX;
		if (n >= least)
			continue;
		least = n;
		if (set) {
			w->shared = arena_alloc(w->values->arena, sizeof *w->shared);
			*w->shared = some;
			w->next_temp = reg + 1;
		}
	}
}

static void want_raw(struct vertex_writer *w, const struct lane_sum *sums, lanes todo)
{
	for (unsigned l = 0; l < LANES; l++)
		for (unsigned k = 0; todo >> l & 1 && k < sums[l].n; k++)
			if (sums[l].of[k].place == PLACE_RAW)
				w->raw_lanes[sums[l].of[k].at.index] |= (lanes)(1u << sums[l].of[k].at.lane);
}

void linear_find(struct vertex_writer *w)
{
	value_negated(w->values, w->values->one); /* so that it is found among the factors */
	struct all_sums *all = w->all = arena_alloc(w->values->arena, sizeof *all);
	for (int r = 0; r < INTERPOLATORS; r++)
		all->todo[r] = find_sums(w, r, all->sum[r]);
	if (w->how->share)
		find_shared(w);
	else
		w->asked.share = can_share(w);
	for (int r = 0; r < INTERPOLATORS; r++) {
		for (unsigned l = 0; w->shared && l < LANES; l++)
			if (all->todo[r] >> l & 1)
				begin_with(w->shared, w->values->one, &all->sum[r][l]);
		if (w->how->mode[r] != DELIVER_GATHERED)
			want_raw(w, all->sum[r], all->todo[r]);
	}
	lanes const mine = w->shared ? (lanes)((1u << w->shared->n) - 1) : 0;
	if (mine)
		want_raw(w, w->shared->lane, mine);
	if (mine)
		columns_put(w, REG_TEMP, w->shared->reg, w->shared->lane, mine);
}

void linear_put(struct vertex_writer *w, int reg)
{
	unsigned const n = columns_put(w, REG_TEX_OUT, reg, w->all->sum[reg], w->all->todo[reg]);
	w->asked.slots[reg] = (uint8_t)(n < UINT8_MAX ? n : UINT8_MAX);
	w->done[reg] |= w->all->todo[reg];
}
