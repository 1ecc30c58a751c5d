/* Checks one instruction: its opcode, modifiers and operands, and whether the registers that it reads were written. */
#include "lang/checker.h"

static bool is_matrix(const struct instr *i)
{
	return ops[i->op].shape == SHAPE_MATRIX;
}

/* ---- the instruction itself ------------------------------------------------ */

/* Returns true for dsx, dsy and texldd in ps_2_a, ps_2_x and ps_2_sw, which have these opcodes by their documentation, while fpmove reads them in
 * ps_3_0 only. */
static bool is_unread_ps_2_op(enum model m, unsigned op)
{
	return (m == PS_2_A || m == PS_2_X || m == PS_2_SW) && (op == OP_DSX || op == OP_DSY || op == OP_TEXLDD);
}

static void check_opcode(struct checker *c, const struct instr *i)
{
	const char *has[MODEL_COUNT];
	unsigned n = 0;
	if (is_unread_ps_2_op(c->p->model, i->op)) {
		breach(c, RULE_OPCODE, i->at, "fpmove reads %s in ps_3_0 only, though %s has it, too", op_name(i), c->m->name);
		return;
	}
	for (unsigned m = 0; m < MODEL_COUNT; m++)
		if ((m == VS_1_1 || m == VS_2_0 || m == PS_2_0) && model_has_op((enum model)m, (enum op)i->op))
			has[n++] = models[m].name;
	for (unsigned m = 0; m < MODEL_COUNT; m++)
		if (n == 0 && model_links((enum model)m) && model_has_op((enum model)m, (enum op)i->op))
			has[n++] = models[m].name;
	breach(c, RULE_OPCODE, i->at, "%s has no %s; %s%s%s do%s", c->m->name, op_name(i), n ? has[0] : "other models",
	       n > 1 ? " and " : "", n > 1 ? has[1] : "", n == 1 ? "es" : "");
}

static void check_modifiers(struct checker *c, const struct instr *i)
{
	if (!i->flags)
		return;
	bool const links = model_links(c->p->model);
	if (c->stage == STAGE_VERTEX && i->flags & (links ? INSTR_PP : INSTR_PP | INSTR_SAT)) {
		breach(c, RULE_VS_MODIFIER, i->at, "%s: %s has %s", op_name(i), c->m->name, links ? "no _pp" : "neither _sat nor _pp");
		return;
	}
	if (ops[i->op].flags & OPF_NO_DST) {
		breach(c, RULE_PS_MODIFIER, i->at, "%s has no result that %s could change", op_name(i),
		       i->flags & INSTR_SAT ? "_sat" : "_pp");
		return;
	}
	if (!(i->flags & INSTR_SAT))
		return;
	if (i->op == OP_FRC || ops[i->op].shape == SHAPE_SINCOS || instr_samples(i))
		breach(c, RULE_PS_SAT, i->at, "%s takes no _sat", op_name(i));
	else if (!links && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT))
		breach(c, RULE_PS_SAT, i->at, "a write of %s takes no _sat",
		       NAME(&i->dst));
}

/* ---- destinations ----------------------------------------------------------- */

/* Returns true if the opcode allows the instruction's write mask.  If not, *rule is the rule that is broken, and *want lists the masks that it
 * allows. */
static bool mask_fits(const struct checker *c, const struct instr *i, enum rule *rule, const char **want)
{
	lanes mask = i->dst.mask;
	if (is_matrix(i)) {
		*rule = RULE_MATRIX_MASK;
		unsigned rows = instr_rows(i, 1);
		*want = rows == 2 ? ".xy" : rows == 3 ? ".xyz" : ".xyzw";
		if (!i->dst.masked && rows < LANES)
			*rule = RULE_MATRIX_UNMASKED;
		return *rule == RULE_MATRIX_MASK && mask == (1u << rows) - 1u;
	}
	if (i->op == OP_FRC && c->p->model == VS_1_1) {
		*rule = RULE_VS_FRC_MASK;
		*want = ".y or .xy";
		return mask == MASK_Y || mask == MASK_XY;
	}
	if (i->op == OP_CRS) {
		*rule = RULE_CRS_MASK;
		*want = ".x, .y, .z, .xy, .xz, .yz or .xyz";
		return !(mask & MASK_W);
	}
	if (ops[i->op].shape == SHAPE_SINCOS) {
		*rule = RULE_SINCOS_MASK;
		*want = ".x, .y or .xy";
		return !(mask & ~MASK_XY);
	}
	return true;
}

