/* Which programs of an effect file are drawn together, and with no other. */
#include "lang/effect_text.h"

static bool fits(const struct effect *e, int block, enum stage stage)
{
	const struct effect_block *b = &e->blocks.at[block];
	return b->live && b->model != MODEL_COUNT && models[b->model].stage == stage;
}

/* Is a program of the pass left out by conditions? */
static bool left_out(const struct effect *e, const struct effect_pass *pass)
{
	return (pass->vs >= 0 && !e->blocks.at[pass->vs].live) || (pass->ps >= 0 && !e->blocks.at[pass->ps].live);
}

static bool has_preshader(const struct effect *e, int block)
{
	return !e->compiled && effect_has_preshader(&e->blocks.at[block].source);
}

enum { MANY = -3 };

/* `partner` of each block: the one it is drawn with, EFFECT_NONE or MANY. */
static const char *why_not(struct arena *arena, const struct effect *e, const struct effect_pass *pass, const int *partner)
{
	if (pass->vs == EFFECT_NONE && pass->ps == EFFECT_NONE)
		return NULL; /* nothing to say about HLSL and fixed function */
	if (left_out(e, pass))
		return NULL;
	if (pass->unclear)
		return "preprocessor lines or macros in it may say what it draws with";
	if (e->compiled && (pass->vs == EFFECT_UNCLEAR || pass->ps == EFFECT_UNCLEAR))
		return pass->vs == EFFECT_UNCLEAR ? "it may take one of several vertex programs" : "it may take one of several pixel programs";
	if (pass->vs == EFFECT_UNCLEAR || pass->ps == EFFECT_UNCLEAR)
		return pass->vs == EFFECT_UNCLEAR ? "what it takes for its vertex program is not understood"
		                                  : "what it takes for its pixel program is not understood";
	if (pass->vs == EFFECT_NONE || pass->ps == EFFECT_NONE)
		return arena_printf(arena, "it has no %s program%s", pass->vs == EFFECT_NONE ? "vertex" : "pixel", e->compiled ? "" : " in assembly");
	if (!fits(e, pass->vs, STAGE_VERTEX))
		return has_preshader(e, pass->vs) ? "its vertex program has a preshader, which is not read"
		                                                            : "its vertex program is of a model that is not read here";
	if (!fits(e, pass->ps, STAGE_PIXEL))
		return has_preshader(e, pass->ps) ? "its pixel program has a preshader, which is not read"
		                                                            : "its pixel program is of a model that is not read here";
	if (partner[pass->vs] == MANY)
		return "its vertex program is drawn with other pixel programs, too";
	if (partner[pass->ps] == MANY)
		return "its pixel program is drawn with other vertex programs, too";
	const char *const vs_stays = e->blocks.at[pass->vs].stays, *const ps_stays = e->blocks.at[pass->ps].stays;
	if (vs_stays || ps_stays)
		return arena_printf(arena, "its %s program must stay, for %s", vs_stays ? "vertex" : "pixel", vs_stays ? vs_stays : ps_stays);
	return "";
}

/* Without passes: each two neighbours of different stages, if the whole file comes in such. */
static bool pair_neighbours(struct arena *arena, struct effect *e)
{
	for (uint32_t k = 0; k + 1 < e->blocks.n; k += 2) {
		int first = (int)k, second = first + 1;
		bool vertex_first = fits(e, first, STAGE_VERTEX) && fits(e, second, STAGE_PIXEL);
		if (!vertex_first && !(fits(e, first, STAGE_PIXEL) && fits(e, second, STAGE_VERTEX))) {
			e->pairs.n = 0;
			return false;
		}
		VEC_PUSH(arena, &e->pairs) = vertex_first ? (struct effect_pair){first, second, NULL}
		                                          : (struct effect_pair){second, first, NULL};
	}
	if (e->blocks.n % 2)
		e->pairs.n = 0;
	return e->pairs.n > 0;
}

