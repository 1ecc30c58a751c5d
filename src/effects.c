/* Moves the pairs of effect files, see effects.h. */
#include "effects.h"

#include <string.h>

void effect_job_init(struct effect_job *job, struct arena *arena, const struct source *file, const struct preprocess_options *preprocess,
                     const struct run_options *options)
{
	*job = (struct effect_job){.arena = arena, .file = file, .preprocess = preprocess, .options = *options};
	diag_init(&job->notes, arena);
	job->text.arena = arena;
}

bool effect_job_read(struct effect_job *job)
{
	struct effect *e = job->effect = job->notes.errors ? NULL : effect_read(job->arena, job->file, job->preprocess, &job->notes);
	if (!e || !effect_find_pairs(job->arena, e, &job->notes))
		return false;
	job->programs = arena_zero(job->arena, (e->blocks.n + 1) * sizeof *job->programs);
	/* A compiled effect sets the constants of its programs itself, by their names. */
	job->options.by_name = e->compiled ? &e->parameters : NULL;
	job->options.set_by_states = e->sets;
	job->options.one_text &= !e->compiled;
	job->options.emit = EMIT_AS_GIVEN;
	job->options.part_of_file = true;
	job->options.move.preshader = false;
	return true;
}

static void begin_pair(struct effect_job *job, const struct effect_pair *pair)
{
	struct source *sources = arena_alloc(job->arena, 2 * sizeof *sources);
	struct run *r = &VEC_PUSH(job->arena, &job->runs);
	uint32_t n = 0;
	if (pair->vs >= 0)
		sources[n++] = job->effect->blocks.at[pair->vs].source;
	else if (job->vp)
		sources[n++] = *job->vp;
	sources[n++] = job->effect->blocks.at[pair->ps].source;
	run_init(r, job->arena, sources, n, &job->options);
	r->fp_only = pair->vs < 0 && job->vp;
	r->profile = job->profile;
}

static bool never_stop(void *who, const struct allowance *allowance)
{
	(void)who;
	(void)allowance;
	return true;
}

bool effect_job_move(struct effect_job *job, bool (*tell)(void *who, const struct allowance *), void *who)
{
	const struct effect *e = job->effect;
	tell = tell ? tell : never_stop;
	for (uint32_t k = 0; k < e->pairs.n; k++)
		begin_pair(job, &e->pairs.at[k]);
	for (uint32_t g = 0; g < e->groups.n; g++) {
		struct effect_group const group = e->groups.at[g];
		struct allowance const rest = {.left = e->groups.n - g, .all = e->groups.n};
		if (!tell(who, &rest))
			return false;
		struct job const together = {.runs = &job->runs.at[group.first], .n = group.n, .staying = group.staying,
		                             .same_vs = effect_group_same_vs(e, &group), .tell = tell, .who = who};
		if (!job_run(&together))
			return false;
	}
	return true;
}

enum run_status effect_job_status(const struct effect_job *job)
{
	enum run_status worst = job->notes.errors ? RUN_REJECTED : RUN_UNCHANGED;
	bool improved = false;
	for (uint32_t k = 0; k < job->runs.n; k++) {
		enum run_status const status = job->runs.at[k].status;
		improved |= status == RUN_IMPROVED;
		worst = status > worst ? status : worst;
	}
	return worst == RUN_UNCHANGED && improved ? RUN_IMPROVED : worst;
}

static void add_measure(struct measure *to, const struct measure *m)
{
	to->slots += m->slots;
	to->arith += m->arith;
	to->tex += m->tex;
	to->order = m->order > to->order ? m->order : to->order;
	to->temps += m->temps;
	to->consts += m->consts;
	to->inputs += m->inputs;
}

struct run effect_job_sum(const struct effect_job *job)
{
	struct arena *a = job->arena;
	struct run sum;
	struct move_result *moved = arena_zero(a, sizeof *moved);
	run_init(&sum, a, job->file, 1, &job->options);
	sum.status = effect_job_status(job);
	sum.moved = moved;
	sum.proved = sum.proof.equal = moved->optimal = job->runs.n > 0;
	run_add_diags(&sum, &job->notes);
	for (uint32_t k = 0; k < job->runs.n; k++) {
		const struct run *r = &job->runs.at[k];
		bool const done = run_is_done(r);
		add_measure(&sum.vs_before, &r->vs_before);
		add_measure(&sum.ps_before, &r->ps_before);
		add_measure(&sum.vs_after, done ? &r->vs_after : &r->vs_before);
		add_measure(&sum.ps_after, done ? &r->ps_after : &r->ps_before);
		for (uint32_t j = 0; done && j < r->needs.consts.n; j++)
			VEC_PUSH(a, &sum.needs.consts) = r->needs.consts.at[j];
		run_add_diags(&sum, &r->diags);
		sum.fault = sum.fault ? sum.fault : r->fault;
		sum.proved &= r->proved;
		sum.proof.equal &= r->proof.equal;
		sum.proof.trials += r->proof.trials;
		moved->optimal &= r->moved && r->moved->optimal;
		moved->gap += r->moved ? r->moved->gap : 0;
		moved->nodes += r->moved ? r->moved->nodes : 0;
	}
	return sum;
}

