/* What the instances of machine_body.h share. */
#include "verify/machine.h"

enum machine_output machine_output(enum reg_file file, int index)
{
	switch (file) {
	case REG_POS_OUT: return MACHINE_POS;
	case REG_FOG_OUT: return MACHINE_FOG;
	case REG_SIZE_OUT: return MACHINE_SIZE;
	case REG_COLOUR_OUT: return (enum machine_output)(MACHINE_CARRIER + index);
	case REG_TEX_OUT: return (enum machine_output)(MACHINE_CARRIER + MACHINE_COLOURS + index);
	case REG_PIXEL_OUT: return (enum machine_output)(MACHINE_PIXEL + index);
	case REG_DEPTH_OUT: return MACHINE_DEPTH;
	case REG_TEMP:
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case REG_FILES: break;
	}
	return MACHINE_OUTPUTS;
}

/* Source: Microsoft, "Cubic Environment Mapping (Direct3D 9)". */
const struct cube_face cube_faces[6] = {
	{LANE_X, LANE_Z, LANE_Y, false, -1, -1},
	{LANE_X, LANE_Z, LANE_Y, true, 1, -1},
	{LANE_Y, LANE_X, LANE_Z, false, 1, 1},
	{LANE_Y, LANE_X, LANE_Z, true, 1, -1},
	{LANE_Z, LANE_X, LANE_Y, false, 1, -1},
	{LANE_Z, LANE_X, LANE_Y, true, -1, -1},
};
