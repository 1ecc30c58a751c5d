/* Reads and writes files, see files.h. */
#include "cli/files.h"

#include "cli/journal.h"
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

/* Sets `*why` to "WHAT PATH: " and the text of errno, and returns false. */
static bool fail_with_errno(struct arena *a, const char **why, const char *what, const char *path)
{
	*why = arena_printf(a, "%s %s: %s", what, shown_name(path), os_error(errno));
	return false;
}

/* Returns true if a file was not written between the two looks at it. */
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
		/* All bytes are read; the second look below finds out if the file has grown. */
		if (regular && n == before.size)
			break;
		/* One byte over the limit is enough for file_judge to refuse it. */
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
	if (regular && n <= most && (!os_facts_of(fd, &after) || !is_unchanged(&before, &after) || after.size != n)) {
		*why = arena_printf(a, "%s changed while it was read", shown_name(name));
		return false;
	}
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

bool print_out(const struct text *t, const char **why)
{
	if (os_write(OS_OUT, t->at, t->n))
		return true;
	*why = arena_printf(t->arena, "cannot write to standard output: %s", os_error(errno));
	return false;
}

/* An output that is not complete yet. */
struct pending {
	const char *target; /* file to replace: the output's path with its symbolic links followed */
	bool in_place;      /* true for a device, a pipe and standard output, which are written directly */
	bool existed;
	struct os_facts old; /* facts of the target if it existed */
	char *kept;         /* second name of the old file until all targets are replaced, or NULL if it has none */
	char *temp;         /* name of the temporary file, or NULL before it is made and after it is renamed */
	int fd;             /* descriptor of `temp`, which holds its lock */
};

/* --- temporary files ---------------------------------------------------------------------
 * A process holds the lock of its temporary file until the file is renamed, so that stale files of killed processes differ from files that
 * others, perhaps on other machines, are writing.  On a file system without locks no file counts as stale. */

static const char temp_head[] = ".fpmove-", temp_tail[] = ".tmp";

size_t file_own_head(const char *name)
{
	size_t const head = sizeof temp_head - 1;
	if (strncmp(name, temp_head, head) != 0)
		return 0;
	size_t process = strspn(name + head, "0123456789");
	if (!process || name[head + process] != '-')
		return 0;
	size_t moment = strspn(name + head + process + 1, "0123456789abcdef");
	return moment ? head + process + 1 + moment : 0;
}

/* Takes the lock of a new file.  Returns false if another process took the file for a stale one and has removed it. */
static bool lock_temp(int fd)
{
	struct os_facts now;
	return os_lock(fd, true) != OS_LOCKED || !os_facts_of(fd, &now) || now.names > 0;
}

const char *file_folder(struct arena *a, const char *path)
{
	size_t n = (size_t)(file_base(path) - path);
	return n ? arena_copy(a, path, n) : ".";
}

bool files_mend(struct arena *a, const char *path, const char **why)
{
	return journal_mend(a, file_folder(a, path), why);
}

bool file_seems_own(const char *name)
{
	return strncmp(name, temp_head, sizeof temp_head - 1) == 0;
}

void files_remove_stale(struct arena *a, const char *path)
{
	struct os_folder *dir = os_folder_open(file_folder(a, path));
	if (!dir)
		return;
	const struct os_entry *e;
	while ((e = os_folder_next(dir)) != NULL && !file_seems_own(e->name))
		;
	/* Files are stale only if no set of renames needs them: files_mend completes the sets first. */
	const char *none;
	bool const look = e && files_mend(a, path, &none);
	os_folder_again(dir);
	while (look && (e = os_folder_next(dir)) != NULL) {
		size_t const head = file_own_head(e->name);
		if (!head || strcmp(e->name + head, temp_tail) != 0)
			continue;
		int fd = os_folder_hold(dir, e->name);
		if (fd < 0)
			continue;
		struct os_facts found;
		if (os_facts_of(fd, &found) && found.kind == OS_REGULAR && os_lock(fd, false) == OS_LOCKED)
			os_folder_remove(dir, e->name);
		os_close(fd);
	}
	os_folder_close(dir);
}

char *file_own_name(struct arena *a, const char *target, const char *tail)
{
	size_t dir = (size_t)(file_base(target) - target);
	unsigned long const moment = (unsigned long)(os_now() % 1000000000u) + (unsigned long)(size_t)a->next;
	return arena_printf(a, "%.*s%s%lu-%lx%s", (int)dir, target, temp_head, os_process(), moment, tail);
}

