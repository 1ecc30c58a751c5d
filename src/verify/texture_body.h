/* Texture reads of machine_body.h, for one arithmetic type. */

/* A texel's number along one axis, within the texture. */
static inline int32_t NAME(inside)(int32_t at, int32_t n, bool clamp)
{
	if ((uint32_t)at < (uint32_t)n)
		return at;
	if (clamp)
		return at < 0 ? 0 : n - 1;
	at %= n;
	return at < 0 ? at + n : at;
}

static inline const float *NAME(texel_at)(const struct interp_texture *t, int32_t x, int32_t y, int32_t z)
{
	bool cube = t->kind == TEXTURE_CUBE, clamp = t->clamp || cube;
	x = NAME(inside)(x, t->width, clamp);
	y = NAME(inside)(y, t->height, clamp);
	z = NAME(inside)(z, cube ? 6 : t->depth, clamp);
	return t->texels + (((size_t)z * (size_t)t->height + (size_t)y) * (size_t)t->width + (size_t)x) * LANES;
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

/* The texels at and behind x on one axis, and the share of the second. */
static inline REAL NAME(neighbours)(REAL coordinate, int32_t size, int32_t *at)
{
	/* Texel centres lie at (i + 1/2) / size. */
	REAL x = coordinate * (REAL)size - (REAL)0.5;
	*at = NAME(whole)(x);
	REAL share = x - (REAL)*at;
	return share >= 0 && share <= 1 ? share : 0;
}

static void NAME(filter)(const struct interp_texture *t, const REAL coordinate[3], REAL result[LANES])
{
	int32_t x, y, z = t->kind == TEXTURE_CUBE ? (int32_t)coordinate[2] : 0;
	REAL u = NAME(neighbours)(coordinate[0], t->width, &x), v = NAME(neighbours)(coordinate[1], t->height, &y);
	REAL w = t->kind == TEXTURE_VOLUME ? NAME(neighbours)(coordinate[2], t->depth, &z) : 0;
	unsigned slices = t->kind == TEXTURE_VOLUME ? 2 : 1;
	REAL sum[LANES] = {0};
	for (unsigned slice = 0; slice < slices; slice++) {
		REAL share = slices == 1 ? 1 : slice ? w : 1 - w;
		const float *a = NAME(texel_at)(t, x, y, z + (int32_t)slice), *b = NAME(texel_at)(t, x + 1, y, z + (int32_t)slice);
		const float *c = NAME(texel_at)(t, x, y + 1, z + (int32_t)slice);
		const float *d = NAME(texel_at)(t, x + 1, y + 1, z + (int32_t)slice);
		REAL wa = share * (1 - u) * (1 - v), wb = share * u * (1 - v), wc = share * (1 - u) * v, wd = share * u * v;
		for (unsigned l = 0; l < LANES; l++)
			sum[l] += wa * (REAL)a[l] + wb * (REAL)b[l] + wc * (REAL)c[l] + wd * (REAL)d[l];
	}
	memcpy(result, sum, sizeof sum);
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
	if (i->op == OP_TEXLDP)
		NAME(divide_by)(m, w);
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
