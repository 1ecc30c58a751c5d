/* The modes of fpmove-d3d9, such as `assemble` and `time`, each in a file of its own.  Each returns the exit status. */
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

/* Begins the JSON of a mode with the version of fpmove, the runtime, and the device if there is one. */
void report_begin(struct json *, const struct runtime *, const struct device *);
/* Writes the lines for people to standard output, unless --json=- takes it, and empties the text.  Returns false if writing fails. */
bool report_lines(struct arena *, const struct d3d9_options *, struct text *);
/* Ends the JSON and writes it if --json is given, after the lines for people.  Returns `status`, or EXIT_TROUBLE if writing fails. */
enum exit_status report_end(struct arena *, const struct d3d9_options *, struct json *, struct text *, enum exit_status);

#endif
