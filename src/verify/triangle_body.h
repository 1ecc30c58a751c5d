/* Draws a triangle with one pair, for one arithmetic type: vertices, interpolation, pixels.
 * Included after machine_body.h, with the same macros. */

struct NAME(rasterizer) {
	struct NAME(machine) *vs, *ps;
	REAL carrier[3][MACHINE_CARRIERS][LANES]; /* the interpolated outputs of the three vertices */
	lanes carried[MACHINE_CARRIERS];          /* the lanes that the VP wrote */
	REAL inverse_w[3];
	uint32_t decision, size;                  /* hashes of the VP machine's `decision` and `size` over the three vertices */
	const struct interp_scene *scene;
	struct NAME(rasterizer) *shaken[2];       /* rasterizers whose machines are the shaken machines of this one's machines, or NULL */
};

static void NAME(set_constants)(struct NAME(machine) *m, const float (*from)[LANES])
{
	for (unsigned c = 0; c < MACHINE_CONSTS; c++)
		for (unsigned l = 0; l < LANES; l++)
			m->constant[c][l] = (REAL)from[c][l];
}

/* Returns the state of flow control, or NULL if the program has none. */
static struct NAME(flow) *NAME(flow_new)(struct arena *arena, const struct program *p)
{
	if (!program_flows(p))
		return NULL;
	struct NAME(flow) *f = arena_zero(arena, sizeof *f);
	f->of = machine_flow_find(arena, p);
	f->frame = arena_zero(arena, (f->of->depth + 1) * sizeof *f->frame);
	f->outer = arena_alloc(arena, (f->of->depth + 1) * sizeof *f->outer);
	return f;
}

static struct NAME(rasterizer) *NAME(rasterizer_new)(struct arena *arena, struct pair pair)
{
	struct NAME(rasterizer) *r = arena_zero(arena, sizeof *r);
	const struct program *programs[2] = {pair.vs, pair.ps};
	struct NAME(machine) **machines[2] = {&r->vs, &r->ps};
	for (unsigned stage = 0; stage < 2; stage++) {
		/* The machine is not cleared, since it is large; fields that are not set here are set before they are read. */
		struct NAME(machine) *m = *machines[stage] = arena_alloc(arena, sizeof *m);
		m->program = machine_program(arena, programs[stage]);
		m->flow = NAME(flow_new)(arena, m->program);
		m->texture = NULL;
		m->shaken[0] = m->shaken[1] = NULL;
		m->truth = m->mirrored = NULL;
		m->fp24 = false;
	}
	memset(r->vs->in, 0, sizeof r->vs->in); /* the three vertices fill only part of a block */
	return r;
}

static void NAME(set_switches)(struct NAME(machine) *m, const struct interp_switches *from)
{
	if (m->flow)
		m->flow->set = from ? *from : (struct interp_switches){.truth = {false}};
}

static void NAME(prepare)(struct NAME(rasterizer) *r, const struct interp_scene *scene)
{
	NAME(set_switches)(r->vs, scene->vs_switches);
	NAME(set_switches)(r->ps, scene->ps_switches);
	NAME(set_constants)(r->vs, scene->vs_const);
	NAME(set_constants)(r->ps, scene->ps_const);
	r->vs->unreached_from = r->ps->unreached_from = scene->unreached_from;
	r->vs->unreached_to = r->ps->unreached_to = scene->unreached_to;
	NAME(load)(r->vs, r->vs->program);
	NAME(load)(r->ps, r->ps->program);
	r->ps->texture = scene->texture;
	r->ps->fp24 = scene->fp24 && sizeof(REAL) == sizeof(float);
	for (unsigned v = 0; v < 3; v++)
		for (unsigned n = 0; n < INTERP_INPUTS; n++)
			for (unsigned l = 0; l < LANES; l++)
				r->vs->in[n][l][v] = (REAL)scene->vertex[v][n][l];
}

