/* Counts R300's pairs, see r300.h: adds the MOVs that hardware needs, and divides the operations between the RGB unit and the alpha unit. */
#include "move/target/r300.h"
#include "move/target/r300_ops.h"

#include <string.h>

enum { MOST_GATHERS = 512 };
enum { UNIT_RGB = 1, UNIT_ALPHA = 2, UNIT_EITHER = 4 };

/* An operand whose lanes MOVs copy to one register. */
struct gather {
	struct r300_ref lane[LANES]; /* the register lane that each operand lane reads: the source of its MOV, then the MOV's result */
	lanes mask;
};

struct machine {
	struct r300_ops p;
	struct gather gather[MOST_GATHERS];
	unsigned gathers;
};

static struct gather *gather_of(struct machine *m, const struct r300_ref *lane, lanes read)
{
	for (unsigned k = 0; k < m->gathers; k++) {
		bool same = true;
		EACH_LANE(l, read)
			same &= m->gather[k].mask >> l & 1 && memcmp(&m->gather[k].lane[l], &lane[l], sizeof *lane) == 0;
		if (same)
			return &m->gather[k];
	}
	if (m->gathers == MOST_GATHERS)
		return NULL;
	struct gather *g = &m->gather[m->gathers++];
	memset(g, 0, sizeof *g);
	memcpy(g->lane, lane, sizeof g->lane);
	g->mask = read;
	return g;
}

static bool is_one_lane(const struct r300_op *o)
{
	return !r300_is_tex(o) && count_lanes(o->live) == 1;
}

static void add_mov(struct r300_ops *p, struct gather *g, lanes of)
{
	if (p->n == R300_MOST_OPS) {
		p->too_long = true;
		return;
	}
	struct r300_op *o = &p->at[p->n];
	memset(o, 0, sizeof *o);
	o->op = OP_MOV;
	o->operands = 1;
	o->mask = o->live = of;
	o->fixed = true;
	for (unsigned l = 0; l < LANES; l++) {
		o->place[l] = (uint8_t)l;
		o->src[0][l] = g->lane[l];
		if (of >> l & 1)
			g->lane[l] = (struct r300_ref){(int16_t)p->n, (uint8_t)l, 0};
	}
	p->n++;
}

/* Adds the MOVs that fill the register of a gather: one for all lanes that are literals, and one for each other register, with each sign, that lanes
 * come from. */
static void put_together(struct r300_ops *p, struct gather *g)
{
	lanes left = g->mask, literals = 0; /* Mesa's compiler puts the literals of a MOV into one constant register */
	float value;
	for (unsigned l = 0; l < LANES; l++)
		literals |= (lanes)((g->mask >> l & 1 && r300_literal(p, g->lane[l], &value)) << l);
	if (literals)
		add_mov(p, g, literals);
	left &= (lanes)~literals;
	for (unsigned k = 0; k < LANES; k++) {
		struct r300_ref const first = g->lane[k];
		if (!(left >> k & 1))
			continue;
		lanes of = 0;
		for (unsigned l = 0; l < LANES; l++)
			of |= (lanes)((left >> l & 1 && g->lane[l].reg == first.reg && g->lane[l].sign == first.sign) << l);
		left &= (lanes)~of;
		add_mov(p, g, of);
	}
}

/* Returns true if the operand lanes in `read` must be copied to one register, because they are in several registers or have different signs.  With
 * `exact`, also if one of them is a constant, has a sign, or is not in the lane of the register in which it is read. */
static bool is_gathered(const struct r300_ops *p, const struct r300_ref *lane, lanes read, bool exact)
{
	unsigned const first = first_lane(read);
	for (unsigned l = first; l < LANES; l++) {
		if (!(read >> l & 1))
			continue;
		if (lane[l].reg != lane[first].reg || lane[l].sign != lane[first].sign ||
		    (exact && (lane[l].reg == R300_INLINE || lane[l].reg <= R300_CONST || lane[l].sign || r300_placed(p, lane[l]).lane != l)))
			return true;
	}
	return false;
}

/* Returns the first of the lanes x, y and z without which hardware has the swizzle, or z if there is none. */
static lanes lane_apart(const struct r300_ref *lane, lanes read)
{
	for (unsigned l = 0; l < 3; l++)
		if (r300_native(lane, read & (lanes)~(1u << l)))
			return (lanes)(1u << l);
	return MASK_Z;
}

/* Sets lane[] to the lanes that operand s reads.  If the operation computes lane by lane, the lane from which it computes a lane of its result is
 * entered at that lane's place in the result's register.  Returns the mask of the entries that are set. */
static lanes in_place(const struct r300_ops *p, const struct r300_op *o, unsigned s, struct r300_ref lane[LANES])
{
	lanes read = 0;
	EACH_LANE(l, r300_reads(o)) {
		unsigned const to = r300_is_lanewise(o) ? o->place[l] : l;
		lane[to] = r300_placed(p, o->src[s][l]);
		read |= (lanes)(1u << to);
	}
	return read;
}

