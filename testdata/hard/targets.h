/*
 * Where x86-64 and AArch64 differ: the sign of char, the list of variable
 * arguments, what bit-fields without a name do to the record's alignment,
 * wchar_t.
 */
#include <stdarg.h>
#include <stddef.h>

struct arguments {
	int count;
	va_list list;
};

struct zero_width {
	char a;
	long long : 0;
	char b;
};

struct zero_width_at_end {
	char a;
	int : 0;
};

struct padding {
	char a;
	int : 5; /* no name, and yet it aligns the record on AArch64 */
};

struct only_padding {
	int : 5;
};

struct character {
	char plain : 4;
	wchar_t wide;
};

#define HARD_CHAR ((char)0xff)
#define HARD_CHAR_LITERAL '\xff'
#define HARD_WCHAR_IS_UNSIGNED ((wchar_t)-1 > 0)
