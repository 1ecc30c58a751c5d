/* Makes the textures of a scene, see device.h. */
#include "d3d9/device.h"

enum { KIND_2D = D3DSTT_2D >> D3DSP_TEXTURETYPE_SHIFT, KIND_CUBE = D3DSTT_CUBE >> D3DSP_TEXTURETYPE_SHIFT };

struct making {
	const struct scene *scene;
	unsigned sampler;
	enum texels texels;
	unsigned edge; /* texels along an edge, if it is a 2D texture */
};

static D3DFORMAT format_of(const struct making *m)
{
	return m->texels == TEXELS_8BIT ? D3DFMT_A8R8G8B8 : D3DFMT_A32B32G32R32F;
}

/* Returns a value from 0 to 1 in 255ths.  Alpha becomes one of five values only, so that an alpha test at one of them is a tie in many
 * pixels. */
static unsigned char byte_of(unsigned lane, float value)
{
	return lane == 3 ? (unsigned char)(51 * (1 + (int)(4.999f * value))) : (unsigned char)(255 * value + 0.5f);
}

/* Writes a texel to its row.  Lanes of 8 bits are stored in the order blue, green, red, alpha. */
static void put_texel(const struct making *m, unsigned x, unsigned y, unsigned z, char *row)
{
	static const unsigned char place[] = {2, 1, 0, 3};
	for (unsigned lane = 0; lane < 4; lane++) {
		float const value = scene_texel(m->scene, m->sampler, x, y, z, lane);
		if (m->texels == TEXELS_8BIT)
			((unsigned char *)row)[4 * x + place[lane]] = byte_of(lane, value);
		else
			((float *)(void *)row)[4 * x + lane] = value;
	}
}

/* Fills a square of texels in memory whose rows begin `pitch` bytes apart. */
static void fill_texels(const struct making *m, unsigned size, unsigned z, void *bits, size_t pitch)
{
	for (unsigned y = 0; y < size; y++)
		for (unsigned x = 0; x < size; x++)
			put_texel(m, x, y, z, (char *)bits + y * pitch);
}

static bool flat_make(struct device *dev, const struct making *m)
{
	IDirect3DTexture9 *t;
	D3DLOCKED_RECT to;
	if (FAILED(IDirect3DDevice9_CreateTexture(dev->d3d, m->edge, m->edge, 1, 0, format_of(m), D3DPOOL_MANAGED, &t, NULL)))
		return false;
	dev->texture[m->sampler] = (IDirect3DBaseTexture9 *)t;
	if (FAILED(IDirect3DTexture9_LockRect(t, 0, &to, NULL, 0)))
		return false;
	fill_texels(m, m->edge, 0, to.pBits, (size_t)to.Pitch);
	return SUCCEEDED(IDirect3DTexture9_UnlockRect(t, 0));
}

static bool cube_make(struct device *dev, const struct making *m)
{
	IDirect3DCubeTexture9 *t;
	if (FAILED(IDirect3DDevice9_CreateCubeTexture(dev->d3d, SCENE_TEXELS, 1, 0, format_of(m), D3DPOOL_MANAGED, &t, NULL)))
		return false;
	dev->texture[m->sampler] = (IDirect3DBaseTexture9 *)t;
	for (unsigned face = 0; face < 6; face++) {
		D3DLOCKED_RECT to;
		if (FAILED(IDirect3DCubeTexture9_LockRect(t, (D3DCUBEMAP_FACES)face, 0, &to, NULL, 0)))
			return false;
		fill_texels(m, SCENE_TEXELS, face, to.pBits, (size_t)to.Pitch);
		IDirect3DCubeTexture9_UnlockRect(t, (D3DCUBEMAP_FACES)face, 0);
	}
	return true;
}

static bool volume_make(struct device *dev, const struct making *m)
{
	IDirect3DVolumeTexture9 *t;
	D3DLOCKED_BOX to;
	if (FAILED(IDirect3DDevice9_CreateVolumeTexture(dev->d3d, SCENE_VOXELS, SCENE_VOXELS, SCENE_VOXELS, 1, 0, D3DFMT_A32B32G32R32F,
	                                                D3DPOOL_MANAGED, &t, NULL)))
		return false;
	dev->texture[m->sampler] = (IDirect3DBaseTexture9 *)t;
	if (FAILED(IDirect3DVolumeTexture9_LockBox(t, 0, &to, NULL, 0)))
		return false;
	for (unsigned z = 0; z < SCENE_VOXELS; z++)
		fill_texels(m, SCENE_VOXELS, z, (char *)to.pBits + z * (size_t)to.SlicePitch, (size_t)to.RowPitch);
	return SUCCEEDED(IDirect3DVolumeTexture9_UnlockBox(t, 0));
}

