/* One instruction that reads one interpolator twice, for the planner's search: base + factor * step, where
 * base and step are two views of a register, such as (u, v) and (du, dv) in `add r.xy, t0, t0.wzyx`, and
 * the factor is a small one or in a constant register.  A register that carries a coordinate and a step so
 * serves a whole line of coordinates, and one that carries two of a line the others.
 *
 * It saves lanes only by reading what others ask for, too.  So what it reads is left open until all else is
 * decided; then each lane takes a base and a step that are carried anyway, or brings new ones, fewer than the
 * lanes themselves would be. */
#include "move/cut/search.h"

#include <string.h>

enum {
	FACTORS = 2 * MOST_STEPS - 1 + 32,    /* whole numbers of steps, whole parts of one, and constants of the FP */
	CARRIED = 4 * INTERPOLATORS * LANES, /* values and their opposites */
	PRODUCTS = 8192,                     /* a power of 2 above the product of these */
	PLACES = 2 * CARRIED,
	NEWCOMER = 30, /* steps of the search that one is worth */
	OPTIONS = 256  /* of one lane */
};

/* A value that is carried for this instruction only: what is missing from the base in lane k, in so many steps;
 * no steps: the base itself. */
struct newcomer {
	uint32_t print;
	unsigned k, steps;
	value_id base;
	unsigned at; /* ... among what is carried */
	bool looked, shared; /* once `looked`: another open instruction can have it as a step */
	uint32_t product[FACTORS]; /* fingerprints, with each factor */
};

/* What a lane reads: a carried value and its sign, or a newcomer's. */
struct step {
	value_id id; /* NO_VALUE: the newcomer's */
	uint8_t newcomer;
	bool negate;
	bool own; /* `id` is the lane's own value, and a newcomer */
	uint8_t factor;
};

/* A base and a step that others ask for, by place among what is carried. */
struct option {
	uint8_t base, step, factor;
};

struct pairing {
	struct search *s;
	uint32_t making;
	struct pattern want;
	value_id carried[CARRIED]; /* first what is asked for, then inputs as they are and lanes' own; each beside its opposite */
	uint32_t print[CARRIED];
	unsigned asked, n;
	value_id factor[FACTORS];  /* 1, 2, 1/2, 3, 1/3 ... */
	uint32_t size[FACTORS];    /* their fingerprints */
	unsigned factors;
	uint16_t product[PRODUCTS]; /* hash of factor * carried, by fingerprint: 1 + CARRIED * factor + carried */
	uint16_t place[PLACES];     /* hash of what is carried: 1 + carried */
	struct newcomer new[3 * LANES];
	unsigned nnew, spare;      /* how many more there can be */
	uint64_t beside[CARRIED / 2]; /* of each of those with its opposite: which others are in a request with it */
	bool can;                  /* the VP can deliver the lanes themselves, as far as is known */
	unsigned most_steps;       /* of which a gap can consist if others are to share one */
	unsigned lane[LANES], lanes; /* in the order in which they are decided: those with few options first */
	struct option option[LANES][OPTIONS];
	unsigned options[LANES];
	struct split split[LANES]; /* of what no interpolator brings; of others beside it, with a step of zero */
	lanes lines;               /* what can be nothing but that */
	value_id base[LANES];
	struct step step[LANES];
	struct making closed; /* what the lanes so far make of the instruction */
	uint32_t held[LANES]; /* fingerprints of what these read of the one interpolator, or of its opposite */
	unsigned nheld;
};

static bool is_open(const struct making *m)
{
	return m->make == MAKE_PAIR && !m->base.positions;
}

static uint32_t print_of(const struct pairing *p, value_id id)
{
	return value_at(p->s->values, id)->print.a;
}

static uint32_t opposite(uint32_t print)
{
	return fingerprint_difference(0, print);
}

static bool is_among(const value_id *list, unsigned n, value_id id)
{
	for (unsigned k = 0; k < n; k++)
		if (list[k] == id)
			return true;
	return false;
}

