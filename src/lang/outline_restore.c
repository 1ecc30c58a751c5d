/* Puts regions back into a straight program that was changed, and compares the regions of two programs, see outline.h. */
#include "lang/outline.h"

#include "lang/modifier.h"

/* ---- putting regions back ----------------------------------------------------------------------- */

struct restorer {
	struct arena *arena;
	const struct outline *o;
	struct program *moved, *new;
	const struct instr **read, **write; /* the instruction of `moved` for each read and each write of `o` */
	struct dst *home;                   /* for each write of `o`: the register that the region writes in the new program */
	bool *gone;                         /* for each instruction of `moved`: true for a mov to an output that the region itself writes in `new` */
	bool failed;
};

/* Fills `read` and `write`.  Returns false if a REGION opcode is missing, doubled or out of order, or a REGION_OUT writes other lanes. */
static bool find_parts(struct restorer *r)
{
	unsigned last = 0;
	for (uint32_t k = 0; k < r->moved->instrs.n; k++) {
		const struct instr *i = &r->moved->instrs.at[k];
		if (!op_is_region(i->op) || i->region == REGION_FENCE)
			continue;
		unsigned const region = i->op == OP_REGION_OUT ? r->o->writes.at[i->region].region : r->o->reads.at[i->region].region;
		unsigned const here = 2 * region + (i->op == OP_REGION_OUT);
		if (here < last)
			return false;
		last = here;
		const struct instr **at = i->op == OP_REGION_OUT ? &r->write[i->region] : &r->read[i->region];
		if (*at)
			return false;
		*at = i;
	}
	bool all = true;
	for (uint32_t k = 0; k < r->o->reads.n; k++)
		all &= r->read[k] != NULL;
	for (uint32_t k = 0; k < r->o->writes.n; k++)
		all &= r->write[k] != NULL && r->write[k]->dst.mask == r->o->writes.at[k].claimed;
	return all;
}

/* Returns the index of the plain mov to an output that is the only reader of a region's result, or NO_INSTR if there is none. */
static uint32_t sole_mov(const struct restorer *r, uint32_t write)
{
	const struct instr *out = r->write[write];
	uint32_t found = NO_INSTR;
	for (uint32_t k = (uint32_t)(out - r->moved->instrs.at) + 1; k < r->moved->instrs.n; k++) {
		const struct instr *i = &r->moved->instrs.at[k];
		EACH_SOURCE(s, i) {
			if (i->src[s].file != REG_TEMP || i->src[s].index != out->dst.index || (op_is_region(i->op) && i->region == REGION_FENCE))
				continue;
			bool const plain = i->op == OP_MOV && !i->flags && !i->src[s].negate && !i->src[s].absolute && reg_files[i->dst.file].output;
			bool const straight = reg_files[i->dst.file].scalar || swizzles_agree(i->src[s].swizzle, SWIZZLE_XYZW, i->dst.mask);
			if (found != NO_INSTR || !plain || !straight || instr_writes(i) != (reg_files[i->dst.file].scalar ? MASK_X : r->o->writes.at[write].mask))
				return NO_INSTR;
			found = k;
		}
		if (instr_writes(i) && i->dst.file == REG_TEMP && i->dst.index == out->dst.index)
			break;
	}
	return found;
}

/* Sets `home` of each write: the output itself if sole_mov() finds a mov to it, else the register of the REGION_OUT. */
static void find_homes(struct restorer *r)
{
	for (uint32_t w = 0; w < r->o->writes.n; w++) {
		uint32_t const mov = r->o->writes.at[w].file == REG_TEMP ? NO_INSTR : sole_mov(r, w);
		r->home[w] = mov == NO_INSTR ? r->write[w]->dst : r->moved->instrs.at[mov].dst;
		if (mov != NO_INSTR)
			r->gone[mov] = true;
	}
}

