/* Replaces registers with usages, of model 3, by registers of model 2 and back, see link.h. */
#include "lang/link.h"

#include "lang/checker.h"

#include <string.h>

enum { COLOURS = 2, NOWHERE = -1 };

/* The register of model 2 that replaces an o# or v# of the text. */
struct home {
	uint8_t file;
	int16_t index; /* NOWHERE if the o# or v# is not declared */
	bool told;     /* an error has said that the o# or v# is not declared */
};

struct linking {
	struct program *p;
	struct diags *diags;
	enum reg_file text_file; /* register file of o# or v# as the reader leaves it, before they are replaced */
	unsigned limit;          /* number of registers of that file */
	struct home home[MOST_TEX_OUTS];
};

static void report_link_error(struct linking *l, enum rule rule, srcpos at, const char *format, ...) PRINTF_LIKE(4, 5);
static void report_link_error(struct linking *l, enum rule rule, srcpos at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	diag_vadd(l->diags, DIAG_ERROR, rules[rule].id, l->p->source, at, format, args);
	va_end(args);
}

static bool is_text_io(const struct linking *l, const struct decl *d)
{
	return d->reg.file == l->text_file && (d->kind == DECL_OUTPUT || d->kind == DECL_PIXEL_INPUT);
}

/* Returns the register of model 2 for the usage of a declaration: oT`number` or t`number` if no other register stands for the usage. */
static struct home model2_home(const struct linking *l, const struct decl *d, int number)
{
	bool const vertex = program_stage(l->p) == STAGE_VERTEX;
	if (vertex && d->usage == USAGE_POSITION && d->usage_index == 0)
		return (struct home){.file = REG_POS_OUT};
	if (vertex && d->usage == USAGE_PSIZE && d->usage_index == 0)
		return (struct home){.file = REG_SIZE_OUT};
	if (d->usage == USAGE_COLOR && d->usage_index < COLOURS)
		return (struct home){.file = vertex ? REG_COLOUR_OUT : REG_INPUT, .index = d->usage_index};
	return (struct home){.file = vertex ? REG_TEX_OUT : REG_TEXCOORD, .index = (int16_t)number};
}

static bool is_colour_file(unsigned file)
{
	return file == REG_COLOUR_OUT || file == REG_INPUT;
}

/* Sets home[n], the register of model 2 for o# or v# number n, from all its declarations, each of which names some of its lanes.  Two colours
 * in one register become colour register 0.  Adds an error for other mixtures than several coordinates. */
static void find_text_home(struct linking *l, unsigned n, int number)
{
	struct home *to = &l->home[n];
	for (uint32_t k = 0; k < l->p->decls.n; k++) {
		const struct decl *d = &l->p->decls.at[k];
		if (!is_text_io(l, d) || d->reg.index != (int)n)
			continue;
		struct home found = model2_home(l, d, number);
		bool const other = to->index != NOWHERE && (found.file != to->file || found.index != to->index);
		if (other && is_colour_file(found.file) && found.file == to->file)
			found.index = 0;
		else if (other)
			report_link_error(l, RULE_LINK_SHARED, d->at,
			                  "%s%u has several usages, and one of them cannot share a register with the others: "
			                  "give it a register of its own", reg_files[l->text_file].name, n);
		*to = found;
	}
}

/* Returns the lowest number below MOST_TEXCOORDS that no oT# has, or `otherwise` if there is none. */
static int free_tex_out_number(const struct linking *l, int otherwise)
{
	unsigned taken = 0;
	for (unsigned n = 0; n < l->limit; n++)
		if (l->home[n].index != NOWHERE && l->home[n].file == REG_TEX_OUT)
			taken |= 1u << l->home[n].index;
	for (int n = 0; n < MOST_TEXCOORDS; n++)
		if (!(taken >> n & 1))
			return n;
	return otherwise;
}

static bool is_text_register(struct linking *l, int index, srcpos at)
{
	if (index >= 0 && index < (int)l->limit)
		return true;
	report_link_error(l, RULE_REGISTER_RANGE, at, "there is no %s%d: %s has %s0 to %s%u", reg_files[l->text_file].name, index,
	         models[l->p->model].name, reg_files[l->text_file].name, reg_files[l->text_file].name, l->limit - 1);
	return false;
}

