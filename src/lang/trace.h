/* Reads the text of a trace, as `apitrace dump` writes it: finds the Direct3D 9 programs in it, and the pairs that are drawn together.
 *
 *	12 IDirect3DDevice9::CreatePixelShader(this = 0x3d0, pFunction = "ps_2_0
 *	mov oC0, c0
 *	", ppShader = &0x20e) = D3D_OK
 *	13 IDirect3DDevice9::SetPixelShader(this = 0x3d0, pShader = 0x20e) = D3D_OK
 *
 * A call begins with a number and a thread, as @0.  The dump may leave these out, and the names of arguments, too.  Line ends in strings
 * are written as they are, or as \n.  Colours for a terminal may stand anywhere.  A handle stands for the last program that was created
 * with it. */
#ifndef FPMOVE_LANG_TRACE_H
#define FPMOVE_LANG_TRACE_H

#include "base/diag.h"
#include "lang/ops.h"

enum { TRACE_NONE = -1, TRACE_UNKNOWN = -2 };

struct trace_program {
	enum stage stage;
	const char *name;  /* the number of the call that created it, or its line as "line12" */
	const char *text;
	size_t n;
};

struct trace_pair {
	int vs, ps;        /* indices in trace.programs; TRACE_NONE if the draw has no program of that stage */
};

struct trace {
	struct { VEC(struct trace_program); } programs; /* each text of a stage once, in the order of creation */
	struct { VEC(struct trace_pair); } pairs;       /* each pair once, sorted by vs, then ps */
	uint32_t bare;     /* number of programs whose text the dump leaves out, as with --blobs */
	uint32_t unknown;  /* number of draws whose programs are not known from the trace, as after a state block was applied */
};

/* Returns true if a line in the first 64 KiB of the text begins with a call of Direct3D 9. */
bool trace_is(const struct source *);
/* Fills `trace` from the text of a trace.  Returns false and adds an error if the text ends within a call. */
bool trace_read(struct arena *, const struct source *, struct trace *, struct diags *);

#endif
