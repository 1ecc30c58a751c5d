/* Finds the libraries that the system has, see runtime.h. */
#include "d3d9/runtime.h"

#include <stdio.h>

enum { NEWEST_D3DX = 43, OLDEST_D3DX = 26 };

typedef void function(void);

static function *find_function(HMODULE from, const char *name)
{
	return from ? (function *)GetProcAddress(from, name) : NULL;
}

static void find_d3dx(struct runtime *r)
{
	HMODULE library = NULL;
	for (int version = NEWEST_D3DX; !library && version >= OLDEST_D3DX; version--) {
		snprintf(r->d3dx, sizeof r->d3dx, "d3dx9_%d.dll", version);
		library = LoadLibraryA(r->d3dx);
	}
	r->assemble = (d3dx_assemble *)find_function(library, "D3DXAssembleShader");
	r->constants = (d3dx_constants *)find_function(library, "D3DXGetShaderConstantTable");
}

void runtime_find(struct runtime *r)
{
	typedef const char *wine_version(void);
	*r = (struct runtime){0};
	wine_version *version = (wine_version *)find_function(GetModuleHandleA("ntdll.dll"), "wine_get_version");
	r->wine = version ? version() : NULL;
	r->create = (d3d9_create *)find_function(LoadLibraryA("d3d9.dll"), "Direct3DCreate9");
	find_d3dx(r);
}
