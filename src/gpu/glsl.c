/* Translates programs, see glsl.h.  Each instruction becomes one assignment, whose right side is a template with the operands filled in. */
#include "gpu/glsl.h"

/* The most registers of a register file (r#, v#, t# ...), except constants. */
enum { REGISTERS = 32 };

struct writer {
	const struct program *p;
	const struct shader_options *how;
	struct text body, head;
	bool pixel;
	bool addressed;                        /* the program reads c[a0.x + n] */
	struct register_set read[REG_FILES];   /* registers that are read, except constants read as c[a0.x + n] */
	lanes written[REG_FILES][REGISTERS];   /* lanes that are written so far */
	bool early[REGISTERS];                 /* r# has a lane that is read before it is written */
};

/* The value of a template. */
enum form {
	LANEWISE, /* a vector of the lanes in the mask */
	EACH,     /* a number; the template is repeated for each lane of the mask */
	SCALAR,   /* one number for all lanes of the mask */
	VECTOR,   /* all lanes that the instruction can write; the mask selects some of them */
	STATEMENT /* no value: the template is a statement */
};

struct translation {
	enum form form;
	/* `$n` stands for operand n in the lanes that the form needs, and `$n.xy` for its lanes x and y. */
	const char *text;
};

/* ---- templates --------------------------------------------------------------------------- */

/* The templates, by the equations of lang/ops.def.  GLSL does not define pow(0, 0), which is 1 in `lit`. */
static const struct translation translations[OP_COUNT] = {
	[OP_ABS] = {LANEWISE, "abs($0)"},
	[OP_ADD] = {LANEWISE, "$0 + $1"},
	[OP_CMP] = {EACH, "$0 >= 0.0 ? $1 : $2"},
	[OP_CRS] = {VECTOR, "($0.yzx * $1.zxy - $0.zxy * $1.yzx)"},
	[OP_DP2ADD] = {SCALAR, "dot($0.xy, $1.xy) + $2.x"},
	[OP_DP3] = {SCALAR, "dot($0.xyz, $1.xyz)"},
	[OP_DP4] = {SCALAR, "dot($0.xyzw, $1.xyzw)"},
	[OP_DSX] = {LANEWISE, "dFdx($0)"},
	[OP_DSY] = {LANEWISE, "dFdy($0)"},
	[OP_DST] = {VECTOR, "vec4(1.0, $0.y * $1.y, $0.z, $1.w)"},
	[OP_EXP] = {SCALAR, "exp2($0.x)"},
	[OP_EXPP] = {VECTOR, "vec4(exp2(floor($0.x)), fract($0.x), exp2($0.x), 1.0)"},
	[OP_FRC] = {LANEWISE, "fract($0)"},
	[OP_LIT] = {VECTOR, "vec4(1.0, max($0.x, 0.0), $0.x <= 0.0 ? 0.0 : $0.w == 0.0 ? 1.0 : "
	                    "pow(max($0.y, 0.0), clamp($0.w, -127.9961, 127.9961)), 1.0)"},
	[OP_LOG] = {SCALAR, "log2(abs($0.x))"},
	[OP_LOGP] = {VECTOR, "vec4(floor(log2(abs($0.x))), abs($0.x) / exp2(floor(log2(abs($0.x)))), log2(abs($0.x)), 1.0)"},
	[OP_LRP] = {LANEWISE, "$0 * ($1 - $2) + $2"},
	[OP_M3X2] = {EACH, "dot($0.xyz, $1.xyz)"},
	[OP_M3X3] = {EACH, "dot($0.xyz, $1.xyz)"},
	[OP_M3X4] = {EACH, "dot($0.xyz, $1.xyz)"},
	[OP_M4X3] = {EACH, "dot($0.xyzw, $1.xyzw)"},
	[OP_M4X4] = {EACH, "dot($0.xyzw, $1.xyzw)"},
	[OP_MAD] = {LANEWISE, "$0 * $1 + $2"},
	[OP_MAX] = {LANEWISE, "max($0, $1)"},
	[OP_MIN] = {LANEWISE, "min($0, $1)"},
	[OP_MOV] = {LANEWISE, "$0"},
	[OP_MOVA] = {EACH, "int(floor($0 + 0.5))"},
	[OP_MUL] = {LANEWISE, "$0 * $1"},
	[OP_NOP] = {STATEMENT, ""},
	[OP_NRM] = {LANEWISE, "$0 * inversesqrt(dot($0.xyz, $0.xyz))"},
	[OP_POW] = {SCALAR, "pow(abs($0.x), $1.x)"},
	[OP_RCP] = {SCALAR, "1.0 / $0.x"},
	[OP_RSQ] = {SCALAR, "inversesqrt(abs($0.x))"},
	[OP_SGE] = {EACH, "$0 >= $1 ? 1.0 : 0.0"},
	[OP_SGN] = {LANEWISE, "sign($0)"},
	[OP_SINCOS] = {VECTOR, "vec2(cos($0.x), sin($0.x))"},
	[OP_SINCOS3] = {VECTOR, "vec2(cos($0.x), sin($0.x))"},
	[OP_SLT] = {EACH, "$0 < $1 ? 1.0 : 0.0"},
	[OP_SUB] = {LANEWISE, "$0 - $1"},
	[OP_TEXKILL] = {STATEMENT, "if (any(lessThan($0.xyz, vec3(0.0))))\n\t\tdiscard"},
};

