/* assemble: runs D3DXAssembleShader over a list of files, for the tests to judge by.
 *
 *     wine assemble.exe LIST OUT
 *
 * LIST names one file a line.  OUT gets, for each, in order, one line of three fields parted by
 * tabs, LF at its end:
 *     ok    NAME  HEX        the bytecode without its comment tokens, eight digits a token
 *     fail  NAME  MESSAGES   line ends written " | "; any message makes a failure
 * and at last `summary  FILES  OK`.  Without that line the run counts for nothing: a program
 * that the loader refuses ends with status 0 and prints nothing.
 */
#include "asm.h"

int main(int argc, char **argv)
{
	size_t size;
	char *list = argc == 3 ? asm_slurp(argv[1], &size) : NULL;
	FILE *out = list ? fopen(argv[2], "wb") : NULL;
	if (!out)
		return 2;
	unsigned files = 0, ok = 0;
	for (char *name = strtok(list, "\r\n"); name; name = strtok(NULL, "\r\n")) {
		struct code code = asm_file(name);
		fprintf(out, "%s\t%s\t", code.token ? "ok" : "fail", name);
		for (size_t i = 0; i < code.tokens; i++)
			fprintf(out, "%08lx", (unsigned long)code.token[i]);
		fprintf(out, "%s\n", code.messages ? code.messages : "");
		files++;
		ok += code.token != NULL;
		asm_free(&code);
	}
	fprintf(out, "summary\t%u\t%u\n", files, ok);
	free(list);
	return fclose(out) == 0 ? 0 : 2;
}
