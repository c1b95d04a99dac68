/* calls - decode a trace of a small driver with envelopes, pointers, unions and handles */
#include "lib/fuzz.h"

#include "decode/decode.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define FIELD(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define ROLE(n, t, at, bytes, r) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8, .role = ABI_ROLE_##r }
#define RECORD(n, f, bytes) { (n), (f), COUNT(f), (bytes), 8, false, "" }

/* --- a driver with one of everything --------------------------------------------------------- */

static const struct abi_field control_fields[] = {
	ROLE("hClient", "NvU32", 0, 4, HANDLE), ROLE("hObject", "NvU32", 4, 4, HANDLE), FIELD("cmd", "NvU32", 8, 4), FIELD("flags", "NvU32", 12, 4),
	ROLE("params", "NvP64", 16, 8, POINTER), ROLE("paramsSize", "NvU32", 24, 4, SIZE), ROLE("status", "NvU32", 28, 4, STATUS),
};
static const struct abi_field alloc_fields[] = {
	ROLE("hRoot", "NvU32", 0, 4, HANDLE), ROLE("hObjectParent", "NvU32", 4, 4, HANDLE), ROLE("hObjectNew", "NvU32", 8, 4, HANDLE),
	FIELD("hClass", "NvU32", 12, 4), ROLE("pAllocParms", "NvP64", 16, 8, POINTER), ROLE("paramsSize", "NvU32", 24, 4, SIZE),
	ROLE("status", "NvU32", 28, 4, STATUS),
};
static const struct abi_field free_fields[] = {
	ROLE("hRoot", "NvU32", 0, 4, HANDLE), ROLE("hObjectParent", "NvU32", 4, 4, HANDLE), ROLE("hObjectOld", "NvU32", 8, 4, HANDLE),
	ROLE("status", "NvU32", 12, 4, STATUS),
};
static const struct abi_field xfer_fields[] = { FIELD("cmd", "NvU32", 0, 4), ROLE("size", "NvU32", 4, 4, SIZE), ROLE("ptr", "NvP64", 8, 8, POINTER) };
static const struct abi_field list_fields[] = {
	ROLE("listCount", "NvU32", 0, 4, COUNT), ROLE("fd", "NvS32", 4, 4, FD), ROLE("list", "NvP64", 8, 8, POINTER), FIELD("table", "CHOICE[3]", 16, 24),
};
static const struct abi_field choice_fields[] = { FIELD("which", "NvU32", 0, 4), FIELD("data", "WORDS", 4, 4) };
static const struct abi_field words_fields[] = { FIELD("word", "NvU32", 0, 4), FIELD("bytes", "NvU8[4]", 0, 4), FIELD("half", "NvU16", 0, 2) };
static const struct abi_record records[] = {
	RECORD("CHOICE", choice_fields, 8), RECORD("LIST", list_fields, 40), RECORD("NVOS00_PARAMETERS", free_fields, 16),
	RECORD("NVOS21_PARAMETERS", alloc_fields, 32), RECORD("NVOS54_PARAMETERS", control_fields, 32),
	{ "WORDS", words_fields, COUNT(words_fields), 4, 4, true, "" }, RECORD("nv_ioctl_xfer_t", xfer_fields, 16),
};
static const struct abi_alias aliases[] = {
	{ "NvP64", "void *", 8 }, { "NvS32", "int", 4 }, { "NvU16", "unsigned short", 2 }, { "NvU32", "unsigned int", 4 }, { "NvU8", "unsigned char", 1 },
};
static const struct abi_constant constants[] = { { "NV_ERR_GENERIC", { 0xffff, false } }, { "NV_OK", { 0, false } } };
static const struct abi_ioctl ioctls[] = {
	{ .family = "alloc", .name = "CLASS", .number = 0x2080, .params = "NvU32", .source = "" },
	{ .family = "control", .name = "GET_LIST", .number = 0x20800102, .params = "LIST", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_RM_FREE", .number = 0x29, .params = "NVOS00_PARAMETERS", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_RM_CONTROL", .number = 0x2a, .params = "NVOS54_PARAMETERS", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_RM_ALLOC", .number = 0x2b, .params = "NVOS21_PARAMETERS", .source = "" },
	{ .family = "frontend", .name = "NV_ESC_IOCTL_XFER_CMD", .number = 0xd3, .params = "nv_ioctl_xfer_t", .source = "" },
	{ .family = "uvm", .name = "UVM_LIST", .number = 1, .params = "LIST", .source = "" },
};
static const struct abi document = { .driver = "nvidia", .version = "1.0", .records = records, .record_count = COUNT(records), .aliases = aliases,
				     .alias_count = COUNT(aliases), .constants = constants, .constant_count = COUNT(constants),
				     .ioctls = ioctls, .ioctl_count = COUNT(ioctls) };

static const struct pointer_rule pointer = { .record = "LIST", .path = "list", .count = "listCount", .element = "CHOICE", .direction = USE_INOUT,
					     .mask = UINT64_MAX };
static const struct pointer_rules pointers = { &pointer, 1 };
static const struct union_choice choices[] = { { 1, "WORD", "word" }, { 2, "BYTES", "bytes" }, { 3, "GONE", "gone" } };
static const struct union_rule rule = { .record = "CHOICE", .field = "data", .by = "which", .choices = choices, .choice_count = COUNT(choices) };
static const struct union_rules unions = { &rule, 1 };
static const struct device_rule device_list[] = {
	{ .path = "/dev/nvidiactl", .family = "frontend" }, { .path = "/dev/nvidia#", .family = "frontend" },
	{ .path = "/dev/nvidia-uvm", .family = "uvm" }, { .path = "/dev/nvidia-modeset", .family = "modeset" },
	{ .path = "/dev/dri/card#", .family = "drm" }, { .path = "/dev/dri/renderD#", .family = "drm" },
};
static const struct device_rules devices = { .rules = device_list, .count = sizeof(device_list) / sizeof(*device_list) };
static const struct history_version version = { .version = "1.0", .parent = HISTORY_NO_PARENT, .abi = &document };
static const struct history_graph graph = { .versions = &version, .version_count = 1 };

/* --- decoding ---------------------------------------------------------------------------------- */

static void check_fields(const struct decode_fields *fields, uint64_t size_bytes)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct decode_field *field = &fields->fields[i];

		MUST(field->path && field->type && field->shown <= field->count);
		MUST(field->offset_bits + field->size_bits <= size_bytes * 8);
	}
	for (size_t i = 0; i < fields->padding_count; i++)
		MUST(fields->padding[i].offset + fields->padding[i].size <= size_bytes);
}

