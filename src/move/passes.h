/* The face of the mover: what src/pipeline.c calls.  -O1 is flow -> conditions -> rewrite; -O2 and -O3 are values -> ways to write
 * the FP -> for each a plan, with and without alternatives -> both programs -> tidying, and the best pair of all is taken.
 *
 * Programs that come in were parsed and checked; programs that go out are new
 * copies.  Nothing here prints, exits or allocates outside the arena. */
#ifndef FPMOVE_MOVE_PASSES_H
#define FPMOVE_MOVE_PASSES_H

#include "lang/ir.h"
#include "move/target/target.h"

struct range { int first, last; }; /* both included; empty if last < first */

/* Holds the budgets that a result must fit. */
struct budgets {
	unsigned vs_slots;      /* most slots the VP may have */
	unsigned vs_temps;      /* temporaries the VP may use: r0 .. r(n-1) */
	struct range vs_consts; /* VP constants that may be taken */
	bool vs_consts_given;   /* the user named them, so they may be taken even beside relative addressing */
	unsigned texcoords;     /* oT/t registers there are: 0 .. n-1 */
	unsigned ps_arith, ps_tex; /* most slots of either kind that the FP may have */
};

/* Budgets and switches of one run, each by itself as on the command line; `move_options_default` gives the models' own limits. */
struct move_options {
	int level;              /* 0..3 */
	unsigned max_moves;     /* moved instructions; UINT_MAX: all */
	unsigned ps_slots;      /* stop moving once the FP has this many or fewer; 0: never stop */
	struct budgets budget;
	bool drop_in;           /* no new constant from the application */
	bool vp_stays;          /* -O2: the VP stays as it is, so that an interpolator brings what it brought */
	bool faster;            /* only a result of less time is of use: of plans that take as long, the first will do */
	bool paper_too;         /* where `faster`: the method of -O1 is tried */
	bool tidied;            /* the pair as it is was tidied, and had no literal that notes keep as it is */
	bool preshader;         /* -O2, one pair: the application does the work on constants alone, by the function of --preshader */
	struct range ps_consts; /* FP constants that the results of that function may take */
	bool colour_inputs;     /* values may come through v0, v1 */
	bool free_position;     /* positions need not be bit for bit those of the VP as it was */
	unsigned plain_textures; /* bit n: s#n is no texture of depths */
	unsigned finite_textures; /* bit n: no texel of s#n is infinite or NaN */
	bool free_ties;         /* an interpolator may bring a number made of constants alone even where a comparison depends on it, see ties.h */
	bool as_published;      /* -O1: each moved instruction has a mov of its own to the output, as in the figures of the paper */
	unsigned planted;       /* for tests: bit 1 << PLANT_* plants that mistake, in the method of -O1 where plants.def names no other part */
	struct target target;   /* -O2: what each instruction costs, see target.h */
	uint32_t several;       /* bits of enum target_id: none of these targets may lose, and their shares count; `target` stands for all of
	                         * them then, see target_joint(); 0: none */
	unsigned pixels_per_vertex; /* how often the FP runs for each run of the VP, which weighs the costs of both */
	uint32_t effort;        /* -O2: nodes of one search, before the plan found so far is taken; a way takes several searches */
	struct profile *profile; /* how long passes take; NULL: nobody asks */
};

/* Mistakes for tests to plant. */
enum plant {
#define PLANT(id, name, what) id,
#include "move/plants.def"
#undef PLANT
	PLANTS
};
static inline bool is_planted(const struct move_options *o, enum plant p)
{
	return o->planted >> p & 1;
}

/* Of a value that is `withheld` or not, and needs what the application sets (`app`) or not: may no VP have it? */
static inline bool is_refused(const struct move_options *o, bool withheld, bool app)
{
	return withheld || (o->drop_in && app);
}

struct move_options move_options_default(enum model vs, enum model ps);
/* Takes the freedoms that the paper took, see --as-published. */
void move_as_published(struct move_options *);

/* Why an instruction, or a lane of it, stays in the FP, or that it moved. */
enum verdict {
#define VERDICT(id, rule, why) id,
#include "move/verdicts.def"
#undef VERDICT
	VERDICTS
};
struct verdict_info {
	const char *rule; /* "C1" ... "C4", "budget", "moved": the report's `rule` */
	const char *why;  /* one clause, without the instruction's name */
};
extern const struct verdict_info verdicts[VERDICTS];

/* What the plan decided about one FP instruction.  What became of it in the end is told by verify/outcome.h: the FP may
 * compute again what the plan moved, and tidying may remove what the plan kept. */
