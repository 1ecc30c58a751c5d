/* The shortest vertex program that delivers a plan's lanes, over the ways to compute them.
 * requires: a complete plan; builds: a legal vertex program.
 *
 * A way that differs from one that was tried only in what that one was never asked for gives the same
 * program, and is left out. */
#include "move/cover/vertex.h"

#include "base/profile.h"

#include <limits.h>
#include <string.h>

/* Layouts that were looked at, and what was found: the search comes to some again and again. */
enum { LAYOUTS = 64 };
struct tried {
	uint64_t layout[LAYOUTS];
	unsigned at_most[LAYOUTS], least[LAYOUTS];
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
		for (unsigned lane = 0; lane < LANES; lane++)
			if (i->dst.mask >> lane & 1)
				start->writer[i->dst.index][lane] = k;
	}
	start->tried = arena_zero(v->arena, sizeof *start->tried);
	vertex_find_constants(start);
	start->has_constant = constants_last_free(&start->taken, options->vs_consts) >= 0;
	linear_find_finite(start);
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

enum { SHORTEN_WORK = 1 << 20 }; /* squares of the slots of what is written and tidied, before the shortest so far is taken */
enum { SAVED_LATE = 3 };       /* one that is longer by more before tidying's last passes is not looked at either */
enum { SAVED_BY_TIDYING = 2 }; /* a way that is longer by more than this before tidying is not looked at after it */

/* Programs that were tidied, by what they are; several ways write the same. */
enum { WRITTEN = 128 };
struct known {
	uint64_t program[WRITTEN];
	const struct program *tidy[WRITTEN];
};

/* Ways that were tried to shorten a program. */
enum { DONE = 128 };
struct done {
	uint32_t n;
	struct {
		struct delivery how;
		struct asked asked;
		unsigned slots; /* after tidying; UINT_MAX: too long before */
	} of[DONE];
};

/* What linear modes take for an interpolator, constants apart; 0: not known. */
struct linear {
	uint8_t slots[DELIVERY_MODES][INTERPOLATORS];
};

struct trial {
	const struct vertex_start *start;
	const struct layout *layout;
	const struct outputs_read *read; /* slots count after tidying; NULL: as they are */
	unsigned written, enough;        /* then: least slots before tidying; slots that no way is below */
	const struct sources *sources;
	unsigned at_most;    /* slots of a program that is of use */
	struct delivery how; /* the shortest way so far, */
	unsigned slots;      /* ... its slots, */
	struct program *best; /* ... and the program, if it is of use */
	struct move_result *result;
	uint16_t same;       /* interpolators for which the linear modes are one */
	struct known *known; /* if slots count after tidying; */
	struct done *done;   /* ... the same; */
	struct linear *linear; /* ... what linear modes take; */
	const struct program *tidy; /* ... the shortest program so far, tidied; */
	uint32_t *work;      /* ... what is left of SHORTEN_WORK */
};

static uint64_t mixed(uint64_t h, const void *bytes, size_t n)
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

/* `most`: as in tidy_limits; what is longer need not be exact. */
static const struct program *tidied(const struct vertex_start *start, const struct program *p, const struct outputs_read *read,
                                    const struct folds *folds, unsigned most)
{
	struct arena *arena = start->values->arena;
	struct program *tidy = program_copy(arena, p);
	struct tidy_limits limits = tidy_limits_of(start->old, start->values->careful, start->options, folds);
	limits.most = most;
	tidy_program(arena, tidy, read, &limits);
	return tidy;
}

/* The same for a program that another way may have written. */
static const struct program *known_tidied(struct trial *t, const struct program *p, const struct folds *folds)
{
	uint64_t h = mixed(UINT64_C(0xcbf29ce484222325), p->instrs.at, p->instrs.n * sizeof *p->instrs.at);
	h = mixed(h, p->decls.at, p->decls.n * sizeof *p->decls.at);
	if (t->known->program[h % WRITTEN] != h) {
		t->known->program[h % WRITTEN] = h;
		t->known->tidy[h % WRITTEN] = tidied(t->start, p, t->read, folds, t->start->options->level < 3 ? t->slots + SAVED_LATE : 0);
	}
	return t->known->tidy[h % WRITTEN];
}

