/* Turns programs with flow control into straight ones, see outline.h. */
#include "lang/outline.h"

#include "lang/modifier.h"

enum { MOST_REGIONS = UINT8_MAX };

/* For each lane, whether values from before the region or from inside may reach one instruction of the region. */
struct content {
	lanes outside[MODEL_TEMPS];                /* lanes that may hold their value from before the region */
	lanes inside[MODEL_TEMPS];                 /* lanes that may hold a value that the region wrote */
	lanes as_before[REG_FILES][MOST_TEX_OUTS]; /* lanes of outputs that some path through the region has left unwritten */
	lanes address;                             /* lanes of a0 that the region may have written */
	bool reached;
};

struct builder {
	struct arena *arena;
	const struct program *p;
	const uint32_t *partner;
	const struct outline *like;
	struct outline *out;
	struct content *content;         /* origins of values before each instruction of the current region, and at its end */
	struct content **contents;       /* for each region of the program: the array for `content` */
	lanes written[MODEL_TEMPS];      /* lanes that the straight program has written so far */
	lanes outputs[REG_FILES][MOST_TEX_OUTS]; /* lanes of outputs that the straight program has written so far */
	lanes (*live)[MODEL_TEMPS];      /* live lanes behind each region */
	uint32_t named;                  /* bit t: the program names temporary t, or take_unnamed_temp() returned it */
	struct { VEC(uint32_t); } origin;
	const char *why;                 /* the reason why there is no straight form; NULL if there is none */
	uint32_t n;                      /* number of instructions of the given program; in `p`, movs to outputs may follow them */
	lanes unsure[REG_FILES][MOST_TEX_OUTS]; /* lanes of outputs that a region may or may not write, and that no earlier instruction wrote */
	struct dst carried;              /* an output that a region may or may not write after an earlier write; mask 0 if there is none */
};

/* ---- the instructions of regions --------------------------------------------------------------- */

static bool uses_predicate(const struct instr *i)
{
	bool any = i->predicate || i->op == OP_SETP;
	EACH_SOURCE(s, i)
		any |= i->src[s].file == REG_PREDICATE;
	return any;
}

/* Returns the index behind the flow control that begins at k: behind the endif of an if, behind the partner of any other opcode. */
static uint32_t construct_end(const struct program *p, const uint32_t *partner, uint32_t k)
{
	uint32_t end = k + 1;
	if (p->instrs.at[k].op == OP_IF || p->instrs.at[k].op == OP_IFC) {
		uint32_t const to = partner[k];
		end = 1 + (p->instrs.at[to].op == OP_ELSE ? partner[to] : to);
	} else if (partner[k] != NO_INSTR) {
		end = 1 + partner[k];
	}
	return end;
}

void regions_find(struct arena *arena, const struct program *p, const uint32_t *partner, struct regions *regions)
{
	uint32_t last_predicated = 0;
	for (uint32_t k = 0; k < p->instrs.n; k++)
		last_predicated = uses_predicate(&p->instrs.at[k]) ? k + 1 : last_predicated;
	for (uint32_t k = 0; k < p->instrs.n;) {
		if (!instr_flows(&p->instrs.at[k])) {
			k++;
			continue;
		}
		struct region *r = &VEC_PUSH(arena, regions);
		*r = (struct region){.first = k, .end = k + 1};
		for (uint32_t j = k; j < r->end; j++) {
			uint32_t const end = instr_flows(&p->instrs.at[j]) ? construct_end(p, partner, j) : j + 1;
			r->end = end > r->end ? end : r->end;
			if (uses_predicate(&p->instrs.at[j]) && last_predicated > r->end)
				r->end = last_predicated;
		}
		k = r->end;
	}
}

/* Returns the reason why a program with this instruction, `inside` a region or not, has no straight form; NULL if it may have one. */
static const char *why_not_straight(const struct program *p, const struct instr *i, bool inside)
{
	if (i->op == OP_CALL || i->op == OP_CALLNZ || i->op == OP_LABEL || i->op == OP_RET)
		return "it has subroutines";
	if (i->dst.relative)
		return "a block of it writes an output by relative addressing";
	EACH_SOURCE(s, i) {
		if (i->src[s].relative && i->src[s].file != REG_CONST && program_stage(p) == STAGE_VERTEX)
			return "it addresses inputs through a register";
		if (inside && instr_rows(i, s) > 1 && i->src[s].file != REG_CONST)
			return "a block of it multiplies by a matrix that it computed";
	}
	return inside && i->op == OP_SGN ? "a block of it has an sgn" : NULL;
}