/* Returns true if the opcode is a macro that may read operand s after it has written a part of its result: such an operand must not be the
 * destination. */
static bool macro_rereads(const struct instr *i, unsigned s)
{
	enum op_shape const shape = ops[i->op].shape;
	return shape == SHAPE_CROSS || ((shape == SHAPE_NRM || shape == SHAPE_MATRIX) && s == 0) || (i->op == OP_POW && s == 1);
}

static void check_address_dst(struct checker *c, const struct instr *i)
{
	enum op writer = c->p->model == VS_1_1 ? OP_MOV : OP_MOVA;
	if (i->op != writer)
		breach(c, RULE_VS_ADDRESS_WRITE, i->dst.at, "%s cannot write a0; in %s only %s can", op_name(i), c->m->name,
		       ops[writer].name);
	if (c->p->model == VS_1_1 && (!i->dst.masked || i->dst.mask != MASK_X))
		breach(c, RULE_VS_ADDRESS_MASK, i->dst.at, "a0 is written as a0.x in vs_1_1");
	c->address_written |= i->dst.mask;
}

static void check_pixel_output(struct checker *c, const struct instr *i)
{
	const struct dst *d = &i->dst;
	if (model_links(c->p->model))
		return;
	if (i->op != OP_MOV) {
		breach(c, RULE_PS_OUTPUT_MOV, d->at, "%s cannot write %s: only mov can, from a register", op_name(i), NAME(d));
	} else if (d->file == REG_DEPTH_OUT) {
		if (d->masked)
			breach(c, RULE_PS_OUTPUT_MASK, d->at, "oDepth takes no write mask");
	} else if (d->mask != MASK_XYZW) {
		breach(c, RULE_PS_OUTPUT_MASK, d->at, "mov writes only .%s of %s: it takes all four lanes",
		       lanes_piece(d->mask).text, NAME(d));
	}
	if (c->outputs[d->file][d->index] && !c->flow)
		breach(c, RULE_PS_OUTPUT_ONCE, d->at, "%s was written before: it can be written once", NAME(d));
}

static void check_dst(struct checker *c, const struct instr *i)
{
	const struct dst *d = &i->dst;
	if (!check_register(c, d->file, d->index, 1, false, d->at))
		return;
	enum rule rule = RULES;
	const char *want = "";
	switch ((enum reg_file)d->file) {
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_INT:
	case REG_BOOL:
	case REG_LOOP:
	case REG_LABEL:
		breach(c, RULE_READ_ONLY, d->at, "%s writes %s, which can only be read", op_name(i),
		       NAME(d));
		return;
	case REG_ADDRESS: check_address_dst(c, i); return;
	case REG_PREDICATE:
		if (i->op != OP_SETP)
			breach(c, RULE_PREDICATE, d->at, "%s cannot write p0: only setp can", op_name(i));
		return;
	case REG_PIXEL_OUT:
	case REG_DEPTH_OUT:
		check_pixel_output(c, i);
		break;
	case REG_FOG_OUT:
	case REG_SIZE_OUT:
		if (d->mask != MASK_X && d->mask != MASK_XYZW)
			breach(c, RULE_VS_SCALAR_OUTPUT, d->at, "%s has one lane, .x; .%s is written",
			       reg_files[d->file].name, lanes_piece(d->mask).text);
		break;
	default: break;
	}
	if (i->op == OP_SETP)
		breach(c, RULE_PREDICATE, d->at, "setp writes p0, not %s", NAME(d));
	else if (c->stage == STAGE_PIXEL && d->file != REG_TEMP)
		; /* the switch above has checked oC# and oDepth */
	else if (i->op == OP_MOVA)
		breach(c, RULE_VS_MOVA, d->at, "mova writes only a0, not %s", NAME(d));
	else if (d->file != REG_TEMP && (ops[i->op].shape == SHAPE_SINCOS ||
	         (!model_links(c->p->model) && (i->op == OP_CRS || i->op == OP_NRM || i->op == OP_POW))))
		breach(c, RULE_MACRO_DST, d->at, "%s writes an r# only, not %s", op_name(i),
		       NAME(d));
	else if (instr_samples(i) && d->mask != MASK_XYZW && !model_links(c->p->model))
		breach(c, RULE_PS_TEX_DST, d->at, "%s writes all four lanes: no mask but .xyzw", op_name(i));
	else if (!mask_fits(c, i, &rule, &want))
		breach(c, rule, d->at, "%s in %s writes %s, not .%s", op_name(i), c->m->name, want,
		       lanes_piece(is_matrix(i) && !d->masked ? MASK_XYZW : d->mask).text);
	EACH_SOURCE(s, i) {
		if (macro_rereads(i, s) && i->src[s].file == d->file && i->src[s].index == d->index) {
			breach(c, RULE_MACRO_ALIAS, d->at, "%s writes %s while it still reads it as source %u", op_name(i),
			       NAME(d), s + 1);
			break;
		}
	}
}

