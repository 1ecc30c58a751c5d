/* Definitions and uses of each lane. */
#include "pairs.h"

#include "move/graph/flow.h"

static struct flow *flow_of(void **state, const char *text)
{
	return flow_find(*state, parse_one(*state, text));
}

ARENA_TEST(lanes_have_their_own_definitions)
{
	struct flow *f = flow_of(state, "ps_2_0\ndcl t0\n"
	                                "mov r0, t0\n"        /* 0 */
	                                "mov r0.yz, t0.x\n"   /* 1 */
	                                "mov r0.z, r0.w\n"    /* 2 */
	                                "mov oC0, r0\n");     /* 3 */
	assert_int_equal(flow_def(f, 2, 0, LANE_Z), 0);
	assert_int_equal(flow_def(f, 3, 0, LANE_X), 0);
	assert_int_equal(flow_def(f, 3, 0, LANE_Y), 1);
	assert_int_equal(flow_def(f, 3, 0, LANE_Z), 2);
	assert_int_equal(flow_def(f, 3, 0, LANE_W), 0);
	assert_int_equal(flow_last(f, REG_PIXEL_OUT, 0, LANE_X), 3);
	assert_int_equal(flow_last(f, REG_TEMP, 0, LANE_Z), 2);
}

ARENA_TEST(only_lanes_of_the_mask_are_read)
{
	struct flow *f = flow_of(state, "ps_2_0\ndcl t0\n"
	                                "mov r0.xy, t0\n"
	                                "add r1.y, r0.zxyw, -r0\n"
	                                "mov oC0, r1\n");
	assert_int_equal(f->first[2] - f->first[1], 2);
	const struct flow_read *read = &f->read[f->first[1]];
	assert_int_equal(read->source, 0);
	assert_int_equal(read->lane, LANE_Y);
	assert_int_equal(read->from, LANE_X);
	assert_int_equal(read->def, 0);
	assert_int_equal(read[1].source, 1);
	assert_int_equal(read[1].from, LANE_Y);
}

ARENA_TEST(inputs_and_unwritten_lanes_are_told_apart)
{
	struct flow *f = flow_of(state, "ps_2_0\ndcl t0\n"
	                                "mov r0.x, t0\n"
	                                "mad r0.z, r0.y, c0, t0\n"
	                                "mov oC0, r0\n");
	assert_int_equal(flow_def(f, 1, 0, LANE_Z), FLOW_UNWRITTEN);
	assert_int_equal(flow_def(f, 1, 1, LANE_Z), FLOW_INPUT);
	assert_int_equal(flow_def(f, 1, 2, LANE_Z), FLOW_INPUT);
	assert_int_equal(flow_def(f, 1, 2, LANE_X), FLOW_UNWRITTEN); /* not read */
	assert_int_equal(flow_last(f, REG_TEMP, 0, LANE_W), FLOW_UNWRITTEN);
	assert_int_equal(flow_last(f, REG_TEXCOORD, 0, LANE_W), FLOW_INPUT);
}

ARENA_TEST(reads_its_own_register_before_writing_it)
{
	struct flow *f = flow_of(state, "vs_1_1\ndcl_position v0\n"
	                                "mov r0, v0\n"
	                                "add r0, r0, r0.yxzw\n"
	                                "mov oPos, r0\n");
	for (unsigned lane = 0; lane < LANES; lane++) {
		assert_int_equal(flow_def(f, 1, 1, lane), 0);
		assert_int_equal(flow_def(f, 2, 0, lane), 1);
	}
}

