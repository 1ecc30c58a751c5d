/* The command with a mistake planted in its mover, to see that nothing wrong gets out. */
#include "cli/pairs.h"

int main(int argc, char **argv)
{
	struct arena arena;
	struct options o;
	arena_init(&arena, NULL);
	if (!options_parse(&arena, argc, argv, &o))
		return EXIT_USAGE;
	o.run.move.planted = ~0u;
	int status = move_pair(&arena, &o);
	arena_free(&arena);
	return status;
}