/* ---- sources: which registers ------------------------------------------------- */

/* Returns true if source `s` may be of its register file.  Otherwise reports it, and returns false. */
static bool check_file(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if ((src->file >= REG_INT || op_is_flow(i->op)) && !check_flow_source(c, i, s))
		return false;
	if (reg_files[src->file].output) {
		breach(c, RULE_WRITE_ONLY, src->at, "%s reads %s, which can only be written", op_name(i), src_piece(c->p, src).text);
		return false;
	}
	if (src->file == REG_ADDRESS) {
		breach(c, RULE_VS_ADDRESS_READ, src->at, "%s reads a0, which is only an index: c[a0.x + n]", op_name(i));
		return false;
	}
	if (instr_samples(i) && s == 1) {
		if (src->file != REG_SAMPLER) {
			breach(c, RULE_PS_TEX_SAMPLER, src->at, "the second source of %s is a sampler, s#, not %s", op_name(i),
			       src_piece(c->p, src).text);
			return false;
		}
		bool const swizzles = model_links(c->p->model); /* in model 3, a swizzle of the sampler permutes the texel */
		if (src->negate || (src->letters && !swizzles)) {
			breach(c, RULE_PS_TEX_SAMPLER, src->at, "the sampler of %s takes no %s'-'", op_name(i), swizzles ? "" : "swizzle and no ");
			return false;
		}
		return true;
	}
	if (instr_samples(i) && src->file == REG_SAMPLER && model_links(c->p->model)) {
		breach(c, RULE_PS_SAMPLER_USE, src->at, "only the second source of %s is a sampler", op_name(i));
		return false;
	}
	if (instr_samples(i) && src->file != REG_TEXCOORD && src->file != REG_TEMP && !model_links(c->p->model)) {
		breach(c, RULE_PS_TEX_COORD, src->at, "the coordinate of %s is a t# or r#, not %s", op_name(i),
		       src_piece(c->p, src).text);
		return false;
	}
	if (i->op == OP_TEXKILL && src->file != REG_TEXCOORD && src->file != REG_TEMP &&
	    !(model_links(c->p->model) && src->file == REG_INPUT)) {
		breach(c, RULE_PS_TEXKILL, src->at, "texkill takes a %s# or r#, not %s", model_links(c->p->model) ? "v" : "t",
		       src_piece(c->p, src).text);
		return false;
	}
	if (i->op == OP_TEXKILL && src->file != REG_TEMP && model_links(c->p->model))
		breach(c, RULE_PS_TEXKILL_INPUT, src->at, "texkill reads %s itself, which some readers of shaders refuse; write mov r#, %s and "
		       "texkill r#", src_piece(c->p, src).text, src_piece(c->p, src).text);
	if (src->file == REG_SAMPLER) {
		breach(c, RULE_PS_SAMPLER_USE, src->at, "%s cannot read a sampler: only reads of a texture can", op_name(i));
		return false;
	}
	if (i->op == OP_SINCOS && s > 0 && (src->file != REG_CONST || src->relative)) {
		breach(c, RULE_SINCOS_CONST, src->at, "source %u of sincos is a c#, not %s", s + 1, src_piece(c->p, src).text);
		return false;
	}
	if (i->op == OP_SGN && s > 0 && src->file != REG_TEMP) {
		breach(c, RULE_SGN_SCRATCH, src->at, "source %u of sgn is an r# for its own use, not %s", s + 1,
		       src_piece(c->p, src).text);
		return false;
	}
	return true;
}

