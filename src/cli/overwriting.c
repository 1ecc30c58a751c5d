/* Finds pairs of a batch that would overwrite files of other pairs, see overwriting.h. */
#include "cli/overwriting.h"

#include "cli/files.h"
#include "cli/kinds.h"
#include "cli/pairs.h"
#include "system/files.h"

#include <stdlib.h>
#include <string.h>

/* An existing file, and a pair that reads, includes or replaces it. */
struct touched {
	uint64_t device, inode;
	const char *path;
	uint32_t pair;
	bool vertex, written, included;
};
struct all_touched {
	VEC(struct touched);
};

static int by_file(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;
	if (x->device != y->device)
		return x->device > y->device ? 1 : -1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

static void touch(struct arena *a, struct all_touched *all, struct touched t)
{
	struct os_facts now;
	if (!os_facts(t.path, &now))
		return;
	t.device = now.device;
	t.inode = now.number;
	VEC_PUSH(a, all) = t;
}

/* Returns true if the file may have #include lines: its first 16 KiB contain "include", or it is longer than that.  So most files need not be
 * read whole. */
static bool may_include(const char *path)
{
	char text[1 << 14];
	int fd = os_open(path, OS_PEEK);
	ptrdiff_t n = fd >= 0 ? os_read(fd, text, sizeof text - 1) : -1;
	if (fd >= 0)
		os_close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n == (ptrdiff_t)sizeof text - 1 || strstr(text, "include");
}

/* Adds the files that the program `path` includes, if they hold programs themselves. */
static void touch_includes(struct arena *a, struct all_touched *all, const struct options *o, const char *path, uint32_t pair)
{
	struct source s;
	struct diags unsaid;
	const char *none;
	diag_init(&unsaid, a);
	if (!may_include(path) || !input_read(a, path, o, &s, &unsaid, &none))
		return;
	for (uint32_t k = 0; k < s.nincludes; k++)
		if (holds_a_program(s.includes[k]))
			touch(a, all, (struct touched){.path = s.includes[k], .pair = pair, .included = true});
}

/* Lists the files with programs that the programs of all pairs include. */
static struct all_touched find_includes(struct arena *a, const struct options *o, const struct collected *c)
{
	struct all_touched all = {0};
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const char *const inputs[2] = {c->pairs.at[i].vs, c->pairs.at[i].ps};
		for (unsigned k = 0; k < 2; k++) {
			struct arena_mark const mark = arena_mark(a);
			uint32_t const before = all.n;
			touch_includes(a, &all, o, inputs[k], i);
			if (all.n == before)
				arena_release(a, mark);
		}
	}
	return all;
}

/* Returns true if `x` and `y`, which are of one file, are no conflict: they belong to one program of a pair, one of them is an include of the
 * same pair, or pairs share the program (--shared-vp, --shared-fp). */
static bool one_program(const struct options *o, const struct collected *c, const struct touched *x, const struct touched *y)
{
	const struct batch_pair *p = &c->pairs.at[x->pair], *q = &c->pairs.at[y->pair];
	if (p == q)
		return x->vertex == y->vertex || x->included || y->included || strcmp(p->vs, p->ps) == 0;
	if (x->included || y->included)
		return false;
	return x->vertex == y->vertex && (x->vertex ? o->shared_vp && strcmp(p->vs, q->vs) == 0 : o->shared_fp && strcmp(p->ps, q->ps) == 0);
}

/* Returns true if both paths lead to one name of a file.  Hard links are different names: replacing a file under one name leaves it under the
 * others. */
static bool one_place(struct arena *a, const char *x, const char *y)
{
	const char *first = os_real_path(a, x), *second = os_real_path(a, y);
	return first && second && strcmp(first, second) == 0;
}

/* Returns true if some file is both read and written by pairs.  `all` is sorted by file. */
static bool rewrites_inputs(const struct all_touched *all)
{
	bool any = false;
	for (uint32_t i = 1; i < all->n && !any; i++)
		any = by_file(&all->at[i - 1], &all->at[i]) == 0 && all->at[i - 1].written != all->at[i].written;
	return any;
}

void refuse_overwriting(struct arena *a, const struct options *o, struct collected *c)
{
	struct all_touched all = {0};
	if (!o->output || !os_is_there(o->output))
		return;
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const struct batch_pair *pair = &c->pairs.at[i];
		if (pair->refused)
			continue;
		touch(a, &all, (struct touched){.path = file_join(a, o->output, pair->vs_out), .pair = i, .vertex = true, .written = true});
		touch(a, &all, (struct touched){.path = file_join(a, o->output, pair->ps_out), .pair = i, .written = true});
	}
	/* Adds the files that pairs read.  Those of refused pairs count, too: no pair may replace them. */
	for (uint32_t i = 0; all.n && i < c->pairs.n; i++) {
		touch(a, &all, (struct touched){.path = c->pairs.at[i].vs, .pair = i, .vertex = true});
		touch(a, &all, (struct touched){.path = c->pairs.at[i].ps, .pair = i});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_file);
	if (rewrites_inputs(&all)) {
		struct all_touched const more = find_includes(a, o, c);
		for (uint32_t i = 0; i < more.n; i++)
			VEC_PUSH(a, &all) = more.at[i];
		qsort(all.at, all.n, sizeof *all.at, by_file);
	}
	for (uint32_t i = 0; i < all.n; i++)
		for (uint32_t k = i + 1; k < all.n && by_file(&all.at[i], &all.at[k]) == 0; k++) {
			const struct touched *x = &all.at[i], *y = &all.at[k];
			if ((!x->written && !y->written) || one_program(o, c, x, y) || !one_place(a, x->path, y->path))
				continue;
			/* If two pairs write one file, the earlier pair may write it. */
			const struct touched *written = y->written && (!x->written || y->pair > x->pair) ? y : x, *other = written == x ? y : x;
			const struct batch_pair *of = &c->pairs.at[other->pair];
			if (c->pairs.at[written->pair].refused || (other->written && of->refused))
				continue;
			c->pairs.at[written->pair].refused =
				arena_printf(a, "%s would be written, and another pair %s it as %s: so it stays as it is for %s and %s", written->path,
			                     other->written ? "writes" : other->included ? "includes" : "reads", other->path, of->vs, of->ps);
		}
}
