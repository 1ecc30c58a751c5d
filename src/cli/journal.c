/* Replaces several files together, see journal.h.
 *
 * A file system renames one file at a time.  So the new files are first written beside those that they replace, under the names
 * ".fpmove-PROCESS-MOMENT-PLACE-MARK-NAME.tmp", and then renamed to NAME in the order of PLACE.  While the first still has its temporary
 * name, nothing was replaced; once it was renamed, the others must follow.  The process holds locks on the temporary files.  A later run
 * that finds stale ones, which nobody has locked, renames them if the first was renamed, else removes them, the first one last.
 * MARK is a hash of the first file's name and bytes.  A file with that hash shows that the first one was renamed, and was not replaced
 * since, such as by an older file from a backup.
 * A temporary name never leads out of its folder, so a folder from elsewhere cannot overwrite files in others.  If there are several
 * folders, a symbolic link in each leads to the next, and in the last to the first; the links exist before the first file is renamed. */
#include "cli/journal.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/record.h"
#include "system/files.h"
#include "system/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char temp_tail[] = ".tmp", link_tail[] = ".next";
enum { PATIENCE = 100 /* times 10 ms */, MOST_FOLDERS = 64, MARK_LENGTH = 16, LONGEST_NAME = 255 };

/* --- writing ---------------------------------------------------------------------------- */

void journal_begin(struct arena *a, struct journal *j, const char *target, const char *text, size_t n)
{
	*j = (struct journal){.id = file_own_name(a, "", ""), .mark = mark_bytes(mark_string(MARK_START, file_base(target)), text, n)};
}

char *journal_name(struct arena *a, struct journal *j, const char *target)
{
	const char *base = file_base(target);
	int const dir = (int)(base - target);
	char *name = arena_printf(a, "%.*s%s-%u-%016" PRIx64 "-%s%s", dir, target, j->id, ++j->places, j->mark, base, temp_tail);
	return strlen(name + dir) <= LONGEST_NAME ? name : NULL;
}

static const char *link_in(struct arena *a, const char *folder, const char *id)
{
	return arena_printf(a, "%s%s", file_join(a, folder, id), link_tail);
}

/* If the system has no symbolic links, each folder is a set of its own. */
void journal_ready(struct arena *a, struct journal *j, const struct names *paths)
{
	struct names folders = {0};
	for (uint32_t i = 0; i < paths->n; i++) {
		bool known = false;
		for (uint32_t k = 0; k < i && !known; k++)
			known = file_same_folder(paths->at[k], paths->at[i]);
		if (!known)
			VEC_PUSH(a, &folders) = file_folder(a, paths->at[i]);
	}
	for (uint32_t i = 0; folders.n > 1 && i < folders.n; i++) {
		const char *link = link_in(a, folders.at[i], j->id);
		const char *next = os_real_path(a, folders.at[(i + 1) % folders.n]);
		if (next && os_make_link(next, link))
			VEC_PUSH(a, &j->links) = link;
	}
}

void journal_end(struct journal *j)
{
	for (uint32_t k = 0; k < j->links.n; k++)
		os_remove(j->links.at[k]);
	j->links.n = 0;
}

/* --- mending ---------------------------------------------------------------------------- */

/* A new file under its temporary name. */
struct member {
	unsigned place;
	const char *path, *target; /* its temporary path, and the final one */
	uint64_t mark;
	int fd; /* the open file that holds its lock, or -1 */
};

/* The files of one process that are to be renamed together. */
struct set {
	const char *id; /* their names begin with it */
	struct { VEC(struct member); } members; /* sorted by place */
	struct names folders, links;
};

/* Reads a temporary name: "-PLACE-MARK-NAME.tmp" behind the id, which has `id` bytes.  Returns false if it is none. */
static bool read_name(struct arena *a, const char *folder, const char *name, size_t id, struct member *m)
{
	char *end;
	size_t const n = strlen(name), tail = sizeof temp_tail - 1;
	*m = (struct member){.fd = -1, .path = file_join(a, folder, name)};
	if (name[id] != '-' || n < id + tail || strcmp(name + n - tail, temp_tail) != 0)
		return false;
	m->place = (unsigned)strtoul(name + id + 1, &end, 10);
	if (m->place == 0 || *end != '-' || strspn(++end, "0123456789abcdef") != MARK_LENGTH || end[MARK_LENGTH] != '-')
		return false;
	m->mark = strtoull(end, &end, 16);
	m->target = file_join(a, folder, arena_copy(a, end + 1, n - tail - (size_t)(end + 1 - name)));
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	return (x->place > y->place) - (x->place < y->place);
}

/* Adds the temporary files of the set in one folder. */
static void find_members(struct arena *a, const char *folder, struct set *s)
{
	struct os_folder *dir = os_folder_open(folder);
	struct member m;
	for (const struct os_entry *e; dir && (e = os_folder_next(dir)) != NULL;) {
		size_t const id = file_own_head(e->name);
		if (id == strlen(s->id) && memcmp(e->name, s->id, id) == 0 && read_name(a, folder, e->name, id, &m))
			VEC_PUSH(a, &s->members) = m;
	}
	if (dir)
		os_folder_close(dir);
}

static bool same_folder(const char *x, const char *y)
{
	struct os_facts one, other;
	return os_facts(x, &one) && os_facts(y, &other) && os_same_file(&one, &other);
}

/* Finds the temporary files of a set in the folder, and in those that the links lead to. */
static struct set find_set(struct arena *a, const char *folder, const char *id)
{
	struct set s = {.id = id};
	do {
		const char *link = link_in(a, folder, id);
		VEC_PUSH(a, &s.folders) = folder;
		find_members(a, folder, &s);
		const char *next = os_read_link(a, link);
		if (!next)
			break;
		VEC_PUSH(a, &s.links) = link;
		folder = next;
	} while (s.folders.n < MOST_FOLDERS && !same_folder(folder, s.folders.at[0]));
	if (s.members.n)
		qsort(s.members.at, s.members.n, sizeof *s.members.at, by_place);
	return s;
}

