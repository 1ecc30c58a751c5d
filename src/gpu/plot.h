/* Draws line charts as SVG: panels above one another that share the x axis.  Colours follow the viewer's light or dark theme. */
#ifndef FPMOVE_GPU_PLOT_H
#define FPMOVE_GPU_PLOT_H

#include "base/arena.h"

#include <stdbool.h>

enum { PLOT_LINES = 6, PLOT_PANELS = 3 };

struct plot_line {
	const char *name;
	const double *y;          /* one value for each x; a value that is not finite leaves a gap */
	const double *low, *high; /* ends of the error bar of each point; NULL if there are none */
};

struct plot_panel {
	const char *title;
	bool log; /* true for a logarithmic axis, whose values are positive; otherwise the axis begins at 0 */
	unsigned n;
	struct plot_line line[PLOT_LINES];
};

struct plot {
	const char *title, *x_title;
	bool log_x;      /* true for a logarithmic x axis: its values are positive, and each is a mark; otherwise the axis begins at 0 */
	const double *x; /* ascending */
	unsigned points;
	unsigned n;
	struct plot_panel panel[PLOT_PANELS];
};

/* Draws into a file.  Returns NULL, or a sentence in the arena on why it cannot be written. */
const char *plot_write(struct arena *, const char *path, const struct plot *);

#endif
