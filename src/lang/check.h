/* Checks programs against the rules of their models, see rules.def. */
#ifndef FPMOVE_LANG_CHECK_H
#define FPMOVE_LANG_CHECK_H

#include "lang/device.h"

enum rule {
#define RULE(id, ...) id,
#include "lang/rules.def"
#undef RULE
	RULES
};

struct rule_info {
	const char *id;         /* name of the rule as users write it, such as "vs-const-port" */
	enum severity severity; /* DIAG_ERROR or DIAG_WARNING */
	const char *meaning;    /* a statement that is true of each program that keeps the rule */
	const char *source;     /* the documentation of the rule */
	const char *wrong;      /* a whole small program that breaks only this rule */
	const char *right;      /* `wrong` with the fewest changes that mend it */
};
extern const struct rule_info rules[RULES];

/* A warning that belongs to no rule of the checker; `meaning` is a statement that is true where the warning is not due. */
struct notice {
	const char *id, *meaning;
};
enum notice_id {
#define NOTICE(id, meaning) + 1
	NOTICES = 0
#include "lang/notices.def"
#undef NOTICE
};
extern const struct notice notices[NOTICES];
/* The number of rules and notices, whose ids --warn and --rules know. */
enum { WARNINGS = (int)RULES + (int)NOTICES };

struct check_options {
	/* The program is an input that fpmove may make short enough: the limits of slots and of dependent reads are not checked,
	 * and a pixel program may have 32 temporaries. */
	bool any_length;
	bool unwritten_warns; /* reading a temporary lane that no instruction wrote is a warning, not an error */
	/* Statements with syntax errors are not in the program, so rules that need a write or declaration in another statement are not checked. */
	bool incomplete;
	bool errors_only;     /* do not look for sums that round, which get only warnings and take long to find */
	const struct device *device; /* the device that draws the program, or NULL for the limits that every device has */
	bool longer_warns;    /* a program that is too long for some devices, but not for all, gets a warning instead of an error */
	const struct program *vs;     /* the vertex program that a pixel program is drawn with, or NULL */
	const struct program *linked; /* the pixel program after link_pair() with `vs`, or NULL if the checked program is linked */
};

/* Adds diagnostics for breaches of the rules.  Reports repeated breaches of some rules once, and none that only follows from another. */
void check_program(const struct program *, const struct check_options *, struct diags *);

/* Returns a score of the rules that the instruction breaks: 0 if it breaks none; one error scores more than all warnings.  Considers the
 * instruction and the program's declarations, but not other instructions: all registers that it reads count as written. */
unsigned check_instr_alone(const struct program *, const struct instr *);

/* Returns the rule with this id, or RULES if there is none. */
enum rule rule_find(const char *id);
/* Prints the page of one rule or notice, or the list of all if `id` is NULL.  Returns false if no rule or notice has the id. */
bool rules_describe(struct text *, const char *id);

#endif
