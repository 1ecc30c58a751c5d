/* Finds the facts that the search starts from: the FP lanes that stay whatever is planned, their operands, and the registers that
 * are not free.  requires: values; fills: struct facts, and the constants
 * of each FP's plan. */
#include "move/cut/search.h"

#include "move/graph/free_constants.h"

#include <string.h>

/* Returns MASK_W for an nrm whose write mask must keep w, if w is a pixel value and an instruction reads a result of the nrm; else 0.  That w
 * stays even if all other lanes of the nrm may move. */
static lanes bound_lane(const struct search *s, int i)
{
	const struct instr *instr = &s->fp->ps->instrs.at[i];
	bool const w_stays = instr->op == OP_NRM && least_mask(s->fp->ps, instr, 0) & MASK_W &&
	                     !value_may_move(s->values, s->values->def[i][LANE_W]);
	return w_stays && next_reader(s->values, (uint32_t)i, &(struct operand){(uint32_t)i + 1, 0}) ? MASK_W : 0;
}

/* Finds the pixel lanes on which an output depends, which stay whatever is planned.  Adds up the work of their instructions, and
 * counts the lanes of v0 and v1 that these read. */
static void find_live_pixels(struct search *s)
{
	enum { COLOURS = 2 };
	lanes colours[COLOURS] = {0};
	for (int i = (int)s->fp->ps->instrs.n - 1; i >= 0; i--) {
		s->fp->pixel[i] |= bound_lane(s, i);
		if (!search_stays_anyway(s, i))
			continue;
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		lanes mask = least_mask(s->fp->ps, instr, s->fp->pixel[i]);
		work_add(&s->fp->fixed, search_work_of(s, i));
		if (search_is_open(s, i)) {
			search_keep_common_lanes(s, i);
			continue;
		}
		EACH_SOURCE(k, instr) {
			const struct use *u = &s->values->use[i][k];
			lanes read = instr_operand_lanes(s->fp->ps, instr, k, mask);
			if (instr->src[k].file == REG_INPUT && instr->src[k].index < COLOURS)
				colours[instr->src[k].index] |= swizzle_lanes(instr->src[k].swizzle, read);
			EACH_LANE(p, read)
				if (u->def[p] >= 0 && !value_may_move(s->values, u->value[p]))
					s->fp->pixel[u->def[p]] |= (lanes)(1u << swizzle_lane(instr->src[k].swizzle, p));
		}
	}
	for (unsigned l = 0; l < COLOURS * LANES; l++)
		s->fp->colours += colours[l / LANES] >> l % LANES & 1;
}

static value_id pinned_value(const struct search *s, int reg, unsigned lane)
{
	value_id const id = s->values->inputs.value[(unsigned)reg * LANES + lane];
	return id == NO_VALUE ? s->values->unknown : id;
}

/* Requires of all plans that interpolator `reg` keeps its number, and brings in lanes `which` what the given VP sends there. */
static void pin_register(struct search *s, int reg, lanes which)
{
	s->facts.start.pinned[reg] = true;
	s->facts.start.home[reg] = (int8_t)reg;
	s->facts.start.kind[reg] = s->values->inputs.kind[reg];
	EACH_LANE(k, which)
		s->facts.start.lane[reg][k] = pinned_value(s, reg, k);
}

/* Pins the interpolators (they must stay as they are) of which the current FP reads lanes that a VP does not write. */
static void pin_opaque(struct search *s)
{
	for (int i = 0; i < (int)s->fp->ps->instrs.n; i++) {
		int const reg = search_opaque_register(s, i);
		if (reg >= 0)
			pin_register(s, reg, MASK_XYZW);
	}
}

/* Pins the interpolator lanes that the VP must go on to deliver, since some FPs that read them stay as they are. */
static void pin_promised(struct search *s, const struct program *vs)
{
	for (int reg = 0; reg < INTERPOLATORS; reg++)
		if (vs->promised.texcoord[reg])
			pin_register(s, reg, vs->promised.texcoord[reg]);
}

/* Pins all interpolators with the values that the given VP sends, for a VP that may not change. */
static void pin_all(struct search *s)
{
	for (int reg = 0; reg < INTERPOLATORS; reg++)
		pin_register(s, reg, MASK_XYZW);
}

void search_find_start(struct search *s)
{
	layout_clear(&s->facts.start);
	if (s->facts.options->vp_stays)
		pin_all(s);
	for (unsigned k = 0; k < s->facts.nvs; k++)
		pin_promised(s, s->facts.vs[k]);
	for (unsigned k = 0; k < s->values->programs; k++) {
		values_turn(s->values, k);
		s->fp = &s->facts.fps[k];
		s->fp->ps = s->values->ps;
		pin_opaque(s);
	}
}

/* Returns the lanes that the plan has for c`reg`, a register that it adds to the plan if need be; NULL if the plan has no room for it. */
static value_id *const_lanes(struct plan *plan, int reg)
{
	unsigned n = plan_const(plan, reg);
	if (n == PS_CONSTS) {
		n = NEW_CONSTS;
		while (n < PS_CONSTS && plan->const_reg[n])
			n++;
		if (n == PS_CONSTS)
			return NULL;
		plan->const_reg[n] = (uint8_t)reg;
	}
	return plan->consts[n];
}

