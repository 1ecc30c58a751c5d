/* Versions by moved instructions, see stages.h. */
#include "gpu/stages.h"

#include "gpu/plot.h"
#include "gpu/run_report.h"

enum { MOST_STAGES = 256, MOST_MOVES = 1000 };

/* ---- which stages there are ------------------------------------------------------------ */

static struct run_options *stage_plan(struct arena *a, const struct gpu_options *o, unsigned moves)
{
	struct run_options *plan = gpu_options_plan(a, o, 1);
	plan->given |= GIVEN_MAX_MOVES;
	plan->move.max_moves = moves;
	return plan;
}

static unsigned moved_of(const struct run *r)
{
	return r && r->moved ? r->moved->moved : 0;
}

/* How many instructions of all the programs that were recorded move, at most `moves` of each? */
static unsigned moved_in_all(struct arena *a, const struct gpu_options *o, const struct record *record, unsigned moves)
{
	struct arena_mark const mark = arena_mark(a);
	unsigned sum = 0;
	for (uint32_t k = 0; k < record->kinds.n; k++) {
		const struct run *as_given = record->kinds.at[k].run;
		struct run r;
		run_init(&r, a, as_given->sources, as_given->nsources, stage_plan(a, o, moves));
		run_all(&r);
		sum += moved_of(&r);
	}
	arena_release(a, mark);
	return sum;
}

/* One computation as given, which shows what programs there are. */
static const char *find_programs(struct arena *a, const struct context *gpu, const struct session *s, struct record *record)
{
	struct lab lab = {.arena = a, .gpu = gpu, .record = record};
	void *state = NULL;
	record_start(record, a, false);
	const char *wrong = s->workload->open(&lab, &s->wanted, &state);
	if (!wrong) {
		s->workload->upload(&lab, state);
		s->workload->compute(&lab, state);
		wrong = context_error();
	}
	if (state)
		s->workload->close(&lab, state);
	return wrong;
}

const char *stages_list(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct session *s)
{
	struct record record;
	s->variant = arena_zero(a, MOST_STAGES * sizeof *s->variant);
	s->variant[s->nvariants++].name = "as given";
	const char *wrong = find_programs(a, gpu, s, &record);
	unsigned const all = wrong ? 0 : moved_in_all(a, o, &record, MOST_MOVES);
	unsigned before = 0;
	for (unsigned moves = 1; before < all && s->nvariants < MOST_STAGES; moves++) {
		unsigned const now = moved_in_all(a, o, &record, moves);
		if (now == before)
			continue;
		before = now;
		s->variant[s->nvariants++] = (struct variant){.name = arena_printf(a, "%u moved", now), .plan = stage_plan(a, o, moves)};
	}
	record_free(&record);
	return wrong;
}

/* ---- the table ------------------------------------------------------------------------- */

struct milestone {
	unsigned moved, vs, ps; /* instructions and slots of all programs */
	struct quartiles ns;
};

static struct milestone stage_of(struct arena *a, const struct session *s, const struct variant *v)
{
	struct milestone stage = {.ns = output_quartiles(a, v->gpu_ns, s->samples)};
	for (uint32_t k = 0; k < v->record.kinds.n; k++) {
		const struct kind *kind = &v->record.kinds.at[k];
		stage.moved += moved_of(kind->run);
		stage.vs += program_total_slots(kind->vs);
		stage.ps += program_total_slots(kind->ps);
	}
	return stage;
}

void stages_print(const struct session *s, struct text *t)
{
	text_printf(t, "%6s %9s %9s %11s %7s   %s\n", "moved", "VP slots", "FP slots", "GPU ms", "spread", "% of as given (95%)");
	for (unsigned k = 0; k < s->nvariants; k++) {
		const struct variant *v = &s->variant[k];
		struct milestone const at = stage_of(t->arena, s, v);
		struct ratio const r = variant_ratio(t->arena, s, v);
		text_printf(t, "%6u %9u %9u %11.4f %6.1f%%   %.1f", at.moved, at.vs, at.ps, at.ns.median / 1e6,
		            100 * (at.ns.high - at.ns.low) / at.ns.median, 100 * r.median);
		if (k)
			text_printf(t, " (%.1f to %.1f)", 100 * r.low, 100 * r.high);
		text_char(t, '\n');
	}
}

/* ---- the picture ----------------------------------------------------------------------- */

/* What a chart draws of the stages, one number of each. */
struct columns {
	double *moved, *ms, *low, *high, *vs, *ps;
};

static struct columns columns_of(struct arena *a, const struct session *s)
{
	struct columns c;
	double **const all[] = {&c.moved, &c.ms, &c.low, &c.high, &c.vs, &c.ps};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		*all[k] = arena_alloc(a, s->nvariants * sizeof(double));
	for (unsigned k = 0; k < s->nvariants; k++) {
		struct milestone const at = stage_of(a, s, &s->variant[k]);
		c.moved[k] = at.moved;
		c.ms[k] = at.ns.median / 1e6;
		c.low[k] = at.ns.low / 1e6;
		c.high[k] = at.ns.high / 1e6;
		c.vs[k] = at.vs;
		c.ps[k] = at.ps;
	}
	return c;
}

const char *stages_plot(struct arena *a, const char *path, const struct context *gpu, const struct session *s)
{
	struct columns const c = columns_of(a, s);
	struct plot const plot = {
		.title = arena_printf(a, "%s, %s %u, %s, on %s", workload_title(a, s->workload, &s->wanted), s->workload->parameters->name,
		                      s->wanted.number[0], image_formats[s->variant->record.kinds.at->format].name, gpu->renderer),
		.x_title = "moved instructions", .x = c.moved, .points = s->nvariants, .n = 2,
		.panel = {{.title = "GPU time, ms (line: half of the samples)", .n = 1, .line = {{"ms", c.ms, c.low, c.high}}},
		          {.title = "slots", .n = 2, .line = {{.name = "pixel", .y = c.ps}, {.name = "vertex", .y = c.vs}}}}};
	return plot_write(a, path, &plot);
}
