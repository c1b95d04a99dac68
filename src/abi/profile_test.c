#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#define STRINGS(...)                                                                                         \
	{ (const char *const[]){ __VA_ARGS__ },                                                              \
	  sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *) }

static bool matches(const char *glob, const char *text)
{
	const struct profile_strings globs = { &glob, 1 };

	return profile_matches(&globs, text);
}

static void a_glob_without_wildcards_matches_itself(void **state)
{
	(void)state;
	assert_true(matches("NV_ESC_RM_FREE", "NV_ESC_RM_FREE"));
	assert_false(matches("NV_ESC_RM_FREE", "NV_ESC_RM_FREES"));
	assert_false(matches("NV_ESC_RM_FREE", "NV_ESC_RM_FRE"));
	assert_false(matches("nv_esc_rm_free", "NV_ESC_RM_FREE"));
}

static void a_star_matches_any_text(void **state)
{
	(void)state;
	assert_true(matches("*", ""));
	assert_true(matches("NV_ESC_*", "NV_ESC_RM_FREE"));
	assert_true(matches("*_PARAMS", "A_PARAMS"));
	assert_true(matches("*_CMD_*_SET*", "NV_CMD_X_CMD_Y_SET"));
	assert_true(matches("a**b", "ab"));
	assert_false(matches("NV_ESC_*", "NV_ES"));
	assert_false(matches("*_PARAMS", "A_PARAMS_V2"));
	assert_false(matches("*a*b", "b_a"));
}

static void a_star_matches_a_slash(void **state)
{
	(void)state;
	assert_true(matches("src/*.h", "src/ctrl/a.h"));
	assert_true(matches("src/*.[h]", "src/ctrl/a.h"));
}

static void other_wildcards_are_those_of_fnmatch(void **state)
{
	(void)state;
	assert_true(matches("ctrl00[0-9]?", "ctrl0080"));
	assert_false(matches("ctrl00[0-7]?", "ctrl0080"));
	assert_true(matches("*\\*", "void *"));
	assert_false(matches("*\\*", "void"));
}

static void any_glob_of_the_list_will_do(void **state)
{
	const struct profile_strings globs = STRINGS("A*", "B*");
	const struct profile_strings none = { NULL, 0 };

	(void)state;
	assert_true(profile_matches(&globs, "BC"));
	assert_false(profile_matches(&globs, "CB"));
	assert_false(profile_matches(&none, "A"));
}

static const struct profile_role rules[] = {
	{ .role = ABI_ROLE_NONE, .record = "PLAIN*", .name = "fd" },
	{ .role = ABI_ROLE_FD, .name = "*fd" },
	{ .role = ABI_ROLE_HANDLE, .type = "NvHandle" },
	{ .role = ABI_ROLE_POINTER, .type = "*\\*" },
	{ .role = ABI_ROLE_STATUS, .type = "NvU32", .name = "status" },
};
static const struct profile roles = { .name = "test", .roles = rules, .role_count = 5 };

static enum abi_role role_of(const struct profile *profile, const char *record, const char *name,
			     const char *type)
{
	return profile_role_of(profile, record, name, (const char *const[]){ type, NULL });
}

static void a_typedef_has_the_role_of_its_type(void **state)
{
	static const char *const types[] = { "Status[2]", "NvU32", "unsigned int", NULL },
				 *const handle[] = { "const Object", "NvHandle", "NvU32", NULL };

	(void)state;
	assert_int_equal(profile_role_of(&roles, "R", "status", types), ABI_ROLE_STATUS);
	assert_int_equal(profile_role_of(&roles, "R", "status", types + 2), ABI_ROLE_NONE);
	assert_int_equal(profile_role_of(&roles, "R", "x", handle), ABI_ROLE_HANDLE);
	/* The order of the rules decides, not the order of the types. */
	assert_int_equal(profile_role_of(&roles, "R", "status", handle), ABI_ROLE_HANDLE);
}

static void a_role_is_found_by_type(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "R", "hClient", "NvHandle"), ABI_ROLE_HANDLE);
	assert_int_equal(role_of(&roles, "R", "x", "void *"), ABI_ROLE_POINTER);
}

static void dimensions_do_not_matter_to_a_role(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "R", "h", "NvHandle[4][2]"), ABI_ROLE_HANDLE);
	assert_int_equal(role_of(&roles, "R", "h", "NvHandle[]"), ABI_ROLE_HANDLE);
	assert_int_equal(role_of(&roles, "R", "h", "void *[16]"), ABI_ROLE_POINTER);
}

