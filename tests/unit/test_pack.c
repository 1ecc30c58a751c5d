/* Packing values into interpolators: operands that a register can serve, and the registers that requests need. */
#include "pairs.h"

#include "move/plan/plan.h"

/* Inputs a, b, c ... of one kind, as values. */
struct packer {
	struct values *v;
	struct layout start;
	struct request request[64];
	uint32_t n;
};

static struct packer packer(void **state)
{
	struct arena *arena = *state;
	struct packer p = {.n = 0};
	p.v = values_number(arena, parse_one(arena, "vs_1_1\ndcl_position v0\nmov oPos, v0\n"),
	                    parse_one(arena, "ps_2_0\ndcl t0\nmov oC0, t0\n"));
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		p.start.kind[r] = KIND_ANY;
		p.start.home[r] = -1;
		for (unsigned k = 0; k < LANES; k++)
			p.start.lane[r][k] = NO_VALUE;
	}
	return p;
}

static value_id value(struct packer *p, char name, uint8_t kind)
{
	return value_of_input(p->v, (unsigned)(name - 'a'), kind);
}

/* Returns the pattern "ab.c" with values at x, y and w; a capital letter is the negation. */
static struct pattern pattern(struct packer *p, const char *text, enum reach reach, uint8_t kind)
{
	struct pattern q = {.reach = (uint8_t)reach};
	for (unsigned k = 0; text[k]; k++) {
		if (text[k] == '.')
			continue;
		bool negate = text[k] < 'a';
		value_id plain = value(p, (char)(text[k] | 0x20), kind), opposite = value_negated(p->v, plain);
		q.positions |= (lanes)(1u << k);
		q.value[k] = negate ? opposite : plain;
		q.negated[k] = negate ? plain : opposite;
	}
	return q;
}

static void want_kind(struct packer *p, const char *text, enum reach reach, uint8_t kind)
{
	p->request[p->n++] = (struct request){.n = 1, .kind = kind, .pattern = {pattern(p, text, reach, kind)}};
}

static void want(struct packer *p, const char *text, enum reach reach)
{
	want_kind(p, text, reach, 0);
}

/* Requests that one register serves both. */
static void want_both(struct packer *p, const char *a, enum reach ra, const char *b, enum reach rb)
{
	p->request[p->n++] = (struct request){.n = 2, .kind = 0, .pattern = {pattern(p, a, ra, 0), pattern(p, b, rb, 0)}};
}

/* Returns the fewest registers for all requests, and looks each up in the layout. */
static unsigned fewest(struct packer *p)
{
	for (unsigned n = 0; n <= INTERPOLATORS; n++) {
		struct layout out;
		uint32_t work = 100000;
		if (!layout_pack(p->v, p->request, p->n, n, &p->start, &out, &work))
			continue;
		for (uint32_t q = 0; q < p->n; q++) {
			bool found = false;
			for (unsigned r = 0; r < INTERPOLATORS && !found; r++) {
				struct view view;
				found = out.kind[r] == p->request[q].kind || p->request[q].kind == KIND_ANY;
				for (unsigned k = 0; found && k < p->request[q].n; k++)
					found = pattern_match(out.lane[r], &p->request[q].pattern[k], &view);
			}
			assert_true(found);
		}
		unsigned used = 0;
		for (unsigned r = 0; r < INTERPOLATORS; r++)
			used += layout_used(&out, r);
		assert_in_range(used, 0, n);
		return n;
	}
	return INTERPOLATORS + 1;
}

ARENA_TEST(coordinates_claim_xy)
{
	struct packer p = packer(state);
	assert_int_equal(fewest(&p), 0);
	want(&p, "ab", REACH_PLAIN);
	assert_int_equal(fewest(&p), 1);
	want(&p, "cd", REACH_PLAIN);
	assert_int_equal(fewest(&p), 2);
	want(&p, "ab", REACH_PLAIN);
	assert_int_equal(fewest(&p), 2);
	want(&p, "ba", REACH_PLAIN);
	assert_int_equal(fewest(&p), 3);
	for (unsigned k = 0; k < 5; k++)
		want(&p, (const char *[]){"ef", "gh", "ij", "kl", "mn"}[k], REACH_PLAIN);
	assert_int_equal(fewest(&p), 8);
	want(&p, "op", REACH_PLAIN);
	assert_int_equal(fewest(&p), 9);
}

