/* Gathered constants, see gather.h.  requires: values of the program at hand; builds: a program.
 *
 * Nothing is multiplied by 0, and by 1 only beside a lane that is multiplied by a constant.  What needs no constant and
 * no t# is left to tidying, which comes after the plan. */
#include "move/rules/gather.h"

#include "move/graph/registers.h"
#include "move/cover/tidy.h"

#include <string.h>

enum { MOST_GATHERED = 32 };

/* One lane of a constant operand. */
struct part {
	bool is_number;
	float number; /* 0 or 1 */
	int16_t reg;  /* else a c#'s lane */
	uint8_t lane;
	bool negate;
};

/* An operand: constants, or lanes of a register. */
struct row {
	bool constant;
	struct part part[LANES];
	struct src src;
	unsigned from[LANES];
};

/* An instruction as p * f + q, or as op(p, f, q); p is no constant. */
struct form {
	enum op op; /* OP_MAD, also of what is less general */
	struct row p, f, q;
};

struct gatherer {
	struct values *values;
	struct tidy tidy;             /* the program that is made */
	value_id (*def)[LANES];       /* what its instructions write; a copy has the value of what it copies */
	struct part gathered[MOST_GATHERED][LANES]; /* of r(VIRTUAL_REGS) and the following */
	lanes have[MOST_GATHERED];
	unsigned n;
	bool *joined;               /* of the program at hand: it is not as it was */
	bool drop_in, changed;
};

/* ---- reading ------------------------------------------------------------------------------- */

static bool is_def(const struct gatherer *g, int reg)
{
	return program_decl(g->tidy.p, REG_CONST, reg) != NULL;
}

/* The c# that a mov, which the ports asked for, brings to the operand; NULL: it is none, or not for all lanes. */
static const struct src *copied(const struct gatherer *g, const struct instr *i, unsigned s, unsigned lane)
{
	int32_t const def = i->src[s].file == REG_TEMP && !g->joined[i->at] ? g->values->use[i->at][s].def[lane] : -1;
	const struct instr *mov = def >= 0 ? &g->values->ps->instrs.at[def] : NULL;
	return mov && mov->op == OP_MOV && !mov->flags && mov->src[0].file == REG_CONST ? &mov->src[0] : NULL;
}

static bool is_copied(const struct gatherer *g, const struct instr *i, unsigned s)
{
	bool is = i->dst.mask != 0;
	for (unsigned l = 0; l < LANES; l++)
		is &= !(i->dst.mask >> l & 1) || copied(g, i, s, l);
	return is;
}

static struct row row_of(const struct gatherer *g, const struct instr *i, unsigned s, bool minus)
{
	struct row row = {.src = i->src[s]};
	bool gathered = row.src.file == REG_TEMP && row.src.index >= VIRTUAL_REGS;
	bool const copies = !gathered && is_copied(g, i, s);
	row.constant = gathered || copies || row.src.file == REG_CONST;
	row.src.negate ^= minus;
	row.src.letters = 0;
	for (unsigned l = 0; l < LANES; l++) {
		unsigned from = row.from[l] = swizzle_lane(row.src.swizzle, l);
		if (gathered) {
			row.part[l] = g->gathered[row.src.index - VIRTUAL_REGS][from];
			row.part[l].negate ^= row.src.negate;
		} else if (copies && i->dst.mask >> l & 1) {
			const struct src *c = copied(g, i, s, l);
			row.part[l] = (struct part){.reg = c->index, .lane = (uint8_t)swizzle_lane(c->swizzle, from), .negate = c->negate != row.src.negate};
		} else if (row.constant) {
			row.part[l] = (struct part){.reg = row.src.index, .lane = (uint8_t)from, .negate = row.src.negate};
		}
	}
	return row;
}

static struct row numbers(float x)
{
	struct row row = {.constant = true};
	for (unsigned l = 0; l < LANES; l++)
		row.part[l] = (struct part){.is_number = true, .number = x};
	return row;
}

