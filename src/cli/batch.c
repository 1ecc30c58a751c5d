/* Runs a batch.  Several threads work on its units (a pair, or pairs that share programs).  Results are written in the order of the units, so
 * that no output depends on the number of threads.  The results of unit i wait in slot i modulo the number of slots until those of all earlier
 * units are written, so memory does not grow with the number of pairs.  The thread that fills the slot whose turn it is writes its results, and
 * those of the full slots that follow.  Another thread receives the signals that would end the process.  At the first one, pairs under way are
 * finished, units of several pairs are stopped without an output, and no other unit is begun; no file remains half written. */
#include "cli/collect.h"
#include "cli/csv.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/guard.h"
#include "cli/html.h"
#include "cli/lines.h"
#include "cli/message.h"
#include "cli/modes.h"
#include "cli/pairs.h"
#include "cli/passes.h"
#include "cli/preshader.h"
#include "cli/progress.h"
#include "cli/record.h"
#include "cli/report.h"
#include "cli/units.h"
#include "cli/work.h"
#include "fpmove.h"
#include "lang/print_c.h"
#include "system/files.h"
#include "system/process.h"

#include <string.h>

enum { SLOTS_PER_THREAD = 16, MOST_THREADS = 256 };

struct results {
	struct stream report, csv, html, preshader;
	struct totals totals;
	struct trouble trouble;
	struct profile profile; /* sums of the times of passes, for --verbose */
	unsigned skipped, untold, shorter;
	bool reported; /* true if the report has a pair already, so that a comma must precede the next */
	bool clash;    /* true if a report would replace a file that was read, so that no report is kept */
	int worst;
};

struct batch {
	const struct options *o;
	struct collected found;
	struct record record; /* with --newer */
	struct slot *slots;
	uint32_t nslots;
	struct results results;   /* only the thread that set `writing` uses `results`, and writes `progress` */
	struct progress progress;
	struct os_lock *lock; /* protects the fields below, but for the contents of `watches` */
	struct os_bell *room, *ended;
	bool *done;             /* for each slot, true if it has results that are not written yet */
	struct watch *watches;  /* for each slot, the progress of its unit, and the flag that stops the unit; threads use these without the lock */
	uint32_t next, written; /* index of the unit that a thread takes next, and of the unit whose results are written next */
	uint32_t pairs, pairs_written; /* numbers of pairs: of all units, and of the units whose results are written */
	unsigned waiting;       /* number of threads that wait for a free slot */
	unsigned working;       /* number of threads that have not ended */
	bool writing;
	int signal; /* number of the signal that stops the batch, or 0 if none came */
};

/* --- what comes out -------------------------------------------------------------------- */

/* Writes the results of a unit, whose first pair is `pair`, to the reports, and adds them to the sums.  The results of all earlier units have
 * been written. */
static void write_result(const struct slot *s, const struct batch_pair *pair, struct results *r, struct progress *p,
                         const struct options *o)
{
	if (s->said.n || s->shown.n || s->no_memory)
		progress_clear(p);
	if (s->no_memory)
		message_error("%s: out of memory", pair->ps);
	if (s->no_memory)
		trouble_add(&r->trouble, &(struct text){.at = (char[]){"  failed: out of memory\n"}, .n = 1});
	say(&s->said);
	if (s->shown.n)
		fwrite(s->shown.at, 1, s->shown.n, options_use_stdout(o) ? stderr : stdout);
	if (s->report.n) {
		stream_write(&r->report, r->reported ? ",\n" : "\n", r->reported ? 2 : 1);
		stream_write(&r->report, s->report.at, s->report.n);
		r->reported = true;
	}
	stream_write(&r->csv, s->csv.at, s->csv.n);
	stream_write(&r->preshader, s->preshader.at, s->preshader.n);
	stream_write(&r->html, s->html.at, s->html.n);
	r->skipped += s->skipped;
	r->untold += s->untold;
	r->shorter += s->shorter;
	trouble_add(&r->trouble, &s->trouble);
	r->clash |= s->clash;
	if (s->profile)
		profile_add(&r->profile, s->profile);
	r->worst = s->status > r->worst ? s->status : r->worst;
	totals_join(&r->totals, &s->totals);
	r->totals.failed += s->no_memory;
	r->totals.pairs += s->no_memory;
}

static void show_progress(struct batch *b)
{
	const unsigned long *slots = b->results.totals.ps_slots;
	uint32_t done = b->pairs_written;
	for (uint32_t slot = 0; slot < b->nslots; slot++)
		done += atomic_load(&b->watches[slot].pairs);
	char found[40];
	snprintf(found, sizeof found, "%lu slots saved", slots[0] - slots[1]);
	progress_show(&b->progress, done < b->pairs ? done : b->pairs, b->pairs, found);
}

