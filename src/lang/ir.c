/* Answers questions about programs in the representation of ir.h: lanes that are read, slots, dependent texture reads. */
#include "lang/ir.h"

#include "lang/rounding.h"

#include <string.h>

const struct reg_file_info reg_files[REG_FILES] = {
	[REG_TEMP] = {"r", true, false, false},
	[REG_INPUT] = {"v", true, false, false},
	[REG_TEXCOORD] = {"t", true, false, false},
	[REG_CONST] = {"c", true, false, false},
	[REG_ADDRESS] = {"a", true, false, false},
	[REG_SAMPLER] = {"s", true, false, false},
	[REG_POS_OUT] = {"oPos", false, true, false},
	[REG_FOG_OUT] = {"oFog", false, true, true},
	[REG_SIZE_OUT] = {"oPts", false, true, true},
	[REG_COLOUR_OUT] = {"oD", true, true, false},
	[REG_TEX_OUT] = {"oT", true, true, false},
	[REG_PIXEL_OUT] = {"oC", true, true, false},
	[REG_DEPTH_OUT] = {"oDepth", false, true, true},
	[REG_PIXEL_POS] = {"vPos", false, false, false},
	[REG_FACE] = {"vFace", false, false, true},
	[REG_LINKED] = {"o", true, true, false},
	[REG_INT] = {"i", true, false, false},
	[REG_BOOL] = {"b", true, false, true},
	[REG_LOOP] = {"aL", false, false, true},
	[REG_PREDICATE] = {"p", true, false, false},
	[REG_LABEL] = {"l", true, false, true},
};

const char *const usage_names[USAGES] = {
	"position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
	"binormal", "tessfactor", "positiont", "color", "fog", "depth", "sample",
};

const char *const texture_names[4] = {"", "2d", "cube", "volume"};

swizzle swizzle_after(swizzle outer, swizzle inner)
{
	return SWIZZLE(swizzle_lane(inner, swizzle_lane(outer, 0)), swizzle_lane(inner, swizzle_lane(outer, 1)),
	               swizzle_lane(inner, swizzle_lane(outer, 2)), swizzle_lane(inner, swizzle_lane(outer, 3)));
}

const swizzle ps_2_0_swizzles[PS_2_0_SWIZZLES] = {
	SWIZZLE_XYZW, SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
	SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
};

bool swizzle_in_ps_2_0(swizzle s)
{
	return memchr(ps_2_0_swizzles, s, sizeof ps_2_0_swizzles) != NULL;
}

bool swizzles_agree(swizzle s, swizzle like, lanes read)
{
	EACH_LANE(lane, read)
		if (swizzle_lane(s, lane) != swizzle_lane(like, lane))
			return false;
	return true;
}

swizzle swizzle_of_lanes(const unsigned from[LANES], lanes read)
{
	unsigned full[LANES], last = from[first_lane(read) % LANES];
	for (unsigned l = 0; l < LANES; l++)
		full[l] = last = read >> l & 1 ? from[l] : last;
	swizzle const all = SWIZZLE(full[0], full[1], full[2], full[3]);
	return swizzles_agree(all, SWIZZLE_XYZW, read) ? SWIZZLE_XYZW : all;
}

swizzle swizzle_for_ps_2_0(swizzle s, lanes read)
{
	for (unsigned k = 0; !swizzle_in_ps_2_0(s) && k < PS_2_0_SWIZZLES; k++)
		if (swizzles_agree(s, ps_2_0_swizzles[k], read))
			return ps_2_0_swizzles[k];
	return s;
}

swizzle swizzle_for(enum model model, swizzle s, lanes read)
{
	return models[model_written(model)].any_swizzle ? s : swizzle_for_ps_2_0(s, read);
}

swizzle swizzle_shortest(swizzle s, lanes read)
{
	if (s == swizzle_replicate(swizzle_lane(s, 0)))
		return s; /* a replicate swizzle is written as one letter */
	if (swizzles_agree(s, SWIZZLE_XYZW, read))
		return SWIZZLE_XYZW;
	/* A lane that is not read repeats the next lane that is read or, if none follows, the last lane that is read. */
	unsigned of[LANES], next = LANES;
	for (unsigned k = LANES; k-- > 0;)
		if (read >> k & 1 && next == LANES)
			next = swizzle_lane(s, k);
	for (unsigned k = LANES; k-- > 0;)
		next = of[k] = read >> k & 1 ? swizzle_lane(s, k) : next;
	return SWIZZLE(of[0], of[1], of[2], of[3]);
}

