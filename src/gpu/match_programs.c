/* Writes the pixel programs of the workload match, see match.h. */
#include "gpu/match.h"

enum { BATCH = 4 }; /* how many texels of the image a batch has */
enum { DIFFERENCE = 8, SUM = 9, TEMPLATE = 10, SO_FAR = 10 }; /* numbers of r# */

/* Four texels of the image, and the texels of the template that are compared with them. */
struct batch {
	struct text *to;
	const struct match_method *method;
	unsigned first;  /* number of the image's first texel */
	unsigned image;  /* register of the image's first texel; the others follow */
	unsigned sought; /* register of the template's first texel; the others follow */
};

/* Returns the swizzle that puts the texel's coordinates, of which a constant holds two, into x and y. */
static const char *coordinate_swizzle(unsigned texel)
{
	return texel % 2 ? ".wzyx" : "";
}

static unsigned template_texels(const struct match_method *m)
{
	return m->packed ? m->reads : m->reads / BATCH;
}

/* Writes the texture reads of a batch, from the image and from the template. */
static void write_batch_reads(const struct batch *b)
{
	const struct match_method *m = b->method;
	unsigned const n = m->packed ? BATCH : 1, first = m->packed ? b->first : b->first / BATCH;
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "add r%u.xy, t0, c%u%s\n", b->image + k, (b->first + k) / 2, coordinate_swizzle(k));
	for (unsigned k = 0; k < n; k++)
		text_printf(b->to, "mov r%u.xy, c%u%s\n", b->sought + k, m->reads / 2 + (first + k) / 2, coordinate_swizzle(first + k));
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "texld r%u, r%u, s0\n", b->image + k, b->image + k);
	for (unsigned k = 0; k < n; k++)
		text_printf(b->to, "texld r%u, r%u, s2\n", b->sought + k, b->sought + k);
}

/* Writes instructions that add four differences, the lanes of register `r`, to the sum; `begins` is true for the first ones. */
static void write_addition_to_sum(const struct batch *b, unsigned r, bool begins)
{
	if (begins)
		text_printf(b->to, b->method->absolute ? "abs r%d, r%u\n" : "mul r%d, r%u, r%u\n", SUM, r, r);
	else if (b->method->absolute)
		text_printf(b->to, "abs r%u, r%u\nadd r%d, r%d, r%u\n", r, r, SUM, SUM, r);
	else
		text_printf(b->to, "mad r%d, r%u, r%u, r%d\n", SUM, r, r, SUM);
}

static void write_batch(const struct batch *b)
{
	static const char lane[] = "xyzw";
	write_batch_reads(b);
	for (unsigned k = 0; k < BATCH && b->method->packed; k++) {
		text_printf(b->to, "add r%u, r%u, -r%u\n", b->image + k, b->image + k, b->sought + k);
		write_addition_to_sum(b, b->image + k, b->first + k == 0);
	}
	if (b->method->packed)
		return;
	for (unsigned k = 0; k < BATCH; k++)
		text_printf(b->to, "add r%d.%c, r%u.x, -r%u.%c\n", DIFFERENCE, lane[k], b->image + k, b->sought, lane[k]);
	write_addition_to_sum(b, DIFFERENCE, b->first == 0);
}

/* Batches use two sets of registers alternately, so that at most three reads depend on each other in a row, which ps_2_0 allows. */
const char *match_program(struct arena *a, const struct match_method *m)
{
	struct text t = {.arena = a};
	unsigned const ones = (m->reads + template_texels(m)) / 2;
	text_printf(&t, "ps_2_0\ndef c%u, 1, 1, 1, 1\ndcl t0.xy\ndcl_2d s0\ndcl_2d s1\ndcl_2d s2\n", ones);
	for (unsigned first = 0; first < m->reads; first += BATCH) {
		unsigned const turn = first / BATCH % 2;
		write_batch(&(struct batch){.to = &t, .method = m, .first = first, .image = m->packed ? 0 : turn * BATCH,
		                            .sought = m->packed ? BATCH : TEMPLATE + turn});
	}
	text_printf(&t, "dp4 r%d, r%d, c%u\ntexld r%d, t0, s1\n", SUM, SUM, ones, SO_FAR);
	text_printf(&t, "add r%d, r%d, r%d.x\nmov oC0, r%d\n", SUM, SUM, SO_FAR, SUM);
	return t.at;
}
