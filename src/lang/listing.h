/* What compilers say of a program in comments: fxc and the D3DX disassembler the names of its constants and its slots,
 *
 *	// Registers:
 *	//
 *	//   Name         Reg   Size
 *	//   ------------ ----- ----
 *	//   g_world      c4       4
 *	//
 *	...
 *	// approximately 5 instruction slots used (1 texture, 4 arithmetic)
 *
 * and cgc the names, as `//var float4x4 g_world :  : c[4], 4 : 7 : 1`.  Where such a comment says something else, it is a
 * comment like any other. */
#ifndef FPMOVE_LANG_LISTING_H
#define FPMOVE_LANG_LISTING_H

#include "lang/ir.h"

enum { LISTING_NAME = 64 /* bytes of the longest name that is taken */, LISTING_MOST = 256 /* the largest register, and the most of one name */ };

/* Letters, digits and _ $ . [ ]: how many of the text's first bytes are a name; 0: it has none, or a longer one. */
size_t listing_name_length(const char *, const char *end);
/* The constant's name, "g_scale" or, of several registers, "g_world[2]"; NULL: nothing names it. */
const char *listing_name(struct arena *, const struct program *, int constant);
/* The registers of the array or matrix that a constant is part of, *first and how many; itself alone where nothing names it. */
int listing_extent(const struct program *, int constant, int *first);
/* All registers that the comments name. */
struct register_set listing_registers(const struct program *);
/* A program that was made of one with such comments, with true ones: the constants that it still reads, with the named ones
 * among its needs, and its slots.  `before`: the new program that precedes it in the same text, whose slots may stand above
 * it; NULL: there is none. */
struct program *listing_update(struct arena *, const struct program *, const struct program *before);

#endif
