/* Tests of the reader for profiles: what is read, and the sentences about what is wrong. */
#include "abi/fixture_test.h"

#define PROFILE(units, more) \
	"{'format': 'drvabi-profile/1', 'name': 'p', 'units': [" units "]" more "}"
#define UNIT_U "{'name': 'u', 'headers': ['a.h']}"
#define UNIT(members) PROFILE("{'name': 'u', " members "}", "")
#define UNIT_MORE(members) UNIT("'headers': ['a.h'], " members)
#define MORE(members) PROFILE(UNIT_U, ", " members)
#define ROLE(members) MORE("'roles': [{" members "}]")
#define CONSTANT(members) MORE("'constants': [{'name': 'A', " members "}]")
#define FAMILY(members) MORE("'families': [{'name': 'f', " members "}]")
#define MACROS(members) FAMILY("'source': 'constants', 'match': ['A'], " members)
#define TABLES(members) FAMILY("'source': 'nvoc', 'files': ['a.c'], " members)
#define ROUTES(members) FAMILY("'source': 'enum', 'enum': 'e', 'routes': {'files': ['a.c'], " members "}")
#define CALL(members) ROUTES("'calls': [{'name': 'E', " members "}]")

static struct profile profile;

static int read_profile(const char *text, struct err *err)
{
	const struct profile untouched = { .name = "untouched" };
	int rc;

	profile = untouched;
	rc = json_read_profile(&profile, text, strlen(text), "x", &arena, err);
	assert_true(!rc || !memcmp(&profile, &untouched, sizeof(profile)));
	return rc;
}

static const char *joined(const struct profile_strings *texts)
{
	return join(texts->item, texts->count);
}

static void add_words(struct strbuf *out, const char *name, const struct profile_words *words)
{
	if (!words->files.count)
		return;
	strbuf_addf(out, " %s %s prefix %s except %s fallback %s unless %s\n", name, joined(&words->files),
		    joined(&words->prefix), joined(&words->except), or_dash(words->fallback),
		    joined(&words->unless));
}

/* Writes a line for a unit, with "|" before an alternative header, and for each directory and stand-in. */
static void add_unit(struct strbuf *out, const struct profile_unit *unit)
{
	strbuf_addf(out, "unit %s:", unit->name);
	for (size_t i = 0; i < unit->headers.count; i++)
		strbuf_addf(out, "%s%s", unit->is_alternative[i] ? "|" : " ", unit->headers.item[i]);
	strbuf_addf(out, "; optional %s context %s define %s prologue %s%s\n",
		    joined(&unit->optional_headers), joined(&unit->context), joined(&unit->define),
		    joined(&unit->prologue), unit->skips_unreadable ? " skips unreadable" : "");
	for (size_t i = 0; i < unit->include.count; i++)
		strbuf_addf(out, " include %s %s\n", unit->include.item[i], or_dash(unit->include_target[i]));
	for (size_t i = 0; i < unit->stand_in_count; i++)
		strbuf_addf(out, " stand-in %s%s '%s'\n", unit->stand_ins[i].path,
			    unit->stand_ins[i].is_expected ? " expected" : "", unit->stand_ins[i].text);
}

static void add_family(struct strbuf *out, const struct profile_family *of)
{
	strbuf_addf(out, "family %s %d enum %s match %s except %s flags %s", of->name, (int)of->source,
		    or_dash(of->enumeration), joined(&of->match), joined(&of->except), joined(&of->flags));
	strbuf_addf(out, " files %s embedded %s unit %s%s%s\n", joined(&of->files), joined(&of->embedded),
		    or_dash(of->unit), of->ioc.is_encoded ? " encoded" : "", of->ioc.by_nr ? " by nr" : "");
	if (of->dispatch.files.count)
		strbuf_addf(out, " dispatch %s macros %s\n", joined(&of->dispatch.files),
			    joined(&of->dispatch.macros));
	if (of->deprecated.files.count)
		strbuf_addf(out, " deprecated %s table %s\n", joined(&of->deprecated.files),
			    or_dash(of->deprecated.table));
	add_words(out, "flag words", &of->flag_words);
	add_words(out, "access words", &of->access_words);
	for (size_t i = 0; i < of->ioc.type_count; i++)
		strbuf_addf(out, " type 0x%x\n", of->ioc.types[i]);
	for (size_t i = 0; i < of->param_count; i++)
		strbuf_addf(out, " params %s ioctl %s regex %s name_regex %s\n", of->params[i].record,
			    or_dash(of->params[i].ioctl), or_dash(of->params[i].regex),
			    or_dash(of->params[i].name_regex));
	for (size_t i = 0; i < of->bits_count; i++)
		strbuf_addf(out, " bits %s %u+%u family %s macros %s\n", of->bits[i].name,
			    of->bits[i].low_bit, of->bits[i].width, or_dash(of->bits[i].family),
			    or_dash(of->bits[i].macros));
	for (size_t i = 0; i < of->routes.call_count; i++) {
		const struct profile_route *call = &of->routes.calls[i];

		strbuf_addf(out, " %s: call %s ioctl %s record %s flags %s words %s prefix '%s'\n",
			    joined(&of->routes.files), call->name, call->ioctl, or_dash(call->record),
			    joined(&call->flags), or_dash(call->words), call->prefix);
	}
}

