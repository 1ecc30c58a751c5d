/* Computes instructions of regions before their region, see hoist.h. */
#include "lang/hoist.h"

/* Says for a lane of a temporary, at one point of a region, whose value it holds: that from before the region, that of instruction k
 * (OF_INSTR + k), or one of several. */
enum { UNREACHED, OUTSIDE, SEVERAL, OF_INSTR };

struct holds {
	uint32_t lane[MODEL_TEMPS][LANES];
};

struct hoister {
	struct arena *arena;
	const struct program *p;
	const uint32_t *partner;
	const struct region *region;
	lanes (*live)[MODEL_TEMPS];        /* before each instruction, and at the end: lanes that may be read */
	lanes written[MODEL_TEMPS];        /* before the region, by anything */
	struct holds *holds;               /* of the region, before each instruction and at its end */
	bool *wanted;                      /* of the program: instructions that may still be hoisted */
	uint32_t *web;                     /* of each of these: one that has a reader in common with it, directly or by others */
	int *temp;                         /* of each of these that stands for a web: its temporary; -1: none yet */
};

/* The new program while it grows; fields as of struct hoisted. */
struct output {
	struct program *program;
	struct { VEC(uint32_t); } origin;
	struct { VEC(bool); } moved;
	uint32_t n;
};

/* ---- what is live ----------------------------------------------------------------------------- */

/* Returns the lanes of a temporary that operand s may read: of a coordinate all, as a depth may be compared with one. */
static lanes may_read(const struct program *p, const struct instr *i, unsigned s)
{
	return instr_samples(i) ? MASK_XYZW : instr_reads(p, i, s);
}

/* Finds what is live before instruction k; returns whether that is more than was known. */
static bool live_before(struct hoister *h, uint32_t k)
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
			live[i->src[s].index] |= may_read(h->p, i, s);
	bool const news = memcmp(live, h->live[k], sizeof live) != 0;
	memcpy(h->live[k], live, sizeof live);
	return news;
}

static void find_live(struct hoister *h)
{
	uint32_t const n = h->p->instrs.n;
	h->live = arena_zero(h->arena, (n + 1) * sizeof *h->live);
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = n; k-- > 0;)
			news |= live_before(h, k);
	}
}

/* ---- what a lane holds ------------------------------------------------------------------------ */

static void refuse(struct hoister *h, uint32_t held)
{
	if (held >= OF_INSTR)
		h->wanted[held - OF_INSTR] = false;
}

/* Brings what lanes hold behind one instruction to another one, `at`. */
static bool join(struct hoister *h, struct holds *to, const struct holds *from, uint32_t at)
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
				refuse(h, was);
				refuse(h, comes);
			}
		}
	return news;
}

static void find_holds(struct hoister *h)
{
	const struct region *r = h->region;
	h->holds = arena_zero(h->arena, (r->end - r->first + 1) * sizeof *h->holds);
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		for (unsigned l = 0; l < LANES; l++)
			h->holds[0].lane[t][l] = OUTSIDE;
	for (bool news = true; news;) {
		news = false;
		for (uint32_t k = r->first; k < r->end; k++) {
			const struct instr *i = &h->p->instrs.at[k];
			struct holds after = h->holds[k - r->first];
			if (after.lane[0][0] == UNREACHED)
				continue;
			lanes const writes = i->dst.file == REG_TEMP ? instr_writes(i) : 0;
			EACH_LANE(l, writes) {
				uint32_t *const held = &after.lane[i->dst.index][l];
				if (i->predicate)
					refuse(h, *held);
				*held = i->predicate ? SEVERAL : OF_INSTR + k;
			}
			uint32_t next[BLOCK_SUCCESSORS];
			blocks_next(h->p, h->partner, k, next);
			for (unsigned n = 0; n < BLOCK_SUCCESSORS; n++)
				if (next[n] != NO_INSTR)
					news |= join(h, &h->holds[next[n] - r->first], &after, next[n]);
		}
	}
}

/* ---- what can be hoisted ---------------------------------------------------------------------- */

/* Returns whether an instruction only computes a temporary, from registers that it names. */
static bool computes(const struct instr *i)
{
	bool good = instr_writes(i) && i->dst.file == REG_TEMP && !i->dst.relative && !instr_flows(i) && !instr_acts(i) &&
	            !(ops[i->op].flags & OPF_TEX) && i->op != OP_SGN && i->op != OP_SETP && i->op != OP_DSX && i->op != OP_DSY;
	EACH_SOURCE(s, i)
		good &= !i->src[s].relative && instr_rows(i, s) == 1 && i->src[s].file != REG_PREDICATE;
	return good;
}

