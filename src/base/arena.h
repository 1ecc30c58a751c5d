/* Arena memory, growable vectors and text buffers.
 *
 * One arena serves one pair of programs and is freed as a whole; passes allocate
 * and never free.  An arena that cannot allocate jumps to `on_failure`, which
 * the entry point of the library sets, so no pass checks for NULL.  Apart from the
 * writer of JSON and a few functions of src/system/, no other code of the tool calls malloc. */
#ifndef FPMOVE_BASE_ARENA_H
#define FPMOVE_BASE_ARENA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__MINGW32__) /* "printf" would mean the conversions of Windows' C library there, not those of standard C */
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
	} under,               /* between arena_begin_scratch() and arena_end_scratch(): the memory allocated before them */
	  aside;               /* between arena_end_scratch() and arena_drop_scratch(): the scratch memory */
	size_t total;          /* bytes in all blocks that are allocated now */
	size_t limit;          /* `total` may not grow beyond this; 0 if there is no limit */
	unsigned long asked;   /* number of allocations so far */
	unsigned long refuse;  /* test hook: the number, from 1, of the allocation that fails; 0 if none does */
	jmp_buf *on_failure;   /* target of the longjmp() when memory runs out; NULL if abort() is to be called instead */
};

void arena_init(struct arena *, jmp_buf *on_failure);
/* Reports that memory has run out: jumps to `on_failure`, or aborts if that is NULL.  Callers whose malloc() failed may call it, too. */
_Noreturn void arena_fail(struct arena *);
void arena_free(struct arena *);
/* A state of the arena: arena_release() frees all memory that was allocated after the call of arena_mark() that returned it. */
struct arena_mark {
	struct arena_block *block;
	char *next;
};
struct arena_mark arena_mark(const struct arena *);
void arena_release(struct arena *, struct arena_mark);
/* Between arena_begin_scratch() and arena_end_scratch() all memory comes from a scratch area.  After the end, allocations use the main
 * area again while the scratch area stays readable, so that results can be copied out; arena_drop_scratch() frees it.  Scratch areas do not nest. */
void arena_begin_scratch(struct arena *);
void arena_end_scratch(struct arena *);
void arena_drop_scratch(struct arena *);
/* Empties the arena: keeps the newest block for new allocations and frees the others. */
void arena_reset(struct arena *);

/* Allocates `size` bytes, aligned for any type; never returns NULL.  arena_zero() sets them to 0. */
void *arena_alloc(struct arena *, size_t size);
void *arena_zero(struct arena *, size_t size);
/* Returns a copy of `size` bytes with a NUL behind them. */
char *arena_copy(struct arena *, const void *text, size_t size);
char *arena_printf(struct arena *, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *, const char *format, va_list) PRINTF_LIKE(2, 0);

/* A vector: `struct vec_x { VEC(struct x); };` or inline in a struct.
 * `at` holds n elements and has room for `cap`; growing moves it, so pointers into it become invalid. */
#define VEC(type)     \
	type *at;     \
	uint32_t n, cap

/* Returns a copy of the array `at`, which has *cap elements, with room for more; updates *cap. */
void *vec_grow(struct arena *, void *at, uint32_t *cap, size_t element);

/* Appends a zeroed element to the n elements of `at`; returns the array, which moves if it is full. */
static inline void *vec_push(struct arena *a, void *at, uint32_t n, uint32_t *cap, size_t element)
{
	char *grown = n == *cap ? vec_grow(a, at, cap, element) : at;
	memset(grown + (size_t)n * element, 0, element);
	return grown;
}

/* Appends one zeroed element to vector *v; the value of the expression is that element. */
#define VEC_PUSH(arena, v)                                                                                          \
	(*((v)->at = vec_push((arena), (v)->at, (v)->n, &(v)->cap, sizeof *(v)->at), (v)->n++, &(v)->at[(v)->n - 1u]))

/* A growable text of n bytes; `at` is NULL at first, and NUL terminated after the first write. */
struct text {
	struct arena *arena;
	char *at;
	size_t n, cap;
};

void text_bytes(struct text *, const char *bytes, size_t n);
/* Moves the text to a larger buffer, with room for `more` further bytes and a NUL. */
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
