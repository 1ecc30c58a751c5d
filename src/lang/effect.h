/* Direct3D effect files (.fx): the programs in their `asm { ... }` blocks, which of them are
 * drawn together, and copies of the file in which blocks are replaced. */
#ifndef FPMOVE_LANG_EFFECT_H
#define FPMOVE_LANG_EFFECT_H

#include "lang/ops.h"
#include "lang/preprocess.h"

struct effect_block {
	srcpos at;         /* of `asm`, in the file */
	srcpos from, to;   /* of what stands between the braces */
	const char *name;  /* of the variable it initialises; NULL: none, it stands in a pass */
	uint32_t element;  /* of that variable, if it is an array */
	enum model model;  /* MODEL_COUNT: of a model that is not read here, or no program at all */
	struct source source; /* the program's text; its places are those of the file */
	bool live;         /* false: preprocessor conditions leave it out */
};

enum { EFFECT_NONE = -1 };

struct effect_pass {
	const char *technique, *name; /* "": without a name */
	srcpos at;
	int vs, ps; /* blocks; EFFECT_NONE: none, or HLSL */
};

/* A vertex and a pixel program that are drawn together, and with no other. */
struct effect_pair {
	int vs, ps; /* blocks */
	const struct effect_pass *pass; /* the first that draws them; NULL: the file has no passes */
};

struct effect {
	const struct source *file;
	struct { VEC(struct effect_block); } blocks; /* in the order of the file */
	struct { VEC(struct effect_pass); } passes;
	struct { VEC(struct effect_pair); } pairs;
	const char *const *includes; /* files that blocks or conditions came from */
	uint32_t nincludes;
};

/* Reads a file; NULL when an error was added.  Macros are expanded in blocks only. */
struct effect *effect_read(struct arena *, const struct source *file, const struct preprocess_options *,
                           struct diags *);

/* Finds `pairs`.  Passes that give none are told in notes (rule id "effect"), with the reason;
 * no pair at all is an error, and the value is then false. */
bool effect_find_pairs(struct arena *, struct effect *, struct diags *);

/* The file with block k replaced by programs[k] (printed programs), indented as the block
 * was, and with the file's line ends; a block whose program has no bytes stays as it is. */
void effect_rewrite(struct text *, const struct effect *, const struct text *programs);

#endif
