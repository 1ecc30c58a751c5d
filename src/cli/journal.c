/* Journals, see journal.h.
 *
 * A file system renames one file at a time.  When all new files lie beside those that they replace, a file in the
 * same folder says which becomes which; it goes when all are renamed.  Who finds one that nobody has locked renames
 * the rest.  If a new file is missing, then none was renamed, and those that are there go.
 * Names are those of the journal's own folder, and of files that had the same inode: a folder from elsewhere with a
 * forged journal gives nothing away.  With several folders, each has a journal; those of the others name the first,
 * which is there only from when all are. */
#include "cli/journal.h"

#include "cli/files.h"
#include "cli/options.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char tail[] = ".journal", head[] = "fpmove journal 1", end[] = "end";
enum { LONGEST_JOURNAL = 1 << 20, PATIENCE = 100 /* times 10 ms */ };

/* --- writing: words that end with a NUL ------------------------------------------------ */

static const char *folder_of(struct arena *a, const char *path)
{
	size_t n = (size_t)(file_base(path) - path);
	return n ? arena_copy(a, path, n) : "./";
}

static const char *whole_path(struct arena *a, const char *folder)
{
	char real[PATH_MAX];
	return realpath(folder, real) ? arena_copy(a, real, strlen(real)) : folder;
}

static void put(struct text *t, const char *word)
{
	text_bytes(t, word, strlen(word) + 1);
}

static bool put_entries(struct text *t, const char *folder, const struct journal_entry *e, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct stat st;
		if (n > 1 && strcmp(folder_of(t->arena, e[i].target), folder) != 0)
			continue;
		if (stat(e[i].temp, &st))
			return false;
		put(t, "file");
		put(t, arena_printf(t->arena, "%llu", (unsigned long long)st.st_ino));
		put(t, file_base(e[i].temp));
		put(t, file_base(e[i].target));
	}
	put(t, end);
	return true;
}

static bool write_one(struct arena *a, struct journal *j, const char *path, const struct text *t)
{
	VEC_PUSH(a, &j->paths) = path;
	int *fd = &VEC_PUSH(a, &j->fds);
	*fd = file_open_own(path);
	return *fd >= 0 && write(*fd, t->at, t->n) == (ssize_t)t->n;
}

/* Folders of the entries but that of the first one, once each. */
static struct names other_folders(struct arena *a, const char *first, const struct journal_entry *e, uint32_t n)
{
	struct names folders = {0};
	for (uint32_t i = 1; i < n; i++) {
		const char *folder = folder_of(a, e[i].target);
		bool known = strcmp(folder, first) == 0;
		for (uint32_t k = 0; k < folders.n && !known; k++)
			known = strcmp(folders.at[k], folder) == 0;
		if (!known)
			VEC_PUSH(a, &folders) = folder;
	}
	return folders;
}

bool journal_begin(struct arena *a, struct journal *j, const struct journal_entry *e, uint32_t n)
{
	const char *folder = folder_of(a, e[0].target), *path = file_own_name(a, e[0].target, tail);
	struct names const others = other_folders(a, folder, e, n);
	struct text t = {.arena = a};
	bool done = true;
	put(&t, head);
	for (uint32_t k = 0; k < others.n && done; k++) {
		struct text part = {.arena = a};
		put(&part, head);
		put(&part, "first");
		put(&part, file_join(a, whole_path(a, folder), file_base(path)));
		done = put_entries(&part, others.at[k], e, n) &&
		       write_one(a, j, file_own_name(a, file_join(a, others.at[k], ""), tail), &part);
		put(&t, "other");
		put(&t, whole_path(a, others.at[k]));
	}
	if (done && put_entries(&t, folder, e, n) && write_one(a, j, path, &t))
		return true;
	int const why = errno;
	journal_end(j);
	errno = why;
	return false;
}

void journal_end(struct journal *j)
{
	for (uint32_t k = j->fds.n; k-- > 0;) {
		if (j->fds.at[k] < 0)
			continue;
		unlink(j->paths.at[k]);
		close(j->fds.at[k]);
	}
	j->paths.n = j->fds.n = 0;
}

/* --- mending ---------------------------------------------------------------------------- */

