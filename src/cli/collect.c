/* Finding the pairs of a batch, see collect.h. */
#include "cli/collect.h"

#include "cli/files.h"
#include "cli/message.h"
#include "cli/pairs.h"
#include "lang/bytecode.h"
#include "lang/effect_binary.h"
#include "lang/encoding.h"
#include "system/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum holds { HOLDS_NOTHING, HOLDS_VERTEX = 1, HOLDS_PIXEL = 2, HOLDS_BOTH = 3, HOLDS_EFFECT = 4 };

/* One file that may hold a program. */
struct found {
	const char *file; /* as it is opened */
	const char *path; /* below the folder of the batch: the end of `file` */
	size_t stem;      /* bytes of `path` up to the suffix */
	enum holds holds;
};
struct founds {
	VEC(struct found);
};

static size_t suffix_at(const char *path)
{
	const char *base = file_base(path), *dot = strrchr(base, '.');
	return dot && dot != base ? (size_t)(dot - path) : strlen(path);
}

/* What the version tokens in an .asm file say. */
static enum holds look_inside(const char *path)
{
	FILE *f = os_open_stream(path);
	if (!f)
		return HOLDS_NOTHING;
	char line[512];
	unsigned holds = HOLDS_NOTHING;
	while (fgets(line, sizeof line, f)) {
		const char *p = line + strspn(line, " \t\xef\xbb\xbf");
		if ((p[1] == 's' || p[1] == 'S') && (p[2] == '_' || p[2] == '.') && p[3] >= '1' && p[3] <= '3')
			holds |= *p == 'v' || *p == 'V' ? HOLDS_VERTEX : *p == 'p' || *p == 'P' ? HOLDS_PIXEL : HOLDS_NOTHING;
	}
	fclose(f);
	return (enum holds)holds;
}

/* What the first token of a compiled file says: fxc gives shaders and effects the same suffixes. */
static enum holds look_at_token(const char *path)
{
	char bytes[4];
	FILE *f = os_open_stream(path);
	size_t const n = f ? fread(bytes, 1, sizeof bytes, f) : 0;
	if (f)
		fclose(f);
	if (effect_is_compiled(bytes, n))
		return HOLDS_EFFECT;
	return !bytecode_is(bytes, n) ? HOLDS_NOTHING : bytes[2] == '\xfe' ? HOLDS_VERTEX : HOLDS_PIXEL;
}

/* Effect files as text are HLSL for the most part, which is not read: does one hold `asm {`? */
static enum holds look_for_blocks(struct arena *a, const char *path)
{
	struct source s;
	const char *none;
	struct arena_mark const mark = arena_mark(a);
	bool found = false;
	bool const there = file_read(a, path, &s, &none) && !memchr(s.text, 0, s.size);
	for (const char *at = there ? s.text : ""; !found && (at = strstr(at, "asm")) != NULL; at += 3)
		found = (at == s.text || !strchr("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", at[-1])) && at[3 + strspn(at + 3, " \t\r\n")] == '{';
	arena_release(a, mark);
	return found ? HOLDS_EFFECT : HOLDS_NOTHING;
}

static bool is_one_of(const char *suffix, const char *const *list, unsigned n)
{
	bool any = false;
	for (unsigned i = 0; i < n; i++)
		any |= strcasecmp(suffix, list[i]) == 0;
	return any;
}

