/* Paths behind \\?\, see wide.h, and paths with slashes, see system/files.h.
 *
 * Windows does not interpret a path behind \\?\: it may be long, and con.vsh is a file.  So this file does the steps that Windows does with
 * other paths: it puts the current folder in front, resolves "." and "..", and drops blanks and dots at the end of names. */
#include "system/files.h"
#include "system/windows/wide.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static bool is_slash(wchar_t c)
{
	return c == L'/' || c == L'\\';
}

static bool has_drive(const wchar_t *p)
{
	return ((p[0] >= L'A' && p[0] <= L'Z') || (p[0] >= L'a' && p[0] <= L'z')) && p[1] == L':';
}

/* Returns true if a name without a folder and an extension is one of Windows' names for devices. */
static bool is_device(const wchar_t *name)
{
	static const wchar_t *const devices[] = {L"con", L"nul", L"aux", L"prn", L"conin$", L"conout$"};
	for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++)
		if (_wcsicmp(name, devices[i]) == 0)
			return true;
	return wcslen(name) == 4 && name[3] >= L'1' && name[3] <= L'9' && (_wcsnicmp(name, L"com", 3) == 0 || _wcsnicmp(name, L"lpt", 3) == 0);
}

/* Returns the current folder, or if `drive` is not NULL, the current folder of that drive ("C:"). */
static wchar_t *current_folder(const wchar_t *drive)
{
	wchar_t const of_drive[] = {drive ? drive[0] : L'.', drive ? L':' : L'\0', L'\0'};
	DWORD const n = GetFullPathNameW(of_drive, 0, NULL, NULL);
	wchar_t *folder = n ? malloc(n * sizeof *folder) : NULL;
	if (folder && GetFullPathNameW(of_drive, n, folder, NULL) < n)
		return folder;
	free(folder);
	wide_failed();
	return NULL;
}

struct built {
	wchar_t *at;
	size_t n, root; /* ".." does not remove the first `root` characters */
};

static void append_wide(struct built *b, const wchar_t *s, size_t n)
{
	wmemcpy(b->at + b->n, s, n);
	b->n += n;
}

/* Adds the names of a path, which slashes of either kind separate; resolves "." and "..". */
static void add_names(struct built *b, const wchar_t *p)
{
	while (*p) {
		size_t part = 0, kept;
		while (p[part] && !is_slash(p[part]))
			part++;
		for (kept = part; kept && (p[kept - 1] == L'.' || p[kept - 1] == L' ');)
			kept--;
		if (part == 2 && p[0] == L'.' && p[1] == L'.') {
			while (b->n > b->root && b->at[--b->n] != L'\\')
				continue;
		} else if (kept) {
			b->at[b->n++] = L'\\';
			append_wide(b, p, kept);
		}
		p += part;
		p += *p != L'\0';
	}
}

/* Adds a path's drive, or its server and share, as the root; returns the rest of the path. */
static const wchar_t *add_root(struct built *b, const wchar_t *p)
{
	append_wide(b, L"\\\\?\\", 4);
	if (has_drive(p)) {
		append_wide(b, p, 2);
		b->root = b->n;
		return p + 2;
	}
	append_wide(b, L"UNC", 3);
	p += 2;
	for (int names = 0; names < 2; names++) {
		size_t part = 0;
		while (p[part] && !is_slash(p[part]))
			part++;
		b->at[b->n++] = L'\\';
		append_wide(b, p, part);
		p += part;
		while (is_slash(*p))
			p++;
	}
	b->root = b->n;
	return p;
}

/* Builds the path behind \\?\; `folder` is the current folder if path `p` is relative, otherwise NULL. */
static wchar_t *build_literal_path(const wchar_t *folder, const wchar_t *p)
{
	struct built b = {.at = malloc((16 + (folder ? wcslen(folder) : 0) + wcslen(p)) * sizeof(wchar_t))};
	if (!b.at) {
		errno = ENOMEM;
		return NULL;
	}
	if (!folder) {
		p = add_root(&b, p);
	} else {
		const wchar_t *rest = add_root(&b, folder);
		if (!is_slash(p[0]))
			add_names(&b, rest);
		if (has_drive(p))
			p += 2;
	}
	add_names(&b, p);
	if (b.n == b.root)
		b.at[b.n++] = L'\\';
	b.at[b.n] = L'\0';
	return b.at;
}

