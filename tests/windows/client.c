/* client VP FP: moves a pair by fpmove.dll and prints both new programs.  It sets the x87 precision of programs by Microsoft's
 * compiler, whose long double has the digits of double; the library must compute as elsewhere and restore that precision. */
#include "fpmove.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 1 << 16 };

static struct fpm_text read_text(const char *name)
{
	static char room[2][MOST];
	static int used;
	char *text = room[used++ % 2];
	FILE *f = fopen(name, "rb");
	size_t const n = f ? fread(text, 1, MOST, f) : 0;
	if (f)
		fclose(f);
	return (struct fpm_text){name, text, n};
}

int main(int argc, char **argv)
{
	uint16_t word, before = 0x27f;
	if (argc != 3)
		return 9;
	struct fpm_text const in[2] = {read_text(argv[1]), read_text(argv[2])};
	__asm__ volatile("fldcw %0" : : "m"(before));
	struct fpm_result *r = fpm_move(in, 2, NULL);
	size_t const hints = fpm_hints(r);
	__asm__ volatile("fnstcw %0" : "=m"(word));
	if (fpm_status(r) != FPM_DONE || word != before || strcmp(fpm_version(), FPMOVE_VERSION) != 0)
		return 8;
	fprintf(stderr, "%u slots, %u constants, %u hints\n", fpm_slots(r, FPM_PIXEL, FPM_AFTER), (unsigned)fpm_constants(r), (unsigned)hints);
	printf("%s%s", fpm_output(r, FPM_VERTEX), fpm_output(r, FPM_PIXEL));
	fpm_free(r);
	return 0;
}
