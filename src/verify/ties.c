/* Looks for values that are exact in the old pair and come through an interpolator in the new one:
 * numbers made of constants alone that a comparison or the like uses, so that they must be exact.
 *
 * A carrier is an interpolated input of a pixel program.  A carrier lane that is the same element at all three vertices of random
 * inputs is flat: computed from constants alone.  The tie_walk follows flat lanes, and results computed from these, through the pixel
 * program to each decision: texkill, the first operand of cmp, frc, the .z that a depth texture compares, oC0.w (alpha test) and oDepth
 * (depth test).  Numbers computed from literals, which often lie exactly on the border of a texel or mip level, also decide by the
 * coordinates of a texture read.  A sum or product of a constant with a value that varies is as inexact as that value, and is not
 * followed. */
#include "verify/checks.h"
#include "verify/choice.h"

#include <math.h>
#include <string.h>

/* A set of carrier lanes, one bit each. */
typedef uint64_t carrier_set;

/* The dependences of a register lane's value. */
struct content {
	carrier_set flat; /* the followed carrier lanes that the value depends on */
	bool constant;    /* the value is computed from constants alone */
	bool set;         /* the value depends on a constant that the application sets */
	bool differs;     /* the value depends on a carrier lane that differs from pixel to pixel */
	bool varies;      /* the value is as inexact as a carrier lane that is not followed: it is that lane, or a sum or product with it */
	bool linear;      /* the value depends on constants and carriers alone, and linearly on the carriers that differ from pixel to pixel */
	bool zero;        /* the value is 0: computed from carriers and literals of 0 alone, or a product with one of these */
};

struct tie_walk {
	const struct program *ps;
	const uint8_t *plane;         /* by instruction, the enum plane_read: whether a 2D read may compare .z with a depth texture */
	carrier_set flat;             /* the carrier lanes that are followed */
	carrier_set same;             /* the carrier lanes that are the same at all vertices, and not 0 */
	carrier_set zero;             /* the carrier lanes that are 0 at all vertices, and count as constants */
	carrier_set chosen;           /* the carrier lanes that are 0 or another number, as the VP chooses by a constant that the application sets */
	carrier_set literal;          /* the carrier lanes of `flat` that are computed from literals alone */
	struct content temp[MACHINE_TEMPS][LANES];
	lanes *constant;              /* by instruction: result lanes, not known to be 0, computed from constants, of which the application sets one */
	lanes *brought;               /* by instruction: result lanes that depend on a lane of `flat` */
	lanes *chosen_0;              /* by instruction: result lanes that are 0 where a lane of `chosen` is */
	carrier_set decides;          /* the carrier lanes of `flat` that reach a decision */
	uint32_t decider[MACHINE_CARRIER_LANES]; /* for each carrier lane of `decides`, the first instruction that decides by it, as texkill and cmp do */
};

/* Returns the carrier lanes that the VP writes the same at all vertices: if `zero` is set, those that are 0, which interpolation keeps, else
 * those that are not 0. */
static carrier_set flat_lanes(const struct field_run *vs, bool zero)
{
	carrier_set set = 0;
	for (unsigned c = 0; c < MACHINE_CARRIER_LANES; c++) {
		const felt *x = vs->out[MACHINE_CARRIER + c / LANES][c % LANES];
		if (vs->out_written[MACHINE_CARRIER + c / LANES] >> c % LANES & 1 &&
		    x[0] == x[FIELDS] && x[0] == x[2 * FIELDS] && (x[0] == 0) == zero)
			set |= (carrier_set)1 << c;
	}
	return set;
}

static void note_decision(struct tie_walk *w, carrier_set set, uint32_t k)
{
	for (unsigned c = 0; c < MACHINE_CARRIER_LANES; c++)
		if (set >> c & 1 && !(w->decides >> c & 1))
			w->decider[c] = k;
	w->decides |= set;
}

