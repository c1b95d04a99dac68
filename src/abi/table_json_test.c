/*
 * Tests of a proxy's table and of patches as JSON: what is read and merged, what is written, and the
 * sentences about what is wrong.
 */
#include "abi/fixture_test.h"

#define SUM "0123456789012345678901234567890123456789012345678901234567890123"
#define OTHER_SUM "1123456789012345678901234567890123456789012345678901234567890123"
#define TABLE(types, versions)                                                                               \
	"{'format': 'drvabi-proxy/1', 'proxy': 'p', 'revision': 'r', 'driver': 'd', 'types': {" types        \
	"}, 'versions': [" versions "]}"
#define PATCH(types, versions)                                                                               \
	"{'format': 'drvabi-proxy-patch/1', 'types': {" types "}, 'versions': [" versions "]}"
#define NODE(version, parent, more) \
	"{'version': '" version "', 'parent': " parent ", 'supported': true" more "}"
#define ROOT NODE("1", "null", "")
#define IOCTLS(entries) ", 'ioctls': {'f': {" entries "}}"
#define ENTRY_OF(number, caps, structs) \
	"{'number': " number ", 'constant': null, 'caps': [" caps "], 'structs': [" structs "]}"
#define ENTRY(number)                                                                                        \
	"{'number': " number ", 'constant': null, 'caps': ['b', 'a'], "                                      \
	"'structs': [{'driver': 'D', 'proxy': 'T'}], 'handler': {'kind': 'k', 'type': 'T'}}"
#define FIELD(name, offset, type) "{'name': '" name "', 'offset': " offset ", 'type': '" type "'}"
#define TYPE_T "'T': {'size': 4, 'fields': [" FIELD("a", "0", "uint32") "]}"
#define TYPE_H "'H': {'size': 4, 'alias': 'uint32', 'role': 'handle'}"

/* The base has an entry E at 1, a different E at 3, and an entry F at 1, which is removed at 2. */
static const char base_text[] = TABLE(
	TYPE_T,
	NODE("1", "null",
	     ", 'sha256': {'x86_64': '" SUM "'}" IOCTLS("'E': " ENTRY("1") ", 'F': " ENTRY("2"))) ","
	NODE("2", "'1'", IOCTLS("'F': null")) ","
	NODE("3", "'2'", IOCTLS("'E': " ENTRY("3"))));

static struct table table;

static int read_table(const char *text, struct err *err)
{
	const struct table untouched = { .path = "untouched" };
	int rc;

	table = untouched;
	rc = json_read_table(&table, NULL, text, strlen(text), "x", &arena, err);
	assert_true(!rc || !memcmp(&table, &untouched, sizeof(table)));
	return rc;
}

static int read_patch_of(const char *base_text_of, const char *text, struct err *err)
{
	const struct table untouched = { .path = "untouched" };
	const char *base_json = json_text(base_text_of, &arena);
	struct table base;
	int rc;

	table = untouched;
	rc = json_read_table(&base, NULL, base_json, strlen(base_json), "t.json", &arena, NULL);
	assert_int_equal(rc, 0);
	rc = json_read_table(&table, &base, text, strlen(text), "x", &arena, err);
	assert_true(!rc || !memcmp(&table, &untouched, sizeof(table)));
	return rc;
}

/* Reads a patch of the base. */
static int read_patch(const char *text, struct err *err)
{
	return read_patch_of(base_text, text, err);
}

/* Writes " @FILE:LINE f/E NUMBER CONSTANT caps A,B D:T KIND type T fields A,B faults A,B". */
static void add_entry(struct strbuf *out, const struct table_entry *entry)
{
	const struct table_handler *handler = &entry->handler;

	strbuf_addf(out, " @%s:%u %s/%s", or_dash(entry->file), entry->line, entry->family, entry->name);
	if (entry->removed) {
		strbuf_adds(out, " removed\n");
		return;
	}
	strbuf_addf(out, " %d %s caps %s", (int)entry->number, or_dash(entry->constant),
		    join(entry->caps, entry->cap_count));
	for (size_t i = 0; i < entry->struct_count; i++)
		strbuf_addf(out, " %s:%s", entry->structs[i].driver, or_dash(entry->structs[i].proxy));
	if (handler->kind)
		strbuf_addf(out, " %s", handler->kind);
	if (handler->type_known)
		strbuf_addf(out, " type %s", or_dash(handler->type));
	if (handler->fields_known)
		strbuf_addf(out, " fields %s", join(handler->fields.item, handler->fields.count));
	if (handler->faults.count)
		strbuf_addf(out, " faults %s", join(handler->faults.item, handler->faults.count));
	strbuf_addch(out, '\n');
}

