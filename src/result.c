/* Makes the result of a run from its new programs: writes them as text or bytecode, reads that again, checks and proves it, see steps.h. */
#include "steps.h"

#include "around.h"
#include "stand_in.h"

#include "lang/by_name.h"
#include "lang/bytecode.h"
#include "lang/check.h"
#include "lang/link.h"
#include "lang/listing.h"
#include "lang/modifier.h"
#include "lang/needs.h"
#include "lang/parse.h"
#include "lang/print.h"
#include "lang/respell.h"
#include "move/graph/registers.h"

#include <string.h>

/* Returns true, and reports the errors, if ps_out breaks rules that step_check() let pass since moves might have mended that, such as those on
 * temporaries, dependent reads or swizzles.  Sets `unfit` of the run. */
static bool is_unmended(struct run *r)
{
	struct diags said;
	diag_init(&said, r->arena);
	check_program(r->ps_out == r->ps ? r->ps_alone : r->ps_out,
	              &(struct check_options){.unwritten_warns = true, .errors_only = true, .device = &r->options->device}, &said);
	for (uint32_t i = 0; i < said.n; i++)
		if (said.at[i].severity == DIAG_ERROR)
			diag_add(&r->diags, DIAG_ERROR, said.at[i].rule, said.at[i].source, said.at[i].at, "%s",
			         said.at[i].text);
	r->unfit = r->diags.errors > 0;
	return r->unfit;
}

static bool is_compiled(const struct run *r, const struct program *given)
{
	return r->options->emit == EMIT_BYTECODE || (r->options->emit == EMIT_AS_GIVEN && given->source->bytecode);
}

/* Returns true if the two given programs are in different texts. */
static bool is_alone(const struct run *r)
{
	return r->vs->source != r->ps->source;
}

/* Returns true if new text is printed in fpmove's own style, by print_program(), not in the style of the given text. */
static bool is_spelled_anew(const struct run_options *o)
{
	return o->part_of_file || (o->move.level == 0 && o->emit == EMIT_ASM);
}

/* Returns true if the new program is the same as the given one, and the given text may be written for it: the options ask for no other style, its
 * style can be kept (respell_can()), and it has no comments of fpmove, which may be outdated. */
static bool is_given(const struct run *r, const struct program *given, const struct program *p)
{
	struct text t[2] = {{.arena = r->arena}, {.arena = r->arena}};
	if (is_spelled_anew(r->options) || !respell_can(given->source) || p->instrs.n != given->instrs.n || p->model != given->model ||
	    strstr(given->source->text, "fpmove:"))
		return false;
	if (p == given)
		return true;
	print_program(&t[0], given);
	print_program(&t[1], p);
	return t[0].n == t[1].n && memcmp(t[0].at, t[1].at, t[0].n) == 0;
}

static void print(const struct run *r, struct text *t, const struct program *given, const struct program *p)
{
	const struct bytecode *ps = r->ps->source->bytecode;
	struct constant_types const own = {.at = (const struct constant_table *[]){ps ? ps->table : NULL}, .n = ps && ps->table,
	                                    .adds_table = r->options->by_name};
	if (is_compiled(r, given))
		bytecode_print(t, p, r->kept && given->source->bytecode && p->model == given->model, r->together ? r->types : &own);
	else if (is_spelled_anew(r->options))
		print_program(t, p);
	else if (is_alone(r) && is_given(r, given, p))
		text_bytes(t, given->source->text, given->source->size);
	else
		print_as_source(t, p, given, is_alone(r));
}

/* Returns true, and reports an error, if a program given as bytecode is to be written as text, but has an instruction that text cannot
 * express. */
static bool is_lane_lost(struct run *r, const struct program *given)
{
	if (is_compiled(r, given) || !program_names_no_lane(given))
		return false;
	diag_add(&r->diags, DIAG_ERROR, "unnamed-lane", given->source, SRCPOS_NONE,
	         "it cannot be written as assembly, in which each of exp, log, rcp, rsq and their like names the lane that it reads: "
	         "leave it as bytecode, without --emit=asm");
	return true;
}

