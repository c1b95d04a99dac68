/* Tests of phrases that several renderers use. */
#include "report/fixture_test.h"
#include "report/internal.h"

static void an_offset_is_in_bytes_or_in_byte_and_bit(void **state)
{
	char bits[32];

	assert_string_equal(report_bits(96, false, bits), "12");
	assert_string_equal(report_bits(99, false, bits), "12:3");
	assert_string_equal(report_bits(96, true, bits), "12:0");
}

static void classes_are_words_by_weight(void **state)
{
	report_classes(&out, DIFF_GROWTH | DIFF_TRANSLATION);
	assert_rendered("translation, growth");
}

static void a_note_tells_all_that_happened_to_a_field(void **state)
{
	static const struct diff_field_side was = {
		.path = "fd", .type = "NvS32", .size_bits = 32, .role = ABI_ROLE_FD
	};
	static const struct diff_field field = {
		.renamed = true, .moved = true, .before = &was, .after = &flags_side
	};

	report_field_note(&out, &field);
	assert_rendered("renamed from fd, moved from 0, was NvS32, no longer a fd");
}

static void a_run_ends_where_the_distance_changes(void **state)
{
	static const struct diff_field_side at_0 = SIDE("a", "NvU32", 0, 4), at_4 = SIDE("a", "NvU32", 4, 4),
					    at_12 = SIDE("b", "NvU32", 12, 4);
	static const struct diff_field by_4 = { .moved = true, .before = &at_0, .after = &at_4 };
	static const struct diff_field by_8 = { .moved = true, .before = &at_4, .after = &at_12 };
	const struct diff_field fields[] = { by_4, by_4, by_8 };

	assert_int_equal(report_field_run(fields, COUNT(fields)), 2);
}

static void without_colors_there_is_no_escape_sequence(void **state)
{
	report_ink(&out, &plain, INK_ALARM, "%s", "a");
	assert_rendered("a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_offset_is_in_bytes_or_in_byte_and_bit),
		TEST(classes_are_words_by_weight),
		TEST(a_note_tells_all_that_happened_to_a_field),
		TEST(a_run_ends_where_the_distance_changes),
		TEST(without_colors_there_is_no_escape_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