static void qualifiers_do_not_matter_to_a_role(void **state)
{
	static const struct profile_role with_qualifiers[] = {
		{ .role = ABI_ROLE_SIZE, .type = "const char \\*" },
		{ .role = ABI_ROLE_POINTER, .type = "*(\\*)*" },
	};
	const struct profile profile = { .name = "test", .roles = with_qualifiers, .role_count = 2 };

	(void)state;
	assert_int_equal(role_of(&roles, "R", "x", "void *const"), ABI_ROLE_POINTER);
	assert_int_equal(role_of(&roles, "R", "x", "int *restrict"), ABI_ROLE_POINTER);
	assert_int_equal(role_of(&roles, "R", "x", "const char *const volatile[3]"),
			 ABI_ROLE_POINTER);
	assert_int_equal(role_of(&roles, "R", "x", "_Atomic(int *)"), ABI_ROLE_POINTER);
	assert_int_equal(role_of(&roles, "R", "status", "volatile NvU32"), ABI_ROLE_STATUS);
	assert_int_equal(role_of(&roles, "R", "h", "const NvHandle[2]"), ABI_ROLE_HANDLE);
	assert_int_equal(role_of(&roles, "R", "constant", "constant"), ABI_ROLE_NONE);
	assert_int_equal(role_of(&profile, "R", "x", "const char *const"), ABI_ROLE_NONE);
	assert_int_equal(role_of(&profile, "R", "x", "const char *"), ABI_ROLE_SIZE);
	assert_int_equal(role_of(&profile, "R", "x", "void (*const)(int)"), ABI_ROLE_POINTER);
}

static void the_case_of_a_name_does_not_matter_to_a_role(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "R", "rmCtrlFd", "NvS32"), ABI_ROLE_FD);
	assert_int_equal(role_of(&roles, "R", "RMCTRLFD", "NvS32"), ABI_ROLE_FD);
}

static void a_word_of_a_rule_does_not_match_across_two_words(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "R", "isOfD", "NvS32"), ABI_ROLE_NONE);
	assert_int_equal(role_of(&roles, "R", "isOfd", "NvS32"), ABI_ROLE_FD);
}

static void all_that_a_rule_says_must_hold(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "R", "status", "NvU32"), ABI_ROLE_STATUS);
	assert_int_equal(role_of(&roles, "R", "status", "NvU64"), ABI_ROLE_NONE);
	assert_int_equal(role_of(&roles, "R", "state", "NvU32"), ABI_ROLE_NONE);
}

static void the_first_rule_that_holds_decides(void **state)
{
	(void)state;
	assert_int_equal(role_of(&roles, "PLAIN_R", "fd", "NvS32"), ABI_ROLE_NONE);
	assert_int_equal(role_of(&roles, "R", "fd", "NvHandle"), ABI_ROLE_FD);
}

static const struct profile_unit units[] = {
	{
		.name = "rm",
		.headers = STRINGS("inc/nvos.h", "inc/ctrl/*/*.h", "inc/class/cl*.h", "*.h"),
		.optional_headers = STRINGS("inc/alloc/*.h"),
		.include = STRINGS("inc", "uvm/", "."),
	},
	{ .name = "uvm", .headers = STRINGS("uvm/uvm.h", "inc/nvos.h") },
};
static const struct profile_family families[] = {
	{
		.name = "control",
		.files = STRINGS("gen/g_*_nvoc.c"),
		.embedded = STRINGS("rm/copy.c"),
		.dispatch = { .files = STRINGS("kernel/route_*.c") },
		.deprecated = { .files = STRINGS("rm/old.c") },
		.flag_words = { .files = STRINGS("ctl/control.h") },
		.access_words = { .files = STRINGS("ctl/right?.h") },
	},
};

static void roots_are_all_that_a_document_can_depend_on(void **state)
{
	static const char *const want[] = {
		"",	    "ctl",	  "ctl/control.h", "gen",	"inc",	    "inc/alloc", "inc/class",
		"inc/ctrl", "inc/nvos.h", "kernel",	   "rm/copy.c", "rm/old.c", "uvm",	 "uvm/uvm.h",
	};
	const struct profile profile = {
		.name = "p", .units = units, .unit_count = 2, .families = families, .family_count = 1
	};
	struct arena arena = { 0 };
	struct profile_strings got;
	struct err err;

	(void)state;
	assert_int_equal(profile_roots(&got, &profile, &arena, &err), 0);
	assert_int_equal(got.count, sizeof(want) / sizeof(want[0]));
	for (size_t i = 0; i < got.count; i++)
		assert_string_equal(got.item[i], want[i]);
	arena_release(&arena);
}

