/* Finds the shortest VP that delivers a plan's lanes, by trying several ways (struct delivery) to compute them. */
#include "move/cover/vertex.h"

#include "base/profile.h"

#include <limits.h>
#include <string.h>

/* Direct-mapped caches of results by the hashes of layouts, since the search often asks for the same layout again. */
enum { LAYOUTS = 64 };
struct seen_layouts {
	uint64_t undelivered[LAYOUTS]; /* hashes of layouts (the values of each interpolator's lanes) that no VP within the budgets delivers */
	uint64_t estimated[LAYOUTS];   /* hashes of layouts whose VPs were estimated */
	unsigned slots[LAYOUTS];       /* for each hash in `estimated`, the slots that the VP was estimated to take */
};

struct vertex_start *delivery_start(struct values *v, const struct program *vs, const struct move_options *options)
{
	struct vertex_start *start = arena_zero(v->arena, sizeof *start);
	start->values = v;
	start->old = vs;
	start->options = options;
	memset(start->writer, 0xff, sizeof start->writer);
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (!instr_writes(i) || i->dst.file != REG_TEX_OUT || i->dst.index >= INTERPOLATORS)
			continue;
		EACH_LANE(lane, i->dst.mask)
			start->writer[i->dst.index][lane] = k;
	}
	start->seen = arena_zero(v->arena, sizeof *start->seen);
	vertex_find_places(start);
	vertex_find_constants(start);
	vertex_number_constants(start);
	start->has_constant = constants_last_free(&start->taken, options->budget.vs_consts) >= 0;
	sums_find_finite(start);
	start->estimates = vertex_begin_estimates(start);
	return start;
}

bool delivery_has_constant(const struct vertex_start *start)
{
	return start->has_constant;
}

unsigned delivery_least(const struct vertex_start *start)
{
	struct arena *arena = start->values->arena;
	struct program *p = program_copy(arena, start->old);
	uint32_t kept = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		if (!(instr_writes(&p->instrs.at[k]) && p->instrs.at[k].dst.file == REG_TEX_OUT))
			p->instrs.at[kept++] = p->instrs.at[k];
	p->instrs.n = kept;
	regs_remove_dead(arena, p);
	return program_total_slots(p);
}

struct trial {
	const struct vertex_start *start;
	const struct layout *layout;
	bool estimates;       /* slots are estimated, and nothing is written */
	bool all_ways;        /* also try the ways that differ in `gather` and `select` of struct delivery */
	unsigned depends_on;  /* bits of enum dependence, from vertex_estimate(); all bits while programs are written */
	struct sources sources;
	unsigned at_most;     /* the most slots that a program may take; a longer one is not kept */
	struct delivery how;  /* the shortest way so far */
	unsigned slots;       /* the slots of the VP of the shortest way so far */
	struct program *best; /* the VP of the shortest way so far, or NULL if it takes too many slots or none was written */
	struct move_result *result;
};

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	for (; n > 0; at += sizeof h, n = n > sizeof h ? n - sizeof h : 0) {
		uint64_t word = 0;
		memcpy(&word, at, n < sizeof word ? n : sizeof word);
		h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	return h;
}

static bool has_clones(const struct sources *s, unsigned r)
{
	return s->of[r][0] >= 0 || s->of[r][1] >= 0 || s->of[r][2] >= 0 || s->of[r][3] >= 0;
}

static bool estimate_way(struct trial *t, const struct delivery *how)
{
	unsigned const slots = vertex_estimate(t->start, t->layout, how, &t->sources, &t->depends_on);
	if (slots >= t->slots)
		return false;
	t->how = *how;
	t->slots = slots;
	return true;
}

/* Tries one way to deliver the layout.  If the VP is shorter than those of all ways tried before, records the way and its slots, keeps the VP unless
 * it takes more than t->at_most, and returns true.  Otherwise returns false and keeps nothing. */
static bool try_way(struct trial *t, const struct delivery *how)
{
	if (t->estimates)
		return estimate_way(t, how);
	struct move_result notes = {0};
	unsigned const at_most = t->slots - 1; /* not below 0, since a VP has at least the mov to oPos */
	struct delivered const d =
		vertex_program(t->start, t->layout, how, &t->sources, at_most < t->at_most ? at_most : t->at_most, &notes);
	if (d.slots >= t->slots)
		return false;
	t->how = *how;
	t->slots = d.slots;
	if (d.program) {
		t->best = d.program;
		t->result->consts.at = notes.consts.at;
		t->result->consts.n = t->result->consts.cap = notes.consts.n;
		t->result->folds = notes.folds;
	}
	return true;
}

