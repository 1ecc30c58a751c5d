/* fpmove-gpu: what moving brings on the GPU here. */
#include "gpu/run.h"

#include <stdio.h>
#include <stdlib.h>

static int run_workload(struct arena *a, const struct context *gpu, const struct workload *w, int argc, char **argv)
{
	struct run_options plan = {.move = {.level = 2}};
	struct variant variants[2] = {{.name = "as given"}, {.name = "-O2", .plan = &plan}};
	struct session s = {.workload = w, .check = true, .nvariants = 2, .variant = variants};
	s.job = (struct job){.form = w->forms ? w->forms[0] : NULL, .seed = 1, .format = IMAGE_RGBA32F};
	for (unsigned k = 0; w->parameters[k].name; k++)
		s.job.number[k] = w->parameters[k].common;
	for (int k = 0; k < argc; k++) {
		for (unsigned n = 0; w->parameters[n].name; n++) {
			size_t const length = strlen(w->parameters[n].name);
			if (strncmp(argv[k], "--", 2) == 0 && strncmp(argv[k] + 2, w->parameters[n].name, length) == 0 && argv[k][2 + length] == '=')
				s.job.number[n] = (unsigned)atoi(argv[k] + 3 + length);
		}
		if (strncmp(argv[k], "--form=", 7) == 0)
			s.job.form = argv[k] + 7;
	}
	const char *wrong = session_run(a, gpu, &s, 1.0);
	struct text t = {.arena = a};
	bool right = false;
	if (wrong)
		fprintf(stderr, "fpmove-gpu: error: %s\n", wrong);
	else
		right = session_print(&s, &t);
	session_close(&s);
	printf("%s: %s; on %s\n%s", w->name, w->summary, gpu->renderer, t.at ? t.at : "");
	return right ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct arena a;
	struct context gpu;
	arena_init(&a, NULL);
	const struct workload *w = argc > 2 && strcmp(argv[1], "run") == 0 ? workload_named(argv[2]) : NULL;
	const char *wrong = w ? context_open(&a, -1, -1, &gpu) : "fpmove-gpu run WORKLOAD";
	int status = 2;
	if (wrong)
		fprintf(stderr, "fpmove-gpu: error: %s\n", wrong);
	else
		status = run_workload(&a, &gpu, w, argc - 3, argv + 3);
	if (w && !wrong)
		context_close(&gpu);
	arena_free(&a);
	return status;
}
