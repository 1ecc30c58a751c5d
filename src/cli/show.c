/* Writes table, explanation and constants header, see show.h. */
#include "cli/show.h"

#include "cli/explain.h"
#include "cli/files.h"
#include "cli/fit.h"
#include "cli/message.h"
#include "hints.h"
#include "lang/listing.h"
#include "lang/needs.h"
#include "lang/print.h"
#include "lang/print_c.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_COLUMNS = 80 }; /* width of the table on all terminals */

static const char bold[] = "\033[1m", dim[] = "\033[2m", green[] = "\033[32m", red[] = "\033[31m",
		  yellow[] = "\033[33m", off[] = "\033[m";

/* A row of the table. */
struct row {
	const char *head, *name;
	unsigned before, after;
	unsigned limit; /* limit by model and options; UINT_MAX is printed as "none" */
	bool counts;    /* true if fpmove aims to lower it: green if it fell, red if it rose; other rows turn yellow near their limit */
	bool percent;   /* true if the change is shown in per cent, as time is proportional to the number */
};

/* Returns the change as text: in per cent, such as "-33%", if `percent` is set and `before` is not 0; else as a difference, such as "-3"; "" if
 * it rounds to 0. */
static const char *format_change(struct arena *a, double before, double after, bool percent)
{
	double const by = percent && before > 0 ? 100 * after / before - 100 : after - before;
	int const whole = (int)(by + (by > 0 ? 0.5 : -0.5));
	return whole ? arena_printf(a, "%+d%s", whole, percent && before > 0 ? "%" : "") : "";
}

static void show_change(struct text *t, const char *colour, const char *cell)
{
	text_printf(t, "%s%8s%s", colour, cell, *colour ? off : "");
}

/* Returns the colour of a row's change, or "" for none: with `counts` green for a fall and red for a rise; else yellow for a rise to more than
 * 7/8 of the limit. */
static const char *row_colour(const struct row *r)
{
	if (r->counts)
		return r->after < r->before ? green : r->after > r->before ? red : "";
	return r->after > r->before && r->limit && 8 * r->after > 7 * r->limit ? yellow : "";
}

static void print_row(struct text *t, const struct row *r, bool colour)
{
	unsigned const longer = strlen(r->name) > 18 ? (unsigned)strlen(r->name) - 18 : 0; /* a long name leaves fewer columns to the number */
	text_printf(t, "%-4s%-18s%*u%8u", r->head, r->name, (int)(8 - longer), r->before, r->after);
	show_change(t, colour ? row_colour(r) : "", format_change(t->arena, r->before, r->after, r->percent));
	if (r->limit == UINT_MAX)
		text_string(t, "    none\n");
	else
		text_printf(t, "%8u\n", r->limit);
}

/* Writes a line if the program exceeded the limit of the model before moving and fits it afterwards. */
static void show_fit(struct text *t, const char *model, const char *kind, unsigned before, unsigned after, unsigned limit)
{
	if (before > limit && after <= limit)
		text_printf(t, "%u -> %u %s slots: fits %s\n", before, after, kind, model);
}

/* Returns true if the names are those of consecutive elements of an array, such as "g_world[1]" and "g_world[2]". */
static bool is_next_element(const char *before, const char *name)
{
	size_t const base = strcspn(before, "[");
	return before[base] && strncmp(before, name, base + 1) == 0 &&
	       strtoul(name + base + 1, NULL, 10) == strtoul(before + base + 1, NULL, 10) + 1;
}

/* Returns true if `map` continues the range that ends with `before`: both have the next registers, and the name of the next element or, like
 * `before`, no name. */
static bool is_in_step(const struct const_map *before, const struct const_map *map)
{
	bool const names = before->name && map->name ? is_next_element(before->name, map->name) : !before->name && !map->name;
	return names && map->vs == before->vs + 1 && map->ps == before->ps + 1;
}

static void show_range(struct text *t, int first, int last)
{
	text_printf(t, "c%d", first);
	if (last > first)
		text_printf(t, "-c%d", last);
}

/* Writes which VP constants are set to which FP constants, with `blank` between the words of an entry: "VP c94 = FP c3 (g_scale), VP c20-c22 =
 * FP c0-c2 (g_world[0] to g_world[2])". */