static struct content content_of_operand(const struct tie_walk *w, const struct src *s, int row, unsigned lane)
{
	if (s->file == REG_TEMP)
		return w->temp[s->index + row][lane];
	if (s->file != REG_TEXCOORD && s->file != REG_INPUT) {
		const struct decl *def = s->file == REG_CONST ? program_decl(w->ps, REG_CONST, s->index + row) : NULL;
		bool const zero = def && !(fabsf(def->value[lane]) > 0);
		return (struct content){.constant = s->file == REG_CONST, .linear = s->file == REG_CONST,
		                        .set = s->file == REG_CONST && !def, .zero = zero};
	}
	unsigned const carrier = (unsigned)s->index + (s->file == REG_TEXCOORD ? MACHINE_COLOURS : 0u);
	carrier_set const bit = (carrier_set)1 << (carrier * LANES + lane);
	bool const zero = (w->zero | w->chosen) & bit, same = w->same & bit;
	return (struct content){.flat = bit & w->flat, .constant = zero, .set = w->chosen & bit, .differs = !same && !zero,
	                        .varies = !(bit & w->flat) && !zero, .linear = true, .zero = zero};
}

/* Returns true if the opcode computes sums of products of lanes of the first two operands, perhaps plus a third operand. */
static bool is_product_sum(enum op op)
{
	enum op_shape const shape = ops[op].shape;
	return op == OP_MUL || op == OP_MAD || shape == SHAPE_DP2ADD || shape == SHAPE_DP3 || shape == SHAPE_DP4 || shape == SHAPE_MATRIX;
}

/* Returns true if the operation, before a _sat, is linear in the operands that differ from pixel to pixel (`differs`). */
static bool stays_linear(const struct instr *i, const bool differs[MAX_SOURCES])
{
	switch ((enum op)i->op) {
	case OP_MOV:
	case OP_ADD:
	case OP_SUB: return true;
	case OP_CRS: return !(differs[0] && differs[1]);
	case OP_LRP: return !differs[0] || !(differs[1] || differs[2]);
	default: return is_product_sum((enum op)i->op) && !(differs[0] && differs[1]);
	}
}

static bool reads_texel(const struct instr *i)
{
	return ops[i->op].sources > 1 && i->src[1].file == REG_SAMPLER;
}

/* Returns those of the carrier lanes `flat`, on which lane `lane` of operand `s` depends, that take part in a decision of instruction k.  For a
 * block, and for the tested operand of a cmp or the like, these are all.  For a .z that a depth texture compares, and for the w by which texldp
 * divides it, too.  For other lanes that a texture read uses (coordinate, bias, level, gradient), these are the ones made of literals, since
 * literals may lie on the border of a texel or mip level.  In other cases none. */
static carrier_set decided_by(const struct tie_walk *w, uint32_t k, unsigned s, unsigned lane, carrier_set flat)
{
	const struct instr *i = &w->ps->instrs.at[k];
	if (!reads_texel(i))
		return op_is_region(i->op) || (s == 0 && ops[i->op].flags & OPF_LIMIT) ? flat : 0;
	struct content const z = content_of_operand(w, &i->src[0], 0, swizzle_lane(i->src[0].swizzle, LANE_Z));
	if (s == 0 && w->plane[k] == PLANE_AT && (lane == LANE_Z || (lane == LANE_W && i->op == OP_TEXLDP && !(z.varies && z.linear))))
		return flat; /* a w counts only if .z does not vary linearly, since their quotient is inexact anyway then */
	return flat & w->literal;
}

/* Returns the lanes of operand `s` on which the result lanes depend, including the .z that a depth texture may compare. */
static lanes lanes_that_matter(const struct tie_walk *w, uint32_t k, unsigned s, lanes result)
{
	return (lanes)(instr_operand_lanes(w->ps, &w->ps->instrs.at[k], s, result) | (s == 0 && w->plane[k] == PLANE_AT ? MASK_Z : 0));
}

