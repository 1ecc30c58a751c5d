/* The core of the reference interpreter, compiled once for each arithmetic type.  The file that
 * includes it defines
 *   REAL          float, double or long double
 *   NAME(x)       the name of x for that type
 *   BLOCK         the number of elements (vertices or pixels) that run side by side
 * Every register lane is a block of BLOCK values, so that each step of an
 * instruction is one plain loop over them, which compilers turn into vector code.
 * Written from the language's definition: the equations of lang/ops.def. */

struct NAME(machine) {
	const struct program *program;
	REAL constant[MACHINE_CONSTS][LANES];
	int unreached_from, unreached_to;        /* constants that the user promised c[a0.x + n] not to reach; it reads 0 there */
	REAL in[MACHINE_INPUTS][LANES][BLOCK];   /* the inputs: v#; in a pixel program v0, v1, then the t# */
	REAL out[MACHINE_OUTPUTS][LANES][BLOCK]; /* the outputs, by enum machine_output */
	lanes out_written[MACHINE_OUTPUTS];
	REAL pixel[2][BLOCK], face[BLOCK];       /* vPos and vFace of a pixel program */
	bool killed[BLOCK];
	/* For each element, hashes of the decisions of discontinuous steps (cmp, frc, texkill ...), and of the texels of point-sampled
	 * reads.  They differ between two runs if rounding made one run decide differently. */
	uint32_t decision[BLOCK], texel[BLOCK];
	bool fp24;                               /* rounds the results of all instructions to 16 bits of mantissa */
	uint32_t size[BLOCK];                    /* for each element, a hash of the exponents of all divisors */
	REAL divisor[BLOCK];                     /* for each element, the last divisor */
	/* Shaken machines, or NULL: they run the same program beside this one, instruction by instruction, with operands that are slightly
	 * wrong. */
	struct NAME(machine) *shaken[2];
	const struct NAME(machine) *truth;       /* in a shaken machine, the one with the right operands; else NULL */
	/* In a shaken machine, the other shaken machine if this one takes that one's errors with the opposite sign; NULL if its errors are its
	 * own. */
	const struct NAME(machine) *mirrored;
	REAL jitter;                             /* in a shaken machine, the largest error of an operand, as a share of the operand, see `shake` */
	uint32_t noise;                          /* the state of the random generator for errors */
	/* For each element, true if its results do not count, since there was a division by 0; in a shaken machine, also since there was an
	 * infinity, a NaN, or a direction between cube faces. */
	bool wild[BLOCK];
	const struct interp_texture *texture;    /* INTERP_SAMPLERS textures, or NULL */

	unsigned temps;                          /* the highest number of an r# in the program, plus 1 */
	REAL *temp[MACHINE_TEMPS][LANES];
	REAL *spare[LANES];                      /* blocks for the results of the current instruction */
	REAL address[LANES + 1][BLOCK];          /* the lanes of a0, then aL */
	struct NAME(flow) *flow;                 /* NULL if the program has no flow control */
	REAL store[(MACHINE_TEMPS + 1) * LANES][BLOCK];
	REAL scratch[MAX_SOURCES * LANES][BLOCK]; /* operands that are in no register: constants, and negated operands */
};

#define FOR_BLOCK for (unsigned k = 0; k < BLOCK; k++)

/* A copy of what a machine notes for each element, see the fields of these names in the machine. */
struct NAME(marks) {
	uint32_t decision[BLOCK], texel[BLOCK], size[BLOCK];
	REAL divisor[BLOCK];
	bool killed[BLOCK], wild[BLOCK];
};

struct NAME(flow) {
	const struct machine_flow *of;
	struct interp_switches set;
	bool mask[BLOCK];            /* the elements that run the next instruction */
	bool any, all;               /* `any`: some of the elements run the next instruction; `all`: all of them do */
	bool predicate[LANES][BLOCK];
	struct machine_frame *frame; /* the open frames, innermost last; those of the first machine serve all that run side by side */
	struct NAME(outer) {
		bool outside[BLOCK];   /* `mask` once the frame has ended */
		bool otherwise[BLOCK]; /* `mask` after the else of an if */
	} *outer;                    /* the saved masks of each open frame */
	struct NAME(marks) marks;    /* a copy of the machine's notes from before the current instruction */
};

