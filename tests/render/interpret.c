/* interpret LIST INDEX PIXELS: compares fpmove's interpreter on each original pair with the images that Direct3D 9 drew.  Prints TAP,
 * one line for each group.  LIST has lines `GROUP before VP FP`, with tabs between the parts.  Images named `before-glsl` show that
 * pair, too, drawn by GLSL.  The interpreter shades triangles and does not rasterize, so this program does: pixels that exactly one
 * triangle covers, away from its edges.  Pixel centres are at whole numbers.  Besides the gain that compare.c uses, a pixel may be off
 * by a part of its distance from its neighbours, since a driver's arithmetic places it some thousandths of a pixel elsewhere. */
#include "images.h"
#include "lang/link.h"
#include "lang/parse.h"
#include "verify/interp.h"

enum { COVERED_BY_NONE = -1, COVERED_BY_MANY = -2, MIN_PIXELS = 64 };

struct interpreter {
	struct arena arena;
	struct pair pair, position, fog, size; /* the latter three show a VP output */
	struct scene scene;
	float constant[2][INTERP_CONSTS][LANES];
	struct interp_texture texture[INTERP_SAMPLERS];
	struct interp_scene at;
	int triangle[PIXELS];     /* the triangle that covers it */
	float weight[2][PIXELS];
	float seen[SCENE_TARGETS][PIXELS][4];
};

static char *slurp(const char *name)
{
	FILE *f = fopen(name, "rb");
	if (!f)
		return NULL;
	char *text = malloc(1 << 20);
	text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
	fclose(f);
	return text;
}

static struct program *parse(struct arena *arena, const char *name, const char *text)
{
	struct source *source = arena_zero(arena, sizeof *source);
	*source = (struct source){ .name = name, .text = text, .size = strlen(text) };
	struct diags diags;
	diag_init(&diags, arena);
	struct program_list programs = parse_programs(arena, source, &diags);
	return programs.n == 1 && !diags.errors ? programs.at[0] : NULL;
}

/* Returns the vertex program with output `file` in oT7 and nothing else there, and a program to show it. */
static struct pair showing(struct arena *arena, const struct program *vs, enum reg_file file)
{
	struct program *p = program_copy(arena, vs);
	for (uint32_t i = 0; i < p->instrs.n; i++) {
		struct dst *dst = &p->instrs.at[i].dst;
		if (dst->file == REG_TEX_OUT && dst->index == 7) {
			dst->file = REG_COLOUR_OUT;
			dst->index = 1;
		} else if (dst->file == file) {
			dst->file = REG_TEX_OUT;
			dst->index = 7;
			dst->mask = file == REG_POS_OUT ? dst->mask : MASK_X;
		}
	}
	return (struct pair){ p, parse(arena, "show", "ps_2_0\ndcl t7\nmov oC0, t7\n") };
}

static void set_vertices(struct interpreter *in, unsigned triangle)
{
	for (unsigned v = 0; v < 3; v++)
		for (uint32_t i = 0; i < in->pair.vs->decls.n; i++) {
			const struct decl *d = &in->pair.vs->decls.at[i];
			for (unsigned l = 0; l < LANES && d->kind == DECL_VERTEX_INPUT; l++)
				in->at.vertex[v][d->reg.index][l] =
					scene_attribute(&in->scene, d->usage, d->usage_index, scene_corner(triangle, v), l);
		}
}

/* Finds the clip coordinates of a triangle's corners, by drawing oPos at each of them. */
static void find_positions(struct interpreter *in, double position[3][4])
{
	float weight[2][3] = { { 0, 1, 0 }, { 0, 0, 1 } }, lane[LANES][3] = { { 0 } };
	struct interp_pixels pixels = { .n = 3, .weight = { weight[0], weight[1] },
	                                .colour = { { lane[0], lane[1], lane[2], lane[3] } } };
	in->at.flat_w = true;
	in->at.w[0] = in->at.w[1] = in->at.w[2] = 1;
	interp_draw(&in->arena, in->position, &in->at, &pixels);
	in->at.flat_w = false;
	for (unsigned v = 0; v < 3; v++)
		for (unsigned l = 0; l < LANES; l++)
			position[v][l] = (double)lane[l][v];
}

