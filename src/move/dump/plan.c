/* Writes the texts of --dump about variants, alternatives, plans and interpolators, see dump.h. */
#include "lang/print.h"
#include "move/dump/dump.h"

#include <string.h>

/* ---- variants and their searches ---------------------------------------------------------- */

static void write_search(struct text *t, const struct story *story)
{
	const struct planning *p = story->planning;
	for (uint32_t k = 0; k < p->ways.n; k++) {
		const struct way_tried *way = &p->ways.at[k];
		struct text name = {.arena = t->arena};
		way_name(&name, p, way->ps);
		text_printf(t, "       %-24s ", name.at ? name.at : "");
		if (!way->found) {
			text_printf(t, "no plan found, %.1f us\n", 1e-3 * (double)way->time);
			continue;
		}
		const struct move_result *r = way->found;
		text_printf(t, "FP %u, VP %u slots", program_total_slots(r->ps), program_total_slots(r->vs));
		if (r->vs_estimated)
			text_printf(t, " (estimated as %u, written as %u)", r->vs_estimated, r->vs_written);
		text_printf(t, "; %u nodes, %.1f us; ", (unsigned)r->nodes, 1e-3 * (double)way->time);
		if (r->optimal)
			text_string(t, "searched to the end");
		else
			text_printf(t, "not searched to the end: at most %u above the bound", r->gap);
		text_string(t, story->plan && story->way == k ? "; taken\n" : "\n");
	}
}

/* Returns an array that marks the instruction of alternative `a` of the site, and the instructions that were added to compute its operands. */
static const bool *written_for(struct arena *arena, const struct program *ps, const struct sites *sites, const struct site *site,
                               unsigned a)
{
	bool *mine = arena_zero(arena, ps->instrs.n), read[EVALUATE_TEMPS] = {false};
	for (uint32_t k = site->at[a] + 1; k-- > 0;) {
		const struct instr *i = &ps->instrs.at[k];
		mine[k] = k == site->at[a] || (sites->added[k] && !sites->of[k] && i->dst.index < EVALUATE_TEMPS && read[i->dst.index]);
		for (unsigned s = 0; mine[k] && s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEMP && i->src[s].index < EVALUATE_TEMPS)
				read[i->src[s].index] = true;
	}
	return mine;
}

void dump_sites(struct text *t, const struct planning *planning, const struct way_tried *way)
{
	for (uint32_t n = 0; way->sites && n < way->sites->n; n++) {
		const struct site *site = &way->sites->at[n];
		dump_instr(t, planning->given->ps, way->ps, site->at[0], "given    ");
		for (unsigned a = 1; a < site->n; a++) {
			const struct rewrite_info *rule = rule_named(site->rule[a]);
			text_printf(t, "       or by %s [%s]\n", site->rule[a], rule ? rule->tag : "");
			const bool *mine = written_for(t->arena, way->ps, way->sites, site, a);
			for (uint32_t k = 0; k <= site->at[a]; k++) {
				if (!mine[k])
					continue;
				text_string(t, "               ");
				print_instr(t, way->ps, &way->ps->instrs.at[k]);
				text_char(t, '\n');
			}
		}
	}
}

/* ---- operands ----------------------------------------------------------------------------- */

/* Writes the values of a pattern as " #12 #13", in the order of positions. */
static void write_values(struct text *t, const struct pattern *p)
{
	EACH_LANE(k, p->positions)
		text_printf(t, " #%u", (unsigned)p->value[k]);
}

static void write_register(struct text *t, const struct program *ps, enum reg_file file, int index, const struct view *view,
                           lanes positions)
{
	text_string(t, view->negate ? "-" : "");
	print_register_of(t, ps, file, index, swizzle_lanes(view->swizzle, positions));
	text_char(t, '.');
	EACH_LANE(k, positions)
		text_char(t, "xyzw"[swizzle_lane(view->swizzle, k)]);
}

static void write_supply(struct text *t, const struct program *ps, const struct values *v, const struct plan *plan, uint32_t i,
                         unsigned k, const struct pattern *p)
{
	uint32_t const which = plan->which[i][k];
	struct view view, input[MAX_SOURCES];
	int const reg = plan_inputs(v, plan, i, input);
	switch ((enum supply)plan->supply[i][k]) {
	case SUPPLY_KEEP: text_string(t, "unchanged: an instruction that stays, or a new one, writes this register"); break;
	case SUPPLY_INPUT:
		text_string(t, "straight from an interpolator, ");
		if (reg >= 0)
			write_register(t, ps, REG_TEXCOORD, reg, &input[k], p->positions);
		break;
	case SUPPLY_CONST:
		text_string(t, "straight from a constant, ");
		if (pattern_match(plan->consts[which], p, &view))
			write_register(t, ps, REG_CONST, plan->const_reg[which], &view, p->positions);
		break;
	case SUPPLY_TEMP: text_printf(t, "by the new instruction n%u", (unsigned)which); break;
	}
}

