/* Scalar operations of one opcode that depend on each other nowhere become one vector operation: what they read is
 * made in lanes of one register, the program put in an order that allows it, and registers given anew.  As Larsen and
 * Amarasinghe pack superword statements, but for swizzles: a scalar may be in any lane, since all read it replicated.
 * tidy_join does so with what stands well. */
#include "move/graph/registers.h"
#include "move/cover/tidy.h"

#include "lang/check.h"

#include <string.h>

enum { MOST = 128, WORDS = MOST / 64 };

/* Definitions are named by their instruction, and so are webs (definitions that some operand reads together), by
 * the first of theirs; each web has a register of its own, of that number. */
struct node {
	struct instr i;
	int16_t def[MAX_SOURCES][LANES]; /* of each operand lane; -1: of no temporary */
	int16_t web;                     /* of what it writes; -1: no temporary */
	lanes used;                      /* of the web of that number */
	uint8_t defs;                    /* ... its definitions */
	bool vector;                     /* it wrote several lanes before anything was joined */
	bool exact;                      /* ... see tidy_is_exact */
};

struct weaver {
	struct tidy *t;
	uint32_t n;
	struct node *at, *kept;          /* [n]; as it was before what is being tried */
	uint64_t (*next)[WORDS];         /* instructions that must stay behind each */
	uint64_t (*behind)[WORDS];       /* ... be it through others */
	bool placed;                     /* a literal was made: the next one must see it */
};

static bool has(const uint64_t *set, uint32_t k)
{
	return set[k / 64] >> k % 64 & 1;
}

static void put(uint64_t *set, uint32_t k)
{
	set[k / 64] |= UINT64_C(1) << k % 64;
}

static bool is_scalar(const struct instr *i)
{
	return (i->dst.mask & (i->dst.mask - 1)) == 0;
}

/* ---- from the program -------------------------------------------------------------- */

static int web_of(const struct weaver *w, int k)
{
	while (w->at[k].web != k)
		k = w->at[k].web;
	return k;
}

static bool find_webs(struct weaver *w, const struct flow *f)
{
	const struct program *p = f->program;
	for (uint32_t k = 0; k < w->n; k++) {
		struct node *x = &w->at[k];
		x->i = p->instrs.at[k];
		x->vector = !is_scalar(&x->i);
		x->exact = tidy_is_exact(w->t, k);
		x->web = x->i.dst.file == REG_TEMP && instr_writes(&x->i) ? (int16_t)k : -1;
		memset(x->def, 0xff, sizeof x->def);
		for (uint32_t r = f->first[k]; r < f->first[k + 1]; r++) {
			const struct flow_read *read = &f->read[r];
			if (read->file != REG_TEMP)
				continue;
			if (read->def >= FLOW_INPUT || instr_rows(&x->i, read->source) > 1)
				return false;
			for (unsigned lane = 0; lane < LANES; lane++) {
				if (x->def[read->source][lane] < 0)
					continue;
				int a = web_of(w, x->def[read->source][lane]), b = web_of(w, (int)read->def);
				w->at[a > b ? a : b].web = (int16_t)(a > b ? b : a);
			}
			x->def[read->source][read->lane] = (int16_t)read->def;
		}
	}
	for (uint32_t k = 0; k < w->n; k++) {
		struct node *x = &w->at[k];
		if (x->web < 0)
			continue;
		x->web = (int16_t)web_of(w, x->web);
		w->at[x->web].used |= flow_clobbers(&x->i, x->i.dst.index);
		w->at[x->web].defs++;
		x->i.dst.index = x->web;
	}
	for (uint32_t k = 0; k < w->n; k++)
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (w->at[k].def[s][lane] >= 0)
					w->at[k].i.src[s].index = w->at[w->at[k].def[s][lane]].web;
	return true;
}

/* What must stay in order: definitions and their reads, reads and writes of one lane of a web, outputs and kills. */
static void find_order(struct weaver *w)
{
	for (uint32_t b = 0; b < w->n; b++) {
		const struct instr *y = &w->at[b].i;
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			for (unsigned lane = 0; lane < LANES; lane++)
				if (w->at[b].def[s][lane] >= 0)
					put(w->next[w->at[b].def[s][lane]], b);
		for (uint32_t a = 0; a < b; a++) {
			const struct instr *x = &w->at[a].i;
			bool first = w->at[a].web < 0 && w->at[b].web < 0;
			if (w->at[b].web >= 0 && w->at[w->at[b].web].defs > 1)
				first |= (flow_reads(w->t->p, x, REG_TEMP, w->at[b].web) | flow_clobbers(x, w->at[b].web)) & flow_clobbers(y, w->at[b].web);
			if (first)
				put(w->next[a], b);
		}
	}
}