static enum holds kind_of(struct arena *a, const char *path, const char *suffix)
{
	static const char *const compiled[] = {".fxo", ".fxb", ".cso"};
	static const char *const vertex[] = {".vsh", ".vs", ".vsa", ".vso"}, *const pixel[] = {".psh", ".ps", ".psa", ".pso"};
	if (is_one_of(suffix, vertex, sizeof vertex / sizeof *vertex))
		return HOLDS_VERTEX;
	if (is_one_of(suffix, pixel, sizeof pixel / sizeof *pixel))
		return HOLDS_PIXEL;
	if (is_one_of(suffix, compiled, sizeof compiled / sizeof *compiled))
		return look_at_token(path);
	if (strcasecmp(suffix, ".fx") == 0)
		return look_for_blocks(a, path);
	return strcasecmp(suffix, ".asm") == 0 ? look_inside(path) : HOLDS_NOTHING;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void add_pair(struct arena *a, struct collected *to, const char *vs, const char *ps, const char *vs_out,
                     const char *ps_out)
{
	VEC_PUSH(a, &to->pairs) = (struct batch_pair){vs, ps, vs_out, ps_out, to->pairs.n, NULL, false};
}

static void add_effect(struct arena *a, struct collected *to, const char *file, const char *out)
{
	add_pair(a, to, file, file, out, out);
	to->pairs.at[to->pairs.n - 1].effect = true;
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

/* Partners among one folder's files: equal stems first; then, if one vertex and one pixel
 * file are left, those two. */
static void match_folder(struct arena *a, struct founds *f, struct collected *out)
{
	struct founds left = {0};
	unsigned of_kind[4] = {0};
	if (f->n)
		qsort(f->at, f->n, sizeof *f->at, by_stem);
	for (uint32_t i = 0, end; i < f->n; i = end) {
		const struct found *one[HOLDS_EFFECT + 1] = {NULL};
		unsigned count[HOLDS_EFFECT + 1] = {0};
		for (end = i; end < f->n && same_stem(&f->at[i], &f->at[end]); end++) {
			one[f->at[end].holds] = &f->at[end];
			count[f->at[end].holds]++;
		}
		bool pair = count[HOLDS_VERTEX] == 1 && count[HOLDS_PIXEL] == 1;
		if (pair)
			add_found(a, one[HOLDS_VERTEX], one[HOLDS_PIXEL], out);
		for (uint32_t k = i; k < end; k++) {
			if (f->at[k].holds == HOLDS_EFFECT) {
				add_effect(a, out, f->at[k].file, f->at[k].path);
			} else if (f->at[k].holds == HOLDS_BOTH) {
				add_found(a, &f->at[k], &f->at[k], out);
			} else if (!pair) {
				VEC_PUSH(a, &left) = f->at[k];
				of_kind[f->at[k].holds]++;
			}
		}
	}
	if (left.n == 2 && of_kind[HOLDS_VERTEX] == 1) {
		bool vertex_first = left.at[0].holds == HOLDS_VERTEX;
		add_found(a, &left.at[!vertex_first], &left.at[vertex_first], out);
		return;
	}
	for (uint32_t i = 0; i < left.n; i++)
		VEC_PUSH(a, &out->alone) = arena_printf(a, "%s: no %s program of this name beside it, or several of it",
		                                        left.at[i].file,
		                                        left.at[i].holds == HOLDS_VERTEX ? "pixel" : "vertex");
}

/* The pairs of the folder `path`, then those of the folders in it, by name; `root` bytes of the
 * path are the batch's.  Links to folders are not followed, nor names that start with a dot, nor the
 * output folder. */
static bool walk(struct arena *a, const char *path, size_t root, const struct os_facts *skip, struct collected *out,
                 const char **why)
{
	struct os_folder *dir = os_folder_open(path);
	struct os_facts here;
	if (!dir) {
		*why = arena_printf(a, "cannot read %s: %s", path, os_error(errno));
		return false;
	}
	if (skip && path[root] && os_folder_facts(dir, &here) && os_same_file(&here, skip)) {
		os_folder_close(dir);
		return true;
	}
	/* Names of the pairs are all that stays. */
	struct arena scratch;
	arena_init(&scratch, a->on_failure);
	struct names folders = {0};
	struct founds files = {0};
	struct text full = {.arena = &scratch};
	bool slash = path[strlen(path) - 1] == '/', good = true;
	size_t base = path[root] ? root : root + !slash;
	for (const struct os_entry *e; (e = os_folder_next(dir)) != NULL;) {
		if (e->name[0] == '.') {
			out->left |= file_seems_own(e->name);
			continue;
		}
		full.n = 0;
		text_printf(&full, "%s%s%s", path, slash ? "" : "/", e->name);
		if (e->kind == OS_FOLDER) {
			VEC_PUSH(&scratch, &folders) = arena_copy(&scratch, full.at, full.n);
			continue;
		}
		struct found f = {.stem = suffix_at(full.at + base)};
		f.holds = kind_of(&scratch, full.at, full.at + base + f.stem);
		if (f.holds == HOLDS_NOTHING)
			continue;
		out->links |= e->may_be_link;
		f.file = arena_copy(a, full.at, full.n);
		f.path = f.file + base;
		VEC_PUSH(&scratch, &files) = f;
	}
	os_folder_close(dir);
	match_folder(a, &files, out);
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

/* The next word of a line, quotes taken off; NULL at the end or a #. */
static const char *take_word(struct arena *a, const char **at, const char *end, bool *bad)
{
	const char *p = *at;
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	if (p == end || *p == '#') {
		*at = end;
		return NULL;
	}
	const char *from = p;
	char quote = 0;
	for (; p < end && (quote || !strchr(" \t\r", *p)); p++)
		if (quote ? *p == quote : *p == '"' || *p == '\'')
			quote = quote ? 0 : *p;
	char *word = arena_alloc(a, (size_t)(p - from) + 1);
	size_t n = 0;
	char inside = 0;
	for (; from < p; from++) {
		if (inside ? *from == inside : *from == '"' || *from == '\'')
			inside = inside ? 0 : *from;
		else
			word[n++] = *from;
	}
	word[n] = '\0';
	*bad = quote != 0;
	*at = p;
	return word;
}

static const char *take_path(struct arena *a, const char **at, const char *end, bool *bad)
{
	const char *word = take_word(a, at, end, bad);
	return word ? os_path_given(a, word) : NULL;
}

static bool climbs(const char *path)
{
	for (const char *p = path; (p = strstr(p, "..")) != NULL; p += 2)
		if ((p == path || p[-1] == '/') && (p[2] == '/' || !p[2]))
			return true;
	return false;
}

/* "a.b" out of "dir/a.vsh" and "x/b.psh", with the folder and suffix of the first. */
static const char *variant(struct arena *a, const char *path, const char *other)
{
	size_t stem = suffix_at(path), from = (size_t)(file_base(other) - other), to = suffix_at(other);
	return arena_printf(a, "%.*s.%.*s%s", (int)stem, path, (int)(to - from), other + from, path + stem);
}

struct use {
	const char *path;
	uint32_t pair;
	bool vertex;
};

static int by_path(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = os_compare_names(x->path, y->path, SIZE_MAX);
	return order ? order : (x->pair > y->pair) - (x->pair < y->pair);
}

/* Both outputs of each pair, by path. */
static struct use *list_uses(struct arena *a, const struct collected *c)
{
	uint32_t n = 2 * c->pairs.n;
	struct use *uses = arena_alloc(a, (n + 1) * sizeof *uses);
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		uses[2 * i] = (struct use){c->pairs.at[i].vs_out, i, true};
		uses[2 * i + 1] = (struct use){c->pairs.at[i].ps_out, i, false};
	}
	qsort(uses, n, sizeof *uses, by_path);
	return uses;
}

/* Does use i, among those of all pairs in their order, have to be a variant? */
static bool is_variant(const struct use *uses, uint32_t n, uint32_t i, const struct options *o, const struct batch_pair *pair)
{
	bool shared = (i > 0 && os_compare_names(uses[i - 1].path, uses[i].path, SIZE_MAX) == 0) ||
	              (i + 1 < n && os_compare_names(uses[i + 1].path, uses[i].path, SIZE_MAX) == 0);
	return shared && strcmp(pair->vs, pair->ps) != 0 && !(uses[i].vertex ? o->shared_vp : o->shared_fp);
}

bool output_in_place(struct arena *a, const struct options *o, const char *from, const char *out)
{
	struct os_facts x, y;
	return o->output && os_facts(from, &x) && os_facts(file_join(a, o->output, out), &y) && os_same_file(&x, &y);
}

/* A program of several pairs gets one variant for each. */
static void name_variants(struct arena *a, const struct options *o, struct collected *out)
{
	uint32_t n = 2 * out->pairs.n;
	const struct use *uses = list_uses(a, out);
	const char *before = "";
	for (uint32_t i = 0; i < n; i++) {
		struct batch_pair *pair = &out->pairs.at[uses[i].pair];
		if (!is_variant(uses, n, i, o, pair))
			continue;
		if (uses[i].vertex)
			pair->vs_out = variant(a, uses[i].path, pair->ps);
		else
			pair->ps_out = variant(a, uses[i].path, pair->vs);
	}
	for (uint32_t i = 0; i < n; before = uses[i++].path) {
		const struct batch_pair *pair = &out->pairs.at[uses[i].pair];
		if (os_compare_names(before, uses[i].path, SIZE_MAX) == 0 || !is_variant(uses, n, i, o, pair))
			continue;
		if (uses[i].vertex ? output_in_place(a, o, pair->ps, pair->ps_out) : output_in_place(a, o, pair->vs, pair->vs_out))
			VEC_PUSH(a, &out->stale) = arena_printf(a, "%s: it stays, and goes no longer with %s, but %s does; see --shared-%s",
			                                        uses[i].vertex ? pair->vs : pair->ps, uses[i].vertex ? pair->ps : pair->vs,
			                                        uses[i].vertex ? pair->vs_out : pair->ps_out, uses[i].vertex ? "vp" : "fp");
	}
}

/* Without "./" and doubled slashes, so that a file has one name. */
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

/* Bytes of the folders that all paths share. */
static size_t common_folder(const struct collected *c)
{
	const char *first = c->pairs.n ? c->pairs.at[0].vs_out : "";
	size_t n = (size_t)(file_base(first) - first);
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const char *const paths[2] = {c->pairs.at[i].vs_out, c->pairs.at[i].ps_out};
		for (unsigned k = 0; k < 2; k++)
			while (n && os_compare_names(first, paths[k], n) != 0)
				for (n--; n && first[n - 1] != '/'; n--)
					;
	}
	return n;
}

/* False: the names say that the pixel program stands first. */
static bool in_order(struct arena *a, const char *first, const char *second)
{
	return kind_of(a, first, first + suffix_at(first)) != HOLDS_PIXEL || kind_of(a, second, second + suffix_at(second)) != HOLDS_VERTEX;
}

static bool collect_list(struct arena *a, const char *list, const struct options *o, struct collected *out,
                         const char **why)
{
	struct source s;
	if (!file_read(a, list, &s, why))
		return false;
	const char *end = s.text + s.size;
	uint32_t line = 0;
	for (const char *p = s.text + encoding_mark(&s); p < end;) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		stop = stop ? stop : end;
		line++;
		bool bad[3] = {false, false, false};
		const char *vs = take_path(a, &p, stop, &bad[0]), *ps = vs ? take_path(a, &p, stop, &bad[1]) : NULL;
		const char *more = ps ? take_word(a, &p, stop, &bad[2]) : NULL;
		enum holds const alone = vs && !ps ? kind_of(a, vs, vs + suffix_at(vs)) : HOLDS_NOTHING;
		if (vs && (more || bad[0] || bad[1] || alone == HOLDS_VERTEX || alone == HOLDS_PIXEL)) {
			*why = arena_printf(a, "%s:%u: a line of a list is VP FP, or one effect file, with quotes around names that hold blanks",
			                    shown_name(list), (unsigned)line);
			return false;
		}
		if (vs && !ps && alone == HOLDS_BOTH)
			add_pair(a, out, vs, vs, plain_path(a, vs), plain_path(a, vs));
		else if (vs && !ps)
			add_effect(a, out, vs, plain_path(a, vs));
		else if (ps && in_order(a, vs, ps))
			add_pair(a, out, vs, ps, plain_path(a, vs), plain_path(a, ps));
		else if (ps)
			add_pair(a, out, ps, vs, plain_path(a, ps), plain_path(a, vs));
		p = stop + (stop < end);
	}
	size_t common = common_folder(out);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		struct batch_pair *pair = &out->pairs.at[i];
		pair->vs_out += common;
		pair->ps_out += common;
		const char *wrong = climbs(pair->vs_out) ? pair->vs : climbs(pair->ps_out) ? pair->ps : NULL;
		if (wrong) {
			*why = arena_printf(a, "%s: it would be written outside the output folder; name files from one folder down",
			                    wrong);
			return false;
		}
		pair->vs_out += os_root(pair->vs_out);
		pair->ps_out += os_root(pair->ps_out);
	}
	name_variants(a, o, out);
	return true;
}

