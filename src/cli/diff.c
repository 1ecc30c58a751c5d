/* --diff: writes a unified diff by the longest common subsequence of lines.  Programs are short, so the table of lengths is affordable;
 * equal lines at both ends are left out of it. */
#include "cli/fit.h"
#include "cli/message.h"
#include "cli/show.h"

#include <string.h>

enum { CONTEXT = 3, MOST_CELLS = 16 << 20 };

struct line {
	const char *at;
	size_t n;
};
struct lines {
	VEC(struct line);
};

static struct lines split(struct arena *a, const struct text *t)
{
	struct lines out = {0};
	for (const char *p = t->at, *end = t->at + t->n; p && p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((stop ? stop : end) - p);
		VEC_PUSH(a, &out) = (struct line){p, n};
		p += n + 1;
	}
	return out;
}

static bool same(const struct line *a, const struct line *b)
{
	return a->n == b->n && memcmp(a->at, b->at, a->n) == 0;
}

struct edit {
	char kind; /* ' ', '-' or '+' */
	const struct line *line;
};
struct edits {
	VEC(struct edit);
};

/* Adds the edits that turn the lines `x` into the lines `y`, by a longest common subsequence.  If the lists are too long for its table, deletes
 * all of `x` and inserts all of `y`. */
static void diff_middle(struct arena *a, struct edits *out, const struct line *x, uint32_t nx, const struct line *y, uint32_t ny)
{
	uint32_t i = 0, k = 0;
	if ((uint64_t)(nx + 1) * (ny + 1) <= MOST_CELLS) {
		size_t wide = ny + 1u;
		uint32_t *best = arena_zero(a, (nx + 1u) * wide * sizeof *best);
		for (i = nx; i-- > 0;)
			for (k = ny; k-- > 0;) {
				uint32_t down = best[(i + 1) * wide + k], right = best[i * wide + k + 1];
				best[i * wide + k] = same(&x[i], &y[k]) ? best[(i + 1) * wide + k + 1] + 1
				                                        : down > right ? down : right;
			}
		i = k = 0;
		while (i < nx && k < ny) {
			if (same(&x[i], &y[k])) {
				VEC_PUSH(a, out) = (struct edit){' ', &x[i++]};
				k++;
			} else if (best[(i + 1) * wide + k] >= best[i * wide + k + 1]) {
				VEC_PUSH(a, out) = (struct edit){'-', &x[i++]};
			} else {
				VEC_PUSH(a, out) = (struct edit){'+', &y[k++]};
			}
		}
	}
	while (i < nx)
		VEC_PUSH(a, out) = (struct edit){'-', &x[i++]};
	while (k < ny)
		VEC_PUSH(a, out) = (struct edit){'+', &y[k++]};
}

/* Returns the lines of both texts in the order of a diff, each marked as common, old or new.  Sets `*differ` if the texts differ. */
static struct edits edits_of(struct arena *a, const struct text *old, const struct text *new, bool *differ)
{
	struct lines *x = arena_alloc(a, sizeof *x), *y = arena_alloc(a, sizeof *y);
	struct edits e = {0};
	uint32_t head = 0, tail = 0;
	*x = split(a, old);
	*y = split(a, new);
	while (head < x->n && head < y->n && same(&x->at[head], &y->at[head]))
		head++;
	while (tail < x->n - head && tail < y->n - head && same(&x->at[x->n - 1 - tail], &y->at[y->n - 1 - tail]))
		tail++;
	*differ = head < x->n || head < y->n;
	for (uint32_t i = 0; i < head; i++)
		VEC_PUSH(a, &e) = (struct edit){' ', &x->at[i]};
	if (head + tail < x->n || head + tail < y->n)
		diff_middle(a, &e, x->at ? x->at + head : NULL, x->n - head - tail, y->at ? y->at + head : NULL, y->n - head - tail);
	for (uint32_t i = x->n - tail; i < x->n; i++)
		VEC_PUSH(a, &e) = (struct edit){' ', &x->at[i]};
	return e;
}

static void hunk(struct text *t, const struct edits *e, uint32_t from, uint32_t to, uint32_t old_line,
                 uint32_t new_line, bool colour)
{
	uint32_t old_n = 0, new_n = 0;
	for (uint32_t i = from; i < to; i++) {
		old_n += e->at[i].kind != '+';
		new_n += e->at[i].kind != '-';
	}
	text_printf(t, "%s@@ -%u,%u +%u,%u @@%s\n", colour ? "\033[36m" : "", (unsigned)(old_line + (old_n > 0)),
	            (unsigned)old_n, (unsigned)(new_line + (new_n > 0)), (unsigned)new_n, colour ? "\033[m" : "");
	for (uint32_t i = from; i < to; i++) {
		const struct edit *edit = &e->at[i];
		if (colour && edit->kind != ' ')
			text_string(t, edit->kind == '-' ? "\033[31m" : "\033[32m");
		text_char(t, edit->kind);
		text_bytes(t, edit->line->at, edit->line->n);
		text_string(t, colour && edit->kind != ' ' ? "\033[m\n" : "\n");
	}
}

static void hunks(struct text *t, const struct edits *e, bool colour)
{
	uint32_t old_line = 0, new_line = 0, counted = 0;
	for (uint32_t i = 0; i < e->n;) {
		if (e->at[i].kind == ' ') {
			i++;
			continue;
		}
		uint32_t from = i > counted + CONTEXT ? i - CONTEXT : counted, last = i;
		for (uint32_t k = i; k < e->n && k <= last + 2 * CONTEXT; k++)
			if (e->at[k].kind != ' ')
				last = k;
		uint32_t to = last + 1 + CONTEXT < e->n ? last + 1 + CONTEXT : e->n;
		for (; counted < from; counted++) {
			old_line += e->at[counted].kind != '+';
			new_line += e->at[counted].kind != '-';
		}
		hunk(t, e, from, to, old_line, new_line, colour);
		i = to;
	}
}

static void diff_one(struct text *t, const struct run *r, enum stage stage, bool colour)
{
	struct arena *a = t->arena;
	struct text const old = run_given_listing(r, stage), after = run_listing(r, stage);
	bool differ;
	struct edits const e = edits_of(a, &old, &after, &differ);
	if (!differ)
		return;
	const char *name = shown_name((stage == STAGE_VERTEX ? r->vs : r->ps)->source->name);
	struct text shown = {.arena = a};
	text_visible(&shown, name, strlen(name));
	text_printf(t, "%s--- %s\n+++ %s (moved)%s\n", colour ? "\033[1m" : "", shown.at, shown.at,
	            colour ? "\033[m" : "");
	hunks(t, &e, colour);
}

void show_diff(struct text *t, const struct run *r, bool colour)
{
	if (run_writes_vs(r))
		diff_one(t, r, STAGE_VERTEX, colour);
	diff_one(t, r, STAGE_PIXEL, colour);
}

void show_changes(struct text *t, const struct text *old, const struct text *new, const char *indent)
{
	bool differ;
	struct edits const e = edits_of(t->arena, old, new, &differ);
	for (uint32_t i = 0; i < e.n; i++) {
		if (e.at[i].kind == ' ')
			continue;
		text_printf(t, "%s%c ", indent, e.at[i].kind);
		text_bytes(t, e.at[i].line->at, e.at[i].line->n);
		text_char(t, '\n');
	}
}
