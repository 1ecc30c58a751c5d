/* Times and compares versions, see trial.h. */
#include "gpu/trial.h"

#include "cli/fit.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "gpu/kernel.h"
#include "gpu/stages.h"

enum { USUAL_SIZE = 2048, USUAL_SIZE_OF_CPU = 256 };

/* ---- versions -------------------------------------------------------------------------- */

const struct run *trial_pair(struct arena *a, const char *const *files, unsigned n, const struct run_options *plan, const struct run *like,
                             const char **why, bool *said_it)
{
	static const struct options plain;
	struct source *sources = arena_zero(a, n * sizeof *sources);
	struct run *r = arena_alloc(a, sizeof *r);
	run_init(r, a, like ? like->sources : sources, n, plan);
	for (unsigned k = 0; k < n && !like; k++)
		if (!input_read(a, files[k], &plain, &sources[k], &r->diags, why))
			return NULL;
	if (!r->diags.errors)
		run_all(r);
	if (run_exit_status(r->status) == EXIT_DONE)
		return r;
	struct text said = {.arena = a};
	message_diags(&said, &r->diags, false, true);
	if (r->fault)
		text_error(&said, "%s", r->fault);
	say(&said);
	*why = kernel_error(r);
	*said_it = true;
	return NULL;
}

static bool add_version(struct arena *a, struct trial *t, const char *name, const char *const *files, unsigned n,
                        const struct run_options *plan)
{
	const struct run *like = t->n && files == t->files ? t->version[0].run : NULL;
	const struct run *r = trial_pair(a, files, n, plan, like, &t->wrong, &t->said);
	if (r) {
		t->version[t->n++] = (struct version){.name = name, .run = r};
		return true;
	}
	t->status = t->said ? EXIT_REJECTED : EXIT_USAGE;
	return false;
}

static unsigned moved_of_pair(struct arena *a, const void *of, const struct run_options *plan)
{
	return stages_moved_under(a, of, plan);
}

/* Adds a version for each number of moved instructions.  Returns false if fpmove fails; then t->wrong and t->status tell why. */
static bool add_stages(struct arena *a, const struct gpu_options *o, struct trial *t, unsigned files)
{
	const struct run_options *plan[STAGES_MOST];
	unsigned moved[STAGES_MOST];
	unsigned const n = stages_find(a, o, moved_of_pair, t->version[0].run, plan, moved);
	bool good = true;
	for (unsigned k = 0; k < n && good; k++)
		good = add_version(a, t, arena_printf(a, "%u moved", moved[k]), t->files, files, plan[k]);
	return good;
}

/* Makes all versions of a trial: the pair as given and at each level or stage, or both of two pairs.  Returns false if fpmove fails; then
 * t->wrong and t->status tell why. */
static bool make_versions(struct arena *a, const struct gpu_options *o, struct trial *t)
{
	unsigned const files = t->files[1] ? 2 : 1;
	t->stages = o->stages;
	t->version = arena_zero(a, (t->stages ? STAGES_MOST + 1 : GPU_LEVELS) * sizeof *t->version);
	if (t->files[2])
		return add_version(a, t, "first", t->files, 2, gpu_options_plan(a, o, 0)) &&
		       add_version(a, t, "second", t->files + 2, 2, gpu_options_plan(a, o, 0));
	bool good = add_version(a, t, "as given", t->files, files, gpu_options_plan(a, o, 0));
	if (good && t->stages)
		return add_stages(a, o, t, files);
	for (unsigned level = 1; level < GPU_LEVELS && good; level++)
		if (o->level[level])
			good = add_version(a, t, arena_printf(a, "-O%u", level), t->files, files, gpu_options_plan(a, o, level));
	return good;
}

/* ---- measuring ------------------------------------------------------------------------- */

static const char *measure_versions(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	struct timing timing = {.ground = t->ground, .n = t->n, .pair = arena_zero(a, t->n * sizeof(struct timed))};
	const char *wrong = NULL;
	for (unsigned k = 0; k < t->n && !wrong; k++)
		wrong = subject_make(&timing.pair[k].subject, t->version[k].run->vs_new, t->version[k].run->ps_new, &t->version[k].run->needs);
	if (wrong)
		return wrong;
	wrong = timing_run(a, gpu, &timing, o->seconds);
	for (unsigned k = 0; k < t->n && !wrong; k++) {
		struct version *v = &t->version[k];
		struct quartiles *ns = arena_alloc(a, sizeof *ns);
		*ns = output_quartiles(a, timing.pair[k].ns, timing.samples);
		v->ns = ns;
		v->ratio = stats_ratio(timing.pair[k].ns, timing.pair[0].ns, timing.samples, arena_alloc(a, timing.samples * sizeof(double)));
		v->cost = run_costs(v->run).after;
		if (k)
			wrong = subject_compare(a, gpu, &timing.pair[0].subject, &timing.pair[k].subject, 1, &v->seen);
	}
	t->samples = timing.samples;
	timing_close(&timing);
	return wrong;
}

void trial_run(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct trial *t)
{
	int const usual = gpu->software ? USUAL_SIZE_OF_CPU : USUAL_SIZE;
	t->ground = (struct ground){.size = gpu_options_size(o) ? (int)gpu_options_size(o) : usual, .grid = (int)o->grid,
	                            .format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8, .linear = !o->nearest};
	if (!make_versions(a, o, t))
		return;
	t->wrong = measure_versions(a, gpu, o, t);
	t->status = t->wrong ? EXIT_USAGE : EXIT_DONE;
	for (unsigned k = 1; k < t->n && !t->wrong; k++)
		if (t->version[k].seen.beyond)
			t->status = EXIT_REJECTED;
}

const char *trial_name(struct arena *a, const char *vs, const char *ps, unsigned columns)
{
	struct text t = {.arena = a};
	fit_pair(&t, vs, ps, columns);
	return t.at;
}
