/* Makes pairs on the device, see pair.h. */
#include "d3d9/pair.h"

static unsigned register_type(DWORD token)
{
	return (token & D3DSP_REGTYPE_MASK) >> D3DSP_REGTYPE_SHIFT | (token & D3DSP_REGTYPE_MASK2) >> D3DSP_REGTYPE_SHIFT2;
}

static void scan_declaration(struct pair *p, bool pixel, DWORD usage, DWORD reg)
{
	unsigned const number = reg & D3DSP_REGNUM_MASK;
	if (pixel && register_type(reg) == D3DSPR_SAMPLER && number < MAX_SAMPLERS)
		p->texture[number] = usage >> D3DSP_TEXTURETYPE_SHIFT & 15;
	else if (pixel)
		p->flat = false;
	else if (register_type(reg) == D3DSPR_INPUT && p->ninputs < MAX_INPUTS)
		p->inputs[p->ninputs++] = (struct vertex_input){usage & 31, usage >> 16 & 15};
}

static void scan_output(struct pair *p, bool pixel, DWORD dst)
{
	unsigned const number = dst & D3DSP_REGNUM_MASK, type = register_type(dst);
	if (pixel && type == D3DSPR_COLOROUT && number < MAX_COLOURS)
		p->targets = number < p->targets ? p->targets : number + 1;
	else if (pixel && type == D3DSPR_DEPTHOUT)
		p->writes[SCENE_DEPTH] = true;
	else if (!pixel && type == D3DSPR_RASTOUT && number != D3DSRO_POSITION)
		p->writes[number == D3DSRO_FOG ? SCENE_FOG : SCENE_POINT_SIZE] = true;
}

/* Finds declarations, outputs and the samplers that are read once, without decoding instructions.  The token after an opcode is its
 * destination.  Opcodes have their top bit clear, unlike all parameters but the numbers of a def, which are skipped. */
static void scan(struct pair *p, const struct code *code, bool pixel)
{
	unsigned once = 0, more = 0;
	for (size_t i = 1; i + 1 < code->tokens; i++) {
		DWORD const opcode = code->token[i] & 0xffff, dst = code->token[i + 1];
		if (code->token[i] >> 31) {
			unsigned const read = register_type(code->token[i]) == D3DSPR_SAMPLER ? 1u << (code->token[i] & D3DSP_REGNUM_MASK) : 0;
			more |= once & read;
			once |= read;
			continue;
		}
		if (opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI) {
			i += 5;
		} else if (opcode == D3DSIO_DCL && i + 2 < code->tokens) {
			scan_declaration(p, pixel, dst, code->token[i + 2]);
			i += 2;
		} else {
			scan_output(p, pixel, dst);
		}
	}
	p->read_once = once & ~more;
}

static DWORD register_token(DWORD old, unsigned type, unsigned number, unsigned mask)
{
	DWORD const others = old & ~(DWORD)(D3DSP_REGTYPE_MASK | D3DSP_REGTYPE_MASK2 | D3DSP_REGNUM_MASK | D3DSP_WRITEMASK_ALL);
	return others | type << D3DSP_REGTYPE_SHIFT | (type << D3DSP_REGTYPE_SHIFT2 & D3DSP_REGTYPE_MASK2) | number | mask;
}

struct output {
	unsigned type, number;
};

/* Returns how many tokens the instruction at `at` takes.  A def always takes 6: its numbers may look like opcodes. */
static size_t length_at(const struct code *code, size_t at)
{
	DWORD const opcode = code->token[at] & 0xffff;
	size_t n = 1;
	if (opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI)
		return 6;
	while (at + n < code->tokens && code->token[at + n] >> 31)
		n++;
	return n;
}

