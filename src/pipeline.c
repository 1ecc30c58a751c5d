/* Takes a pair from text to text: reads and checks it, and lists all steps, see pipeline.h. */
#include "steps.h"

#include "stand_in.h"

#include "base/profile.h"
#include "lang/check.h"
#include "lang/history.h"
#include "lang/link.h"
#include "lang/modifier.h"
#include "lang/needs.h"
#include "lang/parse.h"
#include "move/graph/free_constants.h"

#include <string.h>

/* A ps_2_0 program with more slots is rejected before it is planned: it cannot become short enough, since a vertex program has no room for the
 * rest, and planning takes time that grows faster than the program.  Programs of longer models are rejected beyond those models' own limits,
 * since nobody could have used them as they are. */
enum { HOPELESS_SLOTS = 1024 };

/* The longest text in bytes.  Positions in a text have 32 bits; no program comes near. */
enum { LONGEST_TEXT = 64 << 20 };

/* Marks the output lanes that the VP writes to the interpolators in `kept` (bit n: oTn, or texcoordn) as outputs that it must keep. */
static void promise_inputs(struct program *vs, unsigned kept)
{
	bool const links = model_links(vs->model);
	unsigned numbers = links ? 0 : kept;
	for (uint32_t k = 0; k < vs->decls.n && links; k++) {
		const struct decl *d = &vs->decls.at[k];
		if (d->kind == DECL_OUTPUT && d->usage == USAGE_TEXCOORD && d->reg.file == REG_TEX_OUT && kept >> d->usage_index & 1)
			numbers |= 1u << d->reg.index;
	}
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT && numbers >> i->dst.index & 1)
			vs->promised.texcoord[i->dst.index] |= instr_writes(i);
	}
}

/* Reserves the constants that an effect's states set: the planner puts nothing else into them.  Withholds those of the FP from the VP, unless a
 * def overrides them, since nothing would set a copy of them there. */
static void leave_states(struct run *r, struct program *const found[2])
{
	for (unsigned stage = 0; stage < 2; stage++)
		found[stage]->reserved = constants_of_both(found[stage]->reserved, r->options->set_by_states[stage]);
	for (int c = 0; c < models[r->ps->model].consts; c++)
		if (register_is_in(&r->options->set_by_states[STAGE_PIXEL], c) && !program_decl(r->ps, REG_CONST, c))
			register_put_in(&r->withheld, c);
}

/* Adds a note for each name in a program's table of constants that is no parameter of the effect and whose constant the program reads.  Returns
 * true if there are any. */
static bool tell_unknown_names(struct run *r, const struct program *p)
{
	const char *last = "";
	for (int c = 0; c < models[p->model].consts; c++) {
		const char *name = program_reads_from_outside(p, c) ? by_name_unknown(r->arena, p, c, r->options->by_name) : NULL;
		if (name && strcmp(name, last) != 0)
			diag_add(&r->diags, DIAG_NOTE, "effect", p->source, p->at,
			         "what reads %s stays in the pixel program: the table of constants calls c%d \"%s\", which is no parameter of the effect",
			         p == r->ps ? "that" : "constants", c, name);
		last = name ? name : last;
	}
	return *last != '\0';
}

/* Reads the sources: makes vs and ps, and links them.  Rejects syntax errors, and anything but one VP and one FP, or an FP alone, for which it
 * makes up a VP. */
