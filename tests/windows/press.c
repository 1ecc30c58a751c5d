/* press TIMES AFTER COMMAND: starts the command, waits until the file AFTER exists, presses Ctrl-C that many times for all programs of
 * this console, and ends with the command's status, or with 100 if Ctrl-C ended the command. */
#include <stdlib.h>
#include <windows.h>

static BOOL WINAPI stay(DWORD how)
{
	return how == CTRL_C_EVENT;
}

int main(int argc, char **argv)
{
	PROCESS_INFORMATION made;
	STARTUPINFOA how = {.cb = sizeof how};
	DWORD status;
	BOOL pressed = TRUE;
	if (argc != 4 || !CreateProcessA(NULL, argv[3], NULL, NULL, TRUE, 0, NULL, NULL, &how, &made))
		return 99;
	SetConsoleCtrlHandler(stay, TRUE);
	while (GetFileAttributesA(argv[2]) == INVALID_FILE_ATTRIBUTES && WaitForSingleObject(made.hProcess, 0) == WAIT_TIMEOUT)
		Sleep(0);
	for (int n = atoi(argv[1]); n > 0; n--)
		pressed = GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) && pressed;
	WaitForSingleObject(made.hProcess, INFINITE);
	if (!pressed || !GetExitCodeProcess(made.hProcess, &status))
		return 98;
	return status == 0xc000013a ? 100 : (int)status;
}
