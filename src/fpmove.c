/* The public functions of the library, see fpmove.h. */
#include "fpmove.h"

#include "effects.h"
#include "hints.h"
#include "lang/encoding.h"
#include "lang/effect_binary.h"
#include "lang/print_c.h"
#include "pipeline.h"
#include "system/process.h"

#include <setjmp.h>
#include <string.h>

struct fpm_result {
	struct arena arena; /* the memory of the result, this struct included */
	struct run_options options;
	struct run run; /* the pair's run, or the sum of an effect's runs */
	struct effect_job effect; /* the job of an effect; its `file` is NULL if the input is a pair */
	struct text preshader;
	struct { VEC(struct fpm_preset); } presets;
	struct { VEC(struct fpm_hint); } hints;
	bool knows_hints;
};

void fpm_options_init(struct fpm_options *o)
{
	*o = (struct fpm_options){.level = 2, .max_moves = -1, .stop_at_ps_slots = -1, .vs_slots = -1,
	                          .vs_temps = -1, .vs_const_first = -1, .vs_const_last = -1,
	                          .texcoords = -1, .ps_arith = -1, .ps_tex = -1, .ps_const_first = -1,
	                          .ps_const_last = -1};
}

static void give_budget(struct run_options *o, int value, enum run_given bit, unsigned *field)
{
	if (value < 0)
		return;
	*field = (unsigned)value;
	o->given |= (unsigned)bit;
}

/* Sets a range of constants from the first and last number that the caller gave; -1 stands for the first or last constant of the model.  Returns
 * false if both are -1 and no range is given.  Lowers a last number that is beyond all models. */
static bool constants(int first, int last, struct range *to)
{
	enum { BEYOND = 4096 };
	*to = (struct range){first < 0 ? 0 : first, last >= 0 && last < BEYOND ? last : BEYOND};
	return first >= 0 || last >= 0;
}

static struct run_options convert(struct arena *a, const struct fpm_options *from)
{
	struct run_options o = {.outcomes = true};
	o.move.level = from->level < 0 ? 0 : from->level > 3 ? 3 : from->level;
	o.move.drop_in = from->drop_in;
	o.keep_model = from->keep_model;
	o.keep_inputs = from->keep_inputs;
	o.move.colour_inputs = from->colour_inputs;
	o.move.free_position = from->free_position;
	o.move.plain_textures = from->plain_textures;
	o.move.finite_textures = from->finite_textures;
	o.move.free_ties = from->free_ties;
	if (!from->device || device_read(a, from->device, strlen(from->device), &o.device))
		o.device = (struct device){{0}};
	if (from->as_published)
		move_as_published(&o.move);
	give_budget(&o, from->max_moves, GIVEN_MAX_MOVES, &o.move.max_moves);
	give_budget(&o, from->stop_at_ps_slots, GIVEN_STOP_AT, &o.move.ps_slots);
	give_budget(&o, from->vs_slots, GIVEN_VS_SLOTS, &o.move.budget.vs_slots);
	give_budget(&o, from->vs_temps, GIVEN_VS_TEMPS, &o.move.budget.vs_temps);
	give_budget(&o, from->texcoords, GIVEN_TEXCOORDS, &o.move.budget.texcoords);
	const char *unknown;
	size_t n;
	if (from->target && !aim_read(&o, from->target, &unknown, &n))
		o.given &= ~(unsigned)GIVEN_TARGET;
	give_budget(&o, from->ps_arith, GIVEN_PS_ARITH, &o.move.budget.ps_arith);
	give_budget(&o, from->ps_tex, GIVEN_PS_TEX, &o.move.budget.ps_tex);
	if (constants(from->vs_const_first, from->vs_const_last, &o.move.budget.vs_consts))
		o.given |= GIVEN_VS_CONSTS;
	o.emit = (uint8_t)(from->emit == FPM_ASM ? EMIT_ASM : from->emit == FPM_BYTECODE ? EMIT_BYTECODE : EMIT_AS_GIVEN);
	o.move.preshader = from->preshader && o.move.level >= 2 && !o.move.drop_in;
	if (constants(from->ps_const_first, from->ps_const_last, &o.move.ps_consts))
		o.given |= GIVEN_PS_CONSTS;
	return o;
}

