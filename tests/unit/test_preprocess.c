/* The preprocessor: its output, places of diagnostics, files read, and its limits. */
#include "texts.h"

#include "lang/preprocess.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct bench {
	struct texts t;
	struct source in, out;
	char folder[32]; /* holds files to include; removed at the end */
};

static int set_up(void **state)
{
	static struct bench b;
	memset(&b, 0, sizeof b);
	arena_init(&b.t.arena, NULL);
	strcpy(b.folder, "/tmp/fpmove-test-XXXXXX");
	*state = &b;
	return mkdtemp(b.folder) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;
	if (system(arena_printf(&b->t.arena, "rm -r %s", b->folder)) != 0)
		return -1;
	arena_free(&b->t.arena);
	return 0;
}

static void put_file(struct bench *b, const char *name, const char *text)
{
	FILE *f = fopen(arena_printf(&b->t.arena, "%s/%s", b->folder, name), "wb");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static bool run(struct bench *b, const char *text, const struct preprocess_options *options)
{
	struct arena *a = &b->t.arena;
	b->in = (struct source){.name = arena_printf(a, "%s/in.vsh", b->folder), .text = arena_copy(a, text, strlen(text)),
	                        .size = strlen(text)};
	diag_init(&b->t.diags, a);
	return preprocess(a, &b->in, options, &b->out, &b->t.diags);
}

/* Returns the program of the expanded text, printed. */
static const char *expand(struct bench *b, const char *text)
{
	bool good = run(b, text, NULL);
	assert_string_equal(said(&b->t), "");
	assert_true(good);
	struct program_list list = parse_programs(&b->t.arena, &b->out, &b->t.diags);
	assert_string_equal(said(&b->t), "");
	assert_int_equal(list.n, 1);
	return printed(&b->t, list.at[0]);
}

/* Returns all diagnostics of a text, as FILE:LINE:COLUMN: TEXT and the source line with a mark. */
static const char *complaints(struct bench *b, const char *text)
{
	struct text out = {.arena = &b->t.arena};
	if (run(b, text, NULL))
		parse_programs(&b->t.arena, &b->out, &b->t.diags);
	text_string(&out, "");
	for (uint32_t i = 0; i < b->t.diags.n; i++) {
		const struct diag *d = &b->t.diags.at[i];
		if (d->at == SRCPOS_NONE) {
			text_printf(&out, "-: %s\n", d->text);
			continue;
		}
		struct place p = source_place(d->source, d->at);
		const char *name = strncmp(p.file, b->folder, strlen(b->folder)) == 0 ? p.file + strlen(b->folder) + 1 : p.file;
		assert_true(p.column - 1 <= p.length);
		text_printf(&out, "%s:%u: %s: %.*s<>%.*s\n", name, p.line, d->text, (int)(p.column - 1), p.text,
		            (int)(p.length - (p.column - 1)), p.text + (p.column - 1));
	}
	return out.at;
}

TEST_BETWEEN(plain_text_is_not_wanted, set_up, tear_down)
{
	struct bench *b = *state;
	static const struct { const char *text; bool wanted; } table[] = {
		{"", false}, {"vs_1_1\nmov r0, v0 ; # no\n", false}, {"// #define\n", false}, {"vs_1_1 #", false},
		{"#define A", true}, {"vs_1_1\n  \t#if 1", true}, {"\xef\xbb\xbf#if 1", true}, {"vs_1_1\r\n#if 1", true},
	};
	struct preprocess_options none = {0}, some = {.defines = (const char *const[]){"A"}, .ndefines = 1};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct source s = {.name = "x", .text = table[i].text, .size = strlen(table[i].text)};
		assert_int_equal(preprocess_wanted(&s, NULL), table[i].wanted);
		assert_int_equal(preprocess_wanted(&s, &none), table[i].wanted);
		assert_true(preprocess_wanted(&s, &some));
	}
	(void)b;
}

