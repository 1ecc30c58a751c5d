/* Starting processes on Windows, for process.c and command.c. */
#ifndef FPMOVE_SYSTEM_WINDOWS_CHILD_H
#define FPMOVE_SYSTEM_WINDOWS_CHILD_H

#include "system/process.h"

#include <windows.h>

/* If the arguments tell that os_run_child() started this process, does the child's work and ends the process; otherwise returns. */
void child_begin(int argc, char **argv, os_child_work *);
/* Starts a process with the three standard handles of `how`.  It inherits the `n` handles of `inherited`, and none that other threads have opened.
 * Returns false if it fails. */
bool child_create(const wchar_t *exe, wchar_t *line, STARTUPINFOW how, HANDLE *inherited, unsigned n, DWORD flags, PROCESS_INFORMATION *made);

#endif
