/* Sets bit-fields of hard.h, each alone, and prints the bytes; 6010-gen-languages.t does the same with the Python and the Rust of gen. */
#include <stdio.h>
#include <string.h>

#include "hard.h"

#define SET_OF(kind, type, path, number) do { \
	kind type record; \
	memset(&record, 0, sizeof(record)); \
	record.path = (number); \
	printf("%s.%s ", #type, #path); \
	for (size_t i = 0; i < sizeof(record); i++) \
		printf("%02x", ((unsigned char *)&record)[i]); \
	printf(" %lld\n", (long long)record.path); \
} while (0)
#define SET(type, path, number) SET_OF(struct, type, path, number)

int main(void)
{
	SET(bits, lo, 5);
	SET(bits, hi, 21);
	SET(bits, straddles, 0x2aaaaa);
	SET(bits, minus, -3);
	SET(bits, big, -5);
	SET(packed_bits, straddles, 0x2bcdef01);
	SET(flags, mode, 9);
	SET(flags, rest, 0x5555555);
	SET(deep, in.y, 7);
	SET(deep, in.y2, 6);
	SET(underscores, __rest, 77);
	SET(bits_keywords, in, 9);
	SET(bits_keywords, type, 17);
	SET(bits_keywords, self, 5);
	SET(bits_keywords, set_in, 2);
	SET(bits_keywords, self_, 3);
	SET(bits_keywords, in_, 129);
	SET(bits_keywords, t, TINY_B);
	SET(bits_keywords, yes, 1);
	SET(bits_keywords, m, MODE_OFF);
	SET(bits_keywords, minus, -9);
	SET(bits_keywords, whole, 0x7123456789abcdef);
	SET(bits_keywords, most, -0x123456789abcdef);
	SET(bits_packed, a, 5);
	SET(bits_packed, b, 0xabc);
	SET(bits_packed, c, 0x155);
	SET(bits_packed, d, -0x123456789);
	SET_OF(union, bits_union, a, 5);
	SET_OF(union, bits_union, b, 0x155);
	SET_OF(union, bits_union, c, 0xabcdef1234);
	SET_OF(union, bits_in_union, a, 0xabcde);
	SET_OF(union, bits_in_union, b, 9);
	SET(bits_in_both, b, 11);
	SET(bits_in_both, c, 13);
	SET(bits_in_both, bits_1, 5);
	SET(bits_in_both, d, 6);
	SET(dunders, __hash__, 5);
	SET(dunders, __on, 9);
	return 0;
}
