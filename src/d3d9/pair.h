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

/* Constants that the application sets. */
struct pair_constants {
	bool by_name; /* D3DX sets all, each program's by the names in its own table, and nothing sets registers by number */
	bool depths;  /* 2D textures are depth textures */
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
	unsigned position;                   /* the oT# that takes the value of oPos, if writes[SCENE_POSITION] */
	bool writes[SCENE_TARGETS];          /* which targets behind the colours */
	bool flat;                           /* it draws one colour: no t# or v# is declared, or drawing showed so */
	/* For each target behind the colours, programs that show it as oC0; [SCENE_COLOUR] has the programs as written. */
	IDirect3DVertexShader9 *vertex[SCENE_TARGETS];
	IDirect3DPixelShader9 *pixel[SCENE_TARGETS];
	IDirect3DVertexDeclaration9 *declaration;
};

/* Makes all other fields from vs, ps and constants.  Returns NULL, or an error. */
const char *pair_make(struct arena *, struct pair *, const struct device *);
/* Returns true if the device accepted the pair. */
static inline bool pair_is_made(const struct pair *p)
{
	return p->pixel[SCENE_COLOUR] != NULL;
}
/* Makes the same pair with its defs shifted as the scene says; free it with pair_free.  Returns false if the device rejects it. */
bool pair_shifted(struct arena *, struct pair *to, const struct pair *from, const struct device *, const struct scene *);
/* Makes the same pair, but drawn at the positions of its vertices and without texkill; the value that it writes to oPos becomes a
 * colour.  Returns false if no texture coordinate is left for that, the pair is of model 3, or the device rejects it. */
bool pair_bare(struct arena *, struct pair *to, const struct pair *from, const struct device *);
void pair_free(struct pair *);

#endif
