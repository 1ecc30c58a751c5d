/* The process: its arguments, terminal, clock, threads, the signals that end it, a child, and another command. */
#ifndef FPMOVE_SYSTEM_PROCESS_H
#define FPMOVE_SYSTEM_PROCESS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --- terminal and clock ---------------------------------------------------------------------- */

bool os_is_terminal(int file);
/* Returns the width of the terminal in characters; 0 if it is not known. */
unsigned os_columns(int file);
/* Returns the time in nanoseconds of a clock that never goes back and may start at any moment. */
uint64_t os_now(void);
/* Returns the seconds since the beginning of 1970, UTC. */
uint64_t os_seconds(void);
/* Returns the process id, which is unique among the processes that run on this machine. */
unsigned long os_process(void);
unsigned os_processors(void);

/* --- threads ---------------------------------------------------------------------------------- */

/* Locks, bells and threads are allocated from an arena that must outlive them.  Making a lock or a bell never fails. */
struct os_lock;
struct os_bell; /* a condition variable */
struct os_thread;

struct os_lock *os_lock_make(struct arena *);
void os_lock_take(struct os_lock *);
void os_lock_give(struct os_lock *);
struct os_bell *os_bell_make(struct arena *);
/* Waits until the bell rings, or for at most that time.  Releases the lock meanwhile, and takes it again; may return too early. */
void os_bell_wait(struct os_bell *, struct os_lock *);
void os_bell_wait_for(struct os_bell *, struct os_lock *, unsigned milliseconds);
/* Wakes all threads that wait for the bell. */
void os_bell_ring(struct os_bell *);
/* Starts a thread that calls run(with); returns NULL if the system cannot start one. */
struct os_thread *os_thread_start(struct arena *, void (*run)(void *), void *with);
void os_thread_join(struct os_thread *);

/* Between os_take_precision() and os_give_precision(), `long double` has its full precision in this thread; `before` is the result of
 * the former.  Windows begins threads with the precision of `double`; os_thread_start() sets the full one. */
unsigned os_take_precision(void);
void os_give_precision(unsigned before);

/* --- signals that end the process ----------------------------------------------------------------- */

/* Signals that would end the process (on Windows, Ctrl-C and the closing of the window) are deferred between os_hold_ends() and
 * os_let_ends(); `before` is the result of the former. */
unsigned os_hold_ends(void);
void os_let_ends(unsigned before);

/* Starts a thread that catches signals which would end the process, except those that it ignores (as by nohup).  At the first one the thread calls
 * first(with, number of the signal).  At the next one it waits until no thread is between os_hold_ends() and os_let_ends(), calls second(with) (on
 * Windows before the wait), and ends the process.  No thread that is started later receives these signals.  Returns NULL if the thread cannot
 * start. */
struct os_watch;
struct os_watch *os_watch_ends(struct arena *, void (*first)(void *, int), void (*second)(void *), void *with);
void os_watch_stop(struct os_watch *);
/* Ends the process as the signal of that number, which `first` received, would have; on Windows, as Ctrl-C would have. */
void os_end_by(int number);

/* --- a child --------------------------------------------------------------------------------- */

/* The work of a child process: it reads standard input, a regular file, and appends its result to that file. */
typedef void os_child_work(void);
/* Runs `work` in a process of its own, whose standard input is `file`, so that it may crash or change global state; waits for its end.
 * Returns false if no process can start.  Does not tell how the child ended.  The child is killed after `most_seconds` of processor time,
 * or twice as many seconds in all; `most_bytes` is a limit of memory in addition to the memory of this process, 0 if there is none.  The
 * child's standard output and standard error are discarded, and its environment has LC_ALL=C.  A signal that does not end this process (see
 * os_watch_ends) does not end the child, either. */
bool os_run_child(os_child_work *work, FILE *file, unsigned most_seconds, unsigned long long most_bytes);
/* Opens a temporary file without a name, which vanishes when it is closed; returns NULL if it fails. */
FILE *os_temporary(void);

/* --- another command -------------------------------------------------------------------------- */

/* Returns the path of a command in the folder of this one, or else on PATH; NULL if there is none. */
const char *os_find_command(struct arena *, const char *name);
/* Starts a command whose standard input and output are pipes from and to this process; it shares standard error.  It must end when its standard
 * input does.  Signals of the terminal, such as Ctrl-C, do not reach it.  The words may have no blanks.  Returns NULL if no process can start; on
 * POSIX, a file that cannot be executed shows only as exit status 127. */
struct os_command;
struct os_command *os_command_begin(const char *path, const char *const *words, unsigned n);
/* Writes to the command's standard input.  Returns false unless all bytes were written, as when the command has ended. */
bool os_command_write(struct os_command *, const void *from, size_t n);
/* Reads the next line of the command's output, without the line end, and cut to n - 1 bytes.  Returns false if the output ends before a line end. */
bool os_command_read(struct os_command *, char *to, size_t n);
/* Closes the command's standard input and waits for its end.  Returns its exit status, or -1 if it ended otherwise, as by a signal. */
int os_command_end(struct os_command *);

/* Must be the first call in main().  On Windows it makes the arguments UTF-8 and the standard files binary.  Since there is no fork()
 * there, a child is a new run of this command: in it, this function runs `work` and ends the process. */
void os_begin(int *argc, char ***argv, os_child_work *);

#endif
