/* Moves the same pair over and over in eight threads; built with ThreadSanitizer.  Prints how many results differ from the first. */
#include "fpmove.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, TIMES = 40 };

struct task {
	struct fpm_text texts[2];
	unsigned differ;
};

static void *moves(void *argument)
{
	struct task *t = argument;
	struct fpm_result *first = NULL;
	for (int i = 0; i < TIMES; i++) {
		struct fpm_options o;
		fpm_options_init(&o);
		o.level = i % 4;
		struct fpm_result *r = fpm_move(t->texts, 2, &o);
		if (fpm_status(r) != FPM_DONE)
			t->differ++;
		if (i == 2)
			first = r;
		else if (i % 4 == 2)
			t->differ += strcmp(fpm_output(r, FPM_PIXEL), fpm_output(first, FPM_PIXEL)) != 0;
		if (i != 2)
			fpm_free(r);
	}
	fpm_free(first);
	return NULL;
}

static struct fpm_text slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = calloc(1, 1 << 16);
	size_t n = f ? fread(text, 1, (1 << 16) - 1, f) : 0;
	if (f)
		fclose(f);
	return (struct fpm_text){path, text, n};
}

int main(int argc, char **argv)
{
	struct task tasks[THREADS];
	pthread_t ids[THREADS];
	if (argc != 3)
		return 2;
	for (int i = 0; i < THREADS; i++) {
		tasks[i] = (struct task){{slurp(argv[1]), slurp(argv[2])}, 0};
		if (pthread_create(&ids[i], NULL, moves, &tasks[i]))
			return 2;
	}
	unsigned differ = 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(ids[i], NULL);
		differ += tasks[i].differ;
	}
	printf("%u differ\n", differ);
	return differ != 0;
}