TEST_BETWEEN(macros_and_conditions, set_up, tear_down)
{
	struct bench *b = *state;
	assert_string_equal(expand(b, "#define POS v0\n#define S .xyz\n#define N 3\n#define M(d, s) mov d, s\n"
	                              "#define TWO mov r3, v0 mov r4, v0\n#define CAT(a) r##a\n"
	                              "vs_1_1\nmov oPos, POS\nmov r0 S, POS S\nmov r1, c[N+1]\nM(r2, -POS.x)\nTWO\n"
	                              "M(r5,\n  v0)\nmov CAT(6), POS\n"),
	                    "vs_1_1\nmov oPos, v0\nmov r0.xyz, v0.xyz\nmov r1, c4\nmov r2, -v0.x\nmov r3, v0\nmov r4, v0\n"
	                    "mov r5, v0\nmov r6, v0\n");
	assert_string_equal(expand(b, "vs_1_1\n#define A 2\n#if A > 1 && defined(A)\nmov r0, v0\n#else\nmov r1, don't\n#endif\n"
	                              "#ifdef B\nnonsense \" \n#elif A == 2\nmov r2, v0\n#endif\n#undef A\n#ifndef A\nmov r3, v0\n#endif"),
	                    "vs_1_1\nmov r0, v0\nmov r2, v0\nmov r3, v0\n");
	assert_string_equal(expand(b, "vs_1_1\n#define LONG mov \\\n  r0, \\\n  v0\nLONG\nmov r1, \\\n  v0\n#pragma foo\n#line 7\n"
	                              "mov r2, v0\r\n#if 1\r\nmov r3, v0\r\n#endif\r\n"),
	                    "vs_1_1\nmov r0, v0\nmov r1, v0\nmov r2, v0\nmov r3, v0\n");
	assert_string_equal(expand(b, "#define M(op, ...) op __VA_ARGS__\n#define NONE()\nvs_1_1\nM(mad, r0, v0, v0, r1)\nM(nop,)\nNONE()\n"),
	                    "vs_1_1\nmad r0, v0, v0, r1\nnop\n");
	/* No macro of the system is predefined. */
	assert_string_equal(expand(b, "#ifdef unix\n#error unix\n#endif\n#ifdef linux\n#error linux\n#endif\nvs_1_1\n"), "vs_1_1\n");
}

TEST_BETWEEN(defines_of_the_command_line, set_up, tear_down)
{
	struct bench *b = *state;
	const char *const defines[] = {"A=v3", "B", "M(x)=mov r1, x"};
	struct preprocess_options options = {.defines = defines, .ndefines = 3};
	assert_true(run(b, "vs_1_1\nmov r0, A\n#if B == 1\nM(v4)\n#endif\n", &options));
	struct program_list list = parse_programs(&b->t.arena, &b->out, &b->t.diags);
	assert_string_equal(said(&b->t), "");
	assert_string_equal(printed(&b->t, list.at[0]), "vs_1_1\nmov r0, v3\nmov r1, v4\n");
	/* More options than mcpp itself takes (256). */
	enum { MANY = 1000 };
	const char *many[MANY];
	for (unsigned i = 0; i < MANY; i++)
		many[i] = arena_printf(&b->t.arena, "M%u", i);
	options = (struct preprocess_options){.defines = many, .ndefines = MANY};
	assert_true(run(b, "vs_1_1\n#if M999 == 1\nmov r0, v0\n#endif\n", &options));
	assert_non_null(strstr(b->out.text, "mov r0, v0"));
	/* mcpp's messages about macros of -D have a line and a column. */
	options = (struct preprocess_options){.defines = (const char *const[]){"A=it's /* \"", "B=\\", "M(x, x)=2"}, .ndefines = 3};
	assert_false(run(b, "vs_1_1\n", &options));
	assert_string_equal(said(&b->t), "1:1: Duplicate parameter name \"x\"\n");
	static const char *const wrong[] = {"1=2", "", "=", "A B", "-x", "A(b", "A=1\n#error"};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(preprocess_is_define(wrong[i]));
	for (size_t i = 0; i < sizeof defines / sizeof *defines; i++)
		assert_true(preprocess_is_define(defines[i]));
}

