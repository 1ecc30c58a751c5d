/* The progress line, see progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 20 };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(struct progress *p, const struct options *o)
{
	bool terminal = isatty(STDERR_FILENO);
	*p = (struct progress){.on = o->progress || (terminal && !o->quiet), .terminal = terminal};
	p->begun = p->last = seconds();
}

void progress_show(struct progress *p, uint32_t done, uint32_t all, unsigned long saved)
{
	if (!p->on || !all)
		return;
	double now = seconds();
	if (now - p->last < (p->terminal ? 0.1 : 5.0))
		return;
	p->last = now;
	double rate = (double)done / (now - p->begun);
	unsigned left = rate > 0 ? (unsigned)((double)(all - done) / rate + 0.5) : 0;
	char bar[BAR + 1];
	unsigned filled = (unsigned)((uint64_t)done * BAR / all);
	memset(bar, '.', BAR);
	memset(bar, '#', filled);
	bar[BAR] = '\0';
	if (p->terminal)
		fprintf(stderr, "\r[%s] %u/%u, %.0f/s, %u:%02u left, %lu slots saved\033[K", bar, (unsigned)done, (unsigned)all,
		        rate, left / 60, left % 60, saved);
	else
		fprintf(stderr, "fpmove: %u of %u pairs, %.0f/s, %u:%02u left, %lu slots saved\n", (unsigned)done, (unsigned)all,
		        rate, left / 60, left % 60, saved);
	fflush(stderr);
	p->shown = p->terminal;
}

void progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
