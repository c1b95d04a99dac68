/*
 * Tests which calls count as the same ioctl, and that the result for an ioctl is that of Ioctl.IsSupported()
 * in gVisor's tools/ioctl_sniffer/sniffer.
 */
#include "sniff/sniff.h"
#include "abi/document_test.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum { STATUS_OK = 0, INVALID_CLASS = 0x22, NOT_SUPPORTED = 0x56 };

/* The address of an envelope, and the address of its inner parameters. */
enum { OUTER = 0x1000, INNER = 0x2000 };

static struct arena arena;
static struct abi abi;
static struct sniff_use use;

static int make_document(void **state)
{
	abi = *document_of("struct ANSWER 8 { NvU32 cmd@0; NvU32 status@4 status } "
			   "struct WRAPPER 4 { NvU32 cmd@0 } "
			   "const NV_ERR_INVALID_CLASS 0x22 const NV_ERR_NOT_SUPPORTED 0x56 const NV_OK 0",
			   &arena);
	return 0;
}

static int free_document(void **state)
{
	arena_release(&arena);
	return 0;
}

static int release(void **state)
{
	sniff_use_release(&use);
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
static const struct table nvproxy = {
	.proxy = "gvisor nvproxy", .driver = "nvidia", .nodes = &node, .node_count = 1,
	.passed = passed, .passed_count = 2
};
static const struct table other = {
	.proxy = "another proxy", .driver = "nvidia", .nodes = &node, .node_count = 1
};
static const struct sniff_judge by_nvproxy = { &abi, &nvproxy, &node }, by_other = { &abi, &other, &node },
				by_none = { &abi, NULL, NULL }, without_node = { &abi, &nvproxy, NULL };

/* Adds a call of an envelope with a status and an inner ioctl of @family. @ret: the result of ioctl() */
static const struct sniff_used *used(const char *family, uint64_t number, uint32_t status, int32_t ret,
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

TEST_WITH(what_the_proxy_does_with_a_call, NULL, release)
{
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
		/* Without a table, every call is supported. Without a node for the version, none is. */
		{ "control", 1, STATUS_OK, SNIFF_FORWARDED, &by_none },
		{ "control", 0x20800110, STATUS_OK, SNIFF_LACKING, &without_node },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct sniff_used *got =
			used(rows[i].family, rows[i].number, rows[i].status, 0, rows[i].judge);

		if (got->support != rows[i].support || !got->has_status || got->status != rows[i].status)
			fail_msg("row %zu, %s 0x%llx: %d, status %d 0x%llx", i, rows[i].family,
				 (unsigned long long)rows[i].number, got->support, got->has_status,
				 (unsigned long long)got->status);
		sniff_use_release(&use);
	}
}

TEST_WITH(a_call_that_failed_has_no_status, NULL, release)
{
	assert_int_equal(used("control", 0x20800111, NOT_SUPPORTED, -1, &by_nvproxy)->support, SNIFF_LACKING);
	assert_false(used("control", 0x20800110, STATUS_OK, -1, &by_nvproxy)->has_status);
	assert_true(used("control", 0x20800110, STATUS_OK, 0, &by_nvproxy)->has_status);
	assert_int_equal(HASH_COUNT(use.used), 3);
}

/* If an envelope carries an envelope, the status is in the record of the inner envelope. */
TEST_WITH(the_status_may_be_in_what_a_wrapper_carries, NULL, release)
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

	assert_int_equal(sniff_use_add(&use, &message, chain, COUNT(chain), &by_nvproxy)->support,
			 SNIFF_REFUSED);
}

TEST_WITH(without_the_bytes_after_there_is_no_status, NULL, release)
{
	const struct trace_message message = { .kind = TRACE_IOCTL, .argument = OUTER };
	const struct call chain[] = {
		{ .family = "control", .number = 0x20800111, .record = "ANSWER", .address = OUTER }
	};

	assert_false(sniff_use_add(&use, &message, chain, 1, &by_nvproxy)->has_status);
}

TEST_WITH(calls_of_one_ioctl_with_one_answer_are_counted, NULL, release)
{
	used("control", 0x20800110, STATUS_OK, 0, &by_nvproxy);
	used("control", 0x20800110, 0x1f, 0, &by_nvproxy);
	assert_int_equal(used("control", 0x20800110, STATUS_OK, 0, &by_nvproxy)->count, 2);
	assert_int_equal(HASH_COUNT(use.used), 2);
}

TEST_WITH(each_of_many_is_found_again, NULL, release)
{
	enum { MANY = 2000 };

	for (int round = 0; round < 2; round++)
		for (uint64_t number = 0; number < MANY; number++)
			used("control", number, STATUS_OK, 0, &by_nvproxy);
	assert_int_equal(HASH_COUNT(use.used), MANY);
	for (const struct sniff_used *one = use.used, *last = NULL; one; last = one, one = one->hh.next) {
		assert_int_equal(one->number, last ? last->number + 1 : 0);
		assert_int_equal(one->count, 2);
	}
}

TEST_WITH(a_call_that_is_not_identified_is_counted_separately, NULL, release)
{
	const struct trace_message message = { .kind = TRACE_IOCTL };

	assert_null(sniff_use_add(&use, &message, NULL, 0, &by_nvproxy));
	assert_int_equal(use.unidentified, 1);
	assert_null(use.used);
}

TEST(the_line_of_nvrm_names_the_version)
{
	static const struct {
		const char *text, *version;
	} rows[] = {
		{ "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  590.48.01  Release Build  "
		  "(dvs-builder@U22-I3)  Mon Dec  8 13:13:45 UTC 2025\nGCC version:  gcc version 12.3.0\n",
		  "590.48.01" },
		{ "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  "
		  "Sat Aug 19 01:15:15 UTC 2023\n",
		  "535.104.05" },
		{ "NVRM version: none\nGCC version:  gcc version 12.3.0\n", NULL },
		{ "", NULL },
		{ "NVRM version: 2025 .5", NULL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *version = NULL;

		assert_int_equal(driver_version_find(&version, rows[i].text, &arena), !!rows[i].version);
		assert_string_equal(version ? version : "none", rows[i].version ? rows[i].version : "none");
	}
}

TEST_GROUP(make_document, free_document)
