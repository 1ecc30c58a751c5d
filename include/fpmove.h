/* libfpmove: move work from Direct3D 9 pixel programs to their vertex programs.
 *
 * Takes a vertex program (vs_1_1 to vs_3_0) and a pixel program (ps_2_0 to ps_3_0), as assembly text or bytecode, and returns two programs
 * that draw the same picture with less work per pixel.  Given a pixel program alone, makes only the changes that need no vertex
 * program.  Given a compiled effect, returns the whole effect with new programs (FPM_EFFECT).  The library reads and writes no files and
 * prints nothing.  Calls share no state, so several threads may call the library at once.
 *
 *	struct fpm_options o;
 *	fpm_options_init(&o);
 *	struct fpm_text in[2] = {{"a.vsh", vs, strlen(vs)}, {"a.psh", ps, strlen(ps)}};
 *	struct fpm_result *r = fpm_move(in, 2, &o);
 *	if (fpm_status(r) == FPM_DONE)
 *		use(fpm_output(r, FPM_VERTEX), fpm_output(r, FPM_PIXEL));
 *	fpm_free(r); */
#ifndef FPMOVE_H
#define FPMOVE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FPMOVE_VERSION "0.1.0"

#if defined(__GNUC__)
#define FPM_API __attribute__((visibility("default")))
#else
#define FPM_API
#endif

enum fpm_stage { FPM_VERTEX, FPM_PIXEL, FPM_EFFECT };
enum fpm_time { FPM_BEFORE, FPM_AFTER };
enum fpm_emit { FPM_AS_GIVEN, FPM_ASM, FPM_BYTECODE };

/* The values are the exit statuses of the command. */
enum fpm_status {
	FPM_DONE,      /* the programs were rewritten, or there was nothing to move */
	FPM_REJECTED,  /* a program breaks a rule of its model, or the texts are not one pair: see the diagnostics */
	FPM_NO_MEMORY,
	FPM_FAULT      /* the result failed its proof, which is a bug in fpmove: keep the programs as they were, and report it */
};

/* Options.  A number of -1, or one above the limits of the programs' models, sets no limit beyond those. */
struct fpm_options {
	int level;                      /* the command's -O: 0 checks and prints back, 3 tries most */
	int max_moves;                  /* most instructions to move; if this or `stop_at_ps_slots` is set, moves are planned as at level 1 */
	int stop_at_ps_slots;           /* move no further once the pixel program has so few slots */
	int vs_slots, vs_temps;         /* limits of the vertex program's slots and temporaries */
	int vs_const_first, vs_const_last; /* vertex constants that fpmove may use; it uses the last of them first */
	int texcoords;                  /* limit of the number of interpolators (texture coordinates) */
	const char *target;             /* names of cost profiles, as for --target; NULL or an unknown name stands for "slots" */
	int ps_arith, ps_tex;           /* arithmetic and texture slots into which the pixel program must fit */
	bool drop_in;                   /* move only what needs no new constant */
	bool colour_inputs;             /* moved values may be interpolated as colours, in v0 and v1 */
	const char *preshader;          /* at levels 2 and 3, without drop_in: name of a C function into which work on constants
	                                 * alone goes, for the application to call; a C keyword such as int becomes p_int.
	                                 * NULL if no such function is wanted */
	int ps_const_first, ps_const_last; /* pixel constants that the function `preshader` may fill */
	bool free_position;             /* positions may differ in the last bit, since no other pass draws the same mesh with
	                                 * the program as given */
	unsigned plain_textures;        /* bit n: the 2D texture of s#n is not a hardware depth texture (D24X8, D16 ...), so that
	                                 * the coordinate's .z may change */
	enum fpm_emit emit;             /* form of the new programs */
	bool free_ties;                 /* values may change in their last digit where texkill, cmp, frc, an alpha or depth test
	                                 * compares them, and where literals choose a texel */
	bool as_published;              /* as the paper of fpmove-method(7), assume colour_inputs, free_position, free_ties and only plain textures.
	                                 * At level 1, each moved instruction has its own mov to the output */
	unsigned keep_inputs;           /* bit n: the vertex program still writes to oTn (in model 3, texcoordn) what it wrote before */
	bool keep_model;                /* write ps_2_a, _b, _x and _sw programs in their own model, even if they fit ps_2_0 */
	unsigned finite_textures;       /* bit n: no texel of s#n is infinite or NaN, so that fpmove may multiply it by a 0 */
	const char *device;             /* limits of the device above the minimum of the models, such as
	                                 * "ps30-slots:2048,vs30-slots:2048,vs-consts:256".  NULL or a text that cannot be read stands for the
	                                 * minimum */
};
FPM_API void fpm_options_init(struct fpm_options *);

/* A program as preprocessed text or as bytecode, or a compiled effect.  `text` need not end in a NUL; NULL is an empty text.  Diagnostics show the
 * name. */
struct fpm_text {
	const char *name, *text;
	size_t size; /* bytes */
};

struct fpm_result;

