/* Finds Direct3D 9, D3DX and Wine when the command runs.  Neither library is linked, so that the command starts without them and
 * can say what is missing. */
#ifndef FPMOVE_D3D9_RUNTIME_H
#define FPMOVE_D3D9_RUNTIME_H

#define COBJMACROS
#include <windows.h>

#include <d3d9.h>
#include <d3dx9.h>

typedef IDirect3D9 *WINAPI d3d9_create(UINT version);
typedef HRESULT WINAPI d3dx_assemble(const char *text, UINT size, const D3DXMACRO *, ID3DXInclude *, DWORD flags, ID3DXBuffer **code,
                                     ID3DXBuffer **messages);
typedef HRESULT WINAPI d3dx_constants(const DWORD *code, ID3DXConstantTable **);

struct runtime {
	d3d9_create *create;       /* Direct3DCreate9; NULL without d3d9.dll */
	d3dx_assemble *assemble;   /* D3DXAssembleShader; NULL without d3dx9_NN.dll */
	d3dx_constants *constants; /* D3DXGetShaderConstantTable; NULL without d3dx9_NN.dll */
	char d3dx[16];             /* file name of the D3DX that was found, such as "d3dx9_43.dll"; of no meaning if none was */
	const char *wine;          /* Wine's version, or NULL on Windows */
};

void runtime_find(struct runtime *);

/* The error message where D3DX is missing. */
#define NO_D3DX "there is no d3dx9_43.dll, nor an older one: it comes with DirectX End-User Runtimes (June 2010), and with Wine"

#endif
