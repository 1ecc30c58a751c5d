/* fpmove-d3d9 draw: writes images of pairs to files.
 *
 * Each line of --list has five fields parted by tabs: GROUP NAME VP FP CONSTANTS, the last one as constants_parse takes it.  The
 * lines of a group stand together; its first pair decides which scenes are drawn, and is also drawn with shifted inputs.
 *
 * --pixels gets images of float[SCENE_SIZE][SCENE_SIZE][4], --index a line for each, with tabs:
 *     image  GROUP  NAME  VARIANT  FILTER  SHIFT  TARGET  OFFSET
 *     flat   GROUP           the FP of the group's first pair declares no t# or v#, so its images have one colour
 *     fail   GROUP  NAME  MESSAGE
 * (TARGET: an enum scene_target; OFFSET in images), and at last `summary LINES IMAGES`.
 * Pixels that nothing was drawn to hold SCENE_CLEARED in all lanes. */
#include "cli/files.h"
#include "d3d9/constants.h"
#include "d3d9/draw.h"
#include "d3d9/modes.h"

struct job {
	char *field[5];
};
enum { GROUP, NAME, VP, FP, CONSTANTS, FIELDS };

struct jobs {
	VEC(struct job);
};

struct writing {
	const struct job *job; /* the first job of the group that is drawn */
	struct text index;
	struct stream pixels;
	unsigned images;
};

static bool read_jobs(struct arena *a, const char *list, struct jobs *jobs)
{
	char *rest = list_read(a, list), *field[FIELDS];
	for (unsigned n; rest && (n = list_next(&rest, field, FIELDS));) {
		memcpy(VEC_PUSH(a, jobs).field, field, sizeof field);
		if (n < FIELDS)
			return message_error("%s: line %u has no five fields parted by tabs", list, (unsigned)jobs->n);
	}
	return rest;
}

static bool write_image(void *to, const struct image *i)
{
	struct writing *w = to;
	text_printf(&w->index, "image\t%s\t%s\t%u\t%s\t%u\t%u\t%u\n", w->job->field[GROUP], w->job[i->pair].field[NAME], i->scene.variant,
	        i->filter == SCENE_POINT ? "point" : "linear", i->scene.shift, (unsigned)i->target, w->images++);
	stream_write(&w->pixels, (const char *)i->pixels, sizeof(scene_image));
	return true;
}

static uint32_t seed_of(const char *group)
{
	uint32_t seed = 1;
	for (const char *c = group; *c; c++)
		seed = scene_hash(seed, (unsigned char)*c);
	return seed;
}

static void draw_jobs(struct drawer *d, struct writing *w, const struct job *job, unsigned n)
{
	struct arena *a = d->arena;
	struct group g = {.pair = arena_zero(a, n * sizeof *g.pair), .n = n, .seed = seed_of(job->field[GROUP])};
	w->job = job;
	for (unsigned i = 0; i < n; i++) {
		struct pair *p = &g.pair[i];
		p->vs = code_read(a, d->runtime, job[i].field[VP]);
		p->ps = code_read(a, d->runtime, job[i].field[FP]);
		const char *wrong = constants_parse(a, job[i].field[CONSTANTS], &p->constants) ? NULL : "no constants";
		if (!wrong)
			wrong = pair_make(a, p, &d->device);
		if (wrong)
			text_printf(&w->index, "fail\t%s\t%s\t%s\n", job[i].field[GROUP], job[i].field[NAME], wrong);
	}
	if (g.pair[0].flat)
		text_printf(&w->index, "flat\t%s\n", job->field[GROUP]);
	if (!group_draw(d, &g, write_image, w))
		text_printf(&w->index, "fail\t%s\t%s\tdrawing\n", job->field[GROUP], job->field[NAME]);
	group_free(&g);
}

int draw_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct jobs jobs = {0};
	struct writing w = {.index = {.arena = a}};
	struct arena group;
	struct drawer d = {.arena = &group, .runtime = r, .scenes = o->scenes};
	if (!read_jobs(a, o->list, &jobs))
		return EXIT_USAGE;
	const char *wrong = device_open(&d.device, r);
	if (wrong || !stream_open(a, &w.pixels, o->pixels, &wrong))
		return message_usage("%s", wrong);
	arena_init(&group, a->on_failure);
	for (uint32_t from = 0, to; from < jobs.n; from = to) {
		for (to = from + 1; to < jobs.n && strcmp(jobs.at[to].field[GROUP], jobs.at[from].field[GROUP]) == 0; to++)
			;
		draw_jobs(&d, &w, jobs.at + from, to - from);
		arena_reset(&group);
	}
	arena_free(&group);
	text_printf(&w.index, "summary\t%u\t%u\n", (unsigned)jobs.n, w.images);
	if (!stream_close(a, &w.pixels, true, &wrong))
		return message_usage("%s", wrong);
	return file_write(a, o->index, &w.index) ? EXIT_DONE : EXIT_USAGE;
}
