/* Proves that two pairs of programs are the same function.  Written from the language's definition; shares nothing with
 * the mover (the code that makes the new pair out of the old one). */
#ifndef FPMOVE_VERIFY_VERIFY_H
#define FPMOVE_VERIFY_VERIFY_H

#include "lang/ir.h"

struct pair {
	const struct program *vs, *ps;
};

/* The assumptions under which prove() compares an old and a new pair. */
struct proof_context {
	const struct const_map *consts; /* copies of FP constants that the application sets in the new VP */
	uint32_t nconsts;
	const struct folded *folds; /* constants of the new pair that are computed before it runs, with their expressions */
	uint32_t nfolds;
	const struct needs *given; /* copies and computed constants that the application sets for the old pair; NULL if there are none */
	/* The user promises that c[a0.x + n] reaches no VP constant from unreached_from to unreached_to - 1.  A literal that is added
	 * to or removed from any other VP constant counts as a change of c[a0.x + n]. */
	int unreached_from, unreached_to;
	bool free_position; /* the new VP may compute oPos and a0 by other float operations, if they are equal in real numbers */
	unsigned plain_textures; /* bit n is set if sampler n has no depth texture, so that its reads compare no .z, see plane_reads() */
	bool free_ties; /* comparisons of the FP may use a number made of constants that an interpolator brings, though its last digit may be wrong */
	bool chosen_literals; /* an attacker may have chosen the pairs' literals against the proof's primes: adds slower trials that notice this */
	unsigned trials; /* the number of runs on different random inputs; 0 means 1, or none if the pairs are the same without `consts` and `folds` */
	uint64_t seed;   /* all random inputs are a function of it */
};

struct proof {
	bool equal;
	/* Set if the pairs are equal in real numbers, but count as different since an exact value by which the FP decides comes
	 * through an interpolator (ties.h, quotients.h) or a value has lost precision (precision.h).  The pair is then
	 * planned at a lower level, or stays as it is. */
	bool doubts;
	unsigned trials;
	const char *why; /* if not equal, one sentence that names the difference */
	/* If not equal, the stage of the difference, and the instructions that make it in the old and the new program of that stage, for
	 * example those that last wrote the lane that differs: indices into instrs, or UINT32_MAX if there is none. */
	enum stage stage;
	uint32_t old_instr, new_instr;
};

/* With a depth texture (D24X8, D16 ...), a 2D read compares the coordinate's .z, after texldp's division, with the texel, and no
 * program says which textures are depth textures.  (Seen in Wine 8; Microsoft has no page on it.) */
enum plane_read {
	PLANE_NONE, /* the instruction is no 2D read, or its result is dead */
	PLANE_ANY,  /* a 2D read for which the coordinate's .z makes no difference */
	PLANE_AT    /* a 2D read that may compare .z with a depth texture: the .z was written (that of a t# by the VP), and the dcl names it */
};
/* Returns the enum plane_read of each instruction of the pixel program.  "A .z counts" means PLANE_AT.  No .z counts for the samplers in
 * `plain`, a bit each.
 *
 * A depth texture would compare anything with a .z that neither program writes, whatever the dcl says.  A sampler that has such
 * a read hardly has a depth texture.  So for its other reads a .z in an r# does not count if other instructions read that lane,
 * too: it is a leftover value.
 *
 * No .z counts for a texld in a program that has a comment of Microsoft's HLSL compiler: it was tex2D(s, float2), which has none
 * ("tex2D (HLSL)"; the forms with a float4 become texldp, texldb, texldl and texldd). */
uint8_t *plane_reads(struct arena *, struct pair, unsigned plain);
/* Returns a bit for each sampler that may have a depth texture: it has reads PLANE_AT, which compare .z, and no read PLANE_ANY, where the
 * comparison would be undefined. */
unsigned depth_samplers(struct arena *, struct pair, unsigned plain);
/* Returns a bit for each sampler that may have a depth texture, for a pair with flow control: its 2D reads have a .z that is written on every
 * path to them.  Returns 0 if the pixel program is a listing of the HLSL compiler, or if it reads any other lane that may be unwritten, since
 * that lane could become a .z.  Leaves out the samplers in `plain`. */
unsigned depth_samplers_beside_blocks(struct arena *, struct pair, unsigned plain);

static inline bool pair_flows(struct pair p)
{
	return program_flows(p.vs) || program_flows(p.ps);
}

/* Returns `equal` if the pairs are equal in two prime fields and, unless `free_position` is set, the new VP computes oPos and a0 by the same float
 * operations as the old VP.  Otherwise the result tells where they differ. */
struct proof prove(struct arena *, struct pair old, struct pair new, const struct proof_context *);

#endif
