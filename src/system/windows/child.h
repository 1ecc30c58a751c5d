/* What the beginning of a process has to do for child.c alone. */
#ifndef FPMOVE_SYSTEM_WINDOWS_CHILD_H
#define FPMOVE_SYSTEM_WINDOWS_CHILD_H

#include "system/process.h"

/* Where the arguments say that this is a child: does its work, and ends the process. */
void child_begin(int argc, char **argv, os_child_work *);

#endif
