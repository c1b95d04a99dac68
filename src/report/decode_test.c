/* Tests of a call as a block of text and as a line of JSON. */
#include "report/fixture_test.h"

static const uint8_t bytes[16] = { 0x01, 0, 0xd0, 0xc1, 0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0, 'a', '"', 0, 0 };

#define DECODED(p, t, at, size, k, n)                                                                        \
	{ .path = (p),                                                                                       \
	  .type = (t),                                                                                       \
	  .offset_bits = (at) * 8,                                                                           \
	  .size_bits = (size) * (n) * 8,                                                                     \
	  .kind = (k),                                                                                       \
	  .element_bytes = (size),                                                                           \
	  .count = (n),                                                                                      \
	  .shown = (n),                                                                                      \
	  .bytes = bytes }

static const struct decode_field handle = { .path = "hObject",
					    .type = "NvHandle",
					    .size_bits = 32,
					    .kind = ABI_U32,
					    .element_bytes = 4,
					    .count = 1,
					    .shown = 1,
					    .role = ABI_ROLE_HANDLE,
					    .bytes = bytes };
static const struct decode_field number = DECODED("level", "NvS32", 4, 4, ABI_I32, 1);
static const struct decode_field list = { .path = "list",
					  .type = "NvU32[2]",
					  .offset_bits = 64,
					  .size_bits = 64,
					  .kind = ABI_U32,
					  .element_bytes = 4,
					  .count = 2,
					  .shown = 1,
					  .counted_by = "listCount",
					  .is_array = true,
					  .bytes = bytes };
static const struct decode_field string = { .path = "name",
					    .type = "char[4]",
					    .offset_bits = 96,
					    .size_bits = 32,
					    .kind = ABI_CHAR,
					    .element_bytes = 1,
					    .count = 4,
					    .shown = 2,
					    .is_array = true,
					    .is_text = true,
					    .bytes = bytes };

static const char *const fitting[] = { "1.0..2.0" }, *const older[] = { "0.9" };
static const struct decode_name names[] = { { "CMD_A", false, "A", fitting, 1, "1.0" },
					    { "CMD_B", false, "B", older, 1, "0.9; removed in 1.0" } };

/* Renders a call of CMD_A with one field. */
static void render(const struct decode_field *field,
		   void (*rendered)(struct strbuf *, const struct decode_call *, const struct report_style *))
{
	const struct decode_ioctl ioctl = { .family = "control",
					    .number = 0x801,
					    .name = "CMD_A",
					    .names = names,
					    .name_count = 1,
					    .record = "A",
					    .has_size = true,
					    .size_bytes = 16,
					    .versions = fitting,
					    .version_count = 1,
					    .fields = { .bytes = bytes, .fields = field, .count = 1 } };
	const struct decode_call call = { .ioctls = &ioctl, .count = 1, .has_ret = true, .ret = -1 };

	rendered(&out, &call, &plain);
}

static void as_json(struct strbuf *to, const struct decode_call *call, const struct report_style *style)
{
	(void)style;
	report_decode_json(to, call);
}

static void a_call_is_a_block(void **state)
{
	render(&handle, report_decode_text);
	assert_has("control 0x801 CMD_A = -1\n"
		   "  parameters  A, 16 bytes\n"
		   "  size fits   1.0..2.0\n"
		   "    hObject = 0xc1d00001  handle\n");
}

static void every_name_that_fits_is_told_with_its_versions(void **state)
{
	const struct abi abi = { .version = "2.0" };
	const char *const adds[] = { "add CMD_A", "add CMD_B" };
	const struct decode_ioctl ioctl = { .family = "control",
					    .number = 0x801,
					    .name = "CMD_A",
					    .names = names,
					    .name_count = 2,
					    .record = "A",
					    .has_size = true,
					    .size_bytes = 16,
					    .abi = &abi };
	const struct decode_call call = { .ioctls = &ioctl, .count = 1, .has_table = true, .adds = adds };
	struct decode_summary summary = { .count = 0 };

	report_decode_text(&out, &call, &plain);
	assert_has("control 0x801 CMD_A or CMD_B\n"
		   "  parameters  A, 16 bytes, as in 2.0\n"
		   "  size fits   1.0..2.0 CMD_A\n"
		   "  or          0.9 CMD_B\n");
	assert_has("  to forward  add CMD_A\n"
		   "  or          add CMD_B\n");
	strbuf_reset(&out);
	decode_summary_add(&summary, &call, 1);
	report_decode_summary(&out, &summary, &plain);
	assert_has("control 0x801 CMD_A or CMD_B x1\n");
	assert_has("  in driver   CMD_A: since 1.0; CMD_B: since 0.9; removed in 1.0\n");
	strbuf_reset(&out);
	report_decode_summary_markdown(&out, &summary);
	assert_has("`CMD_A` or `CMD_B`");
	decode_summary_release(&summary);
}

static void versions_of_a_size_are_noise_if_one_is_known(void **state)
{
	const struct decode_ioctl known = { .family = "control",
					    .number = 0x801,
					    .name = "CMD_A",
					    .names = names,
					    .name_count = 1,
					    .record = "A",
					    .has_size = true,
					    .size_bytes = 16,
					    .versions = fitting,
					    .version_count = 1,
					    .is_asked = true };
	const struct decode_ioctl nameless = { .family = "control",
					       .number = 0x801,
					       .name = "CMD_A",
					       .names = names,
					       .name_count = 1,
					       .versions = fitting,
					       .version_count = 1,
					       .is_asked = true };

	report_decode_text(&out, &(struct decode_call){ .ioctls = &known, .count = 1 }, &plain);
	assert_has("  parameters  A, 16 bytes\n");
	assert_null(strstr(strbuf_text(&out), "1.0..2.0"));
	strbuf_reset(&out);
	report_decode_text(&out, &(struct decode_call){ .ioctls = &nameless, .count = 1 }, &plain);
	assert_has("  versions    1.0..2.0\n");
}

static void a_signed_number_has_its_sign(void **state)
{
	render(&number, report_decode_text);
	assert_has("    level = -1\n");
}

static void elements_that_are_not_counted_are_folded(void **state)
{
	render(&list, report_decode_text);
	assert_has("    list = 5 (1 more, not in listCount)\n");
}

static void json_has_all_elements(void **state)
{
	render(&list, as_json);
	assert_has("\"value\": [5, 8801], \"counted_by\": \"listCount\", \"counted\": 1");
}

static void text_of_bytes_is_a_string(void **state)
{
	render(&string, as_json);
	assert_has("\"kind\": \"char\", \"count\": 4, \"value\": \"a\\\"\"");
}

static void json_is_one_line(void **state)
{
	render(&handle, as_json);
	assert_ptr_equal(strchr(out.text, '\n'), out.text + out.length - 1);
}

static void names_of_an_input_do_not_act_on_a_terminal(void **state)
{
	struct decode_field hostile = handle;

	hostile.path = "\033[31mx";
	render(&hostile, report_decode_text);
	assert_has("    \\x1b[31mx = 0xc1d00001");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_call_is_a_block),
		TEST(every_name_that_fits_is_told_with_its_versions),
		TEST(versions_of_a_size_are_noise_if_one_is_known),
		TEST(a_signed_number_has_its_sign),
		TEST(elements_that_are_not_counted_are_folded),
		TEST(json_has_all_elements),
		TEST(text_of_bytes_is_a_string),
		TEST(json_is_one_line),
		TEST(names_of_an_input_do_not_act_on_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