static void list_maps(struct text *t, const struct needs *n, const char *blank)
{
	for (uint32_t i = 0, end; i < n->consts.n; i = end) {
		const struct const_map *first = &n->consts.at[i], *last;
		for (end = i + 1; end < n->consts.n && is_in_step(&n->consts.at[end - 1], &n->consts.at[end]);)
			end++;
		last = &n->consts.at[end - 1];
		text_printf(t, "%sVP%s", i ? ", " : "", blank);
		show_range(t, first->vs, last->vs);
		text_printf(t, "%s=%sFP%s", blank, blank, blank);
		show_range(t, first->ps, last->ps);
		if (first->name)
			text_printf(t, "%s(%s", blank, first->name);
		if (first->name && last > first)
			text_printf(t, "%sto%s%s", blank, blank, last->name);
		text_string(t, first->name ? ")" : "");
	}
}

/* Writes `before` and the constants that the function of --preshader sets: "FP c5.xy, VP c12.x".  Returns false and writes nothing if there are
 * none. */
static bool list_filled(struct text *t, const struct needs *n, const char *before, const char *blank)
{
	const struct folded *last = NULL;
	for (uint32_t i = 0; i < n->folds.n; i++) {
		const struct folded *f = &n->folds.at[i];
		if (!f->preset)
			continue;
		if (last && last->stage == f->stage && last->index == f->index)
			text_char(t, "xyzw"[f->lane]);
		else
			text_printf(t, "%s%s%sc%d.%c", last ? ", " : before, f->stage == STAGE_VERTEX ? "VP" : "FP", blank, f->index, "xyzw"[f->lane]);
		last = f;
	}
	return last != NULL;
}

void show_needs(struct text *t, const struct needs *n, const char *blank)
{
	list_maps(t, n, blank);
	if (list_filled(t, n, n->consts.n ? ", " : "", blank))
		text_string(t, " by the function of --preshader");
}

/* Writes a head such as "the application must set: " and the list, wrapped and aligned behind the head.  Writes nothing if the list is empty. */
static void show_list(struct text *t, const char *head, const struct text *list)
{
	if (!list->n)
		return;
	text_string(t, head);
	fit_wrap(t, list->at, strlen(head), strlen(head), TABLE_COLUMNS);
	text_char(t, '\n');
}

static void show_needed(struct text *t, const struct needs *n)
{
	struct arena *a = t->arena;
	struct text maps = {.arena = a}, filled = {.arena = a}, named = {.arena = a};
	struct needs const by_register = needs_named(a, n, false), by_name = needs_named(a, n, true);
	list_maps(&maps, &by_register, FIT_BLANK);
	list_maps(&named, &by_name, FIT_BLANK);
	list_filled(&filled, n, "", FIT_BLANK);
	show_list(t, "the application must set: ", &maps);
	show_list(t, "set by their names: ", &named);
	show_list(t, "the preshader sets: ", &filled);
}

static const char *gap_unit(const struct run *r)
{
	struct target const t = run_budgets(r).target;
	return explain_counts_slots(r) ? r->moved->gap == 1 ? "slot" : "slots" : t.unit ? t.unit : "units";
}

/* Writes a line about the plan of -O2 or -O3: optimal, how far from the best at most, or by which method it was made. */
static void show_plan(struct text *t, const struct run *r)
{
	const struct move_result *m = r->moved;
	if (!m || r->options->move.level < 2)
		return;
	unsigned long steps = m->nodes;
	if (m->optimal)
		text_printf(t, "plan: optimal (%lu steps)\n", steps);
	else if (m->gap)
		text_printf(t, "plan: at most %u %s from the best (%lu steps; see --effort)\n", m->gap, gap_unit(r), steps);
	else if (steps)
		text_printf(t, "plan: not known to be optimal (%lu steps; see --effort)\n", steps);
	else if (m->staged)
		text_string(t, "plan: that of -O1, as --max-moves and --ps-slots ask for\n");
	else if (run_plan_level(r) == 1)
		text_string(t, "plan: that of -O1, as no cheaper one was found (see --effort)\n");
	else if (r->status == RUN_IMPROVED)
		text_string(t, "plan: no moves were found; the programs became shorter as they are\n");
	else
		text_string(t, "plan: none was found that is cheaper than the pair itself\n");
}

