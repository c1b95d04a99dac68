#include "abi/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#define UNIT "{\"name\": \"u\", \"headers\": [\"a.h\"]}"
#define PROFILE(units, more)                                                                                 \
	"{\"format\": \"drvabi-profile/1\", \"name\": \"p\", \"units\": [" units "]" more "}"
#define ROUTES(members)                                                                                      \
	FAMILY("\"source\": \"enum\", \"enum\": \"e\", \"routes\": {\"files\": [\"a.c\"], " members "}")
#define FAMILY(members) PROFILE(UNIT, ", \"families\": [{\"name\": \"f\", " members "}]")

static void everything_a_profile_can_say_is_read(void **state)
{
	static const char text[] =
		"{\"format\": \"drvabi-profile/1\", \"name\": \"p\", \"description\": \"d\", \"repository\": \"https://r\","
		"\"units\": [{\"name\": \"u\", \"headers\": [\"a/*.h\"], \"optional_headers\": [\"b.h\"],"
		"  \"include\": [\".\", \"a\", {\"aarch64-linux-gnu\": \"arm\", \"x86_64-linux-gnu\": \"x86\"}],"
		"  \"define\": [\"X=1\"], \"prologue\": [\"typedef int t;\"], \"stand_ins\": [{\"path\": \"c.h\", \"text\": \"\\n\"},"
		"  {\"path\": \"d.h\", \"text\": \"\", \"expected\": true}], \"context\": [\"e.h\"]}],"
		"\"constants\": [{\"name\": \"A_*\", \"file\": \"a/*\", \"value\": \"^1$\", \"except\": [\"A_B\"]}, {\"name\": \"E_*\", \"enum\": \"::E_OK_t\"}],"
		"\"roles\": [{\"role\": \"none\", \"name\": \"n\"}, {\"role\": \"fd\", \"type\": \"int\", \"name\": \"fd\", \"record\": \"R\"},"
		"  {\"role\": \"kernel-pointer\", \"name\": \"k\", \"evidence\": \"f() in f.c\"}],"
		"\"families\": [{\"name\": \"f\", \"source\": \"constants\", \"match\": [\"A_*\"], \"except\": [\"A_C\"], \"unit\": \"u\","
		"  \"dispatch\": {\"files\": [\"d/*.c\"], \"macros\": [\"ROUTE_*\"]},"
		"  \"params\": [{\"ioctl\": \"A_D\", \"record\": \"\\\\1\", \"regex\": \"struct (.*)\", \"name_regex\": \"A\"}]},"
		" {\"name\": \"g\", \"source\": \"nvoc\", \"files\": [\"g.c\"], \"embedded\": [\"e.c\"],"
		"  \"bits\": [{\"name\": \"class\", \"low_bit\": 16, \"width\": 48, \"family\": \"f\"}, {\"name\": \"m\", \"low_bit\": 0, \"width\": 8, \"macros\": \"A\\\\1_\"}],"
		"  \"deprecated\": {\"files\": [\"o.c\"], \"table\": \"oldTable\"},"
		"  \"flag_words\": {\"files\": [\"w.h\"], \"prefix\": [\"F_\"], \"except\": [\"F_0\"], \"fallback\": \"F_1\", \"unless\": [\"F_2\"]}},"
		" {\"name\": \"h\", \"source\": \"enum\", \"enum\": \"e\", \"flags\": [\"test\"],"
		"  \"routes\": {\"files\": [\"r.c\"], \"calls\": [{\"name\": \"E\", \"ioctl\": \"\\\\1\"}, {\"name\": \"F\", \"ioctl\": \"A\\\\2\","
		"   \"record\": \"R\\\\1\", \"flags\": [\"x\"], \"words\": \"\\\\3\", \"prefix\": \"P_\"}]}}]}";
	const struct profile_family *family;
	struct arena arena = { 0 };
	struct profile profile;
	struct err err = { "" };

	(void)state;
	json_read_profile(&profile, text, sizeof(text) - 1, "x", &arena, &err);
	assert_string_equal(err.text, "");
	assert_string_equal(profile.repository, "https://r");
	assert_string_equal(profile.units[0].include.item[1], "a");
	assert_null(profile.units[0].include_target[1]);
	assert_string_equal(profile.units[0].include.item[2], "x86");
	assert_string_equal(profile.units[0].include_target[2], "x86_64-linux-gnu");
	assert_string_equal(profile.units[0].include.item[3], "arm");
	assert_string_equal(profile.units[0].include_target[3], "aarch64-linux-gnu");
	assert_string_equal(profile.units[0].stand_ins[0].path, "c.h");
	assert_string_equal(profile.units[0].stand_ins[0].text, "\n");
	assert_string_equal(profile.constants[0].value, "^1$");
	assert_null(profile.constants[0].enumeration);
	assert_string_equal(profile.constants[1].enumeration, "::E_OK_t");
	assert_int_equal(profile.roles[0].role, ABI_ROLE_NONE);
	assert_int_equal(profile.roles[1].role, ABI_ROLE_FD);
	assert_null(profile.roles[1].evidence);
	assert_int_equal(profile.roles[2].role, ABI_ROLE_KERNEL_POINTER);
	assert_string_equal(profile.roles[2].evidence, "f() in f.c");
	family = &profile.families[0];
	assert_int_equal(family->source, PROFILE_FROM_CONSTANTS);
	assert_string_equal(family->params[0].record, "\\1");
	assert_string_equal(family->dispatch.files.item[0], "d/*.c");
	assert_string_equal(family->dispatch.macros.item[0], "ROUTE_*");
	assert_null(family->deprecated.table);
	family = &profile.families[1];
	assert_int_equal(family->source, PROFILE_FROM_NVOC);
	assert_string_equal(family->deprecated.files.item[0], "o.c");
	assert_string_equal(family->deprecated.table, "oldTable");
	assert_string_equal(family->flag_words.fallback, "F_1");
	assert_int_equal(family->access_words.files.count, 0);
	assert_int_equal(family->bits_count, 2);
	assert_int_equal(family->bits[0].width, 48);
	assert_string_equal(family->bits[0].family, "f");
	assert_string_equal(family->bits[1].macros, "A\\1_");
	assert_false(profile.units[0].stand_ins[0].is_expected);
	assert_true(profile.units[0].stand_ins[1].is_expected);
	assert_string_equal(profile.units[0].context.item[0], "e.h");
	family = &profile.families[2];
	assert_int_equal(family->source, PROFILE_FROM_ENUM);
	assert_string_equal(family->enumeration, "e");
	assert_string_equal(family->flags.item[0], "test");
	assert_string_equal(family->routes.files.item[0], "r.c");
	assert_int_equal(family->routes.call_count, 2);
	assert_null(family->routes.calls[0].record);
	assert_null(family->routes.calls[0].words);
	assert_string_equal(family->routes.calls[0].prefix, "");
	assert_string_equal(family->routes.calls[1].ioctl, "A\\2");
	assert_string_equal(family->routes.calls[1].record, "R\\1");
	assert_string_equal(family->routes.calls[1].words, "\\3");
	assert_string_equal(family->routes.calls[1].prefix, "P_");
	arena_release(&arena);
}