/* Locks all files of the set.  Returns false with errno set if one cannot be locked. */
static bool lock_all(struct set *s)
{
	for (uint32_t k = 0; k < s->members.n; k++) {
		struct member *m = &s->members.at[k];
		m->fd = os_open(m->path, OS_HOLD);
		if (m->fd < 0 || os_lock(m->fd, false) != OS_LOCKED)
			return false;
	}
	return true;
}

static void unlock_all(const struct set *s)
{
	for (uint32_t k = 0; k < s->members.n; k++)
		if (s->members.at[k].fd >= 0)
			os_close(s->members.at[k].fd);
}

/* Returns true if the set is still the same now that it is locked: while its folders were read, another process may have changed them. */
static bool is_still(struct arena *a, const struct set *s)
{
	struct set const now = find_set(a, s->folders.at[0], s->id);
	bool same = now.members.n == s->members.n;
	for (uint32_t k = 0; same && k < now.members.n; k++)
		same = strcmp(now.members.at[k].path, s->members.at[k].path) == 0;
	return same;
}

/* Returns true if the folder has a file with that hash of name and bytes. */
static bool has_file(struct arena *a, const char *folder, uint64_t mark)
{
	struct arena_mark const before = arena_mark(a);
	struct os_folder *dir = os_folder_open(folder);
	bool found = false;
	for (const struct os_entry *e; dir && !found && (e = os_folder_next(dir)) != NULL; arena_release(a, before)) {
		struct source s;
		const char *none;
		if (!file_own_head(e->name) && e->kind == OS_REGULAR &&
		    file_read(a, file_join(a, folder, e->name), &s, &none))
			found = mark_bytes(mark_string(MARK_START, e->name), s.text, s.size) == mark;
	}
	if (dir)
		os_folder_close(dir);
	return found;
}

/* Returns true if the first file of the set was renamed and not replaced since. */
static bool has_begun(struct arena *a, const struct set *s)
{
	bool begun = false;
	for (uint32_t k = 0; s->members.at[0].place > 1 && k < s->folders.n && !begun; k++)
		begun = has_file(a, s->folders.at[k], s->members.at[0].mark);
	return begun;
}

/* Renames all files of the set if the first was renamed, else removes them.  Returns false, and the reason in `*why`, if that fails. */
static bool finish_or_undo(struct arena *a, const struct set *s, const char **why)
{
	bool const begun = s->members.n && has_begun(a, s);
	uint32_t const n = s->members.n;
	for (uint32_t k = 0; k < n; k++) {
		const struct member *m = &s->members.at[begun ? k : n - 1 - k];
		if ((begun ? os_rename(m->path, m->target) : os_remove(m->path)) || (!begun && s->members.at[0].place == 1))
			continue;
		*why = arena_printf(a, "a run that was killed left %s, which was to become %s: %s", shown_name(m->path),
		                    file_base(m->target), os_error(errno));
		return false;
	}
	for (uint32_t k = 0; k < s->links.n; k++)
		os_remove(s->links.at[k]);
	return true;
}

/* Returns why a set cannot be mended: another process holds a lock, or that cannot be found out.  `error` is the errno of locking. */
static const char *why_waiting(struct arena *a, const struct member *m, int error)
{
	const char *name = shown_name(m->path);
	if (error == EWOULDBLOCK)
		return arena_printf(a, "another run is replacing files beside %s", name);
	return arena_printf(a, "%s is to become %s, and whether another run is at it cannot be told (%s): if none is, rename it to that, and run again",
	                    name, file_base(m->target), os_error(error));
}

/* Finishes or undoes one set.  Waits up to PATIENCE times while another process holds its locks. */
static bool mend_set(struct arena *a, const char *folder, const char *id, const char **why)
{
	for (unsigned try = 0;; try++) {
		struct arena_mark const mark = arena_mark(a);
		struct set s = find_set(a, folder, id);
		bool const locked = lock_all(&s);
		int const error = errno;
		bool const still = locked && is_still(a, &s), done = still && finish_or_undo(a, &s, why);
		unlock_all(&s);
		if (still)
			return done;
		bool const taken = error == EWOULDBLOCK || error == ENOENT;
		if (!locked && (try >= PATIENCE || (!taken && s.members.at[0].place == 1))) {
			/* A set that replaced no file yet does not hinder this run. */
			*why = why_waiting(a, &s.members.at[0], error);
			return s.members.at[0].place == 1;
		}
		arena_release(a, mark);
		os_sleep(10);
	}
}

bool journal_mend(struct arena *a, const char *folder, const char **why)
{
	struct names ids = {0};
	struct os_folder *dir = os_folder_open(folder);
	bool done = true;
	for (const struct os_entry *e; dir && (e = os_folder_next(dir)) != NULL;) {
		size_t const n = file_own_head(e->name);
		if (!n || (e->name[n] != '-' && strcmp(e->name + n, link_tail) != 0))
			continue;
		bool known = false;
		for (uint32_t k = 0; k < ids.n && !known; k++)
			known = strlen(ids.at[k]) == n && memcmp(ids.at[k], e->name, n) == 0;
		if (!known)
			VEC_PUSH(a, &ids) = arena_copy(a, e->name, n);
	}
	if (dir)
		os_folder_close(dir);
	for (uint32_t k = 0; k < ids.n && done; k++)
		done = mend_set(a, folder, ids.at[k], why);
	return done;
}
