/* Looks for quotients of proportional carriers (interpolated inputs).
 *
 * Follows multiples of one carrier lane through the pixel program: copies, products with constants, and products with the
 * reciprocal of such a multiple.  The elements at the three vertices tell whether two carrier lanes are proportional. */
#include "verify/checks.h"

#include <assert.h>
#include <math.h>

enum { NONE = MACHINE_CARRIER_LANES, MOST_SCALE = 24 };

/* How a register lane depends on carrier lanes (lanes of interpolated inputs). */
struct part {
	uint8_t carrier;  /* the carrier lane of which the value is a constant multiple, or NONE */
	uint8_t below;    /* the carrier lane by a multiple of which the value is divided, or NONE */
	bool constant;
};
static_assert(NONE <= UINT8_MAX, "a carrier lane is a byte");

struct quotient_walk {
	const struct field_run *vs;
	const struct program *ps;
	struct part temp[MACHINE_TEMPS][LANES];
	uint32_t decider; /* the instruction that divides, or UINT32_MAX if none was found yet */
	uint8_t found[2]; /* the two carrier lanes whose quotient the instruction computes */
};

static const struct part nothing = {NONE, NONE, false};

static bool is_written_carrier(const struct quotient_walk *w, unsigned lane)
{
	return lane != NONE && w->vs->out_written[MACHINE_CARRIER + lane / LANES] >> lane % LANES & 1;
}

/* Returns true if the element x of field 0 is y or -y times a power of two, so that both numbers have the same digits. */
static bool same_digits(felt x, felt y)
{
	bool same = false;
	for (int n = -MOST_SCALE; n <= MOST_SCALE && !same; n++) {
		felt const scaled = field_mul(0, y, field_float(0, ldexpf(1, n)));
		same = x == scaled || x == field_neg(0, scaled);
	}
	return same;
}

static bool are_noisy_together(const struct quotient_walk *w, unsigned a, unsigned b)
{
	if (a == b || !is_written_carrier(w, a) || !is_written_carrier(w, b))
		return false;
	const felt *x = w->vs->out[MACHINE_CARRIER + a / LANES][a % LANES], *y = w->vs->out[MACHINE_CARRIER + b / LANES][b % LANES];
	bool all = x[0] != x[FIELDS] && y[0] != y[FIELDS]; /* both vary: a value that is the same at all vertices does not pass 0 between them */
	for (unsigned k = 1; all && k < VERTICES; k++)
		all = field_mul(0, x[k * FIELDS], y[0]) == field_mul(0, y[k * FIELDS], x[0]);
	return all && !same_digits(x[0], y[0]);
}

static void note_quotient(struct quotient_walk *w, uint32_t k, unsigned a, unsigned b)
{
	if (w->decider != UINT32_MAX || !are_noisy_together(w, a, b))
		return;
	w->decider = k;
	w->found[0] = (uint8_t)a;
	w->found[1] = (uint8_t)b;
}

static struct part quotient_part(const struct quotient_walk *w, const struct src *s, unsigned position)
{
	unsigned const lane = swizzle_lane(s->swizzle, position);
	if (s->file == REG_TEMP)
		return w->temp[s->index][lane];
	if (s->file == REG_CONST)
		return (struct part){NONE, NONE, true};
	if (s->file != REG_TEXCOORD && s->file != REG_INPUT)
		return nothing;
	unsigned const carrier = (unsigned)s->index + (s->file == REG_TEXCOORD ? MACHINE_COLOURS : 0u);
	return (struct part){(uint8_t)(carrier * LANES + lane), NONE, false};
}

static struct part multiply_parts(const struct part *a, const struct part *b)
{
	struct part p = {NONE, a->below != NONE ? a->below : b->below, a->constant && b->constant};
	if (a->constant || b->constant)
		p.carrier = a->constant ? b->carrier : a->carrier;
	return p;
}