static void a_unit_of_linux_has_choices_basics_and_types(void **state)
{
	static const char text[] = PROFILE(
		"{\"name\": \"u\", \"headers\": [\"a.h\", [\"b.h\", \"c.h\"]], \"basics\": \"linux\", \"unreadable\": \"warning\"}",
		", \"families\": [{\"name\": \"f\", \"source\": \"ioc\", \"ioc\": {\"types\": [\"K\", \"0x12\", \"0\"], \"known_by\": \"nr\"}}]");
	struct arena arena = { 0 };
	struct profile profile;

	(void)state;
	assert_int_equal(json_read_profile(&profile, text, strlen(text), "x", &arena, NULL), 0);
	assert_int_equal(profile.units[0].headers.count, 3);
	assert_false(profile.units[0].is_alternative[1]);
	assert_true(profile.units[0].is_alternative[2]);
	assert_true(profile.units[0].skips_unreadable);
	assert_string_equal(profile.units[0].include.item[0], "drvabi-basics");
	assert_true(profile.units[0].stand_ins[0].is_expected);
	assert_int_equal(profile.families[0].ioc.type_count, 3);
	assert_int_equal(profile.families[0].ioc.types[0], 'K');
	assert_int_equal(profile.families[0].ioc.types[1], 0x12);
	assert_int_equal(profile.families[0].ioc.types[2], '0');
	assert_true(profile.families[0].ioc.by_nr && profile.families[0].ioc.is_encoded);
	arena_release(&arena);
}