/* Writes a line for each operand of a staying instruction that reads a value that may move. */
static void write_operands(struct text *t, const struct program *ps, const struct values *v, const struct plan *plan, uint32_t i)
{
	const struct instr *instr = &v->ps->instrs.at[i];
	EACH_SOURCE(k, instr) {
		struct pattern const p = plan_operand(v, plan, i, k);
		if (!p.positions)
			continue;
		text_string(t, "         ");
		print_register(t, v->ps, (enum reg_file)instr->src[k].file, instr->src[k].index);
		text_string(t, " =");
		write_values(t, &p);
		text_string(t, ": ");
		write_supply(t, ps, v, plan, i, k, &p);
		text_char(t, '\n');
	}
}

static void write_part(struct text *t, const char *before, const struct pattern *p)
{
	if (!p->positions)
		return;
	text_string(t, before);
	write_values(t, p);
}

static void write_making(struct text *t, const struct program *ps, const struct values *v, const struct plan *plan, uint32_t n)
{
	const struct making *m = &plan->makings.at[n];
	text_printf(t, "       n%u: ", (unsigned)n);
	if (m->reg >= 0)
		print_register(t, NULL, REG_TEMP, m->reg);
	else
		text_string(t, "r");
	text_char(t, '.');
	print_lanes(t, m->pattern.positions);
	text_string(t, " =");
	write_values(t, &m->pattern);
	if (m->make == MAKE_MOV_CONST) {
		text_string(t, ", a mov from a constant\n");
		return;
	}
	const struct pattern *from = m->base.positions ? &m->base : &m->pattern;
	struct view view[MAX_SOURCES];
	int const reg = plan_making_inputs(v, plan, m, view);
	text_string(t, m->base.positions ? ", from " : ", a mov from ");
	if (reg >= 0)
		write_register(t, ps, REG_TEXCOORD, reg, &view[0], from->positions);
	write_part(t, " times", &m->factor);
	write_part(t, " plus", &m->offset);
	text_char(t, '\n');
}

/* Returns the index of the alternative that the plan uses in place of instruction `k`, or 0 if it uses none. */
static unsigned chosen_at(const struct sites *sites, const struct plan *plan, uint32_t k)
{
	const struct site *site = sites && sites->of[k] ? &sites->at[sites->of[k] - 1] : NULL;
	unsigned chosen = 0;
	for (unsigned a = 1; site && site->at[0] == k && a < site->n; a++)
		chosen = plan->mask[site->at[a]] ? a : chosen;
	return chosen;
}

/* Returns the slots that it would take to keep instruction `k`, which the plan removes: its own, and those of the removed instructions that
 * compute its pixel operands. */
static unsigned slots_as_given(const struct values *v, const struct plan *plan, uint32_t k, bool *counted)
{
	const struct instr *i = &v->ps->instrs.at[k];
	if (counted[k] || plan->mask[k])
		return 0;
	counted[k] = true;
	unsigned slots = instr_slots(i, v->ps->model);
	EACH_SOURCE(s, i)
		EACH_LANE(p, v->use[k][s].read)
			if (v->use[k][s].def[p] >= 0 && !value_may_move(v, v->use[k][s].value[p]))
				slots += slots_as_given(v, plan, (uint32_t)v->use[k][s].def[p], counted);
	return slots;
}

/* Writes why alternative `a` was chosen: the number of its instructions that leave the FP, and its slots compared with those of the
 * instructions as given. */
static void write_reason(struct text *t, const struct values *v, const struct sites *sites, const struct plan *plan,
                         const struct site *site, unsigned a)
{
	const struct rewrite_info *rule = rule_named(site->rule[a]);
	unsigned stay = 0, leave = 0, slots = 0;
	const bool *mine = written_for(t->arena, v->ps, sites, site, a);
	for (uint32_t k = 0; k <= site->at[a]; k++) {
		if (!mine[k])
			continue;
		stay += plan->mask[k] != 0;
		slots += plan->mask[k] ? instr_slots(&v->ps->instrs.at[k], v->ps->model) : 0;
		leave += !plan->mask[k] && instr_writes(&v->ps->instrs.at[k]);
	}
	unsigned const given = slots_as_given(v, plan, site->at[0], arena_zero(t->arena, v->ps->instrs.n));
	text_printf(t, "         written by %s [%s]: of its %u instructions %u leave%s and %u stay%s; it takes %u slot%s instead of %u\n",
	            site->rule[a], rule ? rule->tag : "", stay + leave, leave, leave == 1 ? "s" : "", stay, stay == 1 ? "s" : "", slots,
	            slots == 1 ? "" : "s", given);
}

