/* Draws charts, see plot.h. */
#include "gpu/plot.h"

#include "cli/files.h"

#include <math.h>

enum { WIDTH = 640, LEFT = 64, RIGHT = 96, PANEL = 170, GAP = 34, TOP = 52, BOTTOM = 46, LABEL = 14 };

static const char style[] =
	"<style>text{font:12px sans-serif;fill:#24292f}.t{font-size:14px;font-weight:600}.g{stroke:#d0d7de}.a{stroke:#57606a}"
	"path{fill:none!important;stroke-width:2}.b{fill:#fff}"
	".l0{stroke:#0969da;fill:#0969da}.l1{stroke:#cf222e;fill:#cf222e}.l2{stroke:#1a7f37;fill:#1a7f37}"
	".l3{stroke:#9a6700;fill:#9a6700}.l4{stroke:#8250df;fill:#8250df}.l5{stroke:#57606a;fill:#57606a}text[class^=l]{stroke:none}"
	"@media(prefers-color-scheme:dark){text{fill:#e6edf3}.g{stroke:#30363d}.a{stroke:#8b949e}.b{fill:#0d1117}"
	".l0{stroke:#58a6ff;fill:#58a6ff}.l1{stroke:#ff7b72;fill:#ff7b72}.l2{stroke:#3fb950;fill:#3fb950}"
	".l3{stroke:#d29922;fill:#d29922}.l4{stroke:#bc8cff;fill:#bc8cff}.l5{stroke:#8b949e;fill:#8b949e}}</style>\n";

/* An axis: the values at its two ends. */
struct axis {
	bool log;
	double from, to;
};

static void text_markup(struct text *t, const char *s)
{
	for (; *s; s++)
		text_printf(t, *s == '<' ? "&lt;" : *s == '&' ? "&amp;" : "%c", *s);
}

/* ---- axes ------------------------------------------------------------------------------ */

/* Returns the place of a value on the axis, from 0 to 1. */
static double place_on_axis(const struct axis *a, double value)
{
	return a->log ? log(value / a->from) / log(a->to / a->from) : (value - a->from) / (a->to - a->from);
}

static double x_of(const struct axis *a, double value)
{
	return (double)LEFT + (double)(WIDTH - LEFT - RIGHT) * place_on_axis(a, value);
}

static double y_of(const struct axis *a, int top, double value)
{
	return top + (double)PANEL * (1 - place_on_axis(a, value));
}

/* Returns the distance of marks on an axis from 0 to `most`: 1, 2 or 5 times a power of ten, so that about four fit. */
static double mark_step(double most)
{
	double const power = pow(10, floor(log10(most / 4))), times = most / 4 / power;
	return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

/* Returns the next mark of a logarithmic axis: 1, 2 or 5 times a power of ten if the axis is `fine`, else a power of ten. */
static double mark_after(double mark, bool fine)
{
	double const power = pow(10, floor(log10(mark) + 1e-9)), times = mark / power;
	return power * (!fine ? 10 : times < 1.5 ? 2 : times < 3.5 ? 5 : 10);
}

/* Returns true if the axis spans less than three powers of ten. */
static bool is_fine(const struct axis *a)
{
	return a->to / a->from < 1000;
}

static struct axis log_axis(double least, double most)
{
	struct axis a = {true, pow(10, floor(log10(least))), pow(10, ceil(log10(most * 1.0001)))};
	while (is_fine(&a) && mark_after(a.from, true) <= least)
		a.from = mark_after(a.from, true);
	double end = a.from;
	while (is_fine(&a) && end < most)
		end = mark_after(end, true);
	if (is_fine(&a))
		a.to = end;
	return a;
}

static struct axis linear_axis(double most)
{
	double const step = mark_step(most);
	return (struct axis){false, 0, step * ceil(most / step)};
}

/* Returns a y axis that holds all values of a panel; if no value is above 0, it goes from 0 to 1. */
static struct axis panel_axis(const struct plot *p, const struct plot_panel *panel)
{
	double least = (double)INFINITY, most = 0;
	for (unsigned l = 0; l < panel->n; l++)
		for (unsigned k = 0; k < p->points; k++) {
			const struct plot_line *line = &panel->line[l];
			if (!isfinite(line->y[k]))
				continue;
			least = fmin(least, line->low ? line->low[k] : line->y[k]);
			most = fmax(most, line->high ? line->high[k] : line->y[k]);
		}
	if (most <= 0)
		return (struct axis){false, 0, 1};
	return panel->log && least > 0 ? log_axis(least, fmax(most, least * 1.01)) : linear_axis(most);
}

/* Draws the horizontal line of a mark (a numbered value of the axis), and its number. */
static void draw_mark(struct text *out, const struct axis *a, int top, double value)
{
	double const y = y_of(a, top, value);
	text_printf(out,
	            "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
	            value > a->from ? "g" : "a", LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, value);
}

static void draw_marks(struct text *out, const struct axis *a, int top)
{
	double const step = mark_step(a->to);
	if (a->log)
		for (double at = a->from; at <= a->to * 1.001; at = mark_after(at, is_fine(a)))
			draw_mark(out, a, top, at);
	else
		for (unsigned k = 0; k * step <= a->to * 1.001; k++)
			draw_mark(out, a, top, k * step);
}

static void draw_x_mark(struct text *out, const struct axis *a, int bottom, double value)
{
	text_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x_of(a, value), bottom + 18, value);
}

/* Draws the marks and title of the x axis.  On a logarithmic axis, every point is a mark, unless its number would overlap the one before.
 * Other axes have marks at equal steps from 0: of 1 if the last x is below 4, else of mark_step. */
