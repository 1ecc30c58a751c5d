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
	unsigned targets;                       /* most targets of a draw, up to MAX_COLOURS */
	IDirect3DSurface9 *target[MAX_COLOURS]; /* of floats */
	IDirect3DSurface9 *copy;                /* of a target, for the CPU to read */
	IDirect3DSurface9 *clear;               /* SCENE_CLEARED everywhere */
	IDirect3DSurface9 *target8, *copy8;     /* of 8 bits a lane */
	IDirect3DBaseTexture9 *texture[MAX_SAMPLERS];
	bool points;                            /* corners of triangles are drawn as points */
};

/* Finds the adapter and its caps, and opens no device.  Returns NULL, or what is missing. */
const char *device_look(struct device *, const struct runtime *);
/* Also opens the device, which lives as long as the process, and makes its surfaces. */
const char *device_open(struct device *, const struct runtime *);
/* Returns true if the adapter has the format, as a texture or target of that usage. */
bool device_has(const struct device *, DWORD usage, D3DRESOURCETYPE, D3DFORMAT);

enum texels { TEXELS_FLOAT, TEXELS_8BIT };

/* Makes the textures of a scene.  kind[] is D3DSTT_ >> D3DSP_TEXTURETYPE_SHIFT of each sampler, or 0 if it has none.  If bit n of `depths` is
 * set, a 2D texture of s#n is a depth texture, with which a read compares; its format changes from one to the next that the adapter
 * has.  Returns false if the device fails to make one. */
bool textures_make(struct device *, const struct scene *, const unsigned char kind[MAX_SAMPLERS], unsigned depths, enum texels);
/* Makes 2D textures of 8 bits a lane, with that edge, for the first n samplers. */
bool textures_make_large(struct device *, const struct scene *, unsigned n, unsigned edge);
/* Returns true if one of these is a 2D texture, and the adapter has depth textures. */
bool textures_can_compare(const struct device *, const unsigned char kind[MAX_SAMPLERS], unsigned depths);
void textures_free(struct device *);
void textures_bind(const struct device *, enum scene_filter);

#endif
