#include "sniff/sniff.h"
#include "abi/document_test.h"

/*
 * Tests which calls count as the same ioctl, and that the result for an ioctl is that of Ioctl.IsSupported()
 * in gVisor's tools/ioctl_sniffer/sniffer.
 */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { STATUS_OK = 0, INVALID_CLASS = 0x22, NOT_SUPPORTED = 0x56 };

/* The address of an envelope, and the address of its inner parameters. */
enum { OUTER = 0x1000, INNER = 0x2000 };

static struct arena documents;
static struct abi abi;

static int make_document(void **state)
{
	(void)state;
	abi = *document_of("struct ANSWER 8 { NvU32 cmd@0; NvU32 status@4 status } struct WRAPPER 4 { NvU32 cmd@0 } "
			   "const NV_ERR_INVALID_CLASS 0x22 const NV_ERR_NOT_SUPPORTED 0x56 const NV_OK 0",
			   &documents);
	return 0;
}

static int free_document(void **state)
{
	(void)state;
	arena_release(&documents);
	return 0;
}

static const struct table_entry entries[] = {
	{ .family = "control", .name = "FORWARDED", .number = 0x20800110 }
};
static const struct table_node node = { .version = "590.48.01",
					.supported = true,
					.entries = entries,
					.entry_count = 1 };
static const struct table_passed passed[] = { { "control", 0x8000, 0x8000, "RM_GSS_LEGACY_MASK" },
					      { "control", 0xffff0000, 0x20810000, "NV2081_BINAPI" } };
static const struct table nvproxy = { .proxy = "gvisor nvproxy",
				      .driver = "nvidia",
				      .nodes = &node,
				      .node_count = 1,
				      .passed = passed,
				      .passed_count = 2 };
static const struct table other = { .proxy = "another proxy",
				    .driver = "nvidia",
				    .nodes = &node,
				    .node_count = 1 };
static const struct sniff_judge by_nvproxy = { &abi, &nvproxy, &node };

static struct sniff_use use;

static int release(void **state)
{
	(void)state;
	sniff_use_release(&use);
	return 0;
}

/* Adds a call of an envelope with a status and an inner ioctl of @family. @ret: the result of ioctl() */
static const struct sniff_used *returned(const char *family, uint64_t number, uint32_t status, int32_t ret,
					 const struct sniff_judge *judge)
{
	const uint32_t after[] = { (uint32_t)number, status };
	const struct trace_message message = { .kind = TRACE_IOCTL,
					       .argument = OUTER,
					       .ret = ret,
					       .after = { (const uint8_t *)after, sizeof(after) } };
	const struct call chain[] = {
		{ .family = "frontend", .number = 0x2a, .record = "ANSWER", .address = OUTER },
		{ .family = family, .number = number, .address = INNER, .size_bytes = 4, .has_size = true }
	};

	return sniff_use_add(&use, &message, chain, COUNT(chain), judge);
}

static const struct sniff_used *used(const char *family, uint64_t number, uint32_t status,
				     const struct sniff_judge *judge)
{
	return returned(family, number, status, 0, judge);
}