/* Returns the index in `moved` at which the region is put back: its last read, or if it has no reads, its first write. */
static uint32_t region_place(const struct restorer *r, uint32_t region)
{
	uint32_t place = 0;
	const struct region *in = &r->o->regions.at[region];
	for (uint32_t n = in->reads; n < r->o->reads.n && r->o->reads.at[n].region == region; n++) {
		uint32_t const at = (uint32_t)(r->read[n] - r->moved->instrs.at);
		place = at > place ? at : place;
	}
	if (in->reads == r->o->reads.n || r->o->reads.at[in->reads].region != region)
		for (uint32_t w = in->writes; w < r->o->writes.n && r->o->writes.at[w].region == region; w++)
			place = place ? place : (uint32_t)(r->write[w] - r->moved->instrs.at);
	return place;
}

/* Returns the temporaries that instructions first to end - 1 name, a bit for each. */
static uint32_t temps_named_between(const struct restorer *r, uint32_t first, uint32_t end)
{
	uint32_t all = 0;
	for (uint32_t k = first; k < end; k++) {
		const struct instr *i = &r->moved->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP)
			all |= UINT32_C(1) << i->dst.index;
		EACH_SOURCE(s, i)
			for (unsigned row = 0; i->src[s].file == REG_TEMP && row < instr_rows(i, s); row++)
				all |= op_is_region(i->op) && i->region == REGION_FENCE ? 0 : UINT32_C(1) << (i->src[s].index + (int)row);
	}
	return all;
}

/* ---- conflicts about the registers that a region writes ---- */

/* Returns true if the register of write w has another use: the region reads a value from before in it that was in another register in the
 * given program, another write of the region goes to it, or an instruction between the region's place and the write names it. */
static bool home_clashes(const struct restorer *r, uint32_t w)
{
	const struct outline *o = r->o;
	const struct region_write *write = &o->writes.at[w];
	bool any = temps_named_between(r, region_place(r, write->region) + 1, (uint32_t)(r->write[w] - r->moved->instrs.at)) >> r->home[w].index & 1;
	for (uint32_t v = o->regions.at[write->region].writes; v < o->writes.n && o->writes.at[v].region == write->region; v++)
		any |= v != w && r->home[v].file == REG_TEMP && r->home[v].index == r->home[w].index;
	for (uint32_t n = o->regions.at[write->region].reads; n < o->reads.n && o->reads.at[n].region == write->region; n++) {
		const struct region_read *read = &o->reads.at[n];
		for (unsigned s = 0; s < read->n; s++) {
			const struct src *now = &r->read[n]->src[s];
			const struct src *was = read->instr == NO_INSTR ? NULL : &o->given->instrs.at[read->instr].src[read->source[s]];
			bool const as_before = was ? was->file == REG_TEMP && write->file == REG_TEMP && was->index == write->index && was->swizzle == now->swizzle
			                           : read->write == w;
			any |= now->file == REG_TEMP && now->index == r->home[w].index && !as_before;
		}
	}
	return any;
}

/* Returns true if one of the lanes `of` of a temporary is live before instruction k.  Reads of fences (REGION opcodes for no operand) do
 * not count. */
static bool is_read_from(const struct program *p, uint32_t k, int temp, lanes of)
{
	for (lanes left = of; left && k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		EACH_SOURCE(s, i) {
			bool const names = i->src[s].file == REG_TEMP && i->src[s].index <= temp && temp < i->src[s].index + (int)instr_rows(i, s);
			lanes const reads = instr_samples(i) ? MASK_XYZW : instr_reads(p, i, s);
			if (names && reads & left && !(op_is_region(i->op) && i->region == REGION_FENCE))
				return true;
		}
		if (i->dst.file == REG_TEMP && i->dst.index == temp)
			left &= (lanes)~instr_writes(i);
	}
	return false;
}

