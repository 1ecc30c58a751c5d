/* Checks the claims of a report about each line against the files that were written.  usage: check [-p | -r] REPORT GIVEN WRITTEN.
 * For each pair of the report, whose given files are in the folder GIVEN and the new ones in WRITTEN, it runs both pairs in double on
 * random scenes, instruction by instruction, and compares every claim of the key `lines` with the numbers.  It shares no code with
 * src/verify/outcome.c: it compares values as numbers and follows dependences itself.  -p: plants wrong claims instead, of which 97 of
 * 100 must be refuted, kind by kind.  -r: for random pairs, where rounding may leave no digit of 5 lanes in 100; claims about those
 * lanes are not checked. */
#include "lang/link.h"
#include "lang/needs.h"
#include "lang/parse.h"
#include "lang/preprocess.h"
#include "verify/machine.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

#define BLOCK 16
#define REAL double
#define NAME(x) x##_check
#include "verify/machine_body.h"

enum { SCENES = 6, SAMPLES = SCENES * BLOCK, TEXELS = 8 * 8 * 8, ROWS = 4 };

/* A lane in all pixels, and its possible rounding error. */
typedef struct samples { double at[SAMPLES], off[SAMPLES]; } samples;

struct seen {
	const struct program *p;
	samples (*result)[LANES];                        /* of each instruction, for each pixel */
	samples (*operand)[MAX_SOURCES][ROWS][LANES];    /* as the instruction reads them */
	samples (*carrier)[LANES];                       /* t#, v# of an FP */
	double (*constant)[MACHINE_CONSTS][LANES];       /* by scene */
	bool *kills;                                     /* whether each texkill drops some pixel */
};

struct scene {
	float vs[MACHINE_CONSTS][LANES], ps[MACHINE_CONSTS][LANES], input[3][MACHINE_INPUTS][LANES];
	float ps_new[MACHINE_CONSTS][LANES], vs_new[MACHINE_CONSTS][LANES];
	double share[3][BLOCK];
	float texels[TEXELS * LANES];
};

struct claim {
	const char *outcome;
	json_t *entry;
	unsigned at_lane; /* the lane of `at` that holds this lane */
	bool modifier;    /* the instruction is an _abs */
};

struct pairs {
	struct arena arena;
	struct program *old[2], *new[2];
	struct seen *seen[2][2]; /* [old, new][stage] */
	struct scene *scenes;
	struct claim (*claim)[LANES];
	struct drawing *drawing;
	struct machine_check unchanged;
	int level;
	unsigned long claims, refuted, unseen;
};

static uint64_t state;
static double part(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(state >> 40) / (1 << 24);
}

/* --- running ------------------------------------------------------------------------------ */

static void fill(float *to, size_t n, double from, double width)
{
	for (size_t k = 0; k < n; k++)
		to[k] = (float)(from + width * part());
}

static void make_scene(struct pairs *p, struct scene *s)
{
	fill(s->vs[0], sizeof s->vs / sizeof(float), -2, 4);
	fill(s->ps[0], sizeof s->ps / sizeof(float), -2, 4);
	fill(s->input[0][0], sizeof s->input / sizeof(float), -1, 2.5);
	fill(s->texels, TEXELS * LANES, 0, 1);
	for (unsigned k = 0; k < BLOCK; k++) {
		s->share[0][k] = part() / 2;
		s->share[1][k] = part() / 2;
		s->share[2][k] = 1 - s->share[0][k] - s->share[1][k];
	}
	memcpy(s->vs_new, s->vs, sizeof s->vs);
	memcpy(s->ps_new, s->ps, sizeof s->ps);
	for (unsigned stage = 0; stage < 2; stage++) {
		const struct needs *n = &p->new[stage]->needs;
		for (uint32_t k = 0; k < n->consts.n; k++)
			memcpy(s->vs_new[n->consts.at[k].vs], s->ps[n->consts.at[k].ps], sizeof *s->ps);
		interp_set_presets(&p->arena, n->folds.at, n->folds.n, (const float(*)[LANES])s->ps, s->vs_new, s->ps_new);
	}
}

static void prepare(struct machine_check *m, const struct program *p, float (*constant)[LANES])
{
	memset(m, 0, sizeof *m);
	for (unsigned c = 0; c < MACHINE_CONSTS; c++)
		for (unsigned l = 0; l < LANES; l++)
			m->constant[c][l] = (double)constant[c][l];
	load_check(m, p);
	m->temps = MACHINE_TEMPS;
	start_check(m, 0);
}

static void step(struct machine_check *m, uint32_t k)
{
	const struct instr *i = &m->program->instrs.at[k];
	lanes const mask = instr_writes(i);
	evaluate_check(m, i, mask, m->spare);
	finish_check(m, i, mask, m->spare);
	if (mask)
		store_check(m, i, mask);
}

/* Returns the value in pixel k: interpolated from the vertices, or as the pixel computed it. */
static double brought(const struct scene *s, bool vertex, const double *x, unsigned k)
{
	return vertex ? s->share[0][k] * x[0] + s->share[1][k] * x[1] + s->share[2][k] * x[2] : x[k];
}

/* Records a result.  `shaken`: in this second run each result is off by a few units of a float's last place. */
static void note(samples *to, const struct scene *s, bool vertex, const double *x, unsigned from, bool shaken)
{
	for (unsigned k = 0; k < BLOCK; k++) {
		double const there = brought(s, vertex, x, k);
		if (shaken)
			to->off[from + k] = fmax(to->off[from + k], isfinite(there) ? fabs(there - to->at[from + k]) : (double)INFINITY);
		else
			to->at[from + k] = there;
	}
}

static void shake(double *x)
{
	for (unsigned k = 0; k < BLOCK; k++)
		x[k] *= 1 + 1e-6 * (2 * part() - 1);
}