static void check_call(const struct decode_call *call)
{
	static const struct report_style style = { .columns = 80 };
	struct strbuf out = { 0 };

	for (size_t i = 0; i < call->count; i++) {
		const struct decode_ioctl *ioctl = &call->ioctls[i];

		MUST(ioctl->family && ioctl->pointer_count <= CALL_POINTERS_MAX);
		check_fields(&ioctl->fields, ioctl->size_bytes);
		for (size_t p = 0; p < ioctl->pointer_count; p++)
			check_fields(&ioctl->pointers[p].fields, ioctl->pointers[p].recorded_bytes);
	}
	report_decode_text(&out, call, &style);
	strbuf_reset(&out);
	report_decode_json(&out, call);
	MUST(memchr(out.text, '\n', out.length) == out.text + out.length - 1);
	MUST(!memchr(out.text, '\033', out.length));
	strbuf_reset(&out);
	report_decode_markdown(&out, call);
	strbuf_release(&out);
}

static void decode_message(const struct trace_message *message, const struct decode_scope *scope, struct decode_handles *handles)
{
	struct arena arena = { 0 };
	struct decode_input input;
	struct decode_origin origin;
	struct decode_call call;
	struct err err = { "" };

	if (message->kind == TRACE_IOCTL && trace_call_input(&input, &origin, message, scope->devices, &arena)) {
		input.handles = handles;
		if (decode_call(&call, &input, scope, &arena, &err))
			fuzz_sentence(&err);
		else
			check_call(&call);
	}
	arena_release(&arena);
}

static void decode_all(const uint8_t *data, size_t size, const struct abi *asked)
{
	struct trace_reader *reader = trace_reader_new(-1, "fuzz", data, size);
	struct decode_handles *handles = decode_handles_new();
	const struct decode_scope scope = { .graph = &graph, .asked = asked, .asked_index = asked ? 0 : 1, .pointers = &pointers, .unions = &unions, .devices = &devices,
					    .cache = decode_cache_new(), .numbers = decode_numbers_new(&graph) };
	struct trace_message message;
	struct err err = { "" };
	int rc;

	while ((rc = trace_next(&message, reader, &err)) == 1)
		decode_message(&message, &scope, handles);
	if (rc < 0)
		fuzz_sentence(&err);
	decode_cache_free(scope.cache);
	decode_numbers_free(scope.numbers);
	decode_handles_free(handles);
	trace_reader_free(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = xmalloc(size + !size);

	if (size)
		memcpy(bytes, data, size);
	decode_all(bytes, size, NULL);
	decode_all(bytes, size, &document);
	free(bytes);
	return 0;
}
