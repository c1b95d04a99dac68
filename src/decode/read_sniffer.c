/*
 * The text of gVisor's ioctl_sniffer: "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56".
 * Of a device that it does not know it has the path: "Unknown ioctl: path=/dev/nvidia-modeset request=0xc0106d00 [nr=0x0] => ret=0".
 */
#include "decode/call.h"
#include "decode/lines_internal.h"

/* Return: false if the line names a device that is none of the driver's. */
static bool read_device(const char **family, const struct device_rules *devices, struct rest line)
{
	char path[DECODE_PATH_BYTES];
	struct rest uvm = line;

	*family = rest_skip_past(&uvm, "UVM ioctl:") ? "uvm" : NULL;
	if (!rest_skip_past(&line, " ioctl: path="))
		return true;
	decode_read_path(path, &line, " ");
	*family = call_family_of_path(devices, path);
	return *family;
}

bool decode_read_sniffer(struct decode_reading *out, struct rest line)
{
	struct decode_line found = { .family = NULL };
	const char *device;
	struct rest at = line;
	uint64_t request;

	if (!rest_skip_past(&at, " ioctl: ") || !rest_number_after(&request, at, "request=") || !read_device(&device, out->devices, line))
		return false;
	if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_CONTROL, cmd="))
		found.family = "control";
	else if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_ALLOC, hClass="))
		found.family = "alloc";
	else if (!decode_read_request(&found, device, request))
		return false;
	if (found.number > UINT32_MAX)
		return false;
	found.has_ret = rest_signed_after(&found.ret, line, "ret=");
	found.has_status = rest_number_after(&found.status, line, "status=");
	*out = (struct decode_reading){ .kind = READING_CALL, .line = found };
	return true;
}