/* Returns true for a register file that texts of the stage have before model 3 only. */
static bool is_of_model_2(enum stage stage, unsigned file)
{
	return stage == STAGE_PIXEL ? file == REG_TEXCOORD : file >= REG_POS_OUT && file <= REG_TEX_OUT;
}

/* Returns true if texts of model 3 have this register file; adds an error if not. */
static bool model3_has_file(struct linking *l, unsigned file, srcpos at)
{
	if (!is_of_model_2(program_stage(l->p), file))
		return true;
	report_link_error(l, RULE_REGISTER_MODEL, at, "%s has no %s%s", models[l->p->model].name, reg_files[file].name,
	         reg_files[file].numbered ? "#" : "");
	return false;
}

/* Replaces an o# or v# of an instruction by its register of model 2.  Adds an error if it is not declared, or not of model 3. */
static void replace_register(struct linking *l, uint8_t *file, int16_t *index, srcpos at)
{
	if (!model3_has_file(l, *file, at))
		return;
	if (*file != l->text_file || !is_text_register(l, *index, at))
		return;
	struct home *to = &l->home[*index];
	if (to->index == NOWHERE) {
		bool const vertex = program_stage(l->p) == STAGE_VERTEX;
		if (!to->told)
			report_link_error(l, vertex ? RULE_VS_OUTPUT_DCL : RULE_PS_INPUT_DCL, at,
			                  "%s%d is %s but not declared: it needs a dcl_usage, such as dcl_texcoord %s%d",
			                  reg_files[*file].name, *index, vertex ? "written" : "read", reg_files[*file].name, *index);
		to->told = true;
		*file = vertex ? REG_TEX_OUT : REG_TEXCOORD;
		return;
	}
	*file = to->file;
	*index = to->index;
}

void link_registers(struct program *p, struct diags *diags)
{
	if (!model_links(p->model))
		return;
	bool const vertex = program_stage(p) == STAGE_VERTEX;
	struct linking l = {.p = p, .diags = diags, .text_file = vertex ? REG_LINKED : REG_INPUT,
	                    .limit = vertex ? MOST_TEX_OUTS : MOST_TEXCOORDS};
	for (unsigned n = 0; n < l.limit; n++)
		l.home[n].index = NOWHERE;
	/* oT# and t# get the numbers of o# and v#, but the last two o# get numbers below MOST_TEXCOORDS that other o#, such as the
	 * position's, leave free. */
	for (unsigned n = 0; n < l.limit; n++)
		find_text_home(&l, n, n < MOST_TEXCOORDS ? (int)n : free_tex_out_number(&l, (int)n));
	for (uint32_t k = 0; k < p->decls.n; k++) {
		struct decl *d = &p->decls.at[k];
		if (!model3_has_file(&l, d->reg.file, d->reg.at) || !is_text_io(&l, d) || !is_text_register(&l, d->reg.index, d->reg.at))
			continue;
		d->number = (uint8_t)d->reg.index;
		d->reg.file = l.home[d->number].file;
		d->reg.index = l.home[d->number].index;
	}
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		struct instr *i = &p->instrs.at[k];
		/* o[aL + n] and v[aL + n] stay as they are, since the register is not known. */
		if (!(ops[i->op].flags & OPF_NO_DST) && !i->dst.relative)
			replace_register(&l, &i->dst.file, &i->dst.index, i->dst.at);
		EACH_SOURCE(s, i)
			if ((!vertex || i->src[s].file != REG_INPUT) && !i->src[s].relative)
				replace_register(&l, &i->src[s].file, &i->src[s].index, i->src[s].at);
	}
}

static bool has_same_usage(const struct decl *a, const struct decl *b)
{
	return a->usage == b->usage && a->usage_index == b->usage_index;
}

/* Returns the declaration of the oT# or oD# that has the usage of d, a declaration of a t# or v#; NULL if there is none. */
static const struct decl *feeding_output(const struct program *vs, const struct decl *d)
{
	enum reg_file const file = d->reg.file == REG_INPUT ? REG_COLOUR_OUT : REG_TEX_OUT;
	for (uint32_t k = 0; k < vs->decls.n; k++) {
		const struct decl *out = &vs->decls.at[k];
		if (out->kind == DECL_OUTPUT && out->reg.file == file && has_same_usage(out, d))
			return out;
	}
	return NULL;
}

