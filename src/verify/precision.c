/* Finds values that lose precision: the new pair must not compute with _pp a value that the old pair computes at full precision.
 * "Coarse" means made of results of _pp instructions.
 *
 *   old: mul r0, t0, c0       new: mul_pp r0, t0, c0      differs
 *   old: mul_pp r0, t0, c0    new: mul r0, t0, c0         equal: a driver may compute _pp in full, too
 *
 * Both programs run once more, with each _pp result replaced by a hash of itself.  A lane that comes out as before depends
 * on no _pp result, whatever the instructions look like.  A value that the old pair computes has lost precision
 *   - if the new pair computes it by a _pp instruction, and no instruction of the old pair that computes it is _pp;
 *   - or if it depends on _pp results in the new pair, and is made of no _pp result in the old one.  A quotient of two
 *     multiples of one _pp result counts as made of it, although its value does not depend on it.
 * Values that only the new pair computes are judged by the values that it makes of them, and lanes that nothing reads are
 * not judged. */
#include "verify/checks.h"
#include "verify/trace.h"

#include <string.h>

/* A value that the old pair's pixel program computes; its negative counts as the same value. */
struct computed {
	struct value_at value;
	uint32_t instr; /* the first instruction that computes the value */
	bool there;     /* the entry is in use */
	bool by_pp;     /* a _pp instruction computes the value */
	bool coarse;    /* some instruction computes it from _pp results */
};

enum { MOST_SHIFTS = 16 };

/* An open hash table of the values that the old pair computes. */
struct table {
	struct computed *at;
	uint32_t n; /* the number of entries, a power of two */
};

static bool is_pixel_input(const struct decl *d)
{
	return d->kind == DECL_PIXEL_INPUT;
}

bool precision_is_partial(const struct program *ps)
{
	bool found = false;
	for (uint32_t k = 0; k < ps->instrs.n && !found; k++)
		found = ps->instrs.at[k].flags & INSTR_PP;
	for (uint32_t k = 0; k < ps->decls.n && !found; k++)
		found = is_pixel_input(&ps->decls.at[k]) && ps->decls.at[k].flags & INSTR_PP;
	return found;
}

/* Returns the table's entry of the value, or the free entry where it belongs. */
static struct computed *find_computed(const struct table *t, const felt x[COLUMNS])
{
	struct value_at value;
	memcpy(value.of, x, sizeof value.of);
	if (value_is_minus(&value))
		for (unsigned f = 0; f < FIELDS; f++)
			value.of[f] = field_neg(f, value.of[f]);
	uint32_t slot = (uint32_t)(value.of[0] ^ value.of[0] >> 32) & (t->n - 1);
	while (t->at[slot].there && memcmp(&t->at[slot].value, &value, sizeof value) != 0)
		slot = (slot + 1) & (t->n - 1);
	if (!t->at[slot].there)
		t->at[slot].value = value;
	return &t->at[slot];
}

/* Replaces _pp inputs of model 2 by hashes of themselves, unless they are the same at all vertices.  In model 3 the proof interpolates _pp
 * inputs in a way of their own instead (WEIGHT_PP). */
static void coarsen_inputs(const struct side *side, struct field_run *ps)
{
	for (uint32_t k = 0; k < ps->program->decls.n && !model_links(ps->program->model); k++) {
		const struct decl *d = &ps->program->decls.at[k];
		if (!is_pixel_input(d) || !(d->flags & INSTR_PP))
			continue;
		unsigned const c = (d->reg.file == REG_TEXCOORD ? MACHINE_COLOURS : 0) + (unsigned)d->reg.index;
		for (unsigned l = 0; c < MACHINE_CARRIERS && l < LANES; l++) {
			const felt *x = side->vs.out[MACHINE_CARRIER + c][l];
			bool const fixed = ps->carried[c] >> l & 1 && memcmp(x, x + FIELDS, FIELDS * sizeof *x) == 0 &&
			                   memcmp(x, x + 2 * FIELDS, FIELDS * sizeof *x) == 0;
			for (unsigned f = 0; f < FIELDS && !fixed; f++)
				ps->carrier[c][l][f] = field_hash(f, keyed(ps->key, TAG_COARSE, ps->carrier[c][l][f]));
		}
	}
}