/* Returns a copy of the program's tokens: writes to `to` become writes to `away`, and writes to `from` become writes to lane x of `to`. */
static uint32_t *redirected(struct arena *a, const struct code *code, struct output from, struct output to, struct output away)
{
	uint32_t *token = arena_alloc(a, code->tokens * sizeof *token);
	memcpy(token, code->token, code->tokens * sizeof *token);
	for (size_t at = 1; at + 1 < code->tokens; at += length_at(code, at)) {
		DWORD const opcode = token[at] & 0xffff;
		uint32_t *dst = &token[at + 1];
		if (opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI || !(*dst >> 31))
			continue;
		unsigned const type = register_type(*dst), number = *dst & D3DSP_REGNUM_MASK;
		if (type == to.type && number == to.number)
			*dst = register_token(*dst, away.type, away.number, *dst & D3DSP_WRITEMASK_ALL);
		else if (type == from.type && number == from.number)
			*dst = register_token(*dst, to.type, to.number, D3DSP_WRITEMASK_0);
	}
	return token;
}

static bool create_shaders(const struct device *dev, const uint32_t *vs, const uint32_t *ps, struct pair *p, enum scene_target t)
{
	return SUCCEEDED(IDirect3DDevice9_CreateVertexShader(dev->d3d, (const DWORD *)(const void *)vs, &p->vertex[t])) &&
	       SUCCEEDED(IDirect3DDevice9_CreatePixelShader(dev->d3d, (const DWORD *)(const void *)ps, &p->pixel[t]));
}

/* Makes programs that show output `t` as the colour oC0.  Wine 8 does not pass oFog on to a pixel program, and no target of floats takes a
 * point's size or the depth, so these outputs are drawn as if they were colours. */
static bool make_shown(struct arena *a, struct pair *p, const struct device *dev, enum scene_target t)
{
	unsigned const at = t == SCENE_POSITION ? p->position : 7;
	uint32_t const show[] = {0xffff0200, 0x0200001f, 0x80000000, 0xb00f0000 | at, 0x02000001, 0x800f0800, 0xb0e40000 | at,
	                         0x0000ffff}; /* ps_2_0  dcl t7  mov oC0, t7, with t#`at` for t7 */
	if (t == SCENE_DEPTH)
		return create_shaders(dev, p->vs.token,
		              redirected(a, &p->ps, (struct output){D3DSPR_DEPTHOUT, 0}, (struct output){D3DSPR_COLOROUT, 0},
		                         (struct output){D3DSPR_TEMP, 31}),
		              p, t);
	if (t == SCENE_POSITION)
		return create_shaders(dev, p->vs.token, show, p, t);
	struct output const from = {D3DSPR_RASTOUT, t == SCENE_FOG ? D3DSRO_FOG : D3DSRO_POINT_SIZE};
	return create_shaders(dev, redirected(a, &p->vs, from, (struct output){D3DSPR_TEXCRDOUT, 7}, (struct output){D3DSPR_ATTROUT, 1}), show, p, t);
}

static const char *shaders_make(struct arena *a, struct pair *p, const struct device *dev)
{
	if (!create_shaders(dev, p->vs.token, p->ps.token, p, SCENE_COLOUR))
		return p->vertex[SCENE_COLOUR] ? "the device refuses the pixel program" : "the device refuses the vertex program";
	for (enum scene_target t = SCENE_DEPTH; t < SCENE_TARGETS; t++)
		if (p->writes[t] && !make_shown(a, p, dev, t))
			return "the device refuses a program that shows another output";
	return NULL;
}

static bool make_declaration(struct pair *p, const struct device *dev)
{
	D3DVERTEXELEMENT9 element[MAX_INPUTS + 1];
	for (unsigned i = 0; i < p->ninputs; i++)
		element[i] = (D3DVERTEXELEMENT9){0, (WORD)(16 * i), D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, (BYTE)p->inputs[i].usage,
		                                 (BYTE)p->inputs[i].index};
	element[p->ninputs] = (D3DVERTEXELEMENT9)D3DDECL_END();
	return SUCCEEDED(IDirect3DDevice9_CreateVertexDeclaration(dev->d3d, element, &p->declaration));
}

