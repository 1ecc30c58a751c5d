/* How long draws take: by timestamp queries, or where the driver has none by the CPU's clock until an event query says that all is
 * drawn. */
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
/* ns since the start; below 0: the device fails. */
double timer_stop(struct timer *);
/* "timestamps" or "clock" */
const char *timer_name(const struct timer *);

#endif