ARENA_TEST(a_second_coordinate_rides_reversed)
{
	struct packer p = packer(state);
	want(&p, "ab", REACH_PLAIN);
	want(&p, "cd", REACH_ANY); /* .wzyx, for one mov */
	assert_int_equal(fewest(&p), 1);
	want(&p, "e", REACH_SCALAR);
	assert_int_equal(fewest(&p), 2);
}

ARENA_TEST(swizzles_are_those_of_ps_2_0)
{
	static const struct {
		const char *first, *second;
		unsigned n;
	} cases[] = {
		{"abcd", "bca.", 1}, {"abcd", "cab.", 1}, {"abcd", "dcba", 1}, {"abcd", "bbbb", 1}, {"abcd", "...a", 1},
		{"abcd", "acb.", 2}, {"abcd", "ba", 2}, {"abcd", "ac", 2}, {"abcd", "da", 2}, {"abcd", "dc", 1},
		{"abcd", "bc", 1}, {"abcd", "..dc", 2}, {"abcd", ".b.d", 1}, {"abcd", "ABCD", 1}, {"abcd", "BCA", 1},
		{"abcd", "Ab", 2}, {"abcd", "aaab", 2},
	};
	for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct packer p = packer(state);
		want(&p, cases[k].first, REACH_PLAIN);
		want(&p, cases[k].second, REACH_ANY);
		if (fewest(&p) != cases[k].n)
			print_error("%s %s\n", cases[k].first, cases[k].second);
		assert_int_equal(fewest(&p), cases[k].n);
	}
}

ARENA_TEST(scalars_fit_any_lane)
{
	struct packer p = packer(state);
	want(&p, "ab", REACH_PLAIN);
	want(&p, "c", REACH_SCALAR);
	want(&p, ".d", REACH_ANY);
	want(&p, "...b", REACH_ANY);
	want(&p, "A", REACH_SCALAR);
	assert_int_equal(fewest(&p), 1);
	want(&p, "C", REACH_LANE); /* no modifier is allowed, but c can be read as -(-c) */
	assert_int_equal(fewest(&p), 1);
	want(&p, "c", REACH_LANE);
	assert_int_equal(fewest(&p), 2);
}

ARENA_TEST(patterns_of_one_instruction_share_a_register)
{
	struct packer p = packer(state);
	want(&p, "abcd", REACH_PLAIN);
	want_both(&p, "e", REACH_SCALAR, "f", REACH_SCALAR);
	assert_int_equal(fewest(&p), 2);
	want_both(&p, "e", REACH_SCALAR, "a", REACH_SCALAR);
	assert_int_equal(fewest(&p), 2); /* a again, beside e */
	want_both(&p, "gh", REACH_PLAIN, "g", REACH_SCALAR);
	assert_int_equal(fewest(&p), 3);
	want_both(&p, "abcd", REACH_ANY, "e", REACH_SCALAR);
	assert_int_equal(fewest(&p), INTERPOLATORS + 1); /* five lanes in one register */
}

ARENA_TEST(kinds_have_registers_of_their_own)
{
	struct packer p = packer(state);
	want(&p, "ab", REACH_PLAIN);
	want_kind(&p, "c", REACH_SCALAR, INSTR_CENTROID);
	assert_int_equal(fewest(&p), 2);
	want_kind(&p, "d", REACH_SCALAR, INSTR_PP);
	assert_int_equal(fewest(&p), 3);
	value_id half = value_of_literal(p.v, 0.5f);
	struct pattern constant = {.positions = MASK_X, .reach = REACH_SCALAR, .value = {half}, .negated = {NO_VALUE}};
	p.request[p.n++] = (struct request){.n = 1, .kind = KIND_ANY, .pattern = {constant}};
	assert_int_equal(fewest(&p), 3); /* constants go with any kind */
}

