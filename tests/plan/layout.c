/* Tells which operands a register can serve, and whether a few interpolators can serve all requests. */
#include "exhaustive.h"

#include <string.h>

static const swizzle reachable[8] = {
	SWIZZLE_XYZW, SWIZZLE(1, 2, 0, 3), SWIZZLE(2, 0, 1, 3), SWIZZLE(3, 2, 1, 0),
	SWIZZLE(0, 0, 0, 0), SWIZZLE(1, 1, 1, 1), SWIZZLE(2, 2, 2, 2), SWIZZLE(3, 3, 3, 3),
};

bool view_allowed(enum freedom f, unsigned v)
{
	switch (f) {
	case FREE: break;
	case FREE_SCALAR: return v % 8 >= 4;
	case FREE_LANE: return v >= 4 && v < 8;
	case FIXED: return v == 0;
	}
	return true;
}

bool put_through(const struct numbers *t, struct bundle *reg, const struct bundle *want, unsigned v)
{
	for (unsigned p = 0; p < LANES; p++) {
		if (!(want->at >> p & 1))
			continue;
		unsigned lane = swizzle_lane(reachable[v % 8], p);
		number n = v / 8 ? number_minus(t, want->n[p]) : want->n[p];
		if (reg->at >> lane & 1 && reg->n[lane] != n)
			return false;
		reg->at |= (lanes)(1u << lane);
		reg->n[lane] = n;
	}
	return true;
}

bool bundle_same(const struct bundle *a, const struct bundle *b)
{
	for (unsigned l = 0; l < LANES; l++)
		if (a->at >> l & 1 && a->n[l] != b->n[l])
			return false;
	return a->at == b->at;
}

bool one_kind(const struct numbers *t, const struct bundle *b)
{
	uint8_t kind = ANY_KIND;
	for (unsigned p = 0; p < LANES; p++) {
		if (!(b->at >> p & 1) || t->at[b->n[p]].kind == ANY_KIND)
			continue;
		if (kind != ANY_KIND && t->at[b->n[p]].kind != kind)
			return false;
		kind = t->at[b->n[p]].kind;
	}
	return true;
}

static bool shown_from(const struct numbers *t, const struct request *w, unsigned part, struct bundle *reg, bool add)
{
	if (part >= MAX_SOURCES || part == w->n)
		return true;
	struct bundle const before = *reg;
	for (unsigned v = 0; v < VIEWS; v++) {
		*reg = before;
		if (view_allowed(w->freedom[part], v) && put_through(t, reg, &w->part[part], v) && (add || reg->at == before.at) &&
		    shown_from(t, w, part + 1, reg, add))
			return true;
	}
	*reg = before;
	return false;
}

bool request_shown(const struct numbers *t, const struct request *w, struct bundle *reg, bool add)
{
	return shown_from(t, w, 0, reg, add);
}

/* ---- packing ---------------------------------------------------------------------------- */

/* The state of packing: the requests, those with few places first. */
struct packing {
	const struct request *request[MOST_REQUESTS];
	unsigned requests;
	struct bundle reg[8];
};

static bool pack_from(struct brute *b, struct packing *p, unsigned n, unsigned q);

static bool pack_part(struct brute *b, struct packing *p, unsigned n, unsigned q, unsigned r, unsigned part)
{
	const struct request *w = p->request[q];
	struct bundle *reg = p->reg;
	if (part >= MAX_SOURCES || part == w->n)
		return one_kind(b->t, &reg[r]) && pack_from(b, p, n, q + 1);
	struct bundle const before = reg[r];
	struct bundle tried[VIEWS];
	unsigned ntried = 0;
	for (unsigned v = 0; v < VIEWS; v++) {
		reg[r] = before;
		if (!view_allowed(w->freedom[part], v) || !put_through(b->t, &reg[r], &w->part[part], v))
			continue;
		bool again = false;
		for (unsigned k = 0; k < ntried && !again; k++)
			again = bundle_same(&tried[k], &reg[r]);
		if (again)
			continue;
		tried[ntried++] = reg[r];
		if (pack_part(b, p, n, q, r, part + 1))
			return true;
	}
	reg[r] = before;
	return false;
}

/* Counts the values that the requests from the q-th on need and no register has; a value and its negation count as one. */
static unsigned missing(const struct brute *b, const struct packing *p, unsigned n, unsigned q)
{
	uint64_t seen[MOST_NUMBERS / 64] = {0};
	unsigned count = 0;
	for (unsigned r = 0; r < n; r++) {
		for (unsigned l = 0; l < LANES; l++) {
			if (!(p->reg[r].at >> l & 1))
				continue;
			number const k = p->reg[r].n[l], minus = number_minus(b->t, k);
			seen[k / 64] |= UINT64_C(1) << k % 64;
			seen[minus / 64] |= UINT64_C(1) << minus % 64;
		}
	}
	for (; q < p->requests; q++) {
		for (unsigned part = 0; part < p->request[q]->n; part++) {
			const struct bundle *w = &p->request[q]->part[part];
			for (unsigned l = 0; l < LANES; l++) {
				if (!(w->at >> l & 1) || seen[w->n[l] / 64] >> w->n[l] % 64 & 1)
					continue;
				number const minus = number_minus(b->t, w->n[l]);
				seen[w->n[l] / 64] |= UINT64_C(1) << w->n[l] % 64;
				seen[minus / 64] |= UINT64_C(1) << minus % 64;
				count++;
			}
		}
	}
	return count;
}

