/*
 * The built-in profiles: src/extract/profiles/NAME.json as it is. PROFILE_DIR comes
 * from the Makefile.
 *
 * NAME-use.json is apart from NAME.json because a profile's text decides which documents of an archive fit; how the driver
 * uses a field changes no document.
 *
 * A new profile is a new file, a line with EMBED and a line in the table.
 */
#include "extract/profile.h"

#include <string.h>

#ifndef PROFILE_DIR
#error "PROFILE_DIR is the directory of the profiles; the Makefile sets it"
#endif

EMBED(profile_text_aws_neuron, PROFILE_DIR "/aws-neuron.json");
EMBED(profile_text_habanalabs, PROFILE_DIR "/habanalabs.json");
EMBED(profile_text_linux_drm, PROFILE_DIR "/linux-drm.json");
EMBED(profile_text_linux_kfd, PROFILE_DIR "/linux-kfd.json");
EMBED(profile_text_linux_kvm, PROFILE_DIR "/linux-kvm.json");
EMBED(profile_text_linux_v4l2, PROFILE_DIR "/linux-v4l2.json");
EMBED(profile_text_linux_vfio, PROFILE_DIR "/linux-vfio.json");
EMBED(profile_text_nvidia, PROFILE_DIR "/nvidia.json");
EMBED(profile_text_nvidia_use, PROFILE_DIR "/nvidia-use.json");

/* Sorted by name; the names in an array of their own, because callers want a list of strings. */
static const char *const names[] = {
	"aws-neuron", "habanalabs", "linux-drm", "linux-kfd", "linux-kvm", "linux-v4l2", "linux-vfio", "nvidia", NULL
};
static const char *const texts[] = {
	profile_text_aws_neuron,
	profile_text_habanalabs,
	profile_text_linux_drm,
	profile_text_linux_kfd,
	profile_text_linux_kvm,
	profile_text_linux_v4l2,
	profile_text_linux_vfio,
	profile_text_nvidia,
};

const char *profile_builtin(const char *name)
{
	size_t i;

	for (i = 0; names[i]; i++)
		if (!strcmp(names[i], name))
			return texts[i];
	return NULL;
}

const char *profile_builtin_use(const char *name)
{
	return strcmp(name, "nvidia") ? NULL : profile_text_nvidia_use;
}

const char *const *profile_builtin_names(void)
{
	return names;
}
