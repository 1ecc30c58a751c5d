/* Replaces _exit for `make coverage`: the counts of gcov are written first. */
#include <gcov.h>
#include <stdlib.h>

static inline void counted_exit(int status)
{
	__gcov_dump();
	_Exit(status);
}
#define _exit counted_exit
