/* Finds the texture reads that would compare the coordinate's .z if their sampler had a depth texture, see verify.h. */
#include "verify/machine.h"

#include "lang/blocks.h"
#include "lang/listing.h"

/* The origin of the .z of a 2D texture read's coordinate. */
struct z_origin {
	unsigned sampler; /* a bit for the sampler; 0 if the instruction is no 2D read, or its result is dead */
	bool written;     /* true if a program wrote the .z (a constant counts as written) and, if it is in a t#, the dcl names it */
	bool unwritten;   /* true if neither program wrote the .z, whatever the dcl says */
	uint32_t writer;  /* if the .z is in an r#, the instruction that wrote it; else UINT32_MAX */
	unsigned lane;    /* the lane of the register that is read as .z */
};

/* Returns the sampler of a 2D read as a bit, or 0 for other instructions. */
static unsigned plane_sampler(const struct program *ps, const struct instr *i)
{
	if (!instr_samples(i))
		return 0;
	return ps->samplers[i->src[1].index] == TEXTURE_2D ? 1u << i->src[1].index : 0;
}

/* Adds the lanes of v# and t# that a vertex program writes to `to`. */
static void find_written_carriers(const struct program *vs, lanes to[MACHINE_CARRIERS])
{
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (i->dst.file == REG_TEX_OUT || i->dst.file == REG_COLOUR_OUT)
			to[machine_output((enum reg_file)i->dst.file, i->dst.index) - MACHINE_CARRIER] |= instr_writes(i);
	}
}

static bool is_carrier(const struct src *s)
{
	return s->file == REG_TEXCOORD || s->file == REG_INPUT;
}

/* Returns the lanes of the operand's register that a program wrote; all lanes of a constant count as written. */
static lanes lanes_written(const struct src *s, const lanes written[MACHINE_TEMPS], const lanes outputs[MACHINE_CARRIERS])
{
	if (is_carrier(s))
		return outputs[machine_carrier((enum reg_file)s->file, s->index)];
	return s->file == REG_TEMP ? written[s->index] : MASK_XYZW;
}

/* Returns the result lanes of an instruction, except those that a mov copies from unwritten lanes. */
static lanes written_result(const struct instr *i, const lanes written[MACHINE_TEMPS], const lanes outputs[MACHINE_CARRIERS])
{
	const struct src *s = &i->src[0];
	lanes result = instr_writes(i);
	if (i->op != OP_MOV || i->flags & INSTR_SAT)
		return result;
	lanes const there = lanes_written(s, written, outputs);
	for (unsigned l = 0; l < LANES; l++)
		if (!(there >> swizzle_lane(s->swizzle, l) & 1))
			result &= (lanes)~(1u << l);
	return result;
}

/* Returns the origin of the .z of each instruction's coordinate, if it is a 2D read.  Sets in `used` the lanes of each result that live
 * instructions read, other than as the .z of a 2D read. */
static struct z_origin *find_z_origins(struct arena *arena, struct pair pair, lanes *used)
{
	const struct program *ps = pair.ps;
	struct z_origin *origin = arena_zero(arena, (ps->instrs.n + 1) * sizeof *origin);
	const bool *live = machine_live(arena, ps);
	uint32_t writer[MACHINE_TEMPS][LANES] = {{0}};
	lanes written[MACHINE_TEMPS] = {0}, outputs[MACHINE_CARRIERS] = {0};
	find_written_carriers(pair.vs, outputs);
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		const struct src *at = &i->src[0];
		for (unsigned s = 0; live[k] && s < ops[i->op].sources; s++) {
			lanes const reads = i->src[s].file == REG_TEMP ? instr_reads(ps, i, s) : 0;
			for (unsigned row = 0; reads && row < instr_rows(i, s); row++)
				for (unsigned l = 0; l < LANES; l++)
					if (reads & written[i->src[s].index + (int)row] & 1u << l)
						used[writer[i->src[s].index + (int)row][l]] |= (lanes)(1u << l);
		}
		if (live[k] && plane_sampler(ps, i)) {
			unsigned const lane = swizzle_lane(at->swizzle, LANE_Z);
			bool const there = lanes_written(at, written, outputs) >> lane & 1;
			bool const taken = at->file != REG_TEXCOORD || program_declared(ps, REG_TEXCOORD, at->index) >> lane & 1;
			origin[k] = (struct z_origin){.sampler = plane_sampler(ps, i), .written = there && taken, .unwritten = !there, .lane = lane,
			                              .writer = at->file == REG_TEMP && there ? writer[at->index][lane] : UINT32_MAX};
		}
		if (i->dst.file != REG_TEMP)
			continue;
		lanes const writes = instr_writes(i);
		written[i->dst.index] = (lanes)((written[i->dst.index] & ~instr_clobbers(i, i->dst.index)) | written_result(i, written, outputs));
		EACH_LANE(l, writes)
			writer[i->dst.index][l] = k;
	}
	return origin;
}

