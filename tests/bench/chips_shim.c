/* A chip that is not there, for tests/bench/chips: loaded before Mesa's drivers, it answers the calls that they make to libdrm and to the
 * kernel, so that their compilers start.  $CHIP_DRIVER names the kernel's driver: radeon, i915, nouveau, msm or panfrost.  $CHIP_ID is
 * the number by which that driver tells chips apart, in hexadecimal; it is a PCI number for radeon and i915.  /dev/null stands for the
 * chip's file.  Each mapping of a buffer gets fresh memory, and nothing is drawn. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xf86drm.h>

#include <i915_drm.h>
#include <nouveau_drm.h>
#include <radeon_drm.h>
#ifdef __aarch64__ /* libdrm has no header of panfrost and an old one of msm; Debian's compiler for arm64 brings the kernel's */
#include <drm/msm_drm.h>
#include <drm/panfrost_drm.h>
#endif

enum { NUMBER_BITS = 8, NUMBERS = 1 << NUMBER_BITS, MEGABYTE = 1 << 20, AMD = 0x1002, INTEL = 0x8086, NVIDIA = 0x10de };
static const uint64_t buffers_from = 1ull << 32; /* offset of the first buffer in the chip's file, and its address on the chip */
static const uint64_t buffer_distance = 1ull << 26;
static unsigned buffers;

static uint64_t offset_of(unsigned handle) { return buffers_from + handle * buffer_distance; }

static bool is_chip(int fd)
{
	struct stat s;
	return fd >= 0 && syscall(SYS_fstat, fd, &s) == 0 && S_ISCHR(s.st_mode) && s.st_rdev == makedev(1, 3);
}

static unsigned chip_id(void)
{
	const char *id = getenv("CHIP_ID");
	return id ? (unsigned)strtoul(id, NULL, 16) : 0;
}

static bool is_driver(const char *name)
{
	const char *driver = getenv("CHIP_DRIVER");
	return driver && !strcmp(driver, name);
}

/* ---- the kernel's drivers: each returns 0 or a negative error; a command that it does not list succeeds and changes nothing ---- */

/* Answers with one of each unit and with nothing that newer chips have. */
static int radeon_info(const struct drm_radeon_info *info)
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

static int radeon(unsigned command, void *what)
{
	switch (command) {
	case DRM_RADEON_INFO: return radeon_info(what);
	case DRM_RADEON_GEM_INFO: {
		struct drm_radeon_gem_info *memory = what;
		memory->vram_size = memory->vram_visible = 256ull * MEGABYTE;
		memory->gart_size = 512ull * MEGABYTE;
		return 0;
	}
	case DRM_RADEON_GEM_CREATE: ((struct drm_radeon_gem_create *)what)->handle = ++buffers; return 0;
	case DRM_RADEON_GEM_MMAP: {
		struct drm_radeon_gem_mmap *map = what;
		map->addr_ptr = offset_of(map->handle);
		return 0;
	}
	case DRM_RADEON_GEM_USERPTR:
	case DRM_RADEON_GEM_VA: return -EINVAL;
	default: return 0;
	}
}

/* Intel's drivers take the chip's units from their own tables: tests/bench/chips sets INTEL_NO_HW. */
static int i915_parameter(const struct drm_i915_getparam *asked)
{
	switch (asked->param) {
	case I915_PARAM_CHIPSET_ID: *asked->value = (int)chip_id(); return 0;
	case I915_PARAM_REVISION:
	case I915_PARAM_HAS_BSD:
	case I915_PARAM_HAS_VEBOX:
	case I915_PARAM_HAS_USERPTR_PROBE:
	case I915_PARAM_HAS_EXEC_TIMELINE_FENCES: *asked->value = 0; return 0;
	case I915_PARAM_NUM_FENCES_AVAIL: *asked->value = 8; return 0;
	case I915_PARAM_CMD_PARSER_VERSION: *asked->value = 10; return 0;
	case I915_PARAM_MMAP_VERSION:
	case I915_PARAM_MMAP_GTT_VERSION: *asked->value = 4; return 0;
	default: *asked->value = 1; return 0;
	}
}

