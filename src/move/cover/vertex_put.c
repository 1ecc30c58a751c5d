/* Writes instructions of the VP, or counts them for vertex_estimate.c. */
#include "move/cover/vertex.h"

/* Returns the index of the bit of the slot with this hash; a slot that has none yet gets one.  Returns -1 if no bit is left. */
static int bit_of(struct named_slots *names, uint64_t slot)
{
	unsigned k = slot % NAMED_SLOTS;
	while (names->slot[k] && names->slot[k] != slot)
		k = (k + 1) % NAMED_SLOTS;
	if (!names->slot[k] && names->n == NAMED_SLOTS / 4 * 3)
		return -1;
	names->n += !names->slot[k];
	names->slot[k] = slot;
	return (int)k;
}

static void count_instr(struct vertex_writer *w, const struct instr *i)
{
	unsigned const slots = instr_slots(i, w->old->model);
	uint64_t const name = hash_word(hash_word(0, w->name.of), w->name.part++);
	for (unsigned n = 0; n < slots; n++) {
		int const bit = w->name.of ? bit_of(w->tally->names, hash_word(name, n + 1) | 1) : -1;
		if (bit < 0)
			w->tally->own++;
		else
			w->tally->named[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

static void append_instr(struct vertex_writer *w, const struct instr *i)
{
	if (w->tally)
		count_instr(w, i);
	else
		VEC_PUSH(w->values->arena, &w->new->instrs) = *i;
}

void vertex_put(struct vertex_writer *w, const struct instr *instr, enum reg_file file, int index, lanes mask)
{
	struct instr i = *instr;
	w->failed |= w->new->instrs.n > w->most;
	i.at = SRCPOS_NONE;
	i.dst = dst_lanes(file, index, mask);
	/* Only one c# and one v# may be read by an instruction: copy a second one to a temporary. */
	for (unsigned s = 1; s < ops[i.op].sources; s++) {
		bool clash = false;
		for (unsigned o = 0; o < s; o++)
			clash |= (i.src[s].file == REG_CONST || i.src[s].file == REG_INPUT) && i.src[o].file == i.src[s].file &&
			         i.src[o].index != i.src[s].index;
		if (!clash)
			continue;
		struct instr mov = {.op = OP_MOV, .at = SRCPOS_NONE};
		lanes read = instr_operand_lanes(w->new, &i, s, mask);
		int temp = w->next_temp++;
		mov.src[0] = i.src[s];
		mov.src[0].negate = false;
		mov.dst = dst_lanes(REG_TEMP, temp, read);
		append_instr(w, &mov);
		i.src[s].file = REG_TEMP;
		i.src[s].index = (int16_t)temp;
		i.src[s].swizzle = ops[i.op].shape == SHAPE_SCALAR ? swizzle_replicate(LANE_X) : SWIZZLE_XYZW;
	}
	append_instr(w, &i);
}
