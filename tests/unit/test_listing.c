/* Compilers' tables in comments: names of constants, and correct tables for new programs. */
#include "pairs.h"

#include "lang/listing.h"
#include "lang/needs.h"
#include "lang/print.h"

#include <string.h>

#define TABLE "// Registers:\n//\n//   Name         Reg   Size\n//   ------------ ----- ----\n"
#define FP "ps_2_0\ndcl t0\nmul r0, t0, c1\nadd r0, r0, c5\nmov oC0, r0\n"

static void expect_name(struct arena *a, const char *text, int constant, const char *want)
{
	const char *name = listing_name(a, parse_one(a, text), constant);
	if (!want)
		assert_null(name);
	else
		assert_string_equal(name, want);
}

ARENA_TEST(names_of_fxc)
{
	const char *text = TABLE "//   g_scale      c1       1\n//   g_world      c4       4\n//   base         s2       1\n//\n" FP;
	expect_name(*state, text, 1, "g_scale");
	expect_name(*state, text, 4, "g_world[0]");
	expect_name(*state, text, 7, "g_world[3]");
	expect_name(*state, text, 8, NULL);
	expect_name(*state, text, 2, NULL);
	/* Below the version token, and with the line ends of another system. */
	expect_name(*state, "ps_2_0\r\n// Registers:\r\n// Name Reg Size\r\n// ---- --- ----\r\n// $a.b c1 1\r\nmov oC0, c1\r\n", 1, "$a.b");
}

ARENA_TEST(names_of_cgc)
{
	const char *text = "ps_2_0\n//var float4 scale :  : c[1] : 4 : 1\n//var float4x4 world : M : c[4], 4 : -1 : 1\n"
	                   "//var float4 unused :  : , 4 : -1 : 0\n//var float4 light[1] :  : c[9] : 18 : 1\n"
	                   "//var sampler2D base :  : texunit 0 : -1 : 1\n//var float4 half :  : c[5\n//var float4\n//var :\nmov oC0, c1\n";
	expect_name(*state, text, 1, "scale");
	expect_name(*state, text, 6, "world[2]");
	expect_name(*state, text, 9, "light[1]");
	expect_name(*state, text, 0, NULL);
	expect_name(*state, text, 8, NULL);
}

/* Checks rows that are not of a table: they name nothing, and none is lost. */
ARENA_TEST(odd_tables)
{
	struct arena *a = *state;
	static const char *const rows[] = {
		"//   g_scale      c1       0\n", "//   g_scale      c1\n", "//   g_scale      c99999999999 1\n", "//   g_scale      c1       257\n",
		"//   g_scale      c1       -1\n", "//   g*/scale     c1       1\n", "//   g_scale c1 1 1\n", "//   c1 1\n",
		"//   g_scale      c11\n", "//   g_scale      t1       1\n", "/*   g_scale      c1       1 */\n",
		"//   a_name_of_more_than_sixty_four_letters_is_none_that_any_table_has_room_for c1 1\n",
	};
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
		const char *text = arena_printf(a, TABLE "%s" FP, rows[k]);
		const char *name = listing_name(a, parse_one(a, text), 1);
		if (name)
			fail_msg("%s: %s", rows[k], name);
	}
}

ARENA_TEST(names_of_engines)
{
	const char *text = "// Vector 1 [_Light]\n//Matrix 4 [_Object2World]\n; Float 7 [_Cutoff]\n// SetTexture 0 [_MainTex] 2D 0\n"
	                   "// Matrix 8 [_Bone[2]] 3\n// Keywords { \"DIRECTIONAL\" }\n; 7 ALU, 2 TEX\n" FP;
	expect_name(*state, text, 0, NULL);
	expect_name(*state, text, 1, "_Light");
	expect_name(*state, text, 4, "_Object2World[0]");
	expect_name(*state, text, 6, "_Object2World[2]");
	expect_name(*state, text, 7, NULL); /* two rows have it */
	expect_name(*state, text, 10, "_Bone[2][2]");
	expect_name(*state, text, 11, NULL);
	expect_name(*state, "ps_2_0\r\n; Float 1 [_Cutoff]\r\nmov oC0, c1\r\n", 1, "_Cutoff");
}

