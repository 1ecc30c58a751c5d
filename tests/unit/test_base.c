/* Arena, vectors, text, and places in sources. */
#include "texts.h"

#include <stdlib.h>

TEXT_TEST(allocations_are_aligned_and_apart)
{
	struct texts *t = *state;
	unsigned char *before = NULL;
	for (size_t size = 1; size < 300000; size = size * 3 / 2 + 1) {
		unsigned char *p = arena_alloc(&t->arena, size);
		assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
		memset(p, 0xa5, size);
		if (before)
			assert_int_equal(*before, 0xa5);
		before = p;
	}
	char *zero = arena_zero(&t->arena, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(zero[i], 0);
	assert_string_equal(arena_copy(&t->arena, "abcdef", 3), "abc");
	assert_string_equal(arena_copy(&t->arena, NULL, 0), "");
	assert_string_equal(arena_printf(&t->arena, "%d-%s", 7, "x"), "7-x");
}

TEXT_TEST(reset_keeps_one_block)
{
	struct texts *t = *state;
	arena_reset(&t->arena); /* nothing there yet */
	arena_alloc(&t->arena, 100);
	arena_alloc(&t->arena, 1 << 20);
	size_t total = t->arena.total;
	arena_reset(&t->arena);
	assert_true(t->arena.total < total);
	const struct arena_block *kept = t->arena.blocks;
	for (int i = 0; i < 100; i++) {
		arena_reset(&t->arena);
		arena_alloc(&t->arena, 1 << 20);
	}
	assert_ptr_equal(t->arena.blocks, kept);
}

/* Allocates until it fails, and returns how many allocations succeeded. */
static unsigned long allocate_until_failure(struct arena *a, size_t size)
{
	jmp_buf failed;
	volatile unsigned long n = 0;
	a->on_failure = &failed;
	if (setjmp(failed) == 0)
		for (; n < 100000; n++)
			arena_alloc(a, size);
	a->on_failure = NULL;
	return n;
}

TEXT_TEST(failure_jumps)
{
	struct texts *t = *state;
	t->arena.refuse = 4;
	unsigned long n = allocate_until_failure(&t->arena, 1 << 20);
	assert_int_equal(n, 3);
	assert_int_equal(t->arena.asked, 4);
	arena_free(&t->arena);
	t->arena.limit = 1 << 20;
	n = allocate_until_failure(&t->arena, 1000);
	assert_true(n > 100 && n <= 1048);
	assert_true(t->arena.total <= 1 << 20);
	t->arena.limit = 0;
	assert_int_equal(allocate_until_failure(&t->arena, SIZE_MAX), 0);
}

/* Checks that the jump is taken wherever memory runs out while a text is read and printed. */
TEXT_TEST(reading_survives_failure)
{
	struct texts *t = *state;
	struct text text = {.arena = &t->arena};
	text_string(&text, "vs_1_1 ; head\n");
	for (int i = 0; i < 100; i++)
		text_string(&text, "mov r0, c[a0.x + 1] // comment\nfoo\n");
	struct source source = {.name = "x", .text = text.at, .size = text.n};
	for (unsigned long refuse = 1;; refuse++) {
		struct arena arena;
		jmp_buf failed;
		arena_init(&arena, &failed);
		arena.refuse = refuse;
		if (setjmp(failed) == 0) {
			struct diags diags;
			diag_init(&diags, &arena);
			struct program_list list = parse_programs(&arena, &source, &diags);
			struct text out = {.arena = &arena};
			print_program(&out, list.at[0]);
			arena_free(&arena);
			assert_true(refuse > 3);
			break;
		}
		arena_free(&arena);
	}
}

TEXT_TEST(vectors_grow)
{
	struct texts *t = *state;
	struct two { int a, b; };
	struct { VEC(struct two); } v = {0};
	for (int i = 0; i < 10000; i++) {
		VEC_PUSH(&t->arena, &v).a = i;
		assert_int_equal(v.at[v.n - 1].b, 0);
		v.at[v.n - 1].b = -1;
	}
	assert_int_equal(v.n, 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(v.at[i].a, i);
	v.n = 5;
	assert_int_equal(VEC_PUSH(&t->arena, &v).b, 0); /* cleared again */
}

TEXT_TEST(texts_grow)
{
	struct texts *t = *state;
	struct text out = {.arena = &t->arena};
	text_bytes(&out, "a\0b", 3);
	assert_int_equal(out.n, 3);
	assert_int_equal(out.at[3], '\0');
	text_unsigned(&out, 0);
	text_unsigned(&out, 18446744073709551615u);
	assert_string_equal(out.at + 3, "018446744073709551615");
	out.n = 0;
	for (int i = 0; i < 10000; i++)
		text_printf(&out, "%04d", i % 10000);
	assert_int_equal(out.n, 40000);
	assert_memory_equal(out.at + 4 * 9999, "9999", 5);
}

static struct place place(const char *text, size_t at)
{
	static struct source s;
	s = (struct source){.name = "f", .text = text, .size = strlen(text)};
	return source_place(&s, (srcpos)at);
}

TEST(places)
{
	const char *const text = "first\nsecond line\r\n\nlast";
	struct place p = place(text, 0);
	assert_int_equal(p.line, 1);
	assert_int_equal(p.column, 1);
	assert_int_equal(p.length, 5);
	p = place(text, 5); /* the line end belongs to its line */
	assert_int_equal(p.line, 1);
	assert_int_equal(p.column, 6);
	p = place(text, 13);
	assert_int_equal(p.line, 2);
	assert_int_equal(p.column, 8);
	assert_int_equal(p.length, 11);
	assert_ptr_equal(p.text, text + 6);
	p = place(text, 19);
	assert_int_equal(p.line, 3);
	assert_int_equal(p.length, 0);
	p = place(text, strlen(text));
	assert_int_equal(p.line, 4);
	assert_int_equal(p.column, 5);
	p = place(text, 1000); /* beyond the end: the end */
	assert_int_equal(p.line, 4);
	p = place("", 0);
	assert_int_equal(p.line, 1);
	assert_int_equal(p.column, 1);
	assert_int_equal(p.length, 0);

	char many[1001];
	for (size_t i = 0; i < 1000; i++)
		many[i] = i % 7 == 3 || i % 11 == 0 ? '\n' : (char)(i * 37 % 256 == '\n' || i * 37 % 256 == 0 ? 'x' : i * 37);
	many[1000] = '\0';
	uint32_t line = 1;
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(place(many, i).line, line);
		line += many[i] == '\n';
	}
}

TEST(marks_move_places)
{
	static const struct line_mark marks[] = {{4, 10, "a.inc", NULL}, {8, 20, "a.inc", NULL}, {14, 3, "f", NULL}};
	const struct source s = {.name = "f", .text = "one\ntwo\nthr\nfo\nfive\nsix", .size = 23, .marks = marks, .nmarks = 3};
	static const struct { srcpos at; uint32_t line, column; const char *file; } table[] = {
		{0, 1, 1, "f"}, {3, 1, 4, "f"}, {4, 10, 1, "a.inc"}, {7, 10, 4, "a.inc"}, {8, 20, 1, "a.inc"},
		{12, 21, 1, "a.inc"}, {14, 3, 3, "f"}, {15, 4, 1, "f"}, {21, 5, 2, "f"},
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct place p = source_place(&s, table[i].at);
		assert_int_equal(p.line, table[i].line);
		assert_int_equal(p.column, table[i].column);
		assert_string_equal(p.file, table[i].file);
		assert_int_equal(source_line(&s, table[i].at), table[i].line);
	}
	struct source part = {.name = "f.fx", .text = "a\nb", .size = 3, .first_line = 41};
	assert_int_equal(source_line(&part, 0), 41);
	assert_int_equal(source_line(&part, 2), 42);
}

TEXT_TEST(diagnostics_are_counted)
{
	struct texts *t = *state;
	struct diags d;
	diag_init(&d, &t->arena);
	for (int i = 0; i < 1000; i++)
		diag_add(&d, DIAG_WARNING, "w", NULL, SRCPOS_NONE, "warning %d", i);
	for (int i = 0; i < 2; i++)
		diag_add(&d, DIAG_ERROR, NULL, NULL, SRCPOS_NONE, "error %d", i);
	diag_add(&d, DIAG_NOTE, NULL, NULL, SRCPOS_NONE, "note");
	assert_int_equal(d.warnings, 1000);
	assert_int_equal(d.errors, 2);
	/* Many warnings do not hide an error. */
	assert_int_equal(d.n, DIAGS_KEPT + 3);
	assert_string_equal(d.at[DIAGS_KEPT - 1].text, "warning 99");
	assert_string_equal(d.at[DIAGS_KEPT + 1].text, "error 1");
	assert_int_equal(d.at[DIAGS_KEPT + 2].severity, DIAG_NOTE);
}
