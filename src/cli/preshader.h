/* --preshader: the file of C functions for the application. */
#ifndef FPMOVE_CLI_PRESHADER_H
#define FPMOVE_CLI_PRESHADER_H

#include "cli/collect.h"

/* Returns the name of the C function for a done pair, made of the pixel program's file name: "blur_constants" for blur.psh. */
const char *preshader_name(const struct run *);
/* Gives the C function of each pair of a batch, effects excepted, a name of its own, made of the pixel program's path below the output folder. */
void preshader_name_all(struct arena *, struct collected *);
/* Writes the C function for a done pair, which computes the constants that the application is to set. */
void preshader_function(struct text *, const struct run *, const char *name);

#endif
