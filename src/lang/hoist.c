/* Moves instructions of regions in front of their region, see hoist.h. */
#include "lang/hoist.h"

/* The def of the value in a lane of a temporary, at one point of a region: none in the region (OUTSIDE), instruction k (OF_INSTR + k), or
 * one of several, or one under a predicate (SEVERAL).  UNREACHED if no path to this point was found yet. */
enum { UNREACHED, OUTSIDE, SEVERAL, OF_INSTR };

struct held_values {
	uint32_t lane[MODEL_TEMPS][LANES];
};

struct hoister {
	struct arena *arena;
	const struct program *p;
	const uint32_t *partner;
	const struct region *region;
	lanes (*live)[MODEL_TEMPS];        /* live lanes before each instruction and at the end of the program */
	lanes written[MODEL_TEMPS];        /* lanes that any instruction before the region writes */
	struct held_values *held;          /* reaching defs before each instruction of the region, and at its end */
	bool *wanted;                      /* for each instruction of the program: true if no reason against hoisting it was found so far */
	uint32_t *web;                     /* union-find parent of each instruction; a web: wanted instructions whose results share a reader */
	int *temp;                         /* for the root of each web: its temporary, or -1 if it has none yet */
};

/* The new program while it grows; the fields are as in struct hoisted. */
struct output {
	struct program *program;
	struct { VEC(uint32_t); } origin;
	struct { VEC(bool); } moved;
	uint32_t n;
};

/* ---- liveness --------------------------------------------------------------------------------- */

/* Returns the register lanes that operand s may read: all lanes for a texture read, as the coordinate's .z may be compared with a depth. */
static lanes may_read_lanes(const struct program *p, const struct instr *i, unsigned s)
{
	return instr_samples(i) ? MASK_XYZW : instr_reads(p, i, s);
}

/* Updates the live lanes before instruction k from those of its successors.  Returns true if they changed. */
static bool update_live(struct hoister *h, uint32_t k)
{
	const struct instr *i = &h->p->instrs.at[k];
	lanes live[MODEL_TEMPS] = {0};
	uint32_t next[BLOCK_SUCCESSORS];
	blocks_next(h->p, h->partner, k, next);
	for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
		for (unsigned r = 0; r < MODEL_TEMPS && next[n] != NO_INSTR; r++)
			live[r] |= h->live[next[n]][r];
	if (instr_writes(i) && i->dst.file == REG_TEMP && !i->predicate)
		live[i->dst.index] &= (lanes)~instr_writes(i);
	EACH_SOURCE(s, i)
		if (i->src[s].file == REG_TEMP)
			live[i->src[s].index] |= may_read_lanes(h->p, i, s);
	bool const news = memcmp(live, h->live[k], sizeof live) != 0;
	memcpy(h->live[k], live, sizeof live);
	return news;
}

static void find_live_temps(struct hoister *h)
{
	uint32_t const n = h->p->instrs.n;
	h->live = arena_zero(h->arena, (n + 1) * sizeof *h->live);
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = n; k-- > 0;)
			news |= update_live(h, k);
	}
}

/* ---- origins of values ------------------------------------------------------------------------ */

static void refuse_to_hoist(struct hoister *h, uint32_t held)
{
	if (held >= OF_INSTR)
		h->wanted[held - OF_INSTR] = false;
}

/* Merges the reaching defs behind one instruction into `to`, those before its successor `at`.  If several defs reach a live lane there,
 * refuses to hoist them.  Returns true if `to` changed. */
static bool merge_held(struct hoister *h, struct held_values *to, const struct held_values *from, uint32_t at)
{
	bool news = false;
	for (unsigned r = 0; r < MODEL_TEMPS; r++)
		for (unsigned l = 0; l < LANES; l++) {
			uint32_t *const held = &to->lane[r][l];
			uint32_t const comes = from->lane[r][l], was = *held;
			if (comes == UNREACHED || comes == was)
				continue;
			*held = was == UNREACHED ? comes : SEVERAL;
			news |= *held != was;
			if (*held == SEVERAL && h->live[at][r] >> l & 1) {
				refuse_to_hoist(h, was);
				refuse_to_hoist(h, comes);
			}
		}
	return news;
}