/* Prints the new programs: makes vs_text and ps_text from vs_out and ps_out. */
bool step_print(struct run *r)
{
	if (!r->kept) {
		bool const one_text = r->vs->source == r->ps->source, vs_first = r->vs->at <= r->ps->at;
		const struct program *vs = r->vs_out, *ps = r->ps_out;
		r->vs_out = listing_update(r->arena, vs, one_text && !vs_first ? ps : NULL);
		r->ps_out = listing_update(r->arena, ps, one_text && vs_first ? vs : NULL);
	}
	r->vs_text.n = r->ps_text.n = 0;
	if (is_lane_lost(r, r->vs) || is_lane_lost(r, r->ps))
		return run_reject(r);
	r->both_given = !is_alone(r) && is_given(r, r->vs, r->vs_out) && is_given(r, r->ps, r->ps_out);
	print(r, &r->vs_text, r->vs, r->vs_out);
	print(r, &r->ps_text, r->ps, r->ps_out);
	if ((r->options->one_text || r->vs->source == r->ps->source) && (is_compiled(r, r->vs) || is_compiled(r, r->ps))) {
		diag_add(&r->diags, DIAG_ERROR, "bytecode", r->vs->source, SRCPOS_NONE,
		         "bytecode is a file for each program: it cannot be written to one file, nor to standard output");
		return run_reject(r);
	}
	return true;
}

struct text run_given_listing(const struct run *r, enum stage stage)
{
	const struct program *given = stage == STAGE_VERTEX ? r->vs : r->ps;
	struct text t = {.arena = r->arena};
	if (is_spelled_anew(r->options) || is_compiled(r, given))
		print_program(&t, given);
	else if (is_alone(r) && respell_can(given->source))
		text_bytes(&t, given->source->text, given->source->size);
	else
		print_as_source(&t, given, given, is_alone(r));
	return t;
}

struct text run_listing(const struct run *r, enum stage stage)
{
	const struct source *s = (stage == STAGE_VERTEX ? r->vs_new : r->ps_new)->source;
	return s->bytecode ? (struct text){.at = arena_copy(r->arena, s->text, s->size), .n = s->size}
	                   : stage == STAGE_VERTEX ? r->vs_text : r->ps_text;
}

/* Reads a printed text again, and returns its program of p's stage, or NULL if the text has errors or not exactly `programs` programs.  The
 * program keeps a copy of the bytes, so that run_proves() can compare them with what is written. */
static struct program *reread(struct run *r, const struct program *p, const struct text *text, uint32_t programs,
                                    struct diags *said)
{
	struct source *source = arena_alloc(r->arena, sizeof *source);
	*source = (struct source){
		.name = p->source ? p->source->name : "", .text = arena_copy(r->arena, text->n ? text->at : "", text->n), .size = text->n};
	struct program_list list = parse_programs(r->arena, source, said);
	struct program *found = NULL;
	for (uint32_t k = 0; k < list.n; k++)
		found = program_stage(list.at[k]) == program_stage(p) ? list.at[k] : found;
	return said->errors || list.n != programs ? NULL : found;
}

/* Checks the rules of the program's model, and reads what its comments say about constants.  Returns false if there is an error. */
static bool keeps_rules(struct run *r, struct program *p, struct diags *said)
{
	check_program(p, &(struct check_options){.unwritten_warns = true, .errors_only = true, .device = &r->options->device}, said);
	needs_read(r->arena, p, said);
	return !said->errors;
}

/* Returns true if the comments of a program that was kept as it is tell all constants that the application must set for it.  They may tell
 * more, such as constants for other pixel programs. */
