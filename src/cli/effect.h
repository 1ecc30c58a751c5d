/* Direct3D effect files: the asm { } blocks in them. */
#ifndef FPMOVE_CLI_EFFECT_H
#define FPMOVE_CLI_EFFECT_H

#include "base/diag.h"

/* The text between the braces of one `asm { }`. */
struct asm_block {
	size_t from, to;       /* in the file */
	struct source source;  /* of the block alone, its lines counted in the file */
	const char *name;      /* of the variable it is assigned to; NULL: to a state */
	uint32_t passes;       /* that use it */
	const char *rewritten; /* its new text; NULL: stays */
};

enum { NO_BLOCK = -1 };

/* A pass and the blocks it draws with. */
struct effect_pass {
	const char *name; /* NULL: without a name */
	srcpos at;
	int vs, ps; /* blocks, or NO_BLOCK */
};

struct effect {
	const struct source *source;
	struct { VEC(struct asm_block); } blocks;
	struct { VEC(struct effect_pass); } passes;
};

struct effect effect_find(struct arena *, const struct source *);
/* The file with the rewritten blocks in place, each indented as the old one was. */
void effect_print(struct text *, const struct effect *);
/* A block's version token ("vs_1_1"), or "". */
const char *effect_version(struct arena *, const struct asm_block *);

#endif