/* Returns a temporary that no read or write of the region uses and that is not live behind the region, or -1 if there is none. */
static int unused_temp_at(const struct restorer *r, uint8_t region)
{
	const struct outline *o = r->o;
	uint32_t taken = 0, end = 0;
	for (uint32_t n = o->regions.at[region].reads; n < o->reads.n && o->reads.at[n].region == region; n++)
		for (unsigned s = 0; s < o->reads.at[n].n; s++)
			if (r->read[n]->src[s].file == REG_TEMP)
				taken |= UINT32_C(1) << r->read[n]->src[s].index;
	for (uint32_t w = o->regions.at[region].writes; w < o->writes.n && o->writes.at[w].region == region; w++) {
		end = (uint32_t)(r->write[w] - r->moved->instrs.at) + 1;
		if (r->home[w].file == REG_TEMP)
			taken |= UINT32_C(1) << r->home[w].index;
	}
	taken |= end ? temps_named_between(r, region_place(r, region) + 1, end - 1) : 0;
	for (int t = 0; t < models[o->given->model].temps; t++)
		if (!(taken >> t & 1) && !is_read_from(r->moved, end, t, MASK_XYZW))
			return t;
	return -1;
}

static int exchanged(int t, int a, int b)
{
	return t == a ? b : t == b ? a : t;
}

/* Exchanges two temporaries in all operands and destinations from instruction k on.
 * requires: has_row_operands() is false for k. */
static void exchange_temps(struct restorer *r, uint32_t k, int a, int b)
{
	for (; k < r->moved->instrs.n; k++) {
		struct instr *i = &r->moved->instrs.at[k];
		if (i->dst.file == REG_TEMP)
			i->dst.index = (int16_t)exchanged(i->dst.index, a, b);
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_TEMP)
				i->src[s].index = (int16_t)exchanged(i->src[s].index, a, b);
	}
}

/* Returns true if an instruction from index k on reads a matrix in temporaries. */
static bool has_row_operands(const struct program *p, uint32_t k)
{
	bool any = false;
	for (; k < p->instrs.n; k++)
		EACH_SOURCE(s, &p->instrs.at[k])
			any |= p->instrs.at[k].src[s].file == REG_TEMP && instr_rows(&p->instrs.at[k], s) > 1;
	return any;
}

/* Returns true if an operand is temporary `temp` without modifier, and its swizzle leaves the lanes `kept` in place. */
static bool is_plain_temp(const struct src *src, int temp, lanes kept)
{
	return src->file == REG_TEMP && src->index == temp && !src->negate && !src->absolute && swizzles_agree(src->swizzle, SWIZZLE_XYZW, kept);
}

/* Makes write w and all readers of its value behind the region use temporary `to`.  Returns false, and changes nothing, if that is not
 * possible, as when `to` is live behind the region. */
static bool rehome(struct restorer *r, uint32_t w, int to)
{
	struct dst *home = &r->home[w];
	int const from = home->index;
	uint32_t const out = (uint32_t)(r->write[w] - r->moved->instrs.at);
	bool const after = is_read_from(r->moved, out + 1, from, home->mask);
	bool const through = is_read_from(r->moved, out + 1, from, MASK_XYZW & (lanes)~home->mask);
	home->index = (int16_t)to;
	if (is_read_from(r->moved, out + 1, to, MASK_XYZW) || (after && (through || has_row_operands(r->moved, out))) || home_clashes(r, w)) {
		home->index = (int16_t)from;
		return false;
	}
	if (after)
		exchange_temps(r, out, from, to);
	else
		r->moved->instrs.at[out].dst.index = (int16_t)to;
	return true;
}

/* If the region may keep the value from before in the register of write w, makes the write use the temporary that holds that value, if
 * rehome() can do so. */
static void join_kept(struct restorer *r, uint32_t w)
{
	const struct region_write *write = &r->o->writes.at[w];
	const struct src *src = NULL;
	for (uint32_t n = r->o->regions.at[write->region].reads; write->kept && n < r->o->reads.n; n++)
		if (r->o->reads.at[n].instr == NO_INSTR && r->o->reads.at[n].write == w)
			src = &r->read[n]->src[0];
	if (src && is_plain_temp(src, src->index, write->kept) && src->index != r->home[w].index)
		rehome(r, w, src->index);
}

