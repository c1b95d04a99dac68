/* Tests of a document as JSON: what is read, what is written, and the sentences about what is wrong. */
#include "abi/fixture_test.h"

#define HEAD "{'format': 'drvabi-abi/1', 'driver': 'd', 'version': '1', 'commit': '', 'target': 't'"
#define DOCUMENT(records, aliases, enums, constants, ioctls)                                                 \
	HEAD ", 'records': {" records "}, 'aliases': {" aliases "}, 'enums': {" enums                        \
	     "}, 'constants': {" constants "}, 'ioctls': [" ioctls "], 'warnings': []}"
#define RECORD_R(fields) \
	"'R': {'fields': [{'name': 'a', " fields "}], 'size': 8, 'align': 4, 'is_union': false, 'source': ''}"
#define FIELD(members) DOCUMENT(RECORD_R(members), "", "", "", "")
#define IOCTL(members) DOCUMENT("", "", "", "", "{'family': 'f', 'name': 'n'" members "}")

static struct abi document;

static int read_document(const char *text, struct err *err)
{
	const struct abi untouched = { .driver = "untouched" };
	int rc;

	document = untouched;
	rc = json_read_abi(&document, text, strlen(text), "x", &arena, err);
	assert_true(!rc || !memcmp(&document, &untouched, sizeof(document)));
	return rc;
}

static void add_document(struct strbuf *out)
{
	document_lines(out, &document);
}

/* A document with items of every kind, exactly as json_write_abi() writes it. */
static const char everything[] =
	"{\n 'format': 'drvabi-abi/1',\n 'driver': 'd',\n 'version': '1.0',\n"
	" 'commit': '0123456789012345678901234567890123456789',\n 'target': 'x86_64-linux-gnu',\n"
	" 'records': {\n"
	"  'A': {\n"
	"   'fields': [\n"
	"    {'name': 'p', 'type': 'void *', 'offset': 0, 'size': 8, 'role': 'pointer'},\n"
	"    {'name': 'lo', 'type': 'unsigned int', 'offset': 8, 'bit_offset': 64, 'bit_width': 3},\n"
	"    {'name': 'hi', 'type': 'unsigned int', 'offset': 9, 'bit_offset': 75, 'bit_width': 5},\n"
	"    {'name': '', 'type': 'A::_t', 'offset': 12, 'size': 4},\n"
	"    {'name': 'tail', 'type': 'int[]', 'offset': 16, 'size': 0, 'dims': [null]}\n"
	"   ],\n"
	"   'size': 16,\n   'align': 8,\n   'is_union': false,\n   'source': 'a.h:1:2'\n"
	"  },\n"
	"  'A::_t': {\n"
	"   'fields': [],\n   'size': 4,\n   'align': 4,\n   'is_union': true,\n   'source': 'a.h:3:4'\n"
	"  }\n"
	" },\n"
	" 'aliases': {\n"
	"  'int': {'type': 'int', 'size': 4},\n  'void *': {'type': 'void *', 'size': 8}\n"
	" },\n"
	" 'enums': {\n"
	"  'E': {\n"
	"   'type': 'long',\n   'size': 8,\n"
	"   'values': {\n"
	"    'E_MAX': '0x7fffffffffffffff',\n    'E_MIN': '-0x8000000000000000',\n    'E_ONE': -1\n"
	"   },\n"
	"   'source': 'a.h:5:6'\n"
	"  }\n"
	" },\n"
	" 'constants': {\n"
	"  'BIG': '0xffffffffffffffff',\n  'LIMIT': 9007199254740992,\n  'NEGATIVE': -5\n"
	" },\n"
	" 'ioctls': [\n"
	"  {'family': 'f', 'name': 'ONE', 'number': 1, 'params': 'A', 'flags': ['a', 'b'], 'access': 'x', "
	"'source': 'a.h:7'},\n"
	"  {'family': 'f', 'name': 'TWO', 'number': '0x8000000000000000', 'params': null, 'source': ''}\n"
	" ],\n"
	" 'warnings': [\n  {'place': 'a.h:9', 'text': 'A \\'quoted\\' word.'}\n ]\n"
	"}\n";

