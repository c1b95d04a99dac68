/* Tests of show: the meaning of names and numbers. */
#include "report/fixture_test.h"

/* Renders what show prints for @text, which names one item. */
static void show_text(const char *text, const struct lookup_item *item, const struct show_item *shown)
{
	const struct lookup_word word = { .text = text };
	const struct lookup lookup = { .items = item, .item_count = 1 };
	const struct show_word words = { &word, &next, &lookup, shown };
	const struct show_report report = { &next, &graph, &words, 1 };

	report_show_text(&out, &report, &plain);
}

static void a_record_is_drawn_with_its_fields(void **state)
{
	const struct lookup_item item = { .kind = ABI_RECORD, .record = &next_a };
	const struct show_item shown = { .item = &item, .record = &next_a, .layout = &layout_of_a };

	show_text("A", &item, &shown);
	assert_rendered("toy 2.0, x86_64-linux-gnu\n"
			"struct A  8 bytes, align 4\n"
			"  a.h:1:1\n"
			"   offset   size  kind     field\n"
			"        0      4  u32      handle                           NvHandle  handle\n"
			"        4      4  u32      flags                            NvU32\n"
			"\n"
			"carried by no ioctl that the driver's tables name\n");
}

static void an_ioctl_says_what_the_proxy_does_with_it(void **state)
{
	const struct lookup_item item = { .kind = ABI_IOCTL, .ioctl = &cmd_a };
	const struct forwarded forwarded = { &table, &node, FORWARDED_READ, &entry_of_a, &node, NULL };
	const struct show_item shown = { .item = &item, .forwarded = &forwarded };

	show_text("CMD_A", &item, &shown);
	assert_has("control ioctl CMD_A = 0x801\n"
		   "  parameters  A\n"
		   "  flags       privileged\n"
		   "  proxy       read, as AParams; under compute; node 1.0\n");
}

static void parameters_that_the_profile_does_not_name_are_not_known(void **state)
{
	const struct abi_ioctl escape = { .family = "frontend", .name = "ESC_A", .number = 1, .source = "" },
			       other = { .family = "uvm", .name = "UVM_A", .number = 1, .source = "" };

	report_ioctl_text(&out, &escape, &plain);
	assert_has("  parameters  not known: the profile names no record\n");
	strbuf_reset(&out);
	report_ioctl_text(&out, &other, &plain);
	assert_has("  parameters  none\n");
}

static void an_ioctl_says_since_when_it_has_its_number(void **state)
{
	static const size_t since[] = { 1 };
	const struct history_span span = { .kind = ABI_IOCTL,
					   .family = "control",
					   .name = "CMD_A",
					   .since = since,
					   .since_count = 1,
					   .version_count = 1,
					   .was = (struct history_move[1]){ { .name = NULL } } };
	const struct lookup_item item = { .kind = ABI_IOCTL, .ioctl = &cmd_a, .span = &span };
	const struct show_item shown = { .item = &item };

	show_text("CMD_A", &item, &shown);
	assert_has("  versions    since 2.0; in 1 of 2 releases\n");
}

static void an_enum_lists_its_values(void **state)
{
	static const struct abi_enumerator values[] = { { "RED", { 1, false } }, { "GREEN", { 2, true } } };
	static const struct abi_enum color = { "COLOR", "int", 4, values, 2, "a.h:2:1" };
	const struct lookup_item item = { .kind = ABI_ENUM, .one = &color };
	const struct show_item shown = { .item = &item };

	show_text("COLOR", &item, &shown);
	assert_has("enum COLOR  int, 4 bytes\n"
		   "  a.h:2:1\n"
		   "  GREEN                                                        -2\n"
		   "  RED                                                          1\n");
}

static void a_constant_has_both_notations(void **state)
{
	static const struct abi_constant constant = { "CLASS_A", { 0xa097, false } };
	const struct lookup_item item = { .kind = ABI_CONSTANT, .constant = &constant };
	const struct show_item shown = { .item = &item };

	show_text("CLASS_A", &item, &shown);
	assert_has("constant CLASS_A = 0xa097 (41111)\n");
}

static void what_only_another_version_has_says_which(void **state)
{
	const struct lookup_word word = { .text = "A" };

	report_elsewhere_text(&out, &word, "2.0", "1.0", &plain);
	assert_rendered("A: not in 2.0; this is 1.0, the nearest version that has it\n");
}

static void json_says_the_same_of_a_record(void **state)
{
	const struct lookup_item item = { .kind = ABI_RECORD, .record = &next_a };
	const struct show_item shown = { .item = &item, .record = &next_a, .layout = &layout_of_a };
	const struct lookup_word word = { .text = "A" };
	const struct lookup lookup = { .items = &item, .item_count = 1 };
	const struct show_word words = { &word, &next, &lookup, &shown };
	const struct show_report report = { &next, &graph, &words, 1 };

	report_show_json(&out, &report);
	assert_has(
		"     \"leaves\": [\n"
		"      {\"path\": \"handle\", \"bit_offset\": 0, \"bit_size\": 32, \"kind\": \"u32\", \"type\": \"NvHandle\", \"role\": \"handle\"},\n"
		"      {\"path\": \"flags\", \"bit_offset\": 32, \"bit_size\": 32, \"kind\": \"u32\", \"type\": \"NvU32\"}\n"
		"     ],\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_record_is_drawn_with_its_fields),
		TEST(an_ioctl_says_what_the_proxy_does_with_it),
		TEST(parameters_that_the_profile_does_not_name_are_not_known),
		TEST(an_ioctl_says_since_when_it_has_its_number),
		TEST(an_enum_lists_its_values),
		TEST(a_constant_has_both_notations),
		TEST(what_only_another_version_has_says_which),
		TEST(json_says_the_same_of_a_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
