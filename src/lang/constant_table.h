/* The table of constants that a compiler leaves in bytecode: which name, of which type, stands in which registers.
 * D3DX sets constants by it, and effects bind their parameters by it.
 *
 * It is a comment of the letters CTAB, then a D3DXSHADER_CONSTANTTABLE, whose offsets count from there.  Source: d3dx9shader.h
 * as documented ("D3DXSHADER_CONSTANTTABLE", "D3DXSHADER_CONSTANTINFO", "D3DXSHADER_TYPEINFO"). */
#ifndef FPMOVE_LANG_CONSTANT_TABLE_H
#define FPMOVE_LANG_CONSTANT_TABLE_H

#include "base/arena.h"

#include <stdbool.h>

enum register_kind { KIND_BOOL, KIND_INT, KIND_FLOAT, KIND_SAMPLER, KINDS };

struct table_constant {
	const char *name;      /* in the table's bytes */
	uint8_t kind;          /* enum register_kind */
	uint16_t index, count; /* registers */
	uint32_t type, value;  /* offsets of its type, and of what it is at first; value 0: of nothing */
};

struct constant_table {
	const char *bytes;     /* behind the letters */
	uint32_t size;
	const char *creator, *target; /* NULL: it does not say */
	uint32_t version;             /* of the shader: its first token */
	struct { VEC(struct table_constant); } constants;
};

/* Reads a table of `size` bytes, which it keeps.  False: it is none, or says what cannot be; then it is bytes like others. */
bool constant_table_read(struct arena *, const char *bytes, uint32_t size, struct constant_table *);
/* As a compiler lists it in comments, see listing.h. */
void constant_table_print(struct text *, const struct constant_table *);
/* Prints a name as listings have it: its first bytes, with _ for each byte that they lack, since a row that is not read would
 * hide the registers of those below it. */
void constant_table_print_name(struct text *, const char *name);
/* The constant that a register belongs to; NULL: none. */
const struct table_constant *constant_table_find(const struct constant_table *, enum register_kind, int index);

/* Returns true if a constant's name alone sets its registers, and sets no others: no further constant has the name, or one of
 * the registers. */
bool constant_table_tells(const struct constant_table *, const struct table_constant *);

/* Are two constants, each of its table, of one type, with the same members? */
bool constant_table_same_type(const struct constant_table *, const struct table_constant *, const struct constant_table *,
                              const struct table_constant *);

/* A constant of another table, in other registers. */
struct table_addition {
	const struct constant_table *from;
	const struct table_constant *constant;
	uint16_t index, count;
};
/* Writes a table of a shader of version `version`, with all that `old` says (NULL: the shader had none), and more. */
void constant_table_extend(struct text *, const struct constant_table *old, uint32_t version,
                           const struct table_addition *, uint32_t n);

#endif
