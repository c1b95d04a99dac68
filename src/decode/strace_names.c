/*
 * strace names a request by its number alone. All requests of all 193 releases, given to strace 6.1 (-X verbose), gave these
 * names; every other one it prints as _IOC(). testdata/cli/5210-decode-strace.t does so with two releases.
 */
#include "decode/strace_names.h"

#include <string.h>

static const struct {
	const char *name;
	const char *family; /* whose request it is */
	uint32_t request;
} names[] = {
	{ "DRM_IOCTL_AMDGPU_FENCE_TO_HANDLE", "drm", 0xc0206454 },
	{ "DRM_IOCTL_AMDGPU_VM", "drm", 0xc0086453 },
	{ "DRM_IOCTL_I810_GETAGE", "drm", 0x6444 },
	{ "DRM_IOCTL_I915_GEM_PIN", "drm", 0xc0186455 },
	{ "DRM_IOCTL_MGA_INDICES", "drm", 0x40106446 },
	{ "DRM_IOCTL_NOUVEAU_SVM_INIT", "drm", 0xc0106448 },
	{ "DRM_IOCTL_PANFROST_CREATE_BO", "drm", 0xc0186442 },
	{ "DRM_IOCTL_QXL_ALLOC", "drm", 0xc0086440 },
	{ "DRM_IOCTL_R128_CCE_IDLE", "drm", 0x6444 },
	{ "DRM_IOCTL_RADEON_CP_IDLE", "drm", 0x6444 },
	{ "DRM_IOCTL_SIS_AGP_ALLOC", "drm", 0xc0206454 },
	{ "DRM_IOCTL_TEGRA_CHANNEL_CLOSE", "drm", 0xc0086451 },
	{ "DRM_IOCTL_TEGRA_CHANNEL_UNMAP", "drm", 0xc0086453 },
	{ "DRM_IOCTL_TEGRA_GEM_GET_TILING", "drm", 0xc010644b },
	{ "DRM_IOCTL_TEGRA_GEM_SET_TILING", "drm", 0xc010644a },
	{ "DRM_IOCTL_V3D_PERFMON_GET_VALUES", "drm", 0xc010644a },
	{ "DRM_IOCTL_VC4_GEM_MADVISE", "drm", 0xc010644b },
	{ "DRM_IOCTL_VC4_LABEL_BO", "drm", 0xc010644a },
	{ "DRM_IOCTL_VC4_SET_TILING", "drm", 0xc0106448 },
	{ "DRM_IOCTL_VIA_WAIT_IRQ", "drm", 0xc018644d },
	{ "DRM_IOCTL_VIRTGPU_CONTEXT_INIT", "drm", 0xc010644b },
	{ "DRM_IOCTL_VIRTGPU_GET_CAPS", "drm", 0xc0186449 },
	{ "FIBMAP", "uvm", 1 },
	{ "FIGETBSZ", "uvm", 2 },
};

static size_t name_length(const struct rest *rest)
{
	const char *at = rest->at;

	while (at < rest->end && ((*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_'))
		at++;
	return (size_t)(at - rest->at);
}

static bool find_name(uint64_t *out, const char *name, size_t length, const char *family)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == length && !memcmp(names[i].name, name, length) && !strcmp(names[i].family, family)) {
			*out = names[i].request;
			return true;
		}
	return false;
}

bool strace_name_read(uint64_t *out, struct rest *rest, const char *family)
{
	bool is_found = false;

	if (!family)
		return false;
	do {
		const size_t length = name_length(rest);

		is_found |= find_name(out, rest->at, length, family);
		rest->at += length;
	} while (rest_skip_word(rest, " or "));
	return is_found;
}