/* ---- origins of lanes in a region ----------------------------------------------------------------- */

/* Merges the content behind an instruction into the content before its successor, `to`; sets *news if that changes it. */
static void merge_content(struct content *to, const struct content *from, bool *news)
{
	for (unsigned r = 0; r < MODEL_TEMPS; r++) {
		*news |= !to->reached || from->outside[r] & ~to->outside[r] || from->inside[r] & ~to->inside[r];
		to->outside[r] |= from->outside[r];
		to->inside[r] |= from->inside[r];
	}
	*news |= from->address & ~to->address;
	to->address |= from->address;
	for (unsigned file = 0; file < REG_FILES; file++)
		for (unsigned n = 0; n < MOST_TEX_OUTS; n++) {
			*news |= from->as_before[file][n] & ~to->as_before[file][n];
			to->as_before[file][n] |= from->as_before[file][n];
		}
	to->reached = true;
}

/* Returns the content (origins of values) before each instruction of a region and at its end, by iterating to a fixed point. */
static struct content *find_content(const struct builder *b, const struct region *r)
{
	const struct program *p = b->p;
	struct content *c = arena_zero(b->arena, (r->end - r->first + 1) * sizeof *c);
	memset(c[0].outside, MASK_XYZW, sizeof c[0].outside);
	memset(c[0].as_before, MASK_XYZW, sizeof c[0].as_before);
	c[0].reached = true;
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = r->first; k < r->end; k++) {
			const struct instr *i = &p->instrs.at[k];
			struct content after = c[k - r->first];
			if (!after.reached)
				continue;
			lanes const writes = instr_writes(i);
			if (writes && i->dst.file == REG_TEMP) {
				after.inside[i->dst.index] |= writes;
				after.outside[i->dst.index] &= i->predicate ? MASK_XYZW : (lanes)~writes;
			} else if (writes && i->dst.file == REG_ADDRESS) {
				after.address |= writes;
			} else if (writes && reg_files[i->dst.file].output && i->dst.index < MOST_TEX_OUTS && !i->predicate) {
				after.as_before[i->dst.file][i->dst.index] &= (lanes)~writes;
			}
			uint32_t next[BLOCK_SUCCESSORS];
			blocks_next(p, b->partner, k, next);
			for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
				if (next[n] != NO_INSTR)
					merge_content(&c[next[n] - r->first], &after, &news);
		}
	}
	return c;
}

/* ---- reads and writes of regions ----------------------------------------------------------------- */

/* Returns true if a REGION opcode (outline.h) can read registers of the file: all but s# and
 * the registers of flow control (i#, b#, aL, p0, l#). */
static bool holds_numbers(unsigned file)
{
	return file != REG_SAMPLER && file != REG_INT && file != REG_BOOL && file != REG_LOOP && file != REG_PREDICATE && file != REG_LABEL;
}

/* Returns the operand lanes that operand s reads, with .z of a texture coordinate if that lane was written or declared, as the GPU may compare
 * it with a depth. */
static lanes operand_positions(const struct builder *b, const struct instr *i, unsigned s)
{
	const struct src *src = &i->src[s];
	lanes positions = instr_operand_lanes(b->p, i, s, instr_writes(i));
	if (s == 0 && instr_samples(i)) {
		lanes const z = (lanes)(1u << swizzle_lane(src->swizzle, LANE_Z));
		bool const there = src->file == REG_TEMP ? b->written[src->index] & z
		                                         : program_declared(b->p, (enum reg_file)src->file, src->index) & z;
		positions |= there ? MASK_Z : 0;
	}
	return positions;
}

/* Returns true if no value from inside the region can reach operand s of instruction k, or the a0 that addresses it; false if aL addresses
 * it.  For a temporary, if the result is false, adds to `mixed` the lanes that values from outside may reach, too. */
