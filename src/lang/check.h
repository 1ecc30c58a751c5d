/* Every rule of the models, see rules.def. */
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
	const char *id;        /* "vs-const-port" */
	enum severity severity; /* DIAG_ERROR or DIAG_WARNING */
	const char *meaning;   /* what holds in a program that keeps the rule */
	const char *source;    /* where the rule comes from */
	const char *wrong, *right; /* whole small programs: breaks only this rule; nearest that does not */
};
extern const struct rule_info rules[RULES];

/* Warnings that no program by itself is the cause of. */
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
/* What --warn and --rules know by name. */
enum { WARNINGS = (int)RULES + (int)NOTICES };

struct check_options {
	/* Input that may become short enough: limits of slots and dependent reads are left out,
	 * and a pixel program may have 32 temporaries. */
	bool any_length;
	bool unwritten_warns; /* reading a temporary lane nobody wrote is a warning, not an error */
	/* Statements are missing, since they had syntax errors: rules that ask for a write or a
	 * declaration somewhere before are left out. */
	bool incomplete;
	bool errors_only; /* nobody asks for warnings: those that take long to find are left out */
	const struct device *device; /* that draws the program; NULL: any, which has the least */
	bool longer_warns;    /* a program that is longer than every device allows is warned of, if a device may allow it */
	const struct program *vs; /* that goes with a pixel program, or NULL */
	const struct program *linked; /* the pixel program as it is linked to `vs`; NULL: it is the one that is checked */
};

/* Adds a diagnostic for each breach; what follows from one is not reported again.
 * Time is linear in the program's length, and nothing is allocated but diagnostics. */
void check_program(const struct program *, const struct check_options *, struct diags *);

/* How bad the breaches are that an instruction would make anywhere in the program, 0: there are none; each error counts
 * for more than all warnings.  What the declarations and the instruction itself decide, not what the instructions
 * before it did. */
unsigned check_instr_alone(const struct program *, const struct instr *);

/* RULES when no rule has this id. */
enum rule rule_find(const char *id);
/* The page of one rule or notice, or with NULL the list of all.  False when there is no such id. */
bool rules_describe(struct text *, const char *id);

#endif
