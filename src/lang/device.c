/* Limits of devices, see device.h. */
#include "lang/device.h"

#include "base/letters.h"

#include <string.h>

const struct device_limit_info device_limits[DEVICE_LIMITS] = {
#define LIMIT(id, name, cap, least, most, used) {name, #cap, least, most, used},
#include "lang/device.def"
#undef LIMIT
};

static unsigned value_of_limit(const struct device *d, enum device_limit of)
{
	return d->has[of] ? d->has[of] : device_limits[of].least;
}

enum device_limit device_slots_limit(enum model m)
{
	return m == PS_3_0 ? DEVICE_PS30_SLOTS : m == VS_3_0 ? DEVICE_VS30_SLOTS : DEVICE_LIMITS;
}

unsigned device_slots(const struct device *d, enum model m)
{
	enum device_limit const of = device_slots_limit(m);
	return of == DEVICE_LIMITS ? models[m].arith : value_of_limit(d, of);
}

unsigned device_consts(const struct device *d, enum model m)
{
	return m == VS_1_1 ? value_of_limit(d, DEVICE_VS_CONSTS) : models[m].consts;
}

/* ---- reading ---------------------------------------------------------------------------- */

/* Reads one NAME:NUMBER into the device.  Returns NULL, or the error. */
static const char *read_limit(struct arena *a, const char *at, size_t n, struct device *d)
{
	const char *colon = memchr(at, ':', n);
	size_t const length = colon ? (size_t)(colon - at) : n;
	unsigned of = 0, number = 0;
	while (of < DEVICE_LIMITS && (strlen(device_limits[of].name) != length || memcmp(device_limits[of].name, at, length) != 0))
		of++;
	int const shown = (int)(n < 40 ? n : 40);
	if (!colon || of == DEVICE_LIMITS)
		return arena_printf(a, "\"%.*s\" is none of ps30-slots:N, vs30-slots:N and vs-consts:N", shown, at);
	const struct device_limit_info *l = &device_limits[of];
	for (const char *p = colon + 1; p < at + n; p++)
		number = *p < '0' || *p > '9' || number > l->most ? l->most + 1 : number * 10 + (unsigned)(*p - '0');
	if (number < l->least || number > l->most)
		return arena_printf(a, "%s is %u to %u, as D3DCAPS9.%s, not \"%.*s\"", l->name, l->least, l->most, l->cap,
		                    shown - (int)length - 1 > 0 ? shown - (int)length - 1 : 0, colon + 1);
	if (d->has[of])
		return arena_printf(a, "%s is given twice", l->name);
	d->has[of] = (uint16_t)(number < l->used ? number : l->used);
	return NULL;
}

const char *device_read(struct arena *a, const char *text, size_t size, struct device *d)
{
	const char *end = text + size, *wrong = NULL;
	bool found = false;
	*d = (struct device){{0}};
	while (text < end && !wrong) {
		const char *stop = text;
		while (stop < end && *stop != ',' && *stop != '\n' && *stop != '#')
			stop++;
		const char *first = text, *last = stop;
		while (first < last && is_blank(*first))
			first++;
		while (last > first && is_blank(last[-1]))
			last--;
		bool const separated = stop < end && *stop == ',';
		if (first < last || separated)
			wrong = read_limit(a, first, (size_t)(last - first), d);
		found |= first < last;
		while (stop < end && *stop == '#' && (stop = memchr(stop, '\n', (size_t)(end - stop))) == NULL)
			stop = end;
		text = stop < end ? stop + 1 : end;
	}
	return wrong ? wrong : found ? NULL : "it has no limit, such as ps30-slots:2048";
}
