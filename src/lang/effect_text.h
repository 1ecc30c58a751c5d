/* Texts of an effect file's blocks, for effect.c alone. */
#ifndef FPMOVE_LANG_EFFECT_TEXT_H
#define FPMOVE_LANG_EFFECT_TEXT_H

#include "lang/effect.h"
#include "lang/scan.h"

/* What the string literals from *at on, one behind the other, spell; *at is then behind the
 * last.  One mark for each line, if `line` is not NULL. */
struct source effect_literals(struct arena *, const struct source *file, size_t *at, struct scan_line *line);
/* [from, to) of the file. */
struct source effect_slice(struct arena *, const struct source *file, size_t from, size_t to, struct scan_line *);
/* Does the text start with the version token of a program, of whatever model? */
bool effect_is_program(const struct source *);
/* The model of the version token that a text starts with. */
enum model effect_model(const struct source *);
/* Does it start with constant work for the effect framework, as listings of compiled effects do? */
bool effect_has_preshader(const struct source *);

/* Gives the blocks of kind EFFECT_ASM their texts: expanded by the preprocessor, or cut. */
bool effect_expand(struct arena *, struct effect *, const struct preprocess_options *, struct diags *);
void effect_cut(struct arena *, struct effect *);
/* Preprocesses a program in literals. */
bool effect_expand_literal(struct arena *, struct effect_block *, const struct preprocess_options *, struct diags *);

#endif
