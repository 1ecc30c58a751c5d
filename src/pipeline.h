/* The steps that take a pair of programs from given texts to new texts, and the run, which holds all that the steps know of one pair.  The
 * library's API and the command line are both thin layers over this.  FP constants are those of the pixel program. */
#ifndef FPMOVE_PIPELINE_H
#define FPMOVE_PIPELINE_H

#include "aim.h"
#include "lang/by_name.h"
#include "lang/device.h"
#include "lang/ir.h"
#include "lang/link.h"
#include "move/passes.h"
#include "verify/outcome.h"
#include "verify/verify.h"

struct measured;
struct validated;

enum run_status {
	RUN_IMPROVED,
	RUN_UNCHANGED,
	RUN_REJECTED,  /* the input breaks a rule or does not fit its model even after moving, or another run of the group failed */
	RUN_FAILED,    /* the result did not pass its checks or its proof, a fault of fpmove; in a batch also if a file cannot be read or written */
	RUN_NO_MEMORY
};

/* Bits for fields of move_options that the user set; a field without its bit has the default or the limit of the models. */
enum run_given {
	GIVEN_MAX_MOVES = 1, GIVEN_STOP_AT = 2, GIVEN_VS_SLOTS = 4, GIVEN_VS_TEMPS = 8,
	GIVEN_VS_CONSTS = 16, GIVEN_TEXCOORDS = 32, GIVEN_PS_ARITH = 64, GIVEN_PS_TEX = 128,
	GIVEN_TARGET = 256, GIVEN_PIXELS = 512, GIVEN_EFFORT = 1024, GIVEN_PS_CONSTS = 2048
};

/* The form in which the new programs are written. */
enum emit { EMIT_AS_GIVEN, EMIT_ASM, EMIT_BYTECODE };

struct run_options {
	struct move_options move; /* options of moving; all but the level and the switches count only if `given` has their bit */
	unsigned given;           /* bits of enum run_given: the fields of `move` that the user set */
	uint32_t several;         /* bits of enum target_id: minimise the sum of their costs and worsen none; 0 to plan for move.target alone */
	uint32_t told;            /* bits of enum target_id: targets whose costs reports show */
	const char *target_name;  /* the names of the targets, as the user gave them */
	unsigned keep_inputs;     /* bit n: the VP must keep what it writes to oTn, or in model 3 as texcoordn, even if the FP does not read it */
	struct device device;     /* limits of the device that draws, as far as the user told them */
	bool keep_model;          /* true to write no ps_2_a, _b, _x or _sw program as ps_2_0, even if it fits */
	const struct given_names *names; /* the user's names of constants, see given_names.h, or NULL if the user gave none */
	bool werror;              /* true if a warning rejects the pair */
	const char *const *no_warn; /* ids of the rules whose warnings are dropped */
	uint32_t nno_warn;
	bool outcomes;            /* true to find `outcomes` of the run */
	bool history;             /* true to record the programs after each pass, see history.h */
	uint8_t emit;             /* enum emit */
	bool part_of_file;        /* true if the new texts become part of a larger file (an effect), whose layout is not theirs */
	bool one_text;            /* true if both new programs are written into one text, whose lines are numbered throughout */
	const struct register_set *set_by_states; /* by enum stage, the constants that an effect's states set; NULL for a pair of no effect */
	const struct parameter_names *by_name; /* the effect's parameters, by whose names constants are set, see by_name.h; NULL if not known */
};

/* Counts of a program's slots and registers, for tables and reports. */
struct measure {
	unsigned slots, arith, tex;
	unsigned order;  /* number of texture reads in the longest chain of dependent reads */
	unsigned temps, consts, inputs; /* numbers of different registers that are read or written; inputs are t# and v# */
};

struct hints;

struct run {
	struct arena *arena;
	const struct run_options *options;
	struct profile *profile;           /* receives the times of the passes; NULL if they are not wanted */
	const struct source *sources;
	uint32_t nsources;

