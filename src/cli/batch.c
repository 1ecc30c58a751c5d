/* The batch: pairs are worked on by several threads and come out in their order, so that
 * nothing that is written or said depends on the number of threads.
 *
 * Pair i is worked on in slot i modulo the number of slots; a slot is free again once what
 * its pair said was written.  So memory does not grow with the number of pairs.  Signals
 * that would end the process are taken by a thread of their own: pairs that are under way
 * are finished, the rest is left, and no half file remains. */
#include "cli/batch.h"

#include "cli/collect.h"
#include "cli/files.h"
#include "cli/html.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "fpmove.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS_PER_THREAD = 8, MOST_THREADS = 256 };

struct slot {
	struct arena arena;
	struct run run;
	struct text said, shown, report, csv, html;
	int status;
	bool skipped, done;
};

struct batch {
	const struct options *o;
	struct collected found;
	struct stat stamp; /* --newer: since when the options are what they are */
	bool stamped;
	struct slot *slots;
	uint32_t nslots;
	pthread_mutex_t lock; /* of all below, and of each slot's `done` */
	pthread_cond_t room, progress;
	uint32_t next, written; /* pairs taken by threads; pairs whose slots are free again */
	int signal; /* 0: none came */
};

/* --- one pair ------------------------------------------------------------------------ */

static void csv_field(struct text *t, const char *s)
{
	text_char(t, '"');
	for (; *s; s++)
		text_printf(t, *s == '"' ? "\"\"" : "%c", *s);
	text_string(t, "\",");
}

static const char csv_head[] =
	"vs,ps,status,ps_slots_before,ps_slots_after,vs_slots_before,vs_slots_after,arith_before,arith_after,tex_before,"
	"tex_after,dependent_reads_before,dependent_reads_after,interpolators_before,interpolators_after,constants,proof\n";

