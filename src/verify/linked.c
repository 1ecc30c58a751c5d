/* Checks that the programs of model 3 on which the proof runs are linked as their texts say.
 *
 * A pair of model 3 links by usages, lane by lane: a lane that the VP writes in an o# declared dcl_texcoord3 is read from the
 * same lane of the v# declared dcl_texcoord3, whatever the register numbers.  The proof runs programs with oT# and t# instead,
 * in which every _abs is an instruction; lang makes these.  This check compares them with the programs as the text has them
 * (struct program, `text`), by Direct3D's rule.  It uses nothing of lang but struct program.
 *
 * It does not find errors of the reader in letters and tokens, nor any in programs without a text, which the mover has made and not
 * yet written.  The proof itself checks that two pairs interpolate alike, see side.h.
 *
 * Source: "dcl_usage output (sm3 - vs asm)", "dcl_semantics (sm3 - ps asm)". */
#include "verify/checks.h"

#include <string.h>

enum { REGISTERS = MOST_TEX_OUTS, USAGE_KINDS = 16 * USAGES, NO_USAGE = -1, UNSEEN = -1, TEMPS = 64 };

/* The usage and flags that a dcl gives one lane of an o# or v#. */
struct declared_lane {
	int16_t usage; /* 16 * usage + usage index, or NO_USAGE if no dcl names the lane */
	uint8_t flags;
};

/* The register (oT#, t# ...) that an o# or v# of the text has in the program that the proof runs. */
struct home {
	int file;   /* UNSEEN if no instruction names it */
	int index;
	lanes used; /* the lanes of an o# that the program writes, or of a v# that it reads */
};

struct side_of_link {
	struct arena *arena;
	const struct program *text, *run;
	enum reg_file own;               /* the register file that links the text: that of o# in a VP, of v# in an FP */
	struct declared_lane lane[REGISTERS][LANES];
	struct home home[REGISTERS];
	lanes of_abs[TEMPS];             /* the lanes of each temporary that were last written by an abs which stands for an _abs of the text */
	const struct instr *abs[TEMPS];  /* for each temporary, the abs before the current instruction that stands for an _abs; NULL if none */
	const char *wrong;
};

/* Notes the error `why`, unless an earlier error is noted, and returns false. */
static bool fails(struct side_of_link *l, const char *why)
{
	l->wrong = l->wrong ? l->wrong : why;
	return false;
}

static const char *usage_text(struct arena *a, int usage)
{
	return arena_printf(a, "%s%d", usage_names[usage / 16], usage % 16);
}

static bool is_own(const struct side_of_link *l, enum reg_file file)
{
	return file == l->own && !(l->own == REG_INPUT && program_stage(l->text) == STAGE_VERTEX);
}

/* --- declarations ------------------------------------------------------------------ */

static bool take_declaration(struct side_of_link *l, const struct decl *d)
{
	int const usage = 16 * d->usage + d->usage_index;
	if (d->reg.index < 0 || d->reg.index >= REGISTERS || d->usage >= USAGES || d->usage_index >= 16)
		return fails(l, "a declaration of model 3 names a register or usage that does not exist");
	for (int n = 0; n < REGISTERS; n++)
		for (unsigned k = 0; k < LANES; k++)
			if (n != d->reg.index && l->lane[n][k].usage == usage)
				return fails(l, arena_printf(l->arena, "%s is given to two registers, %s%d and %s%d", usage_text(l->arena, usage),
				                             reg_files[l->own].name, n, reg_files[l->own].name, d->reg.index));
	for (unsigned k = 0; k < LANES; k++) {
		struct declared_lane *lane = &l->lane[d->reg.index][k];
		if (!(d->reg.mask >> k & 1))
			continue;
		if (lane->usage != NO_USAGE)
			return fails(l, arena_printf(l->arena, "%s%d.%c has two usages", reg_files[l->own].name, d->reg.index, "xyzw"[k]));
		*lane = (struct declared_lane){(int16_t)usage, d->flags & (INSTR_PP | INSTR_CENTROID)};
	}
	return true;
}

static bool take_declarations(struct side_of_link *l)
{
	bool good = true;
	for (uint32_t k = 0; k < l->text->decls.n && good; k++)
		if (is_own(l, (enum reg_file)l->text->decls.at[k].reg.file))
			good = take_declaration(l, &l->text->decls.at[k]);
	return good;
}

