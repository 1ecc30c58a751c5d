/* Finds the samplers whose textures may be of depths, see passes.h. */
#include "move/flow.h"
#include "move/passes.h"

enum { TEXCOORDS = 8 };

static bool is_read(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_TEX || ops[i->op].shape == SHAPE_TEXW;
}

/* The instructions whose results come to something. */
static bool *find_live(struct arena *arena, const struct flow *f)
{
	const struct program *p = f->program;
	bool *live = arena_zero(arena, p->instrs.n + 1);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		live[k] |= !instr_writes(i) || i->dst.file != REG_TEMP;
		for (uint32_t r = f->first[k]; live[k] && r < f->first[k + 1]; r++)
			if (f->read[r].def < FLOW_INPUT)
				live[f->read[r].def] = true;
	}
	return live;
}

/* The samplers with the bits of `among` whose live reads have a .z, of which the VP writes those in `carried`. */
static unsigned with_depth(struct arena *arena, const struct flow *ps, const lanes carried[TEXCOORDS], unsigned among)
{
	const struct program *p = ps->program;
	const bool *live = find_live(arena, ps);
	unsigned with = 0, without = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		const struct src *at = &i->src[0];
		if (!is_read(i) || !live[k])
			continue;
		unsigned const lane = swizzle_lane(at->swizzle, LANE_Z), sampler = 1u << i->src[1].index;
		bool written = at->file == REG_TEXCOORD ? carried[at->index] >> lane & 1 : flow_def(ps, k, 0, LANE_Z) != FLOW_UNWRITTEN;
		*(written ? &with : &without) |= sampler;
	}
	return with & ~without & among;
}

struct program *mark_depth_samplers(struct arena *arena, const struct program *ps, const struct program *const *vs, unsigned nvs,
                                    unsigned plain)
{
	enum { SAMPLERS = sizeof ps->samplers };
	struct program *marked = program_copy(arena, ps);
	unsigned plane = 0, found = 0;
	for (unsigned s = 0; s < SAMPLERS; s++)
		if (ps->samplers[s] == TEXTURE_2D && !(plain >> s & 1)) {
			plane |= 1u << s;
			marked->samplers[s] = TEXTURE_DEPTH; /* so that the flow has what .z is made of */
		}
	const struct flow *f = flow_find(arena, marked);
	for (unsigned v = 0; plane && v < nvs; v++) {
		const struct flow *outputs = flow_find(arena, vs[v]);
		lanes carried[TEXCOORDS] = {0};
		for (int t = 0; t < TEXCOORDS; t++) {
			const struct decl *d = program_decl(ps, REG_TEXCOORD, t);
			for (unsigned lane = 0; d && lane < LANES; lane++)
				if (d->reg.mask >> lane & 1 && flow_last(outputs, REG_TEX_OUT, t, lane) != FLOW_UNWRITTEN)
					carried[t] |= (lanes)(1u << lane);
		}
		found |= with_depth(arena, f, carried, plane);
	}
	for (unsigned s = 0; s < SAMPLERS; s++)
		if (plane >> s & 1 && !(found >> s & 1))
			marked->samplers[s] = TEXTURE_2D;
	return marked;
}
