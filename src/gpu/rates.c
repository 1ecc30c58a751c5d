/* Writes the programs that calibration times, see rates.h.
 *
 * The driver's compiler must find nothing to remove: the application sets the constants, there is hardly a mov, and every lane flows into
 * oC0.  Long sums are computed in two chains, so that an instruction need not wait for the one before. */
#include "gpu/rates.h"

enum { COORDINATES = 8, CHAINS = 2, CONSTANTS = 24, MOST_SLOTS = 240 };

struct rates {
	struct arena *arena;
	VEC(struct rate);
	/* The pair that is being written: */
	struct text fp, vp;         /* bodies of the programs */
	unsigned lane[COORDINATES]; /* number of lanes that the FP reads of each t# */
	unsigned samplers;
	const char *shown;          /* the operand that is moved to oC0 */
	bool begun;                 /* true if r0 has a value */
};

static const char *const masks[] = {"", "x", "xy", "xyz", "xyzw"};
static const char *const all_of[] = {"t0", "r0.x", "r0.xyyy", "r0.xyzz", "r0"}; /* all_of[n] reads the first n lanes of r0, or t0 if n is 0 */

/* ---- a pair ---------------------------------------------------------------------------- */

/* Begins a pair whose FP reads the first `scalars` lanes of t0, t1 and so on, and samplers s0 to s<samplers - 1>. */
static void begin_rate(struct rates *r, unsigned scalars, unsigned samplers)
{
	r->fp = (struct text){.arena = r->arena};
	r->vp = (struct text){.arena = r->arena};
	text_string(&r->vp, "");
	text_string(&r->fp, "");
	for (unsigned t = 0; t < COORDINATES; t++)
		r->lane[t] = scalars > 4 * t ? scalars - 4 * t < 4 ? scalars - 4 * t : 4 : 0;
	r->samplers = samplers;
	r->shown = all_of[4];
	r->begun = false;
}

/* Returns the text of the VP.  All VPs have the same inputs, so that fetching these takes the same time. */
static const char *whole_vp(struct rates *r)
{
	struct text t = {.arena = r->arena};
	text_string(&t, "vs_1_1\ndcl_position v0\n");
	for (unsigned k = 0; k < COORDINATES; k++)
		text_printf(&t, "dcl_texcoord%u v%u\n", k, k + 1);
	text_string(&t, "mov oPos, v0\n");
	for (unsigned k = 0; k < COORDINATES; k++)
		if (r->lane[k])
			text_printf(&t, "mov oT%u, v%u\n", k, k + 1);
	text_string(&t, r->vp.at);
	return t.at;
}

static const char *whole_fp(struct rates *r)
{
	struct text t = {.arena = r->arena};
	text_string(&t, "ps_2_a\n");
	for (unsigned k = 0; k < COORDINATES; k++)
		if (r->lane[k])
			text_printf(&t, "dcl t%u.%s\n", k, masks[r->lane[k]]);
	for (unsigned s = 0; s < r->samplers; s++)
		text_printf(&t, "dcl_2d s%u\n", s);
	text_printf(&t, "%smov oC0, %s\n", r->fp.at, r->shown);
	return t.at;
}

static struct rate *end_rate(struct rates *r, const char *family, const char *name)
{
	struct rate *made = &VEC_PUSH(r->arena, r);
	*made = (struct rate){.family = family, .name = name, .vp = whole_vp(r), .fp = whole_fp(r)};
	return made;
}

static const char *numbered(struct rates *r, const char *what, unsigned n)
{
	return arena_printf(r->arena, "%s%u", what, n);
}

/* ---- bodies ---------------------------------------------------------------------------- */

/* Writes code that adds up, in r0, all lanes of interpolators that the FP reads. */
static void add_inputs(struct rates *r)
{
	r->shown = all_of[r->lane[0]];
	for (unsigned t = 0; t < COORDINATES; t++) {
		if (!r->lane[t])
			continue;
		text_printf(&r->fp, r->begun ? "add r0.%s, r0, t%u\n" : "mul r0.%s, c0, t%u\n", masks[r->lane[t]], t);
		r->begun = true;
	}
}

/* Writes an instruction of `lanes` lanes n times, in two chains in turn, and the sum of the chains.  In `instr`, D stands for the register
 * of the chain, A for the value of the chain so far (at first an input or a constant), and C for a constant. */
