/* The parts of the reference interpreter that do not depend on its arithmetic type, see machine_body.h.  A carrier is an interpolated input
 * of a pixel program, v# or t#.  Private to src/verify. */
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
	MACHINE_CARRIER_LANES = MACHINE_CARRIERS * LANES,
	MACHINE_STEPS = 1 << 16                           /* the most instructions that a program with flow control may run */
};

/* Numbers of output registers.  The value of a register that has one lane is in lane x. */
enum machine_output {
	MACHINE_POS, MACHINE_FOG, MACHINE_SIZE,
	MACHINE_CARRIER,                                  /* the first carrier: oD0, oD1, then the oT# */
	MACHINE_PIXEL = MACHINE_CARRIER + MACHINE_CARRIERS,
	MACHINE_DEPTH = MACHINE_PIXEL + INTERP_TARGETS,
	MACHINE_OUTPUTS
};

/* Returns the number of an output register, or MACHINE_OUTPUTS if the register is no output. */
enum machine_output machine_output(enum reg_file, int index);

/* Returns the number of a v# or t# among the carriers (a pixel program's interpolated inputs). */
static inline unsigned machine_carrier(enum reg_file file, int index)
{
	return (unsigned)index + (file == REG_TEXCOORD ? MACHINE_COLOURS : 0);
}

/* Returns the name of a register lane, such as r0.x or oFog. */
const char *machine_lane_text(struct arena *, enum reg_file, int index, unsigned lane);
/* Returns the name of lane `lane` % LANES of carrier `lane` / LANES. */
const char *machine_carrier_text(struct arena *, unsigned lane);

/* Returns for each instruction whether an output, an address, a texkill or flow control depends on it.  The .z of a texture read's coordinate
 * counts as read, since a depth texture may compare it. */
const bool *machine_live(struct arena *, const struct program *);
/* Returns a copy of the program without dead instructions, so that a division by 0 in one of these does not count. */
const struct program *machine_program(struct arena *, const struct program *);

/* Case labels for a switch over all register files: the files that operands do not name, but for samplers. */
#define UNREAD_FILES REG_ADDRESS: case REG_SAMPLER: case REG_POS_OUT: case REG_FOG_OUT: case REG_SIZE_OUT: case REG_COLOUR_OUT: \
	case REG_TEX_OUT: case REG_PIXEL_OUT: case REG_DEPTH_OUT: case REG_LINKED: case FLOW_FILES: case REG_FILES

enum { MACHINE_NOWHERE = UINT8_MAX };

/* Facts about a program with flow control, as machine_program() returns it, that its interpreter needs. */
struct machine_flow {
	const uint32_t *partner;           /* the partner of each instruction, see blocks.h; NULL if blocks are not nested properly */
	uint32_t depth;                    /* the number of instructions that open a frame (struct machine_frame), which bounds the open frames */
	uint8_t input[MACHINE_INPUTS];     /* for each number of a v# in the text, its number among the machine's inputs, or MACHINE_NOWHERE */
	uint8_t output[MACHINE_INPUTS];    /* for each number of an o# in the text, its number among the machine's outputs, or MACHINE_NOWHERE */
	lanes written[MACHINE_OUTPUTS];    /* for each output, the lanes that the program may write */
};
const struct machine_flow *machine_flow_find(struct arena *, const struct program *);

/* Returns the output that has this number in the text of a vs_3_0 program, or MACHINE_OUTPUTS if the text declares none. */
enum machine_output machine_linked_output(const struct program *, int number);

/* A frame: an if, rep, loop or call that has begun and not ended yet. */
struct machine_frame {
	uint32_t at;      /* index of the if, rep, loop or call instruction */
	int32_t left;     /* the number of further iterations of a rep or loop */
	int32_t address;  /* the value of aL outside of the frame */
};

/* The six faces of a cube map, in the order of their storage. */
struct cube_face {
	int8_t major, s, t;          /* the lanes of the direction that give the face's axis and its two coordinates */
	bool negative;               /* the major lane is negative on this face */
	int8_t s_sign, t_sign;       /* the sign with which lanes s and t become coordinates */
};
extern const struct cube_face cube_faces[6];

#endif
