/* M4, the planning half: which moved lanes the staying instructions read, and
 * which of them ride in one interpolator.
 *
 * An operand names one register, so all the lanes it reads must come from one
 * t#: those it needs of a moved value share a bundle, lane by lane where they
 * are.  Lanes of the same FP register that agree are merged into one bundle.
 * An operand with moved and staying lanes cannot be fed at all, nor can an
 * instruction that would read two different t#: then the latest of the moves
 * involved is not made.  Nor is one that makes an exact number by which is decided. */
#include "move/paper/paper.h"

/* What one staying instruction needs of one FP register. */
struct need {
	int temp;
	lanes mask;
	uint32_t def[LANES];
	uint8_t kind;
	uint32_t latest;
};

static bool kinds_agree(const struct rewrite *rw, uint8_t a, uint8_t b)
{
	return kinds_share(a, b) || is_planted(rw->options, PLANT_M4_KIND);
}

/* May no interpolator bring what the staying instruction `k` reads of a moved one? */
static bool is_tied(const struct rewrite *rw, uint32_t k, const struct flow_read *read)
{
	return ties_of_read(&rw->ties, read->def, read->from, k, read->source, read->lane) != NO_TIE &&
	       !rw->options->free_ties && !is_planted(rw->options, PLANT_TIE);
}

/* Fills `need` for operand `s` of instruction `k`; false: a conflict, noted. */
static bool operand_need(struct rewrite *rw, uint32_t k, unsigned s, struct need *need)
{
	const struct flow *ps = rw->ps;
	const struct instr *i = &ps->program->instrs.at[k];
	bool stays = false, clash = false;
	uint32_t latest = UINT32_MAX;
	for (uint32_t r = ps->first[k]; r < ps->first[k + 1]; r++) {
		const struct flow_read *read = &ps->read[r];
		if (read->source != s)
			continue;
		if (read->def >= FLOW_INPUT || !rw->moves[read->def]) {
			stays = true;
			continue;
		}
		if (latest == UINT32_MAX || read->def > latest)
			latest = read->def;
		if (is_tied(rw, k, read))
			return rewrite_fails(rw, MOVE_TIE, read->def, k);
		struct paper_value value = rw->values[read->def][read->from];
		if (value.what == PAPER_INPUT) {
			clash |= !kinds_agree(rw, need->kind, value.kind);
			need->kind = value.kind;
		}
		need->mask |= (lanes)(1u << read->from);
		need->def[read->from] = read->def;
	}
	if (latest == UINT32_MAX)
		return true;
	if (i->op == OP_TEXKILL && model_links(ps->program->model)) /* some readers of shaders refuse texkill of a v# */
		return rewrite_fails(rw, MOVE_REMADE, latest, k);
	need->temp = i->src[s].index;
	need->latest = latest;
	if (stays || instr_rows(i, s) > 1)
		return rewrite_fails(rw, MOVE_MIXED, latest, k);
	if (clash)
		return rewrite_fails(rw, MOVE_KIND, latest, k);
	return true;
}

static bool fits(const struct rewrite *rw, const struct bundle *b, const struct need *need)
{
	if (b->temp != need->temp || !kinds_agree(rw, b->kind, need->kind))
		return false;
	if (is_planted(rw->options, PLANT_M4_STALE))
		return true;
	EACH_LANE(lane, b->mask & need->mask)
		if (b->def[lane] != need->def[lane])
			return false;
	return true;
}

/* The bundle that carries `need`: one that agrees, widened, or a new one. */
static uint32_t bundle_for(struct rewrite *rw, const struct need *need)
{
	uint32_t at = 0;
	while (at < rw->bundles.n && !fits(rw, &rw->bundles.at[at], need))
		at++;
	if (at == rw->bundles.n)
		VEC_PUSH(rw->arena, &rw->bundles) =
			(struct bundle){.temp = need->temp, .kind = KIND_ANY, .texcoord = -1};
	struct bundle *b = &rw->bundles.at[at];
	b->mask |= need->mask;
	if (need->kind != KIND_ANY)
		b->kind = need->kind;
	EACH_LANE(lane, need->mask)
		b->def[lane] = need->def[lane];
	return at;
}

/* Both operands that read one register must ask for one bundle, so their needs are joined first. */
static bool instr_bundles(struct rewrite *rw, uint32_t k)
{
	const struct instr *i = &rw->ps->program->instrs.at[k];
	struct need need[MAX_SOURCES];
	unsigned sources = ops[i->op].sources;
	int direct = -1; /* a t# that the instruction reads already */
	for (unsigned s = 0; s < sources; s++) {
		need[s] = (struct need){.temp = -1, .kind = KIND_ANY};
		if (i->src[s].file == REG_TEXCOORD)
			direct = i->src[s].index;
		if (i->src[s].file == REG_TEMP && !operand_need(rw, k, s, &need[s]))
			return false;
	}
	int carrier = -1; /* the one bundle it reads */
	uint32_t latest = 0;
	for (unsigned s = 0; s < sources; s++) {
		if (need[s].temp < 0)
			continue;
		struct need joined = need[s];
		for (unsigned other = 0; other < sources; other++) {
			if (need[other].temp >= 0 && need[other].latest > latest)
				latest = need[other].latest;
			if (other == s || need[other].temp != joined.temp)
				continue;
			if (!kinds_agree(rw, joined.kind, need[other].kind))
				return rewrite_fails(rw, MOVE_KIND, latest, k);
			if (joined.kind == KIND_ANY)
				joined.kind = need[other].kind;
			joined.mask |= need[other].mask;
			EACH_LANE(lane, need[other].mask)
				joined.def[lane] = need[other].def[lane];
		}
		int at = (int)bundle_for(rw, &joined);
		if (direct >= 0 || (carrier >= 0 && carrier != at))
			return rewrite_fails(rw, MOVE_MIXED, latest, k);
		carrier = at;
		rw->bundle_of[k][s] = (int16_t)at;
	}
	return true;
}

bool bundle_find(struct rewrite *rw)
{
	rw->bundles.n = 0;
	for (uint32_t k = 0; k < rw->ps->program->instrs.n; k++) {
		for (unsigned s = 0; s < MAX_SOURCES; s++)
			rw->bundle_of[k][s] = -1;
		if (!rw->moves[k] && !instr_bundles(rw, k))
			return false;
	}
	return true;
}
