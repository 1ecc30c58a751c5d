/* One unit of a batch, from its files to its files, see work.h. */
#include "cli/work.h"

#include "cli/files.h"
#include "cli/html.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/preshader.h"
#include "cli/shared.h"

#include <string.h>
#include <time.h>

static void csv_field(struct text *t, const char *s)
{
	text_char(t, '"');
	for (; *s; s++)
		text_printf(t, *s == '"' ? "\"\"" : "%c", *s);
	text_string(t, "\",");
}

const char csv_head[] =
	"vs,ps,status,ps_slots_before,ps_slots_after,vs_slots_before,vs_slots_after,arith_before,arith_after,tex_before,"
	"tex_after,dependent_reads_before,dependent_reads_after,interpolators_before,interpolators_after,constants,proof,optimal,gap\n";

static void csv_line(struct text *t, const struct batch_pair *pair, const struct run *r)
{
	static const char *const status[] = {[RUN_IMPROVED] = "improved", [RUN_UNCHANGED] = "unchanged",
	                                     [RUN_REJECTED] = "rejected", [RUN_FAILED] = "failed",
	                                     [RUN_NO_MEMORY] = "failed"};
	bool done = run_exit_status(r->status) == EXIT_DONE;
	const struct measure *p0 = &r->ps_before, *v0 = &r->vs_before;
	const struct measure *p1 = done ? &r->ps_after : p0, *v1 = done ? &r->vs_after : v0;
	csv_field(t, r->vs ? r->vs->source->name : pair->vs);
	csv_field(t, r->ps ? r->ps->source->name : pair->ps);
	text_printf(t, "%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%s,%s,", status[r->status], p0->slots, p1->slots, v0->slots,
	            v1->slots, p0->arith, p1->arith, p0->tex, p1->tex, p0->order, p1->order, p0->inputs, p1->inputs,
	            done ? (unsigned)r->needs.consts.n : 0,
	            !r->proved ? "none" : r->proof.equal ? "equal" : "different", done && r->moved && r->moved->optimal ? "yes" : "no");
	if (done && r->moved && (r->moved->optimal || r->moved->gap))
		text_unsigned(t, r->moved->gap);
	text_char(t, '\n');
}

static bool later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

static bool older(const char *path, const struct timespec *than)
{
	struct stat st;
	return stat(path, &st) == 0 && later(than, &st.st_mtim);
}

/* Are both outputs newer than both inputs, and than the options?  `made`: when the older
 * output was. */
static bool up_to_date(const struct options *o, struct arena *a, const struct batch_pair *pair,
                       const struct stat *since, struct timespec *made)
{
	struct stat vs, ps;
	if (!since || stat(file_join(a, o->output, pair->vs_out), &vs) || stat(file_join(a, o->output, pair->ps_out), &ps))
		return false;
	*made = later(&vs.st_mtim, &ps.st_mtim) ? ps.st_mtim : vs.st_mtim;
	return later(made, &since->st_mtim) && older(pair->vs, made) && older(pair->ps, made);
}

/* Where the two programs go: each under the name of the file it came from, also where that is not what the name says. */
struct pair_paths {
	const char *vs, *ps;
};

static struct pair_paths pair_paths(const struct options *o, const struct run *r, const struct batch_pair *pair)
{
	const char *first = file_join(r->arena, o->output, pair->vs_out);
	const char *second = r->nsources == 1 ? first : file_join(r->arena, o->output, pair->ps_out);
	bool swapped = r->nsources == 2 && r->vs->source != &r->sources[0];
	return (struct pair_paths){swapped ? second : first, swapped ? first : second};
}

static void add_pair_outputs(const struct options *o, const struct run *r, const struct batch_pair *pair, bool vs_too,
                             bool ps_too, struct outputs *outputs)
{
	struct arena *a = r->arena;
	struct text both = {.arena = a}, deps = {.arena = a};
	struct outputs own = {0};
	struct pair_paths const to = pair_paths(o, r, pair);
	const char *vs = to.vs, *ps = to.ps;
	if (r->nsources == 1) {
		join_programs(&both, r);
		add_output(a, &own, vs, &both);
	} else {
		add_output(a, &own, vs, &r->vs_text);
		add_output(a, &own, ps, &r->ps_text);
	}
	for (uint32_t i = 0; i < own.n; i++)
		if (i ? ps_too : vs_too)
			VEC_PUSH(a, outputs) = own.at[i];
	if (o->deps) {
		add_dependencies(&deps, r->sources, r->nsources, &own);
		/* One program's pairs need a rule each. */
		const char *of = ps_too ? ps : vs, *dot = strrchr(file_base(of), '.');
		add_output(a, outputs, arena_printf(a, "%.*s.d", (int)(dot ? (size_t)(dot - of) : strlen(of)), of), &deps);
	}
}

