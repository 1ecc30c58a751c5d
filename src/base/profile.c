/* The profile of a run, see profile.h. */
#include "base/profile.h"

#include <string.h>

void profile_init(struct profile *p, uint64_t (*now)(void))
{
	p->now = now;
	p->n = p->beyond = 0;
	p->running = NO_PASS;
}

/* Returns the index of the child `name` of pass `parent`, adding it if there is none; NO_PASS if the table is full. */
static unsigned find_or_add_pass(struct profile *p, const char *name, unsigned parent)
{
	unsigned k = 0;
	while (k < p->n && (p->pass[k].parent != parent || strcmp(p->pass[k].name, name) != 0))
		k++;
	if (k == PROFILE_PASSES)
		return NO_PASS;
	if (k == p->n)
		p->pass[p->n++] = (struct pass){.name = name, .parent = parent};
	return k;
}

void profile_begin(struct profile *p, const char *name)
{
	if (!p)
		return;
	unsigned const k = p->beyond ? NO_PASS : find_or_add_pass(p, name, p->running);
	if (k == NO_PASS) {
		p->beyond++;
		return;
	}
	p->running = k;
	p->pass[k].since = p->now();
}

void profile_end(struct profile *p)
{
	if (!p)
		return;
	if (p->beyond) {
		p->beyond--;
		return;
	}
	struct pass *pass = &p->pass[p->running];
	pass->time += p->now() - pass->since;
	pass->runs++;
	p->running = pass->parent;
}

void profile_change(struct profile *p, unsigned slots_before, unsigned slots_after)
{
	if (!p || p->beyond)
		return;
	struct pass *pass = &p->pass[p->running];
	pass->changed++;
	pass->slots[0] += slots_before;
	pass->slots[1] += slots_after;
}

void profile_nodes(struct profile *p, uint64_t nodes)
{
	if (p && !p->beyond)
		p->pass[p->running].nodes += nodes;
}

uint64_t profile_now(const struct profile *p)
{
	return p ? p->now() : 0;
}

void profile_add(struct profile *p, const struct profile *more)
{
	unsigned place[PROFILE_PASSES];
	for (unsigned k = 0; k < more->n; k++) {
		const struct pass *from = &more->pass[k];
		unsigned const parent = from->parent == NO_PASS ? NO_PASS : place[from->parent];
		place[k] = parent == NO_PASS && from->parent != NO_PASS ? NO_PASS : find_or_add_pass(p, from->name, parent);
		if (place[k] == NO_PASS)
			continue;
		struct pass *to = &p->pass[place[k]];
		to->time += from->time;
		to->runs += from->runs;
		to->changed += from->changed;
		to->nodes += from->nodes;
		for (unsigned i = 0; i < 2; i++)
			to->slots[i] += from->slots[i];
	}
}
