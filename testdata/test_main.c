/*
 * The main() of a room's tests: runs the one that the program's name says. TESTS lists them: TEST(a) TEST(b) ...
 *
 * Tests that count what work costs read `looked`: how often names and bytes were compared. The linker puts
 * the functions below in the place of libc's (--wrap).
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
