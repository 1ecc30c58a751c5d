/* Programs inside other files: in the `asm { ... }` blocks of Direct3D effect files (.fx), in compiled effects (effect_binary.h), and in the
 * string literals of C and C++.  These functions find the programs (blocks) in a file and the pairs that are drawn together, and write copies of
 * the file with new programs. */
#ifndef FPMOVE_LANG_EFFECT_H
#define FPMOVE_LANG_EFFECT_H

#include "lang/by_name.h"
#include "lang/preprocess.h"

enum effect_kind {
	EFFECT_ASM,        /* asm { ... } */
	EFFECT_LITERALS,   /* adjacent string literals: "...\n" "...\n" */
	EFFECT_RAW_LITERAL, /* R"(...)" */
	EFFECT_COMPILED    /* bytecode in an object of a compiled effect */
};

struct effect_block {
	uint8_t kind;      /* enum effect_kind */
	srcpos at;         /* the place of `asm` or of the literal in the file, or SRCPOS_NONE in a compiled effect */
	srcpos from, to;   /* the part of the file that a new program replaces: the text between the braces, the literals with their quotes, the
	                    * text of a raw literal, or size and bytecode */
	const char *name;  /* the variable that the program initialises, or NULL if there is none, as in a pass */
	uint32_t element;  /* index of the element that the program initialises, if the variable is an array */
	enum model model;  /* MODEL_COUNT if fpmove does not read the model, or the block is not `live` */
	struct source source; /* the program's text, with positions that lead to the file */
	bool live;         /* true unless a preprocessor condition leaves the block out */
	bool whole;        /* true for a whole program; false for literals that may be a part of one */
	const char *stays; /* the reason why the program must not change, such as "line 12 ...", or NULL if it may */
};

enum { EFFECT_NONE = -1, EFFECT_UNCLEAR = -2 };

struct effect_pass {
	const char *technique, *name; /* "" without a name; passes of one technique share the pointer `technique` */
	srcpos at, to; /* the pass in the file, from its keyword to behind its brace; SRCPOS_NONE in a compiled effect */
	bool sets[2];  /* by enum stage: true if the pass assigns a program or NULL; false if it keeps the program of the pass before */
	bool unclear;  /* preprocessor lines or macros in the pass may choose its programs */
	int vs, ps; /* indices of blocks; EFFECT_NONE for NULL, HLSL or no assignment; EFFECT_UNCLEAR if it is not known which block is assigned */
};

/* A vertex and a pixel program that are drawn together. */
struct effect_pair {
	int vs, ps; /* indices of blocks; vs is EFFECT_NONE if the pixel program is planned alone */
	const struct effect_pass *pass; /* the first pass that draws them, or NULL if the file has no passes */
};

/* Consecutive pairs that are planned together: `n` pairs with one vertex program or one pixel program in common, or a single pair.  Then come
 * `staying` pairs of the same vertex programs with other pixel programs, which must not change. */
struct effect_group {
	uint32_t first, n, staying;
};

struct effect {
	const struct source *file;
	bool compiled;
	struct parameter_names parameters; /* the parameters of a compiled effect, see by_name.h */
	struct { VEC(struct effect_block); } blocks; /* in the order of the file */
	struct { VEC(struct effect_pass); } passes;
	struct { VEC(struct effect_pair); } pairs;
	struct { VEC(struct effect_group); } groups; /* the pairs that are planned together; each pair is in one group */
	struct { VEC(size_t); } lengths; /* offsets in the file of the 32-bit sizes that change when a block changes its size */
	struct register_set sets[2]; /* by enum stage: float constants that a state of some pass may set */
	const char *const *includes; /* names of the files that the preprocessor included */
	uint32_t nincludes;
};

/* Reads a file, compiled or text.  Returns NULL if an error was added.  Expands macros in asm blocks with the whole file, but preprocesses each
 * program in literals by itself.  Sets `stays` of programs that may be used in ways that are not understood: if the variable is mentioned outside
 * of its declaration and plain assignments in passes (for literals, see effect_uses.c), if the text has preprocessor lines, or if a literal may be
 * a part of a longer text. */
struct effect *effect_read(struct arena *, const struct source *file, const struct preprocess_options *,
                           struct diags *);

/* Finds `pairs` and `groups`.  The two programs of a pass are a pair; in a file without passes, two neighbours are, or literals by their order.  A
 * pass is no pair if one of its programs must stay, or is also drawn with a program that must stay: a note (rule id "effect") tells the reason.  A
 * pixel program without a pair that may change is planned alone.  Returns false and adds an error if there are no programs, or if a file without
 * passes has no pairs, or a program in a macro. */
bool effect_find_pairs(struct arena *, struct effect *, struct diags *);

/* Returns true if the group's pairs have their vertex program in common, which is always true of a single pair. */
static inline bool effect_group_same_vs(const struct effect *e, const struct effect_group *g)
{
	return g->n < 2 || e->pairs.at[g->first].vs == e->pairs.at[g->first + 1].vs;
}

/* Writes the file with programs[k], a printed program, in place of block k.  In text, each keeps the indent of its block and the line ends of the
 * file.  An empty program leaves its block as it is. */
void effect_rewrite(struct text *, const struct effect *, const struct text *programs);

#endif
