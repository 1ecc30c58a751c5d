/* Finds the pairs of a batch, see collect.h. */
#include "cli/collect.h"

#include "cli/files.h"
#include "cli/kinds.h"
#include "cli/message.h"
#include "cli/overwriting.h"
#include "cli/pair_table.h"
#include "cli/pairs.h"
#include "cli/units.h"
#include "lang/encoding.h"
#include "system/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A file below the batch's folder that holds a program, an effect or both programs. */
struct found {
	const char *file; /* path by which it is opened */
	const char *path; /* path relative to the folder of the batch: the end of `file` */
	size_t stem;      /* length of `path` without the suffix */
	enum holds holds;
	bool named; /* true if its suffix is one of vertex or pixel programs (.vsh, .psh ...) */
	bool by_suffix; /* true if `holds` comes from the suffix alone, since no program was found in the file */
};
struct founds {
	VEC(struct found);
};

static bool same_path(const char *x, const char *y)
{
	return os_compare_names(x, y, SIZE_MAX) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_pair(struct arena *a, struct collected *to, const char *vs, const char *ps, const char *vs_out,
                     const char *ps_out)
{
	VEC_PUSH(a, &to->pairs) = (struct batch_pair){vs, ps, vs_out, ps_out, .index = to->pairs.n};
}

static void pass_over(struct arena *a, struct collected *to, const char *file, enum passing how, const char *why)
{
	VEC_PUSH(a, &to->passed) = (struct passed){file, why, how, false};
}

static void add_single(struct arena *a, struct collected *to, const char *file, const char *out, enum holds holds)
{
	add_pair(a, to, file, file, out, out);
	to->pairs.at[to->pairs.n - 1].effect = holds == HOLDS_EFFECT;
	to->pairs.at[to->pairs.n - 1].lone = holds == HOLDS_PIXEL;
}

static int by_stem(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	size_t n = x->stem < y->stem ? x->stem : y->stem;
	int order = os_compare_names(x->path, y->path, n);
	if (order)
		return order;
	return x->stem != y->stem ? (x->stem > y->stem) - (x->stem < y->stem) : strcmp(x->path, y->path);
}

static bool same_stem(const struct found *a, const struct found *b)
{
	return a->stem == b->stem && os_compare_names(a->path, b->path, a->stem) == 0;
}

static void add_found(struct arena *a, const struct found *v, const struct found *p, struct collected *out)
{
	add_pair(a, out, v->file, p->file, v->path, p->path);
}

/* Returns the number of VPs and FPs whose field `named` equals the parameter, and sets one[HOLDS_VERTEX] and one[HOLDS_PIXEL] to the last of each. */
static unsigned count_programs(const struct founds *f, bool named, const struct found *one[HOLDS_EFFECT + 1])
{
	unsigned n = 0;
	for (uint32_t i = 0; i < f->n; i++) {
		const struct found *at = &f->at[i];
		if (at->named != named || at->holds == HOLDS_EFFECT || at->holds == HOLDS_BOTH)
			continue;
		one[at->holds] = at;
		n++;
	}
	return n;
}

/* Adds the VP and the FP of `left` as a pair, and returns true, if the folder's files `all` have no other programs whose field `named` equals the
 * parameter. */
static bool match_only_two(struct arena *a, const struct founds *all, const struct founds *left, bool named, struct collected *out)
{
	const struct found *one[HOLDS_EFFECT + 1] = {NULL};
	if (count_programs(all, named, one) != 2 || count_programs(left, named, one) != 2 || !one[HOLDS_VERTEX] || !one[HOLDS_PIXEL])
		return false;
	add_found(a, one[HOLDS_VERTEX], one[HOLDS_PIXEL], out);
	return true;
}

/* Finds the pairs among the files of one folder.  First pairs a VP and an FP with equal names but for the suffix, and prefers files with a
 * program's suffix (.vsh, .psh ...).  A folder of just one VP and one FP (with a program's suffix, or of all files if none that is left has one)
 * is a pair, too, unless `others` says that some file with a program's suffix holds no program.  FPs that are left become pairs by themselves,
 * unless only their suffix says that they are FPs.  Other files that are left are passed over. */
static void match_folder(struct arena *a, struct founds *f, bool others, struct collected *out)
{
	struct founds left = {0};
	if (f->n)
		qsort(f->at, f->n, sizeof *f->at, by_stem);
	for (uint32_t i = 0, end; i < f->n; i = end) {
		const struct found *one[2][HOLDS_EFFECT + 1] = {{NULL}};
		unsigned count[2][HOLDS_EFFECT + 1] = {{0}};
		for (end = i; end < f->n && same_stem(&f->at[i], &f->at[end]); end++) {
			one[f->at[end].named][f->at[end].holds] = &f->at[end];
			count[f->at[end].named][f->at[end].holds]++;
		}
		bool const named = count[1][HOLDS_VERTEX] || count[1][HOLDS_PIXEL], mixed = count[1][HOLDS_VERTEX] + count[1][HOLDS_PIXEL] == 1;
		const struct found *vs = one[named][HOLDS_VERTEX], *ps = one[named][HOLDS_PIXEL];
		unsigned nvs = count[named][HOLDS_VERTEX], nps = count[named][HOLDS_PIXEL];
		if (mixed) {
			vs = vs ? vs : one[0][HOLDS_VERTEX];
			ps = ps ? ps : one[0][HOLDS_PIXEL];
			nvs = nvs ? nvs : count[0][HOLDS_VERTEX];
			nps = nps ? nps : count[0][HOLDS_PIXEL];
		}
		bool const pair = nvs == 1 && nps == 1;
		if (pair)
			add_found(a, vs, ps, out);
		for (uint32_t k = i; k < end; k++) {
			const struct found *at = &f->at[k];
			if (at->holds == HOLDS_EFFECT || at->holds == HOLDS_BOTH)
				add_single(a, out, at->file, at->path, at->holds);
			else if (!pair)
				VEC_PUSH(a, &left) = *at;
			else if (at != vs && at != ps)
				pass_over(a, out, at->file, PASSED_IS, "beside a pair of the same name");
		}
	}
	bool const last_named = !others && match_only_two(a, f, &left, true, out);
	bool any_named = false;
	for (uint32_t i = 0; i < left.n; i++)
		any_named |= left.at[i].named;
	bool const last = !others && !any_named && match_only_two(a, f, &left, false, out);
	for (uint32_t i = 0; i < left.n; i++) {
		const struct found *at = &left.at[i];
		if (at->named ? last_named : last)
			continue;
		if (at->holds == HOLDS_VERTEX)
			pass_over(a, out, at->file, PASSED_ALONE, "no pixel program of this name beside it, or several of it");
		else if (at->by_suffix)
			pass_over(a, out, at->file, PASSED_ALONE, "no vertex program of this name beside it, or several of it");
		else
			add_single(a, out, at->file, at->path, HOLDS_PIXEL);
	}
}

/* Adds the file to `files` if it holds a program or an effect, and to the files passed over if not.  The first `base` bytes of `path` are the
 * batch's folder.  Returns false if the file has a program's suffix but holds no program. */
static bool add_file(struct arena *a, struct arena *scratch, const char *path, size_t base, struct founds *files, struct collected *out)
{
	struct kind const k = kind_of_file(a, scratch, path);
	const char *file = arena_copy(a, path, strlen(path));
	if (k.holds == HOLDS_NOTHING) {
		pass_over(a, out, file, k.looks ? PASSED_LOOKS : PASSED_IS, k.why);
		out->passed.at[out->passed.n - 1].fails = k.named_a_program;
		out->unreadable |= k.unreadable && k.named_a_program;
		out->rejected |= k.named_a_program;
		return !k.named_a_program;
	}
	VEC_PUSH(scratch, files) = (struct found){file, file + base, suffix_at(file + base), k.holds, k.named_a_program, k.by_suffix};
	return true;
}

/* Adds the pairs of the folder `path`, then those of the folders in it, by name.  The first `root` bytes of `path` are the batch's folder.
 * Leaves out links to folders, names that start with a dot, and the output folder (`skip`, unless NULL).  Returns false and sets `*why` only if
 * the batch's folder itself cannot be read. */
static bool walk(struct arena *a, const char *path, size_t root, const struct os_facts *skip, struct collected *out,
                 const char **why)
{
	struct os_folder *dir = os_folder_open(path);
	struct os_facts here;
	if (!dir && path[root]) {
		pass_over(a, out, arena_copy(a, path, strlen(path)), PASSED_IS, arena_printf(a, "unreadable: %s", os_error(errno)));
		return out->passed.at[out->passed.n - 1].fails = out->unreadable = true;
	}
	if (!dir)
		return reason_for(a, why, "cannot read %s: %s", path, os_error(errno));
	if (skip && path[root] && os_folder_facts(dir, &here) && os_same_file(&here, skip)) {
		os_folder_close(dir);
		return true;
	}
	/* The folder's lists take memory from `scratch`, which is freed at the end; names of pairs take memory from `a`. */
	struct arena scratch;
	arena_init(&scratch, a->on_failure);
	struct names folders = {0}, names = {0};
	struct founds files = {0};
	struct text full = {.arena = &scratch};
	bool slash = path[strlen(path) - 1] == '/', good = true, others = false;
	size_t base = path[root] ? root : root + !slash;
	for (const struct os_entry *e; (e = os_folder_next(dir)) != NULL;) {
		if (e->name[0] == '.') {
			if (file_is_aside(e->name))
				VEC_PUSH(a, &out->stale) = arena_printf(a, "%s: a run that was killed has moved this old program aside; see RESPONSE AND "
				                                           "TEMPORARY FILES in fpmove(1)", file_join(a, path, e->name));
			continue;
		}
		full.n = 0;
		text_printf(&full, "%s%s%s", path, slash ? "" : "/", e->name);
		if (e->kind == OS_FOLDER) {
			VEC_PUSH(&scratch, &folders) = arena_copy(&scratch, full.at, full.n);
			continue;
		}
		VEC_PUSH(&scratch, &names) = arena_copy(&scratch, full.at, full.n);
	}
	os_folder_close(dir);
	if (names.n)
		qsort(names.at, names.n, sizeof *names.at, by_name);
	for (uint32_t i = 0; i < names.n; i++)
		others |= !add_file(a, &scratch, names.at[i], base, &files, out);
	match_folder(a, &files, others, out);
	if (folders.n)
		qsort(folders.at, folders.n, sizeof *folders.at, by_name);
	for (uint32_t i = 0; i < folders.n && good; i++)
		good = walk(a, folders.at[i], base, skip, out, why);
	arena_free(&scratch);
	return good;
}

static bool collect_folder(struct arena *a, const char *root, const struct options *o, struct collected *out,
                           const char **why)
{
	struct os_facts output;
	return walk(a, root, strlen(root), o->output && os_facts(o->output, &output) ? &output : NULL, out, why);
}

/* --- lists ----------------------------------------------------------------------------- */

/* Returns the next word of a line without its quotes, and moves `*at` behind it.  Returns NULL at the end of the line or at a #.  Sets `*bad` if
 * a quote is not closed. */
static const char *take_word(struct arena *a, const char **at, const char *end, bool *bad)
{
	const char *p = *at;
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	if (p == end || *p == '#') {
		*at = end;
		return NULL;
	}
	struct text word = {.arena = a};
	char quote = 0;
	text_string(&word, "");
	for (; p < end && (quote || !strchr(" \t\r", *p)); p++)
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
		else
			text_char(&word, *p);
	*bad = quote != 0;
	*at = p;
	return word.at;
}

static const char *take_path(struct arena *a, struct arena *scratch, const char **at, const char *end, bool *bad)
{
	const char *word = take_word(scratch, at, end, bad);
	return word ? os_path_given(a, arena_copy(a, word, strlen(word))) : NULL;
}

static bool climbs(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")) != NULL; p += 2)
		if ((p == path || p[-1] == '/') && (p[2] == '/' || !p[2]))
			return true;
	return false;
}

/* Returns a name for the variant of program `path` that is drawn only with program `other`: "dir/a.b.vsh" for "dir/a.vsh" and "x/b.psh"; with
 * `folders`, "dir/a.x.b.vsh". */
static const char *variant(struct arena *a, const char *path, const char *other, bool folders)
{
	size_t stem = suffix_at(path), from = folders ? 0 : (size_t)(file_base(other) - other), to = suffix_at(other);
	char *name = arena_printf(a, "%.*s.%.*s%s", (int)stem, path, (int)(to - from), other + from, path + stem);
	for (char *c = name + stem; c < name + stem + 1 + (to - from); c++)
		*c = *c == '/' ? '.' : *c;
	return name;
}

struct use {
	const char *path;
	uint32_t pair;
	bool vertex;
};

static int by_use_path(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = os_compare_names(x->path, y->path, SIZE_MAX);
	return order ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

/* Lists both output paths of each pair that is not refused, sorted by path. */
static struct use *list_uses(struct arena *a, const struct collected *c, uint32_t *n)
{
	struct use *uses = arena_alloc(a, (2 * (size_t)c->pairs.n + 1) * sizeof *uses);
	*n = 0;
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		if (c->pairs.at[i].refused)
			continue;
		uses[(*n)++] = (struct use){c->pairs.at[i].vs_out, i, true};
		uses[(*n)++] = (struct use){c->pairs.at[i].ps_out, i, false};
	}
	qsort(uses, *n, sizeof *uses, by_use_path);
	return uses;
}

static bool has_equal_neighbour(const struct use *sorted, uint32_t n, uint32_t i)
{
	return (i > 0 && same_path(sorted[i - 1].path, sorted[i].path)) || (i + 1 < n && same_path(sorted[i + 1].path, sorted[i].path));
}

/* Returns true if the program of uses[i], which other pairs share, does not stay one program (--shared-vp, --shared-fp).  Each pair then gets a
 * variant of it, a new program in a file of its own.  `uses` is sorted. */
static bool is_variant(const struct use *uses, uint32_t n, uint32_t i, const struct options *o, const struct batch_pair *pair)
{
	return has_equal_neighbour(uses, n, i) && strcmp(pair->vs, pair->ps) != 0 && !(uses[i].vertex ? o->shared_vp : o->shared_fp);
}

bool output_in_place(struct arena *a, const struct options *o, const char *from, const char *out)
{
	struct os_facts x, y;
	return o->output && os_facts(from, &x) && os_facts(file_join(a, o->output, out), &y) && os_same_file(&x, &y);
}

/* Returns the address of the pair's field that holds this output path. */
static const char **name_of(struct collected *out, const struct use *use)
{
	return use->vertex ? &out->pairs.at[use->pair].vs_out : &out->pairs.at[use->pair].ps_out;
}

/* Gives each variant (a new program that only one pair uses) a name made of those of its own program and of the pair's other program.  If two
 * variants would have one name, since programs in different folders have equal names, these names contain the folders, too. */
static void name_apart(struct arena *a, const struct options *o, struct collected *out, const struct use *uses, uint32_t n)
{
	struct use *made = arena_alloc(a, (n + 1) * sizeof *made);
	const char *(*given)[2] = arena_alloc(a, (out->pairs.n + 1) * sizeof *given);
	uint32_t nmade = 0;
	for (uint32_t i = 0; i < n; i++)
		given[uses[i].pair][uses[i].vertex] = uses[i].path;
	for (uint32_t i = 0; i < n; i++) {
		struct use const of = uses[i];
		if (!is_variant(uses, n, i, o, &out->pairs.at[of.pair]))
			continue;
		*name_of(out, &of) = variant(a, of.path, given[of.pair][!of.vertex], false);
		made[nmade++] = (struct use){*name_of(out, &of), of.pair, of.vertex};
	}
	qsort(made, nmade, sizeof *made, by_use_path);
	for (uint32_t i = 0; i < nmade; i++)
		if (has_equal_neighbour(made, nmade, i))
			*name_of(out, &made[i]) = variant(a, given[made[i].pair][made[i].vertex], given[made[i].pair][!made[i].vertex], true);
}

/* Gives each pair that shares a program a variant of it with a name of its own.  Adds a warning if the old program stays in place beside a
 * rewritten partner that no longer fits it. */
static void name_variants(struct arena *a, const struct options *o, struct collected *out)
{
	uint32_t n;
	const struct use *uses = list_uses(a, out, &n);
	const char *before = "";
	name_apart(a, o, out, uses, n);
	for (uint32_t i = 0; i < n; before = uses[i++].path) {
		const struct batch_pair *pair = &out->pairs.at[uses[i].pair];
		if (same_path(before, uses[i].path) || !is_variant(uses, n, i, o, pair))
			continue;
		if (uses[i].vertex ? output_in_place(a, o, pair->ps, pair->ps_out) : output_in_place(a, o, pair->vs, pair->vs_out))
			VEC_PUSH(a, &out->stale) = arena_printf(a, "%s: it stays, and goes no longer with %s, but %s does; see --shared-%s",
			                                        uses[i].vertex ? pair->vs : pair->ps, uses[i].vertex ? pair->ps : pair->vs,
			                                        uses[i].vertex ? pair->vs_out : pair->ps_out, uses[i].vertex ? "vp" : "fp");
	}
}

/* Returns the path without "./" and doubled slashes, so that equal paths compare equal. */
static const char *plain_path(struct arena *a, const char *path)
{
	size_t const root = os_root(path);
	char *plain = arena_copy(a, path, strlen(path)), *to = plain + root;
	for (const char *p = path + root; *p;) {
		bool part = p == path || p[-1] == '/';
		if (part && p[0] == '.' && p[1] == '/')
			p += 2;
		else if (part && p > path && *p == '/')
			p++;
		else
			*to++ = *p++;
	}
	*to = '\0';
	return plain;
}

/* Returns the length of the longest folder path, with its slash, that the output paths of all pairs that are not refused share. */
static size_t common_folder(const struct collected *c)
{
	const char *first = NULL;
	size_t n = 0;
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const char *const paths[2] = {c->pairs.at[i].vs_out, c->pairs.at[i].ps_out};
		if (c->pairs.at[i].refused)
			continue;
		if (!first)
			n = (size_t)(file_base(first = paths[0]) - paths[0]);
		for (unsigned k = 0; k < 2; k++)
			while (n && os_compare_names(first, paths[k], n) != 0)
				for (n--; n && first[n - 1] != '/'; n--)
					;
	}
	return n;
}