/* Writes a hint that lists options that may make the pair shorter.  show_hints() instead writes how much each option saves. */
static void show_what_to_try(struct text *t, const struct run *r)
{
	struct text list = {.arena = t->arena};
	hints_to_try(&list, r);
	if (list.n)
		text_printf(t, "hint: " FIT_HANG "--explain says whether these save more: %.*s\n", (int)list.n, list.at);
}

void show_hints(struct text *t, const struct run *r)
{
	for (uint32_t k = 0; r->hints && k < r->hints->n; k++) {
		text_string(t, "hint: " FIT_HANG);
		hint_text(t, r, &r->hints->at[k]);
		text_string(t, ": ");
		hint_why(t, &r->hints->at[k]);
		text_char(t, '\n');
	}
}

/* Returns, as text, the number of pixels per vertex from which on the new pair is cheaper; "at any" if it always is, "never" if it never is. */
static const char *pays_from(struct arena *a, const struct estimate *e)
{
	return e->pays_from <= 0 ? "at any" : isinf(e->pays_from) ? "never" : arena_printf(a, "%.3g", ceil(e->pays_from * 100) / 100);
}

/* Writes how many targets have a cost of a pixel that rose by over half a per cent, and their names, if they are at least `least`. */
static void show_dearer(struct text *t, const struct estimate *of, unsigned n, unsigned least)
{
	struct text names = {.arena = t->arena};
	unsigned dearer = 0;
	for (unsigned k = 0; k < n; k++)
		if (of[k].pixel.after > of[k].pixel.before * 1.005)
			text_printf(&names, "%s%s", dearer++ ? ", " : "", of[k].target->name);
	if (dearer >= least)
		text_printf(t, "dearer on %u of %u targets%s" FIT_HANG "%s\n", dearer, n, dearer ? ": " : "", dearer ? names.at : "");
}

/* Writes the cost of a pixel on each target that --target names, and the pixels per vertex from which on the new pair is cheaper.  Under the
 * default target, only writes the names of the targets that get dearer, if they are the majority. */
static void show_estimates(struct text *t, const struct run *r, bool colour)
{
	struct estimate of[TARGETS];
	uint32_t const all = ((1u << TARGETS) - 1) & ~(1u << TARGET_SLOTS), told = r->options->told;
	if (!told && explain_counts_slots(r)) {
		unsigned const chips = run_estimates(r, all, of);
		show_dearer(t, of, chips, chips / 2 + 1);
		return;
	}
	unsigned const n = run_estimates(r, told, of);
	if (n)
		text_printf(t, "%s%-22s%8s%8s%8s%8s%11s%s\n", colour ? bold : "", "a pixel, estimated", "before", "after", "change", "error",
		            "pays from", colour ? off : "");
	for (unsigned k = 0; k < n; k++) {
		struct costs const *pixel = &of[k].pixel;
		const char *cell = format_change(t->arena, pixel->before, pixel->after, true);
		text_printf(t, "%-22s%8.1f%8.1f", of[k].target->name, pixel->before, pixel->after);
		show_change(t, !colour || !*cell ? "" : pixel->after < pixel->before ? green : red, cell);
		text_printf(t, of[k].target->error ? "%7u%%" : "%8.0u", of[k].target->error);
		text_printf(t, "%11s\n", pays_from(t->arena, &of[k]));
	}
	if (n > 1)
		show_dearer(t, of, n, 0);
}

