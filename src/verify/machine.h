/* What the instances of machine_body.h share.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_MACHINE_H
#define FPMOVE_VERIFY_MACHINE_H

#include "verify/interp.h"

enum {
	MACHINE_TEMPS = 32,
	MACHINE_CONSTS = INTERP_CONSTS,
	MACHINE_INPUTS = INTERP_INPUTS,
	MACHINE_COLOURS = 2,                              /* v0, v1 before the t# */
	MACHINE_CARRIERS = INTERP_CARRIERS
};

/* Output registers; those of one lane use lane x. */
enum machine_output {
	MACHINE_POS, MACHINE_FOG, MACHINE_SIZE,
	MACHINE_CARRIER,                                  /* oD0, oD1, then the oT# */
	MACHINE_PIXEL = MACHINE_CARRIER + MACHINE_CARRIERS,
	MACHINE_DEPTH = MACHINE_PIXEL + INTERP_TARGETS,
	MACHINE_OUTPUTS
};

/* MACHINE_OUTPUTS for a register that is no output. */
enum machine_output machine_output(enum reg_file, int index);

/* The number among a pixel program's interpolated inputs of v# or t#. */
static inline unsigned machine_carrier(enum reg_file file, int index)
{
	return (unsigned)index + (file == REG_TEXCOORD ? MACHINE_COLOURS : 0);
}

/* A copy without the instructions that no output and no texkill depends on: what they divide by shows nowhere. */
const struct program *machine_program(struct arena *, const struct program *);

/* The six faces of a cube map, in the order of their storage. */
struct cube_face {
	int8_t major, s, t;          /* which lane */
	bool negative;               /* the major lane is < 0 here */
	int8_t s_sign, t_sign;
};
extern const struct cube_face cube_faces[6];

#endif
