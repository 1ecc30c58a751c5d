/* Declares the interface of the mover for src/plan.c.  -O1 is flow -> conditions -> rewrite; -O2 and -O3 are values -> ways to write
 * the FP -> for each a plan, with and without alternatives -> both programs -> tidying, and the best pair of all is taken.
 *
 * Programs that are passed in were parsed and checked; programs in results are new copies.  Nothing here prints, exits or allocates
 * outside the arena. */
#ifndef FPMOVE_MOVE_PASSES_H
#define FPMOVE_MOVE_PASSES_H

#include "lang/ir.h"
#include "move/target/target.h"

struct range { int first, last; }; /* both included; empty if last < first */

/* Holds the budgets that a result must fit. */
struct budgets {
	unsigned vs_slots;      /* most slots the VP may have */
	unsigned vs_temps;      /* number of temporaries that the VP may use: r0 .. r(vs_temps-1) */
	struct range vs_consts; /* VP constant registers that may get new constants */
	bool vs_consts_given;   /* the user named `vs_consts`, so they may be taken even if the VP reads constants by c[a0.x + n] */
	unsigned texcoords;     /* most oT# and t# registers that the pair may use */
	unsigned ps_arith, ps_tex; /* most arithmetic slots, and most texture slots, that the FP may have */
};

/* Holds the budgets and switches of one run, as on the command line; move_options_default() gives the models' own limits. */
struct move_options {
	int level;              /* 0..3 */
	unsigned max_moves;     /* most instructions that move; UINT_MAX for all */
	unsigned ps_slots;      /* moving stops when the FP has this many slots or fewer; 0 for never */
	struct budgets budget;
	bool drop_in;           /* nothing moves for which the application would have to set a new constant (--drop-in) */
	bool vp_stays;          /* -O2: the VP must not change, so that interpolators bring only the values that it already sends */
	bool faster;            /* only a result that takes less time is wanted; of plans with equal time the first is taken */
	bool paper_too;         /* with `faster`: the method of -O1 is tried, too */
	bool tidied;            /* the given pair need not be tidied: it was before, and no note for the proof (folds) protects a literal of it */
	bool preshader;         /* -O2, one pair: the application computes what depends on constants alone, by the function of --preshader */
	struct range ps_consts; /* FP constant registers in which the application may set what it computes by --preshader */
	bool colour_inputs;     /* values computed from the colours v0 and v1 may move */
	bool free_position;     /* positions may differ in their last bits from those of the VP as it was */
	unsigned plain_textures; /* bit n: s#n holds no depths */
	unsigned finite_textures; /* bit n: no texel of s#n is infinite or NaN */
	bool free_ties;         /* an interpolator may bring a number made of constants alone even where a comparison depends on it, see ties.h */
	bool as_published;      /* -O1: each moved instruction has a mov of its own to the output, as in the figures of the paper */
	unsigned planted;       /* for tests: bits of enum plant, the mistakes that the mover makes on purpose */
	struct target target;   /* -O2: what each instruction costs, see target.h */
	uint32_t several;       /* bits of enum target_id: results are compared by the sum of their shares of the given time on these targets,
	                         * and may be slower on none; `target` is then target_joint() of them; 0 if there is a single target */
	unsigned pixels_per_vertex; /* how often the FP runs for each run of the VP, which weighs the costs of both */
	uint32_t effort;        /* -O2: nodes of one search, after which its best plan so far is taken; each way of writing the FP takes several
	                         * searches */
	struct profile *profile; /* collects how long passes take; NULL if it is not wanted */
};

/* Mistakes that tests let the mover make on purpose, to see that the proof and the checker find each. */
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

/* Returns true if no VP may compute a value, because it needs a constant that the VP cannot have (`withheld`) or, with --drop-in, any constant
 * that the application sets (`app`). */
static inline bool is_refused(const struct move_options *o, bool withheld, bool app)
{
	return withheld || (o->drop_in && app);
}

struct move_options move_options_default(enum model vs, enum model ps);
/* Sets the options of --as-published: colours and exact numbers may move, positions may change in their last bits, no texture is taken to hold
 * depths, and -O1 writes each move as in the figures of the paper. */
void move_as_published(struct move_options *);

/* The reasons for which an instruction, or a lane of it, stays in the FP, and the verdict that it moved. */
enum verdict {
#define VERDICT(id, rule, why) id,
#include "move/verdicts.def"
#undef VERDICT
	VERDICTS
};
struct verdict_info {
	const char *rule; /* the report's `rule`, such as "C1", "budget" or "moved" */
	const char *why;  /* one clause, without the instruction's name */
};
extern const struct verdict_info verdicts[VERDICTS];

