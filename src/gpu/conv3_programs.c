/* Writes the programs of the workload conv3, see conv3.h. */
#include "gpu/conv3.h"

/* Numbers of r#.  Taps use the first nine in turn, so that at most three reads depend on each other in a row, which ps_2_0 allows. */
enum { TEMPORARIES = 9, STEP = 9, PLACE = 10, SUM = 11 };
static const char lane[] = "xyzw";

struct writer {
	const struct conv3_programs *of;
	struct text to;
	const char *input; /* the pixel's place: t0, or v0 in ps_3_0 */
	unsigned constant; /* number of the first constant behind the weights */
};

static unsigned taps_in_all(enum conv3_form form, unsigned taps)
{
	return form == CONV3_COLUMN ? taps : taps * taps;
}

static bool holds_four(enum conv3_form form)
{
	return form == CONV3_CHAIN || form == CONV3_DEF;
}

unsigned conv3_behind_weights(enum conv3_form form, unsigned taps)
{
	unsigned const all = taps_in_all(form, taps);
	return holds_four(form) ? (all + LANES - 1) / LANES : all;
}

/* Writes the instruction that adds r`r` times the weight of a tap to the sum, or begins the sum if it is tap 0. */
static void add_conv3_tap(struct writer *w, unsigned tap, unsigned r)
{
	bool const four = holds_four(w->of->form);
	unsigned const constant = four ? tap / LANES : tap;
	char const of = four ? lane[tap % LANES] : 'x';
	if (tap == 0)
		text_printf(&w->to, "mul r%d, r%u, c%u.%c\n", SUM, r, constant, of);
	else
		text_printf(&w->to, "mad r%d, r%u, c%u.%c, r%d\n", SUM, r, constant, of, SUM);
}

static void read_conv3_tap(struct writer *w, unsigned tap)
{
	unsigned const r = tap % TEMPORARIES;
	text_printf(&w->to, "texld r%u, r%u, s0\n", r, r);
	add_conv3_tap(w, tap, r);
}

/* ---- offsets, column: the place of a tap is computed from the size of the image -------------- */

/* Writes instructions that compute a lane of the offset of the first line or column. */
static void write_start(struct writer *w, char l)
{
	text_printf(&w->to, "rcp r%d.%c, c%u.%c\n", STEP, l, w->constant, l);
	text_printf(&w->to, "mul r%d.%c, r%d.%c, c%u.x\n", PLACE, l, STEP, l, w->constant + 1);
}

static void write_step(struct writer *w, char l)
{
	text_printf(&w->to, "add r%d.%c, r%d.%c, r%d.%c\n", PLACE, l, PLACE, l, STEP, l);
}

static void write_conv3_offsets(struct writer *w)
{
	unsigned const taps = w->of->taps, columns = w->of->form == CONV3_COLUMN ? 1 : taps;
	write_start(w, 'y');
	if (columns > 1)
		text_printf(&w->to, "rcp r%d.x, c%u.x\n", STEP, w->constant);
	for (unsigned tap = 0; tap < columns * taps; tap++) {
		unsigned const r = tap % TEMPORARIES;
		if (columns > 1 && tap % columns == 0)
			text_printf(&w->to, "mul r%d.x, r%d.x, c%u.x\n", PLACE, STEP, w->constant + 1);
		text_printf(&w->to, columns > 1 ? "mov r%u.x, r%d.x\n" : "mov r%u.x, c%d.y\n", r, columns > 1 ? PLACE : (int)w->constant + 1);
		text_printf(&w->to, "mov r%u.y, r%d.y\nadd r%u.xy, r%u, %s\n", r, PLACE, r, r, w->input);
		read_conv3_tap(w, tap);
		if (columns > 1 && (tap + 1) % columns > 0)
			write_step(w, 'x');
		else if (tap + 1 < columns * taps)
			write_step(w, 'y');
	}
}

/* ---- chain: line by line, forwards and backwards in turn ------------------------------------- */

