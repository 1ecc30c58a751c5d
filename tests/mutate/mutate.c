/* Damages every rewritten example in every way of damage.c and asks the proof: it must refute a mutant that is another function.  The
 * interpreter must see no difference in a mutant that the proof accepts, which is counted with the reason why it is the same function.
 * Prints TAP, one test for each kind of damage. */
#include "damage.h"

#include "lang/preprocess.h"
#include "lang/print.h"
#include "pipeline.h"
#include "verify/interp.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- what makes a mutant the same function ----------------------------------------- */

enum reason {
	SAME_TEXT,       /* nothing was changed: not counted as a mutant */
	UNREAD_LETTER,   /* a swizzle letter of a lane that the instruction does not read */
	COMMUTED,        /* the operands of a sum, product or maximum in the other order */
	DEAD,            /* nothing reads what the change reaches */
	MINUS_ZERO,      /* 0 and -0 */
	EVEN,            /* the sign of a value that is only squared, or made absolute */
	INDEPENDENT,     /* instructions in another order that do not depend on each other */
	SAME_VALUE,      /* the lanes taken instead hold the same value */
	REASONS
};
static const char *const reason_names[REASONS] = {
	"nothing changed", "a letter that is not read", "operands that may change places", "nothing reads the result",
	"minus zero", "the sign of an even function's operand", "order of independent instructions", "another way to the same value",
};

/* Lanes of c# that instructions read. */
static lanes read_lanes(const struct program *p, enum reg_file file, int index)
{
	lanes read = 0;
	for (uint32_t n = 0; n < p->instrs.n; n++) {
		const struct instr *i = &p->instrs.at[n];
		for (unsigned s = 0; s < sources(i); s++) {
			int rows = (int)instr_rows(i, s), from = i->src[s].index;
			if (i->src[s].file == file && !i->src[s].relative && from <= index && index < from + rows)
				read |= instr_reads(p, i, s);
		}
	}
	return read;
}

/* Finds the lanes of each instruction on which any output depends; a VP output counts if `ps` reads it.  With ps = NULL the position
 * and addresses alone count. */
static lanes *find_needed(struct arena *arena, const struct program *p, const struct program *ps)
{
	lanes *needed = arena_zero(arena, p->instrs.n + 1), temp[32] = {0}, out[REG_FILES][8];
	memset(out, MASK_XYZW, sizeof out);
	for (uint32_t k = 0; k < p->instrs.n; k++)
		needed[k] = instr_writes(&p->instrs.at[k]);
	if (program_flows(p))
		return needed; /* other work that runs before an output is written does not count */
	for (int index = 0; index < 8; index++) {
		out[REG_TEX_OUT][index] = ps ? read_lanes(ps, REG_TEXCOORD, index) : 0;
		out[REG_COLOUR_OUT][index] = ps ? read_lanes(ps, REG_INPUT, index) : 0;
	}
	if (!ps)
		out[REG_FOG_OUT][0] = out[REG_SIZE_OUT][0] = 0;
	bool address = !ps;
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		lanes need = instr_writes(i);
		if (need && i->dst.file == REG_ADDRESS) {
			need = address ? need : 0;
		} else if (need) {
			lanes *to = i->dst.file == REG_TEMP ? &temp[i->dst.index] : &out[i->dst.file][i->dst.index & 7];
			need &= *to;
			*to &= (lanes)~i->dst.mask;
		}
		needed[k] = need;
		if (!need && i->op != OP_TEXKILL)
			continue;
		for (unsigned s = 0; s < sources(i); s++) {
			if (i->src[s].file == REG_TEMP)
				temp[i->src[s].index] |= swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, need));
			address = address || i->src[s].relative;
		}
	}
	return needed;
}

static bool same_source(const struct program *p, const struct instr *a, unsigned s, const struct instr *b, unsigned t,
                        lanes written)
{
	const struct src *x = &a->src[s], *y = &b->src[t];
	lanes read = instr_operand_lanes(p, a, s, written);
	if (is_sampler(x) && is_sampler(y))
		return x->index == y->index;
	if (!read && !is_sampler(x))
		return true;
	if (x->file != y->file || x->index != y->index || x->relative != y->relative || x->negate != y->negate)
		return false;
	for (unsigned l = 0; l < LANES; l++)
		if (read >> l & 1 && swizzle_lane(x->swizzle, l) != swizzle_lane(y->swizzle, l))
			return false;
	return true;
}

