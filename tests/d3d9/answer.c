/* A stand-in for fpmove-d3d9.exe: it says that it is ready, gives the same answer for each pair, and ends with the status in
 * FPMOVE_ANSWER, or at once if that is none.  It reads no programs of a pair before its end. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	const char *status = getenv("FPMOVE_ANSWER");
	char line[1 << 14];
	if (!status)
		return 5;
	printf("ready\tnone\r\n");
	fflush(stdout);
	if (fgets(line, sizeof line, stdin)) {
		printf("different\t3\t2304\t7\t0\toC0 of pixel (1, 2): 1 became 2\r\n");
		fflush(stdout);
	}
	while (fgets(line, sizeof line, stdin))
		continue;
	return atoi(status);
}