static int roots_of_include(const char *path, struct err *err)
{
	const struct profile_unit unit = { .name = "u", .include = { &path, 1 } };
	const struct profile profile = { .name = "p", .units = &unit, .unit_count = 1 };
	struct profile_strings got = { NULL, 77 };
	struct arena arena = { 0 };
	int rc = profile_roots(&got, &profile, &arena, err);

	assert_true(!rc || got.count == 77);
	arena_release(&arena);
	return rc;
}

static void roots_that_leave_the_tree_are_refused(void **state)
{
	struct err err = { "" };

	(void)state;
	assert_int_equal(roots_of_include("/usr/include", &err), ERR_FORMAT);
	assert_string_equal(
		err.text,
		"profile p, unit u: the path \"/usr/include\" leaves the driver tree; paths are relative to "
		"its root");
	assert_int_equal(roots_of_include("..", &err), ERR_FORMAT);
	assert_int_equal(roots_of_include("../a", &err), ERR_FORMAT);
	assert_int_equal(roots_of_include("a/../../b", &err), ERR_FORMAT);
	assert_int_equal(roots_of_include("a/..", &err), ERR_FORMAT);
}

static void dots_in_names_do_not_leave_the_tree(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(roots_of_include("a..b/..c/d..", &err), 0);
}

static void a_profile_without_paths_has_no_roots(void **state)
{
	const struct profile profile = { .name = "p" };
	struct profile_strings got = { NULL, 77 };
	struct arena arena = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(profile_roots(&got, &profile, &arena, &err), 0);
	assert_int_equal(got.count, 0);
	arena_release(&arena);
}

static void what_is_asked_for_comes_behind_the_rules_of_the_profile(void **state)
{
	static const struct profile_constant own = { .name = "A_*" };
	const struct profile_strings globs = STRINGS("B_*", "C");
	struct profile profile = { .constants = &own, .constant_count = 1 };
	struct arena arena = { 0 };

	(void)state;
	profile_want_constants(&profile, &globs, &arena);
	assert_int_equal(profile.constant_count, 5);
	assert_string_equal(profile.constants[0].name, "A_*");
	assert_false(profile.constants[0].is_extra);
	for (size_t i = 1; i < 5; i++) { /* each glob adds a rule for macros and one for enumerators */
		assert_string_equal(profile.constants[i].name, globs.item[(i - 1) / 2]);
		assert_true(profile.constants[i].is_extra);
		assert_int_equal(profile.constants[i].enumeration != NULL, i % 2 == 0);
	}
	arena_release(&arena);
}

static void a_profile_that_is_asked_for_more_is_another_one(void **state)
{
	const struct profile_strings globs[] = { STRINGS("B", "C"), STRINGS("B"), STRINGS("C", "B"),
						 STRINGS("BC") };
	const char *hashes[5] = { "aa" };
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct profile profile = { .hash = "aa" };

		profile_want_constants(&profile, &globs[i], &arena);
		hashes[i + 1] = profile.hash;
		for (size_t before = 0; before <= i; before++)
			assert_string_not_equal(hashes[before], profile.hash);
	}
	arena_release(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_without_wildcards_matches_itself),
		cmocka_unit_test(a_star_matches_any_text),
		cmocka_unit_test(a_star_matches_a_slash),
		cmocka_unit_test(other_wildcards_are_those_of_fnmatch),
		cmocka_unit_test(any_glob_of_the_list_will_do),
		cmocka_unit_test(a_role_is_found_by_type),
		cmocka_unit_test(a_typedef_has_the_role_of_its_type),
		cmocka_unit_test(dimensions_do_not_matter_to_a_role),
		cmocka_unit_test(qualifiers_do_not_matter_to_a_role),
		cmocka_unit_test(the_case_of_a_name_does_not_matter_to_a_role),
		cmocka_unit_test(a_word_of_a_rule_does_not_match_across_two_words),
		cmocka_unit_test(all_that_a_rule_says_must_hold),
		cmocka_unit_test(the_first_rule_that_holds_decides),
		cmocka_unit_test(roots_are_all_that_a_document_can_depend_on),
		cmocka_unit_test(roots_that_leave_the_tree_are_refused),
		cmocka_unit_test(dots_in_names_do_not_leave_the_tree),
		cmocka_unit_test(a_profile_without_paths_has_no_roots),
		cmocka_unit_test(what_is_asked_for_comes_behind_the_rules_of_the_profile),
		cmocka_unit_test(a_profile_that_is_asked_for_more_is_another_one),
	};

	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