static inline void NAME(decide)(uint32_t *into, uint32_t what, unsigned k)
{
	into[k] = (into[k] ^ what) * UINT32_C(0x9e3779b1);
	into[k] ^= into[k] >> 15;
}

/* Notes a divisor x: an operand for which the result grows without bound as x comes near 0, as in 1 / x and log x.  If rounding leaves no
 * digit of x, its exponent differs between two runs.  The factor 1.37 keeps literals away from powers of two, where exponents change. */
static void NAME(divide_by)(struct NAME(machine) *m, const REAL *x)
{
	FOR_BLOCK {
		float f = (float)(x[k] * (REAL)1.37);
		uint32_t bits;
		memcpy(&bits, &f, sizeof bits);
		NAME(decide)(m->size, bits >> 23, k);
		m->divisor[k] = x[k];
		m->wild[k] = m->wild[k] || x[k] == 0;
	}
	if (m->truth)
		FOR_BLOCK m->wild[k] = m->wild[k] || !(fabs(x[k] - m->truth->divisor[k]) < fabs(m->truth->divisor[k]) / 8);
}

/* Returns a random number of magnitude 0.5 to 1 and either sign, another one for each k. */
static inline REAL NAME(any)(uint32_t noise, unsigned k)
{
	uint32_t x = (noise ^ k * UINT32_C(0x9e3779b1)) * UINT32_C(0x85ebca6b);
	x = (x ^ x >> 15) * UINT32_C(0xc2b2ae35);
	REAL part = (REAL)(int32_t)(x >> 9) / (REAL)0x1000000 + (REAL)0.5;
	return x & 1 ? part : -part;
}

/* Makes an operand of a shaken machine wrong by up to m->jitter of itself, and by about the error that its `value` already has.  `truth` is
 * the right value.  The error differs for each reader, since another pair may compute the value for each of them in another way.  `there`
 * is the value in the machine that this one mirrors, or NULL; a clamp there may have removed an error that this machine still has. */
static const REAL *NAME(shake)(struct NAME(machine) *m, const REAL *truth, const REAL *value, const REAL *there, REAL *to)
{
	m->noise = m->noise * UINT32_C(1664525) + UINT32_C(1013904223);
	REAL side = there ? -1 : 1;
	FOR_BLOCK {
		REAL by_itself = NAME(any)(m->noise, k), further = NAME(any)(~m->noise, k);
		REAL off = value[k] - truth[k];
		if (there) {
			REAL opposite = truth[k] - there[k];
			off = fabs(off) > 4 * fabs(opposite) ? off : opposite;
		}
		to[k] = truth[k] + off * fabs(further) * (REAL)1.5 + side * truth[k] * m->jitter * by_itself;
	}
	return to;
}

/* Returns the floor of a number as an integer; 0 for NaN, and at most 10^9 in magnitude. */
static inline int32_t NAME(whole)(REAL x)
{
	const REAL limit = (REAL)1000000000;
	if (!(x >= -limit && x <= limit))
		return x > 0 ? 1000000000 : x < 0 ? -1000000000 : 0;
	int32_t cut = (int32_t)x;
	return cut - ((REAL)cut > x);
}

static const REAL *NAME(relative)(const struct NAME(machine) *m, const struct src *s, int row, unsigned lane, REAL *to)
{
	FOR_BLOCK {
		int32_t c = NAME(whole)(m->address[s->relative - 1][k]) + s->index + row;
		bool reached = c >= 0 && c < MACHINE_CONSTS && !(c >= m->unreached_from && c < m->unreached_to);
		to[k] = reached ? m->constant[c][lane] : 0;
	}
	return to;
}

/* Returns a lane of v[aL + n], the input whose number in the text is aL + n; 0 if there is none. */
static const REAL *NAME(addressed_input)(const struct NAME(machine) *m, const struct src *s, unsigned lane, REAL *to)
{
	int32_t const number = NAME(whole)(m->address[s->relative - 1][0]) + s->index;
	unsigned const input = m->flow && number >= 0 && number < MACHINE_INPUTS ? m->flow->of->input[number] : MACHINE_NOWHERE;
	if (input != MACHINE_NOWHERE)
		return m->in[input][lane];
	FOR_BLOCK to[k] = 0;
	return to;
}