/* Reports v[aL + n] if there is no v# number n.  Always returns false, so that nothing else is checked: the v# that is read is not known. */
static bool check_addressed_input(struct checker *c, const struct src *src)
{
	int const most = c->stage == STAGE_VERTEX ? c->m->inputs : c->m->texcoords;
	if (src->index < 0 || src->index >= most)
		breach(c, RULE_REGISTER_RANGE, src->at, "%s begins past v%d, the last one of %s", src_piece(c->p, src).text, most - 1, c->m->name);
	return false;
}

static bool check_source_register(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if (src->relative && c->stage == STAGE_PIXEL && !(src->relative == RELATIVE_LOOP && src->file == REG_INPUT && model_links(c->p->model))) {
		breach(c, RULE_PS_RELATIVE, src->at, model_links(c->p->model) ? "%s has no relative addressing but of v# by aL"
		                                                              : "%s has no relative addressing", c->m->name);
		return false;
	}
	if (src->relative && src->file == REG_INPUT)
		return check_addressed_input(c, src);
	if (src->relative && reg_files[src->file].output) {
		breach(c, RULE_WRITE_ONLY, src->at, "%s reads %s, which can only be written", op_name(i), src_piece(c->p, src).text);
		return false;
	}
	if (!check_register(c, src->file, src->index, instr_rows(i, s), src->relative, src->at) ||
	    !check_file(c, i, s))
		return false;
	if (src->relative == RELATIVE_LOOP) {
		if (!(c->m->flow & OPF_LOOP))
			breach(c, RULE_REGISTER_MODEL, src->at, "%s has no aL", c->m->name);
		else if (!program_flows(c->p))
			breach(c, RULE_LOOP_ADDRESS, src->at, "%s reads %s outside of a loop", op_name(i), src_piece(c->p, src).text);
	} else if (src->relative > 1 && c->p->model == VS_1_1) {
		breach(c, RULE_VS_ADDRESS_MASK, src->at, "%s reads %s, but vs_1_1 has a0.x only", op_name(i), src_piece(c->p, src).text);
	} else if (src->relative && !(c->address_written >> (src->relative - 1) & 1)) {
		breach(c, RULE_VS_ADDRESS_UNWRITTEN, src->at, "%s reads %s, but a0.%c was not written", op_name(i),
		       src_piece(c->p, src).text, "xyzw"[src->relative - 1]);
		c->address_written |= (lanes)(1u << (src->relative - 1));
	}
	return true;
}

/* Returns the rule that allows an instruction only one register of the file, or RULES if there is none. */
static enum rule port_rule(const struct checker *c, unsigned file)
{
	bool vertex = c->stage == STAGE_VERTEX;
	if (file == REG_CONST)
		return vertex ? RULE_VS_CONST_PORT : RULE_PS_CONST_PORT;
	if (file == REG_INPUT)
		return vertex ? RULE_VS_INPUT_PORT : RULE_PS_INPUT_PORT;
	return file == REG_TEXCOORD ? RULE_PS_TEXCOORD_PORT : RULES;
}

/* Returns operand s as in the text: if an abs instruction before stands for its modifier _abs, the operand of that abs. */
static const struct src *written_source(const struct checker *c, const struct instr *i, unsigned s)
{
	for (unsigned k = 0; k < c->nmodifiers; k++)
		if (i->src[s].file == REG_TEMP && i->src[s].index == c->modifiers[k].dst.index)
			return &c->modifiers[k].src[0];
	return &i->src[s];
}

static void check_ports(struct checker *c, const struct instr *i, unsigned good)
{
	if (i->op == OP_SINCOS || ops[i->op].sources < 2)
		return; /* sincos is a macro that needs two constants */
	bool told[REG_FILES] = {false};
	unsigned consts = 0;
	EACH_SOURCE(s, i)
		consts += written_source(c, i, s)->file == REG_CONST;
	for (unsigned b = 1; b < ops[i->op].sources; b++) {
		for (unsigned a = 0; a < b; a++) {
			const struct src *x = written_source(c, i, a), *y = written_source(c, i, b);
			if (x->file != y->file || !(good >> a & 1) || !(good >> b & 1))
				continue;
			enum rule rule = port_rule(c, x->file);
			if (rule == RULES || told[x->file])
				continue;
			if (x->index == y->index && x->relative == y->relative && !is_matrix(i))
				continue; /* both operands are the same register, which is allowed, but the rows of a matrix are several registers */
			told[x->file] = true;
			struct src const plain[2] = {{.file = x->file, .relative = x->relative, .index = x->index},
			                             {.file = y->file, .relative = y->relative, .index = y->index}};
			breach(c, rule, y->at, "%s reads %s and %s%s; an instruction of %s can read one %s#", op_name(i),
			       src_piece(c->p, &plain[0]).text, src_piece(c->p, &plain[1]).text, is_matrix(i) ? " and the rows after it" : "",
			       c->m->name, model_links(c->p->model) && x->file == REG_TEXCOORD ? "v" : reg_files[x->file].name);
		}
	}
	if (consts > 2 && !told[REG_CONST] && c->p->model != VS_1_1)
		breach(c, RULE_CONST_READS, i->src[2].at, "%s reads %s three times; the documentation of %s has two reads of c#",
		       op_name(i), register_piece(c->p, REG_CONST, i->src[2].index).text, c->m->name);
}

