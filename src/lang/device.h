/* The limits of the device that draws the programs, which may have more slots and constants than every device has. */
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
	uint16_t has[DEVICE_LIMITS]; /* each limit, or 0 if the user did not give it: then it is the least */
};

/* Returns the number of slots that a program of the model may have.  In a model that counts texture slots apart, it is the number
 * of arithmetic slots. */
unsigned device_slots(const struct device *, enum model);
/* Returns the number of constant registers of the model. */
unsigned device_consts(const struct device *, enum model);
/* Returns the device limit that the model's slots have, or DEVICE_LIMITS if the model's slots are the same on every device. */
enum device_limit device_slots_limit(enum model);

/* Reads a list such as ps30-slots:2048,vs-consts:256.  Its parts may also stand on lines of their own, with comments behind #.  Returns
 * NULL, or what is wrong with the list. */
const char *device_read(struct arena *, const char *text, size_t size, struct device *);

#endif
