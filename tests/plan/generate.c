/* Generates random pairs, see generate.h: constants and work on them, affine values, texture reads, and pixel arithmetic over all of
 * these.  The caller drops pairs that break a rule of the model. */
#include "generate.h"

unsigned below(struct gen *g, unsigned n)
{
	g->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = (g->state ^ g->state >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)(((x ^ x >> 31) >> 32) * n >> 32);
}

/* ---- operands ---------------------------------------------------------------------------- */

static const struct {
	const char *text;
	swizzle swizzle;
} swizzles[] = {
	{"", SWIZZLE_XYZW}, {"", SWIZZLE_XYZW}, {"", SWIZZLE_XYZW}, {".yzxw", SWIZZLE(1, 2, 0, 3)},
	{".zxyw", SWIZZLE(2, 0, 1, 3)}, {".wzyx", SWIZZLE(3, 2, 1, 0)}, {".x", SWIZZLE(0, 0, 0, 0)},
	{".y", SWIZZLE(1, 1, 1, 1)}, {".z", SWIZZLE(2, 2, 2, 2)}, {".w", SWIZZLE(3, 3, 3, 3)},
};
enum { SWIZZLES = sizeof swizzles / sizeof *swizzles };

enum form { ANY, SCALAR, PLAIN };

static const char *mask_text(lanes m)
{
	static const char *const text[16] = {"", ".x", ".y", ".xy", ".z", ".xz", ".yz", ".xyz", ".w", ".xw", ".yw", ".xyw", ".zw", ".xzw", ".yzw", ""};
	return text[m];
}

/* Makes one operand that reads the positions `read`.  Returns false if none fits. */
static bool operand(struct gen *g, struct text *to, lanes read, char file, unsigned index, lanes readable, enum form form)
{
	for (unsigned attempt = 0; attempt < 8; attempt++) {
		unsigned s = form == SCALAR ? 6 + below(g, 4) : form == PLAIN ? 0 : below(g, SWIZZLES);
		if (swizzle_lanes(swizzles[s].swizzle, read) & (lanes)~readable)
			continue;
		text_printf(to, ", %s%c%u%s", form == PLAIN || below(g, 8) ? "" : "-", file, index, swizzles[s].text);
		return true;
	}
	return false;
}

/* Values on which an instruction works. */
enum rate { CONSTANTS, VARYINGS, PIXELS };

static bool any_operand(struct gen *g, struct text *to, lanes read, enum rate rate, bool first, enum form form, int avoid)
{
	for (unsigned attempt = 0; attempt < 12; attempt++) {
		unsigned what = below(g, 10);
		bool fetched = rate == PIXELS && first;
		if (fetched || what < 5) {
			unsigned r = below(g, GEN_TEMPS);
			lanes there = fetched ? g->fetched[r] : rate == CONSTANTS ? g->fixed[r] : g->temp[r];
			if (there && (int)r != avoid && operand(g, to, read, 'r', r, there, form))
				return true;
		} else if (rate == PIXELS && g->colour && below(g, 6) == 0) {
			return operand(g, to, read, 'v', 0, MASK_XYZW, form);
		} else if (what < 8 && rate != CONSTANTS) {
			unsigned t = g->port_t < 0 ? below(g, g->inputs) : (unsigned)g->port_t;
			if ((g->port_t < 0 || below(g, 3) == 0) && operand(g, to, read, 't', t, g->input[t], form)) {
				g->port_t = (int)t;
				return true;
			}
		} else if (g->port_c < 0 || below(g, 3) == 0) {
			g->port_c = g->port_c < 0 ? (int)below(g, g->consts) : g->port_c;
			return operand(g, to, read, 'c', (unsigned)g->port_c, MASK_XYZW, form);
		}
	}
	return false;
}

/* ---- instructions --------------------------------------------------------------------------- */

enum kind { LANEWISE, ONE_LANE, DOT2, DOT3, DOT4, CROSS, NORMALISE, ROWS };
struct row {
	const char *name;
	uint8_t sources, kind, mask; /* mask: that of ROWS, fixed */
};
/* Rows further down are chosen more rarely. */
static const struct row linear[] = {
	{"mov", 1, LANEWISE, 0}, {"add", 2, LANEWISE, 0}, {"add", 2, LANEWISE, 0}, {"sub", 2, LANEWISE, 0},
	{"mul", 2, LANEWISE, 0}, {"mad", 3, LANEWISE, 0}, {"dp3", 2, DOT3, 0}, {"lrp", 3, LANEWISE, 0},
	{"dp4", 2, DOT4, 0}, {"dp2add", 3, DOT2, 0}, {"crs", 2, CROSS, 0}, {"m3x2", 2, ROWS, 3},
	{"m3x3", 2, ROWS, 7}, {"m4x3", 2, ROWS, 7}, {"m4x4", 2, ROWS, 15}, {"m3x4", 2, ROWS, 15},
};
static const struct row curved[] = {
	{"rcp", 1, ONE_LANE, 0}, {"max", 2, LANEWISE, 0}, {"cmp", 3, LANEWISE, 0}, {"rsq", 1, ONE_LANE, 0},
	{"frc", 1, LANEWISE, 0}, {"min", 2, LANEWISE, 0}, {"abs", 1, LANEWISE, 0}, {"exp", 1, ONE_LANE, 0},
	{"log", 1, ONE_LANE, 0}, {"pow", 2, ONE_LANE, 0}, {"nrm", 1, NORMALISE, 0}, {"sincos", 3, ONE_LANE, 0},
};
enum { LINEAR = sizeof linear / sizeof *linear, CURVED = sizeof curved / sizeof *curved };