static void what_is_wrong_is_named_with_its_path(void **state)
{
	static const struct {
		const char *text;
		const char *sentence;
	} cases[] = {
		{ "{\"format\": \"drvabi-profile/2\", \"name\": \"p\", \"units\": []}",
		  "x: format: expected \"drvabi-profile/1\", found \"drvabi-profile/2\"" },
		{ PROFILE("", ""), "x: units: a profile needs at least one unit" },
		{ PROFILE(UNIT, ", \"role\": []"), "x: role: unknown key" },
		{ PROFILE(UNIT "," UNIT, ""), "x: units: two units are named \"u\"" },
		{ PROFILE("{\"name\": \"\", \"headers\": [\"a.h\"]}", ""),
		  "x: units[0].name: expected a name, found an empty string" },
		{ PROFILE("{\"name\": \"u\", \"headers\": []}", ""),
		  "x: units[0].headers: a unit needs at least one header" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"/etc/a.h\"]}", ""),
		  "x: units[0].headers[0]: \"/etc/a.h\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a/../../b.h\"]}", ""),
		  "x: units[0].headers[0]: \"a/../../b.h\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\".\"]}", ""),
		  "x: units[0].headers[0]: \".\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"include\": [\"a//b\"]}", ""),
		  "x: units[0].include[0]: \"a//b\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"include\": [\".\", {\"vax\": \"a\"}]}",
			  ""),
		  "x: units[0].include[1].vax: unknown key" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"include\": [{}]}", ""),
		  "x: units[0].include[0]: the object names no directory for any target" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"include\": [{\"x86_64-linux-gnu\": \"..\"}]}",
			  ""),
		  "x: units[0].include[0].x86_64-linux-gnu: \"..\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"include\": [1]}", ""),
		  "x: units[0].include[0]: expected a string, found an integer" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"stand_ins\": [{\"path\": \"a.h\"}]}",
			  ""),
		  "x: units[0].stand_ins[0]: the key \"text\" is missing" },
		{ PROFILE(UNIT, ", \"roles\": [{\"role\": \"boss\", \"name\": \"a\"}]"),
		  "x: roles[0].role: \"boss\" is not a role (pointer, fd, handle, pid, status, size, count, kernel-pointer or none)" },
		{ PROFILE(UNIT, ", \"roles\": [{\"role\": \"fd\"}]"),
		  "x: roles[0]: a rule without \"type\", \"name\" and \"record\" would match every field" },
		{ PROFILE(UNIT, ", \"constants\": [{\"name\": \"A\", \"enum\": \"E\", \"value\": \"^1\"}]"),
		  "x: constants[0].value: \"value\" matches the body of a macro, so a rule with \"enum\" cannot have it" },
		{ PROFILE(UNIT, ", \"constants\": [{\"name\": \"A\", \"enum\": \"\"}]"),
		  "x: constants[0].enum: expected a name, found an empty string" },
		{ PROFILE(UNIT, ", \"roles\": [{\"role\": \"fd\", \"name\": \"a\", \"evidence\": 1}]"),
		  "x: roles[0].evidence: expected a string, found an integer" },
		{ PROFILE(UNIT, ", \"roles\": [{\"role\": \"fd\", \"name\": \"a\", \"evidence\": \"\"}]"),
		  "x: roles[0].evidence: expected a name, found an empty string" },
		{ PROFILE(UNIT, ", \"roles\": [{\"role\": \"fd\", \"name\": \"a\", \"why\": \"x\"}]"),
		  "x: roles[0].why: unknown key" },
		{ FAMILY("\"source\": \"magic\""),
		  "x: families[0].source: \"magic\" is not a source of ioctls (constants, enum, nvoc, rs_entry or ioc)" },
		{ FAMILY("\"source\": \"enum\""),
		  "x: families[0]: the source \"enum\" needs \"enum\": the name of an enum; no other source can have it" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"enum\": \"e\""),
		  "x: families[0]: the source \"enum\" needs \"enum\": the name of an enum; no other source can have it" },
		{ FAMILY("\"source\": \"enum\", \"enum\": \"\""),
		  "x: families[0].enum: expected a name, found an empty string" },
		{ FAMILY("\"source\": \"enum\", \"enum\": \"e\", \"dispatch\": {\"files\": [\"a.c\"]}"),
		  "x: families[0]: \"dispatch\" is only for the sources constants and ioc" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"flags\": [\"test\"]"),
		  "x: families[0]: \"flags\" and \"routes\" are not for the sources nvoc and rs_entry, whose tables have both" },
		{ ROUTES("\"calls\": []"),
		  "x: families[0].routes: \"routes\" needs at least one file and one call" },
		{ ROUTES("\"call\": []"), "x: families[0].routes.call: unknown key" },
		{ ROUTES("\"calls\": [{\"name\": \"E\"}]"),
		  "x: families[0].routes.calls[0]: the key \"ioctl\" is missing" },
		{ ROUTES("\"calls\": [{\"name\": \"E\", \"ioctl\": \"\\\\0\"}]"),
		  "x: families[0].routes.calls[0].ioctl: a backslash must be followed by the number of an argument, 1 to 9" },
		{ ROUTES("\"calls\": [{\"name\": \"E\", \"ioctl\": \"A\\\\\"}]"),
		  "x: families[0].routes.calls[0].ioctl: a backslash must be followed by the number of an argument, 1 to 9" },
		{ ROUTES("\"calls\": [{\"name\": \"E\", \"ioctl\": \"A\", \"words\": \"W\\\\1\"}]"),
		  "x: families[0].routes.calls[0].words: \"words\" must be a single argument, \"\\1\" to \"\\9\"" },
		{ ROUTES("\"calls\": [{\"name\": \"E\", \"ioctl\": \"A\", \"prefix\": \"P\"}]"),
		  "x: families[0].routes.calls[0].prefix: \"prefix\" needs \"words\", which is missing" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"dispatch\": {\"files\": [\"a.c\"]}, "
			 "\"routes\": {\"files\": [\"a.c\"], \"calls\": [{\"name\": \"E\", \"ioctl\": \"A\"}]}"),
		  "x: families[0]: \"dispatch\" and \"routes\" cannot be used together; remove one of them" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"context\": [\"/a.h\"]}", ""),
		  "x: units[0].context[0]: \"/a.h\" is not a path inside a tree (a/b/c.h)" },
		{ FAMILY("\"source\": \"constants\""),
		  "x: families[0]: the source \"constants\" needs \"match\": globs for the names of macros" },
		{ FAMILY("\"source\": \"nvoc\""),
		  "x: families[0]: the sources nvoc and rs_entry need \"files\"" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"unit\": \"v\""),
		  "x: families: the family \"f\" names the unit \"v\", which does not exist" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"bits\": [{\"name\": \"a\", \"low_bit\": 16, \"width\": 49}]"),
		  "x: families[0].bits[0].width: 49 is above 48, the largest value allowed here" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"bits\": [{\"name\": \"a\", \"low_bit\": 16, \"width\": 0}]"),
		  "x: families[0].bits[0].width: expected a number from 1 to 48" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"params\": [{\"record\": \"\\\\1\"}]"),
		  "x: families[0].params[0].record: \"\\1\" needs a group in \"regex\", or in \"name_regex\" if \"regex\" is absent" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"params\": [{\"record\": \"\\\\1\", \"regex\": \"a+\"}]"),
		  "x: families[0].params[0].record: \"\\1\" needs a group in \"regex\", or in \"name_regex\" if \"regex\" is absent" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"params\": [{\"record\": \"\\\\2\", \"regex\": \"(a)(b)\"}]"),
		  "x: families[0].params[0].record: a backslash must be followed by 0, 1, l0 or l1" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"ioc\": {}"),
		  "x: families[0]: \"ioc\" is only for the sources ioc, constants and enum" },
		{ FAMILY("\"source\": \"ioc\", \"ioc\": {\"types\": [\"256\"]}"),
		  "x: families[0].ioc.types[0]: \"256\" is not an ioctl type (one character, or a number up to 255)" },
		{ FAMILY("\"source\": \"ioc\", \"ioc\": {\"types\": [\"\"]}"),
		  "x: families[0].ioc.types[0]: \"\" is not an ioctl type (one character, or a number up to 255)" },
		{ FAMILY("\"source\": \"ioc\", \"ioc\": {\"known_by\": \"size\"}"),
		  "x: families[0].ioc.known_by: \"size\" is not a value of \"known_by\" (number or nr)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [[]]}", ""),
		  "x: units[0].headers[0]: the list of alternatives is empty" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [[\"a.h\", \"/b.h\"]]}", ""),
		  "x: units[0].headers[0][1]: \"/b.h\" is not a path inside a tree (a/b/c.h)" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"basics\": \"bsd\"}", ""),
		  "x: units[0].basics: \"basics\" must be \"linux\"" },
		{ PROFILE("{\"name\": \"u\", \"headers\": [\"a.h\"], \"unreadable\": \"fine\"}", ""),
		  "x: units[0].unreadable: \"fine\" is not a value of \"unreadable\" (error or warning)" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"dispatch\": {\"macros\": [\"A\"]}"),
		  "x: families[0].dispatch: the key \"files\" is missing" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"dispatch\": {\"files\": []}"),
		  "x: families[0].dispatch.files: a dispatch needs at least one file" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"dispatch\": {\"files\": [\"../a.c\"]}"),
		  "x: families[0].dispatch.files[0]: \"../a.c\" is not a path inside a tree (a/b/c.h)" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"dispatch\": {\"files\": [\"a.c\"], \"macro\": \"A\"}"),
		  "x: families[0].dispatch.macro: unknown key" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"dispatch\": {\"files\": [\"a.c\"]}"),
		  "x: families[0]: \"dispatch\" is only for the sources constants and ioc" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"deprecated\": {\"files\": [\"a.c\"]}"),
		  "x: families[0].deprecated: the key \"table\" is missing" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"deprecated\": {\"files\": [\"a.c\"], \"table\": \"\"}"),
		  "x: families[0].deprecated.table: expected a name, found an empty string" },
		{ FAMILY("\"source\": \"nvoc\", \"files\": [\"a.c\"], \"deprecated\": {\"files\": [], \"table\": \"t\"}"),
		  "x: families[0].deprecated.files: a table needs at least one file" },
		{ FAMILY("\"source\": \"constants\", \"match\": [\"A\"], \"deprecated\": {\"files\": [\"a.c\"], \"table\": \"t\"}"),
		  "x: families[0]: \"deprecated\" is only for the source nvoc" },
	};
	struct profile untouched = { .name = "untouched" }, profile = untouched;
	struct arena arena = { 0 };
	struct err err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(json_read_profile(&profile, cases[i].text, strlen(cases[i].text), "x",
						   &arena, &err),
				 ERR_FORMAT);
		assert_string_equal(err.text, cases[i].sentence);
		assert_memory_equal(&profile, &untouched, sizeof(profile));
	}
	arena_release(&arena);
}

