/* Compiled effects: the output of fxc for an effect file and its profile fx_2_0, which D3DX, XNA and FNA load.
 *
 * Numbers are 32 bits, lowest byte first.  The file is a token, the offset of the lists, data, the lists, and objects:
 *
 *	0xfeff0901 offset           XNA 4 puts 0xbcf00bcf and the number of bytes to skip before it
 *	data                        types, names and values, which the lists name by their offsets from here
 *	parameters, techniques      with passes and their states, and the number of objects
 *	objects of parameters       number, size, bytes: strings, and the shaders of variables
 *	objects of states           the pass or sampler, its state, kind of the bytes, size, bytes: a pass's shader, the name of a
 *	                            parameter that holds it, or an expression that chooses one
 *
 * No offset in the file leads past the lists, so an object may become longer or shorter.  The effect may be wrapped in a .xnb
 * (xnb.h), which holds its size.  Source: d3dx9_36/effect.c of Wine and mojoshader_effects.c of MojoShader, which read the format. */
#ifndef FPMOVE_LANG_EFFECT_BINARY_H
#define FPMOVE_LANG_EFFECT_BINARY_H

#include "lang/effect.h"

/* Returns true if the bytes begin as a compiled effect does, or as one in a .xnb.  No text and no shader begins so. */
bool effect_is_compiled(const char *bytes, size_t size);

/* Returns the effect: its shaders as blocks, in the order of the file, its passes, and its parameters.  If the file is damaged, adds an error that
 * names the byte, and returns NULL.  Reads nothing beyond the file's size, whatever sizes the file claims. */
struct effect *effect_read_compiled(struct arena *, const struct source *file, struct diags *);

/* Corrects the sizes at the offsets `lengths` in a changed copy of the effect's file, which is the text from byte `file_at` to its end. */
void effect_put_lengths(struct text *, size_t file_at, const struct effect *);

/* Writes a shader as an object of the file: its size and its bytes, whose number is a multiple of 4. */
void effect_put_object(struct text *, const struct text *program);

#endif