/* Returns lane `lane` of operand s after swizzle and modifiers: the register's own block, or a copy in `to`.  `row` is the matrix row. */
static const REAL *NAME(value)(const struct NAME(machine) *m, const struct src *s, int row, unsigned lane, REAL *to)
{
	unsigned from = swizzle_lane(s->swizzle, lane);
	const REAL *at = NULL;
	switch ((enum reg_file)s->file) {
	case REG_TEMP: at = m->temp[s->index][from]; break;
	case REG_INPUT: at = s->relative ? NAME(addressed_input)(m, s, from, to) : m->in[s->index][from]; break;
	case REG_TEXCOORD: at = m->in[MACHINE_COLOURS + s->index][from]; break;
	case REG_CONST:
		if (s->relative) {
			at = NAME(relative)(m, s, row, from, to);
			break;
		}
		FOR_BLOCK to[k] = m->constant[s->index + row][from];
		at = to;
		break;
	case REG_PIXEL_POS: at = m->pixel[from % 2]; break;
	case REG_FACE: at = m->face; break;
	case UNREAD_FILES: /* no checked program reads these */
		FOR_BLOCK to[k] = 0;
		return to;
	}
	if (s->absolute) {
		FOR_BLOCK to[k] = fabs(at[k]);
		at = to;
	}
	if (s->negate) {
		FOR_BLOCK to[k] = -at[k];
		at = to;
	}
	return at;
}

/* Returns lane `lane` of operand s after swizzle and modifiers; a shaken machine adds an error.  `use` selects the scratch space: operands
 * that must be valid at the same time get different numbers. */
static const REAL *NAME(read)(struct NAME(machine) *m, const struct src *s, int row, unsigned lane, unsigned use)
{
	REAL *to = m->scratch[use];
	if (!m->truth)
		return NAME(value)(m, s, row, lane, to);
	REAL truth[BLOCK], there[BLOCK];
	const REAL *value = NAME(value)(m, s, row, lane, to);
	return NAME(shake)(m, NAME(value)(m->truth, s, row, lane, truth), value,
	                   m->mirrored ? NAME(value)(m->mirrored, s, row, lane, there) : NULL, to);
}

#define SOURCE(s, lane) NAME(read)(m, &i->src[s], 0, (lane), (s) * LANES + (lane))

static void NAME(add_product)(REAL *restrict d, const REAL *restrict a, const REAL *restrict b)
{
	FOR_BLOCK d[k] += a[k] * b[k];
}

static void NAME(dot)(struct NAME(machine) *m, const struct instr *i, unsigned n, int row, REAL *d)
{
	FOR_BLOCK d[k] = 0;
	for (unsigned lane = 0; lane < n; lane++)
		NAME(add_product)(d, SOURCE(0, lane), NAME(read)(m, &i->src[1], row, lane, LANES + lane));
}

static void NAME(copy)(REAL *restrict to, const REAL *restrict from)
{
	memcpy(to, from, sizeof(REAL) * BLOCK);
}

static void NAME(fill)(REAL *to, REAL value)
{
	FOR_BLOCK to[k] = value;
}

/* Copies lane x of a scalar result to the other lanes of the mask. */
static void NAME(spread)(REAL *const d[LANES], lanes mask)
{
	for (unsigned lane = 1; lane < LANES; lane++)
		if (mask >> lane & 1)
			NAME(copy)(d[lane], d[0]);
}

static void NAME(nrm)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	REAL sum[BLOCK] = {0};
	for (unsigned lane = 0; lane < 3; lane++) {
		const REAL *a = SOURCE(0, lane);
		FOR_BLOCK sum[k] += a[k] * a[k];
	}
	NAME(divide_by)(m, sum);
	FOR_BLOCK sum[k] = 1 / sqrt(sum[k]);
	EACH_LANE(lane, mask) {
		const REAL *a = SOURCE(0, lane);
		FOR_BLOCK d[lane][k] = a[k] * sum[k];
	}
}

