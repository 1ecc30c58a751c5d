/* The modes of fpmove-d3d9, each in a file of its own.  Each returns the exit status; EXIT_REJECTED if programs are refused or pairs differ. */
#ifndef FPMOVE_D3D9_MODES_H
#define FPMOVE_D3D9_MODES_H

#include "cli/json.h"
#include "cli/message.h"
#include "d3d9/device.h"
#include "d3d9/options.h"

int assemble_main(struct arena *, const struct runtime *, const struct d3d9_options *);
int validate_main(struct arena *, const struct runtime *, const struct d3d9_options *);
int draw_main(struct arena *, const struct runtime *, const struct d3d9_options *);
int time_main(struct arena *, const struct runtime *, const struct d3d9_options *);
int calibrate_main(struct arena *, const struct runtime *, const struct d3d9_options *);
int caps_main(struct arena *, const struct runtime *, const struct d3d9_options *);

/* Returns a new JSON object with what each report begins with: the versions of fpmove and of the schema, Wine and D3DX if they are there,
 * and the device unless it is NULL. */
json_t *report_head(struct arena *, const struct runtime *, const struct device *);
/* Writes the lines for people so far, unless the JSON goes to standard output, and empties the text.  Returns false if writing fails. */
bool print_lines(const struct d3d9_options *, struct text *);
/* Writes the JSON to the file of --json, if given, and frees it; writes the lines for people as print_lines does.  Returns the status, or
 * EXIT_USAGE if writing fails. */
int report_end(struct arena *, const struct d3d9_options *, json_t *, struct text *, int status);

/* Returns the text of a list for list_next(), or NULL after a message. */
char *list_read(struct arena *, const char *name);
/* Finds the fields, parted by tabs, of the next line that is not empty; the last of `most` has the rest of the line.  Returns how many there
 * are, or 0 at the end.  Overwrites what ends them with NULs, and moves *text on. */
unsigned list_next(char **text, char **field, unsigned most);

#endif