static void write_chains(struct rates *r, const char *instr, unsigned lanes, unsigned n)
{
	for (unsigned k = 0; k < n; k++) {
		for (const char *c = instr; *c; c++) {
			if (*c == 'C')
				text_printf(&r->fp, "c%u", k % CONSTANTS);
			else if (*c == 'A' && k < CHAINS)
				text_string(&r->fp, k ? "c1" : "t0");
			else if (*c == 'A' || *c == 'D')
				text_printf(&r->fp, "r%u", k % CHAINS);
			else
				text_char(&r->fp, *c);
		}
		text_char(&r->fp, '\n');
	}
	if (n)
		text_printf(&r->fp, "add r0.%s, r0, r1\n", masks[lanes]);
	r->shown = all_of[n ? lanes : 0];
}

static void write_multiply_adds(struct rates *r, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		text_printf(&r->fp, "mad r0, r0, c%u, t0.x\n", k % CONSTANTS);
}

/* Writes an instruction that adds r1 times a constant to r0; the first sets r0 to the product. */
static void write_accumulation(struct rates *r, unsigned constant)
{
	text_printf(&r->fp, r->begun ? "mad r0, r1, c%u, r0\n" : "mul r0, r1, c%u\n", constant % CONSTANTS);
	r->begun = true;
}

/* How the texture reads of a program differ from each other. */
enum address {
	BY_SAMPLER, /* reads differ in the sampler */
	ADDED,      /* reads differ in the constant that is added to the address */
	OWN,        /* reads differ in the interpolator that is the address */
	PROJECTED,  /* like OWN, with texldp */
	DIVIDED     /* like OWN, with the projection as separate instructions */
};

/* Writes n texture reads, each followed by `use` vector instructions that read the texel. */
static void write_texture_reads(struct rates *r, enum address how, unsigned n, unsigned use)
{
	struct text *t = &r->fp;
	for (unsigned k = 0; k < n; k++) {
		switch (how) {
		case BY_SAMPLER: text_printf(t, "texld r1, t0, s%u\n", k); break;
		case ADDED: text_printf(t, "add r1.xy, t0, c%u\ntexld r1, r1, s0\n", k % CONSTANTS + 1); break;
		case OWN: text_printf(t, "texld r1, t%u, s0\n", k); break;
		case PROJECTED: text_printf(t, "texldp r1, t%u, s0\n", k); break;
		case DIVIDED: text_printf(t, "rcp r1.w, t%u.w\nmul r1.xy, t%u, r1.w\ntexld r1, r1, s0\n", k, k); break;
		}
		for (unsigned j = 0; j < use; j++)
			write_accumulation(r, j);
	}
}

/* Writes `times` chains of dependent reads: in each, `order` reads one after another read at the place that the texel of the read before
 * gives. */
static void write_dependent_reads(struct rates *r, unsigned order, unsigned times)
{
	for (unsigned k = 0; k < times; k++) {
		text_printf(&r->fp, "add r1.xy, t0, c%u\n", k + 1);
		for (unsigned o = 0; o < order; o++)
			text_string(&r->fp, "texld r1, r1, s0\n");
		write_accumulation(r, 1);
	}
}

/* ---- families -------------------------------------------------------------------------- */

#define EACH(k, ...) for (const unsigned *k = (const unsigned[]){__VA_ARGS__, 0}; *k; k++)

static void add_arithmetic(struct rates *r)
{
	static const char *const form[] = {"mad D.x, A.x, C.x, t0.y", "mad D.xy, A, C, t0", "mad D.xyz, A, C, t0", "mad D, A, C, t0"};
	begin_rate(r, 4, 0);
	write_chains(r, "", 4, 0);
	end_rate(r, "fma", "0");
	for (unsigned lanes = 1; lanes <= 4; lanes++) {
		EACH(scalars, 48, 96, 144, 192, 240, 288, 384, 480) {
			if (*scalars / lanes > MOST_SLOTS)
				continue;
			begin_rate(r, 4, 0);
			write_chains(r, form[lanes - 1], lanes, *scalars / lanes);
			end_rate(r, numbered(r, "fma by ", lanes), numbered(r, "", *scalars));
		}
	}
}

static void add_interpolation(struct rates *r)
{
	EACH(n, 1, 2, 4, 6, 8, 12, 16, 20, 24, 28, 32) {
		begin_rate(r, *n, 0);
		add_inputs(r);
		end_rate(r, "var", numbered(r, "", *n));
	}
	EACH(n, 8, 16, 32) {
		EACH(k, 16, 32, 64) {
			begin_rate(r, *n, 0);
			add_inputs(r);
			write_multiply_adds(r, *k);
			end_rate(r, numbered(r, "var and fma ", *n), numbered(r, "", 4 * *k));
		}
	}
}