ARENA_TEST(names_in_any_order)
{
	static const char *const rows[] = {
		"// _Light c1 1\n", "// c1 _Light 1\n", "//1 c1 _Light\n", "; c1 = _Light\n", "; _Light=c1\n", ";; c1 = _Light 1\n", "// c[1] = _Light\n",
		"// _Light = c1-c1\n", "// c1 1 _Light\n", "// _Light 1 c1\n", "// 1 _Light = c1\n", "//   _Light      c1       1\n", "; c1 = _Light\n// _Light c1 1\n",
	};
	static const char *const others[] = {
		"; c1\n", "; c1 _Light\n", "// _Light c1\n", "; c1 = half texel\n", "; c1 = key, white point\n", "// see c1 = _Light\n", "; c1.x = _Light\n", "; c1 = r0\n",
		"; r0.x = c1\n", "; oC0 = c1\n", "; oPos = c1\n", "; c1 = c2\n", "; c1 = c[2]\n", "; c1 = 1\n", "; c1 = _Light = 1\n", "; c1 == _Light\n", "; = c1 _Light 1\n",
		"; c1 = _Light =\n", "; c1 = unused\n", "// c1 0 _Light\n", "// c1 257 _Light\n", "// c99999999999 = _Light\n", "// c1-c0 = _Light\n", "// c1-c4 _Light 3\n",
		"// c1 1 1 _Light\n", "; s1 = _Light\n", "; C1 = _Light\n", "; -c1 = _Light\n", "; c1 = _Light;\n", "; c1 = _Light\n; c1 = _Sun\n",
		"; c1 = _Light\n; c1 = _Light 2\n", "/* c1 = _Light */\n", "; _Light -> c1\n", "// Vector 1 _Light\n", "// Vector 1 [_Light] 2\n", "// Vector 1 []\n",
		"// Vector [1]\n", "// Vector 1 [_Light\n", "// Vector 1 [a b]\n", "// Matrix 0 [_World] 5\n", "// Matrix 0 [_World] 0\n", "// Vector 999 [_Light]\n",
		"// a Vector 1 [_Light]\n", "// SetTexture 1 [_Light] 2D 1\n", "// ConstBuffer \"$Globals\" 80\n// Vector 1 [_Light]\n",
		"// a_name_of_more_than_sixty_four_letters_is_none_that_any_table_has_room_for c1 1\n",
	};
	struct arena *a = *state;
	for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)
		expect_name(a, arena_printf(a, "%s" FP, rows[k]), 1, "_Light");
	for (unsigned k = 0; k < sizeof others / sizeof *others; k++) {
		const char *name = listing_name(a, parse_one(a, arena_printf(a, "%s" FP, others[k])), 1);
		if (name)
			fail_msg("%s: %s", others[k], name);
	}
	/* A compiler's table has priority, a register with a def has no name, and comments at instructions are about these. */
	expect_name(a, TABLE "//   g_scale      c1       1\n//\n// c1 = _Light\n" FP, 1, "g_scale");
	expect_name(a, "; c1 = half\nps_2_0\ndef c1, 0.5, 0.5, 0.5, 0.5\nmov r0, c1\nmov oC0, r0\n", 1, NULL);
	expect_name(a, "ps_2_0\ndcl t0\n; c1 = _Light\nmul r0, t0, c1 ; c1 = _Light\nmov oC0, r0\n", 1, NULL);
	expect_name(a, "// _Light c0-c254 255\n" FP, 254, "_Light[254]");
	expect_name(a, "// c255 = _Light 2\n" FP, 255, NULL);
}

ARENA_TEST(other_tables_keep_registers)
{
	const char *text = "// Matrix 90 [_World]\n; c95 = _Light\n; c80 = a\n; c80 = b\nvs_1_1\ndcl_position v0\nmov oPos, v0\n";
	struct register_set const all = listing_registers(parse_one(*state, text));
	for (int c = 0; c < 96; c++)
		assert_int_equal(register_is_in(&all, c), (c >= 90 && c < 94) || c == 95);
	/* These are no tables of a compiler, and are written unchanged. */
	struct text t = {.arena = *state};
	const struct program *p = parse_one(*state, text);
	print_program(&t, listing_update(*state, p, NULL));
	assert_non_null(strstr(t.at, "// Matrix 90 [_World]\n; c95 = _Light\n; c80 = a\n; c80 = b\nvs_1_1\n"));
}

static const char *updated(struct arena *a, struct program *p)
{
	struct text t = {.arena = a};
	const struct program *new = listing_update(a, p, NULL);
	print_program(&t, new);
	/* A correct table stays. */
	struct text again = {.arena = a};
	struct program *read = parse_one(a, t.at);
	struct diags said;
	diag_init(&said, a);
	needs_read(a, read, &said);
	print_program(&again, listing_update(a, read, NULL));
	assert_string_equal(again.at, t.at);
	return t.at;
}

