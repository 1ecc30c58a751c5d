/* The process: its arguments, terminal, clock, threads, the signals that end it, a child, and another command. */
#ifndef FPMOVE_SYSTEM_PROCESS_H
#define FPMOVE_SYSTEM_PROCESS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --- terminal and clock ---------------------------------------------------------------------- */

bool os_is_terminal(int file);
/* How wide it is; 0: the system does not say. */
unsigned os_columns(int file);
/* Nanoseconds since some moment. */
uint64_t os_now(void);
void os_sleep(unsigned milliseconds);
/* No other process that runs on this machine has this number. */
unsigned long os_process(void);
unsigned os_processors(void);

/* For this process; without a value it is gone. */
void os_set_environment(const char *name, const char *value);

/* --- threads ---------------------------------------------------------------------------------- */

/* They stand in an arena, which outlives their use.  All but a thread are there when they are made. */
struct os_lock;
struct os_bell; /* for what is waited for under a lock */
struct os_thread;

struct os_lock *os_lock_make(struct arena *);
void os_lock_take(struct os_lock *);
void os_lock_give(struct os_lock *);
struct os_bell *os_bell_make(struct arena *);
/* Gives the lock while it waits; may return before the bell rings. */
void os_bell_wait(struct os_bell *, struct os_lock *);
void os_bell_wait_for(struct os_bell *, struct os_lock *, unsigned milliseconds);
void os_bell_ring(struct os_bell *); /* for all who wait */
/* NULL: the system has no room for it. */
struct os_thread *os_thread_start(struct arena *, void (*run)(void *), void *with);
void os_thread_join(struct os_thread *);

/* Between these two `long double` has all of its digits in this thread; `before` is what the first one returned.  Windows begins
 * threads with those of `double`, but for ours. */
unsigned os_take_precision(void);
void os_give_precision(unsigned before);

/* --- what ends the process ---------------------------------------------------------------------- */

/* Between these two what would end the process waits; `before` is what the first one returned. */
unsigned os_hold_ends(void);
void os_let_ends(unsigned before);

/* Calls `first`, with the number of what came, when something would end the process, and `second` when it comes again; after that it
 * ends.  Threads that are started afterwards are not disturbed.  NULL: there is no room. */
struct os_watch;
struct os_watch *os_watch_ends(struct arena *, void (*first)(void *, int), void (*second)(void *), void *with);
void os_watch_stop(struct os_watch *);
/* Ends the process as what `first` was told would have. */
void os_end_by(int number);

/* --- a child --------------------------------------------------------------------------------- */

/* What a child runs: it reads standard input, and writes to the two streams. */
typedef int os_child_work(int argc, char **argv, FILE *out, FILE *said);

enum os_child_end {
	OS_CHILD_DONE,     /* `work` returned 0 */
	OS_CHILD_REFUSED,  /* there is no room for a process */
	OS_CHILD_SLOW,     /* it took longer than it may */
	OS_CHILD_STATUS,   /* it ended with another status */
	OS_CHILD_FAILED,   /* anything else, among it that it used more memory than it may */
};
struct os_child {
	os_child_work *work;
	int argc;
	char **argv;
	FILE *in, *out, *said;         /* regular files; what the child wrote stands in the last two */
	unsigned most_seconds;         /* of the processor's time; twice that in all */
	unsigned long long most_bytes; /* of memory, beside what the process has already; 0: no limit */
	int status;                    /* with OS_CHILD_STATUS */
};
/* The work runs in a process of its own, where it may change and break what it likes.  Standard output and messages of the child go
 * nowhere.  What this process means to finish when it is told to end, the child finishes, too. */
enum os_child_end os_run_child(struct os_child *);
/* Ends a child from within. */
_Noreturn void os_child_exit(int status);
/* A nameless file that is gone when it is closed; NULL: errno. */
FILE *os_temporary(void);

/* --- another command -------------------------------------------------------------------------- */

/* A command that stands beside this one, or on PATH; NULL: there is none. */
const char *os_find_command(struct arena *, const char *name);
/* It runs until its standard input ends, which is a pipe from here, as its standard output is one to here.  Standard error is ours.
 * A terminal that ends us does not end it.  The words have no blanks.  NULL: errno. */
struct os_command;
struct os_command *os_command_begin(const char *path, const char *const *words, unsigned n);
/* False: it has ended. */
bool os_command_write(struct os_command *, const void *from, size_t n);
/* Its next line, without the end, and without what is more than n - 1 bytes.  False: it has ended. */
bool os_command_read(struct os_command *, char *to, size_t n);
/* Waits for its end; its status, or -1 if something else ended it. */
int os_command_end(struct os_command *);

/* First in main: makes the arguments UTF-8 and the standard files plain bytes.  Where the system cannot double a process, a child is
 * this command begun anew: then the work is done here and the process ends. */
void os_begin(int *argc, char ***argv, os_child_work *);

#endif