static void find_application_consts(struct search *s, const struct program *p)
{
	struct register_set const read = program_reads_all(p, REG_CONST, false);
	for (int reg = 0; reg < PROGRAM_CONSTS; reg++) {
		value_id *const of = register_is_in(&read, reg) && !program_decl(p, REG_CONST, reg) ? const_lanes(s->state.plan, reg) : NULL;
		if (!of || of[LANE_X] != NO_VALUE)
			continue;
		if (reg < NEW_CONSTS)
			s->state.plan->old_consts |= UINT64_C(1) << reg;
		for (unsigned lane = 0; lane < LANES; lane++)
			of[lane] = value_of_constant(s->values, reg, lane);
	}
}

/* Fills the plan with the constants that the FP has.  Free registers can take new literals. */
static void find_consts(struct search *s)
{
	struct register_set const taken = constants_taken(s->fp->ps, false);
	struct plan *const plan = s->state.plan;
	plan->old_consts = taken.word[0] | ~UINT64_C(0) << NEW_CONSTS;
	memset(plan->consts, 0xff, sizeof plan->consts);
	for (unsigned n = 0; n < PS_CONSTS; n++)
		plan->const_reg[n] = (uint8_t)(n < NEW_CONSTS ? n : 0);
	for (uint32_t k = 0; k < s->fp->ps->decls.n; k++) {
		const struct decl *d = &s->fp->ps->decls.at[k];
		value_id *const of = d->kind == DECL_DEF ? const_lanes(plan, d->reg.index) : NULL;
		for (unsigned lane = 0; of && lane < LANES; lane++)
			of[lane] = value_of_literal(s->values, d->value[lane]);
	}
	const struct program *given = s->values->numbering[s->values->program].given;
	find_application_consts(s, s->fp->ps);
	if (given != s->fp->ps)
		find_application_consts(s, given);
	plan->filled_consts = 0;
	for (unsigned r = 0; r < PS_CONSTS; r++)
		plan->filled_consts |= (uint64_t)!search_is_empty(plan->consts[r]) << r;
}

static void find_guards(struct search *s, struct requests *guards)
{
	for (uint32_t i = 0; i < s->fp->ps->instrs.n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		struct request r = {.n = 0};
		if (search_opaque_register(s, (int)i) >= 0 || (s->fp->sites && s->fp->sites->added[i]))
			continue;
		EACH_SOURCE(k, instr) {
			if (instr->src[k].file != REG_TEXCOORD)
				continue;
			struct need need = plan_need(s->values, i, k, instr_writes(instr));
			if (!need.pattern.positions)
				continue;
			r.pattern[r.n++] = search_without_repetition(&need.pattern);
			r.kind = s->values->inputs.kind[instr->src[k].index];
		}
		bool known = r.n == 0;
		for (uint32_t q = 0; q < guards->n && !known; q++)
			known = search_same_request(&guards->at[q], &r);
		if (!known)
			VEC_PUSH(s->arena, guards) = r;
	}
}

/* Lists in fp->coords, for bound.c, the coordinates of texture reads that stay, each once.  Leaves out a coordinate if x or y may not move, if an
 * instruction that defines x or y stays anyway, or if each of these is already the `def` of another coordinate. */
static void find_coords(struct search *s)
{
	for (int i = (int)s->fp->ps->instrs.n - 1; i >= 0; i--) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		const struct use *u = &s->values->use[i][0];
		if (!(ops[instr->op].flags & OPF_TEX) || !search_reads_anyway(s, i) || instr->op == OP_TEXKILL)
			continue;
		bool counts = true;
		for (unsigned p = 0; p < 2; p++)
			counts &= value_may_move(s->values, u->value[p]) && !(u->def[p] >= 0 && s->fp->pixel[u->def[p]]);
		for (uint32_t c = 0; counts && c < s->fp->coords.n; c++)
			counts = s->fp->coords.at[c].x != u->value[0] || s->fp->coords.at[c].y != u->value[1];
		int def = -1;
		for (unsigned p = 0; p < 2 && def < 0 && u->def[p] >= 0; p++) {
			def = u->def[p];
			for (uint32_t c = 0; c < s->fp->coords.n; c++)
				def = s->fp->coords.at[c].def == u->def[p] ? -1 : def;
		}
		if (counts && (def >= 0 || u->def[0] < 0))
			VEC_PUSH(s->arena, &s->fp->coords) = (struct coord){
				.x = u->value[0], .y = u->value[1], .last = i, .def = def, .rides = search_coord_rides(s, u->value[0], u->value[1])};
	}
}

/* Returns the least work of any one instruction that brings movable lanes of the operand: a new one, or one of those that define them. */
static uint64_t least_supply(const struct search *s, int i, unsigned k, const struct pattern *p)
{
	const struct pattern one = {.positions = MASK_X};
	uint64_t least = search_making_work(s, &one).arith;
	EACH_LANE(l, p->positions) {
		int def = s->values->use[i][k].def[l];
		lanes lane = (lanes)(1u << swizzle_lane(s->fp->ps->instrs.at[i].src[k].swizzle, l));
		uint64_t kept = target_instr(&s->facts.options->target, &s->fp->ps->instrs.at[def], s->fp->ps->model, lane).arith;
		least = kept < least ? kept : least;
	}
	return least;
}

