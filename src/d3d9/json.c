/* Writes and reads JSON, see json.h. */
#include "d3d9/json.h"

#include <float.h>
#include <stdlib.h>

/* ---- writing --------------------------------------------------------------------------- */

static void put_json_string(struct text *t, const char *s)
{
	text_char(t, '"');
	for (; *s; s++)
		if (*s == '"' || *s == '\\')
			text_printf(t, "\\%c", *s);
		else if ((unsigned char)*s < ' ')
			text_printf(t, "\\u%04x", (unsigned)(unsigned char)*s);
		else
			text_char(t, *s);
	text_char(t, '"');
}

static void begin_value(struct json *j, const char *key)
{
	if (j->depth) {
		text_string(&j->text, j->first ? "\n" : ",\n");
		for (unsigned k = 0; k < j->depth; k++)
			text_string(&j->text, "  ");
	}
	j->first = false;
	if (key) {
		put_json_string(&j->text, key);
		text_string(&j->text, ": ");
	}
}

void json_open(struct json *j, const char *key, char bracket)
{
	begin_value(j, key);
	text_char(&j->text, bracket);
	j->depth++;
	j->first = true;
}

void json_close(struct json *j, char bracket)
{
	j->depth--;
	if (!j->first) {
		text_char(&j->text, '\n');
		for (unsigned k = 0; k < j->depth; k++)
			text_string(&j->text, "  ");
	}
	j->first = false;
	text_char(&j->text, bracket);
	if (!j->depth)
		text_char(&j->text, '\n');
}

void json_string(struct json *j, const char *key, const char *value)
{
	begin_value(j, key);
	put_json_string(&j->text, value);
}

void json_count(struct json *j, const char *key, unsigned value)
{
	begin_value(j, key);
	text_unsigned(&j->text, value);
}

void json_number(struct json *j, const char *key, double value)
{
	begin_value(j, key);
	if (value >= -DBL_MAX && value <= DBL_MAX)
		text_printf(&j->text, "%.9g", value);
	else
		text_string(&j->text, "null");
}

void json_bool(struct json *j, const char *key, bool value)
{
	begin_value(j, key);
	text_string(&j->text, value ? "true" : "false");
}

/* ---- reading --------------------------------------------------------------------------- */

static const char *skip_json_blanks(const char *at)
{
	return at + strspn(at, " \t\r\n");
}

/* Returns the position behind the string that begins at `at`, or the end of the text if the string is not closed. */
static const char *skip_string(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* Returns the position behind the value that begins at `at` and behind blanks that follow. */
static const char *skip_value(const char *at)
{
	unsigned depth = 0;
	do {
		at = skip_json_blanks(at);
		if (*at == '"') {
			at = skip_string(at);
		} else if (*at == '{' || *at == '[') {
			depth++;
			at++;
		} else if ((*at == '}' || *at == ']') && depth) {
			depth--;
			at++;
		} else {
			size_t const n = strcspn(at, " \t\r\n,:\"{}[]");
			at += n ? n : *at != '\0';
		}
	} while (depth && *at);
	return skip_json_blanks(at);
}

json_at json_begin(const char *text)
{
	return skip_json_blanks(text);
}

json_at json_member(json_at at, const char *key)
{
	size_t const n = strlen(key);
	if (!at || *at != '{')
		return NULL;
	for (at = skip_json_blanks(at + 1); *at == '"';) {
		bool const found = strncmp(at + 1, key, n) == 0 && at[n + 1] == '"';
		at = skip_json_blanks(skip_string(at));
		if (*at != ':')
			return NULL;
		at = skip_json_blanks(at + 1);
		if (found)
			return at;
		at = skip_value(at);
		at = *at == ',' ? skip_json_blanks(at + 1) : at;
	}
	return NULL;
}

json_at json_first(json_at at)
{
	if (!at || *at != '[')
		return NULL;
	at = skip_json_blanks(at + 1);
	return *at && *at != ']' ? at : NULL;
}

json_at json_next(json_at at)
{
	at = skip_value(at);
	return *at == ',' ? skip_json_blanks(at + 1) : NULL;
}

unsigned json_unsigned(json_at at)
{
	return at ? (unsigned)strtoul(at, NULL, 10) : 0;
}

double json_real(json_at at)
{
	return at ? strtod(at, NULL) : 0;
}

/* Reads a string.  A backslash only stands for the next character itself, so \n and \u are not decoded; names of files need no more. */
const char *json_text(struct arena *a, json_at at)
{
	struct text t = {.arena = a};
	if (!at || *at != '"')
		return NULL;
	for (at++; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1])
			at++;
		text_char(&t, *at);
	}
	return t.at ? t.at : "";
}