static void csv_line(struct text *t, const struct batch_pair *pair, const struct run *r)
{
	static const char *const status[] = {[RUN_IMPROVED] = "improved", [RUN_UNCHANGED] = "unchanged",
	                                     [RUN_REJECTED] = "rejected", [RUN_FAILED] = "failed",
	                                     [RUN_NO_MEMORY] = "failed"};
	bool done = run_exit_status(r->status) == EXIT_DONE;
	const struct measure *p0 = &r->ps_before, *v0 = &r->vs_before;
	const struct measure *p1 = done ? &r->ps_after : p0, *v1 = done ? &r->vs_after : v0;
	csv_field(t, pair->vs);
	csv_field(t, pair->ps);
	text_printf(t, "%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%s\n", status[r->status], p0->slots, p1->slots, v0->slots,
	            v1->slots, p0->arith, p1->arith, p0->tex, p1->tex, p0->order, p1->order, p0->inputs, p1->inputs,
	            done && r->moved ? (unsigned)r->moved->consts.n : 0,
	            !r->proved ? "none" : r->proof.equal ? "equal" : "different");
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
static bool up_to_date(const struct batch *b, struct arena *a, const struct batch_pair *pair, struct timespec *made)
{
	struct stat vs, ps;
	if (!b->stamped || stat(file_join(a, b->o->output, pair->vs_out), &vs) ||
	    stat(file_join(a, b->o->output, pair->ps_out), &ps))
		return false;
	*made = later(&vs.st_mtim, &ps.st_mtim) ? ps.st_mtim : vs.st_mtim;
	return later(made, &b->stamp.st_mtim) && older(pair->vs, made) && older(pair->ps, made);
}

static bool write_pair(const struct options *o, const struct run *r, const struct batch_pair *pair, const char **why)
{
	struct arena *a = r->arena;
	struct outputs outputs = {0};
	struct text both = {.arena = a}, deps = {.arena = a};
	const char *vs = file_join(a, o->output, pair->vs_out), *ps = file_join(a, o->output, pair->ps_out);
	if (!directory_make_for(a, vs, why) || !directory_make_for(a, ps, why))
		return false;
	if (strcmp(pair->vs, pair->ps) == 0) {
		join_programs(&both, r);
		add_output(a, &outputs, vs, &both);
	} else {
		add_output(a, &outputs, vs, &r->vs_text);
		add_output(a, &outputs, ps, &r->ps_text);
	}
	if (o->deps) {
		add_dependencies(&deps, r, &outputs);
		const char *dot = strrchr(file_base(ps), '.');
		add_output(a, &outputs, arena_printf(a, "%.*s.d", (int)(dot ? (size_t)(dot - ps) : strlen(ps)), ps), &deps);
	}
	return write_outputs(a, &outputs, why);
}

static void work(struct batch *b, struct slot *s, const struct batch_pair *pair)
{
	const struct options *o = b->o;
	struct arena *a = &s->arena;
	struct source *sources = arena_zero(a, 2 * sizeof *sources);
	uint32_t n = strcmp(pair->vs, pair->ps) == 0 ? 1 : 2;
	const char *const paths[2] = {pair->vs, pair->ps};
	const char *why = NULL;
	for (uint32_t i = 0; i < n; i++)
		sources[i] = (struct source){.name = paths[i], .text = ""};
	run_init(&s->run, a, sources, n, &o->run);
	s->said = s->shown = s->report = s->csv = s->html = (struct text){.arena = a};
	struct timespec made;
	bool fresh = o->newer && up_to_date(b, a, pair, &made), wanted = o->report || o->csv || o->html;
	for (uint32_t i = 0; i < n; i++) {
		if (!input_read(a, paths[i], o, &sources[i], &s->run.diags, &why)) {
			text_error(&s->said, "%s", why);
			s->run.status = RUN_FAILED;
			s->status = EXIT_USAGE;
			goto report;
		}
		for (uint32_t k = 0; fresh && k < sources[i].nincludes; k++)
			fresh = older(sources[i].includes[k], &made);
	}
	s->skipped = fresh;
	if (s->skipped && !wanted)
		return;
	if (!s->run.diags.errors)
		run_all(&s->run);
	s->status = run_exit_status(s->run.status);
	say_run(&s->run, o, &s->said);
	if (!look_at_run(&s->run, o, &s->shown, o->colour_out, &s->said))
		s->status = EXIT_FAULT;
	if (s->status == EXIT_DONE && !s->skipped && !write_pair(o, &s->run, pair, &why)) {
		text_error(&s->said, "%s", why);
		s->run.status = RUN_FAILED;
		s->status = EXIT_USAGE;
	}
report:
	if (o->csv)
		csv_line(&s->csv, pair, &s->run);
	if (o->html)
		html_pair(&s->html, &s->run);
	if (!o->report)
		return;
	json_t *j = report_pair(&s->run);
	json_object_set_new(j, "index", json_integer(pair->index));
	report_line(&s->report, j);
	json_decref(j);
}

static void work_or_fail(struct batch *b, struct slot *s, const struct batch_pair *pair)
{
	jmp_buf no_memory;
	arena_reset(&s->arena);
	s->arena.on_failure = &no_memory;
	s->status = EXIT_DONE;
	s->skipped = false;
	if (setjmp(no_memory)) {
		s->said = s->shown = s->report = s->csv = s->html = (struct text){0};
		s->run.status = RUN_NO_MEMORY;
		s->status = EXIT_USAGE;
	} else {
		work(b, s, pair);
	}
	s->arena.on_failure = NULL;
}

/* --- threads -------------------------------------------------------------------------- */

static void *worker(void *batch)
{
	struct batch *b = batch;
	pthread_mutex_lock(&b->lock);
	for (;;) {
		while (!b->signal && b->next < b->found.pairs.n && b->next - b->written >= b->nslots)
			pthread_cond_wait(&b->room, &b->lock);
		if (b->signal || b->next >= b->found.pairs.n)
			break;
		uint32_t i = b->next++;
		struct slot *s = &b->slots[i % b->nslots];
		pthread_mutex_unlock(&b->lock);
		work_or_fail(b, s, &b->found.pairs.at[i]);
		pthread_mutex_lock(&b->lock);
		s->done = true;
		pthread_cond_signal(&b->progress);
	}
	pthread_cond_signal(&b->progress);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

/* SIGUSR2 is the batch's own, to end this thread. */
static void waited_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR2);
}

static void *signals(void *batch)
{
	struct batch *b = batch;
	sigset_t set;
	waited_signals(&set);
	int signal = 0;
	if (sigwait(&set, &signal) || signal == SIGUSR2)
		return NULL;
	pthread_mutex_lock(&b->lock);
	b->signal = signal;
	pthread_cond_broadcast(&b->room);
	pthread_cond_signal(&b->progress);
	pthread_mutex_unlock(&b->lock);
	return NULL;
}

static unsigned threads_wanted(const struct options *o, uint32_t pairs)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned n = o->jobs ? o->jobs : cores > 0 ? (unsigned)cores : 1;
	if (n > MOST_THREADS)
		n = MOST_THREADS;
	return n > pairs ? (pairs ? pairs : 1) : n;
}