/* --- instructions ------------------------------------------------------------------ */

/* Returns true if register `number` of the text may be register `index` of the program that runs.  The first use of an o# or v# decides which
 * register that is. */
static bool same_linked_register(struct side_of_link *l, enum reg_file text, int number, enum reg_file run, int index, lanes used)
{
	if (!is_own(l, text))
		return text == run && number == index;
	if (number < 0 || number >= REGISTERS)
		return false;
	struct home *p = &l->home[number];
	if (p->file == UNSEEN)
		*p = (struct home){(int)run, index, 0};
	p->used |= used;
	return p->file == (int)run && p->index == index;
}

/* Returns true if each v# of the text that the running program has is its own input there; for v[aL + n], which may read any of them. */
static bool same_addressed_inputs(struct side_of_link *l, lanes read)
{
	bool same = true;
	for (int n = 0; l->own == REG_INPUT && n < REGISTERS; n++) {
		struct dst const input = program_input_of(l->run, (unsigned)n);
		same = same && (!input.mask || same_linked_register(l, REG_INPUT, n, (enum reg_file)input.file, input.index, read & input.mask));
	}
	return same;
}

static bool same_linked_source(struct side_of_link *l, const struct instr *text, const struct instr *run, unsigned s)
{
	const struct src *from = &text->src[s], *to = &run->src[s];
	lanes const read = instr_reads(l->run, run, s);
	if (from->swizzle != to->swizzle || from->negate != to->negate || (to->absolute && !from->absolute))
		return false;
	if (from->relative && from->file == REG_INPUT) /* aL may address any input, so all of them must be the same */
		return to->file == REG_INPUT && from->relative == to->relative && from->index == to->index && from->absolute == to->absolute &&
		       same_addressed_inputs(l, read);
	/* An operand without _abs must not read lanes that an abs wrote in place of an _abs of the text.  A texture read counts as reading all
	 * lanes, since a depth texture may compare the .z of its coordinate. */
	for (unsigned row = 0; !from->absolute && to->file == REG_TEMP && row < instr_rows(run, s); row++)
		if ((instr_samples(run) ? MASK_XYZW : read) & l->of_abs[(to->index + (int)row) & (TEMPS - 1)])
			return false;
	if (from->absolute == to->absolute) /* programs with flow control keep _abs as a modifier */
		return from->relative == to->relative && same_linked_register(l, (enum reg_file)from->file, from->index, (enum reg_file)to->file,
		                                                       to->index, read);
	const struct instr *abs = to->file == REG_TEMP && !to->relative ? l->abs[to->index & (TEMPS - 1)] : NULL;
	if (!abs || instr_rows(text, s) > 1 || read & (lanes)~abs->dst.mask)
		return false;
	const struct src *of = &abs->src[0];
	return of->relative == from->relative && same_linked_register(l, (enum reg_file)from->file, from->index, (enum reg_file)of->file,
	                                                       of->index, read);
}

static bool same_linked_instr(struct side_of_link *l, const struct instr *text, const struct instr *run)
{
	bool same = text->op == run->op && text->flags == run->flags && text->comparison == run->comparison &&
	            text->predicate == run->predicate && text->predicate_swizzle == run->predicate_swizzle;
	for (unsigned s = 0; same && s < ops[text->op].sources; s++)
		same = same_linked_source(l, text, run, s);
	if (!same || ops[text->op].flags & OPF_NO_DST)
		return same;
	if (text->dst.relative) /* aL may address any output, so the number must stay the same */
		return run->dst.relative == text->dst.relative && run->dst.mask == text->dst.mask && run->dst.index == text->dst.index;
	if (run->dst.file == REG_TEMP)
		l->of_abs[run->dst.index & (TEMPS - 1)] &= (lanes)~instr_writes(run);
	return text->dst.mask == run->dst.mask && same_linked_register(l, (enum reg_file)text->dst.file, text->dst.index,
	                                                        (enum reg_file)run->dst.file, run->dst.index, instr_writes(run));
}

/* Returns true if the instruction is an abs that stands for an _abs in the text: it writes a register without modifiers to a temporary,
 * for the next instruction of the text. */
