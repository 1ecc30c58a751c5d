/* The formats of images, see image.h.  They stand apart from image.c, so that programs that only count bytes need no OpenGL. */
#include "gpu/image.h"

const struct image_format_info image_formats[IMAGE_FORMATS] = {
	[IMAGE_RGBA8] = {"rgba8", 4, 4},
	[IMAGE_RGBA16F] = {"rgba16f", 8, 4},
	[IMAGE_RGBA32F] = {"rgba32f", 16, 4},
	[IMAGE_R32F] = {"r32f", 4, 1},
};