static lanes mask_of(struct gen *g)
{
	static const lanes common[] = {3, 3, 3, 1, 2, 7, 12, 15, 4, 8};
	return common[below(g, sizeof common)];
}

static lanes positions(const struct row *row, unsigned s, lanes mask)
{
	switch ((enum kind)row->kind) {
	case LANEWISE: return mask;
	case ONE_LANE: return MASK_X;
	case DOT2: return s == 2 ? MASK_X : MASK_XY;
	case DOT3: return MASK_XYZ;
	case CROSS:
	case NORMALISE: return MASK_XYZ;
	case ROWS: return row->name[1] == '4' ? MASK_XYZW : MASK_XYZ;
	case DOT4: break;
	}
	return MASK_XYZW;
}

static void arithmetic(struct gen *g, enum rate rate)
{
	struct text line = {.arena = g->ps.arena};
	bool curve = rate != VARYINGS && below(g, 2);
	unsigned r = below(g, GEN_TEMPS);
	const struct row *row = curve ? &curved[below(g, 1 + below(g, CURVED))] : &linear[below(g, 1 + below(g, LINEAR))];
	if (curve && below(g, 2))
		row = &curved[below(g, 3)];
	bool sincos = curve && row->sources == 3 && row->kind == ONE_LANE, early = row->kind >= CROSS || row->name[0] == 'p' || sincos;
	lanes mask = row->kind == ROWS ? row->mask : mask_of(g);
	if (row->kind == CROSS || row->kind == NORMALISE)
		mask = MASK_XYZ;
	if (sincos)
		mask &= MASK_XY;
	if (!mask)
		return;
	bool saturated = row->name[0] != 'f' && !sincos && below(g, rate == VARYINGS ? 30 : 8) == 0;
	text_printf(&line, "%s%s%s r%u%s", row->name, below(g, 10) == 0 ? "_pp" : "", saturated ? "_sat" : "", r, mask_text(mask));
	g->port_t = g->port_c = -1;
	for (unsigned s = 0; s < row->sources; s++) {
		enum form form = row->kind == ONE_LANE || (row->kind == DOT2 && s == 2) ? SCALAR : row->kind >= CROSS ? PLAIN : ANY;
		if (sincos && s > 0)
			text_printf(&line, ", c%u", 29 + s);
		else if (row->kind == ROWS && s == 1)
			text_printf(&line, ", c%u", below(g, g->consts));
		else if (!any_operand(g, &line, positions(row, s, mask), rate, s == 0, form, early ? (int)r : -1))
			return;
	}
	text_printf(&g->ps, "%s\n", line.at);
	lanes others = (lanes)~mask;
	g->temp[r] = sincos ? (g->temp[r] & (lanes)~MASK_XYZ) | mask : g->temp[r] | mask;
	g->fetched[r] = rate == PIXELS ? g->fetched[r] | mask : g->fetched[r] & others;
	g->fixed[r] = rate == CONSTANTS && !sincos ? g->fixed[r] | mask : g->fixed[r] & others;
	g->fetched[r] &= g->temp[r];
	g->fixed[r] &= g->temp[r];
}

static void fetch(struct gen *g)
{
	unsigned to = below(g, GEN_TEMPS), how = below(g, 12), sampler = below(g, 8);
	sampler = sampler < 2 ? sampler + 1 : 0; /* s0: 2d; s1: cube; s2: volume */
	lanes needs = (lanes)((sampler ? MASK_XYZ : MASK_XY) | (how < 2 ? MASK_W : 0));
	for (unsigned attempt = 0; attempt < 8; attempt++) {
		bool raw = below(g, 4) == 0;
		unsigned from = below(g, raw ? g->inputs : GEN_TEMPS);
		lanes there = raw ? g->input[from] : g->temp[from];
		if (needs & (lanes)~there || (!raw && g->fetched[from] & needs && below(g, 4)))
			continue;
		text_printf(&g->ps, "%s%s r%u, %c%u, s%u\n", how == 0 ? "texldp" : how == 1 ? "texldb" : "texld",
		            below(g, 10) == 0 ? "_pp" : "", to, raw ? 't' : 'r', from, sampler);
		g->temp[to] = g->fetched[to] = MASK_XYZW;
		g->fixed[to] = 0;
		return;
	}
}

