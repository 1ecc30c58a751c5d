/* The exhaustive planner, see brute.h.  Instructions are looked at from the last to the first, for
 * only then it is known which of them stay; each operand of a staying instruction tries all its
 * supplies: straight from an interpolator, straight from a constant register, from a temporary that
 * one new instruction writes (which other operands may share, and widen), beside pixel lanes, and as
 * before.  Nothing is cut off but what costs more than the best plan found. */
#include "brute.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define PRIME UINT64_C(4294967291) /* so that products fit 64 bits */

/* Application constants take two sets of values, inputs three: a value of first degree that is
 * the same for all three inputs is constant. */
enum { APPS = 2, POINTS = 3 };

enum { MOST_INSTRS = 64, MOST_REQUESTS = 64, MOST_MAKINGS = 16, MOST_CANDIDATES = 64, ANY_KIND = 0xff };

struct number {
	uint64_t e[APPS][POINTS];
	bool pixel;
	uint8_t kind; /* flags of the dcl; ANY_KIND: constant */
};

/* ---- the field ------------------------------------------------------------------ */

static uint64_t add_mod(uint64_t a, uint64_t b)
{
	uint64_t s = a + b;
	return s >= PRIME ? s - PRIME : s;
}

static uint64_t neg_mod(uint64_t a)
{
	return a ? PRIME - a : 0;
}

static uint64_t mul_mod(uint64_t a, uint64_t b)
{
	return a * b % PRIME;
}

static uint64_t inverse(uint64_t a)
{
	uint64_t r = 1;
	for (uint64_t n = PRIME - 2; n; n >>= 1) {
		if (n & 1)
			r = mul_mod(r, a);
		a = mul_mod(a, a);
	}
	return r;
}

static uint64_t scramble(uint64_t x)
{
	x = (x + 1) * UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % PRIME;
}

/* ---- numbers ----------------------------------------------------------------------- */

static struct number constant(uint64_t x)
{
	struct number n = {.kind = ANY_KIND};
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			n.e[a][p] = x;
	return n;
}

static struct number literal(float f)
{
	int exponent;
	double m = frexp(fabs((double)f), &exponent);
	uint64_t x = (uint64_t)ldexp(m, 24) % PRIME;
	uint64_t const half = inverse(2);
	for (exponent -= 24; exponent; exponent += exponent < 0 ? 1 : -1)
		x = mul_mod(x, exponent < 0 ? half : 2);
	return constant(f < 0 ? neg_mod(x) : x);
}

static bool same(const struct number *a, const struct number *b)
{
	return !a->pixel && !b->pixel && a->kind == b->kind && memcmp(a->e, b->e, sizeof a->e) == 0;
}

static bool varies(const struct number *n)
{
	for (unsigned a = 0; a < APPS; a++)
		if (n->e[a][0] != n->e[a][1] || n->e[a][0] != n->e[a][2])
			return true;
	return false;
}

static bool of_application(const struct number *n)
{
	return memcmp(n->e[0], n->e[1], sizeof n->e[0]) != 0;
}

static struct number pixel_number(void)
{
	return (struct number){.pixel = true};
}

/* The kind of a value made of two; pixel if they are interpolated in different ways. */
static struct number combined(const struct number *a, const struct number *b, bool product)
{
	struct number r = {.kind = a->kind == ANY_KIND ? b->kind : a->kind};
	if (a->pixel || b->pixel || (a->kind != b->kind && a->kind != ANY_KIND && b->kind != ANY_KIND) ||
	    (product && a->kind != ANY_KIND && b->kind != ANY_KIND))
		return pixel_number();
	for (unsigned i = 0; i < APPS; i++)
		for (unsigned p = 0; p < POINTS; p++)
			r.e[i][p] = product ? mul_mod(a->e[i][p], b->e[i][p]) : add_mod(a->e[i][p], b->e[i][p]);
	if (!varies(&r))
		r.kind = ANY_KIND;
	return r;
}

static struct number sum(struct number a, struct number b)
{
	return combined(&a, &b, false);
}

static struct number product(struct number a, struct number b)
{
	return combined(&a, &b, true);
}

static struct number negated(struct number a)
{
	for (unsigned i = 0; i < APPS; i++)
		for (unsigned p = 0; p < POINTS; p++)
			a.e[i][p] = neg_mod(a.e[i][p]);
	return a;
}

