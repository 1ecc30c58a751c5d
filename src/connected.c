/* Plans connected sets of pairs, see connected.h. */
#include "connected.h"

#include "steps.h"

#include <stdlib.h>

/* A star: one program with its partners; for a VP, only with the FPs that are drawn with no other VP. */
struct star {
	uint32_t center; /* the program that all pairs of the star share, as an index into `programs` of the set */
	uint32_t pairs;  /* the number of pairs of the star */
};

struct plan {
	struct connected *set;
	struct run_options options; /* the options of the runs that plan stars */
	bool *broken;               /* for each pair, true if it is rejected since its given texts break a rule */
	const char **fault;         /* for each pair, what went wrong in a plan with it, or NULL */
	uint32_t *partners;         /* for each program, the number of its pairs that are not broken */
	struct star *stars;
	uint32_t nstars;
	struct new_text *now;       /* for each program, the text that the current star made and that is not proven yet; empty if it made none */
};

/* The runs for one plan of a star, and the index of each run's pair: first `n` runs that are planned, then `staying` runs whose FPs do not
 * change. */
struct trial {
	struct run *runs;
	uint32_t *pairs;
	uint32_t n, staying;
};

static bool is_center(const struct connected_pair *pair, uint32_t program)
{
	return pair->vs == program || pair->ps == program;
}

/* Begins a run of a pair: of its given programs if `given` is set, else of their latest texts, made by earlier stars. */
static void begin_run(const struct plan *p, struct run *r, uint32_t pair, bool given)
{
	const struct connected *set = p->set;
	uint32_t const at[2] = {set->pairs[pair].vs, set->pairs[pair].ps};
	struct source *sources = arena_zero(set->arena, 2 * sizeof *sources);
	for (unsigned k = 0; k < 2; k++) {
		const struct connected_program *program = &set->programs[at[k]];
		sources[k] = *program->given;
		if (!given && program->new.text.n)
			sources[k] = (struct source){.name = program->given->name, .text = program->new.text.at, .size = program->new.text.n};
	}
	run_init(r, set->arena, sources, 2, given ? set->runs->options : &p->options);
	r->profile = set->profile;
	r->keeps_model = set->programs[at[1]].keeps_model;
}

/* Takes a run through the steps before STEP_MOVE.  Returns false if it is rejected, or if it has the FP in the place of the VP, which it reports
 * as an error. */
static bool read_run(struct run *r)
{
	for (unsigned k = 0; k < STEP_MOVE; k++)
		if (r->diags.errors || !run_step(r, k))
			return false;
	if (r->ps_first)
		diag_add(&r->diags, DIAG_ERROR, NULL, r->ps->source, r->ps->at, "a pixel program in the place of the vertex program");
	return !r->ps_first;
}

/* Finds the pairs that are rejected for their given texts, and marks their programs as staying if new texts would replace them in place.  Counts
 * the partners of all programs, and finds the FPs that keep their models. */
static void find_broken(struct plan *p)
{
	struct connected *set = p->set;
	for (uint32_t i = 0; i < set->npairs; i++) {
		struct arena_mark const mark = arena_mark(set->arena);
		struct run r;
		begin_run(p, &r, i, true);
		p->broken[i] = set->runs[i].diags.errors || !read_run(&r);
		set->programs[set->pairs[i].ps].keeps_model |= !p->broken[i] && run_breaks_ps_2_0(&r);
		arena_release(set->arena, mark);
		struct connected_program *const ends[2] = {&set->programs[set->pairs[i].vs], &set->programs[set->pairs[i].ps]};
		for (unsigned k = 0; k < 2; k++)
			ends[k]->stays |= p->broken[i] && ends[k]->is_replaced;
		p->partners[set->pairs[i].vs] += !p->broken[i];
		p->partners[set->pairs[i].ps] += !p->broken[i];
	}
}

/* Returns true if the star with this center plans the pair.  A VP's star leaves out FPs of several VPs, which are centers themselves. */
static bool is_planned(const struct plan *p, uint32_t center, uint32_t pair)
{
	const struct connected *set = p->set;
	const struct connected_pair *of = &set->pairs[pair];
	bool const by_vs = set->programs[center].stage == STAGE_VERTEX;
	return !p->broken[pair] && is_center(of, center) && !set->programs[of->vs].stays && !set->programs[of->ps].stays &&
	       (!by_vs || p->partners[of->ps] == 1);
}

static int by_pairs_of_star(const void *a, const void *b)
{
	const struct star *x = a, *y = b;
	int const order = (x->pairs < y->pairs) - (x->pairs > y->pairs);
	return order ? order : (x->center > y->center) - (x->center < y->center);
}