/* Returns the descriptor of a new locked file, or -1 with errno, which is EEXIST also if another process removes it as stale. */
static int open_locked(const char *path)
{
	int fd = os_open(path, OS_CREATE);
	if (fd < 0 || lock_temp(fd))
		return fd;
	os_close(fd);
	errno = EEXIST;
	return -1;
}

/* Makes a temporary file in the folder of `target` and returns its descriptor, or -1.  The file has the mode of the old file, or that of new
 * files if `old` is NULL.  `*temp` is its name; if that is NULL, it is set to a new one. */
static int open_temp(struct arena *a, const char *target, const struct os_facts *old, char **temp)
{
	char *const wanted = *temp;
	for (unsigned try = 0; try < 100; try++) {
		*temp = wanted ? wanted : file_own_name(a, target, temp_tail);
		int fd = open_locked(*temp);
		if (fd >= 0 && old && !os_set_mode(fd, old))
			errno = 0;
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Finds the file that an output replaces, or that the output is written in place.  Returns false if it cannot be written. */
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
	if (!os_may_write(o->path) || !real)
		return fail_with_errno(a, why, "cannot write", o->path);
	p->target = real;
	return true;
}

/* Writes an output to its temporary file. */
static bool write_temp(struct arena *a, const struct output *o, struct pending *p, struct journal *j, const char **why)
{
	char *temp = j->id ? journal_name(a, j, p->target) : NULL;
	int fd = open_temp(a, p->target, p->existed ? &p->old : NULL, &temp);
	if (fd < 0 && errno == ENOENT && o->make_folder) {
		if (!directory_make_for(a, p->target, why))
			return false;
		fd = open_temp(a, p->target, NULL, &temp);
	}
	if (fd < 0)
		return fail_with_errno(a, why, "cannot write", o->path);
	p->temp = temp;
	p->fd = fd;
	return (os_write(fd, o->text, o->n) && os_has_arrived(fd)) || fail_with_errno(a, why, "cannot write", o->path);
}

static bool write_in_place(struct arena *a, const struct output *o, const char **why)
{
	if (strcmp(o->path, "-") == 0) {
		if (os_write(OS_OUT, o->text, o->n))
			return true;
		*why = arena_printf(a, "cannot write to standard output: %s", os_error(errno));
		return false;
	}
	int fd = os_open(o->path, OS_APPEND);
	if (fd < 0)
		return fail_with_errno(a, why, "cannot write", o->path);
	bool written = os_write(fd, o->text, o->n);
	int first = errno;
	bool closed = os_close(fd);
	if (written && closed)
		return true;
	if (!written)
		errno = first;
	return fail_with_errno(a, why, "cannot write", o->path);
}

/* Removes temporary files that are not renamed yet, the first one last, as journal.h wants. */
static void remove_temps(struct pending *p, uint32_t n)
{
	while (n-- > 0) {
		if (!p[n].temp)
			continue;
		os_remove(p[n].temp);
		os_close(p[n].fd);
		p[n].temp = NULL;
	}
}

/* Puts the old files back in place of the first `n` targets. */
static void restore_replaced(const struct pending *p, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		if (p[k].in_place)
			continue;
		if (!p[k].existed)
			os_remove(p[k].target);
		else if (p[k].kept)
			os_rename(p[k].kept, p[k].target);
	}
}

/* Renames all temporary files to their targets, or restores the old files. */
static bool rename_files(struct arena *a, const struct output *o, struct pending *p, uint32_t n, const char **why)
{
	for (uint32_t k = 0; k < n; k++) {
		if (p[k].in_place)
			continue;
		if (!os_rename(p[k].temp, p[k].target)) {
			fail_with_errno(a, why, "cannot write", o[k].path);
			remove_temps(p, n);
			restore_replaced(p, k);
			return false;
		}
		p[k].temp = NULL;
		os_close(p[k].fd);
	}
	return true;
}

/* Lists the targets in `paths`.  If there are several and one of them exists, begins a journal, by which a later run completes or undoes the set
 * if this process is killed. */
static void begin_set(struct arena *a, const struct output *o, const struct pending *p, uint32_t n, struct journal *j, struct names *paths)
{
	bool replaced = false;
	uint32_t first = n;
	for (uint32_t k = n; k-- > 0;) {
		if (p[k].in_place)
			continue;
		replaced |= p[k].existed;
		first = k;
	}
	for (uint32_t k = first; k < n; k++)
		if (!p[k].in_place)
			VEC_PUSH(a, paths) = p[k].target;
	if (replaced && paths->n > 1)
		journal_begin(a, j, p[first].target, o[first].text, o[first].n);
}

