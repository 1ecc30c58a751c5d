/* Recognises opcodes, dcl and def with their suffixes, and reports unknown words, see lex.h. */
#include "lang/lex.h"

#include "asm_parse.h"

#include <string.h>

static bool is_dcl_usage(const char *piece, size_t length, struct opening *o)
{
	size_t letters = length;
	while (letters > 0 && piece[letters - 1] >= '0' && piece[letters - 1] <= '9')
		letters--;
	unsigned index = 0;
	for (size_t i = letters; i < length; i++)
		index = index < 100 ? index * 10 + (unsigned)(piece[i] - '0') : index;
	for (unsigned u = 0; u < USAGES; u++) {
		if (spells(piece, letters, usage_names[u])) {
			o->usage = (uint8_t)u;
			o->usage_index = (uint8_t)(index > 255 ? 255 : index);
			return true;
		}
	}
	return false;
}

/* Returns true and sets o->comparison if a suffix of an opcode is its first comparison, as in if_lt. */
static bool is_comparison_suffix(const char *piece, size_t length, struct opening *o)
{
	bool const compares = ops[o->op].flags & OPF_COMPARES || o->op == OP_IF || o->op == OP_BREAK;
	for (unsigned k = COMPARE_NONE + 1; compares && k < COMPARISONS && !o->comparison; k++)
		if (spells(piece, length, comparison_names[k])) {
			o->comparison = (uint8_t)k;
			return true;
		}
	return false;
}

/* Stores in `o` what the suffixes `_a_b` of a word, from `at` on, say.  Returns false and adds an error if one is unknown. */
static bool take_word_suffixes(struct parser *p, const char *word, size_t at, size_t length, bool dcl,
                          struct opening *o)
{
	while (at < length) {
		size_t from = ++at; /* past the underscore */
		while (at < length && word[at] != '_')
			at++;
		const char *piece = word + from;
		size_t n = at - from;
		srcpos pos = (srcpos)(piece - p->source->text);
		if (spells(piece, n, "pp"))
			o->flags |= INSTR_PP;
		else if (spells(piece, n, "centroid") && dcl)
			o->flags |= INSTR_CENTROID;
		else if (spells(piece, n, "sat") && !dcl)
			o->flags |= INSTR_SAT;
		else if (dcl && spells(piece, n, "2d"))
			o->texture = TEXTURE_2D;
		else if (dcl && spells(piece, n, "cube"))
			o->texture = TEXTURE_CUBE;
		else if (dcl && spells(piece, n, "volume"))
			o->texture = TEXTURE_VOLUME;
		else if (dcl ? o->usage == USAGES && is_dcl_usage(piece, n, o) : is_comparison_suffix(piece, n, o))
			continue;
		else if (!dcl && n == 2 && (to_lower(piece[0]) == 'x' || to_lower(piece[0]) == 'd') &&
		         strchr("248", piece[1]))
			return parse_error(p, pos, "the result shift _%.*s is ps_1_x only", (int)n, piece), false;
		else
			return parse_error(p, pos, "unknown suffix '_%.*s'", (int)(n < 40 ? n : 40), piece), false;
	}
	return true;
}

int parse_word(struct parser *p, const char *word, size_t length, struct opening *o)
{
	char name[16];
	size_t base = 0;
	while (base < length && word[base] != '_')
		base++;
	if (base == 0 || base >= sizeof name)
		return UNKNOWN_WORD;
	for (size_t i = 0; i < base; i++)
		name[i] = to_lower(word[i]);
	o->usage = USAGES;
	if (base == 3 && memcmp(name, "dcl", 3) == 0) {
		take_word_suffixes(p, word, base, length, true, o);
		return DCL;
	}
	if (base >= 3 && memcmp(name, "def", 3) == 0 && base == length) {
		o->op = base == 3 ? DECL_DEF : name[3] == 'i' ? DECL_INT : DECL_BOOL;
		if (base == 3 || (base == 4 && (name[3] == 'i' || name[3] == 'b')))
			return DEF;
	}
	enum op op = op_find(name, base);
	if (op == OP_COUNT)
		return UNKNOWN_WORD;
	o->op = (uint8_t)op;
	take_word_suffixes(p, word, base, length, false, o);
	if (o->comparison && !(ops[op].flags & OPF_COMPARES))
		o->op = op == OP_IF ? OP_IFC : OP_BREAKC;
	return MNEMONIC;
}