/* The part of the message that comes from the C library is not compared. */
static void an_expression_that_does_not_compile_is_named(void **state)
{
	static const char text[] = PROFILE(UNIT, ", \"constants\": [{\"name\": \"A\", \"value\": \"(\"}]");
	struct arena arena = { 0 };
	struct profile profile;
	struct err err;

	(void)state;
	assert_int_equal(json_read_profile(&profile, text, sizeof(text) - 1, "x", &arena, &err), ERR_FORMAT);
	assert_ptr_equal(strstr(err.text, "x: constants[0].value: not an extended regular expression: "),
			 err.text);
	arena_release(&arena);
}

/* For some of these regexes, glibc would need gigabytes. */
static void a_regex_that_stands_for_too_much_is_refused(void **state)
{
	static const struct {
		const char *regex;
		bool is_read;
	} cases[] = {
		{ "^x+(y+|z{3}){2,40}[+{]+[[:alpha:]]{300}[]+]+\\\\+$", true },
		{ "a{2}{3}{4}", true },
		{ "[+++++++++++++++++++++++++++++++++++++++]", true },
		{ "a{,}+", true },
		{ "n+++++++++++++++++++++++++++++++++++++++++++", false },
		{ "((((((a{9}){9}){9}){9}){9}){9})", false },
		{ "(aaaaaaaaaa){32000}", false },
		{ "a{200}b{200}c{32000}", false },
		{ "((a+)(b+)+){99}{99}", false },
		{ "a{99999999999999999999}", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = { 0 };
		struct arena arena = { 0 };
		struct profile profile;
		struct err err = { "" };
		int rc;

		strbuf_addf(
			&text,
			"{\"format\": \"drvabi-profile/1\", \"name\": \"x\", \"units\": [{\"name\": \"u\", \"headers\": [\"a.h\"]}], "
			"\"constants\": [{\"name\": \"A\", \"value\": \"%s\"}]}",
			cases[i].regex);
		rc = json_read_profile(&profile, text.text, text.length, "x", &arena, &err);
		if (rc != (cases[i].is_read ? 0 : ERR_LIMIT))
			fail_msg("%s: %d, %s", cases[i].regex, rc, err.text);
		arena_release(&arena);
		strbuf_release(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_a_profile_can_say_is_read),
		cmocka_unit_test(what_is_wrong_is_named_with_its_path),
		cmocka_unit_test(a_unit_of_linux_has_choices_basics_and_types),
		cmocka_unit_test(an_expression_that_does_not_compile_is_named),
		cmocka_unit_test(a_regex_that_stands_for_too_much_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
