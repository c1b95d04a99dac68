/* What becomes of the ioctls that a workload used, in another version. */
#include "decode/decode.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define FIELD(n, t, at, bytes) { .name = (n), .type = (t), .offset_bits = (at) * 8, .size_bits = (bytes) * 8 }
#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define IOCTL(n, number_, params_)                                                                           \
	{ .family = "control", .name = (n), .number = (number_), .params = (params_), .source = "" }

static const struct abi_field one[] = { FIELD("a", "NvU32", 0, 4) };
static const struct abi_field two[] = { FIELD("a", "NvU32", 0, 4), FIELD("b", "NvU32", 4, 4) };
static const struct abi_field list[] = {
	FIELD("count", "NvU32", 0, 4),
	{ .name = "list", .type = "NvP64", .offset_bits = 64, .size_bits = 64, .role = ABI_ROLE_POINTER }
};
static const struct abi_alias aliases[] = { { "NvP64", "void *", 8 }, { "NvU32", "unsigned int", 4 } };
static const struct abi_record base_records[] = {
	{ "ELEMENT", one, 1, 4, 4, false, "" },
	{ "GROWN", one, 1, 4, 4, false, "" },
	{ "LIST", list, 2, 16, 8, false, "" },
	{ "SAME", one, 1, 4, 4, false, "" },
};
static const struct abi_record next_records[] = {
	{ "ELEMENT", two, 2, 8, 4, false, "" },
	{ "GROWN", two, 2, 8, 4, false, "" },
	{ "LIST", list, 2, 16, 8, false, "" },
	{ "SAME", one, 1, 4, 4, false, "" },
};
static const struct abi_ioctl base_ioctls[] = {
	IOCTL("SAME_CMD", 1, "SAME"), IOCTL("GROWN_CMD", 2, "GROWN"), IOCTL("GONE_CMD", 3, NULL),
	IOCTL("LIST_CMD", 4, "LIST"), IOCTL("UNUSED", 5, "GROWN"),
};
static const struct abi_ioctl next_ioctls[] = {
	IOCTL("SAME_CMD", 1, "SAME"),
	IOCTL("GROWN_CMD", 2, "GROWN"),
	IOCTL("LIST_CMD", 4, "LIST"),
	IOCTL("UNUSED", 6, "GROWN"),
};
static const struct abi base = { .driver = "toy",
				 .version = "1.0",
				 .target = "",
				 .records = base_records,
				 .record_count = COUNT(base_records),
				 .aliases = aliases,
				 .alias_count = COUNT(aliases),
				 .ioctls = base_ioctls,
				 .ioctl_count = COUNT(base_ioctls) };
static const struct abi next = { .driver = "toy",
				 .version = "2.0",
				 .target = "",
				 .records = next_records,
				 .record_count = COUNT(next_records),
				 .aliases = aliases,
				 .alias_count = COUNT(aliases),
				 .ioctls = next_ioctls,
				 .ioctl_count = COUNT(next_ioctls) };
static const struct pointer_rule rule = { .record = "LIST",
					  .path = "list",
					  .count = "count",
					  .element = "ELEMENT" };
static const struct pointer_rules rules = { &rule, 1 };

static struct arena arena;

static int release(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

/* Of the one ioctl @number. */
static struct decode_against against_of(uint64_t number, const struct pointer_rules *pointers)
{
	struct decode_seen_ioctl *seen = arena_alloc(&arena, sizeof(*seen));
	struct decode_against against = { .count = 0 };
	struct err err = { "" };

	*seen = (struct decode_seen_ioctl){ .family = "control", .number = number, .count = 1 };
	if (decode_against(&against, seen, 1, &base, &next, pointers, &arena, &err))
		fail_msg("%s", err.text);
	return against;
}

static void an_ioctl_whose_record_is_the_same_is_the_same(void **state)
{
	const struct decode_against against = against_of(1, &rules);

	(void)state;
	assert_int_equal(against.rows[0].fate, DECODE_SAME);
	assert_int_equal(against.diff.change_count, 0);
}

static void a_record_that_grew_is_another_abi_and_alone_in_the_diff(void **state)
{
	const struct decode_against against = against_of(2, &rules);

	(void)state;
	assert_int_equal(against.rows[0].fate, DECODE_CHANGED);
	assert_int_equal(against.diff.change_count, 1);
	assert_string_equal(against.diff.changes[0].name, "GROWN");
}

static void an_ioctl_that_went_is_gone(void **state)
{
	(void)state;
	assert_int_equal(against_of(3, &rules).rows[0].fate, DECODE_GONE);
}

static void what_a_pointer_leads_to_counts(void **state)
{
	(void)state;
	assert_int_equal(against_of(4, &rules).rows[0].fate, DECODE_CHANGED);
	assert_int_equal(against_of(4, NULL).rows[0].fate, DECODE_SAME);
}

static void another_number_is_another_abi(void **state)
{
	const struct decode_against against = against_of(5, &rules);

	(void)state;
	assert_int_equal(against.rows[0].fate, DECODE_CHANGED);
	assert_true(against.rows[0].classes & DIFF_NUMBER);
}

static void what_base_does_not_have_is_not_compared(void **state)
{
	const struct decode_against against = against_of(99, &rules);

	(void)state;
	assert_int_equal(against.rows[0].fate, DECODE_UNKNOWN);
	assert_int_equal(against.by_fate[DECODE_UNKNOWN], 1);
}

#define TEST(name) cmocka_unit_test_teardown(name, release)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_ioctl_whose_record_is_the_same_is_the_same),
		TEST(a_record_that_grew_is_another_abi_and_alone_in_the_diff),
		TEST(an_ioctl_that_went_is_gone),
		TEST(what_a_pointer_leads_to_counts),
		TEST(another_number_is_another_abi),
		TEST(what_base_does_not_have_is_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