	struct diags diags;
	const struct program *vs, *ps;     /* the programs as given, linked to each other; NULL before they are parsed */
	const struct program *ps_alone;    /* a copy of `ps` from before it was linked to the VP: in model 3 each v# is still a register of its own */
	bool ps_first;                     /* the FP is in the first of the two sources */
	bool fp_only;                      /* the VP must not change, and is not written; the caller may set this after run_init */
	bool keeps_model;                  /* the FP is written in its own model instead of ps_2_0, see model_kept(); the caller may set this after run_init */
	/* No VP was given: `vs` was made up (stand_in.h), so that the result is right with any VP.  It must not change, and is not written. */
	bool stands_in;
	struct needs given;                /* constants that the application sets for the given pair, as the programs' comments tell */
	struct needs alike;                /* with `by_name`: VP constants that have the same name, and so the same value, as FP constants */
	struct register_set withheld;      /* FP constants that must not be copied to a VP, since nothing would set them there */
	struct move_result *moved;         /* the planner's result; NULL if there is no plan, or the plan is not used */
	struct needs needs;                /* all constants that the application must set for the new pair */
	struct needs beside;               /* constants that the application sets for the VP when it draws with other FPs, which stay as they are */
	bool kept;                         /* true if the given programs are written, statement by statement */
	/* In model 3, the usages that new declarations of this pair, and of pairs planned with it, must or must not have. */
	struct link_kept linked;
	bool together;                     /* true if this run is planned together with others that share a program with it */
	const struct constant_types *types; /* with `together`: the tables of constants from which new VP constants take names and types */
	/* With flow control, how the plan was made: 0 at the level of the options, 1 at that level with no work moved out of blocks; 2 and 3 the
	 * same one level lower, and so on. */
	unsigned way;
	unsigned refuted;                  /* ways (see `way`) with lower numbers are not tried: the proof refuted their plans */
	int levels_lower;                  /* number of levels by which the plan's level is below the options', since a program is too long */
	bool told_level;                   /* true once a diagnostic says that a program is too long for the level of the options */
	bool doubts_3;                     /* true if the proof doubted the result of -O3, so that the pair is planned at -O2 instead */
	const char *stays;                 /* a clause on why nothing of the FP was moved; NULL if there is a plan, or the proof doubted it */
	/* With `together`: this run leaves the group and stays as it is, since no plan can keep its blocks.  The others are planned again. */
	bool leaves;
	/* With `together`: the group must be planned again without the VP's copy of an FP constant which no name would set there. */
	bool again;
	/* Bit n: s#n may have a depth texture, so that the .z of coordinates for it must keep its value, see mark_depth_reads(). */
	unsigned depths;
	/* Bits of `depths` that --validate draws with depth textures, and that the report lists.  Left out: samplers that an unmarked texld of
	 * an HLSL listing also reads, since the new program may give that read another .z. */
	unsigned drawn_depths;
	const struct hints *hints;         /* options that would save more, see hints.h; NULL if they were not looked for */
	const struct program *vs_out, *ps_out; /* the new programs, as they are printed */
	bool both_given;                   /* true if one given text holds both programs, and neither has changed */
	struct text vs_text, ps_text;      /* the new programs in the form in which they are written: text or bytecode */
	const struct program *vs_new, *ps_new; /* the new programs, read again from vs_text and ps_text; if that is bytecode, from its listing */
	const struct source *vs_written, *ps_written; /* the new programs' texts as parts of the file that was written; NULL if that is not known */
	const struct outcomes *outcomes;   /* what became of each instruction of the given FP; NULL unless the options want it and the run is done */
	struct proof proof;
	bool proved;                       /* true once `proof` holds the result of a proof */
	struct measure vs_before, vs_after, ps_before, ps_after; /* measures after are 0 unless the run is done; those of a made-up VP are 0 before */
	enum run_status status;
	const char *fault;                 /* if the status is RUN_FAILED, a sentence on why */
	const struct measured *measured;   /* result of --verify; NULL without that option */
	const struct validated *validated; /* result of --validate; NULL without that option, or if nothing changed */
	bool unfit;                        /* true if the run was rejected since the moved pair does not fit its models or the device */
};

struct step {
	const char *name;
	bool (*run)(struct run *); /* returns false if the run ends here; its status says why */
};
enum { STEPS = 8, STEP_MOVE = 2 };
extern const struct step pipeline[STEPS];
/* Runs the step STEP_MOVE for n runs at once.  They share one program, the VP if `same_vs`, else the FP, and get one new version of it. */
void run_move_together(struct run *const *, uint32_t n, bool same_vs, struct allowance *);

/* Makes the run's VP keep writing all outputs that the other run's FP reads, since the other FP stays as it is and is drawn with this VP. */
void run_promise(struct run *, const struct run *other);
/* Finishes a run whose FP stays as it is with the new VP of the run `by`: sets its texts, reads them again, and proves that the pair draws the
 * same.  Returns false if a rule is broken or the proof fails. */
bool run_serve(struct run *, const struct run *by);

/* Returns true if the FP of a checked run, as given, breaks a rule of ps_2_0 or exceeds the budgets as a ps_2_0 program, so that it can only be
 * written in its own model (ps_2_a, ps_2_x ...).  Returns false for FPs of other models, or with flow control.  Makes the given programs the
 * run's new ones. */