TEST(what_is_read_is_written_byte_for_byte_the_same)
{
	struct strbuf text = { 0 };
	struct json_writer writer = { .out = &text };

	assert_int_equal(read_document(json_text(everything, &arena), NULL), 0);
	json_write_abi(&writer, &document);
	assert_false(text_differs("everything", &text, json_text(everything, &arena)));
}

TEST(a_text_is_read)
{
	static const struct read_text rows[] = {
		{ "a document has items of every kind", everything,
		  "struct A@a.h:1:2 16/8 { void~* p@0+8 pointer; unsigned~int lo:3@64; unsigned~int hi:5@75; "
		  "A::_t _@12; int[] tail@16; }\n"
		  "union A::_t@a.h:3:4 4 { }\n"
		  "alias int int 4\n"
		  "alias void~* void~* 8\n"
		  "enum E@a.h:5:6 long 8 { E_MAX=0x7fffffffffffffff; E_MIN=-0x8000000000000000; E_ONE=-1; }\n"
		  "const BIG 0xffffffffffffffff\n"
		  "const LIMIT 9007199254740992\n"
		  "const NEGATIVE -5\n"
		  "ioctl f/ONE@a.h:7 0x1 A +a +b !x\n"
		  "ioctl f/TWO 0x8000000000000000 -\n"
		  "a.h:9: A \"quoted\" word.\n" },
		{ "order in the text does not matter",
		  "{'warnings': [], 'ioctls': [], 'constants': {'B': 1, 'A': 2}, "
		  "'enums': {'E': {'values': {'Z': 1, 'Y': 2}, 'size': 4, 'source': '', 'type': 'int'}}, "
		  "'aliases': {}, 'records': {}, 'target': '', 'commit': '', 'version': '', 'driver': '', "
		  "'format': 'drvabi-abi/1'}",
		  "enum E@ int 4 { Y=2; Z=1; }\nconst A 2\nconst B 1\n" },
		/*
		 * The output of driver_ast_parser has no "format" and no sizes of fields. The outermost
		 * dimension is last, and a record without fields has null.
		 */
		{ "what driver_ast_parser prints is read",
		  "{'aliases':{'NvU32':{'size':4,'type':'unsigned int'},"
		  "'NvU8[16]':{'size':16,'type':'unsigned char[16]'},'void *':{'size':8,'type':'void *'}},"
		  "'constants':{'GVISOR_X':7},"
		  "'records':{'A':{'fields':[{'name':'a','offset':0,'type':'NvU32[2]'},"
		  "{'name':'m','offset':8,'type':'NvU8[16][3]'},{'name':'b','offset':56,'type':'B'}],"
		  "'is_union':false,'size':64,'source':'a.h'},"
		  "'B':{'fields':null,'is_union':true,'size':8,'source':'a.h'}}}",
		  "struct A@a.h 64/0 { NvU32[2] a@0; NvU8[3][16] m@8; B b@56+8; }\n"
		  "union B@a.h 8/0 { }\n"
		  "alias NvU32 unsigned~int 4\n"
		  "alias NvU8 unsigned~char 1\n"
		  "alias NvU8[16] unsigned~char[16] 16\n"
		  "alias void~* void~* 8\n"
		  "const GVISOR_X 7\n" },
		{ "the elements of its arrays of arrays can be pointers",
		  "{'aliases':{'PTR[4]':{'size':32,'type':'void *[4]'}},'constants':{},"
		  "'records':{'A':{'fields':[{'name':'p','offset':0,'type':'PTR[4][2]'}],"
		  "'is_union':false,'size':64,'source':'a.h'}}}",
		  "struct A@a.h 64/0 { PTR[2][4] p@0+64; }\n"
		  "alias PTR void~* 8\n"
		  "alias PTR[4] void~*[4] 32\n" },
	};

	check_read(rows, sizeof(rows) / sizeof(*rows), read_document, add_document);
}

