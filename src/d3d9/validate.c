/* fpmove-d3d9 validate: do two pairs draw the same here?
 *
 * Both are drawn in the same scenes, with the constants that each one wants.  How far a pixel may be off is measured: the first pair
 * is drawn again with inputs that are off by SCENE_SHIFT, and what that does to a pixel or its neighbours is what rounding may do
 * there (gpu/apart.h). */
#include "d3d9/constants.h"
#include "d3d9/draw.h"
#include "d3d9/modes.h"

#include <math.h>

enum verdict { VERDICT_SAME, VERDICT_DIFFERENT, VERDICT_UNKNOWN };

static const char *const verdict_words[] = {"same", "different", "unknown"};

struct files {
	const char *name[4]; /* VP FP VP2 FP2 */
	const char *map;     /* as --constants-map; NULL: by what the files are */
};

struct images {
	VEC(struct image);
};

struct validation {
	struct arena *arena; /* of these two pairs */
	enum verdict verdict;
	const char *why;     /* of one that is unknown, or whose second pair the device refuses */
	struct images images;
	struct difference of;
	struct image worst;  /* where of.excess is above zero: of the first pair */
	float before[4], after[4], allowed;
};

struct validating {
	const struct d3d9_options *options;
	struct drawer drawer;
	struct text lines;
	struct json json;
	enum exit_status status;
};

/* ---- what the application sets --------------------------------------------------------- */

static bool has_table(const struct runtime *r, const struct code *code)
{
	ID3DXConstantTable *table;
	if (!code->whole || !r->constants || FAILED(r->constants((const DWORD *)(const void *)code->whole, &table)))
		return false;
	ID3DXConstantTable_Release(table);
	return true;
}

/* `second`: it is the pair that the map is for; what the comments of the first say holds for that by itself.  NULL, or what is wrong. */
static const char *find_constants(struct arena *a, const struct runtime *r, const struct files *f, struct pair *p, bool second)
{
	const char *map = f->map;
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
	VEC_PUSH(v->arena, &v->images) = (struct image){i->pair, i->scene, i->filter, i->target, (const float (*)[4])pixels};
	return true;
}

static const struct image *find_image(const struct images *all, const struct image *like, unsigned pair, unsigned shift)
{
	for (const struct image *at = all->at; at < all->at + all->n; at++)
		if (at->pair == pair && at->scene.shift == shift && at->scene.variant == like->scene.variant && at->filter == like->filter &&
		    at->target == like->target)
			return at;
	return NULL;
}

static void compare_image(struct validation *v, const struct image *before, const struct image *after)
{
	float (*own)[4] = arena_zero(v->arena, sizeof(scene_image)), (*gain)[4] = arena_zero(v->arena, sizeof(scene_image));
	const struct image *shifted;
	unsigned const number = v->of.images;
	float const excess = v->of.excess;
	for (unsigned shift = 1; (shifted = find_image(&v->images, before, 0, shift)); shift++)
		gain_add(before->pixels, shifted->pixels, own);
	gain_spread((const float (*)[4])own, gain);
	difference_add(before->pixels, after->pixels, (const float (*)[4])gain, true, &v->of);
	if (v->of.excess == excess || v->of.at_image != number)
		return;
	v->worst = *before;
	memcpy(v->before, before->pixels[v->of.at], sizeof v->before);
	memcpy(v->after, after->pixels[v->of.at], sizeof v->after);
	v->allowed = pixel_allowed(v->before[v->of.at_lane], gain[v->of.at][v->of.at_lane]);
}

static void compare_images(struct validation *v, bool flat)
{
	bool shows = false;
	for (uint32_t k = 0; k < v->images.n; k++) {
		const struct image *before = &v->images.at[k], *after = find_image(&v->images, before, 1, 0);
		if (before->pair != 0 || before->scene.shift != 0)
			continue;
		shows |= before->target == SCENE_COLOUR && image_shows(before->pixels, flat);
		if (after)
			compare_image(v, before, after);
		else
			v->why = "the second pair does not write all that the first one writes";
	}
	v->verdict = v->of.beyond || v->why ? VERDICT_DIFFERENT : VERDICT_SAME;
	if (v->verdict == VERDICT_SAME && !shows) {
		v->verdict = VERDICT_UNKNOWN;
		v->why = "in no scene does the first pair show something; try another --seed";
	}
}

static const char *make_pair(struct arena *a, const struct drawer *d, const struct d3d9_options *o, const struct files *f, struct pair *p,
                             bool second)
{
	p->vs = code_read(a, d->runtime, f->name[2 * second]);
	p->ps = code_read(a, d->runtime, f->name[2 * second + 1]);
	p->constants.depths = o->depths;
	const char *wrong = find_constants(a, d->runtime, f, p, second);
	return wrong ? wrong : pair_make(a, p, &d->device);
}

/* A second pair that cannot be read is trouble; one that the device refuses draws nothing, and differs. */
static void validate(struct drawer *d, const struct d3d9_options *o, const struct files *f, struct validation *v)
{
	struct pair pairs[2] = {{.ninputs = 0}};
	struct group g = {.pair = pairs, .n = 2, .seed = o->seed};
	v->verdict = VERDICT_UNKNOWN;
	v->why = make_pair(v->arena, d, o, f, &pairs[0], false);
	if (!v->why && (v->why = make_pair(v->arena, d, o, f, &pairs[1], true)) && pairs[1].vs.token && pairs[1].ps.token && pairs[1].targets)
		v->verdict = VERDICT_DIFFERENT;
	if (!v->why && !group_draw(d, &g, keep_image, v))
		v->why = "the device fails while it draws";
	if (!v->why)
		compare_images(v, pairs[0].flat);
	group_free(&g);
}

