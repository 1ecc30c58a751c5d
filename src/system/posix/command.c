/* Commands that this process starts, see system/process.h. */
#include "system/files.h"
#include "system/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_BEGUN = 127 };

struct os_command {
	pid_t process;
	int in;
	FILE *out;
};

static bool is_command(const char *path)
{
	struct os_facts there;
	return os_facts(path, &there) && there.kind == OS_REGULAR && access(path, X_OK) == 0;
}

const char *os_find_command(struct arena *a, const char *name)
{
	const char *own = os_real_path(a, "/proc/self/exe"), *rest = getenv("PATH");
	const char *slash = own ? strrchr(own, '/') : NULL;
	const char *path = slash ? arena_printf(a, "%.*s/%s", (int)(slash - own), own, name) : name;
	if (slash && is_command(path))
		return path;
	for (size_t n; rest; rest = rest[n] ? rest + n + 1 : NULL) {
		n = strcspn(rest, ":");
		path = arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? rest : ".", name);
		if (is_command(path))
			return path;
	}
	return NULL;
}

/* Turns the forked child into the command, in a session of its own, or ends it with status NOT_BEGUN. */
static _Noreturn void execute_command(const char *path, char **argv, const int *in, const int *out)
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	if (dup2(in[0], STDIN_FILENO) >= 0 && dup2(out[1], STDOUT_FILENO) >= 0)
		execv(path, argv);
	_exit(NOT_BEGUN);
}

/* Makes a pipe whose ends no other child inherits. */
static bool make_private_pipe(int *ends)
{
	if (pipe(ends) != 0)
		return false;
	fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	return true;
}

static void close_pipe(const int *ends)
{
	close(ends[0]);
	close(ends[1]);
}

struct os_command *os_command_begin(const char *path, const char *const *words, unsigned n)
{
	struct os_command *c = calloc(1, sizeof *c);
	char **argv = calloc(n + 2u, sizeof *argv);
	int in[2], out[2];
	bool ready = c && argv && make_private_pipe(in);
	if (ready && !make_private_pipe(out)) {
		close_pipe(in);
		ready = false;
	}
	if (ready) {
		argv[0] = strdup(path);
		for (unsigned k = 0; k < n; k++)
			argv[k + 1] = strdup(words[k]);
		c->process = fork();
		if (c->process == 0)
			execute_command(path, argv, in, out);
		close(in[0]);
		close(out[1]);
		c->in = in[1];
		c->out = fdopen(out[0], "r");
		ready = c->process > 0 && c->out;
		for (unsigned k = 0; k < n + 1; k++)
			free(argv[k]);
	}
	free(argv);
	if (!ready) {
		free(c);
		return NULL;
	}
	return c;
}

/* Keeps SIGPIPE from ending this process: if the command has ended, only the result tells so. */
bool os_command_write(struct os_command *c, const void *from, size_t n)
{
	sigset_t pipes, before;
	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipes, &before);
	bool const good = os_write(c->in, from, n);
	if (!good)
		sigtimedwait(&pipes, NULL, &(struct timespec){0, 0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

bool os_command_read(struct os_command *c, char *to, size_t n)
{
	int next = 0;
	size_t at = 0;
	while ((next = getc(c->out)) != EOF && next != '\n')
		if (at + 1 < n)
			to[at++] = (char)next;
	to[at] = '\0';
	return next == '\n';
}

int os_command_end(struct os_command *c)
{
	int status = 0;
	pid_t ended;
	close(c->in);
	do
		ended = waitpid(c->process, &status, 0);
	while (ended < 0 && errno == EINTR);
	fclose(c->out);
	int const result = ended == c->process && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	free(c);
	return result;
}
