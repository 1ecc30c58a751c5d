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

/* Returns a new JSON object with the first fields of a report: the versions of fpmove and of the schema, of Wine and D3DX if they are there, and
 * the device unless it is NULL. */
json_t *report_head(struct arena *, const struct runtime *, const struct device *);
/* Prints the text for people, unless the JSON goes to standard output, and empties it.  Returns false if printing fails. */
bool print_lines(const struct d3d9_options *, struct text *);
/* Writes the JSON to the file of --json, if given, and frees it; writes the lines for people as print_lines does.  Returns the status, or
 * EXIT_USAGE if writing fails. */
int report_end(struct arena *, const struct d3d9_options *, json_t *, struct text *, int status);

/* Returns the text of a list for list_next(), or NULL after a message. */
char *list_read(struct arena *, const char *name);
/* Splits the next line of *text that is not empty at its tabs into at most `most` fields; the last one keeps the rest of the line.  Writes NULs
 * over the text, and moves *text behind the line.  Returns the number of fields, or 0 at the end. */
unsigned list_next(char **text, char **field, unsigned most);

#endif