/* Returns true if the opcode computes sums of operands, or of products of lanes of the first two operands. */
static bool is_sum(enum op op)
{
	return op == OP_MOV || op == OP_ADD || op == OP_SUB || is_product_sum(op);
}

static int row_of(const struct instr *i, unsigned s, lanes result)
{
	return instr_rows(i, s) > 1 ? (int)first_lane(result) : 0;
}

/* Returns true if the operand lane is multiplied by 0, so that the product is exact whatever the lane is. */
static bool is_times_0(const struct tie_walk *w, const struct instr *i, unsigned s, unsigned position, lanes result)
{
	if (s > 1 || !is_product_sum((enum op)i->op))
		return false;
	const struct src *other = &i->src[1 - s];
	return content_of_operand(w, other, row_of(i, 1 - s, result), swizzle_lane(other->swizzle, position)).zero;
}

/* Returns true if the instruction is a cmp with a literal as its condition, which never chooses this operand lane. */
static bool is_passed_over(const struct tie_walk *w, const struct instr *i, unsigned s, unsigned position)
{
	const struct src *by = &i->src[0];
	const struct decl *def = i->op == OP_CMP && s > 0 && by->file == REG_CONST ? program_decl(w->ps, REG_CONST, by->index) : NULL;
	if (!def)
		return false;
	float const x = def->value[swizzle_lane(by->swizzle, position)];
	return (by->negate ? -x : x) >= 0 ? s == 2 : s == 1;
}

/* Returns the dependences of one result lane, or for a texkill, of all lanes that it tests together.  Records in `decides` and `decider` the
 * carrier lanes that take part in a decision of the instruction. */
static struct content content_of_result(struct tie_walk *w, uint32_t k, lanes result)
{
	const struct instr *i = &w->ps->instrs.at[k];
	struct content sum = {.constant = true, .linear = true, .zero = is_sum((enum op)i->op)};
	bool differs[MAX_SOURCES] = {false};
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes const read = lanes_that_matter(w, k, s, result);
		if (i->src[s].file == REG_SAMPLER)
			sum.constant = sum.linear = false;
		for (unsigned p = 0; p < LANES; p++) {
			if (!(read >> p & 1) || i->src[s].file == REG_SAMPLER || is_passed_over(w, i, s, p))
				continue;
			struct content x = content_of_operand(w, &i->src[s], row_of(i, s, result), swizzle_lane(i->src[s].swizzle, p));
			bool const nothing = is_times_0(w, i, s, p, result);
			x.flat = nothing ? 0 : x.flat;
			note_decision(w, decided_by(w, k, s, p, x.flat), k);
			sum.flat |= x.flat;
			sum.constant &= x.constant;
			sum.set |= x.set;
			sum.differs |= x.differs;
			sum.varies |= x.varies;
			sum.linear &= x.linear;
			sum.zero &= x.zero || (nothing && !x.varies);
			differs[s] |= x.differs;
		}
	}
	static const bool none[MAX_SOURCES] = {false};
	sum.linear &= !sum.differs || stays_linear(i, differs);
	sum.varies &= sum.differs || (!(i->flags & INSTR_SAT) && stays_linear(i, none)); /* others, such as frc, may make inexact values exact */
	/* A result depends on the flat lanes of all its operands.  Two results do not: one that is linear in a value that varies, since it is
	 * inexact anyway, and a texel, since arithmetic does not compute it from its coordinate. */
	if ((sum.linear && sum.varies) || reads_texel(i))
		sum.flat = 0;
	sum.linear &= !(i->flags & INSTR_SAT) || !sum.differs; /* cleared only here, since a value is as inexact after the clamp as before it */
	return sum;
}

/* Returns true if all lanes of the instruction's result depend on the same lanes of the operands. */
static bool is_same_in_all_lanes(const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return shape == SHAPE_SCALAR || shape == SHAPE_DP2ADD || shape == SHAPE_DP3 || shape == SHAPE_DP4 || reads_texel(i);
}

