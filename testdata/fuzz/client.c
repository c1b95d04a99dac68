/* client - a trace, as a program in C that makes its calls again */
#include "lib/fuzz.h"

#include "gen/gen.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(n, t, at, bytes, r) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = (r) }
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* RM_CONTROL, RM_ALLOC and XFER_CMD, as the driver has them, and parameters with a handle and descriptors. */
static const struct abi_field control[] = {
	FIELD("hClient", "NvU32", 0, 4, ABI_ROLE_HANDLE), FIELD("cmd", "NvU32", 8, 4, ABI_ROLE_NONE), FIELD("params", "NvU64", 16, 8, ABI_ROLE_POINTER),
	FIELD("paramsSize", "NvU32", 24, 4, ABI_ROLE_SIZE), FIELD("status", "NvU32", 28, 4, ABI_ROLE_STATUS),
};
static const struct abi_field params[] = { FIELD("handle", "NvU32[3]", 0, 12, ABI_ROLE_HANDLE), FIELD("fd", "NvU32", 12, 4, ABI_ROLE_FD),
					   FIELD("wide", "NvU64", 16, 8, ABI_ROLE_FD) };
static const struct abi_field xfer[] = { FIELD("cmd", "NvU32", 0, 4, ABI_ROLE_NONE), FIELD("size", "NvU32", 4, 4, ABI_ROLE_SIZE),
					 FIELD("ptr", "NvU64", 8, 8, ABI_ROLE_POINTER) };
static const struct abi_record records[] = {
	{ "NVOS54_PARAMETERS", control, COUNT(control), 32, 8, false, "" },
	{ "PARAMS", params, COUNT(params), 24, 8, false, "" },
	{ "nv_ioctl_xfer_t", xfer, COUNT(xfer), 16, 8, false, "" },
};
static const struct abi_alias aliases[] = { { "NvU32", "unsigned int", 4 }, { "NvU64", "unsigned long long", 8 } };
static const struct abi_ioctl ioctls[] = {
	{ .family = "control", .name = "CMD", .number = 1, .params = "PARAMS", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_RM_CONTROL", .number = 0x2a, .params = "NVOS54_PARAMETERS", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_IOCTL_XFER_CMD", .number = 0xd3, .params = "nv_ioctl_xfer_t", .source = "" },
	{ .family = "uvm", .name = "UVM_X", .number = 1, .params = "PARAMS", .source = "" },
};
static const struct abi document = { .driver = "nvidia", .version = "1.5", .target = "x86_64-linux-gnu", .records = records, .record_count = COUNT(records),
				     .aliases = aliases, .alias_count = COUNT(aliases), .ioctls = ioctls, .ioctl_count = COUNT(ioctls) };

static void write_client(struct strbuf *out, const uint8_t *data, size_t size)
{
	struct trace_reader *reader = trace_reader_new(-1, "fuzz", data, size);
	struct gen_client *client = gen_client_new(&document);
	struct trace_message message;
	struct err err = { "" };
	int rc = 0;

	while (!rc && trace_next(&message, reader, &err) == 1)
		rc = gen_client_add(client, &message, &err);
	if (rc)
		fuzz_sentence(&err);
	gen_client_write(out, client);
	gen_client_free(client);
	trace_reader_free(reader);
}

/* What was recorded stands in it as escapes. */
static void check_text(const struct strbuf *text)
{
	for (size_t i = 0; i < text->length; i++)
		MUST((text->text[i] >= ' ' && text->text[i] < 0x7f) || text->text[i] == '\n' || text->text[i] == '\t');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf once = { 0 }, twice = { 0 };

	write_client(&once, data, size);
	write_client(&twice, data, size);
	MUST(once.length == twice.length && !memcmp(once.text, twice.text, once.length));
	check_text(&once);
	strbuf_release(&once);
	strbuf_release(&twice);
	return 0;
}