/*
 * Writes a line for the table, for each type ("T 4 { uint32 a@0; }"), version and entry. Checks that a parent
 * is a node of the same table, so that its children inherit all of its entries.
 */
static void add_table(struct strbuf *out)
{
	strbuf_addf(out, "%s: %s %s %s\n", table.path, table.proxy, table.revision, table.driver);
	for (size_t i = 0; i < table.passed_count; i++)
		strbuf_addf(out, "passed %s %d/%d %s\n", table.passed[i].family, (int)table.passed[i].value,
			    (int)table.passed[i].mask, table.passed[i].name);
	for (size_t i = 0; i < table.type_count; i++) {
		const struct table_type *type = &table.types[i];

		strbuf_addf(out, "%s %d %s", type->name, (int)type->size_bytes,
			    type->alias ? type->alias : "{");
		for (size_t f = 0; f < type->field_count; f++)
			strbuf_addf(out, " %s %s@%d;", type->fields[f].type, type->fields[f].name,
				    (int)type->fields[f].offset_bytes);
		strbuf_addf(out, "%s %s\n", type->alias ? "" : " }", abi_role_name(type->role));
	}
	for (size_t i = 0; i < table.node_count; i++) {
		const struct table_node *node = &table.nodes[i];

		assert_true(!node->parent || (node->parent >= table.nodes && node->parent < node));
		strbuf_addf(out, "@%u %s < %s", node->line, node->version,
			    node->parent ? node->parent->version : "-");
		for (size_t s = 0; s < node->sha256_count; s++)
			strbuf_addf(out, " %s=%s", node->sha256[s].machine, node->sha256[s].hex);
		strbuf_adds(out, node->supported ? "\n" : " unsupported\n");
		for (size_t e = 0; e < node->entry_count; e++)
			add_entry(out, &node->entries[e]);
	}
}

/* The JSON text of a table that has all that a table can have, as json_write_table() writes it. */
#define EVERYTHING_HEAD                                                                                      \
	"{\n 'format': 'drvabi-proxy/1',\n 'proxy': 'p',\n 'revision': 'r',\n 'driver': 'd',\n"              \
	" 'passed': [\n  {'family': 'f', 'mask': 65280, 'value': 512, 'name': 'N'}\n ],\n"                   \
	" 'types': {\n"                                                                                      \
	"  'H': {\n   'size': 4,\n   'alias': 'uint32',\n   'role': 'handle'\n  },\n"                        \
	"  'T': {\n   'size': 8,\n   'fields': [\n"                                                          \
	"    {'name': 'a', 'offset': 0, 'type': 'uint32'},\n    {'name': 'b', 'offset': 4, 'type': 'H'}\n"   \
	"   ]\n  }\n },\n"                                                                                   \
	" 'versions': [\n"
#define HANDLED "'number': 2, 'constant': null, 'caps': [], 'structs': [], 'handler': {'kind': 'k'"
#define EVERYTHING_1                                                                                         \
	"  {\n   'version': '1',\n   'parent': null,\n   'supported': true,\n"                               \
	"   'sha256': {\n    'arm64': '" OTHER_SUM "',\n    'x86_64': '" SUM "'\n   },\n"                    \
	"   'ioctls': {\n    'f': {\n"                                                                       \
	"     'E': {'number': 1, 'constant': 'C', 'caps': ['a', 'b'], "                                      \
	"'structs': [{'driver': 'D', 'proxy': 'T'}, {'driver': 'E', 'proxy': null}]},\n"                     \
	"     'F': {" HANDLED "}},\n"                                                                        \
	"     'G': {" HANDLED ", 'type': null}},\n"                                                          \
	"     'H': {" HANDLED ", 'type': 'T'}},\n"                                                           \
	"     'I': {" HANDLED ", 'type': 'T', 'fields': []}},\n"                                             \
	"     'J': {" HANDLED ", 'type': 'T', 'fields': ['A.B', 'C'], 'faults': ['x', 'y']}}\n"              \
	"    },\n    'g': {\n     'E': {" HANDLED "}}\n    }\n   }\n  }"
#define EVERYTHING_1_9 "  {\n   'version': '1.9',\n   'parent': '1',\n   'supported': true\n  }"
#define EVERYTHING_1_10                                                                                      \
	"  {\n   'version': '1.10',\n   'parent': '1.9',\n   'supported': false,\n"                          \
	"   'ioctls': {\n    'f': {\n     'E': null\n    }\n   }\n  }"
