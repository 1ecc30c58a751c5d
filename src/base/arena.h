/* Arena memory, growable vectors and text buffers.
 *
 * One arena serves one pair of programs and is freed whole; passes allocate
 * and never free.  An arena that cannot allocate jumps to `on_failure`, which
 * the entry point of the library sets, so no pass checks for NULL.  Nothing else
 * calls malloc, but for what makes JSON. */
#ifndef FPMOVE_BASE_ARENA_H
#define FPMOVE_BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__MINGW32__) /* where C's own words are not Windows' */
#define PRINTF_LIKE(string, first) __attribute__((format(gnu_printf, string, first)))
#elif defined(__GNUC__)
#define PRINTF_LIKE(string, first) __attribute__((format(printf, string, first)))
#else
#define PRINTF_LIKE(string, first)
#endif

struct arena_block;

struct arena {
	struct arena_block *blocks;
	char *next, *end;      /* free space of the newest block */
	struct arena_space {
		struct arena_block *blocks;
		char *next, *end;
	} under, aside;        /* of arena_begin_scratch(): memory from before it, and memory since it, until that is dropped */
	size_t total;          /* bytes taken from malloc so far */
	size_t limit;          /* refuse to grow `total` past this; 0: no limit */
	unsigned long asked;   /* how often memory was asked for so far */
	unsigned long refuse;  /* test hook: the time of this number, from 1, there is none; 0: never */
	jmp_buf *on_failure;   /* where to go when memory runs out; NULL: abort() */
};

void arena_init(struct arena *, jmp_buf *on_failure);
/* Goes where it goes when memory runs out, for what is allocated elsewhere. */
_Noreturn void arena_fail(struct arena *);
void arena_free(struct arena *);
/* A point to go back to: what is allocated after arena_mark is freed by arena_release, or kept. */
struct arena_mark {
	struct arena_block *block;
	char *next;
};
struct arena_mark arena_mark(const struct arena *);
void arena_release(struct arena *, struct arena_mark);
/* Work that is thrown away: what is allocated after arena_begin_scratch() stays readable after arena_end_scratch(), when allocations
 * come from the memory of before again, so that results can be copied to there; arena_drop_scratch() frees it.  One at a time. */
void arena_begin_scratch(struct arena *);
void arena_end_scratch(struct arena *);
void arena_drop_scratch(struct arena *);
/* Keep the newest block, forget everything in it, free the others. */
void arena_reset(struct arena *);

/* Never NULL, aligned for any type; arena_zero clears it. */
void *arena_alloc(struct arena *, size_t size);
void *arena_zero(struct arena *, size_t size);
/* Copies `size` bytes and adds a NUL. */
char *arena_copy(struct arena *, const void *text, size_t size);
char *arena_printf(struct arena *, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *, const char *format, va_list) PRINTF_LIKE(2, 0);

/* A vector: `struct vec_x { VEC(struct x); };` or inline in a struct.
 * `at` holds n elements with room for cap; it moves when it grows. */
#define VEC(type)     \
	type *at;     \
	uint32_t n, cap

/* Makes room for another element. */
void *vec_grow(struct arena *, void *at, uint32_t *cap, size_t element);

/* Returns `at`, perhaps in a new place, with n elements and a zeroed one behind them. */
static inline void *vec_push(struct arena *a, void *at, uint32_t n, uint32_t *cap, size_t element)
{
	char *grown = n == *cap ? vec_grow(a, at, cap, element) : at;
	memset(grown + (size_t)n * element, 0, element);
	return grown;
}

/* Append one zeroed element; the value is a pointer to it. */
#define VEC_PUSH(arena, v)                                                                                          \
	(*((v)->at = vec_push((arena), (v)->at, (v)->n, &(v)->cap, sizeof *(v)->at), (v)->n++, &(v)->at[(v)->n - 1u]))

/* Growing text, always NUL terminated once written to. */
struct text {
	struct arena *arena;
	char *at;
	size_t n, cap;
};

void text_bytes(struct text *, const char *bytes, size_t n);
/* Makes room for `more` bytes and a NUL. */
void text_grow(struct text *, size_t more);
static inline void text_char(struct text *t, char c)
{
	if (t->cap - t->n < 2)
		text_grow(t, 1);
	t->at[t->n++] = c;
	t->at[t->n] = '\0';
}
static inline void text_string(struct text *t, const char *string)
{
	size_t n = strlen(string);
	if (t->cap - t->n <= n)
		text_grow(t, n);
	memcpy(t->at + t->n, string, n + 1);
	t->n += n;
}
void text_unsigned(struct text *, unsigned long value);
void text_printf(struct text *, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