static bool delivers(const struct pairing *p, value_id id)
{
	if (id == NO_VALUE || !search_delivers(p->s, &(struct pattern){.positions = MASK_X, .value = {id}}))
		return false;
	if (!p->s->full || value_raw_input(p->s->values, id) >= 0)
		return true;
	const struct value *x = value_at(p->s->values, id);
	value_id const offset = x->class == VALUE_AFFINE ? x->constant : id;
	return !value_at(p->s->values, offset)->known || search_brings_literal(p->s, offset);
}

/* ---- what there is ------------------------------------------------------------------------ */

static void carry(struct pairing *p, value_id id)
{
	if (!value_is_movable(p->s->values, id) || is_among(p->carried, p->n, id) || p->n + 2 > CARRIED)
		return;
	p->carried[p->n++] = id;
	p->carried[p->n++] = value_negated(p->s->values, id);
	p->print[p->n - 2] = print_of(p, id);
	p->print[p->n - 1] = opposite(p->print[p->n - 2]);
}

static void find_carried(struct pairing *p)
{
	const struct search *s = p->s;
	for (uint32_t q = s->own; q < s->requests.n; q++)
		for (unsigned k = 0; k < s->requests.at[q].n; k++)
			for (unsigned l = 0; l < LANES; l++)
				if (s->requests.at[q].pattern[k].positions >> l & 1)
					carry(p, s->requests.at[q].pattern[k].value[l]);
	p->asked = p->n;
	for (uint32_t q = s->own; q < s->requests.n; q++) {
		uint64_t together = 0;
		for (unsigned k = 0; k < s->requests.at[q].n; k++)
			for (unsigned l = 0; l < LANES; l++)
				if (s->requests.at[q].pattern[k].positions >> l & 1)
					for (unsigned c = 0; c < p->asked; c++)
						if (p->carried[c] == s->requests.at[q].pattern[k].value[l])
							together |= UINT64_C(1) << c / 2;
		for (unsigned c = 0; c < p->asked / 2; c++)
			if (together >> c & 1)
				p->beside[c] |= together;
	}
	for (unsigned k = 0; k < INTERPOLATORS * LANES && (!p->can || (s->few && s->newcomers)); k++)
		carry(p, s->values->input[k]);
	for (unsigned l = 0; l < LANES && !p->can; l++)
		if (p->want.positions >> l & 1 && delivers(p, p->want.value[l]))
			carry(p, p->want.value[l]);
}

static void find_factors(struct pairing *p)
{
	struct values *v = p->s->values;
	p->factor[p->factors++] = v->one;
	for (unsigned k = 2; k <= MOST_STEPS; k++) {
		p->factor[p->factors++] = value_of_literal(v, (float)k);
		p->factor[p->factors] = value_make(v, CONST_RCP, &p->factor[p->factors - 1], 1);
		p->factors++;
	}
	for (unsigned r = 0; r < PS_CONSTS; r++) {
		for (unsigned l = 0; l < LANES && p->factors < FACTORS; l++) {
			value_id const id = p->s->plan.consts[r][l];
			if (id != NO_VALUE && id != v->zero && !is_among(p->factor, p->factors, id) &&
			    !is_among(p->factor, p->factors, value_negated(v, id)))
				p->factor[p->factors++] = id;
		}
	}
}

static void find_places(struct pairing *p)
{
	for (unsigned c = 0; c < p->n; c++) {
		unsigned at = p->print[c] % PLACES;
		while (p->place[at])
			at = (at + 1) % PLACES;
		p->place[at] = (uint16_t)(1 + c);
	}
}

static void find_products(struct pairing *p)
{
	for (unsigned f = 0; f < p->factors; f++)
		p->size[f] = print_of(p, p->factor[f]);
	for (unsigned f = 0; f < p->factors; f++) {
		for (unsigned c = 0; c < p->n; c++) {
			unsigned at = fingerprint_product(p->size[f], p->print[c]) % PRODUCTS;
			while (p->product[at])
				at = (at + 1) % PRODUCTS;
			p->product[at] = (uint16_t)(1 + f * CARRIED + c);
		}
	}
}

static bool can_deliver(const struct pairing *p)
{
	for (uint32_t t = p->making; t < p->s->plan.makings.n; t++)
		if (is_open(&p->s->plan.makings.at[t]) && !search_delivers(p->s, &p->s->plan.makings.at[t].pattern))
			return false;
	return true;
}