struct fate {
	uint8_t verdict;      /* enum verdict of the instruction as a whole */
	uint8_t lane[LANES];  /* enum verdict of each lane it writes; of a lane that moves: why the FP computes it again, if it does */
	lanes moved;          /* lanes that leave the FP */
	lanes preset;         /* those of the lanes in `moved` that the application computes */
	uint32_t because;     /* FP instruction that holds it back (C4), or UINT32_MAX */
};

/* Why FP instruction k stays, of whose lanes `mask` does: looked up in the values of its program, as a plan knows no reasons. */
struct values;
void explain_stay(const struct values *, const struct move_options *, uint32_t k, lanes mask, struct fate *);

struct move_result {
	struct program *vs, *ps;   /* the new programs, or copies of those given when nothing moved */
	struct fate *fates;        /* one for each FP instruction of the input */
	struct { VEC(struct const_map); } consts; /* what the application must now set on the VP */
	struct folds folds;        /* literals made at compile time, for the proof */
	unsigned moved;            /* instructions that leave the FP, as the plan has it */
	bool optimal;              /* -O2: no plan that the searches know is cheaper, and they saw all of them */
	uint32_t nodes;            /* -O2: search nodes */
	unsigned vs_estimated, vs_written; /* -O2, one pair: slots of the VP as the search estimated them, and of the VP that it wrote */
	unsigned gap;              /* -O2: if not optimal, by how much the plan's time is above one that no plan goes under
	                            * (cut/bound.c), rounded up to whole units of the target: for the default target, FP slots; 0: not
	                            * known */
	bool final;                /* -O2: moving the result again finds nothing, as a rule */
	bool left_by_plan;         /* -O2: the method of -O1 moves an instruction of the input that this keeps */
	const struct story *story; /* -O2: how it came about, see story.h; NULL: without planning */
	bool staged;               /* -O2: max_moves or ps_slots asked for the method of -O1 */
};

struct outputs_read outputs_read_by(const struct program *ps);
/* What either reads. */
struct outputs_read outputs_read_by_both(const struct outputs_read *, const struct outputs_read *);

/* Registers that tidying may take, and what it may change.  Constants in `consts` may become literals unless `old` reads
 * them.  A lane of a def that a note in `folds` names keeps its register and lane, since the proof looks for it there. */
struct tidy_limits {
	const struct program *old;
	struct range consts;
	const struct folds *folds;
	unsigned temps; /* r0 .. r(temps-1) */
	bool choices;   /* a cmp costs no more than a mov, so that it may take the place of several movs */
	bool straight;  /* no scalars are joined into vectors of turned lanes, which some hardware has to move together */
	lanes written[MOST_TEXCOORDS]; /* of a pixel program: lanes of each t# that all its VPs write, as far as that is known */
	unsigned finite_textures; /* of move_options */
	bool free_position; /* sums and products that oPos and a0 depend on may be regrouped, which changes their last bits */
	bool regroup; /* sums and products may be made in another order, for float arithmetic another number: -O3, and not where
	               * the program rounds */
	struct profile *profile; /* of move_options */
	bool consts_named; /* the user named `consts`, so that c[a0.x + n] reads none of them */
};
/* The limits that the options set to a program made of `old`.  `rounds`: the pair has sums that float arithmetic rounds. */
struct tidy_limits tidy_limits_of(const struct program *old, bool rounds, const struct move_options *, const struct folds *);

/* Shortens a program of either stage in place: dead code and lanes, copies, movs that another
 * destination saves, equal values, lanes of one operation, mul and add to mad; then the
 * declarations that nothing needs any more.  `read`: of a VP, what its outputs are wanted for;
 * NULL: all of them.  `limits`: NULL if nothing may be taken, and there is no note.  True if it
 * changed anything. */
bool tidy_program(struct arena *, struct program *, const struct outputs_read *read, const struct tidy_limits *limits);

/* Relieves an FP, before it is planned, of copies, repeated computations, factors 1, summands 0, decisions by what was decided before,
 * and dead code; a product that is added to something becomes a mad.  Each instruction keeps its `at`, or is gone.  Returns true if that
 * changed anything. */
bool tidy_settle(struct arena *, struct program *ps);

/* Has what a mov brings to an oC# of model 3 written there where it is computed, if the mov goes by that and the target finds it no
 * dearer: a scalar that is spread over lanes is computed in each of them.  When all else is done, since what writes an output is
 * neither moved nor joined with anything. */
