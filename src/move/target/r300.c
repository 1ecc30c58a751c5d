/* Simulates R300's pairs, see r300.h: removes operations that are free, inserts the moves that hardware needs, and schedules both units,
 * the longest chain first. */
#include "move/target/r300.h"
#include "move/target/r300_ops.h"

#include <string.h>

enum { MOST_GATHERS = 512 };
enum { UNIT_RGB = 1, UNIT_ALPHA = 2, UNIT_BOTH = 3, UNIT_EITHER = 4 };

/* An operand whose lanes were gathered in one register. */
struct gather {
	struct r300_ref lane[LANES];
	lanes mask;
	uint16_t users;
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

/* Returns true if nothing but this gathered register reads the result, so that it can be computed there. */
static bool made_for(const struct r300_ops *p, const struct gather *g, int reg)
{
	uint16_t uses[LANES] = {0};
	if (reg < 0 || r300_is_tex(&p->at[reg]) || p->at[reg].fixed)
		return false;
	EACH_LANE(l, g->mask)
		if (g->lane[l].reg == reg) {
			if (g->lane[l].sign)
				return false;
			uses[g->lane[l].lane] = (uint16_t)(uses[g->lane[l].lane] + g->users);
		}
	return memcmp(uses, p->at[reg].uses, sizeof uses) == 0;
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

/* Fills a gathered register: results that nothing else reads are computed there, and a MOV brings the lanes of each other register. */
static void put_together(struct r300_ops *p, struct gather *g)
{
	lanes left = g->mask, literals = 0; /* the compiler puts literals into one constant */
	float value;
	for (unsigned l = 0; l < LANES; l++)
		literals |= (lanes)((g->mask >> l & 1 && r300_literal(p, g->lane[l], &value)) << l);
	if (literals)
		add_mov(p, g, literals);
	left &= (lanes)~literals;
	for (unsigned k = 0; k < LANES; k++) {
		struct r300_ref const first = g->lane[k];
		int const reg = first.reg;
		if (!(left >> k & 1))
			continue;
		lanes of = 0;
		for (unsigned l = 0; l < LANES; l++)
			of |= (lanes)((left >> l & 1 && g->lane[l].reg == reg && g->lane[l].sign == first.sign) << l);
		left &= (lanes)~of;
		if (made_for(p, g, reg)) {
			struct r300_op *o = &p->at[reg];
			o->fixed = true;
			EACH_LANE(l, of)
				o->place[g->lane[l].lane] = (uint8_t)l;
		} else {
			add_mov(p, g, of);
		}
	}
}

/* Returns true if the lanes have to be gathered in a register; `exact` if each must be in its own lane, and not of a constant. */
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

/* Returns the lane without which hardware has the swizzle.  Two of three lanes are always part of a swizzle that it has. */
static lanes lane_apart(const struct r300_ref *lane, lanes read)
{
	for (unsigned l = 0; l < 3; l++)
		if (r300_native(lane, read & (lanes)~(1u << l)))
			return (lanes)(1u << l);
	return MASK_Z;
}

/* Finds operand lanes by the register lanes that the operation writes. */
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

/* Gathers the operands of texture instructions (`exact`) or of all others. */
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
			if (of[k][s])
				of[k][s]->users++;
		}
	for (unsigned k = 0; k < m->gathers; k++)
		put_together(p, &m->gather[k]);
	for (unsigned k = 0; k < n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++)
			for (unsigned l = 0; of[k][s] && l < LANES; l++)
				if (r300_reads(&p->at[k]) >> l & 1)
					p->at[k].src[s][l] = of[k][s]->lane[l];
}

static void gather_outputs(struct machine *m)
{
	struct r300_ops *p = &m->p;
	for (unsigned out = 0; out < R300_OUTPUTS; out++) {
		struct gather g = {.mask = p->written[out], .users = 1};
		memcpy(g.lane, p->output[out], sizeof g.lane);
		put_together(p, &g);
		memcpy(p->output[out], g.lane, sizeof g.lane);
	}
}

/* ---- sums that their readers make --------------------------------------------------------- */

/* Returns true if all lanes of operand s have one sign, without an absolute value. */
static bool one_sign(const struct r300_op *o, unsigned s, uint8_t *sign)
{
	bool first = true;
	*sign = 0;
	EACH_LANE(lane, r300_reads(o)) {
		if (o->src[s][lane].sign & R300_ABS || (!first && o->src[s][lane].sign != *sign))
			return false;
		*sign = o->src[s][lane].sign;
		first = false;
	}
	return !first;
}