/* Returns whether both instructions compute the same in the lanes `need`. */
static bool same_instr(const struct program *p, const struct instr *a, const struct instr *b, lanes need, bool swapped)
{
	if (a->op != b->op || ((a->flags ^ b->flags) & INSTR_SAT) || (instr_writes(a) & need) != (instr_writes(b) & need))
		return false;
	if (need && (a->dst.file != b->dst.file || a->dst.index != b->dst.index))
		return false;
	for (unsigned s = 0; s < sources(a); s++)
		if (!same_source(p, a, s, b, swapped && s < 2 ? 1 - s : s, need))
			return false;
	return true;
}

static enum reason explain_decl(const struct program *old, const struct program *new, uint32_t k)
{
	const struct decl *a = &old->decls.at[k], *b = &new->decls.at[k];
	lanes read = read_lanes(old, (enum reg_file)a->reg.file, a->reg.index);
	if (old->decls.n != new->decls.n || a->kind != DECL_DEF)
		return read ? SAME_VALUE : DEAD;
	bool zero = true;
	for (unsigned l = 0; l < LANES; l++) {
		if (memcmp(&a->value[l], &b->value[l], sizeof(float)) == 0)
			continue;
		if (!(read >> l & 1))
			return DEAD;
		zero = zero && a->value[l] == b->value[l];
	}
	return zero ? MINUS_ZERO : SAME_VALUE;
}

/* Returns whether the instruction gives the same for x and -x in its operand s. */
static bool even(const struct instr *a, const struct instr *b)
{
	if (a->op == OP_ABS || a->op == OP_LOG || a->op == OP_RSQ || a->op == OP_LOGP)
		return true;
	if (a->op == OP_POW)
		return a->src[0].negate != b->src[0].negate;
	return false;
}

static enum reason explain(struct arena *arena, const struct program *old, const struct program *new,
                           const struct program *ps, uint32_t k, enum damage kind)
{
	if (damage_kinds[kind].of_decl)
		return explain_decl(old, new, k);
	if (kind == DAMAGE_ORDER_CHANGED || kind == DAMAGE_LEFT_BLOCK || kind == DAMAGE_END_MOVED || kind == DAMAGE_BRANCHES_SWAPPED)
		return INDEPENDENT;
	lanes need = find_needed(arena, old, ps)[k];
	if (kind == DAMAGE_INSTR_DROPPED)
		return need ? SAME_VALUE : DEAD;
	if (kind == DAMAGE_BREAK_REMOVED)
		return SAME_VALUE;
	const struct instr *a = &old->instrs.at[k], *b = &new->instrs.at[k];
	lanes need_new = find_needed(arena, new, ps)[k];
	lanes all = instr_writes(a) | instr_writes(b);
	if (kind == DAMAGE_NEIGHBOUR_OVERWRITTEN)
		return need | need_new ? SAME_VALUE : DEAD;
	if (same_instr(old, a, b, all, false))
		return UNREAD_LETTER;
	if (ops[a->op].flags & OPF_SWAP && same_instr(old, a, b, all, true))
		return COMMUTED;
	if (a->op == OP_NOP || (a->op != OP_TEXKILL && !(need | need_new)) || same_instr(old, a, b, need | need_new, false))
		return DEAD;
	return kind == DAMAGE_SIGN_CHANGED && even(a, b) ? EVEN : SAME_VALUE;
}

/* --- the runs --------------------------------------------------------------------- */


static struct {
	unsigned long mutants, refuted, same[REASONS], accepted_wrongly;
} counts[DAMAGES];
static unsigned long rounded_positions; /* mutants equal in real numbers that the proof refutes because the position rounds otherwise */
static bool verbose;

static bool interpreter_agrees(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c,
                               unsigned primitives)
{
	struct measure_options o = {.primitives = primitives, .context = *c};
	struct measured m = measure(arena, old, new, &o);
	bool agrees = m.lanes > 0 && m.kills_apart == 0;
	for (unsigned k = 0; k < m.lanes; k++)
		agrees = agrees && m.lane[k].apart <= 8 * m.lane[k].noise + 1e-6 * m.lane[k].gain;
	return agrees;
}