/* Lists the presets (constants that the application computes).  If `wanted` is not NULL, also writes a C function of that name that computes
 * them.  Sets the status RUN_NO_MEMORY if memory runs out. */
static void make_preshader(struct fpm_result *r, const char *wanted)
{
	const struct needs *m = &r->run.needs;
	jmp_buf no_memory;
	r->arena.on_failure = &no_memory;
	if (setjmp(no_memory)) {
		r->run.status = RUN_NO_MEMORY;
	} else {
		struct text name = {.arena = &r->arena};
		if (wanted) {
			print_c_name(&name, wanted, strlen(wanted));
			print_c_head(&r->preshader);
			print_c_function(&r->preshader, name.at ? name.at : "constants", "a pair of programs", m->consts.at,
			                 m->consts.n, m->folds.at, m->folds.n, r->run.ps);
		}
		for (uint32_t k = 0; k < m->folds.n; k++) {
			const struct folded *f = &m->folds.at[k], *before = k ? f - 1 : NULL;
			if (!f->preset)
				continue;
			if (!before || !before->preset || before->stage != f->stage || before->index != f->index)
				VEC_PUSH(&r->arena, &r->presets) =
					(struct fpm_preset){f->stage == STAGE_VERTEX ? FPM_VERTEX : FPM_PIXEL, f->index, 0};
			r->presets.at[r->presets.n - 1].lanes |= 1u << f->lane;
		}
	}
	r->arena.on_failure = NULL;
}

/* Moves the pairs of an effect file.  Sets the status RUN_NO_MEMORY if memory runs out. */
static void move_effect(struct fpm_result *r, const struct source *file)
{
	jmp_buf no_memory;
	r->arena.on_failure = &no_memory;
	effect_job_init(&r->effect, &r->arena, file, NULL, &r->options);
	if (setjmp(no_memory)) {
		r->run.status = RUN_NO_MEMORY;
	} else {
		if (effect_job_read(&r->effect))
			effect_job_move(&r->effect, NULL, NULL);
		enum run_status const status = effect_job_status(&r->effect);
		if (status == RUN_IMPROVED || status == RUN_UNCHANGED)
			effect_job_rewrite(&r->effect);
		r->run = effect_job_sum(&r->effect);
	}
	r->arena.on_failure = NULL;
}

static struct fpm_result *move_texts(const struct fpm_text *texts, size_t n, const struct fpm_options *options)
{
	jmp_buf no_memory;
	struct arena arena;
	struct fpm_options defaults;
	fpm_options_init(&defaults);
	arena_init(&arena, &no_memory);
	if (setjmp(no_memory)) {
		arena_free(&arena);
		return NULL;
	}
	struct fpm_result *r = arena_zero(&arena, sizeof *r);
	struct source *sources = arena_zero(&arena, (n ? n : 1) * sizeof *sources);
	for (size_t i = 0; i < n; i++) {
		const char *name = texts[i].name ? texts[i].name : "";
		sources[i].name = arena_printf(&arena, "%s", name);
		sources[i].size = texts[i].text ? texts[i].size : 0;
		sources[i].text = arena_copy(&arena, texts[i].text, sources[i].size);
		encoding_trim(&sources[i]);
	}
	r->options = convert(&r->arena, options ? options : &defaults);
	r->arena = arena;
	r->arena.on_failure = NULL;
	run_init(&r->run, &r->arena, sources, (uint32_t)n, &r->options);
	r->preshader.arena = &r->arena;
	if (n == 1 && effect_is_compiled(sources->text, sources->size))
		move_effect(r, sources);
	else
		job_run(&(struct job){.runs = &r->run, .n = 1});
	if (fpm_status(r) == FPM_DONE && !r->effect.file)
		make_preshader(r, r->options.move.preshader ? options->preshader : NULL);
	return r;
}

