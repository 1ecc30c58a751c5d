/* What became of each line of a done pair's pixel program, in words. */
#ifndef FPMOVE_CLI_EXPLAIN_H
#define FPMOVE_CLI_EXPLAIN_H

#include "pipeline.h"
#include "verify/outcome.h"

/* Lanes of one instruction of which the same can be said; where they differ in lines or in what they are part of, all of
 * these together. */
struct said {
	lanes lanes; /* 0: of an instruction without a result */
	uint8_t outcome; /* enum outcome */
	uint8_t verdict; /* kept and recomputed: why they stay, enum verdict; VERDICTS: as show_why_unchanged says */
	struct outcome_place at; /* of the first lane, as in struct lane_outcome; so are the others */
	struct outcome_places part;
	struct outcome_instrs vs, ps;
	bool application;
	double number;
};
/* How many there are. */
unsigned explain_lanes(const struct run *, uint32_t instr, struct said to[LANES]);
/* Does the pixel program still compute them? */
static inline bool said_stays(const struct said *s)
{
	return s->outcome == OUTCOME_KEPT || s->outcome == OUTCOME_RECOMPUTED;
}
/* Why lanes stay: the report's rule and one clause. */
const char *said_rule(const struct said *);
const char *said_why(const struct run *, const struct said *);
/* The line of the given FP with what holds them back; 0: there is none. */
unsigned said_because(const struct run *, uint32_t instr, const struct said *);
/* Where the lanes are, "t1.xy"; false: nowhere. */
bool said_place(struct text *, const struct run *, uint32_t instr, const struct said *);
/* The k-th register that they are part of; false: there are no more. */
bool said_part(struct text *, const struct run *, const struct said *, unsigned k);
/* The line of the written file that a new program begins at. */
unsigned explain_first_line(const struct run *, enum stage);
/* The line of an instruction of the new programs in that file. */
unsigned explain_new_line(const struct run *, enum stage, uint32_t instr);
/* What became of an instruction: "moved  to t1.xy (VP 12)". */
void explain_instr(struct text *, const struct run *, uint32_t instr);

#endif
