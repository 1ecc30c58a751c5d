/* What takes no pair on R300, see r300_ops.h: of equal work one is left, and what hardware does on the way is a part of its reader
 * or of what makes its operand. */
#include "move/target/r300_ops.h"

#include <string.h>

/* Lanes of operand s have all one sign, which may not be an absolute value. */
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

/* Is all that operation `made` makes read by operand s of `o` alone? */
static bool only_reader(const struct r300_op *made, const struct r300_op *o, unsigned s, int reg)
{
	uint16_t read[LANES] = {0};
	EACH_LANE(lane, r300_reads(o))
		if (o->src[s][lane].reg == reg)
			read[o->src[s][lane].lane]++;
	return memcmp(read, made->uses, sizeof read) == 0;
}

/* Does the operation's operand s read the registers in all lanes that `other` reads? */
static bool same_registers(const struct r300_op *o, const struct r300_op *other)
{
	for (unsigned s = 0; s < o->operands; s++) {
		int a, b;
		if (!r300_one_register(o, s, &a) || !r300_one_register(other, s, &b) || a != b ||
		    o->src[s][first_lane(o->live)].sign != other->src[s][first_lane(other->live)].sign)
			return false;
	}
	return true;
}

/* What reads the operation's lane reads another's instead. */
static void read_instead(struct r300_ops *p, int reg, unsigned lane, struct r300_ref to)
{
	for (unsigned k = 0; k < p->n; k++)
		for (unsigned s = 0; s < p->at[k].operands; s++)
			for (unsigned l = 0; l < LANES; l++) {
				struct r300_ref *r = &p->at[k].src[s][l];
				if (r->reg == reg && r->lane == lane) {
					r->reg = to.reg;
					r->lane = to.lane;
				}
			}
	for (unsigned out = 0; out < R300_OUTPUTS; out++)
		for (unsigned l = 0; l < LANES; l++) {
			struct r300_ref *r = &p->output[out][l];
			if (r->reg == reg && r->lane == lane) {
				r->reg = to.reg;
				r->lane = to.lane;
			}
		}
}

/* May one operation do the work of both? */
static bool may_join(const struct r300_op *o, const struct r300_op *other)
{
	if (!r300_is_there(o) || o->op != other->op || o->sat != other->sat || !r300_is_lanewise(o) || o->live & other->live ||
	    !same_registers(o, other))
		return false;
	for (unsigned s = 0; s < o->operands; s++) {
		struct r300_ref both[LANES];
		for (unsigned l = 0; l < LANES; l++)
			both[l] = (o->live >> l & 1 ? o : other)->src[s][l];
		if (!r300_native(both, o->live | other->live))
			return false;
	}
	return true;
}

static void join_two(struct r300_ops *p, unsigned k, unsigned j)
{
	struct r300_op *o = &p->at[k], *other = &p->at[j];
	EACH_LANE(lane, other->live) {
		for (unsigned s = 0; s < o->operands; s++)
			o->src[s][lane] = other->src[s][lane];
		read_instead(p, (int)j, lane, (struct r300_ref){(int16_t)k, (uint8_t)lane, 0});
	}
	o->live |= other->live;
	o->mask |= other->live;
	other->gone = true;
	other->live = 0;
}

/* Operations of one kind on other lanes of the same registers are one. */
static void join(struct r300_ops *p)
{
	for (unsigned j = 0; j < p->n; j++)
		for (unsigned k = 0; k < j && r300_is_there(&p->at[j]); k++)
			if (may_join(&p->at[k], &p->at[j]))
				join_two(p, k, j);
	r300_count_uses(p);
}