ARENA_TEST(outputs_remember_their_last_writers)
{
	struct flow *f = flow_of(state, "vs_1_1\ndcl_position v0\n"
	                                "mov oPos, v0\n"
	                                "mov oT1.xyz, v0\n"
	                                "mov oT1.y, v0.x\n"
	                                "mov oD1.w, v0.x\n"
	                                "mov oFog, v0.x\n"
	                                "mov oPts, v0.x\n");
	assert_int_equal(flow_last(f, REG_POS_OUT, 0, LANE_W), 0);
	assert_int_equal(flow_last(f, REG_TEX_OUT, 1, LANE_X), 1);
	assert_int_equal(flow_last(f, REG_TEX_OUT, 1, LANE_Y), 2);
	assert_int_equal(flow_last(f, REG_TEX_OUT, 1, LANE_W), FLOW_UNWRITTEN);
	assert_int_equal(flow_last(f, REG_TEX_OUT, 0, LANE_X), FLOW_UNWRITTEN);
	assert_int_equal(flow_last(f, REG_COLOUR_OUT, 1, LANE_W), 3);
	assert_int_equal(flow_last(f, REG_FOG_OUT, 0, LANE_X), 4);
	assert_int_equal(flow_last(f, REG_SIZE_OUT, 0, LANE_X), 5);
}

ARENA_TEST(relative_addressing_reads_the_address)
{
	struct flow *f = flow_of(state, "vs_1_1\ndcl_position v0\n"
	                                "mov a0.x, v0.x\n"
	                                "mov r0.y, c[a0.x + 4]\n"
	                                "mov oPos, r0.y\n");
	assert_int_equal(f->first[2] - f->first[1], 2);
	const struct flow_read *read = &f->read[f->first[1]];
	assert_int_equal(read[0].file, REG_CONST);
	assert_int_equal(read[0].def, FLOW_INPUT);
	assert_int_equal(read[1].file, REG_ADDRESS);
	assert_int_equal(read[1].def, 0);
	assert_int_equal(flow_def(f, 1, 0, LANE_Y), FLOW_INPUT);
}

ARENA_TEST(matrices_read_all_their_rows)
{
	struct flow *f = flow_of(state, "vs_1_1\ndcl_position v0\n"
	                                "m4x3 r0.xyz, v0, c5\n"
	                                "mov oPos, r0.z\n");
	unsigned rows[8] = {0};
	for (uint32_t r = f->first[0]; r < f->first[1]; r++)
		if (f->read[r].file == REG_CONST)
			rows[f->read[r].index]++;
	assert_int_equal(rows[5], 4);
	assert_int_equal(rows[6], 4);
	assert_int_equal(rows[7], 4);
	assert_int_equal(f->first[1] - f->first[0], 16);
}

ARENA_TEST(sgn_clobbers_its_scratch_registers)
{
	struct flow *f = flow_of(state, "vs_2_0\ndcl_position v0\n"
	                                "mov r1, v0\n"
	                                "mov r2, v0\n"
	                                "sgn r0.xy, v0, r1, r2\n"
	                                "add oPos, r0.x, r2\n");
	assert_int_equal(flow_def(f, 3, 0, LANE_X), 2);
	assert_int_equal(flow_def(f, 3, 1, LANE_X), FLOW_UNWRITTEN);
	assert_int_equal(flow_last(f, REG_TEMP, 1, LANE_W), FLOW_UNWRITTEN);
}

ARENA_TEST(texture_reads_need_what_their_sampler_says)
{
	struct flow *f = flow_of(state, "ps_2_0\ndcl t0\ndcl_2d s0\ndcl_cube s1\n"
	                                "mov r0, t0\n"
	                                "texld r1, r0, s0\n"
	                                "texld r2, r0, s1\n"
	                                "texldp r3, r0, s0\n"
	                                "texkill r0\n"
	                                "mov oC0, r1\n");
	assert_int_equal(f->first[2] - f->first[1], 2);
	assert_int_equal(f->first[3] - f->first[2], 3);
	assert_int_equal(f->first[4] - f->first[3], 3);
	assert_int_equal(flow_def(f, 3, 0, LANE_W), 0);
	assert_int_equal(f->first[5] - f->first[4], 4); /* texkill: w stays what it was */
	assert_int_equal(flow_last(f, REG_TEMP, 3, LANE_X), 3);
}

ARENA_TEST(registers_are_numbered_without_overlap)
{
	bool seen[FLOW_ALL] = {false};
	int found = 0;
	for (int file = 0; file < REG_FILES; file++) {
		for (int index = 0; index < FLOW_TEMPS; index++) {
			if (index > 0 && !reg_files[file].numbered)
				break;
			int reg = flow_reg((enum reg_file)file, index);
			if (reg < 0)
				continue;
			assert_true(reg < FLOW_ALL);
			assert_false(seen[reg]);
			seen[reg] = true;
			found++;
		}
	}
	assert_int_equal(found, FLOW_ALL);
	assert_int_equal(flow_reg(REG_CONST, 0), -1);
	assert_int_equal(flow_reg(REG_TEMP, -1), -1);
}

