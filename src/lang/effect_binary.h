/* Compiled effects: what fxc makes of an effect file for its profile fx_2_0, as D3DX, XNA and FNA load it.
 *
 * Numbers are 32 bits, lowest byte first.  The file is a token, the offset of the lists, data, the lists, and objects:
 *
 *	0xfeff0901 offset           XNA 4 puts 0xbcf00bcf before it, and how many bytes to skip
 *	data                        types, names and values, which the lists name by their offsets from here
 *	parameters, techniques      their passes, the passes' states; how many objects there are in all
 *	objects of parameters       number, size, bytes: strings, and the shaders that variables hold
 *	objects of states           which state of which pass or sampler, what the bytes are, size, bytes: a pass's shader, the name of
 *	                            a parameter that it takes, or an expression that chooses one
 *
 * Nothing names a place behind the lists, so that an object may get longer or shorter.  All of it may stand in a .xnb (xnb.h), which
 * says its size.  Source: d3dx9_36/effect.c of Wine and
 * mojoshader_effects.c of MojoShader, which read the format. */
#ifndef FPMOVE_LANG_EFFECT_BINARY_H
#define FPMOVE_LANG_EFFECT_BINARY_H

#include "lang/effect.h"

/* Does the first token say so, be it that of an effect in a .xnb?  No text and no shader begins so. */
bool effect_is_compiled(const char *bytes, size_t size);

/* Its shaders as blocks, in the order of the file, and its passes; NULL, and an error that names the byte: it is damaged.
 * Nothing beyond the file's size is read, whatever it says. */
struct effect *effect_read_compiled(struct arena *, const struct source *file, struct diags *);

/* Sets the sizes in which a changed copy of the effect's file is another, from byte `file_at` of the text to its end. */
void effect_put_lengths(struct text *, size_t file_at, const struct effect *);

/* A shader, which is a whole number of words, as such an object: behind its size. */
void effect_put_object(struct text *, const struct text *program);

#endif
