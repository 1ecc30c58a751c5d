/* Programs with flow control as straight ones, see outline.h. */
#include "lang/outline.h"

#include "lang/modifier.h"

enum { MOST_REGIONS = UINT8_MAX };

/* Tells where lanes may come from, at one instruction of a region. */
struct content {
	lanes outside[MODEL_TEMPS], inside[MODEL_TEMPS]; /* it held that before; the region wrote it */
	lanes as_before[REG_FILES][MOST_TEX_OUTS];       /* of outputs: lanes that the region may not have written */
	lanes address;                                   /* of a0: lanes that the region may have written */
	bool reached;
};

struct builder {
	struct arena *arena;
	const struct program *p;
	const uint32_t *partner;
	const struct outline *like;
	struct outline *out;
	struct content *content;         /* of the region at hand, by instruction from its first on */
	struct content **contents;       /* of all regions */
	lanes written[MODEL_TEMPS];      /* of the straight part so far, and of regions */
	lanes outputs[REG_FILES][MOST_TEX_OUTS]; /* the same of outputs */
	lanes (*live)[MODEL_TEMPS];      /* for each region: read behind it */
	uint32_t named;                  /* a bit for each temporary that the program names, or that was taken */
	struct { VEC(uint32_t); } origin;
	const char *why;
	uint32_t n;                      /* instructions of the program given, which movs to outputs follow */
	lanes unsure[REG_FILES][MOST_TEX_OUTS]; /* of outputs: lanes that only a region may have written */
	struct dst carried;              /* an output that a region may leave as it was; mask 0: none */
};

/* ---- which instructions a region has ----------------------------------------------------------- */

static bool uses_predicate(const struct instr *i)
{
	bool any = i->predicate || i->op == OP_SETP;
	EACH_SOURCE(s, i)
		any |= i->src[s].file == REG_PREDICATE;
	return any;
}

/* Finds where the construct that begins at k ends. */
static uint32_t end_of(const struct program *p, const uint32_t *partner, uint32_t k)
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
			uint32_t const end = instr_flows(&p->instrs.at[j]) ? end_of(p, partner, j) : j + 1;
			r->end = end > r->end ? end : r->end;
			if (uses_predicate(&p->instrs.at[j]) && last_predicated > r->end)
				r->end = last_predicated;
		}
		k = r->end;
	}
}

/* Returns why the instruction cannot be put into a straight program; NULL: it can. */
static const char *unfit(const struct program *p, const struct instr *i, bool inside)
{
	if (i->op == OP_CALL || i->op == OP_CALLNZ || i->op == OP_LABEL || i->op == OP_RET)
		return "it has subroutines";
	if (i->dst.relative)
		return "a block of it writes what is addressed through a register";
	EACH_SOURCE(s, i) {
		if (i->src[s].relative && i->src[s].file != REG_CONST && program_stage(p) == STAGE_VERTEX)
			return "it addresses inputs through a register";
		if (inside && instr_rows(i, s) > 1 && i->src[s].file != REG_CONST)
			return "a block of it multiplies by a matrix that it computed";
	}
	return inside && i->op == OP_SGN ? "a block of it has an sgn" : NULL;
}

/* ---- what flows through a region ------------------------------------------------------------------ */

static void join(struct content *to, const struct content *from, bool *news)
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

/* Returns the content of a region, by instruction from its first on. */
static struct content *spread(const struct builder *b, const struct region *r)
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
					join(&c[next[n] - r->first], &after, &news);
		}
	}
	return c;
}

/* ---- what a region reads and writes -------------------------------------------------------------- */

static bool has_lanes(unsigned file)
{
	return file != REG_SAMPLER && file != REG_INT && file != REG_BOOL && file != REG_LOOP && file != REG_PREDICATE && file != REG_LABEL;
}

/* Register lanes that operand s reads; of a coordinate .z, too, where a texture of depths may be compared with it. */
static lanes lanes_of(const struct builder *b, const struct instr *i, unsigned s)
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

/* Returns whether operand s has all lanes from outside, and adds those to `mixed` that it has from both, or beside one from inside. */
static bool is_external(const struct builder *b, const struct region *r, uint32_t k, unsigned s, lanes mixed[MODEL_TEMPS])
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
	if (s == 0 && instr_samples(i)) /* a texture of depths is compared with .z, wherever that is from */
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

/* Adds what the operands read of `from`; of a coordinate all lanes. */
static void add_live(const struct program *p, const struct instr *i, const lanes from[MODEL_TEMPS], lanes live[MODEL_TEMPS])
{
	EACH_SOURCE(s, i)
		for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++) {
			unsigned const reg = (unsigned)(i->src[s].index + (int)row) & (MODEL_TEMPS - 1);
			live[reg] |= (instr_samples(i) ? MASK_XYZW : instr_reads(p, i, s)) & (from ? from[reg] : MASK_XYZW);
		}
}