static wchar_t *device_path(const wchar_t *name)
{
	wchar_t *path = malloc((wcslen(name) + 5) * sizeof *path);
	if (path)
		wcscat(wcscpy(path, L"\\\\.\\"), name);
	return path;
}

/* Returns true if the path begins with \\?\ or \\.\, written with slashes of either kind. */
static bool is_literal_path(const wchar_t *p)
{
	return is_slash(p[0]) && is_slash(p[1]) && (p[2] == L'?' || p[2] == L'.') && is_slash(p[3]);
}

static wchar_t *with_backslashes(wchar_t *path)
{
	for (wchar_t *p = path; *p; p++)
		if (*p == L'/')
			*p = L'\\';
	return path;
}

wchar_t *wide_path(const char *path)
{
	wchar_t *given = wide_from(path), *built = NULL, *folder = NULL;
	if (!given || !*given) {
		errno = given ? ENOENT : ENOMEM;
		free(given);
		return NULL;
	}
	if (is_literal_path(given))
		return with_backslashes(given);
	bool const rooted = (is_slash(given[0]) && is_slash(given[1])) || (has_drive(given) && is_slash(given[2]));
	if (is_device(given))
		built = device_path(given);
	else if (rooted || (folder = current_folder(has_drive(given) ? given : NULL)) != NULL)
		built = build_literal_path(folder, given);
	free(folder);
	free(given);
	return built;
}

char *wide_path_back(struct arena *a, const wchar_t *path)
{
	bool const unc = wcsncmp(path, L"\\\\?\\UNC\\", 8) == 0;
	if (unc)
		path += 6;
	else if (wcsncmp(path, L"\\\\?\\", 4) == 0)
		path += 4;
	char *utf8 = wide_to(path), *back = NULL;
	if (utf8) {
		back = arena_copy(a, utf8, strlen(utf8));
		for (char *p = back; *p; p++)
			if (*p == '\\')
				*p = '/';
		if (unc)
			back[0] = '/';
	}
	free(utf8);
	return back;
}

/* --- paths with slashes ------------------------------------------------------------------------ */

const char *os_path_given(struct arena *a, const char *path)
{
	if (!strchr(path, '\\'))
		return path;
	char *given = arena_copy(a, path, strlen(path));
	for (char *p = given; *p; p++)
		if (*p == '\\')
			*p = '/';
	return given;
}

/* Returns the length of the first name and the slashes behind it. */
static size_t name_length(const char *path)
{
	size_t const n = strcspn(path, "/");
	return n + strspn(path + n, "/");
}

size_t os_root(const char *path)
{
	if (((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':')
		return 2 + (path[2] == '/');
	if (path[0] != '/' || path[1] != '/')
		return path[0] == '/';
	/* //server/share/, or //?/C:/ */
	size_t const server = 2 + name_length(path + 2);
	return server + name_length(path + server);
}

static unsigned upper(char c)
{
	return c >= 'a' && c <= 'z' ? (unsigned)(c - 'a' + 'A') : (unsigned char)c;
}

/* Compares without regard to case, by Windows' own table of capitals. */
static int compare_wide(const char *x, const char *y)
{
	wchar_t *first = wide_from(x), *second = wide_from(y);
	int order = strcmp(x, y);
	if (first && second)
		order = CompareStringOrdinal(first, -1, second, -1, TRUE) - CSTR_EQUAL;
	free(first);
	free(second);
	return order;
}

int os_compare_names(const char *x, const char *y, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned const c = upper(x[i]), d = upper(y[i]);
		if (c != d && (c >= 0x80 || d >= 0x80))
			return compare_wide(x, y);
		if (c != d || !c)
			return (c > d) - (c < d);
	}
	return 0;
}
