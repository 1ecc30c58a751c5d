/* Draws pairs, see draw.h. */
#include "d3d9/draw.h"

#include "d3d9/constants.h"

#include <math.h>

enum { SHIFTS = 4 };

/* The images of one pair in one scene, one for each enum scene_target. */
typedef scene_image images[SCENE_TARGETS];

static bool read_float_target(const struct device *dev, unsigned target, float (*to)[4])
{
	D3DLOCKED_RECT from;
	if (FAILED(IDirect3DDevice9_GetRenderTargetData(dev->d3d, dev->target[target], dev->copy)) ||
	    FAILED(IDirect3DSurface9_LockRect(dev->copy, &from, NULL, D3DLOCK_READONLY)))
		return false;
	for (unsigned y = 0; y < SCENE_SIZE; y++)
		memcpy(to[y * SCENE_SIZE], (char *)from.pBits + y * (size_t)from.Pitch, SCENE_SIZE * PIXEL_BYTES);
	IDirect3DSurface9_UnlockRect(dev->copy);
	return true;
}

bool draw_triangles(const struct device *dev, const struct pair *p, enum scene_target what, const float *vertex)
{
	IDirect3DDevice9_SetVertexShader(dev->d3d, p->vertex[what]);
	IDirect3DDevice9_SetPixelShader(dev->d3d, p->pixel[what]);
	return SUCCEEDED(IDirect3DDevice9_BeginScene(dev->d3d)) &&
	       SUCCEEDED(IDirect3DDevice9_DrawPrimitiveUP(dev->d3d, dev->points ? D3DPT_POINTLIST : D3DPT_TRIANGLELIST,
	                                                  dev->points ? 3 * SCENE_TRIANGLES : SCENE_TRIANGLES, vertex, 16 * p->ninputs)) &&
	       SUCCEEDED(IDirect3DDevice9_EndScene(dev->d3d));
}

/* Draws the pair once and reads the images: all colours to out[0], out[1] and so on, or output `what` to out[0].  Lane x of oDepth, oFog or oPts
 * fills all lanes of its image.  Returns false if the device fails. */
static bool draw_float_image(const struct device *dev, const struct pair *p, enum scene_target what, const float *vertex, scene_image *out)
{
	IDirect3DDevice9 *d3d = dev->d3d;
	unsigned const targets = what == SCENE_COLOUR ? p->targets : 1;
	for (unsigned i = 0; i < dev->targets; i++)
		IDirect3DDevice9_SetRenderTarget(d3d, i, i < targets ? dev->target[i] : NULL);
	for (unsigned i = 0; i < targets; i++)
		if (FAILED(IDirect3DDevice9_UpdateSurface(d3d, dev->clear, NULL, dev->target[i], NULL)))
			return false;
	if (!draw_triangles(dev, p, what, vertex))
		return false;
	for (unsigned i = 0; i < targets; i++)
		if (!read_float_target(dev, i, out[i]))
			return false;
	for (unsigned i = 0; what != SCENE_COLOUR && what != SCENE_POSITION && i < SCENE_PIXELS; i++)
		out[0][i][1] = out[0][i][2] = out[0][i][3] = out[0][i][0];
	return true;
}

static void make_vertices(const struct scene *scene, const struct pair *p, float *to)
{
	for (unsigned i = 0; i < SCENE_TRIANGLES * 3; i++)
		for (unsigned in = 0; in < p->ninputs; in++)
			for (unsigned lane = 0; lane < 4; lane++)
				*to++ = scene_attribute(scene, p->inputs[in].usage, p->inputs[in].index, scene_corner(i / 3, i % 3), lane);
}

void draw_prepare(const struct drawer *d, const struct scene *scene, const struct pair *p, enum scene_filter filter, float vertex[VERTEX_FLOATS])
{
	make_vertices(scene, p, vertex);
	textures_bind(&d->device, filter);
	constants_set(&d->device, d->runtime, scene, p);
	IDirect3DDevice9_SetVertexDeclaration(d->device.d3d, p->declaration);
}

