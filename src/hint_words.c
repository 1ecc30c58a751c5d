/* Writes hints as text, see hints.h. */
#include "hints.h"

#include <math.h>

const struct hint_info hint_infos[HINTS] = {
#define HINT(id, name, verdict, why) [id] = {name, verdict, why},
#include "hints.def"
#undef HINT
};

void hint_samplers(struct text *t, enum hint_kind k, unsigned samplers)
{
	text_printf(t, "--%s=", hint_infos[k].name);
	for (unsigned s = 0, n = 0; s < 16; s++)
		if (samplers >> s & 1)
			text_printf(t, "%ss%u", n++ ? "," : "", s);
}

static void and_then(struct text *t, size_t start)
{
	text_string(t, t->n > start ? " and " : "");
}

static void what_to_do(struct text *t, const struct hint *h)
{
	size_t const start = t->n;
	text_string(t, h->with ? h->with : "");
	if (h->without) {
		and_then(t, start);
		text_printf(t, "leaving out %s", h->without);
	}
	if (h->as_vs_2_0) {
		and_then(t, start);
		text_string(t, "vs_2_0 instead of vs_1_1");
	}
}

static void how_much(struct text *t, unsigned slots, const char *more, double cost)
{
	if (slots)
		text_printf(t, "%u%s FP slot%s", slots, more, slots == 1 ? "" : "s");
	if (fabs(cost - slots) >= HINT_LEAST_COST)
		text_printf(t, "%s%.2f of a pixel's cost", slots ? " and " : "", cost);
}

void hint_text(struct text *t, const struct run *r, const struct hint *h)
{
	if (h->kinds == 1u << HINT_ALL_TEXCOORDS) {
		text_string(t, "no option adds an interpolator");
		text_string(t, h->last_saves_cost > 0 ? "; the last one saves " : "");
		how_much(t, h->last_saves, "", h->last_saves_cost);
		return;
	}
	what_to_do(t, h);
	text_string(t, " would save ");
	how_much(t, h->saves, r->ps_after.slots < r->ps_before.slots ? " more" : "", h->saves_cost);
	if (h->pairs > 1)
		text_printf(t, " in all %u pairs", (unsigned)h->pairs);
	text_printf(t, ", at %u VP slot%s", h->vs_slots, h->vs_slots == 1 ? "" : "s");
}

void hint_why(struct text *t, const struct hint *h)
{
	size_t const start = t->n;
	for (enum hint_kind k = 0; k < HINTS; k++)
		if (h->kinds >> k & 1)
			text_printf(t, "%s%s", t->n > start ? "; " : "", hint_infos[k].why);
}

void hint_option(struct text *t, enum hint_kind k)
{
	const char *name = hint_infos[k].name;
	if (k == HINT_LEVEL)
		text_printf(t, "-%s", name);
	else if (k == HINT_MODEL)
		text_string(t, "vs_2_0 instead of vs_1_1");
	else
		text_printf(t, "%s--%s", k == HINT_DROP_IN || k == HINT_MAX_MOVES ? "leaving out " : "", name);
}

unsigned hint_saves(const struct run *r, enum hint_kind kind)
{
	for (uint32_t k = 0; r->hints && k < r->hints->n; k++)
		if (r->hints->at[k].kinds == 1u << kind)
			return r->hints->at[k].saves;
	return 0;
}
