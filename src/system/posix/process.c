/* The process on POSIX systems, see system/process.h. */
#include "system/process.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* --- terminal and clock ---------------------------------------------------------------------- */

bool os_is_terminal(int file)
{
	return isatty(file);
}

unsigned os_columns(int file)
{
	struct winsize size = {0};
	return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

uint64_t os_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t os_seconds(void)
{
	return (uint64_t)time(NULL);
}

unsigned long os_process(void)
{
	return (unsigned long)getpid();
}

unsigned os_processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

void os_begin(int *argc, char ***argv, os_child_work *work)
{
	(void)argc, (void)argv, (void)work;
}

/* --- threads ---------------------------------------------------------------------------------- */

struct os_lock {
	pthread_mutex_t mutex;
};
struct os_bell {
	pthread_cond_t cond;
};
struct os_thread {
	pthread_t id;
	void (*run)(void *);
	void *with;
};

struct os_lock *os_lock_make(struct arena *a)
{
	struct os_lock *l = arena_zero(a, sizeof *l);
	pthread_mutex_init(&l->mutex, NULL);
	return l;
}

void os_lock_take(struct os_lock *l)
{
	pthread_mutex_lock(&l->mutex);
}

void os_lock_give(struct os_lock *l)
{
	pthread_mutex_unlock(&l->mutex);
}

struct os_bell *os_bell_make(struct arena *a)
{
	struct os_bell *b = arena_zero(a, sizeof *b);
	pthread_cond_init(&b->cond, NULL);
	return b;
}

void os_bell_wait(struct os_bell *b, struct os_lock *l)
{
	pthread_cond_wait(&b->cond, &l->mutex);
}

void os_bell_wait_for(struct os_bell *b, struct os_lock *l, unsigned milliseconds)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)(milliseconds % 1000) * 1000 * 1000;
	until.tv_sec += milliseconds / 1000 + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&b->cond, &l->mutex, &until);
}

void os_bell_ring(struct os_bell *b)
{
	pthread_cond_broadcast(&b->cond);
}

static void *call_thread_function(void *thread)
{
	const struct os_thread *t = thread;
	t->run(t->with);
	return NULL;
}

struct os_thread *os_thread_start(struct arena *a, void (*run)(void *), void *with)
{
	struct os_thread *t = arena_zero(a, sizeof *t);
	t->run = run;
	t->with = with;
	return pthread_create(&t->id, NULL, call_thread_function, t) == 0 ? t : NULL;
}

void os_thread_join(struct os_thread *t)
{
	pthread_join(t->id, NULL);
}

unsigned os_take_precision(void)
{
	return 0;
}

void os_give_precision(unsigned before)
{
	(void)before;
}

/* --- signals that end the process ----------------------------------------------------------------- */

/* Locked for reading between os_hold_ends() and os_let_ends(), and for writing to end the process. */
static pthread_rwlock_t held = PTHREAD_RWLOCK_INITIALIZER;

unsigned os_hold_ends(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
	sigset_t set, before;
	unsigned blocked = 0;
	sigemptyset(&set);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		sigaddset(&set, ends[i]);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++)
		blocked |= sigismember(&before, ends[i]) == 1 ? 0 : 1u << ends[i];
	pthread_rwlock_rdlock(&held);
	return blocked;
}

void os_let_ends(unsigned before)
{
	sigset_t set;
	pthread_rwlock_unlock(&held);
	sigemptyset(&set);
	for (int s = 1; s < 32; s++)
		if (before >> s & 1)
			sigaddset(&set, s);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

struct os_watch {
	pthread_t id;
	sigset_t set, before;
	void (*first)(void *, int), (*second)(void *);
	void *with;
};

/* Fills the set of signals that the watch waits for: SIGUSR2, by which os_watch_stop() ends its thread, and the others
 * unless this process was started with them ignored, as by nohup or the shell's `&`. */
static void set_watched_signals(sigset_t *set)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	sigemptyset(set);
	for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction now;
		if (sigaction(ends[i], NULL, &now) != 0 || now.sa_handler != SIG_IGN)
			sigaddset(set, ends[i]);
	}
	sigaddset(set, SIGUSR2);
}

static void *wait_for_signals(void *watch)
{
	struct os_watch *w = watch;
	int number = 0;
	if (sigwait(&w->set, &number) || number == SIGUSR2)
		return NULL;
	w->first(w->with, number);
	if (sigwait(&w->set, &number) || number == SIGUSR2)
		return NULL;
	pthread_rwlock_wrlock(&held);
	w->second(w->with);
	pthread_sigmask(SIG_UNBLOCK, &w->set, NULL);
	raise(number);
	return NULL;
}

struct os_watch *os_watch_ends(struct arena *a, void (*first)(void *, int), void (*second)(void *), void *with)
{
	struct os_watch *w = arena_zero(a, sizeof *w);
	w->first = first;
	w->second = second;
	w->with = with;
	set_watched_signals(&w->set);
	pthread_sigmask(SIG_BLOCK, &w->set, &w->before);
	if (pthread_create(&w->id, NULL, wait_for_signals, w) == 0)
		return w;
	pthread_sigmask(SIG_SETMASK, &w->before, NULL);
	return NULL;
}

void os_watch_stop(struct os_watch *w)
{
	pthread_kill(w->id, SIGUSR2);
	pthread_join(w->id, NULL);
	pthread_sigmask(SIG_SETMASK, &w->before, NULL);
}

void os_end_by(int number)
{
	raise(number);
}
