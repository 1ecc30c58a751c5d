/* Translates programs, see arb.h.  Both languages have four-lane registers, write masks and swizzles.  An instruction without a counterpart
 * becomes a few that use the temporaries s0 and s1.  The address register of ARB has one lane, so a0 is kept as floats in the temporary
 * `address`. */
#include "gpu/arb.h"

struct writer {
	const struct program *p;
	const struct shader_options *how;
	struct text body, head;
	const char *why; /* the part of the program that has no counterpart in ARB, or NULL */
	bool pixel;
	bool addressed;  /* the program reads c[a0.x + n] */
	int ahead;       /* number that load_address added to the lane of a0 in the address register */
	int held;        /* `ahead` * LANES + the lane of a0 in the address register; -1 if that is stale */
};

static void swizzle_text(struct text *t, swizzle s)
{
	if (s == SWIZZLE_XYZW)
		return;
	text_char(t, '.');
	for (unsigned i = 0; i < (s == swizzle_replicate(s & 3u) ? 1 : LANES); i++)
		text_char(t, "xyzw"[swizzle_lane(s, i)]);
}

static void arb_register_text(struct writer *w, const struct src *s, int row)
{
	struct text *t = &w->body;
	int index = s->index + row;
	switch ((enum reg_file)s->file) {
	case REG_TEMP: text_printf(t, "r%d", index); return;
	case REG_TEXCOORD: text_printf(t, "fragment.texcoord[%d]", index); return;
	case REG_CONST:
		index -= s->relative ? w->ahead : 0;
		w->addressed |= s->relative != 0;
		if (s->relative)
			text_printf(t, "constants[a.x %c %d]", index < 0 ? '-' : '+', index < 0 ? -index : index);
		else
			text_printf(t, "c%d", index);
		return;
	case REG_INPUT:
		if (w->pixel)
			text_string(t, index ? "fragment.color.secondary" : "fragment.color.primary");
		else
			text_printf(t, "v%d", index);
		return;
	case REG_ADDRESS:
	case REG_SAMPLER:
	case REG_POS_OUT:
	case REG_FOG_OUT:
	case REG_SIZE_OUT:
	case REG_COLOUR_OUT:
	case REG_TEX_OUT:
	case REG_PIXEL_OUT:
	case REG_DEPTH_OUT:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: break;
	}
	w->why = "an operand";
}

/* Appends operand k with its own swizzle followed by `outer`.  Of a matrix operand, appends the register of row `row`. */
static void arb_operand_text(struct writer *w, const struct instr *i, unsigned k, swizzle outer, int row)
{
	if (i->src[k].negate)
		text_char(&w->body, '-');
	arb_register_text(w, &i->src[k], row);
	swizzle_text(&w->body, swizzle_after(outer, i->src[k].swizzle));
}

static void arb_destination_text(struct writer *w, const struct dst *d, lanes mask)
{
	struct text *t = &w->body;
	bool other = w->how->show != SHOWN_COLOUR, varying = w->how->show > SHOWN_DEPTH;
	switch ((enum reg_file)d->file) {
	case REG_TEMP: text_printf(t, "r%d", d->index); break;
	case REG_ADDRESS: text_string(t, "address"); break;
	case REG_POS_OUT: text_string(t, "position"); break;
	case REG_FOG_OUT: text_string(t, w->how->show == SHOWN_FOG ? "shown" : "unseen"); break;
	case REG_SIZE_OUT: text_string(t, w->how->show == SHOWN_POINT_SIZE ? "shown" : "unseen"); break;
	case REG_COLOUR_OUT: text_string(t, d->index ? "result.color.secondary" : "result.color"); break;
	case REG_TEX_OUT:
		if (d->index == 7 && varying)
			text_string(t, "unseen");
		else
			text_printf(t, "result.texcoord[%d]", d->index);
		break;
	case REG_PIXEL_OUT:
		if (other)
			text_string(t, "unseen");
		else
			text_printf(t, "result.color[%d]", d->index);
		break;
	case REG_DEPTH_OUT: text_string(t, w->how->show == SHOWN_DEPTH ? "shown" : "unseen"); break;
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: w->why = "a destination"; break;
	}
	if (mask != MASK_XYZW) {
		text_char(t, '.');
		for (unsigned l = 0; l < LANES; l++)
			if (mask >> l & 1)
				text_char(t, "xyzw"[l]);
	}
}