static void find_held_values(struct hoister *h)
{
	const struct region *r = h->region;
	h->held = arena_zero(h->arena, (r->end - r->first + 1) * sizeof *h->held);
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		for (unsigned l = 0; l < LANES; l++)
			h->held[0].lane[t][l] = OUTSIDE;
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = r->first; k < r->end; k++) {
			const struct instr *i = &h->p->instrs.at[k];
			struct held_values after = h->held[k - r->first];
			if (after.lane[0][0] == UNREACHED)
				continue;
			lanes const writes = i->dst.file == REG_TEMP ? instr_writes(i) : 0;
			EACH_LANE(l, writes) {
				uint32_t *const held = &after.lane[i->dst.index][l];
				if (i->predicate)
					refuse_to_hoist(h, *held);
				*held = i->predicate ? SEVERAL : OF_INSTR + k;
			}
			uint32_t next[BLOCK_SUCCESSORS];
			blocks_next(h->p, h->partner, k, next);
			for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
				if (next[n] != NO_INSTR)
					news |= merge_held(h, &h->held[next[n] - r->first], &after, next[n]);
		}
	}
}

/* ---- instructions to hoist -------------------------------------------------------------------- */

/* Returns true if an instruction only computes a temporary from registers that it names, other than p0.  Returns false for flow control,
 * predicated instructions, texture reads, dsx, dsy, sgn, and matrices. */
static bool only_computes_temp(const struct instr *i)
{
	bool good = instr_writes(i) && i->dst.file == REG_TEMP && !i->dst.relative && !instr_flows(i) && !instr_acts(i) &&
	            !(ops[i->op].flags & OPF_TEX) && i->op != OP_SGN && i->op != OP_SETP && i->op != OP_DSX && i->op != OP_DSY;
	EACH_SOURCE(s, i)
		good &= !i->src[s].relative && instr_rows(i, s) == 1 && i->src[s].file != REG_PREDICATE;
	return good;
}

static uint32_t hoist_web_of(struct hoister *h, uint32_t k)
{
	while (h->web[k] != k)
		k = h->web[k] = h->web[h->web[k]];
	return k;
}

/* Returns the register lanes that operand s of instruction k reads, with .z of a texture coordinate if an instruction wrote that lane. */
static lanes region_operand_reads(const struct hoister *h, uint32_t k, unsigned s)
{
	const struct instr *i = &h->p->instrs.at[k];
	lanes reads = instr_reads(h->p, i, s);
	if (s == 0 && instr_samples(i)) {
		unsigned const z = swizzle_lane(i->src[s].swizzle, LANE_Z), reg = (unsigned)i->src[s].index;
		bool const there = h->held[k - h->region->first].lane[reg][z] != OUTSIDE || h->written[reg] >> z & 1;
		reads |= there ? (lanes)(1u << z) : 0;
	}
	return reads;
}

/* If hoistable instructions write all lanes that operand s reads, joins their webs and returns true.  Otherwise refuses to hoist the
 * instructions of the region that write any of the lanes, and returns false.  Sets *outside to true if the region writes none of the lanes. */
static bool read_is_hoisted(struct hoister *h, uint32_t k, unsigned s, bool *outside)
{
	const struct src *src = &h->p->instrs.at[k].src[s];
	const uint32_t *held = h->held[k - h->region->first].lane[src->index];
	bool all = true;
	lanes const reads = region_operand_reads(h, k, s);
	*outside = true;
	EACH_LANE(l, reads) {
		*outside &= held[l] == OUTSIDE;
		all &= held[l] >= OF_INSTR && h->wanted[held[l] - OF_INSTR];
	}
	uint32_t first = NO_INSTR;
	EACH_LANE(l, reads) {
		if (!all)
			refuse_to_hoist(h, held[l]);
		else if (first == NO_INSTR)
			first = hoist_web_of(h, held[l] - OF_INSTR);
		else
			h->web[hoist_web_of(h, held[l] - OF_INSTR)] = first;
	}
	return all && reads;
}

/* Refuses to hoist each web (instructions whose results share a reader) in which two instructions write the same lane or one is refused. */
static void refuse_bad_webs(struct hoister *h)
{
	const struct region *r = h->region;
	lanes *masks = arena_zero(h->arena, r->end - r->first);
	bool *bad = arena_zero(h->arena, r->end - r->first);
	for (uint32_t k = r->first; k < r->end; k++) {
		uint32_t const web = hoist_web_of(h, k) - r->first;
		lanes const mask = instr_writes(&h->p->instrs.at[k]);
		bad[web] |= !h->wanted[k] || masks[web] & mask;
		masks[web] |= mask;
	}
	for (uint32_t k = r->first; k < r->end; k++)
		h->wanted[k] &= !bad[hoist_web_of(h, k) - r->first];
}

static unsigned count_wanted(const struct hoister *h)
{
	unsigned n = 0;
	for (uint32_t k = h->region->first; k < h->region->end; k++)
		n += h->wanted[k];
	return n;
}

