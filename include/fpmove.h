/* libfpmove: move work from Direct3D 9 pixel programs to their vertex programs.
 *
 * Two programs go in (vs_1_1 or vs_2_0, and ps_2_0), as assembly text or bytecode, two come out
 * that draw the same picture with less work per pixel.  A pixel program alone comes out as far as that needs no vertex program.  So are the passes of a compiled effect, which goes in and comes out
 * whole (FPM_EFFECT).  Nothing is read from or written to
 * files, nothing is printed; calls share no state, so threads may run them at once.
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
	FPM_DONE,      /* the pair was rewritten, or there was nothing to move */
	FPM_REJECTED,  /* a text breaks a rule of its model, or is no pair: see the diagnostics */
	FPM_NO_MEMORY,
	FPM_FAULT      /* the result failed its proof: keep the pair as it was, and tell us */
};

/* Numbers of -1 mean: what the programs' models allow; larger ones than that mean the same. */
struct fpm_options {
	int level;                      /* 0: check and print back .. 3; the command's -O */
	int max_moves;                  /* instructions to move at most; this and the next move by the method of level 1 */
	int stop_at_ps_slots;           /* move no further once the pixel program is this short */
	int vs_slots, vs_temps;         /* most the vertex program may use */
	int vs_const_first, vs_const_last; /* vertex constants that may be taken, the last of them first */
	int texcoords;                  /* interpolators there are */
	const char *target;             /* cost profile: NULL or "slots", another name of --target, or several; an unknown one is slots */
	int ps_arith, ps_tex;           /* slots the pixel program must fit */
	bool drop_in;                   /* ask the application to set no further constant */
	bool colour_inputs;             /* let moved values come through v0 and v1 */
	const char *preshader;          /* levels 2 and 3, without drop_in: work on constants alone becomes a C
	                                 * function of this name, for the application (p_int for a word such as int);
	                                 * NULL: it does not */
	int ps_const_first, ps_const_last; /* pixel constants that it may fill */
	bool free_position;             /* positions may differ in the last bit from those of the program as given, which
	                                 * no other pass draws the same mesh with */
	unsigned plain_textures;        /* bit n: the 2D texture of s#n is none of depths (D24X8, D16 ...), which would be
	                                 * compared with the coordinate's .z: that need not stay what it was */
	enum fpm_emit emit;             /* what the new programs are written as */
	bool free_ties;                 /* let interpolators bring numbers made of constants alone by which texkill, cmp,
	                                 * frc, an alpha or depth test decides, or literals by which a texel is read, though they
	                                 * may come a digit off */
	bool as_published;              /* all that the paper took for granted: colour_inputs, free_position, every texture plain, and
	                                 * free_ties; at level 1 each moved instruction has a mov of its own to the output */
	unsigned keep_inputs;           /* bit n: the vertex program goes on writing what it writes to oTn, or as texcoordn */
	bool keep_model;                /* ps_2_a, _b, _x and _sw programs are written as those, also where they fit ps_2_0 */
	unsigned finite_textures;       /* bit n: no texel of s#n is infinite or NaN, so that it may be multiplied by a new 0 */
	const char *device;             /* what the device has beyond the least of its models, such as
	                                 * "ps30-slots:2048,vs30-slots:2048,vs-consts:256"; NULL, or what cannot be read: the least */
};
FPM_API void fpm_options_init(struct fpm_options *);

/* One text, already preprocessed, or a compiled program; it need not end in a NUL, NULL is an empty one.
 * The name is for diagnostics. */
struct fpm_text {
	const char *name, *text;
	size_t size; /* bytes */
};

struct fpm_result;

/* Moves one pair: the `n` texts hold one vertex and one pixel program between
 * them, in any order.  Or moves a compiled effect (fx_2_0), if the only text begins with its token, or is an uncompressed
 * .xnb with one: then slots, moved instructions, constants, diagnostics and hints below are those of all its pairs, and `preshader` and `emit` mean
 * nothing.  Options of NULL are those of fpm_options_init.  The result owns
 * copies of all it needs; free it with fpm_free.  NULL when not even the result could
 * be allocated; all functions below take NULL and then say FPM_NO_MEMORY, NULL or 0,
 * those that take a number one of 0s for numbers that are too large. */
