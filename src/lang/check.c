/* Checks a program: each declaration, and each instruction by check_instr.c, in the order of the text, then the program as a whole.  The rules are
 * in rules.def. */
#include "lang/checker.h"
#include "lang/rounding.h"

static void set_limits(struct checker *c)
{
	static const struct device any;
	const struct device *device = c->options->device ? c->options->device : &any;
	bool const known = device->has[DEVICE_VS_CONSTS] > 0;
	c->most_slots = device_slots(device, c->p->model);
	const struct model_info *m = c->m;
	bool vertex = c->stage == STAGE_VERTEX;
	c->count[REG_TEMP] = !vertex && c->options->any_length ? CHECK_TEMPS : m->temps;
	c->count[REG_INPUT] = m->inputs;
	c->count[REG_TEXCOORD] = m->texcoords;
	c->count[REG_CONST] = (uint16_t)(known ? device_consts(device, c->p->model) : m->consts);
	c->count[REG_SAMPLER] = m->samplers;
	c->count[REG_ADDRESS] = vertex;
	c->count[REG_POS_OUT] = vertex;
	c->count[REG_FOG_OUT] = vertex;
	c->count[REG_SIZE_OUT] = vertex;
	c->count[REG_COLOUR_OUT] = vertex ? 2 : 0;
	c->count[REG_TEX_OUT] = !vertex ? 0 : model_links(c->p->model) ? MOST_TEX_OUTS : 8;
	c->count[REG_PIXEL_POS] = c->count[REG_FACE] = c->p->model == PS_3_0;
	c->count[REG_PIXEL_OUT] = vertex ? 0 : 4;
	c->count[REG_DEPTH_OUT] = !vertex;
	c->count[REG_INT] = c->count[REG_BOOL] = m->flow & OPF_STATIC ? 16 : 0;
	c->count[REG_LOOP] = m->flow & OPF_LOOP ? 1 : 0;
	c->count[REG_PREDICATE] = m->flow & OPF_PREDICATE ? 1 : 0;
	c->count[REG_LABEL] = !(m->flow & OPF_STATIC) ? 0 : model_links(c->p->model) ? 2048 : 16;
}

/* ---- declarations ---------------------------------------------------------------------- */

/* Returns the checker's field for the declaration of a v#, t# or s#, or NULL if the register does not exist, or is of another file. */
static const struct decl **declaration_of(struct checker *c, const struct dst *reg)
{
	if (reg->index < 0 || reg->index >= c->count[reg->file])
		return NULL;
	if (reg->file == REG_SAMPLER)
		return &c->samplers[reg->index];
	return reg->file == REG_INPUT ? &c->inputs[reg->index] : reg->file == REG_TEXCOORD ? &c->texcoords[reg->index] : NULL;
}

static void check_usage(struct checker *c, const struct decl *d, uint16_t usages[USAGES], enum rule twice)
{
	enum { USAGE_INDICES = 16 };
	if (d->usage_index >= USAGE_INDICES) {
		breach(c, RULE_VS_USAGE_INDEX, d->at, "the index of a usage is 0 to 15");
		return;
	}
	if (usages[d->usage] >> d->usage_index & 1)
		breach(c, twice, d->at, "%s%u is given to a second register, %s", usage_names[d->usage],
		       d->usage_index, NAME(&d->reg));
	usages[d->usage] |= (uint16_t)(1u << d->usage_index);
}

/* Returns true if no earlier declaration of the same kind and register has a lane of `d`. */
static bool lanes_are_undeclared(const struct checker *c, const struct decl *d)
{
	for (const struct decl *other = c->p->decls.at; other < d; other++)
		if (other->kind == d->kind && other->reg.file == d->reg.file && other->reg.index == d->reg.index &&
		    other->reg.mask & d->reg.mask)
			return false;
	return true;
}