/* How many values the instruction can bring: fewer than there are lanes to make, if the VP can deliver
 * these, and what finds room. */
static void find_spare(struct pairing *p)
{
	const struct search *s = p->s;
	value_id missing[INTERPOLATORS * LANES];
	unsigned n = 0;
	for (uint32_t t = p->making; t < s->plan.makings.n; t++) {
		const struct making *m = &s->plan.makings.at[t];
		if (!is_open(m))
			continue;
		for (unsigned l = 0; l < LANES; l++)
			if (m->pattern.positions >> l & 1 && !is_among(p->carried, p->asked, m->pattern.value[l]) &&
			    !is_among(missing, n, m->pattern.value[l]) && n < INTERPOLATORS * LANES &&
			    !is_among(missing, n, value_find_negated(s->values, m->pattern.value[l])))
				missing[n++] = m->pattern.value[l];
	}
	unsigned const room = s->texcoords * LANES, taken = p->asked / 2;
	p->most_steps = n > 2 ? MOST_STEPS : 1;
	p->spare = !p->can ? room : s->few ? n : n - (n > 0); /* where as many bring no more, they may have better places */
	if (p->spare + taken > room)
		p->spare = room > taken ? room - taken : 0;
	if (p->spare > s->newcomers)
		p->spare = s->newcomers;
}

/* ---- all ways ------------------------------------------------------------------------------- */

static void set(struct search *s, struct pattern *p, unsigned k, value_id id)
{
	value_negated(s->values, id); /* so that it is known what its opposite is */
	search_set_lane(s->values, p, k, id);
}

/* The newcomer's value; NO_VALUE: there is none. */
static value_id value_of(const struct pairing *p, const struct newcomer *n)
{
	struct values *v = p->s->values;
	if (!n->steps)
		return n->base;
	value_id const gap = value_sum(v, p->want.value[n->k], value_negated(v, n->base));
	return gap == NO_VALUE || n->steps == 1 ? gap : value_product(v, gap, p->factor[2 * n->steps - 2]);
}

/* What the lane reads, exactly; false: only the fingerprints were alike. */
static bool read_lane(const struct pairing *p, struct making *m, unsigned k)
{
	struct values *v = p->s->values;
	const struct step *t = &p->step[k];
	value_id step = t->id == NO_VALUE ? value_of(p, &p->new[t->newcomer]) : t->id, factor = p->factor[t->factor];
	if (step == NO_VALUE)
		return false;
	if (t->negate && t->id == NO_VALUE)
		step = value_negated(v, step);
	if (t->negate && t->id != NO_VALUE)
		factor = value_negated(v, factor);
	value_id const part = value_product(v, step, factor);
	set(p->s, &m->base, k, p->base[k]);
	set(p->s, &m->step, k, step);
	set(p->s, &m->factor, k, factor);
	return part != NO_VALUE && value_sum(v, p->base[k], part) == p->want.value[k];
}

/* Can another instruction that is open have it as a step? */
static bool is_shared(const struct pairing *p, const struct newcomer *n)
{
	for (uint32_t t = p->making + 1; t < p->s->plan.makings.n; t++) {
		const struct making *m = &p->s->plan.makings.at[t];
		for (unsigned l = 0; is_open(m) && l < LANES; l++) {
			if (!(m->pattern.positions >> l & 1))
				continue;
			for (unsigned f = 0; f < 2 * p->factors; f++) {
				uint32_t const part = fingerprint_product(p->size[f / 2], f & 1 ? opposite(n->print) : n->print);
				uint32_t const base = fingerprint_difference(print_of(p, m->pattern.value[l]), part);
				for (unsigned at = base % PLACES; p->place[at]; at = (at + 1) % PLACES)
					if (p->place[at] <= p->asked && p->print[p->place[at] - 1u] == base)
						return true;
			}
		}
	}
	return false;
}

/* Each lane brings a value, and one of these no other has use for: the lanes themselves would do. */
static bool is_vain(struct pairing *p)
{
	unsigned readers[2 * LANES] = {0};
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->want.positions >> k & 1))
			continue;
		if (p->step[k].id != NO_VALUE && !p->step[k].own)
			return false;
		readers[p->step[k].newcomer]++;
	}
	for (unsigned n = 0; n < p->nnew && p->can; n++) {
		if (!p->new[n].looked)
			p->new[n].shared = is_shared(p, &p->new[n]);
		p->new[n].looked = true;
		if (readers[n] == 1 && !p->new[n].shared)
			return true;
	}
	return false;
}

