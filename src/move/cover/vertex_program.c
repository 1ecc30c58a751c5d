/* Writes the VP that delivers the lanes of a plan. requires: a complete plan; builds: a legal VP.
 *
 * The old VP's instructions come first, without those that only compute oT lanes that no lane of the plan needs.  Those that write an oT#
 * now write the oT lanes where the plan has their values, or a temporary that new instructions read.  After them come new instructions,
 * which compute the lanes of the plan by clones of FP instructions (vertex_clone.c) or as sums (vertex_column.c). */
#include "move/cover/vertex.h"

#include "lang/history.h"
#include "move/graph/flow.h"

#include <limits.h>
#include <string.h>

/* ---- the VP's own outputs --------------------------------------------------------- */

/* Finds a register lane that has the value of lane `lane` of oT k at the end of the old VP: the source of the mov that wrote the lane, if no later
 * instruction overwrites it.  Returns false if there is none. */
static bool find_copied_value(const struct vertex_start *w, unsigned k, unsigned lane, struct vs_lane *place)
{
	uint32_t writer = w->writer[k][lane];
	const struct instr *i = &w->old->instrs.at[writer];
	if (i->op != OP_MOV || i->flags & INSTR_SAT || i->src[0].relative)
		return false;
	const struct src *s = &i->src[0];
	unsigned from = swizzle_lane(s->swizzle, lane);
	if (s->file == REG_TEMP) {
		for (uint32_t j = writer + 1; j < w->old->instrs.n; j++) {
			const struct instr *later = &w->old->instrs.at[j];
			if (instr_writes(later) && later->dst.file == REG_TEMP && later->dst.index == s->index &&
			    later->dst.mask >> from & 1)
				return false;
			if (later->op == OP_SGN)
				return false; /* sgn clobbers its second and third source */
		}
	} else if (s->file != REG_INPUT && s->file != REG_CONST) {
		return false;
	}
	*place = (struct vs_lane){.file = s->file, .index = s->index, .lane = (uint8_t)from, .negate = s->negate};
	return true;
}

void vertex_find_places(struct vertex_start *start)
{
	for (unsigned k = 0; k < INTERPOLATORS; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (start->writer[k][lane] != UINT32_MAX && find_copied_value(start, k, lane, &start->place[k][lane]))
				start->placed[k] |= (lanes)(1u << lane);
}

/* Returns how many lanes of the new oT `r` have the value that the same lane of the old oT `k` has. */
static unsigned lanes_in_common(const struct values *v, const struct layout *layout, unsigned r, unsigned k)
{
	unsigned n = 0;
	for (unsigned l = 0; l < LANES; l++) {
		value_id id = layout->lane[r][l];
		n += id != NO_VALUE && v->inputs.value[k * LANES + l] == id && value_at(v, id)->class == VALUE_AFFINE;
	}
	return n;
}

/* Finds for each lane of the layout an old oT lane with the same value.  Prefers the same lane of the old oT# that has most affine lanes in
 * common with the new oT#, and among equals an old oT# that no lower new oT# uses.  Else takes the first old oT lane with this affine value; for
 * a constant, -1. */
void vertex_find_raw(const struct values *v, const struct layout *layout, struct sources *sources)
{
	bool used[INTERPOLATORS] = {false};
	memset(sources->raw, -1, sizeof sources->raw);
	for (unsigned r = 0; r < INTERPOLATORS; r++) {
		if (!layout_used(layout, r))
			continue;
		unsigned best = 0, most = 0;
		for (unsigned k = 0; k < INTERPOLATORS; k++) {
			unsigned n = 2 * lanes_in_common(v, layout, r, k);
			n += n && !used[k];
			if (n > most) {
				best = k;
				most = n;
			}
		}
		used[best] |= most != 0;
		for (unsigned l = 0; l < LANES; l++) {
			value_id id = layout->lane[r][l];
			if (id == NO_VALUE || value_at(v, id)->class == VALUE_PIXEL)
				continue;
			bool same = most && v->inputs.value[best * LANES + l] == id;
			sources->raw[r][l] = (int8_t)(same ? (int)(best * LANES + l) : value_raw_input(v, id));
		}
	}
}

/* Marks the inputs of the FP (old oT lanes) that lanes of the layout need, if no clone computes these lanes. */
static void find_needed_inputs(struct vertex_writer *w)
{
	for (int r = 0; r < vertex_registers(w); r++) {
		for (unsigned lane = 0; lane < LANES; lane++) {
			value_id id = w->layout->lane[r][lane];
			if (id == NO_VALUE || value_at(w->values, id)->class == VALUE_PIXEL || w->clone_of[r][lane] >= 0)
				continue;
			const struct value *x = value_at(w->values, id);
			int const raw = w->sources->raw[r][lane];
			if (raw >= 0 && vertex_lacks(w->start, raw)) {
				w->done[r] |= (lanes)(1u << lane);
				continue;
			}
			if (raw >= 0) {
				struct input *in = &w->input[raw];
				in->needed = true;
				if (in->copies++ == 0)
					in->to = (uint8_t)((unsigned)r * LANES + lane);
				continue;
			}
			for (uint32_t t = 0; x->class == VALUE_AFFINE && t < x->nterms; t++)
				w->input[x->terms[t].input].needed = w->input[x->terms[t].input].expression = true;
		}
	}
}

/* Finds for each needed lane of the old oT `k` another register that has its value at the end of the old VP.  Returns true if there is none for a
 * lane that new instructions read, or that several new oT lanes copy. */
static bool find_input_places(struct vertex_writer *w, unsigned k)
{
	bool lost = false;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct input *in = &w->input[k * LANES + lane];
		if (!in->needed)
			continue;
		in->survives = w->start->placed[k] >> lane & 1;
		in->place = w->start->place[k][lane];
		lost |= !in->survives && (in->expression || in->copies > 1);
	}
	return lost;
}