/* Lists the stars, those with most pairs first.  Leaves out the star of an FP that has only one pair, or a pair that cannot be planned, for
 * example since its VP must stay. */
static void find_stars(struct plan *p)
{
	const struct connected *set = p->set;
	for (uint32_t c = 0; c < set->nprograms; c++)
		p->stars[c] = (struct star){.center = c};
	for (uint32_t i = 0; i < set->npairs; i++) {
		p->stars[set->pairs[i].vs].pairs += is_planned(p, set->pairs[i].vs, i);
		p->stars[set->pairs[i].ps].pairs += is_planned(p, set->pairs[i].ps, i);
	}
	for (uint32_t c = 0; c < set->nprograms; c++) {
		struct star const star = p->stars[c];
		bool const whole = set->programs[c].stage == STAGE_VERTEX || (star.pairs > 1 && star.pairs == p->partners[c]);
		if (star.pairs && whole)
			p->stars[p->nstars++] = star;
	}
	qsort(p->stars, p->nstars, sizeof *p->stars, by_pairs_of_star);
}

/* Begins the runs for one plan of a star: first those of the pairs that it plans, except for pairs in `left`, then those of all other pairs with
 * the same VPs. */
static struct trial begin_trial(const struct plan *p, const struct star *star, const bool *left)
{
	const struct connected *set = p->set;
	struct trial t = {.pairs = arena_alloc(set->arena, set->npairs * sizeof *t.pairs)};
	bool *changes = arena_zero(set->arena, set->nprograms);
	for (uint32_t i = 0; i < set->npairs; i++)
		if (is_planned(p, star->center, i) && !left[i]) {
			changes[set->pairs[i].vs] = true;
			t.pairs[t.n++] = i;
		}
	for (uint32_t i = 0; i < set->npairs; i++)
		if (!p->broken[i] && changes[set->pairs[i].vs] && (left[i] || !is_planned(p, star->center, i)))
			t.pairs[t.n + t.staying++] = i;
	t.runs = arena_zero(set->arena, (t.n + t.staying) * sizeof *t.runs);
	for (uint32_t k = 0; k < t.n + t.staying; k++)
		begin_run(p, &t.runs[k], t.pairs[k], false);
	return t;
}

/* Keeps the fault of a failed run for the run of the pair itself, which reports it in the end, unless the pair has a fault already. */
static void note_fault(struct plan *p, uint32_t pair, const struct run *r)
{
	if (r->status == RUN_FAILED && !p->fault[pair])
		p->fault[pair] = arena_copy(p->set->keep, r->fault, strlen(r->fault));
}

/* Returns true if a literal that fpmove computed for the old program is still the same in the new program. */
static bool is_same_literal(const struct folded *f, const struct program *old, const struct program *new)
{
	const struct decl *before = program_decl(old, REG_CONST, f->index), *after = program_decl(new, REG_CONST, f->index);
	return before && after && memcmp(&before->value[f->lane], &after->value[f->lane], sizeof after->value[f->lane]) == 0;
}

/* Takes a program's new text from a run of a star, with the literals in it that fpmove computed.  If another run of the star has made the text
 * already, only adds the literals that are missing. */
static void take_new_text(struct plan *p, uint32_t program, const struct run *r)
{
	struct arena *a = p->set->arena;
	struct new_text *now = &p->now[program];
	const struct folds *before = &p->set->programs[program].new.literals;
	enum stage const stage = p->set->programs[program].stage;
	const struct program *old = stage == STAGE_VERTEX ? r->vs : r->ps, *new = stage == STAGE_VERTEX ? r->vs_new : r->ps_new;
	bool const first = !now->text.n;
	now->text = stage == STAGE_VERTEX ? r->vs_text : r->ps_text;
	for (uint32_t k = 0; k < r->needs.folds.n; k++) {
		const struct folded *f = &r->needs.folds.at[k];
		if (f->stage == stage && !f->preset && !folds_have(&now->literals, stage, f->index, f->lane))
			VEC_PUSH(a, &now->literals) = *f;
	}
	for (uint32_t k = 0; first && k < before->n; k++)
		if (is_same_literal(&before->at[k], old, new) && !folds_have(&now->literals, stage, before->at[k].index, before->at[k].lane))
			VEC_PUSH(a, &now->literals) = before->at[k];
}