static bool step_parse(struct run *r)
{
	struct program *found[2] = {NULL, NULL}; /* by stage */
	for (uint32_t i = 0; i < r->nsources; i++) {
		const struct source *source = &r->sources[i];
		if (source->size > LONGEST_TEXT) {
			diag_add(&r->diags, DIAG_ERROR, NULL, source, SRCPOS_NONE, "longer than 64 MiB, the most that fpmove reads");
			continue;
		}
		uint32_t errors = r->diags.errors;
		struct program_list list = parse_programs(r->arena, source, &r->diags);
		for (uint32_t k = 0; k < list.n; k++) {
			struct program *p = list.at[k];
			bool vertex = program_stage(p) == STAGE_VERTEX;
			if (found[program_stage(p)]) {
				diag_add(&r->diags, DIAG_ERROR, NULL, p->source, p->at,
				         "a second %s program: a pair is one vertex and one pixel program",
				         vertex ? "vertex" : "pixel");
				break;
			}
			found[program_stage(p)] = p;
			r->ps_first |= r->nsources == 2 && i == 0 && !vertex;
		}
		if (!list.n && r->diags.errors == errors)
			diag_add(&r->diags, DIAG_ERROR, NULL, source, SRCPOS_NONE,
			         "no program here: the first statement must be a version token, such as vs_1_1 or ps_2_0");
	}
	for (unsigned stage = 0; r->options->history && stage < 2; stage++)
		if (found[stage])
			history_begin(r->arena, found[stage], "given");
	if (!r->diags.errors && found[STAGE_PIXEL] && !found[STAGE_VERTEX]) {
		found[STAGE_VERTEX] = stand_in_make(r->arena, found[STAGE_PIXEL]);
		r->stands_in = found[STAGE_VERTEX];
	}
	for (unsigned stage = 0; stage < 2; stage++)
		if (found[stage])
			found[stage]->named = r->options->names;
	r->vs = found[STAGE_VERTEX];
	r->ps = found[STAGE_PIXEL];
	r->keeps_model = r->ps && (r->keeps_model || r->options->keep_model) && model_kept(r->ps->model) != r->ps->model;
	if (!r->diags.errors && !(r->vs && r->ps)) {
		const struct program *p = r->vs ? r->vs : r->ps;
		diag_add(&r->diags, DIAG_ERROR, NULL, p ? p->source : NULL, p ? p->at : SRCPOS_NONE,
		         p ? "no %s program to go with it" : "no %s program", r->vs ? "pixel" : "vertex");
	}
	if (!r->diags.errors) {
		r->linked.taken = link_usages(found[STAGE_VERTEX]) | link_usages(found[STAGE_PIXEL]);
		r->ps_alone = program_copy(r->arena, found[STAGE_PIXEL]);
		link_pair(found[STAGE_VERTEX], found[STAGE_PIXEL], &r->diags);
	}
	if (!r->diags.errors) {
		needs_read(r->arena, found[STAGE_VERTEX], &r->diags);
		needs_read(r->arena, found[STAGE_PIXEL], &r->diags);
		needs_of_pair(r->arena, found[STAGE_VERTEX], found[STAGE_PIXEL], &r->diags, &r->given);
	}
	if (!r->diags.errors && r->options->keep_inputs)
		promise_inputs(found[STAGE_VERTEX], r->options->keep_inputs);
	if (!r->diags.errors && r->options->set_by_states)
		leave_states(r, found);
	if (!r->diags.errors && r->options->by_name) {
		r->alike = by_name_alike(r->arena, r->vs, r->ps, r->options->by_name);
		struct register_set const unnamed = by_name_withheld(r->vs, r->ps, r->options->by_name);
		r->withheld = constants_of_both(r->withheld, unnamed);
		tell_unknown_names(r, r->ps);
		/* Withholds all FP constants from a VP whose table has unknown names, since no new names are added to that table. */
		if (tell_unknown_names(r, r->vs))
			memset(&r->withheld, 0xff, sizeof r->withheld);
	}
	return r->diags.errors ? run_reject(r) : true;
}

/* Returns true if the check may let a program pass that is too long for its model, since moves may make it fit.  With models whose length depends
 * on the device, the program may be as long as any device allows. */
static bool may_fit(const struct program *p)
{
	enum device_limit const device = device_slots_limit(p->model);
	const struct model_info *m = &models[p->model];
	if (device != DEVICE_LIMITS)
		return program_total_slots(p) <= device_limits[device].most;
	return m->stage == STAGE_PIXEL && !program_flows(p) && program_total_slots(p) <= (m->tex ? HOPELESS_SLOTS : m->arith);
}

/* Checks that both programs keep the rules of their models, except for lengths that moves may mend. */
static bool step_check(struct run *r)
{
	const struct device *device = &r->options->device;
	struct check_options vs = {.unwritten_warns = true, .any_length = may_fit(r->vs), .device = device};
	struct check_options ps = {.unwritten_warns = true, .any_length = may_fit(r->ps), .device = device, .vs = r->vs, .linked = r->ps};
	check_program(r->vs, &vs, &r->diags);
	check_program(r->ps_alone, &ps, &r->diags);
	if (!r->diags.errors)
		link_warn_unwritten(r->vs, r->ps_alone, &r->diags);
	run_filter_warnings(&r->diags, r->options);
	r->vs_before = r->stands_in ? (struct measure){0} : run_measure(modifier_contracted(r->arena, r->vs));
	r->ps_before = run_measure(modifier_contracted(r->arena, r->ps));
	r->levels_lower = run_levels_lower(r);
	return r->diags.errors ? run_reject(r) : true;
}

const struct step pipeline[STEPS] = {
	{"parse", step_parse}, {"check", step_check}, {"move", step_move},     {"fit", step_fit},
	{"print", step_print}, {"reread", step_reread}, {"prove", step_prove}, {"finish", step_finish},
};

void run_init(struct run *r, struct arena *arena, const struct source *sources, uint32_t nsources,
              const struct run_options *options)
{
	*r = (struct run){.arena = arena, .options = options, .sources = sources, .nsources = nsources};
	r->status = RUN_REJECTED;
	diag_init(&r->diags, arena);
	r->vs_text.arena = r->ps_text.arena = arena;
}

bool run_step(struct run *r, unsigned step)
{
	profile_begin(r->profile, pipeline[step].name);
	bool const goes_on = pipeline[step].run(r);
	if (step == STEP_MOVE && r->moved)
		profile_change(r->profile, r->ps_before.slots, program_total_slots(r->ps_out));
	profile_end(r->profile);
	return goes_on;
}

void run_all(struct run *r)
{
	jmp_buf here, *before = r->arena->on_failure;
	r->arena->on_failure = &here;
	if (setjmp(here)) {
		r->status = RUN_NO_MEMORY;
	} else {
		for (unsigned i = 0; i < STEPS && run_step(r, i); i++)
			;
	}
	r->arena->on_failure = before;
}