/* Appends "OP dst" with the saturation of the instruction and a mask. */
static void begin_arb_instr(struct writer *w, const char *op, const struct instr *i, lanes mask)
{
	text_string(&w->body, op);
	text_string(&w->body, i->flags & INSTR_SAT ? "_SAT " : " ");
	arb_destination_text(w, &i->dst, mask);
}

/* Appends operands in an order such as "021"; a star before a digit takes the first lane of that operand alone.  Ends
 * the instruction. */
static void append_operands(struct writer *w, const struct instr *i, const char *order)
{
	for (bool scalar = false; *order; order++) {
		if (*order == '*') {
			scalar = true;
			continue;
		}
		text_string(&w->body, ", ");
		arb_operand_text(w, i, (unsigned)(*order - '0'), scalar ? swizzle_replicate(0) : SWIZZLE_XYZW, 0);
		scalar = false;
	}
	text_string(&w->body, ";\n");
}

static void write_counterpart(struct writer *w, const char *op, const struct instr *i, const char *order)
{
	begin_arb_instr(w, op, i, instr_writes(i));
	append_operands(w, i, order);
}

/* Writes `op` with the absolute value of the instruction's first operand, a scalar; for pow, the second operand follows as it is. */
static void write_with_absolute(struct writer *w, const char *op, const struct instr *i)
{
	text_string(&w->body, "ABS s0");
	append_operands(w, i, "*0");
	begin_arb_instr(w, op, i, instr_writes(i));
	text_string(&w->body, ", s0.x");
	if (i->op == OP_POW)
		append_operands(w, i, "*1");
	else
		text_string(&w->body, ";\n");
}

static void write_matrix_rows(struct writer *w, const char *op, const struct instr *i)
{
	for (unsigned row = 0; row < instr_rows(i, 1); row++) {
		begin_arb_instr(w, op, i, (lanes)(1u << row));
		text_string(&w->body, ", ");
		arb_operand_text(w, i, 0, SWIZZLE_XYZW, 0);
		text_string(&w->body, ", ");
		arb_operand_text(w, i, 1, SWIZZLE_XYZW, (int)row);
		text_string(&w->body, ";\n");
	}
}

static void write_texture_read(struct writer *w, const char *op, const struct instr *i)
{
	static const char *const kinds[] = {[TEXTURE_NONE] = "2D", [TEXTURE_2D] = "2D", [TEXTURE_CUBE] = "CUBE",
	                                    [TEXTURE_VOLUME] = "3D"};
	begin_arb_instr(w, op, i, instr_writes(i));
	text_string(&w->body, ", ");
	arb_operand_text(w, i, 0, SWIZZLE_XYZW, 0);
	text_printf(&w->body, ", texture[%d], %s;\n", i->src[1].index, kinds[w->p->samplers[i->src[1].index]]);
}

/* For each instruction that ARB has: its name there, and the order of its operands for append_operands.  The name is NULL for others. */
static const struct counterpart {
	const char *name, *order;
} counterparts[OP_COUNT] = {
	[OP_ABS] = {"ABS", "0"},   [OP_ADD] = {"ADD", "01"},  [OP_CMP] = {"CMP", "021"}, [OP_CRS] = {"XPD", "01"}, [OP_DP3] = {"DP3", "01"},
	[OP_DP4] = {"DP4", "01"},  [OP_DST] = {"DST", "01"},  [OP_EXP] = {"EX2", "*0"},  [OP_FRC] = {"FRC", "0"},  [OP_LIT] = {"LIT", "0"},
	[OP_MAD] = {"MAD", "012"}, [OP_MAX] = {"MAX", "01"},  [OP_MIN] = {"MIN", "01"},  [OP_MOV] = {"MOV", "0"},  [OP_MUL] = {"MUL", "01"},
	[OP_RCP] = {"RCP", "*0"},  [OP_RSQ] = {"RSQ", "*0"},  [OP_SGE] = {"SGE", "01"},  [OP_SLT] = {"SLT", "01"}, [OP_SUB] = {"SUB", "01"},
};

/* Writes two multiply-adds: the first adds the product of the first lanes to the addend, the second that of the second lanes. */
static void write_dp2add(struct writer *w, const struct instr *i)
{
	text_string(&w->body, "MAD s0");
	append_operands(w, i, "*0*1*2");
	begin_arb_instr(w, "MAD", i, instr_writes(i));
	for (unsigned k = 0; k < 2; k++) {
		text_string(&w->body, ", ");
		arb_operand_text(w, i, k, swizzle_replicate(LANE_Y), 0);
	}
	text_string(&w->body, ", s0.x;\n");
}

