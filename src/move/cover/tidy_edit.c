/* Functions by which the tidy passes test and change the program, see tidy.h. */
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

const struct flow *tidy_flow(struct tidy *t)
{
	if (t->stale) {
		flow_again(t->arena, t->flow);
		t->exact_known = false;
	}
	t->stale = false;
	return t->flow;
}

bool tidy_replace(struct tidy *t, uint32_t k, const struct instr *changed)
{
	struct instr *old = &t->p->instrs.at[k];
	if (memcmp(old, changed, sizeof *old) == 0)
		return false;
	unsigned const broken = check_instr_alone(t->p, changed);
	if (broken && broken > check_instr_alone(t->p, old))
		return false;
	*old = *changed;
	t->stale = true;
	return true;
}

void tidy_remove(struct tidy *t, uint32_t k)
{
	struct program *p = t->p;
	const struct comment *orphans = p->instrs.at[k].comments;
	memmove(&p->instrs.at[k], &p->instrs.at[k + 1], (p->instrs.n - k - 1) * sizeof *p->instrs.at);
	p->instrs.n--;
	t->stale = true;
	struct comment **next = k < p->instrs.n ? &p->instrs.at[k].comments : &p->tail;
	*next = comments_left(t->arena, orphans, *next);
}

struct instr *tidy_insert(struct tidy *t, uint32_t k)
{
	struct program *p = t->p;
	(void)VEC_PUSH(t->arena, &p->instrs);
	memmove(&p->instrs.at[k + 1], &p->instrs.at[k], (p->instrs.n - 1 - k) * sizeof *p->instrs.at);
	p->instrs.at[k] = (struct instr){.at = SRCPOS_NONE};
	t->stale = true;
	return &p->instrs.at[k];
}

static bool swizzle_brings(swizzle s, const unsigned *from, lanes read)
{
	EACH_LANE(lane, read)
		if (swizzle_lane(s, lane) != from[lane])
			return false;
	return true;
}

bool tidy_swizzle(const struct tidy *t, const struct instr *i, unsigned s, const unsigned *from, lanes read, swizzle *out)
{
	bool const one = instr_reads_scalar(i, s) || i->dst.file == REG_DEPTH_OUT;
	*out = SWIZZLE_XYZW;
	if (!one && swizzle_brings(*out, from, read))
		return true;
	*out = swizzle_replicate(from[first_lane(read)]);
	if (swizzle_brings(*out, from, read))
		return true;
	if (one)
		return false;
	if (models[t->p->model].any_swizzle) {
		*out = swizzle_of_lanes(from, read);
		return true;
	}
	for (unsigned k = 1; k < TURNING_SWIZZLES; k++) {
		*out = ps_2_0_swizzles[k];
		if (swizzle_brings(*out, from, read))
			return true;
	}
	return false;
}

bool tidy_turn_sources(const struct tidy *t, struct instr *i, const unsigned from[LANES])
{
	EACH_SOURCE(s, i) {
		unsigned lane[LANES];
		for (unsigned l = 0; l < LANES; l++)
			lane[l] = swizzle_lane(i->src[s].swizzle, from[l]);
		i->src[s].letters = 0;
		if (!tidy_swizzle(t, i, s, lane, i->dst.mask, &i->src[s].swizzle))
			return false;
	}
	return true;
}

bool tidy_operands_agree(const struct instr *a, const struct instr *b)
{
	if (op_is_region(a->op)) /* instructions that stand for blocks of flow control are never joined */
		return false;
	EACH_SOURCE(s, a)
		if (a->src[s].file != b->src[s].file || a->src[s].index != b->src[s].index ||
		    a->src[s].negate != b->src[s].negate || a->src[s].relative != b->src[s].relative ||
		    (a->src[s].file == REG_SAMPLER && a->src[s].swizzle != b->src[s].swizzle))
			return false;
	return true;
}

bool tidy_is_uniform(const struct instr *i)
{
	enum op_shape shape = ops[i->op].shape;
	return shape == SHAPE_SCALAR || shape == SHAPE_DP3 || shape == SHAPE_DP4 || shape == SHAPE_DP2ADD;
}

bool tidy_can_join(const struct instr *i)
{
	return tidy_moves_lanes(i) && instr_writes(i) && i->dst.file != REG_ADDRESS && i->dst.file != REG_DEPTH_OUT;
}