static void look(struct machine_check *m, const struct scene *s, unsigned from, struct seen *to, bool shaken)
{
	bool const vertex = program_stage(m->program) == STAGE_VERTEX;
	for (uint32_t n = 0; n < m->program->instrs.n; n++) {
		const struct instr *i = &m->program->instrs.at[n];
		for (unsigned o = 0; o < ops[i->op].sources; o++)
			for (unsigned row = 0; row < instr_rows(i, o); row++)
				for (unsigned l = 0; l < LANES && i->src[o].file != REG_SAMPLER; l++) {
					double other[BLOCK];
					struct src src = i->src[o];
					src.index = (int16_t)(src.index + (src.file != REG_CONST ? (int)row : 0));
					const double *x = value_check(m, &src, src.file == REG_CONST ? (int)row : 0, l, other);
					note(&to->operand[n][o][row][l], s, vertex, x, from, shaken);
				}
		step(m, n);
		enum machine_output const out = instr_writes(i) && i->dst.file != REG_TEMP && i->dst.file != REG_ADDRESS
		                                        ? machine_output((enum reg_file)i->dst.file, i->dst.index) : MACHINE_OUTPUTS;
		for (unsigned l = 0; l < LANES; l++) {
			double *x = i->dst.file == REG_TEMP ? m->temp[i->dst.index][l] : out < MACHINE_OUTPUTS ? m->out[out][l] : m->address[l];
			if (!(instr_writes(i) >> l & 1))
				continue;
			if (shaken && i->dst.file != REG_ADDRESS)
				shake(x);
			note(&to->result[n][l], s, vertex, x, from, shaken);
		}
	}
}

static void set_pixel(struct machine_check *m, const struct machine_check *vs, const struct scene *s, const struct interp_texture *textures)
{
	m->texture = textures;
	for (unsigned k = 0; k < BLOCK; k++) {
		m->pixel[0][k] = 3 + k;
		m->pixel[1][k] = 90 - 5.0 * k;
		m->face[k] = k % 3 ? 1 : -1;
	}
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned k = 0; k < BLOCK; k++) {
				double x[3];
				for (unsigned v = 0; v < 3; v++) {
					x[v] = vs->out_written[MACHINE_CARRIER + c] >> l & 1 ? vs->out[MACHINE_CARRIER + c][l][v] : l == LANE_W;
					x[v] = c < MACHINE_COLOURS ? x[v] > 0 ? x[v] < 1 ? x[v] : 1 : 0 : x[v];
				}
				m->in[c][l][k] = brought(s, true, x, k);
			}
}

static struct seen *seen_new(struct arena *a, const struct program *p)
{
	struct seen *s = arena_zero(a, sizeof *s);
	s->p = p;
	s->result = arena_zero(a, (p->instrs.n + 1) * sizeof *s->result);
	s->operand = arena_zero(a, (p->instrs.n + 1) * sizeof *s->operand);
	s->carrier = arena_zero(a, MACHINE_CARRIERS * sizeof *s->carrier);
	s->constant = arena_zero(a, SCENES * sizeof *s->constant);
	s->kills = arena_zero(a, (p->instrs.n + 1) * sizeof *s->kills);
	return s;
}

/* The machines before a scene's pixels are shaded, to run changed programs from there. */
struct drawing { struct machine_check vs, ps; struct interp_texture texture[16]; };

static void set_stage(struct drawing *t, struct program *const p[2], struct scene *s, float (*vs)[LANES], float (*ps)[LANES])
{
	prepare(&t->vs, p[0], vs);
	for (unsigned n = 0; n < MACHINE_INPUTS; n++)
		for (unsigned l = 0; l < LANES; l++)
			for (unsigned v = 0; v < 3; v++)
				t->vs.in[n][l][v] = (double)s->input[v][n][l];
	for (unsigned n = 0; n < 16; n++)
		t->texture[n] = (struct interp_texture){.kind = (enum texture)p[1]->samplers[n], .width = 8, .height = 8, .linear = true,
		                                        .depth = p[1]->samplers[n] == TEXTURE_VOLUME ? 8 : 1, .texels = s->texels};
	prepare(&t->ps, p[1], ps);
}

static void run_scene(struct pairs *p, unsigned which, struct program *const programs[2], unsigned n, bool shaken)
{
	struct scene *s = &p->scenes[n];
	struct seen *to = p->seen[which][1];
	unsigned const from = n * BLOCK;
	struct drawing *t = p->drawing;
	set_stage(t, programs, s, which ? s->vs_new : s->vs, which ? s->ps_new : s->ps);
	look(&t->vs, s, from, p->seen[which][0], shaken);
	set_pixel(&t->ps, &t->vs, s, t->texture);
	memcpy(to->constant[n], t->ps.constant, sizeof t->ps.constant);
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		for (unsigned l = 0; l < LANES; l++)
			note(&to->carrier[c][l], s, false, t->ps.in[c][l], from, shaken);
	look(&t->ps, s, from, to, shaken);
}

/* --- comparing ------------------------------------------------------------------------- */

/* Returns the lanes that the operand reads, with a 2D read's .z, which counts if the texture is one of depths. */
static lanes operand_lanes(const struct program *p, const struct instr *i, unsigned o, lanes of)
{
	return (lanes)(instr_operand_lanes(p, i, o, of) | (ops[i->op].flags & OPF_TEX && o == 0 ? MASK_Z : 0));
}

/* Returns whether the value has digits in the pixel that rounding leaves. */
static bool counts(const samples *a, unsigned k)
{
	return isfinite(a->at[k]) && fabs(a->at[k]) < 1e12 && a->off[k] <= 0.01 * fabs(a->at[k]) + 1e-4;
}

/* Returns 1 if the values are the same, or negations if `either`; 0 if not; -1 if fewer than half of the pixels have digits of both. */
static int same_as(const samples *a, const samples *b, bool either, bool minus)
{
	unsigned there = 0, blurred = 0, bad[2] = {0, 0};
	for (unsigned k = 0; k < SAMPLES && !(bad[0] && bad[1] && there >= 8 && there >= 2 * blurred); k++) {
		if (!counts(a, k) || !counts(b, k)) {
			blurred += isfinite(a->at[k]) && isfinite(b->at[k]);
			continue;
		}
		double const room = 2e-6 * (fabs(a->at[k]) + fabs(b->at[k])) + 1e-9 + 8 * (a->off[k] + b->off[k]);
		there++;
		bad[0] += !(fabs(a->at[k] - b->at[k]) <= room);
		bad[1] += !(fabs(a->at[k] + b->at[k]) <= room);
	}
	if (there < 4 || there < blurred)
		return -1;
	bool const plus = !bad[0], less = !bad[1];
	return either ? plus || less : minus ? less : plus;
}