static void one_mutant(struct arena *arena, unsigned kind, struct pair old, struct pair good, const struct program *damaged,
                       uint32_t k, const struct proof_context *c)
{
	bool vertex = program_stage(damaged) == STAGE_VERTEX;
	struct pair new = {vertex ? damaged : good.vs, vertex ? good.ps : damaged};
	const struct program *whole = vertex ? good.vs : good.ps;
	if (whole->instrs.n == damaged->instrs.n && whole->decls.n == damaged->decls.n &&
	    memcmp(whole->instrs.at, damaged->instrs.at, whole->instrs.n * sizeof *whole->instrs.at) == 0 &&
	    memcmp(whole->decls.at, damaged->decls.at, whole->decls.n * sizeof *whole->decls.at) == 0)
		return;
	counts[kind].mutants++;
	struct proof p = prove(arena, old, new, c);
	struct proof_context freely = *c;
	freely.free_position = true;
	if (!p.equal) {
		counts[kind].refuted++;
		rounded_positions += kind == DAMAGE_REGROUPED && prove(arena, old, new, &freely).equal;
		return;
	}
	if (kind == DAMAGE_REGROUPED && vertex && !program_flows(whole) && find_needed(arena, whole, NULL)[k]) {
		counts[kind].accepted_wrongly++;
		printf("# the position is rounded otherwise: number %u\n", (unsigned)k + 1);
	}
	if (kind == DAMAGE_UNROUNDED && !program_flows(whole) && find_needed(arena, whole, good.ps)[k]) {
		counts[kind].accepted_wrongly++;
		printf("# no rounding any more: number %u\n", (unsigned)k + 1);
	}
	enum reason reason = explain(arena, whole, damaged, new.ps, k, (enum damage)kind);
	counts[kind].same[reason]++;
	bool agrees = interpreter_agrees(arena, old, new, c, reason == SAME_VALUE ? 4 : 1);
	if (!agrees)
		counts[kind].accepted_wrongly++;
	if (!agrees || (verbose && reason == SAME_VALUE)) {
		struct text before = {.arena = arena}, after = {.arena = arena};
		print_program(&before, whole);
		print_program(&after, damaged);
		printf("# %s: %s, number %u\n", agrees ? "same value" : "the interpreter differs", damage_kinds[kind].name, (unsigned)k + 1);
		printf("# before\n%s# after\n%s", before.at, after.at);
	}
}

/* In a long program each kind damages about this many statements, evenly spread, and each kind others. */
enum { STATEMENTS_EACH = 16 };

static void all_mutants(struct pair old, struct pair good, const struct proof_context *c)
{
	struct arena arena;
	arena_init(&arena, NULL);
	for (unsigned kind = 0; kind < DAMAGES; kind++) {
		for (unsigned side = 0; side < 2; side++) {
			const struct program *p = side ? good.ps : good.vs;
			uint32_t n = damage_kinds[kind].of_decl ? p->decls.n : p->instrs.n;
			uint32_t const step = 1 + n / STATEMENTS_EACH;
			for (uint32_t k = kind % step; k < n; k += step) {
				for (unsigned turn = 0;; turn++) {
					arena_reset(&arena);
					struct program *damaged = program_copy(&arena, p);
					if (!damage_kinds[kind].apply(damaged, k, turn))
						break;
					if (!program_flows(damaged) || damage_nests(damaged))
						one_mutant(&arena, kind, old, good, damaged, k, c);
				}
			}
		}
	}
	arena_free(&arena);
}

