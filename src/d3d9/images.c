/* fpmove-d3d9 draw: draws pairs and writes the images to a file.
 *
 * Each line of --list has five fields parted by tabs: GROUP NAME VP FP CONSTANTS, the last one as constants_parse takes it.  The
 * lines of a group stand together; its first pair decides which scenes are drawn, and is also drawn with shifted inputs (gpu/apart.h).
 *
 * --pixels gets images of float[SCENE_SIZE][SCENE_SIZE][4], --index a line for each, with tabs:
 *     image  GROUP  NAME  VARIANT  FILTER  SHIFT  TARGET  OFFSET
 *     flat   GROUP           the first pixel program reads no input, so that its images have one colour
 *     fail   GROUP  NAME  what failed
 * (TARGET: an enum scene_target; OFFSET: the number of images before it in --pixels), and at last `summary LINES IMAGES`.
 * Pixels that nothing was drawn to hold SCENE_CLEARED in all lanes. */
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
	FILE *index, *pixels;
	unsigned images;
};

static bool read_jobs(struct arena *a, const char *list, struct jobs *jobs)
{
	size_t size;
	char *rest = file_read(a, list, &size), *line;
	if (!rest) {
		say_error("%s cannot be read", list);
		return false;
	}
	while ((line = next_line(&rest))) {
		struct job *job = &VEC_PUSH(a, jobs);
		job->field[0] = line;
		for (unsigned i = 1; i < FIELDS; i++) {
			job->field[i] = strchr(job->field[i - 1], '\t');
			if (!job->field[i]) {
				say_error("%s: line %u has no five fields parted by tabs", list, jobs->n);
				return false;
			}
			*job->field[i]++ = '\0';
		}
	}
	return true;
}

static bool write_image(void *to, const struct image *i)
{
	struct writing *w = to;
	fprintf(w->index, "image\t%s\t%s\t%u\t%s\t%u\t%u\t%u\n", w->job->field[GROUP], w->job[i->pair].field[NAME], i->scene.variant,
	        i->filter == SCENE_POINT ? "point" : "linear", i->scene.shift, (unsigned)i->target, w->images++);
	return fwrite(i->pixels, sizeof(scene_image), 1, w->pixels) == 1;
}

static uint32_t seed_of_group(const char *group)
{
	uint32_t seed = 1;
	for (const char *c = group; *c; c++)
		seed = scene_hash(seed, (unsigned char)*c);
	return seed;
}

static void draw_jobs(struct drawer *d, struct writing *w, const struct job *job, unsigned n)
{
	struct arena *a = d->arena;
	struct group g = {.pair = arena_zero(a, n * sizeof *g.pair), .n = n, .seed = seed_of_group(job->field[GROUP])};
	w->job = job;
	for (unsigned i = 0; i < n; i++) {
		struct pair *p = &g.pair[i];
		p->vs = code_read(a, d->runtime, job[i].field[VP]);
		p->ps = code_read(a, d->runtime, job[i].field[FP]);
		const char *wrong = constants_parse(a, job[i].field[CONSTANTS], &p->constants) ? NULL : "no constants";
		if (!wrong)
			wrong = pair_make(a, p, &d->device);
		if (wrong)
			fprintf(w->index, "fail\t%s\t%s\t%s\n", job[i].field[GROUP], job[i].field[NAME], wrong);
	}
	if (g.pair[0].flat)
		fprintf(w->index, "flat\t%s\n", job->field[GROUP]);
	if (!group_draw(d, &g, write_image, w))
		fprintf(w->index, "fail\t%s\t%s\tdrawing\n", job->field[GROUP], job->field[NAME]);
	group_free(&g);
}

enum exit_status draw_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct jobs jobs = {0};
	struct writing w = {0};
	struct arena group;
	struct drawer d = {.arena = &group, .runtime = r, .scenes = o->scenes};
	if (!read_jobs(a, o->list, &jobs))
		return EXIT_TROUBLE;
	const char *wrong = device_open(&d.device, r);
	if (!wrong && (!(w.index = file_open(a, o->index, "wb")) || !(w.pixels = file_open(a, o->pixels, "wb"))))
		wrong = "the images cannot be written";
	if (wrong) {
		say_error("%s", wrong);
		return EXIT_TROUBLE;
	}
	arena_init(&group, NULL);
	for (uint32_t from = 0, to; from < jobs.n; from = to) {
		for (to = from + 1; to < jobs.n && strcmp(jobs.at[to].field[GROUP], jobs.at[from].field[GROUP]) == 0; to++)
			;
		draw_jobs(&d, &w, jobs.at + from, to - from);
		arena_reset(&group);
	}
	arena_free(&group);
	bool good = fclose(w.pixels) == 0;
	fprintf(w.index, "summary\t%u\t%u\n", jobs.n, w.images);
	good = fclose(w.index) == 0 && good;
	return good ? EXIT_SAME : EXIT_TROUBLE;
}