static void check_decl(struct checker *c, const struct decl *d)
{
	if (d->before > 0 && !c->told_decl_order) {
		c->told_decl_order = true;
		breach(c, RULE_DECL_ORDER, d->at, "a %s stands before the first instruction; this one stands behind %u",
		       d->kind == DECL_DEF || d->kind == DECL_INT || d->kind == DECL_BOOL ? "def" : "dcl", (unsigned)d->before);
	}
	if (!check_register(c, d->reg.file, d->reg.index, 1, false, d->reg.at))
		return;
	uint64_t *declared = &c->declared[d->reg.file][d->reg.index / 64], bit = UINT64_C(1) << d->reg.index % 64;
	bool const linked = d->kind == DECL_OUTPUT || (d->kind == DECL_PIXEL_INPUT && c->p->model == PS_3_0);
	if (*declared & bit && (d->kind == DECL_DEF || d->kind == DECL_INT || d->kind == DECL_BOOL))
		breach(c, RULE_DEF_TWICE, d->reg.at, "%s is defined twice; the last def counts", NAME(&d->reg));
	else if (*declared & bit && (!linked || !lanes_are_undeclared(c, d)))
		breach(c, RULE_DCL_TWICE, d->reg.at, "%s is declared twice", NAME(&d->reg));
	*declared |= bit;
	if (d->kind == DECL_VERTEX_INPUT && d->usage < USAGES)
		check_usage(c, d, c->usages, RULE_VS_USAGE_TWICE);
	else if (linked && d->usage < USAGES)
		check_usage(c, d, c->linked, RULE_LINK_TWICE);
}

/* ---- the program as a whole ------------------------------------------------------------- */

/* Sets `inputs`, `texcoords` and `samplers` to the last declaration of each register. */
static void keep_decls(struct checker *c)
{
	for (uint32_t k = 0; k < c->p->decls.n; k++) {
		const struct decl **kept = declaration_of(c, &c->p->decls.at[k].reg);
		if (kept)
			*kept = &c->p->decls.at[k];
	}
}

/* Starts `rounding` at the first sum that rounds.  If the VP is known, its outputs give the numbers in the inputs.  Returns false if no sum
 * rounds. */
static bool begin_rounding(const struct checker *c, struct rounding_walk *rounding)
{
	const struct program *vs = c->options->vs;
	struct rounding_walk of_vs;
	if (vs) {
		rounding_start(&of_vs, vs, NULL);
		while (rounding_next(&of_vs))
			;
	}
	rounding_start(rounding, c->options->linked ? c->options->linked : c->p, vs ? &of_vs : NULL);
	return rounding_next(rounding);
}

static void check_rounding(struct checker *c, const struct rounding *r)
{
	srcpos const at = c->p->instrs.at[r->at].at;
	srcpos const by = r->by == ROUNDING_BY_VS ? SRCPOS_NONE : c->p->instrs.at[r->by].at;
	if (r->by == ROUNDING_BY_VS)
		breach(c, RULE_ROUNDING, at, "subtracts %.9g, which the vertex program added: floats of that size are multiples of %g",
		       r->number, r->step);
	else if (c->p->source && by != SRCPOS_NONE && r->by != r->at)
		breach(c, RULE_ROUNDING, at, "subtracts %.9g, which line %u added: floats of that size are multiples of %g",
		       r->number, source_line(c->p->source, by), r->step);
	else
		breach(c, RULE_ROUNDING, at, "adds %.9g and subtracts it: floats of that size are multiples of %g", r->number, r->step);
}

/* If the option longer_warns is set, warns of a program that has more slots than each device has, if some device may have enough of them and the
 * user did not give the limit of the device.  Returns true if it warned. */
static bool warn_of_length(struct checker *c)
{
	enum device_limit const limit = device_slots_limit(c->p->model);
	bool const known = limit == DEVICE_LIMITS || (c->options->device && c->options->device->has[limit]);
	if (known || !c->options->longer_warns || c->slots.arith > device_limits[limit].most)
		return false;
	breach(c, RULE_DEVICE, c->over_arith,
	       "the program takes %u slots; all devices have %u for %s, and --device says what yours has: this instruction is past them",
	       c->slots.arith, c->most_slots, c->m->name);
	return true;
}