bool swizzle_is_for(enum model model, swizzle s)
{
	return models[model_written(model)].any_swizzle || swizzle_in_ps_2_0(s);
}

static lanes texture_lanes(enum texture texture)
{
	/* The coordinate of a sampler without a dcl, which the checker reports, has three lanes. */
	return texture == TEXTURE_2D ? MASK_XY : MASK_XYZ;
}

/* Returns the operand lanes that a cross product reads: each result lane reads the two other lanes of .xyz. */
static lanes cross_lanes(lanes written)
{
	lanes read = 0;
	if (written & MASK_X)
		read |= MASK_Y | MASK_Z;
	if (written & MASK_Y)
		read |= MASK_Z | MASK_X;
	if (written & MASK_Z)
		read |= MASK_X | MASK_Y;
	return read;
}

/* Returns the operand lanes of an operand of which the opcode reads one lane: .x, or all if `written` and its swizzle is no replicate swizzle. */
static lanes scalar_lanes(const struct instr *i, unsigned s, lanes written)
{
	return written && !swizzle_is_lane(i->src[s].swizzle) ? MASK_XYZW : MASK_X;
}

lanes instr_shape_lanes(const struct program *p, const struct instr *i, unsigned s, lanes written)
{
	switch (ops[i->op].shape) {
	case SHAPE_NONE: return 0;
	case SHAPE_COMPARE: return scalar_lanes(i, s, written);
	case SHAPE_REGION: return i->region_reads >> LANES * s & MASK_XYZW;
	case SHAPE_LANES: return written;
	case SHAPE_SCALAR:
	case SHAPE_EXPP:
	case SHAPE_LOGP: return written ? scalar_lanes(i, s, written) : 0;
	case SHAPE_DP3: return written ? MASK_XYZ : 0;
	case SHAPE_DP4: return written ? MASK_XYZW : 0;
	case SHAPE_DP2ADD: return !written ? 0 : s == 2 ? scalar_lanes(i, s, written) : MASK_XY;
	case SHAPE_CROSS: return cross_lanes(written);
	case SHAPE_DST: return s == 0 ? written & (MASK_Y | MASK_Z) : written & (MASK_Y | MASK_W);
	case SHAPE_LIT:
		return (lanes)((written & (MASK_Y | MASK_Z) ? MASK_X : 0) |
		               (written & MASK_Z ? MASK_Y | MASK_W : 0));
	case SHAPE_MATRIX:
		if (!written)
			return 0;
		return i->op == OP_M4X4 || i->op == OP_M4X3 ? MASK_XYZW : MASK_XYZ;
	case SHAPE_NRM: return written ? MASK_XYZ | (written & MASK_W) : 0;
	case SHAPE_SGN: return s == 0 ? written : 0;
	case SHAPE_SINCOS: return !written ? 0 : s == 0 ? scalar_lanes(i, s, written) : MASK_XYZW;
	case SHAPE_KILL: return MASK_XYZW; /* drivers differ in whether they test w, so w is kept, too */
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_TEXD: {
		if (s == 1 || !written)
			return 0;
		int sampler = i->src[1].index;
		lanes read = texture_lanes(sampler >= 0 && sampler < 16 ? p->samplers[sampler] : TEXTURE_NONE);
		read |= i->flags & INSTR_DEPTH ? MASK_Z : 0;
		return ops[i->op].shape == SHAPE_TEXW ? read | MASK_W : read;
	}
	}
	return 0;
}

unsigned instr_matrix_rows(const struct instr *i)
{
	return i->op == OP_M3X2 ? 2 : i->op == OP_M3X3 || i->op == OP_M4X3 ? 3 : i->op == OP_M3X4 || i->op == OP_M4X4 ? 4 : 1;
}

bool instr_lanes_interchange(const struct program *p, const struct instr *i)
{
	enum op_shape const shape = ops[i->op].shape;
	return shape == SHAPE_LANES ? i->op != OP_FRC || p->model != VS_1_1 : shape == SHAPE_SCALAR || shape == SHAPE_DP3 || shape == SHAPE_DP4;
}

bool program_reads(const struct program *p, enum reg_file file, int index)
{
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			int offset = index - i->src[s].index;
			if (i->src[s].file == file &&
			    (i->src[s].relative || (offset >= 0 && offset < (int)instr_rows(i, s))))
				return true;
		}
	}
	return false;
}

