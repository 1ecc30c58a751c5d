/* Shows the times of passes, see passes.h. */
#include "cli/passes.h"

#include "cli/message.h"
#include "system/process.h"

void passes_begin(struct profile *p)
{
	profile_init(p, os_now);
}

enum { NAME_COLUMNS = 34 };

static void show_time(struct text *t, const char *name, int depth, uint64_t time)
{
	text_printf(t, "%s: %*s%-*s%12.1f us", command_name, 2 * depth, "", NAME_COLUMNS - 2 * depth, name, 1e-3 * (double)time);
}

static void show_pass(struct text *t, const struct pass *pass, int depth)
{
	typedef unsigned long long number;
	show_time(t, pass->name, depth, pass->time);
	if (pass->runs > 1)
		text_printf(t, ", %llu runs", (number)pass->runs);
	if (pass->nodes)
		text_printf(t, ", %llu nodes", (number)pass->nodes);
	if (pass->changed && pass->runs > 1)
		text_printf(t, ", %llu of them changed", (number)pass->changed);
	if (pass->changed)
		text_printf(t, "%sslots %llu -> %llu", pass->runs > 1 ? " " : ", ", (number)pass->slots[0], (number)pass->slots[1]);
	text_char(t, '\n');
}

enum { FEW = 3 }; /* if more than FEW passes within a pass changed nothing, they share a line */

/* Returns true if the pass changed nothing, searched nothing, and runs no other passes. */
static bool is_idle(const struct profile *p, unsigned k)
{
	bool idle = !p->pass[k].changed && !p->pass[k].nodes;
	for (unsigned below = k + 1; below < p->n && idle; below++)
		idle = p->pass[below].parent != k;
	return idle;
}

/* Writes a line for each pass that `parent` runs, each followed by the passes that it runs itself.  If `parent` is a pass, and more than FEW of
 * these changed nothing, they share one line at the end. */
static void show_below(struct text *t, const struct profile *p, unsigned parent, int depth)
{
	struct text idle = {.arena = t->arena};
	uint64_t time = 0;
	unsigned n = 0;
	for (unsigned k = 0; k < p->n; k++)
		n += p->pass[k].parent == parent && is_idle(p, k);
	for (unsigned k = 0; k < p->n; k++) {
		const struct pass *pass = &p->pass[k];
		if (pass->parent != parent)
			continue;
		if (depth > 0 && n > FEW && is_idle(p, k)) {
			text_printf(&idle, "%s%s", idle.n ? ", " : ": ", pass->name);
			time += pass->time;
			continue;
		}
		show_pass(t, pass, depth);
		show_below(t, p, k, depth + 1);
	}
	if (!idle.n)
		return;
	show_time(t, "no change", depth, time);
	text_printf(t, "%s\n", idle.at);
}

void show_passes(struct text *t, const struct profile *p)
{
	show_below(t, p, NO_PASS, 0);
}