static bool is_all_from_outside(const struct builder *b, const struct region *r, uint32_t k, unsigned s, lanes mixed[MODEL_TEMPS])
{
	const struct instr *i = &b->p->instrs.at[k];
	const struct src *src = &i->src[s];
	const struct content *c = &b->content[k - r->first];
	if (src->relative)
		return src->relative != RELATIVE_LOOP && !(c->address >> (src->relative - 1) & 1);
	if (src->file != REG_TEMP)
		return true;
	lanes reads = instr_reads(b->p, i, s);
	if (s == 0 && instr_samples(i))
		reads |= c->inside[src->index] & (lanes)(1u << swizzle_lane(src->swizzle, LANE_Z));
	if (!(reads & c->inside[src->index]))
		return true;
	if (s == 0 && instr_samples(i)) /* .z counts even if it is from outside, as it may be compared with a depth */
		reads |= (lanes)(1u << swizzle_lane(src->swizzle, LANE_Z));
	mixed[src->index] |= reads & c->outside[src->index];
	return false;
}

int outline_write(const struct outline *o, uint8_t region, unsigned file, int index)
{
	for (uint32_t w = o->regions.at[region].writes; w < o->writes.n && o->writes.at[w].region == region; w++)
		if (o->writes.at[w].file == file && o->writes.at[w].index == index)
			return (int)w;
	return -1;
}

struct src outline_own(const struct program *p, const struct src *src, unsigned row)
{
	struct src own = *src;
	own.absolute = false;
	own.index = (int16_t)(src->index + (int)row);
	if (src->relative != RELATIVE_LOOP)
		return own;
	struct dst const input = program_input_of(p, row);
	own.file = input.file;
	own.index = input.index;
	own.relative = 0;
	return own;
}

static void find_writes(struct builder *b, struct region *r, uint8_t number)
{
	struct outline *o = b->out;
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		if (!instr_writes(i) || i->dst.file == REG_PREDICATE || i->dst.file == REG_ADDRESS)
			continue;
		int w = outline_write(o, number, i->dst.file, i->dst.index);
		if (w < 0) {
			VEC_PUSH(b->arena, &o->writes) = (struct region_write){.region = number, .file = i->dst.file, .index = i->dst.index};
			w = (int)o->writes.n - 1;
		}
		o->writes.at[w].mask |= instr_writes(i);
	}
}

/* Adds to `live` the lanes of temporaries that the operands read, all lanes for texture reads; if `from` is not NULL, only its lanes. */
static void add_live_reads(const struct program *p, const struct instr *i, const lanes from[MODEL_TEMPS], lanes live[MODEL_TEMPS])
{
	EACH_SOURCE(s, i)
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++) {
			unsigned const reg = (unsigned)(i->src[s].index + (int)row) & (MODEL_TEMPS - 1);
			live[reg] |= (instr_samples(i) ? MASK_XYZW : instr_reads(p, i, s)) & (from ? from[reg] : MASK_XYZW);
		}
}

/* Changes `live` from the live lanes behind a region to the live lanes before it. */
static void live_before_region(const struct builder *b, const struct region *r, const struct content *content, lanes live[MODEL_TEMPS])
{
	for (unsigned reg = 0; reg < MODEL_TEMPS; reg++)
		live[reg] &= content[r->end - r->first].outside[reg];
	for (uint32_t k = r->first; k < r->end; k++)
		add_live_reads(b->p, &b->p->instrs.at[k], content[k - r->first].outside, live);
}

/* Fills b->live with the live lanes of temporaries behind each region, and b->contents.  Outside of regions, dead instructions do not count. */
static void find_live_behind(struct builder *b)
{
	const struct program *p = b->p;
	lanes live[MODEL_TEMPS] = {0};
	uint32_t next = b->out->regions.n;
	b->live = arena_alloc(b->arena, (next + 1) * sizeof *b->live);
	b->contents = arena_alloc(b->arena, (next + 1) * sizeof *b->contents);
	for (uint32_t k = p->instrs.n; k-- > 0;) {
		const struct instr *i = &p->instrs.at[k];
		if (next > 0 && k + 1 == b->out->regions.at[next - 1].end) {
			const struct region *r = &b->out->regions.at[--next];
			memcpy(b->live[next], live, sizeof live);
			b->contents[next] = find_content(b, r);
			live_before_region(b, r, b->contents[next], live);
			k = r->first;
			continue;
		}
		lanes const writes = i->dst.file == REG_TEMP ? instr_writes(i) : 0;
		lanes *to = &live[i->dst.index & (MODEL_TEMPS - 1)];
		bool const dead = writes && !(*to & writes) && i->op != OP_SGN;
		*to &= (lanes)~writes;
		if (!dead)
			add_live_reads(p, i, NULL, live);
	}
}