/* The place of the field in a message. */
#define AT "records.R.fields[0]"
#define ALIASES "'ROW': {'type': 'unsigned char[4]', 'size': 4}, 'u8': {'type': 'unsigned char', 'size': 1}"
/* A document with a field that has @type and @dims. ROW is an alias for an array. MISSING does not exist. */
#define DIMS(type, dims) \
	DOCUMENT(RECORD_R("'type': '" type "', 'offset': 0, 'size': 8, 'dims': " dims), ALIASES, "", "", "")

#define A33 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define IOC_OF(type) "'direction': 'none', 'type': " type ", 'nr': 2, 'size': 0, 'known_by': 'number'"

TEST(what_is_wrong_is_named_with_its_path)
{
	static const struct refused_text rows[] = {
		{ DOCUMENT("'" A33 A33 A33 "\xc3\xa9': []", "", "", "", ""),
		  "records." A33 A33 A33 "...: expected an object, found an array" },
		{ "[]", "expected an object, found an array" },
		{ "{}", "the key 'records' is missing" },
		{ "{'records': {}, 'aliases': {}, 'constants': {}, 'enums': {}}",
		  "the key 'format' is missing; 'drvabi-abi/1' is expected" },
		{ "{'format': 'drvabi-abi/1', 'records': {}, 'aliases': {}, 'constants': {}}",
		  "the key 'driver' is missing" },
		{ "{'format': 'drvabi-abi/2', 'driver': '', 'version': '', 'commit': '', 'target': '', "
		  "'records': {}, 'aliases': {}, 'enums': {}, 'constants': {}, 'ioctls': []}",
		  "format: expected 'drvabi-abi/1', found 'drvabi-abi/2'" },
		{ "{'format': 'drvabi-diff/1', 'base': {}}",
		  "format: expected 'drvabi-abi/1', found 'drvabi-diff/1'" },
		{ HEAD ", 'extra': 1}", "extra: unknown key" },
		{ HEAD ", 'version': '2'}", "the key 'version' appears twice in one object" },
		{ HEAD ", 'versi\\u006fn': '2'}", "the key 'version' appears twice in one object" },
		{ DOCUMENT("'R': []", "", "", "", ""), "records.R: expected an object, found an array" },
		{ DOCUMENT("'R': {'fields': [], 'size': 1, 'is_union': false}", "", "", "", ""),
		  "records.R: the key 'align' is missing" },
		{ DOCUMENT("'R': {'fields': [], 'size': 1, 'align': 1, 'is_union': 0}", "", "", "", ""),
		  "records.R.is_union: expected true or false, found an integer" },
		{ FIELD("'offset': 0, 'size': 4"), AT ": the key 'type' is missing" },
		{ FIELD("'type': 'int', 'offset': 0"), AT ": the key 'size' is missing" },
		{ FIELD("'type': 'int', 'offset': '0', 'size': 4"),
		  AT ".offset: expected an integer, found a string" },
		{ FIELD("'type': 'int', 'offset': -1, 'size': 4"), AT ".offset: -1 is negative" },
		{ FIELD("'type': 'int', 'offset': '0xffffffffffffffff', 'size': 4"),
		  AT ".offset: 0xffffffffffffffff is above 1152921504606846975, the largest value allowed "
		  "here" },
		{ FIELD("'type': 'int', 'offset': '0x10000000000000000', 'size': 4"),
		  AT ".offset: expected an integer, found a string" },
		{ FIELD("'type': 'int', 'offset': 8, 'size': 4"),
		  AT ": the field extends past the end of its record, which has 8 bytes" },
		{ FIELD("'type': 'int', 'offset': 0, 'size': 4, 'role': 'boss'"),
		  AT ".role: 'boss' is not a role (" ROLES ")" },
		{ FIELD("'type': 'int', 'offset': 0, 'size': 4, 'bit_width': 4"),
		  AT ".size: a bit-field has a 'bit_width' instead of a 'size'" },
		{ FIELD("'type': 'int', 'offset': 0, 'bit_width': 4"),
		  AT ": a bit-field needs both 'bit_offset' and 'bit_width'" },
		{ FIELD("'type': 'int', 'offset': 0, 'bit_offset': 8, 'bit_width': 4"),
		  AT ".bit_offset: bit 8 is not in the byte at 'offset'" },
		{ FIELD("'type': 'int', 'offset': 0, 'bit_offset': 0, 'bit_width': 129"),
		  AT ".bit_width: 129 is above 128, the largest value allowed here" },
		{ FIELD("'type': 'int[4', 'offset': 0, 'size': 4"),
		  AT ".type: type 'int[4' has unbalanced brackets" },
		{ DOCUMENT("", "'A': {'type': 'int'}", "", "", ""), "aliases.A: the key 'size' is missing" },
		{ DOCUMENT("", "", "'E': {'type': 'int', 'size': 4, 'values': {'V': null}}", "", ""),
		  "enums.E.values.V: expected an integer, found null" },
		{ DOCUMENT("", "", "", "'C': '12'", ""), "constants.C: expected an integer, found a string" },
		{ DOCUMENT("", "", "", "'C': '0x'", ""), "constants.C: expected an integer, found a string" },
		{ DOCUMENT("", "", "", "'C': 1, 'C': 1", ""),
		  "constants: the key 'C' appears twice in one object" },
		{ IOCTL(""), "ioctls[0]: the key 'number' is missing" },
		{ IOCTL(", 'number': 1, 'flags': [1]"),
		  "ioctls[0].flags[0]: expected a string, found an integer" },
		{ IOCTL(", 'number': 1, 'params': 3"),
		  "ioctls[0].params: expected a string or null, found an integer" },
		{ IOCTL(", 'number': 16386, 'ioc': {" IOC_OF("'64'") "}"),
		  "ioctls[0].ioc.type: expected an integer, found a string" },
		{ IOCTL(", 'number': 16386, 'ioc': {" IOC_OF("64") ", 'varies': ['seize']}"),
		  "ioctls[0].ioc.varies[0]: 'seize' is not a part of the number "
		  "(nr, type, size or direction)" },
		{ DIMS("ROW[2]", "[2]"), AT ".dims: the type 'ROW[2]' has 2 dimensions, not 1" },
		{ DIMS("ROW[2]", "[4, 2]"), AT ".dims[0]: this dimension of the type 'ROW[2]' is 2, not 4" },
		{ DIMS("ROW[2]", "[2, null]"),
		  AT ".dims[1]: this dimension of the type 'ROW[2]' is 4, not null" },
		{ DIMS("ROW[2]", "[2, -4]"),
		  AT ".dims[1]: this dimension of the type 'ROW[2]' is 4, not -4" },
		{ DIMS("ROW[2]", "[2, '4']"), AT ".dims[1]: expected an integer or null, found a string" },
		{ DIMS("ROW[2]", "8"), AT ".dims: expected an array, found an integer" },
		{ DIMS("u8", "[]"), NULL },
		{ DIMS("u8", "[8]"), AT ".dims: the type 'u8' has 0 dimensions, not 1" },
		{ DIMS("u8[]", "[0]"),
		  AT ".dims[0]: this dimension of the type 'u8[]' is null, not 0" },
		{ DIMS("u8[0]", "[null]"), AT ".dims[0]: this dimension of the type 'u8[0]' is 0, not null" },
		{ DIMS("MISSING[2]", "[3, 4]"),
		  AT ".dims[0]: this dimension of the type 'MISSING[2]' is 2, not 3" },
		{ DIMS("MISSING[2]", "[]"), AT ".dims: the type 'MISSING[2]' has 1 dimension, not 0" },
		{ DIMS("MISSING[2]", "[2, 4]"), NULL },
		{ DIMS("ROW[2]", "[2, 4]"), NULL },
		{ FIELD("'type': 'int', 'offset': 0, 'bit_offset': 0, 'bit_width': 4, 'dims': [1]"),
		  AT ".dims: a bit-field cannot have dimensions" },
		{ "{'aliases':{},'constants':null,'records':{'A':{'fields':[{'name':'a','offset':0,"
		  "'type':'NvU32[2]'}],'is_union':false,'size':8,'source':'a.h'}}}",
		  "records.A.fields[0].type: the type 'NvU32' is in neither 'records' nor 'aliases', so "
		  "its size is unknown (fields have no sizes in a document without 'format')" },
	};

	check_refused(rows, sizeof(rows) / sizeof(*rows), read_document);
}