static bool same_source_bytes(const struct source *a, const struct source *b)
{
	return a->size == b->size && (a->size == 0 || memcmp(a->text, b->text, a->size) == 0);
}

/* Returns true if the new effect has as many pairs and blocks as the old one, and blocks without a new program are unchanged. */
static bool is_same_but_moved(struct effect_job *job, struct effect *new, struct diags *said)
{
	const struct effect *e = job->effect;
	bool same = new && effect_find_pairs(job->arena, new, said) && new->blocks.n == e->blocks.n && new->pairs.n == e->pairs.n;
	for (uint32_t i = 0; same && i < e->blocks.n; i++)
		same = job->programs[i].n || same_source_bytes(&new->blocks.at[i].source, &e->blocks.at[i].source);
	return same;
}

/* Returns true if the programs `vs` and `ps` of the new file are those that the run proved, or can be proven now.  NULL stands for a program that
 * is missing.  For effects given as text, sets `vs_written` and `ps_written` of the run. */
static bool proves(struct effect_job *job, struct run *r, const struct source *vs, const struct source *ps)
{
	struct arena *a = job->arena;
	struct text const bytes[2] = {{.at = vs ? arena_copy(a, vs->text, vs->size) : NULL, .n = vs ? vs->size : 0},
	                              {.at = ps ? arena_copy(a, ps->text, ps->size) : NULL, .n = ps ? ps->size : 0}};
	if (!run_proves(r, &bytes[0], &bytes[1]))
		return false;
	if (job->effect->compiled)
		return true;
	struct source *written = arena_alloc(a, 2 * sizeof *written);
	for (unsigned k = vs ? 0 : 1; k < 2; k++) {
		written[k] = k ? *ps : *vs;
		written[k].text = bytes[k].at;
	}
	r->vs_written = vs ? &written[0] : NULL;
	r->ps_written = &written[1];
	return true;
}

struct run *effect_job_rewrite(struct effect_job *job)
{
	struct diags said;
	struct arena *a = job->arena;
	const struct effect *e = job->effect;
	diag_init(&said, a);
	for (uint32_t k = 0; k < job->runs.n; k++) {
		const struct run *r = &job->runs.at[k];
		/* Writes nothing for a pair that stays as it was given, so that its text keeps its layout. */
		if (r->kept && r->status == RUN_UNCHANGED)
			continue;
		if (e->pairs.at[k].vs >= 0)
			job->programs[e->pairs.at[k].vs] = r->vs_text;
		job->programs[e->pairs.at[k].ps] = r->ps_text;
	}
	job->text.n = 0;
	text_string(&job->text, "");
	effect_rewrite(&job->text, e, job->programs);
	struct source const file = {.name = job->file->name, .text = job->text.at, .size = job->text.n};
	struct effect *new = effect_read(a, &file, job->preprocess, &said);
	bool const same = is_same_but_moved(job, new, &said);
	for (uint32_t k = 0; k < job->runs.n; k++) {
		const struct effect_pair *pair = &e->pairs.at[k];
		bool const there = same && new->pairs.at[k].vs == pair->vs && new->pairs.at[k].ps == pair->ps;
		const struct source *vs = there && pair->vs >= 0 ? &new->blocks.at[pair->vs].source : NULL;
		if (!proves(job, &job->runs.at[k], vs, there ? &new->blocks.at[pair->ps].source : NULL))
			return &job->runs.at[k];
	}
	return NULL;
}

const char *effect_pair_name(struct arena *a, const struct effect *e, const struct effect_pair *pair)
{
	return pair->pass ? arena_printf(a, "technique %s pass %s", pair->pass->technique, pair->pass->name)
	                  : arena_printf(a, "line %u", (unsigned)source_line(e->file, e->blocks.at[pair->vs < 0 ? pair->ps : pair->vs].at));
}
