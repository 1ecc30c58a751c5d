/* Times draws by timestamp queries, or, if the driver has none, by the CPU's clock until an event query says that all is drawn. */
#ifndef FPMOVE_D3D9_TIMER_H
#define FPMOVE_D3D9_TIMER_H

#include "d3d9/device.h"

struct timer {
	IDirect3DQuery9 *begin, *end; /* two timestamp queries, or NULL and an event query */
	double frequency;             /* ticks per second of the timestamps, or of the CPU's clock */
	double before;                /* the CPU's clock at timer_start */
};

bool timer_make(struct timer *, IDirect3DDevice9 *);
void timer_start(struct timer *);
/* Waits until all is drawn.  Returns the ns since timer_start, or a negative number if the device fails. */
double timer_stop(struct timer *);
/* Returns "timestamps", or "clock" if the driver has no timestamps. */
const char *timer_name(const struct timer *);

#endif