FPM_API struct fpm_result *fpm_move(const struct fpm_text *, size_t n, const struct fpm_options *);
FPM_API void fpm_free(struct fpm_result *);

FPM_API enum fpm_status fpm_status(const struct fpm_result *);
/* The new program, NUL terminated, lines ended by \n, or its bytecode, which is of that size (without the NUL behind
 * it), or of an effect FPM_EFFECT alone; NULL and 0 where there is none, and unless the status is FPM_DONE. */
FPM_API const char *fpm_output(const struct fpm_result *, enum fpm_stage);
FPM_API size_t fpm_output_size(const struct fpm_result *, enum fpm_stage);
/* Slots of a program; 0 where there is none. */
FPM_API unsigned fpm_slots(const struct fpm_result *, enum fpm_stage, enum fpm_time);
/* Instructions whose values the vertex program or the application computes now, and the pixel program does not. */
FPM_API unsigned fpm_moved(const struct fpm_result *);

/* A pair of programs of an effect, drawn by that pass and perhaps by others; a program of several such pairs counts with each.
 * Slots by enum fpm_time. */
struct fpm_pass {
	const char *technique, *pass; /* live as long as the result */
	unsigned vs_slots[2], ps_slots[2];
};
FPM_API size_t fpm_passes(const struct fpm_result *);
FPM_API struct fpm_pass fpm_pass(const struct fpm_result *, size_t);

/* Vertex constant c[vs] must be set to what pixel constant c[ps] is set to. */
struct fpm_constant {
	int vs, ps;
};
FPM_API size_t fpm_constants(const struct fpm_result *);
FPM_API struct fpm_constant fpm_constant(const struct fpm_result *, size_t);
/* The name that the pixel constant has in a compiler's comments, as in fxc's table of registers; NULL: it has none. */
FPM_API const char *fpm_constant_name(const struct fpm_result *, size_t);
/* Is it set with the others by who sets constants by their names, as D3DX and effects do?  So where both programs are bytecode
 * and the new vertex program's table of constants has it. */
FPM_API bool fpm_constant_by_name(const struct fpm_result *, size_t);

/* With options.preshader: a C file (C89, also C++) with the function
 *	void NAME(float ps[][4], float vs[][4]);
 * which the application calls when it has changed pixel constants.  From all of them, in `ps`, it
 * fills the presets below and the vertex constants of fpm_constants.  NULL where there is none. */
FPM_API const char *fpm_preshader(const struct fpm_result *);
struct fpm_preset {
	enum fpm_stage stage;
	int constant;
	unsigned lanes; /* 1 is x, 2 y, 4 z, 8 w; the others become 0 */
};
FPM_API size_t fpm_presets(const struct fpm_result *);
FPM_API struct fpm_preset fpm_preset(const struct fpm_result *, size_t);

enum fpm_severity { FPM_NOTE, FPM_WARNING, FPM_ERROR };
/* Strings live as long as the result; `rule` and `file` may be NULL, `line` 0. */
struct fpm_diagnostic {
	enum fpm_severity severity;
	const char *rule, *file, *text;
	unsigned line, column; /* from 1 */
};
FPM_API size_t fpm_diagnostics(const struct fpm_result *);
FPM_API struct fpm_diagnostic fpm_diagnostic(const struct fpm_result *, size_t);

/* What keeps the pair longer than it could be, a budget or an assumption, and what it would save to lift that.  The first
 * call plans the pair some more times, as long again for each budget that may bind; no memory: there are none. */
struct fpm_hint {
	const char *text;    /* one sentence, in terms of the command's options; lives as long as the result */
	const char *with;    /* options of the command to add, parted by blanks; NULL: none */
	const char *without; /* ... and to leave out */
	bool vs_2_0;         /* the vertex program is to be a vs_2_0 program */
	unsigned ps_slots;   /* further slots of the pixel program that this saves */
	unsigned vs_slots;   /* slots of the vertex program then */
};
FPM_API size_t fpm_hints(struct fpm_result *);
FPM_API struct fpm_hint fpm_hint(struct fpm_result *, size_t);

FPM_API const char *fpm_version(void);

#ifdef __cplusplus
}
#endif
#endif
