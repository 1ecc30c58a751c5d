/* Finds why each instruction of an FP stays or has left, for reports, by its values, since a plan records no reasons. */
#include "move/optimise.h"

const struct verdict_info verdicts[VERDICTS] = {
#define VERDICT(id, rule, why) [id] = {rule, why},
#include "move/verdicts.def"
#undef VERDICT
};

static enum verdict why_tied(const struct value *value)
{
	return value->tied == TIED_QUOTIENT ? MOVE_QUOTIENT : MOVE_TIE;
}

/* Returns the reason why the new FP would compute a lane all the same although the plan moves it. */
static enum verdict why_remade(const struct value *value, const struct move_options *o)
{
	return value->tied ? why_tied(value) : value->withheld ? MOVE_WITHHELD : o->drop_in && value->app ? MOVE_DROP_IN
	       : o->vp_stays ? MOVE_VP_STAYS : MOVE_REMADE;
}

void explain_stay(const struct values *v, const struct move_options *o, uint32_t k, lanes mask, struct fate *f)
{
	const struct instr *i = &v->ps->instrs.at[k];
	lanes written = instr_writes(i);
	f->because = UINT32_MAX;
	f->moved = written & (lanes)~mask;
	f->preset = 0;
	EACH_LANE(lane, f->moved)
		if (value_is_settable(value_at(v, v->def[k][lane]), true) && !value_at(v, v->def[k][lane])->known)
			f->preset |= (lanes)(1u << lane);
	enum verdict why = o->vp_stays ? MOVE_VP_STAYS : MOVE_COST;
	bool pixel = false, rounds = false;
	EACH_LANE(lane, mask) {
		const struct value *value = value_at(v, v->def[k][lane]);
		pixel |= value->class == VALUE_PIXEL;
		rounds |= value->rounds;
		if (is_refused(o, value->withheld, value->app))
			why = value->withheld ? MOVE_WITHHELD : MOVE_DROP_IN;
		if (value->tied)
			why = why_tied(value);
		if (value->wild)
			why = MOVE_NO_FLOAT;
	}
	if (written && !mask) {
		why = MOVE_MOVED;
	} else if (i->op == OP_TEXLDL) { /* vs_3_0 has texldl, too, but reads other samplers than the FP */
		why = MOVE_SAMPLER;
	} else if (instr_acts(i) || ops[i->op].flags & OPF_TEX) {
		why = MOVE_OPCODE;
	} else if (written && (i->dst.file == REG_PIXEL_OUT || i->dst.file == REG_DEPTH_OUT)) {
		why = MOVE_OUTPUT;
	} else if (rounds) {
		why = MOVE_ROUNDED;
	} else if (pixel) {
		why = MOVE_NONLINEAR;
		EACH_SOURCE(s, i) {
			const struct use *u = &v->use[k][s];
			EACH_LANE(p, u->read) {
				if (u->value[p] == NO_VALUE || !value_is_pixel(v, u->value[p]))
					continue;
				if (u->def[p] >= 0 && f->because == UINT32_MAX) {
					why = MOVE_DEPENDS;
					f->because = (uint32_t)u->def[p];
				} else if (i->src[s].file == REG_INPUT && why == MOVE_NONLINEAR) {
					why = MOVE_COLOUR;
				} else if ((i->src[s].file == REG_PIXEL_POS || i->src[s].file == REG_FACE) && why == MOVE_NONLINEAR) {
					why = MOVE_SCREEN;
				} else if (u->def[p] == -2 && why == MOVE_NONLINEAR) {
					why = MOVE_UNDEFINED;
				}
			}
		}
	}
	f->verdict = (uint8_t)why;
	for (unsigned lane = 0; lane < LANES; lane++)
		f->lane[lane] = (uint8_t)(f->moved >> lane & 1 ? why_remade(value_at(v, v->def[k][lane]), o) : why);
}

void explain_all(const struct values *v, const lanes *mask, const struct values *given,
                 const struct move_options *o, struct move_result *r)
{
	const struct program *ps = given->ps;
	uint32_t n = ps->instrs.n;
	r->fates = arena_zero(v->arena, (n + 1) * sizeof *r->fates);
	if (v->ps == ps) {
		for (uint32_t k = 0; k < n; k++)
			explain_stay(v, o, k, mask[k], &r->fates[k]);
	} else {
		/* The plan is for a variant of the given FP.  A movable lane of a given instruction has left unless it is kept by an instruction of
		 * the variant that stands for that one. */
		lanes *left = arena_zero(v->arena, n + 1);
		for (uint32_t k = 0; k < n; k++)
			EACH_LANE(lane, instr_writes(&ps->instrs.at[k]))
				if (!value_is_pixel(given, given->def[k][lane]))
					left[k] |= (lanes)(1u << lane);
		for (uint32_t j = 0; j < v->ps->instrs.n; j++)
			if (v->ps->instrs.at[j].at < n)
				left[v->ps->instrs.at[j].at] &= (lanes)~mask[j];
		for (uint32_t k = 0; k < n; k++)
			explain_stay(given, o, k, instr_writes(&ps->instrs.at[k]) & (lanes)~left[k], &r->fates[k]);
		for (uint32_t j = 0; j < r->ps->instrs.n; j++) {
			srcpos *at = &r->ps->instrs.at[j].at;
			*at = *at < n ? ps->instrs.at[*at].at : SRCPOS_NONE;
		}
	}
	bool presets = false;
	for (uint32_t k = 0; k < r->folds.n; k++)
		presets |= r->folds.at[k].preset;
	for (uint32_t k = 0; k < n; k++) {
		r->moved += r->fates[k].verdict == MOVE_MOVED;
		r->fates[k].preset &= presets ? MASK_XYZW : 0;
	}
}