/* Runs the side's pixel program once more, with each _pp input and result replaced by a hash of itself. */
static const struct field_run *run_coarse(struct arena *arena, const struct side *side)
{
	uint32_t const n = side->ps.program->instrs.n + 1;
	struct field_run *ps = arena_alloc(arena, sizeof *ps);
	*ps = side->ps;
	ps->coarse = true;
	ps->like = NULL; /* takes the kinds of 2D reads from `plane`, which the run before has filled */
	ps->trace = arena_zero(arena, n * sizeof *ps->trace);
	ps->kill = arena_zero(arena, n * sizeof *ps->kill);
	ps->killer = arena_zero(arena, n * sizeof *ps->killer);
	ps->places = arena_zero(arena, n * sizeof *ps->places);
	coarsen_inputs(side, ps);
	field_run(ps);
	return ps;
}

static bool is_same_element(const felt a[COLUMNS], const felt b[COLUMNS])
{
	return memcmp(a, b, FIELDS * sizeof *a) == 0;
}

/* Returns true if the operand lane is a _pp input, or a result lane that `coarse` lists. */
static bool reads_coarse(const struct trace *t, const struct trace_read *read, const lanes *coarse)
{
	if (read->def != UINT32_MAX)
		return coarse[read->def] >> read->lane & 1;
	bool found = false;
	for (uint32_t k = 0; k < t->program->decls.n && !found; k++) {
		const struct decl *d = &t->program->decls.at[k];
		found = is_pixel_input(d) && d->flags & INSTR_PP && d->reg.file == read->file && d->reg.index == read->index;
	}
	return found;
}

/* Returns for each instruction the result lanes that are computed from _pp results, directly or through others, whatever their values. */
static const lanes *made_of_partial(struct arena *arena, const struct trace *t)
{
	lanes *coarse = arena_zero(arena, (t->program->instrs.n + 1) * sizeof *coarse);
	bool blocks = false; /* a block so far read a value made of _pp results, so the results of blocks count as made of _pp results, too */
	for (uint32_t k = 0; k < t->program->instrs.n; k++) {
		const struct instr *i = &t->program->instrs.at[k];
		struct trace_read reads[MOST_READS];
		unsigned const of_block = op_is_region(i->op) && !instr_writes(i) ? trace_reads(t, k, 0, WEIGHT_CENTRE, reads) : 0;
		for (unsigned r = 0; r < of_block; r++)
			blocks |= reads_coarse(t, &reads[r], coarse);
		EACH_LANE(l, instr_writes(i)) {
			unsigned const n = trace_reads(t, k, (lanes)(1u << l), WEIGHT_CENTRE, reads);
			bool found = i->flags & INSTR_PP || (i->op == OP_REGION_OUT && blocks);
			for (unsigned r = 0; r < n && !found; r++)
				found = reads_coarse(t, &reads[r], coarse);
			coarse[k] |= (lanes)(found << l);
		}
	}
	return coarse;
}

/* Returns the values that the old pair's pixel program computes. */
static struct table computed_by(struct arena *arena, const struct side *side)
{
	const struct field_run *m = &side->ps;
	struct trace const trace = trace_new(arena, m->program, side, NULL);
	const lanes *coarse = made_of_partial(arena, &trace);
	struct table t = {.n = 16};
	while (t.n < 2 * LANES * m->program->instrs.n)
		t.n *= 2;
	t.at = arena_zero(arena, t.n * sizeof *t.at);
	for (uint32_t k = 0; k < m->program->instrs.n; k++) {
		const struct instr *i = &m->program->instrs.at[k];
		EACH_LANE(l, instr_writes(i)) {
			struct computed *c = find_computed(&t, m->trace[k][l]);
			c->instr = c->there ? c->instr : k;
			c->there = true;
			c->by_pp |= (i->flags & INSTR_PP) != 0;
			c->coarse |= coarse[k] >> l & 1;
		}
	}
	return t;
}