static void draw_x_axis(const struct plot *p, struct text *out, const struct axis *a, int bottom)
{
	enum { ROOM = 34 };
	double const most = p->x[p->points - 1], step = most < 4 ? 1 : mark_step(most);
	double free_from = 0;
	for (unsigned k = 0; k < p->points && p->log_x; k++)
		if (x_of(a, p->x[k]) >= free_from) {
			draw_x_mark(out, a, bottom, p->x[k]);
			free_from = x_of(a, p->x[k]) + (double)ROOM;
		}
	for (unsigned k = 0; k * step <= most && !p->log_x; k++)
		draw_x_mark(out, a, bottom, k * step);
	text_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, bottom + BOTTOM - 8);
	text_markup(out, p->x_title);
	text_string(out, "</text>\n");
}

static struct axis x_axis(const struct plot *p)
{
	double const most = p->x[p->points - 1];
	if (!p->log_x)
		return (struct axis){false, 0, most > 0 ? most : 1};
	return (struct axis){true, p->x[0], fmax(most, p->x[0] * 1.01)};
}

/* ---- lines ----------------------------------------------------------------------------- */

static void draw_points(const struct plot *p, struct text *out, const struct axis *x, const struct axis *y, int top,
                        const struct plot_line *line, unsigned class)
{
	for (unsigned k = 0; k < p->points; k++) {
		if (!isfinite(line->y[k]))
			continue;
		if (line->low)
			text_printf(out, "<line class=\"l%u\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n", class, x_of(x, p->x[k]),
			            x_of(x, p->x[k]), y_of(y, top, line->low[k]), y_of(y, top, line->high[k]));
		text_printf(out, "<circle class=\"l%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%g: %.4g ", class, x_of(x, p->x[k]),
		            y_of(y, top, line->y[k]), p->x[k], line->y[k]);
		text_markup(out, line->name);
		text_string(out, "</title></circle>\n");
	}
}

static void draw_curve(const struct plot *p, struct text *out, const struct axis *x, const struct axis *y, int top,
                      const struct plot_line *line, unsigned class)
{
	bool begun = false;
	text_printf(out, "<path class=\"l%u\" d=\"", class);
	for (unsigned k = 0; k < p->points; k++) {
		if (isfinite(line->y[k]))
			text_printf(out, "%s%.1f %.1f", begun ? "L" : "M", x_of(x, p->x[k]), y_of(y, top, line->y[k]));
		begun = isfinite(line->y[k]);
	}
	text_string(out, "\"/>\n");
	draw_points(p, out, x, y, top, line, class);
}

/* Returns the y at which a line's name is written, beside its last value; NAN if it has no value. */
static double label_of(const struct plot *p, const struct plot_line *line, const struct axis *y, int top)
{
	double at = (double)NAN;
	for (unsigned k = 0; k < p->points; k++)
		if (isfinite(line->y[k]))
			at = y_of(y, top, line->y[k]);
	return at;
}

/* Writes the names of lines from the upmost down, and moves a name down if it would overlap the one above. */
static void draw_names(const struct plot *p, struct text *out, const struct plot_panel *panel, const struct axis *y, int top)
{
	double label[PLOT_LINES], free_from = top - LABEL;
	for (unsigned l = 0; l < panel->n; l++)
		label[l] = label_of(p, &panel->line[l], y, top);
	for (unsigned n = 0; n < panel->n; n++) {
		unsigned upmost = panel->n;
		for (unsigned l = 0; l < panel->n; l++)
			if (isfinite(label[l]) && (upmost == panel->n || label[l] < label[upmost]))
				upmost = l;
		if (upmost == panel->n)
			return;
		free_from = fmax(label[upmost], free_from);
		text_printf(out, "<text class=\"l%u\" x=\"%d\" y=\"%.1f\">", upmost, WIDTH - RIGHT + 10, free_from + 4);
		text_markup(out, panel->line[upmost].name);
		text_string(out, "</text>\n");
		free_from += (double)LABEL;
		label[upmost] = (double)NAN;
	}
}

static void draw_panel(const struct plot *p, struct text *out, const struct plot_panel *panel, const struct axis *x, int top)
{
	struct axis const y = panel_axis(p, panel);
	draw_marks(out, &y, top);
	text_printf(out, "<text x=\"%d\" y=\"%d\">", LEFT, top - 8);
	text_markup(out, panel->title);
	text_string(out, "</text>\n");
	for (unsigned l = 0; l < panel->n; l++)
		draw_curve(p, out, x, &y, top, &panel->line[l], l);
	draw_names(p, out, panel, &y, top);
}

/* ---- all ------------------------------------------------------------------------------- */

static void plot_draw(const struct plot *p, struct text *out)
{
	int const bottom = TOP + (int)p->n * (PANEL + GAP) - GAP, height = bottom + BOTTOM;
	struct axis const x = x_axis(p);
	text_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n%s", WIDTH, height, WIDTH,
	            height, style);
	text_printf(out, "<rect class=\"b\" width=\"%d\" height=\"%d\"/>\n<text class=\"t\" x=\"%d\" y=\"20\">", WIDTH, height, LEFT);
	text_markup(out, p->title);
	text_string(out, "</text>\n");
	for (unsigned k = 0; k < p->n; k++)
		draw_panel(p, out, &p->panel[k], &x, TOP + (int)k * (PANEL + GAP));
	draw_x_axis(p, out, &x, bottom);
	text_string(out, "</svg>\n");
}

const char *plot_write(struct arena *a, const char *path, const struct plot *p)
{
	struct text t = {.arena = a};
	const char *why = NULL;
	plot_draw(p, &t);
	struct output const file = {.path = path, .text = t.at, .n = t.n};
	return files_write(a, &file, 1, &why) ? NULL : why;
}