/* Can one constant register and one interpolator bring what the lanes so far read? */
static bool ask(struct pairing *p)
{
	struct making *m = &p->s->plan.makings.at[p->making];
	struct request here = {.n = 0};
	bool plain = true;
	*m = p->closed;
	for (unsigned k = 0; k < LANES; k++)
		plain &= !(m->factor.positions >> k & 1) || m->factor.value[k] == p->s->values->one;
	if (plain)
		m->factor.positions = 0;
	return (plain || search_const_register(p->s, &m->factor, 1, -1) >= 0) && search_add(p->s, &m->base, &here) &&
	       search_ask(p->s, &m->step, &here);
}

/* The lanes have what they read: on to the next instruction that is open. */
static void close_making(struct pairing *p)
{
	struct search *s = p->s;
	struct making const open = s->plan.makings.at[p->making];
	struct search_mark mark;
	if (is_vain(p) || !search_pay(s))
		return;
	search_mark(s, &mark);
	if (ask(p))
		search_close_pairs(s);
	s->plan.makings.at[p->making] = open;
	search_undo(s, &mark);
}

static void close_lane(struct pairing *p, unsigned at);

/* Is there a lane of the interpolator for it? */
static bool hold(struct pairing *p, uint32_t print)
{
	for (unsigned k = 0; k < p->nheld; k++)
		if (p->held[k] == print || p->held[k] == opposite(print))
			return true;
	if (p->nheld == LANES)
		return false;
	p->held[p->nheld++] = print;
	return true;
}

/* The lane at hand reads this; on to the next one, if there is a way for those up to here. */
static void take(struct pairing *p, unsigned at, struct step step)
{
	struct search *s = p->s;
	unsigned const k = p->lane[at], held = p->nheld;
	if (!hold(p, print_of(p, p->base[k])) || !hold(p, step.id == NO_VALUE ? p->new[step.newcomer].print : print_of(p, step.id))) {
		p->nheld = held;
		return;
	}
	struct making const before = p->closed, open = s->plan.makings.at[p->making];
	p->step[k] = step;
	bool good = read_lane(p, &p->closed, k) && delivers(p, p->closed.base.value[k]) && delivers(p, p->closed.step.value[k]);
	if (good && at + 1 < p->lanes) {
		struct search_mark mark;
		search_mark(s, &mark);
		good = search_pay(s) && ask(p);
		s->plan.makings.at[p->making] = open;
		search_undo(s, &mark);
	}
	if (good)
		close_lane(p, at + 1);
	p->closed = before;
	p->nheld = held;
}

static void welcome(struct pairing *p, struct newcomer n, uint32_t print, unsigned at)
{
	struct search *s = p->s;
	bool const last = at + 1 == p->lanes;
	n.print = print;
	for (unsigned f = 0; f < p->factors && !last; f++)
		n.product[f] = fingerprint_product(p->size[f], print);
	p->new[p->nnew++] = n;
	p->spare--;
	s->work -= s->work < NEWCOMER ? s->work : NEWCOMER;
	s->gave_up |= s->work == 0;
}

static void dismiss(struct pairing *p)
{
	p->nnew--;
	p->spare++;
}

static bool is_newcomer(const struct pairing *p, value_id id)
{
	for (unsigned n = 0; n < p->nnew; n++)
		if (!p->new[n].steps && p->new[n].base == id)
			return true;
	return false;
}

/* What nobody asked for becomes a newcomer; false: there is no room for it. */
static bool bring(struct pairing *p, unsigned at, unsigned c, bool *comes)
{
	*comes = c >= p->asked && !is_newcomer(p, p->carried[c & ~1u]);
	if (*comes && !p->spare)
		return false;
	if (*comes)
		welcome(p, (struct newcomer){.base = p->carried[c & ~1u], .at = c}, p->print[c & ~1u], at);
	return true;
}