static bool is_coordinate(const struct decl *d)
{
	return d->kind == DECL_PIXEL_INPUT && d->reg.file == REG_TEXCOORD;
}

static bool is_colour(const struct decl *d)
{
	return d->kind == DECL_PIXEL_INPUT && d->reg.file == REG_INPUT;
}

/* Returns the lanes of input declaration d in which its output, which `by` declares, has another usage only, so that nothing feeds them. */
static lanes unfed_lanes(const struct program *vs, const struct decl *d, const struct decl *by)
{
	lanes own = 0, others = 0;
	for (uint32_t k = 0; k < vs->decls.n; k++) {
		const struct decl *out = &vs->decls.at[k];
		if (out->kind == DECL_OUTPUT && out->reg.file == by->reg.file && out->reg.index == by->reg.index)
			*(has_same_usage(out, d) ? &own : &others) |= out->reg.mask;
	}
	return (lanes)(others & ~own & d->reg.mask);
}

/* Returns false and adds an error if the pixel program reads a lane of declaration d that nothing feeds (unfed_lanes()). */
static bool is_fed(const struct program *vs, const struct program *ps, const struct decl *d, const struct decl *by, struct diags *diags)
{
	lanes const beside = unfed_lanes(vs, d, by);
	lanes const unfed = beside ? beside & program_input_read(ps, (enum reg_file)d->reg.file, d->reg.index) : 0;
	if (unfed)
		diag_add(diags, DIAG_ERROR, "link", ps->source, d->at,
		         "v%u.%s is read as %s%u, and the vertex program has another usage in these lanes of o%u", d->number,
		         lanes_piece(unfed).text, usage_names[d->usage], d->usage_index, by->number);
	return !unfed;
}

/* Clears INSTR_PP of two declarations of one input, and sets `lone_pp` where it was set, unless both have it.  Returns false and adds an
 * error if they disagree in _centroid. */
static bool unify_interpolation(const struct program *ps, struct decl *d, struct decl *other, struct diags *diags)
{
	if ((d->flags ^ other->flags) & INSTR_CENTROID) {
		if (d->number == other->number)
			diag_add(diags, DIAG_ERROR, "link", ps->source, d->at,
			         "one dcl of v%u says _centroid and another does not; a register is interpolated in one way", d->number);
		else
			diag_add(diags, DIAG_ERROR, "link", ps->source, d->at, "v%u and v%u have lanes of one o#, of which one dcl says "
			         "_centroid and the other does not; a register is interpolated in one way", d->number, other->number);
		return false;
	}
	uint8_t const both = d->flags & other->flags;
	d->lone_pp |= d->flags != both;
	other->lone_pp |= other->flags != both;
	d->flags = other->flags = both;
	return true;
}

/* Makes all declarations of each t# agree in _pp: none has it unless all have, since _pp only permits a lower precision.  The printed dcl keeps
 * its own _pp (`lone_pp`), until moves may have put other values in its lanes.
 * Returns false and adds an error if declarations disagree in _centroid: "dcl_semantics (sm3 - ps asm)" wants the lanes of one o# in
 * one v#, and does not say what a _centroid on some of them means. */
static bool unify_coordinates(struct program *ps, const int16_t to[MOST_TEXCOORDS], struct diags *diags)
{
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		struct decl *d = &ps->decls.at[k];
		for (uint32_t j = 0; is_coordinate(d) && j < k; j++) {
			struct decl *other = &ps->decls.at[j];
			if (is_coordinate(other) && to[other->reg.index] == to[d->reg.index] && !unify_interpolation(ps, d, other, diags))
				return false;
		}
	}
	return true;
}

static unsigned declared_outputs(const struct program *vs)
{
	unsigned set = 0;
	for (uint32_t k = 0; k < vs->decls.n; k++)
		if (vs->decls.at[k].kind == DECL_OUTPUT && vs->decls.at[k].reg.file == REG_TEX_OUT)
			set |= 1u << vs->decls.at[k].reg.index;
	return set;
}