#define EVERYTHING_TAIL "\n ]\n}\n"

/* The versions are written from old to new, and each field and entry is on its own line. */
TEST(a_table_is_written_in_its_fixed_order)
{
	const char *text =
		EVERYTHING_HEAD EVERYTHING_1_10 "," EVERYTHING_1 "," EVERYTHING_1_9 EVERYTHING_TAIL;
	const char *expected = json_text(EVERYTHING_HEAD EVERYTHING_1 ",\n" EVERYTHING_1_9
						 ",\n" EVERYTHING_1_10 EVERYTHING_TAIL, &arena);
	struct strbuf written = { 0 }, again = { 0 };
	struct json_writer writer = { .out = &written }, second = { .out = &again };

	assert_int_equal(read_table(json_text(text, &arena), NULL), 0);
	json_write_table(&writer, &table, TABLE_FORMAT);
	assert_int_equal(read_table(strbuf_text(&written), NULL), 0);
	json_write_table(&second, &table, TABLE_FORMAT);
	assert_false(text_differs("what was written is read and written again", &again, expected));
	assert_false(text_differs("a table with everything", &written, expected));
}

#define LINES_T "T 4 { uint32 a@0; } \n"
#define LINES_1_EF " @-:1 f/E 1 - caps a,b D:T k type T\n @-:1 f/F 2 - caps a,b D:T k type T\n"
#define LINES_1 "@1 1 < - x86_64=" SUM "\n" LINES_1_EF
#define LINES_2 "@1 2 < 1\n @-:0 f/F removed\n"
#define LINES_3 "@1 3 < 2\n @-:1 f/E 3 - caps a,b D:T k type T\n"
#define BASE_LINES "t.json: p r d\n" LINES_T LINES_1 LINES_2 LINES_3

TEST(a_table_and_its_patch_are_read)
{
	static const struct {
		const char *fact, *table, *patch, *lines;
	} rows[] = {
		{ "types, entries and versions are read",
		  EVERYTHING_HEAD EVERYTHING_1 ",\n" EVERYTHING_1_9 ",\n" EVERYTHING_1_10 EVERYTHING_TAIL,
		  NULL,
		  "x: p r d\npassed f 512/65280 N\nH 4 uint32 handle\nT 8 { uint32 a@0; H b@4; } \n"
		  "@24 1 < - arm64=" OTHER_SUM " x86_64=" SUM "\n"
		  " @-:34 f/E 1 C caps a,b D:T E:-\n @-:35 f/F 2 - caps - k\n"
		  " @-:36 f/G 2 - caps - k type -\n @-:37 f/H 2 - caps - k type T\n"
		  " @-:38 f/I 2 - caps - k type T fields -\n"
		  " @-:39 f/J 2 - caps - k type T fields A.B,C faults x,y\n @-:42 g/E 2 - caps - k\n"
		  "@46 1.9 < 1\n@51 1.10 < 1.9 unsupported\n @-:0 f/E removed\n" },
		{ "a parent may follow its child",
		  TABLE("", NODE("3", "'2'", "") "," NODE("2", "'1'", "") "," NODE("1", "null", "")), NULL,
		  "x: p r d\n@1 1 < -\n@1 2 < 1\n@1 3 < 2\n" },
		{ "an entry has the line of its key",
		  TABLE(TYPE_T ",\n " TYPE_H,
			"\n" NODE("2", "'1'", ", 'ioctls': {\n'f': {\n'E':\n" ENTRY("1") "}}") ",\n"
			NODE("1", "null", ", 'ioctls': {'g': {'Z': " ENTRY("2") ",\n'A': " ENTRY("3") "}}")),
		  NULL,
		  "x: p r d\nH 4 uint32 handle\n" LINES_T
		  "@7 1 < -\n @-:8 g/A 3 - caps a,b D:T k type T\n @-:7 g/Z 2 - caps a,b D:T k type T\n"
		  "@3 2 < 1\n @-:5 f/E 1 - caps a,b D:T k type T\n" },
		{ "null removes an entry of a parent", base_text, NULL,
		  "x: p r d\n" LINES_T LINES_1 LINES_2 LINES_3 },
		{ "an empty patch changes nothing", base_text, PATCH("", ""), BASE_LINES },
		{ "what the table has in the same words changes nothing", base_text,
		  PATCH(TYPE_T, NODE("1", "null", IOCTLS("'E': " ENTRY("1"))) ","
				NODE("2", "'1'", IOCTLS("'E': " ENTRY("1") ", 'F': null"))),
		  BASE_LINES },
		{ "a type that the table has leaves nothing in the next one",
		  TABLE(TYPE_H, ROOT), PATCH(TYPE_H ", " TYPE_T, ""),
		  "t.json: p r d\nH 4 uint32 handle\n" LINES_T "@1 1 < -\n" },
		{ "a new node may replace, remove and name a new type", base_text,
		  PATCH("'U': {'size': 4, 'alias': 'T'}",
			NODE("5", "'4'", IOCTLS("'E': null")) ","
			NODE("4", "'3'", IOCTLS("'E': " ENTRY_OF("9", "", "{'driver': 'D', 'proxy': 'U'}")))),
		  "t.json: p r d\n" LINES_T "U 4 T \n" LINES_1 LINES_2 LINES_3
		  "@1 4 < 3\n @x:1 f/E 9 - caps - D:U\n@1 5 < 4\n @-:0 f/E removed\n" },
		{ "a patch adds to a node that exists, and the entry has its file and line", base_text,
		  PATCH("", "\n" NODE("1", "null", ", 'sha256': {'arm64': '" OTHER_SUM
						   "'}, 'ioctls': {'f': {\n'N': " ENTRY("7") "}}")),
		  "t.json: p r d\n" LINES_T "@1 1 < - arm64=" OTHER_SUM " x86_64=" SUM
		  "\n" LINES_1_EF " @x:3 f/N 7 - caps a,b D:T k type T\n" LINES_2 LINES_3 },
		{ "a version may follow a new one that changes nothing of it", base_text,
		  PATCH("", NODE("2.5", "'2'", IOCTLS("'E': " ENTRY("9"))) "," NODE("3", "'2.5'", "")),
		  "t.json: p r d\n" LINES_T LINES_1 LINES_2
		  "@1 2.5 < 2\n @x:1 f/E 9 - caps a,b D:T k type T\n"
		  "@1 3 < 2.5\n @-:1 f/E 3 - caps a,b D:T k type T\n" },
	};
	bool differs = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *text = json_text(rows[i].patch ? rows[i].patch : rows[i].table, &arena);
		struct err err = { "" };
		struct strbuf lines = { 0 };

		if (rows[i].patch ? read_patch_of(rows[i].table, text, &err) : read_table(text, &err))
			fail_msg("%s: %s", rows[i].fact, err.text);
		add_table(&lines);
		differs |= text_differs(rows[i].fact, &lines, rows[i].lines);
	}
	assert_false(differs);
}

