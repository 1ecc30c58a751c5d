/* effect: draws compiled effects with Wine's D3DX and Direct3D 9.
 *
 *     wine effect.exe LIST OUT
 *
 * Each line of LIST names a file; OUT gets a line for each pass, in which two triangles are drawn as the passes of a technique
 * follow each other, with the values that the effect's parameters have (0) and with others (1):
 *
 *     FILE <tab> TECHNIQUE <tab> PASS <tab> 0 or 1 <tab> numbers of EDGE * EDGE pixels, four each
 *
 * or `FILE <tab> fail <tab> what`; and at last `summary <tab> FILES`. */
#define COBJMACROS
#include <d3d9.h>
#include <d3dx9.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { EDGE = 8, TEXELS = 8 };

struct device {
	IDirect3DDevice9 *d3d;
	IDirect3DSurface9 *target, *copy;
	IDirect3DTexture9 *texture;
};

struct vertex {
	float position[4], texcoord[4], colour[4];
};

static const char *texture_make(struct device *dev)
{
	D3DLOCKED_RECT to;
	if (FAILED(IDirect3DDevice9_CreateTexture(dev->d3d, TEXELS, TEXELS, 1, 0, D3DFMT_A32B32G32R32F, D3DPOOL_MANAGED, &dev->texture, NULL)) ||
	    FAILED(IDirect3DTexture9_LockRect(dev->texture, 0, &to, NULL, 0)))
		return "CreateTexture";
	for (unsigned y = 0; y < TEXELS; y++)
		for (unsigned x = 0; x < TEXELS * 4; x++)
			((float *)(void *)((char *)to.pBits + y * (size_t)to.Pitch))[x] = (float)((x * 7 + y * 13) % 32) / 32;
	IDirect3DTexture9_UnlockRect(dev->texture, 0);
	return NULL;
}

static const char *device_open(struct device *dev)
{
	IDirect3D9 *d3d = Direct3DCreate9(D3D_SDK_VERSION);
	if (!d3d)
		return "Direct3DCreate9: no display, or a wineserver that was started without one";
	HWND window = CreateWindowA("static", "", WS_POPUP, 0, 0, EDGE, EDGE, NULL, NULL, NULL, NULL);
	D3DPRESENT_PARAMETERS how = { .Windowed = TRUE, .SwapEffect = D3DSWAPEFFECT_DISCARD, .hDeviceWindow = window,
	                              .BackBufferWidth = EDGE, .BackBufferHeight = EDGE, .BackBufferFormat = D3DFMT_X8R8G8B8 };
	if (FAILED(IDirect3D9_CreateDevice(d3d, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window, D3DCREATE_HARDWARE_VERTEXPROCESSING, &how, &dev->d3d)))
		return "CreateDevice";
	if (FAILED(IDirect3DDevice9_CreateRenderTarget(dev->d3d, EDGE, EDGE, D3DFMT_A32B32G32R32F, D3DMULTISAMPLE_NONE, 0, FALSE, &dev->target, NULL)) ||
	    FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(dev->d3d, EDGE, EDGE, D3DFMT_A32B32G32R32F, D3DPOOL_SYSTEMMEM, &dev->copy, NULL)))
		return "no target";
	static const D3DVERTEXELEMENT9 elements[] = {
		{ 0, 0, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_POSITION, 0 },
		{ 0, 16, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_TEXCOORD, 0 },
		{ 0, 32, D3DDECLTYPE_FLOAT4, D3DDECLMETHOD_DEFAULT, D3DDECLUSAGE_COLOR, 0 }, D3DDECL_END() };
	IDirect3DVertexDeclaration9 *declaration;
	if (FAILED(IDirect3DDevice9_CreateVertexDeclaration(dev->d3d, elements, &declaration)))
		return "CreateVertexDeclaration";
	IDirect3DDevice9_SetVertexDeclaration(dev->d3d, declaration);
	IDirect3DDevice9_SetRenderTarget(dev->d3d, 0, dev->target);
	IDirect3DDevice9_SetRenderState(dev->d3d, D3DRS_CULLMODE, D3DCULL_NONE);
	IDirect3DDevice9_SetRenderState(dev->d3d, D3DRS_ZENABLE, D3DZB_FALSE);
	return texture_make(dev);
}

static bool draw(struct device *dev)
{
	static const struct vertex corners[4] = {
		{ { -1, -1, 0.5f, 1 }, { 0.1f, 0.2f, 0.3f, 1 }, { 1, 0, 0.5f, 1 } },
		{ { 1, -1, 0.5f, 1 }, { 0.9f, 0.3f, 0.1f, 1 }, { 0, 1, 0.25f, 1 } },
		{ { -1, 1, 0.5f, 1 }, { 0.2f, 0.8f, 0.7f, 1 }, { 0.5f, 0.5f, 1, 0 } },
		{ { 1, 1, 0.5f, 1 }, { 0.7f, 0.9f, 0.4f, 1 }, { 0, 0, 0, 1 } } };
	return SUCCEEDED(IDirect3DDevice9_DrawPrimitiveUP(dev->d3d, D3DPT_TRIANGLESTRIP, 2, corners, sizeof *corners));
}

