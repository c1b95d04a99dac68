/*
 * Tests of the commands with embedded pointers, and of the words for flags. Each row of a table has a source
 * or a header of the driver, and what is found in it.
 */
#include "extract/fixture_test.h"

/* Prints the numbers of the commands: "commands: 0x101 0x102". */
static void scan_embedded(struct strbuf *out, struct table_file *file)
{
	static const struct macro macros[] = {
		{ .name = "CMD_A", .value = { 0x101, false }, .evaluated = true, .unit = "rm" },
		{ .name = "CMD_B", .value = { 0x102, false }, .evaluated = true, .unit = "rm" },
		{ .name = "CMD_C", .value = { 0x103, false }, .evaluated = true, .unit = "rm" },
		{ .name = "CMD_UNKNOWN", .unit = "rm" },
	};
	const struct macro_index index = { macros, sizeof(macros) / sizeof(*macros) };
	struct embedded_commands commands = { .macros = &index };

	embedded_scan(&commands, file);
	strbuf_adds(out, "commands:");
	for (unsigned number = 0x100; number < 0x110; number++)
		if (embedded_has(&commands, number))
			strbuf_addf(out, " 0x%x", number);
	strbuf_addch(out, '\n');
}

TEST(labels_of_switches_are_commands_with_embedded_pointers)
{
	static const struct scan_row rows[] = {
		{ "the labels of a switch over the command count",
		  "int in(struct c *c)\n{\n  switch (c->cmd)\n  {\n    case CMD_B:\n    {\n"
		  "      copy(\"}\");\n      break;\n    }\n"
		  "    case CMD_A: break;\n    default:\n      ;\n  }\n}\n"
		  "int out(struct c *c)\n{\n  switch (c->cmd) {\n    case CMD_B:\n      break;\n  }\n}\n",
		  "commands: 0x101 0x102\n" },
		{ "a label inside an #ifdef of an undefined macro does not count",
		  "switch (p->cmd)\n{\n"
		  "#ifdef CMD_UNKNOWN\n  case CMD_UNKNOWN:\n#else\n  case CMD_A:\n#endif\n"
		  "#ifndef CMD_B\n  case CMD_C:\n#endif\n#ifdef CMD_B\n  case CMD_B:\n#endif\n}\n",
		  "commands: 0x101 0x102\n" },
		{ "a label inside an unknown condition counts and is named",
		  "switch (p->cmd)\n{\n#if X > 3\n  case CMD_A:\n#endif\n}\n",
		  "commands: 0x101\n"
		  "t.c:4: Whether CMD_A carries embedded pointers depends on how the driver is built; the "
		  "document has the flag.\n" },
		{ "a label without a value is named", "switch (p->cmd)\n{\n  case CMD_UNKNOWN:\n}\n",
		  "commands:\n"
		  "t.c:3: The command CMD_UNKNOWN carries embedded pointers, but the headers give it no "
		  "value.\n" },
		{ "a label that is not a name is named", "switch (p->cmd)\n{\n  case CMD_A + 1:\n}\n",
		  "commands:\nt.c:3: The label of this case is not a single name, so it is unknown which commands carry "
		  "embedded pointers.\n" },
		{ "a file without such a switch is named", "static const int table[] = { CMD_A };\n",
		  "commands:\n"
		  "t.c: This file has no switch over a command, so it is unknown which commands carry "
		  "embedded pointers.\n" },
		{ 0 },
	};

	check_scans(rows, scan_embedded);
}

static const char header[] =
	"#define GO_FLAGS_NONE 0x0 // nothing\n"
	"#define GO_FLAGS_KERNEL 0x000000000\n"
	"#define GO_FLAGS_ALL (GO_FLAGS_ADMIN | \\\n\tGO_FLAGS_USER)\n"
	"#define GO_FLAGS_ADMIN 0x000000004 /* who */\n"
	"#define GO_FLAGS_USER NVBIT(3)\n"
	"#define GO_FLAGS_DEEP_SLEEP (1 << 5)\n"
	"#define GO_FLAGS_SAME_AS_USER 0x8\n"
	"#define GO_FLAGS_IS(x) ((x) & 1)\n"
	"#define GO_FLAGS_COUNT 99\n"
	"#define OTHER_FLAGS_X 0x40\n";

/* A family with words for masks, and words for numbers of bits. */
#define FAMILY \
	"{'name': 'f', 'source': 'rs_entry', 'files': ['list.h']," \
	" 'flag_words': {'files': ['flags.h', 'absent.h'], 'prefix': ['GO_FLAGS_DEEP_', 'GO_FLAGS_']," \
	"  'except': ['GO_FLAGS_COUNT'], 'fallback': 'GO_FLAGS_KERNEL'," \
	"  'unless': ['GO_FLAGS_ADMIN', 'GO_FLAGS_USER']}," \
	" 'access_words': {'files': ['flags.h'], 'prefix': ['MAY_']}}"