/* Adds MOVs that copy the lanes of an operand to one register, and lets the operand read that, wherever is_gathered() tells that it must.  Does so
 * for texture instructions if `exact`, else for all other operations. */
static void gather_operands(struct machine *m, bool exact)
{
	struct r300_ops *p = &m->p;
	struct gather *of[R300_MOST_OPS][R300_OPERANDS];
	unsigned const n = p->n;
	m->gathers = 0;
	for (unsigned k = 0; k < n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++) {
			struct r300_op *o = &p->at[k];
			of[k][s] = NULL;
			if (!r300_is_there(o) || r300_is_tex(o) != exact || !is_gathered(p, o->src[s], r300_reads(o), exact))
				continue;
			of[k][s] = gather_of(m, o->src[s], r300_reads(o));
		}
	for (unsigned k = 0; k < m->gathers; k++)
		put_together(p, &m->gather[k]);
	for (unsigned k = 0; k < n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++)
			for (unsigned l = 0; of[k][s] && l < LANES; l++)
				if (r300_reads(&p->at[k]) >> l & 1)
					p->at[k].src[s][l] = of[k][s]->lane[l];
}

/* Adds two MOVs for each arithmetic operand whose swizzle hardware lacks.  Leaves the operand as it is, since the MOVs are only counted. */
static void turn_operands(struct r300_ops *p)
{
	unsigned const n = p->n;
	for (unsigned k = 0; k < n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++) {
			struct r300_op *o = &p->at[k];
			struct r300_ref lane[LANES] = {{0}};
			int reg;
			bool const literals = o->op == OP_MOV && !r300_one_register(o, s, &reg); /* all of one constant */
			if (!r300_is_there(o) || r300_is_tex(o) || literals || (is_one_lane(o) && !o->fixed))
				continue;
			lanes const read = in_place(p, o, s, lane);
			if (r300_native(lane, read))
				continue;
			lanes const apart = lane_apart(lane, read) & read;
			struct gather g = {.mask = read};
			memcpy(g.lane, lane, sizeof lane);
			add_mov(p, &g, read & (lanes)~apart);
			add_mov(p, &g, apart);
		}
}

/* Adds for each output a MOV of its lanes that are negated, or that no arithmetic operation computes. */
static void copy_outputs(struct r300_ops *p)
{
	for (unsigned out = 0; out < R300_OUTPUTS; out++) {
		struct gather g = {.mask = p->written[out]};
		lanes copied = 0;
		memcpy(g.lane, p->output[out], sizeof g.lane);
		EACH_LANE(l, g.mask)
			copied |= (lanes)((g.lane[l].sign || g.lane[l].reg < 0 || r300_is_tex(&p->at[g.lane[l].reg])) << l);
		if (copied)
			add_mov(p, &g, copied);
		memcpy(p->output[out], g.lane, sizeof g.lane);
	}
}

/* Returns the units that an operation takes: alpha for special functions, RGB for dp3, both for dp4.  Returns UNIT_EITHER for another operation with
 * one live lane that is not fixed, else the units of the lanes that the operation writes. */
static unsigned units_of(const struct r300_op *o)
{
	unsigned units = 0;
	EACH_LANE(lane, o->live)
		units |= o->place[lane] == LANE_W ? UNIT_ALPHA : UNIT_RGB;
	if (r300_is_special(o))
		return o->fixed ? units | UNIT_ALPHA : UNIT_ALPHA;
	if (o->op == OP_DP3)
		return o->fixed ? units | UNIT_RGB : UNIT_RGB;
	if (o->op == OP_DP4)
		return UNIT_RGB | UNIT_ALPHA;
	return is_one_lane(o) && !o->fixed ? UNIT_EITHER : units;
}

/* Returns the least number of pairs that the arithmetic operations need if none waits for another one's result. */
static unsigned least_pairs(const struct r300_ops *p)
{
	unsigned by[UNIT_EITHER + 1] = {0};
	for (unsigned k = 0; k < p->n; k++)
		if (r300_is_there(&p->at[k]) && !r300_is_tex(&p->at[k]))
			by[units_of(&p->at[k])]++;
	unsigned const longer = by[UNIT_RGB] > by[UNIT_ALPHA] ? by[UNIT_RGB] : by[UNIT_ALPHA];
	unsigned const half = (by[UNIT_RGB] + by[UNIT_ALPHA] + by[UNIT_EITHER] + 1) / 2;
	return by[UNIT_RGB | UNIT_ALPHA] + (longer > half ? longer : half);
}

struct r300_count r300_count(const struct program *ps)
{
	struct machine m;
	struct r300_ops *p = &m.p;
	struct slots const slots = program_slots(ps);
	r300_lift(p, ps);
	r300_find_live(p);
	gather_operands(&m, true);
	copy_outputs(p);
	r300_find_live(p);
	gather_operands(&m, false);
	turn_operands(p);
	return (struct r300_count){.pairs = p->too_long ? slots.arith : least_pairs(p), .tex = slots.tex};
}
