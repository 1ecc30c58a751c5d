/* Text of a trace, as `apitrace dump` writes it: the Direct3D 9 programs in it, and which of them are drawn together.
 *
 *	12 IDirect3DDevice9::CreatePixelShader(this = 0x3d0, pFunction = "ps_2_0
 *	mov oC0, c0
 *	", ppShader = &0x20e) = D3D_OK
 *	13 IDirect3DDevice9::SetPixelShader(this = 0x3d0, pShader = 0x20e) = D3D_OK
 *
 * A call has a number and a thread, as @0, unless the dump leaves them out, as it may the names of arguments.  Strings have their line ends as
 * they are, or as \n.  Colours of a terminal may stand anywhere.  A handle is that of the last program that was created with it. */
#ifndef FPMOVE_LANG_TRACE_H
#define FPMOVE_LANG_TRACE_H

#include "base/diag.h"
#include "lang/ops.h"

enum { TRACE_NONE = -1, TRACE_UNKNOWN = -2 };

struct trace_program {
	enum stage stage;
	const char *name;  /* the call's number, or "line12" */
	const char *text;
	size_t n;
};

struct trace_pair {
	int vs, ps;        /* programs; TRACE_NONE: it is drawn without one of Direct3D's programs */
};

struct trace {
	struct { VEC(struct trace_program); } programs; /* each text once, in the order in which they were created */
	struct { VEC(struct trace_pair); } pairs;       /* each once, in the order of the programs */
	uint32_t bare;     /* programs without a text, as of a dump with --blobs */
	uint32_t unknown;  /* draws with programs that the trace does not tell, as behind a state block */
};

/* Does a line begin with a call of Direct3D 9, or is it said to be the first one of such a trace? */
bool trace_is(const struct source *);
/* Reads it.  Returns false, and an error with its line, where a call does not end. */
bool trace_read(struct arena *, const struct source *, struct trace *, struct diags *);

#endif