/* ---- printing -------------------------------------------------------------------------- */

static const char *target_name(enum scene_target t)
{
	static const char *const names[SCENE_TARGETS] = {"oC0", "oC1", "oC2", "oC3", "oDepth", "oFog", "oPts"};
	return names[t];
}

static void put_worst(struct text *t, const struct validation *v)
{
	text_printf(t, "  worst: %s of pixel (%u, %u), scene %u, %s: %.9g became %.9g; %.3g is allowed\n", target_name(v->worst.target),
	            v->of.at % SCENE_SIZE, v->of.at / SCENE_SIZE, v->worst.scene.variant, v->worst.filter == SCENE_POINT ? "point" : "linear",
	            (double)v->before[v->of.at_lane], (double)v->after[v->of.at_lane], (double)v->allowed);
}

static void put_lines(struct validating *all, const struct files *f, const struct validation *v)
{
	struct text *t = &all->lines;
	if (v->verdict == VERDICT_SAME && all->options->quiet)
		return;
	text_printf(t, "%s %s: %s", f->name[0], f->name[1], verdict_words[v->verdict]);
	if (v->why)
		text_printf(t, ": %s", v->why);
	if (v->of.images)
		text_printf(t, ": %u images, %u of %u pixels beyond the tolerance, %u at steps", v->of.images, v->of.beyond, v->of.total, v->of.flips);
	text_char(t, '\n');
	if (v->of.excess > 0)
		put_worst(t, v);
}

static void put_lanes(struct json *j, const char *key, const float lanes[4])
{
	json_open(j, key, '[');
	for (unsigned l = 0; l < 4; l++)
		json_number(j, NULL, (double)lanes[l]);
	json_close(j, ']');
}

static void worst_json(struct json *j, const struct validation *v)
{
	static const char *const lanes[] = {"x", "y", "z", "w"};
	json_open(j, "worst", '{');
	json_count(j, "scene", v->worst.scene.variant);
	json_string(j, "filter", v->worst.filter == SCENE_POINT ? "point" : "linear");
	json_string(j, "output", target_name(v->worst.target));
	json_count(j, "x", v->of.at % SCENE_SIZE);
	json_count(j, "y", v->of.at / SCENE_SIZE);
	json_string(j, "lane", lanes[v->of.at_lane]);
	put_lanes(j, "before", v->before);
	put_lanes(j, "after", v->after);
	json_number(j, "allowed", (double)v->allowed);
	json_close(j, '}');
}

static void put_json(struct json *j, const struct files *f, const struct validation *v)
{
	static const char *const keys[] = {"vs", "ps", "new_vs", "new_ps"};
	json_open(j, NULL, '{');
	json_string(j, "status", verdict_words[v->verdict]);
	for (unsigned k = 0; k < 4; k++)
		json_string(j, keys[k], f->name[k]);
	if (v->why)
		json_string(j, "why", v->why);
	json_count(j, "images", v->of.images);
	json_count(j, "pixels", v->of.total);
	json_count(j, "beyond", v->of.beyond);
	json_count(j, "flips", v->of.flips);
	if (v->of.excess > 0)
		worst_json(j, v);
	json_close(j, '}');
}

static void one(struct validating *all, const struct files *f)
{
	static const enum exit_status status[] = {EXIT_SAME, EXIT_DIFFERENT, EXIT_TROUBLE};
	struct validation v = {.arena = all->drawer.arena};
	validate(&all->drawer, all->options, f, &v);
	put_lines(all, f, &v);
	put_json(&all->json, f, &v);
	if (status[v.verdict] > all->status)
		all->status = status[v.verdict];
	arena_reset(all->drawer.arena);
}

/* Lines VP FP VP2 FP2 [MAP], parted by tabs. */
static bool listed(struct validating *all, struct arena *a, const char *list)
{
	size_t size;
	char *rest = file_read(a, list, &size), *line;
	if (!rest) {
		say_error("%s cannot be read", list);
		return false;
	}
	while ((line = next_line(&rest))) {
		struct files f = {.map = all->options->constants_map};
		unsigned n = 0;
		for (char *at = line; at && n < 5; n++) {
			char *tab = strchr(at, '\t');
			if (tab)
				*tab++ = '\0';
			if (n < 4)
				f.name[n] = at;
			else
				f.map = at;
			at = tab;
		}
		if (n < 4) {
			say_error("%s: a line has no four files parted by tabs: %s", list, line);
			return false;
		}
		one(all, &f);
	}
	return true;
}

enum exit_status validate_main(struct arena *a, const struct runtime *r, const struct d3d9_options *o)
{
	struct arena own;
	struct validating all = {.options = o, .drawer = {.arena = &own, .runtime = r, .scenes = o->scenes}, .lines = {.arena = a},
	                         .json = {.text = {.arena = a}}};
	const char *wrong = device_open(&all.drawer.device, r);
	if (wrong) {
		say_error("%s", wrong);
		return EXIT_TROUBLE;
	}
	arena_init(&own, NULL);
	report_begin(&all.json, r, &all.drawer.device);
	json_open(&all.json, "pairs", '[');
	bool good = true;
	if (o->words.n)
		one(&all, &(struct files){.name = {o->words.at[0], o->words.at[1], o->words.at[2], o->words.at[3]}, .map = o->constants_map});
	else
		good = listed(&all, a, o->list);
	json_close(&all.json, ']');
	arena_free(&own);
	return good ? report_end(a, o, &all.json, &all.lines, all.status) : EXIT_TROUBLE;
}
