/* fpmove-d3d9: assembles, draws and times programs and pairs by the Direct3D 9 of this machine, Windows' own or Wine's. */
#include "d3d9/modes.h"

#include "fpmove.h"

#include <fcntl.h>
#include <io.h>

static enum exit_status run_d3d9_mode(struct arena *a, const struct d3d9_options *o)
{
	struct runtime r;
	struct text t = {.arena = a};
	if (o->mode == D3D9_HELP)
		d3d9_options_help(&t);
	else if (o->mode == D3D9_VERSION)
		text_string(&t, "fpmove-d3d9 " FPMOVE_VERSION "\n");
	if (t.n)
		return file_write(a, "-", &t) ? EXIT_SAME : EXIT_TROUBLE;
	runtime_find(&r);
	switch (o->mode) {
	case D3D9_ASSEMBLE: return assemble_main(a, &r, o);
	case D3D9_VALIDATE: return validate_main(a, &r, o);
	case D3D9_DRAW: return draw_main(a, &r, o);
	case D3D9_TIME: return time_main(a, &r, o);
	case D3D9_CALIBRATE: return calibrate_main(a, &r, o);
	case D3D9_CAPS: return caps_main(a, &r, o);
	case D3D9_HELP:
	case D3D9_VERSION: break;
	}
	return EXIT_TROUBLE;
}

int wmain(int argc, wchar_t **wide);

/* Converts the arguments, which come in UTF-16, to UTF-8, which all other code uses. */
int wmain(int argc, wchar_t **wide)
{
	struct arena a;
	struct d3d9_options o;
	arena_init(&a, NULL);
	char **argv = arena_zero(&a, ((size_t)argc + 1) * sizeof *argv);
	for (int i = 0; i < argc; i++)
		argv[i] = utf8(&a, wide[i]);
	_setmode(_fileno(stdout), _O_BINARY);
	_setmode(_fileno(stderr), _O_BINARY);
	enum exit_status const status = d3d9_options_parse(&a, argc, argv, &o) ? run_d3d9_mode(&a, &o) : EXIT_TROUBLE;
	fflush(stdout);
	fflush(stderr);
	/* Ends the process at once: libGL below Wine's Direct3D sometimes fails an assertion while threads that draw are ended one by
	 * one. */
	TerminateProcess(GetCurrentProcess(), status);
	return status;
}
