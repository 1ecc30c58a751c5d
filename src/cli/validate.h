/* --validate=d3d9: another command, fpmove-d3d9, draws the old and the new pair with this system's Direct3D 9 and compares the images. */
#ifndef FPMOVE_CLI_VALIDATE_H
#define FPMOVE_CLI_VALIDATE_H

#include "cli/options.h"

/* The answer of fpmove-d3d9 about a pair. */
struct validated {
	const char *result;  /* "same", "different" or "unknown" */
	const char *adapter; /* name of the GPU that drew */
	const char *why;     /* what differs, or why it cannot be told; of "same" the largest difference, or "" */
	unsigned images, pixels; /* numbers of images and pixels drawn */
	unsigned beyond;         /* pixels that are farther apart than rounding may take them */
	unsigned flips;          /* likewise, but so few in an image that they are taken for steps of its textures */
};

/* Starts fpmove-d3d9 for all pairs if the options ask for it, and sets `options.validator`.  Returns false after a message on standard error
 * if the command is not there, or has no Direct3D 9 that draws. */
bool validator_open(struct arena *, struct options *);
/* Validates a run whose programs will be written: a difference becomes a fault, an answer "unknown" a warning.  Threads take turns. */
void validate_run(struct run *, const struct options *);
/* Ends the command. */
void validator_close(const struct options *);

#endif