static void NAME(expp)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	const REAL *a = SOURCE(0, 0);
	if (m->program->model != VS_1_1) {
		FOR_BLOCK d[0][k] = exp2(a[k]);
		NAME(spread)(d, mask);
		return;
	}
	FOR_BLOCK {
		NAME(decide)(m->decision, (uint32_t)NAME(whole)(a[k]), k);
		d[0][k] = exp2(floor(a[k]));
		d[1][k] = a[k] - floor(a[k]);
		d[2][k] = exp2(a[k]);
		d[3][k] = 1;
	}
}

static void NAME(logp)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	const REAL *a = SOURCE(0, 0);
	NAME(divide_by)(m, a);
	if (m->program->model != VS_1_1) {
		FOR_BLOCK d[0][k] = log2(fabs(a[k]));
		NAME(spread)(d, mask);
		return;
	}
	FOR_BLOCK {
		REAL logarithm = log2(fabs(a[k]));
		NAME(decide)(m->decision, (uint32_t)NAME(whole)(logarithm), k);
		d[0][k] = floor(logarithm);
		d[1][k] = fabs(a[k]) / exp2(floor(logarithm));
		d[2][k] = logarithm;
		d[3][k] = 1;
	}
}

static void NAME(lit)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	NAME(fill)(d[0], 1);
	NAME(fill)(d[3], 1);
	if (!(mask & (MASK_Y | MASK_Z)))
		return;
	const REAL *x = SOURCE(0, 0);
	FOR_BLOCK d[1][k] = x[k] > 0 ? x[k] : 0;
	if (!(mask & MASK_Z))
		return;
	const REAL *y = SOURCE(0, 1), *w = SOURCE(0, 3);
	const REAL limit = (REAL)127.9961L;
	FOR_BLOCK {
		REAL power = w[k] > limit ? limit : w[k] < -limit ? -limit : w[k];
		bool lit = x[k] > 0;
		NAME(decide)(m->decision, lit, k);
		d[2][k] = lit ? pow(y[k] > 0 ? y[k] : 0, power) : 0;
	}
}

static void NAME(kill)(struct NAME(machine) *m, const struct instr *i)
{
	for (unsigned lane = 0; lane < 3; lane++) {
		const REAL *a = SOURCE(0, lane);
		FOR_BLOCK {
			bool negative = a[k] < 0;
			NAME(decide)(m->decision, negative, k);
			m->killed[k] = m->killed[k] || negative;
		}
	}
}

#include "verify/texture_body.h"

static REAL NAME(round24)(REAL x)
{
	/* Rounds x to 17 of its 24 significant bits: 129 x - (129 x - x) loses the others. */
	if (!(fabs(x) < (REAL)1e30))
		return x;
	volatile REAL big = x * 129;
	volatile REAL rest = big - x;
	return big - rest;
}

/* Instructions that work lane by lane: each function computes one lane of a block from the sources a, b and c.  They are functions so
 * that `restrict` applies and compilers make vector code. */
typedef void NAME(lanewise)(REAL *restrict r, const REAL *restrict a, const REAL *restrict b, const REAL *restrict c,
                            uint32_t *restrict decision);
#define LANEWISE(op, value)                                                                        \
	static void NAME(op)(REAL *restrict r, const REAL *restrict a, const REAL *restrict b,     \
	                     const REAL *restrict c, uint32_t *restrict decision)                  \
	{                                                                                          \
		(void)b, (void)c, (void)decision;                                                  \
		FOR_BLOCK r[k] = (value);                                                          \
	}
/* Defines a lanewise function whose value jumps where `test` changes, so that it notes the test as a decision. */
#define LANEWISE_JUMP(op, test, value)                                                             \
	static void NAME(op)(REAL *restrict r, const REAL *restrict a, const REAL *restrict b,     \
	                     const REAL *restrict c, uint32_t *restrict decision)                  \
	{                                                                                          \
		(void)b, (void)c;                                                                  \
		FOR_BLOCK NAME(decide)(decision, (uint32_t)(test), k);                             \
		FOR_BLOCK r[k] = (value);                                                          \
	}
LANEWISE(op_abs, fabs(a[k]))
LANEWISE(op_add, a[k] + b[k])
LANEWISE_JUMP(op_cmp, a[k] >= 0, a[k] >= 0 ? b[k] : c[k])
/* Computes dsx and dsy, differences between neighbouring pixels, as a share of the value, since the interpreter has no neighbouring pixels.
 * So equal values have equal differences. */
