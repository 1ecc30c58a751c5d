/* Reads textures for the interpreter of machine_body.h, for one arithmetic type.  Finds the numbers and weights of the
 * texels for all pixels of a block at once, and then fetches the texels pixel by pixel. */

/* The texels that a block of pixels reads along one axis of a texture. */
struct NAME(axis) {
	int32_t low[BLOCK], high[BLOCK]; /* for each pixel, the number of the texel at or before the coordinate, and of the next one */
	REAL share[BLOCK];               /* the weight of `high` */
};

static void NAME(bring_inside)(int32_t *restrict at, int32_t n, bool clamp)
{
	if (clamp) {
		FOR_BLOCK at[k] = at[k] < 0 ? 0 : at[k] < n ? at[k] : n - 1;
	} else if ((n & (n - 1)) == 0) {
		FOR_BLOCK at[k] &= n - 1;
	} else {
		FOR_BLOCK {
			int32_t rest = at[k] % n;
			at[k] = rest < 0 ? rest + n : rest;
		}
	}
}

static void NAME(find_axis)(struct NAME(axis) *restrict a, const REAL *restrict coordinate, int32_t n, bool clamp, bool linear)
{
	/* Texel centres lie at (i + 1/2) / n. */
	REAL size = (REAL)n, before = linear ? (REAL)0.5 : 0, place[BLOCK];
	const REAL limit = (REAL)1000000000;
	FOR_BLOCK {
		REAL x = coordinate[k] * size - before;
		x = x > -limit ? x : -limit; /* also if x is NaN */
		place[k] = x < limit ? x : limit;
	}
	FOR_BLOCK {
		int32_t cut = (int32_t)place[k];
		cut -= (REAL)cut > place[k];
		a->low[k] = cut;
		a->high[k] = cut + 1;
		a->share[k] = place[k] - (REAL)cut;
	}
	NAME(bring_inside)(a->low, n, clamp);
	if (linear)
		NAME(bring_inside)(a->high, n, clamp);
}

/* Returns the cube map's face in a direction, and sets u and v, the coordinates on that face. */
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

/* Adds to `sum`, for each pixel, the weighted mean of the four texels around (x, y) in slice z, times the pixel's `share`. */
static void NAME(add_slice)(const struct interp_texture *t, const struct NAME(axis) *x, const struct NAME(axis) *y,
                            const int32_t *restrict z, const REAL *restrict share, REAL (*restrict sum)[LANES])
{
	int32_t row[2][BLOCK];
	REAL weight[4][BLOCK];
	FOR_BLOCK {
		REAL u = x->share[k], v = y->share[k];
		row[0][k] = (z[k] * t->height + y->low[k]) * t->width;
		row[1][k] = (z[k] * t->height + y->high[k]) * t->width;
		weight[0][k] = share[k] * (1 - u) * (1 - v);
		weight[1][k] = share[k] * u * (1 - v);
		weight[2][k] = share[k] * (1 - u) * v;
		weight[3][k] = share[k] * u * v;
	}
	FOR_BLOCK {
		const float *a = t->texels + (size_t)(row[0][k] + x->low[k]) * LANES;
		const float *b = t->texels + (size_t)(row[0][k] + x->high[k]) * LANES;
		const float *c = t->texels + (size_t)(row[1][k] + x->low[k]) * LANES;
		const float *d = t->texels + (size_t)(row[1][k] + x->high[k]) * LANES;
		for (unsigned l = 0; l < LANES; l++)
			sum[k][l] += weight[0][k] * (REAL)a[l] + weight[1][k] * (REAL)b[l] + weight[2][k] * (REAL)c[l] +
			             weight[3][k] * (REAL)d[l];
	}
}

/* Reads the texture for BLOCK pixels, as result[pixel][lane of the texel]: at u, v of `face` (cube; a 2D texture has one face, so all of `face`
 * must be 0), or at u, v, w (volume, which does not read `face`). */
