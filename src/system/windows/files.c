/* Files and folders of Windows, see system/files.h.
 *
 * A file is a number of the C library for a handle of Windows.  Files are opened so that other processes may read, replace and remove
 * them, as on POSIX systems. */
#include "system/files.h"

#include "system/windows/wide.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };
/* Virus scanners keep new files open for a moment, so an operation that fails for that reason is tried again. */
enum { MOST_RETRIES = 20, RETRY_AFTER = 25 /* ms */ };

const char *os_error(int error)
{
	return error == EBUSY ? "another program has it open" : strerror(error);
}

/* --- facts about files -------------------------------------------------------------------- */

static HANDLE file_handle(int file)
{
	return (HANDLE)_get_osfhandle(file);
}

/* Opens the file or folder of a path; returns INVALID_HANDLE_VALUE if it fails, for the reason in errno. */
static HANDLE open_path(const char *path, DWORD rights, DWORD how, DWORD flags)
{
	wchar_t *wide = wide_path(path);
	if (!wide)
		return INVALID_HANDLE_VALUE;
	HANDLE h = CreateFileW(wide, rights, SHARE_ALL, NULL, how, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
	if (h == INVALID_HANDLE_VALUE)
		wide_failed();
	free(wide);
	return h;
}

/* Returns true for a symbolic link or a mount point, which POSIX would regard as links. */
static bool is_link(HANDLE h)
{
	FILE_ATTRIBUTE_TAG_INFO tag;
	return GetFileInformationByHandleEx(h, FileAttributeTagInfo, &tag, sizeof tag) && tag.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
	       (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

static uint64_t join_words(DWORD high, DWORD low)
{
	return (uint64_t)high << 32 | low;
}

/* Sets the time of the last change; Windows counts units of 100 ns from the year 1601. */
static void set_moment(struct os_facts *f, FILETIME t)
{
	uint64_t const ticks = join_words(t.dwHighDateTime, t.dwLowDateTime);
	f->seconds = (int64_t)(ticks / 10000000) - INT64_C(11644473600);
	f->nanoseconds = (int64_t)(ticks % 10000000) * 100;
}

/* Describes a file that has no name, for example a standard file in Wine. */
static bool facts_of_nameless(HANDLE h, struct os_facts *f)
{
	FILE_STANDARD_INFO standard;
	FILE_BASIC_INFO basic;
	if (!GetFileInformationByHandleEx(h, FileStandardInfo, &standard, sizeof standard) ||
	    !GetFileInformationByHandleEx(h, FileBasicInfo, &basic, sizeof basic))
		return wide_failed();
	f->kind = standard.Directory ? OS_FOLDER : OS_REGULAR;
	f->size = (uint64_t)standard.EndOfFile.QuadPart;
	set_moment(f, (FILETIME){basic.LastWriteTime.LowPart, (DWORD)basic.LastWriteTime.HighPart});
	return true;
}

static bool facts_of(HANDLE h, struct os_facts *f)
{
	BY_HANDLE_FILE_INFORMATION info;
	DWORD const type = GetFileType(h);
	*f = (struct os_facts){.kind = type == FILE_TYPE_PIPE ? OS_PIPE : OS_OTHER, .mode = 0666};
	f->number = (uint64_t)(uintptr_t)h; /* for a file without a name Windows gives no number, so each handle counts as another file */
	if (type != FILE_TYPE_DISK) {
		if (type == FILE_TYPE_UNKNOWN && GetLastError() != NO_ERROR)
			return wide_failed();
		return true;
	}
	if (!GetFileInformationByHandle(h, &info))
		return facts_of_nameless(h, f);
	f->kind = is_link(h) ? OS_LINK : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? OS_FOLDER : OS_REGULAR;
	f->device = info.dwVolumeSerialNumber;
	f->number = join_words(info.nFileIndexHigh, info.nFileIndexLow);
	f->size = join_words(info.nFileSizeHigh, info.nFileSizeLow);
	f->mode = info.dwFileAttributes & FILE_ATTRIBUTE_READONLY ? 0444 : 0666;
	set_moment(f, info.ftLastWriteTime);
	return true;
}

static bool facts_at(const char *path, DWORD flags, struct os_facts *f)
{
	HANDLE h = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, flags);
	if (h == INVALID_HANDLE_VALUE)
		return false;
	bool const known = facts_of(h, f);
	CloseHandle(h);
	return known;
}

bool os_facts(const char *path, struct os_facts *f)
{
	return facts_at(path, 0, f);
}

bool os_facts_of_link(const char *path, struct os_facts *f)
{
	return facts_at(path, FILE_FLAG_OPEN_REPARSE_POINT, f);
}

bool os_facts_of(int file, struct os_facts *f)
{
	return facts_of(file_handle(file), f);
}

bool os_same_file(const struct os_facts *x, const struct os_facts *y)
{
	return x->device == y->device && x->number == y->number;
}

static DWORD attributes_of(const char *path)
{
	wchar_t *wide = wide_path(path);
	DWORD const attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
	if (wide && attributes == INVALID_FILE_ATTRIBUTES)
		wide_failed();
	free(wide);
	return attributes;
}

bool os_is_there(const char *path)
{
	return attributes_of(path) != INVALID_FILE_ATTRIBUTES;
}

bool os_may_write(const char *path)
{
	DWORD const attributes = attributes_of(path);
	if (attributes == INVALID_FILE_ATTRIBUTES)
		return false;
	errno = EACCES;
	return attributes & FILE_ATTRIBUTE_DIRECTORY || !(attributes & FILE_ATTRIBUTE_READONLY);
}

char *os_real_path(struct arena *a, const char *path)
{
	HANDLE h = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, 0);
	if (h == INVALID_HANDLE_VALUE)
		return NULL;
	DWORD const n = GetFinalPathNameByHandleW(h, NULL, 0, FILE_NAME_NORMALIZED);
	wchar_t *wide = n ? malloc((n + 1) * sizeof *wide) : NULL;
	char *real = NULL;
	if (wide && GetFinalPathNameByHandleW(h, wide, n + 1, FILE_NAME_NORMALIZED) <= n)
		real = wide_path_back(a, wide);
	else
		wide_failed();
	free(wide);
	CloseHandle(h);
	return real;
}

bool os_names_open_file(const char *path)
{
	return strncmp(path, "//./", 4) == 0 || strncmp(path, "\\\\.\\", 4) == 0;
}

/* --- reading and writing ------------------------------------------------------------------- */

/* Returns the C library's number for a handle; if it fails, closes the handle and returns -1, with the reason in errno. */
static int number_for(HANDLE h, int flags)
{
	int const file = h == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)h, flags | _O_BINARY | _O_NOINHERIT);
	if (file < 0 && h != INVALID_HANDLE_VALUE)
		CloseHandle(h);
	return file;
}

