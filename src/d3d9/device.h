/* The device that draws, its surfaces, and the textures of a scene. */
#ifndef FPMOVE_D3D9_DEVICE_H
#define FPMOVE_D3D9_DEVICE_H

#include "d3d9/runtime.h"
#include "gpu/apart.h"

enum { MAX_COLOURS = 4, MAX_SAMPLERS = 16, PIXEL_BYTES = 16 };

struct device {
	IDirect3D9 *d3d9;
	IDirect3DDevice9 *d3d;
	D3DCAPS9 caps;
	D3DADAPTER_IDENTIFIER9 adapter;
	bool software_vertices;                 /* the CPU runs vertex programs */
	unsigned targets;                       /* how many a draw may have, of MAX_COLOURS */
	IDirect3DSurface9 *target[MAX_COLOURS]; /* of floats */
	IDirect3DSurface9 *copy;                /* what is drawn, for the CPU */
	IDirect3DSurface9 *clear;               /* SCENE_CLEARED everywhere */
	IDirect3DSurface9 *target8, *copy8;     /* of 8 bits a lane */
	IDirect3DBaseTexture9 *texture[MAX_SAMPLERS];
	bool points;                            /* corners of triangles are drawn as points */
};

/* The adapter, its caps, and no device.  NULL, or what is missing. */
const char *device_look(struct device *, const struct runtime *);
/* Also the device and its surfaces; the device lives as long as the process. */
const char *device_open(struct device *, const struct runtime *);
/* Is there such a format on the adapter, as a texture or target of that usage? */
bool device_has(const struct device *, DWORD usage, D3DRESOURCETYPE, D3DFORMAT);

enum texels { TEXELS_FLOAT, TEXELS_8BIT };

/* The kinds are D3DSTT_ >> D3DSP_TEXTURETYPE_SHIFT, by sampler; 0: none.  Bit n of `depths`: a 2D texture of s#n is of depths, which
 * reading it compares with; formats that the adapter has take turns.  False: the device does not make them. */
bool textures_make(struct device *, const struct scene *, const unsigned char kind[MAX_SAMPLERS], unsigned depths, enum texels);
/* The first n samplers get 2D textures of 8 bits a lane with that edge. */
bool textures_make_large(struct device *, const struct scene *, unsigned n, unsigned edge);
/* Are any of these 2D textures, and can they be of depths here? */
bool textures_can_compare(const struct device *, const unsigned char kind[MAX_SAMPLERS], unsigned depths);
void textures_free(struct device *);
void textures_bind(const struct device *, enum scene_filter);

#endif