TEST_BETWEEN(comments_come_through, set_up, tear_down)
{
	struct bench *b = *state;
	const char *const text = "; don't \"quote /* this\n"
				 "// nor ' this\n"
				 "vs_1_1 /* A\n"
				 "   of several\n"
				 "   lines: it's */\n"
				 "; A and caf\xe9\n"
				 "mov r0, v0 ; A it's\n"
				 "\n"
				 "mov r1, v0 // \"A\n";
	const char *with = arena_printf(&b->t.arena, "#define A v0 ; a \" comment\n%s", text);
	assert_string_equal(expand(b, with), "// don't \"quote /* this\n// nor ' this\nvs_1_1 /* A\n   of several\n   lines: it's */\n"
	                                     "; A and caf\xe9\nmov r0, v0 ; A it's\n\nmov r1, v0 // \"A\n");
	/* Comments of skipped branches and of directives go; a comment inside a macro call stays inside. */
	assert_string_equal(expand(b, "#define M(a, b) mov a, b // gone\nvs_1_1\n#if 0 // gone\n; gone\n#endif /* gone\n gone */\n"
	                              "M(r0, ; it's\n  v0) ; end\nmov r1, v0\n"),
	                    "vs_1_1\nmov r0, v0 /* it's*/\n; end\nmov r1, v0\n");
	/* To C, a comment before a directive is a blank. */
	assert_string_equal(expand(b, "/* it's */ #define A v0\nvs_1_1\n/* a\n b *//* c */ # if 1 /* d */\nmov r0, A\n#else\nmov r0, v1\n/**/#endif\n"),
	                    "vs_1_1\nmov r0, v0\n");
	assert_string_equal(expand(b, "vs_1_1\n/* a */ mov r0, v0 /* b */ ; #if 0\n"), "vs_1_1\n/* a */\nmov r0, v0 /* b */ ; #if 0\n");
	/* A comment's backslash joins the next line to it, as without a preprocessor. */
	assert_string_equal(expand(b, "#if 1\nvs_1_1\n; a \\\nmov r0, v0\nmov r1, v0\n#endif\n"), "vs_1_1\n; a \\\nmov r0, v0\nmov r1, v0\n");
	/* A word that fpmove uses internally stays as it is in a user's text. */
	assert_string_equal(complaints(b, "#if 1\nvs_1_1\nmov r0, fpmove_stand_in_7_\n#endif\n"),
	                    "in.vsh:3: unknown register 'fpmove_stand_in_7_': mov r0, <>fpmove_stand_in_7_\n");
}

TEST_BETWEEN(places_are_those_of_the_file, set_up, tear_down)
{
	struct bench *b = *state;
	assert_string_equal(complaints(b, "#define LONGER v0\n#define S .xyz\nvs_1_1\n  mov r0, q1\n\n\n\n\n\n\n\n\n\n\n\n"
	                                  "mov r1, q2 ; comment\nmov LONGER, LONGER, q3\nmov r2, LONGER S, LONGER.q\n/* a\nb */ foo LONGER\n"
	                                  "add r0, \\\n  LONGER\nmov r3, S\nbar\n"),
	                    "in.vsh:4: unknown register 'q1':   mov r0, <>q1\n"
	                    "in.vsh:16: unknown register 'q2': mov r1, <>q2 ; comment\n"
	                    "in.vsh:17: mov takes 2 operands (the destination first), not 3: <>mov LONGER, LONGER, q3\n"
	                    "in.vsh:17: unknown register 'q3': mov LONGER, LONGER, <>q3\n"
	                    "in.vsh:18: mov takes 2 operands (the destination first), not 3: <>mov r2, LONGER S, LONGER.q\n"
	                    "in.vsh:18: '.q' names no lanes: a write mask or swizzle has one to four letters of xyzw or rgba: "
	                    "mov r2, LONGER S, LONGER<>.q\n"
	                    "in.vsh:20: unknown opcode 'foo': b */ <>foo LONGER\n"
	                    "in.vsh:21: add takes 3 operands (the destination first), not 2: <>add r0, \\\n"
	                    "in.vsh:23: unexpected lanes, expecting register or '-': mov r3, <>S\n"
	                    "in.vsh:24: unknown opcode 'bar': <>bar\n");
}

