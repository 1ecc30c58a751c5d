/* Draws passes and records them, see pass.h. */
#include "gpu/pass.h"

#include "gpu/stats.h"

#include <epoxy/gl.h>

/* ---- drawing --------------------------------------------------------------------------- */

static void bind_textures(const struct pass *p)
{
	for (unsigned s = 0; s < PASS_TEXTURES; s++) {
		if (!p->texture[s])
			continue;
		glActiveTexture(GL_TEXTURE0 + s);
		glBindTexture(GL_TEXTURE_2D, p->texture[s]->texture);
	}
}

static unsigned count_targets(const struct pass *p)
{
	unsigned n = 1;
	while (n < PASS_TARGETS && p->target[n])
		n++;
	return n;
}

/* Computes an input of the VP at a corner of the rectangle, which `right` and `upper` (0 or 1) select. */
static void corner_value(const struct pass *p, const struct span *position, const struct decl *d, int right, int upper, GLfloat v[LANES])
{
	static const struct span nothing = {.w = 1};
	const struct span *s = p->attribute ? p->attribute : &nothing;
	struct span const over_target = {.x0 = (position->x0 + 1) / 2, .y0 = (position->y0 + 1) / 2, .x1 = (position->x1 + 1) / 2,
	                                 .y1 = (position->y1 + 1) / 2, .w = 1};
	if (d->usage == USAGE_POSITION)
		s = position;
	else if (d->usage == USAGE_TEXCOORD && d->usage_index < PASS_COORDINATES)
		s = p->texcoord[d->usage_index] ? p->texcoord[d->usage_index] : &over_target;
	v[LANE_X] = (s->transposed ? upper : right) ? s->x1 : s->x0;
	v[LANE_Y] = (s->transposed ? right : upper) ? s->y1 : s->y0;
	v[LANE_Z] = s->z;
	v[LANE_W] = s->w;
}

static void draw_rectangle(const struct pass *p, const struct rect *r)
{
	static const struct decl corner_input = {.usage = USAGE_POSITION};
	float const width = (float)p->target[0]->width, height = (float)p->target[0]->height;
	struct span const position = {.x0 = 2 * (float)r->x / width - 1, .y0 = 2 * (float)r->y / height - 1,
	                              .x1 = 2 * (float)(r->x + r->width) / width - 1, .y1 = 2 * (float)(r->y + r->height) / height - 1, .w = 1};
	glBegin(GL_TRIANGLE_STRIP);
	for (int corner = 0; corner < 4; corner++) {
		unsigned attribute = SHADER_FIRST_INPUT;
		for (uint32_t n = 0; n < p->kernel->vs->decls.n; n++) {
			GLfloat v[LANES];
			const struct decl *d = &p->kernel->vs->decls.at[n];
			if (d->kind != DECL_VERTEX_INPUT)
				continue;
			corner_value(p, &position, d, corner & 1, corner >> 1, v);
			glVertexAttrib4fv(attribute++, v);
		}
		GLfloat place[LANES];
		corner_value(p, &position, &corner_input, corner & 1, corner >> 1, place);
		glVertexAttrib4fv(SHADER_CORNER, place); /* ends the vertex */
	}
	glEnd();
}

/* ---- the record ------------------------------------------------------------------------ */

static void count_reads(const struct pass *p, unsigned reads_of[IMAGE_FORMATS])
{
	const struct program *ps = p->kernel->ps;
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		const struct instr *i = &ps->instrs.at[k];
		int const sampler = i->src[1].index;
		if (ops[i->op].flags & OPF_TEX && ops[i->op].sources == 2 && sampler < PASS_TEXTURES && p->texture[sampler])
			reads_of[p->texture[sampler]->format]++;
	}
}

static uint32_t find_kind(struct record *r, const struct pass *p)
{
	for (uint32_t k = 0; k < r->kinds.n; k++)
		if (r->kinds.at[k].ps == p->kernel->ps && r->kinds.at[k].format == p->target[0]->format)
			return k;
	VEC_PUSH(r->arena, &r->kinds) = (struct kind){.name = p->kernel->name, .format = p->target[0]->format, .vs = p->kernel->vs,
	                                              .ps = p->kernel->ps, .run = p->kernel->run,
	                                              .reads = program_slots(p->kernel->ps).tex};
	count_reads(p, r->kinds.at[r->kinds.n - 1].reads_of);
	return r->kinds.n - 1;
}

/* Returns the total time of a kind of passes, to be added to; kind UINT32_MAX stands for copies. */
static double *total_time(struct record *r, uint32_t kind)
{
	return kind == UINT32_MAX ? &r->copy_ns : &r->kinds.at[kind].ns;
}

/* Begins to time a pass of a kind, or a copy (UINT32_MAX), if the record times passes: by a timer query of the GPU, or, if the device is a CPU,
 * by its clock.  A query there misses work that is done later, so this waits until all is drawn. */