static bool says_at_least(struct arena *a, const struct program *kept, const struct program *read)
{
	struct needs all = {0};
	needs_add(a, &all, &read->needs, program_stage(read));
	uint32_t const consts = all.consts.n, folds = all.folds.n;
	needs_add(a, &all, &kept->needs, program_stage(read));
	return all.consts.n == consts && all.folds.n == folds;
}

/* Returns true if the comments of a new program, read again, tell exactly the constants that were to be told. */
static bool says_needs(struct arena *a, const struct program *written, const struct program *read)
{
	struct text t[2] = {{.arena = a}, {.arena = a}};
	needs_print(&t[0], &written->needs);
	needs_print(&t[1], &read->needs);
	return t[0].n == t[1].n && (!t[0].n || memcmp(t[0].at, t[1].at, t[0].n) == 0);
}

static const char *rule_broken(struct run *r, const char *stage, const struct diags *said)
{
	const char *what = "it is not one program of its model";
	for (uint32_t i = said->n; i-- > 0;)
		if (said->at[i].severity == DIAG_ERROR)
			what = said->at[i].text;
	return arena_printf(r->arena, "the new %s program breaks a rule: %s", stage, what);
}

static bool is_text_of(const struct program *p, const struct text *t)
{
	const struct source *s = p->source;
	size_t const n = s->bytecode ? s->bytecode->size : s->size;
	return n == t->n && (n == 0 || memcmp(s->bytecode ? s->bytecode->bytes : s->text, t->at, n) == 0);
}

/* Returns true if the texts to be written are the given ones, byte for byte, so that they need not be read again. */
static bool is_input(const struct run *r, const struct text *vs, const struct text *ps)
{
	return is_alone(r) && r->vs_out == r->vs && r->ps_out == r->ps && is_text_of(r->vs, vs) && is_text_of(r->ps, ps);
}

/* Reads the written texts again, which may be one text with both programs, and checks them: makes vs_new and ps_new.  Returns NULL, or a sentence
 * on what is wrong. */
static const char *read_again(struct run *r, const struct text *vs, const struct text *ps)
{
	struct diags said;
	uint32_t programs = vs == ps ? 2 : 1;
	diag_init(&said, r->arena);
	if (is_input(r, vs, ps)) {
		r->vs_new = r->vs;
		r->ps_new = r->ps;
		/* Checks the FP again, since step_check() may have let it pass although it is too long. */
		check_program(r->ps_alone, &(struct check_options){.unwritten_warns = true, .errors_only = true, .device = &r->options->device}, &said);
		return said.errors ? rule_broken(r, "pixel", &said) : NULL;
	}
	struct program *vs_new = reread(r, r->vs_out, vs, programs, &said);
	struct program *ps_new = vs_new ? reread(r, r->ps_out, ps, programs, &said) : NULL;
	/* Checks the programs before they are linked: after that, lanes of several v# may be those of one t#. */
	r->vs_new = vs_new && keeps_rules(r, vs_new, &said) ? vs_new : NULL;
	r->ps_new = r->vs_new && ps_new && keeps_rules(r, ps_new, &said) ? ps_new : NULL;
	if (r->ps_new)
		link_pair(vs_new, ps_new, &said);
	if (said.errors)
		r->ps_new = NULL;
	if (r->ps_new)
		return (r->kept ? says_at_least : says_needs)(r->arena, r->vs_out, r->vs_new) &&
		                       (r->kept ? says_at_least : says_needs)(r->arena, r->ps_out, r->ps_new)
		               ? NULL : "the new programs' comments do not say what the application must set";
	return rule_broken(r, r->vs_new ? "pixel" : "vertex", &said);
}

static void find_names(struct run *r)
{
	for (uint32_t k = 0; k < r->needs.consts.n; k++) {
		struct const_map *map = &r->needs.consts.at[k];
		map->by_name = by_name_sets(r->vs_new, map->vs, r->ps, map->ps);
	}
}

/* Withholds FP constants (forbids to copy them to the VP) of which the new VP has copies that its table does not name, and all of the arrays that
 * these belong to.  Returns true if there are any that were not withheld before. */