/* Appends an instruction to the straight program. */
static void append_straight(struct builder *b, const struct instr *i, uint32_t origin)
{
	VEC_PUSH(b->arena, &b->out->straight->instrs) = *i;
	VEC_PUSH(b->arena, &b->origin) = origin;
	if (instr_writes(i) && i->dst.file == REG_TEMP)
		b->written[i->dst.index] |= instr_writes(i);
	else if (instr_writes(i) && reg_files[i->dst.file].output && i->dst.index < MOST_TEX_OUTS)
		b->outputs[i->dst.file][i->dst.index] |= instr_writes(i);
}

static void add_region_read(struct builder *b, const struct region_read *read, const struct instr *i)
{
	struct instr new = *i;
	new.region = (uint16_t)b->out->reads.n;
	new.op = (uint8_t)(OP_REGION1 + read->n - 1);
	new.at = SRCPOS_NONE;
	if (b->like && new.region < b->like->reads.n)
		new.region_reads = b->like->reads.at[new.region].lanes;
	struct region_read *kept = &VEC_PUSH(b->arena, &b->out->reads);
	*kept = *read;
	kept->lanes = new.region_reads;
	append_straight(b, &new, NO_INSTR);
}

/* Adds a read for each temporary that the region writes, if the region may also read its value from before, or leave it there: that value must
 * be in that very register when the region begins.  Fills `unsure` and `carried` for outputs that the region may or may not write. */
static void add_kept_reads(struct builder *b, const struct region *r, uint8_t number, lanes mixed[MODEL_TEMPS])
{
	const struct content *end = &b->content[r->end - r->first];
	for (uint32_t w = r->writes; w < b->out->writes.n; w++) {
		struct region_write *write = &b->out->writes.at[w];
		bool const output = write->file != REG_TEMP && write->index < MOST_TEX_OUTS;
		lanes const left = output ? write->mask & end->as_before[write->file][write->index] : 0;
		if (output)
			b->unsure[write->file][write->index] |= left & (lanes)~b->outputs[write->file][write->index];
		if (output && left & b->outputs[write->file][write->index])
			b->carried = dst_lanes((enum reg_file)write->file, write->index, write->mask);
		if (write->file != REG_TEMP)
			continue;
		lanes const passes = write->mask & end->outside[write->index] & end->inside[write->index] & b->live[number][write->index];
		const struct region_write *old = b->like && w < b->like->writes.n ? &b->like->writes.at[w] : NULL;
		write->kept = old ? old->kept : (mixed[write->index] | passes) & b->written[write->index];
		if (!write->kept)
			continue;
		struct instr i = {.src = {src_temp(write->index)}, .region_reads = (uint16_t)(REGION_TEMP | write->kept)};
		struct region_read const read = {.instr = NO_INSTR, .region = number, .n = 1, .write = (uint16_t)w};
		add_region_read(b, &read, &i);
	}
}

/* Adds a read for each register of operand s, which is a matrix or, if `own`, an operand that must not change. */
static void add_row_reads(struct builder *b, uint8_t number, uint32_t k, unsigned s, bool own)
{
	const struct instr *i = &b->p->instrs.at[k];
	lanes const counted = operand_positions(b, i, s);
	for (unsigned row = 0; row < instr_rows(i, s); row++) {
		struct region_read const read = {.instr = k, .region = number, .n = 1, .source = {(uint8_t)s}, .row = (uint8_t)row, .own = own};
		struct instr new = {.src = {i->src[s]}, .region_reads = counted};
		if (own)
			new.src[0] = outline_own(b->p, &i->src[s], row);
		else
			new.src[0].index = (int16_t)(i->src[s].index + (int)row);
		add_region_read(b, &read, &new);
	}
}