#define WITH_ENTRY(entry) TABLE(TYPE_T, NODE("1", "null", IOCTLS("'E': " entry)))
#define TYPE(members) TABLE("'T': {" members "}", ROOT)
#define WITH_FIELDS(size, fields) TYPE("'size': " size ", 'fields': [" fields "]")
#define VERSIONS(versions) TABLE("", versions)

TEST(what_is_wrong_is_named_with_its_path)
{
	static const struct refused_text rows[] = {
		{ "{'format': 'drvabi-proxy/1'}", "the key 'proxy' is missing" },
		{ TABLE("", ""), "versions: a table needs at least one version" },
		{ VERSIONS(ROOT "," ROOT), "versions[1].version: the version '1' appears twice" },
		{ VERSIONS(NODE("2", "'1'", "")), "versions[0].parent: there is no version '1'" },
		{ VERSIONS(NODE("2", "'2'", "")), "versions[0].parent: the parents of '2' lead back to it" },
		{ VERSIONS(NODE("1", "'3'", "") "," NODE("2", "'1'", "") "," NODE("3", "'2'", "")),
		  "versions[1].parent: the parents of '2' lead back to it" },
		{ VERSIONS(NODE("", "null", "")),
		  "versions[0].version: expected a version, found an empty string" },
		{ VERSIONS(NODE("1", "0", "")),
		  "versions[0].parent: expected a string or null, found an integer" },
		{ VERSIONS(NODE("1", "null", ", 'ioctl': {}")), "versions[0].ioctl: unknown key" },
		{ VERSIONS(NODE("1", "null", ", 'ioctls': {'f': []}")),
		  "versions[0].ioctls.f: expected an object, found an array" },
		{ VERSIONS(NODE("1", "null", IOCTLS("'E': null"))),
		  "versions[0].ioctls.f.E: null removes an entry, but no parent has this entry" },
		{ VERSIONS(NODE("1", "null", ", 'sha256': {'x86_64': '12'}")),
		  "versions[0].sha256.x86_64: expected 64 hexadecimal digits in lower case" },
		{ WITH_ENTRY("1"), "versions[0].ioctls.f.E: expected an object or null, found an integer" },
		{ WITH_ENTRY(ENTRY_OF("'one'", "", "")),
		  "versions[0].ioctls.f.E.number: expected an integer, found a string" },
		{ WITH_ENTRY(ENTRY_OF("4294967296", "", "")),
		  "versions[0].ioctls.f.E.number: 4294967296 is above 4294967295, the largest value "
		  "allowed here" },
		{ WITH_ENTRY(ENTRY_OF("1", "'a', 'a'", "")),
		  "versions[0].ioctls.f.E.caps: the capability 'a' appears twice" },
		{ WITH_ENTRY(ENTRY_OF("1", "", "{'driver': 'D', 'proxy': 'X'}")),
		  "versions[0].ioctls.f.E.structs[0].proxy: the type 'X' is not among 'types'" },
		{ WITH_ENTRY(ENTRY_OF("1", "", "{'proxy': null}")),
		  "versions[0].ioctls.f.E.structs[0]: the key 'driver' is missing" },
		{ TYPE("'size': 4"), "types.T: a type must have either 'fields' or an 'alias', not both" },
		{ TYPE("'size': 4, 'alias': 'uint32', 'fields': []"),
		  "types.T: a type must have either 'fields' or an 'alias', not both" },
		{ TYPE("'size': 8, 'alias': 'uint32'"),
		  "types.T.alias: uint32 has 4 bytes, but 'size' is 8" },
		{ TYPE("'size': 8, 'alias': 'uint33'"),
		  "types.T.alias: the type 'uint33' is neither a scalar nor among 'types'" },
		{ TYPE("'size': 4, 'alias': 'T'"), "types.T.alias: the type 'T' contains itself" },
		{ TYPE("'size': 4, 'alias': 'uint32', 'role': 'x'"),
		  "types.T.role: 'x' is not a role (" ROLES ")" },
		{ WITH_FIELDS("4", FIELD("a", "0", "Nowhere[2]")),
		  "types.T.fields[0].type: the type 'Nowhere' is neither a scalar nor among 'types'" },
		{ WITH_FIELDS("4", FIELD("a", "0", "uint64")),
		  "types.T.fields[0]: the field extends past the end of its type, which has 4 bytes" },
		{ WITH_FIELDS("8", FIELD("a", "0", "uint32") ", " FIELD("b", "2", "uint32")),
		  "types.T.fields[1]: the field overlaps the one before it" },
		{ WITH_FIELDS("8", FIELD("a", "4", "uint32") ", " FIELD("b", "0", "uint32")),
		  "types.T.fields[1]: fields must be sorted by offset; this field is out of order" },
		{ WITH_FIELDS("8", FIELD("a", "0", "uint8[4294967297]")),
		  "types.T.fields[0].type: the array is too large" },
		{ WITH_FIELDS("8", FIELD("a", "0", "T")),
		  "types.T.fields[0].type: the type 'T' contains itself" },
		{ TABLE("'A': {'size': 4, 'fields': [" FIELD("a", "0", "B") "]}, 'B': {'size': 4, 'alias': "
		  "'A'}", ROOT), "types.B.alias: the type 'A' contains itself" },
		{ "{'format': 'drvabi-proxy/1', 'proxy': 'p', 'driver': 'd', 'passed': [{'family': 'f', "
		  "'mask': 1, 'value': 2, 'name': 'N'}], 'types': {}, 'versions': [" ROOT "]}",
		  "passed[0].value: 'mask' is 0, or 'value' has bits that are not in 'mask'" },
	};

	check_refused(rows, sizeof(rows) / sizeof(*rows), read_table);
}

