/* Line charts in SVG, which follow the viewer's light or dark colours: panels above one another over the same axis. */
#ifndef FPMOVE_GPU_PLOT_H
#define FPMOVE_GPU_PLOT_H

#include "base/arena.h"

#include <stdbool.h>

enum { PLOT_LINES = 6, PLOT_PANELS = 3 };

struct plot_line {
	const char *name;
	const double *y;          /* one for each x; a value that is not finite leaves a gap */
	const double *low, *high; /* ends of a line up and down through each point; NULL if there are none */
};

struct plot_panel {
	const char *title;
	bool log; /* values are positive, and a factor is a length; else the panel begins at 0 */
	unsigned n;
	struct plot_line line[PLOT_LINES];
};

struct plot {
	const char *title, *x_title;
	bool log_x;      /* values of x are positive, and each is a mark of the axis; else the axis begins at 0 */
	const double *x; /* in order */
	unsigned points;
	unsigned n;
	struct plot_panel panel[PLOT_PANELS];
};

void plot_draw(const struct plot *, struct text *);
/* Draws into a file.  NULL, or a sentence in the arena on why it cannot be written. */
const char *plot_write(struct arena *, const char *path, const struct plot *);

#endif