int os_open(const char *path, enum os_open how)
{
	switch (how) {
	case OS_READ:
	case OS_PEEK:
		return number_for(open_path(path, GENERIC_READ, OPEN_EXISTING, 0), _O_RDONLY);
	case OS_APPEND:
		/* A device has no end to append at. */
		if (attributes_of(path) & FILE_ATTRIBUTE_DEVICE || os_names_open_file(path))
			return number_for(open_path(path, GENERIC_WRITE, OPEN_EXISTING, 0), _O_WRONLY);
		return number_for(open_path(path, FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE, OPEN_EXISTING, 0), _O_WRONLY | _O_APPEND);
	case OS_CREATE:
		return number_for(open_path(path, GENERIC_WRITE | FILE_READ_ATTRIBUTES, CREATE_NEW, 0), _O_WRONLY);
	}
	errno = EINVAL;
	return -1;
}

bool os_close(int file)
{
	return _close(file) == 0;
}

enum { MOST_AT_ONCE = 1 << 20 };

ptrdiff_t os_read(int file, void *to, size_t n)
{
	DWORD got = 0;
	if (ReadFile(file_handle(file), to, n < MOST_AT_ONCE ? (DWORD)n : MOST_AT_ONCE, &got, NULL))
		return (ptrdiff_t)got;
	/* A pipe ends when its writer has closed it. */
	if (GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF)
		return 0;
	wide_failed();
	return -1;
}

bool os_write(int file, const void *from, size_t n)
{
	for (const char *at = from; n;) {
		DWORD put = 0;
		if (!WriteFile(file_handle(file), at, n < MOST_AT_ONCE ? (DWORD)n : MOST_AT_ONCE, &put, NULL))
			return wide_failed();
		at += put;
		n -= put;
	}
	return true;
}

bool os_flush(int file)
{
	return FlushFileBuffers(file_handle(file)) || wide_failed();
}

int os_again(int file)
{
	HANDLE h, self = GetCurrentProcess();
	if (DuplicateHandle(self, file_handle(file), self, &h, 0, FALSE, DUPLICATE_SAME_ACCESS))
		return number_for(h, 0);
	wide_failed();
	return -1;
}

FILE *os_stream(int file)
{
	return _fdopen(file, "wb");
}

FILE *os_open_stream(const char *path)
{
	struct os_facts facts;
	int const file = os_open(path, OS_READ);
	if (file < 0)
		return NULL;
	bool const folder = os_facts_of(file, &facts) && facts.kind == OS_FOLDER;
	FILE *f = folder ? NULL : _fdopen(file, "rb");
	if (!f)
		_close(file);
	if (folder)
		errno = EISDIR;
	return f;
}

/* Changes nothing: the only permission on Windows is to write, and files that may not be written are never replaced. */
void os_set_mode(int file, const struct os_facts *f)
{
	(void)file, (void)f;
}