struct fpm_result *fpm_move(const struct fpm_text *texts, size_t n, const struct fpm_options *options)
{
	unsigned const before = os_take_precision();
	struct fpm_result *r = move_texts(texts, n, options);
	os_give_precision(before);
	return r;
}

void fpm_free(struct fpm_result *r)
{
	if (!r)
		return;
	struct arena arena = r->arena;
	arena_free(&arena);
}

enum fpm_status fpm_status(const struct fpm_result *r)
{
	static const enum fpm_status statuses[] = {[RUN_IMPROVED] = FPM_DONE, [RUN_UNCHANGED] = FPM_DONE, [RUN_REJECTED] = FPM_REJECTED,
	                                           [RUN_FAILED] = FPM_FAULT, [RUN_NO_MEMORY] = FPM_NO_MEMORY};
	return r ? statuses[r->run.status] : FPM_NO_MEMORY;
}

static const struct text *output(const struct fpm_result *r, enum fpm_stage stage)
{
	if (fpm_status(r) != FPM_DONE || (stage == FPM_EFFECT) != (r->effect.file != NULL) || (stage == FPM_VERTEX && r->run.stands_in))
		return NULL;
	return stage == FPM_EFFECT ? &r->effect.text : stage == FPM_VERTEX ? &r->run.vs_text : &r->run.ps_text;
}

const char *fpm_output(const struct fpm_result *r, enum fpm_stage stage)
{
	const struct text *t = output(r, stage);
	return t ? t->at : NULL;
}

size_t fpm_output_size(const struct fpm_result *r, enum fpm_stage stage)
{
	const struct text *t = output(r, stage);
	return t ? t->n : 0;
}

unsigned fpm_slots(const struct fpm_result *r, enum fpm_stage stage, enum fpm_time time)
{
	if (!r || stage == FPM_EFFECT)
		return 0;
	if (stage == FPM_VERTEX)
		return time == FPM_BEFORE ? r->run.vs_before.slots : r->run.vs_after.slots;
	return time == FPM_BEFORE ? r->run.ps_before.slots : r->run.ps_after.slots;
}

unsigned fpm_moved(const struct fpm_result *r)
{
	unsigned moved = 0;
	if (fpm_status(r) != FPM_DONE)
		return 0;
	for (uint32_t k = 0; k < r->effect.runs.n; k++)
		moved += r->effect.runs.at[k].outcomes->moved;
	return r->effect.file ? moved : r->run.outcomes->moved;
}

size_t fpm_passes(const struct fpm_result *r)
{
	return r ? r->effect.runs.n : 0;
}

struct fpm_pass fpm_pass(const struct fpm_result *r, size_t i)
{
	if (i >= fpm_passes(r))
		return (struct fpm_pass){.technique = "", .pass = ""};
	const struct run *run = &r->effect.runs.at[i];
	const struct effect_pass *pass = r->effect.effect->pairs.at[i].pass;
	return (struct fpm_pass){pass->technique, pass->name, {run->vs_before.slots, run->vs_after.slots}, {run->ps_before.slots, run->ps_after.slots}};
}

size_t fpm_constants(const struct fpm_result *r)
{
	return fpm_status(r) == FPM_DONE ? r->run.needs.consts.n : 0;
}

struct fpm_constant fpm_constant(const struct fpm_result *r, size_t i)
{
	if (i >= fpm_constants(r))
		return (struct fpm_constant){0, 0};
	struct const_map map = r->run.needs.consts.at[i];
	return (struct fpm_constant){map.vs, map.ps};
}

const char *fpm_constant_name(const struct fpm_result *r, size_t i)
{
	return i < fpm_constants(r) ? r->run.needs.consts.at[i].name : NULL;
}

bool fpm_constant_by_name(const struct fpm_result *r, size_t i)
{
	return i < fpm_constants(r) && r->run.needs.consts.at[i].by_name;
}

