/* Fuzz target: a byte of options, then the text of a pair, through the whole pipeline, which may reject it but must not fail its own
 * checks or its proof. */
#include "pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > 16384)
		return 0;
	struct arena arena;
	arena_init(&arena, NULL);
	struct run_options o = {.move.level = data[0] & 3, .move.drop_in = data[0] >> 2 & 1, .move.colour_inputs = data[0] >> 3 & 1};
	o.given = GIVEN_EFFORT;
	o.move.effort = 500; /* a small search: many inputs rather than long ones */
	if (data[0] & 16) {
		o.given |= GIVEN_MAX_MOVES;
		o.move.max_moves = data[0] >> 5;
	}
	struct source source = {.name = "fuzz", .size = size - 1};
	source.text = arena_copy(&arena, data + 1, size - 1);
	struct run *r = arena_zero(&arena, sizeof *r);
	run_init(r, &arena, &source, 1, &o);
	run_all(r);
	if (r->status == RUN_FAILED || r->status == RUN_NO_MEMORY) {
		fprintf(stderr, "%s\n%s\n%s\n", r->fault ? r->fault : "no memory", r->vs_text.at ? r->vs_text.at : "",
		        r->ps_text.at ? r->ps_text.at : "");
		abort();
	}
	arena_free(&arena);
	return 0;
}