static void step_ties(struct tie_walk *w, uint32_t k)
{
	const struct instr *i = &w->ps->instrs.at[k];
	lanes const written = instr_writes(i);
	bool const same = is_same_in_all_lanes(i);
	unsigned const first = first_lane(written);
	struct content result[LANES];
	if (!written)
		content_of_result(w, k, 0);
	EACH_LANE(l, written)
		result[l] = same && l > first ? result[first] : content_of_result(w, k, (lanes)(1u << l));
	EACH_LANE(l, written) {
		w->constant[k] |= (lanes)((result[l].constant && result[l].set && !result[l].zero) << l);
		w->chosen_0[k] |= (lanes)((result[l].constant && result[l].set && result[l].zero) << l);
		w->brought[k] |= (lanes)((result[l].flat != 0) << l);
		if (i->dst.file == REG_TEMP)
			w->temp[i->dst.index][l] = result[l];
		else if (i->dst.file == REG_DEPTH_OUT || (i->dst.file == REG_PIXEL_OUT && i->dst.index == 0 && l == LANE_W))
			note_decision(w, result[l].flat, k);
	}
}

/* Returns the element in column 0 of carrier lane c.  All functions below use column 0. */
static felt value_of(const struct side *pair, unsigned c)
{
	return pair->ps.carrier[c / LANES][c % LANES][0];
}

static bool same_but_for_sign(felt x, felt y)
{
	return x == y || x == field_neg(0, y);
}

/* Returns true if the element is a known number, or one of several known numbers that conditions choose (choice.h). */
static bool is_number_or_choice(struct known *known, felt x)
{
	struct rational number;
	struct choice choice;
	return known_exact(known, 0, x, &number) || choice_of(known, 0, x, &choice);
}

/* Returns true if the element is one of several numbers that conditions choose (choice.h), and one of the numbers is 0. */
static bool may_be_chosen_0(struct known *known, felt x)
{
	struct choice choice;
	bool any = false;
	for (uint32_t k = 0; choice_of(known, 0, x, &choice) && k < 1u << choice.n && !any; k++)
		any = rational_sign(choice.number[k]) == 0;
	return any;
}

/* Returns true if the element or its negative is a constant that the application sets, not a def, in this program.  It may be a known number
 * all the same. */
static bool application_sets(const struct field_run *m, felt x)
{
	bool set = false;
	for (unsigned c = 0; c < MACHINE_CONSTS * LANES && !set; c++)
		set = m->def[c / LANES] < 0 && m->known_lanes[c / LANES] >> c % LANES & 1 &&
		      same_but_for_sign(m->constant[c / LANES][c % LANES][0], x);
	return set;
}

/* Walks through the pixel program of a pair, and finds which results and decisions depend on the carrier lanes `flat`. */
static struct tie_walk *follow_flat_lanes(struct arena *arena, const struct side *pair, const struct side *old, carrier_set flat,
                                          carrier_set chosen)
{
	const struct program *ps = pair->ps.program;
	struct tie_walk *w = arena_zero(arena, sizeof *w);
	w->ps = ps;
	w->plane = pair->ps.plane;
	w->flat = flat;
	w->chosen = chosen;
	w->zero = flat_lanes(&pair->vs, true);
	w->same = flat_lanes(&pair->vs, false);
	for (unsigned c = 0; c < MACHINE_CARRIER_LANES; c++)
		if (flat >> c & 1 && is_number_or_choice(pair->ps.known, value_of(pair, c)) &&
		    !application_sets(&old->ps, value_of(pair, c)) && !application_sets(&pair->vs, value_of(pair, c)))
			w->literal |= (carrier_set)1 << c;
	w->constant = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->constant);
	w->brought = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->brought);
	w->chosen_0 = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->chosen_0);
	for (uint32_t k = 0; k < ps->instrs.n && (flat | chosen); k++)
		step_ties(w, k);
	return w;
}