static int i915(unsigned command, void *what)
{
	switch (command) {
	case DRM_I915_GETPARAM: return i915_parameter(what);
	case DRM_I915_QUERY: return -EINVAL;
	case DRM_I915_GEM_CREATE: ((struct drm_i915_gem_create *)what)->handle = ++buffers; return 0;
	case DRM_I915_GEM_CREATE_EXT: ((struct drm_i915_gem_create_ext *)what)->handle = ++buffers; return 0;
	case DRM_I915_GEM_USERPTR: ((struct drm_i915_gem_userptr *)what)->handle = ++buffers; return 0;
	case DRM_I915_GEM_MMAP: {
		struct drm_i915_gem_mmap *map = what;
		map->addr_ptr = (uintptr_t)mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		return 0;
	}
	case DRM_I915_GEM_MMAP_GTT: { /* DRM_I915_GEM_MMAP_OFFSET has the same number and the same first fields */
		struct drm_i915_gem_mmap_gtt *map = what;
		map->offset = offset_of(map->handle);
		return 0;
	}
	case DRM_I915_GEM_CONTEXT_CREATE: ((struct drm_i915_gem_context_create *)what)->ctx_id = 1; return 0;
	case DRM_I915_GEM_CONTEXT_GETPARAM: {
		struct drm_i915_gem_context_param *asked = what;
		asked->value = asked->param == I915_CONTEXT_PARAM_GTT_SIZE ? 1ull << 31 : 0;
		return 0;
	}
	case DRM_I915_GEM_GET_APERTURE: {
		struct drm_i915_gem_get_aperture *aperture = what;
		aperture->aper_size = aperture->aper_available_size = 1ull << 31;
		return 0;
	}
	default: return 0;
	}
}

static int nouveau_parameter(struct drm_nouveau_getparam *asked)
{
	switch (asked->param) {
	case NOUVEAU_GETPARAM_CHIPSET_ID: asked->value = chip_id(); return 0;
	case NOUVEAU_GETPARAM_PCI_VENDOR: asked->value = NVIDIA; return 0;
	case NOUVEAU_GETPARAM_FB_SIZE: asked->value = 512ull * MEGABYTE; return 0;
	case NOUVEAU_GETPARAM_AGP_SIZE: asked->value = 512ull * MEGABYTE; return 0;
	case NOUVEAU_GETPARAM_GRAPH_UNITS: asked->value = 0x01000001; return 0;
	default: asked->value = 1; return 0;
	}
}

static int nouveau(unsigned command, void *what)
{
	switch (command) {
	case DRM_NOUVEAU_GETPARAM: return nouveau_parameter(what);
	case DRM_NOUVEAU_CHANNEL_ALLOC: {
		struct drm_nouveau_channel_alloc *channel = what;
		channel->pushbuf_domains = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
		channel->notifier_handle = ++buffers;
		return 0;
	}
	case DRM_NOUVEAU_GEM_NEW: ((struct drm_nouveau_gem_new *)what)->info.handle = ++buffers; /* fall through */
	case DRM_NOUVEAU_GEM_INFO: {
		struct drm_nouveau_gem_info *info = what; /* the first field of the other one, too */
		info->map_handle = info->offset = offset_of(info->handle);
		return 0;
	}
	case DRM_NOUVEAU_GEM_PUSHBUF: {
		struct drm_nouveau_gem_pushbuf *pushed = what;
		pushed->vram_available = pushed->gart_available = 512ull * MEGABYTE;
		return 0;
	}
	default: return 0;
	}
}

#ifdef __aarch64__
/* Answers with the decimal digits of an Adreno's name, such as 0x630; the kernel's numbers are decimal. */
static int msm_parameter(struct drm_msm_param *asked)
{
	unsigned const id = chip_id(), major = id / 0x100 % 0x10, minor = id / 0x10 % 0x10, revision = id % 0x10;
	switch (asked->param) {
	case MSM_PARAM_GPU_ID: asked->value = major * 100 + minor * 10 + revision; return 0;
	case MSM_PARAM_CHIP_ID: asked->value = major << 24 | minor << 16 | revision << 8 | 0xff; return 0;
	case MSM_PARAM_GMEM_SIZE: asked->value = MEGABYTE; return 0;
	case MSM_PARAM_GMEM_BASE: asked->value = MEGABYTE; return 0;
	case MSM_PARAM_MAX_FREQ: asked->value = 1000000; return 0;
	case MSM_PARAM_TIMESTAMP:
	case MSM_PARAM_FAULTS: asked->value = 0; return 0;
	default: asked->value = 1; return 0;
	}
}

