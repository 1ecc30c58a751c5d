/* Writes verdicts as lines and as JSON, see validate.h. */
#include "d3d9/validate.h"

static const char *const verdict_words[] = {"same", "different", "unknown"};

/* Names of enum image_kind in messages, and in "kind" of the JSON. */
static const char *const kinds[IMAGE_KINDS] = {"float", "points", "depth textures", "texels of 8 bits", "8 bits", "fog", "alpha test"};

static void put_worst(struct text *t, const struct validation *v)
{
	text_printf(t, "%s of pixel (%u, %u), scene %u, %s, %s: ", scene_target_name(v->worst.target), v->of.at % SCENE_SIZE,
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

static json_t *lanes_json(const float lanes[4])
{
	json_t *list = json_array();
	for (unsigned l = 0; l < 4; l++)
		json_array_append_new(list, json_number((double)lanes[l]));
	return list;
}

static json_t *worst_json(const struct validation *v)
{
	static const char *const lanes[] = {"x", "y", "z", "w"};
	const struct image *w = &v->worst;
	return json_pack("{s:i,s:s,s:o*,s:s,s:s,s:i,s:i,s:s,s:o,s:o,s:o}", "scene", (int)w->scene.variant, "kind", kinds[w->kind], "cut",
	                 w->kind == IMAGE_CUT ? json_integer(w->cut) : NULL, "filter", w->filter == SCENE_POINT ? "point" : "linear", "output",
	                 scene_target_name(w->target), "x", (int)(v->of.at % SCENE_SIZE), "y", (int)(v->of.at / SCENE_SIZE), "lane", lanes[v->of.at_lane],
	                 "before", lanes_json(v->before), "after", lanes_json(v->after), "allowed", json_number((double)v->allowed));
}

json_t *verdict_json(const struct files *f, const struct validation *v)
{
	static const char *const keys[] = {"vs", "ps", "new_vs", "new_ps"};
	json_t *j = json_pack("{s:s}", "status", verdict_words[v->verdict]);
	for (unsigned k = 0; k < 4; k++)
		json_object_set_new(j, keys[k], report_name(v->arena, f->name[k]));
	if (v->why)
		json_object_set_new(j, "why", report_string(v->arena, v->why));
	if (v->bare)
		json_object_set_new(j, "bare", json_true());
	if (v->one_colour)
		json_object_set_new(j, "one_colour", json_true());
	json_object_set_new(j, "images", json_integer(v->of.images));
	json_object_set_new(j, "pixels", json_integer(v->of.total));
	json_object_set_new(j, "beyond", json_integer(v->of.beyond));
	json_object_set_new(j, "flips", json_integer(v->of.flips));
	if (v->of.excess > 0)
		json_object_set_new(j, "worst", worst_json(v));
	return j;
}
