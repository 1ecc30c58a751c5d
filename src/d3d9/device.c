/* Opens the device and makes its surfaces, see device.h. */
#include "d3d9/device.h"

bool device_has(const struct device *dev, DWORD usage, D3DRESOURCETYPE type, D3DFORMAT format)
{
	return SUCCEEDED(IDirect3D9_CheckDeviceFormat(dev->d3d9, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, D3DFMT_X8R8G8B8, usage, type, format));
}

const char *device_look(struct device *dev, const struct runtime *r)
{
	if (!r->create)
		return "there is no d3d9.dll";
	dev->d3d9 = r->create(D3D_SDK_VERSION);
	if (!dev->d3d9)
		return r->wine ? "Wine finds no screen: it wants one, if only Xvfb's, and OpenGL on it" : "Direct3D 9 does not start";
	if (FAILED(IDirect3D9_GetAdapterIdentifier(dev->d3d9, D3DADAPTER_DEFAULT, 0, &dev->adapter)) ||
	    FAILED(IDirect3D9_GetDeviceCaps(dev->d3d9, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, &dev->caps)))
		return "there is no graphics adapter that draws by itself";
	return NULL;
}

/* Makes the surface that is copied to targets to clear them, as Clear() and ColorFill() know colours of 8 bits only. */
static bool clear_make(struct device *dev)
{
	D3DLOCKED_RECT to;
	if (FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(dev->d3d, SCENE_SIZE, SCENE_SIZE, D3DFMT_A32B32G32R32F, D3DPOOL_SYSTEMMEM,
	                                                        &dev->clear, NULL)) ||
	    FAILED(IDirect3DSurface9_LockRect(dev->clear, &to, NULL, 0)))
		return false;
	for (unsigned y = 0; y < SCENE_SIZE; y++)
		for (unsigned x = 0; x < SCENE_SIZE * 4; x++)
			((float *)(void *)((char *)to.pBits + y * (size_t)to.Pitch))[x] = SCENE_CLEARED;
	return SUCCEEDED(IDirect3DSurface9_UnlockRect(dev->clear));
}

static const char *surfaces_make(struct device *dev)
{
	for (unsigned i = 0; i < dev->targets; i++)
		if (FAILED(IDirect3DDevice9_CreateRenderTarget(dev->d3d, SCENE_SIZE, SCENE_SIZE, D3DFMT_A32B32G32R32F, D3DMULTISAMPLE_NONE, 0,
		                                               FALSE, &dev->target[i], NULL)))
			return "the device makes no render targets of floats (D3DFMT_A32B32G32R32F)";
	if (FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(dev->d3d, SCENE_SIZE, SCENE_SIZE, D3DFMT_A32B32G32R32F, D3DPOOL_SYSTEMMEM,
	                                                        &dev->copy, NULL)) ||
	    !clear_make(dev))
		return "the device makes no surfaces of floats to read its targets by";
	if (FAILED(IDirect3DDevice9_CreateRenderTarget(dev->d3d, SCENE_SIZE, SCENE_SIZE, D3DFMT_A8R8G8B8, D3DMULTISAMPLE_NONE, 0, FALSE,
	                                               &dev->target8, NULL)) ||
	    FAILED(IDirect3DDevice9_CreateOffscreenPlainSurface(dev->d3d, SCENE_SIZE, SCENE_SIZE, D3DFMT_A8R8G8B8, D3DPOOL_SYSTEMMEM, &dev->copy8,
	                                                        NULL)))
		return "the device makes no render targets of 8 bits (D3DFMT_A8R8G8B8)";
	return NULL;
}

const char *device_open(struct device *dev, const struct runtime *r)
{
	const char *wrong = device_look(dev, r);
	if (wrong)
		return wrong;
	if (dev->caps.PixelShaderVersion < D3DPS_VERSION(2, 0))
		return "the graphics adapter has no ps_2_0";
	if (!device_has(dev, D3DUSAGE_RENDERTARGET, D3DRTYPE_TEXTURE, D3DFMT_A32B32G32R32F))
		return "the graphics adapter has no render targets of floats (D3DFMT_A32B32G32R32F)";
	HWND window = CreateWindowA("static", "", WS_POPUP, 0, 0, SCENE_SIZE, SCENE_SIZE, NULL, NULL, NULL, NULL);
	D3DPRESENT_PARAMETERS how = {.Windowed = TRUE, .SwapEffect = D3DSWAPEFFECT_DISCARD, .hDeviceWindow = window, .BackBufferWidth = SCENE_SIZE,
	                             .BackBufferHeight = SCENE_SIZE, .BackBufferFormat = D3DFMT_X8R8G8B8};
	dev->software_vertices = !(dev->caps.DevCaps & D3DDEVCAPS_HWTRANSFORMANDLIGHT) || dev->caps.VertexShaderVersion < D3DVS_VERSION(1, 1);
	DWORD const vertices = dev->software_vertices ? D3DCREATE_SOFTWARE_VERTEXPROCESSING : D3DCREATE_HARDWARE_VERTEXPROCESSING;
	if (FAILED(IDirect3D9_CreateDevice(dev->d3d9, D3DADAPTER_DEFAULT, D3DDEVTYPE_HAL, window, vertices, &how, &dev->d3d)))
		return "Direct3D 9 makes no device (CreateDevice fails)";
	dev->targets = dev->caps.NumSimultaneousRTs < MAX_COLOURS ? dev->caps.NumSimultaneousRTs : MAX_COLOURS;
	IDirect3DDevice9_SetRenderState(dev->d3d, D3DRS_CULLMODE, D3DCULL_NONE);
	IDirect3DDevice9_SetRenderState(dev->d3d, D3DRS_ZENABLE, D3DZB_FALSE);
	IDirect3DDevice9_SetRenderState(dev->d3d, D3DRS_LIGHTING, FALSE);
	return surfaces_make(dev);
}
