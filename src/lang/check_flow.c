/* Checks flow control: its nesting and operands, predicates, and gradients where neighbouring pixels may take different paths. */
#include "lang/checker.h"

enum { DEEPEST_IF = 24, MOST_STATIC_VS_2_0 = 16 /* source: "Flow Control Nesting Limits" */ };

/* ---- the program as a whole ------------------------------------------------------------------- */

struct depth {
	unsigned ifs, loops, calls;
};

static void check_depth(struct checker *c, const struct instr *i, const struct depth *d)
{
	if (d->ifs > DEEPEST_IF)
		breach(c, RULE_FLOW_DEPTH, i->at, "this if is nested %u deep; %s allows %u", d->ifs, c->m->name, DEEPEST_IF);
	else if (d->loops > c->m->depth || d->calls > c->m->depth)
		breach(c, RULE_FLOW_DEPTH, i->at, "this %s is nested %u deep; %s allows %u", op_name(i),
		       d->loops > c->m->depth ? d->loops : d->calls, c->m->name, c->m->depth);
}

/* Reports instructions that are nested too deep: of the main program or a subroutine, from instruction k up to its ret, and of the subroutines
 * that it calls.  In each of these, stops at the first. */
static void check_nesting(struct checker *c, uint32_t k, struct depth d)
{
	struct depth const outer = d;
	for (; k < c->p->instrs.n; k++) {
		const struct instr *i = &c->p->instrs.at[k];
		uint32_t const partner = c->flow->blocks.partner[k];
		if (i->op == OP_RET)
			return;
		d.ifs += i->op == OP_IF || i->op == OP_IFC;
		d.ifs -= i->op == OP_ENDIF;
		d.loops += i->op == OP_REP || i->op == OP_LOOP;
		d.loops -= i->op == OP_ENDREP || i->op == OP_ENDLOOP;
		bool const calls = i->op == OP_CALL || i->op == OP_CALLNZ;
		struct depth const inside = {d.ifs, d.loops, outer.calls + calls};
		unsigned const before = c->diags->errors;
		check_depth(c, i, &inside);
		if (c->diags->errors > before)
			return;
		if (calls)
			check_nesting(c, partner + 1, inside);
	}
}

static void check_static_count(struct checker *c)
{
	unsigned n = 0;
	for (uint32_t k = 0; k < c->p->instrs.n; k++) {
		const struct instr *i = &c->p->instrs.at[k];
		n += i->op == OP_IF || i->op == OP_ELSE || i->op == OP_REP || i->op == OP_LOOP || i->op == OP_CALL || i->op == OP_CALLNZ;
		if (n == MOST_STATIC_VS_2_0 + 1) {
			breach(c, RULE_FLOW_DEPTH, i->at, "this is the %uth if, else, rep, loop or call; %s allows %u", n, c->m->name,
			       (unsigned)MOST_STATIC_VS_2_0);
			return;
		}
	}
}

void check_flow_begin(struct checker *c, struct arena *arena, struct check_flow *flow)
{
	const struct program *p = c->p;
	bool const split = c->m->tex > 0;
	struct slots const n = program_slots(p);
	*flow = (struct check_flow){.next = 0};
	if (n.arith > c->m->arith || (split && n.tex > c->m->tex))
		return; /* the program is too long, and the checks below would take long */
	const uint32_t *partner;
	uint32_t at;
	const char *wrong = blocks_partners(arena, p, &partner, &at);
	if (wrong) {
		if (!c->options->incomplete)
			breach(c, RULE_FLOW_NESTING, p->instrs.at[at].at, "this %s %s", op_name(&p->instrs.at[at]), wrong);
		return;
	}
	blocks_find(arena, p, partner, &flow->blocks);
	flow->states = blocks_states(arena, p, &flow->blocks);
	c->flow = flow;
	check_nesting(c, 0, (struct depth){0});
	if (p->model == VS_2_0)
		check_static_count(c);
}

void check_flow_step(struct checker *c, uint32_t k)
{
	struct check_flow *f = c->flow;
	if (f->next == f->blocks.list.n || f->blocks.list.at[f->next].first != k)
		return;
	f->state = f->states[f->next];
	f->varying = f->blocks.list.at[f->next++].varying;
	for (unsigned reg = 0; reg < CHECK_TEMPS; reg++)
		c->temps[reg] = f->state.always[reg];
}

/* ---- one instruction -------------------------------------------------------------------------- */

/* Returns NULL if operand s may be of this file.  Otherwise returns the register that it must be, such as "an i#", or "" for an instruction that
 * is not of flow control, which takes no register of this file. */
static const char *wanted_register(const struct instr *i, unsigned s, unsigned file)
{
	switch ((enum op)i->op) {
	case OP_IF: return file == REG_BOOL || file == REG_PREDICATE ? NULL : "a b# or p0";
	case OP_BREAKP: return file == REG_PREDICATE ? NULL : "p0";
	case OP_CALL:
	case OP_LABEL: return file == REG_LABEL ? NULL : "an l#";
	case OP_CALLNZ: return s == 0 ? (file == REG_LABEL ? NULL : "an l#") : file == REG_BOOL || file == REG_PREDICATE ? NULL : "a b# or p0";
	case OP_LOOP: return s == 0 ? (file == REG_LOOP ? NULL : "aL") : file == REG_INT ? NULL : "an i#";
	case OP_REP: return file == REG_INT ? NULL : "an i#";
	default: break;
	}
	return file == REG_BOOL || file == REG_INT || file == REG_LOOP || file == REG_LABEL || file == REG_PREDICATE ? "" : NULL;
}

