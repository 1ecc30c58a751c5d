/* Warns of inputs of a pixel program that its vertex program does not write, see link.h. */
#include "lang/checker.h"
#include "lang/link.h"

#include <string.h>

enum { TEMPS = CHECK_TEMPS, INPUTS = 16, COLOURS_AND_COORDINATES = 2 };

/* Lanes of v# and t# that reach an output or a texkill of the pixel program. */
struct inputs_read {
	lanes of[COLOURS_AND_COORDINATES][INPUTS];
};

static bool is_interpolated(unsigned file)
{
	return file == REG_INPUT || file == REG_TEXCOORD;
}

static lanes *input_lanes(struct inputs_read *read, unsigned file, int index)
{
	return &read->of[file == REG_TEXCOORD][index & (INPUTS - 1)];
}

/* Returns the lanes of inputs that live instructions read.  With flow control, all instructions count as live; v[aL + n] reads all inputs. */
static struct inputs_read find_inputs_read(const struct program *ps)
{
	struct inputs_read read = {{{0}}};
	lanes live[TEMPS] = {0};
	bool const flows = program_flows(ps);
	for (uint32_t k = ps->instrs.n; k-- > 0;) {
		const struct instr *i = &ps->instrs.at[k];
		lanes wanted = instr_writes(i);
		if (wanted && i->dst.file == REG_TEMP && !flows) {
			lanes *of = &live[i->dst.index & (TEMPS - 1)];
			lanes const written = wanted;
			wanted &= *of;
			*of &= (lanes)~written;
		}
		if (!wanted && !(ops[i->op].flags & OPF_NO_DST))
			continue;
		EACH_SOURCE(s, i) {
			const struct src *src = &i->src[s];
			lanes const from = swizzle_lanes(src->swizzle, instr_operand_lanes(ps, i, s, wanted));
			for (int n = 0; src->relative && is_interpolated(src->file) && n < COLOURS_AND_COORDINATES * INPUTS; n++)
				read.of[n / INPUTS][n % INPUTS] |= from;
			for (int row = 0; !src->relative && row < (int)instr_rows(i, s); row++) {
				if (src->file == REG_TEMP)
					live[(src->index + row) & (TEMPS - 1)] |= from;
				else if (is_interpolated(src->file))
					*input_lanes(&read, src->file, src->index + row) |= from;
			}
		}
	}
	return read;
}

/* Returns the lanes of an output that the vertex program writes, or may write as o[aL + n]. */
static lanes written_output_lanes(const struct program *vs, unsigned file, int index)
{
	lanes written = 0;
	for (uint32_t k = 0; k < vs->instrs.n; k++) {
		const struct dst *d = &vs->instrs.at[k].dst;
		if (d->file == REG_LINKED || (d->file == file && d->index == index))
			written |= instr_writes(&vs->instrs.at[k]);
	}
	return written;
}

/* The output that feeds an input. */
struct feed {
	unsigned number; /* number of the o#, oT# or oD# */
	lanes written;   /* lanes of it that are written; 0 if no output feeds the input */
};

static struct feed feed_of_input(const struct program *vs, const struct decl *d)
{
	enum reg_file const file = d->reg.file == REG_INPUT ? REG_COLOUR_OUT : REG_TEX_OUT;
	if (!model_links(vs->model))
		return (struct feed){(unsigned)d->reg.index, written_output_lanes(vs, file, d->reg.index)};
	for (uint32_t k = 0; k < vs->decls.n; k++) {
		const struct decl *out = &vs->decls.at[k];
		if (out->kind == DECL_OUTPUT && out->reg.file == file && out->usage == d->usage && out->usage_index == d->usage_index)
			return (struct feed){out->number, out->reg.mask & written_output_lanes(vs, out->reg.file, out->reg.index)};
	}
	return (struct feed){0, 0};
}

static const char *unwritten_advice(const struct decl *d, lanes read)
{
	if (!read)
		return "write it there, or drop this dcl";
	bool const coordinate = d->reg.file == REG_TEXCOORD && (d->usage == USAGES || d->usage == USAGE_TEXCOORD);
	return coordinate ? "write it there, unless point sprites set it" : "write it there";
}

static void warn_of_usage(const struct program *vs, const struct program *ps, const struct decl *d, lanes read, struct diags *diags)
{
	struct feed const feed = feed_of_input(vs, d);
	lanes const lacks = read & (lanes)~feed.written;
	bool const stays = d->usage_index == 0 && (d->usage == USAGE_POSITION || d->usage == USAGE_PSIZE);
	if (stays || !feed.written)
		diag_add(diags, DIAG_WARNING, "unlinked", ps->source, d->at, "v%u is %s %s%u, which %s", d->number, read ? "read as" : "declared as",
		         usage_names[d->usage], d->usage_index, stays ? "Direct3D does not interpolate" :
		         arena_printf(diags->arena, "the vertex program does not write: %s", unwritten_advice(d, read)));
	else if (lacks)
		diag_add(diags, DIAG_WARNING, "unlinked", ps->source, d->at,
		         "v%u.%s is read as %s%u, of which the vertex program writes only o%u.%s: write the rest, too", d->number,
		         lanes_piece(lacks).text, usage_names[d->usage], d->usage_index, feed.number, lanes_piece(feed.written).text);
}

static void warn_of_register(const struct program *vs, const struct program *ps, const struct decl *d, lanes read, struct diags *diags)
{
	struct feed const feed = feed_of_input(vs, d);
	lanes const lacks = read & (lanes)~feed.written;
	bool const colour = d->reg.file == REG_INPUT;
	if (lacks && !feed.written)
		diag_add(diags, DIAG_WARNING, "unlinked", ps->source, d->at, "%s%d is read, and the vertex program does not write %s%u: %s",
		         colour ? "v" : "t", d->reg.index, colour ? "oD" : "oT", feed.number, unwritten_advice(d, read));
	else if (lacks)
		diag_add(diags, DIAG_WARNING, "unlinked", ps->source, d->at,
		         "%s%d.%s is read, and the vertex program writes only %s%u.%s: write the rest, too", colour ? "v" : "t", d->reg.index,
		         lanes_piece(lacks).text, colour ? "oD" : "oT", feed.number, lanes_piece(feed.written).text);
}

void link_warn_unwritten(const struct program *vs, const struct program *ps, struct diags *diags)
{
	if (model_links(vs->model) != model_links(ps->model))
		return;
	struct inputs_read read = find_inputs_read(ps);
	for (uint32_t k = 0; k < ps->decls.n; k++) {
		const struct decl *d = &ps->decls.at[k];
		if (d->kind == DECL_PIXEL_INPUT && is_interpolated(d->reg.file))
			(model_links(ps->model) ? warn_of_usage : warn_of_register)(
				vs, ps, d, *input_lanes(&read, d->reg.file, d->reg.index) & d->reg.mask, diags);
	}
}
