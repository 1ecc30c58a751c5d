/* Sends pairs to the process of fpmove-d3d9 and reads its answers, see validate.h; src/d3d9/stream.c describes their format. */
#include "cli/validate.h"

#include "cli/message.h"
#include "lang/bytecode.h"
#include "lang/encoding.h"
#include "system/files.h"
#include "system/process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "fpmove-d3d9";
enum { LONGEST_ANSWER = 2048 };

struct validator {
	const char *path;
	struct os_lock *lock; /* protects the fields below */
	struct os_command *command; /* the process; NULL if it ended during an earlier pair, and then the next pair starts it again */
	char adapter[LONGEST_ANSWER];
};

/* --- the command ------------------------------------------------------------------------- */

/* Starts fpmove-d3d9 and reads the adapter's name.  Returns false if it cannot draw.  Then sets `*status` to -1 if it did not start, or to its
 * exit status; with EXIT_USAGE, it has printed the reason. */
static bool start_tool(struct validator *v, int *status)
{
	static const char *const words[] = {"validate", "--stream"}, ready[] = "ready\t";
	char line[LONGEST_ANSWER];
	*status = -1;
	v->command = os_command_begin(v->path, words, sizeof words / sizeof *words);
	if (!v->command)
		return false;
	if (os_command_read(v->command, line, sizeof line) && strncmp(line, ready, sizeof ready - 1) == 0) {
		memcpy(v->adapter, line + sizeof ready - 1, sizeof line - (sizeof ready - 1));
		return true;
	}
	*status = os_command_end(v->command);
	v->command = NULL;
	return false;
}

bool validator_open(struct arena *a, struct options *o)
{
	int status;
	if (!o->validate)
		return true;
	struct validator *v = arena_zero(a, sizeof *v);
	v->path = os_find_command(a, tool);
	v->lock = os_lock_make(a);
	if (!v->path)
		return message_error("--validate=d3d9: there is no %s beside fpmove or on PATH; make d3d9 builds it", tool);
	if (!start_tool(v, &status)) {
		if (status < 0)
			message_error("--validate=d3d9: %s does not start", v->path);
		else if (status != EXIT_USAGE)
			message_error("--validate=d3d9: %s ended with status %d", v->path, status);
		return false;
	}
	o->validator = v;
	return true;
}

void validator_close(const struct options *o)
{
	if (o->validator && o->validator->command)
		os_command_end(o->validator->command);
}

/* Sends a request to fpmove-d3d9, which it starts again if it has ended, and reads the answer.  Returns false if there is none.  Allocates
 * nothing, since a failed allocation would jump out with the lock held. */
static bool ask_tool(struct validator *v, const struct text *request, char *answer, size_t n)
{
	int status;
	os_lock_take(v->lock);
	bool answered = v->command || start_tool(v, &status);
	answered = answered && os_command_write(v->command, request->at, request->n) && os_command_read(v->command, answer, n);
	if (!answered && v->command) {
		os_command_end(v->command);
		v->command = NULL;
	}
	os_lock_give(v->lock);
	return answered;
}

/* --- a pair -------------------------------------------------------------------------------- */

struct bytes {
	const char *at;
	size_t n;
};

/* Returns the bytes of a text without its byte order mark. */
static struct bytes without_mark(const char *at, size_t n)
{
	size_t const mark = encoding_mark(&(struct source){.text = at, .size = n});
	return (struct bytes){at + mark, n - mark};
}

/* Returns a given program as it is in its file.  If both programs share a file, returns the program as text that fpmove prints. */
static struct bytes given(struct run *r, enum stage stage)
{
	const struct source *s = stage == STAGE_VERTEX ? r->vs->source : r->ps->source;
	struct text const own = r->vs->source == r->ps->source ? run_given_listing(r, stage) : (struct text){.n = 0};
	if (own.n)
		return (struct bytes){own.at, own.n};
	if (s->bytecode)
		return (struct bytes){(const char *)s->bytecode->bytes, s->bytecode->size};
	return without_mark(s->text, s->size);
}