static void write_plan(struct text *t, const struct program *ps, const struct story *story)
{
	const struct values *v = story->values;
	const struct sites *sites = v->numbering->sites;
	const struct program *given = story->planning->given->ps;
	const struct plan *plan = story->plan;
	for (uint32_t k = 0; k < v->ps->instrs.n; k++) {
		bool const stays = plan->mask[k] || instr_acts(&v->ps->instrs.at[k]);
		if (sites && sites->added[k] && !stays)
			continue; /* an instruction of an alternative that was not chosen, or that moves */
		unsigned const chosen = stays ? 0 : chosen_at(sites, plan, k);
		dump_instr(t, given, v->ps, k, stays ? "stays    " : chosen ? "as above " : "leaves   ");
		if (chosen)
			write_reason(t, v, sites, plan, &sites->at[sites->of[k] - 1], chosen);
		if (plan->mask[k] != instr_writes(&v->ps->instrs.at[k]) && plan->mask[k]) {
			text_string(t, "         of which .");
			print_lanes(t, plan->mask[k]);
			text_string(t, " stays\n");
		}
		if (stays)
			write_operands(t, ps, v, plan, k);
	}
	for (uint32_t n = 0; n < plan->makings.n; n++)
		write_making(t, ps, v, plan, n);
}

void dump_plan(struct text *t, const struct program *ps, const struct story *story)
{
	if (!story) {
		text_string(t, "       no plan: only -O2 and -O3 make plans, and only without --max-moves and --ps-slots\n");
		return;
	}
	if (story->before) {
		dump_plan(t, NULL, story->before); /* the FP after the move before, which has names of interpolators, is not known any more */
		text_string(t, "moved again:\n");
	}
	write_search(t, story);
	if (story->plan)
		write_plan(t, ps, story);
	else
		text_string(t, "       no plan was taken: the pair as given, or the result of -O1, is as good\n");
}

/* ---- interpolators -------------------------------------------------------------------------- */

/* Returns the last instruction of the VP that writes the lane; UINT32_MAX if none does. */
static uint32_t output_writer(const struct program *vs, int reg, unsigned lane)
{
	uint32_t k = vs->instrs.n;
	while (k-- > 0) {
		const struct instr *i = &vs->instrs.at[k];
		if (instr_writes(i) >> lane & 1 && i->dst.file == REG_TEX_OUT && i->dst.index == reg)
			return k;
	}
	return UINT32_MAX;
}

/* Writes a line for each interpolator lane that the VP writes or the FP reads.  carried[t#][lane] is its value, by its number in `v`;
 * `carried` is NULL if the values are not known. */
static void write_interpolators(struct text *t, const struct program *vs, const struct program *ps, const struct values *v,
                                const value_id (*carried)[LANES])
{
	struct outputs_read const read = outputs_read_by(ps);
	bool *named = arena_zero(t->arena, v->all.n + 1u);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		for (unsigned l = 0; l < LANES; l++) {
			bool const is_read = read.texcoord[r] >> l & 1;
			uint32_t const k = output_writer(vs, (int)r, l);
			if (k == UINT32_MAX && !is_read)
				continue;
			text_string(t, "       ");
			dump_input(t, ps, r, l);
			if (carried && carried[r][l] != NO_VALUE) {
				text_char(t, ' ');
				dump_form(t, v, carried[r][l], named);
			}
			text_string(t, is_read ? "" : " (not read)");
			text_string(t, k == UINT32_MAX ? " (never written)\n" : "\n            by ");
			if (k == UINT32_MAX)
				continue;
			print_instr(t, vs, &vs->instrs.at[k]);
			text_char(t, '\n');
		}
	}
}

void dump_layout(struct text *t, const struct program *vs, const struct program *ps, const struct program *new_vs,
                 const struct program *new_ps, const struct story *story)
{
	const struct values *given = values_number(t->arena, vs, ps);
	const struct plan *plan = story ? story->plan : NULL;
	text_string(t, "before:\n");
	write_interpolators(t, vs, ps, given, (const value_id (*)[LANES])&given->inputs.value);
	text_string(t, "after:\n");
	write_interpolators(t, new_vs, new_ps, plan ? story->values : given, plan ? plan->layout.lane : NULL);
}