/* Writes what the profile says; "-" for a name that it does not have. */
static void add_profile(struct strbuf *out)
{
	strbuf_addf(out, "%s '%s' %s\n", profile.name, profile.description, or_dash(profile.repository));
	for (size_t i = 0; i < profile.unit_count; i++)
		add_unit(out, &profile.units[i]);
	for (size_t i = 0; i < profile.constant_count; i++)
		strbuf_addf(out, "constant %s file %s value %s except %s enum %s\n",
			    profile.constants[i].name, or_dash(profile.constants[i].file),
			    or_dash(profile.constants[i].value), joined(&profile.constants[i].except),
			    or_dash(profile.constants[i].enumeration));
	for (size_t i = 0; i < profile.role_count; i++)
		strbuf_addf(out, "role '%s' type %s name %s record %s evidence %s\n",
			    abi_role_name(profile.roles[i].role), or_dash(profile.roles[i].type),
			    or_dash(profile.roles[i].name), or_dash(profile.roles[i].record),
			    or_dash(profile.roles[i].evidence));
	for (size_t i = 0; i < profile.family_count; i++)
		add_family(out, &profile.families[i]);
}

TEST(what_a_profile_says_is_read)
{
	static const struct read_text rows[] = {
		{ "everything a profile can say is read",
		  "{'format': 'drvabi-profile/1', 'name': 'p', 'description': 'd', "
		  "'repository': 'https://r', "
		  "'units': [{'name': 'u', 'headers': ['a/*.h'], 'optional_headers': ['b.h'], "
		  "'include': ['.', 'a', {'aarch64-linux-gnu': 'arm', 'x86_64-linux-gnu': 'x86'}], "
		  "'define': ['X=1'], 'prologue': ['typedef int t;'], 'context': ['e.h'], 'stand_ins': ["
		  "{'path': 'c.h', 'text': '\\n'}, {'path': 'd.h', 'text': '', 'expected': true}]}], "
		  "'constants': [{'name': 'A_*', 'file': 'a/*', 'value': '^1$', 'except': ['A_B']}, "
		  "{'name': 'E_*', 'enum': '::E_OK_t'}], "
		  "'roles': [{'role': 'none', 'name': 'n'}, "
		  "{'role': 'fd', 'type': 'int', 'name': 'fd', 'record': 'R'}, "
		  "{'role': 'kernel-pointer', 'name': 'k', 'evidence': 'f() in f.c'}], "
		  "'families': [{'name': 'f', 'source': 'constants', 'match': ['A_*'], 'except': ['A_C'], "
		  "'unit': 'u', 'dispatch': {'files': ['d/*.c'], 'macros': ['ROUTE_*']}, 'params': ["
		  "{'ioctl': 'A_D', 'record': '\\\\1', 'regex': 'struct (.*)', 'name_regex': 'A'}]}, "
		  "{'name': 'g', 'source': 'nvoc', 'files': ['g.c'], 'embedded': ['e.c'], "
		  "'bits': [{'name': 'class', 'low_bit': 16, 'width': 48, 'family': 'f'}, "
		  "{'name': 'm', 'low_bit': 0, 'width': 8, 'macros': 'A\\\\1_'}], "
		  "'deprecated': {'files': ['o.c'], 'table': 'oldTable'}, 'flag_words': {'files': ['w.h'], "
		  "'prefix': ['F_'], 'except': ['F_0'], 'fallback': 'F_1', 'unless': ['F_2']}}, "
		  "{'name': 'h', 'source': 'enum', 'enum': 'e', 'flags': ['test'], "
		  "'routes': {'files': ['r.c'], 'calls': [{'name': 'E', 'ioctl': '\\\\1'}, "
		  "{'name': 'F', 'ioctl': 'A\\\\2', 'record': 'R\\\\1', 'flags': ['x'], 'words': '\\\\3', "
		  "'prefix': 'P_'}]}}]}",
		  "p 'd' https://r\n"
		  "unit u: a/*.h; optional b.h context e.h define X=1 prologue typedef int t;\n"
		  " include . -\n include a -\n"
		  " include x86 x86_64-linux-gnu\n include arm aarch64-linux-gnu\n"
		  " stand-in c.h '\n'\n stand-in d.h expected ''\n"
		  "constant A_* file a/* value ^1$ except A_B enum -\n"
		  "constant E_* file - value - except - enum ::E_OK_t\n"
		  "role '' type - name n record - evidence -\n"
		  "role 'fd' type int name fd record R evidence -\n"
		  "role 'kernel-pointer' type - name k record - evidence f() in f.c\n"
		  "family f 0 enum - match A_* except A_C flags - files - embedded - unit u\n"
		  " dispatch d/*.c macros ROUTE_*\n"
		  " params \\1 ioctl A_D regex struct (.*) name_regex A\n"
		  "family g 2 enum - match - except - flags - files g.c embedded e.c unit -\n"
		  " deprecated o.c table oldTable\n"
		  " flag words w.h prefix F_ except F_0 fallback F_1 unless F_2\n"
		  " bits class 16+48 family f macros -\n bits m 0+8 family - macros A\\1_\n"
		  "family h 1 enum e match - except - flags test files - embedded - unit -\n"
		  " r.c: call E ioctl \\1 record - flags - words - prefix ''\n"
		  " r.c: call F ioctl A\\2 record R\\1 flags x words \\3 prefix 'P_'\n" },
		{ "headers have alternatives, and the types of ioctls are characters or numbers",
		  PROFILE("{'name': 'u', 'headers': ['a.h', ['b.h', 'c.h']], 'unreadable': 'warning'}",
			  ", 'families': [{'name': 'f', 'source': 'ioc', "
			  "'ioc': {'types': ['K', '0x12', '0'], 'known_by': 'nr'}}]"),
		  "p '' -\nunit u: a.h b.h|c.h; optional - context - define - prologue - skips unreadable\n"
		  "family f 4 enum - match - except - flags - files - embedded - unit - encoded by nr\n"
		  " type 0x4b\n type 0x12\n type 0x30\n" },
	};

	check_read(rows, sizeof(rows) / sizeof(*rows), read_profile, add_profile);
}

