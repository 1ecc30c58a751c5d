/* UTF-16 and errors of Windows' functions, see wide.h. */
#include "system/windows/wide.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

wchar_t *wide_from(const char *utf8)
{
	int const n = MultiByteToWideChar(CP_UTF8, 0, utf8, -1, NULL, 0);
	wchar_t *wide = n > 0 ? malloc((size_t)n * sizeof *wide) : NULL;
	if (wide)
		MultiByteToWideChar(CP_UTF8, 0, utf8, -1, wide, n);
	return wide;
}

char *wide_to(const wchar_t *wide)
{
	int const n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *utf8 = n > 0 ? malloc((size_t)n) : NULL;
	if (utf8)
		WideCharToMultiByte(CP_UTF8, 0, wide, -1, utf8, n, NULL, NULL);
	return utf8;
}

/* Returns the value of errno by which POSIX reports an error of Windows; EIO if there is none that strerror() has words for. */
static int errno_from_code(DWORD code)
{
	static const struct { DWORD code; int error; } errors[] = {
		{ERROR_FILE_NOT_FOUND, ENOENT}, {ERROR_PATH_NOT_FOUND, ENOENT}, {ERROR_INVALID_NAME, ENOENT}, {ERROR_BAD_PATHNAME, ENOENT},
		{ERROR_INVALID_DRIVE, ENOENT}, {ERROR_BAD_NETPATH, ENOENT}, {ERROR_BAD_NET_NAME, ENOENT}, {ERROR_NO_MORE_FILES, ENOENT},
		{ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_ACCESS_DENIED, EACCES}, {ERROR_SHARING_VIOLATION, EBUSY}, {ERROR_LOCK_VIOLATION, EBUSY},
		{ERROR_USER_MAPPED_FILE, EBUSY}, {ERROR_WRITE_PROTECT, EROFS}, {ERROR_FILE_EXISTS, EEXIST}, {ERROR_ALREADY_EXISTS, EEXIST},
		{ERROR_DIR_NOT_EMPTY, ENOTEMPTY}, {ERROR_DIRECTORY, ENOTDIR}, {ERROR_NOT_SAME_DEVICE, EXDEV}, {ERROR_DISK_FULL, ENOSPC},
		{ERROR_HANDLE_DISK_FULL, ENOSPC}, {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_OUTOFMEMORY, ENOMEM}, {ERROR_INVALID_HANDLE, EBADF},
		{ERROR_BROKEN_PIPE, EPIPE}, {ERROR_NO_DATA, EPIPE}, {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG}, {ERROR_INVALID_PARAMETER, EINVAL},
		{ERROR_NOT_SUPPORTED, ENOTSUP}, {ERROR_INVALID_FUNCTION, ENOTSUP}, {ERROR_PRIVILEGE_NOT_HELD, EPERM}, {ERROR_DELETE_PENDING, EBUSY},
	};
	for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code)
			return errors[i].error;
	return EIO;
}

bool wide_failed(void)
{
	errno = errno_from_code(GetLastError());
	return false;
}
