/* Adds up hints, see hint_sums.h. */
#include "cli/hint_sums.h"

#include "cli/fit.h"

/* Bits of the kinds of hints whose options have no value, or one that does not depend on the pair. */
enum {
	WITHOUT_NUMBERS = 1 << HINT_MAX_MOVES | 1 << HINT_DROP_IN | 1 << HINT_PLAIN_TEXTURES | 1 << HINT_FINITE_TEXTURES | 1 << HINT_FREE_TIES |
	                  1 << HINT_COLOUR_INPUTS | 1 << HINT_FREE_POSITION | 1 << HINT_LEVEL
};

static void add_to_sum(struct hint_sum *to, unsigned long slots, unsigned pairs)
{
	to->slots += slots;
	to->pairs += pairs;
}

static void add_hints_of_run(struct hint_sums *s, const struct hints *hints)
{
	unsigned seen_kinds = 0;
	for (uint32_t k = 0; k < hints->n; k++) {
		const struct hint *h = &hints->at[k];
		unsigned const one = h->kinds & WITHOUT_NUMBERS;
		if (!one || one != h->kinds || one & (one - 1) || !h->saves)
			continue;
		enum hint_kind kind = 0;
		while (one != 1u << kind)
			kind++;
		/* A pair's first hint of a kind on textures names all samplers that matter; the later ones, each of one sampler, are not added
		 * to the kind's sum. */
		if (!(seen_kinds & one))
			add_to_sum(&s->kind[kind], h->saves, h->pairs);
		seen_kinds |= one;
		s->samplers[kind] |= h->samplers;
		for (unsigned n = 0; n < 16; n++)
			if (h->samplers == 1u << n)
				add_to_sum(&s->sampler[kind][n], h->saves, h->pairs);
	}
}

void hint_sums_add(struct hint_sums *s, const struct run *runs, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (runs[i].hints && (i == 0 || !runs[i - 1].hints || runs[i].hints->at != runs[i - 1].hints->at))
			add_hints_of_run(s, runs[i].hints);
}

void hint_sums_join(struct hint_sums *s, const struct hint_sums *more)
{
	for (unsigned k = 0; k < HINTS; k++) {
		add_to_sum(&s->kind[k], more->kind[k].slots, more->kind[k].pairs);
		s->samplers[k] |= more->samplers[k];
		for (unsigned n = 0; n < 16; n++)
			add_to_sum(&s->sampler[k][n], more->sampler[k][n].slots, more->sampler[k][n].pairs);
	}
}

/* Writes what the option would save for each sampler alone, if it names several: " (s0 alone 80 in 30, s3 alone 7 in 4)", for 80 slots in 30
 * pairs. */
static void show_samplers(struct text *t, const struct hint_sums *s, enum hint_kind k)
{
	const char *before = " (";
	if (!(s->samplers[k] & (s->samplers[k] - 1)))
		return;
	for (unsigned n = 0; n < 16; n++) {
		if (!s->sampler[k][n].pairs)
			continue;
		text_printf(t, "%ss%u alone %lu in %u", before, n, s->sampler[k][n].slots, s->sampler[k][n].pairs);
		before = ", ";
	}
	text_string(t, *before == ',' ? ")" : "");
}

void hint_sums_show(struct text *t, const struct hint_sums *s)
{
	for (enum hint_kind k = 0; k < HINTS; k++) {
		const struct hint_sum *sum = &s->kind[k];
		if (!sum->slots)
			continue;
		text_string(t, "hint: " FIT_HANG);
		if (s->samplers[k])
			hint_samplers(t, k, s->samplers[k]);
		else
			hint_option(t, k);
		text_string(t, " would save ");
		text_printf(t, "%lu FP slot%s in %u pair%s", sum->slots, sum->slots == 1 ? "" : "s", sum->pairs, sum->pairs == 1 ? "" : "s");
		show_samplers(t, s, k);
		text_printf(t, ": %s\n", hint_infos[k].why);
	}
}
