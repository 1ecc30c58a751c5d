/* assemble FROM TO: writes a compiled effect by its description, see assemble.h. */
#include "assemble.h"

#include <stdbool.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	static char text[1 << 20];
	FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;
	if (!in || fread(text, 1, sizeof text - 1, in) == 0)
		return 2;
	fclose(in);
	struct arena arena;
	arena_init(&arena, NULL);
	struct text const bytes = effect_assemble(&arena, text);
	FILE *out = fopen(argv[2], "wb");
	bool const done = out && fwrite(bytes.at, 1, bytes.n, out) == bytes.n && fclose(out) == 0;
	arena_free(&arena);
	return done ? 0 : 2;
}
