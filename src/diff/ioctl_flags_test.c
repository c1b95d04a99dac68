/* Which flags of an ioctl decide who may call it. */
#include "diff/fixture_test.h"

#include "diff/ioctl_flags.h"

enum { WORDS_MAX = 4 };

/* @words: sorted, joined by blanks. */
static struct abi_ioctl ioctl_with(const char *words, const char *rights)
{
	const char **flags = arena_array(&arena, WORDS_MAX, sizeof(*flags));
	struct abi_ioctl ioctl = { .family = "control", .name = "CMD", .flags = flags, .access = rights, .source = "" };
	char *text = arena_strdup(&arena, words), *rest = NULL;

	for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		flags[ioctl.flag_count++] = word;
	return ioctl;
}

static unsigned classes;
static const struct diff_flag *flags;
static size_t flag_count;

static void compare_with_rights(const char *was, const char *was_rights, const char *is, const char *is_rights)
{
	const struct abi_ioctl before = ioctl_with(was, was_rights), after = ioctl_with(is, is_rights);

	classes = diff_compare_flags(&flags, &flag_count, &before, &after, &arena);
}

static void compare(const char *was, const char *is)
{
	compare_with_rights(was, NULL, is, NULL);
}

/* What the comparison found, as "+came -went". */
static void assert_flags(const char *expected)
{
	struct strbuf line = { 0 };

	for (size_t i = 0; i < flag_count; i++)
		strbuf_addf(&line, "%s%c%s", i ? " " : "", flags[i].came ? '+' : '-', flags[i].word);
	assert_string_equal(strbuf_text(&line), expected);
	strbuf_release(&line);
}

static void equal_flags_are_no_change(void **state)
{
	(void)state;
	compare_with_rights("cacheable privileged", "nice", "cacheable privileged", "nice");
	assert_int_equal(classes, 0);
	assert_int_equal(flag_count, 0);
}

static void another_privilege_is_access(void **state)
{
	(void)state;
	compare("privileged", "non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
	assert_flags("+non-privileged -privileged");
}

static void a_lock_is_flags(void **state)
{
	(void)state;
	compare("non-privileged", "no-gpus-lock non-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
	assert_flags("+no-gpus-lock");
}

static void a_privilege_and_a_lock_are_both(void **state)
{
	(void)state;
	compare("kernel-privileged", "no-gpus-lock privileged");
	assert_int_equal(classes, DIFF_ACCESS | DIFF_FLAGS);
	assert_flags("+privileged -kernel-privileged +no-gpus-lock");
}

static void a_right_is_access(void **state)
{
	(void)state;
	compare_with_rights("non-privileged", NULL, "non-privileged", "nice");
	assert_int_equal(classes, DIFF_ACCESS);
	assert_int_equal(flags[0].kind, DIFF_FLAG_RIGHT);
	assert_flags("+nice");
}

static void of_several_rights_only_those_that_differ_are_told(void **state)
{
	(void)state;
	compare_with_rights("", "debug,nice", "", "nice,perfmon");
	assert_flags("+perfmon -debug");
}

static void a_longer_right_is_another_one(void **state)
{
	(void)state;
	compare_with_rights("", "nice", "", "nicer");
	assert_flags("+nicer -nice");
}

static void a_plugin_that_is_let_in_is_no_access_of_a_process(void **state)
{
	(void)state;
	compare("kernel-privileged", "cpu-plugin-for-sriov kernel-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
}

static void what_only_the_driver_may_call_is_access(void **state)
{
	(void)state;
	compare("non-privileged", "internal-only non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void what_nothing_answers_is_access(void **state)
{
	(void)state;
	compare("not-dispatched", "");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void a_privilege_that_is_new_to_us_is_access(void **state)
{
	(void)state;
	compare("non-privileged", "hypervisor-privileged non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void open_to_all_as_before_is_flags(void **state)
{
	(void)state;
	compare("", "non-privileged");
	assert_int_equal(classes, DIFF_FLAGS);
	compare("non-privileged", "");
	assert_int_equal(classes, DIFF_FLAGS);
}

static void a_privilege_where_none_was_stated_is_access(void **state)
{
	(void)state;
	compare("", "privileged");
	assert_int_equal(classes, DIFF_ACCESS);
	compare("kernel-privileged", "");
	assert_int_equal(classes, DIFF_ACCESS);
}

static void a_command_that_is_only_deprecated_any_more_states_no_privilege(void **state)
{
	(void)state;
	compare("deprecated privileged", "deprecated");
	assert_int_equal(classes, DIFF_FLAGS);
	assert_flags("-privileged");
}

static void a_deprecated_command_with_a_method_states_its_privilege(void **state)
{
	(void)state;
	compare("deprecated privileged", "deprecated non-privileged");
	assert_int_equal(classes, DIFF_ACCESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_flags_are_no_change),
		TEST(another_privilege_is_access),
		TEST(a_lock_is_flags),
		TEST(a_privilege_and_a_lock_are_both),
		TEST(a_right_is_access),
		TEST(of_several_rights_only_those_that_differ_are_told),
		TEST(a_longer_right_is_another_one),
		TEST(a_plugin_that_is_let_in_is_no_access_of_a_process),
		TEST(what_only_the_driver_may_call_is_access),
		TEST(what_nothing_answers_is_access),
		TEST(a_privilege_that_is_new_to_us_is_access),
		TEST(open_to_all_as_before_is_flags),
		TEST(a_privilege_where_none_was_stated_is_access),
		TEST(a_command_that_is_only_deprecated_any_more_states_no_privilege),
		TEST(a_deprecated_command_with_a_method_states_its_privilege),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