LANEWISE(op_dsx, a[k] * (REAL)0.0625)
LANEWISE(op_dsy, a[k] * (REAL)-0.03125)
LANEWISE_JUMP(op_frc, NAME(whole)(a[k]), a[k] - floor(a[k]))
LANEWISE(op_lrp, a[k] * (b[k] - c[k]) + c[k])
LANEWISE(op_mad, a[k] * b[k] + c[k])
LANEWISE(op_max, a[k] >= b[k] ? a[k] : b[k])
LANEWISE(op_min, a[k] < b[k] ? a[k] : b[k])
LANEWISE(op_mov, a[k])
LANEWISE(op_mul, a[k] * b[k])
LANEWISE_JUMP(op_sge, a[k] >= b[k], a[k] >= b[k] ? 1 : 0)
LANEWISE_JUMP(op_sgn, (a[k] > 0) - (a[k] < 0), a[k] > 0 ? 1 : a[k] < 0 ? -1 : 0)
LANEWISE_JUMP(op_slt, a[k] < b[k], a[k] < b[k] ? 1 : 0)
LANEWISE(op_sub, a[k] - b[k])

static void NAME(each_lane)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES],
                            NAME(lanewise) *op)
{
	unsigned sources = ops[i->op].sources;
	EACH_LANE(l, mask) {
		const REAL *a = SOURCE(0, l);
		const REAL *b = sources > 1 ? SOURCE(1, l) : a, *c = sources > 2 ? SOURCE(2, l) : a;
		op(d[l], a, b, c, m->decision);
	}
}

#define SCALAR(value) SCALAR_AFTER((void)0, value)
#define SCALAR_AFTER(first, value)                                              \
	do {                                                                    \
		const REAL *a = SOURCE(0, 0);                                   \
		first;                                                          \
		FOR_BLOCK d[0][k] = (value);                                    \
		NAME(spread)(d, mask);                                          \
	} while (0)

