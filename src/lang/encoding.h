/* Rejects texts in encodings that the readers of this folder cannot read. */
#ifndef FPMOVE_LANG_ENCODING_H
#define FPMOVE_LANG_ENCODING_H

#include "base/diag.h"

/* Returns true if the text is in ASCII, UTF-8 or an 8-bit encoding, and short enough for a srcpos.  For UTF-16, UTF-32 and longer texts, reports
 * an error and returns false. */
bool encoding_readable(const struct source *, struct diags *);
/* Returns the size of the UTF-8 byte order mark at the start: 3 or 0 bytes. */
size_t encoding_mark(const struct source *);

/* Removes NUL bytes from the end of a text, such as the one that ends D3DXDisassembleShader's buffer.  Bytecode, UTF-16, other binary
 * files, and files with a NUL elsewhere are left alone. */
void encoding_trim(struct source *);

#endif