static void NAME(fetch)(struct NAME(machine) *m, const struct interp_texture *t, const REAL *u, const REAL *v,
                        const REAL *w, const int32_t *face, REAL (*restrict result)[LANES])
{
	struct NAME(axis) x, y, z;
	bool volume = t->kind == TEXTURE_VOLUME, clamp = t->clamp || t->kind == TEXTURE_CUBE;
	NAME(find_axis)(&x, u, t->width, clamp, t->linear);
	NAME(find_axis)(&y, v, t->height, clamp, t->linear);
	if (volume)
		NAME(find_axis)(&z, w, t->depth, clamp, t->linear);
	else
		memcpy(z.low, face, sizeof z.low);
	if (!t->linear) {
		FOR_BLOCK z.low[k] = (z.low[k] * t->height + y.low[k]) * t->width + x.low[k];
		FOR_BLOCK NAME(decide)(m->texel, (uint32_t)z.low[k], k);
		FOR_BLOCK {
			const float *texel = t->texels + (size_t)z.low[k] * LANES;
			for (unsigned l = 0; l < LANES; l++)
				result[k][l] = (REAL)texel[l];
		}
		return;
	}
	REAL share[BLOCK];
	FOR_BLOCK share[k] = volume ? 1 - z.share[k] : 1;
	memset(result, 0, sizeof(REAL) * LANES * BLOCK);
	NAME(add_slice)(t, &x, &y, z.low, share, result);
	if (volume)
		NAME(add_slice)(t, &x, &y, z.high, z.share, result);
}

static void NAME(sample)(struct NAME(machine) *m, const struct instr *i, REAL *const d[LANES])
{
	unsigned sampler = (unsigned)i->src[1].index;
	const struct interp_texture *t = m->texture ? &m->texture[sampler] : NULL;
	swizzle const texel = i->src[1].swizzle;
	if (!t || t->kind == TEXTURE_NONE) {
		for (unsigned l = 0; l < LANES; l++)
			NAME(fill)(d[l], swizzle_lane(texel, l) == LANE_W ? 1 : 0);
		return;
	}
	const REAL *at[3] = {SOURCE(0, 0), SOURCE(0, 1), SOURCE(0, 2)};
	REAL divided[3][BLOCK], result[BLOCK][LANES];
	int32_t face[BLOCK] = {0};
	if (i->op == OP_TEXLDP) {
		const REAL *w = SOURCE(0, 3);
		NAME(divide_by)(m, w);
		for (unsigned axis = 0; axis < 3; axis++) {
			FOR_BLOCK divided[axis][k] = at[axis][k] / w[k];
			at[axis] = divided[axis];
		}
	}
	if (t->kind == TEXTURE_CUBE) {
		FOR_BLOCK {
			const REAL direction[3] = {at[0][k], at[1][k], at[2][k]};
			face[k] = NAME(face)(direction, &divided[0][k], &divided[1][k]);
			NAME(decide)(m->texel, (uint32_t)face[k], k);
			/* Marks pixels as wild where roundings decide the face: two lanes of the direction are equal, as _sat
			 * makes them, or all are almost 0, as after a sum that cancels. */
			unsigned major = (unsigned)face[k] / 2;
			m->wild[k] = m->wild[k] || (m->truth && fabs(direction[major]) < (REAL)1e-12);
			for (unsigned axis = 0; axis < 3; axis++)
				m->wild[k] = m->wild[k] || (m->truth && axis != major &&
				                            fabs(direction[axis]) > fabs(direction[major]) * (REAL)0.999999);
		}
		at[0] = divided[0];
		at[1] = divided[1];
	}
	NAME(fetch)(m, t, at[0], at[1], at[2], face, result);
	for (unsigned k = 0; t->compares && k < BLOCK; k++) {
		bool passes = at[2][k] <= result[k][LANE_X];
		NAME(decide)(m->decision, passes, k);
		for (unsigned l = 0; l < LANES; l++)
			result[k][l] = passes;
	}
	for (unsigned l = 0; l < LANES; l++)
		FOR_BLOCK d[l][k] = result[k][swizzle_lane(texel, l)];
}
