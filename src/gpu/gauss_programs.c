/* Writing programs, see gauss.h. */
#include "gpu/gauss.h"

enum { TEMPORARIES = 10, SUM = 11, BATCH = 6 }; /* registers that taps take turns with, so that reads stay within the third order */
static const char lane[] = "xyzw";

struct writer {
	const struct gauss_programs *of;
	struct text to;
	const char *place; /* of the pixel: t0, or v0 in ps_3_0 */
	bool begun;        /* the sum has a term */
};

static unsigned half(const struct gauss_programs *p)
{
	return p->taps / 2;
}

/* Returns true if ps_2_0 does not hold the program: it has 64 arithmetic slots and 32 constants (which offsets fill up), 32 constants
 * (chain) and 32 reads (def). */
static bool is_model_3(const struct gauss_programs *p)
{
	static const unsigned most[GAUSS_FORMS] = {[GAUSS_OFFSETS] = 15, [GAUSS_CHAIN] = 29, [GAUSS_DEF] = 31};
	return p->taps > most[p->form];
}

/* Writes the addition of a register times a lane of a constant. */
static void write_term(struct writer *w, unsigned r, unsigned constant, char of)
{
	if (w->begun)
		text_printf(&w->to, "mad r%d, r%u, c%u.%c, r%d\n", SUM, r, constant, of, SUM);
	else
		text_printf(&w->to, "mul r%d, r%u, c%u.%c\n", SUM, r, constant, of);
	w->begun = true;
}

/* ---- offsets: a constant for each tap but the middle one --------------------------------- */

static void write_place(struct writer *w, unsigned tap)
{
	unsigned const r = tap % TEMPORARIES, taps = w->of->taps, middle = half(w->of);
	if (tap != middle)
		text_printf(&w->to, "mov r%u.y, c%u.x\nmov r%u.x, c%u.x\nadd r%u.xy, r%u, %s\n", r, taps, r, taps + 1 + tap - (tap > middle),
		            r, r, w->place);
}

static void write_read(struct writer *w, unsigned tap)
{
	unsigned const r = tap % TEMPORARIES;
	if (tap == half(w->of))
		text_printf(&w->to, "texld r%u, %s, s0\n", r, w->place);
	else
		text_printf(&w->to, "texld r%u, r%u, s0\n", r, r);
}

static void write_offsets(struct writer *w)
{
	for (unsigned first = 0, end; first < w->of->taps; first = end) {
		end = first + BATCH < w->of->taps ? first + BATCH : w->of->taps;
		for (unsigned k = first; k < end; k++)
			write_place(w, k);
		for (unsigned k = first; k < end; k++)
			write_read(w, k);
		for (unsigned k = first; k < end; k++)
			write_term(w, k % TEMPORARIES, k, 'x');
	}
}

/* ---- chain: a step from tap to tap -------------------------------------------------------- */

static void write_chain(struct writer *w)
{
	unsigned const taps = w->of->taps;
	text_printf(&w->to, "mov r0.xy, c%u\nmad r0.xy, r0, c%u.x, %s\n", taps, taps + 1, w->place);
	for (unsigned first = 0, end; first < taps; first = end) {
		end = first + BATCH < taps ? first + BATCH : taps;
		for (unsigned k = first; k < end; k++) {
			text_printf(&w->to, "texld r%u, r0, s0\n", 1 + k % TEMPORARIES);
			if (k + 1 < taps)
				text_printf(&w->to, "add r0.xy, r0, c%u\n", taps);
		}
		for (unsigned k = first; k < end; k++)
			write_term(w, 1 + k % TEMPORARIES, k, 'x');
	}
}

/* ---- def: offsets and weights are literals, and two taps of one weight are added first ------- */

static void define_pairs(struct writer *w)
{
	const struct gauss_programs *p = w->of;
	for (unsigned k = 0; k < half(p); k++) {
		double const away = (k + 1.0) / p->size;
		text_printf(&w->to, "def c%u, %.9g, 0, 0, %.9g\n", k, -away, away);
	}
	for (unsigned k = 0; k <= half(p); k += LANES) {
		text_printf(&w->to, "def c%u", half(p) + k / LANES);
		for (unsigned l = k; l < k + LANES; l++)
			text_printf(&w->to, ", %.9g", l <= half(p) ? p->weight[half(p) + l] : 0);
		text_string(&w->to, "\n");
	}
}

static void write_pairs(struct writer *w)
{
	unsigned const pairs = half(w->of);
	text_printf(&w->to, "texld r%d, %s, s0\n", SUM, w->place);
	write_term(w, SUM, pairs, 'x');
	for (unsigned first = 0, end; first < pairs; first = end) {
		end = first + BATCH / 2 < pairs ? first + BATCH / 2 : pairs;
		for (unsigned k = first; k < end; k++)
			text_printf(&w->to, "add r%u.xy, %s, c%u\nadd r%u.xy, %s, c%u.wzyx\n", 2 * k % TEMPORARIES, w->place, k,
			            2 * k % TEMPORARIES + 1, w->place, k);
		for (unsigned k = 2 * first; k < 2 * end; k++)
			text_printf(&w->to, "texld r%u, r%u, s0\n", k % TEMPORARIES, k % TEMPORARIES);
		for (unsigned k = first; k < end; k++) {
			text_printf(&w->to, "add r%u, r%u, r%u\n", 2 * k % TEMPORARIES, 2 * k % TEMPORARIES, 2 * k % TEMPORARIES + 1);
			write_term(w, 2 * k % TEMPORARIES, pairs + (k + 1) / LANES, lane[(k + 1) % LANES]);
		}
	}
}

/* ---- whole programs ------------------------------------------------------------------------ */

static const char *write_program(struct arena *a, const struct gauss_programs *p)
{
	bool const model_3 = is_model_3(p);
	struct writer w = {.of = p, .to = {.arena = a}, .place = model_3 ? "v0" : "t0"};
	text_string(&w.to, model_3 ? "ps_3_0\n" : "ps_2_0\n");
	if (p->form == GAUSS_CHAIN)
		text_printf(&w.to, "def c%u, -%u, 0, 0, 0\n", p->taps + 1, half(p));
	if (p->form == GAUSS_DEF)
		define_pairs(&w);
	text_string(&w.to, model_3 ? "dcl_texcoord v0.xy\ndcl_2d s0\n" : "dcl t0.xy\ndcl_2d s0\n");
	switch (p->form) {
	case GAUSS_OFFSETS: write_offsets(&w); break;
	case GAUSS_CHAIN: write_chain(&w); break;
	case GAUSS_DEF: write_pairs(&w); break;
	case GAUSS_FORMS: break;
	}
	text_printf(&w.to, "mov oC0, r%d\n", SUM);
	return w.to.at;
}

const char *gauss_open_kernel(struct lab *lab, const struct gauss_programs *p, struct kernel *k)
{
	static const char *const names[GAUSS_FORMS] = {[GAUSS_OFFSETS] = "", [GAUSS_CHAIN] = "_chain", [GAUSS_DEF] = "_def"};
	const char *name = arena_printf(lab->arena, "gaussian%u%s", p->taps, names[p->form]);
	return kernel_from_pixel_text(lab, name, write_program(lab->arena, p), k);
}