/* The templates of texture reads, by enum texture.  GLSL has no read of a cube that divides by w.  A sampler without a declared type counts
 * as 2D. */
static const char *const plain_reads[] = {"texture2D($1, $0.xy)", "texture2D($1, $0.xy)", "textureCube($1, $0.xyz)",
                                          "texture3D($1, $0.xyz)"};
static const char *const biased_reads[] = {"texture2D($1, $0.xy, $0.w)", "texture2D($1, $0.xy, $0.w)",
                                           "textureCube($1, $0.xyz, $0.w)", "texture3D($1, $0.xyz, $0.w)"};
static const char *const divided_reads[] = {"texture2DProj($1, $0.xyzw)", "texture2DProj($1, $0.xyzw)",
                                            "textureCube($1, $0.xyz / $0.w)", "texture3DProj($1, $0.xyzw)"};
static const char *const sampler_types[] = {"sampler2D", "sampler2D", "samplerCube", "sampler3D"};

static struct translation translation_of(const struct program *p, const struct instr *i)
{
	if (i->op == OP_MOV && i->dst.file == REG_ADDRESS)
		return (struct translation){EACH, "int(floor($0))"};
	if (i->op == OP_EXPP && p->model != VS_1_1)
		return translations[OP_EXP];
	if (i->op == OP_LOGP && p->model != VS_1_1)
		return translations[OP_LOG];
	if (!instr_samples(i))
		return translations[i->op];
	/* Textures have one level here, so reads with an explicit level or explicit gradients read the same texel. */
	unsigned const kind = p->samplers[i->src[1].index];
	return (struct translation){VECTOR, (i->op == OP_TEXLDB ? biased_reads : i->op == OP_TEXLDP ? divided_reads : plain_reads)[kind]};
}

/* ---- operands and destinations ------------------------------------------------------------ */

/* Lanes in the order in which an operand or a mask names them. */
struct order {
	unsigned n;
	unsigned lane[LANES];
};

static struct order order_of(lanes mask)
{
	struct order o = {0};
	for (unsigned l = 0; l < LANES; l++)
		if (mask >> l & 1)
			o.lane[o.n++] = l;
	return o;
}

static void lane_suffix_text(struct text *t, const struct order *o)
{
	bool straight = o->n == LANES;
	for (unsigned k = 0; k < o->n; k++)
		straight &= o->lane[k] == k;
	if (straight)
		return;
	text_char(t, '.');
	for (unsigned k = 0; k < o->n; k++)
		text_char(t, "xyzw"[o->lane[k]]);
}

/* Returns the number of the attribute that holds input v`index`.  Attributes are in the order of the dcls. */
static unsigned attribute_of(const struct program *p, int index)
{
	unsigned attribute = SHADER_FIRST_INPUT;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind != DECL_VERTEX_INPUT)
			continue;
		if (d->reg.index == index)
			break;
		attribute++;
	}
	return attribute;
}

static void constant_text(struct writer *w, const struct src *s, int index)
{
	struct text *t = &w->body;
	const char *array = w->pixel ? "pc" : "vc";
	if (s->relative) {
		w->addressed = true;
		text_printf(t, "%s[address.%c %c %d]", array, "xyzw"[s->relative - 1], index < 0 ? '-' : '+', index < 0 ? -index : index);
		return;
	}
	register_put_in(&w->read[REG_CONST], index);
	if (program_decl(w->p, REG_CONST, index))
		text_printf(t, "c%d", index);
	else
		text_printf(t, "%s[%d]", array, index);
}