static bool withhold_unnamed(struct run *r)
{
	bool any = false;
	for (uint32_t k = 0; r->options->by_name && !r->kept && k < r->needs.consts.n; k++) {
		const struct const_map *map = &r->needs.consts.at[k];
		int first, n = listing_extent(r->ps, map->ps, &first);
		for (int c = first; !map->by_name && c < first + n; c++) {
			any |= !register_is_in(&r->withheld, c);
			register_put_in(&r->withheld, c);
		}
	}
	return any;
}

/* Returns true if names set all constants that only the new pair needs, or if constants need no names (no `by_name`). */
static bool names_all(const struct run *r)
{
	bool all = true;
	for (uint32_t k = 0; r->options->by_name && k < r->needs.consts.n; k++) {
		bool given = false;
		for (uint32_t j = 0; j < r->given.consts.n; j++)
			given |= r->given.consts.at[j].vs == r->needs.consts.at[k].vs;
		all &= given || r->needs.consts.at[k].by_name;
	}
	return all;
}

/* Makes the given programs the result: writes them, reads them again and proves them.  Returns false if that fails. */
static bool write_given(struct run *);

/* Writes the pair as it was given, with a note: each plan needs a constant that no name sets. */
static bool keep_unnamed(struct run *r)
{
	diag_add(&r->diags, DIAG_NOTE, "effect", r->ps->source, r->ps->at,
	         "this pair stays as it is: the effect has no name that would set a constant which the new vertex program reads");
	r->moved = NULL;
	return write_given(r);
}

/* Reads the printed texts again: makes vs_new and ps_new from vs_text and ps_text.  If a constant of the new VP has no name, plans the pair again
 * without it; a run of a group returns false with `again` set, for its group to be planned again. */
bool step_reread(struct run *r)
{
	const char *wrong = read_again(r, &r->vs_text, &r->ps_text);
	if (!wrong) {
		find_names(r);
		if (!withhold_unnamed(r))
			return names_all(r) || keep_unnamed(r);
		r->again = r->together;
		if (r->again)
			return run_reject(r);
		return step_move(r) && step_fit(r) && step_print(r) && step_reread(r);
	}
	return is_unmended(r) ? run_reject(r) : run_fault(r, wrong);
}

static void prove_new(struct run *r)
{
	struct proof_context const context = run_context(r);
	arena_begin_scratch(r->arena);
	r->proof = prove(r->arena, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &context);
	arena_end_scratch(r->arena);
	r->proof.why = r->proof.why ? arena_printf(r->arena, "%s", r->proof.why) : NULL;
	arena_drop_scratch(r->arena);
	r->proved = true;
}

/* Returns true if a pixel program that shows interpolator oTn (texcoordn) is proven to show the same with the new VP as with the given one, or if
 * the given one does not write oTn. */
static bool shows_the_same(struct run *r, unsigned n, const struct proof_context *context)
{
	struct program *old_ps = stand_in_reader(r->arena, r->vs, n), *new_ps = stand_in_reader(r->arena, r->vs, n);
	struct program *old_vs = program_copy(r->arena, r->vs), *new_vs = program_copy(r->arena, r->vs_new);
	struct diags said;
	diag_init(&said, r->arena);
	if (!old_ps)
		return true;
	link_pair(old_vs, old_ps, &said);
	link_pair(new_vs, new_ps, &said);
	return !said.errors && prove(r->arena, (struct pair){old_vs, old_ps}, (struct pair){new_vs, new_ps}, context).equal;
}

