/* Measures the rates of the machine that predictions are for, or reads them from the cache, see predict.h. */
#include "gpu/predict.h"

#include "cli/fit.h"
#include "cli/message.h"

struct predict predict_begin(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	bool const chosen = o->plan.given & GIVEN_TARGET;
	return (struct predict){.gpu = gpu, .target = chosen ? &o->plan.move.target : &targets[TARGET_H200], .cache = machine_cache(a),
	                        .fresh = o->fresh};
}

const char *predict_measure(struct arena *a, struct predict *p, enum image_format format)
{
	const char *note = NULL;
	struct rates *r = &p->machine.of[format];
	if (p->cache && !p->fresh && machine_load(a, p->cache, p->gpu, format, r, &note))
		return NULL;
	if (note)
		message_note("%s; the GPU is measured again", note);
	const char *wrong = machine_measure(a, p->gpu, format, r);
	note = p->cache ? NULL : "neither XDG_CACHE_HOME nor HOME is set";
	if (!wrong && p->cache)
		note = machine_store(a, p->cache, p->gpu, format, r);
	if (note && !wrong)
		message_note("%s; what was measured is not kept", note);
	return wrong;
}

void predict_print_rates(struct text *t, const struct predict *p, unsigned formats)
{
	double const us = 1e3;
	text_printf(t, "%-8s %8s %6s %8s %6s %8s %6s %8s %6s %8s %8s\n", "", "B1 GB/s", "L1 us", "B2 GB/s", "L2 us",
	            "B3 GB/s", "L3 us", "copies", "us", "pixel ns", "mad4 ns");
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct rates *r = &p->machine.of[f];
		if (formats >> f & 1)
			text_printf(t, "%-8s %8.2f %6.1f %8.2f %6.2f %8.2f %6.1f %8.2f %6.2f %8.4f %8.5f\n", image_formats[f].name, r->up.bandwidth,
			            r->up.latency / us, r->bandwidth, r->gpu.other / us, r->down.bandwidth, r->down.latency / us, r->copy.bandwidth,
			            r->copy.latency / us, r->fill, r->arith);
	}
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct rates *r = &p->machine.of[f];
		if (formats >> f & 1)
			text_printf(t, "%-8s " FIT_HANG "of what they were measured with, the models miss T1 by up to %.1f%%, T2 by %.1f%% (by reads) and %.1f%% "
			            "(by target), T3 by %.1f%%\n", image_formats[f].name, 100 * r->error.up, 100 * r->error.reads, 100 * r->error.work,
			            100 * r->error.down);
	}
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct rates *r = &p->machine.of[f];
		if (formats >> f & 1)
			text_printf(t, "%-8s " FIT_HANG "a pass takes %.2f us of the CPU; one to the same target %.2f us of the GPU and %.2f us of the CPU; "
			            "one that is timed by itself %.2f us\n", image_formats[f].name, r->cpu.other / us, r->gpu.same / us, r->cpu.same / us,
			            r->alone.other / us);
	}
}