/* Adds a read for each input that operand s, v[aL + n], may be.  Sets `why` if one is not declared. */
static void add_addressed_reads(struct builder *b, uint8_t number, uint32_t k, unsigned s)
{
	const struct instr *i = &b->p->instrs.at[k];
	uint32_t const numbers = program_numbers_addressed(b->p, k, i->src[s].index);
	for (unsigned n = 0; n < ADDRESSED_NUMBERS; n++) {
		if (!(numbers >> n & 1))
			continue;
		struct region_read const read = {.instr = k, .region = number, .n = 1, .source = {(uint8_t)s}, .row = (uint8_t)n, .own = true};
		struct instr of = *i;
		of.src[s] = outline_own(b->p, &i->src[s], n);
		struct instr new = {.src = {of.src[s]}, .region_reads = operand_positions(b, &of, s)};
		if (instr_reads(b->p, i, s) & (lanes)~program_input_of(b->p, n).mask)
			b->why = "aL may address inputs that it does not declare";
		add_region_read(b, &read, &new);
	}
}

/* Adds reads for operands from outside of each instruction of the region.  Sets `why` if an instruction has too many. */
static void add_operand_reads(struct builder *b, const struct region *r, uint8_t number)
{
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		struct region_read read = {.instr = k, .region = number};
		struct instr new = {.comments = NULL};
		EACH_SOURCE(s, i) {
			if (i->src[s].relative == RELATIVE_LOOP && i->src[s].file == REG_INPUT) {
				add_addressed_reads(b, number, k, s);
				continue;
			}
			lanes ignored[MODEL_TEMPS] = {0};
			lanes const counted = holds_numbers(i->src[s].file) ? operand_positions(b, i, s) : 0;
			bool const external = is_all_from_outside(b, r, k, s, ignored);
			bool const own = !external && i->src[s].relative && i->src[s].relative != RELATIVE_LOOP;
			if (counted && (own || (external && instr_rows(i, s) > 1)))
				add_row_reads(b, number, k, s, own);
			if (!counted || !external || instr_rows(i, s) > 1)
				continue;
			if (read.n == REGION_SOURCES)
				b->why = "an instruction of a block reads too much";
			if (b->why)
				return;
			new.src[read.n] = i->src[s];
			new.region_reads |= (uint16_t)(counted << LANES * read.n);
			read.source[read.n++] = (uint8_t)s;
		}
		if (read.n)
			add_region_read(b, &read, &new);
	}
}

/* Adds fences (REGION opcodes for no operand) that read c[a0.x + n] for each c[aL + n] of the region, so that all constants count as
 * read. */
static void fence_addressed(struct builder *b, const struct region *r)
{
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		EACH_SOURCE(s, i) {
			struct instr fence = {.op = OP_REGION1, .region = REGION_FENCE, .src = {i->src[s]}, .region_reads = MASK_X, .at = SRCPOS_NONE};
			if (i->src[s].relative != RELATIVE_LOOP || i->src[s].file != REG_CONST)
				continue;
			fence.src[0].absolute = false;
			fence.src[0].relative = 1;
			append_straight(b, &fence, NO_INSTR);
		}
	}
}

/* Returns true if an instruction behind the region may read lanes of a0 that the region wrote: no instruction outside of regions overwrites
 * them before. */
static bool leaves_address(const struct builder *b, uint8_t number)
{
	const struct region *r = &b->out->regions.at[number], *next = r + 1, *const end = b->out->regions.at + b->out->regions.n;
	lanes left = b->content[r->end - r->first].address;
	for (uint32_t k = r->end; k < b->p->instrs.n; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].relative && i->src[s].relative != RELATIVE_LOOP && left >> (i->src[s].relative - 1) & 1)
				return true;
		next += next < end && k == next->end;
		if (i->dst.file == REG_ADDRESS && (next == end || k < next->first))
			left &= (lanes)~instr_writes(i);
	}
	return false;
}

/* Returns the first temporary that the program does not name and that no earlier call returned; if there is none, sets `why` and returns 0. */
static int take_unnamed_temp(struct builder *b)
{
	int t = 0;
	while (t < MODEL_TEMPS && b->named >> t & 1)
		t++;
	if (t == MODEL_TEMPS) {
		b->why = "no temporary is left";
		return 0;
	}
	b->named |= UINT32_C(1) << t;
	return t;
}

/* Adds fences (REGION opcodes that keep registers apart) that repeat the region's reads of temporaries that it also writes if `written`, else
 * its other reads.  Leaves out REGION opcodes of which no temporary would be repeated. */