/* Returns whether the value has enough digits to compare. */
static bool is_seen(const samples *a)
{
	return same_as(a, a, false, false) > 0;
}

/* Returns whether the values agree to the last digits.  `constant`: also if it is the same number in all pixels. */
static bool always_same(const samples *a, const samples *b, bool constant)
{
	bool same[2] = {true, true}, varies = constant;
	double const *const x = a->at, *const y = b->at;
	for (unsigned k = 0; k < SAMPLES && (same[0] || same[1]); k++) {
		double const room = 1e-12 * (fabs(x[k]) + fabs(y[k]));
		same[0] &= !isfinite(x[k]) || !isfinite(y[k]) || fabs(x[k] - y[k]) <= room;
		same[1] &= !isfinite(x[k]) || !isfinite(y[k]) || fabs(x[k] + y[k]) <= room;
		varies |= isfinite(x[k]) && isfinite(x[0]) && fabs(x[k] - x[0]) > room;
	}
	return varies && (same[0] || same[1]);
}

static bool has_result(const struct seen *s, uint32_t j, const samples *x)
{
	bool has = false;
	for (unsigned l = 0; l < LANES; l++)
		has |= instr_writes(&s->p->instrs.at[j]) >> l & 1 && same_as(&s->result[j][l], x, true, false) != 0;
	return has;
}

/* Calls `visit` with the operands from which the lanes `of` of the result are computed, until it returns true. */
static bool has_operand(const struct seen *s, uint32_t j, lanes of, const samples *x)
{
	const struct instr *i = &s->p->instrs.at[j];
	bool has = false;
	for (unsigned o = 0; o < ops[i->op].sources; o++)
		for (unsigned row = 0; row < instr_rows(i, o) && i->src[o].file != REG_SAMPLER; row++)
			for (unsigned l = 0; l < LANES; l++)
				has |= operand_lanes(s->p, i, o, of) >> l & 1 && same_as(&s->operand[j][o][row][l], x, true, false) != 0;
	return has;
}

static bool is_copy(const struct seen *s, uint32_t j, unsigned l)
{
	const struct instr *i = &s->p->instrs.at[j];
	bool copy = false;
	/* Other scenes may need a clamp that no pixel here needs; a product of two results that leaves one unchanged is a normalised
	 * unit vector. */
	if (i->flags & INSTR_SAT || (i->op == OP_MUL && i->src[0].file == REG_TEMP && i->src[1].file == REG_TEMP))
		return false;
	for (unsigned o = 0; o < ops[i->op].sources; o++)
		for (unsigned row = 0; row < instr_rows(i, o) && i->src[o].file != REG_SAMPLER; row++)
			for (unsigned c = 0; c < LANES; c++)
				copy |= operand_lanes(s->p, i, o, (lanes)(1u << l)) >> c & 1 && always_same(&s->operand[j][o][row][c], &s->result[j][l], i->op == OP_MOV);
	return copy;
}

/* Returns whether the instruction computes this result and does not only copy it. */
static bool makes(const struct seen *s, uint32_t j, const samples *x)
{
	/* All pixels of these scenes may choose alike where others do not. */
	bool const chooses = s->p->instrs.at[j].op == OP_CMP;
	bool any = false;
	for (unsigned l = 0; l < LANES; l++)
		any |= instr_writes(&s->p->instrs.at[j]) >> l & 1 && same_as(&s->result[j][l], x, true, false) != 0 &&
		       (chooses || !is_copy(s, j, l));
	return any;
}

/* Counts the instructions that compute the value and do not only copy it. */
static unsigned computers(const struct seen *s, const samples *x)
{
	unsigned n = 0;
	for (uint32_t j = 0; j < s->p->instrs.n; j++) {
		bool any = false;
		for (unsigned l = 0; l < LANES; l++)
			any |= instr_writes(&s->p->instrs.at[j]) >> l & 1 && same_as(&s->result[j][l], x, true, false) == 1 && !is_copy(s, j, l);
		n += any;
	}
	return n;
}

/* Returns the lanes of each result that depend on lane l of instruction k of the old FP; bit LANES marks a texkill. */
static uint8_t *depends(struct pairs *p, uint32_t k, unsigned l)
{
	const struct program *ps = p->old[1];
	uint8_t *to = arena_zero(&p->arena, ps->instrs.n + 1);
	lanes dirty[MACHINE_TEMPS] = {0};
	for (uint32_t j = k; j < ps->instrs.n; j++) {
		const struct instr *i = &ps->instrs.at[j];
		for (unsigned m = 0; m < LANES; m++) {
			bool reads = j == k && m == l;
			for (unsigned o = 0; o < ops[i->op].sources && j > k; o++)
				for (unsigned row = 0; row < instr_rows(i, o); row++)
					reads |= i->src[o].file == REG_TEMP && dirty[i->src[o].index + (int)row] &
					         swizzle_lanes(i->src[o].swizzle, operand_lanes(ps, i, o, (lanes)(1u << m)));
			to[j] |= (uint8_t)(reads && instr_writes(i) >> m & 1 ? 1u << m : reads && i->op == OP_TEXKILL ? 1u << LANES : 0);
		}
		for (unsigned m = 0; m < LANES && i->dst.file == REG_TEMP; m++)
			if (instr_writes(i) >> m & 1)
				dirty[i->dst.index] = (lanes)((dirty[i->dst.index] & ~(1u << m)) | (to[j] & 1u << m));
	}
	return to;
}

/* Returns whether instruction j reads an ingredient of lane l of instruction k, or the lane itself. */
static bool reads_ingredient(struct pairs *p, const struct seen *s, uint32_t j, uint32_t k, unsigned l)
{
	const struct seen *old = p->seen[0][1];
	lanes const all = instr_writes(&s->p->instrs.at[j]);
	if (has_operand(s, j, all, &old->result[k][l]))
		return true;
	for (uint32_t a = 0; a <= k; a++) {
		const struct instr *i = &old->p->instrs.at[a];
		for (unsigned m = 0; m < LANES; m++) {
			if (!(instr_writes(i) >> m & 1) || !(depends(p, a, m)[k] >> l & 1))
				continue;
			for (unsigned o = 0; o < ops[i->op].sources; o++)
				for (unsigned row = 0; row < instr_rows(i, o) && i->src[o].file != REG_SAMPLER; row++)
					for (unsigned c = 0; c < LANES; c++)
						if (operand_lanes(old->p, i, o, (lanes)(1u << m)) >> c & 1 &&
						    has_operand(s, j, all, &old->operand[a][o][row][c]))
							return true;
		}
	}
	return false;
}