/* Leaves in `wanted` the instructions of the region that can be hoisted together. */
static void find_hoistable(struct hoister *h)
{
	const struct region *r = h->region;
	for (uint32_t k = r->first; k < r->end; k++) {
		h->wanted[k] &= only_computes_temp(&h->p->instrs.at[k]);
		h->web[k] = k;
	}
	find_held_values(h);
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		EACH_LANE(l, h->live[r->end][t])
			refuse_to_hoist(h, h->held[r->end - r->first].lane[t][l]);
	for (unsigned before = count_wanted(h) + 1; count_wanted(h) < before;) {
		before = count_wanted(h);
		for (uint32_t k = r->first; k < r->end; k++)
			EACH_SOURCE(s, &h->p->instrs.at[k])
				if (h->p->instrs.at[k].src[s].file == REG_TEMP) {
					bool outside;
					bool const hoisted = read_is_hoisted(h, k, s, &outside);
					h->wanted[k] &= hoisted || outside;
				}
		refuse_bad_webs(h);
	}
}

/* ---- the new program -------------------------------------------------------------------------- */

/* Returns, for the root of each web (hoisted instructions whose results share a reader), its last reader: k for a hoisted instruction k,
 * which stands before the rest of the region in the new program, else the region's end + k. */
static uint32_t *find_last_readers(struct hoister *h)
{
	const struct region *r = h->region;
	uint32_t *last = arena_zero(h->arena, (r->end + 1) * sizeof *last);
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &h->p->instrs.at[k];
		uint32_t const here = h->wanted[k] ? k : r->end + k;
		EACH_SOURCE(s, i) {
			lanes const reads = i->src[s].file == REG_TEMP ? region_operand_reads(h, k, s) : 0;
			EACH_LANE(l, reads) {
				uint32_t const held = h->held[k - r->first].lane[i->src[s].index][l];
				if (held < OF_INSTR || !h->wanted[held - OF_INSTR])
					continue;
				uint32_t *to = &last[hoist_web_of(h, held - OF_INSTR)];
				*to = here > *to ? here : *to;
			}
		}
	}
	return last;
}

/* Returns the temporaries that are not live at the region and that it does not name, a bit for each. */
static uint32_t free_temps(const struct hoister *h)
{
	const struct region *r = h->region;
	uint32_t taken = 0;
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		taken |= h->live[r->first][t] | h->live[r->end][t] ? UINT32_C(1) << t : 0;
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &h->p->instrs.at[k];
		if (instr_writes(i) && i->dst.file == REG_TEMP)
			taken |= UINT32_C(1) << i->dst.index;
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_TEMP)
				taken |= UINT32_C(1) << i->src[s].index;
	}
	return ~taken;
}

/* Returns the last temporary among `among` (a bit for each) that is free from instruction k on, or -1 if there is none. */
static int last_free(uint32_t among, const uint32_t until[MODEL_TEMPS], uint32_t k)
{
	int t = MODEL_TEMPS - 1;
	while (t >= 0 && (!(among >> t & 1) || until[t] > k))
		t--;
	return t;
}

/* Gives each web (hoisted instructions whose results share a reader) a temporary from its first instruction to its last reader.  Prefers
 * temporaries that were not written before, since no texture read can compare their .z with a depth.  Returns an instruction of the first
 * web that gets none, or NO_INSTR if all got one. */
static uint32_t allot_web_temps(struct hoister *h)
{
	const struct region *r = h->region;
	uint32_t until[MODEL_TEMPS] = {0};
	uint32_t const unused = free_temps(h);
	uint32_t fresh = unused;
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		fresh &= h->written[t] ? ~(UINT32_C(1) << t) : UINT32_MAX;
	const uint32_t *last = find_last_readers(h);
	for (uint32_t k = r->first; k < r->end; k++)
		h->temp[k] = -1;
	for (uint32_t k = r->first; k < r->end; k++) {
		uint32_t const web = hoist_web_of(h, k);
		if (!h->wanted[k] || h->temp[web] >= 0)
			continue;
		int t = last_free(fresh, until, k);
		t = t < 0 ? last_free(unused, until, k) : t;
		if (t < 0)
			return k;
		h->temp[web] = t;
		until[t] = last[web] > k ? last[web] : k + 1;
	}
	return NO_INSTR;
}

/* Returns instruction k of the region with operands and destination renamed to the temporaries of the webs. */
static struct instr rewrite_hoisted(struct hoister *h, uint32_t k)
{
	struct instr i = h->p->instrs.at[k];
	EACH_SOURCE(s, &i) {
		bool outside;
		if (i.src[s].file != REG_TEMP || !read_is_hoisted(h, k, s, &outside))
			continue;
		unsigned const lane = first_lane(region_operand_reads(h, k, s));
		i.src[s].index = (int16_t)h->temp[hoist_web_of(h, h->held[k - h->region->first].lane[i.src[s].index][lane] - OF_INSTR)];
	}
	if (h->wanted[k])
		i.dst.index = (int16_t)h->temp[hoist_web_of(h, k)];
	return i;
}

