/* A Radeon that is not there, for tests/bench/chips: loaded before Mesa's drivers, it answers what they ask libdrm and the kernel, so that
 * they compile for the chip whose PCI number $RADEON_ID is.  /dev/null stands for the chip's file.  Nothing is drawn. */
#define _GNU_SOURCE
#include <errno.h>
#include <radeon_drm.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

enum { NUMBER_BITS = 8, NUMBERS = 1 << NUMBER_BITS, MEGABYTE = 1 << 20 };
static const unsigned long long buffers_from = 1ull << 32; /* where in the chip's file its buffers lie */

static int is_chip(int fd)
{
	struct stat s;
	return fd >= 0 && syscall(SYS_fstat, fd, &s) == 0 && S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3);
}

static unsigned chip_id(void)
{
	const char *id = getenv("RADEON_ID");
	return id ? (unsigned)strtoul(id, NULL, 16) : 0x4a48;
}

/* What the kernel tells of the chip: one of each unit, none of what newer chips have. */
static int tell(const struct drm_radeon_info *info)
{
	uint32_t *value = (uint32_t *)(uintptr_t)info->value;
	switch (info->request) {
	case RADEON_INFO_DEVICE_ID: *value = chip_id(); return 0;
	case RADEON_INFO_IB_VM_MAX_SIZE:
	case RADEON_INFO_VA_START: return -EINVAL;
	case RADEON_INFO_GPU_RESET_COUNTER:
	case RADEON_INFO_WANT_HYPERZ:
	case RADEON_INFO_WANT_CMASK:
	case RADEON_INFO_TILING_CONFIG:
	case RADEON_INFO_BACKEND_MAP: *value = 0; return 0;
	default: *value = 1; return 0;
	}
}

static int answer(unsigned command, void *what)
{
	static unsigned buffers;
	switch (command) {
	case DRM_RADEON_INFO: return tell(what);
	case DRM_RADEON_GEM_INFO: {
		struct drm_radeon_gem_info *memory = what;
		memory->vram_size = memory->vram_visible = 256ull * MEGABYTE;
		memory->gart_size = 512ull * MEGABYTE;
		return 0;
	}
	case DRM_RADEON_GEM_CREATE: ((struct drm_radeon_gem_create *)what)->handle = ++buffers; return 0;
	case DRM_RADEON_GEM_MMAP: {
		struct drm_radeon_gem_mmap *map = what;
		map->addr_ptr = buffers_from + map->handle * 4096ull;
		return 0;
	}
	case DRM_RADEON_GEM_USERPTR:
	case DRM_RADEON_GEM_VA: return -EINVAL;
	default: return 0;
	}
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list more;
	va_start(more, request);
	void *what = va_arg(more, void *);
	va_end(more);
	if ((request >> NUMBER_BITS) % NUMBERS != DRM_IOCTL_BASE || !is_chip(fd))
		return (int)syscall(SYS_ioctl, fd, request, what);
	unsigned const number = request % NUMBERS;
	int const wrong = number >= DRM_COMMAND_BASE ? answer(number - DRM_COMMAND_BASE, what) : 0;
	if (request == DRM_IOCTL_GET_CAP)
		((struct drm_get_cap *)what)->value = 0;
	errno = -wrong;
	return wrong ? -1 : 0;
}

void *mmap64(void *at, size_t n, int access, int flags, int fd, off64_t from)
{
	if ((unsigned long long)from >= buffers_from && is_chip(fd))
		return (void *)syscall(SYS_mmap, at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return (void *)syscall(SYS_mmap, at, n, access, flags, fd, from);
}

void *mmap(void *at, size_t n, int access, int flags, int fd, off_t from)
{
	return mmap64(at, n, access, flags, fd, from);
}

/* ---- libdrm: one device, and nobody asks twice, so that nothing is given back ---- */

drmVersionPtr drmGetVersion(int fd)
{
	(void)fd;
	drmVersionPtr v = calloc(1, sizeof *v);
	v->version_major = 2;
	v->version_minor = 50;
	v->name = strdup("radeon");
	v->name_len = (int)strlen(v->name);
	v->date = strdup("");
	v->desc = strdup("");
	return v;
}

int drmGetDevice2(int fd, uint32_t flags, drmDevicePtr *to)
{
	(void)fd, (void)flags;
	drmDevice *d = *to = calloc(1, sizeof *d);
	d->nodes = calloc(DRM_NODE_MAX, sizeof *d->nodes);
	for (int k = 0; k < DRM_NODE_MAX; k++)
		d->nodes[k] = strdup("/dev/null");
	d->available_nodes = 1 << DRM_NODE_PRIMARY | 1 << DRM_NODE_RENDER;
	d->bustype = DRM_BUS_PCI;
	d->businfo.pci = calloc(1, sizeof *d->businfo.pci);
	d->deviceinfo.pci = calloc(1, sizeof *d->deviceinfo.pci);
	d->deviceinfo.pci->vendor_id = 0x1002;
	d->deviceinfo.pci->device_id = (uint16_t)chip_id();
	return 0;
}

int drmGetDevices2(uint32_t flags, drmDevicePtr *to, int n)
{
	return to && n > 0 && drmGetDevice2(-1, flags, to) ? 0 : 1;
}

int drmGetDevice(int fd, drmDevicePtr *to) { return drmGetDevice2(fd, 0, to); }
int drmGetDevices(drmDevicePtr *to, int n) { return drmGetDevices2(0, to, n); }
void drmFreeVersion(drmVersionPtr v) { (void)v; }
void drmFreeDevice(drmDevicePtr *d) { (void)d; }
void drmFreeDevices(drmDevicePtr *d, int n) { (void)d, (void)n; }
int drmDevicesEqual(drmDevicePtr a, drmDevicePtr b) { (void)a, (void)b; return 1; }
int drmGetNodeTypeFromFd(int fd) { (void)fd; return DRM_NODE_RENDER; }
char *drmGetRenderDeviceNameFromFd(int fd) { (void)fd; return strdup("/dev/null"); }
char *drmGetDeviceNameFromFd2(int fd) { (void)fd; return strdup("/dev/null"); }