/* ---- programs ------------------------------------------------------------------------------------ */

static void declarations(struct gen *g)
{
	static const char *const numbers[] = {"0", "1", "-1", "0.5", "2", "0.25", "-0.5", "3"};
	static const lanes widths[] = {MASK_XY, MASK_XY, MASK_XYZ, MASK_XYZW};
	static const char *const kinds[] = {"_centroid", "_pp", "_pp", "", "", "", "", "", "", "", "", ""};
	g->inputs = 1 + below(g, 2) + (below(g, 8) == 0);
	g->consts = 1 + below(g, 3);
	g->colour = below(g, 10) == 0;
	text_string(&g->vs, "vs_1_1\ndcl_position v0\n");
	text_string(&g->ps, "ps_2_0\n");
	for (unsigned c = 0; c < g->consts; c++)
		if (below(g, 2))
			text_printf(&g->ps, "def c%u, %s, %s, %s, %s\n", c, numbers[below(g, 8)], numbers[below(g, 8)],
			            numbers[below(g, 8)], numbers[below(g, 8)]);
	text_string(&g->ps, "def c30, -1.5500992e-006, -2.1701389e-005, 0.0026041667, 0.00026041668\n"
	                    "def c31, -0.020833334, -0.12500000, 1.0, 0.50000000\ndcl_2d s0\ndcl_cube s1\ndcl_volume s2\n");
	if (g->colour)
		text_string(&g->ps, "dcl v0\n");
	for (unsigned t = 0; t < g->inputs; t++) {
		g->input[t] = widths[below(g, 4)];
		text_printf(&g->vs, "dcl_texcoord%u v%u\n", t, t + 1);
		text_printf(&g->ps, "dcl%s t%u%s\n", kinds[below(g, sizeof kinds / sizeof *kinds)], t, mask_text(g->input[t]));
	}
	text_string(&g->vs, "def c6, 2, -1, 1, 0.5\ndef c7, 0, 1, -1, 0.25\nmov oPos, v0\nmov r0, v1\n");
	for (unsigned t = 0; t < g->inputs; t++) {
		unsigned how = below(g, 14), from = below(g, 8) ? t + 1 : 1 + below(g, g->inputs);
		const char *mask = mask_text(g->input[t]);
		if (how == 0)
			text_printf(&g->vs, "add oT%u%s, v%u, r0.yxzw\n", t, mask, from);
		else if (how == 1)
			text_printf(&g->vs, "mad oT%u%s, r0, c6, v%u\n", t, mask, from);
		else if (how == 2)
			text_printf(&g->vs, "mov oT%u%s, c7\n", t, mask);
		else if (how < 5)
			text_printf(&g->vs, "%s oT%u%s, v%u, c%u\n", how == 3 ? "add" : "mul", t, mask, from, 5 + below(g, 3));
		else
			text_printf(&g->vs, "mov oT%u%s, v%u%s\n", t, mask, from, below(g, 6) ? "" : ".yxwz");
	}
	if (g->colour)
		text_string(&g->vs, "mov oD0, v0\n");
}

void generate(struct gen *g, struct arena *arena, uint64_t seed)
{
	*g = (struct gen){.state = seed * UINT64_C(0xd1342543de82ef95), .vs.arena = arena, .ps.arena = arena};
	declarations(g);
	for (unsigned k = below(g, 2) * (1 + below(g, 4)); k > 0; k--)
		arithmetic(g, CONSTANTS);
	for (unsigned k = 1 + below(g, 6); k > 0; k--)
		arithmetic(g, VARYINGS);
	for (unsigned k = 1 + below(g, 3); k > 0; k--) {
		fetch(g);
		if (below(g, 3) == 0)
			arithmetic(g, below(g, 3) ? VARYINGS : CONSTANTS);
		arithmetic(g, PIXELS);
	}
	for (unsigned k = below(g, 3); k > 0; k--)
		arithmetic(g, below(g, 3) > 0 ? PIXELS : VARYINGS);
	for (unsigned r = 0; r < GEN_TEMPS; r++) {
		if (g->fetched[r] != MASK_XYZW)
			continue;
		/* Adds all texels, so that they count. */
		for (unsigned o = r + 1; o < GEN_TEMPS; o++)
			if (g->fetched[o])
				text_printf(&g->ps, "mul r%u%s, r%u, r%u\n", r, mask_text(g->fetched[o]), r, o);
		unsigned kill = below(g, 4 * GEN_TEMPS), depth = below(g, 6 * GEN_TEMPS);
		if (kill < GEN_TEMPS && g->temp[kill] == MASK_XYZW)
			text_printf(&g->ps, "texkill r%u\n", kill);
		text_printf(&g->ps, "mov oC0, r%u\n", r);
		if (depth < GEN_TEMPS && g->temp[depth] & MASK_X)
			text_printf(&g->ps, "mov oDepth, r%u.x\n", depth);
		return;
	}
}