/* Writes which VP constants have the value of which FP constants: "v95=p3,v94=p4" for c95 = c3 and c94 = c4; "-" if there are none. */
static void put_constants(struct text *t, const struct const_map *map, uint32_t n)
{
	if (!n)
		text_char(t, '-');
	for (uint32_t k = 0; k < n; k++)
		text_printf(t, "%sv%d=p%d", k ? "," : "", map[k].vs, map[k].ps);
}

/* Returns true if the application computes constants, as by the function of --preshader. */
static bool computes_constants(const struct needs *n)
{
	bool any = false;
	for (uint32_t k = 0; k < n->folds.n; k++)
		any |= n->folds.at[k].preset;
	return any;
}

/* Reads an answer: a result, four numbers and a reason, separated by tabs.  Returns false if the text is no such answer. */
static bool read_answer(struct arena *a, const char *answer, struct validated *to)
{
	static const char *const results[] = {"same", "different", "unknown"};
	size_t const n = strcspn(answer, "\t");
	int end = 0;
	for (unsigned k = 0; k < sizeof results / sizeof *results; k++)
		if (strlen(results[k]) == n && memcmp(answer, results[k], n) == 0)
			to->result = results[k];
	if (!to->result || sscanf(answer + n, "\t%u\t%u\t%u\t%u%n", &to->images, &to->pixels, &to->beyond, &to->flips, &end) != 4 || answer[n + (size_t)end] != '\t')
		return false;
	to->why = arena_printf(a, "%s", answer + n + end + 1);
	return true;
}

static void unknown(struct run *r, enum severity severity, const char *why)
{
	diag_add(&r->diags, severity, "validate", r->ps->source, SRCPOS_NONE, "Direct3D 9 cannot tell whether the new pair draws the same: %s", why);
	run_filter_warnings(&r->diags, r->options);
	if (r->diags.errors)
		r->status = RUN_REJECTED;
}

static void differs(struct run *r, const struct validated *found)
{
	r->status = RUN_FAILED;
	r->fault = arena_printf(r->arena, "Direct3D 9 (%s) draws something else: %s", found->adapter, found->why);
}

static bool same_bytes(struct bytes x, struct bytes y)
{
	return x.n == y.n && memcmp(x.at, y.at, x.n) == 0;
}

void validate_run(struct run *r, const struct options *o)
{
	struct arena *a = r->arena;
	char answer[LONGEST_ANSWER];
	struct text request = {.arena = a};
	if (!o->validator || !run_is_done(r))
		return;
	struct bytes const all[] = {given(r, STAGE_VERTEX), given(r, STAGE_PIXEL), without_mark(r->vs_text.at, r->vs_text.n), without_mark(r->ps_text.at, r->ps_text.n)};
	if (same_bytes(all[0], all[2]) && same_bytes(all[1], all[3]))
		return;
	struct proof_context const context = run_context(r);
	if (computes_constants(&r->needs) || computes_constants(context.given)) {
		unknown(r, DIAG_WARNING, "the application computes constants for it");
		return;
	}
	put_constants(&request, context.given->consts.at, context.given->consts.n);
	text_char(&request, ' ');
	put_constants(&request, context.consts, context.nconsts);
	text_printf(&request, " %x %d %zu %zu %zu %zu\n", r->drawn_depths, context.free_ties, all[0].n, all[1].n, all[2].n, all[3].n);
	for (unsigned k = 0; k < 4; k++)
		text_bytes(&request, all[k].at, all[k].n);
	struct validated *found = arena_zero(a, sizeof *found);
	found->adapter = o->validator->adapter;
	if (!ask_tool(o->validator, &request, answer, sizeof answer) || !read_answer(a, answer, found)) {
		unknown(r, DIAG_ERROR, arena_printf(a, "%s ended while it drew it", tool));
		return;
	}
	r->validated = found;
	if (strcmp(found->result, "unknown") == 0)
		unknown(r, DIAG_WARNING, found->why);
	else if (strcmp(found->result, "different") == 0)
		differs(r, found);
}