/* --- claims --------------------------------------------------------------------------- */

static const struct program *program_of(const struct pairs *p, const char *key)
{
	return p->new[key[0] == 'p'];
}

/* Returns the first instruction from `first` on at the n-th line that the claim names, or UINT32_MAX if there is none.  A line of
 * model 3 with _abs is several instructions. */
static uint32_t named_from(const struct pairs *p, const struct claim *c, const char *key, size_t n, uint32_t first)
{
	const struct program *of = program_of(p, key);
	json_int_t const line = json_integer_value(json_array_get(json_object_get(c->entry, key), n));
	for (uint32_t j = first; j < of->instrs.n; j++)
		if (source_line(of->source, of->instrs.at[j].at) == (uint32_t)line && instr_is_modifier(&of->instrs.at[j]) == c->modifier)
			return j;
	return UINT32_MAX;
}

static uint32_t named(const struct pairs *p, const struct claim *c, const char *key, size_t n)
{
	struct claim reader = *c;
	uint32_t const found = named_from(p, c, key, n, 0);
	reader.modifier = !c->modifier;
	return found != UINT32_MAX ? found : named_from(p, &reader, key, n, 0);
}

static size_t lines_named(const struct claim *c, const char *key)
{
	return json_array_size(json_object_get(c->entry, key));
}

/* Turns a v# of model 3's text into the register by which the programs are linked. */
static void link_place(const struct program *ps, struct src *at)
{
	for (uint32_t k = 0; k < ps->decls.n && model_links(ps->model) && at->file == REG_INPUT; k++) {
		const struct decl *d = &ps->decls.at[k];
		if (d->kind != DECL_PIXEL_INPUT || d->number != at->index)
			continue;
		at->file = d->reg.file;
		at->index = d->reg.index;
		return;
	}
}

/* Reads a register such as "t1.xy", as the new FP names it, and the lane of its n-th letter. */
static bool read_place(const struct pairs *p, const char *text, unsigned n, struct src *to)
{
	char file, lane[8] = "";
	int index;
	if (!text || sscanf(text, "%c%d.%7s", &file, &index, lane) != 3 || n >= strlen(lane))
		return false;
	*to = (struct src){.file = file == 'c' ? REG_CONST : file == 'v' ? REG_INPUT : REG_TEXCOORD, .index = (int16_t)index,
	                   .swizzle = swizzle_replicate((unsigned)(strchr("xyzw", lane[n]) - "xyzw"))};
	link_place(p->new[1], to);
	return true;
}

static samples value_of(const struct seen *s, const struct src *at)
{
	unsigned const lane = swizzle_lane(at->swizzle, 0);
	samples to = {{0}, {0}};
	if (at->file != REG_CONST)
		return s->carrier[at->index + (at->file == REG_TEXCOORD ? MACHINE_COLOURS : 0)][lane];
	for (unsigned k = 0; k < SAMPLES; k++)
		to.at[k] = s->constant[k / BLOCK][at->index][lane];
	return to;
}

static bool reads_place(const struct program *p, const struct src *at)
{
	bool reads = false;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		for (unsigned o = 0; o < ops[p->instrs.at[k].op].sources; o++)
			for (unsigned row = 0; row < instr_rows(&p->instrs.at[k], o); row++)
				reads |= p->instrs.at[k].src[o].file == at->file && p->instrs.at[k].src[o].index + (int)row == at->index &&
				         swizzle_lanes(p->instrs.at[k].src[o].swizzle, operand_lanes(p, &p->instrs.at[k], o, instr_writes(&p->instrs.at[k]))) >> swizzle_lane(at->swizzle, 0) & 1;
	return reads;
}

static const char *at_place(struct pairs *p, const struct claim *c, const samples *x)
{
	struct src at;
	const struct seen *new = p->seen[1][1];
	if (!read_place(p, json_string_value(json_object_get(c->entry, "at")), c->at_lane, &at))
		return "no such place";
	if (!reads_place(new->p, &at))
		return "the new FP does not read it there";
	samples const there = value_of(new, &at);
	return same_as(&there, x, false, json_is_true(json_object_get(c->entry, "negated"))) ? NULL : "another value is there";
}

static const char *computed_in(struct pairs *p, const struct claim *c, uint32_t k, unsigned l, bool kept)
{
	const struct seen *new = p->seen[1][1], *old = p->seen[0][1];
	const char *why = "no line of the new FP is named";
	for (size_t n = 0; n < lines_named(c, "ps_lines"); n++) {
		uint32_t const j = named(p, c, "ps_lines", n);
		if (j == UINT32_MAX)
			return "there is no such line";
		const samples *x = &old->result[k][l];
		bool right = kept ? has_result(new, j, x) && new->p->instrs.at[j].op == old->p->instrs.at[k].op : makes(new, j, x);
		for (uint32_t i = j; c->modifier && !right && i != UINT32_MAX; i = named_from(p, c, "ps_lines", n, i + 1))
			right = has_result(new, i, x);
		why = right || !why ? NULL : "the line does not compute it so";
	}
	return why;
}

static bool vertex_has(const struct seen *vs, const samples *x)
{
	bool has = false;
	for (uint32_t j = 0; j < vs->p->instrs.n && !has; j++)
		has = has_result(vs, j, x) || has_operand(vs, j, instr_writes(&vs->p->instrs.at[j]), x);
	return has;
}

/* Returns whether a lane that moved to the place depends on this one. */
static bool goes_into(struct pairs *p, const struct src *place, const uint8_t *after)
{
	for (uint32_t j = 0; j < p->old[1]->instrs.n; j++)
		for (unsigned m = 0; m < LANES; m++) {
			struct src at;
			const struct claim *c = &p->claim[j][m];
			if (after[j] >> m & 1 && c->entry &&
			    read_place(p, json_string_value(json_object_get(c->entry, "at")), c->at_lane, &at) && at.file == place->file &&
			    at.index == place->index && at.swizzle == place->swizzle)
				return true;
		}
	return false;
}