/* Takes the new texts from all runs of a star that are done and changed.  Returns false if there are none, or if a run failed. */
static bool take_texts(struct plan *p, const struct trial *t)
{
	bool changed = false, failed = false;
	for (uint32_t k = 0; k < t->n; k++) {
		const struct run *r = &t->runs[k];
		const struct connected_pair *pair = &p->set->pairs[t->pairs[k]];
		note_fault(p, t->pairs[k], r);
		failed |= r->status == RUN_FAILED;
		if (!run_is_done(r) || r->kept)
			continue;
		take_new_text(p, pair->vs, r);
		take_new_text(p, pair->ps, r);
		changed = true;
	}
	return changed && !failed;
}

static const struct new_text *text_now(const struct plan *p, uint32_t program)
{
	const struct new_text *now = &p->now[program], *own = &p->set->programs[program].new;
	return now->text.n ? now : own->text.n ? own : NULL;
}

/* Returns true if it is proven that the pair's latest texts (text_now()) draw the same as its given texts. */
static bool proves_pair(struct plan *p, uint32_t pair)
{
	const struct connected_pair *of = &p->set->pairs[pair];
	struct arena_mark const mark = arena_mark(p->set->arena);
	struct run r;
	begin_run(p, &r, pair, true);
	bool const proven = read_run(&r) && run_adopt(&r, text_now(p, of->vs), text_now(p, of->ps));
	arena_release(p->set->arena, mark);
	return proven;
}

/* Returns true if all pairs are proven of which a program has a text that the current star made. */
static bool proves_changed(struct plan *p)
{
	bool all = true;
	for (uint32_t i = 0; i < p->set->npairs && all; i++) {
		const struct connected_pair *of = &p->set->pairs[i];
		bool const changed = p->now[of->vs].text.n || p->now[of->ps].text.n;
		all = p->broken[i] || !changed || proves_pair(p, i);
	}
	return all;
}

/* Copies the literals that fpmove computed, and their expressions without comments, from a plan's memory into the arena `keep`. */
static struct folds kept_literals(struct arena *keep, const struct folds *from)
{
	struct folds to = {0};
	const struct program *expr = NULL;
	struct program *copy = NULL;
	for (uint32_t k = 0; k < from->n; k++) {
		struct folded f = from->at[k];
		if (f.expr != expr) {
			copy = program_copy(keep, f.expr);
			copy->head = copy->intro = copy->tail = NULL;
			copy->source = NULL;
			for (uint32_t j = 0; j < copy->decls.n; j++)
				copy->decls.at[j].comments = NULL;
			for (uint32_t j = 0; j < copy->instrs.n; j++)
				copy->instrs.at[j].comments = NULL;
		}
		expr = f.expr;
		f.expr = copy;
		VEC_PUSH(keep, &to) = f;
	}
	return to;
}

/* Ends the plan of a star: if `proven` is set, its texts become the programs' new texts, else they are dropped. */
static void adopt(struct plan *p, bool proven)
{
	const struct connected *set = p->set;
	for (uint32_t k = 0; k < set->nprograms; k++) {
		const struct new_text *now = &p->now[k];
		if (now->text.n && proven)
			set->programs[k].new = (struct new_text){{.at = arena_copy(set->keep, now->text.at, now->text.n), .n = now->text.n},
			                                         kept_literals(set->keep, &now->literals)};
		p->now[k] = (struct new_text){0};
	}
}

/* How far the planning of a set has come. */
struct progress {
	const struct connected *set;
	uint32_t done, at, all; /* numbers of pairs: in stars that are done, in the current star, and in all stars */
};

static bool tell_star(void *who, const struct allowance *a)
{
	const struct progress *p = who;
	enum { PARTS = 1000 };
	uint64_t const part = a->all ? (uint64_t)(a->all - a->left) * PARTS / a->all : 0, all = (uint64_t)p->all * PARTS;
	struct allowance sum = {.all = all, .left = all - (uint64_t)p->done * PARTS - p->at * (part < PARTS ? part : PARTS)};
	return p->set->tell(p->set->who, &sum);
}

/* Plans a star, and keeps its texts if they are proven.  If pairs of a VP's star are rejected, plans it again without them.  Returns false if
 * `tell` stopped it. */
static bool plan_star(struct plan *p, const struct star *star, struct progress *progress)
{
	const struct connected *set = p->set;
	bool const same_vs = set->programs[star->center].stage == STAGE_VERTEX;
	bool *left = arena_zero(set->arena, set->npairs);
	bool more = true;
	while (more) {
		struct trial const t = begin_trial(p, star, left);
		if (!t.n)
			return true;
		if (!job_run(&(struct job){t.runs, t.n, t.staying, same_vs, true, tell_star, progress}))
			return false;
		more = false;
		for (uint32_t k = 0; same_vs && k < t.n; k++) {
			left[t.pairs[k]] = t.runs[k].status == RUN_REJECTED;
			more |= left[t.pairs[k]];
		}
		if (!more)
			adopt(p, take_texts(p, &t) && proves_changed(p));
	}
	return true;
}

