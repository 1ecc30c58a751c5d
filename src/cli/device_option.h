/* --device: what the device has that draws the programs. */
#ifndef FPMOVE_CLI_DEVICE_OPTION_H
#define FPMOVE_CLI_DEVICE_OPTION_H

#include "cli/arguments.h"
#include "lang/device.h"

/* Reads a list such as ps30-slots:2048,vs-consts:256, or a file that holds one: that is `also_read`, and its limits go to `decides`.
 * Returns false if it is neither, which was said. */
bool device_option(struct arena *, const char *value, struct device *, struct names *also_read, struct text *decides);

#endif