static bool is_r300_output(const struct r300_ops *p, unsigned k)
{
	for (unsigned out = 0; out < R300_OUTPUTS; out++)
		EACH_LANE(lane, p->written[out])
			if (p->output[out][lane].reg == (int)k)
				return true;
	return false;
}

static bool may_presubtract(const struct r300_ops *p, const struct r300_op *o)
{
	int reg[2];
	uint8_t sign[2] = {0, 0};
	if (o->op != OP_ADD || o->sat || o->presubtract || o->fixed)
		return false;
	for (unsigned s = 0; s < 2; s++)
		if (!r300_one_register(o, s, &reg[s]) || !one_sign(o, s, &sign[s]) || (reg[s] >= 0 && p->at[reg[s]].gone))
			return false;
	if (reg[0] == R300_INLINE || reg[1] == R300_INLINE) {
		float value;
		unsigned const s = reg[1] == R300_INLINE;
		if (!r300_literal(p, o->src[s][first_lane(o->live)], &value) || value != 1 || !sign[1 - s])
			return false;
	}
	EACH_LANE(lane, o->live)
		if (o->src[0][lane].reg != R300_INLINE && o->src[1][lane].reg != R300_INLINE &&
		    r300_placed(p, o->src[0][lane]).lane != r300_placed(p, o->src[1][lane]).lane)
			return false;
	return !(sign[0] && sign[1]);
}

static bool reads_result(const struct r300_op *o, unsigned k)
{
	for (unsigned s = 0; s < o->operands; s++)
		EACH_LANE(lane, r300_reads(o))
			if (o->src[s][lane].reg == (int)k)
				return true;
	return false;
}

/* Returns whether the operation may make the sum that is operation k by itself. */
static bool takes_sum(const struct r300_op *reader)
{
	bool takes = !reader->presubtract && !r300_is_tex(reader);
	int reg;
	for (unsigned s = 0; s < reader->operands && takes; s++)
		takes = r300_one_register(reader, s, &reg);
	return takes;
}

/* Folds sums a + b, a - b and 1 - a into the operations that read them, one for each. */
static void presubtract_sums(struct r300_ops *p)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		if (!r300_is_there(o) || is_r300_output(p, k) || !may_presubtract(p, o))
			continue;
		o->gone = true;
		for (unsigned j = 0; j < p->n; j++)
			if (r300_is_there(&p->at[j]) && reads_result(&p->at[j], k))
				o->gone &= takes_sum(&p->at[j]);
		for (unsigned j = 0; j < p->n && o->gone; j++)
			p->at[j].presubtract |= r300_is_there(&p->at[j]) && reads_result(&p->at[j], k);
	}
}