/* Sets to[n] to the new number of each declared t`n`.  Returns false and adds an error if no numbering fits. */
static bool number_coordinates(const struct program *vs, struct program *ps, int16_t to[MOST_TEXCOORDS], struct diags *diags)
{
	unsigned used = declared_outputs(vs);
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		const struct decl *by = is_coordinate(d) ? feeding_output(vs, d) : NULL;
		if (!by)
			continue;
		if (!is_fed(vs, ps, d, by, diags))
			return false;
		if (unfed_lanes(vs, d, by) == d->reg.mask)
			continue;
		int const fed = by->reg.index;
		if (fed >= MOST_TEXCOORDS) {
			diag_add(diags, DIAG_ERROR, "link", ps->source, d->at, "v%u is fed by o%u, and no interpolator is left for it: "
			         "the vertex program has more than %u o# beside its position and point size", d->number, by->number,
			         (unsigned)MOST_TEXCOORDS);
			return false;
		}
		if (to[d->reg.index] != NOWHERE && to[d->reg.index] != fed) {
			diag_add(diags, DIAG_ERROR, "link", ps->source, d->at, "v%u has several usages, which the vertex program has in several o#; "
			         "those of one v# are read from one o#", d->number);
			return false;
		}
		to[d->reg.index] = (int16_t)fed;
	}
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		if (!is_coordinate(d) || to[d->reg.index] != NOWHERE)
			continue;
		/* An input that nothing feeds is allowed.  It gets the last free number, as new outputs get the first ones. */
		int16_t free = MOST_TEXCOORDS - 1;
		while (free >= 0 && used >> free & 1)
			free--;
		if (free < 0) {
			diag_add(diags, DIAG_ERROR, "link", ps->source, d->at,
			         "nothing feeds v%u, and no interpolator is left for it: the vertex program writes the others", d->number);
			return false;
		}
		used |= 1u << free;
		to[d->reg.index] = free;
	}
	return unify_coordinates(ps, to, diags);
}

/* Returns the declaration of color1 if color1 shares a register with color0, or NULL if they have two registers, as in model 2. */
static const struct decl *packed_colour(const struct program *p)
{
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		bool const linked = d->kind == DECL_OUTPUT ? d->reg.file == REG_COLOUR_OUT : is_colour(d);
		if (linked && d->usage_index != d->reg.index)
			return d;
	}
	return NULL;
}

/* Makes the pixel program read both colours from v0 if the vertex program has both in one o#.  Returns false and adds an error if only the
 * pixel program has both in one register, or if declarations disagree. */
static bool link_colours(const struct program *vs, struct program *ps, struct diags *diags)
{
	const struct decl *from = packed_colour(vs), *to = packed_colour(ps);
	if (!from && to)
		diag_add(diags, DIAG_ERROR, "link", ps->source, to->at,
		         "v%u has both colours, but the vertex program does not have both in one o#", to->number);
	if (!from)
		return !to;
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		struct decl *d = &ps->decls.at[k];
		const struct decl *by = is_colour(d) ? feeding_output(vs, d) : NULL;
		if (by && !is_fed(vs, ps, d, by, diags))
			return false;
		for (uint32_t j = 0; j < k && by; j++)
			if (is_colour(&ps->decls.at[j]) && !unify_interpolation(ps, d, &ps->decls.at[j], diags))
				return false;
	}
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		struct decl *d = &ps->decls.at[k];
		const struct decl *by = is_colour(d) ? feeding_output(vs, d) : NULL;
		if (is_colour(d) && !(by && unfed_lanes(vs, d, by) == d->reg.mask))
			d->reg.index = 0;
	}
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		EACH_SOURCE(s, &ps->instrs.at[k])
			if (ps->instrs.at[k].src[s].file == REG_INPUT && !ps->instrs.at[k].src[s].relative)
				ps->instrs.at[k].src[s].index = 0;
	return true;
}

/* Removes from declarations of inputs the lanes of unfed_lanes(), unless no lane would be left.  An input may be declared with more lanes than
 * the output that feeds it, but in a t# that several usages share, each lane belongs to one declaration. */
