/* Measures workloads, see run.h. */
#include "gpu/run.h"

#include "gpu/stats.h"
#include "gpu/wake.h"

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
	w->upload(&v->lab, v->state);
	v->lab.record = record;
	glFinish();
	double const uploaded = stats_now_ns();
	waker_wake(waker);
	double const ready = stats_now_ns();
	glQueryCounter(query[0], GL_TIMESTAMP);
	v->record.computing = true;
	w->compute(&v->lab, v->state);
	v->record.computing = false;
	if (v->lab.gpu->software)
		glFinish(); /* a CPU draws later than the calls return, and its timer would miss that */
	glQueryCounter(query[1], GL_TIMESTAMP);
	glFinish();
	double const computed = stats_now_ns();
	v->lab.record = moved;
	w->download(&v->lab, v->state);
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
	v->lab = (struct lab){.arena = a, .gpu = gpu, .plan = v->plan};
	const char *wrong = s->workload->open(&v->lab, &s->wanted, &v->state);
	return wrong ? wrong : context_error();
}

/* Computes once to warm up, and once more to record each pass and, if s->check is set, to check the result.  Returns the ns of the second
 * computation, transfers included. */
static double first_time(struct session *s, struct variant *v, struct waker *waker)
{
	measure_workload_once(s->workload, v, waker);
	record_start(&v->record, v->lab.arena, true);
	v->lab.record = &v->record;
	struct times const t = measure_workload_once(s->workload, v, waker);
	record_finish(&v->record);
	if (s->check)
		s->workload->check(&v->lab, v->state, &v->finding);
	v->lab.record = NULL;
	return t.upload + t.wall + t.download;
}

/* Times the CPU at the work of a variant, which must have been computed once, and checks its results, which replace the downloaded ones.
 * Does nothing if there is no code for the CPU or no check is wanted; sets s->cpu.left_out if the work is too long. */
static void time_cpu(struct session *s, struct variant *v)
{
	const struct workload *w = s->workload;
	double values[CPU_MOST_SAMPLES], spent = 0;
	unsigned n = 0;
	double const operations = w->operations ? w->operations(v->state) : 0;
	if (!w->on_cpu || !s->check)
		return;
	if (operations > cpu_most_operations) {
		s->cpu.left_out = arena_printf(v->lab.arena, "its %.3g operations would take more than some seconds", operations);
		return;
	}
	for (; n < CPU_MOST_SAMPLES && (!n || spent < cpu_seconds * 1e9); spent += values[n++]) {
		double const begun = stats_now_ns();
		w->on_cpu(&v->lab, v->state);
		values[n] = stats_now_ns() - begun;
	}
	s->cpu.measured = true;
	s->cpu.ns = stats_quartiles(values, n).median;
	w->check(&v->lab, v->state, &s->cpu.finding);
}

static double *alloc_numbers(struct arena *a, size_t n)
{
	return arena_alloc(a, n * sizeof(double));
}

static void measure_variants(struct arena *a, struct session *s, struct waker *waker, double seconds)
{
	double once = 1;
	for (unsigned k = 0; k < s->nvariants; k++)
		once += first_time(s, &s->variant[k], waker);
	time_cpu(s, s->variant);
	unsigned const n = s->samples = stats_samples(seconds, once, LEAST_SAMPLES, MOST_SAMPLES);
	double *upload = alloc_numbers(a, n * s->nvariants), *download = alloc_numbers(a, n * s->nvariants);
	double *write = alloc_numbers(a, n * s->nvariants), *read = alloc_numbers(a, n * s->nvariants);
	for (unsigned k = 0; k < s->nvariants; k++) {
		s->variant[k].gpu_ns = alloc_numbers(a, n);
		s->variant[k].whole_ns = alloc_numbers(a, n);
	}
	for (unsigned turn = 0; turn < n; turn++) {
		for (unsigned k = 0; k < s->nvariants; k++) {
			struct times const t = measure_workload_once(s->workload, &s->variant[k], waker);
			s->variant[k].gpu_ns[turn] = t.gpu;
			s->variant[k].whole_ns[turn] = t.upload + t.wall + t.download;
			upload[k * n + turn] = t.upload;
			download[k * n + turn] = t.download;
			write[k * n + turn] = t.write;
			read[k * n + turn] = t.read;
		}
	}
	for (unsigned k = 0; k < s->nvariants; k++) {
		s->variant[k].upload_ns = stats_quartiles(upload + k * n, n).median;
		s->variant[k].download_ns = stats_quartiles(download + k * n, n).median;
		s->variant[k].write_ns = stats_quartiles(write + k * n, n).median;
		s->variant[k].read_ns = stats_quartiles(read + k * n, n).median;
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
	waker_close(&waker);
	return wrong ? wrong : context_error();
}

void session_close(struct session *s)
{
	for (unsigned k = 0; k < s->nvariants; k++) {
		if (s->variant[k].state)
			s->workload->close(&s->variant[k].lab, s->variant[k].state);
		record_free(&s->variant[k].record);
	}
}
