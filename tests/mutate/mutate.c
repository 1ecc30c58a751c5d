/* Damages every rewritten example in every way below and asks the proof: a mutant that
 * is another function must be refuted.  What the proof lets pass is run through the
 * interpreter, which must see no difference either, and is counted with the reason why
 * it is the same function.  Prints TAP, one test per kind of damage. */
#include "lang/print.h"
#include "pipeline.h"
#include "verify/interp.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- kinds of damage -------------------------------------------------------------- */

/* Each takes instruction k of a copy; `turn` numbers the ways to do it.  False: no such
 * way here (turns then end). */
typedef bool damage(struct program *, uint32_t k, unsigned turn);

static struct instr *at(struct program *p, uint32_t k)
{
	return &p->instrs.at[k];
}

static unsigned sources(const struct instr *i)
{
	return ops[i->op].sources;
}

static bool writes(const struct instr *i)
{
	return instr_writes(i) != 0;
}

static bool is_sampler(const struct src *s)
{
	return s->file == REG_SAMPLER;
}

/* The turn-th source; turn is brought below `ways`. */
static struct src *pick(struct instr *i, unsigned *turn, unsigned ways)
{
	unsigned s = *turn / ways;
	*turn %= ways;
	return s < sources(i) ? &i->src[s] : NULL;
}

static bool set_mask(struct instr *i, unsigned mask)
{
	if (!mask || mask == i->dst.mask || ops[i->op].shape == SHAPE_MATRIX)
		return false;
	i->dst.mask = (lanes)mask;
	i->dst.masked = mask != MASK_XYZW;
	return true;
}

static bool mask_lane_lost(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned l = 0; l < LANES && writes(i); l++)
		if (i->dst.mask >> l & 1 && n++ == turn)
			return set_mask(i, i->dst.mask & ~(1u << l));
	return false;
}

static bool mask_lane_added(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned l = 0; l < LANES && writes(i) && !reg_files[i->dst.file].scalar; l++)
		if (!(i->dst.mask >> l & 1) && n++ == turn)
			return set_mask(i, i->dst.mask | 1u << l);
	return false;
}

static bool mask_shifted(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn || !writes(i) || reg_files[i->dst.file].scalar)
		return false;
	return set_mask(i, ((unsigned)i->dst.mask << 1 | i->dst.mask >> 3) & 15u);
}

static bool swizzle_lane_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 12);
	if (!s || is_sampler(s))
		return s != NULL;
	unsigned lane = turn / 3, to = (swizzle_lane(s->swizzle, lane) + 1 + turn % 3) & 3;
	s->swizzle = (swizzle)((s->swizzle & ~(3u << 2 * lane)) | to << 2 * lane);
	return true;
}

static bool swizzle_rotated(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->swizzle = swizzle_after(SWIZZLE(1, 2, 3, 0), s->swizzle);
	return true;
}

static bool swizzle_dropped(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->swizzle = s->swizzle == SWIZZLE_XYZW ? SWIZZLE(0, 0, 0, 0) : SWIZZLE_XYZW;
	return true;
}

static bool sign_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || is_sampler(s))
		return s != NULL;
	s->negate = !s->negate;
	return true;
}

static bool renumber(struct src *s, enum reg_file file, int below, unsigned turn)
{
	int index = s->index + (turn ? -1 : 1);
	if (s->file != file || s->relative || index < 0 || index >= below)
		return true; /* no damage: the caller sees that nothing changed */
	s->index = (int16_t)index;
	return true;
}

static bool temp_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_TEMP, 12, turn);
}

static bool const_misnumbered(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	struct src *s = pick(i, &turn, 2);
	return s && renumber(s, REG_CONST, 32 - (int)instr_rows(i, (unsigned)(s - i->src)) + 1, turn);
}

static bool interpolator_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_TEXCOORD, 8, turn);
}

static bool vertex_input_misread(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && (program_stage(p) == STAGE_PIXEL || renumber(s, REG_INPUT, 16, turn));
}

static bool sampler_misnumbered(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 2);
	return s && renumber(s, REG_SAMPLER, 16, turn);
}

static bool relative_offset_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (s && s->relative)
		s->index++;
	return s != NULL;
}