bool run_breaks_ps_2_0(struct run *);
/* A new text of a program, which a run made and others may adopt. */
struct new_text {
	struct text text;
	struct folds literals; /* literals of the text that fpmove computed, with their expressions, for the proof */
};
/* Adopts texts that other runs made as the new programs of a run that is through the steps before STEP_MOVE, and proves that they draw what its
 * given pair draws.  NULL in place of a text keeps that program as given.  Returns false if the texts break a rule or are not proven; the run
 * then fails, and `fault` says why. */
bool run_adopt(struct run *, const struct new_text *vs, const struct new_text *ps);
/* Finishes a run that adopted texts: sets its measures and its status.  Returns false if the programs do not fit their models; the status is then
 * RUN_REJECTED. */
bool run_finish_adopted(struct run *);

/* Returns true if the run has a result: its pair was improved, or is unchanged. */
static inline bool run_is_done(const struct run *r)
{
	return r->status == RUN_IMPROVED || r->status == RUN_UNCHANGED;
}

/* Returns true if the run writes a VP, not only an FP. */
static inline bool run_writes_vs(const struct run *r)
{
	return !r->stands_in && !r->fp_only;
}

/* Prepares a run; `sources` and `options` must stay as long as the run does. */
void run_init(struct run *, struct arena *, const struct source *sources, uint32_t nsources,
              const struct run_options *);
/* Runs step number `step` of the pipeline.  Returns false if the run ends with it. */
bool run_step(struct run *, unsigned step);
/* Makes the given programs the new programs of a done run: writes them, reads them again and proves them.  Returns false if that fails. */
bool run_take_given(struct run *);
/* Reports an error for each given program that is longer than the device's limit, if the user stated that limit. */
void run_check_device(struct run *);
/* Runs all steps.  If memory runs out, returns with the status RUN_NO_MEMORY.  All that the run points to lives in its arena. */
void run_all(struct run *);

/* Returns true if the bytes that are about to be written are proven.  `vs` and `ps` may be the same text with both programs; `vs` is not used if
 * the run writes no VP.  Bytes other than the run's own vs_text and ps_text are read, checked and proven now.  If it returns false, the bytes
 * must not be written, and the status is RUN_FAILED. */
bool run_proves(struct run *, const struct text *vs, const struct text *ps);

/* Returns a done run's new program of that stage as text, even if it is written as bytecode. */
struct text run_listing(const struct run *, enum stage);
/* Returns the given program of that stage as text, printed in the same style as run_listing() prints the new one. */
struct text run_given_listing(const struct run *, enum stage);

/* Returns the options for planning a parsed run: its level, and the limits that the user set, or else the models' limits. */
struct move_options run_budgets(const struct run *);
/* Returns the name of the target (the profile of costs) of the options, or of several targets as the user gave them. */
const char *run_target_name(const struct run_options *);
void run_add_diags(struct run *, const struct diags *);
/* Drops the warnings that `no_warn` of the options names, and turns the others into errors if `werror` is set. */
void run_filter_warnings(struct diags *, const struct run_options *);
/* Returns the assumptions about renderer and application that the options state, for a proof of any two pairs. */
struct proof_context options_context(const struct run_options *);
/* Returns the assumptions for the proof of a run: those of the options, and the constants that the application sets. */
struct proof_context run_context(const struct run *);
/* Returns for each instruction of vs_new or ps_new, which were read again, the instruction of vs_out or ps_out that was printed for it, and NULL
 * for an abs that the reader made of an _abs.  Returns NULL if the texts do not come from vs_out and ps_out. */
const struct instr *const *run_printed(const struct run *, enum stage);
/* Returns for each instruction of ps_new the index of the instruction of ps from which the mover made it, or UINT32_MAX if there is none.
 * Returns NULL where run_printed() does. */
const uint32_t *run_origins(const struct run *);
/* Returns the level (1 to 3) whose method made a run's plan, or 0 if there is no plan.  It may be 1 at -O2 and -O3, if no better plan was
 * found. */
int run_plan_level(const struct run *);
/* Returns the costs of a done run's given pair and of its new pair, in units of the target (target.h).  With several targets, returns the means
 * over the targets of the costs in per cent of the given pair's. */
struct costs run_costs(const struct run *);

/* An estimate of a pair's costs for one target: the cost for each pixel before and after, in the target's units, and the number of pixels
 * for each vertex from which on the new pair is cheaper. */
struct estimate {
	const struct target *target;
	struct costs pixel;
	double pays_from; /* pixels for each vertex; 0 if the new pair is always cheaper, infinity if it never is */
};
/* Estimates the costs of a done run for each target of `set` (bits of enum target_id).  Returns the number of these targets. */
unsigned run_estimates(const struct run *, uint32_t set, struct estimate to[TARGETS]);

#endif