static void NAME(collect)(struct NAME(rasterizer) *r, const struct interp_scene *scene)
{
	r->decision = r->size = 0;
	r->scene = scene;
	memcpy(r->carried, r->vs->out_written + MACHINE_CARRIER, sizeof r->carried);
	for (unsigned v = 0; v < 3; v++) {
		r->decision = r->decision * 31 + r->vs->decision[v];
		r->size = r->size * 31 + r->vs->size[v];
		REAL w = scene->flat_w ? (REAL)scene->w[v] : r->vs->out[MACHINE_POS][LANE_W][v];
		r->inverse_w[v] = 1 / w;
		for (unsigned c = 0; c < MACHINE_CARRIERS; c++) {
			for (unsigned l = 0; l < LANES; l++) {
				REAL x = r->carried[c] >> l & 1 ? r->vs->out[MACHINE_CARRIER + c][l][v] : l == LANE_W;
				if (c < MACHINE_COLOURS && !model_links(r->vs->program->model))
					x = x > 0 ? x < 1 ? x : 1 : 0;
				r->carrier[v][c][l] = x;
			}
		}
	}
}

/* Runs the vertex program on the three vertices, and sets up the interpolation of its outputs. */
static void NAME(set_up)(struct NAME(rasterizer) *r, const struct interp_scene *scene)
{
	struct NAME(rasterizer) *const all[3] = {r, r->shaken[0], r->shaken[1]};
	for (unsigned n = 0; n < 3 && all[n]; n++)
		NAME(prepare)(all[n], scene);
	NAME(run)(r->vs, 0);
	for (unsigned n = 0; n < 3 && all[n]; n++)
		NAME(collect)(all[n], scene);
}

static void NAME(interpolate)(struct NAME(rasterizer) *r, REAL share[3][BLOCK])
{
	uint32_t const noise = r->scene->draw * MACHINE_CARRIERS * LANES;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++) {
		for (unsigned l = 0; l < LANES; l++) {
			REAL *restrict to = r->ps->in[c][l];
			REAL const jitter = r->ps->truth ? r->ps->jitter : r->scene->are_off[c] >> l & 1 ? (REAL)r->scene->off : 0;
			REAL x = r->carrier[0][c][l], y = r->carrier[1][c][l], z = r->carrier[2][c][l];
			if (!(r->carried[c] >> l & 1)) {
				NAME(fill)(to, x);
				continue;
			}
			for (unsigned k = 0; k < BLOCK; k++)
				to[k] = share[0][k] * x + share[1][k] * y + share[2][k] * z;
			for (unsigned k = 0; jitter != 0 && k < BLOCK; k++)
				to[k] += jitter * NAME(any)(noise + c * LANES + l + 1, k) *
				         (fabs(share[0][k] * x) + fabs(share[1][k] * y) + fabs(share[2][k] * z));
		}
	}
}

/* Sets vPos of the pixels, to screen positions made up from the weights, and vFace to `face`. */
static void NAME(place)(struct NAME(machine) *ps, const float *restrict weight1, const float *restrict weight2, REAL face)
{
	if (!model_links(ps->program->model))
		return;
	for (unsigned k = 0; k < BLOCK; k++) {
		ps->pixel[0][k] = (REAL)floor(weight1[k] * 640);
		ps->pixel[1][k] = (REAL)floor(weight2[k] * 480);
		ps->face[k] = face;
	}
}

/* Shades BLOCK pixels: interpolates with perspective, and runs the pixel program. */
static void NAME(shade)(struct NAME(rasterizer) *r, const float *restrict weight1, const float *restrict weight2)
{
	struct NAME(rasterizer) *const all[3] = {r, r->shaken[0], r->shaken[1]};
	REAL share[3][BLOCK];
	for (unsigned k = 0; k < BLOCK; k++) {
		REAL b = (REAL)weight1[k] * r->inverse_w[1], c = (REAL)weight2[k] * r->inverse_w[2];
		REAL a = (1 - (REAL)weight1[k] - (REAL)weight2[k]) * r->inverse_w[0];
		REAL scale = 1 / (a + b + c);
		share[0][k] = a * scale;
		share[1][k] = b * scale;
		share[2][k] = c * scale;
	}
	for (unsigned n = 0; n < 3 && all[n]; n++) {
		NAME(interpolate)(all[n], share);
		NAME(place)(all[n]->ps, weight1, weight2, r->scene->draw % 2 ? -1 : 1);
	}
	NAME(run)(r->ps, 0);
}
