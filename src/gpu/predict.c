/* fpmove-gpu predict: measures the machine and workloads, and prints what models say of these. */
#include "gpu/modes.h"

#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "gpu/machine.h"
#include "gpu/stats.h"

struct predict {
	const struct context *gpu;
	const struct target *target; /* for the extended model */
	const char *cache;           /* NULL: none is kept */
	bool fresh;
	struct machine machine;
};

/* ---- the machine ----------------------------------------------------------------------- */

static const char *measure_format(struct arena *a, struct predict *p, enum image_format format)
{
	const char *note = NULL;
	struct rates *r = &p->machine.of[format];
	if (p->cache && !p->fresh && machine_load(a, p->cache, p->gpu, format, r, &note))
		return NULL;
	if (note)
		message_note("%s; the GPU is measured again", note);
	const char *wrong = machine_measure(a, p->gpu, format, r, NULL);
	note = wrong || !p->cache ? NULL : machine_store(a, p->cache, p->gpu, format, r);
	if (note)
		message_note("%s; what was measured is not kept", note);
	return wrong;
}

/* The formats that the session's passes use. */
static const char *measure_machine(struct arena *a, struct predict *p, const struct session *s)
{
	unsigned const formats = model_formats(&s->variant->record);
	const char *wrong = NULL;
	for (unsigned f = 0; f < IMAGE_FORMATS && !wrong; f++)
		if (formats >> f & 1)
			wrong = measure_format(a, p, (enum image_format)f);
	return wrong;
}

/* ---- the pairs of a variant ------------------------------------------------------------ */

static struct model_pair move_pair(struct arena *a, const struct kind *k, const struct run_options *plan)
{
	struct run *r = arena_zero(a, sizeof *r);
	run_init(r, a, k->run->sources, k->run->nsources, plan);
	run_all(r);
	bool const done = r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
	return (struct model_pair){done ? r->vs_new : k->vs, done ? r->ps_new : k->ps};
}

static struct model_pair *move_pairs(struct arena *a, const struct record *r, const struct run_options *plan)
{
	struct model_pair *pairs = arena_alloc(a, (r->kinds.n + 1) * sizeof *pairs);
	for (uint32_t k = 0; k < r->kinds.n; k++)
		pairs[k] = plan ? move_pair(a, &r->kinds.at[k], plan) : (struct model_pair){r->kinds.at[k].vs, r->kinds.at[k].ps};
	return pairs;
}

/* ---- tables ---------------------------------------------------------------------------- */

/* What was measured, and what each model says. */
struct row {
	double measured, by[MODELS];
};

static void print_row(struct text *t, const char *name, const struct row *r, double unit, const char *more)
{
	text_printf(t, "%-34s %10.4f", name, r->measured / unit);
	for (unsigned m = 0; m < MODELS; m++)
		if (r->measured > 0)
			text_printf(t, "  %10.4f %+7.1f%%", r->by[m] / unit, 100 * (r->by[m] / r->measured - 1));
		else
			text_printf(t, "  %10.4f %8s", r->by[m] / unit, "");
	text_printf(t, "%s\n", more);
}

static double median_of(struct arena *a, const double *values, size_t n)
{
	double *copy = arena_alloc(a, n * sizeof *copy);
	memcpy(copy, values, n * sizeof *copy);
	return stats_quartiles(copy, n).median;
}

static void print_head(struct text *t, const char *what, const struct target *target)
{
	text_printf(t, "%-34s %10s  %10s %8s  %10s %8s\n", what, "measured", "reads", "", target->name, "");
}

static void print_machine(struct text *t, const struct machine *m, unsigned formats)
{
	text_printf(t, "%-8s %21s %21s %21s %21s\n", "", "to the GPU (B1, L1)", "a pass (B2, L2)", "back (B3, L3)", "a copy");
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		const struct rates *r = &m->of[f];
		const struct path *const paths[] = {&r->up, &r->read, &r->down, &r->copy};
		if (!(formats >> f & 1))
			continue;
		text_printf(t, "%-8s", image_formats[f].name);
		for (unsigned k = 0; k < 4; k++)
			text_printf(t, " %6.2f GB/s %6.1f us", paths[k]->bandwidth, paths[k]->latency / 1e3);
		text_printf(t, "\n%-8s a pixel takes %.4f ns, a multiply-add of four lanes %.5f ns; a pass in a row %.2f us of the GPU and %.2f us of the CPU\n",
		            "", r->fill, r->arith, r->queue / 1e3, r->submit / 1e3);
	}
}