/* --- what comes out -------------------------------------------------------------------- */

struct results {
	struct stream report, csv, html;
	struct totals totals;
	unsigned skipped;
	int worst;
};

static bool open_results(struct arena *a, const struct options *o, struct results *r, const char **why)
{
	struct text head = {.arena = a};
	if (o->csv && !stream_open(a, &r->csv, o->csv, why))
		return false;
	if (o->csv)
		stream_write(&r->csv, csv_head, sizeof csv_head - 1);
	if ((o->report && !stream_open(a, &r->report, o->report, why)) ||
	    (o->html && !stream_open(a, &r->html, o->html, why))) {
		const char *again;
		stream_close(a, &r->csv, false, &again);
		stream_close(a, &r->report, false, &again);
		return false;
	}
	if (o->html)
		html_head(&r->html);
	text_printf(&head, "{\"fpmove\": \"%s\", \"schema\": 1, \"target\": \"%s\", \"level\": %d,\n", FPMOVE_VERSION,
	            run_target_name(&o->run), o->run.move.level);
	if (o->shards)
		text_printf(&head, "\"shard\": [%u, %u],\n", o->shard, o->shards);
	text_string(&head, "\"pairs\": [");
	stream_write(&r->report, head.at, head.n);
	return true;
}

static bool close_results(struct arena *a, struct results *r, bool keep, const char **why)
{
	struct text tail = {.arena = a};
	json_t *totals = report_totals(&r->totals);
	text_string(&tail, "\n],\n\"totals\": ");
	report_line(&tail, totals);
	text_string(&tail, "}\n");
	json_decref(totals);
	stream_write(&r->report, tail.at, tail.n);
	if (r->html.to)
		html_tail(&r->html);
	bool first = stream_close(a, &r->report, keep, why);
	bool second = stream_close(a, &r->html, keep && first, why) && first;
	return stream_close(a, &r->csv, keep && second, why) && second;
}

/* Of one pair, in its turn. */
static void write_result(const struct options *o, const struct slot *s, const struct batch_pair *pair,
                         struct results *r, struct progress *p)
{
	if (s->said.n || s->shown.n)
		progress_clear(p);
	if (s->run.status == RUN_NO_MEMORY && !s->said.n)
		message_error("%s: out of memory", pair->ps);
	say(&s->said);
	if (s->shown.n) {
		fprintf(stdout, "== %s %s\n", pair->vs, pair->ps);
		fwrite(s->shown.at, 1, s->shown.n, stdout);
	}
	if (o->report && s->report.n) {
		stream_write(&r->report, r->totals.pairs ? ",\n" : "\n", r->totals.pairs ? 2 : 1);
		stream_write(&r->report, s->report.at, s->report.n);
	}
	stream_write(&r->csv, s->csv.at, s->csv.n);
	if (s->html.n && r->totals.pairs)
		html_between(&r->html);
	stream_write(&r->html, s->html.at, s->html.n);
	r->skipped += s->skipped;
	if (s->skipped && !o->report && !o->csv && !o->html)
		return;
	totals_add(&r->totals, &s->run);
	r->worst = s->status > r->worst ? s->status : r->worst;
}

static void write_all_results(struct batch *b, struct results *r, struct progress *p)
{
	uint32_t n = b->found.pairs.n;
	for (uint32_t i = 0; i < n; i++) {
		struct slot *s = &b->slots[i % b->nslots];
		pthread_mutex_lock(&b->lock);
		while (!s->done && !(b->signal && i >= b->next)) {
			struct timespec until;
			clock_gettime(CLOCK_REALTIME, &until);
			until.tv_nsec += 200 * 1000 * 1000;
			until.tv_sec += until.tv_nsec / 1000000000;
			until.tv_nsec %= 1000000000;
			pthread_cond_timedwait(&b->progress, &b->lock, &until);
			progress_show(p, i, n, r->totals.ps_slots[0] - r->totals.ps_slots[1]);
		}
		bool done = s->done;
		pthread_mutex_unlock(&b->lock);
		if (!done)
			break;
		write_result(b->o, s, &b->found.pairs.at[i], r, p);
		progress_show(p, i + 1, n, r->totals.ps_slots[0] - r->totals.ps_slots[1]);
		pthread_mutex_lock(&b->lock);
		s->done = false;
		b->written = i + 1;
		pthread_cond_signal(&b->room);
		pthread_mutex_unlock(&b->lock);
	}
	progress_clear(p);
}