static const char *moved(struct pairs *p, const struct claim *c, uint32_t k, unsigned l)
{
	const samples *x = &p->seen[0][1]->result[k][l];
	unsigned const before = computers(p->seen[0][1], x), after = computers(p->seen[1][1], x);
	if (after && after >= before && !is_copy(p->seen[0][1], k, l))
		return "the new FP computes it as often";
	if (json_object_get(c->entry, "at"))
		return at_place(p, c, x);
	const json_t *parts = json_object_get(c->entry, "part_of");
	bool any = false;
	for (size_t n = 0; n < json_array_size(parts); n++) {
		struct src at;
		for (unsigned letter = 0; read_place(p, json_string_value(json_array_get(parts, n)), letter, &at); letter++)
			any |= goes_into(p, &at, depends(p, k, l));
	}
	if (!any)
		return "what it is said to be part of does not depend on it";
	return json_is_true(json_object_get(c->entry, "preshader")) || vertex_has(p->seen[1][0], x) ? NULL : "the VP does not have it";
}

/* Returns whether the new instruction computes a value that depends on the lane. */
static bool takes(struct pairs *p, const struct seen *s, uint32_t j, const uint8_t *after, bool kill)
{
	const struct seen *old = p->seen[0][1];
	for (uint32_t k = 0; k < old->p->instrs.n; k++) {
		for (unsigned m = 0; m < LANES; m++)
			if (after[k] >> m & 1 && has_result(s, j, &old->result[k][m]))
				return true;
		if (kill && after[k] >> LANES & 1)
			return true;
	}
	return false;
}

static const char *merged(struct pairs *p, const struct claim *c, uint32_t k, unsigned l, bool ingredient)
{
	const uint8_t *after = depends(p, k, l);
	const char *why = "no line is named";
	for (unsigned stage = 0; stage < 2; stage++) {
		const char *key = stage ? "ps_lines" : "vs_lines";
		const struct seen *s = p->seen[1][stage];
		for (size_t n = 0; n < lines_named(c, key); n++) {
			uint32_t const j = named(p, c, key, n);
			if (j == UINT32_MAX)
				return "there is no such line";
			bool const right = takes(p, s, j, after, s->p->instrs.at[j].op == OP_TEXKILL) &&
			                   (!ingredient || has_result(s, j, &p->seen[0][1]->result[k][l]) || reads_ingredient(p, s, j, k, l));
			why = right || !why ? NULL : "the line computes nothing that it went into";
		}
	}
	return why;
}

static const char *folded(struct pairs *p, const struct claim *c, const samples *x)
{
	samples number = {{0}, {0}};
	for (unsigned k = 0; k < SAMPLES; k++)
		number.at[k] = json_object_get(c->entry, "value") ? json_number_value(json_object_get(c->entry, "value")) : x->at[0];
	if (!same_as(x, &number, false, false))
		return "it is another number, or none";
	return json_object_get(c->entry, "at") ? at_place(p, c, x) : NULL;
}

/* Returns whether no output depends on the lane, even through values that nothing reads now. */
static bool is_read_in_vain(struct pairs *p, uint32_t k, unsigned l)
{
	const uint8_t *after = depends(p, k, l);
	const struct program *ps = p->old[1];
	bool vain = ps->instrs.at[k].dst.file == REG_TEMP;
	for (uint32_t j = k; j < ps->instrs.n && vain; j++)
		vain = !after[j] || (ps->instrs.at[j].op != OP_TEXKILL && ps->instrs.at[j].dst.file == REG_TEMP);
	return vain;
}

/* Shades a scene of the old pair with the lane off by another amount in each pixel.  Lanes claimed to be numbers stay so, as that is
 * another claim, and a texkill that never kills still kills nothing.  k = UINT32_MAX changes nothing. */
static void run_changed(struct pairs *p, struct machine_check *m, uint32_t k, unsigned l, unsigned scene)
{
	static const double by[] = {0.37, -3.1, 60, -60};
	start_check(m, 0);
	for (uint32_t n = 0; n < m->program->instrs.n; n++) {
		const struct instr *i = &m->program->instrs.at[n];
		if (i->op != OP_TEXKILL || p->seen[0][1]->kills[n])
			step(m, n);
		for (unsigned pixel = 0; n == k && pixel < BLOCK; pixel++)
			m->temp[i->dst.index][l][pixel] += by[pixel % (sizeof by / sizeof *by)];
		for (unsigned c = 0; k != UINT32_MAX && i->dst.file == REG_TEMP && c < LANES; c++)
			if (p->claim[n][c].entry && !(n == k && c == l) && strcmp(p->claim[n][c].outcome, "folded") == 0 && instr_writes(i) >> c & 1)
				memcpy(m->temp[i->dst.index][c], &p->seen[0][1]->result[n][c].at[scene * BLOCK], BLOCK * sizeof(double));
	}
}

static bool same_outputs(const struct machine_check *a, const struct machine_check *b)
{
	const double *x = a->out[0][0], *y = b->out[0][0];
	bool same = memcmp(a->killed, b->killed, sizeof a->killed) == 0;
	for (size_t k = 0; k < sizeof a->out / sizeof *x && same; k++)
		same = !isfinite(x[k]) || fabs(x[k] - y[k]) <= 1e-9 * (1 + fabs(x[k]));
	return same;
}

/* Checks that all outputs stay the same whatever the lane's value is. */
static const char *dead(struct pairs *p, uint32_t k, unsigned l)
{
	struct drawing *t = p->drawing;
	if (p->old[1]->instrs.at[k].dst.file != REG_TEMP)
		return "it is an output";
	for (unsigned n = 0; n < SCENES && !is_read_in_vain(p, k, l); n++) {
		struct scene *s = &p->scenes[n];
		set_stage(t, p->old, s, s->vs, s->ps);
		run_check(&t->vs, 0);
		set_pixel(&t->ps, &t->vs, s, t->texture);
		run_changed(p, &t->ps, UINT32_MAX, 0, n);
		memcpy(p->unchanged.out, t->ps.out, sizeof t->ps.out);
		memcpy(p->unchanged.killed, t->ps.killed, sizeof t->ps.killed);
		run_changed(p, &t->ps, k, l, n);
		if (!same_outputs(&p->unchanged, &t->ps))
			return "an output depends on it";
	}
	return NULL;
}