/* The ways to see the instruction so; at most two. */
static unsigned forms_of(const struct gatherer *g, const struct instr *i, struct form out[2])
{
	struct row const zero = numbers(0), one = numbers(1);
	struct row s[MAX_SOURCES];
	unsigned n = 0;
	for (unsigned k = 0; k < ops[i->op].sources; k++)
		s[k] = row_of(g, i, k, i->op == OP_SUB && k == 1);
	for (unsigned k = 0; k < 2; k++) {
		struct row const *p = &s[k], *other = &s[1 - k];
		if (k < ops[i->op].sources && p->constant)
			continue;
		switch ((enum op)i->op) {
		case OP_ADD:
		case OP_SUB: out[n++] = (struct form){OP_MAD, *p, one, *other}; break;
		case OP_MUL: out[n++] = (struct form){OP_MAD, *p, *other, zero}; break;
		case OP_MAD: out[n++] = (struct form){OP_MAD, *p, *other, s[2]}; break;
		case OP_MIN:
		case OP_MAX: out[n++] = (struct form){(enum op)i->op, *p, *other, zero}; break;
		case OP_MOV:
			if (k == 0)
				out[n++] = (struct form){OP_MAD, *p, one, zero};
			break;
		case OP_CMP:
		case OP_LRP:
			if (k == 0)
				out[n++] = (struct form){(enum op)i->op, *p, s[1], s[2]};
			break;
		default: return 0;
		}
	}
	return n;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* A lane of a def that holds the number, or else, for 0, none but some constant to subtract from itself. */
static bool find_number(const struct program *p, struct part *part)
{
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		for (unsigned l = 0; d->kind == DECL_DEF && program_decl(p, REG_CONST, d->reg.index) == d && l < LANES; l++)
			if (d->value[l] == part->number) {
				*part = (struct part){.reg = d->reg.index, .lane = (uint8_t)l, .negate = part->negate};
				return true;
			}
	}
	return part->number == 0;
}

/* A source with these constants in its lanes `mask`; `reg`: the c# that the instruction reads, -1: none yet.
 * `gains`: it needs what tidying could not write. */
static bool constant_source(struct gatherer *g, struct instr *i, unsigned s, struct row *row, int *reg, bool *gains)
{
	lanes const mask = i->dst.mask;
	const struct part *first = NULL;
	unsigned from[LANES] = {0};
	bool alike = true, app = false;
	for (unsigned l = 0; l < LANES; l++) {
		struct part *part = &row->part[l];
		if (!(mask >> l & 1))
			continue;
		if (part->is_number && !find_number(g->tidy.p, part))
			return false;
		first = first ? first : part;
		alike &= !part->is_number && part->reg == first->reg && part->negate == first->negate;
		app |= !part->is_number && !is_def(g, part->reg);
		from[l] = part->lane;
	}
	i->src[s] = (struct src){.file = REG_CONST, .index = first->reg, .negate = first->negate, .at = SRCPOS_NONE};
	if (alike && (*reg < 0 || *reg == first->reg) && tidy_swizzle(&g->tidy, i, s, from, mask, &i->src[s].swizzle)) {
		*reg = first->reg;
		return true;
	}
	if ((app && g->drop_in) || g->n == MOST_GATHERED)
		return false;
	*gains |= app;
	unsigned k = 0;
	for (bool same = false; k < g->n && !same; k += !same) {
		same = (mask & (lanes)~g->have[k]) == 0;
		for (unsigned l = 0; l < LANES && same; l++)
			same = !(mask >> l & 1) || memcmp(&g->gathered[k][l], &row->part[l], sizeof row->part[l]) == 0;
	}
	if (k == g->n) {
		memcpy(g->gathered[k], row->part, sizeof row->part);
		g->have[k] = mask;
		g->n++;
	}
	i->src[s] = src_temp(VIRTUAL_REGS + (int)k);
	return true;
}

static bool are_numbers(const struct row *row, lanes mask, float x)
{
	for (unsigned l = 0; l < LANES; l++)
		if (mask >> l & 1 && (!row->constant || !row->part[l].is_number || row->part[l].number != x || row->part[l].negate))
			return false;
	return true;
}

static bool write_form(struct gatherer *g, struct form *form, struct instr *i, bool *gains)
{
	bool sum = form->op == OP_MAD;
	bool plain = sum && are_numbers(&form->f, i->dst.mask, 1), alone = sum && are_numbers(&form->q, i->dst.mask, 0);
	struct row *rows[MAX_SOURCES] = {&form->p, plain ? &form->q : &form->f, &form->q};
	int reg = -1;
	if (plain && alone)
		return false;
	i->op = (uint8_t)(plain ? OP_ADD : alone ? OP_MUL : form->op);
	memset(i->src, 0, sizeof i->src);
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		i->src[s] = rows[s]->src;
		/* Lanes of one t#, which a plan for two instructions might take apart. */
		*gains |= !rows[s]->constant && rows[s]->src.file == REG_TEXCOORD;
		if (rows[s]->constant ? !constant_source(g, i, s, rows[s], &reg, gains)
		                      : !tidy_swizzle(&g->tidy, i, s, rows[s]->from, i->dst.mask, &i->src[s].swizzle))
			return false;
	}
	return true;
}

