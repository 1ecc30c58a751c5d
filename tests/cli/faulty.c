/* fpmove with a mistake planted in its mover, to check that it writes no wrong program. */
#include "cli/modes.h"
#include "cli/message.h"
#include "cli/pairs.h"

const char command_name[] = "fpmove";

int main(int argc, char **argv)
{
	struct arena arena;
	struct options o;
	arena_init(&arena, NULL);
	if (!options_parse(&arena, argc, argv, &o))
		return EXIT_USAGE;
	o.run.move.planted = o.shared_vp ? 1u << PLANT_SHARED_CUT : ~0u;
	int status = o.mode == MODE_BATCH ? move_batch(&arena, &o) : move_pair(&arena, &o);
	arena_free(&arena);
	return status;
}
