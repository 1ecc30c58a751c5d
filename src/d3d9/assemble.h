/* A program file, as bytecode: assembled by D3DX, or read. */
#ifndef FPMOVE_D3D9_ASSEMBLE_H
#define FPMOVE_D3D9_ASSEMBLE_H

#include "d3d9/runtime.h"
#include "d3d9/system.h"

/* `token` is NULL if there were messages or an error.  `whole` is what the file holds if that is bytecode, with its comments, which are
 * the table of constants. */
struct code {
	const char *name;
	uint32_t *token;         /* without comment tokens */
	const uint32_t *whole;
	size_t tokens;
	const char *text;        /* of a file that is text */
	HRESULT result;
	const char *messages;    /* lines, without the last one's end; "" if D3DX said nothing */
};

struct code code_read(struct arena *, const struct runtime *, const char *name);
/* The same of what a file would hold; a zero byte stands behind it. */
struct code code_of(struct arena *, const struct runtime *, const char *name, const char *text, size_t size);
struct code code_copy(struct arena *, const struct code *);
/* "ps_2_0" */
const char *code_model(struct arena *, const struct code *);
/* The messages in one line, behind the number of the result. */
const char *code_messages_line(struct arena *, const struct code *);

#endif
