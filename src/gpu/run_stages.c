/* Measures workloads in stages (one for each number of moved instructions), see run_stages.h. */
#include "gpu/run_stages.h"

#include "gpu/output.h"

#include <math.h>

struct ratio variant_ratio(struct arena *a, const struct session *s, const struct variant *v)
{
	return stats_ratio(v->gpu_ns, s->variant->gpu_ns, s->samples, arena_alloc(a, s->samples * sizeof(double)));
}

/* Returns how many instructions of all recorded programs move under a plan. */
static unsigned moved_in_all(struct arena *a, const void *of, const struct run_options *plan)
{
	const struct record *record = of;
	unsigned sum = 0;
	for (uint32_t k = 0; k < record->kinds.n; k++)
		sum += stages_moved_under(a, record->kinds.at[k].run, plan);
	return sum;
}

/* Records one computation as given, to find the programs of the workload. */
static const char *find_programs(struct arena *a, const struct context *gpu, const struct session *s, struct record *record)
{
	struct lab lab = {.arena = a, .gpu = gpu, .record = record};
	void *state = NULL;
	record_start(record, a, false);
	const char *wrong = s->workload->open(&lab, &s->wanted, &state);
	if (!wrong) {
		s->workload->upload(&lab, state);
		s->workload->compute(&lab, state);
		wrong = context_error();
	}
	if (state)
		s->workload->close(&lab, state);
	return wrong;
}

const char *run_stages_list(struct arena *a, const struct context *gpu, const struct gpu_options *o, struct session *s)
{
	struct record record;
	const struct run_options *plan[STAGES_MOST];
	unsigned moved[STAGES_MOST];
	const char *wrong = find_programs(a, gpu, s, &record);
	unsigned const n = wrong ? 0 : stages_find(a, o, moved_in_all, &record, plan, moved);
	s->variant = arena_zero(a, (n + 1) * sizeof *s->variant);
	s->variant[s->nvariants++].name = "as given";
	for (unsigned k = 0; k < n; k++)
		s->variant[s->nvariants++] = (struct variant){.name = arena_printf(a, "%u moved", moved[k]), .plan = plan[k]};
	record_free(&record);
	return wrong;
}

/* Returns counted operations per ns, or NAN if the workload does not count them. */
static double rate_or_nan(double (*count)(const void *), const struct variant *v, double ns)
{
	return count ? count(v->state) / ns : (double)NAN;
}

struct milestone run_stage(struct arena *a, const struct session *s, const struct variant *v)
{
	struct milestone stage = {.ns = output_quartiles(a, v->gpu_ns, s->samples), .ratio = variant_ratio(a, s, v), .back_ns = v->download_ns};
	stage.whole_ns = output_quartiles(a, v->whole_ns, s->samples).median;
	stage.whole_ratio = stats_ratio(v->whole_ns, s->variant->whole_ns, s->samples, arena_alloc(a, s->samples * sizeof(double))).median;
	stage.gflops = rate_or_nan(s->workload->operations, v, stage.ns.median);
	stage.published = rate_or_nan(s->workload->published, v, stage.ns.median);
	for (uint32_t k = 0; k < v->record.kinds.n; k++) {
		const struct kind *kind = &v->record.kinds.at[k];
		stage.moved += stages_moved(kind->run);
		stage.vs += program_total_slots(kind->vs);
		stage.ps += program_total_slots(kind->ps);
	}
	return stage;
}

const struct milestone *run_stages(struct arena *a, const struct session *s)
{
	struct milestone *stages = arena_alloc(a, s->nvariants * sizeof *stages);
	for (unsigned k = 0; k < s->nvariants; k++)
		stages[k] = run_stage(a, s, &s->variant[k]);
	return stages;
}
