#include "extract/internal.h"

#include "extract/ioctls_fake.h"

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

static void done(struct read *read)
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
	done(&read);
}

static void an_unknown_bit_is_shown_as_a_number(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, header, &rule, false);
	assert_string_equal(of_bits(&read, 0x48), "bit-0x40,user");
	done(&read);
}

static void the_fallback_stands_where_none_of_the_others_does(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, header, &rule, false);
	assert_string_equal(of_bits(&read, 0), "kernel");
	assert_string_equal(of_bits(&read, 0x20), "kernel,sleep");
	done(&read);
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
	done(&read);
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
	done(&read);
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
	done(&read);
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
	done(&read);
}

static void a_value_that_is_no_bits_is_named(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, "#define GO_FLAGS_A 1\n#define GO_FLAGS_B sizeof(int)\n", &rule, false);
	assert_string_equal(of_bits(&read, 0x1), "a");
	fake_warns_only(&read.document, "flags.h:2", "GO_FLAGS_B");
	done(&read);
}

static void macros_that_go_round_in_a_circle_are_named(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, "#define GO_FLAGS_A GO_FLAGS_B\n#define GO_FLAGS_B GO_FLAGS_A\n", &rule, false);
	fake_seal(&read.document);
	assert_int_equal(read.document.abi.warning_count, 2);
	done(&read);
}

static void parentheses_without_end_are_no_value(void **state)
{
	struct read read;

	(void)state;
	read_words(&read,
		   "#define GO_FLAGS_A ((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))\n",
		   &rule, false);
	fake_warns_only(&read.document, "flags.h:1", "GO_FLAGS_A");
	done(&read);
}

static void without_a_header_there_is_a_warning_and_bits_are_numbers(void **state)
{
	struct read read;

	(void)state;
	read_words(&read, NULL, &rule, false);
	assert_int_equal(read.rc, 0);
	assert_string_equal(of_bits(&read, 0x5), "bit-0x1,bit-0x4");
	fake_warns_only(&read.document, "flags.h", "No header");
	done(&read);
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
	done(&read);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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

	return cmocka_run_group_tests_name("flag_words", tests, NULL, NULL);
}