static void find_behind(struct weaver *w)
{
	memcpy(w->behind, w->next, w->n * sizeof *w->behind);
	for (uint32_t k = 0; k < w->n; k++)
		for (uint32_t a = 0; a < w->n; a++)
			for (unsigned word = 0; has(w->behind[a], k) && word < WORDS; word++)
				w->behind[a][word] |= w->behind[k][word];
}

/* ---- lanes -------------------------------------------------------------------------- */

/* Does it write one lane of a register that nobody else writes? */
static bool is_loose(const struct weaver *w, int d)
{
	const struct node *x = &w->at[d];
	return x->web >= 0 && w->at[x->web].defs == 1 && instr_lanes_interchange(w->t->p, &x->i) &&
	       is_scalar(&x->i);
}

/* A loose definition into that free lane of a web, with all that read it. */
static bool relocate(struct weaver *w, int d, int web, unsigned lane)
{
	struct node *x = &w->at[d];
	unsigned const old = first_lane(x->i.dst.mask);
	if (x->web == web && old == lane)
		return true;
	instr_set_mask(&x->i, (lanes)(1u << lane));
	for (unsigned s = 0; ops[x->i.op].shape == SHAPE_LANES && s < ops[x->i.op].sources; s++) {
		unsigned const from = swizzle_lane(x->i.src[s].swizzle, old);
		int16_t const def = x->def[s][old];
		x->def[s][old] = -1;
		x->def[s][lane] = def;
		x->i.src[s].letters = 0;
		x->i.src[s].swizzle = from == lane ? SWIZZLE_XYZW : swizzle_replicate(from);
	}
	for (uint32_t k = 0; k < w->n; k++) {
		struct node *reader = &w->at[k];
		for (unsigned s = 0; s < MAX_SOURCES; s++) {
			bool reads = false;
			for (unsigned l = 0; l < LANES; l++)
				reads |= reader->def[s][l] == d;
			if (!reads)
				continue;
			unsigned const faults = check_instr_alone(w->t->p, &reader->i);
			reader->i.src[s].index = (int16_t)web;
			reader->i.src[s].letters = 0;
			reader->i.src[s].swizzle = swizzle_replicate(lane);
			if (check_instr_alone(w->t->p, &reader->i) > faults)
				return false;
		}
	}
	struct node *from = &w->at[x->web], *to = &w->at[web];
	from->used &= (lanes)~(1u << old);
	from->defs--;
	to->used |= (lanes)(1u << lane);
	to->defs++;
	x->web = (int16_t)web;
	x->i.dst.index = (int16_t)web;
	return true;
}

/* ---- joining ------------------------------------------------------------------------- */

static bool numbers_of(const struct weaver *w, const struct instr *i, unsigned s, float number[LANES])
{
	const struct src *src = &i->src[s];
	const struct decl *def = tidy_def(w->t, src);
	EACH_LANE(lane, def ? i->dst.mask : 0) {
		unsigned from = swizzle_lane(src->swizzle, lane);
		if (tidy_is_noted(w->t, src->index, from))
			return false;
		number[lane] = src->negate ? -def->value[from] : def->value[from];
	}
	return def != NULL;
}

/* Brings what operand `s` of both reads into one register, where it is loose. */
static bool gather_operand(struct weaver *w, uint32_t h, uint32_t g, unsigned s, const struct instr *both)
{
	struct node *host = &w->at[h], *guest = &w->at[g];
	unsigned const lane = first_lane(guest->i.dst.mask), own = first_lane(host->i.dst.mask);
	const struct src *a = &host->i.src[s], *b = &guest->i.src[s];
	if (a->file != REG_TEMP || b->file != REG_TEMP || a->index == b->index)
		return true;
	int const d = guest->def[s][lane], e = host->def[s][own];
	bool const scalar = is_scalar(&host->i), mine = is_loose(w, d);
	if (!mine && !(scalar && is_loose(w, e)))
		return false;
	/* Where both are loose, each gets the lane that its reader writes. */
	if (mine && scalar && is_loose(w, e) && !relocate(w, e, w->at[e].web, own))
		return false;
	int const web = mine ? a->index : b->index;
	unsigned to = LANES;
	for (unsigned l = 0; l < LANES; l++) {
		unsigned from[LANES];
		swizzle any;
		for (unsigned o = 0; o < LANES; o++)
			from[o] = (o == lane) == mine ? l : swizzle_lane(mine ? a->swizzle : b->swizzle, o);
		if (!(w->at[web].used >> l & 1) && tidy_swizzle(w->t, both, s, from, both->dst.mask, &any) && (to == LANES || l == lane))
			to = l;
	}
	return to < LANES && relocate(w, mine ? d : e, web, to);
}

