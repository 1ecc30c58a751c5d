/* Versions by moved instructions, see stages.h. */
#include "gpu/stages.h"

#include "cli/files.h"
#include "gpu/output.h"

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

/* Two panels over the same axis of moved instructions: time above, slots below. */
enum { WIDTH = 640, LEFT = 64, RIGHT = 96, PANEL = 170, GAP = 34, TOP = 52, BOTTOM = 46, HEIGHT = TOP + 2 * PANEL + GAP + BOTTOM };

static const char style[] =
	"<style>text{font:12px sans-serif;fill:#24292f}.t{font-size:14px;font-weight:600}.g{stroke:#d0d7de}.a{stroke:#57606a}"
	".ms{stroke:#0969da;fill:#0969da}.fp{stroke:#cf222e;fill:#cf222e}.vp{stroke:#1a7f37;fill:#1a7f37}path{fill:none!important;stroke-width:2}"
	"text.ms,text.fp,text.vp{stroke:none}.b{fill:#fff}"
	"@media(prefers-color-scheme:dark){text{fill:#e6edf3}.g{stroke:#30363d}.a{stroke:#8b949e}.ms{stroke:#58a6ff;fill:#58a6ff}"
	".fp{stroke:#ff7b72;fill:#ff7b72}.vp{stroke:#3fb950;fill:#3fb950}.b{fill:#0d1117}}</style>\n";

/* What is drawn: a panel's values go from 0 at its lower edge to `most` at its upper one. */
struct plot {
	const struct milestone *stage;
	unsigned n;
	struct text *out;
};

static double x_of(const struct plot *p, unsigned moved)
{
	unsigned const most = p->stage[p->n - 1].moved;
	return (double)LEFT + (double)(WIDTH - LEFT - RIGHT) * moved / (most ? most : 1);
}

static double y_of(int top, double value, double most)
{
	return top + (double)PANEL * (1 - value / most);
}

/* 1, 2 or 5 times a power of ten, of which about four fit in. */
static double step_of(double most)
{
	double const power = pow(10, floor(log10(most / 4))), times = most / 4 / power;
	return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* Lines across with their numbers; the value is where the panel ends, a whole number of steps. */
static double draw_grid(const struct plot *p, int top, double largest, const char *title)
{
	double const step = step_of(largest), most = step * ceil(largest / step);
	for (unsigned k = 0; k * step <= most * 1.001; k++) {
		double const y = y_of(top, k * step, most);
		text_printf(p->out,
		            "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
		            k ? "g" : "a", LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, k * step);
	}
	text_printf(p->out, "<text x=\"%d\" y=\"%d\">%s</text>\n", LEFT, top - 8, title);
	return most;
}

static double value_of(const struct milestone *s, char what)
{
	return what == 'm' ? s->ns.median / 1e6 : what == 'f' ? s->ps : s->vs;
}

static void draw_line(const struct plot *p, int top, double most, char what, const char *class, const char *name)
{
	const struct milestone *last = &p->stage[p->n - 1];
	text_printf(p->out, "<path class=\"%s\" d=\"", class);
	for (unsigned k = 0; k < p->n; k++)
		text_printf(p->out, "%s%.1f %.1f", k ? "L" : "M", x_of(p, p->stage[k].moved), y_of(top, value_of(&p->stage[k], what), most));
	text_string(p->out, "\"/>\n");
	for (unsigned k = 0; k < p->n; k++) {
		double const x = x_of(p, p->stage[k].moved), y = y_of(top, value_of(&p->stage[k], what), most);
		text_printf(p->out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%u moved: %.4g %s</title></circle>\n", class, x, y,
		            p->stage[k].moved, value_of(&p->stage[k], what), name);
	}
	text_printf(p->out, "<text class=\"%s\" x=\"%d\" y=\"%.1f\">%s</text>\n", class, WIDTH - RIGHT + 10,
	            y_of(top, value_of(last, what), most) + 4, name);
}

/* Half of the samples lie on a line up and down. */
static void draw_spread(const struct plot *p, int top, double most)
{
	for (unsigned k = 0; k < p->n; k++) {
		double const x = x_of(p, p->stage[k].moved);
		text_printf(p->out, "<line class=\"ms\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", x, x,
		            y_of(top, p->stage[k].ns.low / 1e6, most), y_of(top, p->stage[k].ns.high / 1e6, most));
	}
}

static void draw_axis(const struct plot *p)
{
	unsigned const most = p->stage[p->n - 1].moved;
	double const step = most < 4 ? 1 : step_of(most);
	for (unsigned k = 0; k * step <= most; k++)
		text_printf(p->out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x_of(p, (unsigned)(k * step)),
		            HEIGHT - BOTTOM + 18, k * step);
	text_printf(p->out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">moved instructions</text>\n", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
}

static void text_markup(struct text *t, const char *s)
{
	for (; *s; s++)
		text_printf(t, *s == '<' ? "&lt;" : *s == '&' ? "&amp;" : "%c", *s);
}

static void draw_plot(const struct plot *p, const struct context *gpu, const struct session *s)
{
	int const below = TOP + PANEL + GAP;
	double ms = 0, slots = 1;
	for (unsigned k = 0; k < p->n; k++) {
		ms = fmax(ms, p->stage[k].ns.high / 1e6);
		slots = fmax(slots, fmax(p->stage[k].ps, p->stage[k].vs));
	}
	text_printf(p->out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s", WIDTH, HEIGHT,
	            WIDTH, HEIGHT, style);
	text_printf(p->out, "<rect class=\"b\" width=\"%d\" height=\"%d\"/>\n<text class=\"t\" x=\"%d\" y=\"20\">%s, %s %u, %s, on ", WIDTH,
	            HEIGHT, LEFT, workload_title(p->out->arena, s->workload, &s->wanted), s->workload->parameters->name, s->wanted.number[0],
	            image_formats[s->variant->record.kinds.at->format].name);
	text_markup(p->out, gpu->renderer);
	text_string(p->out, "</text>\n");
	ms = draw_grid(p, TOP, ms, "GPU time, ms (line: half of the samples)");
	draw_spread(p, TOP, ms);
	draw_line(p, TOP, ms, 'm', "ms", "ms");
	slots = draw_grid(p, below, slots, "slots");
	draw_line(p, below, slots, 'f', "fp", "pixel");
	draw_line(p, below, slots, 'v', "vp", "vertex");
	draw_axis(p);
	text_string(p->out, "</svg>\n");
}

const char *stages_plot(struct arena *a, const char *path, const struct context *gpu, const struct session *s)
{
	struct text t = {.arena = a};
	const char *why = NULL;
	struct milestone *stage = arena_alloc(a, s->nvariants * sizeof *stage);
	for (unsigned k = 0; k < s->nvariants; k++)
		stage[k] = stage_of(a, s, &s->variant[k]);
	draw_plot(&(struct plot){stage, s->nvariants, &t}, gpu, s);
	struct output const file = {.path = path, .text = t.at, .n = t.n};
	return files_write(a, &file, 1, &why) ? NULL : why;
}
