/* What child.c shares with the beginning of this process, and with who begins another. */
#ifndef FPMOVE_SYSTEM_WINDOWS_CHILD_H
#define FPMOVE_SYSTEM_WINDOWS_CHILD_H

#include "system/process.h"

#include <windows.h>

/* Where the arguments say that this is a child: does its work, and ends the process. */
void child_begin(int argc, char **argv, os_child_work *);
/* Begins a process with the three handles that `how` names and `n` that it inherits, and no others that other threads opened. */
bool child_create(const wchar_t *exe, wchar_t *line, STARTUPINFOW how, HANDLE *inherited, unsigned n, DWORD flags, PROCESS_INFORMATION *made);

#endif
