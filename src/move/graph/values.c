/* Keeps the table of values, see values.h.  Equal constants and affine values are one entry; each pixel value is an entry of its own. */
#include "move/graph/values_inside.h"

#include <string.h>

static uint32_t slot_of(const struct values *v, struct fingerprint f)
{
	return (uint32_t)fingerprint_mix((uint64_t)f.a << 32 | f.b) & (v->table->size - 1);
}

value_id value_find(const struct values *v, struct fingerprint f, uint8_t class, uint8_t kind)
{
	for (uint32_t i = slot_of(v, f); v->table->slot[i] != NO_VALUE; i = (i + 1) & (v->table->size - 1)) {
		const struct value *x = value_at(v, v->table->slot[i]);
		if (x->print.a == f.a && x->print.b == f.b && x->class == class && x->kind == kind)
			return v->table->slot[i];
	}
	return NO_VALUE;
}

static void insert(struct values *v, value_id id)
{
	uint32_t i = slot_of(v, value_at(v, id)->print);
	while (v->table->slot[i] != NO_VALUE)
		i = (i + 1) & (v->table->size - 1);
	v->table->slot[i] = id;
}

void value_grow_table(struct values *v)
{
	if (v->table->slot && v->all.n * 2 < v->table->size)
		return;
	v->table->size = v->table->slot ? v->table->size * 2 : 256;
	v->table->slot = arena_alloc(v->arena, v->table->size * sizeof *v->table->slot);
	memset(v->table->slot, 0xff, v->table->size * sizeof *v->table->slot);
	for (uint32_t id = 0; id < v->all.n; id++)
		if (value_at(v, id)->class != VALUE_PIXEL)
			insert(v, id);
}

value_id value_add(struct values *v, const struct value *x)
{
	value_grow_table(v);
	VEC_PUSH(v->arena, &v->all) = *x;
	insert(v, v->all.n - 1);
	return v->all.n - 1;
}

value_id value_new_pixel(struct values *v)
{
	struct value *x = &VEC_PUSH(v->arena, &v->all);
	x->class = VALUE_PIXEL;
	x->constant = NO_VALUE;
	return v->all.n - 1;
}

lanes operand_reads(const struct values *v, struct operand o, uint32_t def)
{
	const struct use *u = &v->use[o.at][o.s];
	lanes reads = 0;
	EACH_LANE(p, u->read)
		if (u->def[p] == (int32_t)def)
			reads |= (lanes)(1u << p);
	return reads;
}

bool next_reader(const struct values *v, uint32_t def, struct operand *o)
{
	for (; o->at < v->ps->instrs.n; o->at++, o->s = 0)
		for (; o->s < ops[v->ps->instrs.at[o->at].op].sources; o->s++)
			if (operand_reads(v, *o, def))
				return true;
	return false;
}

bool is_sole_reader(const struct values *v, uint32_t def, struct operand reader)
{
	bool sole = true;
	for (struct operand o = {def + 1, 0}; sole && next_reader(v, def, &o); o.s++)
		sole = o.at == reader.at && o.s == reader.s;
	return sole;
}