static bool pack_from(struct brute *b, struct packing *p, unsigned n, unsigned q)
{
	if (q == p->requests)
		return true;
	if (++b->best->steps > b->options->effort)
		return false;
	for (unsigned r = 0; r < n; r++)
		if (request_shown(b->t, p->request[q], &p->reg[r], false))
			return pack_from(b, p, n, q + 1); /* no other place leaves more room */
	unsigned free = 0;
	for (unsigned r = 0; r < n; r++)
		for (unsigned l = 0; l < LANES; l++)
			free += !(p->reg[r].at >> l & 1);
	if (missing(b, p, n, q) > free)
		return false;
	for (unsigned r = 0; r < n; r++) {
		bool empty = p->reg[r].at == 0;
		if (pack_part(b, p, n, q, r, 0))
			return true;
		if (empty)
			break; /* empty registers are alike */
	}
	return false;
}

/* Estimates the number of places of a request in an empty register. */
static unsigned places(const struct request *w)
{
	unsigned count = 0, bits = 0;
	bool fixed = false;
	for (unsigned part = 0; part < w->n; part++) {
		for (unsigned l = 0; l < LANES; l++)
			bits += w->part[part].at >> l & 1;
		fixed |= w->freedom[part] == FIXED;
	}
	count = bits < 8 ? 8 - bits : 0;
	return fixed ? count : count + 8;
}

uint64_t mix(uint64_t print, uint64_t with)
{
	print = (print ^ with) * UINT64_C(0x9e3779b97f4a7c15);
	return print ^ print >> 29;
}

uint64_t bundle_print(uint64_t print, const struct bundle *w)
{
	print = mix(print, w->at);
	for (unsigned l = 0; l < LANES; l++)
		print = w->at >> l & 1 ? mix(print, w->n[l]) : print;
	return print;
}

uint64_t requests_print(const struct brute *b)
{
	uint64_t sum = 1;
	for (unsigned q = 0; q < b->requests; q++) {
		const struct request *w = &b->request[q];
		uint64_t print = w->n;
		for (unsigned part = 0; part < w->n; part++)
			print = bundle_print(mix(print, w->freedom[part]), &w->part[part]);
		sum += mix(print, 0);
	}
	return sum;
}

bool packs(struct brute *b, unsigned n)
{
	struct packing p;
	p.requests = 0;
	if (fewest_registers(b) > n)
		return false;
	for (unsigned q = 0; q < b->requests; q++) {
		unsigned const few = places(&b->request[q]);
		unsigned at = p.requests++;
		for (; at > 0 && places(p.request[at - 1]) > few; at--)
			p.request[at] = p.request[at - 1];
		p.request[at] = &b->request[q];
	}
	uint64_t const print = mix(requests_print(b), n);
	unsigned const at = print % ANSWERS;
	if (b->asked[at] != print) {
		memset(p.reg, 0, sizeof p.reg);
		bool const answer = pack_from(b, &p, n, 0);
		if (b->best->steps > b->options->effort)
			return answer;
		b->asked[at] = print;
		b->answer[at] = answer;
	}
	return b->answer[at];
}

unsigned fewest_registers(const struct brute *b)
{
	uint64_t seen[MOST_NUMBERS / 64] = {0};
	number fixed[LANES][8];
	unsigned n = 0, most = 0, nfixed[LANES] = {0};
	for (unsigned q = 0; q < b->requests; q++) {
		for (unsigned part = 0; part < b->request[q].n; part++) {
			const struct bundle *w = &b->request[q].part[part];
			for (unsigned l = 0; l < LANES; l++) {
				if (!(w->at >> l & 1))
					continue;
				number minus = number_minus(b->t, w->n[l]), one = w->n[l] < minus ? w->n[l] : minus;
				n += !(seen[one / 64] >> one % 64 & 1);
				seen[one / 64] |= UINT64_C(1) << one % 64;
				if (b->request[q].freedom[part] != FIXED)
					continue;
				unsigned k = 0; /* a lane that is read in place has one value */
				while (k < nfixed[l] && fixed[l][k] != w->n[l])
					k++;
				if (k == nfixed[l] && k < 8)
					fixed[l][nfixed[l]++] = w->n[l];
				most = nfixed[l] > most ? nfixed[l] : most;
			}
		}
	}
	return (n + LANES - 1) / LANES > most ? (n + LANES - 1) / LANES : most;
}
