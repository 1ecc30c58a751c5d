/* Opens kernels: reads, moves and compiles pairs, see kernel.h. */
#include "gpu/kernel.h"

#include <stdlib.h>

static const struct copy {
	const char *name, *vp, *fp;
} copies[] = {
#include "gpu_examples.inc"
};

const char *kernel_error(const struct run *r)
{
	for (uint32_t k = 0; k < r->diags.n; k++)
		if (r->diags.at[k].severity == DIAG_ERROR)
			return r->diags.at[k].text;
	return r->fault ? r->fault : "there is no memory left";
}

static struct run *move_sources(struct arena *a, const struct run_options *plan, const struct source *sources, unsigned n)
{
	static const struct run_options as_given = {.move = {.level = 0}};
	struct run *r = arena_zero(a, sizeof *r);
	run_init(r, a, sources, n, plan ? plan : &as_given);
	run_all(r);
	return r;
}

static struct run *move_text_pair(struct arena *a, const struct run_options *plan, const char *name, const char *vp, const char *fp)
{
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	sources[0] = (struct source){.name = arena_printf(a, "%s/vp.vsh", name), .text = vp, .size = strlen(vp)};
	sources[1] = (struct source){.name = arena_printf(a, "%s/fp.psh", name), .text = fp, .size = strlen(fp)};
	return move_sources(a, plan, sources, 2);
}

static bool was_moved(const struct run *r)
{
	return r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
}

static const char *compile_kernel(struct lab *lab, const char *name, struct run *run, enum position position, struct kernel *k)
{
	struct shader_options const how = {.show = SHOWN_COLOUR, .position = position};
	memset(k, 0, sizeof *k);
	VEC_PUSH(lab->arena, &lab->kernels) = k;
	k->name = name;
	k->run = run;
	if (!was_moved(k->run))
		return arena_printf(lab->arena, "%s: %s", name, kernel_error(k->run));
	k->vs = k->run->vs_new;
	k->ps = k->run->ps_new;
	struct context in = *lab->gpu;
	in.language = model_links(k->ps->model) ? LANGUAGE_GLSL : in.language;
	const char *wrong = shader_compile(lab->arena, &in, k->vs, k->ps, &how, &k->shader);
	if (in.language != lab->gpu->language)
		shader_release(&k->shader);
	return wrong ? arena_printf(lab->arena, "%s: %s", name, wrong) : NULL;
}

const char *kernel_from_text(struct lab *lab, const char *name, const char *vp, const char *fp, struct kernel *k)
{
	return compile_kernel(lab, name, move_text_pair(lab->arena, lab->plan, name, vp, fp), POSITION_AS_IS, k);
}

const char *kernel_from_pixel_text(struct lab *lab, const char *name, const char *fp, struct kernel *k)
{
	static const char model_2[] = "vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0.xy, v1\n";
	static const char model_3[] = "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1.xy\nmov o0, v0\nmov o1.xy, v1\n";
	return kernel_from_text(lab, name, strncmp(fp, "ps_3", 4) == 0 ? model_3 : model_2, fp, k);
}

const char *kernel_of_pair(struct lab *lab, const char *name, const struct run *as_given, struct kernel *k)
{
	return compile_kernel(lab, name, move_sources(lab->arena, lab->plan, as_given->sources, as_given->nsources), POSITION_CORNER, k);
}

unsigned example_count(void)
{
	return sizeof copies / sizeof *copies;
}

const char *example_name(unsigned k)
{
	return copies[k].name;
}

const struct run *example_run(struct arena *a, unsigned k, const struct run_options *plan)
{
	const struct run *r = move_text_pair(a, plan, copies[k].name, copies[k].vp, copies[k].fp);
	return was_moved(r) ? r : NULL;
}

/* Returns true if the line is a def of one of the n constants in `d`. */
static bool defines(const char *line, const struct definition *d, unsigned n)
{
	static const char def[] = "def c";
	bool found = false;
	for (unsigned k = 0; k < n && strncmp(line, def, sizeof def - 1) == 0; k++)
		found |= strtoul(line + sizeof def - 1, NULL, 10) == d[k].constant;
	return found;
}

/* Returns the text of the FP with its defs of these constants replaced; the new ones follow the line of the model. */
static const char *with_definitions(struct arena *a, const char *fp, const struct definition *d, unsigned n)
{
	struct text t = {.arena = a};
	for (const char *line = fp, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		end += *end == '\n';
		if (!defines(line, d, n))
			text_bytes(&t, line, (size_t)(end - line));
		for (unsigned k = 0; k < n && strncmp(line, "ps_", 3) == 0; k++) {
			const float *v = d[k].value;
			text_printf(&t, "def c%u, %.9g, %.9g, %.9g, %.9g\n", d[k].constant, (double)v[0], (double)v[1], (double)v[2], (double)v[3]);
		}
	}
	return t.at;
}

const char *kernel_open_defined(struct lab *lab, const char *name, const struct definition *d, unsigned n, struct kernel *k)
{
	for (unsigned at = 0; at < example_count(); at++)
		if (strcmp(copies[at].name, name) == 0)
			return kernel_from_text(lab, name, copies[at].vp, n ? with_definitions(lab->arena, copies[at].fp, d, n) : copies[at].fp, k);
	memset(k, 0, sizeof *k);
	return arena_printf(lab->arena, "there is no example %s", name);
}

const char *kernel_open(struct lab *lab, const char *name, struct kernel *k)
{
	return kernel_open_defined(lab, name, NULL, 0, k);
}

static void store_constant(struct kernel *k, unsigned stage, unsigned c, const float value[LANES])
{
	memcpy(k->constants[stage][c], value, sizeof k->constants[stage][c]);
	if (k->first[stage] == k->last[stage])
		k->first[stage] = k->last[stage] = c;
	k->first[stage] = c < k->first[stage] ? c : k->first[stage];
	k->last[stage] = c >= k->last[stage] ? c + 1 : k->last[stage];
}

void kernel_set(struct kernel *k, enum stage stage, unsigned c, float x, float y, float z, float w)
{
	float const value[LANES] = {x, y, z, w};
	const struct needs *needs = &k->run->needs;
	store_constant(k, stage, c, value);
	for (uint32_t n = 0; stage == STAGE_PIXEL && n < needs->consts.n; n++)
		if (needs->consts.at[n].ps == (int)c)
			store_constant(k, STAGE_VERTEX, (unsigned)needs->consts.at[n].vs, value);
}

void kernel_use(struct kernel *k)
{
	shader_use(&k->shader);
	for (unsigned stage = 0; stage < 2; stage++) {
		unsigned const first = k->first[stage];
		shader_constants(&k->shader, (enum stage)stage, first, k->last[stage] - first, (const float (*)[LANES])k->constants[stage] + first);
		k->first[stage] = k->last[stage] = 0;
	}
}
