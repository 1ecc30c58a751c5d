/* Prints what src/move/target/r300.c counts of pixel programs: a line `FILE pairs tex nodes` for each.  tests/bench/r300.py compiles it. */
#include "lang/parse.h"
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
	for (int k = 1; k < argc; k++) {
		struct arena arena;
		struct diags diags;
		struct source source = {.name = argv[k]};
		arena_init(&arena, NULL);
		diag_init(&diags, &arena);
		source.text = read_all(&arena, argv[k], &source.size);
		struct program_list list = parse_programs(&arena, &source, &diags);
		if (list.n != 1 || diags.errors) {
			fprintf(stderr, "%s: no program of its own\n", argv[k]);
			return 2;
		}
		struct r300_count const n = r300_count(list.at[0]);
		printf("%s %u %u %u\n", argv[k], n.pairs, n.tex, n.nodes);
		arena_free(&arena);
	}
	return 0;
}