TEST(a_unit_of_linux_has_basics)
{
	assert_int_equal(read_profile(json_text(UNIT_MORE("'basics': 'linux'"), &arena), NULL), 0);
	assert_string_equal(profile.units[0].include.item[0], "drvabi-basics");
	assert_true(profile.units[0].stand_ins[0].is_expected);
}

#define NO_PATH "is not a path inside a tree (a/b/c.h)"
#define NEEDS_ENUM "the source 'enum' needs 'enum': the name of an enum; no other source can have it"
#define NEEDS_NUMBER "a backslash must be followed by the number of an argument, 1 to 9"
#define NEEDS_GROUP "'\\1' needs a group in 'regex', or in 'name_regex' if 'regex' is absent"
#define NO_NAME "expected a name, found an empty string"
#define NO_TYPE "is not an ioctl type (one character, or a number up to 255)"

TEST(what_is_wrong_is_named_with_its_path)
{
	static const struct refused_text rows[] = {
		{ "{'format': 'drvabi-profile/2', 'name': 'p', 'units': []}",
		  "format: expected 'drvabi-profile/1', found 'drvabi-profile/2'" },
		{ PROFILE("", ""), "units: a profile needs at least one unit" },
		{ MORE("'role': []"), "role: unknown key" },
		{ PROFILE(UNIT_U "," UNIT_U, ""), "units: two units are named 'u'" },
		{ PROFILE("{'name': '', 'headers': ['a.h']}", ""), "units[0].name: " NO_NAME },
		{ UNIT("'headers': []"), "units[0].headers: a unit needs at least one header" },
		{ UNIT("'headers': ['/etc/a.h']"), "units[0].headers[0]: '/etc/a.h' " NO_PATH },
		{ UNIT("'headers': ['a/../../b.h']"), "units[0].headers[0]: 'a/../../b.h' " NO_PATH },
		{ UNIT("'headers': ['.']"), "units[0].headers[0]: '.' " NO_PATH },
		{ UNIT_MORE("'include': ['a//b']"), "units[0].include[0]: 'a//b' " NO_PATH },
		{ UNIT_MORE("'include': ['.', {'vax': 'a'}]"), "units[0].include[1].vax: unknown key" },
		{ UNIT_MORE("'include': [{}]"),
		  "units[0].include[0]: the object names no directory for any target" },
		{ UNIT_MORE("'include': [{'x86_64-linux-gnu': '..'}]"),
		  "units[0].include[0].x86_64-linux-gnu: '..' " NO_PATH },
		{ UNIT_MORE("'include': [1]"),
		  "units[0].include[0]: expected an object or a string, found an integer" },
		{ UNIT_MORE("'stand_ins': [{'path': 'a.h'}]"),
		  "units[0].stand_ins[0]: the key 'text' is missing" },
		{ ROLE("'role': 'boss', 'name': 'a'"),
		  "roles[0].role: 'boss' is not a role (none, " ROLES ")" },
		{ ROLE("'role': 'fd'"),
		  "roles[0]: a rule without 'type', 'name' and 'record' would match every field" },
		{ CONSTANT("'enum': 'E', 'value': '^1'"),
		  "constants[0].value: 'value' matches the body of a macro, so a rule with 'enum' cannot "
		  "have it" },
		{ CONSTANT("'enum': ''"), "constants[0].enum: " NO_NAME },
		{ ROLE("'role': 'fd', 'name': 'a', 'evidence': 1"),
		  "roles[0].evidence: expected a string, found an integer" },
		{ ROLE("'role': 'fd', 'name': 'a', 'evidence': ''"), "roles[0].evidence: " NO_NAME },
		{ ROLE("'role': 'fd', 'name': 'a', 'why': 'x'"), "roles[0].why: unknown key" },
		{ FAMILY("'source': 'magic'"),
		  "families[0].source: 'magic' is not a source of ioctls (constants, enum, nvoc, rs_entry "
		  "or ioc)" },
		{ FAMILY("'source': 'enum'"), "families[0]: " NEEDS_ENUM },
		{ MACROS("'enum': 'e'"), "families[0]: " NEEDS_ENUM },
		{ FAMILY("'source': 'enum', 'enum': ''"), "families[0].enum: " NO_NAME },
		{ FAMILY("'source': 'enum', 'enum': 'e', 'dispatch': {'files': ['a.c']}"),
		  "families[0]: 'dispatch' is only for the sources constants and ioc" },
		{ TABLES("'flags': ['test']"),
		  "families[0]: 'flags' and 'routes' are not for the sources nvoc and rs_entry, whose "
		  "tables have both" },
		{ ROUTES("'calls': []"),
		  "families[0].routes: 'routes' needs at least one file and one call" },
		{ ROUTES("'call': []"), "families[0].routes.call: unknown key" },
		{ ROUTES("'calls': [{'name': 'E'}]"),
		  "families[0].routes.calls[0]: the key 'ioctl' is missing" },
		{ CALL("'ioctl': '\\\\0'"), "families[0].routes.calls[0].ioctl: " NEEDS_NUMBER },
		{ CALL("'ioctl': 'A\\\\'"), "families[0].routes.calls[0].ioctl: " NEEDS_NUMBER },
		{ CALL("'ioctl': 'A', 'words': 'ab'"),
		  "families[0].routes.calls[0].words: 'words' must be a single argument, '\\1' to '\\9'" },
		{ CALL("'ioctl': 'A', 'words': 'W\\\\1'"),
		  "families[0].routes.calls[0].words: 'words' must be a single argument, '\\1' to '\\9'" },
		{ CALL("'ioctl': 'A', 'prefix': 'P'"),
		  "families[0].routes.calls[0].prefix: 'prefix' needs 'words', which is missing" },
		{ MACROS("'dispatch': {'files': ['a.c']}, 'routes': {'files': ['a.c'], 'calls': [{'name': "
		  "'E', 'ioctl': 'A'}]}"),
		  "families[0]: 'dispatch' and 'routes' cannot be used together; remove one of them" },
		{ UNIT_MORE("'context': ['/a.h']"), "units[0].context[0]: '/a.h' " NO_PATH },
		{ FAMILY("'source': 'constants'"),
		  "families[0]: the source 'constants' needs 'match': globs for the names of macros" },
		{ FAMILY("'source': 'nvoc'"), "families[0]: the sources nvoc and rs_entry need 'files'" },
		{ MACROS("'unit': 'v'"),
		  "families: the family 'f' names the unit 'v', which does not exist" },
		{ MACROS("'bits': [{'name': 'a', 'low_bit': 16, 'width': 49}]"),
		  "families[0].bits[0].width: 49 is above 48, the largest value allowed here" },
		{ MACROS("'bits': [{'name': 'a', 'low_bit': 16, 'width': 0}]"),
		  "families[0].bits[0].width: expected a number from 1 to 48" },
		{ MACROS("'params': [{'record': '\\\\1'}]"), "families[0].params[0].record: " NEEDS_GROUP },
		{ MACROS("'params': [{'record': '\\\\1', 'regex': 'a+'}]"),
		  "families[0].params[0].record: " NEEDS_GROUP },
		{ MACROS("'params': [{'record': '\\\\2', 'regex': '(a)(b)'}]"),
		  "families[0].params[0].record: a backslash must be followed by 0, 1, l0 or l1" },
		{ TABLES("'ioc': {}"), "families[0]: 'ioc' is only for the sources ioc, constants and enum" },
		{ FAMILY("'source': 'ioc', 'ioc': {'types': ['256']}"),
		  "families[0].ioc.types[0]: '256' " NO_TYPE },
		{ FAMILY("'source': 'ioc', 'ioc': {'types': ['']}"),
		  "families[0].ioc.types[0]: '' " NO_TYPE },
		{ FAMILY("'source': 'ioc', 'ioc': {'known_by': 'size'}"),
		  "families[0].ioc.known_by: 'size' is not a value of 'known_by' (number or nr)" },
		{ UNIT("'headers': [[]]"), "units[0].headers[0]: the list of alternatives is empty" },
		{ UNIT("'headers': [['a.h', '/b.h']]"), "units[0].headers[0][1]: '/b.h' " NO_PATH },
		{ UNIT_MORE("'basics': 'bsd'"), "units[0].basics: expected 'linux', found 'bsd'" },
		{ UNIT_MORE("'unreadable': 'fine'"),
		  "units[0].unreadable: 'fine' is not a value of 'unreadable' (error or warning)" },
		{ MACROS("'dispatch': {'macros': ['A']}"),
		  "families[0].dispatch: the key 'files' is missing" },
		{ MACROS("'dispatch': {'files': []}"),
		  "families[0].dispatch.files: expected at least one file" },
		{ MACROS("'dispatch': {'files': ['../a.c']}"),
		  "families[0].dispatch.files[0]: '../a.c' " NO_PATH },
		{ MACROS("'dispatch': {'files': ['a.c'], 'macro': 'A'}"),
		  "families[0].dispatch.macro: unknown key" },
		{ TABLES("'dispatch': {'files': ['a.c']}"),
		  "families[0]: 'dispatch' is only for the sources constants and ioc" },
		{ TABLES("'deprecated': {'files': ['a.c']}"),
		  "families[0].deprecated: the key 'table' is missing" },
		{ TABLES("'deprecated': {'files': ['a.c'], 'table': ''}"),
		  "families[0].deprecated.table: " NO_NAME },
		{ TABLES("'deprecated': {'files': [], 'table': 't'}"),
		  "families[0].deprecated.files: expected at least one file" },
		{ MACROS("'deprecated': {'files': ['a.c'], 'table': 't'}"),
		  "families[0]: 'deprecated' is only for the source nvoc" },
	};

	check_refused(rows, sizeof(rows) / sizeof(*rows), read_profile);
}