/* Returns whether texkill drops the same points for both, wherever that is clear. */
static bool kill_alike(const samples *a, const samples *b)
{
	bool alike = true;
	for (unsigned n = 0; n < SAMPLES && alike; n++)
		if (counts(a, n) && counts(b, n) && fabs(a->at[n]) > 1e-6 && fabs(b->at[n]) > 1e-6)
			alike = (a->at[n] < 0) == (b->at[n] < 0);
	return alike;
}

/* Returns whether texkill drops pixels for `part`, and only pixels that it drops for `whole`: a minimum is below 0 if one of its
 * operands is. */
static bool kills_part(const samples *part, const samples *whole)
{
	bool kills = false;
	for (unsigned n = 0; n < SAMPLES; n++) {
		if (!counts(part, n) || !counts(whole, n) || part->at[n] > -1e-6 || fabs(whole->at[n]) <= 1e-6)
			continue;
		if (whole->at[n] > 0)
			return false;
		kills = true;
	}
	return kills;
}

/* Returns whether the texkill at line j of the new program tests x in a lane, or a part of x.  The number that it reads may be another
 * one. */
static bool asks_the_same(const struct seen *new, uint32_t j, const samples *x)
{
	bool any = has_operand(new, j, 0, x);
	for (unsigned l = 0; l < LANES && !any; l++)
		any = operand_lanes(new->p, &new->p->instrs.at[j], 0, 0) >> l & 1 &&
		      (kill_alike(&new->operand[j][0][0][l], x) || kills_part(&new->operand[j][0][0][l], x));
	return any;
}

/* Checks a texkill: each line that the claim names tests a part of it; a dead one never sees a value below 0. */
static const char *effect(struct pairs *p, const struct claim *c, uint32_t k)
{
	const struct seen *old = p->seen[0][1], *new = p->seen[1][1];
	if (old->p->instrs.at[k].op != OP_TEXKILL)
		return NULL;
	for (unsigned l = 0; l < LANES && strcmp(c->outcome, "dead") == 0; l++)
		for (unsigned n = 0; n < SAMPLES; n++)
			if (old->operand[k][0][0][l].at[n] < -1e-6)
				return "it kills";
	for (size_t n = 0; n < lines_named(c, "ps_lines"); n++) {
		uint32_t const j = named(p, c, "ps_lines", n);
		bool right = false;
		for (unsigned l = 0; j != UINT32_MAX && new->p->instrs.at[j].op == OP_TEXKILL && l < LANES; l++)
			right |= asks_the_same(new, j, &old->operand[k][0][0][l]);
		if (!right)
			return "the line tests nothing of it";
	}
	return strcmp(c->outcome, "dead") == 0 || lines_named(c, "ps_lines") ? NULL : "no line is named";
}

/* --- the mover's own account ----------------------------------------------------------- */

/* Returns the line of the given file in the comment "// @LINE" of a new instruction, or 0 if there is none. */
static unsigned marked(const struct program *new, uint32_t j)
{
	const struct instr *i = &new->instrs.at[j];
	const char *line = i->at < new->source->size ? new->source->text + i->at : "";
	const char *end = line + strcspn(line, "\n"), *mark = strstr(line, "// @");
	return mark && mark < end ? (unsigned)strtoul(mark + 4, NULL, 10) : 0;
}

static unsigned lanes_with(const struct seen *s, uint32_t j, const samples *x)
{
	unsigned n = 0;
	for (unsigned l = 0; l < LANES; l++)
		n += instr_writes(&s->p->instrs.at[j]) >> l & 1 && same_as(&s->result[j][l], x, true, false) == 1;
	return n;
}

/* Returns whether new instruction j came from another instruction than k that has the same value. */
static bool is_of_another(const struct pairs *p, uint32_t j, uint32_t k, unsigned l)
{
	const struct seen *old = p->seen[0][1], *new = p->seen[1][1];
	const samples *x = &old->result[k][l];
	unsigned const mark = marked(new->p, j);
	for (uint32_t m = 0; m < old->p->instrs.n; m++)
		if (mark && m != k && old->p->instrs.at[m].op == new->p->instrs.at[j].op && source_line(old->p->source, old->p->instrs.at[m].at) == mark &&
		    mark != source_line(old->p->source, old->p->instrs.at[k].at))
			return lanes_with(new, j, x) && lanes_with(new, j, x) <= lanes_with(old, m, x);
	return false;
}

/* Returns whether the new FP reads the lane's value, or its negation, from an interpolator. */
static bool is_delivered(const struct pairs *p, const samples *x)
{
	const struct seen *new = p->seen[1][1];
	bool delivered = false;
	for (unsigned c = 0; c < MACHINE_CARRIERS; c++)
		for (unsigned l = 0; l < LANES; l++) {
			struct src const at = {.file = c < MACHINE_COLOURS ? REG_INPUT : REG_TEXCOORD, .swizzle = swizzle_replicate(l),
			                       .index = (int16_t)(c < MACHINE_COLOURS ? c : c - MACHINE_COLOURS)};
			delivered |= always_same(&new->carrier[c][l], x, false) && reads_place(new->p, &at);
		}
	return delivered;
}

/* Returns whether interpolators bring the lane; at -O1, which moves whole instructions, the whole instruction. */
static bool is_all_delivered(const struct pairs *p, uint32_t k, unsigned l)
{
	const struct seen *old = p->seen[0][1];
	bool all = is_delivered(p, &old->result[k][l]);
	for (unsigned m = 0; m < LANES && p->level == 1; m++)
		all = all && (!(instr_writes(&old->p->instrs.at[k]) >> m & 1) || is_delivered(p, &old->result[k][m]));
	return all;
}

/* Returns the error in the reason given for a lane that stays, or NULL. */
static const char *judge_reason(struct pairs *p, const struct claim *c, uint32_t k, unsigned l)
{
	const char *rule = json_string_value(json_object_get(c->entry, "rule"));
	if (!rule)
		return NULL;
	if (strcmp(rule, "moved") == 0)
		return "it stays, and the rule says that it moved";
	if (!instr_writes(&p->old[1]->instrs.at[k]))
		return NULL;
	if (strcmp(rule, "budget") == 0 && is_all_delivered(p, k, l))
		return "an interpolator brings it, and the rule says that the budget left none";
	for (size_t n = 0; n < lines_named(c, "ps_lines") && strcmp(c->outcome, "kept") == 0; n++)
		if (named(p, c, "ps_lines", n) != UINT32_MAX && is_of_another(p, named(p, c, "ps_lines", n), k, l))
			return "that line is another instruction of the same value";
	return NULL;
}

