/* Times draws by timestamp queries, or, if the driver has none, by the CPU's clock until an event query says that all is drawn. */
#ifndef FPMOVE_D3D9_TIMER_H
#define FPMOVE_D3D9_TIMER_H

#include "d3d9/device.h"

struct timer {
	IDirect3DQuery9 *begin, *end; /* timestamps, or NULL and an event */
	double frequency;             /* ticks a second */
	double before;                /* the clock at the start */
};

bool timer_make(struct timer *, IDirect3DDevice9 *);
void timer_start(struct timer *);
/* Returns the ns since the start, or a negative number if the device fails. */
double timer_stop(struct timer *);
/* Returns "timestamps" or "clock". */
const char *timer_name(const struct timer *);

#endif