/* Returns true if texkills of the old pair test the value, and none of these operands is made of _pp results.  Sets `*kill` to the first. */
static bool kills_in_full(const struct trace *t, const lanes *coarse, const felt value[COLUMNS], uint32_t *kill)
{
	struct trace_read reads[MOST_READS];
	bool found = false;
	for (uint32_t k = 0; k < t->run->kills; k++) {
		unsigned const n = trace_reads(t, t->run->killer[k], MASK_XYZW, WEIGHT_CENTRE, reads);
		for (unsigned r = 0; r < n; r++) {
			if (memcmp(reads[r].value.of, value, sizeof reads[r].value.of) != 0)
				continue;
			if (reads_coarse(t, &reads[r], coarse))
				return false;
			*kill = found ? *kill : k;
			found = true;
		}
	}
	return found;
}

/* Returns true if a texkill of the new pair tests a value that depends on _pp results there, and the old pair tests it in full precision.
 * Sets *old_kill and *new_kill to the numbers of these texkills. */
static bool kill_lost(struct arena *arena, const struct side *old, const struct field_run *m, const struct field_run *coarse,
                      uint32_t *old_kill, uint32_t *new_kill)
{
	struct trace const trace = trace_new(arena, old->ps.program, old, NULL);
	const lanes *old_coarse = made_of_partial(arena, &trace);
	for (*new_kill = 0; *new_kill < m->kills; ++*new_kill)
		for (unsigned l = 0; l < LANES; l++) {
			const felt *value = m->kill[*new_kill][l];
			if (!is_same_element(value, coarse->kill[*new_kill][l]) && kills_in_full(&trace, old_coarse, value, old_kill))
				return true;
		}
	return false;
}

/* Returns true if a _pp instruction of the old pair computes the value, or its product with a small power of two, which has the same
 * digits. */
static bool is_by_pp(const struct table *t, const felt x[COLUMNS])
{
	felt more[COLUMNS], less[COLUMNS];
	memcpy(more, x, sizeof more);
	memcpy(less, x, sizeof less);
	for (unsigned k = 0; k < MOST_SHIFTS; k++) {
		if (find_computed(t, more)->by_pp || find_computed(t, less)->by_pp)
			return true;
		for (unsigned f = 0; f < FIELDS; f++) {
			more[f] = field_add(f, more[f], more[f]);
			less[f] = field_mul(f, less[f], field_float(f, 0.5f));
		}
	}
	return false;
}

const char *precision_lost(struct arena *arena, const struct side *old, const struct side *new, uint32_t *old_instr,
                           uint32_t *new_instr)
{
	const struct field_run *m = &new->ps, *coarse = run_coarse(arena, new);
	struct trace const trace = trace_new(arena, m->program, new, NULL);
	struct table const table = computed_by(arena, old);
	for (uint32_t k = 0; k < m->program->instrs.n; k++) {
		const struct instr *i = &m->program->instrs.at[k];
		for (unsigned l = 0; l < LANES; l++) {
			if (!(trace.used[k] & instr_writes(i) & 1u << l))
				continue;
			const struct computed *c = find_computed(&table, m->trace[k][l]);
			bool const by_pp = c->there && i->flags & INSTR_PP && !is_by_pp(&table, m->trace[k][l]);
			if (!c->there || (!by_pp && (c->coarse || is_same_element(m->trace[k][l], coarse->trace[k][l]))))
				continue;
			*old_instr = c->instr;
			*new_instr = k;
			return arena_printf(arena, "the new pair computes %s %s (_pp), the old pair at full precision",
			                    machine_lane_text(arena, (enum reg_file)i->dst.file, i->dst.index, l),
			                    by_pp ? "at partial precision" : "from a value of partial precision");
		}
	}
	uint32_t old_kill, new_kill;
	if (!m->kills || !kill_lost(arena, old, m, coarse, &old_kill, &new_kill))
		return NULL;
	*old_instr = old->ps.killer[old_kill];
	*new_instr = m->killer[new_kill];
	return arena_printf(arena, "texkill number %u of the new pair tests a value of partial precision (_pp), which the old pair has "
	                    "in full", (unsigned)new_kill + 1);
}
