/* A pair of programs on the device. */
#ifndef FPMOVE_D3D9_PAIR_H
#define FPMOVE_D3D9_PAIR_H

#include "d3d9/assemble.h"
#include "d3d9/device.h"

enum { MAX_INPUTS = 16 };

struct vertex_input {
	unsigned usage, index;
};

/* A vertex constant that holds what a pixel constant holds. */
struct pair_constant {
	unsigned vs, ps;
};

/* What the application sets. */
struct pair_constants {
	bool by_name; /* all by D3DX, each program's by the names of its own table, and no register otherwise */
	bool depths;  /* 2D textures are of depths */
	VEC(struct pair_constant);
};

struct pair {
	struct code vs, ps;
	struct pair_constants constants;
	struct vertex_input inputs[MAX_INPUTS];
	unsigned ninputs;
	unsigned char texture[MAX_SAMPLERS]; /* see textures_make */
	unsigned read_once;                  /* bit n: one instruction alone reads s#n */
	unsigned targets;                    /* one more than the highest oC# */
	unsigned position;                   /* where writes[SCENE_POSITION]: the oT# that has what went to oPos */
	bool writes[SCENE_TARGETS];          /* of those past the colours */
	bool flat;                           /* one colour is all there can be: no t# or v# is declared, or drawing showed so */
	/* For each target past the colours, programs that show it as oC0; [SCENE_COLOUR] as written. */
	IDirect3DVertexShader9 *vertex[SCENE_TARGETS];
	IDirect3DPixelShader9 *pixel[SCENE_TARGETS];
	IDirect3DVertexDeclaration9 *declaration;
};

/* From vs, ps and constants all else.  NULL, or what is wrong. */
const char *pair_make(struct arena *, struct pair *, const struct device *);
/* Did the device take it? */
static inline bool pair_is_made(const struct pair *p)
{
	return p->pixel[SCENE_COLOUR] != NULL;
}
/* The same pair with its defs off as the scene's shift says; to be given to pair_free.  False: the device does not take it. */
bool pair_shifted(struct arena *, struct pair *to, const struct pair *from, const struct device *, const struct scene *);
/* The same pair drawn where its vertices say, whatever it makes of them, and without texkill; what it writes to oPos is shown as a
 * colour.  False: it has no texture coordinate left for that, is of model 3, or the device does not take it. */
bool pair_bare(struct arena *, struct pair *to, const struct pair *from, const struct device *);
void pair_free(struct pair *);

#endif