/* Draws each output that the pair writes to a target of floats, and copies it to its image in `out`. */
static bool draw_pair(const struct drawer *d, const struct scene *scene, const struct pair *p, enum scene_filter filter, scene_image *out)
{
	float vertex[VERTEX_FLOATS];
	draw_prepare(d, scene, p, filter, vertex);
	if (!draw_float_image(&d->device, p, SCENE_COLOUR, vertex, out))
		return false;
	for (enum scene_target t = SCENE_DEPTH; t < SCENE_TARGETS; t++)
		if (p->writes[t] && !draw_float_image(&d->device, p, t, vertex, out + t))
			return false;
	return true;
}

static bool is_textured(const struct device *dev)
{
	for (unsigned i = 0; i < MAX_SAMPLERS; i++)
		if (dev->texture[i])
			return true;
	return false;
}

/* Draws a pair in a scene and passes its images to `take`.  If there are textures and `kind` is IMAGE_FLOAT, the pair is drawn with both
 * filters, otherwise with SCENE_POINT alone. */
static bool draw_filters(const struct drawer *d, const struct taking *t, enum image_kind kind, const struct scene *scene, unsigned number,
                         const struct pair *p)
{
	enum scene_filter const last = is_textured(&d->device) && kind == IMAGE_FLOAT ? SCENE_LINEAR : SCENE_POINT;
	for (enum scene_filter filter = SCENE_POINT; filter <= last; filter++) {
		if (!draw_pair(d, scene, p, filter, t->pixels))
			return false;
		for (enum scene_target i = 0; i < SCENE_TARGETS; i++) {
			bool const written = i < SCENE_DEPTH ? i < p->targets : p->writes[i];
			struct image const image = {kind, number, *scene, filter, i, (const float (*)[4])t->pixels[i], 0};
			if (written && !t->take(t->to, &image))
				return false;
		}
	}
	return true;
}

/* Copies of a group's first pair with shifted defs, one for each value of scene.shift.  All scenes use them. */
struct shifts {
	struct pair pair[SHIFTS];
	unsigned n;
};

static bool make_shifts(struct drawer *d, const struct group *g, struct shifts *s)
{
	bool fine = true;
	for (; fine && s->n < SHIFTS; s->n++)
		fine = pair_shifted(d->arena, &s->pair[s->n], &g->pair[0], &d->device, &(struct scene){.shift = s->n + 1});
	return fine;
}

/* ---- 8 bits, fog and alpha test -------------------------------------------------------- */

/* Returns the cut-off for the alpha test, in 255ths: the positive multiple of 1/255 that equals the alpha of the most pixels, so that the test is
 * a tie in them; 255 if there is none. */
static unsigned find_cut(const float (*pixel)[4])
{
	unsigned often[256] = {0}, most = 255;
	for (unsigned i = 0; i < SCENE_PIXELS; i++) {
		float const alpha = 255 * fminf(pixel[i][3], 1), whole = floorf(alpha + 0.5f);
		if (alpha >= 1 && fabsf(alpha - whole) < 1e-3f)
			often[(unsigned)whole]++;
	}
	for (unsigned k = 255; k > 0; k--)
		if (often[k] > often[most])
			most = k;
	return most;
}

static bool read_fixed_target(const struct device *dev, float (*to)[4])
{
	static const unsigned char place[] = {2, 1, 0, 3};
	D3DLOCKED_RECT from;
	if (FAILED(IDirect3DDevice9_GetRenderTargetData(dev->d3d, dev->target8, dev->copy8)) ||
	    FAILED(IDirect3DSurface9_LockRect(dev->copy8, &from, NULL, D3DLOCK_READONLY)))
		return false;
	for (unsigned y = 0; y < SCENE_SIZE; y++) {
		const unsigned char *row = (const unsigned char *)from.pBits + y * (size_t)from.Pitch;
		for (unsigned x = 0; x < SCENE_SIZE; x++)
			for (unsigned lane = 0; lane < 4; lane++)
				to[y * SCENE_SIZE + x][lane] = (float)row[4 * x + place[lane]] / 255;
	}
	return SUCCEEDED(IDirect3DSurface9_UnlockRect(dev->copy8));
}

