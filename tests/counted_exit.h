/* For `make coverage`: _exit, in whose place this stands, writes no counts. */
#include <gcov.h>
#include <stdlib.h>

static inline void counted_exit(int status)
{
	__gcov_dump();
	_Exit(status);
}
#define _exit counted_exit
