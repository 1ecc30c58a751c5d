/* Writes alternatives of the given instructions, see rules.h.  requires: values of checked programs; builds: programs to plan, which
 * cannot run as they are. */
#include "move/rules/rules.h"

#include "lang/history.h"
#include "move/graph/registers.h"

#include <string.h>

static const struct rule {
	struct rewrite_info info;
	int level;
	bool varying;
	void (*write)(struct rewriting *);
} rules[] = {
#define RULE(function, name, tag, level, varying, what) {{name, tag, what}, level, varying, rule_##function},
#define VARIANT(id, function, name, tag, what)
#include "move/rules/rules.def"
};
const struct rewrite_info variants[VARIANTS] = {
#define RULE(function, name, tag, level, varying, what)
#define VARIANT(id, function, name, tag, what) [id] = {name, tag, what},
#include "move/rules/rules.def"
};
enum { RULES = sizeof rules / sizeof *rules, MOST_PASSES = 6 };

/* Returns true if `names` is this name, or a list that begins with it. */
static bool is_first(const char *names, const char *name)
{
	size_t const n = strlen(name);
	return strncmp(names, name, n) == 0 && (names[n] == '\0' || names[n] == ',');
}

const struct rewrite_info *rule_named(const char *name)
{
	for (unsigned k = 0; k < RULES; k++)
		if (is_first(name, rules[k].info.name))
			return &rules[k].info;
	for (unsigned k = 0; k < VARIANTS; k++)
		if (is_first(name, variants[k].name))
			return &variants[k];
	return NULL;
}

static bool is_rule_used(const struct rule *rule, const struct group *g)
{
	return g->options->level >= rule->level && (rule->varying || !g->options->target.varying);
}

/* ---- the instruction for which another stands ------------------------------------------------- */

struct program *program_numbered(struct arena *arena, const struct program *p)
{
	struct program *new = program_copy(arena, p);
	for (uint32_t k = 0; k < new->instrs.n; k++)
		new->instrs.at[k].at = k;
	return new;
}

void program_trace(struct program *new, const struct program *from)
{
	for (uint32_t k = 0; k < new->instrs.n; k++)
		if (new->instrs.at[k].at != SRCPOS_NONE)
			new->instrs.at[k].at = from->instrs.at[new->instrs.at[k].at].at;
}

/* ---- the program as rules see it ------------------------------------------------------------ */

/* Finds the registers that are read although no instruction wrote them.  In the program `apart` only these still have their old numbers. */
static void find_unwritten(const struct program *apart, bool unwritten[VIRTUAL_REGS])
{
	for (uint32_t k = 0; k < apart->instrs.n; k++)
		EACH_SOURCE(s, &apart->instrs.at[k]) {
			const struct src *src = &apart->instrs.at[k].src[s];
			if (src->file == REG_TEMP && src->index < VIRTUAL_REGS)
				unwritten[src->index] = true;
		}
}

/* Gives each web (definitions that share a reader, with these readers) a register of its own, so that no value is overwritten before a root reads
 * it.  Changes nothing if a web has to keep its register. */
static void separate_webs(struct rewriting *w)
{
	struct program *apart = program_copy(w->arena, w->ps);
	int16_t reg[MOST_REGS], webs = 0;
	bool unwritten[VIRTUAL_REGS + 1] = {false};
	memset(reg, 0xff, sizeof reg);
	if (!regs_separate(w->arena, apart))
		return;
	find_unwritten(apart, unwritten);
	for (uint32_t k = 0; k < apart->instrs.n; k++) {
		struct instr *i = &apart->instrs.at[k];
		EACH_SOURCE(s, i)
			if (i->src[s].file == REG_TEMP && reg[i->src[s].index] >= 0)
				i->src[s].index = reg[i->src[s].index];
		if (!instr_writes(i) || i->dst.file != REG_TEMP)
			continue;
		if (i->dst.index < VIRTUAL_REGS)
			return;
		while (unwritten[webs])
			webs++;
		if (reg[i->dst.index] < 0)
			reg[i->dst.index] = webs < VIRTUAL_REGS ? webs++ : (int16_t)w->next_temp++;
		i->dst.index = reg[i->dst.index];
	}
	w->ps = apart;
}

static void count_operand_readers(struct rewriting *w)
{
	w->readers = arena_zero(w->arena, (w->ps->instrs.n + 1) * sizeof *w->readers);
	for (uint32_t k = 0; k < w->ps->instrs.n; k++)
		EACH_SOURCE(s, &w->ps->instrs.at[k]) {
			const struct use *u = &w->values->use[k][s];
			for (unsigned p = 0; p < LANES; p++) {
				bool first = u->read >> p & 1 && u->def[p] >= 0;
				for (unsigned o = 0; o < p; o++)
					first &= !(u->read >> o & 1) || u->def[o] != u->def[p];
				if (first)
					w->readers[u->def[p]]++;
			}
		}
}