static void write_conv3_chain(struct writer *w)
{
	unsigned const taps = w->of->taps;
	text_printf(&w->to, "mov r%d.xy, %s\n", PLACE, w->input);
	for (unsigned k = 0; k < taps / 2; k++)
		text_printf(&w->to, "sub r%d.xy, r%d, c%u\n", PLACE, PLACE, w->constant);
	for (unsigned k = 0; k < taps * taps; k++) {
		unsigned const line = k / taps, column = k % taps, r = k % TEMPORARIES;
		bool const back = line % 2, down = column == taps - 1;
		text_printf(&w->to, "texld r%u, r%d, s0\n", r, PLACE);
		add_conv3_tap(w, line * taps + (back ? taps - 1 - column : column), r);
		if (k + 1 < taps * taps)
			text_printf(&w->to, "%s r%d.%c, r%d.%c, c%u.%c\n", back && !down ? "sub" : "add", PLACE, down ? 'y' : 'x', PLACE,
			            down ? 'y' : 'x', w->constant, down ? 'y' : 'x');
	}
}

/* ---- def: a constant for two taps that lie opposite each other --------------------------------- */

static void define_offsets(struct writer *w)
{
	unsigned const taps = w->of->taps;
	for (unsigned k = 0; k < taps * taps / 2; k++) {
		double const x = ((double)(k % taps) - taps / 2) / w->of->size, y = ((double)(k / taps) - taps / 2) / w->of->size;
		text_printf(&w->to, "def c%u, %.9g, %.9g, %.9g, %.9g\n", w->constant + k, x, y, -y, -x);
	}
}

static void write_literals(struct writer *w)
{
	unsigned const all = w->of->taps * w->of->taps, middle = all / 2;
	for (unsigned tap = 0; tap < all; tap++) {
		unsigned const r = tap % TEMPORARIES, constant = w->constant + (tap < middle ? tap : all - 1 - tap);
		if (tap == middle) {
			text_printf(&w->to, "texld r%u, %s, s0\n", r, w->input);
			add_conv3_tap(w, tap, r);
		} else {
			text_printf(&w->to, "add r%u.xy, %s, c%u%s\n", r, w->input, constant, tap < middle ? "" : ".wzyx");
			read_conv3_tap(w, tap);
		}
	}
}

/* ---- whole programs ------------------------------------------------------------------------------ */

/* Returns true if the program exceeds ps_2_0, which has 64 arithmetic slots, of which offsets take 6 a tap, and 32 texture slots. */
static bool conv3_exceeds_ps_2_0(const struct conv3_programs *p)
{
	static const unsigned most[CONV3_FORMS] = {[CONV3_OFFSETS] = 3, [CONV3_CHAIN] = 5, [CONV3_DEF] = 5, [CONV3_COLUMN] = CONV3_MOST_TAPS};
	return p->taps > most[p->form];
}

static const char *write_conv3_program(struct arena *a, const struct conv3_programs *p)
{
	bool const model_3 = conv3_exceeds_ps_2_0(p);
	struct writer w = {.of = p, .to = {.arena = a}, .input = model_3 ? "v0" : "t0", .constant = conv3_behind_weights(p->form, p->taps)};
	text_string(&w.to, model_3 ? "ps_3_0\n" : "ps_2_0\n");
	if (p->form == CONV3_DEF)
		define_offsets(&w);
	text_string(&w.to, model_3 ? "dcl_texcoord v0.xy\ndcl_2d s0\n" : "dcl t0.xy\ndcl_2d s0\n");
	switch (p->form) {
	case CONV3_OFFSETS:
	case CONV3_COLUMN: write_conv3_offsets(&w); break;
	case CONV3_CHAIN: write_conv3_chain(&w); break;
	case CONV3_DEF: write_literals(&w); break;
	case CONV3_FORMS: break;
	}
	text_printf(&w.to, "mov oC0, r%d\n", SUM);
	return w.to.at;
}

const char *conv3_open_kernel(struct lab *lab, const struct conv3_programs *p, struct kernel *k)
{
	static const char *const names[CONV3_FORMS] = {"", "_chain", "_def", ""};
	const char *name = p->form == CONV3_COLUMN ? arena_printf(lab->arena, "convolution%u", p->taps)
	                                           : arena_printf(lab->arena, "convolution%ux%u%s", p->taps, p->taps, names[p->form]);
	return kernel_from_pixel_text(lab, name, write_conv3_program(lab->arena, p), k);
}