/* Finds the pixels that the triangle covers, in homogeneous coordinates, so that corners behind the eye need no clipping: pixel centre
 * (X, Y, 1) is the sum of the corners' (x, y, w) by shares, all positive where it is inside. */
static void cover(struct interpreter *in, int triangle, double p[3][4])
{
	double edge[3][3];
	for (int v = 0; v < 3; v++) {
		const double *a = p[(v + 1) % 3], *b = p[(v + 2) % 3];
		edge[v][0] = a[1] * b[3] - a[3] * b[1];
		edge[v][1] = a[3] * b[0] - a[0] * b[3];
		edge[v][2] = a[0] * b[1] - a[1] * b[0];
	}
	double volume = p[0][0] * edge[0][0] + p[0][1] * edge[0][1] + p[0][3] * edge[0][2];
	if (fabs(volume) < 1e-6)
		return;
	double near = 1e-2; /* keeps away from the near and far plane, if they cut the triangle */
	if (fmin(fmin(p[0][2], p[1][2]), p[2][2]) >= 0 && p[0][2] <= p[0][3] && p[1][2] <= p[1][3] && p[2][2] <= p[2][3])
		near = -1e-2;
	for (int i = 0; i < PIXELS; i++) {
		double x = 2.0 * (i % SCENE_SIZE) / (int)SCENE_SIZE - 1, y = 1 - 2.0 * (i / SCENE_SIZE) / (int)SCENE_SIZE;
		double share[3], sum = 0, z = 0, least = 1;
		for (int v = 0; v < 3; v++) {
			share[v] = (edge[v][0] * x + edge[v][1] * y + edge[v][2]) / volume;
			sum += fabs(share[v]);
			z += share[v] * p[v][2];
		}
		for (int v = 0; v < 3; v++)
			least = fmin(least, share[v] / sum);
		if (least < -1e-2 || z < -1e-2 || z > 1 + 1e-2)
			continue;
		bool alone = least > 1e-2 && z > near && z < 1 - near && in->triangle[i] == COVERED_BY_NONE;
		in->triangle[i] = alone ? triangle : COVERED_BY_MANY;
		in->weight[0][i] = (float)(share[1] * p[1][3]);
		in->weight[1][i] = (float)(share[2] * p[2][3]);
	}
}

static void shade(struct interpreter *in, int triangle)
{
	static float weight[2][PIXELS], lane[SCENE_TARGETS][LANES][PIXELS];
	static bool killed[PIXELS];
	struct interp_pixels pixels = { .weight = { weight[0], weight[1] }, .depth = lane[SCENE_DEPTH][0], .killed = killed };
	for (unsigned t = 0; t < INTERP_TARGETS; t++)
		for (unsigned l = 0; l < LANES; l++)
			pixels.colour[t][l] = lane[t][l];
	for (unsigned i = 0; i < PIXELS; i++)
		if (in->triangle[i] == triangle) {
			weight[0][pixels.n] = in->weight[0][i];
			weight[1][pixels.n++] = in->weight[1][i];
		}
	if (!pixels.n)
		return;
	set_vertices(in, (unsigned)triangle);
	interp_draw(&in->arena, in->pair, &in->at, &pixels);
	struct interp_pixels one = { .n = pixels.n, .weight = { weight[0], weight[1] } };
	one.colour[0][0] = lane[SCENE_FOG][0];
	interp_draw(&in->arena, in->fog, &in->at, &one);
	one.colour[0][0] = lane[SCENE_POINT_SIZE][0];
	interp_draw(&in->arena, in->size, &in->at, &one);
	for (unsigned i = 0, n = 0; i < PIXELS; i++) {
		if (in->triangle[i] != triangle)
			continue;
		for (unsigned t = 0; t < SCENE_TARGETS; t++)
			for (unsigned l = 0; l < LANES; l++) {
				/* Fog and size are drawn without the pixel program. */
				bool gone = t <= SCENE_DEPTH && killed[n];
				in->seen[t][i][l] = gone ? SCENE_CLEARED : lane[t][t < SCENE_DEPTH ? l : 0][n];
			}
		n++;
	}
}

