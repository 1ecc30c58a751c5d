/* Reads a program's file: D3DX assembles a text; bytecode only loses its comment tokens. */
#ifndef FPMOVE_D3D9_ASSEMBLE_H
#define FPMOVE_D3D9_ASSEMBLE_H

#include "base/arena.h"
#include "d3d9/runtime.h"

#include <stdbool.h>

/* A program; `token` is NULL if the file cannot be read, or D3DX is missing, failed or gave messages. */
struct code {
	const char *name;
	uint32_t *token;         /* the bytecode without its comment tokens */
	const uint32_t *whole;   /* the bytecode with its comment tokens, which hold the table of constants; NULL if the file is text or unread */
	size_t tokens;
	const char *text;        /* the text that D3DX assembled or refused; NULL if the file is bytecode or did not reach D3DX */
	HRESULT result;
	const char *messages;    /* lines of D3DX, or on why it was not called, the last one without a line end; "" if there are none */
};

/* Reads a file of bytecode, or of assembly, which D3DX assembles.  `token` of the result is NULL if that fails. */
struct code code_read(struct arena *, const struct runtime *, const char *name);
/* Makes a program as code_read does, from the `size` bytes of a file; a zero byte must follow them. */
struct code code_of(struct arena *, const struct runtime *, const char *name, const char *text, size_t size);
struct code code_copy(struct arena *, const struct code *);
/* Returns the model, such as "ps_2_0". */
const char *code_model(struct arena *, const struct code *);
/* Returns one line: the HRESULT of the assembler in eight hexadecimal digits, and its messages, with " | " for each line end. */
const char *code_messages_line(struct arena *, const struct code *);

#endif