static void begin_timing(const struct context *gpu, struct record *r, uint32_t kind)
{
	enum { MOST_WAITING = 1024 };
	if (!r->timed)
		return;
	if (gpu->software) {
		glFinish();
		r->begun = stats_now_ns();
		return;
	}
	if (r->used == MOST_WAITING)
		record_finish(r);
	if (r->used == r->queries.n) {
		VEC_PUSH(r->arena, &r->timed_kinds) = 0;
		glGenQueries(1, &VEC_PUSH(r->arena, &r->queries));
	}
	r->timed_kinds.at[r->used] = kind;
	glBeginQuery(GL_TIME_ELAPSED, r->queries.at[r->used++]);
}

static void end_timing(const struct context *gpu, struct record *r, uint32_t kind)
{
	if (!r->timed)
		return;
	if (gpu->software) {
		glFinish();
		*total_time(r, kind) += stats_now_ns() - r->begun;
	} else {
		glEndQuery(GL_TIME_ELAPSED);
	}
}

void record_start(struct record *r, struct arena *a, bool timed)
{
	*r = (struct record){.arena = a, .timed = timed};
}

void record_finish(struct record *r)
{
	for (uint32_t k = 0; k < r->used; k++) {
		GLuint64 ns = 0;
		glGetQueryObjectui64v(r->queries.at[k], GL_QUERY_RESULT, &ns);
		*total_time(r, r->timed_kinds.at[k]) += (double)ns;
	}
	r->used = 0;
}

void record_free(struct record *r)
{
	glDeleteQueries((GLsizei)r->queries.n, r->queries.at);
	r->queries.n = 0;
}

/* ---- passes ---------------------------------------------------------------------------- */

void pass_draw(struct lab *lab, const struct pass *p)
{
	struct rect const r = p->to.width ? p->to : image_whole(p->target[0]);
	unsigned const n = count_targets(p);
	struct record *record = lab->record;
	uint32_t const kind = record ? find_kind(record, p) : 0;
	bind_textures(p);
	image_bind_targets(p->target, n);
	kernel_use(p->kernel);
	if (record)
		begin_timing(lab->gpu, record, kind);
	draw_rectangle(p, &r);
	if (record)
		end_timing(lab->gpu, record, kind);
	image_release_targets(n);
	if (p->kernel->shader.language != lab->gpu->language)
		shader_release(&p->kernel->shader);
	if (!record)
		return;
	record->kinds.at[kind].passes++;
	record->kinds.at[kind].behind += record->behind;
	record->kinds.at[kind].switches += !record->behind && record->target != p->target[0];
	record->target = p->target[0];
	record->behind = false;
	record->kinds.at[kind].pixels += (double)r.width * r.height;
}

static void count_transfer(struct transfers *t, enum image_format format, struct rect r, double ns)
{
	t[format].n++;
	t[format].bytes += (double)r.width * r.height * image_formats[format].bytes;
	t[format].ns += ns;
}

void pass_copy(struct lab *lab, const struct image *from, const struct image *to, struct rect r)
{
	struct record *record = lab->record;
	if (record)
		begin_timing(lab->gpu, record, UINT32_MAX);
	image_copy(from, to, r);
	if (!record)
		return;
	end_timing(lab->gpu, record, UINT32_MAX);
	record->behind = true;
	count_transfer(record->copied, to->format, r, 0);
}

void pass_write(struct lab *lab, const struct image *to, struct rect r, const float *texels)
{
	double const begun = stats_now_ns();
	image_write(to, r, texels);
	if (!lab->record)
		return;
	glFinish();
	count_transfer(lab->record->written, to->format, r, stats_now_ns() - begun);
}

void pass_read(struct lab *lab, const struct image *from, struct rect r, float *texels)
{
	double const begun = stats_now_ns();
	image_read(from, r, texels);
	if (lab->record)
		count_transfer(lab->record->computing ? lab->record->asked : lab->record->read, from->format, r, stats_now_ns() - begun);
}

/* ---- a computation --------------------------------------------------------------------- */

const char *lab_image(struct lab *lab, struct image *i, unsigned width, unsigned height, enum image_format format, enum image_wrap wrap)
{
	VEC_PUSH(lab->arena, &lab->images) = i;
	return image_make(i, (int)width, (int)height, format, wrap);
}

void lab_input(struct lab *lab, const struct image *i, const struct rect *r, const float *texels)
{
	VEC_PUSH(lab->arena, &lab->input) = (struct texels){.image = i, .rect = r ? *r : image_whole(i), .from = texels};
}

void lab_output(struct lab *lab, const struct image *i, const struct rect *r, float *texels)
{
	VEC_PUSH(lab->arena, &lab->output) = (struct texels){.image = i, .rect = r ? *r : image_whole(i), .to = texels};
}

void lab_upload(struct lab *lab)
{
	for (uint32_t k = 0; k < lab->input.n; k++)
		pass_write(lab, lab->input.at[k].image, lab->input.at[k].rect, lab->input.at[k].from);
}

void lab_download(struct lab *lab)
{
	for (uint32_t k = 0; k < lab->output.n; k++)
		pass_read(lab, lab->output.at[k].image, lab->output.at[k].rect, lab->output.at[k].to);
}

void lab_close(struct lab *lab)
{
	for (uint32_t k = 0; k < lab->kernels.n; k++)
		shader_delete(&lab->kernels.at[k]->shader);
	for (uint32_t k = 0; k < lab->images.n; k++)
		image_delete(lab->images.at[k]);
	lab->kernels.n = lab->images.n = 0;
}
