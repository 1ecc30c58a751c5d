/* A child process where there is no fork(), see system/process.h.
 *
 * The child is a new run of this command.  Its argument is a name that no file can have.  A job limits the child's time and memory, and ends
 * the child when this process ends. */
#include "system/windows/child.h"

#include "system/windows/wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static const char child_name[] = "fpmove:child";

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

void child_begin(int argc, char **argv, os_child_work *work)
{
	if (argc != 2 || strcmp(argv[1], child_name) != 0)
		return;
	if (fseek(stdin, 0, SEEK_SET) == 0 && _putenv_s("LC_ALL", "C") == 0)
		work();
	ExitProcess(0);
}

/* Creates a job with the child's limits; all processes in it end when its last handle is closed.  Returns NULL if it fails. */
static HANDLE job_for(unsigned most_seconds, unsigned long long most_bytes)
{
	enum { OWN_BYTES = 64 << 20 /* memory of the command before the child's work begins */ };
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
	HANDLE job = CreateJobObjectW(NULL, NULL);
	limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_PROCESS_TIME |
	                                         JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION;
	limit.BasicLimitInformation.PerProcessUserTimeLimit.QuadPart = (LONGLONG)most_seconds * 10000000;
	if (most_bytes) {
		limit.BasicLimitInformation.LimitFlags |= JOB_OBJECT_LIMIT_PROCESS_MEMORY;
		limit.ProcessMemoryLimit = (SIZE_T)most_bytes + OWN_BYTES;
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
static bool start_child(HANDLE in, PROCESS_INFORMATION *made)
{
	enum { LONGEST = 1 << 15 };
	wchar_t line[64], *exe = malloc(LONGEST * sizeof *exe);
	DWORD const n = exe ? GetModuleFileNameW(NULL, exe, LONGEST) : 0;
	STARTUPINFOW const how = {.hStdInput = in};
	swprintf(line, 64, L"fpmove %hs", child_name);
	bool const begun = n && n < LONGEST && child_create(exe, line, how, &in, 1, CREATE_SUSPENDED | DETACHED_PROCESS, made);
	free(exe);
	return begun;
}

bool os_run_child(os_child_work *work, FILE *file, unsigned most_seconds, unsigned long long most_bytes)
{
	HANDLE in, self = GetCurrentProcess();
	PROCESS_INFORMATION made;
	(void)work; /* the new process gets its work from os_begin() */
	if (!DuplicateHandle(self, (HANDLE)_get_osfhandle(_fileno(file)), self, &in, 0, TRUE, DUPLICATE_SAME_ACCESS))
		return false;
	bool const begun = start_child(in, &made);
	CloseHandle(in);
	if (!begun)
		return false;
	HANDLE job = job_for(most_seconds, most_bytes);
	if (job)
		AssignProcessToJobObject(job, made.hProcess);
	ResumeThread(made.hThread);
	CloseHandle(made.hThread);
	if (WaitForSingleObject(made.hProcess, 2000 * most_seconds) == WAIT_TIMEOUT) {
		TerminateProcess(made.hProcess, 1);
		WaitForSingleObject(made.hProcess, INFINITE);
	}
	CloseHandle(made.hProcess);
	if (job)
		CloseHandle(job);
	return true;
}
