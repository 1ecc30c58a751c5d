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

/* What new programs are written as. */
enum emit { EMIT_AS_GIVEN, EMIT_ASM, EMIT_BYTECODE };

struct run_options {
	struct move_options move; /* level and switches always count, the others when given */
	unsigned given;           /* enum run_given */
	uint32_t several;         /* bits of enum target_id: none of these targets may lose, and their sum counts; 0: move.target alone */
	uint32_t told;            /* the same: costs are told of these */
	const char *target_name;  /* of `several`, as they were given */
	unsigned keep_inputs;     /* bit n: oTn, of model 3 texcoordn, keeps its number and what it has, whatever the FP reads of it */
	struct device device;     /* what is known of the device that draws */
	bool keep_model;          /* ps_2_a, _b, _x and _sw are not written as ps_2_0, though they fit */
	const struct given_names *names; /* of constants, see given_names.h; NULL if the programs alone name them */
	bool werror;              /* warnings reject */
	const char *const *no_warn; /* rule ids whose warnings are dropped */
	uint32_t nno_warn;
	bool outcomes;            /* run.outcomes are wanted */
	bool history;             /* what passes make of the programs is noted, see history.h */
	uint8_t emit;             /* enum emit */
	bool part_of_file;        /* the texts are put into a file that lays them out */
	bool one_text;            /* both new programs are written to one text, whose lines are counted */
	const struct register_set *set_by_states; /* of an effect, by enum stage: constants that its states set; NULL: of none */
	const struct parameter_names *by_name; /* constants are set by these names in the programs' tables, see by_name.h; NULL: somehow */
};

/* What the tables and reports count. */
struct measure {
	unsigned slots, arith, tex;
	unsigned order;  /* deepest dependent texture read */
	unsigned temps, consts, inputs; /* different registers read or written; inputs: t# and v# */
};

struct hints;

struct run {
	struct arena *arena;
	const struct run_options *options;
	struct profile *profile;           /* how long passes take; NULL: nobody asks */
	const struct source *sources;
	uint32_t nsources;

	struct diags diags;
	const struct program *vs, *ps;     /* as given; NULL until found */
	const struct program *ps_alone;    /* ps before it was linked: each v# of model 3 is itself, though one oT# feeds several */
	bool ps_first;                     /* the pixel program is the one of the first of two sources */
	bool fp_only;                      /* the VP stays, and is not written; the caller sets it behind run_init */
	bool keeps_model;                  /* the FP is written in its own model instead of ps_2_0, see model_kept(); the caller may set it behind run_init */
	bool stands_in;                    /* no VP was given: `vs` stands for all of them (stand_in.h), stays, and is not written */
	struct needs given;                /* what the application sets for the given pair, by its comments */
	struct needs alike;                /* of `by_name`: VP constants that hold what FP constants hold, in the given pair and in the new one */
	struct register_set withheld;      /* FP constants that no VP can have */
	struct move_result *moved;         /* NULL at level 0, and where the pair stays as the proof alone doubted */
	struct needs needs;                /* what it sets for the new pair in all, once that is there */
	struct needs beside;               /* what it sets for the given VP where that is drawn with FPs that stay as they are */
	bool kept;                         /* the programs are written with the statements that they have */
	struct link_kept linked;           /* usages that these programs, or those moved with them, link by */
	bool together;                     /* the plan is one for several runs */
	const struct constant_types *types; /* `together`: of what the VP may need */
	unsigned way, refuted;             /* with flow control: how the plan came about, at which level and whether anything left its block; ways before this
	                                    * number are refuted */
	int levels_lower;                  /* than the options' the level is, as a program is too long for that */
	bool told_level;                   /* it was said that a program is too long for the level of the options */
	bool doubts_3;                     /* the proof doubted what -O3 made, and the plan is of -O2 */
	const char *stays;                 /* why the pixel program stays as it is without a plan; NULL: it has one, or the proof doubts that */
	bool leaves;                       /* `together`: it stays as it is, as its blocks do; the others may do better without it */
	bool again;                        /* `together`: rejected since no name tells a constant that is withheld now; another plan may do */
	unsigned depths;                   /* bit n: .z of a read of s#n stays what it was, see mark_depth_reads */
	unsigned drawn_depths;             /* those of them that can be drawn with textures of depths: no texld reads them whose .z may change, as HLSL made it */
	const struct hints *hints;         /* what would save more, see hints.h; NULL unless somebody found that out */
	const struct program *vs_out, *ps_out; /* what is printed */
	bool both_given;                   /* one text holds both, and they are as there */
	struct text vs_text, ps_text;      /* those, as they are written: a text each, or bytecode */
	const struct program *vs_new, *ps_new; /* the printed texts, read again; of bytecode their sources are listings of it */
	const struct source *vs_written, *ps_written; /* the same texts where they stand in the file that is written; NULL: no more is known */
	const struct outcomes *outcomes;   /* what became of the given FP's instructions; NULL: not wanted, or not done */
	struct proof proof;
	bool proved;                       /* `proof` holds a result */
	struct measure vs_before, vs_after, ps_before, ps_after; /* after: zero unless done; of a VP that stands in: zero */
	enum run_status status;
	const char *fault;                 /* RUN_FAILED: one sentence */
	const struct measured *measured;   /* --verify: what it found; NULL: nobody asked */
	const struct validated *validated; /* --validate: what Direct3D 9 drew; NULL: nobody asked, or nothing changed */
	bool unfit;                        /* rejected after moving, which did not make the pair fit its models */
};

