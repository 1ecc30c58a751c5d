/* Reads and writes files, see files.h. */
#include "cli/files.h"

#include "cli/message.h"
#include "lang/binary_kind.h"
#include "lang/bytecode.h"
#include "lang/effect_binary.h"
#include "lang/encoding.h"
#include "system/files.h"
#include "system/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_FILE = 64 << 20 };

static bool fail_with_errno(struct arena *a, const char **why, const char *what, const char *path)
{
	return reason_for(a, why, "%s %s: %s", what, shown_name(path), os_error(errno));
}

/* Returns true if the facts of a file, taken twice, have the same size and time of change. */
static bool is_unchanged(const struct os_facts *a, const struct os_facts *b)
{
	return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

static bool read_all(struct arena *a, int fd, const char *name, size_t most, struct source *s, const char **why)
{
	struct os_facts before, after;
	if (!os_facts_of(fd, &before))
		return fail_with_errno(a, why, "cannot read", name);
	if (before.kind == OS_FOLDER) {
		errno = EISDIR;
		return fail_with_errno(a, why, "cannot read", name);
	}
	bool regular = before.kind == OS_REGULAR;
	size_t cap = regular && before.size > 0 && before.size <= most ? (size_t)before.size + 1 : 64 * 1024;
	char *text = arena_alloc(a, cap);
	size_t n = 0;
	for (;;) {
		ptrdiff_t got = os_read(fd, text + n, cap - n - 1);
		if (got < 0)
			return fail_with_errno(a, why, "cannot read", name);
		if (got == 0)
			break;
		n += (size_t)got;
		/* All bytes are read.  The facts taken below tell if the file has grown since. */
		if (regular && n == before.size)
			break;
		/* The text is longer than the limit by now, which file_judge() reports. */
		if (n > most)
			break;
		if (n + 1 == cap) {
			char *more = arena_alloc(a, cap * 2);
			memcpy(more, text, n);
			text = more;
			cap *= 2;
		}
	}
	text[n] = '\0';
	if (regular && n <= most && (!os_facts_of(fd, &after) || !is_unchanged(&before, &after) || after.size != n))
		return reason_for(a, why, "%s changed while it was read", shown_name(name));
	*s = (struct source){.name = name, .text = text, .size = n};
	if (n <= LONGEST_FILE)
		encoding_trim(s);
	return true;
}

static bool read_named(struct arena *a, const char *name, size_t most, struct source *s, const char **why)
{
	if (strcmp(name, "-") == 0)
		return read_all(a, OS_IN, name, most, s, why);
	int fd = os_open(name, OS_READ);
	if (fd < 0)
		return fail_with_errno(a, why, "cannot read", name);
	bool done = read_all(a, fd, name, most, s, why);
	os_close(fd);
	return done;
}

bool file_read(struct arena *a, const char *name, struct source *s, const char **why)
{
	return read_named(a, name, LONGEST_FILE, s, why);
}

bool file_read_any(struct arena *a, const char *name, struct source *s, const char **why)
{
	return read_named(a, name, SIZE_MAX / 4, s, why);
}

void file_judge(const struct source *s, struct diags *d)
{
	const char *what = NULL;
	if (s->size > LONGEST_FILE)
		what = "longer than 64 MiB, the most that fpmove reads";
	else if (!bytecode_is(s->text, s->size) && !effect_is_compiled(s->text, s->size) && encoding_readable(s, d) && memchr(s->text, 0, s->size))
		what = "a binary file; fpmove reads assembly text, Direct3D 9's bytecode and compiled effects";
	const char *kind = what && s->size <= LONGEST_FILE ? binary_kind(s) : NULL;
	if (what)
		diag_add(d, DIAG_ERROR, NULL, s, SRCPOS_NONE, kind ? "a binary file: %s" : "%s", kind ? kind : what);
}

bool directory_make(struct arena *a, const char *path, const char **why)
{
	struct os_facts there;
	if (os_facts(path, &there)) {
		if (there.kind == OS_FOLDER)
			return true;
		errno = ENOTDIR;
		return fail_with_errno(a, why, "cannot write to", path);
	}
	if (os_make_folder(path))
		return true;
	char *part = arena_copy(a, path, strlen(path));
	size_t const root = os_root(path);
	for (char *p = part + (root ? root : 1); errno == ENOENT && *p; p++) {
		if (*p != '/' || p[-1] == '/')
			continue;
		*p = '\0';
		if (!os_make_folder(part) && errno != EEXIST)
			return fail_with_errno(a, why, "cannot make the directory", part);
		errno = ENOENT;
		*p = '/';
	}
	if (!os_make_folder(path) && (errno != EEXIST || !os_facts(path, &there) || there.kind != OS_FOLDER))
		return fail_with_errno(a, why, "cannot make the directory", path);
	return true;
}

bool directory_make_for(struct arena *a, const char *path, const char **why)
{
	size_t n = (size_t)(file_base(path) - path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	return n == 0 || directory_make(a, arena_copy(a, path, n), why);
}

bool print_out(const struct text *t)
{
	return os_write(OS_OUT, t->at, t->n) || message_error("cannot write to standard output: %s", os_error(errno));
}

bool file_write(struct arena *a, const char *path, const struct text *t)
{
	const char *why;
	struct output const file = {.path = path, .text = t->at, .n = t->n};
	return files_write(a, &file, 1, &why) || message_error("%s", why);
}

bool file_may_write(struct arena *a, const char *path)
{
	return os_may_write(file_folder(a, path)) || message_error("%s: %s", path, os_error(errno));
}

/* An output that is being written. */
struct pending {
	const char *target; /* file to replace or to make: the output's path, with symbolic links followed */
	bool in_place;      /* true for a device, a pipe and standard output, which are written directly */
	bool existed;
	bool placed;        /* true if the new file has the name of the target */
	struct os_facts old; /* facts of the target, if `existed` */
	char *temp;         /* name of the temporary file until it is placed, or NULL */
	char *aside;        /* name to which the old file was moved while others are replaced, or NULL if it was not moved */
};

static const char own_head[] = ".fpmove-", temp_tail[] = ".tmp", aside_tail[] = ".old";
enum { MOST_OF_NAME = 200 };

const char *file_folder(struct arena *a, const char *path)
{
	size_t n = (size_t)(file_base(path) - path);
	return n ? arena_copy(a, path, n) : ".";
}

bool file_is_aside(const char *name)
{
	size_t const n = strlen(name), tail = sizeof aside_tail - 1;
	return strncmp(name, own_head, sizeof own_head - 1) == 0 && n > tail && strcmp(name + n - tail, aside_tail) == 0;
}

/* Returns a new name ".fpmove-PROCESS-MOMENT-NAME" in the folder of `target`, with `tail` at its end. */
static char *own_name(struct arena *a, const char *target, const char *tail)
{
	const char *base = file_base(target);
	unsigned long const moment = (unsigned long)(os_now() % 1000000000u) + (unsigned long)(size_t)a->next;
	return arena_printf(a, "%.*s%s%lu-%lx-%.*s%s", (int)(base - target), target, own_head, os_process(), moment, MOST_OF_NAME, base, tail);
}

/* Makes a temporary file in the folder of `target`, with the mode of the old file unless `old` is NULL.  Returns its descriptor and sets `*temp`
 * to its name, or returns -1 and sets errno. */
static int open_temp(struct arena *a, const char *target, const struct os_facts *old, char **temp)
{
	int fd = -1;
	for (unsigned try = 0; try < 100; try++) {
		char *name = own_name(a, target, temp_tail);
		fd = os_open(name, OS_CREATE);
		if (fd >= 0)
			*temp = name;
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd >= 0 && old)
		os_set_mode(fd, old);
	return fd;
}

/* Finds out if an output makes or replaces a file, and which if it is a link, or is written in place, as to a pipe.  Returns false and sets
 * `*why` if it cannot be written. */
static bool find_target(struct arena *a, const struct output *o, struct pending *p, const char **why)
{
	*p = (struct pending){.target = o->path, .in_place = strcmp(o->path, "-") == 0};
	if (p->in_place)
		return true;
	p->existed = os_facts_of_link(o->path, &p->old);
	bool const link = p->existed && p->old.kind == OS_LINK;
	if (link)
		p->existed = os_facts(o->path, &p->old);
	if (p->existed && p->old.kind == OS_FOLDER) {
		errno = EISDIR;
		return fail_with_errno(a, why, "cannot write", o->path);
	}
	p->in_place = p->existed && (p->old.kind != OS_REGULAR || os_names_open_file(o->path));
	if (!p->existed || p->in_place)
		return true;
	const char *real = link ? os_real_path(a, o->path) : o->path;
	if (real && os_may_write(real)) {
		p->target = real;
		return true;
	}
	/* ENOENT: another run has moved the file aside meanwhile, so there is none to replace. */
	p->existed = errno != ENOENT;
	return !p->existed || fail_with_errno(a, why, "cannot write", o->path);
}

/* Writes all bytes of an output, to the disk itself if `flush`, and closes the file.  Returns false and sets errno if any of this fails; some
 * file systems report only at closing that they could not store the bytes. */
static bool write_and_close(int fd, const struct output *o, bool flush)
{
	bool const written = os_write(fd, o->text, o->n) && (!flush || os_flush(fd));
	int const first = errno;
	bool const closed = os_close(fd);
	if (!written)
		errno = first;
	return written && closed;
}

/* Returns true if the output replaces the input that it is the new text of.  Its new text must then be on the disk before the old one is
 * removed, or a power failure may destroy both. */
static bool replaces_source(const struct output *o, const struct pending *p)
{
	struct os_facts source;
	return p->existed && o->replaces && os_facts(o->replaces, &source) && os_same_file(&source, &p->old);
}

/* Writes an output to a new temporary file, and makes its folder first if `make_folder` asks for that. */
static bool write_temp(struct arena *a, const struct output *o, struct pending *p, const char **why)
{
	int fd = open_temp(a, p->target, p->existed ? &p->old : NULL, &p->temp);
	if (fd < 0 && errno == ENOENT && o->make_folder) {
		if (!directory_make_for(a, p->target, why))
			return false;
		fd = open_temp(a, p->target, NULL, &p->temp);
	}
	return (fd >= 0 && write_and_close(fd, o, replaces_source(o, p))) || fail_with_errno(a, why, "cannot write", o->path);
}

static bool write_in_place(struct arena *a, const struct output *o, const char **why)
{
	if (strcmp(o->path, "-") == 0) {
		if (os_write(OS_OUT, o->text, o->n))
			return true;
		return reason_for(a, why, "cannot write to standard output: %s", os_error(errno));
	}
	int fd = os_open(o->path, OS_APPEND);
	return (fd >= 0 && write_and_close(fd, o, false)) || fail_with_errno(a, why, "cannot write", o->path);
}

/* Gives the temporary files the names of their targets.  If there are several, first moves all old files aside, so that a new file never stands
 * beside an old one of the set: if the process is killed, some files are missing, but the old texts of all exist. */
static bool replace_files(struct arena *a, const struct output *o, struct pending *p, uint32_t n, const char **why)
{
	uint32_t files = 0;
	for (uint32_t k = 0; k < n; k++)
		files += !p[k].in_place;
	for (uint32_t k = 0; files > 1 && k < n; k++) {
		if (!p[k].existed || p[k].in_place)
			continue;
		char *aside = own_name(a, p[k].target, aside_tail);
		if (os_rename(p[k].target, aside))
			p[k].aside = aside;
		else if (errno != ENOENT) /* ENOENT: another run has moved the file aside */
			return fail_with_errno(a, why, "cannot write", o[k].path);
	}
	for (uint32_t k = 0; k < n; k++) {
		if (p[k].in_place)
			continue;
		if (!os_rename(p[k].temp, p[k].target))
			return fail_with_errno(a, why, "cannot write", o[k].path);
		p[k].temp = NULL;
		p[k].placed = true;
	}
	return true;
}

static bool write_set(struct arena *a, const struct output *o, struct pending *p, uint32_t n, const char **why)
{
	for (uint32_t k = 0; k < n; k++)
		if (!p[k].in_place && !write_temp(a, &o[k], &p[k], why))
			return false;
	return replace_files(a, o, p, n, why);
}

/* Ends the writing of a set.  Removes temporary files that are left.  If the set is `done`, also removes the old files that were moved aside;
 * otherwise gives them their names back, and removes new files for which no old one was moved aside. */
static void end_set(const struct pending *p, uint32_t n, bool done)
{
	for (uint32_t k = 0; k < n; k++) {
		if (p[k].temp)
			os_remove(p[k].temp);
		if (p[k].aside && done)
			os_remove(p[k].aside);
		else if (p[k].aside)
			os_rename(p[k].aside, p[k].target);
		else if (p[k].placed && !done)
			os_remove(p[k].target);
	}
}

bool files_write(struct arena *a, const struct output *o, uint32_t n, const char **why)
{
	struct pending *p = arena_zero(a, (n ? n : 1) * sizeof *p);
	uint32_t i;
	for (i = 0; i < n; i++)
		if (!find_target(a, &o[i], &p[i], why))
			return false;
	/* Pipes and devices are written before signals are held back, since a pipe's reader may take long. */
	for (i = 0; i < n; i++)
		if (p[i].in_place && !write_in_place(a, &o[i], why))
			return false;
	unsigned const before = os_hold_ends();
	jmp_buf here, *handler = a->on_failure;
	a->on_failure = &here;
	volatile bool done = false;
	bool memory = setjmp(here) == 0;
	if (memory)
		done = write_set(a, o, p, n, why);
	a->on_failure = handler;
	end_set(p, n, done);
	if (!memory)
		*why = "out of memory";
	os_let_ends(before);
	return done;
}

bool stream_open(struct arena *a, struct stream *s, const char *path, const char **why)
{
	struct output o = {.path = path};
	struct pending p;
	*s = (struct stream){.path = path};
	if (!find_target(a, &o, &p, why))
		return false;
	int fd;
	if (p.in_place)
		fd = strcmp(path, "-") == 0 ? os_again(OS_OUT) : os_open(path, OS_APPEND);
	else
		fd = open_temp(a, p.target, p.existed ? &p.old : NULL, &s->temp);
	s->path = p.target;
	s->to = fd >= 0 ? os_stream(fd) : NULL;
	if (s->to)
		return true;
	fail_with_errno(a, why, "cannot write", path);
	if (fd >= 0 && s->temp)
		os_remove(s->temp);
	if (fd >= 0)
		os_close(fd);
	return false;
}

void stream_write(struct stream *s, const char *bytes, size_t n)
{
	if (s->to && n && fwrite(bytes, 1, n, s->to) != n)
		s->failed = true;
}

bool stream_close(struct arena *a, struct stream *s, bool keep, const char **why)
{
	if (!s->to)
		return true;
	bool done = fclose(s->to) == 0 && !s->failed;
	s->to = NULL;
	if (done && keep && s->temp)
		done = os_rename(s->temp, s->path);
	if (!done)
		fail_with_errno(a, why, "cannot write", s->path);
	if (s->temp && !(done && keep))
		os_remove(s->temp);
	return done;
}

void stream_abandon(const struct stream *s)
{
	if (s->temp)
		os_remove(s->temp);
}