static void what_the_proxy_does_with_a_call(void **state)
{
	const struct sniff_judge by_other = { &abi, &other, &node }, by_none = { &abi, NULL, NULL },
				 without_node = { &abi, &nvproxy, NULL };
	const struct {
		const char *family;
		uint64_t number;
		uint32_t status;
		enum sniff_support support;
		const struct sniff_judge *judge;
	} rows[] = {
		{ "control", 0x20800110, STATUS_OK, SNIFF_FORWARDED, &by_nvproxy },
		{ "control", 0x20800111, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		{ "alloc", 0x20800110, STATUS_OK, SNIFF_LACKING, &by_nvproxy }, /* the number of a command */
		/* Only controls of GSS legacy and of class 0x2081 are passed through. */
		{ "control", 0x20808110, STATUS_OK, SNIFF_PASSED, &by_nvproxy },
		{ "control", 0x20804110, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		{ "control", 0x20818000, NOT_SUPPORTED, SNIFF_PASSED, &by_nvproxy },
		{ "alloc", 0xc000 | 0x8000, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		{ "uvm", 0x8000, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		{ "control", 0x20810110, STATUS_OK, SNIFF_PASSED, &by_nvproxy },
		{ "control", 0x20820110, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		{ "alloc", 0x2081, STATUS_OK, SNIFF_LACKING, &by_nvproxy },
		/* The driver itself refuses some calls with nvproxy's status: these are not unsupported. */
		{ "control", 0x20800111, NOT_SUPPORTED, SNIFF_REFUSED, &by_nvproxy },
		{ "alloc", 0xc640, INVALID_CLASS, SNIFF_REFUSED, &by_nvproxy },
		{ "control", 0x20800111, INVALID_CLASS, SNIFF_LACKING, &by_nvproxy },
		{ "alloc", 0xc640, NOT_SUPPORTED, SNIFF_LACKING, &by_nvproxy },
		{ "control", 0x20800111, 0x1f, SNIFF_LACKING, &by_nvproxy },
		{ "frontend", 0xff, NOT_SUPPORTED, SNIFF_LACKING, &by_nvproxy },
		{ "uvm", 0x27, NOT_SUPPORTED, SNIFF_LACKING, &by_nvproxy },
		/* Only nvproxy has these rules. */
		{ "control", 0x20808110, STATUS_OK, SNIFF_LACKING, &by_other },
		{ "control", 0x20810110, STATUS_OK, SNIFF_LACKING, &by_other },
		{ "alloc", 0xc640, INVALID_CLASS, SNIFF_LACKING, &by_other },
		/*
		 * Without a table, every call is supported. If the table has no node for the version, none
		 * is.
		 */
		{ "control", 1, STATUS_OK, SNIFF_FORWARDED, &by_none },
		{ "control", 0x20800110, STATUS_OK, SNIFF_LACKING, &without_node },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const enum sniff_support got =
			used(rows[i].family, rows[i].number, rows[i].status, rows[i].judge)->support;

		if (got != rows[i].support)
			fail_msg("row %zu, %s 0x%llx: %d", i, rows[i].family, (unsigned long long)rows[i].number, got);
		sniff_use_release(&use);
	}
}

static void a_call_that_failed_has_no_answer(void **state)
{
	(void)state;
	assert_int_equal(returned("control", 0x20800111, NOT_SUPPORTED, -1, &by_nvproxy)->support,
			 SNIFF_LACKING);
	assert_false(returned("control", 0x20800110, STATUS_OK, -1, &by_nvproxy)->has_status);
	assert_true(returned("control", 0x20800110, STATUS_OK, 0, &by_nvproxy)->has_status);
}

/* If an envelope carries an envelope, the status is in the record of the inner envelope. */
static void the_status_may_be_in_what_a_wrapper_carries(void **state)
{
	const uint32_t command = 0x2a, after[] = { 0x20800111, NOT_SUPPORTED };
	const struct trace_memory memory = { .address = INNER,
					     .size_bytes = sizeof(after),
					     .after = { (const uint8_t *)after, sizeof(after) } };
	const struct trace_message message = { .kind = TRACE_IOCTL,
					       .argument = OUTER,
					       .after = { (const uint8_t *)&command, sizeof(command) },
					       .memory = &memory,
					       .memory_count = 1 };
	const struct call chain[] = {
		{ .family = "frontend", .number = 0xd3, .record = "WRAPPER", .address = OUTER },
		{ .family = "frontend", .number = 0x2a, .record = "ANSWER", .address = INNER },
		{ .family = "control", .number = 0x20800111, .address = 0x3000 }
	};

	(void)state;
	assert_int_equal(sniff_use_add(&use, &message, chain, COUNT(chain), &by_nvproxy)->support,
			 SNIFF_REFUSED);
}

static void without_the_bytes_after_there_is_no_status(void **state)
{
	const struct trace_message message = { .kind = TRACE_IOCTL, .argument = OUTER };
	const struct call chain[] = {
		{ .family = "control", .number = 0x20800111, .record = "ANSWER", .address = OUTER }
	};

	(void)state;
	assert_false(sniff_use_add(&use, &message, chain, 1, &by_nvproxy)->has_status);
}

static void calls_of_one_ioctl_with_one_answer_are_counted(void **state)
{
	(void)state;
	used("control", 0x20800110, STATUS_OK, &by_nvproxy);
	used("control", 0x20800110, 0x1f, &by_nvproxy);
	assert_int_equal(used("control", 0x20800110, STATUS_OK, &by_nvproxy)->count, 2);
	assert_int_equal(use.count, 2);
}

static void each_of_many_is_found_again(void **state)
{
	enum { MANY = 2000 };

	(void)state;
	for (int round = 0; round < 2; round++)
		for (uint64_t number = 0; number < MANY; number++)
			used("control", number, STATUS_OK, &by_nvproxy);
	assert_int_equal(use.count, MANY);
	for (size_t i = 0; i < MANY; i++) {
		assert_int_equal(use.used[i].number, i);
		assert_int_equal(use.used[i].count, 2);
	}
}

static void a_call_that_is_no_ioctl_of_the_driver_is_counted_apart(void **state)
{
	const struct trace_message message = { .kind = TRACE_IOCTL };

	(void)state;
	assert_null(sniff_use_add(&use, &message, NULL, 0, &by_nvproxy));
	assert_int_equal(use.unidentified, 1);
	assert_int_equal(use.count, 0);
}

/* Makes an entry with the sorted capabilities @caps. */
static struct table_entry entry(const char *const *caps, size_t count)
{
	return (struct table_entry){ .family = "control", .name = "X", .caps = caps, .cap_count = count };
}

#define ENTRY(...)                                                                                           \
	entry((const char *const[]){ __VA_ARGS__ },                                                          \
	      sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static void expect_cover(const struct table_entry *const *listed, size_t count, const char *wanted)
{
	struct arena arena = { 0 };
	struct strbuf text = { 0 };
	const char *const *caps;

	sniff_cover(&caps, listed, count, &arena);
	for (; *caps; caps++)
		strbuf_addf(&text, "%s%s", text.length ? " " : "", *caps);
	assert_string_equal(strbuf_text(&text), wanted);
	strbuf_release(&text);
	arena_release(&arena);
}

static void one_capability_that_all_list_is_enough(void **state)
{
	const struct table_entry a = ENTRY("compute", "utility"), b = ENTRY("graphics", "utility");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a, &b }, 2, "utility");
}

static void of_two_that_do_the_first_of_table_caps_is_told(void **state)
{
	const struct table_entry a = ENTRY("compute", "utility");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a }, 1, "compute");
}

static void greed_would_need_three_where_two_are_enough(void **state)
{
	const struct table_entry a = ENTRY("a", "c"), b = ENTRY("a", "d"), c = ENTRY("b", "c"),
				 d = ENTRY("b", "d"), e = ENTRY("a", "c"), f = ENTRY("b", "c");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &a, &b, &c, &d, &e, &f }, 6, "a b");
}