/* Returns true if one of the carrier lanes in `set` has, in the old pair, the element x or its negative. */
static bool old_pair_brings(const struct side *old, carrier_set set, felt x)
{
	bool any = false;
	for (unsigned c = 0; c < MACHINE_CARRIER_LANES && !any; c++)
		any = set >> c & 1 && same_but_for_sign(value_of(old, c), x);
	return any;
}

/* How the old pair's FP gets the value of an element of the new pair. */
struct tie_origin {
	bool made;     /* the element is a constant that the application sets, or the old FP computes it from constants of which the
	                * application sets one; results of literals alone do not count, since they may be equal by chance */
	bool brought;  /* the old FP computes the element from a followed carrier lane */
	bool chosen_0; /* the element is 0 where the VP chose 0, which interpolation keeps */
};

static struct tie_origin find_tie_origin(const struct tie_walk *before, const struct side *old, felt x)
{
	struct tie_origin o = {.made = application_sets(&old->ps, x), .chosen_0 = old_pair_brings(old, before->chosen, x)};
	for (uint32_t k = 0; k < old->ps.program->instrs.n && !o.brought && !o.chosen_0; k++)
		EACH_LANE(l, old->ps.program->instrs.at[k].dst.file == REG_TEMP ? instr_writes(&old->ps.program->instrs.at[k]) : 0) {
			bool const same = same_but_for_sign(old->ps.trace[k][l][0], x);
			o.made |= same && before->constant[k] >> l & 1;
			o.brought |= same && before->brought[k] >> l & 1;
			o.chosen_0 |= same && before->chosen_0[k] >> l & 1;
		}
	return o;
}

/* Returns true if the element x is no less exact in the new pair than in the old one.  In the old pair, values computed from flat carrier lanes
 * that take part in a decision are as inexact as those lanes.  If such a lane is 1, returns true for every x: its product with a constant equals
 * the constant. */
static bool is_as_before(const struct tie_walk *before, const struct side *old, felt x)
{
	if (old_pair_brings(old, before->decides, field_one(0)) || old_pair_brings(old, before->decides, x))
		return true;
	if (!(before->decides | before->chosen))
		return false;
	struct tie_origin const o = find_tie_origin(before, old, x);
	return o.chosen_0 || (before->decides && (!o.made || o.brought));
}

/* Returns those of the carrier lanes `of` whose value is one of several numbers that conditions choose (choice.h), and may be 0. */
static carrier_set chosen_lanes(const struct side *pair, carrier_set of)
{
	carrier_set set = 0;
	for (unsigned c = 0; c < MACHINE_CARRIER_LANES; c++)
		if (of >> c & 1 && may_be_chosen_0(pair->ps.known, value_of(pair, c)))
			set |= (carrier_set)1 << c;
	return set;
}

const char *ties_newcomer(struct arena *arena, const struct side *old, const struct side *new, uint32_t *decider)
{
	carrier_set suspects = flat_lanes(&new->vs, false);
	if (suspects) {
		carrier_set const flat = flat_lanes(&old->vs, false), chosen = chosen_lanes(old, flat);
		struct tie_walk *before = follow_flat_lanes(arena, old, old, flat & ~chosen, chosen);
		for (unsigned c = 0; c < MACHINE_CARRIER_LANES; c++)
			if (suspects >> c & 1 && is_as_before(before, old, value_of(new, c)))
				suspects &= ~((carrier_set)1 << c);
		struct tie_walk *after = follow_flat_lanes(arena, new, old, suspects, 0);
		unsigned c = 0;
		while (c < MACHINE_CARRIER_LANES && !(after->decides >> c & 1))
			c++;
		if (c < MACHINE_CARRIER_LANES) {
			*decider = after->decider[c];
			return arena_printf(arena, "%s brings a number made of constants alone, by which the new pair decides, through an "
			                    "interpolator, which may change its last digit (see --free-ties)", machine_carrier_text(arena, c));
		}
	}
	return NULL;
}