static bool put_pixels(struct device *dev, FILE *out)
{
	D3DLOCKED_RECT from;
	if (FAILED(IDirect3DDevice9_GetRenderTargetData(dev->d3d, dev->target, dev->copy)) ||
	    FAILED(IDirect3DSurface9_LockRect(dev->copy, &from, NULL, D3DLOCK_READONLY)))
		return false;
	for (unsigned y = 0; y < EDGE; y++)
		for (unsigned x = 0; x < EDGE * 4; x++)
			fprintf(out, "%s%.7g", x || y ? " " : "", (double)((float *)(void *)((char *)from.pBits + y * (size_t)from.Pitch))[x]);
	fputc('\n', out);
	IDirect3DSurface9_UnlockRect(dev->copy);
	return true;
}

/* Sets all textures to one; with `others`, changes each number except those of matrices. */
static void set_parameters(struct device *dev, ID3DXEffect *e, bool others)
{
	D3DXEFFECT_DESC all;
	e->lpVtbl->GetDesc(e, &all);
	for (unsigned k = 0; k < all.Parameters; k++) {
		D3DXHANDLE p = e->lpVtbl->GetParameter(e, NULL, k);
		D3DXPARAMETER_DESC d;
		float numbers[64];
		e->lpVtbl->GetParameterDesc(e, p, &d);
		if (d.Type == D3DXPT_TEXTURE || d.Type == D3DXPT_TEXTURE2D)
			e->lpVtbl->SetTexture(e, p, (IDirect3DBaseTexture9 *)dev->texture);
		if (!others || d.Type != D3DXPT_FLOAT || (d.Class != D3DXPC_VECTOR && d.Class != D3DXPC_SCALAR) || d.Bytes > sizeof numbers)
			continue;
		e->lpVtbl->GetValue(e, p, numbers, d.Bytes);
		for (unsigned j = 0; j < d.Bytes / sizeof *numbers; j++)
			numbers[j] = numbers[j] * 1.25f + 0.0625f * (float)(j + 1);
		e->lpVtbl->SetValue(e, p, numbers, d.Bytes);
	}
}

/* Draws a pass.  Returns NULL, or the error. */
static const char *draw_pass(struct device *dev, ID3DXEffect *e, unsigned pass)
{
	IDirect3DDevice9_Clear(dev->d3d, 0, NULL, D3DCLEAR_TARGET, 0xff204060, 1, 0);
	if (FAILED(IDirect3DDevice9_BeginScene(dev->d3d)))
		return "BeginScene";
	if (FAILED(e->lpVtbl->BeginPass(e, pass)))
		return "BeginPass";
	bool const drawn = draw(dev);
	e->lpVtbl->EndPass(e);
	IDirect3DDevice9_EndScene(dev->d3d);
	return drawn ? NULL : "DrawPrimitiveUP";
}

static const char *draw_technique(struct device *dev, ID3DXEffect *e, D3DXHANDLE technique, const char *file, bool others, FILE *out)
{
	D3DXTECHNIQUE_DESC t;
	UINT passes;
	if (FAILED(e->lpVtbl->GetTechniqueDesc(e, technique, &t)) || FAILED(e->lpVtbl->SetTechnique(e, technique)) ||
	    FAILED(e->lpVtbl->Begin(e, &passes, 0)))
		return "Begin";
	for (unsigned k = 0; k < passes; k++) {
		D3DXPASS_DESC p;
		const char *why = draw_pass(dev, e, k);
		if (why)
			return why;
		e->lpVtbl->GetPassDesc(e, e->lpVtbl->GetPass(e, technique, k), &p);
		fprintf(out, "%s\t%s\t%s\t%d\t", file, t.Name, p.Name, others);
		if (!put_pixels(dev, out))
			return "GetRenderTargetData";
	}
	e->lpVtbl->End(e);
	return NULL;
}

static const char *draw_file(struct device *dev, const char *file, FILE *out)
{
	static char bytes[1 << 20];
	FILE *in = fopen(file, "rb");
	size_t const n = in ? fread(bytes, 1, sizeof bytes, in) : 0;
	if (in)
		fclose(in);
	ID3DXEffect *e;
	if (!n || FAILED(D3DXCreateEffect(dev->d3d, bytes, (UINT)n, NULL, NULL, 0, NULL, &e, NULL)))
		return "D3DXCreateEffect";
	D3DXEFFECT_DESC all;
	e->lpVtbl->GetDesc(e, &all);
	const char *why = NULL;
	for (unsigned others = 0; others < 2 && !why; others++) {
		set_parameters(dev, e, others);
		for (unsigned k = 0; k < all.Techniques && !why; k++)
			why = draw_technique(dev, e, e->lpVtbl->GetTechnique(e, k), file, others, out);
	}
	e->lpVtbl->Release(e);
	return why;
}

int main(int argc, char **argv)
{
	struct device dev;
	FILE *list = argc == 3 ? fopen(argv[1], "r") : NULL, *out = list ? fopen(argv[2], "wb") : NULL;
	if (!out)
		return 2;
	const char *why = device_open(&dev);
	char file[1024];
	unsigned files = 0;
	for (; !why && fgets(file, sizeof file, list); files++) {
		file[strcspn(file, "\r\n")] = '\0';
		const char *wrong = draw_file(&dev, file, out);
		if (wrong)
			fprintf(out, "%s\tfail\t%s\n", file, wrong);
	}
	if (why)
		fprintf(out, "fail\t%s\n", why);
	else
		fprintf(out, "summary\t%u\n", files);
	return fclose(out) != 0;
}