/* Moves to r`reg` the constants that are gathered there. */
static void put_gathered(const struct gatherer *g, struct program *out, unsigned k)
{
	for (unsigned l = 0; l < LANES; l++) {
		const struct part *part = &g->gathered[k][l];
		if (!(g->have[k] >> l & 1))
			continue;
		const struct part *other = part;
		for (unsigned o = 0; part->is_number && o < LANES; o++)
			other = g->have[k] >> o & 1 && !g->gathered[k][o].is_number ? &g->gathered[k][o] : other;
		struct src s = {.file = REG_CONST, .index = other->reg, .negate = !part->is_number && part->negate,
		                .swizzle = swizzle_replicate(other->lane), .at = SRCPOS_NONE};
		struct src minus = s;
		minus.negate = true;
		VEC_PUSH(g->values->arena, &out->instrs) = (struct instr){
			.op = part->is_number ? OP_ADD : OP_MOV,
			.dst = {.file = REG_TEMP, .index = (int16_t)(VIRTUAL_REGS + k), .mask = (lanes)(1u << l), .masked = true, .at = SRCPOS_NONE},
			.src = {s, minus},
			.at = SRCPOS_NONE,
		};
	}
}

/* ---- joining ------------------------------------------------------------------------------- */

/* a's lanes in `mask_a`, b's elsewhere. */
static bool merge(const struct row *a, const struct row *b, lanes mask_a, struct row *out)
{
	*out = *a;
	if (a->constant != b->constant || (!a->constant && (a->src.file != b->src.file || a->src.index != b->src.index ||
	                                                    a->src.negate != b->src.negate)))
		return false;
	for (unsigned l = 0; l < LANES; l++) {
		if (mask_a >> l & 1)
			continue;
		out->part[l] = b->part[l];
		out->from[l] = b->from[l];
	}
	return true;
}

/* What the temporary holds before instruction `at`, were instruction `but` not there. */
static void find_held(const struct gatherer *g, int reg, uint32_t at, uint32_t but, value_id held[LANES])
{
	for (unsigned l = 0; l < LANES; l++)
		held[l] = NO_VALUE;
	for (uint32_t k = 0; k < at; k++) {
		const struct instr *i = &g->tidy.p->instrs.at[k];
		lanes lost = tidy_clobbers(i, reg), made = i->dst.file == REG_TEMP && i->dst.index == reg ? instr_writes(i) : 0;
		for (unsigned l = 0; l < LANES && k != but; l++)
			if ((lost | made) >> l & 1)
				held[l] = made >> l & 1 ? g->def[k][l] : NO_VALUE;
	}
}

/* The mov k reading what it brings from the register `p`, as that is before instruction `at`. */
static bool look_up(const struct gatherer *g, uint32_t k, const struct row *p, uint32_t at, struct row *out)
{
	const struct instr *mov = &g->tidy.p->instrs.at[k];
	value_id held[LANES];
	if (mov->op != OP_MOV || mov->flags & INSTR_SAT || mov->src[0].negate || p->src.file != REG_TEMP || p->src.negate)
		return false;
	find_held(g, p->src.index, at, k, held);
	*out = *p;
	for (unsigned l = 0; l < LANES; l++) {
		value_id wanted = g->def[k][l];
		if (!(mov->dst.mask >> l & 1))
			continue;
		unsigned from = 0;
		while (from < LANES && held[(l + from) % LANES] != wanted)
			from++;
		if (from == LANES || wanted == NO_VALUE || wanted == g->values->unknown)
			return false;
		out->from[l] = (l + from) % LANES;
	}
	return true;
}

static bool is_pixel(const struct gatherer *g, uint32_t k)
{
	for (unsigned l = 0; l < LANES; l++)
		if (instr_writes(&g->tidy.p->instrs.at[k]) >> l & 1 && !value_is_movable(g->values, g->def[k][l]))
			return true;
	return false;
}

