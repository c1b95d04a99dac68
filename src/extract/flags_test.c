#include "extract/internal.h"
#include "extract/ioctls_fake.h"

#include <stdlib.h>

static const struct macro macros[] = {
	{ .name = "CMD_A", .value = { 0x101, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_B", .value = { 0x102, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_C", .value = { 0x103, false }, .evaluated = true, .unit = "rm" },
	{ .name = "CMD_UNKNOWN", .unit = "rm" },
};
static const struct macro_index index_of_macros = { macros, sizeof(macros) / sizeof(macros[0]) };

struct scanned {
	struct fake_document document;
	struct embedded_commands commands;
};

static void scan(struct scanned *scanned, const char *text)
{
	struct table_file file;

	fake_begin(&scanned->document);
	scanned->commands = (struct embedded_commands){ 0 };
	file = fake_table_file(&scanned->document, text);
	embedded_scan(&scanned->commands, &file, &index_of_macros);
	embedded_sort(&scanned->commands);
}

static void done_embedded(struct scanned *scanned)
{
	free(scanned->commands.items);
	fake_end(&scanned->document);
}

static void the_labels_of_a_switch_over_the_command_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "int in(struct c *c)\n{\n  switch (c->cmd)\n  {\n    case CMD_B:\n    {\n      copy(\"}\");\n      break;\n    }\n"
	     "    case CMD_A: break;\n    default:\n      ;\n  }\n}\n"
	     "int out(struct c *c)\n{\n  switch (c->cmd) {\n    case CMD_B:\n      break;\n  }\n}\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 2);
	assert_true(embedded_has(&scanned.commands, 0x101));
	assert_true(embedded_has(&scanned.commands, 0x102));
	assert_false(embedded_has(&scanned.commands, 0x103));
	done_embedded(&scanned);
}

static void other_switches_do_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "switch (p->type)\n{\n  case CMD_A:\n}\nswitch (p->cmd)\n{\n  case CMD_B:\n    switch (p->type) {\n"
	     "    case CMD_C:\n    }\n    /* case CMD_C: */\n}\ncase CMD_C:\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 1);
	assert_true(embedded_has(&scanned.commands, 0x102));
	done_embedded(&scanned);
}

static void a_label_under_a_macro_that_is_not_defined_does_not_count(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned,
	     "switch (p->cmd)\n{\n#ifdef CMD_UNKNOWN\n  case CMD_UNKNOWN:\n#else\n  case CMD_A:\n#endif\n"
	     "#ifndef CMD_B\n  case CMD_C:\n#endif\n#ifdef CMD_B\n  case CMD_B:\n#endif\n}\n");
	fake_warns_nothing(&scanned.document);
	assert_int_equal(scanned.commands.count, 2);
	assert_true(embedded_has(&scanned.commands, 0x101));
	assert_true(embedded_has(&scanned.commands, 0x102));
	done_embedded(&scanned);
}

static void a_label_under_an_unknown_condition_counts_and_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n#if X > 3\n  case CMD_A:\n#endif\n}\n");
	assert_true(embedded_has(&scanned.commands, 0x101));
	fake_warns_only(&scanned.document, "t.c:4", "depends on how the driver is built");
	done_embedded(&scanned);
}

static void a_label_without_a_value_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_UNKNOWN:\n}\n");
	assert_int_equal(scanned.commands.count, 0);
	fake_warns_only(&scanned.document, "t.c:3", "CMD_UNKNOWN");
	done_embedded(&scanned);
}

static void a_label_that_is_no_name_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_A + 1:\n}\n");
	fake_warns_only(&scanned.document, "t.c:3", "not a single name");
	done_embedded(&scanned);
}

static void a_file_that_ends_inside_a_switch_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "switch (p->cmd)\n{\n  case CMD_A:\n");
	fake_warns_only(&scanned.document, "t.c:3", "ends inside a function");
	done_embedded(&scanned);
}