bool program_reads_from_outside(const struct program *p, int index)
{
	return program_reads(p, REG_CONST, index) && !program_decl(p, REG_CONST, index);
}

struct register_set program_reads_all(const struct program *p, enum reg_file file, bool named)
{
	struct register_set set = {{0}};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			const struct src *src = &i->src[s];
			if (src->file != file || (src->relative && named))
				continue;
			if (src->relative)
				return (struct register_set){{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
			for (int n = src->index; n < src->index + (int)instr_rows(i, s); n++)
				set.word[n / 64 % 4] |= UINT64_C(1) << n % 64;
		}
	}
	return set;
}

struct slots program_slots(const struct program *p)
{
	struct slots n = {0, 0};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		*(ops[i->op].flags & OPF_TEX ? &n.tex : &n.arith) += instr_slots(i, p->model);
	}
	return n;
}

unsigned program_total_slots(const struct program *p)
{
	struct slots n = program_slots(p);
	return n.arith + n.tex;
}

const struct decl *program_decl(const struct program *p, enum reg_file file, int index)
{
	for (uint32_t k = p->decls.n; k-- > 0;) {
		const struct decl *d = &p->decls.at[k];
		if (d->reg.file == file && d->reg.index == index)
			return d;
	}
	return NULL;
}

uint32_t program_numbers_addressed(const struct program *p, uint32_t k, int n)
{
	const struct decl *d = NULL;
	uint32_t numbers = 0;
	for (unsigned inner = 0; k-- > 0 && (p->instrs.at[k].op != OP_LOOP || inner);) {
		inner += p->instrs.at[k].op == OP_ENDLOOP;
		inner -= p->instrs.at[k].op == OP_LOOP;
	}
	if (k < p->instrs.n)
		d = program_decl(p, REG_INT, p->instrs.at[k].src[1].index);
	for (int32_t turn = 0; d && turn < d->integer[LANE_X]; turn++) {
		int32_t const number = d->integer[LANE_Y] + turn * d->integer[LANE_Z] + n;
		numbers |= number >= 0 && number < ADDRESSED_NUMBERS ? UINT32_C(1) << number : 0;
	}
	return d ? numbers : UINT32_MAX;
}

struct dst program_input_of(const struct program *p, unsigned number)
{
	struct dst input = {.mask = 0};
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_PIXEL_INPUT && d->number == number)
			input = dst_lanes((enum reg_file)d->reg.file, d->reg.index, input.mask | d->reg.mask);
	}
	return input;
}

struct outputs_read program_inputs_addressed(const struct program *p)
{
	struct outputs_read read = {{0}, {0}};
	for (uint32_t k = 0; k < p->instrs.n && model_links(p->model); k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			if (i->src[s].relative != RELATIVE_LOOP || i->src[s].file != REG_INPUT)
				continue;
			uint32_t const numbers = program_numbers_addressed(p, k, i->src[s].index);
			for (unsigned n = 0; n < ADDRESSED_NUMBERS; n++) {
				struct dst const input = program_input_of(p, n);
				if (input.mask && numbers >> n & 1)
					*(input.file == REG_INPUT ? &read.colour[input.index] : &read.texcoord[input.index]) |= instr_reads(p, i, s);
			}
		}
	}
	return read;
}

lanes program_input_read(const struct program *p, enum reg_file file, int index)
{
	struct outputs_read const addressed = program_inputs_addressed(p);
	lanes read = file == REG_INPUT ? addressed.colour[index] : addressed.texcoord[index];
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].file == file && !i->src[s].relative && index >= i->src[s].index && index < i->src[s].index + (int)instr_rows(i, s))
				read |= instr_reads(p, i, s);
	}
	return read;
}

lanes program_declared(const struct program *p, enum reg_file file, int index)
{
	lanes all = 0;
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (p->decls.at[k].reg.file == file && p->decls.at[k].reg.index == index)
			all |= p->decls.at[k].reg.mask;
	return all;
}

/* Unless `by_value`, implements the rule of the models: a texture read whose coordinate is an r#, or whose destination was written before, is
 * one order above the highest order among the lanes that it reads or overwrites (Microsoft's page "texld - ps_2_0 and up"; fxc's X5426).
 * Keeps an order for each lane, as compilers pack unrelated values into one register. */