static void fence_reads(struct builder *b, const struct region *r, uint8_t number, bool written)
{
	for (uint32_t k = 0, n = b->out->straight->instrs.n; k < n; k++) {
		struct instr const i = b->out->straight->instrs.at[k];
		struct instr fence = {.region = REGION_FENCE, .at = SRCPOS_NONE};
		unsigned sources = 0, temps = 0;
		bool const own = op_is_region(i.op) && i.op != OP_REGION_OUT && i.region != REGION_FENCE && i.region >= r->reads;
		for (unsigned s = 0; own && s < ops[i.op].sources; s++) {
			bool const temp = i.src[s].file == REG_TEMP, writes = temp && outline_write(b->out, number, REG_TEMP, i.src[s].index) >= 0;
			if (writes != written)
				continue;
			fence.src[sources] = i.src[s];
			fence.src[sources].absolute = false;
			fence.region_reads |= (uint16_t)((i.region_reads >> LANES * s & MASK_XYZW) << LANES * sources);
			sources++;
			temps += temp;
		}
		fence.op = (uint8_t)(OP_REGION1 + sources - 1);
		if (temps)
			append_straight(b, &fence, NO_INSTR);
	}
}

/* Adds fences (REGION opcodes that keep registers apart) that read all results of the region, so that no two results share a register. */
static void fence_writes(struct builder *b, const struct region *r, const int *temp)
{
	for (uint32_t w = r->writes; w < b->out->writes.n && w - r->writes < MOST_REGIONS; w++) {
		struct instr const fence = {.op = OP_REGION1, .region = REGION_FENCE, .src = {src_temp(temp[w - r->writes])},
		                            .region_reads = b->out->writes.at[w].claimed, .at = SRCPOS_NONE};
		append_straight(b, &fence, NO_INSTR);
	}
}

/* Adds a REGION_OUT for each register that the region writes, fences (REGION opcodes that keep registers apart) before and behind them, and
 * movs that copy results to outputs. */
static void add_writes(struct builder *b, const struct region *r, uint8_t number)
{
	uint32_t const n = b->out->writes.n;
	int temp[MOST_REGIONS] = {0};
	fence_addressed(b, r);
	fence_reads(b, r, number, true); /* so that no two of the region's operands get one register */
	for (uint32_t w = r->writes; w < n && w - r->writes < MOST_REGIONS; w++) {
		const struct region_write *write = &b->out->writes.at[w];
		int const reg = write->file == REG_TEMP ? write->index : take_unnamed_temp(b);
		temp[w - r->writes] = reg;
		lanes const through = write->file == REG_TEMP ? b->live[write->region][reg] & b->written[reg] & (lanes)~write->mask : 0;
		b->out->writes.at[w].claimed = MASK_XYZW & (lanes)~through;
		struct dst const dst = dst_lanes(REG_TEMP, reg, MASK_XYZW & (lanes)~through);
		append_straight(b, &(struct instr){.op = OP_REGION_OUT, .region = (uint16_t)w, .dst = dst, .at = SRCPOS_NONE}, NO_INSTR);
	}
	fence_writes(b, r, temp);
	fence_reads(b, r, number, false);
	for (uint32_t w = r->writes; w < n && w - r->writes < MOST_REGIONS; w++) {
		const struct region_write *write = &b->out->writes.at[w];
		if (write->file == REG_TEMP)
			continue;
		struct dst const dst = dst_lanes((enum reg_file)write->file, write->index, write->mask);
		struct instr mov = {.op = OP_MOV, .dst = dst, .src = {src_temp(temp[w - r->writes])}, .at = SRCPOS_NONE};
		if (reg_files[write->file].scalar)
			mov.src[0].swizzle = swizzle_replicate(LANE_X);
		append_straight(b, &mov, NO_INSTR);
	}
}

static void add_region(struct builder *b, uint8_t number)
{
	struct region *r = &b->out->regions.at[number];
	r->reads = b->out->reads.n;
	r->writes = b->out->writes.n;
	b->content = b->contents[number];
	find_writes(b, r, number);
	lanes mixed[MODEL_TEMPS] = {0};
	for (uint32_t k = r->first; k < r->end; k++)
		EACH_SOURCE(s, &b->p->instrs.at[k])
			if (holds_numbers(b->p->instrs.at[k].src[s].file))
				is_all_from_outside(b, r, k, s, mixed);
	if (leaves_address(b, number))
		b->why = "a block of it writes a0, which is read after the block";
	add_kept_reads(b, r, number, mixed);
	if (!b->why)
		add_operand_reads(b, r, number);
	if (!b->why)
		add_writes(b, r, number);
}

