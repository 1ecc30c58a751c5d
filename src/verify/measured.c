/* Judges the errors that measure() found in a pair, see measured.h. */
#include "verify/measured.h"

#include <math.h>

unsigned measured_list(struct lane_error *list, struct pair pair)
{
	static const struct { enum reg_file file; int registers; } files[] = {
		{REG_PIXEL_OUT, INTERP_TARGETS}, {REG_DEPTH_OUT, 1}, {REG_POS_OUT, 1}, {REG_FOG_OUT, 1}, {REG_SIZE_OUT, 1},
	};
	unsigned n = 0;
	for (unsigned f = 0; f < sizeof files / sizeof *files; f++) {
		lanes written[INTERP_TARGETS] = {0};
		const struct program *p = f < 2 ? pair.ps : pair.vs;
		for (uint32_t k = 0; k < p->instrs.n; k++) {
			const struct instr *i = &p->instrs.at[k];
			if (instr_writes(i) && i->dst.file == files[f].file)
				written[i->dst.index] |= reg_files[files[f].file].scalar ? MASK_X : i->dst.mask;
			for (int o = 0; f >= 2 && i->dst.file == REG_LINKED && o < MACHINE_INPUTS; o++)
				if (machine_linked_output(p, o) == machine_output(files[f].file, 0))
					written[0] |= reg_files[files[f].file].scalar ? MASK_X : i->dst.mask;
		}
		for (int index = 0; index < files[f].registers; index++)
			for (unsigned l = 0; l < LANES; l++)
				if (written[index] >> l & 1)
					list[n++] = (struct lane_error){.file = files[f].file, .index = index, .lane = l};
	}
	return n;
}

void measured_judge(struct arena *arena, struct measured *m, const struct measure_options *o, double by_texture)
{
	double tolerance = o->tolerance > 0 ? o->tolerance : 16;
	/* The error that is always allowed, as a share of the lane's magnitude.  An fp24 number has 7 bits less than a float, hence 128. */
	double share = o->fp24 ? 128e-5 : 1e-5;
	m->within = m->kills_apart == 0;
	if (!m->within)
		m->why = "the two pairs kill different pixels";
	for (unsigned k = 0; k < m->lanes; k++) {
		struct lane_error *e = &m->lane[k];
		e->gain *= lane_is_of_vertices(e) ? 1 : by_texture;
		/* Allows the error that roundings may cause in the old pair, and not only the one that they have caused. */
		e->within = e->new_abs <= tolerance * fmax(e->old_abs, e->noise) + share * e->gain;
		if (e->within || !m->within)
			continue;
		m->within = false;
		/* A difference that roundings cannot explain means two different functions. */
		bool const rounds = e->apart <= 64 * e->noise + share * e->gain;
		m->remedy = rounds ? REMEDY_TOLERANCE : REMEDY_NONE;
		m->at = (struct measured_lane){e->file, e->index, e->lane};
		m->why = arena_printf(arena, "the error of %s grew from %.3g to %.3g", machine_lane_text(arena, e->file, e->index, e->lane),
		                      e->old_abs, e->new_abs);
	}
	if (m->within && m->ties_lost && !o->context.free_ties) {
		m->within = false;
		m->remedy = REMEDY_FREE_TIES;
		m->why = "a comparison that met its limit exactly now depends on how interpolation rounds (see --free-ties)";
	}
	if (!m->within || !m->positions_apart || o->context.free_position)
		return;
	m->within = false;
	m->why = "positions differ in their last bits";
}

enum measured_verdict measured_verdict(const struct measured *m)
{
	if (!m->within)
		return MEASURED_TOO_FAR;
	return m->compared * 16 < m->pixels ? MEASURED_TOO_FEW : m->compared * 100 < m->pixels * 99 ? MEASURED_PARTLY : MEASURED_WITHIN;
}