#define CHANGE(versions) PATCH("", versions)

TEST(what_would_change_the_table_is_named_with_its_path)
{
	static const struct refused_text rows[] = {
		{ PATCH("'T': {'size': 4, 'alias': 'uint32'}", ""),
		  "types.T: t.json has a different type with this name" },
		{ CHANGE(NODE("2", "null", "")),
		  "versions[0]: the parent of 2 is 1 in the table, but null in the patch" },
		{ CHANGE(NODE("2", "'3'", "")),
		  "versions[0]: the parent of 2 is 1 in the table, but 3 in the patch" },
		{ CHANGE(NODE("2.5", "'1'", "") ", " NODE("3", "'2.5'", "")),
		  "versions[1].parent: the parent of 3 in the table is 2, and 2.5 does not descend from "
		  "that parent" },
		{ CHANGE(NODE("1.5", "'1'", IOCTLS("'E': " ENTRY("9"))) "," NODE("2", "'1.5'", "")),
		  "versions[1].parent: the parent 1.5 would change the entry E of version 2" },
		{ CHANGE("{'version': '2', 'parent': '1', 'supported': false}"),
		  "versions[0]: 2 is supported in the table, and a patch cannot change that" },
		{ CHANGE(NODE("1", "null", IOCTLS("'E': " ENTRY("9")))),
		  "versions[0].ioctls.f.E: at 1, the table has a different entry with this name" },
		{ CHANGE(NODE("2", "'1'", IOCTLS("'E': " ENTRY("9")))),
		  "versions[0].ioctls.f.E: at 2, the table has a different entry with this name" },
		{ CHANGE(NODE("1", "null", IOCTLS("'E': null"))),
		  "versions[0].ioctls.f.E: at 1, the table has a different entry with this name" },
		{ CHANGE(NODE("2", "'1'", IOCTLS("'F': " ENTRY("2")))),
		  "versions[0].ioctls.f.F: at 2, the table removes this entry, so a patch cannot add it" },
		{ CHANGE(NODE("1", "null", ", 'sha256': {'x86_64': '" OTHER_SUM "'}")),
		  "versions[0].sha256: at 1, the table has a different checksum for x86_64" },
		{ CHANGE(NODE("4", "'9'", "")), "versions[0].parent: there is no version '9'" },
		{ CHANGE(NODE("4", "'5'", "") ", " NODE("5", "'4'", "")),
		  "versions[1].parent: the parents of '5' lead back to it" },
		{ CHANGE(NODE("4", "'3'", "") ", " NODE("4", "'3'", "")),
		  "versions[1].version: the version '4' appears twice" },
		{ CHANGE(NODE("2", "'1'", "") ", " NODE("2", "'1'", "")),
		  "versions[1]: the version '2' appears twice" },
		{ CHANGE(NODE("4", "'3'", IOCTLS("'Z': null"))),
		  "versions[0].ioctls.f.Z: null removes an entry, but no parent has this entry" },
		{ PATCH("'U': {'size': 4, 'alias': 'V'}", ""),
		  "types.U.alias: the type 'V' is neither a scalar nor among 'types'" },
		{ "{'format': 'drvabi-proxy-patch/1', 'driver': 'e', 'types': {}, 'versions': []}",
		  "driver: the patch is for e, but t.json is for d" },
		{ "{'format': 'drvabi-proxy-patch/1', 'proxy': 'q', 'types': {}, 'versions': []}",
		  "proxy: the patch is for q, but t.json is for p" },
		{ base_text, "format: expected 'drvabi-proxy-patch/1', found 'drvabi-proxy/1'" },
	};

	check_refused(rows, sizeof(rows) / sizeof(*rows), read_patch);
}

