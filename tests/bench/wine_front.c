/* wine_front: time of D3DXAssembleShader over a list of files, to put beside our own reading.
 *
 *     wine wine_front.exe LIST OUT
 *
 * OUT gets one line: files, bytes, seconds for all of them once (the median of 5 rounds, texts
 * already in memory). */
#include <windows.h>

#include <d3dx9.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096, ROUNDS = 5 };

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static char *slurp(const char *name, UINT *size)
{
	FILE *f = fopen(name, "rb");
	char *text = malloc(1 << 20);
	*size = f ? (UINT)fread(text, 1, 1 << 20, f) : 0;
	if (f)
		fclose(f);
	return text;
}

int main(int argc, char **argv)
{
	static char *text[MOST];
	static UINT size[MOST];
	double rounds[ROUNDS];
	unsigned n = 0;
	unsigned long bytes = 0;
	if (argc != 3)
		return 2;
	UINT length;
	char *list = slurp(argv[1], &length);
	list[length < (1 << 20) ? length : (1 << 20) - 1] = '\0';
	for (char *name = strtok(list, "\r\n"); name && n < MOST; name = strtok(NULL, "\r\n")) {
		text[n] = slurp(name, &size[n]);
		bytes += size[n++];
	}
	LARGE_INTEGER from, to, hertz;
	QueryPerformanceFrequency(&hertz);
	for (unsigned r = 0; r < ROUNDS; r++) {
		QueryPerformanceCounter(&from);
		for (unsigned i = 0; i < n; i++) {
			ID3DXBuffer *code = NULL, *messages = NULL;
			D3DXAssembleShader(text[i], size[i], NULL, NULL, 0, &code, &messages);
			if (code)
				code->lpVtbl->Release(code);
			if (messages)
				messages->lpVtbl->Release(messages);
		}
		QueryPerformanceCounter(&to);
		rounds[r] = (double)(to.QuadPart - from.QuadPart) / (double)hertz.QuadPart;
	}
	qsort(rounds, ROUNDS, sizeof *rounds, by_size);
	FILE *out = fopen(argv[2], "wb");
	if (!out)
		return 2;
	fprintf(out, "%u %lu %.9f\n", n, bytes, rounds[ROUNDS / 2]);
	return fclose(out) == 0 ? 0 : 2;
}