/* Returns true if the new VP keeps what the given one writes to each interpolator in the option `keep_inputs`. */
static bool keeps_inputs(struct run *r)
{
	struct proof_context context = run_context(r);
	struct folds of_vs = {0};
	bool all = true;
	for (uint32_t k = 0; k < context.nfolds; k++)
		if (context.folds[k].stage == STAGE_VERTEX)
			VEC_PUSH(r->arena, &of_vs) = context.folds[k];
	context.folds = of_vs.at;
	context.nfolds = of_vs.n;
	for (unsigned n = 0; n < 16 && r->options->keep_inputs && r->vs_new != r->vs; n++)
		all = all && (!(r->options->keep_inputs >> n & 1) || shows_the_same(r, n, &context));
	return all;
}

/* Returns true if the proof of the new programs succeeded; otherwise the run fails. */
static bool passed_proof(struct run *r)
{
	return r->proof.equal || run_fault(r, r->proof.why ? r->proof.why : "the proof failed");
}

/* Returns true if the proof succeeded and the interpolators of `keep_inputs` have the values that they had; otherwise the run fails. */
static bool judge_proof(struct run *r)
{
	return passed_proof(r) && (keeps_inputs(r) || run_fault(r, "an interpolator that was to be kept has something else"));
}

static bool write_given(struct run *r)
{
	run_keep_given(r);
	if (!step_fit(r) || !step_print(r) || !step_reread(r))
		return false;
	prove_new(r);
	return passed_proof(r);
}

static bool move_anew(struct run *r)
{
	return step_move(r) && step_fit(r) && step_print(r) && step_reread(r) && step_prove(r);
}

/* Proves that the programs, as read again, are the same function as the given ones.  If the proof refutes a plan of a pair with flow control,
 * plans again in a way that changes less.  If the proof doubts moved programs (they are equal in real numbers, but may be less exact, see struct
 * proof), plans a pair of -O3 again at -O2, which keeps the order of sums, and keeps the given programs at lower levels and in groups of pairs.
 * In all other cases a failed proof is a fault of fpmove. */
bool step_prove(struct run *r)
{
	prove_new(r);
	if (!r->proof.equal && around_is_refuted(r))
		return move_anew(r);
	if (!r->proof.equal && r->proof.doubts && r->moved) {
		if (run_budgets(r).level > 2 && !r->together) {
			r->doubts_3 = true;
			r->refuted = 0;
			return move_anew(r);
		}
		r->moved = NULL;
		return write_given(r);
	}
	return judge_proof(r);
}

bool run_proves(struct run *r, const struct text *vs, const struct text *ps)
{
	if (!run_writes_vs(r))
		vs = &r->vs_text;
	if (r->proved && r->proof.equal && is_text_of(r->vs_new, vs) && is_text_of(r->ps_new, ps))
		return true;
	const char *wrong = read_again(r, vs, ps);
	if (!wrong && step_prove(r))
		return true;
	return run_fault(r, arena_printf(r->arena, "what would be written is not what was proven: %s", wrong ? wrong : r->fault));
}

/* Returns the index of the given FP's instruction at this place of the text, or UINT32_MAX if there is none.  Ignores instructions made of an
 * _abs, which have the place of the instruction with that modifier. */
static uint32_t instr_at(const struct program *ps, srcpos at)
{
	for (uint32_t k = 0; at != SRCPOS_NONE && k < ps->instrs.n; k++)
		if (ps->instrs.at[k].at == at && !instr_is_modifier(&ps->instrs.at[k]))
			return k;
	return UINT32_MAX;
}

/* Leaves NULL for instructions that stand for an _abs, since they may have another place once the text is read again. */
const struct instr *const *run_printed(const struct run *r, enum stage stage)
{
	const struct program *out = stage == STAGE_PIXEL ? r->ps_out : r->vs_out, *new = stage == STAGE_PIXEL ? r->ps_new : r->vs_new;
	if (out == new && out != (stage == STAGE_PIXEL ? r->ps : r->vs)) /* the text was adopted from another run */
		return NULL;
	const struct instr **printed = arena_zero(r->arena, (new->instrs.n + 1) * sizeof *printed);
	uint32_t from = 0;
	for (uint32_t j = 0; j < new->instrs.n; j++) {
		if (instr_is_modifier(&new->instrs.at[j]))
			continue;
		while (from < out->instrs.n && instr_is_modifier(&out->instrs.at[from]))
			from++;
		if (from == out->instrs.n || out->instrs.at[from].op != new->instrs.at[j].op)
			return NULL;
		printed[j] = &out->instrs.at[from++];
	}
	return printed;
}

