/* Fuzz target: any bytes as an effect file, and as the text of a trace.  Rewritten without a new program it must be the same file;
 * with its programs as the printer writes them it must be a file with as many programs of the same lines.  Without `#`, so that no
 * preprocessor starts. */
#include "lang/check.h"
#include "lang/effect.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "lang/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const struct text *copy)
{
	fprintf(stderr, "%s\n", copy->at);
	abort();
}

/* Prints a block's program; returns no bytes where there is none, or it must stay. */
static struct text printed(struct arena *arena, const struct effect_block *b)
{
	struct text t = {.arena = arena};
	struct diags said;
	diag_init(&said, arena);
	if (!b->live || b->stays || b->kind == EFFECT_COMPILED)
		return t;
	struct program_list const list = parse_programs(arena, &b->source, &said);
	if (list.n == 1 && !said.errors)
		print_program(&t, list.at[0]);
	return t;
}

/* Checks that each printed block is found again, with the same program. */
static void put_printed(struct arena *arena, const struct effect *e)
{
	struct text *programs = arena_zero(arena, (e->blocks.n + 1) * sizeof *programs), copy = {.arena = arena};
	struct diags said;
	diag_init(&said, arena);
	for (uint32_t k = 0; k < e->blocks.n; k++)
		programs[k] = printed(arena, &e->blocks.at[k]);
	effect_rewrite(&copy, e, programs);
	text_char(&copy, '\0');
	struct source const file = {.name = "again.fx", .text = copy.at, .size = copy.n - 1};
	const struct effect *again = effect_read(arena, &file, &(struct preprocess_options){0}, &said);
	if (!again || again->blocks.n != e->blocks.n)
		fail(&copy);
	for (uint32_t k = 0; k < e->blocks.n; k++) {
		if (!programs[k].n)
			continue;
		struct text const now = printed(arena, &again->blocks.at[k]);
		if (now.n != programs[k].n || memcmp(now.at, programs[k].at, now.n) != 0)
			fail(&copy);
	}
}

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
			if (effect->pairs.at[k].vs >= 0)
				parse_programs(&arena, &effect->blocks.at[effect->pairs.at[k].vs].source, &diags);
		effect_rewrite(&copy, effect, programs);
		if (copy.n != size || memcmp(copy.at, text, size) != 0)
			fail(&copy);
		put_printed(&arena, effect);
	}
	struct trace trace;
	trace_is(&file);
	trace_read(&arena, &file, &trace, &diags);
	for (uint32_t k = 0; k < diags.n; k++)
		if (diags.at[k].source && diags.at[k].at != SRCPOS_NONE)
			source_place(diags.at[k].source, diags.at[k].at);
	arena_free(&arena);
	return 0;
}
