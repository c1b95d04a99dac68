/* Sets bit-fields of hard.h, each alone, and prints the bytes; 6010-gen-languages.t does the same with the Python of gen. */
#include <stdio.h>
#include <string.h>

#include "hard.h"

#define SET(type, path, number) do { \
	struct type record; \
	memset(&record, 0, sizeof(record)); \
	record.path = (number); \
	printf("%s.%s ", #type, #path); \
	for (size_t i = 0; i < sizeof(record); i++) \
		printf("%02x", ((unsigned char *)&record)[i]); \
	printf(" %lld\n", (long long)record.path); \
} while (0)

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
	return 0;
}
