#include "abi/abi.h"

#include <stdarg.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

/* A tree of one file, whose object id is a run of one digit; '\0': the tree has no ids. */
struct one_file {
	struct tree tree; /* first */
	char digit;
};

static int one_file_id(struct tree *tree, const char *path, char hex[41], struct err *err)
{
	char digit = ((struct one_file *)tree)->digit;

	if (!digit)
		return err_set(err, ERR_NOT_FOUND, "%s has no id", path);
	memset(hex, digit, 40);
	hex[40] = '\0';
	return 0;
}

static struct one_file tree_with(char digit)
{
	static const struct tree_ops ops = { .id = one_file_id };

	return (struct one_file){ { &ops, "1.0", "" }, digit };
}

/* The value for the text that is @digit, or NULL. */
static const char *value_of(struct memo *memo, char digit)
{
	struct one_file file = tree_with(digit);

	return memo_entry(memo, "kind", &file.tree, "a.h")->value;
}

static struct memo_entry *remember(struct memo *memo, char digit, const char *value)
{
	struct one_file file = tree_with(digit);
	struct memo_entry *entry = memo_entry(memo, "kind", &file.tree, "a.h");

	entry->value = value;
	return entry;
}

static void a_value_is_found_by_kind_path_and_text(void **state)
{
	struct one_file file = tree_with('1');
	struct memo *memo = memo_new();

	(void)state;
	remember(memo, '1', "one");
	assert_string_equal(value_of(memo, '1'), "one");
	assert_null(value_of(memo, '2'));
	assert_null(memo_entry(memo, "other", &file.tree, "a.h")->value);
	assert_null(memo_entry(memo, "kind", &file.tree, "b.h")->value);
	memo_free(memo);
}

static void without_a_memo_or_an_id_there_is_no_entry(void **state)
{
	struct one_file file = tree_with('1'), no_id = tree_with('\0');
	struct memo *memo = memo_new();

	(void)state;
	assert_null(memo_entry(NULL, "kind", &file.tree, "a.h"));
	assert_null(memo_entry(memo, "kind", &no_id.tree, "a.h"));
	memo_free(memo);
	memo_free(NULL);
	memo_age(NULL);
}

static void what_one_extraction_does_not_use_is_freed(void **state)
{
	struct memo *memo = memo_new();

	(void)state;
	memo_age(memo);
	remember(memo, '1', "one");
	remember(memo, '2', "two");
	memo_age(memo);
	assert_string_equal(value_of(memo, '1'), "one");
	memo_age(memo);
	assert_string_equal(value_of(memo, '1'), "one");
	assert_null(value_of(memo, '2'));
	memo_free(memo);
}

static void what_is_forgotten_is_not_found(void **state)
{
	struct memo *memo = memo_new();
	struct memo_entry *entry;

	(void)state;
	memo_age(memo);
	entry = remember(memo, '1', "one");
	memo_forget(memo, entry);
	assert_string_equal(entry->value, "one");
	assert_null(value_of(memo, '1'));
	memo_free(memo);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_value_is_found_by_kind_path_and_text),
		cmocka_unit_test(without_a_memo_or_an_id_there_is_no_entry),
		cmocka_unit_test(what_one_extraction_does_not_use_is_freed),
		cmocka_unit_test(what_is_forgotten_is_not_found),
	};

	return cmocka_run_group_tests_name("memo", tests, NULL, NULL);
}
