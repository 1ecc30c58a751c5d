/* Times LU without its arithmetic, and the CPU while it submits the passes, see lu.h. */
#include "gpu/lu.h"

#include "gpu/stats.h"

#include <epoxy/gl.h>
#include <stdlib.h>

/* Returns the program cut off after its last texture read, with an end that outputs the maximum of all texels it read.  In the programs
 * for U, the instructions before the last read compute coordinates alone. */
static const char *without_arithmetic(struct arena *a, const char *fp)
{
	static const char read[] = "\ntexld r";
	struct text t = {.arena = a}, greatest = {.arena = a};
	const char *end = fp;
	unsigned long result = 0;
	for (const char *at = strstr(fp, read); at; at = strstr(end, read)) {
		unsigned long const to = strtoul(at + sizeof read - 1, NULL, 10);
		if (end != fp)
			text_printf(&greatest, "max r%lu, r%lu, r%lu\n", to, to, result);
		result = to;
		end = at + 1 + strcspn(at + 1, "\n");
	}
	text_bytes(&t, fp, (size_t)(end - fp));
	text_printf(&t, "\n%smov oC0, r%lu\n", greatest.n ? greatest.at : "", result);
	return t.at;
}

/* Compiles the programs for U without their arithmetic.  Returns NULL, or one sentence on what is wrong. */
static const char *open_reading_programs(struct lab *lab, const struct lu_part *u, struct lu_part *readers)
{
	const char *wrong = NULL;
	for (unsigned p = 0; p < 2 * LANES && !wrong; p++) {
		const struct kernel *given = p < LANES ? &u->below[p] : &u->top[p - LANES];
		if (given->run)
			wrong = kernel_from_text(lab, given->name, given->run->sources[0].text,
			                         without_arithmetic(lab->arena, given->run->sources[1].text),
			                         p < LANES ? &readers->below[p] : &readers->top[p - LANES]);
	}
	return wrong;
}

struct reading {
	double ns, bytes;
};

/* Returns true if the passes of this kind were drawn by a program of the part. */
static bool is_drawn_by(const struct lu_part *part, const struct kind *kind)
{
	bool found = false;
	for (unsigned p = 0; p < LANES; p++)
		found |= kind->ps == part->below[p].ps || kind->ps == part->top[p].ps;
	return found;
}

/* Computes LU once with these programs for U.  Returns how long the passes of U take, and how many bytes they read. */
static struct reading measure_computation(struct lab *lab, struct lu *l, const struct lu_part *u)
{
	struct record here;
	struct reading sum = {0, 0};
	l->u = *u;
	record_start(&here, lab->arena, true);
	lab->record = &here;
	lu_compute(lab, l);
	record_finish(&here);
	for (uint32_t k = 0; k < here.kinds.n; k++) {
		const struct kind *kind = &here.kinds.at[k];
		sum.ns += is_drawn_by(u, kind) ? kind->ns : 0;
		sum.bytes += is_drawn_by(u, kind) ? kind_bytes(kind) : 0;
	}
	record_free(&here);
	return sum;
}

/* Measures computations with either of two sets of programs for U, in turns, and keeps the fastest time of each set; the first turn warms
 * up. */
static void measure_in_turns(struct lab *lab, struct lu *l, const struct lu_part *const u[2], struct reading least[2])
{
	enum { TURNS = 4 };
	struct record *const own = lab->record;
	for (unsigned k = 0; k < 2 * TURNS; k++) {
		struct reading const r = measure_computation(lab, l, u[k & 1]);
		if (k < 4 || r.ns < least[k & 1].ns)
			least[k & 1] = r;
	}
	lab->record = own;
}

static void say_reading(struct lab *lab, struct lu *l, struct text *t)
{
	struct lu_part *own = arena_alloc(lab->arena, sizeof *own), *readers = arena_zero(lab->arena, sizeof *readers);
	struct reading least[2];
	*own = l->u;
	const char *wrong = open_reading_programs(lab, own, readers);
	if (!wrong) {
		measure_in_turns(lab, l, (const struct lu_part *const[]){own, readers}, least);
		text_printf(t, "  Passes for U take %.4f ms and read %.4g GB/s; without their arithmetic, %.4f ms and %.4g GB/s.\n",
		            least[0].ns / 1e6, least[0].bytes / least[0].ns, least[1].ns / 1e6, least[1].bytes / least[1].ns);
	} else {
		text_printf(t, "  Reads without arithmetic cannot be timed: %s.\n", wrong);
	}
	lu_close_part(readers);
	l->u = *own;
}

/* Writes how long the CPU takes to submit all passes.  With pivoting, it waits for each pivot before it submits the next pass. */
static void say_submission(struct lab *lab, struct lu *l, struct text *t)
{
	struct record *const own = lab->record;
	lab->record = NULL;
	glFinish();
	double const begun = stats_now_ns();
	lu_compute(lab, l);
	double const submitted = stats_now_ns();
	glFinish();
	text_printf(t, "  The CPU has submitted all passes after %.4f ms%s, and the GPU has drawn them after %.4f ms.\n", (submitted - begun) / 1e6,
	            l->form->pivots ? ", in which it waits for pivots" : "", (stats_now_ns() - begun) / 1e6);
	lab->record = own;
}

void lu_say_rates(struct lab *lab, struct lu *l, struct text *t)
{
	say_reading(lab, l, t);
	say_submission(lab, l, t);
}