const uint32_t *run_origins(const struct run *r)
{
	const struct instr *const *printed = run_printed(r, STAGE_PIXEL);
	uint32_t *origins = arena_alloc(r->arena, (r->ps_new->instrs.n + 1) * sizeof *origins);
	for (uint32_t j = 0; printed && j < r->ps_new->instrs.n; j++)
		origins[j] = printed[j] ? instr_at(r->ps, printed[j]->at) : UINT32_MAX;
	return printed ? origins : NULL;
}

/* Finds the outcomes of the given FP's instructions.  Fails the run and returns false if the proof, which is repeated for this, does not succeed
 * again. */
static bool find_what_became(struct run *r)
{
	struct proof_context const context = run_context(r);
	r->outcomes = find_outcomes(r->arena, (struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &context, run_origins(r));
	return r->outcomes || run_fault(r, "the proof did not succeed twice");
}

/* Returns true if the new programs are better by any one measure: model, cost, slots, dependent reads or inputs. */
static bool is_better(const struct run *r)
{
	const struct measure *v0 = &r->vs_before, *v1 = &r->vs_after, *p0 = &r->ps_before, *p1 = &r->ps_after;
	struct costs const cost = run_costs(r);
	return r->ps->model != r->ps_out->model || cost.after < cost.before || p1->slots < p0->slots || p1->order < p0->order ||
	       p1->inputs < p0->inputs || v1->slots < v0->slots;
}

static void measure_after(struct run *r)
{
	r->vs_after = r->vs_new == r->vs || r->stands_in ? r->vs_before : run_measure(modifier_contracted(r->arena, r->vs_new));
	r->ps_after = r->ps_new == r->ps ? r->ps_before : run_measure(modifier_contracted(r->arena, r->ps_new));
}

static bool set_done(struct run *r, bool better)
{
	r->status = better ? RUN_IMPROVED : RUN_UNCHANGED;
	return !r->options->outcomes || find_what_became(r);
}

bool run_take_given(struct run *r)
{
	if (!write_given(r))
		return false;
	measure_after(r);
	return set_done(r, false);
}

bool run_serve(struct run *r, const struct run *by)
{
	run_keep_given(r);
	if (!r->leaves)
		r->stays = "its vertex programs are drawn with other pixel programs, for which one changes";
	r->vs_out = by->vs_out;
	r->vs_text.n = r->ps_text.n = 0;
	text_bytes(&r->vs_text, by->vs_text.at, by->vs_text.n);
	print(r, &r->ps_text, r->ps, r->ps_out);
	if (read_again(r, &r->vs_text, &r->ps_text))
		return false;
	prove_new(r);
	measure_after(r);
	return r->proof.equal && set_done(r, false);
}

/* Returns a copy of the VP without the interpolators that the FP does not read, and without the instructions that only compute these.  Returns a
 * VP with flow control as it is. */
static const struct program *vertex_program_for(struct arena *a, const struct program *vs, const struct program *ps)
{
	struct outputs_read const read = outputs_read_by(ps);
	struct program *p = program_copy(a, vs);
	uint32_t kept = 0;
	if (program_flows(vs))
		return vs;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (i->dst.file != REG_TEX_OUT || i->dst.index >= MOST_TEXCOORDS || instr_writes(i) & read.texcoord[i->dst.index])
			p->instrs.at[kept++] = *i;
	}
	p->instrs.n = kept;
	regs_remove_dead(a, p);
	return p;
}

/* Sets the run's needs: the constants that the application sets for the new pair, as the comments of both programs tell, and the literals of the
 * new texts that fpmove computed.  Leaves out constants that the VP needs only for other FPs. */
