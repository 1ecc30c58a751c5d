/* The process on Windows, see system/process.h. */
#include "system/process.h"

#include "system/windows/child.h"
#include "system/windows/wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <time.h>
#include <windows.h>

/* --- terminal and clock ---------------------------------------------------------------------- */

static HANDLE terminal_handle(int file)
{
	return (HANDLE)_get_osfhandle(file);
}

/* Returns true for a terminal; for output, only if it interprets ANSI escape sequences, which os_begin() enables. */
bool os_is_terminal(int file)
{
	DWORD mode;
	return GetConsoleMode(terminal_handle(file), &mode) && (file == 0 || mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

unsigned os_columns(int file)
{
	CONSOLE_SCREEN_BUFFER_INFO info;
	return GetConsoleScreenBufferInfo(terminal_handle(file), &info) ? (unsigned)(info.srWindow.Right - info.srWindow.Left + 1) : 0;
}

uint64_t os_now(void)
{
	LARGE_INTEGER ticks, rate;
	QueryPerformanceCounter(&ticks);
	QueryPerformanceFrequency(&rate);
	uint64_t const t = (uint64_t)ticks.QuadPart, second = (uint64_t)rate.QuadPart;
	return t / second * 1000000000u + t % second * 1000000000u / second;
}

uint64_t os_seconds(void)
{
	return (uint64_t)time(NULL);
}

unsigned long os_process(void)
{
	return GetCurrentProcessId();
}

unsigned os_processors(void)
{
	DWORD const n = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
	return n ? (unsigned)n : 1;
}

/* --- threads ---------------------------------------------------------------------------------- */

struct os_lock {
	SRWLOCK lock;
};
struct os_bell {
	CONDITION_VARIABLE rings;
};
struct os_thread {
	HANDLE handle;
	void (*run)(void *);
	void *with;
};

struct os_lock *os_lock_make(struct arena *a)
{
	struct os_lock *l = arena_zero(a, sizeof *l);
	InitializeSRWLock(&l->lock);
	return l;
}

void os_lock_take(struct os_lock *l)
{
	AcquireSRWLockExclusive(&l->lock);
}

void os_lock_give(struct os_lock *l)
{
	ReleaseSRWLockExclusive(&l->lock);
}

struct os_bell *os_bell_make(struct arena *a)
{
	struct os_bell *b = arena_zero(a, sizeof *b);
	InitializeConditionVariable(&b->rings);
	return b;
}

void os_bell_wait(struct os_bell *b, struct os_lock *l)
{
	SleepConditionVariableSRW(&b->rings, &l->lock, INFINITE, 0);
}

void os_bell_wait_for(struct os_bell *b, struct os_lock *l, unsigned milliseconds)
{
	SleepConditionVariableSRW(&b->rings, &l->lock, milliseconds, 0);
}

void os_bell_ring(struct os_bell *b)
{
	WakeAllConditionVariable(&b->rings);
}

/* The field of the x87's control word that sets the precision: both bits set mean 64 binary digits. */
enum { ALL_DIGITS = 0x300 };

unsigned os_take_precision(void)
{
	uint16_t before;
	__asm__ volatile("fnstcw %0" : "=m"(before));
	os_give_precision(before | ALL_DIGITS);
	return before;
}

void os_give_precision(unsigned before)
{
	uint16_t const word = (uint16_t)before;
	__asm__ volatile("fldcw %0" : : "m"(word));
}

static DWORD WINAPI call_with_precision(void *thread)
{
	const struct os_thread *t = thread;
	os_take_precision();
	t->run(t->with);
	return 0;
}

/* The stack of a thread, as large as on Linux. */
enum { STACK = 8 << 20 };

struct os_thread *os_thread_start(struct arena *a, void (*run)(void *), void *with)
{
	struct os_thread *t = arena_zero(a, sizeof *t);
	t->run = run;
	t->with = with;
	t->handle = CreateThread(NULL, STACK, call_with_precision, t, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
	return t->handle ? t : NULL;
}

void os_thread_join(struct os_thread *t)
{
	WaitForSingleObject(t->handle, INFINITE);
	CloseHandle(t->handle);
}

/* --- signals that end the process ----------------------------------------------------------------- */

struct os_watch {
	HANDLE thread, came; /* `came` is a semaphore that counts the requests to end the process */
	bool stopped;
	void (*first)(void *, int), (*second)(void *);
	void *with;
};

/* Global state, since Windows passes no data of ours to the function that it calls when the process is to end. */
static struct {
	SRWLOCK held;     /* locked shared between os_hold_ends() and os_let_ends(), and exclusively to end the process */
	SRWLOCK watching; /* protects `watch` */
	struct os_watch *watch;
} ends = {SRWLOCK_INIT, SRWLOCK_INIT, NULL};

static const UINT ended_by_ctrl_c = 0xc000013a;

static _Noreturn void end_process(void)
{
	AcquireSRWLockExclusive(&ends.held);
	ExitProcess(ended_by_ctrl_c);
}

static bool tell_watch(void)
{
	AcquireSRWLockShared(&ends.watching);
	bool const watched = ends.watch != NULL;
	if (watched)
		ReleaseSemaphore(ends.watch->came, 1, NULL);
	ReleaseSRWLockShared(&ends.watching);
	return watched;
}

/* Passes Ctrl-C and the like to the watch, or ends the process if there is none.  When a window is closed or a user logs off, Windows ends the
 * process as soon as this function returns, or after some seconds; so it does not return then. */
static BOOL WINAPI handle_end_request(DWORD how)
{
	if (!tell_watch())
		end_process();
	if (how != CTRL_C_EVENT && how != CTRL_BREAK_EVENT)
		Sleep(INFINITE);
	return TRUE;
}

unsigned os_hold_ends(void)
{
	AcquireSRWLockShared(&ends.held);
	return 1;
}

void os_let_ends(unsigned before)
{
	if (before)
		ReleaseSRWLockShared(&ends.held);
}

/* The number of SIGINT, as which every request to end the process is reported. */
enum { INTERRUPT = 2 };

static DWORD WINAPI wait_for_requests(void *watch)
{
	struct os_watch *w = watch;
	WaitForSingleObject(w->came, INFINITE);
	if (w->stopped)
		return 0;
	w->first(w->with, INTERRUPT);
	WaitForSingleObject(w->came, INFINITE);
	if (w->stopped)
		return 0;
	w->second(w->with);
	end_process();
}

static void set_watch(struct os_watch *w)
{
	AcquireSRWLockExclusive(&ends.watching);
	ends.watch = w;
	ReleaseSRWLockExclusive(&ends.watching);
}

struct os_watch *os_watch_ends(struct arena *a, void (*first)(void *, int), void (*second)(void *), void *with)
{
	struct os_watch *w = arena_zero(a, sizeof *w);
	w->first = first;
	w->second = second;
	w->with = with;
	w->came = CreateSemaphoreW(NULL, 0, 1 << 20, NULL);
	w->thread = w->came ? CreateThread(NULL, 0, wait_for_requests, w, 0, NULL) : NULL;
	if (w->thread) {
		set_watch(w);
		return w;
	}
	if (w->came)
		CloseHandle(w->came);
	return NULL;
}

void os_watch_stop(struct os_watch *w)
{
	set_watch(NULL);
	w->stopped = true;
	ReleaseSemaphore(w->came, 1, NULL);
	WaitForSingleObject(w->thread, INFINITE);
	CloseHandle(w->thread);
	CloseHandle(w->came);
}

void os_end_by(int number)
{
	(void)number;
	end_process();
}

/* --- the start of the process -------------------------------------------------------------------- */

/* The last argument of __wgetmainargs(), which splits the command line into arguments; its fourth argument, 0, keeps it from expanding `*`. */
struct start_info {
	int new_mode;
};
__declspec(dllimport) int __cdecl __wgetmainargs(int *, wchar_t ***, wchar_t ***, int, struct start_info *);

/* Converts the arguments to UTF-8, whatever the code page is; leaves them as they are if there is no memory. */
static void take_arguments(int *argc, char ***argv)
{
	int n = 0;
	wchar_t **wide = NULL, **environment;
	struct start_info info = {0};
	char **args = __wgetmainargs(&n, &wide, &environment, 0, &info) == 0 ? calloc((size_t)n + 1, sizeof *args) : NULL;
	bool whole = args != NULL;
	for (int i = 0; whole && i < n; i++)
		whole = (args[i] = wide_to(wide[i])) != NULL;
	if (whole) {
		*argc = n;
		*argv = args;
		return;
	}
	for (int i = 0; args && i < n; i++)
		free(args[i]);
	free(args);
}

/* Sets the terminal to UTF-8 and ANSI escape sequences.  Both settings belong to the window and stay when the process ends; the next
 * program in it sets its own. */
static void prepare_terminal(void)
{
	DWORD mode;
	SetConsoleOutputCP(CP_UTF8);
	for (int file = 1; file <= 2; file++)
		if (GetConsoleMode(terminal_handle(file), &mode))
			SetConsoleMode(terminal_handle(file), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void os_begin(int *argc, char ***argv, os_child_work *work)
{
	for (int file = 0; file <= 2; file++)
		_setmode(file, _O_BINARY);
	/* Unbuffered, so that messages to a file stand in order with the output. */
	setvbuf(stderr, NULL, _IONBF, 0);
	child_begin(*argc, *argv, work);
	take_arguments(argc, argv);
	prepare_terminal();
	SetConsoleCtrlHandler(handle_end_request, TRUE);
}
