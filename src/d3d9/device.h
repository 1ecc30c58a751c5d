/* The device that draws, its surfaces, and the textures of a scene. */
#ifndef FPMOVE_D3D9_DEVICE_H
#define FPMOVE_D3D9_DEVICE_H

#include "d3d9/runtime.h"
#include "gpu/image_compare.h"

enum { MAX_COLOURS = 4, MAX_SAMPLERS = 16, PIXEL_BYTES = 16 };

struct device {
	IDirect3D9 *d3d9;
	IDirect3DDevice9 *d3d;
	D3DCAPS9 caps;
	D3DADAPTER_IDENTIFIER9 adapter;
	bool software_vertices;                 /* the CPU runs vertex programs */
	unsigned targets;                       /* the most targets of one draw, but no more than MAX_COLOURS */
	IDirect3DSurface9 *target[MAX_COLOURS]; /* targets of four floats a pixel */
	IDirect3DSurface9 *copy;                /* a target is copied here for the CPU to read */
	IDirect3DSurface9 *clear;               /* holds SCENE_CLEARED everywhere; copied to targets to clear them */
	IDirect3DSurface9 *target8, *copy8;     /* a target of 8 bits a lane, and its copy for the CPU */
	IDirect3DBaseTexture9 *texture[MAX_SAMPLERS];
	bool points;                            /* draw_triangles draws corners of triangles as points */
};

/* Finds the adapter and its caps, without opening a device.  Returns NULL, or an error. */
const char *device_look(struct device *, const struct runtime *);
/* Finds the adapter and its caps, opens the device, which lives as long as the process, and makes its surfaces.  Returns NULL, or an
 * error. */
const char *device_open(struct device *, const struct runtime *);
/* Returns true if the adapter supports the format for that usage (0 or D3DUSAGE_...) and type of resource. */
bool device_has(const struct device *, DWORD usage, D3DRESOURCETYPE, D3DFORMAT);

enum texels { TEXELS_FLOAT, TEXELS_8BIT };

/* Replaces the device's textures by those of a scene. kind[n] is the type of texture that s#n reads (D3DSTT_... >> D3DSP_TEXTURETYPE_SHIFT), or 0
 * if there is no s#n.  If bit n of `depths` is set, a 2D texture of s#n is a depth texture, so that reads compare; the sampler's number and the
 * scene's variant choose among the adapter's depth formats.  Volume textures always hold floats.  Returns false if the device fails to make a
 * texture. */
bool textures_make(struct device *, const struct scene *, const unsigned char kind[MAX_SAMPLERS], unsigned depths, enum texels);
/* Replaces the device's textures by 2D textures of 8 bits a lane, `edge` texels squared, for the first n samplers.  Returns false if the device
 * fails to make one. */
bool textures_make_large(struct device *, const struct scene *, unsigned n, unsigned edge);
/* Returns true if the adapter has depth textures and one of the samplers in `depths` (bit n: s#n) reads a 2D texture. */
bool textures_can_compare(const struct device *, const unsigned char kind[MAX_SAMPLERS], unsigned depths);
void textures_free(struct device *);
void textures_bind(const struct device *, enum scene_filter);

#endif
