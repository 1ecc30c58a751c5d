/* Every rule of the models, see rules.def. */
#ifndef FPMOVE_LANG_CHECK_H
#define FPMOVE_LANG_CHECK_H

#include "lang/ir.h"

enum rule {
#define RULE(id, ...) id,
#include "lang/rules.def"
#undef RULE
	RULES
};

struct rule_info {
	const char *id;        /* "vs-const-port" */
	enum severity severity; /* DIAG_ERROR or DIAG_WARNING */
	const char *meaning;   /* one sentence */
	const char *source;    /* where the rule comes from */
	const char *wrong, *right; /* whole small programs: breaks only this rule; nearest that does not */
};
extern const struct rule_info rules[RULES];

/* Adds a diagnostic for each breach.  Length limits are left out when `any_length`
 * (input that may become short enough). */
struct check_options {
	bool any_length;
	bool unwritten_warns; /* reading a temporary lane nobody wrote is a warning, not an error */
};
void check_program(const struct program *, const struct check_options *, struct diags *);

#endif