/* ---- sources: swizzle and sign -------------------------------------------------- */

/* Returns the swizzle in letters of xyzw: as many as in the text, or four if that has none. */
static struct piece swizzle_piece(const struct src *s)
{
	struct piece piece = {""};
	unsigned const n = s->letters ? s->letters : LANES;
	for (unsigned lane = 0; lane < n && lane < LANES; lane++)
		piece.text[lane] = "xyzw"[swizzle_lane(s->swizzle, lane)];
	return piece;
}

/* Returns the rule that forbids a swizzle and, except for crs, a sign at source s, or RULES if there is none. */
static enum rule plain_rule(const struct checker *c, const struct instr *i, unsigned s)
{
	switch (ops[i->op].shape) {
	case SHAPE_CROSS: return RULE_CRS_SOURCE;
	case SHAPE_MATRIX: return s == 1 ? RULE_MATRIX_SOURCE : RULES;
	case SHAPE_SGN: return s > 0 ? RULE_SGN_SCRATCH : RULES;
	case SHAPE_SINCOS: return s > 0 ? RULE_SINCOS_CONST : RULES;
	case SHAPE_KILL: return RULE_PS_TEXKILL;
	case SHAPE_TEX:
	case SHAPE_TEXW:
	case SHAPE_TEXD: return model_links(c->p->model) ? RULES : s == 0 ? RULE_PS_TEX_COORD : RULE_PS_TEX_SAMPLER;
	case SHAPE_LANES: return i->dst.file == REG_PIXEL_OUT && i->op == OP_MOV && !model_links(c->p->model) ? RULE_PS_OUTPUT_SOURCE : RULES;
	default: return RULES;
	}
}

/* Reports a swizzle of two or three letters that the model would forbid if its last letter were repeated.  fpmove reads it as `meant`. */
static void report_short_swizzle(struct checker *c, const struct src *src, swizzle meant)
{
	struct piece name = src_piece(c->p, src);
	struct src whole = *src, taken = *src;
	whole.letters = LANES;
	taken.letters = LANES;
	taken.swizzle = meant;
	breach(c, RULE_SHORT_SWIZZLE, src->at, "%s.%s is short for %s.%s, which is not allowed here; it is read as %s.%s",
	       name.text, swizzle_piece(src).text, name.text, swizzle_piece(&whole).text, name.text,
	       swizzle_piece(&taken).text);
}

static bool sampler_is_declared(const struct checker *c, const struct instr *i)
{
	const struct src *sampler = &i->src[1];
	return sampler->file == REG_SAMPLER && sampler->index < CHECK_SAMPLERS && c->samplers[sampler->index];
}

static void check_plain(struct checker *c, const struct instr *i, unsigned s, enum rule rule)
{
	const struct src *src = &i->src[s];
	/* The documentation forbids a swizzle on the sources of crs, but not a sign, and published tests of drivers negate them. */
	if (src->negate && rule != RULE_CRS_SOURCE) {
		breach(c, rule, src->at, "%s: %s cannot be negated here", op_name(i), NAME(src));
		return;
	}
	if (src->swizzle == SWIZZLE_XYZW)
		return;
	lanes read = instr_operand_lanes(c->p, i, s, instr_writes(i));
	if (i->op == OP_TEXKILL)
		read &= MASK_XYZ; /* the documentation names only these lanes */
	if (instr_samples(i) && !sampler_is_declared(c, i))
		read &= (lanes)~MASK_Z; /* the texture may be 2D, which reads no .z; the missing dcl is reported elsewhere */
	if (src->letters > 1 && src->letters < LANES && swizzles_agree(src->swizzle, SWIZZLE_XYZW, read))
		report_short_swizzle(c, src, SWIZZLE_XYZW);
	else
		breach(c, rule, src->at, "%s: %s takes no swizzle here, and has .%s", op_name(i), src_piece(c->p, src).text,
		       swizzle_piece(src).text);
}

