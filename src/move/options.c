/* Returns the default options of a run, and those of --as-published. */
#include "move/passes.h"

#include "lang/device.h"

#include <limits.h>

void move_as_published(struct move_options *o)
{
	o->as_published = o->colour_inputs = o->free_position = o->free_ties = true;
	o->plain_textures = UINT_MAX;
}

struct move_options move_options_default(enum model vs, enum model ps)
{
	static const struct device any;
	return (struct move_options){
		.level = 2,
		.max_moves = UINT_MAX,
		.budget.vs_slots = models[vs].arith,
		.budget.vs_temps = models[vs].temps,
		.budget.vs_consts = {0, (int)device_consts(&any, vs) - 1},
		.ps_consts = {0, models[PS_2_0].consts - 1},
		.budget.texcoords = models[ps].texcoords,
		.budget.ps_arith = models[model_written(ps)].arith,
		.budget.ps_tex = models[model_written(ps)].tex ? models[model_written(ps)].tex : models[model_written(ps)].arith,
		.target = targets[TARGET_SLOTS],
		.pixels_per_vertex = 4096,
		.effort = 2000,
	};
}