unsigned read_order(struct read_orders *o, const struct program *p, const struct instr *i)
{
	lanes writes = instr_writes(i);
	if (!writes || i->dst.file != REG_TEMP || i->dst.index >= MODEL_TEMPS)
		return 0;
	uint32_t *to = o->order[i->dst.index];
	bool const overwrites = o->written[i->dst.index] != 0 && !o->by_value;
	o->written[i->dst.index] |= writes;
	if (ops[i->op].flags & OPF_TEX) {
		const struct src *coordinate = &i->src[0];
		bool read = coordinate->file == REG_TEMP && coordinate->index < MODEL_TEMPS;
		if (!read && !overwrites) {
			bool const was_deep = o->deep[i->dst.index];
			o->deep[i->dst.index] &= o->by_value && writes != MASK_XYZW;
			for (unsigned lane = 0; was_deep && lane < LANES; lane++)
				to[lane] = o->deep[i->dst.index] && !(writes >> lane & 1) ? to[lane] : 0;
			return 0;
		}
		lanes reads = read ? instr_reads(p, i, 0) : 0;
		/* By the rule, a read of a 2D texture reads no .z of the coordinate, even if the GPU may compare .z with a depth. */
		if (read && i->flags & INSTR_DEPTH)
			reads = swizzle_lanes(coordinate->swizzle, instr_operand_lanes(p, i, 0, writes) & (lanes)~MASK_Z);
		uint32_t behind = 0;
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (reads >> lane & 1 && o->order[coordinate->index][lane] > behind)
				behind = o->order[coordinate->index][lane];
			if (!o->by_value && to[lane] > behind)
				behind = to[lane];
		}
		for (unsigned lane = 0; lane < LANES; lane++)
			to[lane] = o->by_value && !(writes >> lane & 1) ? to[lane] : behind + 1;
		o->deep[i->dst.index] = o->any = true;
		return behind + 1;
	}
	if (!o->any)
		return 0;
	uint32_t result[LANES] = {0};
	bool deep = false;
	EACH_SOURCE(s, i) {
		const struct src *src = &i->src[s];
		if (src->file != REG_TEMP)
			continue;
		for (int row = src->index; row < src->index + (int)instr_rows(i, s) && row < MODEL_TEMPS; row++) {
			if (!o->deep[row])
				continue;
			deep = true;
			EACH_LANE(lane, writes) {
				if (ops[i->op].shape == SHAPE_LANES) {
					uint32_t order = o->order[row][swizzle_lane(src->swizzle, lane)];
					result[lane] = order > result[lane] ? order : result[lane];
					continue;
				}
				lanes reads = swizzle_lanes(src->swizzle, instr_operand_lanes(p, i, s, (lanes)(1u << lane)));
				EACH_LANE(from, reads)
					if (o->order[row][from] > result[lane])
						result[lane] = o->order[row][from];
			}
		}
	}
	if (!deep && !o->deep[i->dst.index])
		return 0;
	EACH_LANE(lane, writes)
		to[lane] = result[lane];
	o->deep[i->dst.index] = deep || writes != MASK_XYZW;
	return 0;
}

static unsigned deepest_read(const struct program *p, bool by_value)
{
	if (program_stage(p) == STAGE_VERTEX)
		return 0;
	struct read_orders orders = {.by_value = by_value};
	unsigned deepest = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		unsigned order = read_order(&orders, p, &p->instrs.at[k]);
		if (order > deepest)
			deepest = order;
	}
	return deepest;
}

unsigned program_dependent_reads(const struct program *p)
{
	return deepest_read(p, false);
}

unsigned program_reads_in_a_row(const struct program *p)
{
	return deepest_read(p, true);
}

unsigned program_order(const struct program *p)
{
	return model_order(p->model) == UINT_MAX ? program_reads_in_a_row(p) : program_dependent_reads(p);
}

struct program *program_head(struct arena *arena, const struct program *p)
{
	struct program *copy = arena_alloc(arena, sizeof *copy);
	*copy = *p;
	copy->text = NULL;
	copy->decls.at = (void *)arena_copy(arena, p->decls.at, p->decls.n * sizeof *p->decls.at);
	copy->decls.cap = p->decls.n;
	memset(&copy->instrs, 0, sizeof copy->instrs);
	return copy;
}

struct comment *comments_left(struct arena *a, const struct comment *gone, struct comment *own)
{
	struct comment *first = own, **link = &first;
	for (; gone; gone = gone->next) {
		struct comment *copy = arena_alloc(a, sizeof *copy);
		*copy = *gone;
		copy->behind = false;
		copy->next = own;
		*link = copy;
		link = &copy->next;
	}
	return first;
}