static bool read_file(struct arena *arena, const char *folder, const char *name, struct source *to)
{
	char path[1024];
	snprintf(path, sizeof path, "examples/%s/%s", folder, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	char *text = arena_alloc(arena, 1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	*to = (struct source){.name = arena_printf(arena, "%s", path), .text = text, .size = n};
	return true;
}

/* Damages one example at -O2, and at -O3 if the result differs.  The proof gets no information from the mover. */
static bool example(const char *folder, unsigned *pairs)
{
	struct arena arena;
	arena_init(&arena, NULL);
	struct source sources[2];
	const char *seen = NULL;
	bool good = read_file(&arena, folder, "vp.vsh", &sources[0]) && read_file(&arena, folder, "fp.psh", &sources[1]);
	for (unsigned k = 0; k < 2 && good; k++) {
		struct diags diags;
		struct source expanded;
		diag_init(&diags, &arena);
		if (preprocess_wanted(&sources[k], &(struct preprocess_options){0})) {
			good = preprocess(&arena, &sources[k], &(struct preprocess_options){0}, &expanded, &diags);
			sources[k] = expanded;
		}
	}
	for (int level = 2; level <= 3 && good; level++) {
		struct run_options *o = arena_zero(&arena, sizeof *o);
		o->move.level = level;
		struct run *r = arena_zero(&arena, sizeof *r);
		run_init(r, &arena, sources, 2, o);
		run_all(r);
		good = (r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED) && r->vs_new && r->ps_new;
		if (!good) {
			printf("# -O%d: status %u, %s %s\n", level, (unsigned)r->status, r->fault ? r->fault : "",
			       r->diags.n ? r->diags.at[0].text : "");
			break;
		}
		const char *text = arena_printf(&arena, "%s%s", r->vs_text.at, r->ps_text.at);
		if (seen && strcmp(seen, text) == 0)
			continue;
		seen = text;
		struct proof_context const c = run_context(r);
		all_mutants((struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &c);
		++*pairs;
	}
	arena_free(&arena);
	return good;
}

int main(int argc, char **argv)
{
	verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	DIR *folder = opendir("examples");
	unsigned pairs = 0, broken = 0;
	if (!folder) {
		perror("examples");
		return 2;
	}
	for (struct dirent *e; (e = readdir(folder));)
		if (!strchr(e->d_name, '.') /* a file */ && !example(e->d_name, &pairs)) {
			printf("# %s could not be rewritten\n", e->d_name);
			broken++;
		}
	closedir(folder);
	broken += !example("../tests/golden/position", &pairs);
	broken += !example("../tests/golden/rounding", &pairs) || !example("../tests/golden/rounding_stages", &pairs);
	static const char *const linked[] = {"", "_abs_costs", "_half_fed", "_last_outputs", "_turned_coordinates", "_two_inputs_of_one", "_unfed_parts"};
	for (unsigned k = 0; k < sizeof linked / sizeof *linked; k++) {
		char folder_of[64];
		snprintf(folder_of, sizeof folder_of, "../tests/golden/model_3%s", linked[k]);
		broken += !example(folder_of, &pairs);
	}
	static const char *const flows[] = {"flow_control", "flow_control_vertex", "flow_ps_2_x", "flow_vs_2_0", "flow_inputs"};
	for (unsigned k = 0; k < sizeof flows / sizeof *flows; k++) {
		char folder_of[64];
		snprintf(folder_of, sizeof folder_of, "../tests/golden/%s", flows[k]);
		broken += !example(folder_of, &pairs);
	}
	unsigned long const depths = counts[DAMAGE_DEPTH_CHANGED].refuted;
	broken += !example("../tests/golden/depth_bias", &pairs) || !example("../tests/golden/depth_interpolated", &pairs);
	printf("%s 1 - every example is rewritten\n", broken ? "not ok" : "ok");
	unsigned long mutants = 0, refuted = 0, same[REASONS] = {0};
	for (unsigned kind = 0; kind < DAMAGES; kind++) {
		bool good = !counts[kind].accepted_wrongly;
		mutants += counts[kind].mutants;
		refuted += counts[kind].refuted;
		printf("%s %u - %s: %lu mutants, %lu refuted", good ? "ok" : "not ok", kind + 2, damage_kinds[kind].name,
		       counts[kind].mutants, counts[kind].refuted);
		for (unsigned r = 0; r < REASONS; r++) {
			same[r] += counts[kind].same[r];
			if (counts[kind].same[r])
				printf("; %lu: %s", counts[kind].same[r], reason_names[r]);
		}
		printf("\n");
	}
	printf("%s %u - positions that are regrouped: %lu equal in real numbers, and refuted\n", rounded_positions ? "ok" : "not ok", DAMAGES + 2u,
	       rounded_positions);
	printf("%s %u - depths that are compared count: %lu refuted\n", counts[DAMAGE_DEPTH_CHANGED].refuted > depths ? "ok" : "not ok",
	       DAMAGES + 3u, counts[DAMAGE_DEPTH_CHANGED].refuted);
	printf("%s %u - sums that round count: %lu refuted\n", counts[DAMAGE_UNROUNDED].refuted ? "ok" : "not ok", DAMAGES + 4u,
	       counts[DAMAGE_UNROUNDED].refuted);
	printf("# %u rewritten pairs, %u kinds of damage, %lu mutants: %lu refuted, %lu the same function:\n", pairs, DAMAGES,
	       mutants, refuted, mutants - refuted);
	for (unsigned r = 0; r < REASONS; r++)
		if (same[r])
			printf("#   %lu %s\n", same[r], reason_names[r]);
	return 0;
}
