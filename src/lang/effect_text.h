/* Functions that effect.c and effect_*.c share: texts of blocks, uses of variables, and states that set constants. */
#ifndef FPMOVE_LANG_EFFECT_TEXT_H
#define FPMOVE_LANG_EFFECT_TEXT_H

#include "base/letters.h"
#include "lang/effect.h"
#include "lang/scan.h"

/* Returns the text of the adjacent string literals from *at on, and moves *at behind the last literal.  If `line` is not NULL, adds a mark for
 * each line of the text, so that positions in it lead to the file. */
struct source effect_literals(struct arena *, const struct source *file, size_t *at, struct scan_line *line);
/* Returns bytes `from` to `to` - 1 of the file as a source, with positions that lead to the file. */
struct source effect_slice(struct arena *, const struct source *file, size_t from, size_t to, struct scan_line *);
/* Returns true if the text begins with a version token, also of a model that fpmove does not read, and does not end with it. */
bool effect_is_program(const struct source *);
/* Returns the model of the version token at the beginning of the text, or MODEL_COUNT if there is none that fpmove reads. */
enum model effect_model(const struct source *);
/* Returns the major version of the version token at the beginning of the text (2 for vs_2_0), and sets *stage.  Returns 0 if there is no version
 * token. */
unsigned effect_version(const struct source *, enum stage *);
/* Returns true if the text begins with the word preshader, as some listings of compiled effects do: expressions of constants that the effect
 * framework computes. */
bool effect_has_preshader(const struct source *);

/* Returns the length of the word that begins at `at`, or 0 if there is none. */
static inline size_t effect_word_length(const struct source *s, size_t at)
{
	size_t n = 0;
	if (at < s->size && is_letter(s->text[at]))
		while (at + n < s->size && is_of_word(s->text[at + n]))
			n++;
	return n;
}
/* Returns true if a part of the function's name, such as cat or printf, tells that it may make a new text of its arguments. */
bool effect_makes_text(const char *name, size_t n);
/* Returns true if a comma and the number n or n + 1 follow at `at`, as where code passes a string of n bytes and its length.  Returns false if n
 * is below 2. */
bool effect_counts_bytes(const struct source *, size_t at, size_t n);

/* Offsets in the file of the mentions of variables that effect_read() understands, in ascending order. */
struct effect_words {
	VEC(srcpos);
};
/* Sets `stays` (the reason not to change) of each block whose variable is declared twice, or mentioned at an offset that is not in `known`.  A
 * block of literals stays only if code at the mention may add to its text or count its bytes. */
void effect_find_uses(struct arena *, struct effect *, const struct effect_words *known);
/* Works like effect_find_uses() on the file with its macros expanded and its includes read; if these fail, sets `stays` of all blocks with a
 * variable.  Also sets `unclear` of passes in which macros or includes assign a shader, and calls effect_find_states(). */
void effect_find_made_uses(struct arena *, struct effect *, const struct effect_words *known,
                           const struct preprocess_options *);

enum { MOST_STATE_CONSTS = 256 };
/* Adds to `sets` the constants that states in a text set.  Adds all registers from the first one on if their number is not understood, and all
 * registers if the first one is not understood. */
void effect_find_states(struct effect *, const struct source *);
/* Adds `n` constants of the stage from `first` on to `sets`, up to c255. */
void effect_sets(struct effect *, enum stage, unsigned first, unsigned n);

/* Returns a text for the preprocessor with the same lines as the file, and positions that lead to the file.  If `known` is NULL, the text has the
 * preprocessor lines and the asm blocks.  Otherwise it has the preprocessor lines and the code in which macros can be used, without blocks,
 * literals and the words at the offsets `known`.  The text lives as long as the arena, since diagnostics of the preprocessor refer to it. */
const struct source *effect_masked(struct arena *, const struct effect *, const struct effect_words *known);
/* Preprocesses the file.  Sets `source` and `live` of each block of kind EFFECT_ASM that no condition leaves out.  Returns false if an error was
 * added. */
bool effect_expand(struct arena *, struct effect *, const struct preprocess_options *, struct diags *);
/* Sets `source` of each block of kind EFFECT_ASM to its text in the file, and `live`. */
void effect_cut(struct arena *, struct effect *);
/* Preprocesses the program of a block of literals, which becomes its `source`.  Returns false if an error was added. */
bool effect_expand_literal(struct arena *, struct effect_block *, const struct preprocess_options *, struct diags *);

#endif