/* No two outputs are one file. */
static bool all_different(struct arena *a, const struct options *o, const struct collected *c, const char **why)
{
	uint32_t n = 2 * c->pairs.n;
	struct arena_mark const mark = arena_mark(a);
	const struct use *uses = list_uses(a, c);
	for (uint32_t i = 1; i < n; i++) {
		const struct batch_pair *x = &c->pairs.at[uses[i].pair], *y = &c->pairs.at[uses[i - 1].pair];
		bool one_file = x == y && strcmp(x->vs, x->ps) == 0;
		bool shared = uses[i].vertex == uses[i - 1].vertex &&
		              (uses[i].vertex ? o->shared_vp && strcmp(x->vs, y->vs) == 0 : o->shared_fp && strcmp(x->ps, y->ps) == 0);
		if (os_compare_names(uses[i].path, uses[i - 1].path, SIZE_MAX) == 0 && !one_file && !shared) {
			bool same = x != y && strcmp(x->vs, y->vs) == 0 && strcmp(x->ps, y->ps) == 0;
			*why = same ? arena_printf(a, "%s and %s are listed twice", x->vs, x->ps)
			            : arena_printf(a, "two pairs would write %s", uses[i].path);
			return false;
		}
	}
	arena_release(a, mark);
	return true;
}