static uint32_t web_of(struct hoister *h, uint32_t k)
{
	while (h->web[k] != k)
		k = h->web[k] = h->web[h->web[k]];
	return k;
}

/* Returns the lanes of its register that operand s reads there; of a coordinate .z, too, if anything wrote that. */
static lanes reads_there(const struct hoister *h, uint32_t k, unsigned s)
{
	const struct instr *i = &h->p->instrs.at[k];
	lanes reads = instr_reads(h->p, i, s);
	if (s == 0 && instr_samples(i)) {
		unsigned const z = swizzle_lane(i->src[s].swizzle, LANE_Z), reg = (unsigned)i->src[s].index;
		bool const there = h->holds[k - h->region->first].lane[reg][z] != OUTSIDE || h->written[reg] >> z & 1;
		reads |= there ? (lanes)(1u << z) : 0;
	}
	return reads;
}

/* Takes operand s into account: what it reads is hoisted as a whole or not at all.  Returns whether it is; *outside: all of it is from
 * before the region. */
static bool read_is_hoisted(struct hoister *h, uint32_t k, unsigned s, bool *outside)
{
	const struct src *src = &h->p->instrs.at[k].src[s];
	const uint32_t *held = h->holds[k - h->region->first].lane[src->index];
	bool all = true;
	lanes const reads = reads_there(h, k, s);
	*outside = true;
	EACH_LANE(l, reads) {
		*outside &= held[l] == OUTSIDE;
		all &= held[l] >= OF_INSTR && h->wanted[held[l] - OF_INSTR];
	}
	uint32_t first = NO_INSTR;
	EACH_LANE(l, reads) {
		if (!all)
			refuse(h, held[l]);
		else if (first == NO_INSTR)
			first = web_of(h, held[l] - OF_INSTR);
		else
			h->web[web_of(h, held[l] - OF_INSTR)] = first;
	}
	return all && reads;
}

/* Refuses webs in which two instructions write one lane, and those of which one instruction is refused. */
static void refuse_webs(struct hoister *h)
{
	const struct region *r = h->region;
	lanes *masks = arena_zero(h->arena, r->end - r->first);
	bool *bad = arena_zero(h->arena, r->end - r->first);
	for (uint32_t k = r->first; k < r->end; k++) {
		uint32_t const web = web_of(h, k) - r->first;
		lanes const mask = instr_writes(&h->p->instrs.at[k]);
		bad[web] |= !h->wanted[k] || masks[web] & mask;
		masks[web] |= mask;
	}
	for (uint32_t k = r->first; k < r->end; k++)
		h->wanted[k] &= !bad[web_of(h, k) - r->first];
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
		h->wanted[k] &= computes(&h->p->instrs.at[k]);
		h->web[k] = k;
	}
	find_holds(h);
	for (unsigned t = 0; t < MODEL_TEMPS; t++)
		EACH_LANE(l, h->live[r->end][t])
			refuse(h, h->holds[r->end - r->first].lane[t][l]);
	for (unsigned before = count_wanted(h) + 1; count_wanted(h) < before;) {
		before = count_wanted(h);
		for (uint32_t k = r->first; k < r->end; k++)
			EACH_SOURCE(s, &h->p->instrs.at[k])
				if (h->p->instrs.at[k].src[s].file == REG_TEMP) {
					bool outside;
					bool const hoisted = read_is_hoisted(h, k, s, &outside);
					h->wanted[k] &= hoisted || outside;
				}
		refuse_webs(h);
	}
}

/* ---- the program that comes of it ------------------------------------------------------------- */

/* Finds the last reader of each web, by the web: its place where the hoisted instructions stand before all others. */
static uint32_t *find_last_readers(struct hoister *h)
{
	const struct region *r = h->region;
	uint32_t *last = arena_zero(h->arena, (r->end + 1) * sizeof *last);
	for (uint32_t k = r->first; k < r->end; k++) {
		const struct instr *i = &h->p->instrs.at[k];
		uint32_t const here = h->wanted[k] ? k : r->end + k;
		EACH_SOURCE(s, i) {
			lanes const reads = i->src[s].file == REG_TEMP ? reads_there(h, k, s) : 0;
			EACH_LANE(l, reads) {
				uint32_t const held = h->holds[k - r->first].lane[i->src[s].index][l];
				if (held < OF_INSTR || !h->wanted[held - OF_INSTR])
					continue;
				uint32_t *to = &last[web_of(h, held - OF_INSTR)];
				*to = here > *to ? here : *to;
			}
		}
	}
	return last;
}

/* Finds temporaries that hold nothing at the region and that it does not name, a bit for each. */
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