/* Removes the declarations that are marked in `gone`, and moves their comments to the next statement that stays. */
static void drop_declarations(struct arena *a, struct program *p, const bool *gone)
{
	uint32_t kept = 0;
	const struct comment *orphans = NULL;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		struct decl d = p->decls.at[k];
		if (gone[k]) {
			orphans = comments_left(a, orphans, comments_left(a, d.comments, NULL));
			continue;
		}
		d.comments = comments_left(a, orphans, d.comments);
		orphans = NULL;
		p->decls.at[kept++] = d;
	}
	p->decls.n = kept;
	struct comment **next = p->instrs.n ? &p->instrs.at[0].comments : &p->tail;
	*next = comments_left(a, orphans, *next);
}

void program_drop_unread(struct arena *a, struct program *p, const struct program *old)
{
	struct register_set now[REG_FILES], before[REG_FILES]; /* for each file in `found`: registers that `p` and `old` read */
	unsigned found = 0;
	bool *gone = arena_zero(a, (p->decls.n + 1) * sizeof *gone);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		enum reg_file const file = (enum reg_file)d->reg.file;
		bool const is_read = d->kind == DECL_DEF || d->kind == DECL_INT || d->kind == DECL_BOOL || d->kind == DECL_PIXEL_INPUT;
		if (is_read && !(found >> file & 1)) {
			now[file] = program_reads_all(p, file, false);
			before[file] = program_reads_all(old, file, false);
			found |= 1u << file;
		}
		gone[k] = is_read && !register_is_in(&now[file], d->reg.index) &&
		          (register_is_in(&before[file], d->reg.index) || !program_decl(old, file, d->reg.index)) &&
		          !(d->kind == DECL_PIXEL_INPUT && program_input_read(p, file, d->reg.index));
	}
	drop_declarations(a, p, gone);
}

void program_drop_unread_inputs(struct arena *a, struct program *p)
{
	bool *gone = arena_zero(a, (p->decls.n + 1) * sizeof *gone);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		gone[k] = d->kind == DECL_PIXEL_INPUT && (d->reg.file == REG_TEXCOORD || d->reg.file == REG_INPUT) &&
		          !(d->reg.mask & program_input_read(p, (enum reg_file)d->reg.file, d->reg.index));
	}
	drop_declarations(a, p, gone);
}

struct program *program_copy(struct arena *arena, const struct program *p)
{
	struct program *copy = program_head(arena, p);
	copy->instrs = p->instrs;
	copy->instrs.at = (void *)arena_copy(arena, p->instrs.at, p->instrs.n * sizeof *p->instrs.at);
	copy->instrs.cap = p->instrs.n;
	return copy;
}

static bool same_destination(const struct dst *a, const struct dst *b)
{
	return a->file == b->file && a->index == b->index && a->mask == b->mask && a->relative == b->relative;
}

bool program_same(const struct program *a, const struct program *b)
{
	bool same = a->model == b->model && a->instrs.n == b->instrs.n && a->decls.n == b->decls.n &&
	            memcmp(a->samplers, b->samplers, sizeof a->samplers) == 0;
	for (uint32_t k = 0; same && k < a->instrs.n; k++) {
		const struct instr *i = &a->instrs.at[k], *j = &b->instrs.at[k];
		same = i->op == j->op && i->flags == j->flags && i->comparison == j->comparison && i->predicate == j->predicate &&
		       i->predicate_swizzle == j->predicate_swizzle && i->region == j->region && i->region_reads == j->region_reads &&
		       (ops[i->op].flags & OPF_NO_DST || same_destination(&i->dst, &j->dst));
		for (unsigned s = 0; same && s < ops[i->op].sources; s++)
			same = src_is_same(&i->src[s], &j->src[s]);
	}
	for (uint32_t k = 0; same && k < a->decls.n; k++) {
		const struct decl *i = &a->decls.at[k], *j = &b->decls.at[k];
		same = i->kind == j->kind && i->flags == j->flags && i->usage == j->usage && i->usage_index == j->usage_index &&
		       same_destination(&i->reg, &j->reg) && memcmp(i->value, j->value, sizeof i->value) == 0;
	}
	return same;
}

/* Shortens the swizzles of operands without a position in a text, which fpmove made. */
static void shorten_new_swizzles(const struct program *p, struct instr *i)
{
	EACH_SOURCE(s, i) {
		lanes const read = instr_operand_lanes(p, i, s, instr_writes(i));
		if (i->src[s].at == SRCPOS_NONE && read && !instr_reads_scalar(i, s) && ops[i->op].shape != SHAPE_KILL)
			i->src[s].swizzle = swizzle_shortest(i->src[s].swizzle, read);
	}
}

