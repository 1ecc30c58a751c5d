/* fpmove-d3d9 calibrate: makes a cost profile of the graphics adapter here, by timing programs that gpu/calibration.c chooses; with --times, from
 * the times in a file that an earlier run wrote by --json. */
#include "cli/files.h"
#include "d3d9/constants.h"
#include "d3d9/draw.h"
#include "d3d9/modes.h"
#include "d3d9/timer.h"
#include "gpu/calibration.h"
#include "gpu/mesh.h"
#include "gpu/stats.h"

enum { SAMPLERS = 4, MOST_EDGE = 1024, CELL = 4, ONLY_2_0_ARITHMETIC = 64, ONLY_2_0_TEXTURE = 32 };

struct bench {
	struct drawer drawer;
	struct scene scene;
	struct timer timer;
	struct { VEC(struct pair); } pairs; /* one for each program that the device takes, in order */
	const struct round *round;
	IDirect3DSurface9 *target[MAX_COLOURS];
	IDirect3DVertexBuffer9 *vertices;
};

/* ---- programs -------------------------------------------------------------------------- */

static struct code code_from(const struct bench *b, const char *text)
{
	return code_of(b->drawer.arena, b->drawer.runtime, "a program of rates.c", text, strlen(text));
}

/* Marks a program of 2_x as ps_2_0 if the adapter has neither ps_3_0 nor all slots of ps_2_x.  Returns false if the program then has more
 * instructions than ps_2_0 allows. */
static bool lower_to_ps_2_0(const struct device *dev, const struct measured *m, struct code *ps)
{
	struct target const texture = {.tex = 1};
	if (dev->caps.PixelShaderVersion >= D3DPS_VERSION(3, 0) || dev->caps.PS20Caps.NumInstructionSlots >= D3DPS20_MAX_NUMINSTRUCTIONSLOTS)
		return true;
	uint64_t const reads = target_pixel(&texture, m->ps).tex / TARGET_UNIT;
	if (ps->token)
		ps->token[0] = D3DPS_VERSION(2, 0);
	return reads <= ONLY_2_0_TEXTURE && m->ps->instrs.n - reads <= ONLY_2_0_ARITHMETIC;
}

static bool takes(void *drawer, const struct measured *m)
{
	struct bench *b = drawer;
	struct pair p = {.vs = code_from(b, m->rate->vp), .ps = code_from(b, m->rate->fp)};
	if (lower_to_ps_2_0(&b->drawer.device, m, &p.ps) && !pair_make(b->drawer.arena, &p, &b->drawer.device)) {
		VEC_PUSH(b->drawer.arena, &b->pairs) = p;
		return true;
	}
	pair_free(&p);
	return false;
}

/* ---- drawing --------------------------------------------------------------------------- */

static void ground_free(struct bench *b)
{
	textures_free(&b->drawer.device);
	for (unsigned i = 0; i < MAX_COLOURS && b->target[i]; i++) {
		IDirect3DSurface9_Release(b->target[i]);
		b->target[i] = NULL;
	}
	if (b->vertices)
		IDirect3DVertexBuffer9_Release(b->vertices);
	b->vertices = NULL;
}

/* Makes the vertex buffer of a round for the inputs of its first program.  All programs of a calibration have the same inputs. */
static bool vertices_make(struct bench *b, const struct round *r)
{
	const struct pair *p = &b->pairs.at[r->which[0]];
	IDirect3DDevice9 *d3d = b->drawer.device.d3d;
	size_t const edge = (size_t)r->cells, count = edge * edge * GROUND_CELL_VERTICES;
	void *data;
	if (FAILED(IDirect3DDevice9_CreateVertexBuffer(d3d, (UINT)(count * p->ninputs * 4 * sizeof(float)), D3DUSAGE_WRITEONLY, 0, D3DPOOL_DEFAULT,
	                                               &b->vertices, NULL)) ||
	    FAILED(IDirect3DVertexBuffer9_Lock(b->vertices, 0, 0, &data, 0)))
		return false;
	float *at = data;
	for (size_t k = 0; k < count; k++) {
		float place[2];
		mesh_place(edge, k, place);
		for (unsigned in = 0; in < p->ninputs; in++)
			for (unsigned lane = 0; lane < 4; lane++)
				*at++ = p->inputs[in].usage == D3DDECLUSAGE_POSITION
				                ? mesh_position(place, lane)
				                : mesh_attribute(&b->scene, p->inputs[in].usage, p->inputs[in].index, place, lane);
	}
	return SUCCEEDED(IDirect3DVertexBuffer9_Unlock(b->vertices));
}

static bool ground_make(struct bench *b, const struct round *r)
{
	struct device *dev = &b->drawer.device;
	UINT const size = (UINT)r->size;
	for (unsigned i = 0; i < (r->part == PART_COLOURS ? dev->targets : 1); i++)
		if (FAILED(IDirect3DDevice9_CreateRenderTarget(dev->d3d, size, size, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &b->target[i], NULL)))
			return false;
	return textures_make_large(dev, &b->scene, SAMPLERS, size < MOST_EDGE ? size : MOST_EDGE) && vertices_make(b, r);
}

