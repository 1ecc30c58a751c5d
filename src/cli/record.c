/* The record of --newer, see record.h.  Times of files do not suffice: a file may be replaced by an older one, and an output may be written by a
 * run with other options, by another pair of a changed list, or by hand.  So the record has a line for each unit (a pair, or pairs that share
 * programs) that was written: a hash of everything that decides about the outputs (the build of fpmove, options, names, texts with their
 * includes, times) and a hash of the outputs.  A unit is up to date if a line has both hashes. */
#include "cli/record.h"

#include "build_id.h"
#include "cli/files.h"
#include "cli/message.h"
#include "fpmove.h"
#include "system/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char build_name[] = "fpmove " FPMOVE_VERSION " (build " BUILD_ID ")";

const char record_name[] = ".fpmove.made";

enum { LINE = 34 }; /* bytes of a line: two hashes in hexadecimal, a blank, a line end */

uint64_t mark_bytes(uint64_t mark, const void *bytes, size_t n)
{
	for (const unsigned char *b = bytes; n--; b++)
		mark = (mark ^ *b) * UINT64_C(0x100000001b3);
	return mark;
}

uint64_t mark_string(uint64_t mark, const char *s)
{
	return mark_bytes(mark, s, strlen(s) + 1);
}

static int by_marks(const void *a, const void *b)
{
	const struct made *x = a, *y = b;
	if (x->from != y->from)
		return x->from > y->from ? 1 : -1;
	return (x->what > y->what) - (x->what < y->what);
}

/* Adds the lines of a record from byte `at` on to `made`, sorted.  Ignores lines that a killed run wrote only in part. */
static void read_lines(struct arena *a, struct record *r, const struct source *s, size_t at)
{
	while (at < s->size) {
		const char *line = s->text + at, *stop = memchr(line, '\n', s->size - at);
		size_t n = stop ? (size_t)(stop - line) + 1 : s->size - at;
		char *middle, *end;
		struct made m = {strtoull(line, &middle, 16), 0};
		m.what = strtoull(middle, &end, 16);
		if (n == LINE && middle == line + 16 && end == line + LINE - 1)
			VEC_PUSH(a, &r->made) = m;
		at += n;
	}
	if (r->made.n)
		qsort(r->made.at, r->made.n, sizeof *r->made.at, by_marks);
}

bool record_open(struct arena *a, const struct options *o, struct record *r, const char **why)
{
	const char *path = file_join(a, o->output, record_name), *none, *head = arena_printf(a, "%s\n", build_name);
	size_t const n = strlen(head);
	struct source old;
	*r = (struct record){.fd = -1};
	if (!directory_make(a, o->output, why))
		return false;
	bool const ours = os_is_there(path) && file_read(a, path, &old, &none) && old.size >= n && memcmp(old.text, head, n) == 0;
	if (ours)
		read_lines(a, r, &old, n);
	else if (!files_write(a, &(struct output){.path = path, .text = head, .n = n}, 1, why))
		return false;
	r->fd = os_open(path, OS_APPEND);
	return true;
}

bool record_has(const struct record *r, const struct made *m)
{
	return r->made.n && bsearch(m, r->made.at, r->made.n, sizeof *m, by_marks) != NULL;
}

void record_add(const struct record *r, const struct made *m)
{
	char line[LINE + 1];
	snprintf(line, sizeof line, "%016llx %016llx\n", (unsigned long long)m->from, (unsigned long long)m->what);
	if (r->fd >= 0 && !record_has(r, m) && !os_write(r->fd, line, LINE))
		return;
}

void record_close(struct record *r)
{
	if (r->fd >= 0)
		os_close(r->fd);
	r->fd = -1;
}