/* Leaves out neighbours of which one must stay. */
static void keep_neighbours(struct effect *e, struct diags *diags)
{
	uint32_t kept = 0;
	for (uint32_t k = 0; k < e->pairs.n; k++) {
		struct effect_pair const pair = e->pairs.at[k];
		const struct effect_block *vs = &e->blocks.at[pair.vs], *ps = &e->blocks.at[pair.ps], *b = vs->stays ? vs : ps;
		if (b->stays)
			diag_add(diags, DIAG_NOTE, "effect", e->file, b->at, "this program and its neighbour stay as they are: %s", b->stays);
		else
			e->pairs.at[kept++] = pair;
	}
	e->pairs.n = kept;
}

/* A pass that names no program of a stage is drawn with the one that the pass before left there.  Those that conditions
 * leave out may well stand for each other, and follow none. */
static void inherit(struct effect *e)
{
	const struct effect_pass *before = NULL;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		struct effect_pass *pass = &e->passes.at[k];
		if (left_out(e, pass))
			continue;
		bool const follows = before && pass->technique == before->technique;
		if (follows && !pass->sets[STAGE_VERTEX])
			pass->vs = before->vs;
		if (follows && !pass->sets[STAGE_PIXEL])
			pass->ps = before->ps;
		before = pass;
	}
}

/* A note that a pass stays, with the reason. */
static void note_pass(struct diags *diags, const struct effect *e, const struct effect_pass *pass, const char *why)
{
	if (e->compiled)
		diag_add(diags, DIAG_NOTE, "effect", e->file, SRCPOS_NONE, "technique %s pass %s stays as it is: %s", pass->technique, pass->name, why);
	else
		diag_add(diags, DIAG_NOTE, "effect", e->file, pass->at, "this pass stays as it is: %s", why);
}

bool effect_find_pairs(struct arena *arena, struct effect *e, struct diags *diags)
{
	inherit(e);
	int *partner = arena_alloc(arena, (e->blocks.n + 1) * sizeof *partner);
	bool *paired = arena_zero(arena, (e->blocks.n + 1) * sizeof *paired);
	for (uint32_t k = 0; k < e->blocks.n; k++)
		partner[k] = EFFECT_NONE;
	for (uint32_t k = 0; k < e->passes.n; k++) {
		int const vs = e->passes.at[k].vs, ps = e->passes.at[k].ps;
		/* Also of passes that conditions leave out: other definitions bring them back.  Fixed function, and HLSL, are partners as well: a program that they use must stay. */
		if (vs >= 0)
			partner[vs] = partner[vs] == EFFECT_NONE || partner[vs] == ps ? ps : MANY;
		if (ps >= 0)
			partner[ps] = partner[ps] == EFFECT_NONE || partner[ps] == vs ? vs : MANY;
		if (vs >= 0 && ps < 0)
			partner[vs] = MANY;
		if (ps >= 0 && vs < 0)
			partner[ps] = MANY;
	}
	for (uint32_t k = 0; k < e->passes.n; k++) {
		const struct effect_pass *pass = &e->passes.at[k];
		const char *why = why_not(arena, e, pass, partner);
		if (!why)
			continue;
		bool const as_before = !pass->sets[STAGE_VERTEX] && !pass->sets[STAGE_PIXEL];
		if (*why && !as_before)
			note_pass(diags, e, pass, why);
		if (*why)
			continue;
		if (!paired[pass->vs])
			VEC_PUSH(arena, &e->pairs) = (struct effect_pair){pass->vs, pass->ps, pass};
		paired[pass->vs] = true;
	}
	bool const neighbours = e->passes.n == 0 && !e->compiled && pair_neighbours(arena, e);
	if (neighbours)
		keep_neighbours(e, diags);
	/* What stays as it is has been named: such a file is copied. */
	if (neighbours || (e->passes.n && e->blocks.n))
		return true;
	diag_add(diags, DIAG_ERROR, "effect", e->file, SRCPOS_NONE, "%s",
	         e->compiled ? "no pass here that is drawn with shaders"
	         : e->blocks.n == 0 ? "no asm { } block or literal here that holds a program: HLSL is not read"
	                          : "without passes, programs must come as neighbours: a vertex and a pixel program each");
	return false;
}