static void NAME(evaluate)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	switch ((enum op)i->op) {
	case OP_NOP: break;
	case OP_ABS: NAME(each_lane)(m, i, mask, d, NAME(op_abs)); break;
	case OP_ADD: NAME(each_lane)(m, i, mask, d, NAME(op_add)); break;
	case OP_CMP: NAME(each_lane)(m, i, mask, d, NAME(op_cmp)); break;
	case OP_CRS:
		for (unsigned l = 0; l < 3; l++) {
			unsigned y = (l + 1) % 3, z = (l + 2) % 3;
			if (!(mask >> l & 1))
				continue;
			const REAL *ay = SOURCE(0, y), *az = SOURCE(0, z), *by = SOURCE(1, y), *bz = SOURCE(1, z);
			FOR_BLOCK d[l][k] = ay[k] * bz[k] - az[k] * by[k];
		}
		break;
	case OP_DP2ADD: {
		NAME(dot)(m, i, 2, 0, d[0]);
		const REAL *c = SOURCE(2, 0);
		FOR_BLOCK d[0][k] += c[k];
		NAME(spread)(d, mask);
		break;
	}
	case OP_DP3:
		NAME(dot)(m, i, 3, 0, d[0]);
		NAME(spread)(d, mask);
		break;
	case OP_DP4:
		NAME(dot)(m, i, 4, 0, d[0]);
		NAME(spread)(d, mask);
		break;
	case OP_DST: {
		const REAL *ay = SOURCE(0, 1), *az = SOURCE(0, 2), *by = SOURCE(1, 1), *bw = SOURCE(1, 3);
		FOR_BLOCK {
			d[0][k] = 1;
			d[1][k] = ay[k] * by[k];
			d[2][k] = az[k];
			d[3][k] = bw[k];
		}
		break;
	}
	case OP_DSX: NAME(each_lane)(m, i, mask, d, NAME(op_dsx)); break;
	case OP_DSY: NAME(each_lane)(m, i, mask, d, NAME(op_dsy)); break;
	case OP_EXP: SCALAR(exp2(a[k])); break;
	case OP_EXPP: NAME(expp)(m, i, mask, d); break;
	case OP_FRC: NAME(each_lane)(m, i, mask, d, NAME(op_frc)); break;
	case OP_LIT: NAME(lit)(m, i, mask, d); break;
	case OP_LOG: SCALAR_AFTER(NAME(divide_by)(m, a), log2(fabs(a[k]))); break;
	case OP_LOGP: NAME(logp)(m, i, mask, d); break;
	case OP_LRP: NAME(each_lane)(m, i, mask, d, NAME(op_lrp)); break;
	case OP_M3X2:
	case OP_M3X3:
	case OP_M3X4:
	case OP_M4X3:
	case OP_M4X4:
		EACH_LANE(l, mask)
			NAME(dot)(m, i, i->op == OP_M4X3 || i->op == OP_M4X4 ? 4 : 3, (int)l, d[l]);
		break;
	case OP_MAD: NAME(each_lane)(m, i, mask, d, NAME(op_mad)); break;
	case OP_MAX: NAME(each_lane)(m, i, mask, d, NAME(op_max)); break;
	case OP_MIN: NAME(each_lane)(m, i, mask, d, NAME(op_min)); break;
	case OP_MOV:
	case OP_MOVA: NAME(each_lane)(m, i, mask, d, NAME(op_mov)); break;
	case OP_MUL: NAME(each_lane)(m, i, mask, d, NAME(op_mul)); break;
	case OP_NRM: NAME(nrm)(m, i, mask, d); break;
	case OP_POW: {
		const REAL *b = SOURCE(1, 0);
		/* pow is a macro of the language, not C's pow(): 0^0 is NaN. */
		SCALAR_AFTER(NAME(divide_by)(m, a), exp2(b[k] * log2(fabs(a[k]))));
		break;
	}
	case OP_RCP: SCALAR_AFTER(NAME(divide_by)(m, a), 1 / a[k]); break;
	case OP_RSQ: SCALAR_AFTER(NAME(divide_by)(m, a), 1 / sqrt(fabs(a[k]))); break;
	case OP_SGE: NAME(each_lane)(m, i, mask, d, NAME(op_sge)); break;
	case OP_SGN: NAME(each_lane)(m, i, mask, d, NAME(op_sgn)); break;
	case OP_SINCOS:
	case OP_SINCOS3: {
		const REAL *a = SOURCE(0, 0);
		FOR_BLOCK {
			d[0][k] = cos(a[k]);
			d[1][k] = sin(a[k]);
		}
		break;
	}
	case OP_SLT: NAME(each_lane)(m, i, mask, d, NAME(op_slt)); break;
	case OP_SUB: NAME(each_lane)(m, i, mask, d, NAME(op_sub)); break;
	case OP_TEXKILL: NAME(kill)(m, i); break;
	case OP_TEXLD:
	case OP_TEXLDB:
	case OP_TEXLDD:
	case OP_TEXLDL:
	case OP_TEXLDP: NAME(sample)(m, i, d); break;
	case FLOW_OPS: /* see flow_body.h */
	case REGION_OPS: /* never run: only the straight forms of the proof (lang/outline.h) have these */
	case OP_COUNT: break;
	}
}

static void NAME(finish)(struct NAME(machine) *m, const struct instr *i, lanes mask, REAL *const d[LANES])
{
	EACH_LANE(l, mask) {
		REAL *r = d[l];
		if (i->flags & INSTR_SAT)
			FOR_BLOCK r[k] = r[k] > 0 ? r[k] < 1 ? r[k] : 1 : 0;
		if (m->truth)
			FOR_BLOCK m->wild[k] = m->wild[k] || !isfinite(r[k]);
		if (m->fp24)
			FOR_BLOCK r[k] = NAME(round24)(r[k]);
	}
}