void parse_unknown(struct parser *p, const struct opening *o)
{
	if (!parse_in_program(p, o->at))
		return;
	static const char *const elsewhere[] = {
		"cnd", "tex", "texcoord", "texreg2ar", "texreg2gb", "texreg2rgb", "texbem", "texbeml", "texcrd", "phase", "bem",
		"texdepth", "texdp3", "texdp3tex", "texm3x3", "texm3x2tex", "texm3x3tex", "texm3x3pad", "texm3x2pad",
		"texm3x3spec", "texm3x3vspec", "texm3x3diff", "texm3x2depth",
	};
	const char *word = p->source->text + o->at;
	size_t base = 0;
	while (base < o->length && word[base] != '_')
		base++;
	for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
		if (spells(word, base, elsewhere[i])) {
			parse_error(p, o->at, "'%s' is an opcode of other shader models", elsewhere[i]);
			return;
		}
	}
	const char *close = NULL;
	unsigned best = base > 3 ? 3 : 2;
	for (unsigned i = 0; i < OP_REGION1; i++) {
		unsigned d = diag_distance(word, base, ops[i].name);
		if (d < best) {
			best = d;
			close = ops[i].name;
		}
	}
	int shown = (int)(o->length < 40 ? o->length : 40);
	if (close)
		parse_error(p, o->at, "unknown opcode '%.*s': is '%s' meant?", shown, word, close);
	else
		parse_error(p, o->at, "unknown opcode '%.*s'", shown, word);
}

struct operand parse_negated(const struct operand *reg, srcpos at)
{
	struct operand o = *reg;
	o.negate = true;
	o.at = at;
	return o;
}

struct operand parse_not(struct parser *p, srcpos at, const struct operand *reg)
{
	if (reg->file != REG_BOOL && reg->file != REG_PREDICATE)
		parse_error(p, at, "'!' is for b# and p0 only");
	return parse_negated(reg, at);
}

struct operand parse_absolute(const struct operand *reg)
{
	struct operand o = *reg;
	o.absolute = true;
	return o;
}

static void refuse_modifier(struct parser *p, const char *modifier, size_t length)
{
	parse_error(p, (srcpos)(modifier - p->source->text), "the source modifier %.*s does not exist in these models: only '-' does",
	            (int)(length < 40 ? length : 40), modifier);
}

bool parse_is_absolute(struct parser *p, const char *modifier, size_t length)
{
	bool const absolute = spells(modifier, length, "_abs");
	if (!absolute)
		refuse_modifier(p, modifier, length);
	return absolute;
}

struct operand parse_not_register(struct parser *p, srcpos at)
{
	struct operand none = {.file = REG_FILES, .at = at};
	if (!parse_in_program(p, at) || !p->known) /* no error about an operand of an unknown opcode */
		return none;
	const char *word = p->source->text + at;
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	const char *mark = memchr(word, '_', n);
	if (mark && mark > word + 1 && mark[-1] >= '0' && mark[-1] <= '9')
		refuse_modifier(p, mark, (size_t)(word + n - mark));
	else
		parse_error(p, at, "unknown register '%.*s'", (int)(n < 40 ? n : 40), word);
	return none;
}

struct operand parse_not_operand(struct parser *p, srcpos at)
{
	if (p->known)
		parse_error(p, at, "a number cannot be an operand: put it in a def");
	return (struct operand){.file = REG_FILES, .at = at};
}