/* --- files under several names ----------------------------------------------------------- */

/* A file that is there and that a pair reads or writes. */
struct touched {
	uint64_t device, inode;
	const char *path;
	uint32_t pair;
	bool vertex, written, included;
};
struct all_touched {
	VEC(struct touched);
};

static int by_file(const void *a, const void *b)
{
	const struct touched *x = a, *y = b;
	if (x->device != y->device)
		return x->device > y->device ? 1 : -1;
	return (x->inode > y->inode) - (x->inode < y->inode);
}

static void touch(struct arena *a, struct all_touched *all, struct touched t)
{
	struct os_facts now;
	if (!os_facts(t.path, &now))
		return;
	t.device = now.device;
	t.inode = now.number;
	VEC_PUSH(a, all) = t;
}

/* Most programs have none, which a look at the first bytes tells; longer ones may. */
static bool may_include(const char *path)
{
	char text[1 << 14];
	int fd = os_open(path, OS_PEEK);
	ptrdiff_t n = fd >= 0 ? os_read(fd, text, sizeof text - 1) : -1;
	if (fd >= 0)
		os_close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n == (ptrdiff_t)sizeof text - 1 || strstr(text, "include");
}

/* Programs that the pair's own includes. */
static void touch_includes(struct arena *a, struct all_touched *all, const struct options *o, const char *path, uint32_t pair)
{
	struct source s;
	struct diags unsaid;
	const char *none;
	diag_init(&unsaid, a);
	if (!may_include(path) || !input_read(a, path, o, &s, &unsaid, &none))
		return;
	for (uint32_t k = 0; k < s.nincludes; k++)
		if (look_inside(s.includes[k]) != HOLDS_NOTHING)
			touch(a, all, (struct touched){.path = s.includes[k], .pair = pair, .included = true});
}

