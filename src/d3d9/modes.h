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

/* Returns the head of each JSON: the command, the runtime, and the device if there is one. */
json_t *report_head(struct arena *, const struct runtime *, const struct device *);
/* Writes the lines for people so far, if they are wanted, and empties the text. */
bool print_lines(const struct d3d9_options *, struct text *);
/* Writes the JSON, which it frees, and the lines for people if they are wanted.  Returns the status, or EXIT_USAGE if writing fails. */
int report_end(struct arena *, const struct d3d9_options *, json_t *, struct text *, int status);

/* Returns the text of a list for list_next(), or NULL after a message. */
char *list_read(struct arena *, const char *name);
/* Finds the fields, parted by tabs, of the next line that is not empty; the last of `most` has the rest of the line.  Returns how many there
 * are, or 0 at the end.  Overwrites what ends them with NULs, and moves *text on. */
unsigned list_next(char **text, char **field, unsigned most);

#endif
