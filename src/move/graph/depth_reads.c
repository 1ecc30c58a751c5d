/* Finds the texture reads whose textures may be depth textures, see mark_depth_reads() in passes.h. */
#include "move/graph/flow.h"
#include "move/passes.h"

#include "lang/listing.h"

#include <string.h>

enum { COLOURS = 2, CARRIERS = COLOURS + MOST_TEX_OUTS };

struct depth_search {
	const struct flow *ps;
	bool *live;                        /* [instruction]: an output or texkill of the program depends on it */
	lanes *used;                       /* [instruction]: lanes of its result that have a use other than a depth comparison */
	lanes written[CARRIERS];           /* the lanes of each v#, then of each t#, that the VP writes */
};

/* Returns true if `r` reads the .z of the coordinate of a texture read that may compare it with a depth. */
static bool is_compared(const struct program *p, uint32_t k, const struct flow_read *r)
{
	return p->instrs.at[k].flags & INSTR_DEPTH && r->source == 0 && r->lane == LANE_Z;
}

static void find_depth_uses(struct arena *arena, struct depth_search *s)
{
	const struct flow *f = s->ps;
	const struct program *p = f->program;
	s->live = arena_zero(arena, p->instrs.n + 1);
	s->used = arena_zero(arena, p->instrs.n + 1);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		s->live[k] |= !instr_writes(i) || i->dst.file != REG_TEMP;
		for (uint32_t r = f->first[k]; s->live[k] && r < f->first[k + 1]; r++) {
			uint32_t const def = f->read[r].def;
			if (def >= FLOW_INPUT)
				continue;
			s->live[def] = true;
			if (!is_compared(p, k, &f->read[r]))
				s->used[def] |= (lanes)(1u << f->read[r].from);
		}
	}
}

static void find_carriers_written(struct depth_search *s, const struct program *vs)
{
	memset(s->written, 0, sizeof s->written);
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		int const c = i->dst.file == REG_COLOUR_OUT ? i->dst.index : i->dst.file == REG_TEX_OUT ? i->dst.index + COLOURS : CARRIERS;
		if (c < CARRIERS)
			s->written[c] |= instr_writes(i);
	}
}

/* Returns true if the lane is of a v# or t#, and the VP does not write it. */
static bool is_unfed(const struct depth_search *s, const struct src *at, unsigned lane)
{
	bool const colour = at->file == REG_INPUT;
	return (colour || at->file == REG_TEXCOORD) && !(s->written[at->index + (colour ? 0 : COLOURS)] >> lane & 1);
}

/* Returns true if the .z of the coordinate of texture read k is, perhaps through movs, a register lane that neither program writes. */
static bool is_z_unwritten(const struct depth_search *s, uint32_t k)
{
	const struct program *p = s->ps->program;
	const struct src *at = &p->instrs.at[k].src[0];
	unsigned operand = LANE_Z, lane = swizzle_lane(at->swizzle, LANE_Z);
	while (at->file == REG_TEMP) {
		uint32_t const def = flow_def(s->ps, k, 0, operand);
		const struct instr *i = def < FLOW_INPUT ? &p->instrs.at[def] : NULL;
		if (!i || i->op != OP_MOV || i->flags & INSTR_SAT)
			return def == FLOW_UNWRITTEN;
		k = def;
		at = &i->src[0];
		operand = lane;
		lane = swizzle_lane(at->swizzle, operand);
	}
	return is_unfed(s, at, lane);
}

/* Returns false if the coordinate is a t# whose dcl does not name the lane that is read as .z. */
static bool is_declared(const struct program *p, const struct src *at)
{
	return at->file != REG_TEXCOORD || program_declared(p, REG_TEXCOORD, at->index) >> swizzle_lane(at->swizzle, LANE_Z) & 1;
}

/* Sets found[k] for each texture read k that may compare its coordinate's .z with a depth if the FP runs with this VP: .z must be written and
 * declared.  If another read of the sampler has no .z, a .z that has other uses is taken to be left over in its lane. */
static void find_depths(const struct depth_search *s, bool *found)
{
	const struct program *p = s->ps->program;
	for (unsigned pass = 0, odd = 0; pass < 2; pass++) {
		for (uint32_t k = 0; k < p->instrs.n; k++) {
			const struct instr *i = &p->instrs.at[k];
			const struct src *at = &i->src[0];
			if (!(i->flags & INSTR_DEPTH) || !s->live[k])
				continue;
			unsigned const lane = swizzle_lane(at->swizzle, LANE_Z), sampler = 1u << i->src[1].index;
			uint32_t const def = flow_def(s->ps, k, 0, LANE_Z);
			bool const unwritten = is_z_unwritten(s, k);
			bool const there = !unwritten && is_declared(p, at);
			bool const leftover = there && def < FLOW_INPUT && s->used[def] >> lane & 1;
			odd |= unwritten ? sampler : 0;
			found[k] |= pass && there && !(leftover && odd & sampler);
		}
	}
}

/* Returns true if the instruction would compare its coordinate's .z if its texture were a depth texture.  In the output of Microsoft's HLSL
 * compiler, texld is tex2D(s, float2), which has no .z to compare: that lane holds a leftover value.  The compiler's other texture reads use four
 * lanes. */
static bool may_compare(const struct program *p, const struct instr *i, bool hlsl)
{
	return instr_samples(i) && p->samplers[i->src[1].index] == TEXTURE_2D && !(hlsl && i->op == OP_TEXLD);
}

struct program *mark_depth_reads(struct arena *arena, const struct program *ps, const struct program *const *vs, unsigned nvs,
                                 unsigned plain)
{
	struct program *marked = program_copy(arena, ps);
	bool const hlsl = listing_is_hlsl(ps);
	bool any = false;
	for (uint32_t k = 0; k < marked->instrs.n; k++) {
		struct instr *i = &marked->instrs.at[k];
		if (!may_compare(ps, i, hlsl) || plain >> i->src[1].index & 1)
			continue;
		i->flags |= INSTR_DEPTH; /* so that flow_find() counts .z among the lanes that it reads */
		any |= is_declared(marked, &i->src[0]);
	}
	if (!any) {
		for (uint32_t k = 0; k < marked->instrs.n; k++)
			marked->instrs.at[k].flags &= (uint8_t)~INSTR_DEPTH;
		return marked;
	}
	struct depth_search s = {.ps = flow_find(arena, marked)};
	bool *found = arena_zero(arena, marked->instrs.n);
	find_depth_uses(arena, &s);
	for (unsigned v = 0; v < nvs; v++) {
		find_carriers_written(&s, vs[v]);
		find_depths(&s, found);
	}
	for (uint32_t k = 0; k < marked->instrs.n; k++)
		if (!found[k])
			marked->instrs.at[k].flags &= (uint8_t)~INSTR_DEPTH;
	return marked;
}