static void entries_without_capabilities_do_not_count(void **state)
{
	const struct table_entry none = entry(NULL, 0), video = ENTRY("video");

	(void)state;
	expect_cover((const struct table_entry *const[]){ &none }, 1, "");
	expect_cover((const struct table_entry *const[]){ &none, &video }, 2, "video");
}

static void expect_version(const char *text, const char *wanted)
{
	struct arena arena = { 0 };
	const char *version = NULL;

	assert_int_equal(driver_version_find(&version, text, &arena), wanted != NULL);
	if (wanted)
		assert_string_equal(version, wanted);
	arena_release(&arena);
}

static void the_line_of_nvrm_names_the_version(void **state)
{
	(void)state;
	expect_version(
		"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  590.48.01  Release Build  (dvs-builder@U22-I3)  Mon Dec  8 13:13:45 UTC 2025\n"
		"GCC version:  gcc version 12.3.0\n",
		"590.48.01");
	expect_version(
		"NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 01:15:15 UTC 2023\n",
		"535.104.05");
	expect_version("NVRM version: none\nGCC version:  gcc version 12.3.0\n", NULL);
	expect_version("", NULL);
	expect_version("NVRM version: 2025 .5", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_the_proxy_does_with_a_call, release),
		cmocka_unit_test_teardown(a_call_that_failed_has_no_answer, release),
		cmocka_unit_test_teardown(the_status_may_be_in_what_a_wrapper_carries, release),
		cmocka_unit_test_teardown(without_the_bytes_after_there_is_no_status, release),
		cmocka_unit_test_teardown(calls_of_one_ioctl_with_one_answer_are_counted, release),
		cmocka_unit_test_teardown(each_of_many_is_found_again, release),
		cmocka_unit_test_teardown(a_call_that_is_no_ioctl_of_the_driver_is_counted_apart, release),
		cmocka_unit_test(one_capability_that_all_list_is_enough),
		cmocka_unit_test(of_two_that_do_the_first_of_table_caps_is_told),
		cmocka_unit_test(greed_would_need_three_where_two_are_enough),
		cmocka_unit_test(entries_without_capabilities_do_not_count),
		cmocka_unit_test(the_line_of_nvrm_names_the_version),
	};

	return cmocka_run_group_tests_name("sniff used", tests, make_document, free_document);
}
