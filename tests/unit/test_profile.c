/* Profiles: time and changes of passes, as a tree. */
#include "tests.h"

#include "base/profile.h"

#include <string.h>

static uint64_t clock_at;

/* Returns the time of a clock that advances by a nanosecond at each reading. */
static uint64_t ticks(void)
{
	return clock_at++;
}

static const struct pass *pass_named(const struct profile *p, const char *name, const char *parent)
{
	for (unsigned k = 0; k < p->n; k++) {
		const char *above = p->pass[k].parent == NO_PASS ? "" : p->pass[p->pass[k].parent].name;
		if (strcmp(p->pass[k].name, name) == 0 && strcmp(above, parent) == 0)
			return &p->pass[k];
	}
	fail_msg("no %s below %s", name, parent);
	return NULL;
}

static void run_once(struct profile *p)
{
	profile_begin(p, "move");
	profile_begin(p, "tidy");
	profile_change(p, 9, 7);
	profile_end(p);
	profile_begin(p, "search");
	profile_nodes(p, 5);
	profile_begin(p, "tidy");
	profile_end(p);
	profile_end(p);
	profile_end(p);
}

TEST(sums_up_by_place)
{
	struct profile p;
	profile_init(&p, ticks);
	run_once(&p);
	run_once(&p);
	assert_int_equal(p.n, 4);
	const struct pass *tidy = pass_named(&p, "tidy", "move"), *inner = pass_named(&p, "tidy", "search");
	assert_int_equal(tidy->runs, 2);
	assert_int_equal(tidy->changed, 2);
	assert_int_equal(tidy->slots[0], 18);
	assert_int_equal(tidy->slots[1], 14);
	assert_int_equal(inner->runs, 2);
	assert_int_equal(inner->changed, 0);
	assert_int_equal(pass_named(&p, "search", "move")->nodes, 10);
	/* A pass without inner passes takes one tick; others add those of their inner passes. */
	assert_int_equal(tidy->time, 2);
	assert_int_equal(pass_named(&p, "search", "move")->time, 6);
	assert_int_equal(pass_named(&p, "move", "")->time, 14);
}

TEST(adds_others)
{
	struct profile p, sum;
	profile_init(&p, ticks);
	profile_init(&sum, ticks);
	run_once(&p);
	profile_begin(&sum, "parse");
	profile_end(&sum);
	profile_add(&sum, &p);
	profile_add(&sum, &p);
	assert_int_equal(sum.n, 5);
	assert_int_equal(pass_named(&sum, "tidy", "search")->runs, 2);
	assert_int_equal(pass_named(&sum, "search", "move")->nodes, 10);
	assert_int_equal(pass_named(&sum, "tidy", "move")->slots[1], 14);
}

/* Checks that passes beyond the room count in the last one that has a place, and that begins and ends still match. */
TEST(has_no_room)
{
	static const char deeper[] = "deeper";
	struct profile p, sum;
	profile_init(&p, ticks);
	profile_init(&sum, ticks);
	for (unsigned k = 0; k < PROFILE_PASSES + 3; k++)
		profile_begin(&p, deeper);
	profile_change(&p, 2, 1);
	profile_nodes(&p, 1);
	for (unsigned k = 0; k < PROFILE_PASSES + 3; k++)
		profile_end(&p);
	assert_int_equal(p.n, PROFILE_PASSES);
	assert_int_equal(p.running, NO_PASS);
	assert_int_equal(p.pass[PROFILE_PASSES - 1].runs, 1);
	assert_int_equal(p.pass[PROFILE_PASSES - 1].changed, 0);
	profile_begin(&sum, "own");
	profile_end(&sum);
	profile_add(&sum, &p);
	assert_int_equal(sum.n, PROFILE_PASSES);
}

TEST(nobody_asks)
{
	uint64_t const before = clock_at;
	run_once(NULL);
	assert_int_equal(profile_now(NULL), 0);
	assert_int_equal(clock_at, before);
}