/* A step of zero is one whatever the factor is: one, or what a constant register has that takes no literals. */
static bool is_idle(const struct pairing *p, unsigned c, unsigned factor)
{
	return p->carried[c] == p->s->values->zero && (c & 1 || (factor && value_at(p->s->values, p->factor[factor])->known));
}

/* A step that is carried; with its opposite, too, if the lane is not the first: an operand has one sign. */
static void take_step(struct pairing *p, unsigned at, value_id base, unsigned c, unsigned factor)
{
	p->base[p->lane[at]] = base;
	take(p, at, (struct step){.id = p->carried[c], .factor = (uint8_t)factor});
	if (at)
		take(p, at, (struct step){.id = p->carried[c ^ 1], .factor = (uint8_t)factor, .negate = true});
}

/* Beside this base, a step that is carried, from the `from`-th on. */
static void take_carried(struct pairing *p, unsigned at, value_id base, uint32_t print, unsigned from)
{
	uint32_t const gap = fingerprint_difference(print_of(p, p->want.value[p->lane[at]]), print);
	for (unsigned h = gap % PRODUCTS; p->product[h]; h = (h + 1) % PRODUCTS) {
		unsigned const f = (p->product[h] - 1u) / CARRIED, c = (p->product[h] - 1u) % CARRIED;
		bool comes;
		if (c < from || fingerprint_product(p->size[f], p->print[c]) != gap || is_idle(p, c, f) || !bring(p, at, c, &comes))
			continue;
		take_step(p, at, base, c, f);
		if (comes)
			dismiss(p);
	}
}

/* The same of what others ask for, base and step. */
static void find_options(struct pairing *p)
{
	for (unsigned k = 0; k < LANES; k++) {
		if (!(p->want.positions >> k & 1))
			continue;
		for (unsigned b = 0; b < p->asked && !(p->lines >> k & 1); b++) {
			uint32_t const gap = fingerprint_difference(print_of(p, p->want.value[k]), p->print[b]);
			for (unsigned h = gap % PRODUCTS; p->product[h]; h = (h + 1) % PRODUCTS) {
				unsigned const f = (p->product[h] - 1u) / CARRIED, c = (p->product[h] - 1u) % CARRIED;
				if (c >= p->asked || fingerprint_product(p->size[f], p->print[c]) != gap || is_idle(p, c, f) || (b & 1 && p->carried[b] == p->s->values->zero))
					continue;
				if (p->options[k] == OPTIONS)
					p->s->gave_up = true;
				else
					p->option[k][p->options[k]++] = (struct option){(uint8_t)b, (uint8_t)c, (uint8_t)f};
			}
		}
		unsigned at = p->lanes++;
		for (; at > 0 && p->options[p->lane[at - 1]] > p->options[k]; at--)
			p->lane[at] = p->lane[at - 1];
		p->lane[at] = k;
	}
}

/* The lane's own value, carried for this instruction: twice that, less what it is. */
static void take_itself(struct pairing *p, unsigned at)
{
	enum { TWICE = 1 };
	unsigned const k = p->lane[at];
	value_id const own = p->want.value[k], minus = value_negated(p->s->values, own);
	if (!p->spare || is_newcomer(p, own) || is_newcomer(p, minus) || is_among(p->carried, p->n, own))
		return;
	struct step step = {.id = own, .own = true, .newcomer = (uint8_t)p->nnew, .factor = TWICE};
	welcome(p, (struct newcomer){.base = own}, print_of(p, own), at);
	p->base[k] = minus;
	take(p, at, step);
	step.id = minus;
	step.negate = true;
	if (at)
		take(p, at, step);
	dismiss(p);
}

