/* A child process by fork(), see system/process.h.
 * Child and parent exchange data by temporary files, so neither ever waits for the other to read. */
#include "system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_BROKEN = 127 };

FILE *os_temporary(void)
{
	return tmpfile();
}

void os_child_exit(int status)
{
	_exit(status);
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

/* Ignores a signal that the parent catches or ignores: the parent then finishes its present work, for which it needs this child. */
static void ignore_if_caught(int signal_number)
{
	struct sigaction before, ignore = {.sa_handler = SIG_IGN};
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_DFL)
		sigaction(signal_number, &ignore, NULL);
}

static _Noreturn void run_in_child(const struct os_child *c)
{
	limit_resource(RLIMIT_CPU, c->most_seconds);
	limit_resource(RLIMIT_CORE, 0);
	if (c->most_bytes)
		limit_resource(RLIMIT_AS, mapped_already() + c->most_bytes);
	alarm(2 * c->most_seconds);
	ignore_if_caught(SIGINT);
	ignore_if_caught(SIGTERM);
	ignore_if_caught(SIGHUP);
	if (dup2(fileno(c->in), STDIN_FILENO) < 0 || fseek(stdin, 0, SEEK_SET) != 0)
		_exit(CHILD_BROKEN);
	clearerr(stdin);
	/* The streams of the parent may hold unflushed text, which must not be written twice. */
	int null = open("/dev/null", O_WRONLY);
	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(CHILD_BROKEN);
	_exit(c->work(c->argc, c->argv, c->out, c->said));
}

enum os_child_end os_run_child(struct os_child *c)
{
	int status = 0;
	pid_t ended, pid = fork();
	if (pid == 0)
		run_in_child(c);
	if (pid < 0)
		return OS_CHILD_REFUSED;
	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended != pid) /* a process that ignores SIGCHLD gets no status */
		return OS_CHILD_FAILED;
	if (WIFEXITED(status)) {
		c->status = WEXITSTATUS(status);
		return c->status ? OS_CHILD_STATUS : OS_CHILD_DONE;
	}
	bool const slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL);
	return slow ? OS_CHILD_SLOW : OS_CHILD_FAILED;
}