static void NAME(store)(struct NAME(machine) *m, const struct instr *i, lanes mask)
{
	if (i->dst.file == REG_TEMP) {
		EACH_LANE(l, mask) {
			REAL *old = m->temp[i->dst.index][l];
			m->temp[i->dst.index][l] = m->spare[l];
			m->spare[l] = old;
		}
		return;
	}
	unsigned const lowest = first_lane(mask);
	if (i->dst.file == REG_ADDRESS) {
		for (unsigned l = lowest; l < LANES; l++) {
			if (!(mask >> l & 1))
				continue;
			FOR_BLOCK {
				REAL x = m->spare[l][k];
				m->address[l][k] = i->op == OP_MOVA ? floor(x + (REAL)0.5) : floor(x);
				NAME(decide)(m->decision, (uint32_t)NAME(whole)(m->address[l][k]), k);
			}
		}
		return;
	}
	unsigned out = machine_output((enum reg_file)i->dst.file, i->dst.index);
	if (reg_files[i->dst.file].scalar) {
		NAME(copy)(m->out[out][0], m->spare[lowest]);
		m->out_written[out] = MASK_X;
		return;
	}
	EACH_LANE(l, mask)
		NAME(copy)(m->out[out][l], m->spare[l]);
	m->out_written[out] |= mask;
}

/* Sets the program that the machine runs, stores the constants that it defines, and gives its registers their memory. */
static void NAME(load)(struct NAME(machine) *m, const struct program *p)
{
	m->program = p;
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if (d->kind == DECL_DEF)
			for (unsigned l = 0; l < LANES; l++)
				m->constant[d->reg.index][l] = (REAL)d->value[l];
		else if (m->flow && d->kind == DECL_INT)
			memcpy(m->flow->set.integer[d->reg.index % INTERP_SWITCHES], d->integer, sizeof *m->flow->set.integer);
		else if (m->flow && d->kind == DECL_BOOL)
			m->flow->set.truth[d->reg.index % INTERP_SWITCHES] = d->integer[0] != 0;
	}
	m->temps = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP && (unsigned)i->dst.index >= m->temps)
			m->temps = (unsigned)i->dst.index + 1;
		for (unsigned s = 0; s < ops[i->op].sources; s++)
			if (i->src[s].file == REG_TEMP && (unsigned)i->src[s].index >= m->temps)
				m->temps = (unsigned)i->src[s].index + 1;
	}
	unsigned next = 0;
	for (unsigned t = 0; t < MACHINE_TEMPS; t++)
		for (unsigned l = 0; l < LANES; l++)
			m->temp[t][l] = m->store[next++];
	for (unsigned l = 0; l < LANES; l++)
		m->spare[l] = m->store[next++];
}

static void NAME(start)(struct NAME(machine) *m, REAL unwritten)
{
	for (unsigned t = 0; t < m->temps; t++)
		for (unsigned l = 0; l < LANES; l++)
			NAME(fill)(m->temp[t][l], unwritten);
	for (unsigned l = 0; l < LANES; l++)
		NAME(fill)(m->address[l], 0);
	m->noise = 1;
	memset(m->wild, 0, sizeof m->wild);
	memset(m->out_written, 0, sizeof m->out_written);
	memset(m->killed, 0, sizeof m->killed);
	memset(m->size, 0, sizeof m->size);
	memset(m->decision, 0, sizeof m->decision);
	memset(m->texel, 0, sizeof m->texel);
}

#include "verify/flow_body.h"

/* Runs the program on one block of elements, from m->in to m->out, in this machine and in its shaken machines.  Temporaries begin as
 * `unwritten`. */
static void NAME(run)(struct NAME(machine) *m, REAL unwritten)
{
	struct NAME(machine) *const all[3] = {m, m->shaken[0], m->shaken[1]};
	unsigned n = m->shaken[0] ? 3 : 1;
	for (unsigned k = 0; k < n; k++)
		NAME(start)(all[k], unwritten);
	if (m->flow) {
		NAME(run_flow)(all, n);
		return;
	}
	for (uint32_t at = 0; at < m->program->instrs.n; at++) {
		const struct instr *i = &m->program->instrs.at[at];
		lanes mask = instr_writes(i);
		for (unsigned k = 0; k < n; k++) {
			NAME(evaluate)(all[k], i, mask, all[k]->spare);
			NAME(finish)(all[k], i, mask, all[k]->spare);
		}
		for (unsigned k = 0; k < n && mask; k++)
			NAME(store)(all[k], i, mask);
	}
}

#undef SOURCE
#undef LANEWISE
#undef LANEWISE_JUMP
#undef SCALAR
#undef SCALAR_AFTER
#undef FOR_BLOCK