static struct names split(struct arena *a, const char *text, size_t n)
{
	struct names words = {0};
	for (size_t at = 0; at < n; at += strlen(text + at) + 1)
		VEC_PUSH(a, &words) = text + at;
	return words;
}

/* Words of a journal that is whole: up to "end" nothing was renamed. */
static bool read_words(struct arena *a, int fd, struct names *words)
{
	char *text = arena_zero(a, LONGEST_JOURNAL + 1);
	ssize_t n = pread(fd, text, LONGEST_JOURNAL, 0);
	if (n <= 0)
		return false;
	*words = split(a, text, (size_t)n);
	return words->n >= 2 && strcmp(words->at[0], head) == 0 && strcmp(words->at[words->n - 1], end) == 0;
}

struct half_done {
	int folder; /* a descriptor */
	struct { VEC(struct journal_entry); } files;
	struct { VEC(bool); } renamed;
	struct names others;
	bool lost, begun; /* a new file is not there; the first journal is */
};

static bool has_inode(int folder, const char *name, const char *inode)
{
	struct stat st;
	char own[32];
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return false;
	snprintf(own, sizeof own, "%llu", (unsigned long long)st.st_ino);
	return strcmp(own, inode) == 0;
}

static bool look_at_words(struct arena *a, const struct names *words, struct half_done *h)
{
	h->begun = true;
	for (uint32_t i = 1; i + 1 < words->n;) {
		const char *const *word = &words->at[i];
		if (strcmp(word[0], "file") == 0 && i + 4 < words->n && file_is_own(word[2], ".tmp") && !strchr(word[3], '/')) {
			bool const waits = has_inode(h->folder, word[2], word[1]), renamed = has_inode(h->folder, word[3], word[1]);
			VEC_PUSH(a, &h->files) = (struct journal_entry){word[2], word[3]};
			VEC_PUSH(a, &h->renamed) = !waits;
			h->lost |= !waits && !renamed;
			i += 4;
		} else if (strcmp(word[0], "other") == 0) {
			VEC_PUSH(a, &h->others) = word[1];
			i += 2;
		} else if (strcmp(word[0], "first") == 0) {
			h->begun = access(word[1], F_OK) == 0;
			i += 2;
		} else {
			return false;
		}
	}
	return true;
}

/* In the order in which they were to come. */
static void finish_or_undo(const struct half_done *h)
{
	for (uint32_t k = 0; k < h->files.n; k++) {
		const struct journal_entry *e = &h->files.at[k];
		if (h->renamed.at[k])
			continue;
		if (h->begun && !h->lost)
			renameat(h->folder, e->temp, h->folder, e->target);
		else
			unlinkat(h->folder, e->temp, 0);
	}
}

/* Waits a while for who is at it. */
static bool lock(int fd)
{
	for (unsigned try = 0; try < PATIENCE; try++) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return true;
		if (errno != EWOULDBLOCK)
			return false;
		nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
	}
	return false;
}

static bool mend_one(struct arena *a, int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct half_done h = {.folder = folder};
	struct names words;
	struct stat st;
	if (fd < 0)
		return errno == ENOENT;
	bool done = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && lock(fd);
	/* Who was at it is done, or another has mended it. */
	if (done && fstat(fd, &st) == 0 && st.st_nlink > 0) {
		if (read_words(a, fd, &words) && look_at_words(a, &words, &h)) {
			for (uint32_t k = 0; k < h.others.n; k++)
				done &= journal_mend(a, h.others.at[k]);
			if (done)
				finish_or_undo(&h);
		}
		if (done)
			unlinkat(folder, name, 0);
	}
	close(fd);
	return done;
}

bool journal_mend(struct arena *a, const char *folder)
{
	struct arena_mark const mark = arena_mark(a);
	struct names found = {0};
	DIR *dir = opendir(folder);
	bool done = true;
	if (!dir)
		return true;
	for (const struct dirent *e; (e = readdir(dir)) != NULL;)
		if (file_is_own(e->d_name, tail))
			VEC_PUSH(a, &found) = arena_copy(a, e->d_name, strlen(e->d_name));
	for (uint32_t k = 0; k < found.n; k++)
		done &= mend_one(a, dirfd(dir), found.at[k]);
	closedir(dir);
	arena_release(a, mark);
	return done;
}
