/* A program file, as bytecode: assembled by D3DX, or read. */
#ifndef FPMOVE_D3D9_ASSEMBLE_H
#define FPMOVE_D3D9_ASSEMBLE_H

#include "d3d9/runtime.h"
#include "d3d9/system.h"

/* A program; `token` is NULL if there were messages or an error. */
struct code {
	const char *name;
	uint32_t *token;         /* without comment tokens */
	const uint32_t *whole;   /* a file of bytecode with its comments, which have the table of constants */
	size_t tokens;
	const char *text;        /* the file, if it is text */
	HRESULT result;
	const char *messages;    /* lines, the last one without its end; "" if D3DX said nothing */
};

/* Reads a file of assembly, which D3DX assembles, or of bytecode. */
struct code code_read(struct arena *, const struct runtime *, const char *name);
/* Reads the bytes of a file, behind which stands a zero byte, in the same way. */
struct code code_of(struct arena *, const struct runtime *, const char *name, const char *text, size_t size);
struct code code_copy(struct arena *, const struct code *);
/* Returns the model, such as "ps_2_0". */
const char *code_model(struct arena *, const struct code *);
/* Returns the number of the result and the messages in one line. */
const char *code_messages_line(struct arena *, const struct code *);

#endif
