/* Prints a plan of the exhaustive search, for people. */
#include "exhaustive.h"

/* Prints a number as a literal, an input or its negation, or as a value that an instruction reads or writes. */
static void tell_number(struct text *to, const struct brute *b, number n)
{
	if (b->t->at[n].known) {
		text_printf(to, "%g", (double)b->t->at[n].literal);
		return;
	}
	for (unsigned r = 0; r < 8; r++) {
		for (unsigned l = 0; l < LANES; l++) {
			if (b->f->input[r][l] == n || number_minus(b->t, b->f->input[r][l]) == n) {
				text_printf(to, "%st%u.%c", b->f->input[r][l] == n ? "" : "-", r, "xyzw"[l]);
				return;
			}
		}
	}
	for (unsigned i = 0; i < b->f->n; i++) {
		for (unsigned l = 0; l < LANES; l++) {
			for (unsigned k = 0; k < MAX_SOURCES; k++) {
				if (b->f->use[i][k][l] == n || number_minus(b->t, b->f->use[i][k][l]) == n) {
					text_printf(to, "%s%u.%u.%c", b->f->use[i][k][l] == n ? "" : "-", i, k, "xyzw"[l]);
					return;
				}
			}
		}
	}
	text_printf(to, "#%u", n);
}

static void tell_bundle(struct text *to, const struct brute *b, const struct bundle *w)
{
	text_string(to, "(");
	for (unsigned l = 0; l < LANES; l++) {
		text_string(to, l ? ", " : "");
		if (w->at >> l & 1)
			tell_number(to, b, w->n[l]);
	}
	text_string(to, ")");
}

static void tell_making(struct text *to, const struct brute *b, const struct making *m)
{
	text_string(to, "; ");
	tell_bundle(to, b, &m->made);
	text_string(to, " = ");
	if (m->how == FROM_CONST) {
		text_string(to, "c");
		return;
	}
	tell_bundle(to, b, &b->request[m->request].part[0]);
	if (m->how == FROM_LINE)
		text_string(to, " of t, added");
	if (m->factor.at) {
		text_string(to, " * ");
		tell_bundle(to, b, &m->factor);
	}
	if (m->offset.at) {
		text_string(to, " + ");
		tell_bundle(to, b, &m->offset);
	}
}

const char *told(const struct brute *b)
{
	static const char *const names[] = {"t", "c", "share", "widen", "keep", "new of t", "new of c", "sum of two of t", "beside t", "beside c"};
	struct text said = {.arena = b->arena};
	text_string(&said, "");
	for (unsigned c = 0; c < b->choices; c++) {
		const struct choice *x = &b->choice[c];
		text_printf(&said, " %d.%d:%s", x->i, x->k, names[x->what]);
		if (x->what == SHARE || x->what == WIDEN)
			text_printf(&said, " %d", x->making);
	}
	for (unsigned m = 0; m < b->makings; m++)
		tell_making(&said, b, &b->making[m]);
	return said.at;
}
