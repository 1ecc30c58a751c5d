/* Divides the pairs of a batch into units, see units.h. */
#include "cli/units.h"

#include <stdlib.h>
#include <string.h>

/* The pairs of a batch as a graph: a node is a program (VPs are 0 to nvs - 1, FPs nvs to n - 1), an edge is a pair.  The nodes are divided into
 * sets, which connect() joins. */
struct graph {
	struct arena *arena;
	struct batch_pair *pairs;
	uint32_t npairs, nvs, n;
	uint32_t *vs, *ps;  /* for each pair, the numbers of its programs; UINT32_MAX if no other pair can share them */
	uint32_t *parent;   /* for each program, its parent in the tree of its set (union-find) */
	uint32_t *size;     /* for each root, the number of programs in its set */
	uint32_t *pairs_of; /* for each program, the number of pairs that it is in */
	bool *stays;        /* for each pixel program, true if it stays as it is (units.h) */
};

/* The path of a program, and a pair that names it. */
struct named {
	const char *path;
	uint32_t pair;
};

static int by_path(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int const order = strcmp(x->path, y->path);
	return order ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

/* Returns true if other pairs may share a program of the pair: it has two files, is not refused, and is no effect or lone FP. */
static bool may_share(const struct batch_pair *pair)
{
	return !pair->refused && !pair->effect && !pair->lone && strcmp(pair->vs, pair->ps) != 0;
}

/* Numbers the programs of one stage from `next` on, in `vs` or `ps`; equal paths get one number.  Returns the next free number. */
static uint32_t number_programs(struct graph *g, bool vertex, uint32_t next)
{
	struct named *all = arena_alloc(g->arena, (g->npairs + 1) * sizeof *all);
	uint32_t *const to = vertex ? g->vs : g->ps, n = 0;
	for (uint32_t i = 0; i < g->npairs; i++) {
		to[i] = UINT32_MAX;
		if (may_share(&g->pairs[i]))
			all[n++] = (struct named){vertex ? g->pairs[i].vs : g->pairs[i].ps, i};
	}
	qsort(all, n, sizeof *all, by_path);
	for (uint32_t k = 0; k < n; k++) {
		next += k > 0 && strcmp(all[k].path, all[k - 1].path) != 0;
		to[all[k].pair] = next;
	}
	return next + (n > 0);
}

static uint32_t set_root(struct graph *g, uint32_t program)
{
	while (g->parent[program] != program)
		program = g->parent[program] = g->parent[g->parent[program]];
	return program;
}

static void join_sets(struct graph *g, uint32_t a, uint32_t b)
{
	uint32_t const x = set_root(g, a), y = set_root(g, b);
	if (x == y)
		return;
	g->parent[y] = x;
	g->size[x] += g->size[y];
}

static struct graph make_graph(struct arena *a, const struct collected *c)
{
	struct graph g = {.arena = a, .pairs = c->pairs.at, .npairs = c->pairs.n};
	g.vs = arena_alloc(a, (g.npairs + 1) * sizeof *g.vs);
	g.ps = arena_alloc(a, (g.npairs + 1) * sizeof *g.ps);
	g.nvs = number_programs(&g, true, 0);
	g.n = number_programs(&g, false, g.nvs);
	g.parent = arena_alloc(a, (g.n + 1) * sizeof *g.parent);
	g.size = arena_alloc(a, (g.n + 1) * sizeof *g.size);
	g.pairs_of = arena_zero(a, (g.n + 1) * sizeof *g.pairs_of);
	g.stays = arena_zero(a, g.n + 1);
	for (uint32_t k = 0; k < g.n; k++) {
		g.parent[k] = k;
		g.size[k] = 1;
	}
	for (uint32_t i = 0; i < g.npairs; i++)
		if (g.vs[i] != UINT32_MAX) {
			g.pairs_of[g.vs[i]]++;
			g.pairs_of[g.ps[i]]++;
		}
	return g;
}

/* A pixel program that several pairs share. */
struct shared {
	uint32_t program, pairs;
	uint32_t first; /* index of its first pair in the list of all pairs sorted by pixel program */
};

static int by_pairs(const void *a, const void *b)
{
	const struct shared *x = a, *y = b;
	int const order = (x->pairs > y->pairs) - (x->pairs < y->pairs);
	return order ? order : (x->program > y->program) - (x->program < y->program);
}

/* Joins the sets of a shared pixel program and of all vertex programs that are drawn with it.  If the joint set would have more than
 * MOST_CONNECTED programs, marks the pixel program as one that stays instead. */
static void connect(struct graph *g, const struct shared *s, const uint32_t *pairs)
{
	uint32_t programs = 1;
	bool *seen = arena_zero(g->arena, g->n + 1);
	for (uint32_t k = 0; k < s->pairs; k++) {
		uint32_t const root = set_root(g, g->vs[pairs[s->first + k]]);
		programs += seen[root] ? 0 : g->size[root];
		seen[root] = true;
	}
	g->stays[s->program] = programs > MOST_CONNECTED;
	for (uint32_t k = 0; k < s->pairs && !g->stays[s->program]; k++)
		join_sets(g, s->program, g->vs[pairs[s->first + k]]);
}

/* Joins the sets of programs that are drawn together: first for pixel programs of one pair, then for the others by rising number of pairs, so
 * that few pixel programs have to stay as they are. */
static void connect_all(struct graph *g)
{
	uint32_t *place = arena_zero(g->arena, (g->n + 1) * sizeof *place), *pairs = arena_alloc(g->arena, (g->npairs + 1) * sizeof *pairs);
	struct shared *shared = arena_alloc(g->arena, (g->n + 1) * sizeof *shared);
	uint32_t nshared = 0, next = 0;
	for (uint32_t k = g->nvs; k < g->n; next += g->pairs_of[k++]) {
		place[k] = next;
		if (g->pairs_of[k] > 1)
			shared[nshared++] = (struct shared){k, g->pairs_of[k], next};
	}
	for (uint32_t i = 0; i < g->npairs; i++) {
		if (g->vs[i] == UINT32_MAX)
			continue;
		pairs[place[g->ps[i]]++] = i;
		if (g->pairs_of[g->ps[i]] == 1)
			join_sets(g, g->vs[i], g->ps[i]);
	}
	qsort(shared, nshared, sizeof *shared, by_pairs);
	for (uint32_t k = 0; k < nshared; k++) {
		struct arena_mark const mark = arena_mark(g->arena);
		connect(g, &shared[k], pairs);
		arena_release(g->arena, mark);
	}
}

/* Adds a warning if pixel programs stay as they are because they would connect too many programs. */
static void warn_of_cuts(const struct graph *g, struct collected *out)
{
	uint32_t stay = 0;
	const char *one = NULL;
	for (uint32_t k = g->nvs; k < g->n; k++)
		stay += g->stays[k];
	for (uint32_t i = 0; i < g->npairs && !one; i++)
		one = g->ps[i] != UINT32_MAX && g->stays[g->ps[i]] ? g->pairs[i].ps : NULL;
	if (stay)
		VEC_PUSH(g->arena, &out->stale) = arena_printf(g->arena,
			"%s: it stays as it is%s: --shared-vp with --shared-fp plans at most %u connected programs together, and each of these connects more",
			one, stay == 1 ? "" : arena_printf(g->arena, ", as do %u other pixel programs", (unsigned)stay - 1), (unsigned)MOST_CONNECTED);
}

/* A pair, and the keys by which pairs are sorted so that those of a unit are side by side. */
struct placed {
	struct batch_pair pair;
	bool refused;
	const char *path; /* path of the program that all pairs of its unit share, or NULL for --shared-vp with --shared-fp */
	uint32_t unit, index; /* `unit` is equal for all pairs of a unit; `index` is the index of this pair before sorting */
};

static int by_unit(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	int order = x->refused - y->refused;
	order = order || !x->path || !y->path ? order : strcmp(x->path, y->path);
	order = order ? order : (x->unit > y->unit) - (x->unit < y->unit);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Sorts the pairs so that those of a unit are side by side and refused ones are last.  Sets each pair's `index` to its new place. */
static void place_pairs(struct collected *out, struct placed *placed)
{
	qsort(placed, out->pairs.n, sizeof *placed, by_unit);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		out->pairs.at[i] = placed[i].pair;
		out->pairs.at[i].index = i;
	}
}

/* Makes a unit of each run of neighbours in `placed` that have the same value of `unit`. */
static void list_units(struct arena *a, const struct placed *placed, enum sharing sharing, struct collected *out)
{
	for (uint32_t i = 0; i < out->pairs.n; i++)
		if (i > 0 && placed[i].unit == placed[i - 1].unit)
			out->units.at[out->units.n - 1].n++;
		else
			VEC_PUSH(a, &out->units) = (struct batch_unit){&out->pairs.at[i], 1, sharing};
}

static void make_singles(struct arena *a, struct collected *out)
{
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		out->pairs.at[i].index = i;
		VEC_PUSH(a, &out->units) = (struct batch_unit){&out->pairs.at[i], 1, SHARES_VP};
	}
}

