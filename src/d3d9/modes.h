/* What fpmove-d3d9 does, each in a file of its own; the values are exit statuses. */
#ifndef FPMOVE_D3D9_MODES_H
#define FPMOVE_D3D9_MODES_H

#include "d3d9/device.h"
#include "d3d9/json.h"
#include "d3d9/options.h"
#include "d3d9/system.h"

enum exit_status assemble_main(struct arena *, const struct runtime *, const struct d3d9_options *);
enum exit_status validate_main(struct arena *, const struct runtime *, const struct d3d9_options *);
enum exit_status draw_main(struct arena *, const struct runtime *, const struct d3d9_options *);
enum exit_status time_main(struct arena *, const struct runtime *, const struct d3d9_options *);
enum exit_status calibrate_main(struct arena *, const struct runtime *, const struct d3d9_options *);
enum exit_status caps_main(struct arena *, const struct runtime *, const struct d3d9_options *);

/* The head of each JSON: the command, and what it found; the device where there is one. */
void report_begin(struct json *, const struct runtime *, const struct device *);
/* Writes the lines for people that there are so far, where they are wanted, and forgets them. */
bool report_lines(struct arena *, const struct d3d9_options *, struct text *);
/* Ends the JSON and writes it and the lines for people, where they are wanted.  The status, or EXIT_TROUBLE where that fails. */
enum exit_status report_end(struct arena *, const struct d3d9_options *, struct json *, struct text *, enum exit_status);

#endif
