/* A child where a process can be doubled, see system/process.h.
 * Child and parent share temporary files, so neither ever waits for the other to read. */
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

static void limit(int resource, rlim_t most)
{
	struct rlimit l = {most, most};
	setrlimit(resource, &l);
}

/* What a library for which the process reserves memory, such as a graphics driver, has mapped before the child begins; 0: the
 * system does not say. */
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

/* A parent that catches a signal means to finish what is under way: so does its child. */
static void ignore_if_caught(int signal_number)
{
	struct sigaction before, ignore = {.sa_handler = SIG_IGN};
	if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_DFL)
		sigaction(signal_number, &ignore, NULL);
}

static _Noreturn void run(const struct os_child *c)
{
	limit(RLIMIT_CPU, c->most_seconds);
	limit(RLIMIT_CORE, 0);
	if (c->most_bytes)
		limit(RLIMIT_AS, mapped_already() + c->most_bytes);
	alarm(2 * c->most_seconds);
	ignore_if_caught(SIGINT);
	ignore_if_caught(SIGTERM);
	ignore_if_caught(SIGHUP);
	if (dup2(fileno(c->in), STDIN_FILENO) < 0 || fseek(stdin, 0, SEEK_SET) != 0)
		_exit(CHILD_BROKEN);
	clearerr(stdin);
	/* What the parent has not flushed yet must not come out twice. */
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
		run(c);
	if (pid < 0)
		return OS_CHILD_REFUSED;
	do
		ended = waitpid(pid, &status, 0);
	while (ended < 0 && errno == EINTR);
	if (ended != pid) /* who ignores SIGCHLD is not told */
		return OS_CHILD_FAILED;
	if (WIFEXITED(status)) {
		c->status = WEXITSTATUS(status);
		return c->status ? OS_CHILD_STATUS : OS_CHILD_DONE;
	}
	bool const slow = WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL);
	return slow ? OS_CHILD_SLOW : OS_CHILD_FAILED;
}