/* Operand `s` of both in that of `both`. */
static bool join_operand(struct weaver *w, uint32_t h, uint32_t g, unsigned s, struct instr *both, struct literal_place *where)
{
	const struct node *host = &w->at[h], *guest = &w->at[g];
	unsigned const lane = first_lane(guest->i.dst.mask);
	const struct src *a = &host->i.src[s], *b = &guest->i.src[s];
	if (a->file == b->file && a->index == b->index && a->negate == b->negate && !a->relative && !b->relative) {
		unsigned from[LANES];
		for (unsigned l = 0; l < LANES; l++)
			from[l] = swizzle_lane(l == lane ? b->swizzle : a->swizzle, l);
		both->src[s] = *a;
		both->src[s].letters = 0;
		if (tidy_swizzle(w->t, both, s, from, both->dst.mask, &both->src[s].swizzle))
			return true;
	}
	float number[LANES] = {0};
	return !w->placed && where->decl == UINT32_MAX && numbers_of(w, &host->i, s, number) && numbers_of(w, &guest->i, s, number) &&
	       tidy_numbers(w->t, both, s, number, where);
}

/* Both as one, in lanes of the host's register; false: perhaps in part. */
static bool join(struct weaver *w, uint32_t h, uint32_t g, unsigned lane)
{
	struct node *host = &w->at[h], *guest = &w->at[g];
	struct literal_place where = {.decl = UINT32_MAX};
	if (host->web != guest->web && !relocate(w, (int)g, host->web, lane))
		return false;
	struct instr both = host->i;
	instr_set_mask(&both, host->i.dst.mask | guest->i.dst.mask);
	/* All of them first: one may be read by several operands. */
	EACH_SOURCE(s, &both)
		if (!gather_operand(w, h, g, s, &both))
			return false;
	EACH_SOURCE(s, &both)
		if (!join_operand(w, h, g, s, &both, &where))
			return false;
	if (check_instr_alone(w->t->p, &both) > check_instr_alone(w->t->p, &host->i) ||
	    (host->exact && !tidy_does_the_same(w->t, &host->i, &both, &where)) ||
	    (guest->exact && !tidy_does_the_same(w->t, &guest->i, &both, &where)))
		return false;
	host->exact |= guest->exact;
	EACH_SOURCE(s, &both)
		for (unsigned l = 0; l < LANES; l++)
			if (both.src[s].file != REG_TEMP)
				host->def[s][l] = -1;
			else if (guest->i.dst.mask >> l & 1)
				host->def[s][l] = guest->def[s][l];
	if (where.decl != UINT32_MAX) {
		tidy_place(w->t, &where);
		w->placed = true;
	}
	host->i = both;
	guest->i.op = OP_NOP;
	guest->web = -1;
	w->at[host->web].defs--;
	memset(guest->def, 0xff, sizeof guest->def);
	for (uint32_t k = 0; k < w->n; k++)
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			for (unsigned l = 0; l < LANES; l++)
				if (w->at[k].def[s][l] == (int16_t)g)
					w->at[k].def[s][l] = (int16_t)h;
	for (unsigned word = 0; word < WORDS; word++)
		w->next[h][word] |= w->next[g][word];
	memset(w->next[g], 0, sizeof w->next[g]);
	for (uint32_t k = 0; k < w->n; k++) {
		if (!has(w->next[k], g))
			continue;
		w->next[k][g / 64] &= ~(UINT64_C(1) << g % 64);
		put(w->next[k], h);
	}
	return true;
}

/* Could they be one, were it not for where things are?  Quickly, and not quite. */
static bool look_alike(const struct weaver *w, const struct instr *a, const struct instr *b)
{
	if (a->op != b->op || a->flags != b->flags || ops[a->op].shape != SHAPE_LANES || a->dst.file != REG_TEMP || b->dst.file != REG_TEMP)
		return false;
	bool alike = true;
	for (unsigned s = 0; alike && s < ops[a->op].sources; s++) {
		const struct src *x = &a->src[s], *y = &b->src[s];
		bool same = x->file == y->file && (x->file == REG_TEMP || x->index == y->index) && x->negate == y->negate;
		alike = same || (tidy_def(w->t, x) && tidy_def(w->t, y));
	}
	return alike;
}

/* Can what both read be brought together?  Quickly, and not quite. */
static bool may_gather(const struct weaver *w, uint32_t h, uint32_t g)
{
	const struct node *host = &w->at[h], *guest = &w->at[g];
	unsigned const lane = first_lane(guest->i.dst.mask), own = first_lane(host->i.dst.mask);
	bool may = true;
	for (unsigned s = 0; may && s < ops[host->i.op].sources; s++)
		if (host->i.src[s].file == REG_TEMP && guest->i.src[s].file == REG_TEMP && host->i.src[s].index != guest->i.src[s].index)
			may = is_loose(w, guest->def[s][lane]) || (is_scalar(&host->i) && is_loose(w, host->def[s][own]));
	return may;
}

