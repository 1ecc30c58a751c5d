/* --validate=d3d9: fpmove-d3d9, a command of its own, has the Direct3D 9 that is here draw the old and the new pair, and compares. */
#ifndef FPMOVE_CLI_VALIDATE_H
#define FPMOVE_CLI_VALIDATE_H

#include "cli/options.h"

/* What it said of a pair. */
struct validated {
	const char *result;  /* "same", "different" or "unknown" */
	const char *adapter; /* that drew */
	const char *why;     /* of another result than "same": what differs, or what hinders */
	unsigned images, pixels, beyond, flips;
};

/* Begins the command, for all pairs, where the options ask for it; `options.validator` is what it is afterwards.  False, said: it is
 * not there, or there is no Direct3D 9 that draws. */
bool validator_open(struct arena *, struct options *);
/* Of a run whose programs will be written: a difference is a fault; what cannot be told, a warning.  Threads take turns. */
void validate_run(struct run *, const struct options *);
/* Ends the command. */
void validator_close(const struct options *);

#endif
