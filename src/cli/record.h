/* --newer: the file .fpmove.made of an output folder, which records from which inputs its files were made. */
#ifndef FPMOVE_CLI_RECORD_H
#define FPMOVE_CLI_RECORD_H

#include "cli/options.h"

#include <stdint.h>

/* Return the hash (FNV-1a) of the bytes whose hash is `mark` (MARK_START for none), followed by the given ones; those of a string end with its
 * NUL. */
#define MARK_START UINT64_C(0xcbf29ce484222325)
uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t n);
uint64_t mark_string(uint64_t mark, const char *);

extern const char record_name[];

struct made {
	uint64_t from; /* hash of everything that decides about the outputs: inputs, options, the build of fpmove */
	uint64_t what; /* hash of the outputs' paths and bytes */
};

struct record {
	struct { VEC(struct made); } made; /* entries that earlier runs wrote, sorted */
	int fd;                            /* the open file, or -1 */
};

/* Reads the record in the output folder, or starts a new one if there is none or another build of fpmove wrote it.  Returns false and sets
 * `*why` on failure. */
bool record_open(struct arena *, const struct options *, struct record *, const char **why);
bool record_has(const struct record *, const struct made *);
/* Adds an entry; any thread may call this.  If it cannot be written, the outputs are made again by the next run. */
void record_add(const struct record *, const struct made *);
void record_close(struct record *);

#endif
