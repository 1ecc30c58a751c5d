/* The user's pair as a workload: each pass reads the image that the pass before drew, and further textures that never change. */
#include "gpu/drawn_pair.h"
#include "gpu/workload.h"

struct own_pair {
	struct kernel kernel;
	unsigned passes, colours;
	struct image texture[PASS_TEXTURES];            /* by sampler; the width is 0 if the sampler is not read */
	struct image target[2][PASS_TARGETS];           /* passes draw to the two sets alternately */
	int first;                                      /* the lowest sampler, which reads the image of the pass before; -1 if there is none */
};

/* The span of VP inputs that are not texture coordinates: from 0 to 1, as that of texture coordinates. */
static const struct span zero_to_one = {.x1 = 1, .y1 = 1, .w = 1};

/* Sets p->colours.  Returns NULL, or a sentence on why passes cannot draw the pair, such as that it reads a cube. */
static const char *check_pair_inputs(const struct kernel *k, struct own_pair *p)
{
	struct drawn_pair drawn;
	const char *wrong = drawn_pair_make(&drawn, k->vs, k->ps, &k->run->needs);
	p->colours = drawn.colours;
	for (unsigned s = 0; s < PASS_TEXTURES && !wrong; s++)
		if (k->ps->samplers[s] != TEXTURE_NONE && k->ps->samplers[s] != TEXTURE_2D)
			wrong = "it reads a cube or a volume, but passes only have 2D textures";
	return wrong;
}

/* Sets constants to a few texels' width, so that their sums with texture coordinates stay close to these. */
static void set_pair_constants(struct own_pair *p, unsigned size)
{
	for (unsigned stage = 0; stage < 2; stage++) {
		unsigned const n = models[(stage ? p->kernel.ps : p->kernel.vs)->model].consts;
		for (unsigned c = 0; c < n && c < SHADER_MAX_CONSTS; c++)
			kernel_set(&p->kernel, (enum stage)stage, c, (float)((int)(c % 7) - 3) / (float)size, (float)((int)(c / 7 % 7) - 3) / (float)size, 0.5f, 1);
	}
}

static const char *make_pair_images(struct lab *lab, struct own_pair *p, unsigned size, enum image_format format)
{
	const char *wrong = NULL;
	p->first = -1;
	for (int s = 0; s < PASS_TEXTURES && !wrong; s++) {
		if (p->kernel.ps->samplers[s] == TEXTURE_NONE)
			continue;
		p->first = p->first < 0 ? s : p->first;
		wrong = lab_image(lab, &p->texture[s], size, size, format, IMAGE_CLAMP);
	}
	for (unsigned k = 0; k < 2 * p->colours && !wrong; k++)
		wrong = lab_image(lab, &p->target[k / p->colours][k % p->colours], size, size, format, IMAGE_CLAMP);
	return wrong;
}

static const char *open_own_pair(struct lab *lab)
{
	struct own_pair *p = lab->state = arena_zero(lab->arena, sizeof *p);
	const struct wanted *wanted = lab->wanted;
	unsigned const size = wanted->number[0], channels = image_formats[wanted->format].channels;
	const char *wrong = workload_fits(lab, size);
	wrong = wrong ? wrong : kernel_of_pair(lab, "a pass", wanted->pair, &p->kernel);
	wrong = wrong ? wrong : check_pair_inputs(&p->kernel, p);
	wrong = wrong ? wrong : make_pair_images(lab, p, size, wanted->format);
	if (wrong)
		return wrong;
	p->passes = wanted->number[1];
	float *texels = arena_alloc(lab->arena, (size_t)size * size * channels * sizeof *texels);
	float *result = arena_alloc(lab->arena, (size_t)size * size * channels * sizeof *result);
	picture_scene(wanted->seed, size, size, channels, texels);
	for (unsigned s = 0; s < PASS_TEXTURES; s++)
		if (p->texture[s].width)
			lab_input(lab, &p->texture[s], NULL, texels);
	for (unsigned c = 0; c < p->colours; c++)
		lab_output(lab, &p->target[(p->passes - 1) % 2][c], NULL, result);
	set_pair_constants(p, size);
	return NULL;
}

static void draw_pair_passes(struct lab *lab)
{
	struct own_pair *p = lab->state;
	for (unsigned k = 0; k < p->passes; k++) {
		struct pass pass = {.kernel = &p->kernel, .attribute = &zero_to_one};
		for (unsigned s = 0; s < PASS_TEXTURES; s++)
			pass.texture[s] = p->texture[s].width ? &p->texture[s] : NULL;
		if (k && p->first >= 0)
			pass.texture[p->first] = &p->target[(k - 1) % 2][0];
		for (unsigned c = 0; c < p->colours; c++)
			pass.target[c] = &p->target[k % 2][c];
		pass_draw(lab, &pass);
	}
}

static const struct parameter parameters[] = {
	{"size", "pixels a side", 1, 65536, 1024}, {"passes", "passes, each of which reads what the one before drew", 1, 100000, 1}, {.name = NULL}};

const struct workload own_pair_workload = {
	.name = "pair", .summary = "a pair of programs in passes", .parameters = parameters, .any_format = true, .open = open_own_pair,
	.compute = draw_pair_passes,
};
