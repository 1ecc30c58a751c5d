/* Drawing to a target of 8 bits, with and without an alpha test, see draw.h. */
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

static bool read_target(const struct device *dev, float (*to)[4])
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

/* oC0 alone; cut 0: no test. */
static bool draw_once(const struct drawer *d, const struct scene *scene, const struct pair *p, unsigned cut, float (*out)[4])
{
	IDirect3DDevice9 *d3d = d->device.d3d;
	float vertex[VERTEX_FLOATS];
	draw_prepare(d, scene, p, SCENE_POINT, vertex);
	for (unsigned i = 0; i < d->device.targets; i++)
		IDirect3DDevice9_SetRenderTarget(d3d, i, i ? NULL : d->device.target8);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHATESTENABLE, cut != 0);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHAREF, cut);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHAFUNC, D3DCMP_GREATEREQUAL);
	bool const fine = SUCCEEDED(IDirect3DDevice9_Clear(d3d, 0, NULL, D3DCLEAR_TARGET, 0, 1, 0)) &&
	                  draw_triangles(&d->device, p, SCENE_COLOUR, vertex) && read_target(&d->device, out);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ALPHATESTENABLE, FALSE);
	return fine;
}

bool draw_fixed(const struct drawer *d, const struct taking *t, const struct scene *scene, const struct group *g)
{
	if (!draw_pair(d, scene, &g->pair[0], SCENE_POINT, t->pixels))
		return false;
	unsigned const cut = find_cut((const float (*)[4])t->pixels[0]);
	for (unsigned i = 0; i < g->n; i++)
		for (enum image_kind kind = IMAGE_8BIT; pair_is_made(&g->pair[i]) && kind <= IMAGE_CUT; kind++) {
			struct image const image = {kind, i, *scene, SCENE_POINT, SCENE_COLOUR, (const float (*)[4])t->pixels[0], kind == IMAGE_CUT ? cut : 0};
			if (!draw_once(d, scene, &g->pair[i], image.cut, t->pixels[0]) || !t->take(t->to, &image))
				return false;
		}
	return true;
}