/* The plan's decision about one FP instruction.  The final programs may differ, as verify/outcome.h finds: the FP may compute again what
 * the plan moved, and tidying may remove what the plan kept. */
struct fate {
	uint8_t verdict;      /* enum verdict of the instruction as a whole */
	uint8_t lane[LANES];  /* [lane that it writes]: enum verdict; for a lane that moves but is also computed in the FP, the reason for that */
	lanes moved;          /* lanes that leave the FP */
	lanes preset;         /* lanes of `moved` that the application computes */
	uint32_t because;     /* index of an FP instruction that stays and whose result this one reads (C4), or UINT32_MAX */
};

/* Fills the fate of FP instruction k for a plan in which its lanes `mask` stay.  Finds the reasons in the values, since a plan records none. */
struct values;
void explain_stay(const struct values *, const struct move_options *, uint32_t k, lanes mask, struct fate *);

struct move_result {
	struct program *vs, *ps;   /* the new programs, or copies of those given when nothing moved */
	struct fate *fates;        /* one for each FP instruction of the input */
	struct { VEC(struct const_map); } consts; /* constants that the application must now set on the VP */
	struct folds folds;        /* for the proof: how each lane of a new constant that is computed from others is computed */
	unsigned moved;            /* instructions that leave the FP by the plan */
	bool optimal;              /* -O2: the searches saw all plans in their space, and none is cheaper */
	uint32_t nodes;            /* -O2: number of nodes of the search */
	unsigned vs_estimated, vs_written; /* -O2, one pair: slots of the VP as the search estimated them, and of the VP that it wrote */
	unsigned gap;              /* -O2: if not optimal, the plan's time minus a lower bound for all plans (cut/bound.c), rounded up to
	                            * whole units of the target (FP slots for the default target); 0 if it is not known */
	bool final;                /* -O2: moving the result once more would rarely improve it */
	bool left_by_plan;         /* -O2: the method of -O1 moves an instruction of the input that this result keeps */
	const struct story *story; /* -O2: the planning behind the result, see story.h; NULL if there was none */
	bool staged;               /* -O2: made by the method of -O1, since max_moves or ps_slots was set */
};

/* Returns the outputs of its VP that an FP reads. */
struct outputs_read outputs_read_by(const struct program *ps);
/* Returns the outputs that either of the two has. */
struct outputs_read outputs_read_by_both(const struct outputs_read *, const struct outputs_read *);

/* Limits what tidying may change, and which registers it may take.  Constant registers in `consts` that `old` does not read may become
 * literals.  A lane of a def that a note in `folds` names keeps its register and lane, since the proof looks for it there. */
struct tidy_limits {
	const struct program *old;
	struct range consts;
	const struct folds *folds;
	unsigned temps; /* number of temporaries that tidying may use: r0 .. r(temps-1) */
	bool choices;   /* a cmp costs no more than a mov, so it may replace several movs */
	bool straight;  /* scalars are not joined into vectors, as some hardware needs movs to bring their lanes together */
	lanes written[MOST_TEXCOORDS]; /* lanes of each t# of an FP that all its VPs write, as far as is known */
	unsigned finite_textures; /* bit n: no texel of s#n is infinite or NaN */
	bool free_position; /* sums and products that oPos and a0 depend on may be regrouped, which changes their last bits */
	bool regroup; /* sums and products may be computed in another order, which changes their last bits: at -O3, unless the program
	               * rounds */
	struct profile *profile; /* collects how long passes take; NULL if it is not wanted */
	bool consts_named; /* the user named `consts`, so that c[a0.x + n] reads none of them */
};
/* Returns the limits that the options set for a program made of `old`.  `rounds`: the pair has sums that float arithmetic rounds. */
struct tidy_limits tidy_limits_of(const struct program *old, bool rounds, const struct move_options *, const struct folds *);

/* Shortens a program of either stage in place: removes dead code and lanes, copies, and movs that another destination saves; merges
 * equal values, lanes of one operation, and mul and add to mad; then removes declarations that nothing needs.  `read`: the outputs
 * of a VP that its FPs read, or NULL for all.  `limits`: NULL if no register may be taken, and there is no note.  Returns true if it
 * changed anything. */
bool tidy_program(struct arena *, struct program *, const struct outputs_read *read, const struct tidy_limits *limits);

/* Removes from an FP, before it is planned, copies, repeated computations, factors 1, summands 0, choices that an earlier choice decides,
 * and dead code; a product that is added to something becomes a mad.  Each instruction that is left keeps its `at`.  Returns true if it
 * changed anything. */
bool tidy_settle(struct arena *, struct program *ps);