/* The n-th newcomer as the step, beside a base that is there. */
static void take_newcomer(struct pairing *p, unsigned at, unsigned n)
{
	unsigned const k = p->lane[at];
	for (unsigned f = 0; f < p->factors; f++) {
		for (unsigned negate = 0; negate < 2; negate++) {
			uint32_t const part = p->new[n].product[f];
			uint32_t const base = fingerprint_difference(print_of(p, p->want.value[k]), negate ? opposite(part) : part);
			struct step const step = {.id = NO_VALUE, .newcomer = (uint8_t)n, .factor = (uint8_t)f, .negate = negate};
			for (unsigned h = base % PLACES; p->place[h]; h = (h + 1) % PLACES) {
				bool comes;
				if (p->print[p->place[h] - 1u] != base || !bring(p, at, p->place[h] - 1u, &comes))
					continue;
				p->base[k] = p->carried[p->place[h] - 1u];
				take(p, at, step);
				if (comes)
					dismiss(p);
			}
			for (unsigned o = 0; o < p->nnew; o++) {
				if (p->new[o].print != base && p->new[o].print != opposite(base))
					continue;
				value_id const id = value_of(p, &p->new[o]);
				p->base[k] = id == NO_VALUE || p->new[o].print == base ? id : value_negated(p->s->values, id);
				if (id != NO_VALUE)
					take(p, at, step);
			}
		}
	}
}

/* The first of the newcomers that are steps; NULL: there is none. */
static const struct newcomer *first_step(const struct pairing *p)
{
	for (unsigned n = 0; n < p->nnew; n++)
		if (p->new[n].steps)
			return &p->new[n];
	return NULL;
}

/* A step that nobody carries. */
static void take_new_step(struct pairing *p, unsigned at, unsigned c)
{
	unsigned const k = p->lane[at];
	uint32_t const gap = fingerprint_difference(print_of(p, p->want.value[k]), p->print[c]);
	value_id const base = p->carried[c];
	const struct newcomer *first = first_step(p);
	for (unsigned steps = 1; gap && p->spare && steps <= p->most_steps; steps++) {
		if (first && p->can && first->steps != steps)
			continue; /* as many for all lanes */
		unsigned const size = steps == 1 ? 0 : 2 * steps - 3;
		struct newcomer const new = {.base = base, .at = c, .k = k, .steps = steps};
		if (!p->can && !delivers(p, value_of(p, &new)))
			return;
		welcome(p, new, steps == 1 ? gap : fingerprint_product(gap, p->size[size + 1]), at);
		p->base[k] = base;
		take(p, at, (struct step){.id = NO_VALUE, .newcomer = (uint8_t)(p->nnew - 1), .factor = (uint8_t)size});
		dismiss(p);
	}
}

/* What nobody asks for as base or step of the lane at hand. */
static void take_new(struct pairing *p, unsigned at)
{
	const struct newcomer *first = first_step(p);
	for (unsigned c = 0; c < p->n && p->spare && p->s->work; c++) {
		bool const there = c < p->asked || is_newcomer(p, p->carried[c & ~1u]);
		if (first && p->can && !(p->beside[c / 2] >> first->at / 2 & 1))
			continue; /* several come beside a coordinate, or the like */
		if (!there) {
			welcome(p, (struct newcomer){.base = p->carried[c & ~1u], .at = c}, p->print[c & ~1u], at);
			take_carried(p, at, p->carried[c], p->print[c], 0);
		}
		if (!there || c % 2 == 0 || p->lanes > 1)
			take_new_step(p, at, c);
		if (!there)
			dismiss(p);
	}
}

/* What no interpolator brings has one factor at most, and so one base and one step.  False: one of these cannot come. */
static bool find_lines(struct pairing *p)
{
	struct values *v = p->s->values;
	value_id missing[2 * LANES], of = NO_VALUE;
	unsigned n = 0;
	for (unsigned k = 0; k < LANES; k++) {
		p->split[k].of = NO_VALUE;
		if (!(p->want.positions >> k & 1) || !search_split(p->s, p->want.value[k], &p->split[k]))
			continue;
		p->lines |= (lanes)(1u << k);
		of = p->split[k].of;
		value_id const needs[2] = {p->split[k].rest, p->split[k].slope};
		for (unsigned i = 0; i < 2; i++) {
			if (!delivers(p, needs[i]))
				return false;
			if (!is_among(p->carried, p->asked, needs[i]) && !is_among(missing, n, needs[i]) && !is_among(missing, n, value_negated(v, needs[i])))
				missing[n++] = needs[i];
		}
	}
	for (unsigned k = 0; k < LANES && p->lines; k++)
		if (!(p->lines >> k & 1))
			p->split[k] = (struct split){of, p->want.value[k], v->zero};
	return n <= p->spare;
}

