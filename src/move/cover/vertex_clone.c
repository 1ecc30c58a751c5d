/* Delivers lanes by clones: copies in the VP of the FP instructions that computed them, for vertex_program.c.  Where lanes share intermediate
 * results, as with a product of matrices, this is shorter than a sum for each lane. */
#include "move/cover/vertex.h"

#include "move/graph/flow.h"

#include <string.h>

static bool operand_is_constant(const struct values *v, const struct use *u, lanes read)
{
	EACH_LANE(p, read)
		if (value_at(v, u->value[p])->class != VALUE_CONST)
			return false;
	return true;
}

static bool can_clone(const struct vertex_writer *w, const struct instr *i)
{
	if (i->flags & INSTR_SAT)
		return false;
	if (i->op == OP_LRP || i->op == OP_DP2ADD || i->op == OP_CRS || ops[i->op].shape == SHAPE_MATRIX)
		return true;
	bool plain = ops[i->op].shape == SHAPE_LANES || ops[i->op].shape == SHAPE_SCALAR ||
	             ops[i->op].shape == SHAPE_DP3 || ops[i->op].shape == SHAPE_DP4;
	return plain && i->op != OP_FRC && i->op != OP_POW && i->op != OP_ABS && op_slots((enum op)i->op, w->old->model) != 0;
}

/* Returns true if operand s of FP instruction i is constant and its clone gets it from vertex_constant().  With `deep`, returns false for an operand
 * that FP instructions compute, since these are cloned, too. */
static bool reads_made_constant(struct vertex_writer *w, const struct instr *i, const struct use *u, unsigned s, lanes read)
{
	if (!operand_is_constant(w->values, u, read))
		return false;
	w->depends_on |= i->src[s].file == REG_TEMP ? DEPENDS_ON_DEEP : 0;
	return i->src[s].file != REG_TEMP || !w->how->deep;
}

void clone_find_sources(const struct values *v, const struct layout *l, struct sources *sources)
{
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			value_id id = l->lane[r][lane];
			int32_t *of = &sources->of[r][lane];
			*of = -1;
			if (id == NO_VALUE || value_at(v, id)->class == VALUE_PIXEL || value_raw_input(v, id) >= 0)
				continue;
			for (uint32_t k = 0; k < v->ps->instrs.n && *of < 0; k++)
				for (unsigned from = 0; from < LANES && *of < 0; from++)
					if (v->def[k][from] == id)
						*of = (int32_t)(k * LANES + from);
		}
	}
}

void clone_find(struct vertex_writer *w)
{
	const struct program *ps = w->values->ps;
	w->clones = arena_zero(w->values->arena, (ps->instrs.n + 1) * sizeof *w->clones);
	for (int r = 0; r < vertex_registers(w); r++) {
		for (unsigned l = 0; l < LANES; l++) {
			int32_t from = w->how->clone[r] ? w->sources->of[r][l] : -1;
			w->clone_of[r][l] = from;
			if (from >= 0)
				w->clones[from / LANES].need |= (lanes)(1u << from % LANES);
		}
	}
	for (uint32_t k = ps->instrs.n; k-- > 0;) {
		const struct instr *i = &ps->instrs.at[k];
		struct clone *c = &w->clones[k];
		if (!c->need)
			continue;
		if (!can_clone(w, i)) {
			w->failed = true;
			return;
		}
		EACH_SOURCE(s, i) {
			const struct use *u = &w->values->use[k][s];
			if (ops[i->op].shape == SHAPE_MATRIX && s == 1)
				continue;
			lanes read = instr_operand_lanes(ps, i, s, c->need);
			if (reads_made_constant(w, i, u, s, read))
				continue;
			EACH_LANE(p, read) {
				unsigned lane = swizzle_lane(i->src[s].swizzle, p);
				if (i->src[s].file == REG_TEXCOORD) {
					struct input *in = &w->input[(unsigned)i->src[s].index * LANES + lane];
					in->needed = in->expression = true;
				} else if (i->src[s].file == REG_TEMP && u->def[p] >= 0) {
					w->clones[u->def[p]].need |= (lanes)(1u << lane);
					w->clones[u->def[p]].used |= (lanes)(1u << lane);
				} else {
					w->failed = true;
				}
			}
		}
	}
}

/* Returns a source that reads inputs of the FP where the VP's own instructions leave them.  If they are in several registers, writes movs of them
 * into one temporary first. */
