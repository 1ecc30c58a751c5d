/* Says in words what became of each line of a pixel program whose pair is done. */
#ifndef FPMOVE_CLI_EXPLAIN_H
#define FPMOVE_CLI_EXPLAIN_H

#include "pipeline.h"
#include "verify/outcome.h"

/* A group of lanes of one instruction that share outcome, reason and register.  They may differ in the lines that compute them and in the
 * registers that they are part of; `part`, `vs` and `ps` hold these of all lanes. */
struct said {
	lanes lanes; /* 0 for an instruction without a result */
	uint8_t outcome; /* enum outcome */
	uint8_t verdict; /* enum verdict: why kept or recomputed lanes stay; VERDICTS if explain_why_unchanged tells the reason */
	struct outcome_place at; /* place of the first lane, as in struct lane_outcome; the others share its register and sign */
	struct outcome_places part;
	struct outcome_instrs vs, ps;
	bool application;
	double number;
};
/* Writes the groups of an instruction's lanes to `to` and returns their number. */
unsigned explain_lanes(const struct run *, uint32_t instr, struct said to[LANES]);
/* Returns true if the new pixel program still computes the lanes. */
static inline bool said_stays(const struct said *s)
{
	return s->outcome == OUTCOME_KEPT || s->outcome == OUTCOME_RECOMPUTED;
}
/* Returns the name of the rule that keeps the lanes in the pixel program, as in the report: "C1". */
const char *said_rule(const struct said *);
/* Returns the reason why the lanes stay, as one clause. */
const char *said_why(const struct run *, const struct said *);
/* Returns the line of the given FP whose value the lanes need and which stays, or 0 if there is none. */
unsigned said_because(const struct run *, uint32_t instr, const struct said *);
/* Writes the register that holds the lanes now, "t1.xy".  Returns false if no register does. */
bool said_place(struct text *, const struct run *, uint32_t instr, const struct said *);
/* Writes the k-th register that the lanes are part of.  Returns false if there are fewer. */
bool said_part(struct text *, const struct run *, const struct said *, unsigned k);
/* Returns the line of the written file on which a new program begins. */
unsigned explain_first_line(const struct run *, enum stage);
/* Returns the line of the written file on which an instruction of a new program stands. */
unsigned explain_new_line(const struct run *, enum stage, uint32_t instr);
/* Writes what became of an instruction of the given FP: "moved  to t1.xy (VP 12)". */
void explain_instr(struct text *, const struct run *, uint32_t instr);
/* Writes a line that explains "needs line N" if explain_instr writes it for an instruction of this FP. */
void explain_legend(struct text *, const struct run *);
/* Returns a clause that says why a pair is unchanged. */
const char *explain_why_unchanged(const struct run *);
/* Returns true if the costs of the run are slots. */
bool explain_counts_slots(const struct run *);

#endif
