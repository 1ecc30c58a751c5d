/* Looks for what is exact in the old pair and comes through an interpolator in the new one, see ties.h.
 *
 * A carrier lane that is the same element at all three vertices of random inputs is flat: made of constants alone.  What
 * is computed from flat lanes is followed through the pixel program to whatever decides: texkill, the first operand of
 * cmp, frc, the .z that depths are compared with, oC0.w (alpha test) and oDepth (depth test); by what is made of literals,
 * which often are exactly a texel's border or that of a mip level, also the texel that a read takes.  A sum or product with constants of what does
 * vary is as inexact as before, and is not followed. */
#include "verify/ties.h"

#include "verify/choice.h"

#include <math.h>
#include <string.h>

enum { LANES_CARRIED = MACHINE_CARRIERS * LANES };

/* Bits of carrier lanes: those whose flat value a register lane depends on. */
typedef uint64_t carrier_set;

struct content {
	carrier_set flat;
	bool constant; /* nothing but constants, */
	bool set;      /* ... of which the application sets some */
	bool differs;  /* depends on a carrier that differs from pixel to pixel */
	bool varies;   /* ... or is as inexact as such: a sum or product with what is the same everywhere, and not followed */
	bool linear;   /* depends on nothing but constants and carriers, linearly on those that differ */
	bool zero;     /* made of carriers and literals of 0 alone, or a product with one */
};

struct walk {
	const struct program *ps;
	const uint8_t *plane;         /* whether 2D reads compare .z, see struct field_run */
	carrier_set flat;             /* what is followed */
	carrier_set same;             /* those that are the same at all vertices */
	carrier_set zero;             /* as good as a constant, */
	carrier_set chosen;           /* ... as these are where the vertex program chooses 0 by what the application sets */
	carrier_set literal;          /* those of `flat` that are made of literals alone */
	struct content temp[MACHINE_TEMPS][LANES];
	lanes *constant;              /* lanes that each instruction makes of constants alone, not only literals */
	lanes *brought;               /* ... of what is followed */
	lanes *chosen_0;              /* ... that are 0 where a lane of `chosen` is */
	carrier_set decides;          /* those of `flat` that reach a decision */
	uint32_t decider[LANES_CARRIED];
};

/* Carrier lanes that are the same at all vertices, either those that are 0, which interpolation keeps, or the others. */
static carrier_set flat_lanes(const struct field_run *vs, bool zero)
{
	carrier_set set = 0;
	for (unsigned c = 0; c < LANES_CARRIED; c++) {
		const felt *x = vs->out[MACHINE_CARRIER + c / LANES][c % LANES];
		if (vs->out_written[MACHINE_CARRIER + c / LANES] >> c % LANES & 1 &&
		    x[0] == x[FIELDS] && x[0] == x[2 * FIELDS] && (x[0] == 0) == zero)
			set |= (carrier_set)1 << c;
	}
	return set;
}

static void note(struct walk *w, carrier_set set, uint32_t k)
{
	for (unsigned c = 0; c < LANES_CARRIED; c++)
		if (set >> c & 1 && !(w->decides >> c & 1))
			w->decider[c] = k;
	w->decides |= set;
}

static struct content read_lane(const struct walk *w, const struct src *s, int row, unsigned lane)
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
	return (struct content){.flat = bit & w->flat, .constant = zero, .set = w->chosen & bit, .differs = !same && !zero, .varies = !(bit & w->flat) && !zero,
	                        .linear = true, .zero = zero};
}

/* Products of the first two operands, lane by lane, and what is added to them. */
static bool is_product_sum(enum op op)
{
	enum op_shape const shape = ops[op].shape;
	return op == OP_MUL || op == OP_MAD || shape == SHAPE_DP2ADD || shape == SHAPE_DP3 || shape == SHAPE_DP4 || shape == SHAPE_MATRIX;
}

/* Is the operation linear in operands that differ, if the others do not?  Before a _sat. */
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

/* Returns those of `flat`, which lane `lane` of operand `s` brings, by which the instruction decides.  By literals a texture read
 * takes a texel and a mip level, whether they are part of a coordinate, its divisor, a bias, a level or a gradient. */
