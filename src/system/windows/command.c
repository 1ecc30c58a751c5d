/* Commands that this process starts, see system/process.h. */
#include "system/process.h"

#include "system/windows/child.h"
#include "system/windows/wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

struct os_command {
	HANDLE process, in;
	FILE *out;
};

const char *os_find_command(struct arena *a, const char *name)
{
	enum { LONGEST = 1 << 15 };
	wchar_t *own = arena_alloc(a, LONGEST * sizeof *own), *path = arena_alloc(a, LONGEST * sizeof *path), *base;
	wchar_t *file = wide_from(arena_printf(a, "%s.exe", name));
	DWORD found = 0, n = GetModuleFileNameW(NULL, own, LONGEST);
	wchar_t *slash = n && n < LONGEST ? wcsrchr(own, L'\\') : NULL;
	if (slash && file) {
		*slash = L'\0';
		found = SearchPathW(own, file, NULL, LONGEST, path, &base);
	}
	if (!found && file)
		found = SearchPathW(NULL, file, NULL, LONGEST, path, &base);
	free(file);
	return found && found < LONGEST ? wide_path_back(a, path) : NULL;
}

/* Returns the command line "PATH" WORD..., which the caller frees. */
static wchar_t *quote_command(const char *path, const char *const *words, unsigned n)
{
	size_t size = strlen(path) + 3;
	for (unsigned k = 0; k < n; k++)
		size += 1 + strlen(words[k]);
	char *line = malloc(size), *at = line;
	if (!line)
		return NULL;
	at += sprintf(at, "\"%s\"", path);
	for (unsigned k = 0; k < n; k++)
		at += sprintf(at, " %s", words[k]);
	wchar_t *wide = wide_from(line);
	free(line);
	return wide;
}

/* Makes a pipe of which the command inherits only one end, `theirs`. */
static bool make_inherited_pipe(HANDLE *theirs, HANDLE *ours, bool they_read)
{
	if (!(they_read ? CreatePipe(theirs, ours, NULL, 0) : CreatePipe(ours, theirs, NULL, 0)))
		return false;
	return SetHandleInformation(*theirs, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
}

static FILE *open_to_read(HANDLE h)
{
	int const file = _open_osfhandle((intptr_t)h, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
	return file < 0 ? NULL : _fdopen(file, "rb");
}

/* Starts the command in a process group of its own, so that it does not receive Ctrl-C. */
struct os_command *os_command_begin(const char *path, const char *const *words, unsigned n)
{
	HANDLE theirs[3] = {NULL}, out = NULL, self = GetCurrentProcess(), said = GetStdHandle(STD_ERROR_HANDLE);
	PROCESS_INFORMATION made;
	struct os_command *c = calloc(1, sizeof *c);
	wchar_t *exe = wide_from(path), *line = quote_command(path, words, n);
	bool begun = c && exe && line && make_inherited_pipe(&theirs[0], &c->in, true) && make_inherited_pipe(&theirs[1], &out, false);
	if (begun && said && !DuplicateHandle(self, said, self, &theirs[2], 0, TRUE, DUPLICATE_SAME_ACCESS))
		theirs[2] = NULL;
	STARTUPINFOW const how = {.hStdInput = theirs[0], .hStdOutput = theirs[1], .hStdError = theirs[2]};
	begun = begun && (c->out = open_to_read(out)) && child_create(exe, line, how, theirs, theirs[2] ? 3 : 2, CREATE_NEW_PROCESS_GROUP, &made);
	if (!begun)
		wide_failed();
	for (unsigned k = 0; k < 3; k++)
		if (theirs[k])
			CloseHandle(theirs[k]);
	free(exe);
	free(line);
	if (!begun) {
		free(c);
		return NULL;
	}
	CloseHandle(made.hThread);
	c->process = made.hProcess;
	return c;
}

bool os_command_write(struct os_command *c, const void *from, size_t n)
{
	const char *at = from;
	DWORD written;
	for (; n; at += written, n -= written)
		if (!WriteFile(c->in, at, n < 1 << 20 ? (DWORD)n : 1 << 20, &written, NULL))
			return wide_failed();
	return true;
}

bool os_command_read(struct os_command *c, char *to, size_t n)
{
	int next = 0;
	size_t at = 0;
	while ((next = getc(c->out)) != EOF && next != '\n')
		if (next != '\r' && at + 1 < n)
			to[at++] = (char)next;
	to[at] = '\0';
	return next == '\n';
}

int os_command_end(struct os_command *c)
{
	DWORD status = 0;
	CloseHandle(c->in);
	WaitForSingleObject(c->process, INFINITE);
	bool const told = GetExitCodeProcess(c->process, &status) && status < 256;
	CloseHandle(c->process);
	fclose(c->out);
	free(c);
	return told ? (int)status : -1;
}
