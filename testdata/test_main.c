/*
 * The main() of all unit tests of a directory in src. It runs the tests of the file that the program is named
 * after: base/unit_test.h lists them.
 *
 * `looked` counts the calls of strcmp(), strncmp() and memmem(), for tests of the cost of an operation. The
 * linker option --wrap replaces these functions with the ones below.
 */
#include "base/unit_test.h"

size_t looked;
char **unit_argv;

int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t length);
void *__real_memmem(const void *in, size_t in_length, const void *what, size_t length);

int __wrap_strcmp(const char *a, const char *b)
{
	looked++;
	return __real_strcmp(a, b);
}

int __wrap_strncmp(const char *a, const char *b, size_t length)
{
	looked++;
	return __real_strncmp(a, b, length);
}

void *__wrap_memmem(const void *in, size_t in_length, const void *what, size_t length)
{
	looked++;
	return __real_memmem(in, in_length, what, length);
}

static struct unit_test tests[1000];
static struct unit_group groups[100];
static size_t test_count, group_count;

void unit_test_add(const struct unit_test *test)
{
	if (test_count == sizeof(tests) / sizeof(*tests))
		abort();
	tests[test_count++] = *test;
}

void unit_group_add(const struct unit_group *group)
{
	if (group_count == sizeof(groups) / sizeof(*groups))
		abort();
	groups[group_count++] = *group;
}

/* Does the program "…/archive" run the tests of "src/store/archive_test.c"? */
static bool is_of(const char *file, const char *program)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	const size_t length = strlen(program);

	return !strncmp(name, program, length) && !strcmp(name + length, "_test.c");
}

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *program = slash ? slash + 1 : argv[0];
	static struct CMUnitTest own[sizeof(tests) / sizeof(*tests)];
	const struct unit_group *group = NULL;
	size_t count = 0;

	unit_argv = argv;
	for (size_t i = 0; i < test_count; i++)
		if (is_of(tests[i].file, program))
			own[count++] = tests[i].test;
	for (size_t i = 0; i < group_count; i++)
		if (is_of(groups[i].file, program))
			group = &groups[i];
	if (group && group->run && argc > 1)
		return group->run(argv[1]);
	if (!count) {
		fprintf(stderr, "%s: no tests of this name\n", program);
		return 2;
	}
	return _cmocka_run_group_tests(program, own, count, group ? group->setup : NULL,
				       group ? group->teardown : NULL);
}
