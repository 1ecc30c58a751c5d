/* A stand-in for fpmove-d3d9.exe: it is ready, says the same of each pair that comes, and ends with the status that FPMOVE_ANSWER names; or
 * ends at once, where that is none.  The programs of a pair stay unread until its end. */
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