/* Adds pairs with texture reads.  They use at most four samplers: more textures exceed the cache, which would be measured instead. */
static void add_texture_reads(struct rates *r)
{
	static const char *const name[] = {"tex by sampler", "tex at sums", "tex at inputs", "texldp", "divided"};
	for (unsigned how = BY_SAMPLER; how <= DIVIDED; how++) {
		EACH(n, 1, 2, 4, 8, 12, 16, 24) {
			if (*n > (how == BY_SAMPLER ? 4 : how == ADDED ? 24 : 8))
				continue;
			begin_rate(r, how == BY_SAMPLER || how == ADDED ? 2 : 4 * *n, how == BY_SAMPLER ? *n : 1);
			write_texture_reads(r, (enum address)how, *n, 1);
			end_rate(r, name[how], numbered(r, "", *n));
		}
	}
	EACH(n, 2, 8) {
		EACH(k, 1, 2, 4, 8, 16) {
			begin_rate(r, 2, 1);
			write_texture_reads(r, ADDED, *n, *k);
			end_rate(r, numbered(r, "tex and fma ", *n), numbered(r, "", 4 * *n * *k));
		}
		EACH(k, 4, 8, 16, 24, 32) {
			begin_rate(r, *k, 1);
			add_inputs(r);
			write_texture_reads(r, ADDED, *n, 1);
			end_rate(r, numbered(r, "tex and var ", *n), numbered(r, "", *k));
		}
	}
}

static void add_dependent_reads(struct rates *r)
{
	EACH(order, 1, 2, 3, 4) {
		EACH(times, 1, 2, 6) {
			begin_rate(r, 2, 1);
			write_dependent_reads(r, *order, *times);
			end_rate(r, numbered(r, "dependent ", *order), numbered(r, "", *order * *times));
		}
	}
}

static void add_special_functions(struct rates *r)
{
	static const char *const form[] = {"rsq D.x, A.x", "exp D.x, -A.x"};
	static const char *const name[] = {"rsq", "exp"};
	for (unsigned f = 0; f < 2; f++) {
		EACH(n, 4, 8, 16, 32, 64) {
			begin_rate(r, 1, 0);
			write_chains(r, form[f], 1, *n);
			end_rate(r, name[f], numbered(r, "", *n));
		}
	}
	EACH(n, 8, 32) {
		EACH(k, 4, 8, 16, 32) {
			begin_rate(r, *n, 0);
			add_inputs(r);
			for (unsigned j = 0; j < *k; j++)
				text_string(&r->fp, j ? "rsq r1.x, r1.x\n" : "rsq r1.x, c0.x\n");
			text_string(&r->fp, "add r0, r0, r1.x\n");
			end_rate(r, numbered(r, "var and rsq ", *n), numbered(r, "", *k));
		}
	}
}

static void add_colours(struct rates *r)
{
	EACH(n, 1, 2, 3, 4) {
		begin_rate(r, 4, 0);
		for (unsigned k = 1; k < *n; k++)
			text_printf(&r->fp, "mov oC%u, t0\n", k);
		r->shown = all_of[0];
		end_rate(r, "colours", numbered(r, "", *n))->colours = true;
	}
}

/* Begins a pair whose FP adds up n scalars, each from an interpolator of its own. */
static void begin_sum_of_interpolators(struct rates *r, unsigned n)
{
	begin_rate(r, 0, 0);
	for (unsigned t = 0; t < n; t++)
		r->lane[t] = 1;
	add_inputs(r);
}

/* Adds pairs with VPs of different lengths and the same interpolators, and pairs with different numbers of interpolators. */
static void add_vertices(struct rates *r, unsigned cell)
{
	EACH(n, 1, 60, 120, 240, 480) {
		begin_sum_of_interpolators(r, 4);
		text_string(&r->vp, "mov r0, v1\n");
		for (unsigned k = 1; k < *n; k++)
			text_printf(&r->vp, "mad r0, r0, v2, c%u\n", k % 90 + 1);
		text_string(&r->vp, "mov oT0, r0\n");
		end_rate(r, "vertex", numbered(r, "", *n))->cell = cell;
	}
	EACH(n, 4, 5, 6, 7, 8) {
		begin_sum_of_interpolators(r, *n);
		end_rate(r, "interpolators", numbered(r, "", *n))->cell = cell;
	}
}

uint32_t rates_make(struct arena *a, struct rate **made)
{
	struct rates r = {.arena = a};
	add_arithmetic(&r);
	add_interpolation(&r);
	add_texture_reads(&r);
	add_dependent_reads(&r);
	add_special_functions(&r);
	add_colours(&r);
	add_vertices(&r, 4);
	*made = r.at;
	return r.n;
}