static bool has_clones(const struct sources *s, unsigned r)
{
	return s->of[r][0] >= 0 || s->of[r][1] >= 0 || s->of[r][2] >= 0 || s->of[r][3] >= 0;
}

/* Is all that the interpolator carries just old lanes?  Then it is delivered in one way only. */
static bool all_raw(const struct trial *t, unsigned r)
{
	bool all = true;
	for (unsigned l = 0; l < LANES; l++)
		all &= t->layout->lane[r][l] == NO_VALUE || t->sources->raw[r][l] >= 0;
	return all;
}

/* The way without what makes no difference. */
static struct delivery bare(const struct trial *t, const struct delivery *how)
{
	struct delivery d = *how;
	bool linear = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (d.mode[r] == DELIVER_GATHERED && t->same >> r & 1)
			d.mode[r] = DELIVER_LINEAR;
		if (all_raw(t, r) || (d.mode[r] == DELIVER_CLONE && !has_clones(t->sources, r)))
			d.mode[r] = DELIVER_LINEAR;
		linear |= !all_raw(t, r);
	}
	d.select &= linear;
	d.share &= linear;
	return d;
}

/* Was the way tried, and is not shorter than the shortest so far? */
static bool is_done(const struct trial *t, const struct delivery *how, struct asked *asked)
{
	for (uint32_t k = 0; t->done && k < t->done->n; k++) {
		if (memcmp(&t->done->of[k].how, how, sizeof *how) != 0)
			continue;
		*asked = t->done->of[k].asked;
		return t->done->of[k].slots >= t->slots;
	}
	return false;
}

static void note_done(struct trial *t, const struct delivery *how, const struct delivered *d)
{
	uint32_t const k = t->done ? t->done->n : DONE;
	if (k == DONE)
		return;
	t->done->of[k].how = *how;
	t->done->of[k].asked = d->asked;
	t->done->of[k].slots = d->program ? d->slots : UINT_MAX;
	t->done->n++;
}

/* Is this way shorter than what was tried before?  The notes of a way that is not taken are dropped. */
static bool try_way(struct trial *t, const struct delivery *way, struct asked *asked)
{
	struct delivery const bare_way = t->done ? bare(t, way) : *way, *how = &bare_way;
	struct move_result notes = {0};
	unsigned at_most = t->read ? t->written + SAVED_BY_TIDYING : t->slots - 1; /* a VP has at least the mov to oPos */
	*asked = (struct asked){.deep = true};
	if (t->slots <= t->enough || (t->work && *t->work == 0) || is_done(t, how, asked))
		return false;
	struct delivered d = vertex_program(t->start, t->layout, how, t->sources, at_most < t->at_most ? at_most : t->at_most, &notes);
	*asked = d.asked;
	t->same |= d.asked.same;
	t->written = d.slots < t->written ? d.slots : t->written;
	if (t->work) {
		uint32_t const n = d.slots < t->at_most ? d.slots : t->at_most;
		*t->work -= n * n < *t->work ? n * n : *t->work;
	}
	const struct program *tidy = NULL;
	if (t->read && d.program) {
		tidy = known_tidied(t, d.program, &notes.folds);
		d.slots = program_total_slots(tidy);
	}
	for (unsigned r = 0; t->linear && !how->select && !how->share && r < INTERPOLATORS; r++)
		if (how->mode[r] >= DELIVER_LINEAR && d.asked.slots[r])
			t->linear->slots[how->mode[r]][r] = d.asked.slots[r];
	note_done(t, how, &d);
	if (d.slots >= t->slots)
		return false;
	t->how = *how;
	t->slots = d.slots;
	t->tidy = tidy;
	if (d.program) {
		t->best = d.program;
		t->result->consts.at = notes.consts.at;
		t->result->consts.n = t->result->consts.cap = notes.consts.n;
		t->result->folds = notes.folds;
	}
	return true;
}

