/* Arena memory, see arena.h. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 64 * 1024 };

struct arena_block {
	struct arena_block *older;
	size_t size; /* bytes of `data` */
	alignas(max_align_t) char data[];
};

void arena_init(struct arena *a, jmp_buf *on_failure)
{
	*a = (struct arena){.on_failure = on_failure};
}

static struct arena_space space_of(const struct arena *a)
{
	return (struct arena_space){a->blocks, a->next, a->end};
}

static void use_space(struct arena *a, struct arena_space s)
{
	a->blocks = s.blocks;
	a->next = s.next;
	a->end = s.end;
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *older = block->older;
		free(block);
		block = older;
	}
}

void arena_free(struct arena *a)
{
	free_blocks(a->blocks);
	free_blocks(a->under.blocks);
	free_blocks(a->aside.blocks);
	arena_init(a, a->on_failure);
}

void arena_begin_scratch(struct arena *a)
{
	a->under = space_of(a);
	use_space(a, (struct arena_space){0});
}

void arena_end_scratch(struct arena *a)
{
	a->aside = space_of(a);
	use_space(a, a->under);
	a->under = (struct arena_space){0};
}

void arena_drop_scratch(struct arena *a)
{
	for (const struct arena_block *b = a->aside.blocks; b; b = b->older)
		a->total -= b->size;
	free_blocks(a->aside.blocks);
	a->aside = (struct arena_space){0};
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){a->blocks, a->next};
}

void arena_release(struct arena *a, struct arena_mark mark)
{
	while (a->blocks && a->blocks != mark.block) {
		struct arena_block *older = a->blocks->older;
		a->total -= a->blocks->size;
		free(a->blocks);
		a->blocks = older;
	}
	a->next = mark.next;
	a->end = a->blocks ? a->blocks->data + a->blocks->size : mark.next;
}

void arena_reset(struct arena *a)
{
	free_blocks(a->under.blocks);
	free_blocks(a->aside.blocks);
	a->under = a->aside = (struct arena_space){0};
	a->total = 0;
	if (!a->blocks)
		return;
	free_blocks(a->blocks->older);
	a->blocks->older = NULL;
	a->next = a->blocks->data;
	a->end = a->blocks->data + a->blocks->size;
	a->total = a->blocks->size;
}

void arena_fail(struct arena *a)
{
	if (!a->on_failure)
		abort();
	longjmp(*a->on_failure, 1);
}

static void add_arena_block(struct arena *a, size_t need)
{
	size_t size = a->blocks ? a->blocks->size * 2 : FIRST_BLOCK;
	if (size > (size_t)16 << 20)
		size = (size_t)16 << 20;
	if (size < need)
		size = need;
	if (size > SIZE_MAX - sizeof(struct arena_block) || (a->limit && a->total + size > a->limit))
		arena_fail(a);
	struct arena_block *block = malloc(sizeof *block + size);
	if (!block)
		arena_fail(a);
	block->older = a->blocks;
	block->size = size;
	a->blocks = block;
	a->next = block->data;
	a->end = block->data + size;
	a->total += size;
}

void *arena_alloc(struct arena *a, size_t size)
{
	size_t const align = alignof(max_align_t);
	if (++a->asked == a->refuse || size > SIZE_MAX - align)
		arena_fail(a);
	size = (size + align - 1) / align * align;
	if ((size_t)(a->end - a->next) < size)
		add_arena_block(a, size);
	void *p = a->next;
	a->next += size;
	return p;
}

void *arena_zero(struct arena *a, size_t size)
{
	return memset(arena_alloc(a, size), 0, size);
}

char *arena_copy(struct arena *a, const void *text, size_t size)
{
	char *copy = arena_alloc(a, size + 1);
	if (size)
		memcpy(copy, text, size);
	copy[size] = '\0';
	return copy;
}

char *arena_vprintf(struct arena *a, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	char *s = arena_alloc(a, n < 0 ? 1 : (size_t)n + 1); /* n < 0: longer than INT_MAX; the result is then empty */
	s[0] = '\0';
	vsnprintf(s, n < 0 ? 0 : (size_t)n + 1, format, args);
	return s;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *s = arena_vprintf(a, format, args);
	va_end(args);
	return s;
}

void *vec_grow(struct arena *a, void *at, uint32_t *cap, size_t element)
{
	uint32_t const old = *cap, more = old ? old * 2 : 8;
	if (more < old)
		arena_fail(a); /* the new capacity overflows 32 bits */
	void *grown = arena_alloc(a, more * element);
	if (old)
		memcpy(grown, at, old * element);
	*cap = more;
	return grown;
}

void text_grow(struct text *t, size_t more)
{
	size_t cap = t->cap ? t->cap * 2 : 1024;
	while (cap - t->n <= more)
		cap *= 2;
	char *at = arena_alloc(t->arena, cap);
	if (t->n)
		memcpy(at, t->at, t->n);
	t->at = at;
	t->cap = cap;
}

static void text_room(struct text *t, size_t more)
{
	if (t->cap - t->n <= more)
		text_grow(t, more);
}

void text_bytes(struct text *t, const char *bytes, size_t n)
{
	text_room(t, n);
	if (n)
		memcpy(t->at + t->n, bytes, n);
	t->n += n;
	t->at[t->n] = '\0';
}

void text_unsigned(struct text *t, unsigned long value)
{
	char digits[24];
	char *p = digits + sizeof digits;
	do
		*--p = (char)('0' + value % 10);
	while (value /= 10);
	text_bytes(t, p, (size_t)(digits + sizeof digits - p));
}

void text_printf(struct text *t, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n >= 0) {
		text_room(t, (size_t)n);
		vsnprintf(t->at + t->n, (size_t)n + 1, format, args);
		t->n += (size_t)n;
	}
	va_end(args);
}
