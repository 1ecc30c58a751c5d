/* The rules of rules.def as data and as text for people. */
#include "lang/check.h"

#include <string.h>

/* The shortest valid programs with the statements `body`. */
#define VS(body) "vs_1_1\ndcl_position v0\n" body "mov oPos, v0\n"
#define PS(body) "ps_2_0\n" body
#define VS_2(body) "vs_2_0\ndcl_position v0\n" body "mov oPos, v0\n"
#define VS_2X(body) "vs_2_x\ndcl_position v0\n" body "mov oPos, v0\n"
#define PS_3(body) "ps_3_0\ndcl_texcoord v0\n" body
#define VS_3(body) "vs_3_0\ndcl_position v0\ndcl_position o0\n" body "mov o0, v0\n"

/* Bodies that reach a limit. */
#define EXP4 "exp r0.x, v0.x\nexp r0.x, v0.x\nexp r0.x, v0.x\nexp r0.x, v0.x\n" /* 40 slots */
#define EXP12 EXP4 EXP4 EXP4
#define MOV7 "mov r0, v0\nmov r0, v0\nmov r0, v0\nmov r0, v0\nmov r0, v0\nmov r0, v0\nmov r0, v0\n"
#define MOV8 MOV7 "mov r0, v0\n"
#define MOV_C7 "mov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\nmov r0, c0\n"
#define SINCOS1 "sincos r0.xy, c2.x, c0, c1\n" /* 8 slots */
#define SINCOS3 SINCOS1 SINCOS1 SINCOS1
#define SINCOS7 SINCOS3 SINCOS3 SINCOS1
#define SINCOS8 SINCOS7 SINCOS1
#define SINCOS63 SINCOS7 SINCOS8 SINCOS8 SINCOS8 SINCOS8 SINCOS8 SINCOS8 SINCOS8
#define TEXKILL8 \
	"texkill t0\ntexkill t0\ntexkill t0\ntexkill t0\ntexkill t0\ntexkill t0\ntexkill t0\ntexkill t0\n"
#define TEXKILL32 TEXKILL8 TEXKILL8 TEXKILL8 TEXKILL8
#define TEXLD4 "texld r0, t0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\ntexld r0, r0, s0\n" /* third order */

const struct rule_info rules[RULES] = {
#define RULE(rule, id, severity, meaning, source, wrong, right) \
	[rule] = {id, severity, meaning, source, wrong, right},
#include "lang/rules.def"
#undef RULE
};

const struct notice notices[NOTICES] = {
#define NOTICE(id, meaning) {id, meaning},
#include "lang/notices.def"
#undef NOTICE
};

enum rule rule_find(const char *id)
{
	for (unsigned r = 0; r < RULES; r++)
		if (strcmp(rules[r].id, id) == 0)
			return (enum rule)r;
	return RULES;
}

/* Prints the program indented.  Prints a line that repeats once, with the number of times. */
static void describe_program(struct text *out, const char *program)
{
	const char *line = program;
	while (*line) {
		size_t length = strcspn(line, "\n") + 1;
		unsigned times = 1;
		while (strncmp(line + times * length, line, length) == 0)
			times++;
		text_string(out, "    ");
		text_bytes(out, line, length - 1);
		if (times > 1)
			text_printf(out, "    // %u times", times);
		text_char(out, '\n');
		line += times * length;
	}
}

bool rules_describe(struct text *out, const char *id)
{
	if (!id) {
		for (unsigned r = 0; r < RULES; r++)
			text_printf(out, "%-22s %-8s %s\n", rules[r].id,
			            rules[r].severity == DIAG_ERROR ? "error" : "warning", rules[r].meaning);
		for (unsigned k = 0; k < NOTICES; k++)
			text_printf(out, "%-22s %-8s %s\n", notices[k].id, "warning", notices[k].meaning);
		return true;
	}
	for (unsigned k = 0; k < NOTICES; k++)
		if (strcmp(notices[k].id, id) == 0) {
			text_printf(out, "%s (warning)\n  %s\n", id, notices[k].meaning);
			return true;
		}
	enum rule r = rule_find(id);
	if (r == RULES)
		return false;
	text_printf(out, "%s (%s)\n  %s\n  source: %s\n\n  wrong:\n", rules[r].id,
	            rules[r].severity == DIAG_ERROR ? "error" : "warning", rules[r].meaning, rules[r].source);
	describe_program(out, rules[r].wrong);
	text_string(out, "\n  right:\n");
	describe_program(out, rules[r].right);
	return true;
}