const char *fpm_preshader(const struct fpm_result *r)
{
	return fpm_status(r) == FPM_DONE ? r->preshader.at : NULL;
}

size_t fpm_presets(const struct fpm_result *r)
{
	return fpm_status(r) == FPM_DONE ? r->presets.n : 0;
}

struct fpm_preset fpm_preset(const struct fpm_result *r, size_t i)
{
	return i < fpm_presets(r) ? r->presets.at[i] : (struct fpm_preset){FPM_VERTEX, 0, 0};
}

size_t fpm_diagnostics(const struct fpm_result *r)
{
	return r ? r->run.diags.n : 0;
}

struct fpm_diagnostic fpm_diagnostic(const struct fpm_result *r, size_t i)
{
	if (i >= fpm_diagnostics(r))
		return (struct fpm_diagnostic){.severity = FPM_NOTE, .text = ""};
	const struct diag *d = &r->run.diags.at[i];
	static const enum fpm_severity severities[] = {[DIAG_NOTE] = FPM_NOTE, [DIAG_WARNING] = FPM_WARNING, [DIAG_ERROR] = FPM_ERROR};
	struct fpm_diagnostic out = {.severity = severities[d->severity], .rule = d->rule, .text = d->text};
	if (!d->source)
		return out;
	out.file = d->source->name;
	if (d->at != SRCPOS_NONE) {
		struct place p = source_place(d->source, d->at);
		out.file = p.file;
		out.line = p.line;
		out.column = p.column;
	}
	return out;
}

/* Adds a hint to the result as text, with the prefix `who`. */
static void add_hint_text(struct fpm_result *r, const struct run *run, const struct hint *h, const char *who)
{
	struct text t = {.arena = &r->arena};
	text_string(&t, who);
	hint_text(&t, run, h);
	text_string(&t, ": ");
	hint_why(&t, h);
	VEC_PUSH(&r->arena, &r->hints) = (struct fpm_hint){.text = t.at, .with = h->with, .without = h->without, .vs_2_0 = h->as_vs_2_0, .ps_slots = h->saves, .vs_slots = h->vs_slots};
}

static void add_run_hints(struct fpm_result *r, struct run *run, const char *who)
{
	find_hints(&(struct job){.runs = run, .n = 1}, false);
	for (uint32_t k = 0; run->hints && k < run->hints->n; k++)
		add_hint_text(r, run, &run->hints->at[k], who);
}

/* Adds to the result the hints of those pairs of an effect that share no program with others. */
static void add_hints_of_effect(struct fpm_result *r)
{
	const struct effect *e = r->effect.effect;
	for (uint32_t g = 0; g < e->groups.n; g++)
		if (e->groups.at[g].n == 1 && !e->groups.at[g].staying)
			add_run_hints(r, &r->effect.runs.at[e->groups.at[g].first],
			          arena_printf(&r->arena, "%s: ", effect_pair_name(&r->arena, e, &e->pairs.at[e->groups.at[g].first])));
}

size_t fpm_hints(struct fpm_result *r)
{
	jmp_buf no_memory;
	if (fpm_status(r) != FPM_DONE)
		return 0;
	if (r->knows_hints)
		return r->hints.n;
	r->knows_hints = true;
	unsigned const before = os_take_precision();
	r->arena.on_failure = &no_memory;
	if (setjmp(no_memory)) {
		r->hints.n = 0;
	} else {
		if (r->effect.file)
			add_hints_of_effect(r);
		else
			add_run_hints(r, &r->run, "");
	}
	r->arena.on_failure = NULL;
	os_give_precision(before);
	return r->hints.n;
}

struct fpm_hint fpm_hint(struct fpm_result *r, size_t i)
{
	return i < fpm_hints(r) ? r->hints.at[i] : (struct fpm_hint){.text = ""};
}

const char *fpm_version(void)
{
	return FPMOVE_VERSION;
}
