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
/* The first number of that version token, and its stage; 0: it starts with none. */
unsigned effect_version(const struct source *, enum stage *);
/* Does it start with constant work for the effect framework, as listings of compiled effects do? */
bool effect_has_preshader(const struct source *);

/* Bytes of the word that starts at `at`; 0: none does. */
size_t effect_word_length(const struct source *, size_t at);
/* May a function of this name make another text of what it is given, as strcat and snprintf do? */
bool effect_makes_text(const char *name, size_t n);
/* Does a number of `n` bytes, or of one more for the end, follow behind a comma at `at`, as a string's length is handed on? */
bool effect_counts_bytes(const struct source *, size_t at, size_t n);

/* Places of words in the file whose meaning is known, in their order. */
struct effect_words {
	VEC(srcpos);
};
/* Says of each program whose variable is named elsewhere than at the known words that it stays. */
void effect_find_uses(struct arena *, struct effect *, const struct effect_words *known);
/* The same when the file's macros are expanded and its includes are read; and passes to which those add a shader
 * become unclear. */
void effect_find_made_uses(struct arena *, struct effect *, const struct effect_words *known,
                           const struct preprocess_options *);

enum { MOST_STATE_CONSTS = 256 };
/* Notes in `sets` the constants that states in a text set.  Where their number is not understood, these are all that follow; where
 * nothing is understood, all. */
void effect_find_states(struct effect *, const struct source *);
/* Notes that a state sets `n` constants from `first` on. */
void effect_sets(struct effect *, enum stage, unsigned first, unsigned n);

/* The file as a source of another text, line by line that of the file.  It lives as long as the arena, since what the
 * preprocessor says of it is read later. */
const struct source *effect_masked(struct arena *, const struct effect *, const struct text *masked);
/* Gives the blocks of kind EFFECT_ASM their texts: expanded by the preprocessor, or cut. */
bool effect_expand(struct arena *, struct effect *, const struct preprocess_options *, struct diags *);
void effect_cut(struct arena *, struct effect *);
/* Preprocesses a program in literals. */
bool effect_expand_literal(struct arena *, struct effect_block *, const struct preprocess_options *, struct diags *);

#endif