/* Makes a unit of all pairs with the same VP (--shared-vp) or with the same FP (--shared-fp).  A refused pair is a unit by itself. */
static void make_stars(struct arena *a, const struct options *o, struct collected *out)
{
	struct placed *placed = arena_alloc(a, (out->pairs.n + 1) * sizeof *placed);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		const struct batch_pair *pair = &out->pairs.at[i];
		placed[i] = (struct placed){*pair, pair->refused, o->shared_vp ? pair->vs : pair->ps, 0, i};
	}
	place_pairs(out, placed);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		bool const joins = i > 0 && !placed[i].refused && strcmp(placed[i].path, placed[i - 1].path) == 0;
		placed[i].unit = joins ? placed[i - 1].unit : i;
	}
	list_units(a, placed, o->shared_fp ? SHARES_FP : SHARES_VP, out);
}

/* Numbers the programs of a unit from 0, and sets its `sharing`; does nothing for a unit whose pair cannot share.  before[i] is the index of
 * pair i before sorting.  `number`, by program, is all UINT32_MAX before and afterwards.  `written`, by program, is true for FPs that stay as
 * they are and that an earlier unit writes. */
static void look_at_unit(struct graph *g, struct batch_unit *unit, const uint32_t *before, uint32_t *number, bool *written)
{
	bool one_vs = true, one_ps = true, stays = false;
	uint32_t const begin = (uint32_t)(unit->pairs - g->pairs), end = begin + unit->n;
	uint32_t next = 0;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t const vs = g->vs[before[i]], ps = g->ps[before[i]], first = before[begin];
		struct batch_pair *pair = &g->pairs[i];
		if (vs == UINT32_MAX)
			return;
		number[vs] = number[vs] == UINT32_MAX ? next++ : number[vs];
		number[ps] = number[ps] == UINT32_MAX ? next++ : number[ps];
		pair->vs_number = number[vs];
		pair->ps_number = number[ps];
		pair->ps_stays = g->stays[ps];
		pair->ps_elsewhere = written[ps];
		one_vs &= vs == g->vs[first];
		one_ps &= ps == g->ps[first];
		stays |= pair->ps_stays;
	}
	unit->sharing = stays ? SHARES_BOTH : one_vs ? SHARES_VP : one_ps ? SHARES_FP : SHARES_BOTH;
	for (uint32_t i = begin; i < end; i++) {
		written[g->ps[before[i]]] |= g->pairs[i].ps_stays;
		number[g->vs[before[i]]] = number[g->ps[before[i]]] = UINT32_MAX;
	}
}

