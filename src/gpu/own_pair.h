/* A pair of the user's as a workload in passes: each reads what the one before drew, and other textures that stay as they are. */
#ifndef FPMOVE_GPU_OWN_PAIR_H
#define FPMOVE_GPU_OWN_PAIR_H

#include "gpu/workload.h"

/* Its numbers are the size and the passes; `wanted.pair` must be set.  It is in no list, and has nothing to check. */
extern const struct workload own_pair_workload;

#endif
