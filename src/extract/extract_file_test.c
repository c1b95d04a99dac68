/*
 * Tests of extract_file(). Each row of the table has the text of a C++ file, the names that are requested
 * from it, and the document (extract/fixture_test.h). In results, the path of the file is t.cc.
 */
#include "extract/fixture_test.h"

#include <unistd.h>

/* A file with the same kinds of declarations as in the test file of gVisor's driver_ast_parser. */
#define DEVICE \
	"typedef int Number;\n" \
	"typedef union { int whole; char parts[4]; } Value;\n" \
	"typedef struct Device {\n" \
	"  int id;\n" \
	"  struct { Number x; Number y; } point[4];\n" \
	"  Value value;\n" \
	"} Device;\n" \
	"typedef Device DeviceAgain;\n" \
	"struct Unwanted { int a; };\n" \
	"#define BASE 0x1469\n" \
	"#define CALL(i) i\n" \
	"const unsigned int VAR_BASE = BASE;\n" \
	"const unsigned int VAR_SUM = (BASE + 7);\n" \
	"const unsigned int VAR_CALL = CALL(1);\n" \
	"const int VAR_NEGATIVE = -1;\n" \
	"const unsigned long long VAR_WIDE = 0xfffffffffffffff0ULL;\n" \
	"extern const int VAR_ELSEWHERE;\n"

struct file_row {
	const char *fact;
	const char *text; /* NULL: the file does not exist */
	const char *structs, *constants, *numbers; /* names, separated by spaces; NULL: none */
	const char *arguments; /* clang's arguments; if set, the machine of the target is printed */
	const char *expected;
};

/* Splits a text into words. NULL has none. */
static struct profile_strings words_of(const char *text, struct arena *arena)
{
	const char **words = arena_array(arena, 16, sizeof(*words));
	size_t count = 0;

	while (text && *(words[count] = document_word(&text, arena)))
		count++;
	return (struct profile_strings){ words, count };
}

/* Replaces each @path in @text with "t.cc". */
static void replace_path(struct strbuf *text, const char *path)
{
	struct strbuf out = { 0 };
	const char *at = strbuf_text(text);

	for (const char *next; (next = strstr(at, path)); at = next + strlen(path)) {
		strbuf_add(&out, at, (size_t)(next - at));
		strbuf_adds(&out, "t.cc");
	}
	strbuf_adds(&out, at);
	strbuf_release(text);
	*text = out;
}

static bool file_differs(const struct file_row *row)
{
	struct arena arena = { 0 };
	const struct profile_strings arguments = words_of(row->arguments, &arena);
	const struct extract_wanted wanted = {
		.structs = words_of(row->structs, &arena),
		.constants = words_of(row->constants, &arena),
		.numbers = words_of(row->numbers, &arena),
	};
	char path[] = P_tmpdir "/drvabi-test-XXXXXX.cc";
	struct strbuf text = { 0 };
	struct err err = { "" };
	size_t missing;
	struct abi abi;
	int rc;

	close(mkstemps(path, strlen(".cc")));
	if (row->text)
		assert_int_equal(file_write_atomic(path, row->text, strlen(row->text), NULL), 0);
	else
		unlink(path);
	rc = extract_file(&abi, &missing, path, arguments.item, arguments.count, &wanted, &arena, &err);
	if (rc) {
		print_failure(&text, rc, &err);
	} else {
		print_document(&text, &abi);
		if (missing)
			strbuf_addf(&text, "%zu missing\n", missing);
		if (row->arguments)
			strbuf_addf(&text, "target %.*s\n", (int)strcspn(abi.target, "-"), abi.target);
	}
	replace_path(&text, path);
	unlink(path);
	arena_release(&arena);
	return text_differs(row->fact, &text, row->expected);
}

