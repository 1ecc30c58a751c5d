/* Finds the pairs of a batch (a VP and an FP that are drawn together) in a folder, a list or a table. */
#ifndef FPMOVE_CLI_COLLECT_H
#define FPMOVE_CLI_COLLECT_H

#include "cli/options.h"

struct batch_pair {
	const char *vs, *ps;         /* paths of the input files; equal if one file holds both programs, or for an FP alone */
	const char *vs_out, *ps_out; /* paths of the new programs, relative to the output folder */
	uint32_t index;              /* index among all pairs of the batch, including those that --shard leaves out */
	const char *function;        /* name of the pair's C function for --preshader, or NULL */
	bool effect;                 /* true if both paths name one effect file */
	bool lone;                   /* true if both paths name one FP without a VP; its VP is that of --vp, or unknown */
	uint32_t line;               /* line of the list or table that names the pair, or 0 if none does */
	const char *refused;         /* reason to reject the pair without reading it, or NULL */
	uint32_t vs_number, ps_number; /* for a unit that is SHARES_BOTH: numbers of the two programs within the unit, from 0 */
	bool ps_stays;               /* for a unit that is SHARES_BOTH: true if the FP is written unchanged */
	bool ps_elsewhere;           /* for a unit that is SHARES_BOTH: true if the unit of an earlier pair writes the FP */
};

/* The form of the message about a file, or a line of a list, of which no pair was made. */
enum passing {
	PASSED_IS,    /* "1 file is WHY" */
	PASSED_LOOKS, /* "1 file looks like WHY" */
	PASSED_ALONE, /* "1 file without a partner", a program; below it "FILE: WHY" */
	PASSED_LINE   /* "1 line names WHY" */
};
struct passed {
	const char *file, *why;
	enum passing how;
	bool fails; /* true if this makes the batch's exit status other than 0; then --quiet reports it, too */
};

/* The programs that the pairs of a unit share.  The pairs of a unit are planned together. */
enum sharing {
	SHARES_VP,
	SHARES_FP,
	SHARES_BOTH /* some pairs share a VP and others an FP, or an FP of the unit stays unchanged (units.h) */
};

/* Pairs that are planned and written together: a single pair, or several that share programs. */
struct batch_unit {
	struct batch_pair *pairs;
	uint32_t n;
	enum sharing sharing;
};

struct collected {
	struct { VEC(struct batch_pair); } pairs;
	struct { VEC(struct batch_unit); } units;
	struct { VEC(struct passed); } passed;
	bool unreadable, rejected; /* true if a subfolder could not be read; true if a file with a program's suffix holds no program */
	struct names stale; /* warnings "FILE: why" about old files that no longer fit a rewritten partner, or that a killed run left behind */
};

/* Finds the pairs of the folder `from` and the folders below it, mostly by equal names without suffix (foo.vsh with foo.psh), or those of the
 * list or table `from`.  A file that holds an effect, both programs, or an FP without a VP is a pair by itself.  Divides the pairs into units
 * and refuses those whose outputs clash.  The order of pairs does not depend on the file system.  Returns false and sets `*why` only if the
 * folder, list or table itself cannot be read. */
bool collect_pairs(struct arena *, const char *from, const struct options *, struct collected *, const char **why);
/* Returns true if `out`, a path below the output folder of -o, and the input `from` are one existing file, so that the output would replace the
 * input. */
bool output_in_place(struct arena *, const struct options *, const char *from, const char *out);
#endif