static void a_file_without_such_a_switch_is_named(void **state)
{
	struct scanned scanned;

	(void)state;
	scan(&scanned, "static const int table[] = { CMD_A };\n");
	fake_warns_only(&scanned.document, "t.c", "no switch");
	done_embedded(&scanned);
}

static const char *const header =
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

static const struct profile_words rule = {
	.files = FAKE_STRINGS("flags.h", "absent.h"),
	.prefix = FAKE_STRINGS("GO_FLAGS_DEEP_", "GO_FLAGS_"),
	.except = FAKE_STRINGS("GO_FLAGS_COUNT"),
	.fallback = "GO_FLAGS_KERNEL",
	.unless = FAKE_STRINGS("GO_FLAGS_ADMIN", "GO_FLAGS_USER"),
};

struct read {
	struct fake_document document;
	struct fake_file file;
	struct fake_tree tree;
	struct flag_words words;
	struct err err;
	int rc;
};

static void read_words(struct read *read, const char *text, const struct profile_words *which,
		       bool bit_numbers)
{
	*read = (struct read){ .file = { "flags.h", text } };
	fake_begin(&read->document);
	read->tree = (struct fake_tree){ .tree = { .ops = &fake_ops },
					 .files = &read->file,
					 .count = text ? 1 : 0 };
	read->rc = flag_words_read(&read->words,
				   &(struct family_context){ .builder = read->document.builder,
							     .tree = &read->tree.tree,
							     .arena = &read->document.arena },
				   which, bit_numbers, &read->err);
}

static void done_words(struct read *read)
{
	flag_words_release(&read->words);
	fake_end(&read->document);
}

static const char *of_bits(struct read *read, uint64_t bits)
{
	struct word_set set = { 0 };

	flag_words_add_bits(&set, &read->words, bits, &read->document.arena);
	return word_set_join(&set, &read->document.arena);
}

static void a_bit_gives_the_first_macros_word(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, header, &rule, false);
	assert_string_equal(of_bits(&read, 0x4), "admin");
	assert_string_equal(of_bits(&read, 0x2c), "admin,sleep,user");
	fake_warns_nothing(&read.document);
	done_words(&read);
}

static void an_unknown_bit_is_shown_as_a_number(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, header, &rule, false);
	assert_string_equal(of_bits(&read, 0x48), "bit-0x40,user");
	done_words(&read);
}

static void the_fallback_stands_where_none_of_the_others_does(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, header, &rule, false);
	assert_string_equal(of_bits(&read, 0), "kernel");
	assert_string_equal(of_bits(&read, 0x20), "kernel,sleep");
	done_words(&read);
}

static void a_macro_made_of_others_gives_their_words(void **state)
{
	struct read read;
	struct word_set set = { 0 };

	(void)state;
	read_words(&read, header, &rule, false);
	assert_true(flag_words_add_macro(&set, &read.words, (struct view){ "GO_FLAGS_ALL", 12 },
					 &read.document.arena));
	assert_string_equal(word_set_join(&set, &read.document.arena), "admin,user");
	done_words(&read);
}

static void a_macro_of_a_shared_bit_has_its_own_word(void **state)
{
	struct read read;
	struct word_set set = { 0 };

	(void)state;
	read_words(&read, header, &rule, false);
	flag_words_add_macro(&set, &read.words, (struct view){ "GO_FLAGS_SAME_AS_USER", 21 },
			     &read.document.arena);
	assert_string_equal(word_set_join(&set, &read.document.arena), "same-as-user");
	done_words(&read);
}

static void a_macro_that_no_header_defines_gives_the_word_of_its_name(void **state)
{
	struct read read;
	struct word_set set = { 0 };

	(void)state;
	read_words(&read, header, &rule, false);
	assert_false(flag_words_add_macro(&set, &read.words, (struct view){ "GO_FLAGS_NEW_ONE", 16 },
					  &read.document.arena));
	assert_string_equal(word_set_join(&set, &read.document.arena), "new-one");
	done_words(&read);
}