static void check_slots(struct checker *c)
{
	bool const split = c->m->tex > 0;
	if (c->options->any_length || (c->slots.arith > c->most_slots && warn_of_length(c)))
		return;
	if (c->slots.arith > c->most_slots)
		breach(c, split ? RULE_PS_ARITH_SLOTS : c->stage == STAGE_VERTEX ? RULE_VS_SLOTS : RULE_PS_SLOTS, c->over_arith,
		       "the program takes %u %sslots; %s has %u, and this instruction is past them", c->slots.arith,
		       split ? "arithmetic " : "", c->m->name, c->most_slots);
	if (c->slots.tex > c->m->tex)
		breach(c, RULE_PS_TEX_SLOTS, c->over_tex,
		       "the program takes %u texture slots; %s has %u, and this instruction is past them", c->slots.tex,
		       c->m->name, c->m->tex);
}

/* Reports the lanes of a declared output that a vertex program of model 3 writes, and that its dcl does not name. */
static void check_declared_outputs(struct checker *c)
{
	for (unsigned file = 0; file < REG_FILES; file++) {
		for (int n = 0; reg_files[file].output && n < CHECK_OUTPUTS; n++) {
			lanes const declared = program_declared(c->p, (enum reg_file)file, n), beyond = c->outputs[file][n] & (lanes)~declared;
			if (beyond && declared) /* the linker reports an o# without a dcl */
				breach(c, RULE_VS_OUTPUT_LANES, c->output_at[file][n], "%s.%s is written, but its dcl does not name it",
				       register_piece(c->p, file, n).text, lanes_piece(beyond).text);
		}
	}
}

/* Reports the first output of a vertex program of model 3 that is more than Direct3D interpolates. */
static void check_output_count(struct checker *c)
{
	uint32_t set = 0;
	unsigned n = 0;
	for (uint32_t k = 0; k < c->p->decls.n; k++) {
		const struct decl *d = &c->p->decls.at[k];
		bool const interpolated = d->kind == DECL_OUTPUT && (d->reg.file == REG_TEX_OUT || d->reg.file == REG_COLOUR_OUT);
		if (!interpolated || d->number >= MOST_TEX_OUTS || set >> d->number & 1)
			continue;
		set |= UINT32_C(1) << d->number;
		if (++n == MOST_TEXCOORDS + 1)
			breach(c, RULE_VS_OUTPUTS, d->at, "o%u is the %uth o# that would be interpolated; Direct3D interpolates %u",
			       d->number, n, (unsigned)MOST_TEXCOORDS);
	}
}

static void check_vertex_outputs(struct checker *c)
{
	if (model_links(c->p->model)) {
		check_declared_outputs(c);
		check_output_count(c);
	}
	lanes position = c->outputs[REG_POS_OUT][0];
	if (position == 0)
		breach(c, RULE_VS_POSITION, c->p->at, "the program does not write %s", model_links(c->p->model) ? "an o# of dcl_position0" : "oPos");
	else if (position != MASK_XYZW)
		breach(c, RULE_VS_POSITION, c->output_at[REG_POS_OUT][0], "%s.%s is not written: all four lanes must be",
		       register_piece(c->p, REG_POS_OUT, 0).text, lanes_piece((lanes)(MASK_XYZW & ~position)).text);
	bool told_gap = false;
	for (unsigned n = 0; n < c->count[REG_TEX_OUT] && !model_links(c->p->model); n++) {
		lanes written = c->outputs[REG_TEX_OUT][n];
		if (written & (written + 1)) /* true for all but the masks that are empty, x, xy, xyz and xyzw */
			breach(c, RULE_VS_TEXCOORD_MASK, c->output_at[REG_TEX_OUT][n],
			       "oT%u.%s is written; some drivers want .x, .xy, .xyz or .xyzw", n, lanes_piece(written).text);
		if (n > 0 && written && !c->outputs[REG_TEX_OUT][n - 1] && !told_gap) {
			told_gap = true;
			breach(c, RULE_VS_TEXCOORD_GAP, c->output_at[REG_TEX_OUT][n],
			       "oT%u is written, but not oT%u: some drivers want them without a gap", n, n - 1);
		}
	}
}

