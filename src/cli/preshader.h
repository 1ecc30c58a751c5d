/* --preshader: the file of C functions for the application. */
#ifndef FPMOVE_CLI_PRESHADER_H
#define FPMOVE_CLI_PRESHADER_H

#include "cli/collect.h"

/* The name of a done pair's function: after the pixel program's file. */
const char *preshader_name(const struct run *);
/* Names for the pairs of a batch, after their paths below the output folder: all different. */
void preshader_name_all(struct arena *, struct collected *);
/* The function of a done pair. */
void preshader_function(struct text *, const struct run *, const char *name);

#endif