/* Writes the results of the units that are done and whose turn has come; does nothing if another thread is writing.  The caller holds the lock,
 * which is released during the writing. */
static void write_ready(struct batch *b)
{
	if (b->writing)
		return; /* the thread that is writing looks for further results before it stops */
	b->writing = true;
	for (uint32_t slot; slot = b->written % b->nslots, b->done[slot];) {
		uint32_t i = b->written;
		const struct batch_unit *u = &b->found.units.at[i];
		b->pairs_written += u->n;
		os_lock_give(b->lock);
		write_result(&b->slots[slot], u->pairs, &b->results, &b->progress, b->o);
		atomic_store(&b->watches[slot].pairs, 0);
		show_progress(b);
		os_lock_take(b->lock);
		b->done[slot] = false;
		b->written = i + 1;
		if (b->waiting)
			os_bell_ring(b->room);
	}
	b->writing = false;
}

/* --- threads -------------------------------------------------------------------------- */

static void worker(void *batch)
{
	struct batch *b = batch;
	struct arena scratch;
	arena_init(&scratch, NULL);
	os_lock_take(b->lock);
	for (;;) {
		while (!b->signal && b->next < b->found.units.n && b->next - b->written >= b->nslots) {
			b->waiting++;
			os_bell_wait(b->room, b->lock);
			b->waiting--;
		}
		if (b->signal || b->next >= b->found.units.n)
			break;
		uint32_t i = b->next++;
		uint32_t slot = i % b->nslots;
		os_lock_give(b->lock);
		const struct batch_unit *u = &b->found.units.at[i];
		work_on(&b->slots[slot], &scratch, b->o, u, b->o->newer ? &b->record : NULL, &b->watches[slot]);
		os_lock_take(b->lock);
		b->done[slot] = true;
		write_ready(b);
	}
	if (--b->working == 0)
		os_bell_ring(b->ended);
	os_lock_give(b->lock);
	arena_free(&scratch);
}

/* Stops the batch at the first signal: no unit is begun any more, and units of several pairs end without an output. */
static void stop(void *batch, int number)
{
	struct batch *b = batch;
	os_lock_take(b->lock);
	b->signal = number;
	atomic_store(&b->progress.stopping, true);
	for (uint32_t slot = 0; slot < b->nslots; slot++)
		atomic_store(&b->watches[slot].stop, true);
	os_bell_ring(b->room);
	os_lock_give(b->lock);
}

/* Removes the temporary files of reports and erases the progress line.  Runs at the second signal, which ends the process at once. */
static void abandon(void *batch)
{
	const struct batch *b = batch;
	const struct results *r = &b->results;
	const struct stream *const all[] = {&r->report, &r->csv, &r->html, &r->preshader};
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		stream_abandon(all[k]);
	progress_abandon(&b->progress);
}

static unsigned threads_wanted(const struct options *o, uint32_t pairs)
{
	unsigned n = o->jobs ? o->jobs : os_processors();
	if (n > MOST_THREADS)
		n = MOST_THREADS;
	return n > pairs ? (pairs ? pairs : 1) : n;
}

/* --- reports --------------------------------------------------------------------------- */

static void drop_results(struct arena *a, struct results *r)
{
	struct stream *const all[] = {&r->report, &r->csv, &r->html, &r->preshader};
	const char *why;
	for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
		stream_close(a, all[k], false, &why);
}

static bool open_results(struct arena *a, const struct options *o, struct results *r, const char **why)
{
	struct text head = {.arena = a};
	if (!make_report_folders(a, o, why))
		return false;
	if ((o->csv && !stream_open(a, &r->csv, o->csv, why)) ||
	    (o->report && !stream_open(a, &r->report, o->report, why)) ||
	    (o->html && !stream_open(a, &r->html, o->html, why)) ||
	    (o->preshader && !stream_open(a, &r->preshader, o->preshader, why))) {
		drop_results(a, r);
		return false;
	}
	stream_write(&r->csv, csv_head, strlen(csv_head));
	struct text page = {.arena = a};
	if (o->html)
		html_head(&page, o);
	stream_write(&r->html, page.at, page.n);
	struct text c_head = {.arena = a};
	print_c_head(&c_head);
	stream_write(&r->preshader, c_head.at, c_head.n);
	text_string(&head, "{");
	report_member(&head, "fpmove", json_string(FPMOVE_VERSION), ", \"schema\": 1, ");
	report_member(&head, "target", report_string(a, run_target_name(&o->run)), ", ");
	report_member(&head, "level", json_integer(o->run.move.level), ",\n");
	if (o->shards)
		text_printf(&head, "\"shard\": [%u, %u],\n", o->shard, o->shards);
	report_member(&head, "options", report_options(a, o->deciding.at, o->deciding.n), ",\n\"pairs\": [");
	stream_write(&r->report, head.at, head.n);
	return true;
}

