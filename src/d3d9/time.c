/* fpmove-d3d9 time: times draws of one pair, or of two pairs in turns, on the graphics adapter.
 *
 * The scene's triangles cover a target of 8 bits a lane; textures are small. */
#include "d3d9/timer.h"
#include "d3d9/validate.h"
#include "gpu/stats.h"

struct timing {
	struct drawer drawer;
	const struct d3d9_options *options;
	struct timer timer;
	struct pair pair[2];
	unsigned n, samples;
	struct turn turn[2]; /* the samples of each pair */
};

/* Draws a pair `draws` times without a pause, see turn_sample.  Returns the ns of one draw, or a number below 0 if the device fails. */
static double measure(void *timing, unsigned which, unsigned draws)
{
	struct timing *t = timing;
	const struct pair *p = &t->pair[which];
	struct scene const scene = {.seed = t->options->seed};
	const struct device *dev = &t->drawer.device;
	float vertex[VERTEX_FLOATS];
	draw_prepare(&t->drawer, &scene, p, SCENE_LINEAR, vertex);
	timer_start(&t->timer);
	for (unsigned k = 0; k < draws; k++)
		if (!draw_triangles(dev, p, SCENE_COLOUR, vertex))
			return -1;
	return timer_stop(&t->timer) / draws;
}

/* Makes a target, `size` pixels squared, and binds it in place of the device's small ones. */
static bool target_make(const struct device *dev, unsigned size)
{
	IDirect3DSurface9 *target;
	if (FAILED(IDirect3DDevice9_CreateRenderTarget(dev->d3d, size, size, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &target, NULL)))
		return false;
	for (unsigned i = 1; i < dev->targets; i++)
		IDirect3DDevice9_SetRenderTarget(dev->d3d, i, NULL);
	return SUCCEEDED(IDirect3DDevice9_SetRenderTarget(dev->d3d, 0, target));
}

static const char *prepare_timing(struct timing *t, const struct runtime *r, const struct files *f)
{
	struct scene const scene = {.seed = t->options->seed};
	const char *wrong = device_open(&t->drawer.device, r);
	for (unsigned k = 0; !wrong && k < t->n; k++)
		wrong = pair_of_files(t->drawer.arena, &t->drawer, t->options, f, &t->pair[k], k == 1);
	if (wrong)
		return wrong;
	if (!textures_make(&t->drawer.device, &scene, t->pair[0].texture, t->options->depths ? ~0u : 0, TEXELS_8BIT) ||
	    !target_make(&t->drawer.device, t->options->size))
		return "the device makes no textures or no target of that size";
	return timer_make(&t->timer, t->drawer.device.d3d) ? NULL : "the driver has no queries to time by";
}

static json_t *put_time(struct text *t, const char *vs, const char *ps, const struct quartiles *q)
{
	text_printf(t, "%s %s: %.0f ns a draw, half of the samples from %.0f to %.0f\n", vs, ps, q->median, q->low, q->high);
	return json_pack("{s:o,s:o,s:o}", "vs", report_name(t->arena, vs), "ps", report_name(t->arena, ps), "ns", json_quartiles(q));
}

static void put_all(struct timing *t, struct arena *a, struct text *lines, json_t *j, const struct files *f)
{
	json_t *times = json_array();
	for (unsigned k = 0; k < t->n; k++) {
		struct quartiles const q = quartiles_of(a, t->turn[k].ns, t->samples);
		json_array_append_new(times, put_time(lines, f->name[2 * k], f->name[2 * k + 1], &q));
	}
	json_object_set_new(j, "timer", json_string(timer_name(&t->timer)));
	json_object_set_new(j, "size", json_integer(t->options->size));
	json_object_set_new(j, "draws", json_integer(t->turn[0].draws));
	json_object_set_new(j, "samples", json_integer(t->samples));
	json_object_set_new(j, "times", times);
	if (t->n < 2)
		return;
	struct ratio const ratio = stats_ratio(t->turn[1].ns, t->turn[0].ns, t->samples, arena_alloc(a, t->samples * sizeof(double)));
	text_printf(lines, "ratio %.3f (%.3f to %.3f)\n", ratio.median, ratio.low, ratio.high);
	json_object_set_new(j, "ratio", json_ratio(&ratio));
}

int time_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct timing t = {.drawer = {.arena = a, .runtime = r}, .options = o, .n = o->words.n / 2};
	struct files f = {.map = o->constants_map};
	struct text lines = {.arena = a};
	for (uint32_t k = 0; k < o->words.n; k++)
		f.name[k] = o->words.at[k];
	const char *wrong = prepare_timing(&t, r, &f);
	if (!wrong && !(t.samples = turns_run(a, measure, &t, t.turn, t.n, o->seconds)))
		wrong = "the device fails while it draws";
	if (wrong)
		return message_usage("%s", wrong);
	json_t *j = report_head(a, r, &t.drawer.device);
	put_all(&t, a, &lines, j, &f);
	return report_end(a, o, j, &lines, EXIT_DONE);
}