/* Instructions j and k as one, at `at`, one of the two. */
static bool joined(struct gatherer *g, uint32_t j, uint32_t k, uint32_t at, struct instr *both)
{
	const struct instr *a = &g->tidy.p->instrs.at[j], *b = &g->tidy.p->instrs.at[k];
	struct form of_a[2], of_b[2], form;
	unsigned na = forms_of(g, a, of_a), nb = na ? forms_of(g, b, of_b) : 0;
	for (unsigned x = 0; x < na; x++) {
		for (unsigned y = 0; y < nb; y++) {
			struct row p = of_a[x].p, q = of_b[y].p;
			bool gains = !merge(&p, &q, a->dst.mask, &form.p);
			unsigned const n = g->n;
			if (gains && !look_up(g, k, &of_a[x].p, at, &q) && !look_up(g, j, &of_b[y].p, at, &p))
				continue;
			*both = g->tidy.p->instrs.at[at];
			tidy_mask(both, a->dst.mask | b->dst.mask);
			form.op = of_a[x].op;
			if (form.op == of_b[y].op && merge(&p, &q, a->dst.mask, &form.p) && form.p.src.file == REG_TEMP &&
			    merge(&of_a[x].f, &of_b[y].f, a->dst.mask, &form.f) && merge(&of_a[x].q, &of_b[y].q, a->dst.mask, &form.q) &&
			    write_form(g, &form, both, &gains) && gains)
				return true;
			g->n = n;
		}
	}
	return false;
}

/* The op of the forms that an instruction can be seen as; OP_NOP: none. */
static enum op form_op(const struct instr *i)
{
	switch ((enum op)i->op) {
	case OP_MOV:
	case OP_ADD:
	case OP_SUB:
	case OP_MUL:
	case OP_MAD: return OP_MAD;
	case OP_MIN:
	case OP_MAX:
	case OP_CMP:
	case OP_LRP: return (enum op)i->op;
	default: return OP_NOP;
	}
}

/* Do they write lanes of one register, by operations that may be one? */
static bool are_alike(const struct instr *a, const struct instr *b)
{
	return a->dst.index == b->dst.index && a->dst.file == REG_TEMP && b->dst.file == REG_TEMP && !(a->dst.mask & b->dst.mask) &&
	       a->flags == b->flags && form_op(a) == form_op(b) && form_op(a) != OP_NOP;
}

static bool join(struct gatherer *g, uint32_t j, uint32_t k)
{
	struct program *p = g->tidy.p;
	const struct instr *a = &p->instrs.at[j], *b = &p->instrs.at[k];
	struct instr both;
	if (!are_alike(a, b) || (!is_pixel(g, j) && !is_pixel(g, k)))
		return false;
	bool rise = tidy_can_rise(p, k, j);
	if ((!rise && !tidy_can_sink(p, j, k)) || !joined(g, j, k, rise ? j : k, &both))
		return false;
	for (unsigned l = 0; l < LANES; l++) {
		bool first = a->dst.mask >> l & 1;
		g->def[rise ? j : k][l] = first || b->dst.mask >> l & 1 ? g->def[first ? j : k][l] : NO_VALUE;
	}
	g->joined[a->at] = g->joined[b->at] = true;
	p->instrs.at[rise ? j : k] = both;
	uint32_t gone = rise ? k : j;
	tidy_remove(&g->tidy, gone);
	memmove(&g->def[gone], &g->def[gone + 1], (p->instrs.n - gone) * sizeof *g->def);
	g->changed = true;
	return true;
}

static bool has_alike(const struct program *p)
{
	for (uint32_t k = 1; k < p->instrs.n; k++)
		for (uint32_t j = k; j-- > 0;)
			if (are_alike(&p->instrs.at[j], &p->instrs.at[k]))
				return true;
	return false;
}

struct program *gather_constants(struct values *v, bool drop_in)
{
	if (!has_alike(v->ps))
		return NULL;
	struct gatherer *g = arena_zero(v->arena, sizeof *g);
	struct program *p = program_copy(v->arena, v->ps);
	g->values = v;
	g->tidy = (struct tidy){.arena = v->arena, .p = p};
	g->def = arena_alloc(v->arena, (p->instrs.n + 1) * sizeof *g->def);
	g->joined = arena_zero(v->arena, p->instrs.n + 1);
	g->drop_in = drop_in;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		struct instr *i = &p->instrs.at[k];
		i->at = k;
		memcpy(g->def[k], v->def[k], sizeof g->def[k]);
		if (i->op != OP_MOV || i->dst.file != REG_TEMP || i->flags || i->src[0].file != REG_TEMP || i->src[0].negate)
			continue;
		value_id held[LANES];
		find_held(g, i->src[0].index, k, k, held);
		for (unsigned l = 0; l < LANES; l++)
			if (i->dst.mask >> l & 1 && held[swizzle_lane(i->src[0].swizzle, l)] != NO_VALUE)
				g->def[k][l] = held[swizzle_lane(i->src[0].swizzle, l)];
	}
	for (uint32_t k = 1; k < p->instrs.n; k++)
		for (uint32_t j = k; j-- > 0;)
			if (join(g, j, k)) {
				k--;
				break;
			}
	if (!g->changed)
		return NULL;
	struct program *out = program_head(v->arena, p);
	lanes put[MOST_GATHERED] = {0};
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEMP && i->src[s].index >= VIRTUAL_REGS && !put[i->src[s].index - VIRTUAL_REGS]) {
				put[i->src[s].index - VIRTUAL_REGS] = MASK_XYZW;
				put_gathered(g, out, (unsigned)(i->src[s].index - VIRTUAL_REGS));
			}
		VEC_PUSH(v->arena, &out->instrs) = *i;
	}
	return regs_allocate(v->arena, out, WAY_TEMPS) ? out : NULL;
}

