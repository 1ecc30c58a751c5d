/* Finds the value that each lane of each interpolator carries, see rides.h. */
#include "cli/rides.h"

#include "cli/explain.h"
#include "lang/print.h"
#include "move/graph/flow.h"

#include <math.h>
#include <string.h>

enum { CARRIERS = MOST_TEXCOORDS + 2 }; /* t#, then the colours v0 and v1 */
enum { OUTPUTS = CARRIERS + 3 }; /* the carriers, then the VP outputs that no FP reads: position, fog and point size */
enum { MOST_DEPTH = 6, MOST_LENGTH = 72 }; /* limits of a formula, in levels and characters; a value beyond them is printed as its register */

/* The given or the new pair, and the values that its interpolators carry. */
struct side {
	struct arena *arena;
	const struct program *vs, *ps;
	const struct run *written; /* the run that wrote the new pair; NULL for the given pair */
	struct flow *vs_flow, *ps_flow;
	uint64_t (*hash)[LANES]; /* for each VP instruction, hashes of the values that it writes to each lane; equal values have equal hashes */
	uint64_t carried[CARRIERS][LANES]; /* hash of the value in each lane of an interpolator; 0 if the VP does not write the lane */
};

/* --- values ------------------------------------------------------------------ */

enum { NEGATED = 0x5bd1e995 };

static uint64_t mix_ride_hash(uint64_t a, uint64_t b)
{
	a = (a ^ (b + UINT64_C(0x9e3779b97f4a7c15))) * UINT64_C(0xff51afd7ed558ccd);
	return a ^ a >> 32;
}

/* Returns the hash of a lane of a register that no instruction wrote: of its literal if it has a def, whatever the register. */
static uint64_t hash_leaf(const struct program *p, const struct src *src, int index, unsigned lane)
{
	const struct decl *def = src->file == REG_CONST && !src->relative ? program_decl(p, REG_CONST, index) : NULL;
	if (!def)
		return mix_ride_hash(mix_ride_hash(src->file, (uint64_t)index), lane + LANES * src->relative);
	uint32_t bits;
	memcpy(&bits, &def->value[lane], sizeof bits);
	return mix_ride_hash(REG_FILES, bits);
}

static uint64_t hash_operand(const struct side *side, uint32_t k, unsigned s, unsigned row, unsigned lane)
{
	const struct src *src = &side->vs->instrs.at[k].src[s];
	unsigned from = swizzle_lane(src->swizzle, lane);
	uint32_t def = flow_def(side->vs_flow, k, s, lane);
	uint64_t h = def < side->vs->instrs.n ? side->hash[def][from] : hash_leaf(side->vs, src, src->index + (int)row, from);
	return src->negate ? h ^ NEGATED : h;
}

/* Returns the hash of the value that instruction k writes to a lane.  Operands of sums and products may be swapped, and a mad hashes like a mul
 * and an add. */
static uint64_t hash_value(const struct side *side, uint32_t k, unsigned lane)
{
	const struct instr *i = &side->vs->instrs.at[k];
	uint64_t h[MAX_SOURCES] = {0};
	bool by_lane = ops[i->op].shape == SHAPE_LANES, matrix = ops[i->op].shape == SHAPE_MATRIX;
	for (unsigned s = 0; by_lane && s < ops[i->op].sources; s++)
		h[s] = hash_operand(side, k, s, 0, lane);
	switch (i->op) {
	case OP_MOV: return h[0];
	case OP_ADD: return mix_ride_hash(OP_ADD, h[0] + h[1]);
	case OP_SUB: return mix_ride_hash(OP_ADD, h[0] + (h[1] ^ NEGATED));
	case OP_MUL: return mix_ride_hash(OP_MUL, h[0] + h[1]);
	case OP_MAD: return mix_ride_hash(OP_ADD, mix_ride_hash(OP_MUL, h[0] + h[1]) + h[2]);
	default: break;
	}
	uint64_t all = i->op == OP_M4X4 || i->op == OP_M4X3 ? OP_DP4 : matrix ? OP_DP3 : i->op;
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes read = instr_operand_lanes(side->vs, i, s, (lanes)(1u << lane));
		for (unsigned l = 0; l < LANES; l++)
			if (read >> l & 1)
				all = mix_ride_hash(all, hash_operand(side, k, s, matrix && s == 1 ? lane : 0, l));
	}
	return all;
}