/* Returns false if the suffixes say that `first` is a pixel program and `second` a vertex program. */
static bool collected_in_order(const char *first, const char *second)
{
	return kind_by_name(first) != HOLDS_PIXEL || kind_by_name(second) != HOLDS_VERTEX;
}

/* Adds the pair that a line of a list names; nothing for an empty line.  A line with a mistake becomes a refused pair, which reports the
 * mistake. */
static void add_line(struct arena *a, struct arena *scratch, const char *list, uint32_t line, const char *at, const char *stop, struct collected *out)
{
	bool bad[3] = {false, false, false};
	const char *vs = take_path(a, scratch, &at, stop, &bad[0]), *ps = vs ? take_path(a, scratch, &at, stop, &bad[1]) : NULL;
	const char *more = ps ? take_word(scratch, &at, stop, &bad[2]) : NULL;
	if (!vs)
		return;
	enum holds const alone = !ps ? kind_of_file(a, scratch, vs).holds : HOLDS_NOTHING;
	if (!ps)
		add_single(a, out, vs, plain_path(a, vs), alone == HOLDS_BOTH || alone == HOLDS_PIXEL ? alone : HOLDS_EFFECT);
	else if (collected_in_order(vs, ps))
		add_pair(a, out, vs, ps, plain_path(a, vs), plain_path(a, ps));
	else
		add_pair(a, out, ps, vs, plain_path(a, ps), plain_path(a, vs));
	struct batch_pair *pair = &out->pairs.at[out->pairs.n - 1];
	pair->line = line;
	const char *wrong = bad[0] || bad[1] || bad[2] ? "a quote is not closed"
	                    : more                    ? "more than two names"
	                    : alone == HOLDS_VERTEX   ? "no pixel program behind the vertex program"
	                                              : NULL;
	if (wrong)
		pair->refused = arena_printf(a, "%s:%u: %s: a line of a list is VP FP, one FP, or one effect file, with quotes around names that hold blanks",
		                             shown_name(list), (unsigned)line, wrong);
}