/* Returns true if the result lane is computed from constants alone. */
static bool has_constant_operands(const struct quotient_walk *w, const struct instr *i, unsigned lane)
{
	bool all = true;
	for (unsigned s = 0; s < ops[i->op].sources && all; s++) {
		lanes const read = instr_operand_lanes(w->ps, i, s, (lanes)(1u << lane));
		all = i->src[s].file != REG_SAMPLER;
		for (unsigned p = 0; p < LANES && all; p++)
			all = !(read >> p & 1) || quotient_part(w, &i->src[s], p).constant;
	}
	return all;
}

static struct part part_of_result(struct quotient_walk *w, uint32_t k, unsigned lane)
{
	const struct instr *i = &w->ps->instrs.at[k];
	if (i->op == OP_MOV)
		return quotient_part(w, &i->src[0], lane);
	if (i->op == OP_RCP) {
		struct part const x = quotient_part(w, &i->src[0], LANE_X);
		return (struct part){NONE, x.carrier, x.constant};
	}
	if (i->op == OP_MUL || i->op == OP_MAD) {
		struct part const a = quotient_part(w, &i->src[0], lane), b = quotient_part(w, &i->src[1], lane);
		note_quotient(w, k, a.carrier, b.below);
		note_quotient(w, k, b.carrier, a.below);
		if (i->op == OP_MUL)
			return multiply_parts(&a, &b);
	}
	return (struct part){NONE, NONE, has_constant_operands(w, i, lane)};
}

/* Notes nrm instruction k, which divides, if x, y and z of its vector are multiples of carrier lanes that are proportional, but not all of the
 * same lane. */
static void find_direction(struct quotient_walk *w, uint32_t k)
{
	const struct src *s = &w->ps->instrs.at[k].src[0];
	unsigned const x = quotient_part(w, s, LANE_X).carrier, y = quotient_part(w, s, LANE_Y).carrier;
	unsigned const z = quotient_part(w, s, LANE_Z).carrier;
	if ((x == y || are_noisy_together(w, y, x)) && (x == z || are_noisy_together(w, z, x)))
		note_quotient(w, k, x == y ? z : y, x);
}

static void step_quotients(struct quotient_walk *w, uint32_t k)
{
	const struct instr *i = &w->ps->instrs.at[k];
	lanes const written = instr_writes(i);
	struct part to[LANES];
	if (i->op == OP_TEXLDP)
		for (unsigned l = LANE_X; l <= LANE_Z; l++)
			if (instr_operand_lanes(w->ps, i, 0, written) >> l & 1)
				note_quotient(w, k, quotient_part(w, &i->src[0], l).carrier, quotient_part(w, &i->src[0], LANE_W).carrier);
	if (i->op == OP_NRM)
		find_direction(w, k);
	EACH_LANE(l, written)
		to[l] = i->flags & INSTR_SAT ? nothing : part_of_result(w, k, l);
	for (unsigned l = 0; l < LANES && i->dst.file == REG_TEMP; l++)
		if (written >> l & 1)
			w->temp[i->dst.index][l] = to[l];
}

static const struct quotient_walk *find_quotient(struct arena *arena, const struct side *pair)
{
	struct quotient_walk *w = arena_alloc(arena, sizeof *w);
	w->vs = &pair->vs;
	w->ps = pair->ps.program;
	w->decider = UINT32_MAX;
	for (unsigned t = 0; t < MACHINE_TEMPS * LANES; t++)
		w->temp[t / LANES][t % LANES] = nothing;
	for (uint32_t k = 0; k < w->ps->instrs.n && w->decider == UINT32_MAX; k++)
		step_quotients(w, k);
	return w;
}

const char *quotients_newcomer(struct arena *arena, const struct side *old, const struct side *new, uint32_t *decider)
{
	const struct quotient_walk *after = find_quotient(arena, new);
	unsigned const a = after->found[0], b = after->found[1];
	*decider = after->decider;
	bool const came = *decider != UINT32_MAX && find_quotient(arena, old)->decider == UINT32_MAX;
	return came ? arena_printf(arena, "%s and %s bring multiples of one number, and the new pair divides one by the other: near 0 the "
	                                  "quotient is noise, as each comes through an interpolator of its own (see --free-ties)",
	                           machine_carrier_text(arena, a), machine_carrier_text(arena, b))
	            : NULL;
}
