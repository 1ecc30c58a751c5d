/* Writes JSON piece by piece into a text, and reads a few keys of a report of fpmove. */
#ifndef FPMOVE_D3D9_JSON_H
#define FPMOVE_D3D9_JSON_H

#include "base/arena.h"

#include <stdbool.h>

struct json {
	struct text text;
	unsigned depth;
	bool first; /* the innermost object or array is still empty */
};

/* `key` is NULL in arrays. */
void json_open(struct json *, const char *key, char bracket);
void json_close(struct json *, char bracket);
void json_string(struct json *, const char *key, const char *value);
void json_count(struct json *, const char *key, unsigned value);
/* Writes null for an infinite number or NaN. */
void json_number(struct json *, const char *key, double value);
void json_bool(struct json *, const char *key, bool value);

/* A value within a JSON text, or NULL if there is none. */
typedef const char *json_at;
json_at json_begin(const char *text);
/* Returns the value of a key of an object. */
json_at json_member(json_at, const char *key);
/* Return the first element of an array, and the one behind `at`. */
json_at json_first(json_at);
json_at json_next(json_at);
/* Return 0 for a value that is not a number. */
unsigned json_unsigned(json_at);
double json_real(json_at);
/* Returns NULL for a value that is not a string. */
const char *json_text(struct arena *, json_at);

#endif