/* --- names ---------------------------------------------------------------------------------- */

/* Calls `act` with one path or two (`y` may be NULL); tries again for a while if another program has the file open. */
static bool act_on_paths(const char *x, const char *y, BOOL (*act)(const wchar_t *, const wchar_t *))
{
	wchar_t *from = wide_path(x), *to = y ? wide_path(y) : NULL;
	bool done = false;
	for (int n = 0; from && (to || !y); n++) {
		done = act(from, to);
		if (done)
			break;
		DWORD const why = GetLastError();
		wide_failed();
		if (why != ERROR_SHARING_VIOLATION || n == MOST_RETRIES)
			break;
		Sleep(RETRY_AFTER);
	}
	int const error = errno;
	free(from);
	free(to);
	errno = error;
	return done;
}

static BOOL act_remove(const wchar_t *path, const wchar_t *none)
{
	(void)none;
	return DeleteFileW(path);
}

/* Renames a file.  MoveFileExW() reports the same error for a file that may not be replaced and one that another program has open.  So this
 * tries to open `to` for removal, which tells them apart. */
static BOOL act_rename(const wchar_t *from, const wchar_t *to)
{
	if (MoveFileExW(from, to, MOVEFILE_REPLACE_EXISTING))
		return TRUE;
	DWORD const why = GetLastError();
	if (why != ERROR_ACCESS_DENIED)
		return FALSE;
	HANDLE h = CreateFileW(to, DELETE, SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);
	if (h != INVALID_HANDLE_VALUE)
		CloseHandle(h);
	bool const busy = h == INVALID_HANDLE_VALUE && GetLastError() == ERROR_SHARING_VIOLATION;
	SetLastError(busy ? ERROR_SHARING_VIOLATION : why);
	return FALSE;
}

static BOOL act_make_folder(const wchar_t *path, const wchar_t *none)
{
	(void)none;
	return CreateDirectoryW(path, NULL);
}

bool os_remove(const char *path)
{
	return act_on_paths(path, NULL, act_remove);
}

bool os_rename(const char *from, const char *to)
{
	return act_on_paths(from, to, act_rename);
}

bool os_make_folder(const char *path)
{
	return act_on_paths(path, NULL, act_make_folder);
}

/* --- folders -------------------------------------------------------------------------------- */

struct os_folder {
	HANDLE find; /* handle of the search; INVALID_HANDLE_VALUE before the first entry */
	WIN32_FIND_DATAW data;
	char *name; /* the name of the last entry, in UTF-8 */
	struct os_entry entry;
	char path[];
};

struct os_folder *os_folder_open(const char *path)
{
	struct os_facts facts;
	if (!os_facts(path, &facts))
		return NULL;
	if (facts.kind != OS_FOLDER) {
		errno = ENOTDIR;
		return NULL;
	}
	size_t const n = strlen(path);
	struct os_folder *f = calloc(1, sizeof *f + n + 1);
	if (f) {
		f->find = INVALID_HANDLE_VALUE;
		memcpy(f->path, path, n + 1);
	}
	return f;
}

static bool first_entry(struct os_folder *f)
{
	wchar_t *folder = wide_path(f->path);
	wchar_t *all = folder ? malloc((wcslen(folder) + 3) * sizeof *all) : NULL;
	if (all) {
		size_t const n = wcslen(folder);
		wcscat(wcscpy(all, folder), folder[n - 1] == L'\\' ? L"*" : L"\\*");
		f->find = FindFirstFileW(all, &f->data);
	}
	free(folder);
	free(all);
	return f->find != INVALID_HANDLE_VALUE;
}

const struct os_entry *os_folder_next(struct os_folder *f)
{
	bool there;
	do
		there = f->find == INVALID_HANDLE_VALUE ? first_entry(f) : FindNextFileW(f->find, &f->data);
	while (there && (wcscmp(f->data.cFileName, L".") == 0 || wcscmp(f->data.cFileName, L"..") == 0));
	free(f->name);
	f->name = there ? wide_to(f->data.cFileName) : NULL;
	if (!f->name)
		return NULL;
	bool const link = f->data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT &&
	                  (f->data.dwReserved0 == IO_REPARSE_TAG_SYMLINK || f->data.dwReserved0 == IO_REPARSE_TAG_MOUNT_POINT);
	f->entry = (struct os_entry){f->name, link ? OS_LINK : f->data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? OS_FOLDER : OS_REGULAR};
	return &f->entry;
}

bool os_folder_facts(struct os_folder *f, struct os_facts *facts)
{
	return os_facts(f->path, facts);
}

void os_folder_close(struct os_folder *f)
{
	if (f->find != INVALID_HANDLE_VALUE)
		FindClose(f->find);
	free(f->name);
	free(f);
}
