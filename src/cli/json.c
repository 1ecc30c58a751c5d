/* JSON as text, see json.h. */
#include "cli/json.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* true if an allocation of jansson failed in this thread; jansson itself only leaves out the value then */
static _Thread_local bool incomplete;

static void *allocate_json(size_t n)
{
	void *p = malloc(n);
	incomplete |= !p;
	return p;
}

void json_begin(void)
{
	json_set_alloc_funcs(allocate_json, free);
}

/* Frees the value and returns it as JSON text, which the caller frees.  Fails by the arena if memory ran out while the value or the text was
 * made. */
static char *dump(struct arena *a, json_t *j, size_t flags)
{
	char *s = json_dumps(j, flags);
	json_decref(j);
	if (s && !incomplete)
		return s;
	incomplete = false;
	free(s);
	arena_fail(a);
}

json_t *report_string(struct arena *a, const char *s)
{
	json_t *as_is = json_string(s);
	if (as_is)
		return as_is;
	size_t n = strlen(s);
	char *wide = arena_alloc(a, 2 * n + 1), *p = wide;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c < 0x80) {
			*p++ = (char)c;
		} else {
			*p++ = (char)(0xc0 | c >> 6);
			*p++ = (char)(0x80 | (c & 0x3f));
		}
	}
	return json_stringn(wide, (size_t)(p - wide));
}

json_t *report_name(struct arena *a, const char *name)
{
	json_t *as_is = json_string(name);
	if (as_is)
		return as_is;
	struct text t = {.arena = a};
	for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
		if (*p < 0x80)
			text_char(&t, (char)*p);
		else
			text_printf(&t, "\xee%c%c", 0xbc | *p >> 6, 0x80 | (*p & 0x3f)); /* U+EF00 and the byte, as UTF-8 */
	}
	return json_stringn(t.at, t.n);
}

json_t *json_number(double x)
{
	return isfinite(x) ? json_real(x) : json_null();
}

json_t *report_options(struct arena *a, const char *const *given, uint32_t n)
{
	json_t *list = json_array();
	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, report_string(a, given[i]));
	return list;
}

void report_line(struct text *t, json_t *value)
{
	char *s = dump(t->arena, value, JSON_COMPACT | JSON_ENCODE_ANY);
	text_string(t, s);
	free(s);
}

void report_member(struct text *t, const char *key, json_t *value, const char *behind)
{
	if (!value)
		return;
	text_printf(t, "\"%s\": ", key);
	report_line(t, value);
	text_string(t, behind);
}

void report_text(struct text *t, json_t *report, unsigned digits)
{
	char *s = dump(t->arena, report, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
	/* Puts each list of integers on one line.  A line end in `s` is always between values, since strings escape theirs. */
	for (const char *p = s; *p;) {
		size_t n = p[0] == '[' && p[1] == '\n' ? 1 + strspn(p + 1, " \n0123456789,-") : 0;
		if (n < 2 || p[n] != ']') {
			text_char(t, *p++);
			continue;
		}
		for (size_t i = 0; i <= n; i++)
			if (p[i] != ' ' && p[i] != '\n')
				text_printf(t, "%c%s", p[i], p[i] == ',' ? " " : "");
		p += n + 1;
	}
	text_char(t, '\n');
	free(s);
}