static bool renumber_result(struct program *p, uint32_t k, unsigned turn, enum reg_file file, int below)
{
	struct instr *i = at(p, k);
	int index = i->dst.index + (turn ? -1 : 1);
	if (turn > 1 || !writes(i))
		return false;
	if (i->dst.file == file && index >= 0 && index < below)
		i->dst.index = (int16_t)index;
	return true;
}

static bool temp_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_TEMP, 12);
}

static bool interpolator_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_TEX_OUT, 8);
}

static bool target_miswritten(struct program *p, uint32_t k, unsigned turn)
{
	return renumber_result(p, k, turn, REG_PIXEL_OUT, 4);
}

static bool opcode_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	unsigned n = 0;
	for (unsigned op = 0; op < OP_COUNT; op++) {
		bool alike = op != i->op && ops[op].shape == ops[i->op].shape && ops[op].sources == sources(i) &&
		             op_slots((enum op)op, p->model) && ops[op].shape != SHAPE_MATRIX;
		if (alike && n++ == turn) {
			i->op = (uint8_t)op;
			return true;
		}
	}
	return false;
}

static bool operands_exchanged(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	static const uint8_t pairs[3][2] = {{0, 1}, {1, 2}, {0, 2}};
	if (turn > 2)
		return false;
	unsigned a = pairs[turn][0], b = pairs[turn][1];
	if (b < sources(i) && !is_sampler(&i->src[a]) && !is_sampler(&i->src[b]) && ops[i->op].shape != SHAPE_MATRIX &&
	    ops[i->op].shape != SHAPE_SGN && ops[i->op].shape != SHAPE_SINCOS) {
		struct src s = i->src[a];
		i->src[a] = i->src[b];
		i->src[b] = s;
	}
	return true;
}

static bool operand_repeated(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn >= 6)
		return false;
	unsigned a = turn / 2, b = (a + 1 + turn % 2) % 3;
	if (a < sources(i) && b < sources(i) && !is_sampler(&i->src[a]) && !is_sampler(&i->src[b]) &&
	    ops[i->op].shape != SHAPE_MATRIX && ops[i->op].shape != SHAPE_SGN)
		i->src[a] = i->src[b];
	return true;
}

static bool instr_dropped(struct program *p, uint32_t k, unsigned turn)
{
	if (turn)
		return false;
	memmove(at(p, k), at(p, k) + 1, (p->instrs.n - k - 1) * sizeof *p->instrs.at);
	p->instrs.n--;
	return true;
}

/* program_copy leaves no room to grow, so the doubled one takes the place of its neighbour
 * or, with turn 1, the neighbour is what is doubled. */
static bool neighbour_overwritten(struct program *p, uint32_t k, unsigned turn)
{
	if (turn > 1 || k + 1 >= p->instrs.n)
		return false;
	*at(p, k + !turn) = *at(p, k + turn);
	return true;
}

static bool order_changed(struct program *p, uint32_t k, unsigned turn)
{
	uint32_t to = k + 1 + turn;
	if (turn > 3 || to >= p->instrs.n)
		return false;
	struct instr moved = *at(p, k);
	memmove(at(p, k), at(p, k + 1), (to - k) * sizeof moved);
	*at(p, to) = moved;
	return true;
}

static bool clamp_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct instr *i = at(p, k);
	if (turn || program_stage(p) == STAGE_VERTEX || !writes(i) || ops[i->op].flags & OPF_TEX)
		return false;
	i->flags ^= INSTR_SAT;
	return true;
}

static bool file_mixed_up(struct program *p, uint32_t k, unsigned turn)
{
	struct src *s = pick(at(p, k), &turn, 1);
	if (!s || s->relative || is_sampler(s))
		return s != NULL;
	if (s->file == REG_TEMP)
		s->file = program_stage(p) == STAGE_VERTEX ? REG_INPUT : REG_CONST;
	else if (s->index < 12 && ops[at(p, k)->op].shape != SHAPE_MATRIX)
		s->file = REG_TEMP;
	return true;
}

/* --- damage to declarations: k numbers them --------------------------------------- */

static struct decl *declared(struct program *p, uint32_t k, enum decl_kind kind)
{
	return k < p->decls.n && p->decls.at[k].kind == kind ? &p->decls.at[k] : NULL;
}