static void values_may_be_numbers_of_bits(void **state)
{
	const struct profile_words rights = { .files = FAKE_STRINGS("flags.h"),
					      .prefix = FAKE_STRINGS("MAY_") };
	struct read read;

	(void)state;
	read_words(&read, "#define MAY_COPY 0U\n#define MAY_BE_NICE 1U\n", &rights, true);
	assert_string_equal(of_bits(&read, 0x2), "be-nice");
	assert_null(of_bits(&read, 0));
	done_words(&read);
}

static void a_value_that_is_no_bits_is_named(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, "#define GO_FLAGS_A 1\n#define GO_FLAGS_B sizeof(int)\n", &rule, false);
	assert_string_equal(of_bits(&read, 0x1), "a");
	fake_warns_only(&read.document, "flags.h:2", "GO_FLAGS_B");
	done_words(&read);
}

static void macros_that_go_round_in_a_circle_are_named(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, "#define GO_FLAGS_A GO_FLAGS_B\n#define GO_FLAGS_B GO_FLAGS_A\n", &rule, false);
	fake_seal(&read.document);
	assert_int_equal(read.document.abi.warning_count, 2);
	done_words(&read);
}

static void parentheses_without_end_are_no_value(void **state)
{
	struct read read;

	(void)state;
	read_words(&read,
		   "#define GO_FLAGS_A ((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))\n",
		   &rule, false);
	fake_warns_only(&read.document, "flags.h:1", "GO_FLAGS_A");
	done_words(&read);
}

static void without_a_header_there_is_a_warning_and_bits_are_numbers(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, NULL, &rule, false);
	assert_int_equal(read.rc, 0);
	assert_string_equal(of_bits(&read, 0x5), "bit-0x1,bit-0x4");
	fake_warns_only(&read.document, "flags.h", "No header");
	done_words(&read);
}

static void a_tree_that_cannot_be_read_is_an_error(void **state)
{
	struct read read;

	(void)state;
	read = (struct read){ .file = { "flags.h", header } };
	fake_begin(&read.document);
	read.tree = (struct fake_tree){
		.tree = { .ops = &fake_ops }, .files = &read.file, .count = 1, .read_fails = ERR_GIT
	};
	assert_int_equal(flag_words_read(&read.words,
					 &(struct family_context){ .builder = read.document.builder,
								   .tree = &read.tree.tree,
								   .arena = &read.document.arena },
					 &rule, false, &read.err),
			 ERR_GIT);
	done_words(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_labels_of_a_switch_over_the_command_count),
		cmocka_unit_test(other_switches_do_not_count),
		cmocka_unit_test(a_label_under_a_macro_that_is_not_defined_does_not_count),
		cmocka_unit_test(a_label_under_an_unknown_condition_counts_and_is_named),
		cmocka_unit_test(a_label_without_a_value_is_named),
		cmocka_unit_test(a_label_that_is_no_name_is_named),
		cmocka_unit_test(a_file_that_ends_inside_a_switch_is_named),
		cmocka_unit_test(a_file_without_such_a_switch_is_named),
		cmocka_unit_test(a_bit_gives_the_first_macros_word),
		cmocka_unit_test(an_unknown_bit_is_shown_as_a_number),
		cmocka_unit_test(the_fallback_stands_where_none_of_the_others_does),
		cmocka_unit_test(a_macro_made_of_others_gives_their_words),
		cmocka_unit_test(a_macro_of_a_shared_bit_has_its_own_word),
		cmocka_unit_test(a_macro_that_no_header_defines_gives_the_word_of_its_name),
		cmocka_unit_test(values_may_be_numbers_of_bits),
		cmocka_unit_test(a_value_that_is_no_bits_is_named),
		cmocka_unit_test(macros_that_go_round_in_a_circle_are_named),
		cmocka_unit_test(parentheses_without_end_are_no_value),
		cmocka_unit_test(without_a_header_there_is_a_warning_and_bits_are_numbers),
		cmocka_unit_test(a_tree_that_cannot_be_read_is_an_error),
	};

	return cmocka_run_group_tests_name("flags", tests, NULL, NULL);
}
