/* JSON, written piece by piece into a text, and the few keys of a report of fpmove that are read. */
#ifndef FPMOVE_D3D9_JSON_H
#define FPMOVE_D3D9_JSON_H

#include "base/arena.h"

#include <stdbool.h>

struct json {
	struct text text;
	unsigned depth;
	bool first; /* nothing stands yet in the innermost object or array */
};

/* `key` is NULL in arrays. */
void json_open(struct json *, const char *key, char bracket);
void json_close(struct json *, char bracket);
void json_string(struct json *, const char *key, const char *value);
void json_count(struct json *, const char *key, unsigned value);
/* null for what is no finite number */
void json_number(struct json *, const char *key, double value);
void json_bool(struct json *, const char *key, bool value);

/* A value within a JSON text that is read; NULL where there is none. */
typedef const char *json_at;
json_at json_begin(const char *text);
/* Of an object: the value of that key. */
json_at json_member(json_at, const char *key);
/* Of an array: its first element, and the one behind `at`. */
json_at json_first(json_at);
json_at json_next(json_at);
/* 0 for what is no number. */
unsigned json_unsigned(json_at);
double json_real(json_at);
/* NULL for what is no string. */
const char *json_text(struct arena *, json_at);

#endif
