/*
 * Tests that new lines are exact: when they are read again, they suppress all findings of the run, and no
 * others.
 */
#include "verify/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;
static struct err err;
static struct acceptances got;

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

static const struct verify_finding
	size_of_a = { .rule = VERIFY_SIZE, .family = "control", .entry = "CMD_A", .message = "a is 4" },
	other_size_of_a = { .rule = VERIFY_SIZE, .family = "control", .entry = "CMD_A", .message = "a is 5" },
	number_of_b = { .rule = VERIFY_NUMBER,
			.family = "uvm",
			.entry = "CMD_B",
			.message = "b",
			.unseen = true };

/* Makes a version with the finding @found and the unseen finding @unseen, each of which may be NULL. */
static struct accept_version at(const char *version, const struct verify_finding *found,
				const struct verify_finding *unseen)
{
	struct verify_result *result = arena_alloc(&arena, sizeof(*result));

	*result = (struct verify_result){ .findings = found,
					  .finding_count = found != NULL,
					  .unseen = unseen,
					  .unseen_count = unseen != NULL };
	return (struct accept_version){ .version = version, .result = result };
}

static int accept(const struct accept_version *versions, size_t count)
{
	return accept_findings(&got, versions, count, &arena, &err);
}

static void expect_line(size_t index, const char *rule, const char *entry, const char *versions)
{
	assert_true(index < got.count);
	assert_string_equal(got.item[index].rule, rule);
	assert_string_equal(got.item[index].entry, entry);
	assert_string_equal(got.item[index].versions, versions);
	assert_string_equal(got.item[index].expires, "never");
	assert_string_equal(got.item[index].reason, ACCEPT_TODO);
}

static void nothing_found_is_no_line(void **state)
{
	const struct accept_version versions[] = { at("1.0", NULL, NULL) };

	(void)state;
	assert_int_equal(accept(versions, 1), 0);
	assert_int_equal(got.count, 0);
}

static void an_unavailable_version_has_no_new_line_and_splits_no_range(void **state)
{
	struct accept_version versions[] = { at("1.0", &size_of_a, NULL), at("1.1", &number_of_b, NULL),
					     at("1.2", &size_of_a, NULL) };

	(void)state;
	versions[1].unavailable = true;
	assert_int_equal(accept(versions, 3), 0);
	assert_int_equal(got.count, 1);
	expect_line(0, "size", "CMD_A", "1.0..1.2");
}

static void neighbours_are_one_range_whatever_the_order(void **state)
{
	const struct accept_version versions[] = { at("10.5", &size_of_a, NULL),
						   at("9.1", &other_size_of_a, NULL),
						   at("10.40", &size_of_a, NULL) };

	(void)state;
	assert_int_equal(accept(versions, 3), 0);
	assert_int_equal(got.count, 1);
	assert_int_equal(got.unexplained, 1);
	expect_line(0, "size", "CMD_A", "9.1..10.40");
	assert_int_equal(got.item[0].finding_count, 2);
	assert_string_equal(got.item[0].findings[0]->message, "a is 5");
}

static void a_version_without_it_ends_a_range(void **state)
{
	const struct accept_version versions[] = { at("1.0", &size_of_a, NULL), at("2.0", &size_of_a, NULL),
						   at("3.0", NULL, NULL), at("4.0", &size_of_a, NULL) };

	(void)state;
	assert_int_equal(accept(versions, 4), 0);
	assert_int_equal(got.count, 2);
	expect_line(0, "size", "CMD_A", "1.0..2.0");
	expect_line(1, "size", "CMD_A", "4.0");
}

static void what_is_unseen_has_a_line(void **state)
{
	const struct accept_version versions[] = { at("1.0", &size_of_a, &number_of_b) };

	(void)state;
	assert_int_equal(accept(versions, 1), 0);
	assert_int_equal(got.count, 2);
	expect_line(1, "number", "CMD_B", "1.0");
}

static void a_line_that_took_something_stays_as_it_is(void **state)
{
	struct suppression line = { .line = 3,
				    .rule_text = "*",
				    .entry = "CMD_*",
				    .versions = "..2.0",
				    .expires_text = "2030-01-01",
				    .reason = "why" };
	const struct suppressed taken = { &number_of_b, &line };
	struct accept_version versions[] = { at("1.0", &size_of_a, NULL) };

	(void)state;
	versions[0].suppressed = &taken;
	versions[0].suppressed_count = 1;
	assert_int_equal(accept(versions, 1), 0);
	assert_int_equal(got.count, 2);
	assert_int_equal(got.unexplained, 1);
	assert_string_equal(got.item[0].rule, "*");
	assert_string_equal(got.item[0].versions, "..2.0");
	assert_string_equal(got.item[0].expires, "2030-01-01");
	assert_string_equal(got.item[0].reason, "why");
	expect_line(1, "size", "CMD_A", "1.0");
}

static void an_entry_is_a_glob_of_itself_alone(void **state)
{
	static const struct verify_finding hostile = {
		.rule = VERIFY_CAPS, .family = "control", .entry = "A*[b]\\ \xc3\xa9", .message = ""
	};
	const struct accept_version versions[] = { at("1.0", &hostile, NULL) };

	(void)state;
	assert_int_equal(accept(versions, 1), 0);
	assert_string_equal(got.item[0].entry, "A\\*\\[b\\]\\\\???");
}

static void what_no_line_can_hold_is_refused(void **state)
{
	static const struct verify_finding nameless = {
		.rule = VERIFY_CAPS, .family = "control", .entry = "", .message = ""
	};
	const struct accept_version unnamed[] = { at("1.0", &nameless, NULL) };
	static const char *const versions[] = { "", "*", "1 0", "1..2", "1\n2", "1\xe2\x80\xae" };

	(void)state;
	assert_int_equal(accept(unnamed, 1), ERR_FORMAT);
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		const struct accept_version one[] = { at(versions[i], &size_of_a, NULL) };

		assert_int_equal(accept(one, 1), ERR_FORMAT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(nothing_found_is_no_line, end_test),
		cmocka_unit_test_teardown(an_unavailable_version_has_no_new_line_and_splits_no_range,
					  end_test),
		cmocka_unit_test_teardown(neighbours_are_one_range_whatever_the_order, end_test),
		cmocka_unit_test_teardown(a_version_without_it_ends_a_range, end_test),
		cmocka_unit_test_teardown(what_is_unseen_has_a_line, end_test),
		cmocka_unit_test_teardown(a_line_that_took_something_stays_as_it_is, end_test),
		cmocka_unit_test_teardown(an_entry_is_a_glob_of_itself_alone, end_test),
		cmocka_unit_test_teardown(what_no_line_can_hold_is_refused, end_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
