/* A pair of the user's as a workload: each pass reads the image that the pass before drew, and further textures that never change. */
#ifndef FPMOVE_GPU_OWN_PAIR_H
#define FPMOVE_GPU_OWN_PAIR_H

#include "gpu/workload.h"

/* Its parameters are the size and the number of passes; `wanted.pair` must be set.  It is not in the list of workloads and has no check. */
extern const struct workload own_pair_workload;

#endif
