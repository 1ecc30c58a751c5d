/* --preshader: the file of C functions for the application. */
#ifndef FPMOVE_CLI_PRESHADER_H
#define FPMOVE_CLI_PRESHADER_H

#include "cli/collect.h"

/* Returns the name of a done pair's function, made of the pixel program's file name. */
const char *preshader_name(const struct run *);
/* Gives the function of each pair of a batch a name of its own, made of the pixel program's path below the output folder. */
void preshader_name_all(struct arena *, struct collected *);
/* Writes the function of a done pair. */
void preshader_function(struct text *, const struct run *, const char *name);

#endif