ARENA_TEST(a_table_stays_true)
{
	struct arena *a = *state;
	struct program *vs = parse_one(a, "//\n// Parameters:\n//\n" TABLE "//   g_gone       c2       1\n//   g_view       c3       2\n//   map          s0       1\n//\n//   more\n"
	                                  "vs_1_1\ndcl_position v0\nmul r0, v0, c3\nadd r0, r0, c95\nadd r0, r0, c94\nmov oPos, r0\n\n"
	                                  "// approximately 9 instruction slots used\n");
	VEC_PUSH(a, &vs->needs.consts) = (struct const_map){.vs = 94, .ps = 3, .name = "a_long_name_of_a_constant"};
	VEC_PUSH(a, &vs->needs.consts) = (struct const_map){.vs = 95, .ps = 4, .name = "g_view"};
	assert_string_equal(updated(a, vs),
	                    "//\n// Parameters:\n//\n// Registers:\n//\n//   Name                      Reg   Size\n"
	                    "//   ------------------------- ----- ----\n//   g_view                    c3       2\n"
	                    "//   a_long_name_of_a_constant c94      1\n//   ps.g_view                 c95      1\n"
	                    "//   map                       s0       1\n//\n//   more\nvs_1_1\n"
	                    "// fpmove: c94 = ps c3 (a_long_name_of_a_constant)\n// fpmove: c95 = ps c4 (g_view)\n"
	                    "dcl_position v0\nmul r0, v0, c3\nadd r0, r0, c95\nadd r0, r0, c94\nmov oPos, r0\n\n"
	                    "// approximately 4 instruction slots used\n");
	/* A table goes with its last row; texture reads are counted separately, and one is in the singular. */
	assert_string_equal(updated(a, parse_one(a, "// by fxc\n//\n" TABLE "//   g_gone       c2       1\n//\n"
	                                            "ps_2_0\ndcl t0\nmov oC0, t0\n// approximately 30 instruction slots used (3 texture, 27 arithmetic)\n")),
	                    "// by fxc\n//\nps_2_0\ndcl t0\nmov oC0, t0\n// approximately 1 instruction slot used\n");
	assert_string_equal(updated(a, parse_one(a, "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n// approximately 1 instruction slot used\n")),
	                    "ps_2_0\ndcl t0\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n// approximately 2 instruction slots used (1 texture, 1 arithmetic)\n");
	/* A table is made if a compiler listed no constant; other programs get the comments about needs only. */
	vs = parse_one(a, "//\n// Generated by X\n//\nvs_1_1\ndcl_position v0\nadd oPos, v0, c95\n");
	VEC_PUSH(a, &vs->needs.consts) = (struct const_map){.vs = 95, .ps = 4, .name = "g_view"};
	assert_non_null(strstr(updated(a, vs), "//\n" TABLE "//   g_view       c95      1\n//\nvs_1_1\n"));
	vs = parse_one(a, "// mine\nvs_1_1\ndcl_position v0\nadd oPos, v0, c95\n");
	VEC_PUSH(a, &vs->needs.consts) = (struct const_map){.vs = 95, .ps = 4, .name = "g_view"};
	assert_null(strstr(updated(a, vs), "Registers:"));
}

/* Checks that cgc's line goes with its constant, and that one comes for each constant that the application must set. */
ARENA_TEST(vars_of_cgc_stay_true)
{
	struct program *vs = parse_one(*state, "vs_1_1\n// cgc\n//var float4 gone :  : c[2] : 0 : 1\n//var float4x4 view : V : c[4], 4 : 1 : 1\n// more\n"
	                                       "dcl_position v0\nmul r0, v0, c5\nadd r0, r0, c95\nadd r0, r0, c94\nmov oPos, r0\n");
	VEC_PUSH(*state, &vs->needs.consts) = (struct const_map){.vs = 94, .ps = 1, .name = "scale"};
	VEC_PUSH(*state, &vs->needs.consts) = (struct const_map){.vs = 95, .ps = 2, .name = "view"};
	const char *text = updated(*state, vs);
	assert_non_null(strstr(text, "// cgc\n//var float4x4 view : V : c[4], 4 : 1 : 1\n//var float4 scale :  : c[94] : -1 : 1\n"
	                             "//var float4 ps.view :  : c[95] : -1 : 1\n// more\n"));
	assert_null(strstr(text, "gone"));
}