static int by_both_paths(const void *a, const void *b)
{
	const struct batch_pair *x = *(const struct batch_pair *const *)a, *y = *(const struct batch_pair *const *)b;
	int order = os_compare_names(x->vs_out, y->vs_out, SIZE_MAX);
	order = order ? order : os_compare_names(x->ps_out, y->ps_out, SIZE_MAX);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Removes each pair that an earlier line of a list or table names, too.  Lists its line as passed over, unless `list` is NULL, as for a table,
 * which may have a line for each draw. */
static void pass_repeated(struct arena *a, const char *list, struct collected *out)
{
	uint32_t n = 0, kept = 0;
	const struct batch_pair **sorted = arena_alloc(a, (out->pairs.n + 1) * sizeof *sorted);
	bool *again = arena_zero(a, out->pairs.n + 1);
	for (uint32_t i = 0; i < out->pairs.n; i++)
		if (!out->pairs.at[i].refused)
			sorted[n++] = &out->pairs.at[i];
	qsort(sorted, n, sizeof *sorted, by_both_paths);
	for (uint32_t i = 1; i < n; i++)
		again[sorted[i] - out->pairs.at] = same_path(sorted[i]->vs_out, sorted[i - 1]->vs_out) && same_path(sorted[i]->ps_out, sorted[i - 1]->ps_out);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		const struct batch_pair pair = out->pairs.at[i];
		if (again[i] && !list)
			continue;
		if (again[i])
			pass_over(a, out, arena_printf(a, "%s:%u", shown_name(list), (unsigned)pair.line), PASSED_LINE, "a pair that the list has above");
		else
			out->pairs.at[kept++] = pair;
	}
	out->pairs.n = kept;
}

