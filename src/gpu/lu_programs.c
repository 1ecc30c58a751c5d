/* The programs of LU: examples, and those that differ by the lane of the pivot, which are written here; see lu.h. */
#include "gpu/lu.h"

static const char xyzw[] = "xyzw", rgba[] = "RGBA";

/* Writes the program for column k of L whose pivot is in a lane: own texel in s0 divided by the pivot, whose texel is at c0.xy. */
static const char *write_l(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r1.xy, c0\ntexld r1, r1, s0\ntexld r0, t0, s0\n"
	                    "rcp r1.x, r1.%c\nmul r0.%s, r0, r1.x\nmov oC0, r0\n",
	                    xyzw[pivot], mask);
}

/* Writes the program for what is right of column k, which is in s1: own texel in s0 less column k times the lane of the pivot in the
 * texel that holds row k; c0.x is where column k is, c0.y row k. */
static const char *write_u(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\nmov r1.x, c0.x\nmov r1.y, t0.y\nmov r2.x, t0.x\nmov r2.y, c0.y\n"
	                    "texld r0, t0, s0\ntexld r1, r1, s1\ntexld r2, r2, s0\nmad r0.%s, -r1, r2.%c, r0\nmov oC0, r0\n",
	                    mask, xyzw[pivot]);
}

typedef const char *write_program(struct arena *, unsigned pivot, const char *mask);

/* Compiles the programs of a part for each lane of the pivot.  Those below it need no mask; no row is below the last lane. */
static const char *open_masked(struct lab *lab, const char *part, write_program *write, struct lu_part *to)
{
	const char *wrong = NULL;
	for (unsigned p = 0; p < LANES && !wrong; p++) {
		const char *name = arena_printf(lab->arena, "%s, pivot in %c", part, rgba[p]);
		wrong = kernel_from_pixel_text(lab, name, write(lab->arena, p, xyzw), &to->below[p]);
		if (p + 1 == LANES || wrong)
			continue;
		name = arena_printf(lab->arena, "%s, mask %s", part, rgba + p + 1);
		wrong = kernel_from_pixel_text(lab, name, write(lab->arena, p, xyzw + p + 1), &to->top[p]);
	}
	return wrong;
}

static const char *open_examples(struct lab *lab, struct lu *l)
{
	const char *const names[] = {l->form->l, l->form->u, "copy", "lu_max", "lu_quadtree"};
	struct kernel *const kernels[] = {&l->l.below[0], &l->u.below[0], &l->swap, &l->first, &l->further};
	const char *wrong = NULL;
	for (unsigned k = 0; k < (l->form->pivots ? 5 : 2) && !wrong; k++)
		if (names[k])
			wrong = kernel_open(lab, names[k], kernels[k]);
	return wrong;
}

const char *lu_open_kernels(struct lab *lab, struct lu *l)
{
	const char *wrong;
	switch (l->form->scheme) {
	case LU_SPLIT:
	case LU_WHOLE: return open_examples(lab, l);
	case LU_BLOCKS: return lu_open_blocks(lab, l);
	case LU_MASKED: break;
	}
	wrong = open_masked(lab, "L", write_l, &l->l);
	return wrong ? wrong : open_masked(lab, "U", write_u, &l->u);
}

void lu_close_part(struct lu_part *part)
{
	for (unsigned p = 0; p < LANES; p++) {
		kernel_close(&part->below[p]);
		kernel_close(&part->top[p]);
	}
}

void lu_close_kernels(struct lu *l)
{
	lu_close_part(&l->l);
	lu_close_part(&l->u);
	kernel_close(&l->swap);
	kernel_close(&l->first);
	kernel_close(&l->further);
}
