/* Opens the programs of LU: examples, or for LU_MASKED programs that this file writes for each lane of the pivot; see lu.h. */
#include "gpu/lu.h"

static const char xyzw[] = "xyzw", rgba[] = "RGBA";

/* Returns the program for column k of L: the pixel's texel in s0, divided by the pivot, which is lane `pivot` of the texel at c0.xy. */
static const char *masked_l_program(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\nmov r1.xy, c0\ntexld r1, r1, s0\ntexld r0, t0, s0\n"
	                    "rcp r1.x, r1.%c\nmul r0.%s, r0, r1.x\nmov oC0, r0\n",
	                    xyzw[pivot], mask);
}

/* Returns the program for the columns right of k: the pixel's texel in s0, less the texel of column k in s1 times lane `pivot` of the texel
 * that holds row k.  c0.x is the place of column k, c0.y that of row k. */
static const char *masked_u_program(struct arena *a, unsigned pivot, const char *mask)
{
	return arena_printf(a,
	                    "ps_2_0\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\nmov r1.x, c0.x\nmov r1.y, t0.y\nmov r2.x, t0.x\nmov r2.y, c0.y\n"
	                    "texld r0, t0, s0\ntexld r1, r1, s1\ntexld r2, r2, s0\nmad r0.%s, -r1, r2.%c, r0\nmov oC0, r0\n",
	                    mask, xyzw[pivot]);
}

typedef const char *program_writer(struct arena *, unsigned pivot, const char *mask);

/* Compiles the programs that draw L or U, for each lane of the pivot.  Programs for texels below the pivot's need no mask.  The last lane
 * needs no program for the pivot's texels, which hold no row below it. */
static const char *open_masked(struct lab *lab, const char *part, program_writer *write, struct lu_part *to)
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
	wrong = open_masked(lab, "L", masked_l_program, &l->l);
	return wrong ? wrong : open_masked(lab, "U", masked_u_program, &l->u);
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