/* Gives writes to temporaries other registers: the one of join_kept(), and if that clashes with another use, an unused one.  Does so twice,
 * since registers that are in use the first time may be free the second time. */
static void part_homes(struct restorer *r)
{
	for (uint32_t n = 0; n < 2 * r->o->writes.n; n++) {
		uint32_t const w = n % r->o->writes.n;
		if (r->home[w].file != REG_TEMP)
			continue;
		r->home[w] = r->write[w]->dst;
		join_kept(r, w);
		int const other = home_clashes(r, w) ? unused_temp_at(r, r->o->writes.at[w].region) : -1;
		if (other >= 0)
			rehome(r, w, other);
	}
}

static void append_restored(struct restorer *r, const struct instr *i)
{
	VEC_PUSH(r->arena, &r->new->instrs) = *i;
}

/* Returns true if `mov` reads a lane that `other` writes. */
static bool mov_reads_from(const struct restorer *r, const struct instr *mov, const struct instr *other)
{
	return mov->src[0].file == REG_TEMP && mov->src[0].index == other->dst.index && instr_reads(r->new, mov, 0) & other->dst.mask;
}

/* Appends movs of the values from before to the registers in which the region may keep or read them, unless they are there.  Appends a mov
 * before others that write a lane that it reads; sets `failed` if they form a cycle. */
static void append_kept_movs(struct restorer *r, uint32_t region)
{
	struct { VEC(struct instr); } movs = {0};
	for (uint32_t n = r->o->regions.at[region].reads; n < r->o->reads.n && r->o->reads.at[n].region == region; n++) {
		const struct region_read *read = &r->o->reads.at[n];
		if (read->instr != NO_INSTR)
			continue;
		int const home = r->home[read->write].index;
		const struct src *src = &r->read[n]->src[0];
		lanes const kept = r->o->writes.at[read->write].kept;
		if (!is_plain_temp(src, home, kept))
			VEC_PUSH(r->arena, &movs) = (struct instr){.op = OP_MOV, .dst = dst_lanes(REG_TEMP, home, kept), .src = {*src}, .at = SRCPOS_NONE};
	}
	while (movs.n) {
		uint32_t k = 0;
		for (uint32_t other = 0; k < movs.n && other < movs.n; other++)
			if (other != k && mov_reads_from(r, &movs.at[other], &movs.at[k])) {
				k++;
				other = UINT32_MAX;
			}
		r->failed |= k == movs.n;
		k = k < movs.n ? k : 0;
		append_restored(r, &movs.at[k]);
		memmove(&movs.at[k], &movs.at[k + 1], (--movs.n - k) * sizeof *movs.at);
	}
}

/* Returns true if `read` still reads the register and lanes that it read in the given program, by outline_own(). */
static bool is_row(const struct outline *o, const struct src *given, unsigned row, const struct instr *read)
{
	struct src const was = outline_own(o->given, given, row), *const now = &read->src[0];
	return now->file == was.file && now->index == was.index && now->relative == was.relative &&
	       swizzles_agree(now->swizzle, was.swizzle, (lanes)read->region_reads) && now->negate == was.negate;
}

/* Returns instruction k of a region with the operands and destination for the new program.  Sets `failed` if an operand changed that must
 * not change. */
