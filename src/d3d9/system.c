/* Reads and writes files, and prints messages, see system.h. */
#include "d3d9/system.h"

#include <stdarg.h>
#include <windows.h>

void say_error(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fputs("fpmove-d3d9: error: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

char *utf8(struct arena *a, const wchar_t *wide)
{
	int const n = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
	char *text = arena_zero(a, (size_t)n + 1);
	WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, n, NULL, NULL);
	return text;
}

static wchar_t *wide(struct arena *a, const char *text)
{
	int const n = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
	wchar_t *to = arena_zero(a, ((size_t)n + 1) * sizeof *to);
	MultiByteToWideChar(CP_UTF8, 0, text, -1, to, n);
	return to;
}

FILE *file_open(struct arena *a, const char *name, const char *mode)
{
	return _wfopen(wide(a, name), wide(a, mode));
}

char *file_read(struct arena *a, const char *name, size_t *size)
{
	FILE *f = file_open(a, name, "rb");
	char *text = NULL;
	long end;
	if (!f)
		return NULL;
	if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0) {
		text = arena_alloc(a, (size_t)end + 1);
		*size = fread(text, 1, (size_t)end, f);
		text[*size] = '\0';
	}
	fclose(f);
	return text;
}

bool file_write(struct arena *a, const char *name, const struct text *t)
{
	bool const out = strcmp(name, "-") == 0;
	FILE *f = out ? stdout : file_open(a, name, "wb");
	bool good = f && fwrite(t->at ? t->at : "", 1, t->n, f) == t->n;
	if (f && out)
		good = fflush(f) == 0 && good;
	else if (f)
		good = fclose(f) == 0 && good;
	if (!good)
		say_error("%s cannot be written", name);
	return good;
}

bool file_is_writable(struct arena *a, const char *name)
{
	const wchar_t *to = wide(a, name);
	bool const there = GetFileAttributesW(to) != INVALID_FILE_ATTRIBUTES;
	FILE *f = _wfopen(to, L"ab");
	if (!f) {
		say_error("%s cannot be written", name);
		return false;
	}
	fclose(f);
	if (!there)
		DeleteFileW(to);
	return true;
}

char *next_line(char **text)
{
	char *line = *text + strspn(*text, "\r\n");
	size_t const n = strcspn(line, "\r\n");
	if (!n)
		return NULL;
	*text = line + n + (line[n] != '\0');
	line[n] = '\0';
	return line;
}
