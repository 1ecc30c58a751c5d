/* Finds and prints stages (versions by number of moved instructions), see stages.h. */
#include "gpu/stages.h"

#include "gpu/output.h"
#include "gpu/plot.h"

#include <math.h>

enum { MOST_MOVES = 1000 };

/* ---- which stages there are ------------------------------------------------------------ */

static struct run_options *stage_plan(struct arena *a, const struct gpu_options *o, unsigned moves)
{
	struct run_options *plan = gpu_options_plan(a, o, 1);
	plan->given |= GIVEN_MAX_MOVES;
	plan->move.max_moves = moves;
	return plan;
}

/* Returns how many instructions move under the plan by `counter`, whose memory it frees. */
static unsigned count_moved(struct arena *a, stages_count *counter, const void *of, const struct run_options *plan)
{
	struct arena_mark const mark = arena_mark(a);
	unsigned const moved = counter(a, of, plan);
	arena_release(a, mark);
	return moved;
}

unsigned stages_find(struct arena *a, const struct gpu_options *o, stages_count *counter, const void *of, const struct run_options **plan,
                     unsigned *moved)
{
	unsigned const all = count_moved(a, counter, of, stage_plan(a, o, MOST_MOVES));
	unsigned n = 0, before = 0;
	for (unsigned moves = 1; before < all && n < STAGES_MOST; moves++) {
		const struct run_options *next = stage_plan(a, o, moves);
		unsigned const now = count_moved(a, counter, of, next);
		if (now == before)
			continue;
		plan[n] = next;
		moved[n++] = before = now;
	}
	return n;
}

unsigned stages_moved_under(struct arena *a, const struct run *as_given, const struct run_options *plan)
{
	struct run r;
	run_init(&r, a, as_given->sources, as_given->nsources, plan);
	run_all(&r);
	return stages_moved(&r);
}

/* ---- the table ------------------------------------------------------------------------- */

static void print_ratio(struct text *t, const struct stage_figures *s, bool first)
{
	text_printf(t, "   %.1f", 100 * s->ratio.median);
	if (!first)
		text_printf(t, " (%.1f to %.1f)", 100 * s->ratio.low, 100 * s->ratio.high);
}

static void print_gflops(struct text *t, double gflops)
{
	if (isfinite(gflops))
		text_printf(t, " %7.4g", gflops);
}

static void print_stage(struct text *t, const struct stage_figures *s, bool first)
{
	text_printf(t, "%5u %4u %4u %9.4f %5.1f%%", s->moved, s->vs, s->ps, s->ns.median / 1e6, 100 * (s->ns.high - s->ns.low) / s->ns.median);
	if (isfinite(s->whole_ns)) {
		text_printf(t, " %5.1f%% %9.4f %5.1f%% %8.4f", 100 * s->ratio.median, s->whole_ns / 1e6, 100 * s->whole_ratio, s->back_ns / 1e6);
		print_gflops(t, s->gflops);
		print_gflops(t, s->published);
	} else {
		print_ratio(t, s, first);
	}
	text_char(t, '\n');
}

void stages_print(const struct stage_figures *s, unsigned n, struct text *t)
{
	text_printf(t, "%5s %4s %4s %9s %6s", "moved", "VP", "FP", "t ms", "spread");
	if (isfinite(s->whole_ns))
		text_printf(t, " %6s %9s %6s %8s%s%s\n", "t/t0", "T ms", "T/T0", "back ms", isfinite(s->gflops) ? "  GFLOPS" : "",
		            isfinite(s->published) ? " paper's" : "");
	else
		text_string(t, "   t/t0, % (95%)\n");
	for (unsigned k = 0; k < n; k++)
		print_stage(t, &s[k], k == 0);
}

/* ---- the picture ----------------------------------------------------------------------- */

/* Returns one double field of each stage, divided by `unit`; `at` is its offset in struct stage_figures. */
static const double *column(struct arena *a, const struct stage_figures *s, unsigned n, size_t at, double unit)
{
	double *values = arena_alloc(a, n * sizeof *values);
	for (unsigned k = 0; k < n; k++) {
		memcpy(&values[k], (const char *)&s[k] + at, sizeof *values);
		values[k] /= unit;
	}
	return values;
}

/* Returns one unsigned field of each stage, as doubles; `at` is its offset in struct stage_figures. */
static const double *counts(struct arena *a, const struct stage_figures *s, unsigned n, size_t at)
{
	double *values = arena_alloc(a, n * sizeof *values);
	for (unsigned k = 0; k < n; k++) {
		unsigned value;
		memcpy(&value, (const char *)&s[k] + at, sizeof value);
		values[k] = value;
	}
	return values;
}

const char *stages_plot(struct arena *a, const char *path, const char *title, const struct stage_figures *s, unsigned n)
{
	double const ms = 1e6;
	struct plot p = {.title = title, .x_title = "moved instructions", .x = counts(a, s, n, offsetof(struct stage_figures, moved)), .points = n};
	struct plot_panel *times = &p.panel[p.n++], *slots = &p.panel[p.n++];
	*times = (struct plot_panel){.title = "t on the GPU (line: half of the samples), T with transfers, ms", .n = 1};
	times->line[0] = (struct plot_line){.name = "t", .y = column(a, s, n, offsetof(struct stage_figures, ns.median), ms),
	                                    .low = column(a, s, n, offsetof(struct stage_figures, ns.low), ms),
	                                    .high = column(a, s, n, offsetof(struct stage_figures, ns.high), ms)};
	if (isfinite(s->whole_ns)) {
		times->line[times->n++] = (struct plot_line){.name = "T", .y = column(a, s, n, offsetof(struct stage_figures, whole_ns), ms)};
		times->line[times->n++] = (struct plot_line){.name = "back", .y = column(a, s, n, offsetof(struct stage_figures, back_ns), ms)};
	}
	*slots = (struct plot_panel){.title = "slots", .n = 2};
	slots->line[0] = (struct plot_line){.name = "pixel", .y = counts(a, s, n, offsetof(struct stage_figures, ps))};
	slots->line[1] = (struct plot_line){.name = "vertex", .y = counts(a, s, n, offsetof(struct stage_figures, vs))};
	if (isfinite(s->gflops)) {
		struct plot_panel *rates = &p.panel[p.n++];
		*rates = (struct plot_panel){.title = "GFLOPS", .n = 1};
		rates->line[0] = (struct plot_line){.name = "ours", .y = column(a, s, n, offsetof(struct stage_figures, gflops), 1)};
		if (isfinite(s->published))
			rates->line[rates->n++] = (struct plot_line){.name = "paper's", .y = column(a, s, n, offsetof(struct stage_figures, published), 1)};
	}
	return plot_write(a, path, &p);
}