static void set_scene(struct interpreter *in, const struct image *like)
{
	static float texels[INTERP_SAMPLERS][6 * SCENE_TEXELS * SCENE_TEXELS * 4];
	in->scene = (struct scene){ .seed = 1, .variant = like->variant };
	for (const char *c = like->group; *c; c++)
		in->scene.seed = scene_hash(in->scene.seed, (unsigned char)*c);
	for (unsigned stage = 0; stage < 2; stage++)
		for (unsigned reg = 0; reg < INTERP_CONSTS; reg++)
			for (unsigned l = 0; l < LANES; l++)
				in->constant[stage][reg][l] = scene_constant(&in->scene, stage, reg, l);
	for (unsigned s = 0; s < INTERP_SAMPLERS; s++) {
		enum texture kind = (enum texture)in->pair.ps->samplers[s];
		int size = kind == TEXTURE_VOLUME ? SCENE_VOXELS : SCENE_TEXELS;
		int depth = kind == TEXTURE_VOLUME ? SCENE_VOXELS : kind == TEXTURE_CUBE ? 6 : 1;
		float *to = texels[s];
		for (int z = 0; kind != TEXTURE_NONE && z < depth; z++)
			for (int y = 0; y < size; y++)
				for (int x = 0; x < size; x++)
					for (unsigned l = 0; l < LANES; l++)
						*to++ = scene_texel(&in->scene, s, (unsigned)x, (unsigned)y, (unsigned)z, l);
		in->texture[s] = (struct interp_texture){ .kind = kind, .width = size, .height = size, .depth = depth,
		                                          .linear = strcmp(like->filter, "linear") == 0, .texels = texels[s] };
	}
	in->at = (struct interp_scene){ .vs_const = (const float (*)[LANES])in->constant[0],
	                                .ps_const = (const float (*)[LANES])in->constant[1], .texture = in->texture };
}

static void draw(struct interpreter *in, const struct image *like)
{
	set_scene(in, like);
	for (unsigned i = 0; i < PIXELS; i++)
		in->triangle[i] = COVERED_BY_NONE;
	for (int t = 0; t < SCENE_TRIANGLES; t++) {
		double position[3][4];
		set_vertices(in, (unsigned)t);
		find_positions(in, position);
		cover(in, t, position);
	}
	for (int t = 0; t < SCENE_TRIANGLES; t++)
		shade(in, t);
}

/* Returns the largest difference from a neighbour. */
static float slope(const struct image *image, unsigned i, unsigned lane)
{
	int x = (int)i % SCENE_SIZE, y = (int)i / SCENE_SIZE;
	float most = 0;
	for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < SCENE_SIZE; ny++)
		for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < SCENE_SIZE; nx++)
			most = fmaxf(most, pixel_difference(image->pixel[i][lane], image->pixel[ny * SCENE_SIZE + nx][lane]));
	return most;
}

struct agreement {
	unsigned pixels, beyond;
	float largest;
};

