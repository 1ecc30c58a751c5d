/* Reads lists, see gl.h. */
#include "gl.h"

#include "lang/parse.h"

#include <stdio.h>
#include <string.h>

static char *slurp(struct arena *arena, const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	char *text = arena_alloc(arena, 1 << 20);
	size_t n = fread(text, 1, (1 << 20) - 1, f);
	fclose(f);
	text[n] = '\0';
	return text;
}

unsigned gl_read_list(struct arena *arena, const char *path, struct gl_job **jobs)
{
	char *text = slurp(arena, path), *rest = NULL;
	unsigned lines = 0, n = 0;
	for (const char *c = text; c && *c; c++)
		lines += *c == '\n';
	*jobs = arena_zero(arena, (lines + 1) * sizeof **jobs);
	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
		char *field[5] = {line};
		for (unsigned k = 1; k < 5; k++) {
			field[k] = strchr(field[k - 1], '\t');
			if (!field[k])
				return 0;
			*field[k]++ = '\0';
		}
		(*jobs)[n++] = (struct gl_job){field[0], field[1], field[2], field[3], field[4]};
	}
	return n;
}

static const struct program *parse(struct arena *arena, const char *path, enum stage stage)
{
	struct source *source = arena_zero(arena, sizeof *source);
	const char *text = slurp(arena, path);
	if (!text)
		return NULL;
	*source = (struct source){.name = path, .text = text, .size = strlen(text)};
	struct diags diags;
	diag_init(&diags, arena);
	struct program_list list = parse_programs(arena, source, &diags);
	return list.n == 1 && !diags.errors && program_stage(list.at[0]) == stage ? list.at[0] : NULL;
}

const char *gl_read_pair(struct arena *arena, const struct gl_job *job, struct drawn_pair *pair)
{
	const struct program *vs = parse(arena, job->vp, STAGE_VERTEX), *ps = parse(arena, job->fp, STAGE_PIXEL);
	struct needs *needs = arena_zero(arena, sizeof *needs);
	struct const_map map = {0};
	int n;
	for (const char *at = job->constants; sscanf(at, "v%d=p%d%n", &map.vs, &map.ps, &n) == 2; at += n + (at[n] == ','))
		VEC_PUSH(arena, &needs->consts) = map;
	if (vs && ps)
		return drawn_pair_make(pair, vs, ps, needs);
	*pair = (struct drawn_pair){.vs = NULL};
	return "the pair cannot be read";
}