/* Gives each pair the paths of its outputs: those of its inputs relative to the folder that all inputs share, and names of their own for
 * variants.  Refuses a pair whose output would be outside the output folder. */
static void place_outputs(struct arena *a, const struct options *o, struct collected *out)
{
	size_t common = common_folder(out);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		struct batch_pair *pair = &out->pairs.at[i];
		if (pair->refused)
			continue;
		const char *vs = pair->vs_out + common, *ps = pair->ps_out + common;
		const char *wrong = climbs(vs) ? pair->vs : climbs(ps) ? pair->ps : NULL;
		if (wrong) {
			pair->refused = arena_printf(a, "%s would be written outside the output folder: name files from one folder down", wrong);
			continue;
		}
		pair->vs_out = vs + os_root(vs);
		pair->ps_out = ps + os_root(ps);
	}
	name_variants(a, o, out);
}

static bool collect_list(struct arena *a, const char *list, const struct options *o, struct collected *out,
                         const char **why)
{
	struct source s;
	struct arena scratch;
	if (!file_read(a, list, &s, why))
		return false;
	arena_init(&scratch, a->on_failure);
	const char *end = s.text + s.size;
	uint32_t line = 0;
	for (const char *p = s.text + encoding_mark(&s); p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		struct arena_mark const mark = arena_mark(&scratch);
		add_line(a, &scratch, list, ++line, p, stop, out);
		arena_release(&scratch, mark);
		p = stop + (stop < end);
	}
	arena_free(&scratch);
	pass_repeated(a, list, out);
	place_outputs(a, o, out);
	return true;
}

