/* --device: reads the limits of the device that draws the programs. */
#ifndef FPMOVE_CLI_DEVICE_OPTION_H
#define FPMOVE_CLI_DEVICE_OPTION_H

#include "cli/arguments.h"
#include "lang/device.h"

/* Reads the value of --device into `device`: a list such as ps30-slots:2048,vs-consts:256, or the name of a file with a list.  Adds a file's
 * name to `also_read`, the input files, and its limits to `decides`, the text of all options that decide about outputs.  Returns false
 * after a message if the value is wrong. */
bool device_option(struct arena *, const char *value, struct device *, struct names *also_read, struct text *decides);

#endif
