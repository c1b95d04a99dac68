/* Tests of a call as a block of text, as a line of JSON, and in a summary. */
#include "report/fixture_test.h"

static const uint8_t bytes[16] = { 0x01, 0, 0xd0, 0xc1, 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 'a', '"', 0, 0 };

#define FIELD(p, t, at, size, k, n) \
	.path = (p), .type = (t), .offset_bits = (at) * 8, .size_bits = (size) * (n) * 8, .kind = (k), \
	.element_bytes = (size), .count = (n), .bytes = bytes

static const struct decode_field fields[] = {
	{ FIELD("hObject", "NvHandle", 0, 4, ABI_U32, 1), .shown = 1, .role = ABI_ROLE_HANDLE },
	{ FIELD("\033[31mx", "NvHandle", 0, 4, ABI_U32, 1), .shown = 1, .role = ABI_ROLE_HANDLE },
	{ FIELD("level", "NvS32", 4, 4, ABI_I32, 1), .shown = 1 },
	{ FIELD("list", "NvU32[2]", 8, 4, ABI_U32, 2), .shown = 1, .counted_by = "listCount",
	  .is_array = true },
	{ FIELD("name", "char[4]", 12, 1, ABI_CHAR, 4), .shown = 2, .is_array = true, .is_text = true },
};

static const char *const fitting[] = { "1.0..2.0" }, *const older[] = { "0.9" };
static const struct decode_name names[] = { { "CMD_A", false, "A", fitting, 1, "1.0" },
					    { "CMD_B", false, "B", older, 1, "0.9; removed in 1.0" } };
static const struct abi of_2_0 = { .version = "2.0" };
static const struct decode_origin from_stdin = { .fd = { .path = "/dev/nvidiactl" } };
static const struct decode_origin from_nowhere = { .fd = { .number = -1 } };
static const char *const adds[] = { "add CMD_A", "add CMD_B" };

#define IOCTL .family = "control", .number = 0x801, .name = "CMD_A", .names = names
#define SIZED .record = "A", .has_size = true, .size_bytes = 16
#define VERSIONS .versions = fitting, .version_count = 1
#define ONE_FIELD(index) .fields = { .bytes = bytes, .fields = &fields[index], .count = 1 }

static const struct {
	const char *fact;
	struct decode_ioctl ioctl;
	struct decode_call call; /* without @ioctls */
	bool is_json;
	const char *has[3];
} rows[] = {
	{ "a call is a block", { IOCTL, SIZED, VERSIONS, .name_count = 1, ONE_FIELD(0) },
	  { .has_ret = true, .ret = -1 },
	  .has = { "control 0x801 CMD_A = -1\n"
		   "  parameters  A, 16 bytes\n"
		   "  size fits   1.0..2.0\n"
		   "    hObject = 0xc1d00001  handle\n" } },
	{ "each name that fits is listed with its versions",
	  { IOCTL, SIZED, .name_count = 2, .abi = &of_2_0 }, { .has_table = true, .adds = adds },
	  .has = { "control 0x801 CMD_A or CMD_B\n"
		   "  parameters  A, 16 bytes, as in 2.0\n"
		   "  size fits   1.0..2.0 CMD_A\n"
		   "  or          0.9 CMD_B\n",
		   "  to forward  add CMD_A\n  or          add CMD_B\n" } },
	{ "if the version is known, versions with the size are not listed",
	  { IOCTL, SIZED, VERSIONS, .name_count = 1, .is_asked = true },
	  .has = { "  parameters  A, 16 bytes\n", "-1.0..2.0" } },
	{ "if the version is known, but not the size, versions are listed",
	  { IOCTL, VERSIONS, .name_count = 1, .is_asked = true }, .has = { "  versions    1.0..2.0\n" } },
	{ "a signed number has its sign", { IOCTL, .name_count = 1, ONE_FIELD(2) },
	  .has = { "    level = -1\n" } },
	{ "elements that are not counted are folded", { IOCTL, .name_count = 1, ONE_FIELD(3) },
	  .has = { "    list = 5 (1 more, not in listCount)\n" } },
	{ "control characters in a name are escaped", { IOCTL, .name_count = 1, ONE_FIELD(1) },
	  .has = { "    \\x1b[31mx = 0xc1d00001" } },
	{ "JSON has all elements", { IOCTL, .name_count = 1, ONE_FIELD(3) }, { .has_ret = true, .ret = -1 },
	  true, { "\"ret\": -1", "\"value\": [5, 8801], \"counted_by\": \"listCount\", \"counted\": 1" } },
	{ "in JSON, a size and a descriptor of 0 are not null",
	  { IOCTL, .has_size = true, .name_count = 1 }, { .origin = &from_stdin }, true,
	  .has = { "\"size\": 0, ", "\"fd\": {\"number\": 0, " } },
	{ "in JSON, a size and a descriptor that are unknown are null",
	  { IOCTL, .name_count = 1 }, { .origin = &from_nowhere }, true,
	  .has = { "\"size\": null, ", "\"fd\": {\"number\": null, " } },
	{ "in JSON, text is a string", { IOCTL, .name_count = 1, ONE_FIELD(4) }, .is_json = true,
	  .has = { "\"kind\": \"char\", \"count\": 4, \"value\": \"a\\\"\"" } },
};

REPORT_TEST(a_call_is_rendered)
{
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct decode_call call = rows[i].call;

		call.ioctls = &rows[i].ioctl;
		call.count = 1;
		fact = rows[i].fact;
		strbuf_reset(&out);
		if (rows[i].is_json)
			report_decode_json(&out, &call);
		else
			report_decode_text(&out, &call, &plain);
		if (rows[i].is_json) /* it is one line */
			assert_ptr_equal(strchr(out.text, '\n'), out.text + out.length - 1);
		assert_has_all(rows[i].has, COUNT(rows[i].has));
	}
}

REPORT_TEST(a_failed_open_returned_a_negative_number)
{
	const struct trace_message message = {
		.kind = TRACE_OPEN, .fd_path = "/dev/nvidia0", .ret = -1, .error = 2
	};

	fact = "a failed open has the result -1";
	report_trace_event_json(&out, &message);
	assert_rendered("{\"kind\": \"open\", \"path\": \"/dev/nvidia0\", \"ret\": -1, \"flags\": 0}\n");
	strbuf_reset(&out);
	report_trace_event_text(&out, &message, &plain);
	assert_rendered("open /dev/nvidia0 flags 0x0 = -1\n");
}

REPORT_TEST(a_summary_has_each_name_that_fits)
{
	const struct decode_ioctl ioctl = { IOCTL, SIZED, .name_count = 2, .abi = &of_2_0 };
	const struct decode_call call = { .ioctls = &ioctl, .count = 1, .has_table = true, .adds = adds };
	struct decode_summary summary = { .count = 0 };

	decode_summary_add(&summary, &call, &call, 1);
	report_decode_summary(&out, &summary, &plain);
	assert_has("control 0x801 CMD_A or CMD_B x1\n");
	assert_has("  in driver   CMD_A: since 1.0; CMD_B: since 0.9; removed in 1.0\n");
	report_decode_summary_markdown(&out, &summary);
	assert_has("`CMD_A` or `CMD_B`");
	decode_summary_release(&summary);
}
