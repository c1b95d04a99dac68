#include "extract/internal.h"

#include "extract/ioctls_fake.h"

/* A text that a test reads. */
struct reading {
	struct fake_document document;
	struct table_file file;
	struct statements stream;
};

static struct statements *begin(struct reading *reading, const char *text)
{
	fake_begin(&reading->document);
	reading->file = fake_table_file(&reading->document, text);
	statements_init(&reading->stream, &reading->file);
	return &reading->stream;
}

static void names_are_found_between_other_things(void **state)
{
	struct reading reading;
	struct statements *stream = begin(&reading, "1x /* no */ = a\n#define b\n(\"c\") d;");
	struct view name;

	(void)state;
	assert_true(statements_next_name(&name, stream));
	assert_true(view_is(name, "a"));
	assert_true(statements_next_name(&name, stream));
	assert_true(view_is(name, "d"));
	assert_int_equal(stream->line, 3);
	assert_false(statements_next_name(&name, stream));
	fake_end(&reading.document);
}

static void a_group_ends_with_its_own_bracket(void **state)
{
	struct reading reading;
	struct statements *stream = begin(&reading, "{ a[1], (b, '}') } c");
	struct view inside;

	(void)state;
	assert_true(statements_cut_group(&inside, stream));
	assert_true(view_is(inside, "a[1], (b, ' ')"));
	assert_true(statements_cut(stream, 'c'));
	fake_end(&reading.document);
	assert_false(statements_cut_group(NULL, begin(&reading, "(a]")));
	fake_end(&reading.document);
	assert_false(statements_cut_group(NULL, begin(&reading, "(a")));
	fake_end(&reading.document);
}

static void commas_separate_arguments(void **state)
{
	struct reading reading;
	struct statements *stream = begin(&reading, "a , f(b, c),\n d) e");
	struct view argument[2];
	size_t count;

	(void)state;
	assert_true(statements_cut_arguments(argument, 2, &count, stream));
	assert_int_equal(count, 3);
	assert_true(view_is(argument[0], "a"));
	assert_true(view_is(argument[1], "f(b, c)"));
	assert_int_equal(stream->line, 2);
	fake_end(&reading.document);
	assert_false(statements_cut_arguments(argument, 2, &count, begin(&reading, "a,\n#if X\nb)")));
	fake_end(&reading.document);
}

static void a_statement_ends_with_a_semicolon_or_a_block(void **state)
{
	struct reading reading;
	struct statements *stream = begin(&reading, "f(a; b);\nif (x) { y; }\n}");

	(void)state;
	assert_true(statements_skip_statement(stream));
	assert_int_equal(stream->line, 1);
	assert_true(statements_skip_statement(stream));
	assert_int_equal(stream->line, 2);
	assert_true(statements_skip_statement(stream));
	assert_true(statements_cut(stream, '}'));
	assert_false(statements_skip_statement(stream));
	fake_end(&reading.document);
}

static void an_endif_without_an_if_is_named(void **state)
{
	struct reading reading;

	(void)state;
	statements_skip(begin(&reading, "\n#endif\n"));
	fake_warns_only(&reading.document, "t.c:2", "closes an #if that was not opened");
	fake_end(&reading.document);
	begin(&reading, "\n#endif\n")->is_silent = true;
	statements_skip(&reading.stream);
	fake_warns_nothing(&reading.document);
	fake_end(&reading.document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found_between_other_things),
		cmocka_unit_test(a_group_ends_with_its_own_bracket),
		cmocka_unit_test(commas_separate_arguments),
		cmocka_unit_test(a_statement_ends_with_a_semicolon_or_a_block),
		cmocka_unit_test(an_endif_without_an_if_is_named),
	};

	return cmocka_run_group_tests_name("statements", tests, NULL, NULL);
}
