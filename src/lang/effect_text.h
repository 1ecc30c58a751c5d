/* Parts of the reader of effect files, for the effect_*.c files alone: texts of blocks, uses of variables, and states. */
#ifndef FPMOVE_LANG_EFFECT_TEXT_H
#define FPMOVE_LANG_EFFECT_TEXT_H

#include "base/letters.h"
#include "lang/effect.h"
#include "lang/scan.h"

/* Returns the text of the adjacent string literals from *at on, and moves *at behind the last.  If `line` is not NULL, the source has a
 * mark for each line, by which positions in it lead to the file. */
struct source effect_literals(struct arena *, const struct source *file, size_t *at, struct scan_line *line);
/* Returns bytes `from` to `to` - 1 of the file as a source, with positions that lead to the file. */
struct source effect_slice(struct arena *, const struct source *file, size_t from, size_t to, struct scan_line *);
/* Returns true if the text begins with the version token of a program, of a model that fpmove reads or not. */
bool effect_is_program(const struct source *);
/* Returns the model of the version token at the beginning of the text, or MODEL_COUNT if there is none that fpmove reads. */
enum model effect_model(const struct source *);
/* Returns the first number of that version token, and its stage in *stage, or 0 if the text does not begin with one. */
unsigned effect_version(const struct source *, enum stage *);
/* Returns true if the text begins with a preshader: expressions of constants for the effect framework, in listings of compiled effects. */
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
/* Returns true if a function of this name may make a new text of its arguments, as strcat and snprintf do. */
bool effect_makes_text(const char *name, size_t n);
/* Returns true if a comma and the number n or n + 1 follow at `at`: the length of a string of n bytes, which is passed behind it. */
bool effect_counts_bytes(const struct source *, size_t at, size_t n);

/* Offsets in the file of those mentions of variables that the reader understands, in ascending order. */
struct effect_words {
	VEC(srcpos);
};
/* Sets `stays`, the reason why a program must not change, of each block whose variable is also mentioned at places other than `known`. */
void effect_find_uses(struct arena *, struct effect *, const struct effect_words *known);
/* Works like effect_find_uses() on the file with its macros expanded and its includes read.  Also sets `unclear` of passes in which macros
 * or includes assign a shader, and adds the constants that states set (effect_find_states()). */
void effect_find_made_uses(struct arena *, struct effect *, const struct effect_words *known,
                           const struct preprocess_options *);

enum { MOST_STATE_CONSTS = 256 };
/* Adds to `sets` the constants that states in a text set.  If the number of registers is not understood, these are all registers from
 * the first on, and if the first one is not understood either, all. */
void effect_find_states(struct effect *, const struct source *);
/* Adds `n` constants from `first` on to `sets`. */
void effect_sets(struct effect *, enum stage, unsigned first, unsigned n);

/* Returns a text for the preprocessor with the same lines as the file, and positions that lead to the file.  If `known` is NULL, it has the
 * preprocessor lines and the asm blocks, and otherwise the preprocessor lines and the code without blocks, literals and known words, as far
 * as macros can be used in it.  It lives as long as the arena, since diagnostics of the preprocessor refer to it. */
const struct source *effect_masked(struct arena *, const struct effect *, const struct effect_words *known);
/* Preprocesses the file, which gives the blocks of kind EFFECT_ASM their texts.  Returns false if an error was added. */
bool effect_expand(struct arena *, struct effect *, const struct preprocess_options *, struct diags *);
/* Gives the blocks of kind EFFECT_ASM their texts as they are in the file. */
void effect_cut(struct arena *, struct effect *);
/* Preprocesses a program in literals.  Returns false if an error was added. */
bool effect_expand_literal(struct arena *, struct effect_block *, const struct preprocess_options *, struct diags *);

#endif