bool tidy_outputs(struct arena *, struct program *ps, const struct target *);

/* A copy of the FP in which 2D reads are INSTR_DEPTH whose texture may be of depths (D24X8, D16 ...), which compares the
 * texel with the coordinate's .z: each whose result comes to something, of a sampler not in `plain`, at a .z that the FP
 * wrote, or that one of the VPs did and the dcl of the t# names.
 *
 * But for leftovers: another read of the sampler is at a .z that nobody wrote, where a depth would give anything, so that
 * the texture hardly is one; then a lane of an r# does not count if it serves something else than being compared.  (The
 * paper's convolution reads its image so.)  The passes below take a program so marked, and keep that lane as others. */
struct program *mark_depth_reads(struct arena *, const struct program *ps, const struct program *const *vs, unsigned nvs,
                                 unsigned plain);

/* Finds the instructions of the FP that compute a pixel value, or another one that no plan moves: they stay.  No plan is made for it. */
void move_find_staying(struct arena *, const struct program *vs, const struct program *ps, const struct move_options *, bool *stays);

/* -O1: the paper's method. */
struct move_result *move_paper(struct arena *, const struct program *vs, const struct program *ps,
                               const struct move_options *);

/* Work that may go into the plan of a group, in steps that are the same on every machine: about as many as 10 million
 * of them take a second.  Single pairs have what options->effort gives them. */
struct allowance {
	uint64_t left, all;
	uint64_t later; /* steps of `left` that are kept for the next plan */
	/* Called now and then while a plan is searched for; false stops the search.  NULL: nobody is called. */
	bool (*tell)(void *who, const struct allowance *);
	void *who;
	bool stopped;   /* `tell` stopped the search, so that a better plan may exist */
};

/* Pairs that have a program in common, and are to have one in common afterwards: one VP with several
 * FPs, one FP with several VPs, or a single pair. */
struct group {
	const struct program *const *vs, *const *ps;
	unsigned nvs, nps;                  /* one of them is 1 */
	const struct move_options *options; /* of each VP */
	struct allowance *allowance;        /* NULL: no end but that of the search */
};
/* Do the options' targets, models and budgets find `a` no worse than `b`, over all pairs? */
bool move_not_worse(const struct group *, struct move_result *const *a, struct move_result *const *b);
/* Their time by the target of the options. */
uint64_t move_time(const struct group *, struct move_result *const *);
/* A copy of the result of an FP of `instrs` instructions that reads nothing of the memory that planning took, without its story. */
struct move_result *move_keep(struct arena *, const struct move_result *, uint32_t instrs);
/* Every pair fits its models and budgets. */
bool move_fits(const struct group *, struct move_result *const *);
static inline unsigned group_pairs(const struct group *g)
{
	return g->nvs * g->nps;
}
static inline const struct program *group_vs(const struct group *g, unsigned pair)
{
	return g->vs[g->nvs > 1 ? pair : 0];
}
static inline const struct program *group_ps(const struct group *g, unsigned pair)
{
	return g->ps[g->nps > 1 ? pair : 0];
}
static inline const struct move_options *group_options(const struct group *g, unsigned pair)
{
	return &g->options[g->nvs > 1 ? pair : 0];
}

/* -O1 for a group: what moves leaves all its pairs served.  `results`: of each pair. */
void paper_together(struct arena *, const struct group *, struct move_result **results);

/* All levels from -O1 on: at -O2 and -O3 one plan for the group, but never worse in all than
 * paper_together, nor slower for any pair than as it was. */
void move_together(struct arena *, const struct group *, struct move_result **results);

/* Holds what all plans for a group share: its values, the ways to write its FPs, and its results by the method of -O1. */
struct moving;
struct moving *moving_begin(struct arena *, const struct group *);
/* Returns the result of a pair for fewest slots, by the same steps as where the options ask for them. */
struct move_result *moving_for_slots(struct moving *);
/* Returns the result of a pair by the target of the options.  The time of `known`, its result for fewest slots, bounds the search; NULL if
 * there is none. */
struct move_result *moving_for_target(struct moving *, struct move_result *known);
/* Returns the better of the two by the target of the options. */
struct move_result *moving_better(const struct moving *, struct move_result *own, struct move_result *known);

/* -O2 and -O3: the plan of the least time by the target (FP slots, unless another is given), then slots, as far as options->effort
 * lets it search, but never worse than move_paper. */
struct move_result *move_plan(struct arena *, const struct program *vs, const struct program *ps,
                              const struct move_options *);

#endif