/* Removes movs to an oC# of model 3: the instruction that computes the value writes the output itself, unless the target charges more for
 * that, as a scalar that the mov spreads over lanes is then computed in each lane.  Runs after all other passes, since an instruction that
 * writes an output is neither moved nor joined with others. */
bool tidy_outputs(struct arena *, struct program *ps, const struct target *);

/* Returns a copy of the FP that marks 2D texture reads as INSTR_DEPTH if the texture may hold depths (D24X8, D16 ...), which the GPU
 * compares with the coordinate's .z.  It marks each read whose result is used, of a sampler not in `plain`, at a .z that the FP
 * wrote, or that one of the VPs wrote and the dcl of the t# names; but no texld in the output of Microsoft's HLSL compiler, which has no .z
 * to compare.
 *
 * Some .z lanes hold only leftovers of other work.  If any read of the same sampler has a .z that no instruction wrote, the texture is
 * hardly one of depths, since the result would be undefined.  So a .z in an r# does not count there if the lane is also used in another way.
 * (The paper's convolution reads its image like that.)  The passes below expect a marked program, and keep a .z that counts. */
struct program *mark_depth_reads(struct arena *, const struct program *ps, const struct program *const *vs, unsigned nvs,
                                 unsigned plain);

/* Sets stays[k] to true for each FP instruction k of which a result lane is a pixel value or another value that no plan moves, else to false.
 * Makes no plan. */
void move_find_staying(struct arena *, const struct program *vs, const struct program *ps, const struct move_options *, bool *stays);

/* Moves a pair by -O1, the paper's method. */
struct move_result *move_paper(struct arena *, const struct program *vs, const struct program *ps,
                               const struct move_options *);

/* Limits the work on the plan of a group, in steps that are the same on every machine: about 10 million of them take a second.
 * Single pairs are limited by options->effort. */
struct allowance {
	uint64_t left, all; /* steps that are left, and steps at the beginning */
	uint64_t later; /* steps of `left` that this plan must leave, for the group to be planned again */
	/* Reports progress now and then while a plan is searched for, and returns false to stop the search; may be NULL. */
	bool (*tell)(void *who, const struct allowance *);
	void *who;
	bool stopped;   /* `tell` stopped the search, so a better plan may exist */
};

/* Pairs that share a program, before and after: one VP with several FPs, one FP with several VPs, or a single pair. */
struct group {
	const struct program *const *vs, *const *ps;
	unsigned nvs, nps;                  /* one of them is 1 */
	const struct move_options *options; /* one for each VP */
	struct allowance *allowance;        /* limits the steps of the group's searches together; NULL if they are not limited */
};
/* Returns true if `a` is no worse than `b` over all pairs, by the options' targets, models and budgets. */
bool move_not_worse(const struct group *, struct move_result *const *a, struct move_result *const *b);
/* Returns the time of all results by the target of the options. */
uint64_t move_time(const struct group *, struct move_result *const *);
/* Returns a copy of the result, without its story, that needs none of the memory of the planning.  The given FP has `instrs` instructions. */
struct move_result *move_keep(struct arena *, const struct move_result *, uint32_t instrs);
/* Returns true if every pair fits its models and budgets. */
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

/* Moves a group by -O1: from one FP after the other into a shared VP, or from a shared FP only as much as it can with each of its VPs.  Fills
 * results[] for each pair. */
void paper_together(struct arena *, const struct group *, struct move_result **results);

/* Moves a group by any level from -O1 on, and fills results[] for each pair.  At -O2 and -O3 it makes one plan for the group, whose sum over
 * all pairs is never worse than that of paper_together(), and which makes no pair slower than it was. */
void move_together(struct arena *, const struct group *, struct move_result **results);

/* Holds what all plans for a group share: its values, the ways to write its FPs, and its results by the method of -O1. */
struct moving;
struct moving *moving_begin(struct arena *, const struct group *);
/* Returns the result of a pair that has the fewest FP slots, as if that were the options' target. */
struct move_result *moving_for_slots(struct moving *);
/* Returns the result of a pair that takes least time by the target of the options.  If `known`, its result for fewest slots, is not NULL, the
 * search finds only plans that are not slower than that. */
struct move_result *moving_for_target(struct moving *, struct move_result *known);
/* Returns the better of the two by the target of the options. */
struct move_result *moving_better(const struct moving *, struct move_result *own, struct move_result *known);

/* Moves a pair by -O2 or -O3: takes the plan with the least time by the target (FP slots by default), then the fewest slots, that a search
 * within options->effort finds, but never one that is worse than move_paper()'s. */
struct move_result *move_plan(struct arena *, const struct program *vs, const struct program *ps,
                              const struct move_options *);

#endif