TEST(a_file_has_the_requested_names)
{
	static const struct file_row rows[] = {
		/* The types are spelled as by gVisor's tool. */
		{ "a document has the requested struct and the types that it uses", DEVICE,
		  .structs = "Device",
		  .expected = "struct Device@t.cc:3:16 40 { int id@0; Device::point_t[4] point@4+32; "
			      "Value value@36; }\n"
			      "struct Device::point_t@t.cc:5:3 8 { Number x@0; Number y@4; }\n"
			      "union Value@t.cc:2:9 4 { int whole@0; char[4] parts@0+4; }\n"
			      "alias Number int 4\n" },
		{ "a typedef of a typedef has the fields of the first", DEVICE, .structs = "DeviceAgain",
		  .expected = "struct Device@t.cc:3:16 40 { int id@0; Device::point_t[4] point@4+32; "
			      "Value value@36; }\n"
			      "struct Device::point_t@t.cc:5:3 8 { Number x@0; Number y@4; }\n"
			      "struct DeviceAgain@t.cc:3:16 40 { int id@0; Device::point_t[4] point@4+32; "
			      "Value value@36; }\n"
			      "union Value@t.cc:2:9 4 { int whole@0; char[4] parts@0+4; }\n"
			      "alias Number int 4\n" },
		{ "variables are constants, with the value that their type gives them", DEVICE,
		  .constants = "VAR_BASE VAR_SUM VAR_CALL VAR_WIDE VAR_NEGATIVE",
		  .expected = "const VAR_BASE 5225\nconst VAR_CALL 1\nconst VAR_NEGATIVE 4294967295\n"
			      "const VAR_SUM 5232\nconst VAR_WIDE 0xfffffffffffffff0\n" },
		{ "macros and enumerators are numbers",
		  "#define BASE (0x1469U + 1)\n#define CALL(i) i\nenum { FOUR = 4, MINUS = -1 };\n"
		  "#define TEXT \"a\"\n#define BROKEN nothing + 1\n#define LAST 0xc0de",
		  .numbers = "BASE CALL FOUR MINUS TEXT BROKEN NOWHERE LAST",
		  .expected = "const BASE 5226\nconst FOUR 4\nconst LAST 49374\nconst MINUS -1\n" },
		{ "a request for numbers hides no error", "#define BASE 1\nint x(", .numbers = "BASE",
		  .expected = "ERR_PARSE: t.cc:2:7\n" },
		{ "a variable without a value is a warning", DEVICE, .constants = "VAR_ELSEWHERE",
		  .expected = "t.cc:17:18: VAR_ELSEWHERE has no initializer that is an integer constant "
			      "and is left out\n"
			      "1 missing\n" },
		{ "a name that is not declared is a warning", DEVICE, .structs = "Nothing",
		  .constants = "NOWHERE",
		  .expected = "t.cc: there is no type Nothing\nt.cc: there is no variable NOWHERE\n"
			      "2 missing\n" },
		{ "a warning has a name that resembles the requested one", DEVICE, .structs = "Devise",
		  .expected = "t.cc: there is no type Devise; nearest: Device\n1 missing\n" },
		/* libclang 14 has no cursor kind for extern "C". */
		{ "a linkage specification hides nothing",
		  "extern \"C\" { extern \"C\" { typedef struct { int a; } Inner; const int VALUE = 3; } }\n"
		  "extern \"C\" typedef Inner Device;\n",
		  .structs = "Device", .constants = "VALUE",
		  .expected = "struct Device@t.cc:1:35 4 { int a@0; }\n"
			      "struct Inner@t.cc:1:35 4 { int a@0; }\nconst VALUE 3\n" },
		{ "an incomplete record is missing", "struct Device;\n", .structs = "Device",
		  .expected = "t.cc:1:8: Device has no layout (it is incomplete, a function, or in an "
			      "anonymous namespace) and is left out\n"
			      "1 missing\n" },
		{ "a definition after an extern declaration has the value",
		  "extern const int VALUE;\nconst int VALUE = 4;\n", .constants = "VALUE",
		  .expected = "const VALUE 4\n" },
		{ "arguments are passed to clang",
		  "#ifndef __cplusplus\ntypedef struct Device { NUMBER id; } Device;\n#endif\n",
		  .structs = "Device", .arguments = "-x c --target=aarch64-linux-gnu -DNUMBER=int",
		  .expected = "struct Device@t.cc:2:16 4 { int id@0; }\ntarget aarch64\n" },
		{ "an error of an argument is reported", DEVICE, .structs = "Device",
		  .arguments = "-include no/such/header.h", .expected = "ERR_PARSE: t.cc\n" },
		{ "an error has its line", "\nint x(;\n", .structs = "Device",
		  .expected = "ERR_PARSE: t.cc:2:7\n" },
		{ "a file that does not exist is named", NULL, .structs = "Device",
		  .expected = "ERR_NOT_FOUND: cannot read t.cc\n" },
		{ 0 },
	};
	bool differs = false;

	for (const struct file_row *row = rows; row->fact; row++)
		differs |= file_differs(row);
	assert_false(differs);
}
