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
	case FLOW_FILES:
	case REG_FILES: break;
	}
	return MACHINE_OUTPUTS;
}

const struct program *machine_program(struct arena *arena, const struct program *p)
{
	lanes live[MACHINE_TEMPS] = {0};
	struct program *copy = program_copy(arena, p);
	uint32_t first = p->instrs.n; /* the copy keeps what is from here on */
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		lanes const written = instr_writes(i);
		bool const to_temp = written && i->dst.file == REG_TEMP;
		lanes const result = to_temp ? written & live[i->dst.index] : written;
		if (to_temp && !result)
			continue;
		copy->instrs.at[--first] = *i;
		if (to_temp)
			live[i->dst.index] &= (lanes)~written;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			bool const coordinate = s == 0 && instr_samples(i); /* a texture may compare with .z */
			lanes const read = instr_reads(p, i, s) | (coordinate ? swizzle_lanes(i->src[s].swizzle, MASK_Z) : 0);
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				if (i->src[s].index + (int)row < MACHINE_TEMPS)
					live[i->src[s].index + (int)row] |= read;
		}
	}
	copy->instrs.at += first;
	copy->instrs.n -= first;
	return copy;
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
