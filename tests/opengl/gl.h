/* Lists of pairs of Direct3D 9 programs to be drawn. */
#ifndef FPMOVE_TESTS_OPENGL_GL_H
#define FPMOVE_TESTS_OPENGL_GL_H

#include "gpu/drawn_pair.h"

/* A line of a list, with tabs between its parts: GROUP NAME VP FP CONSTANTS.  CONSTANTS is "-", or VP constants that hold FP
 * constants, such as "v3=p5,v4=p6". */
struct gl_job {
	char *group, *name, *vp, *fp, *constants;
};

/* Reads a list and returns the number of its lines, or 0 if it cannot be read. */
unsigned gl_read_list(struct arena *, const char *path, struct gl_job **);
/* Reads the files of a pair.  Returns NULL, or what is wrong with them. */
const char *gl_read_pair(struct arena *, const struct gl_job *, struct drawn_pair *);

#endif