static void check_few_swizzles(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if (swizzle_in_ps_2_0(src->swizzle))
		return;
	swizzle meant = swizzle_for_ps_2_0(src->swizzle, instr_operand_lanes(c->p, i, s, instr_writes(i)));
	if (src->letters < LANES && meant != src->swizzle) {
		report_short_swizzle(c, src, meant);
		return;
	}
	breach(c, RULE_PS_SWIZZLE, src->at, "%s: %s has no swizzle .%s; it has .x .y .z .w .xyzw .yzxw .zxyw .wzyx", op_name(i),
	       c->m->name, swizzle_piece(src).text);
}

static void check_swizzle(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if (i->dst.file == REG_DEPTH_OUT && i->op == OP_MOV && !model_links(c->p->model)) {
		if (!swizzle_is_lane(src->swizzle) || src->negate)
			breach(c, RULE_PS_DEPTH_SOURCE, src->at, "oDepth takes one lane, such as %s.x, not negated", NAME(src));
		return;
	}
	if (instr_reads_scalar(i, s)) {
		if (!swizzle_is_lane(src->swizzle) && c->p->source && c->p->source->bytecode)
			diag_add(c->diags, DIAG_WARNING, "unnamed-lane", c->p->source, src->at,
			         "%s reads %s and names no lane: readers disagree which one it is, so the pair stays as it is", op_name(i),
			         src_piece(c->p, src).text);
		else if (!swizzle_is_lane(src->swizzle))
			breach(c, c->stage == STAGE_VERTEX ? RULE_VS_SCALAR : RULE_PS_SCALAR, src->at,
			       "%s reads one lane of source %u: name it, such as %s.x", op_name(i), s + 1, src_piece(c->p, src).text);
		return;
	}
	if (instr_samples(i) && s == 1)
		return; /* check_file() has checked the sampler's swizzle and sign */
	enum rule rule = plain_rule(c, i, s);
	if (rule != RULES)
		check_plain(c, i, s, rule);
	else if (!c->m->any_swizzle)
		check_few_swizzles(c, i, s);
}

/* ---- sources: whether they were written or declared ---------------------------------- */

static void check_temp_read(struct checker *c, const struct instr *i, const struct src *src, int index, lanes reads)
{
	lanes missing = (lanes)(reads & ~c->temps[index] & ~c->beyond[index]);
	lanes const sometimes = c->flow ? (lanes)(missing & c->flow->state.sometimes[index]) : 0;
	if (sometimes)
		breach(c, RULE_UNWRITTEN_PATH, src->at, "%s reads %s.%s, which is not written on every way to here", op_name(i),
		       register_piece(c->p, REG_TEMP, index).text, lanes_piece(sometimes).text);
	c->temps[index] |= sometimes;
	missing &= (lanes)~sometimes;
	if (missing)
		breach(c, RULE_UNWRITTEN, src->at, "%s reads %s.%s, which no instruction before wrote", op_name(i),
		       register_piece(c->p, REG_TEMP, index).text, lanes_piece(missing).text);
	c->temps[index] |= missing;
	lanes const beyond = (lanes)(reads & c->beyond[index]);
	if (beyond)
		breach(c, RULE_MATRIX_MASK, src->at, "%s reads %s.%s, which a matrix without a mask before left undefined", op_name(i),
		       register_piece(c->p, REG_TEMP, index).text, lanes_piece(beyond).text);
	c->beyond[index] &= (lanes)~beyond;
	lanes undefined = (lanes)(reads & ~missing & ~beyond & c->undefined[index]);
	if (undefined)
		breach(c, RULE_UNDEFINED, src->at, "%s reads %s.%s, which a sincos or sgn before left undefined", op_name(i),
		       register_piece(c->p, REG_TEMP, index).text, lanes_piece(undefined).text);
	c->undefined[index] &= (lanes)~undefined;
}