ARENA_TEST(pinned_registers_are_used_first_and_kept)
{
	struct packer p = packer(state);
	p.start.pinned[5] = true;
	p.start.kind[5] = 0;
	p.start.home[5] = 5;
	p.start.lane[5][LANE_Z] = value(&p, 'z', 0);
	struct layout out;
	uint32_t work = 1000;
	want(&p, "ab", REACH_PLAIN);
	assert_true(layout_pack(p.v, p.request, p.n, 1, &p.start, &out, &work));
	assert_int_equal(out.lane[5][LANE_X], value(&p, 'a', 0));
	assert_int_equal(out.lane[5][LANE_Z], value(&p, 'z', 0));
	want(&p, "cd", REACH_ANY);
	assert_false(layout_pack(p.v, p.request, p.n, 1, &p.start, &out, &work));
	assert_true(work > 0);
	assert_true(layout_pack(p.v, p.request, p.n, 2, &p.start, &out, &work));
	assert_int_equal(out.lane[5][LANE_Z], value(&p, 'z', 0));
	assert_true(layout_used(&out, 0));
	p.start.pinned[6] = p.start.pinned[7] = true;
	assert_false(layout_pack(p.v, p.request, p.n, 2, &p.start, &out, &work));
}

/* Checks cases where the lanes and fixed places show without a search that requests do not fit. */
ARENA_TEST(what_cannot_fit_is_seen_without_a_search)
{
	struct packer p = packer(state);
	struct layout out;
	uint32_t work = 1000;
	for (char c = 'a'; c < 'i'; c++)
		want(&p, (char[]){c, 0}, REACH_ANY);
	want(&p, "A", REACH_ANY); /* -a needs the lane of a */
	assert_int_equal(layout_least(p.request, p.n), 2);
	want(&p, "i", REACH_SCALAR);
	assert_int_equal(layout_least(p.request, p.n), 3);
	for (char c = 'a'; c < 'e'; c++)
		want(&p, (char[]){'z', c, 0}, REACH_PLAIN);
	assert_int_equal(layout_least(p.request, p.n), 4);
	assert_false(layout_pack(p.v, p.request, p.n, 3, &p.start, &out, &work));
	assert_int_equal(work, 1000);
	assert_int_equal(fewest(&p), 4);
}

/* Checks that 32 single values fill 8 registers, and that with one coordinate more the search ends early. */
ARENA_TEST(single_values_are_alike)
{
	struct packer p = packer(state);
	for (unsigned k = 0; k < 31; k++) {
		value_id x = value_of_input(p.v, k, 0);
		p.request[p.n++] = (struct request){.n = 1, .pattern = {{.positions = MASK_X, .reach = REACH_SCALAR, .value = {x},
		                                                         .negated = {value_negated(p.v, x)}}}};
	}
	assert_int_equal(fewest(&p), 8);
	p.request[p.n++] = (struct request){.n = 1, .pattern = {{.positions = MASK_XY, .reach = REACH_PLAIN,
	                                                         .value = {value_of_input(p.v, 0, 0), value_of_input(p.v, 1, 0)}}}};
	p.request[p.n++] = (struct request){.n = 1, .pattern = {{.positions = MASK_XY, .reach = REACH_PLAIN,
	                                                         .value = {value_of_input(p.v, 0, 0), value_of_input(p.v, 2, 0)}}}};
	assert_int_equal(fewest(&p), 8); /* the first value in two registers */
	p.request[p.n++] = (struct request){.n = 1, .pattern = {{.positions = MASK_XY, .reach = REACH_PLAIN,
	                                                         .value = {value_of_input(p.v, 0, 0), value_of_input(p.v, 3, 0)}}}};
	struct layout out;
	uint32_t work = 1000;
	assert_false(layout_pack(p.v, p.request, p.n, 8, &p.start, &out, &work));
	assert_true(work > 0);
}

ARENA_TEST(work_is_bounded)
{
	struct packer p = packer(state);
	for (char c = 'a'; c < 's'; c = (char)(c + 3))
		want(&p, (char[]){c, (char)(c + 1), (char)(c + 2), 0}, REACH_ANY);
	struct layout out;
	uint32_t work = 3;
	assert_false(layout_pack(p.v, p.request, p.n, 6, &p.start, &out, &work));
	assert_int_equal(work, 0);
	assert_int_equal(fewest(&p), 6);
	/* Attempts within one step count, too. */
	struct packer both = packer(state);
	want_both(&both, "abcd", REACH_ANY, "bacd", REACH_ANY);
	work = 100;
	assert_false(layout_pack(both.v, both.request, both.n, 2, &both.start, &out, &work));
	assert_true(work < 99);
}

