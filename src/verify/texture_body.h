/* Texture reads of machine_body.h, for one arithmetic type. */

static const float *NAME(texel_at)(const struct interp_texture *t, int32_t x, int32_t y, int32_t z)
{
	int32_t at[3] = {x, y, z};
	const int32_t size[3] = {t->width, t->height, t->kind == TEXTURE_CUBE ? 6 : t->depth};
	for (unsigned axis = 0; axis < 3; axis++) {
		int32_t n = size[axis];
		if ((uint32_t)at[axis] < (uint32_t)n)
			continue;
		if (t->clamp || t->kind == TEXTURE_CUBE) {
			at[axis] = at[axis] < 0 ? 0 : n - 1;
		} else {
			at[axis] %= n;
			at[axis] += at[axis] < 0 ? n : 0;
		}
	}
	return t->texels + (((size_t)at[2] * (size_t)t->height + (size_t)at[1]) * (size_t)t->width + (size_t)at[0]) * LANES;
}

/* u, v and the face of a direction. */
static int32_t NAME(face)(const REAL direction[3], REAL *u, REAL *v)
{
	unsigned major = 0;
	for (unsigned axis = 1; axis < 3; axis++)
		if (fabs(direction[axis]) > fabs(direction[major]))
			major = axis;
	int32_t face = (int32_t)major * 2 + (direction[major] < 0);
	const struct cube_face *f = &cube_faces[face];
	REAL length = fabs(direction[major]);
	if (!(length > 0)) {
		*u = *v = (REAL)0.5;
		return face;
	}
	*u = ((REAL)f->s_sign * direction[f->s] / length + 1) / 2;
	*v = ((REAL)f->t_sign * direction[f->t] / length + 1) / 2;
	return face;
}

static void NAME(filter)(const struct interp_texture *t, const REAL coordinate[3], REAL result[LANES])
{
	/* Texel centres lie at (i + 1/2) / size. */
	int32_t base[3];
	REAL fraction[3];
	const int32_t size[3] = {t->width, t->height, t->depth};
	unsigned axes = t->kind == TEXTURE_VOLUME ? 3 : 2;
	base[2] = 0;
	for (unsigned axis = 0; axis < axes; axis++) {
		REAL x = coordinate[axis] * (REAL)size[axis] - (REAL)0.5;
		base[axis] = NAME(whole)(x);
		fraction[axis] = x - floor(x);
	}
	if (t->kind == TEXTURE_CUBE)
		base[2] = (int32_t)coordinate[2];
	for (unsigned l = 0; l < LANES; l++)
		result[l] = 0;
	for (unsigned corner = 0; corner < 1u << axes; corner++) {
		REAL weight = 1;
		int32_t at[3] = {base[0], base[1], base[2]};
		for (unsigned axis = 0; axis < axes; axis++) {
			bool upper = corner >> axis & 1;
			weight *= upper ? fraction[axis] : 1 - fraction[axis];
			at[axis] += upper;
		}
		const float *texel = NAME(texel_at)(t, at[0], at[1], at[2]);
		for (unsigned l = 0; l < LANES; l++)
			result[l] += weight * (REAL)texel[l];
	}
}

static void NAME(look_up)(struct NAME(machine) *m, unsigned sampler, REAL coordinate[3], unsigned k, REAL result[LANES])
{
	const struct interp_texture *t = &m->texture[sampler];
	if (t->kind == TEXTURE_CUBE) {
		REAL u, v;
		int32_t face = NAME(face)(coordinate, &u, &v);
		coordinate[0] = u;
		coordinate[1] = v;
		coordinate[2] = (REAL)face;
		NAME(decide)(m->texel, (uint32_t)face, k);
	}
	if (t->linear) {
		NAME(filter)(t, coordinate, result);
		return;
	}
	int32_t x = NAME(whole)(coordinate[0] * (REAL)t->width);
	int32_t y = NAME(whole)(coordinate[1] * (REAL)t->height);
	int32_t z = t->kind == TEXTURE_CUBE ? (int32_t)coordinate[2]
	            : t->kind == TEXTURE_VOLUME ? NAME(whole)(coordinate[2] * (REAL)t->depth) : 0;
	const float *texel = NAME(texel_at)(t, x, y, z);
	NAME(decide)(m->texel, (uint32_t)((texel - t->texels) / LANES), k);
	for (unsigned l = 0; l < LANES; l++)
		result[l] = (REAL)texel[l];
}

static void NAME(sample)(struct NAME(machine) *m, const struct instr *i, REAL *const d[LANES])
{
	unsigned sampler = (unsigned)i->src[1].index;
	if (!m->texture || m->texture[sampler].kind == TEXTURE_NONE) {
		for (unsigned l = 0; l < LANES; l++)
			FOR_BLOCK d[l][k] = l == LANE_W ? 1 : 0;
		return;
	}
	const REAL *x = SOURCE(0, 0), *y = SOURCE(0, 1), *z = SOURCE(0, 2), *w = SOURCE(0, 3);
	FOR_BLOCK {
		REAL coordinate[3] = {x[k], y[k], z[k]}, result[LANES];
		if (i->op == OP_TEXLDP)
			for (unsigned axis = 0; axis < 3; axis++)
				coordinate[axis] /= w[k];
		NAME(look_up)(m, sampler, coordinate, k, result);
		for (unsigned l = 0; l < LANES; l++)
			d[l][k] = result[l];
	}
}