static struct number constant_of(const struct program *ps, int reg, unsigned lane)
{
	const struct decl *d = program_decl(ps, REG_CONST, reg);
	if (d)
		return literal(d->value[lane]);
	struct number n = {.kind = ANY_KIND};
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			n.e[a][p] = scramble((uint64_t)(1000 + 4 * reg + (int)lane + 500 * (int)a));
	return n;
}

static struct number input_of(const struct program *ps, int reg, unsigned lane)
{
	const struct decl *d = program_decl(ps, REG_TEXCOORD, reg);
	struct number n = {.kind = d ? d->flags : 0};
	for (unsigned a = 0; a < APPS; a++)
		for (unsigned p = 0; p < POINTS; p++)
			n.e[a][p] = scramble((uint64_t)(5000 + 4 * reg + (int)lane + 500 * (int)p));
	return n;
}

/* ---- what the program computes ------------------------------------------------------- */

struct facts {
	const struct program *ps;
	unsigned n;
	struct number use[MOST_INSTRS][MAX_SOURCES][LANES]; /* what arrives in each position */
	int def[MOST_INSTRS][MAX_SOURCES][LANES];           /* the instruction that wrote it; -1: none */
	struct number value[MOST_INSTRS][LANES];            /* what it writes */
	lanes pixel[MOST_INSTRS];                           /* pixel lanes that an output needs */
};

static struct number dot(const struct number *a, const struct number *b, unsigned n)
{
	struct number s = product(a[0], b[0]);
	for (unsigned i = 1; i < n; i++)
		s = sum(s, product(a[i], b[i]));
	return s;
}

static struct number result(const struct instr *i, struct number (*s)[LANES], unsigned lane)
{
	switch (i->op) {
	case OP_MOV: return s[0][lane];
	case OP_ADD: return sum(s[0][lane], s[1][lane]);
	case OP_SUB: return sum(s[0][lane], negated(s[1][lane]));
	case OP_MUL: return product(s[0][lane], s[1][lane]);
	case OP_MAD: return sum(product(s[0][lane], s[1][lane]), s[2][lane]);
	case OP_LRP: return sum(product(s[0][lane], sum(s[1][lane], negated(s[2][lane]))), s[2][lane]);
	case OP_DP3: return dot(s[0], s[1], 3);
	case OP_DP4: return dot(s[0], s[1], 4);
	default: return pixel_number();
	}
}

static bool is_output(const struct instr *i)
{
	return instr_writes(i) && i->dst.file == REG_PIXEL_OUT;
}

static lanes whole(const struct instr *i, lanes wanted)
{
	return ops[i->op].flags & OPF_TEX || is_output(i) ? instr_writes(i) : wanted;
}

static bool find_facts(struct facts *f, const struct program *ps)
{
	struct number reg[12][LANES];
	int def[12][LANES];
	memset(def, 0xff, sizeof def);
	memset(f, 0, sizeof *f);
	f->ps = ps;
	f->n = ps->instrs.n;
	if (f->n > MOST_INSTRS)
		return false;
	for (unsigned k = 0; k < f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		enum op_shape shape = ops[i->op].shape;
		if ((shape != SHAPE_LANES && shape != SHAPE_DP3 && shape != SHAPE_DP4 && shape != SHAPE_TEX &&
		     shape != SHAPE_SCALAR) || i->flags & INSTR_SAT || i->op == OP_POW)
			return false;
		bool moves = i->op == OP_MOV || i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD ||
		             i->op == OP_LRP || i->op == OP_DP3 || i->op == OP_DP4;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			const struct src *src = &i->src[s];
			lanes read = src->file == REG_SAMPLER ? 0 : instr_operand_lanes(ps, i, s, instr_writes(i));
			bool constants = true;
			for (unsigned p = 0; p < LANES; p++) {
				f->use[k][s][p] = pixel_number();
				f->def[k][s][p] = -1;
				if (!(read >> p & 1))
					continue;
				unsigned lane = swizzle_lane(src->swizzle, p);
				struct number n = pixel_number();
				if (src->file == REG_TEMP) {
					n = reg[src->index][lane];
					f->def[k][s][p] = def[src->index][lane];
					if (def[src->index][lane] < 0)
						return false;
				} else if (src->file == REG_TEXCOORD) {
					n = input_of(ps, src->index, lane);
				} else if (src->file == REG_CONST) {
					n = constant_of(ps, src->index, lane);
				}
				constants &= !n.pixel && n.kind == ANY_KIND;
				f->use[k][s][p] = src->negate && !n.pixel ? negated(n) : n;
			}
			if (!moves && shape != SHAPE_TEX && constants)
				return false; /* a function of constants may move: not modelled */
		}
		for (unsigned lane = 0; lane < LANES; lane++) {
			if (!(instr_writes(i) >> lane & 1))
				continue;
			f->value[k][lane] = i->dst.file == REG_TEMP ? result(i, f->use[k], lane) : pixel_number();
			if (i->dst.file == REG_TEMP) {
				reg[i->dst.index][lane] = f->value[k][lane];
				def[i->dst.index][lane] = (int)k;
			}
		}
	}
	for (unsigned k = f->n; k-- > 0;) {
		const struct instr *i = &ps->instrs.at[k];
		if (!f->pixel[k] && !is_output(i))
			continue;
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			if (i->src[s].file != REG_TEMP)
				continue;
			lanes read = instr_operand_lanes(ps, i, s, whole(i, f->pixel[k]));
			for (unsigned p = 0; p < LANES; p++)
				if (read >> p & 1 && f->use[k][s][p].pixel)
					f->pixel[f->def[k][s][p]] |= (lanes)(1u << swizzle_lane(i->src[s].swizzle, p));
		}
	}
	return true;
}