/* Takes the live lanes from behind a region to before it. */
static void live_before(const struct builder *b, const struct region *r, const struct content *content, lanes live[MODEL_TEMPS])
{
	for (unsigned reg = 0; reg < MODEL_TEMPS; reg++)
		live[reg] &= content[r->end - r->first].outside[reg];
	for (uint32_t k = r->first; k < r->end; k++)
		add_live(b->p, &b->p->instrs.at[k], content[k - r->first].outside, live);
}

/* Finds the lanes of the temporaries that are read behind each region, by what comes to something. */
static void find_live(struct builder *b)
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
			b->contents[next] = spread(b, r);
			live_before(b, r, b->contents[next], live);
			k = r->first;
			continue;
		}
		lanes const writes = i->dst.file == REG_TEMP ? instr_writes(i) : 0;
		lanes *to = &live[i->dst.index & (MODEL_TEMPS - 1)];
		bool const dead = writes && !(*to & writes) && i->op != OP_SGN;
		*to &= (lanes)~writes;
		if (!dead)
			add_live(p, i, NULL, live);
	}
}

static void add(struct builder *b, const struct instr *i, uint32_t origin)
{
	VEC_PUSH(b->arena, &b->out->straight->instrs) = *i;
	VEC_PUSH(b->arena, &b->origin) = origin;
	if (instr_writes(i) && i->dst.file == REG_TEMP)
		b->written[i->dst.index] |= instr_writes(i);
	else if (instr_writes(i) && reg_files[i->dst.file].output && i->dst.index < MOST_TEX_OUTS)
		b->outputs[i->dst.file][i->dst.index] |= instr_writes(i);
}

static void add_read(struct builder *b, const struct region_read *read, const struct instr *i)
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
	add(b, &new, NO_INSTR);
}

/* Reads what the region may leave in a register as it was: that must be there before. */
static void add_kept(struct builder *b, const struct region *r, uint8_t number, lanes mixed[MODEL_TEMPS])
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
		add_read(b, &read, &i);
	}
}

/* Reads an operand that stays as it is, each row by itself. */
static void add_rows(struct builder *b, uint8_t number, uint32_t k, unsigned s, bool own)
{
	const struct instr *i = &b->p->instrs.at[k];
	lanes const counted = lanes_of(b, i, s);
	for (unsigned row = 0; row < instr_rows(i, s); row++) {
		struct region_read const read = {.instr = k, .region = number, .n = 1, .source = {(uint8_t)s}, .row = (uint8_t)row, .own = own};
		struct instr new = {.src = {i->src[s]}, .region_reads = counted};
		if (own)
			new.src[0] = outline_own(b->p, &i->src[s], row);
		else
			new.src[0].index = (int16_t)(i->src[s].index + (int)row);
		add_read(b, &read, &new);
	}
}

/* Reads all inputs that v[aL + n] may be, each by itself. */
static void add_addressed(struct builder *b, uint8_t number, uint32_t k, unsigned s)
{
	const struct instr *i = &b->p->instrs.at[k];
	uint32_t const numbers = program_numbers_addressed(b->p, k, i->src[s].index);
	for (unsigned n = 0; n < ADDRESSED_NUMBERS; n++) {
		if (!(numbers >> n & 1))
			continue;
		struct region_read const read = {.instr = k, .region = number, .n = 1, .source = {(uint8_t)s}, .row = (uint8_t)n, .own = true};
		struct instr of = *i;
		of.src[s] = outline_own(b->p, &i->src[s], n);
		struct instr new = {.src = {of.src[s]}, .region_reads = lanes_of(b, &of, s)};
		if (instr_reads(b->p, i, s) & (lanes)~program_input_of(b->p, n).mask)
			b->why = "an aL may lead to inputs that it does not declare";
		add_read(b, &read, &new);
	}
}

static void add_reads(struct builder *b, const struct region *r, uint8_t number)
{
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		struct region_read read = {.instr = k, .region = number};
		struct instr new = {.comments = NULL};
		EACH_SOURCE(s, i) {
			if (i->src[s].relative == RELATIVE_LOOP && i->src[s].file == REG_INPUT) {
				add_addressed(b, number, k, s);
				continue;
			}
			lanes ignored[MODEL_TEMPS] = {0};
			lanes const counted = has_lanes(i->src[s].file) ? lanes_of(b, i, s) : 0;
			bool const external = is_external(b, r, k, s, ignored), own = !external && i->src[s].relative && i->src[s].relative != RELATIVE_LOOP;
			if (counted && (own || (external && instr_rows(i, s) > 1)))
				add_rows(b, number, k, s, own);
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
			add_read(b, &read, &new);
	}
}

/* Reads the constants that a region addresses by aL, so that all of them are taken. */
static void read_addressed(struct builder *b, const struct region *r)
{
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &b->p->instrs.at[k];
		EACH_SOURCE(s, i) {
			struct instr fence = {.op = OP_REGION1, .region = REGION_FENCE, .src = {i->src[s]}, .region_reads = MASK_X, .at = SRCPOS_NONE};
			if (i->src[s].relative != RELATIVE_LOOP || i->src[s].file != REG_CONST)
				continue;
			fence.src[0].absolute = false;
			fence.src[0].relative = 1;
			add(b, &fence, NO_INSTR);
		}
	}
}

