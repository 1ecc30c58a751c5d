/* One pair from text to text: the steps, and all that is known after them.  The
 * library's API and the command line are both thin layers over this. */
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
	RUN_REJECTED,  /* the input broke a rule, or does not fit its model even after moving */
	RUN_FAILED,    /* our fault: the result did not pass its checks or its proof */
	RUN_NO_MEMORY
};

/* Fields of move_options that the user set; the others are the models' own limits. */
enum run_given {
	GIVEN_MAX_MOVES = 1, GIVEN_STOP_AT = 2, GIVEN_VS_SLOTS = 4, GIVEN_VS_TEMPS = 8,
	GIVEN_VS_CONSTS = 16, GIVEN_TEXCOORDS = 32, GIVEN_PS_ARITH = 64, GIVEN_PS_TEX = 128,
	GIVEN_TARGET = 256, GIVEN_PIXELS = 512, GIVEN_EFFORT = 1024, GIVEN_PS_CONSTS = 2048
};

/* The form of the new programs. */
enum emit { EMIT_AS_GIVEN, EMIT_ASM, EMIT_BYTECODE };

struct run_options {
	struct move_options move; /* level and switches always count, the others when given */
	unsigned given;           /* enum run_given */
	uint32_t several;         /* bits of enum target_id: targets none of which may lose, and whose sum counts; 0 for move.target alone */
	uint32_t told;            /* bits of enum target_id: targets whose costs are shown */
	const char *target_name;  /* the names of `several` as the user gave them */
	unsigned keep_inputs;     /* bit n: oTn, of model 3 texcoordn, keeps its number and its value, whatever the FP reads of it */
	struct device device;     /* what is known of the device that draws */
	bool keep_model;          /* ps_2_a, _b, _x and _sw are not written as ps_2_0, though they fit */
	const struct given_names *names; /* the user's names of constants, see given_names.h, or NULL if the programs alone name them */
	bool werror;              /* a warning rejects the pair */
	const char *const *no_warn; /* rule ids whose warnings are dropped */
	uint32_t nno_warn;
	bool outcomes;            /* fill run.outcomes */
	bool history;             /* note what each pass makes of the programs, see history.h */
	uint8_t emit;             /* enum emit */
	bool part_of_file;        /* the texts become part of a file with its own layout */
	bool one_text;            /* both new programs go into one text, by whose lines they are numbered */
	const struct register_set *set_by_states; /* by enum stage, constants that the states of an effect set, or NULL for a pair of no effect */
	const struct parameter_names *by_name; /* names in the programs' tables by which constants are set, see by_name.h, or NULL if that is unknown */
};

/* Counts of a program for tables and reports. */
struct measure {
	unsigned slots, arith, tex;
	unsigned order;  /* deepest dependent texture read */
	unsigned temps, consts, inputs; /* different registers read or written; inputs: t# and v# */
};

struct hints;

struct run {
	struct arena *arena;
	const struct run_options *options;
	struct profile *profile;           /* times of the passes, or NULL if nobody asks */
	const struct source *sources;
	uint32_t nsources;

	struct diags diags;
	const struct program *vs, *ps;     /* as given, or NULL before they are parsed */
	const struct program *ps_alone;    /* ps before it was linked, in which each v# of model 3 is a register of its own, though one oT# may feed several */
	bool ps_first;                     /* the first of two sources has the FP */
	bool fp_only;                      /* the VP stays, and is not written; the caller sets this after run_init */
	bool keeps_model;                  /* the FP is written in its own model instead of ps_2_0, see model_kept(); the caller may set this after run_init */
	bool stands_in;                    /* no VP was given: `vs` stands for all of them (stand_in.h), stays, and is not written */
	struct needs given;                /* constants that the application sets for the given pair, by its comments */
	struct needs alike;                /* with `by_name`: VP constants that hold the values of FP constants, in the given pair and in the new one */
	struct register_set withheld;      /* FP constants that no VP can have */
	struct move_result *moved;         /* NULL at level 0, and if the pair stays because the proof doubted it */
	struct needs needs;                /* constants that the application sets for the new pair, in all */
	struct needs beside;               /* constants that it sets for the given VP where that is drawn with FPs that stay as they are */
	bool kept;                         /* the programs are written as they are, statement by statement */
	struct link_kept linked;           /* usages by which these programs, or programs moved with them, link */
	bool together;                     /* one plan serves several runs */
	const struct constant_types *types; /* with `together`: types of constants that the VP may need */
	unsigned way;                      /* with flow control: number of the way in which the plan was made: its level, and whether work left a block */
	unsigned refuted;                  /* ways before this number failed their proof */
	int levels_lower;                  /* by which the level is below that of the options, since a program is too long for that */
	bool told_level;                   /* a note has said that a program is too long for the level of the options */
	bool doubts_3;                     /* the proof doubted the result of -O3, so that the plan is one of -O2 */
	const char *stays;                 /* why the FP stays without a plan, or NULL if it has one or the proof doubts it */
	bool leaves;                       /* with `together`: its blocks stay, so that it stays, too; the others may do better without it */
	bool again;                        /* with `together`: rejected since it needs a constant without a name, which is now withheld; plan again */
	unsigned depths;                   /* bit n: .z of a read of s#n keeps its value, see mark_depth_reads */
	unsigned drawn_depths;             /* bits of `depths` that --verify may draw with depth textures: no texld of HLSL reads them, whose .z may change */
	const struct hints *hints;         /* options that would save more, see hints.h, or NULL if nobody asked */
	const struct program *vs_out, *ps_out; /* the programs as printed */
	bool both_given;                   /* one text holds both, and neither changed */
	struct text vs_text, ps_text;      /* the written form of each: text or bytecode */
	const struct program *vs_new, *ps_new; /* the printed texts, read again; listings if they are bytecode */
	const struct source *vs_written, *ps_written; /* the same texts at their places in the written file, or NULL if these are not known */
	const struct outcomes *outcomes;   /* what became of the given FP's instructions, or NULL if that was not asked or the run is not done */
	struct proof proof;
	bool proved;                       /* `proof` is filled */
	struct measure vs_before, vs_after, ps_before, ps_after; /* after: zero unless done; of a VP that stands in: zero */
	enum run_status status;
	const char *fault;                 /* RUN_FAILED: one sentence */
	const struct measured *measured;   /* result of --verify, or NULL if nobody asked */
	const struct validated *validated; /* result of --validate, or NULL if nobody asked or nothing changed */
	bool unfit;                        /* rejected because the moved pair does not fit its models */
};

