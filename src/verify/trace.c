/* Finds the values of a pair's result lanes, and their readers, see trace.h. */
#include "verify/trace.h"

#include "verify/elements.h"
#include "verify/kills.h"

#include <math.h>
#include <string.h>

/* --- values ------------------------------------------------------------------------------ */

bool value_is_minus(const struct value_at *x)
{
	for (unsigned f = 0; f < FIELDS; f++)
		if (x->of[f] != field_neg(f, x->of[f]))
			return x->of[f] > field_neg(f, x->of[f]);
	return false;
}

static struct value_at negated_value(const struct value_at *x)
{
	struct value_at to;
	for (unsigned f = 0; f < FIELDS; f++)
		to.of[f] = field_neg(f, x->of[f]);
	return to;
}

bool value_same(const struct value_at *a, const struct value_at *b)
{
	struct value_at const c = negated_value(b);
	return memcmp(a, b, sizeof *a) == 0 || memcmp(a, &c, sizeof c) == 0;
}

static double digits_value(const struct digits *d)
{
	double sum = 0;
	for (uint32_t k = d->n; k-- > 0;)
		sum = sum * 0x1p32 + d->at[k];
	return sum;
}

bool trace_is_number(const struct trace *t, const struct value_at *x, double *number)
{
	struct rational exact;
	if (!known_exact(t->run->known, 0, x->of[0], &exact))
		return false;
	*number = ldexp(digits_value(&exact.over) / digits_value(&exact.under), exact.exponent) * (exact.negative ? -1 : 1);
	return true;
}

static struct value_at value_in_pixel(const struct trace *t, const felt x[COLUMNS], unsigned weight)
{
	struct value_at to;
	if (t->run->stage == STAGE_VERTEX)
		element_interpolate(NULL, false, x, t->side->weight[weight], to.of);
	else
		memcpy(to.of, x, sizeof to.of);
	return to;
}

struct value_at trace_value(const struct trace *t, uint32_t instr, unsigned lane, unsigned weight)
{
	return value_in_pixel(t, t->run->trace[instr][lane], weight);
}

/* Returns the value that stands for a register lane with unwritten or unknown content: a hash of the lane's place. */
static struct value_at value_of_unknown(const struct trace *t, const struct src *s, int index, unsigned lane)
{
	struct value_at to;
	uint64_t const place = (uint64_t)s->file << 40 | (uint64_t)s->relative << 32 | (uint64_t)(uint16_t)index << 8 | lane;
	for (unsigned f = 0; f < FIELDS; f++)
		to.of[f] = field_hash(f, field_mix(t->run->key ^ UINT64_C(0x5bd1e995), place));
	return to;
}

static struct value_at read_value(const struct trace *t, const struct src *s, uint32_t def, int index, unsigned lane, unsigned weight)
{
	const struct field_run *m = t->run;
	if (s->file == REG_TEMP && def != UINT32_MAX)
		return trace_value(t, def, lane, weight);
	if (s->file == REG_CONST && !s->relative && m->known_lanes[index] >> lane & 1) {
		struct value_at to;
		memcpy(to.of, m->constant[index][lane], sizeof to.of);
		return to;
	}
	if (m->stage == STAGE_VERTEX)
		return s->file == REG_INPUT && m->input_known[index] >> lane & 1 ? value_in_pixel(t, m->input_value[index][lane], weight)
		                                                                 : value_of_unknown(t, s, index, lane);
	unsigned const carrier = (unsigned)index + (s->file == REG_TEXCOORD ? MACHINE_COLOURS : 0);
	bool const carries = s->file == REG_TEXCOORD || s->file == REG_INPUT;
	return carries && m->carried[carrier] >> lane & 1 ? value_in_pixel(t, m->carrier[carrier][lane], weight)
	                                                  : value_of_unknown(t, s, index, lane);
}

unsigned trace_reads(const struct trace *t, uint32_t instr, lanes written, unsigned weight, struct trace_read to[MOST_READS])
{
	const struct instr *i = &t->program->instrs.at[instr];
	unsigned n = 0;
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		const struct src *src = &i->src[s];
		lanes const read = instr_operand_lanes(t->program, i, s, written);
		bool const matrix = s == 1 && ops[i->op].shape == SHAPE_MATRIX;
		for (unsigned row = 0; src->file != REG_SAMPLER && row < instr_rows(i, s); row++) {
			for (unsigned l = 0; l < LANES; l++) {
				if (!(read >> l & 1) || (matrix && !(written >> row & 1)) || n == MOST_READS)
					continue;
				unsigned const lane = swizzle_lane(src->swizzle, l);
				int const index = src->index + (int)row;
				uint32_t const def = t->def[instr][s][row][l];
				struct value_at const x = read_value(t, src, def, index, lane, weight);
				to[n++] = (struct trace_read){.value = src->negate ? negated_value(&x) : x, .def = def, .negate = src->negate,
				                              .file = src->relative ? REG_FILES : src->file, .lane = (uint8_t)lane,
				                              .index = (int16_t)index};
			}
		}
	}
	return n;
}

