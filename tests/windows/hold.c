/* hold FILE MILLISECONDS SIGN: opens FILE so that no other program can open it, makes the file SIGN, and ends after that time. */
#include <stdlib.h>
#include <windows.h>

int main(int argc, char **argv)
{
	HANDLE file = argc == 4 ? CreateFileA(argv[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL) : INVALID_HANDLE_VALUE;
	if (file == INVALID_HANDLE_VALUE)
		return 1;
	HANDLE sign = CreateFileA(argv[3], GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, 0, NULL);
	if (sign == INVALID_HANDLE_VALUE)
		return 1;
	CloseHandle(sign);
	Sleep((DWORD)atoi(argv[2]));
	CloseHandle(file);
	return 0;
}