bool check_flow_source(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	const char *want = wanted_register(i, s, src->file);
	if (want) {
		breach(c, RULE_FLOW_OPERAND, src->at, "source %u of %s %s%s%s %s", s + 1, op_name(i), *want ? "must be " : "cannot be", want,
		       *want ? ", not" : "", src_piece(c->p, src).text);
		return false;
	}
	bool const truth = src->file == REG_BOOL || src->file == REG_PREDICATE, flows = truth || src->file == REG_INT ||
	           src->file == REG_LABEL || src->file == REG_LOOP;
	if (src->file == REG_PREDICATE && !swizzle_is_lane(src->swizzle))
		breach(c, RULE_FLOW_OPERAND, src->at, "%s reads one lane of p0: name it, such as p0.x", op_name(i));
	else if (flows && src->file != REG_PREDICATE && src->letters)
		breach(c, RULE_FLOW_OPERAND, src->at, "%s has no lanes", src_piece(c->p, src).text);
	else if (flows && !truth && src->negate)
		breach(c, RULE_FLOW_OPERAND, src->at, "%s cannot be negated", src_piece(c->p, src).text);
	return true;
}

/* Reports lanes of p0 that an instruction reads and that no path to it has written. */
static void check_predicate_read(struct checker *c, const struct instr *i, lanes reads, srcpos at)
{
	lanes const written = c->flow ? c->flow->state.sometimes[BLOCK_PREDICATE] : MASK_XYZW, missing = reads & (lanes)~written;
	if (missing)
		breach(c, RULE_PREDICATE, at, "%s reads p0.%s, which no setp before wrote", op_name(i), lanes_piece(missing).text);
}

static void check_predicate(struct checker *c, const struct instr *i)
{
	lanes const reads = swizzle_lanes(i->predicate_swizzle, instr_writes(i) ? instr_writes(i) : MASK_XYZW);
	if (!(c->m->flow & OPF_PREDICATE))
		breach(c, RULE_REGISTER_MODEL, i->at, "%s has no p0", c->m->name);
	else if (op_is_flow(i->op))
		breach(c, RULE_PREDICATE, i->at, "%s takes no predicate", op_name(i));
	else if (!swizzle_is_lane(i->predicate_swizzle) && i->predicate_swizzle != SWIZZLE_XYZW)
		breach(c, RULE_PREDICATE, i->at, "a predicate is p0 or one lane of it");
	else
		check_predicate_read(c, i, reads, i->at);
}

/* Returns true if the instruction computes a gradient, for which neighbouring pixels must have computed its first operand, too. */
static bool takes_gradient(const struct instr *i)
{
	return i->op == OP_DSX || i->op == OP_DSY || i->op == OP_TEXLD || i->op == OP_TEXLDB || i->op == OP_TEXLDP;
}

static void check_gradient(struct checker *c, const struct instr *i)
{
	bool const predicated = i->predicate && c->flow->state.varying[BLOCK_PREDICATE] & swizzle_lanes(i->predicate_swizzle, MASK_XYZW);
	if (i->src[0].file != REG_TEMP || !takes_gradient(i) || (!c->flow->varying && !predicated))
		return;
	breach(c, RULE_PS_GRADIENT, i->at, "%s needs %s of the neighbouring pixels, which may have taken another path here%s", op_name(i),
	       src_piece(c->p, &i->src[0]).text, i->op == OP_DSX || i->op == OP_DSY ? "" : ": use texldl or texldd");
}

static void check_loop_address(struct checker *c, const struct instr *i, unsigned relative, srcpos at)
{
	if (relative != RELATIVE_LOOP || !c->flow)
		return;
	uint32_t const k = (uint32_t)(i - c->p->instrs.at);
	for (uint32_t j = k; j-- > 0;) {
		const struct instr *before = &c->p->instrs.at[j];
		if (before->op == OP_LABEL || (before->op == OP_LOOP && c->flow->blocks.partner[j] > k))
			return; /* k is in a loop, or in a subroutine, where aL is that of the caller */
	}
	breach(c, RULE_LOOP_ADDRESS, at, "%s is addressed by aL outside of a loop", op_name(i));
}

void check_flow_instr(struct checker *c, const struct instr *i)
{
	if (i->predicate)
		check_predicate(c, i);
	EACH_SOURCE(s, i) {
		if (i->src[s].file == REG_PREDICATE && op_is_flow(i->op))
			check_predicate_read(c, i, swizzle_lanes(i->src[s].swizzle, MASK_X), i->src[s].at);
		check_loop_address(c, i, i->src[s].relative, i->src[s].at);
	}
	if (!(ops[i->op].flags & OPF_NO_DST))
		check_loop_address(c, i, i->dst.relative, i->dst.at);
	if (!c->flow)
		return;
	if (c->stage == STAGE_PIXEL)
		check_gradient(c, i);
	block_state_step(&c->flow->state, c->p, i, c->flow->varying);
}
