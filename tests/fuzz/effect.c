/* Fuzz target: any bytes as an effect file.  Rewritten without a new program it must be
 * the same file.  Without `#`, so that no preprocessor has to be started for it. */
#include "lang/check.h"
#include "lang/effect.h"
#include "lang/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	arena_init(&arena, NULL);
	char *text = arena_copy(&arena, data, size);
	for (char *hash; (hash = memchr(text, '#', size));)
		*hash = ' ';
	struct source file = {.name = "fuzz.fx", .text = text, .size = size};
	struct diags diags;
	diag_init(&diags, &arena);
	struct effect *effect = effect_read(&arena, &file, &(struct preprocess_options){0}, &diags);
	if (effect && effect_find_pairs(&arena, effect, &diags)) {
		struct text *programs = arena_zero(&arena, (effect->blocks.n + 1) * sizeof *programs), copy = {.arena = &arena};
		for (uint32_t k = 0; k < effect->pairs.n; k++)
			parse_programs(&arena, &effect->blocks.at[effect->pairs.at[k].vs].source, &diags);
		effect_rewrite(&copy, effect, programs);
		if (copy.n != size || memcmp(copy.at, text, size) != 0) {
			fprintf(stderr, "%s\n", copy.at);
			abort();
		}
	}
	for (uint32_t k = 0; k < diags.n; k++)
		if (diags.at[k].source && diags.at[k].at != SRCPOS_NONE)
			source_place(diags.at[k].source, diags.at[k].at);
	arena_free(&arena);
	return 0;
}