/* --- tables ---------------------------------------------------------------------------- */

/* Returns the path of a file that a table names, or NULL for no name.  A relative path starts from the current folder or, if no file is there,
 * from the folder of the table. */
static const char *file_of_table(struct arena *a, const char *table, const char *name)
{
	const char *path = name ? os_path_given(a, name) : NULL;
	if (!path || os_root(path) || strcmp(table, "-") == 0 || os_is_there(path))
		return path;
	const char *beside = file_join(a, file_folder(a, table), path);
	return os_is_there(beside) ? beside : path;
}

/* Adds each program that no row names together with a partner: an FP as a pair by itself, a VP as a file passed over. */
static void add_singles(struct arena *a, struct use *singles, uint32_t n, struct collected *out)
{
	uint32_t nuses = 0, k = 0;
	struct use *uses = arena_alloc(a, (2 * (size_t)out->pairs.n + 1) * sizeof *uses);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		uses[nuses++] = (struct use){out->pairs.at[i].vs, i, true};
		uses[nuses++] = (struct use){out->pairs.at[i].ps, i, false};
	}
	qsort(uses, nuses, sizeof *uses, by_use_path);
	qsort(singles, n, sizeof *singles, by_use_path);
	for (uint32_t i = 0; i < n; i++) {
		while (k < nuses && os_compare_names(uses[k].path, singles[i].path, SIZE_MAX) < 0)
			k++;
		if ((k < nuses && same_path(uses[k].path, singles[i].path)) || (i > 0 && same_path(singles[i - 1].path, singles[i].path)))
			continue;
		if (singles[i].vertex)
			pass_over(a, out, singles[i].path, PASSED_ALONE, "no row has a pixel program for it");
		else
			add_single(a, out, singles[i].path, plain_path(a, singles[i].path), HOLDS_PIXEL);
	}
}