static carrier_set decided_by(const struct walk *w, uint32_t k, unsigned s, unsigned lane, carrier_set flat)
{
	const struct instr *i = &w->ps->instrs.at[k];
	if (!reads_texel(i))
		return op_is_region(i->op) || (s == 0 && (i->op == OP_TEXKILL || i->op == OP_CMP || i->op == OP_FRC)) ? flat : 0;
	struct content const z = read_lane(w, &i->src[0], 0, swizzle_lane(i->src[0].swizzle, LANE_Z));
	if (s == 0 && w->plane[k] == PLANE_AT && (lane == LANE_Z || (lane == LANE_W && i->op == OP_TEXLDP && !(z.varies && z.linear))))
		return flat; /* a quotient of what varies is as inexact as a product with it */
	return flat & w->literal;
}

/* Lanes of operand `s` that decide the lanes `result`; a texture of depths is compared with .z. */
static lanes lanes_read(const struct walk *w, uint32_t k, unsigned s, lanes result)
{
	return (lanes)(instr_operand_lanes(w->ps, &w->ps->instrs.at[k], s, result) | (s == 0 && w->plane[k] == PLANE_AT ? MASK_Z : 0));
}

/* Is the result a sum of operands and products of the first two, lane by lane? */
static bool is_sum(enum op op)
{
	return op == OP_MOV || op == OP_ADD || op == OP_SUB || is_product_sum(op);
}

static int row_of(const struct instr *i, unsigned s, lanes result)
{
	return instr_rows(i, s) > 1 ? (int)first_lane(result) : 0;
}

/* A product with 0 is exact, whatever is known of the other factor. */
static bool is_times_0(const struct walk *w, const struct instr *i, unsigned s, unsigned position, lanes result)
{
	if (s > 1 || !is_product_sum((enum op)i->op))
		return false;
	const struct src *other = &i->src[1 - s];
	return read_lane(w, other, row_of(i, 1 - s, result), swizzle_lane(other->swizzle, position)).zero;
}

/* Is it the operand of a cmp that a literal does not choose? */
static bool is_passed_over(const struct walk *w, const struct instr *i, unsigned s, unsigned position)
{
	const struct src *by = &i->src[0];
	const struct decl *def = i->op == OP_CMP && s > 0 && by->file == REG_CONST ? program_decl(w->ps, REG_CONST, by->index) : NULL;
	if (!def)
		return false;
	float const x = def->value[swizzle_lane(by->swizzle, position)];
	return (by->negate ? -x : x) >= 0 ? s == 2 : s == 1;
}

