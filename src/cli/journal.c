/* Files that are replaced together, see journal.h.
 *
 * A file system renames one file at a time.  So new files wait beside those that they replace under names that say what
 * they become, ".fpmove-PROCESS-MOMENT-PLACE-MARK-NAME.tmp", and are renamed in the order of their places: while the first
 * has its temporary name nothing was replaced, and once it has not, the others are to follow.  Who finds some that
 * nobody has locked does that, or removes them, the first one last.
 * MARK, made of the first one's name and bytes, tells that it is where it belongs and was not replaced since, by
 * older files that someone fetched back.
 * No name leads out of its folder, so that a folder from elsewhere gives nothing away.  With several folders, a link in
 * each leads to the next, the last one's to the first; they are there from before the first file is renamed. */
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

/* Where there are no symbolic links, each folder is for itself. */
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

/* A file that waits. */
struct member {
	unsigned place;
	const char *path, *target;
	uint64_t mark;
	int fd; /* that holds its lock, or -1 */
};

struct set {
	const char *id;
	struct { VEC(struct member); } members; /* by place */
	struct names folders, links;
};

/* "-PLACE-MARK-NAME.tmp" behind the id. */
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

static void look_in(struct arena *a, const char *folder, struct set *s)
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

/* All that waits in the folder and in those that its links lead to. */
static struct set find_set(struct arena *a, const char *folder, const char *id)
{
	struct set s = {.id = id};
	do {
		const char *link = link_in(a, folder, id);
		VEC_PUSH(a, &s.folders) = folder;
		look_in(a, folder, &s);
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

/* Takes all locks, or what errno says. */
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

static void unlock(const struct set *s)
{
	for (uint32_t k = 0; k < s->members.n; k++)
		if (s->members.at[k].fd >= 0)
			os_close(s->members.at[k].fd);
}

/* A folder is not read in one moment: only of what is locked can it be said that it is all there is. */
static bool is_still(struct arena *a, const struct set *s)
{
	struct set const now = find_set(a, s->folders.at[0], s->id);
	bool same = now.members.n == s->members.n;
	for (uint32_t k = 0; same && k < now.members.n; k++)
		same = strcmp(now.members.at[k].path, s->members.at[k].path) == 0;
	return same;
}

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

/* Was the first one renamed, and is it still what it was? */
static bool has_begun(struct arena *a, const struct set *s)
{
	bool begun = false;
	for (uint32_t k = 0; s->members.at[0].place > 1 && k < s->folders.n && !begun; k++)
		begun = has_file(a, s->folders.at[k], s->members.at[0].mark);
	return begun;
}

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

/* Someone may be at it, and says so by locks; `error` is what came of asking. */
static const char *why_waiting(struct arena *a, const struct member *m, int error)
{
	const char *name = shown_name(m->path);
	if (error == EWOULDBLOCK)
		return arena_printf(a, "another run is replacing files beside %s", name);
	return arena_printf(a, "%s is to become %s, and whether another run is at it cannot be told (%s): if none is, rename it to that, and run again",
	                    name, file_base(m->target), os_error(error));
}

static bool mend_set(struct arena *a, const char *folder, const char *id, const char **why)
{
	for (unsigned try = 0;; try++) {
		struct arena_mark const mark = arena_mark(a);
		struct set s = find_set(a, folder, id);
		bool const locked = lock_all(&s);
		int const error = errno;
		bool const still = locked && is_still(a, &s), done = still && finish_or_undo(a, &s, why);
		unlock(&s);
		if (still)
			return done;
		bool const taken = error == EWOULDBLOCK || error == ENOENT;
		if (!locked && (try >= PATIENCE || (!taken && s.members.at[0].place == 1))) {
			/* What was not begun with is in nobody's way. */
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