struct step {
	const char *name;
	bool (*run)(struct run *); /* false: stop, the status says why */
};
enum { STEPS = 8, STEP_MOVE = 2 };
extern const struct step pipeline[STEPS];
/* The step STEP_MOVE for several runs at once, whose programs on one side are the same text: they
 * still are afterwards. */
void run_move_together(struct run *const *, uint32_t n, bool same_vs, struct allowance *);

/* The run's new vertex program is to have for the other's pixel program, which stays as it is, what the given one has. */
void run_promise(struct run *, const struct run *other);
/* Of a run whose pixel program stays as it is: the new vertex program of another is its own.  False: that is not proven. */
bool run_serve(struct run *, const struct run *by);

/* Returns whether a checked run's FP, as it was given, can only be written in its own model: it breaks a rule of ps_2_0. */
bool run_breaks_ps_2_0(struct run *);
/* A new text of a program. */
struct new_text {
	struct text text;
	struct folds literals; /* that were computed ahead, for the proof */
};
/* Takes texts that other runs made as the new programs of a run that has gone through the steps before STEP_MOVE, and proves them from the
 * given pair; NULL: that program stays as it was given.  `known` is their proof if another run of the pair adopted them before, else NULL.
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
/* Step number `step`; false: the run ends here. */
bool run_step(struct run *, unsigned step);
/* Of a done run: its programs as they were given take the place of the new ones, and are proven.  False: as run_step. */
bool run_take_given(struct run *);
/* Tells of checked programs that are longer than the options' device allows, where that is known. */
void run_check_device(struct run *);
/* All steps.  Comes back also when the arena fails; the arena's own handler is put
 * back.  What the run points to lives in the arena. */
void run_all(struct run *);

/* To be asked of a done run when its programs are about to be put in place: are these bytes, which may be one text
 * with both programs, what was proven?  Others than the run's own are read again, checked and proven now.  False: they
 * must not be written, and the status is RUN_FAILED. */
bool run_proves(struct run *, const struct text *vs, const struct text *ps);

/* A done run's new program as text, whatever it is written as. */
struct text run_listing(const struct run *, enum stage);
/* The given one, in the spelling that the new one's text has. */
struct text run_given_listing(const struct run *, enum stage);

/* The budgets of a parsed run: the options', or the models' own where there are none. */
struct move_options run_budgets(const struct run *);
/* The cost profile's name. */
const char *run_target_name(const struct run_options *);
/* Applies no_warn and werror to what was said so far. */
void run_filter_warnings(struct diags *, const struct run_options *);
/* What the options say of renderer and application: for a proof of any two pairs. */
struct proof_context options_context(const struct run_options *);
/* What the new pair may assume, once it was moved. */
struct proof_context run_context(const struct run *);
/* Returns for each instruction of a new program as it was read again the one of vs_out or ps_out that was printed, NULL for an _abs.
 * Returns NULL if that is not known. */
const struct instr *const *run_printed(const struct run *, enum stage);
/* Returns for each instruction of ps_new the one of ps that the mover made it of, or UINT32_MAX if there is none.  Returns NULL if
 * it is not known. */
const uint32_t *run_origins(const struct run *);
/* The level whose method made a run's plan: of a plan that is staged, or could not be bettered, 1. */
int run_plan_level(const struct run *);
/* Of a done run's given pair and its new one: in units of the target, see target.h; of several targets, the mean of shares of
 * what the given pair takes, in per cent. */
struct costs run_costs(const struct run *);

#endif
