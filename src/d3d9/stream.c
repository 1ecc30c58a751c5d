/* fpmove-d3d9 validate --stream: validates pairs that fpmove --validate=d3d9 sends, so that one process validates many pairs.
 *
 * First it writes a line: `ready`, a tab, and the adapter's name.  Then it writes one line (see verdict_answer) for each pair that it
 * reads from standard input.  A pair is a line of words and, right behind it, the four programs, text or bytecode:
 *
 *     OLD NEW DEPTHS TIES SIZE SIZE SIZE SIZE
 *
 * OLD and NEW: the constants of the first and the second pair, as constants_parse takes them; DEPTHS: a hexadecimal number, whose
 * bit n is set if the texture of s#n may be a depth texture; TIES: 1 if numbers that a comparison reads may differ in the last digit,
 * else 0; the sizes: bytes of VP, FP, VP2 and FP2. */
#include "d3d9/constants.h"
#include "d3d9/validate.h"

#include <stdio.h>

enum { LONGEST_LINE = 1 << 14, LARGEST = 1 << 24 };

/* Reads the four programs of a pair.  Returns false if one is too large or does not come whole. */
static bool read_streamed_programs(struct arena *a, struct files *f)
{
	static const char *const names[] = {"the old vertex program", "the old pixel program", "the new vertex program", "the new pixel program"};
	for (unsigned k = 0; k < 4; k++) {
		char *text = f->size[k] <= LARGEST ? arena_alloc(a, f->size[k] + 1) : NULL;
		if (!text || fread(text, 1, f->size[k], stdin) != f->size[k])
			return false;
		text[f->size[k]] = '\0';
		f->name[k] = names[k];
		f->text[k] = text;
	}
	return true;
}

/* Reads a pair: its line of words, and the programs that follow.  Returns false if the line is malformed or the programs do not come
 * whole. */
static bool read_pair_line(struct arena *a, char *line, struct files *f, struct pair_constants given[2])
{
	char *word[2] = {line, strchr(line, ' ')};
	char *rest = word[1] ? strchr(word[1] + 1, ' ') : NULL;
	unsigned ties;
	if (!rest)
		return false;
	*word[1]++ = *rest++ = '\0';
	for (unsigned k = 0; k < 2; k++) {
		if (!constants_parse(a, word[k], &given[k]))
			return false;
		f->given[k] = &given[k];
	}
	if (sscanf(rest, "%x %u %zu %zu %zu %zu", &f->depths, &ties, &f->size[0], &f->size[1], &f->size[2], &f->size[3]) != 6)
		return false;
	f->free_ties = ties;
	return read_streamed_programs(a, f);
}

bool validate_stream(struct validating *all)
{
	struct arena *a = all->drawer.arena;
	static char line[LONGEST_LINE];
	printf("ready\t%s\n", all->drawer.device.adapter.Description);
	while (fflush(stdout) == 0 && fgets(line, sizeof line, stdin)) {
		struct pair_constants given[2] = {{.by_name = false}, {.by_name = false}};
		struct files f = {.map = NULL};
		struct validation v = {.arena = a};
		struct text answer = {.arena = a};
		if (!read_pair_line(a, line, &f, given))
			return message_error("what came over standard input is no pair");
		validate_pairs(&all->drawer, all->options, &f, &v);
		verdict_answer(&answer, &v);
		fwrite(answer.at, 1, answer.n, stdout);
		arena_reset(a);
	}
	return true;
}