/* Appends to the new program the hoisted instructions of the region if `hoisted`, else its other instructions. */
static void append_instrs(struct hoister *h, struct output *to, bool hoisted)
{
	for (uint32_t k = h->region->first; k < h->region->end; k++) {
		if (h->wanted[k] != hoisted)
			continue;
		VEC_PUSH(h->arena, &to->program->instrs) = rewrite_hoisted(h, k);
		VEC_PUSH(h->arena, &to->origin) = k;
		VEC_PUSH(h->arena, &to->moved) = hoisted;
		to->n += hoisted;
	}
}

static void hoist_region(struct hoister *h, struct output *to)
{
	find_hoistable(h);
	for (uint32_t without = allot_web_temps(h); without != NO_INSTR; without = allot_web_temps(h)) {
		h->wanted[without] = false;
		find_hoistable(h);
	}
	append_instrs(h, to, true);
	append_instrs(h, to, false);
}

static void note_written_temps(struct hoister *h, uint32_t first, uint32_t end)
{
	for (uint32_t k = first; k < end; k++)
		if (instr_writes(&h->p->instrs.at[k]) && h->p->instrs.at[k].dst.file == REG_TEMP)
			h->written[h->p->instrs.at[k].dst.index] |= instr_writes(&h->p->instrs.at[k]);
}

/* Returns true if a program has calls, a sgn, or a matrix of temporaries, which this file does not handle. */
static bool has_calls_or_rows(const struct program *p)
{
	bool any = false;
	for (uint32_t k = 0; k < p->instrs.n; k++) {
		const struct instr *i = &p->instrs.at[k];
		any |= i->op == OP_CALL || i->op == OP_CALLNZ || i->op == OP_SGN;
		EACH_SOURCE(s, i)
			any |= i->src[s].file == REG_TEMP && instr_rows(i, s) > 1;
	}
	return any;
}

/* Finds the regions and the live lanes.  Returns false if there are no regions, for has_calls_or_rows(), or if blocks do not nest. */
static bool prepare_hoister(struct hoister *h, const bool *only, struct regions *regions)
{
	uint32_t at, n = h->p->instrs.n;
	if (has_calls_or_rows(h->p) || blocks_partners(h->arena, h->p, &h->partner, &at))
		return false;
	regions_find(h->arena, h->p, h->partner, regions);
	h->wanted = arena_alloc(h->arena, n + 1);
	h->web = arena_alloc(h->arena, (n + 1) * sizeof *h->web);
	h->temp = arena_alloc(h->arena, (n + 1) * sizeof *h->temp);
	for (uint32_t k = 0; k < n; k++)
		h->wanted[k] = !only || only[k];
	find_live_temps(h);
	return regions->n > 0;
}

const bool *hoist_find(struct arena *arena, const struct program *p)
{
	struct hoister h = {.arena = arena, .p = p};
	struct regions regions = {0};
	bool *all = arena_zero(arena, p->instrs.n + 1);
	uint32_t done = 0;
	for (uint32_t r = 0, n = prepare_hoister(&h, NULL, &regions) ? regions.n : 0; r < n; r++) {
		h.region = &regions.at[r];
		note_written_temps(&h, done, h.region->first);
		find_hoistable(&h);
		note_written_temps(&h, h.region->first, h.region->end);
		done = h.region->end;
		memcpy(all + h.region->first, h.wanted + h.region->first, done - h.region->first);
	}
	return all;
}

void hoist(struct arena *arena, const struct program *p, const bool *only, struct hoisted *out)
{
	struct hoister h = {.arena = arena, .p = p};
	struct output to = {.program = program_head(arena, p)};
	struct regions regions = {0};
	uint32_t const n = p->instrs.n;
	*out = (struct hoisted){.program = p};
	if (!prepare_hoister(&h, only, &regions))
		return;
	uint32_t done = 0;
	for (uint32_t r = 0; r <= regions.n; r++) {
		uint32_t const first = r < regions.n ? regions.at[r].first : n;
		for (uint32_t k = done; k < first; k++) {
			VEC_PUSH(arena, &to.program->instrs) = p->instrs.at[k];
			VEC_PUSH(arena, &to.origin) = k;
			VEC_PUSH(arena, &to.moved) = false;
		}
		note_written_temps(&h, done, first);
		if (r == regions.n)
			break;
		h.region = &regions.at[r];
		hoist_region(&h, &to);
		done = regions.at[r].end;
		note_written_temps(&h, first, done);
	}
	if (to.n)
		*out = (struct hoisted){.program = to.program, .origin = to.origin.at, .moved = to.moved.at, .n = to.n};
}
