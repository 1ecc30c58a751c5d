/* Splits and joins paths as text, without looking at the files, see files.h. */
#include "cli/files.h"

#include "system/files.h"

#include <string.h>

const char *file_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t const root = os_root(path), folder = slash ? (size_t)(slash + 1 - path) : 0;
	return path + (root > folder ? root : folder);
}

bool file_same_folder(const char *a, const char *b)
{
	size_t n = (size_t)(file_base(a) - a);
	return (size_t)(file_base(b) - b) == n && os_compare_names(a, b, n) == 0;
}

const char *file_join(struct arena *a, const char *dir, const char *name)
{
	size_t n = strlen(dir), more = strlen(name);
	char *path = arena_alloc(a, n + more + 2);
	memcpy(path, dir, n);
	if (n == 0 || dir[n - 1] != '/')
		path[n++] = '/';
	memcpy(path + n, name, more + 1);
	return path;
}
