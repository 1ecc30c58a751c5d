/* Prints a line of CSV for each pixel program: its file, its cleaned counts (src/move/target/cleaned.h), and the pairs and texture
 * instructions that src/move/target/r300.c counts.  tests/bench/fit_targets compiles it. */
#include "lang/parse.h"
#include "move/target/cleaned.h"
#include "move/target/r300.h"

#include <stdio.h>
#include <stdlib.h>

static char *read_all(struct arena *arena, const char *name, size_t *size)
{
	enum { MOST = 1 << 20 };
	char *text = arena_alloc(arena, MOST);
	FILE *f = fopen(name, "rb");
	if (!f) {
		perror(name);
		exit(2);
	}
	*size = fread(text, 1, MOST - 1, f);
	text[*size] = 0;
	fclose(f);
	return text;
}

int main(int argc, char **argv)
{
#define COUNT(name) printf("," #name);
	printf("file");
	CLEANED_COUNTS(COUNT)
	printf(",r300_pairs,r300_tex\n");
#undef COUNT
	for (int k = 1; k < argc; k++) {
		struct arena arena;
		struct diags diags;
		struct source source = {.name = argv[k]};
		arena_init(&arena, NULL);
		diag_init(&diags, &arena);
		source.text = read_all(&arena, argv[k], &source.size);
		struct program_list list = parse_programs(&arena, &source, &diags);
		if (list.n != 1 || diags.errors) { /* for example because it needs a preprocessor */
			arena_free(&arena);
			continue;
		}
		struct cleaned const n = cleaned_count(list.at[0]);
		struct r300_count const r = r300_count(list.at[0]);
#define COUNT(name) printf(",%u", n.name);
		printf("%s", argv[k]);
		CLEANED_COUNTS(COUNT)
		printf(",%u,%u\n", r.pairs, r.tex);
#undef COUNT
		arena_free(&arena);
	}
	return 0;
}
