/* fpmove-d3d9 validate: draws two pairs, and tells whether they draw the same.
 *
 * Both are drawn in the same scenes, each with the constants that it needs.  How far a pixel may be off is measured: the first pair
 * is drawn again with inputs that are off by SCENE_SHIFT, and what that does to a pixel or its neighbours is what rounding may do
 * there (gpu/image_compare.h). */
#include "d3d9/validate.h"

#include "d3d9/constants.h"

/* ---- constants that the application sets ----------------------------------------------- */

static bool has_table(const struct runtime *r, const struct code *code)
{
	ID3DXConstantTable *table;
	if (!code->whole || !r->constants || FAILED(r->constants((const DWORD *)(const void *)code->whole, &table)))
		return false;
	ID3DXConstantTable_Release(table);
	return true;
}

/* Sets p->constants of the first or the `second` pair.  Takes f->given if there is one.  `names` in --constants-map, also the default if the
 * pair's programs have tables, holds for both pairs.  Other values hold for the second pair alone; the comments of the first VP name the first
 * pair's constants.  Returns NULL, or an error. */
static const char *find_constants(struct arena *a, const struct runtime *r, const struct files *f, struct pair *p, bool second)
{
	const char *map = f->map;
	if (f->given[second]) {
		p->constants = *f->given[second];
		return NULL;
	}
	bool const comments = !map || strcmp(map, "comments") == 0;
	if (!map && has_table(r, &p->vs) && has_table(r, &p->ps))
		map = "names";
	if (map && strcmp(map, "names") == 0) {
		p->constants.by_name = true;
		return NULL;
	}
	if (comments || !second)
		return p->vs.text ? constants_of_comments(a, p->vs.text, &p->constants) : NULL;
	if (strcmp(map, "none") == 0)
		return NULL;
	struct pair_constants parsed = p->constants;
	if (constants_parse(a, map, &parsed)) {
		p->constants = parsed;
		return NULL;
	}
	return constants_of_report(a, map, f->name[0], &p->constants);
}

/* ---- drawing and comparing ------------------------------------------------------------- */

static bool keep_image(void *to, const struct image *i)
{
	struct validation *v = to;
	float (*pixels)[4] = arena_alloc(v->arena, sizeof(scene_image));
	memcpy(pixels, i->pixels, sizeof(scene_image));
	struct image *kept = &VEC_PUSH(v->arena, &v->images);
	*kept = *i;
	kept->pixels = (const float (*)[4])pixels;
	return true;
}

static const struct image *find_image(const struct images *all, const struct image *like, enum image_kind kind, unsigned pair, unsigned shift)
{
	for (const struct image *at = all->at; at < all->at + all->n; at++)
		if (at->kind == kind && at->pair == pair && at->scene.shift == shift && at->scene.variant == like->scene.variant &&
		    at->filter == like->filter && at->target == like->target)
			return at;
	return NULL;
}

/* Finds the gain of each pixel of an image: how much rounding may change it, by the shifted drawings of the first pair.  Kinds with a
 * target of 8 bits take the gain of IMAGE_TEXELS, which is drawn to floats, since they are not drawn shifted. */
static void find_gain(struct validation *v, const struct image *before, float (*gain)[4])
{
	float (*own)[4] = arena_zero(v->arena, sizeof(scene_image));
	enum image_kind const kind = before->kind < IMAGE_TEXELS ? before->kind : IMAGE_TEXELS;
	const struct image *plain = find_image(&v->images, before, kind, 0, 0), *shifted;
	for (unsigned shift = 1; (shifted = find_image(&v->images, before, kind, 0, shift)); shift++)
		gain_add(plain->pixels, shifted->pixels, own);
	gain_spread((const float (*)[4])own, gain);
}

static void note_worst(struct validation *v, const struct image *before, const struct image *after, const float (*gain)[4])
{
	v->worst = *before;
	memcpy(v->before, before->pixels[v->of.at], sizeof v->before);
	memcpy(v->after, after->pixels[v->of.at], sizeof v->after);
	v->allowed = pixel_allowed(v->before[v->of.at_lane], gain[v->of.at][v->of.at_lane]);
}