static void glsl_register_text(struct writer *w, const struct src *s, int row)
{
	struct text *t = &w->body;
	if (s->file == REG_CONST) {
		constant_text(w, s, s->index + row);
		return;
	}
	register_put_in(&w->read[s->file], s->index);
	/* write_glsl_position turns the image upside down, so vPos needs no further change, and neither does vFace. */
	if (s->file == REG_PIXEL_POS)
		text_string(t, "(gl_FragCoord - 0.5)");
	else if (s->file == REG_FACE)
		text_string(t, "vec4(gl_FrontFacing ? 1.0 : -1.0)");
	else if (s->file == REG_INPUT && !w->pixel)
		text_printf(t, "a%u", attribute_of(w->p, s->index));
	else
		text_printf(t, "%s%d", s->file == REG_INPUT ? "d" : reg_files[s->file].name, s->index);
}

/* Appends lanes `read` of an operand; of a matrix operand, those of its row `row`.  Marks r# in `early` if one of them is not written yet. */
static void glsl_operand_text(struct writer *w, const struct src *s, const struct order *read, int row)
{
	if (s->negate)
		text_char(&w->body, '-');
	glsl_register_text(w, s, row);
	if (s->file == REG_SAMPLER)
		return;
	struct order from = *read;
	for (unsigned k = 0; k < read->n; k++) {
		from.lane[k] = swizzle_lane(s->swizzle, read->lane[k]);
		if (s->file == REG_TEMP && !(w->written[REG_TEMP][s->index] >> from.lane[k] & 1))
			w->early[s->index] = true;
	}
	lane_suffix_text(&w->body, &from);
}

/* Returns the variable that takes an output (depth, fog or point size): "shown" if the pair is to show it as a colour, else "unseen".
 * write_shown passes "shown" of a VP on to the FP as t7. */
static const char *output_variable(const struct writer *w, enum shown output)
{
	return w->how->show == output ? "shown" : "unseen";
}

static bool shows_varying(const struct writer *w)
{
	return w->how->show > SHOWN_DEPTH;
}

static void glsl_destination_text(struct writer *w, const struct dst *d)
{
	struct text *t = &w->body;
	switch ((enum reg_file)d->file) {
	case REG_ADDRESS: text_string(t, "address"); break;
	case REG_POS_OUT: text_string(t, "position"); break;
	case REG_FOG_OUT: text_string(t, output_variable(w, SHOWN_FOG)); break;
	case REG_SIZE_OUT: text_string(t, output_variable(w, SHOWN_POINT_SIZE)); break;
	case REG_DEPTH_OUT: text_string(t, output_variable(w, SHOWN_DEPTH)); break;
	case REG_COLOUR_OUT: text_printf(t, "d%d", d->index); break;
	case REG_TEX_OUT:
		if (d->index == 7 && shows_varying(w))
			text_string(t, "unseen");
		else
			text_printf(t, "t%d", d->index);
		break;
	case REG_PIXEL_OUT:
		if (w->how->show != SHOWN_COLOUR)
			text_string(t, "unseen");
		else
			text_printf(t, "gl_FragData[%d]", d->index);
		break;
	case REG_TEMP:
	case REG_INPUT:
	case REG_TEXCOORD:
	case REG_CONST:
	case REG_SAMPLER:
	case REG_PIXEL_POS:
	case REG_FACE:
	case REG_LINKED:
	case FLOW_FILES:
	case REG_FILES: text_printf(t, "r%d", d->index); break; /* of these files, only r# is a destination */
	}
}

/* ---- instructions -------------------------------------------------------------------------- */

/* Appends the template with its operands filled in.  Operands whose lanes the template does not name are read in the lanes `needed`. */
static void fill_template(struct writer *w, const struct instr *i, const char *template, const struct order *needed)
{
	bool const matrix = ops[i->op].shape == SHAPE_MATRIX;
	for (const char *c = template; *c; c++) {
		if (*c != '$') {
			text_char(&w->body, *c);
			continue;
		}
		unsigned const s = (unsigned)(*++c - '0');
		struct order named = {0};
		for (const char *l = c + 2; c[1] == '.' && named.n < LANES && *l >= 'w' && *l <= 'z'; l++)
			named.lane[named.n++] = *l == 'w' ? LANE_W : (unsigned)(*l - 'x');
		glsl_operand_text(w, &i->src[s], named.n ? &named : needed, matrix && s == 1 ? (int)needed->lane[0] : 0);
		c += named.n ? named.n + 1 : 0;
	}
}