/* Of all pairs. */
static struct all_touched find_includes(struct arena *a, const struct options *o, const struct collected *c)
{
	struct all_touched all = {0};
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const char *const inputs[2] = {c->pairs.at[i].vs, c->pairs.at[i].ps};
		for (unsigned k = 0; k < 2; k++) {
			struct arena_mark const mark = arena_mark(a);
			uint32_t const before = all.n;
			touch_includes(a, &all, o, inputs[k], i);
			if (all.n == before)
				arena_release(a, mark);
		}
	}
	return all;
}

/* Is it one program, in the place where it belongs or for pairs that share it? */
static bool one_program(const struct options *o, const struct collected *c, const struct touched *x, const struct touched *y)
{
	const struct batch_pair *p = &c->pairs.at[x->pair], *q = &c->pairs.at[y->pair];
	if (p == q)
		return x->vertex == y->vertex || x->included || y->included || strcmp(p->vs, p->ps) == 0;
	if (x->included || y->included)
		return false;
	return x->vertex == y->vertex && (x->vertex ? o->shared_vp && strcmp(p->vs, q->vs) == 0 : o->shared_fp && strcmp(p->ps, q->ps) == 0);
}

/* Are both names of one place?  A file with several, by hard links, is replaced under one of them. */
static bool one_place(struct arena *a, const char *x, const char *y)
{
	const char *first = os_real_path(a, x), *second = os_real_path(a, y);
	return first && second && strcmp(first, second) == 0;
}

/* Of files in their order. */
static bool rewrites_inputs(const struct all_touched *all)
{
	bool any = false;
	for (uint32_t i = 1; i < all->n && !any; i++)
		any = by_file(&all->at[i - 1], &all->at[i]) == 0 && all->at[i - 1].written != all->at[i].written;
	return any;
}

/* Are all outputs the inputs themselves, and each under its one name? */
static bool each_in_place(const struct options *o, const struct collected *c)
{
	struct os_facts from, to;
	return !c->links && o->output && os_facts(o->batch, &from) && os_facts(o->output, &to) && os_same_file(&from, &to);
}