/* Fills a surface with depths between 0 and 1 that differ from texel to texel, by drawing to it. */
static bool depths_draw(IDirect3DDevice9 *d3d, IDirect3DSurface9 *depths)
{
	const float edge = SCENE_TEXELS;
	const float corner[4][4] = {{0, 0, 0.05f, 1}, {edge, 0, 0.8f, 1}, {0, edge, 0.5f, 1}, {edge, edge, 0.95f, 1}};
	IDirect3DSurface9 *target, *before;
	if (FAILED(IDirect3DDevice9_GetRenderTarget(d3d, 0, &before)) ||
	    FAILED(IDirect3DDevice9_CreateRenderTarget(d3d, SCENE_TEXELS, SCENE_TEXELS, D3DFMT_X8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE, &target,
	                                               NULL)))
		return false;
	IDirect3DDevice9_SetRenderTarget(d3d, 0, target);
	bool drawn = SUCCEEDED(IDirect3DDevice9_SetDepthStencilSurface(d3d, depths));
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ZENABLE, D3DZB_TRUE);
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ZFUNC, D3DCMP_ALWAYS);
	IDirect3DDevice9_SetVertexShader(d3d, NULL);
	IDirect3DDevice9_SetPixelShader(d3d, NULL);
	IDirect3DDevice9_SetFVF(d3d, D3DFVF_XYZRHW);
	drawn = drawn && SUCCEEDED(IDirect3DDevice9_BeginScene(d3d)) &&
	        SUCCEEDED(IDirect3DDevice9_DrawPrimitiveUP(d3d, D3DPT_TRIANGLESTRIP, 2, corner, sizeof *corner)) &&
	        SUCCEEDED(IDirect3DDevice9_EndScene(d3d));
	IDirect3DDevice9_SetRenderState(d3d, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9_SetDepthStencilSurface(d3d, NULL);
	IDirect3DDevice9_SetRenderTarget(d3d, 0, before);
	IDirect3DSurface9_Release(before);
	IDirect3DSurface9_Release(target);
	return drawn;
}

/* Finds the depth formats of the adapter with which reads compare; returns how many there are. */
static unsigned depth_formats(const struct device *dev, D3DFORMAT has[3])
{
	static const D3DFORMAT all[] = {D3DFMT_D24X8, D3DFMT_D16, D3DFMT_D24S8};
	unsigned n = 0;
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		if (device_has(dev, D3DUSAGE_DEPTHSTENCIL, D3DRTYPE_TEXTURE, all[k]))
			has[n++] = all[k];
	return n;
}

bool textures_can_compare(const struct device *dev, const unsigned char kind[MAX_SAMPLERS], unsigned depths)
{
	D3DFORMAT has[3];
	bool any = false;
	for (unsigned i = 0; i < MAX_SAMPLERS; i++)
		any |= kind[i] == KIND_2D && depths >> i & 1;
	return any && depth_formats(dev, has) > 0;
}

static bool depths_make(struct device *dev, const struct scene *scene, unsigned sampler)
{
	IDirect3DTexture9 *t;
	IDirect3DSurface9 *surface;
	D3DFORMAT has[3];
	unsigned const n = depth_formats(dev, has);
	if (!n || FAILED(IDirect3DDevice9_CreateTexture(dev->d3d, SCENE_TEXELS, SCENE_TEXELS, 1, D3DUSAGE_DEPTHSTENCIL,
	                                                has[(sampler + scene->variant) % n], D3DPOOL_DEFAULT, &t, NULL)))
		return false;
	dev->texture[sampler] = (IDirect3DBaseTexture9 *)t;
	if (FAILED(IDirect3DTexture9_GetSurfaceLevel(t, 0, &surface)))
		return false;
	bool const drawn = depths_draw(dev->d3d, surface);
	IDirect3DSurface9_Release(surface);
	return drawn;
}

void textures_free(struct device *dev)
{
	for (unsigned i = 0; i < MAX_SAMPLERS; i++) {
		if (!dev->texture[i])
			continue;
		IDirect3DDevice9_SetTexture(dev->d3d, i, NULL);
		IDirect3DBaseTexture9_Release(dev->texture[i]);
		dev->texture[i] = NULL;
	}
}

bool textures_make(struct device *dev, const struct scene *scene, const unsigned char kind[MAX_SAMPLERS], unsigned depths, enum texels texels)
{
	bool fine = true;
	textures_free(dev);
	for (unsigned i = 0; fine && i < MAX_SAMPLERS; i++) {
		struct making const m = {scene, i, texels, SCENE_TEXELS};
		if (!kind[i])
			continue;
		if (kind[i] == KIND_2D)
			fine = depths >> i & 1 ? depths_make(dev, scene, i) : flat_make(dev, &m);
		else
			fine = kind[i] == KIND_CUBE ? cube_make(dev, &m) : volume_make(dev, &m);
	}
	return fine;
}

bool textures_make_large(struct device *dev, const struct scene *scene, unsigned n, unsigned edge)
{
	bool fine = true;
	textures_free(dev);
	for (unsigned i = 0; fine && i < n; i++)
		fine = flat_make(dev, &(struct making){scene, i, TEXELS_8BIT, edge});
	return fine;
}

void textures_bind(const struct device *dev, enum scene_filter filter)
{
	D3DTEXTUREFILTERTYPE const how = filter == SCENE_POINT ? D3DTEXF_POINT : D3DTEXF_LINEAR;
	for (unsigned i = 0; i < MAX_SAMPLERS; i++) {
		if (!dev->texture[i])
			continue;
		IDirect3DDevice9_SetTexture(dev->d3d, i, dev->texture[i]);
		IDirect3DDevice9_SetSamplerState(dev->d3d, i, D3DSAMP_MINFILTER, how);
		IDirect3DDevice9_SetSamplerState(dev->d3d, i, D3DSAMP_MAGFILTER, how);
		IDirect3DDevice9_SetSamplerState(dev->d3d, i, D3DSAMP_MIPFILTER, D3DTEXF_NONE);
	}
}