/* As sums, by clones, by clones that reach through the constants. */
static void try_whole(struct trial *t, bool clones)
{
	struct asked asked = {.deep = true};
	for (unsigned way = 0; way < 3; way++) {
		if ((way > 0 && !clones) || (way == 2 && (!asked.deep || t->start->options->preshader)))
			break; /* what lies behind constants is the application's, if it does any of that */
		struct delivery how = {.deep = way == 2};
		memset(how.mode, way ? DELIVER_CLONE : DELIVER_LINEAR, sizeof how.mode);
		try_way(t, &how, &asked);
	}
}

/* Slots that serve interpolator r alone. */
static unsigned slots_for(const struct trial *t, unsigned r)
{
	struct arena *arena = t->start->values->arena;
	struct program *without = program_copy(arena, t->tidy);
	for (uint32_t k = 0; k < without->instrs.n; k++) {
		struct instr *i = &without->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT && i->dst.index == (int)r)
			i->op = OP_NOP;
	}
	regs_remove_dead(arena, without);
	return program_total_slots(t->tidy) - program_total_slots(without);
}

/* Is what delivers interpolator r not longer than the other way's sums alone?  -O3 looks at those that are as long,
 * which rarely gain. */
static bool cannot_gain(const struct trial *t, unsigned r, unsigned mode, unsigned now)
{
	unsigned const n = t->linear ? t->linear->slots[mode][r] : 0;
	return n > now || (n == now && (mode == DELIVER_GATHERED || t->start->options->level < 3));
}

/* One interpolator at a time, as long as that shortens the program; `steepest`: the one that shortens it most. */
static void try_parts(struct trial *t, enum delivery_mode modes, bool steepest)
{
	for (bool progress = t->slots != UINT_MAX; progress;) {
		struct delivery const from = t->how;
		progress = false;
		for (unsigned r = 0; r < INTERPOLATORS; r++) {
			bool const clones = has_clones(t->sources, r);
			unsigned const now = clones && t->tidy ? slots_for(t, r) : UINT_MAX;
			for (unsigned mode = 0; clones && mode < modes; mode++) {
				struct delivery other = steepest ? from : t->how;
				struct asked unused;
				bool const linear = mode == DELIVER_GATHERED || (mode == DELIVER_LINEAR && other.mode[r] == DELIVER_GATHERED);
				bool same = other.mode[r] == mode || (linear && t->same >> r & 1);
				other.mode[r] = (uint8_t)mode;
				progress |= !same && !cannot_gain(t, r, mode, now) && try_way(t, &other, &unused);
			}
		}
	}
}

static void find_sources(const struct values *v, const struct layout *layout, struct sources *sources)
{
	clone_find_sources(v, layout, sources);
	vertex_find_raw(v, layout, sources);
}

static bool any_clones(const struct sources *s)
{
	bool any = false;
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		any |= has_clones(s, r);
	return any;
}

static struct program *shortest(const struct vertex_start *start, const struct layout *layout, unsigned at_most, unsigned *least,
                                struct move_result *result, const struct delivery **how)
{
	struct sources sources;
	struct trial t = {.start = start, .layout = layout, .sources = &sources,
	                  .at_most = at_most, .written = UINT_MAX, .slots = UINT_MAX, .result = result};
	struct folds const kept = result->folds;
	find_sources(start->values, layout, &sources);
	try_whole(&t, any_clones(&sources));
	try_parts(&t, DELIVER_GATHERED, false);
	if (t.slots == UINT_MAX && start->options->preshader) {
		/* Constants may have run out: then the VP computes what it needs. */
		struct move_options options = *start->options;
		struct vertex_start plain = *start;
		options.preshader = false;
		plain.options = &options;
		return shortest(&plain, layout, at_most, least, result, how);
	}
	/* The pixel program's folds stand before the vertex program's. */
	for (uint32_t k = 0; k < kept.n; k++)
		VEC_PUSH(start->values->arena, &result->folds) = kept.at[k];
	*least = t.slots;
	if (how)
		*how = (const struct delivery *)(void *)arena_copy(start->values->arena, &t.how, sizeof t.how);
	return t.best;
}

