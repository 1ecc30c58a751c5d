/* Makes programs for pairs that lack one, see stand_in.h. */
#include "stand_in.h"

#include "base/diag.h"
#include "lang/parse.h"

#include <string.h>

/* A VP output that a pixel program reads: a register in model 2, a usage in model 3. */
struct fed {
	enum reg_file file;
	int index;
	unsigned usage, usage_index;
	lanes mask;
};

struct outputs_fed {
	unsigned n;
	struct fed at[MOST_TEX_OUTS];
};

/* Adds the VP output that a pixel program's declaration reads, or its lanes if the output is there.  Returns false if there are more outputs than
 * a VP has. */
static bool add_output(struct outputs_fed *all, const struct decl *d, bool links)
{
	unsigned k = 0;
	while (k < all->n && !(links ? all->at[k].usage == d->usage && all->at[k].usage_index == d->usage_index
	                             : all->at[k].file == d->reg.file && all->at[k].index == d->reg.index))
		k++;
	if (k == sizeof all->at / sizeof *all->at - links) /* in model 3, the position takes one of these outputs */
		return false;
	if (k == all->n)
		all->at[all->n++] = (struct fed){.file = d->reg.file, .index = d->reg.index, .usage = d->usage, .usage_index = d->usage_index};
	all->at[k].mask |= d->reg.mask;
	return true;
}

static void print_write_mask(struct text *t, lanes mask)
{
	text_char(t, '.');
	for (unsigned l = 0; l < LANES; l++)
		if (mask >> l & 1)
			text_char(t, "xyzw"[l]);
}

static void print_outputs(struct text *t, const struct outputs_fed *all, bool links)
{
	for (unsigned k = 0; k < all->n; k++)
		text_printf(t, "dcl_texcoord%u v%u\n", k, k);
	for (unsigned k = 0; k < all->n && links; k++) {
		text_printf(t, "dcl_%s%u o%u", usage_names[all->at[k].usage], all->at[k].usage_index, k);
		print_write_mask(t, all->at[k].mask);
		text_char(t, '\n');
	}
	for (unsigned k = 0; k < all->n; k++) {
		if (links)
			text_printf(t, "mov o%u", k);
		else
			text_printf(t, "mov %s%d", all->at[k].file == REG_INPUT ? "oD" : "oT", all->at[k].index);
		print_write_mask(t, all->at[k].mask);
		text_printf(t, ", v%u\n", k);
	}
}

static struct program *parse_one(struct arena *a, const struct text *t)
{
	struct diags said;
	struct source *s = arena_zero(a, sizeof *s);
	diag_init(&said, a);
	*s = (struct source){.name = "", .text = t->at, .size = t->n};
	struct program_list const list = parse_programs(a, s, &said);
	return said.errors || list.n != 1 ? NULL : list.at[0];
}

/* Returns the lanes of oT`reg` that the program writes. */
static lanes lanes_written_to(const struct program *vs, int reg)
{
	lanes all = 0;
	for (uint32_t k = 0; k < vs->instrs.n; k++)
		all |= vs->instrs.at[k].dst.file == REG_TEX_OUT && vs->instrs.at[k].dst.index == reg ? instr_writes(&vs->instrs.at[k]) : 0;
	return all;
}

struct program *stand_in_reader(struct arena *a, const struct program *vs, unsigned n)
{
	bool const links = model_links(vs->model);
	struct text t = {.arena = a};
	lanes mask = links ? 0 : lanes_written_to(vs, (int)n);
	for (uint32_t k = 0; k < vs->decls.n && links; k++) {
		const struct decl *d = &vs->decls.at[k];
		if (d->kind == DECL_OUTPUT && d->usage == USAGE_TEXCOORD && d->usage_index == n)
			mask |= d->reg.mask & lanes_written_to(vs, d->reg.index);
	}
	if (!mask)
		return NULL;
	text_printf(&t, links ? "ps_3_0\ndcl_texcoord%u v0" : "ps_2_0\ndcl t%u", n);
	print_write_mask(&t, mask);
	text_string(&t, "\ndef c0, 0, 0, 0, 0\nmov r0, c0\nmov r0");
	print_write_mask(&t, mask);
	text_printf(&t, links ? ", v0\nmov oC0, r0\n" : ", t%u\nmov oC0, r0\n", n);
	return parse_one(a, &t);
}

struct program *stand_in_make(struct arena *a, const struct program *ps)
{
	bool const links = model_links(ps->model);
	struct outputs_fed all = {.n = 0};
	struct text t = {.arena = a};
	for (uint32_t k = 0; k < ps->decls.n; k++)
		if (ps->decls.at[k].kind == DECL_PIXEL_INPUT && ps->decls.at[k].reg.file <= REG_TEXCOORD && !add_output(&all, &ps->decls.at[k], links))
			return NULL;
	text_printf(&t, "%s\ndcl_position v15\n%s", links ? "vs_3_0" : "vs_1_1", links ? "dcl_position o11\n" : "");
	print_outputs(&t, &all, links);
	text_printf(&t, "mov %s, v15\n", links ? "o11" : "oPos");
	return parse_one(a, &t);
}