TEST(an_ioctl_without_an_entry_can_be_passed_by_its_number)
{
	const char *text = json_text(EVERYTHING_HEAD EVERYTHING_1 EVERYTHING_TAIL, &arena);

	assert_int_equal(read_table(text, NULL), 0);
	assert_string_equal(table_passes(&table, "f", 0x2ff), "N");
	assert_null(table_passes(&table, "f", 0x300));
	assert_null(table_passes(&table, "g", 0x200));
}

/* Reads types of which each is an alias of the next. */
static int read_type_chain(int length, struct err *err)
{
	struct strbuf types = { 0 };
	int rc;

	for (int i = 1; i < length; i++)
		strbuf_addf(&types, "'T%05d': {'size': 4, 'alias': 'T%05d'}, ", i, i + 1);
	rc = read_table(json_text(arena_printf(&arena,
					       TABLE("%s'T%05d': {'size': 4, 'alias': 'uint32'}", ROOT),
					       strbuf_text(&types), length),
				  &arena),
			err);
	strbuf_release(&types);
	return rc;
}

TEST(types_inside_one_another_are_bounded)
{
	struct err err;

	assert_int_equal(read_type_chain(64, &err), 0);
	assert_int_equal(read_type_chain(65, &err), ERR_LIMIT);
	assert_int_equal(read_type_chain(20000, &err), ERR_LIMIT);
	assert_string_equal(err.text, "x: types.T00065: types are nested more than 64 levels deep");
}

TEST_GROUP(NULL, release_arena)