/* Makes a unit of all pairs that are connected by shared programs (--shared-vp with --shared-fp). */
static void make_sets(struct arena *a, struct collected *out)
{
	struct graph g = make_graph(a, out);
	struct placed *placed = arena_alloc(a, (out->pairs.n + 1) * sizeof *placed);
	uint32_t *first = arena_alloc(a, (g.n + 1) * sizeof *first), *before = arena_alloc(a, (out->pairs.n + 1) * sizeof *before);
	connect_all(&g);
	warn_of_cuts(&g, out);
	memset(first, 0xff, (g.n + 1) * sizeof *first);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		placed[i] = (struct placed){out->pairs.at[i], out->pairs.at[i].refused, NULL, i, i};
		if (g.vs[i] == UINT32_MAX)
			continue;
		uint32_t *of = &first[set_root(&g, g.vs[i])];
		*of = *of == UINT32_MAX ? i : *of;
		placed[i].unit = *of;
	}
	place_pairs(out, placed);
	list_units(a, placed, SHARES_VP, out);
	uint32_t *number = arena_alloc(a, (g.n + 1) * sizeof *number);
	bool *written = arena_zero(a, g.n + 1);
	memset(number, 0xff, (g.n + 1) * sizeof *number);
	for (uint32_t i = 0; i < out->pairs.n; i++)
		before[i] = placed[i].index;
	for (uint32_t k = 0; k < out->units.n; k++)
		look_at_unit(&g, &out->units.at[k], before, number, written);
}

void units_make(struct arena *a, const struct options *o, struct collected *out)
{
	if (o->shared_vp && o->shared_fp)
		make_sets(a, out);
	else if (o->shared_vp || o->shared_fp)
		make_stars(a, o, out);
	else
		make_singles(a, out);
}

void units_shard(struct collected *c, unsigned k, unsigned n)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < c->units.n; i++)
		if (i % n == k - 1)
			c->units.at[kept++] = c->units.at[i];
	c->units.n = kept;
}