static bool collect_table(struct arena *a, const char *from, const struct options *o, struct collected *out, const char **why)
{
	struct source s;
	struct pair_table table;
	if (!file_read_any(a, from, &s, why) || !pair_table_read(a, &s, o->pairs_columns, &table, why))
		return false;
	struct arena scratch;
	arena_init(&scratch, a->on_failure);
	struct use *singles = arena_alloc(a, (table.n + 1) * sizeof *singles);
	uint32_t nsingles = 0;
	for (uint32_t i = 0; i < table.n; i++) {
		const struct table_row *row = &table.at[i];
		const char *vs = file_of_table(a, from, row->vs), *ps = file_of_table(a, from, row->ps);
		if (row->wrong)
			add_pair(a, out, from, from, "", "");
		else if (!vs || !ps)
			singles[nsingles++] = (struct use){vs ? vs : ps, i, vs != NULL};
		else if (strcmp(vs, ps) == 0)
			add_single(a, out, vs, plain_path(a, vs), kind_of_file(a, &scratch, vs).holds);
		else
			add_pair(a, out, vs, ps, plain_path(a, vs), plain_path(a, ps));
		if (out->pairs.n && (row->wrong || (vs && ps)))
			out->pairs.at[out->pairs.n - 1].line = row->line;
		if (row->wrong)
			out->pairs.at[out->pairs.n - 1].refused = arena_printf(a, "%s:%u: %s", shown_name(from), (unsigned)row->line, row->wrong);
	}
	pass_repeated(a, NULL, out);
	add_singles(a, singles, nsingles, out);
	arena_free(&scratch);
	place_outputs(a, o, out);
	return true;
}