/* Returns the last of some temporaries that is free from instruction k on; -1: none is. */
static int last_free(uint32_t of, const uint32_t until[MODEL_TEMPS], uint32_t k)
{
	int t = MODEL_TEMPS - 1;
	while (t >= 0 && (!(of >> t & 1) || until[t] > k))
		t--;
	return t;
}

/* Gives each web a temporary from its first instruction to its last reader; rather one that nothing was written to, whose .z is
 * no depth then.  Returns an instruction of the first web that gets none; NO_INSTR: all got one. */
static uint32_t place(struct hoister *h)
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
		uint32_t const web = web_of(h, k);
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

/* Returns an instruction of the region as it reads, and writes, what is hoisted. */
static struct instr rewritten(struct hoister *h, uint32_t k)
{
	struct instr i = h->p->instrs.at[k];
	EACH_SOURCE(s, &i) {
		bool outside;
		if (i.src[s].file != REG_TEMP || !read_is_hoisted(h, k, s, &outside))
			continue;
		unsigned const lane = first_lane(reads_there(h, k, s));
		i.src[s].index = (int16_t)h->temp[web_of(h, h->holds[k - h->region->first].lane[i.src[s].index][lane] - OF_INSTR)];
	}
	if (h->wanted[k])
		i.dst.index = (int16_t)h->temp[web_of(h, k)];
	return i;
}

/* Puts the instructions of the region that are hoisted, or all others, behind those that the new program has. */
static void put(struct hoister *h, struct output *to, bool hoisted)
{
	for (uint32_t k = h->region->first; k < h->region->end; k++) {
		if (h->wanted[k] != hoisted)
			continue;
		VEC_PUSH(h->arena, &to->program->instrs) = rewritten(h, k);
		VEC_PUSH(h->arena, &to->origin) = k;
		VEC_PUSH(h->arena, &to->moved) = hoisted;
		to->n += hoisted;
	}
}

static void hoist_region(struct hoister *h, struct output *to)
{
	find_hoistable(h);
	for (uint32_t without = place(h); without != NO_INSTR; without = place(h)) {
		h->wanted[without] = false;
		find_hoistable(h);
	}
	put(h, to, true);
	put(h, to, false);
}

static void note_written(struct hoister *h, uint32_t first, uint32_t end)
{
	for (uint32_t k = first; k < end; k++)
		if (instr_writes(&h->p->instrs.at[k]) && h->p->instrs.at[k].dst.file == REG_TEMP)
			h->written[h->p->instrs.at[k].dst.index] |= instr_writes(&h->p->instrs.at[k]);
}

/* Returns whether a program has subroutines or operands of several registers, which this file does not follow. */
static bool is_beyond(const struct program *p)
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

/* Finds the regions and what is live.  False: there are none that this file follows. */
static bool begin(struct hoister *h, const bool *only, struct regions *regions)
{
	uint32_t at, n = h->p->instrs.n;
	if (is_beyond(h->p) || blocks_partners(h->arena, h->p, &h->partner, &at))
		return false;
	regions_find(h->arena, h->p, h->partner, regions);
	h->wanted = arena_alloc(h->arena, n + 1);
	h->web = arena_alloc(h->arena, (n + 1) * sizeof *h->web);
	h->temp = arena_alloc(h->arena, (n + 1) * sizeof *h->temp);
	for (uint32_t k = 0; k < n; k++)
		h->wanted[k] = !only || only[k];
	find_live(h);
	return regions->n > 0;
}

const bool *hoist_find(struct arena *arena, const struct program *p)
{
	struct hoister h = {.arena = arena, .p = p};
	struct regions regions = {0};
	bool *all = arena_zero(arena, p->instrs.n + 1);
	uint32_t done = 0;
	for (uint32_t r = 0, n = begin(&h, NULL, &regions) ? regions.n : 0; r < n; r++) {
		h.region = &regions.at[r];
		note_written(&h, done, h.region->first);
		find_hoistable(&h);
		note_written(&h, h.region->first, h.region->end);
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
	if (!begin(&h, only, &regions))
		return;
	uint32_t done = 0;
	for (uint32_t r = 0; r <= regions.n; r++) {
		uint32_t const first = r < regions.n ? regions.at[r].first : n;
		for (uint32_t k = done; k < first; k++) {
			VEC_PUSH(arena, &to.program->instrs) = p->instrs.at[k];
			VEC_PUSH(arena, &to.origin) = k;
			VEC_PUSH(arena, &to.moved) = false;
		}
		note_written(&h, done, first);
		if (r == regions.n)
			break;
		h.region = &regions.at[r];
		hoist_region(&h, &to);
		done = regions.at[r].end;
		note_written(&h, first, done);
	}
	if (to.n)
		*out = (struct hoisted){to.program, to.origin.at, to.moved.at, to.n};
}