static bool close_results(struct arena *a, const struct batch *b, struct results *r, bool keep, const char **why)
{
	struct text tail = {.arena = a};
	text_string(&tail, "\n],\n");
	/* All slices (--shard) skip the same files, so only the report of the first slice lists them. */
	if (b->found.passed.n && b->o->shard <= 1)
		report_member(&tail, "passed_over", report_passed(a, &b->found), ",\n");
	report_member(&tail, "totals", report_totals(&r->totals), "}\n");
	stream_write(&r->report, tail.at, tail.n);
	struct text page = {.arena = a};
	if (b->o->html)
		html_tail(&page, &r->totals);
	stream_write(&r->html, page.at, page.n);
	bool first = stream_close(a, &r->report, keep, why);
	bool second = stream_close(a, &r->html, keep && first, why) && first;
	bool third = stream_close(a, &r->preshader, keep && second, why) && second;
	return stream_close(a, &r->csv, keep && third, why) && third;
}

static void show_totals(struct text *t, const struct options *o, const struct results *r, const struct collected *found)
{
	uint32_t alone = 0, lone = 0;
	for (uint32_t i = 0; i < found->pairs.n; i++)
		lone += found->pairs.at[i].lone && !found->pairs.at[i].refused;
	for (uint32_t i = 0; i < found->passed.n; i++)
		alone += found->passed.at[i].how == PASSED_ALONE;
	uint32_t const passed = found->passed.n - alone;
	const struct totals *s = &r->totals;
	if (o->check_moves)
		text_printf(t, "%u pair%s could be shorter, of ", r->shorter, r->shorter == 1 ? "" : "s");
	text_printf(t, "%u pair%s: %u improved, %u unchanged, %u rejected, %u failed", s->pairs, s->pairs == 1 ? "" : "s",
	            s->improved, s->unchanged, s->rejected, s->failed);
	if (r->skipped)
		text_printf(t, "; %u were up to date", r->skipped);
	if (lone)
		text_printf(t, "; %u pixel program%s without a vertex program", (unsigned)lone, lone == 1 ? "" : "s");
	if (alone)
		text_printf(t, "; %u file%s without a partner", (unsigned)alone, alone == 1 ? "" : "s");
	if (passed)
		text_printf(t, "; %u passed over", (unsigned)passed);
	text_printf(t, "\nFP slots %lu -> %lu, VP slots %lu -> %lu\n", s->ps_slots[0], s->ps_slots[1], s->vs_slots[0],
	            s->vs_slots[1]);
	hint_sums_show(t, &s->hints);
}

/* Waits until all threads have ended, and meanwhile shows the progress, five times a second unless results are being written. */
static void wait_for_end(struct batch *b)
{
	os_lock_take(b->lock);
	while (b->working) {
		os_bell_wait_for(b->ended, b->lock, 200);
		if (!b->writing)
			show_progress(b);
	}
	os_lock_give(b->lock);
	progress_clear(&b->progress);
}

static bool run_threads(struct arena *a, struct batch *b, const char **why)
{
	unsigned threads = threads_wanted(b->o, b->found.units.n), started = 0;
	struct os_thread *workers[MOST_THREADS];
	b->nslots = threads * SLOTS_PER_THREAD;
	b->slots = arena_zero(a, b->nslots * sizeof *b->slots);
	b->done = arena_zero(a, b->nslots * sizeof *b->done);
	b->watches = arena_zero(a, b->nslots * sizeof *b->watches);
	for (uint32_t i = 0; i < b->found.units.n; i++)
		b->pairs += b->found.units.at[i].n;
	for (uint32_t i = 0; i < b->nslots; i++)
		arena_init(&b->slots[i].arena, NULL);
	b->lock = os_lock_make(a);
	b->room = os_bell_make(a);
	b->ended = os_bell_make(a);
	struct os_watch *watch = os_watch_ends(a, stop, abandon, b);
	b->working = threads;
	while (started < threads && (workers[started] = os_thread_start(a, worker, b)) != NULL)
		started++;
	os_lock_take(b->lock);
	b->working -= threads - started;
	os_lock_give(b->lock);
	if (started)
		wait_for_end(b);
	else
		*why = "cannot start a thread";
	for (unsigned i = 0; i < started; i++)
		os_thread_join(workers[i]);
	if (watch)
		os_watch_stop(watch);
	for (uint32_t i = 0; i < b->nslots; i++)
		arena_free(&b->slots[i].arena);
	return started > 0;
}