static struct instr instr_inside(struct restorer *r, uint8_t region, uint32_t k)
{
	const struct region *in = &r->o->regions.at[region];
	struct instr i = r->o->given->instrs.at[k];
	EACH_SOURCE(s, &i) {
		int const w = i.src[s].file == REG_TEMP ? outline_write(r->o, region, REG_TEMP, i.src[s].index) : -1;
		if (w >= 0)
			i.src[s].index = r->home[w].index;
	}
	for (uint32_t n = in->reads; n < r->o->reads.n && r->o->reads.at[n].region == region; n++) {
		const struct region_read *read = &r->o->reads.at[n];
		for (unsigned s = 0; s < read->n && read->instr == k; s++) {
			struct src *src = &i.src[read->source[s]];
			if (read->own || instr_rows(&i, read->source[s]) > 1)
				r->failed |= !is_row(r->o, src, read->row, r->read[n]);
			else
				*src = r->read[n]->src[s];
		}
		if (read->instr == k && read->source[0] == 0 && instr_samples(&i) && r->read[n]->region_reads & MASK_Z)
			i.flags |= INSTR_DEPTH; /* so that later passes keep .z */
	}
	EACH_SOURCE(s, &i)
		if (instr_reads_scalar(&i, s) && i.src[s].file != REG_SAMPLER)
			i.src[s].swizzle = swizzle_replicate(swizzle_lane(i.src[s].swizzle, LANE_X));
	if (instr_writes(&i) && i.dst.file != REG_PREDICATE && i.dst.file != REG_ADDRESS) {
		const struct dst *home = &r->home[outline_write(r->o, region, i.dst.file, i.dst.index)];
		i.dst.file = home->file;
		i.dst.index = home->index;
	}
	return i;
}

static void append_region(struct restorer *r, uint32_t region)
{
	const struct region *in = &r->o->regions.at[region];
	append_kept_movs(r, region);
	for (uint32_t k = in->first; k < in->end; k++) {
		struct instr const i = instr_inside(r, (uint8_t)region, k);
		append_restored(r, &i);
	}
}

struct program *outline_restore(struct arena *arena, const struct outline *o, const struct program *given)
{
	struct program *moved = program_copy(arena, modifier_contracted(arena, given));
	struct restorer r = {.arena = arena, .o = o, .moved = moved, .new = program_head(arena, moved),
	                     .read = arena_zero(arena, (o->reads.n + 1) * sizeof *r.read), .write = arena_zero(arena, (o->writes.n + 1) * sizeof *r.write),
	                     .home = arena_zero(arena, (o->writes.n + 1) * sizeof *r.home), .gone = arena_zero(arena, moved->instrs.n + 1)};
	if (!find_parts(&r))
		return NULL;
	find_homes(&r);
	part_homes(&r);
	uint32_t next = 0;
	for (uint32_t k = 0; k < moved->instrs.n; k++) {
		if (!op_is_region(moved->instrs.at[k].op) && !r.gone[k])
			append_restored(&r, &moved->instrs.at[k]);
		for (; next < o->regions.n && region_place(&r, next) <= k; next++)
			append_region(&r, next);
	}
	for (; next < o->regions.n; next++)
		append_region(&r, next);
	return r.failed ? NULL : r.new;
}

/* ---- comparing the regions of two programs ----------------------------------------------------- */

/* Returns the index, among the region's writes, of its write to a register; -1 if there is none. */
static int own_write(const struct outline *o, uint8_t region, unsigned file, int index)
{
	int const w = outline_write(o, region, file, index);
	return w < 0 ? -1 : w - (int)o->regions.at[region].writes;
}

/* Returns the sources of instruction k for which a REGION opcode stands, and which may change, a bit for each. */
static unsigned sources_from_outside(const struct outline *o, const struct region *r, uint8_t number, uint32_t k)
{
	unsigned sources = 0;
	for (uint32_t n = r->reads; n < o->reads.n && o->reads.at[n].region == number; n++)
		for (unsigned s = 0; s < o->reads.at[n].n && o->reads.at[n].instr == k && !o->reads.at[n].own; s++)
			sources |= 1u << o->reads.at[n].source[s];
	return sources;
}

static bool is_same_operand(const struct program *p, const struct program *q, const struct src *a, const struct src *b, int of_a, int of_b)
{
	bool const sampler = a->file == REG_SAMPLER && a->index < 16 && p->samplers[a->index] != q->samplers[a->index];
	bool const register_same = of_a >= 0 ? of_a == of_b : a->file == b->file && a->index == b->index && of_b < 0;
	return register_same && !sampler && a->swizzle == b->swizzle && a->negate == b->negate && a->absolute == b->absolute && a->relative == b->relative;
}