struct step {
	const char *name;
	bool (*run)(struct run *); /* returns false to stop; the status says why */
};
enum { STEPS = 8, STEP_MOVE = 2 };
extern const struct step pipeline[STEPS];
/* Runs the step STEP_MOVE for several runs at once, whose programs on one side are the same text.  They are the same afterwards, too. */
void run_move_together(struct run *const *, uint32_t n, bool same_vs, struct allowance *);

/* Asks the run's new VP to keep the values that the given one has for the other run's FP, which stays as it is. */
void run_promise(struct run *, const struct run *other);
/* Takes the new VP of another run for a run whose FP stays as it is.  Returns false if that is not proven. */
bool run_serve(struct run *, const struct run *by);

/* Returns whether a checked run's FP, as it was given, can only be written in its own model: it breaks a rule of ps_2_0. */
bool run_breaks_ps_2_0(struct run *);
/* A new text of a program. */
struct new_text {
	struct text text;
	struct folds literals; /* that were computed ahead, for the proof */
};
/* Takes texts that other runs made as the new programs of a run that has gone through the steps before STEP_MOVE, and proves them from the
 * given pair.  NULL keeps that program as it was given.  `known` is their proof if another run of the pair adopted them before, else NULL.
 * Returns false if they break a rule or are not proven: `fault` says why. */
bool run_adopt(struct run *, const struct new_text *vs, const struct new_text *ps, const struct proof *known);
/* Finishes a run that adopted texts: it is rejected if they do not fit their models, else it is done. */
bool run_finish_adopted(struct run *);

/* Returns false if the run has nothing of a VP to write. */
static inline bool run_writes_vs(const struct run *r)
{
	return !r->stands_in && !r->fp_only;
}

/* Prepares a run; `sources` and `options` must stay as long as the run does. */
void run_init(struct run *, struct arena *, const struct source *sources, uint32_t nsources,
              const struct run_options *);
/* Runs step number `step`.  Returns false if the run ends here. */
bool run_step(struct run *, unsigned step);
/* Replaces the new programs of a done run by the given ones, and proves these.  Returns false as run_step does. */
bool run_take_given(struct run *);
/* Notes that a checked program is longer than the options' device allows, if that is known. */
void run_check_device(struct run *);
/* Runs all steps.  Returns also if the arena is out of memory; restores the arena's own handler.  All that the run points to lives in
 * the arena. */
void run_all(struct run *);

/* Returns true if these bytes, which may be one text with both programs, are what was proven; ask it before they are written.  Bytes that
 * are not the run's own are read, checked and proven now.  If it returns false they must not be written, and the status is RUN_FAILED. */
bool run_proves(struct run *, const struct text *vs, const struct text *ps);

/* Returns a done run's new program as text, whatever form it is written in. */
struct text run_listing(const struct run *, enum stage);
/* Returns the given program in the spelling of the new one's text. */
struct text run_given_listing(const struct run *, enum stage);

/* Returns the budgets of a parsed run: those of the options, else of the models. */
struct move_options run_budgets(const struct run *);
/* Returns the cost profile's name. */
const char *run_target_name(const struct run_options *);
/* Applies no_warn and werror to the diagnostics so far. */
void run_filter_warnings(struct diags *, const struct run_options *);
/* Returns the options' assumptions on renderer and application, for a proof of any two pairs. */
struct proof_context options_context(const struct run_options *);
/* Returns the assumptions of a moved pair. */
struct proof_context run_context(const struct run *);
/* Returns for each instruction of a new program as it was read again the one of vs_out or ps_out that was printed, NULL for an _abs.
 * Returns NULL if that is not known. */
const struct instr *const *run_printed(const struct run *, enum stage);
/* Returns for each instruction of ps_new the one of ps that the mover made it of, or UINT32_MAX if there is none.  Returns NULL if
 * it is not known. */
const uint32_t *run_origins(const struct run *);
/* Returns the level whose method made a run's plan; 1 if the plan is staged or no better one was found. */
int run_plan_level(const struct run *);
/* Returns the costs of a done run's given pair and of its new one, in units of the target (target.h); with several targets, the mean of
 * their shares of the given costs, in per cent. */
struct costs run_costs(const struct run *);

/* Estimate of a pair for a target: the cost of a pixel as run_costs has it, in the target's units, and at how many pixels a vertex
 * the new pair begins to be cheaper. */
struct estimate {
	const struct target *target;
	struct costs pixel;
	double pays_from; /* 0: at any number; infinity: never */
};
/* Estimates a done run by each target of `set` (bits of enum target_id); returns how many these are. */
unsigned run_estimates(const struct run *, uint32_t set, struct estimate to[TARGETS]);

#endif