static void narrow_inputs(const struct program *vs, struct program *ps)
{
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		struct decl *d = &ps->decls.at[k];
		const struct decl *by = is_coordinate(d) || is_colour(d) ? feeding_output(vs, d) : NULL;
		lanes const unfed = by && by->reg.index == d->reg.index ? unfed_lanes(vs, d, by) : 0;
		if (!unfed || unfed == d->reg.mask)
			continue;
		d->reg.mask &= (lanes)~unfed;
		d->reg.masked = true;
	}
}

void link_pair(struct program *vs, struct program *ps, struct diags *diags)
{
	if (model_links(vs->model) != model_links(ps->model)) {
		const struct program *by = model_links(ps->model) ? ps : vs;
		diag_add(diags, DIAG_ERROR, "model", by->source, by->at, "%s goes with %s only, not with %s",
		         models[by->model].name, models[by == ps ? VS_3_0 : PS_3_0].name, models[by == ps ? vs->model : ps->model].name);
		return;
	}
	if (!model_links(ps->model))
		return;
	int16_t to[MOST_TEXCOORDS];
	memset(to, 0xff, sizeof to);
	if (!number_coordinates(vs, ps, to, diags) || !link_colours(vs, ps, diags))
		return;
	for (uint32_t k = 0; k < ps->decls.n; k++)
		if (is_coordinate(&ps->decls.at[k]))
			ps->decls.at[k].reg.index = to[ps->decls.at[k].reg.index];
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		struct instr *i = &ps->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_TEXCOORD && to[i->src[s].index] != NOWHERE)
				i->src[s].index = to[i->src[s].index];
	}
	narrow_inputs(vs, ps);
}

const struct decl *link_named(const struct program *p, enum reg_file file, int index, lanes of)
{
	if (!p || !model_links(p->model))
		return NULL;
	bool const named = file == REG_TEXCOORD || file == REG_POS_OUT || file == REG_SIZE_OUT || file == REG_COLOUR_OUT ||
	                   file == REG_TEX_OUT || (file == REG_INPUT && program_stage(p) == STAGE_PIXEL);
	const struct decl *d = named ? program_decl(p, file, index) : NULL;
	if (!d || d->number == NO_NUMBER)
		return NULL;
	for (uint32_t k = 0; k < p->decls.n && of & (lanes)~d->reg.mask; k++) {
		const struct decl *other = &p->decls.at[k];
		/* Each lane of a register belongs to one of its declarations. */
		if (other->reg.file == file && other->reg.index == index && other->number != NO_NUMBER && of & other->reg.mask)
			return other;
	}
	return d;
}

/* ---- after a move --------------------------------------------------------------------------- */

struct declaring {
	struct arena *arena;
	struct program *vs, *ps;
	const struct link_kept *kept;
	uint16_t usages;         /* bit n: texcoord n is declared, or must not be used */
	uint16_t outputs, inputs; /* o# and v# that are declared, a bit for each */
};

/* Returns true for a declaration of an output, or of a v# or t# of a pixel program. */
static bool is_link_decl(const struct decl *d)
{
	return d->kind == DECL_OUTPUT || (d->kind == DECL_PIXEL_INPUT && (d->reg.file == REG_INPUT || d->reg.file == REG_TEXCOORD));
}

uint16_t link_usages(const struct program *p)
{
	unsigned set = 0;
	for (uint32_t k = 0; model_links(p->model) && k < p->decls.n; k++)
		if (is_link_decl(&p->decls.at[k]) && p->decls.at[k].usage == USAGE_TEXCOORD)
			set |= 1u << (p->decls.at[k].usage_index & 15);
	return (uint16_t)set;
}

/* Returns the o# or v# that the program declares, a bit for each. */
static uint16_t declared_numbers(const struct program *p)
{
	unsigned set = 0;
	for (uint32_t k = 0; k < p->decls.n; k++)
		if (is_link_decl(&p->decls.at[k]) && p->decls.at[k].number != NO_NUMBER)
			set |= 1u << p->decls.at[k].number;
	return (uint16_t)set;
}

