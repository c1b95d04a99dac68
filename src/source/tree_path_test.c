#include "source/tree_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* @count times @text */
static const char *repeated(struct strbuf *out, const char *text, unsigned count)
{
	strbuf_reset(out);
	while (count--)
		strbuf_adds(out, text);
	return strbuf_text(out);
}

static void a_path_stays_inside(void **state)
{
	struct err err;

	(void)state;
	assert_int_equal(tree_path_check("inc/a.h", &err), 0);
	assert_int_equal(tree_path_check("...", &err), 0);
	assert_int_equal(tree_path_check("", &err), ERR_FORMAT);
	assert_int_equal(tree_path_check("/inc", &err), ERR_FORMAT);
	assert_int_equal(tree_path_check("inc/", &err), ERR_FORMAT);
	assert_int_equal(tree_path_check("inc/../a.h", &err), ERR_FORMAT);
}

static void a_path_has_an_end(void **state)
{
	struct strbuf path = { 0 };
	struct err err;

	(void)state;
	assert_int_equal(tree_path_check(repeated(&path, "a", TREE_PATH_BYTES), &err), 0);
	assert_int_equal(tree_path_check(repeated(&path, "a", TREE_PATH_BYTES + 1), &err), ERR_LIMIT);
	repeated(&path, "a/", TREE_PATH_DEPTH);
	strbuf_adds(&path, "a.h");
	assert_int_equal(tree_path_check(path.text, &err), 0);
	repeated(&path, "a/", TREE_PATH_DEPTH + 1);
	strbuf_adds(&path, "a.h");
	assert_int_equal(tree_path_check(path.text, &err), ERR_LIMIT);
	strbuf_release(&path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_stays_inside),
		cmocka_unit_test(a_path_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