static bool literal_nudged(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_DEF);
	if (!d || turn >= 2 * LANES)
		return false;
	d->value[turn / 2] = nextafterf(d->value[turn / 2], turn % 2 ? INFINITY : -INFINITY);
	return true;
}

static bool literal_negated(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_DEF);
	if (!d || turn >= LANES)
		return false;
	d->value[turn] = -d->value[turn];
	return true;
}

static bool literal_lost(struct program *p, uint32_t k, unsigned turn)
{
	if (turn || !declared(p, k, DECL_DEF))
		return false;
	memmove(p->decls.at + k, p->decls.at + k + 1, (p->decls.n - k - 1) * sizeof *p->decls.at);
	p->decls.n--;
	return true;
}

static bool centroid_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_PIXEL_INPUT);
	if (!d || turn)
		return false;
	d->flags ^= INSTR_CENTROID;
	return true;
}

static bool texture_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_SAMPLER);
	if (!d || turn > 1)
		return false;
	d->texture = (uint8_t)(1 + (d->texture + turn) % 3);
	p->samplers[d->reg.index] = d->texture;
	return true;
}

static bool usage_changed(struct program *p, uint32_t k, unsigned turn)
{
	struct decl *d = declared(p, k, DECL_VERTEX_INPUT);
	if (!d || turn > 1)
		return false;
	if (turn)
		d->usage_index ^= 1;
	else
		d->usage = d->usage == USAGE_POSITION ? USAGE_NORMAL : USAGE_POSITION;
	return true;
}

/* --- what makes a mutant the same function ----------------------------------------- */

enum reason {
	SAME_TEXT,       /* nothing was changed: not counted as a mutant */
	UNREAD_LETTER,   /* a swizzle letter of a lane that the instruction does not read */
	COMMUTED,        /* the operands of a sum, product or maximum in the other order */
	DEAD,            /* nothing reads what the change reaches */
	MINUS_ZERO,      /* 0 and -0 */
	EVEN,            /* the sign of what is only squared, or made absolute */
	INDEPENDENT,     /* instructions in another order that do not depend on each other */
	SAME_VALUE,      /* the lanes taken instead hold the same value */
	REASONS
};
static const char *const reason_names[REASONS] = {
	"nothing changed", "a letter that is not read", "operands that may change places", "nothing reads the result",
	"minus zero", "the sign of an even function's operand", "order of independent instructions", "another way to the same value",
};

/* Lanes of c# that instructions read. */
static lanes read_lanes(const struct program *p, enum reg_file file, int index)
{
	lanes read = 0;
	for (uint32_t n = 0; n < p->instrs.n; n++) {
		const struct instr *i = &p->instrs.at[n];
		for (unsigned s = 0; s < sources(i); s++) {
			int rows = (int)instr_rows(i, s), from = i->src[s].index;
			if (i->src[s].file == file && !i->src[s].relative && from <= index && index < from + rows)
				read |= instr_reads(p, i, s);
		}
	}
	return read;
}

/* Of each instruction the lanes that any output depends on; a VP output counts if `ps`
 * reads it. */
static lanes *find_needed(struct arena *arena, const struct program *p, const struct program *ps)
{
	lanes *needed = arena_zero(arena, p->instrs.n + 1), temp[32] = {0}, out[REG_FILES][8];
	memset(out, MASK_XYZW, sizeof out);
	for (int index = 0; index < 8; index++) {
		out[REG_TEX_OUT][index] = read_lanes(ps, REG_TEXCOORD, index);
		out[REG_COLOUR_OUT][index] = read_lanes(ps, REG_INPUT, index);
	}
	bool address = false;
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		lanes need = instr_writes(i);
		if (need && i->dst.file == REG_ADDRESS) {
			need = address ? need : 0;
		} else if (need) {
			lanes *to = i->dst.file == REG_TEMP ? &temp[i->dst.index] : &out[i->dst.file][i->dst.index & 7];
			need &= *to;
			*to &= (lanes)~i->dst.mask;
		}
		needed[k] = need;
		if (!need && i->op != OP_TEXKILL)
			continue;
		for (unsigned s = 0; s < sources(i); s++) {
			if (i->src[s].file == REG_TEMP)
				temp[i->src[s].index] |= swizzle_lanes(i->src[s].swizzle, instr_operand_lanes(p, i, s, need));
			address = address || i->src[s].relative;
		}
	}
	return needed;
}

