/* fpmove-gpu calibrate: makes a cost profile of the GPU here (calibration.h), and tries it on the examples. */
#include "cli/files.h"
#include "cli/message.h"
#include "gpu/calibration.h"
#include "gpu/modes.h"
#include "gpu/output.h"
#include "gpu/tryout.h"


enum { SOFTWARE_SECONDS = 12 };

struct workbench {
	struct arena *arena;
	const struct context *gpu;
	const struct gpu_options *options;
	struct ground ground;                     /* what PART_COLOURS draws to and through; other parts draw to RGBA8 */
	struct { VEC(struct subject); } subjects; /* one for each program that the driver takes */
	struct calibration calibration;
	struct text said;
	struct gpu_output out;
};

static bool driver_takes(void *drawer, const struct measured *m)
{
	static const struct needs nothing;
	struct workbench *w = drawer;
	struct shader_options const how = {.position = POSITION_CORNER};
	struct scene const scene = {.seed = 1};
	struct subject s;
	struct shader shader;
	if (subject_make(&s, m->vs, m->ps, &nothing) || subject_compile(w->arena, w->gpu, &s, &how, &scene, &shader))
		return false;
	shader_delete(&shader);
	if ((int)s.colours > w->gpu->colours)
		return false;
	VEC_PUSH(w->arena, &w->subjects) = s;
	return true;
}

static const char *draw_round(void *drawer, struct round *r)
{
	struct workbench *w = drawer;
	struct timing t = {.ground = w->ground, .n = r->n, .pair = arena_zero(w->arena, r->n * sizeof *t.pair)};
	t.ground.size = r->size;
	t.ground.grid = r->cells;
	t.ground.plain = w->calibration.plain && r->part != PART_COLOURS;
	for (uint32_t k = 0; k < r->n; k++)
		t.pair[k].subject = w->subjects.at[r->which[k]];
	const char *wrong = timing_run(w->arena, w->gpu, &t, r->seconds);
	r->samples = t.samples;
	for (uint32_t k = 0; k < r->n; k++)
		r->ns[k] = t.pair[k].ns;
	timing_close(&t);
	return wrong;
}

static const char csv_columns[] = "kind,program,version,size,pixels_per_vertex,ns_pixel,spread,ratio,predicted\n";

static void list_times(struct workbench *w)
{
	const struct calibration *c = &w->calibration;
	for (uint32_t k = 0; k < c->all.n; k++) {
		const struct measured *m = &c->all.at[k];
		const struct sighting *s = &c->sighting[k];
		text_printf(&w->out.csv, "rate,%s,%s,%d,%.2f,%.6f,%.4f,,%.6f\n", m->rate->family, m->rate->name, c->size, s->pixels_per_vertex,
		            s->ns, (m->ns.high - m->ns.low) / m->ns.median, weights_time(&c->weights, s));
	}
}

/* Measures: spends the first half of the time on the programs that weights are fitted to, and the rest on trying the weights on the
 * examples. */
static const char *measure_and_fit(struct workbench *w, double seconds)
{
	const struct gpu_options *o = w->options;
	struct calibration *c = &w->calibration;
	double const began = stats_now_ns();
	c->seconds = seconds / 2;
	const char *wrong = calibration_run(c);
	list_times(w);
	if (wrong)
		return wrong;
	calibration_tell(c, &w->said);
	w->ground.size = c->size;
	struct tryout const tryout = {.arena = w->arena, .gpu = w->gpu, .ground = w->ground, .weights = &c->weights,
	                              .against = o->plan.given & GIVEN_TARGET ? &o->plan.move.target : NULL,
	                              .seconds = seconds - (stats_now_ns() - began) / 1e9, .said = &w->said, .csv = &w->out.csv};
	tryout_run(&tryout);
	return context_error();
}

static bool write_gpu_profile(struct workbench *w)
{
	struct text const profile = calibration_profile(&w->calibration);
	return file_write(w->arena, w->options->output, &profile);
}

int calibrate_main(struct arena *a, const struct context *gpu, const struct gpu_options *o)
{
	struct workbench w = {.arena = a, .gpu = gpu, .options = o, .said = {.arena = a}};
	enum image_format const format = o->format >= 0 ? (enum image_format)o->format : IMAGE_RGBA8;
	double seconds = o->seconds;
	w.ground = (struct ground){.grid = 1, .format = format, .linear = !o->nearest && format != IMAGE_RGBA32F && format != IMAGE_R32F};
	w.calibration = (struct calibration){.arena = a, .device = gpu->renderer, .format = image_formats[format].name, .largest = gpu->largest,
	                                     .software = gpu->software, .plain = format != IMAGE_RGBA8, .drawer = &w, .takes = driver_takes,
	                                     .draw = draw_round};
	if (gpu->software) {
		message_note("a CPU draws here (%s): the weights say little of a GPU", gpu->renderer);
		seconds = seconds < (double)SOFTWARE_SECONDS ? seconds : (double)SOFTWARE_SECONDS;
	}
	/* Fail before the measurement if its result cannot be written. */
	if (!file_may_write(a, o->output))
		return EXIT_USAGE;
	output_begin(a, o, &w.out, csv_columns);
	const char *wrong = measure_and_fit(&w, seconds);
	int status = EXIT_DONE;
	if (wrong) {
		message_error("%s", wrong);
		status = EXIT_REJECTED;
	} else if (!write_gpu_profile(&w) || !output_table(&w.out, &w.said)) {
		status = EXIT_USAGE;
	}
	return output_end(a, &w.out, gpu, "", status);
}
