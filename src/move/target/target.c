/* Computes the cost of programs under a profile, see target.h. */
#include "move/target/target.h"

#include "move/graph/flow.h"
#include "move/target/r300.h"

#include <math.h>
#include <string.h>

const struct target targets[TARGETS] = {
#define TARGET(id, own_name, of_chip, counted, ...) [id] = {.name = own_name, .chip = of_chip, .unit = counted, __VA_ARGS__},
#include "move/target/targets.def"
#undef TARGET
};

const struct target_set target_sets[] = {
#define TARGET(id, name, ...) {name, 1u << id},
#include "move/target/targets.def"
#undef TARGET
#undef TARGET_SET
#define TARGET(...)
#define TARGET_SET(name, members) {name, members},
#include "move/target/targets.def"
#undef TARGET
#undef TARGET_SET
};
const unsigned target_set_count = sizeof target_sets / sizeof *target_sets;

uint32_t targets_named(const char *name, size_t n)
{
	for (unsigned k = 0; k < target_set_count; k++)
		if (strlen(target_sets[k].name) == n && memcmp(target_sets[k].name, name, n) == 0)
			return target_sets[k].members;
	return 0;
}

struct target target_joint(uint32_t set, const uint64_t given[TARGETS])
{
	double const heaviest = 60000;
#define WEIGHT(name) double name;
	struct { TARGET_WEIGHTS(WEIGHT) } sum = {0};
#undef WEIGHT
	double most = 0;
	unsigned members = 0;
	for (unsigned k = 0; k < TARGETS; k++) {
		if (!(set >> k & 1))
			continue;
		members++;
		double const share = given[k] ? 1 / (double)given[k] : 1;
#define WEIGHT(name) sum.name += share * targets[k].name, most = fmax(most, sum.name);
		TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	}
	struct target joint = {.name = "several"};
#define WEIGHT(name) joint.name = (uint32_t)lround(sum.name / most * heaviest);
	TARGET_WEIGHTS(WEIGHT)
#undef WEIGHT
	/* The joint profile's unit is a hundredth of the given pair's time. */
	double const hundredth = heaviest / most * members / 100 / (double)TARGET_UNIT;
	joint.unit = "per cent";
	joint.parts = (uint32_t)lround(fmax(1, hundredth));
	joint.pixel = 0;
	joint.overlap = 1;
	return joint;
}

enum { HIDDEN = 64 }; /* work that is hidden behind the writing of colours still counts for this part of its time */

void work_add(struct work *to, struct work w)
{
	*to = (struct work){to->arith + w.arith, to->special + w.special, to->tex + w.tex, to->varying + w.varying,
	                    to->pixel + w.pixel, to->kills + w.kills};
}

void work_remove(struct work *from, struct work w)
{
	*from = (struct work){from->arith - w.arith, from->special - w.special, from->tex - w.tex, from->varying - w.varying,
	                      from->pixel - w.pixel, from->kills - w.kills};
}

/* Sets *plain and *special to the number of multiply-adds and of special functions that the lanes `mask` of an instruction take on hardware without
 * vectors. */
static void scalar_operations(const struct instr *i, lanes mask, unsigned *plain, unsigned *special)
{
	unsigned n = count_lanes(mask);
	*plain = *special = 0;
	switch (ops[i->op].shape) {
	case SHAPE_LANES:
		*plain = i->op == OP_LRP || i->op == OP_CMP || i->op == OP_MIN || i->op == OP_MAX ? 2 * n : n;
		*special = i->op == OP_FRC ? n : 0;
		return;
	case SHAPE_SCALAR:
		*plain = i->op == OP_POW;
		*special = i->op == OP_POW ? 2 : 1;
		return;
	case SHAPE_DP3: *plain = 3; return;
	case SHAPE_DP4: *plain = 4; return;
	case SHAPE_DP2ADD: *plain = 2; return;
	case SHAPE_CROSS: *plain = 2 * n; return;
	case SHAPE_MATRIX: *plain = n * (matrix_row_op((enum op)i->op) == OP_DP4 ? 4 : 3); return;
	case SHAPE_NRM:
		*plain = 3 + n;
		*special = 1;
		return;
	case SHAPE_SINCOS: *special = n; return;
	case SHAPE_TEXW:
	case SHAPE_TEXD:
		*plain = i->op == OP_TEXLDP ? 2 : 0;
		*special = i->op == OP_TEXLDP;
		return;
	case SHAPE_NONE:
	case SHAPE_KILL:
	case SHAPE_TEX:
	case SHAPE_DST:
	case SHAPE_SGN:
	case SHAPE_EXPP:
	case SHAPE_LOGP:
	case SHAPE_LIT:
	case SHAPE_COMPARE:
	case SHAPE_REGION: return;
	}
}

struct work target_instr(const struct target *t, const struct instr *i, enum model model, lanes mask)
{
	uint64_t slots = instr_slots(i, model);
	unsigned plain = 0, special = 0;
	if ((t->lane || t->special) && !instr_is_modifier(i))
		scalar_operations(i, mask, &plain, &special);
	/* A mov to an output costs no move: hardware writes the output where the value is computed. */
	bool colour = instr_writes(i) && i->dst.file == REG_PIXEL_OUT;
	if (i->op == OP_MOV && i->dst.file != REG_TEMP)
		plain = 0;
	uint64_t const output = colour ? (uint64_t)t->output * count_lanes(mask) : 0;
	bool tex = ops[i->op].flags & OPF_TEX && i->op != OP_TEXKILL; /* texkill takes a texture slot, but reads no texture */
	return (struct work){.arith = ((tex ? 0 : t->instr * slots) + (uint64_t)t->lane * plain + output) * TARGET_UNIT,
	                     .special = (uint64_t)t->special * special * TARGET_UNIT,
	                     .tex = (tex ? t->tex * slots : 0) * TARGET_UNIT,
	                     .pixel = colour ? (uint64_t)t->pixel * TARGET_UNIT * count_lanes(mask) / LANES : 0, /* oC# may be written in parts */
	                     .kills = i->op == OP_TEXKILL};
}