TEST_BETWEEN(included_files, set_up, tear_down)
{
	struct bench *b = *state;
	assert_int_equal(mkdir(arena_printf(&b->t.arena, "%s/sub", b->folder), 0777), 0);
	put_file(b, "sub/a.inc", "#ifndef A_INC\n#define A_INC\n; it's a \" comment\n#include \"b.inc\"\n#define A r1 ; don't\nmov A, B\nmov A, q1\n#endif\n");
	put_file(b, "sub/b.inc", "#ifndef B_INC\n#define B_INC\n#include \"a.inc\"\n#define B v3\n#endif");
	put_file(b, "once.inc", "#pragma once\n#include \"once.inc\"\nmov r7, v0\n");
	put_file(b, "dead.inc", "mov r9, v0\n");
	assert_string_equal(complaints(b, "vs_1_1\n#include \"once.inc\"\n#include \"once.inc\" // twice\n#include \"sub/a.inc\"\nmov r2, q2\n"
	                                  "#if 0\n#include \"dead.inc\"\n#include \"none.inc\"\n#endif\nfoo\n"),
	                    "sub/a.inc:7: unknown register 'q1': mov A, <>q1\n"
	                    "in.vsh:5: unknown register 'q2': mov r2, <>q2\n"
	                    "in.vsh:10: unknown opcode 'foo': <>foo\n");
	assert_int_equal(b->out.nincludes, 3);
	assert_non_null(strstr(b->out.includes[0], "/once.inc"));
	assert_non_null(strstr(b->out.includes[1], "/sub/a.inc"));
	assert_non_null(strstr(b->out.includes[2], "/sub/b.inc"));

	assert_true(run(b, "vs_1_1\n#include \".\\sub\\b.inc\"\nmov r0, B\n", NULL));
	assert_int_equal(b->out.nincludes, 2);

	/* The file's own folder comes before those of -I. */
	const char *const folders[] = {arena_printf(&b->t.arena, "%s/none", b->folder), arena_printf(&b->t.arena, "%s/sub", b->folder)};
	struct preprocess_options options = {.includes = folders, .nincludes = 2};
	assert_true(run(b, "#include <b.inc>\nvs_1_1\nmov r0, B\n", &options));
	assert_int_equal(b->out.nincludes, 2);

	assert_string_equal(complaints(b, "vs_1_1\n#include \"none.inc\"\n#include \".\"\nfoo\n"),
	                    "in.vsh:2: cannot read the included file 'none.inc': <>#include \"none.inc\"\n"
	                    "in.vsh:3: cannot read the included file '.': <>#include \".\"\n");
	put_file(b, "loop.inc", "mov r0, v0\n#include \"loop.inc\"\n");
	assert_string_equal(complaints(b, "vs_1_1\n#include \"loop.inc\"\n"),
	                    "loop.inc:2: the file 'loop.inc' includes itself: <>#include \"loop.inc\"\n");
	assert_string_equal(complaints(b, "#define F \"loop.inc\"\nvs_1_1\n#include F\n"),
	                    "in.vsh:3: the name of an included file must be written out: <>#include F\n");
}

TEST_BETWEEN(long_files, set_up, tear_down)
{
	struct bench *b = *state;
	struct text text = {.arena = &b->t.arena};
	text_string(&text, "#define A v0\nvs_1_1\n");
	for (int i = 0; i < 100000; i++)
		text_string(&text, i % 1000 ? "mov r0, v0 ; it's\n" : "mov r0, A ; it's\n");
	text_string(&text, "foo\n");
	assert_string_equal(complaints(b, text.at), "in.vsh:100003: unknown opcode 'foo': <>foo\n");
}