/* Turns grey fog on or off.  The device takes the fog from oFog if the vertex program writes oFog, and otherwise, as the states here say,
 * from the depth. */
static void set_fog(IDirect3DDevice9 *d3d, const struct pair *p, bool on)
{
	static const float from = 0, to = 1;
	DWORD bits[2];
	memcpy(&bits[0], &from, sizeof from);
	memcpy(&bits[1], &to, sizeof to);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_FOGENABLE, on);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_FOGCOLOR, 0xff808080);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_FOGTABLEMODE, p->writes[SCENE_FOG] ? D3DFOG_NONE : D3DFOG_LINEAR);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_FOGSTART, bits[0]);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_FOGEND, bits[1]);
}

/* Draws oC0 to the target of 8 bits, with fog or an alpha test if the kind of image has one, and reads it back to `out`. */
static bool draw_fixed_image(const struct drawer *d, const struct image *i, const struct pair *p, float (*out)[4])
{
	IDirect3DDevice9 *d3d = d->device.d3d;
	float vertex[VERTEX_FLOATS];
	draw_prepare(d, &i->scene, p, SCENE_POINT, vertex);
	for (unsigned k = 0; k < d->device.targets; k++)
		IDirect3DDevice9_SetRenderTarget(d3d, k, k ? NULL : d->device.target8);
	set_fog(d3d, p, i->kind == IMAGE_FOG);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHATESTENABLE, i->kind == IMAGE_CUT);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHAREF, i->cut);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
	bool const fine = SUCCEEDED(IDirect3DDevice9_Clear(d3d, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0)) &&
	                  draw_triangles(&d->device, p, SCENE_COLOUR, vertex) && read_fixed_target(&d->device, out);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHATESTENABLE, FALSE);
	set_fog(d3d, p, false);
	return fine;
}

/* Returns true if the pair is made and to be drawn as this kind.  Fog by oFog is left out on Wine: Wine 8 draws it with the fog of the pair drawn
 * before.  The value of oFog is drawn as a colour anyway. */
static bool is_drawn(const struct drawer *d, const struct pair *p, enum image_kind kind)
{
	return pair_is_made(p) && (kind != IMAGE_FOG || !d->runtime->wine || !p->writes[SCENE_FOG]);
}

/* Draws each pair in the scene as IMAGE_8BIT, IMAGE_FOG and IMAGE_CUT, with the textures of the device, and passes the images to t->take. */
static bool draw_fixed(const struct drawer *d, const struct taking *t, const struct scene *scene, const struct group *g)
{
	if (!draw_pair(d, scene, &g->pair[0], SCENE_POINT, t->pixels))
		return false;
	unsigned const cut = find_cut((const float (*)[4])t->pixels[0]);
	for (unsigned i = 0; i < g->n; i++)
		for (enum image_kind kind = IMAGE_8BIT; kind <= IMAGE_CUT; kind++) {
			if (!is_drawn(d, &g->pair[i], kind))
				continue;
			struct image const image = {kind, i, *scene, SCENE_POINT, SCENE_COLOUR, (const float (*)[4])t->pixels[0], kind == IMAGE_CUT ? cut : 0};
			if (!draw_fixed_image(d, &image, &g->pair[i], t->pixels[0]) || !t->take(t->to, &image))
				return false;
		}
	return true;
}

/* ---- a scene -------------------------------------------------------------------------- */

static bool draw_scene(struct drawer *d, const struct taking *t, enum image_kind kind, struct scene scene, const struct group *g, const struct shifts *s)
{
	bool const all = g->pair[0].constants.depths;
	unsigned const depths = all ? ~0u : kind == IMAGE_DEPTHS ? g->depths : 0;
	if (!textures_make(&d->device, &scene, g->pair[0].texture, depths, kind == IMAGE_TEXELS ? TEXELS_8BIT : TEXELS_FLOAT))
		return false;
	bool fine = true;
	d->device.points = kind == IMAGE_POINTS;
	for (unsigned i = 0; fine && i < g->n; i++)
		fine = !pair_is_made(&g->pair[i]) || draw_filters(d, t, kind, &scene, i, &g->pair[i]);
	fine = fine && (kind != IMAGE_TEXELS || draw_fixed(d, t, &scene, g));
	for (scene.shift = 1; fine && scene.shift <= SHIFTS; scene.shift++)
		fine = draw_filters(d, t, kind, &scene, 0, &s->pair[scene.shift - 1]);
	d->device.points = false;
	return fine;
}