/* Compares two images of IMAGE_CUT: counts pixels that pass the alpha test in one of them only.  Such a pixel is accepted if the alpha that
 * the first pair draws to floats is NaN or within the tolerance of the cut-off, but not if it equals the cut-off, unless ties are free.  If
 * up to one pixel in 200 is not accepted so, these count as flips, otherwise as beyond the tolerance. */
static void compare_cut(struct validation *v, const struct image *before, const struct image *after, bool free_ties, const float (*gain)[4])
{
	const struct image *floats = find_image(&v->images, before, IMAGE_TEXELS, 0, 0);
	unsigned beyond = 0, at = 0;
	for (unsigned i = 0; i < SCENE_PIXELS; i++) {
		float const alpha = fminf(floats->pixels[i][3], 1), cut = (float)before->cut / 255, away = fabsf(alpha - cut);
		bool const close = (free_ties || away > 1e-6f) && away <= pixel_allowed(alpha, gain[i][3]);
		if ((before->pixels[i][3] > 0) == (after->pixels[i][3] > 0) || close || isnan(floats->pixels[i][3]))
			continue;
		beyond++;
		at = i;
	}
	v->of.images++;
	v->of.total += SCENE_PIXELS;
	if (beyond <= SCENE_PIXELS / 200) {
		v->of.flips += beyond;
		return;
	}
	bool const first = v->of.beyond == 0;
	v->of.beyond += beyond;
	if (!first)
		return;
	v->of.excess = INFINITY;
	v->of.at = at;
	v->of.at_lane = 3;
	note_worst(v, before, after, gain);
}

/* Raises the gain for a target of 8 bits: a value may be rounded to the next step, and NaN may become any value. */
static void add_steps(const struct image *floats, float (*gain)[4])
{
	for (unsigned i = 0; i < SCENE_PIXELS; i++)
		for (unsigned lane = 0; lane < 4; lane++)
			gain[i][lane] += isnan(floats->pixels[i][lane]) ? INFINITY : 0.505f / 255;
}

static void compare_image(struct validation *v, const struct files *f, const struct image *before, const struct image *after)
{
	float (*gain)[4] = arena_zero(v->arena, sizeof(scene_image));
	unsigned const number = v->of.images;
	float const excess = v->of.excess;
	find_gain(v, before, gain);
	if (before->kind == IMAGE_CUT) {
		compare_cut(v, before, after, f->free_ties, (const float (*)[4])gain);
		return;
	}
	if (before->kind > IMAGE_TEXELS)
		add_steps(find_image(&v->images, before, IMAGE_TEXELS, 0, 0), gain);
	difference_add(before->pixels, after->pixels, (const float (*)[4])gain, true, &v->of);
	if (v->of.excess > excess && v->of.at_image == number)
		note_worst(v, before, after, (const float (*)[4])gain);
}

/* Compares each image of the first pair with that of the second, and sets v->why if the latter is missing.  Returns true if the first pair shows
 * something as a colour in an image of kind IMAGE_FLOAT. */
static bool compare_images(struct validation *v, const struct files *f, bool flat)
{
	bool shows = false;
	for (uint32_t k = 0; k < v->images.n; k++) {
		const struct image *before = &v->images.at[k], *after = find_image(&v->images, before, before->kind, 1, 0);
		if (before->pair != 0 || before->scene.shift != 0)
			continue;
		shows |= before->target == SCENE_COLOUR && before->kind == IMAGE_FLOAT && image_shows(before->pixels, flat);
		if (after)
			compare_image(v, f, before, after);
		else
			v->why = "the second pair does not write all that the first one writes";
	}
	v->one_colour = shows && flat;
	return shows;
}

/* Draws the pairs, as they are or as pair_bare made them, and compares the images.  Returns false if the first pair shows nothing, or if drawing
 * fails; in the latter case sets v->why and the verdict "unknown". */