void show_table(struct text *t, const struct run *r, bool colour)
{
	const struct measure *v0 = &r->vs_before, *v1 = &r->vs_after, *p0 = &r->ps_before, *p1 = &r->ps_after;
	struct move_options const may = run_budgets(r);
	const struct model_info *ps = &models[program_flows(r->ps) || r->keeps_model ? r->ps->model : model_written(r->ps->model)];
	struct row const rows[] = {
		{"FP", "slots", p0->slots, p1->slots, ps->tex ? may.budget.ps_arith + may.budget.ps_tex : may.budget.ps_arith, true, true},
		{"", "arithmetic", p0->arith, p1->arith, may.budget.ps_arith, true, true},
		{"", "texture", p0->tex, p1->tex, may.budget.ps_tex, true, true},
		{"", "dependent read order", p0->order, p1->order, model_order(r->ps->model), true, false},
		{"", "temporaries", p0->temps, p1->temps, ps->temps, false, false},
		{"", "interpolators", p0->inputs, p1->inputs, model_links(r->ps->model) ? MOST_TEXCOORDS : may.budget.texcoords + ps->inputs, false, false},
		{"VP", "slots", v0->slots, v1->slots, may.budget.vs_slots, false, false},
		{"", "temporaries", v0->temps, v1->temps, may.budget.vs_temps, false, false},
		{"", "constants", v0->consts, v1->consts, device_consts(&r->options->device, r->vs->model), false, false},
	};
	text_printf(t, "%s%-22s%8s%8s%8s%8s%s\n", colour ? bold : "", "", "before", "after", "change", "limit", colour ? off : "");
	enum { OF_PIXEL = 6 };
	for (unsigned k = 0; k < (r->stands_in ? OF_PIXEL : sizeof rows / sizeof *rows); k++)
		print_row(t, &rows[k], colour);
	/* Under the default target the cost is the number of FP slots, a row of the table above. */
	struct costs cost = run_costs(r);
	if (r->options->move.level >= 2 && (fabs(cost.before - p0->slots) > 0.01 || fabs(cost.after - p1->slots) > 0.01)) {
		const char *cell = format_change(t->arena, cost.before, cost.after, true);
		text_printf(t, "%-22s%8.1f %7.1f", "cost of a pixel", cost.before, cost.after);
		if (*cell)
			show_change(t, !colour ? "" : cost.after < cost.before ? green : red, cell);
		text_char(t, '\n');
	}
	show_estimates(t, r, colour);
	show_fit(t, ps->name, "arithmetic", p0->arith, p1->arith, ps->arith);
	show_fit(t, ps->name, "texture", p0->tex, p1->tex, ps->tex ? ps->tex : ps->arith);
	show_needed(t, &r->needs);
	if (r->hints)
		show_hints(t, r);
	if (!r->hints || r->hints->of_drop_in)
		show_what_to_try(t, r);
	show_plan(t, r);
	if (r->status == RUN_UNCHANGED)
		text_printf(t, "unchanged: %s\n", explain_why_unchanged(r));
	if (r->proved)
		text_printf(t, "proof: %s\n", r->proof.equal ? "equal" : "different");
}

static const char *outcome_colour(unsigned outcome)
{
	return outcome == OUTCOME_MOVED ? green : outcome == OUTCOME_PART ? bold
	       : outcome == OUTCOME_KEPT || outcome == OUTCOME_RECOMPUTED ? dim : "";
}

/* Writes the names, which the HLSL compiler's listing or --names tells, of the constants that the instruction reads: "; c0 is g_scale". */
static void name_consts(struct text *t, const struct program *p, const struct instr *i)
{
	struct register_set named = {0};
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		for (unsigned row = 0; i->src[s].file == REG_CONST && row < instr_rows(i, s); row++) {
			int const c = i->src[s].index + (int)row;
			const char *name = register_is_in(&named, c) ? NULL : listing_name(t->arena, p, c);
			if (name)
				text_printf(t, "; c%d is %s", c, name);
			register_put_in(&named, c);
		}
	}
}

/* Returns the width of the column for the text of the program's instructions, at most 40. */
static int instr_columns(struct arena *a, const struct program *p)
{
	struct text line = {.arena = a};
	size_t widest = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		line.n = 0;
		print_instr(&line, p, &p->instrs.at[k]);
		if (line.n > widest)
			widest = line.n;
	}
	return widest < 40 ? (int)widest : 40;
}

