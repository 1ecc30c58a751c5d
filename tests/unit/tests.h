/* Tests that register themselves: TEST(name) { ... } defines one, ARENA_TEST(name) one whose *state is an arena.  A program of tests is one
 * file, whose main() is here. */
#ifndef FPMOVE_TESTS_UNIT_TESTS_H
#define FPMOVE_TESTS_UNIT_TESTS_H

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"

enum { MOST_TESTS = 400 };
static struct CMUnitTest tests_of_file[MOST_TESTS];
static unsigned number_of_tests;

static inline void add_test(struct CMUnitTest test)
{
	assert(number_of_tests < MOST_TESTS);
	tests_of_file[number_of_tests++] = test;
}

/* Defines a test that runs between set_up and tear_down, which may be NULL. */
#define TEST_BETWEEN(name, set_up, tear_down)                                                              \
	static void name(void **);                                                                         \
	__attribute__((constructor)) static void add_##name(void)                                          \
	{                                                                                                  \
		add_test((struct CMUnitTest)cmocka_unit_test_setup_teardown(name, set_up, tear_down));     \
	}                                                                                                  \
	static void name(__attribute__((unused)) void **state)
#define TEST(name) TEST_BETWEEN(name, NULL, NULL)
#define ARENA_TEST(name) TEST_BETWEEN(name, arena_setup, arena_teardown)

static inline int arena_setup(void **state)
{
	static struct arena arena;
	arena_init(&arena, NULL);
	*state = &arena;
	return 0;
}

static inline int arena_teardown(void **state)
{
	arena_free(*state);
	return 0;
}

int main(void)
{
	return cmocka_run_group_tests_name("tests", tests_of_file, NULL, NULL);
}

#endif
