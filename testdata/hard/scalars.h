/*
 * Every scalar that C has, and what a driver's header makes of it: _Bool,
 * __int128, floating point, plain char, wchar_t's kin from clang's own
 * stddef.h and stdint.h.
 */
#include <stddef.h>
#include <stdint.h>

struct scalars {
	_Bool b;
	char c;
	signed char sc;
	unsigned char uc;
	short s;
	unsigned short us;
	int i;
	unsigned u;
	long l;
	unsigned long ul;
	long long ll;
	unsigned long long ull;
	__int128 i128;
	unsigned __int128 u128;
	float f;
	double d;
	long double ld;
	_Complex float cf;
	uint8_t u8;
	int16_t i16;
	uint32_t u32;
	int64_t i64;
	uintptr_t up;
	size_t size;
	ptrdiff_t diff;
	volatile uint32_t v;
};

#define HARD_UINT64_MAX UINT64_MAX
#define HARD_SIZE_OF_SCALARS sizeof(struct scalars)