/* Writes LRP, or, for a VP, where ARB has none, SUB and MAD. */
static void write_lrp(struct writer *w, const struct instr *i)
{
	if (w->pixel) {
		write_counterpart(w, "LRP", i, "012");
		return;
	}
	text_string(&w->body, "SUB s0");
	append_operands(w, i, "12");
	begin_arb_instr(w, "MAD", i, instr_writes(i));
	text_string(&w->body, ", s0");
	append_operands(w, i, "02");
}

static void write_nrm(struct writer *w, const struct instr *i)
{
	text_string(&w->body, "DP3 s0.x");
	append_operands(w, i, "00");
	text_string(&w->body, "RSQ s0.x, s0.x;\n");
	begin_arb_instr(w, "MUL", i, instr_writes(i));
	text_string(&w->body, ", s0.x");
	append_operands(w, i, "0");
}

static void write_sgn(struct writer *w, const struct instr *i)
{
	text_string(&w->body, "MOV s0");
	append_operands(w, i, "0");
	text_string(&w->body, "SLT s1, 0.0, s0;\nSLT s0, s0, 0.0;\n");
	begin_arb_instr(w, "SUB", i, instr_writes(i));
	text_string(&w->body, ", s1, s0;\n");
}

/* Writes texkill, which tests three lanes, as KIL, which tests four: lane z twice. */
static void write_texkill(struct writer *w, const struct instr *i)
{
	text_string(&w->body, "KIL ");
	arb_operand_text(w, i, 0, SWIZZLE(LANE_X, LANE_Y, LANE_Z, LANE_Z), 0);
	text_string(&w->body, ";\n");
}

/* Writes mova, which rounds to the nearest number: adds 0.5, as ARL, which reads `address` later, rounds down. */
static void write_mova(struct writer *w, const struct instr *i)
{
	begin_arb_instr(w, "ADD", i, instr_writes(i));
	text_string(&w->body, ", 0.5");
	append_operands(w, i, "0");
}

static void write_arb_instr(struct writer *w, const struct instr *i)
{
	const struct counterpart *as = &counterparts[i->op];
	bool const vs_1_1 = w->p->model == VS_1_1;
	if (as->name) {
		write_counterpart(w, as->name, i, as->order);
		return;
	}
	switch (i->op) {
	case OP_DP2ADD: write_dp2add(w, i); return;
	case OP_EXPP: write_counterpart(w, vs_1_1 ? "EXP" : "EX2", i, "*0"); return;
	case OP_LOG: write_with_absolute(w, "LG2", i); return;
	case OP_LOGP: write_with_absolute(w, vs_1_1 ? "LOG" : "LG2", i); return;
	case OP_LRP: write_lrp(w, i); return;
	case OP_M3X2:
	case OP_M3X3:
	case OP_M3X4: write_matrix_rows(w, "DP3", i); return;
	case OP_M4X3:
	case OP_M4X4: write_matrix_rows(w, "DP4", i); return;
	case OP_MOVA: write_mova(w, i); return;
	case OP_NOP: return;
	case OP_NRM: write_nrm(w, i); return;
	case OP_POW: write_with_absolute(w, "POW", i); return;
	case OP_SGN: write_sgn(w, i); return;
	case OP_SINCOS:
		if (!w->pixel)
			break;
		write_counterpart(w, "SCS", i, "*0");
		return;
	case OP_TEXKILL: write_texkill(w, i); return;
	case OP_TEXLD: write_texture_read(w, "TEX", i); return;
	case OP_TEXLDB: write_texture_read(w, "TXB", i); return;
	case OP_TEXLDP: write_texture_read(w, "TXP", i); return;
	default: break;
	}
	w->why = ops[i->op].name;
}

/* Loads the address register with the lane of a0 that the instruction adds to a constant's number.  ARB takes offsets up to 63, so for
 * constants beyond these the offset is added to the address itself (`ahead`). */
static void load_address(struct writer *w, const struct instr *i)
{
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		const struct src *c = &i->src[s];
		if (!c->relative)
			continue;
		w->ahead = c->index + (int)instr_rows(i, s) > 64 ? c->index : 0;
		int const wanted = w->ahead * LANES + c->relative - 1;
		char const lane = "xyzw"[c->relative - 1];
		if (wanted != w->held && w->ahead)
			text_printf(&w->body, "ADD s0.x, address.%c, %d.0;\nARL a.x, s0.x;\n", lane, w->ahead);
		else if (wanted != w->held)
			text_printf(&w->body, "ARL a.x, address.%c;\n", lane);
		w->held = wanted;
	}
}