/* The content of one result lane, or for texkill of all it tests; notes what it decides by. */
static struct content compute(struct walk *w, uint32_t k, lanes result)
{
	const struct instr *i = &w->ps->instrs.at[k];
	struct content sum = {.constant = true, .linear = true, .zero = is_sum((enum op)i->op)};
	bool differs[MAX_SOURCES] = {false};
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes const read = lanes_read(w, k, s, result);
		if (i->src[s].file == REG_SAMPLER)
			sum.constant = sum.linear = false;
		for (unsigned p = 0; p < LANES; p++) {
			if (!(read >> p & 1) || i->src[s].file == REG_SAMPLER || is_passed_over(w, i, s, p))
				continue;
			struct content x = read_lane(w, &i->src[s], row_of(i, s, result), swizzle_lane(i->src[s].swizzle, p));
			bool const nothing = is_times_0(w, i, s, p, result);
			x.flat = nothing ? 0 : x.flat;
			note(w, decided_by(w, k, s, p, x.flat), k);
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
	/* Also a product of two flat lanes is flat; but nothing linear in what varies is exact, and a texel is no arithmetic. */
	static const bool none[MAX_SOURCES] = {false};
	sum.linear &= !sum.differs || stays_linear(i, differs);
	sum.varies &= sum.differs || (!(i->flags & INSTR_SAT) && stays_linear(i, none)); /* a comparison of what is a digit off may be exact */
	if ((sum.linear && sum.varies) || reads_texel(i))
		sum.flat = 0;
	sum.linear &= !(i->flags & INSTR_SAT) || !sum.differs; /* what is clamped was as inexact before */
	return sum;
}

/* Returns true if every lane of the result is made of the same lanes of the operands. */
static bool is_same_in_all_lanes(const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return shape == SHAPE_SCALAR || shape == SHAPE_DP2ADD || shape == SHAPE_DP3 || shape == SHAPE_DP4 || reads_texel(i);
}

static void step(struct walk *w, uint32_t k)
{
	const struct instr *i = &w->ps->instrs.at[k];
	lanes const written = instr_writes(i);
	bool const same = is_same_in_all_lanes(i);
	unsigned const first = first_lane(written);
	struct content result[LANES];
	if (!written)
		compute(w, k, 0);
	for (unsigned l = 0; l < LANES; l++)
		if (written >> l & 1)
			result[l] = same && l > first ? result[first] : compute(w, k, (lanes)(1u << l));
	for (unsigned l = 0; l < LANES; l++) {
		if (!(written >> l & 1))
			continue;
		w->constant[k] |= (lanes)((result[l].constant && result[l].set && !result[l].zero) << l);
		w->chosen_0[k] |= (lanes)((result[l].constant && result[l].set && result[l].zero) << l);
		w->brought[k] |= (lanes)((result[l].flat != 0) << l);
		if (i->dst.file == REG_TEMP)
			w->temp[i->dst.index][l] = result[l];
		else if (i->dst.file == REG_DEPTH_OUT || (i->dst.file == REG_PIXEL_OUT && i->dst.index == 0 && l == LANE_W))
			note(w, result[l].flat, k);
	}
}

/* Its element in the first field, column 0, as are all below. */
static felt value_of(const struct ran_pair *pair, unsigned c)
{
	return pair->ps->carrier[c / LANES][c % LANES][0];
}

static bool same_but_for_sign(felt x, felt y)
{
	return x == y || x == field_neg(0, y);
}

/* Is it a number that is known, or one of several? */
static bool is_number(struct known *known, felt x)
{
	struct rational number;
	struct choice choice;
	return known_exact(known, 0, x, &number) || choice_of(known, 0, x, &choice);
}

/* Is it one of several numbers, and 0 among them? */
static bool is_chosen(struct known *known, felt x)
{
	struct choice choice;
	bool any = false;
	for (uint32_t k = 0; choice_of(known, 0, x, &choice) && k < 1u << choice.n && !any; k++)
		any = rational_sign(choice.number[k]) == 0;
	return any;
}

/* Does the application set one of the program's constants to it, be it that the program says to which number? */
static bool is_set(const struct field_run *m, felt x)
{
	bool set = false;
	for (unsigned c = 0; c < MACHINE_CONSTS * LANES && !set; c++)
		set = m->def[c / LANES] < 0 && m->known_lanes[c / LANES] >> c % LANES & 1 &&
		      same_but_for_sign(m->constant[c / LANES][c % LANES][0], x);
	return set;
}

static struct walk *follow(struct arena *arena, const struct ran_pair *pair, const struct ran_pair *old, carrier_set flat, carrier_set chosen)
{
	const struct program *ps = pair->ps->program;
	struct walk *w = arena_zero(arena, sizeof *w);
	w->ps = ps;
	w->plane = pair->ps->plane;
	w->flat = flat;
	w->chosen = chosen;
	w->zero = flat_lanes(pair->vs, true);
	w->same = flat_lanes(pair->vs, false);
	for (unsigned c = 0; c < LANES_CARRIED; c++)
		if (flat >> c & 1 && is_number(pair->ps->known, value_of(pair, c)) &&
		    !is_set(old->ps, value_of(pair, c)) && !is_set(pair->vs, value_of(pair, c)))
			w->literal |= (carrier_set)1 << c;
	w->constant = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->constant);
	w->brought = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->brought);
	w->chosen_0 = arena_zero(arena, (ps->instrs.n + 1) * sizeof *w->chosen_0);
	for (uint32_t k = 0; k < ps->instrs.n && (flat | chosen); k++)
		step(w, k);
	return w;
}

