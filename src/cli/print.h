/* --print: programs of any kind as assembly. */
#ifndef FPMOVE_CLI_PRINT_H
#define FPMOVE_CLI_PRINT_H

#include "cli/options.h"

/* Prints all programs of the files, text, bytecode or those of effects, on standard output, each with its slots, and below its file's name
 * where there are several; returns the exit status. */
int print_files(struct arena *, const struct options *);

#endif