/* Refuses each pair that would write both programs to one file, or a file that an earlier pair writes, unless the file is of a program that the
 * two pairs share (--shared-vp, --shared-fp).  Files of pairs that were refused do not count. */
static void refuse_clashes(struct arena *a, const struct options *o, struct collected *c)
{
	enum { PS, VS };
	uint32_t n, files = 0;
	const struct use *uses = list_uses(a, c, &n);
	uint32_t(*file)[2] = arena_alloc(a, (c->pairs.n + 1) * sizeof *file);
	struct { uint32_t pair; bool vertex, taken; } *owner = arena_zero(a, (n + 1) * sizeof *owner);
	for (uint32_t i = 0; i < n; i++) {
		files += i > 0 && !same_path(uses[i].path, uses[i - 1].path);
		file[uses[i].pair][uses[i].vertex ? VS : PS] = files;
	}
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		struct batch_pair *x = &c->pairs.at[i];
		if (!x->refused && file[i][PS] == file[i][VS] && strcmp(x->vs, x->ps) != 0)
			x->refused = arena_printf(a, "both programs, %s and %s, would be written to %s: give one of them another name", x->vs, x->ps, x->vs_out);
		for (unsigned k = 0; k < 2 && !x->refused; k++) {
			uint32_t const at = file[i][k];
			const struct batch_pair *y = &c->pairs.at[owner[at].pair];
			bool const shared = owner[at].vertex == (k == VS) &&
			                    (k == VS ? o->shared_vp && strcmp(x->vs, y->vs) == 0 : o->shared_fp && strcmp(x->ps, y->ps) == 0);
			if (owner[at].taken && !shared)
				x->refused = arena_printf(a, "%s would be written for %s and %s as for %s and %s, which stand before: give one file another name",
				                          k == VS ? x->vs_out : x->ps_out, x->vs, x->ps, y->vs, y->ps);
		}
		for (unsigned k = 0; k < 2 && !x->refused; k++) {
			uint32_t const at = file[i][k];
			owner[at].pair = i;
			owner[at].vertex = k == VS;
			owner[at].taken = true;
		}
	}
}

bool collect_pairs(struct arena *a, const char *from, const struct options *o, struct collected *out, const char **why)
{
	*out = (struct collected){0};
	struct os_facts there;
	bool folder = !o->pairs && strcmp(from, "-") != 0 && os_facts(from, &there) && there.kind == OS_FOLDER;
	if (!(o->pairs ? collect_table(a, from, o, out, why) : folder ? collect_folder(a, from, o, out, why) : collect_list(a, from, o, out, why)))
		return false;
	if (o->output)
		refuse_clashes(a, o, out);
	refuse_overwriting(a, o, out);
	units_make(a, o, out);
	return true;
}