/* Lists the instructions that the method of -O1 inserted into a new program, each with the steps of the paper that inserted it. */
static void show_inserted(struct text *t, const struct run *r, enum stage stage)
{
	static const char *const steps[] = {"moved", "M1", "M2", "M3", "M4"}; /* by the bits of enum method_step */
	const struct program *p = stage == STAGE_VERTEX ? r->vs_new : r->ps_new;
	const struct instr *const *printed = run_printed(r, stage);
	int const columns = instr_columns(t->arena, p);
	struct text line = {.arena = t->arena};
	bool any = false;
	for (uint32_t k = 0; printed && k < p->instrs.n; k++) {
		unsigned const method = printed[k] ? printed[k]->method : 0;
		if (!method)
			continue;
		if (!any)
			text_printf(t, "%s: lines that -O1 inserted, by the steps of the paper (lines of the new program)\n",
			            shown_name(stage == STAGE_VERTEX ? r->vs->source->name : r->ps->source->name));
		any = true;
		line.n = 0;
		print_instr(&line, p, &p->instrs.at[k]);
		text_printf(t, "%5u  %-*s", explain_new_line(r, stage, k), columns, line.at);
		for (unsigned s = 0, first = 1; s < sizeof steps / sizeof *steps; s++)
			if (method >> s & 1) {
				text_printf(t, "%s%s", first ? "  " : ", ", steps[s]);
				first = 0;
			}
		text_char(t, '\n');
	}
}

void show_explain(struct text *t, const struct run *r, bool colour)
{
	struct text line = {.arena = t->arena};
	int const columns = instr_columns(t->arena, r->ps);
	text_printf(t, "%s: %s, %u slots (FP, VP: lines of the new programs)\n", shown_name(r->ps->source->name),
	            models[r->ps->model].name, r->ps_before.slots);
	explain_legend(t, r);
	for (uint32_t k = 0; k < r->ps->instrs.n; k++) {
		const struct instr *i = &r->ps->instrs.at[k];
		line.n = 0;
		print_instr(&line, r->ps, i);
		text_printf(t, "%5u  %-*s  " FIT_HANG, (unsigned)source_line(r->ps->source, i->at), columns, line.at);
		const char *paint = outcome_colour(r->outcomes->at[k].outcome);
		text_string(t, colour ? paint : "");
		explain_instr(t, r, k);
		text_string(t, colour && *paint ? off : "");
		name_consts(t, r->ps, i);
		text_char(t, '\n');
	}
	if (r->options->move.level == 1) {
		show_inserted(t, r, STAGE_VERTEX);
		show_inserted(t, r, STAGE_PIXEL);
	}
}

/* Writes a macro name made of the name of a header file without its suffixes: "BLUR" for "blur.h". */
static void macro_name(struct text *t, const char *base)
{
	if (isdigit((unsigned char)*base))
		text_char(t, '_');
	for (const char *p = base; *p && *p != '.'; p++) {
		int c = isalnum((unsigned char)*p) && (unsigned char)*p < 128 ? *p : '_';
		text_char(t, (char)toupper(c));
	}
}

void show_names(struct text *t, const struct run *r)
{
	const char *files[2] = {r->vs->source->name, r->ps->source->name};
	for (unsigned i = r->stands_in; i < 2; i++) {
		const char *base = file_base(shown_name(files[i]));
		struct text shown = {.arena = t->arena};
		text_visible(&shown, base, strlen(base));
		for (char *p = shown.at; p && *p; p++)
			if (p[0] == '*' && p[1] == '/')
				*p = '?';
		text_printf(t, "%s%s", i && !r->stands_in ? " and " : "", shown.at ? shown.at : "");
	}
}

/* Writes the definition of a C macro that applies X to the number of each constant register of one stage that the function of --preshader sets. */
static void list_presets(struct text *t, const struct run *r, const char *name, enum stage stage)
{
	text_printf(t, "#define %s_%s_SET(X)", name, stage == STAGE_VERTEX ? "VS" : "PS");
	int last = -1;
	for (uint32_t i = 0; i < r->needs.folds.n; i++) {
		const struct folded *f = &r->needs.folds.at[i];
		if (f->preset && f->stage == stage && f->index != last)
			text_printf(t, " X(%d)", last = f->index);
	}
	text_char(t, '\n');
}