static bool is_plain_abs(const struct side_of_link *l, const struct instr *i)
{
	const struct src *s = &i->src[0];
	return i->op == OP_ABS && i->flags == INSTR_MODIFIER && i->dst.file == REG_TEMP && i->dst.index >= 0 && i->dst.index < TEMPS &&
	       !l->abs[i->dst.index] && s->swizzle == SWIZZLE_XYZW && !s->negate && !s->absolute &&
	       !(s->file == REG_TEMP && instr_reads(l->run, i, 0) & l->of_abs[s->index & (TEMPS - 1)]);
}

/* Returns true if the program that runs has the same instructions as the text, and before each of them an abs for each _abs in its operands. */
static bool same_instrs(struct side_of_link *l)
{
	const struct program *run = l->run;
	uint32_t at = 0;
	for (uint32_t k = 0; k < l->text->instrs.n; k++) {
		memset(l->abs, 0, sizeof l->abs);
		for (; at < run->instrs.n && run->instrs.at[at].flags & INSTR_MODIFIER && is_plain_abs(l, &run->instrs.at[at]); at++) {
			const struct dst *dst = &run->instrs.at[at].dst;
			l->abs[dst->index] = &run->instrs.at[at];
			l->of_abs[dst->index] |= dst->mask;
		}
		if (at == run->instrs.n || !same_linked_instr(l, &l->text->instrs.at[k], &run->instrs.at[at++]))
			return fails(l, arena_printf(l->arena, "instruction %u of the %s program is not read as it is written", (unsigned)k + 1,
			                             program_stage(run) == STAGE_VERTEX ? "vertex" : "pixel"));
	}
	return at == run->instrs.n || fails(l, "a program has more instructions than its text");
}

/* Reads the declarations of a program's text, and compares the text's instructions with those that run; sets `wrong` of the result to the first
 * error.  Returns NULL if the program is not of model 3, or has no text. */
static struct side_of_link *read_side(struct arena *arena, const struct program *p)
{
	if (!model_links(p->model) || !p->text)
		return NULL;
	struct side_of_link *l = arena_zero(arena, sizeof *l);
	l->arena = arena;
	l->text = p->text;
	l->run = p;
	l->own = program_stage(p) == STAGE_VERTEX ? REG_LINKED : REG_INPUT;
	for (unsigned n = 0; n < REGISTERS; n++) {
		l->home[n].file = UNSEEN;
		for (unsigned k = 0; k < LANES; k++)
			l->lane[n][k].usage = NO_USAGE;
	}
	if (take_declarations(l))
		same_instrs(l);
	return l;
}

/* --- the links between outputs and inputs by usages -------------------------------- */

/* Returns the register that an output declared with this usage has in the program that runs; for texture coordinates and the like it may be
 * any oT#. */
static struct home output_home(int usage)
{
	switch (usage) {
	case 16 * USAGE_POSITION: return (struct home){REG_POS_OUT, 0, 0};
	case 16 * USAGE_PSIZE: return (struct home){REG_SIZE_OUT, 0, 0};
	case 16 * USAGE_COLOR: return (struct home){REG_COLOUR_OUT, 0, 0};
	case 16 * USAGE_COLOR + 1: return (struct home){REG_COLOUR_OUT, 1, 0};
	default: return (struct home){REG_TEX_OUT, UNSEEN, 0};
	}
}

/* Returns true if the lanes of one o# are declared as both colours; then the o# becomes the register of the first colour. */
static bool has_both_colours(const struct declared_lane lane[LANES])
{
	unsigned found = 0;
	for (unsigned k = 0; k < LANES; k++)
		found |= lane[k].usage == 16 * USAGE_COLOR ? 1u : lane[k].usage == 16 * USAGE_COLOR + 1 ? 2u : 0;
	return found == 3;
}

/* Notes an error if two o# have one register, or an o# is in another file than its usages require. */
static void check_outputs(struct side_of_link *vs)
{
	for (int n = 0; n < REGISTERS; n++) {
		const struct home *p = &vs->home[n];
		for (int m = 0; m < n; m++)
			if (p->file != UNSEEN && p->file == vs->home[m].file && p->index == vs->home[m].index)
				fails(vs, arena_printf(vs->arena, "o%d and o%d are taken for one register", m, n));
		for (unsigned k = 0; p->file != UNSEEN && k < LANES; k++) {
			struct home want = output_home(vs->lane[n][k].usage);
			if (want.file == REG_COLOUR_OUT && has_both_colours(vs->lane[n]))
				want.index = 0;
			if (vs->lane[n][k].usage == NO_USAGE ? p->used >> k & 1 && p->file == REG_TEX_OUT
			                                     : want.file != p->file || (want.index != UNSEEN && want.index != p->index))
				fails(vs, arena_printf(vs->arena, "o%d.%c is not taken for what it is declared as", n, "xyzw"[k]));
		}
	}
}