static struct src input_source(struct vertex_writer *w, const struct src *s, lanes read)
{
	const struct input *in = &w->input[(unsigned)s->index * LANES];
	unsigned lane[LANES] = {0};
	const struct vs_lane *first = NULL;
	bool one = true;
	EACH_LANE(p, read) {
		const struct vs_lane *at = &in[swizzle_lane(s->swizzle, p)].place;
		lane[p] = at->lane;
		if (!first)
			first = at;
		one &= at->file == first->file && at->index == first->index && at->negate == first->negate;
	}
	if (one)
		return (struct src){.file = first->file, .index = (int16_t)first->index, .negate = first->negate != s->negate,
		                    .swizzle = swizzle_of_lanes(lane, read), .at = SRCPOS_NONE};
	int temp = w->next_temp++;
	EACH_LANE(p, read) {
		const struct vs_lane *at = &in[swizzle_lane(s->swizzle, p)].place;
		struct instr mov = {.op = OP_MOV};
		mov.src[0] = (struct src){.file = at->file, .index = (int16_t)at->index, .negate = at->negate,
		                          .swizzle = swizzle_replicate(at->lane), .at = SRCPOS_NONE};
		vertex_put(w, &mov, REG_TEMP, temp, (lanes)(1u << p));
	}
	struct src gathered = src_temp(temp);
	gathered.negate = s->negate;
	return gathered;
}

static struct src clone_source(struct vertex_writer *w, uint32_t k, unsigned s, lanes mask)
{
	const struct instr *i = &w->values->ps->instrs.at[k];
	const struct use *u = &w->values->use[k][s];
	lanes read = instr_operand_lanes(w->values->ps, i, s, mask);
	struct src src = i->src[s];
	src.at = SRCPOS_NONE;
	if (reads_made_constant(w, i, u, s, read)) {
		src = vertex_constant(w, u->value, read, false);
		if (read == MASK_X)
			src.swizzle = swizzle_replicate(swizzle_lane(src.swizzle, LANE_X));
	} else if (src.file == REG_TEXCOORD) {
		src = input_source(w, &src, read);
	} else {
		src.index = (int16_t)(MOST_TEMPS + src.index);
	}
	return src;
}

/* Writes instruction i, which computes lane by lane or the same in all lanes, so that lane l of the new destination gets what lane from[l] of its
 * result was, for each lane l in `mask`. */
static void put_turned(struct vertex_writer *w, struct instr i, enum reg_file file, int index, lanes mask,
                     const unsigned from[LANES])
{
	instr_turn(&i, from, mask);
	vertex_put(w, &i, file, index, mask);
}

static struct src replicate_lane(struct src s, unsigned position)
{
	s.swizzle = swizzle_replicate(swizzle_lane(s.swizzle, position));
	return s;
}

static struct src compose_swizzle(struct src s, swizzle outer)
{
	s.swizzle = swizzle_after(outer, s.swizzle);
	return s;
}

/* Returns a source that reads the n constants of row `row` of the matrix that FP instruction i multiplies by. */
static struct src row_source(struct vertex_writer *w, const struct instr *i, unsigned row, unsigned n)
{
	const struct program *ps = w->values->ps;
	int reg = i->src[1].index + (int)row;
	const struct decl *d = program_decl(ps, REG_CONST, reg);
	value_id value[LANES];
	for (unsigned l = 0; l < LANES; l++)
		value[l] = d ? value_of_literal(w->values, d->value[l]) : value_of_constant(w->values, reg, l);
	return vertex_constant(w, value, n == 3 ? MASK_XYZ : MASK_XYZW, false);
}

