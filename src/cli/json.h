/* Makes JSON values for reports, by jansson, and writes them as text. */
#ifndef FPMOVE_CLI_JSON_H
#define FPMOVE_CLI_JSON_H

#include "base/arena.h"

#include <jansson.h>

/* Returns a JSON string; if the bytes are no UTF-8, they are taken for Latin-1. */
json_t *report_string(struct arena *, const char *);
/* Returns a file's name as a JSON string from which the file can be found again: in a name that is no UTF-8, U+EF00 + b stands for a byte
 * b from 0x80 on. */
json_t *report_name(struct arena *, const char *);
/* Returns the number, or null if it is infinite or NaN, which JSON cannot hold. */
json_t *json_number(double);
/* Returns the JSON list of `n` options as the user gave them, such as those of options.deciding, which affect the outputs. */
json_t *report_options(struct arena *, const char *const *given, uint32_t n);
/* Writes a value on one line, without a line end, and frees it. */
void report_line(struct text *, json_t *);
/* Writes a key, its value on the same line, and the text `behind`, and frees the value.  Writes nothing if the value is NULL. */
void report_member(struct text *, const char *key, json_t *value, const char *behind);
/* Writes the value as indented JSON with a line end, and frees it.  Prints numbers with `digits` significant digits, or with all digits if it is
 * 0. */
void report_text(struct text *, json_t *, unsigned digits);
/* Makes jansson allocate by a function that records failures; call it once, before any JSON is made.  From then on report_line() and
 * report_text() fail by their text's arena if memory ran out while the JSON was made. */
void json_begin(void);

#endif