static bool try_join(struct weaver *w, uint32_t h, uint32_t g)
{
	bool const together = w->at[h].web == w->at[g].web;
	if (!is_scalar(&w->at[g].i) || (together ? (w->at[h].i.dst.mask & w->at[g].i.dst.mask) != 0 : !is_loose(w, (int)g)) ||
	    !may_gather(w, h, g))
		return false;
	size_t const size = w->n * sizeof *w->at;
	memcpy(w->kept, w->at, size);
	for (unsigned lane = 0; lane < LANES; lane++) {
		if (together ? lane > 0 : w->at[w->at[h].web].used >> lane & 1)
			continue;
		if (join(w, h, g, lane))
			return true;
		memcpy(w->at, w->kept, size);
	}
	return false;
}

/* Scalars with each other, or with a vector, too, which would keep them from each other. */
static bool weave(struct weaver *w, bool vectors)
{
	bool any = false, known = false;
	for (uint32_t j = 0; j < w->n; j++) {
		for (uint32_t k = ops[w->at[j].i.op].shape == SHAPE_LANES ? j + 1 : w->n; k < w->n; k++) {
			if (w->at[j].i.op != w->at[k].i.op || !look_alike(w, &w->at[j].i, &w->at[k].i) || (!is_scalar(&w->at[j].i) && !is_scalar(&w->at[k].i)) ||
			    (!vectors && (w->at[j].vector || w->at[k].vector)))
				continue;
			if (!known)
				find_behind(w);
			known = true;
			if (has(w->behind[j], k) || has(w->behind[k], j) || (!try_join(w, j, k) && !try_join(w, k, j)))
				continue;
			any = true;
			known = false;
			if (w->at[j].i.op == OP_NOP)
				break;
		}
	}
	return any;
}

/* ---- to the program ------------------------------------------------------------------ */

/* The first that nothing must stand before, again and again: so the order changes little. */
static void write_out(const struct weaver *w, struct program *p)
{
	bool *done = arena_zero(w->t->arena, w->n);
	for (uint32_t m = 0; m < w->n; m++) {
		uint32_t k = 0;
		for (bool ready = false; !ready; k += !ready) {
			ready = !done[k];
			for (uint32_t a = 0; ready && a < w->n; a++)
				ready = done[a] || !has(w->next[a], k);
		}
		done[k] = true;
		p->instrs.at[m] = w->at[k].i;
	}
}

static unsigned faults_of(const struct program *p)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		n += check_instr_alone(p, &p->instrs.at[k]);
	return n;
}

/* False: the program is as it was.  `vectors`: left if there was anything to join. */
static bool vectors_of(struct tidy *t, bool *vectors)
{
	struct program *p = t->p;
	struct weaver w = {.t = t, .n = p->instrs.n};
	w.at = arena_zero(t->arena, w.n * sizeof *w.at);
	w.kept = arena_alloc(t->arena, w.n * sizeof *w.kept);
	w.next = arena_zero(t->arena, w.n * sizeof *w.next);
	w.behind = arena_alloc(t->arena, w.n * sizeof *w.behind);
	if (!find_webs(&w, tidy_flow(t))) {
		*vectors = false;
		return false;
	}
	const struct program *old = program_copy(t->arena, p);
	find_order(&w);
	bool any = weave(&w, false);
	any |= *vectors && weave(&w, true);
	*vectors &= any;
	if (!any)
		return false;
	struct program *new = program_copy(t->arena, p);
	write_out(&w, new);
	if (!regs_allocate(t->arena, new, t->limits->temps) || faults_of(new) > faults_of(old) ||
	    program_dependent_reads(new) > program_dependent_reads(old)) {
		*p = *old;
		return false;
	}
	memcpy(p->instrs.at, new->instrs.at, w.n * sizeof *p->instrs.at);
	for (uint32_t k = w.n; k-- > 0;)
		if (p->instrs.at[k].op == OP_NOP)
			tidy_remove(t, k);
	t->stale = true;
	return true;
}

bool tidy_vectors(struct tidy *t)
{
	const struct program *p = t->p;
	if (!t->limits || !t->limits->last || p->instrs.n > MOST)
		return false;
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		if (p->instrs.at[k].op == OP_SGN || p->instrs.at[k].dst.file == REG_ADDRESS)
			return false;
		for (uint32_t j = 0; j < k && !any; j++)
			any = (is_scalar(&p->instrs.at[j]) || is_scalar(&p->instrs.at[k])) &&
			      look_alike(&(struct weaver){.t = t}, &p->instrs.at[j], &p->instrs.at[k]);
	}
	return any && (vectors_of(t, &any) || (any && vectors_of(t, &(bool){false})));
}