static void show_totals(struct text *t, const struct results *r, uint32_t alone)
{
	const struct totals *s = &r->totals;
	text_printf(t, "%u pairs: %u improved, %u unchanged, %u rejected, %u failed", s->pairs, s->improved, s->unchanged,
	            s->rejected, s->failed);
	if (r->skipped)
		text_printf(t, "; %u were up to date", r->skipped);
	if (alone)
		text_printf(t, "; %u files without a partner", (unsigned)alone);
	text_printf(t, "\nFP slots %lu -> %lu, VP slots %lu -> %lu\n", s->ps_slots[0], s->ps_slots[1], s->vs_slots[0],
	            s->vs_slots[1]);
}

/* --newer: a file in the output folder says which options the outputs were made with, and
 * its time since when.  Written before any output, so that a run that is cut short is
 * taken up where it ended. */
static bool stamp(struct arena *a, struct batch *b, const char **why)
{
	const struct options *o = b->o;
	struct text t = {.arena = a};
	text_printf(&t, "fpmove %s%s\n", FPMOVE_VERSION, o->run_text.at ? o->run_text.at : "");
	if (!directory_make(a, o->output, why))
		return false;
	const char *path = file_join(a, o->output, ".fpmove");
	struct source old;
	const char *none;
	bool same = access(path, F_OK) == 0 && file_read(a, path, &old, &none) && old.size == t.n &&
	            memcmp(old.text, t.at, t.n) == 0;
	if (!same && !files_write(a, &(struct output){path, t.at, t.n}, 1, why))
		return false;
	b->stamped = same && stat(path, &b->stamp) == 0;
	return true;
}

static bool run_threads(struct arena *a, struct batch *b, struct results *r, struct progress *p, const char **why)
{
	unsigned threads = threads_wanted(b->o, b->found.pairs.n), started = 0;
	pthread_t worker_ids[MOST_THREADS], signal_id;
	sigset_t set, before;
	b->nslots = threads * SLOTS_PER_THREAD;
	b->slots = arena_zero(a, b->nslots * sizeof *b->slots);
	for (uint32_t i = 0; i < b->nslots; i++)
		arena_init(&b->slots[i].arena, NULL);
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->room, NULL);
	pthread_cond_init(&b->progress, NULL);
	waited_signals(&set);
	pthread_sigmask(SIG_BLOCK, &set, &before);
	bool waits = pthread_create(&signal_id, NULL, signals, b) == 0;
	while (started < threads && pthread_create(&worker_ids[started], NULL, worker, b) == 0)
		started++;
	if (started) {
		write_all_results(b, r, p);
		for (unsigned i = 0; i < started; i++)
			pthread_join(worker_ids[i], NULL);
	} else {
		*why = "cannot start a thread";
	}
	if (waits) {
		pthread_kill(signal_id, SIGUSR2);
		pthread_join(signal_id, NULL);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (uint32_t i = 0; i < b->nslots; i++)
		arena_free(&b->slots[i].arena);
	return started > 0;
}

int move_batch(struct arena *a, const struct options *o)
{
	struct batch b = {.o = o};
	struct results r = {0};
	const char *why = NULL;
	struct text said = {.arena = a};
	struct progress p;
	if (!collect_pairs(a, o->batch, o, &b.found, &why) || (o->newer && !stamp(a, &b, &why)) ||
	    !open_results(a, o, &r, &why)) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	uint32_t alone = b.found.alone.n;
	for (uint32_t i = 0; i < alone && !o->quiet; i++) {
		text_string(&said, "fpmove: warning: ");
		text_visible(&said, b.found.alone.at[i], strlen(b.found.alone.at[i]));
		text_char(&said, '\n');
	}
	say(&said);
	if (o->shards)
		collect_shard(&b.found, o->shard, o->shards);
	progress_begin(&p, o);
	bool ran = run_threads(a, &b, &r, &p, &why);
	bool kept = close_results(a, &r, ran && !b.signal, &why);
	if (!ran || !kept) {
		message_error("%s", why);
		return EXIT_USAGE;
	}
	struct text shown = {.arena = a};
	if (b.signal)
		text_string(&shown, "stopped; done before that: ");
	show_totals(&shown, &r, alone);
	fflush(stdout);
	if (b.signal) {
		say(&shown);
		raise(b.signal);
	}
	if (o->quiet)
		shown.n = 0;
	bool beside = (o->report && strcmp(o->report, "-") == 0) || (o->csv && strcmp(o->csv, "-") == 0) ||
	              (o->html && strcmp(o->html, "-") == 0);
	return finish(&shown, beside, ferror(stdout) ? EXIT_USAGE : r.worst);
}