static bool draw_and_compare(struct drawer *d, const struct d3d9_options *o, const struct files *f, struct pair pairs[2], struct validation *v)
{
	/* A texture that several instructions read stays a colour texture: one of these may pass a .z that nobody wrote. */
	struct group const g = {.pair = pairs, .n = 2, .seed = o->seed, .depths = f->depths & pairs[0].read_once};
	v->images.n = 0;
	if (group_draw(d, &g, keep_image, v))
		return compare_images(v, f, pairs[0].flat);
	v->verdict = VERDICT_UNKNOWN;
	v->why = "the device fails while it draws";
	return false;
}

static void compare_pairs(struct drawer *d, const struct d3d9_options *o, const struct files *f, struct pair pairs[2], struct validation *v)
{
	struct pair bare[2] = {{.ninputs = 0}};
	v->verdict = VERDICT_DIFFERENT;
	bool shows = draw_and_compare(d, o, f, pairs, v);
	if (!shows && !v->why && !v->of.beyond && pair_bare(v->arena, &bare[0], &pairs[0], &d->device) &&
	    pair_bare(v->arena, &bare[1], &pairs[1], &d->device)) {
		v->bare = true;
		shows = draw_and_compare(d, o, f, bare, v);
	}
	for (unsigned k = 0; k < 2; k++)
		pair_free(&bare[k]);
	if (v->why || v->of.beyond)
		return;
	v->verdict = shows ? VERDICT_SAME : VERDICT_UNKNOWN;
	if (!shows)
		v->why = "in no scene does the first pair show something; try another --seed";
}

const char *pair_of_files(struct arena *a, const struct drawer *d, const struct d3d9_options *o, const struct files *f, struct pair *p,
                          bool second)
{
	struct code *const code[] = {&p->vs, &p->ps};
	for (unsigned k = 0; k < 2; k++) {
		unsigned const at = 2 * second + k;
		*code[k] = f->text[at] ? code_of(a, d->runtime, f->name[at], f->text[at], f->size[at]) : code_read(a, d->runtime, f->name[at]);
	}
	const char *wrong = find_constants(a, d->runtime, f, p, second);
	p->constants.depths |= o->depths;
	return wrong ? wrong : pair_make(a, p, &d->device);
}

/* Sets the verdict "unknown" if a pair or its constants cannot be read, a program is not assembled, or the device rejects the first pair;
 * "different" if the device rejects only the second.  Otherwise draws and compares. */
void validate_pairs(struct drawer *d, const struct d3d9_options *o, const struct files *f, struct validation *v)
{
	struct pair pairs[2] = {{.ninputs = 0}};
	v->verdict = VERDICT_UNKNOWN;
	v->why = pair_of_files(v->arena, d, o, f, &pairs[0], false);
	if (!v->why && (v->why = pair_of_files(v->arena, d, o, f, &pairs[1], true)) && pairs[1].vs.token && pairs[1].ps.token && pairs[1].targets)
		v->verdict = VERDICT_DIFFERENT;
	if (!v->why)
		compare_pairs(d, o, f, pairs, v);
	for (unsigned k = 0; k < 2; k++)
		pair_free(&pairs[k]);
}

/* ---- adding a verdict to the report ---------------------------------------------------------------- */

void validate_files(struct validating *all, const struct files *f)
{
	static const int status[] = {EXIT_DONE, EXIT_REJECTED, EXIT_USAGE};
	struct validation v = {.arena = all->drawer.arena};
	validate_pairs(&all->drawer, all->options, f, &v);
	all->verdicts[v.verdict]++;
	if (v.verdict != VERDICT_SAME || !all->options->quiet)
		verdict_lines(&all->lines, f, &v);
	print_lines(all->options, &all->lines);
	json_array_append_new(all->pairs, verdict_json(f, &v));
	if (status[v.verdict] > all->status)
		all->status = status[v.verdict];
	arena_reset(all->drawer.arena);
}
