/* What the device allows that draws the programs: more slots and constants than every device has. */
#ifndef FPMOVE_LANG_DEVICE_H
#define FPMOVE_LANG_DEVICE_H

#include "lang/ir.h"

enum device_limit {
#define LIMIT(id, ...) id,
#include "lang/device.def"
#undef LIMIT
	DEVICE_LIMITS
};

struct device_limit_info {
	const char *name, *cap; /* as users write it; of D3DCAPS9 */
	unsigned least, most, used;
};
extern const struct device_limit_info device_limits[DEVICE_LIMITS];

struct device {
	uint16_t has[DEVICE_LIMITS]; /* 0: nobody said, and the least is taken for it */
};

/* Returns the slots of any kind that a program of the model may have, or where textures count apart, the arithmetic ones. */
unsigned device_slots(const struct device *, enum model);
/* Returns the constant registers of the model. */
unsigned device_consts(const struct device *, enum model);
/* Returns the limit that a model's slots have by the device, or DEVICE_LIMITS: its own is all there is. */
enum device_limit device_slots_limit(enum model);

/* Reads a list such as ps30-slots:2048,vs-consts:256, whose parts may be lines, too, and comments behind #.  Returns NULL, or what is wrong
 * with it. */
const char *device_read(struct arena *, const char *text, size_t size, struct device *);

#endif
