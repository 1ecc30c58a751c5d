/* Wraps print_program, print_as_source and prove (linker option --wrap) so that one printed program changes after its pair was proven:
 * fpmove must notice that it would write another function.  SPOIL=vs or ps. */
#include "lang/print.h"
#include "verify/verify.h"

#include <stdlib.h>
#include <string.h>

void __real_print_program(struct text *, const struct program *);
void __wrap_print_program(struct text *, const struct program *);
void __real_print_as_source(struct text *, const struct program *, const struct program *, bool);
void __wrap_print_as_source(struct text *, const struct program *, const struct program *, bool);
struct proof __real_prove(struct arena *, struct pair, struct pair, const struct proof_context *);
struct proof __wrap_prove(struct arena *, struct pair, struct pair, const struct proof_context *);

static _Thread_local struct text *printed[2]; /* the last printed text, by stage */

void __wrap_print_program(struct text *t, const struct program *p)
{
	__real_print_program(t, p);
	printed[program_stage(p)] = t;
}

void __wrap_print_as_source(struct text *t, const struct program *p, const struct program *given, bool alone)
{
	__real_print_as_source(t, p, given, alone);
	printed[program_stage(p)] = t;
}

/* Replaces the last `from` by `to`. */
static void spoil(struct text *t, const char *from, const char *to)
{
	for (size_t k = t->n - strlen(from); k > 0; k--)
		if (memcmp(t->at + k, from, strlen(from)) == 0) {
			memcpy(t->at + k, to, strlen(to));
			return;
		}
}

struct proof __wrap_prove(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c)
{
	struct proof p = __real_prove(arena, old, new, c);
	if (!p.equal)
		return p;
	if (strcmp(getenv("SPOIL"), "vs") == 0)
		spoil(printed[STAGE_VERTEX], "v1", "v0");
	else
		spoil(printed[STAGE_PIXEL], "r0", "c0");
	return p;
}