/* --- defs and uses ----------------------------------------------------------------------- */

static void find_operand_defs(struct trace *t)
{
	uint32_t writer[MACHINE_TEMPS][LANES];
	memset(writer, -1, sizeof writer);
	for (uint32_t k = 0; k < t->program->instrs.n; k++) {
		const struct instr *i = &t->program->instrs.at[k];
		memset(t->def[k], -1, sizeof t->def[k]);
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				for (unsigned l = 0; l < LANES; l++)
					t->def[k][s][row][l] = writer[i->src[s].index + (int)row][swizzle_lane(i->src[s].swizzle, l)];
		for (int r = 0; r < MACHINE_TEMPS; r++)
			EACH_LANE(l, instr_clobbers(i, r))
				writer[r][l] = i->dst.index == r && instr_writes(i) >> l & 1 ? k : UINT32_MAX;
	}
}

/* Returns those result lanes of an instruction that are outputs of the program, and of a VP only those that `wanted` has. */
static lanes wanted_outside(const struct trace *t, const struct instr *i, const lanes *wanted)
{
	lanes const writes = instr_writes(i);
	if (i->dst.file == REG_TEMP || !writes)
		return 0;
	bool const colour = i->dst.file == REG_COLOUR_OUT;
	return wanted && (colour || i->dst.file == REG_TEX_OUT) && t->run->stage == STAGE_VERTEX
	               ? writes & wanted[i->dst.index + (colour ? 0 : MACHINE_COLOURS)] : writes;
}

static lanes numbers_among(const struct trace *t, uint32_t k, lanes of)
{
	lanes numbers = 0;
	double number;
	EACH_LANE(l, of) {
		struct value_at const x = trace_value(t, k, l, WEIGHT_CENTRE);
		numbers |= (lanes)((lanes)trace_is_number(t, &x, &number) << l);
	}
	return numbers;
}

static bool may_kill(const struct trace *t, uint32_t k)
{
	struct trace_read reads[MOST_READS];
	unsigned const n = trace_reads(t, k, 0, WEIGHT_CENTRE, reads);
	bool any = false;
	for (unsigned r = 0; r < n; r++)
		any |= !kill_never(t->run, 0, reads[r].value.of[0]);
	return any;
}

/* Walks backwards and finds for each instruction the result lanes on which an output depends, or with `truly` those that are `needed`. */
static void find_used_lanes(struct trace *t, const lanes *outside, bool truly, lanes *to)
{
	struct trace_read reads[MOST_READS];
	for (uint32_t k = t->program->instrs.n; k-- > 0;) {
		const struct instr *i = &t->program->instrs.at[k];
		to[k] |= wanted_outside(t, i, outside);
		bool const kill = op_is_region(i->op) || (i->op == OP_TEXKILL && (!truly || may_kill(t, k)));
		lanes const made = truly && t->run->stage == STAGE_PIXEL ? to[k] & (lanes)~numbers_among(t, k, to[k]) : to[k];
		unsigned const n = made || kill ? trace_reads(t, k, made, WEIGHT_CENTRE, reads) : 0;
		for (unsigned r = 0; r < n; r++) {
			if (reads[r].def != UINT32_MAX)
				to[reads[r].def] |= (lanes)(1u << reads[r].lane);
			else if (t->run->stage == STAGE_PIXEL && (reads[r].file == REG_TEXCOORD || reads[r].file == REG_INPUT))
				t->carrier[machine_carrier(reads[r].file, reads[r].index)] |= (lanes)(1u << reads[r].lane);
		}
	}
}

/* Returns a copy of the program in which each 2D read that may compare .z with a depth texture has the flag INSTR_DEPTH. */
static const struct program *with_depths(struct arena *arena, const struct program *p, const uint8_t *plane)
{
	struct program *marked = program_copy(arena, p);
	for (uint32_t k = 0; plane && k < p->instrs.n; k++)
		marked->instrs.at[k].flags |= plane[k] == PLANE_AT ? INSTR_DEPTH : 0;
	return marked;
}

struct trace trace_new(struct arena *arena, const struct program *p, const struct side *side, const lanes *wanted)
{
	bool const pixel = program_stage(p) == STAGE_PIXEL;
	struct trace t = {.program = p, .side = side, .run = pixel ? &side->ps : &side->vs};
	if (pixel)
		t.program = with_depths(arena, p, t.run->plane);
	t.def = arena_alloc(arena, (p->instrs.n + 1) * sizeof *t.def);
	t.used = arena_zero(arena, p->instrs.n + 1);
	t.needed = arena_zero(arena, p->instrs.n + 1);
	find_operand_defs(&t);
	find_used_lanes(&t, wanted, true, t.needed);
	memset(t.carrier, 0, sizeof t.carrier);
	find_used_lanes(&t, wanted, false, t.used);
	return t;
}
