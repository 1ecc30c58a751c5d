/* A child process where there is no fork(), see system/process.h.
 *
 * The child is a new run of this command.  Its first argument is a name that no file can have; then follow the handles of two files that it
 * inherits.  The arguments of the child's work do not fit into a command line: the parent writes them to the file of the child's messages,
 * each with a zero byte.  A job limits the child's time and memory, and ends the child when this process ends. */
#include "system/windows/child.h"

#include "system/windows/wide.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static const char child_name[] = "fpmove:child";

enum { TAKEN, MADE, SAID, NFILES };
/* Exit codes of children.  The upper bits are set so that Windows uses none of these codes itself; STATUS_BITS hold the child's status. */
enum { CHILD_ENDED = 0x20660000, STATUS_BITS = 0xff, CHILD_BROKEN = 0x20650000 };

FILE *os_temporary(void)
{
	static const wchar_t name[] = L"fpmove-%lx-%llx.tmp";
	wchar_t path[MAX_PATH + 64];
	DWORD const n = GetTempPathW(MAX_PATH + 1, path);
	for (unsigned try = 0; n && n <= MAX_PATH && try < 100; try++) {
		LARGE_INTEGER now;
		QueryPerformanceCounter(&now);
		unsigned long long const moment = (unsigned long long)now.QuadPart ^ (unsigned long long)GetCurrentThreadId() << 40;
		swprintf(path + n, 64, name, GetCurrentProcessId(), moment + try);
		HANDLE h = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
		                       CREATE_NEW, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
		if (h == INVALID_HANDLE_VALUE && GetLastError() == ERROR_FILE_EXISTS)
			continue;
		int const file = h == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)h, _O_RDWR | _O_BINARY | _O_NOINHERIT);
		if (file >= 0)
			return _fdopen(file, "w+b");
		if (h != INVALID_HANDLE_VALUE)
			CloseHandle(h);
		break;
	}
	wide_failed();
	return NULL;
}

/* --- in the child --------------------------------------------------------------------------- */

void os_child_exit(int status)
{
	ExitProcess((UINT)(CHILD_ENDED | (status & STATUS_BITS)));
}

static _Noreturn void break_off(void)
{
	ExitProcess(CHILD_BROKEN);
}

static FILE *open_inherited(const char *handle, const char *how)
{
	int const file = _open_osfhandle((intptr_t)strtoull(handle, NULL, 16), _O_RDWR | _O_BINARY);
	FILE *f = file < 0 ? NULL : _fdopen(file, how);
	if (!f)
		break_off();
	return f;
}

/* Reads the arguments from the file, and empties it. */
static char **read_arguments(FILE *f, int argc)
{
	char **argv = calloc((size_t)argc + 1, sizeof *argv);
	long const size = fseek(f, 0, SEEK_END) == 0 ? ftell(f) : -1;
	char *text = size > 0 ? malloc((size_t)size) : NULL;
	rewind(f);
	if (!argv || !text || fread(text, 1, (size_t)size, f) != (size_t)size || text[size - 1])
		break_off();
	const char *end = text + size;
	for (int i = 0; i < argc; i++, text += strlen(text) + 1) {
		if (text >= end)
			break_off();
		argv[i] = text;
	}
	rewind(f);
	if (_chsize(_fileno(f), 0) != 0)
		break_off();
	return argv;
}

void child_begin(int argc, char **argv, os_child_work *work)
{
	if (argc != 2 + NFILES || strcmp(argv[1], child_name) != 0)
		return;
	FILE *out = open_inherited(argv[1 + MADE], "w+b"), *said = open_inherited(argv[1 + SAID], "w+b");
	int const n = atoi(argv[1 + NFILES]);
	char **args = read_arguments(said, n);
	if (fseek(stdin, 0, SEEK_SET) != 0)
		break_off();
	os_child_exit(work(n, args, out, said));
}

/* --- in the parent ----------------------------------------------------------------------------- */

static bool write_arguments(const struct os_child *c)
{
	for (int i = 0; i < c->argc; i++)
		if (fwrite(c->argv[i], 1, strlen(c->argv[i]) + 1, c->said) == 0)
			return false;
	return fflush(c->said) == 0;
}

/* Returns the child's command line, and in *exe the path of this command; NULL if there is no memory.  The caller frees both. */
static wchar_t *child_command_line(const HANDLE *files, int argc, wchar_t **exe)
{
	enum { LONGEST = 1 << 15 };
	*exe = malloc(LONGEST * sizeof **exe);
	wchar_t *line = malloc((LONGEST + 256) * sizeof *line);
	DWORD const n = *exe ? GetModuleFileNameW(NULL, *exe, LONGEST) : 0;
	if (!line || n == 0 || n >= LONGEST) {
		free(line);
		return NULL;
	}
	swprintf(line, LONGEST + 256, L"fpmove %hs %llx %llx %d", child_name, (unsigned long long)(uintptr_t)files[MADE],
	         (unsigned long long)(uintptr_t)files[SAID], argc);
	return line;
}

