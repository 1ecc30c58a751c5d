/* Measures workloads, see run.h. */
#include "gpu/run.h"

#include "gpu/pass_timing.h"
#include "gpu/stats.h"

#include <epoxy/gl.h>

enum { LEAST_SAMPLES = 5, MOST_SAMPLES = 101 };
/* The CPU repeats its work for `cpu_seconds`, but does not begin work of more than `cpu_most_operations`, which takes about ten seconds at an
 * operation per nanosecond. */
enum { CPU_MOST_SAMPLES = 9 };
static const double cpu_seconds = 0.3, cpu_most_operations = 1e10;

struct times {
	double upload, gpu, wall, download;
	double write, read; /* the parts of upload and download in pass_write and pass_read */
};

/* Measures one computation: the upload of the input, all passes, and the download of the results. */
static struct times measure_workload_once(const struct workload *w, struct variant *v, struct waker *waker)
{
	GLuint query[2];
	GLuint64 at[2];
	glGenQueries(2, query);
	glFinish();
	double const begun = stats_now_ns();
	struct record *const record = v->lab.record, *const moved = record ? record : &v->moved;
	struct times t = {.write = -transfers_all(moved->written).ns, .read = -transfers_all(moved->read).ns};
	v->lab.record = moved;
	lab_upload(&v->lab);
	v->lab.record = record;
	glFinish();
	double const uploaded = stats_now_ns();
	waker_wake(waker);
	double const ready = stats_now_ns();
	glQueryCounter(query[0], GL_TIMESTAMP);
	v->record.computing = true;
	w->compute(&v->lab);
	v->record.computing = false;
	if (v->lab.gpu->software)
		glFinish(); /* a CPU draws later than the calls return, and its timer would miss that */
	glQueryCounter(query[1], GL_TIMESTAMP);
	glFinish();
	double const computed = stats_now_ns();
	v->lab.record = moved;
	lab_download(&v->lab);
	if (w->unpack)
		w->unpack(&v->lab);
	v->lab.record = record;
	double const downloaded = stats_now_ns();
	for (unsigned k = 0; k < 2; k++)
		glGetQueryObjectui64v(query[k], GL_QUERY_RESULT, &at[k]);
	glDeleteQueries(2, query);
	t.upload = uploaded - begun;
	t.gpu = (double)(at[1] - at[0]);
	t.wall = computed - ready;
	t.download = downloaded - computed;
	t.write += transfers_all(moved->written).ns;
	t.read += transfers_all(moved->read).ns;
	return t;
}

static const char *open_variant(struct arena *a, const struct context *gpu, struct session *s, struct variant *v)
{
	v->lab = (struct lab){.arena = a, .gpu = gpu, .plan = v->plan, .wanted = &s->wanted};
	const char *wrong = s->workload->open(&v->lab);
	return wrong ? wrong : context_error();
}

/* Computes once to warm up, and once more to record each pass and, if s->check is set, to check the result.  Returns the time in ns of the second
 * computation, transfers included. */
static double first_time(struct session *s, struct variant *v, struct waker *waker)
{
	measure_workload_once(s->workload, v, waker);
	record_start(&v->record, v->lab.arena, true);
	v->lab.record = &v->record;
	struct times const t = measure_workload_once(s->workload, v, waker);
	record_finish(&v->record);
	if (s->check)
		s->workload->check(&v->lab, &v->finding);
	v->lab.record = NULL;
	return t.upload + t.wall + t.download;
}

/* Times the CPU at the work of a variant that has been computed, and checks the CPU's results, which replace the downloaded ones.  Does nothing
 * if there is no code for the CPU or no check is wanted; sets s->cpu.left_out if the work is too long. */
static void time_cpu(struct session *s, struct variant *v)
{
	const struct workload *w = s->workload;
	double values[CPU_MOST_SAMPLES], spent = 0;
	unsigned n = 0;
	if (!w->on_cpu || !s->check)
		return;
	if (v->lab.operations > cpu_most_operations) {
		s->cpu.left_out = arena_printf(v->lab.arena, "its %.3g operations would take more than some seconds", v->lab.operations);
		return;
	}
	for (; n < CPU_MOST_SAMPLES && (!n || spent < cpu_seconds * 1e9); spent += values[n++]) {
		double const begun = stats_now_ns();
		w->on_cpu(&v->lab);
		values[n] = stats_now_ns() - begun;
	}
	s->cpu.measured = true;
	s->cpu.ns = stats_quartiles(values, n).median;
	w->check(&v->lab, &s->cpu.finding);
}

/* Returns the median of one field of n times; `at` is its offset in struct times. */
static double median_of(struct arena *a, const struct times *t, unsigned n, size_t at)
{
	double *values = arena_alloc(a, n * sizeof *values);
	for (unsigned k = 0; k < n; k++)
		memcpy(&values[k], (const char *)&t[k] + at, sizeof *values);
	return stats_quartiles(values, n).median;
}

static void measure_variants(struct arena *a, struct session *s, struct waker *waker, double seconds)
{
	double once = 1;
	for (unsigned k = 0; k < s->nvariants; k++)
		once += first_time(s, &s->variant[k], waker);
	time_cpu(s, s->variant);
	unsigned const n = s->samples = stats_samples(seconds, once, LEAST_SAMPLES, MOST_SAMPLES);
	struct times *t = arena_alloc(a, n * s->nvariants * sizeof *t);
	for (unsigned turn = 0; turn < n; turn++)
		for (unsigned k = 0; k < s->nvariants; k++)
			t[k * n + turn] = measure_workload_once(s->workload, &s->variant[k], waker);
	for (unsigned k = 0; k < s->nvariants; k++, t += n) {
		struct variant *v = &s->variant[k];
		v->gpu_ns = arena_alloc(a, n * sizeof *v->gpu_ns);
		v->whole_ns = arena_alloc(a, n * sizeof *v->whole_ns);
		for (unsigned turn = 0; turn < n; turn++) {
			v->gpu_ns[turn] = t[turn].gpu;
			v->whole_ns[turn] = t[turn].upload + t[turn].wall + t[turn].download;
		}
		v->upload_ns = median_of(a, t, n, offsetof(struct times, upload));
		v->download_ns = median_of(a, t, n, offsetof(struct times, download));
		v->write_ns = median_of(a, t, n, offsetof(struct times, write));
		v->read_ns = median_of(a, t, n, offsetof(struct times, read));
	}
}

const char *session_run(struct arena *a, const struct context *gpu, struct session *s, double seconds)
{
	for (unsigned k = 0; k < s->nvariants; k++) {
		const char *wrong = open_variant(a, gpu, s, &s->variant[k]);
		if (wrong)
			return wrong;
	}
	struct waker waker;
	const char *wrong = waker_open(&s->variant->lab, &waker);
	if (!wrong)
		measure_variants(a, s, &waker, seconds);
	lab_close(&waker.lab);
	return wrong ? wrong : context_error();
}

void session_close(struct session *s)
{
	for (unsigned k = 0; k < s->nvariants; k++) {
		lab_close(&s->variant[k].lab);
		record_free(&s->variant[k].record);
	}
}