void show_constants(struct text *t, const struct run *r, const char *path, const char *function)
{
	struct text name = {.arena = t->arena};
	macro_name(&name, strcmp(path, "-") == 0 ? "fpmove_constants" : file_base(path));
	uint32_t n = r->needs.consts.n;
	bool presets = function != NULL;
	for (uint32_t i = 0; i < r->needs.folds.n; i++)
		presets |= r->needs.folds.at[i].preset;
	text_string(t, "/* Made by fpmove from ");
	show_names(t, r);
	text_printf(t, ".\n"
	               " * For each X(vs, ps): when this pair is drawn, vertex constant c[vs] must hold what\n"
	               " * pixel constant c[ps] is set to.%s */\n"
	               "#ifndef %s_H\n#define %s_H\n\n",
	            !presets ? "" : !function ? "  The function that an earlier run made with\n * --preshader fills the constants of _PS_SET and _VS_SET." : "  The function does that, and fills the constants of\n * _PS_SET and _VS_SET: see the file of --preshader.",
	            name.at, name.at);
	if (function) {
		text_string(t, "#ifdef __cplusplus\nextern \"C\"\n#endif\n");
		print_c_prototype(t, function);
		text_string(t, ";\n\n");
	}
	if (presets) {
		list_presets(t, r, name.at, STAGE_PIXEL);
		list_presets(t, r, name.at, STAGE_VERTEX);
	}
	text_printf(t, "#define %s_COUNT %u\n#define %s(X)", name.at, (unsigned)n, name.at);
	for (uint32_t i = 0; i < n; i++) {
		const struct const_map *map = &r->needs.consts.at[i];
		text_printf(t, " \\\n\tX(%d, %d)", map->vs, map->ps);
		if (map->name)
			text_printf(t, " /* %s */", map->name);
	}
	text_string(t, "\n\n#endif\n");
}

static void flips(struct text *t, const char *what, uint64_t old, uint64_t new)
{
	if (old || new)
		text_printf(t, "%s: %llu pixels before, %llu after\n", what, (unsigned long long)old,
		            (unsigned long long)new);
}

void show_measured(struct text *t, const struct measured *m, bool colour)
{
	text_printf(t, "%s%-10s%22s%24s%12s%s\n%-10s%11s%11s%13s%11s\n", colour ? bold : "", "error",
	            "before", "after", "gain", colour ? off : "", "", "absolute", "relative", "absolute", "relative");
	for (unsigned i = 0; i < m->lanes; i++) {
		const struct lane_error *e = &m->lane[i];
		struct text name = {.arena = t->arena};
		print_register(&name, NULL, e->file, e->index);
		if (!reg_files[e->file].scalar)
			text_printf(&name, ".%c", "xyzw"[e->lane]);
		text_printf(t, "%s%-10s%11.2g%11.2g%13.2g%11.2g%12.3g%s%s\n", colour && !e->within ? red : "", name.at,
		            e->old_abs, e->old_rel, e->new_abs, e->new_rel, e->gain, e->within ? "" : "  too far",
		            colour && !e->within ? off : "");
	}
	flips(t, "another texel than in double", m->old_texel_flips, m->new_texel_flips);
	flips(t, "another side of a comparison than in double", m->old_flips, m->new_flips);
	unsigned long long const pixels = m->pixels, compared = m->compared, killed = m->killed;
	if (pixels > compared + killed)
		text_printf(t, "not compared, as no digit is left or a comparison is on the brink: %llu pixels\n", pixels - compared - killed);
	if (killed)
		text_printf(t, "killed, and so not compared: %llu pixels\n", killed);
	if (m->kills_apart)
		text_printf(t, "killed by one pair only: %llu pixels\n", (unsigned long long)m->kills_apart);
	if (m->ties_lost)
		text_printf(t, "exact before, and now as interpolation rounds: %llu pixels\n", (unsigned long long)m->ties_lost);
	if (m->positions_apart)
		text_printf(t, "positions that differ in their last bits: %llu\n", (unsigned long long)m->positions_apart);
	text_printf(t, "%llu pixels drawn: ", pixels);
	switch (measured_verdict(m)) {
	case MEASURED_WITHIN: text_string(t, "within the tolerance"); break;
	case MEASURED_PARTLY:
		text_printf(t, "within the tolerance where it could be compared (%llu of %llu pixels)", compared, pixels);
		break;
	case MEASURED_TOO_FEW: text_printf(t, "too few to say: %llu of %llu pixels could be compared", compared, pixels); break;
	case MEASURED_TOO_FAR: text_string(t, m->why ? m->why : "too far apart"); break;
	}
	text_char(t, '\n');
}