static void check_pixel_outputs(struct checker *c)
{
	if (!c->outputs[REG_PIXEL_OUT][0]) {
		breach(c, RULE_PS_COLOUR, c->p->at, "the program does not write oC0");
		return;
	}
	for (unsigned n = 1; n < c->count[REG_PIXEL_OUT]; n++) {
		if (c->outputs[REG_PIXEL_OUT][n] && !c->outputs[REG_PIXEL_OUT][n - 1]) {
			breach(c, RULE_PS_OUTPUT_GAP, c->output_at[REG_PIXEL_OUT][n], "oC%u is written, but not oC%u", n, n - 1);
			return;
		}
	}
}

void check_program(const struct program *p, const struct check_options *options, struct diags *diags)
{
	struct checker c = {.p = p, .m = &models[p->model], .stage = program_stage(p), .options = options,
	                    .diags = diags, .over_arith = SRCPOS_NONE, .over_tex = SRCPOS_NONE};
	set_limits(&c);
	keep_decls(&c);
	/* Check declarations and instructions in the order of the text, which is the order of the diagnostics. */
	uint32_t next = 0;
	struct rounding_walk rounding;
	bool const flows = program_flows(p);
	struct arena arena;
	struct check_flow flow;
	if (flows) {
		arena_init(&arena, NULL);
		check_flow_begin(&c, &arena, &flow);
	}
	bool rounds = !options->errors_only && !flows && begin_rounding(&c, &rounding);
	for (uint32_t k = 0; k <= p->instrs.n; k++) {
		while (next < p->decls.n && (p->decls.at[next].before <= k || k == p->instrs.n))
			check_decl(&c, &p->decls.at[next++]);
		if (c.flow && k < p->instrs.n)
			check_flow_step(&c, k);
		if (k < p->instrs.n)
			check_instr(&c, &p->instrs.at[k]);
		bool const modifies = k < p->instrs.n && p->instrs.at[k].flags & INSTR_MODIFIER;
		c.nmodifiers = modifies ? c.nmodifiers + 1 : 0;
		c.modifiers = modifies ? &p->instrs.at[k + 1] - c.nmodifiers : NULL;
		if (rounds && rounding.what.at == k) {
			check_rounding(&c, &rounding.what);
			rounds = rounding_next(&rounding);
		}
	}
	check_slots(&c);
	if (c.stage == STAGE_VERTEX)
		check_vertex_outputs(&c);
	else
		check_pixel_outputs(&c);
	if (flows)
		arena_free(&arena);
}

/* Renumbers temporaries from r32 (MODEL_TEMPS) on, which no model has: each gets the first number that the instruction does not use. */
static void renumber_temps(struct instr *i)
{
	int16_t *of[MAX_SOURCES + 1] = {&i->dst.index}, next = 0;
	unsigned n = i->dst.file == REG_TEMP;
	EACH_SOURCE(s, i)
		if (i->src[s].file == REG_TEMP)
			of[n++] = &i->src[s].index;
	for (unsigned a = 0; a < n; a++) {
		int16_t const old = *of[a];
		if (old < MODEL_TEMPS)
			continue;
		for (unsigned b = 0; b < n; b++)
			if (*of[b] == next)
				next++, b = UINT_MAX;
		for (unsigned b = 0; b < n; b++)
			if (*of[b] == old)
				*of[b] = next;
	}
}

unsigned check_instr_alone(const struct program *p, const struct instr *given)
{
	struct instr named = *given;
	const struct instr *i = &named;
	renumber_temps(&named);
	static const struct check_options options = {.any_length = true};
	struct diags said = {.arena = NULL}; /* without an arena, breaches are counted, but not kept */
	struct checker c = {.p = p, .m = &models[p->model], .stage = program_stage(p), .options = &options,
	                    .diags = &said, .over_arith = SRCPOS_NONE, .over_tex = SRCPOS_NONE,
	                    .address_written = true};
	set_limits(&c);
	keep_decls(&c);
	for (unsigned t = 0; t < CHECK_TEMPS; t++)
		c.temps[t] = MASK_XYZW;
	check_instr(&c, i);
	enum { ERROR_WEIGHT = 256 }; /* more than the warnings that one instruction can have */
	return said.errors * ERROR_WEIGHT + said.warnings;
}