struct words_row {
	const char *fact;
	const char *header;   /* the text of flags.h; NULL if it does not exist */
	bool are_bit_numbers;
	const char *masks;    /* masks, and names of macros, whose words are printed */
	const char *expected;
};

/* Runs the test of a row. @broken: the path of a file that cannot be read, or NULL */
static bool words_differ(const struct words_row *row, const char *broken)
{
	struct arena arena = { 0 };
	struct memory_tree memory = memory_tree_of(row->header ? row->header : "", &arena);
	const struct profile profile = profile_of("'families': [" FAMILY "]", NULL, &arena);
	const struct profile_words *rule = row->are_bit_numbers ? &profile.families[0].access_words
								: &profile.families[0].flag_words;
	struct family_context context = { .tree = &memory.tree, .arena = &arena };
	const char *masks = row->masks, *word, *joined;
	struct flag_words words = { 0 };
	struct strbuf text = { 0 };
	struct err err = { "" };
	bool differs;
	int rc;

	memory.files[0].path = row->header ? "flags.h" : "other.h";
	memory.broken = broken;
	context.builder = abi_builder_new(&arena);
	rc = flag_words_read(&words, &context, rule, row->are_bit_numbers, &err);
	if (rc)
		print_failure(&text, rc, &err);
	while (!rc && *(word = document_word(&masks, &arena))) {
		struct profile_strings set = { 0 };
		bool is_known = true;

		if (*word == '0')
			flag_words_add_bits(&set, &words, strtoull(word, NULL, 0), &arena);
		else
			is_known = flag_words_add_macro(&set, &words, view_of(word), &arena);
		joined = words_join(&set, &arena);
		strbuf_addf(&text, "%s: %s%s\n", word, is_known ? "" : "undefined ", joined ? joined : "-");
	}
	print_document(&text, document_seal(context.builder, "1", &arena));
	differs = text_differs(row->fact, &text, row->expected);
	abi_builder_free(context.builder);
	arena_release(&arena);
	return differs;
}

TEST(macros_are_words_for_flags)
{
	static const struct words_row rows[] = {
		{ "the first macro for a bit gives its word", header, false, "0x8 0x4 0x2c",
		  "0x8: user\n0x4: admin\n0x2c: admin,sleep,user\n" },
		{ "an unknown bit is shown as a number", header, false, "0x48", "0x48: bit-0x40,user\n" },
		{ "the fallback is the word if none of the others is", header, false, "0 0x20",
		  "0: kernel\n0x20: kernel,sleep\n" },
		{ "a macro made of others gives their words", header, false, "GO_FLAGS_ALL",
		  "GO_FLAGS_ALL: admin,user\n" },
		{ "a macro of a shared bit has a word of its own", header, false, "GO_FLAGS_SAME_AS_USER",
		  "GO_FLAGS_SAME_AS_USER: same-as-user\n" },
		{ "a macro that no header defines gives the word of its name", header, false,
		  "GO_FLAGS_NEW_ONE", "GO_FLAGS_NEW_ONE: undefined new-one\n" },
		{ "values can be numbers of bits", "#define MAY_COPY 0U\n#define MAY_BE_NICE 1U\n", true,
		  "0x2 0", "0x2: be-nice\n0: -\n" },
		{ "a value that is not bits is named",
		  "#define GO_FLAGS_A 1\n#define GO_FLAGS_B sizeof(int)\n", false, "0x1",
		  "0x1: a\n"
		  "flags.h:2: The value of GO_FLAGS_B is not a set of bits, so no flag is made from it.\n" },
		{ "macros that use each other are named",
		  "#define GO_FLAGS_A GO_FLAGS_B\n#define GO_FLAGS_B GO_FLAGS_A\n", false, "",
		  "flags.h:1: The value of GO_FLAGS_A is not a set of bits, so no flag is made from it.\n"
		  "flags.h:2: The value of GO_FLAGS_B is not a set of bits, so no flag is made from it.\n" },
		{ "parentheses nested too deep are not a value",
		  "#define GO_FLAGS_A ((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))\n",
		  false, "",
		  "flags.h:1: The value of GO_FLAGS_A is not a set of bits, so no flag is made from it.\n" },
		{ "without a header there is a warning, and bits are numbers", NULL, false, "0x5",
		  "0x5: bit-0x1,bit-0x4\n"
		  "flags.h: No header here defines names for the flags, so their bits are shown as "
		  "numbers.\n" },
		{ 0 },
	};
	static const struct words_row broken = {
		"a header that cannot be read is an error", header, false, "",
		"ERR_GIT: cannot read flags.h\n"
	};
	bool differs = false;

	for (const struct words_row *row = rows; row->fact; row++)
		differs |= words_differ(row, NULL);
	differs |= words_differ(&broken, "flags.h");
	assert_false(differs);
}