static bool write_files(struct arena *a, const struct output *o, struct pending *p, uint32_t n,
                        struct journal *journal, const char **why)
{
	struct names paths = {0};
	uint32_t k;
	begin_set(a, o, p, n, journal, &paths);
	for (k = 0; k < n; k++)
		if (!p[k].in_place && !write_temp(a, &o[k], &p[k], journal, why))
			return false;
	/* On a file system without hard links old files have no second name, and restore_replaced cannot bring them back. */
	for (k = 0; k + 1 < n; k++) {
		if (!p[k].existed || p[k].in_place)
			continue;
		char *kept = file_own_name(a, p[k].target, temp_tail);
		if (os_name_too(p[k].target, kept))
			p[k].kept = kept;
	}
	if (journal->id)
		journal_ready(a, journal, &paths);
	return rename_files(a, o, p, n, why);
}

/* --- files without a name -----------------------------------------------------------------
 * A new file without a name gets its name when it is complete.  That takes half the time of a temporary name, and a killed process leaves
 * nothing.  Some file systems do not have such files. */

enum { MOST_NAMELESS = 8 };

/* Returns the descriptor of a nameless file with the output's text, or -1 with errno. */
static int write_nameless(const struct output *o)
{
	char folder[OS_LONGEST_PATH] = ".";
	size_t n = (size_t)(file_base(o->path) - o->path);
	if (n >= sizeof folder)
		return -1;
	if (n) {
		memcpy(folder, o->path, n);
		folder[n] = '\0';
	}
	int fd = os_open_nameless(folder);
	if (fd >= 0 && !os_write(fd, o->text, o->n)) {
		os_close(fd);
		return -1;
	}
	return fd;
}

/* Writes all outputs as new files, or none.  Returns false on failure, after which temporary files may still succeed; errno is ENOENT if the
 * folder does not exist. */
static bool write_new(const struct output *o, uint32_t n)
{
	int fd[MOST_NAMELESS];
	uint32_t open_ones = 0, named = 0;
	while (open_ones < n && (fd[open_ones] = write_nameless(&o[open_ones])) >= 0)
		open_ones++;
	while (open_ones == n && named < n && os_give_name(fd[named], o[named].path))
		named++;
	bool done = named == n;
	for (uint32_t k = 0; k < open_ones; k++)
		done &= os_close(fd[k]);
	for (uint32_t k = 0; !done && k < named; k++)
		os_remove(o[k].path);
	return done;
}

/* Returns true if none of the outputs seems to replace a file. */
static bool seem_new(const struct output *o, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		if (strcmp(o[k].path, "-") == 0 || (!o[k].fresh && (os_is_there(o[k].path) || errno != ENOENT)))
			return false;
	return n > 0 && n <= MOST_NAMELESS;
}

bool files_write(struct arena *a, const struct output *o, uint32_t n, const char **why)
{
	for (unsigned try = 0; try < 2 && seem_new(o, n); try++) {
		unsigned const before = os_hold_ends();
		bool written = write_new(o, n), no_folder = !written && errno == ENOENT;
		os_let_ends(before);
		if (written)
			return true;
		if (!no_folder || !o[0].make_folder || !directory_make_for(a, o[0].path, why))
			break;
	}
	struct pending *p = arena_zero(a, (n ? n : 1) * sizeof *p);
	struct journal *journal = arena_zero(a, sizeof *journal);
	uint32_t i;
	for (i = 0; i < n; i++)
		if (!find_target(a, &o[i], &p[i], why))
			return false;
	/* A pipe takes as long as its reader likes, so these are written before signals are held back. */
	for (i = 0; i < n; i++)
		if (p[i].in_place && !write_in_place(a, &o[i], why))
			return false;
	unsigned const before = os_hold_ends();
	jmp_buf here, *handler = a->on_failure;
	a->on_failure = &here;
	volatile bool done = false;
	bool memory = setjmp(here) == 0;
	if (memory)
		done = write_files(a, o, p, n, journal, why);
	a->on_failure = handler;
	remove_temps(p, n);
	for (uint32_t k = 0; k < n; k++)
		if (p[k].kept)
			os_remove(p[k].kept);
	journal_end(journal);
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
	int lock = s->temp ? os_again(os_number(s->to)) : -1;
	bool done = fclose(s->to) == 0 && !s->failed;
	s->to = NULL;
	if (done && keep && s->temp)
		done = os_rename(s->temp, s->path);
	if (!done)
		fail_with_errno(a, why, "cannot write", s->path);
	if (s->temp && !(done && keep))
		os_remove(s->temp);
	if (lock >= 0)
		os_close(lock);
	return done;
}