static bool is_same_in_region(const struct outline *old, const struct outline *new, uint8_t number, uint32_t n)
{
	const struct region *r = &old->regions.at[number], *q = &new->regions.at[number];
	const struct instr *a = &old->given->instrs.at[r->first + n], *b = &new->given->instrs.at[q->first + n];
	unsigned const outside = sources_from_outside(old, r, number, r->first + n);
	bool same = a->op == b->op && (a->flags | INSTR_DEPTH) == (b->flags | INSTR_DEPTH) && a->comparison == b->comparison && a->predicate == b->predicate &&
	            a->predicate_swizzle == b->predicate_swizzle && instr_writes(a) == instr_writes(b) &&
	            outside == sources_from_outside(new, q, number, q->first + n);
	if (same && instr_writes(a))
		same = a->dst.file == REG_PREDICATE || a->dst.file == REG_ADDRESS ? b->dst.file == a->dst.file && a->dst.mask == b->dst.mask
		                                    : own_write(old, number, a->dst.file, a->dst.index) == own_write(new, number, b->dst.file, b->dst.index);
	EACH_SOURCE(s, a)
		if (same && !(outside >> s & 1))
			same = is_same_operand(old->given, new->given, &a->src[s], &b->src[s],
			                       own_write(old, number, a->src[s].file, a->src[s].index),
			                       own_write(new, number, b->src[s].file, b->src[s].index));
	return same;
}

static bool is_same_region(const struct outline *old, const struct outline *new, uint8_t number)
{
	const struct region *r = &old->regions.at[number], *q = &new->regions.at[number];
	if (r->end - r->first != q->end - q->first)
		return false;
	for (uint32_t n = 0; n < r->end - r->first; n++)
		if (!is_same_in_region(old, new, number, n))
			return false;
	return true;
}

/* Returns true if q has the same def for each i# and b# that p has a def for and reads. */
static bool has_same_flow_defs(const struct program *p, const struct program *q)
{
	struct register_set const ints = program_reads_all(p, REG_INT, false), bools = program_reads_all(p, REG_BOOL, false);
	for (uint32_t k = 0; k < p->decls.n; k++) {
		const struct decl *d = &p->decls.at[k];
		if ((d->kind != DECL_INT && d->kind != DECL_BOOL) || !register_is_in(d->kind == DECL_INT ? &ints : &bools, d->reg.index))
			continue;
		enum reg_file const file = (enum reg_file)d->reg.file;
		const struct decl *other = program_decl(q, file, d->reg.index), *last = program_decl(p, file, d->reg.index);
		if (!other || memcmp(other->integer, last->integer, sizeof other->integer) != 0)
			return false;
	}
	return true;
}

const char *outline_differs(struct arena *arena, const struct outline *old, const struct outline *new)
{
	if (old->regions.n != new->regions.n || old->reads.n != new->reads.n || old->writes.n != new->writes.n)
		return "their blocks differ";
	if (!has_same_flow_defs(old->given, new->given) || !has_same_flow_defs(new->given, old->given))
		return "their constants for flow control differ";
	for (uint32_t n = 0; n < old->reads.n; n++) {
		const struct region_read *a = &old->reads.at[n], *b = &new->reads.at[n];
		if (a->region != b->region || a->own != b->own || a->row != b->row || (a->instr == NO_INSTR) != (b->instr == NO_INSTR) ||
		    (a->instr == NO_INSTR && a->write != b->write))
			return "they differ in the registers that their blocks read";
	}
	for (uint32_t k = 0; k < old->regions.n; k++)
		if (!is_same_region(old, new, (uint8_t)k))
			return arena_printf(arena, "block number %u differs", (unsigned)k + 1);
	for (uint32_t w = 0; w < old->writes.n; w++)
		if (old->writes.at[w].mask != new->writes.at[w].mask || old->writes.at[w].region != new->writes.at[w].region)
			return "they differ in the lanes that their blocks write";
	return NULL;
}