/* Returns true if the old instruction that writes the lane of oT k can write it to the oT lane where the plan has it.  It cannot if its lanes go to
 * several registers, or to lanes that it cannot write. */
static bool can_stay(const struct vertex_writer *w, unsigned k, unsigned lane)
{
	const struct input *in = &w->input[k * LANES + lane];
	const struct instr *i = &w->old->instrs.at[w->start->writer[k][lane]];
	bool together = true, same = true;
	for (unsigned other = 0; other < LANES; other++) {
		const struct input *o = &w->input[k * LANES + other];
		if (o->needed && w->start->writer[k][other] == w->start->writer[k][lane]) {
			together &= o->copies == 1 && o->to / LANES == in->to / LANES;
			same &= o->to % LANES == other;
		} else { /* lanes that it must write, too, because its mask is fixed, have to be free in the new register */
			same &= !(i->dst.mask >> other & 1) || !mask_is_fixed(w->old, i) || w->layout->lane[in->to / LANES][other] == NO_VALUE;
		}
	}
	return together && (same || instr_lanes_interchange(w->old, i));
}

/* Finds the lanes of the old oT `k` that the old VP's instructions go on writing to an oT#.  Returns true if a lane with one copy is neither written
 * by them nor held by another register. */
static bool find_staying(struct vertex_writer *w, unsigned k)
{
	bool lost = false;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct input *in = &w->input[k * LANES + lane];
		if (!in->needed || in->copies != 1)
			continue;
		in->stays = can_stay(w, k, lane);
		lost |= !in->stays && !in->survives;
	}
	return lost;
}

/* Lets the old VP's instructions write all of the old oT `k` to a temporary, where new instructions read it. */
static void expose(struct vertex_writer *w, unsigned k)
{
	w->temp_of[k] = w->next_temp++;
	for (unsigned lane = 0; lane < LANES; lane++) {
		struct input *in = &w->input[k * LANES + lane];
		if (!in->needed)
			continue;
		in->stays = in->survives = false;
		in->place = (struct vs_lane){.file = REG_TEMP, .index = (int16_t)w->temp_of[k], .lane = (uint8_t)lane};
	}
}

static bool is_needed(const struct input of[LANES])
{
	return of[0].needed || of[1].needed || of[2].needed || of[3].needed;
}

void vertex_find_exposed(struct vertex_writer *w)
{
	for (unsigned k = 0; k < INTERPOLATORS; k++) {
		if (!is_needed(&w->input[k * LANES]))
			continue;
		bool const nowhere = find_input_places(w, k), lost = find_staying(w, k);
		if (nowhere || lost)
			expose(w, k);
		for (unsigned lane = 0; lane < LANES; lane++) {
			const struct input *in = &w->input[k * LANES + lane];
			if (in->stays)
				w->done[in->to / LANES] |= (lanes)(1u << in->to % LANES);
		}
	}
}