/* Replaces swizzles that hardware lacks by a MOV for each part that it has. */
static void turn_operands(struct r300_ops *p)
{
	unsigned const n = p->n;
	for (unsigned k = 0; k < n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++) {
			struct r300_op *o = &p->at[k];
			struct r300_ref lane[LANES] = {{0}};
			int reg;
			bool const literals = o->op == OP_MOV && !r300_one_register(o, s, &reg); /* they become a constant in their order */
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

/* Returns the number of the pair after which all operands are ready, those of folded sums included; UINT16_MAX if one is not issued. */
static unsigned ready_after(const struct r300_ops *p, const struct r300_op *o)
{
	unsigned last = 0;
	for (unsigned s = 0; s < o->operands; s++)
		EACH_LANE(lane, r300_reads(o)) {
			if (o->src[s][lane].reg < 0)
				continue;
			const struct r300_op *made = &p->at[o->src[s][lane].reg];
			unsigned const after = made->gone ? ready_after(p, made) : made->issued;
			last = after > last ? after : last;
		}
	return last;
}

/* Raises the operations that this one reads to a height, the length of the longest chain behind them; returns true if any rose. */
static bool raise_operands(struct r300_ops *p, const struct r300_op *o, unsigned height)
{
	bool raised = false;
	for (unsigned s = 0; s < o->operands; s++)
		EACH_LANE(lane, r300_reads(o)) {
			if (o->src[s][lane].reg < 0)
				continue;
			struct r300_op *made = &p->at[o->src[s][lane].reg];
			if (made->gone) {
				raised |= raise_operands(p, made, height);
			} else if (made->height < height) {
				made->height = (uint16_t)height;
				raised = true;
			}
		}
	return raised;
}

/* Returns the units that an operation takes: alpha for special functions, RGB for dot products, and those of the lanes that it writes. */
static lanes units_of(const struct r300_op *o)
{
	lanes units = 0;
	EACH_LANE(lane, o->live)
		units |= o->place[lane] == LANE_W ? UNIT_ALPHA : UNIT_RGB;
	if (r300_is_special(o))
		return o->fixed ? units | UNIT_ALPHA : UNIT_ALPHA;
	if (o->op == OP_DP3)
		return o->fixed ? units | UNIT_RGB : UNIT_RGB;
	if (o->op == OP_DP4)
		return UNIT_BOTH;
	return is_one_lane(o) && !o->fixed ? UNIT_EITHER : units;
}

static bool units_agree(const struct r300_op *a, const struct r300_op *b)
{
	bool const apart = (a->units == UNIT_EITHER && b->units != UNIT_BOTH) ||
	                   (b->units == UNIT_EITHER && a->units != UNIT_BOTH) || !(a->units & b->units);
	return apart && a->units != UNIT_BOTH && b->units != UNIT_BOTH && !(a->presubtract && b->presubtract);
}

/* Returns the ready operation with the longest chain behind it that can be issued with `first`, or NULL if there is none. */
static struct r300_op *next_ready(struct r300_ops *p, unsigned now, const struct r300_op *first)
{
	struct r300_op *best = NULL;
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		if (!r300_is_there(o) || r300_is_tex(o) || o->issued != UINT16_MAX || (best && best->height >= o->height))
			continue;
		if (ready_after(p, o) < now && (!first || units_agree(first, o)))
			best = o;
	}
	return best;
}

/* Texture instructions beside the arithmetic. */
struct blocks {
	unsigned left;  /* that are not issued yet */
	unsigned nodes; /* so far */
};

/* Issues the texture instructions that are ready at `now` as a block, if the compiler would begin one: when eight or the last are
 * ready, for a texkill, and when nothing else is ready.  Returns true if it did. */
static bool read_textures(struct r300_ops *p, unsigned now, struct blocks *b, bool idle)
{
	enum { GROUP = 8 };
	uint16_t ready[R300_MOST_OPS];
	unsigned n = 0;
	bool kill = false;
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		if (!r300_is_there(o) || !r300_is_tex(o) || o->issued != UINT16_MAX)
			continue;
		if (ready_after(p, o) == UINT16_MAX)
			continue;
		kill |= o->op == OP_TEXKILL;
		ready[n++] = (uint16_t)k;
	}
	if (!n || !(idle || n >= GROUP || n == b->left || kill))
		return false;
	for (unsigned k = 0; k < n; k++)
		p->at[ready[k]].issued = (uint16_t)(now - 1);
	b->left -= n;
	b->nodes++;
	return true;
}

static void prepare_schedule(struct r300_ops *p, struct blocks *b)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		o->units = units_of(o);
		o->issued = UINT16_MAX;
		o->height = 0;
		b->left += r300_is_there(o) && r300_is_tex(o);
	}
	for (bool raised = true; raised;) {
		raised = false;
		for (unsigned k = p->n; k-- > 0;)
			raised |= r300_is_there(&p->at[k]) && raise_operands(p, &p->at[k], p->at[k].height + 1u);
	}
}

static void schedule(struct r300_ops *p, struct r300_count *n)
{
	struct blocks b = {0, 0};
	unsigned now = 1;
	prepare_schedule(p, &b);
	for (;;) {
		struct r300_op *first = next_ready(p, now, NULL);
		if (read_textures(p, now, &b, !first))
			continue;
		if (!first)
			break;
		b.nodes += b.nodes == 0;
		first->issued = (uint16_t)now;
		struct r300_op *second = next_ready(p, now, first);
		if (second)
			second->issued = (uint16_t)now;
		now++;
	}
	n->pairs = now - 1;
	n->nodes = b.nodes ? b.nodes : 1;
}

struct r300_count r300_count(const struct program *ps)
{
	struct machine m;
	struct r300_ops *p = &m.p;
	struct slots const slots = program_slots(ps);
	struct r300_count n = {.tex = slots.tex};
	r300_lift(p, ps);
	r300_count_uses(p);
	r300_place(p);
	gather_operands(&m, true);
	gather_outputs(&m);
	r300_count_uses(p);
	presubtract_sums(p);
	gather_operands(&m, false);
	turn_operands(p);
	if (p->too_long)
		n.pairs = slots.arith;
	else
		schedule(p, &n);
	return n;
}