static const char *judge(struct pairs *p, const struct claim *c, uint32_t k, unsigned l)
{
	const samples *x = &p->seen[0][1]->result[k][l];
	const char *what = c->outcome;
	if (!instr_writes(&p->old[1]->instrs.at[k]))
		return effect(p, c, k);
	if (strcmp(what, "kept") == 0)
		return computed_in(p, c, k, l, true);
	if (strcmp(what, "recomputed") == 0)
		return computed_in(p, c, k, l, false);
	if (strcmp(what, "moved") == 0)
		return moved(p, c, k, l);
	if (strcmp(what, "folded") == 0)
		return folded(p, c, x);
	if (strcmp(what, "dead") == 0)
		return dead(p, k, l);
	return merged(p, c, k, l, strcmp(what, "merged") == 0);
}

/* --- reports --------------------------------------------------------------------------- */

static struct program *read_program(struct arena *a, const char *path, enum stage stage)
{
	FILE *f = fopen(path, "rb");
	struct text text = {.arena = a};
	struct source *s = arena_zero(a, sizeof *s);
	struct diags said;
	int c;
	if (!f)
		return NULL;
	while ((c = fgetc(f)) != EOF)
		text_char(&text, (char)c);
	fclose(f);
	diag_init(&said, a);
	*s = (struct source){.name = path, .text = text.at, .size = text.n};
	const struct preprocess_options none = {0};
	if (preprocess_wanted(s, &none)) {
		struct source *raw = arena_alloc(a, sizeof *raw);
		*raw = *s;
		preprocess(a, raw, &none, s, &said);
	}
	struct program_list const list = parse_programs(a, s, &said);
	for (uint32_t k = 0; k < list.n; k++) {
		if (program_stage(list.at[k]) != stage)
			continue;
		needs_read(a, list.at[k], &said);
		return list.at[k];
	}
	return NULL;
}

static bool read_pair(struct pairs *p, const json_t *pair, const char *given, const char *written)
{
	static const char *const keys[2] = {"vs", "ps"};
	bool all = true;
	for (unsigned stage = 0; stage < 2; stage++) {
		const char *name = json_string_value(json_object_get(json_object_get(pair, keys[stage]), "file"));
		if (!name)
			return false;
		const char *below = strncmp(name, given, strlen(given)) == 0 ? name + strlen(given) : name;
		p->old[stage] = read_program(&p->arena, name, (enum stage)stage);
		p->new[stage] = read_program(&p->arena, arena_printf(&p->arena, "%s/%s", written, below), (enum stage)stage);
		all = all && p->old[stage] && p->new[stage];
	}
	struct diags said;
	diag_init(&said, &p->arena);
	for (unsigned which = 0; which < 2 && all; which++)
		link_pair((which ? p->new : p->old)[0], (which ? p->new : p->old)[1], &said);
	return all;
}

/* Reads the claims about each lane.  Returns NULL, or the error in their form. */
static const char *read_claims(struct pairs *p, json_t *lines)
{
	const struct program *ps = p->old[1];
	p->claim = arena_zero(&p->arena, (ps->instrs.n + 1) * sizeof *p->claim);
	if (json_array_size(lines) != ps->instrs.n)
		return "not one entry for each instruction";
	for (uint32_t k = 0; k < ps->instrs.n; k++) {
		json_t *line = json_array_get(lines, k), *entries = json_object_get(line, "lanes");
		lanes all = 0;
		if (json_integer_value(json_object_get(line, "line")) != source_line(ps->source, ps->instrs.at[k].at))
			return "the line is another one";
		for (size_t e = 0; e < json_array_size(entries); e++) {
			json_t *entry = json_array_get(entries, e);
			const char *outcome = json_string_value(json_object_get(entry, "outcome"));
			const char *named_lanes = json_string_value(json_object_get(entry, "lanes"));
			for (unsigned n = 0; n < (named_lanes ? strlen(named_lanes) : 1); n++) {
				unsigned const lane = named_lanes ? (unsigned)(strchr("xyzw", named_lanes[n]) - "xyzw") : 0;
				if (all >> lane & 1)
					return "something is said twice of a lane";
				all |= (lanes)(named_lanes ? 1u << lane : 0);
				p->claim[k][lane] = (struct claim){outcome, entry, n, instr_is_modifier(&ps->instrs.at[k])};
			}
		}
		if (all != instr_writes(&ps->instrs.at[k]))
			return "a lane is left out";
	}
	return NULL;
}

enum { PLANT_PLACE = 2, PLANTS = 7 };

/* Plants another, wrong claim: a live lane is dead; another line; another interpolator; a kept or merged lane has moved; a moved lane
 * is kept; a lane is folded that is not; a dead or folded lane is computed. */
static bool plant(json_t *entry, unsigned kind)
{
	const char *what = json_string_value(json_object_get(entry, "outcome"));
	json_t *lines = json_object_get(entry, "ps_lines");
	const char *at = json_string_value(json_object_get(entry, "at"));
	if (kind == 0 && strcmp(what, "dead") != 0 && json_object_get(entry, "lanes"))
		return json_object_set_new(entry, "outcome", json_string("dead")) == 0;
	if (kind == 1 && json_array_size(lines) == 1 && strcmp(what, "moved") != 0)
		return json_array_set_new(lines, 0, json_integer(json_integer_value(json_array_get(lines, 0)) - 1)) == 0;
	if (kind == PLANT_PLACE && at && at[0] == 't') {
		char other[32];
		snprintf(other, sizeof other, "%s", at);
		other[1] = at[1] == '0' ? '1' : (char)(at[1] - 1);
		return json_object_set_new(entry, "at", json_string(other)) == 0;
	}
	if (kind == 3 && (strcmp(what, "kept") == 0 || strcmp(what, "merged") == 0) && json_object_get(entry, "lanes"))
		return json_object_set_new(entry, "outcome", json_string("moved")) == 0;
	if (kind == 4 && strcmp(what, "moved") == 0 && json_object_get(entry, "lanes"))
		return json_object_set_new(entry, "outcome", json_string("kept")) == 0;
	if (kind == 5 && strcmp(what, "folded") != 0 && json_object_get(entry, "lanes"))
		return json_object_set_new(entry, "outcome", json_string("folded")) == 0;
	if (kind == 6 && (strcmp(what, "dead") == 0 || strcmp(what, "folded") == 0))
		return json_object_set_new(entry, "outcome", json_string("recomputed")) == 0;
	return false;
}
static unsigned long planted[PLANTS], caught[PLANTS];

