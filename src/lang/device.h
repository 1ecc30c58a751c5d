/* The limits of the device that draws the programs.  They may be above those that every device has. */
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
	const char *name;           /* name of the limit as users write it */
	const char *cap;            /* the field of D3DCAPS9 */
	unsigned least, most, used; /* see device.def */
};
extern const struct device_limit_info device_limits[DEVICE_LIMITS];

struct device {
	uint16_t has[DEVICE_LIMITS]; /* each limit that the user gave, or 0 for `least` */
};

/* Returns the number of slots that a program of the model may have on the device, or of arithmetic slots if the model counts texture slots apart. */
unsigned device_slots(const struct device *, enum model);
unsigned device_consts(const struct device *, enum model);
/* Returns the limit that holds the number of the model's slots, or DEVICE_LIMITS if each device has the same number. */
enum device_limit device_slots_limit(enum model);

/* Reads a list such as ps30-slots:2048,vs-consts:256 into the device.  Line ends separate limits, too, and # begins a comment.  Returns NULL, or
 * the error. */
const char *device_read(struct arena *, const char *text, size_t size, struct device *);

#endif
