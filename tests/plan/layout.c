/* What registers can show, and whether a few interpolators can show everything that is asked for. */
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
	if (part == w->n)
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

static bool pack_from(struct brute *b, struct bundle *reg, unsigned n, unsigned q);

static bool pack_part(struct brute *b, struct bundle *reg, unsigned n, unsigned q, unsigned r, unsigned part)
{
	const struct request *w = &b->request[q];
	if (part == w->n)
		return one_kind(b->t, &reg[r]) && pack_from(b, reg, n, q + 1);
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
		if (pack_part(b, reg, n, q, r, part + 1))
			return true;
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
	for (unsigned r = 0; r < n; r++)
		if (request_shown(b->t, &b->request[q], &reg[r], false))
			return pack_from(b, reg, n, q + 1); /* no other place could leave more room */
	for (unsigned r = 0; r < n; r++) {
		bool empty = reg[r].at == 0;
		if (pack_part(b, reg, n, q, r, 0))
			return true;
		if (empty)
			break; /* empty registers are alike */
	}
	return false;
}

bool packs(struct brute *b, unsigned n)
{
	/* Often the last layout has what was asked for since. */
	bool all = true;
	for (unsigned q = 0; q < b->requests && all; q++) {
		all = false;
		for (unsigned r = 0; r < n && !all; r++)
			all = request_shown(b->t, &b->request[q], &b->packed[r], false);
	}
	for (unsigned r = n; r < 8; r++)
		all &= b->packed[r].at == 0;
	if (all)
		return true;
	struct bundle reg[8];
	memset(reg, 0, sizeof reg);
	if (!pack_from(b, reg, n, 0))
		return false;
	memcpy(b->packed, reg, sizeof reg);
	return true;
}

unsigned fewest_registers(const struct brute *b)
{
	uint64_t seen[MOST_NUMBERS / 64] = {0};
	unsigned n = 0;
	for (unsigned q = 0; q < b->requests; q++) {
		for (unsigned part = 0; part < b->request[q].n; part++) {
			const struct bundle *w = &b->request[q].part[part];
			for (unsigned l = 0; l < LANES; l++) {
				if (!(w->at >> l & 1))
					continue;
				number minus = number_minus(b->t, w->n[l]), one = w->n[l] < minus ? w->n[l] : minus;
				n += !(seen[one / 64] >> one % 64 & 1);
				seen[one / 64] |= UINT64_C(1) << one % 64;
			}
		}
	}
	return (n + LANES - 1) / LANES;
}