unsigned brute_lanes(struct arena *arena, const struct program *ps)
{
	struct facts *f = arena_alloc(arena, sizeof *f);
	if (!find_facts(f, ps))
		return UINT_MAX;
	unsigned n = 0;
	for (unsigned k = 0; k < f->n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			n += instr_writes(&ps->instrs.at[k]) >> lane & 1 && !f->value[k][lane].pixel;
	return n;
}

/* ---- registers of values ---------------------------------------------------------------- */

/* Up to four numbers, at the positions in `at`. */
struct bundle {
	lanes at;
	struct number n[LANES];
};

enum freedom { FREE, FREE_SCALAR, FIXED };

static const swizzle reachable[8] = {
	SWIZZLE_XYZW, SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
	SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
};
enum { VIEWS = 16 };

/* View v of an operand: a swizzle, negated or not. */
static bool view_allowed(enum freedom f, unsigned v)
{
	return f == FREE || (f == FREE_SCALAR ? v % 8 >= 4 : v == 0);
}

/* Adds to the register what the operand must see through view v; false if something else is there. */
static bool put_through(struct bundle *reg, const struct bundle *want, unsigned v)
{
	for (unsigned p = 0; p < LANES; p++) {
		if (!(want->at >> p & 1))
			continue;
		unsigned lane = swizzle_lane(reachable[v % 8], p);
		struct number n = v / 8 ? negated(want->n[p]) : want->n[p];
		if (reg->at >> lane & 1) {
			if (!same(&reg->n[lane], &n))
				return false;
		} else {
			reg->at |= (lanes)(1u << lane);
			reg->n[lane] = n;
		}
	}
	return true;
}

/* What one instruction, or one new instruction, reads straight from one register. */
struct request {
	unsigned n;
	struct bundle part[MAX_SOURCES];
	enum freedom freedom[MAX_SOURCES];
};

static uint8_t kind_of(const struct bundle *b)
{
	uint8_t kind = ANY_KIND;
	for (unsigned p = 0; p < LANES; p++)
		if (b->at >> p & 1 && b->n[p].kind != ANY_KIND)
			kind = b->n[p].kind;
	return kind;
}

static bool one_kind(const struct bundle *b)
{
	for (unsigned p = 0; p < LANES; p++)
		if (b->at >> p & 1 && b->n[p].kind != ANY_KIND && b->n[p].kind != kind_of(b))
			return false;
	return true;
}

enum how { FROM_INPUT, FROM_CONST, COMPUTED };
struct making {
	enum how how;
	bool beside;            /* pixel lanes: it writes lanes of `reg`, after instruction `after` */
	int reg, after;
	unsigned request;       /* FROM_INPUT, COMPUTED: whose part 0 it reads */
	struct bundle made;     /* what it writes */
	struct bundle factor, offset; /* COMPUTED; FROM_CONST: `made` */
};

struct brute {
	struct facts *f;
	const struct brute_options *options;
	struct brute_result *best;
	struct arena *arena;
	struct bundle old_const[32]; /* registers the program has */
	struct number base[MOST_CANDIDATES]; /* what a new instruction may start from */
	unsigned bases;

	lanes kept[MOST_INSTRS];
	struct request request[MOST_REQUESTS];
	unsigned requests;
	struct making making[MOST_MAKINGS];
	unsigned makings;
	struct request inputs, consts; /* of the instruction being looked at */
	unsigned inputs_at;            /* `inputs` among the requests */
	unsigned cost;
	char said[512];
	size_t length;
};

static bool pack_from(struct brute *b, struct bundle *reg, unsigned n, unsigned q);

static bool pack_part(struct brute *b, struct bundle *reg, unsigned n, unsigned q, unsigned r, unsigned part)
{
	const struct request *w = &b->request[q];
	if (part == w->n)
		return one_kind(&reg[r]) && pack_from(b, reg, n, q + 1);
	struct bundle const before = reg[r];
	struct bundle tried[VIEWS];
	unsigned ntried = 0;
	for (unsigned v = 0; v < VIEWS; v++) {
		if (!view_allowed(w->freedom[part], v))
			continue;
		reg[r] = before;
		if (!put_through(&reg[r], &w->part[part], v))
			continue;
		bool again = false;
		for (unsigned t = 0; t < ntried && !again; t++) {
			again = tried[t].at == reg[r].at;
			for (unsigned l = 0; l < LANES && again; l++)
				again = !(reg[r].at >> l & 1) || same(&tried[t].n[l], &reg[r].n[l]);
		}
		if (again)
			continue;
		tried[ntried++] = reg[r];
		if (pack_part(b, reg, n, q, r, part + 1))
			return true;
		if (reg[r].at == before.at)
			break; /* it was there: what follows found no place anyway */
	}
	reg[r] = before;
	return false;
}

static bool pack_from(struct brute *b, struct bundle *reg, unsigned n, unsigned q)
{
	if (q == b->requests)
		return true;
	if (++b->best->steps > b->options->effort)
		return false;
	for (unsigned r = 0; r < n; r++) {
		if (pack_part(b, reg, n, q, r, 0))
			return true;
		if (reg[r].at == 0)
			break; /* empty registers are alike */
	}
	return false;
}

static bool packs(struct brute *b, unsigned n)
{
	struct bundle reg[8];
	memset(reg, 0, sizeof reg);
	return pack_from(b, reg, n, 0);
}

static bool deliverable(const struct brute *b, const struct bundle *w)
{
	for (unsigned p = 0; p < LANES; p++)
		if (w->at >> p & 1 && (w->n[p].pixel || (b->options->drop_in && of_application(&w->n[p]))))
			return false;
	return one_kind(w);
}

/* Can this register show all that, with new literals in its free lanes if it may take them? */
static bool const_shows(const struct request *w, unsigned part, const struct bundle *reg, bool may_add)
{
	if (part == w->n)
		return true;
	for (unsigned v = 0; v < VIEWS; v++) {
		struct bundle r = *reg;
		if (view_allowed(w->freedom[part], v) && put_through(&r, &w->part[part], v) &&
		    (may_add || r.at == reg->at) && const_shows(w, part + 1, &r, may_add))
			return true;
	}
	return false;
}

/* Can one constant register, old or new, show all that?  `only`: that one; -1: any. */
static bool const_has(const struct brute *b, const struct request *w, int only)
{
	for (int c = 0; c < 32; c++)
		if ((only < 0 || c == only) && b->old_const[c].at && const_shows(w, 0, &b->old_const[c], false))
			return true;
	if (only >= 0)
		return false;
	for (unsigned k = 0; k < w->n; k++)
		for (unsigned p = 0; p < LANES; p++)
			if (w->part[k].at >> p & 1 && (w->part[k].n[p].kind != ANY_KIND || of_application(&w->part[k].n[p])))
				return false;
	struct bundle empty = {.at = 0};
	return const_shows(w, 0, &empty, true);
}

static void say(struct brute *b, const char *format, ...) PRINTF_LIKE(2, 3);
static void say(struct brute *b, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (b->length < sizeof b->said - 1) {
		char *text = arena_vprintf(b->arena, format, list);
		size_t n = strlen(text);
		if (n > sizeof b->said - 1 - b->length)
			n = sizeof b->said - 1 - b->length;
		memcpy(b->said + b->length, text, n + 1);
		b->length += n;
	}
	va_end(list);
}

/* ---- the search -------------------------------------------------------------------------- */

static void look(struct brute *b, int i, unsigned k);

static bool stays(const struct brute *b, int i)
{
	return b->f->pixel[i] || b->kept[i] || is_output(&b->f->ps->instrs.at[i]);
}

static enum freedom freedom_of(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_SCALAR ? FREE_SCALAR
	       : ops[i->op].shape == SHAPE_TEX || is_output(i) ? FIXED
	                                                       : FREE;
}

static bool too_dear(struct brute *b)
{
	if (++b->best->steps > b->options->effort)
		return true;
	return b->cost > (b->best->found ? b->best->slots : b->options->most);
}

static void finish(struct brute *b)
{
	struct brute_result *best = b->best;
	bool less = !best->found || b->cost < best->slots;
	unsigned most = less ? b->options->texcoords : best->registers - 1;
	if (!less && best->registers == 0)
		return;
	for (unsigned n = 0; n <= most; n++) {
		if (!packs(b, n))
			continue;
		best->found = true;
		best->slots = b->cost;
		best->registers = n;
		best->plan = arena_copy(b->arena, b->said, b->length);
		return;
	}
}

/* Everything a choice may change, to come back to. */
struct mark {
	unsigned requests, makings, cost, inputs_at;
	size_t length;
	struct request inputs, consts;
};

static struct mark mark(const struct brute *b)
{
	return (struct mark){b->requests, b->makings, b->cost, b->inputs_at, b->length, b->inputs, b->consts};
}

static void back(struct brute *b, const struct mark *m)
{
	b->requests = m->requests;
	b->makings = m->makings;
	b->cost = m->cost;
	b->inputs_at = m->inputs_at;
	b->length = m->length;
	b->inputs = m->inputs;
	b->consts = m->consts;
}

static bool add_request(struct brute *b, const struct bundle *w, enum freedom f)
{
	if (!deliverable(b, w) || b->requests == MOST_REQUESTS)
		return false;
	struct request *q = &b->request[b->requests++];
	*q = (struct request){.n = 1};
	q->part[0] = *w;
	q->freedom[0] = f;
	return packs(b, b->options->texcoords);
}

/* Goes on with the next operand after making t was made or widened; `request` of it is up to date. */
static bool making_possible(struct brute *b, struct making *m, const struct bundle *base)
{
	if (m->how == FROM_CONST) {
		struct request q = {.n = 1, .freedom = {FREE}};
		q.part[0] = m->made;
		return const_has(b, &q, -1);
	}
	if (m->how == COMPUTED) {
		struct request q = {.n = 0};
		if (m->factor.at)
			q.part[q.n++] = m->factor;
		if (m->offset.at)
			q.part[q.n++] = m->offset;
		if (!const_has(b, &q, -1))
			return false;
	}
	if (!deliverable(b, base))
		return false;
	b->request[m->request].part[0] = *base;
	return packs(b, b->options->texcoords);
}

/* value = base * factor + offset with constant factor and offset? */
static bool relate(const struct number *value, const struct number *base, struct number *factor, struct number *offset)
{
	*factor = constant(1);
	*offset = sum(*value, negated(*base));
	if (!offset->pixel && offset->kind == ANY_KIND)
		return true;
	if (value->kind == ANY_KIND || base->kind != value->kind)
		return false;
	for (unsigned a = 0; a < APPS; a++) {
		uint64_t dv = add_mod(value->e[a][0], neg_mod(value->e[a][1]));
		uint64_t db = add_mod(base->e[a][0], neg_mod(base->e[a][1]));
		if (!db)
			return false;
		uint64_t q = mul_mod(dv, inverse(db));
		for (unsigned p = 0; p < POINTS; p++)
			factor->e[a][p] = q;
	}
	*offset = sum(*value, negated(product(*factor, *base)));
	return !offset->pixel && offset->kind == ANY_KIND;
}

static bool single_const(const struct brute *b, const struct number *n)
{
	struct request q = {.n = 1, .freedom = {FREE_SCALAR}};
	q.part[0].at = 1;
	q.part[0].n[0] = *n;
	return const_has(b, &q, -1);
}

/* The lanes `left` of `want` (in the places of making m) get a base each; then the search goes on. */
static void compute_lanes(struct brute *b, struct making *m, struct bundle *base, const struct bundle *want, unsigned lane,
                          int i, unsigned k)
{
	while (lane < LANES && (!(want->at >> lane & 1) || base->at >> lane & 1))
		lane++;
	if (lane == LANES) {
		struct making const before = *m;
		struct bundle const base_before = b->request[m->request].part[0];
		bool factors = false, offsets = false;
		struct number const one = constant(1), zero = constant(0);
		for (unsigned l = 0; l < LANES; l++) {
			factors |= want->at >> l & 1 && !same(&m->factor.n[l], &one);
			offsets |= want->at >> l & 1 && !same(&m->offset.n[l], &zero);
		}
		m->made = *want;
		m->factor.at = factors ? want->at : 0;
		m->offset.at = offsets ? want->at : 0;
		if ((factors || offsets) && making_possible(b, m, base))
			look(b, i, k + 1);
		*m = before;
		b->request[m->request].part[0] = base_before;
		return;
	}
	for (unsigned c = 0; c <= b->bases; c++) {
		struct number factor, offset;
		struct number const *from = c == b->bases ? &want->n[lane] : &b->base[c];
		if (c < b->bases && same(from, &want->n[lane]))
			continue;
		if (!relate(&want->n[lane], from, &factor, &offset) || !single_const(b, &factor) || !single_const(b, &offset))
			continue;
		struct bundle const was = *base;
		struct number const f = m->factor.n[lane], o = m->offset.n[lane];
		base->at |= (lanes)(1u << lane);
		base->n[lane] = *from;
		m->factor.n[lane] = factor;
		m->offset.n[lane] = offset;
		compute_lanes(b, m, base, want, lane + 1, i, k);
		*base = was;
		m->factor.n[lane] = f;
		m->offset.n[lane] = o;
	}
}

/* Widens making t to `want` (which contains what it makes), then goes on. */
static void widen(struct brute *b, unsigned t, const struct bundle *want, int i, unsigned k)
{
	struct making *m = &b->making[t];
	struct making const before = *m;
	struct bundle base = {.at = 0};
	if (m->how != FROM_CONST)
		base = b->request[m->request].part[0];
	struct bundle const old_base = base;
	switch (m->how) {
	case FROM_INPUT:
		base = *want;
		m->made = *want;
		if (making_possible(b, m, &base))
			look(b, i, k + 1);
		break;
	case FROM_CONST:
		m->made = *want;
		if (making_possible(b, m, &base))
			look(b, i, k + 1);
		break;
	case COMPUTED: compute_lanes(b, m, &base, want, 0, i, k); break;
	}
	b->making[t] = before;
	if (before.how != FROM_CONST)
		b->request[before.request].part[0] = old_base;
}

static void new_making(struct brute *b, const struct bundle *want, const struct making *like, int i, unsigned k)
{
	struct mark const m = mark(b);
	if (b->makings == MOST_MAKINGS || b->requests == MOST_REQUESTS)
		return;
	for (enum how how = FROM_INPUT; how <= COMPUTED; how++) {
		if (how == COMPUTED && like->beside)
			continue;
		struct making *t = &b->making[b->makings++];
		*t = *like;
		t->how = how;
		b->cost++;
		if (how != FROM_CONST) {
			t->request = b->requests;
			b->request[b->requests++] = (struct request){.n = 1, .freedom = {FREE}};
		}
		static const char *const names[] = {"mov t", "mov c", "computed"};
		say(b, " %d.%u:%s%s", i, k, names[how], like->beside ? " beside" : "");
		if (!too_dear(b))
			widen(b, b->makings - 1, want, i, k);
		back(b, &m);
	}
}

/* Lane by lane, as before.  Returns whether it still pays. */
static bool keep_lane(struct brute *b, int i, unsigned k, unsigned p)
{
	const struct src *src = &b->f->ps->instrs.at[i].src[k];
	int def = b->f->def[i][k][p];
	if (!stays(b, def))
		b->cost += op_slots((enum op)b->f->ps->instrs.at[def].op, b->f->ps->model);
	b->kept[def] |= (lanes)(1u << swizzle_lane(src->swizzle, p));
	return !too_dear(b);
}

static void keep(struct brute *b, int i, unsigned k, lanes at)
{
	struct mark const m = mark(b);
	lanes kept[MOST_INSTRS];
	memcpy(kept, b->kept, sizeof kept);
	say(b, " %d.%u:keep", i, k);
	bool good = true;
	for (unsigned p = 0; p < LANES && good; p++)
		if (at >> p & 1)
			good = keep_lane(b, i, k, p);
	if (good)
		look(b, i, k + 1);
	memcpy(b->kept, kept, sizeof kept);
	back(b, &m);
}

/* An operand that reads pixel lanes, too: each other lane of the register is there as before, or
 * written by a new instruction, several of them by one. */
static void beside(struct brute *b, int i, unsigned k, lanes left)
{
	const struct src *src = &b->f->ps->instrs.at[i].src[k];
	if (!left) {
		look(b, i, k + 1);
		return;
	}
	unsigned p = 0;
	while (!(left >> p & 1))
		p++;
	unsigned lane = swizzle_lane(src->swizzle, p);
	int def = b->f->def[i][k][p];
	for (unsigned q = 0; q < LANES; q++) /* the other positions of the same lane come with it */
		if (left >> q & 1 && swizzle_lane(src->swizzle, q) == lane)
			left &= (lanes)~(1u << q);
	if (b->kept[def] >> lane & 1) {
		beside(b, i, k, left);
		return;
	}
	for (unsigned t = 0; t < b->makings; t++) {
		if (b->making[t].beside && b->making[t].reg == src->index && b->making[t].made.at >> lane & 1 &&
		    b->making[t].after >= def && b->making[t].after < i) {
			beside(b, i, k, left);
			return;
		}
	}
	/* As before. */
	struct mark const m = mark(b);
	lanes const before = b->kept[def];
	if (keep_lane(b, i, k, p))
		beside(b, i, k, left);
	b->kept[def] = before;
	back(b, &m);
	/* New, with any of the others. */
	for (lanes with = left;; with = (with - 1) & left) {
		struct bundle want = {.at = (lanes)(1u << lane)};
		want.n[lane] = b->f->value[def][lane];
		struct making like = {.beside = true, .reg = src->index, .after = def};
		bool there = false;
		for (unsigned q = 0; q < LANES; q++) {
			if (!(with >> q & 1))
				continue;
			unsigned l = swizzle_lane(src->swizzle, q);
			int d = b->f->def[i][k][q];
			there |= b->kept[d] >> l & 1;
			want.at |= (lanes)(1u << l);
			want.n[l] = b->f->value[d][l];
			like.after = d > like.after ? d : like.after;
		}
		for (enum how how = FROM_INPUT; how <= FROM_CONST && !there; how++) {
			struct making *t = &b->making[b->makings];
			if (b->makings == MOST_MAKINGS || b->requests == MOST_REQUESTS)
				break;
			*t = like;
			t->how = how;
			t->made = want;
			b->makings++;
			b->cost++;
			say(b, " %d.%u:beside %s", i, k, how == FROM_CONST ? "c" : "t");
			bool possible;
			if (how == FROM_INPUT) {
				possible = add_request(b, &want, FREE);
				t->request = b->requests - 1;
			} else {
				struct request q = {.n = 1, .freedom = {FREE}};
				q.part[0] = want;
				possible = const_has(b, &q, -1);
			}
			if (possible && !too_dear(b))
				beside(b, i, k, left & (lanes)~with);
			back(b, &m);
		}
		if (!with)
			break;
	}
}

static bool port_is_free(const struct instr *i, int *only)
{
	*only = -1;
	if (ops[i->op].flags & OPF_TEX)
		return false;
	for (unsigned s = 0; s < ops[i->op].sources; s++)
		if (i->src[s].file == REG_CONST)
			*only = i->src[s].index;
	return true;
}

/* Every way to make the lanes of one operand that has no pixel lanes. */
static void choose(struct brute *b, int i, unsigned k, const struct bundle *want)
{
	const struct instr *instr = &b->f->ps->instrs.at[i];
	enum freedom freedom = freedom_of(instr);
	struct mark const m = mark(b);

	/* Straight from an interpolator: the same as the instruction's other operands. */
	b->inputs.part[b->inputs.n] = *want;
	b->inputs.freedom[b->inputs.n] = freedom;
	b->inputs.n++;
	say(b, " %d.%u:t", i, k);
	if (deliverable(b, want) && b->requests < MOST_REQUESTS) {
		if (b->inputs.n == 1)
			b->inputs_at = b->requests++;
		b->request[b->inputs_at] = b->inputs;
		if (packs(b, b->options->texcoords))
			look(b, i, k + 1);
		if (m.inputs.n)
			b->request[m.inputs_at] = m.inputs;
	}
	back(b, &m);

	/* Straight from a constant register. */
	int only;
	if (port_is_free(instr, &only)) {
		b->consts.part[b->consts.n] = *want;
		b->consts.freedom[b->consts.n] = freedom;
		b->consts.n++;
		say(b, " %d.%u:c", i, k);
		if (const_has(b, &b->consts, only))
			look(b, i, k + 1);
		back(b, &m);
	}

	/* From a temporary that another operand has already, perhaps wider. */
	for (unsigned t = 0; t < b->makings; t++) {
		for (unsigned v = 0; v < VIEWS; v++) {
			struct bundle wide = b->making[t].made;
			if (b->making[t].beside || !view_allowed(freedom, v) || !put_through(&wide, want, v))
				continue;
			say(b, " %d.%u:%s %u", i, k, wide.at == b->making[t].made.at ? "share" : "widen", t);
			if (wide.at == b->making[t].made.at)
				look(b, i, k + 1);
			else
				widen(b, t, &wide, i, k);
			back(b, &m);
		}
	}

	/* From a new one. */
	struct bundle tried[VIEWS];
	unsigned ntried = 0;
	for (unsigned v = 0; v < VIEWS; v++) {
		struct bundle made = {.at = 0};
		if (!view_allowed(freedom, v) || !put_through(&made, want, v))
			continue;
		bool again = false;
		for (unsigned t = 0; t < ntried && !again; t++) {
			again = tried[t].at == made.at;
			for (unsigned l = 0; l < LANES && again; l++)
				again = !(made.at >> l & 1) || same(&tried[t].n[l], &made.n[l]);
		}
		if (again)
			continue;
		tried[ntried++] = made;
		struct making like = {.beside = false, .reg = -1, .after = -1};
		new_making(b, &made, &like, i, k);
	}

	if (instr->src[k].file == REG_TEMP)
		keep(b, i, k, want->at);
}

static void look(struct brute *b, int i, unsigned k)
{
	if (too_dear(b))
		return;
	const struct instr *instr = &b->f->ps->instrs.at[i];
	if (k == ops[instr->op].sources) {
		/* What the instruction asked for stays asked for; the next one starts anew. */
		struct mark const m = mark(b);
		b->inputs.n = b->consts.n = 0;
		do
			i--;
		while (i >= 0 && !stays(b, i));
		if (i < 0)
			finish(b);
		else
			look(b, i, 0);
		back(b, &m);
		return;
	}
	const struct src *src = &instr->src[k];
	if (src->file != REG_TEMP && src->file != REG_TEXCOORD) {
		look(b, i, k + 1);
		return;
	}
	struct bundle want = {.at = 0};
	lanes read = instr_operand_lanes(b->f->ps, instr, k, whole(instr, b->f->pixel[i] | b->kept[i]));
	bool pixels = false;
	for (unsigned p = 0; p < LANES; p++) {
		if (!(read >> p & 1))
			continue;
		if (b->f->use[i][k][p].pixel) {
			pixels = true;
			continue;
		}
		want.at |= (lanes)(1u << p);
		want.n[p] = b->f->use[i][k][p];
	}
	if (!want.at)
		look(b, i, k + 1);
	else if (pixels)
		beside(b, i, k, want.at);
	else
		choose(b, i, k, &want);
}

static void add_base(struct brute *b, const struct number *n)
{
	if (n->pixel || n->kind == ANY_KIND)
		return;
	for (unsigned k = 0; k < b->bases; k++)
		if (same(&b->base[k], n))
			return;
	if (b->bases < MOST_CANDIDATES)
		b->base[b->bases++] = *n;
}

struct brute_result brute_force(struct arena *arena, const struct program *ps, const struct brute_options *options)
{
	struct brute_result result_ = {.finished = false};
	struct brute *b = arena_zero(arena, sizeof *b);
	b->f = arena_alloc(arena, sizeof *b->f);
	b->options = options;
	b->best = &result_;
	b->arena = arena;
	if (!find_facts(b->f, ps))
		return result_;
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		if (d->kind != DECL_DEF)
			continue;
		b->old_const[d->reg.index].at = MASK_XYZW;
		for (unsigned lane = 0; lane < LANES; lane++)
			b->old_const[d->reg.index].n[lane] = literal(d->value[lane]);
	}
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		for (unsigned lane = 0; lane < LANES && d->kind == DECL_PIXEL_INPUT && d->reg.file == REG_TEXCOORD; lane++) {
			struct number n = input_of(ps, d->reg.index, lane);
			add_base(b, &n);
			n = negated(n);
			add_base(b, &n);
		}
	}
	int last = -1;
	for (unsigned k = 0; k < b->f->n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		if (b->f->pixel[k] || is_output(i)) {
			b->cost += op_slots((enum op)i->op, ps->model);
			last = (int)k;
		}
		for (unsigned s = 0; s < ops[i->op].sources; s++) {
			if (i->src[s].file != REG_CONST)
				continue;
			b->old_const[i->src[s].index].at = MASK_XYZW;
			for (unsigned lane = 0; lane < LANES; lane++)
				b->old_const[i->src[s].index].n[lane] = constant_of(ps, i->src[s].index, lane);
		}
	}
	if (last >= 0)
		look(b, last, 0);
	result_.finished = result_.steps <= options->effort;
	return result_;
}
