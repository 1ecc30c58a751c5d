/* Helpers for tests of the mover: from text to text. */
#ifndef FPMOVE_TESTS_PAIRS_H
#define FPMOVE_TESTS_PAIRS_H

#include "tests.h"

#include <limits.h>

#include "lang/parse.h"
#include "lang/print.h"
#include "move/passes.h"
#include "move/rules/rules.h"
#include "verify/verify.h"

#include <string.h>

/* Returns the only program of `text`, which must be free of syntax errors. */
static inline struct program *parse_one(struct arena *arena, const char *text)
{
	struct source *source = arena_zero(arena, sizeof *source);
	struct diags diags;
	diag_init(&diags, arena);
	source->name = "test";
	source->text = text;
	source->size = strlen(text);
	struct program_list list = parse_programs(arena, source, &diags);
	for (uint32_t k = 0; k < diags.n; k++)
		print_error("%s\n", diags.at[k].text);
	assert_int_equal(diags.errors, 0);
	assert_int_equal(list.n, 1);
	return list.at[0];
}

static inline const char *text_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	print_program(&t, p);
	return t.at;
}

/* Returns the instructions alone, one on each line. */
static inline const char *instrs_of(struct arena *arena, const struct program *p)
{
	struct text t = {.arena = arena};
	text_string(&t, "");
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		print_instr(&t, p, &p->instrs.at[k]);
		text_char(&t, '\n');
	}
	return t.at;
}

/* Returns the FP that a variant writes, equal by the proof, or "" if it writes nothing.  o = NULL: the default options of these models. */
static inline struct program *variant_written(struct arena *a, variant_writer *write, const struct program *vs, const struct program *ps,
                                         const struct move_options *o)
{
	struct move_options const own = move_options_default((enum model)vs->model, (enum model)ps->model);
	struct group const g = {.vs = &vs, .ps = &ps, .nvs = 1, .nps = 1, .options = o ? o : &own};
	struct program *new = write(&(struct variant_of){a, &g, ps, values_number(a, vs, ps)});
	if (new && !prove(a, (struct pair){vs, ps}, (struct pair){vs, new}, &(struct proof_context){.plain_textures = UINT_MAX}).equal)
		fail_msg("%s", instrs_of(a, new));
	return new;
}

/* Returns the slots of the FP that is planned for a pair, and proves it. */
static inline unsigned slots_planned(struct arena *a, const struct program *vs, const struct program *ps, int level)
{
	struct move_options options = move_options_default(VS_1_1, PS_2_0);
	options.level = level;
	struct move_result *r = move_plan(a, vs, ps, &options);
	struct proof_context const context = {.plain_textures = UINT_MAX, .consts = r->consts.at, .nconsts = r->consts.n,
	                                      .folds = r->folds.at, .nfolds = r->folds.n};
	assert_true(prove(a, (struct pair){vs, ps}, (struct pair){r->vs, r->ps}, &context).equal);
	return program_total_slots(r->ps);
}

#endif