static void check_input_read(struct checker *c, const struct src *src, lanes reads)
{
	bool colour = src->file == REG_INPUT;
	const struct decl *d = colour ? c->inputs[src->index] : c->texcoords[src->index];
	lanes *told = colour ? &c->told_input[src->index] : &c->told_texcoord[src->index];
	if (*told == MASK_XYZW)
		return;
	lanes const all = d && c->p->model == PS_3_0 ? program_declared(c->p, (enum reg_file)src->file, src->index) : d ? d->reg.mask : 0;
	lanes missing = d ? (lanes)(reads & ~all & ~*told) : MASK_XYZW;
	if (!missing || (d && c->stage == STAGE_VERTEX))
		return;
	struct piece name = register_piece(c->p, src->file, src->index);
	if (!d && model_links(c->p->model) && c->stage == STAGE_PIXEL)
		return; /* the linker reports inputs of model 3 without a dcl */
	if (!d) {
		*told = MASK_XYZW;
		if (c->stage == STAGE_VERTEX)
			breach(c, RULE_VS_INPUT_DCL, src->at, "%s is read but not declared: it needs a dcl_usage, such as dcl_texcoord %s",
			       name.text, name.text);
		else
			breach(c, RULE_PS_INPUT_DCL, src->at, "%s is read but not declared: it needs a dcl %s", name.text, name.text);
		return;
	}
	*told |= missing;
	breach(c, RULE_PS_DCL_LANES, src->at, "%s.%s is read, but the dcl names only %s.%s", name.text,
	       lanes_piece(missing).text, name.text, lanes_piece(all).text);
}

static void check_sampler_read(struct checker *c, const struct src *src)
{
	if (c->samplers[src->index] || c->told_sampler >> src->index & 1)
		return;
	c->told_sampler |= UINT32_C(1) << src->index;
	breach(c, RULE_PS_SAMPLER_DCL, src->at, "s%d is read but not declared: it needs a dcl_2d, dcl_cube or dcl_volume",
	       src->index);
}

static void check_read(struct checker *c, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	if (src->file == REG_SAMPLER) {
		check_sampler_read(c, src);
		return;
	}
	lanes reads = instr_reads(c->p, i, s);
	if (instr_names_no_lane(i)) /* drivers disagree on the lane that is read: check only the first */
		reads &= swizzle_lanes(src->swizzle, MASK_X);
	if (i->op == OP_TEXKILL)
		reads &= MASK_XYZ; /* the documentation names x, y and z; the mover keeps w as well */
	/* Without a dcl of the sampler, the lanes of the coordinate that are read are not known. */
	if (instr_samples(i) && !sampler_is_declared(c, i))
		reads = 0;
	for (int row = 0; src->file == REG_TEMP && row < (int)instr_rows(i, s); row++)
		check_temp_read(c, i, src, src->index + row, reads);
	if (src->file == REG_INPUT || src->file == REG_TEXCOORD)
		check_input_read(c, src, reads);
	if ((src->file == REG_PIXEL_POS || src->file == REG_FACE) && reads & (lanes)~program_declared(c->p, (enum reg_file)src->file, src->index))
		breach(c, RULE_PS_INPUT_DCL, src->at, "%s is read but not declared with these lanes", src_piece(c->p, src).text);
}

/* Checks that s1 and s2 of a sincos are different c#, and that a def of either has the values D3DSINCOSCONST1 and 2 of the Direct3D 9 headers, up
 * to 0.1%, since many programs round them. */
static void check_sincos(struct checker *c, const struct instr *i)
{
	static const float expected[2][LANES] = {{-1.5500992e-006f, -2.1701389e-005f, 0.0026041667f, 0.00026041668f},
	                                         {-0.020833334f, -0.12500000f, 1.0f, 0.50000000f}};
	if (i->src[1].index == i->src[2].index) {
		breach(c, RULE_SINCOS_CONST, i->src[2].at, "the second and third source of sincos are two different c#");
		return;
	}
	for (unsigned s = 1; s <= 2; s++) {
		const struct decl *d = program_decl(c->p, REG_CONST, i->src[s].index);
		for (unsigned lane = 0; d && lane < LANES; lane++) {
			float want = expected[s - 1][lane], slack = want * 1e-3f;
			float off = d->value[lane] - want;
			if (off > (slack < 0 ? -slack : slack) || off < (slack < 0 ? slack : -slack)) {
				breach(c, RULE_SINCOS_CONST, i->src[s].at, "the def of c%d is not D3DSINCOSCONST%u, as source %u of sincos must be",
				       i->src[s].index, s, s + 1);
				break;
			}
		}
	}
}