/* ---- products and sums ----------------------------------------------------------------------- */

/* Does a product that operand `s` of instruction k reads read another register of the file of `with`?  Quickly, and not quite. */
static bool clashes(const struct program *p, uint32_t k, unsigned s, const struct src *with)
{
	const struct src *src = &p->instrs.at[k].src[s];
	if (src->file != REG_TEMP || (with->file != REG_CONST && with->file != REG_TEXCOORD))
		return false;
	lanes const read = instr_reads(p, &p->instrs.at[k], s);
	uint32_t j = k;
	while (j > 0 && !(tidy_clobbers(&p->instrs.at[j - 1], src->index) & read))
		j--;
	const struct instr *product = j > 0 ? &p->instrs.at[j - 1] : NULL;
	bool clash = false;
	for (unsigned f = 0; product && product->op == OP_MUL && f < 2; f++)
		clash |= product->src[f].file == with->file && product->src[f].index != with->index;
	return clash;
}

static int unused_temp(const struct program *p)
{
	int reg = WAY_TEMPS - 1;
	while (reg >= 0 && tidy_uses_temp(p, reg))
		reg--;
	return reg;
}

/* mul and add that are no mad because each reads a constant, or a t#: the sum's comes by a mov, which can leave. */
static bool fuse(struct tidy *t, uint32_t k, unsigned s, bool drop_in)
{
	struct program *p = t->p;
	struct src const added = p->instrs.at[k].src[1 - s];
	if (added.file == REG_CONST && drop_in && !program_decl(p, REG_CONST, added.index))
		return false;
	int const reg = unused_temp(p);
	if (reg < 0)
		return false;
	struct instr mov = {.op = OP_MOV, .dst = {.file = REG_TEMP, .index = (int16_t)reg, .at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	mov.src[0] = (struct src){.file = added.file, .index = added.index, .swizzle = SWIZZLE_XYZW, .at = SRCPOS_NONE};
	tidy_mask(&mov, instr_reads(p, &p->instrs.at[k], 1 - s));
	p->instrs.at[k].src[1 - s].file = REG_TEMP;
	p->instrs.at[k].src[1 - s].index = (int16_t)reg;
	t->flow = flow_find(t->arena, p);
	t->stale = false;
	if (!tidy_fuse(t, k, s)) {
		p->instrs.at[k].src[1 - s] = added;
		return false;
	}
	k--; /* the product is gone */
	(void)VEC_PUSH(t->arena, &p->instrs);
	memmove(&p->instrs.at[k + 1], &p->instrs.at[k], (p->instrs.n - 1 - k) * sizeof *p->instrs.at);
	p->instrs.at[k] = mov;
	return true;
}

struct program *gather_addends(struct arena *arena, const struct program *ps, bool drop_in)
{
	struct tidy t = {.arena = arena};
	bool changed = false;
	for (uint32_t k = 1; k < (t.p ? t.p : ps)->instrs.n; k++) {
		const struct program *now = t.p ? t.p : ps;
		const struct instr *sum = &now->instrs.at[k];
		for (unsigned s = 0; (sum->op == OP_ADD || sum->op == OP_SUB) && s < 2; s++) {
			if (!clashes(now, k, s, &sum->src[1 - s]))
				continue;
			if (!t.p) {
				t.p = program_copy(arena, ps);
				for (uint32_t n = 0; n < ps->instrs.n; n++)
					t.p->instrs.at[n].at = n;
			}
			changed |= fuse(&t, k, s, drop_in);
			break;
		}
	}
	return changed ? t.p : NULL;
}