/* Returns the o# whose lane is declared with the usage, or UNSEEN.  Ignores the position and the point size, which feed no input. */
static int find_output(const struct side_of_link *vs, int usage, unsigned lane)
{
	int found = UNSEEN;
	for (int n = 0; n < REGISTERS && usage != NO_USAGE && usage != 16 * USAGE_POSITION && usage != 16 * USAGE_PSIZE; n++)
		if (vs->lane[n][lane].usage == usage)
			found = n;
	return found;
}

/* Returns the o# whose register feeds the register of this input, in the programs that run, or UNSEEN. */
static int feeder_of(const struct side_of_link *vs, const struct home *input)
{
	int const file = input->file == REG_INPUT ? REG_COLOUR_OUT : REG_TEX_OUT;
	int found = UNSEEN;
	for (int n = 0; n < REGISTERS; n++)
		if (vs->home[n].file == file && vs->home[n].index == input->index)
			found = n;
	return found;
}

/* Returns how the program that runs declares a lane of an input. */
static struct declared_lane find_declared_lane(const struct program *run, const struct home *input, unsigned lane)
{
	struct declared_lane found = {NO_USAGE, 0};
	for (uint32_t k = 0; k < run->decls.n; k++) {
		const struct decl *d = &run->decls.at[k];
		if (d->kind != DECL_PIXEL_INPUT || d->reg.file != input->file || d->reg.index != input->index)
			continue;
		if (d->reg.mask >> lane & 1)
			found.usage = (int16_t)(16 * d->usage + d->usage_index);
		found.flags |= d->flags & (INSTR_PP | INSTR_CENTROID); /* the whole register is interpolated in one way */
	}
	return found;
}

static const char *input_wrong(struct side_of_link *vs, struct side_of_link *ps, int n, unsigned k)
{
	const struct home *input = &ps->home[n];
	struct declared_lane const text = ps->lane[n][k], run = find_declared_lane(ps->run, input, k);
	bool const colour = text.usage == 16 * USAGE_COLOR || text.usage == 16 * USAGE_COLOR + 1;
	int const due = find_output(vs, text.usage, k), fed = feeder_of(vs, input);
	bool const packed = due != UNSEEN && has_both_colours(vs->lane[due]);
	if (text.usage != run.usage || (input->file == REG_INPUT) != colour || (colour && input->index != (packed ? 0 : text.usage % 16)))
		return arena_printf(ps->arena, "v%d.%c is not taken for what it is declared as", n, "xyzw"[k]);
	/* A lane declared with _pp may be interpolated without _pp.  A lane that no dcl names may be interpolated in any way. */
	if (text.usage != NO_USAGE && ((text.flags ^ run.flags) & INSTR_CENTROID || run.flags & ~text.flags))
		return arena_printf(ps->arena, "v%d.%c is not interpolated as its declaration says", n, "xyzw"[k]);
	bool const is_due = due != UNSEEN && vs->home[due].used >> k & 1, is_fed = fed != UNSEEN && vs->home[fed].used >> k & 1;
	if (is_due != is_fed || (is_due && due != fed))
		return is_fed ? arena_printf(ps->arena, "v%d.%c is fed by o%d.%c, which has another usage", n, "xyzw"[k], fed, "xyzw"[k])
		              : arena_printf(ps->arena, "v%d.%c is not fed by o%d.%c, which has its usage", n, "xyzw"[k], due, "xyzw"[k]);
	return NULL;
}

const char *linked_wrong(struct arena *arena, struct pair pair)
{
	struct side_of_link *vs = read_side(arena, pair.vs), *ps = read_side(arena, pair.ps);
	if (!vs || !ps)
		return NULL;
	if (!vs->wrong)
		check_outputs(vs);
	for (int n = 0; n < REGISTERS && !vs->wrong && !ps->wrong; n++)
		for (unsigned k = 0; k < LANES; k++)
			if (ps->home[n].file != UNSEEN && ps->home[n].used >> k & 1)
				fails(ps, input_wrong(vs, ps, n, k));
	return vs->wrong ? vs->wrong : ps->wrong;
}