/* Compares an image; `shifted` shows the same with shifted inputs. */
static void compare(const struct interpreter *in, const struct group *g, const struct image *shifted,
                    const struct image *image, struct agreement *a)
{
	static float gain[PIXELS][4];
	find_gain(g, shifted, gain);
	for (unsigned i = 0; i < PIXELS; i++) {
		if (in->triangle[i] < 0)
			continue;
		bool off = false;
		for (unsigned l = 0; l < LANES; l++) {
			float seen = image->pixel[i][l], apart = pixel_difference(seen, in->seen[image->target][i][l]);
			float allowed = 4 * gain[i][l] + 0.02f * slope(image, i, l) + 2e-5f * fabsf(seen) + 1e-6f;
			if (apart != 0 && !(apart <= allowed))
				off = true;
			else
				a->largest = fmaxf(a->largest, apart);
			if (off && getenv("INTERPRET_DEBUG"))
				printf("# %s %u %s target %u pixel %u,%u lane %u: %.9g, interpreted %.9g, allowed %.2g\n", image->group,
				       image->variant, image->filter, image->target, i % SCENE_SIZE, i / SCENE_SIZE, l, (double)seen,
				       (double)in->seen[image->target][i][l], (double)allowed);
		}
		a->pixels++;
		a->beyond += off;
	}
}

/* Prints one line of TAP for the group. */
static bool interpret_group(const struct group *g, const char *vp, const char *fp)
{
	static struct interpreter in;
	char *text[2] = { slurp(vp), slurp(fp) };
	struct agreement a = { 0 };
	arena_init(&in.arena, NULL);
	struct program *vs = text[0] ? parse(&in.arena, vp, text[0]) : NULL, *ps = text[1] ? parse(&in.arena, fp, text[1]) : NULL;
	struct diags diags;
	diag_init(&diags, &in.arena);
	if (vs && ps)
		link_pair(vs, ps, &diags);
	in.pair = (struct pair){ vs, ps };
	bool readable = vs && ps && !diags.errors;
	if (readable) {
		in.position = showing(&in.arena, in.pair.vs, REG_POS_OUT);
		in.fog = showing(&in.arena, in.pair.vs, REG_FOG_OUT);
		in.size = showing(&in.arena, in.pair.vs, REG_SIZE_OUT);
	}
	for (unsigned i = 0; readable && i < g->n; i++) {
		const struct image *image = &g->image[i];
		if (image->shift != 0 || strcmp(image->name, "before") != 0)
			continue;
		draw(&in, image);
		compare(&in, g, image, image, &a);
		const struct image *again = find(g, image, "before-glsl", 0);
		if (again)
			compare(&in, g, image, again, &a);
	}
	/* In one pixel of 500 the nearest texel, or a comparison, may differ. */
	bool fine = readable && a.beyond <= a.pixels / 500 && a.pixels >= MIN_PIXELS;
	printf("%s - %s as interpreted: %u pixels, %u beyond, largest error %.2g\n", fine ? "ok" : "not ok", g->image->group,
	       a.pixels, a.beyond, (double)a.largest);
	arena_free(&in.arena);
	free(text[0]);
	free(text[1]);
	return fine;
}

int main(int argc, char **argv)
{
	struct file f = { 0 };
	char *list = argc == 4 ? slurp(argv[1]) : NULL;
	unsigned n = 0;
	bool fine = list && read_index(argv[2], &f) && read_pixels(argv[3], &f);
	if (!fine)
		puts("not ok 1 - the images can be read");
	for (char *line = list, *next; f.pixels && line && *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		char group[NAME], name[NAME], vp[1024], fp[1024];
		if (sscanf(line, "%127[^\t]\t%127[^\t]\t%1023[^\t]\t%1023[^\t]", group, name, vp, fp) != 4 ||
		    strcmp(name, "before") != 0)
			continue;
		struct group g = { f.image, 0 };
		while (g.image < f.image + f.n && strcmp(g.image->group, group) != 0)
			g.image++;
		while (g.image + g.n < f.image + f.n && strcmp(g.image[g.n].group, group) == 0)
			g.n++;
		if (g.n)
			n++, fine &= interpret_group(&g, vp, fp);
	}
	free(list);
	free(f.image);
	free(f.failed);
	free(f.flat);
	free(f.pixels);
	return fine && n ? 0 : 1;
}
