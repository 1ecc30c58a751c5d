/* Simulates the fluid on the CPU in single precision, see fluid.h. */
#define FLUID_REAL float
#define FLUID_SIMULATE fluid_simulate_single
#define FLUID_STATE fluid_state_single

#include "gpu/fluid_cpu.c"