ARENA_TEST(ways_come_by_number)
{
	struct packer p = packer(state);
	struct view view;
	static const struct {
		enum reach reach;
		unsigned ways;
	} cases[] = {{REACH_ANY, 16}, {REACH_SCALAR, 8}, {REACH_LANE, 4}, {REACH_PLAIN, 1}};
	for (unsigned c = 0; c < 4; c++) {
		struct pattern q = pattern(&p, "ab", cases[c].reach, 0);
		unsigned n = 0;
		for (; pattern_view(&q, n, &view); n++) {
			assert_true(swizzle_in_ps_2_0(view.swizzle));
			assert_int_equal(view.negate, n >= (cases[c].ways + 1) / 2 && cases[c].reach < REACH_LANE);
		}
		assert_int_equal(n, cases[c].ways);
	}
	value_id reg[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
	struct pattern ab = pattern(&p, "ab", REACH_ANY, 0);
	assert_true(pattern_place(reg, &ab, &(struct view){SWIZZLE(3, 2, 1, 0), true}));
	assert_int_equal(reg[LANE_W], ab.negated[0]);
	assert_int_equal(reg[LANE_Z], ab.negated[1]);
	assert_int_equal(reg[LANE_X], NO_VALUE);
	assert_true(pattern_match(reg, &ab, &view));
	assert_true(view.negate && view.swizzle == SWIZZLE(3, 2, 1, 0));
	assert_false(pattern_place(reg, &ab, &(struct view){SWIZZLE(3, 2, 1, 0), false}));
}

/* Checks one register with a free lane and one with three: two values that do not fit the first may fit the second. */
ARENA_TEST(registers_with_room_differ)
{
	struct packer p = packer(state);
	struct layout out;
	uint32_t work = 1000;
	for (unsigned r = 0; r < 2; r++) {
		p.start.pinned[r] = true;
		p.start.kind[r] = 0;
		for (unsigned k = 0; k < (r ? 1 : 3); k++)
			p.start.lane[r][k] = value(&p, (char)('a' + 4 * r + k), 0);
	}
	want(&p, "xw", REACH_ANY);
	assert_true(layout_pack(p.v, p.request, p.n, 2, &p.start, &out, &work));
	assert_false(layout_alike(&p.start, 0, 1, false));
	assert_true(layout_alike(&p.start, 0, 1, true)); /* a single value fits both equally */
}

/* Checks model 3, whose swizzles read values in any lanes. */
ARENA_TEST(any_swizzle_reads_any_lanes)
{
	struct packer p = packer(state);
	struct pattern const abca = pattern(&p, "abca", REACH_FREE, 0), ab = pattern(&p, "ab", REACH_TURNED, 0);
	struct view view;
	unsigned n = 0;
	for (; pattern_view(&abca, n, &view); n++) {
		value_id reg[LANES] = {NO_VALUE, NO_VALUE, NO_VALUE, NO_VALUE};
		struct view found;
		assert_true(pattern_place(reg, &abca, &view));
		assert_true(pattern_match(reg, &abca, &found));
		assert_int_equal(found.swizzle, view.swizzle);
		assert_int_equal(found.negate, view.negate);
	}
	assert_int_equal(n, 2 * 4 * 3 * 2); /* three values in four lanes, with both signs */
	for (n = 0; pattern_view(&ab, n, &view); n++)
		assert_false(view.negate);
	assert_int_equal(n, 4 * 3);
	want(&p, "abc", REACH_FREE);
	want(&p, "cab", REACH_FREE);
	want(&p, "dcba", REACH_FREE);
	want(&p, ".d.d", REACH_FREE);
	assert_int_equal(fewest(&p), 1);
	want(&p, "bB", REACH_FREE);
	assert_int_equal(fewest(&p), 2);
}
