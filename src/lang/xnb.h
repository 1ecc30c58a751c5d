/* Recognises .xnb files, in which XNA and FNA store content such as an effect that fxc compiled.
 *
 *	"XNB" platform version flags    a letter (w for Windows); 5, or 4 in XNA 3; 0x80 or 0x40 if compressed
 *	size                            size of the whole file, 32 bits, lowest byte first
 *	readers                         their number; for each, the length and name of a class, and a version of 32 bits
 *	shared resources                their number
 *	reader                          number of the content's reader, from 1
 *	size, bytes                     the compiled effect, if that reader is the EffectReader
 *
 * Counts, reader numbers and lengths of names have 7 bits in each byte, lowest first; all bytes but the last have the bit 0x80. */
#ifndef FPMOVE_LANG_XNB_H
#define FPMOVE_LANG_XNB_H

#include <stdbool.h>
#include <stddef.h>

enum xnb_content {
	XNB_NONE,       /* the file is no .xnb */
	XNB_COMPRESSED,
	XNB_CUT,        /* there are too few bytes to see the content */
	XNB_OTHER,      /* textures, fonts, sounds */
	XNB_EFFECT
};

enum { XNB_SIZE_AT = 6 }; /* offset of the size of the whole file */

/* Returns the kind of content of a file, given its first n bytes.  For an effect, sets *size_at to the offset of its size, which precedes
 * the effect's bytes. */
enum xnb_content xnb_content(const char *bytes, size_t n, size_t *size_at);

#endif