/* Adds to the set the number `wanted` or, if the set has that, the first number that it lacks, and returns the number; 16 if there is none. */
static unsigned take_free_number(uint16_t *set, unsigned wanted)
{
	unsigned n = *set >> wanted & 1 ? 0 : wanted;
	while (n < 16 && *set >> n & 1)
		n++;
	*set |= (uint16_t)(n < 16 ? 1u << n : 0);
	return n;
}

static void find_written_tex_outs(const struct program *vs, lanes written[MOST_TEX_OUTS])
{
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEX_OUT)
			written[i->dst.index] |= instr_writes(i);
	}
}

/* Returns true if the program writes a lane of d's oT# that another declaration names for another usage. */
static bool is_written_as_another(const struct program *vs, const struct decl *d, const lanes written[MOST_TEX_OUTS])
{
	for (uint32_t k = 0; k < vs->decls.n; k++) {
		const struct decl *other = &vs->decls.at[k];
		if (other->kind == DECL_OUTPUT && other->reg.file == REG_TEX_OUT && other->reg.index == d->reg.index && !has_same_usage(other, d) &&
		    written[d->reg.index] & other->reg.mask)
			return true;
	}
	return false;
}

/* Updates the oT# declarations of the vertex program: drops those without a written lane, adds written lanes that none names to the last
 * declaration of the oT#, and declares each other oT# that is written.  Returns false if no register or usage is left. */
static bool declare_outputs(struct declaring *d)
{
	struct program *vs = d->vs;
	lanes written[MOST_TEX_OUTS] = {0}, declared[MOST_TEX_OUTS] = {0};
	uint32_t last[MOST_TEX_OUTS] = {0}, kept = 0;
	find_written_tex_outs(vs, written);
	for (uint32_t k = 0; k < vs->decls.n; k++) {
		struct decl const of = vs->decls.at[k];
		bool const linked = of.kind == DECL_OUTPUT && of.reg.file == REG_TEX_OUT;
		/* Drop the declaration if none of its lanes is written.  But if no other usage of the register has a written lane, keep it for any
		 * written lane of the register. */
		if (linked && !(written[of.reg.index] & (is_written_as_another(vs, &of, written) ? of.reg.mask : MASK_XYZW)))
			continue;
		if (linked) {
			declared[of.reg.index] |= of.reg.mask;
			last[of.reg.index] = kept;
		}
		vs->decls.at[kept++] = of;
	}
	vs->decls.n = kept;
	d->outputs = declared_numbers(vs);
	d->usages |= link_usages(vs);
	for (int16_t n = 0; n < MOST_TEX_OUTS; n++) {
		if (!(written[n] & (lanes)~declared[n]))
			continue;
		if (declared[n]) {
			vs->decls.at[last[n]].reg.mask |= written[n] & (lanes)~declared[n];
			continue;
		}
		struct link_usage const due = d->kept->of[n];
		struct decl new = {.kind = DECL_OUTPUT, .usage = due.there ? due.usage : USAGE_TEXCOORD, .at = SRCPOS_NONE};
		unsigned const number = take_free_number(&d->outputs, (unsigned)n), usage = due.there ? due.index : take_free_number(&d->usages, 0);
		if (number >= MOST_TEX_OUTS || usage >= 16)
			return false;
		new.number = (uint8_t)number;
		new.usage_index = (uint8_t)usage;
		new.reg = (struct dst){.file = REG_TEX_OUT, .index = n, .mask = written[n], .masked = true, .at = SRCPOS_NONE};
		VEC_PUSH(d->arena, &vs->decls) = new;
	}
	return true;
}

/* Returns true if both declare lanes of one input. */
static bool same_input(const struct decl *a, const struct decl *b)
{
	return a->kind == DECL_PIXEL_INPUT && b->kind == DECL_PIXEL_INPUT && a->reg.file == b->reg.file && a->reg.index == b->reg.index;
}

/* Gives a declaration the comments and position of the old declaration of the same register and usage.  If there is none, removes its own
 * comments and position unless `first`. */