/* Returns whether lanes of a0 are read behind a region before they are written for sure, outside of any other region. */
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

/* Returns the first temporary that the program does not name, and that was not taken. */
static int take_temp(struct builder *b)
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

/* Reads again what instructions of the region read: the temporaries that it also writes, or all else. */
static void read_again(struct builder *b, const struct region *r, uint8_t number, bool written)
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
			add(b, &fence, NO_INSTR);
	}
}

/* Reads all that the region wrote, so that each of its registers is one of its own. */
static void read_written(struct builder *b, const struct region *r, const int *temp)
{
	for (uint32_t w = r->writes; w < b->out->writes.n && w - r->writes < MOST_REGIONS; w++) {
		struct instr const fence = {.op = OP_REGION1, .region = REGION_FENCE, .src = {src_temp(temp[w - r->writes])},
		                            .region_reads = b->out->writes.at[w].claimed, .at = SRCPOS_NONE};
		add(b, &fence, NO_INSTR);
	}
}

static void add_writes(struct builder *b, const struct region *r, uint8_t number)
{
	uint32_t const n = b->out->writes.n;
	int temp[MOST_REGIONS] = {0};
	read_addressed(b, r);
	read_again(b, r, number, true); /* so that what one operand needs does not take the register of another */
	for (uint32_t w = r->writes; w < n && w - r->writes < MOST_REGIONS; w++) {
		const struct region_write *write = &b->out->writes.at[w];
		int const reg = write->file == REG_TEMP ? write->index : take_temp(b);
		temp[w - r->writes] = reg;
		lanes const through = write->file == REG_TEMP ? b->live[write->region][reg] & b->written[reg] & (lanes)~write->mask : 0;
		b->out->writes.at[w].claimed = MASK_XYZW & (lanes)~through;
		add(b, &(struct instr){.op = OP_REGION_OUT, .region = (uint16_t)w, .dst = dst_lanes(REG_TEMP, reg, MASK_XYZW & (lanes)~through), .at = SRCPOS_NONE}, NO_INSTR);
	}
	read_written(b, r, temp);
	read_again(b, r, number, false);
	for (uint32_t w = r->writes; w < n && w - r->writes < MOST_REGIONS; w++) {
		const struct region_write *write = &b->out->writes.at[w];
		if (write->file == REG_TEMP)
			continue;
		struct instr mov = {.op = OP_MOV, .dst = dst_lanes((enum reg_file)write->file, write->index, write->mask), .src = {src_temp(temp[w - r->writes])}, .at = SRCPOS_NONE};
		if (reg_files[write->file].scalar)
			mov.src[0].swizzle = swizzle_replicate(LANE_X);
		add(b, &mov, NO_INSTR);
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
			if (has_lanes(b->p->instrs.at[k].src[s].file))
				is_external(b, r, k, s, mixed);
	if (leaves_address(b, number))
		b->why = "what a block of it leaves in a0 is read behind it";
	add_kept(b, r, number, mixed);
	if (!b->why)
		add_reads(b, r, number);
	if (!b->why)
		add_writes(b, r, number);
}

static void note_temps(struct builder *b)
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

/* Takes the _abs out, as of any straight program. */
static void expand(struct builder *b)
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

static const char *build(struct builder *b)
{
	struct outline *out = b->out;
	uint32_t at;
	if (blocks_partners(b->arena, b->p, &b->partner, &at))
		return "its blocks do not nest";
	regions_find(b->arena, b->p, b->partner, &out->regions);
	if (out->regions.n > MOST_REGIONS)
		return "it has too many blocks";
	note_temps(b);
	find_live(b);
	uint32_t next = 0;
	for (uint32_t k = 0; k < b->p->instrs.n && !b->why; k++) {
		bool const inside = next < out->regions.n && k >= out->regions.at[next].first;
		b->why = unfit(b->p, &b->p->instrs.at[k], inside);
		if (b->why)
			break;
		if (!inside)
			add(b, &b->p->instrs.at[k], k < b->n ? k : NO_INSTR);
		else if (k + 1 == out->regions.at[next].end)
			add_region(b, (uint8_t)next++);
	}
	if (!b->why)
		expand(b);
	out->origin = b->origin.at;
	return b->why;
}

/* Returns the program with a temporary in place of an output, to which a mov at the end brings it. */
static const struct program *carry(struct builder *b, const struct dst *output)
{
	struct program *new = program_head(b->arena, b->p);
	int const temp = take_temp(b);
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
		const char *why = build(&b);
		carried = b.carried;
		if (why || !carried.mask || reg_files[carried.file].scalar || b.unsure[carried.file][carried.index])
			return why ? why : carried.mask ? "a block of it may leave an output as it was" : NULL;
		p = carry(&b, &carried);
		if (b.why)
			return b.why;
	}
}