static bool same_source(const struct program *p, const struct instr *a, unsigned s, const struct instr *b, unsigned t,
                        lanes written)
{
	const struct src *x = &a->src[s], *y = &b->src[t];
	lanes read = instr_operand_lanes(p, a, s, written);
	if (is_sampler(x) && is_sampler(y))
		return x->index == y->index;
	if (!read && !is_sampler(x))
		return true;
	if (x->file != y->file || x->index != y->index || x->relative != y->relative || x->negate != y->negate)
		return false;
	for (unsigned l = 0; l < LANES; l++)
		if (read >> l & 1 && swizzle_lane(x->swizzle, l) != swizzle_lane(y->swizzle, l))
			return false;
	return true;
}

/* Do the two compute the same in the lanes `need`? */
static bool same_instr(const struct program *p, const struct instr *a, const struct instr *b, lanes need, bool swapped)
{
	if (a->op != b->op || ((a->flags ^ b->flags) & INSTR_SAT) || (instr_writes(a) & need) != (instr_writes(b) & need))
		return false;
	if (need && (a->dst.file != b->dst.file || a->dst.index != b->dst.index))
		return false;
	for (unsigned s = 0; s < sources(a); s++)
		if (!same_source(p, a, s, b, swapped && s < 2 ? 1 - s : s, need))
			return false;
	return true;
}

static enum reason explain_decl(const struct program *old, const struct program *new, uint32_t k)
{
	const struct decl *a = &old->decls.at[k], *b = &new->decls.at[k];
	lanes read = read_lanes(old, (enum reg_file)a->reg.file, a->reg.index);
	if (old->decls.n != new->decls.n || a->kind != DECL_DEF)
		return read ? SAME_VALUE : DEAD;
	bool zero = true;
	for (unsigned l = 0; l < LANES; l++) {
		if (memcmp(&a->value[l], &b->value[l], sizeof(float)) == 0)
			continue;
		if (!(read >> l & 1))
			return DEAD;
		zero = zero && a->value[l] == b->value[l];
	}
	return zero ? MINUS_ZERO : SAME_VALUE;
}

/* Does the instruction take its operand s as x as well as -x? */
static bool even(const struct instr *a, const struct instr *b)
{
	if (a->op == OP_ABS || a->op == OP_LOG || a->op == OP_RSQ || a->op == OP_LOGP)
		return true;
	if (a->op == OP_POW)
		return a->src[0].negate != b->src[0].negate;
	return false;
}

static enum reason explain(struct arena *arena, const struct program *old, const struct program *new,
                           const struct program *ps, uint32_t k, damage *kind, bool of_decl)
{
	if (of_decl)
		return explain_decl(old, new, k);
	if (kind == order_changed)
		return INDEPENDENT;
	lanes need = find_needed(arena, old, ps)[k];
	if (kind == instr_dropped)
		return need ? SAME_VALUE : DEAD;
	const struct instr *a = &old->instrs.at[k], *b = &new->instrs.at[k];
	lanes need_new = find_needed(arena, new, ps)[k];
	lanes all = instr_writes(a) | instr_writes(b);
	if (kind == neighbour_overwritten)
		return need | need_new ? SAME_VALUE : DEAD;
	if (same_instr(old, a, b, all, false))
		return UNREAD_LETTER;
	if (ops[a->op].flags & OPF_SWAP && same_instr(old, a, b, all, true))
		return COMMUTED;
	if (a->op == OP_NOP || (a->op != OP_TEXKILL && !(need | need_new)) || same_instr(old, a, b, need | need_new, false))
		return DEAD;
	return kind == sign_changed && even(a, b) ? EVEN : SAME_VALUE;
}

/* --- the runs --------------------------------------------------------------------- */