static void take_old_comments(struct decl *part, const struct decl *old, uint32_t n, bool first)
{
	const struct decl *from = NULL;
	for (uint32_t k = 0; k < n; k++)
		if (same_input(&old[k], part) && has_same_usage(&old[k], part))
			from = &old[k];
	if (from || !first) {
		part->comments = from ? from->comments : NULL;
		part->blank = from && from->blank;
		part->at = from ? from->at : SRCPOS_NONE;
	}
}

/* Adds the lanes of `part` to the declaration of its usage among those from index `first` on, or appends `part` if there is none. */
static void add_input_part(struct declaring *d, uint32_t first, const struct decl *part)
{
	struct decl *to = NULL;
	for (uint32_t k = first; k < d->ps->decls.n; k++)
		if (has_same_usage(&d->ps->decls.at[k], part))
			to = &d->ps->decls.at[k];
	if (to) {
		to->reg.mask |= part->reg.mask;
	} else {
		to = &VEC_PUSH(d->arena, &d->ps->decls);
		*to = *part;
	}
	to->reg.masked |= to->reg.mask != MASK_XYZW;
}

/* Updates the input declarations of the pixel program: each t#, and a v# with both colours, gets a declaration for each usage that the oT# or
 * oD# of its number has in its declared lanes.  Returns false if no v# is left, or if a lane has no usage. */
static bool declare_inputs(struct declaring *d)
{
	bool const packed = packed_colour(d->vs) != NULL;
	struct program *ps = d->ps;
	struct decl *old = ps->decls.at;
	uint32_t const n = ps->decls.n;
	unsigned done = 0;
	ps->decls.at = NULL;
	ps->decls.n = ps->decls.cap = 0;
	for (uint32_t k = 0; k < n; k++) {
		struct decl of = old[k];
		if (!is_coordinate(&of) && !(packed && is_colour(&of))) {
			VEC_PUSH(d->arena, &ps->decls) = of;
			continue;
		}
		lanes all = 0, left;
		uint8_t number = NO_NUMBER;
		unsigned const bit = 1u << (of.reg.index + (is_colour(&of) ? MOST_TEXCOORDS : 0));
		if (done & bit)
			continue;
		done |= bit;
		for (uint32_t j = 0; j < n; j++) {
			if (!same_input(&old[j], &of))
				continue;
			all |= old[j].reg.mask;
			number = number == NO_NUMBER ? old[j].number : number;
		}
		left = all;
		if (number == NO_NUMBER) {
			number = (uint8_t)take_free_number(&d->inputs, (unsigned)of.reg.index);
			if (number >= MOST_TEXCOORDS)
				return false;
		}
		of.number = number;
		uint32_t const first = ps->decls.n;
		for (uint32_t j = 0; j < d->vs->decls.n; j++) {
			const struct decl *out = &d->vs->decls.at[j];
			if (out->kind != DECL_OUTPUT || out->reg.file != (is_colour(&of) ? REG_COLOUR_OUT : REG_TEX_OUT) ||
			    out->reg.index != of.reg.index || !(left & out->reg.mask))
				continue;
			struct decl part = of;
			part.lone_pp = false;
			part.usage = out->usage;
			part.usage_index = out->usage_index;
			part.reg.mask = all & out->reg.mask;
			left &= (lanes)~out->reg.mask;
			take_old_comments(&part, old, n, d->ps->decls.n == first && !feeding_output(d->vs, &of));
			add_input_part(d, first, &part);
		}
		/* Lanes that the vertex program does not write keep their usage, in one declaration with written lanes of that usage. */
		for (uint32_t j = 0; j < n && left; j++) {
			if (!same_input(&old[j], &of) || !(left & old[j].reg.mask) || old[j].usage == USAGES)
				continue;
			struct decl part = old[j];
			part.lone_pp = false;
			part.reg.mask &= left;
			left &= (lanes)~part.reg.mask;
			add_input_part(d, first, &part);
		}
		if (left)
			return false;
	}
	return true;
}

bool link_declare(struct arena *arena, struct program *vs, struct program *ps, const struct link_kept *kept)
{
	if (!model_links(vs->model))
		return true;
	struct declaring d = {.arena = arena, .vs = vs, .ps = ps, .kept = kept, .usages = kept->taken, .inputs = declared_numbers(ps)};
	return declare_outputs(&d) && declare_inputs(&d);
}