static int msm(unsigned command, void *what)
{
	switch (command) {
	case DRM_MSM_GET_PARAM: return msm_parameter(what);
	case DRM_MSM_GEM_NEW: ((struct drm_msm_gem_new *)what)->handle = ++buffers; return 0;
	case DRM_MSM_GEM_INFO: {
		struct drm_msm_gem_info *info = what;
		info->value = info->info == MSM_INFO_GET_OFFSET || info->info == MSM_INFO_GET_IOVA ? offset_of(info->handle) : info->value;
		return 0;
	}
	case DRM_MSM_GEM_MADVISE: ((struct drm_msm_gem_madvise *)what)->retained = 1; return 0;
	default: return 0;
	}
}

static int panfrost(unsigned command, void *what)
{
	switch (command) {
	case DRM_PANFROST_GET_PARAM: {
		struct drm_panfrost_get_param *asked = what;
		asked->value = asked->param == DRM_PANFROST_PARAM_GPU_PROD_ID ? chip_id() :
			asked->param == DRM_PANFROST_PARAM_SHADER_PRESENT ? 0xf : asked->param == DRM_PANFROST_PARAM_TILER_FEATURES ? 0x809 : 0;
		return 0;
	}
	case DRM_PANFROST_CREATE_BO: {
		struct drm_panfrost_create_bo *create = what;
		create->handle = ++buffers;
		create->offset = offset_of(create->handle);
		return 0;
	}
	case DRM_PANFROST_MMAP_BO: {
		struct drm_panfrost_mmap_bo *map = what;
		map->offset = offset_of(map->handle);
		return 0;
	}
	case DRM_PANFROST_MADVISE: ((struct drm_panfrost_madvise *)what)->retained = 1; return 0;
	default: return 0;
	}
}
#endif

static const struct driver {
	const char *name;
	int major, minor; /* the version that the driver says it has */
	unsigned vendor;
	int (*answer)(unsigned command, void *what);
} drivers[] = {
	{"radeon", 2, 50, AMD, radeon}, {"i915", 1, 6, INTEL, i915}, {"nouveau", 1, 0, NVIDIA, nouveau},
#ifdef __aarch64__
	{"msm", 1, 9, 0, msm}, {"panfrost", 1, 1, 0, panfrost},
#endif
};

static const struct driver *driver(void)
{
	for (size_t k = 0; k < sizeof drivers / sizeof *drivers; k++)
		if (is_driver(drivers[k].name))
			return &drivers[k];
	abort();
}

/* ---- the C library ---- */

int ioctl(int fd, unsigned long request, ...)
{
	va_list more;
	va_start(more, request);
	void *what = va_arg(more, void *);
	va_end(more);
	if ((request >> NUMBER_BITS) % NUMBERS != DRM_IOCTL_BASE || !is_chip(fd))
		return (int)syscall(SYS_ioctl, fd, request, what);
	unsigned const number = request % NUMBERS;
	bool const of_driver = number >= DRM_COMMAND_BASE && number < DRM_COMMAND_END;
	int const wrong = of_driver ? driver()->answer(number - DRM_COMMAND_BASE, what) : 0;
	if (request == DRM_IOCTL_GET_CAP)
		((struct drm_get_cap *)what)->value = 0;
	if (request == DRM_IOCTL_SYNCOBJ_CREATE)
		((struct drm_syncobj_create *)what)->handle = 1;
	errno = -wrong;
	return wrong ? -1 : 0;
}

void *mmap64(void *at, size_t n, int access, int flags, int fd, off64_t from)
{
	if ((uint64_t)from >= buffers_from && is_chip(fd))
		return (void *)syscall(SYS_mmap, at, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return (void *)syscall(SYS_mmap, at, n, access, flags, fd, from);
}

void *mmap(void *at, size_t n, int access, int flags, int fd, off_t from)
{
	return mmap64(at, n, access, flags, fd, from);
}

/* ---- libdrm: there is one device; nobody asks often, so nothing is freed ---- */

drmVersionPtr drmGetVersion(int fd)
{
	(void)fd;
	drmVersionPtr v = calloc(1, sizeof *v);
	v->version_major = driver()->major;
	v->version_minor = driver()->minor;
	v->name = strdup(driver()->name);
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
	d->deviceinfo.pci->vendor_id = (uint16_t)driver()->vendor;
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