/* Moves a pair: the n texts hold one vertex and one pixel program, in any order, or a pixel program alone.  Moves a compiled effect (fx_2_0, also
 * in an uncompressed .xnb) if that is the only text: slots, moved instructions, constants and diagnostics are then those of all its pairs, hints
 * those of the pairs that share no program with another, and `preshader` and `emit` have no effect.  NULL for the options stands for those of
 * fpm_options_init.  Returns a result with copies of all its strings, which the functions below read and fpm_free frees, or NULL if memory runs
 * out.  A result of NULL has the status FPM_NO_MEMORY.  For it, and for an index that is too large, the functions below return zeros and NULL or
 * empty strings. */
FPM_API struct fpm_result *fpm_move(const struct fpm_text *, size_t n, const struct fpm_options *);
FPM_API void fpm_free(struct fpm_result *);

FPM_API enum fpm_status fpm_status(const struct fpm_result *);
/* Return the new program and its size in bytes, without the NUL behind it: text with lines that end in \n, or bytecode.  For an effect, only
 * FPM_EFFECT has an output.  Return NULL and 0 if there is no such program, or the status is not FPM_DONE. */
FPM_API const char *fpm_output(const struct fpm_result *, enum fpm_stage);
FPM_API size_t fpm_output_size(const struct fpm_result *, enum fpm_stage);
/* Returns the slots of a program, for an effect the sum over its pairs, or 0 if there is no such program. */
FPM_API unsigned fpm_slots(const struct fpm_result *, enum fpm_stage, enum fpm_time);
/* Returns how many instructions the pixel program lost because the vertex program or the application now computes them. */
FPM_API unsigned fpm_moved(const struct fpm_result *);

/* A pair of programs of an effect, or a pixel program that was planned alone, and the first pass that draws it.  A program of several pairs counts
 * in each of them.  Slots are indexed by enum fpm_time. */
struct fpm_pass {
	const char *technique, *pass; /* live as long as the result */
	unsigned vs_slots[2], ps_slots[2];
};
FPM_API size_t fpm_passes(const struct fpm_result *);
FPM_API struct fpm_pass fpm_pass(const struct fpm_result *, size_t);

/* A copy that the application must set: vertex constant c[vs] gets the value of pixel constant c[ps]. */
struct fpm_constant {
	int vs, ps;
};
FPM_API size_t fpm_constants(const struct fpm_result *);
FPM_API struct fpm_constant fpm_constant(const struct fpm_result *, size_t);
/* Returns the name that a compiler's comments, such as fxc's table of registers, give the pixel constant, or NULL if they give none. */
FPM_API const char *fpm_constant_name(const struct fpm_result *, size_t);
/* Returns true if code that sets constants by name, as D3DX and effects do, also sets the vertex constant: both programs are bytecode, and the new
 * vertex program's table of constants lists it under the pixel constant's name. */
FPM_API bool fpm_constant_by_name(const struct fpm_result *, size_t);

/* Returns, if options.preshader is set, a C file (C89, also C++) with the function
 *	void NAME(float ps[][4], float vs[][4]);
 * The application calls the function whenever it has changed pixel constants, and passes all of them in `ps`.  The function fills the
 * presets below and the vertex constants of fpm_constants.  Returns NULL if the option is not set, or the status is not FPM_DONE. */
FPM_API const char *fpm_preshader(const struct fpm_result *);
/* A constant that the function of options.preshader fills (a preset). */
struct fpm_preset {
	enum fpm_stage stage;
	int constant;
	unsigned lanes; /* the lanes that are filled, as a sum of 1 for x, 2 for y, 4 for z and 8 for w; the others become 0 */
};
FPM_API size_t fpm_presets(const struct fpm_result *);
FPM_API struct fpm_preset fpm_preset(const struct fpm_result *, size_t);

enum fpm_severity { FPM_NOTE, FPM_WARNING, FPM_ERROR };
/* A message about a text.  Strings live as long as the result; `rule` and `file` may be NULL, and `line` and `column` are 0 without a position. */
struct fpm_diagnostic {
	enum fpm_severity severity;
	const char *rule, *file, *text;
	unsigned line, column; /* from 1 */
};
FPM_API size_t fpm_diagnostics(const struct fpm_result *);
FPM_API struct fpm_diagnostic fpm_diagnostic(const struct fpm_result *, size_t);

/* A limit that the options or the model set, or an assumption, that costs slots of the pixel program, and the slots that lifting it saves.  The
 * first call of fpm_hints plans the pair again for each limit that may matter, and each plan takes as long as fpm_move.  If memory runs out, there
 * are no hints. */
struct fpm_hint {
	const char *text;    /* one sentence, in terms of the command's options; lives as long as the result */
	const char *with;    /* options of the command to add, separated by blanks, or NULL if there are none */
	const char *without; /* options of the command to leave out, or NULL if there are none */
	bool vs_2_0;         /* the hint is to write the vertex program as vs_2_0 */
	unsigned ps_slots;   /* further slots of the pixel program that lifting the limit saves */
	unsigned vs_slots;   /* slots of the vertex program with the limit lifted */
};
FPM_API size_t fpm_hints(struct fpm_result *);
FPM_API struct fpm_hint fpm_hint(struct fpm_result *, size_t);

FPM_API const char *fpm_version(void);

#ifdef __cplusplus
}
#endif
#endif
