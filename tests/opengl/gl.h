/* Lists of pairs of Direct3D 9 programs to be drawn. */
#ifndef FPMOVE_TESTS_OPENGL_GL_H
#define FPMOVE_TESTS_OPENGL_GL_H

#include "gpu/subject.h"

/* One line of a list: GROUP NAME VP FP CONSTANTS, parted by tabs; constants are "v3=p5,v4=p6", VP constants that hold what FP
 * constants hold, or "-". */
struct gl_job {
	char *group, *name, *vp, *fp, *constants;
};

/* Reads a list; 0: it cannot be read. */
unsigned gl_read_list(struct arena *, const char *path, struct gl_job **);
/* NULL, or what is wrong with the files. */
const char *gl_read_pair(struct arena *, const struct gl_job *, struct subject *);

#endif