/* Does one of these carrier lanes of the old pair bring it? */
static bool is_carried(const struct ran_pair *old, carrier_set set, felt x)
{
	bool any = false;
	for (unsigned c = 0; c < LANES_CARRIED && !any; c++)
		any = set >> c & 1 && same_but_for_sign(value_of(old, c), x);
	return any;
}

/* What an element of the new pair is in the old one. */
struct origin {
	bool made;     /* a constant of the pixel program, or what that computes of constants alone.  Only where the application sets
	                * some: a literal may equal what came of others by chance */
	bool brought;  /* an interpolator brought some of it */
	bool chosen_0; /* it is 0 where the vertex program chose 0, which interpolation keeps */
};

static struct origin origin_of(struct arena *arena, const struct walk *before, const struct ran_pair *old, felt x)
{
	struct origin o = {.made = is_set(old->ps, x), .chosen_0 = is_carried(old, before->chosen, x)};
	struct field_run *m = arena_alloc(arena, sizeof *m);
	struct program first = *old->ps->program; /* its first instructions */
	struct stray stray = {.found = true};
	*m = *old->ps;
	m->program = &first;
	m->unwritten = arena_zero(arena, sizeof *m->unwritten);
	m->stray = &stray;
	for (uint32_t k = 0; k < old->ps->program->instrs.n && !o.brought && !o.chosen_0; k++) {
		const struct instr *i = &old->ps->program->instrs.at[k];
		first.instrs.n = k + 1;
		if (!(before->constant[k] | before->brought[k] | before->chosen_0[k]) || i->dst.file != REG_TEMP)
			continue;
		field_run(m);
		for (unsigned l = 0; l < LANES; l++) {
			bool const same = same_but_for_sign(m->temp[i->dst.index][l][0], x);
			o.made |= same && before->constant[k] >> l & 1;
			o.brought |= same && before->brought[k] >> l & 1;
			o.chosen_0 |= same && before->chosen_0[k] >> l & 1;
		}
	}
	return o;
}

/* Is the element as inexact in the old pair, or as exact in the new one?  What is made of flat lanes by which the old pair
 * decides is as inexact as these were; if one of them is 1, its products with constants look like the constants. */
static bool is_as_before(struct arena *arena, const struct walk *before, const struct ran_pair *old, felt x)
{
	if (is_carried(old, before->decides, field_one(0)) || is_carried(old, before->decides, x))
		return true;
	if (!(before->decides | before->chosen))
		return false;
	struct origin const o = origin_of(arena, before, old, x);
	return o.chosen_0 || (before->decides && (!o.made || o.brought));
}

/* Lanes that bring one of several numbers, 0 among them. */
static carrier_set chosen_lanes(const struct ran_pair *pair, carrier_set of)
{
	carrier_set set = 0;
	for (unsigned c = 0; c < LANES_CARRIED; c++)
		if (of >> c & 1 && is_chosen(pair->ps->known, value_of(pair, c)))
			set |= (carrier_set)1 << c;
	return set;
}

const char *ties_newcomer(struct arena *arena, const struct ran_pair *old, const struct ran_pair *new, uint32_t *decider)
{
	carrier_set suspects = flat_lanes(new->vs, false);
	if (suspects) {
		carrier_set const flat = flat_lanes(old->vs, false), chosen = chosen_lanes(old, flat);
		struct walk *before = follow(arena, old, old, flat & ~chosen, chosen);
		for (unsigned c = 0; c < LANES_CARRIED; c++)
			if (suspects >> c & 1 && is_as_before(arena, before, old, value_of(new, c)))
				suspects &= ~((carrier_set)1 << c);
		struct walk *after = follow(arena, new, old, suspects, 0);
		unsigned c = 0;
		while (c < LANES_CARRIED && !(after->decides >> c & 1))
			c++;
		if (c < LANES_CARRIED) {
			*decider = after->decider[c];
			bool const colour = c / LANES < MACHINE_COLOURS;
			return arena_printf(arena, "%s%u.%c brings a number made of constants alone, by which the new pair decides, through an "
			                    "interpolator, which may bring it a digit off (see --free-ties)", colour ? "v" : "t",
			                    colour ? c / LANES : c / LANES - MACHINE_COLOURS, "xyzw"[c % LANES]);
		}
	}
	return NULL;
}