/* Adds instruction k of the old VP, which wrote an oT#, to the new VP with its new destination, if its result is still needed. */
static void put_output(struct vertex_writer *w, uint32_t k)
{
	struct instr i = w->old->instrs.at[k];
	unsigned from = (unsigned)i.dst.index;
	lanes mask = 0;
	unsigned lane_of[LANES] = {0, 0, 0, 0};
	int reg = -1;
	EACH_LANE(lane, i.dst.mask) {
		struct input *in = &w->input[from * LANES + lane];
		if (w->start->writer[from][lane] != k || !in->needed)
			continue;
		if (w->temp_of[from]) {
			mask |= (lanes)(1u << lane);
		} else if (in->stays) {
			unsigned to = in->to % LANES;
			mask |= (lanes)(1u << to);
			lane_of[to] = lane;
			reg = in->to / LANES;
		}
	}
	if (!mask)
		return;
	if (w->temp_of[from]) {
		i.dst.file = REG_TEMP;
		i.dst.index = (int16_t)w->temp_of[from];
		if (!mask_is_fixed(w->old, &i))
			instr_set_mask(&i, mask);
		VEC_PUSH(w->values->arena, &w->new->instrs) = i;
		return;
	}
	i.dst.index = (int16_t)reg;
	bool same = mask == i.dst.mask;
	EACH_LANE(l, mask)
		same &= lane_of[l] == l;
	if (!same && instr_lanes_interchange(w->old, &i))
		instr_turn(&i, lane_of, mask);
	if (!mask_is_fixed(w->old, &i) && i.dst.mask != mask)
		instr_set_mask(&i, mask);
	VEC_PUSH(w->values->arena, &w->new->instrs) = i;
}

/* ---- masks of outputs, declarations, and constants that the application sets ----------------- */

/* Returns the lanes of oT `r` that the instruction writes. */
static lanes output_lanes_written(const struct instr *i, int r)
{
	return i->dst.file == REG_TEX_OUT && i->dst.index == r ? instr_writes(i) : 0;
}

/* Writes the missing lanes of oT r by a mov of any value that the instruction `writer` reads. */
static void put_missing(struct vertex_writer *w, int r, const struct instr *writer, lanes missing)
{
	struct instr mov = {.op = OP_MOV, .dst = {.file = REG_TEX_OUT, .index = (int16_t)r, .at = SRCPOS_NONE}, .at = SRCPOS_NONE};
	EACH_SOURCE(s, writer) {
		unsigned const lane = first_lane(instr_operand_lanes(w->new, writer, s, writer->dst.mask));
		if (lane == LANES)
			continue;
		mov.src[0] = writer->src[s];
		mov.src[0].swizzle = swizzle_replicate(swizzle_lane(mov.src[0].swizzle, lane));
		instr_set_mask(&mov, missing);
		VEC_PUSH(w->values->arena, &w->new->instrs) = mov;
		return;
	}
	w->failed = true;
}

/* Lets the instruction also write the missing lanes, with the value of the first lane that it writes. */
static void write_missing(struct instr *i, lanes missing)
{
	unsigned from[LANES];
	for (unsigned l = 0; l < LANES; l++)
		from[l] = i->dst.mask >> l & 1 ? l : first_lane(i->dst.mask);
	instr_turn(i, from, MASK_XYZW);
	instr_set_mask(i, i->dst.mask | missing);
}

/* Completes the lanes that are written of each oT# to .x, .xy, .xyz or .xyzw: widens the mask of an instruction that writes the oT#, or adds a mov if
 * none of these allows other lanes.  The values of the added lanes do not matter. */
static void fill_holes(struct vertex_writer *w)
{
	for (int r = 0; r < INTERPOLATORS; r++) {
		lanes all = 0;
		struct instr *last = NULL, *writer = NULL;
		for (uint32_t k = 0; k < w->new->instrs.n; k++) {
			struct instr *i = &w->new->instrs.at[k];
			if (!output_lanes_written(i, r))
				continue;
			all |= output_lanes_written(i, r);
			writer = i;
			if (instr_lanes_interchange(w->new, i))
				last = i;
		}
		lanes missing = lanes_up_to(all) & (lanes)~all;
		for (unsigned l = 0; l < LANES; l++)
			missing &= (lanes)~(w->layout->lane[r][l] == w->values->unknown ? 1u << l : 0); /* leave out lanes of a t# that stays if
			                                                                                 * nothing is known of them */
		if (!missing)
			continue;
		if (last)
			write_missing(last, missing);
		else
			put_missing(w, r, writer, missing);
	}
}

/* Returns true if the application already copies an FP constant to VP constant c`index`, after an earlier run of fpmove. */
static bool is_copied(const struct program *vs, int index)
{
	for (uint32_t k = 0; k < vs->needs.consts.n; k++)
		if (vs->needs.consts.at[k].vs == index)
			return true;
	return false;
}