/* Removes all defi and defb.
 * requires: the program has no flow control, which alone reads them. */
static void drop_flow_constants(struct arena *arena, struct program *p)
{
	bool *gone = arena_zero(arena, (p->decls.n + 1) * sizeof *gone), any = false;
	for (uint32_t k = 0; k < p->decls.n; k++)
		any |= gone[k] = p->decls.at[k].kind == DECL_INT || p->decls.at[k].kind == DECL_BOOL;
	if (any)
		drop_declarations(arena, p, gone);
}

struct program *program_as_written(struct arena *arena, const struct program *p)
{
	struct program *copy = program_copy(arena, p);
	copy->model = program_flows(p) ? p->model : model_written(p->model);
	if (!models[copy->model].flow)
		drop_flow_constants(arena, copy);
	for (uint32_t k = 0; k < copy->instrs.n && copy->model == PS_2_0; k++) {
		struct instr *i = &copy->instrs.at[k];
		EACH_SOURCE(s, i)
			i->src[s].swizzle = swizzle_for_ps_2_0(i->src[s].swizzle, instr_operand_lanes(p, i, s, instr_writes(i)));
	}
	for (uint32_t k = 0; k < copy->instrs.n && model_links(copy->model); k++)
		shorten_new_swizzles(p, &copy->instrs.at[k]);
	return copy;
}

bool instr_is_doubling(const struct instr *i)
{
	return i->op == OP_ADD && src_is_same(&i->src[0], &i->src[1]);
}

void instr_turn(struct instr *i, const unsigned from[LANES], lanes mask)
{
	for (unsigned s = 0; ops[i->op].shape == SHAPE_LANES && s < ops[i->op].sources; s++) {
		unsigned lane[LANES] = {0};
		EACH_LANE(l, mask)
			lane[l] = swizzle_lane(i->src[s].swizzle, from[l]);
		i->src[s].swizzle = swizzle_of_lanes(lane, mask);
	}
}

bool folds_have(const struct folds *folds, enum stage stage, int index, unsigned lane)
{
	for (uint32_t k = 0; folds && k < folds->n; k++)
		if (folds->at[k].stage == stage && folds->at[k].index == index && folds->at[k].lane == lane)
			return true;
	return false;
}

unsigned instr_scaled_operand(const struct program *p, const struct instr *i, float *factor)
{
	for (unsigned s = 0; i->op == OP_MUL && s < 2; s++) {
		const struct src *by = &i->src[1 - s];
		const struct decl *def = program_def(p, by);
		float const x = def ? def->value[swizzle_lane(by->swizzle, first_lane(i->dst.mask))] : 0;
		bool same = is_power_of_two(x);
		EACH_LANE(l, same ? i->dst.mask : 0)
			same &= memcmp(&def->value[swizzle_lane(by->swizzle, l)], &x, sizeof x) == 0;
		*factor = by->negate ? -x : x;
		if (same)
			return s;
	}
	return MAX_SOURCES;
}

bool instr_reads_scalar(const struct instr *i, unsigned s)
{
	enum op_shape const shape = ops[i->op].shape;
	return shape == SHAPE_SCALAR || shape == SHAPE_EXPP || shape == SHAPE_LOGP || shape == SHAPE_COMPARE ||
	       (shape == SHAPE_DP2ADD && s == 2) || (shape == SHAPE_SINCOS && s == 0);
}

bool instr_names_no_lane(const struct instr *i)
{
	for (unsigned s = 0; s < ops[i->op].sources; s++)
		if (instr_reads_scalar(i, s) && !swizzle_is_lane(i->src[s].swizzle))
			return true;
	return false;
}

bool program_flows(const struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (instr_flows(&p->instrs.at[k]))
			return true;
	return false;
}

bool program_names_no_lane(const struct program *p)
{
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (instr_names_no_lane(&p->instrs.at[k]))
			return true;
	return false;
}

lanes instr_clobbers(const struct instr *i, int index)
{
	lanes lost = 0;
	if (i->dst.file == REG_TEMP && i->dst.index == index && instr_writes(i))
		lost = i->op == OP_SINCOS ? i->dst.mask | MASK_XYZ : i->dst.mask;
	for (unsigned s = 1; i->op == OP_SGN && s < 3; s++)
		if (i->src[s].file == REG_TEMP && i->src[s].index == index)
			lost = MASK_XYZW;
	return lost;
}