static void warn(struct text *t, const char *what)
{
	text_string(t, "fpmove: warning: ");
	text_visible(t, what, strlen(what));
	text_char(t, '\n');
}

/* Prints the messages at the end of a batch: with --verbose the times of passes, then warnings, files passed over, and pairs that were not done. */
static void say_at_end(struct arena *a, const struct options *o, const struct results *r, const struct collected *found)
{
	struct text t = {.arena = a};
	struct diags d;
	diag_init(&d, a);
	if (o->verbose && !o->quiet)
		show_passes(&t, &r->profile);
	if (r->untold && !o->run.werror)
		diag_add(&d, DIAG_WARNING, "constants", NULL, SRCPOS_NONE,
		         "%u pair%s constants that the application must set; --report writes the lists, --drop-in asks for none", r->untold,
		         r->untold == 1 ? " needs" : "s need");
	run_filter_warnings(&d, &o->run);
	message_diags(&t, &d, o->colour_err, o->quiet);
	if (!o->quiet)
		show_passed(&t, found, o);
	if (r->totals.pairs > 1)
		show_trouble(&t, &r->trouble, o);
	say(&t);
}

static int move_all(struct arena *a, struct batch *b)
{
	const struct options *o = b->o;
	const char *why = NULL;
	struct text said = {.arena = a};
	passes_begin(&b->results.profile);
	if (!collect_pairs(a, o->batch, o, &b->found, &why) || !guard_batch(a, o, &b->found, &why) ||
	    (o->newer && !record_open(a, o, &b->record, &why)) ||
	    !open_results(a, o, &b->results, &why))
		return message_usage("%s", why);
	for (uint32_t i = 0; i < b->found.stale.n; i++)
		warn(&said, b->found.stale.at[i]);
	bool none = !b->found.pairs.n;
	for (uint32_t i = 0; i < b->found.passed.n; i++)
		none &= b->found.passed.at[i].how != PASSED_ALONE;
	if (none) {
		b->results.worst = EXIT_REJECTED;
		message_error("%s: no pairs: neither a program nor an effect that holds programs was found", shown_name(o->batch));
	}
	b->results.worst = b->found.unreadable ? EXIT_USAGE : b->found.rejected ? EXIT_REJECTED : b->results.worst;
	if (o->quiet)
		said.n = 0;
	for (uint32_t i = 0; o->quiet && i < b->found.passed.n; i++)
		if (b->found.passed.at[i].fails)
			message_error("%s: %s", shown_name(b->found.passed.at[i].file), b->found.passed.at[i].why);
	fit_lines(&said, 0, 4, o->columns_err);
	say(&said);
	if (o->preshader)
		preshader_name_all(a, &b->found);
	if (o->shards)
		units_shard(&b->found, o->shard, o->shards);
	progress_begin(&b->progress, o->progress, o->quiet || (o->terminal && options_use_stdout(o)));
	bool ran = run_threads(a, b, &why);
	if (o->newer)
		record_close(&b->record);
	bool kept = close_results(a, b, &b->results, ran && !b->signal && !b->results.clash, &why);
	if (!ran || !kept)
		return message_usage("%s", why);
	struct text shown = {.arena = a};
	fflush(stdout);
	say_at_end(a, o, &b->results, &b->found);
	if (b->signal)
		text_string(&shown, "stopped; done before that: ");
	show_totals(&shown, o, &b->results, &b->found);
	fit_lines(&shown, 0, 2, o->columns);
	if (b->signal) {
		say(&shown);
		os_end_by(b->signal);
	}
	if (o->quiet)
		shown.n = 0;
	return finish(&shown, options_use_stdout(o), ferror(stdout) ? EXIT_USAGE : b->results.worst);
}

int move_batch(struct arena *a, const struct options *o)
{
	struct batch *b = arena_zero(a, sizeof *b);
	jmp_buf here, *before = a->on_failure;
	b->o = o;
	a->on_failure = &here;
	bool failed = setjmp(here) != 0;
	int status = EXIT_USAGE;
	if (!failed)
		status = move_all(a, b);
	a->on_failure = before;
	if (failed) {
		drop_results(a, &b->results);
		arena_fail(a);
	}
	return status;
}