/* ---- all rules ------------------------------------------------------------------------------ */

/* Returns true if the instruction writes an r#, and at least one of the values that it writes there is one that no interpolator may deliver. */
static bool stays(const struct values *v, uint32_t k, const struct move_options *o)
{
	bool any = false;
	EACH_LANE(l, instr_writes(&v->ps->instrs.at[k]))
		any |= !value_rides(v, v->def[k][l], o);
	return any && v->ps->instrs.at[k].dst.file == REG_TEMP;
}

/* The alternatives of a root: their instructions in `at`, one alternative after the other. */
struct written {
	struct instr *at;
	unsigned n, end[MOST_WRITTEN];
	const char *rule[MOST_WRITTEN];
};

/* Lets the `used` rules write the alternatives of each root, beginning with the last.  wrote[r] is set if rule r wrote any. */
static struct written *write_alternatives(struct rewriting *w, const bool *used, bool *wrote)
{
	struct written *all = arena_zero(w->arena, (w->ps->instrs.n + 1) * sizeof *all);
	for (w->root = w->ps->instrs.n; w->root-- > 0;) {
		struct written *now = &all[w->root];
		memset(&w->out, 0, sizeof w->out);
		w->n = 0;
		if (w->gone[w->root] || !stays(w->values, w->root, w->group->options))
			continue;
		for (unsigned r = 0; r < RULES; r++) {
			unsigned const before = w->n;
			if (used[r])
				rules[r].write(w);
			wrote[r] |= w->n > before;
			for (unsigned a = before; a < w->n; a++)
				now->rule[a] = rules[r].info.name;
		}
		now->at = w->out.at;
		now->n = w->n;
		memcpy(now->end, w->end, sizeof w->end);
	}
	return all;
}

/* Appends the alternatives of the instruction `at` (the root) to the new program, and adds a site for them.  The caller appends the root next. */
static void put_alternatives(struct rewriting *w, const struct written *all, uint32_t at, struct program *new, struct sites *sites)
{
	struct site *site = &VEC_PUSH(w->arena, sites);
	const struct instr *root = &w->ps->instrs.at[at];
	site->n = 1;
	for (uint32_t k = 0; k < all->end[all->n - 1]; k++) {
		struct instr i = all->at[k];
		if (k + 1 == all->end[site->n - 1]) {
			site->rule[site->n] = all->rule[site->n - 1];
			site->at[site->n++] = new->instrs.n;
			i.at = at;
			i.flags |= root->flags & INSTR_SAT;
			i.comments = root->comments;
			i.blank = root->blank;
		}
		if (i.at != SRCPOS_NONE)
			i.at = w->ps->instrs.at[i.at].at;
		VEC_PUSH(w->arena, &new->instrs) = i;
	}
	site->at[0] = new->instrs.n;
}

/* Returns the names of the rules that wrote alternatives, for example "lrp, dots", or NULL if there are none. */
static const char *names_of(struct arena *arena, const bool *wrote)
{
	struct text t = {.arena = arena};
	for (unsigned r = 0; r < RULES; r++)
		if (wrote[r])
			text_printf(&t, "%s%s", t.n ? ", " : "", rules[r].info.name);
	return t.n ? t.at : NULL;
}

/* Fills sites->of: for each instruction of the new program, 1 + the index of its site, or 0 if it belongs to none. */
static void note_sites(struct arena *arena, const struct program *new, struct sites *sites)
{
	sites->of = arena_zero(arena, (new->instrs.n + 1) * sizeof *sites->of);
	for (uint32_t n = 0; n < sites->n; n++)
		for (unsigned a = 0; a < sites->at[n].n; a++)
			sites->of[sites->at[n].at[a]] = n + 1;
}

static void find_writers(struct rewriting *w)
{
	uint32_t *later = arena_alloc(w->arena, ((size_t)w->next_temp + 1) * sizeof *later);
	memset(later, 0xff, ((size_t)w->next_temp + 1) * sizeof *later);
	w->next_writer = arena_alloc(w->arena, (w->ps->instrs.n + 1) * sizeof *w->next_writer);
	for (uint32_t k = w->ps->instrs.n; k-- > 0;) {
		const struct instr *i = &w->ps->instrs.at[k];
		if (!instr_writes(i) || i->dst.file != REG_TEMP)
			continue;
		w->next_writer[k] = later[i->dst.index];
		later[i->dst.index] = k;
	}
}