static void write_instr_and_address(struct writer *w, const struct instr *i)
{
	load_address(w, i);
	write_arb_instr(w, i);
	if (instr_writes(i) && i->dst.file == REG_ADDRESS)
		w->held = -1;
}

static void declare_arb_registers(struct writer *w)
{
	struct text *t = &w->head;
	bool constant[SHADER_MAX_CONSTS] = {false};
	for (unsigned r = 0; r < models[w->p->model].temps; r++)
		text_printf(t, "TEMP r%u;\n", r);
	text_string(t, "TEMP s0, s1, unseen, shown, position;\n");
	unsigned inputs = 0;
	for (uint32_t d = 0; d < w->p->decls.n; d++)
		if (w->p->decls.at[d].kind == DECL_VERTEX_INPUT)
			text_printf(t, "ATTRIB v%d = vertex.attrib[%u];\n", w->p->decls.at[d].reg.index, SHADER_FIRST_INPUT + inputs++);
	for (uint32_t k = 0; k < w->p->instrs.n; k++) {
		const struct instr *i = &w->p->instrs.at[k];
		for (unsigned s = 0; s < (i->op == OP_SINCOS ? 1u : ops[i->op].sources); s++)
			for (unsigned row = 0; i->src[s].file == REG_CONST && !i->src[s].relative && row < instr_rows(i, s); row++)
				constant[i->src[s].index + (int)row] = true;
	}
	for (int c = 0; c < SHADER_MAX_CONSTS; c++) {
		const struct decl *d = constant[c] ? program_decl(w->p, REG_CONST, c) : NULL;
		if (d) {
			text_printf(t, "PARAM c%d = {", c);
			for (unsigned l = 0; l < LANES; l++)
				text_printf(t, "%s%.9g", l ? ", " : "", (double)d->value[l]);
			text_string(t, "};\n");
		} else if (constant[c]) {
			text_printf(t, "PARAM c%d = program.local[%d];\n", c, c);
		}
	}
	if (w->addressed)
		text_printf(t, "PARAM constants[] = {program.local[0..%u]};\n", models[w->p->model].consts - 1u);
	if (!w->pixel)
		text_string(t, "TEMP address;\nADDRESS a;\n");
}

/* Writes the position as w->how->position says.  POSITION_D3D converts it from Direct3D 9, which has pixel centres at whole numbers, the
 * first line at the top (OpenGL reads images from the bottom up) and the near plane at z = 0. */
static void write_arb_position(struct writer *w)
{
	switch (w->how->position) {
	case POSITION_AS_IS: text_string(&w->body, "MOV result.position, position;\n"); return;
	case POSITION_CORNER: text_printf(&w->body, "MOV result.position, vertex.attrib[%d];\n", SHADER_CORNER); return;
	case POSITION_D3D:
		text_printf(&w->body, "MUL s0, position.w, {%.9g, %.9g, -1, 0};\nMAD result.position, position, {1, -1, 2, 1}, s0;\n",
		            1.0 / w->how->width, 1.0 / w->how->height);
	}
}

const char *arb_program(struct arena *arena, const struct program *p, const struct shader_options *how, const char **why)
{
	static const char show_varying[] = "!!ARBfp1.0\nMOV result.color, fragment.texcoord[7].x;\nEND\n";
	struct writer w = {.p = p, .how = how, .body = {.arena = arena}, .head = {.arena = arena}, .held = -1,
	                   .pixel = program_stage(p) == STAGE_PIXEL};
	if (w.pixel && how->show > SHOWN_DEPTH)
		return show_varying;
	if (model_links(p->model)) {
		*why = "model 3";
		return NULL;
	}
	for (uint32_t k = 0; k < p->instrs.n; k++)
		write_instr_and_address(&w, &p->instrs.at[k]);
	if (!w.pixel)
		write_arb_position(&w);
	if (how->show == SHOWN_DEPTH ? w.pixel : how->show > SHOWN_DEPTH)
		text_string(&w.body, w.pixel ? "MOV result.color, shown.x;\n" : "MOV result.texcoord[7], shown.x;\n");
	text_string(&w.head, w.pixel ? "!!ARBfp1.0\n" : "!!ARBvp1.0\n");
	if (w.pixel)
		text_string(&w.head, "OPTION ARB_draw_buffers;\n");
	declare_arb_registers(&w);
	*why = w.why;
	return w.why ? NULL : arena_printf(arena, "%s%sEND\n", w.head.at, w.body.at);
}
