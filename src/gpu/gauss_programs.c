/* Writes the programs of the workload gauss, see gauss.h. */
#include "gpu/gauss.h"

/* Numbers of r#.  Taps use ten in turn, so that at most three reads depend on each other in a row, which ps_2_0 allows. */
enum { TEMPORARIES = 10, SUM = 11, BATCH = 6 };
static const char lane[] = "xyzw";

struct writer {
	const struct gauss_programs *of;
	struct text to;
	const char *place; /* the pixel's place: t0, or v0 in ps_3_0 */
	bool begun;        /* the sum has a term */
};

static unsigned taps_before_middle(const struct gauss_programs *p)
{
	return p->taps / 2;
}

/* Returns true if the program exceeds ps_2_0: offsets are limited by its 64 arithmetic slots and 32 constants, chain by the constants, and
 * def by its 32 texture slots. */
static bool gauss_exceeds_ps_2_0(const struct gauss_programs *p)
{
	static const unsigned most[GAUSS_FORMS] = {[GAUSS_OFFSETS] = 15, [GAUSS_CHAIN] = 29, [GAUSS_DEF] = 31};
	return p->taps > most[p->form];
}

/* Writes the instruction that adds r`r` times a lane of a constant to the sum. */
static void add_product_to_sum(struct writer *w, unsigned r, unsigned constant, char of)
{
	if (w->begun)
		text_printf(&w->to, "mad r%d, r%u, c%u.%c, r%d\n", SUM, r, constant, of, SUM);
	else
		text_printf(&w->to, "mul r%d, r%u, c%u.%c\n", SUM, r, constant, of);
	w->begun = true;
}

/* ---- offsets: a constant for each tap but the middle one --------------------------------- */

static void write_tap_place(struct writer *w, unsigned tap)
{
	unsigned const r = tap % TEMPORARIES, taps = w->of->taps, middle = taps_before_middle(w->of);
	if (tap != middle)
		text_printf(&w->to, "mov r%u.y, c%u.x\nmov r%u.x, c%u.x\nadd r%u.xy, r%u, %s\n", r, taps, r, taps + 1 + tap - (tap > middle),
		            r, r, w->place);
}

static void read_gauss_tap(struct writer *w, unsigned tap)
{
	unsigned const r = tap % TEMPORARIES;
	if (tap == taps_before_middle(w->of))
		text_printf(&w->to, "texld r%u, %s, s0\n", r, w->place);
	else
		text_printf(&w->to, "texld r%u, r%u, s0\n", r, r);
}

static void write_gauss_offsets(struct writer *w)
{
	for (unsigned first = 0, end; first < w->of->taps; first = end) {
		end = first + BATCH < w->of->taps ? first + BATCH : w->of->taps;
		for (unsigned k = first; k < end; k++)
			write_tap_place(w, k);
		for (unsigned k = first; k < end; k++)
			read_gauss_tap(w, k);
		for (unsigned k = first; k < end; k++)
			add_product_to_sum(w, k % TEMPORARIES, k, 'x');
	}
}

/* ---- chain: a step from tap to tap -------------------------------------------------------- */

static void write_gauss_chain(struct writer *w)
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
			add_product_to_sum(w, 1 + k % TEMPORARIES, k, 'x');
	}
}

/* ---- def: offsets and weights are literals, and two taps with the same weight are added first - */

static void define_pairs(struct writer *w)
{
	const struct gauss_programs *p = w->of;
	for (unsigned k = 0; k < taps_before_middle(p); k++) {
		double const away = (k + 1.0) / p->size;
		text_printf(&w->to, "def c%u, %.9g, 0, 0, %.9g\n", k, -away, away);
	}
	for (unsigned k = 0; k <= taps_before_middle(p); k += LANES) {
		text_printf(&w->to, "def c%u", taps_before_middle(p) + k / LANES);
		for (unsigned l = k; l < k + LANES; l++)
			text_printf(&w->to, ", %.9g", l <= taps_before_middle(p) ? p->weight[taps_before_middle(p) + l] : 0);
		text_string(&w->to, "\n");
	}
}

static void write_pairs(struct writer *w)
{
	unsigned const pairs = taps_before_middle(w->of);
	text_printf(&w->to, "texld r%d, %s, s0\n", SUM, w->place);
	add_product_to_sum(w, SUM, pairs, 'x');
	for (unsigned first = 0, end; first < pairs; first = end) {
		end = first + BATCH / 2 < pairs ? first + BATCH / 2 : pairs;
		for (unsigned k = first; k < end; k++)
			text_printf(&w->to, "add r%u.xy, %s, c%u\nadd r%u.xy, %s, c%u.wzyx\n", 2 * k % TEMPORARIES, w->place, k,
			            2 * k % TEMPORARIES + 1, w->place, k);
		for (unsigned k = 2 * first; k < 2 * end; k++)
			text_printf(&w->to, "texld r%u, r%u, s0\n", k % TEMPORARIES, k % TEMPORARIES);
		for (unsigned k = first; k < end; k++) {
			text_printf(&w->to, "add r%u, r%u, r%u\n", 2 * k % TEMPORARIES, 2 * k % TEMPORARIES, 2 * k % TEMPORARIES + 1);
			add_product_to_sum(w, 2 * k % TEMPORARIES, pairs + (k + 1) / LANES, lane[(k + 1) % LANES]);
		}
	}
}

/* ---- whole programs ------------------------------------------------------------------------ */

static const char *write_gauss_program(struct arena *a, const struct gauss_programs *p)
{
	bool const model_3 = gauss_exceeds_ps_2_0(p);
	struct writer w = {.of = p, .to = {.arena = a}, .place = model_3 ? "v0" : "t0"};
	text_string(&w.to, model_3 ? "ps_3_0\n" : "ps_2_0\n");
	if (p->form == GAUSS_CHAIN)
		text_printf(&w.to, "def c%u, -%u, 0, 0, 0\n", p->taps + 1, taps_before_middle(p));
	if (p->form == GAUSS_DEF)
		define_pairs(&w);
	text_string(&w.to, model_3 ? "dcl_texcoord v0.xy\ndcl_2d s0\n" : "dcl t0.xy\ndcl_2d s0\n");
	switch (p->form) {
	case GAUSS_OFFSETS: write_gauss_offsets(&w); break;
	case GAUSS_CHAIN: write_gauss_chain(&w); break;
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
	return kernel_from_pixel_text(lab, name, write_gauss_program(lab->arena, p), k);
}