/* Creates a job with the child's limits; all processes in it end when its last handle is closed.  Returns NULL if it fails. */
static HANDLE job_for(const struct os_child *c)
{
	enum { OWN_BYTES = 64 << 20 /* memory of the command before the child's work begins */ };
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
	HANDLE job = CreateJobObjectW(NULL, NULL);
	limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_TIME |
	                                         JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
	limit.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = (LONGLONG)c->most_seconds * 10000000;
	if (c->most_bytes) {
		limit.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
		limit.ProcessMemoryLimit = (SIZE_T)c->most_bytes + OWN_BYTES;
	}
	if (job)
		SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
	return job;
}

bool child_create(const wchar_t *exe, wchar_t *line, STARTUPINFOW how, HANDLE *inherited, unsigned n, DWORD flags, PROCESS_INFORMATION *made)
{
	STARTUPINFOEXW start = {.StartupInfo = how};
	SIZE_T size = 0;
	start.StartupInfo.cb = sizeof start;
	start.StartupInfo.dwFlags |= STARTF_USESTDHANDLES;
	InitializeProcThreadAttributeList(NULL, 1, 0, &size);
	LPPROC_THREAD_ATTRIBUTE_LIST list = malloc(size);
	bool begun = list && InitializeProcThreadAttributeList(list, 1, 0, &size);
	if (begun) {
		start.lpAttributeList = list;
		begun = UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited, n * sizeof *inherited, NULL, NULL) &&
		        CreateProcessW(exe, line, NULL, NULL, TRUE, flags | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL, &start.StartupInfo, made);
		DeleteProcThreadAttributeList(list);
	}
	free(list);
	return begun;
}

/* Starts the child, which does not receive Ctrl-C, since it is detached from the terminal. */
static bool start_child(const struct os_child *c, HANDLE *files, HANDLE job, PROCESS_INFORMATION *made)
{
	STARTUPINFOW const how = {.hStdInput = files[TAKEN]};
	wchar_t *exe, *line = child_command_line(files, c->argc, &exe);
	bool const begun = line && child_create(exe, line, how, files, NFILES, CREATE_SUSPENDED | DETACHED_PROCESS, made);
	free(line);
	free(exe);
	if (!begun)
		return false;
	if (job)
		AssignProcessToJobObject(job, made->hProcess);
	ResumeThread(made->hThread);
	CloseHandle(made->hThread);
	return true;
}

static enum os_child_end wait_for_child(struct os_child *c, HANDLE process)
{
	DWORD status = 0;
	if (WaitForSingleObject(process, 2000 * c->most_seconds) == WAIT_TIMEOUT) {
		TerminateProcess(process, CHILD_BROKEN);
		WaitForSingleObject(process, INFINITE);
		return OS_CHILD_SLOW;
	}
	if (!GetExitCodeProcess(process, &status))
		return OS_CHILD_FAILED;
	if (status == ERROR_NOT_ENOUGH_QUOTA) /* the job ended it at its limit of processor time */
		return OS_CHILD_SLOW;
	if ((status & ~(DWORD)STATUS_BITS) != CHILD_ENDED)
		return OS_CHILD_FAILED;
	c->status = (int)(status & STATUS_BITS);
	return c->status ? OS_CHILD_STATUS : OS_CHILD_DONE;
}

enum os_child_end os_run_child(struct os_child *c)
{
	HANDLE files[NFILES] = {NULL}, self = GetCurrentProcess();
	FILE *const streams[NFILES] = {[TAKEN] = c->in, [MADE] = c->out, [SAID] = c->said};
	PROCESS_INFORMATION made;
	bool ready = write_arguments(c);
	for (int i = 0; ready && i < NFILES; i++)
		ready = DuplicateHandle(self, (HANDLE)_get_osfhandle(_fileno(streams[i])), self, &files[i], 0, TRUE, DUPLICATE_SAME_ACCESS);
	HANDLE job = ready ? job_for(c) : NULL;
	enum os_child_end end = OS_CHILD_REFUSED;
	if (ready && start_child(c, files, job, &made)) {
		end = wait_for_child(c, made.hProcess);
		CloseHandle(made.hProcess);
	}
	if (job)
		CloseHandle(job);
	for (int i = 0; i < NFILES; i++)
		if (files[i])
			CloseHandle(files[i]);
	return end;
}