struct program *delivery_program(const struct vertex_start *start, const struct layout *layout, unsigned at_most,
                                    unsigned *least, struct move_result *result, const struct delivery **how)
{
	struct tried *tried = start->tried;
	uint64_t const h = mixed(start->values->program + 1, layout, sizeof *layout);
	unsigned const k = h % LAYOUTS;
	if (tried->layout[k] == h && tried->least[k] > at_most && tried->at_most[k] >= at_most) {
		*least = tried->least[k];
		return NULL;
	}
	profile_begin(start->options->profile, "vertex program");
	struct program *p = shortest(start, layout, at_most, least, result, how);
	profile_end(start->options->profile);
	tried->layout[k] = h;
	tried->at_most[k] = at_most;
	tried->least[k] = *least;
	return p;
}

/* What does not serve the interpolators, and one instruction for each of these. */
static unsigned least_slots(const struct vertex_start *start, const struct layout *layout)
{
	static const struct outputs_read all = {{0}, {MASK_XYZW, MASK_XYZW}};
	unsigned n = program_total_slots(tidied(start, start->old, &all, NULL, 0));
	for (unsigned r = 0; r < INTERPOLATORS; r++)
		n += layout_used(layout, r);
	return n;
}

static void shorten(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                    struct move_result *result)
{
	struct outputs_read const by_ps = outputs_read_by(result->ps), read = outputs_read_by_both(&by_ps, &start->old->promised);
	struct move_result notes = *result;
	struct sources sources;
	uint32_t work = SHORTEN_WORK;
	struct trial t = {.start = start, .layout = layout, .read = &read, .sources = &sources,
	                  .at_most = start->options->vs_slots, .how = *how, .result = &notes};
	t.slots = t.written = program_total_slots(result->vs);
	t.enough = least_slots(start, layout);
	if (t.written <= t.enough)
		return;
	t.known = arena_zero(start->values->arena, sizeof *t.known);
	t.done = arena_alloc(start->values->arena, sizeof *t.done);
	t.done->n = 0;
	t.work = &work;
	t.tidy = known_tidied(&t, result->vs, &result->folds);
	t.slots = program_total_slots(t.tidy);
	if (t.slots <= t.enough)
		return;
	find_sources(start->values, layout, &sources);
	t.linear = arena_zero(start->values->arena, sizeof *t.linear);
	/* From the best of the linear ways, and from the way it was planned with. */
	struct trial linear = t;
	struct move_result other_notes = *result;
	linear.result = &other_notes;
	for (unsigned mode = DELIVER_LINEAR; mode < DELIVERY_MODES; mode++) {
		struct asked asked = {.deep = false};
		if (mode == DELIVER_GATHERED && linear.same == UINT8_MAX)
			break;
		for (unsigned way = 0; way < 4; way++) {
			struct delivery other = {.select = way & 1, .share = way & 2};
			struct asked now;
			if ((other.select && !asked.select) || (other.share && !asked.share))
				continue;
			memset(other.mode, (int)mode, sizeof other.mode);
			try_way(&linear, &other, &now);
			asked = way ? asked : now;
		}
	}
	t.same |= linear.same;
	if (linear.slots > linear.enough)
		try_parts(&t, DELIVERY_MODES, true);
	if (linear.best && t.slots > t.enough)
		try_parts(&linear, DELIVERY_MODES, true);
	if (linear.best && linear.slots < t.slots) {
		notes = other_notes;
		t.best = linear.best;
	}
	if (!t.best)
		return;
	for (uint32_t k = 0; k < result->folds.n; k++)
		if (result->folds.at[k].stage == STAGE_PIXEL)
			VEC_PUSH(start->values->arena, &notes.folds) = result->folds.at[k];
	*result = notes;
	result->vs = t.best;
}

void delivery_shorten(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                                 struct move_result *result)
{
	if (start->options->preshader)
		return; /* constants come as the VP wants them */
	struct profile *const profile = start->options->profile;
	unsigned const slots = profile ? program_total_slots(result->vs) : 0;
	profile_begin(profile, "other vertex programs");
	shorten(start, layout, how, result);
	if (profile && program_total_slots(result->vs) != slots)
		profile_change(profile, slots, program_total_slots(result->vs));
	profile_end(profile);
}