/* No pair writes, under whatever name, what another reads or writes: each reads what was there before. */
static bool none_overwritten(struct arena *a, const struct options *o, const struct collected *c, const char **why)
{
	struct arena_mark const mark = arena_mark(a);
	struct all_touched all = {0};
	if (!o->output || !os_is_there(o->output))
		return true;
	bool const in_place = each_in_place(o, c);
	if (in_place)
		all = find_includes(a, o, c);
	if (in_place && !all.n)
		return true;
	uint32_t const included = all.n;
	for (uint32_t i = 0; i < c->pairs.n; i++) {
		const struct batch_pair *pair = &c->pairs.at[i];
		touch(a, &all, (struct touched){.path = file_join(a, o->output, pair->vs_out), .pair = i, .vertex = true, .written = true});
		touch(a, &all, (struct touched){.path = file_join(a, o->output, pair->ps_out), .pair = i, .written = true});
	}
	for (uint32_t i = 0; all.n > included && i < c->pairs.n; i++) {
		touch(a, &all, (struct touched){.path = c->pairs.at[i].vs, .pair = i, .vertex = true});
		touch(a, &all, (struct touched){.path = c->pairs.at[i].ps, .pair = i});
	}
	if (all.n)
		qsort(all.at, all.n, sizeof *all.at, by_file);
	if (!in_place && rewrites_inputs(&all)) {
		struct all_touched const more = find_includes(a, o, c);
		for (uint32_t i = 0; i < more.n; i++)
			VEC_PUSH(a, &all) = more.at[i];
		qsort(all.at, all.n, sizeof *all.at, by_file);
	}
	for (uint32_t i = 0; i < all.n; i++)
		for (uint32_t k = i + 1; k < all.n && by_file(&all.at[i], &all.at[k]) == 0; k++) {
			const struct touched *x = &all.at[i], *y = &all.at[k];
			if ((!x->written && !y->written) || one_program(o, c, x, y) || !one_place(a, x->path, y->path))
				continue;
			const struct touched *written = x->written ? x : y, *other = written == x ? y : x;
			*why = arena_printf(a, "%s would be written, and another pair %s it as %s: nothing was written", written->path,
			                    other->written ? "writes" : other->included ? "includes" : "reads", other->path);
			return false;
		}
	arena_release(a, mark);
	return true;
}

static int by_vs(const void *a, const void *b)
{
	const struct batch_pair *x = a, *y = b;
	int order = strcmp(x->vs, y->vs);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_ps(const void *a, const void *b)
{
	const struct batch_pair *x = a, *y = b;
	int order = strcmp(x->ps, y->ps);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Pairs that share what may be shared come together. */
static void make_units(struct arena *a, const struct options *o, struct collected *out)
{
	if (out->pairs.n && (o->shared_vp || o->shared_fp))
		qsort(out->pairs.at, out->pairs.n, sizeof *out->pairs.at, o->shared_vp ? by_vs : by_ps);
	for (uint32_t i = 0; i < out->pairs.n; i++) {
		struct batch_pair *pair = &out->pairs.at[i];
		pair->index = i;
		bool joins = i > 0 && ((o->shared_vp && strcmp(pair->vs, pair[-1].vs) == 0) ||
		                       (o->shared_fp && strcmp(pair->ps, pair[-1].ps) == 0));
		if (joins)
			out->units.at[out->units.n - 1].n++;
		else
			VEC_PUSH(a, &out->units) = (struct batch_unit){i, 1};
	}
}

bool collect_pairs(struct arena *a, const char *from, const struct options *o, struct collected *out, const char **why)
{
	*out = (struct collected){0};
	struct os_facts there;
	bool folder = strcmp(from, "-") != 0 && os_facts(from, &there) && there.kind == OS_FOLDER;
	out->left = out->links = !folder;
	if (!(folder ? collect_folder(a, from, o, out, why) : collect_list(a, from, o, out, why)))
		return false;
	if (!all_different(a, o, out, why) || !none_overwritten(a, o, out, why))
		return false;
	make_units(a, o, out);
	return true;
}

void collect_shard(struct collected *c, unsigned k, unsigned n)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < c->units.n; i++)
		if (i % n == k - 1)
			c->units.at[kept++] = c->units.at[i];
	c->units.n = kept;
}
