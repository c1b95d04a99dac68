/* Tests of the reader for "drvabi-use/1", with valid and invalid texts. */
#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int end_test(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

#define RULE(more) \
	"{\"format\": \"drvabi-use/1\", \"pids\": [{\"record\": \"R\", \"path\": \"a[]\", \"evidence\": \"e\", " more \
	"}]}"

static struct pid_rule rule_of(const char *text)
{
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	if (json_read_use(&rules, text, strlen(text), "t", &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules.pids.count, 1);
	return rules.pids.rules[0];
}

static void assert_refused(const char *text, const char *because)
{
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	assert_int_equal(json_read_use(&rules, text, strlen(text), "t", &arena, &err), ERR_FORMAT);
	if (!strstr(err.text, because))
		fail_msg("no '%s' in '%s'", because, err.text);
	assert_null(rules.pids.rules);
}

static void a_rule_is_read(void **state)
{
	struct pid_rule rule = rule_of(RULE(
		"\"direction\": \"inout\", \"of\": \"guest\", \"count\": \"n\", "
		"\"driver_converts\": [{\"since\": \"1.2\", \"until\": \"1.10\"}, {\"since\": \"2.0\"}]"));

	(void)state;
	assert_string_equal(rule.record, "R");
	assert_string_equal(rule.path, "a[]");
	assert_string_equal(rule.count, "n");
	assert_int_equal(rule.direction, USE_INOUT);
	assert_true(rule.of_guest);
	assert_int_equal(rule.convert_count, 2);
	assert_string_equal(rule.converts[0].until, "1.10");
	assert_null(rule.converts[1].until);
}

static void what_is_left_out_is_the_host_no_count_and_never(void **state)
{
	struct pid_rule rule = rule_of(RULE("\"direction\": \"in\""));

	(void)state;
	assert_false(rule.of_guest);
	assert_null(rule.count);
	assert_int_equal(rule.convert_count, 0);
}

static void other_words_are_refused(void **state)
{
	(void)state;
	assert_refused(RULE("\"direction\": \"up\""), "\"up\" is not a direction (in, out or inout)");
	assert_refused(RULE("\"direction\": \"in\", \"of\": \"moon\""),
		       "\"moon\" is not a value of \"of\" (host or guest)");
	assert_refused(RULE("\"direction\": \"in\", \"extra\": 1"), "extra");
	assert_refused("{\"format\": \"drvabi-use/2\", \"pids\": []}", "drvabi-use/2");
}

static void versions_out_of_order_are_refused(void **state)
{
	(void)state;
	assert_refused(
		RULE("\"direction\": \"in\", \"driver_converts\": [{\"since\": \"2.0\", \"until\": \"2.0\"}]"),
		"2.0 is not newer than 2.0");
	assert_refused(
		RULE("\"direction\": \"in\", \"driver_converts\": [{\"since\": \"1.0\"}, {\"since\": \"2.0\"}]"),
		"begins before the previous range ends");
	assert_refused(
		RULE("\"direction\": \"in\", \"driver_converts\": [{\"since\": \"1.0\", \"until\": \"3.0\"}, {\"since\": \"2.0\"}]"),
		"begins before the previous range ends");
}

/* --- pointers -------------------------------------------------------------------- */

#define POINTER(more)                                                                                        \
	"{\"format\": \"drvabi-use/1\", \"pids\": [], \"pointers\": [{\"record\": \"R\", \"path\": \"p\", "  \
	"\"element\": \"NvU8\", \"direction\": \"out\", \"evidence\": \"e\"" more "}]}"

static struct pointer_rule pointer_of(const char *text)
{
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	if (json_read_use(&rules, text, strlen(text), "t", &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules.pointers.count, 1);
	return rules.pointers.rules[0];
}

static void a_pointer_with_nothing_more_is_one_element_always(void **state)
{
	const struct pointer_rule rule = pointer_of(POINTER(""));

	(void)state;
	assert_string_equal(rule.path, "p");
	assert_int_equal(rule.direction, USE_OUT);
	assert_null(rule.count);
	assert_null(rule.when);
	assert_int_equal(rule.version_count, 0);
}

static void a_pointer_has_counts_a_condition_and_versions(void **state)
{
	const struct pointer_rule rule = pointer_of(POINTER(
		", \"ioctl\": \"I\", \"count\": \"n\", \"times\": \"m\", \"limit\": 64, \"converted\": \"S.f\", "
		"\"when\": {\"field\": \"k\", \"mask\": 240, \"equals\": 16}, \"versions\": [{\"since\": \"1.0\"}]"));

	(void)state;
	assert_string_equal(rule.ioctl, "I");
	assert_string_equal(rule.count, "n");
	assert_string_equal(rule.times, "m");
	assert_int_equal(rule.limit_bytes, 64);
	assert_string_equal(rule.converted, "S.f");
	assert_string_equal(rule.when, "k");
	assert_int_equal(rule.mask, 240);
	assert_int_equal(rule.equals, 16);
	assert_string_equal(rule.versions[0].since, "1.0");
}

static void a_pointer_rule_that_cannot_hold_is_refused(void **state)
{
	(void)state;
	assert_refused(POINTER(", \"times\": \"m\""), "\"times\" needs \"count\"");
	assert_refused(POINTER(", \"when\": {\"field\": \"k\", \"mask\": 1, \"equals\": 2}"),
		       "not in \"mask\"");
}

/* --- unions ---------------------------------------------------------------------- */

#define UNION(choices, more)                                                                                 \
	"{\"format\": \"drvabi-use/1\", \"pids\": [], \"unions\": [{\"record\": \"R\", \"union\": \"u\", "   \
	"\"by\": \"k\", \"choices\": [" choices "], \"evidence\": \"e\"" more "}]}"

static void a_union_has_choices_by_value(void **state)
{
	static const char text[] = UNION(
		"{\"value\": 1, \"name\": \"ONE\", \"member\": \"a\"}, {\"value\": 7, \"member\": \"b\"}",
		", \"versions\": [{\"since\": \"1.0\"}]");
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	(void)state;
	if (json_read_use(&rules, text, strlen(text), "t", &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules.unions.count, 1);
	assert_string_equal(rules.unions.rules[0].field, "u");
	assert_string_equal(rules.unions.rules[0].by, "k");
	assert_int_equal(rules.unions.rules[0].choice_count, 2);
	assert_string_equal(rules.unions.rules[0].choices[0].name, "ONE");
	assert_int_equal(rules.unions.rules[0].choices[1].value, 7);
	assert_null(rules.unions.rules[0].choices[1].name);
	assert_string_equal(rules.unions.rules[0].versions[0].since, "1.0");
}

static void a_value_that_chooses_twice_is_refused(void **state)
{
	(void)state;
	assert_refused(UNION("{\"value\": 1, \"member\": \"a\"}, {\"value\": 1, \"member\": \"b\"}", ""),
		       "must be larger than that of the previous choice");
	assert_refused(UNION("{\"value\": -1, \"member\": \"a\"}", ""), "value");
}

#define FD(kind) \
	"{\"format\": \"drvabi-use/1\", \"pids\": [], \"arrays\": [{\"ioctl\": \"I\", \"element\": \"E\", \"evidence\": \"e\"}], " \
	"\"fds\": [{\"record\": \"R\", \"path\": \"fd\", \"kind\": \"" kind \
	"\", \"optional\": true, \"evidence\": \"e\"}]}"

static void a_file_descriptor_is_of_a_known_kind(void **state)
{
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	(void)state;
	if (json_read_use(&rules, FD("event"), strlen(FD("event")), "t", &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules.array_count, 1);
	assert_string_equal(rules.arrays[0].element, "E");
	assert_int_equal(rules.fd_count, 1);
	assert_string_equal(rules.fds[0].kind, "event");
	assert_true(rules.fds[0].optional);
	assert_refused(FD("socket"), "must be frontend, event, capability or uvm, not \"socket\"");
}

#define TEST(name) cmocka_unit_test_teardown(name, end_test)

#define DEVICE(more) \
	"{\"format\": \"drvabi-use/1\", \"pids\": [], \"devices\": [{\"path\": \"/dev/d#\", \"evidence\": \"e\"" more \
	"}]}"

static struct device_rule device_of(const char *text)
{
	struct use_rules rules = { .pids = { 0 } };
	struct err err = { "" };

	if (json_read_use(&rules, text, strlen(text), "t", &arena, &err))
		fail_msg("%s", err.text);
	assert_int_equal(rules.devices.count, 1);
	return rules.devices.rules[0];
}

static void a_device_is_read(void **state)
{
	struct device_rule rule = device_of(DEVICE(
		", \"family\": \"f\", \"major\": 226, \"minors\": [64, 127], \"module\": \"m\", \"driver\": \"d-*\""));

	(void)state;
	assert_string_equal(rule.path, "/dev/d#");
	assert_string_equal(rule.family, "f");
	assert_string_equal(rule.module, "m");
	assert_string_equal(rule.driver, "d-*");
	assert_int_equal(rule.major, 226);
	assert_int_equal(rule.first_minor, 64);
	assert_int_equal(rule.last_minor, 127);
	rule = device_of(DEVICE(""));
	assert_string_equal(rule.family, "");
	assert_int_equal(rule.major, 0);
	assert_int_equal(rule.last_minor, UINT32_MAX);
}

static void a_device_with_a_mistake_is_refused(void **state)
{
	(void)state;
	assert_refused(DEVICE(", \"minors\": [1]"), "\"minors\" must be a pair [first, last]");
	assert_refused(DEVICE(", \"minors\": [2, 1]"), "\"minors\" must be a pair [first, last]");
	assert_refused(DEVICE(", \"minors\": [1, 2, 3]"), "\"minors\" must be a pair [first, last]");
	assert_refused(DEVICE(", \"family\": \"a-name-that-is-too-long\""), "longer than 15 characters");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_rule_is_read),
		TEST(what_is_left_out_is_the_host_no_count_and_never),
		TEST(other_words_are_refused),
		TEST(versions_out_of_order_are_refused),
		TEST(a_pointer_with_nothing_more_is_one_element_always),
		TEST(a_pointer_has_counts_a_condition_and_versions),
		TEST(a_pointer_rule_that_cannot_hold_is_refused),
		TEST(a_union_has_choices_by_value),
		TEST(a_value_that_chooses_twice_is_refused),
		TEST(a_file_descriptor_is_of_a_known_kind),
		TEST(a_device_is_read),
		TEST(a_device_with_a_mistake_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
