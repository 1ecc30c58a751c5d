/* The progress line, see progress.h. */
#include "cli/progress.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "system/files.h"
#include "system/process.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { BAR = 20 };

static double seconds(void)
{
	return 1e-9 * (double)os_now();
}

void progress_begin(struct progress *p, bool wanted, bool unwanted)
{
	bool const terminal = os_is_terminal(OS_ERR);
	p->on = wanted || (terminal && !unwanted);
	p->terminal = terminal;
	p->begun = p->last = seconds();
}

/* Draws a progress line over the previous one, shortened to the width of the terminal. */
static void draw_bar(const char *line)
{
	unsigned columns = fit_columns(OS_ERR);
	fprintf(stderr, "\r%.*s\033[K", columns ? (int)columns - 1 : INT_MAX, line);
	fflush(stderr);
}

void progress_show(struct progress *p, uint32_t done, uint32_t all, const char *found)
{
	if (!p->on || !all)
		return;
	double now = seconds();
	if (now - p->last < (p->terminal ? 0.1 : 5.0))
		return;
	p->last = now;
	double rate = (double)done / (now - p->begun);
	unsigned left = rate > 0 ? (unsigned)((double)(all - done) / rate + 0.5) : 0;
	char bar[BAR + 1], line[160];
	unsigned filled = (unsigned)((uint64_t)done * BAR / all);
	memset(bar, '.', BAR);
	memset(bar, '#', filled);
	bar[BAR] = '\0';
	if (!p->terminal) {
		fprintf(stderr, "%s: %u of %u pairs, %.0f/s, %u:%02u left, %s\n", command_name, (unsigned)done, (unsigned)all,
		        rate, left / 60, left % 60, found);
		return;
	}
	if (atomic_load(&p->stopping))
		snprintf(line, sizeof line, "%u/%u, stopping; a second signal stops at once", (unsigned)done, (unsigned)all);
	else
		snprintf(line, sizeof line, "[%s] %u/%u, %.0f/s, %u:%02u left, %s", bar, (unsigned)done, (unsigned)all, rate,
		         left / 60, left % 60, found);
	draw_bar(line);
	p->shown = true;
}

void progress_clear(struct progress *p)
{
	if (p->shown) {
		fputs("\r\033[K", stderr);
		p->last = 0;
	}
	p->shown = false;
}

void progress_abandon(const struct progress *p)
{
	static const char clear[] = "\r\033[K";
	if (p->on && p->terminal && !os_write(OS_ERR, clear, sizeof clear - 1))
		return;
}
