/* The table of constants in a compiler's bytecode: the name, type and registers of each constant.  D3DX sets constants by this table, and effects
 * bind their parameters by it.  The table is a comment that begins with the letters CTAB.  A D3DXSHADER_CONSTANTTABLE follows, and offsets count
 * from its first byte.  Source: d3dx9shader.h as documented ("D3DXSHADER_CONSTANTTABLE", "D3DXSHADER_CONSTANTINFO", "D3DXSHADER_TYPEINFO"). */
#ifndef FPMOVE_LANG_CONSTANT_TABLE_H
#define FPMOVE_LANG_CONSTANT_TABLE_H

#include "base/arena.h"

#include <stdbool.h>

enum register_kind { KIND_BOOL, KIND_INT, KIND_FLOAT, KIND_SAMPLER, KINDS };

struct table_constant {
	const char *name;      /* points into the table's bytes */
	uint8_t kind;          /* enum register_kind */
	uint16_t index, count; /* its first register, and the number of its registers from there on */
	uint32_t type;         /* offset of its type in the table */
	uint32_t value;        /* offset of its default value in the table, or 0 if there is none */
};

struct constant_table {
	const char *bytes;     /* the bytes behind the letters CTAB */
	uint32_t size;
	const char *creator, *target; /* NULL if the table does not name them */
	uint32_t version;             /* the first token of the shader, which names its model */
	struct { VEC(struct table_constant); } constants;
};

/* Reads a table of `size` bytes; the result points into them.  Returns false if they are not a valid table. */
bool constant_table_read(struct arena *, const char *bytes, uint32_t size, struct constant_table *);
/* Prints the table as comments, as a compiler lists it, see listing.h. */
void constant_table_print(struct text *, const struct constant_table *);
/* Prints a name as listings have it: its first LISTING_NAME bytes, with _ for each byte that the reader of listings does not allow, since that
 * stops at a row that it cannot read. */
void constant_table_print_name(struct text *, const char *name);
/* Returns the first constant of the kind that has register `index`, or NULL if there is none. */
const struct table_constant *constant_table_find(const struct constant_table *, enum register_kind, int index);

/* Returns true if no other constant of its kind in the table has its name or one of its registers, so that setting the name sets exactly its
 * registers. */
bool constant_table_is_unique(const struct constant_table *, const struct table_constant *);

/* Returns true if two constants, each of its own table, have the same type with the same members. */
bool constant_table_same_type(const struct constant_table *, const struct table_constant *, const struct constant_table *,
                              const struct table_constant *);

/* A constant of the table `from` that is added to another table, with registers index to index + count - 1. */
struct table_addition {
	const struct constant_table *from;
	const struct table_constant *constant;
	uint16_t index, count;
};
/* Writes a table for a shader whose first token is `version`: the constants of `old`, and the n added ones.  `old` is NULL if the shader had no
 * table. */
void constant_table_extend(struct text *, const struct constant_table *old, uint32_t version,
                           const struct table_addition *, uint32_t n);

#endif