/* --- formulas ---------------------------------------------------------------- */

struct formula {
	const struct side *side;
	struct text text;
	unsigned depth;
};
enum strength { SUM, PRODUCT, SIGN }; /* how tightly the operator around a value binds, by which print_infix() decides about parentheses */

static void print_value(struct formula *, uint32_t k, unsigned lane, enum strength);

static void print_leaf(struct text *t, const struct program *p, const struct src *src, int index, unsigned lane)
{
	const struct decl *def = src->file == REG_CONST && !src->relative ? program_decl(p, REG_CONST, index) : NULL;
	if (def) {
		print_float(t, def->value[lane]);
		return;
	}
	if (src->relative)
		text_printf(t, "c[a0.%c + %d]", "xyzw"[src->relative - 1], index);
	else
		print_register(t, p, (enum reg_file)src->file, index);
	text_printf(t, ".%c", "xyzw"[lane]);
}

static void print_formula_operand(struct formula *f, uint32_t k, unsigned s, unsigned lane, enum strength around, bool negate)
{
	const struct src *src = &f->side->vs->instrs.at[k].src[s];
	unsigned from = swizzle_lane(src->swizzle, lane);
	uint32_t def = flow_def(f->side->vs_flow, k, s, lane);
	if (negate)
		text_char(&f->text, '-');
	if (def < f->side->vs->instrs.n)
		print_value(f, def, from, negate ? SIGN : around);
	else
		print_leaf(&f->text, f->side->vs, src, src->index, from);
}

static void print_sum(struct formula *f, uint32_t k, unsigned s, unsigned lane, bool minus)
{
	minus ^= f->side->vs->instrs.at[k].src[s].negate;
	text_string(&f->text, minus ? " - " : " + ");
	print_formula_operand(f, k, s, lane, minus ? PRODUCT : SUM, false);
}

/* Returns true if that lane of operand s of instruction k is the literal `number`. */
static bool operand_is_literal(const struct formula *f, uint32_t k, unsigned s, unsigned lane, float number)
{
	const struct src *src = &f->side->vs->instrs.at[k].src[s];
	uint32_t def = flow_def(f->side->vs_flow, k, s, lane);
	if (src->negate)
		number = -number;
	if (def < f->side->vs->instrs.n)
		return f->side->vs->instrs.at[def].op == OP_MOV && operand_is_literal(f, def, 0, swizzle_lane(src->swizzle, lane), number);
	const struct decl *decl = src->file == REG_CONST && !src->relative ? program_decl(f->side->vs, REG_CONST, src->index) : NULL;
	float value = decl ? decl->value[swizzle_lane(src->swizzle, lane)] : NAN;
	return !(value < number || value > number || isnan(value));
}

/* Prints the product of the first two operands of instruction k.  Leaves out a factor of 1, and prints - for a factor of -1. */
static void print_product(struct formula *f, uint32_t k, unsigned lane)
{
	const struct src *src = f->side->vs->instrs.at[k].src;
	for (unsigned s = 0; s < 2; s++) {
		bool minus = operand_is_literal(f, k, 1 - s, lane, -1);
		if (!minus && !operand_is_literal(f, k, 1 - s, lane, 1))
			continue;
		print_formula_operand(f, k, s, lane, PRODUCT, minus ^ src[s].negate);
		return;
	}
	print_formula_operand(f, k, 0, lane, PRODUCT, src[0].negate ^ src[1].negate);
	text_string(&f->text, " * ");
	print_formula_operand(f, k, 1, lane, SIGN, false);
}

/* Prints an instruction as a call, such as "dp3(v2, c5)".  An operand is printed as its register if several of its lanes are read, else as its
 * value. */
static void print_call(struct formula *f, uint32_t k, unsigned lane)
{
	const struct instr *i = &f->side->vs->instrs.at[k];
	bool matrix = ops[i->op].shape == SHAPE_MATRIX;
	text_string(&f->text, i->op == OP_M4X4 || i->op == OP_M4X3 ? "dp4" : matrix ? "dp3" : ops[i->op].name);
	for (unsigned s = 0; s < ops[i->op].sources; s++) {
		lanes read = instr_operand_lanes(f->side->vs, i, s, (lanes)(1u << lane));
		text_string(&f->text, s ? ", " : "(");
		if (read && !(read & (read - 1))) {
			print_formula_operand(f, k, s, first_lane(read), SUM, i->src[s].negate);
			continue;
		}
		text_string(&f->text, i->src[s].negate ? "-" : "");
		print_register(&f->text, f->side->vs, (enum reg_file)i->src[s].file, i->src[s].index + (matrix && s == 1 ? (int)lane : 0));
	}
	text_char(&f->text, ')');
}