static void print_variant(struct text *t, const struct predict *p, const struct session *s, const struct variant *v)
{
	const struct record *record = &s->variant[0].record;
	struct model_pair const *pairs = move_pairs(t->arena, record, v->plan);
	struct row up = {v->upload_ns, {0}}, passes = {median_of(t->arena, v->gpu_ns, s->samples), {0}}, down = {v->download_ns, {0}}, all;
	struct row ratio = {passes.measured / median_of(t->arena, s->variant[0].gpu_ns, s->samples), {0}};
	all.measured = up.measured + passes.measured + down.measured;
	print_head(t, arena_printf(t->arena, "%s, ms", v->name), p->target);
	for (unsigned m = 0; m < MODELS; m++) {
		struct predictor const predictor = {(enum model_id)m, &p->machine, p->target};
		up.by[m] = model_up(&predictor, record);
		passes.by[m] = model_passes(&predictor, record, pairs);
		down.by[m] = model_down(&predictor, record);
		all.by[m] = up.by[m] + passes.by[m] + down.by[m];
		ratio.by[m] = passes.by[m] / model_passes(&predictor, record, NULL);
	}
	print_row(t, "T1, to the GPU", &up, 1e6, "");
	print_row(t, "T2, all passes", &passes, 1e6, "");
	print_row(t, "T3, back", &down, 1e6, "");
	print_row(t, "T", &all, 1e6, "");
	if (v != s->variant)
		print_row(t, "T2, to that as given", &ratio, 1, "");
	for (uint32_t n = 0; n < record->kinds.n; n++) {
		const struct kind *k = &record->kinds.at[n], *seen = &v->record.kinds.at[n < v->record.kinds.n ? n : 0];
		struct row kind = {seen->ns / seen->passes, {0}};
		for (unsigned m = 0; m < MODELS; m++)
			kind.by[m] = model_kind(&(struct predictor){(enum model_id)m, &p->machine, p->target}, k, pairs[n].vs, pairs[n].ps) / k->passes;
		print_row(t, arena_printf(t->arena, "  a pass of %s, us", k->name), &kind, 1e3,
		          arena_printf(t->arena, "  %.0f passes, %.0f pixels, %u FP slots, %u reads", k->passes, k->pixels, program_total_slots(pairs[n].ps), k->reads));
	}
}

/* ---- from options to tables ------------------------------------------------------------ */

static int predict_task(struct arena *a, const struct context *gpu, const struct gpu_options *o, const struct task *task,
                        struct gpu_output *to)
{
	bool const chosen = o->plan.given & GIVEN_TARGET;
	struct predict p = {.gpu = gpu, .target = chosen ? &o->plan.move.target : &targets[TARGET_H200], .cache = machine_cache(a), .fresh = o->fresh};
	struct session s = {.workload = task->workload, .job = task->job};
	struct text t = {.arena = a};
	list_variants(a, o, &s);
	const char *wrong = session_run(a, gpu, &s, o->seconds);
	wrong = wrong ? wrong : measure_machine(a, &p, &s);
	if (!wrong) {
		print_machine(&t, &p.machine, model_formats(&s.variant->record));
		for (unsigned k = 0; k < s.nvariants; k++)
			print_variant(&t, &p, &s, &s.variant[k]);
	}
	session_close(&s);
	if (!wrong)
		return output_table(to, &t) ? GPU_DONE : GPU_USAGE;
	message_error("%s%s%s: %s", task->workload->name, task->job.form ? " " : "", task->job.form ? task->job.form : "", wrong);
	return GPU_USAGE;
}

int predict_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct tasks tasks;
	struct gpu_output to;
	output_begin(a, o, &to, "");
	return gpu_options_tasks(a, o, &tasks) ? do_tasks(a, gpu, o, &tasks, predict_task, &to) : GPU_USAGE;
}