/* Would a program be replaced that a pair still needs as it was, since only others of its group are done?  Then none is. */
static bool must_stay(struct slot *s, const struct options *o, struct run *runs, uint32_t n, const struct batch_pair *pairs)
{
	uint32_t done = 0;
	for (uint32_t i = 0; i < n; i++)
		done += run_exit_status(runs[i].status) == EXIT_DONE;
	const char *from = o->shared_vp ? pairs[0].vs : pairs[0].ps;
	if (done == 0 || done == n || !output_in_place(runs[0].arena, o, from, o->shared_vp ? pairs[0].vs_out : pairs[0].ps_out))
		return false;
	text_error(&s->said, "%s: it stays, and so does all that goes with it, since not all pairs come to fit a new one", shown_name(from));
	for (uint32_t i = 0; i < n; i++)
		if (run_exit_status(runs[i].status) == EXIT_DONE)
			runs[i].status = RUN_REJECTED;
	return true;
}

/* Does each pair get what was proven for it, also where another one's run made it? */
static bool unit_proves(struct slot *s, struct run *runs, uint32_t n, const struct options *o,
                        const struct batch_pair *pairs, const struct outputs *outputs)
{
	bool all = true;
	for (uint32_t i = 0; i < n; i++) {
		if (run_exit_status(runs[i].status) != EXIT_DONE)
			continue;
		struct pair_paths const to = pair_paths(o, &runs[i], &pairs[i]);
		if (output_proves(&runs[i], outputs, to.vs, to.ps))
			continue;
		say_fault(&runs[i], o, &s->said);
		all = false;
	}
	return all;
}

/* The unit's programs, all or none; a shared one once.  EXIT_DONE, or what is wrong is said. */
static int write_unit(struct slot *s, struct run *runs, uint32_t n, const struct options *o, const struct batch_pair *pairs,
                      const struct there *there)
{
	struct arena *a = runs[0].arena;
	struct outputs outputs = {0};
	const char *why;
	bool first = true;
	for (uint32_t i = 0; i < n; i++) {
		if (run_exit_status(runs[i].status) != EXIT_DONE)
			continue;
		add_pair_outputs(o, &runs[i], &pairs[i], first || !o->shared_vp, first || !o->shared_fp, &outputs);
		first = false;
	}
	for (uint32_t i = 0; i < outputs.n; i++) {
		outputs.at[i].make_folder = true;
		outputs.at[i].fresh = there->nothing;
	}
	if (!unit_proves(s, runs, n, o, pairs, &outputs))
		return EXIT_FAULT;
	if (write_outputs(a, &outputs, &why))
		return EXIT_DONE;
	text_error(&s->said, "%s", why);
	return EXIT_USAGE;
}

/* Reads a pair's files into its run; false: they cannot be read.  `fresh` stays true if the
 * outputs are newer than all that was read. */
static bool read_pair(struct slot *s, struct arena *a, const struct options *o, struct run *r,
                      const struct batch_pair *pair, const struct stat *since, bool *fresh)
{
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	uint32_t n = strcmp(pair->vs, pair->ps) == 0 ? 1 : 2;
	const char *const paths[2] = {pair->vs, pair->ps};
	const char *why;
	struct timespec made;
	for (uint32_t i = 0; i < n; i++)
		sources[i] = (struct source){.name = paths[i], .text = ""};
	run_init(r, a, sources, n, &o->run);
	*fresh = *fresh && o->newer && up_to_date(o, a, pair, since, &made);
	for (uint32_t i = 0; i < n; i++) {
		if (!input_read(a, paths[i], o, &sources[i], &r->diags, &why)) {
			text_error(&s->said, "%s", why);
			r->status = RUN_FAILED;
			s->status = EXIT_USAGE;
			return false;
		}
		for (uint32_t k = 0; *fresh && k < sources[i].nincludes; k++)
			*fresh = older(sources[i].includes[k], &made);
	}
	return true;
}

