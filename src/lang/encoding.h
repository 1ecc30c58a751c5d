/* Which texts the readers of this folder take: bytes whose ASCII part is the program. */
#ifndef FPMOVE_LANG_ENCODING_H
#define FPMOVE_LANG_ENCODING_H

#include "base/diag.h"

/* False, with one error said, for UTF-16 and UTF-32 (with or without byte order mark) and for
 * what is too long for a srcpos.  UTF-8, with or without its mark, and any 8-bit encoding in
 * comments are fine.  Every reader calls it first. */
bool encoding_readable(const struct source *, struct diags *);
/* Bytes of the UTF-8 byte order mark at the start: 3 or 0. */
size_t encoding_mark(const struct source *);

/* Takes NUL bytes off that stand behind a text, such as the one that ends D3DXDisassembleShader's buffer.  Bytecode, UTF-16, other
 * binary files, and what has a NUL elsewhere stay as they are. */
void encoding_trim(struct source *);

#endif
