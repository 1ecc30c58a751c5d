/* The parts of the reference interpreter that do not depend on its arithmetic type, see machine_body.h.  Private to src/verify. */
#ifndef FPMOVE_VERIFY_MACHINE_H
#define FPMOVE_VERIFY_MACHINE_H

#include "lang/blocks.h"
#include "verify/interp.h"

enum {
	MACHINE_TEMPS = 32,
	MACHINE_CONSTS = INTERP_CONSTS,
	MACHINE_INPUTS = INTERP_INPUTS,
	MACHINE_COLOURS = 2,                              /* v0 and v1, which come before the t# */
	MACHINE_CARRIERS = INTERP_CARRIERS,
	MACHINE_STEPS = 1 << 16                           /* the most instructions that a program with flow control may run */
};

/* Output registers; a register of one lane uses lane x. */
enum machine_output {
	MACHINE_POS, MACHINE_FOG, MACHINE_SIZE,
	MACHINE_CARRIER,                                  /* oD0, oD1, then the oT# */
	MACHINE_PIXEL = MACHINE_CARRIER + MACHINE_CARRIERS,
	MACHINE_DEPTH = MACHINE_PIXEL + INTERP_TARGETS,
	MACHINE_OUTPUTS
};

/* Returns the output's number, or MACHINE_OUTPUTS for a register that is no output. */
enum machine_output machine_output(enum reg_file, int index);

/* Returns the number of v# or t# among a pixel program's interpolated inputs. */
static inline unsigned machine_carrier(enum reg_file file, int index)
{
	return (unsigned)index + (file == REG_TEXCOORD ? MACHINE_COLOURS : 0);
}

/* Returns a copy of the program without dead instructions, on which no output and no texkill depends: a division by 0 there has no effect. */
const struct program *machine_program(struct arena *, const struct program *);

enum { MACHINE_NOWHERE = UINT8_MAX };

/* Facts about a program with flow control, as machine_program() returns it, that its interpreter needs. */
struct machine_flow {
	const uint32_t *partner;           /* the partner of each instruction, see blocks.h; NULL if blocks are not nested properly */
	uint32_t depth;                    /* the most frames that are open at a time */
	uint8_t input[MACHINE_INPUTS];     /* by the number of v# in the text, its number among the machine's inputs, or MACHINE_NOWHERE */
	uint8_t output[MACHINE_INPUTS];    /* by the number of o# in the text, its number among the machine's outputs, or MACHINE_NOWHERE */
	lanes written[MACHINE_OUTPUTS];    /* the output lanes that the program may write */
};
const struct machine_flow *machine_flow_find(struct arena *, const struct program *);

/* Returns the output that has this number in the text of a vs_3_0 program, or MACHINE_OUTPUTS if the text declares none. */
enum machine_output machine_linked_output(const struct program *, int number);

/* An if, rep, loop or call that is open. */
struct machine_frame {
	uint32_t at;      /* the instruction that opened it */
	int32_t left;     /* the number of further iterations of a rep or loop */
	int32_t address;  /* the value of aL outside of it */
};

/* The six faces of a cube map, in the order of their storage. */
struct cube_face {
	int8_t major, s, t;          /* the lanes of the direction for the face's axis and its two coordinates */
	bool negative;               /* the major lane is negative on this face */
	int8_t s_sign, t_sign;       /* the sign with which lanes s and t become coordinates */
};
extern const struct cube_face cube_faces[6];

#endif