static void add_reports(struct slot *s, const struct options *o, const struct run *r, const struct batch_pair *pair)
{
	if (o->csv)
		csv_line(&s->csv, pair, r);
	if (o->preshader && run_exit_status(r->status) == EXIT_DONE)
		preshader_function(&s->preshader, r, pair->function);
	if (!o->report)
		return;
	json_t *j = report_pair(r);
	json_object_set_new(j, "index", json_integer(pair->index));
	text_string(&s->report, s->report.n ? ",\n" : "");
	report_line(&s->report, j);
}

struct unit_watch {
	struct watch *watch;
	uint32_t n;
};

static bool tell(void *who, const struct allowance *a)
{
	struct unit_watch *u = who;
	atomic_store(&u->watch->pairs, (unsigned)((a->all - a->left) * u->n / a->all));
	return !atomic_load(&u->watch->stop);
}

/* False: it was stopped. */
static bool run_unit(struct run *runs, uint32_t n, const struct options *o, struct watch *watch)
{
	if (n > 1)
		return shared_run(runs, n, o->shared_vp, tell, &(struct unit_watch){watch, n});
	if (!runs[0].diags.errors)
		run_all(&runs[0]);
	return true;
}

static void worse(struct slot *s, int status)
{
	s->status = status > s->status ? status : s->status;
}

static void work(struct slot *s, struct arena *a, const struct options *o, const struct batch_pair *pairs, uint32_t n,
                 const struct there *there, struct watch *watch)
{
	bool fresh = true, read = true;
	struct run *runs = arena_zero(a, n * sizeof *runs);
	for (uint32_t i = 0; i < n; i++)
		read &= read_pair(s, a, o, &runs[i], &pairs[i], there->since, &fresh);
	s->skipped = fresh && read ? n : 0;
	if (s->skipped && !o->report && !o->csv && !o->html && !o->preshader)
		return;
	s->stopped = read && !run_unit(runs, n, o, watch);
	if (s->stopped)
		return;
	for (uint32_t i = 0; read && i < n; i++) {
		struct text shown = {.arena = a};
		warn_of_constants(&runs[i], o);
		worse(s, run_exit_status(runs[i].status));
		say_run(&runs[i], o, &s->said);
		if (!look_at_run(&runs[i], o, &shown, o->colour_out, &s->said)) {
			runs[i].status = RUN_FAILED;
			worse(s, EXIT_FAULT);
		}
		if (shown.n)
			text_printf(&s->shown, "== %s %s\n%s", pairs[i].vs, pairs[i].ps, shown.at);
	}
	bool stays = read && !s->skipped && must_stay(s, o, runs, n, pairs);
	int written = stays ? EXIT_REJECTED : read && !s->skipped ? write_unit(s, runs, n, o, pairs, there) : EXIT_DONE;
	for (uint32_t i = 0; !stays && written != EXIT_DONE && i < n; i++)
		if (run_exit_status(runs[i].status) == EXIT_DONE)
			runs[i].status = RUN_FAILED;
	worse(s, written);
	if (o->html)
		html_pairs(&s->html, runs, n, o->shared_vp);
	for (uint32_t i = 0; i < n; i++) {
		add_reports(s, o, &runs[i], &pairs[i]);
		totals_add(&s->totals, &runs[i]);
	}
}

static void clear(struct slot *s)
{
	arena_reset(&s->arena);
	*s = (struct slot){.arena = s->arena};
	s->said = s->shown = s->report = s->csv = s->html = s->preshader = (struct text){.arena = &s->arena};
}

void work_on(struct slot *s, struct arena *scratch, const struct options *o, const struct batch_pair *pairs, uint32_t n,
             const struct there *there, struct watch *watch)
{
	jmp_buf no_memory;
	arena_reset(scratch);
	clear(s);
	s->arena.on_failure = scratch->on_failure = &no_memory;
	if (setjmp(no_memory)) {
		clear(s);
		s->no_memory = true;
		s->status = EXIT_USAGE;
	} else {
		work(s, scratch, o, pairs, n, there, watch);
	}
	s->arena.on_failure = scratch->on_failure = NULL;
}