static void note_kills(struct seen *s)
{
	for (uint32_t k = 0; k < s->p->instrs.n; k++)
		for (unsigned l = 0; s->p->instrs.at[k].op == OP_TEXKILL && l < LANES; l++)
			for (unsigned n = 0; n < SAMPLES; n++)
				s->kills[k] |= s->operand[k][0][0][l].at[n] < -1e-6;
}

static void run_pairs(struct pairs *p)
{
	p->drawing = arena_alloc(&p->arena, sizeof *p->drawing);
	for (unsigned which = 0; which < 2; which++)
		for (unsigned stage = 0; stage < 2; stage++)
			p->seen[which][stage] = seen_new(&p->arena, (which ? p->new : p->old)[stage]);
	p->scenes = arena_zero(&p->arena, SCENES * sizeof *p->scenes);
	for (unsigned n = 0; n < SCENES; n++) {
		make_scene(p, &p->scenes[n]);
		for (unsigned pass = 0; pass < 3; pass++) {
			run_scene(p, 0, p->old, n, pass > 0);
			run_scene(p, 1, p->new, n, pass > 0);
		}
	}
	note_kills(p->seen[0][1]);
}

static void check_lanes(struct pairs *p, uint32_t k, const char *name)
{
	for (unsigned l = 0; l < LANES; l++) {
		const struct claim *c = &p->claim[k][l];
		const char *why = c->entry ? judge(p, c, k, l) : NULL;
		why = c->entry && !why ? judge_reason(p, c, k, l) : why;
		p->claims += c->entry != NULL;
		p->refuted += why != NULL;
		p->unseen += c->entry && instr_writes(&p->old[1]->instrs.at[k]) && !is_seen(&p->seen[0][1]->result[k][l]);
		if (why && p->refuted < 20)
			printf("# %s:%u .%c %s: %s\n", name, source_line(p->old[1]->source, p->old[1]->instrs.at[k].at), "xyzw"[l], c->outcome, why);
	}
}

/* Returns whether a planted claim is true after all: the new FP also reads another interpolator whose lanes agree to the last digits. */
static bool is_true_too(struct pairs *p, const struct claim *c, uint32_t k, unsigned l)
{
	struct src at;
	const struct seen *new = p->seen[1][1];
	if (!read_place(p, json_string_value(json_object_get(c->entry, "at")), c->at_lane, &at) || !reads_place(new->p, &at))
		return false;
	samples const there = value_of(new, &at);
	return always_same(&there, &p->seen[0][1]->result[k][l], true);
}

/* Plants wrong claims, until each kind has one in a line. */
static void check_plants(struct pairs *p, uint32_t k, json_t *lines)
{
	json_t *first = json_array_get(json_object_get(json_array_get(lines, k), "lanes"), 0);
	for (unsigned kind = 0; kind < PLANTS; kind++) {
		json_t *copy = json_deep_copy(first);
		bool const done = plant(copy, kind);
		bool wrong = false, any = false;
		for (unsigned l = 0; done && l < LANES; l++) {
			struct claim const c = {json_string_value(json_object_get(copy, "outcome")), copy, p->claim[k][l].at_lane, p->claim[k][l].modifier};
			if (p->claim[k][l].entry != first || (kind == PLANT_PLACE && is_true_too(p, &c, k, l)))
				continue;
			wrong = true;
			any |= judge(p, &c, k, l) != NULL;
		}
		planted[kind] += wrong;
		caught[kind] += any;
		json_decref(copy);
	}
}

int main(int argc, char **argv)
{
	bool const plants = argc > 1 && strcmp(argv[1], "-p") == 0, rough = argc > 1 && strcmp(argv[1], "-r") == 0;
	int const first = 1 + (plants || rough);
	json_error_t error;
	if (argc != first + 3)
		return fprintf(stderr, "usage: check [-p | -r] REPORT GIVEN WRITTEN\n"), 2;
	json_t *report = json_load_file(argv[first], 0, &error), *pairs = json_object_get(report, "pairs");
	struct pairs p = {.claims = 0};
	unsigned long done = 0;
	arena_init(&p.arena, NULL);
	for (size_t n = 0; n < json_array_size(pairs); n++) {
		json_t *lines = json_object_get(json_array_get(pairs, n), "lines");
		state = n + 1;
		arena_reset(&p.arena);
		if (!json_array_size(lines) || !read_pair(&p, json_array_get(pairs, n), argv[first + 1], argv[first + 2]))
			continue;
		const char *wrong = read_claims(&p, lines);
		p.refuted += wrong != NULL;
		if (wrong && printf("# %s: %s\n", p.old[1]->source->name, wrong))
			continue;
		run_pairs(&p);
		p.level = (int)json_integer_value(json_object_get(json_object_get(json_array_get(pairs, n), "plan"), "level"));
		for (uint32_t k = 0; k < p.old[1]->instrs.n; k++) {
			if (plants)
				check_plants(&p, k, lines);
			else
				check_lanes(&p, k, p.old[1]->source->name);
		}
		done++;
	}
	bool good = done > 0 && !p.refuted && p.unseen * 20 <= (rough ? p.claims : 0);
	for (unsigned k = 0; plants && k < PLANTS; k++) {
		printf("# wrong claims of kind %u: %lu of %lu refuted\n", k, caught[k], planted[k]);
		good = good && caught[k] * 100 >= planted[k] * 97;
	}
	printf("%s - %s: %lu claims of %lu pairs, %lu refuted, %lu not to be seen\n", good ? "ok" : "not ok", argv[first], p.claims, done, p.refuted, p.unseen);
	json_decref(report);
	arena_free(&p.arena);
	return !good;
}
