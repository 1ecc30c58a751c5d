/* Compares the tests of texkills, see kills.h. */
#include "verify/kills.h"

#include "verify/choice.h"

bool kill_never(const struct field_run *m, unsigned column, felt x)
{
	enum known_order const sign = known_order(m->known, column, x, 0);
	const struct fact *f = known_fact(m->known, column, x);
	if (sign == KNOWN_SAME || sign == KNOWN_ABOVE || sign == KNOWN_NOT_BELOW || (f && f->square))
		return true;
	return f && f->multiple_of && kill_never(m, column, f->multiple_of);
}

/* Returns the choice (choice.h) with each number replaced: by -1 if it is below 0, else by 0. */
static struct choice negative_signs(const struct choice *c)
{
	static const struct rational minus_one = {.negative = true, .over = {1, {1}}, .under = {1, {1}}};
	struct choice signs = *c;
	for (uint32_t i = 0; i < 1u << c->n; i++)
		signs.number[i] = rational_sign(c->number[i]) < 0 ? &minus_one : &known_zero;
	return choice_reduced(signs);
}

static bool are_all_below(const struct choice *c)
{
	bool below = true;
	for (uint32_t i = 0; i < 1u << c->n; i++)
		below &= rational_sign(c->number[i]) < 0;
	return below;
}

/* Adds the values that a texkill of a choice (choice.h) tests: one for each condition that makes the number negative if it fails, whatever
 * the other conditions are, and one for the choice that is left if these conditions hold. */
static void add_tests_of_choice(const struct field_run *m, unsigned column, const struct choice *c, struct kill_tests *to)
{
	struct choice rest = negative_signs(c);
	for (uint32_t k = rest.n; k-- > 0;) {
		struct choice const without = choice_given(&rest, k, false);
		if (!are_all_below(&without))
			continue;
		kill_tests_of(m, column, rest.by[k], to);
		rest = choice_given(&rest, k, true);
	}
	felt const left = choice_element(m, column, &rest);
	if (left)
		VEC_PUSH(m->known->arena, to) = left;
}

void kill_tests_of(const struct field_run *m, unsigned column, felt x, struct kill_tests *to)
{
	struct choice c;
	if (kill_never(m, column, x))
		return;
	if (choice_of(m->known, column, x, &c)) {
		add_tests_of_choice(m, column, &c, to);
		return;
	}
	const struct fact *minus = known_fact(m->known, column, field_neg(column, x));
	uint32_t const n = minus ? minus->n : 0;
	const felt *of = n ? minus->of : NULL;
	for (uint32_t i = 0; i < n; i++)
		kill_tests_of(m, column, field_neg(column, of[i]), to);
	const struct fact *f = n ? NULL : known_fact(m->known, column, x);
	if (f && f->multiple_of)
		kill_tests_of(m, column, f->multiple_of, to);
	else if (!n)
		VEC_PUSH(m->known->arena, to) = x;
}

static bool is_tested(felt x, const struct kill_tests *tests)
{
	bool found = false;
	for (uint32_t k = 0; k < tests->n && !found; k++)
		found = x == tests->at[k];
	return found;
}

/* Returns the values that the texkills `first` .. `last` - 1 test in their first `lanes_tested` lanes. */
static struct kill_tests tests_of_texkills(const struct field_run *m, unsigned column, uint32_t first, uint32_t last, unsigned lanes_tested)
{
	struct kill_tests all = {0};
	for (uint32_t k = first; k < last; k++)
		for (unsigned l = 0; l < lanes_tested; l++)
			kill_tests_of(m, column, m->kill[k][l][column], &all);
	return all;
}

static bool are_tested(const struct kill_tests *some, const struct kill_tests *all)
{
	bool found = true;
	for (uint32_t k = 0; k < some->n && found; k++)
		found = is_tested(some->at[k], all);
	return found;
}

uint32_t kill_unmatched(const struct field_run *one, const struct field_run *other)
{
	uint32_t worst = one->kills;
	for (unsigned column = 0; column < FIELDS; column++)
		for (unsigned tested = LANE_W; tested <= LANES; tested++) {
			struct kill_tests const all = tests_of_texkills(other, column, 0, other->kills, tested);
			for (uint32_t k = 0; k < worst; k++) {
				struct kill_tests const here = tests_of_texkills(one, column, k, k + 1, tested);
				worst = are_tested(&here, &all) ? worst : k;
			}
		}
	return worst;
}

bool kill_is_same(const struct field_run *one, uint32_t kill, const struct field_run *other, uint32_t other_kill)
{
	bool same = true;
	for (unsigned column = 0; column < FIELDS && same; column++)
		for (unsigned tested = LANE_W; tested <= LANES && same; tested++) {
			struct kill_tests const a = tests_of_texkills(one, column, kill, kill + 1, tested);
			struct kill_tests const b = tests_of_texkills(other, column, other_kill, other_kill + 1, tested);
			same = are_tested(&a, &b) && are_tested(&b, &a);
		}
	return same;
}
