/* --newer: the file .fpmove.made of an output folder, which tells what was made there from what. */
#ifndef FPMOVE_CLI_RECORD_H
#define FPMOVE_CLI_RECORD_H

#include "cli/options.h"

#include <stdint.h>

/* Numbers that differ where bytes do (FNV-1a). */
#define MARK_START UINT64_C(0xcbf29ce484222325)
uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t n);
uint64_t mark_string(uint64_t mark, const char *);

extern const char record_name[];

struct made {
	uint64_t from, what; /* marks of all that decides, and of the files that came of it */
};

struct record {
	struct { VEC(struct made); } made; /* sorted; before this run */
	int fd;
};

/* Reads the record in the output folder, or starts one: what another build of the program made does not count.
 * False: `*why`. */
bool record_open(struct arena *, const struct options *, struct record *, const char **why);
bool record_has(const struct record *, const struct made *);
/* From any thread.  What cannot be written is made again the next time. */
void record_add(const struct record *, const struct made *);
void record_close(struct record *);

#endif
