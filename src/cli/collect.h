/* Which files of a folder, or of a list, are pairs. */
#ifndef FPMOVE_CLI_COLLECT_H
#define FPMOVE_CLI_COLLECT_H

#include "cli/options.h"

struct batch_pair {
	const char *vs, *ps;         /* as they are opened; the same when one file holds both */
	const char *vs_out, *ps_out; /* below the output folder */
	uint32_t index;              /* among all pairs, before --shard took some */
	const char *function;        /* --preshader: its name, or NULL */
	bool effect;                 /* one file, which is an effect */
	bool lone;                   /* one file, which is a pixel program; it is drawn with --vp, or nobody knows what with */
	uint32_t line;               /* of the list; 0 if there is none */
	const char *refused;         /* why it is rejected unread, or NULL */
	uint32_t vs_number, ps_number; /* of SHARES_BOTH: among the programs of the unit */
	bool ps_stays;               /* of SHARES_BOTH: the pixel program is written as it was given */
	bool ps_elsewhere;           /* of SHARES_BOTH: the unit of an earlier pair writes the pixel program */
};

/* A file, or a line of a list, that no pair was made of. */
enum passing {
	PASSED_IS,    /* a file that is `why` */
	PASSED_LOOKS, /* that looks like it */
	PASSED_ALONE, /* a program without a partner: `why` is a sentence */
	PASSED_LINE   /* a line that names it */
};
struct passed {
	const char *file, *why;
	enum passing how;
	bool fails; /* the batch's exit status is not 0 for it, so that it is said with --quiet, too */
};

/* The program that the pairs of a unit share. */
enum sharing {
	SHARES_VP,
	SHARES_FP,
	SHARES_BOTH /* some pairs share a VP, some an FP; or their FPs stay, see units.h */
};

/* Pairs that are worked on together: one, or several that share programs. */
struct batch_unit {
	uint32_t first, n;
	enum sharing sharing;
};

struct collected {
	struct { VEC(struct batch_pair); } pairs;
	struct { VEC(struct batch_unit); } units;
	struct { VEC(struct passed); } passed;
	bool unreadable, rejected; /* a file could not be read; a file with the suffix of programs holds none */
	struct names stale; /* files to warn of, as "FILE: why": they no longer go with rewritten ones, or a killed run left them */
};

/* Finds the pairs of a folder and those below it, by stem: foo.vsh with foo.psh; or of a list.  Effects are pairs of one file.  Their
 * order is fixed, whatever the file system's is.  Returns false, and `*why`, only if the folder or list itself cannot be read. */
bool collect_pairs(struct arena *, const char *from, const struct options *, struct collected *, const char **why);
/* Returns true if the output is the input file. */
bool output_in_place(struct arena *, const struct options *, const char *from, const char *out);
#endif