/* The part of the message that comes from the C library is not compared. */
TEST(an_expression_that_does_not_compile_is_named)
{
	static const char expected[] = "x: constants[0].value: not an extended regular expression: ";
	struct err err;

	assert_int_equal(read_profile(json_text(CONSTANT("'value': '('"), &arena), &err), ERR_FORMAT);
	assert_memory_equal(err.text, expected, sizeof(expected) - 1);
}

/* For some of these regexes, glibc would need gigabytes. */
TEST(a_regex_that_stands_for_too_much_is_refused)
{
	static const struct {
		const char *regex;
		bool is_read;
	} cases[] = {
		{ "^x+(y+|z{3}){2,40}[+{]+[[:alpha:]]{30}[]+]+\\\\+$", true },
		{ "a{2}{3}{4}", true },
		{ "a{,}+", true },
		{ "n+++++++++++++++++++++++++++++++++++++++++++", false },
		{ "((((((a{9}){9}){9}){9}){9}){9})", false },
		{ "(aaaaaaaaaa){32000}", false },
		{ "a{200}b{200}c{32000}", false },
		{ "((a+)(b+)+){99}{99}", false },
		{ "a{99999999999999999999}", false },
		{ "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = arena_printf(&arena, CONSTANT("'value': '%s'"), cases[i].regex);
		struct err err = { "" };
		const int rc = read_profile(json_text(text, &arena), &err);

		if (rc != (cases[i].is_read ? 0 : ERR_LIMIT))
			fail_msg("%s: %d, %s", cases[i].regex, rc, err.text);
	}
}

TEST_GROUP(NULL, release_arena)
