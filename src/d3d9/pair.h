/* Makes pairs of a vertex and a pixel program on the device. */
#ifndef FPMOVE_D3D9_PAIR_H
#define FPMOVE_D3D9_PAIR_H

#include "d3d9/assemble.h"
#include "d3d9/device.h"

enum { MAX_INPUTS = 16 };

struct vertex_input {
	unsigned usage, index;
};

/* Vertex constant c#`vs` holds what pixel constant c#`ps` holds. */
struct pair_constant {
	unsigned vs, ps;
};

/* The vertex constants that the application sets to the values of pixel constants, as a list unless `by_name` is set, and the kind of its
 * textures. */
struct pair_constants {
	bool by_name; /* D3DX sets all constants by name, by each program's own table; none is set by number */
	bool depths;  /* all 2D textures are depth textures */
	VEC(struct pair_constant);
};

struct pair {
	struct code vs, ps;
	struct pair_constants constants;
	struct vertex_input inputs[MAX_INPUTS];
	unsigned ninputs;
	unsigned char texture[MAX_SAMPLERS]; /* type of texture that s#n reads (D3DSTT_... >> D3DSP_TEXTURETYPE_SHIFT), or 0 */
	unsigned read_once;                  /* bit n: exactly one instruction reads s#n */
	unsigned targets;                    /* one more than the highest number of an oC# that is written */
	unsigned position;                   /* the oT# that takes the value of oPos, if writes[SCENE_POSITION] */
	bool writes[SCENE_TARGETS];          /* true for each output other than a colour that the pair writes */
	bool flat;                           /* true if the pair draws one colour: its FP declares no t# or v#, or drawing showed so */
	/* The programs as written in [SCENE_COLOUR]; for each other output that is written, programs that show it as oC0; else NULL. */
	IDirect3DVertexShader9 *vertex[SCENE_TARGETS];
	IDirect3DPixelShader9 *pixel[SCENE_TARGETS];
	IDirect3DVertexDeclaration9 *declaration;
};

/* Creates the pair on the device and sets its fields, by vs and ps.  All fields but vs, ps, constants, position and writes[SCENE_POSITION] must be
 * zeros before.  Returns NULL, or an error. */
const char *pair_make(struct arena *, struct pair *, const struct device *);
/* Returns true if the device accepted the pair. */
static inline bool pair_is_made(const struct pair *p)
{
	return p->pixel[SCENE_COLOUR] != NULL;
}
/* Makes the same pair with the numbers of its defs changed as scene->shift says.  Returns false if the device rejects it.  In both cases, free it
 * with pair_free. */
bool pair_shifted(struct arena *, struct pair *to, const struct pair *from, const struct device *, const struct scene *);
/* Makes the same pair, but drawn at the positions of its vertices and without texkill.  The value that it wrote to oPos is drawn as output
 * SCENE_POSITION.  Returns false if no texture coordinate is left for that value or no input for the position, if the pair is of model 3, or if
 * the device rejects it. */
bool pair_bare(struct arena *, struct pair *to, const struct pair *from, const struct device *);
void pair_free(struct pair *);

#endif
