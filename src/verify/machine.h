/* What the instances of machine_body.h share.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_MACHINE_H
#define FPMOVE_VERIFY_MACHINE_H

#include "lang/blocks.h"
#include "verify/interp.h"

enum {
	MACHINE_TEMPS = 32,
	MACHINE_CONSTS = INTERP_CONSTS,
	MACHINE_INPUTS = INTERP_INPUTS,
	MACHINE_COLOURS = 2,                              /* v0, v1 before the t# */
	MACHINE_CARRIERS = INTERP_CARRIERS,
	MACHINE_STEPS = 1 << 16                           /* instructions that a program with flow control may run */
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

enum { MACHINE_NOWHERE = UINT8_MAX };

/* What a program with flow control is run by; the program is as machine_program() made it. */
struct machine_flow {
	const uint32_t *partner;           /* of each instruction, see blocks.h; NULL if the program is not nested as it has to be */
	uint32_t depth;                    /* no more frames than this are open at a time */
	uint8_t input[MACHINE_INPUTS];     /* among the machine's inputs: the v# of that number in the text; MACHINE_NOWHERE: it has none */
	uint8_t output[MACHINE_INPUTS];    /* ... and among its outputs the o# */
	lanes written[MACHINE_OUTPUTS];    /* outputs that it may write */
};
const struct machine_flow *machine_flow_find(struct arena *, const struct program *);

/* The output of that number in the text of a vs_3_0 program; MACHINE_OUTPUTS: it declares none. */
enum machine_output machine_linked_output(const struct program *, int number);

/* An if, a rep, a loop or a call that is run. */
struct machine_frame {
	uint32_t at;      /* the instruction that opened it */
	int32_t left;     /* further times that a rep or loop is run */
	int32_t address;  /* aL around it */
};

/* The six faces of a cube map, in the order of their storage. */
struct cube_face {
	int8_t major, s, t;          /* which lane */
	bool negative;               /* the major lane is < 0 here */
	int8_t s_sign, t_sign;
};
extern const struct cube_face cube_faces[6];

#endif
