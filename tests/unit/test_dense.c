/* The LU decomposition on the CPU, and the residual that tells whether a decomposition is right. */
#include "tests.h"

#include "gpu/dense.h"

#include <math.h>
#include <string.h>

enum { N = 70 }; /* more than two blocks of lines */

struct matrices {
	struct arena arena;
	float a[N * N], factors[N * N];
	double exact[N * N];
	unsigned order[N];
};

/* Returns a number from -1 to 1, the same on every machine. */
static double number(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(*seed >> 40) / 8388608.0 - 1;
}

static void decompose(struct matrices *m, double diagonal, bool pivots)
{
	uint64_t seed = 5;
	for (size_t k = 0; k < N * N; k++)
		m->exact[k] = (double)(m->a[k] = (float)(number(&seed) + (k % (N + 1) ? 0 : diagonal)));
	assert_int_equal(dense_lu(m->exact, N, pivots ? m->order : NULL), N);
	for (size_t k = 0; k < N * N; k++)
		m->factors[k] = (float)m->exact[k];
}

static int set_up(void **state)
{
	struct matrices *m = *state = test_malloc(sizeof *m);
	arena_init(&m->arena, NULL);
	return 0;
}

static int tear_down(void **state)
{
	struct matrices *m = *state;
	arena_free(&m->arena);
	test_free(m);
	return 0;
}

TEST_BETWEEN(right_factors_have_a_small_residual, set_up, tear_down)
{
	struct matrices *m = *state;
	decompose(m, N, false);
	assert_true(dense_residual(&m->arena, m->a, m->factors, N, NULL) < 1);
}

TEST_BETWEEN(each_damaged_element_shows, set_up, tear_down)
{
	struct matrices *m = *state;
	decompose(m, N, false);
	for (size_t k = 0; k < N * N; k += 37) {
		float const was = m->factors[k];
		m->factors[k] = was + 1e-3f * (fabsf(was) + 1);
		assert_true(dense_residual(&m->arena, m->a, m->factors, N, NULL) > 1);
		m->factors[k] = was;
	}
}

TEST_BETWEEN(no_number_is_no_residual, set_up, tear_down)
{
	struct matrices *m = *state;
	decompose(m, N, false);
	m->factors[N * N - 1] = NAN;
	assert_true(isinf(dense_residual(&m->arena, m->a, m->factors, N, NULL)));
}

TEST_BETWEEN(pivots_are_the_greatest_of_their_columns, set_up, tear_down)
{
	struct matrices *m = *state;
	float ordered[N * N];
	bool moved = false;
	decompose(m, 0, true);
	for (size_t j = 0; j < N; j++) {
		memcpy(ordered + j * N, m->a + (size_t)m->order[j] * N, N * sizeof *ordered);
		moved |= m->order[j] != j;
		for (size_t k = 0; k < j; k++)
			assert_true(fabs(m->exact[j * N + k]) <= 1);
	}
	assert_true(moved);
	assert_true(dense_residual(&m->arena, ordered, m->factors, N, NULL) < 1);
	assert_true(dense_residual(&m->arena, m->a, m->factors, N, NULL) > 1);
}

TEST_BETWEEN(single_precision_comes_near_to_double, set_up, tear_down)
{
	struct matrices *m = *state;
	for (unsigned pivots = 0; pivots < 2; pivots++) {
		float single[N * N];
		unsigned order[N];
		decompose(m, pivots ? 0 : N, pivots);
		memcpy(single, m->a, sizeof single);
		dense_lu_single(single, N, pivots ? order : NULL);
		for (size_t k = 0; k < N && pivots; k++)
			assert_int_equal(order[k], m->order[k]);
		for (size_t k = 0; k < N * N; k++)
			assert_true(fabs((double)single[k] - m->exact[k]) < 1e-4);
	}
}

TEST(a_matrix_without_a_pivot_says_where)
{
	double zero_first[] = {0, 1, 1, 0}, again[] = {0, 1, 1, 0}, singular[] = {1, 2, 3, 2, 4, 6, 1, 0, 1};
	unsigned order[3];
	assert_int_equal(dense_lu(zero_first, 2, NULL), 0);
	assert_int_equal(dense_lu(again, 2, order), 2);
	assert_int_equal(dense_lu(singular, 3, order), 2);
}

TEST_BETWEEN(errors_come_element_by_element, set_up, tear_down)
{
	struct matrices *m = *state;
	float a[] = {2, 1, 4, 5}, factors[] = {2, 1, 2, 3}, each[4];
	assert_true(dense_residual(&m->arena, a, factors, 2, each) == 0);
	a[3] = 6;
	dense_residual(&m->arena, a, factors, 2, each);
	assert_true(each[0] == 0 && each[1] == 0 && each[2] == 0 && each[3] == 1);
}