/* Plans an FP that no star has changed with a made-up VP that stands for any VP, so that the result is right with all its VPs.  Keeps the result
 * if it has fewer slots and is proven. */
static void plan_alone(struct plan *p, uint32_t ps)
{
	const struct connected *set = p->set;
	struct run r;
	run_init(&r, set->arena, set->programs[ps].given, 1, &p->options);
	r.profile = set->profile;
	run_all(&r);
	bool const better = r.status == RUN_IMPROVED && !r.kept && r.ps_after.slots < r.ps_before.slots;
	for (uint32_t i = 0; i < set->npairs; i++)
		if (set->pairs[i].ps == ps)
			note_fault(p, i, &r);
	if (better)
		take_new_text(p, ps, &r);
	adopt(p, better && proves_changed(p));
}

/* Plans all stars, then by themselves the FPs that no star has changed.  Returns false if `tell` stopped it. */
static bool plan_all(struct plan *p)
{
	const struct connected *set = p->set;
	struct progress progress = {.set = set};
	for (uint32_t k = 0; k < p->nstars; k++)
		progress.all += p->stars[k].pairs;
	for (uint32_t k = 0; k < p->nstars; k++) {
		struct arena_mark const mark = arena_mark(set->arena);
		progress.at = p->stars[k].pairs;
		if (!tell_star(&progress, &(struct allowance){.left = 1, .all = 1}) || !plan_star(p, &p->stars[k], &progress))
			return false;
		arena_release(set->arena, mark);
		progress.done += progress.at;
	}
	for (uint32_t k = 0; k < set->nprograms; k++) {
		const struct connected_program *program = &set->programs[k];
		if (program->stage == STAGE_VERTEX || program->stays || program->new.text.n || !p->partners[k])
			continue;
		struct arena_mark const mark = arena_mark(set->arena);
		plan_alone(p, k);
		arena_release(set->arena, mark);
	}
	return true;
}

/* Finishes the run of a pair with its programs' latest texts.  Returns false if these are not proven; a rejected pair returns true. */
static bool finish(struct plan *p, uint32_t pair)
{
	struct run *r = &p->set->runs[pair];
	const struct connected_pair *of = &p->set->pairs[pair];
	r->keeps_model = p->set->programs[of->ps].keeps_model;
	if (!read_run(r))
		return true;
	if (!run_adopt(r, text_now(p, of->vs), text_now(p, of->ps))) {
		note_fault(p, pair, r);
		return false;
	}
	run_finish_adopted(r);
	if (p->fault[pair])
		run_fault(r, p->fault[pair]);
	return true;
}

/* Finishes all runs.  If a pair is not proven with the new texts, finishes all of them with the given texts instead. */
static void finish_all(struct plan *p)
{
	struct connected *set = p->set;
	struct run *begun = arena_alloc(set->arena, set->npairs * sizeof *begun);
	bool all = true;
	memcpy(begun, set->runs, set->npairs * sizeof *begun);
	for (uint32_t i = 0; i < set->npairs && all; i++)
		all = finish(p, i);
	if (all)
		return;
	memcpy(set->runs, begun, set->npairs * sizeof *begun);
	for (uint32_t k = 0; k < set->nprograms; k++)
		set->programs[k].new = (struct new_text){0};
	for (uint32_t i = 0; i < set->npairs; i++)
		finish(p, i);
}

bool connected_run(struct connected *set)
{
	struct arena *a = set->arena;
	struct plan p = {.set = set, .options = *set->runs->options};
	p.options.werror = p.options.outcomes = p.options.history = false; /* these serve reports, and no user sees the runs of stars */
	p.broken = arena_zero(a, set->npairs * sizeof *p.broken);
	p.fault = arena_zero(a, set->npairs * sizeof *p.fault);
	p.partners = arena_zero(a, set->nprograms * sizeof *p.partners);
	p.stars = arena_zero(a, set->nprograms * sizeof *p.stars);
	p.now = arena_zero(a, set->nprograms * sizeof *p.now);
	find_broken(&p);
	find_stars(&p);
	if (p.options.move.level > 0 && !plan_all(&p))
		return false;
	finish_all(&p);
	return true;
}
