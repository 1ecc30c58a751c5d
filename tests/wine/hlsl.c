/* hlsl SOURCE ENTRY PROFILE OUT: compiles HLSL to Direct3D 9's bytecode, with its table of constants; start it by `wine hlsl.exe`.
 * The compiler's messages go to standard output; the status is 0 if OUT was written. */
#define COBJMACROS
#include <stdbool.h>
#include <stdio.h>
#include <windows.h>
#include <d3dcommon.h>
#include <d3dcompiler.h>

int main(int argc, char **argv)
{
	static char text[1 << 16];
	FILE *in = argc == 5 ? fopen(argv[1], "rb") : NULL;
	if (!in)
		return 2;
	size_t size = fread(text, 1, sizeof text, in);
	fclose(in);
	ID3DBlob *code = NULL, *said = NULL;
	HRESULT hr = D3DCompile(text, size, argv[1], NULL, NULL, argv[2], argv[3], 0, 0, &code, &said);
	if (said)
		fwrite(ID3D10Blob_GetBufferPointer(said), 1, ID3D10Blob_GetBufferSize(said), stdout);
	FILE *out = SUCCEEDED(hr) && code ? fopen(argv[4], "wb") : NULL;
	if (!out)
		return 1;
	size_t n = ID3D10Blob_GetBufferSize(code);
	bool done = fwrite(ID3D10Blob_GetBufferPointer(code), 1, n, out) == n;
	return fclose(out) == 0 && done ? 0 : 2;
}
