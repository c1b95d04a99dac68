/* Tests of how decode_against() compares a workload's ioctls with a different version. */
#include "decode/decode.h"
#include "abi/document_test.h"

#define LIST_AND_SAME \
	"struct LIST 16/8 { NvU32 count@0; NvP64 list@8 pointer } struct SAME 4 { NvU32 a@0 } " \
	"ioctl SAME_CMD 1 SAME ioctl GROWN_CMD 2 GROWN ioctl LIST_CMD 4 LIST "

static const char in_base[] = LIST_AND_SAME "struct ELEMENT 4 { NvU32 a@0 } struct GROWN 4 { NvU32 a@0 } "
					    "ioctl GONE_CMD 3 - ioctl UNUSED 5 GROWN",
		  in_next[] = LIST_AND_SAME "struct ELEMENT 8 { NvU32 a@0; NvU32 b@4 } "
					    "struct GROWN 8 { NvU32 a@0; NvU32 b@4 } ioctl UNUSED 6 GROWN";
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

/* Compares a workload that used only the ioctl @number. */
static struct decode_against against_of(uint64_t number, const struct pointer_rules *pointers)
{
	struct decode_seen_ioctl *seen = arena_alloc(&arena, sizeof(*seen));
	struct decode_against against = { .count = 0 };
	struct err err = { "" };

	*seen = (struct decode_seen_ioctl){ .family = "control", .number = number, .count = 1 };
	if (decode_against(&against, seen, 1, document_of(in_base, &arena), document_of(in_next, &arena),
			   pointers, &arena, &err))
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