/* a b + c in one operation. */
static void fuse(struct r300_ops *p)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		for (unsigned s = 0; s < 2 && r300_is_there(o) && o->op == OP_ADD; s++) {
			int reg;
			uint8_t sign;
			if (!r300_one_register(o, s, &reg) || reg < 0 || !one_sign(o, s, &sign))
				continue;
			struct r300_op *product = &p->at[reg];
			if (product->op != OP_MUL || product->sat || product->gone || !only_reader(product, o, s, reg))
				continue;
			struct r300_op mad = *o;
			mad.op = OP_MAD;
			mad.operands = 3;
			EACH_LANE(lane, o->live) {
				unsigned const from = o->src[s][lane].lane;
				mad.src[2][lane] = o->src[1 - s][lane];
				mad.src[0][lane] = product->src[0][from];
				mad.src[1][lane] = product->src[1][from];
				mad.src[0][lane].sign ^= o->src[s][lane].sign;
			}
			*o = mad;
			product->gone = true;
		}
	}
	r300_count_uses(p);
}

static bool is_output(const struct r300_ops *p, unsigned k)
{
	for (unsigned out = 0; out < R300_OUTPUTS; out++)
		EACH_LANE(lane, p->written[out])
			if (p->output[out][lane].reg == (int)k)
				return true;
	return false;
}

static bool is_scale(const struct r300_ops *p, const struct r300_op *o, unsigned s)
{
	float first = 0, value;
	EACH_LANE(lane, o->live) {
		if (!r300_literal(p, o->src[s][lane], &value) || (first != 0 && first != value))
			return false;
		first = value;
	}
	return first == 2 || first == 4 || first == 8 || first == 0.5f || first == 0.25f || first == 0.125f;
}

/* A result may be multiplied by 2, 4, 8 or their inverses, or clamped, on its way to the register. */
static void scale_results(struct r300_ops *p)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		if (!r300_is_there(o) || (o->op != OP_MUL && o->op != OP_MOV) || (o->op == OP_MUL && is_output(p, k)))
			continue;
		for (unsigned s = 0; s < (o->op == OP_MUL ? 2 : 1); s++) {
			int reg;
			uint8_t sign;
			if (!r300_one_register(o, s, &reg) || reg < 0 || !one_sign(o, s, &sign) || sign || !only_reader(&p->at[reg], o, s, reg))
				continue;
			struct r300_op *made = &p->at[reg];
			if (r300_is_tex(made) || made->sat || made->gone || (o->op == OP_MUL && (made->scaled || !is_scale(p, o, 1 - s))))
				continue;
			made->scaled |= o->op == OP_MUL;
			made->sat |= o->sat;
			EACH_LANE(lane, o->live)
				read_instead(p, (int)k, lane, o->src[s][lane]);
			o->gone = true;
			r300_count_uses(p);
			break;
		}
	}
}

static bool may_presubtract(const struct r300_ops *p, const struct r300_op *o)
{
	int reg[2];
	uint8_t sign[2] = {0, 0};
	if (o->op != OP_ADD || o->sat || o->scaled || o->presubtract || o->fixed)
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

/* May the operation make the sum that is operation k by itself? */
static bool takes_sum(const struct r300_ops *p, const struct r300_op *reader)
{
	int reg[R300_SOURCES + 1];
	if (reader->presubtract || r300_is_tex(reader))
		return false;
	for (unsigned s = 0; s < reader->operands; s++) {
		int r;
		if (!r300_one_register(reader, s, &r))
			return false;
	}
	return r300_registers(p, reader, reg, 0, R300_SOURCES + 1) <= R300_SOURCES;
}

void r300_presubtract(struct r300_ops *p)
{
	for (unsigned k = 0; k < p->n; k++) {
		struct r300_op *o = &p->at[k];
		if (!r300_is_there(o) || is_output(p, k) || !may_presubtract(p, o))
			continue;
		o->gone = true;
		for (unsigned j = 0; j < p->n; j++)
			if (r300_is_there(&p->at[j]) && reads_result(&p->at[j], k))
				o->gone &= takes_sum(p, &p->at[j]);
		for (unsigned j = 0; j < p->n && o->gone; j++)
			p->at[j].presubtract |= r300_is_there(&p->at[j]) && reads_result(&p->at[j], k);
	}
}

void r300_fold(struct r300_ops *p)
{
	join(p);
	fuse(p);
	scale_results(p);
}