static void bind_bench_pair(const struct bench *b, const struct pair *p)
{
	const struct device *dev = &b->drawer.device;
	for (unsigned i = 0; i < dev->targets; i++)
		IDirect3DDevice9_SetRenderTarget(dev->d3d, i, i < p->targets ? b->target[i] : NULL);
	textures_bind(dev, SCENE_LINEAR);
	constants_set(dev, b->drawer.runtime, &b->scene, p);
	IDirect3DDevice9_SetVertexDeclaration(dev->d3d, p->declaration);
	IDirect3DDevice9_SetStreamSource(dev->d3d, 0, b->vertices, 0, (UINT)(p->ninputs * 4 * sizeof(float)));
	IDirect3DDevice9_SetVertexShader(dev->d3d, p->vertex[SCENE_COLOUR]);
	IDirect3DDevice9_SetPixelShader(dev->d3d, p->pixel[SCENE_COLOUR]);
}

static bool draw_times(const struct bench *b, unsigned draws)
{
	IDirect3DDevice9 *d3d = b->drawer.device.d3d;
	UINT const triangles = 2 * (UINT)(b->round->cells * b->round->cells);
	bool fine = SUCCEEDED(IDirect3DDevice9_BeginScene(d3d));
	for (unsigned k = 0; k < draws && fine; k++)
		fine = SUCCEEDED(IDirect3DDevice9_DrawPrimitive(d3d, D3DPT_TRIANGLELIST, 0, triangles));
	return SUCCEEDED(IDirect3DDevice9_EndScene(d3d)) && fine;
}

/* Times `draws` draws of program number `which` of the round, after one draw that pays for the change of programs.  Returns the ns of one
 * draw, or a number below 0 if the device fails. */
static double sample(void *drawer, unsigned which, unsigned draws)
{
	struct bench *b = drawer;
	bind_bench_pair(b, &b->pairs.at[b->round->which[which]]);
	if (!draw_times(b, 1))
		return -1;
	timer_start(&b->timer);
	return draw_times(b, draws) ? timer_stop(&b->timer) / draws : -1;
}

static const char *draw_measured_round(void *drawer, struct round *r)
{
	struct bench *b = drawer;
	struct turn *turn = arena_zero(b->drawer.arena, r->n * sizeof *turn);
	b->round = r;
	if (!ground_make(b, r))
		return "the device makes no targets, textures or vertices of that size";
	r->samples = turns_run(b->drawer.arena, sample, b, turn, r->n, r->seconds);
	for (uint32_t k = 0; k < r->n; k++)
		r->ns[k] = turn[k].ns;
	ground_free(b);
	return r->samples ? NULL : "the device fails while it draws";
}

/* ---- times of a file ------------------------------------------------------------------- */

struct replay {
	struct arena *arena;
	const json_t *rates;
	struct { VEC(struct quartiles); } times; /* ns per pixel, of each program that the file has */
};

static struct quartiles read_quartiles(const json_t *rate)
{
	const json_t *ns = json_object_get(rate, "ns_pixel");
	return (struct quartiles){json_number_value(json_object_get(ns, "low")), json_number_value(json_object_get(ns, "median")),
	                          json_number_value(json_object_get(ns, "high"))};
}

static bool are_times(const json_t *rates)
{
	for (size_t k = 0; k < json_array_size(rates); k++) {
		struct quartiles const q = read_quartiles(json_array_get(rates, k));
		if (!(q.low > 0 && q.low <= q.median && q.median <= q.high))
			return false;
	}
	return json_array_size(rates) > 0;
}

static bool rate_has(const json_t *rate, const char *key, const char *word)
{
	const char *there = json_string_value(json_object_get(rate, key));
	return there && strcmp(there, word) == 0;
}

static bool can_draw_measured(void *drawer, const struct measured *m)
{
	struct replay *p = drawer;
	for (size_t k = 0; k < json_array_size(p->rates); k++) {
		const json_t *rate = json_array_get(p->rates, k);
		if (!rate_has(rate, "family", m->rate->family) || !rate_has(rate, "name", m->rate->name))
			continue;
		VEC_PUSH(p->arena, &p->times) = read_quartiles(rate);
		return true;
	}
	return false;
}

/* Fills in a round without drawing: each program gets three samples, its lower quartile, median and upper quartile in the file. */
static const char *read_times(void *drawer, struct round *r)
{
	struct replay *p = drawer;
	double const pixels = (double)r->size * r->size;
	r->samples = 3;
	for (uint32_t k = 0; k < r->n; k++) {
		const struct quartiles *q = &p->times.at[r->which[k]];
		r->ns[k] = arena_alloc(p->arena, r->samples * sizeof *r->ns[k]);
		r->ns[k][0] = q->low * pixels;
		r->ns[k][1] = q->median * pixels;
		r->ns[k][2] = q->high * pixels;
	}
	return NULL;
}