static const char *check_code(struct arena *a, const struct code *code, unsigned kind)
{
	if (!code->token)
		return arena_printf(a, "%s: %s", code->name, code_messages_line(a, code));
	if (code->token[0] >> 16 != kind)
		return arena_printf(a, "%s: is no %s program", code->name, kind == 0xfffe ? "vertex" : "pixel");
	return NULL;
}

const char *pair_make(struct arena *a, struct pair *p, const struct device *dev)
{
	const char *wrong = check_code(a, &p->vs, 0xfffe);
	if (!wrong)
		wrong = check_code(a, &p->ps, 0xffff);
	if (wrong)
		return wrong;
	p->flat = true;
	scan(p, &p->vs, false);
	scan(p, &p->ps, true);
	if (!p->targets)
		return "no oC# is written";
	if (p->targets > dev->targets)
		return arena_printf(a, "the device has %u targets, and oC%u is written", dev->targets, p->targets - 1);
	if (!make_declaration(p, dev))
		return "the device refuses the declaration of the vertices";
	return shaders_make(a, p, dev);
}

/* Shifts the numbers of all defs as scene->shift says, as attributes and constants are shifted (gpu/scene.h). */
static void shift_defs(struct code *code, const struct scene *scene)
{
	for (size_t i = 1; i + 5 < code->tokens; i++) {
		if (code->token[i] >> 31 || (code->token[i] & 0xffff) != D3DSIO_DEF)
			continue;
		for (unsigned lane = 0; lane < 4; lane++) {
			float value;
			memcpy(&value, &code->token[i + 2 + lane], sizeof value);
			value = scene_shifted(scene, code->token[0], code->token[i + 1], lane, value);
			memcpy(&code->token[i + 2 + lane], &value, sizeof value);
		}
		i += 5;
	}
}

bool pair_shifted(struct arena *a, struct pair *to, const struct pair *from, const struct device *dev, const struct scene *scene)
{
	*to = *from;
	memset(to->vertex, 0, sizeof to->vertex);
	memset(to->pixel, 0, sizeof to->pixel);
	to->vs = code_copy(a, &from->vs);
	to->ps = code_copy(a, &from->ps);
	shift_defs(&to->vs, scene);
	shift_defs(&to->ps, scene);
	IDirect3DVertexDeclaration9_AddRef(to->declaration);
	return !shaders_make(a, to, dev);
}

/* ---- a pair without its own positions and without texkill ----------------------------------- */

struct tokens {
	VEC(uint32_t);
};

static void add_token(struct arena *a, struct tokens *t, uint32_t token)
{
	VEC_PUSH(a, t) = token;
}

/* Registers of a vertex program: `coordinates` has bit n if it writes oT#n, `inputs` has bit n if it declares v#n, and `position` is the
 * number of the v# that is declared as position, or NO_INPUT. */
struct vertex_use {
	unsigned coordinates, inputs, position;
};
enum { NO_INPUT = MAX_INPUTS };

static struct vertex_use vertex_use(const struct code *vs)
{
	struct vertex_use use = {.position = NO_INPUT};
	for (size_t at = 1; at + 1 < vs->tokens; at += length_at(vs, at)) {
		DWORD const opcode = vs->token[at] & 0xffff, dst = vs->token[at + 1];
		if (opcode == D3DSIO_DCL && at + 2 < vs->tokens) {
			unsigned const number = vs->token[at + 2] & D3DSP_REGNUM_MASK & 15;
			use.inputs |= 1u << number;
			if ((dst & 31) == D3DDECLUSAGE_POSITION && (dst >> 16 & 15) == 0)
				use.position = number;
		} else if (dst >> 31 && register_type(dst) == D3DSPR_TEXCRDOUT) {
			use.coordinates |= 1u << (dst & 7);
		}
	}
	return use;
}

