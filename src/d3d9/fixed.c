/* Drawing to a target of 8 bits, also with fog or an alpha test, see draw.h. */
#include "d3d9/draw.h"

#include <math.h>

/* The value of alpha, in 255ths, that most pixels have, so that the test's cut-off is a value that occurs; 255 where there is none. */
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

/* Fog of half a grey.  The device takes it from oFog where the vertex program writes that, and otherwise, as told here, from the depth. */
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

/* oC0 alone. */
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

/* Fog by oFog comes from Wine 8 as the fog of the pair before came; what goes to oFog is drawn as a colour anyway. */
static bool is_drawn(const struct drawer *d, const struct pair *p, enum image_kind kind)
{
	return pair_is_made(p) && (kind != IMAGE_FOG || !d->runtime->wine || !p->writes[SCENE_FOG]);
}

bool draw_fixed(const struct drawer *d, const struct taking *t, const struct scene *scene, const struct group *g)
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