static void take_needs(struct run *r, struct program *vs, struct program *ps, const struct new_text *const new[2])
{
	struct needs all = {0}, own = {0};
	struct diags unsaid = {0};
	needs_of_pair(r->arena, vs, ps, &unsaid, &all);
	const struct program *for_ps = vertex_program_for(r->arena, vs, ps);
	for (uint32_t k = 0; k < all.consts.n; k++) {
		struct const_map map = all.consts.at[k];
		map.name = map.name ? map.name : listing_name(r->arena, r->ps, map.ps);
		if (program_reads(for_ps, REG_CONST, map.vs))
			VEC_PUSH(r->arena, &own.consts) = map;
	}
	for (uint32_t k = 0; k < all.folds.n; k++)
		if (all.folds.at[k].stage == STAGE_PIXEL || program_reads(for_ps, REG_CONST, all.folds.at[k].index))
			VEC_PUSH(r->arena, &own.folds) = all.folds.at[k];
	for (unsigned stage = 0; stage < 2; stage++)
		for (uint32_t k = 0; new[stage] && k < new[stage]->literals.n; k++)
			VEC_PUSH(r->arena, &own.folds) = new[stage]->literals.at[k];
	r->needs = own;
}

bool run_adopt(struct run *r, const struct new_text *vs, const struct new_text *ps)
{
	struct diags said;
	diag_init(&said, r->arena);
	run_keep_given(r);
	r->together = false;
	r->stays = r->options->move.level ? "programs that share others are planned in turn, and no plan moved anything of it" : NULL;
	r->vs_text.n = r->ps_text.n = 0;
	if (vs)
		text_bytes(&r->vs_text, vs->text.at, vs->text.n);
	else
		print(r, &r->vs_text, r->vs, run_as_written(r->arena, r->vs));
	if (ps)
		text_bytes(&r->ps_text, ps->text.at, ps->text.n);
	else
		print(r, &r->ps_text, r->ps, r->keeps_model ? r->ps : run_as_written(r->arena, r->ps));
	struct program *vs_new = reread(r, r->vs, &r->vs_text, 1, &said);
	struct program *ps_new = vs_new ? reread(r, r->ps, &r->ps_text, 1, &said) : NULL;
	if (!ps_new || (vs && !keeps_rules(r, vs_new, &said)) || (ps && !keeps_rules(r, ps_new, &said)))
		return run_fault(r, rule_broken(r, ps_new && ps ? "pixel" : "vertex", &said));
	if (!vs)
		needs_read(r->arena, vs_new, &said);
	if (!ps)
		needs_read(r->arena, ps_new, &said);
	link_pair(vs_new, ps_new, &said);
	if (said.errors)
		return run_fault(r, rule_broken(r, "pixel", &said));
	take_needs(r, vs_new, ps_new, (const struct new_text *const[2]){vs, ps});
	r->vs_out = vs ? vs_new : r->vs;
	r->ps_out = ps ? ps_new : r->ps;
	r->vs_new = vs_new;
	r->ps_new = ps_new;
	find_names(r);
	prove_new(r);
	return judge_proof(r);
}

bool run_finish_adopted(struct run *r)
{
	run_tell_level(r);
	r->together = true; /* keeps step_fit() from planning the adopted programs again */
	if (!step_fit(r) || (r->ps_out != r->ps_new && is_unmended(r)))
		return run_reject(r);
	r->kept = false;
	r->fault = NULL;
	measure_after(r);
	return set_done(r, is_better(r));
}

bool step_finish(struct run *r)
{
	measure_after(r);
	bool const better = is_better(r);
	/* If nothing moved and nothing is better, writes the given programs: a text that differs would only cost its reader time. */
	if (!better && !r->kept && !r->together && r->moved->moved == 0)
		return run_take_given(r);
	return set_done(r, better);
}
