/* Programs inside other files: in the `asm { ... }` blocks of Direct3D effect files (.fx), in
 * compiled effects (effect_binary.h), and in the string literals of C and C++; which of them are
 * drawn together; and copies of the file with other programs in their place. */
#ifndef FPMOVE_LANG_EFFECT_H
#define FPMOVE_LANG_EFFECT_H

#include "lang/by_name.h"
#include "lang/preprocess.h"

enum effect_kind {
	EFFECT_ASM,        /* asm { ... } */
	EFFECT_LITERALS,   /* "...\n" "...\n", one behind the other */
	EFFECT_RAW_LITERAL, /* R"(...)" */
	EFFECT_COMPILED    /* bytecode, an object of a compiled effect */
};

struct effect_block {
	uint8_t kind;      /* enum effect_kind */
	srcpos at;         /* of `asm` or the literal, in the file; SRCPOS_NONE: compiled */
	srcpos from, to;   /* what is replaced: between the braces; the literals with their quotes; size and bytecode */
	const char *name;  /* of the variable it initialises; NULL: none, it stands in a pass */
	uint32_t element;  /* of that variable, if it is an array */
	enum model model;  /* MODEL_COUNT: of a model that is not read here, or no program at all */
	struct source source; /* the program's text; its places are those of the file */
	bool live;         /* false: preprocessor conditions leave it out */
	bool whole;        /* false: literals that may be but a part of the program */
	const char *stays; /* why the program must not change, as "line 12 ..."; NULL: it may */
};

enum { EFFECT_NONE = -1, EFFECT_UNCLEAR = -2 };

struct effect_pass {
	const char *technique, *name; /* "": without a name; passes of one technique have the same pointer */
	srcpos at, to; /* from its keyword to behind its brace; SRCPOS_NONE: compiled */
	bool sets[2];  /* by enum stage: it names a program, if only NULL; else it is drawn with that of the pass before */
	bool unclear;  /* preprocessor lines or macros in it may say what it draws with */
	int vs, ps; /* blocks; EFFECT_NONE: none, or HLSL; EFFECT_UNCLEAR: what it is was not understood */
};

/* A vertex and a pixel program that are drawn together. */
struct effect_pair {
	int vs, ps; /* blocks; no vs: the pixel program is planned alone */
	const struct effect_pass *pass; /* the first that draws them; NULL: the file has no passes */
};

/* Pairs, one behind the other, that have one vertex program, or one pixel program, in common; or a single one.  Behind them
 * stand those by which their vertex programs are drawn with further pixel programs, which stay as they are. */
struct effect_group {
	uint32_t first, n, staying;
};

struct effect {
	const struct source *file;
	bool compiled;
	struct parameter_names parameters; /* of a compiled one, see by_name.h */
	struct { VEC(struct effect_block); } blocks; /* in the order of the file */
	struct { VEC(struct effect_pass); } passes;
	struct { VEC(struct effect_pair); } pairs;
	struct { VEC(struct effect_group); } groups; /* of all pairs */
	struct { VEC(size_t); } lengths; /* bytes of the file where 32 bits say the size of what all its blocks are in */
	struct register_set sets[2]; /* by enum stage: float constants that states of the effect set, in whatever pass */
	const char *const *includes; /* files that blocks or conditions came from */
	uint32_t nincludes;
};

/* Reads a file; NULL when an error was added.  Macros of the file are expanded in asm blocks only,
 * those of a program in literals there.  A program may be used in ways that are not understood: each
 * mention of its variable that is not the declaration or all of a pass's assignment makes it stay, as
 * do preprocessor lines in its text, and anything but an end behind a literal. */
struct effect *effect_read(struct arena *, const struct source *file, const struct preprocess_options *,
                           struct diags *);

/* Finds `pairs` and `groups`: a pass's two programs; without passes each two neighbours.  Passes that give none, whose programs
 * must stay, or share one with such a pass, are told in notes (rule id "effect"), with the reason.  False: an error was added,
 * for there are no programs, or no passes and no neighbours. */
bool effect_find_pairs(struct arena *, struct effect *, struct diags *);

/* Have its pairs the vertex program in common?  A single one is no matter. */
static inline bool effect_group_same_vs(const struct effect *e, const struct effect_group *g)
{
	return g->n < 2 || e->pairs.at[g->first].vs == e->pairs.at[g->first + 1].vs;
}

/* The file with block k replaced by programs[k] (printed programs), indented as the block
 * was, and with the file's line ends; a block whose program has no bytes stays as it is. */
void effect_rewrite(struct text *, const struct effect *, const struct text *programs);

#endif
