/* Says in words what became of each line of a pixel program whose pair is done. */
#ifndef FPMOVE_CLI_EXPLAIN_H
#define FPMOVE_CLI_EXPLAIN_H

#include "pipeline.h"
#include "verify/outcome.h"

/* A group of lanes of one FP instruction that share outcome (verify/outcome.h), reason and register.  The lanes may be computed by different
 * lines of the new programs (`vs` and `ps` list all these lines), and may be parts of different registers (`part`). */
struct said {
	lanes lanes; /* 0 for an instruction without a result */
	uint8_t outcome; /* enum outcome */
	uint8_t verdict; /* enum verdict: why the new FP still computes the lanes; VERDICTS if it does not, or if nothing moved in the whole pair */
	struct outcome_place at; /* register of the new FP that holds the lanes (file REG_FILES if none), place of the first lane, sign */
	struct outcome_places part;
	struct outcome_instrs vs, ps;
	bool application;
	double number;
};
/* Groups the lanes of an FP instruction by outcome, reason and register.  Writes the groups to `to` and returns their number. */
unsigned explain_lanes(const struct run *, uint32_t instr, struct said to[LANES]);
/* Returns true if the new pixel program still computes the lanes. */
static inline bool said_stays(const struct said *s)
{
	return s->outcome == OUTCOME_KEPT || s->outcome == OUTCOME_RECOMPUTED;
}
/* Returns the name of the rule that keeps the lanes in the pixel program, as in the report ("C1"), or "unchanged" if nothing moved in the pair. */
const char *said_rule(const struct said *);
/* Returns the reason why the lanes stay in the pixel program, as one clause. */
const char *said_why(const struct run *, const struct said *);
/* Returns the line, in the given FP, of the instruction whose value the lanes need and which stays, if that is the reason why they stay;
 * otherwise 0. */
unsigned said_because(const struct run *, uint32_t instr, const struct said *);
/* Writes the register of the new FP that holds the values of the lanes now, "t1.xy".  Returns false if no register does. */
bool said_place(struct text *, const struct run *, uint32_t instr, const struct said *);
/* Writes the k-th (from 0) of the new FP's registers that hold values computed from the lanes, "t1.x".  Returns false if there are fewer. */
bool said_part(struct text *, const struct run *, const struct said *, unsigned k);
/* Returns the number of the line on which the new program of that stage begins in its output file. */
unsigned explain_first_line(const struct run *, enum stage);
/* Returns the line number of an instruction of the new program in its output file. */
unsigned explain_new_line(const struct run *, enum stage, uint32_t instr);
/* Writes the outcome of an instruction of the given FP: "moved      to t1.xy, VP 12" if line 12 of the new VP computes it. */
void explain_instr(struct text *, const struct run *, uint32_t instr);
/* Writes a line that explains the words "needs line N", if explain_instr() writes these words for some instruction of this FP. */
void explain_legend(struct text *, const struct run *);
/* Returns a clause that says why nothing moved in a pair that is unchanged. */
const char *explain_why_unchanged(const struct run *);
/* Returns true if the target of the run is the default, "slots", by which the cost of a pixel is the number of its FP slots. */
bool explain_counts_slots(const struct run *);

#endif
