/* Predicts times, see model.h. */
#include "gpu/model.h"

#include "gpu/stats.h"

#include <math.h>

/* Counts bytes as free (bandwidth 0) if the slope is not positive, which noise may cause where times hardly grow with the bytes. */
struct path model_path(double least, const double *bytes, const double *ns, size_t n)
{
	double const slope = stats_slope(bytes, ns, n);
	return (struct path){slope > 0 ? 1 / slope : 0, least};
}

double model_path_ns(struct path p, double n, double bytes)
{
	return n * p.latency + (p.bandwidth > 0 ? bytes / p.bandwidth : 0);
}

double model_path_error(struct path p, const double *bytes, const double *ns, size_t n)
{
	double error = 0;
	for (size_t k = 0; k < n; k++)
		error = fmax(error, fabs(model_path_ns(p, 1, bytes[k]) / ns[k] - 1));
	return error;
}

double model_up(const struct predictor *m, const struct record *r)
{
	double ns = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		ns += model_path_ns(m->machine->of[f].up, r->written[f].n, r->written[f].bytes);
	return ns;
}

double model_down(const struct predictor *m, const struct record *r)
{
	double ns = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		ns += model_path_ns(m->machine->of[f].down, r->read[f].n, r->read[f].bytes);
	return ns;
}

unsigned model_formats(const struct record *r)
{
	unsigned set = 0;
	for (uint32_t k = 0; k < r->kinds.n; k++) {
		set |= 1u << r->kinds.at[k].format;
		for (unsigned f = 0; f < IMAGE_FORMATS; f++)
			set |= r->kinds.at[k].reads_of[f] ? 1u << f : 0;
	}
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		set |= r->written[f].n > 0 || r->read[f].n > 0 || r->copied[f].n > 0 || r->asked[f].n > 0 ? 1u << f : 0;
	return set;
}

/* ---- time of a pixel ------------------------------------------------------------------- */

/* Returns the ns that the texture reads of a pixel take: K reads of S bytes at the bandwidth B2 take K S / B2.  If moving removed some of
 * the reads, the time shrinks in proportion. */
static double reads_ns(const struct predictor *m, const struct kind *k, const struct program *ps)
{
	double ns = 0, left = k->reads ? (double)program_slots(ps).tex / k->reads : 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		ns += model_path_ns((struct path){m->machine->of[f].bandwidth, 0}, 0, (double)k->reads_of[f] * image_formats[f].bytes);
	return ns * left;
}

/* Returns the ns of a unit of the target: rates.arith divided by the units that the target charges for a multiply-add of four lanes; 0 if it
 * charges none. */
static double unit_ns(const struct predictor *m, const struct kind *k)
{
	static const struct instr mad = {.op = OP_MAD, .dst = {.file = REG_TEMP, .mask = MASK_XYZW}};
	struct work const w = target_instr(m->target, &mad, PS_2_0, instr_writes(&mad));
	return w.arith ? m->machine->of[k->format].arith * (double)TARGET_UNIT / (double)w.arith : 0;
}

/* Returns the ns of a pixel by the extended model.  The target's weights for reads and writes hold for one format and one filter, so
 * measurements of this machine replace them. */
static double pixel_work_ns(const struct predictor *m, const struct kind *k, const struct program *ps)
{
	double const unit = unit_ns(m, k) / (double)TARGET_UNIT, reads = reads_ns(m, k, ps), fill = m->machine->of[k->format].fill;
	struct work w = target_pixel(m->target, ps);
	if (unit <= 0)
		return fmax(reads, fill);
	w.tex = (uint64_t)(reads / unit);
	w.pixel = (uint64_t)(fill / unit);
	return unit * (double)target_time(m->target, &w);
}

/* ---- time of passes -------------------------------------------------------------------- */

/* Returns the ns of the four vertices of a pass. */
static double vertices_ns(const struct predictor *m, const struct kind *k, const struct program *vs, const struct program *ps)
{
	enum { CORNERS = 4 };
	return (double)CORNERS * unit_ns(m, k) * (double)target_vertex(m->target, vs, ps) / (double)TARGET_UNIT;
}

/* Returns the ns of a kind's pixels and vertices, without the fixed cost of passes. */
static double kind_work_ns(const struct predictor *m, const struct kind *k, const struct program *vs, const struct program *ps)
{
	if (m->id == MODEL_PAPER)
		return k->pixels * reads_ns(m, k, ps);
	return k->pixels * pixel_work_ns(m, k, ps) + k->passes * vertices_ns(m, k, vs, ps);
}

/* Returns the fixed costs of all passes of a kind, by what each of them comes after. */
static double pass_costs_ns(struct pass_costs t, const struct kind *k)
{
	return k->switches * t.other + k->behind * t.behind + (k->passes - k->switches - k->behind) * t.same;
}

double model_kind(const struct predictor *m, const struct kind *k, const struct program *vs, const struct program *ps)
{
	const struct rates *r = &m->machine->of[k->format];
	return (m->id == MODEL_PAPER ? k->passes * r->gpu.other : pass_costs_ns(r->alone, k)) + kind_work_ns(m, k, vs, ps);
}

/* Times in ns of the GPU and of the CPU, which issues commands ahead of the GPU. */
struct sides {
	double gpu, cpu;
};

static struct sides sides_of(const struct predictor *m, const struct record *r, const struct model_pair *pairs)
{
	struct sides s = {0, 0};
	for (uint32_t n = 0; n < r->kinds.n; n++) {
		const struct kind *k = &r->kinds.at[n];
		const struct rates *rates = &m->machine->of[k->format];
		s.gpu += kind_work_ns(m, k, pairs ? pairs[n].vs : k->vs, pairs ? pairs[n].ps : k->ps);
		s.gpu += m->id == MODEL_PAPER ? k->passes * rates->gpu.other : pass_costs_ns(rates->gpu, k);
		s.cpu += pass_costs_ns(rates->cpu, k);
	}
	if (m->id == MODEL_EXTENDED && r->kinds.n)
		s.gpu += m->machine->of[r->kinds.at->format].start;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++) {
		s.gpu += model_path_ns(m->machine->of[f].copy, r->copied[f].n, r->copied[f].bytes);
		s.cpu += r->copied[f].n * m->machine->of[f].cpu.behind;
	}
	return s;
}

/* The paper's model counts the GPU alone, and results that the workload reads back between passes.  In the extended model, CPU and GPU work at
 * the same time, so the longer of both counts; but if results are read back between passes, the GPU is idle while the CPU waits and issues
 * the next commands, so the times add up. */
double model_passes(const struct predictor *m, const struct record *r, const struct model_pair *pairs)
{
	struct sides const s = sides_of(m, r, pairs);
	double asked = 0;
	for (unsigned f = 0; f < IMAGE_FORMATS; f++)
		asked += model_path_ns(m->machine->of[f].down, r->asked[f].n, r->asked[f].bytes);
	if (m->id == MODEL_PAPER)
		return s.gpu + asked;
	return asked > 0 ? s.gpu + s.cpu + asked : fmax(s.gpu, s.cpu);
}