/* Numbers of the variants of the scene (scene.variant) to draw. */
struct chosen {
	unsigned variant[SCENE_VARIANTS], n;
};

static unsigned count_drawn(const float (*pixel)[4])
{
	unsigned n = 0;
	for (unsigned i = 0; i < SCENE_PIXELS; i++)
		n += pixel[i][0] != SCENE_CLEARED;
	return n;
}

/* Factor by which more scenes are drawn, with d->all_kinds, of a pair that shows one colour in each, as an image of one colour tells no more than
 * one pixel. */
enum { MORE_OF_ONE_COLOUR = 8 };

/* Chooses the scenes to draw: the first d->scenes of those that show something.  If none does, chooses the first most_plain of those that show one
 * colour, and sets `flat` of the first pair.  If there is none of these either, chooses the scene in which the first pair draws the most pixels.
 * Returns false if the device fails. */
static bool choose_scenes(struct drawer *d, const struct group *g, const struct taking *t, struct chosen *c)
{
	struct pair *p = &g->pair[0];
	struct scene scene = {.seed = g->seed};
	struct chosen plain = {.n = 0};
	unsigned const most_plain = d->all_kinds ? MORE_OF_ONE_COLOUR * d->scenes : p->flat ? d->scenes : 0;
	unsigned most = 0, fullest = 0;
	/* Steps of 17 go through the ways of making constants (variant / 16) in turn. */
	for (unsigned i = 0; i < SCENE_VARIANTS && c->n < d->scenes && !(p->flat && plain.n == most_plain); i++) {
		const float (*pixels)[4] = (const float (*)[4])t->pixels[0];
		scene.variant = 17 * i % SCENE_VARIANTS;
		if (!textures_make(&d->device, &scene, p->texture, p->constants.depths ? ~0u : 0, TEXELS_FLOAT) ||
		    !draw_pair(d, &scene, p, SCENE_LINEAR, t->pixels))
			return false;
		unsigned const drawn = count_drawn(pixels);
		if (image_shows(pixels, false))
			c->variant[c->n++] = scene.variant;
		else if (image_shows(pixels, true) && plain.n < most_plain)
			plain.variant[plain.n++] = scene.variant;
		if (drawn > most)
			fullest = scene.variant;
		most = drawn > most ? drawn : most;
	}
	if (c->n > 0)
		return true;
	p->flat |= plain.n > 0;
	*c = plain.n ? plain : (struct chosen){.variant = {fullest}, .n = 1};
	return true;
}

bool group_draw(struct drawer *d, const struct group *g, image_taker *take, void *to)
{
	struct taking const t = {take, to, arena_alloc(d->arena, sizeof(images))};
	struct shifts shifts = {.n = 0};
	struct chosen chosen = {.n = 0};
	if (!pair_is_made(&g->pair[0]))
		return true;
	bool fine = make_shifts(d, g, &shifts) && choose_scenes(d, g, &t, &chosen);
	for (unsigned i = 0; fine && i < chosen.n; i++) {
		struct scene const scene = {.seed = g->seed, .variant = chosen.variant[i]};
		fine = draw_scene(d, &t, IMAGE_FLOAT, scene, g, &shifts);
		for (enum image_kind k = IMAGE_POINTS; fine && i == 0 && d->all_kinds && k <= IMAGE_TEXELS; k++)
			if (k != IMAGE_DEPTHS || textures_can_compare(&d->device, g->pair[0].texture, g->depths))
				fine = draw_scene(d, &t, k, scene, g, &shifts);
	}
	textures_free(&d->device);
	for (unsigned k = 0; k < shifts.n; k++)
		pair_free(&shifts.pair[k]);
	return fine;
}

void group_free(struct group *g)
{
	for (unsigned i = 0; i < g->n; i++)
		pair_free(&g->pair[i]);
}
