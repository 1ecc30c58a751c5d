/* A child process by fork(), see system/process.h.
 * Child and parent exchange data by a temporary file, so neither ever waits for the other to read. */
#include "system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

FILE *os_temporary(void)
{
	return tmpfile();
}

static void limit_resource(int resource, rlim_t most)
{
	struct rlimit l = {most, most};
	setrlimit(resource, &l);
}

/* Returns the bytes of address space that the process has mapped before the child starts, for example by a graphics driver, which
 * reserves much; 0 if the system does not tell. */
static rlim_t mapped_already(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Ignores, in the child, a signal that the parent catches or ignores: the parent then finishes its present work, for which it needs the child. */
static void ignore_if_caught(int signal_number)
{
	struct sigaction before, ignore = {.sa_handler = SIG_IGN};
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_DFL)
		sigaction(signal_number, &ignore, NULL);
}

static _Noreturn void run_in_child(os_child_work *work, FILE *file, unsigned most_seconds, unsigned long long most_bytes)
{
	limit_resource(RLIMIT_CPU, most_seconds);
	limit_resource(RLIMIT_CORE, 0);
	if (most_bytes)
		limit_resource(RLIMIT_AS, mapped_already() + most_bytes);
	alarm(2 * most_seconds);
	ignore_if_caught(SIGINT);
	ignore_if_caught(SIGTERM);
	ignore_if_caught(SIGHUP);
	/* Discards all output: the streams copied from the parent may hold unflushed text, which must not be written twice. */
	int const null = open("/dev/null", O_WRONLY);
	if (dup2(fileno(file), STDIN_FILENO) < 0 || fseek(stdin, 0, SEEK_SET) != 0 || null < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		_exit(1);
	clearerr(stdin);
	setenv("LC_ALL", "C", 1);
	work();
	_exit(0);
}

bool os_run_child(os_child_work *work, FILE *file, unsigned most_seconds, unsigned long long most_bytes)
{
	pid_t const pid = fork();
	if (pid == 0)
		run_in_child(work, file, most_seconds, most_bytes);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return pid > 0;
}
