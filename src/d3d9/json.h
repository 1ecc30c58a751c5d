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

/* Begin an object or array, end it, and write a value.  `key` is the member's name, or NULL for an element of an array. */
void json_open(struct json *, const char *key, char bracket);
void json_close(struct json *, char bracket);
void json_string(struct json *, const char *key, const char *value);
void json_count(struct json *, const char *key, unsigned value);
/* Writes null for an infinite number or NaN. */
void json_number(struct json *, const char *key, double value);
void json_bool(struct json *, const char *key, bool value);

/* The position at which a value begins in a JSON text, or NULL if there is no such value. */
typedef const char *json_at;
json_at json_begin(const char *text);
/* Returns the value of the member `key` of an object, or NULL. */
json_at json_member(json_at, const char *key);
/* Return the first element of an array, and the element after `at`; NULL if there is none. */
json_at json_first(json_at);
json_at json_next(json_at);
/* Return the number that stands there, or 0 if none does. */
unsigned json_unsigned(json_at);
double json_real(json_at);
/* Returns NULL for a value that is not a string. */
const char *json_text(struct arena *, json_at);

#endif
