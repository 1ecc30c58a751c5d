/* Writes pairs as OpenGL's assembly or as GLSL, for tests/bench/chips: chips_write arb|glsl DIR VP FP VP FP ... makes DIR/0.vert, DIR/0.frag,
 * DIR/1.vert and so on.  A pair that cannot be translated has no files; stderr says why. */
#include "gpu/arb.h"
#include "gpu/glsl.h"
#include "lang/parse.h"
#include "lang/preprocess.h"

#include <stdio.h>
#include <string.h>

/* Returns the translated text, or NULL and the reason in `*why`. */
static const char *translate(struct arena *arena, const char *name, bool assembly, const char **why)
{
	enum { MOST = 1 << 20, SIZE = 8 };
	static const struct preprocess_options plain;
	struct diags diags;
	struct source source = {.name = name}, expanded;
	struct shader_options const how = {.show = SHOWN_COLOUR, .position = POSITION_AS_IS, .width = SIZE, .height = SIZE};
	char *text = arena_alloc(arena, MOST);
	FILE *f = fopen(name, "rb");
	*why = "no such file";
	if (!f)
		return NULL;
	source.size = fread(text, 1, MOST - 1, f);
	text[source.size] = 0;
	source.text = text;
	fclose(f);
	diag_init(&diags, arena);
	*why = "not one program";
	if (preprocess_wanted(&source, &plain)) {
		if (!preprocess(arena, &source, &plain, &expanded, &diags))
			return NULL;
		source = expanded;
	}
	struct program_list const list = parse_programs(arena, &source, &diags);
	if (list.n != 1)
		return NULL;
	return assembly ? arb_program(arena, list.at[0], &how, why) : glsl_program(arena, list.at[0], &how);
}

static bool write_file(const char *folder, int number, const char *ending, const char *text)
{
	char path[4096];
	snprintf(path, sizeof path, "%s/%d.%s", folder, number, ending);
	FILE *f = fopen(path, "wb");
	bool const written = f && fputs(text, f) >= 0;
	return f && !fclose(f) && written;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (int k = 3; k + 1 < argc; k += 2) {
		struct arena arena;
		arena_init(&arena, NULL);
		const char *why = NULL;
		bool const assembly = !strcmp(argv[1], "arb");
		const char *vs = translate(&arena, argv[k], assembly, &why);
		const char *ps = vs ? translate(&arena, argv[k + 1], assembly, &why) : NULL;
		if (!ps)
			fprintf(stderr, "%s: %s\n", argv[k + 1], why);
		else if (!write_file(argv[2], k / 2 - 1, "vert", vs) || !write_file(argv[2], k / 2 - 1, "frag", ps))
			return 2;
		arena_free(&arena);
	}
	return 0;
}