TEST(an_array_is_written_with_all_its_dimensions)
{
	static const struct {
		const char *type; /* of the field f, with "~" for a space */
		int size_bytes;
		const char *dims; /* "" if none are written */
	} rows[] = {
		{ "NvU8", 1, "" },
		{ "NvU8[8]", 8, "[8]" },
		{ "NvU8[2][3]", 6, "[2, 3]" },
		{ "ROW", 32, "[32]" },
		{ "ROW[8]", 256, "[8, 32]" },
		{ "ROW2[8]", 256, "[8, 32]" },
		{ "const~ROW[2]", 64, "[2, 32]" },
		{ "TABLE[2]", 256, "[2, 4, 32]" },
		{ "POINTS[2]", 6, "[2, 3]" },
		{ "POINT[2]", 2, "[2]" },
		{ "ROW[]", 0, "[null, 32]" },
		{ "ROW[0]", 0, "[0, 32]" },
		{ "NvU8~(*)[4]", 8, "" },
		{ "NvU8~(*)[4][3]", 24, "[3]" },
		{ "void~(*)(int)[3]", 24, "[3]" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *type = rows[i].type, *dims = rows[i].dims, *at, *expected;
		const struct abi *abi = document_of(
			arena_printf(&arena,
				     "struct POINT 1/1 { NvU8 i@0 } struct R 4096/1 { %s f@0+%d } "
				     "alias POINTS POINT[3] 3 alias ROW unsigned~char[32] 32 "
				     "alias ROW2 unsigned~char[32] 32 alias TABLE unsigned~char[4][32] 128 "
				     "alias const~ROW const~unsigned~char[32] 32 "
				     "alias NvU8~(*)[4] unsigned~char~(*)[4] 8 "
				     "alias void~(*)(int) void~(*)(int) 8",
				     type, rows[i].size_bytes),
			&arena);
		struct strbuf text = { 0 }, field = { 0 };
		struct json_writer writer = { .out = &text };
		struct err err = { "" };

		json_write_abi(&writer, abi);
		at = strstr(strbuf_text(&text), "{\"name\": \"f\"");
		strbuf_add(&field, at, strcspn(at, "\n"));
		expected = arena_printf(&arena, "{'name': 'f', 'type': '%s', 'offset': 0, 'size': %d%s%s}",
					document_spaces(arena_strdup(&arena, type)), rows[i].size_bytes,
					*dims ? ", 'dims': " : "", dims);
		assert_false(text_differs(type, &field, json_text(expected, &arena)));
		assert_int_equal(read_document(strbuf_text(&text), &err), 0);
		strbuf_release(&text);
	}
}

TEST(the_names_that_driver_ast_parser_wants_are_read)
{
	const char *text = json_text("{'structs': ['A', 'B'], 'constants': ['C']}", &arena);
	const char *bad = json_text("{'structs': ['A', 1]}", &arena);
	struct profile_strings structs = { 0 }, constants = { 0 };
	struct err err;

	assert_int_equal(json_read_wanted(&structs, &constants, text, strlen(text), "x", &arena, &err), 0);
	assert_int_equal(json_read_wanted(&structs, &constants, bad, strlen(bad), "x", &arena, &err),
			 ERR_FORMAT);
	assert_string_equal(err.text, "x: structs[1]: expected a string, found an integer");
	assert_string_equal(join(structs.item, structs.count), "A,B");
	assert_string_equal(join(constants.item, constants.count), "C");
}

TEST_GROUP(NULL, release_arena)
