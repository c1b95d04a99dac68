/*
 * The main() of all unit tests of a directory in src. It runs the test that the program is named after. TESTS
 * is the list of tests: TEST(a) TEST(b) ...
 *
 * `looked` counts the calls of strcmp(), strncmp() and memmem(), for tests of the cost of an operation. The
 * linker option --wrap replaces these functions with the ones below.
 */
#define _GNU_SOURCE
#include <string.h>

size_t looked;

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

#define TEST(name) int main_of_##name##_test();
TESTS
#undef TEST
#define TEST(name) \
	if (!strcmp(asked, #name)) \
		return main_of_##name##_test(argc, argv);

int main(int argc, char **argv)
{
	const char *slash = strrchr(argv[0], '/'), *asked = slash ? slash + 1 : argv[0];

	TESTS
	return 2;
}