/* ---- results ----------------------------------------------------------------------------- */

/* Notes a write of o[aL + n] in `outputs`, as a write of each declared output. */
static void note_addressed_write(struct checker *c, const struct instr *i)
{
	for (uint32_t k = 0; k < c->p->decls.n; k++) {
		const struct decl *o = &c->p->decls.at[k];
		if (o->kind != DECL_OUTPUT || o->reg.index >= CHECK_OUTPUTS)
			continue;
		if (!c->outputs[o->reg.file][o->reg.index])
			c->output_at[o->reg.file][o->reg.index] = i->dst.at;
		c->outputs[o->reg.file][o->reg.index] |= i->dst.mask & o->reg.mask;
	}
}

static void note_writes(struct checker *c, const struct instr *i)
{
	const struct dst *d = &i->dst;
	lanes writes = instr_writes(i);
	if (i->predicate && d->file == REG_TEMP)
		return; /* under a predicate, these lanes may stay unwritten */
	if (d->relative)
		note_addressed_write(c, i);
	else if (d->file == REG_TEMP && d->index < CHECK_TEMPS && writes) {
		lanes undefined = i->op == OP_SINCOS ? (lanes)(MASK_XYZ & ~writes) : 0;
		c->undefined[d->index] = (lanes)((c->undefined[d->index] | (undefined & c->temps[d->index])) & ~writes);
		c->temps[d->index] |= writes;
		c->beyond[d->index] = (lanes)(is_matrix(i) && !d->masked ? MASK_XYZW & ~writes : c->beyond[d->index] & ~writes);
	} else if (writes && reg_files[d->file].output && d->index < CHECK_OUTPUTS) {
		if (!c->outputs[d->file][d->index])
			c->output_at[d->file][d->index] = d->at;
		c->outputs[d->file][d->index] |= writes;
	}
	for (unsigned s = 1; i->op == OP_SGN && s <= 2; s++) {
		if (i->src[s].file != REG_TEMP || i->src[s].index >= CHECK_TEMPS || i->src[s].index == d->index)
			continue;
		c->undefined[i->src[s].index] = c->temps[i->src[s].index];
	}
}

static void count_slots(struct checker *c, const struct instr *i)
{
	unsigned slots = instr_slots(i, c->p->model);
	bool tex = ops[i->op].flags & OPF_TEX && c->m->tex;
	unsigned *used = tex ? &c->slots.tex : &c->slots.arith;
	unsigned limit = tex ? c->m->tex : c->most_slots;
	*used += slots;
	if (*used > limit && *used - slots <= limit)
		*(tex ? &c->over_tex : &c->over_arith) = i->at;
}

void check_instr(struct checker *c, const struct instr *i)
{
	if (!model_has_op(c->p->model, (enum op)i->op)) {
		check_opcode(c, i);
		note_writes(c, i);
		return;
	}
	count_slots(c, i);
	check_modifiers(c, i);
	unsigned good = 0;
	EACH_SOURCE(s, i)
		if (check_source_register(c, i, s))
			good |= 1u << s;
	check_ports(c, i, good);
	EACH_SOURCE(s, i) {
		if (!(good >> s & 1))
			continue;
		check_swizzle(c, i, s);
		check_read(c, i, s);
	}
	if (i->op == OP_SINCOS && (good & 6) == 6)
		check_sincos(c, i);
	if (i->op == OP_SGN && (good & 6) == 6 && i->src[1].index == i->src[2].index)
		breach(c, RULE_SGN_SCRATCH, i->src[2].at, "the second and third source of sgn are two different r#");
	if (!(ops[i->op].flags & OPF_NO_DST))
		check_dst(c, i);
	if (c->flow || instr_flows(i))
		check_flow_instr(c, i);
	note_writes(c, i);
	if (c->m->order && !c->options->any_length && !c->told_order) {
		unsigned order = read_order(&c->orders, c->p, i);
		if (order > c->m->order) {
			c->told_order = true;
			breach(c, RULE_PS_ORDER, i->at, "this is a dependent texture read of order %u; %s has %u at most", order,
			       c->m->name, c->m->order);
		}
	}
}