static const struct { const char *name; damage *damage; bool of_decl; } kinds[] = {
	{"a lane of the write mask lost", mask_lane_lost, false},
	{"a lane of the write mask added", mask_lane_added, false},
	{"the write mask shifted", mask_shifted, false},
	{"one swizzle letter changed", swizzle_lane_changed, false},
	{"a swizzle rotated", swizzle_rotated, false},
	{"a swizzle dropped", swizzle_dropped, false},
	{"a sign changed", sign_changed, false},
	{"another temporary read", temp_misread, false},
	{"another constant read", const_misnumbered, false},
	{"another interpolator read", interpolator_misread, false},
	{"another vertex input read", vertex_input_misread, false},
	{"another sampler read", sampler_misnumbered, false},
	{"the offset to a0 changed", relative_offset_changed, false},
	{"another register file read", file_mixed_up, false},
	{"another temporary written", temp_miswritten, false},
	{"another interpolator written", interpolator_miswritten, false},
	{"another target written", target_miswritten, false},
	{"another opcode of the same shape", opcode_changed, false},
	{"two operands exchanged", operands_exchanged, false},
	{"one operand in place of another", operand_repeated, false},
	{"an instruction dropped", instr_dropped, false},
	{"an instruction doubled over its neighbour", neighbour_overwritten, false},
	{"an instruction moved down", order_changed, false},
	{"a clamp added or missing", clamp_changed, false},
	{"a literal off by one unit", literal_nudged, true},
	{"a literal's sign changed", literal_negated, true},
	{"a literal lost", literal_lost, true},
	{"centroid sampling added or missing", centroid_changed, true},
	{"another kind of texture", texture_changed, true},
	{"another vertex usage", usage_changed, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct {
	unsigned long mutants, refuted, same[REASONS], accepted_wrongly;
} counts[KINDS];
static bool verbose;

static bool interpreter_agrees(struct arena *arena, struct pair old, struct pair new, const struct proof_context *c,
                               unsigned primitives)
{
	struct measure_options o = {.primitives = primitives, .consts = c->consts, .nconsts = c->nconsts};
	struct measured m = measure(arena, old, new, &o);
	bool agrees = m.lanes > 0 && m.kills_apart == 0;
	for (unsigned k = 0; k < m.lanes; k++)
		agrees = agrees && m.lane[k].apart <= 8 * m.lane[k].noise + 1e-6 * m.lane[k].gain;
	return agrees;
}

static void one_mutant(struct arena *arena, unsigned kind, struct pair old, struct pair good, const struct program *damaged,
                       uint32_t k, const struct proof_context *c)
{
	bool vertex = program_stage(damaged) == STAGE_VERTEX;
	struct pair new = {vertex ? damaged : good.vs, vertex ? good.ps : damaged};
	const struct program *whole = vertex ? good.vs : good.ps;
	if (whole->instrs.n == damaged->instrs.n && whole->decls.n == damaged->decls.n &&
	    memcmp(whole->instrs.at, damaged->instrs.at, whole->instrs.n * sizeof *whole->instrs.at) == 0 &&
	    memcmp(whole->decls.at, damaged->decls.at, whole->decls.n * sizeof *whole->decls.at) == 0)
		return;
	counts[kind].mutants++;
	struct proof p = prove(arena, old, new, c);
	if (!p.equal) {
		counts[kind].refuted++;
		return;
	}
	enum reason reason = explain(arena, whole, damaged, new.ps, k, kinds[kind].damage, kinds[kind].of_decl);
	counts[kind].same[reason]++;
	bool agrees = interpreter_agrees(arena, old, new, c, reason == SAME_VALUE ? 4 : 1);
	if (!agrees)
		counts[kind].accepted_wrongly++;
	if (!agrees || (verbose && reason == SAME_VALUE)) {
		struct text before = {.arena = arena}, after = {.arena = arena};
		print_program(&before, whole);
		print_program(&after, damaged);
		printf("# %s: %s, number %u\n", agrees ? "same value" : "the interpreter differs", kinds[kind].name, (unsigned)k + 1);
		printf("# before\n%s# after\n%s", before.at, after.at);
	}
}

static void all_mutants(struct pair old, struct pair good, const struct proof_context *c)
{
	struct arena arena;
	arena_init(&arena, NULL);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		for (unsigned side = 0; side < 2; side++) {
			const struct program *p = side ? good.ps : good.vs;
			uint32_t n = kinds[kind].of_decl ? p->decls.n : p->instrs.n;
			for (uint32_t k = 0; k < n; k++) {
				for (unsigned turn = 0;; turn++) {
					arena_reset(&arena);
					struct program *damaged = program_copy(&arena, p);
					if (!kinds[kind].damage(damaged, k, turn))
						break;
					one_mutant(&arena, kind, old, good, damaged, k, c);
				}
			}
		}
	}
	arena_free(&arena);
}

static bool read_file(struct arena *arena, const char *folder, const char *name, struct source *to)
{
	char path[1024];
	snprintf(path, sizeof path, "examples/%s/%s", folder, name);
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	char *text = arena_alloc(arena, 1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	*to = (struct source){.name = arena_printf(arena, "%s", path), .text = text, .size = n};
	return true;
}

/* One example at each level; a level whose result is an earlier one's is left out. */
static bool example(const char *folder, unsigned *pairs)
{
	struct arena arena;
	arena_init(&arena, NULL);
	struct source sources[2];
	const char *seen = NULL;
	bool good = read_file(&arena, folder, "vp.vsh", &sources[0]) && read_file(&arena, folder, "fp.psh", &sources[1]);
	if (good && (strstr(sources[0].text, "#define") || strstr(sources[1].text, "#define"))) {
		printf("# %s needs the command's preprocessor: left out\n", folder);
		arena_free(&arena);
		return true;
	}
	for (int level = 1; level <= 3 && good; level++) {
		struct run_options *o = arena_zero(&arena, sizeof *o);
		o->move.level = level;
		struct run *r = arena_zero(&arena, sizeof *r);
		run_init(r, &arena, sources, 2, o);
		run_all(r);
		good = (r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED) && r->vs_new && r->ps_new;
		if (!good) {
			printf("# -O%d: status %u, %s %s\n", level, (unsigned)r->status, r->fault ? r->fault : "",
			       r->diags.n ? r->diags.at[0].text : "");
			break;
		}
		const char *text = arena_printf(&arena, "%s%s", r->vs_text.at, r->ps_text.at);
		if (seen && strcmp(seen, text) == 0)
			continue;
		seen = text;
		struct proof_context c = {0};
		if (r->moved) {
			c.consts = r->moved->consts.at, c.nconsts = r->moved->consts.n;
			c.folds = r->moved->folds.at, c.nfolds = r->moved->folds.n;
		}
		all_mutants((struct pair){r->vs, r->ps}, (struct pair){r->vs_new, r->ps_new}, &c);
		++*pairs;
	}
	arena_free(&arena);
	return good;
}

int main(int argc, char **argv)
{
	verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	DIR *folder = opendir("examples");
	unsigned pairs = 0, broken = 0;
	if (!folder) {
		perror("examples");
		return 2;
	}
	for (struct dirent *e; (e = readdir(folder));)
		if (e->d_name[0] != '.' && !example(e->d_name, &pairs)) {
			printf("# %s could not be rewritten\n", e->d_name);
			broken++;
		}
	closedir(folder);
	printf("%s 1 - every example is rewritten\n", broken ? "not ok" : "ok");
	unsigned long mutants = 0, refuted = 0, same[REASONS] = {0};
	for (unsigned kind = 0; kind < KINDS; kind++) {
		bool good = !counts[kind].accepted_wrongly;
		mutants += counts[kind].mutants;
		refuted += counts[kind].refuted;
		printf("%s %u - %s: %lu mutants, %lu refuted", good ? "ok" : "not ok", kind + 2, kinds[kind].name,
		       counts[kind].mutants, counts[kind].refuted);
		for (unsigned r = 0; r < REASONS; r++) {
			same[r] += counts[kind].same[r];
			if (counts[kind].same[r])
				printf("; %lu: %s", counts[kind].same[r], reason_names[r]);
		}
		printf("\n");
	}
	printf("# %u rewritten pairs, %u kinds of damage, %lu mutants: %lu refuted, %lu the same function:\n", pairs, KINDS,
	       mutants, refuted, mutants - refuted);
	for (unsigned r = 0; r < REASONS; r++)
		if (same[r])
			printf("#   %lu %s\n", same[r], reason_names[r]);
	return 0;
}