/* Prepares the program and the tables that rules need to write for the current FP. */
static void begin_rewriting(struct rewriting *w)
{
	w->ps = program_numbered(w->arena, w->values->ps);
	separate_webs(w);
	count_operand_readers(w);
	find_writers(w);
	w->gone = arena_zero(w->arena, w->ps->instrs.n + 1);
	w->opened = arena_zero(w->arena, w->ps->instrs.n + 1);
}

/* Returns the FP with the alternatives of each instruction placed before it. */
static struct program *with_alternatives(struct rewriting *w, const struct written *all, struct sites *sites)
{
	struct program *new = program_head(w->arena, w->ps);
	struct { VEC(bool); } added = {0};
	for (uint32_t k = 0; k < w->ps->instrs.n; k++) {
		for (uint32_t n = 0; w->beside && n < w->beside[k].n; n++)
			VEC_PUSH(w->arena, &new->instrs) = w->beside[k].at[n];
		if (all[k].n)
			put_alternatives(w, &all[k], k, new, sites);
		while (added.n < new->instrs.n)
			VEC_PUSH(w->arena, &added) = true;
		VEC_PUSH(w->arena, &new->instrs) = w->ps->instrs.at[k];
		VEC_PUSH(w->arena, &added) = false;
	}
	new->decls = w->ps->decls;
	sites->added = added.at;
	note_sites(w->arena, new, sites);
	return new;
}

/* Returns the current FP with alternatives, or NULL if there are none. */
static struct program *with_rules_applied(struct values *given, const struct group *g, bool settles, struct sites *sites)
{
	bool used[RULES], wrote[RULES] = {false};
	for (unsigned r = 0; r < RULES; r++)
		used[r] = is_rule_used(&rules[r], g) && (!settles || rules[r].write == rule_regroup);
	struct rewriting w = {.arena = given->arena, .group = g, .values = given, .settles = settles, .next_temp = RULE_REGS};
	begin_rewriting(&w);
	const struct written *all = write_alternatives(&w, used, wrote);
	const char *names = names_of(w.arena, wrote);
	if (!names)
		return NULL;
	struct program *new = with_alternatives(&w, all, sites);
	history_note(w.arena, new, names);
	return new;
}

struct values *rules_extend(struct values *given, const struct group *g)
{
	struct program const **all = arena_alloc(given->arena, g->nps * sizeof *all);
	struct sites *sites = arena_zero(given->arena, g->nps * sizeof *sites);
	bool any = false;
	for (unsigned k = 0; k < g->nps; k++) {
		const struct program *base = given->numbering[k].ps;
		values_turn(given, k);
		struct program *new = with_rules_applied(given, g, false, &sites[k]);
		if (new && base != g->ps[k]) /* `base` is a variant of the given FP, so that its own `at` are indices into that */
			program_trace(new, base);
		all[k] = new ? new : base;
		any |= new != NULL;
	}
	values_turn(given, 0);
	struct values *v = any ? values_number_sites(given->arena, g->vs, g->nvs, all, sites, g->nps, g->options) : NULL;
	/* No alternatives are offered if one has a sum that rounds, because values.careful would then hold for the whole program. */
	return v && v->careful == given->careful ? v : NULL;
}

/* Returns the program in which the first alternative replaces each root. */
static struct program *with_first_alternatives(struct arena *arena, const struct program *all, const struct sites *sites)
{
	struct program *new = program_head(arena, all);
	for (uint32_t k = 0; k < all->instrs.n; k++) {
		const struct site *site = sites->of[k] ? &sites->at[sites->of[k] - 1] : NULL;
		if (site && site->at[1] != k)
			continue;
		struct instr *i = &VEC_PUSH(arena, &new->instrs);
		*i = all->instrs.at[k];
		if (site)
			i->dst = all->instrs.at[site->at[0]].dst;
	}
	regs_remove_dead(arena, new);
	return new;
}

/* Replaces each root by the first alternative that rule_regroup() writes, repeatedly until there are none, at most MOST_PASSES times.  Returns NULL
 * if there was none, or registers do not suffice. */
struct program *variant_regroup_all(const struct variant_of *of)
{
	struct arena *arena = of->arena;
	struct program *now = NULL;
	for (unsigned n = 0; n < MOST_PASSES; n++) {
		const struct program *from = now ? now : of->ps;
		struct sites sites = {0};
		const struct program *all = with_rules_applied(values_number(arena, of->group->vs[0], from), of->group, true, &sites);
		if (!all)
			break;
		struct program *new = with_first_alternatives(arena, all, &sites);
		if (now)
			program_trace(new, now);
		now = new;
		if (!regs_allocate(arena, now, MODEL_TEMPS))
			return NULL;
	}
	return now;
}
