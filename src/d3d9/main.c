/* fpmove-d3d9: assembles, draws, compares and times programs by the Direct3D 9 of this machine. */
#include "cli/files.h"
#include "cli/fit.h"
#include "d3d9/modes.h"
#include "fpmove.h"
#include "system/files.h"
#include "system/process.h"

const char command_name[] = "fpmove-d3d9";

static int run_d3d9_mode(struct arena *a, int argc, char **argv)
{
	struct d3d9_options o;
	struct runtime r;
	struct text t = {.arena = a};
	if (!d3d9_options_parse(a, argc, argv, &o))
		return EXIT_USAGE;
	runtime_find(&r);
	switch (o.mode) {
	case D3D9_ASSEMBLE: return assemble_main(a, &r, &o);
	case D3D9_VALIDATE: return validate_main(a, &r, &o);
	case D3D9_DRAW: return draw_main(a, &r, &o);
	case D3D9_TIME: return time_main(a, &r, &o);
	case D3D9_CALIBRATE: return calibrate_main(a, &r, &o);
	case D3D9_CAPS: return caps_main(a, &r, &o);
	case D3D9_HELP: d3d9_options_help(&t); break;
	case D3D9_VERSION: text_string(&t, "fpmove-d3d9 " FPMOVE_VERSION "\n"); break;
	}
	fit_lines(&t, 0, 2, fit_columns(OS_OUT));
	return print_out(&t) ? EXIT_DONE : EXIT_USAGE;
}

int main(int argc, char **argv)
{
	os_begin(&argc, &argv, NULL);
	int const status = command_run(argc, argv, run_d3d9_mode);
	fflush(stdout);
	/* Ends all threads at once: libGL below Wine's Direct3D sometimes fails an assertion while threads that draw are ended one by one. */
	TerminateProcess(GetCurrentProcess(), (UINT)status);
	return status;
}