TEST_BETWEEN(errors_of_directives, set_up, tear_down)
{
	struct bench *b = *state;
	assert_string_equal(complaints(b, "vs_1_1\n  #error it's \"me\"\n"), "in.vsh:2: #error it`s \"me\":   <>#error it's \"me\"\n");
	assert_string_equal(complaints(b, "vs_1_1\n\n# junk\n"), "in.vsh:3: Unknown #directive \"junk\": <># junk\n");
	assert_string_equal(complaints(b, "vs_1_1\n\n#if 1\nmov r0, v0\n"),
	                    "in.vsh:4: End of input within #if (#ifdef) section started at line 3: <>mov r0, v0\n");
	assert_string_equal(complaints(b, "vs_1_1\n#if 1 +\n#endif\n#else\n"),
	                    "in.vsh:2: Unterminated expression: <>#if 1 +\nin.vsh:4: Not in a #if (#ifdef) section: <>#else\n");
	assert_non_null(strstr(complaints(b, "#define M(a) a\nvs_1_1\n\nM(r0\n"), "started at line 4"));
	/* A text of bytes that is no C token. */
	assert_string_equal(complaints(b, "#if 1\nvs_1_1\nmov r0, \x01\x80 'a\" $\n#endif\n"),
	                    "in.vsh:3: the control character 0x01: this is not shader text: mov r0, <>\x01\x80 'a\" $\n"
	                    "in.vsh:3: bytes that are not ASCII stand outside a comment: mov r0, \x01<>\x80 'a\" $\n"
	                    "in.vsh:3: ''' means nothing here: mov r0, \x01\x80 <>'a\" $\n"
	                    "in.vsh:3: unknown register 'a': mov r0, \x01\x80 '<>a\" $\n"
	                    "in.vsh:3: '\"' means nothing here: mov r0, \x01\x80 'a<>\" $\n"
	                    "in.vsh:3: '$' means nothing here: mov r0, \x01\x80 'a\" <>$\n");
}

TEST_BETWEEN(what_it_costs_is_bounded, set_up, tear_down)
{
	struct bench *b = *state;
	struct text bomb = {.arena = &b->t.arena};
	text_string(&bomb, "#define A0 mov r0, v0 mov r0, v0 mov r0, v0\n");
	for (int i = 1; i <= 12; i++)
		text_printf(&bomb, "#define A%d A%d A%d\n", i, i - 1, i - 1);
	text_string(&bomb, "vs_1_1\n");
	for (int i = 0; i < 100000; i++)
		text_string(&bomb, "A10\n");
	assert_false(run(b, bomb.at, NULL));
	assert_non_null(strstr(said(&b->t), "-: the preprocessor gave up: it "));

	bomb.n = 0;
	for (int i = 1; i <= 60; i++)
		text_printf(&bomb, "#define B%d B%d B%d\n", i, i - 1, i - 1);
	text_string(&bomb, "vs_1_1\nB60\n");
	assert_false(run(b, bomb.at, NULL));
	assert_true(b->t.diags.errors > 0);

	/* Files that include each other twice, thirty deep. */
	for (int i = 0; i < 30; i++)
		put_file(b, arena_printf(&b->t.arena, "%d.inc", i),
		         arena_printf(&b->t.arena, "#include \"%d.inc\"\n#include \"%d.inc\"\n", i + 1, i + 1));
	put_file(b, "30.inc", "mov r0, v0\n");
	assert_false(run(b, "#include \"0.inc\"\n", NULL));
	assert_non_null(strstr(said(&b->t), "longer than 16 MiB"));

	bomb.n = 0;
	text_string(&bomb, "#if 1\nvs_1_1\nmov r0, ");
	for (int i = 0; i < 1 << 20; i++)
		text_char(&bomb, 'x');
	text_string(&bomb, "\n#endif\n");
	run(b, bomb.at, NULL);
	assert_true(b->t.diags.errors > 0);
}

/* Checks that a process that ignores its children gets the child's output. */
TEST_BETWEEN(ignored_children_are_fine, set_up, tear_down)
{
	struct bench *b = *state;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	assert_int_equal(sigaction(SIGCHLD, &ignore, &before), 0);
	assert_string_equal(expand(b, "#define A v0\nvs_1_1\nmov r0, A\n"), "vs_1_1\nmov r0, v0\n");
	assert_int_equal(sigaction(SIGCHLD, &before, NULL), 0);
}

TEST_BETWEEN(wide_text_is_refused, set_up, tear_down)
{
	struct bench *b = *state;
	b->in = (struct source){.name = "x", .text = "\xff\xfe#\0\n\0", .size = 6};
	diag_init(&b->t.diags, &b->t.arena);
	assert_false(preprocess(&b->t.arena, &b->in, NULL, &b->out, &b->t.diags));
	assert_int_equal(b->t.diags.n, 1);
}