/* Prints an add, sub, mul, mad or rcp as an infix formula, such as "v0.x * c1.x + c2.x".  Leaves out summands that are 0. */
static void print_infix(struct formula *f, uint32_t k, unsigned lane, enum strength around)
{
	const struct instr *i = &f->side->vs->instrs.at[k];
	bool mad = i->op == OP_MAD, sum = mad || i->op == OP_ADD || i->op == OP_SUB;
	unsigned last = mad ? 2 : 1;
	bool first = mad ? !operand_is_literal(f, k, 0, lane, 0) && !operand_is_literal(f, k, 1, lane, 0) : !operand_is_literal(f, k, 0, lane, 0);
	bool second = sum && !operand_is_literal(f, k, last, lane, 0), product = !second && (mad || !sum);
	if (sum && !first) {
		print_formula_operand(f, k, last, lane, around, i->src[last].negate ^ (i->op == OP_SUB));
		return;
	}
	bool parts = around > (product ? PRODUCT : SUM);
	text_string(&f->text, parts ? "(" : "");
	if (i->op == OP_RCP) {
		text_string(&f->text, "1 / ");
		print_formula_operand(f, k, 0, first_lane(instr_operand_lanes(f->side->vs, i, 0, (lanes)(1u << lane))), SIGN, i->src[0].negate);
	} else if (i->op == OP_MUL || mad) {
		print_product(f, k, lane);
	} else {
		print_formula_operand(f, k, 0, lane, SUM, i->src[0].negate);
	}
	if (second)
		print_sum(f, k, last, lane, i->op == OP_SUB);
	text_string(&f->text, parts ? ")" : "");
}

static void print_value(struct formula *f, uint32_t k, unsigned lane, enum strength around)
{
	const struct instr *i = &f->side->vs->instrs.at[k];
	if (f->depth == MOST_DEPTH || f->text.n > MOST_LENGTH) {
		print_register(&f->text, f->side->vs, (enum reg_file)i->dst.file, i->dst.index);
		text_printf(&f->text, ".%c", "xyzw"[lane]);
		return;
	}
	f->depth++;
	if (i->op == OP_MOV)
		print_formula_operand(f, k, 0, lane, around, i->src[0].negate);
	else if (i->op == OP_ADD || i->op == OP_SUB || i->op == OP_MUL || i->op == OP_MAD || i->op == OP_RCP)
		print_infix(f, k, lane, around);
	else
		print_call(f, k, lane);
	f->depth--;
}

/* --- lanes ------------------------------------------------------------------- */

static enum reg_file file_in(unsigned carrier, enum stage stage)
{
	static const enum reg_file own[OUTPUTS - CARRIERS] = {REG_POS_OUT, REG_FOG_OUT, REG_SIZE_OUT};
	bool colour = carrier >= MOST_TEXCOORDS;
	if (carrier >= CARRIERS)
		return own[carrier - CARRIERS];
	return stage == STAGE_VERTEX ? colour ? REG_COLOUR_OUT : REG_TEX_OUT : colour ? REG_INPUT : REG_TEXCOORD;
}

static int index_of(unsigned carrier)
{
	return (int)(carrier < MOST_TEXCOORDS ? carrier : carrier < CARRIERS ? carrier - MOST_TEXCOORDS : 0);
}

static uint32_t find_output_writer(const struct side *side, unsigned carrier, unsigned lane)
{
	return flow_last(side->vs_flow, file_in(carrier, STAGE_VERTEX), index_of(carrier), lane);
}

