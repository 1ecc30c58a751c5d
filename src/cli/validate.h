/* --validate=d3d9: another command, fpmove-d3d9, draws the old and the new pair with this system's Direct3D 9 and compares the images. */
#ifndef FPMOVE_CLI_VALIDATE_H
#define FPMOVE_CLI_VALIDATE_H

#include "cli/options.h"

/* The answer of fpmove-d3d9 about a pair. */
struct validated {
	const char *result;  /* "same", "different" or "unknown" */
	const char *adapter; /* name of the graphics adapter that drew the images */
	const char *why;     /* the difference, or the reason for "unknown"; with "same" the largest difference, or "" */
	unsigned images, pixels; /* numbers of images and pixels drawn */
	unsigned beyond;         /* number of pixels beyond the tolerance, in images with too many of them */
	unsigned flips;          /* number of pixels beyond the tolerance in images with few of them, accepted as flips, such as to another texel */
};

/* Starts fpmove-d3d9 for all pairs if the options ask for it, and sets `options.validator`.  Returns false after a message on standard error
 * if the command is not there, or if no Direct3D 9 of this system draws for it. */
bool validator_open(struct arena *, struct options *);
/* Lets fpmove-d3d9 compare the given and the new pair of a done run, unless they are equal.  A difference makes the run fail, the answer
 * "unknown" adds a warning, and a missing answer rejects the run.  Threads may call this at the same time; each waits for its turn. */
void validate_run(struct run *, const struct options *);
/* Ends the process of fpmove-d3d9 if it was started. */
void validator_close(const struct options *);

#endif
