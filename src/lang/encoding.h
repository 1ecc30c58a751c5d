/* Rejects texts in encodings that the readers of this folder cannot read. */
#ifndef FPMOVE_LANG_ENCODING_H
#define FPMOVE_LANG_ENCODING_H

#include "base/diag.h"

/* Returns false and reports one error for UTF-16 and UTF-32 (with or without byte order mark) and for a text that is too long for
 * a srcpos.  UTF-8, with or without its mark, and any 8-bit encoding in comments are fine.  Every reader calls it first. */
bool encoding_readable(const struct source *, struct diags *);
/* Returns the size of the UTF-8 byte order mark at the start: 3 or 0 bytes. */
size_t encoding_mark(const struct source *);

/* Removes NUL bytes from the end of a text, such as the one that ends D3DXDisassembleShader's buffer.  Bytecode, UTF-16, other binary
 * files, and files with a NUL elsewhere are left alone. */
void encoding_trim(struct source *);

#endif