/* Returns the number of the highest of bits 0 to n - 1 that is not set, or n if all are set. */
static unsigned highest_free(unsigned bits, unsigned n)
{
	for (unsigned k = n; k-- > 0;)
		if (!(bits >> k & 1))
			return k;
	return n;
}

/* Makes the program write what it wrote to oPos to oT#`coordinate`, and the position of the vertex, untransformed, to oPos. */
static void bare_vertex(struct arena *a, struct code *vs, const struct vertex_use *use, unsigned coordinate)
{
	struct tokens t = {.n = 0};
	DWORD const words = (vs->token[0] & 0xff00) == 0x100 ? 0 : 2u << 24;
	unsigned const position = use->position == NO_INPUT ? highest_free(use->inputs, MAX_INPUTS) : use->position;
	add_token(a, &t, vs->token[0]);
	if (use->position == NO_INPUT) {
		add_token(a, &t, D3DSIO_DCL | words);
		add_token(a, &t, 0x80000000 | D3DDECLUSAGE_POSITION);
		add_token(a, &t, 0x900f0000 | position);
	}
	for (size_t at = 1, n; at + 1 < vs->tokens; at += n) {
		DWORD const opcode = vs->token[at] & 0xffff;
		n = length_at(vs, at);
		for (size_t k = 0; k < n; k++)
			add_token(a, &t, vs->token[at + k]);
		uint32_t *dst = &t.at[t.n - n + 1];
		if (n > 1 && opcode != D3DSIO_DEF && opcode != D3DSIO_DEFI && opcode != D3DSIO_DCL && register_type(*dst) == D3DSPR_RASTOUT &&
		    (*dst & D3DSP_REGNUM_MASK) == D3DSRO_POSITION)
			*dst = register_token(*dst, D3DSPR_TEXCRDOUT, coordinate, *dst & D3DSP_WRITEMASK_ALL);
	}
	add_token(a, &t, D3DSIO_MOV | words);
	add_token(a, &t, 0xc00f0000);
	add_token(a, &t, 0x90e40000 | position);
	add_token(a, &t, D3DSIO_END);
	vs->token = t.at;
	vs->tokens = t.n;
}

static void bare_pixel(struct arena *a, struct code *ps)
{
	struct tokens t = {.n = 0};
	add_token(a, &t, ps->token[0]);
	for (size_t at = 1, n; at < ps->tokens; at += n) {
		n = length_at(ps, at);
		for (size_t k = 0; k < n && (ps->token[at] & 0xffff) != D3DSIO_TEXKILL; k++)
			add_token(a, &t, ps->token[at + k]);
	}
	ps->token = t.at;
	ps->tokens = t.n;
}

bool pair_bare(struct arena *a, struct pair *to, const struct pair *from, const struct device *dev)
{
	struct vertex_use const use = vertex_use(&from->vs);
	unsigned const coordinate = highest_free(use.coordinates, 8);
	*to = (struct pair){.vs = from->vs, .ps = from->ps, .constants = from->constants, .position = coordinate};
	if ((from->vs.token[0] & 0xff00) >= 0x300 || coordinate == 8 || (use.position == NO_INPUT && from->ninputs == MAX_INPUTS))
		return false;
	bare_vertex(a, &to->vs, &use, coordinate);
	bare_pixel(a, &to->ps);
	to->writes[SCENE_POSITION] = true;
	return !pair_make(a, to, dev);
}

void pair_free(struct pair *p)
{
	for (unsigned t = 0; t < SCENE_TARGETS; t++) {
		if (p->vertex[t])
			IDirect3DVertexShader9_Release(p->vertex[t]);
		if (p->pixel[t])
			IDirect3DPixelShader9_Release(p->pixel[t]);
		p->vertex[t] = NULL;
		p->pixel[t] = NULL;
	}
	if (p->declaration)
		IDirect3DVertexDeclaration9_Release(p->declaration);
	p->declaration = NULL;
}