/* Begins a vector of n lanes, such as "vec3(", unless n is 1. */
static void begin_vector(struct writer *w, const struct instr *i, unsigned n)
{
	if (n > 1)
		text_printf(&w->body, "%svec%u(", i->dst.file == REG_ADDRESS ? "i" : "", n);
}

static void value_text(struct writer *w, const struct instr *i, const struct translation *as, const struct order *mask)
{
	bool const joined = as->form == EACH || as->form == SCALAR;
	if (joined)
		begin_vector(w, i, mask->n);
	for (unsigned k = 0; k < (as->form == EACH ? mask->n : 1); k++) {
		struct order one = {1, {mask->lane[k]}};
		text_string(&w->body, k ? ", " : "");
		fill_template(w, i, as->text, as->form == EACH ? &one : mask);
	}
	if (as->form == VECTOR) {
		struct order from = *mask;
		for (unsigned k = 0; instr_samples(i) && k < mask->n; k++)
			from.lane[k] = swizzle_lane(i->src[1].swizzle, mask->lane[k]);
		lane_suffix_text(&w->body, &from);
	}
	if (joined && mask->n > 1)
		text_char(&w->body, ')');
}

/* Writes an instruction as an assignment, clamped to 0 to 1 if it has _sat or writes oD# before model 3, as Direct3D and OpenGL's assembly
 * programs do. */
static void write_assignment(struct writer *w, const struct instr *i, const struct translation *as)
{
	bool const clamped = i->flags & INSTR_SAT || (i->dst.file == REG_COLOUR_OUT && !model_links(w->p->model));
	lanes const writes = instr_writes(i);
	struct order const mask = order_of(writes);
	text_char(&w->body, '\t');
	glsl_destination_text(w, &i->dst);
	lane_suffix_text(&w->body, &mask);
	text_string(&w->body, clamped ? " = clamp(" : " = ");
	value_text(w, i, as, &mask);
	text_string(&w->body, clamped ? ", 0.0, 1.0);\n" : ";\n");
	w->written[i->dst.file][i->dst.index] |= writes;
}

static void write_glsl_instr(struct writer *w, const struct instr *i)
{
	struct translation const as = translation_of(w->p, i);
	if (as.form != STATEMENT) {
		write_assignment(w, i, &as);
	} else if (*as.text) {
		text_char(&w->body, '\t');
		fill_template(w, i, as.text, &(struct order){0});
		text_string(&w->body, ";\n");
	}
}

/* ---- declarations -------------------------------------------------------------------------- */

/* Appends a number as GLSL writes floats, with a point or an exponent; nine digits tell all floats apart. */
static void number_text(struct text *t, float value)
{
	size_t const from = t->n;
	text_printf(t, "%.9g", (double)value);
	if (!strpbrk(t->at + from, ".e"))
		text_string(t, ".0");
}

static void declare_constants(struct writer *w)
{
	struct text *t = &w->head;
	unsigned n = w->addressed ? models[w->p->model].consts : 0;
	for (unsigned c = 0; c < SHADER_MAX_CONSTS; c++) {
		if (!register_is_in(&w->read[REG_CONST], (int)c))
			continue;
		const struct decl *d = program_decl(w->p, REG_CONST, (int)c);
		if (!d) {
			n = c < n ? n : c + 1;
			continue;
		}
		text_printf(t, "const vec4 c%u = vec4(", c);
		for (unsigned l = 0; l < LANES; l++) {
			text_string(t, l ? ", " : "");
			number_text(t, d->value[l]);
		}
		text_string(t, ");\n");
	}
	if (n)
		text_printf(t, "uniform vec4 %s[%u];\n", w->pixel ? "pc" : "vc", n);
}

static bool has_varying(const struct writer *w, enum reg_file in, enum reg_file out, unsigned index)
{
	return w->pixel ? register_is_in(&w->read[in], (int)index) : w->written[out][index] != 0;
}

