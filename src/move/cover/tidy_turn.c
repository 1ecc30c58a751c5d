/* Permutes (turns) the lanes of a result, so that an operand of the instruction that computes it needs no mov to another lane of its register.  For
 * pixel programs of model 2, which have few swizzles.
 *
 *     mov r0.x, r0.w                         mad r3.zw, r0.zxyw, c2.x, c2.y
 *     mad r3.xy, r0, c2.x, c2.y              rcp r3.y, r2.x
 *     rcp r3.z, r2.x                         dp3 r1.x, r3.wzyx, r4
 *     dp3 r1.x, r3, r4
 */
#include "move/cover/webs.h"

#include "lang/check.h"

/* Returns the only instruction that reads the result of mov k, where k copies lanes within one register.  Returns NO_INSTR if there is none, or the
 * lanes that k copies are overwritten before it. */
static uint32_t find_mov_reader(struct tidy *t, uint32_t k)
{
	const struct program *p = t->p;
	const struct instr *mov = &p->instrs.at[k];
	const struct flow *f = tidy_flow(t);
	if (mov->op != OP_MOV || mov->dst.file != REG_TEMP || mov->src[0].file != REG_TEMP || mov->src[0].index != mov->dst.index ||
	    mov->src[0].negate || mov->flags & INSTR_SAT)
		return NO_INSTR;
	uint32_t j = k + 1;
	while (j < p->instrs.n && !flow_is_sole_reader(f, k, j, MAX_SOURCES))
		j++;
	bool const fits = j < p->instrs.n && p->instrs.at[j].dst.file == REG_TEMP && p->instrs.at[j].dst.index != mov->dst.index &&
	                  flow_keeps(p, mov->dst.index, instr_reads(p, mov, 0), k, j);
	return fits ? j : NO_INSTR;
}

/* Returns instruction j, changed to read the source of mov k in the place of its result.  The model may lack the swizzles for that. */
static struct instr read_before(struct tidy *t, uint32_t k, uint32_t j)
{
	const struct instr *mov = &t->p->instrs.at[k];
	struct instr i = t->p->instrs.at[j];
	EACH_SOURCE(s, &i) {
		lanes const read = instr_operand_lanes(t->p, &i, s, instr_writes(&i));
		unsigned from[LANES];
		EACH_LANE(l, read) {
			from[l] = swizzle_lane(i.src[s].swizzle, l);
			if (flow_def(tidy_flow(t), j, s, l) == k)
				from[l] = swizzle_lane(mov->src[0].swizzle, from[l]);
		}
		i.src[s].letters = 0;
		i.src[s].swizzle = swizzle_of_lanes(from, read);
	}
	return i;
}

/* Removes mov k if some permutation of the lanes of the result of its reader j makes j need no mov.  Returns false if none does. */
static bool turn_reader_result(struct tidy *t, uint32_t k, uint32_t j)
{
	int const fresh = tidy_new_web(t), reg = t->p->instrs.at[j].dst.index;
	struct instr const old = t->p->instrs.at[j], direct = read_before(t, k, j);
	struct webs w;
	unsigned map[LANES];
	bool turned = false;
	if (fresh < 0)
		return false;
	webs_begin(&w, t);
	webs_find(&w);
	for (unsigned way = 1; way < TURNS && !turned; way++) {
		if (!lanes_turn(way, w.used[reg], map))
			continue;
		*webs_change(&w, j) = direct;
		turned = webs_embed(&w, reg, fresh, map) && check_instr_alone(t->p, &t->p->instrs.at[j]) <= check_instr_alone(t->p, &old);
		if (!turned)
			webs_undo(&w, 0);
	}
	if (!turned) {
		t->fresh = fresh;
		return false;
	}
	tidy_remove(t, k);
	webs_keep(&w);
	return true;
}

bool tidy_turned(struct tidy *t)
{
	if (models[t->p->model].any_swizzle || program_stage(t->p) != STAGE_PIXEL)
		return false;
	for (uint32_t k = 0; k < t->p->instrs.n; k++) {
		uint32_t const j = find_mov_reader(t, k);
		if (j != NO_INSTR && turn_reader_result(t, k, j))
			return true;
	}
	return false;
}
