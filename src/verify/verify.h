/* Are two pairs of programs the same function?  Written from the language's
 * definition; shares nothing with the mover. */
#ifndef FPMOVE_VERIFY_VERIFY_H
#define FPMOVE_VERIFY_VERIFY_H

#include "lang/ir.h"

struct pair {
	const struct program *vs, *ps;
};

/* What the new pair may assume. */
struct proof_context {
	const struct const_map *consts; /* set by the application in the new pair */
	uint32_t nconsts;
	const struct folded *folds; /* constants computed ahead */
	uint32_t nfolds;
	const struct needs *given; /* what the application sets for the old pair; NULL: nothing but what its programs name */
	/* VP constants from..to-1 that c[a0.x + n] never reaches, as the user promises; elsewhere a
	 * new or lost literal changes what such an operand reads. */
	int unreached_from, unreached_to;
	bool free_position; /* oPos and a0 may come from other float operations, as long as those are equal in real numbers */
	unsigned plain_textures; /* bit n: s#n is no texture of depths, see plane_reads */
	bool free_ties; /* interpolators may bring numbers made of constants alone by which the FP decides, perhaps a digit off */
	bool chosen_literals; /* somebody may have chosen the pairs' literals against the proof's primes: more, slower trials */
	unsigned trials; /* 0: as many as it takes: 1, none for a pair and itself */
	uint64_t seed;   /* inputs are a function of the seed alone */
};

struct proof {
	bool equal;
	bool doubts; /* not equal: only since something exact may decide and come through an interpolator, see ties.h, or since a
	              * value may have lost precision, see precision.h; whoever moved keeps the old pair */
	unsigned trials;
	const char *why; /* not equal: one sentence that names the output lane */
	/* Not equal: the instructions that last wrote that lane in the old and the new
	 * pair (index into instrs; UINT32_MAX: none), and which stage they are in. */
	enum stage stage;
	uint32_t old_instr, new_instr;
};

/* A texture of depths (D24X8, D16 ...) makes a 2D read a comparison of the coordinate's .z, after texldp's division, with
 * the texel, and no program says which textures are some.  (Seen in Wine 8; Microsoft has no page on it.) */
enum plane_read {
	PLANE_NONE, /* not read, or its result comes to nothing */
	PLANE_ANY,  /* .z does not count, */
	PLANE_AT    /* or does: it was written, of a t# by the vertex program, and is named by the dcl */
};
/* What each instruction of a pixel program is in this respect.  No .z counts for the samplers in `plain`.
 *
 * At a .z that nobody wrote, neither the pixel program nor the vertex program whatever the dcl says, a depth could give
 * anything.  Beside such a read of the same sampler, whose texture is hardly one of depths therefore, a lane of an r# does
 * not count that serves something else than such a comparison, too: it is left over there by chance.
 *
 * No .z counts of a texld that Microsoft's HLSL compiler made, as a comment of it says: that is tex2D(s, float2), which has none
 * ("tex2D (HLSL)"; the forms with a float4 become texldp, texldb, texldl and texldd). */
uint8_t *plane_reads(struct arena *, struct pair, unsigned plain);
/* A bit for each sampler that has reads PLANE_AT and none PLANE_ANY, which would be compared with anything. */
unsigned depth_samplers(struct arena *, struct pair, unsigned plain);
/* Returns the same for a pair with flow control: the samplers of 2D reads whose .z is there on every way to each.  Returns none if the pixel
 * program reads another lane that may not be there, which could come to be a .z. */
unsigned depth_samplers_beside_blocks(struct arena *, struct pair, unsigned plain);

/* The algebraic proof in two prime fields; and, unless positions are free, that oPos and a0 are made by the very
 * operations that the old VP has. */
struct proof prove(struct arena *, struct pair old, struct pair new, const struct proof_context *);

#endif
