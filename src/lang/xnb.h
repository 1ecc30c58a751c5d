/* Content of XNA and FNA, .xnb: what fxc makes of an effect, wrapped for their content pipeline.
 *
 *	"XNB" platform version flags    a letter (w: Windows); 5, or 4 of XNA 3; 0x80 and 0x40: compressed
 *	size                            of the whole file, 32 bits, lowest byte first
 *	readers                         how many; of each the name of a class behind its length, and 32 bits
 *	shared resources                how many
 *	reader                          of the content, from 1
 *	size, bytes                     of the compiled effect, where that reader is the EffectReader
 *
 * Counts, readers and lengths of names are numbers of 7 bits a byte, lowest first, of which all but the last have the bit 0x80. */
#ifndef FPMOVE_LANG_XNB_H
#define FPMOVE_LANG_XNB_H

#include <stdbool.h>
#include <stddef.h>

enum xnb_content {
	XNB_NONE,       /* no .xnb */
	XNB_COMPRESSED,
	XNB_CUT,        /* what is in it is not told by these bytes */
	XNB_OTHER,      /* textures, fonts, sounds */
	XNB_EFFECT
};

enum { XNB_SIZE_AT = 6 }; /* where the size of the whole file stands */

/* Returns what the bytes say that is in them, be they but the first ones of a file.  Of an effect, *size_at is where its size stands, and
 * it begins behind that. */
enum xnb_content xnb_content(const char *bytes, size_t n, size_t *size_at);

#endif