/* Chooses, among all operands of movable and pixel lanes, some that have no defining instruction in common, and adds them to fp->mixeds.  coords[]
 * marks the instructions that define coordinates: with `shares` only operands that have one of these are chosen, else only others. */
static void choose_mixeds(struct search *s, struct mixeds *all, const bool *coords, bool *taken, bool shares)
{
	for (unsigned most = 1; most <= LANES; most++) { /* operands with few defining instructions first: they exclude few others */
		for (uint32_t m = 0; m < all->n; m++) {
			struct mixed *mixed = &all->at[m];
			const int32_t *def = s->values->use[mixed->instr][mixed->operand].def;
			bool counts = true, of_coords = false;
			unsigned n = 0;
			for (unsigned l = 0; counts && l < LANES; l++) {
				if (!(mixed->pattern.positions >> l & 1))
					continue;
				unsigned before = 0;
				while (before < l && !(mixed->pattern.positions >> before & 1 && def[before] == def[l]))
					before++;
				counts = def[l] >= 0 && !taken[def[l]];
				of_coords |= counts && coords[def[l]];
				n += before == l;
			}
			if (!counts || n != most || of_coords != shares)
				continue;
			mixed->arith = least_supply(s, mixed->instr, mixed->operand, &mixed->pattern);
			mixed->shares = shares;
			VEC_PUSH(s->arena, &s->fp->mixeds) = *mixed;
			EACH_LANE(l, mixed->pattern.positions)
				taken[def[l]] = true;
		}
	}
}

static void find_mixeds(struct search *s)
{
	bool *coords = arena_zero(s->arena, s->fp->ps->instrs.n + 1), *taken = arena_zero(s->arena, s->fp->ps->instrs.n + 1);
	for (uint32_t c = 0; c < s->fp->coords.n; c++)
		for (unsigned p = 0; p < 2; p++)
			if (s->values->use[s->fp->coords.at[c].last][0].def[p] >= 0)
				coords[s->values->use[s->fp->coords.at[c].last][0].def[p]] = true;
	struct mixeds all = {0};
	for (int i = (int)s->fp->ps->instrs.n - 1; i >= 0; i--) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		for (unsigned k = 0; search_reads_anyway(s, i) && k < ops[instr->op].sources; k++) {
			if (instr->src[k].file != REG_TEMP)
				continue;
			struct need need = plan_need(s->values, (uint32_t)i, k, least_mask(s->fp->ps, instr, s->fp->pixel[i]));
			if (need.pixel && need.pattern.positions)
				VEC_PUSH(s->arena, &all) = (struct mixed){.instr = i, .operand = k, .pattern = need.pattern};
		}
	}
	choose_mixeds(s, &all, coords, taken, false);
	choose_mixeds(s, &all, coords, taken, true);
}

static void find_grounded(struct search *s)
{
	for (uint32_t i = 0; i < s->fp->ps->instrs.n; i++) {
		const struct instr *instr = &s->fp->ps->instrs.at[i];
		if (!(ops[instr->op].flags & OPF_TEX) || instr->src[0].file != REG_TEMP)
			continue;
		struct need need = plan_need(s->values, i, 0, instr_writes(instr));
		s->fp->grounded[i] = need.pattern.positions && !search_delivers(s, &need.pattern);
	}
}

void search_find_riding(struct search *s)
{
	for (uint32_t c = 0; c < s->fp->coords.n; c++)
		s->fp->coords.at[c].rides = search_coord_rides(s, s->fp->coords.at[c].x, s->fp->coords.at[c].y);
	find_grounded(s);
}

void search_find_facts(struct search *s)
{
	uint32_t const n = s->fp->ps->instrs.n;
	s->fp->pixel = arena_zero(s->arena, n + 1);
	s->fp->sites = s->values->numbering[s->values->program].sites;
	s->fp->choice = arena_alloc(s->arena, s->fp->sites ? s->fp->sites->n + 1 : 1);
	memset(s->fp->choice, OPEN_SITE, s->fp->sites ? s->fp->sites->n : 0);
	s->fp->reads = arena_alloc(s->arena, (n + 1) * sizeof *s->fp->reads);
	s->fp->grounded = arena_zero(s->arena, (n + 1) * sizeof *s->fp->grounded);
	find_live_pixels(s);
	find_consts(s);
	find_coords(s);
	find_mixeds(s);
	find_guards(s, &s->fp->guards);
	find_grounded(s);
	s->fp->least_order = search_order_after(s, (int)n);
	s->fp->fixed.tex += (uint64_t)s->facts.options->target.order * s->fp->least_order * TARGET_UNIT;
	if (s->facts.options->target.varying)
		search_least_registers(s, &s->fp->scalars);
	if (s->facts.options->target.varying)
		search_guess(s);
}