static struct side find_side(struct arena *a, const struct program *vs, const struct program *ps)
{
	struct side side = {.arena = a, .vs = vs, .ps = ps, .vs_flow = flow_find(a, vs), .ps_flow = flow_find(a, ps)};
	side.hash = arena_zero(a, vs->instrs.n * sizeof *side.hash);
	for (uint32_t k = 0; k < vs->instrs.n; k++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (instr_writes(&vs->instrs.at[k]) >> lane & 1)
				side.hash[k][lane] = hash_value(&side, k, lane);
	for (unsigned c = 0; c < CARRIERS; c++)
		for (unsigned lane = 0; lane < LANES; lane++)
			if (find_output_writer(&side, c, lane) < vs->instrs.n)
				side.carried[c][lane] = side.hash[find_output_writer(&side, c, lane)][lane];
	return side;
}

/* Returns the line number of an instruction in its input file or, for the new pair, in the output file. */
static json_t *json_line_of(const struct side *side, enum stage stage, uint32_t instr)
{
	const struct program *p = stage == STAGE_PIXEL ? side->ps : side->vs;
	return json_integer(side->written ? explain_new_line(side->written, stage, instr) : source_line(p->source, p->instrs.at[instr].at));
}

/* Lists the line numbers of the FP's instructions that read a lane of an interpolator. */
static json_t *reader_lines(const struct side *side, unsigned carrier, unsigned lane)
{
	json_t *lines = json_array();
	for (uint32_t k = 0; k < side->ps->instrs.n; k++)
		for (uint32_t r = side->ps_flow->first[k]; r < side->ps_flow->first[k + 1]; r++) {
			const struct flow_read *read = &side->ps_flow->read[r];
			if (read->file != file_in(carrier, STAGE_PIXEL) || read->index != index_of(carrier) || read->from != lane)
				continue;
			json_array_append_new(lines, json_line_of(side, STAGE_PIXEL, k));
			break;
		}
	return lines;
}

/* Returns the interpolator lane of the given pair that carries the value, "t0.x", or NULL if there is none.  Of several, prefers the lane `lane`
 * of `carrier`, then those behind it. */
static json_t *place_before(const struct side *old, uint64_t value, unsigned carrier, unsigned lane)
{
	enum { PLACES = CARRIERS * LANES };
	unsigned here = carrier * LANES + lane;
	for (unsigned n = 0; n < PLACES; n++) {
		unsigned at = (here + n) % PLACES;
		if (old->carried[at / LANES][at % LANES] != value)
			continue;
		struct text t = {.arena = old->arena};
		print_register(&t, old->ps, file_in(at / LANES, STAGE_PIXEL), index_of(at / LANES));
		text_printf(&t, ".%c", "xyzw"[at % LANES]);
		return json_string(t.at);
	}
	return NULL;
}

/* Returns the JSON object of an interpolator's lane (rides.h): its value, and the lines that write and read it; null if there are none.  `old`
 * is the given pair if `side` is the new one, else NULL. */
static json_t *describe_lane(const struct side *side, const struct side *old, unsigned carrier, unsigned lane)
{
	uint32_t k = find_output_writer(side, carrier, lane);
	json_t *ps = reader_lines(side, carrier, lane);
	if (k >= side->vs->instrs.n && !json_array_size(ps)) {
		json_decref(ps);
		return json_null();
	}
	json_t *j = json_pack("{s:o}", "ps", ps);
	if (k >= side->vs->instrs.n)
		return j;
	struct formula f = {side, {.arena = side->arena}, 0};
	print_value(&f, k, lane, SUM);
	json_object_set_new(j, "value", json_string(f.text.at));
	json_object_set_new(j, "vs", json_line_of(side, STAGE_VERTEX, k));
	json_t *was = old ? place_before(old, side->carried[carrier][lane], carrier, lane) : NULL;
	if (was)
		json_object_set_new(j, "was", was);
	return j;
}

static json_t *carriers(const struct side *side, const struct side *old)
{
	json_t *list = json_array();
	for (unsigned c = 0; c < CARRIERS; c++) {
		json_t *four = json_array();
		bool used = false;
		for (unsigned lane = 0; lane < LANES; lane++) {
			json_t *l = describe_lane(side, old, c, lane);
			used |= !json_is_null(l);
			json_array_append_new(four, l);
		}
		struct text name = {.arena = side->arena};
		print_register(&name, side->ps, file_in(c, STAGE_PIXEL), index_of(c));
		const struct decl *dcl = program_decl(side->ps, file_in(c, STAGE_PIXEL), index_of(c));
		unsigned kind = dcl ? dcl->flags : 0;
		if (used)
			json_array_append_new(list, json_pack("{s:s,s:s,s:O}", "reg", name.at, "kind",
			                                      kind & INSTR_CENTROID ? kind & INSTR_PP ? "centroid pp" : "centroid"
			                                      : kind & INSTR_PP     ? "pp" : "",
			                                      "lanes", four));
		json_decref(four);
	}
	return list;
}

/* --- what instructions serve ----------------------------------------------------- */

/* Adds the output lanes that depend on results of VP instruction k to those of the instructions whose results k reads. */
static void serve_reads(const struct side *side, uint32_t k, uint64_t (*serves)[LANES])
{
	const struct instr *i = &side->vs->instrs.at[k];
	for (uint32_t n = side->vs_flow->first[k]; n < side->vs_flow->first[k + 1]; n++) {
		const struct flow_read *read = &side->vs_flow->read[n];
		for (unsigned lane = 0; lane < LANES && read->def < side->vs->instrs.n; lane++)
			if (read->file == REG_ADDRESS || instr_operand_lanes(side->vs, i, read->source, (lanes)(1u << lane)) >> read->lane & 1)
				serves[read->def][read->from] |= serves[k][lane];
	}
}

/* Returns, for each lane of the result of each VP instruction, the set of output lanes that depend on it, as bits. */
static uint64_t (*find_served(const struct side *side))[LANES]
{
	uint64_t (*serves)[LANES] = arena_zero(side->arena, side->vs->instrs.n * sizeof *serves);
	for (unsigned bit = 0; bit < OUTPUTS * LANES; bit++) {
		uint32_t k = find_output_writer(side, bit / LANES, bit % LANES);
		if (k < side->vs->instrs.n)
			serves[k][bit % LANES] |= UINT64_C(1) << bit;
	}
	for (uint32_t k = side->vs->instrs.n; k-- > 0;)
		serve_reads(side, k, serves);
	return serves;
}

/* Prints a set of output lanes, "t1.xy oPos". */
static void print_served(struct text *t, const struct side *side, uint64_t served)
{
	for (unsigned c = 0; c < OUTPUTS; c++) {
		lanes const l = (lanes)(served >> c * LANES & 0xf);
		enum stage const stage = c < CARRIERS ? STAGE_PIXEL : STAGE_VERTEX;
		if (!l)
			continue;
		text_string(t, t->n ? " " : "");
		print_register(t, stage == STAGE_PIXEL ? side->ps : side->vs, file_in(c, stage), index_of(c));
		text_string(t, c < CARRIERS ? "." : "");
		print_lanes(t, c < CARRIERS ? l : 0);
	}
}

/* Returns true if instruction j of the given VP has the opcode of instruction k and computes all the values that k writes. */
static bool repeats_old_instr(const struct side *old, uint32_t j, const struct side *side, uint32_t k)
{
	bool same = old->vs->instrs.at[j].op == side->vs->instrs.at[k].op && instr_writes(&side->vs->instrs.at[k]);
	for (unsigned lane = 0; lane < LANES && same; lane++) {
		bool found = !side->hash[k][lane];
		for (unsigned l = 0; l < LANES && !found; l++)
			found = old->hash[j][l] == side->hash[k][lane];
		same = found;
	}
	return same;
}

static json_t *serves(const struct side *side, const struct side *old)
{
	json_t *list = json_array();
	uint64_t (*served)[LANES] = find_served(side);
	bool *taken = arena_zero(side->arena, old->vs->instrs.n);
	for (uint32_t k = 0; k < side->vs->instrs.n; k++) {
		struct text places = {.arena = side->arena};
		print_served(&places, side, served[k][0] | served[k][1] | served[k][2] | served[k][3]);
		uint32_t j = 0;
		while (j < old->vs->instrs.n && (taken[j] || !repeats_old_instr(old, j, side, k)))
			j++;
		bool const found = j < old->vs->instrs.n;
		if (found)
			taken[j] = true;
		json_array_append_new(list, json_pack("[o,s,o]", json_line_of(side, STAGE_VERTEX, k), places.n ? places.at : "",
		                                      found ? json_line_of(old, STAGE_VERTEX, j) : json_integer(0)));
	}
	return list;
}

void rides_add(json_t *to, const struct run *r)
{
	struct side before = find_side(r->arena, r->vs, r->ps), after = find_side(r->arena, r->vs_new, r->ps_new);
	after.written = r;
	json_object_set_new(to, "lanes", json_pack("[o,o]", carriers(&before, NULL), carriers(&after, &before)));
	json_object_set_new(to, "serves", serves(&after, &before));
}
