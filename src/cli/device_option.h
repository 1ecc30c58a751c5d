/* --device: reads the limits of the device that draws the programs. */
#ifndef FPMOVE_CLI_DEVICE_OPTION_H
#define FPMOVE_CLI_DEVICE_OPTION_H

#include "cli/arguments.h"
#include "lang/device.h"

/* Reads a list such as ps30-slots:2048,vs-consts:256, or a file with such a list; the file's name is added to `also_read`, and its limits to
 * `decides`.  Returns false after a message. */
bool device_option(struct arena *, const char *value, struct device *, struct names *also_read, struct text *decides);

#endif
