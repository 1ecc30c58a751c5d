/* Writes --csv, see csv.h. */
#include "cli/csv.h"

#include "cli/message.h"
#include "cli/options.h"
#include "cli/report.h"

void csv_field(struct text *t, const char *s)
{
	text_char(t, '"');
	for (; *s; s++)
		text_printf(t, *s == '"' ? "\"\"" : "%c", *s);
	text_string(t, "\",");
}

const char csv_head[] =
	"vs,ps,status,ps_slots_before,ps_slots_after,vs_slots_before,vs_slots_after,arith_before,arith_after,tex_before,"
	"tex_after,dependent_reads_before,dependent_reads_after,interpolators_before,interpolators_after,constants,proof,optimal,gap\n";

void csv_pair(struct text *t, const struct run *r, const char *vs, const char *ps)
{
	bool done = run_is_done(r);
	const struct measure *p0 = &r->ps_before, *v0 = &r->vs_before;
	const struct measure *p1 = done ? &r->ps_after : p0, *v1 = done ? &r->vs_after : v0;
	csv_field(t, r->vs ? shown_name(r->vs->source->name) : vs);
	csv_field(t, r->ps ? shown_name(r->ps->source->name) : ps);
	text_printf(t, "%s,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%s,%s,", report_status(r->status), p0->slots, p1->slots, v0->slots,
	            v1->slots, p0->arith, p1->arith, p0->tex, p1->tex, p0->order, p1->order, p0->inputs, p1->inputs,
	            done ? (unsigned)r->needs.consts.n : 0,
	            !r->proved ? "none" : r->proof.equal ? "equal" : "different", done && r->moved && r->moved->optimal ? "yes" : "no");
	if (done && r->moved && (r->moved->optimal || r->moved->gap))
		text_unsigned(t, r->moved->gap);
	text_char(t, '\n');
}