static void note_named_temps(struct builder *b)
{
	for (uint32_t k = 0; k < b->p->instrs.n; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		if (!(ops[i->op].flags & OPF_NO_DST) && i->dst.file == REG_TEMP)
			b->named |= UINT32_C(1) << (i->dst.index & (MODEL_TEMPS - 1));
		EACH_SOURCE(s, i)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				b->named |= UINT32_C(1) << ((i->src[s].index + (int)row) & (MODEL_TEMPS - 1));
	}
}

/* Replaces each _abs in the straight program by an abs instruction.  Sets `why` if temporaries do not suffice. */
static void expand_straight(struct builder *b)
{
	struct diags said;
	struct { VEC(uint32_t); } origin = {.at = b->origin.at, .n = b->origin.n};
	diag_init(&said, b->arena);
	modifier_expand(b->arena, b->out->straight, &said);
	b->why = said.errors ? "no temporary is left" : NULL;
	b->origin.n = b->origin.cap = 0;
	b->origin.at = NULL;
	for (uint32_t k = 0, from = 0; k < b->out->straight->instrs.n && !b->why; k++)
		VEC_PUSH(b->arena, &b->origin) = b->out->straight->instrs.at[k].flags & INSTR_MODIFIER ? NO_INSTR : origin.at[from++];
}

static const char *build_straight(struct builder *b)
{
	struct outline *out = b->out;
	uint32_t at;
	if (blocks_partners(b->arena, b->p, &b->partner, &at))
		return "its blocks do not nest";
	regions_find(b->arena, b->p, b->partner, &out->regions);
	if (out->regions.n > MOST_REGIONS)
		return "it has too many blocks";
	note_named_temps(b);
	find_live_behind(b);
	uint32_t next = 0;
	for (uint32_t k = 0; k < b->p->instrs.n && !b->why; k++) {
		bool const inside = next < out->regions.n && k >= out->regions.at[next].first;
		b->why = why_not_straight(b->p, &b->p->instrs.at[k], inside);
		if (b->why)
			break;
		if (!inside)
			append_straight(b, &b->p->instrs.at[k], k < b->n ? k : NO_INSTR);
		else if (k + 1 == out->regions.at[next].end)
			add_region(b, (uint8_t)next++);
	}
	if (!b->why)
		expand_straight(b);
	out->origin = b->origin.at;
	return b->why;
}

/* Returns the program with a temporary in place of an output, and a mov at the end that copies it there.  Sets `why` if none is left. */
static const struct program *carry_output(struct builder *b, const struct dst *output)
{
	struct program *new = program_head(b->arena, b->p);
	int const temp = take_unnamed_temp(b);
	lanes mask = 0;
	for (uint32_t k = 0; k < b->p->instrs.n; k++) {
		struct instr *i = &VEC_PUSH(b->arena, &new->instrs);
		*i = b->p->instrs.at[k];
		if (!instr_writes(i) || i->dst.file != output->file || i->dst.index != output->index)
			continue;
		mask |= instr_writes(i);
		i->dst.file = REG_TEMP;
		i->dst.index = (int16_t)temp;
	}
	VEC_PUSH(b->arena, &new->instrs) = (struct instr){
		.op = OP_MOV, .dst = dst_lanes((enum reg_file)output->file, output->index, mask), .src = {src_temp(temp)}, .at = SRCPOS_NONE};
	return new;
}

const char *outline(struct arena *arena, const struct program *p, const struct outline *like, struct outline *out)
{
	uint32_t const n = p->instrs.n;
	for (struct dst carried = {.mask = 0};; carried.mask = 0) {
		*out = (struct outline){.given = p, .straight = program_head(arena, p)};
		struct builder b = {.arena = arena, .p = p, .like = like, .out = out, .n = n};
		const char *why = build_straight(&b);
		carried = b.carried;
		if (why || !carried.mask || reg_files[carried.file].scalar || b.unsure[carried.file][carried.index])
			return why ? why : carried.mask ? "a block of it may leave an output as it was" : NULL;
		p = carry_output(&b, &carried);
		if (b.why)
			return b.why;
	}
}
