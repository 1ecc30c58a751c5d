/* assemble: runs D3DXAssembleShader over a list of files, for the tests to judge by.
 *
 *     wine assemble.exe LIST OUT
 *
 * LIST names one file a line.  OUT gets, for each, in order, one line of three fields parted by
 * tabs, LF at its end:
 *     ok    NAME  HEX        the bytecode without its comment tokens, eight digits a token
 *     fail  NAME  MESSAGES   line ends written " | "
 * and at last `summary  FILES  OK`.  Without that line the run counts for nothing: a program
 * that the loader refuses ends with status 0 and prints nothing.  Any message makes a failure,
 * since the assembler complains about some breaches and still returns S_OK.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>
#include <d3dx9.h>

enum { OPCODE_COMMENT = 0xfffe };

/* The whole file, NUL-terminated, or null; *size without the NUL. */
static char *slurp(const char *name, size_t *size)
{
	FILE *f = fopen(name, "rb");
	if (!f)
		return NULL;
	char *text = NULL;
	long end;
	if (fseek(f, 0, SEEK_END) == 0 && (end = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0 &&
	    (text = malloc((size_t)end + 1))) {
		*size = fread(text, 1, (size_t)end, f);
		text[*size] = '\0';
	}
	fclose(f);
	return text;
}

static void print_messages(FILE *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n && text[i]; i++) {
		if (text[i] == '\n')
			fputs(text[i + 1] && i + 1 < n ? " | " : "", out);
		else if (text[i] != '\r')
			fputc(text[i] == '\t' ? ' ' : text[i], out);
	}
}

/* Instructions of models below 2 carry no length; but every parameter token has its top bit set
 * except the numbers of def and defi, and those two always have five parameters. */
static void print_tokens(FILE *out, const DWORD *token, size_t n)
{
	for (size_t i = 0; i < n;) {
		DWORD opcode = token[i] & 0xffff;
		if (i > 0 && opcode == OPCODE_COMMENT && !(token[i] >> 31)) {
			i += 1 + (token[i] >> 16);
			continue;
		}
		size_t len = i > 0 && !(token[i] >> 31) && (opcode == D3DSIO_DEF || opcode == D3DSIO_DEFI) ? 6 : 1;
		for (; len && i < n; len--)
			fprintf(out, "%08lx", (unsigned long)token[i++]);
	}
}

static int assemble(FILE *out, const char *name)
{
	size_t size;
	char *text = slurp(name, &size);
	if (!text) {
		fprintf(out, "fail\t%s\tcannot be read\n", name);
		return 0;
	}
	ID3DXBuffer *code = NULL, *messages = NULL;
	HRESULT hr = D3DXAssembleShader(text, (UINT)size, NULL, NULL, 0, &code, &messages);
	int ok = SUCCEEDED(hr) && code && !messages;
	if (ok) {
		fprintf(out, "ok\t%s\t", name);
		print_tokens(out, ID3DXBuffer_GetBufferPointer(code),
		             ID3DXBuffer_GetBufferSize(code) / sizeof(DWORD));
	} else {
		fprintf(out, "fail\t%s\t%08lx ", name, (unsigned long)hr);
		if (messages)
			print_messages(out, ID3DXBuffer_GetBufferPointer(messages),
			               ID3DXBuffer_GetBufferSize(messages));
	}
	fputc('\n', out);
	if (code)
		ID3DXBuffer_Release(code);
	if (messages)
		ID3DXBuffer_Release(messages);
	free(text);
	return ok;
}

int main(int argc, char **argv)
{
	size_t size;
	char *list = argc == 3 ? slurp(argv[1], &size) : NULL;
	FILE *out = list ? fopen(argv[2], "wb") : NULL;
	if (!out)
		return 2;
	unsigned files = 0, ok = 0;
	for (char *name = strtok(list, "\r\n"); name; name = strtok(NULL, "\r\n")) {
		files++;
		ok += (unsigned)assemble(out, name);
	}
	fprintf(out, "summary\t%u\t%u\n", files, ok);
	free(list);
	return fclose(out) == 0 ? 0 : 2;
}