static void put_decls(struct vertex_writer *w, struct move_result *result)
{
	struct register_set const old = program_reads_all(w->old, REG_CONST, false), new = program_reads_all(w->new, REG_CONST, false);
	struct register_set const named = program_reads_all(w->new, REG_CONST, true); /* without c[a0.x + n], which reads no constant that was
	                                                                               * free */
	for (uint32_t k = 0; k < w->old->decls.n; k++) {
		const struct decl *d = &w->old->decls.at[k];
		if (d->kind != DECL_DEF || register_is_in(&new, d->reg.index) || !register_is_in(&old, d->reg.index))
			VEC_PUSH(w->values->arena, &w->new->decls) = *d;
	}
	for (uint32_t k = 0; k < w->pool.n; k++) {
		const struct pool *pool = &w->pool.at[k];
		if (!pool->old && register_is_in(&named, pool->reg))
			w->failed |= !value_add_constant(w->values, pool->lane, pool->preset, pool->reg, w->new, &result->folds);
	}
	for (int ps = 0; ps < values_own(w->values); ps++)
		if (w->const_of[ps] >= 0 && register_is_in(&named, w->const_of[ps]) && !is_copied(w->old, w->const_of[ps]))
			VEC_PUSH(w->values->arena, &result->consts) = (struct const_map){.vs = w->const_of[ps], .ps = ps};
}

static size_t constants_numbered(const struct values *v)
{
	return (size_t)values_own(v) + MOST_CONSTS;
}

void vertex_number_constants(struct vertex_start *start)
{
	int const own = values_own(start->values);
	const struct needs *needs = &start->old->needs;
	start->const_of = arena_alloc(start->values->arena, constants_numbered(start->values) * sizeof *start->const_of);
	for (int c = 0; c < own + MOST_CONSTS; c++)
		start->const_of[c] = c < own ? -1 : c - own;
	/* If several FPs share the VP, ignore its notes about copied constants: a note about one FP may be wrong for the others. */
	for (uint32_t k = 0; start->values->programs == 1 && k < needs->consts.n; k++)
		start->const_of[needs->consts.at[k].ps] = needs->consts.at[k].vs;
}

struct vertex_writer *vertex_begin(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                                   const struct sources *sources, struct tally *tally)
{
	const struct program *vs = start->old;
	struct arena *arena = start->values->arena;
	struct vertex_writer *w = arena_zero(arena, sizeof *w);
	w->start = start;
	w->values = start->values;
	w->layout = layout;
	w->old = vs;
	w->options = start->options;
	w->how = how;
	w->sources = sources;
	w->tally = tally;
	w->new = arena_alloc(arena, sizeof *w->new);
	*w->new = *vs;
	memset(&w->new->decls, 0, sizeof w->new->decls);
	memset(&w->new->instrs, 0, sizeof w->new->instrs);
	w->next_temp = VIRTUAL_REGS;
	/* Besides the old instructions, allow one and a half times the slots of the budget, since dead instructions are removed later. */
	w->most = vs->instrs.n + start->options->budget.vs_slots + start->options->budget.vs_slots / 2;
	w->taken = start->taken;
	size_t const constants = constants_numbered(start->values);
	w->raw_lanes = arena_zero(arena, constants * sizeof *w->raw_lanes);
	w->const_of = (void *)arena_copy(arena, start->const_of, constants * sizeof *w->const_of);
	w->pool.at = (void *)arena_copy(arena, start->pool.at, start->pool.n * sizeof *w->pool.at);
	w->pool.n = w->pool.cap = start->pool.n;
	clone_find(w);
	if (!w->failed)
		find_needed_inputs(w);
	return w;
}

struct delivered vertex_program(const struct vertex_start *start, const struct layout *layout, const struct delivery *how,
                                const struct sources *sources, unsigned at_most, struct move_result *result)
{
	const struct program *vs = start->old;
	struct arena *arena = start->values->arena;
	struct vertex_writer *w = vertex_begin(start, layout, how, sources, NULL);
	if (!w->failed) {
		vertex_find_exposed(w);
		for (uint32_t k = 0; k < vs->instrs.n; k++) {
			const struct instr *i = &vs->instrs.at[k];
			if (instr_writes(i) && i->dst.file == REG_TEX_OUT && i->dst.index < INTERPOLATORS)
				put_output(w, k);
			else
				VEC_PUSH(arena, &w->new->instrs) = *i;
		}
		clone_put(w);
		sums_put(w);
	}
	struct delivered d = {.slots = UINT_MAX};
	if (w->failed)
		return d;
	regs_remove_dead(arena, w->new);
	fill_holes(w);
	unsigned slots = program_total_slots(w->new);
	if (slots > start->options->budget.vs_slots)
		return d;
	if (slots > at_most) {
		d.slots = slots;
		return d;
	}
	put_decls(w, result);
	if (w->failed || !regs_allocate(arena, w->new, start->options->budget.vs_temps))
		return d;
	history_note(arena, w->new, "plan");
	d.program = w->new;
	d.slots = slots;
	return d;
}