uint8_t *plane_reads(struct arena *arena, struct pair pair, unsigned plain)
{
	uint32_t const n = pair.ps->instrs.n;
	uint8_t *kind = arena_zero(arena, n + 1);
	lanes *used = arena_zero(arena, n + 1);
	const struct z_origin *origin = find_z_origins(arena, pair, used);
	unsigned no_depths = 0; /* samplers of a read whose .z nothing wrote, which suggests that they have no depth texture */
	bool const hlsl = listing_is_hlsl(pair.ps);
	for (uint32_t k = 0; k < n; k++)
		no_depths |= origin[k].unwritten ? origin[k].sampler : 0;
	for (uint32_t k = 0; k < n; k++) {
		const struct z_origin *o = &origin[k];
		bool const left_over = o->sampler & no_depths && o->writer != UINT32_MAX && used[o->writer] >> o->lane & 1;
		bool const no_z = hlsl && pair.ps->instrs.at[k].op == OP_TEXLD;
		bool const counts = o->sampler & ~plain && o->written && !left_over && !no_z;
		kind[k] = counts ? PLANE_AT : o->sampler ? PLANE_ANY : PLANE_NONE;
	}
	return kind;
}

unsigned depth_samplers(struct arena *arena, struct pair pair, unsigned plain)
{
	const uint8_t *kind = plane_reads(arena, pair, plain);
	unsigned at = 0, any = 0;
	for (uint32_t k = 0; k < pair.ps->instrs.n; k++)
		*(kind[k] == PLANE_AT ? &at : &any) |= kind[k] ? 1u << pair.ps->instrs.at[k].src[1].index : 0;
	return at & ~any;
}

/* ---- with flow control ---------------------------------------------------------------------- */

/* Adds the sampler of a 2D read to `without_z` if the coordinate's .z may be unwritten.  Returns false if any other lane that the
 * instruction reads may be unwritten. */
static bool reads_written_lanes(const struct program *ps, const struct instr *i, const lanes written[MACHINE_TEMPS],
                                const lanes outputs[MACHINE_CARRIERS], unsigned *without_z)
{
	EACH_SOURCE(s, i) {
		struct src at = i->src[s];
		lanes const reads = instr_reads(ps, i, s), z = (lanes)(1u << swizzle_lane(at.swizzle, LANE_Z));
		for (unsigned row = 0; row < instr_rows(i, s); row++, at.index++) {
			lanes const declared = at.file == REG_TEXCOORD ? program_declared(ps, REG_TEXCOORD, at.index) : MASK_XYZW;
			lanes const there = at.relative ? 0 : lanes_written(&at, written, outputs) & declared;
			if (reads & ~there)
				return false;
			*without_z |= s == 0 && !(there & z) ? plane_sampler(ps, i) : 0;
		}
	}
	return true;
}

unsigned depth_samplers_beside_blocks(struct arena *arena, struct pair pair, unsigned plain)
{
	struct blocks blocks = {.partner = NULL};
	const uint32_t *partner = NULL;
	uint32_t at = 0;
	unsigned read = 0, without_z = plain;
	lanes outputs[MACHINE_CARRIERS] = {0};
	if (listing_is_hlsl(pair.ps) || blocks_partners(arena, pair.ps, &partner, &at))
		return 0;
	blocks_find(arena, pair.ps, partner, &blocks);
	const struct block_state *begin = blocks_states(arena, pair.ps, &blocks);
	find_written_carriers(pair.vs, outputs);
	for (uint32_t b = 0; b < blocks.list.n; b++) {
		struct block_state state = begin[b];
		for (uint32_t k = blocks.list.at[b].first; k < blocks.list.at[b].end; k++) {
			const struct instr *i = &pair.ps->instrs.at[k];
			if (!reads_written_lanes(pair.ps, i, state.always, outputs, &without_z))
				return 0;
			read |= plane_sampler(pair.ps, i);
			block_state_step(&state, pair.ps, i, blocks.list.at[b].varying);
		}
	}
	return read & ~without_z;
}
