/* Estimates how large values are, and finds sums that float arithmetic rounds by too much, see values_inside.h. */
#include "move/graph/values_inside.h"

#include "lang/rounding.h"

struct size size_of(const struct values *v, value_id id)
{
	const struct value *x = value_at(v, id);
	return x->known ? (struct size){(double)x->number, 0} : (struct size){x->offset, x->scale};
}

static double size_greatest(struct size x)
{
	return fmax(fabs(x.offset), x.scale);
}

struct size sizes_added(struct size a, struct size b)
{
	return (struct size){a.offset + b.offset, fmax(a.scale, b.scale)};
}

struct size sizes_multiplied(struct size a, struct size b)
{
	if (a.scale > 0 && b.scale > 0)
		return (struct size){0, size_greatest(a) * size_greatest(b)};
	return (struct size){a.offset * b.offset, a.scale > 0 ? a.scale * fabs(b.offset) : fabs(a.offset) * b.scale};
}

bool size_is_rounded(struct values *v, const struct size *added, unsigned n, struct size sum)
{
	double most = 0, least = (double)INFINITY;
	for (unsigned k = 0; k < n; k++) {
		most = fmax(most, size_greatest(added[k]));
		least = added[k].scale > 0 ? fmin(least, added[k].scale) : least;
	}
	bool const rounded = most >= FAR_APART * size_greatest(sum) && size_greatest(sum) > 0;
	bool const refused = rounded || (v->careful && most >= FAR_APART * least);
	v->rounds |= rounded;
	v->refused |= refused;
	return refused;
}

bool size_is_extreme(struct size x)
{
	return x.scale > 0 && (size_greatest(x) > FAR_FACTOR || size_greatest(x) < 1 / FAR_FACTOR);
}