/* Writes a clone of FP instruction k to lanes `mask` of a register of the VP: lane l gets lane from[l] of its result. */
static void clone_into(struct vertex_writer *w, uint32_t k, lanes mask, enum reg_file file, int index, const unsigned from[LANES])
{
	lanes wanted = 0;
	EACH_LANE(l, mask)
		wanted |= (lanes)(1u << from[l]);
	const struct instr *old = &w->values->ps->instrs.at[k];
	struct instr i = {.op = old->op, .comments = old->comments, .at = SRCPOS_NONE};
	struct src s[MAX_SOURCES] = {{0}};
	EACH_SOURCE(n, old)
		if (ops[old->op].shape != SHAPE_MATRIX || n == 0)
			s[n] = clone_source(w, k, n, wanted);
	memcpy(i.src, s, sizeof i.src);
	switch ((enum op)old->op) {
	case OP_LRP: {
		int temp = w->next_temp++;
		struct src minus = s[2];
		minus.negate = !minus.negate;
		struct instr add = {.op = OP_ADD, .src = {s[1], minus}};
		vertex_put(w, &add, REG_TEMP, temp, wanted);
		i = (struct instr){.op = OP_MAD, .comments = old->comments, .src = {s[0], src_temp(temp), s[2]}};
		put_turned(w, i, file, index, mask, from);
		break;
	}
	case OP_DP2ADD: {
		int temp = w->next_temp++;
		struct instr mad = {.op = OP_MAD, .src = {replicate_lane(s[0], 0), replicate_lane(s[1], 0), replicate_lane(s[2], 0)}};
		vertex_put(w, &mad, REG_TEMP, temp, MASK_X);
		i = (struct instr){.op = OP_MAD, .comments = old->comments,
		                   .src = {replicate_lane(s[0], 1), replicate_lane(s[1], 1), replicate_lane(src_temp(temp), 0)}};
		put_turned(w, i, file, index, mask, from);
		break;
	}
	case OP_CRS: {
		swizzle const yzx = SWIZZLE(1, 2, 0, 0), zxy = SWIZZLE(2, 0, 1, 1);
		int temp = w->next_temp++;
		struct instr mul = {.op = OP_MUL, .src = {compose_swizzle(s[0], zxy), compose_swizzle(s[1], yzx)}};
		vertex_put(w, &mul, REG_TEMP, temp, wanted);
		i = (struct instr){.op = OP_MAD, .comments = old->comments,
		                   .src = {compose_swizzle(s[0], yzx), compose_swizzle(s[1], zxy), src_temp(temp)}};
		i.src[2].negate = true;
		put_turned(w, i, file, index, mask, from);
		break;
	}
	case OP_M3X2: case OP_M3X3: case OP_M3X4: case OP_M4X3: case OP_M4X4: {
		unsigned n = matrix_row_op((enum op)old->op) == OP_DP4 ? 4 : 3;
		EACH_LANE(l, mask) {
			struct instr dot = {.op = n == 3 ? OP_DP3 : OP_DP4, .src = {s[0], row_source(w, old, from[l], n)}};
			w->name.part = from[l];
			vertex_put(w, &dot, file, index, (lanes)(1u << l));
		}
		break;
	}
	case OP_ABS: case OP_ADD: case OP_CMP: case OP_DP3: case OP_DP4: case OP_DST: case OP_EXP: case OP_EXPP: case OP_FRC:
	case OP_LIT: case OP_LOG: case OP_LOGP: case OP_MAD: case OP_MAX: case OP_MIN: case OP_MOV: case OP_MOVA: case OP_MUL:
	case OP_NOP: case OP_NRM: case OP_POW: case OP_RCP: case OP_RSQ: case OP_SGE: case OP_SGN: case OP_SINCOS: case OP_SLT:
	case OP_SUB: case OP_TEXKILL: case OP_TEXLD: case OP_TEXLDB: case OP_TEXLDP: case OP_TEXLDL: case OP_TEXLDD: case OP_DSX: case OP_DSY:
	case OP_SINCOS3: case FLOW_OPS: case REGION_OPS: case OP_COUNT:
		put_turned(w, i, file, index, mask, from);
		break;
	}
}

/* Returns the lanes of oT r that the clone of instruction k delivers, and sets from[l] to the lane of its result that lane l gets.  With `used`,
 * counts only results that other clones read, else only those that none reads. */
static lanes lanes_delivered_by(const struct vertex_writer *w, int r, uint32_t k, bool used, unsigned from[LANES])
{
	lanes found = 0;
	for (unsigned l = 0; l < LANES; l++) {
		from[l] = 0;
		if (w->clone_of[r][l] < 0 || (uint32_t)w->clone_of[r][l] / LANES != k)
			continue;
		from[l] = (unsigned)w->clone_of[r][l] % LANES;
		if ((w->clones[k].used >> from[l] & 1) == used)
			found |= (lanes)(1u << l);
	}
	return found;
}

void clone_put(struct vertex_writer *w)
{
	static const unsigned same[LANES] = {0, 1, 2, 3};
	const struct program *ps = w->values->ps;
	for (uint32_t k = 0; k < ps->instrs.n && !w->failed; k++) {
		if (!w->clones[k].need)
			continue;
		int reg = MOST_TEMPS + ps->instrs.at[k].dst.index;
		unsigned from[LANES];
		/* Write the results that no other clone reads directly to the output.  Do so first, because the instruction may read the register
		 * that the clone below writes. */
		for (int r = 0; r < vertex_registers(w); r++) {
			lanes direct = lanes_delivered_by(w, r, k, false, from);
			w->done[r] |= direct;
			if (direct)
				clone_into(w, k, direct, REG_TEX_OUT, r, from);
		}
		w->name = name_of(NAMED_CLONE, k);
		if (w->clones[k].used)
			clone_into(w, k, w->clones[k].used, REG_TEMP, reg, same);
		w->name = (struct name){0};
		for (int r = 0; r < vertex_registers(w); r++) {
			lanes copied = lanes_delivered_by(w, r, k, true, from);
			struct instr mov = {.op = OP_MOV, .src = {src_temp(reg)}};
			w->done[r] |= copied;
			if (!copied)
				continue;
			mov.src[0].swizzle = swizzle_of_lanes(from, copied);
			vertex_put(w, &mov, REG_TEX_OUT, r, copied);
		}
	}
}