/* Tries to deliver all interpolators as sums (with `all_ways`, in up to four ways), then by clones of FP instructions, then by clones that include
 * the instructions that compute constants. */
static void try_whole(struct trial *t)
{
	struct delivery clones = {.deep = false};
	bool any = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		any |= clones.clone[r] = has_clones(&t->sources, r);
	t->depends_on = t->estimates ? 0 : DEPENDS_ON_DEEP | DEPENDS_ON_WAY;
	for (unsigned way = 0; way < (t->all_ways && (!way || t->depends_on & DEPENDS_ON_WAY) ? 4 : 1); way++)
		try_way(t, &(struct delivery){.gather = way & 1, .select = way & 2});
	if (!any)
		return;
	try_way(t, &clones);
	clones.deep = true;
	if (!t->start->options->preshader && t->depends_on & DEPENDS_ON_DEEP) /* with a preshader, the application computes these constants */
		try_way(t, &clones);
}

/* Starting from the shortest way so far, switches one interpolator at a time between clones and sums, as long as that shortens the program. */
static void try_parts(struct trial *t)
{
	for (bool progress = t->slots != UINT_MAX; progress;) {
		progress = false;
		for (unsigned r = 0; r < INTERPOLATORS; r++) {
			struct delivery other = t->how;
			other.clone[r] = !other.clone[r];
			progress |= has_clones(&t->sources, r) && try_way(t, &other);
		}
	}
}

static void find_all_sources(const struct values *v, const struct layout *layout, struct sources *sources)
{
	clone_find_sources(v, layout, sources);
	vertex_find_raw(v, layout, sources);
}

/* Finds the way to deliver the layout whose VP is estimated to be the shortest, without writing programs. */
static void estimate_shortest(struct trial *t)
{
	t->estimates = true;
	t->slots = UINT_MAX;
	try_whole(t);
	try_parts(t);
	t->estimates = false;
}

static uint64_t hash_layout(const struct vertex_start *start, const struct layout *layout)
{
	return hash_bytes(start->values->program + 1, layout, sizeof *layout);
}

unsigned delivery_estimate(const struct vertex_start *start, const struct layout *layout)
{
	struct trial t = {.start = start, .layout = layout};
	uint64_t const h = hash_layout(start, layout);
	if (start->seen->estimated[h % LAYOUTS] == h)
		return start->seen->slots[h % LAYOUTS];
	find_all_sources(start->values, layout, &t.sources);
	estimate_shortest(&t);
	start->seen->estimated[h % LAYOUTS] = h;
	start->seen->slots[h % LAYOUTS] = t.slots;
	return t.slots;
}

static struct program *write_shortest(const struct vertex_start *start, const struct layout *layout, struct move_result *result)
{
	struct trial t = {.start = start, .layout = layout, .all_ways = true, .at_most = start->options->budget.vs_slots, .result = result};
	find_all_sources(start->values, layout, &t.sources);
	estimate_shortest(&t);
	bool const any = t.slots != UINT_MAX;
	t.slots = UINT_MAX;
	if (any)
		try_way(&t, &t.how);
	if (t.slots == UINT_MAX) {
		try_whole(&t);
		try_parts(&t);
	}
	if (t.slots == UINT_MAX && start->options->preshader) {
		/* If constant registers ran out, the VP may still compute what the preshader would put into them. */
		struct move_options options = *start->options;
		struct vertex_start plain = *start;
		options.preshader = false;
		plain.options = &options;
		plain.estimates = vertex_begin_estimates(&plain);
		return write_shortest(&plain, layout, result);
	}
	return t.best;
}

struct program *delivery_program(const struct vertex_start *start, const struct layout *layout, struct move_result *result)
{
	uint64_t const h = hash_layout(start, layout);
	uint64_t *failed = &start->seen->undelivered[h % LAYOUTS];
	if (*failed == h)
		return NULL;
	profile_begin(start->options->profile, "vertex program");
	struct program *p = write_shortest(start, layout, result);
	profile_end(start->options->profile);
	if (!p)
		*failed = h;
	return p;
}
