/* Writes verdicts as lines and as JSON, see validate.h. */
#include "d3d9/validate.h"

static const char *const verdict_words[] = {"same", "different", "unknown"};

/* Names of the kinds of images in messages, and in "kind" of the JSON. */
static const char *const kinds[IMAGE_KINDS] = {"float", "points", "depth textures", "texels of 8 bits", "8 bits", "fog", "alpha test"};

static const char *target_name(enum scene_target t)
{
	static const char *const names[SCENE_TARGETS] = {"oC0", "oC1", "oC2", "oC3", "oDepth", "oFog", "oPts", "oPos"};
	return names[t];
}

static void put_worst(struct text *t, const struct validation *v)
{
	text_printf(t, "%s of pixel (%u, %u), scene %u, %s, %s: ", target_name(v->worst.target), v->of.at % SCENE_SIZE,
	            v->of.at / SCENE_SIZE, v->worst.scene.variant, kinds[v->worst.kind], v->worst.filter == SCENE_POINT ? "point" : "linear");
	if (v->worst.kind == IMAGE_CUT)
		text_printf(t, "%s the test of alpha >= %u / 255, and %s it", v->before[3] > 0 ? "passed" : "failed", v->worst.cut,
		            v->after[3] > 0 ? "passes" : "fails");
	else
		text_printf(t, "%.9g became %.9g; %.3g is allowed", (double)v->before[v->of.at_lane], (double)v->after[v->of.at_lane],
		            (double)v->allowed);
}

void verdict_lines(struct text *t, const struct files *f, const struct validation *v)
{
	text_printf(t, "%s %s: %s", f->name[0], f->name[1], verdict_words[v->verdict]);
	if (v->why)
		text_printf(t, ": %s", v->why);
	if (v->of.images)
		text_printf(t, ": %u images, %u of %u pixels beyond the tolerance, %u at steps%s%s", v->of.images, v->of.beyond, v->of.total, v->of.flips,
		            v->bare ? ", also at the positions given and without texkill" : "", v->one_colour ? ", in one colour" : "");
	text_char(t, '\n');
	if (v->of.excess > 0) {
		text_string(t, "  worst: ");
		put_worst(t, v);
		text_char(t, '\n');
	}
}

void verdict_answer(struct text *t, const struct validation *v)
{
	text_printf(t, "%s\t%u\t%u\t%u\t%u\t", verdict_words[v->verdict], v->of.images, v->of.total, v->of.beyond, v->of.flips);
	if (v->why)
		text_string(t, v->why);
	else if (v->of.excess > 0)
		put_worst(t, v);
	text_char(t, '\n');
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
	json_string(j, "kind", kinds[v->worst.kind]);
	if (v->worst.kind == IMAGE_CUT)
		json_count(j, "cut", v->worst.cut);
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

void verdict_json(struct json *j, const struct files *f, const struct validation *v)
{
	static const char *const keys[] = {"vs", "ps", "new_vs", "new_ps"};
	json_open(j, NULL, '{');
	json_string(j, "status", verdict_words[v->verdict]);
	for (unsigned k = 0; k < 4; k++)
		json_string(j, keys[k], f->name[k]);
	if (v->why)
		json_string(j, "why", v->why);
	if (v->bare)
		json_bool(j, "bare", true);
	if (v->one_colour)
		json_bool(j, "one_colour", true);
	json_count(j, "images", v->of.images);
	json_count(j, "pixels", v->of.total);
	json_count(j, "beyond", v->of.beyond);
	json_count(j, "flips", v->of.flips);
	if (v->of.excess > 0)
		worst_json(j, v);
	json_close(j, '}');
}