static void declare_interface(struct writer *w)
{
	struct text *t = &w->head;
	if (!w->pixel && w->how->position == POSITION_CORNER)
		text_printf(t, "attribute vec4 a%d;\n", SHADER_CORNER);
	for (int v = 0; v < REGISTERS; v++)
		if (!w->pixel && register_is_in(&w->read[REG_INPUT], v))
			text_printf(t, "attribute vec4 a%u;\n", attribute_of(w->p, v));
	for (unsigned k = 0; k < 2; k++)
		if (has_varying(w, REG_INPUT, REG_COLOUR_OUT, k))
			text_printf(t, "varying vec4 d%u;\n", k);
	for (unsigned k = 0; k < MOST_TEX_OUTS; k++)
		if (has_varying(w, REG_TEXCOORD, REG_TEX_OUT, k))
			text_printf(t, "varying vec4 t%u;\n", k);
	for (unsigned k = 0; k < 16; k++)
		if (register_is_in(&w->read[REG_SAMPLER], (int)k))
			text_printf(t, "uniform %s s%u;\n", sampler_types[w->p->samplers[k]], k);
	declare_constants(w);
}

/* Presets the outputs that the VP writes in some lanes only to (0, 0, 0, 1), the default values. */
static void preset_outputs(struct writer *w, enum reg_file out, char name)
{
	for (unsigned k = 0; k < REGISTERS; k++)
		if (w->written[out][k] && w->written[out][k] != MASK_XYZW)
			text_printf(&w->head, "\t%c%u = vec4(0.0, 0.0, 0.0, 1.0);\n", name, k);
}

static void declare_locals(struct writer *w)
{
	struct text *t = &w->head;
	text_string(t, w->pixel ? "\tvec4 shown, unseen;\n" : "\tvec4 position, shown, unseen;\n");
	for (unsigned k = 0; k < REGISTERS; k++)
		if (w->written[REG_TEMP][k] || w->early[k])
			text_printf(t, "\tvec4 r%u%s;\n", k, w->early[k] ? " = vec4(0.0)" : "");
	if (w->written[REG_ADDRESS][0])
		text_string(t, "\tivec4 address;\n");
	preset_outputs(w, REG_TEX_OUT, 't');
	preset_outputs(w, REG_COLOUR_OUT, 'd');
}

/* ---- the shader ---------------------------------------------------------------------------- */

/* Writes gl_Position as w->how->position says.  POSITION_D3D converts it from Direct3D 9, which has pixel centres at whole numbers, the
 * first line at the top and the near plane at z = 0. */
static void write_glsl_position(struct writer *w)
{
	struct text *t = &w->body;
	switch (w->how->position) {
	case POSITION_AS_IS: text_string(t, "\tgl_Position = position;\n"); break;
	case POSITION_CORNER: text_printf(t, "\tgl_Position = a%d;\n", SHADER_CORNER); break;
	case POSITION_D3D:
		text_string(t, "\tgl_Position = position * vec4(1.0, -1.0, 2.0, 1.0) + position.w * vec4(");
		number_text(t, 1.0f / (float)w->how->width);
		text_string(t, ", ");
		number_text(t, 1.0f / (float)w->how->height);
		text_string(t, ", -1.0, 0.0);\n");
		break;
	}
}

static void write_shown(struct writer *w)
{
	if (w->pixel && w->how->show == SHOWN_DEPTH)
		text_string(&w->body, "\tgl_FragData[0] = vec4(shown.x);\n");
	if (!w->pixel && shows_varying(w)) {
		text_string(&w->body, "\tt7 = vec4(shown.x);\n");
		w->written[REG_TEX_OUT][7] = MASK_XYZW;
	}
}

const char *glsl_program(struct arena *arena, const struct program *p, const struct shader_options *how)
{
	struct writer w = {.p = p, .how = how, .body = {.arena = arena}, .head = {.arena = arena},
	                   .pixel = program_stage(p) == STAGE_PIXEL};
	if (w.pixel && shows_varying(&w))
		return "#version 120\nvarying vec4 t7;\nvoid main()\n{\n\tgl_FragData[0] = vec4(t7.x);\n}\n";
	for (uint32_t k = 0; k < p->instrs.n; k++)
		write_glsl_instr(&w, &p->instrs.at[k]);
	if (!w.pixel)
		write_glsl_position(&w);
	write_shown(&w);
	text_string(&w.head, "#version 120\n");
	declare_interface(&w);
	text_string(&w.head, "void main()\n{\n");
	declare_locals(&w);
	return arena_printf(arena, "%s%s}\n", w.head.at, w.body.at);
}