/* Fits weights to the times in the file.  Returns NULL, or what is wrong.  Sets *all to the JSON of the file, which holds the name that
 * c->device points to; the caller frees it. */
static const char *calibrate_times(struct calibration *c, const char *file, json_t **all)
{
	struct source s;
	const char *why;
	struct replay p = {.arena = c->arena};
	if (!file_read_any(c->arena, file, &s, &why))
		return why;
	*all = json_loadb(s.text, s.size, 0, NULL);
	p.rates = json_object_get(*all, "rates");
	c->device = json_string_value(json_object_get(json_object_get(*all, "device"), "adapter"));
	c->largest = (int)json_integer_value(json_object_get(*all, "size"));
	if (!are_times(p.rates) || !c->device || c->largest < CALIBRATION_LEAST_SIZE)
		return arena_printf(c->arena, "%s has no times that fpmove-d3d9 calibrate --json wrote", file);
	c->seconds = (double)INFINITY;
	c->drawer = &p;
	c->takes = can_draw_measured;
	c->draw = read_times;
	const char *wrong = calibration_run(c);
	c->samples = (unsigned)json_integer_value(json_object_get(*all, "samples"));
	return wrong ? arena_printf(c->arena, "%s: %s", file, wrong) : NULL;
}

/* ---- report and profile ---------------------------------------------------------------- */

static json_t *rates_json(const struct calibration *c)
{
	json_t *list = json_array();
	for (uint32_t k = 0; k < c->all.n; k++) {
		const struct measured *m = &c->all.at[k];
		json_array_append_new(list, json_pack("{s:s,s:s,s:o,s:o}", "family", m->rate->family, "name", m->rate->name, "pixels_per_vertex",
		                                      json_number(c->timings[k].pixels_per_vertex), "ns_pixel", json_quartiles(&m->ns)));
	}
	return list;
}

/* Returns the most pixels along a side of a target: no more than a texture may have, and no more than the triangles of one draw can cover
 * with cells of CELL pixels a side, two triangles each. */
static int largest(const D3DCAPS9 *caps)
{
	DWORD const most = caps->MaxTextureWidth < caps->MaxTextureHeight ? caps->MaxTextureWidth : caps->MaxTextureHeight;
	double const cells = sqrt((double)caps->MaxPrimitiveCount / 2);
	return cells * CELL < most ? (int)(cells * CELL) : (int)most;
}

static bool write_profile(const struct calibration *c, const struct d3d9_options *o)
{
	struct text const profile = calibration_profile(c);
	return file_write(c->arena, o->output, &profile);
}

static int of_times(struct calibration *c, const struct d3d9_options *o)
{
	struct text lines = {.arena = c->arena};
	json_t *all = NULL;
	const char *wrong = calibrate_times(c, o->times, &all);
	if (wrong)
		message_error("%s", wrong);
	else
		calibration_tell(c, &lines);
	bool const good = !wrong && write_profile(c, o) && print_lines(o, &lines);
	json_decref(all);
	return good ? EXIT_DONE : EXIT_USAGE;
}

/* Measures the adapter and writes the profile.  Writes the times as JSON even if no weights can be fitted to them. */
static int of_device(struct calibration *c, const struct runtime *r, const struct d3d9_options *o)
{
	struct bench b = {.drawer = {.arena = c->arena, .runtime = r}, .scene = {.seed = 1}};
	struct text lines = {.arena = c->arena};
	const char *wrong = r->assemble ? device_open(&b.drawer.device, r) : NO_D3DX;
	if (!wrong && !timer_make(&b.timer, b.drawer.device.d3d))
		wrong = "the driver has no queries to time by";
	if (wrong)
		return message_usage("%s", wrong);
	c->device = b.drawer.device.adapter.Description;
	c->largest = largest(&b.drawer.device.caps);
	c->seconds = o->seconds;
	c->drawer = &b;
	c->takes = takes;
	c->draw = draw_measured_round;
	wrong = calibration_run(c);
	json_t *j = report_head(c->arena, r, &b.drawer.device);
	json_object_set_new(j, "timer", json_string(timer_name(&b.timer)));
	json_object_set_new(j, "size", json_integer(c->size));
	json_object_set_new(j, "samples", json_integer(c->samples));
	json_object_set_new(j, "rates", rates_json(c));
	if (wrong)
		message_error("%s", wrong);
	else
		calibration_tell(c, &lines);
	return report_end(c->arena, o, j, &lines, !wrong && write_profile(c, o) ? EXIT_DONE : EXIT_USAGE);
}

int calibrate_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct calibration c = {.arena = a, .format = "rgba8"};
	if (!file_may_write(a, o->output))
		return EXIT_USAGE;
	return o->times ? of_times(&c, o) : of_device(&c, r, o);
}