/* As take_newcomer(), of what is there in any case or comes; false: there is no room for it. */
static bool come(struct pairing *p, unsigned at, value_id id, bool *comes)
{
	*comes = !is_among(p->carried, p->asked, id) && !is_newcomer(p, id) && !is_newcomer(p, value_negated(p->s->values, id));
	if (*comes && !p->spare)
		return false;
	if (*comes)
		welcome(p, (struct newcomer){.base = id}, print_of(p, id), at);
	return true;
}

/* The base and step of its split; a step of zero with whatever constant stands beside the others'. */
static void take_line(struct pairing *p, unsigned at)
{
	bool const idle = !(p->lines >> p->lane[at] & 1);
	const struct split *line = &p->split[p->lane[at]];
	value_id const minus = value_negated(p->s->values, line->slope), of = value_negated(p->s->values, line->of);
	for (unsigned f = 0; f < p->factors; f++) {
		bool const opposite_factor = p->factor[f] == of;
		bool base, step;
		if (idle ? value_at(p->s->values, p->factor[f])->known : p->factor[f] != line->of && !opposite_factor)
			continue;
		if (come(p, at, line->rest, &base)) {
			if (come(p, at, line->slope, &step)) {
				p->base[p->lane[at]] = line->rest;
				take(p, at, (struct step){.id = opposite_factor ? minus : line->slope, .factor = (uint8_t)f});
				if (at)
					take(p, at, (struct step){.id = opposite_factor ? line->slope : minus, .factor = (uint8_t)f, .negate = true});
				if (step)
					dismiss(p);
			}
			if (base)
				dismiss(p);
		}
	}
}

static void close_lane(struct pairing *p, unsigned at)
{
	if (at == p->lanes) {
		close_making(p);
		return;
	}
	if (p->s->work == 0 || !search_pays(p->s, -1, 0, false))
		return;
	unsigned const before = p->nnew, k = p->lane[at];
	if (p->split[k].of != NO_VALUE)
		take_line(p, at);
	if (p->lines >> k & 1)
		return;
	for (unsigned o = 0; o < p->options[k]; o++)
		take_step(p, at, p->carried[p->option[k][o].base], p->option[k][o].step, p->option[k][o].factor);
	for (unsigned c = 0; c < p->asked && p->spare; c++)
		take_carried(p, at, p->carried[c], p->print[c], p->asked);
	for (unsigned n = 0; n < before; n++) {
		take_newcomer(p, at, n);
		for (unsigned negate = 0; negate < 2 && !p->new[n].steps; negate++)
			take_carried(p, at, negate ? value_negated(p->s->values, p->new[n].base) : p->new[n].base,
			             negate ? opposite(p->new[n].print) : p->new[n].print, 0);
	}
	if (!p->spare)
		return;
	take_itself(p, at);
	take_new(p, at);
}

void search_close_pairs(struct search *s)
{
	uint32_t t = 0;
	while (t < s->plan.makings.n && !is_open(&s->plan.makings.at[t]))
		t++;
	if (t == s->plan.makings.n) {
		search_next(s);
		return;
	}
	if (!search_pay(s))
		return;
	struct pairing p = {.s = s, .making = t, .want = s->plan.makings.at[t].pattern};
	p.closed = s->plan.makings.at[t];
	p.closed.base = p.closed.step = p.closed.factor = (struct pattern){.reach = REACH_ANY};
	p.can = can_deliver(&p);
	find_carried(&p);
	find_spare(&p);
	if (!find_lines(&p))
		return;
	find_places(&p);
	find_factors(&p);
	find_products(&p);
	find_options(&p);
	if (p.spare || p.options[p.lane[0]] || p.lines)
		close_lane(&p, 0);
}

bool search_may_pair(const struct search *s, const struct pattern *p)
{
	for (unsigned k = 0; k < LANES; k++)
		if (p->positions >> k & 1 && (value_at(s->values, p->value[k])->wild || value_at(s->values, p->value[k])->tied || search_line_of(s, p->value[k]) == MANY_VALUES))
			return false;
	return s->pairs && !(s->roomy && search_delivers(s, p)); /* else an interpolator can bring it as it is */
}
