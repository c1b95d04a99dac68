/* The text of gVisor's ioctl_sniffer: "Control ioctl: request=0xc020462a [nr=NV_ESC_RM_CONTROL, cmd=0x20810110] => ret=0 status=0x56". */
#include "decode/lines_internal.h"

bool decode_read_sniffer(struct decode_reading *out, struct rest line)
{
	struct decode_line found = { .family = NULL };
	struct rest before = line;
	uint64_t request;

	if (!rest_number_after(&request, line, " ioctl: request="))
		return false;
	if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_CONTROL, cmd="))
		found.family = "control";
	else if (rest_number_after(&found.number, line, "[nr=NV_ESC_RM_ALLOC, hClass="))
		found.family = "alloc";
	else if (!decode_read_request(&found, rest_skip_past(&before, "UVM ioctl:") ? "uvm" : NULL, request))
		return false;
	if (found.number > UINT32_MAX)
		return false;
	found.has_ret = rest_signed_after(&found.ret, line, "ret=");
	found.has_status = rest_number_after(&found.status, line, "status=");
	*out = (struct decode_reading){ .kind = READING_CALL, .line = found };
	return true;
}