ARENA_TEST(values_last_until_they_are_clobbered)
{
	const struct program *p = flow_of(state, "vs_2_0\ndcl_position v0\n"
	                                         "mov r0, v0\n"            /* 0 */
	                                         "mov r1, v0\n"            /* 1 */
	                                         "mov r0.w, v0.x\n"        /* 2 */
	                                         "mova a0.x, r1.x\n"       /* 3 */
	                                         "add r3, r0.y, c[a0.x]\n" /* 4 */
	                                         "sgn r2, v0, r1, r4\n"    /* 5 */
	                                         "mova a0.x, v0.x\n"       /* 6 */
	                                         "mov oPos, r3\n"          /* 7 */
	                                         "mov oD0, r0\n")->program;
	const struct instr *add = &p->instrs.at[4];
	assert_int_equal(flow_next_clobber(p, 0, MASK_XYZ, 1), p->instrs.n);
	assert_int_equal(flow_next_clobber(p, 0, MASK_XYZW, 1), 2);
	assert_int_equal(flow_next_clobber(p, 1, MASK_X, 2), 5); /* sgn's scratch register */
	assert_true(flow_keeps(p, 0, MASK_W, 1, 2));
	assert_false(flow_keeps(p, 0, MASK_W, 1, 3));
	assert_true(flow_source_keeps(p, add, 0, 1, 8)); /* .y alone */
	assert_true(flow_sources_keep(p, add, 4, 6));
	assert_false(flow_sources_keep(p, add, 4, 7));   /* a0 */
	assert_true(flow_untouched(p, &p->instrs.at[0].dst, MASK_Z, 1, 8));
	assert_false(flow_untouched(p, &p->instrs.at[0].dst, MASK_Y, 1, 8)); /* read */
	assert_false(flow_untouched(p, &p->instrs.at[0].dst, MASK_Z, 1, 9));
	assert_false(flow_untouched(p, &p->instrs.at[7].dst, MASK_Z, 1, 8)); /* an output */
	assert_true(flow_untouched(p, &p->instrs.at[7].dst, MASK_Z, 1, 7));
}

ARENA_TEST(readers_are_told_apart_by_instruction_and_operand)
{
	struct flow *f = flow_of(state, "ps_2_0\ndcl t0\n"
	                                "mov r0.xy, t0\n"     /* 0 */
	                                "mov r0.zw, t0\n"     /* 1 */
	                                "mov r1, t0\n"        /* 2 */
	                                "add r2, r0, r1\n"    /* 3 */
	                                "mul r2, r1.x, r2\n"  /* 4 */
	                                "add r2, r2, r2.w\n"  /* 5 */
	                                "mov r3.y, t0\n"      /* 6 */
	                                "mov r4.xy, r3\n"     /* 7 */
	                                "mov oC0, r2\n");
	assert_int_equal(flow_sole_def(f, 7, 0), UINT32_MAX); /* nothing wrote .x */
	assert_int_equal(flow_sole_def(f, 3, 0), UINT32_MAX); /* two definitions */
	assert_int_equal(flow_sole_def(f, 3, 1), 2);
	assert_int_equal(flow_sole_def(f, 0, 0), UINT32_MAX); /* an input */
	assert_true(flow_is_sole_reader(f, 0, 3, MAX_SOURCES));
	assert_true(flow_is_sole_use(f, 3, 0));
	assert_false(flow_is_sole_use(f, 3, 1));
	assert_false(flow_is_sole_reader(f, 2, 3, MAX_SOURCES));
	assert_true(flow_is_sole_reader(f, 4, 5, MAX_SOURCES));
	assert_false(flow_is_sole_reader(f, 4, 5, 0)); /* its other operand reads it, too */
	assert_true(flow_is_sole_use(f, 0, 0));
}