struct work target_varyings(const struct target *t, unsigned n)
{
	uint64_t scalars = t->varying && n ? n + 1u : 0; /* + 1 for 1/w, which is interpolated, too */
	return (struct work){.arith = t->varying ? (uint64_t)t->lane * n * TARGET_UNIT : 0,
	                     .varying = t->varying * scalars * TARGET_UNIT};
}

uint64_t target_time(const struct target *t, const struct work *w)
{
	uint64_t longest = w->arith, sum = w->arith + w->special + w->tex + w->varying;
	longest = w->special > longest ? w->special : longest;
	longest = w->tex > longest ? w->tex : longest;
	longest = w->varying > longest ? w->varying : longest;
	uint64_t time = longest + (sum - longest) / (t->overlap ? t->overlap : 1);
	uint64_t const hides = work_hides(w);
	return time < hides ? hides - (hides - time) / HIDDEN : time;
}

/* Numbers of lanes and of registers t# and v# that an FP reads. */
struct inputs {
	unsigned scalars, interpolators;
};

/* Counts the inputs that an FP reads.  Ignores the instruction flags that are not in `flags`. */
static struct inputs inputs_read(const struct program *ps, unsigned flags)
{
	enum { T = 16, V = 2 };
	lanes read[T + V] = {0};
	struct inputs n = {0, 0};
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		struct instr i = ps->instrs.at[k];
		i.flags = (uint8_t)(i.flags & flags);
		EACH_SOURCE(s, &i) {
			if (i.src[s].file == REG_TEXCOORD && i.src[s].index < T)
				read[i.src[s].index] |= instr_reads(ps, &i, s);
			else if (i.src[s].file == REG_INPUT && i.src[s].index < V)
				read[T + i.src[s].index] |= instr_reads(ps, &i, s);
		}
	}
	for (unsigned r = 0; r < T + V; r++) {
		n.scalars += count_lanes(read[r]);
		n.interpolators += read[r] != 0;
	}
	return n;
}

static const unsigned all_flags = ~0u, written = ~(unsigned)INSTR_DEPTH;

static struct work pixel_work(const struct target *t, const struct program *ps, unsigned flags)
{
	struct work work = {.tex = t->order ? (uint64_t)t->order * program_reads_in_a_row(ps) * TARGET_UNIT : 0};
	for (uint32_t k = 0; k < ps->instrs.n; k++)
		work_add(&work, target_instr(t, &ps->instrs.at[k], ps->model, instr_writes(&ps->instrs.at[k])));
	if (t->varying)
		work_add(&work, target_varyings(t, inputs_read(ps, flags).scalars));
	return work;
}

static uint64_t vertex_time(const struct target *t, const struct program *vs, const struct program *ps, unsigned flags)
{
	uint64_t const interpolators = t->interpolator ? inputs_read(ps, flags).interpolators : 0;
	return ((uint64_t)t->vertex * program_total_slots(vs) + t->interpolator * interpolators) * TARGET_UNIT;
}

static uint64_t pair_time(const struct target *t, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex,
                          unsigned flags)
{
	struct work const work = pixel_work(t, ps, flags);
	return target_time(t, &work) + vertex_time(t, vs, ps, flags) / (pixels_per_vertex ? pixels_per_vertex : 1);
}

struct work target_pixel(const struct target *t, const struct program *ps)
{
	return pixel_work(t, ps, all_flags);
}

uint64_t target_vertex(const struct target *t, const struct program *vs, const struct program *ps)
{
	return vertex_time(t, vs, ps, all_flags);
}

uint64_t target_pair(const struct target *t, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex)
{
	return pair_time(t, vs, ps, pixels_per_vertex, all_flags);
}

static uint64_t r300_time(const struct target *t, const struct program *ps)
{
	struct r300_count const n = r300_count(ps);
	return target_unit(t) * (n.pairs + n.tex);
}

static uint64_t cleaned_time(const struct target *t, const struct program *ps)
{
	struct cleaned const n = cleaned_count(ps);
	uint64_t sum = 0;
#define COUNT(name) sum += (uint64_t)t->charges.name * n.name;
	CLEANED_COUNTS(COUNT)
#undef COUNT
	return sum * TARGET_UNIT;
}

uint64_t target_written_pixel(const struct target *t, const struct program *ps)
{
	if (t->machine == MACHINE_R300)
		return r300_time(t, ps);
	if (t->machine == MACHINE_CLEANED)
		return cleaned_time(t, ps);
	struct work const work = pixel_work(t, ps, written);
	return target_time(t, &work);
}

uint64_t target_written(const struct target *t, const struct program *vs, const struct program *ps, unsigned pixels_per_vertex)
{
	return target_written_pixel(t, ps) + vertex_time(t, vs, ps, written) / (pixels_per_vertex ? pixels_per_vertex : 1);
}
